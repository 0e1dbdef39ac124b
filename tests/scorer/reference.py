"""The rules once more, slow and obvious: the judge of `scorer` in randomised tests.

Everything here was written from docs/RULES.md alone and shares no line with
`scorer`. A hand is split by plain recursion: take the first card that is left, try every
group and every eye that it can stand in with every choice of the other cards, and keep the
best. The winning card and picked-up cards are cards of their own kind, so that every place
where they may lie is tried like any other choice. What is left over is remembered within one
hand and forgotten after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product
from typing import Literal

WILD = "賴"
NUMBERS = "乙二三四五六七八九十"
PHRASES_110 = ("上大人", "孔乙己", "可知禮", "化三千", "七十土", "八九子")
PHRASES_96 = ("上大人", "孔乙己", "化三千", "七十土", "八九子", "爾小生", "佳作仁", "福祿壽")
RED_PHRASES = ("上大人", "可知禮")
RED = frozenset("上大人可知禮三五七")
FLOWERED = "乙三五七九"
CHARACTERS_110 = "上大人孔乙己可知禮化三千七十土八九子二四五六"
CHARACTERS_96 = "".join(PHRASES_96)
WILD_MEANINGS = "三五七"

JING_BOOKS = ("sanjing", "wujing", "shuangbiegan", "jingzhou", "gongan")
CARD_BOOKS = ("tongcheng", "jingzhou_shuangbiegan")
BOOKS = (
    "sanjing",
    "wujing",
    "shuangbiegan",
    "jingzhou",
    "tongcheng",
    "jingzhou_shuangbiegan",
    "shangdaren",
    "gongan",
)

ALIKE_SHAPES = {3: "triplet", 4: "quad", 5: "quint"}


@dataclass(frozen=True)
class Group:
    """A group that lies on the table, as it was written."""

    cards: tuple[str, ...]
    bracket: str  # 'round' or 'square'

    def __str__(self) -> str:
        left, right = "()" if self.bracket == "round" else "[]"
        return left + "".join(self.cards) + right


@dataclass(frozen=True)
class Hand:
    """Cards in hand, picked-up cards in hand, groups on the table."""

    free: tuple[str, ...]
    picked: tuple[str, ...] = ()
    laid: tuple[Group, ...] = ()

    def __str__(self) -> str:
        parts = ["".join(self.free), "".join("撿" + card for card in self.picked)]
        return " ".join([part for part in parts if part] + [str(group) for group in self.laid])

    @classmethod
    def read(cls, text: str) -> Hand:
        """A hand in text, in standard spelling (INTERFACE.md)."""
        free: list[str] = []
        picked: list[str] = []
        laid: list[Group] = []
        into, mark = free, ""
        for sign in text.replace(" ", ""):
            if sign in "([":
                into = []
            elif sign in ")]":
                laid.append(Group(tuple(into), "round" if sign == ")" else "square"))
                into = free
            elif sign == "花":
                mark = "花"
            elif sign == "撿":
                into = picked
            else:
                into.append(mark + sign)
                mark = ""
                if into is picked:
                    into = free
        return cls(tuple(free), tuple(picked), tuple(laid))

    def all_cards(self) -> list[str]:
        """Every card of the hand."""
        laid = [card for group in self.laid for card in group.cards]
        return [*self.free, *self.picked, *laid]


@dataclass(frozen=True)
class Result:
    """What a hand counts."""

    wins: bool
    reason: str | None
    points: int | None = None
    minimum: int | None = None
    steps: int = 0
    name: str | None = None
    main_jings: frozenset[str | None] = frozenset()
    payments: Mapping[int, int] = field(default_factory=dict)


# --- the books -----------------------------------------------------------------------------


def default_options(rule: str) -> dict[str, object]:
    """Every option that a book has, at its default (RULES.md, the lines marked option)."""
    options: dict[str, object] = {"discard_completes": "exposed"}
    if rule != "shangdaren":
        options |= {"number_sentences_from": "乙", "eye_counts": True}
    if rule in JING_BOOKS:
        options["main_jing"] = "best" if rule == "gongan" else "most_held"
    if rule in ("sanjing", "shuangbiegan"):
        options["black_flower_points"] = 0
    if rule in ("jingzhou", "tongcheng", "jingzhou_shuangbiegan", "shangdaren"):
        options["bao"] = False
    if rule in CARD_BOOKS:
        options |= {
            "exposed_triplet": "less",
            "step_size": 7,
            "special_table": "standard",
            "special_combine": "max",
        }
    if rule == "jingzhou_shuangbiegan":
        options |= {"form": "eight_groups", "wilds": 0, "steps": "by_7"}
    if rule == "shangdaren":
        options |= {"ku_minimum": 11, "class_combine": "highest"}
    return options


@dataclass(frozen=True)
class Book:
    """A rule book with every one of its options."""

    rule: str
    options: Mapping[str, object]

    @classmethod
    def of(cls, rule: str, options: Mapping[str, object] | None = None) -> Book:
        """The book with some options set and the others at their default."""
        return cls(rule, default_options(rule) | dict(options or {}))


@dataclass(frozen=True)
class Case:
    """A hand and everything that its score depends on."""

    rule: str
    hand: Hand
    options: Mapping[str, object] = field(default_factory=dict)
    win: str | None = None
    by: Literal["self", "discard"] = "self"
    players: int | None = None
    stake: int = 1
    winner: int = 0
    discarder: int | None = None
    dui: Mapping[int, int] = field(default_factory=dict)
    whole: frozenset[tuple[str, int]] | None = None  # the only free fours and fives allowed, None for any

    @property
    def book(self) -> Book:
        """The book with these options."""
        return Book.of(self.rule, self.options)

    @property
    def number_of_players(self) -> int:
        """The players, as the book says where they are not given."""
        return self.players or players_of(self.book)[0]


def groups_needed(book: Book) -> int:
    """S, the number of groups beside the eye (§3, §9)."""
    if book.rule in ("tongcheng", "shangdaren"):
        return 6
    if book.rule == "jingzhou_shuangbiegan" and book.options["form"] == "six_and_half":
        return 6
    return 8


def deck(book: Book) -> dict[str, int]:
    """Every card of the deck and its copies (§2)."""
    if book.rule == "shangdaren":
        return dict.fromkeys(CHARACTERS_96, 4)
    cards: dict[str, int] = {}
    for character in CHARACTERS_110:
        if character in FLOWERED:
            cards[character] = 3
            cards["花" + character] = 2
        else:
            cards[character] = 5
    if book.rule in ("shuangbiegan", "gongan") or book.options.get("wilds") == 2:
        cards[WILD] = 2
    return cards


def sentences(book: Book) -> list[str]:
    """Every sentence of the book (§2)."""
    if book.rule == "shangdaren":
        return list(PHRASES_96)
    start = NUMBERS.index(str(book.options["number_sentences_from"]))
    return list(PHRASES_110) + [NUMBERS[i : i + 3] for i in range(start, 8)]


def players_of(book: Book) -> tuple[int, ...]:
    """Numbers of players that the book has, the default first (§3, §7, §8, §9)."""
    if book.rule == "jingzhou":
        return (3, 2, 4)
    if book.rule == "tongcheng":
        return (4, 3)
    if book.rule == "jingzhou_shuangbiegan" and book.options["form"] == "six_and_half":
        return (3, 4)
    return (3,)


def jings(book: Book) -> str:
    """The jing of the books that have a main jing (§4 to §7, §11)."""
    return "乙三五七九" if book.rule == "wujing" else "三五七"


def has_pickup(book: Book) -> bool:
    """Whether 撿 is known: 通城 and 六句半 (§8, INTERFACE.md)."""
    return book.rule == "tongcheng" or book.options.get("form") == "six_and_half"


def declared_is_free(book: Book) -> bool:
    """Whether 觀生 is a number and not a choice of cards: 通城 and 六句半 (§8)."""
    return has_pickup(book)


# --- what one group counts -----------------------------------------------------------------


@dataclass(frozen=True)
class Stand:
    """A card in a group: the character that it stands for, and what it is."""

    character: str
    flower: bool
    wild: bool = False


Stands = tuple[Stand, ...]


def shape_of(stands: Stands) -> str:
    """sentence, triplet, quad, quint."""
    if len({stand.character for stand in stands}) == 1:
        return ALIKE_SHAPES[len(stands)]
    return "sentence"


def is_red_phrase(stands: Stands) -> bool:
    """上大人 or 可知禮, in any order."""
    return any(sorted(s.character for s in stands) == sorted(p) for p in RED_PHRASES)


def black_flowers(stands: Stands) -> int:
    """How many flower 乙 and 九."""
    return sum(stand.flower and stand.character in "乙九" for stand in stands)


def jing_single(book: Book, stand: Stand, main: str | None, each_black_flower: int) -> int:
    """A card in a sentence or the eye (§4)."""
    if stand.character in jings(book):
        points = 2 if stand.flower else 1
        return points * 2 if stand.character == main else points
    return each_black_flower * black_flowers((stand,))


def jing_alike(stands: Stands, shape: str, exposed: bool) -> int:
    """Three, four, five of one jing, not yet doubled (§4, §6)."""
    flowers = sum(stand.flower for stand in stands)
    wilds = sum(stand.wild for stand in stands)
    if shape == "triplet":
        if exposed:
            return 3 + flowers
        if flowers == 3:
            return 12 if wilds == 2 else 9
        return (5, 6, 7)[flowers]
    if shape == "quad":
        return {1: 12, 2: 14, 3: 18, 4: 24}[flowers]
    return {2: 28, 3: 36, 4: 48}[flowers]


def value_in_jing_book(
    book: Book,
    stands: Stands,
    shape: str,
    exposed: bool,
    main: str | None,
) -> int:
    """A group's points in 三精, 五精, 雙別桿, 荊州, 公安 (§4 to §7, §11)."""
    each_black_flower = 0
    if book.rule in ("jingzhou", "gongan") or book.options.get("black_flower_points") == 1:
        each_black_flower = 1
    if shape == "eye" and not book.options["eye_counts"]:
        return black_flowers(stands) if book.rule == "jingzhou" else 0
    if shape in ("sentence", "eye"):
        phrase = 1 if shape == "sentence" and is_red_phrase(stands) else 0
        return phrase + sum(jing_single(book, s, main, each_black_flower) for s in stands)
    character = stands[0].character
    if character in jings(book):
        points = jing_alike(stands, shape, exposed)
        return points * 2 if character == main else points
    red = character in RED
    if shape == "triplet" and exposed:
        points = 1 if red else 0
    elif shape == "triplet":
        points = 2 if red else 1
    elif shape == "quad":
        points = 4 if red else 2
    else:
        points = 8 if red else 4
    return points + each_black_flower * black_flowers(stands)


