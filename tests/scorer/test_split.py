"""What the search for a split rests on: the order of the characters, the sums of three, every split once."""

from __future__ import annotations

import random
from itertools import product

import pytest

import scorer
from scorer.cards import CHARACTERS, FIELD, PLACE
from scorer.split import Splitter

CHAINS = [
    *((rule, {}) for rule in scorer.RULES),
    ("sanjing", {"number_sentences_from": "三"}),
    ("jingzhou_shuangbiegan", {"wilds": 2, "number_sentences_from": "三"}),
]


def splitter_of(rule: str, options: dict[str, object]) -> Splitter:
    return scorer.load_book(rule, options).counter.splitter


def counts_of(splitter: Splitter, text: str) -> bytes:
    return bytes(text.count(character) for character in CHARACTERS[: splitter.places])


@pytest.mark.parametrize(("rule", "options"), CHAINS)
def test_at_most_one_sentence_begins_with_each_character(rule: str, options: dict[str, object]) -> None:
    splitter = splitter_of(rule, options)
    sentences = splitter.points.sentences
    assert len(sentences) == sum(head is not None for head in splitter.heads)
    for sentence in sentences:
        first, *others = sorted(PLACE[character] for character in sentence)
        assert splitter.heads[first] == tuple(others)


def sums(splitter: Splitter, text: str) -> list[int]:
    total = sum(splitter.weights[PLACE[character]] for character in text)
    return [(total >> FIELD * number & 0xFF) % 3 for number in range(splitter.sums)]


@pytest.mark.parametrize(("rule", "options"), CHAINS)
def test_every_sentence_and_triplet_leaves_the_sums_divisible_and_no_eye_does(
    rule: str, options: dict[str, object]
) -> None:
    splitter = splitter_of(rule, options)
    characters = splitter.points.book.deck.characters
    for cards in (*splitter.points.sentences, *(character * 3 for character in characters)):
        assert not any(sums(splitter, cards))
    for eye in (*map("".join, splitter.points.halves), *(character * 2 for character in characters)):
        assert any(sums(splitter, eye))


@pytest.mark.parametrize("seed", range(30))
def test_every_split_of_numbers_is_found_once(seed: int) -> None:
    """Against trying every number of every sentence, triplet, quad and quint."""
    rng = random.Random(seed)
    splitter = splitter_of("sanjing", {})
    letters = "三四五六七"
    possible = ("三四五", "四五六", "五六七", "三三三", "五五五", "六六六", "四四四四")
    held = [6]
    while max(held) > 5:
        text = "".join(rng.choices(possible, k=3)) + rng.choice(("五五", "三五", "六七"))
        held = [text.count(letter) for letter in letters]
    extra = len(text) - 11
    wanted = set()
    runs = ("三四五", "四五六", "五六七")
    eyes = [letter * 2 for letter in letters] + [a + b for a, b in product(letters, repeat=2) if a < b]
    eyes = [e for e in eyes if e[0] == e[1] or frozenset(e) in splitter.points.halves]
    alike = {0: (), 3: (3,), 4: (4,), 5: (5,)}
    for begun, eye in product(product(range(4), repeat=3), eyes):
        left = [
            count - eye.count(letter) - sum(n for n, run in zip(begun, runs, strict=True) if letter in run)
            for letter, count in zip(letters, held, strict=True)
        ]
        if all(count in alike for count in left):
            sizes = tuple(alike[count] for count in left)
            if sum(size - 3 for own in sizes for size in own) == extra:
                wanted.add((begun, sizes, frozenset(eye), eye[0] == eye[1]))
    found = splitter.splits(counts_of(splitter, text), extra)
    got = set()
    for split in found:
        assert split.eye is not None
        own = {letter: [] for letter in letters}
        for place in split.triplets:
            own[CHARACTERS[place]].append(3)
        for place, size in split.kept:
            own[CHARACTERS[place]].append(size)
        eye = {CHARACTERS[split.eye.first], CHARACTERS[split.eye.second]}
        begun = tuple(split.begun[PLACE[run[0]]] for run in runs)
        got.add((begun, tuple(tuple(own[letter]) for letter in letters), frozenset(eye), len(eye) == 1))
    assert len(found) == len(got)
    assert got == wanted


@pytest.mark.parametrize(("extra", "ways"), [(1, 3), (2, 5), (3, 5), (4, 3), (5, 1), (6, 0)])
def test_fours_and_fives_take_up_the_extra_cards_in_every_way(extra: int, ways: int) -> None:
    """Of 四四四四, 五五五五五 and 六六六六六."""
    splitter = splitter_of("sanjing", {})
    kept = splitter._kept(counts_of(splitter, "四" * 4 + "五" * 5 + "六" * 5), extra)
    assert len(set(kept)) == len(kept) == ways
    assert all(sum(size - 3 for _, size in way) == extra for way in kept)
