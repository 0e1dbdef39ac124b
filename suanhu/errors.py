"""What a command may fail with, as one line for the person who typed it."""

import errno
import os

from suanhu.language import chosen, say


class CommandError(ValueError):
    """Bad input that the command line itself notices; the message is in the chosen language."""


def one_line(error: BaseException) -> str:
    """Put an error into one line, in the chosen language where the error knows it.

    Args:
        error: What was raised.

    Returns:
        A line without line breaks.
    """
    if isinstance(error, OSError) and not isinstance(error, ValueError):
        return _one(_of_the_system(error))
    in_words = getattr(error, "hinted", None) or getattr(error, "text", None)
    if callable(in_words):
        path = getattr(error, "path", None)
        return _one(str(in_words(chosen())) + (f" ({path})" if path else ""))
    return _one(str(error) or type(error).__name__)


def fault(error: Exception) -> str:
    """Put an error that no input may cause into one line that says so."""
    what = f"{type(error).__name__}: {one_line(error)}"
    return say(
        f"程式出錯（{what}）；設 SUANHU_DEBUG=1 可看詳情",
        f"程序出错（{what}）；设 SUANHU_DEBUG=1 可看详情",
        f"a fault of the program ({what}); SUANHU_DEBUG=1 shows where",
    )


def _one(text: str) -> str:
    return " ".join(text.split())


def _of_the_system(error: OSError) -> str:
    reason = {
        errno.ENOENT: say("沒有這個檔案", "没有这个文件", "no such file"),
        errno.EISDIR: say("這是資料夾，不是檔案", "这是文件夹，不是文件", "this is a folder, not a file"),
        errno.ENOTDIR: say(
            "路徑中有一段不是資料夾", "路径中有一段不是文件夹", "part of the path is no folder"
        ),
        errno.EACCES: say("沒有權限", "没有权限", "permission denied"),
        errno.EPERM: say("沒有權限", "没有权限", "permission denied"),
        errno.ENOSPC: say("磁碟已滿", "磁盘已满", "the disk is full"),
        errno.EROFS: say("不能寫入", "不能写入", "cannot be written to"),
        errno.ENAMETOOLONG: say("檔名太長", "文件名太长", "the file name is too long"),
        errno.EADDRINUSE: say("這個埠已被占用", "这个端口已被占用", "the port is in use"),
    }.get(error.errno or 0, error.strerror or str(error) or type(error).__name__)
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    return f"{name}: {reason}" if name else reason