def own_value(stand: Stand) -> int:
    """What a card counts for itself in 通城 (§8)."""
    if stand.character in "三七":
        return 2 if stand.flower else 1
    if stand.character == "五":
        return 4 if stand.flower else 2
    return black_flowers((stand,))


def value_in_card_book(book: Book, stands: Stands, shape: str, exposed: bool) -> int:
    """A group's points in 通城 and 荊州雙別桿 (§8, §9)."""
    cards = sum(own_value(stand) for stand in stands)
    red = stands[0].character in RED
    if shape == "eye":
        return cards if book.options["eye_counts"] else 0
    if shape == "pair":
        return cards
    if shape == "sentence":
        return cards + (1 if is_red_phrase(stands) else 0)
    if shape == "triplet":
        if exposed and book.options["exposed_triplet"] == "less":
            return cards + (1 if red else 0)
        return cards + (2 if red else 1)
    if shape == "quad":
        return cards + (4 if red else 2)
    return cards + (8 if red else 3)


def value_in_shangdaren(stands: Stands, shape: str, exposed: bool) -> int:
    """A group's points in 上大人 (§10)."""
    jing = any(stand.character in "上七福" for stand in stands)
    if shape == "sentence":
        return 5 if jing else 1
    if shape == "triplet":
        if jing:
            return 15
        return 2 if exposed else 4
    if shape == "quad":
        return 20 if jing else 6
    if stands[0].character == stands[1].character:
        return 8 if jing else 1
    return 5 if jing else 1


