"""Runs the program inside the test's own process."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from suanhu.__main__ import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command line came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Outcome]


@pytest.fixture
def suanhu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `suanhu WORDS...`, in English unless the words or the test say otherwise."""
    for name in ("LC_ALL", "LC_MESSAGES", "SUANHU_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")

    def run(*words: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        status = main(words)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


def is_one_line(text: str) -> bool:
    """Tell whether a text is one line for the person who typed, no traceback and no fault of the program."""
    faults = ("Traceback", "SUANHU_DEBUG")
    return text.count("\n") == 1 and text.endswith("\n") and not any(word in text for word in faults)
