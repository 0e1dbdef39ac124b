"""A photo with what was read in it, painted with OpenCV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.read import Picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
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

REACH = 3.6
"""So far from its print a plate may lie, in widths of the card."""

STEP = 0.2
"""So far apart are the places that are tried, in widths of the card."""

END = 0.42
"""Half of the side of what is kept free round the print of a card, in widths of the card."""

ON_AN_END, ON_ITS_END, ON_PRINT, ON_A_CARD, ON_A_PLATE = 12.0, 3.0, 6.0, 0.5, 12.0
"""What it costs to cover with all of a plate: the printed end of another card, that of its own, print, cards,
other plates."""

CRAMPED, SMALLER = 0.3, 0.72
"""What a plate costs whose letters are smaller, and how much smaller they are."""

FAR = 0.2
"""What a plate a card's width away from its print costs."""

LED = 0.25
"""What a line from a plate to its card costs."""

LED_OVER_AN_END, LED_OVER_A_CARD, LED_ACROSS = 6.0, 0.5, 1.0
"""What it costs where all of the line lies on printed ends and plates, or on other cards; and where it
crosses another line."""

BESIDE = 0.15
"""A plate so near to the print of its card, in widths of the card, needs no line if no other is nearer."""

LINES = 40
"""So many of the best places are tried with a line."""

SAMPLES = 24
"""Points of a line that are looked at."""

ROUNDS = 3
"""How often every plate looks for a better place, the others lying where they are."""


@dataclass(frozen=True, slots=True)
class _Plate:
    """A number and a name on a white ground."""

    number: str
    name: str
    size: int
    """Of the letters of the name, pixels."""

    above: bool
    """Whether the number stands above the name, not before it."""

    cramped: bool
    """Whether its letters are smaller than usual."""

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

    A plate lies beside its card, outside all cards where there is room, and on the printed end of another
    card only where no place within reach is free; a thin line leads to the card where it could be another's.

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
    ground = _Ground.of(canvas, reading.cards, scale)
    for card in reading.cards:
        _outline(canvas, card, scale, thick)
    numbers = range(len(reading.doubts)) if doubts is None else doubts
    taken = [
        _cross(canvas, font, str(number), doubt, scale, thick)
        for number, doubt in zip(numbers, reading.doubts, strict=True)
    ]
    numbers = range(len(reading.cards)) if places is None else places
    named = list(zip(numbers, reading.cards, strict=True))
    lain: list[_Lain | None] = [None] * len(named)
    for _ in range(ROUNDS):
        before = list(lain)
        for row, (number, card) in enumerate(named):
            others = [each for place, each in enumerate(lain) if place != row and each is not None]
            plates = _plates(font, str(number), card, ground.ends[row].width)
            lain[row] = _best_place(ground, row, plates, others, taken)
        if lain == before:
            break
    done = [
        (each, SURE if card.sure else UNSURE) for each, card in zip(lain, reading.cards, strict=True) if each
    ]
    for each, colour in done:
        _paint_line(canvas, each.line, colour, thick)
    for each, colour in done:
        _paint_plate(canvas, font, each.plate, each.corner, colour)
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


@dataclass(frozen=True, slots=True)
class _End:
    """Where the print of the best seen end of a card lies, in pixels of the overlay."""

    middle: NDArray[np.float64]
    """A little outward of the middle of the end."""

    inward: NDArray[np.float64]
    aside: NDArray[np.float64]
    """Unit vectors to the middle of the card and across it."""

    width: float
    """Of the card."""

    @classmethod
    def of(cls, card: Card, scale: float) -> _End:
        corners = np.array(card.outline) * scale
        width = max(float(np.hypot(*(corners[1] - corners[0]))), 1.0)
        mark = np.array(card.mark) * scale
        inward = corners.mean(0) - mark
        inward /= max(float(np.hypot(*inward)), 1e-6)
        return cls(mark - inward * width * 0.25, inward, np.array([-inward[1], inward[0]]), width)

    def corners(self) -> NDArray[np.int32]:
        """Give the corners of what is kept free round the print."""
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * END * self.width
        return np.rint(self.middle + square[:, :1] * self.aside + square[:, 1:] * self.inward).astype(
            np.int32
        )

    def anchors(self) -> NDArray[np.float64]:
        """Give the points of the card that a line may lead to: both long sides and the end, by its print."""
        return self.middle + 0.47 * self.width * np.array([self.aside, -self.aside, -0.6 * self.inward])


