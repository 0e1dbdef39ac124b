"""詐和: a hand that was declared and does not win."""

import pytest

import scorer
from table.false_claim import penalty


def score(hand, rule="jingzhou", options=None):
    book = scorer.load_book(rule, options)
    return book, scorer.score(book, scorer.parse_hand(hand))


def test_a_false_claim_costs_nothing_unless_the_table_says_so():
    book, result = score("上大人")
    assert penalty(book, result).payments == ()
    assert penalty(book, result).text("en") == ""


def test_whoever_declares_falsely_pays_every_other_player():
    book, result = score("上大人", options={"false_claim": 2})
    assert penalty(book, result, stake=10, declarer=1).payments == ((1, 20, 0), (1, 20, 2))


def test_of_four_players_the_one_who_rests_gets_nothing():
    book, result = score("上大人", options={"false_claim": 1})
    assert len(penalty(book, result, players=4).payments) == 2


def test_too_few_points_are_a_false_claim():
    hand = "上大人 可知禮 孔乙己 八九子 化三千 七十土 孔乙己 四四四 二二"
    book, result = score(hand, options={"false_claim": 1})
    assert result.reason == "too_few_points"
    assert penalty(book, result).payments


def test_a_win_is_none():
    hand = "上大人 可知禮 孔乙己 八九子 化三千 花七十土 三三花三 四四四 五花五"
    book, result = score(hand, options={"false_claim": 1})
    assert result.wins
    assert penalty(book, result).payments == ()


@pytest.mark.parametrize("rule", scorer.RULES)
def test_every_rule_book_has_the_option(rule):
    assert scorer.load_book(rule, {"false_claim": "3"}).options["false_claim"] == 3
    with pytest.raises(scorer.OptionError):
        scorer.load_book(rule, {"false_claim": "-1"})


@pytest.mark.parametrize(("lang", "says"), [("zh-Hant", "詐和"), ("zh-Hans", "诈和"), ("en", "false claim")])
def test_the_penalty_is_said_in_every_language(lang, says):
    book, result = score("上大人", options={"false_claim": 2})
    said = penalty(book, result, stake=10)
    assert says in said.text(lang)
    assert said.to_json()[0] == {"seat": 0, "pays": 20, "to": 1}


@pytest.mark.parametrize("rule", scorer.RULES)
def test_in_every_book_whoever_declared_pays_all_others_who_play(rule):
    book, result = score("上大人", rule, options={"false_claim": 2})
    for players in book.players:
        seats = range(book.seats(players))
        for declarer in seats:
            cost = penalty(book, result, players=players, stake=5, declarer=declarer)
            assert cost.payments == tuple((declarer, 10, seat) for seat in seats if seat != declarer)
            others = [str(seat) for seat in seats if seat != declarer]
            listed = f"each to seats {', '.join(others)}" if len(others) > 1 else f"to seat {others[0]}"
            assert f"seat {declarer} pays 10 {listed}." in cost.text("en")
