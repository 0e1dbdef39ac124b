"""The schema: numbered SQL files, and the short runner that a phone uses.

The service runs the same files through Alembic. Both note the version that they reached in the
table `alembic_version`, so a file written by one is understood by the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from table.ledger.errors import SchemaError
from table.ledger.store import Cell, Run

FOLDER = Path(__file__).parent / "migrations"
_VERSION_TABLE = (
    "CREATE TABLE IF NOT EXISTS alembic_version ("
    "version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)
_NOTHING: Mapping[str, Cell] = {}


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file."""

    version: str
    """Four digits."""
    statements: tuple[str, ...]


def migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """Every migration, in order.

    Raises:
        SchemaError: Their numbers have a gap (a file was not shipped).
    """
    found = []
    for place, path in enumerate(sorted(folder.glob("*.sql")), start=1):
        version = path.name.partition("_")[0]
        if version != f"{place:04d}":
            raise SchemaError("bad_events", reason=f"migration {place:04d} is missing")
        text = path.read_text(encoding="utf-8")
        found.append(Migration(version, tuple(part.strip() for part in text.split(";") if part.strip())))
    if not found:
        raise SchemaError("bad_events", reason="the migrations are missing")
    return tuple(found)


def upgrade(run: Run) -> str:
    """Brings the schema to the newest version, within the caller's transaction.

    Args:
        run: Runs one statement.

    Returns:
        The version that it has now.

    Raises:
        SchemaError: The schema is newer than this program.
    """
    run(_VERSION_TABLE, _NOTHING)
    rows = run("SELECT version_num FROM alembic_version", _NOTHING)
    current = str(rows[0][0]) if rows else ""
    every = migrations()
    if current > every[-1].version:
        raise SchemaError("newer_schema", version=current)
    for migration in every:
        if migration.version <= current:
            continue
        for statement in migration.statements:
            run(statement, _NOTHING)
    if not rows:
        run("INSERT INTO alembic_version (version_num) VALUES (:version)", {"version": every[-1].version})
    elif current != every[-1].version:
        run("UPDATE alembic_version SET version_num = :version", {"version": every[-1].version})
    return every[-1].version
