"""The settings: language and script, what is learned and sent, backup and restore."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from mobile_app import keeping
from mobile_app.settings import Settings
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.pages.photo import FilesPage
from mobile_app.ui.widgets import Panel, Text

LANGUAGES = (("zh-Hant", "繁體中文"), ("zh-Hans", "简体中文"), ("en", "English"))


class OptionsPage(Page):
    """How the app behaves."""

    title: ClassVar[str] = "options.title"

    def build(self) -> None:
        """Show each setting."""
        settings = self.model.settings
        self.add(self.text("options.language"))
        self.add(
            self.chips(
                [
                    (f"lang.{lang}", name, lang == settings.lang, self._set(lang=lang))
                    for lang, name in LANGUAGES
                ],
                columns=1,
            )
        )
        self._switch("options.teach_deck", "teach_deck", on=settings.teach_deck)
        self._switch("options.slip_photo", "slip_photo", on=settings.slip_photo)
        self.add(
            Panel(
                self.text("options.keep"),
                self.button("options.backup", self._backup),
                self.button("options.restore", self._restore),
            )
        )
        self.add(Text(self.t("options.private"), 17, theme.SOFT))

    def _switch(self, key: str, field: str, *, on: bool) -> None:
        self.add(
            Panel(
                self.text(key),
                self.chips(
                    [
                        (f"{field}.on", self.t("yes"), on, self._set(**{field: True})),
                        (f"{field}.off", self.t("no"), not on, self._set(**{field: False})),
                    ],
                    columns=2,
                ),
            )
        )

    def _set(self, **change: object) -> Callable[[], None]:
        def do() -> None:
            self.model.set(replace(self.model.settings, **change))  # type: ignore[arg-type]
            self.app.refresh()

        return do

    def _backup(self) -> None:
        model = self.model

        def saved(where: str | None) -> None:
            self.app.say(self.t("saved", where=where) if where else self.t("wrong"), wrong=not where)

        def save(data: bytes) -> None:
            self.app.device.save_file(keeping.NAME, "application/zip", data, self.app.later(saved))

        ledger = model.evening.ledger
        self.beside(lambda _: keeping.backup(model.settings, ledger, model.shelf), save)

    def _restore(self) -> None:
        device = self.app.device
        if device.has_picker:
            device.open_file(self.app.later(self._bring_back))
        else:
            self.app.go(lambda: FilesPage(self.app, (".zip",), self._file))

    def _file(self, path: Path) -> None:
        self.app.back()
        try:
            self._bring_back(path.read_bytes())
        except OSError as error:
            self.app.fail(error)

    def _bring_back(self, data: bytes | None) -> None:
        model = self.model
        if data is None:
            return

        def restored(settings: Settings) -> None:
            model.set(settings)
            self.app.refresh()
            self.app.say(self.t("options.restored"))

        ledger = model.evening.ledger
        self.beside(lambda _: keeping.bring_back(data, ledger, model.shelf), restored)
