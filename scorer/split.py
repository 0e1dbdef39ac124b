"""The search for the best split of free cards into groups and an eye.

The characters of a deck fall into sections that share no sentence: 上大人, 可知禮 and the chain of the
others, which is cut once more between 四 and 五. A section is searched from its end towards the cut,
character by character: what a character's cards can do depends only on how many of them sentences begun
before demand, and is found once and kept. For a section the best points are kept for every number of extra
cards (a quad one, a quint two), every use of the eye and every number of sentences that reach over the
cut. A hand then only has to put together what is kept. Flower copies of a character, wilds and picked-up
cards are placed when the character's turn comes, since what they bring depends on their own character
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple, TypeAlias

from scorer.cards import FIELD, FIELD_MASK, FLOWER, KINDS, SHIFT, WILD, WILD_STANDS_FOR
from scorer.points import FLOWERED, PLAIN, WILD_AS, Points

PICKED_SHIFT = FIELD * len(KINDS)
"""Where in the key of a section the counts of picked-up cards begin."""
WIN_SHIFT = 2 * PICKED_SHIFT
"""Where in the key of a section it says which character holds the winning card, and which face."""

# A state of the search is one integer: the extra cards so far, what the eye is, how many cards sentences
# take over the cut, and for each character still to come how many of its cards are demanded by begun
# sentences and the eye. A demand has a bit to spare, by which one addition finds out whether any is larger
# than the hand can meet.
_EXTRA_BITS, _EYE_BITS, _COUNT_BITS = 5, 4, 5
_EXTRA_MASK = (1 << _EXTRA_BITS) - 1
_EYE_MASK = (1 << _EYE_BITS) - 1
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_CUT_SHIFT = _EXTRA_BITS + _EYE_BITS
_DEMAND_SHIFT = _CUT_SHIFT + 2 * _COUNT_BITS
_MOST_DEMAND = _COUNT_MASK >> 1

NO_EYE, EYE_DONE = 0, 1
_EYE_OVER, _EYE_WAITS = 2, 4
"""From these on: an eye over the cut, by its character there; an eye that waits for a place."""
_EYE_ANEW, _EYE_APART, _EYE_HERE = 0, 1, 2
"""What the eye of a state is to a place: not yet begun, no business of it, waiting for it."""

WITH_EYE = 1 << _EXTRA_BITS
"""What a finished eye adds to the number of extra cards in what sections reach."""

CACHE_LIMIT = 20_000
"""How many results are kept for each section and main jing before they are dropped."""


class Cards(NamedTuple):
    """The free cards of one character."""

    plain: int
    flower: int
    wild: int
    picked_plain: int
    picked_flower: int
    picked_wild: int
    win: int
    """0, or which of them wins: 1 + face where it was drawn, 4 + face where it was discarded."""


class Use(NamedTuple):
    """How a split uses the cards of one character, faces apart."""

    in_sentences: int
    in_half: int
    in_pair: int
    triplets: int
    quads: int
    quints: int


AlikeCards: TypeAlias = tuple[str, int, int, int, bool]
"""Alike cards: character, plain, flower and wild ones, and whether a discard completed them."""
Faces: TypeAlias = tuple[int, ...]


class Placing(NamedTuple):
    """Where each face of a character's cards goes, at best."""

    points: int
    alike: tuple[AlikeCards, ...]
    eye: Faces
    """The faces in the eye."""
    sentences: Faces
    """The faces in sentences."""


class Told(NamedTuple):
    """What a step of the search tells about the groups of a split."""

    begun: tuple[int, ...]
    """The sentences, by number, that begin with this character."""
    alike: tuple[AlikeCards, ...]
    eye: tuple[tuple[str, int], ...]
    """Character and face of its cards in the eye."""
    faces: tuple[tuple[str, Faces], ...]
    """The character and the faces that go into sentences, where not all of them are plain."""


Tale: TypeAlias = tuple[Told, ...]
Way: TypeAlias = "tuple[int, int, Told | None]"
"""One way to deal with a character: what it adds to the state, points, what it tells if anything."""
Outer: TypeAlias = list[tuple[int, int, int, Tale]]
"""What a section reaches: eye and cut, extra cards, points, the groups."""
Index: TypeAlias = dict[int, list[tuple[int, int, Tale]]]
"""What a section reaches, by eye and cut of the other side: eye and extra cards of both, points, groups."""
Reached: TypeAlias = dict[int, tuple[int, Tale]]
"""What sections reach together: points and groups by eye and extra cards."""


