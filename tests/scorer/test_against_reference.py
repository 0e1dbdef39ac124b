"""The scorer against the slow and obvious reference, on random hands."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations

import pytest

from tests.scorer import fuzz, reference
from tests.scorer.reference import BOOKS, Case, Group, Hand

QUICK_HANDS = 250
ALL_HANDS = 20_000


@pytest.mark.parametrize("rule", BOOKS)
def test_random_hands_count_as_in_the_reference(rule: str) -> None:
    assert fuzz.run(rule, QUICK_HANDS, seed=1, keep=None, most=3) == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", BOOKS)
def test_twenty_thousand_random_hands_count_as_in_the_reference(rule: str) -> None:
    """Sharded over the cores, and resumed where an interrupted run of the same sources stopped."""
    parts = os.cpu_count() or 1
    with ProcessPoolExecutor(parts) as pool:
        shards = [
            pool.submit(fuzz.run, rule, ALL_HANDS, shard=(part, parts), resume=True) for part in range(parts)
        ]
        assert [text for shard in shards for text in shard.result()] == []


# --- the judge itself ----------------------------------------------------------------------


def every_split(cards: tuple[str, ...], sentences: list[str]) -> set[tuple[tuple[str, ...], ...]]:
    """Every split of characters into threes, fours, fives and one eye, by trying all ways."""
    found = set()

    def go(left: tuple[str, ...], groups: tuple[tuple[str, ...], ...]) -> None:
        if not left:
            found.add(tuple(sorted(groups)))
            return
        first, rest = left[0], left[1:]
        for size in (1, 2, 3, 4):
            for others in (
                {tuple(sorted(p)) for p in permutations(rest, size)} if size < 3 else [(first,) * size]
            ):
                group = tuple(sorted((first, *others)))
                alike = len(set(group)) == 1
                together = any(set(group) <= set(s) for s in sentences)
                if size == 1:
                    proper = (alike or together) and all(len(g) > 2 for g in groups)
                elif size == 2:
                    proper = alike or (together and len(set(group)) == 3)
                else:
                    proper = alike
                remaining = list(rest)
                for card in others:
                    if card not in remaining:
                        break
                    remaining.remove(card)
                else:
                    if proper:
                        go(tuple(remaining), (*groups, group))

    go(tuple(sorted(cards)), ())
    return {split for split in found if sum(len(g) == 2 for g in split) == 1}


@pytest.mark.parametrize("number", range(40))
def test_the_reference_finds_what_listing_every_split_finds(number: int) -> None:
    """On hands of few free cards, without flowers and wilds, all splits can be listed and counted."""
    rng = random.Random(number)
    sentences = ["二三四", "三四五", "四五六", "五六七", "六七八"]
    groups = [
        rng.choice((rng.choice(sentences), rng.choice("四五六") * rng.choice((3, 3, 4)))) for _ in "甲乙"
    ]
    free = tuple("".join(groups) + rng.choice(("四四", "五六", "六八", "七七", "四五")))
    laid = tuple(Group(tuple(c * 3), "round") for c in "上大可知")
    hand = Hand(free, (), laid)
    book = Case("tongcheng", hand).book
    extra = len(free) - 8
    best = None
    for split in every_split(free, reference.sentences(book)):
        if sum(len(g) - 3 for g in split if len(g) > 2) != extra:
            continue
        total = 4
        for group in split:
            stands = tuple(reference.Stand(c, flower=False) for c in group)
            shape = "eye" if len(group) == 2 else reference.shape_of(stands)
            total += reference.value(book, stands, shape, exposed=False, main=None)
        best = total if best is None else max(best, total)
    result = reference.score(Case("tongcheng", hand))
    if result.reason == "too_many_copies":
        assert result.points is None
    else:
        assert best is not None
        assert result.points == best
