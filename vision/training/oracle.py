"""Measures the namer alone: crops cut at the labelled ends of photos, as if the finder were perfect.

``python -m vision.training.oracle FOLDER`` learns each deck from its ``enrol`` photo of the lowest
number and names every card of its other photos of whose end at least 0.6 is seen.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import cut
from vision.name import embed
from vision.session import Session, open_session
from vision.training.views import END

ROOT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Tally:
    """How many cards of each deck and layout were named right.

    Attributes:
        right: Cards named right, by deck and layout.
        total: All cards, by deck and layout.
        pairs: Mistakes, by deck, label and wrong name.
        wrong: For every mistake its crop beside the examples of the wrong and of the right face.
    """

    right: Counter[tuple[str, str]] = field(default_factory=Counter)
    total: Counter[tuple[str, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[NDArray[np.uint8]] = field(default_factory=list)

    def share(self, *, hard: bool) -> tuple[int, int]:
        """Returns how many were right, and of how many."""
        keys = [key for key in self.total if key[1].endswith("hard") == hard]
        return sum(self.right[key] for key in keys), sum(self.total[key] for key in keys)


def end_of(card: dict[str, object]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Says where a perfect finder would see the labelled end of a card.

    Args:
        card: An entry of ``cards`` of a photo's labels; the corners of its outline go round, and the
            first two are those of one of the short edges.

    Returns:
        Centre, up and right, each float64[2], in pixels.
    """
    outline = np.array(card["outline"], np.float64)
    end = np.array(card["end"], np.float64)
    near, far = outline[:2].mean(0), outline[2:].mean(0)
    if np.hypot(*(end - near)) > np.hypot(*(end - far)):
        outline = np.roll(outline, 2, axis=0)
    square = np.array([(-1, 0), (1, 0), (1, 1), (-1, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, outline.astype(np.float32))

    def at(x: float, y: float) -> NDArray[np.float64]:
        place = matrix @ np.array([x, y, 1.0])
        return place[:2] / place[2]

    centre = at(0, END / 2)
    return centre, at(0, 0) - centre, at(1, END / 2) - centre


def cut_ends(
    image: NDArray[np.uint8],
    cards: list[dict[str, object]],
    jitter: float = 0.0,
    rng: np.random.Generator | None = None,
) -> NDArray[np.uint8]:
    """Cuts the labelled ends out of a photo.

    Args:
        image: uint8[h, w, 3], RGB.
        cards: Entries of ``cards`` of the photo's labels.
        jitter: Error of the finder to imitate: the standard deviation of the centre in shares of the
            end's size, and of its axes in shares of their length.
        rng: Where chance comes from, for the jitter.

    Returns:
        uint8[n, 72, 48, 3].
    """
    ends = [end_of(card) for card in cards]
    centres, ups, rights = (np.array([end[i] for end in ends], np.float64) for i in range(3))
    if jitter and rng is not None:
        draw = rng.normal(0, jitter, (6, len(ends), 1))
        centres = centres + draw[0] * ups * 2 + draw[1] * rights * 2
        ups, rights = (
            ups * (1 + draw[2]) + draw[3] * rights * 1.5,
            rights * (1 + draw[4]) + draw[5] * ups * 0.7,
        )
    return cut(image, centres.astype(np.float32), ups.astype(np.float32), rights.astype(np.float32))


def measure(folder: Path, session: Session, jitter: float = 0.0, seed: int = 0) -> Tally:
    """Names the cards of a folder of labelled photos.

    Args:
        folder: Holds photos and, beside each, its labels.
        session: The namer.
        jitter: See `cut_ends`; the photos to learn from have none.
        seed: Where chance begins.

    Returns:
        What was right.
    """
    rng = np.random.default_rng(seed)
    tally = Tally()
    files = sorted(folder.glob("*.json"))
    labels = {path: json.loads(path.read_text(encoding="utf-8")) for path in files}
    for deck in sorted({label["deck"] for label in labels.values()}):
        own = [path for path in files if labels[path]["deck"] == deck]
        enrol = next((path for path in own if labels[path]["layout"] == "enrol"), None)
        if enrol is None:
            continue
        cards = labels[enrol]["cards"]
        names = [str(card["label"]) for card in cards]
        examples = cut_ends(_image(enrol), cards)
        faces = embed(examples, session)
        for path in own:
            if path == enrol:
                continue
            seen = [card for card in labels[path]["cards"] if card["seen"] >= 0.6]
            if not seen:
                continue
            crops = cut_ends(_image(path), seen, jitter, rng)
            named = (embed(crops, session) @ faces.T).argmax(1)
            hard = "+hard" if labels[path].get("hard") or "hard" in path.stem else ""
            key = (deck, labels[path]["layout"] + hard)
            for crop, card, guess in zip(crops, seen, named, strict=True):
                tally.total[key] += 1
                if names[guess] == card["label"]:
                    tally.right[key] += 1
                else:
                    tally.pairs[deck, card["label"], names[guess]] += 1
                    truth = names.index(card["label"])
                    tally.wrong.append(np.concatenate([crop, examples[guess], examples[truth]], axis=1))
    return tally


def _image(labels: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(labels.with_suffix(".jpg")), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(labels.with_suffix(".jpg"))
    return np.ascontiguousarray(image[:, :, ::-1])


def main() -> int:
    """Prints how many cards are named right."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.oracle")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jitter", type=float, default=0.0)
    parser.add_argument("--sheet", type=Path, help="where to put a picture of the mistakes")
    args = parser.parse_args()
    tally = measure(args.folder, open_session(ROOT / "models", "namer.onnx"), args.jitter)
    for key in tally.total:
        print(f"{key[0]:12} {key[1]:14} {tally.right[key]:4} of {tally.total[key]:4}")
    for hard in (False, True):
        right, total = tally.share(hard=hard)
        print(f"{'hard' if hard else 'other'}: {right} of {total}, {100 * right / max(1, total):.2f} %")
    for (deck, label, wrong), count in tally.pairs.most_common(20):
        print(f"{deck}: {label} named {wrong}: {count}")
    if args.sheet and tally.wrong:
        cv2.imwrite(str(args.sheet), np.concatenate(tally.wrong)[:, :, ::-1])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
