"""Names that players choose from, since a phone's Chinese keyboard does not reach the app."""

from __future__ import annotations

from typing import Final

from mobile_app.words import pick

SEATS: Final = (("東", "East"), ("南", "South"), ("西", "West"), ("北", "North"))
COLOURS: Final = (
    ("紅", "Red"),
    ("黃", "Yellow"),
    ("藍", "Blue"),
    ("綠", "Green"),
    ("白", "White"),
    ("黑", "Black"),
    ("紫", "Purple"),
    ("灰", "Grey"),
)
SURNAMES: Final = tuple(
    "王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭"
    "程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉余潘杜戴夏鍾汪田任姜范"
    "方石姚譚廖鄒熊金陸郝孔白"
)
"""Common in Hubei."""

ADDRESS: Final = (("老{}", "Old {}"), ("{}哥", "Brother {}"), ("{}姐", "Sister {}"), ("小{}", "Young {}"))


def seat_names(lang: str) -> tuple[str, ...]:
    """Name the players by where they sit.

    Args:
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        Four names in the order of play.
    """
    return tuple(pick(lang, hant, en) for hant, en in SEATS)


def colour_names(lang: str) -> tuple[str, ...]:
    """Name the players by colours.

    Args:
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        The names.
    """
    return tuple(pick(lang, hant, en) for hant, en in COLOURS)


def surnames(lang: str) -> tuple[str, ...]:
    """List common surnames in the script of a language.

    Args:
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        The surnames.
    """
    return tuple(pick(lang, name, name) for name in SURNAMES)


def addressed(surname: str, lang: str) -> tuple[str, ...]:
    """Say how people of a surname are called at a table.

    Args:
        surname: one character.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        The names.
    """
    return tuple(pick(lang, hant, en).format(surname) for hant, en in ADDRESS)
