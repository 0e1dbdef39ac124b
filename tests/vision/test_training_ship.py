from typing import get_args

import pytest

from vision.faces import COPIES, FLOWER
from vision.shelf import shipped_decks
from vision.training import fonts
from vision.training.art import Manner
from vision.training.ship import FLOWERS, HANDS, KINDS, LOWEST, SMALL, _look


@pytest.mark.parametrize("manner", get_args(Manner))
def test_every_manner_of_a_flower_mark_is_drawn_with_and_without_a_corner_character(manner):
    corners = {marks.get("corner") for each, marks in FLOWERS if each == manner}
    assert None in corners
    assert "right" in corners


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("corner", [None, "left", "right"])
def test_a_drawing_lies_in_the_printed_end(hand, corner):
    _, style = HANDS[hand]
    for size in (1.0, SMALL):
        look = _look(style, size, corner)
        assert look.top + look.box[1] <= LOWEST
        assert look.box[0] < 1


def test_every_hand_ships_in_every_kind_with_all_looks_of_every_face():
    decks = {deck.name: deck for deck in shipped_decks()}
    assert set(decks) == {hand + ending for hand in HANDS for _, ending in KINDS}
    for deck in decks.values():
        assert deck.kind in COPIES
        for label in deck.labels:
            looks = sum(example.label == label for example in deck.examples)
            assert looks >= (len(FLOWERS) if label.startswith(FLOWER) else 5)


def test_the_hands_are_drawn_from_fonts_that_no_measured_photo_uses():
    names = {font.name: font for font in fonts.FONTS}
    for name, _ in HANDS.values():
        assert not any(part in names[name].file.lower() for part in fonts.FORBIDDEN)
