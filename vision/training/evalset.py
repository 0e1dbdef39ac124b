"""Write photos with labels of decks that training never saw: ``python -m vision.training.evalset FOLDER``.

The form is that of the development photos: ``NAME.jpg`` with ``NAME.json`` beside it, every deck with
photos of all its faces (``enrol``), the layouts, hard ones among them, and finished hands of every rule book
of the deck's kind. Another ``--split`` gives the set that confidence is calibrated with.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

import scorer
from vision.faces import COPIES
from vision.training.art import random_deck
from vision.training.scenes import (
    Look,
    PlacedCard,
    Scene,
    Studio,
    lay_hand,
    letter_masks,
    page,
    random_layout,
    render,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.training.fonts import Split

SIZE = (1440, 1080)

BOOKS: dict[int, tuple[tuple[str, dict[str, object]], ...]] = {
    110: (
        ("jingzhou", {}),
        ("sanjing", {}),
        ("wujing", {}),
        ("tongcheng", {}),
        ("jingzhou_shuangbiegan", {}),
    ),
    112: (("shuangbiegan", {}), ("gongan", {}), ("jingzhou_shuangbiegan", {"wilds": 2})),
    96: (("shangdaren", {}),),
}
"""Rule books, with options, whose hands a deck of a kind can hold."""

PHRASES = {
    110: ("上大人", "孔乙己", "可知禮", "化三千", "七十土", "八九子"),
    96: ("上大人", "孔乙己", "化三千", "七十土", "八九子", "爾小生", "佳作仁", "福祿壽"),
}
HARD = 0.3
"""So many of the further photos and of those without cards are hard."""

NUMBERS = "乙二三四五六七八九十"
SPOILT = 0.1
"""Of the photos that confidence is fitted on, so many are grey, veiled or out of focus (`spoil`)."""

MORE: dict[Split, tuple[tuple[str, int], ...]] = {
    "train": (),
    "evaluate": (("cut", 4),),
    "calibrate": (("cut", 5), ("shaken", 3)),
}
"""Further photos of each deck, by the set: cut by the border, and shaken, burnt out or hazy (`shake`)."""

PAGES = 36
"""So many pictures of each set show a printed page and no card."""

PLAN = (
    ("columns", 5),
    ("rows", 5),
    ("fan", 4),
    ("loose", 4),
    ("hand", 9),
    ("columns+hard", 2),
    ("rows+hard", 2),
    ("fan+hard", 2),
    ("loose+hard", 2),
    ("hand+hard", 3),
)
"""Photos of each deck beside the two of its faces."""


def _take(rng: np.random.Generator, left: Counter[str], character: str) -> str | None:
    """Take a copy of a character, plain or flower, out of what is left of the deck."""
    copies = [name for name in (character, "花" + character) for _ in range(left[name])]
    if not copies:
        return None
    card = copies[int(rng.integers(len(copies)))]
    left[card] -= 1
    return card


def random_hand(
    rng: np.random.Generator, rule: str, options: dict[str, object], kind: int
) -> dict[str, object]:
    """A finished hand that wins by a rule book, with groups that lay on the table.

    Args:
        rng: source of chance.
        rule: name of the rule book.
        options: its options.
        kind: 110, 112 or 96.

    Returns:
        ``laid`` and ``free`` (lists of groups, the winning card left out of the latter), ``winning``,
        ``hand`` in text.
    """
    book = scorer.load_book(rule, options)
    phrases = PHRASES[96 if kind == 96 else 110]
    sentences = [list(p) for p in phrases]
    if kind != 96:
        sentences += [list(NUMBERS[i : i + 3]) for i in range(8)]
    characters = sorted({c for s in sentences for c in s})
    six = rule in {"tongcheng", "shangdaren"}
    while True:
        left = Counter(scorer.deck_cards(kind))
        groups: list[tuple[list[str], str]] = []
        broken = False
        for _ in range(6 if six else 8):
            if rng.random() < 0.45:
                count = (
                    int(rng.choice([3, 4, 5], p=[0.72, 0.22, 0.06]))
                    if kind != 96
                    else int(rng.choice([3, 4], p=[0.7, 0.3]))
                )
                wanted = [characters[int(rng.integers(len(characters)))]] * count
            else:
                wanted = sentences[int(rng.integers(len(sentences)))]
            cards = [_take(rng, left, c) for c in wanted]
            if None in cards:
                broken = True
                break
            same = len(set(wanted)) == 1
            where = (
                ("round" if rng.random() < 0.5 else "square" if len(wanted) > 3 else "free")
                if same
                else "free"
            )
            groups.append(
                ([str(c) for c in cards], "square" if where == "free" and len(wanted) > 3 else where)
            )
        if broken:
            continue
        if rng.random() < 0.5:
            pair = [characters[int(rng.integers(len(characters)))]] * 2
        else:
            pair = [
                str(c) for c in rng.choice(sentences[int(rng.integers(len(sentences)))], 2, replace=False)
            ]
        eye = [_take(rng, left, c) for c in pair]
        if None in eye:
            continue
        free = [cards for cards, where in groups if where == "free"] + [[str(c) for c in eye]]
        if book.kind == 112 and rng.random() < 0.7:
            for _ in range(int(rng.integers(1, 3))):
                spots = [(i, j) for i, g in enumerate(free) for j, c in enumerate(g) if c[-1] in "三五七"]
                if spots:
                    i, j = spots[int(rng.integers(len(spots)))]
                    free[i][j] = "賴"
        laid = [(cards, where) for cards, where in groups if where != "free"]
        at = int(rng.integers(len(free)))
        winning = free[at][int(rng.integers(len(free[at])))]
        text = "".join("".join(g) for g in free) + "".join(
            ("(%s)" if where == "round" else "[%s]") % "".join(cards) for cards, where in laid
        )
        result = scorer.score(book, scorer.parse_hand(text), win=winning)
        if not result.wins:
            continue
        free[at] = list(free[at])
        free[at].remove(winning)
        return {
            "laid": [cards for cards, _ in laid],
            "free": [g for g in free if g],
            "winning": winning,
            "hand": text,
        }


def may_lie_together(labels: Iterable[str], kind: int) -> bool:
    """Tell whether one deck has all these cards.

    Args:
        labels: of cards.
        kind: of the deck: 110, 112 or 96.

    Returns:
        Whether there are no more copies of any than it has.
    """
    copies = COPIES[kind]
    return all(count <= copies.get(label, 0) for label, count in Counter(labels).items())


def spoil(rng: np.random.Generator, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Take from a photo what tells cards apart, as few phones do: its colours, its contrast or its edges.

    A confidence that never saw such photos is too sure of them: a flower mark that is hardly there is none.

    Args:
        rng: source of chance.
        image: uint8[h, w, 3], RGB.

    Returns:
        The photo in grey, behind a veil, or out of focus; at times two of these.
    """
    ways = rng.permutation(3)[: 1 + int(rng.random() < 0.2)].tolist()
    spoilt = image.astype(np.float32)
    if 0 in ways:
        weights = (0.299, 0.587, 0.114) if rng.random() < 0.7 else (1 / 3, 1 / 3, 1 / 3)
        spoilt = np.repeat((spoilt @ np.array(weights, np.float32))[..., None], 3, axis=2)
    if 1 in ways:
        contrast, light = rng.uniform(0.2, 0.6), rng.uniform(0, 255)
        spoilt = light + (spoilt - light) * np.float32(contrast)
    if 2 in ways:
        spoilt = cv2.GaussianBlur(spoilt, (0, 0), rng.uniform(1.5, 4.5) * max(image.shape) / SIZE[0])
    return np.clip(spoilt + 0.5, 0, 255).astype(np.uint8)


