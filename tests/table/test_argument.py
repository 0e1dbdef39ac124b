"""He says 17, I say 22: where the two part."""

import random

import pytest

import scorer
from table.argument import Case, argue
from table.split import Group, Valuer, every_split, place_win, value_split
from table.words import ClaimError
from tests.table.factories import finished_hand

HAND = "上大人 可知禮 孔乙己 八九子 化三千 花七十土 三三花三 四四四 五花五"
SPLIT = "(上大人)(可知禮)(孔乙己)(八九子)(化三千)(花七十土)(三三花三)(四四四)(五花五)"


def case(hand=HAND, rule="jingzhou", win=None, lang="en", options=None, **terms):
    return Case(rule, scorer.load_book(rule, options), scorer.parse_hand(hand), win, terms, lang)


def kinds(argument):
    return [explanation.kind for explanation in argument.explanations]


def test_a_right_count_is_called_right():
    argument = argue(case(), "22")
    assert argument.right
    assert argument.text() == "Claimed 22: right."


def test_the_option_that_explains_a_claim_is_named_with_the_group_where_it_matters():
    argument = argue(case(), "19")
    first = argument.explanations[0]
    assert first.kind == "option"
    assert first.options == {"eye_counts": "false"}
    (parting,) = first.partings
    assert (sorted(parting.cards), parting.ours, parting.theirs) == (["五", "花五"], 3, 0)


def test_another_main_jing_explains_a_claim():
    assert {"main_jing": "五"} in [dict(each.options) for each in argue(case(), "18").explanations]


def test_two_options_together_explain_what_none_alone_does():
    alone = case(options={"main_jing": "七"}).score().points
    together = case(options={"main_jing": "七", "eye_counts": "false"}).score().points
    assert together not in (alone, 22, 19)
    found = [dict(each.options) for each in argue(case(), str(together)).explanations]
    assert {"main_jing": "七", "eye_counts": "false"} in found


def test_a_discard_that_exposes_a_triplet_explains_a_claim():
    texts = [each.text for each in argue(case(win="四", by="self"), "21").explanations if each.kind == "win"]
    assert texts == ["If 四 had been discarded, it is 21."]


def test_a_group_taken_for_exposed_explains_a_claim():
    argument = argue(case(), "18")
    assert any(each.kind == "table" and "exposed" in each.text for each in argument.explanations)


def test_a_group_on_the_table_taken_for_one_in_hand_explains_a_claim():
    laid = case(hand=HAND.replace("三三花三", "") + "(三三花三)")
    assert laid.score().points == 18
    argument = argue(laid, "22")
    assert any(each.kind == "table" and "concealed" in each.text for each in argument.explanations)


def test_a_flower_taken_for_a_plain_card_explains_a_claim():
    assert "flower" in kinds(argue(case(), "21"))


def test_a_forgotten_group_explains_a_claim():
    argument = argue(case(), "20")
    assert any(each.kind == "miscount" and "花七" in each.text for each in argument.explanations)


def test_a_worse_split_explains_a_claim():
    hand = "上大人 可知禮 孔乙己 八九子 化花三千 三四五 三四五 三四花五 二二"
    best = case(hand=hand).score().points
    found = {}
    for groups in every_split(scorer.load_book("jingzhou"), scorer.parse_hand(hand), float("inf")):
        valuer = Valuer(scorer.load_book("jingzhou"))
        points = sum(group.points for group in value_split(valuer, groups, "三"))
        found.setdefault(points, groups)
    assert max(found) == best
    worse = min(found)
    assert worse < best
    assert "split" in kinds(argue(case(hand=hand), str(worse)))


def test_a_claim_that_nothing_explains_is_said_to_be_one():
    argument = argue(case(), "99")
    assert argument.explanations == ()
    assert "No option" in argument.text()


def test_a_claimed_split_that_is_the_best_is_right():
    argument = argue(case(), SPLIT)
    assert argument.right


def test_a_claimed_split_that_is_worse_shows_the_groups_that_differ():
    hand = "上大人 可知禮 孔乙己 八九子 化花三千 三三三 四四四 五五五 二二"
    claim = "(上大人)(可知禮)(孔乙己)(八九子)(化花三千)(三四五)(三四五)(三四五)(二二)"
    argument = argue(case(hand=hand), claim)
    assert argument.theirs < argument.ours
    assert {parting.cards for parting in argument.partings if parting.ours is None} == {("三", "四", "五")}
    assert any(parting.theirs is None for parting in argument.partings)


def test_groups_on_the_table_need_not_be_claimed_again():
    laid = case(hand=HAND.replace("三三花三", "") + "(三三花三)")
    assert argue(laid, SPLIT.replace("(三三花三)", "")).theirs == 18
    assert argue(laid, SPLIT).theirs == 18


def test_a_sentence_that_only_an_option_allows_is_said_to_need_it():
    hand = HAND.replace("孔乙己", "乙二三")
    claim = SPLIT.replace("孔乙己", "乙二三")
    strict = case(hand=hand, options={"number_sentences_from": "三"})
    argument = argue(strict, claim)
    assert argument.explanations[0].options == {"number_sentences_from": "乙"}
    assert "no group" in argument.explanations[0].text


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        (SPLIT.replace("(五花五)", "(五五)"), "other cards"),
        (SPLIT.replace("(上大人)", ""), "lacks"),
        (SPLIT.replace("(孔乙己)(八九子)", "(孔八己)(乙九子)"), "no group"),
        ("twenty", "a count or a split"),
        ("-3", "a count or a split"),
        ("1" * 9, "no hand"),
        ("(牌)", "牌"),
        ("", "a count or a split"),
    ],
)
def test_a_claim_that_is_none_is_refused_in_one_line(claim, says):
    with pytest.raises(ValueError, match=says) as error:
        argue(case(), claim)
    assert "\n" not in str(error.value)


