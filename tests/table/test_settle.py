"""Whether unsure cards matter, and which to ask for."""

import math
import random
from collections import Counter
from itertools import product

import pytest

from table.settle import OTHERWISE, Outcome, Sure, Unsure, _likeliest_first, settle, spread
from tests.clock import LOOK_S, work_of

ROOM = dict.fromkeys("上大人三四五", 5)
LOSES = Outcome(wins=False, points=None, steps=0, payments=())
NO_HAND = Outcome(wins=False, points=None, steps=0, payments=(), finished=False)


def wins(points, steps):
    return Outcome(wins=True, points=points, steps=steps, payments=((1, steps, 0), (2, steps, 0)))


def unsure(index, **names):
    return Unsure(tuple(sorted(names.items(), key=lambda item: -item[1])), index=index)


def test_a_round_without_unsure_cards_is_settled():
    settled = settle((), ROOM, lambda names: wins(22, 2))
    assert settled.settled
    assert settled.readings == 1
    assert settled.left_out == 0
    assert settled.questions == ()


def test_nobody_is_asked_where_every_reading_pays_the_same():
    settled = settle([unsure(4, 上=0.6, 大=0.4)], ROOM, lambda names: wins(18 if names == ("上",) else 19, 1))
    assert settled.settled
    assert settled.points_range == (18, 19)
    assert settled.questions == ()


def test_the_card_that_changes_the_payment_is_asked_with_what_each_answer_pays():
    settled = settle(
        [unsure(4, 三=0.7, 四=0.3)], ROOM, lambda names: wins(22, 2) if names == ("三",) else LOSES
    )
    assert not settled.settled
    (question,) = settled.questions
    assert question.to_json() == {
        "index": 4,
        "answers": [
            {
                "card": "三",
                "p": 0.7,
                "points": 22,
                "steps": 2,
                "payments": [{"seat": 1, "pays": 2, "to": 0}, {"seat": 2, "pays": 2, "to": 0}],
                "wins": True,
                "decides": True,
            },
            {
                "card": "四",
                "p": 0.3,
                "points": None,
                "steps": 0,
                "payments": [],
                "wins": False,
                "decides": True,
            },
        ],
    }
    assert settled.wins == pytest.approx(0.7)


def test_of_two_unsure_cards_only_the_one_that_matters_is_asked():
    settled = settle(
        [unsure(0, 上=0.5, 大=0.5), unsure(9, 三=0.9, 四=0.1)],
        ROOM,
        lambda names: wins(22, 2 if names[1] == "三" else 1),
    )
    assert [question.index for question in settled.questions] == [9]


def test_where_only_two_cards_together_decide_both_are_asked():
    settled = settle(
        [unsure(0, 上=0.5, 大=0.5), unsure(1, 三=0.5, 四=0.5), unsure(2, 五=0.9, 四=0.1)],
        ROOM,
        lambda names: wins(22, 1 + (names[0] == "上") + 2 * (names[1] == "三")),
    )
    assert {question.index for question in settled.questions} == {0, 1}
    assert not any(answer.decides for question in settled.questions for answer in question.answers)


def test_a_reading_that_the_deck_does_not_allow_is_none():
    settled = settle([unsure(0, 三=0.8, 四=0.2)], ROOM | {"三": 0}, lambda names: wins(20, 1))
    assert settled.names == ("四",)
    assert settled.readings == 1
    assert settled.settled


def test_the_last_copy_goes_to_the_card_that_it_fits_better():
    settled = settle(
        [unsure(0, 三=0.6, 四=0.4), unsure(1, 三=0.9, 四=0.1)], ROOM | {"三": 1}, lambda names: wins(20, 1)
    )
    assert settled.names == ("四", "三")


def test_readings_of_less_than_a_tenth_of_a_percent_ask_nobody_and_are_owned_up_to():
    settled = settle(
        [unsure(0, 三=0.9996, 四=0.0004)], ROOM, lambda names: wins(20, 1) if names == ("三",) else LOSES
    )
    assert settled.settled
    assert settled.left_out == pytest.approx(0.0004)


def test_too_much_left_out_is_never_called_settled(clock):
    def slowly(_):
        clock.go_on(0.01)
        return wins(20, 1)

    slow = settle(
        [unsure(index, 三=0.5, 四=0.3, 五=0.2) for index in range(9)],
        dict.fromkeys("三四五", 99),
        slowly,
        seconds=0.05,
    )
    assert not slow.settled
    assert slow.readings == 5
    assert slow.left_out > 0.001
    assert slow.questions


