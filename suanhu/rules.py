"""`suanhu rules`: the rule books, their options and sources."""

import argparse
import json
from typing import TYPE_CHECKING

import scorer
from suanhu.language import chosen, say
from suanhu.options import Round, options_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("各地規則、選項和出處", "各地规则、选项和出处", "the rule books, their options and sources")
    parser = subparsers.add_parser("rules", help=what, description=what)
    parser.add_argument(
        "rule",
        nargs="?",
        metavar="R",
        help=say(
            "規則名或規則檔；不寫就列出全部",
            "规则名或规则文件；不写就列出全部",
            "a rule book's name or file; all are listed without it",
        ),
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="K=V",
        help=say("改了選項是什麼樣", "改了选项是什么样", "show it with an option set"),
    )
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))


def run(args: argparse.Namespace) -> int:
    """List the rule books, or print one.

    Returns:
        The exit status, 0.
    """
    options = options_of(args)
    books = [
        Round(rule=rule, options=options).book() for rule in ([args.rule] if args.rule else scorer.RULES)
    ]
    if args.json:
        described = [
            {
                "rule": book.name,
                "kind": book.kind,
                "players": list(book.players),
                "default_players": book.default_players,
                "options": dict(book.options),
                "text": book.describe(chosen()),
            }
            for book in books
        ]
        print(json.dumps({"rules": described}, ensure_ascii=False))
    elif args.rule:
        print(books[0].describe(chosen()))
    else:
        for book in books:
            print(book.describe(chosen()).splitlines()[0])
    return 0
