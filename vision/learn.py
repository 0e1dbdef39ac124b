"""Learning a deck from photos of its faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.deck import Deck, Example, check_name
from vision.errors import DeckError, fill
from vision.faces import COPIES, FLOWER, kind_of, missing_faces, parse_faces
from vision.find import OPPOSITE, outline
from vision.group import group_cards
from vision.name import similarities
from vision.plane import lie_flat
from vision.read import Picture, Reader
from vision.shelf import shipped_decks
from vision.types import FoundCard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.read import Found
    from vision.types import Ends, Point

    Outline = tuple[Point, Point, Point, Point]

ALIKE = 0.03
"""Two faces are too alike where an end resembles another face this much or more, compared with its own."""

UNLIKE = 0.05
"""A card is unlike its namesakes where another face fits better by this much."""

MOST_PHOTOS = 12
"""A deck is learned from at most so many photos; more teach nothing new."""

FAINTEST = 0.12
"""Ends of less probability are not looked at when a deck is learned."""

CLEAR = 0.35
"""Half the sum of the probabilities of its ends from which on a card is clearly one."""

FAINT_CARD = 0.2
"""With less a card is none, even where the number of cards asks for it."""

SAME_PLACE = 0.5
"""Two cards of which so much of one lies on the other are one card."""

LENGTHS = 0.27
"""The cards of a deck differ in length by this share at most, as a photo shows them."""

FEW = 4
"""From so many whole cards on it is known how long a card is."""

ROW_APART = 0.75
"""Rows that lie so many lengths apart and more are rows, though they overlap."""

GAP = 0.1
"""So much clearer than the next has the last of the named cards to be."""

CLEARLY = 3.0
"""So many standard errors better have names to fit in the reverse order for it to be taken."""

MISFITS = 3
"""So many flower copies unlike their plain copies tell which way up a photo is."""

DISORDER = 4
"""So many tell a wrong order, two where they were exchanged. Three are so in 7 of 74 generated decks."""

FAMILIAR = 0.6
"""From this likeness on a card has the look of a face of another deck."""

STRANGE = 0.2
"""A card has a strange name where another face of that deck fits better by this much."""

EXCHANGED = 0.25
"""Two cards are exchanged where each fits the other's face better, both together by this much on average.

