"""What the photo cannot say: what lay on the table, which card won, who won and from whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from kivy.uix.widget import Widget

from mobile_app.draft import Shown, is_group, split_groups
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.pages.review import CardsPage
from mobile_app.ui.photo_view import Mark
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Column, Panel, Row, Scroll, Tap, Text

_MOST_DUI = 8


class LaidPage(CardsPage):
    """Which groups lay on the table before.

    Args:
        app: the app.
        teach: whether the hand is one in play, whose advice this page was opened from.
    """

    title: ClassVar[str] = "laid.title"

    def __init__(self, app: object, *, teach: bool = False) -> None:
        super().__init__(app)
        self._teach = teach
        self._chosen: set[int] = set()

    def build(self) -> None:
        """Show a guess, the cards, and the groups that were named."""
        self._hint = Text("", 18)
        self.add(self._hint)
        self.add_cards()
        if self.view is not None:
            self.view.on_frame = self._framed
        self._list = Column(gap=5)
        self._lower = Scroll(self._list)
        self._lower.size_hint_y = None
        self._list.bind(height=self._fit)
        self.add(self._lower)
        self._button = self.main("laid.next", self._go_on)
        self._show()

    def _fit(self, *_: object) -> None:
        self._lower.height = min(self._list.height, px(196))

    def mark(self, card: Shown) -> Mark:
        """Colour laid cards by their group."""
        mark = super().mark(card)
        if card.key in self._chosen:
            return replace(mark, colour=theme.BAND, filled=True, unsure=False)
        if any(card.key in group.keys for group in self.draft.laid):
            return replace(mark, colour=theme.LAID, filled=True)
        return mark

    def tapped(self, key: object) -> None:
        """Choose a card for a group, or not."""
        if not isinstance(key, int) or self.draft.card(key).left_out:
            return
        for place, group in enumerate(self.draft.laid):
            if key in group.keys:
                self.model.change(self.draft.unlay(place))
                self._chosen.clear()
                self._show()
                return
        self._chosen ^= {key}
        self._show()

    def _framed(self, keys: list[object]) -> None:
        """Lay what a frame was drawn round; what falls into no groups is only chosen, to be tapped right."""
        on_table = {key for group in self.draft.laid for key in group.keys}
        cards = [
            card
            for card in self.draft.shown(all_cards=False)
            if card.key in keys and card.key not in on_table
        ]
        groups = split_groups(self.model.kind, cards) if cards else ()
        if groups:
            draft = self.draft
            for group in groups:
                draft = draft.lay(group)
            self.model.change(draft)
            self._chosen.clear()
        else:
            self._chosen |= {card.key for card in cards}
        self._show()

    def _names(self) -> list[str]:
        return [self.draft.card(key).card for key in sorted(self._chosen)]

    def _show(self) -> None:
        self.show_cards()
        self._list.clear_widgets()
        names = self._names()
        if names:
            self._hint.say("　".join(self.card_name(name) for name in names))
        else:
            self._hint.say(self.t("laid.how"))
            self._offer_guess()
        good = is_group(self.model.kind, names)
        self._button.disabled = bool(names) and not good
        self._button.say(self.t("laid.group" if names else self._next_key()))
        self._button.name = "laid.group" if names else "laid.next"
        for place, group in enumerate(self.draft.laid):
            cards = "".join(self.card_name(self.draft.card(key).card) for key in group.keys)
            row: list[Widget] = [Text(cards, theme.TITLE)]
            if len(group.keys) >= 4:
                key = "laid.declared" if group.bracket == "square" else "laid.picked_up"
                row.append(Tap(self.t(key), self._turner(place), "chosen", f"laid.turn.{place}", 17))
            row.append(Tap(self.t("laid.back"), self._unlayer(place), "plain", f"laid.back.{place}", 17))
            self._list.add_widget(Row(*row, gap=5))

    def _next_key(self) -> str:
        if self._teach:
            return "laid.advice"
        return "laid.next" if self.draft.laid else "laid.none"

    def _offer_guess(self) -> None:
        draft = self.draft
        if draft.laid or draft.answered_laid:
            return
        guess = draft.guess(self.model.kind)
        if not guess:
            return
        groups = "　".join(
            "".join(self.card_name(draft.card(key).card) for key in group) for group in guess.laid
        )
        parts = [self.t("laid.guess_groups", groups=groups)] if guess.laid else []
        if guess.win is not None:
            parts.append(self.t("laid.guess_win", card=self.card_name(draft.card(guess.win).card)))
        text = self.t("laid.guess", what=self.t("and").join(parts))

        def agree() -> None:
            self.model.change(draft.take_guess(guess))
            self._show()

        self._list.add_widget(
            Panel(Text(text, 18), self.button("laid.agree", agree, "chosen"), colour=theme.CHOSEN)
        )

    def _turner(self, place: int) -> Callable[[], None]:
        def do() -> None:
            self.model.change(self.draft.turn(place))
            self._show()

        return do

    def _unlayer(self, place: int) -> Callable[[], None]:
        def do() -> None:
            self.model.change(self.draft.unlay(place))
            self._show()

        return do

    def _go_on(self) -> None:
        if self._chosen:
            self.model.change(self.draft.lay(sorted(self._chosen)))
            self._chosen.clear()
            self._show()
            return
        if not self.draft.laid:
            self.model.change(replace(self.draft, answered_laid=True))
        if self._teach:
            self.app.back()
            return
        self.app.go(lambda: WinPage(self.app))


class WinPage(CardsPage):
    """Which card won."""

    title: ClassVar[str] = "win.title"

    def build(self) -> None:
        """Show the cards; one tap names the winning one."""
        self._hint = Text("", theme.BODY)
        self.add(self._hint)
        self.add_cards()
        self._button = self.main("win.next", lambda: self.app.go(lambda: WhoPage(self.app)))
        self._show()

    def mark(self, card: Shown) -> Mark:
        """Mark the winning card, and the laid ones that cannot be it."""
        mark = super().mark(card)
        if card.key == self.draft.win:
            return replace(mark, colour=theme.WON, filled=True, label=f"★{mark.label}")
        if any(card.key in group.keys for group in self.draft.laid):
            return replace(mark, colour=theme.LAID, unsure=False)
        return mark

    def tapped(self, key: object) -> None:
        """Take the card for the winning one, or not any more."""
        if not isinstance(key, int) or self.draft.card(key).left_out:
            return
        self.model.change(self.draft.win_with(None if key == self.draft.win else key))
        self._show()

    def _show(self) -> None:
        self.show_cards()
        win = self.draft.win
        if win is None:
            self._hint.say(self.t("win.how"))
        else:
            self._hint.say(self.t("win.is", card=self.card_name(self.draft.card(win).card)))
        self._button.say(self.t("win.skip" if win is None else "win.next"))


class WhoPage(Page):
    """Who won, and from whom."""

    title: ClassVar[str] = "who.title"

    def build(self) -> None:
        """Show the players."""
        model = self.model
        seats, rested = model.seats()
        if rested:
            self.add(self.text("who.dealer"))
            dealer = model.dealer or model.everybody[0]
            names = [(f"dealer.{name}", name, name == dealer, self._deal(name)) for name in model.everybody]
            self.add(self.chips(names, columns=2))
            self.add(Text(self.t("who.rests", name=self.t("comma").join(rested)), theme.BODY, theme.SOFT))
        self.add(self.text("who.winner", theme.TITLE))
        self.add(
            self.chips(
                [
                    (f"winner.{seat}", name, seat == model.winner, self._win(seat, None))
                    for seat, name in enumerate(seats)
                ],
                columns=len(seats) if len(seats) < 4 else 2,
            )
        )
        self.add(self.text("who.from", theme.TITLE))
        self.add(
            self.chips(
                [("from.self", self.t("who.self"), model.discarder is None, self._win(model.winner, None))],
                columns=1,
            )
        )
        others = [seat for seat in range(len(seats)) if seat != model.winner]
        self.add(
            self.chips(
                [
                    (
                        f"from.{seat}",
                        self.t("who.by", name=seats[seat]),
                        seat == model.discarder,
                        self._win(model.winner, seat),
                    )
                    for seat in others
                ],
                columns=min(2, len(others)),
            )
        )
        if model.asks_dui:
            self._dui(seats)
        self.main("who.count", self._count)

    def _dui(self, seats: tuple[str, ...]) -> None:
        rows: list[Widget] = [Text(self.t("who.dui"), theme.BODY)]
        for seat, name in enumerate(seats):
            if seat == self.model.winner:
                continue
            count = self.model.dui.get(seat, 0)
            rows.append(
                Row(
                    Text(name, theme.BODY),
                    Tap("−", self._expose(seat, max(0, count - 1)), "plain", f"dui.less.{seat}"),
                    Text(str(count), theme.TITLE, align="center"),
                    Tap("＋", self._expose(seat, min(_MOST_DUI, count + 1)), "plain", f"dui.more.{seat}"),
                )
            )
        self.add(Panel(*rows))

    def _win(self, winner: int, discarder: int | None) -> Callable[[], None]:
        def do() -> None:
            self.model.won_by(winner, discarder)
            self.app.refresh()

        return do

    def _expose(self, seat: int, count: int) -> Callable[[], None]:
        def do() -> None:
            self.model.exposed(seat, count)
            self.app.refresh()

        return do

    def _deal(self, name: str) -> Callable[[], None]:
        def do() -> None:
            self.model.dealer = name
            self.model.won_by(0, None)
            self.app.refresh()

        return do

    def _count(self) -> None:
        from mobile_app.ui.pages.result import ResultPage

        self.app.go(lambda: ResultPage(self.app))
