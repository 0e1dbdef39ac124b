"""Slips: a counted hand as one picture or PDF that can be sent round and checked by anyone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, UploadFile
from fastapi.responses import Response

import scorer
from scorer.book import show_value
from server.api import TableId, TheLanguage, TheService
from server.api.photos import form_json, photo_bytes, played
from server.api.tables import Number
from server.problems import ProblemError, responses
from server.schemas import SlipRequest
from server.service import book
from table.code import Claimed, decode
from table.ledger import Entry, Line, Table
from table.slip import SlipContent, lay_out
from table.slip_content import content, content_of_round
from table.words import CodeError
from vision.decode import read_photo

if TYPE_CHECKING:
    from vision.read import Picture

router = APIRouter(tags=["slips"])

Format = Annotated[Literal["png", "pdf"], Query(alias="format", description="A picture or a PDF")]
Day = Annotated[dt.date | None, Query(description="The day on the slip; else as the clock here has it")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "image/png": {"schema": {"type": "string", "format": "binary"}},
            "application/pdf": {"schema": {"type": "string", "format": "binary"}},
        }
    }
}
_TYPES = {"png": "image/png", "pdf": "application/pdf"}


@router.post("/slip", response_class=Response, responses={**responses(415, 503), **_FILE})
async def slip_of_hand(
    *,
    service: TheService,
    lang: TheLanguage,
    hand: Annotated[
        str,
        Form(
            max_length=200_000,
            description="JSON as for `reading/score`, with the `names` of the seats",
            examples=['{"rule": "jingzhou", "reading": {"size": [1440, 1080], "cards": []}}'],
        ),
    ],
    photo: Annotated[
        UploadFile | None, Form(description="The photo, only where the players want it on the slip")
    ] = None,
    file: Format = "png",
    date: Day = None,
) -> Response:
    """The slip of a hand that was photographed or typed, in a ledger or not. Nothing is kept."""
    asked = form_json(SlipRequest, "hand", hand)
    sent = None if photo is None else photo_bytes(photo, service.settings.max_photo_bytes)

    def work() -> bytes:
        picture = None if sent is None else read_photo(sent)
        the_round = played(asked, lang)
        if picture is not None and picture.size != the_round.reading.size:
            raise ProblemError("other_photo")
        if not the_round.cards:
            raise ProblemError("no_slip")
        shown = content_of_round(
            the_round, asked.rule, date or _today(), seats=asked.names, with_photo=picture is not None
        )
        return _paint(shown, file, picture)

    return _answer(await service.reading.run(work), file)


@router.get(
    "/tables/{table_id}/rounds/{number}/slip",
    response_class=Response,
    responses={**responses(404, 503), **_FILE},
)
async def slip_of_line(
    *,
    service: TheService,
    lang: TheLanguage,
    table_id: TableId,
    number: Number,
    file: Format = "png",
    photo: Annotated[bool, Query(description="Whether the photo that was kept is shown on it")] = False,
    date: Day = None,
) -> Response:
    """The slip of a counted round in the ledger, with its photo only where that is asked for."""

    def work() -> bytes:
        table = service.ledger.table(table_id)
        line = table.line(number)
        entry = _counted(line)
        picture = None
        if photo:
            if entry.photo is None:
                raise ProblemError("no_photo")
            picture = read_photo(service.ledger.store.photo(table_id, entry.photo).content)
        when = date or dt.datetime.fromisoformat(line.versions[0].at).astimezone().date()
        return _paint(_content(table, entry, lang, when, picture), file, picture)

    return _answer(await service.reading.run(work), file)


def _counted(line: Line) -> Entry:
    """What a line says or said last, where that is a hand.

    Raises:
        ProblemError: It never was one.
    """
    for version in reversed(line.versions):
        if version.entry is not None and not version.taken_back:
            if version.entry.hand and version.entry.score:
                return version.entry
            break
    raise ProblemError("no_slip")


def _content(table: Table, entry: Entry, lang: str, date: dt.date, photo: Picture | None) -> SlipContent:
    """The slip of an entry, counted once more in the language that is asked for.

    Raises:
        ProblemError: It counts otherwise now than was written down, so a slip would contradict the ledger.
    """
    try:
        claimed = _claimed(entry, entry.score or {})
        rules = book(claimed.rule, claimed.options)
        score = scorer.score(
            rules,
            claimed.hand,
            win=claimed.win,
            by=claimed.by,
            players=claimed.players,
            stake=claimed.stake,
            winner=claimed.winner,
            discarder=claimed.discarder,
            dui=claimed.dui,
            lang=lang,
        )
    except (CodeError, scorer.ScorerError) as error:
        raise ProblemError("no_slip") from error
    if any(max(payment.seat, payment.to) >= len(entry.seats) for payment in score.payments):
        raise ProblemError("no_slip")
    amounts = dict.fromkeys(entry.seats, 0)
    for payment in score.payments:
        amounts[entry.seats[payment.seat]] -= payment.pays
        amounts[entry.seats[payment.to]] += payment.pays
    if amounts != {player: dict(entry.amounts).get(player, 0) for player in entry.seats}:
        raise ProblemError("no_slip")
    return content(
        rules,
        score,
        claimed,
        date,
        lang=lang,
        seats=[table.player(player).name for player in entry.seats],
        photo=None if photo is None else photo.size,
    )


def _claimed(entry: Entry, score: Mapping[str, object]) -> Claimed:
    """What was counted: from its code, or, where an older program wrote it, as far as the entry says."""
    code = score.get("code")
    if isinstance(code, str):
        return decode(code)
    winner = entry.seats.index(entry.winner) if entry.winner in entry.seats else 0
    discarder = entry.seats.index(entry.discarder) if entry.discarder in entry.seats else None
    return Claimed(
        rule=entry.rule,
        hand=scorer.parse_hand(entry.hand or ""),
        options={name: show_value(value) for name, value in entry.options.items()},
        by="self" if discarder is None else "discard",
        players=len(entry.seats),
        stake=entry.stake,
        winner=winner,
        discarder=discarder,
    )


def _paint(shown: SlipContent, kind: str, photo: Picture | None) -> bytes:
    # OpenCV's drawing is loaded at the first slip, not when a service starts.
    from table.paint import file_of, measure

    return file_of(lay_out(shown, measure), f".{kind}", None if photo is None else photo.pixels)


def _answer(data: bytes, kind: str) -> Response:
    headers = {"content-disposition": f'inline; filename="slip.{kind}"'}
    return Response(data, media_type=_TYPES[kind], headers=headers)


def _today() -> dt.date:
    return dt.datetime.now().astimezone().date()
