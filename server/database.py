"""The ledger in any database that SQLAlchemy reaches: PostgreSQL for clubs, SQLite without setup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from table.ledger.errors import SchemaError
from table.ledger.store import Cell, ConflictError, Run, Store

_MIGRATIONS = Path(__file__).parent / "migrations"
_WAIT_S = 20
_CONNECT_S = 10
# One number for all processes that start at once on one database: the first migrates, the others wait.
_MIGRATION_LOCK = 7_311_010


class SqlAlchemyDatabase:
    """A pool of connections; see `table.ledger.store.Database`."""

    def __init__(self, engine: Engine) -> None:
        """Takes an engine whose schema is up to date."""
        self._engine = engine

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Run]:
        """A transaction on a connection of the pool."""
        try:
            with self._engine.connect() as connection:
                if self._engine.dialect.name == "sqlite":
                    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
                yield _runner(connection)
                connection.commit()
        except IntegrityError as error:
            raise ConflictError(type(error).__name__) from error

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()


def open_store(url: str) -> Store:
    """Opens a database and brings its schema up to date with Alembic.

    Args:
        url: Like `postgresql://user@host/name` or `sqlite:////folder/file`.

    Returns:
        The store.

    Raises:
        SchemaError: The URL is none, the database cannot be reached, or it is newer than this program.
    """
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            _migrate(connection)
    except CommandError as error:
        engine.dispose()
        raise SchemaError("newer_schema", version="?") from error
    except SQLAlchemyError as error:
        engine.dispose()
        raise SchemaError("unreadable_file", reason=_reason(error)) from error
    return Store(SqlAlchemyDatabase(engine))


def open_engine(url: str) -> Engine:
    """An engine for a URL, set so that a commit is on the disk.

    Raises:
        SchemaError: The URL names no SQLite and no PostgreSQL database.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
            if "connect_timeout" not in parsed.query:
                parsed = parsed.update_query_dict({"connect_timeout": str(_CONNECT_S)})
            return create_engine(
                parsed, pool_size=8, max_overflow=8, pool_pre_ping=True, hide_parameters=True
            )
        if parsed.get_backend_name() == "sqlite":
            if parsed.database:
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            engine = create_engine(parsed, connect_args={"timeout": _WAIT_S}, hide_parameters=True)
            event.listen(engine, "connect", _prepare_sqlite)
            return engine
    except (ArgumentError, NoSuchModuleError, OSError) as error:
        raise SchemaError("unreadable_file", reason=_reason(error)) from error
    raise SchemaError("unreadable_file", reason="neither a PostgreSQL nor a SQLite URL")


def _prepare_sqlite(connection: object, _record: object) -> None:
    """Lets the transactions be ours, and a commit be on the disk."""
    import sqlite3

    if isinstance(connection, sqlite3.Connection):
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.commit()


def _runner(connection: Connection) -> Run:
    def run(sql: str, values: Mapping[str, Cell]) -> list[tuple[Cell, ...]]:
        result = connection.execute(text(sql), dict(values))
        return [tuple(row) for row in result] if result.returns_rows else []

    return run


def _reason(error: Exception) -> str:
    """The first line of what the driver says, without the statement and without addresses."""
    origin = getattr(error, "orig", None) or error
    return str(origin).strip().partition("\n")[0][:200]
