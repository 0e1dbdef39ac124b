"""Every number of docs/RULES.md, read from that page and asked of both implementations.

A group is counted in a hand whose other groups and eye count nothing, so that the hand's points
are the group's. Each hand also goes through the whole comparison with the reference.
"""

from __future__ import annotations

from typing import Any

import pytest

import scorer
from tests.scorer.fuzz import ask_scorer, differences
from tests.scorer.reference import Case, Hand
from tests.scorer.reference import waits as reference_waits

NOTHING = "土千化子八十己孔六"
JING_BOOKS = ("sanjing", "wujing", "shuangbiegan", "jingzhou", "gongan")


def agreed(rule: str, text: str, **round_: Any) -> dict[str, Any]:
    """The scorer's report of a hand, on which the reference agrees."""
    case = Case(rule, Hand.read(text), **round_)
    assert differences(case) == []
    return ask_scorer(case)


def beside_nothing(text: str, groups: int, eye: str = "二四") -> str:
    """`text` as one group of a hand whose other groups, exposed black triplets, count nothing."""
    fillers = [c for c in NOTHING if c not in text + eye]
    return f"{text} {eye} " + "".join(f"({c * 3})" for c in fillers[: groups - 1])


def points(rule: str, text: str, *, groups: int = 8, eye: str = "二四", **round_: Any) -> int:
    """What one group counts."""
    answer = agreed(rule, beside_nothing(text, groups, eye), **round_)["points"]
    assert isinstance(answer, int)
    return answer


def main(jing: str) -> dict[str, Any]:
    """The option that makes a jing the main one."""
    return {"options": {"main_jing": jing}}


