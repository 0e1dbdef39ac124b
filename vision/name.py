"""From crops of ends to what each card may be called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.session import Session
    from vision.types import FoundCard

DIMENSIONS = 128
"""Length of an embedding."""

_BATCH = 12
"""So many crops at a time: what the first layers make of them stays in the processor's cache, which takes
32 ms for 37 crops instead of 43 and gives the same numbers to the last bit."""

_BLOCK = (32, 64)
"""So many vectors are compared with so many others at a time: too little work for OpenBLAS to share it out
among its threads (0.3 million multiplications; from 0.5 million on it does), which then wait in a loop for
more, 20 to 60 ms of processor time each time."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much speaks for each name of each card."""

    labels: tuple[str, ...]
    """The names, one for each column."""

    logits: NDArray[np.float32]
    """float32[n, labels], similarities of both ends by what is seen of each, over the temperature."""

    similarity: NDArray[np.float32]
    """float32[n, labels], cosine to the nearest example of each face, the mean of both ends."""

    ends: tuple[NDArray[np.float32], ...]
    """For each card float32[one or two, labels], the similarities of each end."""

    looks: NDArray[np.float32]
    """float32[ends, labels], the similarities of all ends of the photo."""

    temperature: float
    """What the similarities were divided by."""

    alike: NDArray[np.float32]
    """float32[labels, labels], cosine between the nearest examples of each two faces."""

    first: NDArray[np.float32]
    """float32[n, labels], the logits before any second opinion."""

    opinions: NDArray[np.float32]
    """float32[n, labels], what the verifier says of each name, in nats; NaN where it was not asked."""

    clarity: NDArray[np.float32]
    """float32[n, 4], how clearly the best end of each card can be seen, `vision.quality.clarity`."""

    paper: NDArray[np.float32]
    """float32[n, 3], the colour on which that end is printed, `vision.quality.paper`."""


def embed(crops: NDArray[np.uint8], session: Session) -> NDArray[np.float32]:
    """Turn crops into embeddings.

    Args:
        crops: uint8[n, 72, 48, 3], upright ends.
        session: the namer.

    Returns:
        float32[n, 128], unit length.
    """
    parts = [
        session.run({"crops": normalise(crops[start : start + _BATCH])})[0]
        for start in range(0, len(crops), _BATCH)
    ]
    if not parts:
        return np.empty((0, DIMENSIONS), np.float32)
    return np.concatenate(parts)


def cosines(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compare each embedding with each other one.

    Args:
        one: float32[n, 128], unit length.
        other: float32[m, 128], unit length.

    Returns:
        float32[n, m].
    """
    result = np.empty((len(one), len(other)), np.float32)
    rows, columns = _BLOCK
    for top in range(0, len(one), rows):
        for left in range(0, len(other), columns):
            result[top : top + rows, left : left + columns] = (
                one[top : top + rows] @ other[left : left + columns].T
            )
    return result


def similarities(
    embeddings: NDArray[np.float32], vectors: NDArray[np.float32], faces: NDArray[np.intp], count: int
) -> NDArray[np.float32]:
    """Compare ends with the examples of a deck.

    Args:
        embeddings: float32[n, 128] of the ends.
        vectors: float32[m, 128] of the examples.
        faces: int[m], which face each example shows.
        count: number of faces.

    Returns:
        float32[n, count], cosine to the nearest example of each face; -1 for a
        face without examples.
    """
    result = np.full((count, len(embeddings)), -1, np.float32)
    np.maximum.at(result, faces, cosines(vectors, embeddings))
    return np.ascontiguousarray(result.T)


def likeness(vectors: NDArray[np.float32], faces: NDArray[np.intp], count: int) -> NDArray[np.float32]:
    """Compare the faces of a deck with each other.

    Args:
        vectors: float32[m, 128] of the examples.
        faces: int[m], which face each example shows.
        count: number of faces.

    Returns:
        float32[count, count], cosine between the nearest examples of each two
        faces; -1 for a face without examples.
    """
    result = np.full((count, count), -1, np.float32)
    np.maximum.at(result, faces, similarities(vectors, vectors, faces, count))
    return result


def votes(seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Say with what weight an end votes: what is half covered looks like something else.

    Args:
        seen: float32[n], share of each end that is seen.

    Returns:
        float32[n], its square.
    """
    weight: NDArray[np.float32] = np.clip(seen, 0.05, 1) ** 2
    return weight


def weigh(
    cards: Sequence[FoundCard],
    similarity: NDArray[np.float32],
    seen: NDArray[np.float32],
    labels: tuple[str, ...],
    *,
    temperature: float,
    alike: NDArray[np.float32],
    clarity: NDArray[np.float32],
    paper: NDArray[np.float32],
) -> Evidence:
    """Let both ends of each card vote.

    Args:
        cards: the cards of a photo.
        similarity: float32[ends, labels].
        seen: float32[ends], share of each end that is seen, by which it votes.
        labels: name of each column.
        temperature: similarities are divided by it.
        alike: float32[labels, labels], `likeness` of the faces of the deck.
        clarity: float32[cards, 4], `vision.quality.clarity` of their best ends.
        paper: float32[cards, 3], `vision.quality.paper` of these.

    Returns:
        The evidence for each card.
    """
    weight = votes(seen)
    logits = np.zeros((len(cards), len(labels)), np.float32)
    mean = np.zeros((len(cards), len(labels)), np.float32)
    ends = []
    for row, card in enumerate(cards):
        places = list(card.ends)
        total = (similarity[places] * weight[places, None]).sum(0)
        logits[row] = total / temperature
        mean[row] = total / weight[places].sum()
        ends.append(similarity[places])
    opinions = np.full(logits.shape, np.nan, np.float32)
    return Evidence(
        labels, logits, mean, tuple(ends), similarity, temperature, alike, logits, opinions, clarity, paper
    )
