"""What the program does where its input and output are not what one expects."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from suanhu import streams
from tests.suanhu.conftest import Run, is_one_line
from vision.read import Reader
from vision.types import Reading

ROOT = Path(__file__).parents[2]
HAND = "孔乙己 化花三千 七十土 八九子 四五六 (上大人) [可可可可] (三三花三) 五五"
SCORE = ("score", "--rule", "jingzhou", HAND, "--lang", "en")


def shell(command: str, *words: str, **variables: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the program as `"$@"` within a command of the shell."""
    return subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-m", "suanhu", *words],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        check=False,
    )


def test_a_closed_output_is_said_in_one_line() -> None:
    done = shell('"$@" >&-', *SCORE)
    assert done.returncode == 2
    assert done.stderr == b"suanhu: standard output is closed\n"


def test_a_full_disk_is_said_in_one_line() -> None:
    done = shell('"$@" >/dev/full', *SCORE)
    assert done.returncode == 2
    assert done.stderr == b"suanhu: the disk is full\n"


def test_a_closed_error_stream_changes_nothing() -> None:
    done = shell('"$@" 2>&-', *SCORE)
    assert done.returncode == 0
    assert done.stdout.startswith(b"Jingzhou")
    bad = shell('"$@" 2>&-', "score", "--rule", "jingzhou", "x")
    assert (bad.returncode, bad.stdout) == (2, b"")


def test_an_error_that_nobody_reads_keeps_its_status() -> None:
    done = shell('{ "$@" 2>&1; echo $? >&3; } 3>&1 >&2 2>/dev/null | cat', "no-such-command")
    assert done.stdout.split() == [b"2"]


@pytest.mark.parametrize(
    "words",
    [
        ("score", "--rule", "jingzhou", "-"),
        ("waits", "--rule", "jingzhou", "-"),
        ("advise", "--rule", "jingzhou", "-"),
        ("read", "-"),
        ("photo", "-", "--rule", "jingzhou"),
    ],
)
def test_a_closed_input_is_said_in_one_line(words: tuple[str, ...]) -> None:
    done = shell('"$@" <&-', *words, "--lang", "en")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"suanhu: standard input is closed\n"


def test_help_that_nobody_reads_is_no_error() -> None:
    nobody, out = os.pipe()
    os.close(nobody)
    words = [sys.executable, "-m", "suanhu", "score", "--help"]
    done = subprocess.run(words, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, check=False)
    os.close(out)
    assert (done.returncode, done.stderr) == (141, b"")


def test_words_are_read_as_utf_8_in_a_locale_without_it() -> None:
    done = shell('"$@"', *SCORE, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "23 points" in done.stdout.decode("utf-8")


@pytest.mark.parametrize("word", ["plain", "孔乙己", "", "é"])
def test_a_word_that_is_read_right_stays_as_it_is(word: str) -> None:
    assert streams.words([word]) == [word]


def test_bytes_that_are_no_utf_8_stay_as_they_are() -> None:
    assert streams.words(["\udcff\udcfe"]) == ["\udcff\udcfe"]


def picture() -> bytes:
    return cv2.imencode(".png", np.full((600, 800, 3), (90, 120, 60), np.uint8))[1].tobytes()


@pytest.mark.parametrize(("words", "status"), [(("read", "-"), 0), (("photo", "-", "--rule", "jingzhou"), 1)])
def test_a_photo_comes_from_standard_input(
    suanhu: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int
) -> None:
    monkeypatch.setattr(Reader, "read", lambda _, photo, *__, **___: Reading(photo.size, None))
    done = suanhu(*words, "--json", stdin=picture())
    assert done.status == status
    assert done.json["size"] == [800, 600]


@pytest.mark.parametrize("words", [("read", "-"), ("photo", "-", "--rule", "jingzhou")])
@pytest.mark.parametrize("content", [b"", b"no picture", picture()[:200]])
def test_what_is_no_photo_on_standard_input_is_bad_input(
    suanhu: Run, words: tuple[str, ...], content: bytes
) -> None:
    done = suanhu(*words, stdin=content)
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)
