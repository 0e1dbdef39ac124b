"""The wheel, in an environment of its own, run from another folder."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

LAID = ("--laid", "(知知知)(花九九九花九)", "--win", "花三")
HAND = "三三三 七七七 上大人 可知禮 孔乙己 八九子 化花三千 花七十土 二二"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    source = tmp_path_factory.mktemp("source") / "suanhu"
    leave_out = shutil.ignore_patterns(".*", "out", "build", "dist", "__pycache__", "tests", "docs")
    shutil.copytree(ROOT, source, ignore=leave_out)
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = target.glob("suanhu-*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel where no file of the checkout is in reach; the packages it needs are lent."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "-q", "--no-index", "--no-deps", str(wheel)], check=True, capture_output=True
    )
    (site,) = place.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return place / "bin" / "suanhu"


def run(program: Path, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["LANG"] = "zh_TW.UTF-8"
    environment["SUANHU_HOME"] = str(folder / "home")
    return subprocess.run(
        [str(program), *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_wheel_carries_what_ships_inside_its_packages_and_no_training(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {each for each in tops if not each.endswith(".dist-info")} <= {
        "scorer",
        "vision",
        "table",
        "server",
        "mobile_app",
        "suanhu",
    }
    assert not [name for name in names if name.startswith("vision/training")]
    for package, folder in (
        ("vision", "models"),
        ("vision", "datasets/decks"),
        ("table", "datasets/samples"),
    ):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"{package}/_data/{path.relative_to(ROOT).as_posix()}" in names


def test_an_installed_suanhu_scores_a_hand(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "score", "--rule", "jingzhou", HAND, "--json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["wins"] is True


def test_an_installed_suanhu_reads_the_sample_photo(installed: Path, tmp_path: Path) -> None:
    words = ("photo", str(ROOT / "datasets/samples/hand.jpg"), "--rule", "jingzhou", *LAID)
    done = run(installed, *words, "--overlay", "overlay.png", "--json", folder=tmp_path)
    assert done.stderr == ""
    played = json.loads(done.stdout)
    assert done.returncode == (0 if played["settled"] else 3)
    assert played["wins"] is True
    assert (tmp_path / "overlay.png").stat().st_size > 10_000


@pytest.mark.system
def test_the_wheel_and_the_lock_are_all_that_an_empty_environment_needs(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "environment", with_pip=True)
    python = str(tmp_path / "environment" / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    lock = str(ROOT / "requirements" / "product.txt")
    subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", lock], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
    program = tmp_path / "environment" / "bin" / "suanhu"
    done = run(program, "score", "--rule", "jingzhou", HAND, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = run(
        program,
        "photo",
        str(ROOT / "datasets/samples/hand.jpg"),
        "--rule",
        "jingzhou",
        *LAID,
        folder=tmp_path,
    )
    assert (done.returncode in {0, 3}, done.stderr) == (True, "")
