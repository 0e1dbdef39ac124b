"""What cards and groups count by a rule book, and by which of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from scorer.cards import FLOWER, WILD

if TYPE_CHECKING:
    from scorer.book import Book

PLAIN, FLOWERED, WILD_AS = 0, 1, 2
"""The faces of a character: its plain copy, its flower copy, and a wild that stands for the flower copy."""

SHAPES = {3: "triplet", 4: "quad", 5: "quint"}


def face_card(character: str, face: int) -> str:
    """The card of a face, as it stands in a report.

    Example:
        >>> [face_card("三", face) for face in (PLAIN, FLOWERED, WILD_AS)]
        ['三', '花三', '賴>花三']
    """
    if face == PLAIN:
        return character
    return FLOWER + character if face == FLOWERED else f"{WILD}>{FLOWER}{character}"


@dataclass(frozen=True, slots=True)
class Worth:
    """What something counts before the main jing is doubled, and the book's values that say so."""

    points: int
    keys: tuple[str, ...]


class Points:
    """The values of one rule book, ready to be looked up."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.values: Mapping[str, object] = book.values
        self.jing = tuple(cast("list[str]", book.values.get("jing.characters", [])))
        self.main_times = book.number("jing.main_times", 1)
        """How often the main jing counts; 1 where the book has none."""
        self.main_rule = str(book.values.get("jing.main", "")) if self.main_times > 1 else ""
        self.colours = book.deck.colours
        first = book.text("number_sentences.first", "乙")
        numbers = book.deck.numbers[book.deck.numbers.find(first) :] if book.deck.numbers else ""
        runs = tuple(numbers[place : place + 3] for place in range(len(numbers) - 2))
        self.sentences = (*book.deck.phrases, *runs)
        """Every sentence of the book, three characters in their order."""
        self.sentence_number = {frozenset(sentence): place for place, sentence in enumerate(self.sentences)}
        self.halves = frozenset(
            frozenset(pair) for a, b, c in map(tuple, self.sentences) for pair in ((a, b), (a, c), (b, c))
        )
        """The pairs of different characters that make an eye."""
        self._cards: dict[tuple[str, int], Worth] = {}
        self._eye_cards: dict[tuple[str, int], Worth] = {}
        self._alike_worths: dict[tuple[str, int, int, int, bool], Worth] = {}
        self.discard_exposes = self.values.get("discard.completes") != "concealed"

    def card(self, character: str, face: int) -> Worth:
        """What a card counts by itself in a sentence."""
        key = (character, face)
        worth = self._cards.get(key)
        if worth is None:
            worth = self._cards[key] = self._card(character, face)
        return worth

    def _card(self, character: str, face: int) -> Worth:
        flower = face != PLAIN
        own = f"cards.{FLOWER if flower else ''}{character}"
        if own in self.values:
            return Worth(self.book.number(own), (own,))
        if character in self.jing:
            key = "jing.flower" if flower else "jing.plain"
            return Worth(self.book.number(key), (key,)) if key in self.values else Worth(0, ())
        if flower:
            return Worth(self.book.number("black_flower.points"), ("black_flower.points",))
        return Worth(0, ())

    def card_in_eye(self, character: str, face: int) -> Worth:
        """What a card counts in the eye (RULES.md §3)."""
        key = (character, face)
        worth = self._eye_cards.get(key)
        if worth is None:
            worth = self._eye_cards[key] = self._card_in_eye(character, face)
        return worth

    def _card_in_eye(self, character: str, face: int) -> Worth:
        worth = self.card(character, face)
        if not worth.keys:
            return worth
        keys = (*worth.keys, "eye.counts")
        if self.book.truth("eye.counts"):
            return Worth(worth.points, keys)
        if worth.keys == ("black_flower.points",) and self.book.truth("black_flower.always_in_eye"):
            return worth
        return Worth(0, keys)

    def alike(self, character: str, plain: int, flower: int, wild: int, *, exposed: bool) -> Worth:
        """What three, four or five of a character count."""
        key = (character, plain, flower, wild, exposed)
        worth = self._alike_worths.get(key)
        if worth is None:
            worth = self._alike_worths[key] = self._alike(character, plain, flower, wild, exposed=exposed)
        return worth

    def _alike(self, character: str, plain: int, flower: int, wild: int, *, exposed: bool) -> Worth:
        shape = SHAPES[plain + flower + wild]
        jing = character in self.jing
        key = self._shape_key("jing", shape, exposed=exposed) if jing else ""
        if key:
            if shape == "triplet" and not exposed and (flower, wild) == (1, 2):
                special = "jing.triplet_two_wilds_one_flower"
                if special in self.values:
                    return Worth(self.book.number(special), (special,))
            return self._by_flowers(key, flower + wild)
        points, keys = 0, []
        key = self._shape_key(self._colour(character), shape, exposed=exposed)
        if key:
            points, keys = self.book.number(key), [key]
        for face, count in ((PLAIN, plain), (FLOWERED, flower), (WILD_AS, wild)):
            if count:
                worth = self.card(character, face)
                points += count * worth.points
                keys += worth.keys
        return Worth(points, tuple(keys))

    def _shape_key(self, table: str, shape: str, *, exposed: bool) -> str:
        for key in (f"{table}.{shape}_exposed", f"{table}.{shape}") if exposed else (f"{table}.{shape}",):
            if key in self.values:
                return key
        return ""

    def _by_flowers(self, key: str, flowers: int) -> Worth:
        value = self.values[key]
        if not isinstance(value, Mapping):
            return Worth(cast("int", value), (key,))
        entries = {int(number): points for number, points in value.items()}
        nearest = min(entries, key=lambda number: (abs(number - flowers), number))
        return Worth(entries[nearest], (f"{key}.{nearest}",))

    def _colour(self, character: str) -> str:
        return "other" if "other.triplet" in self.values else self.colours[character]

    def _whole(self, characters: str, shape: str) -> Worth:
        """What a sentence or an eye counts as a whole, beside its cards."""
        if any(character in self.jing for character in characters) and f"jing.{shape}" in self.values:
            key = f"jing.{shape}"
        else:
            colours = {self._colour(character) for character in characters}
            table = colours.pop() if len(colours) == 1 else "black"
            key = f"{table}.{shape}"
        return Worth(self.book.number(key), (key,)) if key in self.values else Worth(0, ())

    def sentence(self, sentence: str) -> Worth:
        """What a sentence counts beside its cards."""
        return self._whole(sentence, "sentence")

    def pair(self, character: str) -> Worth:
        """What a pair as the eye counts beside its cards."""
        return self._whole(character, "pair")

    def half(self, first: str, second: str) -> Worth:
        """What an eye of two different cards counts beside its cards."""
        return self._whole(first + second, "half")
