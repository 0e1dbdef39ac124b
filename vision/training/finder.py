"""The finder: a small fully convolutional network that finds printed ends of cards.

Train, go on, write the ONNX file::

    python -m vision.training.finder train --minutes 90
    python -m vision.training.finder resume --minutes 60
    python -m vision.training.finder export

Every picture is made on the fly by :mod:`vision.training.scenes`, so there is no data set to keep and no
picture is seen twice. The method is that of CenterNet (Zhou et al., "Objects as Points", 2019): a heat map
of end centres with the focal loss of that paper, and the frame of the end read off at its centre.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the name that every torch program uses)

from vision.find import MULTIPLE
from vision.training.manifest import enter
from vision.training.scenes import (
    EndLabel,
    Scene,
    Studio,
    letter_masks,
    padded,
    page,
    part_of,
    random_scene,
    table_texture,
)
from vision.training.weights import blended, brief_floats, follow, halved, load_halved, rate_at, store, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.training.fonts import Split

STRIDE = 4
CHANNELS = 10
SEEN_ENOUGH = 0.3
"""An end of which this share is seen has to be found."""
SEEN_TOO_LITTLE = 0.1
"""An end of which less is seen is background; between the two nothing is asked of the network."""
VECTOR_SCALE = 32.0
"""Pixels for one unit of the vector outputs inside the network."""
BADLY_LIT = 0.15
"""This share of the pictures is badly lit, beyond what the scenes are."""
EMPTY = 0.08
"""This share of the pictures shows no card."""
PART = 0.6
"""Of each picture parts are shown, too, whose sides are so much of its own."""
PADDED = 0.2
"""This share of the pictures ends before the finder's input does, as photos do of other shapes."""


def _conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """Encoder to stride 32 and decoder to stride 4.

    Args:
        widths: channels at strides 2, 4, 8, 16 and 32.
        head: channels of the last layer before the outputs.
    """

    def __init__(
        self, widths: tuple[int, int, int, int, int] = (16, 24, 52, 96, 128), head: int = 32
    ) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.stem = _conv(3, a, stride=2)
        self.down4 = nn.Sequential(_conv(a, b, stride=2), _Residual(b))
        self.down8 = nn.Sequential(_conv(b, c, stride=2), _Residual(c), _Residual(c))
        self.down16 = nn.Sequential(_conv(c, d, stride=2), _Residual(d), _Residual(d))
        self.down32 = nn.Sequential(_conv(d, e, stride=2), _Residual(e), _Residual(e))
        self.from32 = _conv(e, d, 1)
        self.at16 = _conv(d, d)
        self.from16 = _conv(d, c, 1)
        self.at8 = _conv(c, c)
        self.from8 = _conv(c, head, 1)
        self.skip4 = _conv(b, head, 1)
        self.at4 = _conv(head, head)
        self.out = nn.Conv2d(head, CHANNELS, 1)
        nn.init.normal_(self.out.weight, std=0.01)
        nn.init.zeros_(self.out.bias)
        with torch.no_grad():
            self.out.bias[0] = -4.0

    def forward(self, image: Tensor) -> Tensor:
        """Raw outputs.

        Args:
            image: float32[n, 3, h, w], RGB, 0 to 1.

        Returns:
            float32[n, 10, h / 4, w / 4]: logit of an end, eight vector components in units of
            ``VECTOR_SCALE`` pixels, logit of the share that is seen.
        """
        s4 = self.down4(self.stem(image * 4 - 2))
        s8 = self.down8(s4)
        s16 = self.down16(s8)
        s32 = self.down32(s16)
        x = self.at16(s16 + F.interpolate(self.from32(s32), scale_factor=2.0, mode="nearest"))
        x = self.at8(s8 + F.interpolate(self.from16(x), scale_factor=2.0, mode="nearest"))
        x = self.at4(self.skip4(s4) + F.interpolate(self.from8(x), scale_factor=2.0, mode="nearest"))
        result: Tensor = self.out(x)
        return result


class Exported(nn.Module):
    """The finder as it is shipped: probabilities and pixels instead of raw outputs."""

    def __init__(self, finder: Finder) -> None:
        super().__init__()
        self.finder = finder

    def forward(self, image: Tensor) -> Tensor:
        """float32[1, 3, h, w] to float32[1, 10, h / 4, w / 4]; channels as in ``vision.find``."""
        raw = self.finder(image)
        return torch.cat([raw[:, :1].sigmoid(), raw[:, 1:9] * VECTOR_SCALE, raw[:, 9:].sigmoid()], dim=1)


# --- targets ---------------------------------------------------------------------------------------------


