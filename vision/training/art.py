"""Decks that no printer made: drawings of every card, as varied as those of real printers.

A deck is drawn from one style: whence its characters come (a font, strokes of its own, or made-up
signs), how they are fattened, bent and roughened, what paper and ink it has, and in which manner a
flower copy is told from a plain one. DESIGN.md's "What real cards look like" is what it varies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import fonts
from vision.training.fonts import Font, Split
from vision.training.strokes import SKELETONS, Skeleton, paint, random_skeleton

Image = NDArray[np.uint8]
Mask = NDArray[np.float32]
Colour = tuple[int, int, int]
Manner = Literal["corner", "bits", "middle", "gilding", "frame"]

WIDTH = 96
"""Width of a drawn card in pixels."""

SCALE = 2
"""Cards are drawn this much larger and then reduced."""

WILD = "賴"
FLOWER = "花"

RED_110 = frozenset("上大人可知禮三五七")
ORDER_110 = "上大人可知禮乙二三四五六七八九十化千土子孔己"
FLOWERS_110 = "乙三五七九"
PHRASES_96 = ("上大人", "孔乙己", "化三千", "七十土", "八九子", "爾小生", "佳作仁", "福祿壽")

VARIANTS: Mapping[str, str] = {"禮": "礼", "爾": "尔", "祿": "禄", "壽": "寿", "乙": "乙一", "賴": "赖別"}
"""Other spellings that a printer may use for the same card."""

LOOKALIKES = (
    "土士王玉主", "己已巳巴", "一二三", "十千干于", "上土止", "孔九", "乙己七", "人入八", "大太犬天夫",
    "子孑了予", "四西皿", "六大", "可司叮", "知如和", "日目曰白", "未末木本", "小少水", "千子", "田由甲申",
    "刀力九", "工土二", "化比北", "佳住隹", "仁仕", "牛午生", "五丑互", "七匕", "万方", "口日", "石右古",
)  # fmt: skip

MOTIFS: Mapping[Split, tuple[str, ...]] = {
    "train": ("round", "pointed", "star", "leaf", "fish", "dots", "coin", "daisy", "diamond", "sprig",
              "cherry",
              "plus", "moon", "blob"),
    "calibrate": ("butterfly", "fan", "peach", "clover"),
    "evaluate": ("heart", "bird", "lantern", "tulip", "ingot", "swirl"),
}  # fmt: skip
"""The flower pictures' families; those of one set are drawn in no other."""

BITS: Mapping[Split, tuple[str, ...]] = {
    "train": ("ellipse", "triangle", "disc", "bar"),
    "calibrate": ("drop", "square"),
    "evaluate": ("petal", "comma"),
}


@dataclass(frozen=True, slots=True)
class Style:
    """What the cards of one deck have in common. Lengths are shares of the card's width.

    Attributes:
        aspect: Length of a card over its width.
        source: Whence the characters come.
        font: The font of the characters, and of the corner where ``corner_font`` is None.
        others: Fonts to take a character from that ``font`` lacks.
        box: Width and height of the drawing.
        top: Free space above the drawing.
        fit: 0 keeps a character's own proportions and place, 1 stretches it to fill the box.
        weight: How much the strokes are fattened (or thinned, below 0).
        bend: Size of the smooth bends.
        wave: Length and height of the waves laid over the drawing.
        shear: Slant.
        rough: Size of the roughness of the edges.
        grain: Size of the roughness's grains.
        saw: Height of saw teeth.
        dry: Share of the ink that is missing, as from a dry brush.
        hollow: Thickness of the outline when only that is drawn, 0 for solid strokes.
        inline: Thickness of a paper-coloured line inside the strokes.
        brush: How own strokes are painted, for ``strokes``.
        inks: The inks by name, ``red``, ``green``, ``black``.
        one_ink: Prints every character in this ink, where set.
        mottle: Unevenness of the ink.
        paper: The paper's colour.
        tint: Unevenness of the paper.
        border: Distance, thickness and colour of a frame, or None.
        corner: Side of the small corner character, or None.
        corner_font: The font of the corner character.
        corner_size: Its size.
        corner_ink: ``same`` or an ink's name.
        ornament: A small picture that every card has, or None.
        manner: How a flower copy is marked.
        motif: The picture of the flower copies.
        motif_each: Whether every flower copy has another picture.
        motifs: The pictures it may have.
        bit: The shape of the bits.
        palette: The colours of flower marks.
        flower_size: Size of a flower mark.
        flower_at: Where a flower mark lies in the end.
        gold: The colour of gilding.
        wild: How the wild card is drawn.
        corner_radius: Radius of the card's rounded corners.
        back: Colour of the back, and its pattern.
    """

    aspect: float = 4.5
    source: Literal["font", "strokes", "odd"] = "font"
    font: Font | None = None
    others: tuple[Font, ...] = ()
    box: tuple[float, float] = (0.84, 1.3)
    top: float = 0.08
    fit: float = 0.8
    weight: float = 0.0
    bend: float = 0.0
    wave: tuple[float, float] = (0.5, 0.0)
    shear: float = 0.0
    rough: float = 0.0
    grain: float = 0.03
    saw: float = 0.0
    dry: float = 0.0
    hollow: float = 0.0
    inline: float = 0.0
    brush: Mapping[str, float | str] = field(default_factory=dict)
    inks: Mapping[str, Colour] = field(
        default_factory=lambda: {"red": (200, 35, 40), "green": (30, 130, 70), "black": (30, 28, 30)}
    )
    one_ink: str | None = None
    mottle: float = 0.0
    paper: Colour = (248, 246, 240)
    tint: float = 0.0
    border: tuple[float, float, Colour] | None = None
    corner: Literal["left", "right"] | None = None
    corner_font: Font | None = None
    corner_size: float = 0.2
    corner_ink: str = "same"
    ornament: str | None = None
    manner: Manner = "corner"
    motif: str = "round"
    motif_each: bool = False
    motifs: tuple[str, ...] = ()
    bit: str = "ellipse"
    palette: tuple[Colour, ...] = ((205, 40, 60), (240, 200, 60), (40, 140, 70), (40, 80, 190))
    flower_size: float = 0.28
    flower_at: tuple[float, float] = (0.8, 0.2)
    gold: Colour = (205, 165, 60)
    wild: Literal["ingot", "characters"] = "ingot"
    corner_radius: float = 0.08
    back: tuple[Colour, str] = ((170, 40, 50), "plain")


