"""How long the app takes from its first import to its first page, and how much memory it has then."""

# ruff: noqa: E402, I001, T201 - clock and window come first; what is printed is read by the test
import time

BEGUN = time.monotonic()

import resource

from tests.mobile_app.window import Phone

from mobile_app.desktop import Desktop
from mobile_app.ui.app import SuanhuApp
from vision.files import home_folder


def start():
    """Show the first page."""
    phone = Phone(SuanhuApp(Desktop(home_folder()), first_lang="zh-Hant"))
    assert phone.has("rule.sanjing")
    seconds = time.monotonic() - BEGUN
    print(
        "memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "MB; first page after", seconds
    )
