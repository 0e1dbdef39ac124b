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
