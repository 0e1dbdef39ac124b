"""Draw the app's icon and splash: a card with 胡 on the red of the app's head.

``python -m mobile_app.packaging.icon`` writes ``mobile_app/assets/icon.png`` and ``splash.png``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

ASSETS: Final = Path(__file__).resolve().parents[1] / "assets"
BAND: Final = (28, 24, 126)
PAPER: Final = (240, 247, 250)
INK: Final = (24, 20, 150)


def draw(size: tuple[int, int], card: int) -> np.ndarray:
    """Draw one picture.

    Args:
        size: width and height in pixels.
        card: height of the card in pixels.

    Returns:
        uint8[h, w, 3], BGR.
    """
    page = np.full((size[1], size[0], 3), BAND, np.uint8)
    wide = round(card * 0.46)
    left, top = (size[0] - wide) // 2, (size[1] - card) // 2
    radius = card // 14
    corners = (left + radius, top), (left + wide - radius, top + card)
    cv2.rectangle(page, *corners, PAPER, -1)
    cv2.rectangle(page, (left, top + radius), (left + wide, top + card - radius), PAPER, -1)
    for x in (left + radius, left + wide - radius):
        for y in (top + radius, top + card - radius):
            cv2.circle(page, (x, y), radius, PAPER, -1, cv2.LINE_AA)
    letter = np.full((wide, wide, 3), PAPER, np.uint8)
    face, text = cv2.FontFace("uni"), round(wide * 0.8)
    _, _, width, _ = cv2.getTextSize((0, 0), "胡", (0, 0), face, text, 700)
    cv2.putText(letter, "胡", ((wide - width) // 2, round(wide * 0.82)), INK, face, text, 700)
    page[top + radius : top + radius + wide, left : left + wide] = letter
    bottom = top + card - radius
    page[bottom - wide : bottom, left : left + wide] = letter[::-1, ::-1]
    return page


def main() -> None:
    """Write both pictures."""
    cv2.imwrite(str(ASSETS / "icon.png"), draw((512, 512), 440))
    cv2.imwrite(str(ASSETS / "splash.png"), draw((720, 1280), 560))


if __name__ == "__main__":
    main()
