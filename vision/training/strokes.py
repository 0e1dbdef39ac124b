"""Characters drawn with strokes of their own, not from a font."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Skeleton = Sequence[Sequence[tuple[float, float]]]

_SPIRIT = [[(18, 4), (26, 13)], [(6, 23), (36, 23), (8, 55)], [(22, 37), (22, 96)], [(26, 43), (38, 55)]]
_MAN = [[(31, 6), (7, 49)], [(21, 33), (21, 94)]]

SKELETONS: Mapping[str, Skeleton] = {
    "乙": [[(22, 24), (76, 22), (30, 68), (26, 82), (40, 87), (82, 85), (87, 66)]],
    "二": [[(24, 26), (76, 26)], [(10, 80), (90, 80)]],
    "三": [[(20, 18), (80, 18)], [(26, 50), (74, 50)], [(10, 86), (90, 86)]],
    "四": [[(14, 20), (14, 84)], [(14, 20), (86, 20), (86, 84)], [(38, 22), (34, 52), (22, 66)],
           [(60, 22), (60, 56), (78, 58)], [(14, 80), (86, 80)]],
    "五": [[(14, 16), (86, 16)], [(48, 16), (36, 86)], [(20, 48), (74, 48), (70, 86)], [(6, 88), (94, 88)]],
    "六": [[(50, 6), (56, 20)], [(8, 34), (92, 34)], [(36, 52), (12, 92)], [(62, 52), (90, 92)]],
    "七": [[(8, 48), (90, 38)], [(46, 8), (46, 80), (54, 88), (86, 88), (88, 72)]],
    "八": [[(36, 20), (30, 56), (8, 90)], [(60, 16), (70, 56), (94, 90)]],
    "九": [[(8, 36), (70, 32), (68, 80), (78, 90), (94, 86), (94, 72)], [(40, 6), (36, 52), (8, 92)]],
    "十": [[(8, 46), (92, 46)], [(50, 8), (50, 94)]],
    "上": [[(48, 8), (48, 86)], [(48, 42), (84, 42)], [(6, 88), (94, 88)]],
    "大": [[(8, 36), (92, 36)], [(50, 6), (46, 46), (10, 94)], [(50, 40), (64, 68), (94, 92)]],
    "人": [[(50, 8), (44, 48), (8, 92)], [(48, 34), (62, 64), (94, 92)]],
    "孔": [[(8, 18), (46, 18), (28, 38)], [(28, 38), (30, 84), (18, 82)], [(4, 58), (52, 50)],
           [(66, 8), (66, 80), (74, 90), (92, 88), (94, 70)]],
    "己": [[(16, 16), (82, 16), (82, 48)], [(20, 48), (82, 48)],
           [(20, 46), (20, 78), (30, 88), (86, 88), (88, 68)]],
    "化": [[(34, 6), (8, 48)], [(24, 30), (24, 94)], [(86, 26), (50, 56)],
           [(52, 10), (52, 76), (60, 88), (90, 88), (92, 68)]],
    "千": [[(78, 8), (24, 22)], [(6, 46), (94, 46)], [(50, 18), (50, 94)]],
    "土": [[(18, 38), (82, 38)], [(50, 8), (50, 88)], [(6, 88), (94, 88)]],
    "子": [[(18, 12), (80, 12), (52, 36)], [(52, 36), (54, 86), (36, 84)], [(6, 52), (94, 52)]],
    "可": [[(6, 16), (94, 16)], [(76, 16), (76, 88), (56, 86)], [(18, 38), (18, 70)],
           [(18, 38), (50, 38), (50, 68)], [(18, 66), (50, 66)]],
    "知": [[(24, 6), (10, 32)], [(16, 26), (50, 26)], [(4, 50), (54, 50)], [(30, 26), (28, 58), (6, 92)],
           [(32, 56), (52, 84)], [(62, 26), (62, 84)], [(62, 26), (92, 26), (92, 84)], [(62, 80), (92, 80)]],
    "禮": [*_SPIRIT, [(50, 14), (50, 44)], [(50, 14), (92, 14), (92, 44)], [(64, 6), (64, 42)],
           [(78, 6), (78, 42)], [(50, 28), (92, 28)], [(50, 42), (92, 42)], [(44, 52), (98, 52)],
           [(54, 60), (54, 74)], [(54, 60), (88, 60), (88, 74)], [(54, 73), (88, 73)], [(58, 78), (62, 88)],
           [(84, 78), (80, 88)], [(44, 92), (98, 92)]],
    "爾": [[(34, 6), (12, 40)], [(28, 24), (88, 24), (78, 40)], [(52, 26), (52, 88), (40, 84)],
           [(30, 48), (12, 78)], [(70, 48), (90, 76)]],
    "小": [[(50, 6), (50, 88), (36, 82)], [(26, 32), (8, 70)], [(74, 32), (92, 70)]],
    "生": [[(28, 12), (12, 44)], [(24, 30), (84, 30)], [(50, 6), (50, 90)], [(18, 58), (82, 58)],
           [(6, 90), (94, 90)]],
    "佳": [*_MAN, [(40, 22), (88, 22)], [(64, 6), (64, 46)], [(34, 46), (94, 46)], [(42, 66), (88, 66)],
           [(64, 50), (64, 90)], [(34, 90), (96, 90)]],
    "作": [*_MAN, [(52, 8), (38, 42)], [(46, 28), (96, 28)], [(62, 28), (62, 94)], [(62, 50), (92, 50)],
           [(62, 70), (92, 70)]],
    "仁": [*_MAN, [(48, 34), (86, 34)], [(40, 84), (94, 84)]],
    "福": [*_SPIRIT, [(46, 10), (96, 10)], [(54, 22), (54, 42)], [(54, 22), (88, 22), (88, 42)],
           [(54, 40), (88, 40)], [(50, 54), (50, 94)], [(50, 54), (92, 54), (92, 94)], [(70, 54), (70, 90)],
           [(50, 72), (92, 72)], [(50, 90), (92, 90)]],
    "祿": [*_SPIRIT, [(50, 10), (88, 10), (84, 32)], [(54, 22), (86, 22)], [(44, 36), (96, 36)],
           [(70, 36), (70, 90), (60, 86)], [(50, 48), (58, 58)], [(44, 80), (64, 64)], [(90, 46), (78, 60)],
           [(72, 58), (96, 88)]],
    "壽": [[(16, 14), (84, 14)], [(22, 32), (78, 32)], [(6, 50), (94, 50)], [(48, 4), (40, 56), (6, 94)],
           [(30, 68), (92, 68)], [(70, 52), (70, 92), (56, 88)], [(46, 76), (54, 86)]],
}  # fmt: skip
"""The deck's characters as lines of a pen on a square of 100 by 100, written by hand for this project."""


