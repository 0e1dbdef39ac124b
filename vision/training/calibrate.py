"""Fit ``models/calibration.json`` on generated photos: ``python -m vision.training.calibrate FOLDER``.

The photos come from ``python -m vision.training.evalset FOLDER --split calibrate``:
decks that were neither trained on nor are measured with. Fitted are, one after
another, how likely two ends are those of one card, the probability from which an end
counts, the temperature, the weights of the confidence and of how likely a card lies
there at all, from which confidence on a card is sure, from which similarity on a card
can be read and a deck is known, how likely a card was missed where something faint lies,
and which of these places leave a doubt. A reliability
diagram is drawn beside the reports.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from vision.assign import assign
from vision.calibration import PARTS, Calibration
from vision.crops import cut
from vision.decide import believe
from vision.decide import missed as was_missed
from vision.deck import Deck
from vision.decode import read_photo
from vision.name import cosines, embed
from vision.pair import pair_facts
from vision.read import FAINTEST, Found, Named, Picture, Reader, evidence_of, name_all
from vision.register import Looks
from vision.shelf import shipped_decks
from vision.training.evalset import may_lie_together
from vision.training.evaluate import (
    COUNTED,
    HIDDEN,
    Label,
    Photo,
    farness,
    learn_decks,
    load_folder,
    match,
    reader_of,
)
from vision.training.manifest import enter
from vision.trees import NONE, Trees
from vision.types import Card, Ends
from vision.verify import digest, second_opinion

if TYPE_CHECKING:
    from vision.verify import Compare

LEAST_CARDS = 5
"""With fewer cards a photo says little about its deck."""

TOLERATED = 1 / 5000
"""So many sure cards may be wrong."""

RARE = 0.2
"""Where sure cards are counted, one of a spoilt photo counts as so much of a card: one photo in ten is spoilt
on purpose (`vision.training.evalset.spoil`), so that much can be learned of what seldom happens."""

ALIKE = 1.02
"""Of chances that cost less than this times the least, that from which on the fewest doubts are left."""

SILENT = 5
"""A photo that misses a card without a doubt costs as much as so many needless doubts: of a hand, the number
of cards tells it too."""

AT_END = 0.5
"""An end lies at the labelled one within so many widths of the card."""

COVERED = 0.1
"""An end of which less is seen is not found: where it lies, another one lies upon it."""

ALONGSIDE = 0.7
"""Cosine between the directions of both, at least."""

NEVER = 10.0
"""More than all that two can be apart."""

NEVER_SO = 1000.0
"""In nats, more than any two names are apart."""

FOLDS = 4
"""The decks are divided into so many parts; the confidence in the cards of one is measured by the others."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are fitted that tell a probability, `vision.trees`."""

    trees: int = 400
    """How many, one after another."""

    leaves: int = 15
    """Most leaves of each."""

    least: int = 40
    """Samples that a leaf needs."""

    rate: float = 0.05
    """What of each tree is taken."""

    pull: float = 5.0
    """Pull of what a leaf says to nought."""

    share: float = 0.3
    """Of the facts so many are looked at where a branch is chosen."""


@dataclass(frozen=True, slots=True)
class Given:
    """Numbers that are given; what is None is fitted."""

    find: float | None = None
    """Probability from which an end counts."""

    sure: float | None = None
    """Confidence from which on a card is sure, where there are too few photos to fit it, say."""

    doubt: float | None = None
    """Chance of a missed card from which on a place is a doubt."""

    known: float | None = None
    """Likeness from which on a deck explains a photo."""

    @property
    def first_find(self) -> float:
        """Probability from which an end counts as long as none was fitted."""
        return Calibration().find if self.find is None else self.find


ALL_FITTED = Given()

CONFIDENCE = Growth()
"""Of the names of cards, and of whether a card lies there at all; all three were chosen by what fits say of
decks that they never saw."""

PAIRS = Growth(trees=200)
"""Of pairs of ends."""

MISSED = Growth(trees=150, leaves=8, least=20, rate=0.04)
"""Of places where a card may have been missed, of which there are few."""


@dataclass
class Looked:
    """A photo with every end that may be one, and its crops."""

    photo: Photo
    picture: Picture
    ends: Ends
    crops: NDArray[np.uint8]
    embeddings: NDArray[np.float32]

    def found(self, numbers: Calibration) -> Found:
        """Give what the reader would find.

        Args:
            numbers: from which probability an end counts, and how ends are joined.

        Returns:
            The cards in reading order.
        """
        taken = self.ends.scores >= numbers.find
        return Found.of(self.ends, self.crops, self.embeddings, taken, numbers, {})


