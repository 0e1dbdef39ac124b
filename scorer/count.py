"""The engine of one rule book: what is laid, what is wrong with a hand, which main jing, which split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from scorer.cards import (
    CHARACTERS,
    FIELD,
    FIELD_MASK,
    FLOWER,
    LAYER,
    LAYER_SHIFT,
    MOST_CARDS,
    PLACE,
    SHIFT,
    UNIT,
    WILD,
    WILD_STANDS_FOR,
)
from scorer.errors import BadRequest
from scorer.explain import BY_DISCARD, DECLARED, FREE, ON_TABLE, Explainer, Group
from scorer.hand import Hand, Laid
from scorer.payment import Payer
from scorer.points import FLOWERED, PLAIN, SHAPES, WILD_AS, Points
from scorer.split import AlikeCards, Asked, Faces, Found, Main, Splitter
from scorer.steps import method_of

if TYPE_CHECKING:
    from scorer.book import Book

Reason = Literal["unknown_group", "wrong_count", "too_many_copies", "no_split", "too_few_points"]

CheckedRound: TypeAlias = tuple[bool, int, int, int, int | None, str]
"""Whether the card was discarded, players, stake, winner, discarder, language."""

MOST_LAID = 20_000
"""How many groups on the table are kept."""

_WILD_SHIFT = SHIFT[WILD]
_WILD_FIELD = FIELD_MASK << _WILD_SHIFT
_FULL = (1 << FIELD - 1) - 1
_LAYER_MASK = (1 << LAYER_SHIFT) - 1
_NO_MAIN = ("",)


@dataclass(frozen=True, slots=True)
class LaidGroup:
    """A group on the table, or a declared one, that the book knows."""

    extra: int
    """1 for a quad, 2 for a quint."""
    points: int
    character: str
    """The character of alike cards; empty for a sentence."""
    points_as_main: tuple[tuple[str, int], ...]
    """What more it counts where a jing of it is main."""
    make: Callable[[Explainer, str], Group]
    """Writes it, for a main jing."""
    is_dui: bool
    """Whether it is an exposed triplet (對)."""


class Parts(NamedTuple):
    """The groups of a split, characters and faces, before they are written out."""

    sentences: tuple[tuple[int, Faces], ...]
    """Number of the sentence, and the faces of its cards."""
    alike: tuple[AlikeCards, ...]
    eye: tuple[tuple[str, int], tuple[str, int]]
    """The two last cards."""


def laid_points(fixed: Sequence[LaidGroup], main: str) -> int:
    """What the given groups count."""
    points = 0
    for group in fixed:
        points += group.points
        if main and group.points_as_main:
            points += sum([more for jing, more in group.points_as_main if jing == main])
    return points


class Counter:
    """Counts hands by one rule book, and keeps what it learned of parts of hands."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.points = Points(book)
        self.splitter = Splitter(self.points)
        self.method = method_of(book)
        self.groups = book.groups
        copies = book.deck.copies
        self.foreign = 0
        self.most = 0
        self.over = 0
        for kind, shift in SHIFT.items():
            if kind in copies:
                self.most += (_FULL - copies[kind]) << shift
                self.over |= (_FULL + 1) << shift
            else:
                self.foreign |= FIELD_MASK << shift
        self.may_break = book.truth("table.declared_may_break")
        self.picking = book.truth("table.picked_cards")
        self.quints = max(copies.values()) + (2 if WILD in copies else 0) >= 5
        self.ten_pairs = book.truth("table.ten_pairs")
        self.jing_kinds = [
            (jing, [SHIFT[card] // FIELD for card in (jing, FLOWER + jing) if card in copies])
            for jing in self.points.jing
        ]
        self.unit, self.step_unit = book.text("unit"), book.text("step_unit")
        self.pickup = book.truth("table.pickup")
        self.payer = Payer(book)
        self.rounds: dict[tuple[str, int | None, int, int, int | None, str], CheckedRound] = {}
        self.classes_alike = book.number("classes.all_alike") > 0
        self.place_in_deck = {card: place for place, card in enumerate(copies)}
        self._explainers: dict[str, Explainer] = {}
        self._laid: dict[tuple[tuple[str, ...], str], LaidGroup | None] = {}

    def explainer(self, lang: str) -> Explainer:
        """The writer of groups in a language."""
        explainer = self._explainers.get(lang)
        if explainer is None:
            explainer = self._explainers[lang] = Explainer(self.points, lang)
        return explainer

    def check_cards(self, hand: Hand) -> None:
        """Refuse cards that the deck does not have at all, and 撿 where the book has none.

        Raises:
            BadRequest: there are such cards.
        """
        if hand.code & self.foreign:
            copies = self.book.deck.copies
            foreign = dict.fromkeys(card for card in hand.cards() if card not in copies)
            kind = self.book.kind
            raise BadRequest("not_in_deck", rule=self.book.name, kind=kind, cards="".join(foreign))
        if hand.picked and not self.picking:
            raise BadRequest("no_picked", rule=self.book.name)

    def laid_group(self, laid: Laid) -> LaidGroup | None:
        """Recognise a group on the table, or none where the book knows no such group."""
        key = (laid.cards, laid.bracket)
        if key not in self._laid:
            if len(self._laid) >= MOST_LAID:
                self._laid.clear()
            self._laid[key] = self._recognise(laid)
        return self._laid[key]

    def _recognise(self, laid: Laid) -> LaidGroup | None:
        cards = laid.cards
        wilds = cards.count(WILD)
        characters = {card[-1] for card in cards if card != WILD}
        if not characters or wilds > 2:
            return None
        if len(characters) == 1 and 3 <= len(cards) <= (5 if self.quints else 4):
            character = characters.pop()
            if not wilds or character in WILD_STANDS_FOR:
                return self._laid_alike(laid, character, wilds)
            characters = {character}
        if laid.bracket == "round" and len(cards) == 3 and len(characters) == 3 - wilds:
            for number, sentence in enumerate(self.points.sentences):
                missing = set(sentence) - characters
                if len(missing) == wilds and missing.issubset(WILD_STANDS_FOR):
                    return self._laid_sentence(number, sentence, cards)
        return None

    def _laid_alike(self, laid: Laid, character: str, wilds: int) -> LaidGroup | None:
        size = len(laid.cards)
        on_table = laid.bracket == "round"
        if size == 3 and not on_table:
            return None
        flowers = sum(card[0] == FLOWER for card in laid.cards)
        held = (size - flowers - wilds, flowers, wilds)
        worth = self.points.alike(character, *held, exposed=on_table)
        how = ON_TABLE if on_table else DECLARED
        more = (character, worth.points * (self.points.main_times - 1))
        return LaidGroup(
            extra=size - 3,
            points=worth.points,
            character=character,
            points_as_main=(more,) if character in self.points.jing else (),
            make=lambda explainer, main: explainer.alike(character, *held, main, how),
            is_dui=on_table and size == 3,
        )

    def _laid_sentence(self, number: int, sentence: str, cards: tuple[str, ...]) -> LaidGroup:
        face_of = {card[-1]: len(card) - 1 for card in cards if card != WILD}
        faces = tuple(face_of.get(character, WILD_AS) for character in sentence)
        points = self.points.sentence(sentence).points
        more = []
        for character, face in zip(sentence, faces, strict=True):
            worth = self.points.card(character, face).points
            points += worth
            if character in self.points.jing:
                more.append((character, worth * (self.points.main_times - 1)))
        return LaidGroup(
            extra=0,
            points=points,
            character="",
            points_as_main=tuple(more),
            make=lambda explainer, main: explainer.sentence(number, faces, main, True),  # noqa: FBT003
            is_dui=False,
        )

    def mains(self, hand: Hand, fixed: Sequence[LaidGroup]) -> Sequence[Main]:
        """The main jing to choose from, the preferred first, each with what the laid groups then count."""
        mains = self._mains(hand.code)
        if fixed:
            return [(main, laid_points(fixed, main)) for main in mains]
        return [(main, 0) for main in mains]

    def _mains(self, code: int) -> Sequence[str]:
        rule = self.points.main_rule
        if not rule:
            return _NO_MAIN
        most = 0
        mains: list[str] = []
        held = []
        kinds = code.to_bytes(3 * LAYER, "little")
        for jing, own in self.jing_kinds:
            count = 0
            for kind in own:
                count += kinds[kind]
            held.append((count, jing))
            if count > most:
                most, mains = count, [jing]
            elif count == most:
                mains.append(jing)
        if not most and not code & _WILD_FIELD:
            return _NO_MAIN
        if rule == "most_held":
            return mains
        if rule == "best":
            return [jing for _, jing in sorted(held, key=lambda entry: -entry[0])]
        return (rule,)

    def free_cards(self, hand: Hand, groups: Sequence[LaidGroup]) -> tuple[int, list[LaidGroup]]:
        """The packed count of the free cards and the groups that are fixed.

        Where declared fours may break (001, 004) they are free and only their number counts.
        """
        if not self.may_break:
            return hand.free_code, list(groups)
        code = hand.free_code
        fixed = []
        for laid, group in zip(hand.laid, groups, strict=True):
            if laid.bracket == "square":
                code += laid.code
            else:
                fixed.append(group)
        return code, fixed

    def too_many(self, code: int) -> str:
        """Name a card of which there are more than the deck has, or nothing."""
        if (code + self.most) & self.over:
            copies = self.book.deck.copies
            return next(card for card in copies if (code >> SHIFT[card]) & FIELD_MASK > copies[card])
        return ""

    def could_add(self, code: int, win: str) -> int:
        """How many extra cards free quads and quints could take up, without the winning card (§3)."""
        if win:
            code -= UNIT[win]
        wilds = (code >> _WILD_SHIFT) & FIELD_MASK
        counts = self._counts(code)
        if not wilds:
            return sum([min(count - 3, 2) for count in counts if count > 3])
        jing = [PLACE[character] for character in WILD_STANDS_FOR]
        return max(
            sum(
                min(more - 3, 2)
                for place, count in enumerate(counts)
                if (more := count + chosen.count(place)) > 3
            )
            for chosen in combinations_with_replacement(jing, wilds)
        )

    @staticmethod
    def has_wild(code: int) -> bool:
        """Whether there is a wild among cards."""
        return bool(code & _WILD_FIELD)

    def _counts(self, code: int) -> bytes:
        """How many there are of each character, by place, wilds apart."""
        if self.splitter.layered:
            code = (code & _LAYER_MASK) + ((code >> LAYER_SHIFT) & _LAYER_MASK)
        return code.to_bytes(self.splitter.places, "little")

    @staticmethod
    def asked(
        hand: Hand, code: int, extra: int, win: str, *, discarded: bool, with_eye: bool = True
    ) -> Asked:
        """Put into the splitter's words what is asked of the free cards."""
        wilds = (code & _WILD_FIELD) >> _WILD_SHIFT
        picked = hand.picked_code
        picked_wilds = (picked & _WILD_FIELD) >> _WILD_SHIFT
        return Asked(
            code - (wilds << _WILD_SHIFT),
            picked - (picked_wilds << _WILD_SHIFT),
            wilds,
            picked_wilds,
            extra,
            win,
            discarded,
            with_eye,
        )

    def parts(self, found: Found) -> Parts:
        """Read the groups off a split."""
        splitter, reading, placings = self.splitter, found.reading, found.placings
        alike: list[AlikeCards] = []
        eye: list[tuple[str, int]] = []
        faces: dict[int, list[int]] = {}
        for place, placing in placings.items():
            alike += placing.alike
            if placing.eye:
                eye += [(CHARACTERS[place], face) for face in placing.eye]
            if placing.sentences:
                faces[place] = list(placing.sentences)
        for place in splitter.flowered:
            if place not in placings:
                plain, flower, wild = reading.whole[place :: splitter.places]
                if flower or wild:
                    faces[place] = [PLAIN] * plain + [FLOWERED] * flower + [WILD_AS] * wild
        if len(alike) > 1:
            alike.sort(key=self._in_deck)
        if self.place_in_deck[eye[0][0]] > self.place_in_deck[eye[1][0]]:
            eye.reverse()
        sentences: list[tuple[int, Faces]] = []
        begun = found.split.begun
        for place, number, letters in splitter.sentences:
            if not begun[place]:
                continue
            first, second, third = letters
            for _ in range(begun[place]):
                own = (
                    faces[first].pop() if first in faces else PLAIN,
                    faces[second].pop() if second in faces else PLAIN,
                    faces[third].pop() if third in faces else PLAIN,
                )
                sentences.append((number, own))
        return Parts(tuple(sentences), tuple(alike), (eye[0], eye[1]))

    def _in_deck(self, group: AlikeCards) -> tuple[int, int, int]:
        return self.place_in_deck[group[0]], group[1], group[2]

    def write(self, parts: Parts, main: str, lang: str) -> tuple[Group, ...]:
        """Write the groups of a split, the eye last."""
        explainer = self.explainer(lang)
        sentence, alike = explainer.sentence, explainer.alike
        groups = [sentence(number, faces, main, False) for number, faces in parts.sentences]  # noqa: FBT003
        for character, plain, flower, wild, by_discard in parts.alike:
            how = BY_DISCARD if by_discard else FREE
            groups.append(alike(character, plain, flower, wild, main, how))
        groups.append(explainer.eye(parts.eye, main))
        return tuple(groups)

    def pairs(self, hand: Hand) -> list[tuple[str, tuple[int, ...]]] | None:
        """Split a hand into ten pairs, by faces, or not (001)."""
        if not self.ten_pairs or hand.laid or hand.picked or hand.size != 20:
            return None
        pairs: list[tuple[str, tuple[int, ...]]] = []
        best: list[tuple[str, tuple[int, ...]]] | None = None
        wilds = hand.free.count(WILD)
        for chosen in product(WILD_STANDS_FOR, repeat=wilds):
            pairs = []
            for character in self.book.deck.characters:
                faces = [PLAIN] * hand.free.count(character)
                faces += [FLOWERED] * hand.free.count(FLOWER + character)
                faces += [WILD_AS] * chosen.count(character)
                if len(faces) % 2:
                    break
                pairs += [(character, tuple(faces[at : at + 2])) for at in range(0, len(faces), 2)]
            else:
                if best is None or self.pairs_points(pairs) > self.pairs_points(best):
                    best = pairs
        return best

    def pairs_points(self, pairs: Sequence[tuple[str, tuple[int, ...]]]) -> int:
        """What the cards of ten pairs count by themselves."""
        return sum(self.points.card(character, face).points for character, faces in pairs for face in faces)

    def all_alike(
        self, hand: Hand, code: int, fixed: Sequence[LaidGroup], win: str, *, discarded: bool
    ) -> Parts | None:
        """Split the free cards into triplets, quads and a pair only (碰碰胡, 000), or not.

        The deck has four of a character and no faces, so there is one way at most.
        """
        if any(not group.character for group in fixed):
            return None
        alike: list[tuple[str, int, int, int, bool]] = []
        eye = ""
        for character in self.book.deck.characters:
            count = (code >> SHIFT[character]) & FIELD_MASK
            if count == 2 and not eye:
                eye = character
            elif count in SHAPES:
                if count > 3 and win == character:
                    return None
                alike.append((character, count, 0, 0, discarded and win == character))
            elif count:
                return None
        extra = sum(group[1] - 3 for group in alike) + sum(group.extra for group in fixed)
        if not eye or hand.size != 3 * self.groups + 2 + extra:
            return None
        return Parts((), tuple(alike), ((eye, PLAIN), (eye, PLAIN)))


def too_large(hand: Hand) -> bool:
    """Whether a hand has more cards than any hand can have."""
    return hand.size > MOST_CARDS
