"""Upright crops of printed ends, cut from a photo with numpy alone.

The same code cuts the crops that the namer is trained on, the examples of a
deck and the ends found in a photo, so that all three look alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 48
"""Width of a crop in pixels, across the card."""

HEIGHT = 72
"""Height of a crop in pixels, along the card."""

PAPER_QUANTILE = 0.85
"""The quantile of a channel that is taken for the brightness of the paper."""

PAPER_FLOOR = 20
"""Paper is never taken for darker than this, of 255."""

BRIGHTEST = 1.25
"""Upper bound of a normalised crop; paper is 1."""


def halve(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Halve an image by averaging squares of two by two pixels.

    Args:
        image: uint8[h, w, 3]; an odd last row or column is left out.

    Returns:
        uint8[h // 2, w // 2, 3].
    """
    height, width = image.shape[0] // 2 * 2, image.shape[1] // 2 * 2
    rows = image[0:height:2, :width].astype(np.uint16)
    rows += image[1:height:2, :width]
    square = rows[:, 0::2] + rows[:, 1::2]
    square += 2
    square >>= 2
    return square.astype(np.uint8)


class Pyramid:
    """A photo, halved again and again as far as crops need it; the levels are kept for the next cut.

    Args:
        image: uint8[h, w, 3], RGB.

    Raises:
        ValueError: the array has another shape or type.
    """

    def __init__(self, image: NDArray[np.uint8]) -> None:
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            msg = f"expected image uint8[h, w, 3], got {image.dtype}{list(image.shape)}"
            raise ValueError(msg)
        self._levels = [image]
        self.deepest = max(0, int(np.log2(max(1, min(image.shape[:2])))) - 1)
        """The last level that is still a picture."""

    def __getitem__(self, depth: int) -> NDArray[np.uint8]:
        """Give the photo halved so many times."""
        while len(self._levels) <= depth:
            self._levels.append(halve(self._levels[-1]))
        return self._levels[depth]


def cut(
    image: NDArray[np.uint8] | Pyramid,
    centres: NDArray[np.float32],
    ups: NDArray[np.float32],
    rights: NDArray[np.float32],
) -> NDArray[np.uint8]:
    """Cut parallelograms out of a photo and turn them upright.

    A crop spans ``centre ± up ± right``. Where it is larger in the photo than
    in the crop, it is read from a level of the photo that was halved by
    averaging, so that fine print does not alias. What lies outside the photo
    repeats its edge.

    Args:
        image: uint8[h, w, 3], RGB, the upright photo, or a pyramid of it where several cuts follow.
        centres: float32[n, 2], x and y in pixels; the first pixel spans 0 to 1.
        ups: float32[n, 2], from the centre to the middle of the upper edge.
        rights: float32[n, 2], from the centre to the middle of the right edge.

    Returns:
        uint8[n, 72, 48, 3].

    Raises:
        ValueError: an array has another shape or type.
    """
    pyramid = image if isinstance(image, Pyramid) else Pyramid(image)
    count = len(centres)
    for name, array in (("centres", centres), ("ups", ups), ("rights", rights)):
        if array.shape != (count, 2):
            msg = f"expected {name} float32[{count}, 2], got {list(array.shape)}"
            raise ValueError(msg)
    crops = np.empty((count, HEIGHT, WIDTH, 3), np.uint8)
    if count == 0:
        return crops
    step = np.maximum(
        np.hypot(ups[:, 0], ups[:, 1]) * (2 / HEIGHT),
        np.hypot(rights[:, 0], rights[:, 1]) * (2 / WIDTH),
    )
    levels = np.clip(np.rint(np.log2(np.maximum(step, 1e-3))), 0, pyramid.deepest).astype(int)
    for depth in range(int(levels.max()) + 1):
        chosen = np.flatnonzero(levels == depth)
        if len(chosen):
            scale = np.float32(0.5**depth)
            crops[chosen] = _sample(
                pyramid[depth], centres[chosen] * scale, ups[chosen] * scale, rights[chosen] * scale
            )
    return crops


def _sample(
    image: NDArray[np.uint8],
    centres: NDArray[np.float32],
    ups: NDArray[np.float32],
    rights: NDArray[np.float32],
) -> NDArray[np.uint8]:
    """Read the crops from one level of the photo, bilinearly.

    Args:
        image: uint8[h, w, 3], RGB.
        centres: float32[n, 2], in pixels of this level.
        ups: float32[n, 2].
        rights: float32[n, 2].

    Returns:
        uint8[n, 72, 48, 3].
    """
    height, width = image.shape[:2]
    along_up = (1 - (np.arange(HEIGHT, dtype=np.float32) + 0.5) * (2 / HEIGHT))[None, :, None]
    along_right = ((np.arange(WIDTH, dtype=np.float32) + 0.5) * (2 / WIDTH) - 1)[None, None, :]
    places = []
    for axis, size in ((0, width), (1, height)):
        place = (
            centres[:, axis, None, None]
            + ups[:, axis, None, None] * along_up
            + rights[:, axis, None, None] * along_right
            - np.float32(0.5)
        )
        places.append(np.clip(place, 0, size - 1, dtype=np.float32))
    x, y = places
    left = np.minimum(x.astype(np.int32), max(0, width - 2))
    top = np.minimum(y.astype(np.int32), max(0, height - 2))
    across = (x - left)[..., None]
    down = (y - top)[..., None]
    pixels = image.reshape(-1, 3)
    first = top * width + left
    beside = min(1, width - 1)
    below = width if height > 1 else 0
    upper = _between(pixels[first], pixels[first + beside], across)
    lower = _between(pixels[first + below], pixels[first + below + beside], across)
    lower -= upper
    lower *= down
    upper += lower
    upper += np.float32(0.5)
    return upper.astype(np.uint8)


def _between(
    first: NDArray[np.uint8], second: NDArray[np.uint8], share: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Mix two neighbours, ``share`` of the second."""
    mixed = second.astype(np.float32)
    mixed -= first
    mixed *= share
    mixed += first
    return mixed


def normalise(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Divide crops by the brightness of their paper, as the namer wants them.

    Args:
        crops: uint8[n, 72, 48, 3], RGB.

    Returns:
        float32[n, 3, 72, 48], 0 to 1.25; paper is 1 in every channel.
    """
    count = len(crops)
    if count == 0:
        return np.empty((0, 3, HEIGHT, WIDTH), np.float32)
    planes = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).reshape(count, 3, -1)
    place = round(PAPER_QUANTILE * (planes.shape[2] - 1))
    paper = np.partition(planes, place, axis=2)[:, :, place, None]
    normal = planes.astype(np.float32)
    normal /= np.maximum(paper, PAPER_FLOOR).astype(np.float32)
    np.minimum(normal, np.float32(BRIGHTEST), out=normal)
    return normal.reshape(count, 3, *crops.shape[1:3])