Of 98 generated decks in their right order none came to it (the most was 0.23); of all pairs of their faces,
taken for one another, 81 in 100 do.
"""

TWO_DECKS = 4
"""So many cards of a photo unlike those of the same name before tell of another deck."""

MANY = 5
"""A face that is like so many others was not photographed well."""

_ORDER = ("order", "order_strange", "exchanged")
"""Errors that say that the faces lie in another order."""

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
        "第 {photo} 張照片裡這些牌只看到一頭：{labels}；不要疊住，拍全兩頭會認得更準",
        "第 {photo} 张照片里这些牌只看到一头：{labels}；不要叠住，拍全两头会认得更准",
        "photo {photo} shows only one end of {labels}; with both ends seen they are read better",
    ),
    "turned": (
        "第 {photo} 張照片是倒着拍的，已從另一頭讀起：右下角那張是「{first}」",
        "第 {photo} 张照片是倒着拍的，已从另一头读起：右下角那张是「{first}」",
        "photo {photo} is upside down and was read from its other end: the last card is {first}",
    ),
    "namesake": (
        "第 {photo} 張照片第 {place} 張不像別的「{label}」，倒像「{other}」",
        "第 {photo} 张照片第 {place} 张不像别的「{label}」，倒像「{other}」",
        "card {place} of photo {photo} looks unlike the other {label} and like {other}",
    ),
    "twice": (
        "第 {photo} 張和第 {other} 張是同一張照片，只算一次",
        "第 {photo} 张和第 {other} 张是同一张照片，只算一次",
        "photo {photo} is the same as photo {other} and counts once",
    ),
    "strange": (
        "第 {photo} 張照片第 {place} 張叫「{one}」，樣子卻像「{other}」：請檢查次序",
        "第 {photo} 张照片第 {place} 张叫「{one}」，样子却像「{other}」：请检查次序",
        "card {place} of photo {photo} is called {one} but looks like {other}: check the order",
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
        return fill(_WARNINGS[self.code], dict(self.values), lang)


@dataclass(frozen=True, slots=True)
class Learned:
    """A deck that was learned, and what is weak about it."""

    deck: Deck
    warnings: tuple[LearnWarning, ...] = ()


def learn_deck(
    name: str,
    photos: Sequence[NDArray[np.uint8] | Picture],
    cards: str | Sequence[str] | None = None,
    *,
    reader: Reader | None = None,
    partial: bool = False,
    insist: bool = False,
    known: Sequence[Deck] | None = None,
) -> Learned:
    """Learn a deck from one or several photos of its faces.

    Cards look alike from both sides of the table, so that a photo that is upside down
    shows the faces in the reverse order. Where their looks say so, it is read like that.

    Args:
        name: what the deck is called.
        photos: upright photos, each with the faces side by side, not covering
            each other.
        cards: the faces in reading order, ``七三上花七``: one text for all photos,
            or one for each. None takes every face once, in the order of the deck
            that has as many as lie in the photo.
        reader: finds and looks at the cards; None makes one.
        partial: whether faces may be missing.
        insist: whether the names are right although cards look like others.
        known: decks whose looks tell which way round a photo is, and which names may
            be mistaken; None takes those that ship.

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
    if len(photos) > MOST_PHOTOS:
        raise DeckError("many_photos", photos=len(photos), most=MOST_PHOTOS)
    reader = reader or Reader()
    found: list[Found | None] = [None] * len(photos)
    if cards is None:
        found = [reader.find(photo, threshold=FAINTEST) for photo in photos]
        faces = [
            _every_face(count_cards(one), number) for number, one in enumerate(found, 1) if one is not None
        ]
    else:
        faces = [parse_faces(text) for text in ([cards] if isinstance(cards, str) else cards)]
    if len(faces) == 1:
        faces *= len(photos)
    if len(faces) != len(photos):
        raise DeckError("photos_cards", photos=len(photos), cards=len(faces))
    try:
        return _learn(name, photos, found, faces, reader=reader, partial=partial, insist=insist, known=known)
    except DeckError as error:
        if cards is not None or error.code not in _ORDER:
            raise
        unlike = "、".join(
            str(error.values[key]) for key in ("labels", "one", "other") if key in error.values
        )
        raise DeckError("order_assumed", order="".join(faces[0]), labels=unlike) from error


def _learn(
    name: str,
    photos: Sequence[NDArray[np.uint8] | Picture],
    found: Sequence[Found | None],
    faces: Sequence[Sequence[str]],
    *,
    reader: Reader,
    partial: bool,
    insist: bool,
    known: Sequence[Deck] | None,
) -> Learned:
    """Learn a deck from photos of which the faces are known, in reading order; see `learn_deck`."""
    kind = kind_of(label for some in faces for label in some)
    missing = missing_faces((label for some in faces for label in some), kind)
    if missing and not partial:
        raise DeckError("faces_missing", labels="".join(missing))
    examples: list[Example] = []
    by_photo: list[list[Example]] = []
    warnings: list[LearnWarning] = []
    likes = [
        reader.prepare(deck) for deck in (shipped_decks() if known is None else known) if deck.kind == kind
    ]
    for number, (photo, labels) in enumerate(zip(photos, faces, strict=True), 1):
        other = _same_photo(photos, number)
        if other is not None:
            if faces[other - 1] != labels:
                raise DeckError("same_photo", photo=number, other=other)
            warnings.append(LearnWarning("twice", (("photo", str(number)), ("other", str(other)))))
            continue
        seen = found[number - 1] or reader.find(photo, threshold=FAINTEST)
        chosen = choose_cards(seen, len(labels), photo=number)
        looks = _looks(seen, chosen)
        if _upside_down(looks, labels, [*likes, *_as_deck(name, kind, examples)]):
            chosen, looks = chosen[::-1], looks[::-1]
            warnings.append(LearnWarning("turned", (("photo", str(number)), ("first", labels[0]))))
        warnings += _strange(looks, labels, likes, number, insist=insist)
        new = _examples(seen, chosen, labels)
        warnings += _check_namesakes(examples, new, number, insist=insist)
        by_photo.append([example for card in new for example in card])
        examples += by_photo[-1]
        single = [label for label, card in zip(labels, new, strict=True) if len(card) == 1]
        if single:
            values = (("photo", str(number)), ("labels", "、".join(single)))
            warnings.append(LearnWarning("one_end", values))
    if missing:
        warnings.append(LearnWarning("missing", (("labels", "".join(missing)),)))
    deck = Deck(name, kind, tuple(examples), namer=reader.namer_sha256)
    weak = check_faces(deck)
    unclear = _unclear(weak)
    in_one_photo = {
        label for some in by_photo for label in _unclear(check_faces(replace(deck, examples=tuple(some))))
    }
    if not in_one_photo.isdisjoint(unclear) or (unclear and len(by_photo) == 1):
        raise DeckError("unclear", labels="、".join(unclear))
    if unclear and not insist:
        raise DeckError("unalike", labels="、".join(unclear))
    # A face with two looks, on which somebody insists, is near to many others: it is told once.
    mixed = {*unclear, *(dict(each.values)["label"] for each in warnings if each.code == "namesake")}
    weak = tuple(
        each for each in weak if each.code != "alike" or mixed.isdisjoint(label for _, label in each.values)
    )
    unlike = [dict(warning.values) for warning in weak if warning.code == "flower_unlike"]
    exchanged = {each["plain"] for each in unlike} == {each["other"] for each in unlike}
    if not insist and (len(unlike) >= DISORDER or (len(unlike) > 1 and exchanged)):
        raise DeckError("order", labels="、".join(each["one"] for each in unlike))
    return Learned(deck, (*dict.fromkeys(warnings), *weak))


