"""A PostgreSQL server of the test run's own, in a temporary folder, reached through a socket."""

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.conftest import need


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """Makes databases on a running server."""

    def __init__(self, sockets: Path) -> None:
        self._sockets = sockets

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://suanhu@/{database}?host={self._sockets}"

    def new_database(self) -> str:
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return self.url(name)


@contextmanager
def running() -> Iterator[Server]:
    """Starts a server and stops it again; skips by name where PostgreSQL is not installed."""
    programs = _programs()
    if programs is None:
        need("initdb", package="postgresql")
        message = "initdb is on the path but not where Debian puts it"
        raise AssertionError(message)
    folder = Path(tempfile.mkdtemp(prefix="suanhu-postgresql-"))
    user = None
    if os.geteuid() == 0:
        # The server refuses to run as root.
        user = "postgres" if _exists("postgres") else "nobody"
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    data, log = folder / "data", folder / "log"

    def run(program: str, *arguments: str | Path) -> None:
        command = [programs / program, *arguments]
        subprocess.run(command, check=True, user=user, stdout=subprocess.DEVNULL, cwd=folder)

    started = False
    try:
        run("initdb", "-D", data, "-U", "suanhu", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        run("pg_ctl", "-D", data, "-l", log, "-w", "-o", f"-c listen_addresses='' -k {folder}", "start")
        started = True
        yield Server(folder)
    finally:
        if started:
            run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
