"""What a hand waits for, and what to discard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.cards import FIELD_MASK, FLOWER, SHIFT, WILD, WILD_STANDS_FOR
from scorer.hand import Hand
from scorer.lang import check_language, say
from scorer.score import By, Counted, Request, check_request, count, standing

if TYPE_CHECKING:
    from scorer.book import Book
    from scorer.count import Counter, Parts, Reason


@dataclass(frozen=True, slots=True)
class Wait:
    """A card that completes a hand."""

    card: str
    left: int
    """How many copies the hand leaves in the deck."""
    points: int
    steps: int
    wins: bool
    """Whether the points suffice."""
    form: str | None
    """What the region calls this wait (RULES.md §1), where it has a name."""

    def to_json(self) -> dict[str, object]:
        """The wait as INTERFACE.md has it."""
        return {
            "card": self.card,
            "left": self.left,
            "points": self.points,
            "steps": self.steps,
            "wins": self.wins,
            "form": self.form,
        }


@dataclass(frozen=True, slots=True)
class Discard:
    """A card to discard, and what the hand waits for after it."""

    discard: str
    left: int
    """How many cards in all complete the hand with points enough."""
    waits: tuple[Wait, ...]

    @property
    def weight(self) -> int:
        """The sum of cards left times steps over the waits that win."""
        return sum(wait.left * wait.steps for wait in self.waits if wait.wins)

    def to_json(self) -> dict[str, object]:
        """The discard as INTERFACE.md has it."""
        return {
            "discard": self.discard,
            "left": self.left,
            "waits": [wait.to_json() for wait in self.waits],
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """Every card that can be discarded, the best first."""

    advise: tuple[Discard, ...]
    why: str
    """Why the first is first, one sentence in the language asked for."""
    hindrance: Hindrance | None
    """Why no discard can leave a wait, where the hand itself is wrong."""
    lang: str

    def to_json(self) -> dict[str, object]:
        """The advice as INTERFACE.md has it."""
        discards = [discard.to_json() for discard in self.advise]
        reason = self.hindrance.to_json() if self.hindrance else {}
        return {"advise": discards, "why": self.why, **reason}

    def text(self) -> str:
        """The advice, a line for each discard that leaves a wait and one sentence why."""
        lines = [self.why]
        for discard in self.advise:
            if discard.waits:
                waits = "".join(wait.card for wait in discard.waits)
                parts = {"discard": discard.discard, "left": discard.left}
                lines.append(say(self.lang, "advise.line", waits=waits, **parts))
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why a hand can wait for nothing, whichever card comes."""

    reason: Reason
    text: str

    def to_json(self) -> dict[str, str]:
        """The reason and its text, as `score` has them."""
        return {"reason": self.reason, "reason_text": self.text}


def hindrance(book: Book, hand: Hand, *, discards: bool = False, lang: str = "zh-Hant") -> Hindrance | None:
    """Say what keeps a hand from waiting before any card comes: its groups, its number of cards, its copies.

    Args:
        book: The rule book.
        hand: The hand without the winning card.
        discards: Whether the hand has one card more, which is still to be discarded.
        lang: The language of the text.

    Returns:
        The first reason of RULES.md §3, or nothing.

    Raises:
        BadRequest: the deck does not have such cards.
        LanguageError: there is no such language.

    Example:
        >>> from scorer import load_book, parse_hand
        >>> hindrance(load_book("sanjing"), parse_hand("上大人"), lang="en").text
        'wrong number of cards: there are 3 cards, a hand that waits has 25'
    """
    check_language(lang)
    book.counter.check_cards(hand)
    stand = standing(book, hand, "", 0 if discards else 1)
    if stand.reason is None:
        return None
    text = f"reason.{stand.text or stand.reason}"
    if text == "reason.wrong_count":
        text += "_discard" if discards else "_waits"
    return Hindrance(stand.reason, say(lang, text, **dict(stand.detail)))