def value(
    book: Book,
    stands: Stands,
    shape: str,
    exposed: bool,
    main: str | None,
) -> int:
    """A group's points."""
    if book.rule == "shangdaren":
        return value_in_shangdaren(stands, shape, exposed)
    if book.rule in CARD_BOOKS:
        return value_in_card_book(book, stands, shape, exposed)
    return value_in_jing_book(book, stands, shape, exposed, main)


# --- groups on the table -------------------------------------------------------------------


def as_stand(card: str, character: str | None = None) -> Stand:
    """A card as what it is, or a wild as the flower of `character`."""
    if card == WILD:
        return Stand(character or "", True, True)
    return Stand(card[-1], card[0] == "花")


def readings_of_laid(book: Book, group: Group) -> list[Stands]:
    """Every way in which the book knows a group on the table; none where it does not."""
    found = []
    if group.cards.count(WILD) > 2:
        return []
    for meanings in product(WILD_MEANINGS, repeat=group.cards.count(WILD)):
        left = list(meanings)
        stands = tuple(as_stand(c, left.pop() if c == WILD else None) for c in group.cards)
        characters = [stand.character for stand in stands]
        if len(set(characters)) == 1:
            least = 3 if group.bracket == "round" else 4
            most = 4 if book.rule == "shangdaren" else 5
            if least <= len(characters) <= most:
                found.append(stands)
        elif group.bracket == "round" and any(
            sorted(characters) == sorted(sentence) for sentence in sentences(book)
        ):
            found.append(stands)
    return found


