import time
from dataclasses import replace

import pytest

from tests.vision.synthetic import made_up_deck
from vision import shelf
from vision.deck import Deck
from vision.errors import DeckError, ModelError
from vision.shelf import Shelf, check_new_name


@pytest.fixture
def shipped(monkeypatch):
    decks = (
        replace(made_up_deck("kai"), read_only=True),
        replace(made_up_deck("nines", kind=96), read_only=True),
    )
    monkeypatch.setattr(shelf, "shipped_decks", lambda: decks)
    return decks


def test_the_shelf_lies_in_the_player_s_home(own_home):
    assert Shelf().folder == own_home / "decks"


def test_an_empty_shelf_has_the_shipped_decks(tmp_path, shipped):
    assert Shelf(tmp_path / "none").decks() == shipped


def test_only_decks_of_one_kind_are_taken(tmp_path, shipped):
    assert [deck.name for deck in Shelf(tmp_path).decks(96)] == ["nines"]


def test_a_saved_deck_is_found_again(tmp_path, shipped):
    mine = Shelf(tmp_path)
    path = mine.save(made_up_deck("荊州"))
    assert path == tmp_path / "荊州.deck"
    assert mine.find("荊州").name == "荊州"
    assert mine.find(str(path)).name == "荊州"
    assert [deck.name for deck in mine.decks()] == ["荊州", "kai", "nines"]


def test_a_deck_learned_anew_leaves_the_one_before_aside(tmp_path, shipped):
    mine = Shelf(tmp_path)
    before = replace(made_up_deck("village"), examples=made_up_deck("village").examples[:3])
    kept = mine.save(before).read_bytes()
    aside = mine.set_aside(made_up_deck("village"))
    mine.save(made_up_deck("village"))
    assert aside.read_bytes() == kept
    assert len(mine.find("village").examples) > 3
    assert [deck.name for deck in mine.own()] == ["village"]
    assert mine.set_aside(made_up_deck("town")) is None


def test_the_same_deck_learned_once_more_leaves_one_aside_too(tmp_path, shipped):
    mine = Shelf(tmp_path)
    kept = mine.save(made_up_deck("village")).read_bytes()
    aside = mine.set_aside(made_up_deck("village"))
    mine.save(made_up_deck("village"))
    assert aside.read_bytes() == kept


def test_the_player_s_copy_hides_the_shipped_deck(tmp_path, shipped):
    mine = Shelf(tmp_path)
    mine.save(mine.find("kai").corrected("三", made_up_deck().examples[0].crop))
    assert not mine.find("kai").read_only
    assert [deck.name for deck in mine.decks()] == ["kai", "nines"]
    mine.delete("kai")
    assert mine.find("kai").read_only


def test_what_a_deck_was_taught_last_is_taken_back(tmp_path, shipped):
    mine = Shelf(tmp_path)
    first = mine.save(made_up_deck("village")).read_bytes()
    crop = made_up_deck().examples[0].crop
    mine.save_taught(mine.find("village").corrected("三", crop))
    assert len(mine.find("village").examples) == 28
    undone = mine.undo("village")
    assert (undone.what, undone.labels, len(undone.deck.examples)) == ("lesson", ("三",), 27)
    assert len(Deck.from_bytes(undone.kept.read_bytes()).examples) == 28
    assert mine.path("village").read_bytes() == first
    with pytest.raises(DeckError, match="nothing to take back"):
        mine.undo("village")


def test_the_first_lesson_of_a_shipped_deck_is_taken_back_with_the_copy(tmp_path, shipped):
    mine = Shelf(tmp_path)
    mine.save_taught(mine.find("kai").corrected("三", made_up_deck().examples[0].crop))
    assert not mine.find("kai").read_only
    assert mine.undo("kai").deck.read_only
    assert mine.own() == ()


def test_a_deck_that_was_learned_anew_goes_back_once(tmp_path, shipped):
    mine = Shelf(tmp_path)
    few = replace(made_up_deck("village"), examples=made_up_deck("village").examples[:3])
    mine.save(few)
    mine.save_taught(few)
    mine.set_aside(made_up_deck("village"))
    mine.save(made_up_deck("village"))
    undone = mine.undo("village")
    assert (undone.what, len(undone.deck.examples)) == ("replaced", 3)
    assert len(Deck.from_bytes(undone.kept.read_bytes()).examples) == 27
    with pytest.raises(DeckError, match="nothing to take back"):
        mine.undo("village")


def test_after_a_lesson_the_learning_is_taken_back_next(tmp_path, shipped):
    mine = Shelf(tmp_path)
    few = replace(made_up_deck("village"), examples=made_up_deck("village").examples[:3])
    mine.save(few)
    mine.set_aside(made_up_deck("village"))
    mine.save(made_up_deck("village"))
    mine.save_taught(made_up_deck("village").corrected("三", made_up_deck().examples[0].crop))
    assert mine.undo("village").what == "lesson"
    undone = mine.undo("village")
    assert (undone.what, len(undone.deck.examples)) == ("replaced", 3)


def test_a_deck_that_is_deleted_for_good_leaves_nothing_of_before_its_last_lesson(tmp_path, shipped):
    mine = Shelf(tmp_path)
    mine.save(made_up_deck("village"))
    mine.save_taught(made_up_deck("village").corrected("三", made_up_deck().examples[0].crop))
    mine.delete("village")
    assert list(tmp_path.iterdir()) == []


