from dataclasses import fields, replace

import cv2
import numpy as np
import pytest

from tests.vision.synthetic import LENGTH, WIDTH, Lying, column, ends_map, row
from vision.calibration import shipped_calibration
from vision.crops import Pyramid
from vision.find import (
    ALONGSIDE,
    BARE,
    EQUALLY_SEEN,
    LONG_SIDE,
    MIDDLE,
    SAME_END,
    both_ways,
    closer_window,
    decode_map,
    disagreement,
    find_cards,
    find_ends,
    in_the_middle,
    lies_bare,
    one_end_each,
    pair_ends,
    reduce_photo,
    resize_area,
    uncovered,
    within,
)
from vision.pair import UNLIKELY, likely_pairs
from vision.types import Ends

SIZE = (960, 720)
FIELDS = [field.name for field in fields(Ends)]


def found(cards, **how):
    ends = one_end_each(decode_map(ends_map(cards, SIZE, **how), threshold=0.3))
    return ends.scaled(max(SIZE) / LONG_SIDE)


def printed(card):
    """Both ends of a card as if a finder had found them exactly."""
    rows = [(*end[:3], (card.x, card.y), 0.9, end[3]) for end in card.printed_ends()]
    return Ends(*(np.array(part, np.float32) for part in zip(*rows, strict=True)))


def joined(*some):
    return Ends(*(np.concatenate([getattr(ends, name) for ends in some]) for name in FIELDS))


def centres_of(cards):
    return np.array([(card.x, card.y) for card in cards])


def assert_same_cards(cards, ends, tolerance=4.0):
    outlines = [np.array(card.outline).mean(0) for card in find_cards(ends)]
    assert len(outlines) == len(cards)
    left = list(centres_of(cards))
    for outline in outlines:
        distances = [np.hypot(*(outline - centre)) for centre in left]
        assert min(distances) < tolerance
        left.pop(int(np.argmin(distances)))


