"""What stands on the slip of a photographed hand."""

import datetime as dt

import pytest

import scorer
from table.code import Claimed, decode
from table.paint import measure, paint
from table.round import Terms, play
from table.slip import Text, lay_out
from table.slip_content import claimed_of_round, content, content_of_round
from tests.table.factories import reading

DAY = dt.date(2026, 11, 30)
COLUMNS = ("上大人", "可知禮", "孔乙己", "八九子", "化三千", "花七十土", "四四四", "五花五")


def played(lang="zh-Hant", unsure=None, options=None, **changes):
    book = scorer.load_book("jingzhou", options)
    photo = reading(*COLUMNS, laid=("三三花三",), unsure=unsure)
    said = {"laid": "(三三花三)", "win": "四", "terms": Terms(by="discard", discarder=2, stake=10)} | changes
    return play(photo, book, lang=lang, **said)


def test_the_code_on_the_slip_reopens_the_hand():
    round_ = played(options={"eye_counts": "false"})
    again = decode(content_of_round(round_, "jingzhou", DAY).code)
    score = scorer.score(
        scorer.load_book(again.rule, again.options),
        again.hand,
        win=again.win,
        by=again.by,
        stake=again.stake,
        discarder=again.discarder,
    )
    assert score.points == round_.score.points
    assert score.payments == round_.score.payments
    assert again.options == {"eye_counts": "false"}


def test_groups_payments_and_points_are_those_of_the_score():
    round_ = played()
    content = content_of_round(round_, "jingzhou", DAY)
    assert [group.points for group in content.groups] == [group.points for group in round_.score.groups]
    assert content.result.startswith(f"{round_.score.points} 和")
    assert content.payments == (("座 2 → 座 0", "20"),)


def test_players_are_called_by_their_names():
    content = content_of_round(played(), "jingzhou", DAY, seats=("王", "李", "張"))
    assert content.payments == (("張 → 王", "20"),)


def test_each_group_has_the_outlines_of_its_cards():
    content = content_of_round(played(), "jingzhou", DAY)
    assert all(len(group.outlines) == len(group.cards) for group in content.groups)


def test_the_photo_can_be_left_out():
    assert content_of_round(played(), "jingzhou", DAY, with_photo=False).photo is None


def test_an_unsettled_round_says_so_on_its_slip():
    content = content_of_round(played(unsure={18: [("七", 0.4)]}), "jingzhou", DAY)
    assert content.unsettled is not None
    texts = [each.text for each in lay_out(content).operations if isinstance(each, Text)]
    assert any("未定" in text for text in texts)


def test_options_that_the_table_set_stand_on_the_slip():
    content = content_of_round(played(options={"eye_counts": "false"}), "jingzhou", DAY)
    assert any("false" in line for line in content.options)
    assert not any("true" in line for line in content_of_round(played(), "jingzhou", DAY).options)


def test_a_hand_that_does_not_win_gets_a_slip_that_says_why():
    lost = play(reading("上大人", "可知禮"), scorer.load_book("jingzhou"))
    content = content_of_round(lost, "jingzhou", DAY)
    assert content.result == "不胡"
    assert content.notes[0]
    assert content.groups == ()
    assert paint(lay_out(content, measure)).size


def test_the_code_carries_who_won_from_whom():
    claimed = claimed_of_round(played(), "jingzhou")
    assert (claimed.win, claimed.by, claimed.discarder, claimed.stake) == ("四", "discard", 2, 10)


@pytest.mark.parametrize(
    ("lang", "title", "result"), [("zh-Hans", "荆州", "坡"), ("en", "Jingzhou", "points")]
)
def test_the_slip_is_in_the_script_of_its_readers(lang, title, result):
    content = content_of_round(played(lang), "jingzhou", DAY)
    assert title in content.title
    assert result in content.result


def test_a_hand_without_a_split_shows_its_cards_and_where_they_lie():
    lost = play(reading("土大人", *COLUMNS[1:], "三三花三"), scorer.load_book("jingzhou"))
    assert lost.score.reason == "no_split"
    content = content_of_round(lost, "jingzhou", DAY)
    assert sorted(content.cards) == sorted(card.card for card in lost.cards)
    assert len(content.loose) == 26
    assert content_of_round(played(), "jingzhou", DAY).cards == ()
    assert content_of_round(played(), "jingzhou", DAY).loose == ()


@pytest.mark.parametrize(
    ("lang", "says"), [("zh-Hant", "少了 1 張"), ("zh-Hans", "少了 1 张"), ("en", "1 card missing")]
)
def test_a_missing_card_is_named_on_the_slip(lang, says):
    lost = play(reading(*COLUMNS, "三花三"), scorer.load_book("jingzhou"), lang=lang)
    content = content_of_round(lost, "jingzhou", DAY)
    assert says in content.unsettled
    assert "--add" not in content.unsettled


def test_a_guess_stands_on_the_slip_with_what_the_hand_would_be_without_it():
    taken = content_of_round(played(laid="", take_guess=True), "jingzhou", DAY)
    assert "照擺法猜定" in taken.guessed
    open_guess = content_of_round(played(laid="", win=None, terms=Terms()), "jingzhou", DAY)
    assert "(三三花三)" in open_guess.guessed
    assert content_of_round(played(), "jingzhou", DAY).guessed is None


def test_what_was_picked_up_what_a_class_adds_and_the_warnings_stand_on_the_slip():
    book = scorer.load_book("tongcheng")
    hand = scorer.parse_hand("上大人 孔乙己 化三千 七十土 撿八九子 五五五 二二")
    shown = content(book, scorer.score(book, hand), Claimed("tongcheng", hand), DAY)
    assert "撿：八" in shown.notes
    alike = scorer.load_book("shangdaren")
    hand = scorer.parse_hand("上上上大大大人人人孔孔孔乙乙乙己己己福福")
    shown = content(alike, scorer.score(alike, hand), Claimed("shangdaren", hand), DAY)
    assert "牌型：台胡，碰碰胡 +2" in shown.notes
    hand = scorer.parse_hand("上大人 孔乙己 化三千 七十土 八九子 五五五 二二")
    score = scorer.score(book, hand)
    assert score.warnings
    shown = content(book, score, Claimed("tongcheng", hand), DAY)
    assert f"注意：{score.warnings[0].text}" in shown.options


def test_exposed_triplets_of_the_others_stand_on_the_slip():
    book = scorer.load_book("sanjing")
    hand = scorer.parse_hand("上大人 可知禮 孔乙己 八九子 化三千 花七十土 四四四 五花五 六六六")
    claimed = Claimed("sanjing", hand, dui={1: 3})
    shown = content(book, scorer.score(book, hand, dui={1: 3}), claimed, DAY, seats=("王", "李", "張"))
    assert "對的次數：李 3" in shown.options
