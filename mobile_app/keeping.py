"""Backup and restore of everything the app keeps: the ledger, the decks, the settings."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Final

from mobile_app.settings import Settings, from_json
from mobile_app.words import pick
from table.ledger import Ledger
from table.ledger.backup import backup_bytes, restore
from vision.deck import SUFFIX, Deck
from vision.errors import DeckError
from vision.shelf import Shelf

NAME: Final = "suanhu-backup.zip"
_LEDGER: Final = "ledger.zip"
_SETTINGS: Final = "settings.json"
_DECKS: Final = "decks/"
_MOST_BYTES: Final = 512 << 20
_MOST_MEMBERS: Final = 1000


class KeepingError(ValueError):
    """A file that is no backup of this app."""

    def text(self, lang: str = "en") -> str:
        """Say what is wrong.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line.
        """
        return pick(lang, "這不是算胡的備份，或已損壞", str(self))


def backup(settings: Settings, ledger: Ledger, shelf: Shelf) -> bytes:
    """Write everything into one file.

    Args:
        settings: of the app.
        ledger: all evenings.
        shelf: the player's own decks are taken, those that ship are not.

    Returns:
        The bytes of a zip.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(_SETTINGS, json.dumps(asdict(settings), ensure_ascii=False, indent=1))
        archive.writestr(_LEDGER, backup_bytes(ledger))
        for deck in shelf.own():
            archive.writestr(f"{_DECKS}{deck.name}{SUFFIX}", deck.to_bytes())
    return target.getvalue()


def bring_back(data: bytes, ledger: Ledger, shelf: Shelf) -> Settings:
    """Add what a backup holds to what is there; evenings that are there already stay.

    Args:
        data: the bytes of `backup`; they are not trusted.
        ledger: gets the evenings.
        shelf: gets the decks; one of the same name is replaced.

    Returns:
        The settings of the backup.

    Raises:
        KeepingError: it is no backup.
        LedgerError: its ledger is damaged.
        DeckError: one of its decks is damaged.
    """
    if len(data) > _MOST_BYTES:
        raise KeepingError("the backup is too large")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _members(archive)
            settings = from_json(json.loads(archive.read(_SETTINGS)))
            evenings = archive.read(_LEDGER)
            decks = [
                Deck.from_bytes(archive.read(each), name=_deck_name(each.filename))
                for each in members
                if each.filename.startswith(_DECKS)
            ]
    except (DeckError, KeepingError):
        raise
    except Exception as error:
        raise KeepingError("this is no backup of suanhu, or it is damaged") from error
    restore(ledger, io.BytesIO(evenings))
    for deck in decks:
        shelf.save(deck)
    return settings


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    members = archive.infolist()
    if len(members) > _MOST_MEMBERS or sum(each.file_size for each in members) > _MOST_BYTES:
        raise KeepingError("the backup is too large")
    return members


def _deck_name(member: str) -> str:
    return Path(member).name.removesuffix(SUFFIX)
