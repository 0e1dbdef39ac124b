"""The argument, "he says 17, I say 22": where another's count and ours part, and what would make it right."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kivy.uix.widget import Widget

import scorer
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.widgets import Column, Panel, Row, Tap, Text
from mobile_app.words import WORDS, pick
from table.argument import Argument, Explanation, Parting

_MOST_DIGITS = 4
_MOST_SHOWN = 4


class ClaimPage(Page):
    """What somebody else counts, tapped digit by digit."""

    title: ClassVar[str] = "argue.title"

    def build(self) -> None:
        """Show the number and the digits."""
        self._claim = ""
        self.add(self.text("argue.how", theme.TITLE))
        self._shown = Text("0", theme.HUGE, theme.SOFT, "center")
        self.add(self._shown)
        for digits in ("123", "456", "789", "←0"):
            keys: list[Widget] = [
                Tap(each, self._press(each), "plain", f"digit.{each}", 28) for each in digits
            ]
            if len(keys) < 3:
                keys.append(Widget(size_hint_y=None, height=1))
            self.add(Row(*keys))
        self._button = self.main("argue.compare", self._compare, disabled=True)

    def _press(self, key: str) -> Callable[[], None]:
        def do() -> None:
            digits = self._claim[:-1] if key == "←" else (self._claim + key).lstrip("0")
            if len(digits) <= _MOST_DIGITS:
                self._claim = digits
            self._shown.say(self._claim or "0")
            self._shown.color = theme.BAND if self._claim else theme.SOFT
            self._button.disabled = not self._claim

        return do

    def _compare(self) -> None:
        claim = int(self._claim)
        self.app.go(lambda: ArgumentPage(self.app, claim))


class ArgumentPage(Page):
    """Both counts, and what would make the other right.

    Args:
        app: the app.
        claim: the points that somebody else counts.
    """

    title: ClassVar[str] = "argue.found"

    def __init__(self, app: object, claim: int) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._claim = claim

    def build(self) -> None:
        """Look for where the two part."""
        self.think(self.model.arguing(self._claim), self._show, "argue.looking")

    def _show(self, argument: Argument) -> None:
        ours = self.t("result.no_win_short") if argument.ours is None else str(argument.ours)
        self.add(
            Row(
                Column(self._centred("argue.theirs"), Text(str(argument.theirs), 52, theme.SOFT, "center")),
                Column(self._centred("argue.ours"), Text(ours, 52, theme.BAND, "center")),
            )
        )
        if argument.right:
            self.add(self.note(self.t("argue.right")))
        # A group miscounted by chance explains many a claim: it is named only where nothing better does.
        better = [each for each in argument.explanations if each.kind != "miscount"]
        for number, explanation in enumerate((better or argument.explanations)[:_MOST_SHOWN]):
            self._explain(number, explanation)
        if not argument.right and not argument.explanations:
            self.add(self.note(self.t("argue.nothing")))
        self.main("argue.back", self._to_result)

    def _centred(self, key: str) -> Text:
        return Text(self.t(key), theme.BODY, align="center")

    def _explain(self, number: int, explanation: Explanation) -> None:
        text = explanation.text
        if explanation.options:
            settings = self.t("and").join(self._setting(*each) for each in explanation.options.items())
            text = self.t("argue.option", settings=settings, claim=self._claim)
        widgets: list[Widget] = [Text(text, theme.BODY)]
        widgets += [self._parting(parting) for parting in explanation.partings]
        if len(explanation.options) == 1:
            ((name, value),) = explanation.options.items()
            widgets.append(
                self.button("argue.take", self._taker(name, value), "chosen", f"argue.take.{number}")
            )
        self.add(Panel(*widgets))

    def _setting(self, name: str, value: str) -> str:
        option = self._option(name)
        key = f"value.{value}"
        shown = self.t(key) if key in WORDS else self.card_name(value)
        meaning = pick(self.model.lang, option.meaning, option.meaning_en)
        return self.t("argue.setting", meaning=meaning, value=shown)

    def _option(self, name: str) -> scorer.Option:
        return next(each for each in self.model.book.option_details if each.name == name)

    def _parting(self, parting: Parting) -> Widget:
        def side(key: str, points: int | None) -> Text:
            said = self.t("argue.no_group") if points is None else str(points)
            return Text(f"{self.t(key)} {said}", theme.SMALL, theme.SOFT)

        faces = self.faces(list(parting.cards), 34)
        sides = Column(side("argue.theirs", parting.theirs), side("argue.ours", parting.ours), gap=2)
        sides.size_hint_x = 0.5
        return Row(faces, sides)

    def _taker(self, name: str, value: str) -> Callable[[], None]:
        from scorer.book import show_value

        option = self._option(name)

        def do() -> None:
            allowed = next(each for each in option.allowed if show_value(each) == value)
            self.model.set(self.model.settings.with_option(name, allowed))
            self._to_result()

        return do

    def _to_result(self) -> None:
        self.app.back()
        self.app.back()
