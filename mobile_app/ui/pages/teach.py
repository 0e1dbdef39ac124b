"""Learning to play: what a hand waits for, what to discard, and a short course."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kivy.clock import Clock
from kivy.uix.widget import Widget

from mobile_app.course import CoursePage, course
from mobile_app.hints import loosest, plain_words
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Column, Flow, Panel, Row, Scroll, Text
from mobile_app.words import pick
from scorer.waits import Advice, Discard, Wait

_MOST_DISCARDS = 5


class TeachPage(Page):
    """Ask about a hand in play, or take the course."""

    title: ClassVar[str] = "teach.title"

    def build(self) -> None:
        """Offer photo, keyboard and course."""
        from mobile_app.ui.pages.photo import PhotoPage

        app = self.app
        self.add(self.text("teach.about"))
        self.add(self.button("teach.enter", self._enter))
        self.add(self.button("teach.course", lambda: app.go(lambda: LessonPage(app, 0))))
        self.main("teach.photo", lambda: app.go(lambda: PhotoPage(app, teach=True)))

    def _enter(self) -> None:
        self.model.new_hand()
        self.app.go(lambda: EnterPage(self.app, teach=True))


class EnterPage(Page):
    """A hand entered by tapping faces.

    Args:
        app: the app.
        teach: whether it is a hand in play, for advice.
    """

    title: ClassVar[str] = "enter.title"
    scrolls: ClassVar[bool] = False

    def __init__(self, app: object, *, teach: bool) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._teach = teach

    def build(self) -> None:
        """Show the hand and the keyboard."""
        self._hand = Flow([], gap=3)
        self._count = Text("", 17)
        upper = Scroll(Column(self._hand))
        upper.size_hint_y = 0.42
        self.add(self._count, upper, Scroll(Column(self.keyboard(self._add, width=46))))
        self._next = self.main("enter.done", self._go_on)
        self._show()

    def head_actions(self) -> list[Widget]:
        """Offer one step back."""
        return [self.small(self.t("enter.back"), self._undo, "enter.back", 84)]

    def _show(self) -> None:
        draft = self.model.draft
        self._hand.clear_widgets()
        for card in draft.shown(all_cards=False):
            self._hand.add_widget(self.face(card.card, 30, self._out(card.key), f"card.{card.key}"))
        self._count.say(self.t("enter.count", count=draft.count))
        self._next.disabled = draft.count == 0

    def _add(self, card: str) -> None:
        self.model.change(self.model.draft.add(card))
        self._show()

    def _out(self, key: int) -> Callable[[], None]:
        def do() -> None:
            self.model.change(self.model.draft.leave_out([key]))
            self._show()

        return do

    def _undo(self) -> None:
        self.model.step_back()
        self._show()

    def _go_on(self) -> None:
        app = self.app
        if self._teach:
            app.go(lambda: AdvicePage(app))
            return
        from mobile_app.ui.pages.lay import LaidPage

        app.go(lambda: LaidPage(app))


class AdvicePage(Page):
    """What the hand waits for, or what to discard."""

    title: ClassVar[str] = "advice.title"

    def build(self) -> None:
        """Ask the scorer, by how many cards the hand has."""
        over = self.model.over()
        if over == 0:
            self.think(self.model.waiting(), self._waits, "advice.looking")
        elif over == 1:
            self.think(self.model.advising(), self._advice, "advice.looking")
        else:
            key = "advice.too_few" if over < 0 else "advice.too_many"
            self._cards()
            self.add(self.note(self.t(key, count=abs(over), need=self._needed())))
            self._offer_again()

    def refused(self, error: ValueError) -> None:
        """Say why nothing can be said about the hand."""
        self._cards()
        super().refused(error)
        self._offer_again()

    def _cards(self) -> None:
        draft = self.model.draft
        on_table = [key for group in draft.laid for key in group.keys]
        shown = draft.shown(all_cards=False)
        self.add(self.faces([card.card for card in shown if card.key not in on_table], 32))
        if on_table:
            laid = [draft.card(key).card for key in on_table]
            self.add(self.text("advice.on_table"), self.faces(laid, 32))

    def _offer_again(self) -> None:
        from mobile_app.ui.pages.lay import LaidPage

        self.add(self.button("advice.table", lambda: self.app.go(lambda: LaidPage(self.app, teach=True))))
        self.main("advice.again", self._again)

    def _waits(self, waits: tuple[Wait, ...]) -> None:
        self._cards()
        self.add(self.text("advice.waits" if waits else "advice.no_waits", theme.TITLE))
        for wait in waits:
            self.add(self._wait(wait))
        self._offer_again()

    def _advice(self, advice: Advice) -> None:
        self._cards()
        for line in plain_words(self.model.book, advice, self.model.lang):
            self.add(self.note(line))
        for discard in advice.advise[:_MOST_DISCARDS]:
            if discard.waits:
                self.add(self._discard(discard))
        if not any(discard.waits for discard in advice.advise):
            self._loosest()
        self._offer_again()

    def _loosest(self) -> None:
        """Far from waiting: name the cards that go with nothing."""
        loose = loosest(self.model.book, self.model.draft.hand())[:_MOST_DISCARDS]
        if loose:
            self.add(self.text("advice.loosest", theme.TITLE))
        for each in loose:
            key = "advice.alone" if not each.helps else "advice.loose"
            self.add(Panel(Row(self._fixed(each.card), self.text(key, count=each.helps))))

    def _needed(self) -> int:
        return self.model.draft.count - self.model.over()

    def _wait(self, wait: Wait) -> Panel:
        book = self.model.book
        unit = pick(self.model.lang, book.text("unit"), self.t("points"))
        key = "advice.wait" if wait.wins else "advice.wait_short"
        lines: list[Widget] = [
            Text(self.t(key, points=wait.points, unit=unit), theme.TITLE),
            Text(self.t("advice.left", left=wait.left), theme.BODY, theme.SOFT),
        ]
        if wait.form:
            lines.append(Text(self.t("advice.form", form=pick(self.model.lang, wait.form, wait.form)), 17))
        return Panel(Row(self._fixed(wait.card), Column(*lines, gap=2)))

    def _fixed(self, card: str) -> Widget:
        return self.face(card, 46)

    def _discard(self, discard: Discard) -> Panel:
        waits = [wait for wait in discard.waits if wait.wins] or list(discard.waits)
        return Panel(
            Row(
                self._fixed(discard.discard),
                Column(
                    Text(self.t("advice.discard", card=self.card_name(discard.discard)), theme.TITLE),
                    Text(self.t("advice.then", left=discard.left), theme.BODY, theme.SOFT),
                ),
            ),
            Flow([self._counting(wait) for wait in waits], gap=4),
        )

    def _counting(self, wait: Wait) -> Column:
        """Show a card with what the hand would count with it."""
        column = Column(gap=1, size_hint_x=None, width=px(44))
        column.add_widget(self.face(wait.card, 40))
        column.add_widget(Text(str(wait.points), 17, theme.BAND if wait.wins else theme.SOFT, "center"))
        return column

    def _again(self) -> None:
        self.model.new_hand()
        self.app.home()
        self.app.go(lambda: TeachPage(self.app))


class LessonPage(Page):
    """One page of the course.

    Args:
        app: the app.
        place: of the page.
        answer: the card that was tapped in its quiz.
        pages: the course, where it was written already.
    """

    title: ClassVar[str] = "lesson.title"

    def __init__(
        self, app: object, place: int, answer: str | None = None, pages: tuple[CoursePage, ...] = ()
    ) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._place = place
        self._answer = answer
        self._pages = pages

    def heading(self) -> str:
        """Say which page it is."""
        if not self._pages:
            return super().heading()
        return f"{self._pages[self._place].title}　{self._place + 1}/{len(self._pages)}"

    def build(self) -> None:
        """Show text, cards and quiz, once the scorer has counted the examples."""
        if not self._pages:
            book, lang = self.model.book, self.model.lang
            self.think(lambda _: course(book, lang), self._written, "advice.looking")
            return
        page = self._pages[self._place]
        self.add(Text(page.text))
        wide = 32 if page.quiz else 40 if len(page.groups) == 1 and len(page.groups[0].cards) > 10 else 46
        for group in page.groups:
            faces = self.faces(list(group.cards), wide)
            self.add(faces if not group.caption else Panel(faces, Text(group.caption, 17, theme.SOFT)))
        self._quiz(page)
        last = self._place + 1 == len(self._pages)
        self.main("lesson.end" if last else "lesson.next", self._next)

    def _quiz(self, page: CoursePage) -> None:
        quiz = page.quiz
        if quiz is None:
            return
        faces = [
            self.face(
                card,
                64,
                self._try(card),
                f"quiz.{card}",
                "chosen" if card == self._answer else "plain",
            )
            for card in quiz.answers
        ]
        self.add(Flow(faces, gap=8, padding=(px(4), px(4))))
        if self._answer is not None:
            right = self._answer in quiz.right
            self.add(self.note(self.t("lesson.right" if right else "lesson.wrong") + quiz.explained))

    def _try(self, card: str) -> Callable[[], None]:
        return lambda: self.app.swap(lambda: LessonPage(self.app, self._place, card, self._pages))

    def _written(self, pages: tuple[CoursePage, ...]) -> None:
        # The heading names the page, so the page is built anew, but not before this one stands.
        Clock.schedule_once(
            lambda _: self.app.swap(lambda: LessonPage(self.app, self._place, pages=pages)), 0
        )

    def _next(self) -> None:
        if self._place + 1 == len(self._pages):
            self.app.back()
        else:
            self.app.swap(lambda: LessonPage(self.app, self._place + 1, pages=self._pages))
