"""The app in a real Kivy window without a screen: passes by touches, on three sizes, in each language."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import PROGRAM_S
from tests.conftest import ROOT, need

pytestmark = pytest.mark.system

SIZES = {"small": "360x640", "large": "412x915", "tablet": "800x1280"}


def run(code, tmp_path, **more):
    need(package="libegl1 libgl1", modules=("kivy",))
    environment = {
        **os.environ,
        "KIVY_HOME": str(tmp_path / "kivy"),
        "SUANHU_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
        "TZ": "CST-8",
        **more,
    }
    (tmp_path / "kivy").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize(
    ("size", "lang"), [("small", "zh-Hant"), ("large", "zh-Hans"), ("tablet", "en"), ("small", "en")]
)
def test_from_the_sample_photo_to_the_ledger_by_touches(size, lang, tmp_path):
    shots = Path(os.environ.get("SUANHU_SHOTS", tmp_path / "shots")) / f"{size}-{lang}"
    code = f"from tests.mobile_app.passes import whole; whole({lang!r}, {str(shots)!r})"
    out = run(code, tmp_path, SUANHU_WINDOW=SIZES[size])
    assert "confirmed" in out


@pytest.mark.parametrize("lang", ["zh-Hans", "en"])
def test_learning_decks_and_settings_by_touches(lang, tmp_path):
    shots = Path(os.environ.get("SUANHU_SHOTS", tmp_path / "shots")) / f"more-{lang}"
    run(f"from tests.mobile_app.passes import more; more({lang!r}, {str(shots)!r})", tmp_path)


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "en"])
def test_a_poor_photo_is_said_to_be_one_before_it_is_read(lang, tmp_path):
    shots = Path(os.environ.get("SUANHU_SHOTS", tmp_path / "shots")) / f"poor-{lang}"
    assert "said" in run(
        f"from tests.mobile_app.passes import poor; poor({lang!r}, {str(shots)!r})", tmp_path
    )


@pytest.mark.parametrize(("size", "lang"), [("small", "en"), ("large", "zh-Hant")])
def test_the_pages_of_every_rule_fit(size, lang, tmp_path):
    shots = Path(os.environ.get("SUANHU_SHOTS", tmp_path / "shots")) / f"rules-{size}-{lang}"
    code = f"from tests.mobile_app.passes import rules; rules({lang!r}, {str(shots)!r})"
    assert "fits" in run(code, tmp_path, SUANHU_WINDOW=SIZES[size])


def test_the_window_lives_while_a_photo_is_read_and_reading_can_be_stopped(tmp_path):
    assert "stopped" in run("from tests.mobile_app.passes import stopped; stopped()", tmp_path)


def test_faults_stay_until_they_were_read_and_no_page_waits_for_the_decks(tmp_path):
    assert "told" in run("from tests.mobile_app.passes import told; told()", tmp_path)


def cost(what, tmp_path):
    """Give seconds of processor time and megabytes."""
    out = run(f"from tests.mobile_app.start import {what}; {what}()", tmp_path)
    return [float(number) for number in out.split("cost")[1].split()[:2]]


def test_the_first_page_costs_little_more_than_a_window_of_kivy(tmp_path):
    word = cost("one_word", tmp_path)
    page = cost("first_page", tmp_path)
    assert page[0] < 5 * word[0]
    assert page[1] < word[1] + 120
