"""The few numbers that reading is tuned by, fitted on generated photos.

``python -m vision.training.calibrate`` writes them; no photo that quality is
measured on has a part in them.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import ModelError
from vision.files import data_path
from vision.missed import MISSED_FACTS
from vision.pair import PAIR_FACTS
from vision.session import checked_bytes, manifest_sha256
from vision.trees import LARGEST, NONE, Odds, Trees

CALIBRATION = "calibration.json"
"""Name of the file, beside the models."""

FEATURES = (
    "bias",
    "least_margin",
    "margin",
    "flower_margin",
    "has_flower_sibling",
    "similarity",
    "seen",
    "score",
    "weaker_end_margin",
    "both_ends",
    "crowding",
    "size",
    "face_gap",
    "face_share",
    "twin_gap",
    "twin_share",
    "pair",
    "rival",
    "rival_unlike",
    "overlap",
    "outdone",
    "outdone_alike",
    "namesake_facing",
    "namesake_along",
    "namesake_end",
    "namesake_alone",
    "facing_card",
    "next_card",
    "free",
    "verified",
    "first_margin",
    "opinion_margin",
    "opinion",
    "gained",
    "contrast",
    "sharpness",
    "grain",
    "colour",
    "photo_similarity",
    "photo_margin",
    "photo_colour",
    "photo_score",
    "photo_both_ends",
    "paper_lighter",
    "paper_tinted",
)
"""What the confidence of a card is computed from, `vision.decide.features`."""

RANGES = {
    "temperature": (1e-3, 10.0),
    "stranger": (-1.0, 1.0),
    "namer_share": (0.0, 10.0),
    "verifier_share": (0.0, 10.0),
}
"""What a number may be, but for those that are shares and chances, 0 to 1."""

PARTS = {"": FEATURES, "real_": FEATURES, "pair_": PAIR_FACTS, "missed_": MISSED_FACTS}
"""What is told from facts, and from which: each has ``weights`` and ``trees``."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Thresholds, temperature and the weights of the confidence."""

    find: float = 0.35
    """An end of this probability and more is an end."""

    doubt: float = 0.15
    """Where a card was missed with this probability and more, a doubt is left."""

    take: float = 0.8
    """What is faint and a card that was missed with this probability and more is taken for one."""

    temperature: float = 0.06
    """Similarities are divided by this before they become probabilities."""

    namer_share: float = 1.0
    """Where the verifier was asked, too, what the namer says counts so much."""

    verifier_share: float = 1.0
    """And what the verifier says counts so much."""

    known: float = 0.45
    """Mean similarity to its nearest faces from which on a deck explains a photo."""

    stranger: float = 0.3
    """A card less similar than this to every face of the deck cannot be read."""

    sure: float = 0.98
    """A card of this confidence and more is sure."""

    weights: tuple[float, ...] = (-8.0, 1.2, 0.1, 0.1, 0.0, 6.0, 2.0, 0.2, 0.3, 0.5) + (0.0,) * (
        len(FEATURES) - 10
    )
    """Of the logit of the confidence, one for each of `FEATURES`."""

    trees: Trees = NONE
    """What the logit has beside. Where trees were fitted, only the first weight is not 0."""

    real_weights: tuple[float, ...] = (4.0,) + (0.0,) * (len(FEATURES) - 1)
    """Of the logit that a card lies there at all, one for each of `FEATURES`."""

    real_trees: Trees = NONE
    """What that logit has beside."""

    pair_weights: tuple[float, ...] = (4.2, 0.0, 0.0, 0.0, 0.0, -10.0) + (0.0,) * (len(PAIR_FACTS) - 6)
    """Of the logit that two ends are those of one card, one for each of `vision.pair.PAIR_FACTS`."""

    pair_trees: Trees = NONE
    """What that logit has beside."""

    missed_weights: tuple[float, ...] = (0.0, 1.0) + (0.0,) * (len(MISSED_FACTS) - 2)
    """Of the logit that a card was missed, one for each of `vision.missed.MISSED_FACTS`."""

    missed_trees: Trees = NONE
    """What that logit has beside."""

    @property
    def right(self) -> Odds:
        """How likely a name is right, by `FEATURES`."""
        return Odds.of(self.weights, self.trees)

    @property
    def real(self) -> Odds:
        """How likely a card lies there at all, by `FEATURES`."""
        return Odds.of(self.real_weights, self.real_trees)

    @property
    def pairs(self) -> Odds:
        """How likely two ends are those of one card, by `vision.pair.PAIR_FACTS`."""
        return Odds.of(self.pair_weights, self.pair_trees)

    @property
    def missed(self) -> Odds:
        """How likely a card was missed at a place, by `vision.missed.MISSED_FACTS`."""
        return Odds.of(self.missed_weights, self.missed_trees)


@functools.cache
def shipped_calibration() -> Calibration:
    """Load the calibration that ships with the models.

    Returns:
        The numbers of ``models/calibration.json``.

    Raises:
        ModelError: the file is missing, not the one of the manifest, or broken.
    """
    path = data_path(f"models/{CALIBRATION}")
    return load_calibration(path, manifest_sha256(path.parent, path.name))


def load_calibration(path: Path, sha256: str | None = None) -> Calibration:
    """Load a calibration.

    Args:
        path: a file as `vision.training.calibrate` writes it.
        sha256: hexadecimal digest that it has to have; None checks nothing.

    Returns:
        Its numbers.

    Raises:
        ModelError: the file is missing or another one, lacks a number, or has one that makes no sense.
    """
    data = checked_bytes(path, sha256)
    try:
        stored = json.loads(data)
        numbers: dict[str, Any] = {
            field.name: _number(stored[field.name], *RANGES.get(field.name, (0.0, 1.0)))
            for field in dataclasses.fields(Calibration)
            if field.type == "float"
        }
        for part, names in PARTS.items():
            weights = stored[f"{part}weights"]
            numbers[f"{part}weights"] = tuple(_number(weights[name], -LARGEST, LARGEST) for name in names)
            numbers[f"{part}trees"] = _trees(stored[f"{part}trees"], len(names))
        return Calibration(**numbers)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError("broken", name=path.name) from error


def _number(value: object, least: float, most: float) -> float:
    """Take a number of the file; a truth, a text, and what lies beyond these bounds is none."""
    if type(value) not in {int, float} or not least <= value <= most:  # type: ignore[operator]
        raise ValueError(value)
    return float(value)  # type: ignore[arg-type]


def _trees(stored: object, count: int) -> Trees:
    if not isinstance(stored, list):
        raise TypeError(stored)
    return Trees.of(stored, count)
