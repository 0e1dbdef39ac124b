"""Trains the namer: a crop of a printed end to a unit vector, so that any drawing can be learned.

Training goes by episodes. Each has the faces of a deck that nobody printed, one or two views of each
face to learn from and some more to name; the loss is that of a cosine softmax over the faces.

``python -m vision.training.namer train|resume|export|measure``
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing as mp
import os
import queue
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.crops import normalise
from vision.training.art import FLOWER, random_deck
from vision.training.fonts import Split
from vision.training.half import store_half
from vision.training.manifest import enter
from vision.training.views import Faces, make_views
from vision.training.weights import (
    blended,
    brief_floats,
    count_multiplications,
    follow,
    halved,
    rate_at,
    store,
    tell,
)

ROOT = Path(__file__).resolve().parents[2]
RUNS = ROOT / "out" / "runs" / "namer"
MODEL = ROOT / "models" / "namer.onnx"
SIZE = 128


CARD = """\
# namer.onnx

Turns an upright crop of a card's printed end into a unit vector, so that any drawing can be learned from
one look at it: a card has the name of the example whose vector is nearest.

- SHA-256 `{digest}`
- Input `crops` float32[n, 3, 72, 48], from `vision.crops.normalise`; output `embedding` float32[n, 128]
- {parameters} parameters, stored as half floats ({size} bytes); {millions} million multiplications a
  crop, {flops} GFLOP for 60 crops

## How it was made

`python -m vision.training.namer train`; where there is more than one part, each later one began with the
weights of the one before (`--start`):

{parts}

Two cores of a server without a graphics card, shared with other work all the time; bfloat16.

Data: decks that nobody printed, drawn by `vision/training/art.py` from the fonts of the set `train` in
`vision/training/fonts.py`, from strokes of its own and from made-up signs, and photographed by
`vision/training/views.py`. Each step has two decks, one or two views of each face to learn from and three
to name. No photo and no font of the measured decks was seen, and no threshold was set on them; how far crops
are shifted in training, and how much flowers count in the last part, was chosen after looking at labelled
photos.

## What it scores

40 decks drawn from fonts and flower pictures of the set `evaluate`, one view of each face to learn from
(`python -m vision.training.namer measure`):

| views to name | right |
|---|---|
| little covered | {mild} |
| covered up to 45 %, worn, dark, blurred | {all} |
| of these plain | {plain} |
| of these flower copies | {flower} |

