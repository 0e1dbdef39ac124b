"""What the app holds while it runs; the screens show it and change it through here alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import scorer
from mobile_app import settings as stored
from mobile_app import unfinished
from mobile_app.draft import Draft, as_decoded, from_cards, join, join_pictures, terms
from mobile_app.evening import Evening, players_of, seats_of
from mobile_app.known import KnownShelf
from mobile_app.result import next_best_text
from mobile_app.settings import Settings
from mobile_app.words import capital, words
from mobile_app.worker import Job
from scorer.waits import Advice, Wait
from table.ledger import Outcome
from table.round import Round, Terms
from table.teach import Taught, teach
from table.words import DeckMismatchError
from vision.deck import Deck
from vision.errors import VisionError
from vision.quality import Problem, judge_found, judge_photo
from vision.read import Found, Picture, Reader
from vision.types import Reading

if TYPE_CHECKING:
    from table.argument import Argument


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """What came of a photo."""

    picture: Picture = field(repr=False)
    reading: Reading
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand that was counted."""

    round: Round
    second: str
    """What the next best split gives, one line; empty where there is none."""


@dataclass(frozen=True, slots=True)
class PoorPhoto:
    """A photo that was not read, because it hardly can be."""

    picture: Picture = field(repr=False)
    problems: tuple[Problem, ...]
    found: Found | None = field(repr=False, default=None)
    """Its cards, where they were looked for already."""


def other_kind(book: scorer.Book, reading: Reading) -> DeckMismatchError:
    """Say that a photo shows a deck that the rule is not played with.

    Args:
        book: the rule book.
        reading: of the photo.

    Returns:
        The error, one line in each language.
    """
    parts = {"cards": book.kind, "deck": reading.deck or "?", "found": reading.kind}
    en = words("en", "photo.other_kind", rule=capital(book.title_en), **parts)
    return DeckMismatchError(en, words("zh-Hant", "photo.other_kind", rule=book.title, **parts))


