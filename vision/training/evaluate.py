"""Measure the reading on a folder of labelled photos: ``make eval EVAL=folder``.

The folder holds photos with a JSON of the same name beside each, in the form of
DESIGN.md, "Photos to develop with". Every deck is learned from its enrol photo
with the lowest number; all other photos are read with that deck. What counts as
read, exact, silently wrong and as a tap is said there, too, and done here.

Written to ``out/eval`` (``--out``): the table (``table.md``), every photo and
card (``photos.json``), the confusion pairs (``confusions.csv``) and a contact
sheet of every wrong card (``wrong_*.png``).
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import load_calibration
from vision.crops import cut
from vision.deck import Deck, Example
from vision.decode import read_photo
from vision.draw import draw_reading
from vision.errors import VisionError
from vision.faces import kind_of
from vision.find import outline
from vision.group import group_cards
from vision.learn import learn_deck
from vision.name import DIMENSIONS, embed
from vision.pair import UNLIKELY
from vision.read import FINDER, NAMER, REFINER, VERIFIER, Found, Picture, Reader
from vision.session import manifest_sha256, open_session, ships
from vision.types import Card, Ends, FoundCard, Reading

if TYPE_CHECKING:
    from table.terms import LaidGroup

LAYOUTS = ("columns", "rows", "fan", "loose", "hand")
"""The layouts that the table of issue 3 counts."""

COUNTED = 0.6
"""Cards of which this share of an end is seen have to be read."""

REACH = 0.8
"""A mark belongs to a label within this many widths of the card."""

HIDDEN = 0.5
"""An end that is covered counts as so many widths farther: what is read is what is seen."""

END = 0.175
"""An end's centre lies at this share of the length from the short edge."""

SHEET_ROWS, SHEET_COLUMNS = 12, 10


@dataclass
class Label:
    """A labelled card."""

    name: str
    seen: float
    seen_other: float
    end: NDArray[np.float64]
    outline: NDArray[np.float64]
    group: int | None = None
    laid: bool = False
    winning: bool = False

    @property
    def width(self) -> float:
        """Mean of the two short edges."""
        o = self.outline
        return float(np.hypot(*(o[1] - o[0])) + np.hypot(*(o[2] - o[3]))) / 2

    @cached_property
    def other_end(self) -> NDArray[np.float64]:
        """Where the end would lie if the card were turned by half, seen as the card is.

        The outline says how: what is halfway along a card that recedes lies beyond the middle of its picture.
        """
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        view = cv2.getPerspectiveTransform(square, self.outline.astype(np.float32))
        place = np.linalg.solve(view, np.append(self.end, 1))
        turned = view @ np.append(1 - place[:2] / place[2], 1)
        other: NDArray[np.float64] = turned[:2] / turned[2]
        return other


@dataclass
class Photo:
    """A photo of the folder with its labels."""

    path: Path
    deck: str
    layout: str
    hard: bool
    labels: list[Label]
    about: dict[str, Any]

    @property
    def number(self) -> int:
        """The number at the end of its name."""
        found = re.search(r"(\d+)$", self.path.stem)
        return int(found.group(1)) if found else 0


@dataclass
class Wrong:
    """A card that was read wrong, missed, or made up."""

    photo: Photo
    label: Label | None
    card: Card | None


@dataclass
class Result:
    """What a photo came to."""

    photo: Photo
    counted: int = 0
    right: int = 0
    base_right: int = 0
    """Right but perhaps for the flower."""
    taps: int = 0
    exact: bool = False
    warned: bool = False
    """An unsure card or a doubt."""
    cards: int = 0
    right_read: int = 0
    right_unsure: int = 0
    sure_wrong: int = 0
    sure: int = 0
    phantoms: int = 0
    sure_phantoms: int = 0
    wrong: list[Wrong] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    payment: str = ""
    """right, wrong, or nothing where it cannot be scored."""
    settled: bool = False
    ms: dict[str, float] = field(default_factory=dict)

    @property
    def silent(self) -> bool:
        """Silently wrong."""
        return not self.exact and not self.warned


# --- loading ---------------------------------------------------------------------------------------------


