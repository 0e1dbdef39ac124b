"""What all requests share: the ledger, the readers, the decks, the rule books."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import scorer
from server import database
from server.pool import Pool
from server.problems import ProblemError
from server.settings import Settings
from table.ledger import Ledger
from vision.deck import SUFFIX, Deck
from vision.errors import DeckError
from vision.read import Picture
from vision.shelf import Shelf, shipped_decks
from vision.types import Reading


class PhotoReader(Protocol):
    """What the service needs of `vision.Reader`."""

    def read(
        self, photo: NDArray[np.uint8] | Picture, decks: Deck | list[Deck], *, kind: int | None = None
    ) -> Reading:
        """Reads a photo."""


class Service:
    """Everything behind the endpoints; one for each process."""

    def __init__(self, settings: Settings, reader: Callable[[], PhotoReader]) -> None:
        """Opens the ledger.

        Args:
            settings: Places and limits.
            reader: Makes the reader at its first use, so that a service starts fast.
        """
        self.settings = settings
        self.ledger = Ledger(database.open_store(settings.url))
        self.reading = Pool("reader", settings.readers, settings.reading_queue, behind=5)
        self.counting = Pool("counter", settings.counters, settings.counting_queue)
        self.teaching = threading.Lock()
        self._make_reader = reader
        self._decks: dict[Path, tuple[tuple[int, int, int], Deck]] = {}
        self._lock = threading.Lock()

    @cached_property
    def reader(self) -> PhotoReader:
        """The reader with its models, one for all threads."""
        return self._make_reader()

    def close(self) -> None:
        """Ends the workers and closes the ledger."""
        self.reading.close()
        self.counting.close()
        self.ledger.close()

    def shelf(self, table_id: str | None) -> Shelf:
        """The decks of a table, or those of this machine.

        Raises:
            UnknownTableError: There is no such table.
        """
        if table_id is None:
            return Shelf(self.settings.home / "decks")
        # The id is one that the ledger gave, so it names nothing outside the folder.
        return Shelf(self.settings.home / "tables" / self.ledger.table(table_id).id / "decks")

    def own_decks(self, shelf: Shelf) -> list[Deck]:
        """The decks that lie on a shelf, read again only where a file changed."""
        found = []
        for path in sorted(shelf.folder.glob(f"*{SUFFIX}")):
            if path.name.startswith("."):
                continue
            try:
                found.append(self._load(path))
            except (DeckError, OSError):
                continue
        return found

    def decks(self, table_id: str | None) -> list[tuple[Deck, bool]]:
        """The decks that can be read with, the nearest first, each with whether it lies on the shelf asked.

        A table has its own, then those of this machine, then those that ship; a nearer one hides
        another of its name.

        Raises:
            UnknownTableError: There is no such table.
        """
        own = self.own_decks(self.shelf(table_id))
        found = [(deck, True) for deck in own]
        further: Iterable[Deck] = shipped_decks()
        if table_id is not None:
            further = [*self.own_decks(self.shelf(None)), *further]
        names = {deck.name for deck in own}
        for deck in further:
            if deck.name not in names:
                names.add(deck.name)
                found.append((deck, False))
        return found

    def choose(self, wanted: str, table_id: str | None, kind: int | None) -> Deck | list[Deck]:
        """The deck of a name, or for `auto` all: a photo of a deck of another kind is told by its own.

        Args:
            wanted: A name or `auto`.
            table_id: Whose decks.
            kind: The kind that the rule is played with, of which there has to be one; None for any.

        Returns:
            One deck, or several to choose from.

        Raises:
            DeckError: There is no deck of this name, or none at all.
            UnknownTableError: There is no such table.
        """
        every = [deck for deck, _ in self.decks(table_id)]
        if wanted == "auto":
            if not any(kind in (None, deck.kind) for deck in every):
                raise DeckError("missing", name="auto", known=", ".join(deck.name for deck in every))
            return every
        for deck in every:
            if deck.name == wanted:
                return deck
        raise DeckError("missing", name=wanted, known=", ".join(deck.name for deck in every))

    def _load(self, path: Path) -> Deck:
        status = path.stat()
        # A clock may stand still between two saves; each makes a file of its own.
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        with self._lock:
            known = self._decks.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        deck = Deck.load(path)
        with self._lock:
            if len(self._decks) > 256:
                self._decks.clear()
            self._decks[path] = (stamp, deck)
        return deck


def book(rule: str, options: Mapping[str, object]) -> scorer.Book:
    """A rule book that ships, with options; never a file that a stranger names.

    Raises:
        scorer.ScorerError: There is no such rule or option.
    """
    if rule not in scorer.RULES:
        raise scorer.UnknownRule("unknown_rule", rule=rule, known=", ".join(scorer.RULES))
    return _book(rule, tuple(sorted(options.items())))


@lru_cache(maxsize=256)
def _book(rule: str, options: tuple[tuple[str, object], ...]) -> scorer.Book:
    return scorer.load_book(rule, dict(options))


def check_new_table(service: Service) -> None:
    """Refuses a table beyond the limit.

    Raises:
        ProblemError: There are too many.
    """
    if service.ledger.store.count() >= service.settings.max_tables:
        raise ProblemError("too_many_tables")
