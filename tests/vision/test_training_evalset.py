from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from vision.faces import COPIES
from vision.training import evalset


@pytest.mark.parametrize("kind", [110, 112, 96])
def test_no_more_copies_than_a_deck_has_may_lie_together(kind):
    every = [label for label, count in COPIES[kind].items() for _ in range(count)]
    assert evalset.may_lie_together(every, kind)
    assert not evalset.may_lie_together([*every, every[0]], kind)
    assert not evalset.may_lie_together(["no card"], kind)


def test_no_photo_shows_more_copies_than_its_deck_has(monkeypatch):
    strips = {label: np.full((400, 96, 3), 255, np.uint8) for label in COPIES[110]}
    shown = []

    def render(_rng, _studio, placed, *_args, **_named):
        shown.append([card.label for card in placed])
        return SimpleNamespace()

    monkeypatch.setattr(evalset, "render", render)
    rng = np.random.default_rng(3)
    for layout in ("columns", "rows", "fan", "loose") * 15:
        evalset._photo(rng, SimpleNamespace(), strips, layout, 110)
    assert max(len(cards) for cards in shown) > 15
    for cards in shown:
        assert all(count <= COPIES[110][label] for label, count in Counter(cards).items())


def test_what_is_spoilt_lacks_colours_contrast_or_edges():
    rng = np.random.default_rng(1)
    image = np.zeros((96, 1440, 3), np.uint8)
    image[:, 720:] = (220, 40, 30)
    image[::8] = 255
    lost = set()
    for _ in range(30):
        spoilt = evalset.spoil(rng, image)
        assert (spoilt.shape, spoilt.dtype) == (image.shape, np.uint8)
        told = spoilt.astype(float)
        grey = bool((spoilt == spoilt[..., :1]).all())
        veiled = np.ptp(told) < 0.65 * np.ptp(image)
        blurred = np.abs(np.diff(told, axis=0)).max() < 0.5 * np.ptp(told)
        assert grey or veiled or blurred
        lost |= {name for name, so in (("grey", grey), ("veiled", veiled), ("blurred", blurred)) if so}
    assert lost == {"grey", "veiled", "blurred"}


def test_what_is_shaken_lost_edges_or_is_too_light():
    rng = np.random.default_rng(1)
    image = np.zeros((120, 160, 3), np.uint8)
    image[::12, :, 0] = image[:, ::12, 1] = 200
    lost = set()
    for _ in range(30):
        spoilt = evalset.shake(rng, image, 60.0)
        assert (spoilt.shape, spoilt.dtype) == (image.shape, np.uint8)
        told = spoilt.astype(float)
        span = np.maximum(np.ptp(told, axis=(0, 1)).max(), 1.0)
        shaken = min(np.abs(np.diff(told, axis=axis)).max() for axis in (0, 1)) < 0.8 * span
        hazy = span < 0.5 * np.ptp(image)
        burnt = told.max() == 255
        assert shaken or hazy or burnt
        lost |= {name for name, so in (("shaken", shaken), ("hazy", hazy), ("burnt", burnt)) if so}
    assert lost == {"shaken", "hazy", "burnt"}


@pytest.mark.parametrize(("split", "some"), [("calibrate", True), ("evaluate", False), ("train", False)])
def test_only_what_confidence_is_fitted_on_is_spoilt(split, some, monkeypatch, tmp_path):
    spoilt = []
    monkeypatch.setattr(evalset, "random_deck", lambda *_: SimpleNamespace(strips={}))
    monkeypatch.setattr(evalset, "Studio", lambda *_, **__: None)
    monkeypatch.setattr(evalset, "letter_masks", lambda *_: [])
    monkeypatch.setattr(evalset, "page", lambda *_: None)
    monkeypatch.setattr(evalset, "random_layout", lambda *_: [])
    monkeypatch.setattr(evalset, "render", lambda *_, **__: SimpleNamespace(image=None))
    monkeypatch.setattr(evalset, "_photo", lambda *_, **__: (SimpleNamespace(image=None, cards=[]), {}))
    monkeypatch.setattr(evalset, "write_photo", lambda *_: 1)
    monkeypatch.setattr(evalset, "spoil", lambda _, image: spoilt.append(image))
    written = evalset.write_set(tmp_path, split=split, seed=5, decks=6, empty=2, pages=3)
    planned = sum(count for _, count in (*evalset.PLAN, *evalset.MORE[split]))
    assert written == 6 * (2 + planned) + 2 + 3
    assert (0.03 * written < len(spoilt) < 0.2 * written) if some else not spoilt
