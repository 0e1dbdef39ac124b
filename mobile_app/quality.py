"""Say before a photo is read that it is too dark, too blurred, or taken from too far away."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.find import LONG_SIDE
from vision.read import Found

Problem = Literal["dark", "blurred", "far"]

DARK: Final = 70.0
"""The brightest twentieth of a photo of paper cards is darker than this only in too little light, of 255."""

BLURRED: Final = 0.14
"""Share of the photo's contrast that its steepest edges cross from one pixel to the next but one."""

FAR: Final = 13.0
"""Cards narrower than this many pixels of the finder's input lose their flowers."""

_LONG_SIDE: Final = 1280


def judge_photo(pixels: NDArray[np.uint8]) -> tuple[Problem, ...]:
    """Look at the light and the edges of a photo.

    Args:
        pixels: uint8[h, w, 3], RGB.

    Returns:
        What is wrong with it, empty where nothing is.
    """
    grey = _reduced(pixels)
    low, high = (float(value) for value in np.percentile(grey, (5, 95)))
    problems: list[Problem] = []
    if high < DARK:
        problems.append("dark")
    if high - low > 8 and sharpness(grey) < BLURRED:
        problems.append("blurred")
    return tuple(problems)


def sharpness(grey: NDArray[np.float32]) -> float:
    """Measure how steep the steepest edges are.

    Args:
        grey: float32[h, w], 0 to 255, long side at most `_LONG_SIDE`.

    Returns:
        The difference of next but one pixels that one in two hundred exceeds, as a share of the contrast.
    """
    low, high = (float(value) for value in np.percentile(grey, (1, 99)))
    across = np.abs(grey[:, 2:] - grey[:, :-2])
    down = np.abs(grey[2:] - grey[:-2])
    steep = max(float(np.percentile(across, 99.5)), float(np.percentile(down, 99.5)))
    return steep / max(high - low, 1.0)


def judge_found(found: Found, size: tuple[int, int]) -> tuple[Problem, ...]:
    """Look at how large the cards of a photo are.

    Args:
        found: its cards.
        size: width and height of the decoded photo in pixels.

    Returns:
        ``far`` where half of the cards are too narrow to be read well.
    """
    if not found.cards:
        return ()
    widths = 2 * np.linalg.norm(found.ends.rights, axis=1) * LONG_SIDE / max(size)
    return ("far",) if float(np.median(widths)) < FAR else ()


def _reduced(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    step = max(1, -(-max(pixels.shape[:2]) // _LONG_SIDE))
    height, width = (side // step * step for side in pixels.shape[:2])
    grey = pixels[:height, :width].astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
    blocks = grey.reshape(height // step, step, width // step, step)
    return np.asarray(blocks.mean((1, 3)), np.float32)
