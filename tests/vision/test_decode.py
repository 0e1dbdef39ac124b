import io
import struct
import subprocess
import sys
import zlib

import cv2
import numpy as np
import pytest

from tests.conftest import ROOT
from vision.decode import ENOUGH, _decode_jpeg, read_header, read_photo, reduction
from vision.errors import LANGS, ImageError


def scene(width=400, height=300):
    """uint8[h, w, 3], RGB: four corners that can be told apart, soft enough for JPEG."""
    image = np.empty((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = (200, 60, 40)
    image[: height // 2, width // 2 :] = (40, 180, 60)
    image[height // 2 :, : width // 2] = (40, 60, 190)
    image[height // 2 :, width // 2 :] = (220, 220, 80)
    return image


def encoded(kind, image, *flags):
    order = {3: [2, 1, 0], 4: [2, 1, 0, 3]}
    if image.ndim == 3:
        image = image[:, :, order[image.shape[2]]]
    done, data = cv2.imencode(kind, np.ascontiguousarray(image), list(flags))
    assert done
    return data.tobytes()


def tiff(orientation, order=">"):
    mark = b"MM" if order == ">" else b"II"
    entry = struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    other = struct.pack(order + "HHII", 0x0100, 4, 1, 7)
    return mark + struct.pack(order + "HIH", 42, 8, 2) + other + entry + bytes(4)


def with_exif(data, exif):
    if data.startswith(b"\xff\xd8"):
        body = b"Exif\0\0" + exif
        return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]
    if data.startswith(b"\x89PNG"):
        chunk = b"eXIf" + exif
        return (
            data[:33]
            + struct.pack(">I", len(exif))
            + chunk
            + struct.pack(">I", zlib.crc32(chunk))
            + data[33:]
        )
    (length,) = struct.unpack_from("<I", data, 4)
    stored = read_header(data)
    width, height = stored.width - 1, stored.height - 1
    extended = (
        b"VP8X" + struct.pack("<IB3x", 10, 8) + width.to_bytes(3, "little") + height.to_bytes(3, "little")
    )
    tail = b"EXIF" + struct.pack("<I", len(exif)) + exif + bytes(len(exif) % 2)
    body = data[8:12] + extended + data[12 : 8 + length] + tail
    return b"RIFF" + struct.pack("<I", len(body)) + body


STORED = {
    1: lambda image: image,
    2: lambda image: image[:, ::-1],
    3: lambda image: image[::-1, ::-1],
    4: lambda image: image[::-1],
    5: lambda image: image.swapaxes(0, 1),
    6: lambda image: np.rot90(image, 1),
    7: lambda image: image[::-1, ::-1].swapaxes(0, 1),
    8: lambda image: np.rot90(image, -1),
}
"""How a camera stores an upright scene under each orientation of EXIF."""


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("order", [">", "<"])
def test_a_jpeg_is_turned_upright_from_bytes_and_from_a_file(orientation, order, tmp_path):
    data = with_exif(encoded(".jpg", STORED[orientation](scene())), tiff(orientation, order))
    (tmp_path / "photo.jpg").write_bytes(data)
    for source in (data, tmp_path / "photo.jpg", str(tmp_path / "photo.jpg")):
        picture = read_photo(source)
        assert picture.size == (400, 300)
        assert np.abs(picture.pixels.astype(int) - scene()).mean() < 4


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_png_is_turned_upright(orientation):
    data = with_exif(encoded(".png", STORED[orientation](scene())), tiff(orientation))
    np.testing.assert_array_equal(read_photo(data).pixels, scene())


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_webp_is_turned_upright(orientation):
    data = with_exif(encoded(".webp", STORED[orientation](scene())), tiff(orientation))
    assert read_header(data).orientation == orientation
    assert np.abs(read_photo(data).pixels.astype(int) - scene()).mean() < 6


@pytest.mark.parametrize("exif", [b"", b"MM", b"XX\0*\0\0\0\x08", tiff(1)[:20], tiff(9), tiff(0)])
def test_damaged_exif_leaves_the_photo_as_it_is(exif):
    assert read_header(with_exif(encoded(".jpg", scene()), exif)).orientation == 1


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_greyscale(kind):
    picture = read_photo(encoded(kind, scene()[:, :, 0]))
    assert picture.pixels.shape == (300, 400, 3)
    assert np.ptp(picture.pixels, axis=2).max() <= 3


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_a_transparent_picture_lies_on_white(kind):
    alpha = np.zeros((300, 400, 1), np.uint8)
    alpha[:150] = 255
    image = np.dstack([scene(), alpha]).astype(kind) * (257 if kind is np.uint16 else 1)
    pixels = read_photo(encoded(".png", image)).pixels
    np.testing.assert_array_equal(pixels[:150], scene()[:150])
    assert (pixels[150:] == 255).all()


def test_a_transparent_webp_lies_on_white():
    image = np.dstack([scene(), np.zeros((300, 400), np.uint8)])
    assert (read_photo(encoded(".webp", image)).pixels == 255).all()


def test_sixteen_bits():
    pixels = read_photo(encoded(".png", scene().astype(np.uint16) * 257)).pixels
    assert pixels.dtype == np.uint8
    np.testing.assert_array_equal(pixels, scene())


def test_cmyk():
    cmyk = ROOT / "tests" / "vision" / "data" / "cmyk.jpg"
    pixels = read_photo(cmyk).pixels
    assert np.abs(pixels[60, 60].astype(int) - (200, 60, 40)).max() < 12
    assert np.abs(pixels[200, 300].astype(int) - (220, 220, 80)).max() < 12


def test_an_animation_is_its_first_picture():
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the animations")
    first = image.fromarray(scene())
    others = [image.fromarray(255 - scene())]
    for kind in ("WEBP", "PNG", "MPO"):
        target = io.BytesIO()
        first.save(target, kind, save_all=True, append_images=others)
        assert np.abs(read_photo(target.getvalue()).pixels.astype(int) - scene()).mean() < 6


@pytest.mark.parametrize("bits", ["P", "1", "L", "LA", "RGBA"])
def test_every_kind_of_png(bits):
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the pictures")
    target = io.BytesIO()
    made = image.fromarray(scene()).convert(bits)
    made.save(target, "PNG")
    expected = np.asarray(made.convert("RGB"))
    assert np.abs(read_photo(target.getvalue()).pixels.astype(int) - expected).mean() < 2


def test_a_lossless_webp():
    np.testing.assert_array_equal(
        read_photo(encoded(".webp", scene(), cv2.IMWRITE_WEBP_QUALITY, 101)).pixels, scene()
    )


def test_a_progressive_jpeg():
    data = encoded(".jpg", scene(), cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    assert np.abs(read_photo(data).pixels.astype(int) - scene()).mean() < 4


@pytest.mark.parametrize(
    ("size", "factor"), [((1440, 1080), 1), ((3000, 4000), 2), ((8000, 6000), 4), ((16000, 6000), 8)]
)
def test_large_photos_are_decoded_smaller(size, factor):
    assert reduction(*size) == factor
    assert max(size) // factor >= min(ENOUGH, max(size))


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_a_large_photo_keeps_its_size_but_not_its_pixels(kind):
    picture = read_photo(encoded(kind, scene(4000, 3000)))
    assert picture.size == (4000, 3000)
    assert picture.pixels.shape == (1500, 2000, 3)
    assert picture.scale == 2
    assert np.abs(picture.pixels.astype(int) - scene(2000, 1500)).mean() < 4


def test_heic_where_the_extra_is_installed(tmp_path):
    heif = pytest.importorskip("pillow_heif", reason="the extra suanhu[heic] is not installed")
    file = heif.from_bytes(mode="RGB", size=(400, 300), data=scene().tobytes())
    file.save(tmp_path / "photo.heic", quality=90)
    picture = read_photo(tmp_path / "photo.heic")
    assert picture.size == (400, 300)
    assert np.abs(picture.pixels.astype(int) - scene()).mean() < 6


@pytest.mark.parametrize("mode", ["L", "RGBA"])
def test_heic_of_other_kinds(mode):
    heif = pytest.importorskip("pillow_heif", reason="the extra suanhu[heic] is not installed")
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the pictures")
    target = io.BytesIO()
    heif.from_pillow(image.fromarray(scene()).convert(mode)).save(target, quality=90)
    assert read_photo(target.getvalue()).pixels.shape == (300, 400, 3)


def test_damaged_heic_is_one_clear_line():
    heif = pytest.importorskip("pillow_heif", reason="the extra suanhu[heic] is not installed")
    target = io.BytesIO()
    heif.from_bytes(mode="RGB", size=(400, 300), data=scene().tobytes()).save(target, quality=50)
    data = target.getvalue()
    for broken in (data[:20], data[: len(data) // 2], data[:40] + bytes(len(data) - 40)):
        with pytest.raises(ImageError) as caught:
            read_photo(broken)
        assert caught.value.code in {"damaged", "truncated"}


@pytest.mark.parametrize("orientation", range(1, 9))
def test_heic_is_turned_upright(orientation):
    heif = pytest.importorskip("pillow_heif", reason="the extra suanhu[heic] is not installed")
    image = pytest.importorskip("PIL.Image", reason="Pillow writes the EXIF")
    target = io.BytesIO()
    made = image.fromarray(np.ascontiguousarray(STORED[orientation](scene())))
    exif = image.Exif()
    exif[0x0112] = orientation
    heif.from_pillow(made).save(target, quality=90, exif=exif.tobytes())
    picture = read_photo(target.getvalue())
    assert picture.size == (400, 300)
    assert np.abs(picture.pixels.astype(int) - scene()).mean() < 6


def test_heic_without_the_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(ImageError, match=r"suanhu\[heic\]"):
        read_photo(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100))


def overwritten(data, other):
    """Give a file the middle of which is other bytes."""
    start = len(data) // 2
    return data[:start] + other + data[start + len(other) :]


JPEG = encoded(".jpg", scene())
PROGRESSIVE = encoded(".jpg", scene(), cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
PNG = encoded(".png", scene())
WEBP = encoded(".webp", scene())
HUGE = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 20_000, 20_000, 8, 2, 0, 0, 0)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"hello", "not_a_picture"),
        (b"GIF89a" + bytes(50), "not_a_picture"),
        (encoded(".bmp", scene()), "not_a_picture"),
        (JPEG[: len(JPEG) // 2], "truncated"),
        (JPEG[:-2], "truncated"),
        (JPEG[:100], "truncated"),
        (JPEG[:3], "truncated"),
        (PNG[: len(PNG) // 2], "truncated"),
        (PNG[:20], "truncated"),
        (PNG[:-12], "truncated"),
        (WEBP[: len(WEBP) // 2], "truncated"),
        (WEBP[:20], "truncated"),
        (JPEG[:2] + b"abcdef" + JPEG[2:], "damaged"),
        (overwritten(JPEG, b"\xff\x29"), "damaged"),
        (overwritten(JPEG, bytes(400)), "damaged"),
        (overwritten(JPEG, bytes(range(250))), "damaged"),
        (overwritten(PROGRESSIVE, bytes(range(250))), "damaged"),
        (PNG[:200] + bytes([PNG[200] ^ 1]) + PNG[201:], "damaged"),
        (HUGE, "too_many_pixels"),
        (encoded(".png", scene(600, 200)), "too_small"),
        (encoded(".jpg", scene(100, 500)), "too_small"),
        (encoded(".jpg", scene() * 0), "black"),
        (encoded(".png", scene() // 20), "black"),
        (b"\xff\xd8\xff\xe0" + bytes(65 << 20), "too_many_bytes"),
    ],
)
def test_what_is_no_good_photo_is_refused_in_one_clear_line(data, code):
    with pytest.raises(ImageError) as caught:
        read_photo(data)
    assert caught.value.code == code
    lines = {caught.value.text(lang) for lang in LANGS}
    assert len(lines) >= 2
    assert not any("\n" in line for line in lines)


def test_a_jpeg_that_is_filled_up_with_noughts_is_read():
    filled = JPEG[:-2] + bytes(30) + JPEG[-2:]
    assert np.array_equal(read_photo(filled).pixels, read_photo(JPEG).pixels)


@pytest.mark.parametrize("factor", [1, 2, 4, 8])
def test_a_jpeg_is_decoded_as_opencv_does(factor):
    flags = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }
    data = encoded(".jpg", scene(403, 301))
    known = cv2.imdecode(np.frombuffer(data, np.uint8), flags[factor])[..., ::-1]
    assert np.array_equal(_decode_jpeg(data, -(-403 // factor), -(-301 // factor)), known)


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.jpg"
    with path.open("wb") as file:
        file.truncate(65 << 20)
    with pytest.raises(ImageError, match="too large: 65 MB"):
        read_photo(path)


@pytest.mark.parametrize("path", ["/nowhere/photo.jpg", "photo\0.jpg"])
def test_a_missing_file(path):
    with pytest.raises(ImageError, match=r"no such file|cannot be opened"):
        read_photo(path)


def test_a_file_without_an_end_is_not_read_for_ever():
    with pytest.raises(ImageError, match="too large: 64 MB, at most 64 MB"):
        read_photo("/dev/zero")


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_bytes_of_every_type_are_read(kind):
    assert read_photo(kind(JPEG)).size == (400, 300)


def test_a_folder_is_no_photo(tmp_path):
    with pytest.raises(ImageError, match="cannot be opened"):
        read_photo(tmp_path)


def test_random_damage_is_an_error_or_a_picture_but_never_a_crash():
    rng = np.random.default_rng(0)
    for data in (JPEG, PNG, WEBP):
        for _ in range(40):
            broken = bytearray(data)
            for place in rng.integers(0, len(data), 3):
                broken[place] = rng.integers(0, 256)
            try:
                picture = read_photo(bytes(broken))
            except ImageError:
                continue
            assert picture.pixels.shape[2] == 3


MEMORY = """
import sys, resource, threading, time
from vision.decode import read_photo
import cv2, numpy as np
read_photo(sys.argv[1])
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
idle = peak()
picture = read_photo(sys.argv[2])
print((peak() - idle) // 1024, picture.size)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "flags"), [(".jpg", ()), (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)), (".png", ())]
)
def test_48_megapixels_take_at_most_500_megabytes(kind, flags, tmp_path):
    (tmp_path / "small.jpg").write_bytes(JPEG)
    large = tmp_path / f"large{kind}"
    large.write_bytes(encoded(kind, scene(8000, 6000), *flags))
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, tmp_path / "small.jpg", large],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    used, _, size = done.stdout.partition(" ")
    assert size.strip() == "(8000, 6000)"
    assert int(used) < 500