def test_a_deck_that_was_deleted_comes_back_as_it_was(tmp_path, shipped):
    mine = Shelf(tmp_path)
    mine.save(replace(made_up_deck("village"), examples=made_up_deck("village").examples[:3]))
    mine.set_aside(made_up_deck("village"))
    mine.save(made_up_deck("village"))
    mine.save_taught(made_up_deck("village").corrected("三", made_up_deck().examples[0].crop))
    deleted = mine.path("village").read_bytes()
    mine.delete("village", aside=True)
    assert mine.own() == ()
    assert mine.undo("village").what == "deleted"
    assert mine.path("village").read_bytes() == deleted


def test_what_lay_beside_a_lost_deck_does_not_come_back_in_place_of_a_new_one(tmp_path, shipped):
    mine = Shelf(tmp_path)
    mine.save(made_up_deck("village"))
    mine.save_taught(made_up_deck("village").corrected("三", made_up_deck().examples[0].crop))
    mine.path("village").unlink()
    mine.set_aside(made_up_deck("village"))
    mine.save(made_up_deck("village"))
    with pytest.raises(DeckError, match="nothing to take back"):
        mine.undo("village")


def test_of_the_decks_that_were_deleted_the_last_are_kept(tmp_path, shipped):
    mine = Shelf(tmp_path)
    for name in ("one", "two", "three", "one"):
        mine.save(made_up_deck(name))
        mine.delete(name, aside=True)
        # The clock of files stands still for shorter.
        time.sleep(0.02)
    mine.save(made_up_deck("four"))
    mine.set_aside(made_up_deck("four"))
    mine.save(made_up_deck("four"))
    mine.forget(3)
    mine.forget(2)
    assert {path.name for path in tmp_path.iterdir()} == {
        "four.deck",
        "four.deck.old",
        "one.deck.old",
        "three.deck.old",
    }
    mine.clear()
    assert list(tmp_path.iterdir()) == []


def test_what_goes_wrong_beside_a_deck_is_told_of_the_deck(tmp_path, shipped):
    mine = Shelf(tmp_path)
    path = mine.save(made_up_deck("village"))
    (tmp_path / "village.deck.before").mkdir()
    for work in (
        lambda: mine.set_aside(made_up_deck("village")),
        lambda: mine.delete("village", aside=True),
    ):
        with pytest.raises(OSError, match="village") as caught:
            work()
        assert caught.value.filename == str(path)


def test_of_a_deck_that_is_not_there_nothing_is_taken_back(tmp_path, shipped):
    with pytest.raises(DeckError, match="no such deck: none"):
        Shelf(tmp_path).undo("none")
    with pytest.raises(DeckError, match="nothing to take back"):
        Shelf(tmp_path).undo("kai")


def test_names_are_compared_without_case(tmp_path, shipped):
    mine = Shelf(tmp_path)
    with pytest.raises(DeckError, match="kai ships"):
        mine.check_new("KAI", replace(shipped[0], name="KAI"))
    mine.save(made_up_deck("village"))
    with pytest.raises(DeckError, match="called village already"):
        mine.check_new("Village")
    assert mine.check_new("village") == "village"


def test_the_name_of_a_deck_is_none_of_a_file(shipped):
    with pytest.raises(DeckError, match=r"does not end in \.deck"):
        check_new_name("village.deck")


def test_no_new_deck_takes_the_name_of_one_that_ships(shipped):
    with pytest.raises(DeckError, match="kai ships"):
        check_new_name("kai")
    other = replace(made_up_deck("kai"), examples=made_up_deck("kai").examples[::-1])
    with pytest.raises(DeckError, match="kai ships"):
        check_new_name("kai", other)
    assert check_new_name("village", other) == "village"
    with pytest.raises(DeckError, match="cannot be called"):
        check_new_name("a/b")


def test_a_corrected_copy_of_a_shipped_deck_keeps_its_name(shipped):
    copy = shipped[0].corrected("三", made_up_deck().examples[5].crop)
    assert check_new_name("kai", copy) == "kai"


def test_a_damaged_deck_does_not_hide_the_others(tmp_path, shipped):
    mine = Shelf(tmp_path)
    (tmp_path / "bad.deck").write_bytes(b"no")
    assert [deck.name for deck in mine.decks()] == ["kai", "nines"]
    with pytest.raises(DeckError, match="damaged"):
        mine.find("bad")


@pytest.mark.parametrize("wanted", ["nothing", "auto", "../x", "/nowhere/x.deck", ""])
def test_a_deck_that_is_not_there_is_an_error_that_names_the_known_ones(tmp_path, shipped, wanted):
    with pytest.raises(DeckError, match="no such deck"):
        Shelf(tmp_path).find(wanted)


def test_a_shipped_deck_cannot_be_deleted(tmp_path, shipped):
    with pytest.raises(DeckError, match="read-only"):
        Shelf(tmp_path).delete("kai")


def test_what_is_not_there_cannot_be_deleted(tmp_path, shipped):
    with pytest.raises(DeckError, match="no such deck"):
        Shelf(tmp_path).delete("none")


def test_the_shipped_decks_are_read_only_and_whole():
    for deck in shelf.shipped_decks():
        assert deck.read_only
        assert not deck.missing


def test_without_a_folder_no_decks_ship(monkeypatch):
    def nothing(relative):
        raise ModelError("missing", name=relative)

    monkeypatch.setattr(shelf, "data_path", nothing)
    assert shelf.shipped_decks.__wrapped__() == ()
