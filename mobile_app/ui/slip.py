"""Paint a slip with Kivy, from the same drawing operations that the desktop paints with OpenCV."""

from __future__ import annotations

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Ellipse, Fbo, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture

from mobile_app.ui.widgets import texture_of
from table.slip import Box, Colour, Disc, Loop, Operation, Picture, Slip, Text
from vision.read import Picture as Photo


def _label(text: str, size: float, colour: Colour, *, bold: bool = False) -> Texture:
    rgba = (*(value / 255 for value in colour), 1)
    label = CoreLabel(text=text, font_size=round(size), color=rgba, bold=bold)
    label.refresh()
    return label.texture


def measure(text: str, size: float) -> float:
    """Measure a text in the app's font.

    Args:
        text: one line.
        size: pixels.

    Returns:
        Pixels.
    """
    return float(CoreLabel(text=text, font_size=round(size)).get_extents(text)[0])


def paint(slip: Slip, photo: Photo | None) -> np.ndarray:
    """Paint a slip.

    Args:
        slip: its operations.
        photo: for its picture.

    Returns:
        uint8[height, width, 3], RGB.
    """
    fbo = Fbo(size=(slip.width, slip.height), with_stencilbuffer=False)
    with fbo:
        Color(1, 1, 1, 1)
        Rectangle(size=(slip.width, slip.height))
        for operation in slip.operations:
            _paint(operation, slip.height, photo)
    fbo.draw()
    pixels = np.frombuffer(fbo.pixels, np.uint8).reshape(slip.height, slip.width, 4)
    return np.ascontiguousarray(pixels[::-1, :, :3])


def _colour(colour: Colour) -> None:
    Color(*(value / 255 for value in colour), 1)


def _paint(operation: Operation, height: int, photo: Photo | None) -> None:
    match operation:
        case Box(x, y, wide, high, fill, edge, radius):
            if edge is not None:
                _colour(edge)
                _rounded(x, y, wide, high, radius, height)
                x, y, wide, high, radius = x + 2, y + 2, wide - 4, high - 4, max(0.0, radius - 2)
            _colour(fill)
            _rounded(x, y, wide, high, radius, height)
        case Disc(x, y, radius, fill):
            _colour(fill)
            Ellipse(pos=(x - radius, height - y - radius), size=(2 * radius, 2 * radius))
        case Text(x, y, text, size, colour, anchor, bold):
            if not text:
                return
            texture = _label(text, size, colour, bold=bold)
            left = x - {"left": 0.0, "middle": texture.width / 2, "right": float(texture.width)}[anchor]
            Color(1, 1, 1, 1)
            Rectangle(texture=texture, pos=(left, height - y - texture.height * 0.24), size=texture.size)
        case Loop(corners, colour, width):
            _colour(colour)
            points = [value for x, y in corners for value in (x, height - y)]
            Line(points=points, close=True, width=width / 2)
        case Picture(x, y, wide, high, source) if photo is not None:
            Color(1, 1, 1, 1)
            Rectangle(texture=_part(photo, source), pos=(x, height - y - high), size=(wide, high))
        case _:
            pass


def _rounded(x: float, y: float, wide: float, high: float, radius: float, height: int) -> None:
    pos = (x, height - y - high)
    if radius:
        RoundedRectangle(pos=pos, size=(wide, high), radius=[radius])
    else:
        Rectangle(pos=pos, size=(wide, high))


def _part(photo: Photo, source: tuple[float, float, float, float]) -> Texture:
    down, across = photo.pixels.shape[:2]
    left, top, right, bottom = source
    part = photo.pixels[
        round(top * down) : round(bottom * down), round(left * across) : round(right * across)
    ]
    return texture_of(part)