# --- 3. a finished hand --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(三三) 二四 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "unknown_group"),
        ("(上大知) 二四 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)", "unknown_group"),
        ("[上大人] 二四 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)", "unknown_group"),
        ("[孔孔孔] 二四 (己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "unknown_group"),
        ("(孔孔孔孔孔孔) 二四 (己己己)(土土土)", "unknown_group"),
        ("二四 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)", "wrong_count"),
        ("二 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "wrong_count"),
        ("二四 (孔孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)六六", "wrong_count"),
        ("二四六 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "wrong_count"),
        ("二四 (孔孔孔)(孔孔孔)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "too_many_copies"),
        ("花三花三花三 二四 (孔孔孔)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "too_many_copies"),
        ("乙乙乙乙 二 (孔孔孔)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "too_many_copies"),
        ("二大 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "no_split"),
        ("二四 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)", "too_few_points"),
    ],
)
@pytest.mark.parametrize("rule", JING_BOOKS)
def test_3_each_reason_not_to_win(rule: str, text: str, reason: str) -> None:
    report = agreed(rule, text)
    assert report["reason"] == reason
    assert report["wins"] is False
    assert report["steps"] == 0
    assert report["payments"] == []
    assert (report["points"] is None) == (reason != "too_few_points")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(三三)(孔孔孔孔孔孔)", "unknown_group"),
        ("孔孔孔孔孔孔孔孔孔", "wrong_count"),
        ("孔孔孔孔孔孔 上 (己己己)(土土土)(千千千)(化化化)(子子子)(八八八)七", "too_many_copies"),
    ],
)
def test_3_the_first_reason_of_several_is_given(text: str, reason: str) -> None:
    assert agreed("sanjing", text)["reason"] == reason


def test_3_a_quad_that_stays_one_group_brings_one_card_more() -> None:
    rest = "(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)(十十十)"
    assert points("sanjing", "可可可可") == 4
    assert agreed("sanjing", f"可可可可 二 {rest}")["reason"] == "no_split"
    assert agreed("sanjing", f"可可可可知禮 {rest}")["points"] == 4
    assert agreed("sanjing", f"可可可知知禮 {rest}")["reason"] == "wrong_count"
    assert agreed("sanjing", f"可可可知禮 {rest}")["points"] == 2


def test_3_the_winning_card_never_completes_a_free_quad() -> None:
    text = beside_nothing("可可可可", 8)
    assert agreed("sanjing", text)["points"] == 4
    assert agreed("sanjing", text, win="二")["points"] == 4
    for by in ("self", "discard"):
        assert agreed("sanjing", text, win="可", by=by)["reason"] == "wrong_count"


def test_3_the_winning_card_never_completes_a_free_quint() -> None:
    text = beside_nothing("可可可可可", 8)
    assert agreed("sanjing", text, win="四", by="discard")["points"] == 8
    assert agreed("sanjing", text, win="可")["reason"] == "wrong_count"


def test_3_a_discard_that_could_only_complete_the_quad_does_not_split() -> None:
    rest = "(己己己)(土土土)(千千千)(化化化)(子子子)(十十十)"
    # one four must stay whole: 二, for the eye 二三 needs one of the fours broken and 可三 is none
    text = f"可可可可 二二二二 三 {rest}"
    assert agreed("sanjing", text)["points"] is not None
    assert agreed("sanjing", text, win="可")["reason"] == "no_split"


def test_3_the_triplet_that_a_discard_completes_is_exposed() -> None:
    text = beside_nothing("可可可", 8)
    assert agreed("sanjing", text, win="可", by="self")["points"] == 2
    assert agreed("sanjing", text, win="可", by="discard")["points"] == 1
    assert agreed("sanjing", text, by="discard")["points"] == 2
    concealed = {"discard_completes": "concealed"}
    assert agreed("sanjing", text, win="可", by="discard", options=concealed)["points"] == 2


def test_3_a_discard_sits_where_it_gives_most() -> None:
    rest = "(孔孔孔)(土土土)(千千千)(化化化)(十十十)(己己己)"
    # 可 may complete 可知禮 as well as 可可可
    assert agreed("sanjing", f"可可可 可知禮 二四 {rest}", win="可", by="discard")["points"] == 3
    # a flower is told from a plain copy: only the flower may be the one that was thrown
    text = f"三三花三 花三四五 六八 {rest}"
    for card, most in (("三", 3 + 1), ("花三", 6)):
        report = agreed("sanjing", text, win=card, by="discard", **main("五"))
        assert report["points"] >= most


@pytest.mark.parametrize(
    ("rule", "eye", "counts", "without"),
    [
        ("sanjing", "三三", 4, 0),
        ("sanjing", "三花三", 6, 0),
        ("sanjing", "上大", 0, 0),
        ("sanjing", "可可", 0, 0),
        ("jingzhou", "花乙花乙", 2, 2),
        ("jingzhou", "花九九", 1, 1),
        ("jingzhou", "三花三", 6, 0),
        ("gongan", "花乙花乙", 2, 0),
        ("wujing", "花九九", 6, 0),
    ],
)
def test_3_the_eye(rule: str, eye: str, counts: int, without: int) -> None:
    assert points(rule, "(土土土)", eye=eye) == counts
    assert points(rule, "(土土土)", eye=eye, options={"eye_counts": False}) == without


# --- 4. 三精 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("(上大人)", 1),
        ("(可知禮)", 1),
        ("(孔乙己)", 0),
        ("(八九子)", 0),
        ("可可可", 2),
        ("孔孔孔", 1),
        ("(可可可)", 1),
        ("(孔孔孔)", 0),
        ("可可可可", 4),
        ("[可可可可]", 4),
        ("(可可可可)", 4),
        ("孔孔孔孔", 2),
        ("[孔孔孔孔]", 2),
        ("(孔孔孔孔)", 2),
        ("可可可可可", 8),
        ("[可可可可可]", 8),
        ("(可可可可可)", 8),
        ("孔孔孔孔孔", 4),
        ("(孔孔孔孔孔)", 4),
        # flower 乙 and 九 count nothing by the letter
        ("(乙乙花乙)", 0),
        ("(八花九子)", 0),
        ("(九九花九花九)", 2),
    ],
)
@pytest.mark.parametrize("rule", ["sanjing", "shuangbiegan"])
def test_4_plain_groups(rule: str, text: str, counts: int) -> None:
    assert points(rule, text) == counts


JING_GROUPS = [
    ("{}{}{}", 5),
    ("{}{}花{}", 6),
    ("{}花{}花{}", 7),
    ("({}{}{})", 3),
    ("({}{}花{})", 4),
    ("({}花{}花{})", 5),
    ("{}{}{}花{}", 12),
    ("[{}{}{}花{}]", 12),
    ("({}{}{}花{})", 12),
    ("{}{}花{}花{}", 14),
    ("({}{}花{}花{})", 14),
    ("{}{}{}花{}花{}", 28),
    ("[{}{}{}花{}花{}]", 28),
    ("({}{}{}花{}花{})", 28),
]


@pytest.mark.parametrize(("pattern", "counts"), JING_GROUPS)
@pytest.mark.parametrize("jing", ["三", "五", "七"])
@pytest.mark.parametrize("rule", JING_BOOKS)
def test_4_groups_of_jing(rule: str, jing: str, pattern: str, counts: int) -> None:
    text = pattern.replace("{}", jing)
    other = "七" if jing == "三" else "三"
    assert points(rule, text, eye="上大", **main(jing)) == 2 * counts
    assert points(rule, text, eye="上大", **main(other)) == counts


@pytest.mark.parametrize(
    ("text", "jing", "counts"),
    [
        ("(化花三千)", "三", 4),
        ("(化三千)", "三", 2),
        ("(化三千)", "七", 1),
        ("(化花三千)", "七", 2),
        ("(三四花五)", "三", 2 + 2),
        ("(三四花五)", "五", 1 + 4),
        ("(五六花七)", "三", 1 + 2),
    ],
)
@pytest.mark.parametrize("rule", JING_BOOKS)
def test_4_jing_in_a_sentence(rule: str, text: str, jing: str, counts: int) -> None:
    assert points(rule, text, eye="上大", **main(jing)) == counts


def test_4_the_main_jing_is_the_one_held_most_the_table_included() -> None:
    # three 三 on the table beat a pair of flower 五, though main 五 would give more here
    text = "(化三千)(二三四)(二三四) 花五花五 (孔孔孔)(土土土)(己己己)(子子子)(八八八)"
    report = agreed("sanjing", text)
    assert report["main_jing"] == "三"
    assert report["points"] == 2 + 2 + 2 + 4
    best = agreed("sanjing", text, options={"main_jing": "best"})
    assert best["main_jing"] == "五"
    assert best["points"] == 1 + 1 + 1 + 8


def test_4_among_jing_held_alike_the_one_that_gives_more_is_main() -> None:
    text = "(化三千)(七十土) 花五六 (孔孔孔)(己己己)(子子子)(八八八)(二二二)(四四四)"
    report = agreed("sanjing", text)
    assert report["main_jing"] == "五"
    assert report["points"] == 1 + 1 + 4


@pytest.mark.parametrize("rule", JING_BOOKS)
def test_4_no_jing_no_main_jing(rule: str) -> None:
    text = "可可可可可 上上上上上 大大大大大 人人人人人 知知知知知 (孔孔孔)(土土土)(己己己) 二四"
    if rule == "wujing":
        text = text.replace("二四", "二六").replace("二六", "禮禮")
    report = agreed(rule, text)
    assert report["main_jing"] is None
    assert report["points"] == 40


@pytest.mark.parametrize(("text", "counts"), [("(乙乙花乙)", 1), ("乙花乙花乙", 3), ("(八花九子)", 1)])
@pytest.mark.parametrize("rule", ["sanjing", "shuangbiegan"])
def test_4_black_flowers_count_one_by_option(rule: str, text: str, counts: int) -> None:
    assert points(rule, text, options={"black_flower_points": 1}) == counts
    assert points(rule, "(土土土)", eye="花乙花乙", options={"black_flower_points": 1}) == 2
    assert points(rule, "(土土土)", eye="花乙花乙") == 0


# Hands of exactly these points in 三精: two quads, then triplets and sentences.
EXACTLY = {
    16: "可可可可 上上上上 大大大大 人人人人",
    17: "可可可可 上上上上 大大大大 人人人人 孔孔孔",
    21: "可可可可 上上上上 大大大大 人人人人 知知知知 孔孔孔",
    22: "可可可可 上上上上 大大大大 人人人人 知知知知 禮禮禮",
    26: "可可可可 上上上上 大大大大 人人人人 知知知知 禮禮禮禮 孔孔孔孔",
    27: "可可可可 上上上上 大大大大 人人人人 知知知知 禮禮禮禮 孔孔孔孔 己己己",
    32: "可可可可 上上上上 大大大大 人人人人 知知知知知 禮禮禮禮 二二二二二",
    36: "可可可可 上上上上 大大大大 人人人人 知知知知知 禮禮禮禮禮 孔孔孔孔 (二二二二)",
}


def exactly(number: int) -> str:
    """A hand of 花牌 with this number of points, eye 八子."""
    text = EXACTLY[number]
    fillers = "土千化十四六"
    return f"{text} 八子 " + "".join(f"({c * 3})" for c in fillers[: 8 - len(text.split())])


@pytest.mark.parametrize(("number", "steps"), [(17, 1), (21, 1), (22, 2), (26, 2), (27, 3), (32, 4), (36, 4)])
@pytest.mark.parametrize("rule", ["sanjing", "shuangbiegan", "jingzhou"])
def test_4_and_7_17_points_are_one_step_and_every_five_one_more(rule: str, number: int, steps: int) -> None:
    report = agreed(rule, exactly(number), options={"main_jing": "三"})
    assert report["points"] == number
    assert report["steps"] == steps
    assert report["minimum"] == 17


def test_4_16_points_are_one_too_few() -> None:
    report = agreed("sanjing", exactly(16))
    assert (report["wins"], report["reason"], report["points"]) == (False, "too_few_points", 16)


@pytest.mark.parametrize("rule", ["sanjing", "wujing", "shuangbiegan", "jingzhou"])
def test_4_17_points_at_stake_10_bring_20_either_way(rule: str) -> None:
    text = exactly(17)
    drawn = agreed(rule, text, stake=10)
    assert drawn["payments"] == [{"seat": 1, "pays": 10, "to": 0}, {"seat": 2, "pays": 10, "to": 0}]
    thrown = agreed(rule, text, stake=10, by="discard", discarder=2)
    assert thrown["payments"] == [{"seat": 2, "pays": 20, "to": 0}]
    assert agreed(rule, text, stake=10, by="discard")["payments"] == [{"seat": 1, "pays": 20, "to": 0}]


def payments(rule: str, text: str, **round_: Any) -> dict[int, int]:
    """Seat and what it pays."""
    return {p["seat"]: p["pays"] for p in agreed(rule, text, **round_)["payments"]}


def test_4_who_exposed_three_triplets_pays_for_all() -> None:
    text = exactly(17)
    assert payments("sanjing", text, stake=10, dui={2: 3}) == {2: 20}
    assert payments("sanjing", text, stake=10, dui={2: 2}) == {1: 10, 2: 10}
    assert payments("sanjing", text, stake=10, dui={0: 4}) == {1: 10, 2: 10}
    assert payments("sanjing", text, stake=10, dui={2: 3}, by="discard", discarder=1) == {2: 20}
    both = {1: 3, 2: 4}
    assert payments("sanjing", text, stake=10, dui=both) == {1: 10, 2: 10}
    assert payments("sanjing", text, stake=10, dui=both, by="discard", discarder=2) == {2: 20}


def test_4_a_rest_that_cannot_be_shared_goes_to_the_earlier_seats() -> None:
    text = exactly(17)
    # 公安 on a discard: 3 + 2 = 5 in all; the discarder alone where he is one of two
    assert payments("gongan", text, by="discard", discarder=1, dui={1: 3, 2: 3}) == {1: 5}
    # 通城 with four players: 3 steps each from three, of whom two pay: 9 = 5 + 4
    text = "三三三花三花三 五花五 (孔孔孔)(己己己)(千千千)(子子子)(八八八)"
    assert payments("tongcheng", text, options={"bao": True}, dui={1: 3, 3: 3}) == {1: 5, 3: 4}


@pytest.mark.parametrize("rule", ["jingzhou", "tongcheng", "jingzhou_shuangbiegan", "shangdaren"])
def test_4_elsewhere_bao_is_off_unless_set(rule: str) -> None:
    text = {
        "jingzhou": exactly(17),
        "jingzhou_shuangbiegan": "三三三花三花三 可可可可 (上大人) 五五 "
        "(孔孔孔)(己己己)(千千千)(子子子)(八八八)",
        "tongcheng": "三三三花三花三 五五 (孔孔孔)(己己己)(千千千)(子子子)(八八八)",
        "shangdaren": "上上上 大大大 人人 (孔孔孔)(己己己)(千千千)(子子子)",
    }[rule]
    off = payments(rule, text, dui={1: 3})
    on = payments(rule, text, dui={1: 3}, options={"bao": True})
    assert set(off) == set(range(1, len(off) + 1))
    assert len(off) > 1
    assert on == {1: sum(off.values())}


# --- 5. 五精 -------------------------------------------------------------------------------


@pytest.mark.parametrize(("pattern", "counts"), JING_GROUPS)
@pytest.mark.parametrize("jing", ["乙", "三", "五", "七", "九"])
def test_5_five_jing_by_the_same_table(jing: str, pattern: str, counts: int) -> None:
    text = pattern.replace("{}", jing)
    other = "七" if jing == "三" else "三"
    assert points("wujing", text, eye="上大", **main(jing)) == 2 * counts
    assert points("wujing", text, eye="上大", **main(other)) == counts
    assert points("wujing", text, eye="上大") == 2 * counts


def test_5_black_flower_points_does_not_apply() -> None:
    with pytest.raises(scorer.ScorerError):
        scorer.load_book("wujing", {"black_flower_points": 1})


# --- 6. 雙別桿 -----------------------------------------------------------------------------


WILD_GROUPS = [
    ("賴三三", 6),
    ("賴三花三", 7),
    ("賴花三花三", 9),
    ("賴賴三", 7),
    ("賴賴花三", 12),
    ("(賴三三)", 4),
    ("(賴花三花三)", 6),
    ("(賴賴三)", 5),
    ("(賴賴花三)", 6),
    ("賴三三三", 12),
    ("賴三三花三", 14),
    ("賴三花三花三", 18),
    ("賴賴三三", 14),
    ("賴賴三花三", 18),
    ("賴賴花三花三", 24),
    ("[賴賴花三花三]", 24),
    ("(賴賴花三花三)", 24),
    ("賴三三三花三", 28),
    ("賴三三花三花三", 36),
    ("賴賴三三三", 28),
    ("賴賴三三花三", 36),
    ("賴賴三花三花三", 48),
    ("(賴賴三花三花三)", 48),
]


@pytest.mark.parametrize(("text", "counts"), WILD_GROUPS)
@pytest.mark.parametrize("rule", ["shuangbiegan", "gongan"])
def test_6_groups_with_wilds(rule: str, text: str, counts: int) -> None:
    assert points(rule, text, eye="上大", **main("三")) == 2 * counts
    assert points(rule, text, eye="上大", **main("七")) >= counts


@pytest.mark.parametrize(("text", "counts"), [(t, n) for t, n in WILD_GROUPS if t[0] in "(["])
def test_6_groups_with_wilds_on_the_table_not_main(text: str, counts: int) -> None:
    assert points("shuangbiegan", text, eye="上大", **main("七")) == counts


def test_6_a_pair_of_wilds_as_eye_counts_8() -> None:
    for jing in "三五七":
        assert points("shuangbiegan", "(土土土)", eye="賴賴", **main(jing)) == 8
    report = agreed("shuangbiegan", beside_nothing("(土土土)", 8, "賴賴"))
    assert report["main_jing"] in "三五七"
    assert report["points"] == 8


def test_6_wilds_are_not_counted_for_the_most_held() -> None:
    # one 五 is held, no 三: 五 is main though the wild stands for 三
    report = agreed("shuangbiegan", beside_nothing("(化賴千)", 8, "五五").replace("(化化化)", "(二二二)"))
    assert report["main_jing"] == "五"
    assert report["points"] == 2 + 2 + 2


def test_6_a_wild_never_stands_for_another_character() -> None:
    assert agreed("shuangbiegan", beside_nothing("可可賴", 8, "二六"))["reason"] == "no_split"
    assert agreed("shuangbiegan", beside_nothing("(可可賴)", 8))["reason"] == "unknown_group"


def test_6_more_than_five_of_a_character_in_a_hand_but_not_in_a_group() -> None:
    text = "三三三花三花三 賴二四 (孔孔孔)(己己己)(土土土)(千千千)(子子子)(八八八) 十土"
    assert agreed("shuangbiegan", text, **main("三"))["points"] == 2 * 36 + 2
    six = "(三三三花三花三賴) 二四 (孔孔孔)(己己己)(土土土)(千千千)(子子子)(八八八)(十十十)"
    assert agreed("shuangbiegan", six)["reason"] == "unknown_group"


# --- 7. 荊州 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("(乙乙花乙)", 1),
        ("(乙花乙花乙)", 2),
        ("乙乙花乙", 2),
        ("(乙乙乙花乙)", 3),
        ("(九九九花九花九)", 4 + 2),
        ("(孔花乙己)", 1),
        ("(八花九子)", 1),
        ("(可可可可可)", 8),
        ("(四四四四四)", 4),
    ],
)
def test_7_black_flowers_count_one_wherever_they_lie(text: str, counts: int) -> None:
    assert points("jingzhou", text, eye="上大") == counts


