"""The ledger as a spreadsheet reads it and as a printer prints it."""

import csv
import io
from html.parser import HTMLParser

import pytest

from table.ledger import decide, export
from tests.table.ledger.tables import SCORE, opened, paid, then


def evening():
    return then(
        opened("老王", "=阿珍", "<b>小李</b>", "＝老趙"),
        lambda t: decide.scored(
            t, SCORE, ["p1", "p2", "p4"], winner="p1", discarder="p2", dealer="p1", rested=["p3"], note="+1"
        ),
        paid(p1=-7, p3=7),
        lambda t: decide.by_hand(t, {"p1": -9, "p3": 9}, number=2),
        lambda t: decide.drawn(t, seats=["p1", "p2", "p3"]),
        lambda t: decide.strike(t, 3),
    )


def rows(text: str) -> list[list[str]]:
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:])))


def test_the_csv_holds_every_line_and_its_columns_add_up():
    table = evening()
    head, *lines, totals = rows(export.as_csv(table, "zh-Hant"))
    assert [line[0] for line in lines] == ["1", "2", "3"]
    assert lines[0][head.index("牌")] == "上大人"
    assert (lines[0][head.index("胡數")], lines[0][head.index("分")]) == ("22", "2")
    assert [line[head.index("狀態")] for line in lines] == ["", "改過", "劃掉"]
    column = head.index("老王")
    counted = [int(line[column]) for line in lines if line[column]]
    assert sum(counted) == int(totals[column]) == table.totals()["p1"] == 31


def test_the_csv_holds_nothing_that_a_spreadsheet_would_run():
    for row in rows(export.as_csv(evening())):
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "＝", "＋", "－", "＠")), cell
            assert not cell.startswith("-") or int(cell) < 0


@pytest.mark.parametrize(("lang", "words"), [("zh-Hant", "贏家"), ("zh-Hans", "赢家"), ("en", "winner")])
def test_headings_follow_the_language(lang, words):
    assert words in export.as_csv(evening(), lang)
    assert words in export.as_page(evening(), lang)


class Text(HTMLParser):
    """Collects tags and text of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_the_page_prints_names_as_text_and_asks_no_other_host():
    page = export.as_page(evening())
    parsed = Text()
    parsed.feed(page)
    assert "b" not in parsed.tags
    assert not {"script", "img", "link", "iframe"} & set(parsed.tags)
    assert "<b>小李</b>" in parsed.text
    assert "http" not in page


def test_the_page_says_who_pays_whom_and_what_a_line_was_before():
    parsed = Text()
    parsed.feed(export.as_page(evening()))
    assert "原為 老王 -7 <b>小李</b> +7" in parsed.text
    assert "=阿珍 付給 老王 20" in parsed.text
    assert "歇家 <b>小李</b>" in parsed.text


def test_times_are_those_of_the_clock_at_the_table():
    table = evening()
    head, first, *_ = rows(export.as_csv(table, "en", 480))
    assert (head[1], first[1][:16]) == ("time (UTC+08:00)", "2026-02-01 04:01")
    assert rows(export.as_csv(table, "en"))[0][1] == "time (UTC)"
    page = export.as_page(table, "en", 480)
    assert "2026-02-01 04:01" in page
    assert "2026-02-01<" in page


def test_the_page_counts_in_the_words_of_the_rule():
    score = {**SCORE, "unit": "和", "step_unit": "坡"}
    page = export.as_page(then(opened(), lambda t: decide.scored(t, score, t.seats, winner="p1")))
    assert "胡牌 22 和 / 2 坡" in page
    assert "+0" not in page


def test_the_page_names_the_rule_as_people_do():
    assert "玩法 荊州花牌" in export.as_page(opened())


def test_a_name_from_right_to_left_leaves_the_sums_alone():
    page = export.as_page(then(opened("محمد", "阿珍"), paid(p1=7, p2=-7)))
    assert "阿珍 付給 \u2068محمد\u2069 7" in page


def test_a_table_that_is_even_says_so():
    assert "兩清" in export.as_page(opened())
