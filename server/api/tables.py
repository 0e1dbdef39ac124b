"""Tables: players, rounds, the ledger, who owes whom."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, cast

import segno
from fastapi import APIRouter, Path, Query, UploadFile
from fastapi.responses import HTMLResponse, JSONResponse, Response

from server.api import Key, Seen, TableId, TheLanguage, TheService
from server.api.photos import photo_bytes
from server.problems import ProblemError, responses
from server.schemas import (
    AdjustmentRequest,
    ByHandRequest,
    DrawnRequest,
    EntryRequest,
    InvitationRequest,
    LedgerAnswer,
    LineAnswer,
    PhotoKept,
    PlayerChange,
    PlayerRequest,
    RestoredAnswer,
    ScoredRequest,
    SeatingAnswer,
    SeatsRequest,
    SettlementAnswer,
    TableAnswer,
    TableChange,
    TableRequest,
    TablesAnswer,
    WrittenAnswer,
)
from server.service import Service, book, check_new_table
from table.ledger import Draft, Outcome, Table, decide, fewest_transfers
from table.ledger.backup import backup_bytes, restore
from table.ledger.count import count, seating
from table.ledger.export import as_csv, as_page
from table.ledger.model import Json
from table.ledger.service import photo_of

router = APIRouter(tags=["tables"])

_REPEATED: dict[int | str, dict[str, Any]] = {
    200: {
        "model": WrittenAnswer,
        "description": "This request had been written before; nothing is written twice",
    }
}
Offset = Annotated[int, Query(ge=-900, le=900, description="Minutes that the caller's clock is ahead of UTC")]
Number = Annotated[int, Path(ge=1, le=1_000_000, description="Number of a line of the ledger")]
Player = Annotated[str, Path(pattern=r"^p[0-9]{1,3}$")]
PhotoId = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]


def _written(outcome: Outcome) -> dict[str, object]:
    number = outcome.number
    return {
        "table": outcome.table.to_json(),
        "line": None if number is None else outcome.table.line(number).to_json(),
        "repeated": outcome.repeated,
    }


def _settlement(table: Table) -> dict[str, object]:
    settlement = fewest_transfers(table.totals())
    return {
        "transfers": [transfer.to_json() for transfer in settlement.transfers],
        "fewest": settlement.fewest,
    }


@router.post("/tables", status_code=201, response_model=TableAnswer, responses=responses(409))
def open_table(service: TheService, asked: TableRequest) -> JSONResponse:
    """Opens a table. Its id is what gives access to it."""
    book(asked.rule, asked.options)
    check_new_table(service)
    table = service.ledger.open(
        name=asked.name,
        rule=asked.rule,
        options=asked.options,
        stake=asked.stake,
        deck=asked.deck,
        players=asked.players,
    )
    return JSONResponse(table.to_json(), 201)


@router.get("/tables", response_model=TablesAnswer, responses=responses())
def list_tables(service: TheService) -> JSONResponse:
    """Every table, the latest first; only for whoever runs the service."""
    if service.settings.guests:
        raise ProblemError("not_for_guests")
    return JSONResponse({"tables": [table.to_json() for table in service.ledger.tables()]})


@router.get("/tables/{table_id}", response_model=TableAnswer, responses=responses(404))
def show_table(service: TheService, table_id: TableId) -> JSONResponse:
    """A table as it is now."""
    return JSONResponse(service.ledger.table(table_id).to_json())


@router.post(
    "/tables/{table_id}/invitation",
    response_class=Response,
    responses={
        **responses(404),
        200: {"content": {"image/svg+xml": {"schema": {"type": "string", "format": "binary"}}}},
    },
)
def invite(service: TheService, table_id: TableId, asked: InvitationRequest) -> Response:
    """A QR code that opens the page at this table on another phone. Nothing of it is kept."""
    service.ledger.table(table_id)
    code = io.BytesIO()
    segno.make(asked.link, error="m").save(code, kind="svg", scale=8, border=4, light="#fff")
    return Response(code.getvalue(), media_type="image/svg+xml")


@router.patch("/tables/{table_id}", response_model=WrittenAnswer, responses=responses(404, 409))
def change_table(service: TheService, table_id: TableId, asked: TableChange, key: Key = None) -> JSONResponse:
    """Changes name, rule, options, stake or deck for later rounds."""

    def wish(table: Table) -> Draft:
        rule = table.rule if asked.rule is None else asked.rule
        options = asked.options
        if options is None:
            options = dict(table.options) if rule == table.rule else {}
        book(rule, options)
        return decide.change(
            table, name=asked.name, rule=asked.rule, options=options, stake=asked.stake, deck=asked.deck
        )

    return _do(service, table_id, wish, key, request=asked.model_dump())


@router.delete("/tables/{table_id}", status_code=204, responses=responses(404))
def delete_table(service: TheService, table_id: TableId) -> Response:
    """Deletes a table with its ledger, photos and decks."""
    shelf = service.shelf(table_id)
    service.ledger.delete(table_id)
    shelf.clear()
    return Response(status_code=204)


@router.post(
    "/tables/{table_id}/players",
    status_code=201,
    response_model=WrittenAnswer,
    responses={**responses(404, 409), **_REPEATED},
)
def join(service: TheService, table_id: TableId, asked: PlayerRequest, key: Key = None) -> JSONResponse:
    """Seats somebody new, or brings somebody of that name back."""
    return _do(
        service,
        table_id,
        lambda table: decide.join(table, asked.name),
        key,
        request=asked.model_dump(),
        status=201,
    )


@router.patch(
    "/tables/{table_id}/players/{player}", response_model=WrittenAnswer, responses=responses(404, 409)
)
def change_player(
    service: TheService, table_id: TableId, player: Player, asked: PlayerChange, key: Key = None
) -> JSONResponse:
    """Renames a player, or lets one leave or come back."""

    def wish(table: Table) -> Draft:
        if asked.name is not None:
            return decide.rename(table, player, asked.name)
        if asked.present:
            return decide.join(table, table.player(player).name)
        return decide.leave(table, player)

    if (asked.name is None) == (asked.present is None):
        raise ProblemError("invalid")
    return _do(service, table_id, wish, key, request={"player": player, **asked.model_dump()})


@router.put("/tables/{table_id}/seats", response_model=WrittenAnswer, responses=responses(404, 409))
def take_seats(service: TheService, table_id: TableId, asked: SeatsRequest, key: Key = None) -> JSONResponse:
    """Says who sits where and who deals."""
    return _do(
        service,
        table_id,
        lambda table: decide.seat(table, asked.seats, asked.dealer),
        key,
        request=asked.model_dump(),
    )


@router.get("/tables/{table_id}/seating", response_model=SeatingAnswer, responses=responses(404))
def next_seating(service: TheService, table_id: TableId, dealer: str | None = None) -> JSONResponse:
    """Who plays the next round and who rests, where the table holds more than play."""
    table = service.ledger.table(table_id)
    if dealer is not None:
        table.player(dealer[:8])
    book(table.rule, table.options)
    seats, rested = seating(table, dealer)
    return JSONResponse({"seats": list(seats), "rested": list(rested)})


@router.get("/tables/{table_id}/ledger", response_model=LedgerAnswer, responses=responses(404))
def show_ledger(service: TheService, table_id: TableId) -> JSONResponse:
    """The whole evening: every line with what it said before, totals, what settles it."""
    table = service.ledger.table(table_id)
    return JSONResponse(
        {
            "table": table.to_json(),
            "lines": [line.to_json() for line in table.lines],
            "settlement": _settlement(table),
        }
    )


@router.post(
    "/tables/{table_id}/rounds",
    status_code=201,
    response_model=WrittenAnswer,
    responses={**responses(404, 409, 503), **_REPEATED},
)
async def write(
    service: TheService, lang: TheLanguage, table_id: TableId, asked: EntryRequest, key: Key = None
) -> JSONResponse:
    """Writes down a round or an adjustment; a scored hand is counted here, by the table's rule."""
    work = _entering(service, table_id, asked, lang, None)
    return await service.counting.run(
        _do, service, table_id, work, key, request=asked.model_dump(), status=201
    )