@dataclass(frozen=True, slots=True)
class DeckArt:
    """A drawn deck.

    Attributes:
        kind: 110, 112 or 96; 0 for a deck of any characters.
        strips: The whole face of every card by label, uint8[length, 96, 3], RGB, lower end turned.
        back: The back, of the same shape.
        style: What it was drawn from.
    """

    kind: int
    strips: dict[str, Image]
    back: Image
    style: Style

    @property
    def corner_radius(self) -> float:
        """Radius of the rounded corners, in widths of the card."""
        return self.style.corner_radius

    @property
    def paper(self) -> Colour:
        """Colour of the paper."""
        return self.style.paper


def labels(kind: int) -> tuple[str, ...]:
    """Returns the names of all faces of a deck.

    Args:
        kind: 110, 112 or 96.

    Raises:
        ValueError: Another number.
    """
    if kind in (110, 112):
        wild = (WILD,) if kind == 112 else ()
        return (*ORDER_110, *(FLOWER + c for c in FLOWERS_110), *wild)
    if kind == 96:
        return tuple("".join(PHRASES_96))
    raise ValueError(f"no deck has {kind} cards")


def standard_ink(label: str, kind: int) -> str:
    """Returns the ink in which most printers print a card."""
    character = label.removeprefix(FLOWER)
    if kind == 96:
        place = "".join(PHRASES_96).index(character) % 3
        return ("red", "green", "black")[place]
    return "red" if character in RED_110 else "black"


def _choose(
    rng: np.random.Generator, options: Sequence[object], weights: Sequence[float] | None = None
) -> object:
    if weights is None:
        return options[int(rng.integers(len(options)))]
    share = np.asarray(weights, np.float64)
    return options[int(rng.choice(len(options), p=share / share.sum()))]


def _shade(rng: np.random.Generator, low: Colour, high: Colour) -> Colour:
    red, green, blue = (int(rng.integers(a, b + 1)) for a, b in zip(low, high, strict=True))
    return red, green, blue


def _random_inks(rng: np.random.Generator) -> dict[str, Colour]:
    reds = (((180, 10, 15), (235, 60, 60)), ((140, 15, 20), (180, 45, 45)), ((215, 60, 30), (240, 100, 70)))
    blacks = (((8, 8, 8), (45, 42, 45)), ((25, 25, 35), (60, 65, 90)), ((45, 30, 20), (80, 60, 45)))
    greens = (((10, 100, 40), (60, 150, 90)), ((10, 80, 70), (40, 125, 110)), ((60, 120, 20), (110, 160, 60)))
    return {
        "red": _shade(rng, *reds[int(rng.choice(3, p=(0.65, 0.2, 0.15)))]),
        "black": _shade(rng, *blacks[int(rng.choice(3, p=(0.65, 0.2, 0.15)))]),
        "green": _shade(rng, *greens[int(rng.choice(3, p=(0.6, 0.2, 0.2)))]),
    }


def _random_paper(rng: np.random.Generator) -> Colour:
    papers = (
        ((242, 242, 240), (254, 254, 254)),
        ((228, 222, 236), (246, 240, 252)),
        ((240, 232, 208), (252, 246, 232)),
        ((215, 212, 205), (236, 234, 230)),
        ((222, 200, 160), (242, 226, 196)),
    )
    return _shade(rng, *papers[int(rng.choice(5, p=(0.4, 0.2, 0.2, 0.13, 0.07)))])


def _random_palette(rng: np.random.Generator) -> tuple[Colour, ...]:
    colours = [
        _shade(rng, (190, 15, 20), (240, 70, 80)),
        _shade(rng, (225, 175, 20), (255, 215, 90)),
        _shade(rng, (15, 110, 40), (80, 165, 100)),
        _shade(rng, (20, 50, 140), (80, 130, 225)),
        _shade(rng, (210, 80, 130), (245, 150, 190)),
        _shade(rng, (15, 15, 15), (55, 50, 55)),
        _shade(rng, (110, 40, 130), (160, 90, 190)),
        _shade(rng, (225, 105, 20), (250, 150, 60)),
    ]
    count = int(rng.integers(2, 5))
    chosen = rng.choice(8, count, replace=False, p=(0.2, 0.17, 0.17, 0.15, 0.1, 0.06, 0.06, 0.09))
    return tuple(colours[i] for i in chosen)


