"""Rules, and hands that are typed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse

import scorer
from scorer.lang import local, pick
from scorer.waits import Wait
from server.api import TheLanguage, TheService
from server.problems import ProblemError, responses
from server.schemas import (
    AdviceAnswer,
    FacesAnswer,
    HandRequest,
    RuleAnswer,
    RulesAnswer,
    ScoreAnswer,
    Terms,
    WaitsAnswer,
    WaitsRequest,
)
from server.service import book

KINDS = (110, 112, 96)
Kind = Annotated[int, Path(ge=min(KINDS), le=max(KINDS), description="110, 112 or 96")]

router = APIRouter(tags=["rules and hands"])


def keywords(asked: Terms, lang: str) -> dict[str, Any]:
    """The keywords of `scorer.score` but for the winning card."""
    return {
        "by": asked.by,
        "players": asked.players,
        "stake": asked.stake,
        "winner": asked.winner,
        "discarder": asked.discarder,
        "dui": asked.dui,
        "lang": lang,
    }


def describe(rule: str, lang: str) -> dict[str, object]:
    """A rule book as JSON."""
    found = book(rule, {})
    return {
        "rule": found.name,
        "title": found.title_in(lang),
        "kind": found.kind,
        "players": list(found.players),
        "default_players": found.default_players,
        "options": dict(found.options),
        "option_details": [
            {
                "name": option.name,
                "default": option.default,
                "values": list(option.allowed),
                "least": option.least,
                "meaning": pick(lang, option.meaning, option.meaning_en),
                "source": option.source,
            }
            for option in found.option_details
        ],
        "text": found.describe(lang),
    }


@router.get("/rules", response_model=RulesAnswer, responses=responses())
def list_rules(lang: TheLanguage) -> JSONResponse:
    """Every rule book with its options and sources."""
    return JSONResponse({"rules": [describe(rule, lang) for rule in scorer.RULES]})


@router.get("/rules/{rule}", response_model=RuleAnswer, responses=responses(404))
def show_rule(rule: str, lang: TheLanguage) -> JSONResponse:
    """One rule book."""
    return JSONResponse(describe(rule[:40], lang))


@router.get("/faces/{kind}", response_model=FacesAnswer, responses=responses(404))
def show_faces(kind: Kind) -> JSONResponse:
    """Every card of a kind of deck, 110, 112 or 96, with its copies."""
    if kind not in KINDS:
        raise ProblemError("not_found")
    return JSONResponse({"kind": kind, "faces": dict(scorer.deck_cards(kind))})


@router.post("/score", response_model=ScoreAnswer, responses=responses(503))
async def score(asked: HandRequest, service: TheService, lang: TheLanguage) -> JSONResponse:
    """Counts a hand: points, steps, groups with their reasons, payments."""

    def work() -> dict[str, object]:
        chosen, hand = book(asked.rule, asked.options), scorer.parse_hand(asked.hand)
        return scorer.score(chosen, hand, win=asked.win, **keywords(asked, lang)).to_json()

    return JSONResponse(await service.counting.run(work))


@router.post("/waits", response_model=WaitsAnswer, responses=responses(503))
async def waits(asked: WaitsRequest, service: TheService, lang: TheLanguage) -> JSONResponse:
    """What a hand waits for, and what each card would count."""

    def work() -> dict[str, object]:
        chosen, hand = book(asked.rule, asked.options), scorer.parse_hand(asked.hand)
        found = scorer.waits(chosen, hand, **keywords(asked, lang))
        return {"waits": [_in_script(wait, lang) for wait in found]}

    return JSONResponse(await service.counting.run(work))


def _in_script(wait: Wait, lang: str) -> dict[str, object]:
    """A wait whose form is written in the script that was asked for."""
    return {**wait.to_json(), "form": wait.form and local(lang, wait.form)}


@router.post("/advise", response_model=AdviceAnswer, responses=responses(503))
async def advise(asked: WaitsRequest, service: TheService, lang: TheLanguage) -> JSONResponse:
    """What to discard from a hand with one card too many, and what each discard waits for."""

    def work() -> dict[str, object]:
        chosen, hand = book(asked.rule, asked.options), scorer.parse_hand(asked.hand)
        advice = scorer.advise(chosen, hand, **keywords(asked, lang))
        told = [
            {**each.to_json(), "waits": [_in_script(wait, lang) for wait in each.waits]}
            for each in advice.advise
        ]
        return {**advice.to_json(), "advise": told}

    return JSONResponse(await service.counting.run(work))
