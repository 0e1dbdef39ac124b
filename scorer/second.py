"""What the next best split would have given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.count import laid_points
from scorer.explain import Group
from scorer.score import standing
from scorer.steps import Shown

if TYPE_CHECKING:
    from scorer.score import Score


@dataclass(frozen=True, slots=True)
class NextBest:
    """Another split of the same cards, with the same main jing."""

    points: int
    steps: int
    groups: tuple[Group, ...]
    """The free groups and the eye; those on the table are the same."""


def next_best(score: Score) -> NextBest | None:
    """Find the best split whose groups are others than those that were counted.

    Args:
        score: The score of a hand.

    Returns:
        The split, or none where the hand has no split or only one.
    """
    if score.points is None or not score.groups or score.groups[0].shape == "pair":
        return None
    book, hand, request = score.book, score.hand, score.request
    counter = book.counter
    stand = standing(book, hand, request.win)
    main = score.main_jing or ""
    asked = counter.asked(hand, stand.code, stand.extra, request.win, discarded=request.discarded)
    counted = _counted_shape(score, len(stand.fixed))
    for found in counter.splitter.all(asked, ((main, laid_points(stand.fixed, main)),)):
        groups = counter.write(counter.parts(found), main, request.lang)
        if _shape_of_groups(groups) != counted:
            outcome = counter.method.outcome(found.points, Shown(hand.code, request.players))
            return NextBest(found.points, outcome.steps, groups)
    return None


def _shape_of_groups(groups: tuple[Group, ...]) -> list[tuple[str, ...]]:
    return sorted((group.shape, *sorted(card[-1] for card in group.cards)) for group in groups)


def _counted_shape(score: Score, fixed: int) -> list[tuple[str, ...]]:
    groups = score.groups[: len(score.groups) - fixed] if fixed else score.groups
    return _shape_of_groups(groups)
