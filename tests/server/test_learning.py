"""Learning a deck over the API with the models that ship, from a photo of its faces to reading with it."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from server.app import create_app, new_reader
from tests.server.conftest import new_settings
from tests.vision.synthetic import MapFinder, PixelNamer, ends_map, face_crop, paint, row
from vision.deck import Deck
from vision.faces import COPIES
from vision.files import data_path
from vision.read import Reader

API = "/api/v1"


def sample(name: str) -> tuple[bytes, list[str]]:
    """A photo, and its cards in reading order."""
    path = data_path(f"datasets/samples/{name}.jpg")
    labels = json.loads(path.with_suffix(".json").read_text("utf-8"))["cards"]
    return path.read_bytes(), [card["label"] for card in labels]


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    with TestClient(create_app(new_settings(tmp_path_factory.mktemp("home")), new_reader)) as client:
        yield client


@pytest.fixture
def table(reading):
    return reading.post(f"{API}/tables", json={"name": "x", "rule": "sanjing"}).json()["id"]


@pytest.fixture
def learned(reading, table):
    photo, faces = sample("yen110_enrol_503")
    answer = reading.post(
        f"{API}/tables/{table}/decks",
        data={"name": "村裡的牌", "cards": "".join(faces)},
        files={"photos": ("faces.jpg", photo, "image/jpeg")},
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def read(client, table: str) -> tuple[str | None, int, list[dict[str, object]]]:
    """The deck that a hand was read with, how many of its cards are right, and the cards."""
    photo, labels = sample("yen110_fan_509")
    answer = client.post(
        f"{API}/read", files={"photo": ("h.jpg", photo)}, data={"table": table, "kind": "110"}
    )
    assert answer.status_code == 200, answer.text
    cards = answer.json()["cards"]
    right = Counter(labels) & Counter(card["card"] for card in cards)
    return answer.json()["deck"], sum(right.values()), cards


def test_a_table_reads_with_the_deck_that_it_learned(reading, table, learned):
    assert (learned["kind"], learned["missing"], learned["own"]) == (110, [], True)
    deck, right, cards = read(reading, table)
    assert deck == "村裡的牌"
    assert right >= 0.85 * len(cards)
    # Another table does not know it.
    other = reading.post(f"{API}/tables", json={"name": "y", "rule": "sanjing"}).json()["id"]
    assert read(reading, other)[0] is None
    assert reading.get(f"{API}/tables/{other}/decks/村裡的牌").status_code == 404
    assert "村裡的牌" not in {each["name"] for each in reading.get(f"{API}/decks").json()["decks"]}


def test_a_learned_deck_goes_to_another_table_as_a_file_and_is_deleted(reading, table, learned):
    path = f"{API}/tables/{table}/decks/村裡的牌"
    exported = reading.get(path)
    assert Deck.from_bytes(exported.content).name == "村裡的牌"
    other = reading.post(f"{API}/tables", json={"name": "y", "rule": "sanjing"}).json()["id"]
    file = {"file": ("village.deck", exported.content)}
    assert (
        reading.post(f"{API}/tables/{other}/decks/import", files=file).json()["examples"]
        == learned["examples"]
    )
    assert read(reading, other)[:2] == read(reading, table)[:2]
    assert reading.delete(path).status_code == 204
    assert read(reading, table)[0] is None
    assert read(reading, other)[0] == "村裡的牌"


def test_a_deck_does_not_learn_a_card_as_what_it_clearly_is_not(reading, table, learned):
    photo, _ = sample("yen110_fan_509")
    _, _, cards = read(reading, table)
    card = next(card for card in cards if card["sure"] and card["card"] != "禮")
    corrections = {"cards": [{"mark": card["mark"], "card": "禮"}]}
    answer = reading.post(
        f"{API}/tables/{table}/decks/村裡的牌/corrections",
        data={"corrections": json.dumps(corrections)},
        files={"photo": ("h.jpg", photo, "image/jpeg")},
    )
    assert (answer.status_code, answer.json()["taught"]) == (200, 0), answer.text
    assert answer.json()["refused"] == [{"card": "禮", "looks": card["card"]}]
    assert answer.json()["examples"] == learned["examples"]


def test_no_deck_of_a_table_takes_the_name_of_one_that_ships(reading, table):
    photo, faces = sample("yen110_enrol_503")
    answer = reading.post(
        f"{API}/tables/{table}/decks",
        data={"name": "kai", "cards": "".join(faces)},
        files={"photos": ("faces.jpg", photo, "image/jpeg")},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "deck_shipped_name")


def test_without_names_every_face_lies_there_once_in_the_order_of_the_deck(tmp_path):
    faces = tuple(COPIES[110])
    cards = [
        card
        for start in range(0, 27, 14)
        for card in row(faces[start : start + 14], 60, 170 + start // 14 * 260, step=86)
    ]
    shown, few = (ends_map(some, (1280, 960)) for some in (cards, cards[:20]))
    reader = Reader(finder=MapFinder(shown, few), namer=PixelNamer(), namer_sha256=PixelNamer.sha256)
    png = cv2.imencode(".png", paint(cards, (1280, 960))[:, :, ::-1])[1].tobytes()
    files = {"photos": ("faces.png", png, "image/png")}
    with TestClient(create_app(new_settings(tmp_path), lambda: reader)) as client:
        learned = client.post(f"{API}/decks", data={"name": "village"}, files=files)
        assert learned.status_code == 201, learned.text
        assert (learned.json()["faces"], learned.json()["missing"]) == (list(faces), [])
        looks = Deck.from_bytes(client.get(f"{API}/decks/village").content).examples
        # Each face has its own look, not that of its neighbour.
        for each in looks:
            unlike = [np.abs(each.crop.astype(int) - face_crop(face)).mean() for face in faces]
            assert faces[int(np.argmin(unlike))] == each.label
        refused = client.post(f"{API}/decks", data={"name": "few"}, files=files)
        assert (refused.status_code, refused.json()["code"]) == (422, "deck_not_a_deck")


def test_what_is_corrected_in_a_photo_teaches_that_deck(reading, table, learned):
    photo, _ = sample("yen110_fan_509")
    _, _, cards = read(reading, table)
    corrections = {"cards": [{"mark": card["mark"], "card": card["card"]} for card in cards[:3]]}
    answer = reading.post(
        f"{API}/tables/{table}/decks/村裡的牌/corrections",
        files={"photo": ("h.jpg", photo)},
        data={"corrections": json.dumps(corrections)},
    )
    assert (answer.status_code, answer.json()["taught"]) == (200, 3), answer.text
    # Of each card one end or both are seen.
    assert learned["examples"] + 3 <= answer.json()["examples"] <= learned["examples"] + 6


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "zh-Hans"])
def test_an_order_that_seems_wrong_is_told_without_switches_and_learned_by_who_insists(reading, table, lang):
    photo, faces = sample("yen110_enrol_503")
    path = f"{API}/tables/{table}/decks?lang={lang}"
    exchanged = [*faces[-1:], *faces[:-1]]

    def learn(**asked: str):
        files = {"photos": ("p.jpg", photo)}
        return reading.post(path, data={"name": "b", "cards": "".join(exchanged), **asked}, files=files)

    refused = learn()
    assert (refused.status_code, refused.json()["code"]) == (422, "deck_order_strange"), refused.text
    few = learn(cards="".join(faces[:-3]))
    missing = learn(cards="".join([*faces[:-1], faces[0]]), insist="true")
    assert missing.json()["code"] == "deck_faces_missing", missing.text
    insisted = learn(insist="true")
    assert insisted.status_code == 201, insisted.text
    assert insisted.json()["warnings"]
    for answer in (refused, few, missing, insisted):
        assert "--" not in answer.text
    assert "--" not in reading.post(path, data={"name": "c"}, files={"photos": ("p.jpg", photo)}).text


def test_a_name_that_is_taken_and_faces_that_do_not_fit_are_refused(reading, table, learned):
    photo, faces = sample("yen110_enrol_503")
    path = f"{API}/tables/{table}/decks"

    def learn(**changed: str):
        data = {"name": "b", "cards": "".join(faces), **changed}
        return reading.post(path, data=data, files={"photos": ("p.jpg", photo)})

    assert learn(name="村裡的牌").json()["code"] == "deck_exists"
    for answer in (learn(cards="".join(faces[:-3])), learn(cards="上大天"), learn(cards="")):
        assert answer.status_code == 422, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
    assert {each["name"] for each in reading.get(path).json()["decks"] if each["own"]} == {"村裡的牌"}
