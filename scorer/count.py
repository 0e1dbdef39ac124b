"""The engine of one rule book: what is laid, what is wrong with a hand, which main jing, which split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

from scorer.cards import (
    CHARACTERS,
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
from scorer.points import FLOWERED, PLAIN, SHAPES, WILD_AS, Points
from scorer.split import Asked, Found, Node, Splitter
from scorer.steps import method_of

if TYPE_CHECKING:
    from scorer.book import Book

Reason = Literal["unknown_group", "wrong_count", "too_many_copies", "no_split", "too_few_points"]

_WILD_SHIFT = SHIFT[WILD]
_WILD_FIELD = FIELD_MASK << _WILD_SHIFT
_FULL = (1 << FIELD - 1) - 1


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


@dataclass(frozen=True, slots=True)
class Parts:
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
            (jing, tuple(SHIFT[card] for card in (jing, FLOWER + jing) if card in copies))
            for jing in self.points.jing
        )
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
            if len(self._laid) > 20_000:
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
            return ("",)
        code = hand.code
        held = {
            jing: sum([(code >> shift) & FIELD_MASK for shift in shifts]) for jing, shifts in self.jing_fields
        }
        most = max(held.values())
        if not most and not code & _WILD_FIELD:
            return ("",)
        if rule == "most_held":
            return [jing for jing, count in held.items() if count == most]
        if rule == "best":
            return sorted(held, key=lambda jing: -held[jing])
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
        counts = dict.fromkeys(CHARACTERS, 0)
        for kind in self.place_in_deck:
            if kind != WILD:
                counts[kind[-1]] += (code >> SHIFT[kind]) & FIELD_MASK
        wilds = (code >> _WILD_SHIFT) & FIELD_MASK
        sure = sum(_extra_of(count) for character, count in counts.items() if character not in WILD_STANDS_FOR)
        return sure + max(
            sum(
                _extra_of(counts[character] + chosen.count(character)) for character in WILD_STANDS_FOR
            )
            for chosen in product(WILD_STANDS_FOR, repeat=min(wilds, 2))
        )

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

    def parts(self, nodes: Sequence[Node]) -> Parts:
        """Read the groups off a split."""
        begun: list[int] = []
        alike: list[tuple[str, int, int, int, bool]] = []
        eye: list[tuple[str, int]] = []
        supply: dict[str, list[int]] = {}
        for end in nodes:
            node: Node | None = end
            while node is not None and node[2] is not None:
                _, before, step = node
                placing = step.placing
                begun += step.begun
                if placing.alike:
                    alike += [
                        (step.character, group.plain, group.flower, group.wild, group.by_discard)
                        for group in placing.alike
                    ]
                if placing.eye:
                    eye += [(step.character, face) for face in placing.eye]
                if placing.sentences:
                    supply[step.character] = list(placing.sentences)
                node = before
        begun.sort()
        sentences = tuple(
            [
                (number, tuple([supply[character].pop() for character in self.points.sentences[number]]))
                for number in begun
            ]
        )
        if len(alike) > 1:
            alike.sort(key=lambda group: (SHIFT[group[0]], group))
        eye.sort(key=lambda card: (SHIFT[card[0]], card[1]))
        return Parts(sentences, tuple(alike), (eye[0], eye[1]) if eye else None)

    def write(self, parts: Parts, main: str, lang: str) -> tuple[Group, ...]:
        """Write the groups of a split, the eye last."""
        explainer = self.explainer(lang)
        groups = [explainer.sentence(number, faces, main, False) for number, faces in parts.sentences]  # noqa: FBT003
        groups += [
            explainer.alike(character, plain, flower, wild, main, BY_DISCARD if by_discard else FREE)
            for character, plain, flower, wild, by_discard in parts.alike
        ]
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


def _extra_of(count: int) -> int:
    return min(max(count - 3, 0), 2)


def too_large(hand: Hand) -> bool:
    """Whether a hand has more cards than any hand can have."""
    return hand.size > MOST_CARDS