Labelled photos, crops cut at the labelled ends of which at least 0.6 is seen, every deck learned from its
first `enrol` photo (`python -m vision.training.oracle FOLDER --jitter J`; J imitates the finder's error, in
shares of the end's size):

| J | cards right | of hard photos |
|---|---|---|
{photos}

Weak: a flower mark at the very corner is lost where the finder places the end too far inside, and so are
pale or tiny marks where the photo is dark or the card far away.
"""
"""The model card."""


class Block(nn.Module):
    """A convolution, its normalisation and a rectifier; adds its input where the shapes agree."""

    def __init__(self, inside: int, outside: int, size: int = 3, step: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, size, step, size // 2, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.keeps = inside == outside and step == 1

    def forward(self, x: Tensor) -> Tensor:
        """Returns the features of the next layer."""
        y = self.norm(self.conv(x))
        return functional.relu(x + y if self.keeps else y)


class Namer(nn.Module):
    """The namer's network: float32[n, 3, 72, 48] to float32[n, 128] of unit length."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Block(3, 24, 5, 2),
            Block(24, 40),
            Block(40, 48, step=2),
            Block(48, 64),
            Block(64, 64),
            Block(64, 96, step=2),
            Block(96, 96),
            Block(96, 96),
        )
        self.narrow = Block(96, 24, 1)
        self.place = nn.Linear(24 * 9 * 6, SIZE, bias=False)
        self.whole = nn.Linear(96, SIZE, bias=False)
        self.norm = nn.BatchNorm1d(SIZE)

    def forward(self, x: Tensor) -> Tensor:
        """Returns unit vectors."""
        y = self.body((x - 0.8) * 2)
        flat = self.place(self.narrow(y).flatten(1)) + self.whole(y.mean((2, 3)))
        return functional.normalize(self.norm(flat), dim=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """How the namer is trained.

    Attributes:
        seed: Where chance begins.
        steps: How many steps.
        rate: The highest learning rate.
        decks: Decks in one step.
        name: Views of each face to name; one that has a twin, a plain or flower copy of the same
            character, gets twice as many.
        smooth: Share of the label that goes to all faces.
        pair_heat: Factor of the cosines where a face is told from its twin alone.
        pair_weight: How much that counts.
        mild: Share of the decks whose views to name are as little covered as those to learn from.
    """

    seed: int = 1
    steps: int = 4000
    rate: float = 3e-3
    decks: int = 2
    name: int = 2
    smooth: float = 0.02
    pair_heat: float = 24.0
    pair_weight: float = 3.0
    mild: float = 0.35


@dataclass(frozen=True, slots=True)
class Episode:
    """Views of one deck.

    Attributes:
        crops: uint8[n, 72, 48, 3].
        faces: int64[n], which face each shows.
        learn: bool[n], whether it is one to learn from.
        count: How many faces the deck has.
        twin: int64[count], the face that is the plain or flower copy of the same character, or -1.
    """

    crops: NDArray[np.uint8]
    faces: NDArray[np.int64]
    learn: NDArray[np.bool_]
    count: int
    twin: NDArray[np.int64]


def draw_faces(rng: np.random.Generator, split: Split) -> Faces:
    """Draws a deck to learn: a real one's characters, or any."""
    kind = int(rng.choice((110, 112, 96), p=(0.5, 0.25, 0.25)))
    characters = "any" if rng.random() < 0.6 else "deck"
    return Faces.of(random_deck(rng, split, kind, characters).strips)  # type: ignore[arg-type]


def make_episode(rng: np.random.Generator, faces: Faces, plan: Plan) -> Episode:
    """Makes views of a deck's faces, some to learn from and some to name."""
    count = len(faces.labels)
    shots = 1 if rng.random() < 0.7 else 2
    learn = np.tile(np.arange(count), shots)
    twin = twins(faces.labels)
    ask = np.concatenate([np.arange(count), np.flatnonzero(twin >= 0)])
    ask = np.tile(ask, plan.name)
    mild = bool(rng.random() < plan.mild)
    crops = np.concatenate([make_views(rng, faces, learn, mild=True), make_views(rng, faces, ask, mild=mild)])
    return Episode(
        crops,
        np.concatenate([learn, ask]),
        np.arange(len(crops)) < len(learn),
        count,
        twin,
    )


def twins(labels: Sequence[str]) -> NDArray[np.int64]:
    """Returns for each face which one is the plain or flower copy of its character, or -1."""
    place = {label: i for i, label in enumerate(labels)}
    other = [label[1:] if len(label) > 1 else FLOWER + label for label in labels]
    return np.array([place.get(label, -1) for label in other], np.int64)


def _produce(output: mp.Queue[Episode], seed: int, split: Split, plan: Plan) -> None:
    """Fills a queue with episodes for ever, each deck used a few times."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    pool: list[Faces] = []
    while True:
        if len(pool) < 48 or rng.random() < 0.34:
            fresh = draw_faces(rng, split)
            if len(pool) < 48:
                pool.append(fresh)
            else:
                pool[int(rng.integers(48))] = fresh
            faces = fresh
        else:
            faces = pool[int(rng.integers(len(pool)))]
        output.put(make_episode(rng, faces, plan))


class Source:
    """Episodes from processes of their own."""

    def __init__(self, seed: int, split: Split, plan: Plan, workers: int = 1) -> None:
        context = mp.get_context("fork")
        self.queue: mp.Queue[Episode] = context.Queue(24)
        self.workers = [
            context.Process(target=_produce, args=(self.queue, seed * 1000 + i, split, plan), daemon=True)
            for i in range(workers)
        ]
        for worker in self.workers:
            worker.start()

    def __iter__(self) -> Iterator[Episode]:
        while True:
            try:
                yield self.queue.get(timeout=120)
            except queue.Empty as error:
                raise RuntimeError("the data generator has stopped") from error

    def close(self) -> None:
        """Ends the processes."""
        for worker in self.workers:
            worker.terminate()


def episode_loss(vectors: Tensor, episode: Episode, heat: Tensor, plan: Plan) -> tuple[Tensor, float, float]:
    """The cosine softmax of the views over the faces, both ways.

    Args:
        vectors: float32[n, 128].
        episode: What they show.
        heat: The factor of the cosines.
        plan: Holds the smoothing and the heat of the pairs.

    Returns:
        The loss, the share of the views to name that were named right, and the share of those told
        right from their twins.
    """
    faces = torch.from_numpy(episode.faces)
    learn = torch.from_numpy(episode.learn)
    sums = torch.zeros(episode.count, SIZE).index_add(0, faces[learn], vectors[learn])
    prototypes = functional.normalize(sums, dim=1)
    asked, truth = vectors[~learn], faces[~learn]
    scores = heat * asked @ prototypes.T
    forth = functional.cross_entropy(scores, truth, label_smoothing=plan.smooth)
    same = truth[None] == torch.arange(episode.count)[:, None]
    share = functional.log_softmax(scores.T, dim=1)
    back = -(share * same).sum(1).div(same.sum(1)).mean() - math.log(float(same.sum(1).float().mean()))
    right = float((scores.argmax(1) == truth).float().mean())
    twin = torch.from_numpy(episode.twin)[truth]
    paired = twin >= 0
    if not paired.any():
        return forth + 0.5 * back, right, 1.0
    cosines = (
        asked[paired, None] * torch.stack([prototypes[truth[paired]], prototypes[twin[paired]]], 1)
    ).sum(2)
    gap = cosines[:, 0] - cosines[:, 1]
    told = float((gap > 0).float().mean())
    pairs = plan.pair_weight * functional.softplus(-plan.pair_heat * gap).mean()
    return forth + 0.5 * back + pairs, right, told


@torch.no_grad()
def measure_episodes(model: nn.Module, seed: int, split: Split, episodes: int) -> dict[str, float]:
    """Names views of decks of a set.

    Returns:
        Shares of the views named right: ``all``, ``plain``, ``flower``, and ``mild`` for views that
        are little covered.
    """
    model.eval()
    rng = np.random.default_rng(seed)
    right = {"all": [0, 0], "plain": [0, 0], "flower": [0, 0], "mild": [0, 0]}
    for _ in range(episodes):
        faces = Faces.of(random_deck(rng, split, int(rng.choice((110, 112, 96)))).strips)
        count = len(faces.labels)
        numbers = np.arange(count)
        crops = np.concatenate([
            make_views(rng, faces, numbers, mild=True),
            make_views(rng, faces, np.tile(numbers, 3)),
            make_views(rng, faces, numbers, mild=True),
        ])  # fmt: skip
        vectors = model(torch.from_numpy(normalise(crops)))
        named = (vectors[count:] @ vectors[:count].T).argmax(1).numpy()
        truth = np.tile(numbers, 4)
        for i, (guess, face) in enumerate(zip(named, truth, strict=True)):
            groups = ["mild"] if i >= 3 * count else ["all"]
            if i < 3 * count:
                groups.append("flower" if faces.labels[face].startswith("花") else "plain")
            for group in groups:
                right[group][0] += int(guess == face)
                right[group][1] += 1
    return {name: a / max(1, b) for name, (a, b) in right.items()}


def train(
    plan: Plan, folder: Path, *, minutes: float, threads: int, resume: bool, start: Path | None
) -> None:
    """Trains the namer and keeps its state in ``folder``.

    Args:
        plan: How.
        folder: Where the state and the log go.
        minutes: Stops after that long; the schedule is by steps or by time, whichever ends first.
        threads: Threads of torch.
        resume: Goes on from the state in ``folder``.
        start: A state whose weights to begin with.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(plan.seed)
    folder.mkdir(parents=True, exist_ok=True)
    state_file = folder / "state.pt"
    model = Namer()
    heat = nn.Parameter(torch.tensor(math.log(12.0)))
    decays = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decays, "weight_decay": 0.02}, {"params": [*others, heat], "weight_decay": 0.0}],
        lr=plan.rate,
    )
    kept = Namer()
    kept.load_state_dict(model.state_dict())
    step, spent, crops_seen = 0, 0.0, 0
    parts: list[dict[str, float]] = []
    if start is not None:
        loaded = torch.load(start, weights_only=True)
        model.load_state_dict(loaded["model"])
        kept.load_state_dict(loaded["kept"])
        heat.data.copy_(loaded["heat"])
        parts = loaded["parts"]
    if resume:
        loaded = torch.load(state_file, weights_only=True)
        model.load_state_dict(loaded["model"])
        kept.load_state_dict(loaded["kept"])
        optimizer.load_state_dict(loaded["optimizer"])
        heat.data.copy_(loaded["heat"])
        step, spent, crops_seen = loaded["step"], loaded["spent"], loaded["crops"]
        parts = loaded["parts"][:-1]
    model.to(memory_format=torch.channels_last)
    source = Source(plan.seed * 100_003 + step, "train", plan)
    began = time.monotonic()
    log = (folder / "log.txt").open("a", encoding="utf-8")

    def save() -> None:
        part = {
            "seed": plan.seed, "rate": plan.rate, "steps": step, "crops": crops_seen,
            "seconds": spent + time.monotonic() - began,
        }  # fmt: skip
        fresh = {
            "parts": [*parts, part],
            "model": model.state_dict(), "kept": kept.state_dict(), "optimizer": optimizer.state_dict(),
            "heat": heat.data, "step": step, "spent": spent + time.monotonic() - began, "crops": crops_seen,
        }  # fmt: skip
        store(fresh, state_file)

    episodes = iter(source)
    recent: list[tuple[float, float, float]] = []
    try:
        while step < plan.steps:
            passed = spent + time.monotonic() - began
            done = max(step / plan.steps, passed / (minutes * 60))
            if done >= 1:
                break
            rate = rate_at(plan.rate, step, done)
            for group in optimizer.param_groups:
                group["lr"] = rate
            model.train()
            batch = [next(episodes) for _ in range(plan.decks)]
            crops = np.concatenate([e.crops for e in batch])
            input_ = torch.from_numpy(normalise(crops)).to(memory_format=torch.channels_last)
            with brief_floats():
                vectors = model(input_)
            vectors = vectors.float()
            losses = []
            first = 0
            for episode in batch:
                part = vectors[first : first + len(episode.faces)]
                first += len(episode.faces)
                loss, right, told = episode_loss(part, episode, heat.exp().clamp(max=40), plan)
                losses.append(loss)
                recent.append((float(loss.detach()), right, told))
            total = torch.stack(losses).mean()
            optimizer.zero_grad(set_to_none=True)
            total.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            step += 1
            crops_seen += len(crops)
            follow(kept, model, min(0.998, (1 + step) / (20 + step)))
            if step % 50 == 0:
                loss_mean, right_mean, told_mean = np.mean(recent[-100:], axis=0)
                line = (
                    f"step {step} loss {loss_mean:.4f} right {right_mean:.4f} twins {told_mean:.4f} "
                    f"heat {float(heat.detach().exp()):.1f} "
                    f"rate {rate:.5f} crops {crops_seen} seconds {spent + time.monotonic() - began:.0f}"
                )
                tell(line, log)
            if step % 250 == 0:
                save()
        save()
        scores = measure_episodes(kept, 5, "evaluate", 20)
        line = f"end step {step} {json.dumps(scores)}"
        tell(line, log)
    finally:
        source.close()
        log.close()


