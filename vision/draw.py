"""A photo with what was read in it, painted with OpenCV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.read import Picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.types import Card, Doubt, Point, Reading

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]

SURE: Colour = (16, 122, 60)
"""RGB of a card that is sure: a full line round it."""

UNSURE: Colour = (200, 80, 0)
"""RGB of a card that is not: dashes round it and a question mark, so that shape tells it, too."""

DOUBT: Colour = (190, 20, 60)
"""RGB of a place where a card could not be read: a cross."""

WHITE: Colour = (255, 255, 255)

LONG_SIDE = 1600
"""The overlay is at most this long."""

INK = 36
"""Of 255, so much darker than the paper round it is what is printed."""

LETTER = 0.34
"""Size of the letters of a plate in widths of a card."""

SMALLEST, LARGEST = 13, 34
"""Pixels of the letters of a plate."""

ASIDE = (0.0, -0.3, 0.3, -0.55, 0.55, -0.8, 0.8)
"""Where a plate may lie across its card, from the middle of its print, in widths of the card."""

ALONG = (0.75, 0.55, 0.35, 0.15, -0.05, -0.3, -0.6, -0.9, -1.15)
"""The same towards the middle of the card."""

FAR = 0.05
"""What a plate a card's width away from its print costs; covering print with all of it costs 1."""

ON_A_PLATE = 4.0
"""What covering another plate costs."""

STRANGE = 0.6
"""What it costs to lie nearer to the print of another card than to that of its own."""


@dataclass(frozen=True, slots=True)
class _Plate:
    """A number and a name on a white ground."""

    number: str
    name: str
    size: int
    """Of the letters of the name, pixels."""

    above: bool
    """Whether the number stands above the name, not before it."""

    number_box: Box
    name_box: Box
    """As `cv2.getTextSize` gives them."""

    @property
    def pad(self) -> int:
        return max(2, self.size // 7)

    @property
    def number_extent(self) -> tuple[int, int]:
        return self.number_box[2] + 2 * self.pad, self.number_box[3] + 2 * self.pad

    @property
    def extent(self) -> tuple[int, int]:
        """Width and height in pixels."""
        (wide, high), pad = self.number_extent, self.pad
        name_wide, name_high = self.name_box[2] + 2 * pad, self.name_box[3] + 2 * pad
        if self.above:
            return max(wide, name_wide), high + name_high
        return wide + name_wide, max(high, name_high)


def draw_reading(
    photo: NDArray[np.uint8] | Picture,
    reading: Reading,
    *,
    places: Sequence[int] | None = None,
    doubts: Sequence[int] | None = None,
) -> NDArray[np.uint8]:
    """Paint the outline, the number and the name of every card on its photo.

    A plate lies where it covers least of what is printed on any card.

    Args:
        photo: the upright photo that was read.
        reading: what was read.
        places: the number of each card; None counts from 0.
        doubts: the number of each place that could not be read; None counts from 0.

    Returns:
        uint8[h, w, 3], RGB, at most 1600 pixels long.
    """
    import cv2

    picture = Picture.of(photo)
    height, width = picture.pixels.shape[:2]
    shrink = min(1.0, LONG_SIDE / max(height, width))
    canvas = picture.pixels.copy()
    if shrink < 1:
        size = (round(width * shrink), round(height * shrink))
        canvas = np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), np.uint8)
    scale = shrink / picture.scale
    thick = max(2, round(max(canvas.shape[:2]) / 600))
    font = cv2.FontFace("uni")
    cost = _cost(canvas, reading.cards, scale)
    for card in reading.cards:
        _outline(canvas, card, scale, thick)
    numbers = range(len(reading.doubts)) if doubts is None else doubts
    taken = [
        _cross(canvas, font, str(number), doubt, scale, thick)
        for number, doubt in zip(numbers, reading.doubts, strict=True)
    ]
    prints = [_print(card, scale)[0] for card in reading.cards]
    numbers = range(len(reading.cards)) if places is None else places
    for row, (number, card) in enumerate(zip(numbers, reading.cards, strict=True)):
        plate, corner = _best_plate(cost, font, str(number), card, scale, prints, row, taken)
        taken.append((*corner, *plate.extent))
        _paint_plate(canvas, font, plate, corner, SURE if card.sure else UNSURE)
    return canvas


