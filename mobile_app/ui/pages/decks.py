"""The decks, and learning a new one in a minute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from kivy.uix.widget import Widget

from mobile_app.device import Source
from mobile_app.draft import as_decoded
from mobile_app.learning import Course
from mobile_app.model import PoorPhoto
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.pages.photo import ChoosePhotoPage, FilesPage, PoorPhotoPage
from mobile_app.ui.photo_view import Mark, PhotoView
from mobile_app.ui.widgets import Bar, Column, Panel, Row, Tap, Text, card_picture, texture_of
from mobile_app.words import WORDS, pick, words
from mobile_app.worker import Job
from vision.deck import PRIVACY, SUFFIX, Deck
from vision.errors import Cancelled, DeckError
from vision.faces import COPIES
from vision.quality import judge_photo
from vision.shelf import check_new_name, shipped_decks

NAMES = (
    ("我的牌", "My deck"),
    ("村裡的牌", "Village deck"),
    ("茶館的牌", "Teahouse deck"),
    ("老牌", "Old deck"),
)


class DecksPage(Page):
    """All decks; which one is played with; a new one."""

    title: ClassVar[str] = "decks.title"

    def build(self) -> None:
        """List them."""
        model = self.model
        # Those of the rule's kind first: no other can be played with.
        decks = sorted(model.shelf.decks(), key=lambda deck: (deck.kind != model.kind, deck.read_only))
        chosen = model.settings.deck
        self.add(
            Tap(
                self.t("decks.auto"),
                self._use("auto"),
                "chosen" if chosen == "auto" else "plain",
                "deck.auto",
            )
        )
        for deck in decks:
            own = "" if deck.read_only else self.t("decks.own")
            kind = self.t("decks.kind", kind=deck.kind, faces=len(deck.labels))
            text = f"{deck_title(deck.name, model.lang)}{own}\n{kind}"
            look = "chosen" if deck.name == chosen else "plain"
            open_ = Tap(self.t("decks.show"), self._open(deck), "plain", f"show.{deck.name}", 17)
            open_.size_hint_x = 0.32
            self.add(Row(Tap(text, self._use(deck.name), look, f"deck.{deck.name}", 19), open_, gap=5))
        self.add(self.button("decks.import", self._import))
        self.main("decks.learn", lambda: self.app.go(lambda: LearnKindPage(self.app)))

    def _use(self, name: str) -> Callable[[], None]:
        def do() -> None:
            self.model.set(replace(self.model.settings, deck=name))
            self.app.refresh()

        return do

    def _open(self, deck: Deck) -> Callable[[], None]:
        return lambda: self.app.go(lambda: DeckPage(self.app, deck))

    def _import(self) -> None:
        device = self.app.device
        if device.has_picker:
            device.open_file(self.app.later(self._import_bytes))
        else:
            self.app.go(lambda: FilesPage(self.app, (SUFFIX,), self._import_file))

    def _import_file(self, path: Path) -> None:
        self.app.back()
        self.beside(lambda _: self._kept(Deck.load(path)), self._imported)

    def _import_bytes(self, data: bytes | None) -> None:
        if data is not None:
            self.beside(lambda _: self._kept(Deck.from_bytes(data)), self._imported)

    def _kept(self, deck: Deck) -> Deck:
        check_new_name(deck.name, deck)
        self.model.shelf.set_aside(deck)
        self.model.shelf.save(self.model.reader.prepare(deck))
        return deck

    def _imported(self, deck: Deck) -> None:
        self.app.refresh()
        self.app.say(self.t("decks.imported", name=deck.name))


class DeckPage(Page):
    """The faces of a deck.

    Args:
        app: the app.
        deck: which one.
    """

    title: ClassVar[str] = "decks.title"

    def __init__(self, app: object, deck: Deck) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._deck = deck

    def heading(self) -> str:
        """Say which deck it is."""
        return deck_title(self._deck.name, self.model.lang)

    def build(self) -> None:
        """Show the faces, and what can be done with the deck."""
        from mobile_app.ui.widgets import Face, Flow

        crops: dict[str, Widget] = {}
        for example in self._deck.examples:
            if example.label not in crops:
                label = self.card_name(example.label)
                crops[example.label] = Face(example.label, label, texture_of(example.crop), 50)
        self.add(Flow([crops[face] for face in self._deck.labels], gap=5))
        if self._deck.missing:
            missing = self.t("comma").join(map(self.card_name, self._deck.missing))
            self.add(self.note(self.t("decks.missing", faces=missing)))
        self.add(self.button("decks.export", self._export))
        if not self._deck.read_only:
            self.add(self.button("decks.delete", self._delete))

    def _export(self) -> None:
        def saved(where: str | None) -> None:
            self.app.say(self.t("saved", where=where) if where else self.t("wrong"), wrong=not where)

        data = self._deck.to_bytes()
        name = f"{self._deck.name}{SUFFIX}"
        self.app.device.save_file(name, "application/octet-stream", data, self.app.later(saved))

    def _delete(self) -> None:
        app, deck = self.app, self._deck

        def sure() -> None:
            try:
                self.model.shelf.delete(deck.name)
            except (DeckError, OSError) as error:
                app.fail(error)
            app.back()
            app.back()

        app.go(lambda: SurePage(app, "decks.delete_sure", sure, name=deck.name))


class SurePage(Page):
    """Asks once more before something is lost.

    Args:
        app: the app.
        key: of the question.
        do: what is done on yes.
        **parts: of the question.
    """

    title: ClassVar[str] = "sure.title"

    def __init__(self, app: object, key: str, do: Callable[[], object], **parts: object) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._question = self.t(key, **parts)
        self._do = do

    def build(self) -> None:
        """Ask."""
        self.add(Text(self._question, theme.TITLE))
        self.foot.add_widget(self.button("sure.no", self.app.back))
        self.main("sure.yes", self._do)


class LearnKindPage(Page):
    """Which kind of deck it is, and what it is called."""

    title: ClassVar[str] = "learn.title"

    def __init__(self, app: object, kind: int | None = None) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._kind = kind

    def build(self) -> None:
        """Ask for the kind, then for the name."""
        if self._kind is None:
            self.add(self.text("learn.kind", theme.TITLE))
            for kind in COPIES:
                self.add(Tap(self.t(f"learn.kind.{kind}"), self._with_kind(kind), "plain", f"kind.{kind}"))
            return
        self.add(self.text("learn.name", theme.TITLE))
        taken = {deck.name for deck in self.model.shelf.own()} | {deck.name for deck in shipped_decks()}
        for hant, en in NAMES:
            name = free_name(pick(self.model.lang, hant, en), taken)
            self.add(Tap(name, self._with_name(name), "plain", f"deckname.{name}"))
        if self.app.device.has_dialog:
            self.add(self.button("name.type", self._type))

    def _with_kind(self, kind: int) -> Callable[[], None]:
        return lambda: self.app.swap(lambda: LearnKindPage(self.app, kind))

    def _with_name(self, name: str) -> Callable[[], None]:
        def do() -> None:
            try:
                check_new_name(name)
            except DeckError as error:
                self.app.fail(error)
                return
            kind = self._kind or 110
            self.app.swap(lambda: LayOutPage(self.app, Course(name, kind)))

        return do

    def _type(self) -> None:
        def typed(text: str | None) -> None:
            if text and text.strip():
                self._with_name(text.strip()[:40])()

        self.app.device.ask_text(self.t("learn.name"), "", self.app.later(typed))


class LayOutPage(ChoosePhotoPage):
    """Which faces to lay out in which order.

    Args:
        app: the app.
        course: what was learned up to now.
    """

    title: ClassVar[str] = "learn.title"

    def __init__(self, app: object, course: Course) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._course = course

    def build(self) -> None:
        """Show the faces that are still missing, in order."""
        course = self._course
        missing = course.missing
        self.add(self.text("learn.lay", count=len(missing)))
        for start in range(0, len(missing), 7):
            row = missing[start : start + 7]
            names: list[Widget] = [Text(self.card_name(face), 20, align="center") for face in row]
            names += [Widget(size_hint_y=None, height=1) for _ in range(7 - len(row))]
            self.add(Panel(Row(*names, gap=2)))
        self.add(Text(PRIVACY[self.model.lang], 17, theme.SOFT))
        if course.lessons:
            self.foot.add_widget(
                self.button("learn.enough", lambda: self.app.go(lambda: SaveDeckPage(self.app, course)))
            )
        self.offer_photo()

    def _chosen(self, source: Source | None) -> None:
        if source is not None:
            self.app.swap(lambda: LookingPage(self.app, self._course, source))


class LookingPage(Page):
    """The faces are being found; it can be stopped.

    Args:
        app: the app.
        course: what was learned up to now.
        source: the photo; one that was called poor is looked at all the same.
    """

    title: ClassVar[str] = "reading.title"

    def __init__(self, app: object, course: Course, source: Source | PoorPhoto) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._course = course
        self._source = source
        self._job: Job[Course | PoorPhoto] | None = None

    def build(self) -> None:
        """Begin."""
        self._bar = Bar()
        self.add(Text(self.t("reading.find"), theme.TITLE, align="center"), self._bar)
        self._bar.show(0.3)
        self.foot.add_widget(self.button("reading.stop", self.app.back))
        device, reader, course, source = self.app.device, self.model.reader, self._course, self._source

        def work(job: Job[Course | PoorPhoto]) -> Course | PoorPhoto:
            if isinstance(source, PoorPhoto):
                picture = source.picture
            else:
                picture = as_decoded(device.decode(source))
                problems = judge_photo(picture.pixels)
                if problems:
                    return PoorPhoto(picture, problems)
            return course.look(picture, reader, progress=job.tell, cancelled=lambda: job.cancelled)

        self._job = Job(work)
        self.app.run_job(self._job, self._done)

    def leave(self) -> None:
        """Stop the job where it still runs."""
        super().leave()
        if self._job is not None and not self._job.done:
            self._job.cancel()

    def _done(self, job: Job[Course | PoorPhoto]) -> None:
        if self.app.page is not self:
            return
        before = self._course
        try:
            seen = job.result()
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 - said to the player
            self.app.swap(lambda: LayOutPage(self.app, before))
            self.app.fail(error)
            return
        if isinstance(seen, PoorPhoto):
            self.app.swap(
                lambda: PoorPhotoPage(
                    self.app,
                    seen,
                    again=lambda: LayOutPage(self.app, before),
                    anyway=lambda: LookingPage(self.app, before, seen),
                )
            )
            return
        self.app.swap(lambda: FoundPage(self.app, seen))


class FoundPage(Page):
    """What the photo of the faces shows, to be corrected.

    Args:
        app: the app.
        course: with the photo.
    """

    title: ClassVar[str] = "learn.found"
    scrolls: ClassVar[bool] = False

    def __init__(self, app: object, course: Course) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._course = course
        self._view: PhotoView | None = None

    def build(self) -> None:
        """Show the photo with the names that the cards have by their order."""
        lesson = self._course.lessons[-1]
        count, missing = len(lesson.found.cards), self._course.missing
        key = "learn.all" if not missing else "learn.some"
        faces = self.t("comma").join(map(self.card_name, missing[:12]))
        turned = self.t("learn.turned") if lesson.is_turned(self._course.asked) else ""
        self.add(Text(self.t(key, count=count, faces=faces) + turned, 18))
        picture = lesson.picture
        self._view = PhotoView(self.app.photo_texture(picture), picture.size, self._tapped)
        self.add(self._view)
        marks = []
        for place, (outline, at) in enumerate(zip(lesson.outlines, lesson.marks, strict=True)):
            name = lesson.names.get(place)
            label = "×" if name is None else self.card_name(name)
            marks.append(
                Mark(place, label, outline, at, theme.SURE if name else theme.OUT, crossed=name is None)
            )
        self._view.show(marks)
        self.foot.add_widget(
            Row(
                self.button("learn.again", self._again),
                self.button("learn.another", self._another),
                self.button("learn.reverse", self._reverse),
                gap=5,
            )
        )
        self.main("learn.right", self._save, disabled=not lesson.names)

    def head_actions(self) -> list[Widget]:
        """Offer a larger photo."""
        return [self.small(self.t("zoom"), self._turn, "zoom")]

    def _turn(self) -> None:
        if self._view is not None:
            self._view.turn()

    def leave(self) -> None:
        """Stop blinking."""
        super().leave()
        if self._view is not None:
            self._view.stop()

    def _tapped(self, key: object) -> None:
        assert isinstance(key, int)  # noqa: S101
        self.app.go(lambda: FacePage(self.app, self._course, key, self._take))

    def _take(self, course: Course) -> None:
        self._course = course
        self.app.back()
        self.app.swap(lambda: FoundPage(self.app, course))

    def _reverse(self) -> None:
        course = self._course.put(self._course.lessons[-1].reversed())
        self.app.swap(lambda: FoundPage(self.app, course))

    def _again(self) -> None:
        course = self._course.drop()
        self.app.swap(lambda: LayOutPage(self.app, course))

    def _another(self) -> None:
        course = self._course
        self.app.swap(lambda: LayOutPage(self.app, course))

    def _save(self) -> None:
        course = self._course
        self.app.swap(lambda: SaveDeckPage(self.app, course))


class FacePage(Page):
    """Which face a card of the photo shows.

    Args:
        app: the app.
        course: with the photo.
        place: of the card.
        done: called with the corrected course.
        follow: whether the cards after it are called anew, in order.
    """

    title: ClassVar[str] = "correct.title"

    def __init__(
        self,
        app: object,
        course: Course,
        place: int,
        done: Callable[[Course], object],
        *,
        follow: bool = False,
    ) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._course = course
        self._place = place
        self._done = done
        self._follow = follow

    def build(self) -> None:
        """Show the card and list the faces."""
        lesson = self._course.lessons[-1]
        current = lesson.names.get(self._place)
        crop = lesson.found.crops[lesson.found.cards[self._place].ends[0]]
        choices = [
            ("follow.no", self.t("learn.only_this"), not self._follow, self._turn(follow=False)),
            ("follow.yes", self.t("learn.follow"), self._follow, self._turn(follow=True)),
        ]
        none = Tap(self.t("learn.no_face"), self._call(None), "plain", "face.none")
        self.add(Row(card_picture(crop), Column(self.chips(choices, columns=1), none)))
        self.add(
            self.chips(
                [
                    (f"face.{face}", self.card_name(face), face == current, self._call(face))
                    for face in self._course.faces
                ],
                columns=5,
            )
        )

    def _turn(self, *, follow: bool) -> Callable[[], None]:
        return lambda: self.app.swap(
            lambda: FacePage(self.app, self._course, self._place, self._done, follow=follow)
        )

    def _call(self, face: str | None) -> Callable[[], None]:
        def do() -> None:
            course, lesson = self._course, self._course.lessons[-1]
            if self._follow:
                lesson = lesson.call_on(self._place, face, course.asked)
            else:
                lesson = lesson.call(self._place, face)
            self._done(course.put(lesson))

        return do


class SaveDeckPage(Page):
    """What is weak about the learned deck, and saving it.

    Args:
        app: the app.
        course: all photos.
    """

    title: ClassVar[str] = "learn.save"

    def __init__(self, app: object, course: Course) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._course = course

    def build(self) -> None:
        """Say what is missing and what looks alike."""
        try:
            deck, warnings = self._course.deck(self.model.reader)
        except ValueError as error:
            text = error.text(self.model.lang) if hasattr(error, "text") else str(error)
            self.add(self.note(text))
            self.main("learn.another", self._another)
            return
        self.add(Text(deck.name, theme.TITLE))
        self.add(self.text("learn.has", faces=len(deck.labels), all=len(self._course.faces)))
        if deck.missing:
            missing = self.t("comma").join(map(self.card_name, deck.missing))
            self.add(self.note(self.t("decks.missing", faces=missing)))
        for warning in warnings:
            self.add(self.note(warning.text(self.model.lang)))
        self.add(Text(PRIVACY[self.model.lang], 17, theme.SOFT))
        if deck.missing:
            self.foot.add_widget(self.button("learn.another", self._another))
        self.main("learn.save_it", lambda: self._save(deck))

    def _another(self) -> None:
        course = self._course
        self.app.swap(lambda: LayOutPage(self.app, course))

    def _save(self, deck: Deck) -> None:
        def saved(_: Path) -> None:
            self.model.set(replace(self.model.settings, deck=deck.name))
            if self.app.page is self:
                self.app.home()
                self.app.go(lambda: DecksPage(self.app))
            self.app.say(self.t("learn.saved", name=deck.name))

        def keep(_: object) -> Path:
            self.model.shelf.set_aside(deck)
            return self.model.shelf.save(deck)

        self.beside(keep, saved)


def deck_title(name: str, lang: str) -> str:
    """Say what a deck is called on the screen.

    Args:
        name: of the deck; those that ship are named by their script and the number of cards.
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

    Returns:
        The script in the language for one that ships, else the name as it was given.
    """
    style, _, _ = name.partition("-")
    known = any(deck.name == name for deck in shipped_decks())
    return words(lang, f"deck.{style}") if known and f"deck.{style}" in WORDS else name


def free_name(name: str, taken: set[str]) -> str:
    """Find a name that no deck has.

    Args:
        name: the wanted one.
        taken: names of decks.

    Returns:
        The name, with a number where it is taken.
    """
    if name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"