def test_a_group_on_the_table_cannot_be_taken_apart():
    laid = case(hand="上大人 可知禮 孔乙己 八九子 化三千 四四四 五五五 二二 (三三三)")
    claim = "(上大人)(可知禮)(孔乙己)(八九子)(化三千)(三四五)(三四五)(三四五)(二二)"
    with pytest.raises(ClaimError, match="lies on the table"):
        argue(laid, claim)


def test_a_discard_completes_no_quad():
    hand = "上大人 可知禮 孔乙己 八九子 化三千 三三花三 五五五 四四四四 二二"
    claim = "(上大人)(可知禮)(孔乙己)(八九子)(化三千)(三三花三)(五五五)(四四四四)(二二)"
    with pytest.raises(ClaimError, match="no four"):
        argue(case(hand=hand, win="四", by="discard"), claim)


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "en"])
@pytest.mark.parametrize("claim", ["19", "20", "21", "99", SPLIT])
def test_the_argument_speaks_every_language(lang, claim):
    argument = argue(case(lang=lang), claim)
    assert argument.text()
    assert argument.to_json()["points"] == 22


RULES = ("sanjing", "wujing", "shuangbiegan", "jingzhou", "gongan", "shangdaren", "tongcheng")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(2))
def test_the_split_that_the_scorer_finds_is_worth_here_what_it_says(rule, seed):
    """The values are read twice from one book; no split of any hand may count more than the best."""
    rng = random.Random(seed * 31 + len(rule))
    book = scorer.load_book(rule)
    valuer = Valuer(book)
    checked = 0
    while checked < 2:
        hand = finished_hand(rng, book)
        score = scorer.score(book, hand)
        if score.points is None or any(group.shape == "pair" for group in score.groups):
            continue
        checked += 1
        claim = "".join(
            f"({''.join(card.partition('>')[0] for card in group.cards)})" for group in score.groups
        )
        assert argue(Case(rule, book, hand, None, {}, "en"), claim).theirs == score.points
        main = score.main_jing or ""
        for number, groups in enumerate(every_split(book, hand, float("inf"))):
            placed = place_win(groups, None, exposes=True)
            assert sum(group.points for group in value_split(valuer, placed, main)) <= score.points
            if number > 100:
                break


@pytest.mark.parametrize(("laid", "word"), [("[四四四四]", "exposed"), ("(四四四四)", "concealed")])
def test_in_a_book_where_it_matters_a_declared_quad_may_be_taken_for_an_exposed_one(tmp_path, laid, word):
    rule = tmp_path / "ours.toml"
    rule.write_text("base = 'jingzhou'\n[black]\nquad = 2\nquad_exposed = 1\n", encoding="utf-8")
    hand = "上大人 可知禮 孔乙己 八九子 化三千 三三花三 五花五 六六六"
    ours = case(hand=hand + laid, rule=str(rule))
    theirs = case(hand=hand + {"[": "(四四四四)", "(": "[四四四四]"}[laid[0]], rule=str(rule)).score().points
    found = [each for each in argue(ours, str(theirs)).explanations if each.kind == "table"]
    assert any(f"(四四四四) had been {word}" in each.text for each in found)


WILD_HAND = "上大人 可知禮 孔乙己 八九子 化賴千 七十土 三三花三 五五賴 四四"
WILD_SPLIT = "(上大人)(可知禮)(孔乙己)(八九子)(化賴千)(七十土)(三三花三)(五五賴)(四四)"


def test_a_wild_in_a_claimed_split_stands_for_what_brings_most():
    wild = case(hand=WILD_HAND, rule="shuangbiegan")
    argument = argue(wild, WILD_SPLIT)
    assert argument.theirs is not None
    assert argument.theirs <= argument.ours


@pytest.mark.parametrize("group", ["(可賴)", "(賴賴)", "(三賴)", "(六賴)", "(孔賴)"])
def test_a_wild_in_a_claimed_eye_stands_for_a_jing(group):
    valuer = Valuer(scorer.load_book("shuangbiegan"))
    expected = "eye" if group in ("(賴賴)", "(三賴)", "(六賴)") else None
    assert valuer.shape(group.strip("()")) == expected


def test_two_wilds_as_the_eye_count_eight():
    book = scorer.load_book("shuangbiegan")
    (group,) = value_split(Valuer(book), [Group("eye", ("賴", "賴"))], "五")
    assert group.points == 8


@pytest.mark.parametrize("cards", ["可可可賴", "賴賴賴", "三賴賴賴", "上大", "三三三三三三", "上知土"])
def test_what_no_book_knows_is_no_group(cards):
    assert Valuer(scorer.load_book("shuangbiegan")).shape(cards) != "sentence"
    assert Valuer(scorer.load_book("shuangbiegan")).shape(cards) in (None, "eye")


def test_a_claim_with_too_few_groups_is_refused():
    with pytest.raises(ClaimError, match="asks for 8 and 1"):
        argue(case(hand="上大人 可知禮 四四"), "(上大人)(可知禮)(四四)")


def test_splits_of_a_hand_with_wilds_are_not_listed():
    hand = scorer.parse_hand(WILD_HAND)
    assert list(every_split(scorer.load_book("shuangbiegan"), hand, float("inf"))) == []


def test_a_hand_that_does_not_split_can_be_argued_about_too():
    lost = case(hand="上大人 可知禮")
    argument = argue(lost, "17")
    assert argument.ours is None
    assert "no win" in argument.text()
