"""What the hand counts, why, and who pays what."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import ClassVar

from kivy.uix.widget import Widget

from mobile_app.model import Counted
from mobile_app.result import Payment, headline, pays, spoken, why_not
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Column, Flow, Panel, Row, Tap, Text, card_picture, place_picture
from mobile_app.words import capital
from scorer.explain import Group
from table.ledger import LedgerError
from table.round import Round
from table.settle import Answer, Question
from table.teach import Taught

SLIP = "suanhu-slip.png"
_MOST_ANSWERS = 4


class ResultPage(Page):
    """The result; confirming it writes it into the ledger."""

    title: ClassVar[str] = "result.title"

    def build(self) -> None:
        """Show points, payments, and every group with its reason, once they are counted."""
        if self.model.counted is not None:
            self._show(self.model.counted)
        else:
            self.think(self.model.counting(), self._take, "result.counting")

    def refused(self, error: ValueError) -> None:
        """Say why the hand cannot be counted, and lead back to the cards."""
        super().refused(error)
        self.main("result.correct", self._correct)

    def _take(self, counted: Counted) -> None:
        self.model.counted = counted
        self._show(counted)

    def _show(self, counted: Counted) -> None:
        played = counted.round
        # What is not settled is said before any number.
        self._questions(played)
        self._head_line(played)
        self._payments(played)
        self._groups(played)
        self._more(counted)
        device = self.app.device
        self.add(self.button("result.argue", self._argue))
        buttons: list[Widget] = [self.button("result.share", lambda: self._share(played))]
        if device.can_speak:
            buttons.append(self.button("result.speak", lambda: self._speak(played)))
        self.add(Row(*buttons))
        if self.model.picture is not None:
            self._photo_choice()
        if played.score.wins and played.settlement.settled:
            self.main("result.confirm", self._confirm)
        elif played.score.wins:
            self.main("result.confirm_unsettled", self._confirm)
        else:
            self.main("result.correct", self._correct)

    def _argue(self) -> None:
        from mobile_app.ui.pages.argue import ClaimPage

        self.app.go(lambda: ClaimPage(self.app))

    def _head_line(self, played: Round) -> None:
        points, steps = headline(played.score, self.model.lang)
        colour = theme.BAND if played.score.wins else theme.SOFT
        self.add(Text(points, theme.HUGE if len(points) < 8 else 44, colour, "center"))
        if steps:
            self.add(Text(steps, 32, theme.INK, "center"))
        if not played.score.wins:
            self.add(self.note(why_not(played.score)))
            self._false_claim(played)
        for warning in played.score.warnings:
            self.add(self.note(capital(warning.text)))

    def _false_claim(self, played: Round) -> None:
        """Say what it costs at this table to declare such a hand."""
        payments = played.penalty.payments
        if not payments or not played.settlement.settled:
            return
        seats = self.model.seats()[0]
        others = self.t("comma").join(seats[to] for _, _, to in payments)
        declared, amount, _ = payments[0]
        self.add(
            self.note(self.t("result.false_claim", name=seats[declared], others=others, amount=amount)),
            self.button("result.book_claim", self._book_claim),
        )

    def _book_claim(self) -> None:
        try:
            self.model.confirm_false_claim(self.t("result.claim_note"))
        except (LedgerError, OSError) as error:
            self.app.fail(error)
            return
        self._written_down()

    def _questions(self, played: Round) -> None:
        if played.settlement.settled:
            return
        missing = played.settlement.missing
        if missing:
            key = "result.too_few" if missing > 0 else "result.too_many"
            self.add(self.note(self.t(key, count=abs(missing))))
        else:
            key = "result.unsettled" if played.settlement.questions else "result.unsettled_all"
            self.add(self.note(self.t(key)))
        for question in played.settlement.questions[:1]:
            taps = [
                self._answer(question.index, question.doubt, answer)
                for answer in question.answers[:_MOST_ANSWERS]
            ]
            key = "result.which" if question.index is not None else "result.which_doubt"
            picture = self._asked_about(question)
            text = self.text(key)
            other = self.button("result.other", self._other(question), "quiet")
            self.add(Panel(text if picture is None else Row(picture, text), Flow(taps, gap=6), other))

    def _other(self, question: Question) -> Callable[[], None]:
        """Lead to every face of the deck, for an answer that is not offered."""
        from mobile_app.ui.pages.review import CorrectPage

        app, draft = self.app, self.model.draft
        key = None if question.index is None else draft.key_of(question.index)
        doubt = None if question.doubt is None else draft.doubt_of(question.doubt)
        return lambda: app.go(lambda: CorrectPage(app, key, doubt))

    def _asked_about(self, question: Question) -> Widget | None:
        """Show the card, or the place, as the photo has it."""
        draft, picture = self.model.draft, self.model.picture
        if question.index is not None:
            key = draft.key_of(question.index)
            crop = draft.reading.cards[key].crop if key >= 0 else None
            return None if crop is None else card_picture(crop)
        if question.doubt is None or picture is None:
            return None
        doubt = draft.reading.doubts[draft.doubt_of(question.doubt)]
        return place_picture(picture.pixels, doubt.mark)

    def _answer(self, index: int | None, doubt: int | None, answer: Answer) -> Widget:
        model, draft = self.model, self.model.draft

        def do() -> None:
            if index is not None:
                key = draft.key_of(index)
                model.change(draft.leave_out([key]) if answer.card is None else draft.call(key, answer.card))
            elif doubt is not None:
                place = draft.doubt_of(doubt)
                model.change(
                    draft.clear(place) if answer.card is None else draft.add(answer.card, doubt=place)
                )
            self.app.refresh()

        outcome = answer.outcome
        comes_to = str(outcome.points) if outcome.wins else self.t("result.no_win_short")
        name = f"answer.{answer.card or 'none'}"
        if answer.card is None:
            tap = Tap(self.t("correct.no_card"), do, "plain", name, 17)
            tap.size_hint_x, tap.width = None, px(110)
            return tap
        column = Column(gap=2, size_hint_x=None, width=px(70))
        column.add_widget(self.face(answer.card, 62, do, name))
        column.add_widget(Text(f"→ {comes_to}", theme.SMALL, align="center"))
        return column

    def _payments(self, played: Round) -> None:
        payments = pays(played.score, self.model.seats()[0])
        if not payments:
            return
        self.add(Panel(*(self._payment(payment) for payment in payments), colour=theme.WHITE))

    def _payment(self, payment: Payment) -> Row:
        who = Text(self.t("result.pays", payer=payment.payer, payee=payment.payee), theme.BODY)
        amount = Text(str(payment.amount), 34, theme.BAND, "right", size_hint_x=0.4)
        return Row(who, amount)

    def _groups(self, played: Round) -> None:
        for number, group in enumerate(played.score.groups):
            on_table = self.t("result.on_table") if group.exposed else ""
            head = Row(
                Text(f"{number + 1}. {group.name}{on_table}", theme.BODY),
                Text(str(group.points), 28, theme.BAND, "right", size_hint_x=0.3),
            )
            faces = self.faces(list(group.cards), 40)
            self.add(Panel(head, faces, Text(self._why(group), 17, theme.SOFT), gap=3))

    def _why(self, group: Group) -> str:
        return group.why if group.basis == "seed" else group.why + self.t(f"basis.{group.basis}")

    def _more(self, counted: Counted) -> None:
        main_jing = counted.round.score.main_jing
        if main_jing:
            self.add(Text(self.t("result.main_jing", card=self.card_name(main_jing))))
        if counted.second:
            self.add(Text(counted.second, 17, theme.SOFT))

    def _photo_choice(self) -> None:
        from dataclasses import replace

        model = self.model

        def turn() -> None:
            model.set(replace(model.settings, slip_photo=not model.settings.slip_photo))
            self.app.refresh()

        on = model.settings.slip_photo
        self.add(self.button("slip.with_photo" if on else "slip.without_photo", turn, "quiet", "slip.photo"))

    def _share(self, played: Round) -> None:
        from mobile_app.ui.slip import measure, paint
        from table.slip import lay_out
        from table.slip_content import content_of_round
        from vision.png import write_png

        model, device = self.model, self.app.device
        with_photo = model.settings.slip_photo and model.picture is not None
        today = dt.date.today()  # noqa: DTZ011 - the players' own day
        content = content_of_round(
            played, model.settings.rule or "", today, seats=model.seats()[0], with_photo=with_photo
        )
        pixels = paint(lay_out(content, measure), model.picture if with_photo else None)

        def send(data: bytes) -> None:
            if not device.can_share:
                device.save_file(SLIP, "image/png", data, self.app.later(self._saved))
                return
            path = device.data_folder / "shared" / SLIP
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            except OSError as error:
                self.app.fail(error)
                return
            device.share(path, "image/png")

        self.beside(lambda _: write_png(pixels), send)

    def _saved(self, where: str | None) -> None:
        if where is None:
            self.app.say(self.t("wrong"), wrong=True)
        else:
            self.app.say(self.t("saved", where=where))

    def _speak(self, played: Round) -> None:
        self.app.device.speak(spoken(played.score, self.model.seats()[0], self.model.lang), self.model.lang)

    def _confirm(self) -> None:
        lesson = self.model.lesson()
        try:
            self.model.confirm()
        except (LedgerError, OSError) as error:
            self.app.fail(error)
            return
        if lesson is not None:
            self.beside(lesson, self._taught)
        self._written_down()

    def _taught(self, taught: Taught | None) -> None:
        """Say what the deck did not learn, since it looks like another card."""
        if taught is not None and taught.refused:
            self.app.say("\n".join(each.text(self.model.lang) for each in taught.refused), wrong=True)

    def _written_down(self) -> None:
        from mobile_app.ui.pages.ledger import LedgerPage

        self.app.home()
        self.app.go(lambda: LedgerPage(self.app))
        self.app.say(self.t("ledger.written"))

    def _correct(self) -> None:
        from mobile_app.ui.pages.review import ReviewPage

        self.app.home()
        self.app.go(lambda: ReviewPage(self.app))
