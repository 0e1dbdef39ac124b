"""The search for the best split of free cards into groups and an eye.

Two facts make it short. The characters can be put in an order in which at most one sentence begins with
each: once it is said which cards stand alike and which are the eye, the first character that is left must
begin as many sentences as there are cards of it, and so on to the end; nothing is left to choose. And there
are sums of the counts that every sentence and every triplet leaves divisible by three: what remains of them
tells at once which few eyes are possible, mostly none. So only quads, quints, those eyes and triplets are
tried.

Faces (flower copies, wilds, picked-up cards, the card that won) do not matter for whether cards split. What
a character's cards bring at best, with so many of them alike and so many in the eye, depends on no other
character; it is found once and kept.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import combinations_with_replacement
from operator import mul
from typing import NamedTuple, TypeAlias

from scorer.cards import (
    CHARACTERS,
    FIELD,
    LAYER,
    LAYER_SHIFT,
    PLACE,
    SHIFT,
    UNIT,
    WILD,
    WILD_STANDS_FOR,
)
from scorer.points import FLOWERED, PLAIN, WILD_AS, Points

MOST_PLACINGS = 20_000
"""How many placings are kept before they are dropped."""

QUAD, QUINT, EYE = 4, 8, 16
"""A use of a character's cards is one integer: its triplets, and these for a quad, a quint and an eye."""
_TRIPLETS = QUAD - 1
_USE_OF_SIZE = {4: QUAD, 5: QUINT}

_MODULO_3 = bytes(number % 3 for number in range(256))
_TO_THREE = bytes(-number % 3 for number in range(256))


Kept: TypeAlias = tuple[tuple[int, int], ...]
"""The places of quads and quints, each with its size."""


class Eye(NamedTuple):
    """The last two cards, by place; twice the same is a pair."""

    first: int
    second: int
    points: int
    """What it counts beside its cards."""


class Split(NamedTuple):
    """One way to split cards, faces apart."""

    begun: Sequence[int]
    """How many sentences begin at each place."""
    triplets: tuple[int, ...]
    """The places of triplets."""
    kept: Kept
    """The quads and quints."""
    eye: Eye | None

    def uses(self) -> dict[int, int]:
        """How each character's cards are used, where not all of them stand in sentences."""
        uses: dict[int, int] = {}
        for place in self.triplets:
            uses[place] = uses.get(place, 0) + 1
        for place, size in self.kept:
            uses[place] = uses.get(place, 0) + _USE_OF_SIZE[size]
        if self.eye is not None:
            first, second, _ = self.eye
            uses[first] = uses.get(first, 0) + EYE
            uses[second] = uses.get(second, 0) + EYE
        return uses


Made: TypeAlias = tuple[tuple[int, ...], Kept, Eye | None]
"""The triplets, the quads and quints, and the eye of a split."""
EyesAt: TypeAlias = list[list[Eye]]
"""Eyes, by their first place."""


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


AlikeCards: TypeAlias = tuple[str, int, int, int, bool]
"""Alike cards: character, plain, flower and wild ones, and whether a discard completed them."""
Faces: TypeAlias = tuple[int, ...]


class Placing(NamedTuple):
    """Where each face of a character's cards goes, at best."""

    gain: int
    """What that brings more than if all of them stood in sentences."""
    alike: tuple[AlikeCards, ...]
    eye: Faces
    """The faces in the eye."""
    sentences: Faces
    """The faces in sentences; empty where all of them are plain."""


def _shares(total: int, plain: int, flower: int, wild: int) -> Iterator[tuple[int, int, int]]:
    """Ways to take `total` cards of three faces."""
    for wilds in range(min(wild, total) + 1):
        for flowers in range(min(flower, total - wilds) + 1):
            plains = total - wilds - flowers
            if plains <= plain:
                yield plains, flowers, wilds


