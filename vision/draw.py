"""A photo with what was read in it, painted with OpenCV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vision.read import Picture

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.types import Card, Doubt, Point, Reading

Colour = tuple[int, int, int]

SURE: Colour = (16, 122, 60)
"""RGB of a card that is sure: a full line round it."""

UNSURE: Colour = (200, 80, 0)
"""RGB of a card that is not: dashes round it and a question mark, so that shape tells it, too."""

DOUBT: Colour = (190, 20, 60)
"""RGB of a place where a card could not be read: a cross."""

WHITE: Colour = (255, 255, 255)

LONG_SIDE = 1600
"""The overlay is at most this long."""


def draw_reading(photo: NDArray[np.uint8] | Picture, reading: Reading) -> NDArray[np.uint8]:
    """Paint the outline and the name of every card on its photo.

    Args:
        photo: the upright photo that was read.
        reading: what was read.

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
    for card in reading.cards:
        _outline(canvas, card, scale, thick)
    for card in reading.cards:
        _label(canvas, font, card, scale)
    for doubt in reading.doubts:
        _cross(canvas, doubt, scale, thick)
    return canvas


def save_overlay(path: Path, photo: NDArray[np.uint8] | Picture, reading: Reading) -> None:
    """Paint a reading into a file.

    Args:
        path: where to; its ending says the format, PNG where there is none known.
        photo: the upright photo that was read.
        reading: what was read.

    Raises:
        OSError: it cannot be written.
    """
    import cv2

    suffix = path.suffix.lower() if path.suffix.lower() in {".png", ".jpg", ".jpeg", ".webp"} else ".png"
    overlay = draw_reading(photo, reading)
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


def _label(canvas: NDArray[np.uint8], font: Any, card: Card, scale: float) -> None:
    """Write the name on a plate below the print of the best seen end."""
    import cv2

    corners = np.array(card.outline) * scale
    width = float(np.hypot(*(corners[1] - corners[0])))
    size = int(np.clip(width * 0.42, 11, 40))
    text = card.card if card.sure else f"{card.card}?"
    mark = np.array(card.mark) * scale
    inward = corners.mean(0) - mark
    inward /= max(float(np.hypot(*inward)), 1e-6)
    place = mark + inward * width * 0.62
    box = cv2.getTextSize((1, 1), text, (0, 0), font, size)
    x, y, w, h = (int(value) for value in box)
    left, base = round(place[0] - w / 2) - x, round(place[1] + h / 2) - (y + h)
    colour = SURE if card.sure else UNSURE
    pad = max(2, size // 8)
    top_left, bottom_right = (left + x - pad, base + y - pad), (left + x + w + pad, base + y + h + pad)
    cv2.rectangle(canvas, top_left, bottom_right, WHITE, -1)
    cv2.rectangle(canvas, top_left, bottom_right, colour, 1)
    cv2.putText(canvas, text, (left, base), colour, font, size)


def _cross(canvas: NDArray[np.uint8], doubt: Doubt, scale: float, thick: int) -> None:
    import cv2

    x, y = _pixel((doubt.mark[0] * scale, doubt.mark[1] * scale))
    arm = 7 * thick
    for colour, width in ((WHITE, thick + 3), (DOUBT, thick)):
        cv2.line(canvas, (x - arm, y - arm), (x + arm, y + arm), colour, width, cv2.LINE_AA)
        cv2.line(canvas, (x - arm, y + arm), (x + arm, y - arm), colour, width, cv2.LINE_AA)


def _pixel(point: Point | NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
