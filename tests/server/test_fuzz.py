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

from server.app import create_app
from server.problems import MEDIA_TYPE
from tests.server.conftest import PICTURE, StandIn, deck, new_settings

pytestmark = pytest.mark.slow

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 40


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

        # Made-up ids find nothing, so most requests get ids that are there.
        known = {
            "table_id": table,
            "sha256": photo["sha256"],
            "player": "p1",
            "name": "demo",
            "rule": "sanjing",
        }

        @schemathesis.hook
        def map_path_parameters(context, parameters):
            method = context.operation.method.upper()
            if parameters and method != "DELETE":
                return {name: known.get(name, value) for name, value in parameters.items()}
            return parameters

        description = schemathesis.openapi.from_asgi("/api/v1/openapi.json", StaysOpen(app))
        yield description
        schemathesis.hooks.unregister_all()


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_request_breaks_the_service(api, mode):
    faults = []
    statuses = set()
    operations = [each.ok() for each in api.get_all_operations()]
    assert len(operations) > 40
    for operation in operations:

        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case, statuses=statuses):
            answer = case.call(base_url="http://testserver")
            statuses.add(answer.status_code)
            case.validate_response(answer, checks=CHECKS)
            if answer.status_code >= 400:
                assert answer.headers["content-type"][0] == MEDIA_TYPE
                assert "Traceback" not in answer.text
                assert "/server/" not in answer.text

        try:
            ask()
        except Unsatisfiable:
            # An operation without parameters has no bad request.
            assert mode is GenerationMode.NEGATIVE
        except (Failure, FailureGroup, AssertionError) as error:
            faults.append(f"{operation.label}: {error}")
    # It got beyond the doors, and was turned away at them.
    assert statuses >= ({200, 201, 204} if mode is GenerationMode.POSITIVE else {422})
    assert faults == [], "\n".join(faults)
