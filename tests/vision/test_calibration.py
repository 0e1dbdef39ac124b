import json

import numpy as np
import pytest

from vision import calibration
from vision.calibration import FEATURES, Calibration, shipped_calibration
from vision.errors import ModelError
from vision.training.calibrate import TOLERATED, Samples, fit_sure, fit_weights, reliability


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Write this calibration and load it as the one that ships."""

    def load(text):
        path = tmp_path / "calibration.json"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(calibration, "data_path", lambda _: path)
        return shipped_calibration.__wrapped__()

    return load


def weights(value=1.0):
    return dict.fromkeys(FEATURES, value)


def test_the_shipped_calibration_has_a_weight_for_every_feature():
    numbers = shipped_calibration()
    assert len(numbers.weights) == len(FEATURES)
    assert 0 < numbers.doubt <= numbers.find < 1
    assert 0.5 < numbers.sure < 1


def test_what_is_stored_is_loaded_and_the_rest_is_as_before(stored):
    numbers = stored(
        json.dumps({"find": 0.4, "sure": 0.99, "weights": weights(2), "fitted_on": {"cards": 5}})
    )
    assert (numbers.find, numbers.sure) == (0.4, 0.99)
    assert numbers.doubt == Calibration().doubt
    assert numbers.weights == (2.0,) * len(FEATURES)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"weights": {}}', '{"weights": [1]}', '{"find": "x"}'])
def test_a_broken_calibration_is_said_to_be_one(stored, text):
    with pytest.raises(ModelError, match="cannot be loaded"):
        stored(text)


def test_without_a_file_the_defaults_hold(monkeypatch):
    def nothing(name):
        raise ModelError("missing", name=name)

    monkeypatch.setattr(calibration, "data_path", nothing)
    assert shipped_calibration.__wrapped__() == Calibration()


def made_up(count, seed=0):
    """Cards whose chance to be right follows from two of the features."""
    rng = np.random.default_rng(seed)
    facts = np.zeros((count, len(FEATURES)), np.float32)
    facts[:, 0] = 1
    facts[:, 1] = rng.uniform(-2, 10, count)
    facts[:, 5] = rng.uniform(0.3, 1, count)
    logit = -3 + 1.1 * facts[:, 1] + 2 * facts[:, 5]
    right = rng.random(count) < 1 / (1 + np.exp(-logit))
    return facts, right, 1 / (1 + np.exp(-logit))


def test_the_weights_that_made_the_cards_are_found_again():
    facts, right, chance = made_up(20_000)
    fitted = fit_weights(Samples(facts, right, facts[:, 5], right))
    said = 1 / (1 + np.exp(-(facts @ fitted)))
    assert np.abs(said - chance).mean() < 0.01


def test_of_cards_that_are_sure_hardly_any_is_wrong():
    _, right, chance = made_up(50_000)
    least = fit_sure(chance, right)
    sure = chance >= least
    assert sure.mean() > 0.03
    assert (~right[sure]).mean() <= TOLERATED


def test_where_the_surest_card_is_wrong_nothing_but_it_is_sure():
    chance = np.array([0.99, 0.98, 0.97])
    assert fit_sure(chance, np.array([False, True, True])) == 0.99


def test_the_reliability_diagram_is_drawn(tmp_path, capsys):
    _, right, chance = made_up(5000)
    error = reliability(chance, right, tmp_path / "reliability.png")
    assert error < 0.02
    assert (tmp_path / "reliability.png").stat().st_size > 1000
    assert "said, right, cards" in capsys.readouterr().out
