"""A hand in text and as data (INTERFACE.md, "A hand in text")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from scorer.cards import (
    FLOWER,
    MOST_CARDS,
    PICKED,
    SHIFT,
    SPELLINGS,
    WILD,
    WILD_STANDS_FOR,
    pack,
    parse_card,
)
from scorer.errors import NotationError

Bracket = Literal["round", "square"]

_CLOSES = {"(": ")", "（": "）", "[": "]", "［": "］", "【": "】"}
_OPENS: dict[str, Bracket] = {
    "(": "round",
    "（": "round",
    "[": "square",
    "［": "square",
    "【": "square",
}
_PICKED_SPELLINGS = (PICKED, "捡")
_FACES = frozenset(kind for kind in SHIFT if ">" not in kind)


@dataclass(frozen=True, slots=True)
class Laid:
    """A group that lies on the table or was declared from the hand."""

    cards: tuple[str, ...]
    """Its cards, as they were given."""
    bracket: Bracket
    """`round` on the table, `square` declared from the hand."""
    code: int = field(init=False, repr=False, compare=False, hash=False, default=0)
    """The packed count of its cards."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", _pack_faces(self.cards))

    def __str__(self) -> str:
        opening, closing = "()" if self.bracket == "round" else "[]"
        return f"{opening}{''.join(self.cards)}{closing}"


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one player, in the order in which they were given.

    Example:
        >>> hand = Hand(free=("上", "大", "人"), laid=(Laid(("三", "三", "花三"), "round"),))
        >>> str(hand)
        '上大人 (三三花三)'
        >>> parse_hand(str(hand)) == hand
        True
    """

    free: tuple[str, ...]
    """The cards that lie in no group, those that were picked up apart."""
    picked: tuple[str, ...] = ()
    """The free cards that were picked up (撿)."""
    laid: tuple[Laid, ...] = ()
    """The groups on the table and those that were declared."""
    free_code: int = field(init=False, repr=False, compare=False, hash=False, default=0)
    """The packed count of `free`."""
    picked_code: int = field(init=False, repr=False, compare=False, hash=False, default=0)
    """The packed count of `picked`."""
    code: int = field(init=False, repr=False, compare=False, hash=False, default=0)
    """The packed count of all cards; of one of each where there are more than `MOST_CARDS`."""
    size: int = field(init=False, repr=False, compare=False, hash=False, default=0)
    """How many cards there are in all."""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        size = len(self.free) + len(self.picked) + sum([len(group.cards) for group in self.laid])
        set_field(self, "size", size)
        set_field(self, "free_code", _pack_faces(self.free))
        set_field(self, "picked_code", _pack_faces(self.picked))
        if size > MOST_CARDS:  # no hand, and more than a packed count holds: which cards is all that counts
            set_field(self, "code", _pack_faces(dict.fromkeys(self.cards())))
        else:
            laid = sum([group.code for group in self.laid])
            set_field(self, "code", self.free_code + self.picked_code + laid)

    def __str__(self) -> str:
        parts = ["".join(self.free), "".join(PICKED + card for card in self.picked), *map(str, self.laid)]
        return " ".join(part for part in parts if part)

    def cards(self) -> tuple[str, ...]:
        """All cards, those on the table last."""
        return (*self.free, *self.picked, *(card for group in self.laid for card in group.cards))

    def plus(self, card: str) -> Hand:
        """The hand with one free card more."""
        return Hand((*self.free, card), self.picked, self.laid)

    def minus(self, card: str) -> Hand:
        """The hand with one free card less, one that was picked up where there is one.

        Raises:
            ValueError: no free card is that card.
        """
        if card in self.picked:
            place = self.picked.index(card)
            return Hand(self.free, self.picked[:place] + self.picked[place + 1 :], self.laid)
        place = self.free.index(card)
        return Hand(self.free[:place] + self.free[place + 1 :], self.picked, self.laid)


def _pack_faces(cards: Iterable[str]) -> int:
    for card in cards:
        if card not in _FACES:
            raise NotationError("no_card", card=card)
    return pack(cards)


def _read_note(text: str, place: int) -> int:
    """Pass over the note `>花三` behind a wild; it says for what the wild stood and binds nothing."""
    start = place + 1
    while start < len(text) and text[start].isspace():
        start += 1
    if text[start : start + 1] == FLOWER:
        start += 1
    if SPELLINGS.get(text[start : start + 1]) not in WILD_STANDS_FOR:
        raise NotationError("bad_note", note=text[place : start + 1])
    return start + 1


def parse_hand(text: str) -> Hand:
    """Read a hand.

    Args:
        text: A hand in the notation of INTERFACE.md, any spelling, any spaces.

    Returns:
        The hand, cards in the standard spelling, in the order given.

    Raises:
        NotationError: the text is no hand; the message names the place.

    Example:
        >>> hand = parse_hand("上大人 花一 撿八 (三三花三)[可可可可]")
        >>> hand.free, hand.picked, len(hand.laid)
        (('上', '大', '人', '花乙'), ('八',), 2)
    """
    free: list[str] = []
    picked: list[str] = []
    laid: list[Laid] = []
    group: list[str] = []
    opening = ""
    place, end = 0, len(text)
    while place < end:
        letter = text[place]
        if letter.isspace():
            place += 1
        elif letter in _OPENS:
            if opening:
                raise NotationError("bracket_in_bracket", place=place + 1)
            opening, group = letter, []
            place += 1
        elif opening and letter == _CLOSES[opening]:
            if not group:
                raise NotationError("empty_group", place=place + 1)
            laid.append(Laid(tuple(group), _OPENS[opening]))
            opening = ""
            place += 1
        else:
            is_picked = letter in _PICKED_SPELLINGS
            if is_picked:
                if opening:
                    raise NotationError("picked_in_group", place=place + 1)
                place += 1
            start = place
            if text[place : place + 1] == FLOWER:
                place += 1
            place += 1
            card = _card_at(text, start, place)
            if card == WILD and text[place : place + 1] in (">", "＞") and place < end:
                place = _read_note(text, place)
            (group if opening else picked if is_picked else free).append(card)
    if opening:
        raise NotationError("open_bracket", bracket=opening)
    return Hand(tuple(free), tuple(picked), tuple(laid))


def _card_at(text: str, start: int, stop: int) -> str:
    if stop > len(text):
        raise NotationError("cut_off", text=text[start - 1 if start else 0 :])
    letters = text[start:stop]
    if letters[-1] not in SPELLINGS:
        raise NotationError("unknown_letter", letter=letters[-1], place=stop)
    return parse_card(letters)
