import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.synthetic import Lying
from vision.assign import assign
from vision.calibration import FEATURES, Calibration
from vision.decide import believe, decide, limit_copies
from vision.faces import COPIES
from vision.name import similarities, weigh
from vision.trees import NONE
from vision.types import Ends, FoundCard

LABELS = ("三", "花三", "五", "花五", "七", "上")
CALIBRATION = Calibration()


def photo(similarity, *, seen=None, pairs=()):
    """Ends with these similarities to the labels; ``pairs`` joins two of them to one card."""
    similarity = np.array(similarity, np.float32)
    count = len(similarity)
    seen = np.ones(count, np.float32) if seen is None else np.array(seen, np.float32)
    centres = np.array([[100 * place, 50] for place in range(count)], np.float32).reshape(count, 2)
    up, right = np.tile(np.float32([0, -36]), (count, 1)), np.tile(np.float32([24, 0]), (count, 1))
    ends = Ends(centres, up, right, centres + np.float32([0, 65]), np.full(count, 0.9, np.float32), seen)
    joined = {end for pair in pairs for end in pair}
    outline = Lying("三", 0, 0).outline()
    cards = [FoundCard(tuple(pair), outline, pair=6.0) for pair in pairs]
    cards += [FoundCard((end,), outline) for end in range(count) if end not in joined]
    return similarity, ends, cards


def weighed(
    cards,
    similarity,
    ends,
    labels=LABELS,
    *,
    temperature=0.1,
    alike=None,
    clarity=(0, 0.8, 0, 0),
    paper=None,
):
    """Evidence of a deck whose faces are nothing alike, unless it is said."""
    return weigh(
        cards,
        similarity,
        ends.seen,
        labels,
        temperature=temperature,
        alike=np.eye(len(labels), dtype=np.float32) if alike is None else alike,
        clarity=np.tile(np.float32(clarity), (len(cards), 1)),
        paper=np.zeros((len(cards), 3), np.float32) if paper is None else np.float32(paper),
    )


def decided(similarity, *, labels=LABELS, copies=COPIES[110], **how):
    similarity, ends, cards = photo(similarity, **how)
    evidence = weighed(cards, similarity, ends, labels, temperature=CALIBRATION.temperature)
    return decide(evidence, cards, ends, copies, CALIBRATION, scale=1.0)


def looks(label, similarity=0.95, others=0.2, **more):
    return [more.get(name, similarity if name == label else others) for name in LABELS]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(0, 2), st.integers(0, 10_000))
def test_the_assignment_is_the_cheapest_of_all(count, spare, seed):
    cost = np.random.default_rng(seed).integers(0, 9, (count, count + spare)).astype(float)
    chosen = assign(cost)
    assert len(set(chosen.tolist())) == count
    rows = range(count)
    best = min(
        sum(cost[r, c] for r, c in zip(rows, order, strict=True))
        for order in itertools.permutations(range(count + spare), count)
    )
    assert cost[np.arange(count), chosen].sum() == best


def test_more_cards_than_places_cannot_be_assigned():
    with pytest.raises(ValueError, match="at most as many rows"):
        assign(np.zeros((3, 2)))


def test_no_cards_need_no_names():
    assert decided(np.empty((0, len(LABELS)))).names == ()


def test_a_card_is_called_what_it_looks_like_most():
    decision = decided([looks("三"), looks("上"), looks("花五")])
    assert decision.names == ("三", "上", "花五")
    assert decision.sure == (True, True, True)


def test_of_six_upper_cards_one_is_something_else():
    cards = [looks("上") for _ in range(5)] + [looks("上", 0.8, 七=0.75)]
    decision = decided(cards)
    assert decision.names == ("上",) * 5 + ("七",)


def test_a_card_whose_name_the_limit_changed_is_never_sure():
    decision = decided([looks("上") for _ in range(5)] + [looks("上", 0.8, 七=0.75)])
    assert not decision.sure[5]
    assert decision.confidence[5] <= 0.5
    assert decision.others[5][0][0] == "上"


def test_where_one_of_too_many_was_clear_none_of_them_is_sure():
    decision = decided([looks("花三", 三=0.5) for _ in range(3)] + [looks("七")])
    assert sorted(decision.names[:3]) == ["三", "花三", "花三"]
    assert decision.sure == (False, False, False, True)


def test_the_deck_has_two_flower_copies_and_three_plain_ones():
    cards = [looks("花三", 0.95 - place / 100, 三=0.9) for place in range(5)]
    assert decided(cards).names == ("花三", "花三", "三", "三", "三")


def test_more_cards_than_the_deck_has_keep_their_own_names():
    decision = decided([looks("上")] * 7, labels=LABELS, copies={"上": 5, "七": 1})
    assert decision.names.count("上") == 6
    assert decision.names.count("七") == 1


