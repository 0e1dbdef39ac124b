import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from vision.errors import LANGS, ModelError
from vision.files import data_path
from vision.session import OnnxSession, checked_bytes, manifest_sha256, open_session, ships

MODELS = ("finder.onnx", "refiner.onnx", "namer.onnx", "verifier.onnx")


def test_the_model_that_ships_is_the_one_of_the_manifest():
    folder = data_path("models")
    for name in MODELS:
        data = (folder / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == manifest_sha256(folder, name)


def test_all_models_together_are_under_six_megabytes():
    shipped = {path.name: path.stat().st_size for path in data_path("models").glob("*.onnx")}
    assert set(shipped) == set(MODELS)
    assert sum(shipped.values()) < 6_000_000


def test_another_model_is_refused(tmp_path):
    (tmp_path / "finder.onnx").write_bytes(b"another")
    (tmp_path / "manifest.json").write_text(json.dumps({"finder.onnx": {"sha256": "0" * 64}}))
    session = open_session(tmp_path, "finder.onnx")
    with pytest.raises(ModelError, match="not the one in the manifest"):
        session.run({})


def test_a_broken_model_is_refused(tmp_path):
    (tmp_path / "finder.onnx").write_bytes(b"broken")
    digest = hashlib.sha256(b"broken").hexdigest()
    (tmp_path / "manifest.json").write_text(json.dumps({"finder.onnx": digest}))
    with pytest.raises(ModelError, match="cannot be loaded"):
        open_session(tmp_path, "finder.onnx").run({})


def test_a_model_that_takes_something_else_is_refused():
    session = open_session(data_path("models"), "namer.onnx")
    with pytest.raises(ModelError, match="cannot be loaded"):
        session.run({"known": np.zeros((1, 80, 18, 12), np.float32)})


def test_nothing_is_loaded_before_the_first_run(tmp_path):
    session = OnnxSession(tmp_path / "none.onnx", sha256="0")
    with pytest.raises(ModelError, match="missing"):
        session.load()


def test_the_runtime_reports_nothing_and_leaves_nothing_at_home(tmp_path):
    load = "from vision.files import data_path; from vision.session import open_session; "
    load += "open_session(data_path('models'), 'finder.onnx').load()"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ORT_"))}
    done = subprocess.run(
        [sys.executable, "-c", load],
        env=environment
        | {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"finder.onnx": 5}', '{"finder.onnx": {}}'])
def test_a_manifest_that_does_not_name_the_model(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ModelError):
        manifest_sha256(tmp_path, "finder.onnx")


def test_a_missing_manifest(tmp_path):
    with pytest.raises(ModelError, match="missing") as caught:
        manifest_sha256(tmp_path, "finder.onnx")
    assert len({caught.value.text(lang) for lang in LANGS}) == 3


def test_a_model_that_the_manifest_names_may_not_be_missing(tmp_path):
    assert not ships(tmp_path, "verifier.onnx")
    (tmp_path / "manifest.json").write_text(json.dumps({"verifier.onnx": {"sha256": "0" * 64}}))
    assert ships(tmp_path, "verifier.onnx")
    assert not ships(tmp_path, "refiner.onnx")
    with pytest.raises(ModelError, match="missing"):
        open_session(tmp_path, "verifier.onnx").run({})
    (tmp_path / "refiner.onnx").touch()
    assert ships(tmp_path, "refiner.onnx")


def test_without_a_digest_nothing_is_compared(tmp_path):
    (tmp_path / "x").write_bytes(b"x")
    assert checked_bytes(tmp_path / "x", None) == b"x"


def test_the_namer_gives_unit_vectors_whatever_the_batch():
    folder = data_path("models")
    session = open_session(folder, "namer.onnx")
    crops = np.random.default_rng(0).random((3, 3, 72, 48), np.float32)
    together = session.run({"crops": crops})[0]
    alone = np.concatenate([session.run({"crops": crops[place : place + 1]})[0] for place in range(3)])
    assert together.shape == (3, 128)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-3)
    np.testing.assert_allclose(together, alone, atol=1e-4)


@pytest.mark.parametrize("size", [(480, 640), (640, 480), (640, 640)])
def test_the_finder_takes_any_multiple_of_32(size):
    session = open_session(data_path("models"), "finder.onnx")
    ends = session.run({"image": np.full((1, 3, *size), 0.5, np.float32)})[0]
    assert ends.shape == (1, 10, size[0] // 4, size[1] // 4)
    assert 0 <= ends[0, 0].min() <= ends[0, 0].max() <= 1


def test_threads_that_have_nothing_to_do_wait_asleep():
    session = OnnxSession(data_path("models") / "namer.onnx")
    session.load()
    options = session._session.get_session_options()
    assert options.get_session_config_entry("session.force_spinning_stop") == "1"
