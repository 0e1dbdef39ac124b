"""Random hands of every book: finished by construction, many then disturbed.

A case is drawn from its book, a seed and its number alone, so that any of them can be made
again. A mood says what is hard about a hand: many numbers, many jing, fours and fives that may
or may not stay together, ten pairs, one colour.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Literal

from tests.scorer import reference
from tests.scorer.reference import WILD, Book, Case, Group, Hand

MOODS = {
    "any": 3,
    "numbers": 3,
    "jing": 2,
    "fours": 3,
    "alike": 1,
    "pairs": 1,
    "black": 1,
    "red": 1,
    "green": 1,
    "dry": 1,
    "low": 2,
    "poor": 1,
}


def shuffled(case: Case, rng: random.Random) -> Case:
    """The same with its cards and groups in another order."""
    laid = [replace(g, cards=tuple(rng.sample(g.cards, len(g.cards)))) for g in case.hand.laid]
    hand = Hand(
        tuple(rng.sample(case.hand.free, len(case.hand.free))),
        tuple(rng.sample(case.hand.picked, len(case.hand.picked))),
        tuple(rng.sample(laid, len(laid))),
    )
    return replace(case, hand=hand)


SPELLINGS = {"乙": "一", "土": "士", "禮": "礼", "己": "已", "子": "仔", "賴": "赖别別", "撿": "捡"}
SPELLINGS_96 = {"爾": "尔", "祿": "禄", "壽": "寿", "仁": "亡", "孔": "丘"}


def spelled(case: Case, rng: random.Random) -> str:
    """The hand in text with other spellings of its cards here and there, and spaces (RULES.md §1)."""
    others = SPELLINGS | (SPELLINGS_96 if case.rule == "shangdaren" else {})
    signs = []
    for sign in str(case.hand).replace(" ", ""):
        signs.append(rng.choice(sign + others.get(sign, "")))
        if sign not in "花撿" and rng.random() < 0.2:
            signs.append(" ")
    return "".join(signs)


CHOICES: dict[str, tuple[object, ...]] = {
    "discard_completes": ("exposed", "concealed"),
    "number_sentences_from": ("乙", "三"),
    "eye_counts": (True, False),
    "black_flower_points": (0, 1),
    "bao": (False, True),
    "exposed_triplet": ("less", "as_kan"),
    "step_size": (7, 5, 6, 10, 1),
    "special_table": ("standard", "high"),
    "special_combine": ("max", "product"),
    "form": ("eight_groups", "six_and_half"),
    "wilds": (0, 2),
    "steps": ("by_7", "by_5_from_17"),
    "ku_minimum": (11, 0),
    "class_combine": ("highest", "sum"),
}


def random_options(rule: str, rng: random.Random) -> dict[str, object]:
    """Options of a book: all at their default, or some of them drawn."""
    if rng.random() < 0.3:
        return {}
    drawn: dict[str, object] = {}
    for name in reference.default_options(rule):
        if rng.random() < 0.5:
            continue
        if name == "main_jing":
            drawn[name] = rng.choice(("most_held", "best", *reference.jings(Book.of(rule))))
        else:
            drawn[name] = rng.choice(CHOICES[name])
    return drawn


class Deal:
    """A deck from which groups are drawn."""

    def __init__(self, book: Book, mood: str, rng: random.Random) -> None:
        self.book = book
        self.rng = rng
        self.left = Counter(reference.deck(book))
        self.sentences = reference.sentences(book)
        self.characters = sorted({card[-1] for card in self.left if card != WILD})
        self.liked = self._liked(mood)

    def _liked(self, mood: str) -> list[str]:
        """The characters that a mood draws from."""
        if mood == "numbers" and self.book.rule != "shangdaren":
            return list(reference.NUMBERS)
        if mood == "jing":
            return list("上七福" if self.book.rule == "shangdaren" else "乙三五七九四六")
        if mood == "low":
            return self.rng.sample(self.characters, 9)
        if mood == "poor" and self.book.rule != "shangdaren":
            return [c for c in self.characters if c not in reference.RED]
        if mood == "dry" and self.book.rule == "shangdaren":
            return [c for c in self.characters if c not in "上大人七十土福祿壽"]
        if mood in ("black", "green") and self.book.rule == "shangdaren":
            place = 2 if mood == "black" else 1
            return [phrase[place] for phrase in reference.PHRASES_96]
        if mood == "black":
            return [c for c in self.characters if c not in reference.RED]
        if mood == "red":
            return [c for c in self.characters if c in reference.RED]
        return self.characters

    def count(self, character: str) -> int:
        """How many copies are left."""
        return self.left[character] + self.left["花" + character]

    def take(self, character: str) -> str:
        """One copy of a character, sometimes a wild in its place."""
        if (
            self.left[WILD] > 0
            and character in reference.WILD_MEANINGS
            and (self.rng.random() < 0.15 or not self.count(character))
        ):
            self.left[WILD] -= 1
            return WILD
        plain, flower = self.left[character], self.left["花" + character]
        if self.rng.random() * (plain + flower) < flower:
            character = "花" + character
        self.left[character] -= 1
        return character

    def group(self, shape: str) -> list[str] | None:
        """A group or an eye of a shape, or None where none could be drawn."""
        for _ in range(40):
            if shape in ("sentence", "half"):
                characters = self.rng.choice(self.sentences)
                if not any(c in self.liked for c in characters):
                    continue
                if (
                    len(self.liked) < len(self.characters)
                    and self.rng.random() < 0.8
                    and not all(c in self.liked for c in characters)
                ):
                    continue
                if shape == "half":
                    characters = "".join(self.rng.sample(characters, 2))
            else:
                size = {"pair": 2, "triplet": 3, "quad": 4, "quint": 5}[shape]
                characters = self.rng.choice(self.liked) * size
            need = Counter(characters)
            if all(self.count(c) >= n for c, n in need.items()):
                return [self.take(c) for c in characters]
        return None


def shape_weights(mood: str, rule: str) -> dict[str, float]:
    """How often each shape is drawn."""
    weights = {"sentence": 5.0, "triplet": 3.0, "quad": 0.7, "quint": 0.25}
    if mood == "fours":
        weights = {"sentence": 3.0, "triplet": 2.0, "quad": 3.0, "quint": 1.2}
    elif mood in ("alike", "black", "red", "green"):
        weights = {"sentence": 1.0, "triplet": 4.0, "quad": 1.0, "quint": 0.3}
        if mood == "alike":
            weights["sentence"] = 0.0
    elif mood in ("numbers", "low"):
        weights = {"sentence": 6.0, "triplet": 3.0, "quad": 0.4, "quint": 0.15}
    elif mood == "poor":
        weights = {"sentence": 9.0, "triplet": 1.0, "quad": 0.1, "quint": 0.0}
    if rule == "shangdaren":
        weights["quint"] = 0.0
    return weights


def finished(book: Book, mood: str, rng: random.Random) -> tuple[list[str], list[Group]]:
    """Free cards and laid groups of a finished hand."""
    deal = Deal(book, mood, rng)
    if mood == "pairs" and reference.groups_needed(book) == 6:
        free: list[str] = []
        while len(free) < 20:
            free += deal.group("pair") or []
        return free, []
    weights = shape_weights(mood, book.rule)
    laid_share = rng.choice((0.0, 0.0, 0.2, 0.5, 0.9))
    free = []
    laid: list[Group] = []
    for _ in range(reference.groups_needed(book)):
        shape = rng.choices(list(weights), list(weights.values()))[0]
        cards = deal.group(shape) or deal.group("sentence") or deal.group("triplet")
        if cards is None:
            deal.liked = deal.characters
            cards = deal.group("sentence") or deal.group("triplet") or []
        if cards and rng.random() < laid_share:
            square = len(cards) > 3 and rng.random() < 0.6
            laid.append(Group(tuple(cards), "square" if square else "round"))
        elif len(cards) > 3 and rng.random() < 0.3:
            laid.append(Group(tuple(cards), "square"))
        else:
            free += cards
    free += deal.group(rng.choice(("pair", "half"))) or deal.group("half") or []
    return free, laid


def disturb(
    book: Book,
    free: list[str],
    laid: list[Group],
    rng: random.Random,
) -> None:
    """Make one thing about a hand doubtful or wrong."""
    cards = list(reference.deck(book))
    kind = rng.choice(
        ("swap",) * 3 + ("drop", "add", "flower", "copies", "unlay", "group", "bracket", "declare", "wilds")
    )
    if kind == "swap" and free:
        free[rng.randrange(len(free))] = rng.choice(cards)
    elif kind == "drop" and free:
        free.pop(rng.randrange(len(free)))
    elif kind == "add":
        free.append(rng.choice(cards))
    elif kind == "flower":
        places = [i for i, card in enumerate(free) if card[-1] in reference.FLOWERED]
        if places and book.rule != "shangdaren":
            i = rng.choice(places)
            free[i] = free[i][-1] if free[i][0] == "花" else "花" + free[i]
    elif kind == "copies" and len(free) > 6:
        card = rng.choice(free)
        for i in rng.sample(range(len(free)), rng.randint(1, 4)):
            free[i] = card
    elif kind == "unlay" and laid:
        free += laid.pop(rng.randrange(len(laid))).cards
    elif kind == "group" and laid:
        i = rng.randrange(len(laid))
        broken = list(laid[i].cards)
        if rng.random() < 0.5:
            broken[rng.randrange(len(broken))] = rng.choice(cards)
        elif rng.random() < 0.5:
            broken.append(rng.choice(broken))
        elif len(broken) > 1:
            broken.pop()
        laid[i] = replace(laid[i], cards=tuple(broken))
    elif kind == "bracket" and laid:
        i = rng.randrange(len(laid))
        laid[i] = replace(laid[i], bracket="square" if laid[i].bracket == "round" else "round")
    elif kind == "declare":
        tally = Counter(card[-1] for card in free)
        fours = [c for c, n in tally.items() if n >= 4 and c != WILD]
        if fours:
            chosen = rng.choice(fours)
            copies = [card for card in free if card[-1] == chosen][: rng.choice((4, 5))]
            for card in copies:
                free.remove(card)
            laid.append(Group(tuple(copies), "square"))
    elif kind == "wilds" and WILD in cards:
        places = [i for i, card in enumerate(free) if card[-1] in reference.WILD_MEANINGS]
        if places:
            free[rng.choice(places)] = WILD


def pick_up(free: list[str], rng: random.Random) -> list[str]:
    """Take some cards out of `free` as picked-up ones, mostly cards that may stand in a sentence."""
    count = min(len(free), rng.choice((0, 0, 0, 1, 1, 2, 3, 5)))
    picked = []
    for _ in range(count):
        tally = Counter(card[-1] for card in free)
        places = list(range(len(free)))
        likely = [i for i in places if tally[free[i][-1]] in (1, 2, 4)]
        places = likely if likely and rng.random() < 0.9 else places
        picked.append(free.pop(rng.choice(places)))
    return picked


def random_case(rule: str, seed: int, number: int) -> Case:
    """The case with this number."""
    rng = random.Random(f"{rule} {seed} {number}")
    options = random_options(rule, rng)
    book = Book.of(rule, options)
    [mood] = rng.choices(list(MOODS), list(MOODS.values()))
    free, laid = finished(book, mood, rng)
    if rng.random() < 0.4:
        for _ in range(rng.choice((1, 1, 2))):
            disturb(book, free, laid, rng)
    picked = pick_up(free, rng) if reference.has_pickup(book) else []
    hand = Hand(tuple(free), tuple(picked), tuple(laid))
    players = rng.choice((None, *reference.players_of(book)))
    seats = players or reference.players_of(book)[0]
    if rule == "jingzhou" and seats == 4:
        seats = 3
    by: Literal["self", "discard"] = "self" if rng.random() < 0.5 else "discard"
    winner = rng.randrange(seats)
    others = [seat for seat in range(seats) if seat != winner]
    case = Case(
        rule=rule,
        hand=hand,
        options=options,
        win=rng.choice(hand.free) if hand.free and rng.random() < 0.8 else None,
        by=by,
        players=players,
        stake=rng.choice((1, 1, 5, 10, 7)),
        winner=winner,
        discarder=rng.choice((None, *others)) if by == "discard" else None,
        dui={seat: rng.randint(0, 4) for seat in range(seats) if rng.random() < 0.3},
    )
    return shuffled(case, rng)
