"""The hand that is not written down yet, in one small file: the system may end the app behind the camera.

The photo is not kept, nor any part of it: a hand that comes back is shown by its faces.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import scorer
from mobile_app.draft import Draft, Laid
from vision.types import Card, Doubt, Reading

NAME: Final = "hand.json"
_FORMAT: Final = 1
_MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A hand on its way to the ledger."""

    rule: str
    """The rule book that it is counted by."""

    draft: Draft
    winner: int = 0
    discarder: int | None = None
    dealer: str | None = None
    dui: Mapping[int, int] = field(default_factory=dict)


def keep(hand: Unfinished, folder: Path) -> None:
    """Write a hand; the file is replaced as a whole.

    Args:
        hand: to keep.
        folder: where the app keeps its data; made where it is missing.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f".{NAME}.{os.getpid()}"
    try:
        beside.write_text(json.dumps(_to_json(hand), ensure_ascii=False), encoding="utf-8")
        beside.replace(folder / NAME)
    finally:
        beside.unlink(missing_ok=True)


def forget(folder: Path) -> None:
    """Forget the hand that was kept, where one was.

    Args:
        folder: where the app keeps its data.
    """
    try:
        (folder / NAME).unlink(missing_ok=True)
    except OSError:
        return


def load(folder: Path, kind: int) -> Unfinished | None:
    """Read the hand that was kept.

    Args:
        folder: where the app keeps its data.
        kind: the deck that is played with: 110, 112 or 96.

    Returns:
        The hand; None where none was kept, or its file is damaged or of another deck.
    """
    try:
        with (folder / NAME).open("rb") as file:
            stored = json.loads(file.read(_MOST_BYTES))
        return _from_json(stored, kind)
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None


def _to_json(hand: Unfinished) -> dict[str, object]:
    draft = hand.draft
    return {
        "format": _FORMAT,
        "rule": hand.rule,
        "size": list(draft.reading.size),
        "deck": draft.reading.deck,
        "kind": draft.reading.kind,
        "cards": [card.to_json() for card in draft.reading.cards],
        "doubts": [doubt.to_json() for doubt in draft.reading.doubts],
        "named": [[key, card] for key, card in draft.named.items()],
        "left_out": sorted(draft.left_out),
        "added": [[key, card] for key, card in draft.added],
        "cleared": sorted(draft.cleared),
        "laid": [[list(group.keys), group.bracket] for group in draft.laid],
        "win": draft.win,
        "picked": sorted(draft.picked),
        "answered_laid": draft.answered_laid,
        "winner": hand.winner,
        "discarder": hand.discarder,
        "dealer": hand.dealer,
        "dui": [[seat, count] for seat, count in hand.dui.items()],
    }


def _from_json(stored: Any, kind: int) -> Unfinished:
    if stored["format"] != _FORMAT:
        raise ValueError
    faces = scorer.deck_cards(kind)

    def card_of(name: object) -> str:
        if name not in faces:
            raise ValueError
        return str(name)

    def point(pair: Any) -> tuple[float, float]:
        x, y = pair
        return float(x), float(y)

    def read(card: Any) -> Card:
        a, b, c, d = (point(corner) for corner in card["outline"])
        return Card(
            card_of(card["card"]),
            (a, b, c, d),
            point(card["mark"]),
            float(card["confidence"]),
            card["sure"] is True,
            tuple((card_of(name), float(share)) for name, share in card["others"]),
            int(card["group"]),
        )

    cards = tuple(read(card) for card in stored["cards"])
    doubts = tuple(Doubt(point(doubt["mark"]), doubt["why"]) for doubt in stored["doubts"])
    added = tuple((int(key), card_of(card)) for key, card in stored["added"])
    keys = {*range(len(cards)), *(key for key, _ in added)}

    def key_of(key: object) -> int:
        if type(key) is not int or key not in keys:
            raise ValueError
        return key

    width, height = (int(side) for side in stored["size"])
    deck = stored["deck"]
    draft = Draft(
        Reading(
            (width, height),
            None if deck is None else str(deck),
            cards,
            doubts,
            kind=kind if stored["kind"] == kind else None,
        ),
        named={key_of(key): card_of(card) for key, card in stored["named"]},
        left_out=frozenset(key_of(key) for key in stored["left_out"]),
        added=added,
        cleared=frozenset(int(place) for place in stored["cleared"]),
        laid=tuple(
            Laid(tuple(key_of(key) for key in group), "square" if bracket == "square" else "round")
            for group, bracket in stored["laid"]
        ),
        win=None if stored["win"] is None else key_of(stored["win"]),
        picked=frozenset(key_of(key) for key in stored["picked"]),
        answered_laid=stored["answered_laid"] is True,
    )
    discarder, dealer = stored["discarder"], stored["dealer"]
    return Unfinished(
        str(stored["rule"]),
        draft,
        int(stored["winner"]),
        None if discarder is None else int(discarder),
        None if dealer is None else str(dealer),
        {int(seat): int(count) for seat, count in stored["dui"]},
    )
