"""Cards that lie together, and the order in which a person reads them.

Columns (each card covers the lower part of the one above), rows and fans (side
by side), and cards that lie apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.types import Point

    Outline = tuple[Point, Point, Point, Point]

LEFTMOST = np.deg2rad(-80)
"""Upright is what points up, from this much to the left of it on round to the right.

The limits lie away from the sides, so that in a photo on its side a little more or less
does not turn the order round.
"""

SAME_DIRECTION = 0.82
"""Cards of a column differ in direction by at most 35 degrees (its cosine)."""

COLUMN_ASIDE = 0.62
"""The next card of a column lies at most this far aside, in widths."""

COLUMN_STEP = 0.93
"""The next card of a column lies at most this far on, in lengths: the two overlap."""

SHORT_STEP = 0.1
"""Cards of a fan, too, may lie this far on from one another, in lengths, if one lies aside upon them."""

FAN_ASIDE = 1.1
"""The next card of a fan lies at most this far aside, in widths: the two overlap or touch."""

ROW_GAP = 0.7
"""Cards of a row are at most this far apart, in widths."""

ROW_SHIFT = 0.45
"""Cards of a row are shifted along their length by at most this, in lengths."""

LINE_OVERLAP = 0.5
"""Groups share a line where this much of the shorter one lies beside the other."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The cards as rectangles in a frame in which most of them stand upright."""

    centres: NDArray[np.float64]
    """float64[n, 2], to the right and down."""

    ups: NDArray[np.float64]
    """float64[n, 2], unit length, pointing to the upper half."""

    lengths: NDArray[np.float64]
    widths: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """How each card lies to each other one, along their common direction."""

    alike: NDArray[np.bool_]
    """bool[n, n], whether they are two cards of nearly one direction."""

    aside: NDArray[np.float64]
    """float64[n, n], pixels to the right from the one to the other."""

    down: NDArray[np.float64]
    """float64[n, n], pixels down."""

    lengths: NDArray[np.float64]
    """float64[n, n], the mean of both."""

    widths: NDArray[np.float64]

    turns: NDArray[np.float64]
    """float64[n, n], the sine of the angle between them."""


def group_cards(outlines: Sequence[Outline]) -> tuple[list[int], list[int]]:
    """Find the groups and the reading order.

    Args:
        outlines: corners of each card, clockwise from the upper left of either end.

    Returns:
        The places of the cards in reading order (lines from top to bottom, each
        from left to right, columns from top to bottom), and for each card of that
        order the number of its group, from 0 on.
    """
    if not outlines:
        return [], []
    layout = _lay_out(np.array(outlines, np.float64))
    pairs = _compare(layout)
    below = _next_in_column(pairs, 1)
    groups = [_in_order(layout, below, group) for group in _join(pairs, below)]
    order: list[int] = []
    numbers: list[int] = []
    for number, place in enumerate(_lines(layout, groups)):
        order += groups[place]
        numbers += [number] * len(groups[place])
    return order, numbers


def _lay_out(corners: NDArray[np.float64]) -> _Layout:
    """Turn the cards so that they stand upright on the whole.

    Args:
        corners: float64[n, 4, 2].

    Returns:
        The cards in the turned frame.
    """
    centres = corners.mean(1)
    axes = (corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]) / 2
    lengths = np.maximum(np.hypot(axes[:, 0], axes[:, 1]), 1e-6)
    across = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    widths = np.maximum(np.hypot(across[:, 0], across[:, 1]), 1e-6)
    angles = np.arctan2(axes[:, 1], axes[:, 0])
    doubled = np.arctan2(np.sin(2 * angles).mean(), np.cos(2 * angles).mean()) / 2
    up = np.array([np.cos(doubled), np.sin(doubled)])
    clockwise = np.arctan2(up[0], -up[1])
    if not LEFTMOST < clockwise <= LEFTMOST + np.pi:
        up = -up
    down, right = -up, np.array([-up[1], up[0]])
    turned_axes = np.stack([axes @ right, axes @ down], axis=1) / lengths[:, None]
    turned_axes[turned_axes[:, 1] > 0] *= -1
    return _Layout(
        centres=np.stack([centres @ right, centres @ down], axis=1),
        ups=turned_axes,
        lengths=lengths,
        widths=widths,
    )


def _compare(layout: _Layout) -> _Pairs:
    """Measure each card against each other one."""
    ups = layout.ups
    x, y = (part[:, None] * part for part in ups.T)
    common = ups[:, None] + ups[None]
    common /= np.maximum(np.hypot(common[:, :, 0], common[:, :, 1]), 1e-6)[:, :, None]
    way = layout.centres[None] - layout.centres[:, None]
    return _Pairs(
        alike=(x + y >= SAME_DIRECTION) & ~np.eye(len(ups), dtype=bool),
        aside=-way[:, :, 0] * common[:, :, 1] + way[:, :, 1] * common[:, :, 0],
        down=-way[:, :, 0] * common[:, :, 0] - way[:, :, 1] * common[:, :, 1],
        lengths=(layout.lengths[:, None] + layout.lengths) / 2,
        widths=(layout.widths[:, None] + layout.widths) / 2,
        turns=ups[:, None, 0] * ups[:, 1] - ups[:, None, 1] * ups[:, 0],
    )


