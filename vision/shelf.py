"""Where decks are kept: the player's own, and those that ship."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import numpy as np

from vision.deck import SUFFIX, Deck, check_name
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
    """Tell whether a deck is another with nothing but corrections added.

    Args:
        deck: perhaps a copy.
        original: the other.

    Returns:
        Whether it has the same examples, those apart that corrections brought.
    """
    own = [example for example in deck.examples if not example.correction]
    return (
        deck.kind == original.kind
        and len(own) == len(original.examples)
        and all(
            one.label == other.label and np.array_equal(one.crop, other.crop)
            for one, other in zip(own, original.examples, strict=True)
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
    if hides_shipped(check_name(name), deck):
        raise DeckError("shipped_name", name=name)
    return name


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
        if "/" in wanted or os.sep in wanted or wanted.endswith(SUFFIX):
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

    def set_aside(self, deck: Deck) -> Path | None:
        """Make room for a deck that was learned anew: another one of its name, corrections and all, stays.

        Args:
            deck: that will be saved.

        Returns:
            Where the other one lies now, beside its old place under a name that no reader looks for; None
            where there was none.

        Raises:
            OSError: it cannot be moved.
        """
        path = self.path(deck.name)
        if not path.exists() or path.read_bytes() == deck.to_bytes():
            return None
        self._before(path).unlink(missing_ok=True)
        return path.replace(self._old(path))

    @staticmethod
    def _old(path: Path) -> Path:
        """Where a deck lies that another of its name replaced."""
        return path.with_name(f"{path.name}.old")

    @staticmethod
    def _before(path: Path) -> Path:
        """Where a deck lies as it was before it was last taught; empty where the player had none."""
        return path.with_name(f"{path.name}.before")

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
        self._before(path).write_bytes(path.read_bytes() if path.exists() else b"")
        return self.save(deck)

    def undo(self, name: str) -> Deck:
        """Take back the last correction that a deck was taught, or else that it was replaced by another.

        Args:
            name: of the deck.

        Returns:
            The deck of this name that is read with from now on.

        Raises:
            DeckError: nothing is known of what it was before.
            OSError: it cannot be moved.
        """
        path = self.path(name)
        before, old = self._before(path), self._old(path)
        if path.exists() and before.exists():
            if before.stat().st_size:
                before.replace(path)
            else:
                path.unlink()
                before.unlink()
        elif old.exists():
            between = path.with_name(f".{path.name}.{os.getpid()}")
            if path.exists():
                path.replace(between)
            old.replace(path)
            if between.exists():
                between.replace(old)
        else:
            raise DeckError("nothing_to_undo", name=name)
        return self.find(name)

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

    def delete(self, name: str) -> None:
        """Delete one of the player's own decks.

        Args:
            name: of the deck.

        Raises:
            DeckError: there is none, or it ships with the program.
        """
        path = self.path(name)
        if path.exists():
            path.unlink()
            self._before(path).unlink(missing_ok=True)
            return
        if any(deck.name == name for deck in shipped_decks()):
            raise DeckError("read_only", name=name)
        raise DeckError("missing", name=name, known=", ".join(deck.name for deck in self.own()))
