"""All cards of a photo have the same size and lie on one table.

In a column white paper lies on white paper: how wide a card is can be seen at its sides, how
long it is cannot. What shows both its ends says it for all others, once it is known how the
table tilts; and that is seen from how large cards of one size look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.find import BARE, one_end_each, pair_ends
from vision.pair import distances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.types import Ends, FoundCard, Point

END_SHARE = 0.35
"""The part of a card's length that is called an end (DESIGN.md, "Reading a photo")."""

WELL_SEEN = 0.6
"""An end of which this share is seen shows where its upper edge lies and how wide it is, more or less."""

COVERED = 0.1
"""So much counts the width of one that is partly covered."""

PROBABLE = 0.5
"""Ends of lower probability tell nothing about others."""

SAME_WAY = 0.25
"""Radians: cards whose directions differ by less say most of each other."""

NEAR = 0.25
"""Share of the extent of all ends: so do cards nearer than this."""

FARTHEST = 0.45
"""No end is made longer, shorter, wider or narrower by more than this, in nats."""

ROUNDS = 3
"""Steps of Gauss and Newton that find how the table tilts."""

WIDTH_ERROR, LENGTH_ERROR, ANGLE_ERROR = 0.05, 0.03, 0.05
"""Nats and radians by which they are mistaken; what is farther off counts less (Huber 1964)."""

RECEDES, SHORTENS = 0.7, 0.25
"""How much smaller, in nats, the far cards are than the near ones, and how much shorter they look one way
than another, before anything is known of it."""

UNUSUAL = 0.1
"""On the table no card is longer or wider than most by so much, in nats."""

STEP = 1e-4
"""By so much each number is changed to see what depends on it."""

FLIP, SWAP = np.diag((1.0, -1.0)), np.fliplr(np.eye(2))
"""What the table's looking shorter is made of: along the edges of the photo, and between them."""

LEAST = 0.2
"""Nothing among the cards is farther than the middle of them by more than one through this."""


@dataclass(frozen=True, slots=True)
class Plane:
    """Where each place of a photo lies on the table (Hartley and Zisserman 2004, 8.2 and 2.7)."""

    middle: NDArray[np.float64]
    """float64[2], a place of the photo that keeps its scale."""

    recede: NDArray[np.float64]
    """float64[..., 2], by how much nearness, 1 in the middle, grows for each pixel to the right and down."""

    stretch: NDArray[np.float64]
    """float64[..., 2, 2], what undoes that the table looks shorter one way than another."""

    def down(self, places: NDArray[np.floating]) -> NDArray[np.float64]:
        """Take places of the photo to the table.

        Args:
            places: float[..., 2], pixels.

        Returns:
            float64[..., 2], in pixels of the middle; of several planes, those of each.
        """
        offset = places - self.middle
        near = np.maximum(1 + offset @ self.recede[..., None], LEAST)
        flat: NDArray[np.float64] = offset @ np.swapaxes(self.stretch, -1, -2) / near
        return flat

    def up(self, places: NDArray[np.floating]) -> NDArray[np.float64]:
        """Take places of the table to the photo.

        Args:
            places: float[..., 2], in pixels of the middle.

        Returns:
            float64[..., 2], pixels.
        """
        flat = places @ np.linalg.inv(self.stretch).T
        far = np.maximum(1 - flat @ self.recede, LEAST)
        seen: NDArray[np.float64] = self.middle + flat / far[..., None]
        return seen


