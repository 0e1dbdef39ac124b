"""The photo with what was read over it; a tap corrects a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from mobile_app.draft import Draft, Shown
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.photo_view import Mark, PhotoView
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Column, Dot, Flow, Row, Scroll, Tap, Text, card_picture, place_picture

DOUBT = "doubt"


class CardsPage(Page):
    """A page that shows the hand: over its photo, or as faces where it was entered."""

    scrolls: ClassVar[bool] = False

    def __init__(self, app: object) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self.view: PhotoView | None = None

    @property
    def draft(self) -> Draft:
        """The hand."""
        return self.model.draft

    def add_cards(self) -> None:
        """Put the photo, or the faces, into the body."""
        picture = self.model.picture
        if picture is None:
            self._faces = Column(gap=8)
            self.add(Scroll(self._faces))
            self.show_cards()
            return
        self.view = PhotoView(self.app.photo_texture(picture), self.draft.reading.size, self.tapped, None)
        self.add(self.view)
        added = [card for card in self.draft.shown() if card.outline is None]
        if added:
            faces = [self.face(card.card, 38, self._tap(card.key), f"card.{card.key}") for card in added]
            self.add(Flow(faces, gap=4))
        self.show_cards()

    def show_cards(self) -> None:
        """Draw the marks anew."""
        cards = self.draft.shown()
        if self.view is None:
            self._faces.clear_widgets()
            looks = {card.key: self.mark(card) for card in cards}
            faces = [
                self.face(
                    card.card,
                    46,
                    self._tap(card.key),
                    f"card.{card.key}",
                    "chosen" if looks[card.key].filled else "plain" if card.sure else "unsure",
                )
                for card in cards
                if not card.left_out
            ]
            self._faces.add_widget(Flow(faces, gap=5))
            return
        marks = [self.mark(card) for card in cards if card.mark is not None]
        for place, doubt in self.draft.doubts:
            marks.append(Mark((DOUBT, place), "", (), doubt.mark, theme.UNSURE, unsure=True))
        self.view.show(marks)

    def _tap(self, key: int) -> Callable[[], None]:
        return lambda: self.tapped(key)

    def mark(self, card: Shown) -> Mark:
        """Say how a card is drawn.

        Args:
            card: of the hand.

        Returns:
            Its mark.
        """
        return Mark(
            card.key,
            self.card_name(card.card),
            card.outline or (),
            card.mark or (0.0, 0.0),
            theme.SURE if card.sure else theme.UNSURE,
            unsure=not card.sure and not card.left_out,
            crossed=card.left_out,
        )

    def tapped(self, key: object) -> None:
        """A card was tapped."""
        raise NotImplementedError

    def head_actions(self) -> list[Widget]:
        """Offer a larger photo."""
        if self.model.picture is None:
            return []
        return [self.small(self.t("zoom"), self._turn_zoom, "zoom")]

    def _turn_zoom(self) -> None:
        if self.view is not None:
            self.view.turn()

    def leave(self) -> None:
        """Stop blinking."""
        super().leave()
        if self.view is not None:
            self.view.stop()


class ReviewPage(CardsPage):
    """Is everything read right?

    Args:
        app: the app.
        teach: whether the hand is one in play.
    """

    title: ClassVar[str] = "review.title"

    def __init__(self, app: object, *, teach: bool = False) -> None:
        super().__init__(app)
        self._teach = teach
        self._leaving_out = False
        self._heaps = False

    def build(self) -> None:
        """Show the photo, what is unsure, and the ways to correct."""
        reading, draft = self.draft.reading, self.draft
        for problem in self.model.problems:
            self.add(self.note(self.t(f"problem.{problem}"), theme.CHOSEN))
        if reading.unknown_deck or (reading.kind is None and (reading.cards or reading.doubts)):
            self.add(self.note(self.t("review.unknown_deck")))
        elif not draft.count and not draft.doubts:
            self.add(self.note(self.t("review.nothing")))
        self._legend = BoxLayout(size_hint_y=None)
        self.add(self._legend)
        self.add_cards()
        self._tools()
        self._show_legend()
        if reading.unknown_deck:
            from mobile_app.ui.pages.decks import DecksPage

            self.foot.add_widget(
                self.button("review.learn_deck", lambda: self.app.go(lambda: DecksPage(self.app)))
            )
        self.main("review.next", self._next, disabled=draft.count == 0)

    def _tools(self) -> None:
        tools = [
            self._tool("review.add", self._add),
            self._tool("review.out", self._toggle_out, "review.out"),
        ]
        if self.model.picture is not None:
            tools.append(self._tool("review.more", self._more))
        tools.append(self._tool("review.undo", self._undo))
        tools[-1].disabled = not self.model.can_step_back
        self._out_button = tools[1]
        self.add(Row(*tools, gap=5))

    def _tool(self, key: str, on_tap: Callable[[], object], name: str = "") -> Tap:
        return Tap(self.t(key), on_tap, "plain", name or key, 18)

    def _show_legend(self) -> None:
        self._legend.clear_widgets()
        draft = self.draft
        if self._leaving_out:
            look = "chosen" if self._heaps else "plain"
            heap = Tap(self.t("review.heap"), self._turn_heaps, look, "review.heap", 17)
            heap.size_hint_x = 0.3
            row = Row(Text(self.t("review.out_how"), 18), heap)
        else:
            unsure = len(draft.unsure) + len(draft.doubts)
            count = Text(self.t("review.count", count=draft.count), 18, size_hint_x=0.45)
            if unsure:
                many = Text(self.t("review.unsure", count=unsure), 18, theme.LOSS)
                row = Row(count, Dot(theme.UNSURE, round_=False), many, gap=6)
            else:
                row = Row(count, Text(self.t("review.sure"), 18, theme.GAIN), gap=6)
        least = px(54 if self._leaving_out else 30)

        def grow(*_: object) -> None:
            self._legend.height = max(least, row.height)

        row.bind(height=grow)
        grow()
        self._legend.add_widget(row)

    def tapped(self, key: object) -> None:
        """Correct the card, or leave it out."""
        app = self.app
        if isinstance(key, tuple):
            place = key[1]
            app.go(lambda: CorrectPage(app, doubt=place))
            return
        assert isinstance(key, int)  # noqa: S101
        if not self._leaving_out:
            app.go(lambda: CorrectPage(app, key))
            return
        draft = self.draft
        keys = draft.together(key) if self._heaps else (key,)
        out = draft.card(key).left_out
        self.model.change(draft.take_back(keys) if out else draft.leave_out(keys))
        self.app.refresh_soft(self._keep_leaving_out)

    def _turn_heaps(self) -> None:
        """Let a tap leave out all cards that lie together, or one alone."""
        self._heaps = not self._heaps
        self._show_legend()

    def _framed(self, keys: list[object]) -> None:
        cards = [key for key in keys if isinstance(key, int)]
        doubts = [key[1] for key in keys if isinstance(key, tuple)]
        draft = self.draft.leave_out(cards)
        for place in doubts:
            draft = draft.clear(place)
        self.model.change(draft)
        self.app.refresh_soft(self._keep_leaving_out)

    def _keep_leaving_out(self, page: Page) -> None:
        if isinstance(page, ReviewPage):
            page._heaps = self._heaps  # noqa: SLF001
            page._toggle_out()  # noqa: SLF001

    def _toggle_out(self) -> None:
        self._leaving_out = not self._leaving_out
        self._out_button.look = "chosen" if self._leaving_out else "plain"
        self._out_button._paint()  # noqa: SLF001
        if self.view is not None:
            self.view.on_frame = self._framed if self._leaving_out else None
        self._show_legend()

    def _add(self) -> None:
        self.app.go(lambda: CorrectPage(self.app))

    def _more(self) -> None:
        from mobile_app.ui.pages.photo import PhotoPage

        self.app.go(lambda: PhotoPage(self.app, another=True, teach=self._teach))

    def _undo(self) -> None:
        if self.model.step_back():
            self.app.refresh()

    def _next(self) -> None:
        app = self.app
        if self._teach:
            from mobile_app.ui.pages.teach import AdvicePage

            app.go(lambda: AdvicePage(app))
            return
        from mobile_app.ui.pages.lay import LaidPage

        app.go(lambda: LaidPage(app))


class CorrectPage(Page):
    """What a card is: the likely ones first, then every face of the deck.

    Args:
        app: the app.
        key: of the card; None adds one.
        doubt: the place that could not be read and that is answered.
    """

    title: ClassVar[str] = "correct.title"

    def __init__(self, app: object, key: int | None = None, doubt: int | None = None) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._key = key
        self._doubt = doubt

    def build(self) -> None:
        """Show the card, the likely names, and the keyboard."""
        if self._doubt is not None:
            self._ask_doubt(self._doubt)
        elif self._key is not None:
            self._ask_card(self._key)
        self.add(self.text("correct.keyboard"), self.keyboard(self._call))
        if self._key is not None:
            self._leave_out(self._key)

    def _ask_doubt(self, place: int) -> None:
        doubt = self.model.draft.reading.doubts[place]
        self.add(Text(self.t("correct.doubt." + doubt.why.replace(" ", "_"))))
        self._crop_at(doubt.mark)
        self.add(self.button("correct.no_card", self._nothing_there))

    def _ask_card(self, key: int) -> None:
        card = self.model.draft.card(key)
        crop = self.model.draft.reading.cards[key].crop if key >= 0 else None
        names = [card.card, *(name for name, share in card.others[:3] if share >= 0.005)]
        likely = Flow([self.face(name, 68, self._caller(name), f"likely.{name}") for name in names], gap=8)
        if crop is None:
            self.add(likely)
            return
        text = "correct.is_it" if card.sure else "correct.which"
        self.add(Row(card_picture(crop), Column(self.text(text), likely)))

    def _crop_at(self, mark: tuple[float, float]) -> None:
        picture = self.model.picture
        shown = None if picture is None else place_picture(picture.pixels, mark)
        if shown is not None:
            self.add(shown)

    def _leave_out(self, key: int) -> None:
        draft = self.model.draft
        card = draft.card(key)
        if card.left_out:
            self.add(self.button("correct.take_back", self._taker(draft.take_back([key]))))
            return
        self.add(self.button("correct.leave_out", self._taker(draft.leave_out([key]))))
        together = draft.together(key)
        if len(together) > 1:
            button = self.button(
                "correct.leave_out_group", self._taker(draft.leave_out(together)), count=len(together)
            )
            self.add(button)
        if self.model.book.truth("table.picked_cards"):
            key_ = "correct.not_picked" if card.picked else "correct.picked"
            self.add(self.button(key_, self._taker(draft.pick(key))))

    def _taker(self, draft: Draft) -> Callable[[], None]:
        def do() -> None:
            self.model.change(draft)
            self.app.back()

        return do

    def _caller(self, card: str) -> Callable[[], None]:
        return lambda: self._call(card)

    def _call(self, card: str) -> None:
        draft = self.model.draft
        self.model.change(
            draft.call(self._key, card) if self._key is not None else draft.add(card, doubt=self._doubt)
        )
        self.app.back()

    def _nothing_there(self) -> None:
        if self._doubt is not None:
            self.model.change(self.model.draft.clear(self._doubt))
        self.app.back()
