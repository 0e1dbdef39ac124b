"""`suanhu score`: what a hand counts, why, and who pays what."""

import argparse
import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import scorer
from suanhu.errors import CommandError
from suanhu.language import chosen, say
from suanhu.lines import answer_lines
from suanhu.options import Round, add_round_options, hand_of, round_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers
    from table.argument import Argument
    from table.false_claim import Penalty


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say(
        "數一手牌：多少胡，為什麼，誰付多少",
        "数一手牌：多少胡，为什么，谁付多少",
        "what a hand counts, why, and who pays what",
    )
    parser = subparsers.add_parser("score", help=what, description=what)
    parser.add_argument(
        "hand",
        nargs="*",
        metavar="HAND",
        help=say("一手牌，或 -（每行一手）", "一手牌，或 -（每行一手）", "the hand, or - for a hand a line"),
    )
    add_round_options(parser)
    parser.add_argument(
        "--claim",
        metavar="X",
        help=say(
            "有人報的數或拆法，如 17 或 (上大人)(孔乙己)…：差在哪裡",
            "有人报的数或拆法，如 17 或 (上大人)(孔乙己)…：差在哪里",
            "a count or split that somebody claims, 17 or (上大人)(孔乙己)…: where the two part",
        ),
    )
    parser.add_argument(
        "--code",
        metavar="CODE",
        help=say(
            "單據上的代碼，代替一手牌", "单据上的代码，代替一手牌", "the code of a slip, in place of a hand"
        ),
    )
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))


def run(args: argparse.Namespace) -> int:
    """Score a hand, or one a line.

    Returns:
        The exit status: 0 for a win, 1 for none; for lines 0 when each was read, else 2.

    Raises:
        CommandError: If there is neither a hand nor a code, or both.
    """
    if args.hand == ["-"] and args.code is None:
        return answer_lines(lambda hand, its: _answer(hand, its, args.claim).to_json(), round_of(args))
    if bool(args.hand) == (args.code is not None):
        raise CommandError(
            say(
                "要一手牌（HAND）或一個代碼（--code）",
                "要一手牌（HAND）或一个代码（--code）",
                "either a HAND or a --code has to be given",
            )
        )
    hand, the_round = (" ".join(args.hand), round_of(args)) if args.hand else _of_code(args)
    answer = _answer(hand, the_round, args.claim)
    print(json.dumps(answer.to_json(), ensure_ascii=False) if args.json else answer.text())
    return 0 if answer.score.wins else 1


@dataclass(frozen=True, slots=True)
class _Answer:
    """A score, and what there is to say of a claim."""

    score: scorer.Score
    penalty: "Penalty | None"
    argument: "Argument | None"

    def to_json(self) -> dict[str, Any]:
        """Write it as INTERFACE.md says, with `claim` and `penalty` where there are any."""
        result = self.score.to_json()
        if self.penalty is not None:
            result["penalty"] = self.penalty.to_json()
        if self.argument is not None:
            result["claim"] = self.argument.to_json()
        return result

    def text(self) -> str:
        """Say it in the chosen language."""
        lines = [self.score.text()]
        if self.penalty is not None:
            lines.append(self.penalty.text(chosen()))
        if self.argument is not None:
            lines.append(self.argument.text())
        return "\n".join(line for line in lines if line)


def _answer(text: str, the_round: Round, claim: str | None) -> _Answer:
    book = the_round.book()
    hand = hand_of(text)
    score = scorer.score(book, hand, **the_round.keywords())
    penalty = argument = None
    if not score.wins and book.options.get("false_claim"):
        from table.false_claim import penalty as penalty_of

        penalty = penalty_of(
            book, score, players=the_round.players, stake=the_round.stake, declarer=the_round.winner
        )
    if claim is not None:
        from table.argument import Case, argue

        terms = the_round.keywords()
        win, lang = terms.pop("win"), terms.pop("lang")
        argument = argue(Case(str(the_round.rule), book, hand, win, terms, lang), claim)
    return _Answer(score, penalty, argument)


def _of_code(args: argparse.Namespace) -> tuple[str, Round]:
    """Take hand and round from a code, which says all of it: nothing else may be said beside.

    Raises:
        CommandError: If something else was said.
        table.words.CodeError: If it is no code.
    """
    from table.code import decode

    claimed = decode(args.code, args.rule)
    its_round = Round(
        rule=claimed.rule,
        options=dict(claimed.options),
        win=claimed.win,
        by=claimed.by,
        players=claimed.players,
        stake=claimed.stake,
        winner=claimed.winner,
        discarder=claimed.discarder,
        dui=dict(claimed.dui) or None,
    )
    said, nothing = round_of(args), Round()
    names = {"options": "option", "discarder": "from"}
    for field in fields(Round):
        given = getattr(said, field.name)
        if given not in (getattr(nothing, field.name), getattr(its_round, field.name)):
            option = f"--{names.get(field.name, field.name)}"
            raise CommandError(
                say(
                    f"{option}：代碼裡已經有了，而且不同",
                    f"{option}：代码里已经有了，而且不同",
                    f"{option}: the code says something else",
                )
            )
    return str(claimed.hand), its_round
