"""A closer look at each end that was found.

The finder sees the whole photo reduced; here each end is seen with some margin in
the pixels of the photo itself, its place and its vectors are corrected, and what is
no end after all is told.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import Pyramid, cut_planes, normalise_planes
from vision.pair import overlaps
from vision.plane import same_shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.session import Session
    from vision.types import Ends

MARGIN_UP = 1.5
"""So many times the end's own height is looked at."""

MARGIN_RIGHT = 1.75
"""So many times the end's own width is looked at."""

UNIT = 0.1
"""The corrections of the model are in this share of the end's vectors."""

FARTHEST = 0.6
"""No correction may be larger, as a share of the end's vectors."""

LOOKS = 8
"""Each look sees an end where the one before has put it; so often at most. Most ends lie still after three,
but between two equal ends of a column a look may have put one that may be either, and it comes to one of
them in small steps."""

SIZED = 3
"""After so many looks only places are corrected; the size that all cards have follows when all lie still."""

AGAIN = 0.2
"""What the first look gives less than this is not looked at again."""

STILL = 0.02
"""Nor is, after the second, what that one has moved by less than this, in widths of a card."""

GUESS = 0.4
"""How likely an end is that was guessed, before it is looked at; the finder gives such ends that score."""

CERTAIN = 0.98
"""A guess is an end where the refiner says so with this probability."""

CLEAR = 0.46
"""Only what covers ends of this probability is guessed."""

SHORT = 0.15
"""An end of which so much less is seen than others leave open is covered by one that was not found."""

LEAST = 0.25
"""Of one of which less is seen it is not known where its covered part begins."""

_BATCH = 64


def look_closer(
    image: NDArray[np.uint8] | Pyramid,
    ends: Ends,
    session: Session,
    *,
    looks: int = LOOKS,
    sized: int = SIZED,
) -> Ends:
    """Correct where each end lies, and say anew how likely it is one.

    After each of the first looks all cards are given one size (`vision.plane`): what one look cannot tell
    of an end, others tell, and the next look sees it better placed.

    Args:
        image: uint8[h, w, 3], RGB, upright, or a pyramid of it.
        ends: as found, in pixels of the photo.
        session: the refiner, ``crops`` float32[n, 3, 72, 48] to float32[n, 8]:
            corrections of centre, up and right, along up and right each, and the
            logits of being an end and of the share that is seen.
        looks: how often to look.
        sized: from this look on only places are corrected; 0 where the ends have the size of all cards.

    Returns:
        As many ends in the same order, corrected; a score is the geometric mean of
        what the finder and the last look say.
    """
    if len(ends) == 0:
        return ends
    found = ends.scores
    pyramid = Pyramid.of(image)
    moved = np.full(len(ends), np.inf)
    late = False
    for look in range(looks):
        places = np.arange(len(ends))
        if look:
            places = np.flatnonzero((ends.scores >= AGAIN) & (moved >= STILL))
        if not len(places):
            break
        part = ends.take(places)
        crops = cut_planes(
            pyramid, part.centres, part.ups * np.float32(MARGIN_UP), part.rights * np.float32(MARGIN_RIGHT)
        )
        said = [
            session.run({"crops": normalise_planes(crops[start : start + _BATCH])})[0]
            for start in range(0, len(crops), _BATCH)
        ]
        seen = corrected(part, np.concatenate(said))
        seen = replace(seen, scores=np.sqrt(found[places] * seen.scores))
        if look < sized:
            before, ends = ends, same_shape(ends.put(places, seen))
        else:
            cards = part.cards + seen.centres - part.centres
            seen = replace(seen, ups=part.ups, rights=part.rights, cards=cards)
            before, ends, late = ends, ends.put(places, seen), True
        if look:
            moved = _moved(before, ends)
    return same_shape(ends) if late and sized else ends