def test_7_with_two_players_24_points_are_two_steps() -> None:
    text = "可可可可 上上上上 大大大大 人人人人 知知知知 禮禮禮禮 八子 (土土土)(千千千)"
    report = agreed("jingzhou", text, players=2, stake=10)
    assert (report["points"], report["minimum"], report["steps"]) == (24, 24, 2)
    assert report["payments"] == [{"seat": 1, "pays": 20, "to": 0}]
    assert payments("jingzhou", text, players=2, stake=10, by="discard") == {1: 20}
    short = agreed("jingzhou", exactly(22), players=2)
    assert (short["wins"], short["reason"]) == (False, "too_few_points")


def test_7_of_four_players_three_play() -> None:
    text = exactly(17)
    assert payments("jingzhou", text, players=4) == {1: 1, 2: 1}
    assert payments("jingzhou", text, players=4, by="discard", winner=1, discarder=2) == {2: 2}


# --- 8. 通城個子 ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("(上大人)", 1),
        ("(孔乙己)", 0),
        ("(化三千)", 1),
        ("(化花三千)", 2),
        ("(七十土)", 1),
        ("(花七十土)", 2),
        ("(孔花乙己)", 1),
        ("(八花九子)", 1),
        ("(三四五)", 3),
        ("(三四花五)", 5),
        ("可可可", 2),
        ("孔孔孔", 1),
        ("(可可可)", 1),
        ("(孔孔孔)", 0),
        ("三三三", 5),
        ("五五五", 8),
        ("五花五花五", 12),
        ("(五五五)", 7),
        ("乙花乙花乙", 3),
        ("(可可可可)", 4),
        ("(孔孔孔孔)", 2),
        ("可可可可", 4),
        ("可可可可可", 8),
        ("孔孔孔孔孔", 3),
        ("(孔孔孔孔孔)", 3),
        ("三三三花三花三", 8 + 7),
    ],
)
def test_8_shape_and_cards(text: str, counts: int) -> None:
    assert points("tongcheng", text, groups=6, eye="上大") == counts
    assert points("jingzhou_shuangbiegan", text, groups=8, eye="上大") == counts
    six = {"form": "six_and_half"}
    assert points("jingzhou_shuangbiegan", text, groups=6, eye="上大", options=six) == counts


