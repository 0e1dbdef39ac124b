"""From the finder's map to the cards that lie in a photo.

The finder marks printed *ends* of cards. Here its map is turned into ends, and
the two ends that belong to one card are joined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.assign import assign
from vision.types import Ends, FoundCard, Point

if TYPE_CHECKING:
    from collections.abc import Sequence

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

OPPOSITE = -0.8
"""Cosine between the ups of the two ends of one card, at most."""

SAME_CARD = 0.42
"""How far, in widths of a card, two ends of one card may disagree."""

ALONG = 0.5
"""Along the card a disagreement counts for less: how long a card is, is guessed from its end."""

EQUALLY_SEEN = 0.1
"""Ends of which nearly the same share is seen are seen equally well."""

ALIKE = 0.75
"""Both ends of a card are printed alike: embeddings of less than this cosine speak against it."""

UNLIKE = 0.5
"""So much disagreement is added at most where the embeddings speak against it."""

STRANGERS = 0.45
"""Ends of less cosine that both lie bare and are certainly ends are not of one card."""

CERTAIN = 0.7
"""An end of this probability is certainly one."""

UNEVEN = 0.5
"""So much more disagreement where one end lies bare and the other is covered: in a column the card of which
the lower end is seen lies above the others."""

TWINS = 0.4
"""So much more disagreement is tolerated where both ends look just the same."""

BARE = 0.85
"""Nothing lies over an end of which this share is seen."""

MIDDLE = 0.38
"""So far from the middle lies a card's picture, as a share of the way between its ends and of its width."""

ALONGSIDE = 0.9
"""Cosine between the directions of two cards that lie along each other, at least."""

_NEVER = 1e3


def reduce_photo(image: NDArray[np.uint8]) -> tuple[NDArray[np.float32], float]:
    """Make the finder's input from a photo.

    Args:
        image: uint8[h, w, 3], RGB.

    Returns:
        float32[1, 3, H, W] from 0 to 1, and how many pixels of it there are for
        each pixel of the photo.
    """
    height, width = image.shape[:2]
    scale = LONG_SIDE / max(height, width)
    small = resize_area(image, max(1, round(height * scale)), max(1, round(width * scale)))
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
    rows = _resize_rows(image.reshape(from_height, -1), height)
    turned = np.ascontiguousarray(rows.reshape(height, from_width, channels).transpose(1, 0, 2))
    columns = _resize_rows(turned.reshape(from_width, -1), width)
    upright: NDArray[np.float32] = columns.reshape(width, height, channels).swapaxes(0, 1)
    return upright


def _resize_rows(image: NDArray[np.uint8] | NDArray[np.float32], height: int) -> NDArray[np.float32]:
    """Resize along the first axis.

    Args:
        image: [h, n].
        height: rows of the result.

    Returns:
        float32[height, n].
    """
    from_height = image.shape[0]
    step = from_height / height
    if step == 1:
        return image.astype(np.float32)
    if step < 1:
        place = np.clip((np.arange(height) + 0.5) * step - 0.5, 0, from_height - 1)
        first = np.minimum(place.astype(np.intp), max(0, from_height - 2))
        share = (place - first).astype(np.float32)[:, None]
        second = np.minimum(first + 1, from_height - 1)
        between: NDArray[np.float32] = image[first] * (1 - share) + image[second] * share
        return between
    start = np.arange(height) * step
    end = np.minimum(start + step, from_height)
    first = start.astype(np.intp)
    result = np.zeros((height, image.shape[1]), np.float32)
    for offset in range(int(np.ceil(step)) + 1):
        row = first + offset
        share = np.clip(np.minimum(end, row + 1) - np.maximum(start, row), 0, 1) / (end - start)
        if not share.any():
            break
        result += image[np.minimum(row, from_height - 1)] * share.astype(np.float32)[:, None]
    return result


