"""What all tests share: a data folder of their own, and a word on what the machine has to have."""

import importlib.util
import os
import shutil
from pathlib import Path

import hypothesis
import pytest

from tests.clock import CLOCKED, Clock

ROOT = Path(__file__).resolve().parent.parent

# How long examples take says how busy the machine is, and nothing of the program; and what was found or kept
# in one run decides nothing in the next.
hypothesis.settings.register_profile(
    "any machine",
    hypothesis.settings.default,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=True,
    database=None,
)
hypothesis.settings.load_profile("any machine")


def need(*programs: str, package: str, modules: tuple[str, ...] = ()) -> None:
    """Skip the test, saying why, where the machine lacks a program or a module; in CI fail.

    Args:
        programs: Commands that have to be on the path.
        package: What to install to get them, as the reader would type it.
        modules: Python modules that have to be importable.
    """
    lacking = [name for name in programs if shutil.which(name) is None]
    lacking += [name for name in modules if importlib.util.find_spec(name) is None]
    if not lacking:
        return
    reason = f"needs {', '.join(lacking)} (install {package})"
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(reason)
    pytest.skip(reason)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave alone what only helps tests: to look for examples in it would import what may not be there."""
    helps = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if helps else None


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """What weighs the readings of a hand for so long comes equally far on every machine."""
    clock = Clock()
    for module in CLOCKED:
        monkeypatch.setattr(f"{module}.time", clock)
    return clock


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a data folder of its own, so that no test sees what whoever runs it has or has set."""
    home = tmp_path / "suanhu-home"
    for name in ("DATABASE_URL", "SUANHU_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SUANHU_HOME", str(home))
    return home
