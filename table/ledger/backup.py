"""Backup and restore: one file that any store can be filled from.

A zip with `backup.json` (format and the SHA-256 of each other file), `tables/ID.jsonl` (one event
a line) and `photos/ID/SHA256`. What is restored only ever adds: events that are here already are
compared, those that go on are added, and a ledger that went another way is refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import IO, cast

from table.ledger import decide
from table.ledger.errors import BackupError, LedgerError, UnknownTableError
from table.ledger.model import Event, Json, Photo, Table, replay
from table.ledger.service import Ledger
from table.ledger.store import ConflictError

FORMAT = "suanhu-ledger"
VERSION = 1
MAX_BYTES = 1024 * 1024 * 1024
MAX_FILES = 200_000
MAX_TABLE_BYTES = 256 * 1024 * 1024
MAX_EVENTS = 2 * decide.MAX_LINES * decide.MAX_VERSIONS
_TIME = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,6})?Z")
_DATE = (1980, 1, 1, 0, 0, 0)
_TABLE_FILE = re.compile(r"tables/([A-Za-z0-9_-]{8,64})\.jsonl")
_PHOTO_FILE = re.compile(r"photos/([A-Za-z0-9_-]{8,64})/([0-9a-f]{64})\.(jpeg|png|webp|heic)")


def backup(ledger: Ledger, target: str | Path | IO[bytes], tables: Iterable[str] | None = None) -> None:
    """Writes tables with all their events and photos into one file.

    Args:
        ledger: What to back up.
        target: The file to write.
        tables: Ids of the tables; all where None.

    Raises:
        UnknownTableError: There is no such table.
        OSError: The file cannot be written.
    """
    store = ledger.store
    wanted = [row.id for row in store.tables()] if tables is None else list(tables)
    sums: dict[str, Json] = {}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for table_id in wanted:
            lines = "".join(json.dumps(_plain(event)) + "\n" for event in store.events(table_id))
            _add(archive, f"tables/{table_id}.jsonl", lines.encode(), sums)
            for sha256 in store.photos(table_id):
                photo = store.photo(table_id, sha256)
                kind = photo.media_type.partition("/")[2]
                _add(archive, f"photos/{table_id}/{sha256}.{kind}", photo.content, sums)
        head = {"format": FORMAT, "version": VERSION, "files": sums}
        archive.writestr(zipfile.ZipInfo("backup.json", _DATE), json.dumps(head, indent=1))


def restore(
    ledger: Ledger,
    source: str | Path | IO[bytes],
    *,
    max_bytes: int = MAX_BYTES,
    max_tables: int | None = None,
) -> tuple[str, ...]:
    """Adds what a backup holds; all of it or, on an error, nothing.

    Args:
        ledger: Where to.
        source: A file that `backup` wrote.
        max_bytes: How large it may be once unpacked.
        max_tables: How many tables it may hold, None for any number.

    Returns:
        The ids of the tables that have something new now.

    Raises:
        BackupError: It is no backup, is damaged, or contradicts what is here.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            files = _checked(archive, max_bytes)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError("no_backup") from error
    if max_tables is not None and sum(_TABLE_FILE.fullmatch(name) is not None for name in files) > max_tables:
        raise BackupError("large_backup")
    news: list[tuple[str, list[Event], list[Photo]]] = []
    for name, content in files.items():
        match = _TABLE_FILE.fullmatch(name)
        if match is None:
            continue
        table_id = match[1]
        events = _missing_events(ledger, table_id, _events(name, content))
        kept = set(ledger.store.photos(table_id))
        photos = [photo for photo in _photos(files, table_id) if photo.sha256 not in kept]
        if events or photos:
            news.append((table_id, events, photos))
    try:
        ledger.store.restore(news)
    except ConflictError as error:
        raise BackupError("busy") from error
    return tuple(table_id for table_id, _, _ in news)


