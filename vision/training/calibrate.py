"""Fit ``models/calibration.json`` on generated photos: ``python -m vision.training.calibrate FOLDER``.

The photos come from ``python -m vision.training.evalset FOLDER --split calibrate``:
decks that were neither trained on nor are measured with. Fitted are, one after
another, the probability from which an end counts, the temperature, the weights of
the confidence, from which confidence on a card is sure, from which similarity on a
card can be read and a deck is known, and which faint ends leave a doubt. A
reliability diagram is drawn beside the reports.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import FEATURES, Calibration
from vision.crops import cut
from vision.decide import believe
from vision.deck import Deck
from vision.decode import read_photo
from vision.find import find_cards
from vision.group import group_cards
from vision.name import embed, similarities, weigh
from vision.read import Found, Picture, Reader
from vision.shelf import shipped_decks
from vision.training.evaluate import COUNTED, Photo, learn_decks, load_folder, match, reader_of
from vision.types import Card, Ends, Reading

FAINTEST = 0.08
"""Ends of lower probability are not looked at."""

LEAST_CARDS = 5
"""With fewer cards a photo says little about its deck."""

TOLERATED = 1 / 5000
"""So many sure cards may be wrong."""

RIDGE = 0.5
"""Pull of the weights to nought, in samples."""

BENDS = 12
"""Width of the hidden layer of the confidence."""

SILENT = 3
"""A photo that misses a card without a doubt costs as much as so many needless doubts: of a hand, the number
of cards tells it too."""

RATE = 0.05
"""Highest learning rate of the fit."""

STEPS = 700
"""Steps of the fit."""

FOLDS = 4
"""The decks are divided into so many parts; the confidence in the cards of one is measured by the others."""


@dataclass
class Looked:
    """A photo with every end that may be one, and its crops."""

    photo: Photo
    picture: Picture
    ends: Ends
    crops: NDArray[np.uint8]
    embeddings: NDArray[np.float32]

    def found(self, threshold: float) -> Found:
        """Give what the reader would find.

        Args:
            threshold: probability from which an end counts.

        Returns:
            The cards in reading order.
        """
        places = np.flatnonzero(self.ends.scores >= threshold)
        ends = self.ends.take(places)
        cards = find_cards(ends, self.embeddings[places])
        order, groups = group_cards([card.outline for card in cards])
        return Found(
            ends=ends,
            cards=tuple(cards[place] for place in order),
            groups=tuple(groups),
            faint=self.ends.take(np.flatnonzero(self.ends.scores < threshold)),
            crops=self.crops[places],
            embeddings=self.embeddings[places],
            ms={},
        )


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

    def take(self, chosen: NDArray[np.bool_]) -> Samples:
        """Give some of the cards."""
        return Samples(*(getattr(self, field.name)[chosen] for field in dataclasses.fields(Samples)))


def look(photos: list[Photo], reader: Reader) -> list[Looked]:
    """Find every end that may be one in all photos.

    Args:
        photos: with labels.
        reader: its models.

    Returns:
        One entry for each photo.
    """
    result = []
    for photo in photos:
        picture = read_photo(photo.path)
        ends = reader.ends(picture.pixels, FAINTEST)
        crops = cut(picture.pixels, ends.centres, ends.ups, ends.rights)
        slim = Picture(np.empty((*picture.pixels.shape[:2], 0), np.uint8), picture.size)
        result.append(Looked(photo, slim, ends, crops, embed(crops, reader.namer)))
    return result


def _name(looked: Looked, deck: Deck, numbers: Calibration) -> Reading:
    reader = Reader(calibration=numbers, namer_sha256=deck.namer)
    return reader.name(looked.found(numbers.find), [deck], looked.picture, given=True)


def _cards(looked: Looked, threshold: float) -> tuple[Card, ...]:
    found = looked.found(threshold)
    cards = []
    for card in found.cards:
        x, y = found.ends.centres[card.ends[0]] * looked.picture.scale
        cards.append(Card("", card.outline, (float(x), float(y)), 1.0, sure=True))
    return tuple(cards)


def fit_threshold(everything: list[Looked]) -> float:
    """Choose the least probability from which an end counts with as few cards missed or made up as may be.

    Args:
        everything: all photos.

    Returns:
        The threshold.
    """
    counted: dict[float, int] = {}
    for threshold in np.arange(0.3, 0.661, 0.02):
        errors = 0
        for looked in everything:
            matched = match(looked.photo.labels, _cards(looked, float(threshold)))
            known = {number for number in matched if number is not None}
            errors += sum(number is None for number in matched)
            errors += sum(
                label.seen >= COUNTED and number not in known
                for number, label in enumerate(looked.photo.labels)
            )
        print(f"ends from {threshold:.2f}: {errors} cards missed or made up")
        counted[round(float(threshold), 2)] = errors
    return min(threshold for threshold, errors in counted.items() if errors <= 1.05 * min(counted.values()))


def _evidence_rows(
    everything: list[Looked], decks: dict[str, Deck], numbers: Calibration
) -> tuple[list[NDArray[np.float32]], list[int]]:
    rows, truth = [], []
    for looked in everything:
        deck = decks.get(looked.photo.deck)
        if deck is None:
            continue
        found = looked.found(numbers.find)
        vectors, faces = deck.vectors()
        similarity = similarities(found.embeddings, vectors, faces, len(deck.labels))
        evidence = weigh(found.cards, similarity, found.ends.seen, deck.labels, temperature=1.0)
        matched = match(looked.photo.labels, _cards(looked, numbers.find))
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


def gather(everything: list[Looked], decks: dict[str, Deck], numbers: Calibration) -> Samples:
    """Read all photos and say of every card whether it is right.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: threshold and temperature.

    Returns:
        The cards.
    """
    from vision.decide import decide
    from vision.find import LONG_SIDE

    features, right, similarity, real, number_of = [], [], [], [], []
    order = {name: number for number, name in enumerate(sorted({one.photo.deck for one in everything}))}
    for looked in everything:
        deck = decks.get(looked.photo.deck) or next(iter(decks.values()))
        found = looked.found(numbers.find)
        if not found.cards:
            continue
        vectors, faces = deck.vectors()
        likeness = similarities(found.embeddings, vectors, faces, len(deck.labels))
        evidence = weigh(found.cards, likeness, found.ends.seen, deck.labels, temperature=numbers.temperature)
        scale = LONG_SIDE / max(looked.picture.pixels.shape[:2])
        decision = decide(evidence, found.cards, found.ends, deck.copies, numbers, scale=scale)
        matched = match(looked.photo.labels, _cards(looked, numbers.find))
        for place, number in enumerate(matched):
            features.append(decision.features[place])
            similarity.append(decision.similarity[place])
            real.append(number is not None)
            number_of.append(order[looked.photo.deck])
            right.append(number is not None and looked.photo.labels[number].name == decision.names[place])
    return Samples(
        np.array(features), np.array(right), np.array(similarity), np.array(real), np.array(number_of)
    )


def fit_weights(
    samples: Samples, *, bends: int = BENDS, steps: int = STEPS, seed: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit what the confidence is computed by: logistic regression with a small hidden layer, by Adam.

    Args:
        samples: cards.
        bends: width of the hidden layer; with none it is logistic regression.
        steps: of Adam.
        seed: of the first weights.

    Returns:
        float64[features] and float64[bends, features + 1], as in `vision.calibration.Calibration`.
    """
    rng = np.random.default_rng(seed)
    scale = np.maximum(samples.features.std(0), 1e-3)
    scale[0] = 1.0
    x = (samples.features / scale).astype(np.float32)
    y = samples.right.astype(np.float32)
    count, width = x.shape
    parameters = [
        np.zeros(width, np.float32),
        rng.normal(0, 0.3, (bends, width)).astype(np.float32),
        np.zeros(bends, np.float32),
    ]
    first = [np.zeros_like(values) for values in parameters]
    second = [np.zeros_like(values) for values in parameters]
    for step in range(1, steps + 1):
        linear, inside, outside = parameters
        bent = np.tanh(x @ inside.T)
        error = 1 / (1 + np.exp(-np.clip(x @ linear + bent @ outside, -30, 30))) - y
        slopes = [
            error @ x + RIDGE * linear * (np.arange(width) > 0),
            ((error[:, None] * outside) * (1 - bent**2)).T @ x + RIDGE * inside,
            error @ bent + RIDGE * outside,
        ]
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
        for place, slope in enumerate(slopes):
            first[place] = 0.9 * first[place] + 0.1 * slope / count
            second[place] = 0.999 * second[place] + 0.001 * (slope / count) ** 2
            fair = np.sqrt(second[place] / (1 - 0.999**step)) + 1e-9
            parameters[place] = parameters[place] - rate * (first[place] / (1 - 0.9**step)) / fair
    linear, inside, outside = parameters
    layer = np.concatenate([inside / scale, outside[:, None]], axis=1)
    return (linear / scale).astype(np.float64), layer.astype(np.float64)


