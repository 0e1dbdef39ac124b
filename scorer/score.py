"""Scoring a hand: the reasons why it does not win, or its points, steps and payments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

from scorer.cards import FIELD_MASK, SHIFT, parse_card
from scorer.count import CheckedRound, LaidGroup, Parts, Reason, laid_points, too_large
from scorer.errors import BadRequest
from scorer.explain import Group
from scorer.hand import Hand
from scorer.lang import check_language, say
from scorer.payment import Payment
from scorer.split import Found
from scorer.steps import Outcome, Shown

if TYPE_CHECKING:
    from scorer.book import Book

By = Literal["self", "discard"]

_NO_DUI: Mapping[int, int] = {}

MOST_ROUNDS = 4_096
"""How many sets of checked seats and stakes are kept."""


@dataclass(frozen=True, slots=True)
class Warning:  # noqa: A001
    """Something that the table should look at; it never changes the score."""

    code: str
    text: str

    def to_json(self) -> dict[str, str]:
        """The warning as INTERFACE.md has it."""
        return {"code": self.code, "text": self.text}


class Request(NamedTuple):
    """How a hand was won and what is at stake, checked."""

    win: str
    """The winning card in the standard spelling, empty where none is named."""
    discarded: bool
    players: int
    stake: int
    winner: int
    discarder: int | None
    lang: str
    dui: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Score:
    """What a hand counts and who pays."""

    rule: str
    wins: bool
    reason: Reason | None
    """Why it does not win."""
    reason_text: str
    """The same in words, empty where it wins."""
    points: int | None
    """None where there is no split."""
    minimum: int
    """The least points with which this hand wins."""
    unit: str
    """What the region calls points."""
    steps: int
    step_unit: str
    class_name: str | None
    """The class or special hand."""
    added: tuple[tuple[str, int], ...]
    """What was added to the class's steps: name and steps."""
    main_jing: str | None
    groups: tuple[Group, ...]
    """The groups of the best split, those on the table after the free ones, the eye before them."""
    payments: tuple[Payment, ...]
    warnings: tuple[Warning, ...]
    hand: Hand
    book: Book
    request: Request

    @property
    def stake(self) -> int:
        """What a step is worth."""
        return self.request.stake

    @property
    def lang(self) -> str:
        """The language of names and texts."""
        return self.request.lang

    def to_json(self) -> dict[str, object]:
        """The score as INTERFACE.md has it."""
        return {
            "rule": self.rule,
            "wins": self.wins,
            "reason": self.reason,
            "reason_text": self.reason_text,
            "points": self.points,
            "minimum": self.minimum,
            "unit": self.unit,
            "steps": self.steps,
            "step_unit": self.step_unit,
            "class": self.class_name,
            "added": [{"name": name, "steps": steps} for name, steps in self.added],
            "main_jing": self.main_jing,
            "groups": [group.to_json() for group in self.groups],
            "payments": [payment.to_json() for payment in self.payments],
            "stake": self.stake,
            "hand": str(self.hand),
            "warnings": [warning.to_json() for warning in self.warnings],
        }

    def text(self) -> str:
        """The report, several lines in the language of the score."""
        from scorer.report import report

        return report(self)


def check_request(
    book: Book,
    hand: Hand,
    *,
    win: str | None = None,
    by: str = "self",
    players: int | None = None,
    stake: int = 1,
    winner: int = 0,
    discarder: int | None = None,
    dui: Mapping[int, int] | None = None,
    lang: str = "zh-Hant",
) -> Request:
    """Check what is asked beside the hand.

    Raises:
        BadRequest: it does not fit the rule book or the hand.
        LanguageError: there is no such language.
    """
    round_ = (by, players, stake, winner, discarder, lang)
    checked = _known_round(book, round_)
    seats = book.seats(checked[1])
    if dui:
        for seat, number in dui.items():
            _check_seat(seat, seats)
            if not is_whole(number):
                raise BadRequest("dui", seat=seat, count=number)
    book.counter.check_cards(hand)
    card = ""
    if win is not None:
        card = parse_card(win)
        if not _is_free(book, hand, card):
            raise BadRequest("win_not_free", cards=card)
    return Request(card, *checked, dui or _NO_DUI)


