"""From a reading of a photo to a scored round: corrected, laid out, counted, and settled or asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import scorer
from scorer.cards import character_of, parse_card
from table.cards import Corrections, TableCard, shown
from table.false_claim import Penalty, penalty
from table.guess import Guess, guess_table
from table.settle import Settlement
from table.terms import Bracket, LaidGroup, Terms
from table.weigh import Table, is_sentence, may_break, weigh
from table.words import DeckMismatchError, LaidError
from vision.types import Reading

__all__ = [
    "ASK",
    "DONE",
    "NO_WIN",
    "Bracket",
    "LaidGroup",
    "Proposal",
    "Round",
    "Terms",
    "check_kind",
    "find_groups",
    "find_win",
    "match_laid",
    "parse_laid",
    "play",
]

DONE: Final = 0
NO_WIN: Final = 1
ASK: Final = 3


_WORTH_NAMING: Final = 0.05
"""An unsure card less likely than this is no better hint than one that differs by its flower alone."""

_COMES_TO: Final = ("wins", "reason", "points", "steps", "payments")
_NONE_CORRECTED: Final = Corrections()
_USUAL_TERMS: Final = Terms()
_NOTHING_TAKEN: Final = Guess()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the places of the cards suggest about the table, and what the hand would be with it."""

    guess: Guess
    laid: str
    """The groups in the notation of ``--laid``."""

    win: str | None
    score: scorer.Score
    changes: bool
    """Whether it would change what is paid."""

    def to_json(self) -> dict[str, object]:
        """Write the proposal, marked as one: nothing of it is counted.

        Returns:
            A dictionary of plain JSON values.
        """
        scored = self.score.to_json()
        return {
            "laid": self.laid,
            "indices": [list(group) for group in self.guess.laid],
            "win": self.win,
            "win_index": self.guess.win,
            "changes": self.changes,
            **{name: scored[name] for name in _COMES_TO},
        }


@dataclass(frozen=True, slots=True)
class Round:
    """A photo that was read, corrected and scored by its likeliest reading."""

    reading: Reading
    book: scorer.Book
    cards: tuple[TableCard, ...]
    """The cards that count, each by its likeliest name."""

    laid: tuple[LaidGroup, ...]
    win: int | None
    """Place of the winning card; None where none was named."""

    terms: Terms
    hand: scorer.Hand
    score: scorer.Score
    indices: tuple[tuple[int, ...], ...]
    """For each group of the score the places of its cards."""

    settlement: Settlement
    doubts: tuple[int, ...]
    """Places among the doubts of the reading that nobody has cleared."""

    penalty: Penalty
    """What it costs if the hand was declared and does not win; nothing while a card has to be asked for."""

    taken: Guess = _NOTHING_TAKEN
    """What was taken from where the cards lie; what the players told is none of it."""

    proposal: Proposal | None = None
    without_guess: scorer.Score | None = None
    """What the hand would be without what was taken from where the cards lie; None where nothing was."""

    lang: str = field(default="zh-Hant", compare=False)

    @property
    def guessed(self) -> bool:
        """Whether what lay on the table, or the winning card, was taken from where the cards lie."""
        return self.without_guess is not None

    @property
    def status(self) -> int:
        """The exit status of ``photo``: 0 it wins, 1 it does not, 3 a card has to be asked for."""
        if not self.settlement.settled:
            return ASK
        return DONE if self.score.wins else NO_WIN

    def to_json(self) -> dict[str, object]:
        """Write the fields of ``read`` and ``score`` together, as INTERFACE.md shows them.

        Returns:
            A dictionary of plain JSON values.
        """
        scored = self.score.to_json()
        scored["groups"] = [
            {**group.to_json(), "indices": list(places)}
            for group, places in zip(self.score.groups, self.indices, strict=True)
        ]
        settled = self.settlement
        without = None if self.without_guess is None else self.without_guess.to_json()
        return {
            **self.reading.to_json(),
            "cards": [card.to_json() for card in self.cards],
            "doubts": [{**self.reading.doubts[place].to_json(), "place": place} for place in self.doubts],
            **scored,
            "laid": [{"indices": list(group.indices), "bracket": group.bracket} for group in self.laid],
            "win": None if self.win is None else self.cards[self.win].card,
            "win_index": self.win,
            "settled": settled.settled,
            "questions": [question.to_json() for question in settled.questions],
            "points_range": settled.points_range and list(settled.points_range),
            "readings": settled.readings,
            "left_out": round(settled.left_out, 6),
            "otherwise": None if settled.otherwise is None else round(settled.otherwise, 6),
            "missing": settled.missing,
            "impossible": settled.impossible,
            "wins_p": round(settled.wins, 4),
            "penalty": self.penalty.to_json(),
            "guess": self.proposal and self.proposal.to_json(),
            "guessed": self.guessed,
            "without_guess": without and {name: without[name] for name in _COMES_TO},
        }

    def shown(self) -> Reading:
        """Give the reading with what the players corrected, to be drawn over the photo.

        Returns:
            The cards that count and lie in the photo, each by its likeliest name.
        """
        return shown(self.reading, self.cards, self.doubts)

    def text(self) -> str:
        """Say what the hand counts and who pays, what has to be asked first.

        Returns:
            Lines for a person.
        """
        from table.report import report

        return report(self)


