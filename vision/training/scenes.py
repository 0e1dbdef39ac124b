"""Scenes: cards of a made-up deck on a table, photographed, with exact labels.

The finder is trained on these pictures and ``make eval-set`` writes photos of them. A scene is laid out on
the plane of the table in units of one card's width, seen by a pinhole camera, painted card by card, lit and
spoilt the way phones spoil pictures. Nothing here reads a photo that somebody took.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.faces import COPIES
from vision.find import MULTIPLE, PADDING
from vision.plane import END_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.training.fonts import Split

    Image = NDArray[np.uint8]
    Floats = NDArray[np.float64]

LEAST_WIDTH = 0.022
"""Narrowest card in a picture, as a share of the picture's long side (14 pixels where the finder looks)."""

CHARACTERS = "".join(dict.fromkeys("".join(COPIES[110]) + "".join(COPIES[96]))).replace("花", "") + "一百丘士"
"""What is printed on cards: pages print it, too."""

CUT = 0.3
"""So many of the training pictures may show a part of the cards alone, cut by the border."""

PAGE = 0.5
"""So many of the pictures without cards show a printed page."""

ON_A_PAGE = 0.04
"""So many of the others show cards that lie on one."""

LAYOUTS = ("columns", "rows", "fan", "loose", "hand", "enrol", "stack", "mixed")


@dataclass(slots=True)
class PlacedCard:
    """One card as it lies on the table.

    Attributes:
        label: name of the card.
        strip: uint8[L, 96, 3] RGB, the whole face, or a back.
        x: centre, in card widths.
        y: centre, in card widths, growing towards the bottom of the layout.
        angle: turn in radians; 0 has the upper end up, positive is clockwise.
        lift: height of the middle over the ends in card widths (a bent card).
        group: number of the group that it belongs to.
        laid: whether its group lay on the table before.
        face_up: False for a card that shows its back.
    """

    label: str
    strip: Image
    x: float
    y: float
    angle: float
    lift: float = 0.0
    group: int = 0
    laid: bool = False
    face_up: bool = True

    @property
    def length(self) -> float:
        """Length of the card in card widths."""
        return self.strip.shape[0] / self.strip.shape[1]


@dataclass(slots=True)
class EndLabel:
    """One printed end in the finished picture, in its pixels."""

    centre: Floats
    up: Floats
    right: Floats
    seen: float


@dataclass(slots=True)
class CardLabel:
    """One card in the finished picture: name, outline, the middle and both ends."""

    label: str
    outline: Floats
    centre: Floats
    ends: tuple[EndLabel, EndLabel]
    group: int
    laid: bool

    @property
    def best(self) -> int:
        """Index of the end that is seen best."""
        return 0 if self.ends[0].seen >= self.ends[1].seen else 1

    def changed(self, end: Callable[[EndLabel], EndLabel], **more: Floats) -> CardLabel:
        """Give the card with both its ends changed, and perhaps more of it."""
        return replace(self, ends=(end(self.ends[0]), end(self.ends[1])), **more)


@dataclass(slots=True)
class Scene:
    """A finished picture with its labels."""

    image: Image
    cards: list[CardLabel]
    info: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Labels in the form of the development photos.

        Returns:
            A dictionary with ``size``, ``cards`` and whatever ``info`` holds.
        """
        cards = []
        for card in self.cards:
            best = card.best
            end, other = card.ends[best], card.ends[1 - best]
            outline = card.outline if best == 0 else np.roll(card.outline, 2, axis=0)
            cards.append(
                {
                    "label": card.label,
                    "seen": round(end.seen, 2),
                    "seen_other_end": round(other.seen, 2),
                    "end": [round(float(v), 1) for v in end.centre],
                    "outline": [[round(float(v), 1) for v in corner] for corner in outline],
                    "group": card.group,
                    "laid": card.laid,
                }
            )
        height, width = self.image.shape[:2]
        return {**self.info, "size": [width, height], "cards": cards}


class Camera:
    """A pinhole camera over the table.

    Args:
        rng: source of chance.
        points: float[n, 2] what has to be in the picture, in card widths.
        size: (width, height) of the picture.
        tilt: angle between the line of sight and the plumb line, radians.
        turn: azimuth of the tilt, radians.
        roll: turn of the picture, radians.
        fill: how much of the picture the points take.
        frame: how far they may lie out of its middle: at 1 they lie within it where they fit into it, at more
            they may be cut by its border.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        points: Floats,
        size: tuple[int, int],
        *,
        tilt: float,
        turn: float,
        roll: float,
        fill: float,
        frame: float = 1.0,
    ) -> None:
        width, height = size
        self.target = np.array([*(points.min(0) + points.max(0)) / 2, 0.0])
        self.focal = width * rng.uniform(0.75, 1.4)
        self.middle = np.array([width / 2, height / 2])
        self.rotation = _rotation_z(roll) @ _rotation_x(tilt) @ _rotation_z(turn)
        radius = float(np.abs(points - self.target[:2]).max()) + 1.0
        near, far = radius * 0.9, radius * 40
        flat = np.concatenate([points, np.zeros((len(points), 1))], axis=1)
        for _ in range(40):
            self.distance = math.sqrt(near * far)
            pixels, depth = self._project(flat)
            spread = np.abs(pixels - self.middle).max(0) / self.middle
            if depth.min() < radius * 0.2 or float(spread.max()) > fill:
                near = self.distance
            else:
                far = self.distance
        pixels, _ = self._project(flat)
        low, high = pixels.min(0), pixels.max(0)
        slack = np.maximum(0, np.array([width, height]) * max(fill, frame) - (high - low))
        self.shift = self.middle - (low + high) / 2 + slack * rng.uniform(-0.5, 0.5, 2)

    def _project(self, points: Floats) -> tuple[Floats, Floats]:
        seen = (points - self.target) @ self.rotation.T
        depth = seen[:, 2] + self.distance
        return seen[:, :2] * (self.focal / depth)[:, None] + self.middle, depth

    def unit(self) -> float:
        """Pixels of one card's width in the middle of the layout."""
        pair = self.project(np.array([[*self.target[:2], 0.0], [self.target[0] + 1, self.target[1], 0.0]]))
        return float(np.linalg.norm(pair[0] - pair[1]))

    def project(self, points: Floats) -> Floats:
        """Take points of the table, float[n, 3] in card widths, to pixels float[n, 2]."""
        return self._project(points)[0] + self.shift


