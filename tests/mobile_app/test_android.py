"""What the phone asks of Android, against stand-ins of its classes in a real JVM."""

import os
import subprocess
import sys

import pytest

from tests import PROGRAM_S
from tests.conftest import ROOT, need

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    need("javac", "java", package="default-jdk-headless", modules=("jnius",))
    target = tmp_path_factory.mktemp("classes")
    sources = sorted(map(str, (ROOT / "tests" / "mobile_app" / "java").rglob("*.java")))
    subprocess.run(["javac", "-encoding", "UTF-8", "-d", str(target), *sources], check=True)
    return target


@pytest.mark.parametrize("what", ["inference", "photos", "camera_and_files", "voices"])
def test_the_phone_asks_android_rightly(what, classes):
    done = subprocess.run(
        [sys.executable, "-m", "tests.mobile_app.jvm", what],
        cwd=ROOT,
        env={**os.environ, "SUANHU_CLASSES": str(classes), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "held" in done.stdout