def play(
    reading: Reading,
    book: scorer.Book,
    *,
    corrections: Corrections = _NONE_CORRECTED,
    laid: str | Sequence[LaidGroup] = (),
    win: str | int | None = None,
    terms: Terms = _USUAL_TERMS,
    take_guess: bool = False,
    lang: str = "zh-Hant",
    seconds: float = 0.9,
) -> Round:
    """Score what a photo shows.

    Args:
        reading: what was read.
        book: the rule book.
        corrections: what the players say about the reading.
        laid: what lay on the table, in the notation of a hand or as places in the corrected cards.
        win: the winning card, or its place in the corrected cards.
        terms: how the hand was won.
        take_guess: whether what lies apart counts as laid, and the card that lies alone as the winning one,
            as far as nothing else was said.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.
        seconds: how long the readings of unsure cards may be weighed.

    Returns:
        The round.

    Raises:
        DeckMismatchError: the photo shows a deck that the rule is not played with.
        CorrectionError: a correction that fits no card.
        LaidError: a laid group or a winning card that is not among the cards.
        scorer.ScorerError: terms that the book does not have.
    """
    if reading.kind is not None:
        check_kind(book, reading.deck or "?", reading.kind)
    cards = corrections.apply(reading, book.kind)
    groups = match_laid(cards, laid) if isinstance(laid, str) else tuple(laid)
    _check(cards, groups)
    # Who writes down what lay on the table says what those cards are; who points at them does not.
    confirmed = {place for group in groups for place in group.indices} if isinstance(laid, str) else set()
    guess = guess_table(cards, lambda names: is_sentence(book, names))
    said = groups, win
    taken = _not_told(guess, groups, win) if take_guess else _NOTHING_TAKEN
    if taken:
        groups = (*groups, *(LaidGroup(places) for places in taken.laid))
        win = taken.win if win is None else win
    cards = tuple(
        replace(card, sure=True, confidence=1.0, others=()) if place in confirmed else card
        for place, card in enumerate(cards)
    )
    winning = find_win(cards, _fixed(book, groups), win)
    table = Table(book, cards, groups, winning, terms, lang)
    doubts = corrections.doubts(reading)
    miscounted = bool(corrections.dropped or corrections.added)
    settlement = weigh(table, reading, doubts, seconds, miscounted=miscounted)
    likeliest = table.names(settlement.names[: sum(not card.sure for card in cards)])
    names = [name or card.card for name, card in zip(likeliest, cards, strict=True)]
    hand = table.hand(names)
    score = table.score(names)
    cards = tuple(_rename(card, name) for card, name in zip(cards, names, strict=True))
    proposal = without = None
    if guess and not take_guess and not (groups and winning is not None):
        proposal = _propose(table, cards, guess, score)
    if (groups, win) != said:
        groups_said, win_said = said
        win_then = find_win(cards, _fixed(book, groups_said), win_said)
        without = replace(table, laid=groups_said, win=win_then).score(names)
    return Round(
        reading=reading,
        book=book,
        cards=cards,
        laid=groups,
        win=winning,
        terms=terms,
        hand=hand,
        score=score,
        indices=find_groups(cards, groups, [group.cards for group in score.groups]),
        settlement=settlement,
        doubts=doubts,
        penalty=_penalty(table, score, settlement),
        taken=taken,
        proposal=proposal,
        without_guess=without,
        lang=lang,
    )


