"""The names of all cards of a photo, decided together.

A deck has only so many copies of each card. What would make a hand win plays
no part here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.assign import assign
from vision.calibration import FEATURES
from vision.faces import sibling
from vision.find import uncovered
from vision.name import votes
from vision.pair import ALIKE, UNLIKELY, distances, overlaps
from vision.quality import unlike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from vision.calibration import Calibration
    from vision.name import Evidence
    from vision.types import Ends, FoundCard

CAP = 12.0
"""Margins of more than this many nats are all alike."""

MOST_OTHERS = 4
"""So many other names of a card are reported."""

CLEAR = 0.6
"""Cards of which this share is seen tell how well a photo can be read."""

KNOWN_FACE = 0.85
"""Of clearly seen cards whose face is taken from their deck 1 in 280 is so like another face of it (set
`calibrate`), of the others 4 in 5 are so like their own."""

ONE_CARD = 2.0
"""Ends are of one card without doubt from this logit on."""

_SEEN, _BOTH_ENDS, _PAIR = (FEATURES.index(name) for name in ("seen", "both_ends", "pair"))

_OF_THE_PHOTO = [
    FEATURES.index(name) for name in ("similarity", "least_margin", "colour", "score", "both_ends")
]
"""What cards that can be seen have on average is known of every card: on a page no two ends are one card."""

_OF_ITS_OWN = FEATURES.index("photo_similarity")
"""So many facts come first, before those of the photo and those of what a card is printed on."""

LEAST_GAP = 0.3
"""Faces nearer to each other than so many nats are taken for so far apart."""

FAR = 6.0
"""Cards farther apart than so many widths are all alike."""

LEAST_OTHER = 1e-4
"""Other names of less probability are not reported."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about the cards of a photo."""

    names: tuple[str, ...]
    confidence: NDArray[np.float32]
    """float32[n], probability that the name is right."""

    real: NDArray[np.float32]
    """float32[n], probability that a card lies there at all."""

    sure: tuple[bool, ...]
    others: tuple[tuple[tuple[str, float], ...], ...]
    similarity: NDArray[np.float32]
    """float32[n], cosine to the nearest example of the name."""

    features: NDArray[np.float32]
    """float32[n, features], what the confidence was computed from."""


def limit_copies(
    logits: NDArray[np.float32], labels: Sequence[str], copies: Mapping[str, int]
) -> NDArray[np.intp]:
    """Choose the likeliest names that respect the copies of the deck.

    Args:
        logits: float32[n, labels].
        labels: the name of each column.
        copies: how many of each the deck has.

    Returns:
        int[n], the column of each card. Where there are more cards than the deck
        has, those that fit least keep their own likeliest name.
    """
    own = logits.argmax(1) if len(logits) else np.empty(0, np.intp)
    limits = np.array([copies.get(label, 0) for label in labels])
    if (np.bincount(own, minlength=len(labels)) <= limits).all():
        return own
    slots = np.repeat(np.arange(len(labels)), limits)
    rows = np.arange(len(logits))
    if len(logits) > len(slots):
        rows = np.sort(np.argsort(-logits.max(1), kind="stable")[: len(slots)])
    normal = logits - logits.max(1, keepdims=True)
    chosen = assign(-normal[rows][:, slots].astype(np.float64))
    result = own.copy()
    result[rows] = slots[chosen]
    return result


