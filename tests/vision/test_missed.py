import numpy as np
import pytest

from vision.find import outline
from vision.missed import (
    MISSED_FACTS,
    Places,
    missed_facts,
    one_each,
    outside,
    says_something_new,
)
from vision.types import Ends, FoundCard

SIZE = (960, 720)
UP, DOWN = (0.0, -36.0), (0.0, 36.0)


def ends_at(*rows):
    """Ends of cards of 50 by 202 pixels: place, direction, score and how much is seen."""
    made = [
        ((x, y), up, (25.0 if up[1] < 0 else -25.0, 0.0), (x, y - up[1] * 65 / 36), score, seen)
        for (x, y), up, score, seen in rows
    ]
    columns = zip(*made, strict=True)
    return Ends(*(np.array(column, np.float32) for column in columns)) if rows else Ends.empty()


def looks(*numbers):
    """An embedding for each number; equal ones look alike."""
    return np.eye(128, dtype=np.float32)[list(numbers)]


def places_of(ends, at, embeddings=None, chances=None, found=None, crops=None):
    count = len(at)
    return Places(
        ends,
        looks(*range(len(ends))) if embeddings is None else embeddings,
        np.full((len(ends), 72, 48, 3), 200, np.uint8) if crops is None else crops,
        np.array(at, np.intp),
        np.zeros((count, 2), np.float32) if chances is None else np.array(chances, np.float32),
        np.zeros(count, np.bool_) if found is None else np.array(found),
    )


def card(ends, *which):
    return FoundCard(which, outline(ends, which[:1]))


def fact(rows, name):
    return rows[:, MISSED_FACTS.index(name)]


def test_the_outline_that_an_end_alone_tells():
    ends = ends_at(((100, 100), UP, 0.9, 1))
    assert outline(ends, (0,)) == ((75, 64), (125, 64), (125, 266), (75, 266))
    turned = ends_at(((100, 230), DOWN, 0.9, 1))
    assert outline(turned, (0,)) == ((125, 266), (75, 266), (75, 64), (125, 64)), "the end is up"


def test_how_much_of_a_card_lies_outside():
    assert outside(((0, 0), (50, 0), (50, 200), (0, 200)), SIZE) == 0
    assert outside(((-25, 0), (25, 0), (25, 200), (-25, 200)), SIZE) == 0.5
    assert outside(((-60, 0), (-10, 0), (-10, 200), (-60, 200)), SIZE) == 1


def test_where_a_card_was_found_nothing_new_is_said():
    ends = ends_at(((300, 200), UP, 0.9, 1))
    cards = [card(ends, 0)]
    faint = ends_at(
        ((310, 205), UP, 0.2, 1),
        ((300, 330), DOWN, 0.2, 1),
        ((300, 330), UP, 0.2, 1),
        ((500, 200), UP, 0.2, 1),
    )
    assert says_something_new(faint, ends, cards).tolist() == [False, False, True, True]
    assert says_something_new(faint, Ends.empty(), []).all()
    assert says_something_new(Ends.empty(), ends, cards).tolist() == []


def test_the_picture_in_the_middle_of_a_card_is_nothing_new():
    ends = ends_at(((300, 200), UP, 0.9, 1), ((300, 330), DOWN, 0.9, 1))
    middle = ends_at(((300, 265), UP, 0.2, 1))
    assert says_something_new(middle, ends, [card(ends, 0, 1)]).tolist() == [False]


def test_what_is_known_of_a_place_beside_a_card():
    ends = ends_at(((300, 200), UP, 0.9, 1), ((375, 200), UP, 0.2, 0.5))
    places = places_of(ends, [1], embeddings=looks(3, 3))
    rows = missed_facts(places, [card(ends, 0)], np.array([[0.9, 0.4, 0.7]], np.float32), SIZE)
    assert rows.shape == (1, len(MISSED_FACTS))
    assert rows.dtype == np.float32
    known = {name: round(float(value), 3) for name, value in zip(MISSED_FACTS, rows[0], strict=True)}
    assert known["score"] == pytest.approx(np.log(0.25), abs=1e-3)
    assert known == known | {
        "bias": 1, "seen": 0.5, "near": 0.75, "near_facing": 1, "overlap": 0, "outdone": -1,
        "overlap_alike": 0, "near_likeness": 1, "near_size": 0, "inside": 3, "similarity": 0.9,
        "gap": 0.2, "outside": 0, "edge": 1, "partner": 1, "partner_score": 0, "partner_likeness": 0,
        "found": 0, "size": 0, "cards": 0.05, "confidence": 0, "real": 0,
    }  # fmt: skip


def test_what_lies_on_a_card_and_what_covers_it():
    ends = ends_at(((300, 200), UP, 0.9, 1), ((300, 236), UP, 0.2, 1), ((300, 265), DOWN, 0.2, 1))
    rows = missed_facts(places_of(ends, [1, 2]), [card(ends, 0)], np.eye(2, dtype=np.float32), SIZE)
    assert fact(rows, "inside") == pytest.approx([29 / 101, 0], abs=1e-3)
    assert fact(rows, "overlap") == pytest.approx([0.5, 0.5 * (2 - 65 / 36)], abs=1e-3)
    assert fact(rows, "overlap_alike") == pytest.approx([0.5, 0], abs=1e-3)
    assert fact(rows, "outdone") == pytest.approx([0.7, 0.7])
    assert fact(rows, "other_end")[1] == pytest.approx(65 / 25 / 4)


