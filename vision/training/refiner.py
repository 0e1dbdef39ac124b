"""Train the refiner that corrects where an end lies: ``python -m vision.training.refiner``.

Scenes of the generator are rendered at the size of a photo, and the finder looks at them.
Round everything that it takes for an end, right or wrong, a patch is kept, with the true
ends in it. A training sample is what the finder said, or what this network itself may say
the first time, and what has to be added to it: so it learns the finder's own mistakes, the
ends that it sees half way between two cards of a column among them.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from vision.crops import HEIGHT, WIDTH, normalise
from vision.find import both_ways, find_ends
from vision.read import FINDER
from vision.refine import FARTHEST, MARGIN_RIGHT, MARGIN_UP, UNIT
from vision.session import OnnxSession, Session
from vision.training.art import random_deck
from vision.training.manifest import enter
from vision.training.scenes import Scene, Studio, letter_masks, page, random_scene, table_texture
from vision.training.weights import brief_floats, follow, halved, load_halved, rate_at, store, tell

PATCH_HEIGHT, PATCH_WIDTH = 136, 104
REACH_UP, REACH_RIGHT = 2.4, 2.8
"""A patch covers so many times the end's own height and width."""

SURE = 0.5
LEFT_OUT = 0.4
"""Of the ends that the finder gives more than ``SURE`` this share is left out: they teach little."""

MOST_ENDS = 8
"""So many of the nearest ends are kept with a patch."""

SCENE = ((1120, 840), (840, 1120))
SEEN_ENOUGH = 0.3
"""An end of which this share is seen is one."""
SEEN_TOO_LITTLE = 0.1
"""An end of which less is seen is none; between the two nothing is asked of the network."""
FAINTEST = 0.04
"""Ends that the finder gives less than this are not kept."""
SAME_END = 0.36
"""What lies nearer than this to a true end, in card widths, and points its way, is that end."""
ANOTHER_END = 0.5
"""What lies farther than this from every true end is none."""
SAME_WAY = 0.85
"""Cosine between a pose and the true end that it is of, at least."""


class Refiner(nn.Module):
    """Six convolutions and two layers: some 17 MFLOP an end."""

    def __init__(self) -> None:
        super().__init__()

        def layer(inside: int, outside: int, stride: int) -> nn.Sequential:
            convolution = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
            return nn.Sequential(convolution, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))

        self.body = nn.Sequential(
            layer(3, 20, 2),
            layer(20, 40, 2),
            layer(40, 40, 1),
            layer(40, 64, 2),
            layer(64, 64, 1),
            nn.Conv2d(64, 32, 1),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.ReLU(), nn.Linear(32 * 9 * 6, 128), nn.ReLU(), nn.Linear(128, 8)
        )

    def forward(self, crops: Tensor) -> Tensor:
        """float32[n, 3, 72, 48] to float32[n, 8]; see ``vision.refine.look_closer``."""
        # In training the convolutions are reckoned in half precision, where they are many; places are not.
        with brief_floats(enabled=self.training):
            seen = self.body(crops * 2 - 1.5)
        result: Tensor = self.head(seen.float())
        return result


# --- patches ---------------------------------------------------------------------------------------------


