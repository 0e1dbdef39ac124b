import numpy as np
import pytest

from vision.find import find_cards
from vision.group import group_cards
from vision.plane import END_SHARE, lie_flat, same_shape, tilt, weighted_medians
from vision.types import Ends


def card(x, y, *, width=40.0, length=180.0, angle=0.0, seen=(1.0, 1.0), said=(1.0, 1.0)):
    """Both ends of a card whose middle is at x, y; ``said`` is how much too high each is said to be."""
    up = np.array([np.sin(angle), -np.cos(angle)])
    right = np.array([np.cos(angle), np.sin(angle)])
    rows = []
    for sign, share, height in zip((1, -1), seen, said, strict=True):
        if share == 0:
            continue
        reach = length * END_SHARE / 2 * height
        top = np.array([x, y]) + sign * up * length / 2
        centre = top - sign * up * reach
        rows.append((centre, sign * up * reach, sign * right * width / 2, np.array([x, y]), 0.9, share))
    return rows


def ends_of(*cards):
    rows = [row for one in cards for row in one]
    centres, ups, rights, middles, scores, seen = (
        np.array(part, np.float32) for part in zip(*rows, strict=True)
    )
    return Ends(centres, ups, rights, middles, scores, seen)


def heights(ends):
    return np.hypot(ends.ups[:, 0], ends.ups[:, 1])


def test_a_card_seen_whole_says_how_high_the_ends_of_others_are():
    whole = card(100, 200)
    covered = card(200, 200, seen=(1, 0), said=(1.3, 1))
    told = same_shape(ends_of(whole, covered))
    assert heights(told) == pytest.approx([31.5, 31.5, 31.5], rel=1e-3)
    np.testing.assert_allclose(told.centres[2] + told.ups[2], [200, 110], atol=1e-2)
    np.testing.assert_allclose(told.cards[2], [200, 200], atol=0.1)


def test_the_ends_of_the_whole_card_itself_are_put_right():
    told = same_shape(ends_of(card(100, 200, said=(1.2, 0.9))))
    assert heights(told) == pytest.approx([31.5, 31.5], rel=1e-3)


def test_where_no_card_is_seen_whole_nothing_changes():
    ends = ends_of(card(100, 200, seen=(1, 0), said=(1.3, 1)), card(200, 200, seen=(1, 0.4)))
    np.testing.assert_array_equal(heights(same_shape(ends)), heights(ends))


def test_cards_that_lie_another_way_are_foreshortened_in_another_manner():
    upright = [card(x, 200, width=40, length=120) for x in (100, 160)]
    across = card(300, 200, angle=np.pi / 2, width=40 * 120 / 180, length=180, seen=(1, 0), said=(1.2, 1))
    told = same_shape(ends_of(*upright, across))
    assert heights(told)[-1] == pytest.approx(31.5, rel=0.05)


def test_an_end_found_twice_does_not_spoil_the_pair():
    first, second = card(100, 200)
    twice = [first, (first[0] + 1, *first[1:4], 0.8, first[5]), second]
    covered = card(200, 200, seen=(1, 0), said=(1.3, 1))
    assert heights(same_shape(ends_of(twice, covered)))[-1] == pytest.approx(31.5, rel=0.02)


def test_no_ends_have_no_shape():
    assert len(same_shape(Ends.empty())) == 0


def test_no_end_is_stretched_beyond_reason():
    told = same_shape(ends_of(card(100, 200, length=400), card(200, 200, length=100, seen=(1, 0))))
    assert heights(told)[2] == pytest.approx(100 * END_SHARE / 2 * np.exp(0.45), rel=1e-3)


def test_half_of_the_weight_lies_on_either_side_of_the_median():
    rng = np.random.default_rng(0)
    values = rng.normal(0, 1, 9)
    weights = rng.uniform(0, 1, (40, 9)) * (rng.uniform(0, 1, (40, 9)) > 0.3)
    weights[0] = 1
    for median, row in zip(weighted_medians(values, weights), weights, strict=True):
        assert row[values < median].sum() < row.sum() / 2 <= row[values <= median].sum()
    assert weighted_medians(values, weights)[0] == np.median(values)


def tilted(places, *, tilt=0.6, turn=0.3, distance=900.0, width=40.0, length=180.0):
    """Both ends of a card at each place of a table that a camera looks at from aside, as they are seen."""
    cosine, sine = np.cos(turn), np.sin(turn)

    def seen(points):
        x, y = points @ np.array([[cosine, sine], [-sine, cosine]])
        depth = distance - y * np.sin(tilt)
        return np.array([x, y * np.cos(tilt)]) / depth * distance + [600, 500]

    rows = []
    for place in places:
        middle = np.array(place, float)
        bottom, top = (seen(middle + np.array([0, sign * length / 2])) for sign in (1, -1))
        for sign, edge in ((-1, top), (1, bottom)):
            within = middle + np.array([0, sign * length * (1 - END_SHARE) / 2])
            centre = seen(within)
            half = np.array([width / 2, 0])
            right = (seen(within + half) - seen(within - half)) / 2 * -sign
            rows.append((centre, edge - centre, right, (top + bottom) / 2, 0.9, 1.0))
    return ends_of(rows)


