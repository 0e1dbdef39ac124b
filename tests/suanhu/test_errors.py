import errno
from string import Formatter

import pytest

from suanhu import language
from suanhu.errors import CommandError, one_line
from vision.errors import LANGS, DeckError


@pytest.fixture(autouse=True)
def english() -> None:
    language.choose("en")


def test_an_error_of_several_lines_becomes_one() -> None:
    assert one_line(ValueError("first\n  second\r\nthird")) == "first second third"


def test_an_error_without_words_is_named() -> None:
    assert one_line(ValueError()) == "ValueError"


def test_an_error_that_knows_the_language_is_asked() -> None:
    class SpokenError(CommandError):
        def text(self, lang: str) -> str:
            return f"said in {lang}"

    language.choose("zh-Hans")
    assert one_line(SpokenError("x")) == "said in zh-Hans"


@pytest.mark.parametrize("lang", LANGS)
def test_the_command_line_alone_names_its_switches(lang: str) -> None:
    language.choose(lang)
    for code, texts in DeckError.texts.items():
        fields = {field for _, field, _, _ in Formatter().parse(texts[0]) if field}
        error = DeckError(code, **dict.fromkeys(fields, "x"))
        assert "--" not in error.text(lang)
        assert ("--" in one_line(error)) is (code in DeckError.hints)


def test_a_missing_file_is_named_without_a_number() -> None:
    error = FileNotFoundError(errno.ENOENT, "No such file or directory", "a.jpg")
    assert one_line(error) == "a.jpg: no such file"
    language.choose("zh-Hant")
    assert one_line(error) == "a.jpg: 沒有這個檔案"


def test_another_error_of_the_system_keeps_its_own_words() -> None:
    assert one_line(OSError(errno.EIO, "Input/output error")) == "Input/output error"
