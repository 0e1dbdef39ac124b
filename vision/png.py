"""The smallest PNG codec that a deck file needs: 8 bit RGB, standard library and numpy.

The phone has neither OpenCV nor Pillow.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_NONE, _SUB, _UP, _AVERAGE, _PAETH = range(5)
_MOST_PIXELS = 1 << 20


def write_png(image: NDArray[np.uint8]) -> bytes:
    """Write a picture.

    Args:
        image: uint8[h, w, 3], RGB.

    Returns:
        A PNG file.

    Raises:
        ValueError: the array has another shape or type.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        msg = f"expected uint8[h, w, 3], got {image.dtype}{list(image.shape)}"
        raise ValueError(msg)
    height, width = image.shape[:2]
    rows = image.reshape(height, -1)
    lines = np.empty((height, width * 3 + 1), np.uint8)
    lines[:, 0] = _UP
    lines[0, 1:] = rows[0]
    lines[1:, 1:] = rows[1:] - rows[:-1]
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        _SIGNATURE
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + _chunk(b"IEND", b"")
    )


def read_png(data: bytes) -> NDArray[np.uint8]:
    """Read a picture.

    Args:
        data: a PNG file of 8 bit RGB, not interlaced, of at most a megapixel.

    Returns:
        uint8[h, w, 3], RGB.

    Raises:
        ValueError: it is damaged or of another kind.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError("not a PNG")
    place, size, packed = len(_SIGNATURE), None, bytearray()
    while True:
        if place + 12 > len(data):
            raise ValueError("the PNG is incomplete")
        (length,) = struct.unpack_from(">I", data, place)
        body = data[place + 4 : place + 8 + length]
        check = data[place + 8 + length : place + 12 + length]
        if len(check) < 4 or zlib.crc32(body) != struct.unpack(">I", check)[0]:
            raise ValueError("the PNG is damaged")
        kind, content = body[:4], body[4:]
        if kind == b"IHDR":
            size = _size(content)
        elif kind == b"IDAT":
            packed += content
        elif kind == b"IEND":
            break
        place += 12 + length
    if size is None:
        raise ValueError("the PNG has no header")
    width, height = size
    return _unfilter(_unpack(bytes(packed), height * (width * 3 + 1)), width, height)


def _chunk(kind: bytes, content: bytes) -> bytes:
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def _size(header: bytes) -> tuple[int, int]:
    if len(header) != 13:
        raise ValueError("the PNG is damaged")
    width, height, *kind = struct.unpack(">IIBBBBB", header)
    if kind != [8, 2, 0, 0, 0]:
        raise ValueError("only PNG of 8 bit RGB is read")
    if not 0 < width * height <= _MOST_PIXELS:
        raise ValueError("the PNG is too large")
    return width, height


def _unpack(packed: bytes, length: int) -> NDArray[np.uint8]:
    unpacker = zlib.decompressobj()
    try:
        plain = unpacker.decompress(packed, length)
    except zlib.error as error:
        raise ValueError("the PNG is damaged") from error
    if len(plain) != length:
        raise ValueError("the PNG is incomplete")
    return np.frombuffer(plain, np.uint8)


def _unfilter(plain: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    lines = plain.reshape(height, width * 3 + 1)
    if (lines[:, 0] == _UP).all():
        return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 3)
    image = np.zeros((height + 1, width + 1, 3), np.uint8)
    for row in range(height):
        line = lines[row, 1:].reshape(width, 3)
        above, target = image[row, 1:], image[row + 1, 1:]
        match int(lines[row, 0]):
            case 0:
                target[:] = line
            case 1:
                target[:] = np.cumsum(line, axis=0, dtype=np.uint8)
            case 2:
                target[:] = line + above
            case 3 | 4 as how:
                _from_left(line, image[row], image[row + 1], average=how == _AVERAGE)
            case _:
                raise ValueError("the PNG is damaged")
    return np.ascontiguousarray(image[1:, 1:])


def _from_left(
    line: NDArray[np.uint8], above: NDArray[np.uint8], target: NDArray[np.uint8], *, average: bool
) -> None:
    """Undo the two filters that depend on the pixel to the left; ``target`` is filled."""
    for column in range(1, len(target)):
        for channel in range(3):
            left, up = int(target[column - 1, channel]), int(above[column, channel])
            if average:
                guess = (left + up) // 2
            else:
                corner = int(above[column - 1, channel])
                whole = left + up - corner
                guess = min(
                    (abs(whole - left), 0, left), (abs(whole - up), 1, up), (abs(whole - corner), 2, corner)
                )[2]
            target[column, channel] = (int(line[column - 1, channel]) + guess) & 255
