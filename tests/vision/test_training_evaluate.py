import csv
import json
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.synthetic import (
    WIDTH,
    Lying,
    MapFinder,
    PixelNamer,
    column,
    ends_map,
    paint,
    row,
)
from vision.calibration import Calibration
from vision.faces import COPIES
from vision.read import Reader
from vision.training.evaluate import (
    Label,
    Photo,
    judge,
    label_ends,
    load_folder,
    match,
    measure,
    table,
)
from vision.types import Card, Doubt, Reading

SIZE = (1000, 600)


def label(name, x, *, seen=1.0, other=1.0):
    lying = Lying(name, x, 300)
    end = next(iter(lying.printed_ends()))[0]
    return Label(name, seen, other, np.array(end), np.array(lying.outline()))


def read_card(name, x, *, sure=True, lower=False, shift=0.0):
    lying = Lying(name, x, 300)
    ends = [centre for centre, *_ in lying.printed_ends()]
    mark = ends[1 if lower else 0]
    return Card(name, lying.outline(), (float(mark[0]) + shift, float(mark[1])), 0.99, sure)


def photo(tmp_path, labels, layout="rows", hard=False):
    return Photo(tmp_path / "x.jpg", "d", layout, hard, labels, {})


def judged(tmp_path, labels, cards, doubts=()):
    return judge(photo(tmp_path, labels), Reading(SIZE, "d", tuple(cards), tuple(doubts)))


def test_a_photo_read_right_is_exact_and_takes_no_tap(tmp_path):
    result = judged(
        tmp_path, [label("三", 100), label("花五", 200)], [read_card("三", 100), read_card("花五", 200)]
    )
    assert (result.exact, result.silent, result.taps, result.right) == (True, False, 0, 2)


def test_the_mark_may_be_at_the_other_end(tmp_path):
    assert judged(tmp_path, [label("三", 100)], [read_card("三", 100, lower=True)]).exact


@pytest.mark.parametrize(("shift", "exact"), [(0.75, True), (0.85, False)])
def test_a_mark_belongs_to_a_label_within_four_fifths_of_a_width(tmp_path, shift, exact):
    assert judged(tmp_path, [label("三", 100)], [read_card("三", 100, shift=shift * WIDTH)]).exact is exact


def test_marks_and_labels_are_matched_one_to_one_nearest_first():
    labels = [label("三", 100), label("五", 120)]
    cards = (read_card("五", 118), read_card("三", 112))
    assert match(labels, cards) == [1, 0]
    assert match(labels[:1], cards) == [None, 0]


def test_what_is_read_where_two_ends_lie_on_one_another_is_that_which_is_seen():
    over, under = label("三", 100), replace(label("五", 101), seen=0.1, seen_other=0.0)
    assert match([under, over], (read_card("三", 101),)) == [1]
    assert match([under], (read_card("五", 101),)) == [0], "one that is hardly seen may be read, too"


def test_a_card_does_not_take_the_label_of_one_on_whose_lower_end_it_lies():
    upper = label("三", 100, other=0.0)
    lower = Lying("五", 100, 300 + float(upper.other_end[1] - upper.end[1]))
    mark = next(iter(lower.printed_ends()))[0]
    labels = [upper, Label("五", 1.0, 1.0, mark + np.array((1.0, 0.0)), np.array(lower.outline()))]
    cards = (read_card("三", 100), Card("五", lower.outline(), (mark[0], mark[1]), 0.99, sure=True))
    assert math.dist(mark, upper.other_end) < math.dist(mark, labels[1].end)
    assert match(labels, cards) == [0, 1]


def test_the_other_end_is_where_perspective_puts_it():
    view = np.array([[60.0, 5, 40], [2, 200, 30], [0.0004, 0.001, 1]])

    def seen(x, y):
        a, b, c = view @ (x, y, 1)
        return np.array([a / c, b / c])

    outline = np.array([seen(0, 0), seen(1, 0), seen(1, 1), seen(0, 1)])
    card = Label("三", 1.0, 1.0, seen(0.5, 0.175), outline)
    assert card.other_end == pytest.approx(seen(0.5, 0.825), abs=1e-3)


def test_a_wrong_flower_is_a_wrong_card_and_one_tap(tmp_path):
    result = judged(tmp_path, [label("三", 100)], [read_card("花三", 100)])
    assert (result.exact, result.silent, result.taps, result.right, result.base_right) == (
        False,
        True,
        1,
        0,
        1,
    )
    assert result.sure_wrong == 1


def test_an_unsure_card_or_a_doubt_is_a_warning(tmp_path):
    labels = [label("三", 100), label("五", 200)]
    unsure = judged(tmp_path, labels, [read_card("四", 100, sure=False), read_card("五", 200)])
    assert not unsure.silent
    missed = judged(tmp_path, labels, [read_card("五", 200)], [Doubt((100, 200), "covered")])
    assert (missed.exact, missed.silent, missed.taps) == (False, False, 1)
    assert judged(tmp_path, labels, [read_card("五", 200)]).silent


def test_a_card_that_is_covered_may_be_left_out_but_not_read_wrong(tmp_path):
    labels = [label("三", 100, seen=0.5), label("五", 200)]
    assert judged(tmp_path, labels, [read_card("五", 200)]).exact
    assert judged(tmp_path, labels, [read_card("三", 100), read_card("五", 200)]).exact
    wrong = judged(tmp_path, labels, [read_card("四", 100), read_card("五", 200)])
    assert (wrong.exact, wrong.taps, wrong.counted, wrong.right) == (False, 1, 1, 1)