def random_style(rng: np.random.Generator, split: Split, kind: int) -> Style:
    """Draws what the cards of a deck have in common.

    Args:
        rng: Where chance comes from.
        split: The set whose fonts and flower pictures may be used.
        kind: 110, 112 or 96; 0 for a deck of any characters.

    Returns:
        A style.
    """
    every = fonts.available(split)
    upright = [f for f in every if not f.cursive] if kind else list(every)
    weights = [1.0 / sum(g.family == f.family for g in upright) ** 0.5 for f in upright]
    font = _choose(rng, upright, weights)
    others = tuple(upright[i] for i in rng.permutation(len(upright)))
    source = str(_choose(rng, ("font", "strokes", "odd"), (0.68, 0.27, 0.05) if kind else (0.6, 0.2, 0.2)))
    fat = rng.random() < 0.55
    aspect = float(rng.uniform(4.0, 5.0))
    if fat:
        box = (float(rng.uniform(0.76, 0.97)), float(rng.uniform(0.2, 0.345) * aspect))
        fit = float(rng.uniform(0.6, 1.0))
    else:
        width = float(rng.uniform(0.5, 0.85))
        box = (width, width * float(rng.uniform(0.85, 1.5)))
        fit = float(rng.choice((0.0, rng.uniform(0, 1))))
    box = (box[0], min(box[1], 0.345 * aspect))
    room = max(0.02, 0.36 * aspect - box[1])
    top = float(rng.uniform(0.02, min(room, 0.35)))
    rough = float(rng.choice((0.0, rng.uniform(0.005, 0.04)), p=(0.55, 0.45)))
    corner = _choose(rng, (None, "left", "right"), (0.5, 0.3, 0.2))
    manner = _choose(rng, ("corner", "bits", "middle", "gilding", "frame"), (0.34, 0.24, 0.24, 0.12, 0.06))
    motifs = MOTIFS[split]
    side = float(rng.uniform(0.0, 1.0))
    flower_at = (0.84 if corner == "left" else 0.16, side) if corner and rng.random() < 0.8 else (
        float(rng.choice((0.16, 0.5, 0.84), p=(0.42, 0.16, 0.42))), side)  # fmt: skip
    one_ink = _choose(rng, (None, "black", "red", "mixed"), (0.72, 0.14, 0.06, 0.08))
    return Style(
        aspect=aspect,
        source=source,  # type: ignore[arg-type]
        font=font,  # type: ignore[arg-type]
        others=others,
        box=box,
        top=top,
        fit=fit,
        weight=float(rng.choice((0.0, rng.uniform(0, 0.05), rng.uniform(-0.012, 0)), p=(0.35, 0.5, 0.15))),
        bend=float(rng.choice((0.0, rng.uniform(0.01, 0.07)), p=(0.4, 0.6))),
        wave=(float(rng.uniform(0.2, 0.9)), float(rng.choice((0.0, rng.uniform(0.005, 0.03)), p=(0.7, 0.3)))),
        shear=float(rng.choice((0.0, rng.uniform(-0.25, 0.25)), p=(0.6, 0.4))),
        rough=rough,
        grain=float(rng.uniform(0.012, 0.09)),
        saw=float(rng.choice((0.0, rng.uniform(0.01, 0.035)), p=(0.86, 0.14))),
        dry=float(rng.choice((0.0, rng.uniform(0.05, 0.3)), p=(0.85, 0.15))),
        hollow=float(rng.choice((0.0, rng.uniform(0.025, 0.05)), p=(0.95, 0.05))),
        inline=float(rng.choice((0.0, rng.uniform(0.015, 0.03)), p=(0.95, 0.05))),
        brush=_random_brush(rng),
        inks=_random_inks(rng),
        one_ink=one_ink,  # type: ignore[arg-type]
        mottle=float(rng.choice((0.0, rng.uniform(0.05, 0.4)), p=(0.5, 0.5))),
        paper=_random_paper(rng),
        tint=float(rng.choice((0.0, rng.uniform(0.005, 0.03)), p=(0.6, 0.4))),
        border=_random_border(rng),
        corner=corner,  # type: ignore[arg-type]
        corner_font=_choose(rng, (font, *others[:4])) if rng.random() < 0.6 else None,  # type: ignore[arg-type]
        corner_size=float(rng.uniform(0.13, 0.27)),
        corner_ink=str(_choose(rng, ("same", "black", "red"), (0.75, 0.17, 0.08))),
        ornament=str(_choose(rng, motifs)) if rng.random() < 0.07 else None,
        manner=manner,  # type: ignore[arg-type]
        motif=str(_choose(rng, motifs)),
        motif_each=bool(rng.random() < 0.4),
        motifs=motifs,
        bit=str(_choose(rng, BITS[split])),
        palette=_random_palette(rng),
        flower_size=float(rng.uniform(0.2, 0.46)),
        flower_at=flower_at,
        gold=_shade(rng, (185, 145, 40), (235, 195, 95)),
        wild="ingot" if rng.random() < 0.5 else "characters",
        corner_radius=float(rng.choice((0.0, rng.uniform(0.03, 0.2)), p=(0.2, 0.8))),
        back=(
            _shade(rng, *(((120, 20, 25), (210, 70, 80)), ((25, 45, 100), (80, 120, 190)),
                          ((20, 80, 50), (80, 140, 100)),
                          ((190, 185, 175), (240, 238, 232)))[int(rng.integers(4))]),
            str(_choose(rng, ("plain", "lines", "dots", "net"))),
        ),
    )  # fmt: skip


def _random_brush(rng: np.random.Generator) -> dict[str, float | str]:
    return {
        "profile": str(_choose(rng, ("even", "taper", "club", "leaf", "nail", "beads", "ragged", "swell"))),
        "thickness": float(rng.uniform(0.035, 0.1)),
        "wobble": float(rng.uniform(0, 0.045)),
        "curl": float(rng.choice((0.0, rng.uniform(-0.2, 0.2)), p=(0.5, 0.5))),
        "jitter": float(rng.uniform(0, 0.04)),
        "round": float(rng.integers(0, 3)),
    }


def _random_border(rng: np.random.Generator) -> tuple[float, float, Colour] | None:
    if rng.random() < 0.7:
        return None
    inks = _random_inks(rng)
    colour = inks[str(_choose(rng, ("red", "black", "green")))]
    if rng.random() < 0.3:
        colour = _shade(rng, (60, 80, 150), (190, 190, 220))
    return float(rng.uniform(0.01, 0.06)), float(rng.uniform(0.008, 0.025)), colour


@lru_cache(maxsize=1)
def _noise_bank() -> NDArray[np.float32]:
    """Smooth noise of unit variance, to be cut from at random places: float32[6, 768, 768]."""
    rng = np.random.default_rng(7)
    layers = []
    for sigma in (1.2, 2.0, 3.5, 6.0, 12.0, 24.0):
        layer = rng.standard_normal((768, 768), dtype=np.float32)
        layer = cv2.GaussianBlur(layer, (0, 0), sigma)
        layers.append(layer / layer.std())
    return np.stack(layers)


def noise(rng: np.random.Generator, height: int, width: int, sigma: float) -> Mask:
    """Cuts smooth noise of unit variance.

    Args:
        rng: Where chance comes from.
        height: Height in pixels, at most 600.
        width: Width in pixels, at most 600.
        sigma: About the size of its grains in pixels.

    Returns:
        float32[height, width].
    """
    bank = _noise_bank()
    layer = int(np.argmin(np.abs(np.log(np.array((1.2, 2.0, 3.5, 6.0, 12.0, 24.0)) / max(sigma, 0.1)))))
    y, x = int(rng.integers(768 - height)), int(rng.integers(768 - width))
    piece = bank[layer, y : y + height, x : x + width]
    if rng.random() < 0.5:
        piece = piece[:, ::-1]
    return np.ascontiguousarray(piece)


def _source_mask(rng: np.random.Generator, style: Style, character: str) -> Image:
    """The character before it is bent to the deck's style: uint8[160, 160]."""
    if style.source == "strokes":
        skeleton: Skeleton = SKELETONS.get(character) or random_skeleton(rng)
        return paint(rng, skeleton, style.brush)
    for font in (style.font, *style.others):
        if font is None:
            continue
        for spelling in (character, *VARIANTS.get(character, "")):
            mask = fonts.glyph(font, spelling)
            if mask is not None:
                return mask
    return paint(rng, random_skeleton(rng), style.brush)


def _odd(rng: np.random.Generator, masks: Sequence[Image]) -> Image:
    """A sign that is no character, from parts of characters."""
    first, second = masks
    way = int(rng.integers(6))
    if way == 0:
        return np.ascontiguousarray(first[:, ::-1])
    if way == 1:
        return np.ascontiguousarray(first[::-1])
    if way == 2:
        return np.ascontiguousarray(np.rot90(first))
    if way == 3:
        return np.concatenate([first[:80], second[80:]])
    if way == 4:
        return np.concatenate([first[:, :80], second[:, 80:]], axis=1)
    return np.maximum(first, cv2.warpAffine(second, np.array([[0.5, 0, 40], [0, 0.5, 40]]), (160, 160)))


