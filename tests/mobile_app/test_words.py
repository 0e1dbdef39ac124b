"""The texts of the app: complete, in both scripts, and in the font that ships."""

import re
import string
from pathlib import Path

import pytest

from mobile_app.course import course
from mobile_app.packaging import font
from mobile_app.players import addressed, colour_names, seat_names, surnames
from mobile_app.words import WORDS, card_name, words

APP = Path(font.ROOT) / "mobile_app"
_USED = re.compile(r'["\']([a-z_]+(?:\.[a-z_0-9A-Z]+)+|yes|no|and|comma|points|step|zoom|wrong|saved)["\']')
_MADE = ("value.", "problem.", "reading.", "correct.doubt.", "ledger.kind.", "learn.kind.", "basis.", "deck.")
"""Keys that the code puts together."""


def sources():
    return [path for path in APP.rglob("*.py") if path.name != "words.py"]


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_key_is_used_and_every_used_key_is_there():
    used = {key for path in sources() for key in _USED.findall(path.read_text(encoding="utf-8"))}
    made = {key for key in WORDS if key.startswith(_MADE)}
    assert set(WORDS) <= used | made
    kinds = {key.split(".")[0] for key in WORDS if "." in key}
    pages = {key for key in used if key.split(".")[0] in kinds and key not in WORDS}
    assert {key for key in pages if words_like(key)} == set()


def words_like(key):
    """Names of buttons that tests alone use look like keys too; those are not texts."""
    calls = ("self.t(", "self.text(", "self.button(", "self.main(", "words(lang, ", "ClassVar[str] = ")
    return any(f'{call}"{key}"' in path.read_text(encoding="utf-8") for path in sources() for call in calls)


@pytest.mark.parametrize("key", WORDS)
def test_a_text_has_the_same_places_in_both_languages(key):
    hant, en = WORDS[key]
    assert fields(en) <= fields(hant) | {"unit"}
    assert hant
    assert en


@pytest.mark.parametrize("key", WORDS)
def test_simplified_texts_have_no_traditional_character(key):
    words("zh-Hans", key, **dict.fromkeys(fields(WORDS[key][0]), "")).replace("…", "").encode("gb2312")


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "en"])
def test_names_are_distinct_and_in_the_script(lang):
    for names in (seat_names(lang), colour_names(lang), surnames(lang), addressed("王", lang)):
        assert len(set(names)) == len(names)
        if lang == "zh-Hans":
            "".join(names).encode("gb2312")


def test_cards_are_written_in_the_script_of_the_reader():
    assert card_name("zh-Hans", "賴>花三") == "赖>花三"
    assert card_name("zh-Hant", "禮") == card_name("en", "禮") == "禮"


def test_the_font_has_every_character_that_the_app_may_show():
    from fontTools.ttLib import TTFont

    cmap = set(TTFont(font.TARGET).getBestCmap())
    lacking = {character for character in font.wanted() if ord(character) not in cmap}
    assert lacking == set()


@pytest.mark.parametrize("name", ["王鑫", "李瑶", "陈淼", "劉琪", "昊哥", "老譚"])
def test_the_font_has_the_characters_of_names(name):
    from fontTools.ttLib import TTFont

    assert {ord(character) for character in name} <= set(TTFont(font.TARGET).getBestCmap())


def test_the_font_is_small_and_free():
    assert font.TARGET.stat().st_size < 2_600_000
    assert "SIL OPEN FONT LICENSE" in (font.TARGET.parent / "OFL.txt").read_text(encoding="utf-8")


def test_the_course_says_only_what_the_font_has():
    from fontTools.ttLib import TTFont

    import scorer

    cmap = set(TTFont(font.TARGET).getBestCmap())
    for rule in scorer.RULES:
        for lang in scorer.LANGS:
            text = "".join(page.title + page.text for page in course(scorer.load_book(rule), lang))
            assert {character for character in text if ord(character) not in cmap} == set()
