"""What the players say about a round beside the cards: what lay on the table, and how it was won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Bracket = Literal["round", "square"]


@dataclass(frozen=True, slots=True)
class LaidGroup:
    """A group that lay on the table, or was declared from the hand."""

    indices: tuple[int, ...]
    """Places in the list of cards."""

    bracket: Bracket = "round"
    """``square`` for quads and quints declared from the hand."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How the hand was won, and what is played for."""

    by: Literal["self", "discard"] = "self"
    players: int | None = None
    stake: int = 1
    winner: int = 0
    discarder: int | None = None
    dui: Mapping[int, int] | None = None

    def keywords(self) -> dict[str, Any]:
        """Give the keywords of `scorer.score`."""
        return {
            "by": self.by,
            "players": self.players,
            "stake": self.stake,
            "winner": self.winner,
            "discarder": self.discarder,
            "dui": self.dui,
        }