_Round: TypeAlias = tuple[str, int | None, int, int, int | None, str]
_ROUND_TYPES = frozenset(
    (str, players, int, int, discarder, str) for players in (int, NoneType) for discarder in (int, NoneType)
)


def _known_round(book: Book, round_: _Round) -> CheckedRound:
    """Check once what is the same for many hands; of plain types only, since to a dict `True` is 1."""
    rounds = book.counter.rounds
    if tuple(map(type, round_)) not in _ROUND_TYPES:
        return _check_round(book, *round_)
    checked = rounds.get(round_)
    if checked is None:
        if len(rounds) >= MOST_ROUNDS:
            rounds.clear()
        checked = rounds[round_] = _check_round(book, *round_)
    return checked


def _check_round(
    book: Book, by: str, players: int | None, stake: int, winner: int, discarder: int | None, lang: str
) -> CheckedRound:
    check_language(lang)
    if by not in ("self", "discard"):
        raise BadRequest("by", by=by)
    if not is_whole(stake):
        raise BadRequest("stake", stake=stake)
    number = book.check_players(players)
    seats = book.seats(number)
    _check_seat(winner, seats)
    discarded = by == "discard"
    if discarder is None:
        discarder = (winner + 1) % seats if discarded else None
    elif not discarded:
        raise BadRequest("discarder_drawn")
    else:
        _check_seat(discarder, seats)
        if discarder == winner:
            raise BadRequest("own_discard")
    return discarded, number, stake, winner, discarder, lang


def is_whole(value: object) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _check_seat(seat: object, seats: int) -> None:
    if not is_whole(seat) or cast("int", seat) >= seats:
        raise BadRequest("seat", seat=seat, most=seats - 1)


def _is_free(book: Book, hand: Hand, card: str) -> bool:
    if card in hand.free:
        return True
    return book.counter.may_break and any(
        card in laid.cards for laid in hand.laid if laid.bracket == "square"
    )


class Standing(NamedTuple):
    """A hand as far as it can be judged without a split."""

    reason: Reason | None
    detail: tuple[tuple[str, object], ...] = ()
    """What the reason's text needs."""
    text: str = ""
    """Which text says the reason, where not the one of its name."""
    code: int = 0
    """The packed count of the free cards."""
    fixed: tuple[LaidGroup, ...] = ()
    """The groups that are given."""
    extra: int = 0
    """How many extra cards the split of the free cards must take up."""
    choice: bool = False
    """Whether more fours are demanded than were declared or lie on the table, and not all that there are."""


def standing(book: Book, hand: Hand, win: str, to_come: int = 0) -> Standing:
    """Judge the laid groups, the number of cards and the copies (RULES.md §3, reasons 1 to 3).

    Args:
        book: The rule book.
        hand: The hand.
        win: The winning card, empty where none is named.
        to_come: How many cards the hand is still short of a finished one.

    Returns:
        What is wrong, or what the search for a split needs.
    """
    counter = book.counter
    groups: list[LaidGroup] = []
    laid_extra = 0
    for laid in hand.laid:
        group = counter.laid_group(laid)
        if group is None:
            return Standing("unknown_group", (("group", str(laid)),))
        groups.append(group)
        laid_extra += group.extra
    needed = 3 * counter.groups + 2 - to_come
    if len(groups) > counter.groups:
        detail = (("laid", len(groups)), ("groups", counter.groups))
        return Standing("wrong_count", detail, text="too_many_groups")
    demanded = hand.size - needed
    code, fixed, fixed_extra = hand.free_code, groups, laid_extra
    if groups and counter.may_break:
        code, fixed = counter.free_cards(hand, groups)
        fixed_extra = sum([group.extra for group in fixed])
    choice = False
    if demanded != laid_extra:
        if too_large(hand) or demanded < laid_extra:
            return _wrong_count(hand, needed, laid_extra, laid_extra)
        # Declared fours that may break are free, and what they add is in `laid_extra` already.
        could_add = max(0, counter.could_add(code, win) - (laid_extra - fixed_extra))
        if demanded > laid_extra + could_add:
            return _wrong_count(hand, needed, laid_extra, laid_extra + could_add)
        choice = demanded < laid_extra + could_add or counter.has_wild(code)
    if too_many := counter.too_many(hand.code):
        count = (hand.code >> SHIFT[too_many]) & FIELD_MASK
        copies = book.deck.copies[too_many]
        return Standing("too_many_copies", (("card", too_many), ("count", count), ("copies", copies)))
    return Standing(None, (), "", code, tuple(fixed), demanded - fixed_extra, choice)


