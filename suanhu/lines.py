"""Many hands at once: a hand a line comes in, a JSON object a line goes out."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from suanhu.errors import CommandError, fault, one_line
from suanhu.language import say
from suanhu.options import Round, round_of_line

Answer = Callable[[str, Round], dict[str, Any]]
"""Makes the JSON object for one hand in text and its round."""


def answer_lines(answer: Answer, default: Round, source: BinaryIO | None = None) -> int:
    """Answer every line of standard input.

    Args:
        answer: What to say to one hand.
        default: The round of the command line, for what a line does not say.
        source: Where the lines come from; standard input where None.

    Returns:
        The exit status: 0 when every line was read, else 2.

    Raises:
        CommandError: If there is no standard input.
    """
    status = 0
    if source is None and sys.stdin is None:
        raise CommandError(say("標準輸入已關閉", "标准输入已关闭", "standard input is closed"))
    for line in source or sys.stdin.buffer:
        try:
            hand, its_round = _read(line, default)
            result = answer(hand, its_round)
        except Exception as error:
            if "SUANHU_DEBUG" in os.environ:
                raise
            result = {"error": one_line(error) if isinstance(error, ValueError | OSError) else fault(error)}
            status = 2
        print(json.dumps(result, ensure_ascii=False), flush=True)
    return status


def _read(line: bytes, default: Round) -> tuple[str, Round]:
    try:
        text = line.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise CommandError(say("這一行不是 UTF-8", "这一行不是 UTF-8", "this line is not UTF-8")) from None
    if not text.startswith("{"):
        return text, default
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise CommandError(
            say("這一行不是 JSON 物件", "这一行不是 JSON 对象", "this line is not a JSON object")
        ) from None
    return round_of_line(values, default)
