"""Slips over the API: of a hand that was read, and of a line of the ledger."""

import json
import re

import cv2
import numpy as np
import pytest

from tests.server.conftest import PICTURE, picture, reading

API = "/api/v1"
FULL = [*"上大人可知禮孔乙己化", "花三", *"千三三", "花三", *"五五五", "花五", *"七七七四四四八九"]
HAND = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 八九 (四四四)"
WON = {"kind": "scored", "hand": HAND, "winner": "p2", "discarder": "p3", "win": "七"}


def pixels(answer) -> np.ndarray:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)


@pytest.fixture
def round_of(client, table):
    """Writes a round and says where its slip is."""

    def write(body: dict[str, object] = WON) -> str:
        answer = client.post(f"{API}/tables/{table}/rounds", json=body)
        assert answer.status_code == 201, answer.text
        return f"{API}/tables/{table}/rounds/{answer.json()['line']['number']}/slip"

    return write


@pytest.fixture
def shown(monkeypatch):
    """What was laid out on the slips that were made."""
    import server.api.slips as made

    contents = []
    monkeypatch.setattr(
        made,
        "lay_out",
        lambda content, measure, lay=made.lay_out: contents.append(content) or lay(content, measure),
    )
    return contents


def test_the_slip_of_a_line_says_what_the_ledger_says(client, round_of, shown):
    path = round_of()
    slip = pixels(client.get(path, params={"date": "2026-05-01", "lang": "zh-Hant"}))
    assert slip.shape[1] == 1080
    (content,) = shown
    assert content.date == "2026-05-01"
    assert any("胡 七" in note for note in content.notes)
    assert any(group.exposed for group in content.groups)
    line = client.get(path.removesuffix("/slip")).json()
    paid = {
        name: -amount
        for name, amount in zip(("老王", "阿珍", "小李"), line["entry"]["amounts"].values(), strict=True)
    }
    for people, amount in content.payments:
        payer, _, payee = people.partition(" → ")
        assert payee == "阿珍"
        assert paid[payer] == int(amount)


def test_a_slip_of_a_line_reopens_the_hand(client, round_of, shown):
    from table.code import decode

    client.get(round_of())
    claimed = decode(shown[0].code)
    assert (claimed.win, claimed.by, claimed.players, claimed.stake) == ("七", "discard", 3, 10)


def test_a_slip_speaks_the_language_that_is_asked_for(client, round_of, shown):
    path = round_of()
    for lang in ("zh-Hant", "zh-Hans", "en"):
        assert client.get(path, params={"lang": lang}).status_code == 200
    assert len({content.title for content in shown}) == 3


