"""Ask only what matters: weigh every reading of a photo with unsure cards.

Each unsure card has some names with probabilities; together they make readings, of which only those count
that the deck's copies allow. Readings are taken from the likeliest on until less than `LEFT_OUT` of the
probability remains, and each is scored. Where all of them pay the same, the unsure cards do not matter.

A sure card may be wrong, too. So names are varied once more: those of the sure cards, by what the reader's
confidence leaves open, on the likeliest reading and on those of the fewest and the most points. Here it
counts what a round is: somebody declared a hand. Of declared hands few are none at all, so a variation that
is no finished hand (wrong count, no split) weighs `WRONGLY_DECLARED`; and so does the likeliest reading where
it is none, which is why a hand that does not split is looked at more closely than one that does. A round is
settled where less than `OTHERWISE` pays otherwise. The names of the cards are not touched by this: what would
make a hand win plays no part in which reading is the likeliest.

Cards that are missing or too many are an error of the reading or of the claim, and nothing here can tell
which: such a round is never settled. Nor is one with more copies of a card than there are, or with cards on
the table that are no group, unless players said so card by card.
"""

from __future__ import annotations

import heapq
import math
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final

from scorer.cards import FLOWER

LEFT_OUT: Final = 0.0005
"""Readings are scored until those that remain have less than this probability together."""

SETTLED_LEFT_OUT: Final = 0.001
"""Nothing is called settled where the readings not scored have this probability or more."""

OTHERWISE: Final = 0.01
"""Nothing is called settled where what the reader is sure of may be wrong and pay otherwise with this
probability or more; while a card is unsure, what could not be weighed counts as such. Above the rest that
'sure' leaves to one card: sure cards alone are not asked for."""

WRONGLY_DECLARED: Final = 0.02
"""How many of the hands that are declared are taken to be none. A weight, not a measurement: where a reading
is no hand, the smaller it is, the more is asked."""

EXACT: Final = 6
"""Up to so many unsure cards the fewest that decide are found; of more, enough of the most telling ones."""

_TWIN: Final = 0.5
"""Of what a name leaves open, at least this goes to the same character with or without its flower."""

_MOST_READINGS: Final = 20_000
_MOST_VARIATIONS: Final = 3000
_WEIGHED_OF_MANY: Final = 500
"""So many readings choose the questions where there are more unsure cards than `EXACT`."""

Name = str | None
"""A card, or None for no card at all."""

