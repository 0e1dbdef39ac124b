"""What a table and its ledger are, and how they follow from the events.

A `Table` is never stored; it is what its events add up to. An event is never changed or removed:
a correction adds a version to a line, an undo marks the latest version as taken back, so that
what was there before can always be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast, get_args

from table.ledger.errors import SchemaError, UnknownEntryError, UnknownPlayerError

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
OptionValue: TypeAlias = "bool | int | str"
EntryKind: TypeAlias = Literal["scored", "drawn", "by_hand", "adjustment", "settlement"]
ENTRY_KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
ROUND_KINDS: tuple[EntryKind, ...] = ("scored", "drawn", "by_hand")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who sits or sat at the table."""

    id: str
    """`p1`, `p2`, … in the order of joining; never given twice."""
    name: str
    present: bool = True
    """False after leaving; totals and settlement still hold what is owed."""

    def to_json(self) -> dict[str, Json]:
        """The player as JSON."""
        return {"id": self.id, "name": self.name, "present": self.present}


@dataclass(frozen=True, slots=True)
class Entry:
    """What one line of the ledger says: a round, an adjustment or a settlement."""

    kind: EntryKind
    amounts: tuple[tuple[str, int], ...]
    """Player and what they gain, whole units, negative for a loss; adds up to 0."""
    rule: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    stake: int = 1
    seats: tuple[str, ...] = ()
    """The players on the scorer's seats 0, 1, …; empty where nobody played."""
    rested: tuple[str, ...] = ()
    dealer: str | None = None
    winner: str | None = None
    discarder: str | None = None
    note: str = ""
    hand: str | None = None
    """The hand in text, reads back."""
    score: Mapping[str, Json] | None = None
    """The JSON of `score` with groups, why and payments by seat."""
    photo: str | None = None
    """SHA-256 of the photo, where one was kept."""

    def to_json(self) -> dict[str, Json]:
        """The entry as JSON, as it stands in events too."""
        return {
            "kind": self.kind,
            "amounts": dict(self.amounts),
            "rule": self.rule,
            "options": dict(self.options),
            "stake": self.stake,
            "seats": list(self.seats),
            "rested": list(self.rested),
            "dealer": self.dealer,
            "winner": self.winner,
            "discarder": self.discarder,
            "note": self.note,
            "hand": self.hand,
            "score": None if self.score is None else dict(self.score),
            "photo": self.photo,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Entry:
        """Reads what `to_json` wrote.

        Raises:
            SchemaError: A field is missing or of another type.
        """
        kind = data.get("kind")
        amounts = data.get("amounts")
        if kind not in ENTRY_KINDS or not isinstance(amounts, dict):
            raise SchemaError("bad_events", reason="an entry without kind or amounts")
        if any(type(amount) is not int for amount in amounts.values()):
            raise SchemaError("bad_events", reason="an amount that is not a whole number")
        score = data.get("score")
        return cls(
            kind=kind,
            amounts=tuple(cast("dict[str, int]", amounts).items()),
            rule=_text(data, "rule"),
            options=cast("dict[str, OptionValue]", data.get("options") or {}),
            stake=_whole(data, "stake"),
            seats=_texts(data, "seats"),
            rested=_texts(data, "rested"),
            dealer=_text_or_none(data, "dealer"),
            winner=_text_or_none(data, "winner"),
            discarder=_text_or_none(data, "discarder"),
            note=_text(data, "note"),
            hand=_text_or_none(data, "hand"),
            score=score if isinstance(score, dict) else None,
            photo=_text_or_none(data, "photo"),
        )


@dataclass(frozen=True, slots=True)
class Version:
    """One state that a line of the ledger had."""

    seq: int
    """Number of the event that brought it."""
    at: str
    """When, ISO 8601 in UTC."""
    entry: Entry | None
    """None where the line was struck out."""
    taken_back: bool = False
    """True after an undo."""

    def to_json(self) -> dict[str, Json]:
        """The version as JSON."""
        return {
            "seq": self.seq,
            "at": self.at,
            "entry": None if self.entry is None else self.entry.to_json(),
            "taken_back": self.taken_back,
        }


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered line of the ledger with everything that it ever said."""

    number: int
    versions: tuple[Version, ...]

    @property
    def entry(self) -> Entry | None:
        """What holds now; None where the line was undone or struck out."""
        for version in reversed(self.versions):
            if not version.taken_back:
                return version.entry
        return None

    @property
    def corrected(self) -> bool:
        """Whether what holds now is not what was first written."""
        standing = [version for version in self.versions if not version.taken_back]
        return len(standing) > 1

    def to_json(self) -> dict[str, Json]:
        """The line as JSON: what holds now, and `versions` with what was there before."""
        entry = self.entry
        return {
            "number": self.number,
            "at": self.versions[0].at,
            "counts": entry is not None,
            "corrected": self.corrected,
            "entry": None if entry is None else entry.to_json(),
            "versions": [version.to_json() for version in self.versions],
        }


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that was decided and is not written yet."""

    kind: str
    body: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table; written once, never changed."""

    seq: int
    """1, 2, … within the table, without gaps."""
    kind: str
    body: Mapping[str, Json]
    at: str
    """When it was written, ISO 8601 in UTC."""
    key: str | None = None
    """The idempotency key of the request that brought it."""
    fingerprint: str | None = None
    """What tells a repeated request from another one with the same key."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo that a player asked to keep."""

    sha256: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is after its events."""

    id: str
    name: str
    rule: str
    options: Mapping[str, OptionValue]
    stake: int
    deck: str
    """Name of the deck it plays with, `auto` where the photo decides."""
    opened_at: str
    players: tuple[Player, ...] = ()
    seats: tuple[str, ...] = ()
    """Who sits where, in the order of play; all of them present."""
    dealer: str | None = None
    lines: tuple[Line, ...] = ()
    actions: tuple[tuple[int, int], ...] = ()
    """What can be undone, latest last: number of the line and of the event."""
    seq: int = 0

    def player(self, player: str) -> Player:
        """The player of this id.

        Raises:
            UnknownPlayerError: Nobody here has it.
        """
        for each in self.players:
            if each.id == player:
                return each
        raise UnknownPlayerError("unknown_player", player=player)

    def line(self, number: int) -> Line:
        """The line of this number, from 1 on.

        Raises:
            UnknownEntryError: There is none.
        """
        if not 1 <= number <= len(self.lines):
            raise UnknownEntryError("unknown_entry", number=number)
        return self.lines[number - 1]

    def totals(self) -> dict[str, int]:
        """What each player has won (negative: lost) up to now, in whole units; adds up to 0."""
        totals = {player.id: 0 for player in self.players}
        for line in self.lines:
            entry = line.entry
            if entry is not None:
                for player, amount in entry.amounts:
                    totals[player] += amount
        return totals

    def to_json(self) -> dict[str, Json]:
        """The table as JSON, without its lines."""
        return {
            "id": self.id,
            "name": self.name,
            "rule": self.rule,
            "options": dict(self.options),
            "stake": self.stake,
            "deck": self.deck,
            "opened_at": self.opened_at,
            "players": [player.to_json() for player in self.players],
            "seats": list(self.seats),
            "dealer": self.dealer,
            "entries": len(self.lines),
            "totals": dict(self.totals()),
            "seq": self.seq,
        }


def replay(table_id: str, events: Iterable[Event], start: Table | None = None) -> Table:
    """Adds events up to the table that they make.

    Args:
        table_id: The table that they belong to.
        events: In the order of their `seq`, without gaps.
        start: A table that earlier events made, to go on from.

    Returns:
        The table after the last of them.

    Raises:
        SchemaError: They are not the events of a table (a gap, an unknown kind).
    """
    table = start
    for event in events:
        expected = 1 if table is None else table.seq + 1
        if event.seq != expected:
            raise SchemaError("bad_events", reason=f"event {expected} is missing")
        try:
            table = _opened(table_id, event) if table is None else _after(table, event)
        except (KeyError, TypeError, AttributeError, UnknownPlayerError, UnknownEntryError) as error:
            raise SchemaError("bad_events", reason=f"event {event.seq} cannot be read") from error
    if table is None:
        raise SchemaError("bad_events", reason="a table without events")
    return table


def _opened(table_id: str, event: Event) -> Table:
    if event.kind != "opened":
        raise SchemaError("bad_events", reason="the first event does not open the table")
    body = event.body
    players = tuple(
        Player(id=f"p{place}", name=name) for place, name in enumerate(_texts(body, "players"), start=1)
    )
    seats = tuple(player.id for player in players)
    return Table(
        id=table_id,
        name=_text(body, "name"),
        rule=_text(body, "rule"),
        options=cast("dict[str, OptionValue]", body["options"]),
        stake=_whole(body, "stake"),
        deck=_text(body, "deck"),
        opened_at=event.at,
        players=players,
        seats=seats,
        seq=event.seq,
    )


def _after(table: Table, event: Event) -> Table:
    step = _STEPS.get(event.kind)
    if step is None:
        raise SchemaError("bad_events", reason=f"an event of unknown kind {event.kind!r}")
    return replace(step(table, event), seq=event.seq)


def _changed(table: Table, event: Event) -> Table:
    body = event.body
    return replace(
        table,
        name=_text(body, "name"),
        rule=_text(body, "rule"),
        options=cast("dict[str, OptionValue]", body["options"]),
        stake=_whole(body, "stake"),
        deck=_text(body, "deck"),
    )


def _joined(table: Table, event: Event) -> Table:
    player = Player(id=_text(event.body, "player"), name=_text(event.body, "name"))
    return replace(table, players=(*table.players, player), seats=(*table.seats, player.id))


def _with_player(table: Table, changed: Player) -> Table:
    table.player(changed.id)
    players = tuple(changed if player.id == changed.id else player for player in table.players)
    return replace(table, players=players)


def _left(table: Table, event: Event) -> Table:
    player = table.player(_text(event.body, "player"))
    seats = tuple(seat for seat in table.seats if seat != player.id)
    dealer = None if table.dealer == player.id else table.dealer
    return replace(_with_player(table, replace(player, present=False)), seats=seats, dealer=dealer)


def _returned(table: Table, event: Event) -> Table:
    player = table.player(_text(event.body, "player"))
    return replace(_with_player(table, replace(player, present=True)), seats=(*table.seats, player.id))


def _renamed(table: Table, event: Event) -> Table:
    player = table.player(_text(event.body, "player"))
    return _with_player(table, replace(player, name=_text(event.body, "name")))


def _seated(table: Table, event: Event) -> Table:
    return replace(table, seats=_texts(event.body, "seats"), dealer=_text_or_none(event.body, "dealer"))


def _entered(table: Table, event: Event) -> Table:
    entry = _entry(table, event)
    number = len(table.lines) + 1
    line = Line(number=number, versions=(Version(seq=event.seq, at=event.at, entry=entry),))
    dealer = entry.dealer if entry.kind in ROUND_KINDS and entry.dealer in table.seats else table.dealer
    return replace(
        table, lines=(*table.lines, line), actions=(*table.actions, (number, event.seq)), dealer=dealer
    )


def _entry(table: Table, event: Event) -> Entry:
    entry = Entry.from_json(cast("dict[str, Json]", event.body["entry"]))
    for player, _ in entry.amounts:
        table.player(player)
    return entry


def _with_version(table: Table, event: Event, entry: Entry | None) -> Table:
    line = table.line(_whole(event.body, "number"))
    version = Version(seq=event.seq, at=event.at, entry=entry)
    changed = replace(line, versions=(*line.versions, version))
    lines = (*table.lines[: line.number - 1], changed, *table.lines[line.number :])
    return replace(table, lines=lines, actions=(*table.actions, (line.number, event.seq)))


def _corrected(table: Table, event: Event) -> Table:
    return _with_version(table, event, _entry(table, event))


def _struck(table: Table, event: Event) -> Table:
    return _with_version(table, event, None)


def _undone(table: Table, event: Event) -> Table:
    number, seq = _whole(event.body, "number"), _whole(event.body, "taken_back")
    line = table.line(number)
    versions = tuple(
        replace(version, taken_back=True) if version.seq == seq else version for version in line.versions
    )
    lines = (*table.lines[: number - 1], replace(line, versions=versions), *table.lines[number:])
    actions = tuple(action for action in table.actions if action != (number, seq))
    return replace(table, lines=lines, actions=actions)


_STEPS = {
    "changed": _changed,
    "joined": _joined,
    "left": _left,
    "returned": _returned,
    "renamed": _renamed,
    "seated": _seated,
    "entered": _entered,
    "corrected": _corrected,
    "struck": _struck,
    "undone": _undone,
}


def _text(body: Mapping[str, Json], name: str) -> str:
    value = body[name]
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def _text_or_none(body: Mapping[str, Json], name: str) -> str | None:
    return None if body[name] is None else _text(body, name)


def _texts(body: Mapping[str, Json], name: str) -> tuple[str, ...]:
    value = body[name]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(name)
    return tuple(cast("list[str]", value))


def _whole(body: Mapping[str, Json], name: str) -> int:
    value = body[name]
    if type(value) is not int:
        raise TypeError(name)
    return value
