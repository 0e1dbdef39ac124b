"""The search for the best split of free cards into groups and an eye.

The characters of a deck fall into sections that share no sentence: 上大人, 可知禮 and the chain of the
others, which is cut once more between 四 and 五. A section is searched from its end towards the cut, in
parts of a few characters. For a part and what sentences begun before demand of it, the ways to go on
are found once and kept; for a section, the best points for every number of extra cards (a quad one, a
quint two), every use of the eye and every number of sentences that reach over the cut. A hand then only
has to put together what is kept. Flower copies of a character, wilds and picked-up cards are placed
when the character's turn comes, since what they bring depends on their own character alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, combinations_with_replacement, product
from typing import NamedTuple, TypeAlias

from scorer.cards import FIELD, FIELD_MASK, FLOWER, KINDS, SHIFT, WILD, WILD_STANDS_FOR
from scorer.points import FLOWERED, PLAIN, WILD_AS, Points

PICKED_SHIFT = FIELD * len(KINDS)
"""Where in the key of a part the counts of picked-up cards begin."""
WIN_SHIFT = 2 * PICKED_SHIFT
"""Where in the key of a part it says which character holds the winning card, and which face."""

# A state of the search is one integer: the extra cards so far, what the eye is, how many cards sentences
# take over
# the cut, and for each character still to come how many of its cards begun sentences demand.
_EXTRA_BITS, _EYE_BITS, _COUNT_BITS = 5, 4, 5
_EXTRA_MASK = (1 << _EXTRA_BITS) - 1
_EYE_MASK = (1 << _EYE_BITS) - 1
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_CUT_SHIFT = _EXTRA_BITS + _EYE_BITS
_DEMAND_SHIFT = _CUT_SHIFT + 2 * _COUNT_BITS

NO_EYE, EYE_DONE = 0, 1
_EYE_OVER, _EYE_WAITS = 2, 4
"""From these on: an eye over the cut, by its character there; an eye that waits for a place."""

WITH_EYE = 1 << _EXTRA_BITS
"""What a finished eye adds to the number of extra cards in what sections reach."""

CACHE_LIMIT = 20_000
"""How many results are kept for each part, section and main jing before they are dropped."""


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


@dataclass(frozen=True, slots=True)
class Alike:
    """Three, four or five free cards of one character."""

    plain: int
    flower: int
    wild: int
    by_discard: bool
    """Whether a discard completed it."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Where each face of a character's cards goes, at best."""

    points: int
    alike: tuple[Alike, ...]
    eye: tuple[int, ...]
    """The faces in the eye."""
    sentences: tuple[int, ...]
    """The faces in sentences."""


class Step(NamedTuple):
    """One way to deal with a character in the search."""

    delta: int
    """What it adds to the state."""
    points: int
    character: str
    placing: Placing
    begun: tuple[int, ...]
    """The sentences, by number, that begin with this character here."""


Node: TypeAlias = "tuple[int, Node | None, Step | None]"
"""The best way to a state: points, the node before, the step from there."""

_ROOT: Node = (0, None, None)

Faces: TypeAlias = tuple[int, ...]