class _Asker:
    """Asks for one hand after another what each card would bring."""

    def __init__(self, book: Book, request: Request) -> None:
        self.book = book
        self.request = request
        self.counter: Counter = book.counter
        self.copies = book.deck.copies

    def counted(self, hand: Hand, card: str) -> Counted | None:
        """Count a hand that a card has completed, or nothing where it does not."""
        stand, request = standing(self.book, hand, card), self.request
        return count(self.book, hand, stand, card, request.players, discarded=request.discarded)

    def waits(self, hand: Hand) -> tuple[Wait, ...]:
        """Every card that completes a hand."""
        if standing(self.book, hand, "", 1).reason is not None:
            return ()
        cards = hand.cards()
        left = {card: copies - cards.count(card) for card, copies in self.copies.items()}
        forms = _Forms(self.book, hand)
        found: dict[str, tuple[int, Counted]] = {}
        for card in self.candidates(hand):
            if left[card] > 0:
                counted = self.counted(hand.plus(card), card)
                if counted is not None:
                    found[card] = (left[card], counted)
        waits = []
        for card, (copies, counted) in found.items():
            flower = found.get(FLOWER + card)
            if card[0] == FLOWER and card[1:] in found and found[card[1:]][1].points == counted.points:
                continue
            more = flower[0] if flower is not None and flower[1].points == counted.points else 0
            outcome = counted.outcome
            form = forms.of(card, counted)
            waits.append(Wait(card, copies + more, counted.points, outcome.steps, outcome.steps > 0, form))
        return tuple(waits)

    def candidates(self, hand: Hand) -> Iterator[str]:
        """The cards of the deck that go with a free card of the hand."""
        counter = self.counter
        code, _ = counter.free_cards(
            hand, [group for laid in hand.laid if (group := counter.laid_group(laid))]
        )
        code += hand.picked_code
        held = {card[-1] for card in self.copies if card != WILD and (code >> SHIFT[card]) & FIELD_MASK}
        wild = bool((code >> SHIFT[WILD]) & FIELD_MASK)
        if wild:
            held.update(WILD_STANDS_FOR)
        near = set(held)
        for sentence in counter.points.sentences:
            if not held.isdisjoint(sentence):
                near.update(sentence)
        for card in self.copies:
            if card[-1] in near or (card == WILD and not near.isdisjoint(WILD_STANDS_FOR)):
                yield card


class _Forms:
    """Finds out what form the wait for a card has: 拿撂, 推攤, 胡兩頭 or 卡卡 (000, 003, 004)."""

    def __init__(self, book: Book, hand: Hand) -> None:
        self.book = book
        self.counter = book.counter
        self.hand = hand
        self.halves = self.counter.points.halves
        self._single: frozenset[str] | None = None
        self._pairs: frozenset[str] | None = None

    def _splits_without(self, taken: Sequence[str]) -> bool:
        """Whether the hand, without some cards, splits into groups that are all complete."""
        hand = self.hand
        for card in taken:
            hand = hand.minus(card)
        counter = self.counter
        groups = [group for laid in hand.laid if (group := counter.laid_group(laid))]
        code, fixed = counter.free_cards(hand, groups)
        left = counter.groups - len(fixed)
        cards = (
            len(hand.free)
            + len(hand.picked)
            + sum(len(laid.cards) for laid in hand.laid if counter.may_break and laid.bracket == "square")
        )
        missing_groups = 1 if len(taken) == 4 else 0
        extra = cards - 3 * (left - missing_groups)
        asked = counter.asked(hand, code, extra, "", discarded=False, with_eye=False)
        return counter.splitter.best(asked, (("", 0),)) is not None

    def _cards_of(self) -> dict[str, list[str]]:
        """The free cards by the character that they can be."""
        cards: dict[str, list[str]] = {}
        for card in (*self.hand.picked, *self.hand.free):
            for character in WILD_STANDS_FOR if card == WILD else (card[-1],):
                cards.setdefault(character, []).append(card)
        return cards

    def single(self) -> frozenset[str]:
        """The characters that can be the one card left over beside complete groups."""
        if self._single is None:
            self._single = frozenset(
                character
                for character, cards in self._cards_of().items()
                if any(self._splits_without((card,)) for card in dict.fromkeys(cards))
            )
        return self._single

    def pairs(self) -> frozenset[str]:
        """The characters that complete two linked pairs beside complete groups."""
        if self._pairs is None:
            cards = {character: own for character, own in self._cards_of().items() if len(own) > 1}
            completing: set[str] = set()
            for half in self.halves:
                if half <= cards.keys():
                    first, second = sorted(half)
                    taken = (*cards[first][:2], *cards[second][:2])
                    if taken.count(WILD) <= self.hand.free.count(WILD) + self.hand.picked.count(
                        WILD
                    ) and self._splits_without(taken):
                        completing |= half
                        for sentence in self.counter.points.sentences:
                            if half <= set(sentence):
                                completing |= set(sentence)
            self._pairs = frozenset(completing)
        return self._pairs

    def of(self, card: str, counted: Counted) -> str | None:
        """Name the form of the wait for a card, or nothing where it has no name."""
        if counted.found is None and counted.parts is None:
            return None
        characters = WILD_STANDS_FOR if card == WILD else (card[-1],)
        for character in characters:
            if any(
                single == character or frozenset((single, character)) in self.halves
                for single in self.single()
            ):
                return self.book.text("forms.single")
        for character in characters:
            if character in self.pairs():
                return self.book.text("forms.pairs")
        parts = counted.parts
        if parts is None and counted.found is not None:
            parts = self.counter.parts(counted.found)
        return self._in_sentence(characters, parts) if parts is not None else None

    def _in_sentence(self, characters: Sequence[str], parts: Parts) -> str | None:
        """Whether the card completes a sentence at an end or in the middle."""
        sentences = [self.counter.points.sentences[number] for number, _ in parts.sentences]
        places = [
            sentence.index(character)
            for sentence in sentences
            for character in characters
            if character in sentence
        ]
        if not places:
            return None
        return self.book.text("forms.middle" if 1 in places else "forms.ends")


