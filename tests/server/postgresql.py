"""A PostgreSQL server of the test run's own, in a temporary folder, reached through a socket."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests import PATIENCE_S
from tests.conftest import need


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """Makes databases on a running server."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        self._programs = programs
        self._sockets = folder
        self._data = folder / "data"
        self._user = user

    def run(self, program: str, *arguments: str | Path) -> None:
        command = [self._programs / program, *arguments]
        subprocess.run(command, check=True, user=self._user, stdout=subprocess.DEVNULL, cwd=self._sockets)

    def start(self) -> None:
        options = f"-c listen_addresses='' -k {self._sockets}"
        self.control("start", "-l", self._sockets / "log", "-o", options)

    def control(self, what: str, *arguments: str | Path) -> None:
        """Starts or stops it, and waits until it has."""
        self.run("pg_ctl", "-D", self._data, "-w", "-t", str(PATIENCE_S), *arguments, what)

    def kill(self) -> None:
        """Kills the server and the processes that serve its clients at once, and waits until all are gone."""
        first = int((self._data / "postmaster.pid").read_text("ascii").split()[0])
        # While it stands still it starts no further ones.
        os.kill(first, signal.SIGSTOP)
        deadline = time.monotonic() + PATIENCE_S
        while _state(first) != "T":
            assert time.monotonic() < deadline
            time.sleep(0.02)
        every = (first, *_children(first))
        for process in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() for process in every):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://suanhu@/{database}?host={self._sockets}&connect_timeout={PATIENCE_S}"

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
    data = folder / "data"
    server = Server(programs, folder, user)
    started = False
    try:
        server.run("initdb", "-D", data, "-U", "suanhu", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        server.start()
        started = True
        yield server
    finally:
        if started:
            server.control("stop", "-m", "immediate")
        shutil.rmtree(folder, ignore_errors=True)


def _children(parent: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(_status(folder)[1]) == parent:
                found.append(int(folder.name))
    return found


def _state(process: int) -> str:
    return _status(Path(f"/proc/{process}"))[0]


def _status(folder: Path) -> list[str]:
    """What the system says of a process behind its name: its state, its parent and more."""
    return (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
