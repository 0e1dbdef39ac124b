import numpy as np
import pytest

from vision.crops import (
    BRIGHTEST,
    HEIGHT,
    PAPER_FLOOR,
    PAPER_QUANTILE,
    WIDTH,
    Pyramid,
    cut,
    cut_planes,
    halve,
    normalise,
    normalise_planes,
)


def vectors(*pairs):
    return np.array(pairs, np.float32)


def frame(image, centre, half_height, half_width, turn=0.0):
    angle = np.deg2rad(turn)
    up = half_height * np.array([np.sin(angle), -np.cos(angle)])
    right = half_width * np.array([np.cos(angle), np.sin(angle)])
    return cut(image, vectors(centre), vectors(up), vectors(right))[0]


def test_a_crop_of_its_own_size_is_the_photo_itself():
    image = np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    np.testing.assert_array_equal(frame(image, (WIDTH / 2, HEIGHT / 2), HEIGHT / 2, WIDTH / 2), image)


@pytest.mark.parametrize("turn", [0, 37, 90, 180, 271])
def test_a_turned_end_is_cut_upright(turn):
    image = np.zeros((400, 400, 3), np.uint8)
    ys, xs = np.mgrid[0:400, 0:400] + 0.5
    angle = np.deg2rad(turn)
    along_right = (xs - 200) * np.cos(angle) + (ys - 200) * np.sin(angle)
    along_up = (xs - 200) * np.sin(angle) - (ys - 200) * np.cos(angle)
    image[(along_up > 0) & (along_right > 0)] = (255, 0, 0)
    image[(along_up > 0) & (along_right < 0)] = (0, 255, 0)
    crop = frame(image, (200, 200), 90, 60, turn)
    assert crop[:30, 30:].reshape(-1, 3).mean(0).tolist() == [255, 0, 0]
    assert crop[:30, :18].reshape(-1, 3).mean(0).tolist() == [0, 255, 0]
    assert crop[42:].max() == 0


def test_fine_print_of_a_large_photo_turns_grey_and_does_not_alias():
    image = np.zeros((1600, 1200, 3), np.uint8)
    image[:, ::2] = 255
    crop = frame(image, (600, 800), 600, 400)
    assert np.abs(crop.astype(int) - 128).max() <= 1


def test_a_crop_of_a_photo_three_times_as_large_looks_the_same():
    rng = np.random.default_rng(1)
    image = np.kron(rng.integers(0, 256, (30, 20, 1)), np.ones((10, 10, 3))).astype(np.uint8)
    large = np.kron(image, np.ones((3, 3, 1))).astype(np.uint8)
    small_crop = frame(image, (100, 150), 72, 48, 10)
    large_crop = frame(large, (300, 450), 216, 144, 10)
    assert np.abs(small_crop.astype(int) - large_crop).mean() < 10


def test_many_crops_of_many_sizes_are_the_same_as_one_by_one():
    rng = np.random.default_rng(2)
    image = rng.integers(0, 256, (500, 700, 3), np.uint8)
    centres = rng.uniform(-20, 700, (20, 2)).astype(np.float32)
    ups = rng.uniform(-150, 150, (20, 2)).astype(np.float32)
    rights = rng.uniform(-100, 100, (20, 2)).astype(np.float32)
    together = cut(image, centres, ups, rights)
    for place in range(20):
        alone = cut(image, centres[place, None], ups[place, None], rights[place, None])
        np.testing.assert_array_equal(together[place], alone[0])


def test_outside_the_photo_its_edge_is_repeated():
    image = np.full((100, 100, 3), 7, np.uint8)
    assert (frame(image, (0, 0), 50, 30) == 7).all()


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (50, 1), (2, 2)])
def test_even_the_smallest_photo_can_be_cut(size):
    image = np.full((*size, 3), 9, np.uint8)
    assert (frame(image, (0.5, 0.5), 40, 30) == 9).all()


def test_no_crops_of_no_ends():
    none = np.empty((0, 2), np.float32)
    crops = cut(np.zeros((10, 10, 3), np.uint8), none, none, none)
    assert crops.shape == (0, HEIGHT, WIDTH, 3)
    assert normalise(crops).shape == (0, 3, HEIGHT, WIDTH)


def test_shapes_are_checked_by_name():
    image = np.zeros((10, 10, 3), np.uint8)
    two, one = np.zeros((2, 2), np.float32), np.zeros((1, 2), np.float32)
    with pytest.raises(ValueError, match="rights"):
        cut(image, two, two, one)
    with pytest.raises(ValueError, match="image"):
        cut(image[:, :, 0], one, one, one)


def test_halving_averages_and_leaves_out_an_odd_edge():
    image = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    half = halve(image)
    assert half.shape == (2, 3, 3)
    assert half[0, 0, 0] == round((0 + 3 + 21 + 24) / 4)


