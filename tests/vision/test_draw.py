import cv2
import numpy as np
import pytest

from tests.vision.synthetic import Lying
from vision.draw import (
    DOUBT,
    SURE,
    UNSURE,
    _best_place,
    _Ground,
    _plates,
    draw_reading,
    save_overlay,
)
from vision.read import Picture
from vision.types import Card, Doubt, Reading

PHOTO = np.full((600, 800, 3), 128, np.uint8)


def card(name="花三", *, sure=True, x=400, y=300):
    lying = Lying(name, x, y)
    mark = tuple(next(iter(lying.printed_ends()))[0].tolist())
    return Card(name, lying.outline(), mark, 0.99, sure)


def reading(*cards, doubts=()):
    return Reading((800, 600), "kai", cards, doubts)


def count(image, colour):
    return int((np.abs(image.astype(int) - colour).max(2) < 30).sum())


def test_nothing_read_leaves_the_photo_as_it_is():
    np.testing.assert_array_equal(draw_reading(PHOTO, reading()), PHOTO)


def test_the_photo_itself_is_not_painted_on():
    before = PHOTO.copy()
    draw_reading(PHOTO, reading(card()))
    np.testing.assert_array_equal(PHOTO, before)


def test_sure_and_unsure_differ_in_colour_and_in_shape():
    sure, unsure = draw_reading(PHOTO, reading(card())), draw_reading(PHOTO, reading(card(sure=False)))
    assert count(sure, SURE) > 500
    assert count(sure, UNSURE) == 0
    assert count(unsure, UNSURE) > 300
    assert count(unsure, SURE) == 0
    edge = slice(210, 390)
    column = 400 - 24
    sure_line = (np.abs(sure[edge, column].astype(int) - SURE).max(1) < 40).mean()
    unsure_line = (np.abs(unsure[edge, column].astype(int) - UNSURE).max(1) < 40).mean()
    assert sure_line > 0.8
    assert 0.2 < unsure_line < 0.8


def test_a_doubt_is_a_cross():
    painted = draw_reading(PHOTO, reading(doubts=(Doubt((200, 100), "covered"),)))
    assert count(painted[80:120, 180:220], DOUBT) > 40
    assert count(painted[300:, 400:], DOUBT) == 0


def test_names_are_written_in_chinese_without_a_font_file():
    plates = [draw_reading(PHOTO, reading(card(name)))[150:450, 340:460] for name in ("三", "禮", "花三")]
    assert not np.array_equal(plates[0], plates[1])
    assert not np.array_equal(plates[0], plates[2])


def column(*names, left=370):
    """Cards of a column, each lying on the lower part of the one before; and three strokes on each."""
    cards, prints = [], []
    for row, name in enumerate(names):
        top = 60 + 62 * row
        outline = ((left, top), (left + 60, top), (left + 60, top + 280), (left, top + 280))
        cards.append(Card(name, outline, (left + 30, top + 40), 0.99, True))
        prints += [
            (slice(top + 10 + down, top + 18 + down), slice(left + 8, left + 52)) for down in (0, 15, 30)
        ]
    return cards, prints


def columns(*names, step):
    """Three equal columns side by side, so far from one another."""
    cards, prints = [], []
    for place in range(3):
        more, strokes = column(*names, left=300 + step * place)
        cards += more
        prints += strokes
    return cards, prints


def photo_of(cards, prints):
    photo = np.full((600, 800, 3), 90, np.uint8)
    for row, card in enumerate(cards):
        (left, top), _, (right, bottom), _ = card.outline
        photo[top:bottom, left:right] = 225
        for stroke in prints[3 * row : 3 * row + 3]:
            photo[stroke] = 30
    return photo


def test_no_name_covers_what_is_printed_on_a_card_of_a_column():
    cards, prints = column("三", "花五", "六", "七", "八")
    painted = draw_reading(photo_of(cards, prints), reading(*cards))
    left = [(np.abs(painted[stroke].astype(int) - 30).max(2) < 30).mean() for stroke in prints]
    assert min(np.array(left).reshape(-1, 3).mean(1)) > 0.8


def test_between_columns_no_name_lies_on_the_printed_end_of_another_card():
    """Where there is no room beside a card, a line leads from a free place to it."""
    cards, prints = columns("三", "花五", "六", step=66)
    painted = draw_reading(photo_of(cards, prints), reading(*cards))
    left = [(np.abs(painted[stroke].astype(int) - 30).max(2) < 30).mean() for stroke in prints]
    assert min(left) > 0.8


def test_a_name_far_from_its_card_has_a_line_to_it():
    cards, prints = columns("三", "五", "六", step=62)
    photo = photo_of(cards, prints)
    ground = _Ground.of(photo, cards, 1.0)
    around = [(302 + 62 * each, 70 + 62 * row, 56, 50) for each in (0, 1, 2) for row in range(3)]
    around += [(240, 20, 60, 400), (486, 20, 60, 400), (300, 180, 186, 160)]
    lain = _best_place(ground, 4, _plates(cv2.FontFace("uni"), "4", cards[4], 60.0), (), around)
    assert lain.line is not None
    (x, y), _ = lain.line
    assert 360 <= x <= 426
    assert 100 <= y <= 200
    (left, top), (wide, high) = lain.corner, lain.plate.extent
    covered = [
        max(0, min(left + wide, right + box) - max(left, right))
        * max(0, min(top + high, y + deep) - max(top, y))
        for right, y, box, deep in around
    ]
    assert sum(covered) == 0


def test_every_card_and_every_doubt_has_its_number():
    cards, prints = column("三", "四")
    photo, doubt = photo_of(cards, prints), Doubt((100, 100), "covered")
    one = draw_reading(photo, reading(*cards, doubts=(doubt,)))
    same = draw_reading(photo, reading(*cards, doubts=(doubt,)), places=(0, 1), doubts=(0,))
    np.testing.assert_array_equal(one, same)
    other_card = draw_reading(photo, reading(*cards, doubts=(doubt,)), places=(0, 7))
    other_doubt = draw_reading(photo, reading(*cards, doubts=(doubt,)), doubts=(3,))
    assert (one != other_card).any(axis=(0, 2)).nonzero()[0].min() > 300
    assert (one != other_doubt).any(axis=(0, 2)).nonzero()[0].max() < 150


def test_a_photo_decoded_smaller_is_painted_in_its_own_pixels():
    small = Picture(PHOTO, (1600, 1200))
    large = Reading((1600, 1200), "kai", (card(x=800, y=600),))
    painted = draw_reading(small, large)
    assert painted.shape == PHOTO.shape
    assert count(painted[200:400, 330:470], SURE) > 50


def test_a_large_photo_gives_a_smaller_overlay():
    large = np.full((2400, 3200, 3), 128, np.uint8)
    assert draw_reading(large, Reading((3200, 2400), "kai")).shape == (1200, 1600, 3)


def test_a_card_at_the_rim_is_painted_as_far_as_it_is_there():
    assert draw_reading(PHOTO, reading(card(x=5, y=5), card(x=799, y=599, sure=False))).shape == PHOTO.shape


@pytest.mark.parametrize("name", ["out.png", "out.jpg", "out.webp", "out"])
def test_the_overlay_is_saved_as_its_name_says(tmp_path, name):
    save_overlay(tmp_path / name, PHOTO, reading(card()))
    assert cv2.imread(str(tmp_path / name)).shape == PHOTO.shape


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        save_overlay(tmp_path / "none" / "out.png", PHOTO, reading())