def load_kept(folder: Path) -> Namer:
    """Loads the averaged weights of a run."""
    model = Namer()
    model.load_state_dict(torch.load(folder / "state.pt", weights_only=True)["kept"])
    return model.eval()


def _folded(model: Namer) -> Namer:
    """Merges every normalisation into the convolution before it."""
    for block in model.modules():
        if isinstance(block, Block):
            fused = nn.utils.fusion.fuse_conv_bn_eval(block.conv, block.norm)
            block.conv = fused
            block.norm = nn.Identity()
    return model


def blend(folder: Path, other: Path) -> None:
    """Makes the averaged weights of a run half of themselves and half of those that it began with.

    That keeps what both have learned (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).

    Args:
        folder: The run; its state is written anew.
        other: A file that ``train --start`` takes.

    Raises:
        ValueError: The run was blended before.
    """
    state = torch.load(folder / "state.pt", weights_only=True)
    if "blended" in state:
        raise ValueError(f"{folder} was blended before")
    before = torch.load(other, weights_only=True)
    state["kept"] = blended(state["kept"], before["kept"])
    state["blended"] = before["parts"][-1]["seed"]
    torch.save(state, folder / "state.pt")


def keep_weights(folder: Path, weights: Path) -> None:
    """Keeps what a later run begins with: the averaged weights of a run in half precision.

    Args:
        folder: The run.
        weights: The file to write, for ``train --start``.
    """
    state = torch.load(folder / "state.pt", weights_only=True)
    kept = halved(state["kept"])
    torch.save({"model": kept, "kept": kept, "heat": state["heat"], "parts": state["parts"]}, weights)


