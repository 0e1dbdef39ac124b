"""A pass through the app with nothing on the path but the staged folder; started by `test_packaging`.

Arguments: the staged folder, and an archive with a photo, what the finder says of it, and the deck.
"""

# ruff: noqa: E402, T201 - the path has to be set first; this is a test that pytest does not collect
import importlib.abc
import os
import pkgutil
import sys
import tempfile
from pathlib import Path

STAGE, ARCHIVE = Path(sys.argv[1]), Path(sys.argv[2])
ABSENT = {
    "cv2",
    "onnxruntime",
    "PIL",
    "torch",
    "fastapi",
    "sqlalchemy",
    "pydantic",
    "server",
    "suanhu",
    "tests",
}


class NotOnThePhone(importlib.abc.MetaPathFinder):
    """Hides what this machine has and the phone has not."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(name)


sys.path[0] = str(STAGE)
sys.meta_path.insert(0, NotOnThePhone())
os.environ["SUANHU_HOME"] = tempfile.mkdtemp()

import numpy as np

import mobile_app
import scorer
import table
import vision
from mobile_app.model import Model
from mobile_app.settings import Settings
from mobile_app.worker import Job
from vision.calibration import Calibration
from vision.deck import Deck
from vision.read import Picture, Reader
from vision.shelf import shipped_decks

for package in (mobile_app, scorer, table, vision):
    assert Path(package.__file__).is_relative_to(STAGE), package.__file__
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if ".android" not in found.name and ".ui" not in found.name:
            __import__(found.name)

stored = np.load(ARCHIVE)


class Finder:
    def run(self, feeds):
        return [stored["found"][None]]


class Namer:
    def run(self, feeds):
        crops = feeds["crops"]
        small = 1 - crops.reshape(len(crops), 3, 12, 6, 8, 6).mean((3, 5)).reshape(len(crops), -1)
        small = small @ stored["basis"]
        return [small / np.maximum(np.linalg.norm(small, axis=1, keepdims=True), 1e-6)]


assert len(shipped_decks()) > 0
reader = Reader(finder=Finder(), namer=Namer(), namer_sha256="0" * 64, calibration=Calibration(sure=0.955))
model = Model(Path(os.environ["SUANHU_HOME"]), reader)
model.shelf.save(Deck.from_bytes(stored["deck"].tobytes(), name="made-up"))
model.set(Settings().with_rule("jingzhou"))
job = Job(model.read(Picture.of(stored["photo"]))).start()
assert job.wait(300)
model.take(job.result())
draft = model.draft.take_guess(model.draft.guess(110))
for card in draft.unsure:
    draft = draft.call(card.key, card.card)
model.change(draft)
assert model.count().score.points == 18
model.confirm()
assert len(model.evening.table(model.settings).lines) == 1
model.close()
print("staged", len([name for name in sys.modules if name.partition(".")[0] in {"mobile_app", "vision"}]))
