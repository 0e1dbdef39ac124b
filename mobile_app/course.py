"""A short course of the chosen rule; every number in it is counted by the scorer, none is written here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import scorer
from mobile_app.hints import sentences
from mobile_app.words import pick
from scorer.cards import DECKS

_EXAMPLE_EIGHT: Final = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五 七七七 四四四 八九"
_WAITING_EIGHT: Final = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五 八八八 四四四 七"
_EXAMPLE_SIX: Final = "上大人 孔乙己 化花三千 五五五 七八九 四四四 花七土"
_WAITING_SIX: Final = "上大人 孔乙己 化花三千 五五五 七八九 四四四 花七"
_EXAMPLE_96: Final = "上上上 七七七 福祿壽 爾小生 佳作仁 孔乙己 子子"
_WAITING_96: Final = "上上上 七七七 福祿壽 爾小生 佳作仁 孔乙己 子"


@dataclass(frozen=True, slots=True)
class CourseGroup:
    """Cards that are shown together, with a word below them."""

    cards: tuple[str, ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Quiz:
    """Which of these cards completes the hand?"""

    answers: tuple[str, ...]
    right: frozenset[str]
    explained: str


@dataclass(frozen=True, slots=True)
class CoursePage:
    """One page of the course."""

    title: str
    text: str
    groups: tuple[CourseGroup, ...] = ()
    quiz: Quiz | None = field(default=None)


def example(book: scorer.Book) -> scorer.Hand:
    """Give a finished hand of a rule.

    Args:
        book: the rule book.

    Returns:
        A hand that wins by it.
    """
    if book.kind == 96:
        return scorer.parse_hand(_EXAMPLE_96)
    return scorer.parse_hand(_EXAMPLE_EIGHT if book.groups == 8 else _EXAMPLE_SIX)


def waiting(book: scorer.Book) -> scorer.Hand:
    """Give a hand of a rule that waits for its last card.

    Args:
        book: the rule book.

    Returns:
        A hand one card short.
    """
    if book.kind == 96:
        return scorer.parse_hand(_WAITING_96)
    return scorer.parse_hand(_WAITING_EIGHT if book.groups == 8 else _WAITING_SIX)


def course(book: scorer.Book, lang: str) -> tuple[CoursePage, ...]:
    """Write the course of a rule.

    Args:
        book: the rule book with the table's options.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        The pages in order.
    """
    return (
        _deck(book, lang),
        _sentences(book, lang),
        *_numbers(book, lang),
        _finished(book, lang),
        _points(book, lang),
        _payment(book, lang),
        _wait(book, lang),
    )


def _deck(book: scorer.Book, lang: str) -> CoursePage:
    copies = scorer.deck_cards(book.kind)
    characters = len(DECKS[book.kind].characters)
    text = pick(
        lang,
        f"{book.title}用 {book.kind} 張牌，共 {characters} 個字。"
        + (
            "乙三五七九各有兩張帶花，叫花牌；沒有花的叫素牌。"
            if "花三" in copies
            else "每個字四張，沒有花牌。"
        )
        + ("賴子能當花三、花五、花七。" if "賴" in copies else ""),
        f"{book.title_en} is played with {book.kind} cards of {characters} characters. "
        + (
            "Two copies each of 乙 三 五 七 九 carry flowers; the others are plain. "
            if "花三" in copies
            else "There are four copies of each and no flowers. "
        )
        + ("A wild card stands for a flower 三, 五 or 七." if "賴" in copies else ""),
    )
    return CoursePage(pick(lang, "一副牌", "The deck"), text, (CourseGroup(tuple(copies)),))


def _sentences(book: scorer.Book, lang: str) -> CoursePage:
    phrases = DECKS[book.kind].phrases
    text = pick(
        lang,
        f"同一句的三張不同的牌湊成一句。這副牌有 {len(phrases)} 句。",
        f"Three different cards of one phrase make a sentence. This deck has {len(phrases)} phrases.",
    )
    groups = tuple(CourseGroup(tuple(phrase)) for phrase in phrases)
    return CoursePage(pick(lang, "句", "Sentences"), text, groups)


def _numbers(book: scorer.Book, lang: str) -> tuple[CoursePage, ...]:
    numbers = DECKS[book.kind].numbers
    if not numbers:
        return ()
    runs = sentences(book)[len(DECKS[book.kind].phrases) :]
    text = pick(
        lang,
        "三個相連的數也成一句。乙就是一。",
        "Three consecutive numbers make a sentence too. 乙 is one.",
    )
    groups = tuple(CourseGroup(tuple(run)) for run in runs)
    return (CoursePage(pick(lang, "數字句", "Number sentences"), text, groups),)


def _finished(book: scorer.Book, lang: str) -> CoursePage:
    score = scorer.score(book, example(book), lang=lang)
    text = pick(
        lang,
        f"胡牌要 {book.groups} 組，每組三張（句，或三張同字），再加最後兩張：一對，或同一句裡的兩張。",
        f"A finished hand has {book.groups} groups of three (a sentence, or three alike) and two last cards: "
        "a pair, or two of one sentence.",
    )
    groups = tuple(CourseGroup(group.cards, group.name) for group in score.groups)
    return CoursePage(pick(lang, "胡牌的樣子", "A finished hand"), text, groups)


def _points(book: scorer.Book, lang: str) -> CoursePage:
    score = scorer.score(book, example(book), lang=lang)
    least = pick(
        lang,
        f"，至少要 {score.minimum} {score.unit}才能胡",
        f"; at least {score.minimum} are needed to win",
    )
    main = pick(
        lang, f"主精是{score.main_jing}，加倍。", f" The main jing is {score.main_jing} and counts double."
    )
    text = pick(
        lang,
        f"這手牌共 {score.points} {score.unit}{least if score.minimum else ''}。",
        f"This hand counts {score.points} points{least if score.minimum else ''}.",
    ) + (main if score.main_jing else "")
    groups = tuple(
        CourseGroup(group.cards, f"{group.name} {group.points} · {group.why}") for group in score.groups
    )
    return CoursePage(pick(lang, "怎麼算", "How it counts"), text, groups)


def _payment(book: scorer.Book, lang: str) -> CoursePage:
    drawn = scorer.score(book, example(book), lang=lang)
    taken = scorer.score(book, example(book), by="discard", lang=lang)
    steps = pick(lang, f"{drawn.steps} {drawn.step_unit}", f"{drawn.steps} steps")
    each = drawn.payments[0].pays if drawn.payments else 0
    from_discarder = sum(payment.pays for payment in taken.payments)
    text = pick(
        lang,
        f"{drawn.points} {drawn.unit}是 {steps}。自摸：每家付 {each}；別人打出：共付 {from_discarder}"
        f"（以每{drawn.step_unit} 1 計）。",
        f"{drawn.points} points are {steps}. Self-drawn, each other player pays {each}; from a discard "
        f"{from_discarder} are paid in all (at 1 a step).",
    )
    return CoursePage(pick(lang, "誰付多少", "Who pays"), text)


def _wait(book: scorer.Book, lang: str) -> CoursePage:
    hand = waiting(book)
    waits = scorer.waits(book, hand, lang=lang)
    right = tuple(wait.card for wait in waits)
    wrong = [card for card in scorer.deck_cards(book.kind) if card not in right and not card.startswith("花")]
    wrong = [card for card in wrong if card != "賴"]
    answers = (wrong[0], right[-1], wrong[len(wrong) // 2], wrong[-1])
    all_right = pick(lang, "、", ", ").join(pick(lang, card, card) for card in right)
    quiz = Quiz(
        answers,
        frozenset(right),
        pick(lang, f"這手牌等：{all_right}。", f"This hand waits for {all_right}."),
    )
    text = pick(lang, "還差一張。下面哪一張能胡？", "One card is missing. Which of these completes the hand?")
    cards = CourseGroup(hand.free)
    return CoursePage(pick(lang, "聽牌", "Waiting"), text, (cards,), quiz)