def _wrong_count(hand: Hand, needed: int, least: int, most: int) -> Standing:
    shown = str(needed + least) if least == most else f"{needed + least}–{needed + most}"
    return Standing("wrong_count", (("size", hand.size), ("needed", shown)))


class Counted(NamedTuple):
    """The best count of a hand, before it is written out."""

    points: int
    main: str
    outcome: Outcome
    found: Found | None
    """The split; none for ten pairs and for a split into alike cards that was forced."""
    parts: Parts | None
    pairs: Sequence[tuple[str, tuple[int, ...]]] | None
    splits: Sequence[Found] = ()
    """Every split, the best first, where fours may have been declared that were not marked so."""


def count(
    book: Book, hand: Hand, stand: Standing, win: str, players: int, *, discarded: bool
) -> Counted | None:
    """Find what a hand counts at best.

    Returns:
        The count, or none where there is no split.
    """
    counter = book.counter
    asked = counter.asked(hand, stand.code, stand.extra, win, discarded=discarded)
    mains = counter.mains(hand, stand.fixed)
    others: Sequence[Found] = ()
    if stand.choice:
        others = counter.splitter.all(asked, mains)
        best = others[0] if others else None
    else:
        best = counter.splitter.best(asked, mains)
    pairs = counter.pairs(hand) if counter.ten_pairs else None
    method = counter.method
    if best is None:
        if pairs is None:
            return None
        points = counter.pairs_points(pairs)
        shown = Shown(hand.code, players, in_groups=False, ten_pairs=True)
        return Counted(points, "", method.outcome(points, shown), None, None, pairs)
    outcome = method.outcome(best.points, Shown(hand.code, players, False, True, pairs is not None))  # noqa: FBT003
    if counter.classes_alike:
        alike = _all_alike(book, hand, stand, win, players, discarded=discarded)
        if alike is not None and (alike.outcome.steps, alike.points) >= (outcome.steps, best.points):
            return alike
    return Counted(best.points, best.main, outcome, best, None, None, others)


def _all_alike(
    book: Book, hand: Hand, stand: Standing, win: str, players: int, *, discarded: bool
) -> Counted | None:
    """Count the hand as 碰碰胡 where its cards split so (000)."""
    counter = book.counter
    parts = counter.all_alike(hand, stand.code, stand.fixed, win, discarded=discarded)
    if parts is None:
        return None
    points = laid_points(stand.fixed, "")
    points += sum(group.points for group in counter.write(parts, "", "en"))
    outcome = counter.method.outcome(points, Shown(hand.code, players, all_alike=True))
    return Counted(points, "", outcome, None, parts, None)


