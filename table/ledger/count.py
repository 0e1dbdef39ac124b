"""From a table and a hand to a scored hand that can be written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import scorer
from table.code import Claimed, encode, options_set
from table.ledger.decide import who_plays
from table.ledger.errors import PlayerError
from table.ledger.model import Json, Table


def playing(table: Table) -> int:
    """How many of those at the table play a round by its rule.

    Args:
        table: The table.

    Returns:
        As many as are here where the rule takes so many, else its usual number. Of four at 荊州花牌
        three play (RULES.md §7).

    Raises:
        scorer.ScorerError: There is no such rule.
    """
    book = scorer.load_book(table.rule, table.options)
    here = len(table.seats)
    return book.seats(here if here in book.players else book.default_players)


def seating(table: Table, dealer: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who plays the next round, the dealer first, and who rests.

    Args:
        table: The table.
        dealer: Who deals; where None, whoever dealt last.

    Returns:
        The players on the scorer's seats 0, 1, …, and those who rest.

    Raises:
        scorer.ScorerError: There is no such rule.
    """
    return who_plays(table, table.dealer if dealer is None else dealer, playing(table))


def count(
    table: Table,
    hand: str,
    seats: Sequence[str],
    *,
    winner: str,
    discarder: str | None = None,
    win: str | None = None,
    dui: Mapping[str, int] | None = None,
    lang: str = "zh-Hant",
) -> dict[str, Json]:
    """Counts a hand by the rule, options and stake of a table.

    Args:
        table: The table.
        hand: The hand in text.
        seats: The players on the scorer's seats 0, 1, ….
        winner: Who won.
        discarder: From whom the winning card came, None where it was drawn.
        win: The winning card.
        dui: Player and how many triplets they exposed, where 包 asks for it.
        lang: Language of names and reasons.

    Returns:
        The JSON of `score`, for `decide.scored`; beside it the winning card
        `win`, the triplets `dui` by seat, and the `code` that reopens the hand.

    Raises:
        PlayerError: A player named does not sit.
        scorer.ScorerError: The hand cannot be read, or the rule does not take so many players.
    """
    places = {player: place for place, player in enumerate(seats)}
    named = [winner, *([] if discarder is None else [discarder]), *(dui or {})]
    if any(player not in places for player in named):
        raise PlayerError("did_not_play")
    book = scorer.load_book(table.rule, table.options)
    parsed = scorer.parse_hand(hand)
    score = scorer.score(
        book,
        parsed,
        win=win,
        by="self" if discarder is None else "discard",
        players=len(seats),
        stake=table.stake,
        winner=places[winner],
        discarder=None if discarder is None else places[discarder],
        dui={places[player]: times for player, times in (dui or {}).items()},
        lang=lang,
    )
    claimed = Claimed(
        rule=table.rule,
        hand=parsed,
        options=options_set(book),
        win=score.request.win or None,
        by="self" if discarder is None else "discard",
        players=len(seats),
        stake=table.stake,
        winner=places[winner],
        discarder=None if discarder is None else places[discarder],
        dui=score.request.dui,
    )
    triplets = {str(seat): times for seat, times in claimed.dui.items()}
    beside = {"win": claimed.win, "dui": triplets, "code": encode(claimed)}
    return cast("dict[str, Json]", {**score.to_json(), **beside})