def _unclear(weak: Sequence[LearnWarning]) -> list[str]:
    """Name the faces that are like so many others that they cannot be told from them."""
    partners = Counter(label for warning in weak if warning.code == "alike" for _, label in warning.values)
    return [label for label, times in partners.items() if times >= MANY]


def is_upside_down(
    found: Found, labels: Sequence[str], *, reader: Reader, known: Sequence[Deck] | None = None
) -> bool:
    """Tell whether a photo of faces lies upside down: its names fit in the reverse order, and only so.

    Args:
        found: the cards of the photo, in reading order.
        labels: their names in the order in which they were to be laid out.
        reader: that found them.
        known: decks whose looks tell it; None takes those that ship.

    Returns:
        Whether it does; not where there is another number of cards than of names.
    """
    if not labels or len(found.cards) != len(labels):
        return False
    kind = kind_of(labels)
    decks = shipped_decks() if known is None else known
    looks = _looks(found, found.cards)
    return _upside_down(looks, labels, [reader.prepare(deck) for deck in decks if deck.kind == kind])


def _same_photo(photos: Sequence[NDArray[np.uint8] | Picture], number: int) -> int | None:
    """Find a photo before this one that shows the very same pixels; numbers from 1 on."""
    pixels = Picture.of(photos[number - 1]).pixels
    for other in range(1, number):
        if np.array_equal(Picture.of(photos[other - 1]).pixels, pixels):
            return other
    return None


def _every_face(count: int, photo: int) -> tuple[str, ...]:
    """Give the faces of the deck that has so many of them, in its order."""
    for copies in COPIES.values():
        if len(copies) == count:
            return tuple(copies)
    raise DeckError("not_a_deck", photo=photo, found=count)


def _as_deck(name: str, kind: int, examples: Sequence[Example]) -> list[Deck]:
    """Make a deck of what was learned so far, where anything was."""
    return [Deck(name, kind, tuple(examples))] if examples else []


def _looks(found: Found, cards: Sequence[FoundCard]) -> NDArray[np.float32]:
    """Give the look of each card, that of both its ends: float32[n, 128], unit length."""
    sums = np.stack([found.embeddings[list(card.ends)].sum(0) for card in cards])
    looks: NDArray[np.float32] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    return looks


def _likeness(looks: NDArray[np.float32], deck: Deck) -> NDArray[np.float32]:
    """Compare cards with the faces of a deck: float32[n, labels], the nearest example counts."""
    vectors, faces = deck.vectors()
    return similarities(looks, vectors, faces, len(deck.labels))


def _upside_down(looks: NDArray[np.float32], labels: Sequence[str], known: Sequence[Deck]) -> bool:
    """Tell whether the names fit the cards in the reverse order, and only so.

    Two things say it: that cards are like their namesakes of other decks, and that a
    flower copy is like its plain copy.

    Args:
        looks: float32[n, 128], of the cards in reading order.
        labels: their names in the order given.
        known: decks with vectors.

    Returns:
        Whether one of the two says so clearly, and the other does not gainsay.
    """
    misfits = [_flower_misfits(looks, named) for named in (labels, labels[::-1])]
    better = misfits[0] - misfits[1]
    clearly = 0.0
    if known:
        there, back = (_best_fit(looks, named, known)[0] for named in (labels, labels[::-1]))
        clearly = _how_clearly(back, there)
    return (clearly > CLEARLY and better > -MISFITS) or (better >= MISFITS and clearly > -CLEARLY)


