"""Whatever is typed: one clear line on standard error, exit status 2, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import scorer
from tests.conftest import ROOT
from tests.suanhu.conftest import Run, is_one_line

IN_CHINESE = {"COMMAND": "命令", "HAND": "一手牌"}
"""What is missing, as Chinese calls it."""

HAND = "三三三 七七七 上大人 可知禮 孔乙己 八九子 化花三千 花七十土 二二"


@pytest.mark.parametrize(
    ("words", "mentioned"),
    [
        ((), "COMMAND"),
        (("count",), "count"),
        (("--lang", "xx", "rules"), "xx"),
        (("rules", "--lang"), "--lang"),
        (("score",), "HAND"),
        (("score", HAND), "--rule"),
        (("score", "--rule", "mahjong", HAND), "mahjong"),
        (("score", "--rule", "no/such/rule.toml", HAND), "rule.toml"),
        (("score", "--rule", "", HAND), ""),
        (("score", "--rule", "jingzhou", ""), ""),
        (("score", "--rule", "jingzhou", "牌"), "牌"),
        (("score", "--rule", "jingzhou", "abc"), "a"),
        (("score", "--rule", "jingzhou", "花可"), "可"),
        (("score", "--rule", "jingzhou", HAND + " 賴"), "賴"),
        (("score", "--rule", "shangdaren", "上大人 可知禮"), "可"),
        (("score", "--rule", "jingzhou", "(三三花三"), ""),
        (("score", "--rule", "jingzhou", "三三)"), ""),
        (("score", "--rule", "jingzhou", "(三[三三)]"), ""),
        (("score", "--rule", "jingzhou", "()"), ""),
        (("score", "--rule", "jingzhou", HAND, "--win", "五"), "五"),
        (("score", "--rule", "jingzhou", HAND, "--win", "三三"), ""),
        (("score", "--rule", "jingzhou", HAND, "--by", "luck"), "luck"),
        (("score", "--rule", "jingzhou", HAND, "--players", "5"), "5"),
        (("score", "--rule", "jingzhou", HAND, "--players", "two"), "two"),
        (("score", "--rule", "jingzhou", HAND, "--stake", "1.5"), "1.5"),
        (("score", "--rule", "jingzhou", HAND, "--stake", "1e3"), "1e3"),
        (("score", "--rule", "jingzhou", HAND, "--stake", "-1"), ""),
        (("score", "--rule", "jingzhou", HAND, "--stake", "９"), "９"),
        (("score", "--rule", "jingzhou", HAND, "--stake", "9" * 19), "18"),
        (("score", "--rule", "jingzhou", HAND, "--stake", "9" * 5000), "18"),
        (("score", "--rule", "jingzhou", HAND, "--winner", "3"), "3"),
        (("score", "--rule", "jingzhou", HAND, "--winner", "-1"), ""),
        (("score", "--rule", "jingzhou", HAND, "--by", "discard", "--from", "0"), ""),
        (("score", "--rule", "jingzhou", HAND, "--by", "discard", "--from", "7"), "7"),
        (("score", "--rule", "jingzhou", HAND, "--option", "main_jing"), "main_jing"),
        (("score", "--rule", "jingzhou", HAND, "--option", "=x"), "=x"),
        (("score", "--rule", "jingzhou", HAND, "--option", "luck=1"), "luck"),
        (("score", "--rule", "jingzhou", HAND, "--option", "main_jing=九"), "九"),
        (("score", "--rule", "jingzhou", HAND, "--dui", "1"), "--dui"),
        (("score", "--rule", "jingzhou", HAND, "--dui", "x=1"), "x"),
        (("score", "--rule", "jingzhou", HAND, "--dui", "9=1"), "9"),
        (("score", "--rule", "jingzhou", HAND, "--json", "--luck"), "--luck"),
        (("score", "--rule", "jingzhou", HAND, "--json=yes"), "--json"),
        (("waits",), "HAND"),
        (("waits", "--rule", "jingzhou", "牌"), "牌"),
        (("waits", "--rule", "mahjong", HAND), "mahjong"),
        (("waits", "--rule", "jingzhou", HAND, "--win", "二"), "--win"),
        (("advise",), "HAND"),
        (("advise", "--rule", "jingzhou", "牌"), "牌"),
        (("rules", "mahjong"), "mahjong"),
        (("rules", "no/such.toml"), "such.toml"),
        (("rules", "jingzhou", "--option", "luck=1"), "luck"),
        (("rules", "jingzhou", "tongcheng"), "tongcheng"),
        (("serve", "--port", "70000"), "70000"),
        (("serve", "--port", "http"), "http"),
        (("serve", "--workers", "0"), "0"),
    ],
)
def test_bad_input_is_one_line_and_status_2(suanhu: Run, words: tuple[str, ...], mentioned: str) -> None:
    for language in ("en", "zh-Hant", "zh-Hans"):
        done = suanhu(*words) if "--lang" in words else suanhu(*words, "--lang", language)
        assert done.status == 2
        assert done.out == ""
        assert is_one_line(done.err), done.err
        in_chinese = IN_CHINESE.get(mentioned, mentioned)
        named = mentioned if language == "en" else in_chinese
        assert named in done.err or scorer.simplify(named) in done.err


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"[", b'name = "x"\n', b'base = "mahjong"\n', "規則 = 1\n".encode()],
    ids=["empty", "binary", "broken", "without a base", "of no rule", "of unknown words"],
)
def test_a_rule_file_that_is_none_is_bad_input(suanhu: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)
    done = suanhu("score", "--rule", str(path), HAND)
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)


def test_a_folder_is_no_rule_file(suanhu: Run, tmp_path: Path) -> None:
    folder = tmp_path / "own.toml"
    folder.mkdir()
    done = suanhu("score", "--rule", str(folder), HAND)
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)


def test_the_line_is_in_the_terminal_s_language(suanhu: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    assert "還缺" in suanhu("score", HAND).err
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "还缺" in suanhu("score", HAND).err


def test_a_fault_of_the_program_is_one_line_too(suanhu: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("suanhu.rules.run", fail)
    done = suanhu("rules")
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert "RuntimeError: out of order" in done.err
    monkeypatch.setenv("SUANHU_DEBUG", "1")
    with pytest.raises(RuntimeError):
        suanhu("rules")


def test_an_interruption_says_nothing(suanhu: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("suanhu.rules.run", interrupt)
    done = suanhu("rules")
    assert (done.status, done.out, done.err) == (130, "", "")


def program(*words: str, **settings: object) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, **settings.pop("env", {})}  # type: ignore[dict-item]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "suanhu", *words],
        cwd=ROOT,
        env=environment,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = program("score", "--rule", "jingzhou", "-")
    process.stdout.close()
    _, err = process.communicate((HAND + "\n").encode() * 50)
    assert (process.returncode, err) == (141, b"")


def test_output_is_utf_8_whatever_the_terminal_says() -> None:
    for extra in ({"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}):
        process = program("rules", "--lang", "zh-Hant", env={**extra, "PYTHONIOENCODING": "ascii"})
        out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        assert "荊州" in out.decode("utf-8")


def test_words_that_are_not_utf_8_are_bad_input() -> None:
    process = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"suanhu", b"score", b"--rule", b"jingzhou", b"\xff\xfe"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert process.returncode == 2
    assert is_one_line(process.stderr.decode("utf-8"))


def test_help_speaks_three_languages(suanhu: Run) -> None:
    for language, word in (("en", "usage: suanhu"), ("zh-Hant", "用法：suanhu"), ("zh-Hans", "用法：suanhu")):
        done = suanhu("--lang", language, "--help")
        assert done.status == 0
        assert done.out.startswith(word)
        for command in ("score", "waits", "advise", "read", "photo", "deck", "rules", "serve", "app"):
            assert command in done.out


def test_the_version_is_printed(suanhu: Run) -> None:
    done = suanhu("--version")
    assert done.status == 0
    assert done.out.startswith("suanhu ")
