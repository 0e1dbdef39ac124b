"""Tables and their ledger over the API."""

import csv
import io

import pytest

from server.schemas import (
    LedgerAnswer,
    LineAnswer,
    SeatingAnswer,
    SettlementAnswer,
    TableAnswer,
    TablesAnswer,
    WrittenAnswer,
)
from tests.server.conftest import PICTURE, picture

API = "/api/v1"
HAND = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九"
WON = {"kind": "scored", "hand": HAND, "winner": "p1"}
KEY = {"Idempotency-Key": "a-key-of-a-phone"}


def post(client, table, body, **more):
    return client.post(f"{API}/tables/{table}/rounds", json=body, **more)


def ledger(client, table):
    answer = client.get(f"{API}/tables/{table}/ledger")
    LedgerAnswer.model_validate(answer.json())
    return answer.json()


def test_an_evening(client, table):
    written = post(client, table, WON)
    assert written.status_code == 201, written.text
    WrittenAnswer.model_validate(written.json())
    assert written.json()["table"]["totals"] == {"p1": 100, "p2": -50, "p3": -50}
    assert written.json()["line"]["entry"]["score"]["groups"]
    assert post(client, table, {"kind": "drawn", "dealer": "p2"}).status_code == 201
    body = {"kind": "by_hand", "amounts": {"p2": 30, "p3": -30}, "note": "忘了拍"}
    assert post(client, table, body).status_code == 201
    body = {"kind": "adjustment", "amounts": {"p1": -5, "p2": 5}, "note": "茶錢"}
    assert post(client, table, body).status_code == 201
    told = ledger(client, table)
    assert told["table"]["totals"] == {"p1": 95, "p2": -15, "p3": -80}
    assert [line["entry"]["kind"] for line in told["lines"]] == ["scored", "drawn", "by_hand", "adjustment"]
    assert told["settlement"]["transfers"] == [
        {"payer": "p2", "payee": "p1", "amount": 15},
        {"payer": "p3", "payee": "p1", "amount": 80},
    ]
    SettlementAnswer.model_validate(client.get(f"{API}/tables/{table}/settlement").json())
    assert client.post(f"{API}/tables/{table}/settlement").status_code == 201
    assert set(ledger(client, table)["table"]["totals"].values()) == {0}
    assert client.post(f"{API}/tables/{table}/settlement").status_code == 409


def test_the_one_who_discarded_pays_for_all(client, table):
    written = post(client, table, WON | {"discarder": "p3", "win": "七"}).json()
    assert written["table"]["totals"]["p2"] == 0
    assert written["line"]["entry"]["discarder"] == "p3"
    assert sum(written["table"]["totals"].values()) == 0


def test_of_four_at_jingzhou_the_one_opposite_the_dealer_rests(client, table):
    client.post(f"{API}/tables/{table}/players", json={"name": "老趙"})
    seating = client.get(f"{API}/tables/{table}/seating", params={"dealer": "p2"}).json()
    SeatingAnswer.model_validate(seating)
    assert seating == {"seats": ["p2", "p3", "p1"], "rested": ["p4"]}
    written = post(client, table, WON | {"dealer": "p2"}).json()
    assert written["line"]["entry"]["rested"] == ["p4"]
    assert written["table"]["totals"] == {"p1": 100, "p2": -50, "p3": -50, "p4": 0}
    assert post(client, table, WON | {"dealer": "p2", "winner": "p4"}).json()["code"] == "did_not_play"


def test_a_hand_that_does_not_win_is_not_written(client, table):
    answer = post(client, table, WON | {"hand": "上大人"})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_win")
    assert ledger(client, table)["lines"] == []


