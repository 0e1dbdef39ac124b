"""What is said where a part of the program is not installed."""

import importlib.util
import tomllib

import pytest

from suanhu import extras
from suanhu.errors import CommandError
from tests.conftest import ROOT


@pytest.mark.parametrize("extra", ["app", "server"])
def test_what_is_asked_for_is_what_the_extra_brings(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert sorted(getattr(extras, extra.upper()).values()) == project["optional-dependencies"][extra]


def test_what_is_missing_is_named_and_nothing_of_this_name_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = {"segno", "uvicorn"}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in missing else object())
    with pytest.raises(CommandError) as caught:
        extras.need_extra(extras.SERVER)
    assert str(caught.value).endswith('pip install "segno>=1.6" "uvicorn>=0.34"')
    assert "suanhu" not in str(caught.value)
