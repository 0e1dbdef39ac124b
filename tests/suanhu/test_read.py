"""`suanhu read` and the photos that no command can read."""

import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.conftest import ROOT
from tests.suanhu.conftest import Run, is_one_line

LAID = ("--laid", "(知知知)(花九九九花九)", "--win", "花三")
SAMPLE = ROOT / "datasets" / "samples" / "hand.jpg"


def encoded(suffix: str, pixels: np.ndarray) -> bytes:
    done, data = cv2.imencode(suffix, pixels)
    assert done
    return data.tobytes()


NOISE = np.random.default_rng(3).integers(0, 256, (300, 400, 3), dtype=np.uint8)
BAD = {
    "empty.jpg": b"",
    "text.jpg": b"this is not a picture\n",
    "zip.png": b"PK\x03\x04" + bytes(100),
    "truncated.jpg": encoded(".jpg", NOISE)[:-2000],
    "header.jpg": encoded(".jpg", NOISE)[:20],
    "truncated.png": encoded(".png", NOISE)[:-2000],
    "black.png": encoded(".png", np.zeros((300, 400, 3), np.uint8)),
    "small.png": encoded(".png", NOISE[:100, :100]),
    "huge.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (40_000).to_bytes(4) * 2 + b"\x08\x02\0\0\0" + bytes(40),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("words", [("read",), ("photo", "--rule", "jingzhou")])
def test_a_file_that_is_no_photo_is_bad_input(
    suanhu: Run, tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    path = tmp_path / name
    path.write_bytes(BAD[name])
    for language in ("en", "zh-Hant", "zh-Hans"):
        done = suanhu(*words, str(path), "--lang", language)
        assert (done.status, done.out) == (2, "")
        assert is_one_line(done.err), done.err


@pytest.mark.parametrize(
    "words",
    [
        ("read",),
        ("read", "none.jpg"),
        ("read", "."),
        ("read", ""),
        ("read", "a\0b.jpg"),
        ("read", str(SAMPLE), "--deck", "none"),
        ("read", str(SAMPLE), "--deck", ""),
        ("read", str(SAMPLE), "--deck", "none/none.deck"),
        ("read", str(SAMPLE), "--deck", str(SAMPLE)),
        ("photo", str(SAMPLE)),
        ("photo", str(SAMPLE), "--rule", "mahjong"),
        ("photo", "none.jpg", "--rule", "jingzhou"),
        ("photo", str(SAMPLE), "--rule", "jingzhou", "--deck", "none"),
        ("photo", str(SAMPLE), "--rule", "jingzhou", "--set", "x=三"),
        ("photo", str(SAMPLE), "--rule", "jingzhou", "--set", "0"),
        ("photo", str(SAMPLE), "--rule", "jingzhou", "--drop", "-1"),
        ("photo", str(SAMPLE), "--rule", "jingzhou", "--stake", "0.5"),
    ],
)
def test_bad_input_is_one_line_and_status_2(suanhu: Run, words: tuple[str, ...]) -> None:
    for language in ("en", "zh-Hant", "zh-Hans"):
        done = suanhu(*words, "--lang", language)
        assert (done.status, done.out) == (2, "")
        assert is_one_line(done.err), done.err


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    if not SAMPLE.is_file():
        pytest.fail("the sample photo does not ship")
    return Path(shutil.copy(SAMPLE, tmp_path))


def test_a_photo_of_cards_has_every_field(suanhu: Run, photo: Path, tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.png"
    done = suanhu("read", str(photo), "--json", "--overlay", str(overlay))
    assert (done.status, done.err) == (0, "")
    reading = done.json
    width, height = reading["size"]
    assert isinstance(reading["deck"], str)
    assert {"decode", "find", "name"} <= set(reading["ms"])
    assert 20 <= len(reading["cards"]) <= 30
    for card in reading["cards"]:
        assert set(card) >= {"card", "outline", "mark", "confidence", "sure", "others", "group"}
        assert len(card["outline"]) == 4
        assert 0 <= card["mark"][0] <= width
        assert 0 <= card["mark"][1] <= height
        assert 0 <= card["confidence"] <= 1
    for doubt in reading["doubts"]:
        assert doubt["why"] in {"covered", "unreadable", "cut off"}
    drawn = cv2.imread(str(overlay))
    assert drawn.shape[1] / drawn.shape[0] == pytest.approx(width / height, abs=0.01)


def test_a_photo_is_read_in_words(suanhu: Run, photo: Path) -> None:
    done = suanhu("read", str(photo))
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("deck ")


def test_a_picture_without_cards_is_no_error(suanhu: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    path.write_bytes(encoded(".png", np.full((600, 800, 3), (60, 90, 120), np.uint8)))
    done = suanhu("read", str(path), "--json")
    assert (done.status, done.err) == (0, "")
    assert (done.json["cards"], done.json["doubts"], done.json["deck"]) == ([], [], None)
    assert "no card" in suanhu("read", str(path)).out
    assert suanhu("photo", str(path), "--rule", "jingzhou").status == 1


def test_a_photo_that_is_damaged_in_part_is_refused_in_one_line(suanhu: Run, tmp_path: Path) -> None:
    data = bytearray(SAMPLE.read_bytes())
    for place in range(len(data) // 2, len(data) // 2 + 296, 37):
        data[place] ^= 0x55
    path = tmp_path / "bent.jpg"
    path.write_bytes(data)
    done = suanhu("read", str(path), "--json")
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)
    assert "damaged" in done.err


def test_what_a_library_says_of_a_photo_is_not_heard(tmp_path: Path) -> None:
    """A profile of another length than it says is no damage; libpng warns of it all the same."""
    photo = encoded(".png", np.full((600, 800, 3), (60, 90, 120), np.uint8))
    profile = b"x\0\0" + zlib.compress(bytes(200))
    chunk = b"iCCP" + profile
    path = tmp_path / "odd.png"
    path.write_bytes(
        photo[:33]
        + struct.pack(">I", len(profile))
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + photo[33:]
    )
    environment = os.environ | {"SUANHU_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "suanhu", "read", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_overlay_that_cannot_be_written_is_bad_input(suanhu: Run, photo: Path, tmp_path: Path) -> None:
    done = suanhu("read", str(photo), "--overlay", str(tmp_path / "none" / "overlay.png"))
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)


def test_the_sample_is_a_hand_that_wins(suanhu: Run, photo: Path) -> None:
    done = suanhu("photo", str(photo), "--rule", "jingzhou", *LAID, "--stake", "10", "--json")
    assert done.err == ""
    played = done.json
    assert done.status == (0 if played["settled"] else 3)
    assert played["wins"] is True
    assert played["steps"] >= 1
    assert played["payments"]
    for group in played["groups"]:
        assert [played["cards"][place]["card"] for place in group["indices"]] == [
            card.partition(">")[0] for card in group["cards"]
        ]


def test_the_sample_is_paid_as_its_label_says_or_the_player_is_asked(suanhu: Run, photo: Path) -> None:
    label = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    words = ("--rule", label["rule"], "--stake", "10", "--json")
    true = suanhu("score", label["hand"], "--win", label["winning"], *words).json
    played = suanhu("photo", str(photo), *words, *LAID).json
    assert played["payments"] == true["payments"] or not played["settled"]
    if not played["settled"]:
        wrong = Counter(card["card"] for card in played["cards"])
        wrong.subtract(card["label"] for card in label["cards"])
        unsure = {card["card"] for card in played["cards"] if not card["sure"]}
        assert {card for card, count in wrong.items() if count > 0} <= unsure