def save_overlay(
    path: Path,
    photo: NDArray[np.uint8] | Picture,
    reading: Reading,
    *,
    places: Sequence[int] | None = None,
    doubts: Sequence[int] | None = None,
) -> None:
    """Paint a reading into a file.

    Args:
        path: where to; its ending says the format, PNG where there is none known.
        photo: the upright photo that was read.
        reading: what was read.
        places: the number of each card; None counts from 0.
        doubts: the number of each place that could not be read; None counts from 0.

    Raises:
        OSError: it cannot be written.
    """
    import cv2

    suffix = path.suffix.lower() if path.suffix.lower() in {".png", ".jpg", ".jpeg", ".webp"} else ".png"
    overlay = draw_reading(photo, reading, places=places, doubts=doubts)
    done, data = cv2.imencode(suffix, cv2.cvtColor(overlay, cv2.COLOR_RGB2BGR))
    if not done:
        raise OSError(f"cannot encode {path}")
    path.write_bytes(data.tobytes())


def _outline(canvas: NDArray[np.uint8], card: Card, scale: float, thick: int) -> None:
    """Paint a full line round a sure card, dashes round another."""
    import cv2

    corners = np.array(card.outline) * scale
    if card.sure:
        _lines(canvas, [corners], WHITE, thick + 2, closed=True)
        _lines(canvas, [corners], SURE, thick, closed=True)
        return
    dashes = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        pieces = max(3, int(np.hypot(*(end - start)) / (6 * thick)) | 1)
        steps = np.linspace(0, 1, pieces + 1)[:, None]
        points = start + (end - start) * steps
        dashes += [points[place : place + 2] for place in range(0, pieces, 2)]
    _lines(canvas, dashes, WHITE, thick + 2, closed=False)
    _lines(canvas, dashes, UNSURE, thick, closed=False)
    corner = _pixel(corners[0])
    cv2.circle(canvas, corner, 4 * thick, WHITE, -1, cv2.LINE_AA)
    cv2.circle(canvas, corner, 4 * thick, UNSURE, thick, cv2.LINE_AA)
    cv2.putText(
        canvas,
        "?",
        (corner[0] - 2 * thick, corner[1] + 3 * thick),
        cv2.FONT_HERSHEY_SIMPLEX,
        thick * 0.22,
        UNSURE,
        thick,
        cv2.LINE_AA,
    )


def _lines(
    canvas: NDArray[np.uint8], lines: list[NDArray[np.float64]], colour: Colour, thick: int, *, closed: bool
) -> None:
    import cv2

    cv2.polylines(
        canvas, [np.rint(line * 8).astype(np.int32) for line in lines], closed, colour, thick, cv2.LINE_AA, 3
    )


