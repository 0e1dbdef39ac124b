"""Say before a photo is read that it is too dark, too blurred, or taken from too far away.

Light and edges are judged from the pixels alone, before any model runs; how far away the cards are is known
once the finder has seen them, before anything is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from vision.find import LONG_SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.read import Found

Problem = Literal["dark", "blurred", "far"]

DARK: Final = 56.0
"""Of paper cards in any light that a phone copes with, one pixel in fifty is brighter than this, of 255."""

BLURRED: Final = 0.25
"""Share of a photo's contrast that its steepest edges cross from one pixel to the next but one.

Photos of cards have 0.6 and more; below a quarter a third of the cards is misread.
"""

FAR: Final = 15.0
"""Cards narrower than this many pixels of the finder's input are overlooked, and flowers with them."""

_RIM: Final = 6
"""Nearer to the edge of a crop lies what is beside the card, or the edge itself."""

_LONG_SIDE: Final = 1280
_FLAT: Final = 8.0
"""A photo of less contrast than this shows nothing whose edges could be judged."""


def judge_photo(pixels: NDArray[np.uint8]) -> tuple[Problem, ...]:
    """Look at the light and the edges of a photo.

    Args:
        pixels: uint8[h, w, 3], RGB.

    Returns:
        What is wrong with it, empty where nothing is.
    """
    grey = _reduced(pixels)
    low, high = (float(value) for value in np.percentile(grey[::2, ::2], (2, 98)))
    problems: list[Problem] = []
    if high < DARK:
        problems.append("dark")
    if high - low > _FLAT and sharpness(grey) < BLURRED:
        problems.append("blurred")
    return tuple(problems)


def sharpness(grey: NDArray[np.float32]) -> float:
    """Measure how steep the steepest edges are, in the direction that is less sharp: a hand shakes in one.

    Args:
        grey: float32[h, w], 0 to 255, long side at most 1280.

    Returns:
        The difference of next but one pixels that one in two hundred exceeds, as a share of the contrast.
    """
    low, high = (float(value) for value in np.percentile(grey[::2, ::2], (1, 99)))
    across = np.abs(grey[::2, 2:] - grey[::2, :-2])
    down = np.abs(grey[2:, ::2] - grey[:-2, ::2])
    steep = min(float(np.percentile(across, 99.5)), float(np.percentile(down, 99.5)))
    return steep / max(high - low, 1.0)


def clarity(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Say how clearly ends can be seen, whatever they show.

    A print that is blurred, lies in the dark or is faint is like that of another card without looking
    doubtful to who compares both, and where nothing has a colour a flower is easily taken for none.

    Args:
        crops: uint8[n, 72, 48, 3], upright ends.

    Returns:
        float32[n, 4] of the colour that tells most: the contrast, as the logarithm of its share of 128; how
        much of it the steepest edges cross from one pixel to the next but one; how much of it neighbours
        differ where little happens, which is grain; and how colourful the print is beside its card, as a
        share of 128.
    """
    inner = crops[:, _RIM:-_RIM, _RIM:-_RIM]
    count = len(inner)
    if not count:
        return np.empty((0, 4), np.float32)
    some = inner[:, ::3, ::2].reshape(count, -1, 3)
    red, green, blue = (some[:, :, channel] for channel in range(3))
    span = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    colour = _exceeded(span, 0.98) - _exceeded(span, 0.5)
    some = np.sort(some, axis=1)
    low, high = (some[:, round(share * (some.shape[1] - 1))].astype(np.float32) for share in (0.02, 0.98))
    rows, best = np.arange(count), (high - low).argmax(1)
    contrast = np.maximum((high - low)[rows, best], 1.0)
    grey = inner[rows, :, :, best].astype(np.int16)
    across = _exceeded(np.abs(grey[:, ::2, 2:] - grey[:, ::2, :-2]), 0.98)
    down = _exceeded(np.abs(grey[:, 2:, ::2] - grey[:, :-2, ::2]), 0.98)
    grain = _exceeded(np.abs(grey[:, ::2, 1:] - grey[:, ::2, :-1]), 0.4)
    return np.stack(
        [np.log(contrast / 128), np.minimum(across, down) / contrast, grain / contrast, colour / 128], axis=1
    )


def paper(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Say of what colour that is on which ends are printed: most of an end shows it.

    Args:
        crops: uint8[n, 72, 48, 3], upright ends.

    Returns:
        float32[n, 3], the logarithms of red, green and blue as shares of 128.
    """
    if not len(crops):
        return np.empty((0, 3), np.float32)
    some = crops[:, _RIM:-_RIM:5, _RIM:-_RIM:4]
    shades = np.stack([_exceeded(some[..., channel], 0.5) for channel in range(3)], axis=1)
    return np.log(np.maximum(shades, 1.0) / 128)


def unlike(papers: NDArray[np.float32], cards: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compare what something is printed on with what the cards of its photo are printed on.

    Args:
        papers: float32[n, 3], `paper`.
        cards: float32[m, 3], of the cards of that photo.

    Returns:
        float32[n, 2]: how much brighter it is, as a logarithm; how differently it is tinted. Noughts where
        there are no cards.
    """
    if not len(cards):
        return np.zeros((len(papers), 2), np.float32)
    apart = papers - np.median(cards, axis=0)
    lighter = apart.mean(1)
    return np.stack([lighter, np.hypot(*(apart - lighter[:, None])[:, (0, 2)].T)], axis=1)


def _exceeded(values: NDArray[np.int16] | NDArray[np.uint8], share: float) -> NDArray[np.float32]:
    """Say of each crop what this share of its values does not exceed."""
    values = values.reshape(len(values), -1)
    place = round(share * (values.shape[1] - 1))
    return np.partition(values, place, axis=1)[:, place].astype(np.float32)


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
    """Take the green of a photo, which shows red and black prints alike, as the mean of small squares."""
    step = -(-max(pixels.shape[:2]) // _LONG_SIDE)
    height, width = (side // step * step for side in pixels.shape[:2])
    green = pixels[:height, :width, 1]
    total = np.zeros((height // step, width // step), np.float32)
    for row in range(step):
        for column in range(step):
            total += green[row::step, column::step]
    total /= np.float32(step * step)
    return total
