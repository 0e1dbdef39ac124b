"""From the finder's map to the cards that lie in a photo.

The finder marks printed *ends* of cards. Here its map is turned into ends, and
the two ends that belong to one card are joined.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.assign import assign
from vision.crops import Pyramid
from vision.pair import UNLIKELY, compare_ends
from vision.types import Ends, FoundCard, Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.session import Session

LONG_SIDE = 640
"""The photo is reduced so that its long side has this many pixels."""

STRIDE = 4
"""Pixels of the reduced photo in a cell of the map."""

MULTIPLE = 32
"""Height and width of the finder's input are multiples of this."""

PADDING = 0.5
"""Brightness of what is added right and below."""

SAME_END = 0.36
"""Two ends nearer than this share of half a card's width are one end.

Cards of a stack may lie a quarter of a width apart, which is 0.5.
"""

CLEAR = 0.3
"""Ends of this probability and more tell how long the ends of a photo are."""

SHORT = 0.6
"""An end of less than this share of that length does not know which way it points."""

SMALL = 20.0
"""Cards of fewer pixels across in the finder's input are easily overlooked."""

MARGIN = 4.0
"""So many widths of a card around all ends lie other cards, of which none was found yet."""

MUCH = 0.75
"""A part of a photo is looked at anew where its long side is less than this share of the photo's."""

OPPOSITE = -0.8
"""Cosine between the ups of the two ends of one card, at most."""

SAME_CARD = 0.42
"""How far, in widths of a card, two ends of one card may disagree."""

EQUALLY_SEEN = 0.1
"""Ends of which nearly the same share is seen are seen equally well."""

UNEVEN = 0.5
"""So much more disagreement where one end lies bare and the other is covered: in a column the card of which
the lower end is seen lies above the others."""

BARE = 0.85
"""Nothing lies over an end of which this share is seen."""

MIDDLE = 0.38
"""So far from the middle lies a card's picture, as a share of the way between its ends and of its width."""

GRID = np.linspace(-0.8, 0.8, 5, dtype=np.float32)
"""Where an end is asked whether something lies upon it, in halves of its width and height."""

ALONGSIDE = 0.9
"""Cosine between the directions of two cards that lie along each other, at least."""

STILL_LARGER = 1.5
"""A photo is reduced from the halved one where that is larger than the finder's input by this."""

_NEVER = 1e3
_STRIP = 16
"""So many rows are worked on at a time: what they take stays in the processor's cache."""


