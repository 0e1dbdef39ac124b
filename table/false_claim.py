"""詐和: a hand that was declared and does not win.

No seed says what it costs. Each rule book has the option `false_claim`, a number of steps, 0 unless a table
sets it: whoever declared pays that many steps × stake to every other player (practice of many tables). A
hand that merely was asked about costs nothing, so the penalty stands beside the payments and never among
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import scorer
from table.words import say

OPTION: Final = "false_claim"


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a false claim costs."""

    steps: int
    payments: tuple[tuple[int, int, int], ...]
    """The seat that declared, how much it pays, and the seat that gets it."""

    def to_json(self) -> list[dict[str, int]]:
        """Write the payments in the form of those of a win.

        Returns:
            A list of plain JSON values.
        """
        return [{"seat": seat, "pays": pays, "to": to} for seat, pays, to in self.payments]

    def text(self, lang: str) -> str:
        """Say what a false claim costs.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line; empty where it costs nothing.
        """
        if not self.payments:
            return ""
        seat, pays, _ = self.payments[0]
        whom = [str(to) for _, _, to in self.payments]
        hant, en = (
            (f"賠座 {whom[0]} {pays}", f"pays {pays} to seat {whom[0]}")
            if len(whom) == 1
            else (f"賠座 {'、'.join(whom)} 各 {pays}", f"pays {pays} each to seats {', '.join(whom)}")
        )
        return say(
            lang, f"若已報胡，便是詐和：座 {seat} {hant}。", f"If declared, a false claim: seat {seat} {en}."
        )


def penalty(
    book: scorer.Book, score: scorer.Score, *, players: int | None = None, stake: int = 1, declarer: int = 0
) -> Penalty:
    """Count what a declared hand costs that does not win.

    Args:
        book: the rule book; its option `false_claim` says how many steps.
        score: the scored hand.
        players: how many play; None is as the book says.
        stake: what a step costs.
        declarer: the seat that declared.

    Returns:
        The penalty, without payments where the hand wins or the table plays without one.
    """
    steps = int(book.options.get(OPTION, 0))
    if score.wins or not steps:
        return Penalty(steps, ())
    seats = range(book.seats(book.check_players(players)))
    return Penalty(steps, tuple((declarer, steps * stake, seat) for seat in seats if seat != declarer))
