"""Counting hands of Hubei 花牌, 個子 and 上大人 cards.

Standard library only; no pictures, no files but the rule books.

Example:
    >>> book = load_book("sanjing")
    >>> hand = parse_hand("上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九")
    >>> score(book, hand).points
    40
"""

from scorer.book import Book, Option, load_book, rule_names
from scorer.cards import deck_cards, parse_card
from scorer.errors import (
    BadRequest,
    BookError,
    LanguageError,
    NotationError,
    OptionError,
    ScorerError,
    UnknownRule,
)
from scorer.explain import Group
from scorer.hand import Hand, Laid, parse_hand
from scorer.lang import LANGS, simplify
from scorer.payment import Payment
from scorer.score import Score, Warning, score  # noqa: A004
from scorer.waits import Advice, Discard, Hindrance, Wait, advise, hindrance, waits

RULES: tuple[str, ...] = rule_names()
"""The names of the rule books that ship."""

__all__ = [
    "LANGS",
    "RULES",
    "Advice",
    "BadRequest",
    "Book",
    "BookError",
    "Discard",
    "Group",
    "Hand",
    "Hindrance",
    "Laid",
    "LanguageError",
    "NotationError",
    "Option",
    "OptionError",
    "Payment",
    "Score",
    "ScorerError",
    "UnknownRule",
    "Wait",
    "Warning",
    "advise",
    "deck_cards",
    "hindrance",
    "load_book",
    "parse_card",
    "parse_hand",
    "score",
    "simplify",
    "waits",
]
