"""What may stand in a rule book file, and errors that name the line where something else does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorer.cards import CHARACTERS, DECKS, UNIT
from scorer.errors import BookError
from scorer.lang import Phrase

Table = dict[str, object]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: what is allowed, in words, and the check."""

    allowed: Phrase
    holds: Callable[[object], bool]


def _is_whole(value: object, least: int = 0, most: int = 1000) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_table_of_whole(value: object, keys: tuple[str, ...]) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(key in keys and _is_whole(entry) for key, entry in value.items())
    )


def _is_list_of(value: object, allowed: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and bool(value) and all(allowed(entry) for entry in value)


def _is_tier(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"points", "steps", "name"}
        and _is_whole(value["points"])
        and _is_whole(value["steps"])
        and isinstance(value["name"], str)
    )


def _one_of(*values: object) -> Kind:
    shown = ", ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in values)
    return Kind(
        Phrase(shown, f"one of {shown}"),
        lambda value: any(value is entry or value == entry for entry in values),
    )


_FLOWERS = ("0", "1", "2", "3", "4", "5")
_PLAYERS = ("2", "3", "4")
_WHOLE = Kind(Phrase("0 到 1000 的整數", "a whole number from 0 to 1000"), _is_whole)
_POSITIVE = Kind(
    Phrase("1 到 1000 的整數", "a whole number from 1 to 1000"), lambda value: _is_whole(value, 1)
)
_YES_NO = Kind(Phrase("true 或 false", "true or false"), lambda value: isinstance(value, bool))
A_TEXT = Phrase("引號裡的文字", "a text in quotes")
_TEXT = Kind(A_TEXT, lambda value: isinstance(value, str) and bool(value))
_BY_FLOWERS = Kind(
    Phrase(
        "整數，或按花的張數各寫一個，{ 0 = 5, 1 = 6 }",
        "a whole number, or one for each number of flowers, { 0 = 5, 1 = 6 }",
    ),
    lambda value: _is_whole(value) or _is_table_of_whole(value, _FLOWERS),
)
_BY_PLAYERS = Kind(
    Phrase(
        "整數，或按人數各寫一個，{ 2 = 24, 3 = 17 }",
        "a whole number, or one for each number of players, { 2 = 24, 3 = 17 }",
    ),
    lambda value: _is_whole(value) or _is_table_of_whole(value, _PLAYERS),
)
_TIERS = Kind(
    Phrase(
        '一串 { points = 21, steps = 2, name = "屁胡" }',
        'a list of { points = 21, steps = 2, name = "屁胡" }',
    ),
    lambda value: _is_list_of(value, _is_tier),
)
_TITLE = Kind(
    Phrase('引號裡的文字，或 { zh = "…", en = "…" }', 'a text in quotes, or { zh = "…", en = "…" }'),
    lambda value: (
        (isinstance(value, str) and bool(value))
        or (
            isinstance(value, dict)
            and set(value) == {"zh", "en"}
            and all(isinstance(entry, str) for entry in value.values())
        )
    ),
)
_CHARACTERS = Kind(
    Phrase('一串字，["三", "五", "七"]', 'a list of characters, ["三", "五", "七"]'),
    lambda value: _is_list_of(value, CHARACTERS.__contains__),
)
_PLAYER_LIST = Kind(
    Phrase("一串人數，從 2、3、4 裡選", "a list of numbers of players out of 2, 3, 4"),
    lambda value: _is_list_of(value, lambda entry: _is_whole(entry, 2, 4)),
)
_TEXTS = Kind(
    Phrase("一串引號裡的文字", "a list of texts in quotes"),
    lambda value: _is_list_of(value, lambda entry: isinstance(entry, str)),
)

_SHAPES = ("sentence", "triplet", "triplet_exposed", "quad", "quad_exposed", "quint", "quint_exposed")
_COLOURS = ("red", "black", "other")
_NAMES = (*_SHAPES, "eye", "pair", "discard", "drawn")

