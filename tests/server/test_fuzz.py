"""The API under requests made up from its own OpenAPI: never a 5xx, always the documented form."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import scorer
from server.app import create_app
from server.problems import MEDIA_TYPE
from tests.server.conftest import PICTURE, StandIn, deck, new_settings

pytestmark = pytest.mark.slow

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 40
FACES = (*scorer.deck_cards(110), "花三", "賴", "撿", "(", ")", "[", "]", " ")
HAND = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九"


class StaysOpen:
    """An application that is not ended by each of the clients that come and go."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        while True:
            event = (await receive())["type"]
            await send({"type": f"{event}.complete"})
            if event == "lifespan.shutdown":
                return


def sensible(body):
    """Turns made-up text into made-up hands: of real cards, by a real rule, between players who are there."""
    body = dict(body)
    for field in ("hand", "laid"):
        if isinstance(body.get(field), str):
            body[field] = "".join(FACES[ord(letter) % len(FACES)] for letter in body[field])
    if isinstance(body.get("hand"), str) and len(body["hand"]) % 3 == 0:
        body["hand"] = HAND
    if isinstance(body.get("rule"), str):
        body["rule"] = scorer.RULES[len(body["rule"]) % len(scorer.RULES)]
    for place, field in enumerate(("winner", "discarder", "dealer")):
        if isinstance(body.get(field), str):
            body[field] = f"p{1 + place}"
    if isinstance(body.get("amounts"), dict):
        amount = len(body["amounts"])
        body["amounts"] = {"p1": amount, "p2": -amount}
    if isinstance(body.get("options"), dict) and len(body["options"]) != 1:
        body["options"] = {}
    return body


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    """The OpenAPI description of a service that has a table with an evening, decks and a photo."""
    home = tmp_path_factory.mktemp("fuzz")
    deck().save(home / "decks" / "demo.deck")
    app = create_app(new_settings(home), StandIn)
    from fastapi.testclient import TestClient

    with TestClient(app) as client:
        asked = {"name": "老王家", "rule": "sanjing", "stake": 10, "players": ["老王", "阿珍", "小李"]}
        table = client.post("/api/v1/tables", json=asked).json()["id"]
        for amount in range(1, 6):
            body = {"kind": "by_hand", "amounts": {"p1": amount, "p2": -amount}}
            client.post(f"/api/v1/tables/{table}/rounds", json=body)
        photo = client.post(f"/api/v1/tables/{table}/photos", files={"photo": ("p.jpg", PICTURE)}).json()

        # Made-up ids find nothing, so requests get ids that are there, also where something is deleted.
        spare = client.post("/api/v1/tables", json=asked).json()["id"]
        deck("spare").save(home / "decks" / "spare.deck")
        known = {
            "table_id": table,
            "sha256": photo["sha256"],
            "player": "p1",
            "name": "demo",
            "rule": "sanjing",
            "number": 2,
        }

        @schemathesis.hook
        def map_path_parameters(context, parameters):
            if not parameters:
                return parameters
            mine = dict(known)
            if context.operation.method.upper() == "DELETE":
                mine["name"] = "spare"
                if set(parameters) == {"table_id"}:
                    mine["table_id"] = spare
            return {name: mine.get(name, value) for name, value in parameters.items()}

        @schemathesis.hook
        def map_body(context, body):
            return sensible(body) if isinstance(body, dict) else body

        description = schemathesis.openapi.from_asgi("/api/v1/openapi.json", StaysOpen(app))
        yield description
        schemathesis.hooks.unregister_all()


def ask_of(operation, mode):
    """Asks one operation many times; the statuses, or raises what the first wrong answer is wrong about."""
    statuses = set()

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        answer = case.call(base_url="http://testserver")
        statuses.add(answer.status_code)
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            assert answer.headers["content-type"][0] == MEDIA_TYPE
            assert "Traceback" not in answer.text
            assert "/server/" not in answer.text

    ask()
    return statuses


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_request_breaks_the_service(api, mode):
    faults = []
    statuses: set[int] = set()
    operations = [each.ok() for each in api.get_all_operations()]
    assert len(operations) > 40
    for operation in operations:
        try:
            statuses |= ask_of(operation, mode)
        except Unsatisfiable:
            # An operation without parameters has no bad request.
            assert mode is GenerationMode.NEGATIVE
        except (Failure, FailureGroup, AssertionError) as error:
            faults.append(f"{operation.label}: {error}")
    # It got beyond the doors, and was turned away at them.
    assert statuses >= ({200, 201, 204} if mode is GenerationMode.POSITIVE else {422})
    assert faults == [], "\n".join(faults)
