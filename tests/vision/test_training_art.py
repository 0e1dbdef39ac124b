"""Drawn decks and the views made of them; nothing here needs an installed font."""

from dataclasses import replace

import numpy as np
import pytest

from vision.training import art, fonts, views
from vision.training.strokes import SKELETONS, paint, random_skeleton

STROKES = art.Style(source="strokes", corner="right")


def rng(seed=0):
    return np.random.default_rng(seed)


def test_no_font_of_a_measured_deck_is_in_any_set():
    for font in fonts.FONTS:
        text = f"{font.name} {font.package} {font.file} {font.family}".lower()
        assert not any(word in text for word in fonts.FORBIDDEN), font


def test_sets_share_neither_font_families_nor_flower_pictures():
    split_of = {}
    for font in fonts.FONTS:
        assert split_of.setdefault(font.family, font.split) == font.split
    for table in (art.MOTIFS, art.BITS):
        everything = [name for names in table.values() for name in names]
        assert len(everything) == len(set(everything))


def test_fonts_that_are_not_installed_are_asked_for_by_command(monkeypatch):
    monkeypatch.setattr(fonts, "path_of", lambda _font: None)
    fonts.available.cache_clear()
    try:
        with pytest.raises(RuntimeError, match=r"vision\.training\.fonts"):
            fonts.available("train")
    finally:
        fonts.available.cache_clear()


@pytest.mark.parametrize("kind", [110, 112, 96])
def test_every_character_of_a_deck_has_strokes(kind):
    for label in art.labels(kind):
        assert label[-1] in SKELETONS or label == art.WILD


def test_there_is_no_deck_of_another_kind():
    with pytest.raises(ValueError, match="111"):
        art.labels(111)


@pytest.mark.parametrize("kind", [110, 112, 96])
def test_a_deck_has_every_face_printed_at_both_ends(kind):
    deck = art.draw_deck(rng(), STROKES, kind)
    assert tuple(deck.strips) == art.labels(kind)
    for strip in deck.strips.values():
        assert strip.dtype == np.uint8
        assert strip.shape[1] == art.WIDTH
        assert 4 * art.WIDTH <= strip.shape[0] <= 5 * art.WIDTH + 1
        assert np.array_equal(strip, strip[::-1, ::-1])
        assert (strip.min(axis=2) < 120).any()
    assert deck.back.shape == next(iter(deck.strips.values())).shape


def test_the_same_seed_draws_the_same_deck():
    one, two = (art.draw_deck(rng(3), STROKES, 110) for _ in range(2))
    assert all(np.array_equal(one.strips[label], two.strips[label]) for label in one.strips)


@pytest.mark.parametrize("manner", ["corner", "bits", "middle", "gilding", "frame"])
def test_a_flower_copy_is_marked_near_its_ends(manner):
    style = replace(STROKES, manner=manner, motifs=("round", "leaf"))
    deck = art.draw_deck(rng(1), style, 110)
    end = round(views.END * deck.back.shape[0])
    for character in art.FLOWERS_110:
        plain = deck.strips[character][:end].astype(int)
        flower = deck.strips[art.FLOWER + character][:end].astype(int)
        assert (np.abs(plain - flower).max(axis=2) > 40).mean() > 0.005


@pytest.mark.parametrize("kind", [name for names in art.MOTIFS.values() for name in names])
def test_every_flower_picture_covers_something(kind):
    mask, colours = art.motif(rng(2), kind, 40, ((200, 30, 30), (250, 200, 40), (30, 120, 40)))
    assert mask.shape == (40, 40)
    assert colours.shape == (40, 40, 3)
    assert 0.05 < mask.mean() < 1


@pytest.mark.parametrize("bit", [name for names in art.BITS.values() for name in names])
def test_bits_of_every_shape_are_drawn(bit):
    style = replace(STROKES, manner="bits", bit=bit)
    deck = art.draw_deck(rng(4), style, 110)
    assert not np.array_equal(deck.strips["三"], deck.strips["花三"])


def test_inks_follow_the_printers_habit():
    assert art.standard_ink("花三", 110) == "red"
    assert art.standard_ink("四", 110) == "black"
    assert [art.standard_ink(c, 96) for c in "福祿壽"] == ["red", "green", "black"]


@pytest.mark.parametrize("profile", ["even", "taper", "club", "leaf", "nail", "beads", "ragged", "swell"])
def test_a_made_up_sign_can_be_painted_with_every_brush(profile):
    mask = paint(rng(5), random_skeleton(rng(6)), {"profile": profile, "thickness": 0.06})
    assert mask.shape == (160, 160)
    assert 0.005 < (mask > 127).mean() < 0.8


def test_views_have_the_form_of_crops():
    faces = views.Faces.of(art.draw_deck(rng(), STROKES, 110).strips)
    for mild in (True, False):
        made = views.make_views(rng(7), faces, np.arange(len(faces.labels)), mild=mild)
        assert made.shape == (27, 72, 48, 3)
        assert made.dtype == np.uint8
        assert made.std() > 10
    assert views.make_views(rng(7), faces, [0]).shape == (1, 72, 48, 3)


def test_views_of_the_same_seed_are_the_same():
    faces = views.Faces.of(art.draw_deck(rng(), STROKES, 96).strips)
    one, two = (views.make_views(rng(8), faces, np.arange(12)) for _ in range(2))
    assert np.array_equal(one, two)
