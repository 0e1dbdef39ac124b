"""Decks: learned from photos, corrected, fetched, deleted; of a table or of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, UploadFile
from fastapi.responses import JSONResponse, Response

from server.api import TableId, TheLanguage, TheService
from server.api.photos import form_json, photo_bytes
from server.problems import ProblemError, responses
from server.schemas import CorrectionsRequest, DeckAnswer, DecksAnswer
from server.service import Service
from table.cards import corrected_card
from table.teach import looks_like
from vision.deck import Deck, check_name
from vision.decode import read_photo
from vision.errors import DeckError
from vision.learn import learn_deck
from vision.read import Reader

router = APIRouter(tags=["decks"])

MAX_PHOTOS = 4
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}
DeckNameField = Annotated[str, Form(max_length=40)]
NewNameField = Annotated[
    str | None, Form(max_length=40, description="What the deck is called here; else as the file says")
]
CardsField = Annotated[
    list[str] | None,
    Form(
        max_length=MAX_PHOTOS,
        description="The faces in reading order: one text for all photos, or one for each; "
        "without it every face lies there once, from 上 on",
        examples=[["上大人孔乙己"]],
    ),
]
InsistField = Annotated[
    bool, Form(description="Whether the names are right and are learned although cards look like others")
]


def deck_json(deck: Deck, *, own: bool) -> dict[str, object]:
    """What is told of a deck."""
    return {
        "name": deck.name,
        "kind": deck.kind,
        "faces": list(deck.labels),
        "missing": list(deck.missing),
        "examples": len(deck.examples),
        "read_only": not own,
        "own": own,
    }


def _list(service: Service, table_id: str | None) -> JSONResponse:
    decks = [deck_json(deck, own=own) for deck, own in service.decks(table_id)]
    return JSONResponse({"decks": decks})


def _find(service: Service, table_id: str | None, name: str) -> tuple[Deck, bool]:
    every = service.decks(table_id)
    for deck, own in every:
        if deck.name == name:
            return deck, own
    raise DeckError("missing", name=name[:40], known=", ".join(deck.name for deck, _ in every))


def _own_shelf(service: Service, table_id: str | None, name: str) -> None:
    """Checks that a deck of this name may be put on a shelf.

    Raises:
        ProblemError: Guests do not change the decks of this machine, or the shelf is full.
        DeckError: A deck cannot be called so.
    """
    check_name(name)
    _check_owner(service, table_id)
    own = service.own_decks(service.shelf(table_id))
    if len(own) >= service.settings.max_decks and name not in {deck.name for deck in own}:
        raise ProblemError("too_many_decks")


def _check_owner(service: Service, table_id: str | None) -> None:
    if table_id is None and service.settings.guests:
        raise ProblemError("not_for_guests")


def _check_new(service: Service, table_id: str | None, name: str, deck: Deck | None = None) -> bool:
    """Checks that a deck that is learned or taken may be put on a shelf beside those that lie there.

    Returns:
        Whether this very deck lies there already.

    Raises:
        ProblemError: As `_own_shelf`, or another deck of this name lies there.
        DeckError: A deck cannot be called so, or one lies there whose name differs in case alone.
    """
    shelf = service.shelf(table_id)
    shelf.check_new(name, deck)
    _own_shelf(service, table_id, name)
    there = next((each for each in service.own_decks(shelf) if each.name == name), None)
    if there is not None and (deck is None or there.to_bytes() != deck.to_bytes()):
        raise ProblemError("deck_exists")
    return there is not None


def _keep(service: Service, table_id: str | None, deck: Deck) -> None:
    """Puts a deck that was learned or taken on a shelf, unless another phone was faster.

    Raises:
        ProblemError: As `_check_new`.
        DeckError: As `_check_new`.
        OSError: It cannot be written.
    """
    with service.teaching:
        if not _check_new(service, table_id, deck.name, deck):
            shelf = service.shelf(table_id)
            # A damaged file of this name makes room, too.
            shelf.set_aside(deck)
            shelf.save(deck)


async def _learn(
    service: Service,
    table_id: str | None,
    name: str,
    *,
    photos: Sequence[UploadFile],
    cards: Sequence[str] | None,
    partial: bool,
    insist: bool,
    lang: str,
) -> JSONResponse:
    if len(photos) > MAX_PHOTOS or any(len(text) > 400 for text in cards or ()):
        raise ProblemError("too_large")
    contents = [photo_bytes(photo, service.settings.max_photo_bytes) for photo in photos]

    def work() -> dict[str, object]:
        _check_new(service, table_id, name)
        reader = service.reader
        learned = learn_deck(
            name,
            [read_photo(content) for content in contents],
            cards[0] if cards and len(cards) == 1 else cards,
            reader=reader if isinstance(reader, Reader) else None,
            partial=partial,
            insist=insist,
        )
        _keep(service, table_id, learned.deck)
        told = deck_json(learned.deck, own=True)
        told["warnings"] = [{"code": each.code, "text": each.text(lang)} for each in learned.warnings]
        return told

    return JSONResponse(await service.reading.run(work), 201)


async def _import(service: Service, table_id: str | None, file: UploadFile, name: str | None) -> JSONResponse:
    content = photo_bytes(file, service.settings.max_photo_bytes)

    def work() -> dict[str, object]:
        deck = Deck.from_bytes(content, name=name)
        _keep(service, table_id, deck)
        return deck_json(deck, own=True)

    return JSONResponse(await service.reading.run(work), 201)


async def _correct(
    service: Service, table_id: str | None, name: str, photo: UploadFile, corrections: str
) -> JSONResponse:
    asked = form_json(CorrectionsRequest, "corrections", corrections)
    content = photo_bytes(photo, service.settings.max_photo_bytes)

    def work() -> dict[str, object]:
        deck, own = _find(service, table_id, name)
        _own_shelf(service, table_id, name)
        said = [(each, corrected_card(each.card, deck.kind)[0]) for each in asked.cards]
        reader = service.reader
        reading = reader.read(read_photo(content), deck)
        lessons, refused = [], []
        for correction, name_said in said:
            x, y = correction.mark
            near = [
                (abs(card.mark[0] - x) + abs(card.mark[1] - y), place)
                for place, card in enumerate(reading.cards)
                if card.crop is not None
            ]
            if not near or min(near)[0] > 0.05 * max(reading.size):
                continue
            read = reading.cards[min(near)[1]]
            if read.crop is None:
                continue
            crops = (read.crop, read.other_crop)
            looks = looks_like(deck, name_said, crops, reader) if isinstance(reader, Reader) else None
            if looks is None:
                lessons.append((name_said, *crops))
            else:
                refused.append({"card": name_said, "looks": looks})
        # Two phones may teach one deck at once: each adds to what the other has taught meanwhile.
        with service.teaching:
            deck, _ = _find(service, table_id, name)
            for card, crop, other_crop in lessons:
                deck = deck.corrected(card, crop, other_crop)
            if lessons:
                service.shelf(table_id).save_taught(deck)
        return {**deck_json(deck, own=own or bool(lessons)), "taught": len(lessons), "refused": refused}

    return JSONResponse(await service.reading.run(work))


def _fetch(service: Service, table_id: str | None, name: str) -> Response:
    deck, _ = _find(service, table_id, name)
    return Response(
        deck.to_bytes(),
        media_type="application/octet-stream",
        headers={"content-disposition": 'attachment; filename="deck.deck"'},
    )


def _delete(service: Service, table_id: str | None, name: str) -> Response:
    _check_owner(service, table_id)
    _find(service, table_id, name)
    with service.teaching:
        shelf = service.shelf(table_id)
        shelf.delete(name, aside=True)
        if table_id is not None:
            # Guests may fill no disk by learning and deleting.
            shelf.forget(service.settings.max_decks)
    return Response(status_code=204)


@router.get("/decks", response_model=DecksAnswer, responses=responses())
def list_decks(service: TheService) -> JSONResponse:
    """The decks of this machine and those that ship."""
    return _list(service, None)


@router.post("/decks", status_code=201, response_model=DeckAnswer, responses=responses(404, 409, 415, 503))
async def learn(
    *,
    service: TheService,
    lang: TheLanguage,
    name: DeckNameField,
    photos: list[UploadFile],
    cards: CardsField = None,
    partial: Annotated[bool, Form(description="Whether faces may be missing")] = False,
    insist: InsistField = False,
) -> JSONResponse:
    """Learns a deck of this machine from photos of its faces. The photos are not kept."""
    return await _learn(
        service, None, name, photos=photos, cards=cards, partial=partial, insist=insist, lang=lang
    )


@router.post("/decks/import", status_code=201, response_model=DeckAnswer, responses=responses(409, 503))
async def import_deck(service: TheService, file: UploadFile, name: NewNameField = None) -> JSONResponse:
    """Takes a deck file that another machine exported; another deck of its name is not replaced."""
    return await _import(service, None, file, name)


@router.get("/decks/{name}", response_class=Response, responses={**responses(404), **_FILE})
def fetch(service: TheService, name: str) -> Response:
    """A deck as a file that others can import."""
    return _fetch(service, None, name)


@router.delete("/decks/{name}", status_code=204, responses=responses(404))
def delete(service: TheService, name: str) -> Response:
    """Deletes a deck of this machine; `suanhu deck undo` brings it back."""
    return _delete(service, None, name)


@router.get("/tables/{table_id}/decks", response_model=DecksAnswer, responses=responses(404))
def list_table_decks(service: TheService, table_id: TableId) -> JSONResponse:
    """The decks of a table, those of this machine, and those that ship."""
    return _list(service, table_id)


@router.post(
    "/tables/{table_id}/decks",
    status_code=201,
    response_model=DeckAnswer,
    responses=responses(404, 409, 415, 503),
)
async def learn_for_table(
    *,
    service: TheService,
    lang: TheLanguage,
    table_id: TableId,
    name: DeckNameField,
    photos: list[UploadFile],
    cards: CardsField = None,
    partial: Annotated[bool, Form(description="Whether faces may be missing")] = False,
    insist: InsistField = False,
) -> JSONResponse:
    """Learns a deck that this table alone has."""
    return await _learn(
        service, table_id, name, photos=photos, cards=cards, partial=partial, insist=insist, lang=lang
    )


@router.post(
    "/tables/{table_id}/decks/import",
    status_code=201,
    response_model=DeckAnswer,
    responses=responses(404, 409, 503),
)
async def import_deck_for_table(
    service: TheService, table_id: TableId, file: UploadFile, name: NewNameField = None
) -> JSONResponse:
    """Takes a deck file for this table alone; another deck of its name there is not replaced."""
    return await _import(service, table_id, file, name)


@router.get("/tables/{table_id}/decks/{name}", response_class=Response, responses={**responses(404), **_FILE})
def fetch_for_table(service: TheService, table_id: TableId, name: str) -> Response:
    """A deck that this table can use, as a file."""
    return _fetch(service, table_id, name)


@router.post(
    "/tables/{table_id}/decks/{name}/corrections",
    response_model=DeckAnswer,
    responses=responses(404, 409, 415, 503),
)
async def correct_for_table(
    service: TheService,
    table_id: TableId,
    name: str,
    photo: UploadFile,
    corrections: Annotated[
        str,
        Form(
            max_length=20_000,
            description="JSON: where cards lie and what they are",
            examples=['{"cards": [{"mark": [310, 442], "card": "花三"}]}'],
        ),
    ],
) -> JSONResponse:
    """Teaches a deck what a player corrected; the table gets a copy of its own. The photo is not kept."""
    return await _correct(service, table_id, name, photo, corrections)


@router.delete("/tables/{table_id}/decks/{name}", status_code=204, responses=responses(404))
def delete_for_table(service: TheService, table_id: TableId, name: str) -> Response:
    """Deletes a deck of this table; its file is kept aside on this machine until the table is deleted."""
    return _delete(service, table_id, name)
