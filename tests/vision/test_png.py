import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.png import read_png, write_png


def random_image(height, width, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def chunk(kind, content):
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def png(width, height, lines, kind=(8, 2, 0, 0, 0)):
    header = struct.pack(">IIBBBBB", width, height, *kind)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 1000))
def test_what_is_written_is_read_back(height, width, seed):
    image = random_image(height, width, seed)
    np.testing.assert_array_equal(read_png(write_png(image)), image)


def test_opencv_reads_what_is_written():
    image = random_image(72, 48)
    read = cv2.imdecode(np.frombuffer(write_png(image), np.uint8), cv2.IMREAD_COLOR_RGB)
    np.testing.assert_array_equal(read, image)


@pytest.mark.parametrize("kind", range(5))
def test_every_filter_is_undone(kind):
    flag = (cv2.IMWRITE_PNG_FILTER, [8, 16, 32, 64, 128][kind])
    image = cv2.GaussianBlur(random_image(31, 23), (0, 0), 2)
    done, data = cv2.imencode(".png", image[:, :, ::-1], flag)
    assert done
    np.testing.assert_array_equal(read_png(data.tobytes()), image)


def test_a_picture_that_is_cut_short_or_changed_is_refused():
    data = write_png(random_image(20, 10))
    for end in range(len(data)):
        with pytest.raises(ValueError, match="PNG"):
            read_png(data[:end])
    for place in range(8, len(data) - 12, 7):
        changed = bytearray(data)
        changed[place] ^= 0x40
        with pytest.raises(ValueError, match="PNG"):
            read_png(bytes(changed))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        png(2, 2, bytes(14), kind=(16, 2, 0, 0, 0)),
        png(2, 2, bytes(14), kind=(8, 6, 0, 0, 0)),
        png(2, 2, bytes(14), kind=(8, 2, 0, 0, 1)),
        png(2, 2, bytes(10)),
        png(2, 1, b"\x09" + bytes(6)),
        png(100_000, 100_000, bytes(10)),
        png(0, 5, bytes(10)),
        b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b""),
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"abc") + chunk(b"IEND", b""),
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", b"no zlib")
        + chunk(b"IEND", b""),
    ],
)
def test_other_pictures_are_refused(data):
    with pytest.raises(ValueError, match=r"PNG"):
        read_png(data)


@pytest.mark.parametrize(
    "image", [np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8)]
)
def test_only_rgb_bytes_are_written(image):
    with pytest.raises(ValueError, match="expected uint8"):
        write_png(image)
