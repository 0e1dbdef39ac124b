"""The READMEs show what really happens."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.suanhu.readme import READMES, Example, examples, run

ALL = [
    pytest.param(example, name, id=f"{name}: {example.command}")
    for name in READMES
    for example in examples((ROOT / name).read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("example", "readme"), ALL)
def test_an_example_comes_out_as_shown(example: Example, readme: str, tmp_path: Path) -> None:
    status, output = run(example.command, tmp_path, readme)
    if example.output is None:
        assert status in {0, 3}, output
    else:
        assert output == example.output


def test_both_readmes_show_the_same_commands_and_the_same_pictures() -> None:
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in READMES)
    assert len(list(examples(english))) == len(list(examples(chinese)))
    for pattern in (r"^## ", r"^```", r"^\| `make"):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(
            re.findall(pattern, chinese, re.MULTILINE)
        )


def test_the_chinese_tables_are_chinese() -> None:
    rows = re.findall(r"^\|.*$", (ROOT / "README.zh.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows
    assert not [row for row in rows if re.search(r"\b(of|and|not|hard)\b", re.sub(r"`[^`]*`", "", row))]


@pytest.mark.parametrize("name", [*READMES, "datasets/README.md", "models/README.md"])
def test_what_is_linked_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / name).parent / target).exists(), target


def test_every_target_of_make_that_is_shown_exists() -> None:
    targets = set(
        re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    for name in READMES:
        for words in re.findall(r"`make ([^`]*)`", (ROOT / name).read_text(encoding="utf-8")):
            assert {word for word in words.split() if "=" not in word} <= targets
