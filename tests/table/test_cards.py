"""Corrections of a reading."""

import pytest

from table.cards import Corrections
from table.words import CorrectionError
from tests.table.factories import reading

PHOTO = reading("上大人", "三四花五", unsure={3: [("花三", 0.3)]})


def corrected(cards=(), dropped=(), added=(), kind=110):
    return Corrections.parse(cards, dropped, added).apply(PHOTO, kind)


def test_an_uncorrected_photo_stays_as_it_was_read():
    assert [card.card for card in corrected()] == ["上", "大", "人", "三", "四", "花五"]
    assert [card.place for card in corrected()] == [0, 1, 2, 3, 4, 5]


def test_a_corrected_card_is_sure():
    card = corrected(["3=花三"])[3]
    assert (card.card, card.sure, card.confidence, card.others, card.corrected) == (
        "花三",
        True,
        1.0,
        (),
        True,
    )


def test_a_correction_may_be_typed_in_any_spelling():
    assert corrected(["0= 花一 "])[0].card == "花乙"


def test_places_stay_those_of_the_photo_when_a_card_is_dropped():
    cards = corrected(["4=六"], [1])
    assert [(card.place, card.card) for card in cards] == [
        (0, "上"),
        (2, "人"),
        (3, "三"),
        (4, "六"),
        (5, "花五"),
    ]


def test_an_added_card_lies_nowhere():
    card = corrected(added=["八"])[-1]
    assert (card.card, card.place, card.outline, card.group, card.sure) == ("八", None, None, None, True)


def test_a_card_can_be_said_to_be_picked_up():
    assert corrected(["4=撿八"])[4].picked
    assert corrected(added=["撿花三"])[-1].picked


@pytest.mark.parametrize(
    ("cards", "dropped", "added", "says"),
    [
        (["6=上"], (), (), "no card 6"),
        (["-1=上"], (), (), "no card -1"),
        ((), [99], (), "no card 99"),
        (["x=上"], (), (), "not the number"),
        (["上"], (), (), "N=CARD"),
        (["3="], (), (), "N=CARD"),
        (["3=牌"], (), (), "not a card"),
        (["3=花可"], (), (), "not a card"),
        (["3=三四"], (), (), "not a card"),
        (["3=賴"], (), (), "has no 賴"),
        ((), (), ["福"], "has no 福"),
        (["3=上", "3=大"], (), (), "twice"),
        (["3=上"], [3], (), "twice"),
        ((), [3, 3], (), "twice"),
        ((), ["一"], (), "not the number"),
    ],
)
def test_a_correction_that_fits_nothing_is_refused(cards, dropped, added, says):
    with pytest.raises(CorrectionError, match=says) as error:
        corrected(cards, dropped, added)
    for lang in ("zh-Hant", "zh-Hans", "en"):
        assert "\n" not in error.value.text(lang)


def test_the_deck_with_wilds_has_them():
    assert corrected(["3=别"], kind=112)[3].card == "賴"


def test_a_place_is_cleared_once():
    with pytest.raises(CorrectionError, match="twice"):
        Corrections.parse((), (), (), ["0", "0"])
