"""What a service is set to: where it listens, where it keeps things, and how much it takes."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

MEGABYTE = 1024 * 1024


def _readers() -> int:
    """One reader for each two cores: a reading runs on about two threads of its own."""
    return max(1, (os.cpu_count() or 2) // 2)


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and places; the defaults suit one table and a small machine."""

    home: Path
    """Folder of the ledger and the decks."""
    database_url: str = ""
    """PostgreSQL or SQLite; empty for `ledger.sqlite3` in `home`."""
    token: str | None = None
    """What a request to the API must bring; None where only this machine can ask."""
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """Names that a request may call this service by, where there is no token; empty allows all."""
    lang: str = "zh-Hant"
    """Language of answers where a request asks for none."""
    max_photo_bytes: int = 32 * MEGABYTE
    """The largest photo."""
    max_kept_bytes: int = 8 * MEGABYTE
    """The largest photo that a ledger keeps."""
    max_kept_total_bytes: int = 112 * MEGABYTE
    """How much the photos of one table may hold together: less than a backup that is taken back."""
    max_backup_bytes: int = 128 * MEGABYTE
    """The largest backup that is restored."""
    max_json_bytes: int = 256 * 1024
    """The largest body that is no photo."""
    max_uploading_bytes: int = 512 * MEGABYTE
    """How much of photos and backups is held in memory at once, from their first byte to the answer."""
    max_upload_s: float = 120.0
    """How long a body may take to arrive."""
    max_wrong_tokens: int = 20
    """How many different wrong tokens one address may bring in a window."""
    wrong_token_window_s: float = 300.0
    """How long an address that brought so many has to wait."""
    readers: int = field(default_factory=_readers)
    """How many photos are read at once."""
    reading_queue: int = 16
    """How many more may wait for a reader."""
    counters: int = 2
    """How many hands are counted at once."""
    counting_queue: int = 256
    """How many more may wait to be counted."""
    max_tables: int = 10_000
    max_decks: int = 20
    """How many decks of its own a table has."""

    @property
    def guests(self) -> bool:
        """Whether others than the owner of this machine can reach the service."""
        return self.token is not None

    @property
    def url(self) -> str:
        """The URL of the database."""
        return self.database_url or f"sqlite:///{self.home / 'ledger.sqlite3'}"

    def to_environment(self) -> str:
        """The settings as text, for worker processes."""
        return json.dumps(asdict(self) | {"home": str(self.home)})

    @classmethod
    def from_environment(cls, text: str) -> Settings:
        """Reads what `to_environment` wrote."""
        data = json.loads(text)
        return cls(**data | {"home": Path(data["home"]), "hosts": tuple(data["hosts"])})
