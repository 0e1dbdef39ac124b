"""How many questions the weighing of readings saves, and whether a settled payment was ever wrong.

    python -m benchmarks.taps FOLDER [--oracle] [--noise 0.04]

FOLDER holds labelled photos as in DESIGN.md. Every ``hand`` photo is read with its deck learned from the
``enrol`` photo and scored with the laid groups and the winning card that its label names, as players would
mark them. Asking for every unsure card and every place that could not be read is compared with asking only
what `table.settle` asks. Each question is answered by the label; questions go on until the round is settled.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import scorer
from table.cards import Corrections
from table.round import LaidGroup, Round, Terms, play
from table.words import TableError
from vision.decode import read_photo
from vision.read import Reader
from vision.training.evaluate import Photo, learn_decks, load_folder, match, read_as_labelled
from vision.types import Reading

MOST_QUESTIONS = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a photo came to."""

    name: str
    unsure: int
    """Taps where every unsure card and every doubt is asked for."""

    asked: int
    """Taps where only what matters is."""

    settled: bool
    """Whether the questions settled it."""

    right: bool
    """Whether what is paid is what the label says."""

    counted: bool
    """Whether the number of cards fits; where it does not the report says so, and nothing is paid."""

    guessed: bool
    """Whether laid groups and winning card were proposed as the label has them."""


def settle_photo(photo: Photo, reading: Reading) -> Outcome:
    """Ask until a photo is settled, and compare what is paid.

    Args:
        photo: with its labels.
        reading: of it.

    Returns:
        The outcome.
    """
    book = scorer.load_book(str(photo.about["rule"]), photo.about.get("options"))
    truth = scorer.score(book, scorer.parse_hand(str(photo.about["hand"])), win=photo.about.get("winning"))
    matched = match(photo.labels, reading.cards)
    guessed = _guessed(photo, reading, matched, book)
    answers = Corrections()
    unsure = sum(not card.sure for card in reading.cards) + len(reading.doubts)
    for asked in range(MOST_QUESTIONS):
        played = _play(photo, reading, matched, book, answers)
        if played is None:
            return Outcome(
                photo.path.name, unsure, asked, settled=False, right=False, counted=True, guessed=guessed
            )
        if played.settlement.settled or not played.settlement.questions:
            right = played.score.wins == truth.wins and played.score.payments == truth.payments
            counted = played.score.reason not in ("wrong_count", "too_many_copies")
            return Outcome(photo.path.name, unsure, asked, played.settlement.settled, right, counted, guessed)
        question = played.settlement.questions[0]
        if question.doubt is not None:
            answers = _look_closer(photo, reading, matched, question.doubt, answers)
        elif question.index is not None and (place := played.cards[question.index].place) is not None:
            number = matched[place]
            if number is None:
                answers = replace(answers, dropped=answers.dropped | {place})
            else:
                answers = replace(answers, cards={**answers.cards, place: photo.labels[number].name})
    raise AssertionError(photo.path.name)


def _guessed(photo: Photo, reading: Reading, matched: list[int | None], book: scorer.Book) -> bool:
    """Compare what lies apart in the reading with what the label says."""
    proposal = play(reading, book, take_guess=True)
    groups: dict[int, set[int]] = defaultdict(set)
    win = None
    for place, number in enumerate(matched):
        if number is not None:
            label = photo.labels[number]
            win = place if label.winning else win
            if label.laid and label.group is not None:
                groups[label.group].add(place)
    laid = sorted(sorted(group) for group in groups.values())
    return proposal.win == win and sorted(sorted(group.indices) for group in proposal.laid) == laid


def _look_closer(
    photo: Photo, reading: Reading, matched: list[int | None], doubt: int, answers: Corrections
) -> Corrections:
    """Answer for a place that could not be read: the card that lies there, or that none does."""
    x, y = reading.doubts[doubt].mark
    near = [
        (label.name, distance / label.width)
        for number, label in enumerate(photo.labels)
        if number not in matched
        for distance in [min(math.dist((x, y), label.end), math.dist((x, y), label.other_end))]
    ]
    name, distance = min(near, key=lambda each: each[1], default=("", math.inf))
    added = (*answers.added, name) if distance < 1 else answers.added
    return replace(answers, added=added, cleared=answers.cleared | {doubt})


def _play(
    photo: Photo, reading: Reading, matched: list[int | None], book: scorer.Book, answers: Corrections
) -> Round | None:
    groups: dict[int, list[int]] = defaultdict(list)
    win = None
    kept = [number for place, number in enumerate(matched) if place not in answers.dropped]
    for place, number in enumerate(kept):
        if number is None:
            continue
        label = photo.labels[number]
        if label.winning:
            win = place
        if label.laid and label.group is not None:
            groups[label.group].append(place)
    try:
        return play(
            reading,
            book,
            corrections=answers,
            laid=[LaidGroup(tuple(places)) for places in groups.values()],
            win=win,
            terms=Terms(),
        )
    except (TableError, scorer.ScorerError):
        return None


def _verdict(outcome: Outcome) -> str:
    if outcome.right:
        return "right"
    return "WRONG" if outcome.counted else "cards missing"


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
            f"{outcome.name:32} unsure {outcome.unsure:3} asked {outcome.asked:3}"
            f" {'settled' if outcome.settled else 'open   '} {_verdict(outcome)}"
        )
    settled = [outcome for outcome in outcomes if outcome.settled]
    print(
        f"{len(outcomes)} photos: {sum(each.unsure for each in outcomes)} unsure cards,"
        f" {sum(each.asked for each in outcomes)} asked; {len(settled)} settled,"
        f" {sum(not each.right and each.counted for each in settled)} of them paid wrong,"
        f" {sum(not each.right and not each.counted for each in settled)} said to lack or exceed cards;"
        f" the table guessed right in {sum(each.guessed for each in outcomes)}"
    )


if __name__ == "__main__":
    main()
