"""The app in a window of an X server, with real clicks: from a sample photo to the ledger."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import PROGRAM_S
from tests.conftest import ROOT, need

pytestmark = pytest.mark.system


@pytest.mark.parametrize(
    ("lang", "width", "height"),
    [("zh-Hant", 360, 640), ("zh-Hans", 412, 915), ("en", 360, 640), ("zh-Hant", 800, 1280)],
)
def test_from_a_sample_photo_to_the_ledger_by_clicks(lang, width, height, tmp_path):
    need(
        "xvfb-run",
        "xauth",
        "xdotool",
        package="xvfb xauth xdotool libmtdev1 libegl1 libgl1",
        modules=("kivy", "onnxruntime"),
    )
    pictures = tmp_path / "Pictures"
    pictures.mkdir()
    shutil.copyfile(ROOT / "datasets" / "samples" / "hand.jpg", pictures / "hand.jpg")
    shots = Path(os.environ.get("SUANHU_SHOTS", ROOT / "out" / "shots")) / f"clicks-{lang}-{width}x{height}"
    shutil.rmtree(shots, ignore_errors=True)
    environment = {name: value for name, value in os.environ.items() if name != "SDL_VIDEODRIVER"}
    environment |= {
        "HOME": str(tmp_path),
        "SUANHU_HOME": str(tmp_path / "home"),
        "KIVY_HOME": str(tmp_path / "kivy"),
        "PYTHONPATH": str(ROOT),
    }
    walk = [sys.executable, "-m", "tests.mobile_app.clicks", lang, str(width), str(height), str(shots)]
    done = subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1800x2000x24", *walk],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "confirmed" in done.stdout
    assert len(list(shots.glob("*.png"))) > 15
