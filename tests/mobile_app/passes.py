"""Whole passes through the app by touches; each runs in a process of its own (`test_window`)."""

# ruff: noqa: I001, T201 - the window comes first; what is printed is read by the test
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np

import scorer
from tests import PATIENCE_S
from tests.mobile_app.window import Phone
from mobile_app.desktop import Desktop
from mobile_app.ui.app import SuanhuApp
from mobile_app.course import example, waiting
from mobile_app.draft import from_cards
from mobile_app.ui.pages.lay import WhoPage
from mobile_app.ui.pages.photo import FilesPage, PhotoPage, PoorPhotoPage, ReadingPage
from mobile_app.ui.pages.result import ResultPage
from mobile_app.ui.pages.review import ReviewPage
from mobile_app.ui.pages.rule import TablePage
from mobile_app.ui.pages.teach import AdvicePage
from mobile_app.ui.widgets import find
from tests.mobile_app import hands
from vision.files import home_folder
from vision.png import write_png
from vision.shelf import Shelf


def app_with(lang, reader=None):
    home = home_folder()
    Shelf(home / "decks").save(hands.deck())
    photos = home / "photos"
    photos.mkdir(parents=True)
    (photos / "hand.png").write_bytes(write_png(hands.photo()))
    from mobile_app.ui.pages import photo

    photo.start_folder = lambda: photos
    return SuanhuApp(Desktop(home), reader or hands.reader(), lang)


def read_photo(phone):
    phone.tap("home.photo")
    phone.shot("photo")
    phone.tap("photo.choose")
    phone.until(lambda: isinstance(phone.app.page, FilesPage))
    phone.shot("files")
    phone.tap("file.hand.png")
    phone.until(lambda: isinstance(phone.app.page, ReviewPage))


def whole(lang, shots):
    """From the first start to a settled evening."""
    phone = Phone(app_with(lang), Path(shots))
    app = phone.app
    phone.shot("first-start")
    phone.tap("rule.jingzhou")
    phone.shot("table")
    phone.tap("stake.5")
    phone.tap("name.1")
    phone.shot("names")
    phone.tap("surname." + {"zh-Hant": "陳", "zh-Hans": "陈", "en": "陳"}[lang])
    phone.shot("names-of-a-surname")
    phone.tap("call." + {"zh-Hant": "老陳", "zh-Hans": "老陈", "en": "Old 陳"}[lang])
    phone.tap("table.done")
    phone.shot("home")
    read_photo(phone)
    phone.shot("review")
    draft = app.model.draft
    assert draft.count == 26
    unsure = draft.unsure
    assert unsure
    phone.tap_card(unsure[0].key)
    phone.shot("correct")
    phone.tap(f"likely.{unsure[0].card}")
    assert len(app.model.draft.unsure) == len(unsure) - 1
    phone.tap_card(2)
    phone.tap("key.子")
    assert app.model.draft.card(2).card == "子"
    phone.tap("review.undo")
    assert app.model.draft.card(2).card == "人"
    phone.tap("review.out")
    phone.tap_card(18)
    assert app.model.draft.count == 25
    phone.tap_card(18)
    assert app.model.draft.count == 26
    phone.tap("review.heap")
    phone.tap_card(22)
    assert app.model.draft.left_out == {22, 23, 24}
    phone.shot("heap-left-out")
    phone.tap_card(22)
    assert not app.model.draft.left_out
    phone.frame([19, 20, 21])
    assert {19, 20, 21} <= app.model.draft.left_out
    phone.shot("left-out")
    app.model.step_back()
    app.refresh()
    phone.idle()
    phone.tap("review.add")
    phone.tap("key.土")
    assert app.model.draft.count == 27
    phone.shot("added")
    phone.tap("review.undo")
    called = app.model.draft
    for card in called.unsure:
        called = called.call(card.key, card.card)
    app.model.change(called)
    app.refresh()
    phone.shot("all-sure")
    app.model.step_back()
    app.refresh()
    phone.tap("zoom")
    phone.shot("zoomed")
    phone.tap("review.next")
    phone.shot("laid-guess")
    phone.tap_card(19)
    phone.tap_card(20)
    phone.tap_card(21)
    phone.tap("laid.group")
    assert len(app.model.draft.laid) == 1
    phone.shot("laid-one")
    phone.tap("laid.back.0")
    assert app.model.draft.laid == ()
    phone.frame([19, 20, 21, 22, 23, 24])
    assert {group.keys for group in app.model.draft.laid} == {(19, 20, 21), (22, 23, 24)}
    phone.tap("laid.next")
    phone.tap_card(25)
    assert app.model.draft.win == 25
    phone.shot("win")
    phone.tap("win.next")
    phone.tap("winner.1")
    phone.tap("from.2")
    phone.shot("who")
    phone.tap("who.count")
    phone.until(lambda: app.model.counted)
    phone.shot("result-unsettled")
    while not app.model.count().settlement.settled:
        question = app.model.count().settlement.questions[0]
        phone.tap(f"answer.{question.answers[0].card}")
        phone.until(lambda: app.model.counted)
    phone.shot("result")
    assert app.model.count().score.points == 18
    for place in (0.6, 0.3, 0.0):
        app.page.scroll.scroll_y = place
        phone.shot("result-lower")
    argue(phone)
    phone.tap("result.share")
    slip = home_folder() / "saved" / "suanhu-slip.png"
    phone.until(lambda: slip.exists() and slip.stat().st_size > 10_000)
    phone.tap("result.confirm")
    phone.shot("ledger")
    table = app.model.evening.table(app.model.settings)
    assert sorted(table.totals().values()) == [-10, 0, 10]
    phone.tap("ledger.settle")
    phone.shot("settle")
    phone.tap("settle.done")
    assert set(app.model.evening.table(app.model.settings).totals().values()) == {0}
    phone.tap("ledger.undo")
    assert sorted(app.model.evening.table(app.model.settings).totals().values()) == [-10, 0, 10]
    phone.tap("ledger.drawn")
    phone.shot("ledger-of-three")
    phone.tap("ledger.csv")
    saved = home_folder() / "saved" / "suanhu-ledger.csv"
    phone.until(saved.exists)
    # Times are those of the players' own clock.
    assert "UTC+08:00" in saved.read_text("utf-8-sig")
    phone.tap("back")
    phone.shot("home-with-totals")
    phone.close()
    print("confirmed", len(phone.taken), "screens")


