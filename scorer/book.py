"""Rule books: data in TOML, read, checked, and made ready for counting.

A rule book is a file under `scorer/books/`, or a table's own file that names a base and what differs.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from scorer.cards import DECKS, SPELLINGS, Deck
from scorer.errors import BadRequest, BookError, OptionError, UnknownRule
from scorer.lang import Phrase, check_language, pick
from scorer.schema import A_TEXT, Source, Table, a_table, check_values

if TYPE_CHECKING:
    from scorer.count import Counter

BOOKS = Path(__file__).parent / "books"
OPTION = "option"
"""The source of a value that an option, not set to its default, decides."""
TABLE = "table"
"""The source of a value that a table's own rule book file sets."""

OptionValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a rule book."""

    name: str
    value: OptionValue
    """What it is set to."""
    default: OptionValue
    """What the rule book sets it to."""
    allowed: tuple[OptionValue, ...]
    """The values it takes; empty where it takes any whole number."""
    least: int
    """The least whole number where it takes any."""
    meaning: str
    """What it decides, in traditional Chinese."""
    meaning_en: str
    source: str
    """Where the default comes from: seeds, `practice` or `table`."""

    def allowed_text(self) -> str:
        """The allowed values, to be read by a person."""
        if self.allowed:
            return " | ".join(show_value(value) for value in self.allowed)
        return f"≥ {self.least}"


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A rule book with its options set."""

    name: str
    """The name of the rule, or of the file without its ending."""
    rule: str
    """The name of the rule book that ships which this is or is based on."""
    title: str
    title_en: str
    deck: Deck
    options: Mapping[str, OptionValue]
    """Every option of the book to its value."""
    option_details: tuple[Option, ...]
    players: tuple[int, ...]
    """The numbers of players that the book knows."""
    default_players: int
    values: Mapping[str, object]
    """Every value by its dotted name, as `scorer.schema.FIELDS` names them."""
    sources: Mapping[str, str]
    """Where values come from, by dotted name; a value without an entry has that of its table."""
    counter: Counter = field(init=False, repr=False)
    """The engine that counts by this book; it keeps what it learned of parts of hands."""

    @property
    def kind(self) -> int:
        """110, 112 or 96: the deck."""
        return self.deck.kind

    @property
    def groups(self) -> int:
        """S, how many groups a finished hand has."""
        return self.number("groups")

    def number(self, name: str, missing: int = 0) -> int:
        """A whole number of the book."""
        return cast("int", self.values.get(name, missing))

    def text(self, name: str, missing: str = "") -> str:
        """A text of the book."""
        return cast("str", self.values.get(name, missing))

    def truth(self, name: str) -> bool:
        """A yes or no of the book; no where nothing is said."""
        return bool(self.values.get(name, False))

    def by_players(self, name: str, players: int, missing: int = 0) -> int:
        """A number that may depend on how many play."""
        value = self.values.get(name)
        if isinstance(value, Mapping):
            return cast("int", value.get(str(players), missing))
        return missing if value is None else cast("int", value)

    def seats(self, players: int) -> int:
        """How many seats take part in the payment; in 荊州 one of four rests (003)."""
        return self.by_players("seats", players, players)

    def source(self, name: str) -> str:
        """Where a value comes from: seed numbers, `practice`, `option` or `table`.

        Example:
            >>> book = load_book("sanjing")
            >>> book.source("red.triplet"), book.source("red.triplet_exposed")
            ('000', 'practice')
        """
        while name:
            if name in self.sources:
                return self.sources[name]
            name = name.rpartition(".")[0]
        return self.sources.get("", "practice")

    def check_players(self, players: int | None) -> int:
        """The number of players, the book's own where none is said.

        Raises:
            BadRequest: the book does not know that number.
        """
        if players is None:
            return self.default_players
        if isinstance(players, bool) or players not in self.players:
            known = ", ".join(map(str, self.players))
            raise BadRequest("players", rule=self.name, players=players, known=known)
        return players

    def describe(self, lang: str = "zh-Hant") -> str:
        """Print the book so that a player can check it against the table's habits.

        Args:
            lang: One of `scorer.LANGS`.

        Returns:
            Many lines: every value and option, each with its source.
        """
        from scorer.describe import describe

        check_language(lang)
        return describe(self, lang)

    def title_in(self, lang: str) -> str:
        """The book's title in a language."""
        return pick(lang, self.title, self.title_en)


