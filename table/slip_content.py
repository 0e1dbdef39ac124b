"""What stands on the slip of a scored hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Final

import scorer
from scorer.cards import DECKS
from table.cards import TableCard
from table.code import Claimed, encode, options_set
from table.false_claim import Penalty, penalty
from table.report import guess_taken, miscounted
from table.round import Round
from table.slip import Colour, SlipContent, SlipGroup
from table.words import say

_INKS: Final[dict[str, Colour]] = {"red": (196, 24, 30), "green": (16, 122, 70)}

Outlines = tuple[tuple[tuple[float, float], ...], ...]


def content(
    book: scorer.Book,
    score: scorer.Score,
    claimed: Claimed,
    date: dt.date,
    *,
    lang: str = "zh-Hant",
    seats: Sequence[str] = (),
    outlines: Sequence[Outlines] = (),
    loose: Outlines = (),
    photo: tuple[int, int] | None = None,
    unsettled: str | None = None,
    guessed: str | None = None,
    false_claim: Penalty | None = None,
) -> SlipContent:
    """Say on a slip what a hand counts and who pays.

    Args:
        book: the rule book.
        score: the scored hand, in the language of the slip.
        claimed: the hand and how it was won, for the code.
        date: the day.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.
        seats: names of the players by seat; numbers where none are given.
        outlines: for each group of the score the outlines of its cards.
        loose: the outlines of all cards, where they make no groups.
        photo: width and height of the photo, where it is shown.
        unsettled: what is not sure.
        guessed: what was guessed.
        false_claim: what a false claim costs; None counts it.

    Returns:
        The content of the slip.
    """

    def seat(number: int) -> str:
        return seats[number] if number < len(seats) else say(lang, f"座 {number}", f"seat {number}")

    cost = false_claim
    if cost is None:
        cost = penalty(book, score, players=claimed.players, stake=claimed.stake, declarer=claimed.winner)
    on_table = [_key(laid.cards) for laid in claimed.hand.laid if laid.bracket == "round"]
    groups = tuple(
        SlipGroup(
            name=group.name,
            cards=group.cards,
            points=group.points,
            why=group.why + _basis(group.basis, lang),
            exposed=_key(group.cards) in on_table,
            outlines=tuple(outlines[place]) if place < len(outlines) else (),
        )
        for place, group in enumerate(score.groups)
    )
    return SlipContent(
        title=book.title_in(lang),
        result=_result(score, lang),
        notes=(*_notes(score, claimed, lang), *([cost.text(lang)] if cost.payments else ())),
        groups=groups,
        payments=tuple((f"{seat(each.seat)} → {seat(each.to)}", str(each.pays)) for each in score.payments),
        options=_options(book, score, claimed, lang, seat),
        code=encode(claimed),
        date=date.isoformat(),
        inks={face: _INKS[colour] for face, colour in DECKS[book.kind].colours.items() if colour in _INKS},
        photo=photo,
        cards=() if score.groups else _in_order(book, claimed.hand),
        loose=tuple(loose),
        unsettled=unsettled,
        guessed=guessed,
        lang=lang,
    )


def content_of_round(
    played: Round,
    rule: str,
    date: dt.date,
    *,
    seats: Sequence[str] = (),
    with_photo: bool = True,
) -> SlipContent:
    """Say on a slip what a photographed hand counts.

    Args:
        played: the round.
        rule: name or path of its rule book.
        date: the day.
        seats: names of the players by seat.
        with_photo: whether the photo is shown.

    Returns:
        The content of the slip; where the round is not settled it says so.
    """
    return content(
        played.book,
        played.score,
        claimed_of_round(played, rule),
        date,
        lang=played.lang,
        seats=seats,
        outlines=[_outlines(played.cards, places) for places in played.indices],
        loose=_outlines(played.cards, range(len(played.cards))) if not played.score.groups else (),
        photo=played.reading.size if with_photo else None,
        unsettled=_unsettled(played),
        guessed=_guessed(played),
        false_claim=played.penalty,
    )


def _unsettled(played: Round) -> str | None:
    """Say what is not sure, where something is not."""
    if played.settlement.settled:
        return None
    lang = played.lang
    first = say(lang, "未定", "Not settled") + miscounted(played, with_options=False)
    if played.doubts:
        places = len(played.doubts)
        first += say(lang, f"，有 {places} 處看不清", f", places that could not be read: {places}")
    if played.settlement.questions or played.reading.unknown_deck:
        first += say(lang, "，有認不準的牌", ", some cards are unsure")
    return first + say(lang, "；此單以最可能的讀法計。", "; counted by the likeliest reading.")


def _guessed(played: Round) -> str | None:
    """Say what was guessed, or would change the payment if it were."""
    if played.without_guess is not None:
        return guess_taken(played, played.without_guess)
    proposal = played.proposal
    if proposal is None or not proposal.changes:
        return None
    lang = played.lang
    table = say(lang, f"桌面 {proposal.laid}", f"on the table {proposal.laid}") if proposal.laid else ""
    won = say(lang, f"胡 {proposal.win}", f"won with {proposal.win}") if proposal.win else ""
    what = say(lang, "，", ", ").join(part for part in (table, won) if part)
    return say(
        lang,
        f"桌面的牌或胡的牌沒有說明，全按在手計；從擺法看似{what}，付的會不同。",
        f"Not told: what lay on the table, or which card won. It lies like {what}: that would pay otherwise.",
    )


def claimed_of_round(played: Round, rule: str) -> Claimed:
    """Take from a round what its code carries.

    Args:
        played: the round.
        rule: name or path of its rule book.

    Returns:
        What `table.code.encode` writes.
    """
    terms = played.terms
    return Claimed(
        rule=rule,
        hand=played.hand,
        options=options_set(played.book),
        win=None if played.win is None else played.cards[played.win].card,
        by=terms.by,
        players=terms.players,
        stake=terms.stake,
        winner=terms.winner,
        discarder=terms.discarder,
        dui=terms.dui or {},
    )


def _in_order(book: scorer.Book, hand: scorer.Hand) -> tuple[str, ...]:
    """List the cards of a hand that makes no groups, those on the table first."""
    order = {card: place for place, card in enumerate(scorer.deck_cards(book.kind))}
    free = sorted((*hand.free, *hand.picked), key=lambda card: order.get(card, len(order)))
    return (*(card for group in hand.laid for card in group.cards), *free)


def _basis(basis: str, lang: str) -> str:
    """Mark what no seed says."""
    marks = {"practice": ("（慣例）", " [practice]"), "option": ("（選項）", " [option]")}
    return say(lang, *marks[basis]) if basis in marks else ""


def _key(cards: Sequence[str]) -> list[str]:
    return sorted(card.partition(">")[0] for card in cards)


def _outlines(cards: Sequence[TableCard], places: Sequence[int]) -> Outlines:
    return tuple(outline for place in places if (outline := cards[place].outline) is not None)


def _result(score: scorer.Score, lang: str) -> str:
    unit = say(lang, score.unit, "points")
    if score.points is None:
        return say(lang, "不胡", "No win")
    points = f"{score.points} {unit}"
    if not score.wins:
        return say(lang, f"不胡 · {points}", f"No win · {points}")
    steps = say(lang, score.step_unit, "step" if score.steps == 1 else "steps")
    return f"{points} · {score.steps} {steps}"


def _notes(score: scorer.Score, claimed: Claimed, lang: str) -> tuple[str, ...]:
    notes = [] if score.wins else [score.reason_text]
    if score.class_name:
        named = "，".join([score.class_name, *(f"{name} +{steps}" for name, steps in score.added)])
        notes.append(say(lang, f"牌型：{named}", f"Class: {named.replace('，', ', ')}"))
    if score.main_jing:
        notes.append(say(lang, f"主精：{score.main_jing}", f"Main jing: {score.main_jing}"))
    if claimed.hand.picked:
        picked = "".join(claimed.hand.picked)
        notes.append(say(lang, f"撿：{picked}", f"Picked up (撿): {picked}"))
    how = say(lang, "自摸", "self-drawn") if claimed.by == "self" else say(lang, "別人打出", "from a discard")
    if claimed.win is not None:
        notes.append(say(lang, f"胡 {claimed.win}，{how}", f"Won with {claimed.win}, {how}"))
    elif score.wins:
        notes.append(how)
    return tuple(notes)


def _options(
    book: scorer.Book, score: scorer.Score, claimed: Claimed, lang: str, seat: Callable[[int], str]
) -> tuple[str, ...]:
    players = claimed.players or book.default_players
    lines = [
        say(
            lang,
            f"{players} 人，每{score.step_unit} {claimed.stake}",
            f"{players} players, {claimed.stake} a step",
        )
    ]
    for name, value in options_set(book).items():
        meaning = next(each for each in book.option_details if each.name == name)
        lines.append(f"{name} = {value} · {say(lang, meaning.meaning, meaning.meaning_en)}")
    if claimed.dui:
        said = [f"{seat(number)} {count}" for number, count in sorted(claimed.dui.items())]
        lines.append(say(lang, "對的次數：", "Exposed triplets (對): ") + say(lang, "、", ", ").join(said))
    lines.extend(say(lang, f"注意：{each.text}", f"Note: {each.text}") for each in score.warnings)
    return tuple(lines)