def test_both_faint_ends_of_a_card_speak_for_each_other():
    ends = ends_at(((300, 200), UP, 0.9, 1), ((600, 200), UP, 0.3, 1), ((600, 330), DOWN, 0.2, 1))
    places = places_of(ends, [1, 2], embeddings=looks(0, 5, 5))
    rows = missed_facts(places, [card(ends, 0)], np.eye(2, dtype=np.float32), SIZE)
    assert fact(rows, "partner").tolist() == [0, 0]
    assert fact(rows, "partner_score") == pytest.approx([0.2, 0.3])
    assert fact(rows, "partner_likeness").tolist() == [1, 1]
    taken = missed_facts(
        places_of(ends, [1], embeddings=looks(0, 5, 5)),
        [card(ends, 0), card(ends, 2)],
        np.ones((1, 2), np.float32),
        SIZE,
    )
    assert fact(taken, "partner_score").tolist() == [0], "an end that a card has is no other end of another"


def test_a_card_that_was_left_out_tells_what_was_thought_of_it():
    ends = ends_at(((300, 200), UP, 0.9, 1), ((600, 200), UP, 0.8, 1))
    places = places_of(ends, [1], chances=[(0.25, 0.5)], found=[True])
    rows = missed_facts(places, [card(ends, 0)], np.ones((1, 3), np.float32), SIZE)
    assert [fact(rows, name)[0] for name in ("found", "confidence", "real")] == [1, 0.25, 0.5]


def test_where_no_card_was_read_places_are_known_by_themselves():
    ends = ends_at(((10, 200), UP, 0.2, 1))
    rows = missed_facts(places_of(ends, [0]), [], np.ones((1, 2), np.float32), SIZE)
    assert np.isfinite(rows).all()
    assert fact(rows, "near") == fact(rows, "other_end") == 1.5
    assert fact(rows, "edge") == pytest.approx(0.1)
    none = missed_facts(places_of(ends, []), [], np.ones((0, 2), np.float32), SIZE)
    assert none.shape == (0, len(MISSED_FACTS))


def test_a_deck_of_one_face_has_no_other_to_compare_with():
    ends = ends_at(((300, 200), UP, 0.2, 1))
    rows = missed_facts(places_of(ends, [0]), [], np.full((1, 1), 0.7, np.float32), SIZE)
    assert fact(rows, "similarity") == fact(rows, "gap") == pytest.approx(0.7)


def test_one_card_leaves_one_doubt():
    ends = ends_at(
        ((300, 200), UP, 0.3, 1),
        ((300, 330), DOWN, 0.2, 1),
        ((305, 210), UP, 0.2, 1),
        ((600, 200), UP, 0.2, 1),
    )
    places = places_of(ends, [0, 1, 2, 3])
    assert one_each(places, np.array([0.2, 0.6, 0.3, 0.4])).tolist() == [1, 3]
    assert one_each(places_of(ends, []), np.empty(0)).tolist() == []


def test_of_a_place_on_a_card_that_lies_bare_nothing_can_be_seen():
    ends = ends_at(
        ((100, 100), UP, 0.9, 1),
        ((100, 230), DOWN, 0.9, 1),
        ((100, 165), UP, 0.2, 0.9),
        ((120, 165), UP, 0.2, 0.9),
        ((190, 165), UP, 0.2, 0.9),
    )
    kept = [FoundCard((0, 1), outline(ends, (0,)))]
    rows = missed_facts(places_of(ends, [2, 3, 4]), kept, np.ones((3, 2), np.float32), SIZE)
    assert fact(rows, "free") == pytest.approx([0, 0.4, 1], abs=0.11)


def test_a_place_of_another_colour_and_without_a_print_is_known_to_be_so():
    ends = ends_at(((300, 200), UP, 0.9, 1), ((600, 200), UP, 0.2, 1), ((100, 200), UP, 0.2, 1))
    crops = np.full((3, 72, 48, 3), (220, 215, 210), np.uint8)
    crops[:2, 20:50, 20:28] = 30
    crops[2] = (110, 70, 50)
    rows = missed_facts(
        places_of(ends, [1, 2], crops=crops), [card(ends, 0)], np.ones((2, 2), np.float32), SIZE, (0.9, -0.3)
    )
    assert rows[:, [MISSED_FACTS.index(f"usual_{name}") for name in ("similarity", "contrast")]] == (
        pytest.approx(np.array([[0.9, -0.3]] * 2))
    )
    assert fact(rows, "contrast")[0] > fact(rows, "contrast")[1] + 2
    assert fact(rows, "paper_lighter") == pytest.approx([0, np.log([11 / 22, 7 / 21.5, 5 / 21]).mean()])
    assert fact(rows, "paper_tinted")[0] == 0
    assert fact(rows, "paper_tinted")[1] > 0.3


def test_what_much_of_an_end_that_is_seen_whole_lies_on_says_nothing_new():
    ends = ends_at(((100, 100), UP, 0.9, 1))
    cards = [card(ends, 0)]
    turned = ends_at(((100, 134), DOWN, 0.2, 1), ((100, 160), DOWN, 0.2, 1))
    assert says_something_new(turned, ends, cards).tolist() == [False, True]
    covered = ends_at(((100, 100), UP, 0.9, 0.5))
    assert says_something_new(turned, covered, cards).tolist() == [True, True]
