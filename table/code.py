"""The short code that reopens a hand: whoever has the code counts the same hand with their own copy.

A code is one large number written with 32 letters (no I, L, O or U): version, check and all that decides the
score. Fields are packed by mixed radix, each taking only the room that the fields before it leave open, so
that a whole hand of 26 cards with its laid groups needs some 25 letters. Tables in this module are only
ever added to at their ends; what needs another form gets another version.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import scorer
from scorer.book import show_value
from scorer.cards import FLOWER, WILD, character_of
from table.words import CodeError

VERSION: Final = 1
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "U": "V"})
_CHECK: Final = 32749
"""The largest prime below 32³: its remainder betrays any one wrong letter and any two that changed places."""
_CHECK_ROOM: Final = 32**3
_BLOCK: Final = 5
_LONGEST: Final = 400

_SHORTEST: Final = 6
"""Letters of the shortest code, version and check included: what is shorter says no rule and no card."""


_RULES: Final = (
    "sanjing",
    "wujing",
    "shuangbiegan",
    "jingzhou",
    "tongcheng",
    "jingzhou_shuangbiegan",
    "shangdaren",
    "gongan",
)
_OWN_RULE: Final = 31
_OPTIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("number_sentences_from", ("乙", "三")),
    ("main_jing", ("most_held", "best", "乙", "三", "五", "七", "九")),
    ("discard_completes", ("exposed", "concealed")),
    ("eye_counts", ("true", "false")),
    ("black_flower_points", ("0", "1")),
    ("bao", ("false", "true")),
    ("exposed_triplet", ("less", "as_kan")),
    ("special_table", ("standard", "high")),
    ("special_combine", ("max", "product")),
    ("step_size", ()),
    ("form", ("eight_groups", "six_and_half")),
    ("wilds", ("0", "2")),
    ("steps", ("by_7", "by_5_from_17")),
    ("ku_minimum", ("11", "0")),
    ("class_combine", ("highest", "sum")),
    ("false_claim", ()),
)
"""Options in the order of RULES.md with their values; no values where a whole number is meant."""
_OPTION_ROOM: Final = 32
_ALIKE: Final = (3, 4, 5)
_BRACKETS: Final[tuple[Literal["round", "square"], ...]] = ("round", "square")


@dataclass(frozen=True, slots=True)
class Claimed:
    """All that a code carries: a hand, and what it was counted by."""

    rule: str
    """Name of the rule book, or the path of a table's own."""

    hand: scorer.Hand
    options: Mapping[str, str] = field(default_factory=dict)
    """The options that the table set, as text."""

    win: str | None = None
    by: Literal["self", "discard"] = "self"
    players: int | None = None
    stake: int = 1
    winner: int = 0
    discarder: int | None = None
    dui: Mapping[int, int] = field(default_factory=dict)
    """Exposed triplets of the seats that did not win."""


def options_set(book: scorer.Book) -> dict[str, str]:
    """List the options that a table set otherwise than the book.

    Args:
        book: with its options.

    Returns:
        Each with its value as it is typed.
    """
    return {each.name: show_value(each.value) for each in book.option_details if each.value != each.default}


