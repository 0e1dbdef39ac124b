"""The ledger: decisions and storage together."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from table.ledger import decide
from table.ledger.errors import BusyError, EntryError, KeyReusedError, LimitError, UnknownTableError
from table.ledger.model import Draft, Event, Json, OptionValue, Photo, Table, replay
from table.ledger.store import ConflictError, Store

_TRIES = 20
_KEPT_TABLES = 64
_KEY = re.compile(r"[A-Za-z0-9._~-]{8,128}")
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a wish came to."""

    table: Table
    """The table afterwards."""
    event: Event
    repeated: bool = False
    """True where the same request had been written before and was not written again."""

    @property
    def number(self) -> int | None:
        """The line of the ledger that the event belongs to, where it belongs to one."""
        for line in self.table.lines:
            if any(version.seq == self.event.seq for version in line.versions):
                return line.number
        return None


def utc_now() -> str:
    """The time in UTC as the ledger writes it, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def photo_of(content: bytes, media_type: str) -> Photo:
    """A photo to be kept, with its SHA-256."""
    return Photo(hashlib.sha256(content).hexdigest(), media_type, content)


class Ledger:
    """Tables and what happened at them; safe to use from several threads."""

    def __init__(self, store: Store, now: Callable[[], str] = utc_now) -> None:
        """Writes to a store.

        Args:
            store: Where events are kept.
            now: The time as ISO 8601 in UTC.
        """
        self.store = store
        self._now = now
        self._cache: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Lets go of the store."""
        self.store.close()

    def open(
        self,
        *,
        name: str,
        rule: str,
        options: Mapping[str, OptionValue] | None = None,
        stake: int = 1,
        deck: str = "auto",
        players: Sequence[str] = (),
    ) -> Table:
        """Opens a table; arguments and errors as `decide.open_table`."""
        draft = decide.open_table(
            name=name, rule=rule, options=options, stake=stake, deck=deck, players=players
        )
        table_id = secrets.token_urlsafe(12)
        event = Event(seq=1, kind=draft.kind, body=draft.body, at=self._now())
        self.store.create(table_id, [event])
        return self._remember(replay(table_id, [event]))

    def tables(self) -> tuple[Table, ...]:
        """Every table, the latest first."""
        found = []
        for row in self.store.tables():
            try:
                found.append(self.table(row.id))
            except UnknownTableError:
                continue
        return tuple(found)

    def table(self, table_id: str) -> Table:
        """A table as it is now, whoever wrote to it.

        Raises:
            UnknownTableError: There is no such table.
            SchemaError: Its events are damaged.
        """
        if not _TABLE_ID.fullmatch(table_id):
            raise UnknownTableError("unknown_table")
        with self._lock:
            known = self._cache.get(table_id)
        try:
            fresh = self.store.events(table_id, after=known.seq if known else 0)
        except UnknownTableError:
            with self._lock:
                self._cache.pop(table_id, None)
            raise
        return self._remember(replay(table_id, fresh, known))

    def do(
        self,
        table_id: str,
        wish: Callable[[Table], Draft],
        *,
        key: str | None = None,
        request: Json = None,
        photo: Photo | None = None,
    ) -> Outcome:
        """Decides on a wish and writes what it came to; on return it is kept for good.

        Args:
            table_id: The table.
            wish: Makes the event from the table as it is; called again where another writer
                was first.
            key: An idempotency key: a request that comes again with it is answered from what
                was written the first time.
            request: What was asked, to tell a repeated request from another with the same key.
            photo: A photo to keep with it.

        Returns:
            The table afterwards and the event.

        Raises:
            LedgerError: What `wish` raises, an unknown table, a key that was used for something
                else, or so many writers that there was no turn.
        """
        if key is not None and not _KEY.fullmatch(key):
            raise EntryError("bad_key")
        for _ in range(_TRIES):
            table = self.table(table_id)
            earlier = None if key is None else self.store.event_by_key(table_id, key)
            if earlier is not None:
                if earlier.fingerprint != _fingerprint(request):
                    raise KeyReusedError("key_reused")
                return Outcome(self.table(table_id), earlier, repeated=True)
            draft = wish(table)
            event = Event(
                seq=table.seq + 1,
                kind=draft.kind,
                body=draft.body,
                at=self._now(),
                key=key,
                fingerprint=None if key is None else _fingerprint(request),
            )
            after = replay(table_id, [event], table)
            try:
                self.store.append(table_id, [event], [] if photo is None else [photo], event.at)
            except ConflictError:
                continue
            return Outcome(self._remember(after), event)
        raise BusyError("busy")

    def keep_photo(self, table_id: str, photo: Photo, *, most_bytes: int | None = None) -> None:
        """Keeps a photo that a round is going to name.

        Args:
            table_id: The table.
            photo: The photo.
            most_bytes: How much all photos of the table may hold together, None for any amount.

        Raises:
            UnknownTableError: There is no such table.
            EntryError: It is too large or of another type.
            LimitError: The table keeps too many.
        """
        decide.check_photo(photo)
        self.table(table_id)
        kept = self.store.photos(table_id)
        if len(kept) >= decide.MAX_PHOTOS and photo.sha256 not in kept:
            raise LimitError("too_many_photos", limit=decide.MAX_PHOTOS)
        if most_bytes is not None and photo.sha256 not in kept:
            held = self.store.photo_bytes(table_id)
            if held + len(photo.content) > most_bytes:
                raise LimitError("too_many_photo_bytes", limit=most_bytes >> 20)
        self.store.append(table_id, [], [photo], self._now())

    def delete(self, table_id: str) -> None:
        """Deletes a table with all that belongs to it.

        Raises:
            UnknownTableError: There is no such table.
        """
        self.table(table_id)
        self.store.delete(table_id)
        with self._lock:
            self._cache.pop(table_id, None)

    def _remember(self, table: Table) -> Table:
        with self._lock:
            known = self._cache.get(table.id)
            if known is None or known.seq < table.seq:
                self._cache[table.id] = table
            self._cache.move_to_end(table.id)
            while len(self._cache) > _KEPT_TABLES:
                self._cache.popitem(last=False)
        return table


def _fingerprint(request: Json) -> str:
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
