"""The ledger of an evening: who sat at the table, what was counted, who owes whom.

What happened is a list of events that only grows. Decisions are pure functions from a table and a
wish to the next event (`decide`), a table is what its events add up to (`replay`), and `Ledger`
joins both with a `Store`. Everything that a phone loads from here is standard library.

Example:
    >>> from table.ledger import Ledger, decide, sqlite
    >>> ledger = Ledger(sqlite.open_store(":memory:"))
    >>> table = ledger.open(name="老王家", rule="sanjing", stake=10, players=["甲", "乙", "丙"])
    >>> outcome = ledger.do(table.id, lambda t: decide.by_hand(t, {"p1": 20, "p2": -10, "p3": -10}))
    >>> outcome.table.totals()
    {'p1': 20, 'p2': -10, 'p3': -10}
"""

from table.ledger import decide
from table.ledger.errors import (
    BackupError,
    ChangedError,
    EntryError,
    KeyReusedError,
    LedgerError,
    LimitError,
    NothingToUndoError,
    PlayerError,
    SchemaError,
    UnknownEntryError,
    UnknownPhotoError,
    UnknownPlayerError,
    UnknownTableError,
)
from table.ledger.model import Draft, Entry, Event, Line, Photo, Player, Table, Version, replay
from table.ledger.service import Ledger, Outcome
from table.ledger.settle import Settlement, Transfer, fewest_transfers
from table.ledger.store import Store

__all__ = [
    "BackupError",
    "ChangedError",
    "Draft",
    "Entry",
    "EntryError",
    "Event",
    "KeyReusedError",
    "Ledger",
    "LedgerError",
    "LimitError",
    "Line",
    "NothingToUndoError",
    "Outcome",
    "Photo",
    "Player",
    "PlayerError",
    "SchemaError",
    "Settlement",
    "Store",
    "Table",
    "Transfer",
    "UnknownEntryError",
    "UnknownPhotoError",
    "UnknownPlayerError",
    "UnknownTableError",
    "Version",
    "decide",
    "fewest_transfers",
    "replay",
]
