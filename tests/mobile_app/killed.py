"""Ends the app behind the camera and starts it again; each in a process of its own (`test_unfinished`)."""

# ruff: noqa: I001, T201 - the window comes first; what is printed is read by the test
import os
import sys
from dataclasses import replace
from pathlib import Path

from tests.mobile_app.window import Phone
from mobile_app.desktop import Desktop
from mobile_app.model import ReadPhoto
from mobile_app.settings import Settings
from mobile_app.ui.app import SuanhuApp
from mobile_app.ui.pages.review import ReviewPage
from mobile_app.ui.widgets import Face, Text
from tests.mobile_app import hands
from vision.files import home_folder
from vision.shelf import Shelf


class Camera(Desktop):
    """A machine whose camera app needs all memory: the system ends this app."""

    has_camera = True

    def take_photo(self, done):
        sys.stdout.flush()
        os._exit(9)


def phone(lang, shots=None):
    home = home_folder()
    app = SuanhuApp(Camera(home), hands.reader(), lang)
    if app.model.settings.rule is None:
        Shelf(home / "decks").save(hands.deck())
        app.model.set(replace(Settings().with_rule("jingzhou"), lang=lang))
    return Phone(app, shots and Path(shots))


def behind_the_camera(lang):
    """Correct a hand, and ask for another photo of it."""
    before = phone(lang)
    model = before.app.model
    model.take(ReadPhoto(hands.picture(), hands.reading(), ()))
    model.change(model.draft.call(2, "子"))
    before.app.go(lambda: ReviewPage(before.app))
    before.idle(3)
    before.tap("review.more")
    before.tap("photo.take")


def started_again(lang, shots):
    """Find the hand where it was."""
    after = phone(lang, shots)
    assert after.app.model.draft.card(2).card == "子"
    assert after.app.model.draft.unsure
    said = [each.text for each in after.app.shell.walk() if isinstance(each, Text)]
    print("\n".join(said))
    after.shot("restored")
    after.tap("home.continue")
    assert isinstance(after.app.page, ReviewPage)
    unsure = {f"card.{card.key}" for card in after.app.model.draft.unsure}
    faces = [each for each in after.app.shell.walk() if isinstance(each, Face)]
    assert {each.name for each in faces if each.text.endswith("?")} == unsure
    after.shot("restored-hand")
    print("there")
