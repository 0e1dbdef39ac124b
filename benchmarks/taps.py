"""How many questions the weighing of readings saves, and whether a settled payment was ever wrong.

    python -m benchmarks.taps FOLDER [--oracle] [--noise 0.04]

FOLDER holds labelled photos as in DESIGN.md. Every ``hand`` photo is read with its deck learned from the
``enrol`` photo and scored with the laid groups and the winning card that its label names, as players would
mark them. Asking for every unsure card and every place that could not be read is compared with asking only
what `table.settle` asks. Each question is answered by the label; where the round says that cards are missing
or too many, the player looks, and adds a card that was not read or drops one that is none. This goes on until
the round is settled or nothing more is asked.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass, field, replace
from pathlib import Path

import scorer
from table.cards import Corrections
from table.round import Round, Terms, play
from table.settle import Question
from vision.decode import read_photo
from vision.read import Reader
from vision.training.evaluate import (
    Photo,
    learn_decks,
    load_folder,
    match,
    on_the_table,
    read_as_labelled,
)
from vision.types import Reading

MOST_QUESTIONS = 80
BESIDE = 2.0
"""Widths of a card within which a player takes an outline for that of a card of its name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a photo came to."""

    name: str
    unsure: int
    """Taps where every unsure card and every doubt is asked for."""

    asked: int
    """Taps where only what matters is."""

    counted: int
    """Taps that added a card or dropped one because the round said that the number of cards is wrong."""

    settled: bool
    right: bool
    """Whether what is paid is what the label says."""

    guessed: bool
    """Whether laid groups and winning card were proposed as the label has them."""

    wins: bool
    """Whether the labelled hand wins."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table who sees the cards themselves and answers."""

    photo: Photo
    reading: Reading
    matched: tuple[int | None, ...]
    """For each card read the label that it is; None where it is made up."""

    said: Corrections = field(default_factory=Corrections)
    added: tuple[int, ...] = ()
    """The labels of the cards that were added."""

    def play(self, book: scorer.Book) -> Round:
        """Score what was read and said."""
        kept = [number for place, number in enumerate(self.matched) if place not in self.said.dropped]
        laid, win = on_the_table(self.photo, [*kept, *self.added])
        return play(self.reading, book, corrections=self.said, laid=laid, win=win, terms=Terms())

    def answer(self, played: Round, question: Question) -> Player:
        """Say what a card is, or what lies where none could be read."""
        if question.doubt is not None:
            return self._look_closer(question.doubt)
        place = None if question.index is None else played.cards[question.index].place
        if place is None:
            raise AssertionError(question)
        number = self.matched[place]
        if number is None:
            return self.drop(place)
        name = self.photo.labels[number].name
        return replace(self, said=replace(self.said, cards={**self.said.cards, place: name}))

    def drop(self, place: int) -> Player:
        """Say that a card is none."""
        return replace(self, said=replace(self.said, dropped=self.said.dropped | {place}))

    def count(self, missing: int) -> Player | None:
        """Add a card that is missing, or drop one that is none; None where the player finds no such card."""
        if missing > 0:
            unread = [number for number in range(len(self.photo.labels)) if not self._known(number)]
            return self._add(unread[0]) if unread else None
        made_up = [
            place
            for place, number in enumerate(self.matched)
            if number is None and place not in self.said.dropped
        ]
        return self.drop(made_up[0]) if made_up else None

    def _known(self, number: int) -> bool:
        return number in self.matched or number in self.added

    def _add(self, number: int) -> Player:
        name = self.photo.labels[number].name
        return replace(
            self, said=replace(self.said, added=(*self.said.added, name)), added=(*self.added, number)
        )

    def _look_closer(self, doubt: int) -> Player:
        x, y = self.reading.doubts[doubt].mark
        near = [
            (distance / label.width, number)
            for number, label in enumerate(self.photo.labels)
            if not self._known(number)
            for distance in [min(math.dist((x, y), label.end), math.dist((x, y), label.other_end))]
        ]
        player = replace(self, said=replace(self.said, cleared=self.said.cleared | {doubt}))
        distance, number = min(near, default=(math.inf, 0))
        return player._add(number) if distance < 1 else player  # noqa: SLF001 (it is its own)