@dataclass
class Samples:
    """Cards that were read, and whether rightly."""

    features: NDArray[np.float32]
    right: NDArray[np.bool_]
    similarity: NDArray[np.float32]
    real: NDArray[np.bool_]
    """Whether a labelled card lies there at all."""

    deck: NDArray[np.intp]
    """Number of the deck."""

    weight: NDArray[np.float64]
    """What each counts where sure ones are counted."""

    def take(self, chosen: NDArray[np.bool_]) -> Samples:
        """Give some of the cards."""
        return Samples(*(getattr(self, field.name)[chosen] for field in dataclasses.fields(Samples)))


@dataclass
class Missed:
    """Places where a card may have been missed, in photos."""

    facts: NDArray[np.float32]
    there: NDArray[np.intp]
    """1 where a card was missed that counts, -1 where one was that is covered too much, 0 where none was."""

    photo: NDArray[np.intp]
    """Number of the photo of each place."""

    misses: NDArray[np.bool_]
    """Of each photo, whether a card that counts was missed in it."""

    deck: NDArray[np.intp]
    """Of each photo, the number of its deck."""


def look(photos: list[Photo], reader: Reader, decks: dict[str, Deck], find: float) -> list[Looked]:
    """Find every end that may be one in all photos.

    Args:
        photos: with labels.
        reader: its models; its calibration is not asked, which may be of other facts than those of now.
        decks: by name; what is like no face of a photo's deck is looked at again.
        find: ends of this probability and more are.

    Returns:
        One entry for each photo; one that shows no card has the deck that it would be read by.
    """
    result = []
    for photo in photos:
        picture = read_photo(photo.path)
        ends = reader.ends(picture.pixels, FAINTEST)
        crops = cut(picture.pixels, ends.centres, ends.ups, ends.rights)
        looks = Looks(ends, crops, embed(crops, reader.namer))
        taken = np.flatnonzero(ends.scores >= find)
        deck = photo.deck or _nearest_deck(looks.embeddings[taken], decks)
        looks = looks.put(taken, reader.register(looks.take(taken), decks[deck], picture))
        slim = Picture(np.empty((*picture.pixels.shape[:2], 0), np.uint8), picture.size)
        result.append(Looked(replace(photo, deck=deck), slim, looks.ends, looks.crops, looks.embeddings))
    return result


def _nearest_deck(embeddings: NDArray[np.float32], decks: dict[str, Deck]) -> str:
    """Say as which deck a picture without cards would be read: the one that explains best what was found."""
    likeness = {
        name: float(cosines(embeddings, deck.vectors()[0]).max(1).mean()) if len(embeddings) else 0.0
        for name, deck in decks.items()
    }
    return max(likeness, key=likeness.__getitem__)


def _cards(looked: Looked, found: Found) -> tuple[Card, ...]:
    cards = []
    for card in found.cards:
        x, y = found.ends.centres[card.ends[0]] * looked.picture.scale
        cards.append(Card("", card.outline, (float(x), float(y)), 1.0, sure=True))
    return tuple(cards)


def shown(labels: list[Label], cards: tuple[Card, ...], names: Sequence[str]) -> list[int | None]:
    """Say which labelled card each card shows, all together.

    Where one card was taken for two, or where ends lie near each other, the nearest first (`match`) may
    give a right card's label to its wrong neighbour. Here as many names as may be are right; what is left
    goes to what labels are left.

    Args:
        labels: of the photo.
        cards: that were read in it.
        names: of the cards.

    Returns:
        For each card the place of its label, or None.
    """
    away = np.full((len(cards), len(labels)), NEVER)
    for place, card in enumerate(cards):
        for number, label in enumerate(labels):
            away[place, number] = min(farness(card.mark, label), NEVER)
    named = np.array([[name == label.name for label in labels] for name in names], np.bool_)
    result: list[int | None] = [None] * len(cards)
    for may_be in (named.reshape(away.shape), np.ones(away.shape, np.bool_)):
        rows = [place for place, number in enumerate(result) if number is None]
        columns = sorted(set(range(len(labels))) - set(result))
        if not rows or not columns:
            break
        near = (may_be & (away < NEVER))[np.ix_(rows, columns)]
        cost = np.where(near, away[np.ix_(rows, columns)] - NEVER, NEVER)
        for place, column in zip(rows, assign(np.hstack([cost, np.zeros((len(rows),) * 2)])), strict=True):
            if column < len(columns):
                result[place] = columns[column]
    return result