def backup_bytes(ledger: Ledger, tables: Iterable[str] | None = None) -> bytes:
    """The file of `backup` as bytes."""
    target = io.BytesIO()
    backup(ledger, target, tables)
    return target.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes, sums: dict[str, Json]) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
    sums[name] = hashlib.sha256(content).hexdigest()


def _checked(archive: zipfile.ZipFile, max_bytes: int) -> dict[str, bytes]:
    members = archive.infolist()
    if len(members) > MAX_FILES or sum(member.file_size for member in members) > max_bytes:
        raise BackupError("large_backup")
    try:
        head: Json = json.loads(archive.read("backup.json"))
    except (KeyError, ValueError) as error:
        raise BackupError("no_backup") from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BackupError("no_backup")
    if head.get("version") != VERSION:
        raise BackupError("newer_backup")
    sums = head.get("files")
    if not isinstance(sums, dict) or {member.filename for member in members} != {*sums, "backup.json"}:
        raise BackupError("damaged_backup", name="backup.json")
    files = {}
    for name, expected in sums.items():
        if not (_TABLE_FILE.fullmatch(name) or _PHOTO_FILE.fullmatch(name)):
            raise BackupError("damaged_backup", name="backup.json")
        content = archive.read(name)
        if hashlib.sha256(content).hexdigest() != expected:
            raise BackupError("damaged_backup", name=name)
        files[name] = content
    return files


def _events(name: str, content: bytes) -> list[Event]:
    if len(content) > MAX_TABLE_BYTES:
        raise BackupError("large_backup")
    events: list[Event] = []
    try:
        for line in content.decode().splitlines():
            if len(events) >= MAX_EVENTS:
                raise BackupError("large_backup")
            data = json.loads(line)
            texts = (data["kind"], data["at"])
            options = (data["key"], data["fingerprint"])
            if (
                type(data["seq"]) is not int
                or not isinstance(data["body"], dict)
                or not all(isinstance(text, str) and text.isprintable() for text in texts)
                or not _is_time(data["at"])
                or not all(text is None or (isinstance(text, str) and text.isprintable()) for text in options)
            ):
                raise BackupError("damaged_backup", name=name)
            events.append(
                Event(data["seq"], data["kind"], data["body"], data["at"], data["key"], data["fingerprint"])
            )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, LedgerError):
            raise
        raise BackupError("damaged_backup", name=name) from error
    return events


def _is_time(text: str) -> bool:
    """Whether this is a time as the ledger writes it."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _missing_events(ledger: Ledger, table_id: str, events: list[Event]) -> list[Event]:
    table: Table | None = None
    try:
        for event in events:
            decide.check(table, event)
            table = replay(table_id, [event], table)
    except (LedgerError, KeyError, TypeError, AttributeError) as error:
        raise BackupError("damaged_backup", name=table_id) from error
    if table is None:
        raise BackupError("damaged_backup", name=table_id)
    try:
        here = list(ledger.store.events(table_id))
    except UnknownTableError:
        return events
    common = min(len(here), len(events))
    if [_plain(event) for event in here[:common]] != [_plain(event) for event in events[:common]]:
        raise BackupError("diverged", table=table_id)
    return events[common:]


def _photos(files: dict[str, bytes], table_id: str) -> list[Photo]:
    photos = []
    for name, content in files.items():
        match = _PHOTO_FILE.fullmatch(name)
        if match is not None and match[1] == table_id:
            if hashlib.sha256(content).hexdigest() != match[2]:
                raise BackupError("damaged_backup", name=name)
            photos.append(Photo(match[2], f"image/{match[3]}", content))
    return photos


def _plain(event: Event) -> dict[str, Json]:
    return cast(
        "dict[str, Json]",
        {
            "seq": event.seq,
            "kind": event.kind,
            "body": dict(event.body),
            "at": event.at,
            "key": event.key,
            "fingerprint": event.fingerprint,
        },
    )
