"""Time and work that are the same on every machine, however slow or busy it is."""

import importlib
import sys
import threading
from collections.abc import Callable

LOOK_S = 1e-5
"""What passes while somebody looks at the clock: a hundred thousand looks are a second."""
CLOCKED = ("table.settle", "table.argument", "table.split")
"""The modules that stop where their time is over."""


class Clock:
    """A clock of looks, so that what has only so long comes equally far on every machine.

    Each thread has its own, as if nobody else were at work.
    """

    def __init__(self) -> None:
        self._local = threading.local()

    def monotonic(self) -> float:
        """Seconds so far, as `time.monotonic` tells them."""
        self.go_on(LOOK_S)
        return float(self._local.now)

    def go_on(self, seconds: float) -> None:
        """Lets time pass for this thread."""
        self._local.now = getattr(self._local, "now", 0.0) + seconds


def keep_own_time() -> None:
    """Gives those modules such a clock for as long as this process lives."""
    for name in CLOCKED:
        importlib.import_module(name).time = Clock()  # type: ignore[attr-defined]


def work_of(task: Callable[[], object]) -> int:
    """How many functions a task calls, those of Python and those of C: its work, whatever time it takes."""
    calls = 0

    def count(_frame: object, event: str, _what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(before)
    return calls
