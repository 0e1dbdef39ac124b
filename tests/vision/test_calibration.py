import hashlib
import json
from dataclasses import fields, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.synthetic import MapFinder, PixelNamer, ends_map, made_up_deck, paint, row
from vision import calibration
from vision.calibration import FEATURES, PARTS, Calibration, shipped_calibration
from vision.crops import cut
from vision.decide import believe
from vision.deck import Deck
from vision.errors import ModelError
from vision.missed import MISSED_FACTS
from vision.pair import PAIR_FACTS
from vision.read import Picture, Reader
from vision.session import manifest_sha256
from vision.training import calibrate
from vision.training.calibrate import (
    ALIKE,
    SILENT,
    TOLERATED,
    Growth,
    Looked,
    Missed,
    Samples,
    best_shares,
    cross_fit,
    cross_fit_missed,
    end_truth,
    fit_doubt,
    fit_known,
    fit_odds,
    fit_pairs,
    fit_sure,
    gather_missed,
    look,
    reliability,
    remembering,
    shown,
)
from vision.training.evaluate import Label, Photo, match
from vision.training.manifest import enter
from vision.trees import Odds, Trees
from vision.types import Card, Ends


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Write this calibration and load it as the one that ships."""

    def load(text):
        path = tmp_path / "calibration.json"
        path.write_text(text, encoding="utf-8")
        enter(path)
        monkeypatch.setattr(calibration, "data_path", lambda _: path)
        return shipped_calibration.__wrapped__()

    return load


NUMBERS = {field.name: field.default for field in fields(Calibration) if field.type == "float"}


def whole(value=1.0, **other):
    """All of a calibration, its weights with this value, with these instead."""
    stored = {f"{part}weights": dict.fromkeys(names, value) for part, names in PARTS.items()}
    return NUMBERS | stored | {f"{part}trees": [] for part in PARTS} | other


def test_the_shipped_calibration_has_a_weight_for_every_feature():
    numbers = shipped_calibration()
    assert len(numbers.weights) == len(numbers.real_weights) == len(FEATURES)
    assert len(numbers.pair_weights) == len(PAIR_FACTS)
    assert len(numbers.missed_weights) == len(MISSED_FACTS)
    assert 0 < numbers.doubt < 0.5
    assert 0 < numbers.find < 1
    assert 0.5 < numbers.sure < 1


def test_what_is_stored_is_loaded(stored):
    trees = [[1, 0.5, 2, -1, -3, 0, -1, 4, 0]]
    numbers = stored(json.dumps(whole(2, find=0.4, sure=0.99, trees=trees, fitted_on={"cards": 5})))
    assert (numbers.find, numbers.sure) == (0.4, 0.99)
    assert {name: getattr(numbers, name) for name in NUMBERS} == NUMBERS | {"find": 0.4, "sure": 0.99}
    assert numbers.weights == numbers.real_weights == (2.0,) * len(FEATURES)
    assert numbers.pair_weights == (2.0,) * len(PAIR_FACTS)
    assert numbers.missed_weights == (2.0,) * len(MISSED_FACTS)
    assert numbers.trees.stored() == trees
    assert numbers.pair_trees.stored() == []


def without(name):
    return {key: value for key, value in whole().items() if key != name}


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        "[" * 100_000,
        *(json.dumps(without(name)) for name in whole()),
        *(json.dumps(whole(**{name: "x"})) for name in whole()),
        *(json.dumps(whole(**{name: None})) for name in whole()),
        *(
            json.dumps(whole(**{name: value}))
            for name in NUMBERS
            for value in (float("nan"), float("-inf"), -1.5, 11, True, str(NUMBERS[name]), [0.5], 10**400)
        ),
        json.dumps(whole(temperature=0)),
        json.dumps(whole(sure=1.01)),
        json.dumps(whole(weights=[1.0] * len(FEATURES))),
        json.dumps(whole(pair_weights={"bias": 1})),
        json.dumps(whole(weights=dict.fromkeys(FEATURES, float("inf")))),
        json.dumps(whole(weights=dict.fromkeys(FEATURES, "1"))),
        json.dumps(whole(trees={})),
        json.dumps(whole(trees=[{}])),
        json.dumps(whole(trees=[[1, 2]])),
        json.dumps(whole(trees=[[-1, 1e300, 0]])),
        json.dumps(whole(trees=[[-1, 10**400, 0]])),
        json.dumps(whole(real_trees=[[len(FEATURES), 0, 2, -1, 1, 0, -1, 2, 0]])),
    ],
)
def test_a_broken_calibration_is_said_to_be_one(stored, text):
    with pytest.raises(ModelError, match="cannot be loaded"):
        stored(text)


def test_a_calibration_that_is_not_the_one_of_the_manifest_is_refused(stored, tmp_path):
    stored(json.dumps(whole()))
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(whole(sure=0.5)), encoding="utf-8")
    with pytest.raises(ModelError, match="not the one in the manifest"):
        shipped_calibration.__wrapped__()
    path.unlink()
    with pytest.raises(ModelError, match="missing"):
        shipped_calibration.__wrapped__()


def test_what_is_entered_is_what_lies_there(tmp_path):
    model = tmp_path / "a.onnx"
    model.write_bytes(b"one")
    (tmp_path / "manifest.json").write_text(json.dumps({"b.onnx": {"sha256": "0"}}), encoding="utf-8")
    assert enter(model) == hashlib.sha256(b"one").hexdigest() == manifest_sha256(tmp_path, "a.onnx")
    assert manifest_sha256(tmp_path, "b.onnx") == "0"


def made_up(count, seed=0):
    """Cards whose chance to be right follows from two of the features."""
    rng = np.random.default_rng(seed)
    facts = np.zeros((count, len(FEATURES)), np.float32)
    facts[:, 0] = 1
    facts[:, 1] = rng.uniform(-2, 10, count)
    facts[:, 5] = rng.uniform(0.3, 1, count)
    logit = -3 + 1.1 * facts[:, 1] + 2 * facts[:, 5]
    right = rng.random(count) < 1 / (1 + np.exp(-logit))
    return facts, right, 1 / (1 + np.exp(-logit))


def samples(facts, right):
    return Samples(facts, right, facts[:, 5], right, np.arange(len(right)) % 8, np.ones(len(right)))


def said(facts, weights, trees):
    return believe(facts, Calibration(weights=weights, trees=trees))


FEW = Growth(trees=80, leaves=4, rate=0.1, share=1.0)
"""Two facts tell all: of a third of them there would be none at most branches."""


def test_what_made_the_cards_is_found_again():
    facts, right, chance = made_up(5_000)
    assert np.abs(said(facts, *fit_odds(facts, right, FEW)) - chance).mean() < 0.03


def test_the_trees_that_are_read_out_of_the_library_say_what_it_says(monkeypatch):
    facts, right, _ = made_up(3_000)
    facts[:, 7] = np.float32(1) / np.arange(1, 3_001, dtype=np.float32)
    fitted = []

    class Kept(calibrate.HistGradientBoostingClassifier):
        def fit(self, *given):
            fitted.append(self)
            return super().fit(*given)

    monkeypatch.setattr(calibrate, "HistGradientBoostingClassifier", Kept)
    weights, trees = fit_odds(facts, right, Growth(trees=80))
    mine = Odds.of(weights, trees).logit(facts)
    np.testing.assert_allclose(mine, fitted[0].decision_function(facts), atol=1e-3)
    again = Trees.of(json.loads(json.dumps(trees.stored())), facts.shape[1])
    np.testing.assert_array_equal(Odds.of(weights, again).logit(facts), mine)


@pytest.mark.parametrize("value", [False, True])
def test_where_all_are_of_one_kind_the_chance_is_high_or_low_and_no_more(value):
    facts, _, _ = made_up(99)
    weights, trees = fit_odds(facts, np.full(99, value), Growth())
    chance = said(facts, weights, trees)
    np.testing.assert_allclose(chance, 0.995 if value else 0.005, atol=1e-4)


def test_what_no_straight_line_tells_is_found():
    facts, _, _ = made_up(5_000)
    chance = np.where(np.abs(facts[:, 1] - 4) < 2, 0.95, 0.2)
    right = np.random.default_rng(9).random(len(chance)) < chance
    assert np.abs(said(facts, *fit_odds(facts, right, FEW)) - chance).mean() < 0.05


def test_the_confidence_in_a_deck_comes_from_other_decks():
    facts, right, chance = made_up(3_000)
    lied = samples(facts, right)
    lied.right = np.where(lied.deck == 0, ~right, right)
    told = cross_fit(lied, FEW)
    mine = lied.deck == 0
    assert np.abs(told[mine] - chance[mine]).mean() < 0.1, "what deck 0 is like had no part in it"


def test_of_cards_that_are_sure_hardly_any_is_wrong():
    _, right, chance = made_up(500_000)
    least = fit_sure(chance, right, np.ones(len(right)))
    sure = chance >= least
    assert sure.mean() > 0.03
    assert (~right[sure]).mean() <= TOLERATED


def test_of_cards_of_spoilt_photos_more_may_be_wrong_and_luck_is_allowed_for():
    chance = np.linspace(1, 0.9, 20_001)
    right = np.ones(20_001, np.bool_)
    right[[6_000, 12_000, 12_001]] = False
    assert fit_sure(chance, right, np.ones(20_001)) == chance[11_999], "one and its error, of 10,000"
    rare = np.ones(20_001)
    rare[~right] = 0.2
    assert fit_sure(chance, right, rare) == chance[-1] == 0.9


def test_where_the_surest_card_is_wrong_nothing_but_it_is_sure():
    chance = np.array([0.99, 0.98, 0.97])
    assert fit_sure(chance, np.array([False, True, True]), np.ones(3)) == 0.99


def label(name, end, other, width=50.0):
    """A label whose ends lie at these places, one above the other."""
    (x, y), (u, v) = end, other
    reach = 0.175 / 0.65 * (v - y)
    half = width / 2
    corners = [(x - half, y - reach), (x + half, y - reach), (u + half, v + reach), (u - half, v + reach)]
    return Label(name, 1.0, 1.0, np.array(end, float), np.array(corners, float))


def test_labels_are_given_to_cards_all_together():
    labels = [label("三", (100, 0), (100, 130)), label("五", (140, 0), (140, 130))]
    cards = tuple(
        Card(name, ((0, 0),) * 4, mark, 1.0, sure=True)
        for name, mark in (("五", (110.0, 0.0)), ("三", (80.0, 0.0)), ("三", (500.0, 0.0)))
    )
    assert match(labels, cards) == [0, None, None], "nearest first blames a right card"
    assert shown(labels, cards, ["五", "三", "三"]) == [1, 0, None]
    assert shown([], cards, ["五", "三", "三"]) == [None] * 3
    assert shown(labels, (), []) == []


def looked_at(labels, ends, embeddings):
    photo = Photo(Path("x.jpg"), "own", "rows", hard=False, labels=labels, about={})
    picture = Picture(np.empty((600, 800, 0), np.uint8), (800, 600))
    return Looked(photo, picture, ends, np.empty((len(ends), 0), np.uint8), embeddings)


def whole_cards(places):
    """Both ends of cards that lie upright at these places, and the labels."""
    rows, labels = [], []
    for x, y in places:
        labels.append(label("三", (x, y), (x, y + 130)))
        for side in (0, 1):
            up = (0, -36 if side == 0 else 36)
            rows.append(((x, y + 130 * side), up, (25, 0), (x, y + 65), 0.9, 1.0))
    ends = Ends(*(np.array(part, np.float32) for part in zip(*rows, strict=True)))
    return labels, ends


def test_an_end_is_that_of_a_label_where_it_lies_there_and_points_that_way():
    labels, ends = whole_cards([(100, 100), (300, 100)])
    looked = looked_at(labels, ends, np.zeros((4, 128), np.float32))
    assert end_truth(looked, ends) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    turned = replace(ends, ups=-ends.ups)
    assert end_truth(looked, turned) == [None] * 4
    twice = ends.take(np.array([0, 0, 3]))
    assert end_truth(looked, twice) == [(0, 0), None, (1, 1)]


def test_where_a_card_covers_the_end_of_another_the_end_is_that_of_the_upper_card():
    labels, ends = whole_cards([(100, 100), (120, 110)])
    looked = looked_at(labels, ends, np.zeros((4, 128), np.float32))
    shifted = ends.take(np.array([1]))
    shifted.centres[:] = (108, 233)
    assert end_truth(looked, shifted) == [(0, 1)]
    labels[0].seen_other = 0.3
    assert end_truth(looked, shifted) == [(1, 1)]
    labels[1].outline[:] += 300
    labels[1].end[:] += 300
    assert end_truth(looked, shifted) == [(0, 1)]
    labels[0].seen_other = 0.05
    assert end_truth(looked, shifted) == [None]


def test_the_ends_of_one_card_are_learned_to_be_joined():
    rng = np.random.default_rng(2)
    everything = []
    for _ in range(40):
        labels, ends = whole_cards([(100, 100), (170, 100), (260, 150)])
        looks = rng.normal(0, 1, (3, 128)).repeat(2, 0)
        looks /= np.linalg.norm(looks, axis=1, keepdims=True)
        off = rng.normal(0, 3, ends.cards.shape).astype(np.float32)
        everything.append(looked_at(labels, replace(ends, cards=ends.cards + off), looks.astype(np.float32)))
    numbers = fit_pairs(everything, 0.5)
    found = everything[0].found(replace(numbers, find=0.5))
    assert {tuple(sorted(card.ends)) for card in found.cards} == {(0, 1), (2, 3), (4, 5)}
    assert min(card.pair for card in found.cards) > 1 > max(card.rival for card in found.cards)


def test_of_two_opinions_each_counts_by_what_it_knows():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 5, 4000)
    right = np.eye(5)[truth]
    noise = rng.gumbel(0, 1, (2, 4000, 5))
    knows = (2 * right + noise[0] * 0.7).astype(np.float32)
    guesses = noise[1].astype(np.float32)
    (namer, verifier), cost = best_shares(guesses, knows, truth)
    assert namer <= 0.1
    assert verifier >= 1
    assert cost < best_shares(guesses, guesses, truth)[1] < 1.7
    assert best_shares(knows, guesses, truth)[0][1] <= 0.1


def test_without_verified_cards_both_count_as_they_are():
    none = np.empty((0, 0), np.float32)
    assert best_shares(none, none, np.empty(0, np.intp))[1] == 0


def test_a_crop_is_compared_with_an_example_once():
    asked = []

    def compare(crops, examples, pairs):
        asked.extend(pairs.tolist())
        return (crops[pairs[:, 0], 0, 0, 0] * 10 + examples[pairs[:, 1], 0, 0, 0]).astype(np.float32)

    once = remembering(compare)
    crops = np.arange(3, dtype=np.uint8).repeat(72 * 48 * 3).reshape(3, 72, 48, 3)
    pairs = np.array([[0, 1], [2, 1], [2, 2]])
    assert once(crops, crops, pairs).tolist() == [1, 21, 22]
    assert once(crops[::-1].copy(), crops, np.array([[0, 1], [1, 0], [0, 2]])).tolist() == [21, 10, 22]
    assert asked == [[0, 1], [2, 1], [2, 2], [1, 0]]
    assert once(crops, crops, np.empty((0, 2), np.intp)).shape == (0,)


def test_the_reliability_diagram_is_drawn(tmp_path, capsys):
    _, right, chance = made_up(5000)
    error = reliability(chance, right, tmp_path / "reliability.png")
    assert error < 0.02
    assert (tmp_path / "reliability.png").stat().st_size > 1000
    assert "said, right, cards" in capsys.readouterr().out


def test_a_deck_is_known_from_more_than_any_strange_deck_reaches(monkeypatch):
    cards = row("上大人可知禮", 100, 200)
    pixels = paint(cards)
    session = Reader(
        finder=MapFinder(ends_map(cards, (960, 720))), namer=PixelNamer(), namer_sha256=PixelNamer.sha256
    )
    ends = session.ends(pixels, 0.1)
    crops = cut(pixels, ends.centres, ends.ups, ends.rights)
    photo = Photo(
        Path("x.jpg"), "own", "rows", hard=False, labels=[label("上", (100, 200), (100, 330))], about={}
    )
    looked = Looked(photo, Picture.of(pixels), ends, crops, session.embed(crops))
    turned = [(example.label, example.crop[::-1].copy()) for example in made_up_deck().examples]
    strange = session.prepare(Deck.of_faces("strange", turned, kind=110))
    ships = replace(session.prepare(Deck.of_faces("ships", turned[::-1], kind=110)), read_only=True)
    decks = {"own": made_up_deck("own"), "strange": strange}
    monkeypatch.setattr(calibrate, "shipped_decks", lambda: (ships, made_up_deck("other kind", kind=96)))
    numbers = Calibration()
    known = fit_known([looked], decks, numbers, session)
    found = looked.found(numbers)
    assert session.explain(found, [strange, ships])[1] < known < session.explain(found, [decks["own"]])[1]


@pytest.mark.parametrize(("lying", "taken"), [("上大人可知禮", "own"), ("", "strange")])
def test_a_picture_without_cards_is_looked_at_with_the_deck_that_explains_it_best(lying, taken, tmp_path):
    cards = row(lying, 100, 200)
    session = Reader(
        finder=MapFinder(ends_map(cards, (960, 720))), namer=PixelNamer(), namer_sha256=PixelNamer.sha256
    )
    path = tmp_path / "page.png"
    path.write_bytes(cv2.imencode(".png", paint(cards)[..., ::-1])[1].tobytes())
    turned = [(example.label, example.crop[::-1].copy()) for example in made_up_deck().examples]
    decks = {"strange": Deck.of_faces("strange", turned, kind=110), "own": made_up_deck("own")}
    decks = {name: session.prepare(deck) for name, deck in decks.items()}
    page = Photo(path, "", "page", hard=False, labels=[], about={})
    (looked,) = look([page], session, decks, 0.5)
    assert looked.photo.deck == taken
    assert len(looked.ends) >= len(lying)


def places(count, seed=3):
    """Places of which one fact says whether a card was missed there; ten to a photo, eight decks."""
    rng = np.random.default_rng(seed)
    facts = rng.normal(0, 1, (count, len(MISSED_FACTS))).astype(np.float32)
    facts[:, 0] = 1
    chance = 1 / (1 + np.exp(-(4 * facts[:, 12] - 3)))
    there = (rng.random(count) < chance).astype(int)
    photo = np.arange(count) // 10
    misses = np.array([there[photo == one].any() for one in range(count // 10)])
    return Missed(facts, there, photo, misses, np.arange(count // 10) % 8), chance


def test_what_tells_a_missed_card_is_learned_from_other_decks():
    missed, chance = places(8000)
    theirs = missed.deck[missed.photo] % 4 == 0
    missed.there[theirs] = 1 - missed.there[theirs]
    told = cross_fit_missed(missed, FEW)
    assert np.abs(told - chance)[theirs].mean() < 0.06, "what its own deck is like had no part in it"


def test_a_doubt_is_worth_a_few_that_are_needless():
    missed, chance = places(8000)
    threshold = fit_doubt(missed, chance)
    highest = np.array([chance[missed.photo == photo].max() for photo in range(len(missed.misses))])

    def cost(least):
        doubted = highest >= least
        return SILENT * (missed.misses & ~doubted).sum() + (~missed.misses & doubted).sum()

    tried = (0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
    least = min(cost(each) for each in tried)
    assert cost(threshold) <= ALIKE * least
    assert all(cost(each) > ALIKE * least for each in tried if each > threshold), "as few doubts as may be"
    covered = replace(missed, there=np.full_like(missed.there, -1))
    assert fit_doubt(covered, chance) == Calibration().doubt, "photos with a card that is covered say nothing"


def test_a_missed_card_is_told_from_what_lies_on_one_that_was_read():
    """One card is too faint to be found; the place where it lies, and no other, is a missed one."""
    cards = row("上大人可知禮", 100, 200)
    pixels = paint(cards)
    seen = ends_map(cards[:-1], (960, 720))
    weak = ends_map(cards[-1:], (960, 720), score=0.3)
    mine = weak[0] > seen[0]
    seen[:, mine] = weak[:, mine]
    session = Reader(finder=MapFinder(seen), namer=PixelNamer(), namer_sha256=PixelNamer.sha256)
    ends = session.ends(pixels, 0.1)
    crops = cut(pixels, ends.centres, ends.ups, ends.rights)
    labels = [label(card.name, *(centre for centre, *_ in card.printed_ends()), card.width) for card in cards]
    photo = Photo(Path("x.jpg"), "own", "rows", hard=False, labels=labels, about={})
    looked = Looked(photo, Picture.of(pixels), ends, crops, session.embed(crops))
    missed = gather_missed([looked], {"own": made_up_deck("own")}, replace(Calibration(), find=0.46))
    assert missed.misses.tolist() == [True]
    assert missed.there.tolist() == [1] * len(missed.there)
    assert len(missed.there) == 2
