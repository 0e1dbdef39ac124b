"""A backup restores into any store, only ever adds, and takes nothing that was tampered with."""

import io
import json
import zipfile

import pytest

from table.ledger import BackupError, Ledger, decide, sqlite
from table.ledger import backup as backups
from table.ledger.service import photo_of
from tests.table.ledger.tables import SCORE, paid, won

PHOTO = photo_of(b"\xff\xd8 a photo", "image/jpeg")


@pytest.fixture
def full(ledger, evening):
    ledger.do(
        evening.id,
        lambda t: decide.scored(t, SCORE, t.seats, photo=PHOTO),
        photo=PHOTO,
        key="a-key-of-a-phone",
        request=1,
    )
    ledger.do(evening.id, decide.undo)
    return ledger


def elsewhere() -> Ledger:
    return Ledger(sqlite.open_store(":memory:"))


def restored(ledger: Ledger, content: bytes) -> tuple[str, ...]:
    return backups.restore(ledger, io.BytesIO(content))


def test_a_backup_brings_everything_back_elsewhere(full, evening):
    other = elsewhere()
    assert restored(other, backups.backup_bytes(full)) == (evening.id,)
    assert other.table(evening.id) == full.table(evening.id)
    assert other.store.events(evening.id) == full.store.events(evening.id)
    assert other.store.photo(evening.id, PHOTO.sha256) == PHOTO
    assert other.do(evening.id, won, key="a-key-of-a-phone", request=1).repeated


def test_restoring_twice_changes_nothing_and_a_later_backup_goes_on(full, evening):
    other = elsewhere()
    first = backups.backup_bytes(full)
    restored(other, first)
    assert restored(other, first) == ()
    full.do(evening.id, paid(p1=7, p2=-7))
    assert restored(other, backups.backup_bytes(full)) == (evening.id,)
    assert other.table(evening.id).totals()["p1"] == 7
    assert restored(other, first) == ()


def test_a_forgotten_photo_comes_back_from_a_backup(full, evening):
    content = backups.backup_bytes(full)
    full.store.forget_photo(evening.id, PHOTO.sha256)
    restored(full, content)
    assert full.store.photo(evening.id, PHOTO.sha256) == PHOTO


def test_ledgers_that_went_two_ways_are_not_mixed(full, evening):
    other = elsewhere()
    restored(other, backups.backup_bytes(full))
    full.do(evening.id, paid(p1=7, p2=-7))
    other.do(evening.id, paid(p1=8, p2=-8))
    with pytest.raises(BackupError, match="differ"):
        restored(other, backups.backup_bytes(full))
    assert other.table(evening.id).totals()["p1"] == 8


def test_one_table_can_be_backed_up_alone(full, evening):
    full.open(name="另一桌", rule="jingzhou")
    other = elsewhere()
    restored(other, backups.backup_bytes(full, [evening.id]))
    assert [table.id for table in other.tables()] == [evening.id]


