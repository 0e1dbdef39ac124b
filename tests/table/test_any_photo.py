"""Whatever a photo shows and whatever is said of it: an answer, or one line that says why not."""

import datetime as dt
import json
import random

import pytest

import scorer
from table.cards import Corrections
from table.code import decode, encode
from table.round import ASK, DONE, NO_WIN, LaidGroup, Terms, play
from table.slip import lay_out
from table.slip_content import claimed_of_round, content_of_round
from tests.table.factories import finished_hand, read_card
from vision.types import Doubt, Reading

DAY = dt.date(2026, 11, 30)


def any_photo(rng, book):
    deck = list(scorer.deck_cards(book.kind))
    names = list(finished_hand(rng, book).free)
    rng.shuffle(names)
    for _ in range(rng.choice([0, 0, 1, 5])):
        names[rng.randrange(len(names))] = rng.choice(deck)
    names = names[: rng.choice([len(names), len(names), 5, 0])] + rng.choices(deck, k=rng.choice([0, 0, 2]))
    cards = []
    for place, name in enumerate(names):
        sure = rng.random() < rng.choice([0.9, 0.5, 1.0])
        others = [(card, rng.random() / 5) for card in rng.sample(deck, 3) if card != name]
        cards.append(read_card(name, place // 3, place % 3, sure=sure, others=() if sure else others))
    doubts = tuple(Doubt((9.0, 9.0), "covered") for _ in range(rng.choice([0, 0, 0, 1, 3])))
    return Reading((800, 600), rng.choice(["kai", "kai", None]), tuple(cards), doubts, kind=book.kind)


def any_request(rng, photo):
    count = len(photo.cards)
    places = rng.sample(range(count), count)
    laid = []
    for _ in range(rng.choice([0, 0, 1, 3])):
        size = rng.choice([3, 3, 4, 5])
        if len(places) > size:
            laid.append(LaidGroup(tuple(places.pop() for _ in range(size)), rng.choice(["round", "square"])))
    said = {}
    if count:
        said = {rng.randrange(count): rng.choice("上大人三四五") for _ in range(rng.choice([0, 0, 2]))}
    return {
        "corrections": Corrections(said, frozenset(), tuple(rng.choices("三上", k=rng.choice([0, 0, 1])))),
        "laid": laid,
        "win": rng.choice([None, None, *places]),
        "terms": Terms(
            by=rng.choice(["self", "discard"]), stake=rng.choice([0, 1, 10]), winner=rng.choice([0, 0, 2, 9])
        ),
        "take_guess": rng.random() < 0.3,
        "lang": rng.choice(["zh-Hant", "zh-Hans", "en"]),
        "seconds": 0.05,
    }


def answer(photo, book, request):
    try:
        return play(photo, book, **request)
    except ValueError as error:
        return error


@pytest.mark.parametrize("seed", range(60))
def test_any_photo_gets_an_answer(seed):
    rng = random.Random(seed)
    rule = rng.choice(scorer.RULES)
    book = scorer.load_book(rule)
    photo = any_photo(rng, book)
    played = answer(photo, book, any_request(rng, photo))
    if isinstance(played, ValueError):
        assert "\n" not in str(played)
        assert hasattr(played, "text")
        return
    said = json.loads(json.dumps(played.to_json()))
    assert played.status in (DONE, NO_WIN, ASK)
    assert (played.status == ASK) == (not said["settled"])
    for group in said["groups"]:
        held = [said["cards"][place]["card"] for place in group["indices"]]
        assert sorted(held) == sorted(card.partition(">")[0] for card in group["cards"])
    places = [place for group in said["groups"] for place in group["indices"]]
    assert not places or sorted(places) == list(range(len(said["cards"])))
    assert played.text()
    if said["settled"]:
        assert said["left_out"] < 0.001
        assert said["questions"] == []
    if played.cards:
        again = decode(encode(claimed_of_round(played, rule)))
        assert sorted(again.hand.cards()) == sorted(played.hand.cards())
    assert lay_out(content_of_round(played, rule, DAY)).height > 0 if played.cards else True