def test_paper_becomes_one_whatever_the_light():
    crop = np.full((1, HEIGHT, WIDTH, 3), (200, 150, 90), np.uint8)
    crop[0, 20:40, 10:40] = 30
    normal = normalise(crop)
    assert normal.shape == (1, 3, HEIGHT, WIDTH)
    np.testing.assert_allclose(normal[0, :, 0, 0], 1)
    np.testing.assert_allclose(normal[0, :, 30, 20], [30 / 200, 30 / 150, 30 / 90], rtol=1e-6)


def test_a_dark_crop_is_not_blown_up_and_glare_is_bounded():
    dark = np.full((1, HEIGHT, WIDTH, 3), 4, np.uint8)
    np.testing.assert_allclose(normalise(dark), 4 / 20)
    glare = np.full((1, HEIGHT, WIDTH, 3), 100, np.uint8)
    glare[0, :5] = 255
    assert normalise(glare).max() == BRIGHTEST


def test_several_cuts_share_the_levels_of_a_pyramid():
    image = np.random.default_rng(4).integers(0, 255, (400, 300, 3), np.uint8)
    pyramid = Pyramid(image)
    places = np.array([[150, 200], [140, 180]], np.float32)
    ups, rights = np.array([[0, -160], [0, -40]], np.float32), np.array([[110, 0], [26, 0]], np.float32)
    np.testing.assert_array_equal(cut(pyramid, places, ups, rights), cut(image, places, ups, rights))
    assert pyramid[2] is pyramid[2]
    assert pyramid[0] is image


@pytest.mark.parametrize("size", [(64, 80), (33, 47), (2, 3), (1, 5), (100, 2)])
def test_halving_rounds_the_mean_of_each_square(size):
    image = np.random.default_rng(5).integers(0, 256, (*size, 3), np.uint8)
    height, width = size[0] // 2, size[1] // 2
    squares = image[: 2 * height, : 2 * width].reshape(height, 2, width, 2, 3)
    np.testing.assert_array_equal(halve(image), np.floor(squares.mean((1, 3)) + 0.5))


def test_each_pixel_of_a_crop_is_mixed_from_its_four_neighbours():
    rng = np.random.default_rng(6)
    image = rng.integers(0, 256, (90, 70, 3), np.uint8)
    centre, up, right = np.array([60.0, 30.0]), np.array([9.0, -30.0]), np.array([20.0, 6.0])
    crop = cut(image, vectors(centre), vectors(up), vectors(right))[0]
    for row, column in rng.integers(0, (HEIGHT, WIDTH), (300, 2)):
        place = centre + up * (1 - (row + 0.5) * 2 / HEIGHT) + right * ((column + 0.5) * 2 / WIDTH - 1)
        x, y = np.clip(place - 0.5, 0, (69, 89))
        left, top = int(min(x, 68)), int(min(y, 88))
        square = image[top : top + 2, left : left + 2].astype(float)
        upper, lower = square[:, 0] + (square[:, 1] - square[:, 0]) * (x - left)
        np.testing.assert_allclose(crop[row, column], upper + (lower - upper) * (y - top), atol=0.51)


def test_planes_are_the_channels_of_the_crops():
    rng = np.random.default_rng(7)
    image = rng.integers(0, 256, (400, 300, 3), np.uint8)
    centres = rng.uniform(0, 300, (40, 2)).astype(np.float32)
    ups = rng.uniform(-90, 90, (40, 2)).astype(np.float32)
    rights = rng.uniform(-60, 60, (40, 2)).astype(np.float32)
    planes, crops = cut_planes(image, centres, ups, rights), cut(image, centres, ups, rights)
    np.testing.assert_array_equal(planes.transpose(0, 2, 3, 1), crops)
    np.testing.assert_array_equal(normalise_planes(planes), normalise(crops))


def test_a_photo_that_is_a_part_of_another_is_cut_as_its_copy():
    whole = np.random.default_rng(8).integers(0, 256, (200, 300, 3), np.uint8)
    for part in (whole[20:150, 30:200], whole[::-1, ::-1], whole.transpose(1, 0, 2)):
        np.testing.assert_array_equal(
            frame(part, (60, 70), 40, 30, 20), frame(np.ascontiguousarray(part), (60, 70), 40, 30, 20)
        )


def test_paper_is_the_quantile_of_each_channel():
    rng = np.random.default_rng(9)
    crops = (rng.integers(0, 256, (21, HEIGHT, WIDTH, 3)) * rng.uniform(0.03, 1, (21, 1, 1, 3))).astype(
        np.uint8
    )
    paper = np.quantile(crops, PAPER_QUANTILE, axis=(1, 2), method="nearest")[:, None, None]
    expected = np.minimum(crops / np.maximum(paper, PAPER_FLOOR), BRIGHTEST)
    np.testing.assert_allclose(normalise(crops), expected.transpose(0, 3, 1, 2), rtol=1e-6)
