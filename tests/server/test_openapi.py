"""The description of the API: complete, with examples, and errors in one form."""

import pytest


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
    import json
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
