"""Makes the decks that ship: the deck's characters in several hands, learned from the drawings.

Each deck knows its plain cards with and without a small character in the corner, and its flower
copies in every manner in which printers mark them.

``python -m vision.training.ship`` writes datasets/decks/*.deck.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.crops import cut
from vision.deck import Deck
from vision.training.art import FLOWER, Manner, Style, draw_deck
from vision.training.fonts import FONTS, Font
from vision.training.views import END

ROOT = Path(__file__).resolve().parents[2]
DECKS = ROOT / "datasets" / "decks"

HANDS = {
    "kai": ("tw-kai", Style(box=(0.8, 0.95), top=0.1, fit=0.3, weight=0.01)),
    "song": ("noto-serif-bold", Style(box=(0.82, 1.0), top=0.1, fit=0.4, weight=0.006)),
    "hei": ("noto-sans-bold", Style(box=(0.8, 1.1), top=0.1, fit=0.5)),
    "brush": ("yuji-boku", Style(box=(0.92, 1.4), top=0.05, fit=0.8, weight=0.025)),
    "li": ("yuji-mai", Style(box=(0.92, 0.8), top=0.14, fit=0.6, weight=0.03)),
}
"""The hands by name: the font that each is drawn from, and its style. ``li`` is flat and wide."""

KINDS = ((110, ""), (96, "-96"), (112, "-112"))

SMALL = 0.85
"""How much smaller than others some printers draw."""

BELOW_CORNER = 0.2
"""Below a small character in the right corner the drawing begins this far down, in widths; beside one in
the left corner it begins where it does without."""

LOWEST = 1.5
"""A drawing ends this far down at most, in widths, so that it lies in the printed end."""

CORNER_FONT = "kouzan-gyosho"
"""The small corner character is written in running hand."""

PLAIN: tuple[tuple[Literal["left", "right"] | None, float], ...] = (
    (None, 1.0),
    ("left", 1.0),
    ("right", 1.0),
    (None, SMALL),
    ("left", SMALL),
)
"""The looks of a plain card: side of the small corner character, and size of the drawing."""

_PALETTE = ((205, 40, 60), (240, 200, 60), (40, 140, 70), (40, 80, 190))
_BITS = ((200, 35, 40), (30, 28, 30), (30, 130, 70))

FLOWERS: tuple[tuple[Manner, dict[str, object]], ...] = (
    ("corner", {"corner": "left", "motif": "round", "flower_at": (0.84, 0.1), "palette": _PALETTE}),
    ("corner", {"motif": "round", "flower_at": (0.16, 0.15), "palette": _PALETTE[2:] + _PALETTE[:2]}),
    ("corner", {"corner": "right", "motif": "daisy", "flower_at": (0.16, 0.0), "palette": _PALETTE}),
    ("middle", {"corner": "right", "motif": "daisy", "flower_at": (0.16, 0.1), "palette": _PALETTE}),
    ("middle", {"motif": "round", "flower_at": (0.84, 0.2), "palette": _PALETTE[1:] + _PALETTE[:1]}),
    ("bits", {"motif": "leaf", "palette": _BITS}),
    ("bits", {"corner": "right", "motif": "leaf", "bit": "disc", "palette": _BITS}),
    ("gilding", {"motif": "pointed"}),
    ("gilding", {"corner": "right", "motif": "round"}),
    ("frame", {"motif": "round", "palette": ((240, 150, 170), (245, 210, 90))}),
    ("frame", {"corner": "right", "motif": "daisy", "palette": ((240, 150, 170), (245, 210, 90))}),
)
"""Every manner of a flower mark, with and without a corner character, and what it is drawn from.

The gilding is a golden field, or a golden rim round the strokes.
"""

SMALL_FLOWERS = (1, 3, 5, 7, 9)
"""Places in ``FLOWERS`` of the looks that are drawn small, too: one of each manner."""


def end_crop(strip: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Cuts the upper printed end out of a drawn face.

    Args:
        strip: uint8[length, 96, 3].

    Returns:
        uint8[72, 48, 3].
    """
    length, width = strip.shape[:2]
    half = np.float32(END / 2 * length)
    return cut(
        strip,
        np.array([[width / 2, half]], np.float32),
        np.array([[0, -half]], np.float32),
        np.array([[width / 2, 0]], np.float32),
    )[0]


def _font(name: str) -> Font:
    return next(font for font in FONTS if font.name == name)


def make_deck(name: str, hand: str, kind: int) -> Deck:
    """Draws a deck in every manner and learns it.

    Args:
        name: What the deck is called.
        hand: A name out of ``HANDS``.
        kind: 110, 112 or 96.

    Returns:
        The deck, its vectors still to be made.
    """
    font_name, style = HANDS[hand]
    font = _font(font_name)
    others = tuple(_font(other) for other in ("tw-kai", "noto-serif-bold"))
    style = replace(
        style, font=font, others=others, corner_font=_font(CORNER_FONT), motifs=("round", "daisy", "leaf")
    )
    faces: list[tuple[str, NDArray[np.uint8]]] = []
    for corner, size in PLAIN:
        plain = draw_deck(_rng(name, 0), replace(_look(style, size, corner), wild="ingot"), kind)
        faces += [
            (label, end_crop(strip)) for label, strip in plain.strips.items() if not label.startswith(FLOWER)
        ]
    if kind == 112:
        words = draw_deck(_rng(name, 1), replace(style, wild="characters"), kind)
        faces.append(("賴", end_crop(words.strips["賴"])))
    if kind != 96:
        for number, (manner, marks) in enumerate(FLOWERS):
            for size in (1.0, SMALL) if number in SMALL_FLOWERS else (1.0,):
                look = _look(style, size, marks.get("corner"))  # type: ignore[arg-type]
                marked = replace(look, manner=manner, **marks)  # type: ignore[arg-type]
                drawn = draw_deck(_rng(name, 2 + number), marked, kind)
                faces += [
                    (label, end_crop(s)) for label, s in drawn.strips.items() if label.startswith(FLOWER)
                ]
    return Deck.of_faces(name, faces, kind=kind)


def _look(style: Style, size: float, corner: Literal["left", "right"] | None) -> Style:
    """Gives a style another size, and room for a character in the right corner where it has one."""
    width, height = style.box[0] * size, style.box[1] * size
    top = max(style.top, min(BELOW_CORNER, LOWEST - height)) if corner == "right" else style.top
    return replace(style, box=(width, height), top=top, corner=corner)


def _rng(name: str, number: int) -> np.random.Generator:
    return np.random.default_rng([zlib.crc32(name.encode()), number])


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the decks that ship."""
    from vision.name import embed
    from vision.session import manifest_sha256, open_session

    parser = argparse.ArgumentParser(prog="python -m vision.training.ship")
    parser.add_argument("--folder", type=Path, default=DECKS)
    args = parser.parse_args(arguments)
    models = ROOT / "models"
    session = open_session(models, "namer.onnx")
    digest = manifest_sha256(models, "namer.onnx")
    for kind, ending in KINDS:
        for hand in HANDS:
            deck = make_deck(hand + ending, hand, kind).with_vectors(
                digest, lambda crops: embed(crops, session)
            )
            path = args.folder / f"{deck.name}.deck"
            deck.save(path)
            print(f"{path.name}: {len(deck.examples)} examples, {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
