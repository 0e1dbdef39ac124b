"""Every text in every language, judged by the character sets of the two scripts, not by our own table."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import scorer
from scorer.lang import LANGS, Phrase, quote, say, simplify
from scorer.schema import FIELDS
from scorer.texts import TEXTS
from tests.scorer.random_hands import random_case
from tests.scorer.reference import BOOKS

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("scorer", "vision", "table", "server", "suanhu", "mobile_app")
TRADITIONAL_IN_GB_2312 = "後於著乾藉"
"""Traditional characters that GB 2312 has beside the simplified ones."""


def ideographs(text: str) -> set[str]:
    return {letter for letter in text if "\u3400" <= letter <= "\u9fff"}


def strange(text: str, charset: str) -> set[str]:
    """The characters of a text that a character set lacks."""
    return {letter for letter in ideographs(text) if not letter.encode(charset, "ignore")}


def left_traditional(text: str) -> set[str]:
    return strange(text, "gb2312") | ideographs(text) & set(TRADITIONAL_IN_GB_2312)


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The literals of a source file but for its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


@pytest.mark.parametrize("package", PACKAGES)
def test_every_text_of_the_product_can_be_made_simplified(package: str) -> None:
    left = {
        f"{path.relative_to(ROOT)}:{line}": found
        for path in sorted((ROOT / package).rglob("*.py"))
        if "training" not in path.parts and path.name != "lang.py"
        for line, text in texts_of(path)
        if (found := left_traditional(simplify(text)))
    }
    assert left == {}


def test_the_rule_books_can_be_made_simplified() -> None:
    for path in sorted((ROOT / "scorer" / "books").glob("*.toml")):
        assert left_traditional(simplify(path.read_text(encoding="utf-8"))) == set(), path.name


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_is_written_in_both_languages_with_the_same_places(key: str) -> None:
    traditional, english = TEXTS[key]
    assert strange(traditional, "big5") == set()
    places = [set(re.findall(r"\{(\w+)\}", text)) for text in (traditional, english)]
    if key == "error.book_toml":  # what the reader of TOML says is English
        places[0].add("problem")
    if not key.startswith(("report.", "waits.", "advise.", "reason.")):  # units are words of the game
        assert places[0] == places[1]
    assert places[1] <= places[0]
    assert english.isascii() or ideographs(english) <= set("撿賴花三五七乙九包對咱枯胡黑一十人")


def test_every_text_is_said_somewhere() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "scorer").rglob("*.py")
        if path.name != "texts.py"
    )
    endings = {key: key.partition(".")[2] for key in TEXTS}
    unsaid = [key for key, ending in endings.items() if not re.search(rf"[\"._]{ending}[\"_]", code)]
    made = ("why.", "reason.wrong_count_", "report.")  # put together from a shape, an ending, a basis
    assert [key for key in unsaid if not key.startswith(made)] == []


def test_what_is_allowed_is_said_in_both_languages() -> None:
    for kind in FIELDS.values():
        assert strange(kind.allowed.traditional, "big5") == set()
        assert kind.allowed.english.isascii() or "[" in kind.allowed.english or "{" in kind.allowed.english


def test_what_somebody_typed_stays_as_it_is() -> None:
    said = quote("zh-Hans", "error.unknown_rule", rule="陳們進", known=Phrase("觀", "x"))
    assert said == "没有叫「陳們進」的规则，现有：观"
    with pytest.raises(scorer.UnknownRule) as caught:
        scorer.load_book("楊家劉家")
    for lang in LANGS:
        assert "楊家劉家" in caught.value.text(lang)


def test_cards_in_an_error_are_in_the_script_of_the_reader() -> None:
    with pytest.raises(scorer.BadRequest) as caught:
        scorer.score(scorer.load_book("sanjing"), scorer.parse_hand("賴壽禮"))
    assert "赖寿" in caught.value.text("zh-Hans")
    assert "賴壽" in caught.value.text("zh-Hant")


def test_words_of_the_game_in_a_text_follow_its_script() -> None:
    assert say("zh-Hans", "waits.form", form="兩條口") == "　两条口"
    assert say("en", "waits.form", form="兩條口") == ", 兩條口"


@pytest.mark.parametrize("rule", BOOKS)
def test_no_traditional_character_is_left_in_simplified_reports(rule: str) -> None:
    rng = random.Random(rule)
    for number in range(60):
        case = random_case(rule, 2, number)
        book = scorer.load_book(rule, dict(case.options))
        score = scorer.score(
            book,
            scorer.parse_hand(str(case.hand)),
            win=case.win,
            by=case.by,
            players=case.players,
            lang="zh-Hans",
        )
        assert left_traditional(score.text()) == set()
        if number == rng.randrange(60):
            assert left_traditional(book.describe("zh-Hans")) == set()
            hand = scorer.parse_hand(str(case.hand))
            assert left_traditional(scorer.advise(book, hand, lang="zh-Hans").text()) == set()


@pytest.mark.parametrize("rule", BOOKS)
def test_a_printed_book_is_complete_in_each_script(rule: str) -> None:
    book = scorer.load_book(rule)
    assert left_traditional(book.describe("zh-Hans")) == set()
    assert strange(book.describe("zh-Hant"), "big5") == set()
    told = book.describe("zh-Hant").splitlines()[1:]
    values, options = told[: told.index("選項")], told[told.index("選項") + 1 :]
    assert [line for line in values if re.search("[a-z]{3}", line)] == []
    assert len(options) == len(book.options)
