"""The table's rule, chosen once: the book, how many play, what a step is worth, the options, the names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from kivy.uix.widget import Widget

import scorer
from mobile_app.evening import players_of
from mobile_app.players import addressed, colour_names, seat_names, surnames
from mobile_app.settings import MOST_STAKE, OptionValue
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.widgets import Column, Panel, Row, Tap, Text
from mobile_app.words import capital, pick
from scorer.book import show_value

STAKES = (1, 2, 5, 10, 20, 50, 100)


class RulePage(Page):
    """Which rule is played."""

    title: ClassVar[str] = "rule.title"

    def build(self) -> None:
        """List the rule books."""
        if self.model.settings.rule is None:
            self._languages()
        for rule in scorer.RULES:
            book = scorer.load_book(rule)
            title = book.title_in(self.model.lang)
            players = "·".join(map(str, book.players))
            text = f"{title}\n{self.t('rule.about', cards=book.kind, players=players)}"
            look = "chosen" if rule == self.model.settings.rule else "plain"
            self.add(Tap(text, self._choose(rule), look, f"rule.{rule}"))

    def _languages(self) -> None:
        model = self.model

        def set_to(lang: str) -> Callable[[], None]:
            def do() -> None:
                model.set(replace(model.settings, lang=lang))
                self.app.refresh()

            return do

        self.add(
            self.chips(
                [
                    (f"lang.{lang}", name, lang == model.lang, set_to(lang))
                    for lang, name in (("zh-Hant", "繁體"), ("zh-Hans", "简体"), ("en", "English"))
                ]
            )
        )

    def _choose(self, rule: str) -> Callable[[], None]:
        def do() -> None:
            self.model.set(self.model.settings.with_rule(rule))
            self.app.swap(lambda: TablePage(self.app))

        return do


class TablePage(Page):
    """How this table plays that rule."""

    title: ClassVar[str] = "table.title"

    def heading(self) -> str:
        """Say which rule it is."""
        return self.model.book.title_in(self.model.lang)

    def build(self) -> None:
        """Show players, stake and options."""
        settings, book = self.model.settings, self.model.book
        self.add(self.text("table.players"))
        self.add(
            self.chips(
                [
                    (
                        f"players.{number}",
                        str(number),
                        number == settings.players,
                        self._set(players=number, names=()),
                    )
                    for number in book.players
                ]
            )
        )
        self.add(self.text("table.names"))
        self.add(
            self.chips(
                [
                    (f"name.{place}", name, False, self._name(place))
                    for place, name in enumerate(players_of(settings))
                ],
                columns=2,
            )
        )
        self.add(self.text("table.stake", unit=pick(self.model.lang, book.text("step_unit"), "")))
        choices = [
            (f"stake.{stake}", str(stake), stake == settings.stake, self._set(stake=stake))
            for stake in STAKES
        ]
        self.add(self.chips(choices, columns=4), self._stepper())
        for option in book.option_details:
            self._option(option)
        self.main("table.done", self._done)

    def _done(self) -> None:
        self.app.home()

    def _set(self, **change: object) -> Callable[[], None]:
        def do() -> None:
            self.model.set(replace(self.model.settings, **change))  # type: ignore[arg-type]
            self.app.refresh()

        return do

    def _name(self, place: int) -> Callable[[], None]:
        return lambda: self.app.go(lambda: NamePage(self.app, place))

    def _stepper(self) -> Row:
        stake = self.model.settings.stake
        return Row(
            Tap("−", self._set(stake=max(1, stake - 1)), "plain", "stake.less"),
            Text(str(stake), theme.TITLE, align="center"),
            Tap("＋", self._set(stake=min(MOST_STAKE, stake + 1)), "plain", "stake.more"),
        )

    def _option(self, option: scorer.Option) -> None:
        meaning = capital(pick(self.model.lang, option.meaning, option.meaning_en))
        column: list[Widget] = [Text(meaning, theme.BODY)]
        if option.allowed:
            values = [
                (
                    f"option.{option.name}.{show_value(value)}",
                    self._value(value),
                    value == option.value,
                    self._set_option(option.name, value),
                )
                for value in option.allowed
            ]
            column.append(self.chips(values, columns=2 if len(values) < 5 else 3))
        else:
            value = int(option.value)
            column.append(
                Row(
                    Tap(
                        "−",
                        self._set_option(option.name, max(option.least, value - 1)),
                        "plain",
                        f"{option.name}.less",
                    ),
                    Text(str(value), theme.TITLE, align="center"),
                    Tap("＋", self._set_option(option.name, value + 1), "plain", f"{option.name}.more"),
                )
            )
        self.add(Panel(*column))

    def _value(self, value: object) -> str:
        known = f"value.{show_value(value)}"
        from mobile_app.words import WORDS

        return self.t(known) if known in WORDS else self.card_name(show_value(value))

    def _set_option(self, name: str, value: OptionValue) -> Callable[[], None]:
        def do() -> None:
            try:
                self.model.set(self.model.settings.with_option(name, value))
            except scorer.ScorerError as error:
                self.app.fail(error)
            self.app.refresh()

        return do


class NamePage(Page):
    """What a player is called: by the seat, a colour, a surname, or typed where the machine can."""

    title: ClassVar[str] = "name.title"

    def __init__(self, app: object, place: int, surname: str | None = None) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._place = place
        self._surname = surname

    def build(self) -> None:
        """List the names."""
        lang = self.model.lang
        if self._surname is not None:
            self.add(self._names((self._surname, *addressed(self._surname, lang)), columns=2))
            return
        self.add(self.text("name.seats"), self._names(seat_names(lang), columns=4))
        self.add(self.text("name.colours"), self._names(colour_names(lang), columns=4))
        self.add(self.text("name.surnames"))
        chips = [(f"surname.{name}", name, False, self._with_surname(name)) for name in surnames(lang)]
        self.add(self.chips(chips, columns=6))
        if self.app.device.has_dialog:
            self.add(self.button("name.type", self._type))

    def _names(self, names: tuple[str, ...], columns: int) -> Column:
        return self.chips([(f"call.{name}", name, False, self._call(name)) for name in names], columns)

    def _with_surname(self, surname: str) -> Callable[[], None]:
        return lambda: self.app.swap(lambda: NamePage(self.app, self._place, surname))

    def _call(self, name: str) -> Callable[[], None]:
        def do() -> None:
            names = list(players_of(self.model.settings))
            if name in names and names[self._place] != name:
                other = names.index(name)
                names[other] = names[self._place]
            names[self._place] = name
            self.model.set(replace(self.model.settings, names=tuple(names)))
            self.app.back()

        return do

    def _type(self) -> None:
        def typed(text: str | None) -> None:
            name = (text or "").strip()[:20]
            if name:
                self._call(name)()

        current = players_of(self.model.settings)[self._place]
        self.app.device.ask_text(self.t("name.title"), current, self.app.later(typed))
