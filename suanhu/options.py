"""The options that say by which rule and how a hand was won, shared by the commands that count."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

import scorer
from suanhu.errors import CommandError
from suanhu.language import chosen, say

BY = ("self", "discard")

_MOST_DIGITS = 18
"""Digits of the largest number that may be typed; no stake comes near it, and 64 bits hold it."""


@dataclass(frozen=True, slots=True)
class Round:
    """What has to be known beside the cards to count a hand and to say who pays."""

    rule: str | None = None
    """Name of a rule book, or the path of one; None where it was not said."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Options of the rule book, as they were typed."""
    win: str | None = None
    """The winning card."""
    by: str = "self"
    """`self` or `discard`."""
    players: int | None = None
    """How many play; None is as the book says."""
    stake: int = 1
    """What a step costs, in the table's smallest unit."""
    winner: int = 0
    """The seat of the winner."""
    discarder: int | None = None
    """The seat of whoever discarded the winning card; None is the next one."""
    dui: Mapping[int, int] | None = None
    """How many triplets each seat exposed, where that was said."""

    def book(self) -> scorer.Book:
        """Load the rule book.

        Raises:
            CommandError: If no rule was said.
            scorer.ScorerError: If there is no such rule or option.
        """
        if self.rule is None:
            raise CommandError(
                say(
                    f"還缺：--rule（{'、'.join(scorer.RULES)}）",
                    f"还缺：--rule（{'、'.join(scorer.RULES)}）",
                    f"missing: --rule ({', '.join(scorer.RULES)})",
                )
            )
        return _book(self.rule, tuple(self.options.items()))

    def keywords(self, *, with_win: bool = True) -> dict[str, Any]:
        """Give the keyword arguments of `scorer.score`; without the winning card those of `scorer.waits`."""
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        del named["rule"], named["options"]
        if not with_win:
            del named["win"]
        return {**named, "lang": chosen()}


@lru_cache(maxsize=64)
def _book(rule: str, options: tuple[tuple[str, object], ...]) -> scorer.Book:
    return scorer.load_book(rule, dict(options))


def add_round_options(parser: argparse.ArgumentParser, *, with_win: bool = True) -> None:
    """Give a command the options of a round.

    Args:
        parser: The command's parser.
        with_win: Whether the winning card can be named.
    """
    parser.add_argument(
        "--rule",
        metavar="R",
        help=say(
            "規則名，或規則檔（suanhu rules 列出）",
            "规则名，或规则文件（suanhu rules 列出）",
            "a rule book's name or file (suanhu rules lists them)",
        ),
    )
    if with_win:
        parser.add_argument("--win", metavar="CARD", help=say("胡的那張牌", "胡的那张牌", "the winning card"))
    parser.add_argument(
        "--by",
        choices=BY,
        default="self",
        help=say(
            "self 自摸，discard 別人打的", "self 自摸，discard 别人打的", "self-drawn or from a discard"
        ),
    )
    parser.add_argument(
        "--players", type=whole, metavar="N", help=say("幾個人打", "几个人打", "how many play")
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="K=V",
        help=say(
            "規則的選項，可多次", "规则的选项，可多次", "an option of the rule book, as often as wanted"
        ),
    )
    parser.add_argument(
        "--stake",
        type=whole,
        default=1,
        metavar="X",
        help=say(
            "一分（坡、倍）多少錢，整數", "一分（坡、倍）多少钱，整数", "what a step costs, a whole number"
        ),
    )
    parser.add_argument(
        "--winner",
        type=whole,
        default=0,
        metavar="SEAT",
        help=say("胡牌的座位，從 0 數", "胡牌的座位，从 0 数", "the winner's seat, from 0"),
    )
    parser.add_argument(
        "--from",
        dest="discarder",
        type=whole,
        metavar="SEAT",
        help=say("放銃的座位", "放铳的座位", "the seat that discarded the winning card"),
    )
    parser.add_argument(
        "--dui",
        action="append",
        default=[],
        metavar="SEAT=N",
        help=say(
            "某座位對了幾次（包牌用），可多次", "某座位对了几次（包牌用），可多次", "triplets a seat exposed"
        ),
    )


def whole(text: str) -> int:
    """Read a whole number from the command line.

    Raises:
        argparse.ArgumentTypeError: If it is none, or too large.
    """
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(
            say(f"{text} 不是整數", f"{text} 不是整数", f"{text} is not a whole number")
        )
    if len(text.lstrip("+-")) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(_too_large())
    return int(text)


def _too_large() -> str:
    return say(
        f"這個數太大，最多 {_MOST_DIGITS} 位",
        f"这个数太大，最多 {_MOST_DIGITS} 位",
        f"this number is too large, at most {_MOST_DIGITS} digits",
    )


