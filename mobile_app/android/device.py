"""A phone as the app's machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from android import mActivity

from mobile_app.android import intents, pictures, voice
from mobile_app.device import Source
from vision.read import Picture


class Phone:
    """An Android phone."""

    has_camera = True
    has_picker = True
    has_dialog = True
    can_speak = True
    can_share = True

    def __init__(self) -> None:
        self._voice = voice.Voice()

    @property
    def data_folder(self) -> Path:
        """The folder that Android gives this app alone."""
        return Path(mActivity.getFilesDir().getAbsolutePath()) / "suanhu"

    def take_photo(self, done: Callable[[Source | None], None]) -> None:
        """Let the camera app take a photo.

        Args:
            done: told the bytes of the photo.
        """
        intents.take_photo(done)

    def pick_photo(self, done: Callable[[Source | None], None]) -> None:
        """Let the player choose a photo.

        Args:
            done: told the bytes of the photo.
        """
        intents.pick_photo(done)

    def decode(self, source: Source) -> Picture:
        """Decode a photo and turn it upright.

        Args:
            source: a file or its bytes.

        Returns:
            The picture.

        Raises:
            ImageError: it is no photo.
        """
        return pictures.decode(source)

    def share(self, path: Path, media_type: str) -> None:
        """Send a file to another app.

        Args:
            path: the file.
            media_type: of the file.
        """
        intents.share(path, media_type)

    def speak(self, text: str, lang: str) -> None:
        """Read a text aloud.

        Args:
            text: what to say.
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.
        """
        self._voice.speak(text, lang)

    def ask_text(self, title: str, text: str, done: Callable[[str | None], None]) -> None:
        """Let the player type a short text.

        Args:
            title: of the dialog.
            text: what stands there at first.
            done: told what was typed.
        """
        voice.ask_text(title, text, done)

    def open_file(self, done: Callable[[bytes | None], None]) -> None:
        """Let the player choose a file.

        Args:
            done: told its bytes.
        """
        intents.open_file(done)

    def save_file(self, name: str, media_type: str, data: bytes, done: Callable[[str | None], None]) -> None:
        """Let the player keep a file.

        Args:
            name: that is proposed.
            media_type: of the file.
            data: its bytes.
            done: told where it lies.
        """
        intents.save_file(name, media_type, data, done)
