"""Everything that can go wrong, in one form: problem details (RFC 9457) with a stable `code`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from scorer.errors import ScorerError, UnknownRule
from scorer.lang import LANGS, pick
from table.ledger import errors as ledger_errors
from table.words import TableError
from vision.errors import VisionError

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

E = TypeVar("E", bound=Exception)
MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("suanhu.server")

_TEXTS: dict[str, tuple[int, str, str]] = {
    "bad_request": (400, "請求的格式不對", "the request is not well formed"),
    "no_token": (401, "要有這桌的連結（令牌）才能用", "this service needs its token"),
    "cross_site": (403, "不接受別的網站發來的請求", "requests from other sites are not taken"),
    "not_for_guests": (
        403,
        "只有開服務的人能這樣做",
        "only whoever runs the service may do this; use the decks of your table",
    ),
    "not_found": (404, "沒有這個位址", "there is nothing here"),
    "no_slip": (
        404,
        "這一筆沒有單據，只有算過的牌才有",
        "only a hand that was counted has a slip",
    ),
    "no_photo": (404, "這一筆沒有存照片", "no photo was kept with this entry"),
    "wrong_method": (405, "這個位址不接受這種請求", "this cannot be done here"),
    "too_slow": (408, "送得太慢了", "what was sent took too long to arrive"),
    "conflict": (409, "現在不能這樣做", "this cannot be done now"),
    "deck_exists": (409, "已經有這個名字的牌", "there is a deck of this name already"),
    "too_many_decks": (409, "這一桌的牌太多了", "this table has too many decks"),
    "too_many_tables": (409, "桌子太多了", "this service has too many tables"),
    "too_large": (413, "送來的東西太大", "what was sent is too large"),
    "too_many_pixels": (413, "照片太大", "the picture is too large"),
    "wrong_type": (415, "不接受這種內容", "this kind of content is not taken"),
    "not_a_picture": (415, "這不是能讀的照片", "this is not a picture that can be read"),
    "too_unsure": (422, "太多牌看不清，請重拍一張", "too many cards are unsure: take another photo"),
    "other_photo": (422, "這張照片不是讀過的那張", "this is not the photo that was read"),
    "invalid": (422, "有些欄位不對", "some fields are not right"),
    "too_many_guesses": (
        429,
        "錯的令牌試了太多次，請等一等",
        "too many wrong tokens: wait a while",
    ),
    "too_busy": (503, "太忙了，請稍等再試", "too busy, try again in a moment"),
    "stopping": (503, "服務正在關閉", "the service is being stopped"),
    "no_reader": (503, "這裡不能讀照片", "photos cannot be read here"),
    "ledger_unavailable": (503, "帳本暫時不能用", "the ledger cannot be reached"),
    "internal": (500, "服務出錯", "something went wrong in the service"),
}


class FieldFault(BaseModel):
    """A field that is not right."""

    where: str = Field(description="Place of the field: `body.stake`, `query.lang`", examples=["body.stake"])
    what: str = Field(description="What is wrong with it", examples=["Input should be a valid integer"])


class ProblemAnswer(BaseModel):
    """The form of every answer that is an error (RFC 9457, `application/problem+json`)."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "urn:suanhu:problem:unknown_table",
                "title": "Not Found",
                "status": 404,
                "detail": "there is no such table",
                "code": "unknown_table",
                "errors": [],
            }
        }
    )

    type: str = Field(description="`urn:suanhu:problem:` and the code")
    title: str = Field(description="The status in words")
    status: int = Field(description="The HTTP status")
    detail: str = Field(description="One line for a person, in the language of the request")
    code: str = Field(description="Stable name of the fault, for programs")
    errors: list[FieldFault] = Field(
        default=[], description="The fields that are not right, where it is about fields"
    )


class ProblemError(Exception):
    """A fault that the service itself finds; `code` names its status and texts."""

    def __init__(self, code: str, headers: Mapping[str, str] | None = None) -> None:
        """Makes the fault whose status and texts stand under `code`."""
        super().__init__(code)
        self.code = code
        self.headers = dict(headers or {})


def language(request: Request) -> str:
    """The language of a request: its `lang`, what its browser asks for, or the service's."""
    wanted = request.query_params.get("lang", "")
    if wanted in LANGS:
        return wanted
    for part in request.headers.get("accept-language", "").split(","):
        name = part.partition(";")[0].strip().lower()
        if name.startswith("en"):
            return "en"
        if name.startswith("zh"):
            return "zh-Hans" if name in ("zh", "zh-cn", "zh-sg", "zh-my") or "hans" in name else "zh-Hant"
    settings = getattr(request.app.state, "settings", None)
    return settings.lang if settings is not None else "zh-Hant"


