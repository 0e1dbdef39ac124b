"""The faces of the three kinds of deck and how many copies of each there are.

RULES.md §1 (spellings) and §2 (decks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.errors import DeckError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FLOWER = "花"
WILD = "賴"

CHARACTERS_110 = "上大人孔乙己可知禮化三千七十土八九子二四五六"
FLOWER_CHARACTERS = "乙三五七九"
CHARACTERS_96 = "上大人孔乙己化三千七十土八九子爾小生佳作仁福祿壽"

_SPELLINGS = str.maketrans(
    {
        "一": "乙",
        "士": "土",
        "礼": "禮",
        "已": "己",
        "仔": "子",
        "赖": WILD,
        "别": WILD,
        "別": WILD,
        "尔": "爾",
        "禄": "祿",
        "寿": "壽",
        "亡": "仁",
        "丘": "孔",
        "華": FLOWER,
        "华": FLOWER,
    }
)


def _copies(kind: int) -> dict[str, int]:
    if kind == 96:
        return dict.fromkeys(CHARACTERS_96, 4)
    copies = {}
    for character in CHARACTERS_110:
        if character in FLOWER_CHARACTERS:
            copies[character] = 3
            copies[FLOWER + character] = 2
        else:
            copies[character] = 5
    if kind == 112:
        copies[WILD] = 2
    return copies


COPIES: Mapping[int, Mapping[str, int]] = {kind: _copies(kind) for kind in (110, 112, 96)}
"""Kind of deck to its faces and their copies."""

KINDS = tuple(COPIES)


def sibling(label: str) -> str | None:
    """Name the card that differs from this one in the flower alone.

    Args:
        label: a card in standard spelling.

    Returns:
        The plain copy of a flower copy and the reverse; None where there is none.
    """
    if label.startswith(FLOWER):
        return label[1:]
    return FLOWER + label if label in FLOWER_CHARACTERS else None


def parse_faces(text: str) -> tuple[str, ...]:
    """Read card names that stand one after another.

    Args:
        text: ``七三上花七``; any spelling of RULES.md §1, spaces and commas are free.

    Returns:
        The names in standard spelling.

    Raises:
        DeckError: a character is no card, or a flower stands before none.
    """
    faces: list[str] = []
    flower = False
    for character in text.translate(_SPELLINGS):
        if character.isspace() or character in ",，、;；":
            continue
        if character == FLOWER and not flower:
            flower = True
            continue
        label = FLOWER + character if flower else character
        if not any(label in copies for copies in COPIES.values()):
            raise DeckError("label", label=label)
        faces.append(label)
        flower = False
    if flower:
        raise DeckError("label", label=FLOWER)
    return tuple(faces)


def kind_of(labels: Iterable[str]) -> int:
    """Say what kind of deck has these faces.

    Args:
        labels: cards in standard spelling.

    Returns:
        110, 112 or 96; the first of these that has them all.

    Raises:
        DeckError: no deck has them all.
    """
    wanted = dict.fromkeys(labels)
    for kind, copies in COPIES.items():
        if all(label in copies for label in wanted):
            return kind
    for label in wanted:
        if not any(label in copies for copies in COPIES.values()):
            raise DeckError("label", label=label)
    raise DeckError("faces_mixed", labels="".join(wanted))


def missing_faces(labels: Iterable[str], kind: int) -> tuple[str, ...]:
    """List the faces of a deck that are not among the given ones.

    Args:
        labels: cards in standard spelling.
        kind: 110, 112 or 96.

    Returns:
        The missing ones in the order of the deck.
    """
    given = set(labels)
    return tuple(label for label in COPIES[kind] if label not in given)
