import numpy as np

from tests.vision.synthetic import Lying, MapFinder, PixelNamer, ends_map, made_up_deck, paint
from vision.read import Reader
from vision.refine import FARTHEST, GUESS, UNIT, corrected, coverers, look_beneath, look_closer
from vision.types import Ends

SIZE = (960, 720)


def one_end(angle=0.0):
    up = np.array([[np.sin(angle), -np.cos(angle)]], np.float32) * 36
    right = np.array([[np.cos(angle), np.sin(angle)]], np.float32) * 24
    centre = np.array([[200, 100]], np.float32)
    seen = np.array([0.9], np.float32)
    return Ends(centre, up, right, centre - up * np.float32(1.86), np.array([0.64], np.float32), seen)


def said(*changes, end=10.0, seen=10.0):
    return np.array([[*(change / UNIT for change in changes), end, seen]], np.float32)


def test_nothing_to_correct_leaves_the_end_where_it_is():
    end = one_end(0.3)
    same = corrected(end, said(0, 0, 0, 0, 0, 0))
    for name in ("centres", "ups", "rights", "cards"):
        np.testing.assert_allclose(getattr(same, name), getattr(end, name), atol=1e-4)
    np.testing.assert_allclose(same.scores, 1, atol=1e-3)
    np.testing.assert_allclose(same.seen, 1, atol=1e-3)


def test_the_centre_moves_along_the_end_s_own_vectors():
    moved = corrected(one_end(), said(0.5, 0.25, 0, 0, 0, 0))
    np.testing.assert_allclose(moved.centres, [[206, 82]], atol=1e-3)


def test_a_turned_end_turns_its_card():
    angle = 0.2
    lean = np.tan(angle) * 36 / 24
    turned = corrected(one_end(), said(0, 0, 0, lean, 0, 0))
    direction = turned.ups[0] / np.hypot(*turned.ups[0])
    np.testing.assert_allclose(direction, [np.sin(angle), -np.cos(angle)], atol=1e-3)
    card = turned.cards[0] - turned.centres[0]
    np.testing.assert_allclose(card / np.hypot(*card), -direction, atol=1e-3)


def test_no_correction_is_larger_than_it_may_be():
    far = corrected(one_end(), said(9, 0, 0, 0, 0, 0))
    np.testing.assert_allclose(far.centres[0, 1], 100 - FARTHEST * 36, atol=1e-3)


def test_what_is_no_end_loses_its_score():
    assert corrected(one_end(), said(0, 0, 0, 0, 0, 0, end=-10)).scores[0] < 0.01


def test_no_ends_need_no_look():
    assert len(look_closer(np.zeros((10, 10, 3), np.uint8), Ends.empty(), MapFinder())) == 0


def test_many_ends_are_looked_at_in_parts():
    asked = []

    class Session:
        def run(self, feeds):
            asked.append(feeds["crops"].shape)
            return [np.zeros((len(feeds["crops"]), 8), np.float32)]

    ends = one_end()
    many = ends.take(np.zeros(100, np.intp))
    look_closer(np.zeros((300, 300, 3), np.uint8), many, Session())
    assert asked == [(64, 3, 72, 48), (36, 3, 72, 48)] * 2


class Refiner:
    """Says of every crop that it is an end, so likely, and moves it by a share of its own height."""

    def __init__(self, likely, *moves):
        self.likely, self.moves, self.asked = likely, list(moves), 0

    def run(self, feeds):
        result = np.zeros((len(feeds["crops"]), 8), np.float32)
        result[:, 0] = (self.moves.pop(0) if self.moves else 0) / UNIT
        result[:, 6] = np.log(self.likely / (1 - self.likely))
        result[:, 7] = 3
        self.asked += 1
        return [result]


def test_an_end_is_looked_at_until_it_lies_still():
    photo = np.zeros((300, 300, 3), np.uint8)
    for moves, asked in (((0.2, 0.0), 2), ((0.2, 0.1, 0.1, 0.1, 0.05), 6), ((0.1,) * 20, 8)):
        refiner = Refiner(0.9, *moves)
        end = look_closer(photo, one_end(), refiner)
        assert refiner.asked == asked
        np.testing.assert_allclose(end.centres[0], [200, 100 - 36 * sum(moves[:8])], atol=0.1)
        np.testing.assert_allclose(end.ups, one_end().ups, atol=0.1)
        np.testing.assert_allclose(end.cards - end.centres, one_end().cards - one_end().centres, atol=0.1)


def column(*seen, step=30):
    """Ends of a column, one below the other, of which so much is seen."""
    count = len(seen)
    centres = np.array([(100, 100 + step * place) for place in range(count)], np.float32)
    up, right = np.tile(np.float32([0, -36]), (count, 1)), np.tile(np.float32([24, 0]), (count, 1))
    return Ends(
        centres, up, right, centres + np.float32([0, 65]), np.full(count, 0.8, np.float32), np.float32(seen)
    )


def test_what_covers_an_end_is_guessed_where_nothing_that_was_found_does():
    assert len(coverers(column(0.5, 0.5, 1.0))) == 0
    guess = coverers(column(0.5, 1.0, step=90))
    np.testing.assert_allclose(guess.centres, [[100, 136]], atol=1e-3)
    np.testing.assert_allclose(guess.cards, [[100, 201]], atol=1e-3)
    np.testing.assert_allclose(guess.scores, GUESS)
    assert len(coverers(column(0.95))) == 0
    faint = column(0.5)
    faint.scores[:] = 0.3
    assert len(coverers(faint)) == 0
    assert len(coverers(Ends.empty())) == 0


def test_what_was_guessed_is_an_end_only_where_the_refiner_is_certain():
    photo, ends = np.zeros((300, 300, 3), np.uint8), column(0.5, 1.0, step=90)
    found = look_beneath(photo, ends, Refiner(0.995, 0.1))
    np.testing.assert_allclose(found.centres, [*ends.centres, (100, 132.4)], atol=0.1)
    np.testing.assert_allclose(found.ups, np.tile(np.float32([0, -36]), (3, 1)))
    np.testing.assert_allclose(found.scores[2], np.sqrt(GUESS * 0.995), atol=1e-3)
    assert len(look_beneath(photo, ends, Refiner(0.9))) == 2
    whole = Refiner(0.995)
    assert len(look_beneath(photo, column(1.0, 1.0, step=90), whole)) == 2
    assert whole.asked == 0


def test_what_the_refiner_refuses_is_not_read():
    cards = [Lying("三", 200, 300), Lying("五", 600, 300)]

    def names(refiner):
        reader = Reader(
            finder=MapFinder(ends_map(cards, SIZE)),
            refiner=refiner,
            namer=PixelNamer(),
            namer_sha256=PixelNamer.sha256,
        )
        return [card.card for card in reader.read(paint(cards), made_up_deck()).cards]

    assert names(Refiner(0.999)) == ["三", "五"]
    assert names(Refiner(0.001)) == []
