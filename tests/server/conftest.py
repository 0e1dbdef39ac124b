"""A service with a reader that stands in for the models, so that these tests are about the service."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.settings import Settings
from vision.deck import Deck, Example
from vision.faces import COPIES
from vision.types import Card, Doubt, Reading


def picture(width: int = 640, height: int = 480) -> bytes:
    """A JPEG of nothing in particular."""
    rng = np.random.default_rng(1)
    pixels = cv2.resize(rng.integers(60, 255, (12, 16, 3), np.uint8), (width, height))
    return cv2.imencode(".jpg", pixels)[1].tobytes()


PICTURE = picture()


def deck(name: str = "demo", kind: int = 110) -> Deck:
    """A deck whose crops show nothing."""
    crop = np.full((72, 48, 3), 200, np.uint8)
    return Deck(name, kind, tuple(Example(label, crop) for label in COPIES[kind]))


def reading(*names: str, unsure: tuple[int, ...] = (), doubts: int = 0) -> Reading:
    """Cards side by side, those at the places `unsure` not sure."""
    cards = []
    for place, name in enumerate(names):
        x = 20.0 + 22 * place
        outline = ((x, 50.0), (x + 18, 50.0), (x + 18, 140.0), (x, 140.0))
        others = (("三", 0.4),) if place in unsure else ()
        cards.append(
            Card(
                card=name,
                outline=outline,
                mark=(x + 9, 66.0),
                confidence=0.6 if place in unsure else 1.0,
                sure=place not in unsure,
                others=others,
                group=0,
                crop=np.full((72, 48, 3), 180, np.uint8),
            )
        )
    return Reading(
        (640, 480), "demo", tuple(cards), (Doubt((600.0, 400.0), "covered"),) * doubts, {"find": 1.0}, 110
    )


class StandIn:
    """Reads the same cards in every photo."""

    def __init__(self) -> None:
        self.reading = reading("上", "大", "人")
        self.wait: Callable[[], object] = lambda: None
        self.photos = 0
        self.shows: int | None = None
        """The kind of deck in the photo; None for the one that is expected."""

    def read(self, photo, decks, *, kind=None):
        self.wait()
        self.photos += 1
        every = [decks] if isinstance(decks, Deck) else decks
        shown = self.shows or kind
        named = next((deck for deck in every if deck.kind == shown), every[0])
        return replace(self.reading, deck=named.name, kind=named.kind)


def new_settings(home: Path) -> Settings:
    return Settings(home=home, hosts=("testserver",), readers=1, reading_queue=1, lang="en")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return new_settings(tmp_path / "home")


@pytest.fixture(scope="session")
def shared_reader() -> StandIn:
    return StandIn()


@pytest.fixture
def reader(shared_reader: StandIn) -> StandIn:
    shared_reader.__init__()
    return shared_reader


@pytest.fixture
def make_client(reader: StandIn) -> Iterator[Callable[..., TestClient]]:
    """Makes services that no other test sees."""
    opened = []

    def make(settings: Settings) -> TestClient:
        client = TestClient(create_app(settings, lambda: reader), raise_server_exceptions=False)
        client.__enter__()
        opened.append(client)
        return client

    yield make
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def shared_client(tmp_path_factory: pytest.TempPathFactory, shared_reader: StandIn) -> Iterator[TestClient]:
    settings = new_settings(tmp_path_factory.mktemp("home"))
    deck().save(settings.home / "decks" / "demo.deck")
    app = create_app(settings, lambda: shared_reader)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(shared_client: TestClient, reader: StandIn) -> TestClient:
    """One service for all tests that look only at what they put there themselves."""
    shared_client.headers.pop("authorization", None)
    return shared_client


@pytest.fixture
def table(client: TestClient) -> str:
    asked = {"name": "老王家", "rule": "jingzhou", "stake": 10, "players": ["老王", "阿珍", "小李"]}
    answer = client.post("/api/v1/tables", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]
