"""The page as files: every word is there in three languages, nothing is asked of another host."""

import json
import re
from pathlib import Path

import pytest

from server.app import PAGE

SCRIPTS = sorted(PAGE.glob("*.js"))
WORD = re.compile(
    r'^  "?([a-z_ ]+?)"?: \[("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*")\],$', re.MULTILINE
)
WORDS = {match[1]: match.groups()[1:] for match in WORD.finditer((PAGE / "text.js").read_text("utf-8"))}


def used_words() -> set[str]:
    """Words that the scripts name literally."""
    found = set()
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        found |= set(re.findall(r'\b(?:t|button|field|busy|nameSheet|toggle|fileButton)\("([a-z_]+)"', text))
        found |= set(re.findall(r'\bpick\("([a-z_]+)"', text))
    return found


def test_every_word_that_is_used_is_there_and_none_is_left_over():
    assert len(WORDS) > 100
    assert used_words() <= set(WORDS)
    made_up = {f"kind_{kind}" for kind in ("scored", "drawn", "by_hand", "adjustment", "settlement")}
    made_up |= {f"tab_{tab}" for tab in ("count", "ledger", "table")}
    made_up |= {f"doubt_{why}" for why in ("covered", "unreadable", "cut off")}
    text = "".join(path.read_text("utf-8") for path in SCRIPTS if path.name != "text.js")
    unused = {word for word in set(WORDS) - used_words() - made_up if f'"{word}"' not in text}
    assert unused == set()


def test_all_three_languages_have_the_same_gaps_to_fill():
    for word, texts in WORDS.items():
        gaps = {tuple(sorted(re.findall(r"\{(\w+)\}", text))) for text in texts}
        assert len(gaps) == 1, word


def test_simplified_words_hold_no_traditional_characters():
    from scorer import simplify

    for word, (_, simplified, _) in WORDS.items():
        text = json.loads(simplified)
        assert text == simplify(text), word


@pytest.mark.parametrize("path", sorted(PAGE.iterdir()), ids=lambda path: path.name)
def test_nothing_is_asked_of_another_host(path: Path):
    text = path.read_text("utf-8").replace("http://www.w3.org/", "")
    assert not re.search(r"(https?:)?//[a-z0-9-]+\.", text)
    assert "innerHTML" not in text
    assert "eval(" not in text


def test_the_service_worker_keeps_every_file_of_the_page():
    kept = set(json.loads(re.search(r"const FILES = (\[.*?\]);", (PAGE / "sw.js").read_text("utf-8"))[1]))
    files = {path.name for path in PAGE.iterdir()} - {"index.html", "sw.js"} | {"./"}
    assert kept == files


def test_every_file_is_served_with_its_type(client):
    for path in PAGE.iterdir():
        answer = client.get("/" if path.name == "index.html" else f"/{path.name}")
        assert answer.status_code == 200
        assert answer.content == path.read_bytes()
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in (
            "text/html",
            "text/javascript",
            "text/css",
            "image/svg+xml",
            "application/manifest+json",
        )
