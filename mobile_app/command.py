"""`suanhu app`: the app in a window of a desktop."""

from __future__ import annotations

import argparse
import os
import sys


def run(args: argparse.Namespace) -> int:
    """Show the app until its window is closed.

    Args:
        args: of the command; ``lang`` is the language of an app that was never started before.

    Returns:
        0, or 2 where no window can be opened.
    """
    for name, value in {"KIVY_NO_ARGS": "1", "KIVY_NO_FILELOG": "1", "KIVY_LOG_MODE": "PYTHON"}.items():
        os.environ.setdefault(name, value)
    from kivy.config import Config

    Config.set("graphics", "width", "412")
    Config.set("graphics", "height", "860")
    Config.remove_section("input")
    Config.add_section("input")
    Config.set("input", "mouse", "mouse,disable_multitouch")
    from kivy.core.window import Window

    if Window is None:
        from mobile_app.words import pick

        line = pick(args.lang, "開不了視窗：沒有螢幕", "no window can be opened: there is no screen")
        sys.stderr.write(line + "\n")
        return 2
    from mobile_app.desktop import Desktop
    from mobile_app.ui.app import SuanhuApp

    SuanhuApp(Desktop(), first_lang=args.lang).run()
    return 0