def targets(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the network should say about a scene.

    Args:
        scene: a picture with labels.

    Returns:
        heat float32[h, w] (1 at a centre, falling off round it), loss weight of the heat float32[h, w], and
        float32[11, h, w]: eight vector components in units of ``VECTOR_SCALE``, the share seen, the weight of
        these at that cell, the width of the card in pixels.
    """
    height, width = (side // STRIDE for side in scene.image.shape[:2])
    heat = np.zeros((height, width), np.float32)
    weight = np.ones((height, width), np.float32)
    frame = np.zeros((11, height, width), np.float32)
    nearest = np.full((height, width), np.inf, np.float32)
    for card in scene.cards:
        for end in card.ends:
            if end.seen < SEEN_TOO_LITTLE:
                continue
            x, y = end.centre / STRIDE - 0.5
            if not (-0.5 <= x < width - 0.5 and -0.5 <= y < height - 0.5):
                continue
            across = 2 * float(np.hypot(*end.right))
            sigma = float(np.clip(across / STRIDE * 0.1, 0.7, 2.2))
            reach = int(3 * sigma) + 1
            x0, x1 = max(0, int(x) - reach), min(width, int(x) + reach + 2)
            y0, y1 = max(0, int(y) - reach), min(height, int(y) + reach + 2)
            yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
            square = (xx - x) ** 2 + (yy - y) ** 2
            bump = np.exp(-square / (2 * sigma**2))
            if end.seen < SEEN_ENOUGH:
                np.minimum(weight[y0:y1, x0:x1], 1 - bump, out=weight[y0:y1, x0:x1])
                continue
            column, row = round(float(x)), round(float(y))
            np.maximum(heat[y0:y1, x0:x1], bump * 0.98, out=heat[y0:y1, x0:x1])
            heat[row, column] = 1.0
            mine = (square < nearest[y0:y1, x0:x1]) & (square < max(2.1, (1.5 * sigma) ** 2))
            nearest[y0:y1, x0:x1][mine] = square[mine]
            cells = np.stack([(xx + 0.5) * STRIDE, (yy + 0.5) * STRIDE])
            values = np.empty((11, *xx.shape), np.float32)
            values[0:2] = (end.centre[:, None, None] - cells) / VECTOR_SCALE
            values[2:4] = end.up[:, None, None] / VECTOR_SCALE
            values[4:6] = end.right[:, None, None] / VECTOR_SCALE
            values[6:8] = (card.centre - end.centre)[:, None, None] / VECTOR_SCALE
            values[8] = end.seen
            values[9] = bump
            values[10] = across
            frame[:, y0:y1, x0:x1][:, mine] = values[:, mine]
    weight[heat >= 1] = 1
    return heat, weight, frame


def loss(raw: Tensor, heat: Tensor, weight: Tensor, frame: Tensor) -> dict[str, Tensor]:
    """Focal loss of the heat map and the errors of the frames, each in card widths.

    Args:
        raw: float32[n, 10, h, w], the network's raw outputs.
        heat: float32[n, h, w].
        weight: float32[n, h, w].
        frame: float32[n, 11, h, w].

    Returns:
        The parts by name; their sum is what is trained.
    """
    logit = raw[:, 0].float()
    probability = logit.sigmoid()
    positive = heat >= 1
    count = positive.sum().clamp(min=1)
    good = -((1 - probability) ** 2) * F.logsigmoid(logit)
    bad = -((1 - heat) ** 4) * probability**2 * F.logsigmoid(-logit) * weight
    focal = (good[positive].sum() + bad[~positive].sum()) / count
    trust = frame[:, 9]
    scale = VECTOR_SCALE / frame[:, 10].clamp(min=8)
    total = trust.sum().clamp(min=1)

    def error(first: int, last: int) -> Tensor:
        difference = F.smooth_l1_loss(
            raw[:, 1 + first : 1 + last].float() * scale[:, None],
            frame[:, first:last] * scale[:, None],
            reduction="none",
            beta=0.05,
        )
        return (difference.sum(1) * trust).sum() / total

    seen = F.binary_cross_entropy_with_logits(raw[:, 9].float(), frame[:, 8], reduction="none")
    return {
        "heat": focal,
        "offset": 2 * error(0, 2),
        "up": 2 * error(2, 4),
        "right": 2 * error(4, 6),
        "centre": error(6, 8) * 0.7,
        "seen": (seen * trust).sum() / total,
    }


# --- data ------------------------------------------------------------------------------------------------


class Pictures(torch.utils.data.IterableDataset[tuple[np.ndarray, ...]]):
    """An endless row of training pictures; each worker has its own chance.

    Args:
        seed: seed of the run.
        split: which fonts and flowers may be used.
        sizes: (width, height) of the batches, in turn.
        batch: pictures of one size in a row.
    """

    def __init__(
        self,
        seed: int,
        split: Split = "train",
        sizes: tuple[tuple[int, int], ...] = ((640, 480), (480, 640)),
        batch: int = 8,
    ) -> None:
        super().__init__()
        self.seed, self.split, self.sizes, self.batch = seed, split, sizes, batch

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        """Yield uint8[h, w, 3] and the targets."""
        from vision.training.art import random_deck

        info = torch.utils.data.get_worker_info()
        worker = info.id if info else 0
        cv2.setNumThreads(1)
        os.nice(3)
        rng = np.random.default_rng([self.seed, worker])
        studio = Studio(
            rng,
            letters=letter_masks(rng, self.split, 120),
            pages=[page(rng, self.split) for _ in range(24)],
        )
        decks: list[dict[str, np.ndarray]] = []
        for turn in range(1 << 60):
            size = self.sizes[turn % len(self.sizes)]
            if turn % 60 == 0:
                fresh = rng.integers(0, len(studio.tables), 6)
                for place in fresh:
                    studio.tables[int(place)] = table_texture(rng, 900, studio.letters)
                studio.pages[int(rng.integers(len(studio.pages)))] = page(rng, self.split)
            scenes = []
            for _ in range(self.batch):
                if len(decks) < 8 or rng.random() < 0.2:
                    kind = int(rng.choice([110, 112, 96], p=[0.55, 0.2, 0.25]))
                    characters = str(rng.choice(["deck", "any"]))
                    decks = [
                        *decks[-11:],
                        dict(random_deck(rng, self.split, kind, characters=characters).strips),
                    ]
                deck = decks[int(rng.integers(len(decks)))]
                scene = random_scene(rng, studio, deck, size, empty=EMPTY)
                scene = badly_lit(rng, scene) if rng.random() < BADLY_LIT else scene
                scenes.append(padded(rng, scene) if rng.random() < PADDED else scene)
            mirrors = [mirrored(scene) for scene in scenes]
            part = (_part_side(size[0]), _part_side(size[1]))
            parts = [part_of(rng, scene, part) for scene in (*mirrors, *scenes, *mirrors)]
            for scene in (*scenes, *parts):
                yield (scene.image, *targets(scene))


def _part_side(side: int) -> int:
    """Shorten a side to `PART` of it, so far as the network takes it."""
    return int(side * PART) // MULTIPLE * MULTIPLE


def badly_lit(rng: np.random.Generator, scene: Scene) -> Scene:
    """Give the scene as a camera that measured the light badly takes it: burnt out, or dark and noisy.

    Args:
        rng: source of chance.
        scene: a picture with labels.

    Returns:
        The same scene in another picture.
    """
    image = scene.image.astype(np.float32)
    if rng.random() < 0.6:
        image = image * float(rng.uniform(1.15, 1.8)) + float(rng.uniform(0, 25))
    else:
        image = image * float(rng.uniform(0.25, 0.7))
        image = image + rng.normal(0, float(rng.uniform(0.5, 6)), image.shape).astype(np.float32)
    return replace(scene, image=np.clip(image, 0, 255).astype(np.uint8))


def mirrored(scene: Scene) -> Scene:
    """Give the scene as in a mirror: a second picture for the price of one.

    What is printed on the cards is mirrored with them, which nothing that the finder learns depends on.

    Args:
        scene: a picture with labels.

    Returns:
        Another picture; ``right`` of an end still points to its right.
    """
    width = scene.image.shape[1]
    flip = np.array([-1.0, 1.0])

    def end(label: EndLabel) -> EndLabel:
        return EndLabel(label.centre * flip + (width, 0), label.up * flip, -label.right * flip, label.seen)

    cards = [
        card.changed(
            end,
            outline=(card.outline * flip + (width, 0))[[1, 0, 3, 2]],
            centre=card.centre * flip + (width, 0),
        )
        for card in scene.cards
    ]
    return Scene(np.ascontiguousarray(scene.image[:, ::-1]), cards, scene.info)


def _loader(seed: int, batch: int, workers: int) -> torch.utils.data.DataLoader[Any]:
    return torch.utils.data.DataLoader(
        Pictures(seed, batch=batch),
        batch_size=batch,
        num_workers=workers,
        prefetch_factor=3 if workers else None,
    )


# --- training --------------------------------------------------------------------------------------------


def train(
    folder: Path,
    minutes: float,
    *,
    resume: bool,
    seed: int,
    batch: int,
    rate: float,
    threads: int,
    workers: int,
    start: Path | None = None,
) -> None:
    """Train for a time, writing a checkpoint every few minutes.

    Args:
        folder: where checkpoint and log are kept.
        minutes: time of this run; the learning rate falls to nothing at its end.
        resume: go on from the folder's checkpoint.
        seed: seed of the data and the first weights.
        batch: pictures in a step.
        rate: highest learning rate.
        threads: threads of torch.
        workers: processes that make pictures.
        start: weights to begin with, as ``export --weights`` writes them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    net = Finder().to(memory_format=torch.channels_last)
    mean = Finder().to(memory_format=torch.channels_last)
    mean.load_state_dict(net.state_dict())
    decayed = [p for p in net.parameters() if p.ndim > 1]
    plain = [p for p in net.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0.0}], lr=rate
    )
    if start is not None:
        load_halved(net, start)
        mean.load_state_dict(net.state_dict())
    step, pictures = 0, 0
    checkpoint = folder / "finder.pt"
    if resume:
        state = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        step, pictures = state["step"], state["pictures"]
        seed += step
    log = (folder / "finder.log").open("a", encoding="utf-8")
    begun = saved = time.monotonic()
    sums: dict[str, float] = {}

    def save() -> None:
        fresh = {
            "net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(),
            "step": step, "pictures": pictures,
        }  # fmt: skip
        store(fresh, checkpoint)

    net.train()
    for image, heat, weight, frame in _loader(seed, batch, workers):
        share = (time.monotonic() - begun) / (minutes * 60)
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate_at(rate, step, share)
        x = image.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last).float() / 255
        with brief_floats():
            raw = net(x)
        parts = loss(raw, heat, weight, frame)
        optimiser.zero_grad(set_to_none=True)
        sum(parts.values()).backward()  # type: ignore[union-attr]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        pictures += batch
        follow(mean, net, min(0.998, step / (step + 20)))
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value.detach())
        if step % 25 == 0:
            line = " ".join(f"{name} {value / 25:.3f}" for name, value in sums.items())
            minutes_spent = (time.monotonic() - begun) / 60
            tell(f"step {step} pictures {pictures} minutes {minutes_spent:.1f} {line}", log)
            sums = {}
        if time.monotonic() - saved > 180:
            saved = time.monotonic()
            save()
    save()
    log.close()


