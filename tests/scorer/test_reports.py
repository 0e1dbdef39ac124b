"""Reports, waits and advice as a player reads them, in the three languages."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import scorer
from scorer import split
from scorer.hand import Hand, Laid
from scorer.payment import Payer
from scorer.points import SHAPES
from scorer.report import waits_text
from scorer.second import next_best
from scorer.steps import Classes, Method, Shown

FULL = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九"
SEVEN_GROUPS = "(上大人)(可可可)(知知知知)(禮禮禮)(己己己)(千千千)[子子子子]"


def told(
    rule: str, text: str, lang: str = "en", options: dict[str, object] | None = None, **round_: Any
) -> str:
    return scorer.score(scorer.load_book(rule, options), scorer.parse_hand(text), lang=lang, **round_).text()


@pytest.mark.parametrize("lang", scorer.LANGS)
@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("sanjing", FULL),
        ("sanjing", "三"),
        ("sanjing", FULL.replace("八九", "八土")),
        ("sanjing", FULL + "三三三"),
        ("sanjing", FULL + "(三三三)(九九)"),
        ("shangdaren", "上上上 大大大 人人人 孔孔孔 乙乙乙 己己己 千千"),
        ("shangdaren", "大大大 人人人 孔孔孔 乙乙乙 己己己 化化化 千千"),
        ("tongcheng", "上上 大大 人人 孔孔 乙乙 己己 可可 知知 禮禮 化化"),
        ("shuangbiegan", "賴賴花三 上大人 可知禮 孔乙己 七十土 八九子 二三四 四五六 八九"),
    ],
)
def test_a_report_is_complete_in_its_language(rule: str, text: str, lang: str) -> None:
    report = told(rule, text, lang)
    assert len(report.splitlines()) >= 2
    if lang == "zh-Hans":
        assert scorer.simplify(report) == report
    if lang == "en":
        assert "wins:" in report or "does not win:" in report


def test_a_report_says_which_jing_is_main_and_why() -> None:
    assert "as many held as of 三, 4" in told("sanjing", FULL)
    assert "most held, 5 cards" in told("sanjing", FULL.replace("四四四", "四花五六"))
    assert "chosen freely" in told("sanjing", FULL, options={"main_jing": "best"})
    assert "fixed by this table" in told("sanjing", FULL, options={"main_jing": "七"})
    assert "main jing" not in told("shangdaren", "上大人 上大人 孔乙己 化三千 七十土 八九子 八八")


def test_a_report_says_what_the_next_best_split_gives() -> None:
    assert "the next best split: 38 points, 5 steps" in told("sanjing", FULL)
    lone = SEVEN_GROUPS + " 孔孔孔 上大"
    assert "there is no other split" in told("sanjing", lone)
    score = scorer.score(scorer.load_book("sanjing"), scorer.parse_hand("三"))
    assert next_best(score) is None


def test_a_report_says_what_is_missing() -> None:
    assert "there are 1 cards, 26 are needed" in told("sanjing", "三")
    assert "差 " in told("sanjing", "上大人 可知禮 孔乙己 七十土 八九子 四五六 六七八 二三四 化千", "zh-Hant")


def test_nobody_pays_where_the_stake_is_nothing() -> None:
    assert "nobody pays" in told("sanjing", FULL, stake=0)


def test_a_discarded_card_that_completes_a_triplet_is_told() -> None:
    text = SEVEN_GROUPS + " 孔孔孔 上大"
    assert "completed by a discard, counts as exposed" in told("sanjing", text, win="孔", by="discard")
    kept = told("sanjing", text, win="孔", by="discard", options={"discard_completes": "concealed"})
    assert "still counts as concealed" in kept


def test_an_eye_that_does_not_count_is_told() -> None:
    text = SEVEN_GROUPS + " 孔孔孔 花三四"
    assert "the eye does not count" in told("sanjing", text, options={"eye_counts": False})


def test_the_warnings_are_told() -> None:
    text = "(三三三)(四四四)(八八八)(上大人)(花九九九九花九) 孔乙己 七十土 化化化 五五"
    score = scorer.score(scorer.load_book("sanjing"), scorer.parse_hand(text))
    assert [warning.code for warning in score.warnings] == ["no_pickup", "dui_over_two", "quint_origin"]
    assert score.text().count("注意：") == 3


@pytest.mark.parametrize(
    ("rest", "form"),
    [("孔孔孔 七", "拿撂"), ("孔孔乙乙", "推攤"), ("孔己六七", "胡兩頭"), ("化千乙乙", "卡卡")],
)
def test_a_wait_says_its_form(rest: str, form: str) -> None:
    text = SEVEN_GROUPS.replace("(己己己)", "(土土土)").replace("(千千千)", "(人人人)") + rest
    found = scorer.waits(scorer.load_book("sanjing"), scorer.parse_hand(text))
    assert form in {wait.form for wait in found}


def test_a_wait_for_one_card_is_called_as_the_region_calls_it() -> None:
    hand = scorer.parse_hand(SEVEN_GROUPS + " 孔孔孔 七")
    assert {wait.form for wait in scorer.waits(scorer.load_book("jingzhou"), hand)} == {"刷刁"}


def test_ten_pairs_are_a_wait_without_a_form() -> None:
    hand = scorer.parse_hand("上上 大大 人人 孔孔 乙乙 土土 可可 知知 禮禮 化")
    found = scorer.waits(scorer.load_book("tongcheng"), hand)
    assert ("化", None) in {(wait.card, wait.form) for wait in found}


def test_waits_are_written_one_a_line() -> None:
    book = scorer.load_book("sanjing")
    found = scorer.waits(book, scorer.parse_hand(SEVEN_GROUPS + " 孔孔孔 七"))
    lines = waits_text(book, found, "en").splitlines()
    assert len(lines) == len(found)
    assert lines[0].startswith("七: 2 left,")
    assert waits_text(book, (), "zh-Hans") == "没有听牌"
    winning = scorer.waits(book, scorer.parse_hand(FULL[:-1]))
    assert "分" in waits_text(book, winning, "zh-Hant")


@pytest.mark.parametrize("text", ["三" * 6, "(上大千) 三", "三"])
def test_a_hand_that_cannot_be_waits_for_nothing(text: str) -> None:
    assert scorer.waits(scorer.load_book("sanjing"), scorer.parse_hand(text)) == ()


def test_advice_says_why_the_first_is_first() -> None:
    book = scorer.load_book("sanjing")
    advice = scorer.advise(book, scorer.parse_hand(FULL), lang="en")
    assert "with steps" in advice.why
    assert advice.text().splitlines()[0] == advice.why
    assert advice.to_json()["why"] == advice.why
    simple = scorer.advise(book, scorer.parse_hand(FULL), lang="zh-Hans")
    assert scorer.simplify(simple.text()) == simple.text()


def test_advice_lists_the_discards_that_leave_a_wait() -> None:
    advice = scorer.advise(scorer.load_book("sanjing"), scorer.parse_hand(SEVEN_GROUPS + " 孔孔孔 七 人"))
    leaving = [discard.discard for discard in advice.advise if discard.waits]
    assert leaving == ["人", "七"]
    assert len(advice.advise) == 3
    assert [line.partition("：")[0] for line in advice.text().splitlines()[1:]] == ["打 人", "打 七"]


@pytest.mark.parametrize(
    ("lang", "waits", "discard"),
    [
        ("zh-Hant", "有 3 張，聽牌時應當是 25 張", "有 3 張，打出一張之前應當是 26 張"),
        ("zh-Hans", "有 3 张，听牌时应当是 25 张", "有 3 张，打出一张之前应当是 26 张"),
        ("en", "there are 3 cards, a hand that waits has 25", "3 cards, before a discard 26 are needed"),
    ],
)
def test_a_wrong_number_of_cards_is_said_before_any_wait(lang: str, waits: str, discard: str) -> None:
    book, hand = scorer.load_book("sanjing"), scorer.parse_hand("上大人")
    wrong = scorer.hindrance(book, hand, lang=lang)
    assert wrong is not None
    assert wrong.reason == "wrong_count"
    assert waits in wrong.text
    advice = scorer.advise(book, hand, lang=lang)
    assert discard in advice.why
    assert advice.to_json()["reason"] == "wrong_count"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (SEVEN_GROUPS + " 孔孔孔 七", None),
        (SEVEN_GROUPS + " 孔孔孔", "wrong_count"),
        (SEVEN_GROUPS + " 孔孔孔 七土", "wrong_count"),
        (SEVEN_GROUPS + " (上大千) 七", "unknown_group"),
        (SEVEN_GROUPS + " (孔孔孔)(乙乙乙) 七", "wrong_count"),
        (SEVEN_GROUPS + " 知知 二 七", "too_many_copies"),
        ("上大人 可知禮 孔乙己 七十土 八九子 四五六 六七八 二二二二 化", None),
        ("上大人 可知禮 孔乙己 七十土 八九子 四五六 六七八 二二二 化", None),
    ],
)
def test_what_keeps_a_hand_from_waiting_is_told_in_the_order_of_the_rules(
    text: str, reason: str | None
) -> None:
    book, hand = scorer.load_book("sanjing"), scorer.parse_hand(text)
    wrong = scorer.hindrance(book, hand, lang="en")
    assert (wrong.reason if wrong else None) == reason
    if wrong:
        assert scorer.waits(book, hand) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("上上上大大大人人人可可可知知知禮禮禮孔孔孔己己己千土", "is as good"),
        ("上上大大人人孔孔孔己己己可可知知禮禮化化千千十十土土", "no discard leaves"),
        ("上大 孔孔孔 己己己 千千千 土土土 子子子 二二二 四四四 六六六", "all with too few points"),
        (SEVEN_GROUPS + " 孔孔孔 七 土", ""),
    ],
)
def test_advice_says_so_where_there_is_little_to_choose(text: str, said: str) -> None:
    assert said in scorer.advise(scorer.load_book("sanjing"), scorer.parse_hand(text), lang="en").why


def test_a_hand_gives_and_takes_cards() -> None:
    hand = Hand(("三", "四"), ("八",), (Laid(("五",) * 3, "round"),))
    assert hand.minus("八").picked == ()
    assert hand.minus("三").plus("六").free == ("四", "六")
    with pytest.raises(ValueError, match="not in tuple"):
        hand.minus("土")
    with pytest.raises(scorer.NotationError):
        Hand(("x",))


def test_there_is_no_other_deck_and_no_other_language() -> None:
    with pytest.raises(ValueError, match="no deck of 52"):
        scorer.deck_cards(52)
    with pytest.raises(scorer.LanguageError):
        scorer.load_book("sanjing").describe("fr")


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "MOST_PLACINGS", 1)
    monkeypatch.setattr("scorer.payment.MOST_KEPT", 1)
    monkeypatch.setattr(sys.modules["scorer.score"], "MOST_ROUNDS", 1)
    monkeypatch.setattr("scorer.count.MOST_LAID", 1)
    book = scorer.load_book("jingzhou", {"false_claim": 3})
    for stake in (1, 2):
        for text in (FULL, FULL.replace("三三花三", "(三三花三)"), FULL.replace("七七七", "(七七七)")):
            assert scorer.score(book, scorer.parse_hand(text), stake=stake).wins
    assert len(book.counter.splitter._placings) == 1
    assert isinstance(book.counter.payer, Payer)
    assert len(book.counter.payer._kept) == 1


def test_points_alone_make_no_steps_where_the_class_decides() -> None:
    book = scorer.load_book("shangdaren")
    with pytest.raises(NotImplementedError):
        Classes(book).steps(21)
    with pytest.raises(NotImplementedError):
        Method(book).steps(21)
    assert not Method(book).outcome(3, Shown(0, 3)).wins
    assert SHAPES[4] == "quad"


def test_which_card_won_is_kept_apart_for_characters_of_one_phrase() -> None:
    """What one hand taught must not serve another that was won on another card of the phrase."""
    book = scorer.load_book("sanjing")
    hand = scorer.parse_hand("可可可 知知知 禮禮禮 上大人 孔乙己 化三千 七十土 八九子 八九")
    for card in ("可", "知", "禮"):
        groups = scorer.score(book, hand, win=card, by="discard").groups
        assert [group.cards[0] for group in groups if group.exposed] == [card]


def test_a_winning_wild_is_kept_apart_from_one_that_stands_for_another_character() -> None:
    text = "乙五四花乙賴四乙六花五五花五十賴花乙六六四花七化花七七七九五六四四花三乙七千"
    score = scorer.score(scorer.load_book("shuangbiegan"), scorer.parse_hand(text), win="賴")
    assert (score.points, score.main_jing) == (97, "五")


def test_three_wilds_on_the_table_are_no_group() -> None:
    score = scorer.score(scorer.load_book("shuangbiegan"), scorer.parse_hand("(賴賴賴) 上大"))
    assert score.reason == "unknown_group"


def test_who_drew_has_no_discarder() -> None:
    with pytest.raises(scorer.BadRequest, match="no discarder"):
        scorer.score(scorer.load_book("sanjing"), scorer.parse_hand(FULL), discarder=1)


def test_a_note_behind_a_wild_may_have_spaces() -> None:
    assert scorer.parse_hand("賴> 花三").free == ("賴",)


def test_a_free_five_is_pointed_out() -> None:
    text = "上上上上上 可知禮 孔乙己 化花三千 五五五花五花五 七十土 八九子 三三花三 四六"
    codes = [w.code for w in scorer.score(scorer.load_book("sanjing"), scorer.parse_hand(text)).warnings]
    assert "quint_origin" in codes


def test_advice_says_where_one_discard_alone_leaves_a_wait() -> None:
    text = "(三三三) (五五五) [七七七花七] (上上上) (大大大) (人人人) (可可可) 孔孔孔 土 六"
    advice = scorer.advise(scorer.load_book("sanjing"), scorer.parse_hand(text), lang="en")
    assert advice.advise[0].left
    assert advice.why
    one = scorer.advise(
        scorer.load_book("sanjing"),
        scorer.parse_hand(
            "(三三三) (五五五) [七七七花七] (上上上) (大大大) (人人人) (可可可) (孔孔孔) 土 土"
        ),
        lang="en",
    )
    assert one.why.startswith("only 土")
    assert len(one.text().splitlines()) == 2


def test_fours_of_which_a_sentence_is_made_are_not_all_alike() -> None:
    score = scorer.score(
        scorer.load_book("shangdaren"), scorer.parse_hand("上上上上 大大大大 人人人人 孔孔孔 乙乙乙 己己")
    )
    assert score.wins
    assert score.added == ()


def test_a_lone_wild_waits_for_what_a_lone_jing_waits_for() -> None:
    book = scorer.load_book("shuangbiegan")
    alone = {wait.card for wait in scorer.waits(book, scorer.parse_hand(SEVEN_GROUPS + " 孔孔孔 賴"))}
    of_jing = {
        wait.card
        for jing in "三五七"
        for wait in scorer.waits(book, scorer.parse_hand(f"{SEVEN_GROUPS} 孔孔孔 {jing}"))
    }
    assert {card[-1] for card in alone} >= {card[-1] for card in of_jing}
    assert "賴" in alone