@router.get("/tables/{table_id}/rounds/{number}", response_model=LineAnswer, responses=responses(404))
def show_line(service: TheService, table_id: TableId, number: Number) -> JSONResponse:
    """One line of the ledger with everything that it ever said."""
    return JSONResponse(service.ledger.table(table_id).line(number).to_json())


@router.put(
    "/tables/{table_id}/rounds/{number}", response_model=WrittenAnswer, responses=responses(404, 409, 503)
)
async def correct(
    *,
    service: TheService,
    lang: TheLanguage,
    table_id: TableId,
    number: Number,
    asked: EntryRequest,
    key: Key = None,
    seen: Seen = None,
) -> JSONResponse:
    """Corrects a line; what it said before is kept and shown. `seen` is `seq` of its latest version."""
    enter = _entering(service, table_id, asked, lang, number)

    def work(table: Table) -> Draft:
        return enter(decide.as_seen(table, seen, number))

    request = {"number": number, **asked.model_dump()}
    return await service.counting.run(_do, service, table_id, work, key, request=request)


@router.delete(
    "/tables/{table_id}/rounds/{number}", response_model=WrittenAnswer, responses=responses(404, 409)
)
def strike(
    service: TheService, table_id: TableId, number: Number, key: Key = None, seen: Seen = None
) -> JSONResponse:
    """Strikes a line out; it stays readable and counts no more. `seen` is `seq` of its latest version."""

    def wish(table: Table) -> Draft:
        return decide.strike(decide.as_seen(table, seen, number), number)

    return _do(service, table_id, wish, key, request={"strike": number})


