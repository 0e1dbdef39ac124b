"""The engine of one rule book: what is laid, what is wrong with a hand, which main jing, which split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from scorer.cards import (
    FIELD,
    FIELD_MASK,
    FLOWER,
    KINDS,
    MOST_CARDS,
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
from scorer.split import Asked, Found, Path, Splitter
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
_NO_MAIN = ("",)
_ALL_PLAIN = (PLAIN, PLAIN, PLAIN)


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

    sentences: tuple[tuple[int, tuple[int, ...]], ...]
    """Number of the sentence, and the faces of its cards."""
    alike: tuple[tuple[str, int, int, int, bool], ...]
    """Character, plain, flower and wild cards, and whether a discard completed it."""
    eye: tuple[tuple[str, int], tuple[str, int]] | None
    """The two last cards."""


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
        for kind in KINDS:
            if kind in copies:
                self.most += (_FULL - copies[kind]) << SHIFT[kind]
                self.over |= (_FULL + 1) << SHIFT[kind]
            else:
                self.foreign |= FIELD_MASK << SHIFT[kind]
        self.may_break = book.truth("table.declared_may_break")
        self.picking = book.truth("table.picked_cards")
        self.quints = max(copies.values()) + (2 if WILD in copies else 0) >= 5
        self.ten_pairs = book.truth("table.ten_pairs")
        self.jing_fields = tuple(
            (jing, SHIFT[jing], SHIFT.get(FLOWER + jing, SHIFT[KINDS[-1]] + FIELD))
            for jing in self.points.jing
        )
        self.faces = tuple(
            (character, tuple(SHIFT[card] for card in (character, FLOWER + character) if card in copies))
            for character in book.deck.characters
        )
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

    def mains(self, hand: Hand) -> Sequence[str]:
        """The main jing to choose from, the preferred first; an empty text where there is none."""
        rule = self.points.main_rule
        if not rule:
            return _NO_MAIN
        code = hand.code
        most = 0
        mains: list[str] = []
        held = []
        for jing, plain, flower in self.jing_fields:
            count = ((code >> plain) & FIELD_MASK) + ((code >> flower) & FIELD_MASK)
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
            for card, copies in self.book.deck.copies.items():
                if (code >> SHIFT[card]) & FIELD_MASK > copies:
                    return card
        return ""

    def could_add(self, code: int, win: str) -> int:
        """How many extra cards free quads and quints could take up, without the winning card (§3)."""
        if win:
            code -= UNIT[win]
        wilds = (code >> _WILD_SHIFT) & FIELD_MASK
        sure = 0
        open_counts = []
        for character, shifts in self.faces:
            count = 0
            for shift in shifts:
                count += (code >> shift) & FIELD_MASK
            if wilds and character in WILD_STANDS_FOR:
                open_counts.append(count)
            elif count > 3:
                sure += 1 if count == 4 else 2
        if not wilds:
            return sure
        return sure + max(
            sum(_extra_of(count + chosen.count(place)) for place, count in enumerate(open_counts))
            for chosen in combinations_with_replacement(range(len(open_counts)), wilds)
        )

    def fours(self, code: int) -> dict[str, int]:
        """The characters of which there can be four or more free cards, wilds with each, to their number."""
        wilds = (code >> _WILD_SHIFT) & FIELD_MASK
        most = {}
        for character, shifts in self.faces:
            count = wilds if wilds and character in WILD_STANDS_FOR else 0
            for shift in shifts:
                count += (code >> shift) & FIELD_MASK
            if count > 3:
                most[character] = count
        return most

    def search(
        self, hand: Hand, code: int, extra: int, win: str, mains: Sequence[str], *, discarded: bool
    ) -> Found | None:
        """Find the best split of the free cards."""
        return self.splitter.best(self.asked(hand, code, extra, win, discarded=discarded), mains)

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

    def parts(self, paths: Sequence[Path]) -> Parts:
        """Read the groups off a split."""
        begun: list[int] = []
        alike: list[tuple[str, int, int, int, bool]] = []
        eye: list[tuple[str, int]] = []
        faces: dict[str, list[int]] = {}
        for path in paths:
            groups = path.groups()
            begun += groups[0]
            alike += groups[1]
            eye += groups[2]
            for character, own in groups[3]:
                faces[character] = list(own)
        begun.sort()
        if len(alike) > 1:
            alike.sort(key=_by_character)
        if len(eye) > 1 and SHIFT[eye[0][0]] > SHIFT[eye[1][0]]:
            eye.reverse()
        if faces:
            sentences = [
                (number, tuple([faces[letter].pop() if letter in faces else PLAIN for letter in sentence]))
                for number, sentence in [(number, self.points.sentences[number]) for number in begun]
            ]
        else:
            sentences = [(number, _ALL_PLAIN) for number in begun]
        return Parts(tuple(sentences), tuple(alike), (eye[0], eye[1]) if eye else None)

    def write(self, parts: Parts, main: str, lang: str) -> tuple[Group, ...]:
        """Write the groups of a split, the eye last."""
        explainer = self.explainer(lang)
        sentence, alike = explainer.sentence, explainer.alike
        groups = [sentence(number, faces, main, False) for number, faces in parts.sentences]  # noqa: FBT003
        for character, plain, flower, wild, by_discard in parts.alike:
            how = BY_DISCARD if by_discard else FREE
            groups.append(alike(character, plain, flower, wild, main, how))
        if parts.eye is not None:
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


def _by_character(group: tuple[str, int, int, int, bool]) -> tuple[int, int, int]:
    return SHIFT[group[0]], group[1], group[2]


def _extra_of(count: int) -> int:
    return min(max(count - 3, 0), 2)


def too_large(hand: Hand) -> bool:
    """Whether a hand has more cards than any hand can have."""
    return hand.size > MOST_CARDS
