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


_STRIP = 16
"""So many rows, and crops, are worked on at a time: what they take stays in the processor's cache."""


def halve(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Halve an image by averaging squares of two by two pixels.

    Args:
        image: uint8[h, w, 3]; an odd last row or column is left out.

    Returns:
        uint8[h // 2, w // 2, 3].
    """
    height, width = image.shape[0] // 2, image.shape[1] // 2
    half = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP):
        bottom = min(height, top + _STRIP)
        rows = image[2 * top : 2 * bottom, : 2 * width].reshape(bottom - top, 2, 6 * width)
        both = np.add(rows[:, 0], rows[:, 1], dtype=np.uint16)
        square = both[:, :-3] + both[:, 3:]
        square += 2
        square >>= 2
        for channel in range(3):
            half[top:bottom, :, channel] = square[:, channel::6]
    return half


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
        self._packed: dict[int, NDArray[np.uint32]] = {}
        self.deepest = max(0, int(np.log2(max(1, min(image.shape[:2])))) - 1)
        """The last level that is still a picture."""

    @classmethod
    def of(cls, image: NDArray[np.uint8] | Pyramid) -> Pyramid:
        """Take a photo or a pyramid of one, which is given back.

        Args:
            image: uint8[h, w, 3], RGB, or a pyramid.

        Returns:
            A pyramid.

        Raises:
            ValueError: the array has another shape or type.
        """
        return image if isinstance(image, Pyramid) else cls(image)

    def __getitem__(self, depth: int) -> NDArray[np.uint8]:
        """Give the photo halved so many times."""
        while len(self._levels) <= depth:
            self._levels.append(halve(self._levels[-1]))
        return self._levels[depth]

    def packed(self, depth: int) -> NDArray[np.uint32]:
        """Give the pixels of a level as one number each, so that they are gathered in one step.

        Args:
            depth: how many times the photo is halved.

        Returns:
            uint32[h * w], row by row: red in the lowest byte, then green and blue; the highest means nothing.
        """
        if depth not in self._packed:
            level = np.ascontiguousarray(self[depth])
            pixels = np.empty(level.size // 3, np.uint32)
            pixels[:-1] = np.ndarray(pixels.size - 1, "<u4", buffer=level, strides=(3,))
            pixels[-1] = int.from_bytes(level[-1, -1].tobytes(), "little")
            self._packed[depth] = pixels
        return self._packed[depth]


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
    return np.ascontiguousarray(cut_planes(image, centres, ups, rights).transpose(0, 2, 3, 1))


def cut_planes(
    image: NDArray[np.uint8] | Pyramid,
    centres: NDArray[np.float32],
    ups: NDArray[np.float32],
    rights: NDArray[np.float32],
) -> NDArray[np.uint8]:
    """Cut as `cut` does, each channel a picture of its own, as the networks want them.

    Args:
        image: as for `cut`.
        centres: as for `cut`.
        ups: as for `cut`.
        rights: as for `cut`.

    Returns:
        uint8[n, 3, 72, 48].

    Raises:
        ValueError: an array has another shape or type.
    """
    pyramid = Pyramid.of(image)
    count = len(centres)
    for name, array in (("centres", centres), ("ups", ups), ("rights", rights)):
        if array.shape != (count, 2):
            msg = f"expected {name} float32[{count}, 2], got {list(array.shape)}"
            raise ValueError(msg)
    crops = np.empty((count, 3, HEIGHT, WIDTH), np.uint8)
    if count == 0:
        return crops
    step = np.maximum(
        np.hypot(ups[:, 0], ups[:, 1]) * (2 / HEIGHT),
        np.hypot(rights[:, 0], rights[:, 1]) * (2 / WIDTH),
    )
    levels = np.clip(np.rint(np.log2(np.maximum(step, 1e-3))), 0, pyramid.deepest).astype(int)
    for depth in range(int(levels.max()) + 1):
        chosen = np.flatnonzero(levels == depth)
        scale = np.float32(0.5**depth)
        for start in range(0, len(chosen), _STRIP):
            some = chosen[start : start + _STRIP]
            crops[some] = _sample(
                pyramid, depth, centres[some] * scale, ups[some] * scale, rights[some] * scale
            )
    return crops


def _sample(
    pyramid: Pyramid,
    depth: int,
    centres: NDArray[np.float32],
    ups: NDArray[np.float32],
    rights: NDArray[np.float32],
) -> NDArray[np.uint8]:
    """Read crops from one level of the photo, bilinearly.

    Args:
        pyramid: of the photo.
        depth: the level.
        centres: float32[n, 2], in pixels of this level.
        ups: float32[n, 2].
        rights: float32[n, 2].

    Returns:
        uint8[n, 3, 72, 48].
    """
    height, width = pyramid[depth].shape[:2]
    along_up = (1 - (np.arange(HEIGHT, dtype=np.float32) + 0.5) * (2 / HEIGHT))[None, :, None]
    along_right = ((np.arange(WIDTH, dtype=np.float32) + 0.5) * (2 / WIDTH) - 1)[None, None, :]
    places = []
    for axis, size in ((0, width), (1, height)):
        place = (
            centres[:, axis, None, None]
            + ups[:, axis, None, None] * along_up
            + rights[:, axis, None, None] * along_right
        )
        place -= np.float32(0.5)
        places.append(np.clip(place, 0, size - 1, out=place))
    across, down = places
    left = np.minimum(across.astype(np.int32), max(0, width - 2))
    top = np.minimum(down.astype(np.int32), max(0, height - 2))
    across -= left
    down -= top
    first = top.astype(np.intp)
    first *= width
    first += left
    beside = min(1, width - 1)
    below = width if height > 1 else 0
    packed = pyramid.packed(depth)
    corners = [packed.take(first + offset, mode="wrap") for offset in (0, beside, below, below + beside)]
    crops = np.empty((len(centres), 3, HEIGHT, WIDTH), np.uint8)
    for channel in range(3):
        upper, upper_right, lower, lower_right = (_channel(corner, channel) for corner in corners)
        _mix(upper, upper_right, across)
        _mix(lower, lower_right, across)
        _mix(upper, lower, down)
        upper += np.float32(0.5)
        crops[:, channel] = upper
    return crops


def _channel(packed: NDArray[np.uint32], channel: int) -> NDArray[np.float32]:
    """Take one channel of packed pixels."""
    return ((packed >> np.uint32(8 * channel)) & np.uint32(255)).astype(np.float32)


def _mix(first: NDArray[np.float32], second: NDArray[np.float32], share: NDArray[np.float32]) -> None:
    """Mix two neighbours into the first, ``share`` of the second; the second is used up."""
    second -= first
    second *= share
    first += second


def normalise(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Divide crops by the brightness of their paper, as the namer wants them.

    Args:
        crops: uint8[n, 72, 48, 3], RGB.

    Returns:
        float32[n, 3, 72, 48], 0 to 1.25; paper is 1 in every channel.
    """
    return normalise_planes(np.ascontiguousarray(crops.transpose(0, 3, 1, 2)))


def normalise_planes(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Normalise as `normalise` does what `cut_planes` cut.

    Args:
        crops: uint8[n, 3, 72, 48], RGB.

    Returns:
        float32[n, 3, 72, 48], 0 to 1.25; paper is 1 in every channel.
    """
    normal = np.empty(crops.shape, np.float32)
    size = crops.shape[2] * crops.shape[3]
    darker = round(PAPER_QUANTILE * (size - 1))
    for start in range(0, len(crops), _STRIP):
        planes = crops[start : start + _STRIP].reshape(-1, size)
        own = np.arange(len(planes), dtype=np.intp)[:, None] * 256
        histogram = np.bincount((planes + own).ravel(), minlength=len(planes) * 256).reshape(-1, 256)
        paper = (np.cumsum(histogram, axis=1) > darker).argmax(1)[:, None]
        some = normal[start : start + _STRIP].reshape(-1, size)
        np.divide(planes, np.maximum(paper, PAPER_FLOOR).astype(np.float32), out=some)
        np.minimum(some, np.float32(BRIGHTEST), out=some)
    return normal
