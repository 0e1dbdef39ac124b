"""What may happen at a table: from the table and a wish to the next event.

Pure functions; none writes anything. Each returns the `Draft` of one event, or raises a
`LedgerError` that says in one line why not. Money is whole units of the table's smallest coin.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, cast

from table.ledger.errors import (
    ChangedError,
    EntryError,
    LimitError,
    NothingToUndoError,
    PlayerError,
)
from table.ledger.model import Draft, Entry, EntryKind, Event, Json, OptionValue, Photo, Table
from table.ledger.settle import fewest_transfers

MAX_PLAYERS = 32
MAX_SEATS = 8
MAX_LINES = 5000
MAX_VERSIONS = 50
MAX_NAME = 24
MAX_NOTE = 400
MAX_HAND = 400
MAX_AMOUNT = 1_000_000_000
MAX_STAKE = 1_000_000
MAX_OPTIONS = 32
MAX_PHOTOS = 300
MAX_PHOTO_BYTES = 16 * 1024 * 1024
PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp", "image/heic")
_SETTINGS = ("name", "rule", "options", "stake", "deck")
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Turn what follows them round on a screen: with one of them in a name 100 would be shown as 001."""
_UNSEEN = frozenset("\u00ad\u180e\u200b\u2060\ufeff") | _DIRECTION
"""Cannot be seen; two names that differ only by them look like one."""
_MAX_SCORE_DEPTH = 8
_MAX_SCORE_VALUES = 4000
_SHA256 = re.compile(r"[0-9a-f]{64}")


def open_table(
    *,
    name: str,
    rule: str,
    options: Mapping[str, OptionValue] | None = None,
    stake: int = 1,
    deck: str = "auto",
    players: Sequence[str] = (),
) -> Draft:
    """Opens a table.

    Args:
        name: What the table is called.
        rule: Name of its rule book.
        options: Options of the rule book that differ from its defaults.
        stake: What one step is worth, whole units.
        deck: Name of the deck it plays with, `auto` to let the photo decide.
        players: Their names in the order of play.

    Returns:
        The event that opens it.

    Raises:
        EntryError: A name, the stake or the options cannot be taken.
        PlayerError: Two players with one name.
        LimitError: Too many players.
    """
    names = [_name(each) for each in players]
    if len(names) > MAX_PLAYERS:
        raise LimitError("too_many_players", limit=MAX_PLAYERS)
    for place, each in enumerate(names):
        if each in names[:place]:
            raise PlayerError("player_here", name=each)
    body = _settings(name=name, rule=rule, options=options or {}, stake=stake, deck=deck)
    return Draft("opened", {**body, "players": cast("list[Json]", names)})


def change(
    table: Table,
    *,
    name: str | None = None,
    rule: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    stake: int | None = None,
    deck: str | None = None,
) -> Draft:
    """Changes what later rounds are played by; what is written keeps its own rule and stake.

    With another rule and no options given, the new rule has its defaults.

    Raises:
        EntryError: A name, the stake or the options cannot be taken.
    """
    kept = table.options if rule is None or rule == table.rule else {}
    return Draft(
        "changed",
        _settings(
            name=table.name if name is None else name,
            rule=table.rule if rule is None else rule,
            options=kept if options is None else options,
            stake=table.stake if stake is None else stake,
            deck=table.deck if deck is None else deck,
        ),
    )


def join(table: Table, name: str) -> Draft:
    """Seats a new player at the end of the order, or brings one of that name back.

    Raises:
        EntryError: The name cannot be taken.
        PlayerError: Somebody of that name is at the table.
        LimitError: The table holds no more.
    """
    wanted = _name(name)
    for player in table.players:
        if player.name == wanted:
            if player.present:
                raise PlayerError("player_here", name=wanted)
            return Draft("returned", {"player": player.id})
    if len(table.players) >= MAX_PLAYERS:
        raise LimitError("too_many_players", limit=MAX_PLAYERS)
    return Draft("joined", {"player": f"p{len(table.players) + 1}", "name": wanted})


def leave(table: Table, player: str) -> Draft:
    """Lets a player leave; what they won or owe stays in the totals.

    Raises:
        UnknownPlayerError: Nobody has this id.
        PlayerError: They have left already.
    """
    _present(table, player)
    return Draft("left", {"player": player})


