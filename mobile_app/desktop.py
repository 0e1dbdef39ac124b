"""A desktop as the app's machine; the phone does not carry this module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mobile_app.device import Source
from vision.files import home_folder
from vision.read import Picture


class Desktop:
    """A desktop: photos come from files, and files go to a folder.

    Args:
        folder: where the app keeps its data; None is the user's data folder.
    """

    has_camera = False
    has_picker = False
    has_dialog = False
    can_speak = False
    can_share = False

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = home_folder() if folder is None else folder

    @property
    def data_folder(self) -> Path:
        """Where the app keeps its data."""
        return self._folder

    def take_photo(self, done: Callable[[Source | None], None]) -> None:
        """There is no camera."""
        done(None)

    def pick_photo(self, done: Callable[[Source | None], None]) -> None:
        """The app lists the files itself."""
        done(None)

    def decode(self, source: Source) -> Picture:
        """Decode a photo and turn it upright.

        Args:
            source: a file or its bytes.

        Returns:
            The picture.

        Raises:
            ImageError: it is no photo.
        """
        from vision.decode import read_photo

        return read_photo(source)

    def share(self, path: Path, media_type: str) -> None:
        """A desktop has no share sheet."""

    def speak(self, text: str, lang: str) -> None:
        """A desktop stays silent."""

    def ask_text(self, title: str, text: str, done: Callable[[str | None], None]) -> None:
        """The app offers names to choose from instead."""
        del title, text
        done(None)

    def open_file(self, done: Callable[[bytes | None], None]) -> None:
        """The app lists the files itself."""
        done(None)

    def save_file(self, name: str, media_type: str, data: bytes, done: Callable[[str | None], None]) -> None:
        """Write a file into the folder ``saved`` of the app's data.

        Args:
            name: of the file.
            media_type: not needed here.
            data: its bytes.
            done: told the path; None where it cannot be written.
        """
        del media_type
        path = self._folder / "saved" / Path(name).name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError:
            done(None)
        else:
            done(str(path))
