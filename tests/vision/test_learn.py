from dataclasses import replace

import numpy as np
import pytest

from tests.vision.synthetic import (
    LENGTH,
    WIDTH,
    Lying,
    MapFinder,
    PixelNamer,
    ends_map,
    face,
    face_crop,
    made_up_deck,
    paint,
    row,
)
from vision import learn_deck
from vision.errors import LANGS, DeckError
from vision.faces import COPIES
from vision.find import LONG_SIDE
from vision.learn import LearnWarning, check_faces, is_upside_down
from vision.read import Reader

SIZE = (1000, 600)


def spread(faces, *, missing=0, swapped=None):
    """Two rows of faces; ``swapped`` are printed on the table in another order than named."""
    half = -(-len(faces) // 2)
    printed = list(swapped or faces)
    step = 1.2 * WIDTH
    cards = row(printed[:half], 60, 140, step=step) + row(printed[half:], 60, 140 + 1.2 * LENGTH, step=step)
    return cards[: len(cards) - missing]


def reader(*spreads):
    maps = [ends_map(cards, SIZE) for cards in spreads]
    return Reader(finder=MapFinder(*maps), namer=PixelNamer(), namer_sha256=PixelNamer.sha256)


def learned(faces, *, name="village", cards=None, text=None, known=(), **how):
    cards = cards or [spread(faces)]
    photos = [paint(some, SIZE) for some in cards]
    return learn_deck(name, photos, text or "".join(faces), reader=reader(*cards), known=known, **how)


FACES = tuple(COPIES[110])


def codes(result):
    return [warning.code for warning in result.warnings]


def told(result, code):
    return [dict(warning.values) for warning in result.warnings if warning.code == code]


def from_maps(cards, *maps, known=()):
    session = Reader(finder=MapFinder(*maps), namer=PixelNamer(), namer_sha256=PixelNamer.sha256)
    return learn_deck("village", [paint(cards, SIZE)], "".join(FACES), reader=session, known=known)


def both(*maps):
    """One map with the ends of all, the likelier where they touch."""
    result = maps[0].copy()
    for other in maps[1:]:
        mine = other[0] > result[0]
        result[:, mine] = other[:, mine]
    return result


def test_a_deck_is_learned_from_one_photo_of_its_faces():
    result = learned(FACES)
    assert result.deck.name == "village"
    assert result.deck.kind == 110
    assert result.deck.missing == ()
    assert len(result.deck.examples) == 2 * len(FACES)
    assert result.deck.namer == PixelNamer.sha256
    own = result.deck.vectors()[0]
    np.testing.assert_allclose(np.linalg.norm(own, axis=1), 1, atol=1e-5)


def test_the_names_follow_the_reading_order():
    result = learned(FACES)
    crops = {example.label: example.crop for example in result.deck.examples}
    for label in ("上", "花九", "子"):
        ink = (crops[label].min(2) < 120).mean()
        expected = (face(label)[:70].min(2) < 120).mean()
        assert ink == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("kind", [112, 96])
def test_the_kind_follows_from_the_faces(kind):
    assert learned(tuple(COPIES[kind])).deck.kind == kind


def test_two_photos_give_twice_the_examples():
    cards = spread(FACES)
    photos = [paint(cards, SIZE), paint(cards, SIZE) - paint(cards, SIZE) // 32]
    result = learn_deck("village", photos, "".join(FACES), reader=reader(cards, cards), known=())
    assert len(result.deck.examples) == 4 * len(FACES)
    assert not told(result, "twice")


def test_two_photos_may_show_different_faces():
    first, second = FACES[:14], FACES[14:]
    cards = [spread(first), spread(second)]
    photos = [paint(some, SIZE) for some in cards]
    result = learn_deck("village", photos, ["".join(first), "".join(second)], reader=reader(*cards))
    assert result.deck.missing == ()


def test_missing_faces_are_named():
    with pytest.raises(DeckError, match="faces are missing: 六") as caught:
        learned(FACES[:-1])
    assert "六" in caught.value.text("zh-Hans")


def test_a_part_of_a_deck_can_be_learned():
    result = learned(FACES[:-1], partial=True)
    assert result.deck.missing == ("六",)
    assert "missing" in codes(result)


def test_too_few_cards_found():
    with pytest.raises(DeckError, match="photo 1 shows 26 cards but 27 are named"):
        learned(FACES, cards=[spread(FACES, missing=1)])


def test_too_many_cards_found():
    cards = [*spread(FACES), Lying("三", 900, 480)]
    with pytest.raises(DeckError, match="photo 1 shows 28 cards but only 27"):
        learned(FACES, cards=[cards])


def test_a_card_unlike_its_namesake_of_the_photo_before():
    order = list(FACES)
    one, other = order.index("四"), order.index("化")
    order[one], order[other] = order[other], order[one]
    cards = [spread(FACES), spread(FACES, swapped=order)]
    with pytest.raises(DeckError, match=r"card \d+ of photo 2 looks unlike") as caught:
        learned(FACES, cards=cards)
    assert {caught.value.values["label"], caught.value.values["other"]} == {"四", "化"}
    assert "--insist" in str(caught.value)
    result = learned(FACES, cards=cards, insist=True)
    assert len(result.deck.examples) == 2 * len(learned(FACES).deck.examples)
    assert {each["label"] for each in told(result, "namesake")} == {"四", "化"}


def test_photos_of_two_decks_are_told():
    order = [*FACES[3:], *FACES[:3]]
    cards = [spread(FACES), spread(FACES, swapped=order)]
    with pytest.raises(DeckError, match=r"cards of photo 2 .* two different decks"):
        learned(FACES, cards=cards)


def test_two_faces_too_alike_are_named():
    printed = ["己" if label == "乙" else label for label in FACES]
    result = learned(FACES, cards=[spread(FACES, swapped=printed)])
    assert any(set(dict(warning.values).values()) == {"乙", "己"} for warning in result.warnings)


def test_one_flower_copy_of_another_character_is_told():
    printed = ["花九" if label == "花三" else label for label in FACES]
    result = learned(FACES, cards=[spread(FACES, swapped=printed)])
    told = [dict(warning.values) for warning in result.warnings if warning.code == "flower_unlike"]
    assert {"one": "花三", "plain": "三", "other": "九"} in told


def test_several_flower_copies_of_other_characters_are_a_wrong_order():
    order = list(FACES)
    one, other = order.index("花三"), order.index("花九")
    order[one], order[other] = order[other], order[one]
    with pytest.raises(DeckError, match=r"order seems wrong: 花三, 花九|order seems wrong: 花九, 花三"):
        learned(FACES, cards=[spread(FACES, swapped=order)])


def test_two_flower_copies_that_look_like_no_plain_copy_of_each_other_are_warned_of():
    """Some decks draw a flower copy in a hand of its own."""
    order = list(FACES)
    order[order.index("花三")], order[order.index("花九")] = "知", "化"
    result = learned(FACES, cards=[spread(FACES, swapped=order)])
    assert [each["one"] for each in told(result, "flower_unlike")] == ["花三", "花九"]
    order[order.index("花五")], order[order.index("花七")] = "土", "可"
    with pytest.raises(DeckError, match="order seems wrong: 花三, 花七, 花九, 花五"):
        learned(FACES, cards=[spread(FACES, swapped=order)])


def test_a_faint_card_is_taken_where_it_is_the_one_that_lacks():
    cards = spread(FACES)
    maps = both(ends_map(cards[:-1], SIZE), ends_map(cards[-1:], SIZE, score=0.28))
    assert from_maps(cards, maps).deck.missing == ()


def test_a_half_card_too_many_is_left_out():
    cards = spread(FACES)
    maps = both(ends_map(cards, SIZE), ends_map([Lying("三", 950, 520, ends=(1, 0))], SIZE, score=0.5))
    assert len(from_maps(cards, maps).deck.examples) == 2 * len(FACES)


def test_a_picture_in_the_middle_of_a_card_is_not_one_of_its_ends():
    cards = spread(FACES)
    whole = cards[FACES.index("花五")]
    picture = Lying("五", whole.x, whole.y - 0.25 * LENGTH, ends=(0, 1))
    maps = both(ends_map(cards, SIZE), ends_map([picture], SIZE, score=0.7))
    crops = [example.crop for example in from_maps(cards, maps).deck.examples if example.label == "花五"]
    assert len(crops) == 2
    assert np.abs(crops[0].astype(int) - crops[1]).mean() < 8


def test_a_card_that_was_found_in_two_pieces_is_one():
    cards = spread(FACES)
    first = cards[0]
    pieces = []
    for ends, aside in (((1, 0), 0.4 * LENGTH), ((0, 1), -0.4 * LENGTH)):
        piece = ends_map([Lying(first.name, first.x, first.y, ends=ends)], SIZE)
        piece[8, piece[0] > 0.05] -= aside * LONG_SIDE / max(SIZE)
        pieces.append(piece)
    result = from_maps(cards, both(ends_map(cards[1:], SIZE), *pieces))
    assert len(result.deck.examples) == 2 * len(FACES)
    assert result.deck.missing == ()


def test_rows_that_overlap_a_little_are_read_as_rows():
    half = -(-len(FACES) // 2)
    step = 1.2 * WIDTH
    upper = [replace(card, ends=(1, 0.7)) for card in row(FACES[:half], 60, 140, step=step)]
    cards = upper + row(FACES[half:], 60, 140 + 0.85 * LENGTH, step=step)
    for example in learned(FACES, cards=[cards]).deck.examples:
        assert np.abs(example.crop.astype(int) - face_crop(example.label)).mean() < 40


def test_an_end_that_does_not_look_like_the_other_end_of_its_card_teaches_nothing():
    cards = spread(FACES)
    photo = paint(cards, SIZE)
    first, other = (
        (slice(round(card.y) + 25, round(card.y + LENGTH / 2)), slice(round(card.x) - 24, round(card.x) + 24))
        for card in (cards[0], cards[2])
    )
    photo[first] = photo[other]
    result = learn_deck("village", [photo], "".join(FACES), reader=reader(cards), known=())
    crops = [example.crop for example in result.deck.examples if example.label == FACES[0]]
    assert len(crops) == 1
    assert np.abs(crops[0].astype(int) - face_crop(FACES[0])).mean() < 25
    assert told(result, "one_end") == [{"photo": "1", "labels": FACES[0]}]


def test_a_photo_that_is_upside_down_is_read_from_its_other_end():
    printed = list(FACES)[::-1]
    result = learned(FACES, cards=[spread(FACES, swapped=printed)], known=[made_up_deck()])
    assert told(result, "turned") == [{"photo": "1", "first": "上"}]
    for example in result.deck.examples:
        assert np.abs(example.crop.astype(int) - face_crop(example.label)).mean() < 25


def test_flower_copies_alone_tell_which_way_round_a_photo_lies():
    faces = [label for label in FACES if label != "花三"]
    for printed, turned in ((faces, False), (faces[::-1], True)):
        result = learned(faces, cards=[spread(faces, swapped=printed)], partial=True)
        assert bool(told(result, "turned")) == turned


@pytest.mark.parametrize(("printed", "turned"), [(FACES, False), (FACES[::-1], True), (FACES[:20], False)])
def test_whether_a_photo_lies_upside_down_is_told(printed, turned):
    cards = spread(list(printed))
    session = reader(cards)
    found = session.find(paint(cards, SIZE))
    assert is_upside_down(found, FACES, reader=session, known=[made_up_deck()]) == turned


def test_the_second_photo_is_turned_as_the_first_one_says():
    faces = tuple(COPIES[96])
    cards = [spread(faces), spread(faces, swapped=faces[::-1])]
    assert told(learned(faces, cards=cards), "turned") == [{"photo": "2", "first": "上"}]


def exchanged(one, other):
    """The faces, two of them lying in each other's place."""
    order = list(FACES)
    a, b = order.index(one), order.index(other)
    order[a], order[b] = order[b], order[a]
    return [spread(FACES, swapped=order)]


def test_a_card_with_the_look_of_another_face_of_a_known_deck_is_told():
    cards = [spread(FACES, swapped=["化" if label == "四" else label for label in FACES])]
    result = learned(FACES, cards=cards, known=[made_up_deck()])
    assert [(each["one"], each["other"]) for each in told(result, "strange")] == [("四", "化")]


@pytest.mark.parametrize(("one", "other"), [("四", "化"), ("二", "人")])
def test_two_cards_that_have_each_the_look_of_the_other_are_refused_unless_somebody_insists(one, other):
    with pytest.raises(DeckError, match="seem exchanged in photo 1") as refused:
        learned(FACES, cards=exchanged(one, other), known=[made_up_deck()])
    assert {refused.value.values["one"], refused.value.values["other"]} == {one, other}
    result = learned(FACES, cards=exchanged(one, other), known=[made_up_deck()], insist=True)
    assert {each["one"] for each in told(result, "strange")} == {one, other}


def test_whoever_insists_learns_an_order_that_seems_wrong():
    order = [*FACES[1:], FACES[0]]
    cards = [spread(FACES, swapped=order)]
    with pytest.raises(DeckError, match="--insist"):
        learned(FACES, cards=cards)
    assert learned(FACES, cards=cards, insist=True).deck.missing == ()


def test_a_photo_that_is_given_twice_counts_once_and_is_told():
    once, twice = learned(FACES), learned(FACES, cards=[spread(FACES)] * 2)
    assert told(twice, "twice") == [{"photo": "2", "other": "1"}]
    assert len(twice.deck.examples) == len(once.deck.examples)
    assert codes(twice) == ["twice", *codes(once)]


def test_a_photo_that_is_given_twice_under_other_names_is_refused():
    names = ["".join(FACES), "".join(FACES[::-1])]
    with pytest.raises(DeckError, match="photos 1 and 2 are the same"):
        learned(FACES, cards=[spread(FACES)] * 2, text=names)


def test_names_that_are_shifted_against_the_cards_are_a_wrong_order():
    faces = tuple(COPIES[96])
    shifted = faces[1:] + faces[:1]
    with pytest.raises(DeckError, match="order of photo 1 seems wrong"):
        learned(faces, cards=[spread(faces, swapped=shifted)], known=[made_up_deck("nines", kind=96)])


def test_a_few_names_that_are_shifted_against_the_cards_are_a_wrong_order():
    """One card too many was found and one overlooked, so that the number is right."""
    faces = tuple(COPIES[96])
    shifted = [*faces[:9], *faces[8:11], *faces[12:]]
    with pytest.raises(DeckError, match="order of photo 1 seems wrong: {}, {}".format(*faces[9:11])):
        learned(faces, cards=[spread(faces, swapped=shifted)], known=[made_up_deck("nines", kind=96)])


@pytest.mark.parametrize("kind", [110, 112, 96])
def test_without_names_every_face_lies_there_once_in_the_order_of_the_deck(kind):
    cards = spread(tuple(COPIES[kind]))
    result = learn_deck("village", [paint(cards, SIZE)], reader=reader(cards), known=())
    assert (result.deck.kind, result.deck.missing) == (kind, ())


def test_without_names_an_order_that_does_not_fit_is_told_with_the_way_to_name_it():
    cards = spread(FACES, swapped=[*FACES[1:], FACES[0]])
    with pytest.raises(DeckError) as refused:
        learn_deck("village", [paint(cards, SIZE)], reader=reader(cards), known=())
    said = str(refused.value)
    assert "".join(FACES) in said
    assert said.index("--cards") < said.index("--insist")
    assert learn_deck("village", [paint(cards, SIZE)], reader=reader(cards), known=(), insist=True).deck


def test_without_names_another_number_of_cards_is_no_deck():
    cards = spread(FACES[:20])
    with pytest.raises(DeckError, match="shows 20 cards; every face once is 27, 28 or 24"):
        learn_deck("village", [paint(cards, SIZE)], reader=reader(cards), known=())


def test_a_face_of_which_one_end_is_covered_is_told():
    cards = spread(FACES)
    cards[0] = Lying(cards[0].name, cards[0].x, cards[0].y, ends=(1, 0))
    result = learned(FACES, cards=[cards])
    assert [dict(w.values)["labels"] for w in result.warnings if w.code == "one_end"] == [FACES[0]]


@pytest.mark.parametrize("lang", LANGS)
def test_cards_are_divided_as_the_language_divides_them(lang):
    said = "花三, 五" if lang == "en" else "花三、五"
    assert said in LearnWarning("one_end", (("photo", "1"), ("labels", "花三、五"))).text(lang)
    assert said in DeckError("unclear", labels="花三、五").text(lang)


def test_every_warning_is_one_line_in_every_language():
    printed = ["己" if label == "乙" else label for label in FACES[:-1]]
    result = learned(FACES[:-1], cards=[spread(FACES[:-1], swapped=printed)], partial=True)
    assert result.warnings
    for warning in result.warnings:
        texts = {warning.text(lang) for lang in LANGS}
        assert len(texts) == len(LANGS)
        assert not any("\n" in text for text in texts)


def test_photos_and_lists_have_to_match():
    photo = paint(spread(FACES), SIZE)
    with pytest.raises(DeckError, match="photos: 2, but lists of cards: 3"):
        learn_deck("village", [photo, photo], ["三", "三", "三"], reader=reader(spread(FACES)))
    with pytest.raises(DeckError, match="at least one photo"):
        learn_deck("village", [], "三", reader=reader(spread(FACES)))


def test_a_bad_name_is_refused_before_anything_is_read():
    with pytest.raises(DeckError, match="cannot be called"):
        learned(FACES, name="a/b")


def test_a_deck_of_distinct_faces_has_nothing_to_warn_of():
    result = learned(tuple(COPIES[96]))
    assert check_faces(result.deck) == ()


def test_faces_that_cannot_be_told_from_many_others_are_refused():
    printed = ["八"] * 8 + list(FACES[8:])
    with pytest.raises(DeckError, match="not clear and look like many others"):
        learned(FACES, cards=[spread(FACES, swapped=printed)])


def test_faces_that_are_clear_in_each_photo_but_look_otherwise_are_those_of_two_decks():
    printed = ["鬱" if label == "四" else label for label in FACES]
    cards = [spread(FACES), spread(FACES, swapped=printed)]
    with pytest.raises(DeckError, match=r"四: looks otherwise .* two different decks"):
        learned(FACES, cards=cards)
    result = learned(FACES, cards=cards, insist=True)
    assert not any("四" in each.values() for each in told(result, "alike"))
