"""The program `suanhu`: understands the command line, runs a command, and turns what fails into one line."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from suanhu import language, streams
from suanhu.errors import fault, one_line
from suanhu.language import say
from suanhu.parser import Parser

COMMANDS = ("score", "waits", "advise", "read", "photo", "deck", "rules", "serve", "app")

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line.

    Args:
        arguments: The words after the program's name; those of the process where None.

    Returns:
        The exit status of INTERFACE.md: 0 done, 1 no win, 2 bad input, 3 not settled.
    """
    streams.prepare()
    words = streams.words() if arguments is None else list(arguments)
    language.choose(language.of_arguments(words) or language.of_locale())
    try:
        try:
            status = _run(words)
        except SystemExit as done:
            status = done.code if isinstance(done.code, int) else BAD_INPUT
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        streams.forget(sys.stdout)
        return BROKEN_PIPE
    except Exception as error:
        if "SUANHU_DEBUG" in os.environ:
            raise
        expected = isinstance(error, ValueError | OSError)
        streams.complain(f"suanhu: {one_line(error) if expected else fault(error)}")
        if isinstance(error, OSError):
            streams.forget(sys.stdout)
        return BAD_INPUT
    return status


def _run(words: list[str]) -> int:
    parser, modules = _parser(_commands_to_know(words))
    args = parser.parse_args(words)
    args.lang = language.chosen()
    return int(modules[args.command].run(args))


def _commands_to_know(words: list[str]) -> Sequence[str]:
    """Name the one command that is meant, so that none pays for what another imports; else all."""
    skip = False
    for word in words:
        if skip or word.startswith("-"):
            skip = word == "--lang" and not skip
        else:
            return (word,) if word in COMMANDS else COMMANDS
    return COMMANDS


def _parser(commands: Sequence[str]) -> tuple[Parser, dict[str, ModuleType]]:
    parser = Parser(
        prog="suanhu",
        description=say(
            "算胡：拍下一手湖北花牌，數胡，算誰付多少",
            "算胡：拍下一手湖北花牌，数胡，算谁付多少",
            "counts a hand of Hubei 花牌 cards, from a photo too, and says who pays what",
        ),
    )
    parser.add_argument("--version", nargs=0, action=_Version, help=say("版本", "版本", "print the version"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    modules = {}
    for command in commands:
        modules[command] = importlib.import_module(f"suanhu.{command}")
        modules[command].add_parser(subparsers)
    return parser, modules


class _Version(argparse.Action):
    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("suanhu")
        except PackageNotFoundError:
            number = say("（未安裝）", "（未安装）", "(not installed)")
        print(f"suanhu {number}")
        sys.exit(0)


if __name__ == "__main__":
    sys.exit(main())