def score(
    book: Book,
    hand: Hand,
    *,
    win: str | None = None,
    by: By = "self",
    players: int | None = None,
    stake: int = 1,
    winner: int = 0,
    discarder: int | None = None,
    dui: Mapping[int, int] | None = None,
    lang: str = "zh-Hant",
) -> Score:
    """Count a hand.

    Args:
        book: The rule book, from `load_book`.
        hand: The hand, from `parse_hand`.
        win: The winning card, one of the free cards; where none is named, nothing was completed by a discard.
        by: `self` where it was drawn, `discard` where another player discarded it.
        players: How many play; the book's own number where not said.
        stake: What a step is worth, a whole number of the table's smallest unit.
        winner: The winner's seat, from 0.
        discarder: The discarder's seat; the next after the winner where not said.
        dui: How many triplets each seat has exposed, for 包.
        lang: The language of names and texts, one of `scorer.LANGS`.

    Returns:
        The score; a hand that does not win gives the reason.

    Raises:
        BadRequest: what is asked does not fit the rule book or the hand.
        LanguageError: there is no such language.

    Example:
        >>> from scorer import load_book, parse_hand
        >>> hand = parse_hand("孔乙己 化花三千 七十土 八九子 四五六 (上大人) [可可可可] (三三花三) 五五")
        >>> result = score(load_book("jingzhou"), hand, stake=10)
        >>> result.wins, result.points, result.steps, result.main_jing
        (True, 23, 2, '三')
    """
    request = check_request(
        book,
        hand,
        win=win,
        by=by,
        players=players,
        stake=stake,
        winner=winner,
        discarder=discarder,
        dui=dui,
        lang=lang,
    )
    stand = standing(book, hand, request.win)
    if stand.reason is not None:
        return _failed(book, hand, request, stand.reason, stand.text or stand.reason, dict(stand.detail))
    counted = count(book, hand, stand, request.win, request.players, discarded=request.discarded)
    if counted is None:
        return _failed(book, hand, request, "no_split", "no_split", {"groups": book.counter.groups})
    return _finished(book, hand, request, stand, counted)


def _failed(
    book: Book, hand: Hand, request: Request, reason: Reason, text: str, parts: Mapping[str, object]
) -> Score:
    return Score(
        rule=book.name,
        wins=False,
        reason=reason,
        reason_text=say(request.lang, f"reason.{text}", **parts),
        points=None,
        minimum=book.by_players("minimum", request.players),
        unit=book.counter.unit,
        steps=0,
        step_unit=book.counter.step_unit,
        class_name=None,
        added=(),
        main_jing=None,
        groups=(),
        payments=(),
        warnings=(),
        hand=hand,
        book=book,
        request=request,
    )


def find_warnings(
    book: Book, hand: Hand, request: Request, counted: Counted, groups: Sequence[Group]
) -> tuple[Warning, ...]:
    """Collect the warnings; most hands have nothing that could need one."""
    if not (counted.splits or hand.laid or book.counter.picking or counted.found is None):
        for group in groups:
            if group.shape == "quint":
                break
        else:
            return ()
    from scorer.warn import warnings

    return warnings(book, hand, request, counted, groups)


def _finished(book: Book, hand: Hand, request: Request, stand: Standing, counted: Counted) -> Score:
    counter = book.counter
    lang = request.lang
    outcome = counted.outcome
    explainer = counter.explainer(lang)
    if counted.pairs is not None:
        groups = tuple([explainer.pair(character, faces) for character, faces in counted.pairs])
    else:
        parts = counted.parts
        if parts is None:
            parts = counter.parts(cast("Found", counted.found))
        groups = counter.write(parts, counted.main, lang)
        if stand.fixed:
            groups += tuple([group.make(explainer, counted.main) for group in stand.fixed])
    wins = outcome.steps > 0
    reason_text = ""
    paid: tuple[Payment, ...] = ()
    if wins:
        paid = counter.payer.payments(
            outcome.steps, request.players, request.stake, request.winner, request.discarder, request.dui
        )
    else:
        reason_text = say(
            lang,
            "reason.too_few_points",
            missing=outcome.minimum - counted.points,
            unit=counter.unit,
            points=counted.points,
            minimum=outcome.minimum,
        )
    return Score(
        rule=book.name,
        wins=wins,
        reason=None if wins else "too_few_points",
        reason_text=reason_text,
        points=counted.points,
        minimum=outcome.minimum,
        unit=book.counter.unit,
        steps=outcome.steps,
        step_unit=book.counter.step_unit,
        class_name=outcome.name,
        added=outcome.added,
        main_jing=counted.main or None,
        groups=groups,
        payments=paid,
        warnings=find_warnings(book, hand, request, counted, groups),
        hand=hand,
        book=book,
        request=request,
    )
