"""What all pages share: a title with the way back, a body that scrolls, one main action below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from mobile_app.ui import theme
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Bar, Column, Face, Flow, Panel, Row, Scroll, Tap, Text
from mobile_app.words import card_name, words
from mobile_app.worker import Job
from vision.errors import Cancelled

if TYPE_CHECKING:
    from kivy.graphics.texture import Texture

    from mobile_app.model import Model
    from mobile_app.ui.app import SuanhuApp

Thought = TypeVar("Thought")

_SOON_S = 0.03
"""What is thought out within this time is shown at once, without a page that says to wait."""


class Page(BoxLayout):
    """One screen. It is built from the model and built anew when that changes.

    Args:
        app: the app, which goes from page to page.
    """

    title: ClassVar[str] = ""
    """The key of its title in `mobile_app.words`."""

    scrolls: ClassVar[bool] = True
    """Whether its body scrolls; a page with a photo fills the screen instead."""

    def __init__(self, app: SuanhuApp) -> None:
        super().__init__(orientation="vertical")
        self.app = app
        self.body: BoxLayout = Column(gap=10, padding=(px(12), px(10)))
        if not self.scrolls:
            self.body = BoxLayout(orientation="vertical", spacing=px(6), padding=(px(6), px(6)))
        self.foot = Column(gap=8, padding=(px(12), px(6), px(12), px(10)))
        self.scroll: Scroll | None = None
        self._thinking: Job[Any] | None = None

    @property
    def model(self) -> Model:
        """What the app holds."""
        return self.app.model

    def t(self, key: str, **parts: object) -> str:
        """Say a text in the chosen language.

        Args:
            key: of `mobile_app.words`.
            **parts: what is put into its places.

        Returns:
            The text.
        """
        return words(self.model.lang, key, **parts)

    def show(self) -> None:
        """Build the page."""
        self.add_widget(self._head())
        self.build()
        if isinstance(self.body, Column):
            self.scroll = Scroll(self.body)
            self.add_widget(self.scroll)
        else:
            self.add_widget(self.body)
        if self.foot.children:
            self.add_widget(self.foot)

    def build(self) -> None:
        """Fill body and foot; each page has its own."""
        raise NotImplementedError

    def leave(self) -> None:
        """The page is not shown any more; what it was still thinking about is dropped."""
        if self._thinking is not None:
            self._thinking.cancel()

    def think(self, work: Callable[[Job[Any]], Thought], show: Callable[[Thought], object], key: str) -> None:
        """Think something out beside the window, then fill the page with it; it can be stopped.

        Args:
            work: what to do, in a thread of its own.
            show: fills body and foot with what came of it.
            key: of the text that says what is being done.
        """
        job: Job[Any] = Job(work).start()
        if job.wait(_SOON_S):
            self._thought(job, show)
            return
        self._thinking = job
        bar = Bar()
        self.add(Widget(size_hint_y=None, height=px(60)), Text(self.t(key), theme.TITLE, align="center"), bar)
        self.foot.add_widget(self.button("reading.stop", self.app.back))
        begun = self.app.now()

        def go_on(_: float) -> bool:
            bar.show(max(job.progress.share, 1 - 3 / (3 + self.app.now() - begun)))
            return self._thinking is job

        def done(job: Job[Any]) -> None:
            self._thinking = None
            if self.app.page is self:
                self.body.clear_widgets()
                self.foot.clear_widgets()
                self._thought(job, show)

        Clock.schedule_interval(go_on, 0.1)
        self.app.watch(job, done)

    def _thought(self, job: Job[Any], show: Callable[[Thought], object]) -> None:
        try:
            thought = job.result()
        except Cancelled:
            return
        except ValueError as error:
            self.refused(error)
            return
        except Exception as error:  # noqa: BLE001 - said to the player
            self.app.fail(error)
            return
        show(thought)

    def beside(self, work: Callable[[Job[Any]], Thought], done: Callable[[Thought], object]) -> None:
        """Do something beside the window that goes on when the page is left; say where it fails.

        Args:
            work: what to do, in a thread of its own.
            done: called in the window's thread with what came of it.
        """

        def ended(job: Job[Any]) -> None:
            try:
                thought = job.result()
            except Cancelled:
                return
            except Exception as error:  # noqa: BLE001 - said to the player
                self.app.fail(error)
                return
            done(thought)

        self.app.run_job(Job(work), ended)

    def refused(self, error: ValueError) -> None:
        """Say why nothing came of what was thought about.

        Args:
            error: one with a `text`, or any other.
        """
        text = error.text(self.model.lang) if hasattr(error, "text") else str(error)
        self.add(self.note(text))

    def heading(self) -> str:
        """Say what the page is called."""
        return self.t(self.title)

    def _head(self) -> Widget:
        row = BoxLayout(size_hint_y=None, height=px(54), padding=(px(4), 0), spacing=px(2))
        with row.canvas.before:
            Color(*theme.BAND)
            ground = Rectangle()

        def place(*_: object) -> None:
            ground.pos, ground.size = row.pos, row.size

        row.bind(pos=place, size=place)
        if self.app.can_go_back:
            back = Tap("‹", self.app.back, "main", "back", 28, size_hint_x=None, width=px(52), size_hint_y=1)
            row.add_widget(back)
        label = Label(
            text=self.heading(),
            font_size=px(theme.TITLE),
            color=theme.WHITE,
            halign="left",
            valign="middle",
            shorten=True,
            shorten_from="right",
            padding=(px(8), 0),
        )
        label.bind(size=lambda widget, size: setattr(widget, "text_size", size))
        row.add_widget(label)
        for widget in self.head_actions():
            row.add_widget(widget)
        return row

    def head_actions(self) -> list[Widget]:
        """Give small buttons beside the title."""
        return []

    def small(self, text: str, on_tap: Callable[[], object], name: str, width: float = 64) -> Tap:
        """Make a small button for the head.

        Args:
            text: what it says.
            on_tap: called when it is tapped.
            name: what tests call it.
            width: in units of the design.

        Returns:
            The button.
        """
        return Tap(text, on_tap, "main", name, 17, size_hint_x=None, width=px(width), size_hint_y=1)

    def add(self, *widgets: Widget) -> None:
        """Put widgets into the body."""
        for widget in widgets:
            self.body.add_widget(widget)

    def main(self, key: str, on_tap: Callable[[], object], *, disabled: bool = False, **parts: object) -> Tap:
        """Put the one main action below the body.

        Args:
            key: of its text.
            on_tap: what it does.
            disabled: whether it cannot be tapped now.
            **parts: for the text.

        Returns:
            The button.
        """
        button = Tap(self.t(key, **parts), on_tap, "main", key, 24)
        button.disabled = disabled
        self.foot.add_widget(button)
        return button

    def button(
        self, key: str, on_tap: Callable[[], object], look: str = "plain", name: str = "", **parts: object
    ) -> Tap:
        """Make a button.

        Args:
            key: of its text.
            on_tap: what it does.
            look: as `Tap`.
            name: what tests call it; the key where empty.
            **parts: for the text.

        Returns:
            The button.
        """
        return Tap(self.t(key, **parts), on_tap, look, name or key)

    def text(self, key: str, size: float = theme.BODY, **parts: object) -> Text:
        """Make a text.

        Args:
            key: of the text.
            size: in units of the design.
            **parts: for the text.

        Returns:
            The widget.
        """
        return Text(self.t(key, **parts), size)

    def note(self, text: str, colour: theme.Colour = theme.CHOSEN) -> Panel:
        """Make a coloured note.

        Args:
            text: what it says.
            colour: of its ground.

        Returns:
            The widget.
        """
        return Panel(Text(text, theme.BODY), colour=colour)

    def chips(
        self, choices: Sequence[tuple[str, str, bool, Callable[[], object]]], columns: int = 3
    ) -> Column:
        """Make rows of buttons of which some are set.

        Args:
            choices: name, text, whether it is set, what a tap does.
            columns: in a row.

        Returns:
            The widget.
        """
        column = Column(gap=6)
        for start in range(0, len(choices), columns):
            taps: list[Widget] = [
                Tap(text, on_tap, "chosen" if chosen else "plain", name, 19)
                for name, text, chosen, on_tap in choices[start : start + columns]
            ]
            taps += [Widget(size_hint_y=None, height=px(1)) for _ in range(columns - len(taps))]
            column.add_widget(Row(*taps, gap=6))
        return column

    def card_name(self, card: str) -> str:
        """Write a card in the script of the reader."""
        return card_name(self.model.lang, card)

    def face(
        self,
        card: str,
        width: float = 44,
        on_tap: Callable[[], object] | None = None,
        name: str = "",
        look: str = "plain",
    ) -> Face:
        """Draw a face as the deck draws it.

        Args:
            card: in the standard spelling.
            width: in units of the design.
            on_tap: what a tap does.
            name: what tests call it.
            look: ``plain``, ``chosen`` or ``unsure``.

        Returns:
            The widget.
        """
        label = self.card_name(card)
        texture: Texture | None = self.app.faces().get(card.partition(">")[0])
        return Face(card, label, texture, width, on_tap, name, look)

    def faces(self, cards: tuple[str, ...] | list[str], width: float = 44) -> Flow:
        """Draw several faces, running on.

        Args:
            cards: in the standard spelling.
            width: of each in units of the design.

        Returns:
            The widget.
        """
        return Flow([self.face(card, width) for card in cards], gap=4)

    def keyboard(self, on_card: Callable[[str], object], *, width: float = 50, prefix: str = "key") -> Flow:
        """Make a keyboard of the deck's faces.

        Args:
            on_card: called with the card that was tapped.
            width: of each face in units of the design.
            prefix: of the names that tests call the keys.

        Returns:
            The widget.
        """
        import scorer

        def key(card: str) -> Face:
            return self.face(card, width, lambda: on_card(card), f"{prefix}.{card}")

        return Flow([key(card) for card in scorer.deck_cards(self.model.kind)], gap=5)
