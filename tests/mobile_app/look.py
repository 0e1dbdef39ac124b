"""What is wrong with the page that is shown: cut off, too large for its place, or on top of something."""

import re

import numpy as np
from kivy.core.window import Window
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label

from mobile_app.ui import theme
from mobile_app.ui.theme import px
from mobile_app.ui.widgets import Face, Tap, Text


def faults(app):
    """List what is cut off at the side, does not fit its widget, or lies on something else."""
    wrong = []
    labels = [each for each in app.shell.walk() if isinstance(each, Label) and each.text.strip()]
    for label in labels:
        left, _ = label.to_window(label.x, label.y)
        right, _ = label.to_window(label.right, label.top)
        if left < -1 or right > Window.width + 1:
            wrong.append(("beyond the edge", label.text))
        if label.texture_size[0] > label.width + 2:
            wrong.append(("too wide", label.text, label.texture_size[0], label.width))
        if label.texture_size[1] > label.height + 3:
            wrong.append(("too high", label.text, label.texture_size[1], label.height))
        if isinstance(label, Tap | Text) and "".join(label.text.split()) != "".join(label.whole.split()):
            wrong.append(("cut", label.text))
        if isinstance(label, Tap | Text) and torn(label.text, label.whole):
            wrong.append(("torn", label.text))
    notice = app._notice
    for parent in app.shell.walk():
        if parent is notice or isinstance(parent, Face):
            continue
        children = [
            each for each in parent.children if each is not notice and each.height > 0 and each.width > 0
        ]
        if isinstance(parent, BoxLayout):
            wrong += [
                ("out of its place", type(each).__name__, getattr(each, "text", ""))
                for each in children
                if each.y < parent.y - 1.5 or each.top > parent.top + 1.5
            ]
        for place, one in enumerate(children):
            for other in children[place + 1 :]:
                across = min(one.right, other.right) - max(one.x, other.x)
                down = min(one.top, other.top) - max(one.y, other.y)
                if across > 1.5 and down > 1.5 and one.pos_hint.get("center_x") is None:
                    wrong.append(("overlapping", type(one).__name__, type(other).__name__, across, down))
    return wrong


def torn(text, whole):
    """Whether a word of letters is broken into two lines; the path of a file may be."""
    if "/" in whole:
        return False
    words = set(re.findall(r"[A-Za-z]+", whole))
    return not words >= set(re.findall(r"[A-Za-z]+", text))


def drawn_beyond(view, path):
    """Count the points of outlines that a picture of the window shows above or below the photo."""
    import cv2

    picture = cv2.imread(str(path))[..., ::-1].astype(int)
    outlines = np.abs(picture - np.multiply(theme.SURE[:3], 255)).max(axis=2) < 30
    below = len(picture) - round(view.to_window(*view.pos)[1])
    # The line above the photo says in green that all is sure.
    above = below - round(view.height) - round(px(34))
    return int(outlines[:above].sum() + outlines[below + 2 :].sum())