def test_a_round_that_is_sent_twice_is_written_once(client, table):
    first = post(client, table, WON, headers=KEY)
    again = post(client, table, WON, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
    assert first.json()["line"] == again.json()["line"]
    assert len(ledger(client, table)["lines"]) == 1
    other = post(client, table, {"kind": "drawn"}, headers=KEY)
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    odd = post(client, table, WON, headers={"Idempotency-Key": "short"})
    assert odd.status_code == 422


def test_corrections_keep_what_was_there_before_and_undo_brings_it_back(client, table):
    post(client, table, WON)
    path = f"{API}/tables/{table}/rounds/1"
    corrected = client.put(path, json={"kind": "by_hand", "amounts": {"p1": 60, "p2": -60}})
    assert corrected.status_code == 200, corrected.text
    line = client.get(path).json()
    LineAnswer.model_validate(line)
    assert line["corrected"]
    assert [version["entry"]["kind"] for version in line["versions"]] == ["scored", "by_hand"]
    assert client.post(f"{API}/tables/{table}/undo").json()["table"]["totals"]["p1"] == 100
    assert client.delete(path).json()["table"]["totals"]["p1"] == 0
    assert client.delete(path).status_code == 409
    assert client.post(f"{API}/tables/{table}/undo").json()["table"]["totals"]["p1"] == 100
    client.post(f"{API}/tables/{table}/undo")
    assert client.post(f"{API}/tables/{table}/undo").status_code == 409


def test_a_line_is_corrected_by_the_rule_and_the_stake_of_then(client, table):
    post(client, table, WON | {"win": "七", "discarder": "p2"})
    client.patch(f"{API}/tables/{table}", json={"rule": "sanjing", "stake": 3})
    path = f"{API}/tables/{table}/rounds/1"
    assert client.put(path, json=WON | {"seats": ["p1", "p2", "p3"]}).status_code == 200
    then, now = [version["entry"] for version in client.get(path).json()["versions"]]
    assert (now["rule"], now["stake"], now["amounts"]) == ("jingzhou", 10, {"p1": 100, "p2": -50, "p3": -50})
    assert (then["score"]["win"], now["score"]["win"]) == ("七", None)
    client.put(path, json={"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}})
    assert client.get(path).json()["entry"]["stake"] == 10
    assert post(client, table, WON).json()["line"]["entry"]["stake"] == 3


def test_players_come_go_and_change_seats(client, table):
    path = f"{API}/tables/{table}"
    assert client.post(f"{path}/players", json={"name": "老王"}).status_code == 422
    assert client.patch(f"{path}/players/p2", json={"present": False}).json()["table"]["seats"] == [
        "p1",
        "p3",
    ]
    assert client.patch(f"{path}/players/p2", json={"present": True}).json()["table"]["seats"] == [
        "p1",
        "p3",
        "p2",
    ]
    assert client.patch(f"{path}/players/p2", json={"name": "珍姐"}).status_code == 200
    assert client.patch(f"{path}/players/p2", json={}).status_code == 422
    assert client.patch(f"{path}/players/p9", json={"name": "x"}).status_code == 404
    seated = client.put(f"{path}/seats", json={"seats": ["p3", "p2", "p1"], "dealer": "p2"}).json()["table"]
    assert (seated["seats"], seated["dealer"]) == (["p3", "p2", "p1"], "p2")
    assert client.put(f"{path}/seats", json={"seats": ["p3"]}).status_code == 422


def test_rule_options_and_stake_change_for_later_rounds(client, table):
    path = f"{API}/tables/{table}"
    changed = client.patch(path, json={"rule": "sanjing", "options": {"main_jing": "best"}, "stake": 2})
    assert changed.json()["table"]["options"] == {"main_jing": "best"}
    assert client.patch(path, json={"rule": "mahjong"}).json()["code"] == "unknown_rule"
    assert client.patch(path, json={"options": {"nothing": 1}}).json()["code"] == "no_option"
    assert client.patch(path, json={"rule": "wujing"}).json()["table"]["options"] == {}


def test_a_table_of_a_rule_that_is_a_file_is_refused(client):
    asked = {"name": "x", "rule": "/etc/hostname", "players": []}
    assert client.post(f"{API}/tables", json=asked).status_code == 422


def test_exports_in_the_language_that_is_asked_for(client, table):
    post(client, table, WON)
    answer = client.get(f"{API}/tables/{table}/ledger.csv", params={"lang": "zh-Hans"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert "赢家" in rows[0]
    assert rows[1][rows[0].index("老王")] == "100"
    page = client.get(f"{API}/tables/{table}/ledger.html")
    assert page.headers["content-type"].startswith("text/html")
    assert "老王" in page.text


def test_a_backup_goes_to_another_service_and_never_contradicts(client, table, make_client, settings):
    post(client, table, WON)
    content = client.get(f"{API}/tables/{table}/backup").content
    other = make_client(settings)
    files = {"file": ("b.zip", content, "application/zip")}
    assert other.post(f"{API}/restore", files=files).json() == {"tables": [table]}
    assert ledger(other, table) == ledger(client, table)
    assert other.post(f"{API}/restore", files=files).json() == {"tables": []}
    post(other, table, {"kind": "drawn"})
    post(client, table, {"kind": "by_hand", "amounts": {"p1": 1, "p2": -1}})
    content = client.get(f"{API}/tables/{table}/backup").content
    refused = other.post(f"{API}/restore", files={"file": ("b.zip", content)})
    assert (refused.status_code, refused.json()["code"]) == (422, "diverged")
    assert other.post(f"{API}/restore", files={"file": ("b.zip", b"PK")}).json()["code"] == "no_backup"


def test_an_invitation_is_a_code_for_this_table(client, table):
    path = f"{API}/tables/{table}/invitation"
    link = f"http://192.168.1.7:8000/#token=a-token-of-twenty-four-letters&table={table}"
    answer = client.post(path, json={"link": link})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.content.startswith(b"<?xml")
    assert b"<script" not in answer.content
    for wrong in ("javascript:alert(1)", "http://", "http://a\nb", "http://" + "x" * 400, "http://ä", ""):
        assert client.post(path, json={"link": wrong}).status_code == 422, wrong
    assert client.post(f"{API}/tables/nothing-here/invitation", json={"link": link}).status_code == 404


def test_a_restored_table_opens_no_file_that_its_rule_names(client, table, tmp_path):
    from table.ledger import decide

    own = tmp_path / "own.json"
    own.write_text("{}")
    ledger = client.app.state.service.ledger
    ledger.do(table, lambda t: decide.change(t, rule=str(own)))
    other = f"{API}/tables/{table}"
    assert client.get(other).json()["rule"] == str(own)
    for answer in (
        client.get(f"{other}/seating"),
        post(client, table, WON),
        post(client, table, {"kind": "drawn"}),
    ):
        assert answer.status_code in (404, 422)
        assert answer.json()["code"] == "unknown_rule"
    assert client.get(f"{other}/ledger.html").status_code == 200
    assert (
        post(client, table, {"kind": "adjustment", "amounts": {"p1": 1, "p2": -1}, "note": "x"}).status_code
        == 201
    )


def test_undo_and_settling_are_refused_where_somebody_wrote_since(client, table):
    seen = post(client, table, WON).json()["table"]["seq"]
    post(client, table, {"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}})
    path = f"{API}/tables/{table}"
    for refused in (
        client.post(f"{path}/undo", params={"seen": seen}),
        client.post(f"{path}/settlement", params={"seen": seen}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "changed_meanwhile")
    assert len(ledger(client, table)["lines"]) == 2
    assert client.post(f"{path}/undo", params={"seen": seen + 1}).status_code == 200
    # A request that comes again is answered as it was, though the table went on.
    key = {"Idempotency-Key": "settle-this-evening"}
    now = client.get(path).json()["seq"]
    first = client.post(f"{path}/settlement", params={"seen": now}, headers=key)
    again = client.post(f"{path}/settlement", params={"seen": now}, headers=key)
    assert (first.status_code, again.status_code, again.json()["repeated"]) == (201, 200, True)


def test_a_line_that_somebody_else_corrected_is_not_corrected_unseen(client, table):
    line = post(client, table, WON).json()["line"]
    path, seen = f"{API}/tables/{table}/rounds/1", line["versions"][-1]["seq"]
    body = {"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}}
    assert client.put(path, json=body, params={"seen": seen}).status_code == 200
    assert client.put(path, json=body, params={"seen": seen}).json()["code"] == "changed_meanwhile"
    assert client.delete(path, params={"seen": seen}).json()["code"] == "changed_meanwhile"
    assert client.delete(path).status_code == 200


def test_two_phones_that_confirm_at_once_are_both_written(client, table):
    from concurrent.futures import ThreadPoolExecutor

    def confirm(phone: int) -> int:
        key = {"Idempotency-Key": f"phone-{phone % 8}-confirms"}
        body = {"kind": "by_hand", "amounts": {"p1": 1, "p2": -1}, "note": str(phone % 8)}
        return post(client, table, body, headers=key).status_code

    with ThreadPoolExecutor(16) as phones:
        statuses = list(phones.map(confirm, range(16)))
    # Each of eight phones confirms twice with one key, at once: written once each.
    assert sorted(statuses) == [200] * 8 + [201] * 8
    told = ledger(client, table)
    assert sorted(line["entry"]["note"] for line in told["lines"]) == [str(phone) for phone in range(8)]
    assert told["table"]["totals"]["p1"] == 8


def test_photos_of_a_table_never_outgrow_a_backup(make_client, settings):
    from dataclasses import replace

    client = make_client(replace(settings, max_kept_total_bytes=len(PICTURE) + 10))
    table = client.post(f"{API}/tables", json={"name": "x", "rule": "sanjing"}).json()["id"]
    path = f"{API}/tables/{table}/photos"
    for _ in range(2):
        assert client.post(path, files={"photo": ("p.jpg", PICTURE)}).status_code == 201
    more = client.post(path, files={"photo": ("p.jpg", picture(320, 300))})
    assert (more.status_code, more.json()["code"]) == (409, "too_many_photo_bytes")


def test_a_photo_is_kept_only_where_asked_and_only_at_its_table(client, table):
    kept = client.post(f"{API}/tables/{table}/photos", files={"photo": ("p.jpg", PICTURE)})
    assert kept.status_code == 201, kept.text
    sha256 = kept.json()["sha256"]
    written = post(client, table, WON | {"photo": sha256})
    assert written.json()["line"]["entry"]["photo"] == sha256
    shown = client.get(f"{API}/tables/{table}/photos/{sha256}")
    assert (shown.content, shown.headers["content-type"]) == (PICTURE, "image/jpeg")
    other = client.post(f"{API}/tables", json={"name": "x", "rule": "sanjing", "players": ["a", "b", "c"]})
    assert client.get(f"{API}/tables/{other.json()['id']}/photos/{sha256}").status_code == 404
    missing = post(client, other.json()["id"], WON | {"photo": sha256})
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown_photo")
    assert client.delete(f"{API}/tables/{table}/photos/{sha256}").status_code == 204
    assert client.get(f"{API}/tables/{table}/photos/{sha256}").status_code == 404
    bad = client.post(f"{API}/tables/{table}/photos", files={"photo": ("p.jpg", b"<html>")})
    assert bad.status_code == 415


def test_tables_are_listed_for_the_owner_and_deleted_whole(client, table):
    listed = client.get(f"{API}/tables").json()
    TablesAnswer.model_validate(listed)
    assert table in {each["id"] for each in listed["tables"]}
    TableAnswer.model_validate(client.get(f"{API}/tables/{table}").json())
    assert client.delete(f"{API}/tables/{table}").status_code == 204
    for path in (
        "",
        "/ledger",
        "/ledger.csv",
        "/ledger.html",
        "/backup",
        "/decks",
        "/settlement",
        "/seating",
    ):
        answer = client.get(f"{API}/tables/{table}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_table"), path
    assert post(client, table, WON).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "by_hand", "amounts": {"p1": 10, "p2": -9}},
        {"kind": "by_hand", "amounts": {"p1": 1.5, "p2": -1.5}},
        {"kind": "by_hand", "amounts": {"p1": "10", "p2": "-10"}},
        {"kind": "by_hand", "amounts": {}},
        {"kind": "by_hand", "amounts": {"x": 1}},
        {"kind": "by_hand", "amounts": {"p1": 10**20, "p2": -(10**20)}},
        {"kind": "adjustment", "amounts": {"p1": 10, "p2": -10}, "note": ""},
        {"kind": "adjustment", "amounts": {"p1": 10, "p2": -10}, "note": "a\x00b"},
        {"kind": "settlement", "amounts": {"p1": 10, "p2": -10}},
        {"kind": "drawn", "seats": ["p1", "p1", "p2"]},
        {"kind": "drawn", "dealer": "nobody"},
        {"amounts": {}},
        [],
        "x",
        WON | {"hand": "x" * 500},
        WON | {"seats": ["p1", "p2"] * 20},
        WON | {"discarder": "p1"},
        WON | {"photo": "../../etc/passwd"},
    ],
)
def test_what_is_no_round_is_refused(client, table, body):
    answer = post(client, table, body)
    assert answer.status_code == 422, answer.text
    assert ledger(client, table)["lines"] == []


def test_there_is_an_end_to_tables(make_client, settings):
    from dataclasses import replace

    client = make_client(replace(settings, max_tables=1))
    asked = {"name": "x", "rule": "sanjing"}
    assert client.post(f"{API}/tables", json=asked).status_code == 201
    refused = client.post(f"{API}/tables", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_tables")
