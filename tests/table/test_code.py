"""The short code reopens the same hand."""

import random
from dataclasses import replace

import pytest

import scorer
from table.code import (
    _RULES,
    ALPHABET,
    Claimed,
    _put_option,
    _Reader,
    _spell,
    _take_option,
    _Writer,
    decode,
    encode,
)
from table.words import CodeError

HAND = "三花三三 上大人 六七八 孔乙己 可可 (知知知知)(花九九九花九)[乙花乙乙乙](上上上上)"


def claimed(**changes):
    said = {"rule": "jingzhou", "hand": scorer.parse_hand(HAND), "win": "花三", "by": "discard", "stake": 10}
    return Claimed(**(said | changes))


def sorted_hand(hand):
    laid = [(group.bracket, sorted(group.cards)) for group in hand.laid]
    return sorted(hand.free), sorted(hand.picked), laid


def assert_same(first, second):
    assert sorted_hand(first.hand) == sorted_hand(second.hand)
    assert replace(first, hand=second.hand) == second


def test_a_hand_with_all_that_decides_it_comes_back():
    whole = claimed(
        options={"eye_counts": "false", "main_jing": "best"},
        players=4,
        winner=2,
        discarder=1,
        dui={0: 3, 1: 1},
    )
    assert_same(decode(encode(whole)), whole)


def test_a_code_is_short_enough_to_be_read_out():
    letters = encode(claimed()).replace("-", "")
    assert len(letters) <= 32
    assert set(letters) <= set(ALPHABET)


def test_how_the_hand_was_laid_out_does_not_change_its_code():
    hand = scorer.parse_hand(HAND)
    turned = scorer.Hand(free=hand.free[::-1], laid=hand.laid)
    assert encode(claimed(hand=turned)) == encode(claimed())


def test_an_option_at_its_default_is_not_carried():
    assert encode(claimed(options={"eye_counts": "true"})) == encode(claimed())


def test_letters_that_look_alike_are_read_as_one():
    code = encode(claimed())
    sloppy = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert_same(decode(sloppy), claimed())


@pytest.mark.parametrize("place", range(25))
def test_any_one_wrong_letter_is_noticed(place):
    letters = encode(claimed()).replace("-", "")
    if place >= len(letters):
        pytest.skip("the code is shorter")
    for letter in set(ALPHABET) - {letters[place]}:
        with pytest.raises(CodeError):
            decode(letters[:place] + letter + letters[place + 1 :])


def test_two_letters_that_changed_places_are_noticed():
    letters = encode(claimed()).replace("-", "")
    for place in range(1, len(letters) - 1):
        turned = letters[:place] + letters[place + 1] + letters[place] + letters[place + 2 :]
        if turned != letters:
            with pytest.raises(CodeError):
                decode(turned)


@pytest.mark.parametrize("text", ["", "-", "1", "牌", "17K2Q!", "Z" * 30, "1" * 500, "2ABCD-EFGHJ"])
def test_what_is_no_code_is_refused_in_one_line(text):
    with pytest.raises(CodeError) as error:
        decode(text)
    assert "\n" not in str(error.value)


def test_a_picked_up_card_stays_picked_up():
    hand = scorer.parse_hand("上大人 撿八 九子 撿花三 七十土")
    assert sorted_hand(decode(encode(claimed(rule="tongcheng", hand=hand, win=None))).hand) == sorted_hand(
        hand
    )


def test_a_hand_that_no_deck_has_comes_back_too():
    hand = scorer.parse_hand("上上上上上上上 (三四八)(可知禮)(大大)")
    assert sorted_hand(decode(encode(claimed(hand=hand, win=None))).hand) == sorted_hand(hand)


def test_a_wild_in_a_laid_group_comes_back():
    hand = scorer.parse_hand("上大人 (花三賴三)(賴花五五五)")
    again = decode(encode(claimed(rule="shuangbiegan", hand=hand, win=None)))
    assert sorted_hand(again.hand) == sorted_hand(hand)


def test_a_deck_of_96_comes_back():
    hand = scorer.parse_hand("福祿壽 爾小生 佳作仁 (上上上上)")
    again = decode(encode(claimed(rule="shangdaren", hand=hand, win="福")))
    assert sorted_hand(again.hand) == sorted_hand(hand)
    assert again.win == "福"


def own_rule(folder, text="base = 'jingzhou'\ntitle = '我們的規則'\n"):
    path = folder / "ours.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_code_of_a_tables_own_rule_asks_for_its_file(tmp_path):
    rule = own_rule(tmp_path)
    code = encode(claimed(rule=rule))
    with pytest.raises(CodeError, match="--rule"):
        decode(code)
    assert_same(decode(code, rule), claimed(rule=rule))


def test_a_code_of_another_own_rule_is_not_counted_by_this_one(tmp_path):
    code = encode(claimed(rule=own_rule(tmp_path)))
    other = own_rule(tmp_path, "base = 'sanjing'\n")
    with pytest.raises(CodeError, match="another rule book"):
        decode(code, other)


