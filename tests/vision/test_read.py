import gc
import json
import subprocess
import sys
import weakref
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.vision.synthetic import (
    LENGTH,
    WIDTH,
    Lying,
    MapFinder,
    PixelNamer,
    column,
    ends_map,
    face_crop,
    made_up_deck,
    paint,
    row,
)
from vision import Cancelled, Deck, Picture, Reader
from vision import read as read_path
from vision.calibration import FEATURES, Calibration
from vision.faces import COPIES
from vision.missed import MISSED_FACTS

SIZE = (960, 720)
CALIBRATION = Calibration(sure=0.9, known=0.85)


def reader(cards, **how):
    return reader_with(MapFinder(ends_map(cards, SIZE, **how)))


def reader_with(finder):
    return Reader(finder=finder, namer=PixelNamer(), namer_sha256=PixelNamer.sha256, calibration=CALIBRATION)


def read(cards, decks=None, *, drawn=None, **how):
    return reader(cards, **how).read(paint(drawn or cards), made_up_deck() if decks is None else decks)


def names(reading):
    return [card.card for card in reading.cards]


HAND = [
    *column(["三", "花三", "五"], 150, 150),
    *column(["上", "大", "人"], 205, 150),
    *row(["七", "花七", "八"], 420, 200),
    Lying("孔", 800, 300, 25),
]


def test_a_spread_is_read_in_order_with_its_groups():
    reading = read(HAND)
    assert names(reading) == ["三", "花三", "五", "上", "大", "人", "七", "花七", "八", "孔"]
    assert [card.group for card in reading.cards] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
    assert reading.deck == "made-up"
    assert reading.kind == 110
    assert reading.size == SIZE


def test_marks_and_outlines_lie_on_the_cards():
    for card, lying in zip(read(HAND).cards, HAND, strict=True):
        ends = [centre for centre, *_ in lying.printed_ends()]
        assert min(np.hypot(*(np.array(card.mark) - centre)) for centre in ends) < 3
        assert np.hypot(*(np.array(card.outline).mean(0) - (lying.x, lying.y))) < 4


def test_one_card_is_one_entry_though_both_its_ends_are_seen():
    assert len(read([Lying("三", 300, 300), Lying("五", 500, 300, 180)]).cards) == 2


def test_pixels_are_those_of_the_whole_photo_though_it_was_decoded_smaller():
    photo = paint(HAND)
    whole = Picture(photo, (SIZE[0] * 4, SIZE[1] * 4), ms=7.0)
    small, large = reader(HAND).read(photo, made_up_deck()), reader(HAND).read(whole, made_up_deck())
    assert large.size == (3840, 2880)
    assert large.ms["decode"] == 7.0
    np.testing.assert_allclose(np.array(large.cards[0].mark), 4 * np.array(small.cards[0].mark))
    np.testing.assert_allclose(large.cards[0].outline, 4 * np.array(small.cards[0].outline))


def test_a_picture_without_cards_has_none_and_is_no_error():
    reading = read([])
    assert (reading.cards, reading.doubts) == ((), ())
    assert reading.sure
    assert not reading.unknown_deck


def test_a_picture_without_cards_is_explained_by_no_deck_but_the_one_that_was_named():
    assert read([], [made_up_deck()]).deck is None
    assert read([], made_up_deck()).deck == "made-up"


def test_where_something_may_lie_and_no_card_can_be_read_no_deck_is_named():
    faint = Lying("九", 600, 560)
    one = reader_with(MapFinder(ends_map([faint], SIZE, score=0.25)))
    reading = one.read(paint([faint]), [made_up_deck()])
    assert not reading.cards
    assert reading.doubts
    assert (reading.deck, reading.kind) == (None, None)
    assert one.read(paint([faint]), made_up_deck()).deck == "made-up"


def test_the_deck_that_explains_the_photo_is_taken():
    other = Deck.of_faces(
        "other", [(label, face_crop(label)[::-1].copy()) for label in COPIES[110]], kind=110
    )
    assert read(HAND, [other, made_up_deck()]).deck == "made-up"


def test_where_no_deck_explains_the_photo_none_is_named_and_nothing_is_sure():
    rng = np.random.default_rng(1)
    noise = [(label, rng.integers(0, 256, (72, 48, 3), np.uint8)) for label in COPIES[110]]
    reading = read(HAND, [Deck.of_faces("noise", noise, kind=110)])
    assert reading.deck is None
    assert reading.unknown_deck
    assert not any(card.sure for card in reading.cards)


