"""Sums of regression trees: how the calibration tells from facts how likely something is.

Each tree asks one fact after another whether it is greater than a limit and adds what its leaf says. They are
fitted one after another, each on what those before leave open (Friedman, "Greedy function approximation: a
gradient boosting machine", 2001); `vision.training.calibrate` does it, here they are only asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


LARGEST = 1e30
"""No number of a tree is greater; float32 ends soon after."""

LEAF = -1
"""What a leaf has instead of the place of a fact."""


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Trees whose nodes stand in one row: a node, all of its lower branch, all of its higher branch."""

    facts: NDArray[np.intp]
    """int[nodes], place of the fact that is asked; of a leaf 0."""

    limits: NDArray[np.float32]
    """float32[nodes]: up to it the lower branch is taken, the next node; of a leaf less than any fact."""

    higher: NDArray[np.intp]
    """int[nodes], the first node of the higher branch; of a leaf itself."""

    values: NDArray[np.float32]
    """float32[nodes], what a leaf adds."""

    roots: NDArray[np.intp]
    """int[trees], the first node of each."""

    @classmethod
    def of(cls, trees: Sequence[Sequence[float]], count: int) -> Trees:
        """Make trees of numbers as they are stored.

        Args:
            trees: of each its nodes from the first to the last, each a fact, the limit, and how many nodes
                farther its higher branch begins; a leaf is `LEAF`, what it adds, and 0.
            count: how many facts there are.

        Returns:
            The trees.

        Raises:
            ValueError: what is stored are no such trees.
        """
        sizes = [len(tree) for tree in trees]
        numbers = [number for tree in trees for number in tree]
        nodes = np.array(numbers, np.float64)
        if (
            any(size % 3 or not size for size in sizes)
            or any(type(number) not in {int, float} for number in numbers)
            or not (np.abs(nodes) <= LARGEST).all()
        ):
            msg = f"no trees of three numbers a node: {sizes[:5]}"
            raise ValueError(msg)
        facts, limits, farther = nodes.reshape(-1, 3).T
        places = np.arange(len(facts))
        leaf = facts == LEAF
        higher = places + np.clip(farther, 0, len(places)).astype(np.intp)
        asked = np.flatnonzero(~leaf)
        bounds = np.cumsum([0, *sizes]) // 3
        roots, ends = bounds[:-1], np.repeat(bounds[1:], np.diff(bounds))
        fits = np.where(leaf, farther == 0, (facts >= 0) & (facts < count) & (farther > 1) & (higher < ends))
        # Each node but the first of a tree is the branch of one before it, so that all are reached, and once.
        branches = np.sort(np.concatenate([asked + 1, higher[asked], roots]))
        if (nodes.reshape(-1, 3)[:, ::2] % 1).any() or not fits.all() or not np.array_equal(branches, places):
            msg = f"no trees that ask {count} facts, each node before its branches"
            raise ValueError(msg)
        return cls(
            facts=np.where(leaf, 0, facts).astype(np.intp),
            limits=np.where(leaf, -np.inf, limits).astype(np.float32),
            higher=higher,
            values=np.where(leaf, limits, 0).astype(np.float32),
            roots=roots,
        )

    def add(self, facts: NDArray[np.float32]) -> NDArray[np.float32]:
        """Ask all trees.

        Args:
            facts: float32[n, facts].

        Returns:
            float32[n], the sum of what they say.
        """
        count = len(facts)
        if not len(self.roots) or not count:
            return np.zeros(count, np.float32)
        flat, rows = facts.ravel(), np.arange(count)[:, None] * facts.shape[1]
        places = np.repeat(self.roots[None], count, axis=0)
        while True:
            lower = flat[rows + self.facts[places]] <= self.limits[places]
            after = np.where(lower, places + 1, self.higher[places])
            if (after == places).all():
                said: NDArray[np.float32] = self.values[places].sum(1, dtype=np.float64).astype(np.float32)
                return said
            places = after

    def stored(self) -> list[list[float]]:
        """Give the numbers that `of` makes these trees of."""
        leaf = np.isneginf(self.limits)
        facts = np.where(leaf, LEAF, self.facts).tolist()
        says = [float(str(value)) for value in np.where(leaf, self.values, self.limits)]
        farther = (self.higher - np.arange(len(self.higher))).tolist()
        nodes = list(zip(facts, says, farther, strict=True))
        bounds = pairwise([*self.roots.tolist(), len(nodes)])
        return [[number for node in nodes[start:end] for number in node] for start, end in bounds]


NONE = Trees.of((), 0)
"""A sum without trees."""


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely something is, by facts: a sum of weighed facts and of trees is its logit."""

    weights: NDArray[np.float32]
    """float32[facts]."""

    trees: Trees

    @classmethod
    def of(cls, weights: Sequence[float], trees: Trees = NONE) -> Odds:
        """Make them of the weights, in the order of the facts, and of trees."""
        return cls(np.array(weights, np.float32), trees)

    def logit(self, facts: NDArray[np.float32]) -> NDArray[np.float32]:
        """Compute the logit.

        Args:
            facts: float32[n, facts].

        Returns:
            float32[n].
        """
        result: NDArray[np.float32] = (facts @ self.weights + self.trees.add(facts)).astype(np.float32)
        return result
