"""`suanhu photo`, with a reader that has always just read what the test wants."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.suanhu.conftest import is_one_line
from tests.table.factories import reading
from vision.deck import Deck, Example
from vision.read import Reader
from vision.shelf import Shelf

COLUMNS = ("上大人", "可知禮", "孔乙己", "八九子", "化三千", "花七十土", "三三花三", "四四四", "五花五")
LAID = {"columns": (*COLUMNS[:6], *COLUMNS[7:]), "laid": ("三三花三",)}


@pytest.fixture
def photo(tmp_path, monkeypatch):
    """Take a photo and say what will be read in it."""

    def take(*columns, **settings):
        path = tmp_path / "photo.png"
        cv2.imwrite(str(path), np.full((600, 800, 3), (90, 120, 60), np.uint8))
        monkeypatch.setattr(Reader, "read", lambda *_, **__: reading(*columns, **settings))
        return str(path)

    return take


def test_a_winning_hand_ends_with_status_0_and_the_payments(suanhu, photo):
    done = suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", "--stake", "10")
    assert done.status == 0
    assert "22 points" in done.out
    assert "pays 20" in done.out


def test_json_has_the_fields_of_read_and_score(suanhu, photo):
    done = suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", "--json")
    assert done.json["points"] == 22
    assert len(done.json["cards"]) == 26
    assert done.json["settled"] is True


def test_the_code_of_a_photo_reopens_the_hand(suanhu, photo):
    path = photo(*LAID["columns"], laid=LAID["laid"])
    words = ("--rule", "jingzhou", "--laid", "(三三花三)", "--win", "四", "--by", "discard", "--stake", "5")
    first = suanhu("photo", path, *words, "--option", "eye_counts=false", "--json")
    again = suanhu("score", "--code", first.json["code"], "--json")
    for name in ("points", "steps", "payments", "wins", "rule"):
        assert again.json[name] == first.json[name]


def test_a_hand_that_does_not_win_ends_with_status_1(suanhu, photo):
    done = suanhu("photo", photo("上大人"), "--rule", "jingzhou")
    assert done.status == 1
    assert done.out
    assert done.err == ""


def test_a_photo_without_cards_ends_with_status_1(suanhu, photo):
    done = suanhu("photo", photo(), "--rule", "jingzhou")
    assert done.status == 1
    assert "no cards" in done.out
    assert suanhu("photo", photo(), "--rule", "jingzhou", "--json").json["cards"] == []


def test_a_card_that_decides_is_asked_for_with_status_3(suanhu, photo):
    done = suanhu("photo", photo(*COLUMNS, unsure={15: [("七", 0.3)]}), "--rule", "jingzhou")
    assert done.status == 3
    assert done.out.splitlines()[0].startswith("Not settled")
    assert "card 15" in done.out


def test_the_answer_is_given_with_set(suanhu, photo):
    path = photo(*COLUMNS, unsure={15: [("七", 0.3)]})
    done = suanhu("photo", path, "--rule", "jingzhou", "--set", "15=七", "--json")
    assert done.status == 0
    assert done.json["points"] == 21


def test_cards_can_be_dropped_and_added(suanhu, photo):
    words = ("--drop", "25", "--add", "花五", "--json")
    done = suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", *words)
    assert done.json["points"] == 22
    assert done.json["cards"][-1]["outline"] is None


def test_an_added_card_answers_a_place_that_could_not_be_read(suanhu, photo):
    path = photo(*COLUMNS[:-1], "五", doubts=1)
    assert suanhu("photo", path, "--rule", "jingzhou").status == 3
    done = suanhu("photo", path, "--rule", "jingzhou", "--add", "花五", "--json")
    assert done.status == 0
    assert (done.json["points"], done.json["doubts"]) == (22, [])


def test_a_place_where_nothing_lies_can_be_cleared(suanhu, photo):
    path = photo(*COLUMNS, doubts=2)
    first = suanhu("photo", path, "--rule", "jingzhou", "--clear", "0", "--json")
    assert first.status == 3
    assert [doubt["place"] for doubt in first.json["doubts"]] == [1]
    assert [question["doubt"] for question in first.json["questions"]] == [1]
    assert suanhu("photo", path, "--rule", "jingzhou", "--clear", "0", "--clear", "1").status == 0


def test_a_guess_is_shown_and_counts_with_guess(suanhu, photo):
    path = photo(*LAID["columns"], laid=LAID["laid"])
    shown = suanhu("photo", path, "--rule", "jingzhou", "--json").json
    assert (shown["points"], shown["guess"]["points"]) == (22, 18)
    assert suanhu("photo", path, "--rule", "jingzhou", "--guess", "--json").json["points"] == 18


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_a_slip_is_written(suanhu, photo, tmp_path, ending):
    slip = tmp_path / f"slip.{ending}"
    assert suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", "--slip", str(slip)).status == 0
    assert slip.stat().st_size > 10_000


def test_no_slip_is_written_of_a_photo_without_cards(suanhu, photo, tmp_path):
    slip = tmp_path / "slip.png"
    done = suanhu("photo", photo(), "--rule", "jingzhou", "--slip", str(slip))
    assert (done.status, done.err) == (1, "")
    assert not slip.exists()


def test_a_hand_with_a_card_missing_is_not_settled(suanhu, photo):
    done = suanhu("photo", photo(*COLUMNS[:-1], "五"), "--rule", "jingzhou", "--json")
    assert done.status == 3
    assert (done.json["settled"], done.json["missing"], done.json["questions"]) == (False, 1, [])
    said = suanhu("photo", photo(*COLUMNS[:-1], "五"), "--rule", "jingzhou")
    assert said.out.splitlines()[0] == "Not settled, 1 card missing (--add CARD)."


def test_an_overlay_is_written(suanhu, photo, tmp_path):
    overlay = tmp_path / "overlay.png"
    assert suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", "--overlay", str(overlay)).status == 0
    assert cv2.imread(str(overlay)) is not None


@pytest.mark.parametrize(
    "words",
    [
        ("--set", "99=上"),
        ("--set", "0=牌"),
        ("--set", "上"),
        ("--drop", "x"),
        ("--drop", "26"),
        ("--add", "福"),
        ("--clear", "0"),
        ("--clear", "x"),
        ("--laid", "(四四四"),
        ("--laid", "四四四"),
        ("--win", "牌"),
        ("--players", "7"),
        ("--option", "no=1"),
        ("--deck", "no-such-deck"),
        ("--slip", "slip.docx"),
        ("--slip", "/no/such/folder/slip.png"),
    ],
)
def test_bad_input_is_one_line_and_status_2(suanhu, photo, words):
    done = suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", *words)
    assert done.status == 2
    assert done.out == ""
    assert is_one_line(done.err)


@pytest.mark.parametrize(
    "words", [("--laid", "(六六六)"), ("--win", "六"), ("--laid", "(三三花三)", "--win", "花三")]
)
def test_cards_of_the_table_that_were_not_read_are_told_with_all_that_was(suanhu, photo, tmp_path, words):
    overlay = tmp_path / "overlay.png"
    path = photo(*COLUMNS, unsure={15: [("七", 0.3)]}, doubts=2)
    words = ("--rule", "jingzhou", *words, "--overlay", str(overlay), "--drop", "0", "--clear", "0")
    done = suanhu("photo", path, *words)
    assert done.status == 2
    assert is_one_line(done.err)
    assert "--add" in done.err
    assert cv2.imread(str(overlay)) is not None
    said = done.out.splitlines()
    assert said[0].startswith("Not settled")
    assert any(line.split() == ["1", "大", "2", "人"] for line in said)
    assert not any("points" in line for line in said)
    assert [line for line in said if line.startswith("×")] == [
        (
            "× 1  a card at (500, 501) could not be read: covered "
            "(a card: --add CARD; nothing lies there: --clear 1)"
        )
    ]
    told = suanhu("photo", path, *words, "--json")
    assert told.status == 2
    assert (told.json["settled"], told.json["error"]) == (False, done.err.removeprefix("suanhu: ").strip())
    assert [card["place"] for card in told.json["cards"]] == list(range(1, 26))
    assert [doubt["place"] for doubt in told.json["doubts"]] == [1]


def test_the_overlay_numbers_cards_as_set_does(suanhu, photo, tmp_path, monkeypatch):
    import vision.draw

    seen = {}
    monkeypatch.setattr(vision.draw, "save_overlay", lambda *_, **numbers: seen.update(numbers))
    path = photo(*COLUMNS, doubts=2)
    suanhu("photo", path, "--rule", "jingzhou", "--drop", "3", "--clear", "0", "--overlay", "x.png")
    assert list(seen["places"]) == [0, 1, 2, *range(4, 26)]
    assert list(seen["doubts"]) == [1]


@pytest.mark.parametrize(
    ("words", "wrong"), [(("--laid", "(四四牌)"), "牌"), (("--win", "牌"), "牌"), (("--set", "上"), "上")]
)
def test_what_was_typed_wrong_is_told_before_a_missing_rule(suanhu, photo, words, wrong):
    done = suanhu("photo", photo(*COLUMNS), *words)
    assert (done.status, is_one_line(done.err)) == (2, True)
    assert wrong in done.err
    assert "--rule" not in done.err


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "en"])
def test_what_is_wrong_is_said_in_the_chosen_language(suanhu, photo, lang):
    words = ("--rule", "jingzhou", "--laid", "(六六六)", "--lang", lang)
    done = suanhu("photo", photo(*COLUMNS), *words)
    assert {"zh-Hant": "讀到", "zh-Hans": "读到", "en": "not among"}[lang] in done.err


def test_no_rule_is_bad_input(suanhu, photo):
    done = suanhu("photo", photo(*COLUMNS))
    assert done.status == 2
    assert is_one_line(done.err)


def test_no_photo_is_bad_input(suanhu, tmp_path):
    done = suanhu("photo", str(tmp_path / "none.jpg"), "--rule", "jingzhou")
    assert done.status == 2
    assert is_one_line(done.err)


def crop(shade):
    return np.full((72, 48, 3), shade, np.uint8)


@pytest.mark.parametrize(("words", "examples"), [((), 1), (("--teach",), 2)])
def test_a_correction_teaches_the_deck_where_asked(suanhu, photo, monkeypatch, words, examples):
    Shelf().save(Deck("ours", 110, (Example("上", crop(200), None),)))
    path = photo(*COLUMNS, deck="ours")
    plain = reading(*COLUMNS, deck="ours")
    cards = tuple(replace(card, crop=crop(place)) for place, card in enumerate(plain.cards))
    monkeypatch.setattr(Reader, "read", lambda *_, **__: replace(plain, cards=cards))
    done = suanhu("photo", path, "--rule", "jingzhou", "--deck", "ours", "--set", "15=七", *words)
    assert done.status == 0
    learned = Shelf().find("ours").examples
    assert len(learned) == examples
    assert [example.label for example in learned[1:]] == ["七"] * (examples - 1)
    assert ("never the photo" in done.err) == bool(words)


def test_what_clearly_is_another_card_is_not_taught_and_a_lesson_is_taken_back(suanhu, photo, monkeypatch):
    kai = Shelf().find("kai")
    looks = {each.label: each.crop for each in kai.examples}
    path = photo(*COLUMNS)
    plain = reading(*COLUMNS)
    cards = tuple(replace(card, crop=looks[card.card]) for card in plain.cards)
    monkeypatch.setattr(Reader, "read", lambda *_, **__: replace(plain, cards=cards))
    words = ("photo", path, "--rule", "jingzhou", "--set", "0=禮", "--teach")
    refused = suanhu(*words)
    assert is_one_line(refused.err)
    assert "looks like 上" in refused.err
    assert "--insist" in refused.err
    assert Shelf().find("kai").read_only
    assert "never the photo" in suanhu(*words, "--insist").err
    assert len(Shelf().find("kai").examples) == len(kai.examples) + 1
    assert suanhu("deck", "undo", "kai").status == 0
    assert Shelf().find("kai").read_only


@pytest.mark.parametrize("deck", ["ours", "auto"])
def test_what_another_command_taught_meanwhile_is_kept(suanhu, photo, monkeypatch, deck):
    Shelf().save(Deck("ours", 110, (Example("上", crop(200), None),)))
    path = photo(*COLUMNS, deck="ours")
    plain = reading(*COLUMNS, deck="ours")
    cards = tuple(replace(card, crop=crop(place)) for place, card in enumerate(plain.cards))

    def read(*_, **__):
        Shelf().save(Shelf().find("ours").corrected("八", crop(100), None))
        return replace(plain, cards=cards)

    monkeypatch.setattr(Reader, "read", read)
    suanhu("photo", path, "--rule", "jingzhou", "--deck", deck, "--set", "15=七", "--teach")
    assert [example.label for example in Shelf().find("ours").examples] == ["上", "八", "七"]


@pytest.fixture
def seen(photo, monkeypatch):
    """Take a photo whose cards have crops of one shade each."""

    def take(deck="ours"):
        path = photo(*COLUMNS, deck=deck)
        plain = reading(*COLUMNS, deck=deck)
        cards = tuple(replace(card, crop=crop(place)) for place, card in enumerate(plain.cards))
        monkeypatch.setattr(Reader, "read", lambda *_, **__: replace(plain, cards=cards))
        return path

    return take


def test_what_a_deck_out_of_a_file_learns_goes_into_a_copy_and_is_kept(suanhu, seen, tmp_path):
    file = tmp_path / "ours.deck"
    Deck("ours", 110, (Example("上", crop(200), None),)).save(file)
    as_given = file.read_bytes()
    words = ("photo", seen(), "--rule", "jingzhou", "--deck", str(file), "--teach", "--set")
    first = suanhu(*words, "15=七")
    assert first.status == 0
    assert "your own deck ours" in first.err
    suanhu(*words, "16=七")
    assert [each.label for each in Shelf().find("ours").examples] == ["上", "七", "七"]
    assert file.read_bytes() == as_given
    suanhu("deck", "undo", "ours")
    assert [each.label for each in Shelf().find("ours").examples] == ["上", "七"]


@pytest.mark.parametrize("name", ["ours", "kai", "KAI"])
def test_a_lesson_from_a_file_spares_another_deck_of_its_name(suanhu, seen, tmp_path, name):
    Shelf().save(Deck("ours", 110, (Example("大", crop(100), None),)))
    own = Shelf().path("ours").read_bytes()
    file = tmp_path / f"{name}.deck"
    Deck(name, 110, (Example("上", crop(200), None),)).save(file)
    words = ("--deck", str(file), "--teach", "--set", "15=七")
    done = suanhu("photo", seen(name), "--rule", "jingzhou", *words)
    assert (done.status, is_one_line(done.err)) == (2, True)
    assert "name" in done.err
    assert Shelf().path("ours").read_bytes() == own
    assert [deck.name for deck in Shelf().own()] == ["ours"]


@pytest.mark.parametrize(
    ("words", "why"),
    [(("--teach",), "--set"), (("--insist", "--set", "15=七"), "--teach"), (("--insist",), "--teach")],
)
def test_a_lesson_without_anything_to_teach_is_bad_input(suanhu, photo, words, why):
    done = suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", *words)
    assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
    assert why in done.err


@pytest.mark.parametrize(
    ("deck", "word", "why"),
    [(None, "15=七", "nothing was taught"), ("ours", "0=上", "card 0 teaches nothing")],
)
def test_where_nothing_was_learned_it_is_told(suanhu, seen, deck, word, why):
    Shelf().save(Deck("ours", 110, (Example("上", crop(200), None),)))
    done = suanhu("photo", seen(deck), "--rule", "jingzhou", "--teach", "--set", word)
    assert is_one_line(done.err)
    assert why in done.err
    assert len(Shelf().find("ours").examples) == 1


def test_a_deck_of_another_kind_than_the_rules_is_bad_input(suanhu, photo):
    Shelf().save(Deck("ours", 110, (Example("上", crop(200), None),)))
    done = suanhu("photo", photo(*COLUMNS), "--rule", "shuangbiegan", "--deck", "ours")
    assert done.status == 2
    assert "112" in done.err
    assert is_one_line(done.err)


@pytest.mark.parametrize(
    ("command", "option"), [("read", "--overlay"), ("photo", "--overlay"), ("photo", "--slip")]
)
def test_an_output_costs_neither_the_photo_nor_another_output(suanhu, photo, tmp_path, command, option):
    path = photo(*COLUMNS)
    before = Path(path).read_bytes()
    link = tmp_path / "link.png"
    link.symlink_to(path)
    words = (command, path, *(() if command == "read" else ("--rule", "jingzhou")))
    for name in (path, str(tmp_path / "." / "photo.png"), str(link)):
        done = suanhu(*words, option, name)
        assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
        assert "not written over" in done.err
    assert Path(path).read_bytes() == before
    one = str(tmp_path / "one.png")
    if command == "photo":
        assert suanhu(*words, "--overlay", one, "--slip", one).status == 2


@pytest.mark.parametrize("command", ["read", "photo"])
@pytest.mark.parametrize(("name", "says"), [("s.xyz", ".png"), ("s", ".png"), ("no/s.png", "make it first")])
def test_an_overlay_without_a_known_ending_or_a_folder_is_refused(
    suanhu, photo, tmp_path, command, name, says
):
    words = (command, photo(*COLUMNS), *(() if command == "read" else ("--rule", "jingzhou")))
    done = suanhu(*words, "--overlay", str(tmp_path / name))
    assert (done.status, done.out, is_one_line(done.err)) == (2, "", True)
    assert says in done.err
    assert not (tmp_path / name).exists()
    if command == "photo":
        assert suanhu(*words, "--slip", str(tmp_path / name)).status == 2


@pytest.mark.parametrize("words", [("--laid", "(三三花三)"), ("--win", "四"), ("--guess",)])
def test_a_photo_without_cards_is_none_whatever_is_told(suanhu, photo, words):
    done = suanhu("photo", photo(), "--rule", "jingzhou", *words)
    assert (done.status, done.err) == (1, "")
    assert "no cards" in done.out


def test_as_many_cards_are_to_be_added_as_are_lacking(suanhu, photo):
    done = suanhu("photo", photo(*COLUMNS), "--rule", "jingzhou", "--laid", "(六六六)")
    assert done.err.rstrip().endswith("--add 六 --add 六 --add 六")


def test_simplified_chinese_names_the_cards_in_its_script(suanhu, photo):
    path = photo(*COLUMNS, unsure={5: [("祿", 0.3)]})
    words = ("--rule", "jingzhou", "--lang", "zh-Hans")
    read, told = suanhu("read", path, "--lang", "zh-Hans"), suanhu("photo", path, *words)
    missing = suanhu("photo", path, *words, "--laid", "(六六六)", "--add", "禮")
    for text in (read.out, told.out, missing.out):
        assert "礼" in text
        assert "禮" not in text
    assert "禮" in suanhu("photo", path, *words, "--json").out


def test_a_code_of_no_hand_is_none_of_another_version(suanhu):
    assert "no code of a hand" in suanhu("score", "--code", "abc").err


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("photo",), "PHOTO"),
        (("photo", "x.png", "--dui", "1"), "SEAT"),
        (("score", "上", "--by", "x"), "'self'"),
    ],
)
def test_what_is_wrong_in_a_command_line_is_said_in_words(suanhu, words, wrong):
    for lang in ("zh-Hant", "zh-Hans"):
        done = suanhu(*words, "--lang", lang)
        assert done.status == 2
        assert wrong not in done.err


def test_no_python_quotes_in_english_either(suanhu):
    assert "'" not in suanhu("score", "上", "--by", "x").err