def faded(deck, share, *, name, ships=False):
    """A deck whose faces are as alike to those of another as ``share`` says."""
    rng = np.random.default_rng(len(name))
    examples = []
    for example in deck.examples:
        noise = rng.normal(size=128).astype(np.float32)
        noise -= (noise @ example.vector) * example.vector
        vector = share * example.vector + np.sqrt(1 - share**2) * noise / np.linalg.norm(noise)
        examples.append(replace(example, vector=vector.astype(np.float32)))
    return replace(deck, name=name, examples=tuple(examples), read_only=ships)


@pytest.mark.parametrize("order", [1, -1])
def test_of_decks_that_explain_a_photo_alike_the_player_s_own_is_taken(order):
    ships, own = (faded(made_up_deck(), 0.95, name=name, ships=name == "kai") for name in ("kai", "own"))
    assert read(HAND, [ships, own][::order]).deck == "own"


@pytest.mark.parametrize("order", [1, -1])
def test_of_decks_that_explain_a_photo_alike_the_one_of_fewer_faces_is_taken(order):
    assert read(HAND, [made_up_deck("more", kind=112), made_up_deck("fewer")][::order]).deck == "fewer"


@pytest.mark.parametrize(
    ("own", "ships", "known"),
    [(0.95, 0.5, True), (0.7, 0.5, True), (0.7, 0.66, False), (0.4, 0.2, False), (0.7, None, False)],
)
def test_a_deck_of_the_player_s_own_is_known_in_a_bad_photo_where_it_stands_out(own, ships, known):
    decks = [faded(made_up_deck(), own, name="own")]
    if ships is not None:
        decks.append(faded(made_up_deck(), ships, name="kai", ships=True))
    reading = read(HAND, decks)
    assert reading.unknown_deck != known
    assert reading.deck == ("own" if known else None)


def test_a_deck_that_ships_is_not_known_for_standing_out():
    decks = [faded(made_up_deck(), share, name=name, ships=True) for share, name in ((0.7, "a"), (0.4, "b"))]
    assert read(HAND, decks).unknown_deck


@pytest.mark.parametrize(
    ("expected", "names", "taken"),
    [
        (110, "上大人可知禮", "tens"),
        (96, "上大人可知禮二四五六", "tens"),
        (96, "上大人孔乙己化三千", "nines"),
        (110, "爾小生佳作仁福祿壽", "nines"),
        (112, "上大人可知禮", "tens"),
    ],
)
def test_a_deck_of_another_kind_is_taken_only_where_it_is_clearly_the_one(expected, names, taken):
    cards = row(names[:6], 100, 150) + row(names[6:], 100, 450)
    decks = [made_up_deck("tens"), made_up_deck("nines", kind=96)]
    reading = reader(cards).read(paint(cards), decks, kind=expected)
    assert (reading.deck, reading.kind) == (taken, 110 if taken == "tens" else 96)


def test_an_unknown_deck_of_another_kind_is_not_taken():
    cards = row("上大人可知禮", 100, 150)
    decks = [faded(made_up_deck("tens"), 0.6, name="tens"), faded(made_up_deck(kind=96), 0.4, name="nines")]
    assert reader(cards).read(paint(cards), decks, kind=96).unknown_deck


def test_a_deck_that_the_player_named_is_taken_whatever_the_rule():
    assert read([Lying("上", 300, 300)], made_up_deck()).deck == "made-up"
    cards = [Lying("上", 300, 300)]
    assert reader(cards).read(paint(cards), made_up_deck(), kind=96).deck == "made-up"


def test_a_deck_without_examples_is_never_chosen():
    assert read(HAND, [Deck("none", 110, ()), made_up_deck()]).deck == "made-up"
    assert read(HAND, [Deck("none", 110, ())]).deck is None


def test_without_any_deck_the_cards_are_doubts():
    reading = read(HAND, [])
    assert reading.cards == ()
    assert len(reading.doubts) == len(HAND)
    assert reading.unknown_deck


def test_an_unlikely_end_leaves_a_doubt():
    faint = Lying("九", 600, 560)
    both = ends_map(HAND, SIZE)
    weak = ends_map([faint], SIZE, score=0.25)
    mine = weak[0] > both[0]
    both[:, mine] = weak[:, mine]
    finder = MapFinder(both)
    reading = reader_with(finder).read(paint([*HAND, faint]), made_up_deck())
    assert len(reading.cards) == len(HAND)
    assert {doubt.why for doubt in reading.doubts} == {"unreadable"}
    assert not reading.sure


