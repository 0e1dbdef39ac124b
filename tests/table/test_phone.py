"""What the phone loads of the table is the standard library and numpy."""

import subprocess
import sys
from pathlib import Path

import pytest

import table

FOLDER = Path(table.__file__).parent
DESKTOP_ONLY = {"paint"}
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in DESKTOP_ONLY | {"__init__"})

_LOADS = """
import sys
for name in ("cv2", "PIL", "onnxruntime", "torch", "pydantic", "sqlalchemy", "fastapi"):
    sys.modules[name] = None
import importlib
for name in sys.argv[1:]:
    importlib.import_module(f"table.{name}")
foreign = {name.partition(".")[0] for name in sys.modules if sys.modules[name] is not None}
foreign -= set(sys.stdlib_module_names) | {"__main__", "numpy", "scorer", "vision", "table", "sitecustomize"}
print(" ".join(sorted(name for name in foreign if not name.startswith("_"))))
"""


def test_the_phone_loads_nothing_but_the_standard_library_and_numpy():
    done = subprocess.run(
        [sys.executable, "-c", _LOADS, *MODULES],
        capture_output=True,
        text=True,
        check=False,
        cwd=FOLDER.parent,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@pytest.mark.parametrize("name", ["round", "settle", "slip", "code", "argument", "guess"])
def test_what_the_app_builds_on_is_among_it(name):
    assert name in MODULES
