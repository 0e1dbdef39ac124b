"""The argument, "he says 17, I say 22": where a claim and the count part, and what would make it right."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, Literal

import scorer
from scorer.book import Option, show_value
from scorer.cards import FLOWER, WILD, character_of
from table.code import options_set
from table.split import Group, Valuer, every_split, place_win, read_split, value_split
from table.words import ClaimError, say

Kind = Literal["option", "options", "win", "table", "flower", "picked", "split", "steps", "class", "miscount"]

_SPLIT_SECONDS: Final = 0.6
_MOST_SHOWN: Final = 4
_LARGEST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Parting:
    """A group that two counts see otherwise."""

    cards: tuple[str, ...]
    ours: int | None
    """Its points as counted; None where the count has no such group."""

    theirs: int | None
    """Its points as claimed; None where the claim has no such group."""

    why: str = ""
    """The rule that gives our points."""

    def to_json(self) -> dict[str, object]:
        """Write it as a dictionary of plain JSON values."""
        return {"cards": list(self.cards), "ours": self.ours, "theirs": self.theirs, "why": self.why}

    def text(self, lang: str) -> str:
        """Say it in one line."""
        ours = say(lang, "無此組", "no such group") if self.ours is None else str(self.ours)
        theirs = say(lang, "無此組", "no such group") if self.theirs is None else str(self.theirs)
        line = say(
            lang,
            f"{''.join(self.cards)}：這裡 {ours}，所報 {theirs}",
            f"{''.join(self.cards)}: here {ours}, claimed {theirs}",
        )
        return f"{line} ({self.why})" if self.why else line


@dataclass(frozen=True, slots=True)
class Explanation:
    """Something that would make a claim right."""

    kind: Kind
    text: str
    options: Mapping[str, str]
    """The options of the book under which it holds, where it is about options."""

    partings: tuple[Parting, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Write it as a dictionary of plain JSON values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "options": dict(self.options),
            "groups": [parting.to_json() for parting in self.partings],
        }


@dataclass(frozen=True, slots=True)
class Argument:
    """A claim beside the count."""

    claim: str
    ours: int | None
    """What the hand counts; None where it does not split."""

    theirs: int | None
    """What the claim comes to by this rule."""

    partings: tuple[Parting, ...]
    """For a claimed split, the groups in which it differs from the best one."""

    explanations: tuple[Explanation, ...]
    lang: str

    @property
    def right(self) -> bool:
        """Whether claim and count agree."""
        return self.ours is not None and self.ours == self.theirs

    def to_json(self) -> dict[str, object]:
        """Write the argument as the field `claim` of ``score``.

        Returns:
            A dictionary of plain JSON values.
        """
        return {
            "claim": self.claim,
            "right": self.right,
            "points": self.ours,
            "claimed": self.theirs,
            "groups": [parting.to_json() for parting in self.partings],
            "explanations": [explanation.to_json() for explanation in self.explanations],
        }

    def text(self) -> str:
        """Say where the two part.

        Returns:
            Lines for a person.
        """
        lang = self.lang
        if self.right:
            return say(lang, f"所報 {self.theirs}：對。", f"Claimed {self.theirs}: right.")
        ours = say(lang, "不成胡", "no win") if self.ours is None else str(self.ours)
        lines = [
            say(lang, f"所報 {self.theirs}，這裡 {ours}。", f"Claimed {self.theirs}, counted {ours}."),
            *("  " + parting.text(lang) for parting in self.partings),
        ]
        # A group miscounted by chance explains many a claim: it is named only where nothing better does.
        better = [each for each in self.explanations if each.kind != "miscount"]
        for explanation in (better or self.explanations)[:_MOST_SHOWN]:
            lines.append("  " + explanation.text)
            lines.extend("    " + parting.text(lang) for parting in explanation.partings)
        if not self.explanations and not self.partings:
            lines.append(
                say(
                    lang,
                    "  沒有一種選項、拆法或數錯一組能得出這個數。",
                    "  No option, split or single miscounted group gives that number.",
                )
            )
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Case:
    """What an argument is about: a hand, its rule, and how it was won."""

    rule: str
    """Name or path of the rule book."""

    book: scorer.Book
    hand: scorer.Hand
    win: str | None
    terms: Mapping[str, Any]
    """The other keywords of `scorer.score`: `by`, `players`, `stake`, `winner`, `discarder`, `dui`."""

    lang: str = "zh-Hant"

    def score(self, **changes: Any) -> scorer.Score:
        """Score the hand, with changes to the case.

        Args:
            changes: `book`, `hand`, `win`, or a keyword of `scorer.score`.

        Returns:
            The score.
        """
        said = {
            "book": self.book,
            "hand": self.hand,
            "win": self.win,
            "lang": self.lang,
            **self.terms,
            **changes,
        }
        return scorer.score(said.pop("book"), said.pop("hand"), **said)

    @property
    def discarded(self) -> str | None:
        """The winning card where a discard brought it."""
        return self.win if self.terms.get("by") == "discard" else None

    def name_options(self, options: Mapping[str, str]) -> str:
        """Name options by their settings and what they mean."""
        meanings = {
            each.name: say(self.lang, each.meaning, each.meaning_en) for each in self.book.option_details
        }
        return say(self.lang, "；", "; ").join(
            f"{name}={value}" + say(self.lang, f"（{meanings[name]}）", f" ({meanings[name]})")
            for name, value in options.items()
        )


def argue(case: Case, claim: str) -> Argument:
    """Compare a claim with the count.

    Args:
        case: what it is about.
        claim: a count, ``17``, ``17和`` or ``十七``, or a split, ``(上大人)(孔乙己)…``.

    Returns:
        Where the two part, and what would make the claim right.

    Raises:
        ClaimError: neither a count nor a split of these cards.
        scorer.ScorerError: a request that the scorer refuses.
    """
    claim = claim.strip()
    score = case.score()
    count = read_count(claim)
    if count is not None:
        if count > _LARGEST:
            raise ClaimError(f"no hand counts {claim}", f"沒有哪手牌有 {claim}")
        return _argue_count(case, score, count)
    if not any(bracket in claim for bracket in "([（［【"):
        raise ClaimError(
            f"a claim is a count or a split in brackets, not {claim}",
            f"所報應是一個數，或寫在括號裡的拆法，不是「{claim}」",
        )
    return _argue_split(case, score, claim)


def read_count(text: str) -> int | None:
    """Read a count as players say it.

    Args:
        text: a number in figures or in Chinese, what it counts after it or not.

    Returns:
        The number; None where the text is none.
    """
    said = _COUNTED.sub("", text.strip())
    if said.isdecimal():
        return int(said) if len(said) <= _MOST_FIGURES else _LARGEST + 1
    found = _IN_CHINESE.fullmatch(said)
    if not found or not said:
        return None
    hundreds, tens, ones = found.group("hundreds"), found.group("tens"), found.group("ones")
    count = 100 * _FIGURES.get(hundreds, 1) if hundreds is not None else 0
    count += 10 * _FIGURES.get(tens, 1) if tens is not None else 0
    return count + _FIGURES.get(ones or "零", 0)


_MOST_FIGURES: Final = 9
_COUNTED: Final = re.compile(r"\s*(和|胡|须|須|個子|个子|個|个|點|点|分|points?)$")
_FIGURES: Final = {figure: number for number, figure in enumerate("零一二三四五六七八九")} | {
    "兩": 2,
    "两": 2,
}
_IN_CHINESE: Final = re.compile(
    "(?:(?P<hundreds>[一二兩两三四五六七八九])百零?)?(?:(?P<tens>[一二三四五六七八九]?)十)?(?P<ones>[零一二兩两三四五六七八九]?)"
)


@dataclass(frozen=True, slots=True)
class _Dispute:
    """A claimed count that is not ours, and all that may explain it, the likeliest first."""

    case: Case
    score: scorer.Score
    claim: int

    def explanations(self) -> Iterator[Explanation]:
        """Look for what would make the claim right."""
        yield from self.steps()
        yield from self.other_option()
        yield from self.other_table()
        yield from self.other_win()
        yield from self.not_picked()
        yield from self.other_flower()
        yield from self.other_split()
        yield from self.two_options()
        yield from self.miscounted_group()

    def steps(self) -> Iterator[Explanation]:
        """Take the claim for what the points turn into, with or without what a class adds."""
        score, claim, lang = self.score, self.claim, self.case.lang
        unit = score.step_unit
        if not score.wins:
            return
        if score.steps == claim:
            text = say(
                lang,
                f"{claim} 是{unit}數：{score.points} {score.unit}合 {claim} {unit}。",
                f"{claim} is the steps ({unit}): {score.points} points make {claim}.",
            )
            yield Explanation("steps", text, {})
        for name, more in score.added:
            if score.steps - more == claim:
                text = say(
                    lang,
                    f"{claim} 是{unit}數，但還沒加{name} {more}。",
                    f"{claim} is the steps ({unit}) without the {more} of {name}.",
                )
                yield Explanation("steps", text, {})

    def other_option(self) -> Iterator[Explanation]:
        """Set one option otherwise; another main jing is one of them."""
        for option in self.case.book.option_details:
            for value in _other_values(option):
                yield from self._with_options({option.name: value})

    def two_options(self) -> Iterator[Explanation]:
        """Set two options otherwise, where neither alone explains the claim."""
        explained = {pair for each in self.other_option() for pair in each.options.items()}
        for first, second in combinations(self.case.book.option_details, 2):
            for one in _other_values(first):
                for other in _other_values(second):
                    if not {(first.name, one), (second.name, other)} & explained:
                        yield from self._with_options({first.name: one, second.name: other})

    def other_table(self) -> Iterator[Explanation]:
        """Take a group on the table for one in hand, or the other way round."""
        hand = self.case.hand
        for place, group in enumerate(hand.laid):
            rest = hand.laid[:place] + hand.laid[place + 1 :]
            cards = "".join(group.cards)
            if group.bracket == "square":
                turned = replace(hand, laid=(*rest, scorer.Laid(group.cards, "round")))
                yield from self._if(
                    "table", f"若（{cards}）是桌面的", f"If ({cards}) had been exposed", hand=turned
                )
                continue
            if len(group.cards) > 3:
                turned = replace(hand, laid=(*rest, scorer.Laid(group.cards, "square")))
            else:
                turned = replace(hand, free=(*hand.free, *group.cards), laid=rest)
            yield from self._if(
                "table", f"若（{cards}）是在手的", f"If ({cards}) had been concealed", hand=turned
            )
        for counted in self.score.groups:
            names = _names(counted.cards)
            free = Counter(hand.free)
            if counted.exposed or counted.shape not in {"triplet", "quad", "quint"} or Counter(names) - free:
                continue
            free.subtract(names)
            laid = (*hand.laid, scorer.Laid(tuple(names), "round"))
            cards = "".join(names)
            yield from self._if(
                "table",
                f"若（{cards}）是桌面的",
                f"If ({cards}) had been exposed",
                hand=replace(hand, free=tuple(free.elements()), laid=laid),
            )

    def other_win(self) -> Iterator[Explanation]:
        """Let another card win, or the same in another way; which card was drawn changes nothing."""
        by, win = self.case.terms.get("by", "self"), self.case.win
        if by == "discard":
            yield from self._if("win", "若是自摸", "If self-drawn", by="self")
        for card in dict.fromkeys(self.case.hand.free):
            if (by, win) != ("discard", card):
                yield from self._if(
                    "win", f"若是別人打出的 {card}", f"If {card} had been discarded", by="discard", win=card
                )

    def not_picked(self) -> Iterator[Explanation]:
        """Take a picked-up card for one that was drawn."""
        hand = self.case.hand
        for card in dict.fromkeys(hand.picked):
            picked = list(hand.picked)
            picked.remove(card)
            yield from self._if(
                "picked",
                f"若 {card} 不是撿的",
                f"If {card} had not been picked up",
                hand=replace(hand, free=(*hand.free, card), picked=tuple(picked)),
            )

    def other_flower(self) -> Iterator[Explanation]:
        """Take one flower copy for a plain one, or the other way round."""
        deck, hand = scorer.deck_cards(self.case.book.kind), self.case.hand
        for card in dict.fromkeys(hand.cards()):
            other = card.removeprefix(FLOWER) if card.startswith(FLOWER) else FLOWER + card
            if other not in deck:
                continue
            for changed in _with_other(hand, card, other):
                win = self.case.win
                if win == card and card not in changed.free:
                    win = other if other in changed.free else None
                explained = tuple(
                    self._if(
                        "flower",
                        f"若一張{card}是{other}",
                        f"If one {card} were {other}",
                        hand=changed,
                        win=win,
                    )
                )
                if explained:
                    yield from explained
                    break

    def other_split(self) -> Iterator[Explanation]:
        """Split the hand otherwise."""
        case, claim = self.case, self.claim
        if self.score.points is None:
            return
        valuer = Valuer(case.book)
        for groups in every_split(case.book, case.hand, time.monotonic() + _SPLIT_SECONDS):
            try:
                valued = _valued(case, valuer, groups)
            except ClaimError:
                continue
            if sum(group.points for group in valued) == claim:
                shown = "".join(f"({''.join(group.cards)})" for group in valued)
                yield Explanation(
                    "split",
                    say(
                        case.lang,
                        f"若拆成 {shown}，便是 {claim}，但不是最好的拆法。",
                        f"Split as {shown}, it is {claim}, which is not the best split.",
                    ),
                    {},
                    _partings(self.score.groups, valued),
                )
                return

    def miscounted_group(self) -> Iterator[Explanation]:
        """Count one group wrongly: not at all, twice, or doubled wrongly."""
        if self.score.points is None:
            return
        difference, lang = self.claim - self.score.points, self.case.lang
        for group in self.score.groups:
            wrong = self._ways_to_miscount(group).get(difference)
            if wrong is None:
                continue
            cards = "".join(group.cards)
            yield Explanation(
                "miscount",
                say(
                    lang,
                    f"若 {cards} {wrong[0]}，便是 {self.claim}。",
                    f"If {cards} {wrong[1]}, it is {self.claim}.",
                ),
                {},
                (Parting(group.cards, group.points, group.points + difference, group.why),),
            )

    def _ways_to_miscount(self, group: scorer.Group) -> dict[int, tuple[str, str]]:
        points = group.points
        if not points:
            return {}
        wrong = {-points: ("漏數", "was left out"), points: ("數了兩次", "was counted twice")}
        held = {character_of(card) for card in group.cards} & set(Valuer(self.case.book).jing)
        if self.score.main_jing in held and points % 2 == 0:
            wrong[-points // 2] = ("沒有按主精加倍", "was not doubled for the main jing")
        elif held and self.score.main_jing:
            wrong[points] = ("誤當主精加倍", "was doubled as if it were of the main jing")
        return wrong

    def _with_options(self, options: Mapping[str, str]) -> Iterator[Explanation]:
        case = self.case
        try:
            book = scorer.load_book(case.rule, {**options_set(case.book), **options})
            tried = case.score(book=book)
        except scorer.ScorerError:
            return
        if tried.points == self.claim:
            named = case.name_options(options)
            yield Explanation(
                "option" if len(options) == 1 else "options",
                say(
                    case.lang,
                    f"若這桌的規則是 {named}，便是 {self.claim}。",
                    f"With {named}, it is {self.claim}.",
                ),
                options,
                _partings(self.score.groups, _as_groups(tried)),
            )

    def _if(self, kind: Kind, hant: str, en: str, **changes: Any) -> Iterator[Explanation]:
        try:
            tried = self.case.score(**changes)
        except scorer.ScorerError:
            return
        if tried.points == self.claim:
            yield Explanation(
                kind,
                say(self.case.lang, f"{hant}，便是 {self.claim}。", f"{en}, it is {self.claim}."),
                {},
                _partings(self.score.groups, _as_groups(tried)),
            )


def _argue_count(case: Case, score: scorer.Score, claim: int) -> Argument:
    found = () if score.points == claim else tuple(_Dispute(case, score, claim).explanations())
    return Argument(str(claim), score.points, claim, (), found, case.lang)


def _with_other(hand: scorer.Hand, card: str, other: str) -> Iterator[scorer.Hand]:
    """Take one copy of a card for another one: a free or picked-up one, or one of each group on the table."""
    if card in hand.free:
        yield replace(hand, free=_exchanged(hand.free, card, other))
    if card in hand.picked:
        yield replace(hand, picked=_exchanged(hand.picked, card, other))
    for place, group in enumerate(hand.laid):
        if card in group.cards:
            changed = scorer.Laid(_exchanged(group.cards, card, other), group.bracket)
            yield replace(hand, laid=(*hand.laid[:place], changed, *hand.laid[place + 1 :]))


def _exchanged(cards: tuple[str, ...], card: str, other: str) -> tuple[str, ...]:
    place = cards.index(card)
    return (*cards[:place], other, *cards[place + 1 :])


def _names(cards: Sequence[str]) -> list[str]:
    """Leave out for what wilds stand."""
    return [card.partition(">")[0] for card in cards]


def _partings(ours: Sequence[scorer.Group], theirs: Sequence[Group]) -> tuple[Parting, ...]:
    """Find the groups that two splits do not share, or count otherwise."""
    rest = list(theirs)
    partings = []
    for group in ours:
        key = tuple(sorted(_names(group.cards)))
        alike = [other for other in rest if other.key() == key]
        same = next((other for other in alike if other.points == group.points), None)
        other = same or (alike[0] if alike else None)
        if other is not None:
            rest.remove(other)
        if same is None:
            theirs_of_it = None if other is None else other.points
            partings.append(Parting(group.cards, group.points, theirs_of_it, group.why))
    partings.extend(Parting(other.cards, None, other.points) for other in rest)
    return tuple(partings)


def _as_groups(score: scorer.Score) -> list[Group]:
    return [
        Group(group.shape, tuple(_names(group.cards)), group.exposed, group.points) for group in score.groups
    ]


def _other_values(option: Option) -> list[str]:
    return [show_value(value) for value in option.allowed if value != option.value]


def _valued(case: Case, valuer: Valuer, groups: Sequence[Group]) -> tuple[Group, ...]:
    """Count a split, with the main jing that brings most of those that the rule leaves to choose from.

    Raises:
        ClaimError: the winning card cannot have completed any of its groups.
    """
    placed = place_win(groups, case.discarded, exposes=valuer.discard_exposes, picked=case.hand.picked)
    values = [value_split(valuer, placed, main) for main in _mains(case, valuer)]
    return max(values, key=lambda valued: sum(group.points for group in valued))


def _mains(case: Case, valuer: Valuer) -> Sequence[str]:
    """List the main jing to choose from (RULES.md §4): those most held, all, or the one that is set."""
    option = str(case.book.options.get("main_jing", ""))
    held = Counter(character_of(card) for card in case.hand.cards())
    if not option or not (held[WILD] or any(held[jing] for jing in valuer.jing)):
        return ("",)
    if option in valuer.jing:
        return (option,)
    if option == "best":
        return valuer.jing
    most = max(held[jing] for jing in valuer.jing)
    return [jing for jing in valuer.jing if held[jing] == most]


def _argue_split(case: Case, score: scorer.Score, claim: str) -> Argument:
    try:
        groups = read_split(case.book, case.hand, claim)
    except ClaimError as error:
        return _other_book(case, score, claim, error)
    valued = _valued(case, Valuer(case.book), groups)
    theirs = sum(group.points for group in valued)
    partings = () if score.points == theirs else _partings(score.groups, valued)
    why = () if score.points is None or theirs <= score.points else _counted_for_class(case, score, theirs)
    return Argument(claim, score.points, theirs, partings, why, case.lang)


def _counted_for_class(case: Case, score: scorer.Score, theirs: int) -> tuple[Explanation, ...]:
    """Say why a split of fewer points was counted: what it makes of the hand pays more."""
    name, steps = score.class_name, score.steps
    text = say(
        case.lang,
        f"這樣拆有 {theirs}，但另一種拆法成{name}，得 {steps} {score.step_unit}，付得更多。",
        f"So split it is {theirs}, but the other split makes {name}, {steps} steps, which pays more.",
    )
    return (Explanation("class", text, {}),)


def _other_book(case: Case, score: scorer.Score, claim: str, error: ClaimError) -> Argument:
    """Look for an option that allows a split which this book does not know.

    Raises:
        ClaimError: there is none.
    """
    for option in case.book.option_details:
        for value in _other_values(option):
            options = {option.name: value}
            book = scorer.load_book(case.rule, {**options_set(case.book), **options})
            try:
                groups = read_split(book, case.hand, claim)
            except (ClaimError, scorer.ScorerError):
                continue
            valued = _valued(replace(case, book=book), Valuer(book), groups)
            theirs = sum(group.points for group in valued)
            named = case.name_options(options)
            explanation = Explanation(
                "option",
                say(
                    case.lang,
                    f"{error.hant}；若這桌的規則是 {named}，便是 {theirs}。",
                    f"{error}; with {named}, it is {theirs}.",
                ),
                options,
            )
            return Argument(
                claim, score.points, theirs, _partings(score.groups, valued), (explanation,), case.lang
            )
    raise error
