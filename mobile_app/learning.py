"""A deck in a minute: which faces to lay out, what a photo shows of them, corrected, and saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from vision.deck import Deck, Example
from vision.faces import COPIES
from vision.learn import LearnWarning, check_faces, is_upside_down
from vision.read import Found, Picture, Reader

ROW: Final = 14
"""So many faces lie in a row of the guided photo."""

_WELL_SEEN: Final = 0.8


@dataclass(frozen=True, slots=True)
class Lesson:
    """One photo of faces: what lies there and what each is called."""

    picture: Picture = field(repr=False)
    found: Found = field(repr=False)
    names: Mapping[int, str]
    """Place of a found card to its face; cards without one are left out."""

    @property
    def outlines(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The outline of each found card in pixels of the picture."""
        return tuple(card.outline for card in self.found.cards)

    @property
    def marks(self) -> tuple[tuple[float, float], ...]:
        """Where to write the name of each found card."""
        centres = self.found.ends.centres
        return tuple(
            (float(centres[card.ends[0]][0]), float(centres[card.ends[0]][1])) for card in self.found.cards
        )

    def call(self, place: int, face: str | None) -> Lesson:
        """Say which face a card shows.

        Args:
            place: of the found card.
            face: in the standard spelling; None where it is none of the deck.

        Returns:
            The corrected lesson; a face that another card had stays with both.
        """
        names = {key: name for key, name in self.names.items() if key != place}
        return replace(self, names=names if face is None else {**names, place: face})

    def call_on(self, place: int, face: str | None, order: Sequence[str]) -> Lesson:
        """Say which face a card shows, and let the cards after it follow in order.

        So a card that was overlooked, or something that is no card, is mended by one tap.

        Args:
            place: of the found card.
            face: in the standard spelling; None where it is none of the deck.
            order: the faces that were laid out for this photo.

        Returns:
            The corrected lesson; cards for which no face is left have no name.
        """
        places = list(range(len(self.found.cards)))
        if self.is_turned(order):
            places.reverse()
        at = places.index(place)
        names = {key: self.names[key] for key in places[:at] if key in self.names}
        if face is None:
            used = set(names.values())
            first = self.names.get(place) or next((each for each in order if each not in used), None)
            at += 1
        else:
            first = face
        rest = order[order.index(first) :] if first in order else ()
        return replace(self, names={**names, **dict(zip(places[at:], rest, strict=False))})

    def is_turned(self, order: Sequence[str]) -> bool:
        """Tell whether the names run against the order in which the faces were laid out.

        Args:
            order: the faces that were laid out for this photo.

        Returns:
            Whether the photo was taken from across the table.
        """
        named = [order.index(self.names[place]) for place in sorted(self.names) if self.names[place] in order]
        return len(named) > 1 and named[0] > named[-1]

    def reversed(self) -> Lesson:
        """Give the names in the opposite order: the photo was taken from across the table.

        Returns:
            The lesson with the last card called as the first was.
        """
        places = sorted(self.names)
        names = [self.names[place] for place in reversed(places)]
        return replace(self, names=dict(zip(places, names, strict=True)))


@dataclass(frozen=True, slots=True)
class Course:
    """All photos of one deck that is being learned."""

    name: str
    kind: int
    lessons: tuple[Lesson, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """Every face of the deck in the order in which they are laid out."""
        return tuple(COPIES[self.kind])

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The faces row by row."""
        faces = self.faces
        return tuple(faces[start : start + ROW] for start in range(0, len(faces), ROW))

    @property
    def learned(self) -> frozenset[str]:
        """The faces that a photo has shown."""
        return frozenset(name for lesson in self.lessons for name in lesson.names.values())

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that no photo has shown yet, in order."""
        learned = self.learned
        return tuple(face for face in self.faces if face not in learned)

    @property
    def asked(self) -> tuple[str, ...]:
        """The faces that were laid out for the last photo, in order."""
        before = replace(self, lessons=self.lessons[:-1])
        return before.missing

    def look(self, picture: Picture, reader: Reader, **asked: object) -> Course:
        """Look at one more photo; its cards are taken for the missing faces in order.

        Args:
            picture: an upright photo.
            reader: finds the cards.
            **asked: ``progress`` and ``cancelled`` of `Reader.find`.

        Returns:
            The course with the photo; cards beyond the missing faces have no name.
        """
        found = reader.find(picture, **asked)  # type: ignore[arg-type]
        names = dict(enumerate(self.missing[: len(found.cards)]))
        if is_upside_down(found, self.missing, reader=reader):
            names = dict(zip(reversed(range(len(found.cards))), self.missing, strict=True))
        return replace(self, lessons=(*self.lessons, Lesson(picture, found, names)))

    def put(self, lesson: Lesson) -> Course:
        """Take the corrected last photo.

        Args:
            lesson: the last one, corrected.

        Returns:
            The course with it.
        """
        return replace(self, lessons=(*self.lessons[:-1], lesson))

    def drop(self) -> Course:
        """Forget the last photo.

        Returns:
            The course without it.
        """
        return replace(self, lessons=self.lessons[:-1])

    def deck(self, reader: Reader) -> tuple[Deck, tuple[LearnWarning, ...]]:
        """Make the deck of what was learned.

        Args:
            reader: whose namer made the vectors.

        Returns:
            The deck, and what is weak about it.

        Raises:
            DeckError: no face was learned, or the name cannot be a deck's.
        """
        examples = tuple(
            example
            for lesson in self.lessons
            for place in lesson.names
            for example in _examples(lesson, place)
        )
        deck = Deck(self.name, self.kind, examples, namer=reader.namer_sha256)
        warnings: Sequence[LearnWarning] = check_faces(deck) if examples else ()
        return deck, tuple(warnings)


def _examples(lesson: Lesson, place: int) -> list[Example]:
    found, card = lesson.found, lesson.found.cards[place]
    return [
        Example(lesson.names[place], np.ascontiguousarray(found.crops[end]), found.embeddings[end])
        for end in card.ends
        if end == card.ends[0] or found.ends.seen[end] > _WELL_SEEN
    ]