def tilt(ends: Ends, first: NDArray[np.intp], second: NDArray[np.intp]) -> Plane:
    """Find how the table tilts: cards of one size have to be of one size on it, and their corners square.

    Args:
        ends: well seen ends of a photo.
        first: int[m], those of which the other end of the card is one of them, too.
        second: int[m], these other ends.

    Returns:
        The plane.
    """
    middle = ends.centres.mean(0).astype(np.float64)
    extent = float(np.ptp(ends.centres, axis=0).max()) + 1.0
    errors = np.repeat((WIDTH_ERROR, ANGLE_ERROR, LENGTH_ERROR), (len(ends), len(ends), len(first)))
    before = np.array([RECEDES, RECEDES, SHORTENS, SHORTENS])

    def plane(numbers: NDArray[np.float64]) -> Plane:
        """One for each row of numbers, float64[..., 4]."""
        a, b = numbers[..., 2, None, None], numbers[..., 3, None, None]
        strength = np.maximum(np.hypot(a, b), 1e-9)
        stretch = np.eye(2) * np.cosh(strength) + (a * FLIP + b * SWAP) * np.sinh(strength) / strength
        return Plane(middle, numbers[..., :2] / extent, stretch)

    def rest(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each measure is off for each row of numbers, in its errors: widths, angles, lengths."""
        sizes, angles, lengths = _measures(ends, first, second, plane(numbers))
        parts = (sizes - _median(sizes), angles, lengths - _median(lengths))
        off: NDArray[np.float64] = np.concatenate(parts, axis=-1) / errors
        return off

    numbers = np.zeros(4)
    steps = STEP * np.eye(5, 4, -1)
    for _ in range(ROUNDS):
        off, *changed = rest(numbers + steps)
        turned = np.stack([(other - off) / STEP for other in changed], axis=1)
        weighed = turned / np.maximum(1, np.abs(off))[:, None]
        normal = weighed.T @ turned + np.diag(before**-2)
        numbers = numbers - np.linalg.solve(normal, weighed.T @ off + numbers / before**2)
        numbers = np.clip(numbers, -2 * before, 2 * before)
    return plane(numbers)


def lie_flat(ends: Ends, cards: Sequence[FoundCard]) -> list[tuple[Point, Point, Point, Point]]:
    """Say where each card lies on the table: in a photo from aside a row and its cards are not square.

    Args:
        ends: of the photo.
        cards: of these ends.

    Returns:
        The corners of each card on the table; those in the photo where no card is seen as a whole.
    """
    outlines = [card.outline for card in cards]
    pairs = [
        card.ends for card in cards if len(card.ends) == 2 and ends.seen[list(card.ends)].min() >= WELL_SEEN
    ]
    if not pairs:
        return outlines
    clear = np.flatnonzero(ends.seen >= WELL_SEEN)
    first, second = np.searchsorted(clear, np.array(pairs, np.intp).T)
    flat = tilt(ends.take(clear), first, second).down(np.array(outlines, np.float64))
    corners = [[(float(x), float(y)) for x, y in card] for card in flat]
    return [(a, b, c, d) for a, b, c, d in corners]


def _measures(
    ends: Ends, first: NDArray[np.intp], second: NDArray[np.intp], plane: Plane
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Measure cards on the table.

    Returns:
        Logarithms of the widths, float64[..., ends]; how far from square each end is, float64[..., ends] in
        radians; logarithms of the lengths, float64[..., m]; for each of several planes where they are.
    """
    centres, rights = ends.centres, ends.rights
    points = np.concatenate([centres + ends.ups, centres, centres + rights, centres - rights])
    edges, middles, right, left = np.split(plane.down(points), 4, axis=-2)
    across, along = right - left, edges - middles
    wide, high = _long(across), _long(along)
    angles = np.arcsin(np.clip((across * along).sum(-1) / (wide * high), -1, 1))
    lengths = _long(edges[..., first, :] - edges[..., second, :])
    return np.log(wide), angles, np.log(lengths)


def _long(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Measure vectors, float64[..., 2]; none is so short that it has no logarithm."""
    return np.maximum(np.hypot(vectors[..., 0], vectors[..., 1]), 1e-3)


def _median(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the median of each row of at least one value, in a third of the time of `numpy.median`."""
    ordered, count = np.sort(values, axis=-1), values.shape[-1]
    middle: NDArray[np.float64] = (ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2
    return middle[..., None]


def _across(ends: Ends, plane: Plane) -> NDArray[np.float64]:
    """Take each end's way from its left to its right side to the table: float64[n, 2]."""
    return plane.down(ends.centres + ends.rights) - plane.down(ends.centres - ends.rights)


def same_shape(ends: Ends) -> Ends:
    """Give all ends the size that all cards together say, the upper edge of each kept.

    Args:
        ends: the ends of a photo; one may have been found twice.

    Returns:
        The same ends; widths, heights, centres and the middles of the cards corrected. Where no card
        is seen as a whole, they are as they were.
    """
    order = np.argsort(-ends.scores, kind="stable")
    part = one_end_each(ends.take(order[ends.scores[order] >= PROBABLE]))
    part = part.take(np.flatnonzero(part.seen >= WELL_SEEN))
    pairs = [pair for pair in pair_ends(part) if len(pair) == 2]
    if not pairs:
        return ends
    first, second = np.array(pairs, np.intp).T
    plane = tilt(part, first, second)
    widths, _, lengths = _measures(part, first, second, plane)
    edges = plane.down(part.centres + part.ups)
    axes = edges[second] - edges[first]

    every = plane.down(ends.centres + ends.ups)
    ways = plane.down(ends.centres) - every
    mine = distances(part.centres, ends.centres).argmin(1)
    ways[mine[first]], ways[mine[second]] = axes, -axes
    ways /= _long(ways)[:, None]
    trust = np.where(part.seen >= BARE, 1, COVERED) * _usual(widths)
    wanted = _of_others(every, ways, edges, plane.down(part.centres) - edges, widths, trust)
    own = np.log(_long(_across(ends, plane)))
    wider = np.clip(wanted - own, -FARTHEST, FARTHEST)
    longer = _of_others(every, ways, (edges[first] + edges[second]) / 2, axes, lengths, _usual(lengths))
    length = np.exp(longer - wanted + own + wider)[:, None]
    centres = plane.up(every + ways * length * (END_SHARE / 2))
    tops = ends.centres + ends.ups
    wanted_ups = tops - centres
    heights, before = _long(wanted_ups), _long(ends.ups.astype(np.float64))
    change = np.clip(np.log(heights / before), -FARTHEST, FARTHEST)
    ups = wanted_ups * (before * np.exp(change) / heights)[:, None]
    centres = tops - ups
    sideways = np.stack([ways[:, 1], -ways[:, 0]], axis=1) * (np.exp(own + wider) / 2)[:, None]
    flat = plane.down(centres)
    rights = (plane.up(flat + sideways) - plane.up(flat - sideways)) / 2
    return replace(
        ends,
        ups=ups.astype(np.float32),
        rights=rights.astype(np.float32),
        centres=centres.astype(np.float32),
        cards=((tops + plane.up(every + ways * length)) / 2).astype(np.float32),
    )


def _usual(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell what is as large as most: in a column the ends of two cards of one name pass for one card."""
    usual = np.sort(values)[(len(values) - 1) // 2]
    near: NDArray[np.bool_] = np.abs(values - usual) < UNUSUAL
    return near


def _of_others(
    places: NDArray[np.float64],
    ways: NDArray[np.float64],
    others: NDArray[np.float64],
    directions: NDArray[np.float64],
    values: NDArray[np.float64],
    trust: NDArray[np.number | np.bool_],
) -> NDArray[np.float64]:
    """Say for each end what is seen of other cards, above all of near ones that lie its way.

    Args:
        places: float64[n, 2], the ends on the table.
        ways: float64[n, 2], how they lie.
        others: float64[m, 2], where something was seen.
        directions: float64[m, 2], how the cards lie there.
        values: float64[m], what was seen.
        trust: float[m] or bool[m], how much each counts.

    Returns:
        float64[n].
    """
    extent = float(np.ptp(places, axis=0).max()) + 1.0
    apart = np.hypot(*(places[:, None] - others[None]).transpose(2, 0, 1)) / extent
    one, other = (np.arctan2(vectors[:, 1], vectors[:, 0]) for vectors in (ways, directions))
    turn = np.abs((one[:, None] - other[None] + np.pi / 2) % np.pi - np.pi / 2)
    weight = trust / (1 + (apart / NEAR) ** 2) / (1 + (turn / SAME_WAY) ** 2)
    return weighted_medians(values, weight)


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
