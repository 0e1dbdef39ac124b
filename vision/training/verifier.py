"""Trains the verifier: an upright crop of an end and examples of faces, compared picture by picture.

Training goes by the namer's episodes (`vision.training.namer`): each view to name is compared with an example
of its own face, of that face's twin (the plain or flower copy), and of those that the namer takes for most
alike; the loss is the cross entropy of a softmax over these.

``python -m vision.training.verifier train|resume|export|measure``
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.crops import normalise
from vision.training import namer
from vision.training.art import random_deck
from vision.training.fonts import Split
from vision.training.manifest import enter
from vision.training.namer import Block, Episode, Namer, Source
from vision.training.views import Faces, make_views
from vision.training.weights import brief_floats, count_multiplications, follow, halved, rate_at, store, tell

ROOT = Path(__file__).resolve().parents[2]
RUNS = ROOT / "out" / "runs" / "verifier"
MODEL = ROOT / "models" / "verifier.onnx"
NAMER = ROOT / "vision" / "training" / "checkpoints" / "namer.pt"

PLACES = 32
"""Features of each place of a crop."""

FEATURES = PLACES + 48
"""And of an example, with what the first layer that compares makes of it."""

RIVALS = 4
"""A view is compared with so many faces, its own among them."""


class Verifier(nn.Module):
    """The verifier's network.

    Both crops go through the same layers, the first ones of the namer; then their features are compared place
    by place.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(Block(3, 24, 5, 2), Block(24, 40), Block(40, 48, step=2), Block(48, 64))
        self.narrow = Block(64, PLACES, 1)
        self.body = nn.Sequential(
            Block(3 * PLACES, FEATURES - PLACES),
            Block(FEATURES - PLACES, 80, step=2),
            Block(80, 80),
            Block(80, 80),
        )
        self.place = Block(80, 8, 1)
        self.first = nn.Linear(8 * 9 * 6 + 80, 64)
        self.last = nn.Linear(64, 1)

    def look(self, crops: Tensor) -> Tensor:
        """Returns float32[n, 32, 18, 12], the features of crops float32[n, 3, 72, 48]."""
        return self.narrow(self.stem((crops - 0.8) * 2))

    def compare(self, crop: Tensor, example: Tensor) -> Tensor:
        """Returns float32[p], how much speaks for both being one face, in nats beside other examples."""
        return self.judge(self.body(torch.cat([crop, example, (crop - example).abs()], 1)))

    def judge(self, y: Tensor) -> Tensor:
        """Returns float32[p], of what the layers make of a crop and an example together."""
        flat = torch.cat([self.place(y).flatten(1), y.mean((2, 3))], 1)
        return self.last(functional.relu(self.first(flat)))[:, 0]


