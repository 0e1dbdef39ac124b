"""Rule books as data: what ships, a table's own variant, errors that name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

import scorer
from scorer.schema import Source

HAND = scorer.parse_hand("上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九")


def own(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_eight_rule_books_ship_in_the_order_of_the_rules() -> None:
    assert scorer.RULES == (
        "sanjing",
        "wujing",
        "shuangbiegan",
        "jingzhou",
        "tongcheng",
        "jingzhou_shuangbiegan",
        "shangdaren",
        "gongan",
    )


def test_the_same_request_gives_the_same_book() -> None:
    assert scorer.load_book("tongcheng", {"step_size": "9"}) is scorer.load_book(
        "tongcheng", {"step_size": 9}
    )


@pytest.mark.parametrize("rule", scorer.RULES)
@pytest.mark.parametrize("lang", scorer.LANGS)
def test_a_book_prints_every_option_with_its_source(rule: str, lang: str) -> None:
    book = scorer.load_book(rule)
    text = book.describe(lang)
    assert all(f"  {name} = " in text for name in book.options)
    assert ("practice" if lang == "en" else scorer.simplify("慣例") if lang == "zh-Hans" else "慣例") in text
    assert scorer.simplify(text) == text or lang != "zh-Hans"


def test_a_book_prints_what_an_option_and_a_table_set(tmp_path: Path) -> None:
    high = scorer.load_book("tongcheng", {"special_table": "high"})
    assert "(一手紅): 50 (option)" in high.describe("en")
    path = own(tmp_path, 'base = "sanjing"\ntitle = "村"\nminimum = 15\n[jing]\nquint = { 2 = 30 }\n')
    text = scorer.load_book(path).describe("en")
    assert "least points: 15 (this table)" in text
    assert "quint: 2: 30 (this table)" in text
    assert text.startswith("村")


def test_values_of_different_sources_in_one_line_each_name_their_own() -> None:
    assert "2: 14 (seed 000, 002), 3: 18 (practice)" in scorer.load_book("shuangbiegan").describe("en")


def test_a_table_says_only_what_differs(tmp_path: Path) -> None:
    path = own(
        tmp_path,
        'base = "sanjing"\nminimum = 41\n[options]\nmain_jing = "best"\nblack_flower_points = 1\n'
        "[red]\nsentence = 2\n[when.main_jing.best.black]\nsentence = 1\n",
    )
    book = scorer.load_book(path)
    assert (book.name, book.rule, book.options["main_jing"]) == ("own", "sanjing", "best")
    score = scorer.score(book, HAND)
    assert (score.points, score.minimum) == (44, 41)
    assert score.groups[0].basis == "option"


@pytest.mark.parametrize(
    ("text", "line", "allowed"),
    [
        ('base = "sanjing"\n\n[jing]\nquint = "x"\n', 4, "whole number"),
        ('base = "sanjing"\n[jing]\nquint = { 9 = 1 }\n', 3, "whole number"),
        ('base = "sanjing"\n[jing]\nquad_exposed = {}\n', 3, "one for each number of flowers"),
        ('base = "sanjing"\n[jing]\ncharacters = ["福"]\n', 3, "deck of 110"),
        ('base = "sanjing"\n[jing]\ncharacters = ["x"]\n', 3, "list of characters"),
        ('base = "sanjing"\njing = 3\n', 2, "a table [jing]"),
        ('base = "sanjing"\nminimun = 3\n', 2, "minimum"),
        ('base = "sanjing"\n[red]\nsentense = 3\n', 3, "sentence"),
        ('base = "sanjing"\ndeck = 111\n', 2, "110, 112, 96"),
        ('base = "sanjing"\nplayers = [7]\n', 2, "2, 3, 4"),
        ('base = "sanjing"\nplayers = [2]\ndefault_players = 3\n', 2, "3"),
        ('base = "jingzhou"\nplayers = [2, 3]\nminimum = { 2 = 9, 5 = 1 }\n', 3, "number of players"),
        ('base = "sanjing"\ntitle = 3\n', 2, "text in quotes"),
        ('base = "sanjing"\noptions = 3\n', 2, "a table [options]"),
        ('base = "sanjing"\n[options]\nwilds = 2\n', 3, "main_jing"),
        ('base = "sanjing"\n[options]\nmain_jing = "二"\n', 3, "most_held, best, 三, 五, 七"),
        ('base = "tongcheng"\n[options]\nstep_size = 0\n', 3, "a whole number from 1 on"),
        ('base = "tongcheng"\n[steps]\nby = 5\n', 3, "step_size"),
        ('base = "sanjing"\n[sources]\nred = 3\n', 3, "text in quotes"),
        ('base = "sanjing"\n[when.wilds.2]\ndeck = 112\n', 2, "main_jing"),
        ('base = "sanjing"\n[when]\nmain_jing = 2\n', 3, "[when.main_jing.VALUE]"),
        ('base = "sanjing"\n[when.main_jing.nine]\ndeck = 112\n', 2, "best"),
        ('base = "sanjing"\n[when.main_jing]\nbest = 3\n', 3, "a table"),
        ('base = "shangdaren"\n[classes]\nwith_jing = [{ points = 3 }]\n', 3, "屁胡"),
        ('base = "shangdaren"\n[classes]\nwithered_phrases = ["二三四"]\n', 3, "sentences of the deck"),
        ("minimum = 3\n", 1, "sanjing"),
        ('base = "_110"\n', 1, "sanjing"),
    ],
)
def test_an_error_names_the_line_and_what_is_allowed(
    tmp_path: Path, text: str, line: int, allowed: str
) -> None:
    with pytest.raises(scorer.BookError) as caught:
        scorer.load_book(own(tmp_path, text))
    assert f"own.toml, line {line}:" in str(caught.value)
    assert allowed in str(caught.value)
    assert f"第 {line} 行" in caught.value.text("zh-Hant")


def test_players_without_a_minimum_are_refused(tmp_path: Path) -> None:
    with pytest.raises(scorer.BookError, match="an entry for 3 players"):
        scorer.load_book(own(tmp_path, 'base = "sanjing"\nminimum = { 2 = 9 }\n'))


def test_a_file_too_large_or_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(scorer.BookError, match="too large"):
        scorer.load_book(own(tmp_path, "#" * (1 << 20) + "\n"))
    with pytest.raises(scorer.BookError, match="cannot be opened"):
        scorer.load_book(tmp_path / "gone.toml")


def test_a_line_that_is_not_there_is_the_table_or_the_first() -> None:
    source = Source("x.toml", "# note\n[jing]\nplain = 1\n")
    assert source.line_of(("jing", "flower")) == 2
    assert source.line_of(("red",)) == 1


@pytest.mark.parametrize("value", ["true", "True", "TRUE", True])
def test_an_option_value_may_be_text(value: object) -> None:
    assert scorer.load_book("jingzhou", {"bao": value}).options["bao"] is True


def test_an_option_value_may_be_in_another_spelling() -> None:
    assert scorer.load_book("wujing", {"main_jing": "一"}).options["main_jing"] == "乙"


def test_an_option_value_that_is_a_list_is_refused() -> None:
    with pytest.raises(scorer.OptionError, match="takes a text"):
        scorer.load_book("sanjing", {"main_jing": ["三"]})


def test_an_option_shows_what_it_takes() -> None:
    shown = {option.name: option.allowed_text() for option in scorer.load_book("tongcheng").option_details}
    assert shown["step_size"] == "≥ 1"
    assert shown["eye_counts"] == "true | false"


def points_of(path: Path, text: str) -> list[tuple[str, int]]:
    groups = scorer.score(scorer.load_book(path), scorer.parse_hand(text)).groups
    return [("".join(group.cards), group.points) for group in groups]


def test_jing_without_values_of_their_own_count_as_other_characters(tmp_path: Path) -> None:
    path = own(tmp_path, 'base = "tongcheng"\n[jing]\ncharacters = ["四"]\n')
    assert ("四四四", 1) in points_of(path, "四四四 上大人 可知禮 孔乙己 化三千 七十土 八九")


def test_a_shape_without_a_value_counts_its_cards_alone(tmp_path: Path) -> None:
    path = own(tmp_path, 'base = "shangdaren"\ndeck = 110\n[jing]\ncharacters = ["三"]\nplain = 3\n')
    text = "[四四四四四] 上大人 可知禮 孔乙己 化三千 七十土 八九"
    assert ("四四四四四", 0) in points_of(path, text)


def test_wilds_without_a_value_of_their_own_count_as_flowers(tmp_path: Path) -> None:
    path = own(tmp_path, 'base = "sanjing"\ndeck = 112\n')
    text = "賴賴花五 上大人 上大人 可知禮 可知禮 孔乙己 化三千 七十土 八九"
    assert ("花五賴>花五賴>花五", 7 * 2) in points_of(path, text)
