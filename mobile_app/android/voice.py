"""Reading aloud and typing: Android's TextToSpeech and a dialog with Android's own keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from android import mActivity
from android.runnable import run_on_ui_thread
from jnius import PythonJavaClass, autoclass, cast, java_method

TextToSpeech = autoclass("android.speech.tts.TextToSpeech")
Locale = autoclass("java.util.Locale")
Builder = autoclass("android.app.AlertDialog$Builder")
EditText = autoclass("android.widget.EditText")
String = autoclass("java.lang.String")

_LOCALES: Final = {"zh-Hant": "zh-TW", "zh-Hans": "zh-CN", "en": "en-US"}
_MANDARIN: Final = "zh-CN"
_READY: Final = 0


class _WhenReady(PythonJavaClass):
    __javainterfaces__ = ["android/speech/tts/TextToSpeech$OnInitListener"]  # noqa: RUF012 - pyjnius reads a list
    __javacontext__ = "app"

    def __init__(self, ready: Callable[[], None]) -> None:
        super().__init__()
        self._ready = ready

    @java_method("(I)V")
    def onInit(self, status: int) -> None:  # noqa: N802 - Android's name
        if status == _READY:
            self._ready()


class Voice:
    """Reads texts aloud; the engine is started at the first of them."""

    def __init__(self) -> None:
        self._engine: Any = None
        self._listener: _WhenReady | None = None
        self._ready = False
        self._pending: tuple[str, str] | None = None

    def speak(self, text: str, lang: str) -> None:
        """Read a text aloud; what is being read stops.

        Args:
            text: what to say.
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.
        """
        self._pending = (text, lang)
        if self._engine is None:
            self._listener = _WhenReady(self._begin)
            self._engine = TextToSpeech(mActivity, self._listener)
        elif self._ready:
            self._begin()

    def _begin(self) -> None:
        self._ready = True
        if self._pending is None:
            return
        (text, lang), self._pending = self._pending, None
        if self._engine.setLanguage(Locale.forLanguageTag(_LOCALES[lang])) < 0 and lang != "en":
            self._engine.setLanguage(Locale.forLanguageTag(_MANDARIN))
        said = cast("java.lang.CharSequence", String(text))
        self._engine.speak(said, TextToSpeech.QUEUE_FLUSH, None, "suanhu")


class _OnClick(PythonJavaClass):
    __javainterfaces__ = ["android/content/DialogInterface$OnClickListener"]  # noqa: RUF012 - pyjnius reads a list
    __javacontext__ = "app"

    def __init__(self, clicked: Callable[[], None]) -> None:
        super().__init__()
        self._clicked = clicked

    @java_method("(Landroid/content/DialogInterface;I)V")
    def onClick(self, dialog: Any, which: int) -> None:  # noqa: N802 - Android's name
        del dialog, which
        self._clicked()


_kept: list[Any] = []
"""Listeners of the dialog that is open; Java alone would let them go."""


def _typed(field: Any) -> str:
    text = field.getText()
    return text if isinstance(text, str) else str(text.toString())


@run_on_ui_thread
def ask_text(title: str, text: str, done: Callable[[str | None], None]) -> None:
    """Let the player type a short text with Android's own keyboard.

    Args:
        title: of the dialog.
        text: what stands there at first.
        done: told what was typed; None where the player gave up.
    """
    field = EditText(mActivity)
    field.setSingleLine(True)
    field.setText(cast("java.lang.CharSequence", String(text)))
    builder = Builder(mActivity)
    builder.setTitle(cast("java.lang.CharSequence", String(title)))
    builder.setView(cast("android.view.View", field))
    kept = _OnClick(lambda: done(_typed(field)))
    gone = _OnClick(lambda: done(None))
    _kept[:] = [kept, gone]
    builder.setPositiveButton(cast("java.lang.CharSequence", String("✓")), kept)
    builder.setNegativeButton(cast("java.lang.CharSequence", String("×")), gone)
    builder.show()
