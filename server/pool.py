"""Bounded workers for what takes long, so that the event loop stays free to answer."""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from server.problems import ProblemError

P = ParamSpec("P")
T = TypeVar("T")


def _stopping() -> ProblemError:
    return ProblemError("stopping", {"retry-after": "5"})


def _stand_back(behind: int) -> None:
    if behind and sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(behind, os.getpriority(os.PRIO_PROCESS, thread)))


class Pool:
    """A fixed number of threads and a queue that says no when it is full.

    Threads and not processes: the models run outside Python's lock, and loaded models are shared.
    """

    def __init__(self, name: str, workers: int, queue: int, *, behind: int = 0) -> None:
        """Makes a pool.

        Args:
            name: For the names of its threads.
            workers: How many run at once.
            queue: How many more may wait.
            behind: How far its threads, and those that they start, stand back where processors are
                short (`nice`, on Linux), so that what is quick is not held up by what takes long.
        """
        self._threads = ThreadPoolExecutor(
            workers, f"suanhu-{name}", initializer=_stand_back, initargs=(behind,)
        )
        self._workers = workers
        self._room = workers + queue
        self._inside = 0
        self._lock = threading.Lock()
        self._mean_s = 1.0
        self._ends = False

    @property
    def inside(self) -> int:
        """How many run or wait."""
        return self._inside

    @property
    def retry_after_s(self) -> int:
        """In how many seconds the queue will probably have room."""
        return max(1, math.ceil(self._inside * self._mean_s / self._workers / 2))

    def admit(self) -> None:
        """Says whether one more would be taken, before its upload is read.

        Raises:
            ProblemError: The queue is full; says when to try again.
        """
        if self._inside >= self._room:
            raise ProblemError("too_busy", {"retry-after": str(self.retry_after_s)})

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs something on a worker.

        Args:
            work: What to run.
            args: What it takes.
            kwargs: What it takes by name.

        Returns:
            What it returned.

        Raises:
            ProblemError: The queue is full, or the service ends before it was begun or does not wait for
                its end; says when to try again.
        """
        self.admit()
        with self._lock:
            self._inside += 1

        def timed() -> T:
            started = time.monotonic()
            try:
                return work(*args, **kwargs)
            finally:
                self._mean_s += 0.1 * (time.monotonic() - started - self._mean_s)

        try:
            future = self._threads.submit(timed)
        except RuntimeError as error:
            self._leave(None)
            raise _stopping() from error
        # A caller that goes away gives its place back only when the work is over or was never begun.
        future.add_done_callback(self._leave)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling() and not self._ends:
                raise
            raise _stopping() from error

    def _leave(self, _: Future[T] | None) -> None:
        with self._lock:
            self._inside -= 1

    def stop(self) -> None:
        """Lets running work end, and answers whoever still waits that the service ends."""
        self._ends = True
        self._threads.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Lets running work end and starts no more."""
        self._threads.shutdown(wait=True, cancel_futures=True)
