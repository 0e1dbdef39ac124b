"""Compare `scorer` with the reference on random hands, on several cores, from where it stopped.

    python -m tests.scorer.fuzz --book sanjing --hands 20000 --shard 0/2 --resume

Each book, seed and shard keeps a file under `.fuzz/` with the number of hands that it has
compared and the differences that it found; a change to the scorer or to the reference begins
it anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import scorer
from tests.scorer import reference
from tests.scorer.random_hands import random_case, shuffled, spelled
from tests.scorer.reference import WILD, Case, Hand, Stand

ROOT = Path(__file__).resolve().parents[2]
STATE = ROOT / ".fuzz"
SAVE_EVERY_SECONDS = 5.0
WAITS_EVERY = 20
SHUFFLE_EVERY = 4
ADVISE_EVERY = 200


# --- the two sides -------------------------------------------------------------------------


def ask_scorer(case: Case, text: str | None = None) -> dict[str, Any]:
    """The JSON of `scorer.score`, of another text of the hand where one is given."""
    book = scorer.load_book(case.rule, dict(case.options))
    result = scorer.score(
        book,
        scorer.parse_hand(text or str(case.hand)),
        win=case.win,
        by=case.by,
        players=case.players,
        stake=case.stake,
        winner=case.winner,
        discarder=case.discarder,
        dui=dict(case.dui),
    )
    return result.to_json()


# --- comparing -----------------------------------------------------------------------------


def differences(case: Case) -> list[str]:
    """What the scorer and the reference say differently of a case, a line each."""
    got, want = ask_scorer(case), reference.score(case)
    found = []

    def same(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            found.append(f"{what}: the scorer says {ours!r}, the reference {theirs!r}")

    same("wins", got["wins"], want.wins)
    same("reason", got["reason"], want.reason)
    same("points", got["points"], want.points)
    same("steps", got["steps"], want.steps)
    same("class", got["class"], want.name)
    same("payments", {p["seat"]: p["pays"] for p in got["payments"]}, dict(want.payments))
    same("paid to", {p["to"] for p in got["payments"]} - {case.winner}, set())
    same("stake", got["stake"], case.stake)
    same("hand", sorted_hand(Hand.read(got["hand"])), sorted_hand(case.hand))
    parsed = scorer.parse_hand(str(case.hand))
    same("hand read back", scorer.parse_hand(str(parsed)), parsed)
    if want.points is None or got["points"] is None:
        same("groups", got["groups"], [])
        return found
    same("minimum", got["minimum"], want.minimum)
    if got["main_jing"] not in want.main_jings:
        found.append(f"main jing: {got['main_jing']!r}, but {set(want.main_jings)} attain the best")
    if got["points"] == want.points:
        found += faults_of_groups(case, got)
        found += faults_of_warnings(case, got)
    return found


def sorted_hand(hand: Hand) -> tuple[object, ...]:
    """A hand without the order of its cards."""
    laid = sorted((group.bracket, sorted(group.cards)) for group in hand.laid)
    return sorted(hand.free), sorted(hand.picked), laid


def as_stands(cards: Iterable[str]) -> tuple[Stand, ...]:
    """The cards of a reported group; a wild is written 賴>花三."""
    return tuple(
        Stand(card[-1], flower=True, wild=True)
        if card.startswith(WILD)
        else Stand(card[-1], flower=card[0] == "花")
        for card in cards
    )


def faults_of_groups(case: Case, got: dict[str, Any]) -> list[str]:
    """What is wrong about the groups of a report by themselves."""
    book = case.book
    groups = got["groups"]
    found = []
    if sum(group["points"] for group in groups) != got["points"]:
        found.append("groups: their points do not sum to the points of the hand")
    cards = [card for group in groups for card in group["cards"]]
    if any(card != WILD and card.startswith(WILD) and card[:2] != WILD + ">" for card in cards):
        found.append("groups: a wild is not written 賴>花三")
    named = Counter(WILD if card.startswith(WILD) else card for card in cards)
    if named != Counter(case.hand.all_cards()):
        found.append("groups: their cards are not the cards given")
    shapes = Counter(group["shape"] for group in groups)
    pairs_alone = shapes == Counter(pair=10)
    if not pairs_alone and (
        shapes["eye"] != 1 or shapes["pair"] or len(groups) != reference.groups_needed(book) + 1
    ):
        found.append(f"groups: {dict(shapes)}")
    exposed = Counter(bool(group["exposed"]) for group in groups)[True]
    round_groups = [group for group in case.hand.laid if group.bracket == "round"]
    on_discard = case.by == "discard" and case.win is not None
    if not len(round_groups) <= exposed <= len(round_groups) + on_discard:
        found.append(f"groups: {exposed} exposed, {len(round_groups)} lie on the table")
    left = Counter((tuple(sorted(g.cards))) for g in round_groups)
    for group in groups:
        stands = as_stands(group["cards"])
        characters = "".join(stand.character for stand in stands)
        alike = len(set(characters)) == 1
        in_sentence = any(set(characters) <= set(s) for s in reference.sentences(book))
        proper = {
            "sentence": len(set(characters)) == 3 == len(characters) and in_sentence,
            "triplet": alike and len(characters) == 3,
            "quad": alike and len(characters) == 4,
            "quint": alike and len(characters) == 5,
            "eye": len(characters) == 2 and (alike or in_sentence),
            "pair": alike and len(characters) == 2,
        }
        if not proper[group["shape"]]:
            found.append(f"groups: {characters} is no {group['shape']}")
            continue
        key = tuple(sorted(WILD if card.startswith(WILD) else card for card in group["cards"]))
        if group["exposed"] and not left[key]:
            if group["shape"] != "triplet" or case.win not in key:
                found.append(f"groups: {characters} is called exposed")
        elif group["exposed"]:
            left[key] -= 1
        points = reference.value(book, stands, group["shape"], bool(group["exposed"]), got["main_jing"])
        if points != group["points"]:
            found.append(f"groups: {characters} counts {points}, not {group['points']}")
        if group["basis"] not in ("seed", "practice", "option") or not group["name"] or not group["why"]:
            found.append(f"groups: {characters} is not explained")
    return found


def faults_of_warnings(case: Case, got: dict[str, Any]) -> list[str]:
    """Which warnings are missing and which should not be there."""
    codes = [warning["code"] for warning in got["warnings"]]
    wanted = reference.warning_codes(case)
    quints = any(group["shape"] == "quint" for group in got["groups"])
    wanted["quint_origin"] = quints
    found = [f"warnings: {code} given twice" for code, count in Counter(codes).items() if count > 1]
    found += [f"warnings: {code} is missing" for code, due in wanted.items() if due and code not in codes]
    found += [f"warnings: {code} is given" for code, due in wanted.items() if not due and code in codes]
    return found


def order_matters(case: Case, rng: random.Random) -> list[str]:
    """What changes in the scorer's report when the cards are given in another order and spelling."""
    other = shuffled(case, rng)
    first, second = ask_scorer(case), ask_scorer(other, spelled(other, rng))
    names = ("wins", "reason", "points", "minimum", "steps", "class", "main_jing", "payments")
    return [
        f"order: {name} is {first[name]!r}, in another order {second[name]!r}"
        for name in names
        if first[name] != second[name]
    ]


