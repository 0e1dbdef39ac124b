"""`suanhu score`, `waits` and `advise`, with the fields that others rely on."""

import json

import pytest

import scorer
from table.code import Claimed, encode, options_set
from tests.suanhu.conftest import Run, is_one_line

HAND = "三三三 七七七 上大人 可知禮 孔乙己 八九子 化花三千 花七十土 二二"
GONGAN = "乙乙乙花乙花乙 (可可可可) 上大人 化花三千 八九子 花五花五賴 六七八 八花九子 二四"
FIELDS = {
    *("rule", "wins", "reason", "points", "minimum", "unit", "steps", "step_unit", "class", "main_jing"),
    *("groups", "payments", "stake", "hand", "warnings"),
}


def test_a_winning_hand_has_every_field(suanhu: Run) -> None:
    done = suanhu("score", "--rule", "jingzhou", HAND, "--stake", "10", "--json")
    assert (done.status, done.err) == (0, "")
    result = done.json
    assert set(result) >= FIELDS
    assert result["rule"] == "jingzhou"
    assert result["wins"] is True
    assert result["reason"] is None
    assert (result["minimum"], result["unit"], result["step_unit"], result["class"]) == (17, "和", "坡", None)
    assert result["stake"] == 10
    assert result["steps"] == (result["points"] - 17) // 5 + 1
    assert result["payments"] == [{"seat": seat, "pays": 10 * result["steps"], "to": 0} for seat in (1, 2)]
    for group in result["groups"]:
        assert set(group) >= {"shape", "name", "cards", "exposed", "points", "why", "basis"}
        assert group["shape"] in {"sentence", "triplet", "quad", "quint", "eye", "pair"}
        assert group["basis"] in {"seed", "practice", "option"}
    cards = sorted(card for group in result["groups"] for card in group["cards"])
    assert cards == sorted(scorer.parse_hand(HAND).free)
    assert sum(group["points"] for group in result["groups"]) == result["points"]


def test_the_example_of_gongan_holds(suanhu: Run) -> None:
    result = suanhu("score", "--rule", "gongan", GONGAN, "--option", "main_jing=五", "--json").json
    assert (result["wins"], result["points"], result["main_jing"]) == (True, 33, "五")


def test_the_hand_that_is_printed_reads_back(suanhu: Run) -> None:
    first = suanhu("score", "--rule", "gongan", GONGAN, "--json").json
    second = suanhu("score", "--rule", "gongan", first["hand"], "--json").json
    assert first == second


def test_a_hand_may_be_several_words(suanhu: Run) -> None:
    whole = suanhu("score", "--rule", "jingzhou", HAND, "--json").json
    assert suanhu("score", "--rule", "jingzhou", *HAND.split(), "--json").json == whole


def test_a_hand_that_does_not_win_says_why_on_standard_output(suanhu: Run) -> None:
    done = suanhu("score", "--rule", "jingzhou", "上大人")
    assert (done.status, done.err) == (1, "")
    assert "26" in done.out
    result = suanhu("score", "--rule", "jingzhou", "上大人", "--json")
    assert result.status == 1
    assert result.json["reason"] == "wrong_count"
    assert result.json["points"] is None
    assert (result.json["groups"], result.json["steps"], result.json["payments"]) == ([], 0, [])


def test_who_won_from_whom_decides_who_pays(suanhu: Run) -> None:
    words = (
        "score",
        "--rule",
        "sanjing",
        HAND,
        "--win",
        "二",
        "--by",
        "discard",
        "--winner",
        "1",
        "--from",
        "0",
    )
    payments = suanhu(*words, "--json").json["payments"]
    assert [(each["seat"], each["to"]) for each in payments if each["pays"]] == [(0, 1)]


def test_three_exposed_triplets_pay_for_all(suanhu: Run) -> None:
    payments = suanhu("score", "--rule", "sanjing", HAND, "--dui", "2=3", "--json").json["payments"]
    assert {each["seat"] for each in payments if each["pays"]} == {2}


