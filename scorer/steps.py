"""From points to steps: tiers (分, 坡), multiples (倍) and the classes of 上大人."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from scorer.cards import FIELD_MASK, FLOWER, SHIFT, WILD

if TYPE_CHECKING:
    from scorer.book import Book


@dataclass(frozen=True, slots=True)
class Outcome:
    """What points come to."""

    steps: int
    """0 where the hand does not win."""
    minimum: int
    """The least points with which this hand wins."""
    name: str | None = None
    """The class, where the rule has classes and the hand meets one."""
    added: tuple[tuple[str, int], ...] = ()
    """What was added to the steps for more than the class: name and steps."""

    @property
    def wins(self) -> bool:
        """Whether the hand wins."""
        return self.steps > 0


class Shown(NamedTuple):
    """What the steps may depend on beside the points."""

    code: int
    """The packed count of all cards."""
    players: int
    all_alike: bool = False
    """Whether all groups are triplets or quads and the eye is a pair."""
    in_groups: bool = True
    """Whether the cards split into groups and an eye."""
    ten_pairs: bool = False


def mask_of(book: Book, wanted: Callable[[str], bool]) -> int:
    """Where the counts of the deck's wanted characters stand in a packed count."""
    mask = 0
    for card in book.deck.copies:
        if card != WILD and wanted(card.removeprefix(FLOWER)):
            mask |= FIELD_MASK << SHIFT[card]
    return mask


class Method:
    """How one rule book turns points into steps."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.minima = {players: book.by_players("minimum", players) for players in book.players}
        self._outcomes: dict[tuple[int, int], Outcome] = {}

    def steps(self, points: int) -> int:
        """The points' own steps, without special hands or minimum."""
        raise NotImplementedError

    def outcome(self, points: int, shown: Shown) -> Outcome:
        """The steps of a finished hand.

        Args:
            points: What its groups and eye count.
            shown: What else the rule looks at.

        Returns:
            The steps, the minimum and the class.
        """
        key = (points, shown.players)
        outcome = self._outcomes.get(key)
        if outcome is None:
            minimum = self.minima[shown.players]
            outcome = Outcome(self.steps(points) if points >= minimum else 0, minimum)
            self._outcomes[key] = outcome
        return outcome


class Tiers(Method):
    """One step from a number of points on and one more for every so many (000, 003)."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.start, self.by = book.number("steps.start"), book.number("steps.by", 1)

    def steps(self, points: int) -> int:
        """17 to 21 points are 1, then one more for every 5."""
        return max(1, 1 + (points - self.start) // self.by)


class Division(Method):
    """Points divided, at least one (001)."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.by = book.number("steps.by", 1)

    def steps(self, points: int) -> int:
        """7 points are 1, 14 are 2, 21 are 3."""
        return max(1, points // self.by)


class Special:
    """Hands that win with any points: 一手黑, 一手紅, 十對 (001)."""

    def __init__(self, book: Book, own: Method) -> None:
        self.own = own
        self.black, self.red = book.number("special.all_black"), book.number("special.all_red")
        self.ten_pairs = book.number("special.ten_pairs")
        self.product = book.text("special.combine") == "product"
        wild = FIELD_MASK << SHIFT[WILD]
        self.not_black = mask_of(book, lambda character: book.deck.colours[character] != "black") | wild
        self.not_red = mask_of(book, lambda character: book.deck.colours[character] != "red")

    def outcome(self, points: int, shown: Shown) -> Outcome:
        """The larger of the special hand and the points' own steps, or both multiplied (option)."""
        found: tuple[str, int] | None = None
        if shown.in_groups:
            if self.red and not shown.code & self.not_red:
                found = ("一手紅", self.red)
            elif self.black and not shown.code & self.not_black:
                found = ("一手黑", self.black)
        if shown.ten_pairs and (found is None or self.ten_pairs > found[1]):
            found = ("十對", self.ten_pairs)
        if found is None:
            return self.own.outcome(points, shown)
        name, times = found
        own = self.own.steps(points)
        return Outcome(times * own if self.product else max(times, own), 0, name)


@dataclass(frozen=True, slots=True)
class _Tier:
    points: int
    steps: int
    name: str


def _not_of(book: Book, colour: str) -> int:
    return mask_of(book, lambda character: book.deck.colours[character] != colour)


def _tiers(book: Book, name: str) -> tuple[_Tier, ...]:
    tiers = cast("list[dict[str, int | str]]", book.values.get(name, []))
    return tuple(_Tier(int(tier["points"]), int(tier["steps"]), str(tier["name"])) for tier in tiers)


class Classes(Method):
    """The classes of 上大人 (000)."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        jing = cast("list[str]", book.values.get("jing.characters", []))
        self.jing = mask_of(book, lambda character: character in jing)
        phrases = "".join(cast("list[str]", book.values.get("classes.withered_phrases", [])))
        self.phrases = mask_of(book, lambda character: character in phrases)
        self.coloured = tuple(_not_of(book, colour) for colour in ("black", "green"))
        self.with_jing, self.without, self.withered = (
            _tiers(book, f"classes.{name}") for name in ("with_jing", "without_jing", "withered")
        )
        self.one_colour = book.number("classes.one_colour")
        self.all_alike = book.number("classes.all_alike")
        self.sum = book.text("classes.combine") == "sum"

    @staticmethod
    def _reached(tiers: tuple[_Tier, ...], points: int) -> list[_Tier]:
        reached = [tier for tier in tiers if points >= tier.points]
        return [max(reached, key=lambda tier: tier.steps)] if reached else []

    def steps(self, points: int) -> int:
        """Points alone make no steps here."""
        raise NotImplementedError

    def outcome(self, points: int, shown: Shown) -> Outcome:
        """The highest class that the hand meets, or the sum of them (option)."""
        added: tuple[tuple[str, int], ...] = ()
        if shown.code & self.jing:
            tiers = self.with_jing
            met = self._reached(tiers, points)
            if met and shown.all_alike:
                added = (("碰碰胡", self.all_alike),)
        else:
            tiers = self.without
            met = self._reached(tiers, points)
        minimum = min([tier.points for tier in tiers], default=0)
        if not shown.code & self.phrases:
            met += self._reached(self.withered, points)
            minimum = min([minimum, *[tier.points for tier in self.withered]])
        if any(not shown.code & mask for mask in self.coloured):
            met.append(_Tier(0, self.one_colour, "黑胡"))
            minimum = 0
        if not met:
            return Outcome(0, minimum)
        more = sum(steps for _, steps in added)
        if self.sum:
            return Outcome(
                sum(tier.steps for tier in met) + more, minimum, "+".join(t.name for t in met), added
            )
        best = max(met, key=lambda tier: tier.steps)
        return Outcome(best.steps + more, minimum, best.name, added)


def method_of(book: Book) -> Method | Special:
    """The way in which a rule book turns points into steps."""
    methods: Mapping[str, type[Method]] = {"tiers": Tiers, "division": Division, "classes": Classes}
    own = methods[book.text("steps.method")](book)
    return Special(book, own) if "special.all_black" in book.values else own