def differences_of_waits(case: Case, rng: random.Random) -> list[str]:
    """Compare the waits of a hand without its winning card."""
    free = list(case.hand.free)
    if not free:
        return []
    free.remove(case.win if case.win is not None else rng.choice(free))
    hand = Hand(tuple(free), case.hand.picked, case.hand.laid)
    book = scorer.load_book(case.rule, dict(case.options))
    got = [
        wait.to_json()
        for wait in scorer.waits(book, scorer.parse_hand(str(hand)), by=case.by, players=case.players)
    ]
    want = reference.waits(replace(case, hand=hand))
    ours = [(w["card"], w["left"], w["points"], w["steps"], w["wins"]) for w in got]
    theirs = [(w.card, w.left, w.points, w.steps, w.wins) for w in want]
    if ours == theirs:
        return []
    return [f"waits of {hand}: the scorer says {ours}, the reference {theirs}"]


def faults_of_advice(case: Case) -> list[str]:
    """What is wrong about the advice for a hand, given the scorer's own waits."""
    book = scorer.load_book(case.rule, dict(case.options))
    round_: dict[str, Any] = {"by": case.by, "players": case.players}
    advice: Any = scorer.advise(book, scorer.parse_hand(str(case.hand)), **round_).to_json()["advise"]
    found = []
    order = list(reference.deck(case.book))
    ranks = []
    for line in advice:
        free, picked = list(case.hand.free), list(case.hand.picked)
        if line["discard"] not in free + picked:
            found.append(f"advice: {line['discard']} is not in hand")
            continue
        # of a picked-up and another copy the picked-up one goes, for it may stand in fewer places
        (picked if line["discard"] in picked else free).remove(line["discard"])
        hand = replace(case.hand, free=tuple(free), picked=tuple(picked))
        waits: list[Any] = [w.to_json() for w in scorer.waits(book, scorer.parse_hand(str(hand)), **round_)]
        if waits != line["waits"]:
            found.append(f"advice: other waits after {line['discard']}: {line['waits']}, not {waits}")
        worth = sum(w["left"] * w["steps"] for w in waits if w["wins"])
        ranks.append((-worth, -line["left"], order.index(line["discard"])))
    if ranks != sorted(ranks):
        found.append(f"advice: not in order: {[line['discard'] for line in advice]} by {ranks}")
    return found


def compare(case: Case, number: int) -> list[str]:
    """Everything that is wrong about the scorer's answers on a case."""
    rng = random.Random(number)
    try:
        found = differences(case)
        if number % SHUFFLE_EVERY == 0:
            found += order_matters(case, rng)
        if number % WAITS_EVERY == 0:
            found += differences_of_waits(case, rng)
        if number % ADVISE_EVERY == 0:
            found += faults_of_advice(case)
    except Exception as error:  # noqa: BLE001 - whatever the scorer raises on good input is a finding
        return [f"raised {type(error).__name__}: {error}"]
    return found


