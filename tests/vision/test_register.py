from dataclasses import replace

import numpy as np
import pytest

from tests.vision.synthetic import WIDTH, Lying, PixelNamer, made_up_deck, paint
from vision.crops import Pyramid, cut
from vision.name import cosines, embed
from vision.register import MOST, MOST_STRANGE, Looks, register, strangers, tries
from vision.types import Ends

SIZE = (960, 720)
NAMES = ("三", "花五", "七", "孔")
NAMER = PixelNamer()


def cards(turn=0.0):
    return [Lying(name, 150 + 200 * place, 300, turn) for place, name in enumerate(NAMES)]


def true_ends(lying):
    """The upper end of each card, as it lies."""
    ends = [next(iter(card.printed_ends())) for card in lying]
    centres, ups, rights, _ = (np.array(part, np.float32) for part in zip(*ends, strict=True))
    middles = np.array([(card.x, card.y) for card in lying], np.float32)
    return Ends(
        centres, ups, rights, middles, np.full(len(ends), 0.8, np.float32), np.ones(len(ends), np.float32)
    )


def shifted(ends, places, across=0.0, along=0.0, angle=0.0):
    """Some of the ends beside where they are, in widths, and turned, in degrees."""
    cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    turn = np.array([[cos, sin], [-sin, cos]], np.float32)
    part = ends.take(np.array(places))
    move = 2 * across * part.rights + along * WIDTH * part.ups / np.hypot(*part.ups.T)[:, None]
    centres = part.centres + move
    moved = replace(
        part,
        centres=centres,
        ups=part.ups @ turn,
        rights=part.rights @ turn,
        cards=centres + (part.cards - part.centres) @ turn,
    )
    return ends.put(np.array(places), moved)


def likeness(embeddings):
    return cosines(embeddings, np.stack([example.vector for example in made_up_deck().examples])).max(1)


def looks_at(photo, ends):
    crops = cut(photo, ends.centres, ends.ups, ends.rights)
    return Looks(ends, crops, embed(crops, NAMER))


def registered(photo, ends, refiner=None):
    looks = looks_at(photo, ends)
    return looks, register(Pyramid(photo), looks, lambda crops: embed(crops, NAMER), likeness, refiner)


def off(one, other):
    """How far ends lie apart, in widths."""
    return np.hypot(*(one.centres - other.centres).T) / WIDTH


@pytest.mark.parametrize("turn", [0, 30, 200])
@pytest.mark.parametrize(("across", "along", "angle"), [(0.28, 0.02, 0), (-0.2, 0.28, 5), (0.05, -0.25, -12)])
def test_an_end_beside_its_print_is_put_upon_it(turn, across, along, angle):
    lying = cards(turn)
    true = true_ends(lying)
    before, after = registered(paint(lying, SIZE), shifted(true, [1], across, along, angle))
    assert likeness(before.embeddings)[1] < 0.7
    assert likeness(after.embeddings)[1] > 0.8
    assert off(after.ends, true)[1] < 0.15
    others = [0, 2, 3]
    np.testing.assert_array_equal(after.ends.centres[others], before.ends.centres[others])
    np.testing.assert_array_equal(after.crops[others], before.crops[others])
    np.testing.assert_array_equal(after.ends.scores, before.ends.scores)
    gained = likeness(after.embeddings) - likeness(before.embeddings)
    np.testing.assert_allclose(after.ends.gained, np.where(np.arange(4) == 1, gained, 0), atol=1e-5)


def test_an_end_upside_down_is_turned_and_its_card_with_it():
    lying = cards(40)
    true = true_ends(lying)
    _, after = registered(paint(lying, SIZE), shifted(true, [1], angle=180))
    np.testing.assert_allclose(after.ends.ups[1], true.ups[1], atol=0.05 * WIDTH)
    np.testing.assert_allclose(after.ends.cards[1], true.cards[1], atol=0.3 * WIDTH)


def test_where_all_are_like_a_face_nothing_is_looked_at_again():
    NAMER.crops = 0
    before, after = registered(paint(cards(), SIZE), true_ends(cards()))
    assert after is before
    assert NAMER.crops == len(before.ends)


def test_what_lies_at_no_print_stays():
    lying = cards()
    photo = paint(lying, SIZE)
    stray = replace(true_ends(lying), centres=true_ends(lying).centres + np.array([0, 300], np.float32))
    before, after = registered(photo, stray)
    assert after is before


def test_no_end_is_put_upon_the_print_of_another():
    lying = cards()
    true = true_ends(lying)
    twice = true.joined(shifted(true, [0], 0.3).take(np.array([0])))
    before, after = registered(paint(lying, SIZE), twice)
    assert after is before