def load_folder(folder: Path) -> list[Photo]:
    """Read the labels of a folder.

    Args:
        folder: photos, each with a JSON beside it.

    Returns:
        The photos by name.
    """
    photos = []
    for path in sorted(folder.glob("*.json")):
        about = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(about, dict) or "cards" not in about:
            continue
        picture = next(
            (path.with_suffix(s) for s in (".jpg", ".jpeg", ".png", ".webp") if path.with_suffix(s).exists()),
            None,
        )
        if picture is None:
            print(f"{path.name}: no photo beside it", file=sys.stderr)
            continue
        layout, _, more = str(about.get("layout", "none")).partition("+")
        labels = [
            Label(
                name=card["label"],
                seen=float(card.get("seen", 1)),
                seen_other=float(card.get("seen_other_end", 0)),
                end=np.array(card["end"], float),
                outline=np.array(card["outline"], float),
                group=card.get("group"),
                laid=bool(card.get("laid")),
                winning=bool(card.get("winning")),
            )
            for card in about["cards"]
        ]
        hard = bool(about.get("hard")) or "hard" in more
        photos.append(Photo(picture, str(about.get("deck") or ""), layout, hard, labels, about))
    return photos


# --- an oracle in place of the finder --------------------------------------------------------------------


def label_ends(label: Label) -> list[tuple[NDArray[np.float64], ...]]:
    """Compute both ends of a labelled card.

    Args:
        label: a card.

    Returns:
        Centre, up and right of the labelled end and of the other one.
    """
    corners = label.outline
    tops = ((corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2)
    first = 0 if np.hypot(*(label.end - tops[0])) <= np.hypot(*(label.end - tops[1])) else 1
    if first:
        corners = np.roll(corners, -2, axis=0)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_photo = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))

    def at(x: float, y: float) -> NDArray[np.float64]:
        point = to_photo @ np.array([x, y, 1.0])
        return point[:2] / point[2]

    ends = []
    for y, edge, sign in ((END, 0.0, 1), (1 - END, 1.0, -1)):
        centre = at(0.5, y)
        ends.append((centre, at(0.5, edge) - centre, sign * (at(1.0, y) - at(0.0, y)) / 2))
    return ends


def oracle_find(
    reader: Reader, picture: Picture, labels: list[Label], rng: np.random.Generator, noise: float = 0
) -> Found:
    """Find the cards of a photo by its labels, with a little noise.

    Args:
        reader: names the ends.
        picture: the photo.
        labels: its cards.
        rng: source of the noise.
        noise: how far off the ends are, in widths of the card.

    Returns:
        The cards in reading order.
    """
    centres, ups, rights, middles, seen, cards = [], [], [], [], [], []
    for label in labels:
        places = []
        for (centre, up, right), share in zip(label_ends(label), (label.seen, label.seen_other), strict=True):
            if share < 0.3:
                continue
            error = label.width * noise
            places.append(len(centres))
            centres.append(centre + rng.normal(0, error, 2))
            ups.append(up + rng.normal(0, error, 2))
            rights.append(right + rng.normal(0, error / 2, 2))
            middles.append(label.outline.mean(0))
            seen.append(share)
        if places:
            cards.append(tuple(sorted(places, key=lambda place: -seen[place])))
    if not cards:
        ends = Ends.empty()
    else:
        scale = 1 / picture.scale
        ends = Ends(
            *(np.array(a, np.float32) for a in (centres, ups, rights, middles)),
            np.full(len(seen), 0.9, np.float32),
            np.array(seen, np.float32),
        ).scaled(scale)
    found = [
        FoundCard(card, outline(ends, card), pair=-UNLIKELY if len(card) == 2 else UNLIKELY) for card in cards
    ]
    order, groups = group_cards([card.outline for card in found])
    crops = cut(picture.pixels, ends.centres, ends.ups, ends.rights)
    return Found(
        ends=ends,
        cards=tuple(found[place] for place in order),
        groups=tuple(groups),
        faint=Ends.empty(),
        faint_embeddings=np.empty((0, DIMENSIONS), np.float32),
        faint_crops=np.empty((0, *crops.shape[1:]), np.uint8),
        crops=crops,
        embeddings=embed(crops, reader.namer),
        ms={},
    )


