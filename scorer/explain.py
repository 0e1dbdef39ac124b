"""Groups as a report shows them: name, cards, points, and why.

A group's text depends on its own cards alone, so each is written once and kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorer.book import OPTION, TABLE
from scorer.lang import local, pick, say
from scorer.points import FLOWERED, PLAIN, SHAPES, WILD_AS, Points, Worth, face_card

if TYPE_CHECKING:
    from scorer.book import Book

Shape = Literal["sentence", "triplet", "quad", "quint", "eye", "pair"]
Basis = Literal["seed", "practice", "option"]

FREE, ON_TABLE, DECLARED, BY_DISCARD = "free", "table", "declared", "discard"
"""How a group of alike cards came about."""

_ENGLISH_NAMES = {
    "sentence": "sentence",
    "triplet": "triplet",
    "triplet_exposed": "exposed triplet",
    "quad": "quad",
    "quad_exposed": "exposed quad",
    "quint": "quint",
    "quint_exposed": "exposed quint",
    "eye": "eye",
    "pair": "pair",
}


@dataclass(frozen=True, slots=True)
class Group:
    """A group or the eye of a counted hand."""

    shape: Shape
    name: str
    """What the region calls it, in the language of the report."""
    cards: tuple[str, ...]
    """Its cards; a wild is written with what it stands for, `賴>花三`."""
    exposed: bool
    """Whether another player's card completed it."""
    points: int
    why: str
    """How the points come about, in the language of the report."""
    basis: Basis
    """Whether the values come from a seed, from common practice, or from an option of the table."""

    def to_json(self) -> dict[str, object]:
        """The group as INTERFACE.md has it."""
        return {
            "shape": self.shape,
            "name": self.name,
            "cards": list(self.cards),
            "exposed": self.exposed,
            "points": self.points,
            "why": self.why,
            "basis": self.basis,
        }


def basis_of(book: Book, keys: tuple[str, ...]) -> Basis:
    """The weakest ground on which values stand: an option before practice before a seed."""
    sources = [book.source(key) for key in keys]
    if OPTION in sources or TABLE in sources:
        return "option"
    return "practice" if any(source.startswith("practice") for source in sources) else "seed"