def find_ends(image: NDArray[np.uint8], session: Session, *, threshold: float) -> Ends:
    """Find the printed ends in a photo.

    Args:
        image: uint8[h, w, 3], RGB, upright.
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
    kept: list[int] = []
    half = np.hypot(ends.rights[:, 0], ends.rights[:, 1])
    for place in range(len(ends)):
        others = np.array(kept, np.intp)
        apart = np.hypot(*(ends.centres[others] - ends.centres[place]).T)
        if not (apart < SAME_END * np.minimum(half[others], half[place])).any():
            kept.append(place)
    return ends.take(np.array(kept, np.intp))


def disagreement(ends: Ends, embeddings: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Measure how badly each two ends fit as the ends of one card.

    Both ends of a card vote for the same centre, point away from each other, lie
    on one line along the card, and look alike as far as they are seen.

    Args:
        ends: the ends of a photo.
        embeddings: float32[n, 128], what the namer makes of each end.

    Returns:
        float32[n, n], in widths of a card; infinite where they cannot be one card.
    """
    count = len(ends)
    result = np.full((count, count), np.inf, np.float32)
    if count < 2:
        return result
    directions = ends.ups / np.maximum(np.hypot(ends.ups[:, 0], ends.ups[:, 1]), 1e-6)[:, None]
    facing = directions @ directions.T
    widths = 2 * np.hypot(ends.rights[:, 0], ends.rights[:, 1])
    width = np.maximum((widths[:, None] + widths[None, :]) / 2, 1e-3)
    between = ends.centres[None, :, :] - ends.centres[:, None, :]
    beside = np.abs(directions[:, None, 0] * between[:, :, 1] - directions[:, None, 1] * between[:, :, 0])
    vote = (ends.cards[:, None, :] - ends.cards[None, :, :]) / width[:, :, None]
    along = directions[:, None, :] - directions[None, :, :]
    along /= np.maximum(np.hypot(along[:, :, 0], along[:, :, 1]), 1e-6)[:, :, None]
    far = (vote * along).sum(2)
    aside = vote[:, :, 0] * along[:, :, 1] - vote[:, :, 1] * along[:, :, 0]
    line = (beside + beside.T) / 2 / width
    behind = -(directions[:, None, :] * between).sum(2) > 0
    total = np.sqrt(aside**2 + (ALONG * far) ** 2 + (0.5 * line) ** 2)
    tolerated: NDArray[np.float32] | float = SAME_CARD
    if embeddings is not None:
        shown = ends.seen[:, None] * ends.seen[None, :]
        likeness = embeddings @ embeddings.T
        tolerated = SAME_CARD + TWINS * np.clip((likeness - ALIKE) / (1 - ALIKE), 0, 1) * shown
    fits = (facing < OPPOSITE) & behind.T & behind & (total < tolerated)
    total = total + UNEVEN * np.abs(ends.seen[:, None] - ends.seen[None, :])
    if embeddings is not None:
        certain = np.minimum(ends.scores[:, None], ends.scores[None, :]) >= CERTAIN
        fits &= (likeness > STRANGERS) | (shown < BARE**2) | ~certain
        total = total + np.clip(ALIKE - likeness, 0, UNLIKE) * shown
    result[fits] = total[fits]
    return np.maximum(result, result.T)


def pair_ends(ends: Ends, embeddings: NDArray[np.float32] | None = None) -> list[tuple[int, ...]]:
    """Join the two ends of each card so that all cards together fit best.

    Args:
        ends: the ends of a photo.
        embeddings: float32[n, 128], what the namer makes of each end.

    Returns:
        One or two places of ends for each card, the better seen first.
    """
    cost = disagreement(ends, embeddings)
    partner = np.full(len(ends), -1)
    for first, second in _halves(np.isfinite(cost)):
        gain = np.where(np.isfinite(cost), cost - 2 * SAME_CARD, _NEVER)[np.ix_(first, second)]
        alone = np.zeros((len(first), len(first)))
        chosen = assign(np.hstack([gain, alone]).astype(np.float64))
        for a, column in zip(first, chosen, strict=True):
            if column < len(second):
                partner[a], partner[second[column]] = second[column], a
    cards: list[tuple[int, ...]] = []
    for a in range(len(ends)):
        b = int(partner[a])
        if b < 0:
            cards.append((a,))
        elif a < b:
            cards.append((a, b))
    return [_better_first(ends, cards, place) for place in range(len(cards))]


