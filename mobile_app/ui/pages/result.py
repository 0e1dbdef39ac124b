"""What the hand counts, why, and who pays what."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from kivy.uix.widget import Widget

from mobile_app.result import Payment, headline, next_best_text, pays, spoken, why_not
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Column, Flow, Panel, Row, Tap, Text
from scorer.explain import Group
from table.ledger import LedgerError
from table.round import Round
from table.settle import Answer

SLIP = "suanhu-slip.png"
_MOST_ANSWERS = 4


class ResultPage(Page):
    """The result; confirming it writes it into the ledger."""

    title: ClassVar[str] = "result.title"

    def build(self) -> None:
        """Show points, payments, and every group with its reason."""
        try:
            played = self.model.count()
        except ValueError as error:
            text = error.text(self.model.lang) if hasattr(error, "text") else str(error)
            self.add(self.note(text))
            self.main("result.correct", self._correct)
            return
        self._head_line(played)
        self._questions(played)
        self._payments(played)
        self._groups(played)
        self._more(played)
        device = self.app.device
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

    def _head_line(self, played: Round) -> None:
        points, steps = headline(played.score, self.model.lang)
        colour = theme.BAND if played.score.wins else theme.SOFT
        self.add(Text(points, theme.HUGE if len(points) < 8 else 44, colour, "center"))
        if steps:
            self.add(Text(steps, 32, theme.INK, "center"))
        if not played.score.wins:
            for line in why_not(played.score, self.model.lang):
                self.add(self.note(line))
        for warning in played.score.warnings:
            self.add(self.note(warning.text))

    def _questions(self, played: Round) -> None:
        if played.settlement.settled:
            return
        self.add(self.note(self.t("result.unsettled")))
        for question in played.settlement.questions[:1]:
            taps = [
                self._answer(question.index, question.doubt, answer)
                for answer in question.answers[:_MOST_ANSWERS]
            ]
            key = "result.which" if question.index is not None else "result.which_doubt"
            self.add(Panel(self.text(key), Flow(taps, gap=6)))

    def _answer(self, index: int | None, doubt: int | None, answer: Answer) -> Widget:
        model, draft = self.model, self.model.draft

        def do() -> None:
            if index is not None:
                key = draft.key_of(index)
                model.change(
                    draft.leave_out([key]) if answer.card is None else draft.call(key, answer.card)
                )
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

    def _more(self, played: Round) -> None:
        if played.score.main_jing:
            self.add(Text(self.t("result.main_jing", card=self.card_name(played.score.main_jing))))
        other = next_best_text(played.score, self.model.lang)
        if other:
            self.add(Text(other, 17, theme.SOFT))

    def _photo_choice(self) -> None:
        from dataclasses import replace

        model = self.model

        def turn() -> None:
            model.set(replace(model.settings, slip_photo=not model.settings.slip_photo))
            self.app.refresh()

        on = model.settings.slip_photo
        self.add(self.button("slip.with_photo" if on else "slip.without_photo", turn, "quiet", "slip.photo"))

    def _share(self, played: Round) -> None:
        from mobile_app.ui.slip import slip_png
        from table.slip_content import content_of_round

        model, device = self.model, self.app.device
        with_photo = model.settings.slip_photo and model.picture is not None
        today = dt.date.today()  # noqa: DTZ011 - the players' own day
        content = content_of_round(
            played, model.settings.rule or "", today, seats=model.seats()[0], with_photo=with_photo
        )
        try:
            data = slip_png(content, model.picture if with_photo else None)
        except OSError as error:
            self.app.fail(error)
            return
        if device.can_share:
            path = device.data_folder / "shared" / SLIP
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            device.share(path, "image/png")
            return
        device.save_file(SLIP, "image/png", data, self.app.later(self._saved))

    def _saved(self, where: str | None) -> None:
        if where is None:
            self.app.say(self.t("wrong"), wrong=True)
        else:
            self.app.say(self.t("saved", where=where))

    def _speak(self, played: Round) -> None:
        self.app.device.speak(spoken(played.score, self.model.seats()[0], self.model.lang), self.model.lang)

    def _confirm(self) -> None:
        from mobile_app.ui.pages.ledger import LedgerPage

        try:
            self.model.confirm()
        except (LedgerError, OSError) as error:
            self.app.fail(error)
            return
        self.app.home()
        self.app.go(lambda: LedgerPage(self.app))
        self.app.say(self.t("ledger.written"))

    def _correct(self) -> None:
        from mobile_app.ui.pages.review import ReviewPage

        self.app.home()
        self.app.go(lambda: ReviewPage(self.app))
