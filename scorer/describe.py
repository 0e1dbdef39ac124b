"""A rule book printed so that a player can check it against the table's habits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scorer.book import OPTION, TABLE, show_value
from scorer.lang import local, pick

if TYPE_CHECKING:
    from scorer.book import Book

_SECTIONS: Sequence[tuple[str, str, str]] = (
    ("", "牌局", "The game"),
    ("jing", "精", "Jing"),
    ("red", "紅字", "Red characters"),
    ("black", "黑字", "Black characters"),
    ("other", "其他字", "Other characters"),
    ("cards", "每張牌自身", "Each card for itself"),
    ("black_flower", "花乙、花九", "Flower 乙 and 九"),
    ("number_sentences", "數字句", "Number sentences"),
    ("eye", "最後兩張", "The eye"),
    ("discard", "別人打出的牌", "Discards"),
    ("steps", "倍數", "Steps"),
    ("special", "特殊牌型", "Special hands"),
    ("classes", "胡的等級", "Classes"),
    ("payment", "付法", "Payment"),
    ("bao", "包", "包"),
    ("table", "桌上的規矩", "At the table"),
    ("names", "叫法", "Names"),
    ("forms", "聽牌的叫法", "Names of waits"),
)

_LABELS: Mapping[str, tuple[str, str]] = {
    "deck": ("一副牌的張數", "cards in the deck"),
    "groups": ("句數", "groups of a finished hand"),
    "players": ("人數", "players"),
    "default_players": ("沒說人數時", "players where not said"),
    "seats": ("參加付錢的座位", "seats that pay"),
    "minimum": ("起胡", "least points"),
    "unit": ("數的單位", "what points are called"),
    "step_unit": ("倍的單位", "what steps are called"),
    "characters": ("哪些字", "characters"),
    "main": ("主精如何定", "how the main jing is found"),
    "main_times": ("主精翻", "the main jing counts times"),
    "plain": ("素的單張", "a plain card"),
    "flower": ("花的單張", "a flower card"),
    "sentence": ("一句", "sentence"),
    "triplet": ("三張，在手", "triplet, concealed"),
    "triplet_exposed": ("三張，桌面", "triplet, exposed"),
    "triplet_two_wilds_one_flower": ("三張，兩賴一花", "triplet of two wilds and a true flower"),
    "quad": ("四張", "quad"),
    "quad_exposed": ("四張，桌面", "quad, exposed"),
    "quint": ("五張", "quint"),
    "quint_exposed": ("五張，桌面", "quint, exposed"),
    "pair": ("最後兩張成對", "eye, a pair"),
    "half": ("最後兩張半句", "eye, two of a sentence"),
    "points": ("每張", "each"),
    "always_in_eye": ("在最後兩張裡總計", "always counts in the eye"),
    "first": ("從哪個字起", "begin with"),
    "counts": ("精和花計數", "jing and flower cards count"),
    "completes": ("湊成的三張算", "a triplet completed counts as"),
    "method": ("算法", "how"),
    "start": ("從多少起為一", "one step from"),
    "by": ("每多少加一", "one more for every"),
    "all_black": ("一手黑", "all black (一手黑)"),
    "all_red": ("一手紅", "all red (一手紅)"),
    "special.ten_pairs": ("十對", "ten pairs (十對)"),
    "ten_pairs": ("十對可以胡", "ten pairs (十對) win"),
    "combine": ("同時成立時", "where several hold"),
    "with_jing": ("有精", "with a jing"),
    "without_jing": ("無精", "without a jing"),
    "withered": ("枯胡", "withered (枯胡)"),
    "withered_phrases": ("枯胡不能有的句", "phrases that 枯胡 lacks"),
    "one_colour": ("黑胡", "one colour (黑胡)"),
    "all_alike": ("碰碰胡加", "all alike (碰碰胡) adds"),
    "discarder": ("放牌的付", "the discarder pays"),
    "discarder_extra": ("放牌的多付的倍數", "steps more that the discarder pays"),
    "other_extra": ("另一家多付的倍數", "steps more that the other pays"),
    "drawn_extra": ("自摸時各家多付的倍數", "steps more that each pays when drawn"),
    "holds": ("三對以上不胡者包賠", "who exposed three triplets and does not win pays all"),
    "pickup": ("能吃別人的牌成句", "a discard can make a sentence"),
    "picked_cards": ("有撿牌", "cards can be picked up"),
    "declared_may_break": (
        "報過的四張可以拆，只論幾組",
        "declared fours may break, only their number counts",
    ),
    "eye": ("最後兩張", "eye"),
    "discard": ("別人打出而胡", "won on a discard"),
    "drawn": ("自己摸到而胡", "won by drawing"),
    "single": ("剩一張", "one card left over"),
    "pairs": ("兩個連對", "two linked pairs"),
    "ends": ("兩個半句", "two half sentences"),
    "middle": ("缺中間", "the middle is missing"),
}

_WORDS: Mapping[str, tuple[str, str]] = {
    "true": ("是", "yes"),
    "false": ("否", "no"),
    "most_held": ("持有最多的", "the one most held"),
    "best": ("最有利的", "the best"),
    "exposed": ("桌面", "exposed"),
    "concealed": ("在手", "concealed"),
    "tiers": ("從起胡數起逐級加", "by tiers from the least points on"),
    "division": ("除以，取整", "divided, rounded down"),
    "classes": ("按等級", "by class"),
    "all": ("所有輸家的份", "for all losers"),
    "alone": ("自己一份，別家不付", "alone, one share"),
    "each": ("各付各的", "each pays"),
    "max": ("取大", "the larger"),
    "product": ("相乘", "the product"),
    "highest": ("取最高", "the highest"),
    "sum": ("相加", "the sum"),
}


def source_text(source: str, lang: str) -> str:
    """Say where a value comes from.

    Example:
        >>> source_text("000, 002", "en"), source_text("practice", "zh-Hant")
        ('seed 000, 002', '慣例')
    """
    if source.startswith("practice"):
        return pick(lang, "慣例", "practice")
    if source == OPTION:
        return pick(lang, "選項", "option")
    if source == TABLE:
        return pick(lang, "本桌", "this table")
    return pick(lang, f"資料 {source}", f"seed {source}")


def _show(value: object, lang: str) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_show(entry, lang)}" for key, entry in value.items())
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            sign = pick(lang, "起", "+")
            return "; ".join(f"{tier['points']}{sign} {tier['name']} {tier['steps']}" for tier in value)
        return " ".join(_show(entry, lang) for entry in value)
    shown = show_value(value)
    return pick(lang, *_WORDS[shown]) if shown in _WORDS else shown


def _line(book: Book, name: str, value: object, lang: str) -> str:
    key = name.rpartition(".")[2]
    label = pick(lang, *_LABELS[name if name in _LABELS else key]) if key in _LABELS else key
    source = book.source(name)
    if isinstance(value, Mapping):
        parts = {key: book.source(f"{name}.{key}") for key in value}
        if len(set(parts.values())) > 1:
            shown = ", ".join(f"{key}: {value[key]} ({source_text(own, lang)})" for key, own in parts.items())
            return f"  {label}: {shown}"
        source = next(iter(parts.values()), source)
    return f"  {label}: {_show(value, lang)} ({source_text(source, lang)})"


def describe(book: Book, lang: str) -> str:
    """Print every value and option of a rule book, each with its source.

    Args:
        book: The rule book, its options set.
        lang: One of `scorer.LANGS`.

    Returns:
        Many lines.
    """
    lines = [f"{book.title_in(lang)} ({book.name})"]
    values = {name: value for name, value in book.values.items() if name not in ("title", "order")}
    for section, chinese, english in _SECTIONS:
        inside = [
            (name, value)
            for name, value in values.items()
            if (name.partition(".")[0] == section if section else "." not in name)
        ]
        if inside:
            lines.append(pick(lang, chinese, english))
            lines += [_line(book, name, value, lang) for name, value in inside]
    lines.append(pick(lang, "選項", "Options"))
    for option in book.option_details:
        meaning = pick(lang, option.meaning, option.meaning_en)
        source = source_text(option.source, lang)
        lines.append(
            f"  {option.name} = {show_value(option.value)}  [{option.allowed_text()}]  {meaning} ({source})"
        )
    return local(lang, "\n".join(lines))
