"""From an upright photo to named cards.

This path needs numpy and an inference session alone: the phone runs the very
code that the tests run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from vision.calibration import FEATURES, Calibration, shipped_calibration
from vision.crops import Pyramid, cut
from vision.decide import decide, missed
from vision.deck import Deck
from vision.errors import Cancelled
from vision.faces import KINDS
from vision.files import data_path
from vision.find import (
    LONG_SIDE,
    both_ways,
    closer_window,
    find_cards,
    find_ends,
    one_end_each,
    outline,
)
from vision.group import group_cards
from vision.missed import (
    Places,
    missed_facts,
    one_each,
    outside,
    says_something_new,
)
from vision.name import cosines, embed, likeness, similarities, weigh
from vision.pair import likely_pairs
from vision.plane import lie_flat
from vision.quality import clarity, paper
from vision.refine import look_beneath, look_closer
from vision.register import Looks, register
from vision.session import manifest_sha256, open_session, ships
from vision.types import Card, Doubt, Ends, FoundCard, Reading
from vision.verify import Verifier, second_opinion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.decide import Decision
    from vision.name import Evidence
    from vision.session import Session
    from vision.types import Point, Why
    from vision.verify import Compare

    OpenSession = Callable[[Path, str], Session]
    Progress = Callable[[str, float], None]

FINDER = "finder.onnx"
REFINER = "refiner.onnx"
NAMER = "namer.onnx"
VERIFIER = "verifier.onnx"

FAINTEST = 0.1
"""Ends that the finder gives less than this are not looked at again."""

SEEN_AGAIN = 0.5
"""A closer look at a part of a photo counts where it shows no fewer ends of this probability."""

WELL_SEEN = 0.6
"""An end of which less is seen is taken for covered where its name is not clear."""

GUESS = 0.6
"""A covered card whose name is less likely than this is left as a doubt: of those from 0.5 on 52 % are right,
and to remove or to rename one is as much work as to add one."""

GUESS_SEEN = 0.35
"""The same of one of which enough seems to be seen: with a name less likely than this it is mostly covered.

Of 342 photos of the set `calibrate` 77.2 % are exact so instead of 75.7 %, by 0.66 taps instead of 0.68.
"""

STANDS_OUT = 0.09
"""A deck of the player's own that explains a photo better than all that ship, by this much, is the one.

This and what follows was chosen on generated photos of 16 decks of the calibrate set, of which another
deck stood out so on one photo in 300.
"""

LEEWAY = 0.27
"""How much less such a deck may explain a hard photo than what else makes a deck known."""

WORST = 0.25
"""Of the cards of a photo, this share may be like no face: no cards, or cards of another deck."""

OTHER_KIND = 0.05
"""A deck of another kind than the rule's has to explain all cards better by this much."""

TIE = 0.01
"""Decks that explain a photo alike but for this are equally good: own ones first, then of fewer faces."""

_USUAL = [FEATURES.index(name) for name in ("similarity", "contrast")]

OUTSIDE = 0.3
"""A card of which more than this lies outside the photo is cut off."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An upright photo, perhaps decoded smaller than it is."""

    pixels: NDArray[np.uint8] = field(repr=False)
    """uint8[h, w, 3], RGB."""

    size: tuple[int, int]
    """Width and height of the whole upright photo, in whose pixels results are given."""

    ms: float = 0.0
    """Milliseconds that decoding took."""

    @property
    def scale(self) -> float:
        """Pixels of the whole photo for each pixel here."""
        return float(max(self.size) / max(self.pixels.shape[:2]))

    @classmethod
    def of(cls, pixels: NDArray[np.uint8] | Picture) -> Picture:
        """Take an array for a whole photo.

        Args:
            pixels: uint8[h, w, 3], RGB, upright; a picture is given back.

        Returns:
            A picture.

        Raises:
            ValueError: the array has another shape or type.
        """
        if isinstance(pixels, Picture):
            return pixels
        if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
            msg = f"expected a photo uint8[h, w, 3], got {pixels.dtype}{list(pixels.shape)}"
            raise ValueError(msg)
        return cls(pixels, (pixels.shape[1], pixels.shape[0]))