def _shares(total: int, plain: int, flower: int, wild: int) -> Iterator[tuple[int, int, int]]:
    """Ways to take `total` cards of three faces."""
    for wilds in range(min(wild, total) + 1):
        for flowers in range(min(flower, total - wilds) + 1):
            plains = total - wilds - flowers
            if plains <= plain:
                yield plains, flowers, wilds


def place_faces(points: Points, character: str, times: int, cards: Cards, use: Use) -> Placing | None:
    """Place the faces of a character's cards where they bring most.

    Args:
        points: The rule book's values.
        character: The character.
        times: How often its own cards count, 2 for the main jing.
        cards: Its free cards.
        use: How many of them go where.

    Returns:
        The best placing, or none: a winning card that would stand in a quad or quint, or picked-up cards
        in a group of alike cards, make a use impossible.
    """
    sizes = [5] * use.quints + [4] * use.quads + [3] * use.triplets
    win_face = (cards.win - 1) % 3 if cards.win else -1
    discarded = cards.win > 3
    loose = [cards.plain, cards.flower, cards.wild]
    if cards.win:
        loose[win_face] -= 1
    picked = (cards.picked_plain, cards.picked_flower, cards.picked_wild)
    single = [points.card(character, face).points * times for face in (PLAIN, FLOWERED, WILD_AS)]
    in_eye = [points.card_in_eye(character, face).points * times for face in (PLAIN, FLOWERED, WILD_AS)]
    best: Placing | None = None

    def groups(made: tuple[AlikeCards, ...], left: list[int], *, win: bool, so_far: int) -> None:
        if len(made) == len(sizes):
            finish(made, left, win=win, so_far=so_far)
            return
        size = sizes[len(made)]
        for with_win in (False, True) if win and size == 3 else (False,):
            for share in _shares(size - with_win, *left):
                rest = [left[face] - share[face] for face in range(3)]
                plain, flower, wild = (share[face] + (with_win and face == win_face) for face in range(3))
                by_discard = with_win and discarded
                exposed = by_discard and points.discard_exposes
                worth = points.alike(character, plain, flower, wild, exposed=exposed)
                groups(
                    (*made, (character, plain, flower, wild, by_discard)),
                    rest,
                    win=win and not with_win,
                    so_far=so_far + worth.points * times,
                )

    def finish(made: tuple[AlikeCards, ...], left: list[int], *, win: bool, so_far: int) -> None:
        nonlocal best
        if win:
            left = [left[face] + (face == win_face) for face in range(3)]
        eyes: list[Faces] = [()]
        if use.in_pair:
            eyes = [
                (PLAIN,) * plain + (FLOWERED,) * flower + (WILD_AS,) * wild
                for plain, flower, wild in _shares(2, *left)
            ]
        elif use.in_half:
            eyes = [(face,) for face in range(3) if left[face] + picked[face]]
        for eye in eyes:
            rest = [left[face] + picked[face] - eye.count(face) for face in range(3)]
            if sum(rest) != use.in_sentences:
                continue
            total = so_far + sum([in_eye[face] for face in eye])
            total += single[0] * rest[0] + single[1] * rest[1] + single[2] * rest[2]
            if best is None or total > best.points:
                sentences = (PLAIN,) * rest[0] + (FLOWERED,) * rest[1] + (WILD_AS,) * rest[2]
                best = Placing(total, made, eye, sentences)

    groups((), loose, win=bool(cards.win), so_far=0)
    return best


class _Begin(NamedTuple):
    """A sentence that begins with a character, or one from beyond the cut that takes a card of it."""

    number: int
    """The number of the sentence, -1 for those begun elsewhere."""
    delta: int
    """What one adds to the state."""
    points: int


class _Partner(NamedTuple):
    """What an eye can be begun with."""

    delta: int
    """What it adds to the state."""
    points: int


class _Known:
    """What is known of some counts of a character: the ways to deal with them, by demand and eye."""

    __slots__ = ("cards", "held", "main", "place", "shift", "wait", "ways")

    def __init__(self, place: Place, cards: Cards, *, main: bool) -> None:
        count = sum(cards[:6])
        self.place = place
        self.cards = cards
        self.main = main
        self.shift = place.shift
        self.wait = place.wait
        self.held = count << place.shift
        self.ways: list[list[Way] | None] = [None] * (3 * count + 3)


