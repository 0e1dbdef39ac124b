"""Lay out the slip: one picture of a scored hand that can be sent round and checked by anyone.

The slip is data, a list of drawing operations in pixels of a page 1080 wide, as wide as the chat pictures
of a phone: the desktop paints it with OpenCV (`table.paint`), the phone with its own canvas, and both look
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

from table.words import say

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

Measure = Callable[[str, float], float]
"""How wide a text of some size is, both in pixels."""

WIDTH: Final = 1080
_MARGIN: Final = 48
_INNER: Final = WIDTH - 2 * _MARGIN

_PAPER: Final[Colour] = (250, 247, 240)
_WHITE: Final[Colour] = (255, 255, 255)
_BAND: Final[Colour] = (126, 24, 28)
_INK: Final[Colour] = (34, 32, 30)
_SOFT: Final[Colour] = (104, 98, 92)
_LINE: Final[Colour] = (214, 206, 194)
_RED: Final[Colour] = (196, 24, 30)
_GREEN: Final[Colour] = (16, 122, 70)
_AMBER: Final[Colour] = (255, 233, 186)
_BLUE: Final[Colour] = (216, 230, 246)
_PETAL: Final[Colour] = (224, 92, 20)
_HEART: Final[Colour] = (250, 204, 60)
GROUP_COLOURS: Final[tuple[Colour, ...]] = (
    (214, 62, 42),
    (28, 112, 196),
    (24, 138, 84),
    (148, 74, 178),
    (214, 136, 10),
    (14, 140, 156),
    (190, 54, 122),
    (104, 94, 30),
    (86, 86, 170),
    (120, 64, 32),
)
"""One for each group, on its number and on the outlines of its cards."""

_LABEL: Final = 34.0
_WHY: Final = 34.0
_BODY: Final = 38.0
_CARD: Final = (66.0, 92.0)


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle, its corners rounded."""

    x: float
    y: float
    width: float
    height: float
    fill: Colour
    edge: Colour | None = None
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; y is its baseline."""

    x: float
    y: float
    text: str
    size: float
    colour: Colour
    anchor: Literal["left", "middle", "right"] = "left"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Loop:
    """A closed line through corners."""

    corners: tuple[tuple[float, float], ...]
    colour: Colour
    width: float


@dataclass(frozen=True, slots=True)
class Picture:
    """Where the photo goes, and which part of it."""

    x: float
    y: float
    width: float
    height: float
    source: tuple[float, float, float, float]
    """Left, top, right and bottom of the part, as shares of the photo's width and height."""


Operation = Box | Disc | Text | Loop | Picture


@dataclass(frozen=True, slots=True)
class Slip:
    """A laid out slip, to be painted operation by operation."""

    width: int
    height: int
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class SlipGroup:
    """A group as the slip shows it."""

    name: str
    cards: tuple[str, ...]
    points: int
    why: str
    exposed: bool = False
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Outlines of its cards in pixels of the photo, where there is one."""


@dataclass(frozen=True, slots=True)
class SlipContent:
    """All that stands on a slip, in the words of the rule and the language of the reader."""

    title: str
    """The rule."""

    result: str
    """Points and steps, or why the hand does not win."""

    notes: tuple[str, ...]
    """What decided beside the groups: class, main jing, winning card."""

    groups: tuple[SlipGroup, ...]
    payments: tuple[tuple[str, str], ...]
    """Who pays whom, and how much."""

    options: tuple[str, ...]
    code: str
    date: str
    inks: dict[str, Colour] = field(default_factory=dict)
    """The ink of each character that is not printed black."""

    photo: tuple[int, int] | None = None
    """Width and height of the photo, where it is shown."""

    cards: tuple[str, ...] = ()
    """The cards, where they make no groups."""

    loose: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Outlines of cards that are in no group, in pixels of the photo."""

    unsettled: str | None = None
    """What is not sure, where something is not."""

    guessed: str | None = None
    """What was guessed, where something was."""

    lang: str = "zh-Hant"


def estimate(text: str, size: float) -> float:
    """Estimate how wide a text is where no font can be asked.

    Args:
        text: one line.
        size: pixels.

    Returns:
        Pixels, rather more than less.
    """
    return size * sum(_em(character) for character in text)


def _em(character: str) -> float:
    if ord(character) >= 0x2E80:
        return 1.05
    if character in " .,:;!'|()[]il":
        return 0.32
    return 0.7 if character.isupper() else 0.62


def lay_out(content: SlipContent, measure: Measure = estimate) -> Slip:
    """Place all that a slip shows.

    Args:
        content: what it shows.
        measure: the width of a text in the font that will paint it.

    Returns:
        The operations in the order of painting.
    """
    page = _Page(content, measure)
    page.head()
    page.result()
    page.payments()
    page.photo()
    page.groups()
    page.foot()
    return page.slip()


