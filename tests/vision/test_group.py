import numpy as np
import pytest

from tests.vision.synthetic import LENGTH, WIDTH, Lying, column, row
from vision.group import (
    COLUMN_ASIDE,
    COLUMN_STEP,
    FAN_ASIDE,
    ROW_GAP,
    ROW_SHIFT,
    SAME_DIRECTION,
    SHORT_STEP,
    group_cards,
)


def grouped(cards, turn=0.0):
    """Names of the groups in reading order, after the whole table was turned."""
    angle = np.deg2rad(turn)
    turning = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    outlines = [
        tuple(tuple((turning @ np.array(corner)).tolist()) for corner in card.outline()) for card in cards
    ]
    order, numbers = group_cards(outlines)
    result = [""] * (max(numbers, default=-1) + 1)
    for place, number in zip(order, numbers, strict=True):
        result[number] += cards[place].name[-1]
    return result


def shuffled(cards, seed=0):
    return [cards[place] for place in np.random.default_rng(seed).permutation(len(cards))]


def test_no_cards():
    assert group_cards([]) == ([], [])


def test_one_card():
    assert grouped([Lying("三", 100, 100)]) == ["三"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("turn", [0, 12, -25, 40])
def test_columns_are_read_from_left_to_right_and_from_top_to_bottom(seed, turn):
    cards = [*column("上大人", 100, 200), *column("孔乙己", 155, 200), *column("化三千", 210, 205)]
    assert grouped(shuffled(cards, seed), turn) == ["上大人", "孔乙己", "化三千"]


def test_columns_of_different_lengths():
    cards = [*column("上上上上", 100, 200), *column("孔乙", 155, 200), *column("三", 215, 200)]
    assert grouped(shuffled(cards)) == ["上上上上", "孔乙", "三"]


@pytest.mark.parametrize("lean", [-14, -8, 8, 14])
def test_columns_that_lean(lean):
    cards = []
    for start, names in ((200, "上大人大"), (262, "孔乙己乙"), (324, "化三千三")):
        cards += [
            Lying(name, start + lean * place, 200 + 40 * place, ends=(1, 0))
            for place, name in enumerate(names)
        ]
    assert grouped(shuffled(cards)) == ["上大人大", "孔乙己乙", "化三千三"]


@pytest.mark.parametrize("step", [0.4, 0.8, 1.0, 1.3, 1.6])
@pytest.mark.parametrize("turn", [0, 15, -30])
def test_a_row_is_one_group_whether_its_cards_overlap_or_not(step, turn):
    assert grouped(shuffled(row("七十土八九子", 100, 200, step=step * WIDTH)), turn) == ["七十土八九子"]


def test_two_rows():
    cards = [*row("七十土", 100, 200), *row("八九子", 90, 200 + 1.1 * LENGTH)]
    assert grouped(shuffled(cards)) == ["七十土", "八九子"]


def test_a_row_that_runs_aslant():
    cards = [Lying(name, 100 + 60 * place, 300 - 25 * place) for place, name in enumerate("七十土八九子")]
    cards += [
        Lying(name, 100 + 60 * place, 300 + 1.15 * LENGTH - 25 * place)
        for place, name in enumerate("上大人可知禮")
    ]
    assert grouped(shuffled(cards)) == ["七十土八九子", "上大人可知禮"]


def test_a_fan_is_one_group():
    cards = []
    for place, name in enumerate("七十土八九子上大人"):
        angle = np.deg2rad(-48 + 12 * place)
        reach = 1.4 * LENGTH
        cards.append(Lying(name, 500 + reach * np.sin(angle), 700 - reach * np.cos(angle), np.rad2deg(angle)))
    assert grouped(shuffled(cards)) == ["七十土八九子上大人"]


def test_the_winning_card_lies_apart():
    cards = [*column("上大人", 100, 200), *column("孔乙己", 155, 200), Lying("三", 300, 240)]
    assert grouped(shuffled(cards)) == ["上大人", "孔乙己", "三"]


def test_laid_groups_lie_in_a_line_of_their_own():
    cards = [*column("三三三", 120, 150), *column("可可可可", 180, 150)]
    cards += [*column("上大人", 100, 600), *column("孔乙己", 155, 600), *column("七八九", 210, 610)]
    assert grouped(shuffled(cards)) == ["三三三", "可可可可", "上大人", "孔乙己", "七八九"]


def test_a_card_that_lies_upside_down_belongs_to_its_column():
    first, second, third = column("上大人", 100, 200)
    over = Lying("大", second.x, second.y, 180)
    assert grouped([third, over, first]) == ["上大人"]


def test_cards_far_apart_are_groups_of_their_own():
    cards = [Lying("三", 100, 200), Lying("五", 400, 210), Lying("七", 100, 600), Lying("九", 420, 620)]
    assert grouped(shuffled(cards)) == ["三", "五", "七", "九"]


HAND = [
    *column("三三三", 120, 150),
    *column("可可可可", 180, 150),
    *column("上大人", 100, 620),
    *column("孔乙己", 155, 620),
    *column("七八九", 210, 630),
    Lying("子", 420, 640, 12),
]
GROUPS = ["三三三", "可可可可", "上大人", "孔乙己", "七八九", "子"]


@pytest.mark.parametrize("turn", range(-180, 180, 15))
def test_a_hand_has_the_same_groups_whichever_way_the_photo_is_turned(turn):
    found = grouped(shuffled(HAND), turn)
    assert found in (GROUPS, [group[::-1] for group in GROUPS[::-1]])


@pytest.mark.parametrize("side", [90, -90])
def test_a_photo_on_its_side_has_one_order_however_it_was_held(side):
    orders = {tuple(grouped(HAND, side + lean)) for lean in (-7, -3, 0, 3, 7)}
    assert len(orders) == 1


def test_a_photo_upside_down_is_read_in_reverse():
    assert grouped(HAND, 180) == [group[::-1] for group in GROUPS[::-1]]


def test_cards_that_lie_upside_down_are_grouped_as_any():
    turned = [
        Lying(card.name, card.x, card.y, card.turn + 180 * (place % 2)) for place, card in enumerate(HAND)
    ]
    assert grouped(shuffled(turned)) == GROUPS


@pytest.mark.parametrize("seed", range(8))
def test_a_fan_whose_cards_lie_unevenly_is_one_group(seed):
    rng = np.random.default_rng(seed)
    names = "七十土八九子上大人可知禮"
    cards = []
    for place, name in enumerate(names):
        angle = np.deg2rad(-33 + 6 * place + rng.normal(0, 1))
        reach = 1.8 * LENGTH + rng.normal(0, 0.08 * WIDTH)
        cards.append(Lying(name, 500 + reach * np.sin(angle), 900 - reach * np.cos(angle), np.rad2deg(angle)))
    assert [sorted(group) for group in grouped(shuffled(cards, seed))] == [sorted(names)]


def test_a_squeezed_pile_beside_another_is_a_group_of_its_own():
    cards = [
        *column("上大人孔", 100, 200, step=0.05 * LENGTH),
        *column("七十土", 170, 200, step=0.05 * LENGTH),
    ]
    assert grouped(shuffled(cards)) == ["上大人孔", "七十土"]


def test_columns_of_laid_groups_beside_the_hand_are_apart_from_it():
    cards = [*column("三三三", 100, 200), *column("上大人", 420, 190), *column("孔乙己", 478, 200)]
    assert grouped(shuffled(cards)) == ["三三三", "上大人", "孔乙己"]


def test_groups_in_perspective_are_those_of_the_table():
    squeezed = []
    for card in HAND:
        corners = []
        for x, y in card.outline():
            depth = 1 + (900 - y) / 1500
            corners.append((500 + (x - 500) / depth, 900 - (900 - y) / depth))
        squeezed.append(tuple(corners))
    order, numbers = group_cards(squeezed)
    found = [""] * (max(numbers) + 1)
    for place, number in zip(order, numbers, strict=True):
        found[number] += HAND[place].name
    assert found == GROUPS


def frame(card):
    """Centre, direction to the upper half, length and width of a card."""
    a, b, c, d = (np.array(corner) for corner in card.outline())
    axis, across = (a + b - c - d) / 2, (b + c - a - d) / 2
    length = np.hypot(*axis)
    return (a + b + c + d) / 4, axis / length * (-1 if axis[1] > 0 else 1), length, np.hypot(*across)


def two_by_two(cards):
    """The groups of upright cards, each pair compared by itself."""
    frames = [frame(card) for card in cards]
    everyone = range(len(cards))

    def compare(one, other):
        (centre, up, length, width), (centre2, up2, length2, width2) = frames[one], frames[other]
        common = (up + up2) / np.hypot(*(up + up2))
        x, y = centre2 - centre
        alike = one != other and up @ up2 >= SAME_DIRECTION
        turn = abs(up[0] * up2[1] - up[1] * up2[0])
        aside, down = -x * common[1] + y * common[0], -x * common[0] - y * common[1]
        return alike, aside, down, (length + length2) / 2, (width + width2) / 2, turn

    def next_to(one, sign):
        steps = []
        for other in everyone:
            alike, aside, down, length, width, _ = compare(one, other)
            down *= sign
            near = 0 < down < COLUMN_STEP * length and abs(aside) < COLUMN_ASIDE * width
            if alike and near and down > 1.1 * abs(aside):
                steps.append((np.hypot(aside, down), other))
        return min(steps, default=(0, None))[1]

    def of_a_fan(one, other):
        _, _, down, length, _, _ = compare(one, other)
        if down >= SHORT_STEP * length:
            return False
        for card in (one, other):
            for third in everyone:
                alike, aside, down, _, width, _ = compare(card, third)
                if third not in (one, other) and alike and abs(down) < abs(aside) < FAN_ASIDE * width:
                    return True
        return False

    links = []
    for one in everyone:
        other = next_to(one, 1)
        if other is not None and next_to(other, -1) == one and not of_a_fan(one, other):
            links.append((one, other))
    stacked = {card for link in links for card in link}
    for one in everyone:
        for other in everyone:
            alike, aside, down, length, width, turn = compare(one, other)
            beside = abs(aside) < (1 + ROW_GAP) * width + turn * length / 2 and abs(down) < ROW_SHIFT * length
            if one not in stacked and other not in stacked and alike and beside:
                links.append((one, other))
    groups = [{card} for card in everyone]
    for one, other in links:
        both = groups[one] | groups[other]
        for card in both:
            groups[card] = both
    return {frozenset(group) for group in groups}


@pytest.mark.parametrize("seed", range(12))
def test_compared_all_at_once_the_groups_are_those_of_each_pair_compared(seed):
    rng = np.random.default_rng(seed)
    steps = rng.uniform((0.8 * WIDTH, 0.1 * LENGTH), (2.2 * WIDTH, 0.6 * LENGTH))
    places = rng.integers(0, (6, 7), (22, 2)) * steps + rng.normal(0, 3, (22, 2))
    cards = [Lying("三", *place, rng.normal(0, 6) + 180 * rng.integers(0, 2)) for place in places]
    order, numbers = group_cards([card.outline() for card in cards])
    found = [set() for _ in range(max(numbers) + 1)]
    for place, number in zip(order, numbers, strict=True):
        found[number].add(place)
    assert {frozenset(group) for group in found} == two_by_two(cards)
