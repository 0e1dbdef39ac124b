"""All cards of a photo have the same shape and lie on one table.

In a column white paper lies on white paper: how wide a card is can be seen at its sides, how
long it is cannot. What shows both its ends says it for all others that lie its way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.find import BARE, one_end_each, pair_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.types import Ends

END_SHARE = 0.35
"""The part of a card's length that is called an end (DESIGN.md, "Reading a photo")."""

PROBABLE = 0.5
"""Ends of lower probability tell nothing about others."""

SAME_WAY = 0.25
"""Radians: cards whose directions differ by more are seen foreshortened in another manner."""

NEAR = 0.25
"""Share of the extent of all ends: cards nearer than this count most, for a tilted table is farther above."""

FARTHEST = 0.45
"""No end is made longer or shorter by more than this share."""


def same_shape(ends: Ends) -> Ends:
    """Give each end the height that the cards seen as a whole say, its upper edge kept.

    Args:
        ends: the ends of a photo; one may have been found twice.

    Returns:
        The same ends; heights, centres and the middles of the cards corrected. Where no card is
        seen as a whole, they are as they were.
    """
    order = np.argsort(-ends.scores, kind="stable")
    part = one_end_each(ends.take(order[ends.scores[order] >= PROBABLE]))
    pairs = pair_ends(part)
    whole = [pair for pair in pairs if len(pair) == 2 and part.seen[list(pair)].min() >= BARE]
    if not whole:
        return ends
    first = np.array([pair[0] for pair in whole])
    second = np.array([pair[1] for pair in whole])
    tops = part.centres + part.ups
    along = tops[first] - tops[second]
    length = np.hypot(along[:, 0], along[:, 1])
    halves = np.hypot(part.rights[:, 0], part.rights[:, 1])
    height = length * (END_SHARE / 2)
    ratio = np.log(np.maximum(height, 1e-3) / np.maximum((halves[first] + halves[second]) / 2, 1e-3))
    middle = (tops[first] + tops[second]) / 2
    heights = np.hypot(ends.ups[:, 0], ends.ups[:, 1])
    widths = np.hypot(ends.rights[:, 0], ends.rights[:, 1])
    own = np.log(np.maximum(heights, 1e-3) / np.maximum(widths, 1e-3))
    angle = np.arctan2(ends.ups[:, 1], ends.ups[:, 0])
    others = np.arctan2(along[:, 1], along[:, 0])
    turn = np.abs((angle[:, None] - others[None, :] + np.pi / 2) % np.pi - np.pi / 2)
    extent = float(np.ptp(ends.centres, axis=0).max()) + 1.0
    apart = np.hypot(*(ends.centres[:, None] - middle[None]).transpose(2, 0, 1)) / extent
    weight = np.where(turn < SAME_WAY, 1 / (1 + (apart / NEAR) ** 2), 0)
    told = weight.sum(1) > 0
    wanted = np.where(told, weighted_medians(ratio, weight), own)
    change = np.exp(np.clip(wanted - own, -FARTHEST, FARTHEST)).astype(np.float32)[:, None]
    ups = ends.ups * change
    centres = ends.centres + ends.ups - ups
    reach = -ups * np.float32((1 - END_SHARE) / END_SHARE)
    return replace(
        ends,
        ups=ups.astype(np.float32),
        centres=centres.astype(np.float32),
        cards=np.where(told[:, None], centres + reach, ends.cards).astype(np.float32),
    )


def weighted_medians(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the median of some values for each of many weighings.

    Args:
        values: float64[m], at least one.
        weights: float64[n, m], none below 0.

    Returns:
        float64[n], for each row the least value that half of the weight lies at or below.
    """
    order = np.argsort(values)
    totals = np.cumsum(weights[:, order], axis=1)
    places = (totals < totals[:, -1:] / 2).sum(1)
    medians: NDArray[np.float64] = values[order][places]
    return medians
