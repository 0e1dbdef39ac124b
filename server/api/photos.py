"""Photos: read, read and scored, and scored again after corrections."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Form, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError

from server.api import TheLanguage, TheService
from server.api.hands import keywords
from server.problems import ProblemError, responses
from server.schemas import (
    AskedReading,
    PhotoAnswer,
    PhotoTerms,
    ReadAnswer,
    ReadingRequest,
)
from server.service import Service, book
from table.cards import Corrections
from table.round import LaidGroup, Round, Terms, check_kind, play
from table.words import DeckMismatchError
from vision.deck import Deck
from vision.decode import read_photo
from vision.types import Card, Doubt, Reading

M = TypeVar("M", bound=BaseModel)
router = APIRouter(tags=["photos"])

MOST_UNSURE = 40
"""With more places that could not be read a photo is not weighed: that would take long and say nothing."""

DeckChoice = Annotated[str, Form(max_length=40, description="Name of a deck, or `auto`")]
TableChoice = Annotated[
    str | None,
    Form(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="Whose decks to read with; else this machine's"),
]
KindChoice = Annotated[
    int | None,
    Form(
        description="Kind of deck that is expected: 110, 112 or 96; "
        "where the photo shows one of another kind, the answer is 422 `deck_mismatch`"
    ),
]
Check = Callable[[str, int], None]


def photo_bytes(photo: UploadFile, limit: int) -> bytes:
    """The bytes of an uploaded photo, kept nowhere.

    Raises:
        ProblemError: It is larger than a photo may be.
    """
    content = photo.file.read(limit + 1)
    if len(content) > limit:
        raise ProblemError("too_large")
    return content


def read(
    service: Service, content: bytes, deck: str, table: str | None, *, kind: int | None, check: Check
) -> Reading:
    """Reads a photo with the decks of a table or of this machine; runs on a worker.

    Args:
        service: Has the decks and the reader.
        content: The photo.
        deck: Name of a deck, or `auto`.
        table: Whose decks; None for those of this machine.
        kind: The kind of deck that is expected; None for any.
        check: Given the name and the kind of a deck, refuses one of another kind.

    Returns:
        The reading.

    Raises:
        DeckMismatchError: The deck that was named, or the one that the photo shows, is of another kind.
        VisionError: There is no such deck, or the photo cannot be read.
    """
    decks = service.choose(deck, table, kind)
    if isinstance(decks, Deck):
        check(decks.name, decks.kind)
    reading = service.reader.read(read_photo(content), decks, kind=kind)
    if reading.kind is not None:
        check(reading.deck or "?", reading.kind)
    return reading


def _expect(kind: int | None, deck: str, found: int) -> None:
    if kind not in (None, found):
        raise DeckMismatchError(
            f"a deck of {kind} cards is expected, the deck {deck} has {found}",
            f"這裡用 {kind} 張牌，{deck} 這副是 {found} 張",
        )


def reading_json(reading: Reading) -> dict[str, object]:
    """A reading as JSON, with the kind of its deck, so that it can be sent back."""
    return {**reading.to_json(), "kind": reading.kind}


@router.post("/read", response_model=ReadAnswer, responses=responses(404, 415, 503))
async def read_cards(
    *,
    service: TheService,
    photo: UploadFile,
    deck: DeckChoice = "auto",
    table: TableChoice = None,
    kind: KindChoice = None,
) -> JSONResponse:
    """Reads the cards in a photo. A picture without cards is no error."""
    content = photo_bytes(photo, service.settings.max_photo_bytes)
    check = partial(_expect, kind)
    return JSONResponse(
        reading_json(await service.reading.run(read, service, content, deck, table, kind=kind, check=check))
    )


@router.post("/photo", response_model=PhotoAnswer, responses=responses(404, 415, 503))
async def read_and_score(
    *,
    service: TheService,
    lang: TheLanguage,
    photo: UploadFile,
    terms: Annotated[
        str,
        Form(
            max_length=20_000,
            description="JSON as in `reading/score`, but for the reading",
            examples=['{"rule": "jingzhou", "stake": 10}'],
        ),
    ],
    deck: DeckChoice = "auto",
    table: TableChoice = None,
) -> JSONResponse:
    """Reads a photo and scores the hand in one call."""
    asked = form_json(PhotoTerms, "terms", terms)
    content = photo_bytes(photo, service.settings.max_photo_bytes)

    def work() -> dict[str, object]:
        chosen = book(asked.rule, asked.options)
        check = partial(check_kind, chosen)
        reading = read(service, content, deck, table, kind=chosen.kind, check=check)
        return {**_scored(reading, asked, lang), "kind": reading.kind}

    return JSONResponse(await service.reading.run(work))


@router.post("/reading/score", response_model=PhotoAnswer, responses=responses(503))
async def score_reading(service: TheService, lang: TheLanguage, asked: ReadingRequest) -> JSONResponse:
    """Scores a reading once more, with corrections, without the photo being sent again."""
    reading = reading_of(asked.reading)
    return JSONResponse(await service.counting.run(_scored, reading, asked, lang))


def reading_of(asked: AskedReading) -> Reading:
    """A reading that came back."""
    return Reading(
        size=asked.size,
        deck=asked.deck,
        cards=tuple(
            Card(
                card=each.card,
                outline=each.outline,
                mark=each.mark,
                confidence=each.confidence,
                sure=each.sure,
                others=tuple(each.others),
                group=each.group,
            )
            for each in asked.cards
        ),
        doubts=tuple(Doubt(each.mark, each.why) for each in asked.doubts),
        kind=asked.kind,
    )


def _unsure(reading: Reading, asked: PhotoTerms) -> int:
    """How many places of a reading are still open after corrections."""
    said = {*asked.cards, *asked.drop}
    open_cards = sum(not card.sure for place, card in enumerate(reading.cards) if place not in said)
    return open_cards + len(reading.doubts)


def _scored(reading: Reading, asked: PhotoTerms, lang: str) -> dict[str, object]:
    return _play(reading, asked, lang).to_json()


def played(asked: ReadingRequest, lang: str) -> Round:
    """The round of a reading that came back.

    Raises:
        ProblemError: So much of it is unsure that weighing it would take long and say nothing.
        ScorerError: The rule, an option or a card is none.
        TableError: Corrections or groups do not fit the reading.
    """
    return _play(reading_of(asked.reading), asked, lang)


def _play(reading: Reading, asked: PhotoTerms, lang: str) -> Round:
    chosen = book(asked.rule, asked.options)
    if reading.kind is not None:
        # Cards of another deck are all unsure: that they are of another is what has to be told.
        check_kind(chosen, reading.deck or "?", reading.kind)
    if _unsure(reading, asked) > MOST_UNSURE:
        raise ProblemError("too_unsure")
    terms = keywords(asked, lang)
    del terms["lang"]
    laid = (
        asked.laid
        if isinstance(asked.laid, str)
        else [LaidGroup(tuple(group.indices), group.bracket) for group in asked.laid]
    )
    return play(
        reading,
        chosen,
        corrections=Corrections(asked.cards, frozenset(asked.drop), tuple(asked.add)),
        laid=laid,
        win=asked.win,
        terms=Terms(**terms),
        take_guess=asked.guess,
        lang=lang,
    )


def form_json(model: type[M], field: str, text: str) -> M:
    """The JSON in a form field, with faults told as those of a body are.

    Raises:
        RequestValidationError: It is no JSON, or fields are not right.
    """
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        fault = {"type": "json_invalid", "loc": ("body", field), "msg": "this is no JSON", "input": None}
        raise RequestValidationError([fault]) from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = [{**each, "loc": ("body", field, *each["loc"])} for each in error.errors(include_url=False)]
        raise RequestValidationError(faults) from error
