"""Tables to test with, without any storage."""

from collections.abc import Callable

from table.ledger import Draft, Event, Table, decide, replay

SCORE = {
    "rule": "jingzhou",
    "wins": True,
    "reason": None,
    "points": 22,
    "steps": 2,
    "stake": 10,
    "hand": "上大人",
    "groups": [],
    "payments": [{"seat": 1, "pays": 20, "to": 0}, {"seat": 2, "pays": 20, "to": 0}],
}
"""A self-drawn win of seat 0, two steps at stake 10."""


def opened(*names: str, stake: int = 10) -> Table:
    draft = decide.open_table(
        name="老王家", rule="jingzhou", stake=stake, players=names or ("老王", "阿珍", "小李")
    )
    return replay("table-one", [Event(1, draft.kind, draft.body, "2026-01-31T20:00:00.000Z")])


def then(table: Table, *wishes: Callable[[Table], Draft]) -> Table:
    """The table after wishes, each decided on the table that the one before left."""
    for wish in wishes:
        draft = wish(table)
        at = f"2026-01-31T20:{table.seq % 60:02d}:00.000Z"
        event = Event(table.seq + 1, draft.kind, draft.body, at)
        # What happened can be restored from a backup.
        decide.check(table, event)
        table = replay(table.id, [event], table)
    return table


def won(table: Table) -> Draft:
    """The first player wins 40 by the scored hand."""
    return decide.scored(table, SCORE, table.seats[:3], winner=table.seats[0])


def paid(**amounts: int) -> Callable[[Table], Draft]:
    """A round entered by hand."""
    return lambda table: decide.by_hand(table, amounts)
