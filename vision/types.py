"""What the stages of reading hand to one another."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

Point = tuple[float, float]
"""x and y in pixels of the upright photo; the first pixel spans 0 to 1."""

SMALLEST = 1e-3
"""Lengths by which something is divided are at least so many pixels."""

Why = Literal["covered", "unreadable", "cut off"]
"""Why a card could not be read."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The printed ends of cards found in a photo, one struct of arrays.

    An end is the outer 0.35 of a card's length. Vectors are in pixels of the
    upright photo.
    """

    centres: NDArray[np.float32]
    """float32[n, 2], the middle of each end."""

    ups: NDArray[np.float32]
    """float32[n, 2], from the middle to the card's near short edge."""

    rights: NDArray[np.float32]
    """float32[n, 2], from the middle to the end's right long edge, up being up."""

    cards: NDArray[np.float32]
    """float32[n, 2], the centre of the whole card that the end belongs to."""

    scores: NDArray[np.float32]
    """float32[n], how sure the finder is that an end lies there, 0 to 1."""

    seen: NDArray[np.float32]
    """float32[n], share of the end that is not covered, 0 to 1."""

    gained: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    """float32[n], by how much an end is more like a face since it was registered (`vision.register`), a
    cosine; 0 where it lies as it was found, which need not be said."""

    def __post_init__(self) -> None:
        """Check the shapes.

        Raises:
            ValueError: an array has another length than the others.
        """
        count = len(self.centres)
        if not len(self.gained):
            object.__setattr__(self, "gained", np.zeros(count, np.float32))
        for name in ("centres", "ups", "rights", "cards"):
            if getattr(self, name).shape != (count, 2):
                msg = f"expected {name} [{count}, 2], got {list(getattr(self, name).shape)}"
                raise ValueError(msg)
        for name in ("scores", "seen", "gained"):
            if getattr(self, name).shape != (count,):
                msg = f"expected {name} [{count}], got {list(getattr(self, name).shape)}"
                raise ValueError(msg)

    def __len__(self) -> int:
        """Count the ends."""
        return len(self.centres)

    def take(self, places: NDArray[np.intp]) -> Ends:
        """Pick some ends, in the order of ``places``.

        Args:
            places: int[m], indices of ends.

        Returns:
            A struct of m ends.
        """
        return Ends(*(getattr(self, part.name)[places] for part in fields(Ends)))

    def joined(self, *others: Ends) -> Ends:
        """Put other ends behind these.

        Args:
            *others: ends in pixels of the same photo.

        Returns:
            A struct of all.
        """
        every = (self, *others)
        return Ends(*(np.concatenate([getattr(some, part.name) for some in every]) for part in fields(Ends)))

    @property
    def halves(self) -> NDArray[np.float32]:
        """float32[n], half of the width of each card; never 0, so that one can divide by it."""
        half: NDArray[np.float32] = np.maximum(np.hypot(self.rights[:, 0], self.rights[:, 1]), SMALLEST)
        return half

    @property
    def directions(self) -> NDArray[np.float32]:
        """float32[n, 2], the ups of length one."""
        high: NDArray[np.float32] = np.maximum(np.hypot(self.ups[:, 0], self.ups[:, 1]), SMALLEST)
        direction: NDArray[np.float32] = self.ups / high[:, None]
        return direction

    def facing(self, others: Ends) -> NDArray[np.float32]:
        """Compare the directions of ends.

        Args:
            others: ends in pixels of the same photo.

        Returns:
            float32[n, others], cosines: 1 where both point the same way, -1 where each faces the other.
        """
        cosine: NDArray[np.float32] = self.directions @ others.directions.T
        return cosine

    @property
    def opposites(self) -> NDArray[np.float32]:
        """float32[n, 2], where the other end of the card of each is expected."""
        opposite: NDArray[np.float32] = 2 * self.cards - self.centres
        return opposite

    def put(self, places: NDArray[np.intp], others: Ends) -> Ends:
        """Exchange some ends for others.

        Args:
            places: int[m], of these.
            others: m ends.

        Returns:
            As many ends as before.
        """
        changed = {}
        for part in fields(self):
            values = getattr(self, part.name).copy()
            values[places] = getattr(others, part.name)
            changed[part.name] = values
        return Ends(**changed)

    def scaled(self, factor: float) -> Ends:
        """Give the same ends in pixels of an image of another size.

        Args:
            factor: pixels there for each pixel here.

        Returns:
            A struct of as many ends.
        """
        times = np.float32(factor)
        return Ends(
            self.centres * times,
            self.ups * times,
            self.rights * times,
            self.cards * times,
            self.scores,
            self.seen,
            self.gained,
        )

    @classmethod
    def empty(cls) -> Ends:
        """Make a struct without ends."""
        pairs, single = np.empty((0, 2), np.float32), np.empty(0, np.float32)
        return cls(pairs, pairs, pairs, pairs, single, single)


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that lies in the photo, not yet named."""

    ends: tuple[int, ...]
    """Places of its seen ends among the `Ends`, the best seen first; one or two."""

    outline: tuple[Point, Point, Point, Point]
    """Corners clockwise from the upper left, up being that of the first end."""

    pair: float = 0.0
    """Logit that both ends are of one card, `vision.pair`; where only one is seen, the least."""

    rival: float = 0.0
    """Highest logit that one of its ends is of the same card as an end of another."""

    rival_end: int | None = None
    """Place of that end of another; None where no end can be one."""

    @property
    def centre(self) -> Point:
        """The middle of the card."""
        xs, ys = zip(*self.outline, strict=True)
        return sum(xs) / 4, sum(ys) / 4


@dataclass(frozen=True, slots=True)
class Card:
    """A card that was read."""

    card: str
    """Its name in the standard spelling, ``花三``."""

    outline: tuple[Point, Point, Point, Point]
    """Corners clockwise from the upper left of its best seen end."""

    mark: Point
    """The centre of its best seen end."""

    confidence: float
    """Calibrated probability that the name is right, 0 to 1."""

    sure: bool
    """False means that the player is to be asked."""

    others: tuple[tuple[str, float], ...] = ()
    """Other names that it may have, the likeliest first, each with its probability."""

    group: int = 0
    """Cards of one number lie together."""

    crop: NDArray[np.uint8] | None = field(default=None, repr=False, compare=False)
    """uint8[72, 48, 3], its best seen end upright: what a correction teaches the deck."""

    other_crop: NDArray[np.uint8] | None = field(default=None, repr=False, compare=False)
    """uint8[72, 48, 3], its other end, where that is well seen, too."""

    def to_json(self) -> dict[str, object]:
        """Write the card as INTERFACE.md shows it.

        Returns:
            A dictionary of plain JSON values.
        """
        return {
            "card": self.card,
            "outline": [_rounded(corner) for corner in self.outline],
            "mark": _rounded(self.mark),
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "others": [[name, round(share, 4)] for name, share in self.others],
            "group": self.group,
        }


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place where a card lies that could not be read."""

    mark: Point
    why: Why

    def to_json(self) -> dict[str, object]:
        """Write the doubt as INTERFACE.md shows it.

        Returns:
            A dictionary of plain JSON values.
        """
        return {"mark": _rounded(self.mark), "why": self.why}


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one photo, the cards in reading order."""

    size: tuple[int, int]
    """Width and height of the upright photo."""

    deck: str | None
    """Name of the deck; None where no known deck explains the cards, or where none can be read."""

    cards: tuple[Card, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Milliseconds that each stage took."""

    kind: int | None = None
    """Kind of the deck: 110, 112 or 96; None where no card can be read."""

    @property
    def unknown_deck(self) -> bool:
        """Whether something was seen that belongs to no known deck."""
        return self.deck is None and bool(self.cards or self.doubts)

    @property
    def sure(self) -> bool:
        """Whether every card is sure and nothing is in doubt."""
        return not self.doubts and all(card.sure for card in self.cards)

    def to_json(self) -> dict[str, object]:
        """Write the reading as INTERFACE.md shows it.

        Returns:
            A dictionary of plain JSON values.
        """
        return {
            "size": list(self.size),
            "deck": self.deck,
            "cards": [card.to_json() for card in self.cards],
            "doubts": [doubt.to_json() for doubt in self.doubts],
            "ms": {stage: round(time, 1) for stage, time in self.ms.items()},
        }


def _rounded(point: Point) -> list[float]:
    return [round(float(point[0]), 1), round(float(point[1]), 1)]
