"""The phone's Java side in a real JVM, with stand-ins for Android's classes; runs in a process of its own."""

# ruff: noqa: E402, T201 - the class path has to be said before pyjnius is imported
import os
import sys
import types
from pathlib import Path

import jnius_config

jnius_config.set_classpath(os.environ["SUANHU_CLASSES"])

from jnius import autoclass

Activity = autoclass("android.app.Activity")
phone = Activity()
listeners = []

android = types.ModuleType("android")
android.mActivity = phone
activity = types.ModuleType("android.activity")


def bind(*, on_activity_result):
    listeners.append(on_activity_result)


activity.bind = bind
runnable = types.ModuleType("android.runnable")
runnable.run_on_ui_thread = lambda function: function
android.activity = activity
android.runnable = runnable
sys.modules.update({"android": android, "android.activity": activity, "android.runnable": runnable})

import hashlib
import json
import struct
import tempfile

import numpy as np

from mobile_app.android import pictures, voice
from mobile_app.android.device import Phone
from mobile_app.android.inference import AndroidSession, open_session
from vision.errors import ImageError, ModelError
from vision.png import write_png

OnnxTensor = autoclass("ai.onnxruntime.OnnxTensor")
OrtSession = autoclass("ai.onnxruntime.OrtSession")
Uri = autoclass("android.net.Uri")
Intent = autoclass("android.content.Intent")
TextToSpeech = autoclass("android.speech.tts.TextToSpeech")
Builder = autoclass("android.app.AlertDialog$Builder")


def answer(result, intent=None, code=None):
    for listener in listeners:
        listener(phone.code if code is None else code, result, intent)


def raises(kind, code, work):
    try:
        work()
    except kind as error:
        if error.code != code:
            raise
        return
    raise AssertionError(f"nothing was raised, {code} was expected")


def inference():
    """Numbers go in and come out bit for bit, in this machine's byte order, and nothing is left open."""
    folder = Path(tempfile.mkdtemp())
    model = b"Onnx model of the tests"
    (folder / "m.onnx").write_bytes(model)
    (folder / "manifest.json").write_text(
        json.dumps({"m.onnx": {"sha256": hashlib.sha256(model).hexdigest()}})
    )
    session = open_session(folder, "m.onnx")
    image = np.random.default_rng(1).normal(size=(2, 3, 8, 16)).astype(np.float32)
    for view in (
        image,
        image[:, :, ::2],
        np.ascontiguousarray(image.transpose(0, 1, 3, 2)).transpose(0, 1, 3, 2),
    ):
        doubled, sums = session.run({"image": view})
        assert doubled.dtype == np.float32
        assert doubled.shape == view.shape
        assert (doubled == 2 * view).all()
        assert np.allclose(sums, view.reshape(2, -1).sum(1), atol=1e-3)
        assert doubled.flags.writeable
    assert OnnxTensor.open == 0
    assert OrtSession.threads == 2
    (folder / "m.onnx").write_bytes(b"another")
    raises(ModelError, "other", lambda: open_session(folder, "m.onnx").run({"image": image}))
    raises(ModelError, "broken", lambda: AndroidSession(folder / "m.onnx", sha256=None).run({"image": image}))
    raises(ModelError, "missing", lambda: open_session(folder, "n.onnx"))


def upright(stored, orientation):
    """What a stored picture looks like when it is turned as EXIF says."""
    return {
        1: lambda a: a,
        2: lambda a: a[:, ::-1],
        3: lambda a: a[::-1, ::-1],
        4: lambda a: a[::-1],
        5: lambda a: a.transpose(1, 0, 2),
        6: lambda a: np.rot90(a, -1),
        7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
        8: lambda a: np.rot90(a, 1),
    }[orientation](stored)


