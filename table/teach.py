"""Corrections teach the deck: what a player says a card is, the deck knows the next time."""

from __future__ import annotations

from table.cards import Corrections, corrected_card
from vision.deck import Deck
from vision.types import Reading


def teach(deck: Deck, reading: Reading, corrections: Corrections) -> Deck:
    """Let a deck learn from corrected cards.

    Args:
        deck: the deck that the photo was read with.
        reading: what was read, with the crop of each card.
        corrections: what the players say; cards that were added or dropped teach nothing.

    Returns:
        The player's own copy where something was learned, else the deck itself.

    Raises:
        DeckError: the deck has no such face.
    """
    for place, said in sorted(corrections.cards.items()):
        read = reading.cards[place]
        name, _ = corrected_card(said, deck.kind)
        if read.crop is not None and (name != read.card or not read.sure):
            deck = deck.corrected(name, read.crop, read.other_crop)
    return deck
