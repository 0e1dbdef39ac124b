"""The same storage tests over the phone's runner, the service's SQLite and PostgreSQL."""

import threading

import pytest

from table.ledger import (
    EntryError,
    Event,
    KeyReusedError,
    Ledger,
    LedgerError,
    UnknownPhotoError,
    UnknownTableError,
    decide,
)
from table.ledger.errors import BusyError
from table.ledger.service import photo_of
from table.ledger.store import ConflictError
from tests.table.ledger.tables import SCORE, paid, won

KEY = "a-key-of-a-phone"


def test_the_photos_of_a_table_are_weighed(store, ledger, evening):
    assert store.photo_bytes(evening.id) == 0
    for content in (b"one", b"three"):
        ledger.keep_photo(evening.id, photo_of(content, "image/jpeg"))
    assert store.photo_bytes(evening.id) == 8


def test_what_was_written_is_there_for_whoever_opens_it_next(ledger, evening, open_again):
    ledger.do(evening.id, won)
    ledger.do(evening.id, lambda t: decide.adjust(t, {"p1": -5, "p2": 5}, "茶錢 👍"))
    other = Ledger(open_again())
    table = other.table(evening.id)
    assert table.totals() == {"p1": 35, "p2": -15, "p3": -20}
    assert table.line(2).entry.note == "茶錢 👍"
    assert table == ledger.table(evening.id)
    other.close()


def test_two_who_write_at_once_both_get_their_turn(evening, open_again):
    ledgers = [Ledger(open_again()) for _ in range(3)]
    faults = []

    def write(ledger):
        try:
            for _ in range(8):
                ledger.do(evening.id, paid(p1=1, p2=-1))
        except LedgerError as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(ledger,)) for ledger in ledgers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    table = ledgers[0].table(evening.id)
    assert (table.totals()["p1"], len(table.lines), table.seq) == (24, 24, 25)
    for ledger in ledgers:
        ledger.close()


def test_a_request_that_comes_twice_is_written_once(ledger, evening):
    first = ledger.do(evening.id, won, key=KEY, request={"hand": "x"})
    ledger.do(evening.id, paid(p1=1, p2=-1))
    again = ledger.do(evening.id, won, key=KEY, request={"hand": "x"})
    assert (first.repeated, again.repeated) == (False, True)
    assert (first.number, again.number) == (1, 1)
    assert len(again.table.lines) == 2
    with pytest.raises(KeyReusedError):
        ledger.do(evening.id, won, key=KEY, request={"hand": "y"})


def test_a_key_belongs_to_one_table(ledger, evening):
    other = ledger.open(name="另一桌", rule="jingzhou", players=["甲", "乙", "丙"])
    ledger.do(evening.id, won, key=KEY, request=1)
    assert not ledger.do(other.id, won, key=KEY, request=2).repeated


@pytest.mark.parametrize("key", ["short", "x" * 129, "with space", "a\x00bcdefgh", ""])
def test_odd_keys_are_refused(ledger, evening, key):
    with pytest.raises(EntryError, match="key"):
        ledger.do(evening.id, won, key=key)


@pytest.mark.parametrize("table_id", ["nothing-here", "x", "../../etc", "a\x00bcdefghij", "長" * 12])
def test_unknown_tables_are_not_there(ledger, table_id):
    with pytest.raises(UnknownTableError):
        ledger.table(table_id)


def test_a_photo_is_kept_only_where_asked_and_can_be_forgotten(ledger, evening):
    photo = photo_of(b"\x00\xff jpeg", "image/jpeg")
    seats = evening.seats
    outcome = ledger.do(evening.id, lambda t: decide.scored(t, SCORE, seats, photo=photo), photo=photo)
    assert outcome.table.line(1).entry.photo == photo.sha256
    assert ledger.store.photo(evening.id, photo.sha256) == photo
    assert ledger.store.photos(evening.id) == (photo.sha256,)
    ledger.do(evening.id, lambda t: decide.scored(t, SCORE, seats, photo=photo, number=1), photo=photo)
    ledger.store.forget_photo(evening.id, photo.sha256)
    with pytest.raises(UnknownPhotoError):
        ledger.store.photo(evening.id, photo.sha256)
    with pytest.raises(UnknownPhotoError):
        ledger.store.forget_photo(evening.id, photo.sha256)
    assert ledger.table(evening.id).line(1).entry.photo == photo.sha256


def test_a_table_goes_with_all_that_belongs_to_it(ledger, evening, open_again):
    photo = photo_of(b"jpeg", "image/jpeg")
    other = ledger.open(name="另一桌", rule="jingzhou", players=["甲", "乙", "丙"])
    ledger.do(evening.id, lambda t: decide.scored(t, SCORE, t.seats, photo=photo), photo=photo)
    elsewhere = Ledger(open_again())
    elsewhere.table(evening.id)
    ledger.delete(evening.id)
    for each in (ledger, elsewhere):
        with pytest.raises(UnknownTableError):
            each.table(evening.id)
    with pytest.raises(UnknownTableError):
        ledger.store.append(evening.id, [])
    with pytest.raises(UnknownTableError):
        ledger.store.delete(evening.id)
    assert ledger.store.photos(evening.id) == ()
    assert [table.id for table in ledger.tables()] == [other.id]
    assert ledger.store.count() == 1
    elsewhere.close()


def test_half_of_a_write_is_never_kept(store, ledger, evening):
    good = Event(2, "renamed", {"player": "p1", "name": "王伯"}, "t")
    clash = Event(2, "renamed", {"player": "p1", "name": "王叔"}, "t")
    with pytest.raises(ConflictError):
        store.append(evening.id, [good, clash])
    assert ledger.table(evening.id).seq == 1


def test_whoever_never_gets_a_turn_is_told_so(store, ledger, evening, monkeypatch):
    def never(*_):
        raise ConflictError

    monkeypatch.setattr(store, "append", never)
    with pytest.raises(BusyError):
        ledger.do(evening.id, won)


def test_old_tables_make_room_in_memory_and_are_read_again(ledger, evening, monkeypatch):
    monkeypatch.setattr("table.ledger.service._KEPT_TABLES", 1)
    ledger.open(name="另一桌", rule="jingzhou")
    assert ledger.table(evening.id).name == "老王家"
