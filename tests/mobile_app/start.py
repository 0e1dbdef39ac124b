"""What the app costs from its first import to its first page, beside a window of Kivy with one word in it.

Each runs in a process of its own and prints seconds of processor time and megabytes of memory.
"""

# ruff: noqa: E402, I001, T201 - the clock comes first; what is printed is read by the test
import time

BEGUN = time.process_time()

import resource

import tests.mobile_app.offscreen  # noqa: F401 - sets Kivy up


def told():
    spent = time.process_time() - BEGUN
    print("cost", spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def one_word():
    """Show one word."""
    from kivy.app import App
    from kivy.base import EventLoop
    from kivy.uix.label import Label

    class Word(App):
        def build(self):
            return Label(text="花牌")

    Word()._run_prepare()
    EventLoop.start()
    for _ in range(4):
        EventLoop.idle()
    told()


def first_page():
    """Show the first page of the app."""
    from tests.mobile_app.window import Phone
    from mobile_app.desktop import Desktop
    from mobile_app.ui.app import SuanhuApp
    from vision.files import home_folder

    phone = Phone(SuanhuApp(Desktop(home_folder()), first_lang="zh-Hant"))
    assert phone.has("rule.sanjing")
    told()