def look_beneath(image: NDArray[np.uint8] | Pyramid, ends: Ends, session: Session) -> Ends:
    """Look for ends that the finder did not tell from those that they lie upon.

    In a tight column of equal cards the finder may see one end where two lie. The upper one is then partly
    covered, as the refiner says, by nothing that was found: where its covered part begins lies another end.

    Args:
        image: as for `look_closer`.
        ends: that it has looked at.
        session: the refiner.

    Returns:
        The ends, and those that were found beneath them.
    """
    guesses = coverers(ends)
    if not len(guesses):
        return ends
    told = look_closer(image, guesses, session, sized=0)
    own = told.scores**2 / GUESS
    return ends.joined(told.take(np.flatnonzero(own >= CERTAIN)))


def coverers(ends: Ends) -> Ends:
    """Guess the ends by which others are covered that nothing else covers.

    Args:
        ends: of a photo.

    Returns:
        One for each end of which less is seen than the others leave open, where its covered part begins.
    """
    clear = np.flatnonzero(ends.scores >= CLEAR)
    some = ends.take(clear)
    shared = overlaps(some, some)
    np.fill_diagonal(shared, 0)
    open_ = 1 - shared.max(1, initial=0)
    part = some.take(np.flatnonzero((open_ - some.seen > SHORT) & (some.seen >= LEAST)))
    down = part.ups * (-2 * part.seen[:, None])
    return replace(
        part,
        centres=part.centres + down,
        cards=part.cards + down,
        scores=np.full(len(part), GUESS, np.float32),
    )


def _moved(before: Ends, after: Ends) -> NDArray[np.float32]:
    """Say how far the upper edges and the middles of ends have moved, the farther of both, in widths."""
    width = 2 * before.halves
    edges = after.centres + after.ups - before.centres - before.ups
    far = np.maximum(np.hypot(*edges.T), np.hypot(*(after.centres - before.centres).T))
    moved: NDArray[np.float32] = far / width
    return moved


def corrected(ends: Ends, said: NDArray[np.float32]) -> Ends:
    """Apply the refiner's corrections.

    Args:
        ends: as found.
        said: float32[n, 8], what the refiner says of each.

    Returns:
        The corrected ends; a score is what the refiner says alone.
    """
    change = np.clip(said[:, :6] * np.float32(UNIT), -FARTHEST, FARTHEST).astype(np.float32)
    ups, rights = ends.ups, ends.rights

    def mixed(up: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
        both: NDArray[np.float32] = ups * up[:, None] + rights * right[:, None]
        return both

    new_ups = mixed(1 + change[:, 2], change[:, 3])
    new_centres = ends.centres + mixed(change[:, 0], change[:, 1])
    sigmoid = 1 / (1 + np.exp(-np.clip(said[:, 6:8], -20, 20)))
    reach = ends.cards - ends.centres
    length = np.hypot(ups[:, 0], ups[:, 1])
    turned = _turned(reach, ups, new_ups)
    stretch = np.hypot(new_ups[:, 0], new_ups[:, 1]) / np.maximum(length, 1e-6)
    return replace(
        ends,
        centres=new_centres,
        ups=new_ups,
        rights=mixed(change[:, 4], 1 + change[:, 5]),
        cards=new_centres + turned * np.sqrt(stretch)[:, None].astype(np.float32),
        scores=sigmoid[:, 0].astype(np.float32),
        seen=sigmoid[:, 1].astype(np.float32),
    )


def _turned(
    vectors: NDArray[np.float32], before: NDArray[np.float32], after: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Turn vectors as ``before`` is turned to ``after``, lengths kept."""
    cosine = (before * after).sum(1)
    sine = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    norm = np.maximum(np.hypot(cosine, sine), 1e-6)
    cosine, sine = (cosine / norm).astype(np.float32), (sine / norm).astype(np.float32)
    return np.stack(
        [vectors[:, 0] * cosine - vectors[:, 1] * sine, vectors[:, 0] * sine + vectors[:, 1] * cosine], axis=1
    )