def shake(rng: np.random.Generator, image: NDArray[np.uint8], width: float) -> NDArray[np.uint8]:
    """Spoil a photo as a hand that is not still does, or light that is too bright.

    Strokes along a shake are lost, and pale flowers in pale light.

    Args:
        rng: source of chance.
        image: uint8[h, w, 3], RGB.
        width: of a card in it, pixels.

    Returns:
        The photo, shaken, burnt out or hazy; at times two of these.
    """
    ways = rng.permutation(3)[: 1 + int(rng.random() < 0.2)].tolist()
    spoilt = image.astype(np.float32)
    if 0 in ways:
        reach = max(2.0, width * rng.uniform(0.06, 0.25)) / 2
        side = 2 * int(np.ceil(reach)) + 1
        angle = rng.uniform(0, np.pi)
        tip = np.array([np.cos(angle), np.sin(angle)]) * reach
        kernel = np.zeros((side, side), np.float32)
        ends = [tuple(np.round((side // 2 + way * tip) * 16).astype(int).tolist()) for way in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
        spoilt = cv2.filter2D(spoilt, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)
    if 1 in ways:
        spoilt = (
            255
            * (np.maximum(spoilt, 0) / 255) ** np.float32(rng.uniform(0.65, 1.0))
            * np.float32(rng.uniform(1.4, 2.4))
        )
    if 2 in ways:
        contrast = rng.uniform(0.15, 0.45)
        spoilt = spoilt * np.float32(contrast) + np.float32(rng.uniform(0.3, 1.0) * 255 * (1 - contrast))
    return np.clip(spoilt + 0.5, 0, 255).astype(np.uint8)


def _bend(rng: np.random.Generator, placed: Sequence[PlacedCard]) -> None:
    bent = rng.random() < 0.4
    for card in placed:
        if bent and rng.random() < 0.6:
            card.lift = float(rng.normal(0, 0.1))


def write_set(folder: Path, *, split: Split, seed: int, decks: int, empty: int, pages: int = PAGES) -> int:
    """Write a set of photos with labels.

    Args:
        folder: where to; made where it is not there.
        split: whose fonts and flowers the decks are drawn from.
        seed: seed of the whole set; each deck has its own chance.
        decks: how many decks.
        empty: how many pictures without cards.
        pages: how many of printed pages.

    Returns:
        How many photos were written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for number in range(decks):
        rng = np.random.default_rng([seed, number])
        kind = (110, 96, 110, 112)[number % 4]
        deck = random_deck(rng, split, kind)
        name = f"{split}{number:02d}k{kind}"
        studio = Studio(rng, tables=24, size=1400, letters=letter_masks(rng, split, 60))
        for index in range(2):
            look = Look.random(rng, hard=False, any_roll=False)
            look.tilt, look.fill, look.gloss, look.wear = min(look.tilt, 0.5), 0.9, 0.0, min(look.wear, 0.3)
            scene = render(
                rng,
                studio,
                random_layout(rng, deck.strips, "enrol"),
                SIZE,
                look,
                clutter=int(rng.integers(0, 3)),
                backs=False,
            )
            written += write_photo(
                folder, f"{name}_enrol_{index:03d}", scene, {"deck": name, "layout": "enrol", "hard": False}
            )
        serial = 100
        for layout, count in PLAN:
            for _ in range(count):
                scene, extra = _photo(rng, studio, deck.strips, layout, kind)
                chance = np.random.default_rng([seed, number, serial])
                if split == "calibrate" and chance.random() < SPOILT:
                    scene.image = spoil(chance, scene.image)
                    extra["spoilt"] = True
                written += write_photo(folder, f"{name}_{layout}_{serial}", scene, {"deck": name, **extra})
                serial += 1
        written += _write_more(folder, split, (seed, number), studio, deck.strips, name, kind)
    rng = np.random.default_rng([seed, 1 << 20])
    studio = Studio(rng, tables=24, size=1400, letters=letter_masks(rng, split, 60))
    for index in range(empty):
        look = Look.random(rng, hard=bool(rng.random() < HARD))
        scene = render(rng, studio, [], SIZE, look, clutter=int(rng.integers(2, 16)))
        written += write_photo(
            folder, f"none_empty_{index:03d}", scene, {"deck": None, "layout": "empty", "hard": look.hard}
        )
    return written + _write_pages(folder, split, seed, pages)


def _write_more(
    folder: Path,
    split: Split,
    seed: tuple[int, int],
    studio: Studio,
    strips: dict[str, np.ndarray],
    name: str,
    kind: int,
) -> int:
    """Write the further photos of a deck, each by its own chance."""
    written, serial = 0, 200
    for sort, count in MORE[split]:
        for _ in range(count):
            rng = np.random.default_rng([*seed, serial])
            layout = str(rng.choice(["columns", "rows", "fan", "loose"], p=[0.5, 0.2, 0.15, 0.15]))
            hard = "+hard" if rng.random() < HARD else ""
            scene, extra = _photo(rng, studio, strips, layout + hard, kind, cut=sort == "cut")
            if sort == "cut":
                extra["layout"] = "cut"
                scene.cards = [card for card in scene.cards if max(end.seen for end in card.ends) > 0]
            elif scene.cards:
                width = float(np.median([2 * np.hypot(*card.ends[0].right) for card in scene.cards]))
                scene.image = shake(rng, scene.image, width)
                extra["spoilt"] = True
            written += write_photo(folder, f"{name}_{sort}_{serial}", scene, {"deck": name, **extra})
            serial += 1
    return written


def _write_pages(folder: Path, split: Split, seed: int, count: int) -> int:
    """Write pictures of printed pages, `vision.training.scenes.page`."""
    rng = np.random.default_rng([seed, 1 << 21])
    letters = letter_masks(rng, split, 60)
    for index in range(count):
        studio = Studio(rng, tables=0, letters=letters, pages=[page(rng, split, 1800)])
        look = Look.random(rng, hard=bool(rng.random() < HARD))
        scene = render(rng, studio, [], SIZE, look, clutter=int(rng.integers(0, 4)), on_page=True)
        about = {"deck": None, "layout": "page", "hard": look.hard}
        write_photo(folder, f"none_page_{index:03d}", scene, about)
    return count


def _photo(
    rng: np.random.Generator,
    studio: Studio,
    strips: dict[str, np.ndarray],
    layout: str,
    kind: int,
    *,
    cut: bool = False,
) -> tuple[Scene, dict[str, object]]:
    plain, _, hard = layout.partition("+")
    look = Look.random(rng, hard=bool(hard), any_roll=False)
    look.fill = min(look.fill, 0.95)
    if cut:
        look.fill, look.frame = float(rng.uniform(0.6, 1.3)), float(rng.uniform(1.1, 1.9))
    extra: dict[str, object] = {"layout": plain, "hard": bool(hard)}
    if plain == "hand":
        rule, options = BOOKS[kind][int(rng.integers(len(BOOKS[kind])))]
        hand = random_hand(rng, rule, options, kind)
        placed = lay_hand(rng, hand["laid"], hand["free"], str(hand["winning"]), strips)  # type: ignore[arg-type]
        extra |= {"hand": hand["hand"], "rule": rule, "options": options, "winning": hand["winning"]}
    else:
        placed = random_layout(rng, strips, plain)
        while not may_lie_together((card.label for card in placed), kind):
            placed = random_layout(rng, strips, plain)
    _bend(rng, placed)
    scene = render(
        rng,
        studio,
        placed,
        SIZE,
        look,
        clutter=int(rng.integers(0, 4)) if plain == "hand" else None,
        backs=False,
    )
    return scene, extra


def write_photo(folder: Path, name: str, scene: Scene, extra: dict[str, object]) -> int:
    """Write a scene as ``NAME.jpg`` with its labels beside it.

    Args:
        folder: where to.
        name: name without an ending.
        scene: the picture with its labels.
        extra: what else the labels say; of a hand the card put down last is the winning one.

    Returns:
        How many photos were written: one.
    """
    scene.info = extra
    labels = scene.to_json()
    if extra.get("layout") == "hand":
        cards = labels["cards"]
        for index, card in enumerate(cards):
            card["winning"] = index == len(cards) - 1
    cv2.imwrite(str(folder / f"{name}.jpg"), scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
    (folder / f"{name}.json").write_text(json.dumps(labels, ensure_ascii=False), encoding="utf-8")
    return 1


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.evalset", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", choices=["train", "calibrate", "evaluate"], default="evaluate")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--decks", type=int, default=12)
    parser.add_argument("--empty", type=int, default=36)
    parser.add_argument("--pages", type=int, default=PAGES)
    given = parser.parse_args()
    written = write_set(
        given.folder,
        split=given.split,
        seed=given.seed,
        decks=given.decks,
        empty=given.empty,
        pages=given.pages,
    )
    print(written, "photos")


if __name__ == "__main__":
    main()