PLACES = [(x, y) for x in (-300, -150, 0, 150, 300) for y in (-250, 0, 250)]


def test_the_tilt_of_the_table_is_found_from_cards_of_one_size():
    ends = tilted(PLACES)
    first = np.arange(0, len(ends), 2)
    plane = tilt(ends, first, first + 1)
    tops = plane.down(ends.centres + ends.ups)
    sides = plane.down(ends.centres + ends.rights) - plane.down(ends.centres - ends.rights)
    for lengths in (np.hypot(*(tops[first] - tops[first + 1]).T), np.hypot(*sides.T)):
        assert lengths == pytest.approx(np.full(len(lengths), lengths.mean()), rel=0.01)
    assert plane.up(plane.down(ends.centres)) == pytest.approx(ends.centres, abs=1e-2)


def test_cards_that_lie_across_say_how_short_the_others_look():
    across = tilted(PLACES[:6], turn=0.0)
    along = tilted([(0, 320), (200, 320)], turn=np.pi / 2)
    ends = across.joined(along)
    first = np.arange(0, len(ends), 2)
    tops = tilt(ends, first, first + 1).down(ends.centres + ends.ups)
    lengths = np.hypot(*(tops[first] - tops[first + 1]).T)
    assert lengths == pytest.approx(np.full(len(lengths), lengths.mean()), rel=0.03)


def test_on_a_tilted_table_the_nearer_end_of_a_card_is_longer():
    true = tilted(PLACES)
    rng = np.random.default_rng(1)
    wrong = rng.uniform(0.9, 1.1, (2, len(true), 1))
    ups = true.ups * wrong[0]
    spoilt = Ends(
        (true.centres + true.ups - ups).astype(np.float32),
        ups.astype(np.float32),
        (true.rights * wrong[1]).astype(np.float32),
        true.cards,
        true.scores,
        true.seen,
    )
    told = same_shape(spoilt)
    straight = np.hypot(*(true.cards - true.centres - true.ups).T) * END_SHARE
    assert np.abs(straight / heights(true) - 1).max() > 0.1
    assert np.abs(heights(told) / heights(true) - 1).mean() < 0.03
    assert np.abs(np.hypot(*told.rights.T) / np.hypot(*true.rights.T) - 1).mean() < 0.03
    assert np.hypot(*(told.cards - true.cards).T).mean() < 3


def test_a_covered_card_near_the_camera_is_as_long_as_it_has_to_be():
    true = tilted(PLACES)
    near = int(true.centres[:, 1].argmax())
    other = near + 1 if near % 2 == 0 else near - 1
    kept = np.delete(np.arange(len(true)), other)
    ups = true.ups.copy()
    ups[near] *= 0.8
    spoilt = Ends(true.centres + true.ups - ups, ups, true.rights, true.cards, true.scores, true.seen).take(
        kept
    )
    place = int(np.flatnonzero(kept == near)[0])
    assert heights(same_shape(spoilt))[place] == pytest.approx(heights(true)[near], rel=0.02)


def test_a_pair_that_is_too_long_says_nothing():
    cards = [card(60 * number, 200) for number in range(5)]
    longer = card(300, 240, length=260)
    told = same_shape(ends_of(*cards, longer))
    assert heights(told) == pytest.approx(np.full(12, 31.5), rel=0.02)


def test_the_horizon_never_lies_among_the_cards():
    rng = np.random.default_rng(2)
    ends = tilted(PLACES)
    wild = Ends(
        ends.centres,
        ends.ups,
        (ends.rights * rng.uniform(0.1, 10, (len(ends), 1))).astype(np.float32),
        ends.cards,
        ends.scores,
        ends.seen,
    )
    told = same_shape(wild)
    assert np.isfinite(told.centres).all()
    assert np.isfinite(told.cards).all()
    assert (heights(told) > 0).all()


@pytest.mark.parametrize(("tilt", "turn"), [(0.8, -0.4), (0.8, -0.6), (1.0, -0.4), (0.9, 0.6)])
def test_rows_seen_from_aside_are_rows_on_the_table(tilt, turn):
    places = [(x, y) for y in (-100, 100) for x in range(-250, 251, 50)]
    ends = tilted(places, tilt=tilt, turn=turn, distance=420.0)
    cards = find_cards(ends)

    def in_order(outlines):
        return [min(cards[place].ends) // 2 for place in group_cards(outlines)[0]]

    assert in_order(lie_flat(ends, cards)) == list(range(len(places)))
    in_the_photo = in_order([card.outline for card in cards])
    assert (in_the_photo == list(range(len(places)))) == (turn > 0)


def test_cards_of_which_none_is_seen_whole_lie_where_the_photo_shows_them():
    ends = tilted(PLACES).take(np.arange(0, 2 * len(PLACES), 2))
    cards = find_cards(ends)
    assert lie_flat(ends, cards) == [card.outline for card in cards]
    assert lie_flat(Ends.empty(), []) == []
