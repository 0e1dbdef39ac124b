"""What a command writes: refused before anything is read where it would cost an input or go nowhere."""

import os
from collections.abc import Sequence
from pathlib import Path

from suanhu.errors import CommandError
from suanhu.language import say

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""Endings of an overlay."""

SLIPS = (".png", ".jpg", ".jpeg", ".pdf")
"""Endings of a slip."""


def check_output(path: str, endings: Sequence[str], others: Sequence[str | None] = ()) -> None:
    """See that a file can be written and costs none of the files that the command reads or writes.

    Args:
        path: Where to.
        endings: What the name may end with, small letters, with the dot.
        others: The inputs and the other outputs; None and ``-`` are no files.

    Raises:
        CommandError: The file is one of the others, its ending says no format, its folder is not there, or
            it is a folder.
    """
    wanted = Path(path)
    if any(_same(wanted, Path(other)) for other in others if other not in (None, "-")):
        raise CommandError(
            say(
                f"{path}：這個檔案已用作輸入或另一個輸出，不會覆寫",
                f"{path}：这个文件已用作输入或另一个输出，不会覆写",
                f"{path}: this is an input or another output already, and is not written over",
            )
        )
    if wanted.is_dir():
        raise CommandError(
            say(
                f"{path}：這是資料夾，不是檔案",
                f"{path}：这是文件夹，不是文件",
                f"{path}: this is a folder, not a file",
            )
        )
    if wanted.suffix.lower() not in endings:
        known = ", ".join(endings)
        raise CommandError(
            say(
                f"{path}：檔名要以 {known} 之一結尾",
                f"{path}：文件名要以 {known} 之一结尾",
                f"{path}: the name has to end with one of {known}",
            )
        )
    if not wanted.parent.is_dir():
        raise CommandError(
            say(
                f"{path}：沒有資料夾 {wanted.parent}，請先建立",
                f"{path}：没有文件夹 {wanted.parent}，请先建立",
                f"{path}: there is no folder {wanted.parent}; make it first",
            )
        )


def _same(one: Path, other: Path) -> bool:
    """Tell whether two paths are one file, by whatever names or links."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)
