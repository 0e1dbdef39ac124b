"""Colours and sizes: large type, strong contrast, the same on every screen."""

from __future__ import annotations

from pathlib import Path

from kivy.core.text import LabelBase
from kivy.core.window import Window
from kivy.metrics import dp

Colour = tuple[float, float, float, float]

PAPER: Colour = (0.980, 0.969, 0.941, 1)
WHITE: Colour = (1, 1, 1, 1)
INK: Colour = (0.10, 0.09, 0.08, 1)
SOFT: Colour = (0.33, 0.30, 0.27, 1)
BAND: Colour = (0.494, 0.094, 0.110, 1)
PRESSED: Colour = (0.33, 0.05, 0.07, 1)
LINE: Colour = (0.70, 0.66, 0.60, 1)
CHOSEN: Colour = (0.996, 0.914, 0.730, 1)
FAULT: Colour = (1.0, 0.86, 0.82, 1)
GAIN: Colour = (0.05, 0.42, 0.20, 1)
LOSS: Colour = (0.70, 0.08, 0.08, 1)
SURE: Colour = (0.03, 0.48, 0.26, 1)
UNSURE: Colour = (1.0, 0.45, 0.0, 1)
OUT: Colour = (0.45, 0.45, 0.45, 1)
WON: Colour = (0.85, 0.10, 0.55, 1)
LAID: Colour = (0.10, 0.35, 0.85, 1)

SMALL, BODY, BUTTON, TITLE, HUGE = 16.0, 19.0, 21.0, 24.0, 76.0

FONT = Path(__file__).resolve().parent.parent / "assets" / "suanhu.otf"


def unit() -> float:
    """Say how many pixels one unit of the design is, which is drawn 360 wide and 640 high.

    Returns:
        Pixels; on a tablet larger than on a phone, but not as much larger as the tablet is.
    """
    width, height = Window.size
    return float(min(width / 360, height / 640, dp(1) * 1.6))


def px(units: float) -> float:
    """Turn units of the design into pixels.

    Args:
        units: of the design.

    Returns:
        Pixels.
    """
    return units * unit()


def use_font() -> None:
    """Make the font that ships the default: it has every character that the app shows."""
    LabelBase.register("Roboto", str(FONT), fn_bold=str(FONT))