@pytest.mark.parametrize(("eye", "counts"), [("三五", 3), ("花五花五", 8), ("花乙花九", None), ("花乙乙", 1)])
def test_8_cards_in_the_eye(eye: str, counts: int | None) -> None:
    if counts is None:
        assert agreed("tongcheng", beside_nothing("(土土土)", 6, eye))["reason"] == "no_split"
        return
    assert points("tongcheng", "(土土土)", groups=6, eye=eye) == counts
    assert points("tongcheng", "(土土土)", groups=6, eye=eye, options={"eye_counts": False}) == 0


def test_8_exposed_triplets_by_the_letter_of_001() -> None:
    options = {"exposed_triplet": "as_kan"}
    text = "({}) 二四 (孔乙己)(孔乙己)(孔乙己)(八九子)(八九子)"
    assert agreed("tongcheng", text.replace("{}", "可可可"), options=options)["points"] == 2
    assert agreed("tongcheng", text.replace("{}", "土土土"), options=options)["points"] == 1


@pytest.mark.parametrize(
    ("text", "number", "steps"),
    [
        ("(可可可)(上上上)(大大大) 五五 (孔孔孔)(己己己)(千千千)", 7, 1),
        ("(可可可)(上上上)(大大大)(人人人)(化三千) 花五花五 (孔孔孔)", 13, 1),
        ("(可可可)(上上上)(大大大)(人人人)(化花三千) 花五花五 (孔孔孔)", 14, 2),
        ("五五五花五 (可可可)(上上上)(大大大)(人人人) 花三三 (孔孔孔)", 21, 3),
    ],
)
def test_8_7_14_21_points_at_stake_100_bring_100_200_300(text: str, number: int, steps: int) -> None:
    report = agreed("tongcheng", text, stake=100, by="discard", discarder=2)
    assert (report["points"], report["steps"], report["class"]) == (number, steps, None)
    assert report["payments"] == [{"seat": 2, "pays": 100 * steps, "to": 0}]
    assert payments("tongcheng", text, stake=100) == dict.fromkeys((1, 2, 3), 100 * steps)


@pytest.mark.parametrize(("size", "steps"), [(1, 21), (5, 4), (10, 2), (22, 1)])
def test_8_the_size_of_a_step_is_an_option(size: int, steps: int) -> None:
    text = "五五五花五 (可可可)(上上上)(大大大)(人人人) 花三三 (孔孔孔)"
    assert agreed("tongcheng", text, options={"step_size": size})["steps"] == steps


def test_8_at_least_7_with_four_and_9_with_three() -> None:
    text = "(可可可)(上上上)(大大大) 五五 (孔孔孔)(己己己)(千千千)"
    four = agreed("tongcheng", text)
    assert (four["points"], four["minimum"], four["wins"]) == (7, 7, True)
    three = agreed("tongcheng", text, players=3)
    assert (three["minimum"], three["wins"], three["reason"]) == (9, False, "too_few_points")


