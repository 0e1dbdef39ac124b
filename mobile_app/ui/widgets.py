"""The few widgets that every screen is made of."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.effects.scroll import ScrollEffect
from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget
from numpy.typing import NDArray

from mobile_app.lines import break_lines, pieces
from mobile_app.ui import theme
from mobile_app.ui.theme import px

_LARGEST_TEXTURE = 2048
_SMALLEST = 0.7
"""What is left of the size of letters in a button where a word has to be written smaller."""


def texture_of(pixels: NDArray[np.uint8]) -> Texture:
    """Put pixels into a texture.

    Args:
        pixels: uint8[h, w, 3], RGB.

    Returns:
        The texture, the right way up.
    """
    height, width = pixels.shape[:2]
    texture = Texture.create(size=(width, height), colorfmt="rgb")
    texture.blit_buffer(np.ascontiguousarray(pixels).tobytes(), colorfmt="rgb", bufferfmt="ubyte")
    texture.flip_vertical()
    return texture


def reduced(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Make a photo small enough for the textures of every phone.

    Args:
        pixels: uint8[h, w, 3].

    Returns:
        Every second, third … pixel of it, so that no side is longer than 2048.
    """
    step = -(-max(pixels.shape[:2]) // _LARGEST_TEXTURE)
    return pixels[::step, ::step]


def wrap(label: Label) -> None:
    """Break the text of a label for its width.

    Args:
        label: it keeps its whole text as ``whole``.
    """
    room = label.width - label.padding[0] - label.padding[2]
    if room <= 1:
        return
    label.text_size = (label.width, None)
    broken = break_lines(label.whole, room - px(1), lambda text: extent(text, label.font_size))
    if label.text != broken:
        label.text = broken


@functools.lru_cache(maxsize=4096)
def extent(text: str, size: float) -> float:
    """Measure a text in the app's font.

    Args:
        text: one line.
        size: of the letters in pixels.

    Returns:
        Pixels.
    """
    return float(CoreLabel(text=text, font_size=size).get_extents(text)[0])


class Text(Label):
    """Text that wraps to its width and is as high as it needs.

    Args:
        text: what it says.
        size: in units of the design.
        colour: of the letters.
        align: ``left``, ``center`` or ``right``.
    """

    def __init__(
        self,
        text: str,
        size: float = theme.BODY,
        colour: theme.Colour = theme.INK,
        align: str = "left",
        **more: Any,
    ) -> None:
        more.setdefault("size_hint_y", None)
        super().__init__(text=text, font_size=px(size), color=colour, halign=align, valign="middle", **more)
        self.line_height = 1.1
        self.whole = text
        self.bind(width=self._wrap, texture_size=self._grow)

    def _wrap(self, *_: object) -> None:
        wrap(self)

    def say(self, text: str) -> None:
        """Say something else.

        Args:
            text: the new text.
        """
        self.whole = self.text = text
        wrap(self)

    def _grow(self, *_: object) -> None:
        if self.size_hint_y is None:
            self.height = self.texture_size[1] + px(2)


class Tap(ButtonBehavior, Label):
    """A button: ``main`` for the one main action, ``plain`` for others, ``chosen`` for one that is set.

    Args:
        text: what it says.
        on_tap: called when it is tapped.
        look: ``main``, ``plain``, ``chosen``, ``quiet``.
        name: what tests call it.
        size: of the letters in units of the design.
    """

    def __init__(
        self,
        text: str,
        on_tap: Callable[[], object] | None = None,
        look: str = "plain",
        name: str = "",
        size: float = theme.BUTTON,
        **more: Any,
    ) -> None:
        more.setdefault("size_hint_y", None)
        super().__init__(text=text, font_size=px(size), halign="center", valign="middle", **more)
        self.name = name
        self.whole = text
        self.look = look
        self._on_tap = on_tap
        self._full = px(size)
        self._least = px(60 if look == "main" else 52)
        self.natural = self.height = self._least
        self.line_height = 1.05
        self.padding = (px(8), px(5))
        with self.canvas.before:
            self._edge = Color()
            self._outer = RoundedRectangle(radius=[px(12)])
            self._fill = Color()
            self._inner = RoundedRectangle(radius=[px(11)])
        self.bind(pos=self._place, size=self._place, state=self._paint, disabled=self._paint)
        self.bind(width=self._wrap, texture_size=self._grow)
        self._paint()

    def _wrap(self, *_: object) -> None:
        # A word that is wider than the button is written smaller, not broken.
        room = self.width - 2 * px(8) - px(1)
        widest = max((extent(word, self._full) for word in pieces(self.whole)), default=0.0)
        self.font_size = self._full * min(1.0, max(_SMALLEST, room / widest if widest else 1.0))
        wrap(self)

    def say(self, text: str) -> None:
        """Say something else.

        Args:
            text: the new text.
        """
        self.whole = self.text = text
        self._wrap()

    def _grow(self, *_: object) -> None:
        self.natural = max(self._least, self.texture_size[1] + px(4))
        if self.size_hint_y is None:
            self.height = self.natural

    def _place(self, *_: object) -> None:
        edge = px(1.6)
        self._outer.pos, self._outer.size = self.pos, self.size
        self._inner.pos = (self.x + edge, self.y + edge)
        self._inner.size = (max(0, self.width - 2 * edge), max(0, self.height - 2 * edge))

    def _paint(self, *_: object) -> None:
        down = self.state == "down"
        fill, ink, edge = {
            "main": (theme.PRESSED if down else theme.BAND, theme.WHITE, theme.BAND),
            "chosen": (theme.CHOSEN, theme.INK, theme.BAND),
            "quiet": (theme.CHOSEN if down else theme.PAPER, theme.BAND, theme.PAPER),
            "plain": (theme.CHOSEN if down else theme.WHITE, theme.INK, theme.SOFT),
        }[self.look]
        if self.disabled:
            fill, ink, edge = theme.PAPER, theme.LINE, theme.LINE
        self._fill.rgba, self._edge.rgba, self.color, self.disabled_color = fill, edge, ink, ink

    def on_release(self) -> None:
        """Do what the button is for."""
        if self._on_tap is not None:
            self._on_tap()


class Column(BoxLayout):
    """Widgets under each other, as high as they are together."""

    def __init__(self, *children: Widget, gap: float = 8, **more: Any) -> None:
        super().__init__(orientation="vertical", spacing=px(gap), size_hint_y=None, **more)
        self.bind(minimum_height=self.setter("height"))
        for child in children:
            self.add_widget(child)


class Row(BoxLayout):
    """Widgets beside each other, as high as the highest."""

    def __init__(self, *children: Widget, gap: float = 8, **more: Any) -> None:
        super().__init__(spacing=px(gap), size_hint_y=None, **more)
        for child in children:
            child.bind(height=self._grow)
            if isinstance(child, Tap):
                child.bind(texture_size=self._grow)
            self.add_widget(child)
        self._grow()

    def _grow(self, *_: object) -> None:
        inside = [child for child in self.children if child.size_hint_y is None]
        heights = [child.natural if isinstance(child, Tap) else child.height for child in inside]
        room = max(heights, default=px(40))
        self.height = room + self.padding[1] + self.padding[3]
        for child in inside:
            if isinstance(child, Tap):
                child.height = room
            else:
                child.pos_hint = {"center_y": 0.5}


class Flow(StackLayout):
    """Widgets that run on into the next line, as high as they need."""

    def __init__(self, children: Iterable[Widget], gap: float = 6, **more: Any) -> None:
        super().__init__(spacing=px(gap), size_hint_y=None, height=0, **more)
        self.bind(minimum_height=self.setter("height"))
        for child in children:
            self.add_widget(child)


class Panel(Column):
    """A column on a coloured ground."""

    def __init__(
        self, *children: Widget, colour: theme.Colour = theme.WHITE, gap: float = 6, **more: Any
    ) -> None:
        more.setdefault("padding", px(10))
        with_edge = more.pop("edge", theme.LINE)
        super().__init__(*children, gap=gap, **more)
        with self.canvas.before:
            Color(*with_edge)
            self._outer = RoundedRectangle(radius=[px(12)])
            Color(*colour)
            self._inner = RoundedRectangle(radius=[px(11)])
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: object) -> None:
        edge = px(1.2)
        self._outer.pos, self._outer.size = self.pos, self.size
        self._inner.pos = (self.x + edge, self.y + edge)
        self._inner.size = (max(0, self.width - 2 * edge), max(0, self.height - 2 * edge))