# --- export ----------------------------------------------------------------------------------------------


def export(folder: Path, target: Path, weights: Path | None = None, blend: Path | None = None) -> None:
    """Write the averaged network as ONNX with half precision weights, and its entry in the manifest.

    Args:
        folder: where the checkpoint is.
        target: the ONNX file; ``manifest.json`` beside it is brought up to date.
        weights: where to keep the averaged weights in half precision, for ``train --start``.
        blend: weights that the training began with: half of each is written, which keeps what both have
            learned (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).
    """
    from vision.training.half import store_half

    state = torch.load(folder / "finder.pt", weights_only=True)
    mean = state["mean"]
    if blend is not None:
        mean = blended(mean, torch.load(blend, weights_only=True))
    if weights is not None:
        torch.save(halved(mean), weights)
    net = Finder()
    net.load_state_dict(mean)
    net.eval()
    example = torch.rand(1, 3, 480, 640)
    torch.onnx.export(
        Exported(net).eval(),
        (example,),
        str(target),
        opset_version=17,
        input_names=["image"],
        output_names=["ends"],
        dynamic_axes={"image": {2: "height", 3: "width"}, "ends": {2: "rows", 3: "columns"}},
        dynamo=False,
    )
    store_half(target)
    enter(target)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB after {state['pictures']} pictures")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.finder", description=__doc__)
    parser.add_argument("what", nargs="?", default="train", choices=["train", "resume", "export"])
    parser.add_argument("--folder", type=Path, default=Path("runs/finder"))
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument(
        "--weights", type=Path, help="where export also keeps the weights, to begin with later"
    )
    parser.add_argument(
        "--blend", type=Path, help="weights of which export writes half, those that the training began with"
    )
    parser.add_argument("--out", type=Path, default=Path("models/finder.onnx"))
    given = parser.parse_args()
    if given.what == "export":
        export(given.folder, given.out, given.weights, given.blend)
    else:
        train(
            given.folder,
            given.minutes,
            resume=given.what == "resume",
            seed=given.seed,
            batch=given.batch,
            rate=given.rate,
            threads=given.threads,
            workers=given.workers,
            start=given.start,
        )


if __name__ == "__main__":
    main()