def read_as_labelled(
    reader: Reader, picture: Picture, deck: Deck, labels: list[Label], noise: float = 0
) -> Reading:
    """Read a photo whose ends are known.

    Args:
        reader: names the ends.
        picture: the photo.
        deck: the deck.
        labels: its cards.
        noise: how far off the ends are, in widths of the card.

    Returns:
        The reading.
    """
    found = oracle_find(reader, picture, labels, np.random.default_rng(len(labels)), noise)
    return reader.name(found, [deck], picture, given=True)


# --- measuring -------------------------------------------------------------------------------------------


def farness(mark: tuple[float, float], label: Label) -> float:
    """Say how far a mark lies from a labelled card.

    Args:
        mark: where the end of a card was read.
        label: of a card.

    Returns:
        How far from the nearer of its ends, in its widths; one that is covered counts as farther
        (`HIDDEN`). Infinite where the mark belongs to neither (`REACH`).
    """
    return min(
        (
            distance + HIDDEN * (1 - seen)
            for end, seen in ((label.end, label.seen), (label.other_end, label.seen_other))
            if (distance := math.dist(mark, end) / label.width) <= REACH
        ),
        default=math.inf,
    )


def match(labels: list[Label], cards: tuple[Card, ...]) -> list[int | None]:
    """Match the cards that were read with the labels, one to one, nearest first.

    Where ends of two cards lie on one another, that which is seen is nearer (`farness`).

    Args:
        labels: of the photo.
        cards: that were read in it.

    Returns:
        For each card the place of its label, or None.
    """
    near = [
        (far, place, number)
        for place, card in enumerate(cards)
        for number, label in enumerate(labels)
        if (far := farness(card.mark, label)) < math.inf
    ]
    result: list[int | None] = [None] * len(cards)
    taken: set[int] = set()
    for _, place, number in sorted(near):
        if result[place] is None and number not in taken:
            result[place] = number
            taken.add(number)
    return result


def judge(photo: Photo, reading: Reading) -> Result:
    """Compare a reading with the labels.

    Args:
        photo: with its labels.
        reading: of it.

    Returns:
        The counts of DESIGN.md, "Photos to develop with".
    """
    result = Result(photo, ms=dict(reading.ms))
    matched = match(photo.labels, reading.cards)
    result.warned = not reading.sure
    result.cards = len(reading.cards)
    by_label = {number: place for place, number in enumerate(matched) if number is not None}
    exact = True
    for number, label in enumerate(photo.labels):
        counted = label.seen >= COUNTED
        result.counted += counted
        place = by_label.get(number)
        if place is None:
            if counted:
                exact = False
                result.taps += 1
                result.wrong.append(Wrong(photo, label, None))
                result.pairs.append((label.name, "-"))
            continue
        card = reading.cards[place]
        result.sure += card.sure
        if card.card == label.name:
            result.right += counted
            result.base_right += counted
            result.right_read += 1
            result.right_unsure += not card.sure
            continue
        result.base_right += counted and card.card.removeprefix("花") == label.name.removeprefix("花")
        exact = False
        result.taps += 1
        result.sure_wrong += card.sure
        result.wrong.append(Wrong(photo, label, card))
        result.pairs.append((label.name, card.card))
    for place, card in enumerate(reading.cards):
        if matched[place] is None:
            exact = False
            result.taps += 1
            result.phantoms += 1
            result.sure_phantoms += card.sure
            result.sure += card.sure
            result.sure_wrong += card.sure
            result.wrong.append(Wrong(photo, None, card))
            result.pairs.append(("-", card.card))
    result.exact = exact
    if photo.layout == "hand" and "hand" in photo.about:
        result.payment = pay(photo, reading, matched)
        result.settled = bool(result.payment) and is_settled(photo, reading, matched)
    return result