def _join(pairs: _Pairs, below: Sequence[int | None]) -> list[list[int]]:
    """Join cards into groups: columns first, then rows and fans of the others."""
    count = len(below)
    leader = list(range(count))

    def find(card: int) -> int:
        while leader[card] != card:
            leader[card] = leader[leader[card]]
            card = leader[card]
        return card

    above = _next_in_column(pairs, -1)
    stacked = set()
    for card, other in enumerate(below):
        if other is not None and above[other] == card and not _of_a_fan(pairs, card, other):
            leader[find(other)] = find(card)
            stacked |= {card, other}
    beside = _side_by_side(pairs)
    single = [card for card in range(count) if card not in stacked]
    for card, place in np.argwhere(np.triu(beside[np.ix_(single, single)])).tolist():
        leader[find(single[place])] = find(single[card])
    groups: dict[int, list[int]] = {}
    for card in range(count):
        groups.setdefault(find(card), []).append(card)
    return list(groups.values())


def _next_in_column(pairs: _Pairs, sign: int) -> list[int | None]:
    """Find for each card the one that lies next below (sign 1) or above (-1) it in a column."""
    down, aside = sign * pairs.down, np.abs(pairs.aside)
    in_column = pairs.alike & (down > 0) & (down < COLUMN_STEP * pairs.lengths)
    in_column &= (aside < COLUMN_ASIDE * pairs.widths) & (down > 1.1 * aside)
    distances = np.where(in_column, np.hypot(aside, down), np.inf)
    nearest = distances.argmin(1)
    return [int(other) if distances[card, other] < np.inf else None for card, other in enumerate(nearest)]


def _of_a_fan(pairs: _Pairs, card: int, other: int) -> bool:
    """Tell whether two cards that lie nearly upon each other are part of a fan."""
    if pairs.down[card, other] >= SHORT_STEP * pairs.lengths[card, other]:
        return False
    two = [card, other]
    aside, down = np.abs(pairs.aside[two]), np.abs(pairs.down[two])
    fans = pairs.alike[two] & (down < aside) & (aside < FAN_ASIDE * pairs.widths[two])
    fans[:, two] = False
    return bool(fans.any())


def _side_by_side(pairs: _Pairs) -> NDArray[np.bool_]:
    """Tell of each two cards whether they are neighbours of a row or a fan."""
    spread = np.abs(pairs.turns) * pairs.lengths / 2
    near: NDArray[np.bool_] = np.abs(pairs.aside) < (1 + ROW_GAP) * pairs.widths + spread
    return pairs.alike & near & (np.abs(pairs.down) < ROW_SHIFT * pairs.lengths)


def _in_order(layout: _Layout, below: Sequence[int | None], group: Sequence[int]) -> list[int]:
    """Put the cards of a group in order: down a column, else along the row."""
    members = list(group)
    spread = np.ptp(layout.centres[members], axis=0)
    across, down = layout.centres[members].T
    column = spread[1] > spread[0] and any(below[member] in members for member in members)
    places = down if column else across + 1e-3 * down / float(layout.lengths[members].mean())
    return [members[place] for place in np.argsort(places, kind="stable")]


def _lines(layout: _Layout, groups: Sequence[Sequence[int]]) -> list[int]:
    """Order the groups by lines from top to bottom, each from left to right.

    Neighbours share a line where they lie beside each other, so that a line may
    run aslant.
    """
    count = len(groups)
    tops, bottoms, lefts, rights = (np.empty(count) for _ in range(4))
    for place, group in enumerate(groups):
        members = list(group)
        half = layout.lengths[members] / 2
        tops[place] = (layout.centres[members, 1] - half).min()
        bottoms[place] = (layout.centres[members, 1] + half).max()
        lefts[place] = (layout.centres[members, 0] - layout.widths[members] / 2).min()
        rights[place] = (layout.centres[members, 0] + layout.widths[members] / 2).max()
    line = list(range(count))
    middles = (lefts + rights) / 2
    for place in np.argsort(middles, kind="stable"):
        nearest, gap = None, np.inf
        for other in range(count):
            if middles[other] >= middles[place] or other == place:
                continue
            shared = min(bottoms[place], bottoms[other]) - max(tops[place], tops[other])
            shorter = min(bottoms[place] - tops[place], bottoms[other] - tops[other])
            if shared < LINE_OVERLAP * shorter:
                continue
            distance = middles[place] - middles[other]
            if distance < gap:
                nearest, gap = other, distance
        if nearest is not None:
            line[place] = line[nearest]
    heights = {
        number: float(np.mean([(tops[p] + bottoms[p]) / 2 for p in range(count) if line[p] == number]))
        for number in set(line)
    }
    return sorted(range(count), key=lambda place: (heights[line[place]], line[place], float(middles[place])))
