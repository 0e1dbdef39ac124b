"""What lies apart in a photo is proposed as laid, what lies alone as the winning card."""

from table.cards import TableCard
from table.guess import Guess, guess_table

WIDE, LONG = 20.0, 90.0


def column(left, top, *names):
    """Cards of one column, each covering the lower part of the one above."""
    return [
        TableCard(
            name,
            place=0,
            outline=((left, y), (left + WIDE, y), (left + WIDE, y + LONG), (left, y + LONG)),
            group=0,
        )
        for number, name in enumerate(names)
        for y in [top + 22 * number]
    ]


def hand_of_columns():
    return [
        *column(0, 300, "上", "大", "人"),
        *column(28, 300, "三", "四", "花五"),
        *column(56, 300, "可", "可"),
    ]


def no_sentence(names):
    return False


def test_groups_that_lie_apart_are_proposed_as_laid():
    cards = [*column(0, 0, "孔", "孔", "孔", "孔"), *column(28, 0, "花三", "三", "三"), *hand_of_columns()]
    assert guess_table(cards, no_sentence) == Guess(laid=((0, 1, 2, 3), (4, 5, 6)))


def test_the_card_that_lies_alone_is_proposed_as_the_winning_one():
    cards = [*hand_of_columns(), *column(140, 300, "花七")]
    assert guess_table(cards, no_sentence) == Guess(win=8)


def test_two_cards_that_lie_alone_say_nothing():
    cards = [*hand_of_columns(), *column(140, 300, "花七"), *column(200, 300, "八")]
    assert guess_table(cards, no_sentence).win is None


def test_a_hand_in_one_heap_says_nothing():
    assert not guess_table(hand_of_columns(), no_sentence)


def test_a_wild_may_stand_in_a_laid_group():
    cards = [*column(0, 0, "花三", "賴", "三"), *hand_of_columns()]
    assert guess_table(cards, no_sentence).laid == ((0, 1, 2),)


def test_a_picked_up_sentence_lies_on_the_table():
    cards = [*column(0, 0, "七", "十", "土"), *hand_of_columns()]
    assert guess_table(cards, lambda names: set(names) == set("七十土")).laid == ((0, 1, 2),)


def test_a_heap_that_is_no_group_is_not_proposed():
    cards = [*column(0, 0, "七", "八", "土"), *hand_of_columns()]
    assert not guess_table(cards, no_sentence)


def test_more_cards_on_the_table_than_in_hand_are_still_told_apart_by_the_eye():
    laid = [column(28 * place, 0, *name * 4) for place, name in enumerate("孔知九禮")]
    cards = [card for cards in laid for card in cards] + hand_of_columns()
    assert guess_table(cards, no_sentence).laid == (
        (0, 1, 2, 3),
        (4, 5, 6, 7),
        (8, 9, 10, 11),
        (12, 13, 14, 15),
    )


def test_added_cards_lie_nowhere():
    assert guess_table([TableCard("上", None), TableCard("大", None)], no_sentence) == Guess()