def features(
    chosen: NDArray[np.intp], evidence: Evidence, cards: Sequence[FoundCard], ends: Ends, scale: float
) -> NDArray[np.float32]:
    """Compute what the confidence in each name depends on.

    Args:
        chosen: int[n], column of the name of each card.
        evidence: for all cards.
        cards: the cards.
        ends: the ends that they have.
        scale: pixels of the finder's input for each pixel of the photo.

    Returns:
        float32[n, features], in the order of `vision.calibration.FEATURES`.
    """
    labels = evidence.labels
    rows = []
    halves = ends.halves
    namesakes = _namesakes(chosen, cards, ends)
    beneath = _beneath(cards, ends) if cards else np.empty((0, 3), np.float32)
    free = uncovered(np.array([card.ends[0] for card in cards], np.intp), cards, ends)
    for row, card in enumerate(cards):
        column = int(chosen[row])
        brother = sibling(labels[column])
        twin = labels.index(brother) if brother in labels else -1
        margin, flower = _margins(evidence.logits[row], column, twin)
        weaker = CAP
        weight = votes(ends.seen[list(card.ends)])
        strength = weight / evidence.temperature
        apart_of = (1 - evidence.alike[column]) * strength.sum()
        if len(card.ends) == 2:
            weaker = min(
                min(_margins(similarity * strong, column, twin))
                for similarity, strong in zip(evidence.ends[row], strength, strict=True)
            )
        best = card.ends[0]
        apart = np.hypot(*(ends.centres - ends.centres[best]).T) / float(halves[best])
        apart[list(card.ends)] = np.inf
        rows.append(
            (
                1.0,
                min(margin, flower),
                margin,
                flower if twin >= 0 else 0.0,
                float(twin >= 0),
                float(evidence.similarity[row, column]),
                float(ends.seen[best]),
                _logit(float(ends.scores[best])),
                weaker / CAP if len(card.ends) == 2 else 0.0,
                float(len(card.ends) == 2),
                float(min(apart.min(initial=np.inf), 4.0)) / 4,
                _within(np.log(max(halves[best] * scale, 1) / 12), -1, 1),
                *_shares(evidence.first[row], apart_of, column, twin),
                card.pair / -UNLIKELY,
                card.rival / -UNLIKELY,
                _rival_unlike(evidence, card, column, ends),
                *beneath[row],
                *namesakes[row],
                float(free[row]),
                *_opinions(evidence, row, column, twin),
                _opinion(evidence, row, column, float(weight.sum())),
                float(ends.gained[list(card.ends)].max()),
                *evidence.clarity[row],
            )
        )
    facts = np.array(rows, np.float32).reshape(len(cards), _OF_ITS_OWN)
    clear = facts[:, _SEEN] >= CLEAR
    whole = clear if clear.any() else ~clear
    photo = facts[:, _OF_THE_PHOTO]
    if len(cards):
        photo = np.tile(photo[whole].mean(0), (len(cards), 1))
    paper = unlike(evidence.paper, evidence.paper[whole])
    return np.concatenate([facts, photo, paper], axis=1).astype(np.float32)


def believe(facts: NDArray[np.float32], calibration: Calibration) -> NDArray[np.float32]:
    """Compute the confidence in each name from the features.

    Args:
        facts: float32[n, features].
        calibration: the numbers.

    Returns:
        float32[n], 0 to 1; where both ends may be those of two cards, of which one would be lost, no more
        than the chance that they are not.
    """
    chance = _sigmoid(calibration.right.logit(facts))
    pair = facts[:, _PAIR] * -UNLIKELY
    joined = (facts[:, _BOTH_ENDS] > 0) & (pair < ONE_CARD)
    result: NDArray[np.float32] = np.where(joined, np.minimum(chance, _sigmoid(pair)), chance)
    return result


def exist(facts: NDArray[np.float32], calibration: Calibration) -> NDArray[np.float32]:
    """Compute from the same features how likely a card lies there at all.

    Args:
        facts: float32[n, features].
        calibration: the numbers.

    Returns:
        float32[n], 0 to 1.
    """
    return _sigmoid(calibration.real.logit(facts))


def missed(facts: NDArray[np.float32], calibration: Calibration) -> NDArray[np.float32]:
    """Compute how likely a card was missed at a place.

    Args:
        facts: float32[n, facts], `vision.missed.missed_facts`.
        calibration: the numbers.

    Returns:
        float32[n], 0 to 1.
    """
    return _sigmoid(calibration.missed.logit(facts))


def _shares(
    logits: NDArray[np.float32], apart: NDArray[np.float32], column: int, twin: int
) -> tuple[float, float, float, float]:
    """Compare the margins of a name with what they would be if the card were just like the deck's example.

    Two faces that are nearly alike in the deck never lie far apart in a photo.

    Args:
        logits: float32[labels], of one card.
        apart: float32[labels], how far its face is from each other in the deck, in nats as the margins.
        column: of the name.
        twin: the column of its flower or plain copy, or -1.

    Returns:
        How far the best of the other characters is in the deck, and which share of that the margin
        reaches; the same of the twin, 0 and 1 where there is none.
    """
    others = logits.copy()
    others[[column] if twin < 0 else [column, twin]] = -np.inf
    rival = int(others.argmax())

    def share(other: int) -> tuple[float, float]:
        gap = _within(apart[other], 0, CAP)
        return gap / CAP, _within((logits[column] - logits[other]) / max(gap, LEAST_GAP), -1, 1.5)

    if not np.isfinite(others[rival]):
        return 1.0, 1.0, *(share(twin) if twin >= 0 else (0.0, 1.0))
    return *share(rival), *(share(twin) if twin >= 0 else (0.0, 1.0))