def pay(photo: Photo, reading: Reading, matched: list[int | None]) -> str:
    """Score a hand as it was read, laid groups and winning card given, against the labels.

    Args:
        photo: with its hand.
        reading: of it.
        matched: the label of each card.

    Returns:
        right or wrong; nothing where there is no scorer.
    """
    try:
        import scorer
    except ImportError:
        return ""
    if not hasattr(scorer, "score"):
        return ""
    rule = str(photo.about["rule"])
    options = photo.about.get("options")
    book = scorer.load_book(rule, options)
    truth_hand = scorer.parse_hand(str(photo.about["hand"]))
    settings = {
        key: photo.about[key]
        for key in ("by", "players", "stake", "winner", "discarder")
        if key in photo.about
    }
    truth = scorer.score(book, truth_hand, win=photo.about.get("winning"), **settings)
    brackets = {}
    for laid in truth_hand.laid:
        brackets.setdefault(tuple(sorted(laid.cards)), "()" if laid.bracket == "round" else "[]")
    groups: dict[int, list[tuple[str, str]]] = defaultdict(list)
    free: list[str] = []
    win = None
    for card, number in zip(reading.cards, matched, strict=True):
        label = photo.labels[number] if number is not None else None
        if label is not None and label.winning:
            win = card.card
        if label is not None and label.laid and label.group is not None:
            groups[label.group].append((card.card, label.name))
        else:
            free.append(card.card)
    truths: dict[int, list[str]] = defaultdict(list)
    for label in photo.labels:
        if label.laid and label.group is not None:
            truths[label.group].append(label.name)
    text = "".join(free)
    for group, cards in groups.items():
        left, right = brackets.get(tuple(sorted(truths[group])), "()")
        text += left + "".join(card for card, _ in cards) + right
    try:
        score = scorer.score(book, scorer.parse_hand(text), win=win, **settings)
    except ValueError:
        return "wrong"
    same = score.wins == truth.wins and score.to_json()["payments"] == truth.to_json()["payments"]
    return "right" if same else "wrong"


def on_the_table(photo: Photo, matched: Iterable[int | None]) -> tuple[list[LaidGroup], int | None]:
    """Say what the labels say of the table.

    Args:
        photo: with its labels.
        matched: the label of each card, in the order in which they count.

    Returns:
        The groups that lay there and the winning card, as places of cards.
    """
    from table.terms import LaidGroup

    laid: dict[int, list[int]] = defaultdict(list)
    win = None
    for place, number in enumerate(matched):
        if number is not None:
            label = photo.labels[number]
            win = place if label.winning else win
            if label.laid and label.group is not None:
                laid[label.group].append(place)
    return [LaidGroup(tuple(places)) for places in laid.values()], win


def is_settled(photo: Photo, reading: Reading, matched: list[int | None]) -> bool:
    """Ask the table whether it would pay without a question, laid groups and winning card given.

    Args:
        photo: with its hand.
        reading: of it.
        matched: the label of each card.

    Returns:
        Whether the round is settled.
    """
    import scorer
    from table.round import play

    book = scorer.load_book(str(photo.about["rule"]), photo.about.get("options"))
    groups, win = on_the_table(photo, matched)
    try:
        played = play(reading, book, laid=groups, win=win)
    except ValueError:
        return False
    return played.settlement.settled


# --- decks -----------------------------------------------------------------------------------------------


def learn_decks(photos: list[Photo], reader: Reader, *, oracle: bool) -> dict[str, Deck]:
    """Learn every deck from its enrol photo with the lowest number.

    Args:
        photos: of the folder.
        reader: finds and looks at the cards.
        oracle: whether the ends are taken from the labels.

    Returns:
        Decks by name. Where learning fails, its reason is printed and the deck is
        made from those labelled ends that were found.
    """
    decks: dict[str, Deck] = {}
    enrol: dict[str, Photo] = {}
    for photo in photos:
        known = enrol.get(photo.deck)
        if photo.layout == "enrol" and (known is None or photo.number < known.number):
            enrol[photo.deck] = photo
    for name, photo in enrol.items():
        picture = read_photo(photo.path)
        text = "".join(label.name for label in photo.labels)
        if not oracle:
            try:
                learned = learn_deck("measured", [picture], text, reader=reader)
            except VisionError as error:
                print(f"{photo.path.name}: {error}", file=sys.stderr)
            else:
                for warning in learned.warnings:
                    print(f"{photo.path.name}: {warning.text('zh-Hant')}", file=sys.stderr)
                decks[name] = learned.deck
                continue
        decks[name] = _deck_of_labels(photo, picture, reader)
    return decks


