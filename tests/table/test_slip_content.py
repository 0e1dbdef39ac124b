"""What stands on the slip of a photographed hand."""

import datetime as dt

import pytest

import scorer
from table.code import decode
from table.paint import measure, paint
from table.round import Terms, play
from table.slip import Text, lay_out
from table.slip_content import claimed_of_round, content_of_round
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
