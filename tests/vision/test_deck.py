import base64
import errno
import io
import json
import os
import threading
import tracemalloc
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests import PATIENCE_S
from tests.vision.synthetic import PixelNamer, face_crop, made_up_deck
from vision.deck import FORMAT, MOST_CORRECTIONS, MOST_EXAMPLES, PRIVACY, Deck, Example, check_name
from vision.errors import LANGS, DeckError
from vision.faces import COPIES
from vision.name import embed
from vision.png import write_png


def same(one, other):
    assert (one.kind, one.namer, len(one.examples)) == (other.kind, other.namer, len(other.examples))
    for a, b in zip(one.examples, other.examples, strict=True):
        assert (a.label, a.correction) == (b.label, b.correction)
        np.testing.assert_array_equal(a.crop, b.crop)
        np.testing.assert_array_equal(a.vector, b.vector)


def changed(deck, **changes):
    """Bytes of the deck's file with some members replaced."""
    source = io.BytesIO(deck.to_bytes())
    target = io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = changes.pop(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
        for name, data in changes.items():
            new.writestr(name, data)
    return target.getvalue()


def about(deck, **changes):
    with zipfile.ZipFile(io.BytesIO(deck.to_bytes())) as archive:
        content = json.loads(archive.read("deck.json"))
    return json.dumps(content | changes).encode()


def test_a_deck_is_read_back_as_it_was_written(tmp_path):
    deck = made_up_deck("village").corrected("三", face_crop("三"))
    deck.save(tmp_path / "village.deck")
    back = Deck.load(tmp_path / "village.deck")
    assert back.name == "village"
    same(back, deck)
    assert [path.name for path in tmp_path.iterdir()] == ["village.deck"]


def test_the_file_is_called_as_the_friend_calls_it(tmp_path):
    made_up_deck("village").save(tmp_path / "friend.deck")
    assert Deck.load(tmp_path / "friend.deck").name == "friend"


def test_two_that_save_a_deck_at_once_leave_one_of_them_whole(tmp_path, monkeypatch):
    deck = made_up_deck()
    both, path = threading.Barrier(2, timeout=PATIENCE_S), tmp_path / "village.deck"
    write = Path.write_bytes

    def together(file, data):
        # Each has written before either goes on.
        write(file, data)
        both.wait()

    monkeypatch.setattr(Path, "write_bytes", together)
    with ThreadPoolExecutor(2) as savers:
        for each in [savers.submit(deck.save, path) for _ in range(2)]:
            each.result()
    assert [file.name for file in tmp_path.iterdir()] == ["village.deck"]
    same(Deck.load(path), deck)


def test_equal_decks_give_equal_bytes():
    assert made_up_deck().to_bytes() == made_up_deck().to_bytes()


def test_the_file_is_one_json_and_pngs():
    with zipfile.ZipFile(io.BytesIO(made_up_deck(kind=96).to_bytes())) as archive:
        names = archive.namelist()
        content = json.loads(archive.read("deck.json"))
    assert names[0] == "deck.json"
    assert len(names) == 25
    assert all(name.endswith(".png") for name in names[1:])
    assert (content["format"], content["kind"], content["namer"]) == (FORMAT, 96, PixelNamer.sha256)


def test_vectors_are_made_again_where_the_namer_differs():
    deck = made_up_deck()
    namer = PixelNamer()
    calls = []

    def run(crops):
        calls.append(len(crops))
        return embed(crops, namer)

    assert deck.with_vectors(namer.sha256, run) is deck
    other = deck.with_vectors("f" * 64, run)
    assert calls == [27]
    assert other.namer == "f" * 64
    np.testing.assert_allclose(other.vectors()[0], deck.vectors()[0], atol=1e-6)


def test_only_the_new_example_needs_a_vector():
    deck = made_up_deck()
    calls = []
    namer = PixelNamer()
    more = deck.corrected("三", face_crop("三", 2)).with_vectors(
        namer.sha256, lambda crops: calls.append(len(crops)) or embed(crops, namer)
    )
    assert calls == [1]
    assert len(more.vectors()[0]) == 28


def test_a_correction_of_a_shipped_deck_is_the_player_s_own_copy():
    shipped = replace(made_up_deck(), read_only=True)
    mine = shipped.corrected("三", face_crop("花三"))
    assert not mine.read_only
    assert len(mine.examples) == len(shipped.examples) + 1
    assert mine.examples[-1].correction


def test_old_corrections_make_room_but_never_the_learned_faces():
    deck = Deck.of_faces("many", [("三", face_crop("三", shift)) for shift in range(20)])
    for shade in range(3 * MOST_CORRECTIONS):
        deck = deck.corrected("三", np.full((72, 48, 3), shade, np.uint8))
    assert [example.correction for example in deck.examples] == [False] * 20 + [True] * MOST_CORRECTIONS
    shades = [int(example.crop[0, 0, 0]) for example in deck.examples[20:]]
    assert shades == list(range(2 * MOST_CORRECTIONS, 3 * MOST_CORRECTIONS))


def test_corrections_of_other_faces_stay():
    deck = made_up_deck().corrected("四", face_crop("四"))
    for shade in range(2 * MOST_CORRECTIONS):
        deck = deck.corrected("三", np.full((72, 48, 3), shade, np.uint8))
    assert [example.label for example in deck.examples if example.correction].count("四") == 1


def test_both_ends_of_a_card_teach():
    one, other = (np.full((72, 48, 3), shade, np.uint8) for shade in (7, 9))
    deck = made_up_deck().corrected("三", one, other)
    assert [int(example.crop[0, 0, 0]) for example in deck.examples if example.correction] == [7, 9]
    for shade in range(20, 20 + 4 * MOST_CORRECTIONS, 2):
        deck = deck.corrected("三", *(np.full((72, 48, 3), shade + end, np.uint8) for end in (0, 1)))
    assert sum(example.correction for example in deck.examples) == MOST_CORRECTIONS


def test_what_was_said_of_a_card_last_is_what_counts():
    crop = np.full((72, 48, 3), 7, np.uint8)
    deck = made_up_deck().corrected("三", crop).corrected("五", crop).corrected("五", crop)
    assert [example.label for example in deck.examples if example.correction] == ["五"]


def test_a_card_that_the_deck_does_not_have_teaches_nothing():
    with pytest.raises(DeckError, match="unknown card"):
        made_up_deck(kind=96).corrected("花三", face_crop("花三"))


def test_faces_are_listed_in_the_order_of_the_deck():
    deck = Deck.of_faces("part", [("花三", face_crop("花三")), ("上", face_crop("上"))])
    assert deck.labels == ("上", "花三")
    assert deck.kind == 110
    assert set(deck.missing) == set(COPIES[110]) - {"上", "花三"}


def test_a_deck_without_vectors_or_examples_says_so():
    with pytest.raises(DeckError, match="vectors are missing"):
        Deck.of_faces("part", [("上", face_crop("上"))]).vectors()
    with pytest.raises(DeckError, match="no examples"):
        Deck("none", 110, ()).vectors()


def test_a_face_of_another_kind_is_refused():
    with pytest.raises(DeckError, match="unknown card"):
        Deck("odd", 96, (Example("花三", face_crop("花三")),))


@pytest.mark.parametrize(
    "name",
    ["kai", "荊州", "my deck", "a.b", "x" * 40, "2024-03", "console", "com", "COM10", "a.nul", "lpt-1"],
)
def test_names_of_decks(name):
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", "a/b", "..", ".x", "x" * 41, "a\\b", "auto", "x.", "a\nb", " x", "a:b"])
def test_names_that_are_no_file_names(name):
    with pytest.raises(DeckError, match="cannot be called"):
        check_name(name)


@pytest.mark.parametrize(
    "name", ["con", "CON", "Prn", "aux", "NUL", "com1", "LPT9", "nul.v2", "con .x", "COM¹"]
)
def test_names_that_windows_keeps_for_devices(name):
    with pytest.raises(DeckError, match="cannot be called"):
        check_name(name)


@pytest.mark.parametrize("path", ["/nowhere/x.deck", "/", "x\0.deck"])
def test_what_is_no_file_cannot_be_read(path):
    with pytest.raises(DeckError, match="no such deck file"):
        Deck.load(path)


def test_a_file_without_an_end_is_not_read_for_ever():
    with pytest.raises(DeckError, match="no such deck file"):
        Deck.load("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_that_says_nothing_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "village.deck")
    with pytest.raises(DeckError, match="no such deck file"):
        Deck.load(tmp_path / "village.deck")


def test_a_deck_that_cannot_be_written_is_named_by_its_own_file(tmp_path, monkeypatch):
    def full(path, _data):
        raise OSError(errno.ENOSPC, "full", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="full") as caught:
        made_up_deck().save(tmp_path / "village.deck")
    assert caught.value.filename == str(tmp_path / "village.deck")
    monkeypatch.undo()
    (tmp_path / "folder.deck").mkdir()
    with pytest.raises(OSError, match="folder") as caught:
        made_up_deck().save(tmp_path / "folder.deck")
    assert (caught.value.filename, caught.value.filename2) == (str(tmp_path / "folder.deck"), None)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.deck"]


@pytest.mark.parametrize("called", ["village (1).deck", "auto.deck", "x" * 60 + ".deck"])
def test_a_file_that_a_deck_cannot_be_called_after_keeps_its_deck_s_name(called, tmp_path):
    made_up_deck("village").save(tmp_path / called)
    assert Deck.load(tmp_path / called).name == "village"


def test_another_version_is_said_to_be_one():
    deck = made_up_deck(kind=96)
    with pytest.raises(DeckError, match="format version 99, this program knows 1"):
        Deck.from_bytes(changed(deck, **{"deck.json": about(deck, format=99)}))
    with pytest.raises(DeckError, match="format version '1', this program knows 1"):
        Deck.from_bytes(changed(deck, **{"deck.json": about(deck, format="1")}))


def test_what_a_deck_file_lacks_is_named():
    deck = made_up_deck(kind=96)
    for name in ("deck.json", "0003.png"):
        with pytest.raises(DeckError, match=f"{name} is missing"):
            Deck.from_bytes(changed(deck, **{name: None}))


def test_every_way_to_be_damaged_is_one_clear_error():
    deck = made_up_deck(kind=96)
    first = {"label": "上", "crop": "0000.png"}
    bad = [
        b"",
        b"not a zip",
        deck.to_bytes()[:-100],
        deck.to_bytes()[:200],
        deck.to_bytes() + b"\0\0",
        changed(deck, **{"deck.json": None}),
        changed(deck, **{"0003.png": None}),
        changed(deck, **{"0003.png": b"no png"}),
        changed(deck, **{"0003.png": write_png(np.zeros((5, 5, 3), np.uint8))}),
        changed(deck, **{"0003.png": b"\0" * 100_000}),
        changed(deck, **{"deck.json": b"{"}),
        changed(deck, **{"deck.json": b"[]"}),
        changed(deck, **{"deck.json": b"{}"}),
        changed(deck, **{"deck.json": b"\xff\xfe"}),
        changed(deck, **{"deck.json": b"[" * 100_000}),
        changed(deck, **{"deck.json": about(deck, kind=111)}),
        changed(deck, **{"deck.json": about(deck, kind="x")}),
        changed(deck, **{"deck.json": about(deck, namer=5)}),
        changed(deck, **{"deck.json": about(deck, name="../x")}),
        changed(deck, **{"deck.json": about(deck, examples=[first | {"label": "龍"}])}),
        changed(deck, **{"deck.json": about(deck, examples=[first | {"vector": "@@"}])}),
        changed(deck, **{"deck.json": about(deck, examples=[first | {"vector": "AAAA"}])}),
        changed(deck, **{"deck.json": about(deck, examples=[first | {"vector": 7}])}),
        changed(deck, **{"deck.json": about(deck, examples=[first | {"vector": "A" * 684}])}),
        changed(deck, **{"deck.json": about(deck, examples=["上"])}),
        changed(deck, **{"deck.json": about(deck, examples=None)}),
        b"\0" * (17 << 20),
    ]
    for data in bad:
        with pytest.raises(DeckError) as caught:
            Deck.from_bytes(data)
        for lang in LANGS:
            text = caught.value.text(lang)
            assert text
            assert "\n" not in text


def whether_harmless(data):
    """The deck of a damaged file, or nothing where there is one clear line."""
    try:
        deck = Deck.from_bytes(data)
    except DeckError as error:
        for lang in LANGS:
            line = error.text(lang)
            assert line.isprintable()
            assert len(line) < 600
        return None
    assert deck.kind in COPIES
    assert check_name(deck.name) == deck.name
    if all(example.vector is not None for example in deck.examples):
        assert np.isfinite(deck.vectors()[0]).all()
    return deck


def test_a_file_cut_short_anywhere_is_one_clear_error():
    data = made_up_deck(kind=96, labels=("上",)).to_bytes()
    assert all(whether_harmless(data[:length]) is None for length in range(len(data)))


def test_random_damage_is_one_clear_error_or_does_no_harm():
    data = made_up_deck(kind=96, labels=("上", "大")).to_bytes()
    rng = np.random.default_rng(4)
    for _ in range(300):
        broken = bytearray(data)
        for place in rng.integers(0, len(data), rng.integers(1, 4)):
            broken[place] = rng.integers(0, 256)
        whether_harmless(bytes(broken))


def test_flipped_bits_in_the_directory_of_the_file_do_no_harm():
    data = made_up_deck(kind=96, labels=("上",)).to_bytes()
    start = data.index(b"PK\1\2")
    for place in [*range(40), *range(start, len(data))]:
        for bit in (0, 3, 7):
            broken = bytearray(data)
            broken[place] ^= 1 << bit
            whether_harmless(bytes(broken))


ODD = [None, True, -1, 0, 1.5, 1e300, "", "x", "../../x", "0000.png", "三", [], {}, [[]], {"label": "上"}]
RAW = ["NaN", "Infinity", "-1e999", "9" * 5000, "1e5000"]


@pytest.mark.parametrize("field", ["format", "name", "kind", "namer", "examples"])
def test_a_field_of_another_type_does_no_harm(field):
    deck = made_up_deck(kind=96, labels=("上",))
    for value in ODD:
        whether_harmless(changed(deck, **{"deck.json": about(deck, **{field: value})}))
    for raw in RAW:
        text = about(deck, **{field: "HERE"}).replace(b'"HERE"', raw.encode())
        whether_harmless(changed(deck, **{"deck.json": text}))


@pytest.mark.parametrize("field", ["label", "crop", "vector", "correction"])
def test_a_field_of_an_example_of_another_type_does_no_harm(field):
    deck = made_up_deck(kind=96, labels=("上",))
    for value in ODD:
        entry = {"label": "上", "crop": "0000.png"} | {field: value}
        whether_harmless(changed(deck, **{"deck.json": about(deck, examples=[entry])}))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0, 1e30])