def argue(phone):
    """Somebody counts 20, somebody 18 as the app does, somebody a number that nothing explains."""
    for claim in ("20", "18", "999"):
        phone.tap("result.argue")
        for digit in (*"7", "←", *claim):
            phone.tap(f"digit.{digit}")
        phone.shot("claim")
        phone.tap("argue.compare")
        phone.until(lambda: phone.has("argue.back"))
        phone.shot(f"argument-{claim}")
        phone.tap("argue.back")
        phone.until(lambda: phone.has("result.argue"))


def more(lang, shots):
    """Learning, decks, settings, backup."""
    phone = Phone(app_with(lang), Path(shots))
    app = phone.app
    phone.tap("rule.jingzhou")
    phone.tap("option.main_jing.best")
    phone.shot("options")
    assert dict(app.model.settings.options) == {"main_jing": "best"}
    phone.tap("table.done")
    phone.tap("home.teach")
    phone.shot("teach")
    phone.tap("teach.course")
    for _ in range(6):
        phone.until(lambda: phone.has("lesson.next"))
        phone.shot("lesson")
        phone.tap("lesson.next")
    quiz = app.page._pages[-1].quiz
    phone.tap(f"quiz.{quiz.answers[0]}")
    phone.shot("quiz-wrong")
    phone.tap(f"quiz.{quiz.answers[1]}")
    phone.shot("quiz-right")
    phone.tap("lesson.end")
    phone.tap("teach.enter")
    for card in waiting(app.model.book).free:
        phone.tap(f"key.{card}")
    assert app.model.draft.count == 25
    phone.shot("entered")
    phone.tap("enter.done")
    phone.until(lambda: phone.has("advice.again"))
    phone.shot("waits")
    phone.tap("back")
    phone.tap("key.土")
    phone.tap("enter.done")
    phone.until(lambda: phone.has("advice.again"))
    phone.shot("advice")
    phone.tap("advice.table")
    keys = [card.key for card in app.model.draft.shown() if card.card == "五"]
    for key in keys:
        phone.tap(f"card.{key}")
    phone.shot("teach-laid")
    phone.tap("laid.group")
    phone.tap("laid.next")
    phone.until(lambda: phone.has("advice.again"))
    phone.shot("advice-with-table")
    assert len(app.model.draft.laid) == 1
    far = "上上大可知孔孔化千七七土土八子子二二四四五六六九三乙"
    app.model.change(from_cards(scorer.parse_hand(far).free))
    app.go(lambda: AdvicePage(app))
    phone.until(lambda: phone.has("advice.again"))
    phone.shot("advice-far-from-waiting")
    phone.tap("advice.again")
    phone.tap("back")
    phone.tap("home.decks")
    phone.shot("decks")
    phone.tap("show.made-up")
    phone.shot("deck")
    phone.tap("decks.export")
    phone.until((home_folder() / "saved" / "made-up.deck").exists)
    phone.tap("decks.delete")
    phone.shot("sure")
    phone.tap("sure.no")
    phone.tap("back")
    phone.tap("decks.learn")
    phone.shot("kind")
    phone.tap("kind.110")
    phone.shot("deck-name")
    names = [each.name for each in app.shell.walk() if getattr(each, "name", "").startswith("deckname.")]
    phone.tap(names[0])
    phone.shot("lay-out")
    phone.tap("photo.choose")
    phone.tap("file.hand.png")
    from mobile_app.ui.pages.decks import FoundPage

    phone.until(lambda: isinstance(app.page, FoundPage))
    phone.shot("found")
    view = app.page._view
    phone.touch(*view.to_window(*view.marks[0]))
    phone.shot("face")
    phone.tap("face.子")
    phone.shot("found-corrected")
    before = dict(app.page._course.lessons[-1].names)
    phone.touch(*app.page._view.to_window(*app.page._view.marks[1]))
    phone.tap("follow.yes")
    phone.tap("face.none")
    after = app.page._course.lessons[-1].names
    assert 1 not in after
    assert after[2] == before[1]
    phone.tap("learn.reverse")
    assert app.page._course.lessons[-1].names[0] == after[max(after)]
    phone.shot("found-reversed")
    phone.tap("learn.right")
    phone.shot("save-deck")
    phone.tap("learn.save_it")
    phone.until(lambda: phone.has("decks.learn"))
    phone.shot("decks-with-own")
    assert len(Shelf(home_folder() / "decks").own()) == 2
    phone.tap("back")
    phone.tap("home.settings")
    phone.shot("settings")
    phone.tap("options.backup")
    phone.until((home_folder() / "saved" / "suanhu-backup.zip").exists)
    phone.tap("lang.zh-Hant")
    assert app.model.lang == "zh-Hant"
    phone.shot("settings-traditional")
    phone.close()


