"""Whatever is typed, the scorer answers or says in one line what is wrong."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import scorer
from tests.scorer.reference import BOOKS

FINISHED = "可可可可上大人孔乙己化三千七十土八九子二三四五六七四五"
LANGUAGES = ("zh-Hant", "zh-Hans", "en")

STRANGE = [
    "",
    " ",
    "\n",
    "\t \u3000",
    "\x00",
    "abc",
    "花",
    "撿",
    "花花",
    "花可",
    "撿撿三",
    "花撿三",
    "三花",
    "賴>",
    "賴>花",
    "賴>可",
    "賴>花可",
    "賴>三>三",
    ">花三",
    "花賴",
    "()",
    "[]",
    "(",
    ")",
    "[三",
    "三]",
    "(三三三]",
    "[三三三三)",
    "((三三三))",
    "([三三三三])",
    "(三三三",
    "三三三)",
    "( )",
    "(花)",
    "(撿三三三)",
    "三" * 100_000,
    "(" * 100_000,
    "()" * 50_000,
    "(三三三)" * 20_000,
    "花" * 100_000,
    "上大人\ud800",
    "\ud83c\udca1",
    "🀄🂡",
    "e\u0301上",
    "上\u200b大\u200d人\ufeff",
    "上\u0338大人",
    "\u202e人大上",
    "\ufe0f上大人",
    "上大人（三三三）",
    "上大人【三三三三】",
    "〇",
    "１",
    "3",
    "上,大,人",
    "上、大、人",
    "-",
    "--json",
    "{}",
    '{"hand": "上大人"}',
    "null",
    "'; drop table hands; --",
    "../../etc/passwd",
    "%s%n",
]


def asked(rule: str, text: str, **round_: Any) -> bool:
    """Score, wait and advise; True where the hand was read, False where it was refused in one line."""
    try:
        book = scorer.load_book(rule)
        hand = scorer.parse_hand(text)
        report = scorer.score(book, hand, **round_)
        report.to_json()
        report.text()
        for wait in scorer.waits(book, hand):
            wait.to_json()
    except scorer.ScorerError as error:
        for line in (str(error), *(error.text(lang) for lang in LANGUAGES)):
            assert line.strip()
            assert "\n" not in line
            assert len(line) < 500
        return False
    return True


@pytest.mark.parametrize("number", range(len(STRANGE)))
@pytest.mark.parametrize("rule", ["sanjing", "tongcheng", "shangdaren"])
def test_strange_text_is_a_hand_or_refused_in_one_line(rule: str, number: int) -> None:
    asked(rule, STRANGE[number])


@pytest.mark.parametrize("seed", range(200))
def test_random_signs_are_a_hand_or_refused_in_one_line(seed: int) -> None:
    rng = random.Random(seed)
    signs = (
        "上大人孔乙己可知禮化三千七十土八九子二四五六爾小生佳作仁福祿壽賴别別赖花撿捡()[]（） >一士礼亡丘尔x"
    )
    text = "".join(rng.choice(signs) for _ in range(rng.randint(0, 40)))
    asked(rng.choice(BOOKS), text, win=rng.choice((None, "三", "花三", "賴", "x")))


@pytest.mark.parametrize(
    "text",
    ["花", "撿", "花可", "(", ")", "[三", "(三三三]", "x", "花賴", "三花", "(撿三三三)", "上大人\ud800"],
)
def test_text_that_is_no_hand_is_refused(text: str) -> None:
    assert not asked("tongcheng", FINISHED + text)


@pytest.mark.parametrize(
    "round_",
    [
        {"win": "禮"},
        {"win": ""},
        {"win": "x"},
        {"win": "上大"},
        {"win": "花三"},
        {"win": "賴"},
        {"win": "撿三"},
        {"by": "luck"},
        {"by": ""},
        {"players": 0},
        {"players": -3},
        {"players": 5},
        {"players": 10**30},
        {"stake": -1},
        {"stake": 1.5},
        {"stake": "ten"},
        {"stake": float("nan")},
        {"winner": 3},
        {"winner": -1},
        {"by": "discard", "discarder": 0},
        {"by": "discard", "discarder": 3},
        {"by": "discard", "discarder": -1},
        {"dui": {7: 3}},
        {"dui": {1: -3}},
        {"lang": "fr"},
    ],
)
def test_a_round_that_cannot_be_is_refused(round_: dict[str, Any]) -> None:
    assert asked("sanjing", FINISHED)
    assert not asked("sanjing", FINISHED, **round_)


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("sanjing", {"no_such_option": 1}),
        ("sanjing", {"main_jing": "乙"}),
        ("sanjing", {"main_jing": ""}),
        ("sanjing", {"black_flower_points": 2}),
        ("sanjing", {"black_flower_points": "x"}),
        ("sanjing", {"eye_counts": "perhaps"}),
        ("sanjing", {"wilds": 2}),
        ("sanjing", {"bao": False}),
        ("wujing", {"main_jing": "二"}),
        ("shangdaren", {"eye_counts": True}),
        ("shangdaren", {"number_sentences_from": "三"}),
        ("shangdaren", {"ku_minimum": 5}),
        ("tongcheng", {"step_size": 0}),
        ("tongcheng", {"step_size": -7}),
        ("tongcheng", {"step_size": 1.5}),
        ("tongcheng", {"step_size": "seven"}),
        ("tongcheng", {"form": "six_and_half"}),
        ("jingzhou_shuangbiegan", {"wilds": 1}),
        ("jingzhou_shuangbiegan", {"steps": "by_3"}),
        ("nonsense", {}),
        ("", {}),
        ("../sanjing", {}),
        ("sanjing\x00", {}),
        ("no/such/file.toml", {}),
        ("x" * 10_000, {}),
        ("上大人", {}),
    ],
)
def test_an_unknown_book_or_option_is_refused(rule: str, options: dict[str, object]) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.load_book(rule, options)
    assert "\n" not in str(caught.value)
    for lang in LANGUAGES:
        assert "\n" not in caught.value.text(lang)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe\x00",
        b"[",
        b"x = ",
        b"base = 7",
        b'base = "nonsense"',
        b'base = "sanjing"\nminimum = "many"',
        b'base = "sanjing"\n[options]\nno_such = 1',
        b'base = "sanjing"\nunknown_key = 1',
        b"a = " + b"[" * 5_000,
    ],
)
def test_a_file_that_is_no_rule_book_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(text)
    for rule in (path, str(path)):
        with pytest.raises(scorer.ScorerError) as caught:
            scorer.load_book(rule)
        assert "\n" not in str(caught.value)


def test_a_folder_is_no_rule_book(tmp_path: Path) -> None:
    folder = tmp_path / "book.toml"
    folder.mkdir()
    with pytest.raises(scorer.ScorerError):
        scorer.load_book(folder)


@pytest.mark.parametrize("rule", [r for r in BOOKS if r not in ("shuangbiegan", "gongan")])
def test_a_wild_where_the_deck_has_none_is_refused(rule: str) -> None:
    assert not asked(rule, "賴上大人")
    assert not asked(rule, "上大人(化賴千)")


def test_cards_of_the_other_deck_are_refused() -> None:
    assert not asked("sanjing", "福祿壽")
    assert not asked("shangdaren", "可知禮")
    assert not asked("shangdaren", "花三")
    assert not asked("shangdaren", "二四")


@pytest.mark.parametrize("rule", BOOKS)
def test_any_number_of_cards_is_answered(rule: str) -> None:
    for count in (1, 2, 3, 10, 100, 3_000):
        assert asked(rule, "上大人孔乙己化三千" * (count // 9) + "上大人孔乙己化三千"[: count % 9])
