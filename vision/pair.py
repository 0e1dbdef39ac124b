"""How likely two printed ends are those of one card.

What is seen of two ends says it: where each places the middle of its card, how they lie to one another,
whether they look alike, how much of each is covered, and whether another end fits better. The weights
are fitted on photos that nothing else was trained on (`vision.training.calibrate`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.trees import Odds
    from vision.types import Ends

PAIR_FACTS = (
    "bias",
    "aside",
    "far",
    "too_far",
    "line",
    "apart",
    "facing",
    "likeness",
    "likeness_seen",
    "less_seen",
    "more_seen",
    "uneven",
    "weaker",
    "stronger",
    "widths",
    "distance",
    "rival",
    "worse_rival",
    "agreeing",
)
"""What is known of two ends that may be those of one card, `pair_facts`; lengths in widths of a card."""

FACING = -0.7
"""Cosine between the ups of two ends that may be those of one card, at most."""

APART = 1.2
"""Two ends whose cards are farther apart than so many widths are not of one card."""

ALONG = 0.5
"""Along the card a disagreement counts for less: how long a card is, is guessed from its end."""

ASIDE = 0.5
"""So does how far an end lies beside the line of the other."""

ALIKE = 0.9
"""Cosine between the directions of two ends that point the same way, at least."""

AGREE = 0.12
"""Two ends whose cards are no farther apart than so many widths agree on how long a card is."""

CLEAR = 0.6
"""So do only ends of which so much is seen."""

LONGER = 0.4
"""Two ends that lie so many widths farther apart than others that agree are not of one card,"""

ENOUGH = 3
"""where so many other pairs do: no card is longer than the others."""

UNLIKE = 0.1
"""Ends whose cosine is less are not of one card, which has one print at both ends,"""

WELL_SEEN = 0.9
"""where so much is seen of both."""

UNLIKELY = -8.0
"""Logit of what cannot be."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How each two ends lie to one another; lengths in widths of a card."""

    width: NDArray[np.float32]
    """float32[n, n], the mean width of both in pixels."""

    facing: NDArray[np.float32]
    """float32[n, n], cosine between their ups."""

    behind: NDArray[np.bool_]
    """bool[n, n], whether each lies behind the other."""

    too_far: NDArray[np.float32]
    """float32[n, n], how far their votes for the middle of a card differ along it."""

    aside: NDArray[np.float32]
    """float32[n, n], and across."""

    line: NDArray[np.float32]
    """float32[n, n], how far each lies beside the line of the other."""

    apart: NDArray[np.float32]
    """float32[n, n], all three together."""


def compare_ends(ends: Ends) -> Compared:
    """Measure how each two ends lie to one another.

    Args:
        ends: the ends of a photo.

    Returns:
        The measures.
    """
    widths = 2 * ends.halves
    directions = ends.directions
    width = np.maximum((widths[:, None] + widths[None]) / 2, 1e-3)
    between = ends.centres[None] - ends.centres[:, None]
    beside = np.abs(directions[:, None, 0] * between[..., 1] - directions[:, None, 1] * between[..., 0])
    vote = (ends.cards[:, None] - ends.cards[None]) / width[..., None]
    along = directions[:, None] - directions[None]
    along /= np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-6)[..., None]
    too_far = (vote * along).sum(2)
    aside = np.abs(vote[..., 0] * along[..., 1] - vote[..., 1] * along[..., 0])
    line = (beside + beside.T) / 2 / width
    behind = -(directions[:, None] * between).sum(2) > 0
    apart = np.sqrt(aside**2 + (ALONG * too_far) ** 2 + (ASIDE * line) ** 2)
    facing = (directions @ directions.T).astype(np.float32, copy=False)
    return Compared(width, facing, behind & behind.T, too_far, aside, line, apart)


