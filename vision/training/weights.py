"""Weights of networks: averaged in training, half of one and half of another, in half precision."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn


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