def character_mask(rng: np.random.Generator, style: Style, mask: Image, height: int, width: int) -> Mask:
    """Bends, fattens and roughens a character to a deck's style.

    Args:
        rng: Where chance comes from.
        style: The deck's style.
        mask: uint8[160, 160], the character, 255 is ink.
        height: Height of the box in pixels.
        width: Width of the box in pixels.

    Returns:
        float32[height, width], 1 is ink.
    """
    unit = WIDTH * SCALE
    rows = np.flatnonzero(mask.max(axis=1) > 100)
    columns = np.flatnonzero(mask.max(axis=0) > 100)
    top, bottom, left, right = float(rows[0]), float(rows[-1] + 1), float(columns[0]), float(columns[-1] + 1)
    narrow = 34.0
    if bottom - top < narrow:
        top, bottom = (top + bottom - narrow) / 2, (top + bottom + narrow) / 2
    if right - left < narrow:
        left, right = (left + right - narrow) / 2, (left + right + narrow) / 2
    em = (16.0, 144.0)
    fit = style.fit
    x0, x1 = em[0] + (left - em[0]) * fit, em[1] + (right - em[1]) * fit
    y0, y1 = em[0] + (top - em[0]) * fit, em[1] + (bottom - em[1]) * fit
    x0, x1, y0, y1 = min(x0, left), max(x1, right), min(y0, top), max(y1, bottom)
    margin = max(0.0, style.weight) * unit + style.bend * unit * 0.6 + 2
    sx, sy = (x1 - x0) / max(8, width - 2 * margin), (y1 - y0) / max(8, height - 2 * margin)
    u = np.arange(width, dtype=np.float32)[None] + np.zeros((height, 1), np.float32)
    v = np.arange(height, dtype=np.float32)[:, None] + np.zeros((1, width), np.float32)
    if style.bend:
        u += noise(rng, height, width, 24) * (style.bend * unit * 0.5)
        v += noise(rng, height, width, 24) * (style.bend * unit * 0.5)
    length, depth = style.wave
    if depth:
        u += np.sin(v * (2 * np.pi / (length * unit)) + rng.uniform(0, 6.3)) * np.float32(depth * unit)
        v += np.sin(u * (2 * np.pi / (length * unit)) + rng.uniform(0, 6.3)) * np.float32(depth * unit)
    if style.shear:
        shear = style.shear
        u = (u - width / 2) * np.float32(1 + abs(shear) * 0.5) + (v - height / 2) * np.float32(
            shear * width / height
        )
        u += np.float32(width / 2)
    x = (u - np.float32(margin)) * np.float32(sx) + np.float32(x0)
    y = (v - np.float32(margin)) * np.float32(sy) + np.float32(y0)
    drawn = cv2.remap(mask, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderValue=0)
    drawn = cv2.GaussianBlur(drawn, (0, 0), 1.2)
    ink = drawn > 127
    cover = float(ink.mean())
    if cover == 0:
        return ink.astype(np.float32)
    inside = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    outside = cv2.distanceTransform((~ink).astype(np.uint8), cv2.DIST_L2, 3)
    distance = inside - outside
    fatten = style.weight * unit
    if fatten > 0:
        edges = float((np.abs(distance) < 1.5).mean())
        fatten = min(fatten, max(0.0, 0.46 - cover) / max(edges, 0.01) * 3)
    else:
        fatten = -min(-fatten, 0.5 * float(np.percentile(inside[ink], 75)))
    distance += np.float32(fatten)
    stout = max(1.0, float(np.percentile(inside[ink], 80)) + fatten)
    if style.rough:
        rough = min(style.rough * unit, 0.5 * stout)
        distance += noise(rng, height, width, style.grain * unit) * np.float32(rough)
    if style.saw:
        angle = rng.uniform(0, np.pi)
        phase = (u * np.float32(np.cos(angle)) + v * np.float32(np.sin(angle))) / np.float32(0.05 * unit)
        teeth = np.abs((phase % 1) - np.float32(0.5)) * 4 - 1
        distance += teeth * np.float32(min(style.saw * unit, 0.6 * stout))
    shape = np.clip(distance * np.float32(0.7) + np.float32(0.5), 0, 1)
    if style.hollow and stout > 1.3 * style.hollow * unit:
        shape -= np.clip((distance - style.hollow * unit) * np.float32(0.7) + np.float32(0.5), 0, 1)
    elif style.inline and not style.hollow:
        middle = float(np.percentile(inside[ink], 80)) * 0.6
        shape *= 1 - np.clip((style.inline * unit / 2 - np.abs(distance - middle)) + np.float32(0.5), 0, 1)
    if style.dry:
        limit = np.float32(np.sqrt(2) * (1 - 2 * style.dry))
        gaps = noise(rng, height, width, 2.0) + np.float32(0.5) * noise(rng, height, width, 6.0)
        shape *= np.clip((limit * np.float32(1.1) - gaps) * 3 + np.float32(0.5), 0, 1)
    return shape.astype(np.float32, copy=False)


def _blend(
    canvas: NDArray[np.float32], mask: Mask, colour: Colour | NDArray[np.float32], x: int, y: int
) -> None:
    """Lays a colour over a canvas through a mask whose upper left corner comes to x, y."""
    height, width = canvas.shape[:2]
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + mask.shape[1], width), min(y + mask.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - y : y1 - y, x0 - x : x1 - x, None]
    ground = canvas[y0:y1, x0:x1]
    if isinstance(colour, np.ndarray) and colour.ndim == 3:
        colour = colour[y0 - y : y1 - y, x0 - x : x1 - x]
    ground += part * (np.asarray(colour, np.float32) - ground)