class Shipped(nn.Module):
    """The verifier as it is shipped: what it makes of an example is given back, to be compared again.

    The first layer that sees a crop and an example together is a sum of what it makes of each and of their
    difference; the first two are reckoned once for each.
    """

    def __init__(self, trained: Verifier) -> None:
        super().__init__()
        self.trained = trained.eval()
        first = trained.body[0]
        fused = nn.utils.fusion.fuse_conv_bn_eval(first.conv, first.norm)
        crop, example, apart = fused.weight.detach().split(PLACES, dim=1)
        self.register_buffer("crop", crop.clone())
        self.register_buffer("example", example.clone())
        self.register_buffer("apart", apart.clone())
        self.register_buffer("bias", fused.bias.detach().clone())

    def forward(self, crops: Tensor, known: Tensor, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Looks at crops float32[n, 3, 72, 48] and compares them with examples that it has looked at.

        Returns:
            float32[p], as `Verifier.compare`, for ``pairs`` float32[p, 2], places of a crop and an example;
            and float32[n, FEATURES, 18, 12], what is to be known of the crops where they are examples.
        """
        seen = self.trained.look(crops)
        crop, example = pairs.to(torch.int64).unbind(1)
        their = known[example]
        y = functional.conv2d((seen[crop] - their[:, :PLACES]).abs(), self.apart, self.bias, padding=1)
        y = y + functional.conv2d(seen, self.crop, padding=1)[crop] + their[:, PLACES:]
        result = self.trained.judge(self.trained.body[1:](functional.relu(y)))
        return result, torch.cat([seen, functional.conv2d(seen, self.example, padding=1)], 1)


def begin_with(model: Verifier, weights: dict[str, Tensor]) -> None:
    """Gives the first layers those of a namer.

    Args:
        model: Changed in place.
        weights: Of the namer.
    """
    own = {
        name.removeprefix("body."): value
        for name, value in weights.items()
        if name.startswith("body.") and int(name.split(".")[1]) < len(model.stem)
    }
    model.stem.load_state_dict(own)


@dataclass(frozen=True, slots=True)
class Plan:
    """How the verifier is trained.

    Attributes:
        seed: Where chance begins.
        rate: The highest learning rate.
        stem_rate: The share of it that the layers of the namer get.
        decks: Decks in one step.
        hard: So many views of a deck are taken that the namer is least sure of.
        others: And so many more by chance.
        smooth: Share of the label that goes to all faces.
        alone: How much it counts whether each comparison alone says that both are one face.
    """

    seed: int = 1
    rate: float = 2e-3
    stem_rate: float = 0.2
    decks: int = 2
    hard: int = 28
    others: int = 20
    smooth: float = 0.01
    alone: float = 0.3


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which views are compared with which examples.

    Attributes:
        views: int64[n], places of the views among the crops.
        examples: int64[n, RIVALS], places of the examples among the crops, that of its own face first.
        cosines: float32[n, RIVALS], what the namer says of each.
    """

    views: NDArray[np.int64]
    examples: NDArray[np.int64]
    cosines: NDArray[np.float32]


def rivals(rng: np.random.Generator, vectors: NDArray[np.float32], episode: Episode) -> Pairs:
    """Finds for each view to name the examples that it may be taken for.

    Args:
        rng: Chooses which of two views to learn from stands for a face.
        vectors: float32[n, 128], of the namer.
        episode: What they show.

    Returns:
        One row for each view to name.
    """
    learn = rng.permutation(np.flatnonzero(episode.learn))
    example = np.empty(episode.count, np.int64)
    example[episode.faces[learn]] = learn
    views = np.flatnonzero(~episode.learn)
    truth = episode.faces[views]
    cosines = vectors[views] @ vectors[example].T
    wanted = cosines + rng.normal(0, 0.02, cosines.shape).astype(np.float32)
    rows = np.arange(len(views))
    twin = episode.twin[truth]
    wanted[rows[twin >= 0], twin[twin >= 0]] += 1
    wanted[rows, truth] += 3
    order = np.argsort(-wanted, axis=1)[:, :RIVALS]
    return Pairs(views, example[order], np.take_along_axis(cosines, order, 1))


def train(
    plan: Plan, folder: Path, *, minutes: float, threads: int, resume: bool, start: Path | None
) -> None:
    """Trains the verifier and keeps its state in ``folder``.

    Args:
        plan: How.
        folder: Where the state and the log go.
        minutes: Stops after that long.
        threads: Threads of torch.
        resume: Goes on from the state in ``folder``.
        start: A state whose weights to begin with; None begins with the layers of the namer.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(plan.seed)
    folder.mkdir(parents=True, exist_ok=True)
    judge = load_namer().to(memory_format=torch.channels_last)
    model, kept = Verifier(), Verifier()
    begin_with(model, judge.state_dict())
    step, spent, pairs_seen, parts = 0, 0.0, 0, []
    loaded = None
    if resume or start is not None:
        loaded = torch.load(folder / "state.pt" if resume else start, weights_only=True)
        model.load_state_dict(_single(loaded["model"]))
        parts = loaded["parts"]
    kept.load_state_dict(model.state_dict())
    stem = list(model.stem.parameters())
    mine = {id(p) for p in stem}
    rest = [p for p in model.parameters() if id(p) not in mine]
    optimizer = torch.optim.AdamW(
        [
            {"params": stem, "weight_decay": 0.01, "share": plan.stem_rate},
            {"params": [p for p in rest if p.ndim > 1], "weight_decay": 0.02, "share": 1.0},
            {"params": [p for p in rest if p.ndim <= 1], "weight_decay": 0.0, "share": 1.0},
        ],
        lr=plan.rate,
    )
    if resume and loaded is not None:
        kept.load_state_dict(loaded["kept"])
        optimizer.load_state_dict(loaded["optimizer"])
        step, spent, pairs_seen = loaded["step"], loaded["spent"], loaded["pairs"]
        parts = parts[:-1]
    model.to(memory_format=torch.channels_last)
    source = Source(plan.seed * 100_003 + step, "train", namer.Plan())
    rng = np.random.default_rng([plan.seed, step])
    began = time.monotonic()
    log = (folder / "log.txt").open("a", encoding="utf-8")

    def save() -> None:
        seconds = spent + time.monotonic() - began
        part = {
            "seed": plan.seed, "rate": plan.rate, "steps": step, "pairs": pairs_seen, "seconds": seconds,
        }  # fmt: skip
        fresh = {
            "parts": [*parts, part],
            "model": model.state_dict(), "kept": kept.state_dict(), "optimizer": optimizer.state_dict(),
            "step": step, "spent": seconds, "pairs": pairs_seen,
        }  # fmt: skip
        store(fresh, folder / "state.pt")

    episodes = iter(source)
    recent: list[tuple[float, float, float]] = []
    try:
        while True:
            done = (spent + time.monotonic() - began) / (minutes * 60)
            if done >= 1:
                break
            rate = rate_at(plan.rate, step, done)
            for group in optimizer.param_groups:
                group["lr"] = rate * group["share"]
            model.train()
            chosen = [_chosen(rng, next(episodes), judge, plan) for _ in range(plan.decks)]
            crops = np.concatenate([crops for crops, _ in chosen])
            at, first = [], 0
            for some, pairs in chosen:
                at.append((pairs.views + first, pairs.examples + first))
                first += len(some)
            views = torch.from_numpy(np.concatenate([view for view, _ in at]))
            examples = torch.from_numpy(np.concatenate([example for _, example in at]))
            input_ = torch.from_numpy(normalise(crops)).to(memory_format=torch.channels_last)
            with brief_floats():
                features = model.look(input_)
                pairs_of = features[views.repeat_interleave(RIVALS)], features[examples.flatten()]
                logits = model.compare(*pairs_of)
            logits = logits.float().reshape(-1, RIVALS)
            truth = torch.zeros(len(logits), dtype=torch.int64)
            loss = functional.cross_entropy(logits, truth, label_smoothing=plan.smooth)
            same = functional.one_hot(truth, RIVALS).float()
            loss = loss + plan.alone * functional.binary_cross_entropy_with_logits(logits, same)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            step += 1
            pairs_seen += logits.numel()
            follow(kept, model, min(0.998, (1 + step) / (20 + step)))
            cosines = np.concatenate([pairs.cosines for _, pairs in chosen])
            recent.append((
                float(loss.detach()),
                float((logits.argmax(1) == 0).float().mean()),
                float((cosines.argmax(1) == 0).mean()),
            ))  # fmt: skip
            if step % 50 == 0:
                loss_mean, right, before = np.mean(recent[-50:], axis=0)
                line = (
                    f"step {step} loss {loss_mean:.4f} right {right:.4f} namer {before:.4f} "
                    f"rate {rate:.5f} pairs {pairs_seen} seconds {spent + time.monotonic() - began:.0f}"
                )
                tell(line, log)
            if step % 250 == 0:
                save()
        save()
        line = f"end step {step} {json.dumps(measure(kept, judge, 5, 'evaluate', 20))}"
        tell(line, log)
    finally:
        source.close()
        log.close()


def _chosen(
    rng: np.random.Generator, episode: Episode, judge: Namer, plan: Plan
) -> tuple[NDArray[np.uint8], Pairs]:
    """Takes the views of a deck that the namer is least sure of and some more, and the examples they need."""
    input_ = torch.from_numpy(normalise(episode.crops)).to(memory_format=torch.channels_last)
    with torch.no_grad(), brief_floats():
        vectors = judge(input_).float().numpy()
    pairs = rivals(rng, vectors, episode)
    margin = pairs.cosines[:, 0] - pairs.cosines[:, 1:].max(1)
    order = np.argsort(margin)
    taken = np.concatenate([order[: plan.hard], rng.permutation(order[plan.hard :])[: plan.others]])
    views, examples = pairs.views[taken], pairs.examples[taken]
    needed, places = np.unique(np.concatenate([views, examples.ravel()]), return_inverse=True)
    return episode.crops[needed], Pairs(
        places[: len(views)], places[len(views) :].reshape(examples.shape), pairs.cosines[taken]
    )


@torch.no_grad()
def measure(model: Verifier, judge: Namer, seed: int, split: Split, episodes: int) -> dict[str, float]:
    """Names views of decks of a set by the namer, by the verifier, and by both.

    Returns:
        Shares of the views named right among the `RIVALS` most alike, and how many nats they cost.
    """
    model.eval()
    rng = np.random.default_rng(seed)
    all_cosines, all_logits, right_one, flower = [], [], [], []
    for _ in range(episodes):
        faces = Faces.of(random_deck(rng, split, int(rng.choice((110, 112, 96)))).strips)
        count = len(faces.labels)
        numbers = np.arange(count)
        crops = np.concatenate([
            make_views(rng, faces, numbers, mild=True), make_views(rng, faces, np.tile(numbers, 3)),
        ])  # fmt: skip
        input_ = torch.from_numpy(normalise(crops))
        vectors = judge(input_).numpy()
        cosines = vectors[count:] @ vectors[:count].T
        order = np.argsort(-cosines, axis=1)[:, :RIVALS]
        features = model.look(input_)
        views = torch.arange(count, len(crops)).repeat_interleave(RIVALS)
        logits = model.compare(features[views], features[torch.from_numpy(order.ravel())])
        all_logits.append(logits.reshape(-1, RIVALS).numpy())
        all_cosines.append(np.take_along_axis(cosines, order, 1))
        truth = np.tile(numbers, 3)
        right_one.append(order == truth[:, None])
        flower += [faces.labels[face].startswith("花") for face in truth]
    cosines, logits, right = map(np.concatenate, (all_cosines, all_logits, right_one))
    flowers = np.array(flower)

    def share(scores: NDArray[np.float32]) -> tuple[float, float, float]:
        hit = right[np.arange(len(right)), scores.argmax(1)]
        there = right.any(1)
        nats = np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1)) + scores.max(1)
        cost = float((nats[there] - scores[there][right[there]]).mean())
        return float(hit.mean()), float(hit[flowers].mean()), cost

    heats = np.geomspace(5, 80, 30)
    best_heat = min(heats, key=lambda heat: share(cosines * heat)[2])
    scores = {"namer": share(cosines * best_heat), "verifier": share(logits)}
    both = min(
        ((a, b) for a in (0.2, 0.4, 0.6, 0.8, 1.0) for b in np.geomspace(1, 40, 15)),
        key=lambda ab: share(logits * ab[0] + cosines * ab[1])[2],
    )
    scores["both"] = share(logits * both[0] + cosines * both[1])
    result = {"share": both[0], "heat": both[1], "among": float(right.any(1).mean())}
    for name, (hit, hit_flower, cost) in scores.items():
        result |= {name: hit, f"{name}_flower": hit_flower, f"{name}_nats": cost}
    return {name: round(float(value), 5) for name, value in result.items()}


def load_kept(folder: Path) -> Verifier:
    """Loads the averaged weights of a run."""
    model = Verifier()
    model.load_state_dict(torch.load(folder / "state.pt", weights_only=True)["kept"])
    return model.eval()


def load_namer() -> Namer:
    """Loads the namer that finds the rivals."""
    kept = torch.load(NAMER, weights_only=True)["kept"]
    model = Namer()
    model.load_state_dict(_single(kept))
    return model.eval()


def _single(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Gives weights in single precision."""
    return {name: v.float() if v.is_floating_point() else v for name, v in weights.items()}


def export(folder: Path, target: Path, weights: Path | None) -> None:
    """Writes the ONNX file, checks it against torch, and enters its SHA-256 in the manifest.

    Args:
        folder: The run.
        target: The file to write.
        weights: Where to keep the averaged weights in half precision, for ``train --start``.

    Raises:
        RuntimeError: The file says something else than torch.
    """
    import onnxruntime

    from vision.training.half import store_half

    state = torch.load(folder / "state.pt", weights_only=True)
    if weights is not None:
        torch.save({"model": halved(state["kept"]), "parts": state["parts"]}, weights)
    model = load_kept(folder)
    shipped = Shipped(model)
    crops, others = torch.rand(3, 3, 72, 48), torch.rand(2, 3, 72, 48)
    pairs = torch.tensor([[0.0, 1], [2, 0], [2, 1], [1, 1]])
    at = pairs.to(torch.int64)
    with torch.no_grad():
        expected = model.compare(model.look(crops)[at[:, 0]], model.look(others)[at[:, 1]]).numpy()
        known = shipped(others, torch.zeros(1, FEATURES, 18, 12), torch.zeros(1, 2))[1]
    names = ["crops", "known", "pairs"]
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        shipped,
        (crops, known, pairs),
        str(target),
        input_names=names,
        output_names=["alike", "features"],
        opset_version=17,
        dynamic_axes={name: {0: name} for name in names} | {"alike": {0: "pairs"}, "features": {0: "crops"}},
        dynamo=False,
    )
    store_half(target)
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    feeds = zip(names, (crops, known, pairs), strict=True)
    got = session.run(None, {name: each.numpy() for name, each in feeds})[0]
    worst = float(np.abs(got - expected).max())
    if worst > 0.05:
        raise RuntimeError(f"the exported model differs from torch by {worst}")
    enter(target)
    print(f"{target.name}: {target.stat().st_size} bytes, differs from torch by at most {worst:.1e}")
    for name, count in multiplications().items():
        print(f"{name}: {count / 1e6:.1f} million multiplications")
    print(f"{sum(p.numel() for p in model.parameters())} parameters; {state['parts']}")


