"""`suanhu app`: the phone app, in a window."""

import argparse
import importlib
import os
from typing import TYPE_CHECKING

from suanhu.extras import APP, need_extra, need_part
from suanhu.language import say

if TYPE_CHECKING:
    from suanhu.parser import Subparsers


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("手機應用，開在視窗裡", "手机应用，开在窗口里", "the phone app, in a window")
    subparsers.add_parser("app", help=what, description=what)


def run(args: argparse.Namespace) -> int:
    """Show the app until its window is closed.

    Returns:
        The exit status of the app.

    Raises:
        CommandError: If the app or its toolkit is not installed.
    """
    need_part("mobile_app")
    need_extra(APP)
    os.environ["KIVY_NO_ARGS"] = "1"
    return int(importlib.import_module("mobile_app.command").run(args))
