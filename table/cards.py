"""The cards of a photo as the players corrected them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import scorer
from scorer.cards import PICKED, parse_card
from table.words import CorrectionError
from vision.types import Card, Point, Reading


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card that counts: read in the photo, corrected, or added by a player."""

    card: str
    """Its name in the standard spelling, ``花三``."""

    place: int | None
    """Its number in the photo as read, which corrections name it by; None where it was added."""

    confidence: float = 1.0
    sure: bool = True
    others: tuple[tuple[str, float], ...] = ()
    outline: tuple[Point, Point, Point, Point] | None = None
    """Corners in pixels of the upright photo; None where it was added."""

    mark: Point | None = None
    group: int | None = None
    """Cards of one number lie together; None where it was added."""

    picked: bool = False
    """Picked up from a discard (撿), which some rules ask."""

    corrected: bool = False
    """Whether a player said what it is."""

    @property
    def told(self) -> bool:
        """Whether its name is what a player said, and not only what was read."""
        return self.corrected or (self.sure and self.confidence >= 1.0)

    @classmethod
    def read(cls, place: int, card: Card) -> TableCard:
        """Take a card as the reader gives it.

        Args:
            place: its number in the photo, from 0 on.
            card: what was read.

        Returns:
            The same card, uncorrected.
        """
        return cls(
            card.card, place, card.confidence, card.sure, card.others, card.outline, card.mark, card.group
        )

    def to_json(self) -> dict[str, object]:
        """Write the card as INTERFACE.md shows it, with `place` and what players said of it.

        Returns:
            A dictionary of plain JSON values.
        """
        return {
            "card": self.card,
            "outline": self.outline and [[round(x, 1), round(y, 1)] for x, y in self.outline],
            "mark": self.mark and [round(self.mark[0], 1), round(self.mark[1], 1)],
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "others": [[name, round(share, 4)] for name, share in self.others],
            "group": self.group,
            "place": self.place,
            "corrected": self.corrected,
        }


@dataclass(frozen=True, slots=True)
class Corrections:
    """What the players say about the reading. Places are those of the photo as read."""

    cards: Mapping[int, str] = field(default_factory=dict)
    """The true card at a place; ``撿`` before it says that it was picked up."""

    dropped: frozenset[int] = frozenset()
    """Places whose cards are none of the hand's."""

    added: tuple[str, ...] = ()
    """Cards that the photo does not show."""

    cleared: frozenset[int] = frozenset()
    """Places among the doubts that need no more asking: nothing of the hand lies there, or it was added."""

    @classmethod
    def parse(
        cls,
        cards: Sequence[str] = (),
        dropped: Sequence[str | int] = (),
        added: Sequence[str] = (),
        cleared: Sequence[str | int] = (),
    ) -> Corrections:
        """Read corrections as they are typed.

        Args:
            cards: each ``N=CARD``.
            dropped: each a place.
            added: each a card.
            cleared: each a place among the doubts.

        Returns:
            The corrections, not yet compared with a photo.

        Raises:
            CorrectionError: not a place and a card, or one place twice.
        """
        said: dict[int, str] = {}
        for text in cards:
            number, equals, card = text.partition("=")
            if not equals or not card.strip():
                raise CorrectionError(f"expected N=CARD, got {text}", f"應寫成「序號=牌」，卻是「{text}」")
            place = _place(number)
            if place in said:
                raise CorrectionError(f"card {place} is corrected twice", f"第 {place} 張改了兩次")
            said[place] = card.strip()
        gone = [_place(number) for number in dropped]
        for place in gone:
            if place in said or gone.count(place) > 1:
                raise CorrectionError(f"card {place} is corrected twice", f"第 {place} 張改了兩次")
        empty = [_place(number) for number in cleared]
        for place in empty:
            if empty.count(place) > 1:
                raise CorrectionError(
                    f"unread place {place} is cleared twice", f"看不清的第 {place} 處了結了兩次"
                )
        return cls(said, frozenset(gone), tuple(added), frozenset(empty))

    def doubts(self, reading: Reading) -> tuple[int, ...]:
        """List the places that could not be read and still have to be asked for.

        Args:
            reading: what was read.

        Returns:
            Places among its doubts.

        Raises:
            CorrectionError: a doubt was cleared that the photo does not have.
        """
        for place in sorted(self.cleared):
            if not 0 <= place < len(reading.doubts):
                raise CorrectionError(
                    f"there is no unread place {place}: the photo has {len(reading.doubts)}, numbered from 0",
                    f"沒有第 {place} 處看不清的牌：照片共 {len(reading.doubts)} 處，從 0 數起",
                )
        return tuple(place for place in range(len(reading.doubts)) if place not in self.cleared)

    def apply(self, reading: Reading, kind: int) -> tuple[TableCard, ...]:
        """Correct a reading.

        Args:
            reading: what was read.
            kind: the deck that the rule is played with: 110, 112 or 96.

        Returns:
            The cards that count, in reading order, the added ones last.

        Raises:
            CorrectionError: a place that the photo does not have, or a card that the deck does not have.
        """
        for place in sorted({*self.cards, *self.dropped}):
            if not 0 <= place < len(reading.cards):
                raise CorrectionError(
                    f"there is no card {place}: the photo has {len(reading.cards)}, numbered from 0",
                    f"沒有第 {place} 張：照片共 {len(reading.cards)} 張，從 0 數起",
                )
        kept = []
        for place, read in enumerate(reading.cards):
            if place in self.dropped:
                continue
            card = TableCard.read(place, read)
            if place in self.cards:
                name, picked = corrected_card(self.cards[place], kind)
                card = replace(
                    card, card=name, picked=picked, confidence=1.0, sure=True, others=(), corrected=True
                )
            kept.append(card)
        for text in self.added:
            name, picked = corrected_card(text, kind)
            kept.append(TableCard(name, None, picked=picked, corrected=True))
        return tuple(kept)


def shown(reading: Reading, cards: Sequence[TableCard], doubts: Sequence[int]) -> Reading:
    """Give a reading with what the players corrected, to be drawn over the photo.

    Args:
        reading: what was read.
        cards: the cards that count.
        doubts: the places among its doubts that are still open.

    Returns:
        The cards that count and lie in the photo, by their names of now, and the open doubts.
    """
    there = [
        replace(
            reading.cards[card.place],
            card=card.card,
            confidence=card.confidence,
            sure=card.sure,
            others=card.others,
        )
        for card in cards
        if card.place is not None
    ]
    return replace(reading, cards=tuple(there), doubts=tuple(reading.doubts[place] for place in doubts))


def _place(number: str | int) -> int:
    try:
        return int(number)
    except ValueError:
        raise CorrectionError(f"not the number of a card: {number}", f"不是牌的序號：「{number}」") from None


def corrected_card(text: str, kind: int) -> tuple[str, bool]:
    """Read the card of a correction.

    Args:
        text: one card in any spelling, ``撿`` before it where it was picked up.
        kind: the deck: 110, 112 or 96.

    Returns:
        The card in the standard spelling, and whether it was picked up.

    Raises:
        CorrectionError: not a card, or none of the deck.
    """
    name = text.strip()
    picked = name.startswith(PICKED)
    try:
        card = parse_card(name.removeprefix(PICKED))
    except scorer.ScorerError:
        raise CorrectionError(f"not a card: {text}", f"不是牌：「{text}」") from None
    if card not in scorer.deck_cards(kind):
        raise CorrectionError(f"the deck of {kind} cards has no {card}", f"{kind} 張的牌裡沒有「{card}」")
    return card, picked
