"""The namer that ships, and the decks that ship, hold what their makers promise."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from vision.deck import Deck
from vision.name import embed
from vision.session import manifest_sha256, open_session
from vision.training import art, views

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
DECKS = sorted((ROOT / "datasets" / "decks").glob("*.deck"))


@pytest.fixture(scope="module")
def session():
    return open_session(MODELS, "namer.onnx")


def test_the_manifest_and_the_card_name_the_model():
    digest = hashlib.sha256((MODELS / "namer.onnx").read_bytes()).hexdigest()
    assert manifest_sha256(MODELS, "namer.onnx") == digest
    assert digest in (MODELS / "namer.md").read_text(encoding="utf-8")


def test_sixty_crops_cost_at_most_five_gigaflops():
    onnx = pytest.importorskip("onnx")
    model = onnx.load(str(MODELS / "namer.onnx"))
    assert model.opset_import[0].version == 17
    shapes = onnx.shape_inference.infer_shapes(model)
    size = {
        value.name: [d.dim_value for d in value.type.tensor_type.shape.dim]
        for value in [*shapes.graph.value_info, *shapes.graph.output]
    }
    weights = {t.name.removesuffix("_half"): list(t.dims) for t in model.graph.initializer}
    flops = 0
    for node in model.graph.node:
        if node.op_type == "Conv":
            out = size[node.output[0]]
            flops += 2 * int(np.prod(weights[node.input[1]])) * out[2] * out[3]
        elif node.op_type in {"Gemm", "MatMul"}:
            flops += 2 * int(np.prod(weights[node.input[1]]))
    assert 0 < flops * 60 <= 5e9


def test_embeddings_are_unit_vectors_that_do_not_depend_on_their_neighbours(session):
    crops = np.random.default_rng(0).integers(0, 256, (5, 72, 48, 3), dtype=np.uint8)
    together = embed(crops, session)
    assert together.shape == (5, 128)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-4)
    alone = np.concatenate([embed(crops[i : i + 1], session) for i in range(5)])
    assert np.allclose(together, alone, atol=1e-4)


def test_a_drawing_never_seen_is_learned_from_one_look(session):
    """Decks of own strokes, whose flower pictures training never saw: one view learned, two named."""
    right = total = 0
    for seed, manner in enumerate(("corner", "middle", "gilding")):
        rng = np.random.default_rng(900 + seed)
        style = art.Style(
            source="strokes",
            manner=manner,
            motif="heart",
            motifs=art.MOTIFS["evaluate"],
            brush={"profile": ("leaf", "club", "taper")[seed], "thickness": 0.08, "round": 1.0},
        )
        faces = views.Faces.of(art.draw_deck(rng, style, (110, 112, 110)[seed]).strips)
        numbers = np.arange(len(faces.labels))
        learned = embed(views.make_views(rng, faces, numbers, mild=True), session)
        named = embed(views.make_views(rng, faces, np.tile(numbers, 2), mild=True), session) @ learned.T
        right += int((named.argmax(1) == np.tile(numbers, 2)).sum())
        total += len(named)
    assert right / total > 0.95


def test_the_decks_that_ship_are_there_in_five_hands():
    names = {path.stem for path in DECKS}
    for hand in ("kai", "song", "hei", "brush", "li"):
        assert {hand, f"{hand}-96", f"{hand}-112"} <= names


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_a_deck_that_ships_is_whole_and_up_to_date(path, session):
    deck = Deck.load(path, read_only=True)
    assert not deck.missing
    assert (
        deck.namer
        == json.loads((MODELS / "manifest.json").read_text(encoding="utf-8"))["namer.onnx"]["sha256"]
    )
    vectors, faces = deck.vectors()
    some = np.linspace(0, len(vectors) - 1, 12).astype(int)
    again = embed(np.stack([deck.examples[i].crop for i in some]), session)
    assert np.allclose(again, vectors[some], atol=2e-3)
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -1)
    characters = np.array([deck.labels[face][-1] for face in faces])
    alike = characters[likeness.argmax(1)] == characters
    assert alike[characters != "賴"].mean() > 0.97
