"""A closer comparison of what the namer alone does not make clear.

A crop and an example of a face are looked at together, place by place. That tells what one vector
for each cannot: whether the stroke that two faces differ in is missing or only covered. Asking a cheap
comparison of vectors for the likeliest and a dearer one of pictures for the choice among them is the way
of search engines (Nogueira and Cho, "Passage re-ranking with BERT", 2019).
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import normalise
from vision.name import cosines, votes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from vision.calibration import Calibration
    from vision.deck import Deck
    from vision.name import Evidence
    from vision.read import Found
    from vision.session import Session

    Compare = Callable[[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.intp]], NDArray[np.float32]]
    """Crops, examples, and for each comparison the places of both to what speaks for one face, in nats."""

RIVALS = 4
"""So many of the likeliest names of a card are compared at most."""

CLEAR_BY = 8.0
"""A name that is likelier than all others by so many nats is clear; one so much behind is no rival."""

ENDS = 2
"""A face that was learned from one card has so many examples."""

NEAR = 0.06
"""A look whose cosine is so much less is no other manner of the same print."""

MOST_LOOKS = 2
"""Of one that is known in more looks, as decks that ship are, so many of the nearest are compared: which of
them a card has, the namer alone does not tell."""

FURTHER = 6.0
"""Beside the two likeliest names only those are compared that are no more nats behind the first."""

_BATCH = 128
_MOST_KNOWN = 256
_NOTHING = np.zeros((1, 80, 18, 12), np.float32)


def digest(crop: NDArray[np.uint8]) -> bytes:
    """Give a name to a crop by its pixels.

    Args:
        crop: uint8[72, 48, 3].

    Returns:
        16 bytes.
    """
    return hashlib.blake2b(crop.tobytes(), digest_size=16).digest()


class Verifier:
    """Compares crops with examples of faces; what it has made of an example is kept.

    Args:
        session: the network.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[bytes, NDArray[np.float32]] = {}

    def __call__(
        self, crops: NDArray[np.uint8], examples: NDArray[np.uint8], pairs: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """Compare crops with examples.

        Args:
            crops: uint8[n, 72, 48, 3], upright ends.
            examples: uint8[m, 72, 48, 3], upright ends of known faces.
            pairs: int[p, 2], place of a crop and of an example.

        Returns:
            float32[p], how much speaks for both being one face, in nats beside other examples.
        """
        known = self._look(examples)
        result = np.empty(len(pairs), np.float32)
        order = np.argsort(pairs[:, 0], kind="stable")
        for start in range(0, len(pairs), _BATCH):
            places = order[start : start + _BATCH]
            mine, crop = np.unique(pairs[places, 0], return_inverse=True)
            at = np.stack([crop.ravel(), pairs[places, 1]], axis=1)
            result[places] = self._run(crops[mine], known, at)[0]
        return result

    def _look(self, examples: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Give what the network makes of examples: float32[m, features, 18, 12]."""
        names = [digest(example) for example in examples]
        known = self._known  # Another thread may begin anew meanwhile.
        made = {name: known[name] for name in names if name in known}
        new = [place for place, name in enumerate(names) if name not in made]
        if len(known) + len(new) > _MOST_KNOWN:
            self._known = {}
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            features = self._run(examples[part], _NOTHING, np.zeros((1, 2), np.intp))[1]
            made |= {names[place]: one.copy() for place, one in zip(part, features, strict=True)}
        self._known.update(made)
        return np.stack([made[name] for name in names]) if names else _NOTHING

    def _run(
        self, crops: NDArray[np.uint8], known: NDArray[np.float32], pairs: NDArray[np.intp]
    ) -> list[NDArray[np.float32]]:
        return self._session.run(
            {"crops": normalise(crops), "known": known, "pairs": pairs.astype(np.float32)}
        )


def second_opinion(
    evidence: Evidence,
    found: Found,
    deck: Deck,
    examples: tuple[NDArray[np.float32], NDArray[np.intp]],
    numbers: Calibration,
    compare: Compare,
) -> Evidence:
    """Compare the likeliest names of each card that is not clear, and weigh both opinions.

    Args:
        evidence: of the namer.
        found: the cards of a photo.
        deck: whose names.
        examples: its `Deck.vectors`.
        numbers: how much each opinion weighs.
        compare: the verifier.

    Returns:
        The evidence of both.
    """
    rivals = {row: columns for row, one in enumerate(evidence.logits) if len(columns := _rivals(one)) > 1}
    if not rivals:
        return evidence
    vectors, faces = examples
    pairs: list[tuple[int, int]] = []
    starts: list[int] = []
    for row, columns in rivals.items():
        for end in found.cards[row].ends:
            looks = cosines(found.embeddings[[end]], vectors)[0]
            for column in columns:
                starts.append(len(pairs))
                pairs += [(end, example) for example in _nearest(looks, np.flatnonzero(faces == column))]
    needed, place = np.unique([example for _, example in pairs], return_inverse=True)
    told = compare(
        found.crops,
        np.stack([deck.examples[example].crop for example in needed.tolist()]),
        np.stack([np.array([end for end, _ in pairs], np.intp), place.ravel()], axis=1),
    )
    told = np.maximum.reduceat(told, starts)
    weight = votes(found.ends.seen)
    opinions, logits = evidence.opinions.copy(), evidence.logits.copy()
    first = 0
    for row, columns in rivals.items():
        ends = list(found.cards[row].ends)
        last = first + len(ends) * len(columns)
        said = (told[first:last].reshape(len(ends), -1) * weight[ends, None]).sum(0)
        first = last
        opinions[row, columns] = said
        # What was not compared is no likelier than the least likely that was.
        logits[row] = numbers.namer_share * logits[row] + numbers.verifier_share * said.min()
        logits[row, columns] += numbers.verifier_share * (said - said.min())
    return replace(evidence, logits=logits, opinions=opinions)


def _rivals(logits: NDArray[np.float32]) -> list[int]:
    """Give the names of a card that are compared, the likeliest first; one alone needs no comparison."""
    order = np.argsort(-logits, kind="stable")[:RIVALS]
    behind = logits[order[0]] - logits[order]
    columns: list[int] = order[behind < np.where(np.arange(len(order)) < 2, CLEAR_BY, FURTHER)].tolist()
    return columns


def _nearest(looks: NDArray[np.float32], own: NDArray[np.intp]) -> list[int]:
    """Give the examples of a face that an end is compared with, by how like it each example looks."""
    nearest = own[np.argsort(-looks[own], kind="stable")][: 1 if len(own) <= ENDS else MOST_LOOKS]
    chosen: list[int] = nearest[looks[nearest] > looks[nearest[0]] - NEAR].tolist()
    return chosen
