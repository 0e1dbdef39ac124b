"""What a table should look at beside the score (RULES.md §3, "Warnings")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scorer.explain import Group
from scorer.hand import Hand
from scorer.lang import say
from scorer.payment import MOST_EXPOSED
from scorer.score import Counted, Request, Warning  # noqa: A004
from scorer.split import Kept
from scorer.steps import Shown

if TYPE_CHECKING:
    from scorer.book import Book


def warnings(
    book: Book,
    hand: Hand,
    request: Request,
    counted: Counted,
    groups: Sequence[Group],
) -> tuple[Warning, ...]:
    """Collect the warnings of a counted hand.

    Args:
        book: The rule book.
        hand: The hand.
        request: How it was won.
        counted: Its best count.
        groups: The groups of that count.

    Returns:
        The warnings, in the order in which RULES.md has them.
    """
    codes = []
    counter = book.counter
    if counted.splits and _declared_guess(book, hand, request, counted):
        codes.append("declared_guess")
    if hand.laid:
        laid = [counter.laid_group(group) for group in hand.laid]
        if not counter.pickup and any(group is not None and not group.character for group in laid):
            codes.append("no_pickup")
        dui = sum([group is not None and group.is_dui for group in laid])
    else:
        dui = 0
    if counter.picking and not hand.picked:
        codes.append("picked_unknown")
    if dui > MOST_EXPOSED and counter.payer.bao:
        codes.append("dui_over_two")
    for group in groups:
        if group.shape == "quint":
            codes.append("quint_origin")
            break
    return tuple([Warning(code, say(request.lang, f"warning.{code}")) for code in codes]) if codes else ()


def _declared_guess(book: Book, hand: Hand, request: Request, counted: Counted) -> bool:
    """Whether another choice of declared fours would change the steps."""
    most: dict[Kept, int] = {}
    for found in counted.splits:
        most.setdefault(found.split.kept, found.points)
    shown = Shown(hand.code, request.players)
    outcome = book.counter.method.outcome
    return any(outcome(points, shown).steps != counted.outcome.steps for points in most.values())