def test_both_ends_of_a_card_vote():
    unclear = looks("三", 0.8, 五=0.82)
    clear = looks("三", 0.95)
    assert decided([unclear]).names == ("五",)
    assert decided([unclear, clear], pairs=[(1, 0)]).names == ("三",)


def test_a_covered_end_counts_less():
    misleading, clear = looks("五", 0.9, 三=0.3), looks("三", 0.8, 五=0.5)
    assert decided([clear, misleading], pairs=[(0, 1)], seen=[1, 0.3]).names == ("三",)
    assert decided([clear, misleading], pairs=[(0, 1)], seen=[1, 1]).names == ("五",)


def test_ends_that_contradict_each_other_make_a_card_less_sure():
    agreeing = decided([looks("三"), looks("三")], pairs=[(0, 1)])
    contrary = decided([looks("三"), looks("五", 0.9)], pairs=[(0, 1)])
    assert contrary.confidence[0] < agreeing.confidence[0]


def test_a_card_of_ends_that_may_be_those_of_two_is_never_sure():
    """Of two cards that are taken for one the other is lost, and nothing else would say so."""
    facts = np.tile(decided([looks("三"), looks("三")], pairs=[(0, 1)]).features, (4, 1))
    sure_of_all = replace(CALIBRATION, weights=(20.0,) + (0.0,) * (len(FEATURES) - 1), trees=NONE)
    pair, both = FEATURES.index("pair"), FEATURES.index("both_ends")
    facts[:, pair] = np.float32([4.0, 1.0, -1.0, 1.0]) / 8
    facts[3, both] = 0
    chance = [1 / (1 + np.exp(-logit)) for logit in (20, 1, -1, 20)]
    np.testing.assert_allclose(believe(facts, sure_of_all), chance, atol=1e-4)


def test_of_a_deck_that_lacks_a_face_only_what_is_clearly_like_another_is_sure():
    cards = [looks("三", 0.95, 0.0), looks("七", 0.8, 0.0)]
    whole = {label: COPIES[110][label] for label in LABELS}
    assert decided(cards, copies=whole).sure == (True, True)
    assert decided(cards, copies=whole | {"六": 5}).sure == (True, False)


def test_a_flower_that_may_not_be_there_makes_a_card_less_sure():
    clear, doubtful = decided([looks("花三", 三=0.3)]), decided([looks("花三", 三=0.94)])
    assert clear.sure == (True,)
    assert doubtful.sure == (False,)
    assert doubtful.others[0][0][0] == "三"


def test_confidence_and_the_others_add_up_to_one():
    decision = decided([looks("三", 0.7, 五=0.6)])
    total = decision.confidence[0] + sum(share for _, share in decision.others[0])
    assert total == pytest.approx(1, abs=1e-3)


def test_every_feature_has_its_weight():
    assert decided([looks("三")]).features.shape == (1, len(FEATURES))
    assert len(CALIBRATION.weights) == len(FEATURES)


def facts_of(decision, row=0):
    return dict(zip(FEATURES, decision.features[row], strict=True))


def test_a_margin_is_compared_with_how_far_the_faces_of_the_deck_lie_apart():
    similarity, ends, cards = photo([looks("三", 0.9, 0.1, 花三=0.87, 五=0.5)])
    alike = np.eye(len(LABELS), dtype=np.float32)
    alike[0, 1] = alike[1, 0] = 0.96
    alike[0, 2] = alike[2, 0] = 0.5
    evidence = weighed(cards, similarity, ends, alike=alike)
    facts = facts_of(decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0))
    assert facts["twin_gap"] == pytest.approx(0.4 / 12, abs=1e-3)
    assert facts["twin_share"] == pytest.approx(0.3 / 0.4, abs=1e-3)
    assert facts["face_gap"] == pytest.approx(5 / 12, abs=1e-3)
    assert facts["face_share"] == pytest.approx(4 / 5, abs=1e-3)
    (alone,) = decided([looks("七")]).features
    named = dict(zip(FEATURES, alone, strict=True))
    assert (named["twin_gap"], named["twin_share"]) == (0, 1), "七 has no flower copy in these labels"


def test_an_end_that_lies_on_a_likelier_one_is_known_by_it():
    similarity, ends, cards = photo([looks("三"), looks("五"), looks("七")])
    assert [
        facts_of(decided([looks("三")] * 2))[name] for name in ("overlap", "outdone", "outdone_alike")
    ] == [
        0,
        -1,
        0,
    ]
    ends.centres[1] = ends.centres[0] + np.float32([24, 18])
    ends.scores[:2] = 0.6, 0.8
    evidence = weighed(cards, similarity, ends)
    decision = decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0)
    lower, upper = facts_of(decision, 0), facts_of(decision, 1)
    assert lower["overlap"] == upper["overlap"] == pytest.approx(0.5 * 0.75)
    assert (lower["outdone"], upper["outdone"]) == (pytest.approx(0.2), pytest.approx(-0.2))
    assert (lower["outdone_alike"], upper["outdone_alike"]) == (pytest.approx(0.5 * 0.75), 0)
    ends.ups[1] = -ends.ups[1]
    turned = facts_of(decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0))
    assert turned["outdone_alike"] == 0