class Path:
    """A way through a part, read only when a hand is written out."""

    __slots__ = ("_groups", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        self._groups: PathGroups | None = None

    def groups(self) -> PathGroups:
        """The groups that are begun or made on this way."""
        if self._groups is None:
            self._groups = _read(self.node)
        return self._groups


class PathGroups(NamedTuple):
    """The groups that a way through a part begins or makes."""

    begun: tuple[int, ...]
    """Sentences, by number."""
    alike: tuple[tuple[str, int, int, int, bool], ...]
    """Character, plain, flower and wild cards, and whether a discard completed it."""
    eye: tuple[tuple[str, int], ...]
    """Characters and faces in the eye."""
    faces: tuple[tuple[str, Faces], ...]
    """The faces that go into sentences, of characters where not all of them are plain."""


def _read(node: Node) -> PathGroups:
    begun: list[int] = []
    alike: list[tuple[str, int, int, int, bool]] = []
    eye: list[tuple[str, int]] = []
    faces: list[tuple[str, Faces]] = []
    _points, before, step = node
    while before is not None and step is not None:
        placing, character = step.placing, step.character
        begun += step.begun
        alike += [
            (character, group.plain, group.flower, group.wild, group.by_discard) for group in placing.alike
        ]
        eye += [(character, face) for face in placing.eye]
        if any(placing.sentences):
            faces.append((character, placing.sentences))
        _, before, step = before
    return PathGroups(tuple(begun), tuple(alike), tuple(eye), tuple(faces))


Paths: TypeAlias = tuple[Path, ...]
Way: TypeAlias = tuple[int, int, Path]
"""A way through a part: what it adds to the state, points, path."""
Outer: TypeAlias = list[tuple[int, int, int, Paths]]
"""What a section reaches: eye and cut, extra cards, points, paths."""
Index: TypeAlias = dict[int, list[tuple[int, int, Paths]]]
"""What a section reaches, by the eye and cut of the other side.

Eye and extra cards of both, points, paths.
"""
Reached: TypeAlias = dict[int, tuple[int, Paths]]
"""What sections reach together: points and paths by eye and extra cards."""


def _shares(total: int, plain: int, flower: int, wild: int) -> Iterator[tuple[int, int, int]]:
    """Ways to take `total` cards of three faces."""
    for wilds in range(min(wild, total) + 1):
        for flowers in range(min(flower, total - wilds) + 1):
            plains = total - wilds - flowers
            if plains <= plain:
                yield plains, flowers, wilds


def place(points: Points, character: str, times: int, cards: Cards, use: Use) -> Placing | None:
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
    best: Placing | None = None

    def groups(made: tuple[Alike, ...], left: list[int], *, win: bool, sum_so_far: int) -> None:
        if len(made) == len(sizes):
            finish(made, left, win=win, sum_so_far=sum_so_far)
            return
        size = sizes[len(made)]
        for with_win in (False, True) if win and size == 3 else (False,):
            for share in _shares(size - with_win, *left):
                rest = [left[face] - share[face] for face in range(3)]
                held = [share[face] + (with_win and face == win_face) for face in range(3)]
                exposed = with_win and discarded
                worth = points.alike(character, *held, exposed=exposed and points.discard_exposes)
                groups(
                    (*made, Alike(held[0], held[1], held[2], by_discard=exposed)),
                    rest,
                    win=win and not with_win,
                    sum_so_far=sum_so_far + worth.points * times,
                )

    def finish(made: tuple[Alike, ...], left: list[int], *, win: bool, sum_so_far: int) -> None:
        nonlocal best
        if win:
            left = [left[face] + (face == win_face) for face in range(3)]
        if use.in_pair:
            eyes = [[0] * plain + [1] * flower + [2] * wild for plain, flower, wild in _shares(2, *left)]
        elif use.in_half:
            eyes = [[face] for face in range(3) if left[face] + picked[face]]
        else:
            eyes = [[]]
        for eye in eyes:
            rest = [left[face] + picked[face] - eye.count(face) for face in range(3)]
            if sum(rest) != use.in_sentences:
                continue
            total = sum_so_far
            total += times * sum(points.card_in_eye(character, face).points for face in eye)
            total += times * sum(points.card(character, face).points * rest[face] for face in range(3))
            if best is None or total > best.points:
                sentences = (PLAIN,) * rest[0] + (FLOWERED,) * rest[1] + (WILD_AS,) * rest[2]
                best = Placing(total, made, tuple(eye), sentences)

    groups((), loose, win=bool(cards.win), sum_so_far=0)
    return best


class _Begin(NamedTuple):
    """A sentence that begins with a character, or one begun elsewhere that takes a card of it over a cut."""

    number: int
    """The number of the sentence, -1 for those begun elsewhere."""
    delta: int
    """What one adds to the state."""
    inside: tuple[int, ...]
    """The later places of the part that it needs."""
    points: int


class _Partner(NamedTuple):
    """What an eye can be begun with."""

    eye: int
    """The eye of the state."""
    inside: int
    """The later place that it needs, or -1 where that lies over a cut."""
    points: int


@dataclass(frozen=True, slots=True)
class _Spot:
    """A character's place in the order of a part."""

    character: str
    shift: int
    """Where in a state the demand on it stands."""
    faces: tuple[tuple[int, int], ...]
    """Where in a key each of its faces stands, free and picked up."""
    begins: tuple[_Begin, ...]
    partners: tuple[_Partner, ...]
    pair_points: int


_Row: TypeAlias = tuple[
    int, int, int, "list[tuple[Step, ...] | None]", "Callable[[int, int], tuple[Step, ...]]"
]
"""A character in the search.

Shift of the demand on it, the eye that waits for it, its count, the ways to deal
with it by demand and eye, and what finds those."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of some counts of a part."""

    counts: tuple[int, ...]
    """How many free cards there are of each character."""
    rows: tuple[_Row, ...]
    """The characters that there are cards of."""
    ways: dict[int, list[Way]]
    """The ways through the part, by what is demanded of it."""


class Part:
    """A few characters of a section that are searched together.

    Args:
        points: The rule book's values.
        section: All characters of the section, in the order of the search.
        start: The first place of this part in the section.
        stop: The place after its last.
        over: Characters beyond the cut whose cards sentences of the section take, at most two.
        gives: Characters of the section whose cards sentences from beyond the cut take, at most two.
    """

    def __init__(
        self, points: Points, section: str, start: int, stop: int, *, over: str = "", gives: str = ""
    ) -> None:
        self.points = points
        self.section = section
        self.start = start
        self.order = section[start:stop]
        self.over, self.gives = over, gives
        self.mask = 0
        self.shift = self._shift(start)
        self.demands = (1 << _COUNT_BITS * len(self.order)) - 1
        own_eyes = range(_EYE_WAITS + start, _EYE_WAITS + stop)
        self.eyes = tuple(eye if eye in own_eyes else min(eye, EYE_DONE) for eye in range(_EYE_MASK + 1))
        """The eye of a state as it matters here: a wait for a later part is as good as done."""
        self.spots = tuple(self._spot(place) for place in range(start, stop))
        self.mains = frozenset(character for character in points.jing if character in self.order)
        self._known: dict[str, dict[int, _Known]] = {main: {} for main in ("", *self.mains)}
        self._rows: dict[str, list[dict[tuple[Cards, tuple[int, ...]], list[tuple[Step, ...] | None]]]] = {
            main: [{} for _ in self.order] for main in ("", *self.mains)
        }

    def _spot(self, place: int) -> _Spot:
        character, section, points = self.section[place], self.section, self.points
        faces: list[tuple[int, int]] = []
        for kind in (character, FLOWER + character, f"{WILD}>{FLOWER}{character}"):
            if kind in SHIFT:
                faces.append((SHIFT[kind], SHIFT[kind] + PICKED_SHIFT))
                self.mask |= FIELD_MASK << SHIFT[kind]
        begins = []
        for number, sentence in enumerate(points.sentences):
            own = sorted(section.index(letter) for letter in sentence if letter in section)
            outside = [letter for letter in sentence if letter not in section]
            if own[:1] == [place] and all(letter in self.over for letter in outside):
                delta = sum(1 << self._shift(later) for later in own[1:])
                delta += sum(self._taken(self.over.index(letter)) for letter in outside)
                inside = tuple(
                    later - self.start for later in own[1:] if later < self.start + len(self.order)
                )
                begins.append(_Begin(number, delta, inside, points.sentence(sentence).points))
        partners = [
            _Partner(
                _EYE_WAITS + later,
                later - self.start if later < self.start + len(self.order) else -1,
                points.half(character, section[later]).points,
            )
            for later in range(place + 1, len(section))
            if frozenset((character, section[later])) in points.halves
        ]
        partners += [
            _Partner(_EYE_OVER + number, -1, points.half(character, letter).points)
            for number, letter in enumerate(self.over)
            if frozenset((character, letter)) in points.halves
        ]
        if character in self.gives:
            number = self.gives.index(character)
            begins.append(_Begin(-1, self._taken(number), (), 0))
            partners.append(_Partner(_EYE_OVER + number, -1, 0))
        pair_points = points.pair(character).points
        return _Spot(character, self._shift(place), tuple(faces), tuple(begins), tuple(partners), pair_points)

    @staticmethod
    def _shift(place: int) -> int:
        return _DEMAND_SHIFT + _COUNT_BITS * place

    @staticmethod
    def _taken(number: int) -> int:
        return 1 << (_CUT_SHIFT + _COUNT_BITS * number)

    def known(self, key: int, main: str) -> _Known:
        """What is known of some counts.

        Args:
            key: The counts of the part's cards, those picked up from `PICKED_SHIFT` on, and from
                `WIN_SHIFT` on which character holds the winning card where that matters.
            main: The main jing; any that is not of this part is as none.
        """
        main = main if main in self.mains else ""
        kept = self._known[main]
        known = kept.get(key)
        if known is None:
            if len(kept) >= CACHE_LIMIT:
                kept.clear()
            known = kept[key] = self._know(key, main)
        return known

    def find(self, known: _Known, demand: int) -> list[Way]:
        """Find the best ways through the part.

        Args:
            known: What is known of its counts.
            demand: The eye as it matters here, and from `_EYE_BITS` on how many cards are demanded of each
                character.

        Returns:
            A way for every state that can be reached.
        """
        if self._too_much(known, demand):
            return []
        first = self._first(demand)
        states: dict[int, Node] = {first: _ROOT}
        for shift, mine, count, row, fill in known.rows:
            reached: dict[int, Node] = {}
            for state, node in states.items():
                demanded = (state >> shift) & _COUNT_MASK
                if demanded > count:
                    continue
                eye = (state >> _EXTRA_BITS) & _EYE_MASK
                way = 3 * demanded + (0 if eye == NO_EYE else 2 if eye == mine else 1)
                steps = row[way]
                if steps is None:
                    steps = row[way] = fill(demanded, way % 3)
                points = node[0]
                for step in steps:
                    after = state + step[0]
                    total = points + step[1]
                    old = reached.get(after)
                    if old is None or old[0] < total:
                        reached[after] = (total, node, step)
            states = reached
        return [
            (state - first, node[0], Path(node)) for state, node in states.items() if self._eye_is_done(state)
        ]

    def _too_much(self, known: _Known, demand: int) -> bool:
        demand >>= _EYE_BITS
        for count in known.counts:
            if demand & _COUNT_MASK > count:
                return True
            demand >>= _COUNT_BITS
        return False

    def find_more(self, known: _Known, demand: int, keep: int) -> list[Way]:
        """Find the best few ways to each state, each with other groups."""
        if self._too_much(known, demand):
            return []
        first = self._first(demand)
        states: dict[int, list[Node]] = {first: [_ROOT]}
        for shift, mine, count, row, fill in known.rows:
            reached: dict[int, list[Node]] = {}
            for state, nodes in states.items():
                demanded = (state >> shift) & _COUNT_MASK
                if demanded > count:
                    continue
                eye = (state >> _EXTRA_BITS) & _EYE_MASK
                way = 3 * demanded + (0 if eye == NO_EYE else 2 if eye == mine else 1)
                steps = row[way]
                if steps is None:
                    steps = row[way] = fill(demanded, way % 3)
                for step in steps:
                    reached.setdefault(state + step.delta, []).extend(
                        (node[0] + step.points, node, step) for node in nodes
                    )
            states = {state: sorted(nodes, key=_most_points)[:keep] for state, nodes in reached.items()}
        return [
            (state - first, node[0], Path(node))
            for state, nodes in states.items()
            if self._eye_is_done(state)
            for node in nodes
        ]

    def _first(self, demand: int) -> int:
        return ((demand >> _EYE_BITS) << self.shift) + ((demand & _EYE_MASK) << _EXTRA_BITS)

    def _eye_is_done(self, state: int) -> bool:
        """Whether no eye waits for a character of the part that it has no card of."""
        eye = (state >> _EXTRA_BITS) & _EYE_MASK
        return eye <= EYE_DONE or self.eyes[eye] == EYE_DONE

    def _cards(self, key: int) -> list[Cards]:
        if key >> PICKED_SHIFT:
            win = key >> WIN_SHIFT
            cards = []
            for spot in self.spots:
                counts = [0] * 6
                for face, (free, picked) in enumerate(spot.faces):
                    counts[face] = (key >> free) & FIELD_MASK
                    counts[face + 3] = (key >> picked) & FIELD_MASK
                here = win & 7 if win and win >> 3 == spot.faces[0][0] else 0
                cards.append(Cards._make([*counts, here]))
            return cards
        return [
            Cards(*[(key >> free) & FIELD_MASK for free, _ in spot.faces], *_NO_CARDS[len(spot.faces) :])
            for spot in self.spots
        ]

    def _know(self, key: int, main: str) -> _Known:
        """Look up the ways to deal with each character that there are cards of."""
        all_cards = self._cards(key)
        counts = tuple([sum(cards) - cards[6] for cards in all_cards])
        rows = self._rows[main]
        found: list[_Row] = []
        for place_here, spot in enumerate(self.spots):
            count = counts[place_here]
            if not count:
                continue
            limits = (
                *[min([count, *[counts[place] for place in begin.inside]]) for begin in spot.begins],
                *[partner.inside < 0 or counts[partner.inside] > 0 for partner in spot.partners],
            )
            cards = all_cards[place_here]
            row = rows[place_here].get((cards, limits))
            if row is None:
                row = rows[place_here][cards, limits] = [None] * (3 * count + 3)
            fill = partial(self._steps, place_here, cards, limits, main)
            found.append((spot.shift, _EYE_WAITS + self.start + place_here, count, row, fill))
        return _Known(counts, tuple(found), {})

    def _steps(
        self, place_here: int, cards: Cards, limits: tuple[int, ...], main: str, demand: int, eye: int
    ) -> tuple[Step, ...]:
        """All ways to deal with a character, given what is demanded of it and what the eye is."""
        spot = self.spots[place_here]
        left = sum(cards[:6]) - demand
        # (cards in a pair, cards in a half, change of the eye, points)
        eyes: list[tuple[int, int, int, int]] = []
        if eye == 2:
            eyes.append((0, 1, EYE_DONE - _EYE_WAITS - self.start - place_here, 0))
        else:
            eyes.append((0, 0, 0, 0))
        if eye == 0:
            eyes.append((1, 0, EYE_DONE, spot.pair_points))
            available = limits[len(spot.begins) :]
            eyes += [
                (0, 1, partner.eye, partner.points)
                for partner, there in zip(spot.partners, available, strict=True)
                if there
            ]
        times = self.points.main_times if spot.character == main else 1
        placings: dict[Use, Placing | None] = {}
        steps = []
        for pair, half, eye_delta, eye_points in eyes:
            rest = left - 2 * pair - half
            for alike, triplets, quads, quints in _ALIKE:
                loose = rest - alike
                if loose < 0:
                    continue
                ways = list(self._begin(spot, limits, loose))
                if not ways:
                    continue
                use = Use(demand + loose, half, pair, triplets, quads, quints)
                if use not in placings:
                    placings[use] = place(self.points, spot.character, times, cards, use)
                placing = placings[use]
                if placing is not None:
                    change = (eye_delta << _EXTRA_BITS) + quads + 2 * quints - (demand << spot.shift)
                    worth = placing.points + eye_points
                    steps += [
                        Step(change + delta, worth + points, spot.character, placing, begun)
                        for delta, points, begun in ways
                    ]
        return tuple(steps)

    @staticmethod
    def _begin(
        spot: _Spot, limits: tuple[int, ...], loose: int
    ) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Ways to let `loose` cards begin sentences or serve those from over a cut."""
        ranges = [range(min(loose, limit) + 1) for limit in limits[: len(spot.begins)]]
        for numbers in product(*ranges):
            if sum(numbers) != loose:
                continue
            delta = points = 0
            begun: tuple[int, ...] = ()
            for begin, how_many in zip(spot.begins, numbers, strict=True):
                if how_many:
                    delta += how_many * begin.delta
                    points += how_many * begin.points
                    if begin.number >= 0:
                        begun += (begin.number,) * how_many
            yield delta, points, begun


_NO_CARDS = (0,) * 7

_ALIKE = tuple(
    sorted(
        (3 * triplets + 4 * quads + 5 * quints, triplets, quads, quints)
        for triplets, quads, quints in product(range(3), range(2), range(2))
        if 3 * triplets + 4 * quads + 5 * quints <= 7
    )
)
"""How up to seven cards of a character, two of them wilds, can stand in groups of alike cards."""


def _most_points(node: Node) -> int:
    return -node[0]


class Section:
    """Characters that share no sentence with others but over one cut; keeps what its counts reach.

    Args:
        points: The rule book's values.
        parts: Its characters, in the order of the search, in parts that are searched together.
        over: Characters beyond the cut whose cards its sentences take.
        gives: Its characters whose cards sentences from beyond the cut take.
    """

    def __init__(self, points: Points, parts: Sequence[str], over: str = "", gives: str = "") -> None:
        self.order = "".join(parts)
        stops = list(accumulate(len(part) for part in parts))
        self.parts = tuple(
            Part(points, self.order, stop - len(part), stop, over=over, gives=gives)
            for part, stop in zip(parts, stops, strict=True)
        )
        self.mask = sum(part.mask for part in self.parts)
        self.mains = frozenset(character for character in points.jing if character in self.order)
        self._outer: dict[str, dict[int, Outer]] = {main: {} for main in ("", *self.mains)}
        self._index: dict[str, dict[int, Index]] = {main: {} for main in ("", *self.mains)}

    def reached(self, key: int, spot: str, main: str) -> Outer:
        """Search the section."""
        states: Reached = {0: (0, ())}
        for part in self.parts:
            own = own_key(key, part.mask, part.order, spot)
            known = part.known(own, main)
            kept = known.ways
            shift, demands, eyes = part.shift, part.demands, part.eyes
            reached: Reached = {}
            for state, (points, paths) in states.items():
                demand = (((state >> shift) & demands) << _EYE_BITS) + eyes[
                    (state >> _EXTRA_BITS) & _EYE_MASK
                ]
                ways = kept.get(demand)
                if ways is None:
                    ways = kept[demand] = part.find(known, demand)
                for delta, more, path in ways:
                    after = state + delta
                    total = points + more
                    old = reached.get(after)
                    if old is None or old[0] < total:
                        reached[after] = (total, (*paths, path))
            states = reached
        return [
            (state >> _EXTRA_BITS, state & _EXTRA_MASK, points, paths)
            for state, (points, paths) in states.items()
        ]

    def reached_more(self, key: int, spot: str, main: str, keep: int) -> Outer:
        """Search the section for the best few ways to each result, each with other groups."""
        states: dict[int, list[tuple[int, Paths]]] = {0: [(0, ())]}
        for part in self.parts:
            known = part.known(own_key(key, part.mask, part.order, spot), main)
            reached: dict[int, list[tuple[int, Paths]]] = {}
            for state, old in states.items():
                eye = part.eyes[(state >> _EXTRA_BITS) & _EYE_MASK]
                demand = (((state >> part.shift) & part.demands) << _EYE_BITS) + eye
                for delta, more, path in part.find_more(known, demand, keep):
                    reached.setdefault(state + delta, []).extend(
                        (points + more, (*paths, path)) for points, paths in old
                    )
            states = {state: _few(ways, keep) for state, ways in reached.items()}
        return [
            (state >> _EXTRA_BITS, state & _EXTRA_MASK, points, paths)
            for state, ways in states.items()
            for points, paths in ways
        ]

    def outer(self, key: int, spot: str, main: str) -> Outer:
        """What the section reaches.

        Args:
            key: The counts of the section's cards, as in `Part.known`.
            spot: The character that holds the winning card where that matters.
            main: The main jing; any that is not of this section is as none.
        """
        main = main if main in self.mains else ""
        kept = self._outer[main]
        found = kept.get(key)
        if found is None:
            if len(kept) >= CACHE_LIMIT:
                kept.clear()
            found = kept[key] = self.reached(key, spot, main)
        return found

    def index(self, key: int, spot: str, main: str) -> Index:
        """What the section reaches, by the eye and cut that the other side must have."""
        main = main if main in self.mains else ""
        kept = self._index[main]
        found = kept.get(key)
        if found is None:
            if len(kept) >= CACHE_LIMIT:
                kept.clear()
            found = kept[key] = _indexed(self.reached(key, spot, main))
        return found


def _few(ways: list[tuple[int, Paths]], keep: int) -> list[tuple[int, Paths]]:
    return sorted(ways, key=lambda way: -way[0])[:keep]


def _indexed(outer: Outer) -> Index:
    """Order what a section reaches by what the other side of the cut must have."""
    index: Index = {}
    for cut, extra, points, paths in outer:
        eye = cut & _EYE_MASK
        if eye == NO_EYE:
            index.setdefault(cut, []).append((extra, points, paths))
            index.setdefault(cut + EYE_DONE, []).append((WITH_EYE + extra, points, paths))
        else:
            other = cut - EYE_DONE if eye == EYE_DONE else cut
            index.setdefault(other, []).append((WITH_EYE + extra, points, paths))
    return index


def _join(outer: Outer, index: Index) -> Reached:
    """Put the two sides of the cut together."""
    best: Reached = {}
    for cut, extra, points, paths in outer:
        others = index.get(cut)
        if others is not None:
            for result, more, other in others:
                together = result + extra
                total = points + more
                old = best.get(together)
                if old is None or old[0] < total:
                    best[together] = (total, paths + other)
    return best


def _alone(outer: Outer) -> Reached:
    """What a section reaches that nothing is cut from."""
    return {(WITH_EYE if cut else 0) + extra: (points, paths) for cut, extra, points, paths in outer}


def _both(one: Reached, other: Reached) -> Reached:
    """Put two sections together that share no sentence."""
    best: Reached = {}
    for reached, (points, paths) in one.items():
        for more, (more_points, more_paths) in other.items():
            together = reached + more
            if together >= 2 * WITH_EYE:
                continue
            total = points + more_points
            old = best.get(together)
            if old is None or old[0] < total:
                best[together] = (total, paths + more_paths)
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
    paths: Paths


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
                Section(points, ("孔己乙二", "化千三四"), over="五六"),
                Section(points, ("土子十", "九八", "七六五"), gives="五六"),
            )
        blocks = [phrases[place : place + 2] for place in range(0, len(phrases), 2)]
        self.blocks = tuple(tuple(Section(points, (phrase,)) for phrase in block) for block in blocks)
        self.block_orders = tuple(
            (sum(section.mask for section in block), "".join(section.order for section in block))
            for block in self.blocks
        )
        self._blocks: tuple[dict[int, Reached], ...] = tuple({} for _ in self.blocks)
        sections = (*(self.chain or ()), *(section for block in self.blocks for section in block))
        self.mask_of: dict[str, int] = {
            spot.character: sum(FIELD_MASK << free for free, _ in spot.faces)
            for section in sections
            for part in section.parts
            for spot in part.spots
        }

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
        most, best_main, best_paths = -1, "", None
        for key, spot in keys:
            for main in mains:
                found = self._best_of(key, spot, main, target)
                if found is not None and found[0] > most:
                    (most, best_paths), best_main = found, main
        return None if best_paths is None else Found(most, best_main, best_paths)

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
                marker = (SHIFT[character] << 3) + 1 + face + (3 if discarded else 0)
                return key + (marker << WIN_SHIFT), character
        return key, ""

    def _best_of(self, key: int, spot: str, main: str, target: int) -> tuple[int, Paths] | None:
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
        best: tuple[int, Paths] | None = None
        for reached, (points, paths) in rest.items():
            other = chain.get(target - reached)
            if other is not None and (best is None or other[0] + points > best[0]):
                best = (other[0] + points, other[1] + paths)
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


_Ways: TypeAlias = dict[int, list[tuple[int, Paths]]]


class NextSplits:
    """Searches for more than the best split; slower, and keeps nothing."""

    def __init__(self, splitter: Splitter, keep: int = 2) -> None:
        self.splitter = splitter
        self.keep = keep

    def best(self, asked: Asked, main: str) -> list[tuple[int, Paths]]:
        """Find the best splits, each with other groups, most points first.

        Args:
            asked: The free cards and what is asked of their split.
            main: The main jing, or an empty text.

        Returns:
            Points and paths. Where wilds or the winning card can stand in several places, a split may come
            more than once; for each such place there are as many as are kept.
        """
        found: list[tuple[int, Paths]] = []
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
        return section.reached_more(own, spot, main if main in section.mains else "", self.keep)

    def _joined(self, outer: Outer, index: Index) -> _Ways:
        ways: _Ways = {}
        for cut, extra, points, paths in outer:
            for result, more, other in index.get(cut, ()):
                ways.setdefault(result + extra, []).append((points + more, paths + other))
        return {reached: _few(own, self.keep) for reached, own in ways.items()}

    def _with(self, whole: _Ways, outer: Outer, target: int) -> _Ways:
        ways: _Ways = {}
        for cut, extra, points, paths in outer:
            together = (WITH_EYE if cut else 0) + extra
            for before, old in whole.items():
                if before + together <= target:
                    ways.setdefault(before + together, []).extend(
                        (points + more, paths + o) for more, o in old
                    )
        return {reached: _few(own, self.keep) for reached, own in ways.items()}
