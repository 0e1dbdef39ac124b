"""The readings of a photo as hands: what each comes to, and how likely it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import scorer
from scorer.cards import DECKS, WILD, character_of
from scorer.score import standing
from table.cards import TableCard
from table.guess import is_group
from table.settle import Name, Outcome, Settlement, Sure, Unsure, settle, spread
from table.terms import LaidGroup, Terms
from vision.types import Reading

_NOTHING_THERE: Final = 0.1
"""How likely it is taken to be that no card lies where none could be read; it is asked all the same."""

_FOUR: Final = 4

_LEAST_ON_TABLE: Final = 3
"""Cards of the smallest group on the table."""

_MOST_ALIKE: Final = 5

_HIDDEN: Final = 0.001
"""How likely a card is taken to lie hidden under three or four alike, without a doubt left of it."""

_MADE_UP: Final = 0.3
"""Where there may be too many cards: how likely an unsure one is taken to be none at all."""

_MADE_UP_OF_FOUR: Final = 0.001
"""How likely a sure card is taken to be read twice, where a hand with one card fewer is possible: of four
alike three are a hand, too."""

_MADE_UP_IF_MISCOUNTED: Final = 0.01
"""The same where players had to add or drop cards: the reader was wrong about this photo already."""

_ANOTHER: Final = 0.0001
"""How likely a sure card is at least taken to be any other, where the hand does not split."""

_ANOTHER_IF_MISCOUNTED: Final = 0.005
"""The same where players had to add or drop cards."""


@dataclass(frozen=True, slots=True)
class Table:
    """All that stays the same while the cards take one name or another."""

    book: scorer.Book
    cards: tuple[TableCard, ...]
    laid: tuple[LaidGroup, ...]
    win: int | None
    terms: Terms
    lang: str

    def names(self, names: Sequence[Name]) -> list[Name]:
        """Name every card, the unsure ones by these names in their order."""
        rest = iter(names)
        return [card.card if card.sure else next(rest) for card in self.cards]

    def hand(self, names: Sequence[Name], more: Sequence[str] = ()) -> scorer.Hand:
        """Put the cards, by these names, and more free ones into a hand; without a name it is no card."""
        on_table = {place for group in self.laid for place in group.indices}
        free: list[str] = []
        picked: list[str] = []
        for place, (name, card) in enumerate(zip(names, self.cards, strict=True)):
            if name is not None and place not in on_table:
                (picked if card.picked else free).append(name)
        groups = (
            (tuple([name for place in group.indices if (name := names[place])]), group.bracket)
            for group in self.laid
        )
        laid = tuple(scorer.Laid(cards, bracket) for cards, bracket in groups if cards)
        return scorer.Hand(free=(*free, *more), picked=tuple(picked), laid=laid)

    def score(self, names: Sequence[Name], more: Sequence[str] = ()) -> scorer.Score:
        """Score the cards by these names."""
        return self._score(self.hand(names, more), None if self.win is None else names[self.win])

    def _score(self, hand: scorer.Hand, win: str | None) -> scorer.Score:
        return scorer.score(self.book, hand, win=win, lang=self.lang, **self.terms.keywords())

    def outcome(self, names: Sequence[Name], more: Sequence[str] = ()) -> Outcome:
        """Say what the cards come to by these names."""
        return self.outcome_of(self.hand(names, more), names)

    def outcome_of(self, hand: scorer.Hand, names: Sequence[Name]) -> Outcome:
        """Say what a hand comes to that these names make."""
        scored = self._score(hand, None if self.win is None else names[self.win])
        return Outcome(
            wins=scored.wins,
            points=scored.points,
            steps=scored.steps,
            payments=tuple((each.seat, each.pays, each.to) for each in scored.payments),
            finished=scored.points is not None,
            missing=_missing(scored),
            impossible=self._impossible(scored, names),
        )

    def _impossible(self, scored: scorer.Score, names: Sequence[Name]) -> bool:
        """Tell whether cards that nobody named make more copies than there are, or no group on the table."""
        if scored.reason == "too_many_copies":
            deck = scorer.deck_cards(self.book.kind)
            held = Counter(scored.hand.cards())
            return any(
                name is not None and held[name] > deck.get(name, 0) and not card.told
                for name, card in zip(names, self.cards, strict=True)
            )
        if scored.reason == "unknown_group":
            return any(not self.cards[place].told for group in self.laid for place in group.indices)
        return False


def _missing(score: scorer.Score) -> int:
    """Count the cards that a hand lacks, below 0 those that it has too many.

    A group on the table of fewer than three cards lacks some. A photo of fewer than half the cards of a hand,
    or of more than all its groups can hold, shows no hand that anybody declared: nothing is missing from it.
    """
    book, hand = score.book, score.hand
    if score.reason == "unknown_group":
        short = sum(max(0, _LEAST_ON_TABLE - len(group.cards)) for group in hand.laid)
        more = sum(max(0, len(group.cards) - _LEAST_ON_TABLE) for group in hand.laid)
        lacking = 3 * book.groups + 2 + more - hand.size
        return max(short, lacking if lacking < book.groups else 0)
    if score.reason != "wrong_count":
        return 0
    needed = dict(standing(book, hand, score.request.win).detail).get("needed")
    whole = 3 * book.groups + 2
    if needed is None or not whole / 2 <= hand.size <= whole + 2 * book.groups:
        return 0
    least, _, most = str(needed).partition("–")
    return max(0, int(least) - hand.size) or min(0, int(most or least) - hand.size)


def may_break(book: scorer.Book) -> bool:
    """Tell whether declared fours are free again (001, 004)."""
    return book.truth("table.declared_may_break")


def is_sentence(book: scorer.Book, names: Sequence[str]) -> bool:
    """Tell whether three cards make a phrase or a run of numbers of the book's deck.

    Args:
        book: the rule book.
        names: the cards.

    Returns:
        Whether they do.
    """
    deck = DECKS[book.kind]
    faces = {character_of(name) for name in names}
    runs = (deck.numbers[start : start + 3] for start in range(len(deck.numbers) - 2))
    return any(faces == set(sentence) for sentence in (*deck.phrases, *runs))


def weigh(
    table: Table, reading: Reading, doubts: Sequence[int], seconds: float, *, miscounted: bool
) -> Settlement:
    """Weigh the readings of the cards and of the places that could not be read.

    Args:
        table: the cards and what was said of them.
        reading: of the photo.
        doubts: places among its doubts that nobody has cleared.
        seconds: how long the readings of the unsure cards may be weighed.
        miscounted: whether players had to add cards, or to drop some.

    Returns:
        The settlement, its names those of the unsure cards and then of the doubts.
    """
    names = tuple(card.card for card in table.cards if not card.sure)
    if reading.unknown_deck and names:
        # Names by a deck that is not this one say nothing: there is nothing to weigh.
        points = table.score(table.names(names)).points
        return Settlement(
            settled=False,
            questions=(),
            points_range=None if points is None else (points, points),
            names=names,
            readings=1,
            left_out=1.0,
            wins=0.0,
        )
    return _Weighing(table, doubts, miscounted=miscounted).settle(seconds)


class _Weighing:
    """The readings of one photo.

    Args:
        table: the cards and what was said of them.
        doubts: places that could not be read.
        miscounted: whether players had to add cards, or to drop some.
    """

    def __init__(self, table: Table, doubts: Sequence[int], *, miscounted: bool) -> None:
        self._table = table
        self._miscounted = miscounted
        self._deck = scorer.deck_cards(table.book.kind)
        self._unsure = [place for place, card in enumerate(table.cards) if not card.sure]
        self._doubts = doubts
        on_table = {place for group in table.laid for place in group.indices}
        self._open_free = [place for place in self._unsure if place not in on_table]
        self._open_laid = [place for place in self._unsure if place in on_table]
        self._memory: dict[object, Outcome] = {}
        known = [card.card if card.sure else None for card in table.cards]
        self._known = table.hand(known)
        self._reading_counts = any(card.place is not None and not card.told for card in table.cards)

    def settle(self, seconds: float) -> Settlement:
        """Weigh them."""
        table = self._table
        room = Counter(self._deck)
        room.subtract(card.card for card in table.cards if card.sure)
        left = {name: max(0, room[name]) for name in self._deck}
        unsure = [self._named(place, made_up=self._may_be_too_many()) for place in self._unsure]
        unsure += self._hidden(left)
        groups = [
            group.indices
            for group in table.laid
            if any(not table.cards[place].sure for place in group.indices)
            and _is_table_group(table.book, [table.cards[place].card for place in group.indices])
        ]

        def fits(names: tuple[Name, ...]) -> bool:
            """Keep what lay on the table a group, where its likeliest names are one."""
            read = table.names(names)
            held = ([name for place in places if (name := read[place])] for places in groups)
            return all(_is_table_group(table.book, some) for some in held)

        settlement = settle(
            unsure, left, self._outcome, seconds, fits if groups else lambda _: True, self._vary_sure
        )
        if settlement.settled and self._lacks_one(settlement.names):
            return replace(settlement, settled=False, missing=1)
        if settlement.settled:
            # It is stated, and asks for nothing: no card can be pointed at.
            otherwise = (settlement.otherwise or 0.0) + self._hidden_alike(settlement.names)
            return replace(settlement, otherwise=otherwise)
        return settlement

    def _hidden_alike(self, names: tuple[Name, ...]) -> float:
        """Give the probability that one more card lies hidden under cards alike, and that it pays otherwise.

        Three and four alike are a hand, and so are four and five: nothing else would betray the card.
        """
        base = self._outcome(names)
        if not base.finished or not self._reading_counts:
            return 0.0
        table, known = self._table, len(self._unsure)
        read = table.names(names[:known])
        hand = table.hand(read, [name for name in names[known:] if name is not None])
        free = Counter(character_of(name) for name in hand.free)
        hands = [
            replace(hand, free=(*hand.free, character))
            for character, count in free.items()
            if count in (3, 4) and character != WILD
        ]
        for place, group in enumerate(hand.laid):
            faces = {character_of(name) for name in group.cards} - {WILD}
            if len(faces) == 1 and len(group.cards) < _MOST_ALIKE:
                more = scorer.Laid((*group.cards, *faces), group.bracket)
                hands.append(replace(hand, laid=(*hand.laid[:place], more, *hand.laid[place + 1 :])))
        outcomes = [table.outcome_of(other, read) for other in hands]
        return _HIDDEN * sum(each.finished and each.paid != base.paid for each in outcomes)

    def _lacks_one(self, names: tuple[Name, ...]) -> bool:
        """Tell whether cards make no hand, and would with one more: four alike allow it, it was missed."""
        if self._outcome(names).finished:
            return False
        table, known = self._table, len(self._unsure)
        read = table.names(names[:known])
        more = [name for name in names[known:] if name is not None]
        held = Counter([name for name in read if name is not None] + more)
        return any(
            table.outcome(read, [*more, name]).finished
            for name, copies in self._deck.items()
            if held[name] < copies
        )

    def _may_be_too_many(self) -> bool:
        """Tell whether the cards by their likeliest names make no hand, and one fewer might."""
        table = self._table
        if table.outcome([card.card for card in table.cards]).finished:
            return False
        declared = sum(max(0, len(group.indices) - 3) for group in table.laid)
        return len(table.cards) > 3 * table.book.groups + 2 + declared

    def _named(self, place: int, *, made_up: bool) -> Unsure:
        """Give an unsure card its names, no card at all among them where it may be made up."""
        card = self._table.cards[place]
        names = spread(((card.card, card.confidence), *card.others), self._deck)
        if made_up:
            nothing = min(_MADE_UP, 0.9 * names[0][1])
            shares = [(name, share * (1 - nothing)) for name, share in names]
            names = tuple(sorted([*shares, (None, nothing)], key=lambda item: -item[1]))
        return Unsure(names, index=place)

    def _hidden(self, left: Mapping[str, int]) -> list[Unsure]:
        """Give the places that could not be read the cards that the deck has left, or none."""
        total = sum(left.values())
        shares = [(name, (1 - _NOTHING_THERE) * count / total) for name, count in left.items() if count]
        hidden: list[tuple[Name, float]] = [(None, _NOTHING_THERE), *shares]
        hidden.sort(key=lambda item: -item[1])
        return [Unsure(tuple(hidden), doubt=place) for place in self._doubts]

    def _outcome(self, names: tuple[Name, ...]) -> Outcome:
        table, known = self._table, len(self._unsure)
        read = table.names(names[:known])
        more = [name for name in names[known:] if name is not None]
        loose = sorted([*(read[place] or "" for place in self._open_free), *more])
        win = None if table.win is None else read[table.win]
        key = tuple(loose), tuple([read[place] for place in self._open_laid]), win
        if key not in self._memory:
            self._memory[key] = table.outcome_of(self._hand(read, more), read)
        return self._memory[key]

    def _hand(self, read: Sequence[Name], more: Sequence[str]) -> scorer.Hand:
        """Put a reading into a hand; where only free cards are unsure, the rest need not be put together."""
        if self._open_laid:
            return self._table.hand(read, more)
        cards, free = self._table.cards, list(more)
        picked: list[str] = []
        for place in self._open_free:
            if name := read[place]:
                (picked if cards[place].picked else free).append(name)
        known = self._known
        return scorer.Hand((*known.free, *free), (*known.picked, *picked), known.laid)

    def _vary_sure(self, finished: bool) -> Sure:  # noqa: FBT001 (it is called by place)
        """Give what the reader's confidence leaves open of the cards that it is sure of."""
        open_cards = [
            Unsure(names, index=place)
            for place, card in enumerate(self._table.cards)
            if card.sure and card.place is not None and not card.corrected
            for names in [self._left_open(place, finished=finished)]
            if len(names) > 1
        ]
        places = [card.index for card in open_cards if card.index is not None]

        def outcome(names: tuple[Name, ...], sure: tuple[Name, ...]) -> Outcome | None:
            table, known = self._table, len(self._unsure)
            read = table.names(names[:known])
            for place, name in zip(places, sure, strict=True):
                read[place] = name
            more = [name for name in names[known:] if name is not None]
            held = Counter([name for name in read if name is not None] + more)
            if any(count > self._deck[name] for name, count in held.items()):
                return None
            return table.outcome(read, more)

        return Sure(tuple(open_cards), outcome)

    def _left_open(self, place: int, *, finished: bool) -> tuple[tuple[Name, float], ...]:
        """Give a sure card its name first, and what else it may be all the same."""
        card = self._table.cards[place]
        least = 0.0
        if not finished:
            least = _ANOTHER_IF_MISCOUNTED if self._miscounted else _ANOTHER
        confidence = min(card.confidence, 1.0 - least)
        names = spread(((card.card, confidence), *card.others), self._deck, rounding=0.0)
        # What the reader gave to others is theirs; where less is left open than taken here, all may be it.
        own = [(name, share) for name, share in names if name == card.card]
        others = [(name, share) for name, share in names if name != card.card and share > 0.0]
        made_up = 0.0
        if self._of_four(place) if finished else self._may_be_too_many():
            made_up = _MADE_UP_IF_MISCOUNTED if self._miscounted else _MADE_UP_OF_FOUR
        kept = [(name, share * (1.0 - made_up)) for name, share in (*own, *others)]
        return (*kept, (None, made_up)) if made_up else tuple(kept)

    def _of_four(self, place: int) -> bool:
        """Tell whether a card is one of four and more alike in hand."""
        cards = self._table.cards
        on_table = {each for group in self._table.laid for each in group.indices}
        face = character_of(cards[place].card)
        alike = (
            each not in on_table and card.sure and character_of(card.card) == face
            for each, card in enumerate(cards)
        )
        return place not in on_table and sum(alike) >= _FOUR


def _is_table_group(book: scorer.Book, names: Sequence[str]) -> bool:
    return is_group(names, lambda some: is_sentence(book, some))