def poor(lang, shots):
    """A photo that is too dark is not read before the player says so; another is offered first."""
    phone = Phone(app_with(lang), Path(shots))
    app = phone.app
    dark = (hands.photo() * 0.15).astype(np.uint8)
    (home_folder() / "photos" / "dark.png").write_bytes(write_png(dark))
    phone.tap("rule.jingzhou")
    phone.tap("table.done")
    phone.tap("home.photo")
    phone.tap("photo.choose")
    phone.tap("file.dark.png")
    phone.until(lambda: isinstance(app.page, PoorPhotoPage))
    phone.shot("poor")
    phone.tap("poor.again")
    assert isinstance(app.page, PhotoPage)
    phone.tap("photo.choose")
    phone.tap("file.dark.png")
    phone.tap("poor.anyway")
    phone.until(lambda: isinstance(app.page, ReviewPage))
    phone.shot("read-anyway")
    phone.tap("back")
    phone.tap("home.decks")
    phone.tap("decks.learn")
    phone.tap("kind.110")
    phone.tap(
        next(each.name for each in app.shell.walk() if getattr(each, "name", "").startswith("deckname"))
    )
    phone.tap("photo.choose")
    phone.tap("file.dark.png")
    phone.until(lambda: isinstance(app.page, PoorPhotoPage))
    phone.tap("poor.anyway")
    phone.until(lambda: phone.has("learn.right"))
    another_kind(phone)
    phone.close()
    print("said")


