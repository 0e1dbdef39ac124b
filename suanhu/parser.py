"""The parser of the command line.

argparse of the standard library rather than a package: the scorer's commands then start in the time that
Python itself takes and run where nothing is installed. What it lacks is added here: an error is one line,
and help and errors speak the chosen language.
"""

import argparse
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from suanhu.errors import CommandError
from suanhu.language import LANGUAGES, chosen, say

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Subparsers: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 (it has no other name)
"""What a command adds its parser to."""


class _Help(argparse.RawDescriptionHelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(
            usage, actions, groups, say("用法：", "用法：", "usage: ") if prefix is None else prefix
        )


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors as `CommandError` and helps in the chosen language."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", _Help)
        super().__init__(**settings, add_help=False, allow_abbrev=False)
        self._positionals.title = say("參數", "参数", "arguments")
        self._optionals.title = say("選項", "选项", "options")
        self.add_argument("-h", "--help", action="help", help=say("顯示說明", "显示说明", "show this help"))
        self.add_argument(
            "--lang",
            choices=LANGUAGES,
            default=argparse.SUPPRESS,
            help=say("用哪種語言", "用哪种语言", "the language to speak"),
        )

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Write help; unlike argparse's own, what fails is not kept silent."""
        if message:
            (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse has to say about a command line.

        Raises:
            CommandError: always.
        """
        raise CommandError(_in_the_chosen_language(message))


def _unquoted(part: str) -> str:
    """Take Python's quotes off what argparse quotes."""
    return re.sub(r"'([^']*)'", r"\1", part)


def _named(part: str) -> str:
    """Call what is missing by its Chinese name, where Chinese is spoken."""
    if chosen() == "en":
        return part
    names = {
        "HAND": "一手牌",
        "PHOTO": say("照片", "照片", "PHOTO"),
        "COMMAND": "命令",
        "ACTION": say("動作", "动作", "ACTION"),
        "NAME": say("牌名", "牌名", "NAME"),
        "FILE": say("檔案", "文件", "FILE"),
    }
    return re.sub(r"[A-Z]+", lambda word: names.get(word[0], word[0]), part)


def _in_the_chosen_language(message: str) -> str:
    patterns = (
        (
            r"the following arguments are required: (.*)",
            say("還缺：{0}", "还缺：{0}", "missing: {0}"),
            _named,
        ),
        (
            r"unrecognized arguments: (.*)",
            say("不認識的參數：{0}", "不认识的参数：{0}", "unknown arguments: {0}"),
            str,
        ),
        (
            r"argument (.*?): invalid choice: (.*) \(choose from (.*)\)",
            say(
                "{0}：沒有 {1}，可用的是 {2}",
                "{0}：没有 {1}，可用的是 {2}",
                "{0}: there is no {1}, choose from {2}",
            ),
            _unquoted,
        ),
        (
            r"argument (.*?): expected (?:one|at least one) argument",
            say("{0}：後面還要一個值", "{0}：后面还要一个值", "{0}: a value has to follow"),
            str,
        ),
        (
            r"argument (.*?): ignored explicit argument (.*)",
            say("{0}：不要值，卻有 {1}", "{0}：不要值，却有 {1}", "{0}: takes no value, but got {1}"),
            _unquoted,
        ),
    )
    for pattern, wording, write in patterns:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return wording.format(*(write(part) for part in found.groups()))
    return message.removeprefix("argument ")
