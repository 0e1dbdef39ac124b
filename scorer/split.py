"""The search for the best split of free cards into groups and an eye.

The characters of a deck fall into parts that share no sentence: 上大人, 可知禮 and the chain of the others,
which is cut once more between 四 and 五. Each part is searched alone, character by character in a fixed
order, and its result kept: for every number of extra cards (a quad one, a quint two), every use of the eye
and every number of sentences that reach over the cut, the best points and how they come about. Flower copies
of a character, wilds and picked-up cards are placed when the character's turn comes, since what they bring
depends on their own character alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from scorer.cards import FIELD, FIELD_MASK, FLOWER, KINDS, SHIFT, WILD, WILD_STANDS_FOR
from scorer.points import FLOWERED, PLAIN, WILD_AS, Points

PICKED_SHIFT = FIELD * len(KINDS)
"""Where in the key of a part the counts of picked-up cards begin."""
WIN_SHIFT = 2 * PICKED_SHIFT
"""Where in the key of a part it says which character holds the winning card, and which face."""

# A state of the search is one integer: the extra cards so far, what the eye is, and for each character that
# is still to come how many of its cards sentences already begun demand.
_EXTRA_BITS, _EYE_BITS, _DEMAND_BITS = 5, 4, 5
_EYE_SHIFT = _EXTRA_BITS
_DEMAND_SHIFT = _EXTRA_BITS + _EYE_BITS
EXTRA_MASK = (1 << _EXTRA_BITS) - 1
_EYE_MASK = (1 << _EYE_BITS) - 1
_DEMAND_MASK = (1 << _DEMAND_BITS) - 1
NO_EYE, EYE_DONE, _EYE_WAITS = 0, 1, 2
CACHE_LIMIT = 20_000
"""How many tables of parts are kept for each part and main jing before they are dropped."""


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


class Node(NamedTuple):
    """The best way to a state."""

    points: int
    before: Node | None
    step: Step | None


ROOT = Node(0, None, None)

Table = dict[int, tuple[tuple[int, int, Node], ...]]
"""Eye and cut, to (extra cards, points, node) of each number of extra cards."""


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
                    (*made, Alike(*held, by_discard=exposed)),
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


@dataclass(frozen=True, slots=True)
class _Spot:
    """A character's place in the order of a part."""

    character: str
    shift: int
    """Where in a state the demand on it stands."""
    faces: tuple[tuple[int, int], ...]
    """Where in a key each of its faces stands, free and picked up; empty pairs are left out."""
    begins: tuple[tuple[int, int, tuple[int, ...], int], ...]
    """The sentences that begin here: number, delta of one, the later places inside the part, points."""
    partners: tuple[tuple[int, int, int], ...]
    """What an eye can be begun with: eye of the state, the later place or -1 over the cut, points."""
    given: int
    """The delta of one card given to a sentence over the cut; 0 where no sentence reaches so far."""
    given_eye: int
    """The eye of the state where this gives a card to an eye begun over the cut; 0 for never."""
    pair_points: int


_Row = tuple[int, int, int, list[tuple[Step, ...] | None], Callable[[int, int], tuple[Step, ...]]]
"""A character in the search: shift of the demand on it, the eye that waits for it, its count, the ways to deal
with it by demand and eye, and what finds those."""