ALL_BLACK = "(孔孔孔)(己己己)(千千千)(土土土)(子子子)(八八八) 二四"
ALL_RED = "(上大人)(上大人)(可知禮)(可知禮)(上上上)(大大大) 人人"
ALL_RED_OF_14 = "(上大人)(上大人)(可知禮)(可知禮)(上上上)(大大大) 花五花五"
PAIRS_THAT_SPLIT = "上上 大大 人人 孔孔 乙乙 己己 可可 知知 禮禮 化化"
PAIRS_THAT_DO_NOT = "上上 孔孔 可可 化化 千千千千 八八 子子 二二 六六"
BLACK_PAIRS = "孔孔 乙乙 己己 八八 九九 子子 八八 九花九 十十 土土"
RED_PAIRS = "上上 大大 人人 上上 大大 人人 可可 知知 禮禮 可可"
RICH_PAIRS = "三三花三花三 五五花五花五 七七花七花七 上上 孔孔 可可 化化"


@pytest.mark.parametrize(
    ("text", "name", "standard", "high"),
    [
        (ALL_BLACK, "一手黑", 3, 10),
        (ALL_RED, "一手紅", 10, 50),
        (PAIRS_THAT_SPLIT, "十對", 2, 10),
        (PAIRS_THAT_DO_NOT, "十對", 2, 10),
        (BLACK_PAIRS, "一手黑", 3, 10),
        (RED_PAIRS, "一手紅", 10, 50),
    ],
)
@pytest.mark.parametrize("rule", ["tongcheng", "jingzhou_shuangbiegan"])
def test_8_hands_that_win_with_any_points(rule: str, text: str, name: str, standard: int, high: int) -> None:
    options: dict[str, object] = {"form": "six_and_half"} if rule != "tongcheng" else {}
    report = agreed(rule, text, options=options)
    assert (report["wins"], report["class"], report["minimum"]) == (True, name, 0)
    assert report["steps"] == standard
    report = agreed(rule, text, options=options | {"special_table": "high"})
    assert (report["class"], report["steps"]) == (name, high)


def test_8_black_and_red_need_the_split_into_groups() -> None:
    black = "孔孔 土土 千千 化化 八八 子子 二二 六六 十十 十十"
    assert agreed("tongcheng", black)["class"] == "十對"
    assert agreed("tongcheng", black[:-2] + "四六")["reason"] == "no_split"


def test_8_ten_pairs_have_nothing_exposed_and_no_picked_card() -> None:
    assert agreed("tongcheng", PAIRS_THAT_DO_NOT.replace("六六", "六撿六"))["reason"] == "no_split"
    exposed = "上上 孔孔 可可 化化 千千千千 八八 子子 二 六六 (二二二)"
    assert agreed("tongcheng", exposed)["class"] is None


@pytest.mark.parametrize(
    ("text", "name", "most", "together"),
    [(ALL_RED_OF_14, "一手紅", 10, 20), (ALL_RED, "一手紅", 10, 10), (RICH_PAIRS, "十對", 3, 6)],
)
def test_8_the_larger_or_the_product(text: str, name: str, most: int, together: int) -> None:
    report = agreed("tongcheng", text)
    assert (report["class"], report["steps"]) == (name, most)
    assert agreed("tongcheng", text, options={"special_combine": "product"})["steps"] == together


def test_8_pairs_that_do_not_split_count_their_cards() -> None:
    report = agreed("tongcheng", RICH_PAIRS)
    assert report["points"] == 6 + 12 + 6
    assert {group["shape"] for group in report["groups"]} == {"pair"}
    assert agreed("tongcheng", PAIRS_THAT_SPLIT)["points"] == 4


def test_8_declared_fours_are_a_number_and_not_a_choice_of_cards() -> None:
    text = "[孔孔孔孔] 可可可可 乙己 二四 (土土土)(千千千)(八八八)"
    assert agreed("tongcheng", text)["points"] == 4 + 1
    six = {"form": "six_and_half"}
    assert agreed("jingzhou_shuangbiegan", text, options=six)["points"] == 4 + 1
    assert agreed("jingzhou_shuangbiegan", text + "(子子子)(化化化)")["reason"] == "no_split"
    assert agreed("tongcheng", text.replace("乙己", "乙"))["reason"] == "wrong_count"
    # none may be broken where none but the declared are held
    alone = "[孔孔孔孔] 乙己 二四 (土土土)(千千千)(八八八)(子子子)"
    assert agreed("tongcheng", alone)["reason"] == "wrong_count"


def test_8_a_five_that_stays_whole_stands_for_two() -> None:
    rest = "二四 (土土土)(千千千)(八八八)"
    assert agreed("tongcheng", f"[孔孔孔孔孔] 可可可 知知知 {rest}")["points"] == 3 + 2 + 2
    three = f"[孔孔孔孔孔] 可可可可 知知知知 乙己 {rest}".replace("(八八八)", "")
    assert agreed("tongcheng", three)["points"] == 2 + 4 + 4
    assert agreed("tongcheng", f"[孔孔孔孔孔] 可可可可 乙己 {rest}")["points"] == 2 + 4


def test_8_a_picked_up_card_stands_in_a_sentence_or_half_of_one() -> None:
    rest = "(土土土)(千千千)(八八八)(子子子)"
    assert agreed("tongcheng", f"可知撿禮 上大人 二四 {rest}")["points"] == 2
    assert agreed("tongcheng", f"可知禮 上大人 二撿四 {rest}")["points"] == 2
    assert agreed("tongcheng", f"可可撿可 上大人 二四 {rest}")["reason"] == "no_split"
    assert agreed("tongcheng", f"可知禮 上大人 二撿二 {rest}")["reason"] == "no_split"
    assert agreed("tongcheng", f"可可可撿可 知禮 二四 {rest}")["points"] == 2 + 1
    assert agreed("tongcheng", f"可可可撿可 知知 上大人 二四 {rest}")["reason"] == "wrong_count"


@pytest.mark.parametrize(
    "rule", ["sanjing", "wujing", "shuangbiegan", "jingzhou", "jingzhou_shuangbiegan", "gongan"]
)
def test_8_elsewhere_picking_up_is_bad_input(rule: str) -> None:
    hand = "可知撿禮 二四 (孔孔孔)(己己己)(土土土)(千千千)(化化化)(子子子)(八八八)"
    with pytest.raises(scorer.ScorerError):
        scorer.score(scorer.load_book(rule), scorer.parse_hand(hand))


@pytest.mark.parametrize("text", ["上大人 (可知撿禮)", "[孔孔孔撿孔]"])
def test_8_within_brackets_picking_up_is_bad_input(text: str) -> None:
    with pytest.raises(scorer.ScorerError):
        scorer.score(scorer.load_book("tongcheng"), scorer.parse_hand(text))


def test_8_the_winning_card_was_not_picked_up() -> None:
    hand = scorer.parse_hand("可知撿禮 上大人 二四 (土土土)(千千千)(八八八)(子子子)")
    with pytest.raises(scorer.ScorerError):
        scorer.score(scorer.load_book("tongcheng"), hand, win="禮")


