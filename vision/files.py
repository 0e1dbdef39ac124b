"""Where the files that come with the program lie."""

from __future__ import annotations

from pathlib import Path

from vision.errors import ModelError

_HERE = Path(__file__).resolve().parent


def data_path(relative: str) -> Path:
    """Find a file or folder that ships, installed or in a checkout.

    The wheel carries ``models/`` and ``datasets/decks/`` inside this package;
    in a checkout they lie beside it.

    Args:
        relative: the path in a checkout, ``models/finder.onnx``.

    Returns:
        An existing path.

    Raises:
        ModelError: there is no such file.
    """
    for root in (_HERE / "_data", _HERE.parent):
        path = root / relative
        if path.exists():
            return path
    raise ModelError("missing", name=relative)