def test_of_two_ends_beside_one_print_one_is_put_upon_it():
    lying = cards()
    true = true_ends(lying)
    left = shifted(true, [0], 0.3)
    both = left.joined(shifted(true, [0], -0.3).take(np.array([0])))
    _, after = registered(paint(lying, SIZE), both)
    near = off(after.ends, true.joined(true.take(np.array([0]))))[[0, 4]] < 0.15
    assert sorted(near.tolist()) == [False, True]


class Refiner:
    """A refiner that finds an end so far along its own right, in halves of its width, and so much seen."""

    def __init__(self, across, seen):
        self.across, self.seen = across, seen

    def run(self, feeds):
        said = np.zeros((len(feeds["crops"]), 8), np.float32)
        said[:, 1], said[:, 6], said[:, 7] = self.across / 0.1, 5, np.log(self.seen / (1 - self.seen))
        return [said]


def test_the_refiner_says_how_much_is_seen_where_an_end_was_put():
    lying = cards()
    _, after = registered(paint(lying, SIZE), shifted(true_ends(lying), [3], 0.25), Refiner(0.0, 0.6))
    np.testing.assert_allclose(after.ends.seen, [1, 1, 1, 0.6], atol=1e-3)


@pytest.mark.parametrize(("across", "taken"), [(-0.1, True), (0.5, False)])
def test_the_refiner_s_correction_is_taken_where_the_end_is_then_more_like_a_face(across, taken):
    lying = cards()
    true = true_ends(lying)
    photo = paint(lying, SIZE)
    _, alone = registered(photo, shifted(true, [3], 0.3))
    _, after = registered(photo, shifted(true, [3], 0.3), Refiner(across, 0.9))
    moved = off(after.ends, alone.ends)[3]
    assert moved == pytest.approx(abs(across) / 2 if taken else 0, abs=1e-3)


def some_ends(count):
    rng = np.random.default_rng(0)
    centres = (rng.permutation(400)[:count, None] * np.array([[7, 3]])).astype(np.float32) * 100
    up, right = np.array([[0, -36]], np.float32), np.array([[24, 0]], np.float32)
    ups, rights = np.repeat(up, count, 0), np.repeat(right, count, 0)
    scores = np.linspace(0.9, 0.5, count, dtype=np.float32)
    return Ends(centres, ups, rights, centres - 4 * ups, scores, np.ones(count, np.float32))


def test_so_many_ends_are_looked_at_again_the_likeliest():
    ends = some_ends(40)
    assert strangers(ends, np.full(40, 0.2, np.float32)).tolist() == list(range(MOST_STRANGE))
    every_other = np.where(np.arange(40) % 2, 0.2, 0.9).astype(np.float32)
    assert strangers(ends, every_other).tolist() == list(range(1, 2 * MOST_STRANGE, 2))
    assert strangers(ends, np.full(40, 0.75, np.float32)).tolist() == list(range(MOST))
    some_strange = np.where(np.arange(40) % 2, 0.2, 0.75).astype(np.float32)
    assert strangers(ends, some_strange).tolist() == list(range(MOST))


def test_what_is_as_like_a_face_as_the_others_are_is_not_odd():
    """Of a worn deck, or in a dark photo, no end is quite like a face."""
    ends = some_ends(9)
    dark = np.full(9, 0.82, np.float32)
    dark[4] = 0.78
    assert strangers(ends, dark).tolist() == []
    clear = np.full(9, 0.95, np.float32)
    clear[4] = 0.78
    assert strangers(ends, clear).tolist() == [4]
    assert len(strangers(Ends.empty(), np.empty(0, np.float32))) == 0


def test_what_is_covered_and_the_other_end_of_a_known_card_are_left():
    ends = some_ends(3)
    ends = replace(ends, seen=np.array([1, 1, 0.2], np.float32))
    assert strangers(ends, np.array([0.9, 0.2, 0.2], np.float32)).tolist() == [1]
    centres = ends.centres.copy()
    centres[1] = 2 * ends.cards[0] - ends.centres[0]
    other = replace(ends, centres=centres, cards=ends.cards[[0, 0, 2]], ups=ends.ups * [[1], [-1], [1]])
    assert strangers(other, np.array([0.9, 0.2, 0.2], np.float32)).tolist() == []
    assert strangers(other, np.array([0.95, 0.8, 0.2], np.float32)).tolist() == []


def test_each_try_moves_its_card_along():
    ends = some_ends(2)
    tried = tries(ends, 0.25, 14, upside_down=True)
    assert len(tried) == 2 * 22
    apart = np.hypot(*(tried.cards - tried.centres).T)
    np.testing.assert_allclose(apart, np.hypot(*(ends.cards - ends.centres).T)[0], rtol=1e-4)
    along = ((tried.cards - tried.centres) * tried.ups).sum(1) / (apart * np.hypot(*tried.ups.T))
    np.testing.assert_allclose(along, -1, atol=1e-4)
    np.testing.assert_allclose(np.hypot(*tried.ups.T), 36, rtol=1e-4)
