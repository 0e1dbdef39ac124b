"""Which cards go with nothing."""

import pytest

import scorer
from mobile_app.course import example, waiting
from mobile_app.hints import loosest, plain_words, sentences


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


def said(hand, lang="en", rule="jingzhou"):
    book = scorer.load_book(rule)
    return plain_words(book, scorer.advise(book, scorer.parse_hand(hand)), lang)


def test_the_best_discard_is_named_with_the_cards_that_win_after_it():
    book = scorer.load_book("jingzhou")
    hand = waiting(book).plus("土")
    advice = scorer.advise(book, hand)
    best = advice.advise[0]
    points = max(wait.points for wait in best.waits)
    assert (
        f"{best.discard}: then {best.left} cards win, with up to {points}"
        in plain_words(book, advice, "en")[0]
    )
    assert "fewer" in plain_words(book, advice, "en")[1]


def test_a_hand_far_from_waiting_is_said_to_be_far_off():
    assert said("上上大可知孔孔化千七七土土八子子二二四四五六六九三乙") == (
        "Still far off: no discard leaves a wait.",
    )


def test_a_wait_that_counts_too_little_is_said_to():
    (line,) = said(
        "孔乙己 化十千 七十土 八九子 二二二 四四四 六六六 (人人人) 士 千".replace("化十千", "化千三")
    )
    assert "too little" in line


def test_more_cards_that_win_less_are_said_to_win_less():
    class Some:
        def __init__(self, discard, left, weight, points):
            self.discard, self.left, self.weight = discard, left, weight
            self.waits = [scorer.Wait("三", left, points, weight // left, True, None)]

    class Advised:
        advise = (Some("土", 2, 8, 32), Some("七", 4, 4, 18), Some("十", 2, 8, 32))

    book = scorer.load_book("jingzhou")
    assert "less is won" in plain_words(book, Advised, "en")[1]
    Advised.advise = (Some("土", 2, 8, 32), Some("十", 2, 8, 32))
    assert plain_words(book, Advised, "en")[1] == "Discarding 十 is just as good."
    assert plain_words(book, Advised, "zh-Hans")[0].startswith("打 土 最好")