# --- 9. 荊州雙別桿 -------------------------------------------------------------------------


EIGHT_OF_17 = "五五五花五 (可可可)(上上上)(大大大) 上大 (孔孔孔)(己己己)(千千千)(土土土)"
EIGHT_OF_24 = "五五五花五 三三三花三 上大 (可可可)(孔孔孔)(己己己)(千千千)(土土土)(子子子)"


def test_9_17_points_are_two_steps() -> None:
    report = agreed("jingzhou_shuangbiegan", EIGHT_OF_17)
    assert (report["points"], report["minimum"], report["steps"]) == (17, 17, 2)
    assert payments("jingzhou_shuangbiegan", EIGHT_OF_17, stake=10) == {1: 20, 2: 20}
    assert payments("jingzhou_shuangbiegan", EIGHT_OF_17, stake=10, by="discard") == {1: 20}


@pytest.mark.parametrize(("text", "number", "steps"), [(EIGHT_OF_17, 17, 1), (EIGHT_OF_24, 24, 2)])
def test_9_by_five_from_17(text: str, number: int, steps: int) -> None:
    options = {"steps": "by_5_from_17"}
    report = agreed("jingzhou_shuangbiegan", text, options=options)
    assert (report["points"], report["steps"]) == (number, steps)


def test_9_by_five_from_17_in_the_place_of_division_everywhere() -> None:
    options = {"form": "six_and_half", "steps": "by_5_from_17", "special_combine": "product"}
    # 14 points are one step and not two, 24 are two and not three
    assert agreed("jingzhou_shuangbiegan", ALL_RED_OF_14, options=options)["steps"] == 10
    assert agreed("jingzhou_shuangbiegan", RICH_PAIRS, options=options)["steps"] == 4


def test_9_six_and_a_half_for_three_or_four() -> None:
    text = "(可可可)(上上上)(大大大) 五五 (孔孔孔)(己己己)(千千千)"
    options = {"form": "six_and_half"}
    three = agreed("jingzhou_shuangbiegan", text, options=options)
    assert (three["points"], three["minimum"], three["wins"]) == (7, 9, False)
    four = agreed("jingzhou_shuangbiegan", text, options=options, players=4)
    assert (four["minimum"], four["wins"], four["steps"]) == (7, True, 1)


def test_9_black_and_red_win_with_any_points_in_eight_groups_too() -> None:
    black = agreed("jingzhou_shuangbiegan", ALL_BLACK + "(十十十)(化化化)")
    assert (black["class"], black["steps"], black["minimum"]) == ("一手黑", 3, 0)
    red = agreed(
        "jingzhou_shuangbiegan", ALL_RED + "(可知禮)(知知禮禮禮)".replace("(知知禮禮禮)", "(三三三)")
    )
    assert (red["class"], red["steps"]) == ("一手紅", 10)


@pytest.mark.parametrize(
    ("text", "counts"),
    [("(化賴千)", 2), ("(五五賴)", 1 + 2 + 2 + 4), ("賴賴五", 2 + 4 + 4 + 2), ("(三三三賴)", 4 + 3 + 2)],
)
def test_9_a_wild_counts_as_the_flower_that_it_stands_for(text: str, counts: int) -> None:
    assert points("jingzhou_shuangbiegan", text, eye="上大", options={"wilds": 2}) == counts


def test_9_no_wilds_unless_set() -> None:
    hand = scorer.parse_hand(beside_nothing("(化賴千)", 8))
    with pytest.raises(scorer.ScorerError):
        scorer.score(scorer.load_book("jingzhou_shuangbiegan"), hand)


def test_9_ten_pairs_with_wilds() -> None:
    options = {"form": "six_and_half", "wilds": 2}
    text = "三賴 五賴 上上 孔孔 可可 化化 八八 子子 二二 六六"
    report = agreed("jingzhou_shuangbiegan", text, options=options)
    assert (report["class"], report["points"]) == ("十對", 1 + 2 + 2 + 4)


# --- 10. 上大人 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("(上大人)", 5),
        ("(七十土)", 5),
        ("(福祿壽)", 5),
        ("(化三千)", 1),
        ("上上上", 15),
        ("大大大", 4),
        ("(上上上)", 15),
        ("(大大大)", 2),
        ("上上上上", 20),
        ("[福福福福]", 20),
        ("(七七七七)", 20),
        ("大大大大", 6),
        ("(大大大大)", 6),
        ("[壽壽壽壽]", 6),
    ],
)
def test_10_groups(text: str, counts: int) -> None:
    rest = "(爾小生)(爾小生)(佳作仁)(佳作仁)(孔乙己) 八九"
    assert agreed("shangdaren", f"{text} {rest}")["points"] == counts + 5 + 1


@pytest.mark.parametrize(
    ("eye", "counts"),
    [("上上", 8), ("福福", 8), ("大大", 1), ("上大", 5), ("十土", 1), ("七土", 5), ("化千", 1)],
)
def test_10_the_eye(eye: str, counts: int) -> None:
    rest = "(爾小生)(爾小生)(佳作仁)(佳作仁)(孔乙己)(孔乙己)"
    assert agreed("shangdaren", f"{eye} {rest}")["points"] == counts + 6


def test_10_no_quint() -> None:
    rest = "(爾小生)(爾小生)(佳作仁)(佳作仁)(孔乙己) 八九"
    assert agreed("shangdaren", f"(大大大大大) {rest}")["reason"] == "unknown_group"


