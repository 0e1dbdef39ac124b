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
    groups = [sorted(group, key=lambda card: _within(layout, group, card)) for group in _join(layout)]
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


def _join(layout: _Layout) -> list[list[int]]:
    """Join cards into groups: columns first, then rows and fans of the others."""
    count = len(layout.centres)
    leader = list(range(count))

    def find(card: int) -> int:
        while leader[card] != card:
            leader[card] = leader[leader[card]]
            card = leader[card]
        return card

    below = [_next_in_column(layout, card, 1) for card in range(count)]
    above = [_next_in_column(layout, card, -1) for card in range(count)]
    stacked = set()
    for card, other in enumerate(below):
        if other is not None and above[other] == card and not _of_a_fan(layout, card, other):
            leader[find(other)] = find(card)
            stacked |= {card, other}
    single = [card for card in range(count) if card not in stacked]
    for place, card in enumerate(single):
        for other in single[place + 1 :]:
            if _side_by_side(layout, card, other):
                leader[find(other)] = find(card)
    groups: dict[int, list[int]] = {}
    for card in range(count):
        groups.setdefault(find(card), []).append(card)
    return list(groups.values())


def _offset(layout: _Layout, card: int, other: int) -> tuple[float, float]:
    """Measure from one card to another along their common direction.

    Returns:
        Pixels aside to the right, and pixels down.
    """
    up = layout.ups[card] + layout.ups[other]
    up = up / max(float(np.hypot(*up)), 1e-6)
    x, y = layout.centres[other] - layout.centres[card]
    return float(-x * up[1] + y * up[0]), float(-x * up[0] - y * up[1])


def _next_in_column(layout: _Layout, card: int, sign: int) -> int | None:
    """Find the card that lies next below (sign 1) or above (-1) in a column."""
    best, nearest = None, np.inf
    for other in range(len(layout.centres)):
        if other == card or layout.ups[card] @ layout.ups[other] < SAME_DIRECTION:
            continue
        aside, down = _offset(layout, card, other)
        down *= sign
        length = (layout.lengths[card] + layout.lengths[other]) / 2
        width = (layout.widths[card] + layout.widths[other]) / 2
        in_column = (
            0 < down < COLUMN_STEP * length and abs(aside) < COLUMN_ASIDE * width and down > 1.1 * abs(aside)
        )
        distance = float(np.hypot(aside, down))
        if in_column and distance < nearest:
            best, nearest = other, distance
    return best


def _of_a_fan(layout: _Layout, card: int, other: int) -> bool:
    """Tell whether two cards that lie nearly upon each other are part of a fan."""
    if _offset(layout, card, other)[1] >= SHORT_STEP * (layout.lengths[card] + layout.lengths[other]) / 2:
        return False
    for one in (card, other):
        for third in range(len(layout.centres)):
            if third in {card, other} or layout.ups[one] @ layout.ups[third] < SAME_DIRECTION:
                continue
            aside, down = (abs(distance) for distance in _offset(layout, one, third))
            if down < aside < FAN_ASIDE * (layout.widths[one] + layout.widths[third]) / 2:
                return True
    return False


def _side_by_side(layout: _Layout, card: int, other: int) -> bool:
    """Tell whether two cards are neighbours of a row or a fan."""
    if layout.ups[card] @ layout.ups[other] < SAME_DIRECTION:
        return False
    aside, down = _offset(layout, card, other)
    length = (layout.lengths[card] + layout.lengths[other]) / 2
    width = (layout.widths[card] + layout.widths[other]) / 2
    turn = layout.ups[card][0] * layout.ups[other][1] - layout.ups[card][1] * layout.ups[other][0]
    spread = abs(float(turn)) * length / 2
    return bool(abs(aside) < (1 + ROW_GAP) * width + spread and abs(down) < ROW_SHIFT * length)


def _within(layout: _Layout, group: Sequence[int], card: int) -> float:
    """Give the place of a card in its group: down a column, else along the row."""
    members = list(group)
    spread = np.ptp(layout.centres[members], axis=0)
    length = float(layout.lengths[members].mean())
    column = spread[1] > spread[0] and any(
        _next_in_column(layout, member, 1) in members for member in members
    )
    if column:
        return float(layout.centres[card, 1])
    return float(layout.centres[card, 0] + 1e-3 * layout.centres[card, 1] / length)


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
