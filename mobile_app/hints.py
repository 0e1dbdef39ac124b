"""What to throw away from a hand that is still far from waiting: the cards that go with nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import scorer
from scorer.cards import DECKS, WILD, character_of


@dataclass(frozen=True, slots=True)
class Loose:
    """A card that belongs to no complete group of the hand."""

    card: str
    helps: int
    """How many cards that are not in the hand would make a sentence or three alike with it."""


def loosest(book: scorer.Book, hand: scorer.Hand) -> tuple[Loose, ...]:
    """List the cards that go with nothing, the loosest first.

    A card that already stands in a sentence or among three alike is not listed, nor is a wild.

    Args:
        book: the rule book, whose sentences count.
        hand: in play.

    Returns:
        One entry for each such card; of equal ones the first in the deck's order comes first.
    """
    deck = scorer.deck_cards(book.kind)
    copies = Counter(character_of(card) for card, count in deck.items() for _ in range(count))
    seen = Counter(character_of(card) for card in hand.cards())
    held = Counter(character_of(card) for card in hand.free)
    loose = []
    for card in deck:
        if card not in hand.free or card == WILD:
            continue
        own = character_of(card)
        others = held - Counter([own])
        helping: set[str] = set()
        complete = others[own] >= 2
        if others[own] == 1:
            helping.add(own)
        for sentence in sentences(book):
            if own in sentence:
                lacking = [each for each in sentence if each != own and not others[each]]
                complete = complete or not lacking
                helping.update(lacking if len(lacking) == 1 else ())
        if not complete:
            loose.append(Loose(card, sum(copies[each] - seen[each] for each in helping)))
    return tuple(sorted(loose, key=lambda each: each.helps))


def sentences(book: scorer.Book) -> tuple[tuple[str, ...], ...]:
    """List the sentences of a rule book.

    Args:
        book: with the table's options; ``number_sentences_from`` says where the numbers begin.

    Returns:
        Three characters each.
    """
    deck = DECKS[book.kind]
    first = deck.numbers.index("三") if book.options.get("number_sentences_from") == "三" else 0
    runs = (tuple(deck.numbers[start : start + 3]) for start in range(first, len(deck.numbers) - 2))
    return (*(tuple(phrase) for phrase in deck.phrases), *runs)