@pytest.mark.parametrize("shape", [(720, 960), (1080, 1440), (1333, 1000), (641, 480)])
def test_a_photo_is_reduced_as_opencv_reduces_it_by_area(shape):
    image = np.random.default_rng(3).integers(0, 256, (*shape, 3), np.uint8)
    scale = LONG_SIDE / max(shape)
    height, width = round(shape[0] * scale), round(shape[1] * scale)
    expected = cv2.resize(image.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
    np.testing.assert_allclose(resize_area(image, height, width), expected, atol=0.6)


def test_a_small_photo_is_enlarged():
    image = np.full((240, 320, 3), 77, np.uint8)
    np.testing.assert_allclose(resize_area(image, 480, 640), 77)


def test_the_finder_s_input_is_padded_with_grey():
    feed, scale = reduce_photo(np.full((700, 1000, 3), 255, np.uint8))
    assert feed.shape == (1, 3, 448, 640)
    assert scale == 0.64
    np.testing.assert_allclose(feed, 1, atol=1e-6)
    feed, _ = reduce_photo(np.zeros((500, 1000, 3), np.uint8))
    assert feed.shape == (1, 3, 320, 640)
    feed, _ = reduce_photo(np.zeros((510, 1000, 3), np.uint8))
    assert (feed[:, :, :326] == 0).all()
    assert (feed[:, :, 326:] == 0.5).all()


def test_a_large_photo_is_reduced_by_way_of_the_halved_one_which_is_kept_for_crops():
    image = np.random.default_rng(0).integers(0, 256, (12, 16, 3), dtype=np.uint8)
    large = cv2.resize(image, (2000, 1500), interpolation=cv2.INTER_LINEAR)
    pyramid = Pyramid(large)
    feed, scale = reduce_photo(pyramid)
    assert scale == pytest.approx(640 / 2000)
    assert len(pyramid._levels) == 2
    np.testing.assert_allclose(feed[0].transpose(1, 2, 0) * 255, resize_area(large, 480, 640), atol=1.5)
    for shape in ((1, 4000), (4000, 1), (2, 4000), (1, 1)):
        feed, _ = reduce_photo(np.full((*shape, 3), 100, np.uint8))
        assert feed.min() == pytest.approx(100 / 255)


@pytest.mark.parametrize("turn", [0, 45, 90, 133, 180, 300])
def test_both_ends_of_a_card_are_one_card_at_any_angle(turn):
    card = Lying("三", 480, 360, turn)
    ends = found([card])
    assert len(ends) == 2
    (cards,) = find_cards(ends)
    assert len(cards.ends) == 2
    corners = np.array(cards.outline)
    expected = np.array(card.outline())
    either_way = min(np.abs(corners - expected).max(), np.abs(corners - np.roll(expected, 2, 0)).max())
    assert either_way < 3


def test_a_card_of_which_one_end_is_seen_has_its_whole_outline():
    card = Lying("三", 480, 360, 20, ends=(1.0, 0.0))
    ends = found([card])
    (cards,) = find_cards(ends)
    assert len(cards.ends) == 1
    assert np.abs(np.array(cards.outline) - card.outline()).max() < 3


def test_the_better_seen_end_comes_first():
    ends = found([Lying("三", 480, 360, ends=(0.5, 0.9))])
    (card,) = find_cards(ends)
    assert ends.seen[card.ends[0]] == pytest.approx(0.9, abs=0.01)


def test_ends_a_quarter_of_a_width_apart_are_two_cards():
    cards = [Lying("三", 400, 360, ends=(1, 0)), Lying("五", 400, 360 + WIDTH / 4, ends=(1, 0))]
    two = Ends(
        *(
            np.array([next(iter(card.printed_ends()))[part] for card in cards], np.float32)
            for part in (0, 1, 2)
        ),
        cards=centres_of(cards).astype(np.float32),
        scores=np.array([0.9, 0.8], np.float32),
        seen=np.array([0.2, 1], np.float32),
    )
    assert len(one_end_each(two)) == 2
    near = Ends(two.centres * 0 + two.centres[0], two.ups, two.rights, two.cards, two.scores, two.seen)
    assert one_end_each(near).scores.tolist() == [np.float32(0.9)]


def test_a_tight_stack_is_told_apart_in_the_map():
    cards = [Lying("三", 400 + place * 3, 200 + place * 0.5 * WIDTH, ends=(1, 0)) for place in range(5)]
    assert_same_cards(cards, found(cards))


def test_columns_side_by_side():
    cards = [
        card for place in range(5) for card in column(["三", "五", "七"], 150 + place * 1.05 * WIDTH, 200)
    ]
    ends = found(cards, noise=0.03)
    assert len(ends) == 20
    assert_same_cards(cards, ends, tolerance=0.2 * WIDTH)


@pytest.mark.parametrize("step", [1.1, 0.9, 0.6])
def test_neighbours_in_a_row_do_not_exchange_their_ends(step):
    cards = row("三五七九八子孔", 200, 360, step=step * WIDTH)
    ends = found(cards, noise=0.03)
    assert len(ends) == 14
    assert_same_cards(cards, ends, tolerance=0.12 * WIDTH)


def test_a_fan():
    cards = []
    for place in range(9):
        angle = np.deg2rad(-44 + 11 * place)
        x, y = 480 + 1.5 * LENGTH * np.sin(angle), 700 - 1.5 * LENGTH * np.cos(angle)
        cards.append(Lying("三", x, y, np.rad2deg(angle)))
    assert_same_cards(cards, found(cards, noise=0.02))


def test_two_rows_whose_ends_nearly_touch():
    cards = [*row("三五七", 300, 200), *row("九八子", 300, 200 + LENGTH + 3)]
    assert_same_cards(cards, found(cards, noise=0.02))


def test_the_closest_fit_gives_way_where_that_makes_two_whole_cards():
    centres = np.array([[0, 0], [20, 0], [0, 130], [20, 130]], np.float32)
    ups = np.array([[0, -35], [0, -35], [0, 35], [0, 35]], np.float32)
    rights = np.array([[25, 0], [25, 0], [-25, 0], [-25, 0]], np.float32)
    votes = np.array([[8, 65], [20, 65], [-4, 65], [9, 65]], np.float32)
    ends = Ends(centres, ups, rights, votes, np.ones(4, np.float32), np.ones(4, np.float32))
    cost = disagreement(ends)
    assert cost[0, 3] < cost[0, 2]
    assert sorted(tuple(sorted(card)) for card in pair_ends(ends)) == [(0, 2), (1, 3)]


def test_two_ends_that_point_the_same_way_are_two_cards():
    cards = [Lying("三", 400, 300, ends=(1, 0)), Lying("五", 400, 300 + 0.65 * LENGTH, ends=(1, 0))]
    assert len(find_cards(found(cards))) == 2


def test_nothing_is_found_in_an_empty_map():
    ends = decode_map(np.zeros((10, 30, 40), np.float32), threshold=0.3)
    assert len(ends) == 0
    assert find_cards(one_end_each(ends)) == []


def test_a_plateau_gives_one_end():
    level = np.zeros((10, 30, 40), np.float32)
    level[0, 10:12, 10:12] = 0.8
    level[5] = 12
    level[4] = -16
    assert len(decode_map(level, threshold=0.3)) == 1


def test_an_end_at_the_rim_of_the_map_is_found():
    card = Lying("三", 30, 100, ends=(1, 0))
    ends = found([card])
    assert len(ends) == 1


def test_the_vectors_are_in_pixels_of_the_photo():
    card = Lying("三", 480, 360)

    class Session:
        def run(self, feeds):
            return [ends_map([card], SIZE)[None]]

    ends = find_ends(np.zeros((720, 960, 3), np.uint8), Session(), threshold=0.3)
    centre, up, right, _ = next(card.printed_ends())
    place = int(np.argmin(ends.centres[:, 1]))
    np.testing.assert_allclose(ends.centres[place], centre, atol=0.5)
    np.testing.assert_allclose(ends.ups[place], up, atol=0.5)
    np.testing.assert_allclose(ends.rights[place], right, atol=0.5)
    np.testing.assert_allclose(ends.cards[place], [480, 360], atol=0.5)


def test_the_struct_checks_its_shapes():
    two, three = np.zeros((2, 2), np.float32), np.zeros(3, np.float32)
    with pytest.raises(ValueError, match="scores"):
        Ends(two, two, two, two, three, three)
    with pytest.raises(ValueError, match="ups"):
        Ends(two, two[:1], two, two, three[:2], three[:2])


def test_the_picture_in_the_middle_of_a_card_is_no_card():
    ends = printed(Lying("三", 300, 300))
    picture = Ends(
        np.array([[300, 290]], np.float32),
        np.array([[0, -36]], np.float32),
        np.array([[24, 0]], np.float32),
        np.array([[300, 350]], np.float32),
        np.array([0.7], np.float32),
        np.array([0.9], np.float32),
    )
    assert len(find_cards(joined(ends, picture))) == 1
    across = replace(picture, ups=np.array([[36, 0]], np.float32), rights=np.array([[0, 24]], np.float32))
    assert len(find_cards(joined(ends, across))) == 2, "a card may lie across another"
    covered = printed(Lying("三", 300, 300, ends=(1.0, 0.5)))
    assert len(find_cards(joined(covered, picture))) == 2, (
        "a card that lies along another covers an end of it"
    )


def vectors(*angles):
    """Embeddings whose likeness is the cosine between their angles in degrees."""
    turned = np.radians(angles)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def test_an_end_that_does_not_know_which_way_it_points_is_taken_both_ways():
    sound = printed(Lying("三", 300, 300, 10))
    far = printed(Lying("五", 900, 300, 80))
    unclear = Ends(
        np.array([[310, 260]], np.float32),
        np.array([[2, -5]], np.float32),
        np.array([[3, 1]], np.float32),
        np.array([[312, 262]], np.float32),
        np.array([0.5], np.float32),
        np.array([0.9], np.float32),
    )
    ends = both_ways(joined(far, sound, unclear))
    assert len(ends) == 6
    upper = int(np.argmin(sound.centres[:, 1]))
    for place, way in ((4, 1), (5, -1)):
        np.testing.assert_allclose(ends.centres[place], [310, 260])
        np.testing.assert_allclose(ends.ups[place], way * sound.ups[upper])
        np.testing.assert_allclose(ends.rights[place], way * sound.rights[upper])
        reach = sound.cards[upper] - sound.centres[upper]
        np.testing.assert_allclose(ends.cards[place], np.float32([310, 260]) + way * reach)
        assert (ends.scores[place], ends.seen[place]) == (np.float32(0.5), np.float32(0.9))
    assert len(both_ways(joined(sound, far))) == 4, "all know it"
    assert len(both_ways(Ends.empty())) == 0
    faint = replace(unclear, scores=np.array([0.1], np.float32))
    assert len(both_ways(faint)) == 1, "nothing tells how long an end is"


def test_small_cards_in_a_part_of_a_photo_are_looked_at_closer():
    ends = joined(printed(Lying("三", 1000, 900)), printed(Lying("五", 1300, 900)))
    rows, columns = closer_window(ends, (3000, 4000))
    assert rows.start < 900 - LENGTH / 2 < 900 + LENGTH / 2 < rows.stop
    assert columns.start < 1000 - WIDTH < 1300 + WIDTH < columns.stop
    assert closer_window(ends, (1200, 1500)) is None, "large enough"
    far = joined(ends, printed(Lying("五", 3900, 900)))
    assert closer_window(far, (3000, 4000)) is None, "they lie all over the photo"
    assert closer_window(replace(ends, scores=ends.scores * 0.2), (3000, 4000)) is None, "nothing clear"
    assert closer_window(Ends.empty(), (3000, 4000)) is None
    corner = closer_window(printed(Lying("三", 20, 40)), (3000, 4000))
    assert (corner[0].start, corner[1].start) == (0, 0), "no farther than the photo reaches"


def likely(ends, vectors):
    return likely_pairs(ends, vectors, shipped_calibration().pairs)


def test_ends_that_look_unlike_are_likely_of_two_cards():
    ends = printed(Lying("三", 300, 300))
    alike, unlike = (likely(ends, vectors(0, angle))[0, 1] for angle in (20, 100))
    assert alike > 2
    assert unlike < alike - 1


def test_what_is_likely_joins_the_ends():
    ends = joined(printed(Lying("三", 300, 300)), printed(Lying("五", 420, 300)))
    logits = np.full((4, 4), UNLIKELY, np.float32)
    logits[0, 1] = logits[1, 0] = 2.0
    logits[2, 3] = logits[3, 2] = -0.1
    logits[0, 3] = logits[3, 0] = -1.0
    cards = {tuple(sorted(card.ends)): card for card in find_cards(ends, logits)}
    assert set(cards) == {(0, 1), (2,), (3,)}
    assert (cards[0, 1].pair, cards[0, 1].rival) == pytest.approx((2.0, -1.0))
    assert (cards[2,].pair, cards[2,].rival) == pytest.approx((UNLIKELY, -0.1))
    assert [cards[which].rival_end for which in ((0, 1), (2,), (3,))] == [3, 3, 2]
    alone = find_cards(printed(Lying("三", 300, 300)), np.full((2, 2), UNLIKELY, np.float32))
    assert [card.rival_end for card in alone] == [None, None]


@pytest.mark.parametrize(
    ("size", "to"), [((97, 130), (31, 40)), ((60, 41), (60, 17)), ((40, 60), (13, 90)), ((1, 9), (1, 2))]
)
def test_each_pixel_of_a_reduced_photo_is_the_mean_of_its_area(size, to):
    image = np.random.default_rng(4).integers(0, 256, (*size, 3), np.uint8)
    expected = image.astype(float)
    for axis in (0, 1):
        step = size[axis] / to[axis]
        if step < 1:
            places = np.clip((np.arange(to[axis]) + 0.5) * step - 0.5, 0, size[axis] - 1)
            weights = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(size[axis])))
        else:
            edges = np.arange(to[axis])[:, None] * step
            pixels = np.arange(size[axis])
            covered = np.minimum(edges + step, pixels + 1) - np.maximum(edges, pixels)
            weights = np.clip(covered, 0, 1) / step
        expected = np.moveaxis(np.tensordot(weights, expected, (1, axis)), 0, axis)
    np.testing.assert_allclose(resize_area(image, *to), expected, atol=1e-3)


