"""Inference behind a small interface, so that the phone can bring its own.

A session is created at the first run, not before: a command that reads no
photo never loads a model.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Protocol

from vision.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

THREADS = 2
"""Threads of one run; a phone has as many fast cores."""

MANIFEST = "manifest.json"


class Session(Protocol):
    """One loaded model."""

    def run(self, feeds: Mapping[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """Run the model once.

        Args:
            feeds: the inputs by name.

        Returns:
            The outputs in the order of the model.
        """
        ...


class OnnxSession:
    """A model run by onnxruntime, loaded and checked when it is first run.

    Args:
        path: the ONNX file.
        sha256: what its SHA-256 has to be; not checked where None.
        threads: how many threads a run may use.
    """

    def __init__(self, path: Path, *, sha256: str | None = None, threads: int = THREADS) -> None:
        self._path = path
        self._sha256 = sha256
        self._threads = threads
        self._session: Any = None

    def load(self) -> None:
        """Load the model now instead of at the first run.

        Raises:
            ModelError: it is missing, not the one of the manifest, or broken.
        """
        if self._session is not None:
            return
        model = checked_bytes(self._path, self._sha256)
        # Otherwise onnxruntime (1.32) keeps an id of the device in the home folder and reports to its makers.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelError("runtime") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_mem_pattern = False
        # Threads that wait in a loop for the next layer begin it at once; those that wait for the next
        # network would take the cores from others.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.force_spinning_stop", "1")
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelError("broken", name=self._path.name) from error

    def run(self, feeds: Mapping[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """Run the model once.

        Args:
            feeds: the inputs by name.

        Returns:
            The outputs in the order of the model.

        Raises:
            ModelError: it is missing, not the one of the manifest, or broken.
        """
        self.load()
        try:
            return list(self._session.run(None, dict(feeds)))
        except Exception as error:
            # What onnxruntime raises has no other base class: a model of other inputs, or no memory.
            raise ModelError("broken", name=self._path.name) from error


def checked_bytes(path: Path, sha256: str | None) -> bytes:
    """Read a model and compare it with the manifest.

    Args:
        path: the model.
        sha256: hexadecimal digest that it has to have; None checks nothing.

    Returns:
        The bytes of the model.

    Raises:
        ModelError: it is missing or another one.
    """
    try:
        model = path.read_bytes()
    except OSError as error:
        raise ModelError("missing", name=path.name) from error
    if sha256 is not None and hashlib.sha256(model).hexdigest() != sha256:
        raise ModelError("other", name=path.name)
    return model


def manifest_sha256(folder: Path, name: str) -> str:
    """Look up what SHA-256 a shipped model has to have.

    Args:
        folder: where the model and ``manifest.json`` lie.
        name: file name of the model.

    Returns:
        The digest in hexadecimal.

    Raises:
        ModelError: the manifest is missing, broken, or does not name the model.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError("missing", name=MANIFEST) from error
    except ValueError as error:
        raise ModelError("broken", name=MANIFEST) from error
    entry = manifest.get(name) if isinstance(manifest, dict) else None
    digest = entry.get("sha256") if isinstance(entry, dict) else entry
    if not isinstance(digest, str):
        raise ModelError("missing", name=f"{MANIFEST}: {name}")
    return digest


def ships(folder: Path, name: str) -> bool:
    """Say whether a model that may be left out belongs to the others: lies there or is in the manifest.

    Args:
        folder: where the models and ``manifest.json`` lie.
        name: file name of the model.

    Returns:
        False only where nothing is known of it; one that is named and missing is an error when it is opened.
    """
    if (folder / name).exists():
        return True
    try:
        manifest_sha256(folder, name)
    except ModelError:
        return False
    return True


def open_session(folder: Path, name: str) -> Session:
    """Open a shipped model with onnxruntime.

    Args:
        folder: where the model and ``manifest.json`` lie.
        name: file name of the model.

    Returns:
        A session that loads and checks the model at its first run.

    Raises:
        ModelError: the manifest does not name the model.
    """
    return OnnxSession(folder / name, sha256=manifest_sha256(folder, name))
