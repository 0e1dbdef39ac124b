"""Where events are kept: one set of SQL statements over any database that runs them.

The statements are those that SQLite and PostgreSQL share, with `:name` parameters, so the phone,
the service and the tests run the same text. A `Database` only opens transactions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast

from table.ledger.errors import SchemaError, UnknownPhotoError, UnknownTableError
from table.ledger.model import Event, Json, Photo

Cell: TypeAlias = "int | str | bytes | None"
Run: TypeAlias = Callable[[str, Mapping[str, Cell]], list[tuple[Cell, ...]]]


class ConflictError(Exception):
    """Another writer was first: the sequence number or the key is taken; for retrying only."""


class Database(Protocol):
    """Something that runs SQL in transactions."""

    def transaction(self, *, write: bool) -> AbstractContextManager[Run]:
        """Opens a transaction that is durable once the block was left, and undone on an error.

        Raises:
            ConflictError: On leaving or within, where a row that must be unique is there already.
        """

    def close(self) -> None:
        """Lets go of every connection."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as the list of tables shows it."""

    id: str
    opened_at: str


class Store:
    """Keeps the events and photos of many tables."""

    def __init__(self, database: Database) -> None:
        """Keeps them in a database whose tables exist already."""
        self._database = database

    def close(self) -> None:
        """Lets go of the database."""
        self._database.close()

    def tables(self) -> tuple[TableRow, ...]:
        """Every table, the latest first."""
        with self._database.transaction(write=False) as run:
            rows = run("SELECT id, opened_at FROM tables ORDER BY opened_at DESC, id", {})
        return tuple(TableRow(cast("str", row[0]), cast("str", row[1])) for row in rows)

    def count(self) -> int:
        """How many tables there are."""
        with self._database.transaction(write=False) as run:
            return cast("int", run("SELECT COUNT(*) FROM tables", {})[0][0])

    def create(self, table_id: str, events: Sequence[Event]) -> None:
        """Makes a table with its first events.

        Raises:
            ConflictError: The id is taken.
        """
        with self._database.transaction(write=True) as run:
            run(
                "INSERT INTO tables (id, opened_at) VALUES (:table_id, :opened_at)",
                {"table_id": table_id, "opened_at": events[0].at},
            )
            for event in events:
                _insert(run, table_id, event)

    def append(
        self, table_id: str, events: Sequence[Event], photos: Sequence[Photo] = (), at: str = ""
    ) -> None:
        """Adds events and what photos belong to them; all or nothing, durable on return.

        Args:
            table_id: The table.
            events: In order.
            photos: Those that are not kept yet.
            at: When the photos came, ISO 8601 in UTC.

        Raises:
            ConflictError: A sequence number or key is taken: read again and decide again.
            UnknownTableError: There is no such table.
        """
        with self._database.transaction(write=True) as run:
            if not run("SELECT id FROM tables WHERE id = :table_id", {"table_id": table_id}):
                raise UnknownTableError("unknown_table")
            for event in events:
                _insert(run, table_id, event)
            for photo in photos:
                _keep(run, table_id, photo, at)

    def events(self, table_id: str, after: int = 0) -> tuple[Event, ...]:
        """The events of a table with a sequence number above `after`, in order.

        Raises:
            UnknownTableError: There is no such table.
        """
        with self._database.transaction(write=False) as run:
            if not run("SELECT id FROM tables WHERE id = :table_id", {"table_id": table_id}):
                raise UnknownTableError("unknown_table")
            rows = run(
                "SELECT seq, kind, body, recorded_at, request_key, fingerprint FROM events"
                " WHERE table_id = :table_id AND seq > :after ORDER BY seq",
                {"table_id": table_id, "after": after},
            )
        return tuple(_event(row) for row in rows)

    def event_by_key(self, table_id: str, key: str) -> Event | None:
        """The event that a request with this idempotency key brought, None where there was none."""
        with self._database.transaction(write=False) as run:
            rows = run(
                "SELECT seq, kind, body, recorded_at, request_key, fingerprint FROM events"
                " WHERE table_id = :table_id AND request_key = :request_key",
                {"table_id": table_id, "request_key": key},
            )
        return _event(rows[0]) if rows else None

    def photo(self, table_id: str, sha256: str) -> Photo:
        """A photo that was kept.

        Raises:
            UnknownPhotoError: It was never kept, or was taken out.
        """
        with self._database.transaction(write=False) as run:
            rows = run(
                "SELECT media_type, content FROM photos WHERE table_id = :table_id AND sha256 = :sha256",
                {"table_id": table_id, "sha256": sha256},
            )
        if not rows:
            raise UnknownPhotoError("unknown_photo")
        media_type, content = rows[0]
        return Photo(sha256, cast("str", media_type), bytes(cast("bytes", content)))

    def photos(self, table_id: str) -> tuple[str, ...]:
        """The SHA-256 of every photo that a table keeps."""
        with self._database.transaction(write=False) as run:
            rows = run(
                "SELECT sha256 FROM photos WHERE table_id = :table_id ORDER BY sha256",
                {"table_id": table_id},
            )
        return tuple(cast("str", row[0]) for row in rows)

    def photo_bytes(self, table_id: str) -> int:
        """How many bytes the photos of a table hold together."""
        with self._database.transaction(write=False) as run:
            rows = run(
                "SELECT COALESCE(SUM(LENGTH(content)), 0) FROM photos WHERE table_id = :table_id",
                {"table_id": table_id},
            )
        return int(cast("int", rows[0][0]))

    def forget_photo(self, table_id: str, sha256: str) -> None:
        """Takes a photo out; the ledger still says that there was one.

        Raises:
            UnknownPhotoError: It is not kept.
        """
        self.photo(table_id, sha256)
        with self._database.transaction(write=True) as run:
            run(
                "DELETE FROM photos WHERE table_id = :table_id AND sha256 = :sha256",
                {"table_id": table_id, "sha256": sha256},
            )

    def delete(self, table_id: str) -> None:
        """Deletes a table with all that belongs to it.

        Raises:
            UnknownTableError: There is no such table.
        """
        with self._database.transaction(write=True) as run:
            where = {"table_id": table_id}
            if not run("SELECT id FROM tables WHERE id = :table_id", where):
                raise UnknownTableError("unknown_table")
            run("DELETE FROM photos WHERE table_id = :table_id", where)
            run("DELETE FROM events WHERE table_id = :table_id", where)
            run("DELETE FROM tables WHERE id = :table_id", where)

    def restore(self, tables: Sequence[tuple[str, Sequence[Event], Sequence[Photo]]]) -> None:
        """Adds what a backup has beyond what is here, in one transaction.

        Args:
            tables: Id, the events to add and the photos to add of each; a first event of
                sequence number 1 makes the table.

        Raises:
            ConflictError: Somebody wrote meanwhile.
        """
        with self._database.transaction(write=True) as run:
            for table_id, events, photos in tables:
                if events and events[0].seq == 1:
                    run(
                        "INSERT INTO tables (id, opened_at) VALUES (:table_id, :opened_at)",
                        {"table_id": table_id, "opened_at": events[0].at},
                    )
                for event in events:
                    _insert(run, table_id, event)
                for photo in photos:
                    _keep(run, table_id, photo, events[-1].at if events else "")