def strewn(rng, count):
    """Ends that lie anywhere, some of them on each other."""
    angle = rng.uniform(0, 2 * np.pi, count)
    up, right = np.stack([np.sin(angle), -np.cos(angle)], 1), np.stack([np.cos(angle), np.sin(angle)], 1)
    centres = rng.uniform(0, 400, (count, 2))
    parts = (centres, up * 30, right * rng.uniform(15, 25, (count, 1)), centres - up * 60)
    return Ends(
        *(part.astype(np.float32) for part in parts),
        np.sort(rng.uniform(0, 1, count))[::-1].astype(np.float32),
        rng.choice([0.5, 0.88, 0.95, 1.0], count).astype(np.float32),
    )


@pytest.mark.parametrize("seed", range(5))
def test_of_ends_on_each_other_the_likeliest_stays(seed):
    ends = strewn(np.random.default_rng(seed), 150)
    half = np.hypot(*ends.rights.T)
    kept = []
    for place, centre in enumerate(ends.centres):
        if all(
            np.hypot(*(centre - ends.centres[other])) >= SAME_END * min(half[other], half[place])
            for other in kept
        ):
            kept.append(place)
    assert 0 < len(kept) < 150
    np.testing.assert_array_equal(one_end_each(ends).centres, ends.centres[kept])


