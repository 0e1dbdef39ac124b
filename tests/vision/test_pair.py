from dataclasses import replace

import numpy as np
import pytest

from vision.calibration import shipped_calibration
from vision.pair import (
    AGREE,
    ALONG,
    APART,
    CLEAR,
    ENOUGH,
    FACING,
    LONGER,
    PAIR_FACTS,
    UNLIKE,
    UNLIKELY,
    WELL_SEEN,
    likely_pairs,
    pair_facts,
)
from vision.types import Ends


def random_ends(count, seed):
    """Ends of cards that lie about; most have a partner."""
    rng = np.random.default_rng(seed)
    rows = []
    while len(rows) < count:
        x, y, turn = rng.uniform(100, 500), rng.uniform(100, 500), rng.uniform(0, 2 * np.pi)
        up = np.array([np.sin(turn), -np.cos(turn)])
        width = rng.uniform(40, 60)
        for side in (1, -1)[: 1 + (rng.random() < 0.8)]:
            centre = np.array([x, y]) + side * up * 65 + rng.normal(0, 2, 2)
            told = np.array([x, y]) + rng.normal(0, 6, 2)
            right = side * np.array([-up[1], up[0]]) * width / 2
            rows.append((centre, side * up * 36, right, told, rng.uniform(0.3, 0.99), rng.uniform(0.3, 1)))
    return Ends(*(np.array(part, np.float32) for part in zip(*rows[:count], strict=True)))


def alike(count):
    """Vectors of ends that all show one print."""
    return np.tile(np.eye(1, 128, dtype=np.float32), (count, 1))


def random_vectors(count, seed):
    vectors = np.random.default_rng(seed).normal(0, 1, (count, 128)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def slow_facts(ends, vectors):
    """`pair_facts` by its words, one pair after another."""
    unit = [up / np.hypot(*up) for up in ends.ups]
    width = [2 * np.hypot(*right) for right in ends.rights]
    score = [np.log(s / (1 - s)) for s in np.clip(ends.scores, 1e-3, 1 - 1e-3)]
    apart = {}
    for a in range(len(ends)):
        for b in range(len(ends)):
            between = ends.centres[b] - ends.centres[a]
            if a == b or unit[a] @ unit[b] >= FACING or unit[a] @ between >= 0 or unit[b] @ between <= 0:
                continue
            mean = (width[a] + width[b]) / 2
            along = (unit[a] - unit[b]) / np.hypot(*(unit[a] - unit[b]))
            vote = (ends.cards[a] - ends.cards[b]) / mean
            too_far, aside = vote @ along, abs(np.cross([*vote, 0], [*along, 0])[2])
            line = sum(abs(np.cross([*unit[c], 0], [*between, 0])[2]) for c in (a, b)) / 2 / mean
            total = np.sqrt(aside**2 + (ALONG * too_far) ** 2 + (ALONG * line) ** 2)
            if total < APART:
                apart[a, b] = (total, aside, too_far, line, np.hypot(*between) / mean)
    whole = [
        pair
        for pair, other in apart.items()
        if pair[0] < pair[1] and other[0] < AGREE and ends.seen[list(pair)].min() >= CLEAR
    ]
    agreeing = {pair: sum(not {*pair} & {*other} for other in whole) for pair in apart}
    apart = {pair: it for pair, it in apart.items() if it[2] < LONGER or agreeing[pair] < ENOUGH}
    apart = {
        (a, b): it
        for (a, b), it in apart.items()
        if vectors[a] @ vectors[b] > UNLIKE or ends.seen[[a, b]].min() < WELL_SEEN
    }
    rows = []
    for (a, b), (total, aside, too_far, line, far) in sorted(apart.items()):
        if a > b:
            continue
        rivals = [
            min(
                [other[0] for pair, other in apart.items() if pair[0] == end and pair[1] != mate],
                default=APART + 1,
            )
            for end, mate in ((a, b), (b, a))
        ]
        like = vectors[a] @ vectors[b]
        seen, weight = sorted(ends.seen[[a, b]]), sorted((score[a], score[b]))
        row = [a, b, 1, aside, abs(too_far), too_far, line, total, unit[a] @ unit[b] + 1]
        row += [like, like * seen[0] * seen[1], *seen, seen[1] - seen[0], *weight]
        row += [abs(np.log(width[a] / width[b])), far, min(rivals), max(rivals)]
        rows.append([*row, np.log1p(agreeing[a, b])])
    return np.array(rows).reshape(-1, len(PAIR_FACTS) + 2)


@pytest.mark.parametrize("seed", range(6))
def test_the_facts_are_those_of_the_slow_way(seed):
    ends, vectors = random_ends(24, seed), random_vectors(24, seed)
    first, second, facts = pair_facts(ends, vectors)
    slow = slow_facts(ends, vectors)
    assert len(slow) > 4
    np.testing.assert_array_equal(np.stack([first, second], 1), slow[:, :2])
    np.testing.assert_allclose(facts, slow[:, 2:], atol=2e-3)


def test_pairs_that_agree_on_the_length_of_a_card_are_counted_but_not_those_of_the_same_ends():
    rows = [
        ((x, 300 + 65 * side), (0, 36 * side), (25, 0), (x, 300), 0.9, 0.9)
        for x in (100, 300, 500)
        for side in (-1, 1)
    ]
    ends = Ends(*(np.array(part, np.float32) for part in zip(*rows, strict=True)))
    column = PAIR_FACTS.index("agreeing")
    first, second, facts = pair_facts(ends, alike(6))
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (2, 3), (4, 5)]
    np.testing.assert_allclose(facts[:, column], np.log1p(2), atol=1e-6)
    covered = replace(ends, seen=np.float32([0.9, 0.5, 0.9, 0.9, 0.9, 0.9]))
    np.testing.assert_allclose(pair_facts(covered, alike(6))[2][:, column], np.log1p([2, 1, 1]), atol=1e-6)
    longer = replace(ends, cards=ends.cards + np.float32([[0, 0]] * 4 + [[0, 15], [0, -15]]))
    np.testing.assert_allclose(pair_facts(longer, alike(6))[2][:, column], np.log1p([1, 1, 2]), atol=1e-6)


