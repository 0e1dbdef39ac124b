"""Scenes of cards; nothing here needs an installed font."""

import numpy as np
import pytest

from vision.find import MULTIPLE, PADDING
from vision.training import scenes
from vision.training.scenes import Camera, CardLabel, EndLabel, Scene


def scene(*centres, size=(640, 480)):
    """A picture of noise with cards 40 pixels wide, upright, whose upper ends have these centres."""
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (size[1], size[0], 3), np.uint8)
    up, right = np.array([0.0, -30.0]), np.array([20.0, 0.0])
    cards = []
    for x, y in centres:
        upper, lower = np.array([x, y], float), np.array([x, y + 120], float)
        corners = np.array([upper + up - right, upper + up + right, lower - up + right, lower - up - right])
        ends = EndLabel(upper, up, right, 1.0), EndLabel(lower, -up, -right, 1.0)
        cards.append(CardLabel("三", corners, (upper + lower) / 2, ends, 0, laid=False))
    return Scene(image, cards)


@pytest.mark.parametrize("seed", range(8))
def test_a_part_shows_what_lay_there(seed):
    whole = scene((100, 60), (400, 200), (600, 330))
    part = scenes.part_of(np.random.default_rng(seed), whole, (384, 288))
    assert part.image.shape == (288, 384, 3)
    inside = 0
    for before, after in zip(whole.cards, part.cards, strict=True):
        moved = before.centre - after.centre
        assert np.allclose(before.outline - after.outline, moved)
        for end, old in zip(after.ends, before.ends, strict=True):
            assert np.allclose(old.centre - end.centre, moved)
            x, y = end.centre.astype(int)
            if 0 <= x < 384 and 0 <= y < 288:
                inside += 1
                there = old.centre.astype(int)
                assert (part.image[y, x] == whole.image[there[1], there[0]]).all()
            corners = end.centre + np.array([[20, 30], [-20, -30]])
            kept = np.clip(corners, 0, (384, 288))
            seen = abs((kept[0] - kept[1]).prod()) / (40 * 60)
            assert end.seen == pytest.approx(seen, abs=0.02)
    assert inside


def test_of_a_picture_that_is_filled_up_less_is_seen():
    whole = scene((320, 455), (625, 100))
    cut = set()
    for seed in range(20):
        padded = scenes.padded(np.random.default_rng(seed), whole)
        assert padded.image.shape == whole.image.shape
        filled = (padded.image == round(255 * PADDING)).all(2)
        rows, columns = filled.all(1).sum(), filled.all(0).sum()
        assert 0 < rows + columns < MULTIPLE
        low, right = (card.ends[0].seen for card in padded.cards)
        assert low == pytest.approx(min(1, max(0, 480 - rows - 425) / 60), abs=0.02)
        assert right == pytest.approx(min(1, max(0, 640 - columns - 605) / 40), abs=0.02)
        cut.add(bool(rows))
    assert cut == {True, False}


@pytest.mark.parametrize(("frame", "cut"), [(1.0, False), (1.8, True)])
def test_cards_are_cut_by_the_border_where_the_frame_is_wider_than_the_picture(frame, cut):
    points = np.array([[-8.0, -5.0], [8.0, 5.0], [-8.0, 5.0], [8.0, -5.0]])
    outside = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        camera = Camera(rng, points, (640, 480), tilt=0.1, turn=0.0, roll=0.1, fill=0.8, frame=frame)
        pixels = camera.project(np.concatenate([points, np.zeros((4, 1))], axis=1))
        outside += bool((pixels < 0).any() or (pixels > (640, 480)).any())
    assert (outside > 5) if cut else not outside


def test_a_page_is_printed_all_over(monkeypatch):
    def letter_masks(rng, split, count, *, side, among):
        drawn.append((split, count, among))
        return [rng.integers(0, 256, (side, side)).astype(np.uint8) for _ in range(count)]

    drawn = []
    monkeypatch.setattr(scenes, "letter_masks", letter_masks)
    for seed in range(12):
        page = scenes.page(np.random.default_rng(seed), "calibrate", 500)
        assert (page.shape, page.dtype) == ((500, 500, 3), np.uint8)
        quarters = page[:250, :250], page[250:, :250], page[:250, 250:], page[250:, 250:]
        assert all(np.ptp(quarter.astype(int), axis=(0, 1)).max() > 20 for quarter in quarters)
    assert {split for split, _, _ in drawn} == {"calibrate"}
    assert {among for _, _, among in drawn} == {"", scenes.CHARACTERS}
    assert set("上大人可知禮福祿壽三五七") <= set(scenes.CHARACTERS)
    assert "花" not in scenes.CHARACTERS
