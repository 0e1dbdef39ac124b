"""A deck is data: its faces as examples, in one small file.

The file (INTERFACE.md, "Decks") is a zip of ``deck.json`` and one PNG for each
example, an upright crop of a single printed end. No photo is kept. Nothing is
unpickled; every size is limited before anything is unpacked.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import io
import json
import os
import re
import struct
import threading
import zipfile
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import HEIGHT, WIDTH
from vision.errors import DeckError
from vision.faces import COPIES, kind_of
from vision.name import DIMENSIONS
from vision.png import read_png, write_png

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

FORMAT = 1
"""Version of the file format."""

SUFFIX = ".deck"

MOST_CORRECTIONS = 12
"""Examples that a face may have from corrections; the oldest make room for the newest."""

MOST_EXAMPLES = 1024
"""Examples that a deck may have, so that its file stays small."""

_MOST_BYTES = 16 << 20
_MOST_JSON = 2 << 20
_MOST_CROP = 64 << 10
_ZIP_END, _ZIP_END_LENGTH = b"PK\5\6", 22
"""How the last record of a zip file begins, and its length: no comment follows."""

_NAME = re.compile(r"[\w-][\w .+-]{0,39}")
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[1-9¹²³]) *(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, with whatever ending."""

PRIVACY = {
    "zh-Hant": "只存單張牌的小圖，不存照片。",
    "zh-Hans": "只存单张牌的小图，不存照片。",
    "en": "Only small pictures of single cards are kept, never the photo.",
}
"""What a program says where it saves a deck or a correction."""


