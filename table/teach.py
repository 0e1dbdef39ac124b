"""Corrections teach the deck: what a player says a card is, the deck knows the next time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from table.cards import Corrections, corrected_card
from table.words import say
from vision.deck import Deck
from vision.name import similarities
from vision.types import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.read import Reader

_KNOWN: Final = 0.6
"""From this likeness on a card has the look of a face."""

_NEARER: Final = 0.6
"""A card is another than it was called where so much of what lies between the two faces lies behind it.

Chosen on 26,551 cards of 88 generated decks: of the 1,792 that the namer mistook and a player would correct,
74 are refused with this and `_KNOWN`; of 24,759 that it named right and that are called by another,
87 in 100 are.
"""

_FARTHER: Final = 0.15
"""Less than this between the two likenesses says nothing."""

_CLOSEST: Final = 0.05
"""Faces nearer to each other are taken for so far apart."""


@dataclass(frozen=True, slots=True)
class NotLearned:
    """A correction that the deck did not learn, since the card looks like another face."""

    place: int
    """The number of the card in the photo as read."""

    said: str
    looks: str

    def text(self, lang: str = "en") -> str:
        """Say so.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line.
        """
        return say(
            lang,
            f"第 {self.place} 張的樣子明明是「{self.looks}」，牌沒有學作「{self.said}」",
            f"card {self.place} clearly looks like {self.looks}: the deck did not learn it as {self.said}",
        )


@dataclass(frozen=True, slots=True)
class Taught:
    """What corrections made of a deck."""

    deck: Deck
    """The player's own copy where something was learned, else the deck itself."""

    refused: tuple[NotLearned, ...] = ()

    known: tuple[int, ...] = ()
    """The numbers of the cards that taught nothing: read so and sure, or without a picture."""


def teach(
    deck: Deck, reading: Reading, corrections: Corrections, *, reader: Reader, insist: bool = False
) -> Taught:
    """Let a deck learn from corrected cards.

    Args:
        deck: the deck that the photo was read with.
        reading: what was read, with the crop of each card.
        corrections: what the players say; cards that were added or dropped teach nothing.
        reader: whose namer compares the cards with the deck.
        insist: whether the deck learns what looks like another face, too.

    Returns:
        The deck, and what it did not learn.

    Raises:
        DeckError: the deck has no such face.
    """
    refused = []
    nothing = []
    learned = deck
    for place, said in sorted(corrections.cards.items()):
        read = reading.cards[place]
        name, _ = corrected_card(said, deck.kind)
        if read.crop is None or (name == read.card and read.sure):
            nothing.append(place)
            continue
        looks = None if insist else looks_like(deck, name, (read.crop, read.other_crop), reader)
        if looks is not None:
            refused.append(NotLearned(place, name, looks))
        else:
            learned = learned.corrected(name, read.crop, read.other_crop)
    return Taught(learned, tuple(refused), tuple(nothing))


def looks_like(
    deck: Deck, said: str, crops: Sequence[NDArray[np.uint8] | None], reader: Reader
) -> str | None:
    """Tell whether a card that somebody calls by a name is far nearer to another face of its deck.

    Only what the deck was learned from speaks for another face, not what it was told by corrections: else one
    that was wrong could not be put right.

    Args:
        deck: the deck that it was read with.
        said: the name, in standard spelling.
        crops: uint8[72, 48, 3], its ends as far as they are seen.
        reader: whose namer compares.

    Returns:
        The other face; None where the name may be right, or the deck has no such face yet.
    """
    if said not in deck.labels:
        return None
    prepared = reader.prepare(deck)
    vectors, faces = prepared.vectors()
    first = np.array([not example.correction for example in prepared.examples])
    looks = reader.embed(np.stack([crop for crop in crops if crop is not None]))
    if not first.any():
        return None
    count, named = len(prepared.labels), prepared.labels.index(said)
    own = float(similarities(looks, vectors, faces, count)[:, named].mean())
    others = similarities(looks, vectors[first], faces[first], count).mean(0)
    others[named] = -1
    other = int(others.argmax())
    farther = float(others[other]) - own
    if others[other] <= _KNOWN or farther <= _FARTHER:
        return None
    namesakes = (faces == named) & first
    alike = vectors[first & (faces == other)] @ vectors[namesakes if namesakes.any() else faces == named].T
    return prepared.labels[other] if farther > _NEARER * max(1 - float(alike.max()), _CLOSEST) else None