def answer(
    request: Request,
    code: str,
    *,
    status: int | None = None,
    detail: str | None = None,
    errors: list[FieldFault] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The answer for a fault.

    Args:
        request: What was asked.
        code: Name of the fault.
        status: HTTP status where it is not the one of the code.
        detail: One line for a person where it is not the one of the code.
        errors: Fields that are not right.
        headers: More headers.

    Returns:
        The answer, not to be kept by any cache.
    """
    known = _TEXTS.get(code)
    if status is None:
        status = known[0] if known else 400
    if detail is None:
        detail = pick(language(request), known[1], known[2]) if known else code
    body = ProblemAnswer(
        type=f"urn:suanhu:problem:{code}",
        title=_title(status),
        status=status,
        detail=detail,
        code=code,
        errors=errors or [],
    )
    return JSONResponse(
        body.model_dump(), status, {"cache-control": "no-store", **(headers or {})}, media_type=MEDIA_TYPE
    )


def _title(status: int) -> str:
    from http import HTTPStatus

    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def install(app: FastAPI) -> None:
    """Makes an application answer every fault in this form."""
    _handle(app, ProblemError, _on_problem)
    _handle(app, ledger_errors.LedgerError, _on_ledger)
    _handle(app, ScorerError, _on_text)
    _handle(app, TableError, _on_text)
    _handle(app, VisionError, _on_vision)
    _handle(app, RequestValidationError, _on_validation)
    _handle(app, HTTPException, _on_http)
    _handle(app, SQLAlchemyError, _on_database)
    _handle(app, Exception, _on_anything)


def _handle(app: FastAPI, kind: type[E], handler: Callable[[Request, E], JSONResponse]) -> None:
    app.add_exception_handler(kind, cast("Callable[[Request, Exception], JSONResponse]", handler))


def _on_problem(request: Request, error: ProblemError) -> JSONResponse:
    return answer(request, error.code, headers=error.headers)


_LEDGER_STATUS: tuple[tuple[type[ledger_errors.LedgerError], int], ...] = (
    (ledger_errors.UnknownTableError, 404),
    (ledger_errors.UnknownPlayerError, 404),
    (ledger_errors.UnknownEntryError, 404),
    (ledger_errors.UnknownPhotoError, 404),
    (ledger_errors.KeyReusedError, 409),
    (ledger_errors.NothingToUndoError, 409),
    (ledger_errors.ChangedError, 409),
    (ledger_errors.LimitError, 409),
    (ledger_errors.BusyError, 503),
    (ledger_errors.SchemaError, 500),
    (ledger_errors.LedgerError, 422),
)


def _on_ledger(request: Request, error: ledger_errors.LedgerError) -> JSONResponse:
    status = next(status for kind, status in _LEDGER_STATUS if isinstance(error, kind))
    if status == 500:
        _LOG.error("a damaged ledger", exc_info=error)
        return answer(request, "internal")
    headers = {"retry-after": "1"} if status == 503 else {}
    return answer(request, error.code, status=status, detail=error.text(language(request)), headers=headers)


def _on_text(request: Request, error: ScorerError | TableError) -> JSONResponse:
    code = error.message if isinstance(error, ScorerError) else _snake(type(error).__name__)
    missing = isinstance(error, UnknownRule) and request.method == "GET"
    return answer(request, code, status=404 if missing else 422, detail=error.text(language(request)))


def _on_vision(request: Request, error: VisionError) -> JSONResponse:
    name = type(error).__name__
    code = error.code
    if name == "ModelError":
        # Its texts name files of this machine.
        _LOG.error("no reader: %s", error)
        return answer(request, "no_reader", headers={"retry-after": "60"})
    if name == "DeckError":
        status = {"missing": 404, "read_only": 403, "exists": 409}.get(code, 422)
        code = f"deck_{code}"
    else:
        status = {"too_many_bytes": 413, "too_many_pixels": 413, "not_a_picture": 415, "heic": 415}.get(
            code, 422
        )
    return answer(request, code, status=status, detail=error.text(language(request)))


def _on_validation(request: Request, error: RequestValidationError) -> JSONResponse:
    faults = [
        FieldFault(where=".".join(str(part) for part in each["loc"])[:200], what=str(each["msg"])[:200])
        for each in error.errors()[:20]
    ]
    malformed = any(each["type"] == "json_invalid" for each in error.errors())
    return answer(request, "bad_request" if malformed else "invalid", errors=faults)


_HTTP_CODES = {
    401: "no_token",
    404: "not_found",
    405: "wrong_method",
    408: "too_slow",
    413: "too_large",
    415: "wrong_type",
}


def _on_http(request: Request, error: HTTPException) -> JSONResponse:
    code = _HTTP_CODES.get(error.status_code, "bad_request")
    return answer(request, code, status=error.status_code, headers=error.headers)


def _on_database(request: Request, error: Exception) -> JSONResponse:
    _LOG.error("the database failed", exc_info=error)
    return answer(request, "ledger_unavailable", headers={"retry-after": "2"})


def _on_anything(request: Request, error: Exception) -> JSONResponse:
    _LOG.error("an answer failed", exc_info=error)
    return answer(request, "internal")


async def refuse(
    scope: Scope, receive: Receive, send: Send, code: str, headers: Mapping[str, str] | None = None
) -> None:
    """Answers a fault from a middleware, before the application was asked."""
    await answer(Request(scope, receive), code, headers=headers)(scope, receive, send)


def _snake(name: str) -> str:
    out = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return out.strip("_").removesuffix("_error")


def responses(*statuses: int) -> dict[int | str, dict[str, object]]:
    """What OpenAPI says of the errors of an endpoint.

    Args:
        statuses: Those beside the ones that each endpoint has.

    Returns:
        The value for `responses`.
    """
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}}}
    every = sorted({400, 401, 403, 408, 413, 422, 429, *statuses})
    return {status: {"description": _title(status), "content": content} for status in every}
