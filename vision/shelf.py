"""Where decks are kept: the player's own, and those that ship."""

from __future__ import annotations

import functools
import os
from pathlib import Path

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


class Shelf:
    """All decks that a player has.

    Args:
        folder: where the player's own decks lie; None is
            `vision.files.decks_folder`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = decks_folder() if folder is None else folder

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
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if path.name.startswith("."):
                continue
            try:
                decks.append(Deck.load(path))
            except DeckError:
                continue
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
        return path.replace(path.with_name(f"{path.name}.old"))

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
            return
        if any(deck.name == name for deck in shipped_decks()):
            raise DeckError("read_only", name=name)
        raise DeckError("missing", name=name, known=", ".join(deck.name for deck in self.own()))
