"""A hand between the photo and the count."""

import pytest

import scorer
from mobile_app.draft import Draft, from_cards, is_group, join, join_pictures, split_groups, terms
from tests.mobile_app import hands
from vision.types import Doubt

SELF = terms(winner=0, discarder=None, players=3, stake=5)


@pytest.fixture(scope="module")
def reading():
    return hands.reading()


@pytest.fixture
def draft(reading):
    return Draft(reading)


def names(draft):
    return [card.card for card in draft.shown(all_cards=False)]


def test_a_draft_shows_what_was_read(draft, reading):
    assert names(draft) == [card.card for card in reading.cards]
    assert draft.count == 26


def test_calling_an_unsure_card_makes_it_sure(draft):
    key = draft.unsure[0].key
    called = draft.call(key, draft.unsure[0].card)
    assert key not in [card.key for card in called.unsure]


def test_the_reading_stays_among_the_choices_of_a_corrected_card(draft):
    read = draft.card(0).card
    assert read in [name for name, _ in draft.call(0, "人").card(0).others]


def test_a_left_out_card_is_taken_back(draft):
    out = draft.leave_out([3])
    assert out.count == 25
    assert out.take_back([3]) == draft


def test_leaving_a_card_out_takes_its_laid_group_apart(draft):
    laid = draft.lay((19, 20, 21)).win_with(25)
    out = laid.leave_out([20, 25])
    assert (out.laid, out.win) == ((), None)


def test_an_added_card_can_be_called_anew_and_forgotten(draft):
    added = draft.add("子")
    key = added.shown()[-1].key
    assert names(added.call(key, "土"))[-1] == "土"
    assert added.leave_out([key]).count == draft.count


def test_two_added_cards_are_told_apart(draft):
    added = draft.add("子").add("子")
    assert len({card.key for card in added.shown()}) == 28


def test_a_card_cannot_lie_in_two_groups(draft):
    twice = draft.lay((0, 1, 2)).lay((2, 3, 4))
    assert [group.keys for group in twice.laid] == [(2, 3, 4)]


def test_a_laid_card_cannot_be_the_winning_one(draft):
    assert draft.lay((19, 20, 21)).win_with(20).win is None


def test_laying_the_winning_card_takes_that_answer_back(draft):
    assert draft.win_with(19).lay((19, 20, 21)).win is None


def test_a_quad_is_turned_into_a_declared_one(draft):
    group = draft.lay((19, 20, 21)).turn(0).laid[0]
    assert group.bracket == "square"


def test_what_lies_apart_is_guessed_as_laid_and_the_lonely_card_as_winning(draft):
    guess = draft.guess(110)
    assert [names(draft)[key] for group in guess.laid for key in group] == ["二"] * 3 + ["三"] * 3
    assert names(draft)[guess.win] == "土"
    agreed = draft.take_guess(guess)
    assert len(agreed.laid) == 2
    assert agreed.win == guess.win


def test_a_hand_is_counted_as_it_was_laid_out(draft):
    played = draft.take_guess(draft.guess(110)).play(scorer.load_book("jingzhou"), SELF, "zh-Hant")
    assert (played.score.wins, played.score.points) == (True, 18)
    assert not played.settlement.settled


def test_a_question_points_at_the_card_of_the_draft_even_after_one_was_left_out(draft):
    out = draft.take_guess(draft.guess(110)).add("子").leave_out([2])
    question = out.play(scorer.load_book("jingzhou"), SELF, "en").settlement.questions
    assert all(not out.card(out.key_of(each.index)).sure for each in question if each.index is not None)


def test_all_called_is_settled(draft):
    sure = draft.take_guess(draft.guess(110))
    for card in sure.shown():
        sure = sure.call(card.key, card.card)
    assert sure.play(scorer.load_book("jingzhou"), SELF, "zh-Hans").settlement.settled


def test_a_frame_round_several_groups_lays_each(draft):
    cards = [draft.card(key) for key in range(19, 25)]
    assert split_groups(110, cards) == ((19, 20, 21), (22, 23, 24))


def test_a_frame_round_cards_that_are_no_groups_lays_nothing(draft):
    assert split_groups(110, [draft.card(key) for key in (0, 1, 19)]) == ()


def test_entered_cards_are_laid_by_their_characters():
    cards = from_cards(["三", "五", "三", "五", "花三", "五", "五"]).shown()
    groups = split_groups(110, cards)
    assert sorted(map(len, groups)) == [3, 4]


def test_an_answered_doubt_asks_no_more(draft, reading):
    from dataclasses import replace

    doubtful = Draft(replace(reading, doubts=(Doubt((5.0, 5.0), "covered"), Doubt((9.0, 9.0), "cut off"))))
    assert [place for place, _ in doubtful.clear(0).doubts] == [1]
    assert doubtful.clear(0).doubt_of(0) == 1
    assert doubtful.add("三", doubt=1).count == 27


def test_a_picked_up_card_is_written_with_its_sign():
    draft = from_cards(["八", "九", "子"])
    key = draft.shown()[0].key
    assert draft.pick(key).corrections().added[0] == "撿八"
    assert draft.pick(key).hand().picked == ("八",)
    assert draft.pick(key).pick(key) == draft


def test_a_second_photo_lies_below_the_first(reading):
    one = hands.picture()
    both, above = join_pictures(one, one)
    joined = join(Draft(reading).call(0, "上"), reading, above)
    assert joined.count == 52
    assert joined.reading.size == both.size
    assert joined.card(26).mark[1] == pytest.approx(reading.cards[0].mark[1] + above)
    assert joined.card(26).group not in {card.group for card in reading.cards}


@pytest.mark.parametrize(
    ("kind", "cards", "good"),
    [
        (110, "三 三 花三", True),
        (110, "乙 二 三", True),
        (110, "上 大 人", True),
        (110, "上 大", False),
        (110, "上 大 孔", False),
        (110, "五 五 五 五 花五", True),
        (112, "賴 三 三", True),
        (96, "福 祿 壽", True),
        (96, "上 上 上 上 上", False),
        (96, "七 八 九", False),
    ],
)
def test_what_can_lie_on_the_table_as_one_group(kind, cards, good):
    assert is_group(kind, cards.split()) is good
