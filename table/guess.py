"""Guess from where the cards lie what lay on the table before and which card won.

Players put the groups that they had exposed apart from the rest, and the winning card on its own. A guess
is a proposal: it is shown, and counts only once a player agrees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from scorer.cards import WILD, character_of
from table.cards import TableCard
from vision.types import Point

_APART: Final = 0.8
"""Cards farther from each other than this share of a card's width lie apart."""

Outline = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Guess:
    """What the places of the cards suggest; places are those in the list of cards."""

    laid: tuple[tuple[int, ...], ...] = ()
    """Groups that lie apart and are alike or a sentence."""

    win: int | None = None
    """The card that lies alone; None where none or several do."""

    def __bool__(self) -> bool:
        """Tell whether anything is proposed."""
        return bool(self.laid) or self.win is not None


def guess_table(cards: Sequence[TableCard], is_sentence: Callable[[Sequence[str]], bool]) -> Guess:
    """Propose the laid groups and the winning card of a photo.

    The hand is the largest heap that does not fall into groups (its eye is none), or the largest of all.
    Another heap is proposed as laid where it falls into columns of three to five alike (wilds may stand for
    cards) or into sentences; a card alone is proposed as the winning one.

    Args:
        cards: the cards of the photo; added ones lie nowhere and are passed over.
        is_sentence: whether three cards are a sentence of the rule.

    Returns:
        The proposal, empty where nothing lies apart.
    """
    placed = [(place, card.outline) for place, card in enumerate(cards) if card.outline is not None]
    if len(placed) < 2:
        return Guess()
    width = sorted(_width(outline) for _, outline in placed)[len(placed) // 2]
    heaps = _heaps(placed, _APART * width)
    groups = {place: _split(heap, cards, is_sentence) for place, heap in enumerate(heaps)}
    hand = max(
        range(len(heaps)),
        key=lambda place: (groups[place] is None and len(heaps[place]) > 1, len(heaps[place])),
    )
    others = [place for place in range(len(heaps)) if place != hand]
    if len(heaps[hand]) < 2 or any(len(heaps[hand]) == len(heaps[place]) for place in others):
        return Guess()
    laid = [group for place in others for group in groups[place] or ()]
    alone = [heaps[place][0] for place in others if len(heaps[place]) == 1]
    return Guess(tuple(sorted(laid)), alone[0] if len(alone) == 1 else None)


def _split(
    heap: Sequence[int], cards: Sequence[TableCard], is_sentence: Callable[[Sequence[str]], bool]
) -> list[tuple[int, ...]] | None:
    """Cut a heap into groups: by the columns it lies in, else by the characters it shows."""
    columns: dict[int, list[int]] = {}
    for place in heap:
        columns.setdefault(cards[place].group or 0, []).append(place)
    touching = _heaps([(place, outline) for place in heap if (outline := cards[place].outline)], 0.0)
    faces: dict[str, list[int]] = {}
    for place in heap:
        faces.setdefault(character_of(cards[place].card), []).append(place)
    for parts in (columns.values(), touching, faces.values()):
        groups = [tuple(part) for part in parts]
        if all(is_group([cards[place].card for place in group], is_sentence) for group in groups):
            return groups
    return None


def is_group(names: Sequence[str], is_sentence: Callable[[Sequence[str]], bool]) -> bool:
    """Tell whether cards can lie on the table as a group.

    Args:
        names: the cards.
        is_sentence: whether three cards are a sentence of the rule.

    Returns:
        Whether they are three to five alike, wilds apart, or a sentence.
    """
    faces = {character_of(name) for name in names} - {WILD}
    if 3 <= len(names) <= 5 and len(faces) <= 1:
        return True
    return len(names) == 3 and is_sentence(names)


def _heaps(placed: Sequence[tuple[int, Outline]], reach: float) -> list[list[int]]:
    """Join cards that lie within reach of each other, reach in pixels."""
    heaps: list[list[tuple[int, Outline]]] = []
    for card in placed:
        near = [heap for heap in heaps if any(_gap(card[1], other) <= reach for _, other in heap)]
        heaps = [heap for heap in heaps if heap not in near]
        heaps.append([card, *(member for heap in near for member in heap)])
    return [sorted(place for place, _ in heap) for heap in heaps]


def _width(outline: Outline) -> float:
    sides = [math.dist(start, end) for start, end in _edges(outline)]
    return min(sides[0] + sides[2], sides[1] + sides[3]) / 2


def _edges(outline: Outline) -> Iterable[tuple[Point, Point]]:
    return pairwise((*outline, outline[0]))


def _gap(first: Outline, second: Outline) -> float:
    """Measure the distance in pixels between two cards, 0 where they overlap."""
    if _overlap(first, second):
        return 0.0
    return min(
        _to_segment(corner, edge)
        for one, other in ((first, second), (second, first))
        for corner in one
        for edge in _edges(other)
    )


def _overlap(first: Outline, second: Outline) -> bool:
    """Tell whether two convex outlines share a point: no edge of either keeps them apart."""
    for outline in (first, second):
        for (ax, ay), (bx, by) in _edges(outline):
            across = (by - ay, ax - bx)
            one, other = ([across[0] * x + across[1] * y for x, y in corners] for corners in (first, second))
            if max(one) < min(other) or max(other) < min(one):
                return False
    return True


def _to_segment(point: Point, edge: tuple[Point, Point]) -> float:
    (ax, ay), (bx, by) = edge
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = 0.0 if length == 0 else ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length
    along = min(1.0, max(0.0, along))
    return math.dist(point, (ax + along * (bx - ax), ay + along * (by - ay)))
