"""The description of the API: complete, with examples, and errors in one form."""

import json
from dataclasses import replace

import jsonschema_rs
import pytest

from tests.server.conftest import PICTURE, deck, reading

API = "/api/v1"
FULL = [*"上大人可知禮孔乙己化", "花三", *"千三三", "花三", *"五五五", "花五", *"七七七四四四八九"]


@pytest.fixture(scope="module")
def described(shared_client):
    return shared_client.get("/api/v1/openapi.json").json()


@pytest.fixture(scope="module")
def operations(described):
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_operation_says_what_it_is_for(operations):
    assert len(operations) > 40
    for name, operation in operations:
        assert operation.get("description"), name
        assert operation["tags"], name


def test_every_error_has_the_documented_form(operations, described):
    for name, operation in operations:
        errors = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        assert errors, name
        for answer in errors.values():
            assert list(answer["content"]) == ["application/problem+json"], name
            reference = answer["content"]["application/problem+json"]["schema"]["$ref"]
            assert reference == "#/components/schemas/ProblemAnswer", name
    assert described["components"]["schemas"]["ProblemAnswer"]["example"]["code"] == "unknown_table"


def test_what_is_sent_has_examples(described):
    schemas = described["components"]["schemas"]
    for name in (
        "HandRequest",
        "WaitsRequest",
        "TableRequest",
        "PlayerRequest",
        "SeatsRequest",
        "ScoredRequest",
    ):
        assert any(field.get("examples") for field in schemas[name]["properties"].values()), name


def test_every_reference_is_there(described):
    import re

    schemas = described["components"]["schemas"]
    for name in re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)):
        assert name in schemas


def test_the_examples_are_taken(client, described):
    schemas = described["components"]["schemas"]
    hand = {
        name: field["examples"][0]
        for name, field in schemas["HandRequest"]["properties"].items()
        if field.get("examples") and name != "win"
    }
    assert client.post("/api/v1/score", json=hand).status_code == 200
    table = {
        name: field["examples"][0]
        for name, field in schemas["TableRequest"]["properties"].items()
        if field.get("examples")
    }
    assert client.post("/api/v1/tables", json=table).status_code == 201


def as_told(described, operation, status=200):
    """What an answer is described as, with no field beside those that are described."""
    path, method = operation
    schema = described["paths"][path][method]["responses"][str(status)]["content"]["application/json"][
        "schema"
    ]
    schemas = {
        name: one | ({"additionalProperties": False} if "properties" in one else {})
        for name, one in described["components"]["schemas"].items()
    }
    return jsonschema_rs.validator_for({**schema, "components": {"schemas": schemas}})


def test_the_fields_that_are_told_of_a_photo_are_described(client, reader, described):
    scored = as_told(described, (f"{API}/reading/score", "post"))
    whole = as_told(described, (f"{API}/photo", "post"))
    read = as_told(described, (f"{API}/read", "post"))
    files = {"photo": ("hand.jpg", PICTURE, "image/jpeg")}
    unsure = [*FULL[:10], "三", *FULL[11:]]
    answers = []
    for shown in (
        reading(*FULL),
        reading(*unsure, unsure=(10,)),
        reading(*FULL[:-2], doubts=1),
        as_read(reading(*FULL[:-2], "七", "七")),
        reading(),
    ):
        reader.reading = shown
        told = client.post(f"{API}/read", files=files, data={"kind": "110"}).json()
        read.validate(told)
        terms = {"rule": "sanjing", "stake": 10}
        answer = client.post(f"{API}/photo", files=files, data={"terms": json.dumps(terms)})
        whole.validate(answer.json())
        for more in ({}, {"guess": True}, {"laid": [{"indices": [0, 1, 2]}]}, {"add": ["九"], "win": "九"}):
            if told["cards"] or "laid" not in more:
                answer = client.post(f"{API}/reading/score", json=terms | {"reading": told} | more)
                assert answer.status_code == 200, answer.text
                scored.validate(answer.json())
                answers.append(answer.json())
    # All that a photo may come to was among them.
    assert {answer["settled"] for answer in answers} == {True, False}
    assert any(answer["missing"] > 0 for answer in answers)
    assert any(answer["impossible"] for answer in answers)
    assert any(answer["otherwise"] is not None for answer in answers)
    assert any(question.get("doubt") is not None for answer in answers for question in answer["questions"])
    fields = described["components"]["schemas"]["PhotoAnswer"]["properties"]
    for name in ("missing", "otherwise", "impossible", "without_guess"):
        assert fields[name].get("description"), name
    with pytest.raises(jsonschema_rs.ValidationError, match="unknown"):
        scored.validate(answers[0] | {"unknown": 1})


def as_read(shown):
    """The reading with cards that are as sure as a reader is: not beyond doubt."""
    return replace(shown, cards=tuple(replace(card, confidence=0.999) for card in shown.cards))


def apart(shown, count):
    """The reading with its last cards in a heap of their own."""
    last = len(shown.cards) - count
    cards = [
        replace(card, outline=tuple((x + 60, y + 200) for x, y in card.outline), group=1)
        if place >= last
        else card
        for place, card in enumerate(shown.cards)
    ]
    return replace(shown, cards=tuple(cards))


def test_what_lies_apart_is_described_as_told(client, reader, described):
    scored = as_told(described, (f"{API}/reading/score", "post"))
    reader.reading = apart(reading(*FULL[:-5], "八", "九", *"四四四"), 3)
    files = {"photo": ("hand.jpg", PICTURE, "image/jpeg")}
    told = client.post(f"{API}/read", files=files, data={"kind": "110"}).json()
    asked = {"rule": "sanjing", "stake": 10, "reading": told}
    proposed = client.post(f"{API}/reading/score", json=asked).json()
    taken = client.post(f"{API}/reading/score", json=asked | {"guess": True}).json()
    scored.validate(proposed)
    scored.validate(taken)
    assert (proposed["guess"] is None, proposed["without_guess"]) == (False, None)
    assert (taken["guess"], taken["without_guess"] is None, taken["guessed"]) == (None, False, True)


def test_the_fields_of_hands_and_decks_are_described(client, table, reader, described):
    hand = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八"
    for path, text in (
        ("score", hand + "九"),
        ("score", "上大人"),
        ("waits", hand),
        ("advise", hand + "土"),
        ("advise", "上大人上"),
    ):
        answer = client.post(f"{API}/{path}", json={"rule": "sanjing", "hand": text})
        assert answer.status_code == 200, answer.text
        as_told(described, (f"{API}/{path}", "post")).validate(answer.json())
    path = "/api/v1/tables/{table_id}/decks"
    corrections = {"corrections": json.dumps({"cards": [{"mark": [29, 66], "card": "花三"}]})}
    files = {"photo": ("hand.jpg", PICTURE, "image/jpeg")}
    told = client.post(f"{API}/tables/{table}/decks/demo/corrections", files=files, data=corrections)
    as_told(described, (path + "/{name}/corrections", "post")).validate(told.json())
    as_told(described, (path, "get")).validate(client.get(f"{API}/tables/{table}/decks").json())
    imported = client.post(
        f"{API}/tables/{table}/decks/import", files={"file": ("x", deck("one").to_bytes())}
    )
    as_told(described, (path + "/import", "post"), 201).validate(imported.json())
