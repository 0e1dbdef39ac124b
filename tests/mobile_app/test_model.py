"""The whole way through the app without a window: photo, corrections, count, ledger."""

import os
import threading
from dataclasses import replace

import numpy as np
import pytest

import scorer
from mobile_app.evening import named_totals, transfers
from mobile_app.model import Model, PoorPhoto, ReadPhoto
from mobile_app.settings import Settings
from mobile_app.worker import Job
from table.ledger import NothingToUndoError
from table.words import DeckMismatchError
from tests import PATIENCE_S
from tests.mobile_app import hands
from vision.errors import Cancelled
from vision.read import Picture


@pytest.fixture
def model(tmp_path):
    model = Model(tmp_path, hands.reader())
    model.shelf.save(hands.deck())
    model.set(replace(Settings().with_rule("jingzhou"), stake=5, names=("老王", "小李", "陳姐")))
    yield model
    model.close()


def read(model, picture=None):
    job = Job(model.read(picture or hands.picture())).start()
    assert job.wait(PATIENCE_S)
    return job.result()


def lay_out(model):
    """Take the photo as it was read, all of it confirmed, laid out as it lies."""
    model.take(ReadPhoto(hands.picture(), hands.reading(), ()))
    draft = model.draft.take_guess(model.draft.guess(110))
    for card in draft.unsure:
        draft = draft.call(card.key, card.card)
    model.change(draft)


def test_from_the_photo_to_the_ledger(model):
    model.take(read(model))
    draft = model.draft
    model.change(draft.take_guess(draft.guess(110)))
    for card in model.draft.unsure:
        model.change(model.draft.call(card.key, card.card))
    model.won_by(0, 2)
    assert model.count().score.points == 18
    model.confirm()
    table = model.evening.table(model.settings)
    assert named_totals(table) == {"老王": 10, "小李": 0, "陳姐": -10}
    assert transfers(table) == (("陳姐", "老王", 10),)
    assert model.draft.count == 0


def test_a_confirmed_hand_is_there_after_the_app_was_killed(model, tmp_path):
    lay_out(model)
    model.confirm()
    again = Model(tmp_path, hands.reader())
    assert len(again.evening.table(again.settings).lines) == 1
    again.close()


def test_undo_and_settle(model):
    lay_out(model)
    model.confirm()
    table = model.evening.settle(model.evening.table(model.settings))
    assert set(named_totals(table).values()) == {0}
    table = model.evening.undo(model.evening.undo(table))
    assert set(named_totals(table).values()) == {0}
    with pytest.raises(NothingToUndoError):
        model.evening.undo(table)


def test_a_round_that_nobody_won(model):
    table, _ = model.evening.drawn(model.settings)
    assert table.lines[0].entry.kind == "drawn"


def test_a_player_who_leaves_keeps_the_debt(model):
    lay_out(model)
    model.won_by(0, 1)
    model.confirm()
    model.set(replace(model.settings, names=("老王", "趙哥", "陳姐")))
    table, _ = model.evening.open(model.settings)
    assert named_totals(table) == {"老王": 10, "小李": -10, "陳姐": 0, "趙哥": 0}
    assert [table.player(seat).name for seat in table.seats] == ["老王", "趙哥", "陳姐"]


def test_of_four_at_the_table_the_one_opposite_the_dealer_rests(model):
    model.set(replace(model.settings, players=4, names=("甲", "乙", "丙", "丁")))
    model.dealer = "乙"
    assert model.seats() == (("乙", "丙", "甲"), ("丁",))
    lay_out(model)
    model.dealer = "乙"
    model.won_by(0, None)
    model.confirm()
    entry = model.evening.table(model.settings).lines[0].entry
    table = model.evening.table(model.settings)
    assert [table.player(seat).name for seat in entry.rested] == ["丁"]
    assert table.player(entry.winner).name == "乙"


def test_every_change_of_the_hand_can_be_taken_back(model):
    model.take(read(model))
    before = model.draft
    model.change(before.leave_out([0]))
    model.change(model.draft.add("三"))
    assert model.step_back()
    assert model.step_back()
    assert model.draft == before
    assert not model.step_back()


def test_a_correction_teaches_the_deck(model):
    model.take(read(model))
    key = model.draft.unsure[0].key
    model.change(model.draft.call(key, model.draft.unsure[0].card))
    before = len(model.deck().examples)
    assert model.lesson()(None).refused == ()
    assert len(model.deck().examples) == before + 1


def test_no_correction_teaches_the_deck_where_the_players_do_not_want_it(model):
    model.set(replace(model.settings, teach_deck=False))
    model.take(read(model))
    model.change(model.draft.call(0, "大"))
    assert model.lesson() is None


def test_a_stopped_job_gives_no_reading(model):
    held = threading.Event()

    def work(job):
        held.wait(PATIENCE_S)
        return model.read(hands.picture())(job)

    job = Job(work).start()
    job.cancel()
    held.set()
    assert job.wait(PATIENCE_S)
    with pytest.raises(Cancelled):
        job.result()