def _better_first(ends: Ends, cards: list[tuple[int, ...]], place: int) -> tuple[int, ...]:
    """Put the better seen end of a card first; where both are, the one that tells which card it is.

    In a spread of columns the covered end of one card may lie under the seen end of
    another, so that a mark there could be either's. Else the upper one comes first.
    """
    card = cards[place]
    if len(card) == 1:
        return card
    a, b = card
    if abs(ends.seen[a] - ends.seen[b]) > EQUALLY_SEEN:
        return card if ends.seen[a] > ends.seen[b] else (b, a)
    others = np.array([end for other in cards if other is not card for end in other], np.intp)
    alone = np.array([other[0] for other in cards if len(other) == 1], np.intp)
    places = np.concatenate([ends.centres[others], 2 * ends.cards[alone] - ends.centres[alone]])
    width = 2 * float(np.hypot(*ends.rights[a]))
    clear = [
        min(1.0, float(np.hypot(*(places - ends.centres[end]).T).min(initial=np.inf)) / width) for end in card
    ]
    if abs(clear[0] - clear[1]) > 0.1:
        return card if clear[0] > clear[1] else (b, a)
    return card if ends.centres[a, 1] <= ends.centres[b, 1] else (b, a)


def _halves(fits: NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Split the ends that may be partners into those that point one way and the other.

    Partners point away from each other, so that no three ends are partners all.

    Args:
        fits: bool[n, n], which two ends may be one card.

    Returns:
        For each set of ends that hang together, its two halves.
    """
    side = np.zeros(len(fits), int)
    halves = []
    for start in np.flatnonzero(fits.any(1)):
        if side[start]:
            continue
        side[start] = 1
        reached = [int(start)]
        for end in reached:
            for other in np.flatnonzero(fits[end] & (side == 0)):
                side[other] = -side[end]
                reached.append(int(other))
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


def find_cards(ends: Ends, embeddings: NDArray[np.float32] | None = None) -> list[FoundCard]:
    """Make cards of ends.

    Args:
        ends: the ends of a photo.
        embeddings: float32[n, 128], what the namer makes of each end.

    Returns:
        One entry for each physical card.
    """
    pairs = pair_ends(ends, embeddings)
    return [
        FoundCard(card, outline(ends, card))
        for card in pairs
        if len(card) == 2 or not in_the_middle(ends.centres[card[0]], ends.ups[card[0]], ends, pairs)
    ]


def in_the_middle(
    centre: NDArray[np.float32], up: NDArray[np.float32], ends: Ends, cards: Sequence[tuple[int, ...]]
) -> bool:
    """Tell the picture in the middle of a card from the end of another.

    A card that lay there, along the first, would cover an end of it: all cards are equally long.

    Args:
        centre: float32[2], of what was taken for an end.
        up: float32[2], its direction.
        ends: the ends of the photo.
        cards: one or two places of ends for each card.

    Returns:
        Whether it lies between the bare ends of a card, in its direction.
    """
    direction = up / max(float(np.hypot(*up)), 1e-6)
    for first, second in (card for card in cards if len(card) == 2):
        if min(ends.seen[first], ends.seen[second]) < BARE:
            continue
        along = ends.centres[first] - ends.centres[second]
        length = max(float(np.hypot(*along)), 1e-6)
        along = along / length
        offset = centre - (ends.centres[first] + ends.centres[second]) / 2
        beside = abs(float(along[0] * offset[1] - along[1] * offset[0]))
        width = 2 * float(np.hypot(*ends.rights[first]))
        if (
            abs(float(offset @ along)) < MIDDLE * length
            and beside < MIDDLE * width
            and abs(float(direction @ along)) > ALONGSIDE
        ):
            return True
    return False