# --- smaller cases -------------------------------------------------------------------------


def smaller(case: Case) -> Iterable[Case]:
    """The same case with one thing less about it."""
    if case.dui:
        yield replace(case, dui={})
    if case.stake != 1:
        yield replace(case, stake=1)
    if case.winner:
        yield replace(case, winner=0, discarder=None, dui={})
    if case.discarder is not None:
        yield replace(case, discarder=None)
    if case.players is not None:
        yield replace(case, players=None)
    if case.by != "self":
        yield replace(case, by="self", discarder=None)
    if case.win is not None:
        yield replace(case, win=None)
    for name in case.options:
        if name not in ("form", "wilds"):
            yield replace(case, options={k: v for k, v in case.options.items() if k != name})
    hand = case.hand
    for i, card in enumerate(hand.picked):
        yield replace(
            case, hand=replace(hand, free=(*hand.free, card), picked=hand.picked[:i] + hand.picked[i + 1 :])
        )
    for i, group in enumerate(hand.laid):
        rest = hand.laid[:i] + hand.laid[i + 1 :]
        yield replace(case, hand=Hand(hand.free + group.cards, hand.picked, rest))
    for i, card in enumerate(hand.free):
        if card[0] == "花":
            free = (*hand.free[:i], card[1:], *hand.free[i + 1 :])
            yield replace(case, hand=replace(hand, free=free), win=case.win if case.win in free else None)


def shrink(case: Case, number: int) -> Case:
    """A smaller case that still differs."""
    for other in smaller(case):
        if any("raised" not in line for line in compare(other, number)):
            return shrink(other, number)
    return case


# --- running -------------------------------------------------------------------------------


def fingerprint() -> str:
    """A hash of everything that decides whether two implementations agree."""
    sources = [*(ROOT / "scorer").rglob("*.py"), *(ROOT / "scorer").rglob("*.toml")]
    sources += [ROOT / "tests/scorer" / name for name in ("reference.py", "random_hands.py", "fuzz.py")]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def run(
    rule: str,
    hands: int,
    *,
    seed: int = 0,
    shard: tuple[int, int] = (0, 1),
    resume: bool = False,
    keep: Path | None = STATE,
    most: int = 20,
) -> list[str]:
    """Compare the hands of one shard of one book.

    Args:
        rule: The book.
        hands: How many hands all shards compare together.
        seed: Of the hands.
        shard: Which part of how many: hand n belongs to part n mod how many.
        resume: Go on where the last run of this shard with the same sources stopped.
        keep: The folder of the state, None for none.
        most: Stop after so many hands that differ.

    Returns:
        Every difference, a text each.
    """
    part, parts = shard
    path = keep / f"{rule}-{seed}-{part}-of-{parts}.json" if keep else None
    key = fingerprint()
    done, found = part, []
    if path and resume and path.is_file():
        state = json.loads(path.read_text("utf-8"))
        if state["sources"] == key:
            done, found = state["next"], state["found"]

    def save() -> None:
        if path:
            path.parent.mkdir(exist_ok=True)
            (path.parent / ".gitignore").write_text("*\n", "utf-8")
            text = json.dumps({"sources": key, "next": done, "found": found}, ensure_ascii=False, indent=1)
            partial = path.with_suffix(".part")
            partial.write_text(text, "utf-8")
            partial.replace(path)

    last = time.monotonic()
    while done < hands and len(found) < most:
        case = random_case(rule, seed, done)
        lines = compare(case, done)
        if lines:
            found.append("\n".join([f"{rule} seed {seed} hand {done}: {case}", f"  {case.hand}", *lines]))
        done += parts
        if time.monotonic() - last > SAVE_EVERY_SECONDS:
            save()
            last = time.monotonic()
    save()
    return found


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.scorer.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--book", choices=reference.BOOKS, action="append", help="one or more; all where not said"
    )
    parser.add_argument("--hands", type=int, default=20_000, help="hands a book")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="0/1", help="which part of how many, 0/2 and 1/2 on two cores")
    parser.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    parser.add_argument("--most", type=int, default=20, help="stop after so many differing hands")
    parser.add_argument("--shrink", action="store_true", help="show each difference on a smaller hand")
    chosen = parser.parse_args(arguments)
    part, parts = (int(number) for number in chosen.shard.split("/"))
    if not 0 <= part < parts:
        parser.error("--shard is PART/PARTS with 0 <= PART < PARTS")
    differ = 0
    for rule in chosen.book or reference.BOOKS:
        began = time.monotonic()
        found = run(
            rule,
            chosen.hands,
            seed=chosen.seed,
            shard=(part, parts),
            resume=chosen.resume,
            most=chosen.most,
        )
        differ += len(found)
        say(f"{rule}: {len(found)} of {chosen.hands} hands differ ({time.monotonic() - began:.0f} s)")
        for text in found:
            say(text)
            if chosen.shrink:
                number = int(text.split(" hand ")[1].split(":")[0])
                small = shrink(random_case(rule, chosen.seed, number), number)
                say("\n    ".join([f"  smaller: {small}", str(small.hand), *compare(small, number)]))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
