"""Look again at ends that look like no face of the deck, or not quite like one.

The finder and the refiner know no deck. Where cards lie closely, or little of one is seen, they may put an
end a third of a width beside where it is, or upside down: what is cut out there is like no face, and a card
that anybody can read would be left out. Once the deck is known, such an end is registered with its faces: it
is shifted and turned, roughly and then finely, to where it is like one of them (Zitová and Flusser, "Image
registration methods: a survey", 2003); one that is only odd, finely. The likeness is then the best of many
tries, so the confidence is told what was gained (`vision.types.Ends.gained`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import cut
from vision.pair import distances
from vision.refine import look_closer

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from vision.crops import Pyramid
    from vision.session import Session
    from vision.types import Ends

STRANGE = 0.7
"""An end of which the cosine to each face is less is like none: it lies beside its print, or on none."""

ODD = 0.85
"""One of which it is less is not quite like any: it may lie a little beside its print."""

BELOW = 0.07
"""But what is no less than this like a face than most ends of the photo are is as like as it can be."""

GAIN = 0.02
"""Where it is not that much more like one, it stays."""

HOPE = 0.6
"""One that is nowhere near so like a face is not looked at more finely."""

FAMILIAR = 0.8
"""From this cosine on it is put where it is like a face."""

SEEN = 0.3
"""Of an end of which less is seen, no place would be like a face."""

MOST_STRANGE, MOST = 6, 12
"""So many ends of a photo are looked at again, the likeliest: of those like none, and of all."""

ROUGH = 0.25
"""First shifts, in widths of the card along and across."""

FINE = 0.12
"""Then these, about the best of the first."""

ROUGH_TURN, FINE_TURN = 14.0, 7.0
"""Turns that are tried, in degrees."""

OWN = 1.0
"""Ends of one direction whose centres lie within so many halves of a width are of one print."""

PARTNER = 2.0
"""The other end of a card lies within so many halves of where it is expected."""

SIDE = 0.7
"""Cosine between the directions of two ends that are of one print, at least."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Ends of a photo, what is cut out there and what the namer makes of it."""

    ends: Ends
    crops: NDArray[np.uint8]
    """uint8[ends, 72, 48, 3]."""

    embeddings: NDArray[np.float32]
    """float32[ends, 128]."""

    def put(self, places: NDArray[np.intp], others: Looks) -> Looks:
        """Exchange some ends for others.

        Args:
            places: int[m], of these.
            others: m ends.

        Returns:
            As many ends as before.
        """
        crops, embeddings = self.crops.copy(), self.embeddings.copy()
        crops[places], embeddings[places] = others.crops, others.embeddings
        return Looks(self.ends.put(places, others.ends), crops, embeddings)

    def take(self, places: NDArray[np.intp]) -> Looks:
        """Pick some of the ends, in the order of ``places``."""
        return Looks(self.ends.take(places), self.crops[places], self.embeddings[places])


def register(
    pyramid: Pyramid,
    looks: Looks,
    embed: Callable[[NDArray[np.uint8]], NDArray[np.float32]],
    like: Callable[[NDArray[np.float32]], NDArray[np.float32]],
    refiner: Session | None = None,
) -> Looks:
    """Put ends that are not quite like a face of the deck where they are like one, if it is nearby.

    Where that place is the print of an end that was found, nothing is moved: what the other shows is told.

    Args:
        pyramid: the photo.
        looks: its ends, those that are likely ones.
        embed: the namer, uint8[n, 72, 48, 3] to float32[n, 128].
        like: float32[n, 128] to float32[n], the cosine to the nearest face of the deck.
        refiner: says anew how much is seen of an end that was moved; None leaves what was said.

    Returns:
        The same ends, some of them moved; ``looks`` itself where none is.
    """
    likeness = like(looks.embeddings) if len(looks.ends) else np.empty(0, np.float32)
    places = strangers(looks.ends, likeness)
    if not len(places):
        return looks

    def see(there: Ends) -> tuple[Looks, NDArray[np.float32]]:
        """What is cut out where these ends lie, and how like a face it is."""
        crops = cut(pyramid, there.centres, there.ups, there.rights)
        seen = Looks(there, crops, embed(crops))
        return seen, like(seen.embeddings)

    def best(tried: Ends, of: int) -> tuple[Looks, NDArray[np.float32]]:
        """Of tries of ``of`` ends, one after the other, the one of each that is most like a face."""
        seen, alike = see(tried)
        each = len(tried) // of
        chosen = np.arange(of) * each + alike.reshape(of, each).argmax(1)
        return seen.take(chosen), alike[chosen]

    moved, alike = looks.take(places), likeness[places]
    rough = np.flatnonzero(alike < STRANGE)
    if len(rough):
        found, more_alike = best(
            tries(moved.ends.take(rough), ROUGH, ROUGH_TURN, upside_down=True), len(rough)
        )
        moved = moved.put(rough, found)
        alike[rough] = more_alike
    hope = np.flatnonzero(alike >= HOPE)
    if not len(hope):
        return looks
    places = places[hope]
    moved, alike = best(tries(moved.ends.take(hope), FINE, FINE_TURN), len(hope))
    better = alike >= np.maximum(FAMILIAR, likeness[places] + GAIN)
    others = likeness >= STRANGE
    others[places[better]] = False
    new = _new(looks.ends.take(np.flatnonzero(others)), moved.ends, np.where(better, alike, 0))
    if not len(new):
        return looks
    moved, alike = moved.take(new), alike[new]
    if refiner is not None:
        # It says how much is seen, and its correction is taken where that makes an end more like a face.
        closer = look_closer(pyramid, moved.ends, refiner, looks=1, sized=0)
        corrected, more_alike = see(replace(closer, scores=moved.ends.scores))
        better = np.flatnonzero(more_alike > alike)
        moved = replace(moved, ends=replace(moved.ends, seen=closer.seen)).put(better, corrected.take(better))
        alike = np.maximum(alike, more_alike)
    gained = alike - likeness[places[new]]
    return looks.put(places[new], replace(moved, ends=replace(moved.ends, gained=gained)))


