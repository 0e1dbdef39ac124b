"""Photos decoded and turned upright by Android's own classes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from jnius import autoclass

from vision.errors import ImageError
from vision.read import Picture

BitmapFactory = autoclass("android.graphics.BitmapFactory")
Options = autoclass("android.graphics.BitmapFactory$Options")
Bitmap = autoclass("android.graphics.Bitmap")
Matrix = autoclass("android.graphics.Matrix")
ExifInterface = autoclass("android.media.ExifInterface")
ByteArrayInputStream = autoclass("java.io.ByteArrayInputStream")
ByteBuffer = autoclass("java.nio.ByteBuffer")

MOST_MEGAPIXELS: Final = 100
MOST_MEGABYTES: Final = 64
LEAST_SIDE: Final = 240
ENOUGH: Final = 1900
"""A photo is decoded smaller as long as its long side keeps this many pixels, as on a desktop."""

BLACK: Final = 16

_TURN: Final = {
    1: (0, False),
    2: (0, True),
    3: (180, False),
    4: (180, True),
    5: (90, True),
    6: (90, False),
    7: (270, True),
    8: (270, False),
}
"""EXIF orientation to the clockwise turn in degrees, and whether the picture is mirrored after it."""


def decode(source: Path | bytes) -> Picture:
    """Decode a photo and turn it upright.

    Args:
        source: a file, or the bytes of one.

    Returns:
        The picture, decoded smaller where it is large.

    Raises:
        ImageError: it is no photo, too large, too small, or all black.
    """
    begun = time.perf_counter()
    data = _bytes(source)
    header = Options()
    header.inJustDecodeBounds = True
    BitmapFactory.decodeByteArray(data, 0, len(data), header)
    width, height = header.outWidth, header.outHeight
    if width <= 0 or height <= 0:
        raise ImageError("not_a_picture")
    if width * height > MOST_MEGAPIXELS * 1_000_000:
        raise ImageError("too_many_pixels", width=width, height=height, limit=MOST_MEGAPIXELS)
    if min(width, height) < LEAST_SIDE:
        raise ImageError("too_small", width=width, height=height, limit=LEAST_SIDE)
    options = Options()
    options.inSampleSize = sample_size(max(width, height))
    bitmap = BitmapFactory.decodeByteArray(data, 0, len(data), options)
    if bitmap is None:
        raise ImageError("damaged")
    orientation = _orientation(data)
    pixels = _pixels(_turned(bitmap, orientation))
    if int(pixels.max()) <= BLACK:
        raise ImageError("black")
    if orientation >= 5:
        width, height = height, width
    return Picture(pixels, (width, height), (time.perf_counter() - begun) * 1000)


def sample_size(long_side: int) -> int:
    """Say how much smaller a photo is decoded.

    Args:
        long_side: of the photo in pixels.

    Returns:
        A power of two that leaves at least `ENOUGH` pixels.
    """
    size = 1
    while long_side // (2 * size) >= ENOUGH:
        size *= 2
    return size


def _bytes(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        data = source
    else:
        try:
            data = source.read_bytes()
        except OSError as error:
            raise ImageError("unreadable", path=source.name) from error
    if not data:
        raise ImageError("empty")
    if len(data) > MOST_MEGABYTES << 20:
        raise ImageError("too_many_bytes", size=len(data) >> 20, limit=MOST_MEGABYTES)
    return data


def _orientation(data: bytes) -> int:
    try:
        exif = ExifInterface(ByteArrayInputStream(data))
        orientation = int(exif.getAttributeInt("Orientation", 1))
    except Exception:  # noqa: BLE001 - a photo without EXIF lies as it is stored
        return 1
    return orientation if orientation in _TURN else 1


def _turned(bitmap: Any, orientation: int) -> Any:
    degrees, mirrored = _TURN[orientation]
    if not degrees and not mirrored:
        return bitmap
    matrix = Matrix()
    if degrees:
        matrix.postRotate(float(degrees))
    if mirrored:
        matrix.postScale(-1.0, 1.0)
    return Bitmap.createBitmap(bitmap, 0, 0, bitmap.getWidth(), bitmap.getHeight(), matrix, True)  # noqa: FBT003 - Android's method


def _pixels(bitmap: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Take the pixels of a bitmap, whose rows may be padded: bytes R, G, B, A."""
    width, height = bitmap.getWidth(), bitmap.getHeight()
    row = bitmap.getRowBytes()
    buffer = ByteBuffer.allocate(row * height)
    bitmap.copyPixelsToBuffer(buffer)
    data = np.frombuffer(bytes(buffer.array().tostring()), np.uint8).reshape(height, row)
    pixels = data[:, : 4 * width].reshape(height, width, 4)
    return np.ascontiguousarray(pixels[:, :, :3])
