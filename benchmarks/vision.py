"""How long a photo takes from a 12-megapixel JPEG to named cards, beside the mahjong-detector package.

    python -m benchmarks.vision [PHOTO] [--times 20]

Both read the same picture in the same run, by turns, warm, in one process. What time passes says something
only where nothing else runs; the processor's time, of all threads, says what a reading costs in any case.
"""

from __future__ import annotations

import argparse
import io
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import cv2

from vision import Reader, Shelf
from vision.decode import read_photo

SIZE = (4000, 3000)

PAUSE = 0.1
"""Seconds between two readings: so long threads of the one before may wait in a loop for more work."""


def twelve_megapixels(path: Path) -> bytes:
    """Enlarge a photo to what a phone takes.

    Args:
        path: any photo.

    Returns:
        A JPEG of 4000 by 3000 pixels.

    Raises:
        ValueError: it is no picture.
    """
    image = cv2.imread(str(path))
    if image is None:
        raise ValueError(f"no picture: {path}")
    size = SIZE if image.shape[1] >= image.shape[0] else SIZE[::-1]
    large = cv2.resize(image, size, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """Time one call.

    Args:
        work: what to call.

    Returns:
        Milliseconds that passed, and those of the processor that all threads of this process took.
    """
    begun, spent = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - begun) * 1000, (time.process_time() - spent) * 1000


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vision", description=__doc__.split("\n")[0])
    parser.add_argument("photo", type=Path, nargs="?", default=Path("datasets/samples/hand.jpg"))
    parser.add_argument("--times", type=int, default=20)
    given = parser.parse_args()
    data = twelve_megapixels(given.photo)
    reader = Reader()
    decks = Shelf().decks()
    reading = reader.read(read_photo(data), decks)
    stages: dict[str, list[float]] = {}

    def ours() -> None:
        for stage, spent in reader.read(read_photo(data), decks).ms.items():
            stages.setdefault(stage, []).append(spent)

    works: dict[str, Callable[[], object]] = {"suanhu": ours}
    try:
        from mahjong_detector import detect_tiles
    except ImportError:
        print("mahjong-detector is not installed")
    else:
        works["mahjong-detector"] = lambda: detect_tiles(io.BytesIO(data))
        works["mahjong-detector"]()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(given.times):
        for name, work in works.items():
            time.sleep(PAUSE)
            times[name].append(milliseconds(work))
    print(f"{len(data) / 1e6:.1f} MB, {len(reading.cards)} cards, deck {reading.deck}, {len(decks)} decks")
    for name, some in times.items():
        passed, spent = zip(*some, strict=True)
        print(
            f"{name}: median {statistics.median(passed):.0f} ms, least {min(passed):.0f} ms of {len(some)};"
            f" processor median {statistics.median(spent):.0f} ms, least {min(spent):.0f} ms"
        )
    print(", ".join(f"{stage} {statistics.median(some):.0f}" for stage, some in stages.items()))


if __name__ == "__main__":
    main()