def distances(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Measure how far each point lies from each other one.

    Args:
        one: float32[n, 2].
        other: float32[m, 2].

    Returns:
        float32[n, m], in the unit of the points.
    """
    between = other[None] - one[:, None]
    result: NDArray[np.float32] = np.hypot(between[..., 0], between[..., 1])
    return result


def overlaps(ends: Ends, others: Ends) -> NDArray[np.float32]:
    """Measure how much of each end each other one covers, as if all lay in its direction.

    Args:
        ends: n ends of a photo.
        others: m ends of it.

    Returns:
        float32[n, m], shares from 0 to 1.
    """
    half, high = (
        np.maximum(np.hypot(vectors[:, 0], vectors[:, 1]), 1e-3)[:, None]
        for vectors in (ends.rights, ends.ups)
    )
    offset = others.centres[None] - ends.centres[:, None]
    across = np.abs((offset * ends.rights[:, None]).sum(2)) / half**2
    along = np.abs((offset * ends.ups[:, None]).sum(2)) / high**2
    result: NDArray[np.float32] = np.clip(2 - across, 0, 2) * np.clip(2 - along, 0, 2) / 4
    return result


def log_odds(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the logits of probabilities, those next to 0 and 1 bounded.

    Args:
        probabilities: float32[n], 0 to 1.

    Returns:
        float32[n], -6.9 to 6.9.
    """
    bounded = np.clip(probabilities, 1e-3, 1 - 1e-3)
    result: NDArray[np.float32] = np.log(bounded / (1 - bounded))
    return result


def pair_facts(
    ends: Ends, embeddings: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Say of each two ends that may be those of one card what is known of them.

    Args:
        ends: the ends of a photo.
        embeddings: float32[n, 128], what the namer makes of each end.

    Returns:
        int[m] and int[m], the two ends, the first of lower number; float32[m, facts] in the order of
        `PAIR_FACTS`.
    """
    count = len(ends)
    if count < 2:
        none = np.empty(0, np.intp)
        return none, none, np.empty((0, len(PAIR_FACTS)), np.float32)
    lie = compare_ends(ends)
    width, too_far, aside, line, apart = lie.width, lie.too_far, lie.aside, lie.line, lie.apart
    widths = 2 * ends.halves
    between = ends.centres[None] - ends.centres[:, None]
    facing = lie.facing
    may_be = (facing < FACING) & lie.behind & (apart < APART)
    seen = ends.seen
    less_seen = np.minimum(seen[:, None], seen[None])
    agree = may_be & (apart < AGREE) & (less_seen >= CLEAR)
    of_each = agree.sum(1)
    of_others = agree.sum() / 2 - of_each[:, None] - of_each[None] + agree
    may_be &= (too_far < LONGER) | (of_others < ENOUGH)
    alike = embeddings @ embeddings.T
    may_be &= (alike > UNLIKE) | (less_seen < WELL_SEEN)
    first, second = np.nonzero(np.triu(may_be, 1))
    score = log_odds(ends.scores)
    likeness = alike[first, second]
    nearest = np.sort(np.where(may_be, apart, APART + 1), 1)[:, :2]
    mine = apart[first, second]
    rivals = [np.where(mine <= nearest[end, 0], nearest[end, 1], nearest[end, 0]) for end in (first, second)]
    facts = (
        np.ones(len(first)),
        aside[first, second],
        np.abs(too_far[first, second]),
        too_far[first, second],
        line[first, second],
        mine,
        facing[first, second] + 1,
        likeness,
        likeness * seen[first] * seen[second],
        less_seen[first, second],
        np.maximum(seen[first], seen[second]),
        np.abs(seen[first] - seen[second]),
        np.minimum(score[first], score[second]),
        np.maximum(score[first], score[second]),
        np.abs(np.log(np.maximum(widths[first], 1e-3) / np.maximum(widths[second], 1e-3))),
        np.hypot(between[first, second, 0], between[first, second, 1]) / width[first, second],
        np.minimum(*rivals),
        np.maximum(*rivals),
        np.log1p(of_others[first, second]),
    )
    return first, second, np.stack(facts, 1).astype(np.float32)


def likely_pairs(
    ends: Ends,
    embeddings: NDArray[np.float32],
    odds: Odds,
) -> NDArray[np.float32]:
    """Say how likely each two ends are those of one card.

    Args:
        ends: the ends of a photo.
        embeddings: float32[n, 128], what the namer makes of each end.
        odds: that two are, by `PAIR_FACTS`.

    Returns:
        float32[n, n], symmetric logits; `UNLIKELY` where it cannot be.
    """
    result = np.full((len(ends), len(ends)), UNLIKELY, np.float32)
    first, second, facts = pair_facts(ends, embeddings)
    logits = np.maximum(odds.logit(facts), UNLIKELY)
    result[first, second] = logits
    result[second, first] = logits
    return result