@dataclass(frozen=True, slots=True)
class _Ground:
    """What lies in the photo, pixel by pixel and summed up from the upper left corner."""

    ends: list[_End]
    end_of: NDArray[np.int32]
    """int32[h, w]: the card whose printed end lies there, -1 where none does."""

    card_of: NDArray[np.int32]
    """int32[h, w]: the card that lies there, the last one where there are several, -1 where none does."""

    print_sums: NDArray[np.float64]
    end_sums: NDArray[np.float64]
    card_sums: NDArray[np.float64]
    """float64[h + 1, w + 1] each."""

    @classmethod
    def of(cls, canvas: NDArray[np.uint8], cards: Sequence[Card], scale: float) -> _Ground:
        import cv2

        height, width = canvas.shape[:2]
        ends = [_End.of(card, scale) for card in cards]
        end_of = np.full((height, width), -1, np.int32)
        card_of = np.full((height, width), -1, np.int32)
        for row, (card, end) in enumerate(zip(cards, ends, strict=True)):
            cv2.fillConvexPoly(card_of, np.rint(np.array(card.outline) * scale).astype(np.int32), row)
            cv2.fillConvexPoly(end_of, end.corners(), row)
        printed = np.zeros((height, width), np.uint8)
        if cards:
            across = max(3, round(float(np.median([end.width for end in ends])) * 0.4) | 1)
            paper = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
            darker = cv2.morphologyEx(canvas.min(axis=2), cv2.MORPH_BLACKHAT, paper)
            printed = ((darker > INK) & (card_of >= 0)).astype(np.uint8)
        print_sums, end_sums, card_sums = (
            np.asarray(cv2.integral(each), np.float64)
            for each in (printed, (end_of >= 0).astype(np.uint8), (card_of >= 0).astype(np.uint8))
        )
        return cls(ends, end_of, card_of, print_sums, end_sums, card_sums)


@dataclass(frozen=True, slots=True)
class _Lain:
    """A plate in its place."""

    plate: _Plate
    corner: tuple[int, int]
    line: tuple[tuple[int, int], tuple[int, int]] | None
    """From the card to the plate; None where none is needed."""


def _plates(font: Any, number: str, card: Card, width: float) -> Iterator[_Plate]:
    """Give the forms that the plate of a card may have."""
    usual = int(np.clip(width * LETTER, SMALLEST, LARGEST))
    name = card.card if card.sure else f"{card.card}?"
    for size in sorted({usual, max(SMALLEST, round(usual * SMALLER))}, reverse=True):
        boxes = _measure(font, number, _small(size)), _measure(font, name, size)
        for above in (False, True):
            yield _Plate(number, name, size, above, size < usual, *boxes)


def _measure(font: Any, text: str, size: int) -> Box:
    """Measure a text: where its box begins, seen from the origin, and how wide and high it is."""
    import cv2

    x, y, width, height = cv2.getTextSize((1, 1), text, (0, 0), font, size)
    return int(x), int(y), int(width), int(height)


def _small(size: int) -> int:
    return max(SMALLEST - 2, round(size * 0.75))