def show_value(value: object) -> str:
    """A value as it is typed: `true`, not `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(slots=True)
class _Draft:
    """A rule book while its files are put together."""

    values: Table
    options: dict[str, OptionValue]
    sources: dict[str, str]
    when: Table


def _merge(into: Table, what: Mapping[str, object]) -> None:
    for key, value in what.items():
        old = into.get(key)
        if isinstance(value, Mapping) and isinstance(old, dict):
            _merge(old, value)
        elif isinstance(value, Mapping):
            fresh: Table = {}
            _merge(fresh, value)
            into[key] = fresh
        else:
            into[key] = value


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Dotted names of the leaves; the tables that are one value stay whole."""
    from scorer.schema import FIELDS

    leaves: dict[str, object] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and name not in FIELDS:
            leaves |= _flat(value, f"{name}.")
        else:
            leaves[name] = value
    return leaves


def _names(table: Mapping[str, object], prefix: str = "") -> list[str]:
    """Dotted names of everything that a table sets, single entries of by-flower tables too."""
    names: list[str] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        names += _names(value, f"{name}.") if isinstance(value, dict) else [name]
    return names


@cache
def _option_definitions() -> dict[str, Table]:
    source = Source("_options.toml", (BOOKS / "_options.toml").read_text(encoding="utf-8"))
    return cast("dict[str, Table]", source.parse())