def export(folder: Path, target: Path, photos: Path | None) -> None:
    """Writes the ONNX file, checks it against torch, enters its SHA-256 and writes its card.

    Args:
        folder: The run.
        target: The file to write.
        photos: A folder of labelled photos for the card's scores.
    """
    import onnxruntime

    model = load_kept(folder)
    example = torch.rand(3, 3, 72, 48)
    expected = model(example).detach().numpy()
    folded = _folded(model)
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        folded,
        (example,),
        str(target),
        input_names=["crops"],
        output_names=["embedding"],
        opset_version=17,
        dynamic_axes={"crops": {0: "n"}, "embedding": {0: "n"}},
        dynamo=False,
    )
    store_half(target)
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    got = session.run(None, {"crops": example.numpy()})[0]
    worst = float(np.abs(got - expected).max())
    if worst > 4e-3:
        raise RuntimeError(f"the exported model differs from torch by {worst}")
    digest = enter(target)
    print(f"{target.name}: {target.stat().st_size} bytes, differs from torch by at most {worst:.1e}")
    target.with_suffix(".md").write_text(card(folder, target, digest, photos), encoding="utf-8")


def card(folder: Path, target: Path, digest: str, photos: Path | None) -> str:
    """Writes the model card of a run.

    Args:
        folder: The run.
        target: The exported file.
        digest: Its SHA-256.
        photos: A folder of labelled photos to measure with, or None.

    Returns:
        A Markdown text.
    """
    from vision.session import OnnxSession
    from vision.training import oracle

    state = torch.load(folder / "state.pt", weights_only=True)
    model = load_kept(folder)
    scores = {
        name: f"{100 * share:.1f} %" for name, share in measure_episodes(model, 5, "evaluate", 40).items()
    }
    parts = "\n".join(
        f"- seed {part['seed']}: {part['steps']} steps, {part['crops']} crops, "
        f"{part['seconds'] / 60:.0f} minutes, highest rate {part['rate']}"
        for part in state["parts"]
    )
    if "blended" in state:
        parts += f"\n- half of these weights and half of those after seed {state['blended']} (`--blend`)"
    photo_rows = []
    if photos is not None:
        session = OnnxSession(target, threads=1)
        for jitter in (0.0, 0.02, 0.03):
            tally = oracle.measure(photos, session, jitter)
            cells = []
            for hard in (False, True):
                right, total = tally.share(hard=hard)
                cells.append(f"{right} of {total} ({100 * right / max(1, total):.2f} %)")
            photo_rows.append(f"| {jitter} | {cells[0]} | {cells[1]} |")
    return CARD.format(
        digest=digest,
        parameters=sum(p.numel() for p in model.parameters()),
        size=target.stat().st_size,
        millions=f"{multiplications() / 1e6:.1f}",
        flops=f"{multiplications() * 120 / 1e9:.1f}",
        parts=parts,
        photos="\n".join(photo_rows) or "| not measured | | |",
        **scores,
    )


