"""A scored photo in words."""

from __future__ import annotations

from typing import Final

import scorer
from scorer.lang import local
from table.round import Proposal, Round
from table.settle import Answer
from table.words import say

_MOST_QUESTIONS: Final = 4
_MOST_NAMES: Final = 4


def report(played: Round) -> str:
    """Say whether a photo is settled, what is guessed, what it counts and who pays, in this order.

    A guess that changes nothing is said last.

    Args:
        played: the round.

    Returns:
        Lines for a person, in the language of the round.
    """
    return "\n".join(_lines(played))


def _lines(played: Round) -> list[str]:
    lang, settled = played.lang, played.settlement
    if not played.cards and not played.doubts:
        return [say(lang, "照片裡沒有牌。", "There are no cards in the photo.")]
    lines = []
    unknown = played.reading.unknown_deck and not settled.settled
    if unknown and not played.cards:
        lines.append(
            say(
                lang,
                "未定：一張牌也沒讀出來；是沒見過的牌，先用 suanhu deck learn 學。",
                "Not settled: no card could be read; if it is a deck not seen before, "
                "learn it with suanhu deck learn.",
            )
        )
    elif unknown:
        lines.append(
            say(
                lang,
                "未定：這副牌沒見過，先用 suanhu deck learn 學；以下只是猜讀。",
                "Not settled: no known deck is like this, learn it with suanhu deck learn; this is a guess.",
            )
        )
    elif not settled.settled:
        lines.append(_not_settled(played))
        lines.extend(_answers(played))
    elif settled.readings > 1:
        unsure = sum(not card.sure for card in played.cards)
        lines.append(
            say(
                lang,
                f"有 {unsure} 張認不準，但怎樣讀都付一樣多，不必問。",
                f"{unsure} unsure, but every reading pays the same: nothing to ask.",
            )
        )
    guess = played.proposal
    if played.without_guess is not None:
        lines.append(guess_taken(played, played.without_guess))
    if guess is not None and guess.changes:
        lines.append(_proposed(played, guess))
    lines.append(played.score.text())
    if played.penalty.payments:
        lines.append(played.penalty.text(lang))
    if guess is not None and not guess.changes:
        lines.append(_proposed(played, guess))
    lines.append(_numbered(played))
    return lines


def _not_settled(played: Round) -> str:
    lang, settled = played.lang, played.settlement
    doubts = len(played.doubts)
    places = "1 place" if doubts == 1 else f"{doubts} places"
    hidden = say(lang, f"，有 {doubts} 處的牌看不清", f", {places} could not be read") if doubts else ""
    first = (
        say(lang, "未定", "Not settled") + _between(played) + miscounted(played, with_options=True) + hidden
    )
    if settled.questions:
        return first + say(lang, "。請先核對：", ". Please check first:")
    return first + say(lang, "。", ".")


def _between(played: Round) -> str:
    """State the least and the most points, and where no answer alone comes to any, that it takes several."""
    lang, spread_of = played.lang, played.settlement.points_range
    if spread_of is None or spread_of[0] == spread_of[1]:
        return ""
    least, most = spread_of
    unit = played.score.unit
    answers = [answer for question in played.settlement.questions for answer in question.answers]
    if answers and all(answer.outcome.points is None for answer in answers):
        return say(
            lang,
            f"，不止一處與最可能的讀法不同時才有 {least} 至 {most} {unit}",
            f", {least} to {most} points only if more than one place is other than likeliest",
        )
    return say(lang, f"，{least} 至 {most} {unit}都有可能", f", {least} to {most} points are possible")


def miscounted(played: Round, *, with_options: bool) -> str:
    """Say how many cards are missing or too many, or that the cards cannot be what they are taken for.

    Which card it is is for the players to see, not to be guessed.

    Args:
        played: the round.
        with_options: whether the options of the command line are named that put it right.

    Returns:
        The middle of a sentence; empty where the cards may be so.
    """
    lang, missing = played.lang, played.settlement.missing
    if not missing:
        wrong = say(lang, "，有牌讀錯或指錯", ", a card is misread or a group is told wrongly")
        return wrong if played.settlement.impossible else ""
    count = abs(missing)
    cards = "1 card" if count == 1 else f"{count} cards"
    option = say(lang, "--drop 序號", "--drop N") if missing < 0 else say(lang, "--add 牌", "--add CARD")
    options = " ".join([option] * count) if count <= _MOST_NAMES else option
    each = say(lang, "，每張一個", ", one for each") if count > _MOST_NAMES else ""
    how = say(lang, f"（{options}{each}）", f" ({options}{each})") if with_options else ""
    if missing < 0:
        return say(lang, f"，多了 {count} 張", f", {cards} too many") + how
    return say(lang, f"，少了 {count} 張", f", {cards} missing") + how