@cache
def _shipped(name: str) -> Source:
    return Source(f"{name}.toml", (BOOKS / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def rule_names() -> tuple[str, ...]:
    """The rule books that ship, in the order in which RULES.md has them.

    Example:
        >>> rule_names()[0]
        'sanjing'
    """
    names = [path.stem for path in BOOKS.glob("*.toml") if not path.stem.startswith("_")]
    return tuple(
        sorted(names, key=lambda name: (cast("int", _shipped(name).parse().get("order", 999)), name))
    )


def _sub_table(table: Table, key: str, source: Source) -> Table:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise source.error("book_value", (key,), value=value, allowed=a_table(f"[{key}]"))
    return value


def _draft(source: Source, *, shipped: bool) -> tuple[_Draft, str]:
    """Put a file on top of its bases; also name the shipped rule book under it."""
    table = source.parse()
    check_values(table, source)
    base = table.pop("base", None)
    rule = ""
    if base is None:
        if not shipped:
            raise source.error("book_base", (), known=", ".join(rule_names()))
        draft = _Draft({}, {}, {}, {})
    elif base in rule_names() or (shipped and base == "_110"):
        draft, rule = _draft(_shipped(str(base)), shipped=True)
        rule = str(base)
    else:
        raise source.error("book_base", ("base",), known=", ".join(rule_names()))
    options = _sub_table(table, "options", source)
    sources = _sub_table(table, "sources", source)
    when = _sub_table(table, "when", source)
    for key in ("options", "sources", "when"):
        table.pop(key, None)
    for name in cast("list[str]", table.pop("without_options", [])):
        draft.options.pop(name, None)
        draft.when.pop(name, None)
    _check_sources(sources, source)
    if shipped:
        draft.sources |= cast("dict[str, str]", sources)
    else:
        draft.sources |= dict.fromkeys(_names(table), TABLE)
        draft.sources |= {f"options.{name}": TABLE for name in options}
        draft.sources |= cast("dict[str, str]", sources)
    definitions = _option_definitions()
    set_here = _names(table)
    for name in draft.options:
        target = cast("str", definitions[name].get("sets", ""))
        if target in set_here:
            raise source.error("book_by_option", tuple(target.split(".")), option=name)
    _merge(draft.values, table)
    jing = _jing(draft.values)
    for name, value in options.items():
        if name not in definitions or (not shipped and name not in draft.options):
            known = sorted(draft.options)
            raise source.error("book_option", ("options", name), allowed=", ".join(known))
        draft.options[name] = _option_value(name, value, jing, source)
    _check_when(when, source, draft, jing)
    _merge(draft.when, when)
    return draft, rule


def _check_sources(sources: Table, source: Source) -> None:
    for name, value in sources.items():
        if not isinstance(value, str):
            raise source.error("book_value", ("sources", name), value=value, allowed=A_TEXT)


def _check_when(when: Table, source: Source, draft: _Draft, jing: tuple[str, ...]) -> None:
    for name, overlays in when.items():
        if name not in draft.options:
            known = ", ".join(sorted(draft.options))
            raise source.error("book_option", ("when", name), allowed=known)
        if not isinstance(overlays, dict):
            header = f"[when.{name}.VALUE]"
            raise source.error("book_value", ("when", name), value=overlays, allowed=a_table(header))
        for value, overlay in overlays.items():
            try:
                _coerce(name, value, jing)
            except OptionError:
                raise source.error(
                    "book_value", ("when", name, value), value=value, allowed=_allowed_text(name, jing)
                ) from None
            if not isinstance(overlay, dict):
                raise source.error(
                    "book_value",
                    ("when", name, value),
                    value=overlay,
                    allowed=a_table(f"[when.{name}.{value}]"),
                )
            check_values(overlay, source, ("when", name, value))


def _jing(values: Mapping[str, object]) -> tuple[str, ...]:
    jing = values.get("jing")
    return tuple(cast("list[str]", jing.get("characters", []))) if isinstance(jing, dict) else ()


def _allowed(name: str, jing: tuple[str, ...]) -> tuple[OptionValue, ...]:
    definition = _option_definitions()[name]
    values = tuple(cast("list[OptionValue]", definition.get("values", [])))
    return (*values, *jing) if definition.get("jing") else values


def _allowed_text(name: str, jing: tuple[str, ...]) -> Phrase:
    allowed = _allowed(name, jing)
    if allowed:
        shown = ", ".join(show_value(value) for value in allowed)
        return Phrase(shown, shown)
    least = _option_definitions()[name]["least"]
    return Phrase(f"從 {least} 起的整數", f"a whole number from {least} on")


def _coerce(name: str, value: object, jing: tuple[str, ...]) -> OptionValue:
    """Read the value of an option, which may come as text."""
    allowed = _allowed(name, jing)
    shown = show_value(value).strip() if isinstance(value, str | int) else ""
    if allowed:
        for candidate in allowed:
            if shown in (show_value(candidate), show_value(candidate).upper()):
                return candidate
        standard = SPELLINGS.get(shown)
        if standard in allowed:
            return cast("OptionValue", standard)
        if shown.lower() in ("true", "false") and shown.lower() != shown:
            return _coerce(name, shown.lower(), jing)
    elif shown.isdecimal() and shown.isascii() and len(shown) < 7 and not isinstance(value, bool):
        least = cast("int", _option_definitions()[name]["least"])
        if int(shown) >= least:
            return int(shown)
    raise OptionError("option_value", option=name, value=value, allowed=_allowed_text(name, jing))


def _option_value(name: str, value: object, jing: tuple[str, ...], source: Source) -> OptionValue:
    try:
        return _coerce(name, value, jing)
    except OptionError:
        allowed = _allowed_text(name, jing)
        raise source.error("book_value", ("options", name), value=value, allowed=allowed) from None


def _set(values: Table, name: str, value: object) -> None:
    table, _, key = name.rpartition(".")
    inner = values.setdefault(table, {})
    cast("Table", inner)[key] = value


def _resolve(draft: _Draft, name: str, rule: str, chosen: Mapping[str, object], source: Source) -> Book:
    """Set the options and freeze the book."""
    jing = _jing(draft.values)
    definitions = _option_definitions()
    for option in chosen:
        if option not in draft.options:
            known = ", ".join(sorted(draft.options))
            raise OptionError("no_option", rule=name, option=option, known=known)
    values: Table = {}
    _merge(values, draft.values)
    sources = dict(draft.sources)
    details: list[Option] = []
    overlays: list[tuple[Mapping[str, object], bool]] = []
    for option, default in draft.options.items():
        value = _coerce(option, chosen[option], jing) if option in chosen else default
        definition = definitions[option]
        changed = value != default
        source_of_default = _source_of(sources, f"options.{option}")
        if target := cast("str", definition.get("sets", "")):
            _set(values, target, value)
            sources[target] = OPTION if changed else source_of_default
        overlay = cast("Table", draft.when.get(option, {})).get(show_value(value))
        if overlay is not None:
            overlays.append((cast("Table", overlay), changed))
        details.append(
            Option(
                name=option,
                value=value,
                default=default,
                allowed=_allowed(option, jing),
                least=cast("int", definition.get("least", 0)),
                meaning=cast("str", definition["zh"]),
                meaning_en=cast("str", definition["en"]),
                source=source_of_default,
            )
        )
    for overlay, changed in overlays:
        _merge(values, overlay)
        if changed:
            sources |= dict.fromkeys(_names(overlay), OPTION)
    return _freeze(name, rule, values, sources, tuple(details), source)


def _source_of(sources: Mapping[str, str], name: str) -> str:
    while name:
        if name in sources:
            return sources[name]
        name = name.rpartition(".")[0]
    return sources.get("", "practice")


def _freeze(
    name: str, rule: str, values: Table, sources: dict[str, str], details: tuple[Option, ...], source: Source
) -> Book:
    players = tuple(sorted(set(cast("list[int]", values["players"]))))
    default = cast("int", values.get("default_players", players[0]))
    if default not in players:
        allowed = Phrase(f"含 {default} 的一串人數", f"a list with {default}")
        raise source.error("book_value", ("players",), value=list(players), allowed=allowed)
    deck = DECKS[cast("int", values["deck"])]
    if foreign := [character for character in _jing(values) if character not in deck.characters]:
        allowed = Phrase(f"{deck.kind} 張牌裡的字", f"characters of the deck of {deck.kind}")
        raise source.error("book_value", ("jing", "characters"), value=foreign, allowed=allowed)
    title = values["title"]
    chinese, english = (title["zh"], title["en"]) if isinstance(title, dict) else (title, title)
    book = Book(
        name=name,
        rule=rule or name,
        title=cast("str", chinese),
        title_en=cast("str", english),
        deck=deck,
        options=MappingProxyType({option.name: option.value for option in details}),
        option_details=details,
        players=players,
        default_players=default,
        values=MappingProxyType(_flat(values)),
        sources=MappingProxyType(sources),
    )
    minimum = book.values.get("minimum")
    if isinstance(minimum, dict) and (lacking := [str(n) for n in players if str(n) not in minimum]):
        shown = ", ".join(lacking)
        allowed = Phrase(f"{shown} 人也要寫一個", f"an entry for {shown} players")
        raise source.error("book_value", ("minimum",), value=minimum, allowed=allowed)
    from scorer.count import Counter

    object.__setattr__(book, "counter", Counter(book))
    return book


def load_book(rule: str | Path, options: Mapping[str, object] | None = None) -> Book:
    """Open a rule book.

    Args:
        rule: One of `scorer.RULES`, or the path of a table's own TOML file.
        options: Options by name; values may be texts, as they come from a command line.

    Returns:
        The book with its options set. The same request gives the same book again, with what its counter
        has learned of parts of hands.

    Raises:
        UnknownRule: there is no such rule book.
        BookError: the file does not hold together.
        OptionError: the book has no such option, or the option no such value.

    Example:
        >>> book = load_book("tongcheng", {"step_size": "9"})
        >>> book.kind, book.options["step_size"], book.players
        (110, 9, (3, 4))
    """
    chosen = tuple(sorted((str(name), _as_text(str(name), value)) for name, value in (options or {}).items()))
    if str(rule) in rule_names():
        source, shipped, name = _shipped(str(rule)), True, str(rule)
    else:
        source, shipped, name = _own_file(rule), False, Path(rule).stem
    return _load(source, shipped, name, chosen)


def _as_text(option: str, value: object) -> str:
    """One form for `true`, `True` and the like, so that the same options give the same book."""
    if isinstance(value, str | int):
        return show_value(value)
    raise OptionError("option_kind", option=option, value=value)


@lru_cache(maxsize=64)
def _load(source: Source, shipped: bool, name: str, chosen: tuple[tuple[str, str], ...]) -> Book:  # noqa: FBT001
    draft, rule = _draft(source, shipped=shipped)
    return _resolve(draft, name, name if shipped else rule, dict(chosen), source)


_FILE_PROBLEMS = {
    errno.ENOENT: Phrase("沒有這個檔", "there is no such file"),
    errno.EISDIR: Phrase("那是資料夾", "that is a folder"),
    errno.EACCES: Phrase("沒有讀取權限", "you may not read it"),
}


def _own_file(rule: str | Path) -> Source:
    if not str(rule).endswith(".toml"):
        raise UnknownRule("unknown_rule", rule=str(rule), known=", ".join(rule_names()))
    path = Path(rule)
    try:
        size = path.stat().st_size
        if size > 1 << 20:
            raise BookError("book_large", file=path.name)
        return Source(path.name, path.read_text(encoding="utf-8"))
    except OSError as error:
        problem = _FILE_PROBLEMS.get(error.errno or 0, Phrase("讀不到", os.strerror(error.errno or 0)))
        raise BookError("book_file", file=path.name, problem=problem) from None
    except UnicodeDecodeError:
        raise BookError("book_utf8", file=path.name) from None