@router.post("/tables/{table_id}/undo", response_model=WrittenAnswer, responses=responses(404, 409))
def undo(service: TheService, table_id: TableId, key: Key = None, seen: Seen = None) -> JSONResponse:
    """Takes back the latest entry, correction or strike. `seen` is `seq` of the table."""
    return _do(service, table_id, lambda table: decide.undo(decide.as_seen(table, seen)), key, request="undo")


@router.get("/tables/{table_id}/settlement", response_model=SettlementAnswer, responses=responses(404))
def show_settlement(service: TheService, table_id: TableId) -> JSONResponse:
    """The fewest transfers that settle the evening."""
    return JSONResponse(_settlement(service.ledger.table(table_id)))


@router.post(
    "/tables/{table_id}/settlement",
    status_code=201,
    response_model=WrittenAnswer,
    responses={**responses(404, 409), **_REPEATED},
)
def settle(service: TheService, table_id: TableId, key: Key = None, seen: Seen = None) -> JSONResponse:
    """Writes down that these transfers were made; totals are 0 afterwards. `seen` is `seq` of the table."""
    return _do(
        service,
        table_id,
        lambda table: decide.settle(decide.as_seen(table, seen)),
        key,
        request="settle",
        status=201,
    )


@router.get(
    "/tables/{table_id}/ledger.csv",
    response_class=Response,
    responses={**responses(404), 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def ledger_csv(service: TheService, lang: TheLanguage, table_id: TableId, offset: Offset = 0) -> Response:
    """The ledger for a spreadsheet."""
    text = as_csv(service.ledger.table(table_id), lang, offset)
    headers = {"content-disposition": 'attachment; filename="ledger.csv"'}
    return Response(text.encode(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/tables/{table_id}/ledger.html", response_class=HTMLResponse, responses=responses(404))
def ledger_page(
    service: TheService, lang: TheLanguage, table_id: TableId, offset: Offset = 0
) -> HTMLResponse:
    """The ledger to print."""
    return HTMLResponse(as_page(service.ledger.table(table_id), lang, offset))


@router.get(
    "/tables/{table_id}/backup",
    response_class=Response,
    responses={
        **responses(404),
        200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}},
    },
)
def back_up(service: TheService, table_id: TableId) -> Response:
    """A table with everything that belongs to its ledger, as a file that any suanhu restores."""
    service.ledger.table(table_id)
    content = backup_bytes(service.ledger, [table_id])
    headers = {"content-disposition": 'attachment; filename="suanhu-backup.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


@router.post("/restore", response_model=RestoredAnswer, responses=responses(409, 503))
async def restore_backup(service: TheService, file: UploadFile) -> JSONResponse:
    """Adds what a backup has beyond what is here; refuses one that contradicts it."""
    content = photo_bytes(file, service.settings.max_backup_bytes)

    def work() -> list[str]:
        room = service.settings.max_tables - service.ledger.store.count()
        # Photos and numbers hardly shrink in a zip: what unpacks to much more is no backup.
        most = 2 * service.settings.max_backup_bytes
        return list(restore(service.ledger, io.BytesIO(content), max_bytes=most, max_tables=max(room, 1)))

    return JSONResponse({"tables": await service.counting.run(work)})


@router.post(
    "/tables/{table_id}/photos",
    status_code=201,
    response_model=PhotoKept,
    responses=responses(404, 409, 415),
)
async def keep_photo(service: TheService, table_id: TableId, photo: UploadFile) -> JSONResponse:
    """Keeps a photo for a round that is written next. No other call keeps one."""
    content = photo_bytes(photo, min(service.settings.max_kept_bytes, decide.MAX_PHOTO_BYTES))

    def work() -> str:
        from vision.decode import read_header, read_photo

        media_type = f"image/{read_header(content).format}"
        read_photo(content)
        kept = photo_of(content, media_type)
        service.ledger.keep_photo(table_id, kept, most_bytes=service.settings.max_kept_total_bytes)
        return kept.sha256

    return JSONResponse({"sha256": await service.reading.run(work)}, 201)


@router.get(
    "/tables/{table_id}/photos/{sha256}",
    response_class=Response,
    responses={
        **responses(404),
        200: {"content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}},
    },
)
def show_photo(service: TheService, table_id: TableId, sha256: PhotoId) -> Response:
    """A photo that was kept."""
    service.ledger.table(table_id)
    photo = service.ledger.store.photo(table_id, sha256)
    return Response(photo.content, media_type=photo.media_type)


@router.delete("/tables/{table_id}/photos/{sha256}", status_code=204, responses=responses(404))
def forget_photo(service: TheService, table_id: TableId, sha256: PhotoId) -> Response:
    """Takes a kept photo out; the ledger still says that there was one."""
    service.ledger.table(table_id)
    service.ledger.store.forget_photo(table_id, sha256)
    return Response(status_code=204)


def _do(
    service: Service,
    table_id: str,
    wish: Callable[[Table], Draft],
    key: str | None,
    *,
    request: Any,
    status: int = 200,
) -> JSONResponse:
    outcome = service.ledger.do(table_id, wish, key=key, request=cast("Json", request))
    return JSONResponse(_written(outcome), 200 if outcome.repeated else status)


def _entering(
    service: Service, table_id: str, asked: EntryRequest, lang: str, number: int | None
) -> Callable[[Table], Draft]:
    """What decides on a round or an adjustment that was asked for."""

    def wish(now: Table) -> Draft:
        table = _as_then(now, number)
        if isinstance(asked, AdjustmentRequest):
            return decide.adjust(table, asked.amounts, asked.note, number=number)
        # A restored table may name a rule book that is a file: none is opened for a stranger.
        book(table.rule, table.options)
        seats, rested = tuple(asked.seats), tuple(asked.rested)
        if not seats:
            seats, rested = seating(table, asked.dealer)
        if isinstance(asked, ByHandRequest):
            return decide.by_hand(
                table,
                asked.amounts,
                seats=asked.seats or list(dict.fromkeys([*asked.amounts, *_named(asked)])),
                winner=asked.winner,
                discarder=asked.discarder,
                dealer=asked.dealer,
                rested=asked.rested,
                note=asked.note,
                number=number,
            )
        if isinstance(asked, DrawnRequest):
            return decide.drawn(
                table, seats=seats, dealer=asked.dealer, rested=rested, note=asked.note, number=number
            )
        return _scored(table, asked, seats, rested)

    def _scored(table: Table, asked: ScoredRequest, seats: tuple[str, ...], rested: tuple[str, ...]) -> Draft:
        score = count(
            table,
            asked.hand,
            seats,
            winner=asked.winner,
            discarder=asked.discarder,
            win=asked.win,
            dui=asked.dui,
            lang=lang,
        )
        photo = None if asked.photo is None else service.ledger.store.photo(table_id, asked.photo)
        return decide.scored(
            table,
            score,
            seats,
            winner=asked.winner,
            discarder=asked.discarder,
            dealer=asked.dealer,
            rested=rested,
            note=asked.note,
            photo=photo,
            number=number,
        )

    return wish


def _as_then(table: Table, number: int | None) -> Table:
    """The table with the rule, options and stake of a line: correcting it changes none of them."""
    if number is None:
        return table
    entry = next(
        version.entry for version in reversed(table.line(number).versions) if version.entry is not None
    )
    return replace(table, rule=entry.rule, options=entry.options, stake=entry.stake)


def _named(asked: ByHandRequest) -> list[str]:
    return [player for player in (asked.winner, asked.discarder) if player is not None]
