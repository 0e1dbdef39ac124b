"""A second opinion on cards whose name is not clear."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.synthetic import Lying, MapFinder, PixelNamer, ends_map, face_crop, made_up_deck, paint
from vision.calibration import Calibration
from vision.deck import Deck
from vision.files import data_path
from vision.read import VERIFIER, Found, Reader, evidence_of
from vision.session import open_session
from vision.types import Ends, FoundCard
from vision.verify import CLEAR_BY, FURTHER, RIVALS, Verifier, second_opinion

LABELS = ("三", "五", "七", "上", "大", "人")
NUMBERS = Calibration(temperature=0.05, namer_share=0.5, verifier_share=2.0)


class Comparer:
    """A verifier that likes pixels to be alike, and keeps what it was asked; it makes of a crop the crop."""

    def __init__(self):
        self.asked = []

    def run(self, feeds):
        assert all(each.dtype == np.float32 for each in feeds.values())
        assert feeds["crops"].shape[1:] == (3, 72, 48)
        self.asked.append({name: len(each) for name, each in feeds.items()})
        crop, example = feeds["pairs"].astype(int).T
        made = feeds["crops"].reshape(-1, 48, 18, 12)
        known = feeds["known"][:, :48] if feeds["known"].shape[1] > 48 else feeds["known"]
        return [-10 * np.abs(made[crop] - known[example]).mean((1, 2, 3)), made]


def vector(*parts):
    made = np.zeros(128, np.float32)
    made[: len(parts)] = parts
    return made / np.linalg.norm(made)


def deck():
    """Six faces; each looks like the axis of its number to the namer, and one has a second look."""
    made = Deck.of_faces("six", [(label, face_crop(label)) for label in (*LABELS, "五")])
    axes = [*np.eye(6, dtype=np.float32), np.float32([0, 0.5, 0, 0, 0, 0, 1])]
    examples = tuple(
        replace(example, vector=vector(*axis)) for example, axis in zip(made.examples, axes, strict=True)
    )
    return replace(made, examples=examples)


def found(*looks, seen=None, pairs=()):
    """Ends that look like this to the namer; ``pairs`` joins two of them to one card."""
    count = len(looks)
    centres = np.float32([[100 * place, 50] for place in range(count)]).reshape(count, 2)
    up, right = np.tile(np.float32([0, -36]), (count, 1)), np.tile(np.float32([24, 0]), (count, 1))
    seen = np.ones(count, np.float32) if seen is None else np.float32(seen)
    ends = Ends(centres, up, right, centres + np.float32([0, 65]), np.full(count, 0.9, np.float32), seen)
    joined = {end for pair in pairs for end in pair}
    outline = Lying("三", 0, 0).outline()
    cards = [FoundCard(tuple(pair), outline) for pair in pairs]
    cards += [FoundCard((end,), outline) for end in range(count) if end not in joined]
    none = np.empty(0, np.intp)
    return Found(
        ends=ends,
        cards=tuple(cards),
        groups=(0,) * len(cards),
        faint=ends.take(none),
        faint_embeddings=np.empty((0, 128), np.float32),
        faint_crops=np.empty((0, 72, 48, 3), np.uint8),
        crops=np.stack([np.full((72, 48, 3), 10 * place, np.uint8) for place in range(count)]),
        embeddings=np.stack([vector(*look) for look in looks]),
        ms={},
    )


def judged(photo, told, numbers=NUMBERS):
    """Ask for a second opinion of a verifier that says ``told`` of the name of each example."""
    six = deck()
    asked = []

    def say(crops, examples, pairs):
        names = [
            next(e.label for e in six.examples if np.array_equal(e.crop, example)) for example in examples
        ]
        asked.extend((int(crops[crop].flat[0]) // 10, names[example]) for crop, example in pairs.tolist())
        return np.float32([told.get(name, 0.0) for _, name in asked[-len(pairs) :]])

    first = evidence_of(photo, six.labels, six.vectors(), numbers.temperature)
    return first, second_opinion(first, photo, six, six.vectors(), numbers, say), asked


def random_crops(count, seed):
    return np.random.default_rng(seed).integers(0, 256, (count, 72, 48, 3), dtype=np.uint8)


def test_many_pairs_are_compared_in_parts():
    rng = np.random.default_rng(3)
    crops, examples = random_crops(30, 1), random_crops(50, 2)
    pairs = np.stack([rng.integers(0, 30, 300), rng.integers(0, 50, 300)], axis=1)
    session = Comparer()
    together = Verifier(session)(crops, examples, pairs)
    assert [each["pairs"] for each in session.asked] == [1, 128, 128, 44]
    assert sum(each["crops"] for each in session.asked[1:]) <= 30 + 2, "a crop is looked at once or twice"
    alone = [Verifier(Comparer())(crops[[a]], examples[[b]], np.array([[0, 0]]))[0] for a, b in pairs]
    np.testing.assert_allclose(together, alone, atol=1e-4)


def test_an_example_is_looked_at_once():
    session = Comparer()
    verifier = Verifier(session)
    crops, examples = random_crops(2, 1), random_crops(3, 2)
    pairs = np.array([[0, 0], [1, 2]])
    first = verifier(crops, examples, pairs)
    assert [each["crops"] for each in session.asked] == [3, 2]
    again = verifier(crops, examples[::-1], np.array([[0, 2], [1, 0]]))
    assert [each["crops"] for each in session.asked] == [3, 2, 2]
    np.testing.assert_array_equal(first, again)
    verifier(crops, np.concatenate([examples, random_crops(1, 5)]), pairs)
    assert [each["crops"] for each in session.asked] == [3, 2, 2, 1, 2]


def test_no_more_examples_are_kept_than_a_table_needs():
    session = Comparer()
    verifier = Verifier(session)
    crops = random_crops(1, 1)
    for seed in range(5):
        verifier(crops, random_crops(100, seed), np.array([[0, 99]]))
    assert len(verifier._known) <= 256
    asked = len(session.asked)
    verifier(crops, random_crops(100, 4), np.array([[0, 99]]))
    assert len(session.asked) == asked + 1, "those of the last photo are still there"


def test_several_photos_may_be_read_at_once():
    verifier = Verifier(Comparer())
    crops = random_crops(1, 1)

    def read(seed):
        examples = random_crops(60, seed)
        return verifier(crops, examples, np.array([[0, place] for place in range(60)])).tolist()

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(read, [seed % 7 for seed in range(80)]))
    alone = [read(seed) for seed in range(7)]
    assert together == [alone[seed % 7] for seed in range(80)]


def test_nothing_to_compare_is_no_error():
    session = Comparer()
    none = np.empty((0, 72, 48, 3), np.uint8)
    assert Verifier(session)(none, none, np.empty((0, 2), np.intp)).shape == (0,)
    assert session.asked == []


def test_a_clear_name_is_not_asked_for():
    first, second, asked = judged(found([1, 0.1], [0, 0, 1]), {})
    assert asked == []
    assert second is first


def test_of_an_unclear_card_the_likeliest_names_are_compared_and_no_others():
    photo = found([1, 0.9, 0.8, 0.7, 0.2, 0.1], [0, 0, 1])
    first, second, asked = judged(photo, {})
    assert sorted(np.array(first.labels)[np.argsort(-first.logits[0])[:RIVALS]]) == sorted(
        name for _, name in asked
    )
    assert {end for end, _ in asked} == {0}
    assert np.isfinite(second.opinions[0]).sum() == RIVALS
    assert np.isnan(second.opinions[1]).all()
    np.testing.assert_array_equal(second.logits[1], first.logits[1])


def test_both_opinions_count_by_their_shares():
    first, second, _ = judged(found([1, 0.9, 0.8, 0.7]), {"三": -1.0, "五": 3.0})
    three, five = first.labels.index("三"), first.labels.index("五")
    before = first.logits[0, three] - first.logits[0, five]
    assert 0 < before < CLEAR_BY
    after = second.logits[0, three] - second.logits[0, five]
    np.testing.assert_allclose(after, 0.5 * before + 2.0 * (-1 - 3), atol=1e-4)
    np.testing.assert_array_equal(second.first, first.logits)
    assert second.opinions[0, five] == pytest.approx(3.0)


def test_what_was_not_compared_is_no_likelier_than_the_worst_that_was():
    told = dict.fromkeys(LABELS, 4.0)
    first, second, asked = judged(found([1, 0.9, 0.8, 0.7, 0.65, 0.6]), told)
    left = [place for place, name in enumerate(first.labels) if name not in {name for _, name in asked}]
    least = min(set(range(len(first.labels))) - set(left), key=lambda place: second.logits[0, place])
    assert len(left) == len(LABELS) - RIVALS
    assert second.logits[0, left].max() < second.logits[0, least]


def test_both_ends_are_compared_and_vote_by_what_is_seen():
    photo = found([1, 0.9], [1, 0.95], seen=[1.0, 0.5], pairs=[(0, 1)])
    first, second, asked = judged(photo, {"五": 2.0})
    assert {end for end, _ in asked} == {0, 1}
    assert second.opinions[0, first.labels.index("五")] == pytest.approx(2.0 * (1 + 0.25))


def test_the_nearest_look_of_a_face_is_the_one_compared():
    six = deck()
    crops = [np.full((72, 48, 3), 40 * place, np.uint8) for place in range(7)]
    examples = tuple(replace(example, crop=crop) for example, crop in zip(six.examples, crops, strict=True))
    six = replace(six, examples=examples)
    photo = found([0.9, 0.5, 0, 0, 0, 0, 1])
    asked = []

    def say(_, examples, pairs):
        asked.extend(int(examples[example].flat[0]) // 40 for _, example in pairs.tolist())
        return np.zeros(len(pairs), np.float32)

    first = evidence_of(photo, six.labels, six.vectors(), 0.05)
    second_opinion(first, photo, six, six.vectors(), NUMBERS, say)
    looks = [six.examples[place].label for place in asked]
    assert sorted(set(looks)) == sorted(looks)
    assert asked[looks.index("五")] == 6


@pytest.mark.parametrize(("second", "compared"), [([0.9, 0.5], [0, 1, 2]), ([0.9, 0.9], [0, 1])])
def test_of_a_face_known_in_many_looks_the_better_of_the_two_nearest_counts(second, compared):
    """The second look of 五 may be the better one, where it is not much less like the card."""
    made = Deck.of_faces("looks", [(label, face_crop(label)) for label in ("三", "五", "五", "五")])
    axes = ([1], [0.9, 0.4], second, [0, 1])
    crops = [np.full((72, 48, 3), 50 * place, np.uint8) for place in range(4)]
    examples = tuple(
        replace(example, crop=crop, vector=vector(*axis))
        for example, crop, axis in zip(made.examples, crops, axes, strict=True)
    )
    looks = replace(made, examples=examples)
    photo = found([1, 0.1])
    asked = []

    def say(_, shown, pairs):
        asked.extend(int(shown[example].flat[0]) // 50 for _, example in pairs.tolist())
        return np.float32(asked)

    first = evidence_of(photo, looks.labels, looks.vectors(), 0.05)
    told = second_opinion(first, photo, looks, looks.vectors(), NUMBERS, say)
    assert sorted(asked) == compared
    assert told.opinions[0].tolist() == [0, compared[-1]]


def test_a_third_name_is_compared_only_where_it_is_nearly_as_likely():
    first, _, asked = judged(found([1, 0.9, 0.75]), {})
    behind = first.logits[0].max() - first.logits[0]
    assert sorted(behind)[2] < FURTHER
    assert len(asked) == 3
    first, _, asked = judged(found([1, 0.9, 0.4]), {})
    behind = first.logits[0].max() - first.logits[0]
    assert sorted(behind)[2] > FURTHER
    assert len(asked) == 2


def test_a_deck_of_one_face_needs_no_second_opinion():
    one = made_up_deck(labels=("三",))
    photo = found([1])
    first = evidence_of(photo, one.labels, one.vectors(), 0.05)
    assert second_opinion(first, photo, one, one.vectors(), NUMBERS, lambda *_: None) is first


SIZE = (960, 720)


def reading(verifier, temperature):
    cards = [Lying("三", 200, 300), Lying("五", 600, 300)]
    reader = Reader(
        finder=MapFinder(ends_map(cards, SIZE)),
        namer=PixelNamer(),
        namer_sha256=PixelNamer.sha256,
        verifier=verifier,
        calibration=Calibration(temperature=temperature),
    )
    return reader.read(paint(cards), made_up_deck())


def test_a_verifier_may_turn_a_name_that_was_not_clear():
    class Contrary(Comparer):
        def run(self, feeds):
            alike, made = super().run(feeds)
            return [-10 * alike, made]

    for verifier in (None, Comparer()):
        assert [card.card for card in reading(verifier, 1.0).cards] == ["三", "五"]
    turned = [card.card for card in reading(Contrary(), 1.0).cards]
    assert len(turned) == 2
    assert all(name != right for name, right in zip(turned, ("三", "五"), strict=True))
    assert [card.card for card in reading(Contrary(), 0.001).cards] == ["三", "五"]


def test_a_namer_that_is_given_has_no_verifier_but_its_own():
    assert Reader(namer=PixelNamer(), namer_sha256=PixelNamer.sha256).verifier is None
    own = Comparer()
    assert Reader(namer=PixelNamer(), namer_sha256=PixelNamer.sha256, verifier=own).verifier is own
    assert Reader().verifier is not None


def test_a_photo_without_cards_asks_nothing():
    reader = Reader(
        finder=MapFinder(ends_map([], SIZE)),
        namer=PixelNamer(),
        namer_sha256=PixelNamer.sha256,
        verifier=Comparer(),
    )
    assert reader.read(paint([]), made_up_deck()).cards == ()


@pytest.fixture(scope="module")
def session():
    return open_session(data_path("models"), VERIFIER)


def test_the_verifier_says_the_same_whatever_the_batch(session):
    rng = np.random.default_rng(0)
    crops = rng.integers(0, 256, (5, 72, 48, 3), dtype=np.uint8)
    examples = rng.integers(0, 256, (3, 72, 48, 3), dtype=np.uint8)
    pairs = np.array([[0, 0], [4, 2], [1, 2], [1, 0]])
    together = Verifier(session)(crops, examples, pairs)
    one = np.array([[0, 0]])
    alone = [Verifier(session)(crops[[a]], examples[[b]], one)[0] for a, b in pairs.tolist()]
    np.testing.assert_allclose(together, alone, atol=1e-3)


def test_half_covered_views_of_a_drawing_never_seen_are_told_better_with_a_second_opinion(session):
    """Of views of which up to 45 % is covered, both together name more right than the namer."""
    from vision.name import embed
    from vision.training import art, views

    namer = Reader().namer
    numbers = Reader().calibration
    right = {"namer": 0, "both": 0}
    total = 0
    for seed, manner in enumerate(("corner", "middle", "bits")):
        rng = np.random.default_rng(700 + seed)
        style = art.Style(source="strokes", manner=manner, motif="heart", motifs=art.MOTIFS["evaluate"])
        faces = views.Faces.of(art.draw_deck(rng, style, 110).strips)
        count = len(faces.labels)
        learned = views.make_views(rng, faces, np.arange(count), mild=True)
        asked = views.make_views(rng, faces, np.tile(np.arange(count), 4))
        truth = np.tile(np.arange(count), 4)
        logits = embed(asked, namer) @ embed(learned, namer).T / numbers.temperature
        order = np.argsort(-logits, axis=1)[:, :RIVALS]
        pairs = np.stack([np.repeat(np.arange(len(asked)), RIVALS), order.ravel()], axis=1)
        said = Verifier(session)(asked, learned, pairs).reshape(-1, RIVALS)
        both = numbers.namer_share * np.take_along_axis(logits, order, 1) + numbers.verifier_share * said
        right["namer"] += int((order[:, 0] == truth).sum())
        right["both"] += int((np.take_along_axis(order, both.argmax(1)[:, None], 1)[:, 0] == truth).sum())
        total += len(asked)
    assert right["both"] > right["namer"] > 0.9 * total