def _rival_unlike(evidence: Evidence, card: FoundCard, column: int, ends: Ends) -> float:
    """Say how much another name speaks against the end of another card that may be of this one."""
    end = card.rival_end
    if end is None:
        return 1.0
    look = evidence.looks[end]
    gap = float((look.max() - look[column]) * votes(ends.seen[[end]])[0]) / evidence.temperature
    return min(gap, CAP) / CAP


def _opinions(evidence: Evidence, row: int, column: int, twin: int) -> tuple[float, float, float]:
    """Say whether the verifier was asked of a card, and how the namer and it compare its name with others."""
    said = evidence.opinions[row]
    first = min(_margins(evidence.first[row], column, twin))
    asked = np.isfinite(said)
    if not asked.any():
        return 0.0, first, 0.0
    least = said[asked].min()
    return 1.0, first, min(_margins(np.where(asked, said, least).astype(np.float32), column, twin))


def _opinion(evidence: Evidence, row: int, column: int, strength: float) -> float:
    """Say how like the example of its name the verifier finds a card, whatever else it may be; 0 unasked."""
    said = float(evidence.opinions[row, column])
    return _within(said / strength, -CAP, CAP) / CAP if np.isfinite(said) else 0.0


def _beneath(cards: Sequence[FoundCard], ends: Ends) -> NDArray[np.float32]:
    """Say how far the best end of each card lies on an end of another card.

    Args:
        cards: of a photo.
        ends: of the photo.

    Returns:
        float32[n, 3]: the greatest share of it that another end covers; how much likelier that end is, -1
        where there is none; the greatest share that a likelier end of the same direction covers.
    """
    rows = np.arange(len(cards))
    best = np.array([card.ends[0] for card in cards], np.intp)
    mine = ends.take(best)
    shared = overlaps(mine, ends)
    for row, card in enumerate(cards):
        shared[row, list(card.ends)] = 0
    other = shared.argmax(1)
    most = shared[rows, other]
    likelier = ends.scores > mine.scores[:, None]
    alike = mine.facing(ends) > ALIKE
    outdone = np.where(most > 0, ends.scores[other] - mine.scores, -1.0)
    by_likelier = np.where(most > 0, (shared * (likelier & alike)).max(1), 0.0)
    return np.stack([np.maximum(most, 0.0), outdone, by_likelier], axis=1).astype(np.float32)


def _namesakes(chosen: NDArray[np.intp], cards: Sequence[FoundCard], ends: Ends) -> NDArray[np.float32]:
    """Say how near other cards lie, above all those of the same name: one card is at times taken for two.

    Args:
        chosen: int[n], column of the name of each card.
        cards: the cards.
        ends: of the photo.

    Returns:
        float32[n, 6], in fours of a card's width: how far the middle of the nearest namesake lies that faces
        the other way, and of one that faces the same way; how far the nearest end of a namesake lies; how
        far a namesake of one end that faces the other way; any card that faces the other way; any card.
    """
    count = len(cards)
    best = np.array([card.ends[0] for card in cards], np.intp)
    centres = np.array([card.centre for card in cards], np.float32).reshape(count, 2)
    alone = np.array([len(card.ends) == 1 for card in cards], np.bool_)
    mine = ends.take(best)
    width = 2 * mine.halves[:, None]
    facing = mine.facing(mine) < 0
    other = ~np.eye(count, dtype=np.bool_)
    namesake = other & (chosen[:, None] == chosen[None])

    middles = distances(centres, centres) / width
    at_ends = distances(mine.centres, mine.centres) / width

    def nearest(away: NDArray[np.float32], which: NDArray[np.bool_]) -> NDArray[np.float32]:
        least: NDArray[np.float32] = np.where(which, away, FAR).min(axis=1, initial=FAR) / 4
        return least

    return np.stack(
        [
            nearest(middles, namesake & facing),
            nearest(middles, namesake & ~facing),
            nearest(at_ends, namesake),
            nearest(middles, namesake & facing & alone[None]),
            nearest(middles, other & facing),
            nearest(middles, other),
        ],
        axis=1,
    ).astype(np.float32)