def _answers(played: Round) -> list[str]:
    """Write for each question what each answer comes to, answers of one outcome together."""
    lang, questions = played.lang, played.settlement.questions
    lines = []
    for question in questions[:_MOST_QUESTIONS]:
        if question.index is None:
            where = _unread(lang, question.doubt)
        else:
            place = played.cards[question.index].place
            where = say(lang, f"第 {place} 張", f"card {place}")
        by_outcome: dict[str, list[str]] = {}
        for answer in question.answers:
            name = say(lang, answer.card or "沒有牌", answer.card or "no card")
            by_outcome.setdefault(_comes_to(answer, played), []).append(f"{name} {_share(answer.p)}")
        said = []
        for comes_to, names in by_outcome.items():
            more = say(lang, "等", " and others") if len(names) > _MOST_NAMES else ""
            said.append(say(lang, "、", ", ").join(names[:_MOST_NAMES]) + more + f" → {comes_to}")
        lines.append(f"  {where}{say(lang, '：', ': ')}" + say(lang, "；", "; ").join(said))
    if len(questions) > _MOST_QUESTIONS:
        rest = len(questions) - _MOST_QUESTIONS
        lines.append(say(lang, f"  另有 {rest} 處要問。", f"  {rest} more to ask."))
    asked = {question.doubt for question in questions[:_MOST_QUESTIONS]}
    lines += [f"  {_unread(lang, place)}" for place in played.doubts if place not in asked]
    return lines


def _unread(lang: str, place: int | None) -> str:
    """Name a place that could not be read, and the options that answer it."""
    return say(
        lang,
        f"看不清處 {place}（有牌就 --add 牌，沒牌就 --clear {place}）",
        f"unread place {place} (a card: --add CARD; nothing lies there: --clear {place})",
    )


def _comes_to(answer: Answer, played: Round) -> str:
    lang, outcome, unit = played.lang, answer.outcome, played.score.unit
    if not outcome.wins:
        if outcome.points is None:
            return say(lang, "不胡", "no win")
        return say(lang, f"{outcome.points} {unit}，不胡", f"{outcome.points} points, no win")
    paid = sum(pays for _, pays, _ in outcome.payments)
    return say(lang, f"{outcome.points} {unit}，收 {paid}", f"{outcome.points} points, gets {paid}")


def _share(p: float) -> str:
    if p >= 0.995:
        return ">99%"
    return "<1%" if p < 0.005 else f"{p:.0%}"


def guess_taken(played: Round, without: scorer.Score) -> str:
    """Show what was taken from where the cards lie, and what the hand would be without, where that differs.

    What the players told is not named.

    Args:
        played: the round.
        without: the score without the guess.

    Returns:
        One line.
    """
    groups = "".join(
        f"({''.join(played.cards[place].card for place in group)})" for group in played.taken.laid
    )
    win = "" if played.taken.win is None else played.cards[played.taken.win].card
    lang = played.lang
    table = say(lang, f"桌面 {groups}", f"on the table {groups}") if groups else ""
    won = say(lang, f"胡 {win}", f"won with {win}") if win else ""
    what = say(lang, "，", ", ").join(part for part in (table, won) if part)
    otherwise = _result(without, lang)
    taken = say(lang, f"照擺法猜定：{what}。", f"Taken from how the cards lie: {what}.")
    if otherwise == _result(played.score, lang):
        return taken
    return taken + say(lang, f"若不是，則 {otherwise}。", f" Without it: {otherwise}.")


def _result(score: scorer.Score, lang: str) -> str:
    if not score.wins:
        return say(lang, "不胡", "no win")
    paid = sum(payment.pays for payment in score.payments)
    return say(lang, f"{score.points} {score.unit}、收 {paid}", f"{score.points} points, gets {paid}")


def _proposed(played: Round, proposal: Proposal) -> str:
    lang, score = played.lang, proposal.score
    what = []
    if proposal.laid:
        what.append(f"--laid '{proposal.laid}'")
    if proposal.win:
        what.append(f"--win {proposal.win}")
    comes_to = _result(score, lang)
    return say(
        lang,
        f"猜（未計入）：從擺法看似 {' '.join(what)}，若是則 {comes_to}。",
        f"A guess, not counted: it lies like {' '.join(what)}; then {comes_to}.",
    )


def _numbered(played: Round) -> str:
    """List the cards with the numbers that corrections name them by."""
    lang = played.lang
    cards = [
        f"{'+' if card.place is None else card.place}{local(lang, card.card)}{'' if card.sure else '?'}"
        for card in played.cards
    ]
    return say(lang, "讀到：", "Cards: ") + " ".join(cards)
