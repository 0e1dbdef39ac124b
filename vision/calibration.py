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

from vision.errors import ModelError
from vision.files import data_path

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
    "photo_similarity",
    "photo_margin",
)
"""What the confidence of a card is computed from, `vision.decide.features`."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Thresholds, temperature and the weights of the confidence."""

    find: float = 0.35
    """An end of this probability and more is an end."""

    doubt: float = 0.15
    """An end of this probability and more leaves a doubt."""

    temperature: float = 0.06
    """Similarities are divided by this before they become probabilities."""

    known: float = 0.45
    """Mean similarity to its nearest faces from which on a deck explains a photo."""

    stranger: float = 0.3
    """A card less similar than this to every face of the deck cannot be read."""

    sure: float = 0.98
    """A card of this confidence and more is sure."""

    weights: tuple[float, ...] = (-8.0, 1.2, 0.1, 0.1, 0.0, 6.0, 2.0, 0.2, 0.3, 0.5, 0.0, 0.0, 0.0, 0.0)
    """Of the logit of the confidence, one for each of `FEATURES`."""

    bends: tuple[tuple[float, ...], ...] = ()
    """What the logit has beside: for each entry the hyperbolic tangent of the features weighed by all its
    numbers but the last, times the last (a hidden layer of a network, Bishop 1995, 4.3)."""


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
        known = {field.name for field in dataclasses.fields(Calibration)} - {"weights", "bends"}
        numbers = {name: float(stored[name]) for name in known if name in stored}
        weights = tuple(float(stored["weights"][name]) for name in FEATURES)
        bends = tuple(tuple(float(value) for value in bend) for bend in stored.get("bends", ()))
        if any(len(bend) != len(FEATURES) + 1 for bend in bends):
            raise ValueError("bends")  # noqa: TRY301 (one message for every way of being broken)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError("broken", name=path.name) from error
    return Calibration(**numbers, weights=weights, bends=bends)