@pytest.mark.parametrize("seed", range(5))
def test_what_lies_in_the_middle_of_any_card_is_told(seed):
    rng = np.random.default_rng(seed)
    ends, looked = strewn(rng, 40), strewn(rng, 60)
    cards = [(place, place + 1) for place in range(0, 30, 2)] + [(place,) for place in range(30, 40)]
    expected = []
    for centre, up in zip(looked.centres, looked.ups, strict=True):
        inside = False
        for first, second in cards[:15]:
            way = ends.centres[first] - ends.centres[second]
            length = np.hypot(*way)
            way = way / length
            offset = centre - (ends.centres[first] + ends.centres[second]) / 2
            inside |= bool(
                min(ends.seen[first], ends.seen[second]) >= BARE
                and abs(offset @ way) < MIDDLE * length
                and abs(way[0] * offset[1] - way[1] * offset[0]) < MIDDLE * 2 * np.hypot(*ends.rights[first])
                and abs(up @ way) / np.hypot(*up) > ALONGSIDE
            )
        expected.append(inside)
    assert any(expected)
    np.testing.assert_array_equal(in_the_middle(looked.centres, looked.ups, ends, cards), expected)


@pytest.mark.parametrize("seed", range(5))
def test_the_first_end_of_a_card_is_the_better_seen_then_the_clearer_then_the_upper(seed):
    rng = np.random.default_rng(seed)
    cards = [Lying("三", *rng.uniform(100, 500, 2), rng.uniform(0, 360)) for _ in range(12)]
    ends = joined(*(printed(card) for card in cards))
    ends = replace(ends, seen=rng.choice([0.7, 0.95, 1.0], len(ends)).astype(np.float32))
    pairs = pair_ends(ends)
    alone = [card[0] for card in pairs if len(card) == 1]
    reasons = set()
    for first, second in (card for card in pairs if len(card) == 2):
        more = ends.seen[first] - ends.seen[second]
        if abs(more) > EQUALLY_SEEN:
            reasons.add("seen")
            assert more > 0
            continue
        others = [ends.centres[end] for end in range(len(ends)) if end not in (first, second)]
        others += [2 * ends.cards[end] - ends.centres[end] for end in alone]
        width = 2 * np.hypot(*ends.rights[first])
        clear = [
            min(1, np.hypot(*(np.array(others) - ends.centres[end]).T).min() / width)
            for end in (first, second)
        ]
        if abs(clear[0] - clear[1]) > 0.1:
            reasons.add("clear")
            assert clear[0] > clear[1]
        else:
            reasons.add("upper")
            assert ends.centres[first, 1] <= ends.centres[second, 1]
    assert len(reasons) > 1


