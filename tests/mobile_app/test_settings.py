"""What is remembered between two evenings."""

import json

import pytest

import scorer
from mobile_app import settings as stored
from mobile_app.settings import Settings


def test_settings_read_back(tmp_path):
    settings = Settings(lang="en", rule="gongan", options={"main_jing": "三"}, stake=20, names=("甲", "乙"))
    stored.save(settings, tmp_path)
    assert stored.load(tmp_path) == settings


def test_an_app_that_was_never_started_has_no_rule(tmp_path):
    assert stored.load(tmp_path / "nowhere") == Settings()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"lang": 3}', '{"stake": 1.5}', '{"names": ["甲", "甲"]}']
)
def test_a_damaged_file_gives_the_defaults(tmp_path, text):
    (tmp_path / stored.NAME).write_text(text, encoding="utf-8")
    assert stored.load(tmp_path) == Settings()


def test_an_option_that_the_book_no_longer_has_is_dropped(tmp_path):
    data = {"rule": "sanjing", "options": {"gone": 1}, "stake": 7}
    (tmp_path / stored.NAME).write_text(json.dumps(data), encoding="utf-8")
    loaded = stored.load(tmp_path)
    assert (loaded.rule, dict(loaded.options), loaded.stake) == ("sanjing", {}, 7)


def test_players_follow_the_rule():
    assert Settings(players=2).with_rule("sanjing").players == 3
    assert Settings(players=4).with_rule("tongcheng").players == 4


def test_an_option_at_its_default_is_not_stored():
    settings = Settings().with_rule("sanjing").with_option("main_jing", "best")
    assert dict(settings.options) == {"main_jing": "best"}
    assert dict(settings.with_option("main_jing", "most_held").options) == {}


def test_an_unknown_value_of_an_option_is_refused():
    with pytest.raises(scorer.ScorerError):
        Settings().with_rule("sanjing").with_option("main_jing", "worst")


def test_another_rule_has_its_own_options():
    settings = Settings().with_rule("sanjing").with_option("main_jing", "best")
    assert dict(settings.with_rule("wujing").options) == {}
    assert settings.with_rule("sanjing") == settings
