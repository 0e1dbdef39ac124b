"""Where decks are kept: the player's own, and those that ship."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from vision.deck import SUFFIX, Deck, check_name, naming
from vision.errors import DeckError, ModelError
from vision.files import data_path, decks_folder


@functools.cache
def shipped_decks() -> tuple[Deck, ...]:
    """Load the decks that come with the program.

    Returns:
        Read-only decks by name.
    """
    try:
        folder = data_path("datasets/decks")
    except ModelError:
        return ()
    return tuple(Deck.load(path, read_only=True) for path in sorted(folder.glob(f"*{SUFFIX}")))


def is_copy(deck: Deck, original: Deck) -> bool:
    """Tell whether a deck differs from another in nothing but corrections.

    Args:
        deck: perhaps a copy.
        original: the other.

    Returns:
        Whether both have the same examples, those apart that corrections brought.
    """
    own, others = (
        [example for example in each.examples if not example.correction] for each in (deck, original)
    )
    return (
        deck.kind == original.kind
        and len(own) == len(others)
        and all(
            one.label == other.label and np.array_equal(one.crop, other.crop)
            for one, other in zip(own, others, strict=True)
        )
    )


def hides_shipped(name: str, deck: Deck | None = None) -> bool:
    """Tell whether a deck of this name would hide one that ships and looks otherwise.

    Args:
        name: of the deck.
        deck: the deck; None where it is still to be learned.

    Returns:
        Whether one of this name ships of which the deck is no copy.
    """
    shipped = next((each for each in shipped_decks() if each.name == name), None)
    return shipped is not None and (deck is None or not is_copy(deck, shipped))


def check_new_name(name: str, deck: Deck | None = None) -> str:
    """Make sure that a deck that is learned or taken may be called so.

    Args:
        name: of the deck.
        deck: the deck; None where it is still to be learned.

    Returns:
        The name.

    Raises:
        DeckError: no deck may, or one that ships has the name and would not be found any more.
    """
    same = next((each.name for each in shipped_decks() if each.name.casefold() == name.casefold()), name)
    if hides_shipped(check_name(name), deck) or same != name:
        raise DeckError("shipped_name", name=same)
    if name.endswith(SUFFIX):
        raise DeckError("suffix_name", name=name)
    return name


@dataclass(frozen=True, slots=True)
class Undone:
    """What `Shelf.undo` took back, and what is there now."""

    what: Literal["lesson", "replaced", "deleted"]
    deck: Deck
    """That is read with from now on."""

    labels: tuple[str, ...] = ()
    """The faces that the lesson was of."""

    kept: Path | None = None
    """Where what was taken back lies now; it has the time when it was saved."""


def is_file(wanted: str) -> bool:
    """Tell whether a deck that somebody wants is meant as a file.

    Args:
        wanted: ``kai`` or ``/home/me/village.deck``.

    Returns:
        Whether it is a path and not a name.
    """
    return "/" in wanted or os.sep in wanted or wanted.endswith(SUFFIX)


class Shelf:
    """All decks that a player has.

    Args:
        folder: where the player's own decks lie; None is
            `vision.files.decks_folder`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = decks_folder() if folder is None else folder
        self.damaged: tuple[DeckError, ...] = ()
        """Why own decks were left out when they were last loaded."""

    def path(self, name: str) -> Path:
        """Say where the player's own deck of this name lies or would lie.

        Args:
            name: of the deck.

        Returns:
            A path that need not exist.

        Raises:
            DeckError: a deck cannot be called so.
        """
        return self.folder / f"{check_name(name)}{SUFFIX}"

    def own(self) -> tuple[Deck, ...]:
        """Load the player's own decks; one that is damaged is left out.

        Returns:
            The decks by name.
        """
        decks = []
        damaged = []
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if path.name.startswith("."):
                continue
            try:
                decks.append(Deck.load(path))
            except DeckError as error:
                damaged.append(error)
        self.damaged = tuple(damaged)
        return tuple(decks)

    def decks(self, kind: int | None = None) -> tuple[Deck, ...]:
        """Load all decks, the player's own first; one of theirs hides a shipped one of its name.

        Args:
            kind: 110, 112 or 96; None gives all.

        Returns:
            The decks.
        """
        own = self.own()
        names = {deck.name for deck in own}
        both = (*own, *(deck for deck in shipped_decks() if deck.name not in names))
        return tuple(deck for deck in both if kind is None or deck.kind == kind)

    def find(self, wanted: str) -> Deck:
        """Find a deck by its name or load it from a path.

        Args:
            wanted: ``kai`` or ``/home/me/village.deck``.

        Returns:
            The deck.

        Raises:
            DeckError: there is none, or its file is damaged.
        """
        if is_file(wanted):
            return Deck.load(wanted)
        try:
            path = self.path(wanted)
        except DeckError:
            path = None
        if path is not None and path.exists():
            return Deck.load(path)
        for deck in shipped_decks():
            if deck.name == wanted:
                return deck
        known = ", ".join(deck.name for deck in self.decks())
        raise DeckError("missing", name=wanted, known=known)

    def check_new(self, name: str, deck: Deck | None = None) -> str:
        """Make sure that a deck that is learned or taken may be called so, here.

        Args:
            name: of the deck.
            deck: the deck; None where it is still to be learned.

        Returns:
            The name.

        Raises:
            DeckError: no deck may, one that ships has the name, or an own deck has it in other case.
        """
        check_new_name(name, deck)
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            other = path.name.removesuffix(SUFFIX)
            if other != name and other.casefold() == name.casefold():
                raise DeckError("exists", name=other)
        return name

    def set_aside(self, deck: Deck) -> Path | None:
        """Make room for a deck that was learned or taken: the one of its name, corrections and all, stays.

        Args:
            deck: that will be saved.

        Returns:
            Where the other one lies now, beside its old place under a name that no reader looks for; None
            where there was none.

        Raises:
            OSError: it cannot be moved.
        """
        path = self.path(deck.name)
        with naming(path):
            self._before(path).unlink(missing_ok=True)
            return path.replace(self._old(path)) if path.exists() else None

    @staticmethod
    def _old(path: Path) -> Path:
        """Where a deck lies that another of its name replaced, or that was deleted."""
        return path.with_name(f"{path.name}.old")

    @staticmethod
    def _before(path: Path) -> Path:
        """Where a deck lies as it was before it was last taught; empty where the player had none."""
        return path.with_name(f"{path.name}.before")

    @staticmethod
    def _undone(path: Path) -> Path:
        """Where a deck lies that `undo` took back."""
        return path.with_name(f"{path.name}.undone")

    def to_teach(self, deck: Deck) -> Deck:
        """Choose the deck of the player that a lesson goes into where a deck was given as a file.

        Args:
            deck: out of the file.

        Returns:
            The player's deck of this name, with all that it was taught; the deck itself where there is none.

        Raises:
            DeckError: the player has another deck of this name, one that is no copy of the file's, or a deck
                that ships has the name.
        """
        path = self.path(deck.name)
        if not path.exists():
            self.check_new(deck.name, deck)
            return deck
        own = Deck.load(path)
        if not is_copy(own, deck):
            raise DeckError("other_deck", name=deck.name)
        return own

    def save_taught(self, deck: Deck) -> Path:
        """Keep a deck that corrections have taught, and what it was before, for `undo`.

        Args:
            deck: what `table.teach` made of one of the same name.

        Returns:
            Where it lies now.

        Raises:
            OSError: it cannot be written.
        """
        path = self.path(deck.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with naming(path):
            if path.exists():
                shutil.copy2(path, self._before(path))
            else:
                self._before(path).write_bytes(b"")
        return self.save(deck)

    def undo(self, name: str) -> Undone:
        """Take back the last lesson of a deck, or else that it was replaced by another or deleted.

        Nothing is lost by it: what is taken back is kept beside the deck.

        Args:
            name: of the deck.

        Returns:
            What was taken back, and the deck of this name that is read with from now on.

        Raises:
            DeckError: there is no such deck, or nothing is known of what it was before.
            OSError: it cannot be moved.
        """
        path = self.path(name)
        with naming(path):
            return self._undo(name, path)

    def _undo(self, name: str, path: Path) -> Undone:
        before, old, undone = self._before(path), self._old(path), self._undone(path)
        if path.exists() and before.exists():
            path.replace(undone)
            if before.stat().st_size:
                before.replace(path)
            else:
                before.unlink()
            deck = self.find(name)
            return Undone("lesson", deck, tuple(dict.fromkeys(_lessons(undone, deck))), undone)
        if old.exists():
            replaced = path.exists()
            if replaced:
                path.replace(undone)
            old.replace(path)
            deck = self.find(name)
            return Undone("replaced", deck, kept=undone) if replaced else Undone("deleted", deck)
        self.find(name)
        raise DeckError("nothing_to_undo", name=name)

    def save(self, deck: Deck) -> Path:
        """Keep a deck as the player's own.

        Args:
            deck: of any origin; where one of its name ships, this one hides it.

        Returns:
            Where it lies now.

        Raises:
            OSError: it cannot be written.
        """
        path = self.path(deck.name)
        deck.save(path)
        return path

    def delete(self, name: str, *, aside: bool = False) -> Path | None:
        """Delete one of the player's own decks.

        Args:
            name: of the deck.
            aside: whether it is kept for `undo`.

        Returns:
            Where it is kept; None where it is not.

        Raises:
            DeckError: there is none, or it ships with the program.
            OSError: it cannot be deleted.
        """
        path = self.path(name)
        if path.exists():
            with naming(path):
                self._before(path).unlink(missing_ok=True)
                if aside:
                    return path.replace(self._old(path))
                path.unlink()
            return None
        if any(deck.name == name for deck in shipped_decks()):
            raise DeckError("read_only", name=name)
        raise DeckError("missing", name=name, known=", ".join(deck.name for deck in self.own()))

    def forget(self, most: int) -> None:
        """Delete what is kept of decks that are no more, those that were deleted first.

        Args:
            most: how many of them stay.

        Raises:
            OSError: one cannot be deleted.
        """
        kept = {}
        for path in self.folder.glob(f"*{SUFFIX}.*"):
            deck = path.with_name(path.name.rpartition(".")[0])
            if not path.name.startswith(".") and path == self._old(deck) and not deck.exists():
                kept[deck] = path.stat().st_ctime_ns
        for deck in sorted(kept, key=lambda each: kept[each])[: max(0, len(kept) - most)]:
            with naming(deck):
                for beside in (self._old(deck), self._before(deck), self._undone(deck)):
                    beside.unlink(missing_ok=True)

    def clear(self) -> None:
        """Delete all own decks, damaged ones too, and whatever is kept of them.

        Raises:
            OSError: one cannot be deleted.
        """
        for path in self.folder.glob(f"*{SUFFIX}*"):
            if path.is_file():
                path.unlink(missing_ok=True)


def _lessons(taught: Path, before: Deck) -> Iterator[str]:
    """Name the faces of the corrections that a deck has and the one before has not."""
    known = {(each.label, each.crop.tobytes()) for each in before.examples if each.correction}
    try:
        examples = Deck.from_bytes(taught.read_bytes()).examples
    except DeckError:
        return
    for each in examples:
        if each.correction and (each.label, each.crop.tobytes()) not in known:
            yield each.label
