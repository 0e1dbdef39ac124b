"""What `suanhu serve` runs: one process, or several on one database."""

from __future__ import annotations

import argparse
import errno
import io
import ipaddress
import os
import re
import secrets
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import resource_tracker

import segno
import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from scorer.lang import pick
from server.app import create_app
from server.settings import Settings
from vision.files import home_folder

_TOKEN = re.compile(r"[A-Za-z0-9._~-]{16,128}")
_SILENT_S = 120

_WHY = {
    errno.EADDRINUSE: ("這個埠已被占用", "the port is in use"),
    errno.EADDRNOTAVAIL: ("這台機器沒有這個位址", "this machine does not have this address"),
    errno.EACCES: (
        "沒有權限（1024 以下的埠要管理員）",
        "not allowed (ports below 1024 need an administrator)",
    ),
}


class ServeError(ValueError):
    """A service that cannot be started as it was asked for; one line in each language."""

    def __init__(self, traditional: str, english: str) -> None:
        """Takes the line in both languages."""
        super().__init__(english)
        self._traditional = traditional

    def text(self, lang: str) -> str:
        """The line in `zh-Hant`, `zh-Hans` or `en`."""
        return pick(lang, self._traditional, str(self))


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted.

    Args:
        args: `host`, `port`, `lang`, and `workers` where several processes are to answer.

    Returns:
        The exit status.

    Raises:
        ServeError: It cannot listen there.
        SchemaError: The ledger cannot be opened.
    """
    settings = settings_for(args.host, args.lang)
    workers = int(getattr(args, "workers", 1) or 1)
    listening = _listen(args.host, args.port)
    port = listening.getsockname()[1]
    _announce(args.host, port, settings)
    if workers == 1:
        uvicorn.Server(_config(create_app(settings))).run(sockets=[listening])
        return 0
    # The schema is brought up to date here, once, before the workers open the database.
    create_app(settings).state.service.close()
    os.environ["SUANHU_SERVER"] = settings.to_environment()
    _Workers(_config("server.app:from_environment", workers), sockets=[listening]).run()
    return 0


class _Workers(Multiprocess):
    """Workers that are told to end by the first process alone.

    A terminal tells an interruption to all of them, and one that is only starting would complain of it.
    """

    def init_processes(self) -> None:
        """Starts them."""
        if sys.platform != "win32":
            # It would let interruptions in again, were it started with the first of them.
            resource_tracker.ensure_running()
        with _uninterrupted():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        """Starts another for one that has died."""
        with _uninterrupted():
            super().keep_subprocess_alive()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds interruptions back; processes that are started meanwhile never get any."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def settings_for(host: str, lang: str) -> Settings:
    """The settings of a service on an address: beyond this machine only with a token.

    `DATABASE_URL` names the database and `SUANHU_TOKEN` the token; where another address than
    loopback is given and no token, one is made and kept, so that phones find it again tomorrow.

    Raises:
        ServeError: `SUANHU_TOKEN` is too short or has other characters.
    """
    home = home_folder()
    token = os.environ.get("SUANHU_TOKEN") or None
    if token is not None and not _TOKEN.fullmatch(token):
        raise ServeError(
            "SUANHU_TOKEN 要有 16 到 128 個字母、數字或 . _ ~ -",
            "SUANHU_TOKEN has 16 to 128 letters, digits or . _ ~ -",
        )
    settings = Settings(home=home, database_url=os.environ.get("DATABASE_URL", ""), token=token, lang=lang)
    if token is None and not _is_loopback(host):
        settings = replace(settings, token=_kept_token(settings))
    elif token is None:
        settings = replace(settings, hosts=(*settings.hosts, host))
    return settings


def _kept_token(settings: Settings) -> str:
    path = settings.home / "token"
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        kept = ""
    if _TOKEN.fullmatch(kept):
        return kept
    token = secrets.token_urlsafe(24)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token)
    except OSError as error:
        raise ServeError(
            f"存不了令牌：{error.strerror}", f"the token cannot be kept: {error.strerror}"
        ) from error
    return token


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _is_every_address(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return not host


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        # Taken from now on: two services that start at once must not both believe that they have it.
        listening.listen(2048)
    except (OSError, UnicodeError) as error:
        reasons = _why(error)
        raise ServeError(
            f"不能在 {host}:{port} 上聽：{reasons[0]}", f"cannot listen on {host}:{port}: {reasons[1]}"
        ) from error
    listening.set_inheritable(True)
    return listening


def _why(error: OSError | UnicodeError) -> tuple[str, str]:
    """Why an address cannot be listened on."""
    if isinstance(error, socket.gaierror | UnicodeError):
        return "沒有這個位址", "there is no such address"
    reason = error.strerror or type(error).__name__
    return _WHY.get(error.errno or 0, (reason, reason))


def _config(app: FastAPI | str, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
        # A proxy on this machine says who really asks; nobody else is believed.
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=30,
        # On a slow machine a worker that starts or reads is silent for long; it is not killed for that.
        timeout_worker_healthcheck=_SILENT_S,
        lifespan="on",
    )


def _announce(host: str, port: int, settings: Settings) -> None:
    """Says where the page is; for phones as a QR code that carries the token."""
    shown = _reachable(host)
    url = f"http://{shown}:{port}/"
    lang = settings.lang
    out = sys.stdout
    if settings.token is not None:
        # The fragment stays in the browser: no request line and no log ever holds the token.
        url += f"#token={settings.token}"
        if out.isatty():
            out.write(_code(url))
        note = pick(
            lang,
            "手機連同一個 Wi-Fi，掃碼或打開上面的連結；只給同桌的人看。",
            "Phones on the same Wi-Fi scan this or open the link; show it to your table only.",
        )
    else:
        note = pick(
            lang,
            "只有這台機器能打開。給手機用：--host 0.0.0.0",
            "Only this machine can open it. For phones: --host 0.0.0.0",
        )
    out.write(f"suanhu: {url}\n{note}\n")
    out.flush()


def _code(url: str) -> str:
    """A QR code in half blocks, light on dark whatever the terminal's own colours are."""
    code = io.StringIO()
    segno.make(url, error="m").terminal(out=code, compact=True)
    return "".join(f"\x1b[97;40m{line}\x1b[0m\n" for line in code.getvalue().splitlines())


def _reachable(host: str) -> str:
    """The address that a phone on the same network reaches this machine by."""
    bare = host.strip("[]")
    if _is_every_address(bare):
        # Nothing is sent: connecting a datagram socket only asks the system for the way out.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))
                bare = str(probe.getsockname()[0])
            except OSError:
                bare = "127.0.0.1"
    return f"[{bare}]" if ":" in bare else bare
