"""`suanhu waits`: which cards complete a hand, and what each would count."""

import argparse
import json
from typing import TYPE_CHECKING, Any

import scorer
from scorer.report import waits_text
from suanhu.language import chosen, say
from suanhu.lines import answer_lines
from suanhu.options import Round, add_round_options, hand_of, round_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("聽什麼牌，每張胡多少", "听什么牌，每张胡多少", "the cards that complete a hand")
    parser = subparsers.add_parser("waits", help=what, description=what)
    parser.add_argument(
        "hand",
        nargs="+",
        metavar="HAND",
        help=say(
            "少一張的一手牌，或 -（每行一手）",
            "少一张的一手牌，或 -（每行一手）",
            "the hand without the winning card, or - for a hand a line",
        ),
    )
    add_round_options(parser, with_win=False)
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))


def run(args: argparse.Namespace) -> int:
    """Say what a hand waits for.

    Returns:
        The exit status: 0, or 1 where the hand itself is wrong (its number of cards, say); for lines 2 where
        one could not be read.
    """
    the_round = round_of(args)
    if args.hand == ["-"]:
        return answer_lines(lambda hand, its: _answer(hand, its)[0], the_round)
    answer, text = _answer(" ".join(args.hand), the_round)
    print(json.dumps(answer, ensure_ascii=False) if args.json else text)
    return 1 if "reason" in answer else 0


def _answer(hand: str, the_round: Round) -> tuple[dict[str, Any], str]:
    """The waits as JSON, with the reason where the hand itself is wrong, and in words."""
    book, parsed = the_round.book(), hand_of(hand)
    found = scorer.waits(book, parsed, **the_round.keywords(with_win=False))
    answer = {"waits": [wait.to_json() for wait in found]}
    if wrong := scorer.hindrance(book, parsed, lang=chosen()):
        return {**answer, **wrong.to_json()}, wrong.text
    return answer, waits_text(book, found, chosen())