def _not_told(guess: Guess, told: Sequence[LaidGroup], win: str | int | None) -> Guess:
    """Leave of a guess what the players have not told themselves."""
    on_table = {place for group in told for place in group.indices}
    laid = tuple(group for group in guess.laid if not on_table.intersection(group))
    return Guess(laid, None if win is not None or guess.win in on_table else guess.win)


def _penalty(table: Table, score: scorer.Score, settlement: Settlement) -> Penalty:
    """Count what a false claim costs, once nothing is left to ask: until then the reading may be false."""
    terms = table.terms
    cost = penalty(table.book, score, players=terms.players, stake=terms.stake, declarer=terms.winner)
    asks = not settlement.settled and bool(settlement.questions)
    return replace(cost, payments=()) if asks else cost


def _fixed(book: scorer.Book, groups: Sequence[LaidGroup]) -> list[LaidGroup]:
    """List the groups of which the winning card is none."""
    return [group for group in groups if group.bracket == "round" or not may_break(book)]


def check_kind(book: scorer.Book, deck: str, kind: int) -> None:
    """See that a deck is one that the rule is played with.

    Args:
        book: the rule book.
        deck: name of the deck.
        kind: its kind.

    Raises:
        DeckMismatchError: the rule is played with another kind.
    """
    if kind != book.kind:
        raise DeckMismatchError(
            f"{book.name} is played with {book.kind} cards, the deck {deck} has {kind}",
            f"{book.name} 用 {book.kind} 張牌，{deck} 這副是 {kind} 張",
        )


def _rename(card: TableCard, name: str) -> TableCard:
    """Call an unsure card by its likeliest name, and its read name one of the others."""
    if name == card.card:
        return card
    others = [(other, share) for other, share in card.others if other != name]
    others.append((card.card, card.confidence))
    others.sort(key=lambda other: -other[1])
    share = dict(card.others).get(name, 0.0)
    return replace(card, card=name, confidence=share, others=tuple(others))


def parse_laid(text: str) -> tuple[scorer.Laid, ...]:
    """Read what lay on the table.

    Args:
        text: groups in brackets, in the notation of a hand.

    Returns:
        The groups.

    Raises:
        LaidError: a card in no group.
        scorer.ScorerError: text that is no hand.
    """
    hand = scorer.parse_hand(text)
    if hand.free or hand.picked:
        loose = (hand.free + hand.picked)[0]
        raise LaidError(
            f"laid cards stand in brackets, {loose} does not", f"桌面的牌要寫在括號裡，{loose} 沒有"
        )
    return hand.laid


def match_laid(cards: Sequence[TableCard], text: str) -> tuple[LaidGroup, ...]:
    """Find the cards of laid groups among the read ones.

    Copies of a card are alike; those that lie together in the photo are taken first, and sure ones before
    unsure ones.

    Args:
        cards: the cards of the photo.
        text: groups in brackets, in the notation of a hand.

    Returns:
        The groups with the places of their cards, in the order of the text.

    Raises:
        LaidError: a card in no group, or one that is not among the cards.
        scorer.ScorerError: text that is no hand.
    """
    unused = set(range(len(cards)))
    found: list[LaidGroup] = []
    short: list[tuple[scorer.Laid, tuple[int, ...], list[str]]] = []
    for group in parse_laid(text):
        places, lacking = _take_there(cards, unused, group.cards)
        if lacking:
            short.append((group, places, lacking))
        found.append(LaidGroup(places, group.bracket))
    if short:
        raise _not_there(cards, unused, *short[0])
    return tuple(found)


def _take(cards: Sequence[TableCard], unused: set[int], names: Sequence[str]) -> tuple[int, ...] | None:
    """Take cards of these names out of the unused ones; none where one is lacking."""
    taken, lacking = _take_there(cards, unused, names)
    if not lacking:
        return taken
    unused.update(taken)
    return None