FIELDS: Mapping[str, Kind] = MappingProxyType(
    {
        "base": _TEXT,
        "order": _WHOLE,
        "title": _TITLE,
        "deck": _one_of(*DECKS),
        "groups": Kind(
            Phrase("1 到 8 的整數", "a whole number from 1 to 8"), lambda value: _is_whole(value, 1, 8)
        ),
        "players": _PLAYER_LIST,
        "default_players": Kind(Phrase("2、3 或 4", "2, 3 or 4"), lambda value: _is_whole(value, 2, 4)),
        "seats": _BY_PLAYERS,
        "minimum": _BY_PLAYERS,
        "unit": _TEXT,
        "step_unit": _TEXT,
        "without_options": _TEXTS,
        **{f"{colour}.{shape}": _WHOLE for colour in _COLOURS for shape in (*_SHAPES, "pair", "half")},
        "jing.characters": _CHARACTERS,
        "jing.main_times": _POSITIVE,
        **{f"jing.{key}": _WHOLE for key in ("plain", "flower", "sentence", "pair", "half")},
        **{f"jing.{shape}": _BY_FLOWERS for shape in _SHAPES[1:]},
        "jing.triplet_two_wilds_one_flower": _WHOLE,
        "black_flower.points": _WHOLE,
        "black_flower.always_in_eye": _YES_NO,
        **{f"cards.{card}": _WHOLE for card in UNIT if ">" not in card},
        "steps.method": _one_of("tiers", "division", "classes"),
        "steps.start": _WHOLE,
        "steps.by": _POSITIVE,
        **{f"special.{key}": _WHOLE for key in ("all_black", "all_red", "ten_pairs")},
        **{f"classes.{key}": _TIERS for key in ("with_jing", "without_jing", "withered")},
        "classes.withered_phrases": Kind(
            Phrase("一串這副牌的句", "a list of sentences of the deck"),
            lambda value: _is_list_of(value, lambda entry: entry in DECKS[96].phrases),
        ),
        "classes.one_colour": _WHOLE,
        "classes.all_alike": _WHOLE,
        "payment.discarder": _one_of("all", "alone", "each"),
        **{f"payment.{key}": _WHOLE for key in ("discarder_extra", "other_extra", "drawn_extra")},
        "bao.holds": _YES_NO,
        **{f"table.{key}": _YES_NO for key in ("pickup", "picked_cards", "declared_may_break", "ten_pairs")},
        **{f"names.{name}": _TEXT for name in _NAMES},
        **{f"forms.{form}": _TEXT for form in ("single", "pairs", "ends", "middle")},
    }
)
"""Every value of a rule book, by its dotted name. `options`, `sources` and `when` stand beside these."""

TABLES = frozenset(name.partition(".")[0] for name in FIELDS if "." in name)

_KEY = r"(?:\"[^\"]*\"|'[^']*'|[\w-]+)"
_HEADER = re.compile(rf"^\s*\[\[?\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]\]?")
_ENTRY = re.compile(rf"^\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


def _split_key(text: str) -> Path:
    return tuple(part.strip("\"'") for part in re.findall(_KEY, text))


@dataclass(frozen=True, slots=True)
class Source:
    """A rule book file as text, to name lines in errors."""

    name: str
    """What the file is called in errors."""
    text: str

    def line_of(self, path: Path) -> int:
        r"""Find the line of a key, or of the nearest table round it.

        Example:
            >>> Source("x.toml", '[jing]\nplain = 1\n').line_of(("jing", "plain"))
            2
        """
        lines: dict[Path, int] = {}
        table: Path = ()
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := _HEADER.match(line):
                table = _split_key(header[1])
                for depth in range(1, len(table) + 1):
                    lines.setdefault(table[:depth], number)
            elif entry := _ENTRY.match(line):
                lines.setdefault((*table, *_split_key(entry[1])), number)
        while path and path not in lines:
            path = path[:-1]
        return lines.get(path, 1)

    def _line_in(self, problem: str) -> int:
        """The line that the reader of TOML complains of; the last one where the text ends too early."""
        found = re.search(r"at line (\d+)", problem)
        return int(found[1]) if found else max(1, len(self.text.splitlines()))

    def error(self, message: str, path: Path, **parts: object) -> BookError:
        """Make the error that names this file and the line of a key."""
        return BookError(message, file=self.name, line=self.line_of(path), key=".".join(path), **parts)

    def parse(self) -> Table:
        """Read the TOML.

        Raises:
            BookError: it is no TOML.
        """
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise BookError(
                "book_toml", file=self.name, line=self._line_in(str(error)), problem=error
            ) from None
        except RecursionError:
            raise BookError("book_deep", file=self.name) from None


def a_table(header: str) -> Phrase:
    """Say that a table with a header is what is allowed."""
    return Phrase(f"一個表 {header}", f"a table {header}")


def _known(names: object) -> str:
    return ", ".join(sorted(map(str, names)))  # type: ignore[call-overload]


def check_values(table: Table, source: Source, prefix: Path = (), inside: str = "") -> None:
    """Check the values of a rule book or of one of its overlays.

    Args:
        table: What is to be checked.
        source: The file, for errors.
        prefix: Where in the file the table stands.
        inside: The table's own dotted name, empty at the top.

    Raises:
        BookError: a key is not known, or its value not allowed; names line and what is allowed.
    """
    for key, value in table.items():
        if not inside and key in ("options", "sources", "when") and not prefix:
            continue
        path = (*prefix, key)
        name = f"{inside}.{key}" if inside else key
        if name in FIELDS:
            if not FIELDS[name].holds(value):
                raise source.error("book_value", path, value=value, allowed=FIELDS[name].allowed)
        elif not inside and key in TABLES:
            if not isinstance(value, dict):
                raise source.error("book_value", path, value=value, allowed=a_table(f"[{key}]"))
            check_values(value, source, path, key)
        else:
            siblings = [
                field.partition(".")[2] if inside else field.partition(".")[0]
                for field in FIELDS
                if not inside or field.startswith(f"{inside}.")
            ]
            raise source.error("book_key", path, allowed=_known(set(siblings)))