class Scroll(ScrollView):
    """A column that scrolls up and down."""

    def __init__(self, column: Column) -> None:
        # Kivy's usual effect is a spring, which on a slow machine swings the page out of sight for good.
        super().__init__(
            do_scroll_x=False, bar_width=px(4), scroll_type=["bars", "content"], effect_cls=ScrollEffect
        )
        self.column = column
        self.add_widget(column)
        column.bind(height=self._top)
        self.bind(height=self._top)

    def stay(self, at: float) -> None:
        """Scroll to where another build of the same page was scrolled.

        Args:
            at: its ``scroll_y``.
        """
        self.scroll_y = at
        self._top()

    def _top(self, *_: object) -> None:
        if self.column.height <= self.height:
            self.scroll_y = 1.0


class Face(ButtonBehavior, BoxLayout):
    """One face of the deck as that deck draws it, its name below.

    Args:
        card: in the standard spelling; a wild may say what it stands for, ``賴>花三``.
        label: its name in the script of the reader.
        texture: its picture; None where the deck has none, and the name alone is shown.
        width: in units of the design.
        on_tap: called when it is tapped; None makes it a mere picture.
        name: what tests call it.
        look: ``plain``, ``chosen``, or ``unsure`` with a question mark and a broad edge.
    """

    def __init__(
        self,
        card: str,
        label: str,
        texture: Texture | None,
        width: float = 44,
        on_tap: Callable[[], object] | None = None,
        name: str = "",
        look: str = "plain",
    ) -> None:
        super().__init__(orientation="vertical", size_hint=(None, None))
        self.card = card
        self.name = name
        label = f"{label}?" if look == "unsure" else label
        self.text = label
        self._on_tap = on_tap
        self._inset = px(3) if look == "unsure" else 1
        wide = px(width)
        small = px(min(17.0, width * 0.36))
        self.size = (wide, wide * 1.5 + small * 1.5)
        fill = theme.CHOSEN if look == "chosen" else theme.WHITE
        with self.canvas.before:
            Color(*{"chosen": theme.BAND, "unsure": theme.UNSURE}.get(look, theme.LINE))
            self._edge = RoundedRectangle(radius=[px(5)])
            Color(*fill)
            self._ground = RoundedRectangle(radius=[px(4)])
            if texture is not None:
                Color(1, 1, 1, 1)
                self._picture: Rectangle | None = Rectangle(texture=texture)
            else:
                self._picture = None
        self._name = Label(
            text=label,
            color=theme.INK,
            font_size=small if texture is not None else wide * min(0.62, 0.84 / len(label)),
            size_hint_y=None if texture is not None else 1,
            height=small * 1.5,
        )
        self._small = small
        if texture is not None:
            self.add_widget(Widget())
        self.add_widget(self._name)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: object) -> None:
        self._edge.pos, self._edge.size = self.pos, self.size
        inset = self._inset
        self._ground.pos = (self.x + inset, self.y + inset)
        self._ground.size = (self.width - 2 * inset, self.height - 2 * inset)
        if self._picture is not None:
            edge = max(px(2), inset)
            self._picture.pos = (self.x + edge, self.y + self._small * 1.5)
            self._picture.size = (self.width - 2 * edge, self.height - self._small * 1.5 - edge)

    def on_release(self) -> None:
        """Do what the tap is for."""
        if self._on_tap is not None:
            self._on_tap()


