"""`suanhu serve` as a process of its own."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import PATIENCE_S
from tests.conftest import ROOT

COMPLAINTS = "complaints.txt"


@dataclass
class Serving:
    """A service that runs."""

    process: subprocess.Popen[str]
    url: str
    token: str | None

    def kill(self) -> None:
        """Kills it and its workers at once, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE_S)


def start(home: Path, *arguments: str, **environment: str) -> Serving:
    """Starts a service and waits until it says where it is; its complaints go to a file at home."""
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "suanhu", "serve", "--lang", "en", *arguments]
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SUANHU_TOKEN")}
    with (home / COMPLAINTS).open("ab") as complaints:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**kept, "SUANHU_HOME": str(home), **environment},
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            start_new_session=True,
        )
    line = process.stdout.readline()
    found = re.fullmatch(r"suanhu: (http://[^/]+/)(?:#token=(\S+))?\n", line)
    assert found, line
    return Serving(process, found[1], found[2])


@contextlib.contextmanager
def running(home: Path, *arguments: str, **environment: str) -> Iterator[Serving]:
    """A service that is stopped as a person stops it; it has to end by itself."""
    serving = start(home, *arguments, **environment)
    try:
        yield serving
        os.kill(serving.process.pid, signal.SIGINT)
        serving.process.wait(PATIENCE_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(serving.process.pid, signal.SIGKILL)
        serving.process.wait(PATIENCE_S)
        serving.process.stdout.close()
