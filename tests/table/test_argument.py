"""He says 17, I say 22: where the two part."""

import random

import pytest

import scorer
from scorer.lang import simplify
from table.argument import Case, argue, read_count
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


def test_splits_of_a_hand_with_wilds_name_the_cards_that_it_holds():
    book, hand = scorer.load_book("shuangbiegan"), scorer.parse_hand(WILD_HAND)
    splits = list(every_split(book, hand, float("inf")))
    assert splits
    valuer = Valuer(book)
    best = scorer.score(book, hand)
    for groups in splits:
        assert sorted(card for group in groups for card in group.cards) == sorted(hand.cards())
        assert sum(group.points for group in value_split(valuer, groups, best.main_jing)) <= best.points


def test_a_worse_split_of_a_hand_with_wilds_explains_a_claim():
    wild = case(hand=WILD_HAND, rule="shuangbiegan")
    claimed = argue(wild, WILD_SPLIT).theirs
    assert claimed < wild.score().points
    assert "split" in kinds(argue(wild, str(claimed)))


TONGCHENG = "上大人 孔乙己 化三千 七十土 撿八九子 五五五 二二"
TONGCHENG_SPLIT = "(上大人)(孔乙己)(化三千)(七十土)(八九子)(五五五)(二二)"


@pytest.mark.parametrize("pick", ["撿", "捡", ""])
def test_a_claimed_split_may_say_what_was_picked_up(pick):
    argument = argue(case(TONGCHENG, "tongcheng"), TONGCHENG_SPLIT.replace("八", f"{pick}八"))
    assert argument.right
    assert argument.theirs == 11


def test_a_claimed_split_with_a_picked_up_card_in_a_triplet_is_impossible():
    picked = case(TONGCHENG.replace("五五五", "撿五五五").replace("撿八", "八"), "tongcheng")
    with pytest.raises(ClaimError, match="picked-up 五"):
        argue(picked, TONGCHENG_SPLIT)


def test_a_picked_up_pair_is_no_eye():
    picked = case(TONGCHENG.replace("二二", "二撿二").replace("撿八", "八"), "tongcheng")
    with pytest.raises(ClaimError, match="picked-up 二"):
        argue(picked, TONGCHENG_SPLIT)


def test_splits_keep_picked_up_cards_where_they_may_stand():
    book = scorer.load_book("tongcheng")
    hand = scorer.parse_hand("上大人 孔乙己 七十土 三四五 三四五 撿三四五 二二")
    splits = list(every_split(book, hand, float("inf")))
    assert splits
    assert not any(group.shape == "triplet" and "三" in group.cards for groups in splits for group in groups)
    free = scorer.parse_hand(str(hand).replace("撿", ""))
    assert len(list(every_split(book, free, float("inf")))) > len(splits)


def test_a_card_taken_for_picked_up_explains_a_claim():
    hand = "上大人 孔乙己 七十土 撿三四五 三四五 三四五 二二"
    free = case(hand.replace("撿", ""), "tongcheng").score().points
    picked = case(hand, "tongcheng")
    assert free > picked.score().points
    assert "picked" in kinds(argue(picked, str(free)))


def test_a_discard_is_none_of_the_picked_up_copies():
    """The 八 of the sentence was picked up, so the discarded one completed the triplet."""
    groups = (Group("sentence", ("八", "九", "子")), Group("triplet", ("八", "八", "八")))
    (_, triplet) = place_win(groups, "八", exposes=True, picked=("八",))
    assert triplet.exposed
    assert not place_win(groups, "八", exposes=True)[1].exposed


PAIRS = "上上大大人人孔孔乙乙己己化化三三千千七七"


def test_ten_pairs_can_be_claimed():
    claim = "".join(f"({pair * 2})" for pair in "上大人孔乙己化三千七")
    argument = argue(case(PAIRS, "tongcheng"), claim)
    assert (argument.ours, argument.theirs) == (6, 4)
    only = case("上上大大人人孔孔乙乙己己化化三三五五八八", "tongcheng")
    assert argue(only, "".join(f"({pair * 2})" for pair in "上大人孔乙己化三五八")).right


