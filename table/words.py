"""What the table says, in the two scripts and in English."""

from __future__ import annotations

from scorer.lang import pick as say

__all__ = [
    "ClaimError",
    "CodeError",
    "CorrectionError",
    "DeckMismatchError",
    "LaidError",
    "TableError",
    "say",
]


class TableError(ValueError):
    """What a player gave the table and what cannot be; one line in each language."""

    def __init__(self, en: str, hant: str) -> None:
        super().__init__(en)
        self.hant = hant

    def text(self, lang: str = "en") -> str:
        """Say what is wrong.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line.
        """
        return say(lang, self.hant, str(self))


class CorrectionError(TableError):
    """A correction that fits no card of the photo."""


class LaidError(TableError):
    """Groups on the table that are not among the cards, or a winning card that is not."""


class DeckMismatchError(TableError):
    """A photo of a deck that the rule is not played with."""


class CodeError(TableError):
    """A short code that is no code of a hand."""


class ClaimError(TableError):
    """A claim that is neither a count nor a split of the hand."""
