"""Photos that are too dark, too blurred or taken from too far away, made of the samples; and the samples."""

import cv2
import numpy as np
import pytest

from tests.conftest import ROOT
from vision.decode import read_photo
from vision.quality import clarity, judge_found, judge_photo, paper, unlike
from vision.read import Reader

SAMPLES = sorted((ROOT / "datasets" / "samples").glob("*.jpg"))
OWN = ("hand", "rows", "fan", "hand-96", "hand-tongcheng")


def sample(name):
    return read_photo(ROOT / "datasets" / "samples" / f"{name}.jpg").pixels


def shrunk(pixels, share):
    """The same table from farther away: the photo small in the middle of a larger one of one colour."""
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (round(width * share), round(height * share)), interpolation=cv2.INTER_AREA)
    far = np.full_like(pixels, np.median(pixels.reshape(-1, 3), 0).astype(np.uint8))
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    far[top : top + small.shape[0], left : left + small.shape[1]] = small
    return far


def shaken(pixels, length, *, down=False):
    """A hand that moved while the photo was taken."""
    line = np.full((1, length), 1 / length, np.float32)
    return cv2.filter2D(pixels, -1, line.T if down else line)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_no_sample_is_called_dark_or_blurred(path):
    assert judge_photo(read_photo(path).pixels) == ()


@pytest.mark.parametrize("name", OWN)
def test_a_photo_by_next_to_no_light_is_called_dark(name):
    pixels = sample(name).astype(np.float32) * 0.15
    noisy = pixels + np.random.default_rng(1).normal(0, 4, pixels.shape)
    assert "dark" in judge_photo(noisy.clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize("name", OWN)
def test_a_photo_by_half_the_light_is_not(name):
    assert judge_photo((sample(name) * 0.5).astype(np.uint8)) == ()


@pytest.mark.parametrize("name", OWN)
def test_a_photo_out_of_focus_is_called_blurred(name):
    assert judge_photo(cv2.GaussianBlur(sample(name), (0, 0), 7)) == ("blurred",)


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("down", [False, True])
def test_a_shaken_photo_is_called_blurred(name, down):
    assert judge_photo(shaken(sample(name), 29, down=down)) == ("blurred",)


@pytest.mark.parametrize("name", OWN)
def test_a_little_softness_is_no_blur(name):
    assert judge_photo(cv2.GaussianBlur(sample(name), (0, 0), 1.5)) == ()


def test_a_large_photo_is_judged_as_a_small_one():
    pixels = sample("rows")
    large = np.repeat(np.repeat(pixels, 2, 0), 2, 1)
    assert judge_photo(large) == ()
    assert judge_photo(cv2.GaussianBlur(large, (0, 0), 14)) == ("blurred",)


def test_a_photo_of_one_colour_is_not_called_blurred():
    assert judge_photo(np.full((480, 640, 3), 200, np.uint8)) == ()


@pytest.fixture(scope="module")
def reader():
    return Reader()


@pytest.mark.parametrize(("name", "share"), [("hand", 0.4), ("rows", 0.4), ("hand-96", 0.4)])
def test_cards_from_far_away_are_called_far(name, share, reader):
    far = shrunk(sample(name), share)
    assert judge_found(reader.find(far), (far.shape[1], far.shape[0])) == ("far",)


@pytest.mark.parametrize("name", OWN)
def test_the_cards_of_a_sample_are_not(name, reader):
    pixels = sample(name)
    assert judge_found(reader.find(pixels), (pixels.shape[1], pixels.shape[0])) == ()


def test_a_table_without_cards_is_not_called_far(reader):
    pixels = np.full((480, 640, 3), 90, np.uint8)
    assert judge_found(reader.find(pixels), (640, 480)) == ()


def strokes(ink=(30, 30, 30), paper=(230, 225, 220)):
    """The end of a card with thick strokes."""
    crop = np.full((72, 48, 3), paper, np.uint8)
    for top in (18, 34, 50):
        crop[top : top + 5, 12:36] = ink
    crop[18:55, 22:27] = ink
    return crop


def test_a_clear_end_is_told_from_one_in_the_dark_a_blurred_and_a_grainy_one():
    clear = strokes()
    noise = np.random.default_rng(3).normal(0, 25, clear.shape)
    ends = [clear, clear // 8, cv2.GaussianBlur(clear, (0, 0), 6), np.clip(clear + noise, 0, 255)]
    contrast, sharp, grain, _ = clarity(np.array(ends).astype(np.uint8)).T
    assert contrast[1] < contrast[0] - 1.5
    assert sharp[2] < 0.5 * sharp[0]
    assert sharp[1] == pytest.approx(sharp[0], abs=0.1), "what is dark is not blurred for that"
    assert grain[0] == 0
    assert grain[2] < 0.5 * grain[3]


def test_a_red_print_is_as_clear_as_a_black_one():
    red, black = clarity(np.array([strokes(ink=(200, 30, 30)), strokes()]))
    np.testing.assert_allclose(red[:3], black[:3], atol=0.05)


def test_only_a_print_is_colourful_not_the_light():
    red = strokes(ink=(200, 30, 30))
    warm = (strokes() * np.array([1.0, 0.8, 0.5])).astype(np.uint8)
    grey = np.repeat(red[..., 1:2], 3, axis=2)
    in_red, in_black, in_warm_light, in_grey = clarity(np.array([red, strokes(), warm, grey]))[:, 3]
    assert in_red > 0.8
    assert in_black == in_grey == 0
    assert in_warm_light < 0.1


def test_of_no_end_and_of_a_blank_one_something_can_be_said():
    assert clarity(np.empty((0, 72, 48, 3), np.uint8)).shape == (0, 4)
    assert np.isfinite(clarity(np.full((2, 72, 48, 3), 7, np.uint8))).all()


def test_the_paper_of_a_print_is_known_whatever_is_printed_on_it():
    white, tinted = strokes(), strokes(paper=(200, 160, 120))
    shade = np.log(np.array([[230, 225, 220]]) / 128)
    np.testing.assert_allclose(paper(np.array([white])), shade, atol=1e-5)
    cards = paper(np.array([white, strokes(ink=(200, 0, 0))]))
    light, tint = unlike(paper(np.array([white, tinted])), cards).T
    assert (light[0], tint[0]) == (0, 0)
    assert light[1] < -0.3
    assert tint[1] > 0.2
    assert paper(np.empty((0, 72, 48, 3), np.uint8)).shape == (0, 3)
    assert unlike(paper(np.array([white])), np.empty((0, 3), np.float32)).tolist() == [[0, 0]]
