"""Work beside the window: one thread for each job, with progress, and stopped when it is asked."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from vision.errors import Cancelled

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    stage: str
    share: float
    """0 to 1."""


class Job(Generic[Result]):
    """Something that runs in a thread of its own; ask it how it stands, it never calls the window.

    Args:
        work: what to do; it is given the job, tells it its progress and asks it whether to stop.
    """

    def __init__(self, work: Callable[[Job[Result]], Result]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._progress = Progress("", 0.0)
        self._stop = threading.Event()
        self._result: Result | None = None
        self._error: Exception | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Job[Result]:
        """Begin.

        Returns:
            The job itself.
        """
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            self._result = self._work(self)
        except Exception as error:  # noqa: BLE001 - handed to whoever asks for the result
            if not isinstance(error, (ValueError, Cancelled)):
                _log.exception("a job failed")
            self._error = error
        finally:
            self._done.set()

    def tell(self, stage: str, share: float) -> None:
        """Say how far it is; called by the work.

        Args:
            stage: what begins.
            share: how much is done, 0 to 1.

        Raises:
            Cancelled: somebody asked it to stop.
        """
        if self._stop.is_set():
            raise Cancelled
        with self._lock:
            self._progress = Progress(stage, share)

    @property
    def progress(self) -> Progress:
        """How far it is."""
        with self._lock:
            return self._progress

    def cancel(self) -> None:
        """Ask it to stop; it does at its next stage, and what it still finds is dropped."""
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    @property
    def done(self) -> bool:
        """Whether it has ended, well or not."""
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for its end.

        Args:
            seconds: at most.

        Returns:
            Whether it has ended.
        """
        return self._done.wait(seconds)

    def result(self) -> Result:
        """Give what came of it.

        Returns:
            The result of the work.

        Raises:
            Cancelled: it was stopped.
            Exception: what the work raised.
        """
        if self._stop.is_set():
            raise Cancelled
        if self._error is not None:
            raise self._error
        if not self._done.is_set():
            msg = "the job still runs"
            raise RuntimeError(msg)
        return self._result  # type: ignore[return-value]