def _patch(image: np.ndarray, centre: np.ndarray, up: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Cut a patch as large as PATCH, by cutting quarters of it as crops would be too coarse."""
    matrix = np.stack([right * REACH_RIGHT * 2 / PATCH_WIDTH, -up * REACH_UP * 2 / PATCH_HEIGHT], axis=1)
    origin = centre - matrix @ np.array([PATCH_WIDTH / 2, PATCH_HEIGHT / 2])
    affine = np.concatenate([matrix, (origin + matrix @ [0.5, 0.5] - 0.5)[:, None]], axis=1)
    step = max(np.hypot(*matrix[:, 0]), np.hypot(*matrix[:, 1]))
    if step > 1.3:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 * step)
    return cv2.warpAffine(
        image,
        affine,
        (PATCH_WIDTH, PATCH_HEIGHT),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _local(
    points: np.ndarray, centre: np.ndarray, up: np.ndarray, right: np.ndarray, *, vector: bool = False
) -> np.ndarray:
    """Take pixels of the scene to pixels of a patch."""
    matrix = np.stack([right * REACH_RIGHT * 2 / PATCH_WIDTH, -up * REACH_UP * 2 / PATCH_HEIGHT], axis=1)
    inverse = np.linalg.inv(matrix)
    if vector:
        return points @ inverse.T
    return (points - centre) @ inverse.T + [PATCH_WIDTH / 2, PATCH_HEIGHT / 2]


def patches_of(
    scene: Scene, finder: Session, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Keep what lies round everything that the finder takes for an end.

    Args:
        scene: a picture with labels.
        finder: the finder.
        rng: source of chance; of many right and certain ends only some are kept.

    Returns:
        uint8[136, 104, 3], cut as the finder placed the end; and float32[8, 7]: centre, up, right
        of the true ends in it, in its pixels, and the share seen of each (0 where there are fewer).
    """
    true = [end for card in scene.cards for end in card.ends if end.seen >= SEEN_TOO_LITTLE]
    height, width = scene.image.shape[:2]
    true = [end for end in true if 0 <= end.centre[0] < width and 0 <= end.centre[1] < height]
    found = both_ways(find_ends(scene.image, finder, threshold=FAINTEST))
    result = []
    for place in range(len(found)):
        if found.scores[place] > SURE and rng.random() < LEFT_OUT:
            continue
        pose = (
            found.centres[place].astype(float),
            found.ups[place].astype(float),
            found.rights[place].astype(float),
        )
        if abs(pose[1][0] * pose[2][1] - pose[1][1] * pose[2][0]) < 16:
            continue
        centre = pose[0]
        near = sorted(true, key=lambda end: float(np.hypot(*(end.centre - centre))))[:MOST_ENDS]
        known = np.zeros((MOST_ENDS, 7), np.float32)
        for row, end in enumerate(near):
            known[row, 0:2] = _local(end.centre, *pose)
            known[row, 2:4] = _local(end.up, *pose, vector=True)
            known[row, 4:6] = _local(end.right, *pose, vector=True)
            known[row, 6] = end.seen
        result.append((_patch(scene.image, *pose), known))
    return result


def make_patches(folder: Path, scenes: int, seed: int, finder: Path) -> None:
    """Render scenes and keep their patches in files.

    Args:
        folder: where to; patches of another seed are kept beside.
        scenes: how many.
        seed: of the scenes.
        finder: the folder of the finder whose mistakes are learned.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    session = OnnxSession(finder / FINDER, threads=1)
    rng = np.random.default_rng([seed, 77])
    studio = Studio(
        rng,
        tables=24,
        size=1100,
        letters=letter_masks(rng, "train", 80),
        pages=[page(rng, "train") for _ in range(12)],
    )
    decks: list[dict[str, np.ndarray]] = []
    pictures, truths = [], []
    begun = time.time()
    for turn in range(scenes):
        if len(decks) < 6 or rng.random() < 0.25:
            kind = int(rng.choice([110, 112, 96], p=[0.55, 0.2, 0.25]))
            made = random_deck(rng, "train", kind, characters=str(rng.choice(["deck", "any"])))  # type: ignore[arg-type]
            decks = [*decks[-9:], dict(made.strips)]
        if turn % 25 == 24:
            studio.tables[int(rng.integers(len(studio.tables)))] = table_texture(rng, 1100, studio.letters)
            studio.pages[int(rng.integers(len(studio.pages)))] = page(rng, "train")
        deck = decks[int(rng.integers(len(decks)))]
        scene = random_scene(rng, studio, deck, SCENE[turn % 2], hard=0.4)
        for picture, truth in patches_of(scene, session, rng):
            pictures.append(picture)
            truths.append(truth)
        if turn % 50 == 49 or turn == scenes - 1:
            name = f"patches_{seed}_{turn:05d}"
            np.savez(folder / name, pictures=np.stack(pictures), truths=np.stack(truths))
            print(f"{turn + 1} scenes, {len(pictures)} patches in {time.time() - begun:.0f} s", flush=True)
            pictures, truths = [], []


# --- samples ---------------------------------------------------------------------------------------------


def samples(
    rng: np.random.Generator, pictures: np.ndarray, truths: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Make one sample of each patch: a pose, and what is to be said of it.

    Two thirds of the poses are the finder's own, a little moved; the others are near the true
    end, as after the first correction.

    Args:
        rng: source of chance.
        pictures: uint8[n, 136, 104, 3].
        truths: float32[n, 8, 7].

    Returns:
        uint8[n, 72, 48, 3] crops; float32[n, 6] corrections in units of UNIT;
        float32[n] 1 for an end, 0 for none; float32[n] weight of that; float32[n] share seen.
    """
    count = len(pictures)
    middle = np.array([PATCH_WIDTH / 2, PATCH_HEIGHT / 2])
    half_up, half_right = PATCH_HEIGHT / 2 / REACH_UP, PATCH_WIDTH / 2 / REACH_RIGHT
    centre = np.tile(middle, (count, 1))
    up = np.tile([0.0, -half_up], (count, 1))
    right = np.tile([half_right, 0.0], (count, 1))
    nearest, _, _ = _nearest(truths, centre, up)
    true = truths[np.arange(count), nearest].astype(float)
    width = 2 * np.hypot(true[:, 4], true[:, 5])
    close = (np.hypot(*(true[:, 0:2] - middle).T) < 0.6 * width) & (true[:, 6] > 0) & (true[:, 3] < 0)
    second = (rng.random(count) < 0.33) & close
    for array, first in ((centre, 0), (up, 2), (right, 4)):
        array[second] = true[second, first : first + 2]
    spread = np.where(second, 1.0, 0.6)
    angle = rng.normal(0, math.radians(3), count) * spread
    move = rng.normal(0, 0.05, (count, 2)) * spread[:, None]
    centre += up * move[:, :1] + right * move[:, 1:] * 1.5
    stretch = 1 + rng.normal(0, 0.05, (count, 2)) * spread[:, None]
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.stack([np.stack([cosine, -sine], 1), np.stack([sine, cosine], 1)], axis=1)
    up = np.einsum("nij,nj->ni", turn, up) * stretch[:, :1]
    right = np.einsum("nij,nj->ni", turn, right) * stretch[:, 1:]
    crops = np.empty((count, HEIGHT, WIDTH, 3), np.uint8)
    across, down = right * (MARGIN_RIGHT * 2 / WIDTH), -up * (MARGIN_UP * 2 / HEIGHT)
    matrices = np.stack([across, down], axis=2)
    origins = centre - matrices @ [WIDTH / 2 - 0.5, HEIGHT / 2 - 0.5] - 0.5
    for place in range(count):
        crops[place] = cv2.warpAffine(
            pictures[place],
            np.concatenate([matrices[place], origins[place, :, None]], axis=1),
            (WIDTH, HEIGHT),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    nearest, distance, cosine = _nearest(truths, centre, up)
    end = truths[np.arange(count), nearest]
    matrix = np.linalg.inv(np.stack([up, right], axis=2))

    def within(vectors: np.ndarray) -> np.ndarray:
        return np.einsum("nij,nj->ni", matrix, vectors)

    ups, rights = within(end[:, 2:4]), within(end[:, 4:6])
    change = np.concatenate([within(end[:, 0:2] - centre), ups - [1, 0], rights - [0, 1]], axis=1)
    apart = distance / np.maximum(2 * np.hypot(end[:, 4], end[:, 5]), 1e-6)
    seen = end[:, 6]
    mine = (apart < SAME_END) & (cosine > SAME_WAY) & (np.abs(change).max(1) < FARTHEST)
    near = mine & (seen >= SEEN_ENOUGH)
    far = (apart > ANOTHER_END) | (cosine < 0.5) | (distance > 1e5)
    return (
        crops,
        (np.clip(change, -1, 1) / UNIT).astype(np.float32),
        near.astype(np.float32),
        (near | far).astype(np.float32),
        np.where(near, seen, 0).astype(np.float32),
    )


def _nearest(
    truths: np.ndarray, centres: np.ndarray, ups: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the true end that each pose is of: the nearest that points its way, else the nearest.

    Args:
        truths: float32[n, 8, 7].
        centres: float[n, 2].
        ups: float[n, 2].

    Returns:
        intp[n] which; float[n] how far in pixels, 1e6 where there is none; float[n] cosine.
    """
    distance = np.hypot(truths[..., 0] - centres[:, None, 0], truths[..., 1] - centres[:, None, 1])
    distance = np.where(truths[..., 6] > 0, distance, 1e6)
    length = np.hypot(truths[..., 2], truths[..., 3]) * np.hypot(ups[:, None, 0], ups[:, None, 1])
    cosine = (truths[..., 2:4] * ups[:, None, :]).sum(2) / np.maximum(length, 1e-6)
    which = np.where(cosine > SAME_WAY, distance, distance + 1e4).argmin(1)
    row = np.arange(len(truths))
    return which, distance[row, which], cosine[row, which]


def _spoil(rng: np.random.Generator, crops: np.ndarray) -> np.ndarray:
    """Blur, noise and colour cast beside what the scenes have."""
    for place in np.flatnonzero(rng.random(len(crops)) < 0.3):
        crops[place] = cv2.GaussianBlur(crops[place], (0, 0), float(rng.uniform(0.3, 1.4)))
    start = int(rng.integers(0, 4096))
    noise = _noise()[start : start + crops.size].reshape(crops.shape)
    light = rng.uniform(0.7, 1.25, (len(crops), 1, 1, 3)).astype(np.float32)
    result = crops * light
    result += noise * rng.uniform(0, 7, (len(crops), 1, 1, 1)).astype(np.float32)
    return np.clip(result, 0, 255, out=result).astype(np.uint8)


@cache
def _noise() -> np.ndarray:
    return np.random.default_rng(3).normal(0, 1, 512 * HEIGHT * WIDTH * 3 + 4096).astype(np.float32)


# --- training --------------------------------------------------------------------------------------------


def loss(said: Tensor, change: Tensor, near: Tensor, sure: Tensor, seen: Tensor) -> dict[str, Tensor]:
    """The parts of what is trained.

    Args:
        said: float32[n, 8].
        change: float32[n, 6].
        near: float32[n].
        sure: float32[n].
        seen: float32[n].

    Returns:
        Parts by name.
    """
    weight = near * sure * seen.clamp(0.3, 1)
    total = weight.sum().clamp(min=1)
    error = F.smooth_l1_loss(said[:, :6], change, reduction="none", beta=0.15).mean(1)
    is_end = F.binary_cross_entropy_with_logits(said[:, 6], near, reduction="none")
    share = F.binary_cross_entropy_with_logits(said[:, 7], seen, reduction="none")
    return {
        "place": (error * weight).sum() / total * 2,
        "end": (is_end * sure).sum() / sure.sum().clamp(min=1),
        "seen": (share * near * sure).sum() / total * 0.5,
    }


def train(
    folder: Path,
    *,
    minutes: float,
    batch: int,
    rate: float,
    threads: int,
    seed: int,
    resume: bool,
    start: Path | None = None,
) -> None:
    """Train for a time on the patches of a folder.

    Args:
        folder: where patches and checkpoint lie.
        minutes: of this run; the learning rate falls to nothing at its end.
        batch: samples in a step.
        rate: highest learning rate.
        threads: of torch.
        seed: of samples and first weights.
        resume: go on from the checkpoint.
        start: weights to begin with, as ``export --weights`` writes them.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    pictures, truths = _load(folder)
    print(f"{len(pictures)} patches", flush=True)
    net, mean = Refiner().to(memory_format=torch.channels_last), Refiner()
    if start is not None:
        load_halved(net, start)
    mean.load_state_dict(net.state_dict())
    step = 0
    if resume:
        state = torch.load(folder / "refiner.pt", weights_only=True)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        step = int(state["step"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    begun, sums, told = time.time(), {}, step
    log = (folder / "refiner.log").open("a", encoding="utf-8")

    def save() -> None:
        fresh: dict[str, object] = {
            "net": net.state_dict(), "mean": mean.state_dict(), "step": step, "patches": len(pictures),
        }  # fmt: skip
        store(fresh, folder / "refiner.pt")

    net.train()
    while (share := (time.time() - begun) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate_at(rate, step, share)
        chosen = rng.integers(0, len(pictures), batch)
        crops, *goals = samples(rng, pictures[chosen], truths[chosen])
        feed = torch.from_numpy(normalise(_spoil(rng, crops))).contiguous(memory_format=torch.channels_last)
        parts = loss(net(feed), *(torch.from_numpy(goal) for goal in goals))
        optimiser.zero_grad()
        sum(parts.values()).backward()  # type: ignore[union-attr]
        optimiser.step()
        follow(mean, net, min(0.998, (step + 1) / (step + 20)))
        step += 1
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value.detach())
        if step % 50 == 0:
            text = " ".join(f"{name} {value / (step - told):.4f}" for name, value in sums.items())
            tell(f"step {step} minutes {(time.time() - begun) / 60:.1f} {text}", log)
            sums, told = {}, step
            save()
    save()
    log.close()


def _load(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read all patches of a folder, one file at a time: together they are most of the memory."""
    paths = sorted(folder.glob("patches_*.npz"))
    truths = [np.load(path)["truths"] for path in paths]
    pictures = np.empty((sum(map(len, truths)), PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
    start = 0
    for path, some in zip(paths, truths, strict=True):
        pictures[start : start + len(some)] = np.load(path)["pictures"]
        start += len(some)
    return pictures, np.concatenate(truths)


def export(folder: Path, target: Path, weights: Path | None = None) -> None:
    """Write the averaged network as ONNX and its entry in the manifest.

    Args:
        folder: where the checkpoint is.
        target: the ONNX file.
        weights: where to keep the averaged weights in half precision, for ``train --start``.
    """
    from vision.training.half import store_half

    state = torch.load(folder / "refiner.pt", weights_only=True)
    if weights is not None:
        torch.save(halved(state["mean"]), weights)
    net = Refiner()
    net.load_state_dict(state["mean"])
    net.eval()
    torch.onnx.export(
        net,
        (torch.rand(2, 3, HEIGHT, WIDTH),),
        str(target),
        opset_version=17,
        input_names=["crops"],
        output_names=["corrections"],
        dynamic_axes={"crops": {0: "ends"}, "corrections": {0: "ends"}},
        dynamo=False,
    )
    store_half(target)
    enter(target)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB after {state['step']} steps")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.refiner", description=__doc__.split("\n", maxsplit=1)[0]
    )
    parser.add_argument("what", nargs="?", default="train", choices=["patches", "train", "resume", "export"])
    parser.add_argument("--folder", type=Path, default=Path("runs/refiner"))
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument(
        "--finder", type=Path, default=Path("models"), help="folder of the finder, for patches"
    )
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument(
        "--weights", type=Path, help="where export also keeps the weights, to begin with later"
    )
    parser.add_argument("--out", type=Path, default=Path("models/refiner.onnx"))
    given = parser.parse_args()
    if given.what == "patches":
        make_patches(given.folder, given.scenes, given.seed, given.finder)
    elif given.what == "export":
        export(given.folder, given.out, given.weights)
    else:
        if not any(given.folder.glob("patches_*.npz")):
            make_patches(given.folder, given.scenes, given.seed, given.finder)
        train(
            given.folder,
            minutes=given.minutes,
            batch=given.batch,
            rate=given.rate,
            threads=given.threads,
            seed=given.seed,
            resume=given.what == "resume",
            start=given.start,
        )


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
