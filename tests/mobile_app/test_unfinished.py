"""A hand that is not written down yet outlives the app."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from mobile_app import unfinished
from mobile_app.model import Model, ReadPhoto
from mobile_app.settings import Settings
from tests import PROGRAM_S
from tests.conftest import ROOT, need
from tests.mobile_app import hands


@pytest.fixture
def start(tmp_path):
    """Start the app's model, as often as wanted, on one phone."""
    models = []

    def again():
        models.append(Model(tmp_path, hands.reader()))
        return models[-1]

    first = again()
    first.shelf.save(hands.deck())
    first.set(replace(Settings().with_rule("jingzhou"), stake=5, names=("老王", "小李", "陳姐")))
    yield again
    for model in models:
        model.close()


def corrected(model):
    """A hand of which the players have said all that can be said."""
    model.take(ReadPhoto(hands.picture(), hands.reading(), ()))
    draft = model.draft.take_guess(model.draft.guess(110))
    for card in draft.unsure[1:]:
        draft = draft.call(card.key, card.card)
    draft = draft.leave_out([0]).add("上")
    model.change(draft)
    model.won_by(1, 2)
    model.dealer = "小李"
    model.exposed(0, 1)


def test_the_hand_is_there_after_the_system_ended_the_app_behind_the_camera(start):
    before = start()
    corrected(before)
    points = before.count().score.points
    before.change(before.draft.pick(3))
    before.keep_hand()
    after = start()
    assert after.draft.count == 0
    assert after.restore_hand()
    assert after.draft.hand() == before.draft.hand()
    assert [card.key for card in after.draft.unsure] == [card.key for card in before.draft.unsure]
    assert after.draft.corrections() == before.draft.corrections()
    assert after.terms() == before.terms()
    assert (after.dealer, after.draft.win) == ("小李", before.draft.win)
    after.change(after.draft.pick(3))
    assert after.count().score.points == points


def test_a_hand_that_was_written_down_does_not_come_back(start):
    before = start()
    corrected(before)
    before.keep_hand()
    before.new_hand()
    assert not start().restore_hand()


def test_without_a_hand_none_is_kept(start, tmp_path):
    model = start()
    model.keep_hand()
    assert not (tmp_path / unfinished.NAME).exists()
    assert not model.restore_hand()


def test_a_hand_of_another_rule_does_not_come_back(start, tmp_path):
    before = start()
    corrected(before)
    before.keep_hand()
    before.set(before.settings.with_rule("sanjing"))
    assert not start().restore_hand()
    assert not (tmp_path / unfinished.NAME).exists()


def test_no_picture_is_kept(start, tmp_path):
    model = start()
    corrected(model)
    model.keep_hand()
    file = tmp_path / unfinished.NAME
    assert file.stat().st_size < 20_000
    assert not any("crop" in card for card in json.loads(file.read_text("utf-8"))["cards"])


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"cards": [{}]},
        {"cards": 3},
        {"named": [[99, "三"]]},
        {"added": [[-1, "牌"]]},
        {"win": "x"},
        {"size": [1]},
        {"rule": None},
    ],
)
def test_a_damaged_file_is_no_hand(start, tmp_path, change):
    model = start()
    corrected(model)
    model.keep_hand()
    file = tmp_path / unfinished.NAME
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | change), "utf-8")
    assert not start().restore_hand()
    file.write_bytes(b"{")
    assert not start().restore_hand()


@pytest.mark.system
@pytest.mark.parametrize("lang", ["zh-Hant", "en"])
def test_an_app_that_was_ended_behind_the_camera_shows_the_hand_again(lang, tmp_path):
    need(package="libegl1 libgl1", modules=("kivy",))
    shots = os.environ.get("SUANHU_SHOTS", str(tmp_path / "shots"))
    environment = os.environ | {
        "KIVY_HOME": str(tmp_path / "kivy"),
        "SUANHU_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
    }
    (tmp_path / "kivy").mkdir()

    def run(code):
        return subprocess.run(
            [sys.executable, "-c", f"from tests.mobile_app import killed; killed.{code}"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PROGRAM_S,
            check=False,
        )

    ended = run(f"behind_the_camera({lang!r})")
    assert ended.returncode == 9, ended.stderr[-3000:]
    again = run(f"started_again({lang!r}, {shots!r})")
    assert again.returncode == 0, again.stderr[-3000:]
    assert {"zh-Hant": "還沒記下", "en": "not written down yet"}[lang] in again.stdout.replace("\n", " ")
    assert again.stdout.rstrip().endswith("there")