class _Page:
    """A page that grows downwards."""

    def __init__(self, content: SlipContent, measure: Measure) -> None:
        self._content = content
        self._measure = measure
        self._operations: list[Operation] = []
        self._y = 0.0

    def _say(self, hant: str, en: str) -> str:
        return say(self._content.lang, hant, en)

    def _add(self, *operations: Operation) -> None:
        self._operations.extend(operations)

    def _fit(self, text: str, size: float, room: float) -> float:
        """Shrink a text to its room."""
        wide = self._measure(text, size)
        return size if wide <= room else size * room / wide

    def _paragraph(
        self, text: str, size: float, colour: Colour, x: float = _MARGIN, room: float = _INNER
    ) -> None:
        for line in _wrap(text, size, room, self._measure):
            self._y += size * 1.4
            self._add(Text(x, self._y - size * 0.22, line, size, colour))

    def head(self) -> None:
        """Write the rule and the date on a band."""
        date = Text(WIDTH - _MARGIN, 84, self._content.date, _LABEL, _WHITE, "right")
        room = _INNER - self._measure(date.text, date.size) - 40
        size = self._fit(self._content.title, 58, room)
        self._add(Box(0, 0, WIDTH, 128, _BAND), Text(_MARGIN, 86, self._content.title, size, _WHITE), date)
        self._y = 128

    def result(self) -> None:
        """Write points and steps large, and what decided."""
        content = self._content
        for text, colour in ((content.unsettled, _AMBER), (content.guessed, _BLUE)):
            if text is not None:
                self._notice(text, colour)
        size = self._fit(content.result, 104, _INNER)
        self._y += size * 1.25 + 18
        self._add(Text(_MARGIN, self._y, content.result, size, _BAND, bold=True))
        self._y += 18
        for note in content.notes:
            self._paragraph(note, _BODY, _INK)

    def _notice(self, text: str, colour: Colour) -> None:
        """Write a text on a coloured band."""
        lines = list(_wrap(text, _BODY, _INNER - 40, self._measure))
        top = self._y + 28
        self._add(Box(_MARGIN, top, _INNER, len(lines) * _BODY * 1.4 + 26, colour, radius=12))
        self._y = top + 8
        for line in lines:
            self._y += _BODY * 1.4
            self._add(Text(_MARGIN + 20, self._y - 6, line, _BODY, _INK))
        self._y += 18

    def payments(self) -> None:
        """Write who pays whom."""
        if not self._content.payments:
            return
        self._y += 26
        top = self._y
        shown: list[Text] = []
        for who, much in self._content.payments:
            amount = self._measure(much, 56)
            size, room = 44.0, _INNER - 90 - amount
            lines = list(_wrap(who, size, room, self._measure))
            for number, line in enumerate(lines):
                self._y += 76 if number == 0 else 54
                fitting = self._fit(line, size, room)
                shown.append(Text(_MARGIN + 28, self._y - 14, line, fitting, _INK))
            below = self._y - 12 - (len(lines) - 1) * 27
            shown.append(Text(WIDTH - _MARGIN - 28, below, much, 56, _BAND, "right", bold=True))
        self._y += 12
        self._add(Box(_MARGIN, top, _INNER, self._y - top, _WHITE, _LINE, radius=16), *shown)

    def photo(self) -> None:
        """Place the photo and outline its cards in the colours of their groups."""
        if self._content.photo is None:
            return
        self._y += 32
        across, down = self._content.photo
        every = [outline for group in self._content.groups for outline in group.outlines]
        left, top, right, bottom = _part(self._content.photo, (*every, *self._content.loose))
        scale = min(_INNER / (right - left), 1000 / (bottom - top))
        wide, high = (right - left) * scale, (bottom - top) * scale
        x = _MARGIN + (_INNER - wide) / 2
        source = left / across, top / down, right / across, bottom / down
        self._add(Picture(x, self._y, wide, high, source))
        outlines = [(outline, _BAND) for outline in self._content.loose]
        for number, group in enumerate(self._content.groups):
            outlines += [(outline, _colour_of(number)) for outline in group.outlines]
        for outline, colour in outlines:
            corners = tuple((x + (a - left) * scale, self._y + (b - top) * scale) for a, b in outline)
            self._add(Loop(corners, colour, 4))
        self._y += high

    def groups(self) -> None:
        """Write each group: its number, name, cards, points and why."""
        self._y += 20
        for number, group in enumerate(self._content.groups):
            self._group(number, group)
        if self._content.groups:
            self._add(Box(_MARGIN, self._y, _INNER, 2, _LINE))
        a_row = int((_INNER + 8) // (_CARD[0] + 8))
        for row in _batched(self._content.cards, a_row):
            for place, card in enumerate(row):
                self._card(card, _MARGIN + place * (_CARD[0] + 8), self._y)
            self._y += _CARD[1] + 12

    def _group(self, number: int, group: SlipGroup) -> None:
        self._add(Box(_MARGIN, self._y, _INNER, 2, _LINE))
        top = self._y + 14
        middle = top + _CARD[1] / 2
        self._add(
            Disc(_MARGIN + 26, middle, 26, _colour_of(number)),
            Text(_MARGIN + 26, middle + 12, str(number + 1), 34, _WHITE, "middle"),
        )
        left = _MARGIN + 72.0
        for card in group.cards:
            self._card(card, left, top)
            left += _CARD[0] + 8
        points = Text(WIDTH - _MARGIN, middle + 20, str(group.points), 60, _INK, "right", bold=True)
        name_left = left + 14
        room = WIDTH - _MARGIN - self._measure(points.text, points.size) - 20 - name_left
        self._add(points)
        place = self._say("桌面", "on the table") if group.exposed else ""
        if place:
            self._add(
                Text(name_left, middle - 4, group.name, self._fit(group.name, 40, room), _INK),
                Text(name_left, middle + 36, place, self._fit(place, 30, room), _SOFT),
            )
        else:
            self._add(Text(name_left, middle + 15, group.name, self._fit(group.name, 40, room), _INK))
        self._y = top + _CARD[1]
        self._paragraph(group.why, _WHY, _SOFT, _MARGIN + 72, _INNER - 72)
        self._y += 16

    def _card(self, card: str, left: float, top: float) -> None:
        """Draw a small card; a flower copy gets a flower, a wild says what it stands for."""
        wide, high = _CARD
        name, _, stands_for = card.partition(">")
        flower = name.startswith("花")
        face = name.removeprefix("花")
        ink = self._content.inks.get(face, _INK)
        middle = left + wide / 2
        self._add(
            Box(left, top, wide, high, _WHITE, (168, 160, 150), 10),
            Text(middle, top + 58, say(self._content.lang, face, face), 50, ink, "middle"),
        )
        if flower:
            self._add(*_flower(left + wide - 17, top + high - 15))
        if stands_for:
            self._add(
                Text(
                    middle,
                    top + high - 6,
                    say(self._content.lang, stands_for, stands_for),
                    24,
                    _SOFT,
                    "middle",
                )
            )

    def foot(self) -> None:
        """Write the options, the code and how to check it."""
        content = self._content
        self._y += 22
        for line in content.options:
            self._paragraph(line, _LABEL, _SOFT)
        if not content.code:
            return
        self._y += 24
        blocks = content.code.split("-")
        lines = ["-".join(line) for line in _batched(blocks, 4)]
        row = 58.0
        self._add(Box(_MARGIN, self._y, _INNER, row * len(lines) + 76, _WHITE, _LINE, radius=16))
        self._y += 46
        self._add(Text(_MARGIN + 28, self._y, self._say("核對代碼", "Code to check it"), _LABEL, _SOFT))
        for line in lines:
            self._y += row
            size = self._fit(line, 46, _INNER - 56)
            self._add(Text(_MARGIN + 28, self._y, line, size, _INK, bold=True))
        self._y += 30
        self._paragraph("suanhu score --code …", _LABEL, _SOFT)

    def slip(self) -> Slip:
        """Close the page."""
        height = round(self._y + 44)
        return Slip(WIDTH, height, (Box(0, 0, WIDTH, height, _PAPER), *self._operations))


def _colour_of(number: int) -> Colour:
    return GROUP_COLOURS[number % len(GROUP_COLOURS)]


def _part(
    size: tuple[int, int], outlines: Sequence[Sequence[tuple[float, float]]]
) -> tuple[float, float, float, float]:
    """Choose the part of the photo in which the cards lie, with some of the table round it."""
    corners = [corner for outline in outlines for corner in outline]
    if not corners:
        return 0, 0, *size
    xs, ys = zip(*corners, strict=True)
    around = 0.06 * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0, min(xs) - around), max(0, min(ys) - around)
    right, bottom = min(size[0], max(xs) + around), min(size[1], max(ys) + around)
    return (left, top, right, bottom) if right - left >= 1 and bottom - top >= 1 else (0, 0, *size)


def _flower(x: float, y: float) -> Iterator[Disc]:
    for across, down in ((0, -6.5), (6.2, -2), (3.8, 5.3), (-3.8, 5.3), (-6.2, -2)):
        yield Disc(x + across, y + down, 5, _PETAL)
    yield Disc(x, y, 4, _HEART)


def _batched(parts: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    rest = iter(parts)
    while batch := tuple(islice(rest, size)):
        yield batch


def _wrap(text: str, size: float, room: float, measure: Measure) -> Iterator[str]:
    """Break a text into lines: between words, and between any two Chinese characters."""
    line = ""
    for piece in _pieces(text):
        if line and measure(line + piece.rstrip(), size) > room:
            yield line.rstrip()
            line = piece.lstrip()
        else:
            line += piece
    if line.strip():
        yield line.rstrip()


_CLOSING: Final = "，。、；：）」』！？,.;:)"


def _pieces(text: str) -> Iterator[str]:
    """Cut a text where a line may end; closing marks stay with what they close."""
    piece = ""
    for character in text:
        wide = ord(character) >= 0x2E80
        if piece and character not in _CLOSING and (wide or piece[-1] == " " or ord(piece[-1]) >= 0x2E80):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece
