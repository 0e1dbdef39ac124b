"""How many phones one machine serves: throughput, 95th percentile, errors; one worker and several.

    python -m benchmarks.server [--phones 16] [--seconds 10] [--workers 1 2] [--photo PHOTO] [--postgresql]

Each phone asks, waits for the answer, and asks again. Phones and service share the machine, so the
figures are those of a machine that does both. A photo that is refused because the queue is full (503
with Retry-After) is counted apart from errors: the phone waits as long as it is told to and asks again.
Hands and rounds are measured once more while as many other phones have photos read.

`cpu ms` is the processor time of the service for each answer (of PostgreSQL nothing is counted): unlike the
other figures it hardly depends on what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from vision.files import data_path

ROOT = Path(__file__).resolve().parent.parent
API = "/api/v1"
HAND = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九"
TABLE = {"name": "bench", "rule": "sanjing", "stake": 10, "players": ["a", "b", "c"]}


@dataclass(slots=True)
class Load:
    """What came back."""

    times_ms: list[float] = field(default_factory=list)
    refused: int = 0
    """Answers that said to come back later."""
    errors: int = 0


@contextlib.contextmanager
def serving(workers: int, database_url: str) -> Iterator[tuple[str, int]]:
    """Runs `suanhu serve` in a folder of its own.

    Args:
        workers: How many processes answer.
        database_url: Where the ledger lies; empty for a SQLite file.

    Yields:
        Where it answers, and the number of its group of processes.
    """
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "suanhu", "serve", "--port", "0", "--workers", str(workers)],
            cwd=ROOT,
            env={**os.environ, "SUANHU_HOME": home, "DATABASE_URL": database_url},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r"http://[^/]+", line)
            if found is None:
                sys.exit(f"the service did not start: {line!r}")
            url = found[0]
            _wait(url)
            yield url, process.pid
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _cpu_ms(group: int) -> float:
    """The processor time that a group of processes has used up to now; 0 where the system does not tell."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += int(fields[11]) + int(fields[12])
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def _wait(url: str) -> None:
    for _ in range(300):
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}{API}/health").status_code == 200:
                return
        time.sleep(0.1)
    sys.exit("the service does not answer")


async def press(url: str, kinds: Sequence[str], phones: int, seconds: float, photo: bytes) -> list[Load]:
    """Lets phones ask for some seconds.

    Args:
        url: Where the service answers.
        kinds: Of `scores`, `rounds` and `photos`, those that are asked for at once.
        phones: How many ask for each at once.
        seconds: How long.
        photo: The picture that is sent.

    Returns:
        What came back, for each kind.
    """
    loads = [Load() for _ in kinds]
    until = time.monotonic() + seconds
    async with httpx.AsyncClient(
        base_url=url, timeout=120, limits=httpx.Limits(max_connections=None)
    ) as client:
        await asyncio.gather(
            *(
                _phone(client, kind, load, until, photo)
                for kind, load in zip(kinds, loads, strict=True)
                for _ in range(phones)
            )
        )
    return loads


async def _phone(client: httpx.AsyncClient, kind: str, load: Load, until: float, photo: bytes) -> None:
    table = (await client.post(f"{API}/tables", json=TABLE)).json()["id"]
    while time.monotonic() < until:
        started = time.monotonic()
        try:
            answer = await _ask(client, kind, table, photo)
        except httpx.HTTPError:
            load.errors += 1
            continue
        if answer.status_code == 503:
            load.refused += 1
            await asyncio.sleep(
                min(float(answer.headers.get("retry-after", 1)), max(0.0, until - time.monotonic()))
            )
        elif answer.is_success:
            load.times_ms.append((time.monotonic() - started) * 1000)
        else:
            load.errors += 1


async def _ask(client: httpx.AsyncClient, kind: str, table: str, photo: bytes) -> httpx.Response:
    if kind == "scores":
        return await client.post(f"{API}/score", json={"rule": "sanjing", "stake": 10, "hand": HAND})
    if kind == "rounds":
        body = {"kind": "scored", "hand": HAND, "winner": "p1"}
        return await client.post(f"{API}/tables/{table}/rounds", json=body)
    files = {"photo": ("hand.jpg", photo, "image/jpeg")}
    return await client.post(f"{API}/read", files=files, data={"kind": "110"})


def _percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else float("nan")


def _tell(workers: int, kind: str, phones: int, took: float, load: Load, cpu_ms: float | None) -> None:
    done = len(load.times_ms)
    each = "" if cpu_ms is None or not done else f"{cpu_ms / done:.1f}"
    print(
        f"{workers:7}  {kind:8} {phones:6} {done:6} {done / took:7.1f} "
        f"{_percentile(load.times_ms, 0.5):8.0f} {_percentile(load.times_ms, 0.95):8.0f} "
        f"{load.refused:8} {load.errors:7} {each:>7}",
        flush=True,
    )


def main() -> None:
    """Prints one line for each number of workers and kind of request."""
    parser = argparse.ArgumentParser(prog="benchmarks.server", description=__doc__.partition("\n")[0])
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--photo", type=Path, default=None, help="default: the sample that ships")
    parser.add_argument(
        "--postgresql", action="store_true", help="on a PostgreSQL of its own instead of SQLite"
    )
    args = parser.parse_args()
    photo = (args.photo or data_path("datasets/samples/hand.jpg")).read_bytes()
    with contextlib.ExitStack() as stack:
        server = None
        if args.postgresql:
            from tests.server.postgresql import running

            server = stack.enter_context(running())
        print("workers  kind     phones   done   per s   p50 ms   p95 ms  refused  errors  cpu ms")
        for workers in args.workers:
            with serving(workers, server.new_database() if server else "") as (url, group):
                for kinds in (["scores"], ["rounds"], ["photos"], ["scores", "rounds", "photos"]):
                    asyncio.run(press(url, kinds, args.phones, 1, photo))
                    started, used = time.monotonic(), _cpu_ms(group)
                    loads = asyncio.run(press(url, kinds, args.phones, args.seconds, photo))
                    took, used = time.monotonic() - started, _cpu_ms(group) - used
                    for kind, load in zip(kinds, loads, strict=True):
                        alone = len(kinds) == 1
                        _tell(
                            workers,
                            kind if alone else f"{kind}+",
                            args.phones,
                            took,
                            load,
                            used if alone else None,
                        )


if __name__ == "__main__":
    main()
