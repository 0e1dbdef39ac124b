"""A real window without a screen, and fingers that tap in it.

Imported only after `need_window`, in a process of its own: a window is one for each process.
"""

# ruff: noqa: I001 - Kivy is set up before anything of it is imported
import time
from pathlib import Path

from tests import PATIENCE_S
from tests.clock import keep_own_time
from tests.mobile_app.offscreen import HEIGHT, WIDTH

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch

from mobile_app.ui.app import SuanhuApp
from mobile_app.ui.widgets import find
from tests.mobile_app.look import faults


class Phone:
    """The app in the window.

    Args:
        app: not yet running.
        shots: folder for screenshots; None takes none.
    """

    def __init__(self, app: SuanhuApp, shots: Path | None = None):
        self.app = app
        self.shots = shots
        self.taken = []
        keep_own_time()
        assert Window.size == (int(WIDTH), int(HEIGHT))
        app._run_prepare()
        if EventLoop.status != "started":
            EventLoop.start()
        self.idle(4)

    def idle(self, frames=3):
        for _ in range(frames):
            EventLoop.idle()

    def until(self, right, name=""):
        end = time.monotonic() + PATIENCE_S
        while not right():
            assert time.monotonic() < end, f"waited in vain for {name} on {type(self.app.page).__name__}"
            self.idle(1)
            time.sleep(0.01)
        self.idle(3)

    def shot(self, name):
        """Check what is shown, and keep a picture of it."""
        self.idle(3)
        wrong = faults(self.app)
        assert wrong == [], f"{name}: {wrong[:6]}"
        if self.shots is not None:
            self.shots.mkdir(parents=True, exist_ok=True)
            path = self.shots / f"{len(self.taken):02d}-{name}.png"
            Path(Window.screenshot(name=str(path))).rename(path)
        self.taken.append(name)

    def has(self, name):
        return find(self.app.shell, name) is not None

    def touch(self, x, y, to=None):
        touch = UnitTestTouch(x, y)
        touch.touch_down()
        self.idle(2)
        if to is not None:
            touch.touch_move(*to)
            self.idle(2)
        touch.touch_up()
        self.idle(4)

    def tap(self, name):
        self.until(lambda: self.has(name), name=name)
        widget = find(self.app.shell, name)
        for parent in widget.walk_reverse():
            if hasattr(parent, "scroll_to") and widget in list(parent.walk(restrict=True)):
                parent.scroll_to(widget, animate=False)
                self.idle(3)
        self.touch(*widget.to_window(*widget.center))

    def tap_card(self, key):
        view = self.app.page.view
        self.touch(*view.to_window(*view.marks[key]))

    def frame(self, keys):
        view = self.app.page.view
        places = [view.to_window(*view.marks[key]) for key in keys]
        xs, ys = [x for x, _ in places], [y for _, y in places]
        self.touch(min(xs) - 14, max(ys) + 14, (max(xs) + 14, min(ys) - 14))

    def close(self):
        self.app.on_stop()
        Window.remove_widget(self.app.root)
        self.idle(2)
