"""The labelled ends of a photo are found, whichever end the label means."""

import json

import cv2
import numpy as np
import pytest

from vision.session import open_session
from vision.training import art, oracle, ship

STYLE = art.Style(source="strokes", manner="corner", brush={"profile": "club", "thickness": 0.08})


def photo_of(deck, labels, *, turned=()):
    """A photo of cards side by side; those turned are labelled at the lower end."""
    length = deck.back.shape[0]
    image = np.full((length + 80, 120 * len(labels) + 40, 3), 70, np.uint8)
    cards = []
    for number, label in enumerate(labels):
        x, y = 20 + 120 * number, 40
        image[y : y + length, x : x + 96] = deck.strips[label]
        share = 1 - 0.175 if label in turned else 0.175
        cards.append({
            "label": label,
            "seen": 1.0,
            "end": [x + 48, y + share * length],
            "outline": [[x, y], [x + 96, y], [x + 96, y + length], [x, y + length]],
        })  # fmt: skip
    return image, cards


@pytest.fixture(scope="module")
def deck():
    return art.draw_deck(np.random.default_rng(1), STYLE, 110)


def test_a_crop_is_upright_at_either_end(deck):
    labels = ["七", "上", "花三"]
    image, cards = photo_of(deck, labels, turned=("上",))
    crops = oracle.cut_ends(image, cards)
    for label, crop in zip(labels, crops, strict=True):
        expected = ship.end_crop(deck.strips[label])
        assert np.abs(crop.astype(int) - expected).mean() < 6


def test_jitter_moves_the_crop(deck):
    image, cards = photo_of(deck, ["七"])
    still = oracle.cut_ends(image, cards)
    moved = oracle.cut_ends(image, cards, 0.03, np.random.default_rng(0))
    assert not np.array_equal(still, moved)


def test_a_folder_of_labelled_photos_is_measured(deck, tmp_path):
    labels = list(deck.strips)
    for name, layout, turned in (("a_enrol_1", "enrol", ()), ("a_rows_2", "rows", labels[::2])):
        image, cards = photo_of(deck, labels, turned=turned)
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), image[:, :, ::-1])
        text = json.dumps({"deck": "a", "layout": layout, "cards": cards})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    tally = oracle.measure(tmp_path, open_session(oracle.ROOT / "models", "namer.onnx"))
    assert tally.share(hard=False)[1] == 27
    assert tally.share(hard=False)[0] >= 26
    assert tally.share(hard=True) == (0, 0)