def test_a_slip_as_pdf(client, round_of):
    answer = client.get(round_of(), params={"format": "pdf"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert client.get(round_of(), params={"format": "gif"}).status_code == 422


def test_the_photo_is_on_the_slip_of_a_line_only_where_it_was_kept_and_is_asked_for(
    client, table, round_of, shown
):
    without = round_of()
    refused = client.get(without, params={"photo": "true"})
    assert (refused.status_code, refused.json()["code"]) == (404, "no_photo")
    kept = client.post(f"{API}/tables/{table}/photos", files={"photo": ("p.jpg", PICTURE)}).json()["sha256"]
    path = round_of(WON | {"photo": kept})
    plain = pixels(client.get(path))
    with_photo = pixels(client.get(path, params={"photo": "true"}))
    assert [content.photo for content in shown] == [None, (640, 480)]
    assert with_photo.shape[0] > plain.shape[0] + 300
    client.delete(f"{API}/tables/{table}/photos/{kept}")
    assert client.get(path, params={"photo": "true"}).json()["code"] == "unknown_photo"


def test_only_a_counted_hand_has_a_slip(client, table, round_of):
    for body in ({"kind": "drawn"}, {"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}}):
        answer = client.get(round_of(body))
        assert (answer.status_code, answer.json()["code"]) == (404, "no_slip")
    path = round_of()
    client.put(path.removesuffix("/slip"), json={"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}})
    assert client.get(path).json()["code"] == "no_slip"
    client.post(f"{API}/tables/{table}/undo")
    assert client.get(path).status_code == 200
    assert client.get(f"{API}/tables/{table}/rounds/99/slip").status_code == 404


def test_a_slip_never_contradicts_the_ledger(client, table, round_of):
    path = round_of()
    ledger = client.app.state.service.ledger
    from table.ledger import decide

    entry = ledger.table(table).lines[-1].entry
    score = json.loads(json.dumps(entry.score))
    score["payments"] = [{"seat": 0, "pays": 1, "to": 1}]
    ledger.do(table, lambda t: decide.scored(t, score, entry.seats, winner="p2", number=len(t.lines)))
    assert client.get(path).json()["code"] == "no_slip"
    for code in ("", "1", "not a code", score["code"][:-1] + ("0" if score["code"][-1] != "0" else "1")):
        wrong = {**entry.score, "code": code}
        ledger.do(
            table,
            lambda t, wrong=wrong: decide.scored(t, wrong, entry.seats, winner="p2", number=len(t.lines)),
        )
        assert client.get(path).json()["code"] == "no_slip", code


def test_a_round_that_an_older_program_wrote_has_a_slip_as_far_as_it_says(client, table, shown):
    from table.ledger import decide
    from table.ledger.count import count

    ledger = client.app.state.service.ledger
    table_now = ledger.table(table)
    score = count(table_now, HAND, table_now.seats, winner="p1")
    del score["code"]
    ledger.do(table, lambda t: decide.scored(t, score, t.seats, winner="p1"))
    assert client.get(f"{API}/tables/{table}/rounds/1/slip").status_code == 200
    assert len(shown[0].payments) == 2


def slip_of(client, hand: dict[str, object], photo: bytes | None = None, **query: str):
    files = {"photo": ("p.jpg", photo, "image/jpeg")} if photo is not None else None
    return client.post(f"{API}/slip", data={"hand": json.dumps(hand)}, files=files, params=query)


def test_the_slip_of_a_photographed_hand(client, reader, shown):
    reader.reading = reading(*FULL)
    read = client.post(f"{API}/read", files={"photo": ("p.jpg", PICTURE)}).json()
    hand = {"rule": "sanjing", "stake": 10, "reading": read, "names": ["甲", "乙", "丙"]}
    plain = pixels(slip_of(client, hand))
    with_photo = pixels(slip_of(client, hand, PICTURE))
    assert with_photo.shape[0] > plain.shape[0]
    assert [content.photo for content in shown] == [None, (640, 480)]
    assert shown[1].payments[0][0] == "乙 → 甲"
    assert all(group.outlines for group in shown[1].groups)
    assert slip_of(client, hand, format="pdf").content.startswith(b"%PDF-")


def test_a_slip_says_what_is_not_settled(client, reader, shown):
    reader.reading = reading(*FULL, unsure=(0,))
    read = client.post(f"{API}/read", files={"photo": ("p.jpg", PICTURE)}).json()
    assert slip_of(client, {"rule": "sanjing", "reading": read}, lang="en").status_code == 200
    assert re.search("[Nn]ot settled", shown[0].unsettled)


@pytest.mark.parametrize(
    ("hand", "photo", "status", "code"),
    [
        ({}, None, 422, "invalid"),
        ({"rule": "sanjing", "reading": {"size": [640, 480]}}, None, 404, "no_slip"),
        (
            {"rule": "sanjing", "reading": {"size": [640, 480]}, "add": ["上"]},
            picture(320, 480),
            422,
            "other_photo",
        ),
        (
            {"rule": "sanjing", "reading": {"size": [640, 480]}, "add": ["上"]},
            b"<html>",
            415,
            "not_a_picture",
        ),
        ({"rule": "sanjing", "reading": {"size": [640, 480]}, "add": ["天"]}, None, 422, None),
        ({"rule": "sanjing", "reading": {"size": [640, 480]}, "names": ["x"] * 9}, None, 422, "invalid"),
    ],
)
def test_what_has_no_slip_is_a_problem(client, hand, photo, status, code):
    answer = slip_of(client, hand, photo)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert code is None or answer.json()["code"] == code


@pytest.mark.parametrize("name", ["😀👩‍👩‍👧", "محمد", "\u202e逆", "W" * 24, "𠮷野家", "a\u0301\u0302", "<b>"])
def test_any_name_can_stand_on_a_slip(client, name):
    asked = {"name": "x", "rule": "jingzhou", "stake": 1_000_000, "players": [name, "b", "c"]}
    table = client.post(f"{API}/tables", json=asked).json()["id"]
    client.post(f"{API}/tables/{table}/rounds", json=WON).raise_for_status()
    pixels(client.get(f"{API}/tables/{table}/rounds/1/slip"))


def test_a_form_without_a_hand_is_a_problem(client):
    assert client.post(f"{API}/slip", data={"hand": "{"}).status_code == 400
    assert client.post(f"{API}/slip").status_code == 422
