"""The choice of the deck with the models and decks that ship, on the samples."""

import json
from functools import cache

import numpy as np
import pytest

from tests.conftest import ROOT
from vision import Reader, learn_deck
from vision.decode import read_photo
from vision.read import Picture
from vision.shelf import shipped_decks

SAMPLES = ROOT / "datasets" / "samples"


@cache
def reader():
    return Reader()


@cache
def photo(name):
    return read_photo(SAMPLES / f"{name}.jpg")


def labels(name):
    about = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return [card["label"] for card in about["cards"]]


@cache
def drawn():
    name = "drawn110_enrol_502"
    return learn_deck("drawn", [photo(name)], "".join(labels(name)), reader=reader())


@pytest.mark.parametrize(
    ("sample", "deck"), [("hand", "kai"), ("rows", "li"), ("hand-96", "hei-96"), ("hand-tongcheng", "song")]
)
def test_a_photo_of_a_deck_that_ships_is_read_with_it(sample, deck):
    assert reader().read(photo(sample), shipped_decks()).deck == deck


def test_a_deck_that_was_never_learned_is_said_to_be_unknown_and_nothing_is_sure():
    reading = reader().read(photo("drawn110_loose_614"), shipped_decks())
    assert reading.unknown_deck
    assert not any(card.sure for card in reading.cards)


def test_the_deck_that_was_learned_is_chosen_among_all():
    deck = drawn().deck
    reading = reader().read(photo("drawn110_loose_614"), [*shipped_decks(), deck])
    assert reading.deck == "drawn"
    read = sorted(card.card for card in reading.cards)
    assert len(set(read) & set(labels("drawn110_loose_614"))) >= 0.8 * len(set(labels("drawn110_loose_614")))


@pytest.mark.parametrize(("sample", "kind", "taken"), [("hand", 96, 110), ("hand-96", 110, 96)])
def test_a_photo_of_another_kind_than_the_rule_s_is_read_with_its_own(sample, kind, taken):
    assert reader().read(photo(sample), shipped_decks(), kind=kind).kind == taken


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_deck_is_learned_from_a_photo_whichever_way_it_is_turned(turns):
    upright = photo("enrol")
    pixels = np.ascontiguousarray(np.rot90(upright.pixels, turns))
    turned = Picture(pixels, (pixels.shape[1], pixels.shape[0]))
    text = "".join(labels("enrol"))
    one = learn_deck("one", [upright], text, reader=reader()).deck
    other = learn_deck("other", [turned], text, reader=reader()).deck
    vectors, faces = one.vectors()
    for example in other.examples:
        nearest = one.labels[int(faces[int(np.argmax(vectors @ example.vector))])]
        assert nearest.removeprefix("花") == example.label.removeprefix("花")
