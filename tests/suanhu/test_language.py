import ast
from pathlib import Path

import pytest

import scorer
import suanhu
from suanhu import language


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LANG": "zh_HK"}, "zh-Hant"),
        ({"LANG": "zh"}, "zh-Hant"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        ({"LANG": "zh_SG.UTF-8"}, "zh-Hans"),
        ({"LANG": "zh_Hans_HK"}, "zh-Hans"),
        ({"LANG": "zh_Hant_CN"}, "zh-Hant"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zho"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh-Hans"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh-Hans"),
    ],
)
def test_the_terminal_s_locale_tells_the_language(variables: dict[str, str], expected: str) -> None:
    assert language.of_locale(variables, "linux") == expected


def test_windows_names_its_locale_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language.locale, "getlocale", lambda: ("Chinese (Traditional)_Taiwan", "950"))
    assert language.of_locale({}, "win32") == "zh-Hant"
    monkeypatch.setattr(language.locale, "getlocale", lambda: ("Chinese (Simplified)_China", "936"))
    assert language.of_locale({}, "win32") == "zh-Hans"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["score", "--lang", "en"], "en"),
        (["--lang=zh-Hans", "score"], "zh-Hans"),
        (["--lang", "en", "score", "--lang", "zh-Hant"], "zh-Hant"),
        (["score", "--lang"], None),
        (["score", "--lang", "xx"], None),
        (["score", "--", "--lang", "en"], None),
        ([], None),
    ],
)
def test_the_language_is_known_before_the_command_line_is_read(
    words: list[str], expected: str | None
) -> None:
    assert language.of_arguments(words) == expected


CARDS = {character for kind in (112, 96) for card in scorer.deck_cards(kind) for character in card}
"""English speaks of cards by their characters."""


def _wordings() -> list[tuple[str, int, list[str]]]:
    return [
        (path.name, node.lineno, [_literal(each) for each in node.args])
        for path in sorted(Path(suanhu.__file__).parent.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"
    ]


def _literal(expression: ast.expr) -> str:
    constants = [each.value for each in ast.walk(expression) if isinstance(each, ast.Constant)]
    return "".join(value for value in constants if isinstance(value, str))


def test_every_wording_has_three_languages() -> None:
    wordings = _wordings()
    assert len(wordings) > 30
    for name, line, texts in wordings:
        assert len(texts) == 3, (name, line)
        chinese = {each for each in texts[2] if "\u4e00" <= each <= "\u9fff"}
        assert chinese <= CARDS | {"牌"}, (name, line)


def test_simplified_wordings_are_the_traditional_ones_in_simplified_script() -> None:
    for name, line, texts in _wordings():
        assert scorer.simplify(texts[1]) == texts[1], (name, line)