def _deck_of_labels(photo: Photo, picture: Picture, reader: Reader) -> Deck:
    found = oracle_find(reader, picture, photo.labels, np.random.default_rng(0))
    examples = []
    for card in found.cards:
        mark = found.ends.centres[card.ends[0]] * picture.scale
        label = min(
            photo.labels,
            key=lambda label: min(np.hypot(*(mark - label.end)), np.hypot(*(mark - label.other_end))),
        )
        examples += [Example(label.name, found.crops[end], found.embeddings[end]) for end in card.ends]
    kind = kind_of(example.label for example in examples)
    return Deck("measured", kind, tuple(examples), namer=reader.namer_sha256)


# --- reports ---------------------------------------------------------------------------------------------


def share(part: float, whole: float) -> str:
    """Write a share in per cent.

    Args:
        part: the part.
        whole: the whole.

    Returns:
        ``98.7 %``, or a dash.
    """
    return f"{100 * part / whole:.1f} %" if whole else "–"


def table(results: list[Result]) -> str:
    """Write the table of issue 3.

    Args:
        results: of all photos.

    Returns:
        Markdown.
    """
    main = [r for r in results if r.photo.layout in LAYOUTS]
    columns: list[tuple[str, list[Result]]] = [
        ("all", main),
        ("not hard", [r for r in main if not r.photo.hard]),
        ("hard", [r for r in main if r.photo.hard]),
    ]
    columns += [(layout, [r for r in main if r.photo.layout == layout]) for layout in LAYOUTS]
    columns = [(name, some) for name, some in columns if some]

    def total(some: list[Result], what: str) -> int:
        return sum(int(getattr(r, what)) for r in some)

    rows: list[tuple[str, list[str]]] = []

    def row(name: str, value: Any) -> None:
        rows.append((name, [value(some) for _, some in columns]))

    row("photos", lambda s: str(len(s)))
    row("cards that count", lambda s: str(total(s, "counted")))
    row("cards right", lambda s: share(total(s, "right"), total(s, "counted")))
    row("cards right, flower apart", lambda s: share(total(s, "base_right"), total(s, "counted")))
    row("photos exact", lambda s: share(total(s, "exact"), len(s)))
    row("exact after at most one tap", lambda s: share(sum(r.taps <= 1 for r in s), len(s)))
    row("taps a photo", lambda s: f"{total(s, 'taps') / len(s):.2f}")
    row("silently wrong", lambda s: str(total(s, "silent")))
    row("sure cards that are wrong", lambda s: f"{total(s, 'sure_wrong')} of {total(s, 'sure')}")
    row("right cards marked unsure", lambda s: share(total(s, "right_unsure"), total(s, "right_read")))
    row(
        "exact photos that carry a doubt",
        lambda s: share(sum(r.exact and r.warned for r in s), total(s, "exact")),
    )
    row("cards made up", lambda s: str(total(s, "phantoms")))
    row("hands that could be scored", lambda s: str(sum(bool(r.payment) for r in s)))
    row("payment right without a touch", lambda s: _pays(s, "right", settled=True))
    row("payment wrong without a warning", lambda s: _pays(s, "wrong", settled=True))
    row("payment right, warned or not", lambda s: _pays(s, "right", settled=None))
    lines = ["| |" + "|".join(name for name, _ in columns) + "|", "|---|" + "---|" * len(columns)]
    lines += [f"| {name} |" + "|".join(values) + "|" for name, values in rows]
    others = (
        ("enrol photos (the others)", [r for r in results if r.photo.layout == "enrol"]),
        ("photos cut through cards", [r for r in results if r.photo.layout == "cut"]),
        ("printed pages", [r for r in results if r.photo.layout == "page"]),
        ("photos without cards", [r for r in results if not r.photo.labels and r.photo.layout != "page"]),
    )
    for name, some in others:
        if some:
            lines.append("")
            lines.append(
                f"{name}: {len(some)}, exact {total(some, 'exact')}, silently wrong {total(some, 'silent')}, "
                f"sure cards wrong {total(some, 'sure_wrong')} of {total(some, 'sure')}, "
                f"cards made up {total(some, 'phantoms')}, sure ones {total(some, 'sure_phantoms')}"
            )
    times = [r.ms for r in main if r.ms]
    if times:
        stages = list(dict.fromkeys(stage for ms in times for stage in ms))
        median = {stage: float(np.median([ms.get(stage, 0) for ms in times])) for stage in stages}
        lines += ["", "ms, median: " + ", ".join(f"{stage} {value:.0f}" for stage, value in median.items())]
    return "\n".join(lines)