def _rotation_z(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _rotation_x(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


# --- layouts ---------------------------------------------------------------------------------------------


def _card(label: str, strips: dict[str, Image], x: float, y: float, angle: float, **extra: Any) -> PlacedCard:
    return PlacedCard(label, strips[label], x, y, angle, **extra)


def _jitter(rng: np.random.Generator, amount: float) -> float:
    return float(rng.normal(0, amount))


def lay_columns(
    rng: np.random.Generator,
    labels: Sequence[Sequence[str]],
    strips: dict[str, Image],
    *,
    x: float = 0.0,
    y: float = 0.0,
    first_group: int = 0,
    laid: bool = False,
) -> list[PlacedCard]:
    """Lay groups as columns side by side, each card covering the lower part of the one above.

    Args:
        rng: source of chance.
        labels: the groups, each from the top down.
        strips: faces by label.
        x: left edge.
        y: upper edge.
        first_group: number of the first group.
        laid: whether these lay on the table before.

    Returns:
        The cards in the order in which they were put down.
    """
    length = next(iter(strips.values())).shape[0] / 96
    step = length * rng.uniform(0.12, 0.4)
    gap = rng.uniform(1.02, 1.7)
    slant = _jitter(rng, 0.05)
    mess = rng.choice([0.01, 0.03, 0.08])
    upwards = rng.random() < 0.15
    placed = []
    for column, group in enumerate(labels):
        angle = slant + _jitter(rng, mess)
        left = x + column * gap + _jitter(rng, mess)
        top = y + _jitter(rng, 0.2)
        cards = [
            _card(
                label,
                strips,
                left + _jitter(rng, mess) - row * step * math.sin(angle),
                top + row * step * math.cos(angle) + length / 2 + _jitter(rng, mess),
                angle + _jitter(rng, mess / 2),
                group=first_group + column,
                laid=laid,
            )
            for row, label in enumerate(group)
        ]
        placed += cards[::-1] if upwards else cards
    return placed


def lay_rows(
    rng: np.random.Generator, labels: Sequence[Sequence[str]], strips: dict[str, Image]
) -> list[PlacedCard]:
    """Lay rows of upright cards, neighbours touching or overlapping; each row is a group."""
    length = next(iter(strips.values())).shape[0] / 96
    step = rng.choice([rng.uniform(0.55, 0.95), rng.uniform(0.95, 1.35)])
    gap = length * rng.uniform(1.03, 1.25)
    mess = rng.choice([0.01, 0.04, 0.1])
    placed = []
    for row, group in enumerate(labels):
        offset = _jitter(rng, 0.4)
        cards = [
            _card(
                label,
                strips,
                column * step + offset + _jitter(rng, mess),
                row * gap + _jitter(rng, mess * 1.5),
                _jitter(rng, mess),
                group=row,
            )
            for column, label in enumerate(group)
        ]
        placed += cards if rng.random() < 0.7 else cards[::-1]
    return placed


def lay_fan(
    rng: np.random.Generator, labels: Sequence[str], strips: dict[str, Image], *, group: int = 0
) -> list[PlacedCard]:
    """Lay one fan, as a hand is held, opened on the table."""
    length = next(iter(strips.values())).shape[0] / 96
    radius = length * rng.uniform(0.9, 2.4)
    step = rng.uniform(0.35, 1.05) / (radius + length / 2)
    count = len(labels)
    placed = []
    for index, label in enumerate(labels):
        angle = (index - (count - 1) / 2) * step + _jitter(rng, 0.015)
        reach = radius + _jitter(rng, 0.06)
        placed.append(
            _card(label, strips, reach * math.sin(angle), -reach * math.cos(angle), angle, group=group)
        )
    return placed if rng.random() < 0.6 else placed[::-1]


def lay_loose(rng: np.random.Generator, labels: Sequence[str], strips: dict[str, Image]) -> list[PlacedCard]:
    """Strew cards about, some over others, at any angle or nearly parallel."""
    length = next(iter(strips.values())).shape[0] / 96
    wild = rng.random() < 0.5
    columns = max(1, round(math.sqrt(len(labels) * length / 1.6)))
    spread_x, spread_y = (rng.uniform(1.3, 2.6), length * rng.uniform(0.7, 1.15))
    placed = []
    for index, label in enumerate(labels):
        row, column = divmod(index, columns)
        angle = rng.uniform(-math.pi, math.pi) if wild else _jitter(rng, 0.3)
        placed.append(
            _card(
                label,
                strips,
                column * spread_x + _jitter(rng, 0.35),
                row * spread_y + _jitter(rng, 0.35),
                angle,
                group=index,
            )
        )
    rng.shuffle(placed)  # type: ignore[arg-type]
    return placed


def lay_enrol(rng: np.random.Generator, labels: Sequence[str], strips: dict[str, Image]) -> list[PlacedCard]:
    """Lay every face once in two rows without overlap, as a deck is learned."""
    length = next(iter(strips.values())).shape[0] / 96
    half = (len(labels) + 1) // 2
    step, gap = rng.uniform(1.15, 1.5), length * rng.uniform(1.06, 1.25)
    return [
        _card(
            label,
            strips,
            (index % half) * step + _jitter(rng, 0.05),
            (index // half) * gap + _jitter(rng, 0.08),
            _jitter(rng, 0.02),
            group=index // half,
        )
        for index, label in enumerate(labels)
    ]


def lay_stack(rng: np.random.Generator, labels: Sequence[str], strips: dict[str, Image]) -> list[PlacedCard]:
    """Lay cards as a squeezed pack of which a few millimetres of each show."""
    sideways = rng.random() < 0.5
    step = rng.uniform(0.15, 0.45)
    angle = _jitter(rng, 0.1)
    return [
        _card(
            label,
            strips,
            index * step * (1 if sideways else 0.05) + _jitter(rng, 0.03),
            index * step * (0.05 if sideways else 1) + _jitter(rng, 0.03),
            angle + _jitter(rng, 0.02),
        )
        for index, label in enumerate(labels)
    ]


def lay_hand(
    rng: np.random.Generator,
    laid: Sequence[Sequence[str]],
    free: Sequence[Sequence[str]],
    winning: str | None,
    strips: dict[str, Image],
) -> list[PlacedCard]:
    """Lay a finished hand: groups that lay on the table apart, the others as columns, the winning card alone.

    Args:
        rng: source of chance.
        laid: groups that were on the table before.
        free: groups of the hand, the winning card left out.
        winning: the winning card, or None.
        strips: faces by label.

    Returns:
        The cards in the order in which they were put down; ``group`` numbers laid groups first.
    """
    length = next(iter(strips.values())).shape[0] / 96
    placed = lay_columns(rng, free, strips, first_group=len(laid))
    bottom = max(card.y for card in placed) + length / 2
    right = max(card.x for card in placed)
    if laid:
        upper = lay_columns(rng, laid, strips, laid=True)
        shift = (
            min(card.y for card in placed) - max(card.y for card in upper) - length * rng.uniform(1.12, 1.5)
        )
        aside = rng.uniform(0, max(0.1, right - max(card.x for card in upper)))
        for card in upper:
            card.x += aside
            card.y += shift
        placed = upper + placed
    if winning is not None:
        placed.append(
            _card(
                winning,
                strips,
                right + rng.uniform(2.2, 4),
                bottom - length * rng.uniform(0.5, 1.2),
                _jitter(rng, 0.15),
                group=len(laid) + len(free),
            )
        )
    return placed


def _random_groups(rng: np.random.Generator, labels: Sequence[str], count: int) -> list[list[str]]:
    groups = []
    for _ in range(count):
        if rng.random() < 0.35:
            groups.append([str(rng.choice(labels))] * int(rng.integers(2, 6)))
        else:
            groups.append([str(v) for v in rng.choice(labels, int(rng.integers(2, 5)))])
    return groups


def random_layout(rng: np.random.Generator, strips: dict[str, Image], layout: str) -> list[PlacedCard]:
    """Lay random cards of a deck in one of ``LAYOUTS``.

    Args:
        rng: source of chance.
        strips: faces by label.
        layout: one of ``LAYOUTS``.

    Returns:
        The cards in the order in which they were put down.

    Raises:
        ValueError: the layout is not known.
    """
    labels = list(strips)

    def some(low: int, high: int) -> list[str]:
        return [str(v) for v in rng.choice(labels, int(rng.integers(low, high)))]

    makers: dict[str, Callable[[], list[PlacedCard]]] = {
        "columns": lambda: lay_columns(rng, _random_groups(rng, labels, int(rng.integers(2, 9))), strips),
        "rows": lambda: lay_rows(rng, [some(4, 11) for _ in range(int(rng.integers(1, 4)))], strips),
        "fan": lambda: lay_fan(rng, some(5, 20), strips),
        "loose": lambda: lay_loose(rng, some(1, 20), strips),
        "enrol": lambda: lay_enrol(rng, labels, strips),
        "stack": lambda: lay_stack(rng, some(3, 12), strips),
        "hand": lambda: lay_hand(
            rng,
            _random_groups(rng, labels, int(rng.integers(0, 5))),
            _random_groups(rng, labels, int(rng.integers(3, 10))),
            some(1, 2)[0],
            strips,
        ),
        "mixed": lambda: _lay_mixed(rng, strips),
    }
    if layout not in makers:
        message = f"unknown layout {layout!r}, known are {', '.join(LAYOUTS)}"
        raise ValueError(message)
    return makers[layout]()


def _lay_mixed(rng: np.random.Generator, strips: dict[str, Image]) -> list[PlacedCard]:
    placed: list[PlacedCard] = []
    for _ in range(int(rng.integers(2, 4))):
        part = random_layout(rng, strips, str(rng.choice(["columns", "fan", "rows", "loose", "stack"])))
        angle, reach = rng.uniform(-math.pi, math.pi), rng.uniform(4, 9)
        dx, dy = reach * math.cos(angle), reach * math.sin(angle)
        turn = rng.uniform(-math.pi, math.pi)
        c, s = math.cos(turn), math.sin(turn)
        for card in part:
            card.x, card.y = c * card.x - s * card.y + dx, s * card.x + c * card.y + dy
            card.angle += turn
        placed += part
    return placed


# --- tables, clutter -------------------------------------------------------------------------------------


def _smooth_noise(
    rng: np.random.Generator, shape: tuple[int, int], cells: tuple[int, int]
) -> NDArray[np.float32]:
    small = rng.random((max(2, cells[0]), max(2, cells[1]))).astype(np.float32)
    return cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def _colour(rng: np.random.Generator, *, light: float | None = None, strong: float = 0.35) -> Floats:
    base = rng.uniform(0.08, 0.9) if light is None else light
    return np.clip(base * (1 + rng.uniform(-strong, strong, 3)), 0.02, 1.0)


def table_texture(rng: np.random.Generator, size: int, letters: Sequence[Image] = ()) -> Image:
    """Paint a table: wood, cloth, felt, marble, tiles, newspaper, printed oilcloth or a plain top.

    Args:
        rng: source of chance.
        size: side of the square, pixels.
        letters: grey masks of characters, for newspapers and printed cloth.

    Returns:
        uint8[size, size, 3] RGB.
    """
    kind = rng.choice(
        ["wood", "check", "felt", "marble", "plain", "tiles", "paper", "printed", "stripes", "weave"]
    )
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32) / size
    first, second = _colour(rng), _colour(rng)
    if kind == "wood":
        first = np.array([0.5, 0.33, 0.18]) * rng.uniform(0.4, 1.7)
        second = first * rng.uniform(0.45, 0.9)
        wave = xx * rng.uniform(10, 70) + 3 * _smooth_noise(
            rng, (size, size), (int(rng.integers(3, 14)), int(rng.integers(3, 9)))
        )
        mix = 0.5 + 0.5 * np.sin(wave * 2 * math.pi / rng.uniform(1, 3))
    elif kind in {"check", "stripes"}:
        count = rng.uniform(6, 60)
        mix = (np.floor(xx * count) % 2).astype(np.float32)
        if kind == "check":
            other = (np.floor(yy * count) % 2).astype(np.float32)
            mix = np.abs(mix - other) if rng.random() < 0.5 else (mix + other) / 2
        if rng.random() < 0.5:
            second = _colour(rng, light=rng.uniform(0.75, 0.95), strong=0.06)
    elif kind == "marble":
        first, second = (
            _colour(rng, light=rng.uniform(0.6, 0.95), strong=0.08),
            _colour(rng, light=rng.uniform(0.2, 0.6), strong=0.1),
        )
        turbulence = sum(
            _smooth_noise(rng, (size, size), (n, n)) / (i + 1) for i, n in enumerate((4, 9, 21, 45))
        )
        mix = np.abs(np.sin((xx * rng.uniform(1, 5) + turbulence * 2) * math.pi)) ** rng.uniform(0.3, 3)
    elif kind == "tiles":
        count = rng.uniform(3, 16)
        line = rng.uniform(0.02, 0.08)
        mix = ((xx * count % 1 < line) | (yy * count % 1 < line)).astype(np.float32)
    elif kind == "weave":
        count = rng.uniform(60, 200)
        mix = 0.5 + 0.25 * np.sin(xx * count * 2 * math.pi) + 0.25 * np.sin(yy * count * 2 * math.pi)
    else:
        mix = _smooth_noise(rng, (size, size), (int(rng.integers(2, 60)),) * 2)
        if kind in {"plain", "felt"}:
            second = first * rng.uniform(0.85, 1.1)
        if kind == "paper":
            first = _colour(rng, light=rng.uniform(0.6, 0.92), strong=0.08)
            second = first * 0.93
    mix = mix[..., None]
    texture = first * (1 - mix) + second * mix
    grain = rng.normal(0, rng.uniform(0.0, 0.06), (size, size, 1)).astype(np.float32)
    texture = np.clip(texture * (1 + grain), 0, 1)
    image = (texture * 255).astype(np.uint8)
    if kind in {"paper", "printed"}:
        _print_on(rng, image, letters, newspaper=kind == "paper")
    return image


def _print_on(rng: np.random.Generator, image: Image, letters: Sequence[Image], *, newspaper: bool) -> None:
    size = image.shape[0]
    if not letters or (not newspaper and rng.random() < 0.5):
        for _ in range(int(rng.integers(20, 160))):
            centre = tuple(int(v) for v in rng.integers(0, size, 2))
            colour = tuple(int(v) for v in rng.integers(0, 255, 3))
            petals, reach = int(rng.integers(3, 8)), int(rng.integers(4, max(5, size // 40)))
            for petal in range(petals):
                angle = 2 * math.pi * petal / petals
                point = (int(centre[0] + reach * math.cos(angle)), int(centre[1] + reach * math.sin(angle)))
                cv2.circle(image, point, max(1, reach // 2), colour, -1, cv2.LINE_AA)
        return
    y = int(rng.integers(0, 20))
    while y < size - 60:
        height = int(rng.choice([9, 12, 14, 18, 26, 40]))
        ink = np.array(_colour(rng, light=rng.uniform(0.05, 0.3)) * 255)
        if rng.random() < 0.12:
            ink = np.array([rng.uniform(150, 220), 30, 30])
        for _ in range(int(rng.integers(1, 9))):
            x = int(rng.integers(0, 12))
            while x < size - height:
                mask = cv2.resize(
                    letters[int(rng.integers(len(letters)))], (height, height), interpolation=cv2.INTER_AREA
                )
                spot = image[y : y + height, x : x + height]
                if spot.shape[:2] != mask.shape[:2]:
                    break
                alpha = mask[..., None].astype(np.float32) / 255
                spot[:] = (spot * (1 - alpha) + ink * alpha).astype(np.uint8)
                x += int(height * rng.uniform(0.95, 1.2)) if rng.random() < 0.97 else height * 3
            y += int(height * 1.25)
            if y > size - height:
                return
        y += int(rng.integers(2, 30))


def letter_masks(
    rng: np.random.Generator, split: Split, count: int, *, side: int = 64, among: str = ""
) -> list[Image]:
    """Draw characters for newspapers and mahjong tiles.

    Args:
        rng: source of chance.
        split: which fonts may be used.
        count: how many.
        side: of a mask, pixels.
        among: the characters to draw, each in a font that has it; all that a font has where empty.

    Returns:
        Grey masks uint8[side, side], 255 is ink.
    """
    from vision.training.fonts import available, characters, glyph

    fonts = available(split)
    masks: list[Image] = []
    while len(masks) < count:
        font = fonts[int(rng.integers(len(fonts)))]
        known = sorted(characters(font) & set(among) if among else characters(font))
        mask = glyph(font, known[int(rng.integers(len(known)))]) if known else None
        if mask is not None:
            mask = mask[12:-12, 12:-12]
            way = cv2.INTER_AREA if side < len(mask) else cv2.INTER_LINEAR
            masks.append(cv2.resize(mask, (side, side), interpolation=way))
    return masks


def page(rng: np.random.Generator, split: Split, size: int = 1200) -> Image:
    """Print a page in large: characters, those of the cards among them, in lines, columns or strewn about.

    It is no card, whatever it says: a primer, a notice, a couplet, the numbers on a wall.

    Args:
        rng: source of chance.
        split: which fonts may be used.
        size: side of the square, pixels.

    Returns:
        uint8[size, size, 3] RGB.
    """
    across = int(rng.integers(5, 26))
    pitch = size / across
    side = int(pitch * rng.uniform(0.5, 0.95))
    rows, columns = (pitch * rng.uniform(1.0, 1.6, 2)).tolist()
    letters = letter_masks(
        rng, split, int(rng.integers(4, 40)), side=side, among=CHARACTERS if rng.random() < 0.7 else ""
    )
    paper = _colour(rng, light=rng.uniform(0.55, 0.98), strong=rng.choice([0.03, 0.15, 0.4])) * 255
    inks = [
        np.array(_colour(rng, light=rng.uniform(0.03, 0.35))) * 255,
        np.array([rng.uniform(140, 220), 30, 30]),
    ]
    ink = inks[int(rng.random() < 0.35)]
    if rng.random() < 0.15:
        paper, ink = ink, paper
    image = np.empty((size, size, 3), np.uint8)
    image[:] = paper.astype(np.uint8)
    for share, step, down in ((0.3, columns, True), (0.2, rows, False)):
        if rng.random() < share:
            for at in np.arange(0.0, size, step).astype(int).tolist():
                start, end = ((at, 0), (at, size)) if down else ((0, at), (size, at))
                cv2.line(image, start, end, tuple(ink.tolist()), int(rng.integers(1, 4)), cv2.LINE_AA)
    gaps, mess = rng.choice([0.0, 0.1, 0.4]), rng.choice([0.0, 0.02, 0.3])
    in_order = rng.random() < 0.5
    for serial, (y, x) in enumerate(
        (y, x) for x in np.arange(columns / 2, size, columns) for y in np.arange(rows / 2, size, rows)
    ):
        if rng.random() < gaps:
            continue
        mask = letters[serial % len(letters) if in_order else int(rng.integers(len(letters)))]
        left, top = (np.array([x, y]) - side / 2 + rng.normal(0, mess, 2) * pitch).astype(int).tolist()
        if min(left, top) < 0 or max(left, top) + side > size:
            continue
        spot = image[top : top + side, left : left + side]
        alpha = mask[..., None].astype(np.float32) / 255
        colour = inks[int(rng.integers(2))] if rng.random() < 0.03 else ink
        spot[:] = (spot * (1 - alpha) + colour * alpha).astype(np.uint8)
    return image


class Studio:
    """What scenes share: tables, wear, letters. Made once for each worker, seeded.

    Args:
        rng: source of chance.
        tables: how many table tops to keep.
        size: side of a table top, pixels.
        letters: grey masks of characters for newspapers and mahjong tiles.
        pages: printed pages, which may lie on the table or fill the picture.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        *,
        tables: int = 60,
        size: int = 900,
        letters: Sequence[Image] = (),
        pages: Sequence[Image] = (),
    ) -> None:
        self.letters = list(letters)
        self.pages = list(pages)
        self.tables = [table_texture(rng, size, self.letters) for _ in range(tables)]
        self.wear = [self._wear(rng) for _ in range(24)]

    @staticmethod
    def _wear(rng: np.random.Generator) -> NDArray[np.float32]:
        field_ = np.ones((512, 512), np.float32)
        for cells in ((6, 6), (40, 14), (90, 30)):
            field_ -= rng.uniform(0, 0.28) * np.maximum(
                0, _smooth_noise(rng, (512, 512), cells) - rng.uniform(0.3, 0.6)
            )
        for _ in range(int(rng.integers(0, 30))):
            start, end = rng.integers(0, 512, 2), rng.integers(0, 512, 2)
            if np.abs(start - end).max() < 160:
                cv2.line(
                    field_,
                    tuple(map(int, start)),
                    tuple(map(int, end)),
                    float(rng.uniform(0.6, 1.15)),
                    1,
                    cv2.LINE_AA,
                )
        return np.clip(field_, 0.35, 1.15)


def _back(rng: np.random.Generator, length: int) -> Image:
    image = np.empty((length, 96, 3), np.uint8)
    image[:] = (_colour(rng) * 255).astype(np.uint8)
    style = rng.integers(4)
    ink = tuple(int(v) for v in _colour(rng) * 255)
    if style == 1:
        for offset in range(-length, length, int(rng.integers(8, 30))):
            cv2.line(image, (0, offset), (96, offset + 96), ink, 2, cv2.LINE_AA)
            cv2.line(image, (96, offset), (0, offset + 96), ink, 2, cv2.LINE_AA)
    elif style == 2:
        for y in range(8, length, 16):
            for x in range(8, 96, 16):
                cv2.circle(image, (x, y), int(rng.integers(2, 6)), ink, -1, cv2.LINE_AA)
    elif style == 3:
        cv2.rectangle(image, (8, 8), (87, length - 9), ink, 3, cv2.LINE_AA)
    return image


# --- painting --------------------------------------------------------------------------------------------


class _Canvas:
    """The picture while it is painted, with a map that says which card each pixel shows."""

    def __init__(self, image: NDArray[np.float32]) -> None:
        self.image = image
        self.owner = np.full(image.shape[:2], -1, np.int16)

    def box(self, points: Floats, margin: int = 3) -> tuple[int, int, int, int] | None:
        height, width = self.owner.shape
        low, high = np.floor(points.min(0)).astype(int) - margin, np.ceil(points.max(0)).astype(int) + margin
        x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
        return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None

    def mask(self, box: tuple[int, int, int, int], polygon: Floats) -> NDArray[np.float32]:
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((polygon - (x0, y0)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask.astype(np.float32) / 255

    def shade(self, polygon: Floats, offset: Floats, blur: float, depth: float) -> None:
        """Darken what lies under a card's edge."""
        box = self.box(polygon + offset, int(3 * blur) + 3)
        if box is None:
            return
        mask = cv2.GaussianBlur(self.mask(box, polygon + offset), (0, 0), max(0.4, blur))
        x0, y0, x1, y1 = box
        self.image[y0:y1, x0:x1] *= (1 - depth * mask)[..., None]

    def blend(
        self,
        box: tuple[int, int, int, int],
        patch: NDArray[np.float32],
        mask: NDArray[np.float32],
        owner: int,
    ) -> None:
        x0, y0, x1, y1 = box
        view = self.image[y0:y1, x0:x1]
        view += (patch - view) * mask[..., None]
        self.owner[y0:y1, x0:x1][mask > 0.5] = owner


def _strip_levels(strip: Image) -> list[Image]:
    levels = [strip]
    while levels[-1].shape[1] > 16:
        previous = levels[-1]
        levels.append(
            cv2.resize(
                previous, (previous.shape[1] // 2, previous.shape[0] // 2), interpolation=cv2.INTER_AREA
            )
        )
    return levels


def _spine(card: PlacedCard, pieces: int) -> tuple[Floats, Floats]:
    """Left and right edge of a card on the table, float[pieces + 1, 3] each, from the upper end down."""
    share = np.linspace(0, 1, pieces + 1)
    along = (share - 0.5) * card.length
    height = card.lift * (1 - (2 * share - 1) ** 2) if card.lift >= 0 else -card.lift * (2 * share - 1) ** 2
    c, s = math.cos(card.angle), math.sin(card.angle)
    left, right = (
        np.stack([card.x + side * c - along * s, card.y + side * s + along * c, -height], axis=1)
        for side in (-0.5, 0.5)
    )
    return left, right


def _at(left: Floats, right: Floats, share: float) -> tuple[Floats, Floats]:
    """Points on both edges of a card at a share of its length."""
    place = share * (len(left) - 1)
    index = min(int(place), len(left) - 2)
    rest = place - index
    return left[index] * (1 - rest) + left[index + 1] * rest, right[index] * (1 - rest) + right[
        index + 1
    ] * rest


def _rounded(quad: Floats, radius: float) -> Floats:
    """Cut the corners of an outline by a share of its width."""
    if radius <= 0:
        return quad
    points = []
    for index in range(4):
        corner, before, after = quad[index], quad[index - 1], quad[(index + 1) % 4]
        reach = radius * min(float(np.linalg.norm(corner - before)), float(np.linalg.norm(corner - after)))
        to_before = corner + (before - corner) / max(1e-6, float(np.linalg.norm(before - corner))) * reach
        to_after = corner + (after - corner) / max(1e-6, float(np.linalg.norm(after - corner))) * reach
        points += [to_before, corner * 0.6 + (to_before + to_after) * 0.2, to_after]
    return np.array(points)


@dataclass(slots=True)
class Look:
    """How a scene is lit and spoilt; ``hard`` scenes are worn, darker, farther, tilted and covered more.

    Cards of an ``even`` scene are equally white, so that hardly an edge shows where one lies on another. Of a
    scene with a ``frame`` above 1 a part may lie outside the picture.
    """

    tilt: float
    turn: float
    roll: float
    fill: float
    wear: float
    radius: float
    shadow: float
    gloss: float
    even: bool
    hard: bool
    frame: float = 1.0

    @classmethod
    def random(cls, rng: np.random.Generator, *, hard: bool, any_roll: bool = True) -> Look:
        """Draw a look by chance."""
        tilt = abs(rng.normal(0, 0.45)) if not hard else rng.uniform(0.2, 0.85)
        roll = rng.uniform(-math.pi, math.pi) if any_roll and rng.random() < 0.5 else rng.normal(0, 0.25)
        return cls(
            tilt=float(min(tilt, 0.85)),
            turn=float(rng.normal(0, 0.4) if rng.random() < 0.7 else rng.uniform(-math.pi, math.pi)),
            roll=float(roll),
            fill=float(rng.uniform(0.5, 1.05) if not hard else rng.uniform(0.35, 0.9)),
            wear=float(max(0, rng.normal(0.0, 0.35)) if not hard else rng.uniform(0.4, 1.0)),
            radius=float(rng.choice([0.0, 0.06, 0.12, 0.2])),
            shadow=float(rng.uniform(0.1, 0.6) if rng.random() < 0.5 else rng.uniform(0.0, 0.12)),
            even=bool(rng.random() < 0.5),
            gloss=float(rng.random() < 0.3),
            hard=hard,
        )


def render(
    rng: np.random.Generator,
    studio: Studio,
    placed: Sequence[PlacedCard],
    size: tuple[int, int],
    look: Look,
    *,
    clutter: int | None = None,
    backs: bool = True,
    on_page: bool = False,
) -> Scene:
    """Photograph cards that lie on a table.

    Args:
        rng: source of chance.
        studio: tables and wear.
        placed: the cards in the order in which they were put down; none for a picture without cards.
        size: (width, height) of the picture, pixels.
        look: camera, wear and light.
        clutter: how many other things lie about; by chance where None.
        backs: whether cards face down may lie about, too.
        on_page: whether a printed page of the studio is the table.

    Returns:
        The picture with the labels of all cards that show a face.
    """
    if placed:
        points = np.array(
            [
                [card.x + dx, card.y + dy]
                for card in placed
                for dx, dy in (
                    (-card.length / 2, 0),
                    (card.length / 2, 0),
                    (0, -card.length / 2),
                    (0, card.length / 2),
                )
            ]
        )
    else:
        points = np.array([[-8.0, -8.0], [8.0, 8.0]])
    fill = look.fill
    while True:
        camera = Camera(
            rng, points, size, tilt=look.tilt, turn=look.turn, roll=look.roll, fill=fill, frame=look.frame
        )
        unit = camera.unit()
        if unit >= LEAST_WIDTH * max(size) or fill > 3:
            break
        fill *= 1.2
    canvas = _Canvas(_table(rng, studio.pages if on_page else studio.tables, camera, size, close=on_page))
    reach = float(np.abs(points - camera.target[:2]).max()) * 1.5 + 2
    count = int(rng.integers(0, 5)) if clutter is None else clutter
    under = int(rng.integers(0, count + 1))
    for _ in range(under):
        _put_thing(rng, canvas, camera, studio, reach, unit, over=False)
    cards = list(placed)
    if backs and cards and rng.random() < 0.15:
        for _ in range(int(rng.integers(1, 4))):
            cards.insert(
                int(rng.integers(0, 2)),
                PlacedCard(
                    "",
                    _back(rng, cards[0].strip.shape[0]),
                    rng.uniform(-reach, reach) + camera.target[0],
                    rng.uniform(-reach, reach) + camera.target[1],
                    rng.uniform(-3, 3),
                    face_up=False,
                ),
            )
    shadow_offset = rng.normal(0, 0.06, 2) * unit
    outlines = []
    levels_of: dict[int, list[Image]] = {}
    for index, card in enumerate(cards):
        levels = levels_of.setdefault(id(card.strip), _strip_levels(card.strip))
        outlines.append(
            _paint_card(rng, canvas, camera, studio, card, index, levels, look, shadow_offset, unit)
        )
    for _ in range(count - under):
        _put_thing(rng, canvas, camera, studio, reach, unit, over=True)
    labels = _label(canvas, camera, cards, outlines)
    image = _expose(rng, canvas.image, look, unit)
    return Scene(image, labels)


def _table(
    rng: np.random.Generator, tops: Sequence[Image], camera: Camera, size: tuple[int, int], *, close: bool
) -> NDArray[np.float32]:
    texture = tops[int(rng.integers(len(tops)))]
    side = texture.shape[0]
    width, height = size
    corners = np.array([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]])
    extent = rng.uniform(8, 26) if close else rng.uniform(18, 60)
    angle = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(angle), math.sin(angle)
    table = (corners / side - 0.5) * extent @ np.array([[c, s], [-s, c]]) + camera.target[:2]
    target = camera.project(np.concatenate([table, np.zeros((4, 1))], axis=1))
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    mode = cv2.BORDER_WRAP if rng.random() < 0.5 else cv2.BORDER_REFLECT
    image = cv2.warpPerspective(texture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=mode)
    tint = 1 + rng.normal(0, 0.1, 3)
    return np.clip(image.astype(np.float32) * tint.astype(np.float32) * float(rng.uniform(0.7, 1.1)), 0, 255)


def _paint_card(
    rng: np.random.Generator,
    canvas: _Canvas,
    camera: Camera,
    studio: Studio,
    card: PlacedCard,
    index: int,
    levels: Sequence[Image],
    look: Look,
    shadow_offset: Floats,
    unit: float,
) -> tuple[Floats, Floats]:
    pieces = 6 if card.lift else 1
    left, right = _spine(card, pieces)
    left_px, right_px = camera.project(left), camera.project(right)
    quad = np.array([left_px[0], right_px[0], right_px[-1], left_px[-1]])
    whole = np.concatenate([left_px, right_px[::-1]])
    if look.shadow > 0:
        spread = float(rng.uniform(0.03, 0.12)) * unit
        canvas.shade(whole, shadow_offset, spread, look.shadow)
    box = canvas.box(whole)
    if box is None:
        return left_px, right_px
    x0, y0, x1, y1 = box
    across = max(
        float(np.linalg.norm(right_px[0] - left_px[0])), float(np.linalg.norm(right_px[-1] - left_px[-1]))
    )
    strip = next((level for level in reversed(levels) if level.shape[1] >= across * 0.9), levels[0])
    high, wide = strip.shape[:2]
    patch = np.zeros((y1 - y0, x1 - x0, 3), np.uint8)
    for piece in range(pieces):
        top, bottom = high * piece / pieces, high * (piece + 1) / pieces
        source = np.array([[0, top], [wide, top], [wide, bottom], [0, bottom]], np.float32)
        corners = np.array([left_px[piece], right_px[piece], right_px[piece + 1], left_px[piece + 1]])
        target = (corners - (x0, y0)).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(
            strip, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        if pieces == 1:
            patch = warped
        else:
            part = canvas.mask(box, corners + (corners - corners.mean(0)) * 0.02) > 0.02
            patch[part] = warped[part]
    lit = patch.astype(np.float32) * float(rng.uniform(0.985, 1.005) if look.even else rng.uniform(0.9, 1.03))
    if look.wear > 0.02:
        field_ = studio.wear[int(rng.integers(len(studio.wear)))]
        worn = cv2.warpAffine(
            field_,
            np.array(
                [
                    [math.cos(card.angle), -math.sin(card.angle), rng.uniform(0, 300)],
                    [math.sin(card.angle), math.cos(card.angle), rng.uniform(0, 300)],
                ]
            )
            * [[512 / max(60, 6 * unit)] * 2 + [1]]
            * 2,
            (x1 - x0, y1 - y0),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT,
        )
        tint = np.array([1.0, rng.uniform(0.96, 1.0), rng.uniform(0.85, 1.0)], np.float32)
        strength = look.wear * float(rng.uniform(0.6, 1.4))
        lit *= 1 - strength * (1 - worn[..., None] * tint)
    if card.lift:
        lit *= float(rng.uniform(0.85, 1.05))
    outline = _rounded(quad, look.radius) if pieces == 1 else whole
    mask = canvas.mask(box, outline)
    canvas.blend(box, lit, mask, index)
    if rng.random() < (0.2 if look.even else 0.5):
        edge = float(rng.uniform(0.5, 1.1))
        colour = tuple(float(v) for v in np.array([190.0, 185.0, 175.0]) * edge)
        view = canvas.image[y0:y1, x0:x1]
        line = np.zeros(view.shape[:2], np.uint8)
        cv2.polylines(
            line,
            [np.round((outline - (x0, y0)) * 16).astype(np.int32)],
            isClosed=True,
            color=255,
            thickness=1,
            lineType=cv2.LINE_AA,
            shift=4,
        )
        alpha = (line.astype(np.float32) / 255 * float(rng.uniform(0.1, 0.6)))[..., None]
        view += (np.array(colour, np.float32) - view) * alpha
    return left_px, right_px


def _put_thing(
    rng: np.random.Generator,
    canvas: _Canvas,
    camera: Camera,
    studio: Studio,
    reach: float,
    unit: float,
    *,
    over: bool,
) -> None:
    """Paint a cup, box, phone, coin, finger, mahjong tile or sheet, under the cards or over them."""
    angle = rng.uniform(0, 2 * math.pi)
    distance = reach * (rng.uniform(0.55, 1.1) if over else rng.uniform(0, 1.1))
    place = camera.target[:2] + distance * np.array([math.cos(angle), math.sin(angle)])
    kind = rng.choice(["round", "box", "finger", "tile", "sheet", "coin", "phone"])
    colour = (_colour(rng) * 255).astype(np.float32)
    turn = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(turn), math.sin(turn)
    axes = np.array([[c, s], [-s, c]])
    if kind in {"round", "coin"}:
        radius = rng.uniform(1.0, 3.0) if kind == "round" else rng.uniform(0.4, 0.8)
        circle = np.linspace(0, 2 * math.pi, 28, endpoint=False)
        shape = place + radius * np.stack([np.cos(circle), np.sin(circle)], 1)
    elif kind == "finger":
        colour = np.array([rng.uniform(120, 235), 0, 0], np.float32)
        colour[1], colour[2] = colour[0] * rng.uniform(0.68, 0.82), colour[0] * rng.uniform(0.52, 0.72)
        wide, long = rng.uniform(0.35, 0.6), rng.uniform(3, 9)
        arc = np.linspace(0, math.pi, 9)
        shape = (
            np.concatenate(
                [[[-wide, long]], np.stack([-wide * np.cos(arc), -wide * np.sin(arc)], 1), [[wide, long]]]
            )
            @ axes
            + place
        )
    else:
        half = {
            "box": rng.uniform(0.8, 3.5, 2),
            "tile": np.array([0.6, 0.8]) * rng.uniform(0.9, 1.4),
            "sheet": rng.uniform(2, 6, 2),
            "phone": np.array([1.8, 3.8]),
        }[str(kind)]
        shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ axes + place
        if kind == "phone":
            colour = (_colour(rng, light=rng.uniform(0.03, 0.2)) * 255).astype(np.float32)
        if kind in {"tile", "sheet"}:
            colour = (_colour(rng, light=rng.uniform(0.7, 0.97), strong=0.08) * 255).astype(np.float32)
    lift = 0.0 if kind in {"sheet", "coin"} else -rng.uniform(0.05, 0.6)
    pixels = camera.project(np.concatenate([shape, np.full((len(shape), 1), lift)], axis=1))
    if np.abs(pixels).max() > 20 * max(canvas.owner.shape):
        return
    canvas.shade(
        pixels,
        rng.normal(0, 0.15, 2) * unit,
        float(rng.uniform(0.05, 0.4)) * unit,
        float(rng.uniform(0.2, 0.6)),
    )
    box = canvas.box(pixels)
    if box is None:
        return
    x0, y0, x1, y1 = box
    patch = np.empty((y1 - y0, x1 - x0, 3), np.float32)
    patch[:] = colour
    patch *= (0.8 + 0.4 * _smooth_noise(rng, (y1 - y0, x1 - x0), (2, 2)))[..., None]
    if kind in {"tile", "sheet"} and studio.letters:
        letter = studio.letters[int(rng.integers(len(studio.letters)))]
        ink = np.array([[200, 30, 30], [20, 20, 20], [20, 110, 40]][int(rng.integers(3))], np.float32)
        side = letter.shape[0]
        for _ in range(1 if kind == "tile" else int(rng.integers(1, 12))):
            where = np.array([0.0, 0.0]) if kind == "tile" else rng.uniform(-0.8, 0.8, 2) * half
            corner = (
                np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
                * (0.4 if kind == "tile" else rng.uniform(0.1, 0.6))
                + where
            )
            target = camera.project(
                np.concatenate([corner @ axes + place, np.full((4, 1), lift)], axis=1)
            ) - (x0, y0)
            matrix = cv2.getPerspectiveTransform(
                np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32), target.astype(np.float32)
            )
            alpha = (
                cv2.warpPerspective(letter, matrix, (x1 - x0, y1 - y0)).astype(np.float32)[..., None] / 255
            )
            patch += (ink - patch) * alpha
    canvas.blend(box, patch, canvas.mask(box, pixels), -2)


def _label(
    canvas: _Canvas, camera: Camera, cards: Sequence[PlacedCard], outlines: Sequence[tuple[Floats, Floats]]
) -> list[CardLabel]:
    labels = []
    for index, (card, (left, right)) in enumerate(zip(cards, outlines, strict=True)):
        if not card.face_up:
            continue
        quad = np.array([left[0], right[0], right[-1], left[-1]])
        middle = camera.project(np.array([[card.x, card.y, -max(0.0, card.lift)]]))[0]
        ends = []
        for first in (True, False):
            near, inner, far = (
                (0.0, END_SHARE / 2, END_SHARE) if first else (1.0, 1 - END_SHARE / 2, 1 - END_SHARE)
            )
            edge, centre, border = _at(left, right, near), _at(left, right, inner), _at(left, right, far)
            point = (centre[0] + centre[1]) / 2
            up = (edge[0] + edge[1]) / 2 - point
            side = centre[1] - point if first else centre[0] - point
            polygon = np.array([edge[0], edge[1], border[1], border[0]])
            ends.append(EndLabel(point, up, side, _seen(canvas, polygon, index)))
        labels.append(CardLabel(card.label, quad, middle, (ends[0], ends[1]), card.group, card.laid))
    return labels


def _seen(canvas: _Canvas, polygon: Floats, index: int) -> float:
    area = float(cv2.contourArea(polygon.astype(np.float32)))
    box = canvas.box(polygon, 1)
    if box is None or area < 4:
        return 0.0
    x0, y0, x1, y1 = box
    inside = canvas.mask(box, polygon)
    visible = float((inside * (canvas.owner[y0:y1, x0:x1] == index)).sum())
    return min(1.0, visible / area)


def _expose(rng: np.random.Generator, image: NDArray[np.float32], look: Look, unit: float) -> Image:
    """Light the picture and spoil it as a phone's camera does."""
    height, width = image.shape[:2]
    light = 0.75 + 0.5 * _smooth_noise(
        rng, (height, width), (int(rng.integers(2, 4)), int(rng.integers(2, 4)))
    )
    if rng.random() < 0.3:
        yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
        centre = rng.uniform(-0.2, 1.2, 2) * (width, height)
        spread = width * rng.uniform(0.15, 0.7)
        spot = np.exp(-((xx - centre[0]) ** 2 + (yy - centre[1]) ** 2) / (2 * spread**2))
        light = light * float(rng.uniform(0.4, 0.9)) + spot * float(rng.uniform(0.2, 0.8))
    if rng.random() < 0.25:
        polygon = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (width, height)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [polygon.astype(np.int32)], 255)
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 25))).astype(np.float32) / 255
        light = light * (1 - float(rng.uniform(0.2, 0.6)) * soft)
    cast = np.clip(1 + rng.normal(0, 0.06, 3), 0.8, 1.2)
    if rng.random() < 0.25:
        cast = cast * np.array([1.15, 1.0, rng.uniform(0.6, 0.9)])
    exposure = float(rng.uniform(0.65, 1.15) if not look.hard else rng.uniform(0.3, 0.85))
    image = image * (light[..., None] * (cast * exposure).astype(np.float32))
    if look.gloss and rng.random() < 0.8:
        for _ in range(int(rng.integers(1, 4))):
            centre = rng.uniform(0, 1, 2) * (width, height)
            spread = unit * float(rng.uniform(0.4, 3))
            box = (
                max(0, int(centre[0] - 3 * spread)),
                max(0, int(centre[1] - 3 * spread)),
                min(width, int(centre[0] + 3 * spread) + 1),
                min(height, int(centre[1] + 3 * spread) + 1),
            )
            x0, y0, x1, y1 = box
            if x1 > x0 and y1 > y0:
                yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
                stretch = rng.uniform(0.4, 2.5)
                glare = np.exp(
                    -(((xx - centre[0]) / stretch) ** 2 + ((yy - centre[1]) * stretch) ** 2) / (2 * spread**2)
                )
                image[y0:y1, x0:x1] += (glare * float(rng.uniform(20, 140)))[..., None]
    scale = width / 640
    blur = abs(rng.normal(0, 0.5 if not look.hard else 0.8)) * scale
    if blur > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), blur)
    if rng.random() < (0.12 if not look.hard else 0.3):
        reach = int(max(2, rng.uniform(2, 6) * scale))
        kernel = np.zeros((reach * 2 + 1,) * 2, np.float32)
        angle = rng.uniform(0, math.pi)
        tip = (
            round(reach + reach * math.cos(angle) * 0.7),
            round(reach + reach * math.sin(angle) * 0.7),
        )
        cv2.line(kernel, (reach, reach), tip, 1.0, 1, cv2.LINE_AA)
        image = cv2.filter2D(image, -1, kernel / max(1e-6, float(kernel.sum())))
    noise = float(rng.uniform(0, 6) if not look.hard else rng.uniform(3, 20))
    if noise > 0.5:
        grain = np.empty(image.shape, np.float32)
        cv2.randn(grain, (0.0, 0.0, 0.0), (noise, noise, noise))
        if rng.random() < 0.5:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7 * max(1.0, scale)) * 1.6
        image = image + grain
    gamma = float(rng.uniform(0.8, 1.25))
    image = np.clip(image, 0, 255)
    table = (np.power(np.arange(256) / 255.0, gamma) * 255).astype(np.uint8)
    finished: Image = cv2.LUT(image.astype(np.uint8), table)
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(finished, (0, 0), 1.2 * scale)
        finished = cv2.addWeighted(finished, 1.7, soft, -0.7, 0)
    quality = int(rng.integers(55, 96) if not look.hard else rng.integers(25, 70))
    if rng.random() < 0.8:
        _, data = cv2.imencode(".jpg", finished[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        finished = cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]
    return np.ascontiguousarray(finished)


def random_scene(
    rng: np.random.Generator,
    studio: Studio,
    strips: dict[str, Image],
    size: tuple[int, int] = (640, 480),
    *,
    empty: float = 0.05,
    hard: float = 0.35,
) -> Scene:
    """Make one training picture of a deck.

    Args:
        rng: source of chance.
        studio: tables and wear.
        strips: faces by label.
        size: (width, height), pixels.
        empty: share of pictures without any card.
        hard: share of hard ones.

    Returns:
        The picture with its labels.
    """
    look = Look.random(rng, hard=bool(rng.random() < hard))
    if rng.random() < empty:
        on_page = bool(studio.pages) and rng.random() < PAGE
        clutter = int(rng.integers(0, 4) if on_page else rng.integers(2, 14))
        return render(rng, studio, [], size, look, clutter=clutter, on_page=on_page)
    if rng.random() < CUT:
        look.frame = float(rng.uniform(1.1, 1.9))
        look.fill = max(look.fill, float(rng.uniform(0.6, 1.4)))
    layout = str(rng.choice(LAYOUTS, p=[0.36, 0.09, 0.10, 0.09, 0.23, 0.03, 0.05, 0.05]))
    placed = random_layout(rng, strips, layout)
    bent = rng.random() < 0.4
    for card in placed:
        if bent and rng.random() < 0.6:
            card.lift = float(rng.normal(0, 0.12))
        if rng.random() < 0.5:
            card.angle += math.pi
    on_page = bool(studio.pages) and rng.random() < ON_A_PAGE
    scene = render(rng, studio, placed, size, look, on_page=on_page)
    scene.info = {"layout": layout, "hard": look.hard}
    return scene


def padded(rng: np.random.Generator, scene: Scene) -> Scene:
    """Cut a scene right or below, and fill its place as `vision.find.reduce_photo` does.

    Args:
        rng: source of chance.
        scene: a picture with labels.

    Returns:
        A picture of the same size; of ends that are cut less is seen.
    """
    image = scene.image.copy()
    height, width = image.shape[:2]
    cut = int(rng.integers(1, MULTIPLE))
    if rng.random() < 0.5:
        height -= cut
    else:
        width -= cut
    image[height:], image[:, width:] = round(255 * PADDING), round(255 * PADDING)
    return replace(_bordered(scene, (width, height)), image=image)


def part_of(rng: np.random.Generator, scene: Scene, size: tuple[int, int]) -> Scene:
    """Cut a part out of a scene, where cards lie if there are any: most parts cut some.

    Args:
        rng: source of chance.
        scene: a picture with labels.
        size: width and height of the part.

    Returns:
        A smaller picture; of ends that are cut less is seen.
    """
    (height, width), (wide, high) = scene.image.shape[:2], size
    middle = np.array([width, height]) / 2
    if scene.cards:
        middle = scene.cards[int(rng.integers(len(scene.cards)))].centre
    corner = np.clip(middle + rng.uniform(-1, 0, 2) * size, 0, (width - wide, height - high)).astype(int)
    left, top = corner.tolist()

    def end(label: EndLabel) -> EndLabel:
        return replace(label, centre=label.centre - corner)

    cards = [
        card.changed(end, outline=card.outline - corner, centre=card.centre - corner) for card in scene.cards
    ]
    image = np.ascontiguousarray(scene.image[top : top + high, left : left + wide])
    return _bordered(Scene(image, cards, scene.info), size)


def _bordered(scene: Scene, size: tuple[int, int]) -> Scene:
    """Give the scene of which no more is seen than a picture of this width and height shows."""
    width, height = size
    border = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)

    def end(label: EndLabel) -> EndLabel:
        corners = np.array(
            [label.centre + a * label.up + b * label.right for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))],
            np.float32,
        )
        area = abs(cv2.contourArea(corners))
        inside = cv2.intersectConvexConvex(corners, border)[0]
        return replace(label, seen=min(label.seen, inside / area if area else 0.0))

    return replace(scene, cards=[card.changed(end) for card in scene.cards])
