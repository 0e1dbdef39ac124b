"""Every sentence that the scorer says: traditional Chinese and English.

Simplified Chinese is made from the traditional (`scorer.lang.simplify`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "error.language": (
            "沒有「{lang}」這種語言，可用：{known}",
            "there is no language '{lang}'; there are: {known}",
        ),
        "error.no_card": ("沒有這樣一張牌：「{card}」", "'{card}' is no card"),
        "error.unknown_letter": (
            "第 {place} 個字「{letter}」不是牌",
            "character {place}, '{letter}', is no card",
        ),
        "error.cut_off": ("末尾「{text}」後面缺一張牌", "a card is missing after '{text}' at the end"),
        "error.bad_note": (
            "「{note}」讀不懂：賴只能代花三、花五、花七，寫作 賴>花三",
            "'{note}' cannot be read: a wild stands for 花三, 花五 or 花七, written 賴>花三",
        ),
        "error.bracket_in_bracket": (
            "第 {place} 個字：括號裡又有括號",
            "character {place}: a bracket inside a bracket",
        ),
        "error.empty_group": ("第 {place} 個字：括號裡沒有牌", "character {place}: a group without cards"),
        "error.picked_in_group": (
            "第 {place} 個字：括號裡的牌不能寫撿",
            "character {place}: 撿 cannot stand inside brackets",
        ),
        "error.open_bracket": ("括號「{bracket}」沒有關上", "the bracket '{bracket}' is not closed"),
        "error.unknown_rule": (
            "沒有叫「{rule}」的規則，現有：{known}",
            "no rule book is called '{rule}'; there are: {known}",
        ),
        "error.book_toml": (
            "{file} 第 {line} 行：不合 TOML 的寫法",
            "{file}, line {line}: this is no TOML: {problem}",
        ),
        "error.book_deep": ("{file} 層數太深，不是規則檔", "{file} is nested too deeply for a rule book"),
        "error.book_file": ("{file} 打不開：{problem}", "{file} cannot be opened: {problem}"),
        "error.book_large": ("{file} 太大，不是規則檔", "{file} is too large for a rule book"),
        "error.book_utf8": ("{file} 不是 UTF-8 文字", "{file} is no UTF-8 text"),
        "error.book_value": (
            "{file} 第 {line} 行：{key} 不能是 {value}，可用：{allowed}",
            "{file}, line {line}: {key} cannot be {value}; allowed: {allowed}",
        ),
        "error.book_key": (
            "{file} 第 {line} 行：沒有 {key} 這一項，可用：{allowed}",
            "{file}, line {line}: there is no {key}; allowed: {allowed}",
        ),
        "error.book_option": (
            "{file} 第 {line} 行：沒有 {key} 這個選項，可用：{allowed}",
            "{file}, line {line}: there is no option {key}; allowed: {allowed}",
        ),
        "error.book_by_option": (
            "{file} 第 {line} 行：{key} 由選項決定，請在 [options] 寫 {option}",
            "{file}, line {line}: {key} is decided by an option; set {option} under [options]",
        ),
        "error.book_base": (
            "{file} 第 {line} 行：base 要寫所根據的規則，可用：{known}",
            "{file}, line {line}: base has to name a rule book; allowed: {known}",
        ),
        "error.no_option": (
            "{rule} 沒有「{option}」這個選項，可用：{known}",
            "{rule} has no option '{option}'; it has: {known}",
        ),
        "error.option_value": (
            "選項 {option} 不能是「{value}」，可用：{allowed}",
            "option {option} cannot be '{value}'; allowed: {allowed}",
        ),
        "error.option_kind": (
            "選項 {option} 的值要是文字、整數或真假，不能是 {value}",
            "option {option} takes a text, a whole number or a truth, not {value}",
        ),
        "error.players": (
            "{rule} 不能 {players} 人玩，可用：{known}",
            "{rule} is not played by {players}; allowed: {known}",
        ),
        "error.not_in_deck": (
            "{rule} 用 {kind} 張的牌，裡面沒有：{cards}",
            "{rule} uses the deck of {kind} cards, which has no {cards}",
        ),
        "error.no_picked": (
            "{rule} 沒有撿牌，不能寫撿",
            "{rule} knows no picked-up cards, 撿 cannot be used",
        ),
        "error.win_not_free": (
            "胡的牌「{cards}」不在手裡沒有攤開的牌之中",
            "the winning card '{cards}' is no free card of the hand",
        ),
        "error.by": ("by 只能是 self 或 discard，不能是「{by}」", "by is self or discard, not '{by}'"),
        "error.stake": (
            "底注要是不小於零的整數，不能是 {stake}",
            "the stake is a whole number from 0 on, not {stake}",
        ),
        "error.seat": (
            "座位要是 0 到 {most}，不能是 {seat}",
            "a seat is a number from 0 to {most}, not {seat}",
        ),
        "error.own_discard": ("放牌的不能是胡牌的人自己", "the discarder cannot be the winner"),
        "error.discarder_drawn": (
            "自摸沒有放牌的人",
            "there is no discarder where the winning card was drawn",
        ),
        "error.dui": (
            "座位 {seat} 的對數要是不小於零的整數，不能是 {count}",
            "the exposed triplets of seat {seat} are a whole number from 0 on, not {count}",
        ),
        "why.main": ("（主精）", " (main jing)"),
        "why.by_discard": ("（別人打出湊成，照桌面計）", " (completed by a discard, counts as exposed)"),
        "why.by_discard_kept": (
            "（別人打出湊成，仍照在手計）",
            " (completed by a discard, still counts as concealed)",
        ),
        "why.eye_off": ("（最後兩張不計）", " (the eye does not count)"),
        "why.sentence_red": ("紅句", "red sentence"),
        "why.sentence_jing": ("有精的句", "sentence with a jing"),
        "why.sentence_other": ("句", "sentence"),
        "why.eye_red": ("最後兩張", "eye"),
        "why.eye_jing": ("最後兩張有精", "eye with a jing"),
        "why.eye_other": ("最後兩張", "eye"),
        "why.pair_red": ("對子", "pair"),
        "why.pair_jing": ("對子", "pair"),
        "why.pair_other": ("對子", "pair"),
        "why.colour_red": ("紅", "red "),
        "why.colour_black": ("黑", "black "),
        "why.colour_jing": ("精", "jing "),
        "why.colour_other": ("", ""),
        "why.flowers": ("（{flowers} 花）", " ({flowers} flower)"),
        "why.wilds": ("（內賴 {wilds}）", " (wilds: {wilds})"),
        "reason.unknown_group": (
            "桌面這一組不成句：{group}",
            "this group is none of the rule: {group}",
        ),
        "reason.wrong_count": (
            "張數不對：有 {size} 張，應當是 {needed} 張",
            "wrong number of cards: there are {size} cards, {needed} are needed",
        ),
        "reason.wrong_count_waits": (
            "張數不對：有 {size} 張，聽牌時應當是 {needed} 張",
            "wrong number of cards: there are {size} cards, a hand that waits has {needed}",
        ),
        "reason.wrong_count_discard": (
            "張數不對：有 {size} 張，打出一張之前應當是 {needed} 張",
            "wrong number of cards: there are {size} cards, before a discard {needed} are needed",
        ),
        "reason.too_many_groups": (
            "桌面上有 {laid} 組，最多 {groups} 組",
            "there are {laid} groups on the table, at most {groups} are possible",
        ),
        "reason.too_many_copies": (
            "{card} 有 {count} 張，一副牌只有 {copies} 張",
            "there are {count} of {card}, the deck has {copies}",
        ),
        "reason.no_split": (
            "湊不成 {groups} 組加最後兩張",
            "the cards do not split into {groups} groups and an eye",
        ),
        "reason.too_few_points": (
            "差 {missing} {unit}：有 {points}，要 {minimum}",
            "{missing} points are missing: there are {points}, {minimum} are needed",
        ),
        "warning.declared_guess": (
            "有四張沒有標明是否報過，按最有利的算；換一種報法，倍數會不同",
            "fours were not marked as declared and the best choice was taken; another would change the steps",
        ),
        "warning.no_pickup": (
            "桌面上有一句，但這種玩法不能吃牌成句，可能分組讀錯了",
            "a sentence lies on the table, but here no discard makes one; the grouping may be misread",
        ),
        "warning.picked_unknown": (
            "沒有說明哪些牌是撿來的，撿來的牌不能成坎",
            "nobody said which cards were picked up; those cannot stand in groups of alike cards",
        ),
        "warning.dui_over_two": (
            "對了三對以上，這局自己胡了就不用包",
            "more than two triplets were exposed; the win stands all the same",
        ),
        "warning.quint_origin": (
            "有五張相同的一組，各地對怎樣湊成五張規定不同，請確認",
            "there is a group of five; how a five may come about differs by region, please check",
        ),
        "report.head": ("{title}　{hand}", "{title}: {hand}"),
        "report.wins": (
            "胡了：{points} {unit}，{steps} {step_unit}",
            "wins: {points} points ({unit}), {steps} steps ({step_unit})",
        ),
        "report.class": ("（{name}）", " [{name}]"),
        "report.added": ("，{name} 加 {steps}", ", {name} +{steps}"),
        "report.loses": ("不能胡：{reason}", "does not win: {reason}"),
        "report.minimum": ("起胡 {minimum} {unit}", "minimum {minimum} points"),
        "report.practice": ("（慣例）", " [practice]"),
        "report.option": ("（選項）", " [option]"),
        "report.points": ("{points} {unit}", "{points}"),
        "report.main_held": (
            "主精 {main}：持有 {count} 張，最多",
            "main jing {main}: most held, {count} cards",
        ),
        "report.main_tied": (
            "主精 {main}：與 {others} 同為 {count} 張，取計數多的",
            "main jing {main}: as many held as of {others}, {count}, and it gives more",
        ),
        "report.main_best": (
            "主精 {main}：自選，取計數最多的",
            "main jing {main}: chosen freely, it gives most",
        ),
        "report.main_fixed": ("主精 {main}：本桌指定", "main jing {main}: fixed by this table"),
        "report.next_best": (
            "另一種拆法：{points} {unit}，{steps} {step_unit}（{groups}）",
            "the next best split: {points} points, {steps} steps ({groups})",
        ),
        "report.only_split": ("沒有別的拆法", "there is no other split"),
        "report.pays": ("座位 {seat} 付 {pays} 給座位 {to}", "seat {seat} pays {pays} to seat {to}"),
        "report.nobody_pays": ("不用付", "nobody pays"),
        "report.warning": ("注意：{text}", "note: {text}"),
        "report.withered": (
            "枯胡的起胡數：{minimum}",
            "points that 枯胡 needs: {minimum}",
        ),
        "waits.none": ("沒有聽牌", "no card completes this hand"),
        "waits.line": (
            "{card}　還有 {left} 張　{points} {unit}，{steps} {step_unit}{form}",
            "{card}: {left} left, {points} points, {steps} steps{form}",
        ),
        "waits.short": (
            "{card}　還有 {left} 張　{points} {unit}，不夠{form}",
            "{card}: {left} left, {points} points, too few{form}",
        ),
        "waits.form": ("　{form}", ", {form}"),
        "advise.line": (
            "打 {discard}：聽 {waits}，共 {left} 張",
            "discard {discard}: waits for {waits}, {left} cards",
        ),
        "advise.none": (
            "打哪一張都聽不了牌",
            "no discard leaves a hand that one card completes",
        ),
        "advise.only_short": (
            "打 {discard} 後 {left} 張能湊成，但胡數都不夠",
            "after {discard} {left} cards complete the hand, but all with too few points",
        ),
        "advise.only": (
            "只有打 {discard} 能聽牌：{waits}，共 {left} 張，最多 {steps} {step_unit}",
            "only {discard} leaves a wait that wins: {waits}, {left} cards, up to {steps} steps",
        ),
        "advise.why": (
            "打 {discard} 聽 {waits}，{left} 張，乘{step_unit}合計 {weight}；其次 {second}，{second_weight}",
            "{discard} waits for {waits}: {left} cards, with steps {weight}; next {second}, {second_weight}",
        ),
        "advise.why_tied": (
            "打 {discard} 聽 {waits}，共 {left} 張，與打 {second} 一樣好，照牌的次序列前",
            "{discard} waits for {waits}, {left} cards; {second} is as good and comes later in the deck",
        ),
    }
)
