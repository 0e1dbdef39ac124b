"""The first page: photograph a hand; all else is one tap away."""

from __future__ import annotations

from typing import ClassVar

from mobile_app.evening import named_totals, signed
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Panel, Row, Tap, Text
from table.ledger import LedgerError


class HomePage(Page):
    """What the app opens with."""

    title: ClassVar[str] = "home.title"

    def build(self) -> None:
        """Show the rule that is played, the totals, and the main action."""
        from mobile_app.ui.pages.decks import DecksPage
        from mobile_app.ui.pages.ledger import LedgerPage
        from mobile_app.ui.pages.options import OptionsPage
        from mobile_app.ui.pages.photo import PhotoPage
        from mobile_app.ui.pages.rule import RulePage
        from mobile_app.ui.pages.teach import TeachPage

        app, settings = self.app, self.model.settings
        if settings.rule is None:
            self.add(self.text("home.no_rule"))
            self.main("home.choose_rule", lambda: app.go(lambda: RulePage(app)))
            return
        book = self.model.book
        panel = Panel(
            Text(book.title_in(self.model.lang), theme.TITLE),
            Text(
                self.t(
                    "home.table",
                    players=settings.players,
                    stake=settings.stake,
                    unit=self.step_unit(),
                ),
                theme.BODY,
                theme.SOFT,
            ),
            Text("　".join(self.model.everybody), theme.BODY),
            self.button("home.change", lambda: app.go(lambda: RulePage(app)), "quiet"),
        )
        if self.model.restored:
            self.add(self.note(self.t("home.restored")))
        self.add(panel)
        self._totals()
        self.add(
            Row(
                self._tile("home.ledger", lambda: app.go(lambda: LedgerPage(app))),
                self._tile("home.teach", lambda: app.go(lambda: TeachPage(app))),
            ),
            Row(
                self._tile("home.decks", lambda: app.go(lambda: DecksPage(app))),
                self._tile("home.settings", lambda: app.go(lambda: OptionsPage(app))),
            ),
        )
        if self.model.draft.count:
            from mobile_app.ui.pages.review import ReviewPage

            self.foot.add_widget(self.button("home.continue", lambda: app.go(lambda: ReviewPage(app))))
        self.main("home.photo", lambda: app.go(lambda: PhotoPage(app)))

    def step_unit(self) -> str:
        """Say what the region calls a step."""
        from mobile_app.words import pick

        unit = self.model.book.text("step_unit")
        return pick(self.model.lang, unit or self.t("step"), self.t("step"))

    def _tile(self, key: str, on_tap: object) -> Tap:
        tile = self.button(key, on_tap)  # type: ignore[arg-type]
        tile.height = tile._least = px(64)  # noqa: SLF001
        return tile

    def _totals(self) -> None:
        try:
            table = self.model.evening.table(self.model.settings)
        except LedgerError as error:
            self.add(self.note(error.text(self.model.lang)))
            return
        if table is None or not table.lines:
            return
        totals = named_totals(table)
        self.add(
            Text(
                "　".join(f"{name} {signed(amount)}" for name, amount in totals.items()),
                theme.BODY,
                theme.SOFT,
            )
        )
