"""The ledger on paper: CSV for a spreadsheet, and one page to print."""

from __future__ import annotations

import csv
import io
import unicodedata
from datetime import datetime, timedelta, timezone
from html import escape

import scorer
from table.ledger.model import Entry, Line, Table
from table.ledger.settle import fewest_transfers

_WORDS: dict[str, tuple[str, str, str]] = {
    "number": ("序號", "序号", "No."),
    "at": ("時間", "时间", "time"),
    "kind": ("種類", "种类", "kind"),
    "state": ("狀態", "状态", "state"),
    "dealer": ("莊家", "庄家", "dealer"),
    "rested": ("歇家", "歇家", "rested"),
    "winner": ("贏家", "赢家", "winner"),
    "discarder": ("放銃", "放铳", "discarder"),
    "hand": ("牌", "牌", "hand"),
    "points": ("胡數", "胡数", "points"),
    "steps": ("分", "分", "steps"),
    "note": ("備註", "备注", "note"),
    "scored": ("胡牌", "胡牌", "scored"),
    "drawn": ("流局", "流局", "no winner"),
    "by_hand": ("手記", "手记", "by hand"),
    "adjustment": ("調整", "调整", "adjustment"),
    "settlement": ("結清", "结清", "settled"),
    "corrected": ("改過", "改过", "corrected"),
    "struck": ("劃掉", "划掉", "struck out"),
    "total": ("合計", "合计", "total"),
    "settle": ("結帳", "结账", "to settle"),
    "even": ("兩清", "两清", "nobody owes anything"),
    "stake": ("底注", "底注", "stake"),
    "rule": ("玩法", "玩法", "rule"),
    "pays": ("付給", "付给", "pays"),
    "was": ("原為", "原为", "was"),
}
_LANGUAGES = ("zh-Hant", "zh-Hans", "en")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def as_csv(table: Table, lang: str = "zh-Hant", offset_min: int = 0) -> str:
    """Every line of the ledger with what each player won, and the totals.

    Starts with a byte order mark, so that spreadsheets read it as UTF-8; a text that a spreadsheet
    would take for a formula gets an apostrophe in front.

    Args:
        table: The table.
        lang: `zh-Hant`, `zh-Hans` or `en`, for the headings.
        offset_min: Minutes that the clock of the table is ahead of UTC, 480 in China.

    Returns:
        The text of the file.
    """
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    heads = [
        "number",
        "at",
        "kind",
        "state",
        "dealer",
        "rested",
        "winner",
        "discarder",
        "hand",
        "points",
        "steps",
    ]
    names = [_safe(player.name) for player in table.players]
    titles = [_clock(lang, offset_min) if head == "at" else _word(head, lang) for head in heads]
    writer.writerow([*titles, *names, _word("note", lang)])
    for line in table.lines:
        writer.writerow(_row(table, line, lang, offset_min))
    totals = table.totals()
    writer.writerow(
        [
            "",
            "",
            _word("total", lang),
            *[""] * (len(heads) - 3),
            *(totals[each.id] for each in table.players),
            "",
        ]
    )
    return out.getvalue()


def as_page(table: Table, lang: str = "zh-Hant", offset_min: int = 0) -> str:
    """The ledger as one HTML page that needs nothing else and prints on A4.

    Args:
        table: The table.
        lang: `zh-Hant`, `zh-Hans` or `en`.
        offset_min: Minutes that the clock of the table is ahead of UTC, 480 in China.

    Returns:
        The page.
    """
    head = "".join(f"<th>{escape(player.name)}</th>" for player in table.players)
    rows = "".join(_page_row(table, line, lang, offset_min) for line in table.lines)
    totals = table.totals()
    sums = "".join(f"<td class=n>{_signed(totals[player.id])}</td>" for player in table.players)
    settlement = fewest_transfers(totals)
    names, pays = _names_in_text(table), _word("pays", lang)
    transfers = "".join(
        f"<li>{escape(f'{names[each.payer]} {pays} {names[each.payee]} {each.amount}')}</li>"
        for each in settlement.transfers
    )
    options = " ".join(f"{key}={value}" for key, value in table.options.items())
    rule = f"{_word('rule', lang)} {_title(table.rule, lang)} {options}"
    stake = f"{_word('stake', lang)} {table.stake}"
    return _PAGE.format(
        lang=escape(lang),
        name=escape(table.name),
        facts=escape(f"{rule} · {stake} · {_local(table.opened_at, offset_min)[:10]}"),
        number=_word("number", lang),
        at=_clock(lang, offset_min),
        kind=_word("kind", lang),
        hand=_word("hand", lang),
        head=head,
        rows=rows,
        total=_word("total", lang),
        sums=sums,
        settle=_word("settle", lang),
        transfers=transfers or f"<li>{_word('even', lang)}</li>",
    )


_PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
@page {{ size: A4; margin: 15mm }}
body {{ font: 14px/1.5 sans-serif; color: #111; background: #fff; margin: 1em }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ border: 1px solid #888; padding: 3px 6px; text-align: left; vertical-align: top }}
.n {{ text-align: right; white-space: nowrap }}
.out td {{ text-decoration: line-through; color: #666 }}
small {{ color: #444; text-decoration: none }}
tr {{ break-inside: avoid }} thead {{ display: table-header-group }}
</style></head><body>
<h1>{name}</h1><p>{facts}</p>
<table><thead><tr><th>{number}</th><th>{at}</th><th>{kind}</th><th>{hand}</th>{head}</tr></thead>
<tbody>{rows}</tbody>
<tfoot><tr><th colspan="4">{total}</th>{sums}</tr></tfoot></table>
<h2>{settle}</h2><ul>{transfers}</ul>
</body></html>
"""


def _row(table: Table, line: Line, lang: str, offset_min: int) -> list[str | int]:
    entry = _last_entry(line)
    names = _names(table)
    amounts = dict(entry.amounts) if line.entry is not None else {}
    return [
        line.number,
        _local(line.versions[0].at, offset_min),
        _word(entry.kind, lang),
        _state(line, lang),
        _safe(names.get(entry.dealer or "", "")),
        _safe(" ".join(names[player] for player in entry.rested)),
        _safe(names.get(entry.winner or "", "")),
        _safe(names.get(entry.discarder or "", "")),
        _safe(entry.hand or ""),
        _figure(entry, "points"),
        _figure(entry, "steps"),
        *(amounts.get(player.id, "") for player in table.players),
        _safe(entry.note),
    ]


def _page_row(table: Table, line: Line, lang: str, offset_min: int) -> str:
    entry = _last_entry(line)
    counts = line.entry is not None
    what = _word(entry.kind, lang)
    points, steps = _figure(entry, "points"), _figure(entry, "steps")
    if points != "":
        what += f" {points} {_unit(entry, 'unit')}"
    if steps != "":
        what += f" / {steps} {_unit(entry, 'step_unit')}"
    state = _state(line, lang)
    names = _names_in_text(table)
    people = []
    for word, player in (("dealer", entry.dealer), ("winner", entry.winner), ("discarder", entry.discarder)):
        if player is not None:
            people.append(f"{_word(word, lang)} {names[player]}")
    if entry.rested:
        people.append(f"{_word('rested', lang)} " + " ".join(names[player] for player in entry.rested))
    details = [part for part in (" · ".join(people), entry.note, state, _before(table, line, lang)) if part]
    small = "".join(f"<br><small>{escape(part)}</small>" for part in details)
    amounts = dict(entry.amounts)
    cells = "".join(
        f"<td class=n>{_signed(amounts[player.id])}</td>" if player.id in amounts else "<td></td>"
        for player in table.players
    )
    return (
        f"<tr{'' if counts else ' class=out'}><td class=n>{line.number}</td>"
        f"<td>{escape(_local(line.versions[0].at, offset_min)[:16])}</td>"
        f"<td>{escape(what)}{small}</td><td>{escape(entry.hand or '')}</td>{cells}</tr>"
    )


def _before(table: Table, line: Line, lang: str) -> str:
    """What a corrected line said first."""
    if not line.corrected or line.entry is None or line.versions[0].entry is None:
        return ""
    names = _names_in_text(table)
    amounts = " ".join(
        f"{names[player]} {_signed(amount)}" for player, amount in line.versions[0].entry.amounts
    )
    return f"{_word('was', lang)} {amounts}"


def _state(line: Line, lang: str) -> str:
    if line.entry is None:
        return _word("struck", lang)
    return _word("corrected", lang) if line.corrected else ""


def _last_entry(line: Line) -> Entry:
    """What the line says, or said last before it was struck out."""
    if line.entry is not None:
        return line.entry
    return next(version.entry for version in reversed(line.versions) if version.entry is not None)


def _names(table: Table) -> dict[str, str]:
    return {player.id: player.name for player in table.players}


def _names_in_text(table: Table) -> dict[str, str]:
    """Names to stand in a sentence: one that is written from right to left must not turn the sums round."""
    return {player.id: _isolated(player.name) for player in table.players}


def _isolated(name: str) -> str:
    leftwards = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return f"\u2068{name}\u2069" if leftwards else name


def _local(at: str, offset_min: int) -> str:
    """A time of the ledger on the clock of the table, to the second."""
    zone = timezone(timedelta(minutes=offset_min))
    return datetime.fromisoformat(at).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def _clock(lang: str, offset_min: int) -> str:
    return f"{_word('at', lang)} ({timezone(timedelta(minutes=offset_min))})"


def _title(rule: str, lang: str) -> str:
    """What a rule is called; its own name where it is no rule that ships."""
    return scorer.load_book(rule).title_in(lang) if rule in scorer.RULES else rule


def _figure(entry: Entry, name: str) -> int | str:
    value = None if entry.score is None else entry.score.get(name)
    return value if type(value) is int else ""


def _unit(entry: Entry, name: str) -> str:
    """What the rule calls its points or steps, as it was counted."""
    unit = None if entry.score is None else entry.score.get(name)
    return unit if isinstance(unit, str) else ""


def _signed(amount: int) -> str:
    return f"{amount:+d}" if amount else "0"


def _word(name: str, lang: str) -> str:
    column = _LANGUAGES.index(lang) if lang in _LANGUAGES else 2
    return _WORDS[name][column]


def _safe(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text
