"""Crops of printed ends as an imperfect finder would cut them from bad photos.

A view is made from the drawn face of a card: warped, partly covered by another card with its own
print, a finger or a thing, at the resolution of a card far away, then lit, worn, blurred, made noisy
and compressed. It has the size and form of ``vision.crops.cut``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import HEIGHT as CROP_HEIGHT
from vision.crops import WIDTH as CROP_WIDTH
from vision.training.art import WIDTH as CARD_WIDTH

END = 0.35
"""The printed end is this share of the card's length."""

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of one deck, ready to be warped.

    Attributes:
        labels: Their names.
        levels: For each of three halvings, uint8[count, length, width, 3].
    """

    labels: tuple[str, ...]
    levels: tuple[Image, ...]

    @classmethod
    def of(cls, strips: dict[str, Image]) -> Faces:
        """Halves the faces of a deck twice."""
        full = np.stack(list(strips.values()))
        levels = [full]
        for _ in range(2):
            below = levels[-1]
            height, width = below.shape[1] // 2, below.shape[2] // 2
            levels.append(
                np.stack(
                    [cv2.resize(strip, (width, height), interpolation=cv2.INTER_AREA) for strip in below]
                )
            )
        return cls(tuple(strips), tuple(levels))

    @property
    def length(self) -> int:
        """Length of a card where it is 96 wide."""
        return int(self.levels[0].shape[1])


@lru_cache(maxsize=1)
def _tables() -> Image:
    """What a card may lie on: uint8[96, 144, 144, 3]."""
    rng = np.random.default_rng(11)
    side = 144
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    made = []
    for i in range(96):
        base = rng.uniform(15, 235, 3)
        base = base.mean() + (base - base.mean()) * rng.uniform(0.1, 1.0)
        rough = rng.standard_normal((side, side)).astype(np.float32)
        way = i % 6
        if way == 0:
            pattern = cv2.GaussianBlur(rough, (0, 0), sigmaX=20, sigmaY=1.2)
            if rng.random() < 0.5:
                pattern = pattern.T
        elif way == 1:
            step = float(rng.uniform(10, 60))
            pattern = ((x // step + y // step) % 2) * 4 - 2 + 0 * rough
        elif way == 2:
            pattern = np.sin(x * float(rng.uniform(0.6, 2.5))) + np.sin(y * float(rng.uniform(0.6, 2.5)))
        elif way == 3:
            pattern = cv2.GaussianBlur(rough, (0, 0), float(rng.uniform(2, 12)))
        elif way == 4:
            pattern = rough * 0.3
        else:
            pattern = (
                (np.sin(y * float(rng.uniform(0.3, 0.9))) > 0.2)
                * (cv2.GaussianBlur(rough, (0, 0), 1) > 0)
                * -3
            )
        pattern = pattern / max(float(np.std(pattern)), 1e-3)
        colour = rng.uniform(-30, 30, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(4, 40))
        made.append(np.clip(base + pattern[..., None] * colour, 0, 255).astype(np.uint8))
    return np.stack(made)


@lru_cache(maxsize=1)
def _grains() -> NDArray[np.float32]:
    """Noise of unit variance, fine to coarse: float32[5, 512, 512]."""
    rng = np.random.default_rng(12)
    layers = []
    for sigma in (0.0, 0.6, 1.2, 4.0, 10.0):
        layer = rng.standard_normal((512, 512)).astype(np.float32)
        if sigma:
            layer = cv2.GaussianBlur(layer, (0, 0), sigma)
        layers.append(layer / layer.std())
    return np.stack(layers)


def _grain(rng: np.random.Generator, layer: NDArray[np.int64] | int, count: int) -> NDArray[np.float32]:
    bank = _grains()
    made = np.empty((count, CROP_HEIGHT, CROP_WIDTH), np.float32)
    layers = np.broadcast_to(np.asarray(layer), (count,))
    for i in range(count):
        y, x = rng.integers(512 - CROP_HEIGHT), rng.integers(512 - CROP_WIDTH)
        made[i] = bank[layers[i], y : y + CROP_HEIGHT, x : x + CROP_WIDTH]
    return made


def _rigid(x: float, y: float, angle: float, scale: float = 1.0) -> NDArray[np.float64]:
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    return np.array([[c, -s, x], [s, c, y], [0, 0, 1]])


def _corners(matrix: NDArray[np.float64], width: float, height: float) -> NDArray[np.float32]:
    box = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64) @ matrix.T
    return (box[:, :2] / box[:, 2:]).astype(np.float32)


def _covering(rng: np.random.Generator, end: float, length: float) -> NDArray[np.float64]:
    """Where a card that covers part of the end lies: from its own to the covered card's coordinates."""
    width = float(CARD_WIDTH)
    way = rng.random()
    if way < 0.5:
        share = float(rng.uniform(0.0, 0.46))
        angle = float(rng.normal(0, 0.06))
        return _rigid(width * float(rng.normal(0, 0.09)), end * (1 - share), angle)
    if way < 0.85:
        share = float(rng.uniform(0.0, 0.42))
        angle = float(rng.normal(0, 0.22))
        slide = float(rng.uniform(-0.35, 0.35)) * length
        if rng.random() < 0.5:
            return _rigid(width * (1 - share), slide, angle)
        return _rigid(width * share - width, slide, angle)
    angle = float(rng.uniform(0, 2 * np.pi))
    far = float(rng.uniform(0.5, 1.2)) * width
    around = float(rng.uniform(0, 2 * np.pi))
    move = _rigid(width / 2 + np.cos(around) * far, end / 2 + np.sin(around) * far * 1.5, angle)
    return move @ _rigid(-width / 2, -length * float(rng.choice((0.0, 1.0))), 0)