def _print(
    card: Card, scale: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
    """Say where the print of the best seen end lies.

    Returns:
        Its middle, which lies a little outward of the middle of the end; unit vectors to the middle of the
        card and across it; the width of the card, all in pixels of the overlay.
    """
    corners = np.array(card.outline) * scale
    width = max(float(np.hypot(*(corners[1] - corners[0]))), 1.0)
    mark = np.array(card.mark) * scale
    inward = corners.mean(0) - mark
    inward /= max(float(np.hypot(*inward)), 1e-6)
    return mark - inward * width * 0.25, inward, np.array([-inward[1], inward[0]]), width


def _cost(canvas: NDArray[np.uint8], cards: Sequence[Card], scale: float) -> NDArray[np.float64]:
    """Sum up from the upper left corner which pixels show what is printed on a card.

    Returns:
        float64[h + 1, w + 1].
    """
    import cv2

    height, width = canvas.shape[:2]
    if not cards:
        return np.zeros((height + 1, width + 1))
    usual = float(np.median([_print(card, scale)[3] for card in cards]))
    across = max(3, round(usual * 0.4) | 1)
    paper = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    darker = cv2.morphologyEx(canvas.min(axis=2), cv2.MORPH_BLACKHAT, paper)
    on_cards = np.zeros((height, width), np.uint8)
    for card in cards:
        cv2.fillConvexPoly(on_cards, np.rint(np.array(card.outline) * scale).astype(np.int32), 1)
    return np.asarray(cv2.integral(((darker > INK) & (on_cards > 0)).astype(np.uint8)), np.float64)


def _plates(font: Any, number: str, card: Card, width: float) -> Iterator[_Plate]:
    """Give the forms that the plate of a card may have."""
    size = int(np.clip(width * LETTER, SMALLEST, LARGEST))
    name = card.card if card.sure else f"{card.card}?"
    for above in (False, True):
        yield _Plate(
            number, name, size, above, _measure(font, number, _small(size)), _measure(font, name, size)
        )


def _measure(font: Any, text: str, size: int) -> Box:
    """Measure a text: where its box begins, seen from the origin, and how wide and high it is."""
    import cv2

    x, y, width, height = cv2.getTextSize((1, 1), text, (0, 0), font, size)
    return int(x), int(y), int(width), int(height)


def _small(size: int) -> int:
    return max(SMALLEST - 2, round(size * 0.75))


def _best_plate(
    cost: NDArray[np.float64],
    font: Any,
    number: str,
    card: Card,
    scale: float,
    prints: Sequence[NDArray[np.float64]],
    row: int,
    taken: Sequence[Box],
) -> tuple[_Plate, tuple[int, int]]:
    """Choose the form of a plate and its upper left corner."""
    middle, inward, aside, width = _print(card, scale)
    height, wide = (extent - 1 for extent in cost.shape)
    others = np.array([each for place, each in enumerate(prints) if place != row]).reshape(-1, 2)
    along, across = (each.reshape(-1, 1) * width for each in np.meshgrid(ALONG, ASIDE, indexing="ij"))
    centres = middle + inward * along + aside * across
    boxes = np.array(taken).reshape(-1, 4)
    priced = []
    for plate in _plates(font, number, card, width):
        size = np.array(plate.extent)
        low = np.clip(np.rint(centres - size / 2), 0, np.maximum(np.array((wide, height)) - size, 0)).astype(
            int
        )
        high = np.minimum(low + size, (wide, height))
        (left, top), (right, bottom) = low.T, high.T
        ink = cost[bottom, right] - cost[top, right] - cost[bottom, left] + cost[top, left]
        at = low + size / 2
        away = np.hypot(*(at - middle).T)
        nearest = np.hypot(*np.moveaxis(at[:, None] - others, 2, 0)).min(1, initial=np.inf)
        common = np.minimum(high[:, None], boxes[:, :2] + boxes[:, 2:]) - np.maximum(
            low[:, None], boxes[:, :2]
        )
        covered = np.maximum(common, 0).prod(2).sum(1)
        prices = (ink + ON_A_PLATE * covered) / size.prod() + FAR * away / width + STRANGE * (nearest < away)
        best = int(prices.argmin())
        priced.append((float(prices[best]), plate, (int(low[best, 0]), int(low[best, 1]))))
    _, chosen, corner = min(priced, key=lambda one: one[0])
    return chosen, corner


def _paint_plate(
    canvas: NDArray[np.uint8], font: Any, plate: _Plate, corner: tuple[int, int], colour: Colour
) -> None:
    import cv2

    left, top = corner
    wide, high = plate.extent
    number_wide, number_high = plate.number_extent
    if plate.above:
        number_wide = wide
    else:
        number_high = high
    cv2.rectangle(canvas, corner, (left + wide, top + high), WHITE, -1)
    cv2.rectangle(canvas, corner, (left + number_wide - 1, top + number_high - 1), colour, -1)
    cv2.rectangle(canvas, corner, (left + wide, top + high), colour, 1)
    name_left, name_top = (left, top + number_high) if plate.above else (left + number_wide, top)
    name_wide, name_high = left + wide - name_left, top + high - name_top
    for text, box, size, ink, (x, y, w, h) in (
        (plate.number, plate.number_box, _small(plate.size), WHITE, (left, top, number_wide, number_high)),
        (plate.name, plate.name_box, plate.size, colour, (name_left, name_top, name_wide, name_high)),
    ):
        origin = (x + (w - box[2]) // 2 - box[0], y + (h - box[3]) // 2 - box[1])
        cv2.putText(canvas, text, origin, ink, font, size)


def _cross(canvas: NDArray[np.uint8], font: Any, number: str, doubt: Doubt, scale: float, thick: int) -> Box:
    """Paint a cross with its number beside it, and say which box it takes: left, top, width, height."""
    import cv2

    x, y = _pixel((doubt.mark[0] * scale, doubt.mark[1] * scale))
    arm = 7 * thick
    for colour, width in ((WHITE, thick + 3), (DOUBT, thick)):
        cv2.line(canvas, (x - arm, y - arm), (x + arm, y + arm), colour, width, cv2.LINE_AA)
        cv2.line(canvas, (x - arm, y + arm), (x + arm, y - arm), colour, width, cv2.LINE_AA)
    size = 8 * thick
    box = _measure(font, number, size)
    left, top = x + arm + thick, y - box[3] // 2
    cv2.rectangle(canvas, (left - 2, top - 3), (left + box[2] + 2, top + box[3] + 3), DOUBT, -1)
    cv2.putText(canvas, number, (left - box[0], top - box[1]), WHITE, font, size)
    return x - arm, y - arm, left + box[2] + 2 - (x - arm), 2 * arm


def _pixel(point: Point | NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
