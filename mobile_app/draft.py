"""A hand on its way from the photo to the count: what was read and all that the players say about it.

A draft is never changed; each tap gives a new one, so that one step back is always there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

import scorer
from scorer.cards import DECKS, WILD, character_of
from table.cards import Corrections, TableCard
from table.guess import Guess, guess_table
from table.round import Bracket, LaidGroup, Round, Terms, play
from vision.read import Picture
from vision.types import Card, Doubt, Point, Reading

Key = int
"""A card of the draft: its place in the photo from 0 on, or below 0 for one that was added."""

GAP = 24
"""Pixels between two photos of one hand that are shown as one."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A group that lay on the table, by the keys of its cards."""

    keys: tuple[Key, ...]
    bracket: Bracket = "round"


@dataclass(frozen=True, slots=True)
class Shown:
    """A card as the app draws it."""

    key: Key
    card: str
    sure: bool
    outline: tuple[Point, Point, Point, Point] | None
    mark: Point | None
    others: tuple[tuple[str, float], ...]
    group: int | None
    left_out: bool
    corrected: bool
    picked: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What was read, corrected and laid out up to now."""

    reading: Reading
    named: Mapping[Key, str] = field(default_factory=dict)
    left_out: frozenset[Key] = frozenset()
    added: tuple[tuple[Key, str], ...] = ()
    cleared: frozenset[int] = frozenset()
    """Doubts of the reading that a player has answered."""

    laid: tuple[Laid, ...] = ()
    win: Key | None = None
    picked: frozenset[Key] = frozenset()
    """Cards that were picked up (撿), where the rule asks."""

    answered_laid: bool = False
    """Whether a player has said what lay on the table."""

    def shown(self, *, all_cards: bool = True) -> tuple[Shown, ...]:
        """List the cards in reading order, the added ones last.

        Args:
            all_cards: whether those that were left out are listed too.

        Returns:
            The cards as they are called now.
        """
        cards = []
        for key, read in enumerate(self.reading.cards):
            if key in self.left_out and not all_cards:
                continue
            card = self.named.get(key, read.card)
            cards.append(
                Shown(
                    key=key,
                    card=card,
                    sure=key in self.named or read.sure,
                    outline=read.outline,
                    mark=read.mark,
                    others=_others(read, card),
                    group=read.group,
                    left_out=key in self.left_out,
                    corrected=key in self.named,
                    picked=key in self.picked,
                )
            )
        for key, card in self.added:
            cards.append(
                Shown(key, card, True, None, None, (), None, False, True, key in self.picked)  # noqa: FBT003
            )
        return tuple(cards)

    def card(self, key: Key) -> Shown:
        """Give one card.

        Args:
            key: of the card.

        Returns:
            The card.

        Raises:
            KeyError: there is none.
        """
        for each in self.shown():
            if each.key == key:
                return each
        raise KeyError(key)

    @property
    def doubts(self) -> tuple[tuple[int, Doubt], ...]:
        """The places that could not be read and that nobody has answered yet."""
        return tuple(
            (place, doubt) for place, doubt in enumerate(self.reading.doubts) if place not in self.cleared
        )

    @property
    def count(self) -> int:
        """How many cards the hand has."""
        return len(self.reading.cards) - len(self.left_out) + len(self.added)

    @property
    def unsure(self) -> tuple[Shown, ...]:
        """The cards whose name a player should look at."""
        return tuple(card for card in self.shown(all_cards=False) if not card.sure)

    def call(self, key: Key, card: str) -> Draft:
        """Say what a card is; it is in the hand, then.

        Args:
            key: of the card.
            card: its name in the standard spelling.

        Returns:
            The corrected draft.
        """
        if key < 0:
            added = tuple((each, card if each == key else name) for each, name in self.added)
            return replace(self, added=added)
        return replace(self, named={**self.named, key: card}, left_out=self.left_out - {key})

    def leave_out(self, keys: Iterable[Key]) -> Draft:
        """Say that cards do not belong to the hand.

        Args:
            keys: of the cards; added ones are forgotten.

        Returns:
            The draft without them, without the groups and the winning card that they were in.
        """
        gone = set(keys)
        return replace(
            self,
            left_out=self.left_out | {key for key in gone if key >= 0},
            added=tuple((key, card) for key, card in self.added if key not in gone),
            laid=tuple(group for group in self.laid if not gone & set(group.keys)),
            win=None if self.win in gone else self.win,
            picked=self.picked - gone,
        )

    def take_back(self, keys: Iterable[Key]) -> Draft:
        """Say that cards belong to the hand after all.

        Args:
            keys: of cards that were left out.

        Returns:
            The draft with them.
        """
        return replace(self, left_out=self.left_out - set(keys))

    def together(self, key: Key) -> tuple[Key, ...]:
        """List the cards that lie together with one, itself included.

        Args:
            key: of a card.

        Returns:
            Their keys; the key alone where the card was added.
        """
        group = self.card(key).group
        if group is None:
            return (key,)
        return tuple(place for place, card in enumerate(self.reading.cards) if card.group == group)

    def add(self, card: str, *, doubt: int | None = None) -> Draft:
        """Add a card that was not read.

        Args:
            card: its name in the standard spelling.
            doubt: the doubt of the reading that it answers.

        Returns:
            The draft with it.
        """
        key = min((key for key, _ in self.added), default=0) - 1
        cleared = self.cleared if doubt is None else self.cleared | {doubt}
        return replace(self, added=(*self.added, (key, card)), cleared=cleared)

    def clear(self, doubt: int) -> Draft:
        """Say that no card of the hand lies where none could be read.

        Args:
            doubt: its place among the doubts of the reading.

        Returns:
            The draft without that doubt.
        """
        return replace(self, cleared=self.cleared | {doubt})

    def lay(self, keys: Sequence[Key], bracket: Bracket = "round") -> Draft:
        """Say that cards lay on the table as one group.

        Args:
            keys: of the cards.
            bracket: ``square`` for fours and fives that were declared from the hand.

        Returns:
            The draft with the group; groups that shared a card are taken apart.
        """
        held = set(keys)
        laid = tuple(group for group in self.laid if not held & set(group.keys))
        win = None if self.win in held else self.win
        return replace(
            self,
            laid=(*laid, Laid(tuple(sorted(held)), bracket)),
            win=win,
            picked=self.picked - held,
            answered_laid=True,
        )

    def turn(self, place: int) -> Draft:
        """Turn a laid group from picked up to declared from the hand, or back.

        Args:
            place: of the group.

        Returns:
            The draft with the other bracket.
        """
        group = self.laid[place]
        other: Bracket = "square" if group.bracket == "round" else "round"
        return replace(
            self, laid=(*self.laid[:place], replace(group, bracket=other), *self.laid[place + 1 :])
        )

    def unlay(self, place: int) -> Draft:
        """Take a group from the table back into the hand.

        Args:
            place: of the group.

        Returns:
            The draft without it.
        """
        return replace(self, laid=self.laid[:place] + self.laid[place + 1 :], answered_laid=True)

    def win_with(self, key: Key | None) -> Draft:
        """Say which card won.

        Args:
            key: of a card that is not on the table; None takes the answer back.

        Returns:
            The draft.
        """
        if key is not None and any(key in group.keys for group in self.laid):
            return self
        return replace(self, win=key)

    def pick(self, key: Key) -> Draft:
        """Say that a card was picked up (撿), or that it was not after all.

        Args:
            key: of the card.

        Returns:
            The draft.
        """
        return replace(self, picked=self.picked ^ {key})

    def guess(self, kind: int) -> Guess:
        """Guess from the places of the cards what lay on the table and which card won.

        Args:
            kind: the deck: 110, 112 or 96.

        Returns:
            The guess; its places are keys of this draft.
        """
        kept = self.shown(all_cards=False)
        cards = [
            TableCard(each.card, each.key, outline=each.outline, mark=each.mark, group=each.group)
            for each in kept
        ]
        guess = guess_table(cards, lambda names: is_sentence(kind, names))
        win = None if guess.win is None else kept[guess.win].key
        return Guess(tuple(tuple(kept[place].key for place in group) for group in guess.laid), win)

    def take_guess(self, guess: Guess) -> Draft:
        """Agree to a guess.

        Args:
            guess: of `guess`.

        Returns:
            The draft with its groups and its winning card.
        """
        draft = replace(self, laid=(), answered_laid=True)
        for group in guess.laid:
            draft = draft.lay(group)
        return draft if guess.win is None else draft.win_with(guess.win)

    def hand(self) -> scorer.Hand:
        """Give the hand by the names of now, likeliest where unsure.

        Returns:
            The hand as the scorer takes it.
        """
        names = {each.key: each.card for each in self.shown(all_cards=False)}
        on_table = {key for group in self.laid for key in group.keys}
        return scorer.Hand(
            free=tuple(card for key, card in names.items() if key not in on_table | self.picked),
            picked=tuple(card for key, card in names.items() if key in self.picked),
            laid=tuple(
                scorer.Laid(cards=tuple(names[key] for key in group.keys), bracket=group.bracket)
                for group in self.laid
            ),
        )

    def corrections(self) -> Corrections:
        """Write what the players said as the table takes it.

        Returns:
            The corrections.
        """
        said = {key: self._marked(key, card) for key, card in self.named.items() if key not in self.left_out}
        for key in self.picked:
            if key >= 0 and key not in said:
                said[key] = self._marked(key, self.reading.cards[key].card)
        return Corrections(said, self.left_out, tuple(self._marked(key, card) for key, card in self.added))

    def _marked(self, key: Key, card: str) -> str:
        return f"撿{card}" if key in self.picked else card

    def play(self, book: scorer.Book, terms: Terms, lang: str) -> Round:
        """Count the hand, weighing what is still unsure.

        Args:
            book: the rule book.
            terms: how the hand was won.
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            The round.

        Raises:
            ValueError: the cards, the groups or the terms do not fit the book; it has a `text`.
        """
        doubts = tuple(doubt for _, doubt in self.doubts)
        places = {each.key: place for place, each in enumerate(self.shown(all_cards=False))}
        return play(
            replace(self.reading, doubts=doubts),
            book,
            corrections=self.corrections(),
            laid=[LaidGroup(tuple(places[key] for key in group.keys), group.bracket) for group in self.laid],
            win=None if self.win is None else places[self.win],
            terms=terms,
            lang=lang,
        )

    def key_of(self, place: int) -> Key:
        """Say which card stands at a place of a round.

        Args:
            place: in `Round.cards`.

        Returns:
            Its key.
        """
        return self.shown(all_cards=False)[place].key

    def doubt_of(self, place: int) -> int:
        """Say which doubt of the reading a round's question means.

        Args:
            place: among the doubts that were still open.

        Returns:
            Its place among all doubts.
        """
        return self.doubts[place][0]


def _others(read: Card, card: str) -> tuple[tuple[str, float], ...]:
    names = [(name, share) for name, share in ((read.card, read.confidence), *read.others) if name != card]
    return tuple(sorted(names, key=lambda other: -other[1]))


def _lower(outline: tuple[Point, Point, Point, Point], above: int) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((x, y + above) for x, y in outline)
    return a, b, c, d


def from_cards(cards: Sequence[str]) -> Draft:
    """Make a draft of cards that were entered by tapping, without a photo.

    Args:
        cards: in the standard spelling.

    Returns:
        The draft.
    """
    draft = Draft(Reading(size=(0, 0), deck=None))
    for card in cards:
        draft = draft.add(card)
    return draft


def join(draft: Draft, reading: Reading, above: int) -> Draft:
    """Add another photo of the same hand.

    Args:
        draft: the hand up to now.
        reading: what the next photo shows, already in pixels of the joined picture (`join_pictures`).
        above: the height of the picture up to now with the gap, in pixels.

    Returns:
        The draft of both; what was said about the first photo stays.
    """
    groups = 1 + max((card.group for card in draft.reading.cards), default=-1)
    cards = tuple(
        replace(
            card,
            outline=_lower(card.outline, above),
            mark=(card.mark[0], card.mark[1] + above),
            group=card.group + groups,
        )
        for card in reading.cards
    )
    doubts = tuple(replace(doubt, mark=(doubt.mark[0], doubt.mark[1] + above)) for doubt in reading.doubts)
    width = max(draft.reading.size[0], reading.size[0])
    both = replace(
        draft.reading,
        size=(width, above + reading.size[1]),
        cards=(*draft.reading.cards, *cards),
        doubts=(*draft.reading.doubts, *doubts),
    )
    return replace(draft, reading=both)


def join_pictures(first: Picture, second: Picture) -> tuple[Picture, int]:
    """Put two photos of one hand under each other.

    Args:
        first: the picture up to now.
        second: the next photo; both as `as_decoded` gives them.

    Returns:
        The picture of both, in whole pixels of each, and where the second begins.
    """
    one, two = first.pixels, second.pixels
    width = max(one.shape[1], two.shape[1])
    above = one.shape[0] + GAP
    both = np.full((above + two.shape[0], width, 3), 128, np.uint8)
    both[: one.shape[0], : one.shape[1]] = one
    both[above:, : two.shape[1]] = two
    return Picture(both, (width, both.shape[0])), above


def as_decoded(picture: Picture) -> Picture:
    """Forget that a photo was larger before it was decoded, so that all pixels are those shown.

    Args:
        picture: a photo.

    Returns:
        The same pixels.
    """
    return Picture.of(picture.pixels)


def is_sentence(kind: int, names: Sequence[str]) -> bool:
    """Tell whether three cards are a phrase or a run of numbers.

    Args:
        kind: the deck: 110, 112 or 96.
        names: cards in the standard spelling.

    Returns:
        Whether they are a sentence of that deck.
    """
    deck = DECKS[kind]
    faces = {character_of(name) for name in names}
    runs = (deck.numbers[start : start + 3] for start in range(len(deck.numbers) - 2))
    return len(names) == 3 and any(faces == set(sentence) for sentence in (*deck.phrases, *runs))


def is_group(kind: int, names: Sequence[str]) -> bool:
    """Tell whether cards can lie on the table as one group.

    Args:
        kind: the deck: 110, 112 or 96.
        names: cards in the standard spelling.

    Returns:
        Whether they are three to five alike (wilds stand for any) or a sentence.
    """
    faces = {character_of(name) for name in names} - {WILD}
    if 3 <= len(names) <= (4 if kind == 96 else 5) and len(faces) <= 1:
        return True
    return is_sentence(kind, names)


def split_groups(kind: int, cards: Sequence[Shown]) -> tuple[tuple[Key, ...], ...]:
    """Cut cards that lay on the table into groups: all as one, by how they lie, or by their characters.

    Args:
        kind: the deck: 110, 112 or 96.
        cards: those that a frame was drawn round.

    Returns:
        The keys of each group; empty where they fall into no groups.
    """
    lying: dict[int | None, list[Shown]] = {}
    alike: dict[str, list[Shown]] = {}
    for card in cards:
        lying.setdefault(card.group, []).append(card)
        alike.setdefault(character_of(card.card), []).append(card)
    for parts in ([list(cards)], list(lying.values()), list(alike.values())):
        if all(is_group(kind, [card.card for card in part]) for part in parts):
            return tuple(tuple(card.key for card in part) for part in parts)
    return ()


def terms(
    *, winner: int, discarder: int | None, players: int, stake: int, dui: Mapping[int, int] | None = None
) -> Terms:
    """Write how a hand was won as the table takes it.

    Args:
        winner: seat of the winner.
        discarder: seat whose card it was; None where the winner drew it.
        players: how many play.
        stake: what a step is worth.
        dui: seats and how many 對 they exposed.

    Returns:
        The terms.
    """
    by: Literal["self", "discard"] = "self" if discarder is None else "discard"
    return Terms(by, players, stake, winner, discarder, dict(dui or {}) or None)
