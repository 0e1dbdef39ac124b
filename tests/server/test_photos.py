"""Photos and decks over the API: what is taken, what is refused, and that nothing is kept."""

import json
import os
import struct
import time
import zlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.schemas import DeckAnswer, DecksAnswer, PhotoAnswer, ReadAnswer
from tests.server.conftest import PICTURE, deck, picture, reading
from vision.deck import Deck
from vision.shelf import Shelf

API = "/api/v1"
TICK_S = 0.02
"""The clock of files stands still for shorter."""

FULL = [*"上大人可知禮孔乙己化", "花三", *"千三三", "花三", *"五五五", "花五", *"七七七四四四八九"]


def photo(content: bytes = PICTURE) -> dict[str, tuple[str, bytes, str]]:
    return {"photo": ("hand.jpg", content, "image/jpeg")}


def files_under(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file() and "sqlite3" not in path.name}


def test_a_photo_is_read_and_not_kept(client, reader):
    home = client.app.state.settings.home
    before = files_under(home)
    answer = client.post(f"{API}/read", files=photo())
    assert answer.status_code == 200, answer.text
    ReadAnswer.model_validate(answer.json())
    assert [card["card"] for card in answer.json()["cards"]] == ["上", "大", "人"]
    assert (answer.json()["deck"], answer.json()["kind"]) == ("demo", 110)
    assert files_under(home) == before


def test_a_photo_without_cards_is_no_error(client, reader):
    reader.reading = reading()
    answer = client.post(f"{API}/read", files=photo())
    assert (answer.status_code, answer.json()["cards"]) == (200, [])


def test_a_photo_is_scored_in_one_call(client, reader):
    reader.reading = reading(*FULL)
    terms = {"rule": "sanjing", "stake": 10, "winner": 2}
    answer = client.post(f"{API}/photo", files=photo(), data={"terms": json.dumps(terms)})
    assert answer.status_code == 200, answer.text
    PhotoAnswer.model_validate(answer.json())
    told = answer.json()
    assert (told["wins"], told["points"], told["settled"]) == (True, 40, True)
    assert told["payments"] == [{"seat": 0, "pays": 50, "to": 2}, {"seat": 1, "pays": 50, "to": 2}]
    corrected = terms | {"drop": [0], "add": ["上"], "win": "九"}
    again = client.post(f"{API}/photo", files=photo(), data={"terms": json.dumps(corrected)})
    assert again.json()["points"] == 40


def test_a_reading_is_scored_again_without_the_photo(client, reader):
    names = [*FULL]
    names[10] = "三"
    reader.reading = reading(*names, unsure=(10,))
    told = client.post(f"{API}/read", files=photo()).json()
    asked = {"rule": "sanjing", "stake": 10, "reading": told}
    unsettled = client.post(f"{API}/reading/score", json=asked)
    assert unsettled.status_code == 200, unsettled.text
    PhotoAnswer.model_validate(unsettled.json())
    settled = client.post(f"{API}/reading/score", json=asked | {"cards": {"10": "花三"}}).json()
    assert (settled["points"], settled["settled"]) == (40, True)
    assert reader.photos == 1


def test_a_photo_that_shows_next_to_nothing_is_not_weighed(client, reader):
    reader.reading = reading(*FULL, unsure=tuple(range(20)), doubts=30)
    told = client.post(f"{API}/read", files=photo()).json()
    asked = {"rule": "sanjing", "reading": told}
    refused = client.post(f"{API}/reading/score", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "too_unsure")
    known = {str(place): name for place, name in enumerate(FULL)}
    assert client.post(f"{API}/reading/score", json=asked | {"cards": known}).status_code == 200


