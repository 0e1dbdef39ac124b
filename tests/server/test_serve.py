"""`suanhu serve`: where it listens, who may ask, and that a killed service has lost nothing."""

import argparse
import contextlib
import io
import os
import random
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from server import command
from server.settings import Settings
from tests import PATIENCE_S
from tests.conftest import need
from tests.server.postgresql import Server
from tests.server.postgresql import running as postgresql
from tests.server.running import COMPLAINTS, Serving, running, start
from vision.files import data_path

API = "api/v1"
WON = {
    "kind": "scored",
    "hand": "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九",
    "winner": "p1",
}


def asks(serving: Serving) -> httpx.Client:
    headers = {"authorization": f"Bearer {serving.token}"} if serving.token else {}
    return httpx.Client(base_url=serving.url, headers=headers, timeout=PATIENCE_S, trust_env=False)


def ready(client: httpx.Client) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            client.get(f"{API}/health").raise_for_status()
        except httpx.HTTPError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        else:
            return


def open_table(client: httpx.Client) -> str:
    asked = {"name": "老王家", "rule": "sanjing", "stake": 10, "players": ["老王", "阿珍", "小李"]}
    answer = client.post(f"{API}/tables", json=asked)
    answer.raise_for_status()
    return answer.json()["id"]


def test_it_says_where_it_is_answers_and_ends_when_told(tmp_path):
    with running(tmp_path, "--port", "0") as serving, asks(serving) as client:
        ready(client)
        assert client.get("").status_code == 200
        assert client.get(f"{API}/rules").status_code == 200
        assert serving.token is None
    assert serving.process.returncode in (0, -2, 130)
    assert (tmp_path / "ledger.sqlite3").exists()


@pytest.mark.parametrize(
    ("host", "environment"),
    [
        ("no.such.host.invalid", {}),
        ("127.0.0.1", {"DATABASE_URL": "mysql://x/y"}),
        ("127.0.0.1", {"DATABASE_URL": "postgresql://nobody@/none?host=/nowhere"}),
        ("127.0.0.1", {"SUANHU_TOKEN": "short"}),
    ],
)
def test_what_cannot_be_served_is_one_line(own_home, monkeypatch, host, environment):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        command.run(argparse.Namespace(host=host, port=0, lang="en"))
    for lang in ("zh-Hant", "zh-Hans", "en"):
        assert "\n" not in caught.value.text(lang)


@pytest.mark.parametrize(("lang", "words"), [("zh-Hant", "被占用"), ("zh-Hans", "被占用"), ("en", "in use")])
def test_a_port_that_is_taken_is_one_line_and_bad_input(own_home, capsys, lang, words):
    from suanhu.__main__ import main

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--lang", lang]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert f"127.0.0.1:{port}" in err
    assert words in err