def test_vectors_that_are_no_unit_vectors_are_refused(value):
    deck = made_up_deck(kind=96, labels=("上",))
    vector = base64.b64encode(np.full(128, value, "<f4").tobytes()).decode()
    entry = {"label": "上", "crop": "0000.png", "vector": vector}
    with pytest.raises(DeckError, match="vector is damaged"):
        Deck.from_bytes(changed(deck, **{"deck.json": about(deck, examples=[entry])}))


def test_a_deck_named_as_a_path_is_refused():
    deck = made_up_deck(kind=96, labels=("上",))
    for name in ("../x", "/etc/passwd", "a\\b", "x\0", "\x1b[31mx", "x" * 5000):
        with pytest.raises(DeckError, match="cannot be called"):
            Deck.from_bytes(changed(deck, **{"deck.json": about(deck, name=name)}))
        whether_harmless(changed(deck, **{"deck.json": about(deck, name=name)}))


def test_one_crop_named_by_a_million_examples_is_too_large():
    deck = made_up_deck(kind=96, labels=("上",))
    entries = [{"label": "上", "crop": "0000.png"}] * 20_000
    with pytest.raises(DeckError, match="too large"):
        Deck.from_bytes(changed(deck, **{"deck.json": about(deck, examples=entries)}))
    with pytest.raises(DeckError, match="too large"):
        Deck.of_faces("many", [("上", face_crop("上"))] * (MOST_EXAMPLES + 1))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(method):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("deck.json", about(made_up_deck(kind=96)))
    with pytest.raises(DeckError, match="packed in an unknown way"):
        Deck.from_bytes(target.getvalue())


def test_a_zip_bomb_is_not_unpacked():
    deck = made_up_deck(kind=96)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deck.json", b" " * (50 << 20) + about(deck))
    assert len(target.getvalue()) < 1 << 20
    tracemalloc.start()
    with pytest.raises(DeckError, match="too large"):
        Deck.from_bytes(target.getvalue())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 16 << 20


def test_too_many_members_are_refused():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(2000):
            archive.writestr(str(number), b"")
    with pytest.raises(DeckError, match="too large"):
        Deck.from_bytes(target.getvalue())


def test_a_renamed_deck_is_the_player_s_own():
    deck = replace(made_up_deck(), read_only=True).renamed("other")
    assert (deck.name, deck.read_only) == ("other", False)


def test_privacy_is_said_in_every_language():
    assert set(PRIVACY) == set(LANGS)