def extra_cards(cards: tuple[str, ...]) -> int:
    """1 a quad, 2 a quint (§3)."""
    return len(cards) - 3


# --- reasons before any split --------------------------------------------------------------


def could_add(cards: list[str]) -> int:
    """U: 1 for each character with four copies, 2 with five, wilds as suits best (§3)."""
    best = 0
    for meanings in product(WILD_MEANINGS, repeat=cards.count(WILD)):
        counts = Counter(card[-1] for card in cards if card != WILD) + Counter(meanings)
        best = max(best, sum(1 if n == 4 else 2 if n >= 5 else 0 for n in counts.values()))
    return best


def defect(case: Case) -> str | None:
    """The first of unknown_group, wrong_count, too_many_copies that holds (§3)."""
    book, hand = case.book, case.hand
    if not all(readings_of_laid(book, group) for group in hand.laid):
        return "unknown_group"
    needed = groups_needed(book)
    extra = len(hand.all_cards()) - (3 * needed + 2)
    laid_extra = sum(extra_cards(group.cards) for group in hand.laid)
    free = list(hand.free)
    if case.win is not None:
        free.remove(case.win)
    addition = could_add(free)
    if declared_is_free(book):
        declared = [group for group in hand.laid if group.bracket == "square"]
        addition = could_add(free + [c for group in declared for c in group.cards])
        addition -= sum(extra_cards(group.cards) for group in declared)
    if len(hand.laid) > needed or extra < laid_extra or extra > laid_extra + addition:
        return "wrong_count"
    held = Counter(hand.all_cards())
    if any(count > deck(book)[card] for card, count in held.items()):
        return "too_many_copies"
    return None


# --- splitting -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """A free card: equal cards are interchangeable, picked-up and winning ones are not."""

    name: str
    picked: bool = False
    winning: bool = False

    @property
    def wild(self) -> bool:
        """Whether it is a wild."""
        return self.name == WILD

    @property
    def meanings(self) -> str:
        """The characters that it can stand for."""
        return WILD_MEANINGS if self.wild else self.name[-1]

    def stand(self, character: str) -> Stand:
        """It, standing for a character."""
        return as_stand(self.name, character)


Choice = tuple[tuple[int, ...], str, str]  # the kinds of a group's cards, what each stands for, the shape