def _best_fit(
    looks: NDArray[np.float32], labels: Sequence[str], known: Sequence[Deck]
) -> tuple[NDArray[np.float32], Deck]:
    """Choose the deck whose faces the named cards resemble most.

    Returns:
        How much more each card is like its namesake there than like the average face (nan
        where there is none), and the deck.
    """
    fits = []
    for deck in known:
        likeness = _likeness(looks, deck)
        own = np.array([deck.labels.index(label) if label in deck.labels else -1 for label in labels])
        fit = likeness[np.arange(len(labels)), own] - likeness.mean(1)
        fits.append(np.where(own < 0, np.nan, fit).astype(np.float32))
    means = [float(fit[np.isfinite(fit)].mean()) if np.isfinite(fit).any() else -1.0 for fit in fits]
    best = int(np.argmax(means))
    return fits[best], known[best]


def _flower_misfits(looks: NDArray[np.float32], labels: Sequence[str]) -> int:
    """Count the flower copies that resemble another plain card more than their own plain copy."""
    plain = [place for place, label in enumerate(labels) if not label.startswith(FLOWER)]
    count = 0
    for place, label in enumerate(labels):
        if label.startswith(FLOWER) and label[1:] in labels:
            likeness = looks[plain] @ looks[place]
            own = float(likeness[[labels[other] == label[1:] for other in plain]].max())
            count += float(likeness.max()) - own > UNLIKE
    return count