def motif(
    rng: np.random.Generator, kind: str, size: int, palette: Sequence[Colour]
) -> tuple[Mask, NDArray[np.float32]]:
    """Draws a small coloured picture.

    Args:
        rng: Where chance comes from.
        kind: A name out of ``MOTIFS``.
        size: Width and height in pixels.
        palette: Colours to use, the first for the largest part.

    Returns:
        float32[size, size], where it covers, and float32[size, size, 3], its colours.
    """
    side = max(8, size) * 2
    picture = np.zeros((side, side, 3), np.uint8)
    cover = np.zeros((side, side), np.uint8)
    middle, radius = side / 2, side * 0.47
    turn = float(rng.uniform(0, 2 * np.pi))
    colour = [palette[i % len(palette)] for i in range(4)]

    def fill(points: NDArray[np.float64], shade: Colour) -> None:
        spots = np.round(points * 16).astype(np.int32)
        cv2.fillPoly(picture, [spots], shade, shift=4)
        cv2.fillPoly(cover, [spots], 255, shift=4)

    def disc(x: float, y: float, r: float, shade: Colour, squeeze: float = 1.0, tilt: float = 0.0) -> None:
        t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        a, b = np.cos(t) * r, np.sin(t) * r * squeeze
        fill(
            np.stack([x + a * np.cos(tilt) - b * np.sin(tilt), y + a * np.sin(tilt) + b * np.cos(tilt)], 1),
            shade,
        )

    def around(profile: Sequence[tuple[float, float]], angle: float, shade: Colour) -> None:
        points = np.array([*profile, *[(d, -w) for d, w in reversed(profile)]]) * radius
        c, s = np.cos(angle), np.sin(angle)
        fill(
            np.stack(
                [middle + points[:, 0] * c - points[:, 1] * s, middle + points[:, 0] * s + points[:, 1] * c],
                1,
            ),
            shade,
        )

    if kind in ("round", "pointed", "heart", "daisy", "clover"):
        count = {"daisy": int(rng.integers(8, 15)), "clover": 3}.get(kind, int(rng.integers(4, 9)))
        petal = {
            "round": [
                (0.1, 0.05),
                (0.4, 0.9 / count + 0.08),
                (0.7, 1.5 / count + 0.05),
                (0.92, 0.9 / count),
                (1.0, 0.0),
            ],
            "pointed": [(0.1, 0.03), (0.45, 1.2 / count), (0.7, 0.7 / count), (1.0, 0.0)],
            "heart": [(0.08, 0.02), (0.5, 1.2 / count), (0.85, 1.3 / count), (1.0, 0.7 / count), (0.82, 0.0)],
            "daisy": [(0.2, 0.04), (0.6, 0.1), (0.95, 0.1), (1.0, 0.0)],
            "clover": [(0.1, 0.05), (0.4, 0.3), (0.8, 0.4), (1.0, 0.22), (0.9, 0.0)],
        }[kind]
        for i in range(count):
            shade = colour[0] if rng.random() < 0.9 or count % 2 else colour[1]
            around(petal, turn + 2 * np.pi * i / count, shade)
        disc(middle, middle, radius * float(rng.uniform(0.16, 0.32)), colour[1])
    elif kind == "star":
        count = int(rng.integers(4, 8))
        deep = float(rng.uniform(0.3, 0.6))
        t = turn + np.pi * np.arange(2 * count) / count
        r = radius * np.where(np.arange(2 * count) % 2, deep, 1)
        fill(np.stack([middle + np.cos(t) * r, middle + np.sin(t) * r], 1), colour[0])
        disc(middle, middle, radius * 0.22, colour[1])
    elif kind in ("leaf", "sprig"):
        count = 1 if kind == "leaf" else int(rng.integers(3, 6))
        for i in range(count):
            around([(-0.2 if count == 1 else 0.0, 0.0), (0.2, 0.3), (0.5, 0.34), (0.8, 0.18), (1.0, 0.0)],
                   turn + (i - count / 2) * 0.9, colour[i % 3])  # fmt: skip
        if kind == "sprig":
            disc(middle, middle, radius * 0.3, colour[1])
    elif kind == "fish":
        around(
            [(-1.0, 0.35), (-0.6, 0.05), (-0.3, 0.28), (0.3, 0.4), (0.75, 0.25), (1.0, 0.0)], turn, colour[0]
        )
        around([(-0.2, 0.1), (0.2, 0.2), (0.4, 0.0)], turn, colour[1])
        disc(
            middle + np.cos(turn) * radius * 0.7,
            middle + np.sin(turn) * radius * 0.7,
            radius * 0.1,
            colour[2],
        )
    elif kind == "bird":
        around([(-0.9, 0.2), (-0.4, 0.12), (0.1, 0.3), (0.5, 0.25), (0.7, 0.15), (1.0, 0.0)], turn, colour[0])
        for way in (-1, 1):
            around([(0.0, 0.0), (0.4, 0.2), (0.9, 0.0)], turn + way * 1.7, colour[1])
    elif kind == "dots":
        for i in range(int(rng.integers(3, 8))):
            a, d = rng.uniform(0, 2 * np.pi), radius * rng.uniform(0.1, 0.75)
            disc(
                middle + np.cos(a) * d, middle + np.sin(a) * d, radius * rng.uniform(0.14, 0.3), colour[i % 4]
            )
    elif kind == "coin":
        disc(middle, middle, radius, colour[0])
        disc(middle, middle, radius * 0.72, colour[1])
        half = radius * 0.3
        fill(np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + middle, colour[2])
    elif kind in ("diamond", "plus", "moon", "blob"):
        if kind == "diamond":
            around([(-1.0, 0.0), (0.0, float(rng.uniform(0.4, 0.8))), (1.0, 0.0)], turn, colour[0])
            around([(-0.5, 0.0), (0.0, 0.3), (0.5, 0.0)], turn, colour[1])
        elif kind == "plus":
            for i in range(4):
                around(
                    [(0.0, 0.25), (1.0, float(rng.uniform(0.2, 0.4)))], turn + i * np.pi / 2, colour[i % 2]
                )
        elif kind == "moon":
            t = np.linspace(-2.2, 2.2, 20)
            outer = np.stack([np.cos(t), np.sin(t)], 1)
            inner = np.stack([np.cos(t[::-1]) * 0.8 + 0.35, np.sin(t[::-1]) * 0.85], 1)
            around_points = np.concatenate([outer, inner]) * radius
            c, s = np.cos(turn), np.sin(turn)
            fill(around_points @ np.array([[c, s], [-s, c]]) + middle, colour[0])
            disc(middle + radius * 0.3 * c, middle + radius * 0.3 * s, radius * 0.2, colour[1])
        else:
            t = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            r = radius * rng.uniform(0.5, 1.0, 16)
            fill(np.stack([middle + np.cos(t) * r, middle + np.sin(t) * r], 1), colour[0])
            disc(middle, middle, radius * 0.35, colour[1])
    elif kind in ("cherry", "peach"):
        disc(middle - radius * 0.35, middle + radius * 0.4, radius * 0.45, colour[0])
        disc(
            middle + radius * 0.45,
            middle + radius * 0.3,
            radius * 0.42,
            colour[0] if kind == "peach" else colour[1],
        )
        around([(0.0, 0.0), (0.4, 0.3), (1.0, 0.0)], -1.2, colour[2])
    elif kind == "butterfly":
        for way in (-1, 1):
            around([(0.0, 0.0), (0.5, 0.35), (1.0, 0.2), (0.9, 0.0)], turn + way * 0.8, colour[0])
            around([(0.0, 0.0), (0.4, 0.3), (0.7, 0.1)], turn + way * 2.2, colour[1])
        around([(-0.6, 0.06), (0.6, 0.06)], turn, colour[2])
    elif kind == "fan":
        for i in range(5):
            around([(0.1, 0.02), (1.0, 0.18)], turn + (i - 2) * 0.36, colour[i % 2])
        disc(middle, middle, radius * 0.15, colour[2])
    elif kind == "lantern":
        disc(middle, middle, radius * 0.75, colour[0], 0.8)
        disc(middle, middle, radius * 0.3, colour[1], 2.0)
        for way in (-1, 1):
            around([(0.55, 0.3), (0.8, 0.3), (1.0, 0.1)], way * np.pi / 2, colour[1])
    elif kind == "tulip":
        around([(-0.1, 0.45), (0.4, 0.5), (0.9, 0.4), (0.5, 0.2), (1.0, 0.0)], -np.pi / 2, colour[0])
        around([(-1.0, 0.06), (-0.1, 0.06)], -np.pi / 2, colour[2])
        around([(0.1, 0.0), (0.5, 0.2), (0.9, 0.0)], 0.8, colour[2])
    elif kind == "ingot":
        points = (
            np.array([(-1, -0.35), (-0.5, 0.0), (0.5, 0.0), (1, -0.35), (0.65, 0.6), (-0.65, 0.6)]) * radius
        )
        fill(points + middle, colour[0])
        disc(middle, middle - radius * 0.05, radius * 0.42, colour[1], 0.8)
    else:
        t = np.linspace(0, 4.5 * np.pi, 60)
        r = radius * t / t[-1]
        for i in range(0, 60, 2):
            disc(
                middle + np.cos(t[i] + turn) * r[i],
                middle + np.sin(t[i] + turn) * r[i],
                radius * 0.13,
                colour[0],
            )
        disc(middle, middle, radius * 0.2, colour[1])
    mask = cv2.resize(cover, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    weight = cv2.resize(picture.astype(np.float32), (size, size), interpolation=cv2.INTER_AREA)
    return mask, weight / np.maximum(mask, 0.004)[..., None]


def _lay(canvas: NDArray[np.float32], drawn: tuple[Mask, NDArray[np.float32]], x: float, y: float) -> None:
    mask, colours = drawn
    size = mask.shape[0]
    _blend(canvas, mask, colours, round(x - size / 2), round(y - size / 2))


def _bits(
    rng: np.random.Generator, style: Style, canvas: NDArray[np.float32], box: tuple[int, int, int, int]
) -> None:
    """Small bits of colour round the character."""
    unit = WIDTH * SCALE
    x, y, width, height = box
    overlay = canvas.astype(np.uint8)
    count = int(rng.integers(3, 9))
    colours = (*style.palette, style.inks["black"], style.inks["red"])
    for i in range(count):
        angle = float(rng.uniform(0, 2 * np.pi))
        far = float(rng.uniform(0.55, 1.1))
        cx = float(np.clip(x + width / 2 + np.cos(angle) * width * 0.5 * far, 0.06 * unit, 0.94 * unit))
        cy = float(
            np.clip(y + height / 2 + np.sin(angle) * height * 0.5 * far, 0.05 * unit, canvas.shape[0] - 4)
        )
        long = unit * float(rng.uniform(0.035, 0.075))
        thin = long * float(rng.uniform(0.35, 0.7))
        tilt = float(rng.uniform(0, np.pi))
        colour = colours[(i + int(rng.integers(2))) % len(colours)]
        c, s = np.cos(tilt), np.sin(tilt)
        if style.bit in ("ellipse", "disc"):
            t = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            shape = np.stack([np.cos(t) * long, np.sin(t) * (long if style.bit == "disc" else thin)], 1)
        elif style.bit == "triangle":
            shape = np.array([(-long, -thin), (-long, thin), (long, 0)])
        elif style.bit == "bar":
            shape = np.array([(-long, -thin / 2), (long, -thin / 2), (long, thin / 2), (-long, thin / 2)])
        elif style.bit == "square":
            shape = np.array([(-thin, -thin), (thin, -thin), (thin, thin), (-thin, thin)])
        elif style.bit == "drop":
            shape = np.array([(-long, 0), (0, -thin * 0.7), (long * 0.7, -thin * 0.7), (long, 0),
                              (long * 0.7, thin * 0.7), (0, thin * 0.7)])  # fmt: skip
        elif style.bit == "petal":
            shape = np.array([(-long, 0), (-long * 0.3, -thin), (long * 0.6, -thin * 0.8), (long, 0),
                              (long * 0.3, thin * 0.5)])  # fmt: skip
        else:
            t = np.linspace(0, np.pi * 1.2, 10)
            outer = np.stack([np.cos(t) * long, np.sin(t) * long], 1)
            shape = np.concatenate([outer, outer[::-1] * 0.45])
        points = shape @ np.array([[c, s], [-s, c]]) + (cx, cy)
        cv2.fillPoly(overlay, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, shift=4)
    canvas[:] = overlay


def _middle(rng: np.random.Generator, style: Style, canvas: NDArray[np.float32], kind: str) -> None:
    """The upper half of the coloured picture in the middle of the strip, 28 to 63 % of its length."""
    unit = WIDTH * SCALE
    half = canvas.shape[0]
    reach = min(half, round(half * float(rng.uniform(0.28, 0.63))))
    way = int(rng.integers(3))
    if way == 0:
        size = round(min(unit * 0.9, reach * 2 if reach * 2 < unit else unit * 0.9))
        _lay(canvas, motif(rng, kind, size, style.palette), unit / 2, half)
        steps = max(1, round((reach - size / 2) / (unit * 0.4)))
        for i in range(steps):
            _lay(canvas, motif(rng, str(_choose(rng, style.motifs)), round(unit * 0.4), style.palette[::-1]),
                 unit * float(rng.uniform(0.3, 0.7)), half - size / 2 - (i + 0.5) * unit * 0.38)  # fmt: skip
    elif way == 1:
        ground = _shade(rng, (200, 170, 120), (250, 240, 210))
        _blend(
            canvas, np.ones((reach, round(unit * 0.8)), np.float32), ground, round(unit * 0.1), half - reach
        )
        for _ in range(int(rng.integers(3, 7))):
            size = round(unit * float(rng.uniform(0.25, 0.5)))
            _lay(canvas, motif(rng, str(_choose(rng, style.motifs)), size, style.palette),
                 unit * float(rng.uniform(0.3, 0.7)),
                 half - float(rng.uniform(0, reach - size * 0.3)))  # fmt: skip
    else:
        for _ in range(int(rng.integers(4, 10))):
            size = round(unit * float(rng.uniform(0.2, 0.55)))
            order = [style.palette[i] for i in rng.permutation(len(style.palette))]
            _lay(canvas, motif(rng, kind, size, order),
                 unit * float(rng.uniform(0.2, 0.8)),
                 half - float(rng.uniform(0, max(1, reach - size / 2))))  # fmt: skip


def _flower_motif(style: Style, label: str) -> str:
    if not style.motif_each:
        return style.motif
    return style.motifs[(ord(label[-1]) * 7 + len(style.font.name if style.font else "")) % len(style.motifs)]


def draw_face(
    rng: np.random.Generator, style: Style, label: str, ink: str, mask: Image, *, flower: bool
) -> Image:
    """Draws the whole face of one card.

    Args:
        rng: Where chance comes from.
        style: The deck's style.
        label: The card's name, which chooses its picture where every card has another.
        ink: The name of its ink.
        mask: uint8[160, 160], its character.
        flower: Whether it is a flower copy.

    Returns:
        uint8[length, 96, 3], RGB.
    """
    unit = WIDTH * SCALE
    half = round(WIDTH * style.aspect / 2)
    canvas = np.empty((half * SCALE, unit, 3), np.float32)
    canvas[:] = style.paper
    if style.border:
        distance, thickness, colour = style.border
        a, t = round(distance * unit), max(1, round(thickness * unit))
        canvas[a : a + t, a : unit - a] = colour
        canvas[a:, a : a + t] = colour
        canvas[a:, unit - a - t : unit - a] = colour
    width, height = round(style.box[0] * unit), round(style.box[1] * unit)
    y = round(style.top * unit)
    x = (unit - width) // 2
    if style.corner and style.box[0] < 0.8:
        x += round((1 if style.corner == "left" else -1) * min(0.06, (1 - style.box[0]) / 2 - 0.02) * unit)
    kind = _flower_motif(style, label)
    size = round(style.flower_size * unit)
    if flower and style.manner == "middle":
        _middle(rng, style, canvas, kind)
    shape = character_mask(rng, style, mask, height, width)
    colour = np.asarray(style.inks[ink], np.float32)
    if flower and style.manner == "gilding":
        gold = np.asarray(style.gold, np.float32)
        way = ord(style.motif[0]) % 3
        if way == 0:
            ring = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9)))
            _blend(canvas, ring, style.gold, x, y)
        elif way == 1:
            _blend(
                canvas, np.full((height + 16, width + 8), 0.85, np.float32), style.gold, x - 4, max(0, y - 8)
            )
        else:
            rim = round(0.05 * unit)
            canvas[:rim] = canvas[:, :rim] = canvas[:, unit - rim :] = gold
            edge = cv2.erode(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
            colour = np.where(edge[..., None] > 0.5, gold, colour).astype(np.float32)
    if flower and style.manner == "frame":
        _lay(
            canvas,
            motif(rng, kind, round(min(unit * 0.98, height * 1.1)), style.palette),
            x + width / 2,
            y + height / 2,
        )
    if style.mottle:
        uneven = noise(rng, height, width, 6)[..., None] * np.float32(style.mottle * 28)
        colour = np.clip(colour + uneven, 0, 255)
    else:
        colour = np.broadcast_to(colour, (height, width, 3)) if colour.ndim == 1 else colour
    _blend(canvas, shape, np.ascontiguousarray(colour), x, y)
    if style.corner:
        _corner(style, canvas, label, ink, mask)
    if style.ornament:
        small = motif(np.random.default_rng(5), style.ornament, round(0.14 * unit), (style.inks["black"],))
        _lay(canvas, small,
             unit * (0.88 if style.corner == "left" else 0.12), unit * 0.13)  # fmt: skip
    if flower and style.manner in ("corner", "middle"):
        u, v = style.flower_at
        if style.manner == "middle":
            size = round(size * 0.8)
        place_x = min(max(u * unit, size * 0.5), unit - size * 0.5)
        place_y = max(y + v * height, size * 0.55)
        _lay(canvas, motif(rng, kind, size, style.palette), place_x, place_y)
        if style.manner == "middle" and rng.random() < 0.5:
            _lay(
                canvas,
                motif(rng, kind, round(size * 0.8), style.palette),
                unit - place_x,
                y + height * (1 - v),
            )
    if flower and style.manner == "bits":
        _bits(rng, style, canvas, (x, y, width, height))
    small = cv2.resize(canvas, (WIDTH, half), interpolation=cv2.INTER_AREA)
    strip = np.concatenate([small, small[::-1, ::-1]])
    if style.tint:
        strip += noise(rng, 2 * half, WIDTH, 3.5)[..., None] * np.float32(style.tint * 255)
    return np.clip(strip + np.float32(0.5), 0, 255).astype(np.uint8)


def _corner(style: Style, canvas: NDArray[np.float32], label: str, ink: str, mask: Image) -> None:
    """The small character in the upper corner."""
    unit = WIDTH * SCALE
    font = style.corner_font
    small = fonts.glyph(font, label[-1]) if font and style.source == "font" else None
    size = round(style.corner_size * unit)
    reduced = cv2.resize(
        (small if small is not None else mask)[12:148, 12:148], (size, size), interpolation=cv2.INTER_AREA
    )
    gap = round(0.035 * unit)
    colour = style.inks[ink if style.corner_ink == "same" else style.corner_ink]
    x = gap if style.corner == "left" else unit - gap - size
    _blend(canvas, reduced.astype(np.float32) / 255, colour, x, gap)


def _wild_mask(rng: np.random.Generator, style: Style) -> Image:
    if style.wild == "ingot":
        image = np.zeros((160, 160), np.uint8)
        dip = int(rng.integers(50, 80))
        points = [(14, 40), (46, dip), (80, dip - 10), (114, dip), (146, 40), (122, 124), (38, 124)]
        cv2.fillPoly(image, [np.array(points, np.int32)], 255, cv2.LINE_AA)
        cv2.ellipse(image, (80, dip), (34, 26), 0, 0, 360, 255, -1, cv2.LINE_AA)
        cv2.ellipse(image, (80, dip + 8), (34, 22), 0, 10, 170, 0, 3, cv2.LINE_AA)
        return image
    words = ("別桿牌", "聽用子", "萬能牌", "賴子花", "大王用")
    word = words[int(rng.integers(len(words)))]
    image = np.zeros((160, 160), np.uint8)
    for i, character in enumerate(word):
        part = _source_mask(rng, replace(style, source="font"), character)[14:146, 14:146]
        image[4 + i * 51 : 54 + i * 51, 24:136] = cv2.resize(part, (112, 50), interpolation=cv2.INTER_AREA)
    return image


def _back(rng: np.random.Generator, style: Style, length: int) -> Image:
    colour, pattern = style.back
    back = np.empty((length, WIDTH, 3), np.uint8)
    back[:] = colour
    light: Colour = (min(255, colour[0] + 60), min(255, colour[1] + 60), min(255, colour[2] + 60))
    step = int(rng.integers(6, 16))
    if pattern == "lines":
        for y in range(-WIDTH, length, step):
            cv2.line(back, (0, y), (WIDTH, y + WIDTH), light, 2, cv2.LINE_AA)
    elif pattern == "dots":
        for y in range(0, length, step):
            for x in range(y // step % 2 * step // 2, WIDTH, step):
                cv2.circle(back, (x, y), max(1, step // 5), light, -1, cv2.LINE_AA)
    elif pattern == "net":
        for y in range(-WIDTH, length + WIDTH, step * 2):
            cv2.line(back, (0, y), (WIDTH, y + WIDTH), light, 1, cv2.LINE_AA)
            cv2.line(back, (0, y), (WIDTH, y - WIDTH), light, 1, cv2.LINE_AA)
    return back


def draw_deck(rng: np.random.Generator, style: Style, kind: int, *, standard_inks: bool = True) -> DeckArt:
    """Draws every face of a deck in a style.

    Args:
        rng: Where chance comes from.
        style: The deck's style.
        kind: 110, 112 or 96.
        standard_inks: Whether each card has the ink that it has with most printers.

    Returns:
        The deck.
    """
    strips: dict[str, Image] = {}
    masks: dict[str, Image] = {}
    inks = {
        c: str(_choose(rng, ("red", "black", "green"), (0.4, 0.45, 0.15))) for c in set("".join(labels(kind)))
    }
    for label in labels(kind):
        character = label[-1]
        if character not in masks:
            if character == WILD:
                masks[character] = _wild_mask(rng, style)
            else:
                masks[character] = _source_mask(rng, style, character)
        ink = standard_ink(label, kind) if standard_inks else inks[character]
        if style.one_ink in style.inks:
            ink = style.one_ink  # type: ignore[assignment]
        elif style.one_ink == "mixed":
            ink = inks[character]
        face = np.random.default_rng([int(rng.integers(1 << 30)), 1])
        strips[label] = draw_face(face, style, label, ink, masks[character], flower=label.startswith(FLOWER))
    return DeckArt(kind, strips, _back(rng, style, next(iter(strips.values())).shape[0]), style)


@lru_cache(maxsize=8)
def _common(split: Split) -> tuple[str, ...]:
    """Characters that at least a third of a set's fonts have."""
    every = fonts.available(split)
    counts: dict[str, int] = {}
    for font in every:
        for character in fonts.characters(font):
            counts[character] = counts.get(character, 0) + 1
    return tuple(sorted(c for c, n in counts.items() if n * 3 >= len(every)))


def _any_characters(rng: np.random.Generator, split: Split, count: int) -> list[str]:
    """Characters for a deck that is none: some of the deck's, some that look alike, some of any kind."""
    chosen: list[str] = []
    for i in rng.permutation(len(LOOKALIKES))[: int(rng.integers(1, 5))]:
        group = LOOKALIKES[i]
        chosen += [group[j] for j in rng.permutation(len(group))[:3]]
    own = ORDER_110 + "爾小生佳作仁福祿壽"
    chosen += [own[j] for j in rng.permutation(len(own))[: int(rng.integers(2, 14))]]
    common = _common(split)
    chosen += [common[j] for j in rng.integers(0, len(common), count)]
    return list(dict.fromkeys(chosen))[:count]


def random_deck(
    rng: np.random.Generator,
    split: Split = "train",
    kind: int = 110,
    characters: Literal["deck", "any"] = "deck",
    faces: int | None = None,
) -> DeckArt:
    """Draws a deck that nobody printed.

    Args:
        rng: Where chance comes from.
        split: The set whose fonts and flower pictures may be used.
        kind: 110, 112 or 96.
        characters: ``deck`` draws the deck's own cards, ``any`` draws others too (labels are then the
            characters themselves, a flower copy's with 花 before it, and ``kind`` is 0).
        faces: How many faces to draw, for ``any`` alone; 28 where None.

    Returns:
        The deck.
    """
    if characters == "deck":
        return draw_deck(rng, random_style(rng, split, kind), kind)
    style = random_style(rng, split, 0)
    count = faces or 28
    pairs = int(rng.integers(5, 14))
    chosen = _any_characters(rng, split, count - pairs)
    masks = {c: _source_mask(rng, style, c) for c in chosen}
    if style.source == "odd":
        order = list(masks.values())
        masks = {c: _odd(rng, (m, order[int(rng.integers(len(order)))])) for c, m in masks.items()}
    plain_inks = rng.random() < 0.3
    flowers = {chosen[int(i)] for i in rng.permutation(len(chosen))[:pairs]}
    strips: dict[str, Image] = {}
    for character in chosen:
        ink = "black" if plain_inks else str(_choose(rng, ("red", "black", "green"), (0.4, 0.45, 0.15)))
        if style.one_ink in style.inks:
            ink = style.one_ink  # type: ignore[assignment]
        seed = int(rng.integers(1 << 30))
        for flower in (False, True) if character in flowers else (False,):
            label = FLOWER + character if flower else character
            face = np.random.default_rng(seed if rng.random() < 0.7 else seed + 1)
            strips[label] = draw_face(face, style, label, ink, masks[character], flower=flower)
    return DeckArt(0, strips, _back(rng, style, next(iter(strips.values())).shape[0]), style)


def sheet(deck: DeckArt, columns: int = 16) -> Image:
    """Lays the faces of a deck out as one picture, to be looked at."""
    gap = 6
    length = next(iter(deck.strips.values())).shape[0]
    rows = -(-len(deck.strips) // columns)
    page = np.full((rows * (length + gap), columns * (WIDTH + gap), 3), 90, np.uint8)
    for i, strip in enumerate(deck.strips.values()):
        y, x = i // columns * (length + gap), i % columns * (WIDTH + gap)
        page[y : y + length, x : x + WIDTH] = strip
    return page
