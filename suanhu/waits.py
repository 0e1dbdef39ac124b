"""`suanhu waits`: which cards complete a hand, and what each would count."""

import argparse
import json
from typing import TYPE_CHECKING, Any

import scorer

from suanhu.language import say
from suanhu.lines import answer_lines
from suanhu.options import Round, add_round_options, round_of
from suanhu.score import add_hand

if TYPE_CHECKING:
    from suanhu.parser import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("聽什麼牌，每張胡多少", "听什么牌，每张胡多少", "the cards that complete a hand")
    parser = subparsers.add_parser("waits", help=what, description=what)
    add_hand(
        parser,
        say(
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
        return answer_lines(_answer, the_round)
    answer = _answer(" ".join(args.hand), the_round)
    if args.json:
        print(json.dumps(answer, ensure_ascii=False))
        return 0
    if not answer["waits"]:
        print(say("什麼也不聽", "什么也不听", "no card completes this hand"))
    for wait in answer["waits"]:
        print(_line(wait))
    return 0


def _answer(hand: str, the_round: Round) -> dict[str, Any]:
    book = the_round.book()
    found = scorer.waits(book, scorer.parse_hand(hand), **the_round.keywords(with_win=False))
    return {"waits": [wait.to_json() for wait in found]}


def _line(wait: dict[str, Any]) -> str:
    text = say(
        f"{wait['card']}　還有 {wait['left']} 張　{wait['points']} 點　{wait['steps']} 步",
        f"{wait['card']}　还有 {wait['left']} 张　{wait['points']} 点　{wait['steps']} 步",
        f"{wait['card']}  {wait['left']} left  {wait['points']} points  {wait['steps']} steps",
    )
    return text if wait["wins"] else text + say("（不夠胡）", "（不够胡）", "  (too few points to win)")