def repacked(content: bytes, change) -> bytes:
    """The backup with its files changed, name to bytes, and no sum made anew."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, each in files.items():
            archive.writestr(name, each)
    return target.getvalue()


def resummed(files: dict[str, bytes]) -> None:
    """Makes the sums of a changed backup right, as somebody who tampers would."""
    import hashlib

    head = json.loads(files["backup.json"])
    head["files"] = {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "backup.json"
    }
    files["backup.json"] = json.dumps(head).encode()


def an_event(seq: str, kind: str) -> str:
    return f'{{"seq": {seq}, "kind": "{kind}", "body": {{}}, "at": "", "key": null, "fingerprint": null}}\n'


def events_changed(line: str):
    def change(files):
        name = next(name for name in files if name.startswith("tables/"))
        files[name] += line.encode()
        resummed(files)

    return change


def event_altered(kind: str, **fields):
    """Changes fields in the body of the first event of a kind, and makes the sums right."""

    def change(files):
        name = next(name for name in files if name.startswith("tables/"))
        events = [json.loads(line) for line in files[name].decode().splitlines()]
        event = next(each for each in events if each["kind"] == kind)
        for field, value in fields.items():
            place = event
            *path, last = field.split("__")
            for step in path:
                place = place[step]
            place[last] = value
        files[name] = "".join(json.dumps(each) + "\n" for each in events).encode()
        resummed(files)

    return change


@pytest.mark.parametrize(
    "change",
    [
        event_altered("opened", at="yesterday"),
        event_altered("opened", at="2026-13-01T00:00:00Z"),
        event_altered("opened", at="9999-12-31T23:59:59Z"),
        event_altered("opened", body__name="x" * 500),
        event_altered("opened", body__name="a\u202eb"),
        event_altered("opened", body__players=["a"] * 3),
        event_altered("opened", body__players=["a\n"]),
        event_altered("opened", body__players=[f"p{n}" for n in range(40)]),
        event_altered("opened", body__stake=0),
        event_altered("opened", body__options={"x": [1]}),
        event_altered("opened", body__options=None),
        event_altered("opened", body__rule="x" * 200),
        event_altered("opened", body__more=1),
        event_altered("entered", body__entry__amounts={"p1": 40}),
        event_altered("entered", body__entry__amounts={"p1": 10**12, "p2": -(10**12)}),
        event_altered("entered", body__entry__seats=["p1", "p1", "p2"]),
        event_altered("entered", body__entry__seats=["p1", "p2", "p9"]),
        event_altered("entered", body__entry__winner="p9"),
        event_altered("entered", body__entry__rested=["p9"]),
        event_altered("entered", body__entry__dealer="p9"),
        event_altered("entered", body__entry__hand="x" * 500),
        event_altered("entered", body__entry__note="\x00"),
        event_altered("entered", body__entry__stake=-1),
        event_altered("entered", body__entry__photo="../x"),
        event_altered("entered", body__entry__score={"x": "y" * 5000}),
        event_altered("entered", body__entry__options={"x": {}}),
    ],
)
def test_what_could_not_have_happened_is_not_restored(full, change):
    other = elsewhere()
    with pytest.raises(BackupError):
        restored(other, repacked(backups.backup_bytes(full), change))
    assert other.tables() == ()


def test_more_events_than_a_table_can_have_are_refused(full, monkeypatch):
    monkeypatch.setattr(backups, "MAX_EVENTS", 2)
    with pytest.raises(BackupError, match="large"):
        restored(elsewhere(), backups.backup_bytes(full))


def added(name: str):
    def change(files):
        files[name] = b"{}"
        resummed(files)

    return change


def photo_changed(files):
    name = next(name for name in files if name.startswith("photos/"))
    files[name] += b"!"
    resummed(files)


@pytest.mark.parametrize(
    "change",
    [
        lambda files: files.pop("backup.json"),
        lambda files: files.update({"backup.json": b"no json"}),
        lambda files: files.update({"backup.json": b"[]"}),
        lambda files: files.update(
            {"backup.json": files["backup.json"].replace(b'"version": 1', b'"version": 2')}
        ),
        lambda files: files.update({"backup.json": b'{"format": "suanhu-ledger", "version": 1}'}),
        lambda files: files.update({"extra": b""}),
        added("../../escape"),
        photo_changed,
        lambda files: files.update({name: each + b" " for name, each in files.items() if "jsonl" in name}),
        events_changed("{}\n"),
        events_changed("[" * 100_000 + "\n"),
        events_changed(an_event('"4"', "x")),
        events_changed(an_event("4", "x")),
        events_changed(an_event("9", "undone")),
    ],
)
def test_a_changed_backup_is_refused_whole(full, change):
    other = elsewhere()
    with pytest.raises(BackupError):
        restored(other, repacked(backups.backup_bytes(full), change))
    assert other.tables() == ()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no zip at all"])
def test_what_is_no_zip_is_no_backup(content):
    with pytest.raises(BackupError, match="no backup"):
        restored(elsewhere(), content)


def test_a_backup_cut_short_is_refused(full):
    content = backups.backup_bytes(full)
    for length in range(0, len(content), 37):
        with pytest.raises(BackupError):
            restored(elsewhere(), content[:length])


def test_a_huge_backup_is_refused_before_it_is_unpacked(full, monkeypatch):
    for limit in ({"max_bytes": 10}, {"max_tables": 0}):
        with pytest.raises(BackupError, match="large"):
            backups.restore(elsewhere(), io.BytesIO(backups.backup_bytes(full)), **limit)
    monkeypatch.setattr(backups, "MAX_TABLE_BYTES", 10)
    with pytest.raises(BackupError, match="large"):
        restored(elsewhere(), backups.backup_bytes(full))


def test_a_backup_into_a_ledger_that_is_being_written_says_busy(full, monkeypatch):
    from table.ledger.store import ConflictError

    def clash(_):
        raise ConflictError

    other = elsewhere()
    monkeypatch.setattr(other.store, "restore", clash)
    with pytest.raises(BackupError, match="busy"):
        restored(other, backups.backup_bytes(full))
