"""`suanhu advise`: which card to discard, and what each discard waits for."""

import argparse
import json
from typing import TYPE_CHECKING

import scorer
from suanhu.language import say
from suanhu.lines import answer_lines
from suanhu.options import Round, add_round_options, hand_of, round_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("打哪張，打了聽什麼", "打哪张，打了听什么", "what to discard, and what each discard waits for")
    parser = subparsers.add_parser("advise", help=what, description=what)
    parser.add_argument(
        "hand",
        nargs="+",
        metavar="HAND",
        help=say(
            "多一張的一手牌，或 -（每行一手）",
            "多一张的一手牌，或 -（每行一手）",
            "the hand with one card too many, or - for a hand a line",
        ),
    )
    add_round_options(parser, with_win=False)
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))


def run(args: argparse.Namespace) -> int:
    """Say what to discard.

    Returns:
        The exit status: 0, or 1 where the hand itself is wrong (its number of cards, say); for lines 2 where
        one could not be read.
    """
    the_round = round_of(args)
    if args.hand == ["-"]:
        return answer_lines(lambda hand, its: _advise(hand, its).to_json(), the_round)
    advice = _advise(" ".join(args.hand), the_round)
    print(json.dumps(advice.to_json(), ensure_ascii=False) if args.json else advice.text())
    return 1 if advice.hindrance else 0


def _advise(hand: str, the_round: Round) -> scorer.Advice:
    book = the_round.book()
    return scorer.advise(book, hand_of(hand), **the_round.keywords(with_win=False))
