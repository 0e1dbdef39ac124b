"""Every number that a seed gives, under the seed's number and in its own words.

The words are those of the seeds in standard spelling. A number that the rules leave to an option (001 gives
two tables for the special hands) is asked with that option.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import scorer
from tests.scorer.test_rules_numbers import (
    ALL_BLACK,
    ALL_RED,
    PAIRS_THAT_DO_NOT,
    agreed,
    beside_nothing,
    exactly,
    payments,
    points,
)

SIX: dict[str, object] = {"form": "six_and_half"}
SEEDS = {
    "000": ("sanjing", "wujing", "shuangbiegan"),
    "001": ("tongcheng",),
    "002": ("shuangbiegan",),
    "003": ("jingzhou",),
    "004": ("jingzhou_shuangbiegan",),
}
"""The books of the 110 cards that each seed describes; 通城 has its introduction in 000 too."""

BOOKS = [(seed, rule) for seed, rules in SEEDS.items() for rule in rules]
BOOK_NAMES = [f"{seed}_{rule}" for seed, rule in BOOKS]


def ids(rows: list[tuple[Any, ...]]) -> list[str]:
    return [f"{row[0]}_{row[1]}" for row in rows]


# --- the decks -----------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "rule"), BOOKS, ids=BOOK_NAMES)
def test_the_deck_of_the_seed(seed: str, rule: str) -> None:
    """共計22個字，每個字有5張，共110張牌；9個字是紅字；三五七乙九5字分別有2張帶花。"""
    deck = scorer.load_book(rule).deck
    held: Counter[str] = Counter()
    for card, copies in deck.copies.items():
        if card != "賴":
            held[card[-1]] += copies
    assert len(held) == 22
    assert set(held.values()) == {5}
    assert sum(held.values()) == 110
    assert Counter(deck.colours.values()) == {"red": 9, "black": 13}
    assert {card[1:]: copies for card, copies in deck.copies.items() if len(card) > 1} == dict.fromkeys(
        "三五七乙九", 2
    )
    wilds = deck.copies.get("賴", 0)
    assert (wilds, deck.kind) == ((2, 112) if rule == "shuangbiegan" else (0, 110))


def test_000_the_deck_of_shangdaren() -> None:
    """共有96張牌，24個字，每個字4張；每句話的第一張為紅色，第二張為綠色，第三張為黑色。"""
    deck = scorer.load_book("shangdaren").deck
    assert (len(deck.copies), set(deck.copies.values()), sum(deck.copies.values())) == (24, {4}, 96)
    for phrase in ("孔乙己", "上大人", "化三千", "爾小生", "佳作仁", "七十土", "八九子", "福祿壽"):
        assert [deck.colours[character] for character in phrase] == ["red", "green", "black"]


SIZES = [
    ("000", "sanjing", 25, {}),
    ("000", "shuangbiegan", 25, {}),
    ("001", "tongcheng", 19, {}),
    ("002", "shuangbiegan", 25, {}),
    ("003", "jingzhou", 25, {}),
    ("004", "jingzhou_shuangbiegan", 25, {}),
]


@pytest.mark.parametrize(("seed", "rule", "cards", "options"), SIZES, ids=ids(SIZES))
def test_a_hand_has_as_many_cards_as_the_seed_says(
    seed: str, rule: str, cards: int, options: dict[str, object]
) -> None:
    """每人起牌25張，莊家起26張；001：19張，20張。"""
    book = scorer.load_book(rule, options)
    for number in range(cards - 3, cards + 4):
        free = list(dict.fromkeys("上大人孔乙己可知禮化三千七十土八九子二四五六"))
        hand = scorer.Hand(tuple((free * 2)[:number]))
        assert (scorer.hindrance(book, hand) is None) is (number == cards)
        assert (scorer.hindrance(book, hand, discards=True) is None) is (number == cards + 1)


# --- what groups count ---------------------------------------------------------------------

PLAIN = [
    ("可可可", 2),  # 普通紅字1坎是2個胡
    ("可可可可", 4),  # 1扎是4個胡
    ("可可可可可", 8),  # 1泛是8個胡
    ("孔孔孔", 1),  # 黑字全部減半
    ("孔孔孔孔", 2),
    ("孔孔孔孔孔", 4),
    ("(上大人)", 1),  # 普通紅字1句只有1個胡
    ("(孔乙己)", 0),  # 黑字1個胡也沒有
    ("(八九子)", 0),
]
OF_JING = [
    ("(化{0}千)", 1),  # 放在句中，素精就是1個胡
    ("(化花{0}千)", 2),  # 花精就是2個胡
    ("{0}{0}{0}", 5),  # 3個素精成坎是5個胡
    ("{0}{0}花{0}", 6),
    ("{0}花{0}花{0}", 7),
    ("{0}{0}{0}花{0}", 12),  # 3個素精1個花精成扎是12個胡
    ("{0}{0}花{0}花{0}", 14),
    ("{0}{0}{0}花{0}花{0}", 28),  # 5個精團圓是28個胡
]
JING_BOOKS = [(seed, rule) for seed, rule in BOOKS if seed in ("000", "002", "003")]
JING_NAMES = [f"{seed}_{rule}" for seed, rule in JING_BOOKS]


@pytest.mark.parametrize(("text", "counts"), PLAIN)
@pytest.mark.parametrize(("seed", "rule"), JING_BOOKS, ids=JING_NAMES)
def test_plain_groups_count_as_the_seed_says(seed: str, rule: str, text: str, counts: int) -> None:
    if rule == "wujing" and set(text) & set("乙九"):
        counts = 2  # 乙 and 九 are jing there, and of a hand without others the main jing
    assert points(rule, text) == counts


@pytest.mark.parametrize(("pattern", "counts"), OF_JING)
@pytest.mark.parametrize(("seed", "rule"), JING_BOOKS, ids=JING_NAMES)
def test_jing_count_as_the_seed_says_and_twice_where_main(
    seed: str, rule: str, pattern: str, counts: int
) -> None:
    """主精的胡數以上為基礎全部翻一倍，如3個素精1個花精成扎，又是主精，則有12*2=24個胡。"""
    text = pattern.format("三")
    assert points(rule, text, eye="上大", options={"main_jing": "七"}) == counts
    assert points(rule, text, eye="上大", options={"main_jing": "三"}) == 2 * counts


def test_000_five_jing_in_wujing() -> None:
    """以“乙、三、五、七、九”五個字為精（枝江玩法）。"""
    for jing in "乙三五七九":
        other = "三" if jing != "三" else "七"
        assert points("wujing", jing * 3, eye="上大", options={"main_jing": other}) == 5
        assert points("wujing", jing * 3, eye="上大", options={"main_jing": jing}) == 10


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("(孔孔孔)", 0),  # 對黑坎為0和
        ("(大大大)", 1),  # 對紅坎為1和
        ("(孔孔孔孔)", 2),  # 開黑招為2和
        ("(大大大大)", 4),
        ("(孔孔孔孔孔)", 4),  # 開黑泛為4和
        ("(大大大大大)", 8),
        ("(孔花乙己)", 1),  # 一張花色的“乙、九“不論放在什麼地方一張花算1和
        ("(八花九子)", 1),
        ("乙花乙花乙", 3),
        ("(九九花九花九)", 4),
    ],
)
def test_003_groups_on_the_table_and_black_flowers(text: str, counts: int) -> None:
    assert points("jingzhou", text, eye="二四") == counts


@pytest.mark.parametrize(
    ("text", "main", "other"),
    [
        ("({0}{0}{0})", 6, 3),  # 白坎三為6和，單花坎8，雙花坎10；不當精的減半
        ("({0}{0}花{0})", 8, 4),
        ("({0}花{0}花{0})", 10, 5),
        ("({0}{0}{0}花{0})", 24, 12),  # 開招單花三為24和，雙花28
        ("({0}{0}花{0}花{0})", 28, 14),
        ("({0}{0}{0}花{0}花{0})", 56, 28),  # 開泛五個三為56和
        ("{0}{0}{0}", 10, 5),  # 取在手中：白坎10，單花12，雙花14
        ("{0}{0}花{0}", 12, 6),
        ("{0}花{0}花{0}", 14, 7),
        ("{0}{0}{0}花{0}", 24, 12),
        ("{0}{0}花{0}花{0}", 28, 14),
        ("{0}{0}{0}花{0}花{0}", 56, 28),
    ],
)
@pytest.mark.parametrize("jing", ["三", "五"])
def test_003_jing_main_and_not(jing: str, text: str, main: int, other: int) -> None:
    text = text.format(jing)
    assert points("jingzhou", text, eye="上大", options={"main_jing": jing}) == main
    assert points("jingzhou", text, eye="上大", options={"main_jing": "七"}) == other


CARD_BOOKS: list[tuple[str, str, int, dict[str, object]]] = [
    ("001", "tongcheng", 6, {}),
    ("004", "jingzhou_shuangbiegan", 8, {}),
    ("004", "jingzhou_shuangbiegan", 6, SIX),
]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("可可可", 2),  # 普通紅字1坎是2個個子數
        ("可可可可", 4),  # 招與觀生是4個
        ("(可可可可)", 4),
        ("可可可可可", 8),  # 滑是8個
        ("孔孔孔", 1),  # 黑字1坎是1個
        ("孔孔孔孔", 2),
        ("(孔孔孔孔)", 2),
        ("孔孔孔孔孔", 3),  # 滑是3個
        ("(上大人)", 1),  # 紅字1句隻有1個，黑字句子1個也沒有
        ("(可知禮)", 1),
        ("(孔乙己)", 0),  # 素一素九為0
        ("(孔花乙己)", 1),  # 花乙花九組成的黑字句子，隻算花乙花九
        ("(八花九子)", 1),
        ("(化三千)", 1),  # 素三素七一個，花三花七兩個
        ("(化花三千)", 2),
        ("(七十土)", 1),
        ("(花七十土)", 2),
        ("(四五六)", 2),  # 素五兩個，花五四個
        ("(四花五六)", 4),
        ("三三三", 2 + 3),  # 成坎、觀生與滑時，按普通紅黑牌算再加上個子牌自身的
        ("五五五花五", 4 + 6 + 4),
        ("七七七花七花七", 8 + 3 + 4),
        ("乙乙花乙", 1 + 1),
        ("九九九花九花九", 3 + 2),
    ],
)
@pytest.mark.parametrize(("seed", "rule", "groups", "options"), CARD_BOOKS, ids=["001", "004", "004_six"])
def test_groups_count_by_the_card(
    seed: str, rule: str, groups: int, options: dict[str, object], text: str, counts: int
) -> None:
    assert points(rule, text, groups=groups, eye="上大", options=options) == counts


# --- when a hand wins, and what it brings ----------------------------------------------------


@pytest.mark.parametrize(("number", "steps"), [(17, 1), (21, 1), (22, 2), (26, 2), (27, 3), (32, 4), (36, 4)])
@pytest.mark.parametrize(
    ("seed", "rule"),
    [(s, r) for s, r in JING_BOOKS if r != "wujing"],
    ids=[n for n in JING_NAMES if "wu" not in n],
)
def test_17_is_one_step_and_every_five_one_more(seed: str, rule: str, number: int, steps: int) -> None:
    """17胡起為1分，逢5進1；003：17和--21和為一坡，22--26兩坡，27--31三坡，32--36四坡。"""
    report = agreed(rule, exactly(number), options={"main_jing": "三"})
    assert (report["points"], report["steps"], report["wins"]) == (number, steps, True)


@pytest.mark.parametrize(("seed", "rule"), JING_BOOKS, ids=JING_NAMES)
def test_less_than_17_does_not_win(seed: str, rule: str) -> None:
    """至少有17個胡。"""
    report = agreed(rule, exactly(16))
    assert (report["points"], report["minimum"], report["wins"]) == (16, 17, False)


def test_000_large_hands_are_not_multiplied() -> None:
    """沒有大胡翻倍。"""
    report = agreed("sanjing", beside_nothing("三三三花三花三 五五五花五花五 七七七花七花七", 6, eye="二四"))
    assert report["points"] == 28 * 4
    assert report["steps"] == 1 + (28 * 4 - 17) // 5


@pytest.mark.parametrize(("seed", "rule"), [b for b in JING_BOOKS if b[0] != "003"])
def test_17_points_bring_20_at_a_stake_of_10(seed: str, rule: str) -> None:
    """如10倍房間胡17胡收入20分，放沖者輸20分，自扣時各出10分。"""
    assert payments(rule, exactly(17), stake=10, by="discard", discarder=1) == {1: 20}
    assert payments(rule, exactly(17), stake=10) == {1: 10, 2: 10}


@pytest.mark.parametrize(("seed", "rule"), [b for b in JING_BOOKS if b[0] != "003"])
def test_three_dui_pay_for_two(seed: str, rule: str) -> None:
    """如果對了3次以上，此局若他人胡牌，則由此人承“包”，即一個人出兩個人輸的分。"""
    assert payments(rule, exactly(17), stake=10, dui={1: 3}) == {1: 20}
    assert payments(rule, exactly(17), stake=10, dui={1: 2}) == {1: 10, 2: 10}


def test_003_of_two_players_24_is_the_least() -> None:
    """四人或三人打17和才能和；二人打時要24和。"""
    for players, least in ((2, 24), (3, 17), (4, 17)):
        assert agreed("jingzhou", exactly(17), players=players)["minimum"] == least
    assert not agreed("jingzhou", exactly(22), players=2)["wins"]
    assert agreed("jingzhou", exactly(26), players=2)["wins"]


OF_7_14_21 = [
    ("(可可可)(上上上)(大大大) 五五 (孔孔孔)(己己己)(千千千)", 7, 1),
    ("(可可可)(上上上)(大大大)(人人人)(化花三千) 花五花五 (孔孔孔)", 14, 2),
    ("五五五花五 (可可可)(上上上)(大大大)(人人人) 花三三 (孔孔孔)", 21, 3),
]


@pytest.mark.parametrize(("text", "number", "steps"), OF_7_14_21, ids=["7", "14", "21"])
@pytest.mark.parametrize(("seed", "rule"), [("001", "tongcheng"), ("004", "jingzhou_shuangbiegan")])
def test_7_14_21_at_a_stake_of_100(seed: str, rule: str, text: str, number: int, steps: int) -> None:
    """如100倍房間抓衝7個收入100分，14個200分，21個300分，自摸另外三個每人出一份。"""
    options = SIX if seed == "004" else {}
    report = agreed(rule, text, options=options, players=4)
    assert (report["points"], report["steps"]) == (number, steps)
    thrown = payments(rule, text, options=options, players=4, stake=100, by="discard")
    assert thrown == {1: 100 * steps}
    drawn = payments(rule, text, options=options, players=4, stake=100)
    assert drawn == dict.fromkeys((1, 2, 3), 100 * steps)


@pytest.mark.parametrize(("seed", "rule"), [("001", "tongcheng"), ("004", "jingzhou_shuangbiegan")])
def test_four_need_7_and_three_need_9(seed: str, rule: str) -> None:
    """四人打需要7個個子，3個人打需要9個個子數。"""
    options = SIX if seed == "004" else {}
    for players, least in ((4, 7), (3, 9)):
        report = agreed(rule, OF_7_14_21[0][0], options=options, players=players)
        assert (report["minimum"], report["wins"]) == (least, least == 7)


@pytest.mark.parametrize(
    ("text", "name", "times", "high"),
    [(ALL_BLACK, "一手黑", 3, 10), (ALL_RED, "一手紅", 10, 50), (PAIRS_THAT_DO_NOT, "十對", 2, 10)],
    ids=["black", "red", "pairs"],
)
@pytest.mark.parametrize(("seed", "rule"), [("001", "tongcheng"), ("004", "jingzhou_shuangbiegan")])
def test_three_hands_win_with_any_points(
    seed: str, rule: str, text: str, name: str, times: int, high: int
) -> None:
    """一手黑3倍，一手紅10倍，十對2倍（004）；001 的計分規則：10倍，50倍，10倍。"""
    options = SIX if seed == "004" else {}
    report = agreed(rule, text, options=options)
    assert (report["class"], report["steps"], report["wins"]) == (name, times, True)
    assert agreed(rule, text, options=options | {"special_table": "high"})["steps"] == high


def test_004_eight_groups_need_17() -> None:
    """能湊到至少17個“胡”以上；花牌為3人游戲。"""
    book = scorer.load_book("jingzhou_shuangbiegan")
    assert (book.players, book.by_players("minimum", 3)) == ((3,), 17)


def test_001_a_picked_up_card_stands_in_no_group_of_alike_cards() -> None:
    """撿來的牌唯一限制的是不能與相同的牌配合起來碰招觀生與滑。"""
    rest = "(上大人)(可知禮)(孔乙己)(化三千)(七十土) 二四"
    assert agreed("tongcheng", f"六六六 {rest}")["points"] is not None
    assert agreed("tongcheng", f"六六撿六 {rest}")["reason"] == "no_split"
    assert agreed("tongcheng", f"七八撿九 {rest}")["points"] is not None


def test_001_of_two_fours_of_which_one_was_declared_either_may_break() -> None:
    """如手上有兩組四個的牌，玩家隻觀生一次，那麼玩家可以折散兩組四個牌中任意一組牌。"""
    rest = "(上大人)(可知禮)(孔乙己) 化千"
    for text, whole in (("[四四四四] 八八八八 三五", "八"), ("[四四四四] 八八八八 七九", "四")):
        groups = agreed("tongcheng", f"{text} {rest}")["groups"]
        assert [group["cards"] for group in groups if group["shape"] == "quad"] == [[whole] * 4]


@pytest.mark.parametrize(
    ("text", "name", "points_", "steps"),
    [
        ("(上上上)(爾小生)(爾小生)(佳作仁)(佳作仁)(孔乙己) 大大", "屁胡", 21, 2),
        ("(上上上)(七七七)(福祿壽)(爾小生)(大大大)(人人人) 八九", "台胡", 41, 6),
        ("(上上上)(七七七)(福福福)(爾小生)(大大大)(人人人) 八九", "台胡翻", 51, 12),
        ("(上上上)(大大大)(人人人)(孔孔孔)(乙乙乙)(己己己) 八八", "屁胡", 26, 2 + 2),
        ("(大大大)(人人人)(孔孔孔)(乙乙乙)(八九子)(爾小生) 十十", "清胡", 11, 4),
        ("(大大大大)(人人人人)(孔孔孔孔)(乙乙乙)(八九子) 十十 (爾小生)", "清台胡", 23, 8),
        ("(孔孔孔)(乙乙乙)(己己己)(化化化)(八九子)(爾小生) 三三", "枯胡", 11, 12),
        ("(孔孔孔孔)(乙乙乙)(己己己己)(化化化)(三三三)(千千千) 八八", "枯胡", 21, 24),
        ("(人人人)(己己己)(千千千)(土土土)(子子子)(生生生) 仁仁", "黑胡", 13, 14),
        ("(大大大)(乙乙乙)(三三三)(十十十)(九九九)(小小小) 作作", "黑胡", 13, 14),
    ],
)
def test_000_classes_of_shangdaren(text: str, name: str, points_: int, steps: int) -> None:
    """21胡的屁胡算2分（自摸是一人2分，放的是2分），41胡台胡6分，51胡台胡翻12分，碰碰胡加2分……"""
    report = agreed("shangdaren", text)
    assert (report["class"], report["points"], report["steps"]) == (name, points_, steps)
    assert payments("shangdaren", text) == {1: steps, 2: steps}
    assert payments("shangdaren", text, by="discard") == {1: steps}


# --- what a hand waits for -------------------------------------------------------------------

FULL_WAITS = [
    ("000", "sanjing", "七", "五六七八九十土", "拿撂"),
    ("000", "sanjing", "孔孔乙乙", "孔乙己", "推攤"),
    ("000", "sanjing", "三三四四", "二三四五", "推攤"),
    ("000", "sanjing", "孔己六七", "乙五八", None),
    ("002", "shuangbiegan", "七", "五六七八九十土賴", "拿撂"),
    ("002", "shuangbiegan", "孔孔乙乙", "孔乙己", "推攤"),
    ("002", "shuangbiegan", "孔己六七", "乙五八賴", None),
    ("003", "jingzhou", "上人孔乙", "大己", "兩條口"),
    ("003", "jingzhou", "八八九九", "七八九十子", "推灘"),
    ("003", "jingzhou", "七", "五六七八九十土", "刷刁"),
    ("004", "jingzhou_shuangbiegan", "化三八九", "千七十子", None),
    ("004", "jingzhou_shuangbiegan", "三", "乙二三四五化千", "撂聽"),
]


@pytest.mark.parametrize(
    ("seed", "rule", "rest", "cards", "form"),
    FULL_WAITS,
    ids=[f"{r[0]}_{n}" for n, r in enumerate(FULL_WAITS)],
)
def test_waits_are_those_of_the_seed(seed: str, rule: str, rest: str, cards: str, form: str | None) -> None:
    groups = 8 if len(rest) == 1 else 7
    apart = [c for c in "孔己人土千十可知子禮大上化二八四九六" if c not in rest + cards][:groups]
    hand = scorer.parse_hand(rest + "".join(f"({c * 3})" for c in apart))
    found = scorer.waits(scorer.load_book(rule), hand)
    assert {wait.card.removeprefix("花") for wait in found} == set(cards)
    if form is not None:
        assert {wait.form for wait in found} == {form}


def test_000_the_middle_is_what_two_ends_wait_for() -> None:
    """如“三”即是“化千”的卡卡。"""
    hand = scorer.parse_hand("化千乙乙" + "".join(f"({c * 3})" for c in "人土十可知子禮"))
    forms = {
        wait.card.removeprefix("花"): wait.form for wait in scorer.waits(scorer.load_book("sanjing"), hand)
    }
    assert forms["三"] == "卡卡"
