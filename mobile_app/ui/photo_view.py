"""The photo with its cards outlined and named over it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, InstructionGroup, Line, Mesh, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.input.motionevent import MotionEvent
from kivy.uix.stencilview import StencilView

from mobile_app.ui import theme
from mobile_app.ui.theme import px

_BLINK = 0.55
_ASIDE = 0.62
"""Names stand this far from the middle of a printed end to its corner, so that the print stays in sight."""

_MOVED = 12.0
"""Units that a finger may move and still be a tap."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A card, or a place, over the photo."""

    key: object
    label: str
    outline: Sequence[tuple[float, float]]
    """Corners in pixels of the photo; empty for a mere place."""

    at: tuple[float, float]
    """Where its name is written."""

    colour: theme.Colour = theme.SURE
    unsure: bool = False
    """Drawn in another colour, with a dashed line and a question mark, and blinking."""

    crossed: bool = False
    """Left out: grey and struck through."""

    filled: bool = False
    """Chosen just now."""


class PhotoView(StencilView):
    """A photo with marks over it that can be tapped; it shows the part where the cards lie.

    A finger moves it, two fingers or `turn` make it larger; with `on_frame` set a finger draws a frame while
    all cards are in sight.

    Args:
        texture: the photo, row by row from its top.
        size_of_photo: width and height in pixels that the marks are given in.
        on_mark: called with the key of the mark that was tapped.
        on_frame: called with the keys inside a frame that was drawn; None draws no frames.
    """

    def __init__(
        self,
        texture: Texture,
        size_of_photo: tuple[int, int],
        on_mark: Callable[[object], object] | None = None,
        on_frame: Callable[[list[object]], object] | None = None,
    ) -> None:
        super().__init__()
        self.name = "photo"
        self._photo = size_of_photo
        self._on_mark = on_mark
        self.on_frame = on_frame
        self._marks: Sequence[Mark] = ()
        self._zoom = 1.0
        self._moved = (0.0, 0.0)
        self._region = (0.0, 0.0, float(size_of_photo[0]), float(size_of_photo[1]))
        self._fingers: dict[object, tuple[float, float]] = {}
        self._pinched = False
        self._labels: dict[tuple[str, int, theme.Colour], Texture] = {}
        with self.canvas:
            Color(0.16, 0.15, 0.14, 1)
            self._ground = Rectangle()
            Color(1, 1, 1, 1)
            self._picture = Rectangle(texture=texture)
        self._over = InstructionGroup()
        self._doubtful = InstructionGroup()
        self._drawn = InstructionGroup()
        for group in (self._over, self._doubtful, self._drawn):
            self.canvas.add(group)
        self._shown = True
        self.bind(pos=self._place, size=self._place)
        self._blinking = Clock.schedule_interval(self._blink, _BLINK)

    def stop(self) -> None:
        """Stop blinking; the view is not shown any more."""
        self._blinking.cancel()

    def show(self, marks: Sequence[Mark]) -> None:
        """Show these marks.

        Args:
            marks: over the photo.
        """
        first = not self._marks
        self._marks = marks
        if first and marks:
            self._region = self._around(marks)
            self._place()
        self._draw()

    def turn(self) -> None:
        """Show the cards larger, or all of them again."""
        self._zoom = 2.2 if self._zoom < 1.5 else 1.0
        self._moved = (0.0, 0.0)
        self._place()

    @property
    def marks(self) -> Mapping[object, tuple[float, float]]:
        """Where each mark is tapped, in the widget's coordinates."""
        return {mark.key: self._to_widget(mark.at) for mark in self._marks}

    def _around(self, marks: Sequence[Mark]) -> tuple[float, float, float, float]:
        """Give the part of the photo in which the marks lie: left, top, right, bottom."""
        points = [point for mark in marks for point in (*mark.outline, mark.at)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        edge = 0.04 * max(max(xs) - min(xs), max(ys) - min(ys), 100.0)
        return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge

    @property
    def _scale(self) -> float:
        left, top, right, bottom = self._region
        return float(min(self.width / (right - left), self.height / (bottom - top)) * self._zoom)

    def _to_widget(self, point: tuple[float, float]) -> tuple[float, float]:
        left, top, right, bottom = self._region
        scale = self._scale
        return (
            self.center_x + (point[0] - (left + right) / 2) * scale + self._moved[0],
            self.center_y - (point[1] - (top + bottom) / 2) * scale + self._moved[1],
        )

    def _place(self, *_: object) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        scale = self._scale
        self._picture.size = (self._photo[0] * scale, self._photo[1] * scale)
        self._picture.pos = self._to_widget((0.0, float(self._photo[1])))
        self._draw()

    def _blink(self, _: float) -> None:
        self._shown = not self._shown
        self._draw_doubtful()

    def _draw(self) -> None:
        self._over.clear()
        for mark in self._marks:
            if not mark.unsure:
                self._draw_mark(self._over, mark)
        self._draw_doubtful()

    def _draw_doubtful(self) -> None:
        self._doubtful.clear()
        for mark in self._marks:
            if mark.unsure:
                self._draw_mark(self._doubtful, mark, bright=self._shown)

    def _draw_mark(self, into: InstructionGroup, mark: Mark, *, bright: bool = True) -> None:
        corners = [self._to_widget(corner) for corner in mark.outline]
        colour = theme.OUT if mark.crossed else mark.colour
        flat = [value for corner in corners for value in corner]
        if corners and (mark.filled or (mark.unsure and bright)):
            into.add(Color(*colour[:3], 0.38 if mark.filled else 0.25))
            vertices = [value for x, y in corners for value in (x, y, 0, 0)]
            into.add(Mesh(vertices=vertices, indices=[0, 1, 2, 3], mode="triangle_fan"))
        if corners:
            # Opaque: where a line lets light through, Kivy draws it with a stencil of its own, and its bends
            # show beyond the edge of this view.
            into.add(Color(*colour[:3], 1))
            if mark.unsure:
                for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
                    self._dashes(into, start, end)
            else:
                into.add(Line(points=flat, close=True, width=px(2.2 if mark.filled else 1.3)))
            if mark.crossed:
                into.add(Line(points=[*corners[0], *corners[2]], width=px(1.6)))
                into.add(Line(points=[*corners[1], *corners[3]], width=px(1.6)))
        self._draw_label(into, mark, colour)

    def _dashes(self, into: InstructionGroup, start: tuple[float, float], end: tuple[float, float]) -> None:
        length = math.dist(start, end)
        count = max(1, round(length / px(9)))
        for number in range(count):
            a, b = number / count, (number + 0.6) / count
            points = [
                start[0] + (end[0] - start[0]) * a,
                start[1] + (end[1] - start[1]) * a,
                start[0] + (end[0] - start[0]) * b,
                start[1] + (end[1] - start[1]) * b,
            ]
            into.add(Line(points=points, width=px(1.9)))

    def _draw_label(self, into: InstructionGroup, mark: Mark, colour: theme.Colour) -> None:
        x, y = self._to_widget(mark.at)
        if mark.outline:
            corner = self._to_widget(mark.outline[0])
            x, y = x + (corner[0] - x) * _ASIDE, y + (corner[1] - y) * _ASIDE
        text = f"{mark.label}?" if mark.unsure else mark.label
        size = min(px(18), max(px(10), self._card_width(mark) * 0.5))
        texture = self._texture(text, round(size), theme.INK if mark.unsure else theme.WHITE)
        wide, high = texture.size
        edge = size * 0.16
        left, bottom = x - wide / 2 - edge, y - high / 2
        into.add(Color(*colour[:3], 0.92))
        radius = [size * (0.5 if not mark.unsure else 0.05)]
        into.add(RoundedRectangle(pos=(left, bottom), size=(wide + 2 * edge, high), radius=radius))
        into.add(Color(1, 1, 1, 1))
        into.add(Rectangle(texture=texture, pos=(left + edge, bottom), size=texture.size))

    def _card_width(self, mark: Mark) -> float:
        if len(mark.outline) < 4:
            return px(26)
        a, b, c = mark.outline[0], mark.outline[1], mark.outline[2]
        return min(math.dist(a, b), math.dist(b, c)) * self._scale

    def _texture(self, text: str, size: int, colour: theme.Colour) -> Texture:
        known = self._labels.get((text, size, colour))
        if known is None:
            label = CoreLabel(text=text, font_size=size, color=colour)
            label.refresh()
            known = self._labels[(text, size, colour)] = label.texture
        return known

    @property
    def _framing(self) -> bool:
        return self.on_frame is not None and self._zoom == 1.0 and len(self._fingers) < 2

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Begin a tap, a move, or a frame."""
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        touch.grab(self)
        touch.ud["photo_from"] = touch.pos
        self._fingers[touch.uid] = touch.pos
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        """Move the photo, make it larger, or draw the frame."""
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        x, y = touch.ud["photo_from"]
        before = dict(self._fingers)
        self._fingers[touch.uid] = touch.pos
        self._drawn.clear()
        if self._framing:
            self._drawn.add(Color(*theme.UNSURE))
            low = (min(x, touch.x), min(y, touch.y), abs(touch.x - x), abs(touch.y - y))
            self._drawn.add(Line(rectangle=low, width=px(2)))
            return True
        if len(self._fingers) == 2:
            then, now = (math.dist(*places.values()) for places in (before, self._fingers))
            self._zoom = min(5.0, max(1.0, self._zoom * now / max(then, 1.0)))
            self._pinched = True
        elif math.dist((x, y), touch.pos) > px(_MOVED) or touch.ud.get("photo_moves"):
            touch.ud["photo_moves"] = True
            self._moved = (self._moved[0] + touch.dx, self._moved[1] + touch.dy)
        self._place()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        """End a tap, a move, or a frame."""
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._fingers.pop(touch.uid, None)
        start = touch.ud["photo_from"]
        self._drawn.clear()
        if self._pinched:
            self._pinched = bool(self._fingers)
            return True
        if touch.ud.get("photo_moves"):
            return True
        if math.dist(start, touch.pos) > px(_MOVED):
            if self._framing and self.on_frame is not None:
                self.on_frame(self._inside(start, touch.pos))
            return True
        key = self._nearest(touch.pos)
        if key is not None and self._on_mark is not None:
            self._on_mark(key)
        return True

    def _inside(self, start: tuple[float, float], end: tuple[float, float]) -> list[object]:
        left, right = sorted((start[0], end[0]))
        low, high = sorted((start[1], end[1]))
        return [key for key, (x, y) in self.marks.items() if left <= x <= right and low <= y <= high]

    def _nearest(self, point: tuple[float, float]) -> object | None:
        """Give the mark whose name lies nearest; a card hidden below others is tapped at its name."""
        best: tuple[float, object] | None = None
        for mark in self._marks:
            x, y = self._to_widget(mark.at)
            corners = [self._to_widget(corner) for corner in mark.outline]
            distance = math.dist(point, (x, y))
            inside = bool(corners) and _contains(corners, point)
            if not inside and distance > px(26):
                continue
            if best is None or distance < best[0]:
                best = (distance, mark.key)
        return None if best is None else best[1]


def _contains(corners: Sequence[tuple[float, float]], point: tuple[float, float]) -> bool:
    sides = [
        (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)