def _best_place(
    ground: _Ground, row: int, plates: Iterable[_Plate], others: Sequence[_Lain], crosses: Sequence[Box]
) -> _Lain:
    """Choose the form of the plate of a card, its place, and the line to the card.

    Args:
        ground: what lies in the photo.
        row: which card.
        plates: the forms.
        others: the plates of other cards that have their places.
        crosses: boxes of what else is painted: left, top, width, height.
    """
    end = ground.ends[row]
    high, wide = ground.end_of.shape
    boxes = np.array([*crosses, *((*each.corner, *each.plate.extent) for each in others)]).reshape(-1, 4)
    lines = np.array([each.line for each in others if each.line is not None], float).reshape(-1, 2, 2)
    foreign = np.array([each.middle for place, each in enumerate(ground.ends) if place != row]).reshape(-1, 2)
    steps = np.arange(-REACH, REACH + STEP / 2, STEP) * end.width
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    centres = end.middle + offsets[np.hypot(*offsets.T) <= REACH * end.width]
    anchors = end.anchors()
    best: tuple[float, _Lain] | None = None
    for plate in plates:
        size = np.array(plate.extent)
        room = np.maximum(np.array((wide, high)) - size, 0)
        low = np.unique(np.clip(np.rint(centres - size / 2), 0, room).astype(int), axis=0)
        top = np.minimum(low + size, (wide, high))
        area = float(size.prod())
        own = np.maximum(
            np.minimum(top, end.corners().max(0)) - np.maximum(low, end.corners().min(0)), 0
        ).prod(1)
        common = np.minimum(top[:, None], boxes[:, :2] + boxes[:, 2:]) - np.maximum(
            low[:, None], boxes[:, :2]
        )
        near = np.clip(end.middle, low, top)
        gap = np.maximum(np.hypot(*(near - end.middle).T) / end.width - END, 0)
        away = np.hypot(*(low + size / 2 - end.middle).T)
        nearest = np.hypot(*np.moveaxis((low + size / 2)[:, None] - foreign, 2, 0)).min(1, initial=np.inf)
        alone = (gap <= BESIDE) & (away < nearest)
        prices = (
            (CRAMPED if plate.cramped else 0.0)
            + ON_AN_END * np.maximum(_inside(ground.end_sums, low, top) - own, 0) / area
            + ON_ITS_END * own / area
            + ON_PRINT * _inside(ground.print_sums, low, top) / area
            + ON_A_CARD * _inside(ground.card_sums, low, top) / area
            + ON_A_PLATE * np.maximum(common, 0).prod(2).sum(1) / area
            + FAR * away / end.width
        )
        tried = np.flatnonzero(~alone)[np.argsort(prices[~alone])[:LINES]]
        led = np.array(
            [_line_prices(ground, row, each, low[tried], top[tried], boxes, lines) for each in anchors]
        )
        with_line = prices[tried] + LED + led.min(0)
        prices[~alone] = np.inf
        prices[tried] = with_line
        first = int(prices.argmin())
        if best is None or prices[first] < best[0]:
            line = None
            if not alone[first]:
                start = anchors[int(led[:, int(np.flatnonzero(tried == first)[0])].argmin())]
                line = _pixel(start), _pixel(np.clip(start, low[first], top[first]))
            best = float(prices[first]), _Lain(plate, (int(low[first, 0]), int(low[first, 1])), line)
    if best is None:
        raise ValueError("a plate needs a form")
    return best[1]


def _inside(sums: NDArray[np.float64], low: NDArray[np.int_], top: NDArray[np.int_]) -> NDArray[np.float64]:
    """Add up what lies in boxes, from their upper left to their lower right corners."""
    (left, upper), (right, lower) = low.T, top.T
    return np.asarray(sums[lower, right] - sums[upper, right] - sums[lower, left] + sums[upper, left])


def _line_prices(
    ground: _Ground,
    row: int,
    anchor: NDArray[np.float64],
    low: NDArray[np.int_],
    top: NDArray[np.int_],
    boxes: NDArray[np.int_],
    lines: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Price the lines from a point of a card to plates that lie in boxes."""
    high, wide = ground.end_of.shape
    ends = np.clip(anchor, low, top)
    along = np.linspace(0, 1, SAMPLES)[:, None, None]
    points = anchor + (ends - anchor) * along
    x, y = (
        np.clip(np.rint(points[..., axis]).astype(int), 0, most - 1) for axis, most in ((0, wide), (1, high))
    )
    over_end = (ground.end_of[y, x] >= 0) & (ground.end_of[y, x] != row)
    over_card = (ground.card_of[y, x] >= 0) & (ground.card_of[y, x] != row)
    under = points[:, :, None]
    within = (under > boxes[:, :2]) & (under < boxes[:, :2] + boxes[:, 2:])
    over_plate = np.any(np.all(within, axis=3), axis=2)
    crossed = np.zeros(len(low))
    for start, end in lines:
        across = _side(start, end, anchor) * _side(start, end, ends) < 0
        crossed += across & (_side(anchor, ends, start) * _side(anchor, ends, end) < 0)
    return np.asarray(
        LED_OVER_AN_END * (over_end | over_plate).mean(0)
        + LED_OVER_A_CARD * over_card.mean(0)
        + LED_ACROSS * crossed
    )


def _side(
    start: NDArray[np.float64], end: NDArray[np.float64], point: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Tell by the sign on which side of a line a point lies."""
    return np.asarray(
        (end[..., 0] - start[..., 0]) * (point[..., 1] - start[..., 1])
        - (end[..., 1] - start[..., 1]) * (point[..., 0] - start[..., 0])
    )


def _paint_line(
    canvas: NDArray[np.uint8],
    line: tuple[tuple[int, int], tuple[int, int]] | None,
    colour: Colour,
    thick: int,
) -> None:
    """Paint the line from a card to its plate, with a dot on the card."""
    import cv2

    if line is None:
        return
    start, end = line
    cv2.line(canvas, start, end, WHITE, thick + 2, cv2.LINE_AA)
    cv2.line(canvas, start, end, colour, thick, cv2.LINE_AA)
    cv2.circle(canvas, start, thick + 2, colour, -1, cv2.LINE_AA)


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