def multiplications() -> dict[str, int]:
    """Counts how many multiplications the network, as it is shipped, does for one crop and one comparison."""
    model = Verifier()
    features = torch.zeros(1, PLACES, 18, 12)
    crop = count_multiplications(model, lambda: model.look(torch.zeros(1, 3, 72, 48)))
    pair = count_multiplications(model, lambda: model.compare(features, features))
    alone = features[0, 0].numel() * 9 * PLACES * (FEATURES - PLACES)
    return {"a crop": crop + 2 * alone, "a comparison": pair - 2 * alone}


def main() -> int:
    """Runs one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.verifier")
    parser.add_argument("what", nargs="?", default="train", choices=("train", "resume", "export", "measure"))
    parser.add_argument("--folder", type=Path, default=RUNS)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument(
        "--weights", type=Path, help="where export also keeps the weights, to begin with later"
    )
    parser.add_argument("--model", type=Path, default=MODEL)
    args = parser.parse_args()
    if args.what in ("train", "resume"):
        plan = Plan(seed=args.seed, rate=args.rate)
        train(plan, args.folder, minutes=args.minutes, threads=args.threads, resume=args.what == "resume",
              start=args.start)  # fmt: skip
    if args.what == "measure":
        print(json.dumps(measure(load_kept(args.folder), load_namer(), 5, "evaluate", 40)))
    else:
        export(args.folder, args.model, args.weights)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