Transfer = tuple[int, int, int]
"""The seat that pays, how much, and the seat that gets it."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """A card, or a place where one may lie, with the names that it may have."""

    names: tuple[tuple[Name, float], ...]
    """Each name with its probability, together 1, the likeliest first."""

    index: int | None = None
    """Its place among the cards; None for a place that could not be read."""

    doubt: int | None = None
    """Its place among the doubts of the reading; None for a card."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reading comes to."""

    wins: bool
    points: int | None
    steps: int
    payments: tuple[Transfer, ...]
    finished: bool = True
    """Whether the cards make a hand, be its points too few."""

    missing: int = 0
    """How many cards a finished hand has more than this one; below 0 it has as many fewer."""

    impossible: bool = False
    """Whether no table can have it, so that something was read or told wrongly."""

    @property
    def paid(self) -> tuple[bool, tuple[Transfer, ...]]:
        """What the players see of it: whether it wins and who pays what."""
        return self.wins, self.payments


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a question, and what it would pay by the likeliest reading that agrees."""

    card: Name
    p: float
    outcome: Outcome
    decides: bool
    """Whether every reading that agrees pays the same."""

    def to_json(self) -> dict[str, object]:
        """Write the answer as INTERFACE.md shows it.

        Returns:
            A dictionary of plain JSON values.
        """
        return {
            "card": self.card,
            "p": round(self.p, 4),
            "points": self.outcome.points,
            "steps": self.outcome.steps,
            "payments": [{"seat": seat, "pays": pays, "to": to} for seat, pays, to in self.outcome.payments],
            "wins": self.outcome.wins,
            "decides": self.decides,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """A card to ask for."""

    index: int | None
    doubt: int | None
    answers: tuple[Answer, ...]

    def to_json(self) -> dict[str, object]:
        """Write the question as INTERFACE.md shows it; `doubt` is there where no card could be read.

        Returns:
            A dictionary of plain JSON values.
        """
        doubt = {} if self.doubt is None else {"doubt": self.doubt}
        return {"index": self.index, **doubt, "answers": [answer.to_json() for answer in self.answers]}


@dataclass(frozen=True, slots=True)
class Sure:
    """The cards that the reader is sure of, and what it leaves open of each."""

    cards: tuple[Unsure, ...]
    """Each with its name first, and the other names that it may have all the same."""

    outcome: Callable[[tuple[Name, ...], tuple[Name, ...]], Outcome | None]
    """What a reading comes to: a name for each unsure card, and one for each of these; None where the deck
    has no such cards."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """Whether the unsure cards matter, and what to ask where they do."""

    settled: bool
    questions: tuple[Question, ...]
    points_range: tuple[int, int] | None
    """Least and most points of the readings scored; None where none of them has points."""

    names: tuple[Name, ...]
    """The likeliest reading: a name for each unsure card."""

    readings: int
    """How many readings were scored."""

    left_out: float
    """The probability of the readings not scored, 0 to 1."""

    wins: float
    """The probability that the hand wins, among the readings scored."""

    otherwise: float | None = None
    """The probability, at most, that a sure card is another, or one was missed, and the hand pays otherwise,
    0 to 1; what was not weighed counts as such. None where the unsure cards had to be asked for, so that
    nobody looked."""

    missing: int = 0
    """How many cards are missing by the likeliest reading; below 0 as many are too many, among them those
    that it takes for none."""

    impossible: bool = False
    """Whether no table can have the likeliest reading."""


@dataclass(frozen=True, slots=True)
class _Reading:
    names: tuple[Name, ...]
    p: float
    """How likely it is, beside the likeliest."""

    outcome: Outcome


def spread(
    names: Sequence[tuple[str, float]], deck: Mapping[str, int], rounding: float = 0.0001
) -> tuple[tuple[Name, float], ...]:
    """Complete the names of a card so that their probabilities are 1 together.

    What the reader did not give to any name goes evenly to the other cards of the deck, so that nothing is
    left out unseen. But a plain copy is most often taken for a flower copy, or the other way round: of what
    the likeliest name leaves open at least `_TWIN` goes to its twin.

    Args:
        names: the names that the reader gives, each with its probability, its own first.
        deck: every card of the deck.
        rounding: a rest so small is none.

    Returns:
        Names with probabilities, the likeliest first.
    """
    given: dict[Name, float] = {}
    for name, share in names:
        if share > 0.0 and name in deck:
            given[name] = given.get(name, 0.0) + share
    own = names[0][0]
    twin = own.removeprefix(FLOWER) if own.startswith(FLOWER) else FLOWER + own
    rest = max(0.0, 1.0 - sum(given.values()))
    left_open = sum(given.values()) - given.get(own, 0.0) + rest
    lacking = _TWIN * left_open - given.get(twin, 0.0)
    if twin in deck and lacking > 0.0:
        keep = 1.0 - lacking / (left_open - given.get(twin, 0.0))
        given = {name: share if name in (own, twin) else share * keep for name, share in given.items()}
        given[twin] = given.get(twin, 0.0) + lacking
        rest *= keep
    others = [name for name in deck if name not in given]
    if others and rest > rounding:
        given |= dict.fromkeys(others, rest / len(others))
    total = sum(given.values())
    order = {name: place for place, name in enumerate(given)}
    ranked = sorted(given.items(), key=lambda item: (-item[1], order[item[0]]))
    return tuple((name, share / total) for name, share in ranked)


def settle(
    unsure: Sequence[Unsure],
    room: Mapping[str, int],
    outcome: Callable[[tuple[Name, ...]], Outcome],
    seconds: float = 0.9,
    fits: Callable[[tuple[Name, ...]], bool] = lambda _: True,
    sure: Callable[[bool], Sure] | None = None,
) -> Settlement:
    """Weigh the readings and say whether a card has to be asked for.

    Args:
        unsure: the unsure cards, and the places that could not be read.
        room: how many copies of each card the sure cards leave in the deck.
        outcome: what a reading comes to, a name for each of `unsure`.
        seconds: when to stop scoring; at least one reading is scored.
        fits: whether a reading agrees with what the players said of the table.
        sure: the sure cards, given whether the likeliest reading is a finished hand; None where all that is
            sure is beyond doubt.

    Returns:
        The settlement; not settled where too much had to be left out.
    """
    start = time.monotonic()
    readings, left_out = _score_readings(unsure, room, fits, outcome, start + seconds)
    total = sum(reading.p for reading in readings)
    points = [reading.outcome.points for reading in readings if reading.outcome.points is not None]
    likeliest = readings[0].outcome
    alike = len({reading.outcome.paid for reading in readings}) == 1
    # What is no hand is not settled by unsure cards that change nothing: one of them may be wrong even so.
    settled = alike and left_out < SETTLED_LEFT_OUT and (likeliest.finished or not unsure)
    weighed = readings if len(unsure) <= EXACT else readings[:_WEIGHED_OF_MANY]
    asked = () if settled else _deciding(unsure, weighed)
    made_up = sum(
        name is None and card.doubt is None for name, card in zip(readings[0].names, unsure, strict=True)
    )
    missing = likeliest.missing - made_up
    if missing > 0:
        # Until the cards are there, only the places matter where one may lie.
        hidden = tuple(place for place, card in enumerate(unsure) if card.doubt is not None)
        asked = tuple(place for place in asked if place in hidden) or hidden

    def allowed(names: tuple[Name, ...]) -> Outcome | None:
        return outcome(names) if _in_the_deck(names, room) and fits(names) else None

    weighed = _with_another(weighed, unsure, asked, allowed)
    questions = tuple(_question(unsure[place], place, weighed) for place in asked)
    otherwise = None
    if settled and sure is not None and not missing:
        until = max(start + seconds, time.monotonic() + seconds / 4)
        looked = _look_again(sure(likeliest.finished), readings, until)
        otherwise = min(1.0, looked.otherwise + looked.left_out)
        # Where every card is sure, a slow machine does not ask what it had no time to weigh.
        settled = (otherwise if unsure else looked.otherwise) < OTHERWISE
        questions = () if settled else looked.questions
    return Settlement(
        settled=settled and not missing and not likeliest.impossible,
        questions=questions,
        points_range=(min(points), max(points)) if points else None,
        names=readings[0].names,
        readings=len(readings),
        left_out=left_out,
        wins=sum(reading.p for reading in readings if reading.outcome.wins) / total,
        otherwise=otherwise,
        missing=missing,
        impossible=likeliest.impossible,
    )


@dataclass(frozen=True, slots=True)
class _Looked:
    """What varying the sure cards brought."""

    otherwise: float
    left_out: float
    questions: tuple[Question, ...]


def _look_again(sure: Sure, readings: Sequence[_Reading], until: float) -> _Looked:
    """Vary the names of the sure cards on the likeliest reading and on those of fewest and most points."""
    with_points = [reading for reading in readings if reading.outcome.points is not None]
    bases = readings[:1]
    if with_points:
        ranked = sorted(with_points, key=lambda reading: (reading.outcome.points or 0, -reading.p))
        bases = [readings[0], ranked[0], ranked[-1]]
    worst = _Looked(0.0, 0.0, ())
    for base in {base.names: base for base in bases}.values():
        looked = _vary(sure, base, until)
        worst = _Looked(
            max(worst.otherwise, looked.otherwise),
            max(worst.left_out, looked.left_out),
            looked.questions
            if looked.otherwise > worst.otherwise or not worst.questions
            else worst.questions,
        )
    return worst


def _vary(sure: Sure, base: _Reading, until: float) -> _Looked:
    """Take other names for sure cards, the likeliest first, and weigh those that pay otherwise."""
    cards = sure.cards
    likeliest = math.prod(card.names[0][1] for card in cards)
    allowed = seen = 0.0
    variations: list[_Reading] = []
    for tried, (names, weight) in enumerate(_likeliest_first(cards)):
        if tried >= _MOST_VARIATIONS or (tried and time.monotonic() > until):
            break
        seen += likeliest * weight
        outcome = base.outcome if tried == 0 else sure.outcome(base.names, names)
        if outcome is not None:
            allowed += likeliest * weight
            declared = 1.0 if outcome.finished else WRONGLY_DECLARED
            variations.append(_Reading(names, weight * declared, outcome))
        if _share_left(allowed, seen) < LEFT_OUT / 5:
            break
    left_out = _share_left(allowed, seen)
    otherwise = _share_otherwise(variations, base.outcome)
    asked: list[int] = []
    known = variations
    if otherwise < OTHERWISE <= otherwise + left_out:
        asked = sorted(range(len(cards)), key=lambda place: cards[place].names[0][1])[:1]
        known = []
        variations = _with_another(variations, cards, asked, partial(sure.outcome, base.names))
    while known and _share_otherwise(known, base.outcome) >= OTHERWISE:
        first = known[0].names
        mass = dict.fromkeys(range(len(cards)), 0.0)
        for variation in known:
            if variation.outcome.paid != base.outcome.paid:
                for place, name in enumerate(variation.names):
                    mass[place] += variation.p if name != first[place] else 0.0
        asked.append(max(mass, key=lambda place: mass[place]))
        known = [each for each in known if each.names[asked[-1]] == first[asked[-1]]]
    return _Looked(otherwise, left_out, tuple(_question(cards[place], place, variations) for place in asked))


def _with_another(
    readings: Sequence[_Reading],
    cards: Sequence[Unsure],
    places: Sequence[int],
    outcome: Callable[[tuple[Name, ...]], Outcome | None],
) -> list[_Reading]:
    """Weigh another name of each card that is asked for, however late it is: a question has two answers.

    Args:
        readings: those that were weighed, the likeliest first.
        cards: of which they are.
        places: of those that are asked for.
        outcome: what a reading comes to; None where the cards that there are do not allow it.

    Returns:
        The readings, and one for each of these cards that has one name in all of them.
    """
    result = list(readings)
    first = readings[0]
    for place in places:
        if len({reading.names[place] for reading in result}) > 1:
            continue
        shares = dict(cards[place].names)
        for name, share in cards[place].names:
            names = (*first.names[:place], name, *first.names[place + 1 :])
            come_to = outcome(names) if name != first.names[place] else None
            if come_to is not None:
                result.append(_Reading(names, first.p * share / shares[first.names[place]], come_to))
                break
    return result


def _share_otherwise(readings: Sequence[_Reading], base: Outcome) -> float:
    """Weigh the readings that pay otherwise, among all."""
    other = sum(reading.p for reading in readings if reading.outcome.paid != base.paid)
    return other / sum(reading.p for reading in readings)


def _score_readings(
    unsure: Sequence[Unsure],
    room: Mapping[str, int],
    fits: Callable[[tuple[Name, ...]], bool],
    outcome: Callable[[tuple[Name, ...]], Outcome],
    until: float,
) -> tuple[list[_Reading], float]:
    """Score readings from the likeliest on; give them and the probability of the others."""
    likeliest = math.prod(card.names[0][1] for card in unsure)
    allowed = seen = 0.0
    readings: list[_Reading] = []
    for tried, (names, weight) in enumerate(_likeliest_first(unsure)):
        if tried >= _MOST_READINGS or (tried and time.monotonic() > until):
            break
        seen += likeliest * weight
        if _in_the_deck(names, room) and fits(names):
            allowed += likeliest * weight
            readings.append(_Reading(names, weight, outcome(names)))
        if readings and _share_left(allowed, seen) < LEFT_OUT:
            break
    if not readings:
        names = tuple(card.names[0][0] for card in unsure)
        return [_Reading(names, 1.0, outcome(names))], 1.0
    return readings, _share_left(allowed, seen)


def _in_the_deck(names: tuple[Name, ...], room: Mapping[str, int]) -> bool:
    """Tell whether the deck has so many of each card left."""
    return all(count <= room.get(name, 0) for name, count in Counter(names).items() if name is not None)


def _share_left(allowed: float, seen: float) -> float:
    """Bound the probability of what was not looked at, among all that the deck allows."""
    rest = max(0.0, 1.0 - seen)
    return 0.0 if rest < 1e-9 else rest / (allowed + rest)


def _likeliest_first(unsure: Sequence[Unsure]) -> Iterator[tuple[tuple[Name, ...], float]]:
    """Give every reading and how likely it is beside the likeliest, the likeliest first.

    A reading is kept as its steps away from the likeliest: places, in the order in which their second names
    are likely, with the rank of the name there. Each reading is reached from one other alone, which is
    likelier: its last step goes one name on, or moves one place on, or is followed by one at the next
    place. So however many cards there are, three readings are looked at for each that is given.
    """
    first = tuple(card.names[0][0] for card in unsure)
    yield first, 1.0
    shares = [[share for _, share in card.names] for card in unsure]
    order = [place for place, share in enumerate(shares) if len(share) > 1]
    order.sort(key=lambda place: -shares[place][1] / shares[place][0])

    def step(place: int, rank: int) -> float:
        """Compare a name with the one before it."""
        return shares[order[place]][rank] / shares[order[place]][rank - 1]

    heap: list[tuple[float, tuple[tuple[int, int], ...]]] = []
    if order:
        heap.append((-step(0, 1), ((0, 1),)))
    while heap:
        weight, steps = heapq.heappop(heap)
        names = list(first)
        for place, rank in steps:
            names[order[place]] = unsure[order[place]].names[rank][0]
        yield tuple(names), -weight
        before, (place, rank) = steps[:-1], steps[-1]
        if rank + 1 < len(shares[order[place]]):
            heapq.heappush(heap, (weight * step(place, rank + 1), (*before, (place, rank + 1))))
        if place + 1 < len(order):
            onward = step(place + 1, 1)
            heapq.heappush(heap, (weight * onward, (*steps, (place + 1, 1))))
            if rank == 1:
                heapq.heappush(heap, (weight / step(place, 1) * onward, (*before, (place + 1, 1))))


def _deciding(unsure: Sequence[Unsure], readings: Sequence[_Reading]) -> tuple[int, ...]:
    """Find the fewest cards whose answers decide what is paid, the most telling first."""
    places = range(len(unsure))
    doubt_left = {place: _doubt_left(place, readings) for place in places}
    ranked = sorted(places, key=lambda place: (doubt_left[place], unsure[place].names[0][1], place))
    if len({reading.outcome.paid for reading in readings}) == 1:
        return tuple(sorted(places, key=lambda place: (unsure[place].names[0][1], place)))
    if len(unsure) <= EXACT:
        for size in range(1, len(unsure)):
            deciding = [some for some in combinations(ranked, size) if _decide(some, readings)]
            if deciding:
                return min(deciding, key=lambda some: sum(doubt_left[place] for place in some))
        return tuple(ranked)
    # Where some cards decide, more of them do, too.
    size = bisect_left(range(1, len(ranked)), x=True, key=lambda size: _decide(ranked[:size], readings)) + 1
    return tuple(ranked[:size])


def _decide(places: Sequence[int], readings: Sequence[_Reading]) -> bool:
    """Tell whether readings that agree at these places always pay the same."""
    paid: dict[tuple[Name, ...], object] = {}
    for reading in readings:
        answer = tuple(reading.names[place] for place in places)
        if paid.setdefault(answer, reading.outcome.paid) != reading.outcome.paid:
            return False
    return True


def _doubt_left(place: int, readings: Sequence[_Reading]) -> float:
    """Measure how open the payments stay once this card is known (their expected entropy)."""
    by_answer: dict[Name, dict[object, float]] = {}
    for reading in readings:
        weights = by_answer.setdefault(reading.names[place], {})
        weights[reading.outcome.paid] = weights.get(reading.outcome.paid, 0.0) + reading.p
    left = 0.0
    for weights in by_answer.values():
        total = sum(weights.values())
        left -= sum(weight * math.log(weight / total) for weight in weights.values() if weight > 0)
    return left


def _question(card: Unsure, place: int, readings: Sequence[_Reading]) -> Question:
    total = sum(reading.p for reading in readings)
    agreeing: dict[Name, list[_Reading]] = {}
    for reading in readings:
        agreeing.setdefault(reading.names[place], []).append(reading)
    answers = [
        Answer(
            card=name,
            p=sum(reading.p for reading in some) / total,
            outcome=max(some, key=lambda reading: reading.p).outcome,
            decides=len({reading.outcome.paid for reading in some}) == 1,
        )
        for name, some in agreeing.items()
    ]
    return Question(card.index, card.doubt, tuple(sorted(answers, key=lambda answer: -answer.p)))