class Model:
    """Settings, ledger, decks, and the hand that is being counted.

    Args:
        folder: where the app keeps its data.
        reader: reads the photos.
    """

    def __init__(self, folder: Path, reader: Reader) -> None:
        self.folder = folder
        self.reader = reader
        self.shelf = KnownShelf(folder / "decks")
        self.decks_read = False
        self.evening = Evening(folder)
        self.settings: Settings = stored.load(folder)
        self.picture: Picture | None = None
        self.problems: tuple[Problem, ...] = ()
        self._history: list[Draft] = []
        self._no_hand()

    def new_hand(self) -> None:
        """Forget the hand, what was kept of it, too."""
        self._no_hand()
        unfinished.forget(self.folder)

    def keep_hand(self) -> None:
        """Keep the hand that is not written down yet: the system may end an app that is not in front."""
        if not self.draft.count or self.settings.rule is None:
            return
        hand = unfinished.Unfinished(
            self.settings.rule, self.draft, self.winner, self.discarder, self.dealer, dict(self.dui)
        )
        try:
            unfinished.keep(hand, self.folder)
        except OSError:
            # The hand is still there as long as the app is; a full disk must not stop the photo.
            return

    def restore_hand(self) -> bool:
        """Take the hand that was kept when the app was ended.

        Returns:
            Whether there was one of the rule that is played.
        """
        if self.settings.rule is None:
            return False
        hand = unfinished.load(self.folder, self.kind)
        if hand is None or hand.rule != self.settings.rule or not hand.draft.count:
            unfinished.forget(self.folder)
            return False
        self._no_hand()
        self.restored = True
        self._history = [hand.draft]
        if hand.winner < self.settings.players and (hand.discarder or 0) < self.settings.players:
            self.winner, self.discarder = hand.winner, hand.discarder
            self.dui = {seat: count for seat, count in hand.dui.items() if 0 <= seat < self.settings.players}
        if hand.dealer in self.everybody:
            self.dealer = hand.dealer
        return True

    def _no_hand(self) -> None:
        self.restored = False
        """Whether the hand is one that the app kept when it was ended."""
        self.picture = None
        self.problems = ()
        self._history = [from_cards(())]
        self.winner = 0
        self.discarder: int | None = None
        self.dealer: str | None = None
        self.dui: dict[int, int] = {}
        self._counted: Counted | None = None

    def set(self, settings: Settings) -> None:
        """Change the settings and keep them.

        Args:
            settings: the new ones.
        """
        if settings != self.settings:
            self.settings = settings
            self._counted = None
            stored.save(settings, self.folder)

    @property
    def lang(self) -> str:
        """The language: ``zh-Hant``, ``zh-Hans`` or ``en``."""
        return self.settings.lang

    @property
    def book(self) -> scorer.Book:
        """The rule book with the table's options."""
        return self.settings.book()

    @property
    def kind(self) -> int:
        """The deck that the rule is played with."""
        return self.book.kind

    @property
    def draft(self) -> Draft:
        """The hand as it stands."""
        return self._history[-1]

    def change(self, draft: Draft) -> None:
        """Change the hand; the step can be taken back.

        Args:
            draft: the hand as it is now.
        """
        if draft != self.draft:
            self._history.append(draft)
            self._counted = None

    def step_back(self) -> bool:
        """Take the latest change of the hand back.

        Returns:
            Whether there was one.
        """
        if len(self._history) < 2:
            return False
        self._history.pop()
        self._counted = None
        return True

    @property
    def can_step_back(self) -> bool:
        """Whether a change of the hand can be taken back."""
        return len(self._history) > 1

    def decks(self) -> tuple[Deck, ...]:
        """Give the decks that the rule is played with.

        Returns:
            Those of the rule's kind, or the one that was chosen where it is of that kind.
        """
        decks = self.shelf.decks(self.kind)
        chosen = tuple(deck for deck in decks if deck.name == self.settings.deck)
        return chosen or decks

    def deck(self) -> Deck | None:
        """Give the deck whose pictures the app draws.

        Returns:
            The deck that the photo shows, else the first of the rule's kind; None where there is none.
        """
        wanted = self.draft.reading.deck
        decks = self.decks()
        return next((deck for deck in decks if deck.name == wanted), decks[0] if decks else None)

    def faces(self) -> Mapping[str, NDArray[np.uint8]]:
        """Give one picture of each face of the deck.

        Returns:
            Card to uint8[72, 48, 3].
        """
        deck = self.deck()
        pictures: dict[str, NDArray[np.uint8]] = {}
        for example in () if deck is None else deck.examples:
            if not example.correction:
                pictures.setdefault(example.label, example.crop)
        return pictures

    def load_decks(self, job: Job[None]) -> None:
        """Read all decks, so that the first page that draws their faces does not wait for them.

        Args:
            job: in whose thread this runs.
        """
        job.tell("decks", 0.0)
        try:
            self.shelf.decks()
        finally:
            self.decks_read = True

    def load_models(self, job: Job[None]) -> None:
        """Load the models, so that the first photo does not wait for them.

        Args:
            job: in whose thread this runs.

        Raises:
            VisionError: a model is missing or not the one that ships.
        """
        job.tell("models", 0.0)
        self.reader.warm_up()

    def read(
        self, picture: Picture, *, anyway: PoorPhoto | None = None
    ) -> Callable[[Job[ReadPhoto | PoorPhoto]], ReadPhoto | PoorPhoto]:
        """Make the work that reads a photo.

        Args:
            picture: the upright photo.
            anyway: what was said about this photo already; it is read all the same.

        Returns:
            Work for a `Job`: a reading, or, where the photo is too poor to be read and nobody was told yet,
            what is wrong with it. It raises a `VisionError` where no model or deck is there, and a
            `DeckMismatchError` where the photo shows a deck of another kind than the rule's.
        """
        picture = as_decoded(picture)
        decks, book = self.decks(), self.book
        given = len(decks) == 1 and decks[0].name == self.settings.deck
        if not given:
            # A deck of another kind is known by its own faces, and told instead of being misread.
            decks = self.shelf.decks()

        def work(job: Job[ReadPhoto | PoorPhoto]) -> ReadPhoto | PoorPhoto:
            job.tell("look", 0.02)
            problems = judge_photo(picture.pixels)
            if problems and anyway is None:
                return PoorPhoto(picture, problems)
            found = None if anyway is None else anyway.found
            if found is None:
                found = self.reader.find(picture, progress=job.tell, cancelled=lambda: job.cancelled)
            height, width = picture.pixels.shape[:2]
            problems += judge_found(found, (width, height))
            if problems and anyway is None:
                return PoorPhoto(picture, problems, found)
            reading = self.reader.name(found, decks, picture, given=given, kind=None if given else book.kind)
            if reading.kind not in (None, book.kind):
                raise other_kind(book, reading)
            job.tell("done", 1.0)
            return ReadPhoto(picture, reading, problems)

        return work

    def take(self, read: ReadPhoto, *, another: bool = False) -> None:
        """Take a photo that was read.

        Args:
            read: what came of it.
            another: whether it shows more of the same hand.
        """
        if another and self.picture is not None:
            both, above = join_pictures(self.picture, read.picture)
            draft = join(self.draft, read.reading, above)
            self.picture = both
            self._history = [draft]
            self._counted = None
            self.problems = read.problems
            return
        self.new_hand()
        self.picture = read.picture
        self.problems = read.problems
        self._history = [Draft(read.reading)]

    def seats(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Name who plays, by the scorer's seats, and who rests."""
        return seats_of(self.settings, self.dealer)

    @property
    def everybody(self) -> tuple[str, ...]:
        """Name everybody at the table."""
        return players_of(self.settings)

    @property
    def asks_dui(self) -> bool:
        """Whether the book makes who exposed three 對 pay alone."""
        return self.book.truth("bao.holds")

    def won_by(self, winner: int, discarder: int | None) -> None:
        """Say who won.

        Args:
            winner: the seat.
            discarder: the seat whose card it was; None where the winner drew it.
        """
        self.winner = winner
        self.discarder = None if discarder == winner else discarder
        self.dui.pop(winner, None)
        self._counted = None

    def exposed(self, seat: int, count: int) -> None:
        """Say how many 對 a loser has exposed.

        Args:
            seat: of the loser.
            count: how many.
        """
        self.dui[seat] = count
        self._counted = None

    def terms(self) -> Terms:
        """Write how the hand was won."""
        return terms(
            winner=self.winner,
            discarder=self.discarder,
            players=self.settings.players,
            stake=self.settings.stake,
            dui={seat: count for seat, count in self.dui.items() if count},
        )

    @property
    def counted(self) -> Counted | None:
        """The hand as it stands, where it was counted already; forgotten when anything changes."""
        counted = self._counted
        return counted if counted is not None and counted.round.lang == self.lang else None

    @counted.setter
    def counted(self, counted: Counted) -> None:
        self._counted = counted

    def counting(self) -> Callable[[object], Counted]:
        """Make the work that counts the hand as it is now.

        Returns:
            Work for a `Job`; it raises a ValueError with a `text` where the hand does not fit the rule.
        """
        draft, book, terms, lang = self.draft, self.book, self.terms(), self.lang

        def work(_: object) -> Counted:
            played = draft.play(book, terms, lang)
            return Counted(played, next_best_text(played.score, lang))

        return work

    def count(self) -> Round:
        """Count the hand; kept until something changes.

        Returns:
            The round.

        Raises:
            ValueError: the hand does not fit the rule; it has a `text`.
        """
        counted = self.counted
        if counted is None:
            counted = self.counted = self.counting()(None)
        return counted.round

    def arguing(self, claim: int) -> Callable[[object], Argument]:
        """Make the work that looks for where somebody else's count and ours part.

        Args:
            claim: the points that somebody else counts.

        Returns:
            Work for a `Job`.
        """
        from table.argument import Case, argue

        played, rule, lang = self.count(), self.settings.rule or "", self.lang
        win = None if played.win is None else played.cards[played.win].card
        case = Case(rule, played.book, played.hand, win, played.terms.keywords(), lang)
        return lambda _: argue(case, str(claim))

    def confirm(self) -> Outcome:
        """Write the counted hand into the ledger.

        Returns:
            What was written.

        Raises:
            LedgerError: the hand does not win or cannot be written.
        """
        outcome, settings = self.evening.confirm(self.settings, self.count(), dealer=self.dealer)
        self.set(settings)
        self.new_hand()
        return outcome

    def confirm_false_claim(self, note: str) -> None:
        """Write down what a hand costs that was declared and does not win.

        Args:
            note: for the line of the ledger.

        Raises:
            LedgerError: it cannot be written.
        """
        payments = self.count().penalty.payments
        self.set(self.evening.penalise(self.settings, payments, note, dealer=self.dealer))
        self.new_hand()

    def lesson(self) -> Callable[[object], Taught | None] | None:
        """Make the work that lets the deck learn from the corrections of the hand.

        Returns:
            Work for a `Job`, which says what the deck learned and what not, None where it failed; None where
            there is nothing to learn or the players do not want it.
        """
        reading, corrections = self.draft.reading, self.draft.corrections()
        if not self.settings.teach_deck or not corrections.cards:
            return None
        deck = next((deck for deck in self.decks() if deck.name == reading.deck), None)
        if deck is None:
            return None

        def work(_: object) -> Taught | None:
            try:
                taught = teach(deck, reading, corrections, reader=self.reader)
                if taught.deck is not deck:
                    self.shelf.save_taught(self.reader.prepare(taught.deck))
            except (VisionError, OSError):
                return None
            return taught

        return work

    def waiting(self) -> Callable[[object], tuple[Wait, ...]]:
        """Make the work that says what the hand waits for.

        Returns:
            Work for a `Job`: the cards that complete the hand. It raises a `ScorerError` where the hand does
            not fit the rule.
        """
        book, hand, players, lang = self.book, self.draft.hand(), self.settings.players, self.lang
        return lambda _: scorer.waits(book, hand, players=players, lang=lang)

    def advising(self) -> Callable[[object], Advice]:
        """Make the work that says what to discard.

        Returns:
            Work for a `Job`: the discards, the best first. It raises a `ScorerError` where the hand does not
            fit the rule.
        """
        book, hand, players, lang = self.book, self.draft.hand(), self.settings.players, self.lang
        return lambda _: scorer.advise(book, hand, players=players, lang=lang)

    def over(self) -> int:
        """Compare the hand with a full one.

        Returns:
            0 where it waits for its last card, 1 where it is full or has one too many to wait, else how
            many it has more (or less, negative) than one that waits; fours on the table are allowed for.
        """
        hand = self.draft.hand()
        extra = sum(max(0, len(laid.cards) - 3) for laid in hand.laid)
        return len(hand.cards()) - (3 * self.book.groups + 1) - extra

    def close(self) -> None:
        """Close the ledger."""
        self.evening.close()
