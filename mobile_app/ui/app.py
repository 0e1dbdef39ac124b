"""The app: one window, one page at a time, and the way back."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kivy.app import App
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.texture import Texture
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from mobile_app.device import Device
from mobile_app.model import Model
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Panel, Text, reduced, texture_of
from mobile_app.worker import Job
from scorer.lang import LANGS
from vision.read import Picture, Reader

_NOTICE_S = 3.5
_READ_S = 1.0
"""A touch this soon after a fault was said is not yet an answer to it, and leaves the words there."""
_POLL_S = 0.05
_TIDY_S = 4.0
_NEVER = 1_000_000
BACK_KEY = 27

Opener = Callable[[], Page]


class SuanhuApp(App):
    """Counts hands of 花牌.

    Args:
        device: the machine it runs on.
        reader: reads photos; None makes one with the models that ship.
        first_lang: the language of an app that was never started before.
    """

    title = "算胡"

    def __init__(self, device: Device, reader: Reader | None = None, first_lang: str | None = None) -> None:
        super().__init__()
        self.device = device
        self.model = Model(device.data_folder, reader or Reader())
        if first_lang in LANGS and self.model.settings.rule is None and self.model.lang != first_lang:
            self.model.settings = replace(self.model.settings, lang=first_lang)
        self._stack: list[Opener] = []
        self.page: Page | None = None
        self._notice: Widget | None = None
        self._said: tuple[float, bool] = (0.0, False)
        self._faces: tuple[str | None, Mapping[str, Texture]] = (None, {})
        self._faceless = False
        self._jobs: list[tuple[Job[Any], Callable[[Job[Any]], object]]] = []
        self._warm = False
        self._touched: float | None = None
        self._size = Window.size
        self._photo: tuple[Picture, Texture] | None = None

    def build(self) -> Widget:
        """Make the window's content and show the first page."""
        from mobile_app.ui.pages.home import HomePage
        from mobile_app.ui.pages.rule import RulePage

        theme.use_font()
        Window.clearcolor = theme.PAPER
        Window.softinput_mode = "below_target"
        self.shell = FloatLayout()
        Window.bind(on_keyboard=self._key)
        Window.bind(size=self._resized)
        Clock.schedule_interval(self._poll, _POLL_S)
        self.model.restore_hand()
        self.go(lambda: HomePage(self))
        if self.model.settings.rule is None:
            self.go(lambda: RulePage(self))
        # A full round of the garbage collector holds the window up; it waits until nobody touches it.
        gc.set_threshold(700, 10, _NEVER)
        Window.bind(on_touch_down=self._touch)
        Clock.schedule_interval(self._tidy, _TIDY_S)
        # Once the first page stands, the decks are read beside it.
        Clock.schedule_once(lambda _: self.run_job(Job(self.model.load_decks), self._decks_read), 0.2)
        return self.shell

    def _touch(self, *_: object) -> None:
        self._touched = self.now()
        said, wrong = self._said
        if wrong and self._touched - said > _READ_S:
            self._hush(self._notice)

    def _tidy(self, _: float) -> None:
        """Collect garbage once after the last touch, when some seconds have gone by."""
        if self._touched is not None and self.now() - self._touched > _TIDY_S:
            self._touched = None
            gc.collect()

    def on_stop(self) -> None:
        """Let go of the ledger."""
        for job, _ in self._jobs:
            job.cancel()
        Window.unbind(on_keyboard=self._key, size=self._resized, on_touch_down=self._touch)
        self.model.close()

    def on_pause(self) -> bool:
        """Stay alive while the phone shows something else; all is on disk, the hand of now included."""
        self.model.keep_hand()
        return True

    def go(self, opener: Opener) -> None:
        """Show a page; back leads to the one before.

        Args:
            opener: makes the page; called again when it is shown again.
        """
        self._stack.append(opener)
        self._show()

    def back(self) -> bool:
        """Show the page before.

        Returns:
            Whether there was one.
        """
        if len(self._stack) < 2:
            return False
        self._stack.pop()
        self._show()
        return True

    def swap(self, opener: Opener) -> None:
        """Show a page in the place of this one.

        Args:
            opener: makes the page.
        """
        self._stack[-1] = opener
        self._show()

    def home(self) -> None:
        """Show the first page."""
        del self._stack[1:]
        self._show()

    def refresh(self) -> None:
        """Build the page anew, scrolled as it was."""
        scroll = self.page.scroll if self.page is not None else None
        at = scroll.scroll_y if scroll is not None else None
        self._show()
        scroll = self.page.scroll if self.page is not None else None
        if at is not None and scroll is not None:
            Clock.schedule_once(lambda _: scroll.stay(at), 0)

    def refresh_soft(self, then: Callable[[Page], object]) -> None:
        """Build the page anew and go on from there.

        Args:
            then: called with the new page.
        """
        self._show()
        if self.page is not None:
            then(self.page)

    def photo_texture(self, picture: Picture) -> Texture:
        """Put the photo of the hand into a texture, made once.

        Args:
            picture: the photo.

        Returns:
            The texture.
        """
        if self._photo is None or self._photo[0] is not picture:
            self._photo = (picture, texture_of(reduced(picture.pixels)))
        return self._photo[1]

    @property
    def can_go_back(self) -> bool:
        """Whether there is a page before."""
        return len(self._stack) > 1

    def _show(self) -> None:
        if self.page is not None:
            self.page.leave()
        self.shell.clear_widgets()
        self._notice = None
        self.page = self._stack[-1]()
        self.page.show()
        self.shell.add_widget(self.page)

    def _key(self, _window: object, key: int, *_: object) -> bool:
        """Take Android's back key for the way back; at home it leaves the app."""
        return key == BACK_KEY and self.back()

    def _resized(self, *_: object) -> None:
        if Window.size != self._size:
            self._size = Window.size
            Clock.schedule_once(lambda _: self.refresh(), 0)

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Show a short notice: for some seconds, or until it was read where something went wrong.

        Args:
            text: what to say.
            wrong: whether something went wrong; the next touch takes it away, or the next page.
        """
        self._hush(self._notice)
        colour = theme.FAULT if wrong else theme.CHOSEN
        notice = Panel(Text(text, theme.BODY, align="center"), colour=colour, edge=theme.BAND)
        notice.size_hint_x, notice.pos_hint = 0.92, {"center_x": 0.5}
        notice.y = px(96)
        self._notice, self._said = notice, (self.now(), wrong)
        self.shell.add_widget(notice)
        if not wrong:
            Clock.schedule_once(lambda _: self._hush(notice), _NOTICE_S)

    def _hush(self, notice: Widget | None) -> None:
        """Take a notice away, where it is still the one that is shown."""
        if notice is not None and self._notice is notice:
            self.shell.remove_widget(notice)
            self._notice = None

    def fail(self, error: Exception) -> None:
        """Say what went wrong in the chosen language.

        Args:
            error: one with a `text`, or any other.
        """
        self.say(self.fault(error), wrong=True)

    def fault(self, error: Exception) -> str:
        """Put what went wrong into words of the chosen language.

        Args:
            error: one with a `text`, or any other.

        Returns:
            A line.
        """
        from mobile_app.words import words

        text = getattr(error, "text", None)
        if callable(text):
            return str(text(self.model.lang))
        return str(error) if isinstance(error, ValueError) else words(self.model.lang, "wrong")

    def faces(self) -> Mapping[str, Texture]:
        """Give the pictures of the deck's faces as textures, made once for each deck.

        Returns:
            Card to texture; none yet while the decks are being read, and the page is built anew after that.
        """
        if not self.model.decks_read:
            self._faceless = True
            return {}
        deck = self.model.deck()
        name = None if deck is None else f"{deck.name} {len(deck.examples)} {deck.kind}"
        if self._faces[0] != name:
            self._faces = (name, {card: texture_of(crop) for card, crop in self.model.faces().items()})
        return self._faces[1]

    def _decks_read(self, _: Job[None]) -> None:
        if self._faceless:
            self.refresh()

    def run_job(self, job: Job[Any], done: Callable[[Job[Any]], object]) -> None:
        """Start a job; the window stays alive.

        Args:
            job: what to do.
            done: called in the window's thread when it has ended.
        """
        self.watch(job.start(), done)

    def warm_up(self) -> None:
        """Load the models beside the window, once, while the player takes the photo."""
        if not self._warm:
            self._warm = True
            self.run_job(Job(self.model.load_models), lambda _: None)

    def watch(self, job: Job[Any], done: Callable[[Job[Any]], object]) -> None:
        """Wait for a job that was started; the window stays alive.

        Args:
            job: it runs.
            done: called in the window's thread when it has ended.
        """
        self._jobs.append((job, done))

    def _poll(self, _: float) -> None:
        for each in [each for each in self._jobs if each[0].done]:
            self._jobs.remove(each)
            if EventLoop.status != "stopped":
                each[1](each[0])

    def later(self, done: Callable[[Any], object]) -> Callable[[Any], None]:
        """Make a callback that may be called from any thread.

        Args:
            done: called in the window's thread.

        Returns:
            The callback.
        """

        def call(value: Any) -> None:
            Clock.schedule_once(lambda _: done(value), 0)

        return call

    @staticmethod
    def now() -> float:
        """The time of a clock that only goes on, in seconds."""
        return time.monotonic()
