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


def payments(
    book: Book,
    steps: int,
    *,
    seats: int,
    stake: int,
    winner: int,
    discarder: int | None,
    dui: Mapping[int, int],
) -> tuple[Payment, ...]:
    """Share out what the losers owe.

    Args:
        book: The rule book.
        steps: The steps of the winning hand.
        seats: How many take part in the payment.
        stake: What a step is worth.
        winner: The winner's seat.
        discarder: The seat whose card won, or none where it was drawn.
        dui: How many triplets each seat has exposed, for 包.

    Returns:
        The payments, by seat; seats that pay nothing are left out.
    """
    losers = [seat for seat in range(seats) if seat != winner]
    due = {seat: stake * _steps_due(book, steps, seat, discarder, len(losers)) for seat in losers}
    if book.truth("bao.holds"):
        liable = [seat for seat in losers if dui.get(seat, 0) > MOST_EXPOSED]
        if liable:
            total = sum(due.values())
            if discarder in liable:
                liable = [discarder]
            share, rest = divmod(total, len(liable))
            due = {seat: share + (place < rest) for place, seat in enumerate(liable)}
    return tuple([Payment(seat, pays, winner) for seat, pays in due.items() if pays])


def _steps_due(book: Book, steps: int, seat: int, discarder: int | None, losers: int) -> int:
    if discarder is None:
        return steps + book.number("payment.drawn_extra")
    way = book.text("payment.discarder")
    if seat != discarder:
        return steps + book.number("payment.other_extra") if way == "each" else 0
    return (steps + book.number("payment.discarder_extra")) * (losers if way == "all" else 1)
