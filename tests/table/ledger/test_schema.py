"""One schema, whoever made it: the phone's runner, Alembic on SQLite, Alembic on PostgreSQL."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from server import database
from table.ledger import Ledger, SchemaError, migrate, sqlite
from tests.server.postgresql import Server
from tests.table.ledger.tables import won

ROOT = Path(__file__).resolve().parents[3]


def described(url: str) -> dict[str, object]:
    """Tables, columns with their order, type and null-ability, keys, as the database tells them."""
    engine = database.open_engine(url)
    told = inspect(engine)
    tables = {}
    for table in told.get_table_names():
        written = {col["name"]: str(col["type"]) for col in told.get_columns(table)}
        if engine.dialect.name == "sqlite":
            # SQLAlchemy does not know BYTEA of SQLite, which keeps the word as it was written.
            with engine.connect() as connection:
                rows = connection.execute(
                    text("SELECT name, type FROM pragma_table_info(:table)"), {"table": table}
                )
                written = {row.name: row.type for row in rows}
        tables[table] = {
            "columns": [
                (col["name"], written[col["name"]], col["nullable"]) for col in told.get_columns(table)
            ],
            "key": told.get_pk_constraint(table)["constrained_columns"],
            "unique": sorted(each["column_names"] for each in told.get_unique_constraints(table)),
            "foreign": [
                (each["constrained_columns"], each["referred_table"], each["referred_columns"])
                for each in told.get_foreign_keys(table)
            ],
            "checks": len(told.get_check_constraints(table)),
        }
    engine.dispose()
    return tables


def test_the_phone_and_the_service_make_the_same_tables(tmp_path):
    sqlite.open_store(tmp_path / "phone.sqlite3").close()
    database.open_store(f"sqlite:///{tmp_path}/server.sqlite3").close()
    phone, server = (described(f"sqlite:///{tmp_path}/{name}.sqlite3") for name in ("phone", "server"))
    assert set(phone) == {"alembic_version", "events", "photos", "tables"}
    assert phone == server


@pytest.mark.system
def test_postgresql_has_the_same_tables_too(tmp_path, postgresql_server: Server):
    sqlite.open_store(tmp_path / "phone.sqlite3").close()
    url = postgresql_server.new_database()
    database.open_store(url).close()
    assert described(url) == described(f"sqlite:///{tmp_path}/phone.sqlite3")


def test_a_file_goes_from_the_phone_to_the_service_and_back(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    phone = Ledger(sqlite.open_store(path))
    table = phone.open(name="老王家", rule="jingzhou", players=["甲", "乙", "丙"])
    phone.close()
    server = Ledger(database.open_store(f"sqlite:///{path}"))
    server.do(table.id, won)
    server.close()
    phone = Ledger(sqlite.open_store(path))
    assert phone.table(table.id).totals()["p1"] == 40
    phone.close()


def test_every_numbered_file_has_its_revision():
    versions = {path.name.split("_")[0] for path in (ROOT / "server/migrations/versions").glob("v*.py")}
    assert versions == {f"v{migration.version}" for migration in migrate.migrations()}


def test_an_older_file_is_brought_up_to_date_by_either(tmp_path):
    first = migrate.migrations()[0]
    for name in ("phone", "server"):
        connection = sqlite3.connect(tmp_path / f"{name}.sqlite3")
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", (first.version,))
        for statement in first.statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
    sqlite.open_store(tmp_path / "phone.sqlite3").close()
    database.open_store(f"sqlite:///{tmp_path}/server.sqlite3").close()
    for name in ("phone", "server"):
        assert "photos" in described(f"sqlite:///{tmp_path}/{name}.sqlite3")


def test_a_ledger_of_a_newer_program_is_left_alone(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    sqlite.open_store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(SchemaError, match="newer"):
        sqlite.open_store(path)
    with pytest.raises(SchemaError, match="newer"):
        database.open_store(f"sqlite:///{path}")


def test_a_file_that_is_no_ledger_is_refused_in_one_line(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look at " * 40)
    for opened in (
        lambda: sqlite.open_store(path),
        lambda: sqlite.open_store(path / "below" / "file"),
        lambda: database.open_store(f"sqlite:///{path}"),
        lambda: database.open_store(f"sqlite:///{path}/below/file"),
        lambda: database.open_store("mysql://somewhere/x"),
        lambda: database.open_store("postgresql://nobody@/none?host=/nowhere"),
        lambda: database.open_store("no url"),
    ):
        with pytest.raises(SchemaError) as caught:
            opened()
        assert "\n" not in str(caught.value)


def test_a_migration_that_was_not_shipped_is_noticed(tmp_path):
    with pytest.raises(SchemaError):
        migrate.migrations(tmp_path)
    (tmp_path / "0002_x.sql").write_text("SELECT 1")
    with pytest.raises(SchemaError, match="0001"):
        migrate.migrations(tmp_path)
