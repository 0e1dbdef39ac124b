"""Taking or choosing a photo, saying what is wrong with it, and reading it in a thread beside the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from kivy.uix.image import AsyncImage, Image
from kivy.uix.widget import Widget

from mobile_app.device import Source
from mobile_app.model import PoorPhoto, ReadPhoto
from mobile_app.ui import theme
from mobile_app.ui.page import Page
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Bar, Panel, Tap, Text, reduced, texture_of
from mobile_app.worker import Job
from vision.errors import Cancelled
from vision.read import Picture

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic")
_MOST_FILES = 200


class ChoosePhotoPage(Page):
    """A page that goes on with a photo, from the camera, the system's picker or a file."""

    def offer_photo(self) -> None:
        """Offer the camera where there is one, and the photos that are there already."""
        device = self.app.device
        if device.has_camera:
            self.foot.add_widget(self.button("photo.choose", self._choose))
            self.main("photo.take", self._take)
        else:
            self.main("photo.choose", self._choose)

    def _take(self) -> None:
        self.model.keep_hand()
        self.app.device.take_photo(self.app.later(self._chosen))

    def _choose(self) -> None:
        device = self.app.device
        if device.has_picker:
            self.model.keep_hand()
            device.pick_photo(self.app.later(self._chosen))
        else:
            self.app.go(lambda: FilesPage(self.app, PHOTOS, self._file))

    def _file(self, path: Path) -> None:
        self.app.back()
        self._chosen(path)

    def _chosen(self, source: Source | None) -> None:
        """Go on with the photo.

        Args:
            source: the photo, or None where none was chosen.
        """
        raise NotImplementedError


class PhotoPage(ChoosePhotoPage):
    """How to take the photo.

    Args:
        app: the app.
        another: whether it shows more of the same hand.
        teach: whether the hand is one in play.
        fault: why nothing came of the photo before; empty where there was none.
    """

    title: ClassVar[str] = "photo.title"

    def __init__(self, app: object, *, another: bool = False, teach: bool = False, fault: str = "") -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._another = another
        self._teach = teach
        self._fault = fault

    def build(self) -> None:
        """Say how the cards should lie, and offer the camera or the files."""
        self.app.warm_up()
        if self._fault:
            self.add(self.note(self._fault, theme.FAULT))
        for key in ("photo.lay", "photo.apart", "photo.light"):
            self.add(Panel(self.text(key)))
        self.add(self.button("photo.enter", self._enter))
        self.offer_photo()

    def _chosen(self, source: Source | None) -> None:
        if source is not None:
            another, teach = self._another, self._teach
            self.app.swap(lambda: ReadingPage(self.app, source, another=another, teach=teach))

    def _enter(self) -> None:
        from mobile_app.ui.pages.teach import EnterPage

        if not self._another:
            self.model.new_hand()
        self.app.swap(lambda: EnterPage(self.app, teach=self._teach))


class ReadingPage(Page):
    """A photo is being read; it can be stopped.

    Args:
        app: the app.
        source: the photo; one that was called poor is read all the same.
        another: whether it shows more of the same hand.
        teach: whether the hand is one in play.
    """

    title: ClassVar[str] = "reading.title"

    def __init__(self, app: object, source: Source | PoorPhoto, *, another: bool, teach: bool) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._source = source
        self._another = another
        self._teach = teach
        self._job: Job[ReadPhoto | PoorPhoto] | None = None

    def build(self) -> None:
        """Show how far it is, and begin."""
        self._stage = Text(self.t("reading.decode"), theme.TITLE, align="center")
        self._bar = Bar()
        self.add(Widget(size_hint_y=None, height=px(90)), self._stage, self._bar)
        self.foot.add_widget(self.button("reading.stop", self.app.back))
        device, model, source = self.app.device, self.model, self._source

        def work(job: Job[ReadPhoto | PoorPhoto]) -> ReadPhoto | PoorPhoto:
            if isinstance(source, PoorPhoto):
                return model.read(source.picture, anyway=source)(job)
            job.tell("decode", 0.0)
            picture: Picture = device.decode(source)
            return model.read(picture)(job)

        self._job = Job(work)
        self.app.run_job(self._job, self._done)
        from kivy.clock import Clock

        self._watch = Clock.schedule_interval(self._show_progress, 0.1)

    def _show_progress(self, _: float) -> None:
        if self._job is not None:
            progress = self._job.progress
            self._bar.show(progress.share)
            if progress.stage:
                self._stage.say(self.t(f"reading.{progress.stage}"))

    def leave(self) -> None:
        """Stop the job where it still runs."""
        super().leave()
        self._watch.cancel()
        if self._job is not None and not self._job.done:
            self._job.cancel()

    def _done(self, job: Job[ReadPhoto | PoorPhoto]) -> None:
        if self.app.page is not self:
            return
        try:
            read = job.result()
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 - said to the player
            fault = self.app.fault(error)
            self.app.swap(lambda: PhotoPage(self.app, another=self._another, teach=self._teach, fault=fault))
            return
        another, teach = self._another, self._teach
        if isinstance(read, PoorPhoto):
            self.app.swap(
                lambda: PoorPhotoPage(
                    self.app,
                    read,
                    again=lambda: PhotoPage(self.app, another=another, teach=teach),
                    anyway=lambda: ReadingPage(self.app, read, another=another, teach=teach),
                )
            )
            return
        from mobile_app.ui.pages.review import ReviewPage

        self.model.take(read, another=another)
        self.app.swap(lambda: ReviewPage(self.app, teach=teach))