def _warp(
    patch: Image, faces: Faces, index: int, matrix: NDArray[np.float64], level: int, *, clear: bool = True
) -> None:
    """Draws a face over a patch; the matrix goes from the face's coordinates at 96 wide to the patch."""
    scale = 2.0**level
    shift = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1]])
    centre = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    back = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    cv2.warpPerspective(
        faces.levels[level][index],
        back @ matrix @ shift @ centre,
        (patch.shape[1], patch.shape[0]),
        dst=patch,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT if clear else cv2.BORDER_REPLICATE,
    )


def _thing(rng: np.random.Generator, patch: Image) -> None:
    """A finger or another thing over a part of the patch."""
    height, width = patch.shape[:2]
    skin = rng.random() < 0.6
    colour = (
        (float(rng.uniform(120, 230)), float(rng.uniform(80, 170)), float(rng.uniform(60, 140)))
        if skin
        else tuple(float(c) for c in rng.uniform(10, 245, 3))
    )
    side = int(rng.integers(4))
    share = float(rng.uniform(0.05, 0.38))
    cx = (
        share * width * 0.5,
        width * (1 - share * 0.5),
        width * rng.uniform(0.2, 0.8),
        width * rng.uniform(0.2, 0.8),
    )
    cy = (
        height * rng.uniform(0.2, 1),
        height * rng.uniform(0.2, 1),
        share * height * 0.4,
        height * (1 - share * 0.4),
    )
    angle = float(rng.uniform(-30, 30)) + (0 if side < 2 else 90)
    axes = (max(1, round(width * share * 0.5)), max(1, round(height * float(rng.uniform(0.3, 0.9)))))
    if side >= 2:
        axes = (max(1, round(height * share * 0.45)), max(1, round(width * float(rng.uniform(0.3, 0.9)))))
    cv2.ellipse(
        patch, (round(float(cx[side])), round(float(cy[side]))), axes, angle, 0, 360, colour, -1, cv2.LINE_AA
    )