@pytest.mark.parametrize("seed", range(60))
def test_every_hand_comes_back(seed):
    rng = random.Random(seed)
    rule = rng.choice(scorer.RULES)
    book = scorer.load_book(rule)
    pile = [card for card, count in scorer.deck_cards(book.kind).items() for _ in range(count)]
    rng.shuffle(pile)
    laid = tuple(
        scorer.Laid(tuple(pile.pop() for _ in range(rng.randint(2, 5))), rng.choice(["round", "square"]))
        for _ in range(rng.randint(0, 4))
    )
    hand = scorer.Hand(free=tuple(pile[: rng.randint(1, 26)]), laid=laid)
    options = {each.name: str(rng.choice(each.allowed or (7, 8, 9))).lower() for each in book.option_details}
    whole = Claimed(
        rule,
        hand,
        {
            each.name: options[each.name]
            for each in book.option_details
            if options[each.name] != str(each.default).lower()
            # what turns the deck into another is tried with hands of that deck
            and each.name != "wilds"
        },
        win=rng.choice([None, *hand.free]),
        by=rng.choice(["self", "discard"]),
        players=rng.choice([None, 2, 3, 4]),
        stake=rng.choice([1, 10, 123456]),
        winner=rng.randint(0, 3),
        discarder=rng.choice([None, 0, 1, 2, 3]),
        dui={seat: rng.randint(0, 8) for seat in range(4) if rng.random() < 0.3},
    )
    assert_same(decode(encode(whole)), whole)


@pytest.mark.parametrize(
    ("code", "text", "whole"),
    [
        (
            "151K5-4R8B0-G57KQ-6SYTA-WTEVV-KYP2Y-K9HH3-S3C",
            "三花三三 上大人 六七八 孔乙己 可可 (知知知知)(花九九九花九)[乙花乙乙乙](七十土)",
            Claimed(
                "jingzhou", scorer.Hand(()), {"eye_counts": "false"}, "花三", "discard", 4, 10, 1, 2, {0: 3}
            ),
        ),
        (
            "11F9S-D9M6P-JNF7W-CG9PJ-QJ682-9",
            "福祿壽 爾小生 佳作仁 (上上上上) 七七",
            Claimed("shangdaren", scorer.Hand(()), {"ku_minimum": "0", "false_claim": "2"}, "福"),
        ),
        (
            "11X15-Q9QB7-YW70E-EJP6E-0BZ99-HDH5A-G0CTR-SMJ5C-7J",
            "撿八 九子 賴花三 (花五賴五) 化三千",
            Claimed("jingzhou_shuangbiegan", scorer.Hand(()), {"wilds": "2", "step_size": "9"}),
        ),
    ],
)
def test_a_code_that_was_sent_round_stays_readable(code, text, whole):
    """Codes are kept in chats for years: where this fails, the version has to change."""
    again = decode(code)
    assert sorted_hand(again.hand) == sorted_hand(scorer.parse_hand(text))
    assert replace(again, hand=whole.hand) == whole


@pytest.mark.parametrize("rule", scorer.RULES)
def test_every_option_has_a_short_form(rule):
    """Options that the tables of this module do not know are written out, which makes a code long."""
    plain = len(encode(claimed(rule=rule, hand=scorer.parse_hand("上大人"), win=None)))
    for option in scorer.load_book(rule).option_details:
        for value in option.allowed or (9,):
            options = {option.name: str(value).lower() if isinstance(value, bool) else str(value)}
            code = encode(claimed(rule=rule, hand=scorer.parse_hand("上大人"), win=None, options=options))
            assert len(code) <= plain + 6, options


@pytest.mark.parametrize("bits", [8, 20, 60, 120, 400, 1200])
def test_a_code_that_somebody_made_up_is_read_or_refused(bits):
    """A right check does not make a hand: nothing but a hand or one line comes out."""
    rng = random.Random(bits)
    for _ in range(60):
        try:
            made_up = decode(_spell(rng.getrandbits(bits)))
        except (CodeError, scorer.ScorerError):
            continue
        assert made_up.hand.size > 0


def test_a_code_of_an_option_that_no_book_knows_is_refused():
    out = _Writer()
    out.put(_RULES.index("jingzhou"), 32)
    out.put_any(1)
    out.put(31, 32)
    out.put_text("played_by_moonlight")
    out.put_text("true")
    with pytest.raises(CodeError, match="does not know"):
        decode(_spell(out.number()))


def test_an_option_value_that_the_table_does_not_know_is_written_out():
    out = _Writer()
    _put_option(out, "main_jing", "可")
    _put_option(out, "step_size", "many")
    source = _Reader(out.number())
    assert [_take_option(source), _take_option(source)] == [("main_jing", "可"), ("step_size", "many")]


def test_a_number_that_does_not_fit_is_refused():
    with pytest.raises(CodeError, match="does not fit"):
        encode(claimed(winner=9))


def test_a_rule_book_that_is_not_there_is_said(tmp_path):
    code = encode(claimed(rule=own_rule(tmp_path)))
    with pytest.raises(CodeError, match="no rule book"):
        decode(code, str(tmp_path / "gone.toml"))
