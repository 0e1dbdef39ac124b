"""The application: the API, the page, and what stands before them."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import FileResponse, JSONResponse
from starlette.formparsers import MultiPartParser

from server import problems
from server.api import TheService, decks, hands, photos, slips, tables
from server.guard import Guard
from server.problems import ProblemAnswer, responses
from server.schemas import HealthAnswer
from server.service import PhotoReader, Service
from server.settings import Settings

# Uploads are held in memory, within the guard's limits: none touches a disk, not even for a moment.
MultiPartParser.spool_max_size = 1 << 40

PAGE = Path(__file__).parent / "page"
PREFIX = "/api/v1"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/manifest+json",
}
_ABOUT = """Reads photos of 花牌 hands, counts them, and keeps the ledger of an evening.

Every error is `application/problem+json` with a stable `code` (see `ProblemAnswer`). Money is whole
units. Uploads are not kept, but for a photo that is sent to `/tables/{table_id}/photos`."""


def suanhu_version() -> str:
    """The version of this program."""
    try:
        return version("suanhu")
    except PackageNotFoundError:
        return "0"


def new_reader() -> PhotoReader:
    """The reader with the models that ship."""
    from vision.read import Reader

    return Reader()


def create_app(settings: Settings, reader: Callable[[], PhotoReader] = new_reader) -> FastAPI:
    """Makes the application.

    Args:
        settings: Places and limits.
        reader: Makes the reader of photos at its first use.

    Returns:
        An ASGI application; its ledger is open until its lifespan ends.

    Raises:
        SchemaError: The ledger cannot be opened.
    """
    service = Service(settings, reader)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # Photos that wait are answered at once, so that the server need not wait for them.
        with _when_told_to_end(service.reading.stop):
            yield
        service.close()

    app = FastAPI(
        title="suanhu",
        version=suanhu_version(),
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
        redirect_slashes=False,
    )
    app.state.service = service
    app.state.settings = settings
    problems.install(app)
    api = APIRouter(prefix=PREFIX)

    @api.get("/health", response_model=HealthAnswer, responses=responses(), tags=["service"])
    async def health(service: TheService) -> JSONResponse:
        """Whether the service answers; never waits for a photo."""
        return JSONResponse({"ok": True, "version": app.version, "reading": service.reading.inside})

    for module in (hands, photos, slips, decks, tables):
        api.include_router(module.router)
    app.include_router(api)
    _serve_page(app)
    _describe(app)
    app.add_middleware(Guard, settings=settings, reading=service.reading)
    return app


@contextmanager
def _when_told_to_end(work: Callable[[], None]) -> Iterator[None]:
    """Runs something in the event loop when the process is told to end, beside what the server does then."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def told(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(work)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in before:
        signal.signal(number, told)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def from_environment() -> FastAPI:
    """The application of a worker process, set by the variable `SUANHU_SERVER`."""
    import os

    return create_app(Settings.from_environment(os.environ["SUANHU_SERVER"]))


def _serve_page(app: FastAPI) -> None:
    files = {path.name: path for path in PAGE.iterdir() if path.suffix in _TYPES}

    def show(path: Path) -> Callable[[Request], Any]:
        async def answer(_: Request) -> FileResponse:
            return FileResponse(path, media_type=_TYPES[path.suffix], headers={"cache-control": "no-cache"})

        return answer

    for name, path in files.items():
        app.add_route("/" if name == "index.html" else f"/{name}", show(path), methods=["GET"])


def _describe(app: FastAPI) -> None:
    """Adds the form of errors and the token to the OpenAPI description."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            parts = schema.setdefault("components", {})
            problem = ProblemAnswer.model_json_schema(ref_template="#/components/schemas/{model}")
            faults = problem.pop("$defs")
            parts.setdefault("schemas", {}).update({"ProblemAnswer": problem, **faults})
            for unused in ("HTTPValidationError", "ValidationError"):
                parts["schemas"].pop(unused, None)
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            schema["security"] = [{"token": []}, {}]
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
