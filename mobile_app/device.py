"""What the app asks of the machine it runs on; a desktop and Android each answer in their own way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from vision.read import Picture

Source = Path | bytes
"""A photo that is not decoded yet."""


class Device(Protocol):
    """A machine. Whatever takes a ``done`` answers later, from any thread, None where the player gave up."""

    has_camera: bool
    """Whether `take_photo` works."""

    has_picker: bool
    """Whether `pick_photo` and `open_file` work; where not, the app lists files itself."""

    has_dialog: bool
    """Whether `ask_text` works; where not, the app has its own field."""

    can_speak: bool
    can_share: bool

    @property
    def data_folder(self) -> Path:
        """Where the app keeps its data."""
        ...

    def take_photo(self, done: Callable[[Source | None], None]) -> None:
        """Let the player take a photo."""
        ...

    def pick_photo(self, done: Callable[[Source | None], None]) -> None:
        """Let the player choose a photo."""
        ...

    def decode(self, source: Source) -> Picture:
        """Decode a photo and turn it upright; called in a thread of its own.

        Raises:
            ImageError: it is no photo.
        """
        ...

    def share(self, path: Path, media_type: str) -> None:
        """Send a file to another app."""
        ...

    def speak(self, text: str, lang: str) -> None:
        """Read a text aloud."""
        ...

    def ask_text(self, title: str, text: str, done: Callable[[str | None], None]) -> None:
        """Let the player type a short text."""
        ...

    def open_file(self, done: Callable[[bytes | None], None]) -> None:
        """Let the player choose a file and read it."""
        ...

    def save_file(self, name: str, media_type: str, data: bytes, done: Callable[[str | None], None]) -> None:
        """Let the player keep a file; ``done`` is told where it lies."""
        ...
