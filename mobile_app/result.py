"""The result in words: for the screen and to be read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import scorer
from mobile_app.words import capital, card_name, pick, words
from scorer.second import next_best


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays whom how much, by name."""

    payer: str
    payee: str
    amount: int


def headline(score: scorer.Score, lang: str) -> tuple[str, str]:
    """Say what a hand counts.

    Args:
        score: of the hand.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        The points, and what they turn into with the class where there is one; empty without a win.
    """
    if score.points is None:
        return words(lang, "result.no_win"), ""
    points = f"{score.points} {pick(lang, score.unit, words(lang, 'points'))}"
    if not score.wins:
        return words(lang, "result.no_win"), points
    unit = words(lang, "step.one" if score.steps == 1 else "step")
    steps = f"{score.steps} {pick(lang, score.step_unit, unit)}"
    if score.class_name:
        steps = f"{pick(lang, score.class_name, score.class_name)} · {steps}"
    return points, steps


def pays(score: scorer.Score, seats: Sequence[str]) -> tuple[Payment, ...]:
    """Name who pays whom.

    Args:
        score: of the hand.
        seats: names by the scorer's seats.

    Returns:
        The payments.
    """
    return tuple(Payment(seats[payment.seat], seats[payment.to], payment.pays) for payment in score.payments)


def why_not(score: scorer.Score) -> str:
    """Say why a hand does not win and what is missing.

    Args:
        score: of the hand, in the language of its text.

    Returns:
        One line; empty where it wins.
    """
    return "" if score.wins else capital(score.reason_text)


def next_best_text(score: scorer.Score, lang: str) -> str:
    """Say what the next best split gives.

    Args:
        score: of the hand.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        One line, empty where there is only one split.
    """
    other = next_best(score)
    if other is None:
        return ""
    split = pick(lang, "　", "  ").join(
        "".join(card_name(lang, card) for card in group.cards) for group in other.groups
    )
    points = f"{other.points} {pick(lang, score.unit, words(lang, 'points'))}"
    return words(lang, "result.next_best", points=points, split=split)


def spoken(score: scorer.Score, seats: Sequence[str], lang: str) -> str:
    """Say the result so that it can be read aloud.

    Args:
        score: of the hand.
        seats: names by the scorer's seats.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        A few sentences.
    """
    points, steps = headline(score, lang)
    stop = pick(lang, "。", ". ")
    parts = [points, steps, why_not(score)]
    parts += [
        words(lang, "result.spoken_pays", payer=each.payer, payee=each.payee, amount=each.amount)
        for each in pays(score, seats)
    ]
    return stop.join(part.rstrip("。.") for part in parts if part) + stop.strip()