CLASSES = [
    # with a jing
    ("(上上上)(爾小生)(爾小生)(佳作仁)(佳作仁)(孔乙己) 大大", 21, "屁胡", 2),
    ("(上上上)(爾小生)(爾小生)(佳作仁)(佳作仁)(大大大) 八九", 22, "屁胡", 2),
    ("(上上上)(七七七)(爾小生)(爾小生)(佳作仁)(七十土) 八九", 39, "屁胡", 2),
    ("(上上上)(七七七)(福祿壽)(爾小生)(佳作仁)(大大大) 八九", 40, "屁胡", 2),
    ("(上上上)(七七七)(福祿壽)(爾小生)(大大大)(人人人) 八九", 41, "台胡", 6),
    ("(上上上)(七七七)(福福福)(爾小生)(佳作仁)(大大大) 八九", 50, "台胡", 6),
    ("(上上上)(七七七)(福福福)(爾小生)(大大大)(人人人) 八九", 51, "台胡翻", 12),
    # all triplets or quads and a pair: 碰碰胡
    ("(上上上)(大大大)(人人人)(孔孔孔)(乙乙乙)(己己己) 八八", 26, "屁胡", 4),
    ("(上上上)(七七七)(人人人)(孔孔孔孔)(乙乙乙)(己己己己) 福福", 54, "台胡翻", 14),
    ("(上上上)(七七七)(人人人)(孔孔孔)(乙乙乙)(己己己己) 八八", 43, "台胡", 8),
    ("(上上上)(七七七)(人人人)(孔孔孔)(乙乙乙)(己己己己) 八九", 43, "台胡", 6),
    # without
    ("(大大大)(人人人)(孔孔孔)(乙乙乙)(己己己) 八八 (化三千)", 12, "清胡", 4),
    ("(大大大)(人人人)(孔孔孔)(乙乙乙)(八九子)(爾小生) 十十", 11, "清胡", 4),
    ("(大大大大)(人人人人)(孔孔孔孔)(乙乙乙)(八九子) 十十 (爾小生)", 23, "清台胡", 8),
    # none of 上大人, 七十土, 福祿壽
    ("(孔孔孔)(乙乙乙)(己己己)(化化化)(八九子)(爾小生) 三三", 11, "枯胡", 12),
    ("(孔孔孔孔)(乙乙乙)(己己己己)(化化化)(三三三)(爾小生) 千千", 20, "枯胡", 12),
    ("(孔孔孔孔)(乙乙乙)(己己己己)(化化化)(三三三)(千千千) 八八", 21, "枯胡", 24),
    # all black, all green
    ("(人人人)(己己己)(千千千)(土土土)(子子子)(生生生) 仁仁", 13, "黑胡", 14),
    ("(大大大)(乙乙乙)(三三三)(十十十)(九九九)(小小小) 作作", 13, "黑胡", 14),
    ("(乙乙乙)(三三三)(九九九)(小小小)(作作作)(十十十) 大大", 13, "黑胡", 14),
]


@pytest.mark.parametrize(("text", "number", "name", "steps"), CLASSES)
def test_10_classes(text: str, number: int, name: str, steps: int) -> None:
    report = agreed("shangdaren", text)
    assert report["points"] == number
    assert report["class"] == name
    assert report["steps"] == steps
    minimum = {"屁": 21, "台": 21, "清": 11, "枯": 11, "黑": 0}[name[0]]
    assert report["minimum"] == minimum
    assert payments("shangdaren", text, stake=10) == {1: 10 * steps, 2: 10 * steps}
    assert payments("shangdaren", text, stake=10, by="discard", discarder=2) == {2: 10 * steps}


@pytest.mark.parametrize(
    ("text", "number", "minimum"),
    [
        ("(上上上)(爾小生)(爾小生)(佳作仁)(佳作仁)(孔乙己) 十土", 21, 21),
        ("(上大人)(七十土)(七十土)(爾小生)(佳作仁)(化三千) 大人", 19, 21),
        ("(大大大)(人人人)(孔孔孔)(乙乙乙)(八九子)(爾小生) 十土", 11, 11),
        ("(大大大)(人人人)(孔孔孔)(爾小生)(八九子)(爾小生) 十土", 10, 11),
    ],
)
def test_10_minimum(text: str, number: int, minimum: int) -> None:
    report = agreed("shangdaren", text)
    assert (report["points"], report["minimum"]) == (number, minimum)
    assert report["wins"] is (number >= minimum)


def test_10_ku_hu_by_the_other_sentence_of_000() -> None:
    text = "(孔乙己)(孔乙己)(化三千)(化三千)(八九子)(爾小生) 佳作"
    assert agreed("shangdaren", text)["reason"] == "too_few_points"
    report = agreed("shangdaren", text, options={"ku_minimum": 0})
    assert (report["class"], report["steps"], report["minimum"], report["points"]) == ("枯胡", 12, 0, 7)


@pytest.mark.parametrize(
    ("text", "name", "steps"),
    [
        ("(孔孔孔)(乙乙乙)(己己己)(化化化)(八九子)(爾小生) 三三", "清胡+枯胡", 4 + 12),
        ("(孔孔孔孔)(乙乙乙)(己己己己)(化化化)(三三三)(千千千) 八八", "清胡+枯胡", 4 + 24),
        ("(大大大)(乙乙乙)(三三三)(十十十)(九九九)(小小小) 作作", "清胡+黑胡", 4 + 14),
        ("(己己己)(千千千)(子子子)(生生生)(仁仁仁)(人人人) 土土", "清胡+黑胡", 4 + 14),
    ],
)
def test_10_classes_in_sum(text: str, name: str, steps: int) -> None:
    report = agreed("shangdaren", text, options={"class_combine": "sum"})
    assert (report["class"], report["steps"]) == (name, steps)


# --- 11. 公安 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("(八花九子)", 1),
        ("乙乙乙", 1),
        ("乙乙花乙", 2),
        ("乙花乙花乙", 3),
        ("(九九九)", 0),
        ("(九九花九)", 1),
        ("(九花九花九)", 2),
        ("乙乙乙花乙", 3),
        ("(乙乙花乙花乙)", 4),
        ("九九九花九花九", 6),
        ("(乙乙乙花乙花乙)", 6),
    ],
)
def test_11_flower_yi_and_jiu(text: str, counts: int) -> None:
    assert points("gongan", text, eye="上大") == counts


def test_11_the_main_jing_is_chosen_freely() -> None:
    text = "(化三千)(二三四)(二三四) 花五花五 (孔孔孔)(土土土)(己己己)(子子子)(八八八)"
    assert agreed("gongan", text)["main_jing"] == "五"


@pytest.mark.parametrize(("number", "by_five"), [(17, 0), (21, 0), (22, 1), (26, 1), (27, 2), (36, 3)])
def test_11_payments(number: int, by_five: int) -> None:
    text = exactly(number)
    report = agreed("gongan", text, options={"main_jing": "三"}, stake=10, by="discard", discarder=2)
    assert report["points"] == number
    assert report["steps"] == 1 + by_five
    assert {p["seat"]: p["pays"] for p in report["payments"]} == {
        1: 10 * (2 + by_five),
        2: 10 * (3 + by_five),
    }
    drawn = payments("gongan", text, options={"main_jing": "三"}, stake=10)
    assert drawn == {1: 10 * (3 + by_five), 2: 10 * (3 + by_five)}


# --- 12. worked examples -------------------------------------------------------------------


def test_12_gongan_in_all_33() -> None:
    text = "(乙乙乙花乙花乙)(可可可可)(上大人) 化花三千 八九子 花五花五賴 六七八 八花九子 二四"
    text = text.replace("(乙乙乙花乙花乙)", "[乙乙乙花乙花乙]")
    report = agreed("gongan", text)
    assert (report["points"], report["main_jing"]) == (33, "五")
    by_cards = {"".join(sorted(g["cards"])): g["points"] for g in report["groups"]}
    assert sorted(by_cards.values(), reverse=True) == [18, 6, 4, 2, 1, 1, 1, 0, 0]