def statuses_at_the_end(home: Path, workers: str) -> set[int]:
    """What many phones are answered whose photos are read or wait when the service is told to end."""
    photo = data_path("datasets/samples/hand.jpg").read_bytes()
    answers: list[httpx.Response] = []
    serving = start(home, "--port", "0", "--workers", workers)

    def send() -> None:
        # Nobody answers a phone that comes when the service listens no more.
        with asks(serving) as client, contextlib.suppress(httpx.TransportError):
            answers.append(client.post(f"{API}/read", files={"photo": ("p.jpg", photo)}))

    try:
        with asks(serving) as client:
            ready(client)
        phones = [threading.Thread(target=send) for _ in range(12)]
        for each in phones:
            each.start()
        deadline = time.monotonic() + PATIENCE_S
        while not any(answer.status_code == 200 for answer in answers):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(serving.process.pid, signal.SIGINT)
        assert serving.process.wait(PATIENCE_S) in (0, 130)
        for each in phones:
            each.join(PATIENCE_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            serving.kill()
    for answer in answers:
        assert answer.status_code == 200 or answer.json()["code"] in ("stopping", "too_busy")
        assert answer.status_code == 200 or "retry-after" in answer.headers
    assert "Traceback" not in (home / COMPLAINTS).read_text()
    return {answer.status_code for answer in answers}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_cleanly_while_photos_wait(tmp_path, workers):
    # Those that were being read get their answer, the others are told to ask again later. Where the machine
    # stood still until every photo was read, none waited, and it is tried again.
    deadline = time.monotonic() + PATIENCE_S
    while (statuses := statuses_at_the_end(tmp_path, workers)) != {200, 503}:
        assert statuses == {200}
        assert time.monotonic() < deadline


def test_a_worker_is_not_killed_for_a_minute_of_silence():
    assert command._config("server.app:from_environment", workers=2).timeout_worker_healthcheck > 60


def hears(process: str) -> bool:
    """Whether Python has come so far in a process that it would notice an interruption."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    return bool(int(caught[1], 16) >> (signal.SIGINT - 1) & 1)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers as Linux shows them")
def test_an_interruption_while_the_workers_start_is_no_fault(tmp_path):
    serving = start(tmp_path, "--port", "0", "--workers", "2")
    children = Path(f"/proc/{serving.process.pid}/task/{serving.process.pid}/children")
    try:
        deadline = time.monotonic() + PATIENCE_S
        # Two workers, and the process by which Python keeps count of what they share.
        while not (len(started := children.read_text().split()) == 3 and hears(started[-1])):
            assert time.monotonic() < deadline
            time.sleep(0.002)
        os.killpg(serving.process.pid, signal.SIGINT)
        assert serving.process.wait(PATIENCE_S) in (0, 130)
    finally:
        with contextlib.suppress(ProcessLookupError):
            serving.kill()
    assert (tmp_path / COMPLAINTS).read_text() == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.0.0.2"])
def test_on_loopback_no_token_is_needed(own_home, host):
    assert command.settings_for(host, "en").token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "::", "example.org"])
def test_elsewhere_a_token_is_made_and_stays_the_same(own_home, host):
    token = command.settings_for(host, "en").token
    assert len(token) >= 24
    assert command.settings_for(host, "en").token == token
    assert stat.S_IMODE((own_home / "token").stat().st_mode) == 0o600


def test_a_damaged_token_is_made_anew(own_home):
    own_home.mkdir()
    (own_home / "token").write_text("short")
    assert len(command.settings_for("0.0.0.0", "en").token) >= 24


def test_the_owner_may_choose_database_and_token(own_home, monkeypatch):
    monkeypatch.setenv("SUANHU_TOKEN", "chosen-by-the-owner")
    monkeypatch.setenv("DATABASE_URL", "postgresql://x/y")
    settings = command.settings_for("127.0.0.1", "en")
    assert (settings.token, settings.url) == ("chosen-by-the-owner", "postgresql://x/y")
    assert Settings.from_environment(settings.to_environment()) == settings


class Terminal(io.StringIO):
    """A terminal that keeps what is printed."""

    def isatty(self) -> bool:
        return True


def test_the_terminal_shows_a_code_that_opens_the_page_with_the_token(monkeypatch, tmp_path):
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    token = "a-token-of-twenty-four-letters"
    command._announce("192.168.1.7", 8000, Settings(home=tmp_path, token=token))
    assert f"http://192.168.1.7:8000/#token={token}" in out.getvalue()
    assert len([line for line in out.getvalue().splitlines() if "█" in line]) > 10


@pytest.mark.system
def test_the_code_in_the_terminal_can_be_scanned(tmp_path):
    need("zbarimg", package="zbar-tools")
    url = "http://192.168.1.7:8000/#token=a-token-of-twenty-four-letters"
    lines = command._code(url).splitlines()
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines)
    halves = {" ": (0, 0), "█": (1, 1), "▀": (1, 0), "▄": (0, 1)}
    cells = [
        [halves[each] for each in line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m")] for line in lines
    ]
    light = np.array(cells, np.uint8).transpose(0, 2, 1).reshape(2 * len(lines), -1)
    cv2.imwrite(str(tmp_path / "code.png"), np.kron(light * 255, np.ones((8, 8), np.uint8)))
    scanned = subprocess.run(
        ["zbarimg", "--quiet", "--raw", tmp_path / "code.png"], capture_output=True, text=True, check=True
    )
    assert scanned.stdout.strip() == url


def test_without_a_terminal_no_code_is_printed(monkeypatch, tmp_path):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    command._announce("::1", 8000, Settings(home=tmp_path))
    assert "http://[::1]:8000/" in out.getvalue()
    assert "█" not in out.getvalue()


class Phones:
    """Phones that post rounds, each with its key, and remember what was confirmed."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.sent: list[str] = []
        self.confirmed: dict[str, int] = {}

    def post(self, client: httpx.Client, key: str) -> None:
        body = WON | {"note": key}
        answer = client.post(f"{API}/tables/{self.table}/rounds", json=body, headers={"idempotency-key": key})
        answer.raise_for_status()
        self.confirmed[key] = answer.json()["line"]["number"]

    def keep_posting(self, serving: Serving, name: str) -> None:
        with asks(serving) as client:
            number = 0
            while True:
                key = f"{name}-{number:06d}"
                self.sent.append(key)
                try:
                    self.post(client, key)
                except httpx.HTTPError:
                    return
                number += 1


def check_killing(begin: Callable[[], Serving], kills: int, seed: int) -> None:
    rng = random.Random(seed)
    serving = begin()
    with asks(serving) as client:
        ready(client)
        phones = Phones(open_table(client))
    for kill in range(kills):
        posting = [
            threading.Thread(target=phones.keep_posting, args=(serving, f"phone{phone}-{kill}"))
            for phone in range(3)
        ]
        for each in posting:
            each.start()
        # A slow machine has confirmed something too before it is killed at any moment.
        before, deadline = len(phones.confirmed), time.monotonic() + PATIENCE_S
        while len(phones.confirmed) == before:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.6))
        serving.kill()
        for each in posting:
            each.join(PATIENCE_S)
            assert not each.is_alive()
        serving = begin()
        with asks(serving) as client:
            ready(client)
            told = client.get(f"{API}/tables/{phones.table}/ledger").json()
            there = [line["entry"]["note"] for line in told["lines"]]
            assert len(there) == len(set(there))
            for key, number in phones.confirmed.items():
                assert told["lines"][number - 1]["entry"]["note"] == key
            # Each phone sends again what it had no answer to: written once, whatever had become of it.
            for key in set(phones.sent) - set(phones.confirmed):
                phones.post(client, key)
            told = client.get(f"{API}/tables/{phones.table}/ledger").json()
            there = [line["entry"]["note"] for line in told["lines"]]
            assert sorted(there) == sorted(phones.sent)
            assert told["table"]["totals"]["p1"] == 100 * len(there)
    serving.kill()
    assert len(phones.sent) > 3 * kills


