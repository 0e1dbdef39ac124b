"""Photo files to upright pixels, with libjpeg-turbo and OpenCV.

The header is read first: what is too large, too small, cut short or no picture
is refused before anything is decoded. The phone does this with its own decoder.
"""

from __future__ import annotations

import os
import re
import struct
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from vision.errors import ImageError
from vision.read import Picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MOST_MEGAPIXELS = 100
MOST_MEGABYTES = 64
LEAST_SIDE = 240

ENOUGH = 1900
"""A photo is decoded smaller as long as its long side keeps this many pixels."""

BLACK = 16
"""A photo without a brighter pixel than this, of 255, is all black."""

_FILLED = re.compile(rb"\0{2,}(?=\xff\xd9)")
"""Noughts before the end of a JPEG, by which some cameras fill it up."""

_EXIF_ORIENTATION = 0x0112
_STRIP = 256

Format = Literal["jpeg", "png", "webp", "heic"]


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself before it is decoded."""

    format: Format
    width: int
    height: int
    """Before turning."""

    orientation: int = 1
    """EXIF, 1 to 8."""

    alpha: bool = False

    whole: bool = True
    """Whether the end of the file is there."""


def read_photo(source: Path | str | bytes | bytearray | memoryview) -> Picture:
    """Read a photo, turn it upright, and reduce it where it is large.

    Args:
        source: a file, or the bytes of one: JPEG, PNG, WebP, or HEIC where
            pillow-heif is installed.

    Returns:
        The picture; its size is that of the whole upright photo.

    Raises:
        ImageError: it is not a readable picture, too large, too small, or black.
    """
    begun = time.perf_counter()
    data = _file_bytes(Path(source)) if isinstance(source, Path | str) else bytes(source)
    if not data:
        raise ImageError("empty")
    if len(data) > MOST_MEGABYTES << 20:
        raise ImageError("too_many_bytes", size=len(data) >> 20, limit=MOST_MEGABYTES)
    header = read_header(data)
    _check_size(header)
    if not header.whole:
        raise ImageError("truncated")
    pixels = _decode_heic(data) if header.format == "heic" else _decode(data, header)
    upright = _turn(pixels, header.orientation)
    size = (header.width, header.height)
    if header.orientation >= 5:
        size = (header.height, header.width)
    if header.format == "heic":
        size = _heic_size(header, upright)
    if int(upright.max(initial=0)) <= BLACK:
        raise ImageError("black")
    return Picture(upright, size, (time.perf_counter() - begun) * 1000)


def _file_bytes(path: Path) -> bytes:
    limit = MOST_MEGABYTES << 20
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(limit + 1) if size <= limit else b""
    except FileNotFoundError as error:
        raise ImageError("missing", path=path) from error
    except (OSError, ValueError) as error:
        raise ImageError("unreadable", path=path) from error
    if max(size, len(data)) > limit:
        raise ImageError("too_many_bytes", size=max(size, len(data)) >> 20, limit=MOST_MEGABYTES)
    return data


def _check_size(header: Header) -> None:
    width, height = header.width, header.height
    if width * height > MOST_MEGAPIXELS * 1_000_000:
        raise ImageError("too_many_pixels", width=width, height=height, limit=MOST_MEGAPIXELS)
    if min(width, height) < LEAST_SIDE:
        raise ImageError("too_small", width=width, height=height, limit=LEAST_SIDE)


def read_header(data: bytes) -> Header:
    """Read what a picture file says of itself.

    Args:
        data: the bytes of a file.

    Returns:
        Its format, size and orientation.

    Raises:
        ImageError: it is no picture of a known format, or its header is cut short.
    """
    try:
        if data.startswith(b"\xff\xd8"):
            return _jpeg_header(data)
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _png_header(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_header(data)
        if data[4:8] == b"ftyp" and data[8:12] in {
            b"heic",
            b"heix",
            b"heim",
            b"heis",
            b"mif1",
            b"msf1",
            b"hevc",
        }:
            return _heic_header(data)
    except (struct.error, IndexError) as error:
        raise ImageError("truncated") from error
    raise ImageError("not_a_picture")


def _jpeg_header(data: bytes) -> Header:
    place, size, orientation = 2, None, 1
    while True:
        if place + 4 > len(data):
            raise ImageError("truncated")
        if data[place] != 0xFF:
            raise ImageError("damaged")
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:
            place += 2
            continue
        (length,) = struct.unpack_from(">H", data, place + 2)
        body = data[place + 4 : place + 2 + length]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack_from(">HH", body, 1)
            size = (width, height)
        elif marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _orientation(body[6:])
        elif marker == 0xDA:
            break
        place += 2 + length
    if size is None:
        raise ImageError("damaged")
    return Header("jpeg", *size, orientation=orientation, whole=data.rfind(b"\xff\xd9", place) >= 0)


def _png_header(data: bytes) -> Header:
    width, height, depth, colour = struct.unpack_from(">IIBB", data, 16)
    if data[12:16] != b"IHDR" or depth not in {1, 2, 4, 8, 16}:
        raise ImageError("damaged")
    orientation, alpha, whole = 1, colour in {4, 6}, False
    for kind, start, length in _chunks(data, 8, ">I4s", trailer=4):
        check = data[start + length : start + length + 4]
        if len(check) == 4 and zlib.crc32(memoryview(data)[start - 4 : start + length]) != int.from_bytes(
            check
        ):
            raise ImageError("damaged")
        if kind == b"eXIf":
            orientation = _orientation(data[start : start + length])
        elif kind == b"tRNS":
            alpha = True
        elif kind == b"IEND":
            whole = True
            break
    return Header("png", width, height, orientation, alpha=alpha, whole=whole)


def _webp_header(data: bytes) -> Header:
    (length,) = struct.unpack_from("<I", data, 4)
    whole = len(data) >= length + 8
    width = height = 0
    orientation, alpha = 1, False
    for kind, start, size in _chunks(data, 12, "<4sI"):
        if kind == b"VP8X":
            alpha = bool(data[start] & 0x10)
            width = int.from_bytes(data[start + 4 : start + 7], "little") + 1
            height = int.from_bytes(data[start + 7 : start + 10], "little") + 1
        elif kind == b"VP8 " and not width:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, start + 6))
        elif kind == b"VP8L" and not width:
            (bits,) = struct.unpack_from("<I", data, start + 1)
            width, height, alpha = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1)
        elif kind == b"EXIF":
            orientation = _orientation(data[start : start + size].removeprefix(b"Exif\0\0"))
    if not width or not height:
        raise ImageError("damaged" if whole else "truncated")
    return Header("webp", width, height, orientation, alpha=alpha, whole=whole)


def _chunks(data: bytes, place: int, form: str, *, trailer: int = 0) -> Iterator[tuple[bytes, int, int]]:
    """Walk the chunks of a PNG or a WebP: kind, where the content starts, its length."""
    while place + 8 <= len(data):
        kind, length = struct.unpack_from(form, data, place)
        if form.startswith(">"):
            kind, length = length, kind
        if place + 8 + length + trailer > len(data) and kind != b"IDAT":
            return
        yield kind, place + 8, length
        place += 8 + length + trailer + (length % 2 if not trailer else 0)


def _orientation(tiff: bytes) -> int:
    """Find the orientation in EXIF data; 1 where there is none or it is damaged."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, start)
        for entry in range(count):
            tag, kind = struct.unpack_from(order + "HH", tiff, start + 2 + 12 * entry)
            if tag == _EXIF_ORIENTATION:
                (value,) = struct.unpack_from(
                    order + ("H" if kind == 3 else "I"), tiff, start + 10 + 12 * entry
                )
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1