def random_skeleton(rng: np.random.Generator) -> Skeleton:
    """Makes up a sign of a few strokes on a square of 100 by 100."""
    strokes: list[list[tuple[float, float]]] = []
    for _ in range(int(rng.integers(2, 8))):
        way = int(rng.integers(5))
        a, b = float(rng.uniform(8, 92)), float(rng.uniform(8, 92))
        c, d = float(rng.uniform(8, 92)), float(rng.uniform(8, 92))
        if way == 0:
            strokes.append([(min(a, 40), b), (max(c, 60), b + float(rng.uniform(-8, 8)))])
        elif way == 1:
            strokes.append([(a, min(b, 40)), (a + float(rng.uniform(-8, 8)), max(d, 60))])
        elif way == 2:
            strokes.append([(a, b), (c, d)])
        elif way == 3:
            strokes.append([(a, b), (c, b), (c, d)])
        else:
            strokes.append([(a, b), (c, d), (float(rng.uniform(8, 92)), float(rng.uniform(8, 92)))])
    return strokes


def _smooth(points: NDArray[np.float64], times: int) -> NDArray[np.float64]:
    """Cuts the corners of a line."""
    for _ in range(times):
        if len(points) < 3:
            break
        near, far = points[:-1], points[1:]
        cut = np.empty((2 * len(near), 2))
        cut[0::2] = near * 0.75 + far * 0.25
        cut[1::2] = near * 0.25 + far * 0.75
        cut[0], cut[-1] = points[0], points[-1]
        points = cut
    return points


def _widths(rng: np.random.Generator, profile: str, t: NDArray[np.float64]) -> NDArray[np.float64]:
    if profile == "taper":
        return 1.25 - 0.95 * t
    if profile == "club":
        return 0.65 + 0.75 * np.abs(2 * t - 1) ** 2
    if profile == "leaf":
        return 0.12 + 1.6 * np.sin(np.pi * np.clip(t * 1.02, 0, 1)) ** 0.8
    if profile == "nail":
        return 0.6 + 1.0 * np.exp(-t * 9)
    if profile == "beads":
        return 0.45 + 0.85 * np.abs(np.sin(t * np.pi * float(rng.integers(2, 5))))
    if profile == "ragged":
        return 1 + 0.35 * np.interp(t, np.linspace(0, 1, 9), rng.standard_normal(9)).clip(-1.6, 1.6)
    if profile == "swell":
        return 0.6 + 0.8 * t
    return np.ones_like(t)


def paint(
    rng: np.random.Generator, skeleton: Skeleton, brush: Mapping[str, float | str]
) -> NDArray[np.uint8]:
    """Paints a sign with a brush.

    Args:
        rng: Where chance comes from.
        skeleton: Its strokes on a square of 100 by 100.
        brush: ``profile`` (even, taper, club, leaf, nail, beads, ragged, swell), ``thickness``,
            ``wobble``, ``curl`` and ``jitter`` in sides of the square, ``round`` (how often corners
            are cut).

    Returns:
        uint8[160, 160], 255 is ink, the square of 128 pixels in the middle.
    """
    image = np.zeros((160, 160), np.uint8)
    thickness = float(brush.get("thickness", 0.07)) * 128
    thickness *= min(1.0, (9.0 / max(len(skeleton), 1)) ** 0.6) if len(skeleton) > 6 else 1.0
    wobble, curl, jitter = (float(brush.get(name, 0.0)) for name in ("wobble", "curl", "jitter"))
    for stroke in skeleton:
        points = np.asarray(stroke, np.float64) * 1.28 + 16
        points += rng.normal(0, jitter * 64, points.shape)
        points = _smooth(points, int(float(brush.get("round", 1))))
        along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        length = max(float(along[-1]), 1)
        count = max(6, int(length / 2.5))
        t = np.linspace(0, 1, count)
        x = np.interp(t * length, along, points[:, 0])
        y = np.interp(t * length, along, points[:, 1])
        direction = (points[-1] - points[0]) / max(float(np.hypot(*(points[-1] - points[0]))), 1)
        bow = np.sin(np.pi * t) * curl * length * 0.5
        bow += np.interp(t, np.linspace(0, 1, 5), rng.normal(0, wobble * 128, 5))
        x, y = x - direction[1] * bow, y + direction[0] * bow
        widths = np.maximum(0.8, thickness * _widths(rng, str(brush.get("profile", "even")), t))
        for cx, cy, r in zip(np.round(x * 16), np.round(y * 16), np.round(widths * 16), strict=True):
            cv2.circle(image, (int(cx), int(cy)), int(r), 255, -1, cv2.LINE_AA, 4)
    return image