def test_the_report_speaks_the_chosen_language(suanhu: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    english = suanhu("score", "--rule", "jingzhou", HAND).out
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    simplified = suanhu("score", "--rule", "jingzhou", HAND).out
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    traditional = suanhu("score", "--rule", "jingzhou", HAND).out
    assert len({english, simplified, traditional}) == 3
    assert suanhu("score", "--rule", "jingzhou", HAND, "--lang", "en").out == english
    assert "points" in english


def test_only_words_follow_the_language_in_json(suanhu: Run) -> None:
    one, other = (
        suanhu("score", "--rule", "jingzhou", HAND, "--json", "--lang", lang).json
        for lang in ("en", "zh-Hans")
    )
    for result in (one, other):
        for group in result["groups"]:
            del group["name"], group["why"]
        for warning in result["warnings"]:
            del warning["text"]
    for name in ("rule", "unit", "step_unit", "class", "main_jing", "groups", "payments", "hand", "points"):
        assert one[name] == other[name]


def test_a_line_for_each_hand_and_a_wrong_one_stops_none(suanhu: Run) -> None:
    lines = [
        HAND,
        "牌",
        json.dumps(
            {"hand": GONGAN, "rule": "gongan", "options": {"main_jing": "五"}, "stake": 5, "by": "self"}
        ),
        "",
        "上大人",
    ]
    done = suanhu("score", "--rule", "jingzhou", "-", stdin="\n".join(lines).encode())
    assert (done.status, done.err) == (2, "")
    first, second, third, fourth, fifth = done.lines
    assert first == suanhu("score", "--rule", "jingzhou", HAND, "--json").json
    assert set(second) == {"error"}
    assert (third["points"], third["stake"]) == (33, 5)
    assert set(fourth) == {"error"}
    assert fifth["reason"] == "wrong_count"


def test_lines_that_are_all_read_end_in_status_0(suanhu: Run) -> None:
    done = suanhu("score", "--rule", "jingzhou", "-", stdin=f"\ufeff{HAND}\r\n上大人\n".encode())
    assert (done.status, len(done.lines)) == (0, 2)
    assert suanhu("score", "--rule", "jingzhou", "-").status == 0


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"{",
        b"{}",
        b'{"hand": 5}',
        b'{"hand": "x", "luck": 1}',
        b'{"hand": "x", "rule": 5}',
        b'{"hand": "x", "rule": "jingzhou", "stake": 1.5}',
        b'{"hand": "x", "rule": "jingzhou", "stake": true}',
        b'{"hand": "x", "rule": "jingzhou", "stake": NaN}',
        b'{"hand": "x", "by": "luck"}',
        b'{"hand": "x", "by": []}',
        b'{"hand": "x", "options": []}',
        b'{"hand": "x", "options": {"main_jing": {}}}',
        b'{"hand": "x", "dui": [1]}',
        b'{"hand": "x", "dui": {"a": 1}}',
        b'{"hand": "x", "dui": {"1": "2"}}',
        b'{"hand": "x", "stake": ' + b"9" * 5000 + b"}",
        b'{"hand": "' + HAND.encode() + b'", "rule": "jingzhou", "stake": ' + b"9" * 4300 + b"}",
        b'{"hand": ' + b"[" * 100_000,
        b"[]",
        b'"' + HAND.encode() + b'"',
        b"\x00",
    ],
)
@pytest.mark.parametrize("command", ["score", "waits", "advise"])
def test_a_line_that_cannot_be_read_gives_its_error_and_the_rest_go_on(
    suanhu: Run, command: str, line: bytes
) -> None:
    done = suanhu(command, "--rule", "jingzhou", "-", stdin=line + b"\n" + line + b"\n")
    assert (done.status, done.err) == (2, "")
    assert [set(each) for each in done.lines] == [{"error"}, {"error"}]
    assert all("\n" not in each["error"] and each["error"] for each in done.lines)


WAITING = "三三三 七七七 上大人 可知禮 孔乙己 八九子 化花三千 花七十土 二"


def test_waits_have_every_field(suanhu: Run) -> None:
    done = suanhu("waits", "--rule", "jingzhou", WAITING, "--json")
    assert (done.status, done.err) == (0, "")
    waits = {wait["card"]: wait for wait in done.json["waits"]}
    assert set(waits["二"]) >= {"card", "left", "points", "steps", "wins"}
    assert waits["二"]["left"] == 4
    assert waits["二"]["wins"] is True
    assert all(wait["left"] > 0 for wait in waits.values())


def test_waits_are_said_in_words(suanhu: Run) -> None:
    done = suanhu("waits", "--rule", "jingzhou", WAITING)
    assert done.status == 0
    assert any(line.startswith("二") and "4 left" in line for line in done.out.splitlines())


def test_a_hand_that_nothing_completes_says_so(suanhu: Run) -> None:
    apart = "上上大大人人孔孔孔己己可可知知禮禮化化千千十十土土"
    done = suanhu("waits", "--rule", "jingzhou", apart)
    assert (done.status, done.err) == (0, "")
    assert done.out.strip()


@pytest.mark.parametrize(("command", "needed"), [("waits", 25), ("advise", 26)])
@pytest.mark.parametrize(
    ("lang", "says"), [("en", "there are 3 cards"), ("zh-Hant", "有 3 張"), ("zh-Hans", "有 3 张")]
)
def test_a_wrong_number_of_cards_is_said_with_the_right_one(
    suanhu: Run, command: str, needed: int, lang: str, says: str
) -> None:
    done = suanhu(command, "--rule", "jingzhou", "--lang", lang, "上大人")
    assert (done.status, done.err) == (1, "")
    assert says in done.out
    assert str(needed) in done.out
    told = suanhu(command, "--rule", "jingzhou", "--json", "上大人")
    assert (told.status, told.json["reason"]) == (1, "wrong_count")
    lines = suanhu(command, "--rule", "jingzhou", "-", stdin="上大人\n".encode())
    assert (lines.status, lines.lines[0]["reason"]) == (0, "wrong_count")


