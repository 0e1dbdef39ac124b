"""Corrections teach the deck."""

from dataclasses import replace

import numpy as np

from table.cards import Corrections
from table.teach import teach
from tests.table.factories import reading


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


def test_a_corrected_card_is_learned_with_its_crop():
    assert teach(Deck(), photo(), Corrections.parse(["1=花一"])).lessons == (("花乙", 1),)


def test_both_ends_of_a_corrected_card_are_learned():
    whole = photo()
    cards = [replace(card, other_crop=card.crop + 50) for card in whole.cards]
    taught = teach(Deck(), replace(whole, cards=tuple(cards)), Corrections.parse(["1=三"]))
    assert taught.lessons == (("三", 1, 51),)


def test_an_unsure_card_that_is_confirmed_is_learned_too():
    assert teach(Deck(), photo({2: [("大", 0.2)]}), Corrections.parse(["2=人"])).lessons == (("人", 2),)


def test_what_was_right_and_sure_teaches_nothing():
    deck = Deck()
    assert teach(deck, photo(), Corrections.parse(["1=大"])) is deck


def test_added_and_dropped_cards_teach_nothing():
    deck = Deck()
    assert teach(deck, photo(), Corrections.parse((), [0], ["八"])) is deck


def test_a_card_without_a_crop_teaches_nothing():
    deck = Deck()
    assert teach(deck, reading("上大人"), Corrections.parse(["1=三"])) is deck
