import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.trees import NONE, Odds, Trees

TREE = [1, 0.5, 4, 0, 2.0, 2, -1, 10.0, 0, -1, 20.0, 0, -1, 30.0, 0]
"""More than a half of fact 1: 30; else by fact 0, up to two 10, more 20."""


def test_a_tree_asks_one_fact_after_another():
    trees = Trees.of([TREE], 2)
    facts = np.array([[1, 0.5], [2, 0.4], [2.1, 0.4], [0, 0.6]], np.float32)
    assert trees.add(facts).tolist() == [10, 10, 20, 30]


def test_what_the_trees_say_is_added():
    trees = Trees.of([TREE, [-1, 0.25, 0], TREE], 2)
    assert trees.add(np.array([[1, 0], [0, 1]], np.float32)).tolist() == [20.25, 60.25]
    odds = Odds.of((2.0, -1.0), trees)
    assert odds.logit(np.array([[1, 0]], np.float32)).tolist() == [22.25]


def test_without_trees_or_facts_nothing_is_added():
    facts = np.ones((3, 2), np.float32)
    assert NONE.add(facts).tolist() == [0, 0, 0]
    assert Trees.of([TREE], 2).add(facts[:0]).shape == (0,)
    assert Odds.of((1.0, 2.0)).logit(facts).tolist() == [3, 3, 3]


def grown(draw, depth):
    """Any tree with facts 0 to 3."""
    if depth == 0 or draw(st.booleans()):
        return [-1, float(np.float32(draw(st.floats(-5, 5)))), 0]
    lower, higher = grown(draw, depth - 1), grown(draw, depth - 1)
    limit = float(np.float32(draw(st.floats(-3, 3))))
    return [draw(st.integers(0, 3)), limit, 1 + len(lower) // 3, *lower, *higher]


@st.composite
def forests(draw):
    return [grown(draw, 4) for _ in range(draw(st.integers(0, 4)))]


def follow(tree, facts, place=0):
    fact, limit, farther = tree[3 * place : 3 * place + 3]
    if fact < 0:
        return np.float32(limit)
    return follow(tree, facts, place + (1 if facts[int(fact)] <= np.float32(limit) else farther))


@given(forests(), st.integers(0, 1000))
def test_all_trees_at_once_say_what_each_says_followed_by_hand(forest, seed):
    facts = np.random.default_rng(seed).normal(0, 2, (5, 4)).astype(np.float32)
    trees = Trees.of(forest, 4)
    expected = [sum(float(follow(tree, row)) for tree in forest) for row in facts]
    np.testing.assert_allclose(trees.add(facts), expected, atol=1e-5)
    again = Trees.of(trees.stored(), 4)
    assert again.stored() == trees.stored()
    np.testing.assert_array_equal(again.add(facts), trees.add(facts))


@pytest.mark.parametrize(
    "tree",
    [
        [],
        [-1, 2],
        [2, 0.5, 2, -1, 1, 0, -1, 2, 0],
        [0, 0.5, 3, -1, 1, 0, -1, 2, 0],
        [0, 0.5, 1, -1, 1, 0, -1, 2, 0],
        [0, 0.5, -1, -1, 1, 0, -1, 2, 0],
        [-1, 1, 1],
        [-1, float("nan"), 0],
        [-1, 1e39, 0],
        [1e300, 0, 1],
        [0.5, 0.5, 2, -1, 1, 0, -1, 2, 0],
        [0, 0.5, 2.5, -1, 1, 0, -1, 2, 0],
        [0, 0.5, 1e20, -1, 1, 0, -1, 2, 0],
        [-5, 1, 0],
        ["0", 0.5, 2, -1, 1, 0, -1, 2, 0],
        [0, 0.5, 2, -1, True, 0, -1, 2, 0],
        [0, 0.5, 3, -1, 1, 0, -1, 9, 0, -1, 2, 0],
        [0, 0.5, 4, 0, 0.1, 3, -1, 1, 0, -1, 2, 0, -1, 3, 0],
    ],
)
def test_what_is_no_tree_is_not_taken_for_one(tree):
    with pytest.raises(ValueError, match="no trees"):
        Trees.of([tree], 2)


def test_a_branch_into_another_tree_is_none():
    with pytest.raises(ValueError, match="no trees"):
        Trees.of([[0, 0.5, 2, -1, 1, 0], [-1, 2, 0]], 2)