class _Writer:
    """Numbers, each below a limit, packed into one."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, int]] = []

    def put(self, value: int, limit: int) -> None:
        if not 0 <= value < limit:
            raise CodeError(f"{value} does not fit a code", f"代碼放不下 {value}")
        self._parts.append((value, limit))

    def put_any(self, value: int) -> None:
        """Put a whole number of any size, eight steps a digit."""
        while value >= 8:
            self.put(8 + value % 8, 16)
            value //= 8
        self.put(value, 16)

    def put_text(self, text: str) -> None:
        raw = text.encode()
        self.put_any(len(raw))
        for byte in raw:
            self.put(byte, 256)

    def number(self) -> int:
        whole = 0
        for value, limit in reversed(self._parts):
            whole = whole * limit + value
        return whole


class _Reader:
    """The packed numbers again, in the order in which they were put."""

    def __init__(self, whole: int) -> None:
        self._whole = whole

    def take(self, limit: int) -> int:
        self._whole, value = divmod(self._whole, limit)
        return value

    def take_any(self) -> int:
        value, unit = 0, 1
        for _ in range(20):
            digit = self.take(16)
            value += digit % 8 * unit
            unit *= 8
            if digit < 8:
                return value
        raise _no_code()

    def take_text(self) -> str:
        raw = bytes(self.take(256) for _ in range(min(self.take_any(), _LONGEST)))
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise _no_code() from None

    @property
    def done(self) -> bool:
        return self._whole == 0


def _no_code() -> CodeError:
    return CodeError("this is no code of a hand", "這不是牌局代碼")


def encode(claimed: Claimed) -> str:
    """Write a hand and what it is counted by as a short code.

    Args:
        claimed: the hand, its rule and how it was won.

    Returns:
        Letters and digits in blocks of five.

    Raises:
        CodeError: a number too large for a code.
        scorer.ScorerError: a rule or an option that is none.
    """
    out = _Writer()
    book = scorer.load_book(claimed.rule, claimed.options)
    if claimed.rule in _RULES:
        out.put(_RULES.index(claimed.rule), 32)
    else:
        out.put(_OWN_RULE, 32)
        out.put(_print_of(claimed.rule), _CHECK_ROOM)
    options = options_set(book)
    out.put_any(len(options))
    for name in sorted(options):
        _put_option(out, name, options[name])
    _put_hand(out, claimed.hand, scorer.deck_cards(book.kind))
    held = _held(claimed.hand)
    out.put(0 if claimed.win is None else 1 + held.index(claimed.win), len(held) + 1)
    out.put(("self", "discard").index(claimed.by), 2)
    out.put(claimed.players or 0, 8)
    out.put_any(claimed.stake)
    plain = claimed.winner == 0 and claimed.discarder is None and not claimed.dui
    out.put(0 if plain else 1, 2)
    if not plain:
        out.put(claimed.winner, 8)
        out.put(0 if claimed.discarder is None else 1 + claimed.discarder, 9)
        out.put(len(claimed.dui), 8)
        for seat, count in sorted(claimed.dui.items()):
            out.put(seat, 8)
            out.put_any(count)
    return _spell(out.number())


def decode(text: str, own_rule: str | None = None) -> Claimed:
    """Read a short code again.

    Args:
        text: the code; small letters, spaces and dashes do not matter, O is read as 0, I and L as 1.
        own_rule: path of the rule book where the table plays by its own, which a code only names.

    Returns:
        What `encode` was given.

    Raises:
        CodeError: a code that was copied wrongly, is of a newer version, or of another table's rule book.
    """
    source = _Reader(_unspell(text))
    rule = _take_rule(source, own_rule)
    options = dict(_take_option(source) for _ in range(min(source.take_any(), _OPTION_ROOM)))
    try:
        kind = scorer.load_book(rule, options).kind
    except scorer.ScorerError:
        raise CodeError(
            "this code is of a rule or an option that this copy does not know",
            "此代碼所用規則或選項本程式不識",
        ) from None
    hand = _take_hand(source, scorer.deck_cards(kind))
    if not hand.size:
        raise _no_code()
    held = _held(hand)
    place = source.take(len(held) + 1)
    by: Literal["self", "discard"] = "discard" if source.take(2) else "self"
    players = source.take(8) or None
    stake = source.take_any()
    winner, discarder = 0, None
    dui: dict[int, int] = {}
    if source.take(2):
        winner = source.take(8)
        discarder = _seat_or_none(source.take(9))
        for _ in range(source.take(8)):
            seat = source.take(8)
            dui[seat] = source.take_any()
    if not source.done:
        raise _no_code()
    win = held[place - 1] if place else None
    return Claimed(rule, hand, options, win, by, players, stake, winner, discarder, dui)


def _seat_or_none(value: int) -> int | None:
    return value - 1 if value else None


def _print_of(path: str) -> int:
    """Recognise a table's own rule book by what it says."""
    try:
        return zlib.crc32(Path(path).read_bytes()) % _CHECK_ROOM
    except OSError:
        raise CodeError(f"no rule book at {path}", f"找不到規則檔 {path}") from None


def _take_rule(source: _Reader, own_rule: str | None) -> str:
    place = source.take(32)
    if place < len(_RULES):
        return _RULES[place]
    if place != _OWN_RULE:
        raise CodeError("this code is of a rule that this copy does not know", "此代碼所用規則本程式不識")
    print_of_rule = source.take(_CHECK_ROOM)
    if own_rule is None or own_rule in _RULES:
        raise CodeError(
            "this code is of a table's own rule book: name its file with --rule",
            "此代碼用的是自訂規則，請以 --rule 指明規則檔",
        )
    if _print_of(own_rule) != print_of_rule:
        raise CodeError(
            f"this code was made with another rule book than {own_rule}", f"此代碼所用規則檔不是 {own_rule}"
        )
    return own_rule


def _put_option(out: _Writer, name: str, value: str) -> None:
    names = [known for known, _ in _OPTIONS]
    place = names.index(name) if name in names else _OPTION_ROOM - 1
    out.put(place, _OPTION_ROOM)
    if place == _OPTION_ROOM - 1:
        out.put_text(name)
        out.put_text(value)
        return
    values = _OPTIONS[place][1]
    if not values and value.isdecimal() and str(int(value)) == value:
        out.put(1, 2)
        out.put_any(int(value))
    elif value in values:
        out.put(1, 2)
        out.put(values.index(value), 8)
    else:
        out.put(0, 2)
        out.put_text(value)


