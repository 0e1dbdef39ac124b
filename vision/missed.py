"""How likely a card was missed: where the finder saw something that was taken for no card.

A needless doubt asks the player to look where nothing lies, a card missed without a doubt makes a wrong
hand look right. What is known of such a place tells both apart better than the finder alone: what lies
around it, whether it looks like a face of the deck, whether another such place is its other end. The
weights are fitted on photos that nothing else was trained on (`vision.training.calibrate`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.find import BARE, in_the_middle, outline, uncovered, within
from vision.pair import ALIKE, distances, log_odds, overlaps
from vision.quality import clarity, paper, unlike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.types import Ends, FoundCard, Point

MISSED_FACTS = (
    "bias",
    "score",
    "seen",
    "near",
    "near_facing",
    "overlap",
    "outdone",
    "overlap_alike",
    "other_end",
    "near_likeness",
    "near_size",
    "inside",
    "similarity",
    "gap",
    "outside",
    "edge",
    "partner",
    "partner_score",
    "partner_likeness",
    "found",
    "size",
    "cards",
    "confidence",
    "real",
    "free",
    "contrast",
    "sharpness",
    "grain",
    "colour",
    "paper_lighter",
    "paper_tinted",
    "usual_similarity",
    "usual_contrast",
)
"""What is known of a place where a card may have been missed, `missed_facts`; lengths in halves of an end's
width."""

FAR = 6.0
"""Farther away is all alike."""

PARTNER = 1.5
"""The other end of a card lies within so many halves of where it is expected."""

PARTNER_FAR = 4.0
"""Farther from where it is expected, all is alike."""

EDGE = 4.0
"""Farther from the edge of the photo than this, all is alike."""

BODY = 3.0
"""Farther from the middle of a card than so many times its own reach, all is alike."""

MUCH = 0.4
"""An end of which so much is covered is seen too little to count; or it is the same print, turned round."""

MANY = 20.0
"""Cards of a hand, about: what their number is measured by."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a card may have been missed: ends of cards that were left out, and faint ends."""

    ends: Ends
    """All ends of the photo, the faint ones last."""

    embeddings: NDArray[np.float32]
    """float32[ends, 128], what the namer makes of each."""

    crops: NDArray[np.uint8]
    """uint8[ends, 72, 48, 3], what is seen there."""

    at: NDArray[np.intp]
    """int[n], the end of each place."""

    chances: NDArray[np.float32]
    """float32[n, 2], of a card that was left out the confidence in its name and how likely it is there;
    zeros of a faint end."""

    found: NDArray[np.bool_]
    """bool[n], whether a card was found there and left out."""

    def __len__(self) -> int:
        """Count the places."""
        return len(self.at)


def says_something_new(faint: Ends, ends: Ends, cards: Sequence[FoundCard]) -> NDArray[np.bool_]:
    """Tell which faint ends may be those of cards of their own.

    One that lies on an end that was taken, on the picture in the middle of a card, or where the other
    end of a card lies, says nothing new; nor does one of which much lies on an end that is seen whole.

    Args:
        faint: ends too unlikely to be taken for cards.
        ends: those that were.
        cards: of these ends.

    Returns:
        bool[faint].
    """
    if not len(ends) or not len(faint):
        return np.ones(len(faint), np.bool_)
    reach = np.maximum(ends.halves[None], faint.halves[:, None])
    # Where the other end of a card lies, only what points the other way can be that.
    opposite = ends.opposites
    other = np.where(faint.facing(ends) < 0, distances(faint.centres, opposite), np.inf)
    known = (np.minimum(distances(faint.centres, ends.centres), other) < reach).any(1)
    known |= (overlaps(faint, ends.take(np.flatnonzero(ends.seen >= BARE))) >= MUCH).any(1)
    pictures = in_the_middle(faint.centres, faint.ups, ends, [card.ends for card in cards])
    result: NDArray[np.bool_] = ~known & ~pictures
    return result


def missed_facts(
    places: Places,
    kept: Sequence[FoundCard],
    similarity: NDArray[np.float32],
    size: tuple[int, int],
    usual: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.float32]:
    """Say what is known of each place where a card may have been missed.

    Args:
        places: where.
        kept: the cards of the photo that are not left out; their ends are among those of ``places``.
        similarity: float32[n, faces], cosine of each place to each face of the deck.
        size: width and height of the photo in the pixels of the ends.
        usual: how like their faces the cards are that are not left out, and their contrast, on average.

    Returns:
        float32[n, facts] in the order of `MISSED_FACTS`.
    """
    ends, at = places.ends, places.at
    if not len(at):
        return np.empty((0, len(MISSED_FACTS)), np.float32)
    centres, half = ends.centres[at], ends.halves[at]
    taken = np.array(sorted({end for card in kept for end in card.ends}), np.intp)
    best_ends = np.array([card.ends[0] for card in kept], np.intp)
    best = np.sort(similarity, axis=1)[:, ::-1]
    edge = np.minimum(centres, np.array(size, np.float32) - centres).min(1) / half
    typical = float(np.median(ends.halves[taken])) if len(taken) else 1.0
    facts = (
        np.ones(len(at)),
        log_odds(ends.scores[at]),
        ends.seen[at],
        *_around(places, taken, half),
        _inside(centres, [card.outline for card in kept]),
        best[:, 0],
        best[:, 0] - best[:, 1] if best.shape[1] > 1 else best[:, 0],
        [outside(outline(ends, (end,)), size) for end in at.tolist()],
        np.minimum(edge, EDGE) / EDGE,
        *_partners(places, taken, half),
        places.found,
        np.log(half / max(typical, 1e-3)),
        np.full(len(at), len(kept) / MANY),
        places.chances[:, 0],
        places.chances[:, 1],
        uncovered(at, kept, ends),
        *clarity(places.crops[at]).T,
        *unlike(paper(places.crops[at]), paper(places.crops[best_ends])).T,
        *(np.full(len(at), value) for value in usual),
    )
    return np.stack([np.asarray(fact, np.float32) for fact in facts], axis=1)