def test_what_lay_on_the_table_is_said_by_places(client, reader):
    reader.reading = reading(*FULL)
    told = client.post(f"{API}/read", files=photo()).json()
    asked = {"rule": "sanjing", "reading": told, "laid": [{"indices": [22, 23, 24]}], "win": 25}
    answer = client.post(f"{API}/reading/score", json=asked)
    assert answer.status_code == 200, answer.text
    assert "(四四四)" in answer.json()["hand"]
    for wrong in ({"laid": [{"indices": [99]}]}, {"win": 99}, {"drop": [150]}, {"cards": {"0": "天"}}):
        refused = client.post(f"{API}/reading/score", json=asked | wrong)
        assert refused.status_code == 422, (wrong, refused.text)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"", 422, "empty"),
        (b"<html>not a picture</html>", 415, "not_a_picture"),
        (b"GIF89a" + b"\0" * 100, 415, "not_a_picture"),
        (PICTURE[:2000], 422, "truncated"),
        (PICTURE[:400] + b"\xff" * 4000, 422, None),
        (picture(64, 64), 422, "too_small"),
        (cv2.imencode(".png", np.zeros((480, 640, 3), np.uint8))[1].tobytes(), 422, "black"),
    ],
)
def test_what_is_no_photo_is_refused_by_its_kind(client, content, status, code):
    answer = client.post(f"{API}/read", files=photo(content))
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    if code:
        assert answer.json()["code"] == code