class PoorPhotoPage(Page):
    """A photo is too dark, too blurred or from too far away: what to do, before it is read.

    Args:
        app: the app.
        poor: the photo and what is wrong with it.
        again: makes the page for another photo.
        anyway: makes the page that goes on with this one.
    """

    title: ClassVar[str] = "poor.title"

    def __init__(
        self, app: object, poor: PoorPhoto, *, again: Callable[[], Page], anyway: Callable[[], Page]
    ) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._poor = poor
        self._again = again
        self._anyway = anyway

    def build(self) -> None:
        """Show the photo and say what is wrong with it."""
        for problem in self._poor.problems:
            self.add(Panel(self.text(f"problem.{problem}", theme.TITLE), colour=theme.CHOSEN))
        pixels = self._poor.picture.pixels
        step = max(1, max(pixels.shape[:2]) // 900)
        photo = texture_of(reduced(pixels[::step, ::step]))
        self.add(Image(texture=photo, size_hint_y=None, height=px(230), fit_mode="contain"))
        self.foot.add_widget(self.button("poor.anyway", lambda: self.app.swap(self._anyway)))
        self.main("poor.again", lambda: self.app.swap(self._again))


class FilesPage(Page):
    """The files of a folder, for machines without a picker of their own.

    Args:
        app: the app.
        endings: which files to list.
        chosen: called with the file that was tapped.
        folder: where to begin.
    """

    title: ClassVar[str] = "files.title"

    def __init__(
        self,
        app: object,
        endings: tuple[str, ...],
        chosen: Callable[[Path], object],
        folder: Path | None = None,
    ) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self._endings = endings
        self._chosen = chosen
        self._folder = folder or start_folder()

    def build(self) -> None:
        """List folders and files, the newest first."""
        self.add(Text(str(self._folder), theme.SMALL, theme.SOFT))
        if self._folder.parent != self._folder:
            self.add(Tap("↑ ..", self._open(self._folder.parent), "quiet", "files.up"))
        try:
            entries = [each for each in self._folder.iterdir() if not each.name.startswith(".")]
            folders = sorted(each for each in entries if each.is_dir())
            files = [each for each in entries if each.suffix.lower() in self._endings]
            files.sort(key=lambda path: (-path.stat().st_mtime, path.name))
        except OSError:
            self.add(self.text("files.closed"))
            return
        for folder in folders[:_MOST_FILES]:
            self.add(Tap(f"{folder.name} /", self._open(folder), "plain", f"folder.{folder.name}", 19))
        for file in files[:_MOST_FILES]:
            self.add(self._row(file))
        if not folders and not files:
            self.add(self.text("files.none"))

    def _row(self, file: Path) -> Widget:
        tap = Tap(file.name, lambda: self._chosen(file), "plain", f"file.{file.name}", 19)
        if file.suffix.lower() not in {".jpg", ".jpeg", ".png"}:
            return tap
        picture = AsyncImage(
            source=str(file), size_hint=(None, None), size=(px(72), px(64)), fit_mode="contain", nocache=True
        )
        from mobile_app.ui.widgets import Row

        return Row(picture, tap)

    def _open(self, folder: Path) -> Callable[[], None]:
        return lambda: self.app.swap(lambda: FilesPage(self.app, self._endings, self._chosen, folder))


def start_folder() -> Path:
    """Say where a desktop's photos lie.

    Returns:
        The folder of pictures where there is one, else the folder that the app was started in.
    """
    pictures = Path.home() / "Pictures"
    return pictures if pictures.is_dir() else Path.cwd()