def card_picture(crop: NDArray[np.uint8]) -> Image:
    """Show the end of a card as the photo has it.

    Args:
        crop: uint8[72, 48, 3].

    Returns:
        The picture.
    """
    return Image(texture=texture_of(crop), size_hint=(None, None), size=(px(88), px(132)), fit_mode="fill")


def place_picture(pixels: NDArray[np.uint8], mark: tuple[float, float]) -> Image | None:
    """Show the part of a photo round a place.

    Args:
        pixels: of the photo, uint8[h, w, 3].
        mark: the place in pixels.

    Returns:
        The picture; None where the place lies outside the photo.
    """
    reach = max(40, max(pixels.shape[:2]) // 12)
    x, y = (round(value) for value in mark)
    part = pixels[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    if not part.size:
        return None
    texture = texture_of(np.ascontiguousarray(part))
    return Image(texture=texture, size_hint=(0.8, None), height=px(150), fit_mode="contain")


class Bar(Widget):
    """How far a job is."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=px(18))
        self.share = 0.0
        with self.canvas:
            Color(*theme.LINE)
            self._ground = RoundedRectangle(radius=[px(9)])
            Color(*theme.BAND)
            self._done = RoundedRectangle(radius=[px(9)])
        self.bind(pos=self._place, size=self._place)

    def show(self, share: float) -> None:
        """Show a share.

        Args:
            share: 0 to 1.
        """
        self.share = share
        self._place()

    def _place(self, *_: object) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        self._done.pos = self.pos
        self._done.size = (max(self.height, self.width * self.share), self.height)


class Dot(Widget):
    """A small filled mark beside a line of the legend."""

    def __init__(self, colour: theme.Colour, *, round_: bool = True) -> None:
        super().__init__(size_hint=(None, None), size=(px(18), px(18)))
        with self.canvas:
            Color(*colour)
            self._shape = Ellipse() if round_ else Line(width=px(1.6), rectangle=(0, 0, 1, 1))
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: object) -> None:
        if isinstance(self._shape, Ellipse):
            self._shape.pos, self._shape.size = self.pos, self.size
        else:
            self._shape.rectangle = (*self.pos, *self.size)


def find(root: Widget, name: str) -> Widget | None:
    """Find a tappable widget by the name that tests call it.

    Args:
        root: where to look.
        name: of the widget.

    Returns:
        The first that has it.
    """
    for widget in root.walk(restrict=True):
        if getattr(widget, "name", None) == name:
            return widget
    return None
