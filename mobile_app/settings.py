"""What the app remembers between two evenings, in one small JSON file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

import scorer

NAME: Final = "app.json"
LANGS: Final = scorer.LANGS
MOST_STAKE: Final = 1_000_000

OptionValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of whoever holds the phone."""

    lang: str = "zh-Hant"
    rule: str | None = None
    """Name of the rule book; None until it was chosen."""

    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Options of the rule book that differ from its defaults."""

    players: int = 3
    stake: int = 1
    names: tuple[str, ...] = ()
    """Names of the players in the order of play."""

    deck: str = "auto"
    table: str | None = None
    """The ledger's table of this evening."""

    teach_deck: bool = True
    """Whether a correction teaches the deck."""

    slip_photo: bool = False
    """Whether the photo goes onto a slip that is sent."""

    def book(self) -> scorer.Book:
        """Load the rule book with its options.

        Returns:
            The book.

        Raises:
            scorer.ScorerError: no rule was chosen, or it does not know an option.
        """
        return scorer.load_book(self.rule or "", dict(self.options))

    def with_rule(self, rule: str) -> Settings:
        """Choose another rule book, with its own options and number of players.

        Args:
            rule: name of the book.

        Returns:
            The settings; options are kept where the rule stays the same.
        """
        if rule == self.rule:
            return self
        book = scorer.load_book(rule)
        players = self.players if self.players in book.players else book.default_players
        return replace(self, rule=rule, options={}, players=players)

    def with_option(self, name: str, value: OptionValue) -> Settings:
        """Set an option of the rule book.

        Args:
            name: of the option.
            value: what it is set to; its default is not stored.

        Returns:
            The settings.

        Raises:
            scorer.ScorerError: the book has no such option or it does not take the value.
        """
        book = scorer.load_book(self.rule or "", {**self.options, name: value})
        changed = {each.name: each.value for each in book.option_details if each.value != each.default}
        return replace(self, options=changed)


def load(folder: Path) -> Settings:
    """Read the settings; what is missing, damaged or no longer allowed takes its default.

    Args:
        folder: where the app keeps its data.

    Returns:
        The settings.
    """
    try:
        stored = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()
    return from_json(stored)


def from_json(stored: object) -> Settings:
    """Take settings from parsed JSON that is not trusted.

    Args:
        stored: anything.

    Returns:
        The settings, each field that does not fit at its default.
    """
    if not isinstance(stored, dict):
        return Settings()
    settings = Settings()
    for each in fields(Settings):
        if each.name in stored and _fits(each.name, stored[each.name]):
            value = stored[each.name]
            change: dict[str, Any] = {each.name: tuple(value) if each.name == "names" else value}
            settings = replace(settings, **change)
    if settings.rule is None:
        return replace(settings, options={})
    try:
        book = settings.book()
    except scorer.ScorerError:
        settings = replace(settings, options={})
        book = settings.book()
    if settings.players not in book.players:
        settings = replace(settings, players=book.default_players)
    return settings


def _fits(name: str, value: Any) -> bool:
    if name == "lang":
        return value in LANGS
    if name == "rule":
        return value is None or value in scorer.RULES
    if name == "options":
        return isinstance(value, dict) and all(isinstance(key, str) for key in value)
    if name == "players":
        return type(value) is int and 2 <= value <= 4
    if name == "stake":
        return type(value) is int and 1 <= value <= MOST_STAKE
    if name == "names":
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return False
        return len(set(value)) == len(value) <= 8 and all(0 < len(each) <= 20 for each in value)
    if name in {"teach_deck", "slip_photo"}:
        return isinstance(value, bool)
    if name == "deck":
        return isinstance(value, str)
    return value is None or isinstance(value, str)


def save(settings: Settings, folder: Path) -> None:
    """Write the settings; the file is replaced as a whole.

    Args:
        settings: what to keep.
        folder: where the app keeps its data; made where it is missing.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f".{NAME}.{os.getpid()}"
    try:
        beside.write_text(json.dumps(asdict(settings), ensure_ascii=False, indent=1), encoding="utf-8")
        beside.replace(folder / NAME)
    finally:
        beside.unlink(missing_ok=True)