def reduce_photo(image: NDArray[np.uint8] | Pyramid) -> tuple[NDArray[np.float32], float]:
    """Make the finder's input from a photo.

    Args:
        image: uint8[h, w, 3], RGB, or a pyramid of it, of which crops will be cut, too.

    Returns:
        float32[1, 3, H, W] from 0 to 1, and how many pixels of it there are for
        each pixel of the photo.
    """
    pyramid = Pyramid.of(image)
    height, width = pyramid[0].shape[:2]
    scale = LONG_SIDE / max(height, width)
    # A level is there for the crops anyway, and has a quarter of the pixels to be added up.
    halved = int(np.log2(max(1, max(height, width) / (LONG_SIDE * STILL_LARGER))))
    level = pyramid[min(halved, pyramid.deepest)]
    small = resize_area(level, max(1, round(height * scale)), max(1, round(width * scale)))
    rows = -(-small.shape[0] // MULTIPLE) * MULTIPLE
    columns = -(-small.shape[1] // MULTIPLE) * MULTIPLE
    feed = np.full((1, 3, rows, columns), PADDING, np.float32)
    feed[0, :, : small.shape[0], : small.shape[1]] = small.transpose(2, 0, 1)
    feed[0, :, : small.shape[0], : small.shape[1]] *= np.float32(1 / 255)
    return feed, scale


def resize_area(image: NDArray[np.uint8], height: int, width: int) -> NDArray[np.float32]:
    """Resize an image; where it gets smaller, each pixel is the mean of its area.

    Args:
        image: uint8[h, w, c].
        height: rows of the result.
        width: columns of the result.

    Returns:
        float32[height, width, c], 0 to 255.
    """
    from_height, from_width, channels = image.shape
    rows, row_shares = _shares(from_height, height)
    columns, column_shares = _shares(from_width, width)
    places = [(column[:, None] * channels + np.arange(channels)).ravel() for column in columns.T]
    weights = [np.repeat(share, channels) for share in column_shares.T]
    lines = np.ascontiguousarray(image).reshape(from_height, from_width * channels)
    result = np.empty((height, width * channels), np.float32)
    for top in range(0, height, _STRIP):
        strip = slice(top, min(height, top + _STRIP))
        first = rows[strip].min()
        source = lines[first : rows[strip].max() + 1].astype(np.float32)
        wide = _weighed(
            (source.take(row - first, axis=0) for row in rows[strip].T), row_shares[strip].T[:, :, None]
        )
        result[strip] = _weighed((wide.take(place, axis=1) for place in places), weights)
    return result.reshape(height, width, channels)


def _weighed(
    parts: Iterable[NDArray[np.float32]], weights: Iterable[NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Add up arrays, at least one, each times its weight; the arrays are used up."""
    pairs = zip(parts, weights, strict=True)
    total, weight = next(pairs)
    total *= weight
    for part, share in pairs:
        np.multiply(part, share, out=part)
        total += part
    return total


def _shares(size: int, to: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Say of which pixels of a line each pixel of a shorter or longer line is the mean.

    Args:
        size: pixels there are.
        to: pixels there shall be.

    Returns:
        int[to, k], their places, and float32[to, k], the share of each.
    """
    step = size / to
    if step < 1:
        place = np.clip((np.arange(to) + 0.5) * step - 0.5, 0, size - 1)
        first = np.minimum(place.astype(np.intp), max(0, size - 2))
        share = (place - first).astype(np.float32)
        return np.stack([first, np.minimum(first + 1, size - 1)], 1), np.stack([1 - share, share], 1)
    start = np.arange(to)[:, None] * step
    end = np.minimum(start + step, size)
    places = start.astype(np.intp) + np.arange(int(np.ceil(step)) + 1)
    shares = np.clip(np.minimum(end, places + 1) - np.maximum(start, places), 0, 1) / (end - start)
    used = shares.any(0)
    return np.minimum(places, size - 1)[:, used], shares[:, used].astype(np.float32)


def find_ends(image: NDArray[np.uint8] | Pyramid, session: Session, *, threshold: float) -> Ends:
    """Find the printed ends in a photo.

    Args:
        image: uint8[h, w, 3], RGB, upright, or a pyramid of it.
        session: the finder.
        threshold: ends of lower probability are left out.

    Returns:
        The ends in pixels of the photo, the likeliest first.
    """
    feed, scale = reduce_photo(image)
    found = session.run({"image": feed})[0][0]
    return one_end_each(decode_map(found, threshold=threshold)).scaled(1 / scale)


def decode_map(ends: NDArray[np.float32], *, threshold: float) -> Ends:
    """Read the finder's map.

    An end is a cell that no neighbour exceeds. Its place and its vectors are the
    mean of what the cells around it say that speak of the same end, weighed by
    their probability.

    Args:
        ends: float32[10, h, w], the output of the finder for one photo.
        threshold: cells of lower probability are left out.

    Returns:
        Ends in pixels of the finder's input, the likeliest first; an end may
        still occur twice.
    """
    probability = ends[0]
    height, width = probability.shape
    padded = np.pad(probability, 1, constant_values=-1)
    peak = probability >= threshold
    for down in range(3):
        for across in range(3):
            if (down, across) == (1, 1):
                continue
            neighbour = padded[down : down + height, across : across + width]
            earlier = (down, across) < (1, 1)
            peak &= (probability > neighbour) if earlier else (probability >= neighbour)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-probability[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    count = len(rows)
    if count == 0:
        return Ends.empty()
    values = np.empty((9, count, 9), np.float32)
    weights = np.zeros((9, count), np.float32)
    for place in range(9):
        row, column = rows + place // 3 - 1, columns + place % 3 - 1
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        row, column = np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)
        values[place] = ends[1:, row, column].T
        values[place, :, 0] += (column + 0.5) * STRIDE
        values[place, :, 1] += (row + 0.5) * STRIDE
        weights[place] = np.where(inside, probability[row, column], 0)
    own = values[4]
    half = np.maximum(np.hypot(own[:, 4], own[:, 5]), 1e-3)
    apart = np.hypot(values[:, :, 0] - own[:, 0], values[:, :, 1] - own[:, 1]) / half
    along = (values[:, :, 2] * own[:, 2] + values[:, :, 3] * own[:, 3]) / np.maximum(
        np.hypot(values[:, :, 2], values[:, :, 3]) * np.hypot(own[:, 2], own[:, 3]), 1e-6
    )
    speaks = (apart < SAME_END) & (along > 0.9) & (weights > 0.25 * weights[4])
    weights = np.where(speaks, weights, 0)
    weights[4] = probability[rows, columns]
    mean = (values * weights[:, :, None]).sum(0) / weights.sum(0)[:, None]
    return Ends(
        centres=np.ascontiguousarray(mean[:, 0:2]),
        ups=np.ascontiguousarray(mean[:, 2:4]),
        rights=np.ascontiguousarray(mean[:, 4:6]),
        cards=mean[:, 0:2] + mean[:, 6:8],
        scores=probability[rows, columns].astype(np.float32),
        seen=np.clip(mean[:, 8], 0, 1),
    )


def one_end_each(ends: Ends) -> Ends:
    """Leave out ends that were found twice, keeping the likelier.

    Args:
        ends: the likeliest first.

    Returns:
        Ends no two of which lie on each other.
    """
    half = ends.halves
    between = ends.centres[:, None] - ends.centres[None]
    near = SAME_END * np.minimum(half[:, None], half[None])
    same = np.hypot(between[:, :, 0], between[:, :, 1]) < near
    kept = np.ones(len(ends), bool)
    for place in np.flatnonzero(np.tril(same, -1).any(1)):
        kept[place] = not (same[place, :place] & kept[:place]).any()
    return ends.take(np.flatnonzero(kept))


def closer_window(ends: Ends, size: tuple[int, int]) -> tuple[slice, slice] | None:
    """Choose the part of a photo that is worth a closer look, since its cards are small.

    Args:
        ends: as the finder saw them, in pixels of the photo.
        size: height and width of the photo.

    Returns:
        The rows and the columns where cards lie; None where they are large enough or lie all over the photo.
    """
    clear = ends.take(np.flatnonzero(ends.scores >= CLEAR))
    if not len(clear):
        return None
    width = 2 * float(np.median(clear.halves))
    if width * LONG_SIDE / max(size) >= SMALL:
        return None
    left, top = np.maximum(clear.centres.min(0) - MARGIN * width, 0).astype(int).tolist()
    right, bottom = (clear.centres.max(0) + MARGIN * width).astype(int).tolist()
    bottom, right = min(bottom, size[0]), min(right, size[1])
    if max(bottom - top, right - left) >= MUCH * max(size):
        return None
    return slice(top, bottom), slice(left, right)


def both_ways(ends: Ends) -> Ends:
    """Give ends of which the finder could not tell which way they point the direction of their neighbour.

    In a column of equal cards an end may as well be the covered lower end of the card above; its vectors
    are then the mean of both, and far too short. A closer look decides between the two.

    Args:
        ends: as the finder saw them.

    Returns:
        The ends; each that is too short twice, as its nearest sound neighbour lies and turned round.
    """
    long = np.hypot(ends.ups[:, 0], ends.ups[:, 1])
    clear = ends.scores >= CLEAR
    if not clear.any():
        return ends
    short = long < SHORT * np.median(long[clear])
    sound = np.flatnonzero(~short & clear)
    if not short.any() or not len(sound):
        return ends
    unclear = ends.take(np.flatnonzero(short))
    apart = unclear.centres[:, None] - ends.centres[sound]
    neighbour = ends.take(sound[np.hypot(apart[..., 0], apart[..., 1]).argmin(1)])
    turned = []
    for way in (np.float32(1), np.float32(-1)):
        middle = unclear.centres + way * (neighbour.cards - neighbour.centres)
        turned.append(replace(unclear, ups=way * neighbour.ups, rights=way * neighbour.rights, cards=middle))
    return ends.take(np.flatnonzero(~short)).joined(*turned)


def disagreement(ends: Ends) -> NDArray[np.float32]:
    """Measure how badly each two ends fit as the ends of one card, by where they lie alone.

    Both ends of a card vote for the same centre, point away from each other and lie
    on one line along the card.

    Args:
        ends: the ends of a photo.

    Returns:
        float32[n, n], in widths of a card; infinite where they cannot be one card.
    """
    count = len(ends)
    result = np.full((count, count), np.inf, np.float32)
    if count < 2:
        return result
    lie = compare_ends(ends)
    total = lie.apart
    fits = (lie.facing < OPPOSITE) & lie.behind & (total < SAME_CARD)
    total = total + UNEVEN * np.abs(ends.seen[:, None] - ends.seen[None, :])
    result[fits] = total[fits]
    return np.maximum(result, result.T)


def pair_ends(ends: Ends, likely: NDArray[np.float32] | None = None) -> list[tuple[int, ...]]:
    """Join the two ends of each card so that all cards together fit best.

    Args:
        ends: the ends of a photo.
        likely: float32[n, n], how likely each two ends are those of one card,
            `vision.pair.likely_pairs`; without it, where they lie decides.

    Returns:
        One or two places of ends for each card, the better seen first.
    """
    cost = disagreement(ends) - 2 * SAME_CARD if likely is None else -likely
    fits = cost < 0
    gains = np.where(fits, cost, _NEVER).astype(np.float64)
    partner = np.full(len(ends), -1)
    for first, second in _halves(fits):
        if len(first) == len(second) == 1:
            # With nobody else to choose there is nothing to assign.
            partner[first[0]], partner[second[0]] = second[0], first[0]
            continue
        alone = np.zeros((len(first), len(first)))
        chosen = assign(np.hstack([gains[np.ix_(first, second)], alone]))
        for a, column in zip(first, chosen, strict=True):
            if column < len(second):
                partner[a], partner[second[column]] = second[column], a
    cards: list[tuple[int, ...]] = []
    for a, b in enumerate(partner.tolist()):
        if b < 0:
            cards.append((a,))
        elif a < b:
            cards.append((a, b))
    return _better_first(ends, cards)


def _better_first(ends: Ends, cards: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Put the better seen end of each card first; where both are, the one that tells which card it is.

    In a spread of columns the covered end of one card may lie under the seen end of
    another, so that a mark there could be either's. Else the upper one comes first.
    """
    pairs = np.array([card for card in cards if len(card) == 2], np.intp).reshape(-1, 2)
    alone = np.array([card[0] for card in cards if len(card) == 1], np.intp)
    places = np.concatenate([ends.centres, ends.opposites[alone]])
    between = ends.centres[pairs][:, :, None] - places
    apart = np.hypot(between[..., 0], between[..., 1])
    rows = np.arange(len(pairs))[:, None, None]
    apart[rows, np.arange(2)[:, None], pairs[:, None, :]] = np.inf
    width = 2 * ends.halves[pairs[:, 0]]
    clear = np.minimum(1, apart.min(2, initial=np.inf) / np.maximum(width, 1e-6)[:, None])
    seen, height = ends.seen[pairs], ends.centres[pairs, 1]
    second = np.where(
        np.abs(clear[:, 0] - clear[:, 1]) > 0.1, clear[:, 0] <= clear[:, 1], height[:, 0] > height[:, 1]
    )
    second = np.where(np.abs(seen[:, 0] - seen[:, 1]) > EQUALLY_SEEN, seen[:, 0] <= seen[:, 1], second)
    pairs[second] = pairs[second, ::-1]
    turned = iter(pairs.tolist())
    return [card if len(card) == 1 else tuple(next(turned)) for card in cards]


def _halves(fits: NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Split the ends that may be partners into those that point one way and the other.

    Partners point away from each other, so that no three ends are partners all.

    Args:
        fits: bool[n, n], which two ends may be one card.

    Returns:
        For each set of ends that hang together, its two halves.
    """
    partners: list[list[int]] = [[] for _ in fits]
    for end, other in np.argwhere(fits).tolist():
        partners[end].append(other)
    side = [0] * len(fits)
    halves = []
    for start, others in enumerate(partners):
        if side[start] or not others:
            continue
        side[start] = 1
        reached = [start]
        for end in reached:
            for other in partners[end]:
                if not side[other]:
                    side[other] = -side[end]
                    reached.append(other)
        halves.append(([end for end in reached if side[end] > 0], [end for end in reached if side[end] < 0]))
    return halves


def outline(ends: Ends, card: tuple[int, ...]) -> tuple[Point, Point, Point, Point]:
    """Draw the outline of a card from its ends.

    Args:
        ends: the ends of a photo.
        card: one or two places of ends.

    Returns:
        Corners clockwise from the upper left of the first end.
    """
    top = ends.centres[card[0]] + ends.ups[card[0]]
    right = ends.rights[card[0]]
    if len(card) == 2:
        bottom = ends.centres[card[1]] + ends.ups[card[1]]
        left = ends.rights[card[1]]
    else:
        bottom = 2 * ends.cards[card[0]] - top
        left = -right
    corners = (top - right, top + right, bottom - left, bottom + left)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def find_cards(ends: Ends, likely: NDArray[np.float32] | None = None) -> list[FoundCard]:
    """Make cards of ends.

    Args:
        ends: the ends of a photo.
        likely: float32[n, n], how likely each two ends are those of one card.

    Returns:
        One entry for each physical card.
    """
    pairs = pair_ends(ends, likely)
    alone = np.array([card[0] for card in pairs if len(card) == 1], np.intp)
    pictures = set(alone[in_the_middle(ends.centres[alone], ends.ups[alone], ends, pairs)].tolist())
    kept = [card for card in pairs if len(card) == 2 or card[0] not in pictures]
    if likely is None:
        return [FoundCard(card, outline(ends, card)) for card in kept]
    return [FoundCard(card, outline(ends, card), *_fit(card, likely)) for card in kept]


def _fit(card: tuple[int, ...], likely: NDArray[np.float32]) -> tuple[float, float, int | None]:
    """Give the logit that the ends of a card are of one, the highest that one is of another, and of which."""
    others = likely[list(card)].copy()
    own = UNLIKELY
    if len(card) == 2:
        own = float(others[0, card[1]])
        others[0, card[1]] = others[1, card[0]] = UNLIKELY
    rivals = others.max(0)
    rival = int(rivals.argmax())
    return own, float(rivals[rival]), rival if rivals[rival] > UNLIKELY else None


def in_the_middle(
    centres: NDArray[np.float32], ups: NDArray[np.float32], ends: Ends, cards: Sequence[tuple[int, ...]]
) -> NDArray[np.bool_]:
    """Tell the picture in the middle of a card from the end of another.

    A card that lay there, along the first, would cover an end of it: all cards are equally long.

    Args:
        centres: float32[n, 2], of what was taken for ends.
        ups: float32[n, 2], their directions.
        ends: the ends of the photo.
        cards: one or two places of ends for each card.

    Returns:
        bool[n], whether each lies between the bare ends of a card, in its direction.
    """
    pairs = np.array([card for card in cards if len(card) == 2], np.intp).reshape(-1, 2)
    first, second = pairs[ends.seen[pairs].min(1) >= BARE].T
    directions = ups / np.maximum(np.hypot(ups[:, 0], ups[:, 1]), 1e-6)[:, None]
    along = ends.centres[first] - ends.centres[second]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)
    along = along / length[:, None]
    width = 2 * ends.halves[first]
    offset = centres[:, None] - (ends.centres[first] + ends.centres[second]) / 2
    beside = np.abs(along[:, 0] * offset[:, :, 1] - along[:, 1] * offset[:, :, 0])
    inside = (np.abs((offset * along).sum(2)) < MIDDLE * length) & (beside < MIDDLE * width)
    alongside = np.abs(directions @ along.T) > ALONGSIDE
    result: NDArray[np.bool_] = (inside & alongside).any(1)
    return result


def within(points: NDArray[np.float32], outlines: Sequence[Sequence[Point]]) -> NDArray[np.float32]:
    """Say how far inside each card each point lies.

    Args:
        points: float32[n, 2].
        outlines: m times the corners of a card, clockwise.

    Returns:
        float32[n, m]: 0 in the middle of a card, 1 on its edge.
    """
    corners = np.array(outlines, np.float64).reshape(-1, 4, 2)
    middle = corners.mean(1)
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 4
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 4
    area = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    x, y = np.moveaxis(points[:, None] - middle[None], 2, 0)
    across = np.abs(x * down[:, 1] - y * down[:, 0])
    along = np.abs(y * right[:, 0] - x * right[:, 1])
    reach = np.maximum(across, along) / np.maximum(area, 1e-6)
    result: NDArray[np.float32] = reach.astype(np.float32)
    return result


def lies_bare(card: FoundCard, ends: Ends) -> bool:
    """Tell whether nothing lies over a card: both its ends are seen whole.

    Args:
        card: of the photo.
        ends: its ends.

    Returns:
        Whether it does.
    """
    return len(card.ends) == 2 and float(ends.seen[list(card.ends)].min()) >= BARE


def uncovered(at: NDArray[np.intp], cards: Sequence[FoundCard], ends: Ends) -> NDArray[np.float32]:
    """Say how much of each end lies outside other cards that lie bare: only that can be seen of it.

    Args:
        at: int[n], some of the ends.
        cards: of the photo; no card covers its own ends.
        ends: of the photo.

    Returns:
        float32[n], shares from 0 to 1.
    """
    bare = [card for card in cards if lies_bare(card, ends)]
    if not bare:
        return np.ones(len(at), np.float32)
    some = ends.take(at)
    across, along = np.meshgrid(GRID, GRID)
    points = (
        some.centres[:, None]
        + some.rights[:, None] * across.reshape(1, -1, 1)
        + some.ups[:, None] * along.reshape(1, -1, 1)
    )
    outlines = [card.outline for card in bare]
    inside = within(points.reshape(-1, 2), outlines).reshape(len(at), GRID.size**2, len(bare)) < 1
    own = np.array([np.isin(at, card.ends) for card in bare]).T
    result: NDArray[np.float32] = 1 - (inside & ~own[:, None]).any(2).mean(1, dtype=np.float32)
    return result
