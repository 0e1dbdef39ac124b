"""Pixels to cards: knows decks, not rules.

The reading path imports numpy and an inference session alone; `vision.decode`
and `vision.draw` need OpenCV and are imported by name.
"""

from vision.deck import Deck, Example
from vision.errors import Cancelled, DeckError, ImageError, ModelError, VisionError
from vision.learn import Learned, learn_deck
from vision.read import Picture, Reader
from vision.shelf import Shelf, shipped_decks
from vision.types import Card, Doubt, Ends, Reading

__all__ = [
    "Cancelled",
    "Card",
    "Deck",
    "DeckError",
    "Doubt",
    "Ends",
    "Example",
    "ImageError",
    "Learned",
    "ModelError",
    "Picture",
    "Reader",
    "Reading",
    "Shelf",
    "VisionError",
    "learn_deck",
    "shipped_decks",
]