def test_advice_has_every_field_and_is_sorted(suanhu: Run) -> None:
    done = suanhu("advise", "--rule", "jingzhou", WAITING + "六", "--json")
    assert (done.status, done.err) == (0, "")
    advice = done.json
    assert advice["why"]
    assert all(set(each) >= {"discard", "left", "waits"} for each in advice["advise"])
    worth = [
        sum(wait["left"] * wait["steps"] for wait in each["waits"] if wait["wins"])
        for each in advice["advise"]
    ]
    assert worth == sorted(worth, reverse=True)
    assert advice["advise"][0]["waits"]


def test_advice_is_said_in_words(suanhu: Run) -> None:
    done = suanhu("advise", "--rule", "jingzhou", WAITING + "六")
    assert done.status == 0
    assert done.out.strip()


def test_every_rule_book_is_listed_and_printed(suanhu: Run) -> None:
    listed = suanhu("rules")
    assert listed.status == 0
    for rule in scorer.RULES:
        assert rule in listed.out
        printed = suanhu("rules", rule)
        assert printed.status == 0
        assert len(printed.out.splitlines()) > 5
    described = suanhu("rules", "jingzhou", "--json").json["rules"]
    assert [each["rule"] for each in described] == ["jingzhou"]
    assert {"kind", "players", "default_players", "options", "text"} <= set(described[0])


def test_a_claim_is_put_beside_the_count(suanhu: Run) -> None:
    points = suanhu("score", "--rule", "jingzhou", HAND, "--json").json["points"]
    right = suanhu("score", "--rule", "jingzhou", HAND, "--claim", str(points), "--json")
    assert right.status == 0
    assert right.json["claim"]["right"] is True
    wrong = suanhu("score", "--rule", "jingzhou", HAND, "--claim", "17", "--json").json["claim"]
    assert (wrong["right"], wrong["points"], wrong["claimed"]) == (False, points, 17)


def test_a_code_reopens_the_hand_that_it_was_made_of(suanhu: Run) -> None:
    book = scorer.load_book("gongan", {"main_jing": "五"})
    code = encode(
        Claimed(
            "gongan", scorer.parse_hand(GONGAN), options_set(book), "四", "discard", None, 5, 1, 2, {0: 1}
        )
    )
    words = ("--win", "四", "--by", "discard", "--winner", "1", "--from", "2", "--dui", "0=1", "--stake", "5")
    typed = suanhu("score", "--rule", "gongan", "--option", "main_jing=五", GONGAN, *words, "--json")
    assert typed.status == 0
    reopened = suanhu("score", "--code", code.lower(), "--json")
    assert reopened.json == typed.json | {"hand": reopened.json["hand"], "groups": reopened.json["groups"]}


def test_a_hand_that_was_declared_falsely_costs_what_the_table_says(suanhu: Run) -> None:
    words = ("score", "--rule", "jingzhou", "上大人", "--option", "false_claim=2", "--stake", "10")
    done = suanhu(*words, "--json")
    assert done.status == 1
    assert done.json["payments"] == []
    assert done.json["penalty"] == [{"seat": 0, "pays": 20, "to": seat} for seat in (1, 2)]
    assert "20" in suanhu(*words).out


@pytest.mark.parametrize(
    "words",
    [
        ("score", "--code", "XXXXX"),
        ("score", "--code", ""),
        ("score", "--code", "牌"),
        ("score", "--rule", "jingzhou", HAND, "--code", "XXXXX"),
        ("score", "--rule", "jingzhou", HAND, "--claim", "many"),
        ("score", "--rule", "jingzhou", HAND, "--claim", ""),
        ("score", "--rule", "jingzhou", HAND, "--claim", "(上大人)"),
        ("score", "--rule", "jingzhou", HAND, "--claim", "9" * 5000),
    ],
)
def test_a_claim_or_a_code_that_is_none_is_bad_input(suanhu: Run, words: tuple[str, ...]) -> None:
    done = suanhu(*words)
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err), done.err


@pytest.mark.parametrize(
    ("words", "mentioned"),
    [
        (("--stake", "100"), "--stake"),
        (("--win", "六"), "--win"),
        (("--by", "discard"), "--by"),
        (("--players", "2"), "--players"),
        (("--option", "eye_counts=false"), "--option"),
        (("--winner", "1"), "--winner"),
        (("--dui", "1=3"), "--dui"),
        (("--rule", "sanjing"), "--rule"),
    ],
)
def test_what_a_code_says_cannot_be_said_otherwise(
    suanhu: Run, words: tuple[str, ...], mentioned: str
) -> None:
    claimed = Claimed("jingzhou", scorer.parse_hand(HAND), win="二", stake=10)
    done = suanhu("score", "--code", encode(claimed), *words)
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)
    assert mentioned in done.err
    same = suanhu("score", "--code", encode(claimed), "--rule", "jingzhou", "--stake", "10", "--win", "二")
    assert same.status == 0