def rename(table: Table, player: str, name: str) -> Draft:
    """Gives a player another name.

    Raises:
        UnknownPlayerError: Nobody has this id.
        EntryError: The name cannot be taken.
        PlayerError: Another player has it.
    """
    table.player(player)
    wanted = _name(name)
    if any(each.name == wanted and each.id != player for each in table.players):
        raise PlayerError("player_here", name=wanted)
    return Draft("renamed", {"player": player, "name": wanted})


def seat(table: Table, seats: Sequence[str], dealer: str | None = None) -> Draft:
    """Says who sits where and who deals.

    Args:
        table: The table.
        seats: All present players in the order of play.
        dealer: One of them, or None where nobody said.

    Raises:
        UnknownPlayerError: Nobody has one of these ids.
        PlayerError: Somebody sits twice, is missing or has left.
    """
    _distinct(table, seats)
    present = {player.id for player in table.players if player.present}
    if set(seats) != present:
        raise PlayerError("seats_incomplete")
    if dealer is not None and dealer not in seats:
        raise PlayerError("dealer_away")
    return Draft("seated", {"seats": list(seats), "dealer": dealer})


def who_plays(table: Table, dealer: str | None, playing: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who plays the next round and who rests, in the order of play from the dealer on.

    Of four at a table for three, the one opposite the dealer rests (RULES.md §7). Where the table
    holds still more, those who sit farthest behind the dealer rest.

    Args:
        table: The table.
        dealer: Who deals, None for the first seat.
        playing: How many play a round.

    Returns:
        The players on the scorer's seats 0, 1, …, the dealer first, and those who rest.
    """
    first = table.seats.index(dealer) if dealer in table.seats else 0
    order = table.seats[first:] + table.seats[:first]
    if len(order) == 4 and playing == 3:
        return (order[0], order[1], order[3]), (order[2],)
    return order[:playing], order[playing:]


def scored(
    table: Table,
    score: Mapping[str, Json],
    seats: Sequence[str],
    *,
    winner: str | None = None,
    discarder: str | None = None,
    dealer: str | None = None,
    rested: Sequence[str] = (),
    options: Mapping[str, OptionValue] | None = None,
    note: str = "",
    photo: Photo | None = None,
    number: int | None = None,
) -> Draft:
    """Writes down a hand that was counted.

    Args:
        table: The table.
        score: The JSON of `score`: its payments by seat become amounts by player.
        seats: The players on the scorer's seats 0, 1, ….
        winner: Who won (or, for a false declaration, who declared).
        discarder: From whom the winning card came, None where it was drawn.
        dealer: Who dealt.
        rested: Who was at the table and did not play.
        options: Options of the rule that it was scored with, where not the table's.
        note: A free text.
        photo: The photo, where it is to be kept.
        number: The line that this corrects; None for a new round.

    Returns:
        The event.

    Raises:
        UnknownPlayerError: Nobody has one of these ids.
        PlayerError: Somebody sits twice.
        EntryError: The score is not whole, or names seats where nobody sits.
        LimitError: The ledger is full.
        UnknownEntryError: There is no line of this number.
    """
    _small(score)
    amounts: dict[str, int] = dict.fromkeys(seats, 0)
    payments = score.get("payments")
    if not isinstance(payments, list):
        raise EntryError("bad_score", field="payments")
    for payment in payments:
        if not isinstance(payment, dict):
            raise EntryError("bad_score", field="payments")
        pays, payer, payee = payment.get("pays"), payment.get("seat"), payment.get("to")
        if type(pays) is not int or type(payer) is not int or type(payee) is not int or pays < 0:
            raise EntryError("bad_score", field="payments")
        if not (0 <= payer < len(seats) and 0 <= payee < len(seats)):
            raise EntryError("bad_score", field="payments.seat")
        amounts[seats[payer]] -= pays
        amounts[seats[payee]] += pays
    if not payments and not score.get("wins"):
        raise EntryError("no_win")
    rule, stake, hand = score.get("rule"), score.get("stake"), score.get("hand")
    if not isinstance(rule, str):
        raise EntryError("bad_score", field="rule")
    if type(stake) is not int:
        raise EntryError("bad_score", field="stake")
    if hand is not None and (not isinstance(hand, str) or len(hand) > MAX_HAND):
        raise EntryError("bad_score", field="hand")
    entry = _round(
        table,
        "scored",
        amounts,
        seats=seats,
        rested=rested,
        dealer=dealer,
        winner=winner,
        discarder=discarder,
        note=note,
        rule=_rule(rule),
        stake=_stake(stake),
        options=table.options if options is None else options,
        hand=hand,
        score=score,
        photo=None if photo is None else check_photo(photo),
    )
    return _write(table, entry, number)


def drawn(
    table: Table,
    *,
    seats: Sequence[str] = (),
    dealer: str | None = None,
    rested: Sequence[str] = (),
    note: str = "",
    number: int | None = None,
) -> Draft:
    """Writes down a round that nobody won (流局); arguments and errors as `scored`."""
    amounts: dict[str, int] = dict.fromkeys(seats, 0)
    entry = _round(table, "drawn", amounts, seats=seats, rested=rested, dealer=dealer, note=note)
    return _write(table, entry, number)


def by_hand(
    table: Table,
    amounts: Mapping[str, int],
    *,
    seats: Sequence[str] = (),
    winner: str | None = None,
    discarder: str | None = None,
    dealer: str | None = None,
    rested: Sequence[str] = (),
    note: str = "",
    number: int | None = None,
) -> Draft:
    """Writes down a round whose payments are entered by hand.

    Args:
        table: The table.
        amounts: Player and what they gain (negative: lose); adds up to 0.
        seats: Who played, in the order of play; where empty, those in `amounts`.
        winner: Who won, where it is known.
        discarder: From whom the winning card came.
        dealer: Who dealt.
        rested: Who did not play.
        note: A free text.
        number: The line that this corrects; None for a new round.

    Raises:
        UnknownPlayerError: Nobody has one of these ids.
        EntryError: The amounts are none, no whole numbers, too large, or do not add up to 0.
        PlayerError: Somebody sits twice.
        LimitError: The ledger is full.
        UnknownEntryError: There is no line of this number.
    """
    entry = _round(
        table,
        "by_hand",
        _some(amounts),
        seats=tuple(seats) or tuple(amounts),
        rested=rested,
        dealer=dealer,
        winner=winner,
        discarder=discarder,
        note=note,
    )
    return _write(table, entry, number)


def adjust(table: Table, amounts: Mapping[str, int], note: str, *, number: int | None = None) -> Draft:
    """Writes down money that changed hands for another reason, which the note gives.

    Raises:
        EntryError: As `by_hand`, or without a note.
        UnknownPlayerError: Nobody has one of these ids.
        LimitError: The ledger is full.
        UnknownEntryError: There is no line of this number.
    """
    if not note.strip():
        raise EntryError("note_missing")
    return _write(table, _round(table, "adjustment", _some(amounts), note=note), number)


def settle(table: Table) -> Draft:
    """Writes down that all debts were paid by the fewest transfers; totals are 0 afterwards.

    Raises:
        NothingToUndoError: Nobody owes anything.
        LimitError: The ledger is full.
    """
    settlement = fewest_transfers(table.totals())
    if not settlement.transfers:
        raise NothingToUndoError("nothing_owed")
    amounts: dict[str, int] = {}
    for transfer in settlement.transfers:
        amounts[transfer.payer] = amounts.get(transfer.payer, 0) + transfer.amount
        amounts[transfer.payee] = amounts.get(transfer.payee, 0) - transfer.amount
    return _write(table, _round(table, "settlement", amounts), None)


def as_seen(table: Table, seen: int | None, number: int | None = None) -> Table:
    """The table, where it still is what the one who wishes has looked at.

    Undo and settling mean what was shown: another phone may have written a round since.

    Args:
        table: The table.
        seen: `seq` of the table that was shown, or of the latest version of a line; None for any.
        number: The line, where it is about one.

    Returns:
        The same table.

    Raises:
        ChangedError: Somebody else was first.
        UnknownEntryError: There is no line of this number.
    """
    now = table.seq if number is None else table.line(number).versions[-1].seq
    if seen is not None and seen != now:
        raise ChangedError("changed_meanwhile")
    return table


def strike(table: Table, number: int) -> Draft:
    """Strikes a line out; it stays readable and counts no more.

    Raises:
        UnknownEntryError: There is no line of this number.
        NothingToUndoError: It is struck out or undone already.
        LimitError: The line was changed too often.
    """
    line = table.line(number)
    if line.entry is None:
        raise NothingToUndoError("already_struck", number=number)
    if len(line.versions) >= MAX_VERSIONS:
        raise LimitError("too_many_versions", limit=MAX_VERSIONS)
    return Draft("struck", {"number": number})


def undo(table: Table) -> Draft:
    """Takes back the latest entry, correction or strike that was not taken back yet.

    Raises:
        NothingToUndoError: There is none.
    """
    if not table.actions:
        raise NothingToUndoError("nothing_to_undo")
    number, seq = table.actions[-1]
    return Draft("undone", {"number": number, "taken_back": seq})


def check(table: Table | None, event: Event) -> None:
    """Refuses an event that no wish could have brought, as one in a backup that somebody tampered with.

    Args:
        table: The table before it, None for the first.
        event: What is said to have happened; its body holds the fields that `replay` reads.

    Raises:
        LedgerError: It could not have happened.
    """
    body = cast("dict[str, Any]", event.body)
    if table is None:
        could = open_table(**{name: body[name] for name in (*_SETTINGS, "players")})
    elif event.kind == "changed":
        could = change(table, **{name: body[name] for name in _SETTINGS})
    elif event.kind in ("joined", "returned"):
        name = body["name"] if event.kind == "joined" else table.player(body["player"]).name
        could = join(table, name)
    elif event.kind == "left":
        could = leave(table, body["player"])
    elif event.kind == "renamed":
        could = rename(table, body["player"], body["name"])
    elif event.kind == "seated":
        could = seat(table, body["seats"], body["dealer"])
    elif event.kind in ("entered", "corrected"):
        could = _write(table, _again(table, Entry.from_json(body["entry"])), body.get("number"))
    elif event.kind == "struck":
        could = strike(table, body["number"])
    else:
        could = undo(table)
    if (could.kind, could.body) != (event.kind, event.body):
        raise EntryError("bad_text", limit=MAX_NOTE)


def _again(table: Table, entry: Entry) -> Entry:
    """Makes an entry anew, with every check of a new one."""
    score = entry.score
    if score is not None:
        _small(score)
    if len(entry.hand or "") > MAX_HAND:
        raise EntryError("bad_score", field="hand")
    if entry.photo is not None and not _SHA256.fullmatch(entry.photo):
        raise EntryError("bad_photo", limit=MAX_PHOTO_BYTES)
    return _round(
        table,
        entry.kind,
        dict(entry.amounts),
        seats=entry.seats,
        rested=entry.rested,
        dealer=entry.dealer,
        winner=entry.winner,
        discarder=entry.discarder,
        note=entry.note,
        rule=_rule(entry.rule),
        stake=_stake(entry.stake),
        options=entry.options,
        hand=None if entry.hand is None else _text(entry.hand, MAX_HAND),
        score=score,
        photo=entry.photo,
    )


def _write(table: Table, entry: Entry, number: int | None) -> Draft:
    body = entry.to_json()
    if number is None:
        if len(table.lines) >= MAX_LINES:
            raise LimitError("too_many_entries", limit=MAX_LINES)
        return Draft("entered", {"entry": body})
    if len(table.line(number).versions) >= MAX_VERSIONS:
        raise LimitError("too_many_versions", limit=MAX_VERSIONS)
    return Draft("corrected", {"number": number, "entry": body})


def _round(
    table: Table,
    kind: EntryKind,
    amounts: Mapping[str, int],
    *,
    seats: Sequence[str] = (),
    rested: Sequence[str] = (),
    dealer: str | None = None,
    winner: str | None = None,
    discarder: str | None = None,
    note: str = "",
    rule: str | None = None,
    stake: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    hand: str | None = None,
    score: Mapping[str, Json] | None = None,
    photo: str | None = None,
) -> Entry:
    if len(seats) > MAX_SEATS:
        raise LimitError("too_many_seats", limit=MAX_SEATS)
    _distinct(table, [*seats, *rested])
    for player in amounts:
        table.player(player)
    if dealer is not None:
        table.player(dealer)
    for named in (winner, discarder):
        if named is not None and named not in seats:
            raise PlayerError("did_not_play")
    if winner is not None and winner == discarder:
        raise PlayerError("from_oneself")
    if any(type(amount) is not int or abs(amount) > MAX_AMOUNT for amount in amounts.values()):
        raise EntryError("bad_amount", limit=MAX_AMOUNT)
    if sum(amounts.values()) != 0:
        raise EntryError("not_zero", sum=sum(amounts.values()))
    return Entry(
        kind=kind,
        amounts=tuple(amounts.items()),
        rule=table.rule if rule is None else rule,
        options=_options(table.options if options is None else options),
        stake=table.stake if stake is None else stake,
        seats=tuple(seats),
        rested=tuple(rested),
        dealer=dealer,
        winner=winner,
        discarder=discarder,
        note=_note(note),
        hand=hand,
        score=score,
        photo=photo,
    )


def _some(amounts: Mapping[str, int]) -> Mapping[str, int]:
    if not any(amounts.values()):
        raise EntryError("no_amounts")
    return amounts


def _present(table: Table, player: str) -> None:
    found = table.player(player)
    if not found.present:
        raise PlayerError("player_away", name=found.name)


def _distinct(table: Table, players: Sequence[str]) -> None:
    for place, player in enumerate(players):
        table.player(player)
        if player in players[:place]:
            raise PlayerError("seated_twice")


def _settings(
    *, name: str, rule: str, options: Mapping[str, OptionValue], stake: int, deck: str
) -> dict[str, Json]:
    return {
        "name": _name(name),
        "rule": _rule(rule),
        "options": cast("dict[str, Json]", _options(options)),
        "stake": _stake(stake),
        "deck": _text(deck, 100),
    }


def _stake(stake: int) -> int:
    if type(stake) is not int or not 1 <= stake <= MAX_STAKE:
        raise EntryError("bad_stake", limit=MAX_STAKE)
    return stake


def _rule(rule: str) -> str:
    return _text(rule, 100)


def _options(options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    if len(options) > MAX_OPTIONS:
        raise EntryError("bad_options")
    for key, value in options.items():
        if not _plain(key, 64) or not isinstance(value, bool | int | str):
            raise EntryError("bad_options")
        if isinstance(value, str) and not _plain(value, 64):
            raise EntryError("bad_options")
        if isinstance(value, int) and abs(value) > MAX_AMOUNT:
            raise EntryError("bad_options")
    return dict(options)


def _name(name: str) -> str:
    wanted = unicodedata.normalize("NFC", _without(name, _UNSEEN)).strip()
    seen = any(unicodedata.category(each)[0] in "LNPS" for each in wanted)
    if not seen or not _plain(wanted, MAX_NAME):
        raise EntryError("bad_name", limit=MAX_NAME)
    return wanted


def _note(note: str) -> str:
    return _text(_without(note, _DIRECTION).strip(), MAX_NOTE)


def _without(text: str, letters: frozenset[str]) -> str:
    return "".join(each for each in text if each not in letters)


def _text(text: str, limit: int) -> str:
    if not _plain(text, limit):
        raise EntryError("bad_text", limit=limit)
    return text


def _plain(text: str, limit: int) -> bool:
    """Whether a text is short and holds nothing that a database or a page cannot hold."""
    return len(text) <= limit and not any(
        unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") for each in text
    )


def check_photo(photo: Photo) -> str:
    """The SHA-256 of a photo that may be kept.

    Raises:
        EntryError: It is too large, empty, or no picture.
    """
    if (
        not 0 < len(photo.content) <= MAX_PHOTO_BYTES
        or photo.media_type not in PHOTO_TYPES
        or not _SHA256.fullmatch(photo.sha256)
    ):
        raise EntryError("bad_photo", limit=MAX_PHOTO_BYTES)
    return photo.sha256


def _small(score: Mapping[str, Json]) -> None:
    """Refuses a score that is nested or long beyond what a hand can need."""
    left = _MAX_SCORE_VALUES
    pending: list[tuple[object, int]] = [(score, 0)]
    while pending:
        value, depth = pending.pop()
        left -= 1
        if left < 0 or depth > _MAX_SCORE_DEPTH:
            raise EntryError("bad_score", field="size")
        if isinstance(value, Mapping):
            pending.extend((each, depth + 1) for each in value.values())
        elif isinstance(value, list | tuple):
            pending.extend((each, depth + 1) for each in value)
        elif isinstance(value, str) and len(value) > 2000:
            raise EntryError("bad_score", field="size")