def _take_there(
    cards: Sequence[TableCard], unused: set[int], names: Sequence[str]
) -> tuple[tuple[int, ...], list[str]]:
    """Take cards of these names out of the unused ones, those that lie together first.

    Returns:
        The places taken, and the names of which there is no card.
    """
    heaps: Counter[int | None] = Counter()
    for heap in {cards[place].group for place in unused}:
        there = Counter(cards[place].card for place in unused if cards[place].group == heap)
        heaps[heap] = (there & Counter(names)).total()
    taken: list[int] = []
    lacking: list[str] = []
    for name in names:
        places = [place for place in unused if cards[place].card == name]
        if not places:
            lacking.append(name)
            continue
        best = min(places, key=lambda place: (-heaps[cards[place].group], not cards[place].sure, place))
        unused.remove(best)
        taken.append(best)
    return tuple(taken), lacking


def _not_there(
    cards: Sequence[TableCard],
    unused: set[int],
    group: scorer.Laid,
    taken: Sequence[int],
    lacking: Sequence[str],
) -> LaidError:
    hint, hint_hant = _how_to_mend(cards, unused, taken, lacking)
    names, first = "".join(group.cards), lacking[0]
    wanted = group.cards.count(first)
    found = wanted - lacking.count(first)
    if found:
        return LaidError(
            f"({names}) lay on the table, but only {found} of {wanted} {first} can be found{hint}",
            f"桌面有（{names}），{wanted} 張{first}卻只找到 {found} 張{hint_hant}",
        )
    return LaidError(
        f"({names}) lay on the table, but {first} is not among the cards read{hint}",
        f"桌面有（{names}），讀到的牌裡卻沒有{first}{hint_hant}",
    )


def _how_to_mend(
    cards: Sequence[TableCard], unused: set[int], taken: Sequence[int], lacking: Sequence[str]
) -> tuple[str, str]:
    """Say how cards are told that were not read under their names.

    Args:
        cards: the cards of the photo.
        unused: places of cards that no group that was told has taken.
        taken: places of the cards of this group that were found.
        lacking: the names that were not found.

    Returns:
        The end of a sentence, in English and in traditional Chinese.
    """
    free = set(unused)
    heaps = {cards[place].group for place in taken}
    sets: list[tuple[int | None, str]] = []
    twins: list[int] = []
    adds: list[str] = []
    for name in lacking:
        share, likely = max(
            (
                (dict(cards[place].others).get(name, 0.0), -place)
                for place in free
                if _may_be_set(cards[place])
            ),
            default=(0.0, 0),
        )
        twin = min(
            (place for place in free if cards[place].group in heaps and _is_twin(cards[place], name)),
            default=None,
        )
        if twin is not None and (share < _WORTH_NAMING or twin == -likely):
            place = twin
            twins.append(place)
        elif share > 0.0:
            place = -likely
        else:
            adds.append(f"--add {name}")
            continue
        free.remove(place)
        sets.append((cards[place].place, name))
    options = " ".join(f"--set {number}={name}" for number, name in sets)
    en = hant = ""
    if len(twins) == len(lacking):
        read = "".join(cards[place].card for place in sorted((*taken, *twins)))
        en = f"; {read} was read, which differs only by the flower: {options}"
        hant = f"；讀到的是 {read}，只差花：{options}"
    elif sets:
        numbers = [str(number) for number, _ in sets]
        one = f"card {numbers[0]} may be one" if len(sets) == 1 else f"cards {', '.join(numbers)} may be them"
        en = f"; {one}: {options}"
        hant = f"；第 {'、'.join(numbers)} 張可能是：{options}"
    if adds:
        en += f"; if {'one was' if len(adds) == 1 else 'they were'} not read: {' '.join(adds)}"
        hant += f"；有 {len(adds)} 張沒讀到的話：{' '.join(adds)}"
    return en, hant


def _may_be_set(card: TableCard) -> bool:
    return not card.sure and card.place is not None


def _is_twin(card: TableCard, name: str) -> bool:
    """Tell whether a card of the photo differs from a name by its flower alone."""
    return card.place is not None and card.card != name and character_of(card.card) == character_of(name)