def another_kind(phone):
    """A photo of a deck that the rule is not played with: the page of photos says so, and what to do."""
    app = phone.app
    app.home()
    app.model.set(app.model.settings.with_rule("shangdaren"))
    phone.tap("home.photo")
    phone.tap("photo.choose")
    phone.tap("file.hand.png")
    phone.until(lambda: isinstance(app.page, PhotoPage) and app.page._fault)
    assert "110" in app.page._fault
    phone.shot("another-kind")


def rules(lang, shots):
    """The pages of every rule book: its table, who won, a hand that wins and one that does not."""
    phone = Phone(app_with(lang), Path(shots))
    app, model = phone.app, phone.app.model
    for rule in scorer.RULES:
        model.set(replace(model.settings.with_rule(rule), stake=5))
        app.home()
        phone.shot(f"{rule}-home")
        app.go(lambda: TablePage(app))
        scrolled(phone, f"{rule}-table")
        finished = example(model.book).free
        model.new_hand()
        model.change(from_cards(finished))
        app.go(lambda: WhoPage(app))
        phone.shot(f"{rule}-who")
        phone.tap("who.count")
        phone.until(lambda: phone.has("result.confirm"))
        scrolled(phone, f"{rule}-wins")
        model.change(model.draft.leave_out([model.draft.shown()[0].key]))
        app.go(lambda: ResultPage(app))
        phone.until(lambda: phone.has("result.correct"))
        phone.shot(f"{rule}-too-few-cards")
        model.change(model.draft.add("千" if rule != "shangdaren" else "爾"))
        app.go(lambda: ResultPage(app))
        phone.until(lambda: phone.has("result.correct"))
        phone.shot(f"{rule}-no-split")
    phone.close()
    print("fits", len(phone.taken))


def scrolled(phone, name):
    """Look at a page from its top to its end."""
    phone.shot(name)
    for place in (0.66, 0.33, 0.0):
        phone.app.page.scroll.scroll_y = place
        phone.shot(f"{name}-lower")


def told():
    """What went wrong stays until it was read; a page does not wait for the decks to be read."""
    app = app_with("zh-Hant")
    go_on, decks = threading.Event(), app.model.shelf.decks
    app.model.shelf.decks = lambda *kind: go_on.wait(PATIENCE_S) and decks(*kind)
    phone = Phone(app)
    phone.tap("rule.jingzhou")
    phone.tap("table.done")
    phone.tap("home.teach")
    phone.tap("teach.enter")
    plain = find(app.shell, "key.土")
    assert plain._picture is None
    phone.tap("key.土")
    go_on.set()
    phone.until(lambda: find(app.shell, "key.土") is not plain)
    assert find(app.shell, "key.土")._picture is not None
    assert app.model.draft.count == 1

    now = [0.0]
    app.now = lambda: now[0]
    app.say("x", wrong=True)
    now[0] = 0.5
    phone.touch(2, 2)
    assert app._notice is not None
    now[0] = 60.0
    phone.idle()
    assert app._notice is not None
    phone.touch(2, 2)
    assert app._notice is None
    print("told")


class SlowReader:
    """Stops in the middle of a photo until it is let go."""

    def __init__(self):
        self.inside, self.go_on = threading.Event(), threading.Event()

    def run(self, feeds):
        if feeds["image"].any():  # a photo, and not the black one that only loads the model
            self.inside.set()
            self.go_on.wait(PATIENCE_S)
        return hands.reader().finder.run(feeds)


def stopped():
    """While the finder runs the window draws and a tap stops the reading."""
    finder = SlowReader()
    reader = hands.reader()
    reader._finder = finder
    phone = Phone(app_with("zh-Hant", reader))
    phone.tap("rule.jingzhou")
    phone.tap("table.done")
    phone.tap("home.photo")
    phone.tap("photo.choose")
    phone.tap("file.hand.png")
    phone.until(finder.inside.is_set)
    assert isinstance(phone.app.page, ReadingPage)
    job = phone.app.page._job
    phone.idle(10)
    assert not job.done
    phone.tap("reading.stop")
    assert isinstance(phone.app.page, PhotoPage) or phone.has("home.photo")
    finder.go_on.set()
    phone.until(lambda: job.done)
    phone.idle(10)
    assert not isinstance(phone.app.page, ReviewPage)
    print("stopped")
