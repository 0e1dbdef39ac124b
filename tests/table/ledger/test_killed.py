"""Nothing that was confirmed is lost when the process is killed at any moment."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from server import database
from table.ledger import Ledger, Store, decide, sqlite
from tests.server import postgresql
from tests.table.ledger.tables import SCORE

ROOT = Path(__file__).resolve().parents[3]


def write_and_kill(where: str, table_id: str, start: int, rng: random.Random) -> list[str]:
    """Lets a process write from a number on and kills it with SIGKILL; what it had confirmed.

    It is killed a moment after its first few rounds, or before any; a slow machine writes few in any time.
    """
    arguments = [sys.executable, "-m", "tests.table.ledger.writer", where, table_id, str(start)]
    writer = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert writer.stdout.readline() == "ready\n"
        confirmed = [writer.stdout.readline().removesuffix("\n") for _ in range(rng.choice((0, 3, 9)))]
        time.sleep(rng.uniform(0.0, 0.1))
    finally:
        writer.kill()
    confirmed += writer.stdout.read().splitlines()
    writer.wait()
    # A line that was cut off was not confirmed to anybody.
    return [line for line in confirmed if len(line) == len("round-00000000")]


def check_killing(where: str, open_store: Callable[[], Store], kills: int, seed: int) -> None:
    ledger = Ledger(open_store())
    table_id = ledger.open(name="老王家", rule="jingzhou", stake=10, players=["甲", "乙", "丙"]).id
    rng = random.Random(seed)
    confirmed: list[str] = []
    for _ in range(kills):
        # The table is read anew each time, as after a restart.
        ledger.close()
        ledger = Ledger(open_store())
        start = len(ledger.table(table_id).lines)
        confirmed += write_and_kill(where, table_id, start, rng)
        ledger.close()
        ledger = Ledger(open_store())
        table = ledger.table(table_id)
        notes = [line.entry.note for line in table.lines]
        # Each round once and in order: nothing confirmed is missing, nothing is there twice or by half.
        assert notes == [str(number) for number in range(len(notes))]
        assert len(notes) >= len(confirmed)
        keys = {event.key for event in ledger.store.events(table_id)}
        assert keys >= set(confirmed)
        for line in table.lines:
            if line.entry.photo is not None:
                assert len(ledger.store.photo(table_id, line.entry.photo).content) > 20_000
        assert table.totals() == {"p1": 40 * len(notes), "p2": -20 * len(notes), "p3": -20 * len(notes)}
        # The request that was under way is sent again with its key and is there once.
        if notes:
            last = len(notes) - 1
            again = ledger.do(
                table_id,
                lambda t, last=last: decide.scored(t, SCORE, t.seats, note=str(last)),
                key=f"round-{last:08d}",
                request=last,
            )
            assert again.repeated
    assert len(confirmed) > kills
    ledger.close()


def test_a_killed_phone_loses_nothing(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    check_killing(str(path), lambda: sqlite.open_store(path), kills=5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_phone_killed_a_hundred_times_loses_nothing(tmp_path, seed):
    path = tmp_path / "ledger.sqlite3"
    check_killing(str(path), lambda: sqlite.open_store(path), kills=20, seed=100 + seed)


@pytest.mark.system
def test_a_killed_service_on_postgresql_loses_nothing(postgresql_server):
    url = postgresql_server.new_database()
    check_killing(url, lambda: database.open_store(url), kills=6, seed=2)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("seed", range(3))
def test_a_service_on_postgresql_killed_sixty_times_loses_nothing(postgresql_server, seed):
    url = postgresql_server.new_database()
    check_killing(url, lambda: database.open_store(url), kills=20, seed=200 + seed)


@pytest.mark.slow
@pytest.mark.system
def test_a_postgresql_that_is_killed_itself_loses_nothing():
    with postgresql.running() as server:
        url = server.new_database()
        ledger = Ledger(database.open_store(url))
        table_id = ledger.open(name="老王家", rule="jingzhou", stake=10, players=["甲", "乙", "丙"]).id
        ledger.close()
        rng = random.Random(3)
        confirmed: list[str] = []
        for _ in range(8):
            start = len(confirmed)
            arguments = [sys.executable, "-m", "tests.table.ledger.writer", url, table_id, str(start)]
            writer = subprocess.Popen(
                arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
            )
            assert writer.stdout.readline() == "ready\n"
            confirmed += [writer.stdout.readline().removesuffix("\n") for _ in range(3)]
            time.sleep(rng.uniform(0.0, 0.3))
            server.kill()
            confirmed += writer.stdout.read().splitlines()
            writer.wait()
            server.start()
            ledger = Ledger(database.open_store(url))
            notes = [line.entry.note for line in ledger.table(table_id).lines]
            keys = [event.key for event in ledger.store.events(table_id) if event.key]
            ledger.close()
            # The round whose answer was lost may be there: once, and in order.
            assert notes == [str(number) for number in range(len(notes))]
            assert keys[: len(confirmed)] == confirmed
            confirmed = keys
        assert len(confirmed) > 8