@dataclass(frozen=True, slots=True)
class Found:
    """All cards that lie in a photo, before any deck is asked."""

    ends: Ends
    """In pixels of the decoded picture."""

    cards: tuple[FoundCard, ...]
    """In reading order."""

    groups: tuple[int, ...]
    faint: Ends
    """Ends too unlikely to be taken for cards, where one may lie even so."""

    faint_embeddings: NDArray[np.float32]
    """float32[faint, 128]."""

    faint_crops: NDArray[np.uint8]
    """uint8[faint, 72, 48, 3]."""

    crops: NDArray[np.uint8]
    """uint8[ends, 72, 48, 3]."""

    embeddings: NDArray[np.float32]
    """float32[ends, 128]."""

    ms: dict[str, float]

    @classmethod
    def of(
        cls,
        every: Ends,
        crops: NDArray[np.uint8],
        embeddings: NDArray[np.float32],
        taken: NDArray[np.bool_],
        numbers: Calibration,
        ms: dict[str, float],
    ) -> Found:
        """Join ends to cards.

        Args:
            every: ends, in pixels of the decoded picture.
            crops: uint8[every, 72, 48, 3].
            embeddings: float32[every, 128].
            taken: bool[every], those that are taken for ends of cards.
            numbers: how ends are joined.
            ms: milliseconds that each stage took.

        Returns:
            The cards in reading order; faint ends that say nothing new are left out.
        """
        mine, rest = np.flatnonzero(taken), np.flatnonzero(~taken)
        ends = every.take(mine)
        cards = find_cards(ends, likely_pairs(ends, embeddings[mine], numbers.pairs))
        order, groups = group_cards(lie_flat(ends, cards))
        rest = rest[says_something_new(every.take(rest), ends, cards)]
        return cls(
            ends=ends,
            cards=tuple(cards[place] for place in order),
            groups=tuple(groups),
            faint=every.take(rest),
            faint_embeddings=embeddings[rest],
            faint_crops=crops[rest],
            crops=crops[mine],
            embeddings=embeddings[mine],
            ms=ms,
        )

    def moved(self, looks: Looks, numbers: Calibration) -> Found:
        """Join the ends to cards anew, some of which were put elsewhere.

        Args:
            looks: the same ends in the same order, where they are now.
            numbers: how ends are joined.

        Returns:
            The cards anew.
        """
        moved = replace(self, ends=looks.ends, crops=looks.crops, embeddings=looks.embeddings)
        return moved.taking(np.empty(0, np.intp), numbers)

    def taking(self, faint: NDArray[np.intp], numbers: Calibration) -> Found:
        """Take some of the faint ends for ends of cards.

        Args:
            faint: int[n], places of faint ends.
            numbers: how ends are joined.

        Returns:
            The cards anew.
        """
        count = len(self.ends)
        taken = np.arange(count + len(self.faint)) < count
        taken[count + faint] = True
        return Found.of(
            self.ends.joined(self.faint),
            np.concatenate([self.crops, self.faint_crops]),
            np.concatenate([self.embeddings, self.faint_embeddings]),
            taken,
            numbers,
            self.ms,
        )