def reduction(width: int, height: int) -> int:
    """Choose by how much a photo is reduced when it is decoded.

    Args:
        width: of the whole photo.
        height: of the whole photo.

    Returns:
        1, 2, 4 or 8.
    """
    for factor in (8, 4, 2):
        if max(width, height) // factor >= ENOUGH:
            return factor
    return 1


def _decode(data: bytes, header: Header) -> NDArray[np.uint8]:
    """Decode a JPEG, PNG or WebP, not yet turned.

    Args:
        data: the file.
        header: what it says of itself.

    Returns:
        uint8[h, w, 3], RGB.

    Raises:
        ImageError: it is damaged.
    """
    import cv2

    factor = reduction(header.width, header.height)
    if header.format == "jpeg":
        return _decode_jpeg(data, -(-header.width // factor), -(-header.height // factor))
    flags = cv2.IMREAD_UNCHANGED if header.alpha else cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    pixels = _imdecode(data, flags)
    if header.alpha:
        pixels = _on_white(pixels)
    if factor > 1:
        pixels = cv2.resize(
            pixels, (pixels.shape[1] // factor, pixels.shape[0] // factor), interpolation=cv2.INTER_AREA
        )
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB, dst=pixels), np.uint8)


def _decode_jpeg(data: bytes, width: int, height: int) -> NDArray[np.uint8]:
    """Decode a JPEG at no less than a size; OpenCV would pass over what is damaged, and is slower.

    Args:
        data: the file.
        width: an eighth, a quarter, a half or the whole of its own.
        height: so, too.

    Returns:
        uint8[h, w, 3], RGB.

    Raises:
        ImageError: it is damaged.
    """
    import simplejpeg

    def decoded(file: bytes) -> NDArray[np.uint8]:
        pixels = simplejpeg.decode_jpeg(file, "RGB", min_height=height, min_width=width, strict=True)
        return np.asarray(pixels, np.uint8)

    try:
        try:
            return decoded(data)
        except ValueError:
            filled = _FILLED.sub(b"", data)
            if len(filled) == len(data):
                raise
            return decoded(filled)
    except ValueError as error:
        raise ImageError("damaged") from error


def _imdecode(data: bytes, flags: int) -> NDArray[Any]:
    import cv2

    logging = cv2.utils.logging
    level = logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        raise ImageError("damaged") from error
    finally:
        logging.setLogLevel(level)
    if pixels is None:
        raise ImageError("damaged")
    return pixels


def _on_white(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    """Lay a transparent picture on white, strip by strip.

    Args:
        pixels: uint8 or uint16, grey, grey with alpha, BGR or BGRA.

    Returns:
        uint8[h, w, 3], BGR.
    """
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    height, width, channels = pixels.shape
    result = np.empty((height, width, 3), np.uint8)
    full = np.float32(np.iinfo(pixels.dtype).max)
    for top in range(0, height, _STRIP):
        strip = pixels[top : top + _STRIP].astype(np.float32)
        colour = strip[:, :, : 3 if channels >= 3 else 1]
        if channels in {2, 4}:
            share = strip[:, :, -1:] / full
            colour = colour * share + full * (1 - share)
        result[top : top + _STRIP] = colour * (255 / full) + 0.5
    return result


def _turn(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Turn a picture upright as EXIF asks.

    Args:
        pixels: uint8[h, w, 3].
        orientation: 1 to 8.

    Returns:
        The upright picture, contiguous.
    """
    turned = pixels.swapaxes(0, 1) if orientation >= 5 else pixels
    if orientation in {2, 3, 6, 7}:
        turned = turned[:, ::-1]
    if orientation in {3, 4, 7, 8}:
        turned = turned[::-1]
    return np.ascontiguousarray(turned)


def _heic_header(data: bytes) -> Header:
    file = _open_heic(data)
    width, height = file.size
    return Header("heic", int(width), int(height))


def _open_heic(data: bytes) -> Any:
    try:
        import pillow_heif
    except ImportError as error:
        raise ImageError("heic") from error
    try:
        return pillow_heif.open_heif(data, convert_hdr_to_8bit=True)
    except Exception as error:
        raise ImageError("damaged") from error


def _decode_heic(data: bytes) -> NDArray[np.uint8]:
    """Decode a HEIC; libheif turns it upright itself."""
    import cv2

    file = _open_heic(data)
    try:
        pixels = np.asarray(file, np.uint8)
    except Exception as error:
        raise ImageError("damaged") from error
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, None], 3, axis=2)
    if pixels.shape[2] == 4:
        pixels = _on_white(pixels)
    pixels = pixels[:, :, :3]
    factor = reduction(pixels.shape[1], pixels.shape[0])
    if factor > 1:
        size = (pixels.shape[1] // factor, pixels.shape[0] // factor)
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.ascontiguousarray(pixels)


def _heic_size(header: Header, upright: NDArray[np.uint8]) -> tuple[int, int]:
    """Give the size of the upright photo, whichever way the header counts."""
    wide = upright.shape[1] >= upright.shape[0]
    long, short = max(header.width, header.height), min(header.width, header.height)
    return (long, short) if wide else (short, long)