def test_a_card_has_one_print_at_both_ends():
    rows = [((100, 300 + 65 * side), (0, 36 * side), (25, 0), (100, 300), 0.9, 0.95) for side in (-1, 1)]
    ends = Ends(*(np.array(part, np.float32) for part in zip(*rows, strict=True)))
    unlike = np.eye(2, 128, dtype=np.float32)
    assert len(pair_facts(ends, alike(2))[0]) == 1
    assert len(pair_facts(ends, unlike)[0]) == 0
    half = replace(ends, seen=np.float32([0.95, 0.5]))
    assert len(pair_facts(half, unlike)[0]) == 1


def test_no_card_is_longer_than_all_others():
    """The lowest end of a column is not that of a card farther up, where others tell how long a card is."""
    rows = [
        ((x, 300 + 65 * side), (0, 36 * side), (25, 0), (x, 300), 0.9, 0.9)
        for x in (100, 300, 500)
        for side in (-1, 1)
    ]
    rows += [((700, 200), (0, -36), (25, 0), (700, 265), 0.9, 0.9)]
    rows += [((700, 365), (0, 36), (25, 0), (700, 300), 0.9, 0.9)]

    def pairs(rows):
        ends = Ends(*(np.array(part, np.float32) for part in zip(*rows, strict=True)))
        first, second, _ = pair_facts(ends, alike(len(rows)))
        return list(zip(first.tolist(), second.tolist(), strict=True))

    assert pairs(rows) == [(0, 1), (2, 3), (4, 5)]
    assert pairs(rows[2:]) == [(0, 1), (2, 3), (4, 5)]
    rows[-1] = ((700, 345), (0, 36), (25, 0), (700, 280), 0.9, 0.9)
    assert pairs(rows) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_what_is_likely_does_not_depend_on_the_order_of_the_ends():
    ends, vectors = random_ends(30, 9), random_vectors(30, 9)
    numbers = shipped_calibration().pairs
    likely = likely_pairs(ends, vectors, numbers)
    np.testing.assert_array_equal(likely, likely.T)
    assert (np.diag(likely) == UNLIKELY).all()
    assert (likely > 0).any()
    order = np.random.default_rng(1).permutation(30)
    again = likely_pairs(ends.take(order), vectors[order], numbers)
    np.testing.assert_allclose(again, likely[np.ix_(order, order)], atol=1e-3)


@pytest.mark.parametrize("count", [0, 1])
def test_one_end_has_no_partner(count):
    ends = random_ends(2, 0).take(np.arange(count))
    likely = likely_pairs(ends, random_vectors(2, 0)[:count], shipped_calibration().pairs)
    assert likely.tolist() == [[UNLIKELY]] * count
