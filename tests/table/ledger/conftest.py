"""The stores that every test of storage runs over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server import database
from table.ledger import Ledger, Store, Table, sqlite
from tests.server import postgresql


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[postgresql.Server]:
    with postgresql.running() as server:
        yield server


@pytest.fixture(params=["phone", "server", pytest.param("postgresql", marks=pytest.mark.system)])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Opens the same storage, each time on a connection of its own."""
    if request.param == "phone":
        return lambda: sqlite.open_store(tmp_path / "ledger.sqlite3")
    if request.param == "server":
        return lambda: database.open_store(f"sqlite:///{tmp_path}/ledger.sqlite3")
    url = request.getfixturevalue("postgresql_server").new_database()
    return lambda: database.open_store(url)


@pytest.fixture
def store(open_again: Callable[[], Store]) -> Iterator[Store]:
    store = open_again()
    yield store
    store.close()


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store)


@pytest.fixture
def evening(ledger: Ledger) -> Table:
    return ledger.open(name="老王家", rule="jingzhou", stake=10, players=["老王", "阿珍", "小李"])