def test_within_the_limits_everyone_keeps_the_likeliest_name():
    logits = np.random.default_rng(1).normal(size=(4, len(LABELS))).astype(np.float32)
    np.testing.assert_array_equal(limit_copies(logits, LABELS, dict.fromkeys(LABELS, 5)), logits.argmax(1))


def test_a_face_counts_by_its_nearest_example():
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    result = similarities(np.array([[0, 1]], np.float32), vectors, np.array([0, 1, 0]), 3)
    np.testing.assert_allclose(result, [[0.8, 1, -1]])


def test_how_near_namesakes_lie_is_known():
    """Both ends of one card that were taken for two cards face each other and have one name."""
    similarity, ends, cards = photo([looks("三"), looks("三"), looks("五"), looks("七")])
    ends.centres[:] = [(100, 50), (100, 180), (196, 50), (600, 50)]
    ends.ups[1] = -ends.ups[1]
    middles = [(100, 115), (110, 115), (196, 115), (600, 115)]
    cards = [
        FoundCard((place,), Lying("三", *middle).outline())
        for place, middle in zip(range(4), middles, strict=True)
    ]
    evidence = weighed(cards, similarity, ends)
    decision = decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0)
    names = (
        "namesake_facing",
        "namesake_along",
        "namesake_end",
        "namesake_alone",
        "facing_card",
        "next_card",
    )
    first, second, third, last = ([facts_of(decision, row)[name] * 4 for name in names] for row in range(4))
    width = 48
    assert first == pytest.approx([10 / width, 6, 130 / width, 10 / width, 10 / width, 10 / width], abs=1e-4)
    assert second == pytest.approx(first, abs=1e-4)
    assert third == pytest.approx([6, 6, 6, 6, 86 / width, 86 / width], abs=1e-4)
    assert last == [6] * 6
    ends.ups[1] = -ends.ups[1]
    along = facts_of(decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0))
    assert along["namesake_facing"] == along["namesake_alone"] == along["facing_card"] == 1.5
    assert along["namesake_along"] * 4 == pytest.approx(10 / width, abs=1e-4)


def test_an_end_of_another_name_that_may_be_of_a_card_is_told_from_one_of_its_own():
    similarity, ends, cards = photo([looks("三"), looks("三"), looks("七")])
    unlike = []
    for end in (None, 1, 2):
        first = [replace(cards[0], rival=-1.0, rival_end=end), *cards[1:]]
        evidence = weighed(first, similarity, ends)
        made = decide(evidence, first, ends, COPIES[110], CALIBRATION, scale=1.0)
        unlike.append(float(made.features[0, FEATURES.index("rival_unlike")]))
    assert unlike == pytest.approx([1, 0, 7.5 / 12])


def test_of_an_end_that_was_registered_it_is_known_what_it_gained_and_of_each_how_clear_it_is():
    similarity, ends, cards = photo([looks("三"), looks("五"), looks("七")], pairs=[(0, 2)])
    ends.gained[2] = 0.25
    evidence = weighed(cards, similarity, ends, clarity=(-0.5, 0.7, 0.1, 0.9))
    decision = decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0)
    pair, alone = facts_of(decision, 0), facts_of(decision, 1)
    assert (pair["gained"], alone["gained"]) == (0.25, 0), "either end of a card may have been moved"
    clear = [pair[name] for name in ("contrast", "sharpness", "grain", "colour", "photo_colour")]
    assert clear == pytest.approx([-0.5, 0.7, 0.1, 0.9, 0.9])


def test_a_card_on_another_paper_than_the_others_is_known_to_be():
    names = ("三", "五", "七", "九")
    similarity, ends, cards = photo([looks(name) for name in names], seen=[1, 1, 0.8, 0.3])
    papers = [(0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (-0.5, 0.0, 0.5)]
    evidence = weighed(cards, similarity, ends, paper=papers)
    decision = decide(evidence, cards, ends, COPIES[110], CALIBRATION, scale=1.0)
    lighter, tinted = FEATURES.index("paper_lighter"), FEATURES.index("paper_tinted")
    assert decision.features[:, lighter] == pytest.approx([0, 0, 0, -0.5])
    assert decision.features[:, tinted] == pytest.approx([0, 0, 0, np.hypot(0.5, 0.5)])
