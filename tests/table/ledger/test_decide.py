"""What may be written into the ledger, and what a table is afterwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.ledger import (
    ChangedError,
    EntryError,
    LedgerError,
    LimitError,
    NothingToUndoError,
    PlayerError,
    SchemaError,
    UnknownEntryError,
    UnknownPlayerError,
    decide,
    replay,
)
from table.ledger.errors import _TEXTS
from table.ledger.model import Entry, Event
from table.ledger.service import photo_of
from tests.table.ledger.tables import SCORE, opened, paid, then, won


def test_a_scored_hand_pays_by_players_not_by_seats():
    table = opened("甲", "乙", "丙", "丁")
    # Of four the one opposite the dealer rests, so 丁 sits on the scorer's seat 2.
    seats, rested = decide.who_plays(table, "p1", 3)
    table = then(table, lambda t: decide.scored(t, SCORE, seats, winner="p1", dealer="p1", rested=rested))
    assert table.totals() == {"p1": 40, "p2": -20, "p3": 0, "p4": -20}
    entry = table.line(1).entry
    assert (entry.dealer, entry.rested, entry.hand, entry.stake) == ("p1", ("p3",), "上大人", 10)
    assert table.dealer == "p1"


def test_who_plays_goes_round_with_the_dealer():
    table = opened("甲", "乙", "丙", "丁")
    assert decide.who_plays(table, "p2", 3) == (("p2", "p3", "p1"), ("p4",))
    assert decide.who_plays(table, None, 4) == (("p1", "p2", "p3", "p4"), ())


def test_a_discarder_who_rests_is_refused():
    table = opened("甲", "乙", "丙", "丁")
    with pytest.raises(PlayerError, match="did not play"):
        decide.scored(table, SCORE, ["p1", "p2", "p3"], winner="p1", discarder="p4")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"payments": None}, "payments"),
        ({"payments": [{"seat": 1, "pays": 1.5, "to": 0}]}, "payments"),
        ({"payments": [{"seat": 1, "pays": -5, "to": 0}]}, "payments"),
        ({"payments": [{"seat": True, "pays": 5, "to": 0}]}, "payments"),
        ({"payments": [{"seat": 3, "pays": 5, "to": 0}]}, "seat"),
        ({"payments": ["x"]}, "payments"),
        ({"rule": None}, "rule"),
        ({"stake": 1.0}, "stake"),
        ({"hand": 7}, "hand"),
        ({"groups": [[[[[[[[[[]]]]]]]]]]}, "size"),
        ({"groups": ["x"] * 5000}, "size"),
        ({"groups": ["x" * 3000]}, "size"),
    ],
)
def test_a_score_that_is_not_whole_is_refused(change, field):
    with pytest.raises(EntryError, match=field):
        decide.scored(opened(), SCORE | change, ["p1", "p2", "p3"])


def test_a_round_that_nobody_won_pays_nothing_and_is_kept():
    table = then(opened(), lambda t: decide.drawn(t, seats=t.seats, dealer="p2", note="流局"))
    assert table.totals() == {"p1": 0, "p2": 0, "p3": 0}
    assert table.line(1).entry.kind == "drawn"
    assert table.dealer == "p2"


@pytest.mark.parametrize(
    ("amounts", "error"),
    [
        ({"p1": 20, "p2": -10}, EntryError),
        ({"p1": 0, "p2": 0}, EntryError),
        ({}, EntryError),
        ({"p1": 1.5, "p2": -1.5}, EntryError),
        ({"p1": True, "p2": -1}, EntryError),
        ({"p1": 10**12, "p2": -(10**12)}, EntryError),
        ({"p9": 5, "p1": -5}, UnknownPlayerError),
    ],
)
def test_amounts_are_whole_and_add_up_to_nothing(amounts, error):
    with pytest.raises(error):
        decide.by_hand(opened(), amounts)


def test_an_adjustment_needs_a_reason():
    with pytest.raises(EntryError, match="note"):
        decide.adjust(opened(), {"p1": 5, "p2": -5}, "  ")


def test_undo_takes_back_the_latest_and_then_the_one_before():
    table = then(opened(), won, paid(p1=-6, p2=6), decide.undo)
    assert table.totals() == {"p1": 40, "p2": -20, "p3": -20}
    assert table.line(2).entry is None
    assert table.line(2).versions[0].entry is not None
    table = then(table, decide.undo)
    assert set(table.totals().values()) == {0}
    with pytest.raises(NothingToUndoError):
        decide.undo(table)


def test_a_correction_keeps_what_was_there_before_and_can_be_undone():
    table = then(opened(), won, lambda t: decide.by_hand(t, {"p1": 60, "p2": -30, "p3": -30}, number=1))
    line = table.line(1)
    assert line.corrected
    assert [version.entry.kind for version in line.versions] == ["scored", "by_hand"]
    assert table.totals()["p1"] == 60
    assert then(table, decide.undo).totals()["p1"] == 40


def test_a_struck_line_stays_readable_and_comes_back_by_undo():
    table = then(opened(), won, paid(p1=2, p3=-2), lambda t: decide.strike(t, 1))
    assert table.totals() == {"p1": 2, "p2": 0, "p3": -2}
    assert table.line(1).versions[0].entry.hand == "上大人"
    with pytest.raises(NothingToUndoError):
        decide.strike(table, 1)
    assert then(table, decide.undo).totals()["p1"] == 42


def test_an_undone_line_can_be_written_again():
    table = then(opened(), won, decide.undo, lambda t: decide.drawn(t, number=1))
    assert table.line(1).entry.kind == "drawn"
    assert not table.line(1).corrected


def test_players_join_leave_and_come_back_with_what_they_owe():
    table = then(opened(), won, lambda t: decide.join(t, "老趙"), lambda t: decide.leave(t, "p2"))
    assert table.seats == ("p1", "p3", "p4")
    assert table.totals()["p2"] == -20
    with pytest.raises(PlayerError):
        decide.leave(table, "p2")
    table = then(table, lambda t: decide.join(t, " 阿珍 "))
    assert table.player("p2").present
    assert table.seats == ("p1", "p3", "p4", "p2")


def test_seats_name_everybody_who_is_here_once():
    table = then(opened(), lambda t: decide.seat(t, ["p3", "p1", "p2"], dealer="p1"))
    assert (table.seats, table.dealer) == (("p3", "p1", "p2"), "p1")
    for seats in (["p1", "p2"], ["p1", "p1", "p2"], ["p1", "p2", "p9"]):
        with pytest.raises(LedgerError):
            decide.seat(table, seats)
    with pytest.raises(PlayerError, match="dealer"):
        decide.seat(then(table, lambda t: decide.leave(t, "p3")), ["p1", "p2"], dealer="p3")


def test_two_players_of_one_name_are_refused():
    with pytest.raises(PlayerError):
        opened("甲", "甲")
    with pytest.raises(PlayerError):
        decide.join(opened(), "老王")
    with pytest.raises(PlayerError):
        decide.rename(opened(), "p1", "阿珍")
    assert then(opened(), lambda t: decide.rename(t, "p1", "王伯")).player("p1").name == "王伯"


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\nb", "a\x00", "\ud800"])
def test_names_are_short_and_plain(name):
    with pytest.raises(EntryError):
        decide.join(opened(), name)


@pytest.mark.parametrize("stake", [0, -1, 10**9, 1.0, True])
def test_a_stake_is_a_whole_number(stake):
    with pytest.raises(EntryError, match="stake"):
        opened(stake=stake)


@pytest.mark.parametrize("options", [{"a": None}, {"a": [1]}, {"a" * 99: 1}, {"a": "x" * 99}, {"a": 10**40}])
def test_options_are_plain_values(options):
    with pytest.raises(EntryError, match="options"):
        decide.change(opened(), options=options)


def test_a_new_rule_starts_from_its_own_options_and_old_rounds_keep_theirs():
    table = then(
        opened(),
        lambda t: decide.change(t, options={"main_jing": "best"}),
        won,
        lambda t: decide.change(t, rule="tongcheng", stake=5),
    )
    assert (table.rule, dict(table.options), table.stake) == ("tongcheng", {}, 5)
    assert table.line(1).entry.options == {"main_jing": "best"}
    assert table.line(1).entry.stake == 10


def test_settling_brings_everybody_to_nothing():
    table = then(opened(), won, decide.settle)
    assert set(table.totals().values()) == {0}
    assert table.line(2).entry.kind == "settlement"
    with pytest.raises(NothingToUndoError):
        decide.settle(table)


def test_limits_hold(monkeypatch):
    monkeypatch.setattr(decide, "MAX_LINES", 1)
    monkeypatch.setattr(decide, "MAX_VERSIONS", 2)
    table = then(opened(), won)
    with pytest.raises(LimitError):
        won(table)
    table = then(table, lambda t: decide.drawn(t, number=1))
    for wish in (lambda: decide.drawn(table, number=1), lambda: decide.strike(table, 1)):
        with pytest.raises(LimitError):
            wish()
    with pytest.raises(LimitError):
        opened(*[f"n{n}" for n in range(40)])
    full = opened(*[f"n{n}" for n in range(32)])
    with pytest.raises(LimitError):
        decide.join(full, "one more")
    with pytest.raises(LimitError):
        decide.drawn(full, seats=full.seats)


@pytest.mark.parametrize("number", [0, 2, -1])
def test_only_lines_that_are_there_are_corrected(number):
    with pytest.raises(UnknownEntryError):
        decide.drawn(then(opened(), won), number=number)


@pytest.mark.parametrize(("content", "kind"), [(b"", "image/png"), (b"x", "text/html")])
def test_only_pictures_are_kept_as_photos(content, kind):
    with pytest.raises(EntryError, match="photo"):
        decide.scored(opened(), SCORE, ["p1", "p2", "p3"], photo=photo_of(content, kind))


def test_damaged_events_are_refused_not_guessed():
    table = then(opened(), won)
    good = {"entry": table.line(1).entry.to_json()}
    for event in (
        Event(4, "entered", good, ""),
        Event(3, "exploded", {}, ""),
        Event(3, "entered", {}, ""),
        Event(3, "entered", {"entry": good["entry"] | {"amounts": {"p1": 0.5}}}, ""),
        Event(3, "entered", {"entry": good["entry"] | {"amounts": {"p7": 5}}}, ""),
        Event(3, "entered", {"entry": good["entry"] | {"kind": "won"}}, ""),
        Event(3, "entered", {"entry": good["entry"] | {"seats": [1]}}, ""),
        Event(3, "struck", {"number": 9}, ""),
        Event(3, "struck", {"number": "1"}, ""),
        Event(3, "left", {"player": 1}, ""),
    ):
        with pytest.raises(SchemaError):
            replay(table.id, [event], table)
    with pytest.raises(SchemaError):
        replay("x", [])
    with pytest.raises(SchemaError):
        replay("x", [Event(1, "joined", {}, "")])


def test_an_entry_reads_back():
    entry = then(opened(), won).line(1).entry
    assert Entry.from_json(entry.to_json()) == entry


def test_a_table_tells_all_as_json():
    table = then(opened(), won, lambda t: decide.strike(t, 1))
    assert table.to_json()["totals"] == {"p1": 0, "p2": 0, "p3": 0}
    line = table.line(1).to_json()
    assert (line["counts"], line["entry"], len(line["versions"])) == (False, None, 2)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  老王 ", "老王"),
        ("老王\u200b", "老王"),
        ("\ufeff老\u00ad王\u2060", "老王"),
        ("\u202e王老", "王老"),
        ("\u2066王\u2069老", "王老"),
        ("محمد\u200f", "محمد"),
        ("e\u0301", "é"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("𠮷野", "𠮷野"),
    ],
)
def test_a_name_is_what_is_seen_of_it(typed, kept):
    assert opened("甲", typed).players[1].name == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u200b",
        "\u200d",
        "\u202e",
        "\u0301",
        "\ufe0f",
        "a\nb",
        "a\u2028b",
        "a\x00",
        "\ud800",
        "王" * 25,
    ],
)
def test_what_cannot_be_seen_or_shown_is_no_name(name):
    with pytest.raises(EntryError):
        opened("甲", name)


def test_two_names_that_look_like_one_are_one():
    with pytest.raises(PlayerError):
        opened("老王", "老\u200b王")
    with pytest.raises(PlayerError):
        decide.join(opened("老王"), "\u202d老王")


def test_a_note_cannot_turn_round_what_stands_behind_it():
    table = then(opened(), lambda t: decide.drawn(t, note=" 看\u202e反 "))
    assert table.line(1).entry.note == "看反"


def test_undo_and_settling_mean_what_was_seen():
    table = then(opened(), won)
    seen = table.seq
    later = then(table, paid(p1=1, p2=-1))
    for wish in (decide.undo, decide.settle):
        assert wish(decide.as_seen(table, seen)) == wish(table)
        with pytest.raises(ChangedError):
            wish(decide.as_seen(later, seen))
        wish(decide.as_seen(later, None))


def test_a_correction_means_the_version_that_was_seen():
    table = then(opened(), won, paid(p1=1, p2=-1))
    seen = table.line(1).versions[-1].seq
    assert decide.as_seen(table, seen, 1) is table
    corrected = then(table, lambda t: decide.strike(t, 1))
    with pytest.raises(ChangedError):
        decide.as_seen(corrected, seen, 1)
    assert decide.as_seen(corrected, table.line(2).versions[-1].seq, 2) is corrected
    with pytest.raises(UnknownEntryError):
        decide.as_seen(table, seen, 9)


def test_every_message_speaks_three_languages():
    values = dict.fromkeys(
        ("player", "number", "name", "limit", "sum", "field", "reason", "table", "version"), "7"
    )
    for code in _TEXTS:
        texts = {LedgerError(code, **values).text(lang) for lang in ("zh-Hant", "zh-Hans", "en")}
        assert all("\n" not in text for text in texts)
        assert len(texts) >= 2


moves = st.one_of(
    st.tuples(st.just("won"), st.just(0)),
    st.tuples(st.just("hand"), st.integers(-50, 50)),
    st.tuples(st.just("undo"), st.just(0)),
    st.tuples(st.just("strike"), st.integers(1, 6)),
    st.tuples(st.just("correct"), st.integers(1, 6)),
    st.tuples(st.just("leave"), st.integers(1, 4)),
    st.tuples(st.just("join"), st.integers(1, 4)),
    st.tuples(st.just("settle"), st.just(0)),
)


@given(st.lists(moves, max_size=25))
def test_whatever_happens_nothing_is_lost_and_money_adds_up(evening):
    wishes = {
        "won": lambda n: lambda t: decide.scored(t, SCORE, t.seats, winner="p1"),
        "hand": lambda n: paid(p1=n, p2=-n),
        "undo": lambda n: decide.undo,
        "strike": lambda n: lambda t: decide.strike(t, n),
        "correct": lambda n: lambda t: decide.by_hand(t, {"p1": n, "p3": -n}, number=n),
        "leave": lambda n: lambda t: decide.leave(t, f"p{n}"),
        "join": lambda n: lambda t: decide.join(t, f"n{n}"),
        "settle": lambda n: decide.settle,
    }
    table = opened("n1", "n2", "n3")
    seen = 0
    for move, n in evening:
        try:
            table = then(table, wishes[move](n))
        except LedgerError:
            continue
        assert sum(table.totals().values()) == 0
        versions = sum(len(line.versions) for line in table.lines)
        assert versions >= seen
        seen = versions
        assert set(table.seats) == {player.id for player in table.players if player.present}