class Reader:
    """Reads photos; keeps the models loaded.

    Args:
        open_session: opens a model, given the folder of the models and its file
            name; the phone brings its own.
        calibration: the numbers of `vision.calibration`; None takes those that ship.
        finder: a session to use instead of the shipped finder and, where none is
            given, of the refiner.
        refiner: a session to use instead of the shipped refiner.
        namer: a session to use instead of the shipped namer and, where none is given,
            of the verifier.
        namer_sha256: digest of that namer.
        verifier: a session to use instead of the shipped verifier.
    """

    def __init__(
        self,
        open_session: OpenSession = open_session,
        *,
        calibration: Calibration | None = None,
        finder: Session | None = None,
        refiner: Session | None = None,
        namer: Session | None = None,
        namer_sha256: str | None = None,
        verifier: Session | None = None,
    ) -> None:
        self._open = open_session
        self._finder = finder
        self._own_finder = finder is None
        self._refiner = refiner
        self._namer = namer
        self._own_namer = namer is None
        self._verifier = verifier
        self._compare: Compare | None = None
        self._namer_sha256 = namer_sha256
        self._calibration = calibration
        self._prepared: WeakKeyDictionary[Deck, Deck | None] = WeakKeyDictionary()
        self._stacked: WeakKeyDictionary[Deck, tuple[NDArray[np.float32], NDArray[np.intp]]] = (
            WeakKeyDictionary()
        )

    @property
    def calibration(self) -> Calibration:
        """The numbers that this reader is tuned by."""
        if self._calibration is None:
            self._calibration = shipped_calibration()
        return self._calibration

    @property
    def finder(self) -> Session:
        """The finder, opened at its first use."""
        if self._finder is None:
            self._finder = self._open(data_path("models"), FINDER)
        return self._finder

    @property
    def namer(self) -> Session:
        """The namer, opened at its first use."""
        if self._namer is None:
            self._namer = self._open(data_path("models"), NAMER)
        return self._namer

    @property
    def refiner(self) -> Session | None:
        """The refiner, opened at its first use; None where the finder was given alone or none ships."""
        if self._refiner is None and self._own_finder and ships(data_path("models"), REFINER):
            self._refiner = self._open(data_path("models"), REFINER)
        return self._refiner

    @property
    def verifier(self) -> Session | None:
        """The verifier, opened at its first use; None where the namer was given alone or none ships."""
        if self._verifier is None and self._own_namer and ships(data_path("models"), VERIFIER):
            self._verifier = self._open(data_path("models"), VERIFIER)
        return self._verifier

    @property
    def compare(self) -> Compare | None:
        """What gives a second opinion on cards that are not clear; None where there is no verifier."""
        if self._compare is None and self.verifier is not None:
            self._compare = Verifier(self.verifier)
        return self._compare

    @property
    def namer_sha256(self) -> str:
        """The digest of the namer, which says whose vectors a deck holds."""
        if self._namer_sha256 is None:
            self._namer_sha256 = manifest_sha256(data_path("models"), NAMER)
        return self._namer_sha256

    def embed(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Run the namer.

        Args:
            crops: uint8[n, 72, 48, 3], upright ends.

        Returns:
            float32[n, 128], unit length.
        """
        return embed(crops, self.namer)

    def prepare(self, deck: Deck) -> Deck:
        """Make the vectors of a deck where this namer did not make them; remembered while the deck lives.

        Args:
            deck: any deck.

        Returns:
            The deck with the vectors of this namer.
        """
        if deck not in self._prepared:
            made = deck.with_vectors(self.namer_sha256, self.embed)
            self._prepared[deck] = None if made is deck else made
        return self._prepared[deck] or deck

    def _vectors(self, deck: Deck) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """Stack the vectors of a deck's examples; remembered, since auto asks for those of every deck."""
        known = self._stacked.get(deck)
        if known is None:
            known = self._stacked[deck] = self.prepare(deck).vectors()
        return known

    def register(self, looks: Looks, deck: Deck, picture: Picture) -> Looks:
        """Look again at ends that are like no face of a deck, `vision.register`.

        Args:
            looks: the likely ends of a photo.
            deck: that of the photo.
            picture: the photo.

        Returns:
            The same ends, some of them moved; ``looks`` itself where none is.
        """
        vectors, _ = self._vectors(deck)

        def like(embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
            nearest: NDArray[np.float32] = cosines(embeddings, vectors).max(1)
            return nearest

        return register(Pyramid(picture.pixels), looks, self.embed, like, self.refiner)

    def warm_up(self) -> None:
        """Load the models now, so that the first photo does not wait for them."""
        self.finder.run({"image": np.zeros((1, 3, LONG_SIDE // 4 * 3, LONG_SIDE), np.float32)})
        if self.refiner is not None:
            self.refiner.run({"crops": np.zeros((1, 3, 72, 48), np.float32)})
        blank = np.zeros((1, 72, 48, 3), np.uint8)
        self.embed(blank)
        if self.compare is not None:
            self.compare(blank, blank, np.zeros((1, 2), np.intp))

    def ends(self, pixels: NDArray[np.uint8], threshold: float, *, pyramid: Pyramid | None = None) -> Ends:
        """Find the printed ends, looking at each twice.

        Args:
            pixels: uint8[h, w, 3], RGB, upright.
            threshold: ends of lower probability are left out.
            pyramid: of these pixels, where crops will be cut of them again.

        Returns:
            The ends in pixels of the photo, the likeliest first.
        """
        pyramid = pyramid or Pyramid(pixels)
        if self.refiner is None:
            return find_ends(pyramid, self.finder, threshold=threshold)
        faintest = min(threshold, FAINTEST)
        rough = find_ends(pyramid, self.finder, threshold=faintest)
        window = closer_window(rough, pixels.shape[:2])
        if window is not None:
            there = np.array([window[1].start, window[0].start], np.float32)
            again = find_ends(pixels[window], self.finder, threshold=faintest)
            if (again.scores >= SEEN_AGAIN).sum() >= (rough.scores >= SEEN_AGAIN).sum():
                rough = replace(again, centres=again.centres + there, cards=again.cards + there)
        closer = look_beneath(pyramid, look_closer(pyramid, both_ways(rough), self.refiner), self.refiner)
        closer = closer.take(np.argsort(-closer.scores, kind="stable"))
        closer = one_end_each(closer)
        return closer.take(np.flatnonzero(closer.scores >= threshold))

    def find(
        self,
        photo: NDArray[np.uint8] | Picture,
        *,
        threshold: float | None = None,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Found:
        """Find all cards and look at each, without naming them.

        Args:
            photo: uint8[h, w, 3], RGB, upright.
            threshold: probability from which an end counts; None is that of the
                calibration.
            progress: told the stage that begins and how much is done, 0 to 1.
            cancelled: asked between the stages; True stops.

        Returns:
            The cards in reading order.

        Raises:
            Cancelled: ``cancelled`` said so.
            ModelError: a model is missing or not the one that shipped.
        """
        picture = Picture.of(photo)
        times: dict[str, float] = {"decode": picture.ms}

        def stage(name: str, share: float) -> None:
            if cancelled is not None and cancelled():
                raise Cancelled
            if progress is not None:
                progress(name, share)

        stage("find", 0.0)
        begun = time.perf_counter()
        if threshold is None:
            threshold = self.calibration.find
        pyramid = Pyramid(picture.pixels)
        every = self.ends(picture.pixels, min(threshold, FAINTEST), pyramid=pyramid)
        times["find"] = (time.perf_counter() - begun) * 1000

        stage("name", 0.6)
        begun = time.perf_counter()
        crops = cut(pyramid, every.centres, every.ups, every.rights)
        found = Found.of(every, crops, self.embed(crops), every.scores >= threshold, self.calibration, times)
        times["name"] = (time.perf_counter() - begun) * 1000
        stage("decide", 0.95)
        return found

    def read(
        self,
        photo: NDArray[np.uint8] | Picture,
        decks: Deck | Sequence[Deck],
        *,
        kind: int | None = None,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Reading:
        """Read a photo.

        Args:
            photo: uint8[h, w, 3], RGB, upright.
            decks: the deck of the cards, or several, of which the one is taken
                that explains the photo best; where none does, or where no card can be
                read, the reading names no deck and no card is sure.
            kind: 110, 112 or 96, where a deck of this kind is expected; one of another
                is taken only where it is known and explains the photo clearly better.
            progress: told the stage that begins and how much is done, 0 to 1.
            cancelled: asked between the stages; True stops.

        Returns:
            The cards in reading order; none is no error.

        Raises:
            Cancelled: ``cancelled`` said so.
            DeckError: a deck has no examples.
            ModelError: a model is missing or not the one that shipped.
        """
        picture = Picture.of(photo)
        found = self.find(picture, progress=progress, cancelled=cancelled)
        begun = time.perf_counter()
        given = isinstance(decks, Deck)
        choice = [decks] if isinstance(decks, Deck) else list(decks)
        reading = self.name(found, choice, picture, given=given, kind=None if given else kind)
        if progress is not None:
            progress("done", 1.0)
        times = dict(reading.ms)
        times["decide"] = (time.perf_counter() - begun) * 1000
        return Reading(reading.size, reading.deck, reading.cards, reading.doubts, times, kind=reading.kind)

    def name(
        self,
        found: Found,
        decks: Sequence[Deck],
        picture: Picture,
        *,
        given: bool = False,
        kind: int | None = None,
    ) -> Reading:
        """Name the cards that were found by the deck that explains them best.

        Args:
            found: the cards of a photo.
            decks: one or several.
            picture: the photo.
            given: whether the player said that it is this deck.
            kind: of the deck that is expected.

        Returns:
            The reading.
        """
        scale = picture.scale
        deck, best = self.explain(found, decks, kind=kind)
        numbers = self.calibration
        known = deck is not None and (given or self.knows(found, deck, best, decks))
        if deck is None:
            doubts = [
                Doubt(_point(found.ends.centres[card.ends[0]], picture), "unreadable") for card in found.cards
            ]
            return Reading(picture.size, None, (), tuple(doubts), found.ms)
        size = (picture.pixels.shape[1], picture.pixels.shape[0])
        looks = Looks(found.ends, found.crops, found.embeddings)
        registered = self.register(looks, deck, picture)
        if registered is not looks:
            found = found.moved(registered, numbers)
        named = name_all(found, self.prepare(deck), self._vectors(deck), numbers, size, self.compare)
        found, decision, places = named.found, named.decision, named.places
        cards = []
        for place, card in enumerate(found.cards):
            if place in named.left_out:
                continue
            best_end = card.ends[0]
            a, b, c, d = ((x * scale, y * scale) for x, y in card.outline)
            cards.append(
                Card(
                    card=decision.names[place],
                    outline=(a, b, c, d),
                    mark=_point(found.ends.centres[best_end], picture),
                    confidence=float(decision.confidence[place]) if known else 0.0,
                    sure=decision.sure[place] and known,
                    others=decision.others[place],
                    group=found.groups[place],
                    crop=found.crops[best_end],
                    other_crop=next(
                        (found.crops[end] for end in card.ends[1:] if found.ends.seen[end] >= WELL_SEEN), None
                    ),
                )
            )
        whys = [
            *named.left_out.values(),
            *(
                _why(outline(found.faint, (end,)), float(found.faint.seen[end]), size)
                for end in range(len(found.faint))
            ),
        ]
        doubts = [
            Doubt(_point(places.ends.centres[places.at[place]], picture), whys[place])
            for place in one_each(places, named.chances).tolist()
            if named.chances[place] >= numbers.doubt
        ]
        return Reading(
            size=picture.size,
            deck=deck.name if known and (given or cards) else None,
            cards=tuple(_renumbered(cards)),
            doubts=tuple(doubts),
            ms=found.ms,
            kind=deck.kind if given or cards else None,
        )

    def explain(
        self, found: Found, decks: Sequence[Deck], *, kind: int | None = None
    ) -> tuple[Deck | None, float]:
        """Choose the deck that explains a photo best.

        Args:
            found: the cards of a photo.
            decks: those to choose from.
            kind: of the deck that is expected.

        Returns:
            The deck, None where there is none to choose from; and the mean
            similarity of the well seen cards to their nearest faces.
        """
        if kind is not None:
            expected, score = self.explain(found, [deck for deck in decks if deck.kind == kind])
            other, most = self.explain(found, [deck for deck in decks if deck.kind != kind])
            if other is None or not self.knows(found, other, most, decks):
                return expected, score
            if expected is None:
                return other, most
            better = self._likeness(found, other, worst=0) - self._likeness(found, expected, worst=0)
            return (other, most) if better >= OTHER_KIND else (expected, score)
        filled = [deck for deck in decks if deck.examples]
        if not filled:
            return None, -np.inf
        scores = [self._likeness(found, deck) for deck in filled]
        best = max(scores)
        place = min(
            (deck.read_only, KINDS.index(deck.kind), place)
            for place, (deck, score) in enumerate(zip(filled, scores, strict=True))
            if score >= best - TIE
        )[2]
        return filled[place], scores[place]

    def knows(self, found: Found, deck: Deck, score: float, decks: Sequence[Deck]) -> bool:
        """Tell whether a photo shows the deck that explains it best, or none of those known.

        One is known from a likeness on that no deck reaches by being written in the same
        hand. One of the player's own may be less like a worn or dark photo, where it stands
        out among those that ship.

        Args:
            found: the cards of the photo.
            deck: the best, of `explain`.
            score: its likeness.
            decks: those that it was chosen from.

        Returns:
            Whether it is the deck of the photo.
        """
        known = self.calibration.known
        if score >= known:
            return True
        rivals = [other for other in decks if other.read_only and other.examples]
        if deck.read_only or not rivals or score < known - LEEWAY:
            return False
        return score - max(self._likeness(found, other) for other in rivals) >= STANDS_OUT

    def _likeness(self, found: Found, deck: Deck, *, worst: float = WORST) -> float:
        """Give the mean similarity of the well seen cards to their nearest faces, without the worst."""
        places = [card.ends[0] for card in found.cards if found.ends.seen[card.ends[0]] >= WELL_SEEN]
        if not places:
            places = [card.ends[0] for card in found.cards]
        if not places:
            return 1.0
        vectors, _ = self._vectors(deck)
        nearest = cosines(found.embeddings[places], vectors).max(1)
        return float(np.sort(nearest)[int(len(nearest) * worst) :].mean())


def unread(
    found: Found, place: int, decision: Decision, numbers: Calibration, size: tuple[int, int]
) -> Why | None:
    """Say why a card that was found cannot be read.

    Args:
        found: the cards of a photo.
        place: one of them.
        decision: what they are called.
        numbers: from which similarity on a card can be read.
        size: width and height of the picture.

    Returns:
        Why; None where it can.
    """
    if decision.sure[place]:
        return None
    card = found.cards[place]
    confidence, seen = decision.confidence[place], found.ends.seen[card.ends[0]]
    # A wrong card has to be corrected, one that was left out has to be added: the rarer is less work.
    stranger = decision.similarity[place] < numbers.stranger or confidence + decision.real[place] < 1
    if not stranger and confidence >= (GUESS if seen < WELL_SEEN else GUESS_SEEN):
        return None
    return _why(card.outline, float(seen), size)


@dataclass(frozen=True, slots=True)
class Named:
    """The cards of a photo by the names of a deck."""

    found: Found
    decision: Decision

    left_out: dict[int, Why]
    """Places of the cards that cannot be read, and why."""

    places: Places
    """Where a card may have been missed: those cards, then the faint ends."""

    facts: NDArray[np.float32]
    """float32[places, facts], what is known of these places."""

    chances: NDArray[np.float32]
    """float32[places], how likely a card was missed there."""


def name_all(
    found: Found,
    deck: Deck,
    examples: tuple[NDArray[np.float32], NDArray[np.intp]],
    numbers: Calibration,
    size: tuple[int, int],
    compare: Compare | None = None,
) -> Named:
    """Name all cards of a photo; what is faint and yet most likely a card is taken for one.

    Args:
        found: the cards.
        deck: whose names.
        examples: its `Deck.vectors`.
        numbers: of `vision.calibration`.
        size: width and height of the picture.
        compare: gives a second opinion on cards that are not clear.

    Returns:
        The names.
    """
    named = _name_found(found, deck, examples, numbers, size, compare)
    faint = np.flatnonzero(named.chances[len(named.left_out) :] >= numbers.take)
    if not len(faint):
        return named
    return _name_found(found.taking(faint, numbers), deck, examples, numbers, size, compare)


def _name_found(
    found: Found,
    deck: Deck,
    examples: tuple[NDArray[np.float32], NDArray[np.intp]],
    numbers: Calibration,
    size: tuple[int, int],
    compare: Compare | None,
) -> Named:
    labels, (vectors, faces) = deck.labels, examples
    evidence = evidence_of(found, labels, examples, numbers.temperature)
    if compare is not None:
        evidence = second_opinion(evidence, found, deck, examples, numbers, compare)
    decision = decide(evidence, found.cards, found.ends, deck.copies, numbers, scale=LONG_SIDE / max(size))
    whys = [unread(found, place, decision, numbers, size) for place in range(len(found.cards))]
    left_out = {place: why for place, why in enumerate(whys) if why is not None}
    places = missed_places(found, decision, list(left_out))
    there = [place for place in range(len(found.cards)) if place not in left_out]
    kept = [found.cards[place] for place in there]
    alike, contrast = decision.features[there][:, _USUAL].mean(0) if there else (0.0, 0.0)
    looks = similarities(places.embeddings[places.at], vectors, faces, len(labels))
    facts = missed_facts(places, kept, looks, size, (alike, contrast))
    return Named(found, decision, left_out, places, facts, missed(facts, numbers))


def evidence_of(
    found: Found,
    labels: tuple[str, ...],
    examples: tuple[NDArray[np.float32], NDArray[np.intp]],
    temperature: float,
) -> Evidence:
    """Say how much speaks for each name of each card.

    Args:
        found: the cards of a photo.
        labels: the faces of the deck.
        examples: its `Deck.vectors`.
        temperature: similarities are divided by it.

    Returns:
        The evidence.
    """
    vectors, faces = examples
    best = found.crops[np.array([card.ends[0] for card in found.cards], np.intp)]
    return weigh(
        found.cards,
        similarities(found.embeddings, vectors, faces, len(labels)),
        found.ends.seen,
        labels,
        temperature=temperature,
        alike=likeness(vectors, faces, len(labels)),
        clarity=clarity(best),
        paper=paper(best),
    )


def missed_places(found: Found, decision: Decision, left_out: Sequence[int]) -> Places:
    """Say where a card may have been missed.

    Args:
        found: the cards of a photo.
        decision: what they are called.
        left_out: places of the cards that cannot be read.

    Returns:
        These cards first, then the faint ends.
    """
    ends, faint = found.ends, found.faint
    own = [found.cards[place].ends[0] for place in left_out]
    chances = np.zeros((len(own) + len(faint), 2), np.float32)
    for row, place in enumerate(left_out):
        chances[row] = decision.confidence[place], decision.real[place]
    return Places(
        ends=ends.joined(faint),
        embeddings=np.concatenate([found.embeddings, found.faint_embeddings]),
        crops=np.concatenate([found.crops, found.faint_crops]),
        at=np.array([*own, *range(len(ends), len(ends) + len(faint))], np.intp),
        chances=chances,
        found=np.arange(len(chances)) < len(own),
    )


def _point(point: NDArray[np.float32], picture: Picture) -> Point:
    """Take a place of the decoded picture to the whole photo; where it lies outside, to its edge."""
    x, y = (float(value) * picture.scale for value in point)
    return min(max(x, 0.0), picture.size[0] - 1.0), min(max(y, 0.0), picture.size[1] - 1.0)


def _renumbered(cards: Sequence[Card]) -> list[Card]:
    """Number the groups from 0 on after some cards were left out."""
    numbers: dict[int, int] = {}
    for card in cards:
        numbers.setdefault(card.group, len(numbers))
    return [replace(card, group=numbers[card.group]) for card in cards]


def _why(corners: Sequence[Point], seen: float, size: tuple[int, int]) -> Why:
    """Say why what lies within these corners, of whose end so much is seen, cannot be read."""
    if outside(corners, size) > OUTSIDE:
        return "cut off"
    return "covered" if seen < WELL_SEEN else "unreadable"