def settle_photo(photo: Photo, reading: Reading) -> Outcome:
    """Ask until a photo is settled, and compare what is paid.

    Args:
        photo: with its labels.
        reading: of it.

    Returns:
        The outcome.

    Raises:
        AssertionError: the questions do not end.
    """
    book = scorer.load_book(str(photo.about["rule"]), photo.about.get("options"))
    truth = scorer.score(book, scorer.parse_hand(str(photo.about["hand"])), win=photo.about.get("winning"))
    player = Player(photo, reading, _recognised(photo, reading))
    unsure = sum(not card.sure for card in reading.cards) + len(reading.doubts)
    guessed = _guessed(photo, reading, player.matched, book)
    asked = counted = 0
    while asked + counted < MOST_QUESTIONS:
        played = player.play(book)
        settlement = played.settlement
        if not settlement.settled and settlement.questions:
            player, asked = player.answer(played, settlement.questions[0]), asked + 1
            continue
        after = player.count(settlement.missing) if settlement.missing else None
        if after is None:
            right = (played.score.wins, played.score.payments) == (truth.wins, truth.payments)
            return Outcome(
                photo.path.name, unsure, asked, counted, settlement.settled, right, guessed, truth.wins
            )
        player, counted = after, counted + 1
    raise AssertionError(photo.path.name)


def _recognised(photo: Photo, reading: Reading) -> tuple[int | None, ...]:
    """Match cards with labels as a player does: one of the right name beside its place is it, too."""
    matched = match(photo.labels, reading.cards)
    for place, card in enumerate(reading.cards):
        near = [
            (
                min(math.dist(card.mark, label.end), math.dist(card.mark, label.other_end)) / label.width,
                number,
            )
            for number, label in enumerate(photo.labels)
            if matched[place] is None and number not in matched and label.name == card.card
        ]
        distance, number = min(near, default=(math.inf, 0))
        if distance < BESIDE:
            matched[place] = number
    return tuple(matched)


def _guessed(photo: Photo, reading: Reading, matched: tuple[int | None, ...], book: scorer.Book) -> bool:
    """Compare what lies apart in the reading with what the label says."""
    proposal = play(reading, book, take_guess=True)
    groups, win = on_the_table(photo, matched)
    laid = sorted(sorted(group.indices) for group in groups)
    return proposal.win == win and sorted(sorted(group.indices) for group in proposal.laid) == laid


def main() -> None:
    """Measure a folder and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--oracle", action="store_true", help="take the ends of the cards from the labels")
    parser.add_argument("--noise", type=float, default=0.0, help="how far off they are, in widths of a card")
    args = parser.parse_args()
    photos, reader = load_folder(args.folder), Reader()
    decks = learn_decks(photos, reader, oracle=args.oracle)
    outcomes = []
    for photo in photos:
        if photo.layout != "hand" or photo.deck not in decks:
            continue
        picture, deck = read_photo(photo.path), decks[photo.deck]
        reading = (
            read_as_labelled(reader, picture, deck, photo.labels, args.noise)
            if args.oracle
            else reader.read(picture, deck)
        )
        outcome = settle_photo(photo, reading)
        outcomes.append(outcome)
        print(
            f"{outcome.name:32} unsure {outcome.unsure:3} asked {outcome.asked:3} counted {outcome.counted:2}"
            f" {'wins   ' if outcome.wins else 'no win '} {'settled' if outcome.settled else 'open   '}"
            f" {'right' if outcome.right else 'WRONG'}{'' if outcome.guessed else ', table guessed wrong'}"
        )
    settled = [outcome for outcome in outcomes if outcome.settled]
    print(
        f"{len(outcomes)} photos, {sum(each.wins for each in outcomes)} of hands that win:"
        f" {sum(each.unsure for each in outcomes)} unsure, {sum(each.asked for each in outcomes)} asked,"
        f" {sum(each.counted for each in outcomes)} added or dropped as the count was wrong;"
        f" {len(settled)} settled, {sum(not each.right for each in settled)} settled and wrong;"
        f" the table guessed right in {sum(each.guessed for each in outcomes)}"
    )


if __name__ == "__main__":
    main()