@dataclass(frozen=True, slots=True)
class Example:
    """One look at a face."""

    label: str
    """The card in standard spelling."""

    crop: NDArray[np.uint8] = field(repr=False)
    """uint8[72, 48, 3], an upright end."""

    vector: NDArray[np.float32] | None = field(default=None, repr=False)
    """float32[128], what the namer of the deck makes of it; None where not yet made."""

    correction: bool = False
    """Whether a player's correction brought it."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Deck:
    """The faces of a deck of cards, each with its examples."""

    name: str
    kind: int
    """110, 112 or 96."""

    examples: tuple[Example, ...] = field(repr=False)
    namer: str | None = None
    """SHA-256 of the namer that made the vectors."""

    read_only: bool = False
    """Whether it ships with the program."""

    def __post_init__(self) -> None:
        """Check name, kind and labels.

        Raises:
            DeckError: the name cannot be a file name, a face is not of this kind, or there
                are too many examples for one file.
        """
        check_name(self.name)
        if len(self.examples) > MOST_EXAMPLES:
            raise DeckError("too_large", name=self.name)
        if self.kind not in COPIES:
            raise DeckError("damaged", name=self.name, reason=f"kind {self.kind}")
        for example in self.examples:
            if example.label not in COPIES[self.kind]:
                raise DeckError("label", label=example.label)

    @property
    def labels(self) -> tuple[str, ...]:
        """The faces that have examples, in the order of the deck."""
        given = {example.label for example in self.examples}
        return tuple(label for label in COPIES[self.kind] if label in given)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces without examples."""
        return tuple(label for label in COPIES[self.kind] if label not in set(self.labels))

    @property
    def copies(self) -> Mapping[str, int]:
        """How many copies of each face the deck has."""
        return COPIES[self.kind]

    def vectors(self) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """Stack the vectors of all examples.

        Returns:
            float32[m, 128], and int[m], the place of each in `labels`.

        Raises:
            DeckError: there are no examples, or their vectors were not made.
        """
        if not self.examples:
            raise DeckError("no_examples", name=self.name)
        made = [example.vector for example in self.examples if example.vector is not None]
        if len(made) < len(self.examples):
            raise DeckError("damaged", name=self.name, reason="vectors are missing")
        places = {label: place for place, label in enumerate(self.labels)}
        faces = np.array([places[example.label] for example in self.examples], np.intp)
        return np.stack(made), faces

    def with_vectors(self, namer: str, embed: Callable[[NDArray[np.uint8]], NDArray[np.float32]]) -> Deck:
        """Make the vectors that this namer has not made yet.

        Args:
            namer: SHA-256 of the namer.
            embed: the namer, uint8[n, 72, 48, 3] to float32[n, 128].

        Returns:
            The deck itself where nothing was missing.
        """
        again = self.namer != namer
        wanted = [place for place, example in enumerate(self.examples) if again or example.vector is None]
        if not wanted and not again:
            return self
        examples = list(self.examples)
        if wanted:
            made = embed(np.stack([examples[place].crop for place in wanted]))
            for place, vector in zip(wanted, made, strict=True):
                examples[place] = replace(examples[place], vector=vector)
        return replace(self, examples=tuple(examples), namer=namer)

    def corrected(
        self, label: str, crop: NDArray[np.uint8], other_crop: NDArray[np.uint8] | None = None
    ) -> Deck:
        """Learn from a card that a player corrected.

        What was said of the very same crop before is taken back.

        Args:
            label: what the card really is, in standard spelling.
            crop: uint8[72, 48, 3], its best seen end (`Card.crop`).
            other_crop: uint8[72, 48, 3], its other end, since both ends vote.

        Returns:
            A deck that knows this look of the face, too, the player's own.

        Raises:
            DeckError: the deck has no such face.
        """
        if label not in self.copies:
            raise DeckError("label", label=label)
        crops = [np.ascontiguousarray(each) for each in (crop, other_crop) if each is not None]
        kept = [
            example
            for example in self.examples
            if not (example.correction and any(np.array_equal(example.crop, each) for each in crops))
        ]
        before = [
            place for place, example in enumerate(kept) if example.correction and example.label == label
        ]
        gone = set(before[: max(0, len(before) + len(crops) - MOST_CORRECTIONS)])
        new = [Example(label, each, None, correction=True) for each in crops]
        examples = [example for place, example in enumerate(kept) if place not in gone]
        return replace(self, examples=(*examples, *new), read_only=False)

    def renamed(self, name: str) -> Deck:
        """Give the deck another name.

        Args:
            name: the new one.

        Returns:
            The player's own copy.

        Raises:
            DeckError: the name cannot be a file name.
        """
        return replace(self, name=name, read_only=False)

    def to_bytes(self) -> bytes:
        """Write the deck as a file that can be sent to a friend.

        Returns:
            The bytes of the file; equal decks give equal bytes.
        """
        entries = []
        pictures: dict[str, bytes] = {}
        for place, example in enumerate(self.examples):
            picture = f"{place:04d}.png"
            pictures[picture] = write_png(example.crop)
            entry: dict[str, object] = {"label": example.label, "crop": picture}
            if example.vector is not None:
                entry["vector"] = base64.b64encode(example.vector.astype("<f4").tobytes()).decode("ascii")
            if example.correction:
                entry["correction"] = True
            entries.append(entry)
        about = {
            "format": FORMAT,
            "name": self.name,
            "kind": self.kind,
            "namer": self.namer,
            "examples": entries,
        }
        text = json.dumps(about, ensure_ascii=False, indent=1).encode()
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("deck.json"), text, zipfile.ZIP_DEFLATED)
            for picture, data in pictures.items():
                archive.writestr(zipfile.ZipInfo(picture), data, zipfile.ZIP_STORED)
        return target.getvalue()

    def save(self, path: Path | str) -> None:
        """Write the deck into a file; one that was there is replaced as a whole.

        Args:
            path: where to.

        Raises:
            OSError: it cannot be written.
        """
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            with naming(path):
                beside.write_bytes(self.to_bytes())
                beside.replace(path)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str | None = None, read_only: bool = False) -> Deck:
        """Read a deck file.

        Args:
            data: its bytes; they are not trusted.
            name: what the deck is called; None takes the name in the file.
            read_only: whether it ships with the program.

        Returns:
            The deck, vectors as stored.

        Raises:
            DeckError: it is damaged or of another version.
        """
        shown = name or "?"
        if len(data) > _MOST_BYTES:
            raise DeckError("too_large", name=shown)
        if data[-_ZIP_END_LENGTH:][:4] != _ZIP_END:
            raise DeckError("damaged", name=shown, reason="not a whole zip file")
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                return cls._from_archive(archive, name, shown, read_only=read_only)
        except DeckError:
            raise
        except (KeyError, TypeError, AttributeError) as error:
            raise DeckError("damaged", name=shown, reason="deck.json lacks something") from error
        except (ValueError, ArithmeticError, RecursionError) as error:
            raise DeckError("damaged", name=shown, reason=str(error)) from error
        except (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError) as error:
            raise DeckError("damaged", name=shown, reason="not a whole zip file") from error

    @classmethod
    def _from_archive(
        cls, archive: zipfile.ZipFile, name: str | None, shown: str, *, read_only: bool
    ) -> Deck:
        if len(archive.infolist()) > MOST_EXAMPLES + 1:
            raise DeckError("too_large", name=shown)
        about = json.loads(_member(archive, "deck.json", _MOST_JSON))
        version = about["format"]
        if type(version) is not int or version != FORMAT:
            raise DeckError("version", name=shown, found=repr(version), known=FORMAT)
        if len(about["examples"]) > MOST_EXAMPLES:
            raise DeckError("too_large", name=shown)
        examples = []
        for entry in about["examples"]:
            crop = read_png(_member(archive, _text(entry["crop"]), _MOST_CROP))
            if crop.shape != (HEIGHT, WIDTH, 3):
                raise ValueError("a crop has another size")
            vector = _vector(_text(entry["vector"])) if "vector" in entry else None
            examples.append(
                Example(
                    _text(entry["label"]), crop, vector, correction=entry.get("correction", False) is True
                )
            )
        if not examples:
            raise DeckError("no_examples", name=shown)
        namer = about["namer"]
        kind = about["kind"]
        if type(kind) is not int:
            raise TypeError
        return cls(
            name=name or _text(about["name"]),
            kind=kind,
            examples=tuple(examples),
            namer=None if namer is None else _text(namer),
            read_only=read_only,
        )

    @classmethod
    def load(cls, path: Path | str, *, called_as_file: bool = True, read_only: bool = False) -> Deck:
        """Read a deck file.

        Args:
            path: the file.
            called_as_file: whether the deck is called as the file, where a deck may be called so, and not as
                it calls itself.
            read_only: whether it ships with the program.

        Returns:
            The deck.

        Raises:
            DeckError: it is missing, no regular file, damaged or of another version.
        """
        path = Path(path)
        try:
            # A pipe may be silent for ever, even before it is open.
            data = _head(path) if path.is_file() else None
        except (OSError, ValueError) as error:
            raise DeckError("no_file", path=path) from error
        if data is None:
            raise DeckError("no_file", path=path)
        called = path.name.removesuffix(SUFFIX)
        name = called if called_as_file and is_name(called) else None
        try:
            return cls.from_bytes(data, name=name, read_only=read_only)
        except DeckError as error:
            error.path = path
            raise

    @classmethod
    def of_faces(
        cls, name: str, faces: Sequence[tuple[str, NDArray[np.uint8]]], *, kind: int | None = None
    ) -> Deck:
        """Make a deck of labelled crops.

        Args:
            name: what it is called.
            faces: card and uint8[72, 48, 3], upright ends; a card may occur often.
            kind: 110, 112 or 96; where None it follows from the faces.

        Returns:
            A deck whose vectors are still to be made.

        Raises:
            DeckError: the faces do not belong to one deck.
        """
        if kind is None:
            kind = kind_of(label for label, _ in faces)
        return cls(name, kind, tuple(Example(label, crop) for label, crop in faces))


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name a deck's file in what goes wrong with the files that lie beside it, of which nobody knows.

    Args:
        path: the deck's file.

    Yields:
        Nothing.

    Raises:
        OSError: as it was raised within, but with this path.
    """
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def check_name(name: str) -> str:
    """Make sure that a deck may be called so.

    Args:
        name: letters of any script, digits, ``-``, ``_``, dots and spaces inside.

    Returns:
        The name.

    Raises:
        DeckError: it may not.
    """
    if not is_name(name):
        raise DeckError("name", name=name)
    return name


def is_name(name: str) -> bool:
    """Tell whether a deck may be called so.

    Args:
        name: any text.

    Returns:
        Whether `check_name` lets it pass.
    """
    if not _NAME.fullmatch(name) or name.endswith((" ", ".")):
        return False
    return name != "auto" and not _DEVICE.fullmatch(name)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES + 1)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Unpack a member, at most ``limit`` bytes of it, whatever its header says."""
    try:
        about = archive.getinfo(name)
    except KeyError as error:
        raise ValueError(f"{name} is missing") from error
    if about.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ValueError("packed in an unknown way")
    with archive.open(about) as member:
        data = member.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"{name} is too large")
    return data


def _vector(text: str) -> NDArray[np.float32]:
    try:
        vector = np.frombuffer(base64.b64decode(text, validate=True), "<f4").astype(np.float32)
    except (binascii.Error, ValueError) as error:
        raise ValueError("a vector is damaged") from error
    if vector.shape != (DIMENSIONS,) or not abs(float(np.linalg.norm(vector.astype(np.float64))) - 1) < 0.01:
        raise ValueError("a vector is damaged")
    return vector