def end_truth(looked: Looked, ends: Ends) -> list[tuple[int, int] | None]:
    """Say which end of which labelled card each end is.

    Args:
        looked: the photo.
        ends: some of its ends.

    Returns:
        For each end the place of its label and 0 or 1, or None where no such end lies there, or one that is
        covered: what is seen there is that of the card above.
    """
    near = []
    centres = ends.centres * looked.picture.scale
    for number, label in enumerate(looked.photo.labels):
        sides = (label.end, label.other_end, label.seen), (label.other_end, label.end, label.seen_other)
        for side, (end, other, seen) in enumerate(sides):
            if seen < COVERED:
                continue
            out = (end - other) / max(float(np.hypot(*(end - other))), 1e-6)
            away = np.hypot(*(centres - end).T)
            facing = ends.ups @ out / np.maximum(np.hypot(*ends.ups.T), 1e-6)
            there = np.flatnonzero((away <= AT_END * label.width) & (facing > ALONGSIDE)).tolist()
            near += [
                (float(away[place]) / label.width + HIDDEN * (1 - seen), place, number, side)
                for place in there
            ]
    result: list[tuple[int, int] | None] = [None] * len(ends)
    taken = set()
    for _, place, number, side in sorted(near):
        if result[place] is None and (number, side) not in taken:
            result[place] = (number, side)
            taken.add((number, side))
    return result


def fit_pairs(everything: list[Looked], threshold: float) -> Calibration:
    """Fit how likely two ends are those of one card.

    Args:
        everything: all photos.
        threshold: probability from which an end counts.

    Returns:
        The numbers that hold the weights.
    """
    facts, right = [], []
    for looked in everything:
        places = np.flatnonzero(looked.ends.scores >= threshold)
        ends = looked.ends.take(places)
        true = end_truth(looked, ends)
        first, second, rows = pair_facts(ends, looked.embeddings[places])
        facts.append(rows)
        right += [
            true[a] is not None and true[a] == (true[b][0], 1 - true[b][1]) if true[b] is not None else False
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        ]
    weights, trees = fit_odds(np.concatenate(facts), np.array(right, bool), PAIRS)
    print(f"{len(right)} pairs of ends, {np.mean(right):.2%} of them of one card")
    return Calibration(pair_weights=weights, pair_trees=trees, find=threshold)


def fit_threshold(everything: list[Looked], numbers: Calibration) -> float:
    """Choose the least probability from which an end counts with as few cards missed or made up as may be.

    Args:
        everything: all photos.
        numbers: how ends are joined.

    Returns:
        The threshold.
    """
    counted: dict[float, int] = {}
    for threshold in np.arange(0.3, 0.661, 0.04):
        errors = 0
        for looked in everything:
            found = looked.found(replace(numbers, find=float(threshold)))
            matched = match(looked.photo.labels, _cards(looked, found))
            known = {number for number in matched if number is not None}
            errors += sum(number is None for number in matched)
            errors += sum(
                label.seen >= COUNTED and number not in known
                for number, label in enumerate(looked.photo.labels)
            )
        print(f"ends from {threshold:.2f}: {errors} cards missed or made up")
        counted[round(float(threshold), 2)] = errors
    return min(threshold for threshold, errors in counted.items() if errors <= 1.05 * min(counted.values()))