class Splitter:
    """Every split of one hand's free cards, and the best points under several counts at once.

    Args:
        cards: The free cards.
        sentence_list: The book's sentences.
        counts: Functions (stands, shape, exposed) -> points or None where that count
            does not allow such a group; each is maximised on its own.
        discard_exposes: Whether a triplet with the winning card counts as exposed.
        whole: The only fours and fives allowed, as (character, size); None for any.
    """

    def __init__(
        self,
        cards: list[Card],
        sentence_list: list[str],
        counts: Sequence[Callable[[Stands, str, bool], int | None]],
        discard_exposes: bool,
        whole: frozenset[tuple[str, int]] | None = None,
    ) -> None:
        self.kinds = sorted(
            set(cards),
            key=lambda c: (c.wild, NUMBERS.find(c.name[-1]), c.name[-1], c.name, c.picked, c.winning),
        )
        tally = Counter(cards)
        self.start = tuple(tally[kind] for kind in self.kinds)
        self.counts = counts
        self.discard_exposes = discard_exposes
        self.whole = whole
        self.best_of: dict[tuple[tuple[int, ...], int, int], list[int | None]] = {}
        self.points_of: dict[Choice, list[int | None]] = {}
        self.choices_of: dict[int, list[tuple[Choice, tuple[tuple[int, int], ...]]]] = {}
        self.sentence_list = sentence_list
        self.standing_for = {
            character: [i for i, kind in enumerate(self.kinds) if character in kind.meanings]
            for character in {c for kind in self.kinds for c in kind.meanings}
        }

    def choices(self, first: int) -> list[tuple[Choice, tuple[tuple[int, int], ...]]]:
        """Every group or eye with the kind `first`, and how many cards of which kinds it takes."""
        if first not in self.choices_of:
            found = [(choice, tuple(Counter(choice[0]).items())) for choice in self._choices(first)]
            self.choices_of[first] = [
                (choice, need) for choice, need in found if all(self.start[k] >= n for k, n in need)
            ]
        return self.choices_of[first]

    def _choices(self, first: int) -> Iterator[Choice]:
        for character in self.kinds[first].meanings:
            for sentence in self.sentence_list:
                if character not in sentence:
                    continue
                others = sentence.replace(character, "")
                for pair in product(*(self.standing_for.get(other, []) for other in others)):
                    yield (first, *pair), character + others, "sentence"
                for other in others:
                    for kind in self.standing_for.get(other, []):
                        yield (first, kind), character + other, "eye"
            alike = [i for i in self.standing_for[character] if not self.kinds[i].picked]
            if first not in alike:
                continue
            for second in alike:
                yield (first, second), character * 2, "eye"
            for size, shape in ALIKE_SHAPES.items():
                for rest in combinations_with_replacement(alike, size - 1):
                    group = (first, *rest)
                    if sum(self.kinds[i].wild for i in group) > 2:
                        continue
                    if size > 3 and any(self.kinds[i].winning for i in group):
                        continue
                    if size > 3 and self.whole is not None and (character, size) not in self.whole:
                        continue
                    yield group, character * size, shape

    def points(self, choice: Choice) -> list[int | None]:
        """What a group counts under each count."""
        if choice not in self.points_of:
            kinds, characters, shape = choice
            stands = tuple(self.kinds[k].stand(c) for k, c in zip(kinds, characters, strict=True))
            exposed = (
                shape == "triplet" and self.discard_exposes and any(self.kinds[k].winning for k in kinds)
            )
            self.points_of[choice] = [count(stands, shape, exposed) for count in self.counts]
        return self.points_of[choice]

    def best(self, left: tuple[int, ...], extra: int, eyes: int) -> list[int | None]:
        """The best points of the cards that are left, under each count.

        Args:
            left: How many of each kind are left.
            extra: How many cards beyond three the groups to come must hold together.
            eyes: How many eyes are still to be formed, 1 or 0.
        """
        key = (left, extra, eyes)
        if key in self.best_of:
            return self.best_of[key]
        first = next((i for i, count in enumerate(left) if count), None)
        if first is None:
            done = 0 if extra == 0 and eyes == 0 else None
            self.best_of[key] = [done] * len(self.counts)
            return self.best_of[key]
        best: list[int | None] = [None] * len(self.counts)
        for choice, need in self.choices(first):
            eye = choice[2] == "eye"
            more = 0 if eye else len(choice[0]) - 3
            if (eye and not eyes) or more > extra:
                continue
            rest = list(left)
            for kind, number in need:
                rest[kind] -= number
                if rest[kind] < 0:
                    break
            else:
                self.keep_better(best, choice, self.best(tuple(rest), extra - more, eyes - eye))
        self.best_of[key] = best
        return best

    def keep_better(self, best: list[int | None], choice: Choice, behind: list[int | None]) -> None:
        """Raise what was best by what a choice gives with the best behind it, under each count."""
        if all(there is None for there in behind):
            return
        for i, (here, there) in enumerate(zip(self.points(choice), behind, strict=True)):
            if here is not None and there is not None:
                before = best[i]
                best[i] = here + there if before is None else max(before, here + there)


def free_cards(case: Case) -> tuple[list[Card], list[Group]]:
    """The cards to be split, and the groups that are fixed."""
    book, hand, win = case.book, case.hand, case.win
    fixed = list(hand.laid)
    names = list(hand.free)
    if declared_is_free(book):
        fixed = [group for group in hand.laid if group.bracket == "round"]
        names += [c for group in hand.laid if group.bracket == "square" for c in group.cards]
    cards = []
    if win is not None:
        names.remove(win)
        cards.append(Card(win, winning=True))
    cards += [Card(name) for name in names] + [Card(name, picked=True) for name in hand.picked]
    return cards, fixed


