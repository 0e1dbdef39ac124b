"""Who pays what (RULES.md §4, "Payment" and 包)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorer.book import Book

MOST_EXPOSED = 2
"""How many 對 a player may expose without 包 (000)."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What one seat pays to the winner."""

    seat: int
    pays: int
    """In the units of the stake."""
    to: int

    def to_json(self) -> dict[str, int]:
        """The payment as INTERFACE.md has it."""
        return {"seat": self.seat, "pays": self.pays, "to": self.to}


MOST_KEPT = 4_096
"""How many sets of payments are kept; they depend on the steps and the seats, not on the hand."""


class Payer:
    """Shares out by one rule book what the losers owe."""

    def __init__(self, book: Book) -> None:
        self.bao = book.truth("bao.holds")
        """Whether 包 holds."""
        self.seats = {players: book.seats(players) for players in book.players}
        self.way = book.text("payment.discarder")
        self.discarder_extra = book.number("payment.discarder_extra")
        self.other_extra = book.number("payment.other_extra")
        self.drawn_extra = book.number("payment.drawn_extra")
        self._kept: dict[tuple[int, int, int, int, int | None], tuple[Payment, ...]] = {}

    def payments(
        self,
        steps: int,
        players: int,
        stake: int,
        winner: int,
        discarder: int | None,
        dui: Mapping[int, int],
    ) -> tuple[Payment, ...]:
        """Share out what the losers owe.

        Args:
            steps: The steps of the winning hand.
            players: How many play.
            stake: What a step is worth.
            winner: The winner's seat.
            discarder: The seat whose card won, or none where it was drawn.
            dui: How many triplets each seat has exposed, for 包.

        Returns:
            The payments, by seat; seats that pay nothing are left out.
        """
        if dui:
            return self._share(steps, players, stake, winner, discarder, dui)
        key = (steps, players, stake, winner, discarder)
        paid = self._kept.get(key)
        if paid is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            paid = self._kept[key] = self._share(*key, dui)
        return paid

    def _share(
        self,
        steps: int,
        players: int,
        stake: int,
        winner: int,
        discarder: int | None,
        dui: Mapping[int, int],
    ) -> tuple[Payment, ...]:
        losers = [seat for seat in range(self.seats[players]) if seat != winner]
        due = {seat: stake * self._steps_due(steps, seat, discarder, len(losers)) for seat in losers}
        if self.bao:
            liable = [seat for seat in losers if dui.get(seat, 0) > MOST_EXPOSED]
            if liable:
                total = sum(due.values())
                if discarder in liable:
                    liable = [discarder]
                share, rest = divmod(total, len(liable))
                due = {seat: share + (place < rest) for place, seat in enumerate(liable)}
        return tuple([Payment(seat, pays, winner) for seat, pays in due.items() if pays])

    def _steps_due(self, steps: int, seat: int, discarder: int | None, losers: int) -> int:
        if discarder is None:
            return steps + self.drawn_extra
        if seat != discarder:
            return steps + self.other_extra if self.way == "each" else 0
        return (steps + self.discarder_extra) * (losers if self.way == "all" else 1)
