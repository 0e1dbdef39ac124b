"""Corrections teach the deck."""

from dataclasses import replace

import numpy as np
import pytest

from table.cards import Corrections
from table.teach import teach
from tests.table.factories import reading
from vision.read import Reader
from vision.shelf import shipped_decks


class Deck:
    """Stands for a deck that remembers what it was taught."""

    kind = 110

    def __init__(self, lessons=()):
        self.lessons = lessons

    def corrected(self, label, *crops):
        return Deck((*self.lessons, (label, *(int(crop[0, 0, 0]) for crop in crops if crop is not None))))


def photo(unsure=None):
    plain = reading("上大人", unsure=unsure)
    cards = tuple(
        replace(card, crop=np.full((72, 48, 3), place, np.uint8)) for place, card in enumerate(plain.cards)
    )
    return replace(plain, cards=cards)


def taught(deck, read, corrections):
    """The deck after a lesson, without a look at whether the card may be what it is called."""
    return teach(deck, read, corrections, reader=None, insist=True).deck


def test_a_corrected_card_is_learned_with_its_crop():
    assert taught(Deck(), photo(), Corrections.parse(["1=花一"])).lessons == (("花乙", 1),)


def test_both_ends_of_a_corrected_card_are_learned():
    whole = photo()
    cards = [replace(card, other_crop=card.crop + 50) for card in whole.cards]
    result = taught(Deck(), replace(whole, cards=tuple(cards)), Corrections.parse(["1=三"]))
    assert result.lessons == (("三", 1, 51),)


def test_an_unsure_card_that_is_confirmed_is_learned_too():
    assert taught(Deck(), photo({2: [("大", 0.2)]}), Corrections.parse(["2=人"])).lessons == (("人", 2),)


def test_what_was_right_and_sure_teaches_nothing():
    deck = Deck()
    assert taught(deck, photo(), Corrections.parse(["1=大"])) is deck
    result = teach(deck, photo(), Corrections.parse(["1=大", "2=三"]), reader=None, insist=True)
    assert result.known == (1,)


def test_added_and_dropped_cards_teach_nothing():
    deck = Deck()
    assert taught(deck, photo(), Corrections.parse((), [0], ["八"])) is deck


def test_a_card_without_a_crop_teaches_nothing():
    deck = Deck()
    assert taught(deck, reading("上大人"), Corrections.parse(["1=三"])) is deck


@pytest.fixture(scope="module")
def reader():
    return Reader()


@pytest.fixture
def kai():
    return next(deck for deck in shipped_decks() if deck.name == "kai")


def crop_of(deck, label):
    return next(example.crop for example in deck.examples if example.label == label)


def lying(*crops):
    """A photo of cards that are taken for 上 without being sure."""
    plain = reading("上" * len(crops), unsure={place: [("大", 0.2)] for place in range(len(crops))})
    cards = (replace(card, crop=crop) for card, crop in zip(plain.cards, crops, strict=True))
    return replace(plain, cards=tuple(cards))


def half_hidden(crop):
    """The crop of a card of which another covers the lower half."""
    return np.concatenate([crop[:30], np.full_like(crop[30:], 120)])


def test_a_card_that_clearly_is_another_is_not_learned_and_told(reader, kai):
    photo = lying(crop_of(kai, "上"), crop_of(kai, "四"))
    result = teach(kai, photo, Corrections.parse(["0=禮", "1=四"]), reader=reader)
    assert [(each.place, each.said, each.looks) for each in result.refused] == [(0, "禮", "上")]
    assert [each.label for each in result.deck.examples if each.correction] == ["四"]
    assert result.refused[0].text("en").startswith("card 0 clearly looks like 上")
    assert teach(kai, photo, Corrections.parse(["0=禮"]), reader=reader).deck is kai


def test_whoever_insists_teaches_what_looks_like_another_card(reader, kai):
    photo = lying(crop_of(kai, "上"))
    result = teach(kai, photo, Corrections.parse(["0=禮"]), reader=reader, insist=True)
    assert [each.label for each in result.deck.examples if each.correction] == ["禮"]
    assert result.refused == ()


@pytest.mark.parametrize("label", ["四", "花五", "千", "孔"])
def test_a_card_that_is_half_hidden_is_learned_whatever_it_was_taken_for(reader, kai, label):
    photo = lying(half_hidden(crop_of(kai, label)))
    result = teach(kai, photo, Corrections.parse([f"0={label}"]), reader=reader)
    assert [each.label for each in result.deck.examples if each.correction] == [label]


def test_a_wrong_lesson_of_before_does_not_keep_the_right_one_away(reader, kai):
    crop = crop_of(kai, "上")
    nearly = np.clip(crop.astype(int) + 6, 0, 255).astype(np.uint8)
    spoiled = kai.corrected("禮", crop)
    result = teach(spoiled, lying(nearly), Corrections.parse(["0=上"]), reader=reader)
    assert result.refused == ()
    assert [each.label for each in result.deck.examples if each.correction] == ["禮", "上"]


def test_a_face_that_the_deck_lacks_is_learned_from_any_look(reader, kai):
    part = replace(kai, examples=tuple(each for each in kai.examples if each.label != "禮"))
    result = teach(part, lying(crop_of(kai, "禮")), Corrections.parse(["0=禮"]), reader=reader)
    assert result.refused == ()
    assert "禮" in result.deck.labels