class Place:
    """A character's place in a section.

    Args:
        points: The rule book's values.
        section: All characters of the section, in the order of the search.
        number: Which of them this is.
        over: Characters beyond the cut whose cards sentences of the section take, at most two.
        gives: Characters of the section whose cards sentences from beyond the cut take, at most two.
    """

    def __init__(self, points: Points, section: str, number: int, over: str, gives: str) -> None:
        self.points = points
        self.character = section[number]
        self.shift = _shift(number)
        self.wait = _EYE_WAITS + number
        kinds = (self.character, FLOWER + self.character, f"{WILD}>{FLOWER}{self.character}")
        self.fields = tuple(SHIFT[kind] for kind in kinds if kind in SHIFT)
        self.mask = sum(FIELD_MASK << field for field in self.fields)
        self.begins = tuple(self._begins(section, number, over, gives))
        self.partners = tuple(self._partners(section, number, over, gives))
        self.pair_points = points.pair(self.character).points
        self.kept: dict[bool, dict[int, _Known]] = {False: {}, True: {}}
        """What is known, as the main jing and not, by the counts of the character."""

    def _begins(self, section: str, number: int, over: str, gives: str) -> Iterator[_Begin]:
        for which, sentence in enumerate(self.points.sentences):
            own = sorted(section.index(letter) for letter in sentence if letter in section)
            outside = [letter for letter in sentence if letter not in section]
            if own[:1] == [number] and all(letter in over for letter in outside):
                delta = sum(1 << _shift(later) for later in own[1:])
                delta += sum(_taken(over.index(letter)) for letter in outside)
                yield _Begin(which, delta, self.points.sentence(sentence).points)
        if self.character in gives:
            yield _Begin(-1, _taken(gives.index(self.character)), 0)

    def _partners(self, section: str, number: int, over: str, gives: str) -> Iterator[_Partner]:
        for later, letter in enumerate(section):
            if later > number and frozenset((self.character, letter)) in self.points.halves:
                delta = ((_EYE_WAITS + later) << _EXTRA_BITS) + (1 << _shift(later))
                yield _Partner(delta, self.points.half(self.character, letter).points)
        for which, letter in enumerate(over):
            if frozenset((self.character, letter)) in self.points.halves:
                yield _Partner(
                    (_EYE_OVER + which) << _EXTRA_BITS, self.points.half(self.character, letter).points
                )
        if self.character in gives:
            yield _Partner((_EYE_OVER + gives.index(self.character)) << _EXTRA_BITS, 0)

    def know(self, own: int, *, main: bool) -> _Known:
        """Begin to know some counts.

        Args:
            own: The counts of the character's faces, those picked up from `PICKED_SHIFT` on, and from
                `WIN_SHIFT` on which of them wins where that matters.
            main: Whether the character is the main jing.
        """
        free, picked = [0, 0, 0], [0, 0, 0]
        for face, field in enumerate(self.fields):
            free[face] = (own >> field) & FIELD_MASK
            picked[face] = (own >> (field + PICKED_SHIFT)) & FIELD_MASK
        kept = self.kept[main]
        if len(kept) >= CACHE_LIMIT:
            kept.clear()
        known = kept[own] = _Known(
            self,
            Cards(free[0], free[1], free[2], picked[0], picked[1], picked[2], own >> WIN_SHIFT),
            main=main,
        )
        return known

    def find(self, known: _Known, which: int) -> list[Way]:
        """Find all ways to deal with a character.

        Args:
            known: What is known of its counts.
            which: How many of its cards are demanded, times 3, plus what the eye is to it.

        Returns:
            The ways.
        """
        demand, eye = divmod(which, 3)
        left = sum(known.cards[:6]) - demand
        # Cards in a pair, cards in a half, change of the state, points.
        eyes: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
        if eye == _EYE_HERE:
            eyes = [(0, 1, (EYE_DONE - self.wait) << _EXTRA_BITS, 0)]
            left += 1
        elif eye == _EYE_ANEW:
            eyes.append((1, 0, EYE_DONE << _EXTRA_BITS, self.pair_points))
            eyes += [(0, 1, partner.delta, partner.points) for partner in self.partners]
        times = self.points.main_times if known.main else 1
        in_sentences = demand - (eye == _EYE_HERE)
        ways: list[Way] = []
        for pair, half, change, eye_points in eyes:
            rest = left - 2 * pair - half
            for alike, triplets, quads, quints in _ALIKE:
                loose = rest - alike
                begun = list(self._begin(loose)) if loose >= 0 else []
                if not begun:
                    continue
                use = Use(in_sentences + loose, half, pair, triplets, quads, quints)
                placing = place_faces(self.points, self.character, times, known.cards, use)
                if placing is not None:
                    same = change + quads + 2 * quints - (demand << self.shift)
                    worth = placing.points + eye_points
                    ways += [
                        (same + delta, worth + points, self._tell(placing, numbers))
                        for delta, points, numbers in begun
                    ]
        known.ways[which] = ways
        return ways

    def _begin(self, loose: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Ways to let `loose` cards begin sentences or serve those from over the cut."""
        if loose and not self.begins:
            return
        for numbers in product(range(loose + 1), repeat=len(self.begins)):
            if sum(numbers) == loose:
                delta = points = 0
                begun: tuple[int, ...] = ()
                for begin, how_many in zip(self.begins, numbers, strict=True):
                    delta += how_many * begin.delta
                    points += how_many * begin.points
                    if begin.number >= 0:
                        begun += (begin.number,) * how_many
                yield delta, points, begun

    def _tell(self, placing: Placing, begun: tuple[int, ...]) -> Told | None:
        faces = ((self.character, placing.sentences),) if any(placing.sentences) else ()
        if not (begun or placing.alike or placing.eye or faces):
            return None
        return Told(begun, placing.alike, tuple((self.character, face) for face in placing.eye), faces)


def _shift(number: int) -> int:
    """Where in a state the demand on a place stands."""
    return _DEMAND_SHIFT + _COUNT_BITS * number


def _taken(number: int) -> int:
    """One card that is taken over the cut."""
    return 1 << (_CUT_SHIFT + _COUNT_BITS * number)


_ALIKE = tuple(
    sorted(
        (3 * triplets + 4 * quads + 5 * quints, triplets, quads, quints)
        for triplets, quads, quints in product(range(3), range(2), range(2))
        if 3 * triplets + 4 * quads + 5 * quints <= 7
    )
)
"""How up to seven cards of a character, two of them wilds, can stand in groups of alike cards."""


class Section:
    """Characters that share no sentence with others but over one cut; keeps what its counts reach.

    Args:
        points: The rule book's values.
        order: Its characters, in the order of the search.
        over: Characters beyond the cut whose cards its sentences take.
        gives: Its characters whose cards sentences from beyond the cut take.
    """

    def __init__(self, points: Points, order: str, over: str = "", gives: str = "") -> None:
        self.order = order
        self.places = tuple(Place(points, order, number, over, gives) for number in range(len(order)))
        self.mask = sum(place.mask for place in self.places)
        self.mains = frozenset(character for character in points.jing if character in order)
        self.slack = sum(_MOST_DEMAND << place.shift for place in self.places)
        self.too_much = sum((_MOST_DEMAND + 1) << place.shift for place in self.places)
        self._outer: dict[str, dict[int, Outer]] = {main: {} for main in ("", *self.mains)}
        self._index: dict[str, dict[int, Index]] = {main: {} for main in ("", *self.mains)}

    def _known(self, key: int, spot: str, main: str) -> tuple[list[_Known], int]:
        """What is known of each character that there are cards of, and the slack of the demands on all."""
        knowns: list[_Known] = []
        slack = self.slack
        beside = key >> PICKED_SHIFT
        for place in self.places:
            own = own_key(key, place.mask, place.character, spot) if beside else key & place.mask
            if own:
                is_main = place.character == main
                known = place.kept[is_main].get(own)
                if known is None:
                    known = place.know(own, main=is_main)
                slack -= known.held
                knowns.append(known)
        return knowns, slack

    def _search(self, key: int, spot: str, main: str) -> Outer:
        knowns, slack = self._known(key, spot, main)
        too_much = self.too_much
        states: Reached = {0: (0, ())}
        for known in knowns:
            shift, wait, ways_of = known.shift, known.wait, known.ways
            reached: Reached = {}
            for state, (points, tale) in states.items():
                eye = (state >> _EXTRA_BITS) & _EYE_MASK
                which = 3 * ((state >> shift) & _COUNT_MASK)
                if eye:
                    which += _EYE_HERE if eye == wait else _EYE_APART
                ways = ways_of[which]
                if ways is None:
                    ways = known.place.find(known, which)
                for delta, more, told in ways:
                    after = state + delta
                    if (after + slack) & too_much:
                        continue
                    total = points + more
                    old = reached.get(after)
                    if old is None or old[0] < total:
                        reached[after] = (total, tale if told is None else (*tale, told))
            states = reached
        return [
            (state >> _EXTRA_BITS, state & _EXTRA_MASK, points, tale)
            for state, (points, tale) in states.items()
        ]

    def search_more(self, key: int, spot: str, main: str, keep: int) -> Outer:
        """Search for the best few ways to each result, each with other groups."""
        knowns, slack = self._known(key, spot, main)
        states: dict[int, list[tuple[int, Tale]]] = {0: [(0, ())]}
        for known in knowns:
            reached: dict[int, list[tuple[int, Tale]]] = {}
            for state, old in states.items():
                eye = (state >> _EXTRA_BITS) & _EYE_MASK
                apart = _EYE_ANEW if not eye else _EYE_HERE if eye == known.wait else _EYE_APART
                which = 3 * ((state >> known.shift) & _COUNT_MASK) + apart
                for delta, more, told in known.ways[which] or known.place.find(known, which):
                    if not (state + delta + slack) & self.too_much:
                        reached.setdefault(state + delta, []).extend(
                            (points + more, tale if told is None else (*tale, told)) for points, tale in old
                        )
            states = {state: _few(ways, keep) for state, ways in reached.items()}
        return [
            (state >> _EXTRA_BITS, state & _EXTRA_MASK, points, tale)
            for state, ways in states.items()
            for points, tale in ways
        ]

    def outer(self, key: int, spot: str, main: str) -> Outer:
        """What the section reaches.

        Args:
            key: The counts of the section's cards, as in `Place.know`; the winning card's character is
                `spot`.
            spot: The character that holds the winning card where that matters.
            main: The main jing; any that is not of this section is as none.
        """
        main = main if main in self.mains else ""
        kept = self._outer[main]
        found = kept.get(key)
        if found is None:
            if len(kept) >= CACHE_LIMIT:
                kept.clear()
            found = kept[key] = self._search(key, spot, main)
        return found

    def index(self, key: int, spot: str, main: str) -> Index:
        """What the section reaches, by the eye and cut that the other side must have."""
        main = main if main in self.mains else ""
        kept = self._index[main]
        found = kept.get(key)
        if found is None:
            if len(kept) >= CACHE_LIMIT:
                kept.clear()
            found = kept[key] = _indexed(self._search(key, spot, main))
        return found


def _few(ways: list[tuple[int, Tale]], keep: int) -> list[tuple[int, Tale]]:
    return sorted(ways, key=lambda way: -way[0])[:keep]


def _indexed(outer: Outer) -> Index:
    """Order what a section reaches by what the other side of the cut must have."""
    index: Index = {}
    for cut, extra, points, tale in outer:
        eye = cut & _EYE_MASK
        if eye == NO_EYE:
            index.setdefault(cut, []).append((extra, points, tale))
            index.setdefault(cut + EYE_DONE, []).append((WITH_EYE + extra, points, tale))
        else:
            other = cut - EYE_DONE if eye == EYE_DONE else cut
            index.setdefault(other, []).append((WITH_EYE + extra, points, tale))
    return index


def _join(outer: Outer, index: Index) -> Reached:
    """Put the two sides of the cut together."""
    best: Reached = {}
    for cut, extra, points, tale in outer:
        others = index.get(cut)
        if others is not None:
            for result, more, other in others:
                together = result + extra
                total = points + more
                old = best.get(together)
                if old is None or old[0] < total:
                    best[together] = (total, tale + other)
    return best


def _alone(outer: Outer) -> Reached:
    """What a section reaches that nothing is cut from."""
    return {(WITH_EYE if cut else 0) + extra: (points, tale) for cut, extra, points, tale in outer}


def _both(one: Reached, other: Reached) -> Reached:
    """Put two sections together that share no sentence."""
    best: Reached = {}
    for reached, (points, tale) in one.items():
        for more, (more_points, more_tale) in other.items():
            together = reached + more
            if together >= 2 * WITH_EYE:
                continue
            total = points + more_points
            old = best.get(together)
            if old is None or old[0] < total:
                best[together] = (total, tale + more_tale)
    return best


_WILD_UNITS = tuple(
    tuple(
        (sum(1 << SHIFT[f"{WILD}>{FLOWER}{character}"] for character in chosen), chosen)
        for chosen in combinations_with_replacement(WILD_STANDS_FOR, number)
    )
    for number in range(3)
)
"""For no, one and two wilds: the packed counts of what they can stand for, with the characters."""


class Found(NamedTuple):
    """The best split of free cards."""

    points: int
    """What its groups and eye count."""
    main: str
    """The main jing, empty where there is none."""
    tale: Tale


class Asked(NamedTuple):
    """What the free cards of a hand are, and what is asked of their split."""

    code: int
    """The packed count of the free cards, those picked up and wilds apart."""
    picked: int = 0
    """The packed count of those picked up, wilds apart."""
    wilds: int = 0
    picked_wilds: int = 0
    extra: int = 0
    """How many extra cards quads and quints must take up."""
    win: str = ""
    """The winning card, empty where none is named."""
    discarded: bool = False
    """Whether it came from a discard."""
    with_eye: bool = True


class Splitter:
    """Searches the splits of hands for one rule book."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self.chain: tuple[Section, Section] | None = None
        phrases = points.book.deck.phrases
        if points.book.deck.numbers:
            phrases = ("上大人", "可知禮")
            self.chain = (
                Section(points, "孔己乙二化千三四", over="五六"),
                Section(points, "土子十九八七六五", gives="五六"),
            )
        blocks = [phrases[place : place + 2] for place in range(0, len(phrases), 2)]
        self.blocks = tuple(tuple(Section(points, phrase) for phrase in block) for block in blocks)
        self.block_orders = tuple(
            (sum(section.mask for section in block), "".join(section.order for section in block))
            for block in self.blocks
        )
        self._blocks: tuple[dict[int, Reached], ...] = tuple({} for _ in self.blocks)
        sections = (*(self.chain or ()), *(section for block in self.blocks for section in block))
        self.mask_of = {place.character: place.mask for section in sections for place in section.places}

    def best(self, asked: Asked, mains: Sequence[str]) -> Found | None:
        """Find the split that counts most.

        Args:
            asked: The free cards and what is asked of their split.
            mains: The main jing to choose from, the preferred first; an empty text is none.

        Returns:
            The split, or none where there is none.
        """
        target = asked.extra + (WITH_EYE if asked.with_eye else 0)
        if asked.wilds or asked.picked_wilds:
            keys = list(self.keys(asked))
        else:
            win = asked.win
            keys = [self._key(asked.code, asked.picked, win[-1:], len(win) - 1, asked.discarded)]
        most, best_main, best_tale = -1, "", None
        for key, spot in keys:
            for main in mains:
                found = self._best_of(key, spot, main, target)
                if found is not None and found[0] > most:
                    (most, best_tale), best_main = found, main
        return None if best_tale is None else Found(most, best_main, best_tale)

    def keys(self, asked: Asked) -> Iterator[tuple[int, str]]:
        """The keys of what the wilds may stand for and which card wins, with the character that wins."""
        code, picked, win = asked.code, asked.picked, asked.win
        for free, chosen in _WILD_UNITS[asked.wilds]:
            for also_picked, _ in _WILD_UNITS[asked.picked_wilds]:
                whole = code + free, picked + also_picked
                if win == WILD:
                    for character in dict.fromkeys(chosen):
                        yield self._key(*whole, character, WILD_AS, asked.discarded)
                else:
                    yield self._key(*whole, win[-1:], len(win) - 1, asked.discarded)

    def _key(
        self,
        code: int,
        picked: int,
        character: str,
        face: int,
        discarded: bool,  # noqa: FBT001
    ) -> tuple[int, str]:
        key = code + (picked << PICKED_SHIFT) if picked else code
        if character:
            count = _sum_fields(code & self.mask_of[character], SHIFT[character])
            # A drawn card matters where it must not fill a quad, a discarded one where it fills a triplet.
            if count >= (3 if discarded else 4):
                marker = 1 + face + (3 if discarded else 0)
                return key + (marker << WIN_SHIFT), character
        return key, ""

    def _best_of(self, key: int, spot: str, main: str, target: int) -> tuple[int, Tale] | None:
        rest = self._rest(key, spot)
        if self.chain is None:
            return rest.get(target)
        left, right = self.chain
        if key >> PICKED_SHIFT:
            left_key, right_key = (
                own_key(key, left.mask, left.order, spot),
                own_key(key, right.mask, right.order, spot),
            )
        else:
            left_key, right_key = key & left.mask, key & right.mask
        chain = _join(left.outer(left_key, spot, main), right.index(right_key, spot, main))
        best: tuple[int, Tale] | None = None
        for reached, (points, tale) in rest.items():
            other = chain.get(target - reached)
            if other is not None and (best is None or other[0] + points > best[0]):
                best = (other[0] + points, other[1] + tale)
        return best

    def _rest(self, key: int, spot: str) -> Reached:
        """What the phrases beside the chain reach; kept for two at a time."""
        whole: Reached | None = None
        for sections, (mask, order), kept in zip(self.blocks, self.block_orders, self._blocks, strict=True):
            own = own_key(key, mask, order, spot)
            found = kept.get(own)
            if found is None:
                if len(kept) >= CACHE_LIMIT:
                    kept.clear()
                one, other = (
                    _alone(section.outer(own_key(key, section.mask, section.order, spot), spot, ""))
                    for section in sections
                )
                found = kept[own] = _both(one, other)
            whole = found if whole is None else _both(whole, found)
        return whole or {}


def _sum_fields(code: int, shift: int) -> int:
    """Sum the faces of one character; they stand side by side."""
    total = 0
    code >>= shift
    while code:
        total += code & FIELD_MASK
        code >>= FIELD
    return total


def own_key(key: int, mask: int, order: str, spot: str) -> int:
    """Take of a hand's key what belongs to one part."""
    own = key & mask
    beside = key >> PICKED_SHIFT
    if beside:
        own |= (beside & mask) << PICKED_SHIFT
        if spot and spot in order:
            own |= (key >> WIN_SHIFT) << WIN_SHIFT
    return own


_Ways: TypeAlias = dict[int, list[tuple[int, Tale]]]


class NextSplits:
    """Searches for more than the best split; slower, and keeps nothing."""

    def __init__(self, splitter: Splitter, keep: int = 2) -> None:
        self.splitter = splitter
        self.keep = keep

    def best(self, asked: Asked, main: str) -> list[tuple[int, Tale]]:
        """Find the best splits, each with other groups, most points first.

        Args:
            asked: The free cards and what is asked of their split.
            main: The main jing, or an empty text.

        Returns:
            Points and tale. Where wilds or the winning card can stand in several places, a split may come
            more than once; for each such place there are as many as are kept.
        """
        found: list[tuple[int, Tale]] = []
        target = asked.extra + WITH_EYE
        for key, spot in self.splitter.keys(asked):
            whole: _Ways = {0: [(0, ())]}
            if self.splitter.chain is not None:
                left, right = (self._reached(section, key, spot, main) for section in self.splitter.chain)
                whole = self._joined(left, _indexed(right))
            for block in self.splitter.blocks:
                for section in block:
                    whole = self._with(whole, self._reached(section, key, spot, ""), target)
            found += whole.get(target, [])
        return sorted(found, key=lambda way: -way[0])

    def _reached(self, section: Section, key: int, spot: str, main: str) -> Outer:
        own = own_key(key, section.mask, section.order, spot)
        return section.search_more(own, spot, main, self.keep)

    def _joined(self, outer: Outer, index: Index) -> _Ways:
        ways: _Ways = {}
        for cut, extra, points, tale in outer:
            for result, more, other in index.get(cut, ()):
                ways.setdefault(result + extra, []).append((points + more, tale + other))
        return {reached: _few(own, self.keep) for reached, own in ways.items()}

    def _with(self, whole: _Ways, outer: Outer, target: int) -> _Ways:
        ways: _Ways = {}
        for cut, extra, points, tale in outer:
            together = (WITH_EYE if cut else 0) + extra
            for before, old in whole.items():
                if before + together <= target:
                    ways.setdefault(before + together, []).extend(
                        (points + more, tale + o) for more, o in old
                    )
        return {reached: _few(own, self.keep) for reached, own in ways.items()}
