"""What stands before the application: who may ask, from where, and how much they may send."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.pool import Pool
from server.problems import ProblemError, refuse
from server.settings import Settings

API = "/api/"
_UPLOADS = ("/read", "/photo", "/photos", "/decks", "/corrections", "/import")
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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = _with_headers(send, private=scope["path"].startswith(API))
        refusal = self._refusal(scope, headers)
        if refusal is None:
            limit = self._limit(scope)
            if _length(headers) > limit:
                refusal = "too_large"
            else:
                receive = _limited(receive, limit)
        if refusal is None and scope["method"] == "POST" and scope["path"].endswith(_UPLOADS):
            try:
                self._reading.admit()
            except ProblemError as error:
                await refuse(scope, receive, guarded, error.code, error.headers)
                return
        if refusal is not None:
            await refuse(scope, receive, guarded, refusal)
            return
        await self._app(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> str | None:
        if not self._settings.guests:
            # A name that is not this machine's is a page elsewhere that had itself resolved to here.
            host = headers.get("host", "").rpartition(":")
            name = host[0] if host[0] and host[2].isdigit() else headers.get("host", "")
            if self._settings.hosts and name not in self._settings.hosts:
                return "cross_site"
        if not scope["path"].startswith(API):
            return None
        if scope["method"] not in _SAFE and _from_elsewhere(headers):
            return "cross_site"
        if self._settings.token is not None and not _has_token(headers, self._settings.token):
            return "no_token"
        return None

    def _limit(self, scope: Scope) -> int:
        path = scope["path"]
        if path.endswith("/restore"):
            return self._settings.max_backup_bytes
        if path.endswith("/decks"):
            # A deck is learned from a few photos at once.
            return 4 * self._settings.max_photo_bytes
        if path.endswith(_UPLOADS):
            return self._settings.max_photo_bytes + self._settings.max_json_bytes
        return self._settings.max_json_bytes


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that another site's page sends this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")


def _has_token(headers: Headers, token: str) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


def _length(headers: Headers) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdigit() and len(text) < 20 else 0


def _limited(receive: Receive, limit: int) -> Receive:
    """Counts what comes in, also where its length was not announced."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
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