def _how_clearly(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Compare two fits of the same cards by Student's t; 0 where few differ, or by little."""
    gain = (one - other)[np.isfinite(one) & np.isfinite(other)].astype(np.float64)
    if len(gain) < FEW or abs(gain.mean()) < UNLIKE:
        return 0.0
    return float(gain.mean() / max(gain.std(ddof=1) / np.sqrt(len(gain)), 1e-6))


def _strange(
    looks: NDArray[np.float32], labels: Sequence[str], known: Sequence[Deck], photo: int, *, insist: bool
) -> list[LearnWarning]:
    """Look for cards that have the look of another face in the deck that they resemble most.

    Raises:
        DeckError: there are so many that the order must be another, or two have each other's look, and
            nobody insists.
    """
    if not known:
        return []
    _, deck = _best_fit(looks, labels, known)
    likeness = _likeness(looks, deck)
    warnings = []
    for place, label in enumerate(labels):
        others = [
            (float(value), other)
            for value, other in zip(likeness[place], deck.labels, strict=True)
            if other.removeprefix(FLOWER) != label.removeprefix(FLOWER)
        ]
        most, other = max(others)
        own = float(likeness[place, deck.labels.index(label)])
        if most > FAMILIAR and most - own > STRANGE:
            values = (("photo", str(photo)), ("place", str(place + 1)), ("one", label), ("other", other))
            warnings.append(LearnWarning("strange", values))
    if insist:
        return warnings
    if len(warnings) >= FEW or _shifted(warnings, labels):
        raise DeckError(
            "order_strange", photo=photo, labels="、".join(dict(w.values)["one"] for w in warnings)
        )
    exchanged = _exchanged(likeness, labels, deck.labels)
    if exchanged is not None:
        raise DeckError("exchanged", photo=photo, one=exchanged[0], other=exchanged[1])
    return warnings


def _shifted(warnings: Sequence[LearnWarning], labels: Sequence[str]) -> bool:
    """Tell whether cards in a row look each like the one before, or the one after: one is lacking there."""
    looks = {int(values["place"]) - 1: values["other"] for values in (dict(each.values) for each in warnings)}
    for side in (-1, 1):
        moved = [
            place
            for place, other in looks.items()
            if 0 <= place + side < len(labels) and labels[place + side] == other
        ]
        if any(place + 1 in moved for place in moved):
            return True
    return False


def _exchanged(
    likeness: NDArray[np.float32], labels: Sequence[str], faces: Sequence[str]
) -> tuple[str, str] | None:
    """Find two cards of different characters that have each the look of the other.

    Args:
        likeness: float32[cards, faces], to the faces of another deck.
        labels: what the cards are called.
        faces: of that deck.

    Returns:
        Their names, of the two that fit the exchange best; None where no two do.
    """
    places = [place for place, label in enumerate(labels) if label in faces]
    named = likeness[np.ix_(places, [faces.index(labels[place]) for place in places])]
    better = named - np.diag(named)[:, None]
    characters = np.array([labels[place].removeprefix(FLOWER) for place in places])
    gain = np.where(
        (characters[:, None] != characters) & (better > 0) & (better.T > 0), (better + better.T) / 2, 0
    )
    one, other = np.unravel_index(int(gain.argmax()), gain.shape) if gain.size else (0, 0)
    if not gain.size or gain[one, other] <= EXCHANGED:
        return None
    return labels[places[one]], labels[places[other]]


def choose_cards(found: Found, count: int, *, photo: int = 1) -> list[FoundCard]:
    """Choose the cards of a photo of which it is known how many there are.

    Whole cards lie there, so that those come first of which both ends are found, and
    what lies on another card is no card of its own.

    Args:
        found: all that may be cards, faint ones too.
        count: how many there are.
        photo: number of the photo, for the message.

    Returns:
        The cards in reading order.

    Raises:
        DeckError: it is not clear which they are.
    """
    cards = _apart(found)
    quality = np.array([_quality(found.ends, card) for card in cards])
    clear = int((quality >= CLEAR).sum())
    if clear != count:
        least = float(quality[count - 1]) if len(quality) >= count else 0.0
        next_best = float(quality[count]) if len(quality) > count else 0.0
        if least < FAINT_CARD or least - next_best < GAP:
            code = "too_few" if clear < count else "too_many"
            raise DeckError(code, photo=photo, found=clear, named=count)
    chosen = cards[:count]
    places, _ = group_cards([_shortened(corners) for corners in lie_flat(found.ends, chosen)])
    return [chosen[place] for place in places]


def _shortened(corners: Outline) -> Outline:
    """Shorten an outline, so that rows of which one covers a little of the other are no columns."""
    a, b, c, d = (np.array(corner) for corner in corners)
    cut = (1 - ROW_APART) / 2
    pairs = ((a, d), (b, c), (c, b), (d, a))
    one, two, three, four = (
        (float(x), float(y)) for x, y in (near + (far - near) * cut for near, far in pairs)
    )
    return one, two, three, four


def count_cards(found: Found) -> int:
    """Count the cards that clearly lie in a photo of faces.

    Args:
        found: all that may be cards, faint ones too.

    Returns:
        How many there are.
    """
    return sum(_quality(found.ends, card) >= CLEAR for card in _apart(found))


def _quality(ends: Ends, card: FoundCard) -> float:
    return float(ends.scores[list(card.ends)].sum()) / 2


def _apart(found: Found) -> list[FoundCard]:
    """Find whole cards anew, knowing that all are equally long and that none covers another.

    A picture in the middle of a card is not one of its ends, and what lies on a card is
    no card of its own.

    Args:
        found: all that may be cards.

    Returns:
        The cards, the clearest first.
    """
    ends = found.ends
    pairs = [card.ends for card in found.cards if len(card.ends) == 2]
    spans = [_span(ends, pair[0], pair[1]) for pair in pairs]
    usual = float(np.median(spans)) if len(spans) >= FEW else np.nan
    whole = [pair for pair, span in zip(pairs, spans, strict=True) if not abs(span / usual - 1) > LENGTHS]
    taken = {end for pair in whole for end in pair}
    single = sorted(set(range(len(ends))) - taken, key=lambda end: -float(ends.scores[end]))
    for place, one in enumerate(single):
        for other in single[place + 1 :]:
            if taken.isdisjoint((one, other)) and _face_away(ends, one, other, usual):
                whole.append((one, other))
                taken |= {one, other}
    every = [*whole, *((end,) for end in single if end not in taken)]
    cards = sorted(
        (FoundCard(card, outline(ends, card)) for card in every), key=lambda card: -_quality(ends, card)
    )
    kept: list[FoundCard] = []
    for card in cards:
        if not any(_overlap(card.outline, other.outline) for other in kept):
            kept.append(card)
    return kept


def _span(ends: Ends, one: int, other: int) -> float:
    """Measure from one end to another in halves of a card's width."""
    apart = float(np.hypot(*(ends.centres[one] - ends.centres[other])))
    return apart / float(ends.halves[one])


def _face_away(ends: Ends, one: int, other: int, usual: float) -> bool:
    """Tell whether two ends may be those of one card that is as long as the others."""
    ups = ends.ups[[one, other]] / np.maximum(np.hypot(*ends.ups[[one, other]].T), 1e-6)[:, None]
    between = ends.centres[one] - ends.centres[other]
    aside = abs(float(ups[0, 0] * between[1] - ups[0, 1] * between[0]))
    behind = float(ups[0] @ between) > 0 > float(ups[1] @ between)
    alike = abs(_span(ends, one, other) / usual - 1) <= LENGTHS
    return bool(ups[0] @ ups[1] < OPPOSITE and behind and alike and aside < float(ends.halves[one]))


def _overlap(one: Outline, other: Outline) -> bool:
    """Tell whether two outlines are of one card."""
    return max(_share(one, other), _share(other, one)) > SAME_PLACE


def _share(one: Outline, other: Outline) -> float:
    """Estimate how much of an outline lies inside another, 0 to 1."""
    a, b, c, d = (np.array(corner) for corner in one)
    across, along = np.meshgrid((np.arange(5) + 0.5) / 5, (np.arange(15) + 0.5) / 15)
    x, y = across[..., None], along[..., None]
    points = (a * (1 - x) + b * x) * (1 - y) + (d * (1 - x) + c * x) * y
    corners = np.array(other)
    sides = np.roll(corners, -1, axis=0) - corners
    from_corner = points[:, :, None] - corners
    turns = sides[:, 0] * from_corner[..., 1] - sides[:, 1] * from_corner[..., 0]
    inside = (turns >= 0).all(2) | (turns <= 0).all(2)
    return float(inside.mean())


def _examples(found: Found, cards: Sequence[FoundCard], labels: Sequence[str]) -> list[list[Example]]:
    """Take every seen end of every card as an example of its face.

    Both ends of a card are printed alike. An end that looks more like another card than like the
    other end of its own is covered or cut badly: it is left out. A flower copy may look like its plain one.
    """
    ends = [[end for end in card.ends if end == card.ends[0] or found.ends.seen[end] > 0.8] for card in cards]
    for place, pair in enumerate(ends):
        if len(pair) != 2:
            continue
        strangers = [
            end
            for other, label in zip(ends, labels, strict=True)
            if label[-1] != labels[place][-1]
            for end in other
        ]
        own = float(found.embeddings[pair[0]] @ found.embeddings[pair[1]])
        like = [float((found.embeddings[strangers] @ found.embeddings[end]).max(initial=-1)) for end in pair]
        if max(like) > own:
            ends[place] = [pair[int(np.argmin(like))]]
    return [
        [Example(label, np.ascontiguousarray(found.crops[end]), found.embeddings[end]) for end in some]
        for label, some in zip(labels, ends, strict=True)
    ]


def _check_namesakes(
    old: Sequence[Example], new: Sequence[Sequence[Example]], photo: int, *, insist: bool
) -> list[LearnWarning]:
    """Make sure that the cards of a photo look like their namesakes of the photos before.

    Returns:
        A warning for each that fits another face better, where somebody insists.

    Raises:
        DeckError: one fits another face better, or so many do that it is another deck.
    """
    if not old:
        return []
    labels = [example.label for example in old]
    vectors = np.stack([_vector(example) for example in old])
    unlike = []
    for place, card in enumerate(new, 1):
        likeness = vectors @ _vector(card[0])
        own = [value for label, value in zip(labels, likeness, strict=True) if label == card[0].label]
        best = int(np.argmax(likeness))
        if own and likeness[best] - max(own) > UNLIKE:
            unlike.append((place, card[0].label, labels[best]))
    if unlike and not insist:
        place, label, other = unlike[0]
        if len(unlike) >= TWO_DECKS:
            raise DeckError("two_decks", photo=photo, count=len(unlike))
        raise DeckError("namesake", photo=photo, place=place, label=label, other=other)
    return [
        LearnWarning(
            "namesake",
            (("photo", str(photo)), ("place", str(place)), ("label", label), ("other", other)),
        )
        for place, label, other in unlike
    ]


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