def png(width: int, height: int, content: bytes = b"") -> bytes:
    """A PNG that says that it is so large, with this as its packed pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", content) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def test_a_picture_that_unpacks_to_far_more_is_refused(client):
    for content in (png(60_000, 60_000), png(12_000, 9_000, zlib.compress(b"\0" * 10_000_000))):
        answer = client.post(f"{API}/read", files=photo(content))
        assert (answer.status_code, answer.json()["code"]) == (413, "too_many_pixels")
    # What is packed into it is more than what it says that it is, or less, or nothing.
    for packed in (zlib.compress(b"\0" * 30_000_000), zlib.compress(b"\x7f"), b"", b"\0" * 100):
        answer = client.post(f"{API}/read", files=photo(png(640, 480, packed)))
        assert answer.status_code in (415, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"


def test_every_photo_cut_short_anywhere_is_a_problem(client):
    webp = cv2.imencode(".webp", cv2.imdecode(np.frombuffer(PICTURE, np.uint8), 1))[1].tobytes()
    flat = cv2.imencode(".png", cv2.imdecode(np.frombuffer(PICTURE, np.uint8), 1))[1].tobytes()
    for whole in (PICTURE, webp, flat):
        assert client.post(f"{API}/read", files=photo(whole)).status_code == 200
        for length in (1, 2, 3, 4, 11, 12, 20, 30, 200, len(whole) // 2, len(whole) - 40):
            answer = client.post(f"{API}/read", files=photo(whole[:length]))
            assert answer.status_code in (415, 422), (length, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"


def test_what_a_photo_is_called_does_not_matter_what_it_is_does(client):
    for name, kind in (("../../x.php", "text/html"), ("", "image/jpeg"), ("名.jpg", "application/json")):
        files = {"photo": (name or "p", PICTURE, kind)}
        assert client.post(f"{API}/read", files=files).status_code == 200
    heic = b"\0\0\0\x18ftypheic" + b"\0" * 400
    assert client.post(f"{API}/read", files=photo(heic)).status_code in (415, 422)


@pytest.mark.parametrize("path", ["read", "photo", "decks", "decks/import", "restore"])
def test_an_upload_without_its_file_is_a_problem(client, table, path):
    for asked in (
        {"data": {"other": "x"}},
        {"data": {"photo": "x", "file": "x", "photos": "x", "terms": "{}"}},
        {"files": {"other": ("p.jpg", PICTURE)}},
        {"json": {"photo": "x"}},
        {"content": b""},
        {},
    ):
        answer = client.post(f"{API}/{path}", **asked)
        assert answer.status_code in (400, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "terms",
    [
        "",
        "{",
        "[]",
        '"x"',
        "[" * 5000,
        '{"rule": 1}',
        '{"rule": "sanjing", "stake": 1.5}',
        '{"rule": "mahjong"}',
    ],
)
def test_terms_that_are_none_are_refused(client, terms):
    answer = client.post(f"{API}/photo", files=photo(), data={"terms": terms})
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_unknown_decks_tables_and_kinds(client, table):
    assert client.post(f"{API}/read", files=photo(), data={"deck": "none"}).json()["code"] == "deck_missing"
    assert client.post(f"{API}/read", files=photo(), data={"table": "nothing-here"}).status_code == 404
    assert client.post(f"{API}/read", files=photo(), data={"kind": "52"}).status_code == 404
    assert client.post(f"{API}/read", files=photo(), data={"deck": "../demo"}).status_code == 404
    assert client.post(f"{API}/read", files=photo(), data={"table": table}).status_code == 200


def test_a_photo_of_a_deck_of_another_kind_is_told(client, reader):
    def problem(answer):
        assert answer.headers["content-type"] == "application/problem+json"
        assert (answer.status_code, answer.json()["code"]) == (422, "deck_mismatch"), answer.text
        return answer.json()["detail"]

    terms = {"terms": '{"rule": "shangdaren"}'}
    # One that was named is refused before it is read with.
    named = {"deck": "demo"}
    line = "shangdaren is played with 96 cards, the deck demo has 110"
    assert problem(client.post(f"{API}/photo", files=photo(), data=terms | named)) == line
    expected = "a deck of 96 cards is expected, the deck demo has 110"
    assert problem(client.post(f"{API}/read", files=photo(), data={"kind": "96"} | named)) == expected
    assert reader.photos == 0
    reader.shows = 110
    assert problem(client.post(f"{API}/photo", files=photo(), data=terms)) == line
    assert problem(client.post(f"{API}/read", files=photo(), data={"kind": "96"})) == expected
    said = {
        problem(client.post(f"{API}/read", files=photo(), data={"kind": "96"}, params={"lang": lang}))
        for lang in ("zh-Hant", "zh-Hans", "en")
    }
    assert len(said) == 3
    # Who expects none is told what it is, and that it does not go with the rule, however little is sure.
    told = client.post(f"{API}/read", files=photo()).json()
    assert told["kind"] == 110
    faint = [card | {"sure": False} for card in told["cards"]] * 20
    asked = {"rule": "shangdaren", "reading": told | {"cards": faint}}
    assert problem(client.post(f"{API}/reading/score", json=asked)) == line
    reader.shows = 96
    assert client.post(f"{API}/photo", files=photo(), data=terms).json()["kind"] == 96


def test_no_answer_names_a_path(client, reader):
    from vision.errors import ModelError

    def missing():
        raise ModelError("missing", name="/secret/models/finder.onnx")

    reader.wait = missing
    answer = client.post(f"{API}/read", files=photo())
    assert (answer.status_code, answer.json()["code"]) == (503, "no_reader")
    assert "secret" not in answer.text
    assert "retry-after" in answer.headers

    def broken():
        raise RuntimeError("/secret/place")

    reader.wait = broken
    answer = client.post(f"{API}/read", files=photo())
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


# Decks


def test_decks_of_a_table_are_its_own(client, table):
    path = f"{API}/tables/{table}/decks"
    file = {"file": ("x.deck", deck("village").to_bytes())}
    imported = client.post(f"{path}/import", files=file)
    assert imported.status_code == 201, imported.text
    DeckAnswer.model_validate(imported.json())
    DecksAnswer.model_validate(client.get(path).json())
    assert {(each["name"], each["own"]) for each in client.get(path).json()["decks"]} >= {
        ("village", True),
        ("demo", False),
    }
    other = client.post(f"{API}/tables", json={"name": "x", "rule": "sanjing"}).json()["id"]
    for elsewhere in (f"{API}/decks", f"{API}/tables/{other}/decks"):
        assert "village" not in {each["name"] for each in client.get(elsewhere).json()["decks"]}
    assert client.get(f"{API}/tables/{other}/decks/village").status_code == 404
    assert client.get(f"{path}/village").content == deck("village").to_bytes()
    assert client.delete(f"{API}/tables/{other}/decks/village").status_code == 404
    assert client.delete(f"{path}/demo").status_code == 404
    assert client.delete(f"{path}/village").status_code == 204
    assert client.get(f"{path}/village").status_code == 404


def test_a_correction_teaches_the_table_a_deck_of_its_own(client, table, reader):
    told = client.post(f"{API}/read", files=photo(), data={"table": table}).json()
    corrections = {"cards": [{"mark": told["cards"][1]["mark"], "card": "花三"}]}
    path = f"{API}/tables/{table}/decks/demo"
    before = len(deck().examples)
    answer = client.post(f"{path}/corrections", files=photo(), data={"corrections": json.dumps(corrections)})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["taught"], answer.json()["examples"], answer.json()["own"]) == (1, before + 1, True)
    shared = next(each for each in client.get(f"{API}/decks").json()["decks"] if each["name"] == "demo")
    assert shared["examples"] == before
    for wrong in ("{", "{}", '{"cards": []}', '{"cards": [{"mark": [1, 1], "card": ""}]}'):
        refused = client.post(f"{path}/corrections", files=photo(), data={"corrections": wrong})
        assert refused.status_code in (400, 422), refused.text
    far = {"cards": [{"mark": [639, 5], "card": "花三"}]}
    answer = client.post(f"{path}/corrections", files=photo(), data={"corrections": json.dumps(far)})
    assert answer.json()["taught"] == 0


def test_a_correction_teaches_both_ends_of_its_card(client, table, reader):
    ends = [np.full((72, 48, 3), grey, np.uint8) for grey in (120, 140)]
    cards = reader.reading.cards
    two_ends = replace(cards[1], crop=ends[0], other_crop=ends[1])
    reader.reading = replace(reader.reading, cards=(cards[0], two_ends, cards[2]))
    corrections = {"cards": [{"mark": two_ends.mark, "card": "礼"}]}
    path = f"{API}/tables/{table}/decks/demo"
    data = {"corrections": json.dumps(corrections)}
    for _ in range(2):
        answer = client.post(f"{path}/corrections", files=photo(), data=data)
        assert answer.status_code == 200, answer.text
        assert answer.json()["taught"] == 1
    taught = [example for example in Deck.from_bytes(client.get(path).content).examples if example.correction]
    assert [(each.label, int(each.crop.mean())) for each in taught] == [("禮", 120), ("禮", 140)]
    none = {"corrections": json.dumps({"cards": [{"mark": two_ends.mark, "card": "天"}]})}
    refused = client.post(f"{path}/corrections", files=photo(), data=none)
    assert (refused.status_code, refused.json()["code"]) == (422, "correction")


def test_a_deck_is_not_learned_from_a_photo_without_its_faces(client, table):
    data = {"name": "village", "cards": "上大人", "partial": "true"}
    files = {"photos": ("p.jpg", PICTURE, "image/jpeg")}
    answer = client.post(f"{API}/tables/{table}/decks", data=data, files=files)
    assert (answer.status_code, answer.json()["code"]) == (422, "deck_too_few"), answer.text
    assert "village" not in {
        each["name"] for each in client.get(f"{API}/tables/{table}/decks").json()["decks"]
    }
    many = [("photos", ("p.jpg", PICTURE, "image/jpeg"))] * 5
    assert client.post(f"{API}/tables/{table}/decks", data=data, files=many).status_code == 413


@pytest.mark.parametrize("content", [b"", b"no zip", deck().to_bytes()[:-40]])
def test_what_is_no_deck_is_refused(client, table, content):
    answer = client.post(f"{API}/tables/{table}/decks/import", files={"file": ("x.deck", content)})
    assert answer.status_code == 422
    assert answer.json()["code"] == "deck_damaged"


def test_a_deck_that_is_taken_replaces_no_other(client, table):
    path = f"{API}/tables/{table}/decks"

    def take(content: Deck, **asked: str):
        return client.post(f"{path}/import", files={"file": ("x.deck", content.to_bytes())}, data=asked)

    assert take(deck("village")).status_code == 201
    # The same once more is no other.
    assert take(deck("village")).status_code == 201
    for other in (deck("village", 96), deck("Village")):
        refused = take(other)
        assert (refused.status_code, refused.json()["code"]) == (409, "deck_exists"), refused.text
    assert take(deck("village"), name="").status_code == 201
    assert take(deck("town"), name="village").status_code == 201
    assert take(deck("village", 96), name="village").json()["code"] == "deck_exists"
    assert client.get(f"{path}/village").content == deck("village").to_bytes()
    renamed = take(deck("village", 96), name="village 96")
    assert (renamed.status_code, renamed.json()["name"], renamed.json()["kind"]) == (201, "village 96", 96)
    for name, code in (("a/b", "deck_name"), ("con", "deck_name"), ("kai", "deck_shipped_name")):
        refused = take(deck("village"), name=name)
        assert (refused.status_code, refused.json()["code"]) == (422, code)
        assert "--" not in refused.text
    # What lies on the shelf of this machine is no deck of the table's own.
    assert take(deck("demo", 96)).status_code == 201


def test_a_deck_that_is_deleted_comes_back_by_the_command_line(make_client, settings):
    shelf = Shelf(settings.home / "decks")
    # Learned, and learned again from another photo.
    shelf.save(deck("village", 96))
    shelf.set_aside(deck("village"))
    shelf.save(deck("village"))
    client = make_client(settings)
    assert client.delete(f"{API}/decks/village").status_code == 204
    assert client.get(f"{API}/decks/village").status_code == 404
    undone = shelf.undo("village")
    assert (undone.what, undone.deck.kind) == ("deleted", 110)
    assert client.get(f"{API}/decks/village").content == deck("village").to_bytes()


def test_what_the_service_taught_last_is_what_undo_takes_back(make_client, settings):
    deck().save(settings.home / "decks" / "demo.deck")
    client = make_client(settings)
    table = client.post(f"{API}/tables", json={"name": "x", "rule": "sanjing"}).json()["id"]
    mark = client.post(f"{API}/read", files=photo()).json()["cards"][1]["mark"]
    own = Shelf(settings.home / "tables" / table / "decks")
    taught = []
    for card in ("花三", "花五"):
        told = client.post(
            f"{API}/tables/{table}/decks/demo/corrections",
            files=photo(),
            data={"corrections": json.dumps({"cards": [{"mark": mark, "card": card}]})},
        )
        assert told.json()["taught"] == 1, told.text
        taught.append(own.path("demo").read_bytes())
    assert own.undo("demo").labels == ("花五",)
    assert own.path("demo").read_bytes() == taught[0]


def test_what_a_table_deleted_is_kept_in_bounds_and_goes_with_the_table(make_client, settings):
    client = make_client(replace(settings, max_decks=2))
    table = client.post(f"{API}/tables", json={"name": "x", "rule": "sanjing"}).json()["id"]
    path = f"{API}/tables/{table}/decks"
    folder = settings.home / "tables" / table / "decks"
    for name in ("one", "two", "three"):
        assert client.post(f"{path}/import", files={"file": ("x", deck(name).to_bytes())}).status_code == 201
        assert client.delete(f"{path}/{name}").status_code == 204
        time.sleep(TICK_S)
    assert {each.name for each in folder.iterdir()} == {"two.deck.old", "three.deck.old"}
    assert client.delete(f"{API}/tables/{table}").status_code == 204
    assert list(folder.iterdir()) == []


def test_a_shelf_has_an_end(make_client, settings):
    client = make_client(replace(settings, max_decks=1))
    path = f"{API}/decks/import"
    assert client.post(path, files={"file": ("x", deck("one").to_bytes())}).status_code == 201
    assert client.post(path, files={"file": ("x", deck("one").to_bytes())}).status_code == 201
    assert client.post(path, files={"file": ("x", deck("two").to_bytes())}).json()["code"] == "too_many_decks"


@pytest.mark.parametrize("name", ["", "../up", "a/b", "auto", ".hidden", "x" * 60])
def test_a_deck_is_not_called_like_a_path(client, table, name):
    data = {"name": name, "cards": "上大人"}
    answer = client.post(
        f"{API}/tables/{table}/decks", data=data, files={"photos": ("p.jpg", PICTURE, "image/jpeg")}
    )
    assert answer.status_code == 422, answer.text


def test_a_damaged_deck_on_the_shelf_is_passed_over(make_client, settings):
    folder = settings.home / "decks"
    deck("good").save(folder / "good.deck")
    (folder / "bad.deck").write_bytes(b"PK")
    client = make_client(settings)
    assert "good" in {each["name"] for each in client.get(f"{API}/decks").json()["decks"]}
    assert "bad" not in {each["name"] for each in client.get(f"{API}/decks").json()["decks"]}
    deck("bad").save(folder / "bad.deck")
    assert "bad" in {each["name"] for each in client.get(f"{API}/decks").json()["decks"]}


def test_a_deck_that_was_saved_again_at_once_is_read_again(client):
    path = client.app.state.settings.home / "decks" / "twice.deck"
    service = client.app.state.service
    deck("twice").save(path)
    before, then = service._load(path), path.stat()
    assert service._load(path) is before
    deck("twice").save(path)
    # As large as the other, and no clock has gone on since.
    os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert service._load(path) is not before
    path.unlink()