def _pays(some: list[Result], what: str, *, settled: bool | None) -> str:
    hands = [r for r in some if r.payment]
    count = sum(r.payment == what and (settled is None or r.settled == settled) for r in hands)
    return f"{count} of {len(hands)}" if hands else "–"


def contact_sheets(wrongs: list[Wrong], folder: Path) -> list[Path]:
    """Paint every wrong card: as labelled, as read, and what both call it.

    Args:
        wrongs: the cards.
        folder: where to.

    Returns:
        The pictures.
    """
    tile_width, tile_height = 150, 124
    font = cv2.FontFace("uni")
    tiles = []
    pictures: dict[Path, Picture] = {}
    for wrong in wrongs:
        tile = np.full((tile_height, tile_width, 3), 255, np.uint8)
        if wrong.photo.path not in pictures:
            pictures.clear()
            pictures[wrong.photo.path] = read_photo(wrong.photo.path)
        picture = pictures[wrong.photo.path]
        if wrong.label is not None:
            centre, up, right = (
                np.array([v], np.float32) / picture.scale for v in label_ends(wrong.label)[0]
            )
            tile[2:74, 2:50] = cut(picture.pixels, centre, up, right)[0]
        if wrong.card is not None and wrong.card.crop is not None:
            tile[2:74, 54:102] = wrong.card.crop
        truth = f"{wrong.label.name} {wrong.label.seen:.2f}" if wrong.label else "–"
        read = "–" if wrong.card is None else wrong.card.card
        sure = wrong.card is not None and wrong.card.sure
        colour = (220, 0, 0) if sure else (0, 0, 0)
        cv2.putText(tile, truth, (2, 88), (0, 110, 0), font, 13)
        note = "" if wrong.card is None else f" {wrong.card.confidence:.2f}"
        cv2.putText(tile, f"→ {read}{note}", (70, 88), colour, font, 13)
        cv2.putText(tile, wrong.photo.path.stem[:26], (2, 105), (90, 90, 90), font, 9)
        if wrong.label is not None:
            place = f"{wrong.label.end[0]:.0f},{wrong.label.end[1]:.0f}"
            cv2.putText(tile, place, (2, 119), (90, 90, 90), font, 9)
        tiles.append(tile)
    paths = []
    step = SHEET_ROWS * SHEET_COLUMNS
    for number, start in enumerate(range(0, len(tiles), step)):
        some = tiles[start : start + step]
        rows = -(-len(some) // SHEET_COLUMNS)
        sheet = np.full((rows * tile_height, SHEET_COLUMNS * tile_width, 3), 255, np.uint8)
        for place, tile in enumerate(some):
            y, x = divmod(place, SHEET_COLUMNS)
            sheet[y * tile_height : (y + 1) * tile_height, x * tile_width : (x + 1) * tile_width] = tile
        path = folder / f"wrong_{number}.png"
        cv2.imwrite(str(path), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
        paths.append(path)
    return paths


def measure(
    folder: Path,
    out: Path,
    *,
    oracle: bool = False,
    noise: float = 0,
    overlays: bool = False,
    reader: Reader | None = None,
) -> list[Result]:
    """Measure the reading on a folder and write all reports.

    Args:
        folder: photos with labels.
        out: where the reports go.
        oracle: whether the ends are taken from the labels instead of the finder.
        noise: how far off these ends are, in widths of a card.
        overlays: whether every photo that is not exact is painted with its reading.
        reader: reads the photos; None takes the shipped models.

    Returns:
        A result for each photo that was read.
    """
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("wrong_*.png"), *out.glob("overlay_*.jpg")]:
        old.unlink()
    photos = load_folder(folder)
    reader = reader or Reader()
    decks = learn_decks(photos, reader, oracle=oracle)
    enrolled = {
        name: min((p.number for p in photos if p.deck == name and p.layout == "enrol"), default=-1)
        for name in decks
    }
    results = []
    for photo in photos:
        if photo.layout == "enrol" and photo.number == enrolled.get(photo.deck):
            continue
        deck = decks.get(photo.deck)
        if deck is None and photo.labels:
            print(f"{photo.path.name}: its deck {photo.deck} has no enrol photo", file=sys.stderr)
            continue
        picture = read_photo(photo.path)
        if deck is None and oracle:
            continue
        if deck is None:
            reading = reader.read(picture, list(decks.values()))
        elif oracle:
            reading = read_as_labelled(reader, picture, deck, photo.labels, noise)
        else:
            reading = reader.read(picture, deck)
        result = judge(photo, reading)
        results.append(result)
        if overlays and (not result.exact or result.warned):
            overlay = cv2.cvtColor(draw_reading(picture, reading), cv2.COLOR_RGB2BGR)
            cv2.imwrite(str(out / f"overlay_{photo.path.stem}.jpg"), overlay)
    _write(results, out)
    return results


def _write(results: list[Result], out: Path) -> None:
    text = table(results)
    (out / "table.md").write_text(text + "\n", encoding="utf-8")
    pairs = Counter(pair for result in results for pair in result.pairs)
    with (out / "confusions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["card", "read", "times"])
        writer.writerows((*pair, times) for pair, times in pairs.most_common())
    entries = [
        {
            "photo": r.photo.path.name,
            "layout": r.photo.layout,
            "hard": r.photo.hard,
            "counted": r.counted,
            "right": r.right,
            "taps": r.taps,
            "exact": r.exact,
            "warned": r.warned,
            "payment": r.payment,
            "wrong": [f"{a} {b}" for a, b in r.pairs],
        }
        for r in results
    ]
    (out / "photos.json").write_text(json.dumps(entries, ensure_ascii=False, indent=1), encoding="utf-8")
    contact_sheets([wrong for result in results for wrong in result.wrong], out)
    print(text)
    print()
    print("confused: " + ", ".join(f"{a}→{b} {n}" for (a, b), n in pairs.most_common(30)))
    for r in results:
        if not r.exact or r.payment == "wrong":
            mark = "SILENT" if r.silent else "warned" if r.warned else "sure"
            wrong = " ".join(f"{a}→{b}" for a, b in r.pairs)
            print(f"{r.photo.path.stem}: {r.right}/{r.counted}, {mark} {r.payment} {wrong}")


def reader_of(models: Path | None) -> Reader:
    """Open the models of a folder that has a manifest, or those that ship.

    Args:
        models: the folder; None is that of the program.

    Returns:
        A reader.
    """
    if models is None:
        return Reader()
    numbers = models / "calibration.json"
    return Reader(
        calibration=load_calibration(numbers) if numbers.exists() else None,
        finder=open_session(models, FINDER),
        refiner=open_session(models, REFINER) if ships(models, REFINER) else None,
        namer=open_session(models, NAMER),
        namer_sha256=manifest_sha256(models, NAMER),
        verifier=open_session(models, VERIFIER) if ships(models, VERIFIER) else None,
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.evaluate", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("out/eval"))
    parser.add_argument(
        "--oracle", action="store_true", help="take the ends from the labels, not from the finder"
    )
    parser.add_argument("--noise", type=float, default=0, help="how far off these ends are, in card widths")
    parser.add_argument(
        "--overlays", action="store_true", help="paint every photo that is not exact and sure"
    )
    parser.add_argument("--models", type=Path, help="a folder with other models and their manifest")
    given = parser.parse_args()
    if not given.folder.is_dir():
        parser.error(f"no such folder: {given.folder}")
    begun = time.perf_counter()
    results = measure(
        given.folder,
        given.out,
        oracle=given.oracle,
        noise=given.noise,
        overlays=given.overlays,
        reader=reader_of(given.models),
    )
    print(f"\n{len(results)} photos in {time.perf_counter() - begun:.0f} s; reports in {given.out}")


if __name__ == "__main__":
    main()
