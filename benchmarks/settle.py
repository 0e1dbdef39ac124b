"""How long the readings of unsure cards take to be weighed.

    python -m benchmarks.settle [--cards 6] [--names 5] [--hands 20]

Hands are won at random; of each some cards are made unsure, each with several names: its flower or plain copy
first, then any other card. Processor time is printed, since other work on the machine does not add to
it. Up to `table.settle.EXACT` unsure cards no limit is set, so that the time is that of all readings; with
more the program's own limit holds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Sequence

import scorer
from benchmarks.scorer import finished_hands
from table.round import play
from table.settle import EXACT
from vision.types import Card, Reading

_NO_LIMIT = 600.0
_NOWHERE = ((0.0, 0.0), (20.0, 0.0), (20.0, 90.0), (0.0, 90.0))


def photo(rng: random.Random, names: Sequence[str], deck: Sequence[str], cards: int, others: int) -> Reading:
    """Make a reading in which some cards are unsure.

    Args:
        rng: source of chance.
        names: the hand.
        deck: every card of the deck.
        cards: how many are unsure.
        others: how many names each of them has beside its own.

    Returns:
        The reading.
    """
    unsure = set(rng.sample(range(len(names)), cards))
    read = []
    for place, name in enumerate(names):
        rest: tuple[tuple[str, float], ...] = ()
        if place in unsure:
            twins = [card for card in deck if card != name and card[-1] == name[-1]]
            strangers = [card for card in deck if card[-1] != name[-1]]
            chosen = (twins + rng.sample(strangers, others))[:others]
            shares = [rng.uniform(0.02, 0.2) for _ in chosen]
            rest = tuple(zip(chosen, shares, strict=True))
        own = 1 - sum(share for _, share in rest)
        read.append(Card(name, _NOWHERE, (10.0, 16.0), own, place not in unsure, rest, place))
    return Reading((800, 600), "none", tuple(read), kind=110)


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=6)
    parser.add_argument("--names", type=int, default=3)
    parser.add_argument("--hands", type=int, default=20)
    args = parser.parse_args()
    rng = random.Random(5)
    book = scorer.load_book("jingzhou")
    deck = list(scorer.deck_cards(book.kind))
    hands = finished_hands(book, 4 * args.hands, seed=7)
    exact = args.cards <= EXACT
    times, readings, left, settled = [], [], [], 0
    for hand, _, _ in hands[: args.hands]:
        reading = photo(rng, hand.cards(), deck, args.cards, args.names - 1)
        start = time.process_time()
        played = play(reading, book, seconds=_NO_LIMIT) if exact else play(reading, book)
        times.append(time.process_time() - start)
        readings.append(played.settlement.readings)
        left.append(played.settlement.left_out)
        settled += played.settlement.settled
    print(
        f"{args.hands} hands, {args.cards} unsure cards of {args.names} names:"
        f" {statistics.median(readings):.0f} readings, median {statistics.median(times):.3f} s"
        f" of processor time, most {max(times):.3f} s, at most {max(left):.4%} left out, {settled} settled"
    )


if __name__ == "__main__":
    main()
