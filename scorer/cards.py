"""The cards: characters, spellings, decks and their sentences (RULES.md §1 and §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from scorer.errors import NotationError

WILD = "賴"
FLOWER = "花"
PICKED = "撿"

CHARACTERS = (*"上大人可知禮孔己化千土子乙二三四五六七八九十", *"爾小生佳作仁福祿壽")
"""Every character, in such an order that at most one sentence has each as its first."""
FLOWERED = ("乙", "三", "五", "七", "九")
WILD_STANDS_FOR = ("三", "五", "七")
"""The characters for whose flower copy a wild card may stand (000, 002)."""

SPELLINGS: Mapping[str, str] = MappingProxyType(
    {
        **{character: character for character in CHARACTERS},
        "一": "乙",
        "士": "土",
        "礼": "禮",
        "已": "己",
        "仔": "子",
        "尔": "爾",
        "禄": "祿",
        "寿": "壽",
        "亡": "仁",
        "丘": "孔",
        **dict.fromkeys(("賴", "赖", "别", "別"), WILD),
    }
)
"""Every spelling that RULES.md §1 lets mean a card, to the standard one."""

# A kind is one card face. Counts of kinds are packed into one integer, a byte a kind, in layers: the plain
# cards of the 110, above them the flower copies, above those the wilds by what they stand for, so that the
# faces of a character are a layer apart. In the layer of the flowers the places of the first nine characters,
# which have no flowers, are free; there stand the characters that only the 96 cards have.
FIELD = 8
FIELD_MASK = (1 << FIELD) - 1

PLACE: Mapping[str, int] = MappingProxyType({character: place for place, character in enumerate(CHARACTERS)})
"""Where each character stands in a layer."""
LAYER = 22
"""How many places a layer has."""
LAYER_SHIFT = FIELD * LAYER


def _kind_places() -> dict[str, int]:
    places = dict(PLACE)
    places |= {FLOWER + character: PLACE[character] + LAYER for character in FLOWERED}
    places |= {f"{WILD}>{FLOWER}{character}": PLACE[character] + 2 * LAYER for character in WILD_STANDS_FOR}
    return places | {WILD: 2 * LAYER}


SHIFT: Mapping[str, int] = MappingProxyType({kind: FIELD * place for kind, place in _kind_places().items()})
"""Where in a packed count the number of each kind begins: of every card face, and of the wilds in the place
of each character that they may stand for."""

UNIT: Mapping[str, int] = MappingProxyType({kind: 1 << shift for kind, shift in SHIFT.items()})
"""The packed count of one card of a kind."""

MOST_CARDS = 60
"""More cards than this are never a hand; packed counts hold that many of one kind."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of cards (RULES.md §2)."""

    kind: int
    """110, 112 or 96, the number of its cards."""
    copies: Mapping[str, int]
    """Every card of the deck, in deck order, to how many copies there are."""
    characters: tuple[str, ...]
    """The characters, in deck order, wilds apart."""
    phrases: tuple[str, ...]
    """The sentences that are phrases, three characters each."""
    numbers: str
    """The characters that make number sentences, three in a row; empty where there are none."""
    colours: Mapping[str, str]
    """Each character to `red`, `black` or `green`."""


_PHRASES_110 = ("上大人", "孔乙己", "可知禮", "化三千", "七十土", "八九子")
_PHRASES_96 = ("上大人", "孔乙己", "化三千", "七十土", "八九子", "爾小生", "佳作仁", "福祿壽")
_NUMBERS = "乙二三四五六七八九十"
_RED_110 = "上大人可知禮三五七"


def _deck_110(kind: int) -> Deck:
    characters = (*"".join(_PHRASES_110), *"二四五六")
    copies: dict[str, int] = {}
    for character in characters:
        if character in FLOWERED:
            copies |= {character: 3, FLOWER + character: 2}
        else:
            copies[character] = 5
    if kind == 112:
        copies[WILD] = 2
    colours = {character: "red" if character in _RED_110 else "black" for character in characters}
    return Deck(kind, MappingProxyType(copies), characters, _PHRASES_110, _NUMBERS, MappingProxyType(colours))


def _deck_96() -> Deck:
    characters = tuple("".join(_PHRASES_96))
    colours = {
        character: colour
        for phrase in _PHRASES_96
        for character, colour in zip(phrase, ("red", "green", "black"), strict=True)
    }
    copies = dict.fromkeys(characters, 4)
    return Deck(96, MappingProxyType(copies), characters, _PHRASES_96, "", MappingProxyType(colours))


DECKS: Mapping[int, Deck] = MappingProxyType({110: _deck_110(110), 112: _deck_110(112), 96: _deck_96()})


def deck_cards(kind: int) -> Mapping[str, int]:
    """Say which cards a deck has.

    Args:
        kind: 110, 112 or 96.

    Returns:
        Every card, in deck order, to its copies.

    Raises:
        ValueError: there is no such deck.

    Example:
        >>> deck_cards(112)["花三"], deck_cards(112)["賴"], sum(deck_cards(112).values())
        (2, 2, 112)
    """
    try:
        return DECKS[kind].copies
    except KeyError:
        known = ", ".join(map(str, DECKS))
        raise ValueError(f"no deck of {kind} cards; there are decks of {known}") from None


@cache
def parse_card(text: str) -> str:
    """Read one card in any spelling.

    Args:
        text: A character, `花` and a character, or a wild.

    Returns:
        The card in the standard spelling.

    Raises:
        NotationError: it is no card of any deck.

    Example:
        >>> parse_card("花一"), parse_card("礼"), parse_card("别")
        ('花乙', '禮', '賴')
    """
    stripped = text.strip()
    if stripped[:1] == FLOWER and len(stripped) == 2:
        card = FLOWER + SPELLINGS.get(stripped[1], "?")
    else:
        card = SPELLINGS.get(stripped.partition(">")[0].strip(), "?")
    if card not in UNIT:
        raise NotationError("no_card", card=text.strip())
    return card


def character_of(card: str) -> str:
    """Name the character of a card, plain or flower; the wild is its own.

    Example:
        >>> character_of("花三"), character_of("三")
        ('三', '三')
    """
    return card[-1]


def pack(cards: Iterable[str]) -> int:
    """Count cards in one integer, a byte a kind."""
    units = UNIT
    return sum([units[card] for card in cards])
