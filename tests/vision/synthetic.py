"""Tiny made-up spreads: cards as labels, pictures painted from them, and sessions that know them."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.crops import cut
from vision.deck import Deck
from vision.faces import COPIES
from vision.find import LONG_SIDE, MULTIPLE, STRIDE
from vision.name import embed

WIDTH = 48.0
LENGTH = 4.2 * WIDTH
END = 0.175


@dataclass(frozen=True)
class Lying:
    """A card that lies on a table: name, centre, turn in degrees clockwise."""

    name: str
    x: float
    y: float
    turn: float = 0.0
    width: float = WIDTH
    ends: tuple[float, float] = (1.0, 1.0)
    """Share of the upper and the lower end that is seen."""

    @property
    def length(self):
        return self.width * LENGTH / WIDTH

    def axes(self):
        angle = np.deg2rad(self.turn)
        up = np.array([np.sin(angle), -np.cos(angle)])
        right = np.array([np.cos(angle), np.sin(angle)])
        return up, right

    def outline(self):
        up, right = self.axes()
        centre = np.array([self.x, self.y])
        top, side = up * self.length / 2, right * self.width / 2
        corners = (centre + top - side, centre + top + side, centre - top + side, centre - top - side)
        return tuple((float(x), float(y)) for x, y in corners)

    def printed_ends(self):
        """Centre, up, right and share seen of both ends."""
        up, right = self.axes()
        centre = np.array([self.x, self.y])
        for sign, seen in zip((1, -1), self.ends, strict=True):
            yield (
                centre + sign * up * self.length * (0.5 - END),
                sign * up * self.length * END,
                sign * right * self.width / 2,
                seen,
            )


def column(names, x, y, step=0.37 * LENGTH, **more):
    """Cards that cover the lower part of the one above; the last one shows both ends."""
    last = len(names) - 1
    return [
        Lying(name, x, y + place * step, ends=(1.0, 1.0 if place == last else 0.0), **more)
        for place, name in enumerate(names)
    ]


def row(names, x, y, step=1.15 * WIDTH, **more):
    """Cards side by side."""
    return [Lying(name, x + place * step, y, **more) for place, name in enumerate(names)]


def ends_map(cards, size, *, noise=0.0, seed=0, score=0.9):
    """What a perfect finder would say: float32[10, h / 4, w / 4] in pixels of its input.

    Args:
        cards: lying cards in pixels of the photo.
        size: width and height of the photo.
        noise: error of every vector, in widths of a card.
        seed: of the noise.
        score: probability of every end.
    """
    scale = LONG_SIDE / max(size)
    height, width = (-(-round(side * scale) // MULTIPLE) * MULTIPLE // STRIDE for side in size[::-1])
    result = np.zeros((10, height, width), np.float32)
    rng = np.random.default_rng(seed)
    ys, xs = np.mgrid[0:height, 0:width]
    for card in cards:
        for centre, up, right, seen in card.printed_ends():
            if seen < 0.2:
                continue
            x, y = centre * scale
            middle = np.array([card.x, card.y]) * scale
            bump = score * np.exp(-((xs + 0.5 - x / STRIDE) ** 2 + (ys + 0.5 - y / STRIDE) ** 2) / 0.9)
            mine = bump > np.maximum(result[0], 0.05)
            error = rng.normal(0, noise * card.width * scale, 8)
            values = np.concatenate([[0, 0], up * scale, right * scale, middle - (x, y)]) + error
            result[0][mine] = bump[mine]
            result[1:9, mine] = values[:, None]
            result[1][mine] += x - (xs[mine] + 0.5) * STRIDE
            result[2][mine] += y - (ys[mine] + 0.5) * STRIDE
            result[9][mine] = seen
    return result


@cache
def face(name, length=202, width=48):
    """uint8[length, width, 3], a whole card: print at both ends, ink by name, flowers as dots."""
    strip = np.full((length, width, 3), 240, np.uint8)
    character = name[-1]
    ink = (190, 20, 20) if character in "上大人可知禮三五七福佳爾" else (20, 20, 20)
    size = 34
    cv2.putText(strip, character, (6, 44), ink, cv2.FontFace("uni"), size)
    if name.startswith("花"):
        cv2.circle(strip, (40, 58), 7, (30, 160, 60), -1, cv2.LINE_AA)
        cv2.circle(strip, (10, 58), 5, (220, 60, 160), -1, cv2.LINE_AA)
    return np.minimum(strip, strip[::-1, ::-1])


def paint(cards, size=(960, 720), table=(70, 120, 90)):
    """uint8[h, w, 3], RGB: the cards on a plain table, in the order given."""
    photo = np.full((size[1], size[0], 3), table, np.uint8)
    for card in cards:
        strip = face(card.name)
        height, width = strip.shape[:2]
        corners = np.array(card.outline(), np.float32)
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, corners)
        warped = cv2.warpPerspective(strip, matrix, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size)
        photo[mask > 127] = warped[mask > 127]
    return photo


class MapFinder:
    """A finder that says what the labels say, whatever it is shown."""

    def __init__(self, *maps):
        self.maps = list(maps)
        self.runs = 0

    def run(self, feeds):
        found = self.maps[min(self.runs, len(self.maps) - 1)]
        self.runs += 1
        assert feeds["image"].dtype == np.float32
        assert feeds["image"].shape[2:] == (found.shape[1] * STRIDE, found.shape[2] * STRIDE)
        return [found[None]]


@cache
def _basis():
    rng = np.random.default_rng(5)
    return np.linalg.qr(rng.normal(size=(12 * 8 * 3, 128)))[0].astype(np.float32)


class PixelNamer:
    """A namer that compares blurred pixels: enough for pictures without any distortion."""

    sha256 = "0" * 64

    def __init__(self):
        self.basis = _basis()
        self.crops = 0

    def run(self, feeds):
        crops = feeds["crops"]
        self.crops += len(crops)
        small = 1 - crops.reshape(len(crops), 3, 12, 6, 8, 6).mean((3, 5)).reshape(len(crops), -1)
        small = small @ self.basis
        return [small / np.maximum(np.linalg.norm(small, axis=1, keepdims=True), 1e-6)]


def face_crop(name, shift=0.0):
    """uint8[72, 48, 3], the upright end of a face."""
    strip = face(name)
    length, width = strip.shape[:2]
    centre = np.array([[width / 2 + shift, length * END]], np.float32)
    up = np.array([[0, -length * END]], np.float32)
    right = np.array([[width / 2, 0]], np.float32)
    return cut(strip, centre, up, right)[0]


@cache
def made_up_deck(name="made-up", kind=110, labels=None):
    """A deck of these faces with the vectors of the pixel namer."""
    deck = Deck.of_faces(name, [(label, face_crop(label)) for label in labels or COPIES[kind]], kind=kind)
    namer = PixelNamer()
    return deck.with_vectors(namer.sha256, lambda crops: embed(crops, namer))
