"""What the trainers share: rates, states and logs, weights averaged, blended and halved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

import torch
from torch import Tensor, nn

FAST_BFLOAT16 = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
"""Whether this machine computes with bfloat16 faster than with float32; without, ten times as slowly."""


def brief_floats(*, enabled: bool = True) -> torch.autocast:
    """Compute with bfloat16 where that is faster.

    Args:
        enabled: False computes with float32 anywhere.

    Returns:
        A context in which networks run.
    """
    return torch.autocast("cpu", torch.bfloat16, enabled=enabled and FAST_BFLOAT16)


def rate_at(highest: float, step: int, done: float) -> float:
    """Give the learning rate of a step: it rises over the first 150 and falls with the cosine.

    Args:
        highest: the rate at its highest.
        step: how many steps were done.
        done: share of the training that is over, 0 to 1.

    Returns:
        The rate.
    """
    return highest * min(1.0, (step + 1) / 150) * (0.5 + 0.5 * math.cos(math.pi * done) + 0.003)


def load_halved(net: nn.Module, file: Path) -> None:
    """Give a network the weights that were kept of another training, `halved`.

    Args:
        net: of the same form; changed in place.
        file: with its weights.
    """
    own = net.state_dict()
    weights = torch.load(file, weights_only=True)
    net.load_state_dict({name: value.to(own[name].dtype) for name, value in weights.items()})


def store(state: Mapping[str, object], file: Path) -> None:
    """Write the state of a training, so that the one of before stays whole until then.

    Args:
        state: what to go on from.
        file: where to.
    """
    fresh = file.with_suffix(".new")
    torch.save(state, fresh)
    fresh.replace(file)


def tell(line: str, log: TextIO) -> None:
    """Print a line and write it to the log, at once.

    Args:
        line: without an end.
        log: open for writing.
    """
    print(line, flush=True)
    log.write(line + "\n")
    log.flush()


def follow(kept: nn.Module, model: nn.Module, keep: float) -> None:
    """Move averaged weights a little towards the trained ones.

    Args:
        kept: holds the average; changed in place.
        model: that is trained.
        keep: share of the average that stays, 0 to 1.
    """
    with torch.no_grad():
        for ours, theirs in zip(kept.state_dict().values(), model.state_dict().values(), strict=True):
            if ours.dtype.is_floating_point:
                ours.lerp_(theirs, 1 - keep)
            else:
                ours.copy_(theirs)


def blended(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Take half of each of two networks.

    Args:
        one: weights by name, of a network that was trained on from ``other``.
        other: weights by name.

    Returns:
        The mean of both, in the precision of ``one``; what is counted and not weighed is that of ``one``.
    """
    return {
        name: ((v.float() + other[name].float()) / 2).to(v.dtype) if v.is_floating_point() else v
        for name, v in one.items()
    }


def halved(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Give weights in half precision, to keep.

    Args:
        weights: by name.

    Returns:
        As many, those that are floating numbers as float16.
    """
    return {name: v.half() if v.is_floating_point() else v for name, v in weights.items()}


def count_multiplications(model: nn.Module, run: Callable[[], object]) -> int:
    """Count what the convolutions and the linear layers of a network multiply.

    Args:
        model: the network.
        run: uses it once, for one sample.

    Returns:
        How many multiplications that takes.
    """
    counted = 0

    def count(module: nn.Module, _inputs: object, output: Tensor) -> None:
        nonlocal counted
        if isinstance(module, nn.Conv2d):
            counted += module.weight.numel() * output.shape[2] * output.shape[3]
        elif isinstance(module, nn.Linear):
            counted += module.weight.numel()

    hooks = [module.register_forward_hook(count) for module in model.eval().modules()]
    with torch.no_grad():
        run()
    for hook in hooks:
        hook.remove()
    return counted