def remembering(compare: Compare) -> Compare:
    """Compare each crop with each example once, however often the same photos are read.

    Args:
        compare: the verifier.

    Returns:
        It, with a memory.
    """
    known: dict[tuple[bytes, bytes], np.float32] = {}

    def remembered(
        crops: NDArray[np.uint8], examples: NDArray[np.uint8], pairs: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        mine = {place: digest(crops[place]) for place in set(pairs[:, 0].tolist())}
        theirs = {place: digest(examples[place]) for place in set(pairs[:, 1].tolist())}
        keys = [(mine[crop], theirs[example]) for crop, example in pairs.tolist()]
        new = np.array([place for place, key in enumerate(keys) if key not in known], np.intp)
        if len(new):
            told = compare(crops, examples, pairs[new])
            known.update(zip((keys[place] for place in new.tolist()), told, strict=True))
        return np.array([known[key] for key in keys], np.float32)

    return remembered


def _name(looked: Looked, deck: Deck, numbers: Calibration, compare: Compare | None) -> Named:
    height, width = looked.picture.pixels.shape[:2]
    return name_all(looked.found(numbers), deck, deck.vectors(), numbers, (width, height), compare)


def _evidence_rows(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration
) -> tuple[list[NDArray[np.float32]], list[int]]:
    rows, truth = [], []
    for looked in everything:
        if not looked.photo.labels:
            continue
        deck = decks[looked.photo.deck]
        found = looked.found(numbers)
        evidence = evidence_of(found, deck.labels, deck.vectors(), 1.0)
        matched = match(looked.photo.labels, _cards(looked, found))
        for place, number in enumerate(matched):
            if number is None or looked.photo.labels[number].name not in deck.labels:
                continue
            rows.append(evidence.logits[place])
            truth.append(deck.labels.index(looked.photo.labels[number].name))
    return rows, truth


def fit_temperature(everything: list[Looked], decks: dict[str, Deck], numbers: Calibration) -> float:
    """Choose the temperature under which the right names are likeliest.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: with the threshold.

    Returns:
        The temperature.
    """
    rows, truth = _evidence_rows(everything, decks, numbers)
    best, least = 0.06, float("inf")
    for temperature in np.geomspace(0.01, 0.3, 35):
        loss = 0.0
        for row, right in zip(rows, truth, strict=True):
            logits = row / temperature
            loss += float(np.log(np.exp(logits - logits.max()).sum()) + logits.max() - logits[right])
        if loss < least:
            best, least = float(temperature), loss
    print(f"temperature {best:.4f}: {least / max(len(rows), 1):.4f} nats a card")
    return best


def fit_shares(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration, compare: Compare
) -> Calibration:
    """Choose how much the namer and the verifier count under which the right names are likeliest.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: with threshold and temperature.
        compare: the verifier.

    Returns:
        The numbers with both shares.
    """
    verifier_alone = replace(numbers, namer_share=0.0, verifier_share=1.0)
    namer, verifier, truth = [], [], []
    for looked in everything:
        if not looked.photo.labels:
            continue
        deck = decks[looked.photo.deck]
        found = looked.found(numbers)
        evidence = evidence_of(found, deck.labels, deck.vectors(), numbers.temperature)
        asked = second_opinion(evidence, found, deck, deck.vectors(), verifier_alone, compare)
        for place, number in enumerate(match(looked.photo.labels, _cards(looked, found))):
            name = None if number is None else looked.photo.labels[number].name
            if name in deck.labels and np.isfinite(asked.opinions[place]).any():
                namer.append(evidence.logits[place])
                verifier.append(asked.logits[place])
                truth.append(deck.labels.index(name))
    shares, least = best_shares(_stacked(namer), _stacked(verifier), np.array(truth, np.intp))
    print(f"{len(truth)} cards verified, namer {shares[0]}, verifier {shares[1]}: {least:.4f} nats a card")
    return replace(numbers, namer_share=shares[0], verifier_share=shares[1])


def _stacked(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Stack logits of decks with more and fewer faces; a face that a deck does not have is most unlikely."""
    width = max((len(row) for row in rows), default=0)
    result = np.full((len(rows), width), -NEVER_SO, np.float32)
    for row, filled in zip(rows, result, strict=True):
        filled[: len(row)] = row
    return result


def best_shares(
    namer: NDArray[np.float32], verifier: NDArray[np.float32], truth: NDArray[np.intp]
) -> tuple[tuple[float, float], float]:
    """Choose how much each of two opinions counts.

    Args:
        namer: float32[n, names], logits.
        verifier: float32[n, names], logits.
        truth: int[n], the right name.

    Returns:
        Both shares, and what the right names cost then on average, in nats.
    """
    best, least = (1.0, 1.0), float("inf")
    rows = np.arange(len(truth))
    for share in product(np.arange(0, 1.51, 0.1), np.arange(0, 3.01, 0.1)):
        logits = np.float32(share[0]) * namer + np.float32(share[1]) * verifier
        highest = logits.max(1, initial=-np.inf)
        total = np.log(np.exp(logits - highest[:, None]).sum(1)) + highest
        loss = float((total - logits[rows, truth]).mean()) if len(rows) else 0.0
        if loss < least:
            best, least = (round(float(share[0]), 2), round(float(share[1]), 2)), loss
    return best, least


def gather(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration, compare: Compare | None = None
) -> Samples:
    """Read all photos and say of every card whether it is right.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: threshold and temperature.
        compare: the verifier.

    Returns:
        The cards.
    """
    features, right, similarity, real, number_of, weight = [], [], [], [], [], []
    order = {name: number for number, name in enumerate(sorted({one.photo.deck for one in everything}))}
    for looked in everything:
        deck = decks[looked.photo.deck]
        named = _name(looked, deck, numbers, compare)
        decision = named.decision
        matched = shown(looked.photo.labels, _cards(looked, named.found), decision.names)
        for place, number in enumerate(matched):
            features.append(decision.features[place])
            similarity.append(decision.similarity[place])
            real.append(number is not None)
            number_of.append(order[looked.photo.deck])
            weight.append(RARE if looked.photo.about.get("spoilt") else 1.0)
            right.append(number is not None and looked.photo.labels[number].name == decision.names[place])
    columns = (features, right, similarity, real, number_of, weight)
    return Samples(*(np.array(column) for column in columns))


def fit_odds(
    facts: NDArray[np.float32], right: NDArray[np.bool_], how: Growth
) -> tuple[tuple[float, ...], Trees]:
    """Fit a probability: gradient boosting (Friedman 2001) of trees on binned facts (Ke et al. 2017).

    Args:
        facts: float32[n, facts], of which the first is one.
        right: bool[n], what is to be expected.
        how: it is fitted.

    Returns:
        The weights of the facts, all but the first nought, and the trees.
    """
    none = (0.0,) * (facts.shape[1] - 1)
    if right.all() or not right.any():
        # With nothing to tell apart there are no trees; half a sample of the other kind keeps it finite.
        least = 0.5 / (len(right) + 1)
        return ((1 if right.all() else -1) * math.log((1 - least) / least), *none), NONE
    model = HistGradientBoostingClassifier(
        max_iter=how.trees,
        max_leaf_nodes=how.leaves,
        min_samples_leaf=how.least,
        learning_rate=how.rate,
        l2_regularization=how.pull,
        max_features=how.share,
        early_stopping=False,
        random_state=0,
    ).fit(facts, right)
    # The library has no other way to its trees; a test holds what is read there against what it says.
    fitted = [tree.nodes for (tree,) in model._predictors]  # noqa: SLF001
    trees = Trees.of([_written(nodes) for nodes in fitted], facts.shape[1])
    base = model.decision_function(facts[:1]) - trees.add(facts[:1])
    return (round(float(base.item()), 5), *none), trees


def _written(nodes: Sequence[Mapping[str, float]]) -> list[float]:
    """Write a tree of scikit-learn as `Trees.of` reads it."""
    result: list[float] = []

    def write(place: int) -> None:
        node, mine = nodes[place], len(result)
        if node["is_leaf"]:
            result.extend((-1, round(float(node["value"]), 5), 0))
            return
        result.extend((int(node["feature_idx"]), _at_most(float(node["num_threshold"])), 0))
        write(int(node["left"]))
        result[mine + 2] = (len(result) - mine) // 3
        write(int(node["right"]))

    write(0)
    return result


def _at_most(limit: float) -> float:
    """Give the greatest float32 that is no greater, so that each of these lies on the same side as before."""
    near = np.float32(limit)
    return float(near if near <= limit else np.nextafter(near, np.float32(-np.inf)))


def cross_fit(samples: Samples, how: Growth = CONFIDENCE, *, folds: int = FOLDS) -> NDArray[np.float64]:
    """Say how sure each card would be by a fit that never saw its deck.

    Args:
        samples: cards.
        how: each is fitted.
        folds: into so many parts the decks are divided.

    Returns:
        float64[n], confidences.
    """
    every = np.ones(len(samples.right), np.bool_)

    def said(facts: NDArray[np.float32], weights: tuple[float, ...], trees: Trees) -> NDArray[np.float32]:
        return believe(facts, Calibration(weights=weights, trees=trees))

    return _from_other_decks(samples.features, samples.right, samples.deck % folds, every, how, said)


def _from_other_decks(
    facts: NDArray[np.float32],
    right: NDArray[np.bool_],
    part: NDArray[np.intp],
    clear: NDArray[np.bool_],
    how: Growth,
    said: Callable[[NDArray[np.float32], tuple[float, ...], Trees], NDArray[np.float32]],
) -> NDArray[np.float64]:
    """Say how likely each is right by a fit on what is clear in the other parts."""
    chances = np.zeros(len(right))
    for mine in (part == fold for fold in np.unique(part)):
        others = ~mine & clear
        if others.any():
            chances[mine] = said(facts[mine], *fit_odds(facts[others], right[others], how))
    return chances


def fit_sure(confidence: NDArray[np.float64], right: NDArray[np.bool_], weight: NDArray[np.float64]) -> float:
    """Choose the confidence from which on a card is sure.

    What was counted has to be tolerable even if, by chance, it was a standard error too little.

    Args:
        confidence: float64[n].
        right: bool[n].
        weight: float64[n], what each counts.

    Returns:
        The least such confidence.
    """
    order = np.argsort(-confidence, kind="stable")
    confidence, weight = confidence[order], weight[order]
    wrong = weight * ~right[order]
    error = np.sqrt(np.cumsum(wrong * weight))
    good = np.cumsum(wrong) + error <= TOLERATED * np.cumsum(weight)
    last = int(np.flatnonzero(good).max()) if good.any() else 0
    return float(min(confidence[last], 0.9999))


def reliability(confidence: NDArray[np.float64], right: NDArray[np.bool_], path: Path) -> float:
    """Draw how often cards of each confidence are right.

    Args:
        confidence: float64[n].
        right: bool[n].
        path: where to.

    Returns:
        The expected calibration error.
    """
    edges = np.array([0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001])
    size, margin = 640, 70
    picture = np.full((size, size, 3), 255, np.uint8)
    span = size - 2 * margin

    def place(value: float) -> float:
        """Nines are stretched: half of the axis is for 0.9 and more."""
        return float(np.clip(-np.log10(max(1 - value, 1e-4)) / 4, 0, 1))

    for value in (0.5, 0.9, 0.99, 0.999):
        at = round(margin + place(value) * span)
        cv2.line(picture, (at, margin), (at, size - margin), (225, 225, 225), 1)
        cv2.line(picture, (margin, size - at), (size - margin, size - at), (225, 225, 225), 1)
        cv2.putText(picture, f"{value}", (at - 15, size - margin + 20), 0, 0.42, (90, 90, 90), 1, cv2.LINE_AA)
        cv2.putText(picture, f"{value}", (margin - 48, size - at + 5), 0, 0.42, (90, 90, 90), 1, cv2.LINE_AA)
    cv2.line(picture, (margin, size - margin), (size - margin, margin), (170, 170, 170), 1, cv2.LINE_AA)
    cv2.rectangle(picture, (margin, margin), (size - margin, size - margin), (90, 90, 90), 1)
    error = 0.0
    points = []
    for low, high in pairwise(edges):
        mine = (confidence >= low) & (confidence < high)
        if not mine.any():
            continue
        said, was = float(confidence[mine].mean()), float(right[mine].mean())
        error += abs(said - was) * mine.mean()
        points.append((said, was, int(mine.sum())))
    for said, was, count in points:
        x, y = round(margin + place(said) * span), round(size - margin - place(was) * span)
        cv2.circle(picture, (x, y), 5, (30, 110, 20), -1, cv2.LINE_AA)
        cv2.putText(picture, str(count), (x + 8, y + 4), 0, 0.42, (30, 110, 20), 1, cv2.LINE_AA)
    text = f"{len(right)} cards, said (across) and right (up); error {error:.4f}"
    cv2.putText(picture, text, (margin, 40), 0, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    cv2.imwrite(str(path), picture)
    print("said, right, cards: " + "; ".join(f"{a:.4f} {b:.4f} {n}" for a, b, n in points))
    return error


def fit_known(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration, reader: Reader
) -> float:
    """Choose the likeness from which a deck is known: one that a strange deck does not reach.

    A photo of a deck that was not learned is explained best by a deck that ships, in a
    hand like it, or by another that was learned.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: with the threshold.
        reader: makes the vectors of the decks that ship.

    Returns:
        The mean similarity.
    """
    shipped = [reader.prepare(deck) for deck in shipped_decks()]
    own, strange = [], []
    for looked in everything:
        found = looked.found(numbers)
        deck = decks[looked.photo.deck]
        if len(found.cards) < LEAST_CARDS or not looked.photo.labels:
            continue
        likeness = Reader(calibration=numbers, namer_sha256=deck.namer)
        others = [
            other for other in (*decks.values(), *shipped) if other is not deck and other.kind == deck.kind
        ]
        own.append(likeness.explain(found, [deck])[1])
        strange.append(likeness.explain(found, others)[1])
    low = float(np.quantile(own, 0.01)) if own else 0.5
    high = float(np.max(strange)) if strange else 0.3
    print(f"likeness of its own deck at least {low:.3f} (1 %), of a strange one at most {high:.3f}")
    return high + 0.01


def gather_missed(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration, compare: Compare | None = None
) -> Missed:
    """Read all photos and say of every place that was left out whether a card was missed there.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: all but those that this is for.
        compare: the verifier.

    Returns:
        The places.
    """
    facts, there, photo_of, misses, number_of = [], [], [], [], []
    order = {name: number for number, name in enumerate(sorted({one.photo.deck for one in everything}))}
    for looked in everything:
        deck = decks[looked.photo.deck]
        named = _name(looked, deck, numbers, compare)
        labels, cards, places = looked.photo.labels, _cards(looked, named.found), named.places
        kept = [place for place in range(len(cards)) if place not in named.left_out]
        names = [named.decision.names[place] for place in kept]
        known = set(shown(labels, tuple(cards[place] for place in kept), names))
        missed = [label for number, label in enumerate(labels) if number not in known]
        facts.append(named.facts)
        for centre in places.ends.centres[places.at] * looked.picture.scale:
            near = [
                label.seen >= COUNTED
                for label in missed
                if farness((float(centre[0]), float(centre[1])), label) < math.inf
            ]
            there.append(1 if any(near) else -1 if near else 0)
            photo_of.append(len(misses))
        misses.append(any(label.seen >= COUNTED for label in missed))
        number_of.append(order[looked.photo.deck])
    return Missed(
        np.concatenate(facts), np.array(there), np.array(photo_of), np.array(misses), np.array(number_of)
    )


def cross_fit_missed(missed: Missed, how: Growth = MISSED, *, folds: int = FOLDS) -> NDArray[np.float64]:
    """Say how likely each place is a missed card by a fit that never saw its deck.

    Args:
        missed: places.
        how: each is fitted.
        folds: into so many parts the decks are divided.

    Returns:
        float64[n], chances.
    """
    part = missed.deck[missed.photo] % folds
    labelled = missed.there >= 0

    def said(facts: NDArray[np.float32], weights: tuple[float, ...], trees: Trees) -> NDArray[np.float32]:
        return was_missed(facts, Calibration(missed_weights=weights, missed_trees=trees))

    return _from_other_decks(missed.facts, missed.there == 1, part, labelled, how, said)


def fit_doubt(missed: Missed, chances: NDArray[np.float64]) -> float:
    """Choose the chance from which on a place is a doubt: photos that miss a card need one, others none.

    Photos in which a card lies that is covered too much to count, and was not read, are left out: a doubt
    is right there and not asked for.

    Args:
        missed: places.
        chances: float64[n], how likely each is a missed card.

    Returns:
        The chance.
    """
    count = len(missed.misses)
    highest = np.zeros(count)
    np.maximum.at(highest, missed.photo, chances)
    fair = np.ones(count, np.bool_)
    fair[missed.photo[missed.there < 0]] = False
    costs: dict[float, int] = {}
    for threshold in (0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        doubted = highest >= threshold
        silent = int((fair & missed.misses & ~doubted).sum())
        needless = int((fair & ~missed.misses & doubted).sum())
        print(
            f"doubts from {threshold:.2f}: of {fair.sum()} photos {silent} miss a card silently, "
            f"{needless} doubt needlessly"
        )
        costs[threshold] = SILENT * silent + needless
    least = min(costs.values())
    if not least:
        return Calibration().doubt
    return max(threshold for threshold, cost in costs.items() if cost <= ALIKE * least)


def calibrate(
    folders: Sequence[Path],
    out: Path,
    target: Path,
    *,
    reader: Reader | None = None,
    given: Given = ALL_FITTED,
) -> Calibration:
    """Fit all numbers.

    Args:
        folders: each of generated photos with labels; decks of one name in two of them are two decks.
        out: where the reliability diagram goes.
        target: the JSON to write, and to enter in the manifest beside it.
        reader: its models; None takes those that ship.
        given: what is not fitted.

    Returns:
        The numbers.
    """
    reader = reader or Reader()
    photos = []
    for number, folder in enumerate(folders):
        photos += [
            replace(photo, deck=f"{number}/{photo.deck}" if photo.deck else "")
            for photo in load_folder(folder)
        ]
    decks = learn_decks(photos, reader, oracle=True)
    # A deck that could not be learned says nothing of those that were.
    told = [photo for photo in photos if photo.layout != "enrol" and (not photo.deck or photo.deck in decks)]
    everything = look(told, reader, decks, given.first_find)
    return fit(everything, decks, reader, out, target, given=given)


def fit(
    everything: list[Looked],
    decks: dict[str, Deck],
    reader: Reader,
    out: Path,
    target: Path,
    *,
    given: Given = ALL_FITTED,
) -> Calibration:
    """Fit all numbers on photos that were looked at.

    Args:
        everything: all photos; those with more copies of a card than its deck has, or with a face that its
            deck has not learned, are left out.
        decks: their decks.
        reader: its models.
        out: where the reliability diagram goes.
        target: the JSON to write, and to enter in the manifest beside it.
        given: what is not fitted.

    Returns:
        The numbers.
    """
    out.mkdir(parents=True, exist_ok=True)
    # What no deck can show teaches a wrong thing about too many of a card, and a face that was covered where
    # its deck was learned one about those that are like it.
    everything = [one for one in everything if _may_show(decks[one.photo.deck], one.photo.labels)]
    numbers = fit_pairs(everything, given.first_find)
    find = fit_threshold(everything, numbers) if given.find is None else given.find
    numbers = replace(numbers, find=find)
    numbers = replace(numbers, temperature=fit_temperature(everything, decks, numbers))
    compare = None if reader.compare is None else remembering(reader.compare)
    if compare is not None:
        numbers = fit_shares(everything, decks, numbers, compare)
    # What is faint is taken for a card by what else was read, which is read otherwise with that card.
    numbers = replace(numbers, take=NEVER)
    _, numbers = _fit_confidence(everything, decks, numbers, compare)
    missed = gather_missed(everything, decks, numbers, compare)
    labelled = missed.there >= 0
    weights, trees = fit_odds(missed.facts[labelled], missed.there[labelled] == 1, MISSED)
    numbers = replace(numbers, missed_weights=weights, missed_trees=trees)
    doubt = fit_doubt(missed, cross_fit_missed(missed)) if given.doubt is None else given.doubt
    numbers = replace(numbers, doubt=doubt, take=Calibration().take)
    samples, numbers = _fit_confidence(everything, decks, numbers, compare)
    confidence = cross_fit(samples)
    sure = fit_sure(confidence, samples.right, samples.weight) if given.sure is None else given.sure
    readable = samples.similarity[samples.right & samples.real]
    stranger = float(np.quantile(readable, 0.001)) - 0.05 if len(readable) else 0.3
    numbers = replace(numbers, sure=sure, stranger=stranger)
    known = fit_known(everything, decks, numbers, reader) if given.known is None else given.known
    numbers = replace(numbers, known=known)
    error = reliability(confidence, samples.right, out / "reliability.png")
    certain = confidence >= sure
    print(
        f"{len(samples.right)} cards, {samples.right.mean():.4%} right, calibration error {error:.4f}; "
        f"sure from {sure:.5f}: {certain.mean():.2%} of them, {(~samples.right[certain]).sum()} wrong"
    )
    stored: dict[str, object] = {
        field.name: round(float(getattr(numbers, field.name)), 5)
        for field in dataclasses.fields(Calibration)
        if field.type == "float"
    }
    for part, names in PARTS.items():
        stored[f"{part}weights"] = dict(zip(names, getattr(numbers, f"{part}weights"), strict=True))
        stored[f"{part}trees"] = getattr(numbers, f"{part}trees").stored()
    stored["fitted_on"] = {
        "photos": len(everything),
        "cards": len(samples.right),
        "right": round(float(samples.right.mean()), 5),
        "calibration_error": round(error, 5),
        "sure_share": round(float(certain.mean()), 5),
        "sure_wrong": int((~samples.right[certain]).sum()),
        "namer": reader.namer_sha256,
    }
    text = re.sub(r"\[([^][]*)\]", lambda row: f"[{' '.join(row[1].split())}]", json.dumps(stored, indent=1))
    target.write_text(text + "\n", encoding="utf-8")
    enter(target)
    return numbers


def _may_show(deck: Deck, labels: Sequence[Label]) -> bool:
    """Say whether a deck has all these cards and knows them."""
    names = [label.name for label in labels]
    return may_lie_together(names, deck.kind) and set(names) <= set(deck.labels)


def _fit_confidence(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration, compare: Compare | None
) -> tuple[Samples, Calibration]:
    """Fit how likely a name is right and a card is there, on what is read with these numbers."""
    samples = gather(everything, decks, numbers, compare)
    weights, trees = fit_odds(samples.features, samples.right, CONFIDENCE)
    numbers = replace(numbers, weights=weights, trees=trees)
    weights, trees = fit_odds(samples.features, samples.real, CONFIDENCE)
    return samples, replace(numbers, real_weights=weights, real_trees=trees)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.calibrate", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path("out/calibrate"))
    parser.add_argument("--target", type=Path, default=Path("models/calibration.json"))
    for name, what in (
        ("find", "probability from which an end counts"),
        ("sure", "confidence of a sure card"),
        ("doubt", "chance of a missed card that leaves a doubt"),
        ("known", "likeness from which a deck is known"),
    ):
        parser.add_argument(f"--{name}", type=float, help=f"{what}, instead of fitting it")
    parser.add_argument("--models", type=Path, help="a folder with other models and their manifest")
    args = parser.parse_args()
    for folder in args.folders:
        if not folder.is_dir():
            parser.error(f"no such folder: {folder}")
    begun = time.perf_counter()
    given = Given(args.find, args.sure, args.doubt, args.known)
    calibrate(args.folders, args.out, args.target, reader=reader_of(args.models), given=given)
    print(f"{args.target} after {time.perf_counter() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
