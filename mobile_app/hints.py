"""What to discard, and why, in plain words; far from waiting, the cards that go with nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import scorer
from mobile_app.words import card_name, pick, words
from scorer.cards import DECKS, WILD, character_of
from scorer.waits import Advice


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


def plain_words(book: scorer.Book, advice: Advice, lang: str) -> tuple[str, ...]:
    """Say which discard is best, and why it is better than the next.

    Args:
        book: the rule book.
        advice: of the scorer.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        One line or two.
    """
    unit = pick(lang, book.text("unit"), words(lang, "points"))
    waiting = [discard for discard in advice.advise if discard.waits]
    if not waiting:
        return (words(lang, "advice.far"),)
    best = waiting[0]
    if not best.left:
        best = max(waiting, key=lambda discard: sum(wait.left for wait in discard.waits))
        return (words(lang, "advice.only_short", card=card_name(lang, best.discard)),)
    points = max(wait.points for wait in best.waits if wait.wins)
    lines = [
        words(
            lang, "advice.best", card=card_name(lang, best.discard), left=best.left, points=points, unit=unit
        )
    ]
    second = next((discard for discard in waiting[1:] if discard.left), None)
    if second is not None:
        if (second.weight, second.left) == (best.weight, best.left):
            key = "advice.as_good"
        elif second.left < best.left:
            key = "advice.more_cards"
        else:
            key = "advice.more_points"
        lines.append(words(lang, key, card=card_name(lang, second.discard), left=second.left))
    return tuple(lines)


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