def test_how_far_inside_a_card_a_point_lies():
    corners = ((75, 64), (125, 64), (125, 266), (75, 266))
    points = np.array([(100, 165), (125, 165), (100, 266), (112.5, 165), (150, 165)], np.float32)
    assert within(points, [corners, corners])[:, 1] == pytest.approx([0, 1, 1, 0.5, 2], abs=1e-5)
    assert within(points, []).shape == (5, 0)


def test_only_what_lies_outside_bare_cards_can_be_seen_of_an_end():
    cards = [Lying("三", 200, 300), Lying("三", 200 + WIDTH / 2, 300)]
    ends = joined(*(printed(card) for card in cards))
    bare, covered = find_cards(ends)
    assert lies_bare(bare, ends)
    assert not lies_bare(bare, replace(ends, seen=ends.seen * 0.8))
    every = np.arange(len(ends))
    assert uncovered(every, [covered], ends) == pytest.approx([0.5, 0.5, 1, 1], abs=0.11), "not its own ends"
    assert uncovered(every, [bare], ends) == pytest.approx([1, 1, 0.5, 0.5], abs=0.11)
    stranger = replace(bare, ends=(2, 3))
    assert uncovered(every[:2], [stranger], ends) == pytest.approx([0, 0], abs=0.11)
    assert uncovered(every, [], ends) == pytest.approx(np.ones(4))
    assert covered.outline != bare.outline