def waits(
    book: Book,
    hand: Hand,
    *,
    by: By = "self",
    players: int | None = None,
    stake: int = 1,
    winner: int = 0,
    discarder: int | None = None,
    dui: Mapping[int, int] | None = None,
    lang: str = "zh-Hant",
) -> tuple[Wait, ...]:
    """Find every card that completes a hand.

    Args:
        book: The rule book.
        hand: The hand without the winning card.
        by: Whether the card would be drawn (`self`) or taken from a discard.
        players: How many play; the book's own number where not said.
        stake: Checked, as in `score`.
        winner: Checked, as in `score`.
        discarder: Checked, as in `score`.
        dui: Checked, as in `score`.
        lang: The language of errors.

    Returns:
        The waits, in deck order. A plain and a flower copy are two waits where they bring different points.

    Raises:
        BadRequest: what is asked does not fit the rule book or the hand.

    Example:
        >>> from scorer import load_book, parse_hand
        >>> hand = parse_hand("(上大人)(可可可)(知知知知)(禮禮禮)(己己己)(千千千)[子子子子] 孔孔孔 乙")
        >>> [wait.card for wait in waits(load_book("sanjing"), hand)]
        ['孔', '乙', '己', '三', '花三', '二']
    """
    request = check_request(
        book,
        hand,
        by=by,
        players=players,
        stake=stake,
        winner=winner,
        discarder=discarder,
        dui=dui,
        lang=lang,
    )
    return _Asker(book, request).waits(hand)


def advise(
    book: Book,
    hand: Hand,
    *,
    by: By = "self",
    players: int | None = None,
    stake: int = 1,
    winner: int = 0,
    discarder: int | None = None,
    dui: Mapping[int, int] | None = None,
    lang: str = "zh-Hant",
) -> Advice:
    """Say which card to discard and what each discard waits for.

    Args:
        book: The rule book.
        hand: A hand with one card too many.
        by: Whether the card that is waited for would be drawn (`self`) or taken from a discard.
        players: How many play; the book's own number where not said.
        stake: Checked, as in `score`.
        winner: Checked, as in `score`.
        discarder: Checked, as in `score`.
        dui: Checked, as in `score`.
        lang: The language of the reason.

    Returns:
        Every discard, sorted by the sum of cards left times steps over the waits that win, then by the
        cards left, then by the order of the deck; none where the hand itself is wrong.

    Raises:
        BadRequest: what is asked does not fit the rule book or the hand.
    """
    request = check_request(
        book,
        hand,
        by=by,
        players=players,
        stake=stake,
        winner=winner,
        discarder=discarder,
        dui=dui,
        lang=lang,
    )
    if wrong := hindrance(book, hand, discards=True, lang=lang):
        return Advice((), wrong.text, wrong, lang)
    asker = _Asker(book, request)
    free = {*hand.free, *hand.picked}
    discards = []
    for card in book.deck.copies:
        if card in free:
            found = asker.waits(hand.minus(card))
            left = sum(wait.left for wait in found if wait.wins)
            discards.append(Discard(card, left, found))
    discards.sort(key=lambda discard: (-discard.weight, -discard.left))
    return Advice(tuple(discards), _why(book, discards, lang), None, lang)


def _why(book: Book, discards: Sequence[Discard], lang: str) -> str:
    if not any(discard.waits for discard in discards):
        return say(lang, "advise.none")
    first = discards[0]
    shown = {"discard": first.discard}
    if not first.left:
        first = max(discards, key=lambda discard: sum(wait.left for wait in discard.waits))
        left = sum(wait.left for wait in first.waits)
        return say(lang, "advise.only_short", discard=first.discard, left=left)
    winning = [wait for wait in first.waits if wait.wins]
    shown["waits"] = "".join(wait.card for wait in winning)
    second = discards[1] if len(discards) > 1 else None
    if second is None or not second.left:
        steps = max(wait.steps for wait in winning)
        return say(
            lang, "advise.only", left=first.left, steps=steps, step_unit=book.text("step_unit"), **shown
        )
    shown["second"] = second.discard
    if (second.weight, second.left) == (first.weight, first.left):
        return say(lang, "advise.why_tied", left=first.left, **shown)
    return say(
        lang,
        "advise.why",
        left=first.left,
        weight=first.weight,
        second_weight=second.weight,
        step_unit=book.text("step_unit"),
        **shown,
    )