def _insert(run: Run, table_id: str, event: Event) -> None:
    run(
        "INSERT INTO events (table_id, seq, kind, body, recorded_at, request_key, fingerprint)"
        " VALUES (:table_id, :seq, :kind, :body, :recorded_at, :request_key, :fingerprint)",
        {
            "table_id": table_id,
            "seq": event.seq,
            "kind": event.kind,
            "body": json.dumps(event.body, separators=(",", ":"), allow_nan=False),
            "recorded_at": event.at,
            "request_key": event.key,
            "fingerprint": event.fingerprint,
        },
    )


def _keep(run: Run, table_id: str, photo: Photo, at: str) -> None:
    run(
        "INSERT INTO photos (table_id, sha256, media_type, content, kept_at)"
        " VALUES (:table_id, :sha256, :media_type, :content, :kept_at)"
        " ON CONFLICT (table_id, sha256) DO NOTHING",
        {
            "table_id": table_id,
            "sha256": photo.sha256,
            "media_type": photo.media_type,
            "content": photo.content,
            "kept_at": at,
        },
    )


def _event(row: tuple[Cell, ...]) -> Event:
    seq, kind, body, recorded_at, key, fingerprint = cast(
        "tuple[int, str, str, str, str | None, str | None]", row
    )
    try:
        content: Json = json.loads(body)
    except ValueError as error:
        raise SchemaError("bad_events", reason=f"event {seq} is no JSON") from error
    if not isinstance(content, dict):
        raise SchemaError("bad_events", reason=f"event {seq} is no JSON object")
    return Event(seq, kind, content, recorded_at, key, fingerprint)
