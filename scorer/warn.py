"""What a table should look at beside the score (RULES.md §3, "Warnings")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from scorer.cards import FIELD_MASK, FLOWER, SHIFT, UNIT, WILD, WILD_STANDS_FOR
from scorer.explain import Group
from scorer.hand import Hand
from scorer.lang import say
from scorer.payment import MOST_EXPOSED
from scorer.score import Counted, Request, Standing, Warning, laid_points  # noqa: A004
from scorer.steps import Shown

if TYPE_CHECKING:
    from scorer.book import Book


def warnings(
    book: Book,
    hand: Hand,
    request: Request,
    stand: Standing,
    counted: Counted,
    groups: Sequence[Group],
) -> tuple[Warning, ...]:
    """Collect the warnings of a counted hand.

    Args:
        book: The rule book.
        hand: The hand.
        request: How it was won.
        stand: What its free cards are.
        counted: Its best count.
        groups: The groups of that count.

    Returns:
        The warnings, in the order in which RULES.md has them.
    """
    codes = []
    counter = book.counter
    if stand.unmarked and counted.pairs is None and _declared_guess(book, hand, request, stand, counted):
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


def _choices(counts: dict[str, int], extra: int) -> Iterator[dict[str, int]]:
    """Ways to keep fours and fives together so that they take up the extra cards."""
    ranges = [range(min(count - 3, 2) + 1) for count in counts.values()]
    for chosen in product(*ranges):
        if sum(chosen) == extra:
            yield {character: more for character, more in zip(counts, chosen, strict=True) if more}


def _declared_guess(book: Book, hand: Hand, request: Request, stand: Standing, counted: Counted) -> bool:
    """Whether another choice of declared fours would change the steps."""
    most = book.counter.fours(stand.code)
    if len(most) < 2 and stand.extra == sum([min(count - 3, 2) for count in most.values()]):
        return False
    choices = list(_choices(most, stand.extra))
    if len(choices) < 2:
        return False
    return any(
        steps is not None and steps != counted.outcome.steps
        for steps in (_steps_with(book, hand, request, stand, choice) for choice in choices)
    )


def _takes(code: int, choice: dict[str, int]) -> Iterator[tuple[tuple[str, int, int, int], ...]]:
    """Ways to take the cards of a choice, faces apart."""
    ways = []
    for character, more in choice.items():
        plain = (code >> SHIFT[character]) & FIELD_MASK
        flower = (code >> SHIFT[FLOWER + character]) & FIELD_MASK if FLOWER + character in SHIFT else 0
        wild = (code >> SHIFT[WILD]) & FIELD_MASK if character in WILD_STANDS_FOR else 0
        size = 3 + more
        ways.append(
            [
                (character, size - flowers - wilds, flowers, wilds)
                for flowers in range(flower + 1)
                for wilds in range(wild + 1)
                if 0 <= size - flowers - wilds <= plain
            ]
        )
    yield from product(*ways)


def _steps_with(
    book: Book, hand: Hand, request: Request, stand: Standing, choice: dict[str, int]
) -> int | None:
    """The steps of the hand where just these fours and fives stay together, or none without a split."""
    counter = book.counter
    best: int | None = None
    for taken in _takes(stand.code, choice):
        code = stand.code
        for character, plain, flower, wild in taken:
            code -= plain * UNIT[character] + (flower * UNIT[FLOWER + character] if flower else 0)
            code -= wild * UNIT[WILD]
        if sum(wild for *_, wild in taken) > (stand.code >> SHIFT[WILD]) & FIELD_MASK:
            continue
        if request.win and not (code >> SHIFT[request.win]) & FIELD_MASK:
            continue
        for main in counter.mains(hand):
            found = counter.search(hand, code, 0, request.win, (main,), discarded=request.discarded)
            if found is None:
                continue
            points = found.points + laid_points(stand.fixed, main)
            for character, plain, flower, wild in taken:
                worth = counter.points.alike(character, plain, flower, wild, exposed=False)
                points += worth.points * (counter.points.main_times if character == main else 1)
            if best is None or points > best:
                best = points
    if best is None:
        return None
    return counter.method.outcome(best, Shown(hand.code, request.players)).steps
