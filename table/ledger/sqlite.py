"""The ledger in a SQLite file, with nothing but the standard library."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from table.ledger.errors import SchemaError
from table.ledger.migrate import upgrade
from table.ledger.store import Cell, ConflictError, Run, Store

_WAIT_S = 20.0


class SqliteDatabase:
    """One connection to a file, used by one thread at a time.

    Write-ahead log and `synchronous=FULL`: what was committed is on the disk, also when the
    process is killed or the power fails.
    """

    def __init__(self, path: str | Path) -> None:
        """Opens or makes the file and brings its schema up to date.

        Raises:
            SchemaError: It is no SQLite file, cannot be written, or is newer than this program.
        """
        self._lock = threading.RLock()
        try:
            self._connection = sqlite3.connect(
                str(path), timeout=_WAIT_S, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode=WAL").fetchall()
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute("PRAGMA foreign_keys=ON")
            with self.transaction(write=True) as run:
                upgrade(run)
        except sqlite3.Error as error:
            raise SchemaError("unreadable_file", reason=str(error)) from error

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Run]:
        """A transaction; see `Database`."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield self._run
                self._connection.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                raise ConflictError(str(error)) from error
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def _run(self, sql: str, values: Mapping[str, Cell]) -> list[tuple[Cell, ...]]:
        return self._connection.execute(sql, values).fetchall()


def open_store(path: str | Path) -> Store:
    """Opens a ledger file, making it and its folder where they are missing.

    Args:
        path: The file, or `:memory:` for one that is gone on closing.

    Returns:
        The store.

    Raises:
        SchemaError: It cannot be opened or is newer than this program.
    """
    if str(path) != ":memory:":
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SchemaError("unreadable_file", reason=error.strerror or "no folder") from error
    return Store(SqliteDatabase(path))