def hand_of(text: str) -> scorer.Hand:
    """Read a hand that was typed.

    Raises:
        CommandError: If there is no card in it.
        scorer.ScorerError: If it cannot be read.
    """
    hand = scorer.parse_hand(text)
    if not hand.size:
        raise CommandError(say("沒有寫牌", "没有写牌", "there is no card in this hand"))
    return hand


def round_of(args: argparse.Namespace) -> Round:
    """Take the round from a parsed command line.

    Raises:
        CommandError: If an `--option` or `--dui` is not of its form.
    """
    dui = dict(_pair(text, "--dui", say("座位=次數", "座位=次数", "SEAT=N")) for text in args.dui)
    try:
        seats = {whole(seat): whole(count) for seat, count in dui.items()}
    except argparse.ArgumentTypeError as error:
        raise CommandError(f"--dui: {error}") from None
    return Round(
        rule=args.rule,
        options=options_of(args),
        win=getattr(args, "win", None),
        by=args.by,
        players=args.players,
        stake=args.stake,
        winner=args.winner,
        discarder=args.discarder,
        dui=seats or None,
    )


def options_of(args: argparse.Namespace) -> dict[str, object]:
    """Take the options of a rule book from a parsed command line.

    Raises:
        CommandError: If an `--option` is not of its form.
    """
    return dict(_pair(text, "--option", say("選項=值", "选项=值", "K=V")) for text in args.option)


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (sign and name.strip()):
        raise CommandError(
            say(
                f"{option}：要寫成 {form}，不是 {text}",
                f"{option}：要写成 {form}，不是 {text}",
                f"{option}: has to be {form}, not {text}",
            )
        )
    return name.strip(), value.strip()


_FIELDS = ("hand", "rule", "win", "by", "players", "options", "stake", "winner", "from", "dui")


def round_of_line(values: Mapping[str, object], default: Round) -> tuple[str, Round]:
    """Take a hand and its round from a JSON object of one line.

    Args:
        values: The object; what it does not say is as in `default`.
        default: The round of the command line.

    Returns:
        The hand in text, and its round.

    Raises:
        CommandError: If a field is unknown or of another type.
    """
    unknown = [name for name in values if name not in _FIELDS]
    if unknown:
        raise CommandError(
            say(
                f"沒有 {unknown[0]} 這一欄，可用的是 {', '.join(_FIELDS)}",
                f"没有 {unknown[0]} 这一栏，可用的是 {', '.join(_FIELDS)}",
                f"there is no field {unknown[0]}, choose from {', '.join(_FIELDS)}",
            )
        )
    hand = values.get("hand")
    if not isinstance(hand, str):
        raise _wrong_type("hand", say("文字", "文字", "text"))
    changes: dict[str, Any] = {}
    for name in ("rule", "win"):
        if values.get(name) is not None:
            changes[name] = _text(name, values[name])
    if values.get("by") is not None:
        if values["by"] not in BY:
            raise _wrong_type("by", say("self 或 discard", "self 或 discard", "self or discard"))
        changes["by"] = values["by"]
    for name, target in (("players",) * 2, ("stake",) * 2, ("winner",) * 2, ("from", "discarder")):
        if values.get(name) is not None:
            changes[target] = _number(name, values[name])
    if values.get("options") is not None:
        changes["options"] = {**default.options, **_options(values["options"])}
    if values.get("dui") is not None:
        changes["dui"] = _seats(values["dui"])
    return hand, replace(default, **changes)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong_type(name, say("文字", "文字", "text"))
    return value


def _number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(name, say("整數", "整数", "a whole number"))
    if abs(value) >= 10**_MOST_DIGITS:
        raise CommandError(f"{name}: {_too_large()}")
    return value


def _options(value: object) -> dict[str, object]:
    if not isinstance(value, dict) or not all(isinstance(each, str | int) for each in value.values()):
        raise _wrong_type(
            "options", say("選項名到值的物件", "选项名到值的对象", "an object of names and values")
        )
    return value


def _seats(value: object) -> dict[int, int]:
    if not isinstance(value, dict):
        raise _wrong_type(
            "dui", say("座位到次數的物件", "座位到次数的对象", "an object of seats and numbers")
        )
    try:
        return {whole(seat): _number("dui", count) for seat, count in value.items()}
    except argparse.ArgumentTypeError as error:
        raise CommandError(f"dui: {error}") from None


def _wrong_type(name: str, wanted: str) -> CommandError:
    return CommandError(say(f"{name} 要是{wanted}", f"{name} 要是{wanted}", f"{name} has to be {wanted}"))
