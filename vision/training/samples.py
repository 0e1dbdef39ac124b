"""Render the sample photos that ship: ``python -m vision.training.samples``.

They show the decks that ship (:mod:`vision.training.ship`), so that a newcomer can read one at once,
and guard the reading in the tests. The labels have the form of the development photos.
"""

from __future__ import annotations

import argparse
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.training.art import draw_deck
from vision.training.evalset import SIZE, write_photo
from vision.training.fonts import FONTS
from vision.training.scenes import Look, PlacedCard, Studio, lay_enrol, lay_fan, lay_hand, lay_rows, render
from vision.training.ship import FLOWERS, HANDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample photo shows.

    Attributes:
        seed: seed of the camera, the light and the mess, chosen so that the picture is easy to look at.
        deck: a name out of ``ship.HANDS``.
        kind: 110, 112 or 96.
        marks: place in ``ship.FLOWERS`` of the manner in which flower copies are marked.
        table: colour of the table top, RGB.
        laid: groups that lay on the table.
        free: groups of the hand, without the winning card.
        winning: the winning card.
        rule: the rule book that the hand was made for.
        layout: how the cards lie.
    """

    seed: int
    deck: str
    kind: int
    marks: int
    table: tuple[int, int, int]
    laid: tuple[tuple[str, ...], ...] = ()
    free: tuple[tuple[str, ...], ...] = ()
    winning: str | None = None
    rule: str | None = None
    layout: str = "hand"


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_cards(group)) for group in text.split())


def _cards(group: str) -> list[str]:
    cards: list[str] = []
    flower = False
    for character in group:
        if character == "花":
            flower = True
            continue
        cards.append(("花" if flower else "") + character)
        flower = False
    return cards


SAMPLES = {
    "hand": Sample(
        seed=4,
        deck="kai",
        kind=110,
        marks=0,
        table=(96, 120, 98),
        laid=_groups("知知知 花九九九花九"),
        free=_groups("上大人 花五五五 三四花五 孔乙己 六七八 化千 可禮"),
        winning="花三",
        rule="jingzhou",
    ),
    "hand-tongcheng": Sample(
        seed=13,
        deck="song",
        kind=110,
        marks=2,
        table=(150, 120, 86),
        laid=_groups("可可可"),
        free=_groups("上大人 花五六七 花五六七 八九子 孔乙 花三花三"),
        winning="己",
        rule="tongcheng",
    ),
    "hand-96": Sample(
        seed=15,
        deck="hei",
        kind=96,
        marks=0,
        table=(120, 84, 70),
        laid=_groups("福福福"),
        free=_groups("上大人 孔乙己 爾小生 佳作仁 七十 祿壽"),
        winning="土",
        rule="shangdaren",
    ),
    "fan": Sample(
        seed=13,
        deck="brush",
        kind=110,
        marks=3,
        table=(70, 84, 120),
        free=_groups("上大人可知禮三花三五花五七花七乙九"),
        layout="fan",
    ),
    "rows": Sample(
        seed=12,
        deck="li",
        kind=110,
        marks=1,
        table=(132, 132, 128),
        free=_groups("化三千七十土 八九花九子二四五 孔乙花乙己可知禮"),
        layout="rows",
    ),
    "enrol": Sample(seed=3, deck="kai", kind=110, marks=0, table=(110, 110, 118), layout="enrol"),
}


def _strips(sample: Sample) -> dict[str, NDArray[np.uint8]]:
    name, style = HANDS[sample.deck]
    fonts = {font.name: font for font in FONTS}
    manner, marks = FLOWERS[sample.marks]
    style = replace(
        style,
        font=fonts[name],
        others=(fonts["tw-kai"], fonts["noto-serif-bold"]),
        corner_font=fonts[name],
        motifs=("round", "daisy", "leaf"),
        manner=manner,
        **marks,
    )  # type: ignore[arg-type]
    return dict(draw_deck(np.random.default_rng(5), style, sample.kind).strips)


def _lay(
    rng: np.random.Generator, sample: Sample, strips: dict[str, NDArray[np.uint8]]
) -> Sequence[PlacedCard]:
    if sample.layout == "fan":
        return lay_fan(rng, sample.free[0], strips)
    if sample.layout == "rows":
        return lay_rows(rng, sample.free, strips)
    if sample.layout == "enrol":
        return lay_enrol(rng, list(strips), strips)
    return lay_hand(rng, sample.laid, sample.free, sample.winning, strips)


def write_samples(folder: Path) -> None:
    """Write every sample photo with its labels.

    Args:
        folder: where to.
    """
    for name, sample in SAMPLES.items():
        rng = np.random.default_rng([sample.seed, zlib.crc32(name.encode())])
        strips = _strips(sample)
        studio = Studio(rng, tables=0)
        grain = (
            rng.normal(0, 4, (1200, 1200, 1))
            + cv2.resize(rng.normal(0, 9, (40, 300)), (1200, 1200))[..., None]
        )
        studio.tables = [np.clip(np.array(sample.table) + grain, 0, 255).astype(np.uint8)]
        look = Look(
            tilt=0.3,
            turn=0.15,
            roll=0.05,
            fill=0.93,
            wear=0.05,
            radius=0.1,
            shadow=0.3,
            gloss=0.0,
            even=False,
            hard=False,
        )
        scene = render(rng, studio, _lay(rng, sample, strips), SIZE, look, clutter=0, backs=False)
        extra: dict[str, object] = {"deck": sample.deck, "layout": sample.layout, "hard": False}
        if sample.rule:
            text = "".join("".join(group) for group in sample.free) + str(sample.winning)
            text += "".join("(" + "".join(group) + ")" for group in sample.laid)
            extra |= {"hand": text, "rule": sample.rule, "winning": sample.winning}
        write_photo(folder, name, scene, extra)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.samples", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "datasets" / "samples")
    given = parser.parse_args()
    write_samples(given.folder)


if __name__ == "__main__":
    main()
