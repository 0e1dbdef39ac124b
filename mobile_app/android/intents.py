"""Camera, picker, share sheet and documents, each by an intent to another app: no permission is needed."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from android import activity as results
from android import mActivity
from jnius import autoclass, cast

Intent = autoclass("android.content.Intent")
ContentValues = autoclass("android.content.ContentValues")
MediaStore = autoclass("android.provider.MediaStore")
Images = autoclass("android.provider.MediaStore$Images$Media")
Version = autoclass("android.os.Build$VERSION")
String = autoclass("java.lang.String")
ByteArrayOutputStream = autoclass("java.io.ByteArrayOutputStream")

RESULT_OK: Final = -1
PHOTO_PICKER_API: Final = 33
MOST_BYTES: Final = 64 << 20
_CHUNK: Final = 1 << 16

_log = logging.getLogger(__name__)
_codes = itertools.count(7100)
_waiting: dict[int, Callable[[bool, Any], None]] = {}


def _on_result(code: int, result: int, intent: Any) -> None:
    """Hand a result to whoever asked for it."""
    done = _waiting.pop(code, None)
    if done is not None:
        done(result == RESULT_OK, intent)


results.bind(on_activity_result=_on_result)


def start(intent: Any, done: Callable[[bool, Any], None]) -> None:
    """Start another app for a result.

    Args:
        intent: what is wanted.
        done: told whether the player went through with it, and the intent that came back, perhaps None.
    """
    code = next(_codes)
    _waiting[code] = done
    try:
        mActivity.startActivityForResult(intent, code)
    except Exception:  # noqa: BLE001 - whatever Java throws
        _log.warning("no app for this intent", exc_info=True)
        _waiting.pop(code, None)
        done(False, None)  # noqa: FBT003 - nobody did it


def take_photo(done: Callable[[bytes | None], None]) -> None:
    """Let the camera app take a photo into a place that this app owns, read it, and remove it there.

    Args:
        done: told the bytes of the photo.
    """
    resolver = mActivity.getContentResolver()
    values = ContentValues()
    values.put("_display_name", "suanhu.jpg")
    values.put("mime_type", "image/jpeg")
    uri = resolver.insert(Images.EXTERNAL_CONTENT_URI, values)
    if uri is None:
        done(None)
        return
    intent = Intent("android.media.action.IMAGE_CAPTURE")
    intent.putExtra("output", cast("android.os.Parcelable", uri))
    intent.addFlags(Intent.FLAG_GRANT_WRITE_URI_PERMISSION | Intent.FLAG_GRANT_READ_URI_PERMISSION)

    def taken(went: bool, _back: Any) -> None:  # noqa: FBT001
        # Many cameras give no intent back; the photo lies at the Uri all the same.
        try:
            data = read(uri) if went else None
        finally:
            resolver.delete(uri, None, None)
        done(data or None)

    start(intent, taken)


def pick_photo(done: Callable[[bytes | None], None]) -> None:
    """Let the player choose a photo: the system's photo picker, or documents on an older Android.

    Args:
        done: told the bytes of the photo.
    """
    if Version.SDK_INT >= PHOTO_PICKER_API:
        intent = Intent("android.provider.action.PICK_IMAGES")
    else:
        intent = Intent("android.intent.action.OPEN_DOCUMENT")
        intent.addCategory("android.intent.category.OPENABLE")
    intent.setType("image/*")
    start(intent, lambda went, back: done(_content(back) if went else None))


def open_file(done: Callable[[bytes | None], None]) -> None:
    """Let the player choose any file.

    Args:
        done: told its bytes.
    """
    intent = Intent("android.intent.action.OPEN_DOCUMENT")
    intent.addCategory("android.intent.category.OPENABLE")
    intent.setType("*/*")
    start(intent, lambda went, back: done(_content(back) if went else None))


def save_file(name: str, media_type: str, data: bytes, done: Callable[[str | None], None]) -> None:
    """Let the player say where a file is kept.

    Args:
        name: that is proposed.
        media_type: of the file.
        data: its bytes.
        done: told the name; None where nothing was kept.
    """
    intent = Intent("android.intent.action.CREATE_DOCUMENT")
    intent.addCategory("android.intent.category.OPENABLE")
    intent.setType(media_type)
    intent.putExtra("android.intent.extra.TITLE", cast("java.lang.CharSequence", String(name)))

    def chosen(went: bool, back: Any) -> None:  # noqa: FBT001
        uri = back.getData() if went and back is not None else None
        done(name if uri is not None and write(uri, data) else None)

    start(intent, chosen)


def share(path: Path, media_type: str) -> None:
    """Send a picture to another app.

    The picture is put among the phone's pictures first, since a file of this app's own folder may not be
    handed on.

    Args:
        path: the file.
        media_type: of the file.
    """
    resolver = mActivity.getContentResolver()
    values = ContentValues()
    values.put("_display_name", path.name)
    values.put("mime_type", media_type)
    uri = resolver.insert(Images.EXTERNAL_CONTENT_URI, values)
    if uri is None or not write(uri, path.read_bytes()):
        return
    intent = Intent("android.intent.action.SEND")
    intent.setType(media_type)
    intent.putExtra("android.intent.extra.STREAM", cast("android.os.Parcelable", uri))
    intent.addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION)
    chooser = Intent.createChooser(intent, cast("java.lang.CharSequence", String(path.name)))
    mActivity.startActivity(chooser)


def _content(intent: Any) -> bytes | None:
    uri = None if intent is None else intent.getData()
    return None if uri is None else read(uri)


def read(uri: Any) -> bytes | None:
    """Read what lies at a Uri.

    Args:
        uri: of content.

    Returns:
        Its bytes; None where it cannot be read or is larger than 64 MB.
    """
    try:
        stream = mActivity.getContentResolver().openInputStream(uri)
    except Exception:  # noqa: BLE001 - whatever Java throws
        _log.warning("a Uri cannot be opened", exc_info=True)
        return None
    target = ByteArrayOutputStream()
    chunk = bytearray(_CHUNK)
    total = 0
    try:
        while (count := stream.read(chunk)) > 0:
            total += count
            if total > MOST_BYTES:
                return None
            target.write(bytes(chunk[:count]), 0, count)
    finally:
        stream.close()
    return bytes(target.toByteArray().tostring())


def write(uri: Any, data: bytes) -> bool:
    """Write to a Uri.

    Args:
        uri: of content.
        data: what to write.

    Returns:
        Whether it was written.
    """
    try:
        stream = mActivity.getContentResolver().openOutputStream(uri)
    except Exception:  # noqa: BLE001 - whatever Java throws
        _log.warning("a Uri cannot be opened", exc_info=True)
        return False
    try:
        for start_ in range(0, len(data), _CHUNK):
            piece = data[start_ : start_ + _CHUNK]
            stream.write(piece, 0, len(piece))
    finally:
        stream.close()
    return True