def best_points(
    case: Case,
    counts: Sequence[Callable[[Stands, str, bool], int | None]],
) -> list[int | None]:
    """The best points of the whole hand under each count; None where there is no split."""
    book, hand = case.book, case.hand
    cards, fixed = free_cards(case)
    laid: list[int | None] = [0] * len(counts)
    for group in fixed:
        exposed = group.bracket == "round"
        readings = readings_of_laid(book, group)
        for i, count in enumerate(counts):
            points = [count(stands, shape_of(stands), exposed) for stands in readings]
            allowed = [p for p in points if p is not None]
            before = laid[i]
            laid[i] = before + max(allowed) if allowed and before is not None else None
    needed = groups_needed(book)
    extra = len(hand.all_cards()) - (3 * needed + 2) - sum(extra_cards(g.cards) for g in fixed)
    exposes = case.by == "discard" and book.options["discard_completes"] == "exposed"
    splitter = Splitter(cards, sentences(book), counts, exposes, case.whole)
    free = splitter.best(splitter.start, extra, 1)
    return [
        None if here is None or there is None else here + there
        for here, there in zip(laid, free, strict=True)
    ]


# --- what the points turn into -------------------------------------------------------------


def main_candidates(book: Book, hand: Hand) -> list[str | None]:
    """The jing that may be main (§4 to §7, §11)."""
    cards = hand.all_cards()
    held = {jing: sum(card[-1] == jing for card in cards) for jing in jings(book)}
    if not any(held.values()) and WILD not in cards:
        return [None]
    choice = str(book.options["main_jing"])
    if choice == "best":
        return list(held)
    if choice == "most_held":
        return [jing for jing in held if held[jing] == max(held.values())]
    return [choice]


