"""The ledger of the evening: totals, lines, undo, settle."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from mobile_app.evening import named_totals, signed, transfers
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.widgets import Panel, Row, Text
from mobile_app.words import pick
from table.ledger import LedgerError, Line, Table
from table.ledger.export import as_csv, as_page

_MOST_LINES = 60


class LedgerPage(Page):
    """Who won how much up to now."""

    title: ClassVar[str] = "ledger.title"

    def build(self) -> None:
        """Show totals, lines and what can be done."""
        from mobile_app.ui.pages.photo import PhotoPage

        app = self.app
        try:
            table = self.model.evening.table(self.model.settings)
        except LedgerError as error:
            self.add(self.note(error.text(self.model.lang)))
            return
        if table is None:
            self.add(self.text("ledger.empty"))
        else:
            self._totals(table)
            self._owed(table)
        if self.model.settings.rule is not None:
            self.add(self.button("ledger.drawn", self._drawn))
        if table is not None:
            undo = self.button("ledger.undo", self._do(self.model.evening.undo, table))
            undo.disabled = not table.actions
            self.add(undo)
            self._lines(table)
            self.add(
                Row(
                    self.button("ledger.csv", lambda: self._save("csv", as_csv, table)),
                    self.button("ledger.page", lambda: self._save("html", as_page, table)),
                )
            )
            self.add(self.button("ledger.new", self._new, "quiet"))
        self.main("home.photo", lambda: app.go(lambda: PhotoPage(app)))

    def _totals(self, table: Table) -> None:
        rows = []
        for name, amount in named_totals(table).items():
            colour = theme.GAIN if amount > 0 else theme.LOSS if amount < 0 else theme.INK
            rows.append(Row(Text(name, theme.TITLE), Text(f"{signed(amount)}", 36, colour, "right")))
        self.add(Panel(*rows))

    def _owed(self, table: Table) -> None:
        owed = transfers(table)
        if not owed:
            return
        lines = [
            Text(self.t("ledger.owes", payer=payer, payee=payee, amount=amount))
            for payer, payee, amount in owed
        ]
        settle = self.button("ledger.settle", lambda: self.app.go(lambda: SettlePage(self.app, table)))
        self.add(Panel(*lines, settle, colour=theme.CHOSEN))

    def _lines(self, table: Table) -> None:
        for line in reversed(table.lines[-_MOST_LINES:]):
            self.add(Text(line_text(table, line, self.model.lang), 17, theme.SOFT))

    def _do(self, wish: Callable[[Table], Table], table: Table) -> Callable[[], None]:
        def do() -> None:
            try:
                wish(table)
            except LedgerError as error:
                self.app.fail(error)
            self.app.refresh()

        return do

    def _drawn(self) -> None:
        try:
            _, settings = self.model.evening.drawn(self.model.settings)
        except LedgerError as error:
            self.app.fail(error)
            return
        self.model.set(settings)
        self.app.refresh()

    def _new(self) -> None:
        self.model.set(replace(self.model.settings, table=None))
        self.app.refresh()

    def _save(self, ending: str, write: Callable[[Table, str, int], str], table: Table) -> None:
        media = {"csv": "text/csv", "html": "text/html"}[ending]
        text = write(table, self.model.lang, minutes_ahead())
        data = text.encode("utf-8-sig" if ending == "csv" else "utf-8")

        def saved(where: str | None) -> None:
            self.app.say(self.t("saved", where=where) if where else self.t("wrong"), wrong=not where)

        self.app.device.save_file(f"suanhu-ledger.{ending}", media, data, self.app.later(saved))


class SettlePage(Page):
    """All debts are paid: is that so?

    Args:
        app: the app.
        table: of the evening.
    """

    title: ClassVar[str] = "settle.title"

    def __init__(self, app: object, table: Table) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._table = table

    def build(self) -> None:
        """Show the fewest transfers, and ask."""
        self.add(self.text("settle.how"))
        for payer, payee, amount in transfers(self._table):
            who = Text(self.t("result.pays", payer=payer, payee=payee), theme.TITLE)
            self.add(Panel(Row(who, Text(str(amount), 36, theme.BAND, "right", size_hint_x=0.5))))
        self.main("settle.done", self._settle)

    def _settle(self) -> None:
        try:
            self.model.evening.settle(self._table)
        except LedgerError as error:
            self.app.fail(error)
        self.app.back()


def minutes_ahead() -> int:
    """Say how far the clock of this place is ahead of UTC.

    Returns:
        Minutes, 480 in China.
    """
    ahead = dt.datetime.now().astimezone().utcoffset() or dt.timedelta()
    return int(ahead.total_seconds()) // 60


def line_text(table: Table, line: Line, lang: str) -> str:
    """Write one line of the ledger.

    Args:
        table: of the evening.
        line: of its ledger.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        One line.
    """
    from mobile_app.words import words

    entry = line.entry
    if entry is None:
        return f"{line.number}. {words(lang, 'ledger.undone')}"
    what = words(lang, f"ledger.kind.{entry.kind}")
    if entry.kind == "scored" and entry.score is not None:
        unit = pick(lang, str(entry.score.get("unit", "")), words(lang, "points"))
        winner = table.player(entry.winner).name if entry.winner else ""
        what = words(lang, "ledger.won", name=winner, points=entry.score.get("points"), unit=unit)
    amounts = "　".join(
        f"{table.player(player).name} {signed(amount)}" for player, amount in entry.amounts if amount
    )
    return f"{line.number}. {what}　{amounts}".rstrip("　")