def strangers(ends: Ends, likeness: NDArray[np.float32]) -> NDArray[np.intp]:
    """Choose the ends that are looked at again.

    Args:
        ends: of a photo.
        likeness: float32[ends], cosine to the nearest face of the deck.

    Returns:
        int[n], at most `MOST`, the likeliest first: those not quite like a face, but for what is the other
        end of a card that is like one.
    """
    known = np.flatnonzero(likeness >= FAMILIAR)
    away = distances(ends.opposites, ends.centres[known]) / ends.halves[:, None]
    told = (away < PARTNER).any(1)
    usual = float(np.median(likeness[known])) if len(known) else 1.0
    odd = (likeness < min(ODD, usual - BELOW)) & (ends.seen >= SEEN) & ~told
    places = np.flatnonzero(odd)
    places = places[np.argsort(-ends.scores[places], kind="stable")]
    strange = likeness[places] < STRANGE
    return places[~strange | (np.cumsum(strange) <= MOST_STRANGE)][:MOST]


def tries(ends: Ends, shift: float, turn: float, *, upside_down: bool = False) -> Ends:
    """Shift and turn ends.

    Args:
        ends: some.
        shift: how far, in widths of the card, along and across.
        turn: by how many degrees either way.
        upside_down: whether each is turned by half, too.

    Returns:
        All tries of the first end, then those of the second, and so on; each moves its card along.
    """
    steps = [(x, y, 0.0) for x in (-shift, 0.0, shift) for y in (-shift, 0.0, shift)]
    steps += [(0.0, 0.0, -turn), (0.0, 0.0, turn)]
    if upside_down:
        steps += [(x, y, angle + 180) for x, y, angle in steps]
    count = len(steps)
    every = ends.take(np.repeat(np.arange(len(ends)), count))
    across, along, angle = (
        np.tile(np.array(part, np.float32), len(ends)) for part in zip(*steps, strict=True)
    )
    width = 2 * every.halves
    right = every.rights / every.halves[:, None]
    centres = every.centres + (across * width)[:, None] * right + (along * width)[:, None] * every.directions
    return replace(
        every,
        centres=centres.astype(np.float32),
        ups=_turned(every.ups, angle),
        rights=_turned(every.rights, angle),
        cards=centres.astype(np.float32) + _turned(every.cards - every.centres, angle),
    )


def _turned(vectors: NDArray[np.float32], degrees: NDArray[np.float32]) -> NDArray[np.float32]:
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    x, y = vectors.T
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=1).astype(np.float32)


def _new(others: Ends, moved: Ends, alike: NDArray[np.float32]) -> NDArray[np.intp]:
    """Choose of ends that were moved those that are like a face and show a print that no other shows."""
    chosen: list[int] = []
    for place in np.argsort(-alike, kind="stable").tolist():
        if alike[place] < FAMILIAR:
            break
        here = moved.take(np.array([place]))
        there = others.joined(moved.take(np.array(chosen, np.intp)))
        near = distances(here.centres, there.centres)[0] < OWN * here.halves
        same = near & (here.facing(there)[0] > SIDE)
        if not same.any():
            chosen.append(place)
    return np.array(chosen, np.intp)