def _place(
    rng: np.random.Generator, length: float, width_px: int, height_px: int, loose: float
) -> NDArray[np.float64]:
    """The warp from the card's coordinates to the patch, as an imperfect finder gives it.

    Of ends that were found (photos of the set ``calibrate``) two thirds are off by less than 0.022 of a
    card's width to the side, 0.028 along it, 0.7 degrees, 2.3 % of the width and 1.3 % of the height, and
    one in twenty by more than 0.08, 0.11, 2.7 degrees, 10 % and 7 %.
    """
    width, end = float(CARD_WIDTH), END * length
    cx = width / 2 + width * float(np.clip(rng.normal(0, 0.03), -0.1, 0.1)) * loose
    cy = end / 2 + width * float(np.clip(rng.normal(0, 0.045), -0.18, 0.18)) * loose
    angle = np.deg2rad(float(np.clip(rng.normal(0, 1.8), -9, 9))) * loose
    half_x = width / 2 * float(1 + np.clip(rng.normal(-0.01, 0.04), -0.17, 0.14) * loose)
    half_y = end / 2 * float(1 + np.clip(rng.normal(0, 0.045), -0.17, 0.3) * loose)
    lean = float(rng.normal(0, 0.02)) * loose
    c, s = np.cos(angle), np.sin(angle)
    right = np.array([c, s]) * half_x
    down = np.array([-s - lean, c]) * half_y
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    quad = (cx, cy) + corners[:, :1] * right + corners[:, 1:] * down
    quad += rng.normal(0, 0.012 * loose, (4, 2)) * (width, end)
    target = np.array([(0, 0), (width_px, 0), (width_px, height_px), (0, height_px)], np.float32)
    return cv2.getPerspectiveTransform(quad.astype(np.float32), target)


def _patch(rng: np.random.Generator, faces: Faces, index: int, *, mild: bool) -> Image:
    """One view before it is lit: uint8[72, 48, 3]."""
    length = float(faces.length)
    if mild:
        wide = float(np.exp(rng.uniform(np.log(30), np.log(110))))
    else:
        wide = float(np.exp(rng.uniform(np.log(20), np.log(100))))
    flat = float(rng.uniform(0.55, 1.0))
    width_px = int(min(CROP_WIDTH * 1.3, max(18, round(wide))))
    height_px = int(max(20, min(CROP_HEIGHT * 1.3, round(wide * 1.5 * flat))))
    loose = float(rng.choice((0.3, 0.8) if mild else (0.4, 0.8, 1.2)))
    matrix = _place(rng, length, width_px, height_px, loose)
    level = 1 if width_px > 34 else 2
    if wide > 80 and rng.random() < 0.5:
        level = 0
    count = len(faces.labels)
    tables = _tables()
    table = tables[rng.integers(len(tables))]
    y, x = rng.integers(144 - height_px), rng.integers(144 - width_px)
    patch = np.ascontiguousarray(table[y : y + height_px, x : x + width_px])
    if rng.random() < (0.15 if mild else 0.5):
        below = _rigid(float(rng.normal(0, 0.5)) * CARD_WIDTH, float(rng.uniform(-0.7, 0.2)) * length,
                       float(rng.normal(0, 0.15)))  # fmt: skip
        _warp(patch, faces, int(rng.integers(count)), matrix @ below, level)
        if rng.random() < 0.5:
            patch = cv2.convertScaleAbs(patch, alpha=float(rng.uniform(0.7, 1.0)))
    if rng.random() < 0.4:
        _shade_outside(rng, patch, matrix, length)
    _warp(patch, faces, index, matrix, level)
    if rng.random() < 0.06:
        _crease(rng, patch)
    if rng.random() < (0.08 if mild else 0.6):
        _cover(rng, patch, faces, matrix, level)
    if rng.random() < (0.0 if mild else 0.06):
        _thing(rng, patch)
    blur = float(rng.choice((0.0, rng.uniform(0.3, 1.1)), p=(0.5, 0.5)))
    if blur:
        patch = cv2.GaussianBlur(patch, (0, 0), blur)
    if rng.random() < 0.1:
        long = int(rng.integers(2, 5))
        kernel = np.zeros((5, 5), np.float32)
        angle = float(rng.uniform(0, np.pi))
        for step in np.linspace(-long / 2, long / 2, 9):
            kernel[round(2 + np.sin(angle) * step * 0.9), round(2 + np.cos(angle) * step * 0.9)] += 1
        patch = cv2.filter2D(patch, -1, kernel / kernel.sum())
    way = cv2.INTER_AREA if width_px > CROP_WIDTH * 1.15 else cv2.INTER_LINEAR
    return cv2.resize(patch, (CROP_WIDTH, CROP_HEIGHT), interpolation=way)