def cross_fit(samples: Samples, *, folds: int = FOLDS, steps: int = STEPS) -> NDArray[np.float64]:
    """Say how sure each card would be by a fit that never saw its deck.

    Args:
        samples: cards.
        folds: into so many parts the decks are divided.
        steps: of each fit.

    Returns:
        float64[n], confidences.
    """
    confidence = np.zeros(len(samples.right))
    part = samples.deck % folds
    for fold in range(folds):
        mine = part == fold
        if not mine.any() or mine.all():
            continue
        weights, bends = fit_weights(samples.take(~mine), steps=steps)
        numbers = Calibration(weights=tuple(weights), bends=tuple(map(tuple, bends)))
        confidence[mine] = believe(samples.features[mine], numbers)
    return confidence


def fit_sure(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Choose the confidence from which on a card is sure.

    Both what is expected and what was counted have to be tolerable.

    Args:
        confidence: float64[n].
        right: bool[n].

    Returns:
        The least such confidence.
    """
    order = np.argsort(-confidence)
    confidence, right = confidence[order], right[order]
    count = np.arange(1, len(order) + 1)
    expected = np.cumsum(1 - confidence) / count
    counted = np.cumsum(~right)
    good = (expected <= TOLERATED) & (counted <= TOLERATED * count)
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
        found = looked.found(numbers.find)
        deck = decks.get(looked.photo.deck)
        if len(found.cards) < LEAST_CARDS or deck is None:
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


def fit_doubt(everything: list[Looked], decks: dict[str, Deck], numbers: Calibration) -> float:
    """Choose which faint ends leave a doubt: missed cards have to, and little else.

    Args:
        everything: all photos.
        decks: their decks.
        numbers: all but this.

    Returns:
        The probability.
    """
    best, least = 0.15, float("inf")
    for threshold in (0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3):
        if threshold >= numbers.find:
            break
        silent = needless = 0
        for looked in everything:
            deck = decks.get(looked.photo.deck)
            if deck is None:
                continue
            slim = replace(looked, ends=looked.ends, crops=looked.crops)
            bright = np.flatnonzero(looked.ends.scores >= threshold)
            slim.ends, slim.crops = looked.ends.take(bright), looked.crops[bright]
            slim.embeddings = looked.embeddings[bright]
            reading = _name(slim, deck, numbers)
            matched = match(looked.photo.labels, reading.cards)
            known = {number for number in matched if number is not None}
            missed = any(
                label.seen >= COUNTED and number not in known
                for number, label in enumerate(looked.photo.labels)
            )
            silent += missed and not reading.doubts
            needless += not missed and bool(reading.doubts)
        print(
            f"doubts from {threshold:.2f}: {silent} photos miss a card silently, {needless} doubt needlessly"
        )
        cost = SILENT * silent + needless
        if cost < least:
            best, least = threshold, cost
    return best


def calibrate(
    folder: Path, out: Path, target: Path, *, reader: Reader | None = None, given_sure: float | None = None
) -> Calibration:
    """Fit all numbers.

    Args:
        folder: generated photos with labels.
        out: where the reliability diagram goes.
        target: the JSON to write.
        reader: its models; None takes those that ship.
        given_sure: confidence from which on a card is sure, where there are too few
            photos to fit it.

    Returns:
        The numbers.
    """
    out.mkdir(parents=True, exist_ok=True)
    reader = reader or Reader()
    photos = load_folder(folder)
    decks = learn_decks(photos, reader, oracle=True)
    everything = look([photo for photo in photos if photo.layout != "enrol"], reader)
    numbers = Calibration()
    numbers = replace(numbers, find=fit_threshold(everything))
    numbers = replace(numbers, temperature=fit_temperature(everything, decks, numbers))
    samples = gather(everything, decks, numbers)
    weights, bends = fit_weights(samples)
    numbers = replace(
        numbers,
        weights=tuple(round(float(weight), 4) for weight in weights),
        bends=tuple(tuple(round(float(weight), 4) for weight in bend) for bend in bends),
    )
    confidence = cross_fit(samples)
    sure = fit_sure(confidence, samples.right) if given_sure is None else given_sure
    readable = samples.similarity[samples.right & samples.real]
    stranger = float(np.quantile(readable, 0.001)) - 0.05 if len(readable) else 0.3
    numbers = replace(numbers, sure=sure, stranger=stranger)
    numbers = replace(numbers, known=fit_known(everything, decks, numbers, reader))
    numbers = replace(numbers, doubt=fit_doubt(everything, decks, numbers))
    error = reliability(confidence, samples.right, out / "reliability.png")
    certain = confidence >= sure
    print(
        f"{len(samples.right)} cards, {samples.right.mean():.4%} right, calibration error {error:.4f}; "
        f"sure from {sure:.5f}: {certain.mean():.2%} of them, {(~samples.right[certain]).sum()} wrong"
    )
    stored = {
        field.name: round(float(getattr(numbers, field.name)), 5)
        for field in dataclasses.fields(Calibration)
        if field.name not in {"weights", "bends"}
    }
    stored["weights"] = dict(zip(FEATURES, numbers.weights, strict=True))
    stored["bends"] = numbers.bends
    stored["fitted_on"] = {
        "photos": len(everything),
        "cards": len(samples.right),
        "right": round(float(samples.right.mean()), 5),
        "calibration_error": round(error, 5),
        "sure_share": round(float(certain.mean()), 5),
        "sure_wrong": int((~samples.right[certain]).sum()),
        "namer": reader.namer_sha256,
    }
    target.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    return numbers


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.calibrate", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("out/calibrate"))
    parser.add_argument("--target", type=Path, default=Path("models/calibration.json"))
    parser.add_argument("--sure", type=float, help="confidence of a sure card, where photos are few")
    parser.add_argument("--models", type=Path, help="a folder with other models and their manifest")
    given = parser.parse_args()
    if not given.folder.is_dir():
        parser.error(f"no such folder: {given.folder}")
    begun = time.perf_counter()
    calibrate(given.folder, given.out, given.target, reader=reader_of(given.models), given_sure=given.sure)
    print(f"{given.target} after {time.perf_counter() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