def place_faces(points: Points, character: str, cards: Cards, use: int) -> Placing | None:
    """Place the faces of a character's cards where they bring most.

    Args:
        points: The rule book's values.
        character: The character.
        cards: Its free cards.
        use: How they are used, as in `Split.uses`.

    Returns:
        The best placing, or none: a winning card that would stand in a quad or quint, or picked-up cards
        in a group of alike cards or a pair, make a use impossible.
    """
    sizes = [5] * (use // QUINT % 2) + [4] * (use // QUAD % 2) + [3] * (use & _TRIPLETS)
    in_eye = use // EYE
    win_face = (cards.win - 1) % 3 if cards.win else -1
    discarded = cards.win > 3
    loose = [cards.plain, cards.flower, cards.wild]
    if cards.win:
        loose[win_face] -= 1
    picked = (cards.picked_plain, cards.picked_flower, cards.picked_wild)
    single = [points.card(character, face).points for face in (PLAIN, FLOWERED, WILD_AS)]
    eye_single = [points.card_in_eye(character, face).points for face in (PLAIN, FLOWERED, WILD_AS)]
    best: Placing | None = None

    def groups(made: tuple[AlikeCards, ...], left: list[int], *, win: bool, gain: int) -> None:
        if len(made) == len(sizes):
            finish(made, left, win=win, gain=gain)
            return
        size = sizes[len(made)]
        for with_win in (False, True) if win and size == 3 else (False,):
            for share in _shares(size - with_win, *left):
                rest = [left[face] - share[face] for face in range(3)]
                plain, flower, wild = (share[face] + (with_win and face == win_face) for face in range(3))
                by_discard = with_win and discarded
                exposed = by_discard and points.discard_exposes
                worth = points.alike(character, plain, flower, wild, exposed=exposed).points
                worth -= single[PLAIN] * plain + single[FLOWERED] * flower + single[WILD_AS] * wild
                groups(
                    (*made, (character, plain, flower, wild, by_discard)),
                    rest,
                    win=win and not with_win,
                    gain=gain + worth,
                )

    def finish(made: tuple[AlikeCards, ...], left: list[int], *, win: bool, gain: int) -> None:
        nonlocal best
        if win:
            left = [left[face] + (face == win_face) for face in range(3)]
        eyes: list[Faces] = [()]
        if in_eye == 2:
            eyes = [
                (PLAIN,) * plain + (FLOWERED,) * flower + (WILD_AS,) * wild
                for plain, flower, wild in _shares(2, *left)
            ]
        elif in_eye:
            eyes = [(face,) for face in (PLAIN, FLOWERED, WILD_AS) if left[face] + picked[face]]
        for eye in eyes:
            total = gain + sum([eye_single[face] - single[face] for face in eye])
            if best is None or total > best.gain:
                plain, flower, wild = (left[face] + picked[face] - eye.count(face) for face in range(3))
                sentences = (PLAIN,) * plain + (FLOWERED,) * flower + (WILD_AS,) * wild
                best = Placing(total, made, eye, sentences if flower or wild else ())

    groups((), loose, win=bool(cards.win), gain=0)
    return best


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


class Reading(NamedTuple):
    """Free cards once it is said what the wilds stand for."""

    free: bytes
    """How many there are of each kind, those picked up apart."""
    picked: bytes
    """How many there are of each kind among those picked up; empty where none was."""
    mixed: Container[int]
    """The places where it may matter which card goes where: of flowers, picked-up cards, the winning card."""
    whole: bytes
    """How many there are of each kind."""
    counts: bytes
    """How many there are of each character."""
    win: int
    """The place of the winning card, -1 where it does not matter."""
    marker: int
    """Which of that character's cards wins, as in `Cards.win`."""


Placings: TypeAlias = dict[int, Placing]
"""Where the faces of characters go, by place; those of the others stand in sentences."""


class Found(NamedTuple):
    """A split and what it counts."""

    points: int
    """What its groups and eye count, with what the laid groups count as the main jing."""
    main: str
    """The main jing, empty where there is none."""
    split: Split
    placings: Placings
    reading: Reading


Main: TypeAlias = tuple[str, int]
"""A main jing to choose from, empty for none, and what the laid groups count more with it."""

_WILD_UNITS = tuple(
    tuple(
        (sum(UNIT[f"{WILD}>花{character}"] for character in chosen), chosen)
        for chosen in combinations_with_replacement(WILD_STANDS_FOR, number)
    )
    for number in range(3)
)
"""For no, one and two wilds: the packed counts of what they can stand for, with the characters."""


def sums_of_three(heads: Sequence[tuple[int, int] | None]) -> list[int]:
    """Find the sums of counts that every sentence leaves divisible by three.

    Args:
        heads: For each place the two others of the sentence that begins there, which come later.

    Returns:
        What a card of each place adds to each sum, the sums packed as counts are. There is one sum for each
        place where no sentence begins; a card where one begins adds what the two others leave to three.
    """
    loose = [place for place, head in enumerate(heads) if head is None]
    weights = [0] * len(heads)
    for place in reversed(range(len(heads))):
        head = heads[place]
        if head is None:
            weights[place] = 1 << FIELD * loose.index(place)
        else:
            others = weights[head[0]] + weights[head[1]]
            missing = others.to_bytes(len(loose), "little").translate(_TO_THREE)
            weights[place] = int.from_bytes(missing, "little")
    return weights


class Splitter:
    """Searches the splits of hands for one rule book."""

    def __init__(self, points: Points) -> None:
        self.points = points
        deck = points.book.deck
        self.layered = not any(PLACE[character] >= LAYER for character in deck.characters)
        """Whether the deck has characters with more than one face."""
        self.places = LAYER if self.layered else len(CHARACTERS)
        self.kinds = 3 * LAYER if self.layered else self.places
        self.heads: list[tuple[int, int] | None] = [None] * self.places
        """For each place the two others of the sentence that begins there."""
        self.sentences: list[tuple[int, int, tuple[int, int, int]]] = []
        """Each sentence: the place where it begins, its number in the book, the places of its cards."""
        for number, sentence in enumerate(points.sentences):
            one, two, three = (PLACE[character] for character in sentence)
            first, *others = sorted((one, two, three))
            self.heads[first] = others[0], others[1]
            self.sentences.append((first, number, (one, two, three)))
        self.wholes = [
            (place, worth)
            for place, number, _ in self.sentences
            if (worth := points.sentence(points.sentences[number]).points)
        ]
        """What a sentence counts beside its cards, by the place where it begins, where it counts anything."""
        self.weights = sums_of_three(self.heads)
        self.sums = self.heads.count(None)
        self.eyes = self._eyes()
        self.flowered = frozenset(PLACE[card[1:]] for card in deck.copies if len(card) > 1)
        self.singles_of = {
            character: [
                (SHIFT[kind] // FIELD, worth)
                for face, kind in enumerate((character, f"花{character}", f"{WILD}>花{character}"))
                if (kind in deck.copies or (kind in SHIFT and WILD in deck.copies))
                and (worth := points.card(character, face).points)
            ]
            for character in deck.characters
        }
        """The faces of a character that count anything by themselves, and how much."""
        self.singles = [single for singles in self.singles_of.values() for single in singles]
        self.all_places = frozenset(range(self.places))
        self._same: list[dict[int, Placing | None]] = [{} for _ in range(self.places)]
        self._placings: dict[tuple[int, int, bytes, bytes, int], Placing | None] = {}

    def _eyes(self) -> dict[bytes, EyesAt]:
        """The eyes by what they leave of the sums, and by their first place."""
        points = self.points
        eyes: dict[bytes, EyesAt] = {}
        pairs = [(c, c, points.pair(c).points) for c in points.book.deck.characters]
        halves = [(a, b, points.half(a, b).points) for a, b in map(sorted, points.halves)]
        for first, second, worth in (*pairs, *halves):
            one, other = sorted((PLACE[first], PLACE[second]))
            left = self._remainder(self.weights[one] + self.weights[other])
            at = eyes.setdefault(left, [[] for _ in self.weights])
            at[one] = sorted([*at[one], Eye(one, other, worth)])
        return eyes

    def _remainder(self, sums: int) -> bytes:
        return sums.to_bytes(self.sums, "little").translate(_MODULO_3)

    def best(self, asked: Asked, mains: Sequence[Main]) -> Found | None:
        """Find the split that counts most.

        Args:
            asked: The free cards and what is asked of their split.
            mains: The main jing to choose from, the preferred first.

        Returns:
            The split, or none where there is none.
        """
        best: Found | None = None
        for reading in self.readings(asked):
            splits = self.splits(reading.counts, asked.extra, with_eye=asked.with_eye)
            for found in self.counted(reading, splits, mains) if splits else ():
                if best is None or found.points > best.points:
                    best = found
        return best

    def all(self, asked: Asked, mains: Sequence[Main]) -> list[Found]:
        """Find every split, the one that counts most first.

        Args:
            asked: The free cards and what is asked of their split.
            mains: The main jing to choose from, the preferred first.

        Returns:
            The splits; where wilds or a winning wild can stand for several characters, for each of them.
        """
        found = [
            found
            for reading in self.readings(asked)
            for found in self.counted(reading, self.splits(reading.counts, asked.extra), mains)
        ]
        return sorted(found, key=lambda one: -one.points)

    def readings(self, asked: Asked) -> list[Reading]:
        """Say in every way what the wilds stand for."""
        win, discarded = asked.win, asked.discarded
        if not (asked.wilds or asked.picked_wilds):
            return [self._reading(asked.code, asked.picked, win[-1:], len(win), discarded)]
        marker = 1 + WILD_AS if win == WILD else len(win)
        return [
            self._reading(asked.code + units, asked.picked + also_picked, character, marker, discarded)
            for units, chosen in _WILD_UNITS[asked.wilds]
            for also_picked, _ in _WILD_UNITS[asked.picked_wilds]
            for character in (dict.fromkeys(chosen) if win == WILD else (win[-1:],))
        ]

    def _reading(
        self,
        code: int,
        picked: int,
        win: str,
        marker: int,
        discarded: bool,  # noqa: FBT001
    ) -> Reading:
        all_codes = code + picked
        whole = all_codes.to_bytes(self.kinds, "little")
        counts = whole
        if self.layered:
            all_codes += (all_codes >> LAYER_SHIFT) + (all_codes >> 2 * LAYER_SHIFT)
            counts = (all_codes & _LAYER_MASK).to_bytes(LAYER, "little")
        free, not_free, mixed = whole, b"", self.flowered
        if picked:
            free, not_free = code.to_bytes(self.kinds, "little"), picked.to_bytes(self.kinds, "little")
            mixed = self.all_places
        # A drawn card matters where it must not fill a quad, a discarded one where it fills a triplet.
        if win and counts[PLACE[win]] >= (3 if discarded else 4):
            place, marker = PLACE[win], marker + 3 if discarded else marker
            return Reading(free, not_free, mixed | {place}, whole, counts, place, marker)
        return Reading(free, not_free, mixed, whole, counts, -1, 0)

    def splits(self, counts: bytes, extra: int, *, with_eye: bool = True) -> list[Split]:
        """Split cards in every way, faces apart.

        Args:
            counts: How many there are of each character, by place.
            extra: How many extra cards quads and quints must take up.
            with_eye: Whether two cards are the eye.

        Returns:
            The splits.
        """
        found: list[Split] = []
        sums = sum(map(mul, counts, self.weights))
        for kept in self._kept(counts, extra) if extra else _NOTHING_KEPT:
            left, left_of_sums = list(counts), sums
            for place, size in kept:
                left[place] -= size
                left_of_sums -= size * self.weights[place]
            remainder = self._remainder(left_of_sums)
            if with_eye:
                if eyes := self.eyes.get(remainder):
                    self._begin(left, 0, ((), kept, None), eyes, found)
            elif not any(remainder):
                self._begin(left, 0, ((), kept, None), None, found)
        return found

    @staticmethod
    def _kept(counts: bytes, extra: int) -> list[Kept]:
        """Ways to keep fours and fives together so that they take up the extra cards."""
        fours = [(place, min(count - 3, 2)) for place, count in enumerate(counts) if count > 3]
        ways: list[tuple[int, Kept]] = [(extra, ())]
        could = sum(most for _, most in fours)
        for place, most in fours:
            could -= most
            ways = [
                (left - more, (*kept, (place, 3 + more)) if more else kept)
                for left, kept in ways
                for more in range(max(0, left - could), min(most, left) + 1)
            ]
        return [kept for left, kept in ways if not left]

    def _begin(
        self,
        left: list[int],
        start: int,
        so_far: Made,
        eyes: EyesAt | None,
        found: list[Split],
    ) -> None:
        """Let the first characters that are left begin sentences, with and without eye and triplets of them.

        Args:
            left: How many there are of each character; what begins sentences stays.
            start: The place to go on from.
            so_far: The triplets, quads, quints and eye that were taken off.
            eyes: The eyes to choose from, by their first place; none where the eye was taken off.
            found: Takes up the splits.
        """
        heads = self.heads
        for place in range(start, self.places):
            count = left[place]
            if not count:
                continue
            if eyes is not None:
                for eye in eyes[place]:
                    second = eye[1]
                    if left[second] > (second == place):
                        other = left.copy()
                        other[place] -= 1
                        other[second] -= 1
                        self._begin(other, place, (so_far[0], so_far[1], eye), None, found)
            head = heads[place]
            if count > 2:
                rest, triplets, kept, taken = count, *so_far
                while rest > 2:
                    rest -= 3
                    triplets = (*triplets, place)
                    if rest and (head is None or left[head[0]] < rest or left[head[1]] < rest):
                        continue
                    other = left.copy()
                    other[place] = rest
                    if rest and head is not None:
                        other[head[0]] -= rest
                        other[head[1]] -= rest
                    self._begin(other, place + 1, (triplets, kept, taken), eyes, found)
            if head is None:
                return
            second, third = head
            if left[second] < count or left[third] < count:
                return
            left[second] -= count
            left[third] -= count
        # Where the eye is still to be found some card is always left: the sums would be divisible else.
        found.append(Split(left, *so_far))

    def counted(self, reading: Reading, splits: Sequence[Split], mains: Sequence[Main]) -> list[Found]:
        """Count splits of the same cards.

        Args:
            reading: The cards.
            splits: Ways to split them.
            mains: The main jing to choose from, the preferred first.

        Returns:
            Each split that the winning card and picked-up cards allow, with the main jing with which it
            counts most.
        """
        whole = reading.whole
        base = 0
        for kind, worth in self.singles:
            base += whole[kind] * worth
        more_times = self.points.main_times - 1
        choices: list[tuple[str, int, int | None]] = []
        for main, more in mains:
            single = 0
            for kind, worth in self.singles_of.get(main, ()):
                single += whole[kind] * worth
            choices.append((main, more + more_times * single, PLACE.get(main)))
        place: int | None
        counted = []
        for split in splits:
            total = base if split.eye is None else base + split.eye.points
            for place, worth in self.wholes:
                total += split.begun[place] * worth
            placings: dict[int, Placing] = {}
            for place, use in split.uses().items():
                placing = self._placing(reading, place, use)
                if placing is None:
                    break
                placings[place] = placing
                total += placing.gain
            else:
                most, best = -1, ""
                for main, points, place in choices:
                    if place in placings:
                        points += more_times * placings[place].gain  # noqa: PLW2901
                    if points > most:
                        most, best = points, main
                counted.append(Found(total + most, best, split, placings, reading))
        return counted

    def _placing(self, reading: Reading, place: int, use: int) -> Placing | None:
        """Place the faces of a character's cards where they bring most; none where they cannot be used so."""
        if place not in reading.mixed:
            placing = self._same[place].get(use)
            if placing is None:
                placing = place_faces(self.points, CHARACTERS[place], _ALL_PLAIN, use)
                self._same[place][use] = placing
            return placing
        free, picked = reading.free[place :: self.places], reading.picked[place :: self.places]
        key = (place, use, free, picked, reading.marker if place == reading.win else 0)
        try:
            return self._placings[key]
        except KeyError:
            if len(self._placings) >= MOST_PLACINGS:
                self._placings.clear()
            cards = Cards._make([*free.ljust(3, b"\0"), *picked.ljust(3, b"\0"), key[4]])
            placing = self._placings[key] = place_faces(self.points, CHARACTERS[place], cards, use)
            return placing


_ALL_PLAIN = Cards(7, 0, 0, 0, 0, 0, 0)
"""Enough cards for any use."""
_LAYER_MASK = (1 << LAYER_SHIFT) - 1
_NOTHING_KEPT: Sequence[Kept] = ((),)
