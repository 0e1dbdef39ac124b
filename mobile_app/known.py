"""The decks of the app, read from their files once and not at every look."""

from __future__ import annotations

from pathlib import Path

from vision.deck import SUFFIX, Deck
from vision.shelf import Shelf


class KnownShelf(Shelf):
    """All decks that a player has; those on disk are read again only where a file changed.

    Args:
        folder: where the player's own decks lie.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._seen: tuple[tuple[str, int, int, int], ...] | None = None
        self._own: tuple[Deck, ...] = ()

    def own(self) -> tuple[Deck, ...]:
        """Give the player's own decks; one that is damaged is left out.

        Returns:
            The decks by name, the very objects of the last time where nothing changed.
        """
        seen = tuple(
            # A clock may stand still between two saves; each makes a file of its own.
            (path.name, status.st_ino, status.st_mtime_ns, status.st_size)
            for path in sorted(self.folder.glob(f"*{SUFFIX}"))
            for status in (path.stat(),)
        )
        if seen != self._seen:
            self._own = super().own()
            self._seen = seen
        return self._own
