"""How fast hands are counted, side by side with the `mahjong` package (run by `make bench`).

    python -m benchmarks.scorer [--hands 20000] [--rule sanjing]

Both sides count the same number of distinct finished hands, a third of them with groups on the table,
with the winning card named, half of them won on a discard. Hands are read before the clock starts on both
sides. Each side runs over its hands twice: the first pass begins with nothing learned, the second finds
what the first left behind (parts of hands, never whole hands). The result objects with their reasons are
made, and thrown away.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import scorer
from scorer.book import Book
from scorer.cards import FLOWER
from scorer.hand import Hand, Laid

Hands = list[tuple[Hand, str, bool]]
"""A hand, its winning card, and whether that was discarded."""


def finished_hands(book: Book, number: int, seed: int) -> Hands:
    """Make distinct finished hands of random groups, a third of the hands with one to four on the table."""
    rng = random.Random(seed)
    sentences = book.counter.points.sentences
    halves = [tuple(half) for half in sorted(map(sorted, book.counter.points.halves))]
    characters = book.deck.characters
    copies = book.deck.copies
    hands: Hands = []
    seen: set[tuple[object, ...]] = set()
    while len(hands) < number:
        groups: list[tuple[str, ...]] = []
        for _ in range(book.groups):
            if rng.random() < 0.6:
                groups.append(tuple(rng.choice(sentences)))
            else:
                size = 4 if rng.random() < 0.1 else 3
                groups.append((rng.choice(characters),) * size)
        eye = rng.choice(halves) if rng.random() < 0.6 else (rng.choice(characters),) * 2
        held = Counter(card for group in (*groups, eye) for card in group)
        if any(count > copies[card] + copies.get(FLOWER + card, 0) for card, count in held.items()):
            continue
        faces = {
            card: [card] * copies[card] + [FLOWER + card] * copies.get(FLOWER + card, 0) for card in held
        }
        for own in faces.values():
            rng.shuffle(own)
        dealt = [tuple(faces[card].pop() for card in group) for group in (*groups, eye)]
        can_lie = [
            group for group in dealt[:-1] if group[0][-1] == group[1][-1] or book.truth("table.pickup")
        ]
        on_table = rng.randint(1, 4) if len(hands) % 3 == 0 else 0
        if on_table and not can_lie:
            continue
        laid = tuple(
            Laid(group, "square" if len(group) == 4 and rng.random() < 0.5 else "round")
            for group in can_lie[:on_table]
        )
        free = [card for group in dealt if not any(group is one.cards for one in laid) for card in group]
        rng.shuffle(free)
        hand = Hand(tuple(free), (), laid)
        key = (tuple(sorted(free)), tuple(sorted(map(str, laid))))
        if key not in seen:
            seen.add(key)
            hands.append((hand, rng.choice(free), rng.random() < 0.5))
    return hands


def random_hands(book: Book, number: int, seed: int) -> list[Hand]:
    """Deal hands of the finished size from a whole deck; hardly any of them wins."""
    rng = random.Random(seed)
    deck = [card for card, copies in book.deck.copies.items() for _ in range(copies)]
    size = 3 * book.groups + 2
    return [Hand(tuple(rng.sample(deck, size))) for _ in range(number)]


def mahjong_hands(number: int, seed: int) -> Sequence[tuple[Any, ...]]:
    """Make distinct winning hands of 14 tiles, a third of them with one to three melds on the table."""
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld

    rng = random.Random(seed)
    hands: list[tuple[Any, ...]] = []
    seen: set[tuple[object, ...]] = set()
    while len(hands) < number:
        groups = []
        for _ in range(4):
            if rng.random() < 0.6:
                start = 9 * rng.randrange(3) + rng.randrange(7)
                groups.append([start, start + 1, start + 2])
            else:
                groups.append([rng.randrange(34)] * 3)
        pair = [rng.randrange(34)] * 2
        held = Counter(tile for group in (*groups, pair) for tile in group)
        if max(held.values()) > 4:
            continue
        left = {tile: [4 * tile + copy for copy in range(4)] for tile in held}
        dealt = [[left[tile].pop() for tile in group] for group in (*groups, pair)]
        on_table = rng.randint(1, 3) if len(hands) % 3 == 0 else 0
        melds = [
            Meld(Meld.PON if tiles[0] // 4 == tiles[1] // 4 else Meld.CHI, tiles)
            for tiles in dealt[:on_table]
        ]
        tiles = sorted(tile for group in dealt for tile in group)
        key = (
            tuple(sorted(tile // 4 for tile in tiles)),
            on_table,
            tuple(sorted(map(tuple, groups[:on_table]))),
        )
        win = rng.choice([tile for group in dealt[on_table:] for tile in group])
        config = HandConfig(is_tsumo=rng.random() < 0.5)
        if key not in seen and _has_yaku(tiles, win, melds, config):
            seen.add(key)
            hands.append((tiles, win, melds, config))
    return hands


def _has_yaku(tiles: list[int], win: int, melds: list[Any], config: Any) -> bool:
    """Whether a mahjong hand scores at all; those that do not are answered early."""
    from mahjong.hand_calculating.hand import HandCalculator

    return HandCalculator.estimate_hand_value(tiles, win, melds=melds, config=config).error is None


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor that a piece of work takes, so that other programs do not count."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def fresh_book(rule: str) -> Book:
    """A rule book that has learned nothing."""
    from scorer.book import _load

    _load.cache_clear()
    return scorer.load_book(rule)


def count_all(book: Book, hands: Hands) -> int:
    """Count hands; how many of them were split."""
    split = 0
    for hand, win, discarded in hands:
        result = scorer.score(book, hand, win=win, by="discard" if discarded else "self")
        split += result.points is not None
    return split


def mahjong_all(hands: Sequence[tuple[Any, ...]]) -> int:
    """Count mahjong hands; how many of them had a hand to score."""
    from mahjong.hand_calculating.hand import HandCalculator

    counted = 0
    for tiles, win, melds, config in hands:
        result = HandCalculator.estimate_hand_value(tiles, win, melds=melds, config=config)
        counted += result.error is None
    return counted


def worst(book: Book, hands: Sequence[Hand]) -> tuple[float, float]:
    """The longest and the mean time of one hand, in seconds."""
    longest = total = 0.0
    for hand in hands:
        start = time.process_time()
        scorer.score(book, hand)
        taken = time.process_time() - start
        total += taken
        longest = max(longest, taken)
    return longest, total / len(hands)


def advise_times(rule: str, hands: Hands, number: int) -> list[float]:
    """Times of advice for full hands, in seconds, each with a book that has learned nothing."""
    times = []
    for hand, _, _ in hands[:number]:
        book = fresh_book(rule)
        times.append(timed(lambda hand=hand, book=book: scorer.advise(book, hand)))  # type: ignore[misc]
    return sorted(times)


def memory(rule: str, hands: Hands) -> float:
    """MiB that a book has taken up after counting hands."""
    tracemalloc.start()
    book = fresh_book(rule)
    before, _ = tracemalloc.get_traced_memory()
    count_all(book, hands)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / 2**20


def show(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scorer", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--hands", type=int, default=20_000, help="distinct hands on each side")
    parser.add_argument("--rule", choices=scorer.RULES, default="sanjing")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="only the two rates")
    chosen = parser.parse_args(arguments)
    number, rule = chosen.hands, chosen.rule
    show(f"Python {platform.python_version()}, {os.cpu_count()} cores, one used; {number} hands a side")
    hands = finished_hands(scorer.load_book(rule), number, chosen.seed)
    tiles = mahjong_hands(number, chosen.seed)
    with_table = sum(bool(hand.laid) for hand, _, _ in hands)
    show(f"{rule}: {with_table} hands with groups on the table; mahjong: {sum(bool(h[2]) for h in tiles)}")
    count_all(fresh_book(rule), hands[:1])
    book = fresh_book(rule)
    gc.collect()
    gc.freeze()  # the hands of both sides are not part of what is measured
    passes = []
    for name in ("first", "second"):
        ours = number / timed(lambda: count_all(book, hands))
        theirs = number / timed(lambda: mahjong_all(tiles))
        passes.append(ours / theirs)
        show(f"{name} pass: scorer {ours:8.0f}/s   mahjong {theirs:8.0f}/s   ratio {ours / theirs:.2f}")
    if chosen.quick:
        return 0
    split, counted = count_all(book, hands), mahjong_all(tiles)
    show(f"hands that split: {split} of {number}; mahjong hands scored: {counted} of {number}")
    show(f"memory after the first pass: {memory(rule, hands):.1f} MiB")
    longest, mean = worst(fresh_book(rule), random_hands(book, number, chosen.seed))
    show(f"{number} random hands: worst {1e3 * longest:.1f} ms, mean {1e3 * mean:.3f} ms")
    for name in dict.fromkeys((rule, "tongcheng", "shuangbiegan", "gongan")):
        own = finished_hands(fresh_book(name), 20, chosen.seed)
        times = advise_times(name, own, 20)
        show(
            f"advise for a full hand, {name}: median {1e3 * times[10]:.0f} ms, worst {1e3 * times[-1]:.0f} ms"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
