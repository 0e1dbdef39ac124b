"""Readings of photos that were never taken."""

import scorer
from vision.types import Card, Doubt, Reading

WIDE, LONG, STEP = 20.0, 90.0, 22.0


def read_card(name, column=0, row=0, *, sure=True, others=(), confidence=None, top=300.0, group=None):
    """A card as the reader gives it, lying in a column of overlapping cards."""
    left, y = 28.0 * column, top + STEP * row
    if confidence is None:
        confidence = 1.0 if sure else 1.0 - sum(share for _, share in others)
    return Card(
        card=name,
        outline=((left, y), (left + WIDE, y), (left + WIDE, y + LONG), (left, y + LONG)),
        mark=(left + WIDE / 2, y + 16),
        confidence=confidence,
        sure=sure,
        others=tuple(others),
        group=column if group is None else group,
    )


def names_in(text):
    """Cut a text into cards."""
    names = []
    for letter in text.replace(" ", ""):
        if names and names[-1] == "花":
            names[-1] += letter
        else:
            names.append(letter)
    return names


def reading(*columns, laid=(), unsure=None, doubts=0, deck="kai", kind=110):
    """A photo of columns of cards; laid ones lie apart, above the others.

    Args:
        columns: the cards of each column, as text.
        laid: the cards of each column on the table, as text.
        unsure: a card's place to the names that it may have beside its own, with their probabilities.
        doubts: places that could not be read.
        deck: name of the deck.
        kind: its kind.
    """
    unsure = unsure or {}
    cards = []
    for column, text in enumerate((*laid, *columns)):
        top = 0.0 if column < len(laid) else 400.0
        for row, name in enumerate(names_in(text)):
            others = unsure.get(len(cards))
            cards.append(read_card(name, column, row, sure=others is None, others=others or (), top=top))
    marks = tuple(Doubt((500.0, 500.0 + place), "covered") for place in range(doubts))
    return Reading((800, 600), deck, tuple(cards), marks, {"find": 1.0}, kind=kind)


def finished_hand(rng, book):
    """Draw groups until the deck gives a finished hand."""
    numbers = book.deck.numbers
    sentences = [*book.deck.phrases, *(numbers[place : place + 3] for place in range(len(numbers) - 2))]
    while True:
        pile = [card for card, count in scorer.deck_cards(book.kind).items() for _ in range(count)]
        rng.shuffle(pile)
        cards = []

        def take(characters, pile=pile, cards=cards):
            for character in characters:
                card = next((card for card in pile if card[-1] == character), None)
                if card is None:
                    return False
                pile.remove(card)
                cards.append(card)
            return True

        groups = [
            rng.choice(sentences) if rng.random() < 0.7 else rng.choice(book.deck.characters) * 3
            for _ in range(book.groups)
        ]
        groups.append(rng.choice(book.deck.characters) * 2)
        if all(take(group) for group in groups):
            return scorer.Hand(free=tuple(cards))
