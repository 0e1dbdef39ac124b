"""The endpoints, one module for each thing that a table has."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Header, Path, Query, Request

from server.problems import language
from server.schemas import Language
from server.service import Service


def service_of(request: Request) -> Service:
    """The service that answers."""
    return cast("Service", request.app.state.service)


def language_of(
    request: Request,
    lang: Annotated[Language | None, Query(description="Language; else what the browser asks for")] = None,
) -> str:
    """The language of the answer."""
    return lang or language(request)


TheService = Annotated[Service, Depends(service_of)]
TheLanguage = Annotated[str, Depends(language_of)]
TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="Id of a table")]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[A-Za-z0-9._~-]{8,128}$",
        description="A request that comes again with the same key is written once",
    ),
]
Seen = Annotated[
    int | None,
    Query(
        ge=1,
        le=1_000_000_000,
        description="What the caller looked at; where it was changed since, 409 and nothing is written",
    ),
]