def _take_option(source: _Reader) -> tuple[str, str]:
    place = source.take(_OPTION_ROOM)
    if place == _OPTION_ROOM - 1:
        name = source.take_text()
        return name, source.take_text()
    if place >= len(_OPTIONS):
        raise _no_code()
    name, values = _OPTIONS[place]
    if not source.take(2):
        return name, source.take_text()
    if not values:
        return name, str(source.take_any())
    choice = source.take(8)
    if choice >= len(values):
        raise _no_code()
    return name, values[choice]


def _held(hand: scorer.Hand) -> list[str]:
    """List the cards that may have won, each once."""
    return sorted(set(hand.cards()))


def _put_hand(out: _Writer, hand: scorer.Hand, deck: Mapping[str, int]) -> None:
    cards = list(deck)
    free, picked = Counter(hand.free), Counter(hand.picked)
    counted = all(free[card] + picked[card] <= deck[card] for card in cards)
    out.put(int(counted), 2)
    out.put(int(bool(picked)), 2)
    for held, wanted in ((free, True), (picked, bool(picked))):
        if not wanted:
            continue
        for card in cards:
            if counted:
                out.put(held[card], deck[card] + 1)
            else:
                out.put_any(held[card])
    out.put_any(len(hand.laid))
    for group in hand.laid:
        _put_laid(out, group, cards)


def _take_hand(source: _Reader, deck: Mapping[str, int]) -> scorer.Hand:
    cards = list(deck)
    counted, some_picked = source.take(2), source.take(2)
    free, picked = (
        tuple(
            card
            for card in (cards if wanted else ())
            for _ in range(source.take(deck[card] + 1) if counted else min(source.take_any(), _LONGEST))
        )
        for wanted in (True, some_picked)
    )
    laid = tuple(_take_laid(source, cards) for _ in range(min(source.take_any(), _LONGEST)))
    return scorer.Hand(free=free, picked=picked, laid=laid)


def _put_laid(out: _Writer, group: scorer.Laid, cards: list[str]) -> None:
    """Put a group: the copies of one character by their numbers, anything else card by card."""
    out.put(_BRACKETS.index(group.bracket), 2)
    plain = sorted({character_of(card) for card in group.cards} - {WILD})
    if len(plain) == 1 and len(group.cards) in _ALIKE and plain[0] in cards:
        out.put(1, 2)
        out.put(cards.index(plain[0]), len(cards))
        out.put(_ALIKE.index(len(group.cards)), len(_ALIKE))
        for card in (FLOWER + plain[0], WILD):
            if card in cards:
                out.put(group.cards.count(card), 6)
        return
    out.put(0, 2)
    out.put_any(len(group.cards))
    for card in group.cards:
        out.put(cards.index(card), len(cards))


def _take_laid(source: _Reader, cards: list[str]) -> scorer.Laid:
    bracket = _BRACKETS[source.take(2)]
    if not source.take(2):
        listed = tuple(cards[source.take(len(cards))] for _ in range(min(source.take_any(), _LONGEST)))
        return scorer.Laid(cards=listed, bracket=bracket)
    plain = cards[source.take(len(cards))]
    size = _ALIKE[source.take(len(_ALIKE))]
    special = tuple(card for card in (FLOWER + plain, WILD) if card in cards for _ in range(source.take(6)))
    if len(special) > size:
        raise _no_code()
    return scorer.Laid(cards=(plain,) * (size - len(special)) + special, bracket=bracket)


def _spell(body: int) -> str:
    checked = body * _CHECK_ROOM + body % _CHECK
    letters = ""
    while checked:
        checked, place = divmod(checked, len(ALPHABET))
        letters = ALPHABET[place] + letters
    letters = ALPHABET[VERSION] + letters
    return "-".join(letters[start : start + _BLOCK] for start in range(0, len(letters), _BLOCK))


def _unspell(text: str) -> int:
    letters = "".join(text.upper().split()).replace("-", "").translate(_READ_AS)
    if not letters or len(letters) > _LONGEST or set(letters) - set(ALPHABET):
        raise _no_code()
    checked = 0
    for letter in letters[1:]:
        checked = checked * len(ALPHABET) + ALPHABET.index(letter)
    body, check = divmod(checked, _CHECK_ROOM)
    agrees = len(letters) >= _SHORTEST and body % _CHECK == check
    if ALPHABET.index(letters[0]) != VERSION:
        if not agrees:
            raise _no_code()
        raise CodeError("a code of another version of suanhu", "這是其他版本的代碼")
    if len(letters) < _SHORTEST:
        raise _no_code()
    if not agrees:
        raise CodeError("this code has a wrong letter: compare it again", "代碼有錯字，請再核對")
    return body
