"""The examples of a README: what is typed, and what comes back.

A block `console` holds commands after `$`, each with its output below; a block `sh` holds commands
whose output may differ from run to run; a block `toml` is a file, named in its first line. Run
`python -m tests.suanhu.readme` to write the outputs anew.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

READMES = {"README.md": "en_US.UTF-8", "README.zh.md": "zh_CN.UTF-8"}
_BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


_FILE = re.compile(r"^```toml\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a README."""

    command: str
    output: str | None
    """What has to come back; None where only success counts."""


def examples(text: str) -> Iterator[Example]:
    """Yield the examples of a README in order."""
    for kind, body in _BLOCK.findall(text):
        if kind == "sh":
            yield from (Example(line, None) for line in body.splitlines() if line.strip())
        else:
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield Example(command, output)


def run(command: str, folder: Path, readme: str) -> tuple[int, str]:
    """Run a command as a reader would, in a folder that has the samples; give its status and all it says."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "suanhu"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m suanhu "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (folder / "out").mkdir(exist_ok=True)
    for name, content in _FILE.findall((ROOT / readme).read_text(encoding="utf-8")):
        (folder / name).write_text(content, encoding="utf-8")
    if not (folder / "datasets").exists():
        (folder / "datasets").symlink_to(ROOT / "datasets")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
        "LANG": READMES[readme],
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SUANHU_HOME": str(folder / "home"),
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _write(name: str) -> None:
    path = ROOT / name

    def anew(block: re.Match[str]) -> str:
        if block[1] == "sh":
            return block[0]
        with tempfile.TemporaryDirectory() as folder:
            commands = [each.command for each in examples(block[0] + "\n")]
            body = "".join(f"$ {each}\n{run(each, Path(folder), name)[1]}" for each in commands)
        return f"```console\n{body}```"

    path.write_text(_BLOCK.sub(anew, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for each_readme in READMES:
        _write(each_readme)
