"""Which cards go with nothing."""

import pytest

import scorer
from mobile_app.course import example
from mobile_app.hints import loosest, sentences


def loose(rule, hand, **options):
    return [
        (each.card, each.helps) for each in loosest(scorer.load_book(rule, options), scorer.parse_hand(hand))
    ]


def test_a_card_that_goes_with_nothing_comes_first():
    assert loose("jingzhou", "上大人 孔乙 可")[0] == ("可", 0)


def test_two_of_a_sentence_are_helped_by_the_copies_of_the_third():
    assert loose("jingzhou", "孔己") == [("孔", 5), ("己", 5)]


def test_a_copy_in_the_hand_helps_nobody():
    assert dict(loose("jingzhou", "孔己 (乙乙乙)"))["孔"] == 2


def test_a_pair_is_helped_by_its_other_copies():
    assert loose("jingzhou", "可可") == [("可", 3)]


def test_flower_and_plain_are_one_character():
    assert ("花三", 3) in loose("jingzhou", "花三三")


def test_what_stands_in_a_group_is_not_loose():
    assert loose("jingzhou", "上大人 可可可 五六七") == []


def test_a_wild_is_never_thrown_away():
    assert [card for card, _ in loose("shuangbiegan", "賴 可")] == ["可"]


def test_numbers_go_together_from_where_the_table_begins():
    assert dict(loose("jingzhou", "乙二"))["二"] == 5
    assert dict(loose("jingzhou", "乙二", number_sentences_from="三"))["二"] == 0


@pytest.mark.parametrize("rule", scorer.RULES)
def test_a_finished_hand_is_loose_in_its_eye_alone(rule):
    book = scorer.load_book(rule)
    hand = example(book)
    eye = next(group for group in scorer.score(book, hand).groups if group.shape == "eye")
    assert {each.card for each in loosest(book, hand)} <= set(eye.cards)


def test_the_96_cards_have_no_numbers():
    assert len(sentences(scorer.load_book("shangdaren"))) == 8
