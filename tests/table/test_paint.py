"""The slip as a picture and as a PDF."""

import re

import cv2
import numpy as np
import pytest

from table.paint import measure, paint, pdf, save
from table.slip import WIDTH, Box, Loop, Picture, SlipContent, SlipGroup, Text, lay_out
from table.words import TableError


def content(**changes):
    said = {
        "title": "荊州花牌",
        "result": "33 和 · 4 坡",
        "notes": ("主精 五", "胡 花三，自摸"),
        "groups": (
            SlipGroup(
                "句",
                ("化", "花三", "千"),
                2,
                "花三計 2",
                outlines=(((10, 10), (30, 10), (30, 90), (10, 90)),),
            ),
            SlipGroup("開招", ("可", "可", "可", "可"), 4, "桌面四張紅牌計 4", exposed=True),
            SlipGroup("坎", ("花五", "花五", "賴>花五"), 18, "兩花一賴，主精加倍"),
        ),
        "payments": (("座 1 → 座 0", "80"), ("座 2 → 座 0", "80")),
        "options": ("三人",),
        "code": "17K2Q-F8WXZ-ABCDE-00912-MMMMM-3K",
        "date": "2026-11-30",
    }
    return SlipContent(**(said | changes))


def texts(slip):
    return [operation.text for operation in slip.operations if isinstance(operation, Text)]


def test_the_slip_says_all_that_the_others_need_to_check():
    said = texts(lay_out(content()))
    for text in ("荊州花牌", "33 和 · 4 坡", "座 1 → 座 0", "80", "開招", "2026-11-30", "MMMMM-3K", "三人"):
        assert text in said


def test_nothing_on_the_slip_is_smaller_than_a_phone_can_show():
    sizes = [operation.size for operation in lay_out(content()).operations if isinstance(operation, Text)]
    assert min(sizes) >= 24


def test_nothing_runs_over_the_edge_however_long_the_words_are():
    long = content(
        title="A rule with a very long name that a table of engineers gave it, with all that they agreed on",
        result="12345 points, 2345 steps, and many words more to say about it",
        notes=("很長的一句話，" * 12,),
        payments=(("a player with a very long name pays another player with a long name", "1234567890"),),
    )
    for operation in lay_out(long, measure).operations:
        if isinstance(operation, Text):
            wide = measure(operation.text, operation.size)
            left = operation.x - {"left": 0, "middle": wide / 2, "right": wide}[operation.anchor]
            assert left >= 0
            assert left + wide <= WIDTH


def test_a_long_name_is_broken_and_not_made_too_small_to_read():
    long = content(
        payments=(("Bob → a player whose name is long and longer than most names are", "5925925872"),)
    )
    texts_of_names = [
        operation
        for operation in lay_out(long, measure).operations
        if isinstance(operation, Text) and ("Bob" in operation.text or "longer" in operation.text)
    ]
    assert len(texts_of_names) == 2
    assert min(operation.size for operation in texts_of_names) >= 34
    assert texts_of_names[0].y < texts_of_names[1].y


def test_cards_that_make_no_groups_stand_in_rows():
    cards = tuple("上大人孔乙己化三千七十土八九子二四五六上大人孔乙己化")
    slip = lay_out(content(groups=(), cards=cards), measure)
    shown = [
        operation for operation in slip.operations if isinstance(operation, Text) and operation.text in cards
    ]
    assert "".join(operation.text for operation in shown) == "".join(cards)
    assert len({operation.y for operation in shown}) == 2
    assert all(operation.x < WIDTH - 48 for operation in shown)


def test_cards_in_no_group_are_outlined_on_the_photo_too():
    outline = ((10, 10), (30, 10), (30, 90), (10, 90))
    slip = lay_out(content(groups=(), photo=(100, 100), loose=(outline, outline)))
    assert sum(isinstance(operation, Loop) for operation in slip.operations) == 2


def test_what_was_guessed_stands_above_the_points():
    slip = lay_out(content(guessed="照擺法猜定：桌面 (三三花三)"))
    said = [operation for operation in slip.operations if isinstance(operation, Text)]
    guess = next(operation for operation in said if "猜定" in operation.text)
    points = next(operation for operation in said if operation.text == "33 和 · 4 坡")
    assert guess.y < points.y


def test_the_outlines_of_a_group_lie_on_the_photo_in_its_colour():
    slip = lay_out(content(photo=(100, 100)))
    (picture,) = [operation for operation in slip.operations if isinstance(operation, Picture)]
    (loop,) = [operation for operation in slip.operations if isinstance(operation, Loop)]
    for x, y in loop.corners:
        assert picture.x <= x <= picture.x + picture.width
        assert picture.y <= y <= picture.y + picture.height


def test_without_the_photo_there_is_none():
    assert not any(isinstance(operation, Picture | Loop) for operation in lay_out(content()).operations)


def test_every_operation_lies_on_the_page():
    slip = lay_out(content(unsettled="未定：第 4 張要問"))
    boxes = [operation for operation in slip.operations if isinstance(operation, Box)]
    assert all(box.x >= 0 and box.x + box.width <= slip.width for box in boxes)
    assert all(box.y >= 0 and box.y + box.height <= slip.height for box in boxes)


def test_the_painted_slip_has_ink():
    page = paint(lay_out(content(), measure))
    assert page.shape[1:] == (WIDTH, 3)
    assert page.min() < 60


def test_the_photo_is_painted_into_the_slip():
    green = np.full((100, 100, 3), (0, 200, 0), np.uint8)
    page = paint(lay_out(content(photo=(100, 100)), measure), green)
    assert (page == (0, 200, 0)).all(2).sum() > 1000


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_a_picture_can_be_read_again(tmp_path, ending):
    slip = lay_out(content(), measure)
    save(slip, tmp_path / f"slip{ending}")
    again = cv2.imread(str(tmp_path / f"slip{ending}"))
    assert again.shape == (slip.height, slip.width, 3)


def test_every_object_of_the_pdf_stands_where_its_table_says(tmp_path):
    save(lay_out(content(), measure), tmp_path / "slip.pdf")
    file = (tmp_path / "slip.pdf").read_bytes()
    assert file.startswith(b"%PDF-1.4")
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF", file)[1])
    assert file[start:].startswith(b"xref")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", file), 1):
        assert file[int(place) :].startswith(b"%d 0 obj" % number)


def test_the_picture_in_the_pdf_is_the_page():
    page = np.full((60, 40, 3), (200, 30, 30), np.uint8)
    file = pdf(page)
    begin = file.index(b"\xff\xd8")
    again = cv2.imdecode(
        np.frombuffer(file[begin : file.rindex(b"\xff\xd9") + 2], np.uint8), cv2.IMREAD_COLOR_RGB
    )
    assert np.abs(again.astype(int) - page).max() < 12


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(TableError, match=r"slip\.docx"):
        save(lay_out(content()), tmp_path / "slip.docx")


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(TableError, match="cannot write"):
        save(lay_out(content()), tmp_path / "none" / "slip.png")
