"""`suanhu deck`, with decks made of coloured crops."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from tests.suanhu.conftest import Run, is_one_line
from vision.deck import Deck
from vision.faces import COPIES
from vision.shelf import Shelf


def a_deck(name: str = "village", kind: int = 110, faces: int | None = None) -> Deck:
    rng = np.random.default_rng(5)
    labels = list(COPIES[kind])[:faces]
    crops = [(label, rng.integers(0, 256, (72, 48, 3), dtype=np.uint8)) for label in labels]
    return Deck.of_faces(name, crops, kind=kind)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "village.deck"
    a_deck().save(path)
    return path


def test_a_friend_s_deck_is_taken_listed_shown_and_deleted(suanhu: Run, file: Path, own_home: Path) -> None:
    taken = suanhu("deck", "import", str(file))
    assert (taken.status, taken.err) == (0, "")
    assert "single cards" in taken.out
    assert (own_home / "decks" / "village.deck").is_file()
    assert "village" in suanhu("deck", "list").out
    shown = suanhu("deck", "show", "village")
    assert shown.status == 0
    assert "花三" in shown.out
    about = suanhu("deck", "show", "village", "--json").json
    assert (about["name"], about["kind"], about["read_only"], about["missing"]) == ("village", 110, False, [])
    assert about["faces"]["花三"] == 1
    assert about in suanhu("deck", "list", "--json").json["decks"]
    assert suanhu("deck", "delete", "village").status == 0
    assert suanhu("deck", "show", "village").status == 2


def test_an_exported_deck_is_the_same(suanhu: Run, file: Path, tmp_path: Path) -> None:
    suanhu("deck", "import", str(file))
    out = tmp_path / "to-a-friend.deck"
    assert suanhu("deck", "export", "village", str(out)).status == 0
    assert suanhu("deck", "import", str(out)).status == 0
    assert suanhu("deck", "show", "to-a-friend", "--json").json["faces"] == dict.fromkeys(COPIES[110], 1)


def test_taking_the_same_deck_again_changes_nothing(suanhu: Run, file: Path) -> None:
    assert suanhu("deck", "import", str(file)).status == 0
    assert suanhu("deck", "import", str(file)).status == 0


def test_another_deck_of_the_same_name_is_not_lost(suanhu: Run, file: Path, tmp_path: Path) -> None:
    suanhu("deck", "import", str(file))
    other = tmp_path / "other" / "village.deck"
    a_deck(kind=96).save(other)
    done = suanhu("deck", "import", str(other))
    assert done.status == 2
    assert is_one_line(done.err)
    assert suanhu("deck", "show", "village", "--json").json["kind"] == 110
    assert suanhu("deck", "import", str(other), "--name", "village 96").status == 0
    assert suanhu("deck", "show", "village 96", "--json").json["kind"] == 96
    assert suanhu("deck", "import", str(other), "--force").status == 0
    assert suanhu("deck", "show", "village", "--json").json["kind"] == 96


def test_a_deck_says_what_it_lacks(suanhu: Run, tmp_path: Path) -> None:
    path = tmp_path / "part.deck"
    a_deck(faces=20).save(path)
    taken = suanhu("deck", "import", str(path))
    assert len(suanhu("deck", "show", "part", "--json").json["missing"]) == 7
    (told,) = (line for line in suanhu("deck", "show", "part").out.splitlines() if "not learned" in line)
    assert told in taken.out.splitlines()


def test_a_lesson_is_taken_back(suanhu: Run, file: Path) -> None:
    suanhu("deck", "import", str(file))
    shelf = Shelf()
    deck = shelf.find("village")
    shelf.save_taught(deck.corrected("三", deck.examples[0].crop))
    done = suanhu("deck", "undo", "village")
    assert (done.status, done.err) == (0, "")
    assert "the last lesson (三)" in done.out
    assert "it is now: village" in done.out
    assert len(shelf.find("village").examples) == len(deck.examples)
    again = suanhu("deck", "undo", "village")
    assert (again.status, again.out, is_one_line(again.err)) == (2, "", True)


def test_a_deck_that_was_replaced_by_force_comes_back(suanhu: Run, file: Path, tmp_path: Path) -> None:
    suanhu("deck", "import", str(file))
    other = tmp_path / "other" / "village.deck"
    a_deck(kind=96).save(other)
    assert "village.deck.old" in suanhu("deck", "import", str(other), "--force").out
    done = suanhu("deck", "undo", "village")
    assert done.status == 0
    assert "learned or taken on 20" in done.out
    assert "village.deck.undone" in done.out
    assert "110 cards" in done.out
    assert suanhu("deck", "show", "village", "--json").json["kind"] == 110
    assert suanhu("deck", "undo", "village").status == 2


def test_a_deck_that_was_deleted_comes_back(suanhu: Run, file: Path, own_home: Path) -> None:
    suanhu("deck", "import", str(file))
    deleted = (own_home / "decks" / "village.deck").read_bytes()
    assert "deck undo village" in suanhu("deck", "delete", "village").out
    done = suanhu("deck", "undo", "village")
    assert (done.status, done.err) == (0, "")
    assert "deleted" in done.out
    assert (own_home / "decks" / "village.deck").read_bytes() == deleted


def test_a_deck_that_is_not_there_is_told_at_undo(suanhu: Run) -> None:
    assert "no such deck: none" in suanhu("deck", "undo", "none").err


def test_a_file_whose_name_is_none_of_a_deck_is_taken_by_the_name_in_it(suanhu: Run, tmp_path: Path) -> None:
    path = tmp_path / "village (1).deck"
    a_deck().save(path)
    done = suanhu("deck", "import", str(path))
    assert (done.status, done.err) == (0, "")
    assert "--name" in done.out
    assert suanhu("deck", "show", "village").status == 0


def test_names_follow_one_rule_and_no_case(suanhu: Run, file: Path) -> None:
    suanhu("deck", "import", str(file))
    for name in ("KAI", "Village", "a/b", "", "auto", "other.deck"):
        for words in (("import", str(file), "--name", name), ("learn", name, "none.jpg")):
            done = suanhu("deck", *words)
            assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
            assert "none.jpg" not in done.err


def test_export_spares_what_is_no_deck(suanhu: Run, file: Path, tmp_path: Path, own_home: Path) -> None:
    suanhu("deck", "import", str(file))
    other = tmp_path / "letter.txt"
    other.write_text("dear friend")
    places = {
        str(other): "not overwritten",
        str(tmp_path / "none" / "x.deck"): "no such folder",
        str(own_home / "decks" / "town.deck"): "your own decks",
        ".": "folder",
    }
    for place, why in places.items():
        done = suanhu("deck", "export", "village", place)
        assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
        assert why in done.err
    assert other.read_text() == "dear friend"
    assert not (tmp_path / "none").exists()


def test_export_tells_which_deck_file_it_replaces(suanhu: Run, file: Path, tmp_path: Path) -> None:
    suanhu("deck", "import", str(file))
    out = tmp_path / "sent.deck"
    a_deck(faces=20).save(out)
    done = suanhu("deck", "export", "village", str(out))
    assert done.status == 0
    assert "replaced" in done.out
    assert Deck.load(out).missing == ()


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "zh-Hans"])
def test_export_spares_the_file_of_another_deck_unless_forced(
    suanhu: Run, file: Path, tmp_path: Path, lang: str
) -> None:
    suanhu("deck", "import", str(file))
    # Whatever the file is called, the deck in it is another.
    for called in ("friend", "village"):
        other = tmp_path / "exp" / f"{called}.deck"
        a_deck("friend", kind=96).save(other)
        words = ("--lang", lang, "deck", "export", "village", str(other))
        done = suanhu(*words)
        assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
        assert "friend" in done.err
        assert "--force" in done.err
        assert Deck.load(other).kind == 96
        assert suanhu(*words, "--force").status == 0
        assert Deck.load(other).kind == 110
        assert suanhu(*words).status == 0


def test_export_writes_no_file_called_after_standard_output(
    suanhu: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suanhu("deck", "import", str(file))
    monkeypatch.chdir(tmp_path)
    done = suanhu("deck", "export", "village", "-")
    assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "zh-Hans"])
def test_a_deck_does_not_take_the_name_of_one_that_ships(suanhu: Run, file: Path, lang: str) -> None:
    for words in (("import", str(file), "--name", "kai"), ("learn", "kai", "none.jpg")):
        done = suanhu("deck", *words, "--lang", lang)
        assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
        assert "kai" in done.err
    assert suanhu("deck", "show", "kai", "--json").json["read_only"] is True


def test_a_corrected_copy_of_a_shipped_deck_is_taken_under_its_name(suanhu: Run, tmp_path: Path) -> None:
    shipped = Shelf().find("kai")
    path = tmp_path / "kai.deck"
    shipped.corrected("三", shipped.examples[0].crop).save(path)
    assert suanhu("deck", "import", str(path)).status == 0
    assert suanhu("deck", "list").err == ""


def test_a_deck_of_before_that_hides_one_that_ships_is_read_and_told(suanhu: Run, own_home: Path) -> None:
    a_deck("kai").save(own_home / "decks" / "kai.deck")
    for words in (("list",), ("show", "kai")):
        done = suanhu("deck", *words)
        assert done.status == 0
        assert "your own" in done.out
        assert is_one_line(done.err)
        assert "hides" in done.err


def test_where_a_damaged_deck_lies_is_told(suanhu: Run, own_home: Path) -> None:
    path = own_home / "decks" / "broken.deck"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"PK\x03\x04")
    for words in (("list",), ("show", "broken"), ("import", str(path))):
        done = suanhu("deck", *words)
        assert is_one_line(done.err)
        assert str(path) in done.err


def test_a_damaged_deck_of_one_s_own_is_named_and_hides_no_other(
    suanhu: Run, file: Path, own_home: Path
) -> None:
    suanhu("deck", "import", str(file))
    (own_home / "decks" / "broken.deck").write_bytes(b"PK\x03\x04")
    done = suanhu("deck", "list")
    assert done.status == 0
    assert "village" in done.out
    assert is_one_line(done.err)
    assert "broken" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("deck",),
        ("deck", "burn"),
        ("deck", "show"),
        ("deck", "show", "none"),
        ("deck", "show", "auto"),
        ("deck", "show", "../none.deck"),
        ("deck", "show", ""),
        ("deck", "export", "none", "x.deck"),
        ("deck", "delete", "none"),
        ("deck", "undo", "none"),
        ("deck", "undo", "../../x"),
        ("deck", "undo", "kai"),
        ("deck", "delete", "../../x"),
        ("deck", "import", "none.deck"),
        ("deck", "import", "."),
        ("deck", "learn", "village", "photo.jpg"),
        ("deck", "learn", "village", "none.jpg", "--cards", "上大人"),
        ("deck", "learn", "a/b", "none.jpg", "--cards", "上大人"),
        ("deck", "learn", "auto", "none.jpg", "--cards", "上大人"),
        ("deck", "learn", "con", "none.jpg", "--cards", "上大人"),
        ("deck", "learn", "village", "--cards", "上大人"),
    ],
)
def test_bad_input_is_one_line_and_status_2(suanhu: Run, words: tuple[str, ...]) -> None:
    for language in ("en", "zh-Hant", "zh-Hans"):
        done = suanhu("--lang", language, *words)
        assert (done.status, done.out) == (2, "")
        assert is_one_line(done.err), done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("words", [("import",), ("show",)])
def test_a_pipe_is_no_deck_file_and_is_not_waited_for(
    suanhu: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / "pipe.deck")
    done = suanhu("deck", *words, str(tmp_path / "pipe.deck"))
    assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
    assert str(tmp_path / "pipe.deck") in done.err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no folder that takes no files")
def test_a_folder_that_takes_no_files_is_told_by_the_name_that_was_given(suanhu: Run, file: Path) -> None:
    suanhu("deck", "import", str(file))
    done = suanhu("deck", "export", "village", "/proc/x.deck")
    assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
    assert "/proc/x.deck: " in done.err


def test_a_shelf_that_cannot_be_written_is_told_by_the_deck_and_no_file_beside_it(
    suanhu: Run, file: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suanhu("deck", "import", str(file))

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "read-only", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    done = suanhu("deck", "delete", "village")
    assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
    assert f"{own_home / 'decks' / 'village.deck'}: cannot be written to" in done.err


@pytest.mark.parametrize("keep", [0, 1, 100, 2000, -1])
def test_a_deck_that_was_cut_short_is_bad_input(suanhu: Run, file: Path, keep: int) -> None:
    file.write_bytes(file.read_bytes()[:keep])
    done = suanhu("deck", "import", str(file))
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)


def test_a_deck_cannot_be_written_over_a_folder(suanhu: Run, file: Path, tmp_path: Path) -> None:
    suanhu("deck", "import", str(file))
    done = suanhu("deck", "export", "village", str(tmp_path))
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done.err)
