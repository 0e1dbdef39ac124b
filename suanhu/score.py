"""`suanhu score`: what a hand counts, why, and who pays what."""

import argparse
import json
from typing import TYPE_CHECKING, Any

import scorer

from suanhu.language import say
from suanhu.lines import answer_lines
from suanhu.options import Round, add_round_options, round_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say(
        "數一手牌：多少胡，為什麼，誰付多少",
        "数一手牌：多少胡，为什么，谁付多少",
        "what a hand counts, why, and who pays what",
    )
    parser = subparsers.add_parser("score", help=what, description=what)
    add_hand(
        parser,
        say("一手牌，或 -（每行一手）", "一手牌，或 -（每行一手）", "the hand, or - for a hand a line"),
    )
    add_round_options(parser)
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))


def add_hand(parser: argparse.ArgumentParser, what: str) -> None:
    """Give a command the hand that it is about; several words are one hand."""
    parser.add_argument("hand", nargs="+", metavar="HAND", help=what)


def run(args: argparse.Namespace) -> int:
    """Score a hand, or one a line.

    Returns:
        The exit status: 0 for a win, 1 for none; for lines 0 when each was read, else 2.
    """
    the_round = round_of(args)
    if args.hand == ["-"]:
        return answer_lines(lambda hand, its: _score(hand, its).to_json(), the_round)
    result = _score(" ".join(args.hand), the_round)
    print(json.dumps(result.to_json(), ensure_ascii=False) if args.json else result.text())
    return 0 if result.wins else 1


def _score(hand: str, the_round: Round) -> Any:
    book = the_round.book()
    return scorer.score(book, scorer.parse_hand(hand), **the_round.keywords())