def test_a_poor_photo_is_not_read_before_somebody_says_so(model):
    dark = Picture.of((hands.photo() * 0.15).astype(np.uint8))
    poor = read(model, dark)
    assert isinstance(poor, PoorPhoto)
    assert poor.problems == ("dark",)
    assert poor.found is None
    job = Job(model.read(dark, anyway=poor)).start()
    assert job.wait(PATIENCE_S)
    assert isinstance(job.result(), ReadPhoto)
    assert job.result().problems == ("dark",)


def test_cards_far_away_are_said_before_they_are_named(model, monkeypatch):
    monkeypatch.setattr("vision.quality.FAR", 300.0)
    poor = read(model)
    assert poor.problems == ("far",)
    monkeypatch.setattr(model.reader, "find", None)
    job = Job(model.read(hands.picture(), anyway=poor)).start()
    assert job.wait(PATIENCE_S)
    assert len(job.result().reading.cards) == 26


def test_a_photo_of_a_deck_of_another_kind_is_told_and_not_taken(model):
    model.set(model.settings.with_rule("shangdaren"))
    with pytest.raises(DeckMismatchError) as told:
        read(model)
    for lang, line in {
        "en": "Shang Da Ren is played with 96 cards; the photo shows made-up, a deck of 110. Change the rule",
        "zh-Hant": "上大人用 96 張牌，照片裡是「made-up」，110 張的牌。換一種玩法",
        "zh-Hans": "上大人用 96 张牌，照片里是「made-up」，110 张的牌。换一种玩法",
    }.items():
        assert told.value.text(lang).startswith(line)
    assert model.picture is None
    assert model.draft.count == 0
    model.set(model.settings.with_rule("jingzhou"))
    assert read(model).reading.deck == "made-up"


def test_a_deck_that_was_chosen_is_the_one_of_the_photo(model):
    model.shelf.save(replace(hands.deck(), name="second"))
    assert read(model).reading.deck == "made-up"
    model.set(replace(model.settings, deck="second"))
    assert read(model).reading.deck == "second"


def test_a_declared_hand_that_does_not_win_costs_what_the_table_says(model):
    lay_out(model)
    model.set(model.settings.with_option("false_claim", 2))
    draft = model.draft
    for card in draft.shown():
        draft = draft.call(card.key, card.card)
    model.change(draft.call(0, "二").win_with(None))
    model.won_by(1, None)
    assert not model.count().score.wins
    model.confirm_false_claim("詐和")
    table = model.evening.table(model.settings)
    assert named_totals(table) == {"老王": 10, "小李": -20, "陳姐": 10}
    assert table.lines[0].entry.kind == "adjustment"
    assert model.draft.count == 0


def test_another_rule_is_counted_anew(model):
    lay_out(model)
    assert model.count().book.name == "jingzhou"
    model.set(model.settings.with_rule("sanjing"))
    assert model.counted is None
    assert model.count().book.name == "sanjing"


def test_an_argument_about_the_hand(model):
    lay_out(model)
    ours = model.count().score.points
    assert model.arguing(ours)(None).right
    other = model.arguing(ours + 1)(None)
    assert (other.ours, other.theirs, other.right) == (ours, ours + 1, False)


def test_decks_are_read_again_only_where_a_file_changed(model):
    before = model.shelf.own()
    assert model.shelf.own()[0] is before[0]
    model.shelf.save(replace(before[0], name="another"))
    assert [deck.name for deck in model.shelf.own()] == ["another", before[0].name]


def test_a_deck_that_was_saved_again_at_once_is_read_again(model):
    path = model.shelf.folder / "made-up.deck"
    (before,), then = model.shelf.own(), path.stat()
    model.shelf.save(before)
    # As large as the other, and no clock has gone on since.
    os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert model.shelf.own()[0] is not before


def test_a_second_photo_adds_to_the_hand(model):
    first = read(model)
    model.take(first)
    second = replace(
        first, reading=model.reader.name(model.reader.find(hands.picture()), model.decks(), hands.picture())
    )
    model.take(second, another=True)
    assert model.draft.count == 52
    assert model.picture.size == model.draft.reading.size


def test_a_photo_that_was_decoded_smaller_is_shown_in_its_own_pixels(model):
    large = Picture(hands.photo(), (2560, 1920))
    outline = read(model, large).reading.cards[0].outline
    assert max(x for x, _ in outline) < 1280


def test_the_waits_of_a_hand_in_play(model):
    from mobile_app.course import waiting
    from mobile_app.draft import from_cards

    model.change(from_cards(waiting(model.book).free))
    assert model.over() == 0
    assert "七" in [wait.card for wait in model.waiting()(None)]
    model.change(model.draft.add("土"))
    assert model.over() == 1
    assert model.advising()(None).advise[0].discard == "土"


def test_the_deck_of_the_rule_is_drawn(model):
    assert set(model.faces()) == set(scorer.deck_cards(110))


def test_three_exposed_triplets_are_asked_for_where_they_pay_for_all(model):
    assert not model.asks_dui
    model.set(model.settings.with_rule("sanjing"))
    assert model.asks_dui