def _margins(logits: NDArray[np.float32], column: int, twin: int) -> tuple[float, float]:
    """Compare a name with the best of other characters and with its flower or plain twin."""
    others = logits.copy()
    others[column] = -np.inf
    flower = CAP
    if twin >= 0:
        flower = float(logits[column] - others[twin])
        others[twin] = -np.inf
    best = float(others.max(initial=-np.inf))
    margin = float(logits[column]) - best if np.isfinite(best) else CAP
    return _within(margin, -CAP, CAP), _within(flower, -CAP, CAP)


def _within(value: float | np.floating, low: float, high: float) -> float:
    """Bound one number; `numpy.clip` takes longer for it than all the rest."""
    return min(max(float(value), low), high)


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return float(np.log(bounded / (1 - bounded)))


def decide(
    evidence: Evidence,
    cards: Sequence[FoundCard],
    ends: Ends,
    copies: Mapping[str, int],
    calibration: Calibration,
    *,
    scale: float,
) -> Decision:
    """Name all cards of a photo together.

    A card whose name the copy limit changed is never sure. Where a card that was
    clearly one of too many had to be changed, none of its namesakes is sure. Of a
    deck that lacks a face, a card that is not clearly like one that it has is not sure.

    Args:
        evidence: for all cards.
        cards: the cards.
        ends: the ends that they have.
        copies: how many of each card the deck has.
        calibration: the numbers that confidence is computed from.
        scale: pixels of the finder's input for each pixel of the photo.

    Returns:
        A name and a confidence for each card.
    """
    labels = evidence.labels
    own = evidence.logits.argmax(1) if len(cards) else np.empty(0, np.intp)
    chosen = limit_copies(evidence.logits, labels, copies)
    facts = features(chosen, evidence, cards, ends, scale)
    confidence = believe(facts, calibration)
    shares = _softmax(evidence.logits)
    limits = np.array([copies.get(label, 0) for label in labels])
    over = np.bincount(own, minlength=len(labels)) > limits
    crowded = {
        int(own[row]) for row in range(len(cards)) if chosen[row] != own[row] and shares[row].max() > 0.5
    }
    lacks = not set(copies) <= set(labels)
    sure, others = [], []
    for row in range(len(cards)):
        column = int(chosen[row])
        changed = column != own[row] or bool(over[column] and column in crowded)
        if changed:
            confidence[row] = min(confidence[row], max(float(shares[row, column]), 0.5))
        strange = lacks and float(evidence.similarity[row, column]) < KNOWN_FACE
        sure.append(bool(confidence[row] >= calibration.sure) and not changed and not strange)
        others.append(_others(shares[row], column, float(confidence[row]), labels))
    return Decision(
        names=tuple(labels[int(column)] for column in chosen),
        confidence=confidence,
        real=exist(facts, calibration),
        sure=tuple(sure),
        others=tuple(others),
        similarity=evidence.similarity[np.arange(len(cards)), chosen],
        features=facts,
    )


def _others(
    shares: NDArray[np.float32], column: int, confidence: float, labels: Sequence[str]
) -> tuple[tuple[str, float], ...]:
    """Give the other names what confidence the chosen one leaves."""
    rest = shares.astype(np.float64)
    rest[column] = 0
    total = rest.sum()
    if total <= 0:
        return ()
    rest *= (1 - confidence) / total
    order = np.argsort(-rest, kind="stable")[:MOST_OTHERS]
    return tuple((labels[place], float(rest[place])) for place in order if rest[place] >= LEAST_OTHER)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    if logits.size == 0:
        return logits
    power = np.exp(logits - logits.max(1, keepdims=True))
    shares: NDArray[np.float32] = power / power.sum(1, keepdims=True)
    return shares


def _sigmoid(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    result: NDArray[np.float32] = (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)
    return result