def outside(corners: Sequence[Point], size: tuple[int, int]) -> float:
    """Estimate how much of a card lies outside the photo.

    Args:
        corners: of the card, clockwise.
        size: width and height of the photo.

    Returns:
        The share, 0 to 1.
    """
    a, b, c, d = np.array(corners)
    grid = (np.arange(6) + 0.5) / 6
    upper = a + (b - a) * grid[:, None]
    lower = d + (c - d) * grid[:, None]
    points = upper[:, None] + (lower - upper)[:, None] * grid[None, :, None]
    inside = ((points >= 0) & (points < np.array(size))).all(2)
    return 1 - float(inside.mean())


def _around(
    places: Places, taken: NDArray[np.intp], half: NDArray[np.float32]
) -> tuple[NDArray[np.float32], ...]:
    """Say how each place lies to the ends of the cards.

    Returns:
        How far the nearest is, and the cosine between both directions; the greatest share of the place
        that one of them covers, how much likelier that one is (-1 where there is none), and the greatest
        share that one of the same direction covers; how far the nearest other end of a card is expected;
        how like the nearest end looks, and how much larger or smaller it is.
    """
    ends, at = places.ends, places.at
    count = len(at)
    if not len(taken):
        far, none = np.full(count, FAR / 4, np.float32), np.zeros(count, np.float32)
        return far, none, none, none - 1, none, far, none, none
    rows = np.arange(count)
    mine, theirs = ends.take(at), ends.take(taken)
    away = distances(mine.centres, theirs.centres) / half[:, None]
    nearest = away.argmin(1)
    facing = mine.facing(theirs)
    covers = overlaps(mine, theirs)
    most = covers.argmax(1)
    overlap = covers[rows, most]
    outdone = np.where(overlap > 0, theirs.scores[most] - mine.scores, -1)
    expected = distances(mine.centres, theirs.opposites) / half[:, None]
    expected = np.where(facing < 0, expected, FAR)
    like = (places.embeddings[at] * places.embeddings[taken[nearest]]).sum(1)
    return (
        np.minimum(away[rows, nearest], FAR) / 4,
        facing[rows, nearest],
        overlap,
        outdone,
        (covers * (facing > ALIKE)).max(1),
        np.minimum(expected.min(1), FAR) / 4,
        like,
        np.log(half / theirs.halves[nearest]),
    )


def _inside(centres: NDArray[np.float32], outlines: Sequence[Sequence[Point]]) -> NDArray[np.float32]:
    """Say how far inside a card each place lies: 0 in the middle of one, 1 on its edge."""
    result: NDArray[np.float32] = within(centres, outlines).min(1, initial=BODY)
    return result


def _partners(
    places: Places, taken: NDArray[np.intp], half: NDArray[np.float32]
) -> tuple[NDArray[np.float32], ...]:
    """Look for the other end of each place among the ends that no card has.

    Returns:
        How far the best lies from where it is expected; its probability and how like it looks, 0 where
        there is none.
    """
    ends, at = places.ends, places.at
    count = len(at)
    expected = ends.opposites[at]
    away = distances(expected, ends.centres) / half[:, None]
    away = np.where(ends.take(at).facing(ends) < 0, away, FAR)
    away[np.arange(count), at] = FAR
    away[:, taken] = FAR
    best = away.argmin(1)
    distance = away[np.arange(count), best]
    there = distance < PARTNER
    like = (places.embeddings[at] * places.embeddings[best]).sum(1)
    return (
        np.minimum(distance, PARTNER_FAR) / 4,
        np.where(there, ends.scores[best], 0),
        np.where(there, like, 0),
    )


def one_each(places: Places, chances: NDArray[np.float32]) -> NDArray[np.intp]:
    """Choose one place of each card that may have been missed: the likelier end.

    Args:
        places: where.
        chances: float32[n], how likely each is a card.

    Returns:
        int[m], some of them, the likeliest first.
    """
    ends = places.ends
    half = ends.halves[places.at]
    opposites = ends.opposites
    chosen: list[int] = []
    for place in np.argsort(-chances, kind="stable").tolist():
        end = places.at[place]
        known = False
        for other in chosen:
            theirs = places.at[other]
            reach = max(float(half[place]), float(half[other]))
            opposite = opposites[theirs]
            turned = float(ends.ups[end] @ ends.ups[theirs]) < 0
            known = known or float(np.hypot(*(ends.centres[end] - ends.centres[theirs]))) < reach
            known = known or (turned and float(np.hypot(*(ends.centres[end] - opposite))) < PARTNER * reach)
        if not known:
            chosen.append(place)
    return np.array(chosen, np.intp)