def with_orientation(jpeg, orientation):
    """Put an EXIF segment with an orientation behind the start of a JPEG."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"MM\x00*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def photos():
    """PNG and JPEG, every orientation, padded rows, large ones smaller, and what is no photo."""
    import cv2

    rng = np.random.default_rng(2)
    small = rng.integers(0, 256, (252, 300, 3)).astype(np.uint8)
    picture = pictures.decode(write_png(small))
    assert (picture.pixels == small).all()
    assert picture.size == (300, 252)
    smooth = cv2.resize(small[:9, :10], (300, 252), interpolation=cv2.INTER_CUBIC)
    jpeg = cv2.imencode(".jpg", smooth[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 98])[1].tobytes()
    for orientation in range(1, 9):
        picture = pictures.decode(with_orientation(jpeg, orientation))
        wanted = upright(smooth, orientation)
        assert picture.pixels.shape == wanted.shape, orientation
        assert picture.size == (wanted.shape[1], wanted.shape[0]), orientation
        assert np.abs(picture.pixels.astype(int) - wanted).mean() < 6, orientation
    large = np.repeat(np.repeat(small, 20, 0), 20, 1)[:3800, :]
    picture = pictures.decode(write_png(large))
    assert picture.size == (6000, 3800)
    assert picture.pixels.shape[:2] == (1900, 3000)
    path = Path(tempfile.mkdtemp()) / "a.png"
    path.write_bytes(write_png(small))
    assert (Phone().decode(path).pixels == small).all()
    raises(ImageError, "not_a_picture", lambda: pictures.decode(b"no picture at all"))
    raises(ImageError, "empty", lambda: pictures.decode(b""))
    raises(ImageError, "unreadable", lambda: pictures.decode(path.with_name("gone.png")))
    raises(ImageError, "too_small", lambda: pictures.decode(write_png(small[:100])))
    raises(ImageError, "black", lambda: pictures.decode(write_png(small // 64)))


def camera_and_files():
    """Each intent as Android wants it; giving up, no such app, and a camera without an answer."""
    said = []
    device = Phone()
    device.take_photo(said.append)
    intent = phone.started
    place = intent.extras.get("output")
    assert intent.action == "android.media.action.IMAGE_CAPTURE"
    assert place.startswith("content://")
    assert intent.flags == 3
    phone.resolver.fill(place, b"\xff\xd8photo" * 30_000)
    answer(-1)
    assert said.pop() == b"\xff\xd8photo" * 30_000
    assert phone.resolver.size(place) == -1
    device.take_photo(said.append)
    place = phone.started.extras.get("output")
    answer(0)
    assert said.pop() is None
    assert phone.resolver.size(place) == -1
    answer(-1, code=4)
    answer(-1)
    assert said == []

    device.pick_photo(said.append)
    assert phone.started.action == "android.provider.action.PICK_IMAGES"
    assert phone.started.type == "image/*"
    phone.resolver.fill("content://picked", b"picked")
    back = Intent("")
    back.setData(Uri("content://picked"))
    answer(-1, back)
    assert said.pop() == b"picked"
    version = autoclass("android.os.Build$VERSION")
    version.SDK_INT = 30
    device.pick_photo(said.append)
    assert phone.started.action == "android.intent.action.OPEN_DOCUMENT"
    assert phone.started.category == "android.intent.category.OPENABLE"
    gone = Intent("")
    gone.setData(Uri("content://gone"))
    answer(-1, gone)
    assert said.pop() is None
    phone.nobody = True
    device.open_file(said.append)
    assert said.pop() is None
    phone.nobody = False
    device.open_file(said.append)
    assert phone.started.type == "*/*"
    answer(-1, back)
    assert said.pop() == b"picked"

    data = bytes(range(256)) * 1000
    device.save_file("a.deck", "application/octet-stream", data, said.append)
    assert phone.started.action == "android.intent.action.CREATE_DOCUMENT"
    assert phone.started.extras.get("android.intent.extra.TITLE") == "a.deck"
    phone.resolver.fill("content://new", b"")
    kept = Intent("")
    kept.setData(Uri("content://new"))
    answer(-1, kept)
    assert said.pop() == "a.deck"
    assert phone.resolver.size("content://new") == len(data)
    device.save_file("a.deck", "application/octet-stream", data, said.append)
    answer(0)
    assert said.pop() is None

    path = Path(tempfile.mkdtemp()) / "slip.png"
    path.write_bytes(b"slip")
    device.share(path, "image/png")
    inner = phone.started.inner
    assert inner.action == "android.intent.action.SEND"
    assert inner.type == "image/png"
    stream = inner.extras.get("android.intent.extra.STREAM")
    assert stream.startswith("content://")
    assert phone.resolver.size(stream) == 4
    assert inner.flags == 1
    assert str(device.data_folder) == "/data/user/0/app/files/suanhu"


def voices():
    """Nothing is said before the engine is there; Mandarin where there is no voice for Taiwan."""
    speaker = voice.Voice()
    speaker.speak("舊的", "zh-Hant")
    speaker.speak("十八和", "zh-Hant")
    assert TextToSpeech.said.size() == 0
    TextToSpeech.ready(-1)
    assert TextToSpeech.said.size() == 0
    TextToSpeech.ready(0)
    speaker.speak("18 points", "en")
    assert [TextToSpeech.said.get(place) for place in range(TextToSpeech.said.size())] == [
        "zh-CN 十八和",
        "en-US 18 points",
    ]

    said = []
    Phone().ask_text("叫什麼？", "老王", said.append)
    dialog = Builder.last
    assert dialog.title == "叫什麼？"
    assert dialog.shown
    dialog.press(True)
    dialog.press(False)
    assert said == ["老王", None]


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("held")