class Part:
    """One part of the deck, searched alone; keeps its results by the counts of its cards.

    Args:
        points: The rule book's values.
        order: The characters in the order of the search.
        over: Characters on the other side of the cut that sentences begun here reach.
        gives: Characters of this part that sentences begun on the other side reach.
    """

    def __init__(self, points: Points, order: str, over: str = "", gives: str = "") -> None:
        self.points = points
        self.order = order
        self.mask = 0
        cut = over or gives
        places = {character: place for place, character in enumerate(order)}
        places |= {character: len(order) + place for place, character in enumerate(cut) if character in over}
        given_places = {character: len(order) + place for place, character in enumerate(cut) if gives}
        self.spots = tuple(
            self._spot(character, places, given_places, order) for character in order
        )
        mains = [character for character in points.jing if character in order]
        self.tables: dict[str, dict[int, Table]] = {main: {} for main in ("", *mains)}
        self._rows: dict[str, list[dict[tuple[Cards, tuple[int, ...]], list[tuple[Step, ...] | None]]]] = {
            main: [{} for _ in order] for main in ("", *mains)
        }

    def _spot(
        self, character: str, places: dict[str, int], given_places: dict[str, int], order: str
    ) -> _Spot:
        own = places[character]
        faces: list[tuple[int, int]] = []
        for kind in (character, FLOWER + character, f"{WILD}>{FLOWER}{character}"):
            if kind in SHIFT:
                faces.append((SHIFT[kind], SHIFT[kind] + PICKED_SHIFT))
                self.mask |= FIELD_MASK << SHIFT[kind]
        begins = []
        for number, sentence in enumerate(self.points.sentences):
            if all(letter in places for letter in sentence):
                at = sorted(places[letter] for letter in sentence)
                if at[0] == own:
                    delta = sum(1 << self._shift(place) for place in at[1:])
                    inside = tuple(place for place in at[1:] if place < len(order))
                    begins.append((number, delta, inside, self.points.sentence(sentence).points))
        partners = []
        for other, place in places.items():
            if place > own and frozenset((character, other)) in self.points.halves:
                inside_place = place if place < len(order) else -1
                partners.append((_EYE_WAITS + place, inside_place, self.points.half(character, other).points))
        given = given_places.get(character)
        return _Spot(
            character=character,
            shift=self._shift(own),
            faces=tuple(faces),
            begins=tuple(begins),
            partners=tuple(partners),
            given=0 if given is None else 1 << self._shift(given),
            given_eye=0 if given is None else _EYE_WAITS + given,
            pair_points=self.points.pair(character).points,
        )

    @staticmethod
    def _shift(place: int) -> int:
        return _DEMAND_SHIFT + _DEMAND_BITS * place

    def table(self, key: int, main: str) -> Table:
        """The best of every way to split the cards of this part.

        Args:
            key: The counts of the part's cards, those picked up from `PICKED_SHIFT` on, and from
                `WIN_SHIFT` on which character holds the winning card where that matters.
            main: The main jing where it is of this part, else empty.

        Returns:
            What is reached, by the use of the eye and the cut.
        """
        tables = self.tables[main]
        found = tables.get(key)
        if found is None:
            if len(tables) >= CACHE_LIMIT:
                tables.clear()
            found = tables[key] = self._search(key, main)
        return found

    def _cards(self, key: int) -> list[Cards]:
        win = key >> WIN_SHIFT
        cards = []
        for spot in self.spots:
            counts = [0] * 6
            for face, (free, picked) in enumerate(spot.faces):
                counts[face] = (key >> free) & FIELD_MASK
                counts[face + 3] = (key >> picked) & FIELD_MASK
            here = win & 7 if win and win >> 3 == SHIFT[spot.character] else 0
            cards.append(Cards(*counts, here))
        return cards

    def _search(self, key: int, main: str) -> Table:
        states: dict[int, Node] = {0: ROOT}
        for spot_shift, mine, count, row, fill in self._rows_for(key, main):
            reached: dict[int, Node] = {}
            for state, node in states.items():
                demand = (state >> spot_shift) & _DEMAND_MASK
                if demand > count:
                    continue
                eye = (state >> _EYE_SHIFT) & _EYE_MASK
                index = 3 * demand + (0 if eye == NO_EYE else 2 if eye == mine else 1)
                steps = row[index]
                if steps is None:
                    steps = row[index] = fill(demand, index % 3)
                points = node.points
                for step in steps:
                    after = state + step[0]
                    total = points + step[1]
                    old = reached.get(after)
                    if old is None or old[0] < total:
                        reached[after] = Node(total, node, step)
            states = reached
        table: dict[int, list[tuple[int, int, Node]]] = {}
        for state, node in states.items():
            table.setdefault(state >> _EYE_SHIFT, []).append((state & EXTRA_MASK, node.points, node))
        return {cut: tuple(entries) for cut, entries in table.items()}

    def search(self, key: int, main: str, keep: int) -> Table:
        """Search as `table` does, for the best few ways to each result, each with other groups."""
        states: dict[int, list[Node]] = {0: [ROOT]}
        for spot_shift, mine, count, row, fill in self._rows_for(key, main):
            reached: dict[int, list[Node]] = {}
            for state, nodes in states.items():
                demand = (state >> spot_shift) & _DEMAND_MASK
                if demand > count:
                    continue
                eye = (state >> _EYE_SHIFT) & _EYE_MASK
                index = 3 * demand + (0 if eye == NO_EYE else 2 if eye == mine else 1)
                steps = row[index]
                if steps is None:
                    steps = row[index] = fill(demand, index % 3)
                for step in steps:
                    reached.setdefault(state + step.delta, []).extend(
                        Node(node.points + step.points, node, step) for node in nodes
                    )
            states = {
                state: sorted(nodes, key=lambda node: -node.points)[:keep] for state, nodes in reached.items()
            }
        table: dict[int, list[tuple[int, int, Node]]] = {}
        for state, nodes in states.items():
            table.setdefault(state >> _EYE_SHIFT, []).extend(
                (state & EXTRA_MASK, node.points, node) for node in nodes
            )
        return {cut: tuple(entries) for cut, entries in table.items()}

    def _rows_for(self, key: int, main: str) -> Iterator[_Row]:
        """For each character that the key has: its place in the state and the ways to deal with it."""
        all_cards = self._cards(key)
        counts = [sum(cards[:6]) for cards in all_cards]
        rows = self._rows[main]
        for place_here, spot in enumerate(self.spots):
            count = counts[place_here]
            if not count:
                continue
            limits = (
                *[min([count, *[counts[place] for place in inside]]) for _, _, inside, _ in spot.begins],
                *[place < 0 or counts[place] > 0 for _, place, _ in spot.partners],
            )
            cards = all_cards[place_here]
            row = rows[place_here].get((cards, limits))
            if row is None:
                row = rows[place_here][cards, limits] = [None] * (3 * count + 3)
            fill = partial(self._steps, place_here, cards, limits, main)
            yield spot.shift, _EYE_WAITS + place_here, count, row, fill

    def _steps(
        self, place_here: int, cards: Cards, limits: tuple[int, ...], main: str, demand: int, eye: int
    ) -> tuple[Step, ...]:
        """All ways to deal with a character, given what is demanded of it and what the eye is."""
        spot = self.spots[place_here]
        left = sum(cards[:6]) - demand
        # (cards in a pair, cards in a half, change of the eye, points)
        eyes: list[tuple[int, int, int, int]] = []
        if eye == 2:
            eyes.append((0, 1, EYE_DONE - _EYE_WAITS - place_here, 0))
        else:
            eyes.append((0, 0, 0, 0))
        if eye == 0:
            eyes.append((1, 0, EYE_DONE, spot.pair_points))
            available = limits[len(spot.begins) :]
            eyes += [
                (0, 1, waits, points)
                for (waits, _, points), there in zip(spot.partners, available, strict=True)
                if there
            ]
            if spot.given_eye:
                eyes.append((0, 1, spot.given_eye, 0))
        times = self.points.main_times if spot.character == main else 1
        steps: dict[tuple[int, tuple[int, ...]], Step] = {}
        for pair, half, eye_delta, eye_points in eyes:
            rest = left - 2 * pair - half
            if rest < 0:
                continue
            for triplets, quads, quints in product(range(rest // 3 + 1), range(2), range(2)):
                loose = rest - 3 * triplets - 4 * quads - 5 * quints
                if loose < 0:
                    continue
                use = Use(demand + loose, half, pair, triplets, quads, quints)
                ways = list(self._begin(spot, limits, loose))
                placing = place(self.points, spot.character, times, cards, use) if ways else None
                if placing is None:
                    continue
                extra = quads + 2 * quints
                for delta, points, begun in ways:
                    change = delta + (eye_delta << _EYE_SHIFT) + extra - (demand << spot.shift)
                    total = placing.points + points + eye_points
                    old = steps.get((change, begun))
                    if old is None or old.points < total:
                        steps[change, begun] = Step(change, total, spot.character, placing, begun)
        return tuple(steps.values())

    @staticmethod
    def _begin(
        spot: _Spot, limits: tuple[int, ...], loose: int
    ) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Ways to let `loose` cards begin sentences or serve those from over the cut."""
        ranges = [range(min(loose, limit) + 1) for limit in limits[: len(spot.begins)]]
        for numbers in product(*ranges):
            given = loose - sum(numbers)
            if given < 0 or (given and not spot.given):
                continue
            delta = given * spot.given
            points = 0
            begun: tuple[int, ...] = ()
            for (number, step, _, worth), how_many in zip(spot.begins, numbers, strict=True):
                delta += how_many * step
                points += how_many * worth
                begun += (number,) * how_many
            yield delta, points, begun


Reached = dict[int, tuple[int, tuple[Node, ...]]]
"""Eye and extra cards (16 × … + extra) to points and nodes: what a part, or parts together, reach."""

WITH_EYE = 1 << _EXTRA_BITS


def _join(left: Table, right: Table) -> Reached:
    """Put the two sides of the cut together."""
    best: Reached = {}
    for cut, entries in left.items():
        eye = cut & _EYE_MASK
        if eye == NO_EYE:
            matches = ((right.get(cut), 0), (right.get(cut + EYE_DONE), WITH_EYE))
        elif eye == EYE_DONE:
            matches = ((right.get(cut - EYE_DONE), WITH_EYE),)
        else:
            matches = ((right.get(cut), WITH_EYE),)
        for others, with_eye in matches:
            if others is None:
                continue
            for extra, points, node in entries:
                for other_extra, other_points, other_node in others:
                    reached = with_eye + extra + other_extra
                    total = points + other_points
                    old = best.get(reached)
                    if old is None or old[0] < total:
                        best[reached] = (total, (node, other_node))
    return best


def _alone(table: Table) -> Reached:
    """What a part reaches that nothing is cut from."""
    return {
        (WITH_EYE if cut else 0) + extra: (points, (node,))
        for cut, entries in table.items()
        for extra, points, node in entries
    }


def _both(one: Reached, other: Reached) -> Reached:
    """Put two parts together that share no sentence."""
    best: Reached = {}
    for reached, (points, nodes) in one.items():
        for more, (more_points, more_nodes) in other.items():
            together = reached + more
            if together >= 2 * WITH_EYE:
                continue
            total = points + more_points
            old = best.get(together)
            if old is None or old[0] < total:
                best[together] = (total, nodes + more_nodes)
    return best


_ORDER_110 = ("孔己乙二化千三四", "土子十九八七六五", "五六")
"""The two sides of the chain, each towards the cut, and the characters that sentences reach over it."""

_WILD_UNITS = tuple(
    (
        number,
        tuple(
            (sum(1 << SHIFT[f"{WILD}>{FLOWER}{character}"] for character in chosen), chosen)
            for chosen in combinations_with_replacement(WILD_STANDS_FOR, number)
        ),
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
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Asked:
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
        if points.book.deck.numbers:
            left, right, reach = _ORDER_110
            self.left, self.right = Part(points, left, over=reach), Part(points, right, gives=reach)
            blocks = [("上大人", "可知禮")]
            self.chain: tuple[Part, ...] = (self.left, self.right)
        else:
            phrases = points.book.deck.phrases
            blocks = [phrases[place : place + 2] for place in range(0, len(phrases), 2)]  # type: ignore[misc]
            self.chain = ()
        self.blocks = tuple(tuple(Part(points, phrase) for phrase in block) for block in blocks)
        self.block_orders = tuple(
            (sum(part.mask for part in block), "".join(part.order for part in block)) for block in self.blocks
        )
        self._blocks: tuple[dict[int, Reached], ...] = tuple({} for _ in self.blocks)
        self.mask_of: dict[str, int] = {}
        for part in (*self.chain, *(part for block in self.blocks for part in block)):
            for spot in part.spots:
                own = sum(FIELD_MASK << free for free, _ in spot.faces)
                self.mask_of[spot.character] = own

    def best(self, asked: Asked, mains: Sequence[str]) -> Found | None:
        """Find the split that counts most.

        Args:
            asked: The free cards and what is asked of their split.
            mains: The main jing to choose from, the preferred first; an empty text is none.

        Returns:
            The split, or none where there is none.
        """
        best: Found | None = None
        target = asked.extra + (WITH_EYE if asked.with_eye else 0)
        for key, spot in self.keys(asked):
            for main in mains:
                found = self._best_of(key, spot, main, target)
                if found is not None and (best is None or found[0] > best[0]):
                    best = Found(found[0], main, found[1])
        return best

    def keys(self, asked: Asked) -> Iterator[tuple[int, str]]:
        """The keys of what the wilds may stand for and which card wins, with the character that wins."""
        code, picked, win = asked.code, asked.picked, asked.win
        if asked.wilds or asked.picked_wilds:
            free_ways, picked_ways = _WILD_UNITS[asked.wilds][1], _WILD_UNITS[asked.picked_wilds][1]
            for free, chosen in free_ways:
                for also_picked, _ in picked_ways:
                    whole = code + free, picked + also_picked
                    if win == WILD:
                        for character in dict.fromkeys(chosen):
                            yield self._key(*whole, character, WILD_AS, asked.discarded)
                    elif win:
                        yield self._key(*whole, win[-1], len(win) - 1, asked.discarded)
                    else:
                        yield self._key(*whole, "", 0, discarded=False)
        elif win:
            yield self._key(code, picked, win[-1], len(win) - 1, asked.discarded)
        else:
            yield self._key(code, picked, "", 0, discarded=False)

    def _key(
        self, code: int, picked: int, character: str, face: int, discarded: bool  # noqa: FBT001
    ) -> tuple[int, str]:
        key = code + (picked << PICKED_SHIFT) if picked else code
        if character:
            mask = self.mask_of[character]
            count = _sum_fields(code & mask, SHIFT[character])
            # A drawn card matters where it must not fill a quad, a discarded one where it fills a triplet.
            if count >= (3 if discarded else 4):
                marker = (SHIFT[character] << 3) + 1 + face + (3 if discarded else 0)
                return key + (marker << WIN_SHIFT), character
        return key, ""

    def _best_of(self, key: int, spot: str, main: str, target: int) -> tuple[int, tuple[Node, ...]] | None:
        rest = self._rest(key, spot)
        if not self.chain:
            return rest.get(target)
        left, right = self.left, self.right
        chain = _join(
            left.table(_own(key, left.mask, left.order, spot), main if main in left.tables else ""),
            right.table(_own(key, right.mask, right.order, spot), main if main in right.tables else ""),
        )
        best: tuple[int, tuple[Node, ...]] | None = None
        for reached, (points, nodes) in rest.items():
            other = chain.get(target - reached)
            if other is not None and (best is None or other[0] + points > best[0]):
                best = (other[0] + points, other[1] + nodes)
        return best

    def _rest(self, key: int, spot: str) -> Reached:
        """What the parts beside the chain reach; kept for two phrases at a time."""
        whole: Reached | None = None
        for parts, (mask, order), kept in zip(self.blocks, self.block_orders, self._blocks, strict=True):
            own = _own(key, mask, order, spot)
            found = kept.get(own)
            if found is None:
                if len(kept) >= CACHE_LIMIT:
                    kept.clear()
                tables = [_alone(part.table(_own(key, part.mask, part.order, spot), "")) for part in parts]
                found = kept[own] = _both(*tables)
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


def _own(key: int, mask: int, order: str, spot: str) -> int:
    """Take of a hand's key what belongs to one part."""
    own = key & mask
    beside = key >> PICKED_SHIFT
    if beside:
        own |= (beside & mask) << PICKED_SHIFT
        if spot and spot in order:
            own |= (key >> WIN_SHIFT) << WIN_SHIFT
    return own


class NextSplits:
    """Searches for more than the best split; slower, and keeps nothing."""

    def __init__(self, splitter: Splitter, keep: int = 2) -> None:
        self.splitter = splitter
        self.keep = keep

    def best(self, asked: Asked, main: str) -> list[tuple[int, tuple[Node, ...]]]:
        """Find the best splits, each with other groups, most points first.

        Args:
            asked: The free cards and what is asked of their split.
            main: The main jing, or an empty text.

        Returns:
            Points and nodes. Where wilds or the winning card can stand in several places, a split may come
            more than once; for each such place there are as many as are kept.
        """
        found: list[tuple[int, tuple[Node, ...]]] = []
        target = asked.extra + WITH_EYE
        for key, spot in self.splitter.keys(asked):
            whole: dict[int, list[tuple[int, tuple[Node, ...]]]] = {0: [(0, ())]}
            chain = self.splitter.chain
            if chain:
                tables = [self._table(part, key, spot, main) for part in chain]
                whole = self._sorted(self._joined(*tables))
            for block in self.splitter.blocks:
                for part in block:
                    table = self._table(part, key, spot, main)
                    reached: dict[int, list[tuple[int, tuple[Node, ...]]]] = {}
                    for cut, entries in table.items():
                        for extra, points, node in entries:
                            together = (WITH_EYE if cut else 0) + extra
                            for before, ways in whole.items():
                                if before + together <= target:
                                    reached.setdefault(before + together, []).extend(
                                        (points + more, (*nodes, node)) for more, nodes in ways
                                    )
                    whole = self._sorted(reached)
            found += whole.get(target, [])
        return sorted(found, key=lambda way: -way[0])

    def _sorted(
        self, reached: dict[int, list[tuple[int, tuple[Node, ...]]]]
    ) -> dict[int, list[tuple[int, tuple[Node, ...]]]]:
        return {
            key: sorted(ways, key=lambda way: -way[0])[: self.keep] for key, ways in reached.items()
        }

    def _table(self, part: Part, key: int, spot: str, main: str) -> Table:
        own = _own(key, part.mask, part.order, spot)
        return part.search(own, main if main in part.tables else "", self.keep)

    @staticmethod
    def _joined(left: Table, right: Table) -> dict[int, list[tuple[int, tuple[Node, ...]]]]:
        reached: dict[int, list[tuple[int, tuple[Node, ...]]]] = {}
        for cut, entries in left.items():
            for other_cut, with_eye in _matches(cut):
                for extra, points, node in entries:
                    for other_extra, more, other in right.get(other_cut, ()):
                        key = (WITH_EYE if with_eye else 0) + extra + other_extra
                        reached.setdefault(key, []).append((points + more, (node, other)))
        return reached


def _matches(cut: int) -> tuple[tuple[int, bool], ...]:
    """What the other side of the cut must be, and whether the eye is then done."""
    eye = cut & _EYE_MASK
    if eye == NO_EYE:
        return (cut, False), (cut + EYE_DONE, True)
    return ((cut - EYE_DONE if eye == EYE_DONE else cut, True),)
