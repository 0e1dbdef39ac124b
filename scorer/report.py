"""The printed report of a score, in the language that the user chose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scorer.explain import Group
from scorer.lang import local, say

if TYPE_CHECKING:
    from scorer.book import Book
    from scorer.score import Score
    from scorer.waits import Wait


def _cards(group: Group) -> str:
    return "".join(group.cards)


def _group_line(score: Score, group: Group) -> str:
    lang = score.lang
    mark = "" if group.basis == "seed" else say(lang, f"report.{group.basis}")
    points = say(lang, "report.points", points=group.points, unit=score.unit)
    return f"  {local(lang, _cards(group))}　{group.name}　{points}　{group.why}{mark}"


def main_line(score: Score) -> str:
    """Say which jing is main and why, or nothing where the rule has none."""
    main = score.main_jing
    if main is None:
        return ""
    lang, points = score.lang, score.book.counter.points
    cards = score.hand.cards()
    held = {jing: sum(card[-1] == jing for card in cards) for jing in points.jing}
    if points.main_rule == "best":
        return say(lang, "report.main_best", main=main)
    if points.main_rule != "most_held":
        return say(lang, "report.main_fixed", main=main)
    others = [jing for jing, count in held.items() if count == held[main] and jing != main]
    if others:
        divider = ", " if lang == "en" else "、"
        return say(lang, "report.main_tied", main=main, others=divider.join(others), count=held[main])
    return say(lang, "report.main_held", main=main, count=held[main])


def report(score: Score) -> str:
    """Write the report.

    Args:
        score: The score of a hand.

    Returns:
        Several lines: the hand, what it counts or why it does not win, the groups with their reasons, the
        main jing, the next best split, who pays, and the warnings.
    """
    lang, book = score.lang, score.book
    lines = [say(lang, "report.head", title=book.title_in(lang), hand=score.hand)]
    parts = {"unit": score.unit, "step_unit": score.step_unit}
    if score.wins:
        line = say(lang, "report.wins", points=score.points, steps=score.steps, **parts)
        if score.class_name:
            line += say(lang, "report.class", name=score.class_name)
        for name, steps in score.added:
            line += say(lang, "report.added", name=name, steps=steps)
        lines.append(line)
    else:
        lines.append(say(lang, "report.loses", reason=score.reason_text))
    if score.points is not None:
        lines += [_group_line(score, group) for group in score.groups]
        if line := main_line(score):
            lines.append(line)
        lines.append(_next_line(score))
        lines.append(say(lang, "report.minimum", minimum=score.minimum, **parts))
        if "ku_minimum" in book.options and "classes.withered" in book.values:
            lines.append(say(lang, "report.withered", minimum=book.options["ku_minimum"]))
    if score.wins:
        paid = [say(lang, "report.pays", seat=p.seat, pays=p.pays, to=p.to) for p in score.payments]
        lines += paid or [say(lang, "report.nobody_pays")]
    lines += [say(lang, "report.warning", text=warning.text) for warning in score.warnings]
    return "\n".join(lines)


def _next_line(score: Score) -> str:
    from scorer.second import next_best

    other = next_best(score)
    if other is None:
        return say(score.lang, "report.only_split")
    return say(
        score.lang,
        "report.next_best",
        points=other.points,
        steps=other.steps,
        unit=score.unit,
        step_unit=score.step_unit,
        groups=" ".join(_cards(group) for group in other.groups),
    )


def waits_text(book: Book, found: Sequence[Wait], lang: str) -> str:
    """Write a list of waits, one a line.

    Args:
        book: The rule book.
        found: What `scorer.waits` gave.
        lang: One of `scorer.LANGS`.

    Returns:
        The lines, or one that says that there is no wait.
    """
    if not found:
        return say(lang, "waits.none")
    lines = []
    for wait in found:
        form = say(lang, "waits.form", form=wait.form) if wait.form else ""
        lines.append(
            say(
                lang,
                "waits.line" if wait.wins else "waits.short",
                card=wait.card,
                left=wait.left,
                points=wait.points,
                steps=wait.steps,
                unit=book.text("unit"),
                step_unit=book.text("step_unit"),
                form=form,
            )
        )
    return "\n".join(lines)
