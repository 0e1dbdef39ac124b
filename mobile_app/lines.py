"""Break text into lines as Chinese and English are broken; Kivy alone breaks at spaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_NOT_FIRST: Final = frozenset("，。、；：？！）」』】》〉…—％%,.;:?!)’”·")
_NOT_LAST: Final = frozenset("（「『【《〈(‘“")


def break_lines(text: str, width: float, measure: Callable[[str], float]) -> str:
    """Put line breaks where they belong.

    A Chinese character may begin a line unless it is a closing mark; words and numbers stay whole as long as
    they fit.

    Args:
        text: any text, perhaps with line breaks of its own.
        width: the room of a line in pixels.
        measure: the width of a text in pixels.

    Returns:
        The text with line breaks; spaces where a line was broken are gone.
    """
    return "\n".join(_broken(line, width, measure) for line in text.split("\n"))


def _broken(line: str, width: float, measure: Callable[[str], float]) -> str:
    if measure(line) <= width:
        return line
    lines, current = [], ""
    for part in pieces(line):
        if current and measure(current + part.rstrip()) > width:
            lines.append(current.rstrip())
            current = part.lstrip()
        else:
            current += part
        while len(current) > 1 and measure(current.rstrip()) > width:
            cut = len(current) - 1
            while cut > 1 and measure(current[:cut]) > width:
                cut -= 1
            lines.append(current[:cut])
            current = current[cut:]
    return "\n".join((*lines, current.rstrip()))


def pieces(line: str) -> list[str]:
    """Cut a line into what must not be broken.

    Args:
        line: without line breaks.

    Returns:
        Words, numbers and single Chinese characters, each with its marks; together the line.
    """
    parts: list[str] = []
    for character in line:
        if parts and _stays(parts[-1], character):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def _stays(before: str, character: str) -> bool:
    last = before[-1]
    if character.isspace() or character in _NOT_FIRST or last in _NOT_LAST:
        return True
    if last.isspace():
        return False
    return not _wide(last) and not _wide(character)


def _wide(character: str) -> bool:
    return ord(character) >= 0x2E80