def _check(cards: Sequence[TableCard], groups: Sequence[LaidGroup]) -> None:
    places = [place for group in groups for place in group.indices]
    if len(places) != len(set(places)) or any(not 0 <= place < len(cards) for place in places):
        raise LaidError("a card cannot lie in two groups", "一張牌不能在兩組裡")


def find_win(cards: Sequence[TableCard], laid: Sequence[LaidGroup], win: str | int | None) -> int | None:
    """Find the winning card among the free ones.

    Copies of a card are alike; a sure one is taken before an unsure one, so that its name stays whatever the
    unsure cards turn out to be.

    Args:
        cards: the cards of the photo.
        laid: the groups that are fixed, which the winning card is none of.
        win: its name or its place.

    Returns:
        Its place; None where none was named.

    Raises:
        LaidError: no free card is that.
    """
    if win is None:
        return None
    on_table = {place for group in laid for place in group.indices}
    free = [place for place, card in enumerate(cards) if place not in on_table and not card.picked]
    if isinstance(win, int):
        if win not in free:
            raise LaidError(f"card {win} is no free card", f"第 {win} 張不在手上")
        return win
    wanted = parse_card(win)
    alike = [place for place in free if cards[place].card == wanted]
    if not alike:
        hint, hint_hant = _how_to_mend(cards, set(free), (), [wanted])
        raise LaidError(
            f"the winning card {wanted} is none of the free cards read{hint}",
            f"讀到的牌裡，手上沒有胡的牌 {wanted}{hint_hant}",
        )
    return min(alike, key=lambda place: (not cards[place].sure, place))


def find_groups(
    cards: Sequence[TableCard], laid: Sequence[LaidGroup], groups: Sequence[Sequence[str]]
) -> tuple[tuple[int, ...], ...]:
    """Find the cards of scored groups among the read ones, those that lie together first.

    Args:
        cards: the cards of the photo.
        laid: the groups that lie on the table; each is one of the scored groups.
        groups: the cards of each scored group.

    Returns:
        For each group the places of its cards, in the order of its cards.
    """
    names = [[card.partition(">")[0] for card in group] for group in groups]
    found: list[tuple[int, ...] | None] = [None] * len(groups)
    unused = set(range(len(cards)))
    for lying in laid:
        held = sorted(cards[place].card for place in lying.indices)
        for number, group in enumerate(names):
            if found[number] is None and sorted(group) == held:
                found[number] = _in_order(cards, lying.indices, group)
                unused -= set(lying.indices)
                break

    def together(number: int) -> int:
        heaps: dict[int | None, Counter[str]] = {}
        for place in unused:
            heaps.setdefault(cards[place].group, Counter())[cards[place].card] += 1
        return max(((heap & Counter(names[number])).total() for heap in heaps.values()), default=0)

    while missing := [number for number, places in enumerate(found) if places is None]:
        number = max(missing, key=lambda each: (together(each), -each))
        found[number] = _take(cards, unused, names[number]) or ()
    return tuple(places or () for places in found)


def _in_order(cards: Sequence[TableCard], places: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    rest = list(places)
    ordered = []
    for name in names:
        place = next(place for place in rest if cards[place].card == name)
        rest.remove(place)
        ordered.append(place)
    return tuple(ordered)


def _propose(
    table: Table, cards: tuple[TableCard, ...], guess: Guess, counted: scorer.Score
) -> Proposal | None:
    """Score the hand once more as the places of the cards suggest, for what was not said."""
    groups = table.laid or tuple(LaidGroup(places) for places in guess.laid)
    on_table = {place for group in groups for place in group.indices}
    win = guess.win if table.win is None and guess.win not in on_table else table.win
    if groups == table.laid and win == table.win:
        return None
    guessed = replace(table, laid=groups, win=win)
    laid = "".join(f"({''.join(cards[place].card for place in group.indices)})" for group in groups)
    score = guessed.score([card.card for card in cards])
    return Proposal(
        guess=Guess(tuple(group.indices for group in groups), win),
        laid=laid,
        win=None if win is None else cards[win].card,
        score=score,
        changes=(score.wins, score.payments) != (counted.wins, counted.payments),
    )
