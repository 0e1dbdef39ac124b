"""Where files lie: those that ship (models, decks, samples) and those of the user.

Standard library only, since the phone loads it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from vision.errors import ModelError

_HERE = Path(__file__).resolve().parent
_PACKAGES_WITH_FILES = ("vision", "table")


def data_path(relative: str) -> Path:
    """Find a file or folder that ships, installed or in a checkout.

    The wheel carries ``models/`` and ``datasets/`` inside the folders ``_data`` of its
    packages; in a checkout they lie beside the packages.

    Args:
        relative: its path in a checkout, with forward slashes: ``models/finder.onnx``, ``datasets/decks``.

    Returns:
        An existing path.

    Raises:
        ModelError: there is no such file.
    """
    root = _HERE.parent
    for base in (*(root / package / "_data" for package in _PACKAGES_WITH_FILES), root):
        path = base / relative
        if path.exists():
            return path
    raise ModelError("missing", name=relative)


def home_folder() -> Path:
    """Say where the user's decks, ledger and corrections are kept; the folder need not exist yet.

    Returns:
        ``$SUANHU_HOME``, or where that is unset or empty the folder for data of programs of this system.
    """
    chosen = os.environ.get("SUANHU_HOME")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.environ.get("APPDATA")
        return Path(base or Path.home() / "AppData" / "Local") / "suanhu"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "suanhu"
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "suanhu"


def decks_folder() -> Path:
    """Say where the user's decks are kept, one ``NAME.deck`` each; the folder need not exist yet."""
    return home_folder() / "decks"
