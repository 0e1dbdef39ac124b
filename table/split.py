"""Splits of a hand that somebody names: what they count, and which others there are.

The scorer finds the best split; an argument is about another one. The values are the scorer's own.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Final, Literal

import scorer
from scorer.cards import FLOWER, PICKED, WILD, WILD_STANDS_FOR, character_of
from scorer.points import FLOWERED, PLAIN, WILD_AS, Points, Worth
from table.words import ClaimError

Shape = Literal["sentence", "triplet", "quad", "quint", "eye", "pair"]

_TEN: Final = 10
_WITHOUT_PICKED: Final = str.maketrans("", "", PICKED + "捡")
_ALIKE: Final[dict[int, Shape]] = {3: "triplet", 4: "quad", 5: "quint"}


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a named split."""

    shape: Shape
    cards: tuple[str, ...]
    exposed: bool = False
    points: int = 0

    def key(self) -> tuple[str, ...]:
        """Give its cards in one order, so that groups can be compared."""
        return tuple(sorted(self.cards))


class Valuer:
    """Values groups by a rule book.

    Args:
        book: the rule book.
    """

    def __init__(self, book: scorer.Book) -> None:
        self._points = Points(book)
        self.jing = self._points.jing
        self.main_times = self._points.main_times

    def shape(self, cards: Sequence[str]) -> Shape | None:
        """Tell what a group is.

        Args:
            cards: its cards; a wild stands for a flower 三, 五 or 七 in it.

        Returns:
            Its shape; None where it is none of the book.
        """
        faces = [character_of(card) for card in cards]
        known = set(faces) - {WILD}
        if len(cards) == 2:
            return "eye" if any(True for _ in self._eyes(faces)) else None
        if len(cards) in _ALIKE and len(known) == 1 and (WILD not in faces or known <= set(WILD_STANDS_FOR)):
            return _ALIKE[len(cards)] if faces.count(WILD) <= 2 else None
        if len(cards) == 3 and any(True for _ in self._sentences(faces)):
            return "sentence"
        return None

    def value(self, group: Group, main: str) -> int:
        """Count a group.

        Args:
            group: its shape and cards.
            main: the main jing, empty for none.

        Returns:
            Its points, a wild standing for what brings most.
        """
        faces = [character_of(card) for card in group.cards]
        if group.shape == "pair":
            return self._pair(group.cards)
        if group.shape == "eye":
            return max(self._eye(group.cards, characters, main) for characters in self._eyes(faces))
        if group.shape == "sentence":
            return max(self._sentence(group.cards, characters, main) for characters in self._sentences(faces))
        character = next(face for face in faces if face != WILD)
        counts = Counter(_face(card) for card in group.cards)
        worth = self._points.alike(
            character, counts[PLAIN], counts[FLOWERED], counts[WILD_AS], exposed=group.exposed
        )
        return worth.points * self._times(character, main)

    def _pair(self, cards: Sequence[str]) -> int:
        """Count one of ten pairs: its cards by themselves, a pair having no shape (001)."""
        known = {character_of(card) for card in cards} - {WILD}
        return max(
            sum(self._points.card(character, _face(card)).points for card in cards)
            for character in known or WILD_STANDS_FOR
        )

    @property
    def discard_exposes(self) -> bool:
        """Whether a triplet that a discard completes counts as exposed."""
        return self._points.discard_exposes

    def _times(self, character: str, main: str) -> int:
        return self.main_times if main and character == main else 1

    def _sentence(self, cards: Sequence[str], characters: Sequence[str], main: str) -> int:
        whole = next(sentence for sentence in self._points.sentences if set(sentence) == set(characters))
        return self._points.sentence(whole).points + sum(
            self._points.card(character, _face(card)).points * self._times(character, main)
            for card, character in zip(cards, characters, strict=True)
        )

    def _eye(self, cards: Sequence[str], characters: Sequence[str], main: str) -> int:
        first, second = characters
        whole: Worth = self._points.pair(first) if first == second else self._points.half(first, second)
        return whole.points + sum(
            self._points.card_in_eye(character, _face(card)).points * self._times(character, main)
            for card, character in zip(cards, characters, strict=True)
        )

    def _readings(self, faces: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Give each wild a character for which it may stand."""
        wilds = faces.count(WILD)
        for stands_for in combinations_with_replacement(WILD_STANDS_FOR, wilds):
            rest = list(stands_for)
            yield tuple(rest.pop() if face == WILD else face for face in faces)

    def _sentences(self, faces: Sequence[str]) -> Iterator[tuple[str, ...]]:
        known = {frozenset(sentence) for sentence in self._points.sentences}
        return (reading for reading in self._readings(faces) if frozenset(reading) in known)

    def _eyes(self, faces: Sequence[str]) -> Iterator[tuple[str, ...]]:
        for reading in self._readings(faces):
            if reading[0] == reading[1] or frozenset(reading) in self._points.halves:
                yield reading


def _face(card: str) -> int:
    if card == WILD:
        return WILD_AS
    return FLOWERED if card.startswith(FLOWER) else PLAIN


def read_split(book: scorer.Book, hand: scorer.Hand, text: str) -> tuple[Group, ...]:
    """Read a split that somebody claims.

    Args:
        book: the rule book.
        hand: the hand that it is about.
        text: the groups in brackets, those on the table with them or not; two cards without brackets are
            the eye. `撿` in it changes nothing: the hand says what was picked up.

    Returns:
        The groups, those that lie on the table marked as exposed.

    Raises:
        ClaimError: other cards than the hand's, a group that the book does not know, one on the table taken
            apart, a picked-up card where none may stand, or another number of groups than the book asks for.
        scorer.ScorerError: text that is no hand.
    """
    said = scorer.parse_hand(text.translate(_WITHOUT_PICKED))
    loose = said.free
    parts = [group.cards for group in said.laid] + ([loose] if loose else [])
    claimed = Counter(card for part in parts for card in part)
    on_table = [group.cards for group in hand.laid]
    if claimed == Counter((*hand.free, *hand.picked)) and on_table:
        parts += on_table
        claimed = Counter(card for part in parts for card in part)
    _compare(claimed, Counter(hand.cards()))
    if pairs := _ten_pairs(book, hand, parts):
        return pairs
    exposed = [sorted(group.cards) for group in hand.laid if group.bracket == "round"]
    declared = [sorted(group.cards) for group in hand.laid if group.bracket == "square"]
    valuer = Valuer(book)
    groups = []
    for part in parts:
        shape = valuer.shape(part)
        if shape is None:
            raise ClaimError(
                f"({''.join(part)}) is no group of {book.name}",
                f"（{''.join(part)}）在{book.title_in('zh-Hant')}裡不成一組",
            )
        lies = sorted(part) in exposed
        if lies:
            exposed.remove(sorted(part))
        elif sorted(part) in declared:
            declared.remove(sorted(part))
        groups.append(Group(shape, tuple(part), exposed=lies))
    if exposed or (declared and not book.truth("table.declared_may_break")):
        broken = "".join((exposed or declared)[0])
        raise ClaimError(f"({broken}) lies on the table and stays together", f"（{broken}）在桌面，不能拆")
    if (stuck := _picked_up_wrongly(hand, groups)) is not None:
        raise ClaimError(
            f"the picked-up {stuck} may stand only in a sentence, or beside another card at the end",
            f"撿來的{stuck}只能放在句裡，或與另一張不同的牌作最後兩張",
        )
    eyes = sum(group.shape == "eye" for group in groups)
    if eyes != 1 or len(groups) != book.groups + 1:
        raise ClaimError(
            f"the claim has {len(groups) - eyes} groups and {eyes} eyes;"
            f" {book.name} asks for {book.groups} and 1",
            f"所報有 {len(groups) - eyes} 組、{eyes} 對聽頭；應是 {book.groups} 組和 1 個聽頭",
        )
    return tuple(groups)


def _ten_pairs(
    book: scorer.Book, hand: scorer.Hand, parts: Sequence[Sequence[str]]
) -> tuple[Group, ...] | None:
    """Read ten pairs, where the rule has them: nothing on the table, nothing picked up (001)."""
    if not book.truth("table.ten_pairs") or hand.laid or hand.picked or len(parts) != _TEN:
        return None
    pairs = tuple(Group("pair", tuple(part)) for part in parts)
    alike = (len({character_of(card) for card in pair.cards} - {WILD}) <= 1 for pair in pairs)
    return pairs if all(len(pair.cards) == 2 for pair in pairs) and all(alike) else None


def _picked_up_wrongly(hand: scorer.Hand, groups: Sequence[Group]) -> str | None:
    """Find a picked-up card for which a split has no place: it needs a sentence or two different cards."""
    places = Counter(card for group in groups if _takes_picked(group) for card in group.cards)
    return next(iter(Counter(hand.picked) - places), None)


def _takes_picked(group: Group) -> bool:
    return group.shape == "sentence" or (
        group.shape == "eye" and len({character_of(card) for card in group.cards}) == 2
    )


def _compare(claimed: Counter[str], held: Counter[str]) -> None:
    more, less = claimed - held, held - claimed
    if more or less:
        too_many, missing = "".join(more.elements()), "".join(less.elements())
        raise ClaimError(
            "the claim is about other cards:"
            + (f" it has {too_many} too many" if more else "")
            + (" and" if more and less else "")
            + (f" it lacks {missing}" if less else ""),
            "所報的牌不符：" + "，".join([f"多了{too_many}"] * bool(more) + [f"少了{missing}"] * bool(less)),
        )


def place_win(
    groups: Sequence[Group], win: str | None, *, exposes: bool, picked: Sequence[str] = ()
) -> tuple[Group, ...]:
    """Say which group the winning card completed, where a discard brought it.

    Args:
        groups: a split.
        win: the winning card; None where it was drawn or not named.
        exposes: whether a triplet so completed counts as exposed.
        picked: the cards that were picked up; none of them is the winning one.

    Returns:
        The split, one triplet exposed where the card can stand nowhere better.

    Raises:
        ClaimError: the card can only stand in a quad or quint, which a discard never completes.
    """
    if win is None:
        return tuple(groups)
    holding = [place for place, group in enumerate(groups) if not group.exposed and win in group.cards]
    beside = sum(
        groups[place].cards.count(win)
        for place in holding
        if groups[place].shape in ("sentence", "eye", "pair")
    )
    if beside > picked.count(win):
        return tuple(groups)
    triplets = [place for place in holding if groups[place].shape == "triplet"]
    if not triplets:
        raise ClaimError(
            f"a discarded {win} completes no four and no five", f"別人打出的{win}不能湊成四張或五張"
        )
    if not exposes:
        return tuple(groups)
    return tuple(
        replace(group, exposed=True) if place == triplets[0] else group for place, group in enumerate(groups)
    )


def value_split(valuer: Valuer, groups: Sequence[Group], main: str) -> tuple[Group, ...]:
    """Count the groups of a split.

    Args:
        valuer: of the rule book.
        groups: the split.
        main: the main jing, empty for none.

    Returns:
        The groups with their points.
    """
    return tuple(replace(group, points=valuer.value(group, main)) for group in groups)


def every_split(book: scorer.Book, hand: scorer.Hand, until: float) -> Iterator[tuple[Group, ...]]:
    """Find all splits of a hand, ten pairs apart.

    Args:
        book: the rule book.
        hand: the hand.
        until: when to stop, as `time.monotonic` counts.

    Yields:
        Splits without points, each once; with wilds, once for each way in which they stand for cards.
    """
    valuer = Valuer(book)
    laid = []
    for lying in hand.laid:
        shape = valuer.shape(lying.cards)
        if shape is None:
            return
        laid.append(Group(shape, lying.cards, exposed=lying.bracket == "round"))
    deck = scorer.deck_cards(book.kind)
    order = {card: place for place, card in enumerate((*deck, *_STAND_INS))}
    wilds = hand.free.count(WILD)
    known = [card for card in (*hand.free, *hand.picked) if card != WILD]
    for stand_ins in combinations_with_replacement(_STAND_INS, wilds):
        cards = tuple(sorted((*known, *stand_ins), key=order.__getitem__))
        for groups in _splits(valuer, cards, book.groups - len(laid), until):
            split = (*laid, *(_with_wilds(group) for group in groups))
            if _picked_up_wrongly(hand, split) is None:
                yield split


_STAND_INS: Final = tuple(f"{WILD}>{FLOWER}{character}" for character in WILD_STANDS_FOR)


def _with_wilds(group: Group) -> Group:
    """Write the wilds of a group as what they are."""
    return replace(group, cards=tuple(card.partition(">")[0] for card in group.cards))


def _splits(valuer: Valuer, cards: tuple[str, ...], wanted: int, until: float) -> Iterator[tuple[Group, ...]]:
    """Cut cards into so many groups and an eye, the group of the first card first."""
    if len(cards) == 2 and wanted == 0:
        if valuer.shape(cards) == "eye":
            yield (Group("eye", cards),)
        return
    stack: list[tuple[tuple[str, ...], tuple[Group, ...]]] = [(cards, ())]
    while stack:
        if time.monotonic() > until:
            return
        left, made = stack.pop()
        if not left:
            if len(made) == wanted + 1 and any(group.shape == "eye" for group in made):
                yield made
            continue
        has_eye = any(group.shape == "eye" for group in made)
        if len(made) > wanted or len(left) < 3 * (wanted - len(made) + has_eye) + 2 * (not has_eye):
            continue
        for group in _with_first(valuer, left, eye=not has_eye):
            # Groups of one first card come in one order, so that each split is met once.
            if made and made[-1].cards[0] == left[0] and made[-1].cards > group.cards:
                continue
            rest = Counter(left)
            rest.subtract(group.cards)
            stack.append((tuple(card for card, count in rest.items() for _ in range(count)), (*made, group)))


def _with_first(valuer: Valuer, left: tuple[str, ...], *, eye: bool) -> Iterator[Group]:
    """Give every group that the first card can stand in."""
    first = left[0]
    counts = Counter(left)
    counts[first] -= 1
    others = [card for card, count in counts.items() if count]
    alike = [card for card in others if character_of(card) == character_of(first)]
    for size in (2, 3, 4, 5):
        if size == 2 and not eye:
            continue
        for more in combinations_with_replacement(alike, size - 1):
            if all(count <= counts[card] for card, count in Counter(more).items()):
                yield Group("eye" if size == 2 else _ALIKE[size], (first, *more))
    for place, second in enumerate(others):
        if eye and character_of(second) != character_of(first) and valuer.shape((first, second)) == "eye":
            yield Group("eye", (first, second))
        for third in others[place + 1 :]:
            if valuer.shape((first, second, third)) == "sentence":
                yield Group("sentence", (first, second, third))
