"""Where files lie: those that ship (models, decks, samples) and those of the user.

Standard library only, since the phone loads it.
"""

import os
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PACKAGES_WITH_FILES = ("vision", "table")


class MissingFileError(ValueError):
    """A file that ships with suanhu is not where it has to be."""


def shipped_file(name: str) -> Path:
    """Find a file or folder that ships, in a checkout as well as where a wheel put it.

    Args:
        name: Its path in a checkout, with forward slashes, such as `models/finder.onnx` or `datasets/decks`.

    Returns:
        The path of the file or folder, which exists.

    Raises:
        MissingFileError: If neither place has it.
    """
    root = _HERE.parent
    for base in (*(root / package / "_data" for package in _PACKAGES_WITH_FILES), root):
        path = base / name
        if path.exists():
            return path
    raise MissingFileError(f"{name} is missing from this installation of suanhu")


def home_folder() -> Path:
    """Say where the user's decks, ledger and corrections are kept; the folder need not exist yet.

    Returns:
        `$SUANHU_HOME`, or where that is unset or empty the folder for data of programs of this system.
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
    """Say where the user's decks are kept, one `NAME.deck` each; the folder need not exist yet."""
    return home_folder() / "decks"
