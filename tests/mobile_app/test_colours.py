"""Letters stand out from their ground, under a lamp and for old eyes: WCAG 2.2 asks for 4.5 : 1."""

import ast

import pytest

from tests.conftest import ROOT

THEME = ROOT / "mobile_app" / "ui" / "theme.py"
"""Read and not imported: importing it opens a window."""

COLOURS = {
    node.target.id: ast.literal_eval(node.value)
    for node in ast.parse(THEME.read_text(encoding="utf-8")).body
    if isinstance(node, ast.AnnAssign) and getattr(node.annotation, "id", "") == "Colour"
}


def brightness(colour):
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((brightness(COLOURS[one]), brightness(COLOURS[other])))
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_that_of_black_on_white():
    assert contrast("WHITE", "INK") > 15
    assert contrast("WHITE", "WHITE") == 1


@pytest.mark.parametrize(
    ("letters", "ground"),
    [
        ("INK", "PAPER"),
        ("INK", "CHOSEN"),
        ("SOFT", "PAPER"),
        ("SOFT", "WHITE"),
        ("BAND", "PAPER"),
        ("BAND", "CHOSEN"),
        ("GAIN", "WHITE"),
        ("LOSS", "WHITE"),
        ("WHITE", "BAND"),
        ("WHITE", "PRESSED"),
        ("WHITE", "SURE"),
        ("WHITE", "LAID"),
        ("WHITE", "WON"),
        ("WHITE", "OUT"),
        ("INK", "UNSURE"),
    ],
)
def test_letters_stand_out(letters, ground):
    assert contrast(letters, ground) >= 4.5
