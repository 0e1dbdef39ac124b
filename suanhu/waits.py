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
        The exit status: 0; for lines 2 where one could not be read.
    """
    the_round = round_of(args)
    if args.hand == ["-"]:
        return answer_lines(lambda hand, its: _to_json(_waits(hand, its)), the_round)
    found = _waits(" ".join(args.hand), the_round)
    if args.json:
        print(json.dumps(_to_json(found), ensure_ascii=False))
    else:
        print(waits_text(the_round.book(), found, chosen()))
    return 0


def _waits(hand: str, the_round: Round) -> tuple[scorer.Wait, ...]:
    book = the_round.book()
    return scorer.waits(book, hand_of(hand), **the_round.keywords(with_win=False))


def _to_json(found: tuple[scorer.Wait, ...]) -> dict[str, Any]:
    return {"waits": [wait.to_json() for wait in found]}
