"""The ledger of this evening as the app uses it."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from mobile_app.players import seat_names
from mobile_app.settings import Settings
from table.ledger import Draft, Ledger, Outcome, Table, UnknownTableError, decide, fewest_transfers, sqlite
from table.ledger.count import playing
from table.ledger.decide import who_plays
from table.ledger.model import Json
from table.ledger.settle import Transfer
from table.round import Round

FILE = "ledger.db"


class Evening:
    """One table of the ledger, kept in step with the settings.

    Args:
        folder: where the app keeps its data; the ledger's file is opened at its first use.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._ledger: Ledger | None = None

    @property
    def ledger(self) -> Ledger:
        """The ledger's file, opened.

        Raises:
            LedgerError: it is damaged or newer than the app.
        """
        if self._ledger is None:
            self._ledger = Ledger(sqlite.open_store(self._path))
        return self._ledger

    def close(self) -> None:
        """Close the file."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def table(self, settings: Settings) -> Table | None:
        """Give the table of this evening.

        Args:
            settings: which name it.

        Returns:
            The table; None where none was opened yet or it is gone.
        """
        if settings.table is None:
            return None
        try:
            return self.ledger.table(settings.table)
        except UnknownTableError:
            return None

    def open(self, settings: Settings) -> tuple[Table, Settings]:
        """Open the table of this evening, or bring it in step with the settings.

        Args:
            settings: rule, stake and names.

        Returns:
            The table, and the settings that name it.

        Raises:
            LedgerError: names or rule cannot be taken.
        """
        table = self.table(settings)
        names = players_of(settings)
        if table is None:
            table = self.ledger.open(
                name=dt.date.today().isoformat(),  # noqa: DTZ011 - the players' own day
                rule=settings.rule or "",
                options=dict(settings.options),
                stake=settings.stake,
                deck=settings.deck,
                players=names,
            )
            return table, replace(settings, table=table.id, names=names)
        if (table.rule, dict(table.options), table.stake) != (
            settings.rule,
            dict(settings.options),
            settings.stake,
        ):
            table = self._do(
                table,
                lambda now: decide.change(
                    now, rule=settings.rule, options=dict(settings.options), stake=settings.stake
                ),
            )
        return self._seated(table, names), replace(settings, names=names)

    def _do(self, table: Table, wish: Callable[[Table], Draft]) -> Table:
        return self.ledger.do(table.id, wish).table

    def _seated(self, table: Table, names: tuple[str, ...]) -> Table:
        here = {player.name: player for player in table.players}
        for name in names:
            if name not in here or not here[name].present:
                table = self._do(table, partial(decide.join, name=name))
        here = {player.name: player for player in table.players}
        for seat in table.seats:
            if table.player(seat).name not in names:
                table = self._do(table, partial(decide.leave, player=seat))
        order = tuple(here[name].id for name in names)
        if table.seats != order:
            dealer = table.dealer if table.dealer in order else None
            table = self._do(table, lambda now: decide.seat(now, order, dealer))
        return table

    def confirm(
        self,
        settings: Settings,
        played: Round,
        *,
        dealer: str | None = None,
        note: str = "",
    ) -> tuple[Outcome, Settings]:
        """Write a counted hand down; on return it is kept for good.

        Args:
            settings: rule, stake and names.
            played: the round, its seats being those of `seating`.
            dealer: name of the dealer, where more sit than play.
            note: a free text.

        Returns:
            What was written, and the settings that name the table.

        Raises:
            LedgerError: the hand does not win, or the ledger cannot be written.
        """
        table, settings = self.open(settings)
        seats, rested = self.seating(table, dealer)
        terms = played.terms
        score: dict[str, Json] = played.score.to_json()  # type: ignore[assignment]
        outcome = self.ledger.do(
            table.id,
            lambda now: decide.scored(
                now,
                score,
                seats,
                winner=seats[terms.winner],
                discarder=None if terms.discarder is None else seats[terms.discarder],
                dealer=_id_of(now, dealer),
                rested=rested,
                note=note,
            ),
            key=secrets.token_urlsafe(12),
            request=score,
        )
        return outcome, settings

    def penalise(
        self,
        settings: Settings,
        payments: Sequence[tuple[int, int, int]],
        note: str,
        *,
        dealer: str | None = None,
    ) -> Settings:
        """Write down what somebody pays who declared a hand that does not win.

        Args:
            settings: rule, stake and names.
            payments: the scorer's seat that pays, how much, and the seat that gets it.
            note: what it is for.
            dealer: name of the dealer, where more sit than play.

        Returns:
            The settings that name the table.

        Raises:
            LedgerError: the ledger cannot be written.
        """
        table, settings = self.open(settings)
        seats, _ = self.seating(table, dealer)
        amounts = dict.fromkeys(seats, 0)
        for payer, amount, payee in payments:
            amounts[seats[payer]] -= amount
            amounts[seats[payee]] += amount
        self._do(table, lambda now: decide.adjust(now, amounts, note))
        return settings

    @staticmethod
    def seating(table: Table, dealer: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Say who plays and who rests.

        Args:
            table: the table.
            dealer: name of the dealer; without one the first seat deals.

        Returns:
            The players by the scorer's seats, and those who rest.
        """
        return who_plays(table, _id_of(table, dealer), playing(table))

    def drawn(self, settings: Settings) -> tuple[Table, Settings]:
        """Write down a round that nobody won.

        Args:
            settings: rule, stake and names.

        Returns:
            The table, and the settings that name it.
        """
        table, settings = self.open(settings)
        seats, rested = self.seating(table)
        return self._do(table, lambda now: decide.drawn(now, seats=seats, rested=rested)), settings

    def undo(self, table: Table) -> Table:
        """Take the latest line back.

        Args:
            table: the table.

        Returns:
            The table afterwards.

        Raises:
            NothingToUndoError: there is none.
        """
        return self._do(table, decide.undo)

    def settle(self, table: Table) -> Table:
        """Write down that all debts were paid.

        Args:
            table: the table.

        Returns:
            The table afterwards, all totals 0.

        Raises:
            NothingToUndoError: nobody owes anything.
        """
        return self._do(table, decide.settle)


