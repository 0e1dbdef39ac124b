"""What the program is given to read from and to write to, whatever the system makes of it."""

import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from suanhu.language import say

if TYPE_CHECKING:
    from vision.read import Picture


class _Closed(io.TextIOBase):
    """Stands for a standard output that was closed before the program began."""

    def write(self, _text: str, /) -> int:
        """Refuse to write.

        Raises:
            OSError: always.
        """
        raise OSError(errno.EBADF, say("標準輸出已關閉", "标准输出已关闭", "standard output is closed"))


def prepare() -> None:
    """Make standard output and error speak UTF-8, and be there where the system gave none."""
    if sys.stdout is None:
        sys.stdout = cast("TextIO", _Closed())
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (it stays open)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def words(arguments: Sequence[str] | None = None) -> list[str]:
    """Give the words of the command line, read as UTF-8 where the locale made other characters of them.

    Args:
        arguments: The words after the program's name as Python gives them; those of the process where None.

    Returns:
        The words; one that is not UTF-8 stays as it is.
    """
    said = sys.argv[1:] if arguments is None else arguments
    return [_as_utf_8(word) for word in said]


def _as_utf_8(word: str) -> str:
    if word.isascii() or os.name == "nt":
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except ValueError:
        return word


def complain(line: str) -> None:
    """Write a line to standard error; where nobody reads it, nothing."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that the interpreter does not write it at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError:
        return


def photo_of(word: str) -> str | bytes:
    """Take a photo as the command line names it.

    Args:
        word: A path, or ``-`` for standard input.

    Returns:
        The path, or the bytes; not many more than a photo may have.

    Raises:
        OSError: Standard input is closed.
    """
    if word != "-":
        return word
    if sys.stdin is None:
        raise OSError(errno.EBADF, say("標準輸入已關閉", "标准输入已关闭", "standard input is closed"))
    from vision.decode import MOST_MEGABYTES

    return sys.stdin.buffer.read((MOST_MEGABYTES << 20) + 1)


def picture_of(word: str) -> "Picture":
    """Decode a photo as the command line names it.

    Args:
        word: A path, or ``-`` for standard input.

    Returns:
        The picture.

    Raises:
        ImageError: It is not a readable picture.
        OSError: Standard input is closed.
    """
    from vision.decode import read_photo

    photo = photo_of(word)
    with _unheard():
        return read_photo(photo)


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep from the player what the libraries that decode write to standard error behind Python's back."""
    try:
        sys.stderr.flush()
        aside = os.dup(2)
    except (OSError, ValueError):
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(aside, 2)
        os.close(aside)