WAITS = [
    (8, "七", "五六七八九十土"),
    (7, "孔孔乙乙", "孔乙己"),
    (7, "化千乙乙", "三乙"),
    (7, "三三四四", "二三四五"),
    (7, "孔己六七", "乙五八"),
    (8, "三", "乙二三四五化千"),
    (7, "上人孔乙", "大己"),
    (7, "八八九九", "七八九十子"),
    (7, "化三八九", "千七十子"),
]


@pytest.mark.parametrize(("groups", "rest", "cards"), WAITS)
@pytest.mark.parametrize("rule", [*JING_BOOKS, "jingzhou_shuangbiegan"])
def test_12_waits(rule: str, groups: int, rest: str, cards: str) -> None:
    table = [c for c in "孔己人土千十可知子禮大上化二八四九六" if c not in rest + cards][:groups]
    hand = rest + "".join(f"({c * 3})" for c in table)
    assert len(table) == groups
    case = Case(rule, Hand.read(hand))
    want = reference_waits(case)
    got: list[Any] = [w.to_json() for w in scorer.waits(scorer.load_book(rule), scorer.parse_hand(hand))]
    assert [(w["card"], w["left"], w["points"]) for w in got] == [(w.card, w.left, w.points) for w in want]
    expected = set(cards)
    if rule in ("shuangbiegan", "gongan") and expected & set("三五七"):
        expected.add("賴")
    assert {w["card"].removeprefix("花") for w in got} == expected


FORMS = [
    ("sanjing", "七", {"拿撂"}),
    ("sanjing", "孔孔乙乙", {"推攤"}),
    ("sanjing", "三三四四", {"推攤"}),
    ("sanjing", "化三八九", {"胡兩頭"}),
    ("sanjing", "孔己六七", {"胡兩頭", "卡卡"}),
    ("jingzhou", "七", {"刷刁"}),
    ("jingzhou", "八八九九", {"推灘"}),
    ("jingzhou", "上人孔乙", {"兩條口"}),
    ("jingzhou_shuangbiegan", "三", {"撂聽"}),
]


@pytest.mark.parametrize(("rule", "rest", "forms"), FORMS)
def test_1_forms_of_waits_are_called_as_the_seed_calls_them(rule: str, rest: str, forms: set[str]) -> None:
    groups = 8 if len(rest) == 1 else 7
    table = [c for c in "孔己人土千十可知子禮大上化二八四九六" if c not in rest + "乙五六七八九"][:groups]
    hand = scorer.parse_hand(rest + "".join(f"({c * 3})" for c in table))
    waits: list[Any] = [w.to_json() for w in scorer.waits(scorer.load_book(rule), hand)]
    assert {w["form"] for w in waits} == forms
    if rest == "孔己六七":
        assert {w["card"] for w in waits if w["form"] == "卡卡"} == {"乙"}


# --- 1. words, and where a line comes from -------------------------------------------------


def group_of(rule: str, text: str, groups: int, eye: str, **round_: Any) -> dict[str, Any]:
    """The report's line of `text`, or of the eye where `text` is empty."""
    rest = beside_nothing(text or "(土土土)", groups, eye)
    if rule == "shangdaren":
        rest = f"{text or '(爾小生)'} {eye} (爾小生)(爾小生)(佳作仁)(佳作仁)(化三千)"
    want = Hand.read(text).all_cards() if text else Hand.read(eye).all_cards()
    lines = [g for g in agreed(rule, rest, **round_)["groups"] if sorted(g["cards"]) == sorted(want)]
    assert len(lines) == 1
    return dict(lines[0])


WORDS = {
    "sanjing": (8, "坎 對 扎 招 泛 開泛 聽頭"),
    "wujing": (8, "坎 對 扎 招 泛 開泛 聽頭"),
    "shuangbiegan": (8, "坎 對 扎 招 泛 開泛 聽頭"),
    "gongan": (8, "坎 對 扎 招 泛 開泛 聽頭"),
    "jingzhou": (8, "坎 對 統 開招 統上頂 開泛 口"),
    "jingzhou_shuangbiegan": (8, "坎 對 統 開招 統上頂 開泛 口"),
    "tongcheng": (6, "坎 碰 觀生 招 滑 滑 半句"),
    "shangdaren": (6, "坎 對 毛 開毛 - - 口"),
}


@pytest.mark.parametrize("rule", WORDS)
def test_1_the_report_calls_groups_as_the_region_does(rule: str) -> None:
    groups, words = WORDS[rule]
    eye = "孔己" if rule == "shangdaren" else "二四"
    texts = ["大大大", "(大大大)", "大大大大", "(大大大大)", "大大大大大", "(大大大大大)", ""]
    for text, word in zip(texts, words.split(), strict=True):
        if word != "-":
            assert group_of(rule, text, groups, eye)["name"] == word


@pytest.mark.parametrize(
    ("rule", "unit", "step_unit"),
    [("jingzhou", "和", "坡"), ("sanjing", "胡", "分"), ("tongcheng", "個子", "倍")],
)
def test_1_units(rule: str, unit: str, step_unit: str) -> None:
    report = agreed(rule, "上大人")
    assert (report["unit"], report["step_unit"]) == (unit, step_unit)


@pytest.mark.parametrize(
    ("rule", "text", "eye", "basis", "options"),
    [
        ("sanjing", "可可可", "二四", "seed", {}),
        ("sanjing", "(可可可)", "二四", "practice", {}),
        ("jingzhou", "(可可可)", "二四", "seed", {}),
        ("sanjing", "三三三", "上大", "seed", {}),
        ("sanjing", "(三三三)", "上大", "practice", {}),
        ("jingzhou", "(三三三)", "上大", "seed", {}),
        ("sanjing", "三三三花三", "上大", "seed", {}),
        ("sanjing", "(三三三花三)", "上大", "seed", {}),
        ("sanjing", "", "三三", "practice", {}),
        ("sanjing", "", "三三", "option", {"eye_counts": False}),
        ("sanjing", "(乙乙花乙)", "二四", "option", {"black_flower_points": 1}),
        ("shuangbiegan", "賴賴花三", "上大", "practice", {}),
        ("tongcheng", "可可可", "二四", "seed", {}),
        ("tongcheng", "(可可可)", "二四", "practice", {}),
        ("shangdaren", "大大大", "孔己", "practice", {}),
        ("gongan", "乙乙花乙", "上大", "practice", {}),
    ],
)
def test_1_each_line_says_whether_a_seed_or_practice_gives_its_value(
    rule: str, text: str, eye: str, basis: str, options: dict[str, object]
) -> None:
    if "賴" in text:
        report = agreed(rule, beside_nothing(text, 8, eye), options=options)
        assert basis in {g["basis"] for g in report["groups"] if g["points"] > 2}
        return
    groups = 6 if rule in ("tongcheng", "shangdaren") else 8
    assert group_of(rule, text, groups, eye, options=options)["basis"] == basis