def players_of(settings: Settings) -> tuple[str, ...]:
    """Name everybody at the table.

    Args:
        settings: names chosen, perhaps fewer than play.

    Returns:
        As many names as sit there; seats where no name was chosen.
    """
    names = list(settings.names[: settings.players])
    for name in seat_names(settings.lang):
        if len(names) < settings.players and name not in names:
            names.append(name)
    return tuple(names)


def seats_of(settings: Settings, dealer: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the players by the scorer's seats, before any table of the ledger is open.

    Args:
        settings: rule and names.
        dealer: who deals, where more sit than play.

    Returns:
        Who plays, the dealer first, and who rests; as `table.ledger.decide.who_plays`.
    """
    names = players_of(settings)
    first = names.index(dealer) if dealer in names else 0
    order = names[first:] + names[:first]
    seats = settings.book().seats(settings.players)
    if len(order) == 4 and seats == 3:
        return (order[0], order[1], order[3]), (order[2],)
    return order[:seats], order[seats:]


def transfers(table: Table) -> tuple[tuple[str, str, int], ...]:
    """Give the fewest transfers that settle a table.

    Args:
        table: the table.

    Returns:
        Who pays, who gets, how much.
    """
    found: tuple[Transfer, ...] = fewest_transfers(table.totals()).transfers
    return tuple(
        (table.player(each.payer).name, table.player(each.payee).name, each.amount) for each in found
    )


def named_totals(table: Table) -> Mapping[str, int]:
    """Give the totals by name, in the order of joining.

    Args:
        table: the table.

    Returns:
        Names to whole units.
    """
    return {table.player(player).name: amount for player, amount in table.totals().items()}


def signed(amount: int) -> str:
    """Write what somebody gained.

    Args:
        amount: whole units.

    Returns:
        With a sign; 0 without one.
    """
    return f"{amount:+d}" if amount else "0"


def _id_of(table: Table, name: str | None) -> str | None:
    return next((player.id for player in table.players if player.name == name), None)