def within(looks, cards, room, outcome):
    """Settle in the time of so many looks at the clock, with work for each of them that has an end."""
    settled = []
    work = work_of(lambda: settled.append(settle(cards, room, outcome, seconds=looks * LOOK_S)))
    assert work < 300 * looks
    return settled[0]


def test_many_unsure_cards_stay_within_their_time():
    settled = within(
        1000,
        [unsure(index, 三=0.4, 四=0.3, 五=0.2, 上=0.1) for index in range(20)],
        dict.fromkeys("三四五上", 99),
        lambda names: wins(20, 1 + names.count("三") % 2),
    )
    assert not settled.settled
    assert settled.questions


def test_what_the_reader_leaves_open_goes_to_the_other_cards():
    names = spread([("三", 0.7), ("四", 0.2)], dict.fromkeys("三四五上", 5))
    assert dict(names) == pytest.approx({"三": 0.7, "四": 0.2, "五": 0.05, "上": 0.05})


def test_a_rest_of_rounding_is_no_other_card():
    assert dict(spread([("三", 0.7), ("四", 0.29995)], dict.fromkeys("三四五", 5))).keys() == {"三", "四"}


@pytest.mark.parametrize("seed", range(40))
def test_settled_means_what_scoring_every_reading_says(seed):
    """Against the obvious second way: all readings, one by one."""
    rng = random.Random(seed)
    faces = "三四五上"
    cards = []
    for index in range(rng.randint(1, 4)):
        names = rng.sample(faces, rng.randint(2, 4))
        shares = [rng.random() + 0.05 for _ in names]
        cards.append(
            unsure(index, **{name: share / sum(shares) for name, share in zip(names, shares, strict=True)})
        )
    room = {face: rng.randint(0, 3) for face in faces}
    matters = rng.choice(["nothing", "flower", "sum"])

    def outcome(names):
        if matters == "nothing":
            return wins(17, 1)
        return wins(20, 1 + (names[0] == "三" if matters == "flower" else names.count("三") // 2))

    every = [
        names
        for names in product(*([name for name, _ in card.names] for card in cards))
        if all(count <= room[name] for name, count in Counter(names).items())
    ]
    settled = settle(cards, room, outcome, seconds=60)
    if not every:
        assert not settled.settled
        return
    chance = Counter()
    for names in every:
        chance[outcome(names).paid] += math.prod(
            dict(card.names)[name] for card, name in zip(cards, names, strict=True)
        )
    assert settled.readings <= len(every)
    if settled.settled:
        assert max(chance.values()) / chance.total() > 0.999
        return
    assert len(chance) > 1
    asked = [question.index for question in settled.questions]
    answers = {}
    for names in every:
        answers.setdefault(tuple(names[index] for index in asked), set()).add(outcome(names).paid)
    assert settled.readings < len(every) or all(len(paid) == 1 for paid in answers.values())


@pytest.mark.parametrize("seed", range(20))
def test_readings_come_likeliest_first_and_each_once(seed):
    rng = random.Random(seed)
    cards = []
    for index in range(rng.randint(0, 4)):
        some = [rng.choice([0.1, 0.2, 0.5, rng.random() + 0.01]) for _ in range(rng.randint(1, 4))]
        ranked = enumerate(sorted(some, reverse=True))
        cards.append(Unsure(tuple((f"{index}{rank}", share) for rank, share in ranked), index=index))
    given = list(_likeliest_first(cards))
    weights = [weight for _, weight in given]
    assert weights == pytest.approx(sorted(weights, reverse=True))
    every = {
        tuple(name for name, _ in names): math.prod(share for _, share in names)
        for names in product(*(card.names for card in cards))
    }
    likeliest = math.prod(card.names[0][1] for card in cards)
    assert len(given) == len(every)
    assert {names: weight * likeliest for names, weight in given} == pytest.approx(every)


def test_a_heap_of_places_that_nobody_can_read_stays_within_its_time():
    everything = [(f"card {number}", 1 / 27) for number in range(27)]
    cards = [Unsure(tuple(everything), doubt=place) for place in range(250)]
    settled = within(1000, cards, {name: 5 for name, _ in everything}, lambda names: LOSES)
    assert not settled.settled
    assert settled.left_out > 0.99


def test_a_photo_without_any_allowed_reading_stays_within_its_time():
    everything = [(f"card {number}", 1 / 27) for number in range(27)]
    cards = [Unsure(tuple(everything), doubt=place) for place in range(100)]
    assert not within(1000, cards, {}, lambda names: LOSES).settled


def sure_cards(outcome, **names):
    """Sure cards, each `name=what else it may be` with its probability."""
    cards = tuple(
        Unsure(((name, 1 - sum(others.values())), *others.items()), index=index)
        for index, (name, others) in enumerate(names.items())
    )
    return lambda _finished: Sure(cards, lambda _, read: outcome(read))


def test_a_sure_card_that_hardly_can_be_another_is_not_asked_for():
    sure = sure_cards(lambda read: wins(22, 1 + (read[0] != "三")), 三={"花三": 0.004})
    settled = settle((), ROOM, lambda _: wins(21, 1), sure=sure)
    assert settled.settled
    assert settled.otherwise == pytest.approx(0.004)


def test_sure_cards_that_together_may_well_pay_otherwise_are_asked_for():
    """Six cards, each of which changes the payment with half a percent: three percent together."""
    names = {f"三{number}": {f"花三{number}": 0.005} for number in range(6)}
    sure = sure_cards(lambda read: wins(22, 1 + any("花" in name for name in read)), **names)
    settled = settle((), ROOM, lambda _: wins(21, 1), sure=sure)
    assert not settled.settled
    assert settled.otherwise == pytest.approx(1 - 0.995**6, abs=1e-4)
    assert len(settled.questions) == 4  # of the other two less than a percent is left
    answers = settled.questions[0].answers
    assert [(answer.card[0], answer.outcome.steps) for answer in answers] == [("三", 1), ("花", 2)]


def test_sure_cards_that_change_no_payment_do_not_matter():
    sure = sure_cards(lambda read: wins(23, 1), 三={"花三": 0.1})
    assert settle((), ROOM, lambda _: wins(21, 1), sure=sure).settled


def test_another_name_that_makes_no_hand_is_taken_for_a_hand_hardly_ever():
    """Somebody declared it: two percent of a misreading that leaves no hand are next to nothing."""
    sure = sure_cards(lambda read: NO_HAND, 三={"四": 0.02})
    settled = settle((), ROOM, lambda _: wins(21, 1), sure=sure)
    assert settled.settled
    assert settled.otherwise < OTHERWISE / 10


def test_where_the_reading_is_no_hand_a_small_doubt_of_a_sure_card_is_asked():
    sure = sure_cards(lambda read: wins(21, 1) if read[0] == "四" else NO_HAND, 三={"四": 0.001})
    settled = settle((), ROOM, lambda _: NO_HAND, sure=sure)
    assert not settled.settled
    assert [question.index for question in settled.questions] == [0]


def test_what_is_no_hand_is_not_settled_by_unsure_cards_that_change_nothing():
    settled = settle([unsure(4, 上=0.9, 大=0.1), unsure(7, 人=0.6, 大=0.4)], ROOM, lambda _: NO_HAND)
    assert not settled.settled
    assert [question.index for question in settled.questions] == [7, 4]


def test_too_few_points_are_settled_where_no_reading_has_enough():
    assert settle([unsure(4, 上=0.9, 大=0.1)], ROOM, lambda _: LOSES).settled


@pytest.mark.parametrize("missing", [1, -1, 3])
def test_a_wrong_number_of_cards_is_never_settled(missing):
    off = Outcome(wins=False, points=None, steps=0, payments=(), finished=False, missing=missing)
    settled = settle((), ROOM, lambda _: off, sure=sure_cards(lambda read: off, 三={"花三": 0.001}))
    assert not settled.settled
    assert settled.missing == missing
    assert settled.questions == ()


def test_where_cards_are_missing_only_the_places_that_could_not_be_read_are_asked():
    off = Outcome(wins=False, points=None, steps=0, payments=(), finished=False, missing=1)
    hidden = Unsure(((None, 0.4), ("上", 0.3), ("大", 0.3)), doubt=0)
    settled = settle([unsure(4, 上=0.9, 大=0.1), hidden], ROOM, lambda _: off)
    assert [(question.index, question.doubt) for question in settled.questions] == [(None, 0)]


def test_many_sure_cards_with_much_left_open_are_not_settled_unseen():
    names = {f"三{number}": {f"花三{number}": 0.02} for number in range(30)}
    sure = sure_cards(lambda read: wins(21, 1), **names)
    harmless = [unsure(30, 上=0.9, 大=0.1)]
    settled = settle(harmless, ROOM, lambda _: wins(21, 1), seconds=0, sure=sure)
    assert not settled.settled
    assert settled.otherwise is None or settled.otherwise > OTHERWISE
    said = [[answer.card for answer in question.answers] for question in settled.questions]
    assert said == [["上", "大"]], "however slow the machine, what is asked has two answers"
    settled = settle((), ROOM, lambda _: wins(21, 1), seconds=0, sure=sure)
    assert settled.settled, "where every card is sure, a slow machine asks nothing"
    assert settled.questions == ()
    assert settled.otherwise > OTHERWISE, "but says what it did not weigh"


def test_what_a_slow_machine_asks_of_a_sure_card_has_two_answers():
    names = {f"三{number}": {f"花三{number}": 0.02} for number in range(30)}
    sure = sure_cards(lambda read: wins(21, 1), **names)
    known = [unsure(30, 上=1 - 1e-6, 大=1e-6)]
    settled = settle(known, ROOM, lambda _: wins(21, 1), seconds=0, sure=sure)
    assert not settled.settled
    assert [[answer.card for answer in question.answers] for question in settled.questions] == [
        ["三0", "花三0"]
    ]


def test_a_little_that_was_not_weighed_does_not_ask_for_a_card_that_changes_nothing():
    names = {f"三{number}": {f"花三{number}": 0.0001} for number in range(30)}
    sure = sure_cards(lambda read: wins(21, 1), **names)
    settled = settle((), ROOM, lambda _: wins(21, 1), seconds=0, sure=sure)
    assert settled.settled
    assert 0.001 < settled.otherwise < OTHERWISE
    assert settled.left_out == 0


@pytest.mark.parametrize("seed", range(30))
def test_what_sure_cards_may_change_is_what_scoring_every_variation_says(seed):
    """Against the obvious second way: every name of every sure card, each hand by itself."""
    rng = random.Random(seed)
    cards = {
        f"{face}{number}": {f"花{face}{number}": rng.random() * 0.01, f"土{number}": rng.random() * 0.004}
        for number, face in enumerate(rng.choices("三五七", k=rng.randint(1, 4)))
    }
    step = rng.randint(1, 3)

    def outcome(read):
        if any("土" in name for name in read):
            return NO_HAND
        flowers = sum("花" in name for name in read)
        return wins(20 + flowers, 1 + flowers // step)

    chance = Counter()
    names = [{name: 1 - sum(others.values()), **others} for name, others in cards.items()]
    for read in product(*names):
        weight = math.prod(some[name] for some, name in zip(names, read, strict=True))
        result = outcome(read)
        chance[result.paid] += weight * (1 if result.finished else 0.02)
    base = outcome(tuple(cards))
    settled = settle((), ROOM, lambda _: base, seconds=60, sure=sure_cards(outcome, **cards))
    expected = 1 - chance[base.paid] / chance.total()
    assert settled.otherwise == pytest.approx(expected, abs=0.0002)
    assert settled.left_out <= 0.0001
    assert settled.settled == (settled.otherwise < OTHERWISE)


@pytest.mark.parametrize(
    ("names", "twin", "share"),
    [
        ([("三", 0.9)], "花三", 0.05 + 0.05 / 3),
        ([("三", 0.9), ("四", 0.1)], "花三", 0.05),
        ([("三", 0.9), ("花三", 0.08), ("四", 0.02)], "花三", 0.08),
        ([("花五", 0.8), ("四", 0.2)], "五", 0.1),
    ],
)
def test_half_of_what_a_name_leaves_open_is_its_twin(names, twin, share):
    given = dict(spread(names, dict.fromkeys(("三", "花三", "五", "花五", "四"), 5)))
    assert given[twin] == pytest.approx(share, abs=0.02)
    assert given[names[0][0]] == pytest.approx(names[0][1])
    assert sum(given.values()) == pytest.approx(1)


def test_a_card_that_is_likeliest_none_is_one_too_many_and_asked_for():
    whole = wins(21, 1)
    off = Outcome(wins=False, points=None, steps=0, payments=(), finished=False, missing=-1)
    card = Unsure(((None, 0.6), ("三", 0.4)), index=3)
    settled = settle([card], ROOM, lambda names: whole if names == (None,) else off)
    assert (settled.missing, settled.settled) == (-1, False)
    assert [question.index for question in settled.questions] == [3]


def test_a_card_taken_for_none_leaves_none_missing():
    """The deck has no third 三: without the card one is missing, so the card has to be asked for."""
    lacks = Outcome(wins=False, points=None, steps=0, payments=(), finished=False, missing=1)
    card = Unsure((("三", 0.6), (None, 0.3), ("四", 0.1)), index=3)
    settled = settle([card], ROOM | {"三": 0}, lambda names: lacks if names == (None,) else NO_HAND)
    assert settled.names == (None,)
    assert settled.missing == 0
    assert [question.index for question in settled.questions] == [3]