def multiplications() -> int:
    """Returns how many multiplications the network does for one crop."""
    model = Namer()
    return count_multiplications(model, lambda: model(torch.zeros(1, 3, 72, 48)))


def main() -> int:
    """Runs one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.namer")
    parser.add_argument("what", nargs="?", default="train", choices=("train", "resume", "export", "measure"))
    parser.add_argument("--folder", type=Path, default=RUNS)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--start", type=Path, help="a state file whose weights to begin with")
    parser.add_argument(
        "--weights", type=Path, help="where export also keeps the weights, to begin with later"
    )
    parser.add_argument("--blend", type=Path, help="weights of which export takes half")
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--photos", type=Path, help="labelled photos, for the scores of the model card")
    args = parser.parse_args()
    if args.what in ("train", "resume"):
        plan = Plan(seed=args.seed, steps=args.steps, rate=args.rate)
        train(plan, args.folder, minutes=args.minutes, threads=args.threads, resume=args.what == "resume",
              start=args.start)  # fmt: skip
    if args.what in ("train", "resume", "export"):
        if args.blend is not None:
            blend(args.folder, args.blend)
        export(args.folder, args.model, args.photos)
        if args.weights is not None:
            keep_weights(args.folder, args.weights)
    else:
        print(json.dumps(measure_episodes(load_kept(args.folder), 5, "evaluate", 40)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