def score_jing_book(case: Case) -> Result:
    """三精, 五精, 雙別桿, 荊州, 公安 without payments."""
    book, hand = case.book, case.hand
    minimum = 24 if book.rule == "jingzhou" and case.number_of_players == 2 else 17
    mains = main_candidates(book, hand)
    counts = [
        lambda stands, shape, exposed, main=main: value(book, stands, shape, exposed, main) for main in mains
    ]
    by_main = best_points(case, counts)
    points = max((p for p in by_main if p is not None), default=None)
    if points is None:
        return Result(False, "no_split")
    attaining = frozenset(m for m, p in zip(mains, by_main, strict=True) if p == points)
    if points < minimum:
        return Result(False, "too_few_points", points, minimum, main_jings=attaining)
    return Result(True, None, points, minimum, 1 + (points - 17) // 5, None, attaining)


def is_all_of(hand: Hand, colour: str) -> bool:
    """Whether every card is red or every card is black (§8); a wild is a red character."""
    red = [card == WILD or card[-1] in RED for card in hand.all_cards()]
    return all(red) if colour == "red" else not any(red)


def ten_pairs(book: Book, hand: Hand) -> int | None:
    """The cards' own values if the hand is ten pairs, else None (§8)."""
    if groups_needed(book) != 6 or hand.laid or hand.picked or len(hand.free) != 20:
        return None
    best = None
    for meanings in product(WILD_MEANINGS, repeat=hand.free.count(WILD)):
        left = list(meanings)
        stands = [as_stand(card, left.pop() if card == WILD else None) for card in hand.free]
        if all(n % 2 == 0 for n in Counter(stand.character for stand in stands).values()):
            points = sum(own_value(stand) for stand in stands)
            best = points if best is None else max(best, points)
    return best


def score_card_book(case: Case) -> Result:
    """通城 and 荊州雙別桿 without payments."""
    book, hand = case.book, case.hand

    def count(stands: Stands, shape: str, exposed: bool) -> int:
        return value(book, stands, shape, exposed, None)

    def own_steps(points: int) -> int:
        if book.options.get("steps") == "by_5_from_17":
            return max(1, 1 + (points - 17) // 5)
        return max(1, points // int(str(book.options["step_size"])))

    [points] = best_points(case, [count])
    pairs = ten_pairs(book, hand)
    black, red, ten = (3, 10, 2) if book.options["special_table"] == "standard" else (10, 50, 10)
    specials = []
    if points is not None and is_all_of(hand, "black"):
        specials.append(("一手黑", black))
    if points is not None and is_all_of(hand, "red"):
        specials.append(("一手紅", red))
    if pairs is not None:
        specials.append(("十對", ten))
    if points is None:
        points = pairs
    if points is None:
        return Result(False, "no_split")
    no_main: frozenset[str | None] = frozenset([None])
    if specials:
        name, factor = max(specials, key=lambda special: special[1])
        if book.options["special_combine"] == "product":
            steps = factor * own_steps(points)
        else:
            steps = max(factor, own_steps(points))
        return Result(True, None, points, 0, steps, name, no_main)
    minimum = 17 if groups_needed(book) == 8 else 7 if case.number_of_players == 4 else 9
    if points < minimum:
        return Result(False, "too_few_points", points, minimum, main_jings=no_main)
    return Result(True, None, points, minimum, own_steps(points), None, no_main)


def shangdaren_classes(book: Book, hand: Hand, points: int, all_alike: bool) -> list[tuple[str, int]]:
    """The classes that a finished hand meets, in the order of §10, each at its reached tier."""
    cards = hand.all_cards()
    met = []
    if any(card in "上七福" for card in cards):
        bonus = 2 if all_alike else 0
        if points >= 51:
            met.append(("台胡翻", 12 + bonus))
        elif points >= 41:
            met.append(("台胡", 6 + bonus))
        elif points >= 21:
            met.append(("屁胡", 2 + bonus))
    elif points >= 22:
        met.append(("清台胡", 8))
    elif points >= 11:
        met.append(("清胡", 4))
    if not any(card in "上大人七十土福祿壽" for card in cards):
        if points >= 21:
            met.append(("枯胡", 24))
        elif points >= int(str(book.options["ku_minimum"])):
            met.append(("枯胡", 12))
    if is_black_hu(cards):
        met.append(("黑胡", 14))
    return met


def is_black_hu(cards: list[str]) -> bool:
    """All cards black or all green: all third or all second in their phrases (§2, §10)."""
    places = {phrase.index(card) for card in cards for phrase in PHRASES_96 if card in phrase}
    return places in ({1}, {2})


def score_shangdaren(case: Case) -> Result:
    """上大人 without payments."""
    book, hand = case.book, case.hand

    def any_split(stands: Stands, shape: str, exposed: bool) -> int | None:
        return value_in_shangdaren(stands, shape, exposed)

    def all_alike(stands: Stands, shape: str, exposed: bool) -> int | None:
        if len({stand.character for stand in stands}) > 1:
            return None
        return value_in_shangdaren(stands, shape, exposed)

    counts = [any_split, all_alike]
    points, alike_points = best_points(case, counts)
    if points is None:
        return Result(False, "no_split")
    cards = hand.all_cards()
    minimum = 21 if any(card in "上七福" for card in cards) else 11
    dry = not any(card in "上大人七十土福祿壽" for card in cards)
    if is_black_hu(cards) or (dry and book.options["ku_minimum"] == 0):
        minimum = 0
    best = None
    for count, alike in ((points, False), (alike_points, True)):
        if count is None:
            continue
        met = shangdaren_classes(book, hand, count, alike)
        if not met:
            continue
        if book.options["class_combine"] == "sum":
            steps, name = sum(s for _, s in met), "+".join(n for n, _ in met)
        else:
            name, steps = max(met, key=lambda one: one[1])
        if best is None or (steps, count) > (best[0], best[1]):
            best = (steps, count, name)
    no_main: frozenset[str | None] = frozenset([None])
    if best is None:
        return Result(False, "too_few_points", points, minimum, main_jings=no_main)
    return Result(True, None, best[1], minimum, best[0], best[2], no_main)


# --- who pays ------------------------------------------------------------------------------


def pay(case: Case, steps: int) -> dict[int, int]:
    """What each seat pays the winner (§4, §7 to §11)."""
    book, by, stake, discarder = case.book, case.by, case.stake, case.discarder
    seats = 3 if book.rule == "jingzhou" and case.number_of_players == 4 else case.number_of_players
    losers = [seat for seat in range(seats) if seat != case.winner]
    if by == "discard" and discarder is None:
        discarder = (case.winner + 1) % seats
    owed = dict.fromkeys(losers, 0)
    for seat in losers:
        if book.rule == "gongan":
            share = steps + 2
            if by == "discard" and seat != discarder:
                share = steps + 1
            owed[seat] += share * stake
        elif by == "self":
            owed[seat] += steps * stake
        elif book.rule in JING_BOOKS:
            assert discarder is not None
            owed[discarder] += steps * stake
        elif seat == discarder:
            owed[seat] += steps * stake
    bao = book.options.get("bao", True)
    liable = [seat for seat in losers if case.dui.get(seat, 0) >= 3]
    if bao and liable:
        total = sum(owed.values())
        if by == "discard" and discarder in liable:
            liable = [discarder]
        owed = {seat: total // len(liable) for seat in liable}
        for seat in liable[: total % len(liable)]:
            owed[seat] += 1
    return {seat: amount for seat, amount in owed.items() if amount}


# --- the whole -----------------------------------------------------------------------------


def score(case: Case) -> Result:
    """What a hand counts and what it brings."""
    reason = defect(case)
    if reason is not None:
        return Result(False, reason)
    if case.rule == "shangdaren":
        result = score_shangdaren(case)
    elif case.rule in CARD_BOOKS:
        result = score_card_book(case)
    else:
        result = score_jing_book(case)
    return replace(result, payments=pay(case, result.steps)) if result.wins else result


@dataclass(frozen=True)
class Wait:
    """A card that completes the hand."""

    card: str
    left: int
    points: int
    steps: int
    wins: bool


def waits(case: Case) -> list[Wait]:
    """Every card that completes the hand of a case, in the order of the deck (INTERFACE.md)."""
    held = Counter(case.hand.all_cards())
    found: list[Wait] = []
    for card, copies in deck(case.book).items():
        left = copies - held[card]
        if left <= 0:
            continue
        hand = replace(case.hand, free=(*case.hand.free, card))
        result = score(replace(case, hand=hand, win=card))
        if result.points is None:
            continue
        before = found[-1] if found else None
        if before and card == "花" + before.card and before.points == result.points:
            found[-1] = replace(before, left=before.left + left)
        else:
            found.append(Wait(card, left, result.points, result.steps, result.wins))
    return found


# --- warnings ------------------------------------------------------------------------------


def steps_by_choice(case: Case) -> set[int]:
    """The steps under each choice of the free fours and fives that N demands, if there is a choice (§3)."""
    hand = case.hand
    needed = len(hand.all_cards()) - (3 * groups_needed(case.book) + 2)
    needed -= sum(extra_cards(group.cards) for group in hand.laid)
    copies = Counter(card[-1] for card in hand.free)
    wilds = copies.pop(WILD, 0)
    sizes = {
        character: [0]
        + [size for size in (4, 5) if number + (wilds if character in WILD_MEANINGS else 0) >= size]
        for character, number in (Counter(dict.fromkeys(WILD_MEANINGS, 0)) | copies).items()
    }
    fours = {character: choices for character, choices in sizes.items() if len(choices) > 1}
    choices = [
        frozenset((c, size) for c, size in zip(fours, choice, strict=True) if size)
        for choice in product(*fours.values())
        if sum(size - 3 for size in choice if size) == needed
    ]
    if len(choices) < 2:
        return set()
    results = [score(replace(case, whole=whole)) for whole in choices]
    return {result.steps for result in results if result.points is not None}


def warning_codes(case: Case) -> dict[str, bool]:
    """Which warnings a hand with points must have (True) and must not have (False), where §3 decides."""
    book, hand = case.book, case.hand
    no_pickup_books = ("sanjing", "wujing", "shuangbiegan", "gongan", "jingzhou")
    seedless = book.rule in no_pickup_books or book.options.get("form") == "eight_groups"
    shapes = Counter(shape_of(readings_of_laid(book, group)[0]) for group in hand.laid)
    codes = {"no_pickup": seedless and shapes["sentence"] > 0}
    if book.rule == "tongcheng":
        codes["picked_unknown"] = not hand.picked
    elif not has_pickup(book):
        codes["picked_unknown"] = False
    dui = shapes["triplet"]
    if not book.options.get("bao", True) or dui < 2:
        codes["dui_over_two"] = False
    elif dui > 2:
        codes["dui_over_two"] = True
    if not (declared_is_free(book) and any(group.bracket == "square" for group in hand.laid)):
        codes["declared_guess"] = len(steps_by_choice(case)) > 1
    return codes