class Explainer:
    """Writes the groups of one rule book in one language."""

    def __init__(self, points: Points, lang: str) -> None:
        self.points = points
        self.book = points.book
        self.lang = lang
        self._kept: dict[tuple[object, ...], Group] = {}

    def sentence(
        self,
        number: int,
        faces: tuple[int, ...],
        main: str,
        exposed: bool,  # noqa: FBT001
    ) -> Group:
        """A sentence, by its number in the book; `exposed` where it was picked up."""
        key = (number, faces, main, exposed)
        group = self._kept.get(key)
        if group is None:
            group = self._kept[key] = self._sentence(number, faces, main, exposed=exposed)
        return group

    def alike(self, character: str, plain: int, flower: int, wild: int, main: str, how: str) -> Group:
        """A triplet, quad or quint."""
        key = (character, plain, flower, wild, main == character, how)
        group = self._kept.get(key)
        if group is None:
            group = self._kept[key] = self._alike(character, plain, flower, wild, main, how)
        return group

    def eye(self, cards: tuple[tuple[str, int], tuple[str, int]], main: str) -> Group:
        """The last two cards."""
        key = (cards, main)
        group = self._kept.get(key)
        if group is None:
            group = self._kept[key] = self._eye(cards, main)
        return group

    def pair(self, character: str, faces: tuple[int, ...]) -> Group:
        """One of ten pairs, which has no shape (001)."""
        key = ("pair", character, faces)
        group = self._kept.get(key)
        if group is None:
            worths = [(character, face, self.points.card(character, face)) for face in faces]
            group = self._kept[key] = self._make(
                "pair", "pair", worths, Worth(0, ()), main="", exposed=False, note=""
            )
        return group

    def _name(self, name: str) -> str:
        chinese = self.book.text(f"names.{name}", self.book.text(f"names.{name.partition('_')[0]}", "?"))
        if self.lang == "en":
            return f"{_ENGLISH_NAMES[name]} ({chinese})"
        return local(self.lang, chinese)

    def _sentence(self, number: int, faces: tuple[int, ...], main: str, *, exposed: bool) -> Group:
        sentence = self.points.sentences[number]
        worths = [
            (character, face, self.points.card(character, face))
            for character, face in zip(sentence, faces, strict=True)
        ]
        whole = self.points.sentence(sentence)
        return self._make("sentence", "sentence", worths, whole, main=main, exposed=exposed, note="")

    def _eye(self, cards: tuple[tuple[str, int], tuple[str, int]], main: str) -> Group:
        worths = [(character, face, self.points.card_in_eye(character, face)) for character, face in cards]
        (first, _), (second, _) = cards
        whole = self.points.pair(first) if first == second else self.points.half(first, second)
        note = ""
        if any("eye.counts" in worth.keys for _, _, worth in worths) and not self.book.truth("eye.counts"):
            note = say(self.lang, "why.eye_off")
        return self._make("eye", "eye", worths, whole, main=main, exposed=False, note=note)

    def _make(
        self,
        shape: Shape,
        name: str,
        worths: list[tuple[str, int, Worth]],
        whole: Worth,
        *,
        main: str,
        exposed: bool,
        note: str,
    ) -> Group:
        times_of = {main: self.points.main_times}
        points = whole.points
        keys = list(whole.keys)
        parts = []
        if whole.points or not any(worth.points for _, _, worth in worths):
            parts.append(f"{self._whole_name(shape, whole)} {whole.points}")
        for character, face, worth in worths:
            times = times_of.get(character, 1)
            points += worth.points * times
            keys += worth.keys
            if times > 1 and worth.keys:
                keys.append("jing.main")
            if worth.points:
                parts.append(self._card(character, face, worth.points, times))
        if len(parts) > 1 or "×" in parts[0]:
            parts[-1] += f" = {points}"
        why = " + ".join(parts) + note
        cards = tuple(face_card(character, face) for character, face, _ in worths)
        return Group(shape, self._name(name), cards, exposed, points, why, basis_of(self.book, tuple(keys)))

    def _whole_name(self, shape: str, whole: Worth) -> str:
        table = whole.keys[0].partition(".")[0] if whole.keys else ""
        kind = table if table in ("red", "jing") else "other"
        return say(self.lang, f"why.{shape}_{kind}")

    def _card(self, character: str, face: int, points: int, times: int) -> str:
        card = face_card(character, face)
        shown = local(self.lang, card)
        if times == 1:
            return f"{shown} {points}"
        return f"{shown} {points}×{times}{say(self.lang, 'why.main')}"

    def _alike(self, character: str, plain: int, flower: int, wild: int, main: str, how: str) -> Group:
        size = plain + flower + wild
        shape = SHAPES[size]
        exposed = how == ON_TABLE or (how == BY_DISCARD and self.points.discard_exposes)
        worth = self.points.alike(character, plain, flower, wild, exposed=exposed)
        times = self.points.main_times if character == main else 1
        points = worth.points * times
        keys = list(worth.keys)
        if times > 1:
            keys.append("jing.main")
        if how == BY_DISCARD:
            keys.append("discard.completes")
        name = self._name(f"{shape}_exposed" if exposed else shape)
        faces = (PLAIN,) * plain + (FLOWERED,) * flower + (WILD_AS,) * wild
        why = self._alike_why(character, shape, faces, worth, times, exposed=exposed)
        if how == BY_DISCARD:
            why += say(self.lang, "why.by_discard" if self.points.discard_exposes else "why.by_discard_kept")
        return Group(
            shape,  # type: ignore[arg-type]
            name,
            tuple(face_card(character, face) for face in faces),
            exposed,
            points,
            why,
            basis_of(self.book, tuple(keys)),
        )

    def _alike_why(
        self,
        character: str,
        shape: str,
        faces: tuple[int, ...],
        worth: Worth,
        times: int,
        *,
        exposed: bool,
    ) -> str:
        name = f"{shape}_exposed" if exposed else shape
        word = self.book.text(f"names.{name}", self.book.text(f"names.{shape}"))
        first = worth.keys[0].partition(".")[0] if worth.keys else "black"
        colour = say(
            self.lang, f"why.colour_{first if first in ('red', 'black', 'jing', 'other') else 'black'}"
        )
        label = f"{colour}{pick(self.lang, word, _ENGLISH_NAMES[name])}"
        if first == "jing":
            flowers = len(faces) - faces.count(PLAIN)
            wilds = faces.count(WILD_AS)
            if self.book.deck.copies.get(f"花{character}"):
                label += say(self.lang, "why.flowers", flowers=flowers)
            if wilds:
                label += say(self.lang, "why.wilds", wilds=wilds)
            text = f"{label} {worth.points}"
            if times > 1:
                text += f" ×{times}{say(self.lang, 'why.main')} = {worth.points * times}"
            return text
        base = self.book.number(worth.keys[0]) if worth.keys else 0
        parts = [f"{label} {base}"]
        for face in faces:
            card = self.points.card(character, face)
            if card.points:
                parts.append(self._card(character, face, card.points, 1))
        text = " + ".join(parts)
        return f"{text} = {worth.points}" if len(parts) > 1 else text