def _shade_outside(
    rng: np.random.Generator, patch: Image, matrix: NDArray[np.float64], length: float
) -> None:
    """The card's own shadow on what lies below it."""
    mask = np.zeros(patch.shape[:2], np.uint8)
    corners = _corners(matrix @ _rigid(*(float(v) for v in rng.normal(0, 3, 2)), 0.0), CARD_WIDTH, length)
    cv2.fillConvexPoly(mask, np.round(np.clip(corners, -900, 900) * 16).astype(np.int32), 255, shift=4)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 3)))
    patch -= (patch * (mask.astype(np.float32) * (float(rng.uniform(0.2, 0.7)) / 255))[..., None]).astype(
        np.uint8
    )


def _crease(rng: np.random.Generator, patch: Image) -> None:
    height, width = patch.shape[:2]
    ends = [(int(rng.integers(-4, width + 4)), int(rng.integers(-4, height + 4))) for _ in range(2)]
    layer = patch.copy()
    cv2.line(
        layer, ends[0], ends[1], (255, 255, 250) if rng.random() < 0.5 else (110, 105, 100), 1, cv2.LINE_AA
    )
    cv2.addWeighted(layer, 0.5, patch, 0.5, 0, dst=patch)


def _cover(
    rng: np.random.Generator, patch: Image, faces: Faces, matrix: NDArray[np.float64], level: int
) -> None:
    """A neighbour over a part of the end, with its edge and its shadow."""
    length = float(faces.length)
    end = END * length
    own = np.array([(0, 0), (CARD_WIDTH, 0), (CARD_WIDTH, end), (0, end)], np.float32)
    for _ in range(4):
        lies = _covering(rng, end, length)
        hidden, _shape = cv2.intersectConvexConvex(own, _corners(lies, CARD_WIDTH, length))
        if hidden <= 0.45 * CARD_WIDTH * end:
            break
    else:
        return
    to_patch = matrix @ lies
    corners = _corners(to_patch, CARD_WIDTH, length)
    spots = np.round(np.clip(corners, -900, 900) * 16).astype(np.int32)
    if rng.random() < 0.7:
        mask = np.zeros(patch.shape[:2], np.uint8)
        shift = np.round(rng.normal(0, 1.5, 2) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, spots + shift, 255, shift=4)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.8, 3.5)))
        dark = (mask.astype(np.float32) * (float(rng.uniform(0.15, 0.6)) / 255))[..., None]
        patch -= (patch * dark).astype(np.uint8)
    _warp(patch, faces, int(rng.integers(len(faces.labels))), to_patch, level)
    if rng.random() < 0.5:
        grey = int(rng.integers(90, 215))
        cv2.polylines(patch, [spots], True, (grey, grey, grey), 1, cv2.LINE_AA, 4)


def make_views(
    rng: np.random.Generator, faces: Faces, indices: Sequence[int] | NDArray[np.int64], *, mild: bool = False
) -> Image:
    """Makes views of faces.

    Args:
        rng: Where chance comes from.
        faces: The faces of a deck.
        indices: Which face each view shows.
        mild: Whether the photo was taken to learn from: little is covered, the resolution is better.

    Returns:
        uint8[n, 72, 48, 3], RGB.
    """
    count = len(indices)
    patches = np.stack([_patch(rng, faces, int(i), mild=mild) for i in indices])
    return _photograph(rng, patches, mild=mild) if count else patches


def _photograph(rng: np.random.Generator, patches: Image, *, mild: bool) -> Image:
    """Wears, lights, exposes and compresses views."""
    count = len(patches)

    def each(low: float, high: float, share: float = 1.0) -> NDArray[np.float32]:
        chosen = rng.random(count) < share
        return (rng.uniform(low, high, count) * chosen).astype(np.float32)[:, None, None, None]

    light = patches.astype(np.float32)
    fade = 1 - (each(0.0, 0.2, 0.2) if mild else each(0.0, 0.38, 0.35))
    light -= 255
    light *= fade
    light += 255
    worn = each(0.02, 0.1, 0.2) if mild else each(0.02, 0.16, 0.35)
    if worn.any():
        stain = _grain(rng, rng.integers(3, 5, count), count)[..., None]
        tone = rng.uniform(0.3, 1.0, (count, 1, 1, 3)).astype(np.float32)
        light *= 1 - worn * np.maximum(stain, -0.5) * tone
    y = np.linspace(-1, 1, CROP_HEIGHT, dtype=np.float32)[None, :, None, None]
    x = np.linspace(-1, 1, CROP_WIDTH, dtype=np.float32)[None, None, :, None]
    gain = 1 + each(-0.22, 0.22, 0.7) * x + each(-0.22, 0.22, 0.7) * y
    depth = each(0.15, 0.5 if mild else 0.6, 0.08 if mild else 0.18)
    if depth.any():
        angle = rng.uniform(0, 2 * np.pi, count).astype(np.float32)[:, None, None, None]
        edge = np.cos(angle) * x + np.sin(angle) * y - each(-0.7, 0.7)
        gain *= 1 - depth / (1 + np.exp(np.clip(-edge * each(3, 25), -30, 30)))
    exposure = np.exp(rng.uniform(np.log(0.4 if mild else 0.28), np.log(1.08), count)).astype(np.float32)[
        :, None, None, None
    ]
    tint = np.exp(rng.normal(0, 0.09, (count, 1, 1, 3))).astype(np.float32)
    warm = each(-0.15, 0.35, 0.5)
    tint *= 1 + warm * np.array([0.5, 0.0, -0.9], np.float32)
    light *= gain * (exposure * tint)
    glare = each(40, 160 if mild else 200, 0.03 if mild else 0.1)
    if glare.any():
        away = (x - each(-0.9, 0.9)) ** 2 + (y - each(-0.9, 0.9)) ** 2
        light += glare * np.exp(-away / each(0.03, 0.35))
    haze = each(0, 12 if mild else 22, 0.3)
    light += haze
    curve = np.exp(rng.normal(0, 0.12, count)).astype(np.float32)
    bent = np.flatnonzero(rng.random(count) < 0.3)
    for i in bent:
        light[i] = 255 * np.clip(light[i] / 255, 0, 2) ** curve[i]
    loud = each(0.5, 7.0 if mild else 16.0, 0.8) * np.sqrt(exposure)
    speckle = _grain(rng, rng.choice(3, count, p=(0.45, 0.3, 0.25)), count)[..., None]
    colourful = np.stack([_grain(rng, 2, count) for _ in range(3)], axis=-1) if rng.random() < 0.35 else 0.0
    light += loud * (0.85 * speckle + 0.6 * colourful)
    image = np.clip(light + np.float32(0.5), 0, 255).astype(np.uint8)
    groups = rng.permutation(count)
    for part in np.array_split(groups, 3):
        if len(part) and rng.random() < 0.8:
            image[part] = _compress(image[part], int(rng.integers(30, 96)))
    return image


def _compress(image: Image, quality: int) -> Image:
    """Compresses all views as one JPEG, one below the other."""
    tall = image.reshape(-1, CROP_WIDTH, 3)
    tall = np.ascontiguousarray(tall)
    good, data = cv2.imencode(".jpg", tall, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        return image
    return cv2.imdecode(data, cv2.IMREAD_COLOR).reshape(image.shape)