@pytest.mark.slow
def test_a_killed_service_has_lost_nothing(tmp_path):
    check_killing(lambda: start(tmp_path, "--port", "0"), kills=6, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_service_killed_again_and_again_has_lost_nothing(tmp_path, seed):
    check_killing(lambda: start(tmp_path, "--port", "0"), kills=10, seed=10 + seed)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("workers", ["1", "3"])
def test_workers_killed_again_and_again_have_lost_nothing(tmp_path, postgresql_server, workers):
    url = postgresql_server.new_database()
    check_killing(
        lambda: start(tmp_path, "--port", "0", "--workers", workers, DATABASE_URL=url), kills=10, seed=30
    )


@pytest.fixture(scope="module")
def postgresql_server():
    with postgresql() as server:
        yield server


@pytest.mark.system
def test_killed_workers_on_one_postgresql_have_lost_nothing(tmp_path: Path, postgresql_server: Server):
    url = postgresql_server.new_database()
    check_killing(lambda: start(tmp_path, "--port", "0", "--workers", "2", DATABASE_URL=url), kills=3, seed=2)


@pytest.mark.system
def test_a_database_that_is_gone_for_a_while_is_told_and_found_again(tmp_path, make_client, settings):
    from dataclasses import replace

    with postgresql() as server:
        client = make_client(replace(settings, database_url=server.new_database()))
        table = open_table(client)
        path = f"{API}/tables/{table}/rounds"
        key = {"idempotency-key": "sent-again-and-again"}
        assert client.post(path, json=WON).status_code == 201
        server.kill()
        gone = client.post(path, json=WON, headers=key)
        assert (gone.status_code, gone.json()["code"]) == (503, "ledger_unavailable")
        assert "retry-after" in gone.headers
        assert str(server._sockets) not in gone.text
        # What needs no ledger is answered all the while.
        assert client.get(f"{API}/rules").status_code == 200
        server.start()
        assert [client.post(path, json=WON, headers=key).status_code for _ in range(2)] == [201, 200]
        assert client.get(f"{API}/tables/{table}").json()["entries"] == 2


@pytest.mark.system
def test_several_workers_share_one_ledger(tmp_path: Path, postgresql_server: Server):
    url = postgresql_server.new_database()
    with running(tmp_path, "--port", "0", "--workers", "2", DATABASE_URL=url) as serving:
        with asks(serving) as client:
            ready(client)
            table = open_table(client)

        def post() -> None:
            for _ in range(6):
                with asks(serving) as phone:
                    answer = phone.post(f"{API}/tables/{table}/rounds", json=WON)
                    assert answer.status_code == 201, answer.text

        posting = [threading.Thread(target=post) for _ in range(4)]
        for each in posting:
            each.start()
        for each in posting:
            each.join()
        with asks(serving) as client:
            for _ in range(4):
                told = client.get(f"{API}/tables/{table}").json()
                assert (told["entries"], told["totals"]["p1"]) == (24, 2400)
