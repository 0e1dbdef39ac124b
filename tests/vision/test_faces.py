import pytest

from vision.errors import DeckError
from vision.faces import COPIES, kind_of, missing_faces, parse_faces, sibling


@pytest.mark.parametrize(("kind", "cards", "faces"), [(110, 110, 27), (112, 112, 28), (96, 96, 24)])
def test_the_decks_have_their_cards(kind, cards, faces):
    assert sum(COPIES[kind].values()) == cards
    assert len(COPIES[kind]) == faces


def test_flower_copies_are_two_of_five():
    assert [COPIES[110][label] for label in ("三", "花三", "六")] == [3, 2, 5]
    assert "花七" not in COPIES[96]


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("七三上花七", ("七", "三", "上", "花七")),
        ("七 三，上、花 七", ("七", "三", "上", "花七")),
        ("一士礼已仔赖别別", ("乙", "土", "禮", "己", "子", "賴", "賴", "賴")),
        ("尔禄寿亡丘", ("爾", "祿", "壽", "仁", "孔")),
        ("花一", ("花乙",)),
        ("", ()),
    ],
)
def test_faces_are_read_in_any_spelling(text, faces):
    assert parse_faces(text) == faces


@pytest.mark.parametrize("text", ["七x", "花", "三花", "花可", "花花三", "龍"])
def test_what_is_no_card_is_named(text):
    with pytest.raises(DeckError, match="unknown card"):
        parse_faces(text)


@pytest.mark.parametrize(
    ("text", "kind"), [("七三上", 110), ("七花七", 110), ("七賴", 112), ("七佳", 96), ("福祿壽", 96)]
)
def test_the_kind_follows_from_the_faces(text, kind):
    assert kind_of(parse_faces(text)) == kind


@pytest.mark.parametrize("text", ["二佳", "花七福", "賴仁"])
def test_faces_of_two_kinds_are_no_deck(text):
    with pytest.raises(DeckError, match="do not belong to one deck"):
        kind_of(parse_faces(text))


def test_a_label_that_is_no_card_is_no_deck():
    with pytest.raises(DeckError, match="unknown card"):
        kind_of(["三", "龍"])


def test_missing_faces_are_listed_in_the_order_of_the_deck():
    given = [label for label in COPIES[110] if label not in {"花九", "上"}]
    assert missing_faces(given, 110) == ("上", "花九")


@pytest.mark.parametrize(("label", "other"), [("三", "花三"), ("花三", "三"), ("六", None), ("上", None)])
def test_a_flower_copy_has_a_plain_twin(label, other):
    assert sibling(label) == other
