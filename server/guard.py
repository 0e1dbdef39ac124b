"""What stands before the application: who may ask, from where, and how much they may send."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.pool import Pool
from server.problems import ProblemError, refuse
from server.settings import Settings

API = "/api/"
_PHOTOS = ("/read", "/photo", "/photos", "/decks", "/corrections", "/import", "/slip")
_MOST_CALLERS = 4096
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
# No inline script, no other host; photos and the page to print are blobs that the page itself made.
_POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; frame-src blob:;"
    " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS: Mapping[str, str] = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class Guesses:
    """Who brought wrong tokens, so that nobody can try one after another."""

    def __init__(self, most: int, window_s: float, now: Callable[[], float] = time.monotonic) -> None:
        """Counts.

        Args:
            most: How many different wrong tokens one caller may bring in a window. A phone with the
                token of yesterday brings the same one again and again, which counts once.
            window_s: Seconds from the first wrong token until the caller is forgotten.
            now: Seconds of a clock that only goes forward.
        """
        self._most = most
        self._window_s = window_s
        self._now = now
        self._callers: OrderedDict[str, tuple[float, set[bytes]]] = OrderedDict()

    def wait_s(self, caller: str) -> int:
        """In how many seconds this caller may try again; 0 where it may at once."""
        begun, wrong = self._callers.get(caller, (0.0, set()))
        left = begun + self._window_s - self._now()
        if left <= 0:
            self._callers.pop(caller, None)
            return 0
        return math.ceil(left) if len(wrong) >= self._most else 0

    def wrong(self, caller: str, token: str) -> None:
        """Notes a wrong token."""
        _, tokens = self._callers.setdefault(caller, (self._now(), set()))
        tokens.add(hashlib.sha256(token.encode()).digest())
        while len(self._callers) > _MOST_CALLERS:
            self._callers.popitem(last=False)


class Guard:
    """Refuses what may not ask or is too large; adds the headers that keep a page to itself."""

    def __init__(self, app: ASGIApp, settings: Settings, reading: Pool) -> None:
        """Stands before an application.

        Args:
            app: The application.
            settings: The token, the limits.
            reading: The readers: where their queue is full, no photo is even taken in.
        """
        self._app = app
        self._settings = settings
        self._reading = reading
        self._guesses = Guesses(settings.max_wrong_tokens, settings.wrong_token_window_s)
        self._taken_in = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = _with_headers(send, private=scope["path"].startswith(API))
        held = 0
        try:
            self._check(scope, headers)
            limit = self._limit(scope)
            held = self._hold(scope, limit, _length(headers))
        except ProblemError as error:
            await refuse(scope, receive, guarded, error.code, error.headers)
            return
        try:
            await self._app(scope, _limited(receive, limit, self._settings.max_upload_s), guarded)
        finally:
            self._taken_in -= held

    def _hold(self, scope: Scope, limit: int, announced: int | None) -> int:
        """Sets memory aside for an upload until it is answered.

        Raises:
            ProblemError: It is too large, or there is too much under way.
        """
        size = limit if announced is None else announced
        if size > limit:
            raise ProblemError("too_large")
        if limit <= self._settings.max_json_bytes:
            return 0
        if scope["path"].endswith(_PHOTOS):
            self._reading.admit()
        if self._taken_in + size > self._settings.max_uploading_bytes:
            raise ProblemError("too_busy", {"retry-after": str(self._reading.retry_after_s)})
        self._taken_in += size
        return size

    def _check(self, scope: Scope, headers: Headers) -> None:
        if not self._settings.guests:
            # A name that is not this machine's is a page elsewhere that had itself resolved to here.
            host = headers.get("host", "").rpartition(":")
            name = host[0] if host[0] and host[2].isdigit() else headers.get("host", "")
            if self._settings.hosts and name not in self._settings.hosts:
                raise ProblemError("cross_site")
        if not scope["path"].startswith(API):
            return
        if scope["method"] not in _SAFE and _from_elsewhere(headers):
            raise ProblemError("cross_site")
        if self._settings.token is not None:
            self._check_token(scope, headers, self._settings.token)

    def _check_token(self, scope: Scope, headers: Headers, token: str) -> None:
        given = _token_of(headers)
        if given is None:
            raise ProblemError("no_token")
        caller = _caller(scope)
        wait_s = self._guesses.wait_s(caller)
        if wait_s:
            raise ProblemError("too_many_guesses", {"retry-after": str(wait_s)})
        if not hmac.compare_digest(given.encode(), token.encode()):
            self._guesses.wrong(caller, given)
            raise ProblemError("no_token")

    def _limit(self, scope: Scope) -> int:
        path = scope["path"]
        if scope["method"] != "POST" or not path.startswith(API):
            return self._settings.max_json_bytes
        if path.endswith("/restore"):
            return self._settings.max_backup_bytes
        if path.endswith("/decks"):
            # A deck is learned from a few photos at once.
            return 4 * self._settings.max_photo_bytes
        if path.endswith(_PHOTOS):
            return self._settings.max_photo_bytes + self._settings.max_json_bytes
        return self._settings.max_json_bytes


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that another site's page sends this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")


def _token_of(headers: Headers) -> str | None:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" and given.strip() else None


def _caller(scope: Scope) -> str:
    """The address that asks; of IPv6 the network, since one machine has a whole one to choose from."""
    address = str((scope.get("client") or ("",))[0])
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _length(headers: Headers) -> int | None:
    """How long a body says it is; None where it does not say."""
    text = headers.get("content-length", "")
    return int(text) if text.isdecimal() and len(text) < 20 else None


def _limited(receive: Receive, limit: int, within_s: float) -> Receive:
    """Counts what comes in, also where its length was not announced, and waits for its end only so long."""
    seen = 0
    begun = time.monotonic()
    coming = True

    async def counted() -> Message:
        nonlocal seen, coming
        if not coming:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), begun + within_s - time.monotonic())
        except TimeoutError as error:
            coming = False
            raise HTTPException(408) from error
        coming = bool(message.get("more_body", False))
        seen += len(message.get("body", b""))
        if seen > limit:
            raise HTTPException(413)
        return message

    return counted


def _with_headers(send: Send, *, private: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if private:
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
