"""The ways in which a request to the scorer can be wrong, one class each."""

from __future__ import annotations

from scorer.lang import local, quote


class ScorerError(ValueError):
    """Base of every error that a user can cause; one line, in each of the languages."""

    def __init__(self, message: str, /, **parts: object) -> None:
        self.message = message
        self.parts = parts
        super().__init__(quote("en", f"error.{message}", **parts))

    def text(self, lang: str = "zh-Hant") -> str:
        """Say what is wrong.

        Args:
            lang: One of `scorer.LANGS`.

        Returns:
            One line in that language.

        Example:
            >>> UnknownRule("unknown_rule", rule="mahjong", known="sanjing").text("en")
            "no rule book is called 'mahjong'; there are: sanjing"
        """
        parts = self.parts
        if "cards" in parts:
            parts = {**parts, "cards": local(lang, str(parts["cards"]))}
        return quote(lang, f"error.{self.message}", **parts)


class NotationError(ScorerError):
    """The text of a hand or a card cannot be read."""


class UnknownRule(ScorerError):  # noqa: N818
    """There is no rule book of that name."""


class BookError(ScorerError):
    """A rule book file does not hold together."""


class OptionError(ScorerError):
    """A rule book has no such option, or the option no such value."""


class BadRequest(ScorerError):  # noqa: N818
    """What is asked does not fit the rule book or the hand: players, seats, the winning card, the deck."""


class LanguageError(ScorerError):
    """There is no text in that language."""
