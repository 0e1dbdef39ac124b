"""Inference by Android's own ONNX Runtime (``ai.onnxruntime``, the AAR ``onnxruntime-android``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from jnius import autoclass, cast
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.session import THREADS, checked_bytes, manifest_sha256

OrtEnvironment = autoclass("ai.onnxruntime.OrtEnvironment")
SessionOptions = autoclass("ai.onnxruntime.OrtSession$SessionOptions")
OnnxTensor = autoclass("ai.onnxruntime.OnnxTensor")
ByteBuffer = autoclass("java.nio.ByteBuffer")
ByteOrder = autoclass("java.nio.ByteOrder")
HashMap = autoclass("java.util.HashMap")


class AndroidSession:
    """A model run by Android's ONNX Runtime, loaded and checked when it is first run.

    Args:
        path: the ONNX file.
        sha256: what its SHA-256 has to be.
        threads: how many threads a run may use.
    """

    def __init__(self, path: Path, *, sha256: str | None, threads: int = THREADS) -> None:
        self._path = path
        self._sha256 = sha256
        self._threads = threads
        self._environment: Any = None
        self._session: Any = None

    def load(self) -> None:
        """Load the model now instead of at the first run.

        Raises:
            ModelError: it is missing, not the one of the manifest, or broken.
        """
        if self._session is not None:
            return
        model = checked_bytes(self._path, self._sha256)
        try:
            self._environment = OrtEnvironment.getEnvironment()
            options = SessionOptions()
            options.setIntraOpNumThreads(self._threads)
            self._session = self._environment.createSession(model, options)
        except Exception as error:
            raise ModelError("broken", name=self._path.name) from error

    def run(self, feeds: Mapping[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """Run the model once.

        Args:
            feeds: the inputs by name, float32.

        Returns:
            The outputs in the order of the model.

        Raises:
            ModelError: it is missing, not the one of the manifest, or broken.
        """
        self.load()
        inputs = HashMap()
        tensors = []
        try:
            for name, array in feeds.items():
                tensor = self._tensor(array)
                tensors.append(tensor)
                inputs.put(name, tensor)
            result = self._session.run(inputs)
            try:
                return [_array(result.get(place)) for place in range(result.size())]
            finally:
                result.close()
        finally:
            for tensor in tensors:
                tensor.close()

    def _tensor(self, array: NDArray[np.float32]) -> Any:
        data = np.ascontiguousarray(array, np.float32)
        buffer = ByteBuffer.wrap(data.tobytes())
        buffer.order(ByteOrder.nativeOrder())
        return OnnxTensor.createTensor(self._environment, buffer.asFloatBuffer(), list(data.shape))


def _array(value: Any) -> NDArray[np.float32]:
    tensor = cast("ai.onnxruntime.OnnxTensor", value)
    shape = tuple(tensor.getInfo().getShape())
    data = bytes(tensor.getByteBuffer().array().tostring())
    return np.frombuffer(data, np.float32).reshape(shape).copy()


def open_session(folder: Path, name: str) -> AndroidSession:
    """Open a shipped model; the phone's counterpart of `vision.session.open_session`.

    Args:
        folder: where the model and ``manifest.json`` lie.
        name: file name of the model.

    Returns:
        A session that loads and checks the model at its first run.

    Raises:
        ModelError: the manifest does not name the model.
    """
    return AndroidSession(folder / name, sha256=manifest_sha256(folder, name))
