"""What goes onto the phone: only what it can load, and all that it needs."""

import configparser
import os
import subprocess
import sys

import numpy as np
import pytest

from mobile_app.packaging import stage
from tests import PROGRAM_S
from tests.conftest import ROOT, need
from tests.mobile_app import hands
from tests.vision.synthetic import PixelNamer

SPEC = ROOT / "buildozer.spec"


@pytest.fixture(scope="module")
def models():
    if not (ROOT / "models" / "finder.onnx").exists():
        pytest.skip("models/finder.onnx is not there yet")


@pytest.fixture(scope="module")
def staged(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stage") / "android"
    files = stage.stage(folder)
    return folder, files


@pytest.fixture
def spec():
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(SPEC, encoding="utf-8")
    return parser["app"]


def test_the_phone_loads_the_standard_library_kivy_numpy_and_its_bridge_alone():
    modules = stage.reached()
    assert "vision.read" in modules
    assert "mobile_app.android.inference" in modules
    assert not any("training" in name or "packaging" in name for name in modules)
    for name in ("vision.decode", "vision.draw", "table.paint", "mobile_app.desktop", "mobile_app.command"):
        assert name not in modules


@pytest.mark.parametrize("line", ["import cv2", "from PIL import Image", "def f():\n    import onnxruntime"])
def test_a_module_that_the_phone_cannot_load_is_found(tmp_path, line):
    (tmp_path / "mobile_app").mkdir()
    (tmp_path / "mobile_app" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "mobile_app" / "odd.py").write_text(line + "\n", encoding="utf-8")
    (tmp_path / "main.py").write_text("from mobile_app import odd\n", encoding="utf-8")
    with pytest.raises(stage.StageError, match="the phone does not have"):
        stage.reached(tmp_path)


def test_every_kind_of_staged_file_is_in_the_package(staged, spec):
    _, files = staged
    endings = set(spec["source.include_exts"].split(","))
    patterns = spec["source.include_patterns"].split(",")
    assert {file.suffix.lstrip(".") for file in files if str(file) not in patterns} <= endings
    assert {"py", "toml", "sql", "json", "onnx", "deck", "otf", "png"} <= endings


def test_icon_splash_font_models_and_decks_are_staged(staged, spec):
    folder, files = staged
    names = {str(file) for file in files}
    for key in ("icon.filename", "presplash.filename"):
        assert spec[key].removeprefix("%(source.dir)s/") in names
    models = {f"vision/_data/models/{path.name}" for path in (ROOT / "models").glob("*.onnx")}
    assert {"main.py", "mobile_app/assets/suanhu.otf", *models} <= names
    assert sum(name.endswith(".deck") for name in names) == len(
        list((ROOT / "datasets/decks").glob("*.deck"))
    )
    assert sum((folder / file).stat().st_size for file in files) < 40_000_000


def test_the_phone_asks_for_no_permission(spec):
    assert spec["android.permissions"].strip() == ""
    assert spec["android.archs"] == "arm64-v8a"
    assert int(spec["android.api"]) == 35
    assert int(spec["android.minapi"]) == 24
    assert "onnxruntime-android" in spec["android.gradle_dependencies"]
    assert spec["source.dir"] == "build/android"


def test_the_staged_folder_alone_goes_from_photo_to_ledger(staged, tmp_path):
    folder, _ = staged
    archive = tmp_path / "hand.npz"
    deck = np.frombuffer(hands.deck().to_bytes(), np.uint8)
    np.savez(archive, photo=hands.photo(), found=hands.known(), deck=deck, basis=PixelNamer().basis)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "mobile_app" / "staged.py"), str(folder), str(archive)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "staged" in done.stdout


@pytest.mark.system
def test_buildozer_accepts_the_spec(staged, tmp_path):
    need(package="the app lock: make test-system", modules=("buildozer",))
    code = (
        "from buildozer import Buildozer; "
        f"b = Buildozer({str(tmp_path / 'buildozer.spec')!r}); b.set_target('android'); "
        "b.target.check_configuration_tokens(); print('accepted')"
    )
    (tmp_path / "buildozer.spec").write_text(SPEC.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "android").symlink_to(staged[0])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )
    assert "accepted" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.system
def test_python_for_android_has_a_recipe_for_every_requirement(spec, tmp_path):
    need(package="the app lock: make test-system", modules=("pythonforandroid",))
    code = (
        "from pythonforandroid.graph import get_recipe_order_and_bootstrap\n"
        "from pythonforandroid.bootstrap import Bootstrap\n"
        "from pythonforandroid.build import Context\n"
        "context = Context()\n"
        f"names = {[name.partition('==')[0] for name in spec['requirements'].split(',')]!r}\n"
        "order, modules, bootstrap = get_recipe_order_and_bootstrap(context, names, "
        f"Bootstrap.get_bootstrap({spec['p4a.bootstrap']!r}, context))\n"
        "print('order', *order); print('modules', *modules); print('bootstrap', bootstrap.name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = dict(
        line.partition(" ")[::2] for line in done.stdout.splitlines() if " " in line or line == "modules"
    )
    assert {"python3", "hostpython3", "kivy", "numpy", "pyjnius", "android", "sdl2"} <= set(
        lines["order"].split()
    )
    assert lines["bootstrap"] == "sdl2"
