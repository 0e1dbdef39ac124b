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
from typing import TYPE_CHECKING

import numpy as np

from vision.errors import ModelError
from vision.files import data_path
from vision.missed import MISSED_FACTS
from vision.pair import PAIR_FACTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    "photo_similarity",
    "photo_margin",
)
"""What the confidence of a card is computed from, `vision.decide.features`."""

LAYERS = frozenset(
    f"{part}{layer}" for part in ("", "real_", "pair_", "missed_") for layer in ("weights", "bends")
)
"""Those of the numbers that weigh facts."""


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

    bends: tuple[tuple[float, ...], ...] = ()
    """What the logit has beside: for each entry the hyperbolic tangent of the features weighed by all its
    numbers but the last, times the last (a hidden layer of a network, Bishop 1995, 4.3)."""

    real_weights: tuple[float, ...] = (4.0,) + (0.0,) * (len(FEATURES) - 1)
    """Of the logit that a card lies there at all, one for each of `FEATURES`."""

    real_bends: tuple[tuple[float, ...], ...] = ()
    """What that logit has beside, as `bends`."""

    pair_weights: tuple[float, ...] = (4.2, 0.0, 0.0, 0.0, 0.0, -10.0) + (0.0,) * (len(PAIR_FACTS) - 6)
    """Of the logit that two ends are those of one card, one for each of `vision.pair.PAIR_FACTS`."""

    pair_bends: tuple[tuple[float, ...], ...] = ()
    """What that logit has beside, as `bends`."""

    missed_weights: tuple[float, ...] = (0.0, 1.0) + (0.0,) * (len(MISSED_FACTS) - 2)
    """Of the logit that a card was missed, one for each of `vision.missed.MISSED_FACTS`."""

    missed_bends: tuple[tuple[float, ...], ...] = ()
    """What that logit has beside, as `bends`."""

    @property
    def pairs(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """`pair_weights` and `pair_bends` as `vision.pair.likely_pairs` takes them."""
        return np.array(self.pair_weights, np.float32), np.array(self.pair_bends, np.float32)


@functools.cache
def shipped_calibration() -> Calibration:
    """Load the calibration that ships with the models.

    Returns:
        The numbers of ``models/calibration.json``; the defaults where there is no
        such file.

    Raises:
        ModelError: the file is broken.
    """
    try:
        path = data_path("models/calibration.json")
    except ModelError:
        return Calibration()
    return load_calibration(path)


def load_calibration(path: Path) -> Calibration:
    """Load a calibration.

    Args:
        path: a file as `vision.training.calibrate` writes it.

    Returns:
        Its numbers.

    Raises:
        ModelError: the file is broken.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        known = {field.name for field in dataclasses.fields(Calibration)} - LAYERS
        numbers = {name: float(stored[name]) for name in known if name in stored}
        weights, bends = _layer(stored["weights"], stored["bends"], FEATURES)
        real_weights, real_bends = _layer(stored["real_weights"], stored["real_bends"], FEATURES)
        pair_weights, pair_bends = _layer(stored["pair_weights"], stored["pair_bends"], PAIR_FACTS)
        missed_weights, missed_bends = _layer(stored["missed_weights"], stored["missed_bends"], MISSED_FACTS)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError("broken", name=path.name) from error
    return Calibration(
        **numbers,
        weights=weights,
        bends=bends,
        real_weights=real_weights,
        real_bends=real_bends,
        pair_weights=pair_weights,
        pair_bends=pair_bends,
        missed_weights=missed_weights,
        missed_bends=missed_bends,
    )


def _layer(
    weights: dict[str, float], bends: list[list[float]], names: tuple[str, ...]
) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Read a linear sum and its hidden layer."""
    linear = tuple(float(weights[name]) for name in names)
    hidden = tuple(tuple(float(value) for value in bend) for bend in bends)
    if any(len(bend) != len(names) + 1 for bend in hidden):
        raise ValueError(names)
    return linear, hidden
