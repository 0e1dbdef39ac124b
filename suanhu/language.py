"""In which language the program speaks: what `--lang` says, else the terminal's locale."""

import locale
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar

from scorer.lang import local

LANGUAGES = ("zh-Hant", "zh-Hans", "en")

_chosen: ContextVar[str] = ContextVar("language", default="en")


def choose(language: str) -> None:
    """Make `say` speak this language from now on.

    Args:
        language: One of `LANGUAGES`.
    """
    _chosen.set(language)


def chosen() -> str:
    """Return the language that `say` speaks, one of `LANGUAGES`."""
    return _chosen.get()


def say(traditional: str, simplified: str, english: str) -> str:
    """Pick the wording in the chosen language."""
    return {"zh-Hant": traditional, "zh-Hans": simplified, "en": english}[_chosen.get()]


def spelled(words: str) -> str:
    """Write words of the game, card names above all, in the script of the chosen language."""
    return local(_chosen.get(), words)


def listed(cards: Iterable[str]) -> str:
    """Write names of cards one after the other, `spelled`, divided as the chosen language divides them."""
    return say("、", "、", ", ").join(spelled(card) for card in cards)


def of_arguments(arguments: Sequence[str]) -> str | None:
    """Find the language that a command line names, before the command line is understood.

    Args:
        arguments: The words after the program's name.

    Returns:
        The last language named, None where none or an unknown one is.
    """
    found = None
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        if word == "--":
            break
        value = following if word == "--lang" else word.removeprefix("--lang=")
        if value in LANGUAGES:
            found = value
    return found


def of_locale(variables: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Tell the language from the locale.

    Args:
        variables: The environment.
        platform: Which system this is, as in `sys.platform`.

    Returns:
        Simplified Chinese for the mainland, Singapore and Malaysia, traditional for other Chinese locales,
        English for all others.
    """
    name = next((value for key in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := variables.get(key))), "")
    if not name and platform == "win32":
        name = locale.getlocale()[0] or ""
    name = name.split(".")[0].lower().replace("-", "_")
    if not (name == "zh" or name.startswith(("zh_", "chinese"))):
        return "en"
    if "hant" in name or "traditional" in name:
        return "zh-Hant"
    simplified = ("hans", "simplified", "_cn", "_sg", "_my", "china", "singapore")
    return "zh-Hans" if any(mark in name for mark in simplified) else "zh-Hant"
