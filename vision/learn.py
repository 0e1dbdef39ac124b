"""Learning a deck from photos of its faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.deck import Deck, Example, check_name
from vision.errors import LANGS, DeckError
from vision.faces import FLOWER, kind_of, missing_faces, parse_faces
from vision.group import group_cards
from vision.read import Picture, Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.read import Found
    from vision.types import FoundCard

ALIKE = 0.03
"""Two faces are too alike where an end resembles another face this much or more, compared with its own."""

UNLIKE = 0.05
"""A card is unlike its namesakes where another face fits better by this much."""

FAINTEST = 0.12
"""Ends of less probability are not looked at when a deck is learned."""

CLEAR = 0.35
"""Half the sum of the probabilities of its ends from which on a card is clearly one."""

FAINT_CARD = 0.2
"""With less a card is none, even where the number of cards asks for it."""

GAP = 0.1
"""So much clearer than the next has the last of the named cards to be."""

MANY = 5
"""A face that is like so many others was not photographed well."""

_WARNINGS = {
    "alike": (
        "「{one}」和「{other}」很像，可能會認錯；再拍一張照片來學會好些",
        "「{one}」和「{other}」很像，可能会认错；再拍一张照片来学会好些",
        "{one} and {other} look alike and may be mistaken; a second photo helps",
    ),
    "flower_unlike": (
        "「{one}」不像「{plain}」，倒像「{other}」：請檢查次序",
        "「{one}」不像「{plain}」，倒像「{other}」：请检查次序",
        "{one} looks unlike {plain} and like {other}: check the order",
    ),
    "one_end": (
        "「{one}」只看到一頭",
        "「{one}」只看到一头",
        "only one end of {one} is seen",
    ),
    "missing": (
        "還沒有這些牌面：{labels}",
        "还没有这些牌面：{labels}",
        "these faces are not learned yet: {labels}",
    ),
}


@dataclass(frozen=True, slots=True)
class LearnWarning:
    """Something about a learned deck that its player should know."""

    code: str
    values: tuple[tuple[str, str], ...]

    def text(self, lang: str = "en") -> str:
        """Say it.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line.
        """
        place = LANGS.index(lang) if lang in LANGS else 2
        return _WARNINGS[self.code][place].format(**dict(self.values))


@dataclass(frozen=True, slots=True)
class Learned:
    """A deck that was learned, and what is weak about it."""

    deck: Deck
    warnings: tuple[LearnWarning, ...] = ()


def learn_deck(
    name: str,
    photos: Sequence[NDArray[np.uint8] | Picture],
    cards: str | Sequence[str],
    *,
    reader: Reader | None = None,
    partial: bool = False,
) -> Learned:
    """Learn a deck from one or several photos of its faces.

    Args:
        name: what the deck is called.
        photos: upright photos, each with the faces side by side, not covering
            each other.
        cards: the faces in reading order, ``七三上花七``: one text for all photos,
            or one for each.
        reader: finds and looks at the cards; None makes one.
        partial: whether faces may be missing.

    Returns:
        The deck with an example of every seen end, and warnings.

    Raises:
        DeckError: too few or too many cards in a photo, faces that are missing or
            do not belong to one deck, a card unlike its namesakes, or a name that
            a deck cannot have.
        ModelError: a model is missing or not the one that shipped.
    """
    check_name(name)
    if not photos:
        raise DeckError("no_photo")
    lists = [cards] if isinstance(cards, str) else list(cards)
    faces = [parse_faces(text) for text in lists]
    if len(faces) == 1:
        faces *= len(photos)
    if len(faces) != len(photos):
        raise DeckError("photos_cards", photos=len(photos), cards=len(faces))
    kind = kind_of(label for some in faces for label in some)
    missing = missing_faces((label for some in faces for label in some), kind)
    if missing and not partial:
        raise DeckError("faces_missing", labels="".join(missing))
    reader = reader or Reader()
    examples: list[Example] = []
    warnings: list[LearnWarning] = []
    for number, (photo, labels) in enumerate(zip(photos, faces, strict=True), 1):
        found = reader.find(photo, threshold=FAINTEST)
        new = _examples(found, choose_cards(found, len(labels), photo=number), labels)
        _check_namesakes(examples, new, number)
        examples += [example for card in new for example in card]
        warnings += [
            LearnWarning("one_end", (("one", label),))
            for label, card in zip(labels, new, strict=True)
            if len(card) == 1
        ]
    if missing:
        warnings.append(LearnWarning("missing", (("labels", "".join(missing)),)))
    deck = Deck(name, kind, tuple(examples), namer=reader.namer_sha256)
    weak = check_faces(deck)
    partners = Counter(label for warning in weak if warning.code == "alike" for _, label in warning.values)
    unclear = [label for label, times in partners.items() if times >= MANY]
    if unclear:
        raise DeckError("unclear", labels="、".join(unclear))
    unlike = [warning for warning in weak if warning.code == "flower_unlike"]
    if len(unlike) > 1:
        raise DeckError("order", labels="、".join(dict(warning.values)["one"] for warning in unlike))
    return Learned(deck, (*warnings, *weak))


def choose_cards(found: Found, count: int, *, photo: int = 1) -> list[FoundCard]:
    """Choose the cards of a photo of which it is known how many there are.

    Whole cards lie there, so that those come first of which both ends are found.

    Args:
        found: all that may be cards, faint ones too.
        count: how many there are.
        photo: number of the photo, for the message.

    Returns:
        The cards in reading order.

    Raises:
        DeckError: it is not clear which they are.
    """
    quality = np.array([found.ends.scores[list(card.ends)].sum() / 2 for card in found.cards])
    order = np.argsort(-quality, kind="stable")
    clear = int((quality >= CLEAR).sum())
    if clear != count:
        best = quality[order]
        least = float(best[count - 1]) if len(best) >= count else 0.0
        next_best = float(best[count]) if len(best) > count else 0.0
        if least < FAINT_CARD or least - next_best < GAP:
            code = "too_few" if clear < count else "too_many"
            raise DeckError(code, photo=photo, found=clear, named=count)
    chosen = [found.cards[place] for place in sorted(order[:count])]
    places, _ = group_cards([card.outline for card in chosen])
    return [chosen[place] for place in places]


def _examples(found: Found, cards: Sequence[FoundCard], labels: Sequence[str]) -> list[list[Example]]:
    """Take every seen end of every card as an example of its face."""
    return [
        [
            Example(label, np.ascontiguousarray(found.crops[end]), found.embeddings[end])
            for end in card.ends
            if end == card.ends[0] or found.ends.seen[end] > 0.8
        ]
        for label, card in zip(labels, cards, strict=True)
    ]


def _check_namesakes(old: Sequence[Example], new: Sequence[Sequence[Example]], photo: int) -> None:
    """Make sure that the cards of a photo look like their namesakes of the photos before.

    Raises:
        DeckError: one fits another face better.
    """
    if not old:
        return
    labels = [example.label for example in old]
    vectors = np.stack([_vector(example) for example in old])
    for place, card in enumerate(new, 1):
        likeness = vectors @ _vector(card[0])
        own = [value for label, value in zip(labels, likeness, strict=True) if label == card[0].label]
        best = int(np.argmax(likeness))
        if own and likeness[best] - max(own) > UNLIKE:
            raise DeckError("namesake", photo=photo, place=place, label=card[0].label, other=labels[best])


def check_faces(deck: Deck) -> tuple[LearnWarning, ...]:
    """Look for faces of a deck that will be mistaken.

    Args:
        deck: with vectors.

    Returns:
        A warning for each two faces that are too alike, and for each flower copy
        that resembles another character more than its own plain copy.
    """
    vectors, places = deck.vectors()
    labels = deck.labels
    likeness = vectors @ vectors.T
    between = np.full((len(labels), len(labels)), -1.0)
    np.maximum.at(between, (places[:, None], places[None, :]), likeness)
    own = np.ones(len(labels))
    for face in range(len(labels)):
        same = likeness[np.ix_(places == face, places == face)]
        own[face] = same.min()
    warnings = [
        LearnWarning("alike", (("one", labels[one]), ("other", labels[other])))
        for one in range(len(labels))
        for other in range(one + 1, len(labels))
        if between[one, other] > min(own[one], own[other], 1.0) - ALIKE
    ]
    for one, label in enumerate(labels):
        plain = label.removeprefix(FLOWER)
        if plain == label or plain not in labels:
            continue
        others = [place for place in range(len(labels)) if not labels[place].startswith(FLOWER)]
        best = max(others, key=lambda place: between[one, place])
        if between[one, best] - between[one, labels.index(plain)] > UNLIKE:
            values = (("one", label), ("plain", plain), ("other", labels[best]))
            warnings.append(LearnWarning("flower_unlike", values))
    return tuple(warnings)


def _vector(example: Example) -> NDArray[np.float32]:
    if example.vector is None:
        raise DeckError("damaged", name=example.label, reason="vectors are missing")
    return example.vector