def test_what_is_faint_and_most_likely_a_card_is_read():
    """What lies around it tells more than the finder alone; the confidence in it is that of any card."""
    faint = Lying("九", 600, 560)
    both = ends_map(HAND, SIZE)
    weak = ends_map([faint], SIZE, score=0.25)
    mine = weak[0] > both[0]
    both[:, mine] = weak[:, mine]
    chances = {}
    for chance in (0.7, 0.9):
        likely = (float(np.log(chance / (1 - chance))),) + (0.0,) * (len(MISSED_FACTS) - 1)
        some = reader_with(MapFinder(both))
        some._calibration = replace(CALIBRATION, missed_weights=likely)
        reading = some.read(paint([*HAND, faint]), made_up_deck())
        chances[chance] = (len(reading.cards) - len(HAND), len(reading.doubts))
        if chance == 0.9:
            assert sorted(names(reading)) == sorted([*(card.name for card in HAND), "九"])
            assert next(card.crop for card in reading.cards if card.card == "九").shape == (72, 48, 3)
    assert chances == {0.7: (0, 1), 0.9: (1, 0)}


def test_an_unlikely_end_of_a_card_that_was_found_is_no_doubt():
    card = Lying("九", 480, 360, ends=(1, 0))
    both = ends_map([card], SIZE)
    weak = ends_map([Lying("九", 480, 360, ends=(0, 1))], SIZE, score=0.25)
    mine = weak[0] > both[0]
    both[:, mine] = weak[:, mine]
    assert reader_with(MapFinder(both)).read(paint([card]), made_up_deck()).doubts == ()


def test_a_covered_card_is_a_doubt_and_not_a_guess():
    under, cover = Lying("三", 300, 300, ends=(0.3, 0)), Lying("五", 300, 320)
    reading = read([under, cover])
    assert names(reading) == ["五"]
    assert [doubt.why for doubt in reading.doubts] == ["covered"]


@pytest.mark.parametrize(
    ("right", "real", "kept"),
    [(0.6, 0.6, True), (0.6, 0.3, False), (0.4, 0.9, True), (read_path.GUESS_SEEN - 0.01, 0.9, False)],
)
def test_what_is_rather_no_card_than_a_right_one_is_a_doubt(right, real, kept):
    """Correcting the card takes a tap where it is wrong, adding it one where it was a card."""
    none = (0.0,) * (len(FEATURES) - 1)
    chance = [(float(np.log(p / (1 - p))), *none) for p in (right, real)]
    numbers = replace(CALIBRATION, weights=chance[0], real_weights=chance[1])
    some = reader([Lying("四", 480, 360)])
    some._calibration = numbers
    reading = some.read(paint([Lying("四", 480, 360)]), made_up_deck())
    assert len(reading.cards) == kept
    assert [doubt.why for doubt in reading.doubts] == ["unreadable"] * (not kept)
    assert not any(card.sure for card in reading.cards)


def test_where_hardly_a_card_was_missed_no_doubt_is_left():
    """What was left out asks for a look only where a card is likely there."""
    none = (0.0,) * (len(MISSED_FACTS) - 1)
    for chance, doubts in ((0.05, []), (0.3, ["covered"])):
        numbers = replace(CALIBRATION, missed_weights=(float(np.log(chance / (1 - chance))), *none))
        some = reader([Lying("三", 300, 300, ends=(0.3, 0)), Lying("五", 300, 320)])
        some._calibration = numbers
        cards = [Lying("三", 300, 300, ends=(0.3, 0)), Lying("五", 300, 320)]
        reading = some.read(paint(cards), made_up_deck())
        assert names(reading) == ["五"]
        assert [doubt.why for doubt in reading.doubts] == doubts


def test_a_card_that_reaches_out_of_the_photo_is_cut_off():
    cut_off = Lying("三", 300, 700, ends=(0.5, 0))
    drawn = Lying("五", 300, 730)
    reading = read([cut_off], drawn=[drawn])
    assert [doubt.why for doubt in reading.doubts] == ["cut off"]


def test_no_mark_lies_outside_the_photo():
    """One can only be tapped inside it."""
    edge = read([Lying("三", 300, 300), Lying("五", 2, 300), Lying("孔", 600, 20, 180)])
    marks = np.array([place.mark for place in (*edge.cards, *edge.doubts)])
    assert len(marks) > 1
    assert (marks >= 0).all()
    assert (marks < np.array(SIZE)).all()
    picture = Picture(np.zeros((10, 20, 3), np.uint8), (40, 20))
    assert read_path._point(np.array([-3, 4], np.float32), picture) == (0, 8)
    assert read_path._point(np.array([30, 12], np.float32), picture) == (39, 19)


def test_progress_is_told_and_ends_with_one():
    told = []
    reader(HAND).read(paint(HAND), made_up_deck(), progress=lambda stage, share: told.append((stage, share)))
    assert [stage for stage, _ in told] == ["find", "name", "decide", "done"]
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert told[-1][1] == 1


@pytest.mark.parametrize("stop", [1, 2, 3])
def test_reading_can_be_stopped_between_stages(stop):
    asked = []
    with pytest.raises(Cancelled):
        reader(HAND).read(
            paint(HAND), made_up_deck(), cancelled=lambda: asked.append(1) is None and len(asked) == stop
        )


