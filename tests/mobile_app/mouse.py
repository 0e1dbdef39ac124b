"""The app as `suanhu app` starts it, in a window of an X server, and a mouse that clicks in it.

The window stays where SDL put it, in the middle of a screen that is large enough: were it moved, SDL would
take the place of the wheel for one outside.

Clicks go through the X server: `xdotool` sends them, SDL gets them. The app runs its own loop in the main
thread; what clicks runs in another and looks where the buttons are.
"""

# ruff: noqa: T201 - what is printed is read by the test
import os
import resource
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

from tests import PATIENCE_S
from tests.clock import keep_own_time


class Mouse:
    """A mouse over the app's window.

    Args:
        app: the running app.
        size: width and height that the window is given.
        shots: folder for screenshots.
    """

    def __init__(self, app, size, shots):
        from kivy.core.window import Window

        self.app, self.shots, self._window, self._taken = app, Path(shots), Window, 0
        self.shots.mkdir(parents=True, exist_ok=True)
        self._id = self._xdotool("search", "--sync", "--onlyvisible", "--pid", str(os.getpid())).split()[-1]
        self._xdotool("windowsize", "--sync", self._id, *map(str, size))
        self.until(lambda: tuple(Window.size) == size)
        self._lifts = 0
        Window.bind(on_mouse_up=self._lifted)
        self.idle(0.6)

    def _lifted(self, *_):
        self._lifts += 1

    def _press(self, *words):
        """Do something with the mouse, and wait until the app has seen a button or the wheel let go."""
        before = self._lifts
        self._xdotool(*words)
        self.until(lambda: self._lifts > before)

    @staticmethod
    def _xdotool(*words):
        return subprocess.run(
            ["xdotool", *words], capture_output=True, text=True, timeout=PATIENCE_S, check=True
        ).stdout

    def idle(self, seconds=0.35):
        """Wait until the window has drawn again; a list holds a touch back for a fifth of a second."""
        from kivy.clock import Clock

        time.sleep(seconds)
        frame = Clock.frames
        self.until(lambda: Clock.frames > frame + 2)

    def until(self, right):
        end = time.monotonic() + PATIENCE_S
        while not right():
            assert time.monotonic() < end, f"waited in vain on {type(self.app.page).__name__}"
            time.sleep(0.03)

    def in_window(self, work):
        """Do something in the window's own thread."""
        from kivy.clock import Clock

        done, results = threading.Event(), []

        def run(_):
            try:
                results.append(work())
            finally:
                done.set()

        Clock.schedule_once(run, 0)
        assert done.wait(PATIENCE_S)
        return results[0]

    def has(self, name):
        from mobile_app.ui.widgets import find

        return find(self.app.shell, name) is not None

    def click_at(self, x, y):
        """Click at a place of the window, counted from below as Kivy counts."""
        self._move(x, y)
        self._press("click", "1")
        self.idle()

    def _move(self, x, y):
        place = (str(round(x)), str(round(self._window.height - y)))
        self._xdotool("mousemove", "--window", self._id, *place)

    def drag(self, start, end):
        self._move(*start)
        self._xdotool("mousedown", "1")
        self.idle(0.1)
        for share in (0.3, 0.6, 1.0):
            self._move(*(a + (b - a) * share for a, b in zip(start, end, strict=True)))
            time.sleep(0.08)
        self._press("mouseup", "1")
        self.idle()

    def bring_into_sight(self, widget):
        """Turn the wheel until the whole widget can be seen."""
        scroll = next((each for each in widget.walk_reverse() if hasattr(each, "scroll_to")), None)
        if scroll is None or widget not in list(scroll.walk(restrict=True)):
            return
        self._at_rest(widget)
        low, high = scroll.to_window(scroll.x, scroll.y)[1], scroll.to_window(scroll.x, scroll.top)[1]
        for _ in range(20):
            middle = self._at_rest(widget)[1]
            room = min(widget.height / 2, (high - low) / 2) - 1
            if middle - room < low:
                self._turn(scroll, low - middle + room)
            elif middle + room > high:
                self._turn(scroll, high - middle - room)
            else:
                return
        raise AssertionError(f"{widget.name} cannot be scrolled into sight")

    def _turn(self, scroll, distance):
        """Turn the wheel over a list until it should have moved so many pixels; down where above 0."""
        steps = max(1, round(abs(distance) / scroll.scroll_wheel_distance))
        self._move(*scroll.to_window(scroll.center_x, scroll.center_y))
        self._press("click", "--repeat", str(steps), "--delay", "15", "5" if distance > 0 else "4")
        self.idle(0.15)

    def click(self, name):
        from mobile_app.ui.widgets import find

        self.until(lambda: self.has(name))
        widget = find(self.app.shell, name)
        self.bring_into_sight(widget)
        self.click_at(*self._at_rest(widget))

    def _at_rest(self, widget):
        """Wait until a widget lies still, and say where its middle is."""
        before = None
        for _ in range(100):
            now = (*widget.to_window(*widget.center), *widget.size)
            if now == before:
                return now[:2]
            before = now
            self.idle(0.05)
        raise AssertionError(f"{widget.name} does not come to rest")

    def click_card(self, key):
        view = self.app.page.view
        self.click_at(*view.to_window(*view.marks[key]))

    def frame(self, keys, edge=12):
        """Draw a frame round the names of cards."""
        view = self.app.page.view
        places = [view.to_window(*view.marks[key]) for key in keys]
        xs, ys = [x for x, _ in places], [y for _, y in places]
        self.drag((min(xs) - edge, max(ys) + edge), (max(xs) + edge, min(ys) - edge))

    def shot(self, name):
        """Check what is shown, and keep a picture of it; where, is given back."""
        from tests.mobile_app.look import faults

        self.idle(0.1)
        path = self.shots / f"{self._taken:02d}-{name}.png"
        self._taken += 1

        def take():
            Path(self._window.screenshot(name=str(path))).rename(path)
            return faults(self.app)

        wrong = self.in_window(take)
        assert wrong == [], f"{name}: {wrong[:6]}"
        return path

    def shots_down(self, name):
        """Take pictures of a whole page, scrolled by the wheel."""
        self.shot(name)
        scroll = self.app.page.scroll
        for _ in range(12):
            before = self._at_rest(scroll.column)[1]
            self._turn(scroll, 0.85 * scroll.height)
            if scroll.column.height <= scroll.height or abs(self._at_rest(scroll.column)[1] - before) < 4:
                return
            self.shot(f"{name}-lower")


def play(walk, lang, size, shots):
    """Start the app as its command does, and walk through it.

    Args:
        walk: told the mouse, in a thread of its own.
        lang: the language of a first start.
        size: of the window.
        shots: folder for screenshots.
    """
    from suanhu.__main__ import main

    keep_own_time()
    failed = []

    def drive():
        app = None
        try:
            end = time.monotonic() + PATIENCE_S
            while getattr(app, "page", None) is None:
                assert time.monotonic() < end, "the app did not start"
                time.sleep(0.05)
                # Nothing is imported here before the app itself has: an import that two threads begin fails.
                app_class = getattr(sys.modules.get("mobile_app.ui.app"), "SuanhuApp", None)
                app = app_class and app_class.get_running_app()
            walk(Mouse(app, size, shots))
        except BaseException:  # noqa: BLE001 - printed below, and the app ends
            failed.append(traceback.format_exc())
        finally:
            if app is not None:
                from kivy.clock import Clock

                Clock.schedule_once(lambda _: app.stop(), 0)

    driver = threading.Thread(target=drive, daemon=True)
    driver.start()
    status = main(["app", "--lang", lang])
    driver.join(PATIENCE_S)
    if failed:
        sys.exit("".join(failed))
    print("walked", status, "most memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "MB")
