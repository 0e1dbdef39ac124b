"""Enter what a trainer or a fit wrote in the manifest of the models."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from vision.session import MANIFEST

if TYPE_CHECKING:
    from pathlib import Path


def enter(model: Path) -> str:
    """Enter a model in the manifest beside it, by which it is checked when it is loaded.

    Args:
        model: the file.

    Returns:
        Its SHA-256 in hexadecimal.
    """
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    manifest = model.parent / MANIFEST
    entries = json.loads(manifest.read_text(encoding="utf-8")) if manifest.is_file() else {}
    entries[model.name] = {"sha256": digest}
    manifest.write_text(json.dumps(entries, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return digest
