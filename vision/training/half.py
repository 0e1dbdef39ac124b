"""Store the weights of an ONNX file in half precision: half the size, the same sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import helper, numpy_helper

if TYPE_CHECKING:
    from pathlib import Path


def store_half(path: Path) -> None:
    """Rewrite an ONNX file so that large weights are kept as float16 and cast when the model is loaded.

    The runtime folds the casts away, so that everything is still computed in float32.

    Args:
        path: the file, rewritten in place.
    """
    model = onnx.load(str(path))
    graph = model.graph
    casts = []
    for tensor in list(graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 64:
            continue
        name = tensor.name
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), name + "_half"))
        casts.append(
            helper.make_node("Cast", [name + "_half"], [name], to=onnx.TensorProto.FLOAT, name=name + "_cast")
        )
    for node in reversed(casts):
        graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