def test_ten_pairs_are_none_where_something_lies_on_the_table():
    laid = case("大大人人孔孔乙乙己己化化三三千千 (上上上上)", "tongcheng")
    with pytest.raises(ClaimError):
        argue(laid, "(上上)(上上)" + "".join(f"({pair * 2})" for pair in "大人孔乙己化三千"))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("22", 22),
        ("２２", 22),
        ("22和", 22),
        ("22 points", 22),
        ("二十二", 22),
        ("二十二胡", 22),
        ("十七个子", 17),
        ("十", 10),
        ("九", 9),
        ("一百零五", 105),
        ("两百", 200),
        ("百二十", None),
        ("二二", None),
        ("", None),
        ("和", None),
        ("-3", None),
        ("1.5", None),
        ("9" * 5000, 100_001),
    ],
)
def test_a_count_is_read_as_players_say_it(text, number):
    assert read_count(text) == number


def test_a_claim_of_the_steps_is_said_to_be_one():
    first = argue(case(), "2").explanations[0]
    assert first.kind == "steps"
    assert "22 points make 2" in first.text


def test_a_class_claimed_without_what_is_added_to_it_is_said_to_be_one():
    alike = case("上上上大大大人人人孔孔孔乙乙乙己己己福福", "shangdaren")
    assert alike.score().steps == 8
    (only,) = [each for each in argue(alike, "6").explanations if each.kind == "steps"]
    assert "without the 2 of 碰碰胡" in only.text


def test_a_flower_on_the_table_may_be_taken_for_a_plain_card():
    hand = "上大人 可知禮 孔乙己 八九子 二三四 花七十土 四四四 六六 ({})"
    plain = case(hand.format("五五五")).score().points
    explained = argue(case(hand.format("五五花五")), str(plain)).explanations
    assert any("one 花五 were 五" in each.text for each in explained)


def test_of_jing_held_alike_a_claimed_split_takes_the_better():
    """Three 三 and three 五: a claim that does better with 五 as main is counted so."""
    hand = "上大人 可知禮 孔乙己 八九子 化三千 四五六 三四五 二三四 花五五"
    tied = case(hand, "sanjing")
    claim = "(上大人)(可知禮)(孔乙己)(八九子)(化三千)(四五六)(三四五)(二三四)(花五五)"
    best = max(case(hand, "sanjing", options={"main_jing": main}).score().points for main in ("三", "五"))
    assert argue(tied, claim).theirs <= best
    for seed in range(3):
        shuffled = list("".join(claim).replace(")", " ").replace("(", "").split())
        random.Random(seed).shuffle(shuffled)
        assert argue(tied, "".join(f"({group})" for group in shuffled)).theirs == argue(tied, claim).theirs


@pytest.mark.parametrize("rule", scorer.RULES)
def test_the_counted_split_in_any_order_and_script_is_right_in_every_book(rule):
    rng = random.Random(len(rule))
    book = scorer.load_book(rule)
    for _ in range(3):
        hand = finished_hand(rng, book)
        score = scorer.score(book, hand)
        if score.points is None:
            continue
        groups = [[card.partition(">")[0] for card in group.cards] for group in score.groups]
        rng.shuffle(groups)
        for group in groups:
            rng.shuffle(group)
        claim = "".join(f"({''.join(group)})" for group in groups)
        for written in (claim, simplify(claim), claim.replace("(", "（").replace(")", "）")):
            assert argue(Case(rule, book, hand, None, {}, "en"), written).right


def test_a_hand_that_does_not_split_can_be_argued_about_too():
    lost = case(hand="上大人 可知禮")
    argument = argue(lost, "17")
    assert argument.ours is None
    assert "no win" in argument.text()