def test_every_stage_says_how_long_it_took():
    assert set(read(HAND).ms) == {"decode", "find", "name", "decide"}


def test_the_same_mistake_is_not_made_again_after_a_correction():
    worn = [Lying("四", 480, 360)]
    drawn = [Lying("己", 480, 360)]
    deck = made_up_deck()
    before = read(worn, deck, drawn=drawn)
    assert names(before) == ["己"]
    taught = deck.corrected("四", before.cards[0].crop)
    assert names(read(worn, taught, drawn=drawn)) == ["四"]
    assert names(read(HAND, taught)) == names(read(HAND, deck))


def test_both_ends_of_a_corrected_card_teach_where_both_are_well_seen():
    whole, covered = read([Lying("四", 480, 360)]), read([Lying("四", 480, 360, ends=(1, 0.4))])
    assert whole.cards[0].other_crop.shape == (72, 48, 3)
    assert covered.cards[0].other_crop is None


def test_a_wrong_end_does_not_outvote_what_was_taught():
    worn = [Lying("四", 480, 360)]
    deck = made_up_deck()
    first = read(worn, deck, drawn=[Lying("己", 480, 360)]).cards[0]
    taught = deck.corrected("四", first.crop, first.other_crop)
    again = read(worn, taught, drawn=[Lying("己", 480, 360)]).cards[0]
    assert again.card == "四"
    assert dict(again.others).get("己", 0) < again.confidence


def test_vectors_of_a_deck_are_made_once():
    deck = Deck.of_faces("mine", [(label, face_crop(label)) for label in COPIES[110]], kind=110)
    session = reader(HAND)
    session.read(paint(HAND), deck)
    once = session.namer.crops
    session.read(paint(HAND), deck)
    assert session.namer.crops - once < once - 26


def test_the_json_is_plain_and_as_the_interface_says():
    content = json.loads(json.dumps(read(HAND).to_json()))
    assert set(content) == {"size", "deck", "cards", "doubts", "ms"}
    assert set(content["cards"][0]) == {"card", "outline", "mark", "confidence", "sure", "others", "group"}
    assert len(content["cards"][0]["outline"]) == 4


def test_only_photos_are_read():
    with pytest.raises(ValueError, match="expected a photo"):
        reader([]).read(np.zeros((5, 5), np.uint8), made_up_deck())


def test_the_lower_part_of_a_column_is_not_read_twice():
    cards = column(["三"] * 3 + ["花三"] * 2, 300, 200)
    reading = read(cards)
    assert len(reading.cards) == 5
    assert sorted(names(reading)) == sorted(card.name for card in cards)


def test_two_rows_of_whole_cards():
    cards = [*row("七八九子", 200, 200), *row("上大人孔", 200, 210 + LENGTH, step=WIDTH)]
    assert "".join(names(read(cards))) == "七八九子上大人孔"


def test_the_reading_path_needs_numpy_and_the_standard_library_alone():
    program = """
import sys, importlib.abc
class Block(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] not in sys.stdlib_module_names | {'numpy', 'vision'}:
            raise ImportError(name)
sys.meta_path.insert(0, Block())
import vision, vision.read, vision.learn, vision.shelf, vision.session
import numpy as np
from vision import Reader
class Finder:
    def run(self, feeds):
        return [np.zeros((1, 10, 120, 160), np.float32)]
reader = Reader(finder=Finder(), namer=Finder(), namer_sha256='0')
print(reader.read(np.zeros((480, 640, 3), np.uint8), []).cards)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "()"), done.stderr


def test_a_reader_does_not_keep_decks_that_nobody_needs():
    mine = reader(HAND)
    stranger = replace(made_up_deck(), namer="another", examples=made_up_deck().examples)
    assert names(mine.read(paint(HAND), [stranger])) == names(read(HAND))
    prepared = weakref.ref(mine.prepare(stranger))
    assert mine.prepare(stranger) is prepared(), "made once"
    gone = weakref.ref(stranger)
    del stranger
    gc.collect()
    assert gone() is None
    assert prepared() is None


def test_a_card_of_which_the_ends_were_put_beside_its_print_is_read(monkeypatch):
    lying = row(["三", "七", "可"], 200, 300, step=3 * WIDTH)
    beside = [lying[0], replace(lying[1], x=lying[1].x + 0.28 * WIDTH), lying[2]]
    assert names(read(beside, drawn=lying)) == ["三", "七", "可"]
    monkeypatch.setattr(Reader, "register", lambda _reader, looks, *_: looks)
    assert names(read(beside, drawn=lying)) != ["三", "七", "可"]