def test_a_card_that_is_not_there_is_one_tap(tmp_path):
    result = judged(tmp_path, [label("三", 100)], [read_card("三", 100), read_card("五", 400)])
    assert (result.exact, result.taps, result.phantoms, result.sure_phantoms) == (False, 1, 1, 1)


def test_a_right_card_marked_unsure_is_counted(tmp_path):
    result = judged(tmp_path, [label("三", 100)], [read_card("三", 100, sure=False)])
    assert (result.exact, result.right_unsure, result.warned) == (True, 1, True)


def test_the_oracle_s_ends_are_those_of_the_label():
    lying = Lying("三", 300, 300, 30)
    centre, up, right, _ = next(iter(lying.printed_ends()))
    made = label_ends(Label("三", 1, 1, centre, np.array(lying.outline())))
    for value, expected in zip(made[0], (centre, up, right), strict=True):
        np.testing.assert_allclose(value, expected, atol=0.01)
    turned = label_ends(Label("三", 1, 1, centre, np.roll(np.array(lying.outline()), 2, axis=0)))
    np.testing.assert_allclose(turned[0][1], up, atol=0.01)


def test_the_table_counts_by_layout_and_by_hardness(tmp_path):
    easy = judge(photo(tmp_path, [label("三", 100)]), Reading(SIZE, "d", (read_card("三", 100),)))
    hard = judge(photo(tmp_path, [label("三", 100)], "fan", hard=True), Reading(SIZE, "d", ()))
    lines = table([easy, hard]).splitlines()
    assert lines[0] == "| |all|not hard|hard|rows|fan|"
    rows = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in lines[2:]}
    assert rows["cards right"] == ["50.0 %", "100.0 %", "0.0 %", "100.0 %", "0.0 %"]
    assert rows["silently wrong"] == ["1", "0", "1", "0", "1"]


FACES = tuple(COPIES[110])


def write(folder, name, cards, **about):
    cv2.imwrite(str(folder / f"{name}.png"), paint(cards, SIZE)[:, :, ::-1])
    entries = [
        {
            "label": card.name,
            "seen": card.ends[0],
            "seen_other_end": card.ends[1],
            "end": next(iter(card.printed_ends()))[0].tolist(),
            "outline": card.outline(),
        }
        for card in cards
    ]
    content = {"deck": "d", "size": SIZE, "cards": entries} | about
    (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    step = 1.2 * WIDTH
    enrol = row(FACES[:14], 60, 140, step=step) + row(FACES[14:], 60, 400, step=step)
    photos = tmp_path / "photos"
    photos.mkdir()
    write(photos, "d_enrol_2", enrol, layout="enrol")
    write(photos, "d_enrol_10", enrol, layout="enrol")
    write(photos, "d_columns+hard_3", column(["三", "五", "七"], 200, 150), layout="columns", hard=True)
    write(photos, "d_rows_4", row(["九", "孔"], 300, 250), layout="rows")
    write(photos, "e_empty_5", [], layout="empty", deck=None)
    return photos


def session(photos):
    """A reader whose finder knows the photos in the order in which they are read."""
    by_name = {entry.path.stem: entry for entry in photos}
    order = ["d_enrol_2", *[entry.path.stem for entry in photos if entry.path.stem != "d_enrol_2"]]

    def cards(entry):
        lying = []
        for one in entry.labels:
            x, y = one.outline.mean(0)
            lying.append(Lying(one.name, x, y, ends=(one.seen, one.seen_other)))
        return lying

    finder = MapFinder(*(ends_map(cards(by_name[stem]), SIZE) for stem in order))
    return Reader(
        finder=finder, namer=PixelNamer(), namer_sha256=PixelNamer.sha256, calibration=Calibration()
    )


def test_a_folder_is_measured_and_reported(folder, tmp_path, capsys):
    photos = load_folder(folder)
    results = measure(folder, tmp_path / "out", reader=session(photos), overlays=True)
    assert [result.photo.path.stem for result in results] == [
        "d_columns+hard_3",
        "d_enrol_10",
        "d_rows_4",
        "e_empty_5",
    ]
    assert all(result.exact for result in results)
    assert results[0].photo.hard
    text = (tmp_path / "out" / "table.md").read_text(encoding="utf-8")
    assert "| cards right |100.0 %|" in text
    assert "photos without cards: 1" in text
    assert text.strip() in capsys.readouterr().out
    assert list((tmp_path / "out").glob("wrong_*.png")) == []


def test_a_wrong_card_is_on_the_contact_sheet_and_in_the_confusions(folder, tmp_path):
    path = folder / "d_rows_4.json"
    path.write_text(path.read_text(encoding="utf-8").replace("\\u5b54", "\\u5b50"), encoding="utf-8")
    photos = load_folder(folder)
    results = measure(folder, tmp_path / "out", reader=session(photos))
    assert [result.taps for result in results] == [0, 0, 1, 0]
    assert cv2.imread(str(tmp_path / "out" / "wrong_0.png")) is not None
    with (tmp_path / "out" / "confusions.csv").open(encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["card", "read", "times"], ["子", "孔", "1"]]


def test_with_the_labels_for_a_finder(folder, tmp_path):
    reader = Reader(namer=PixelNamer(), namer_sha256=PixelNamer.sha256, finder=MapFinder(ends_map([], SIZE)))
    results = measure(folder, tmp_path / "out", oracle=True, reader=reader)
    assert all(result.exact for result in results)
