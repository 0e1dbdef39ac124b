"""Make the Chinese font that ships: a subset of Noto Sans CJK SC (OFL) of Debian's fonts-noto-cjk-extra.

``python -m mobile_app.packaging.font [FONT.ttc]`` writes ``mobile_app/assets/suanhu.otf``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mobile_app.words import pick

ROOT: Final = Path(__file__).resolve().parents[2]
TARGET: Final = ROOT / "mobile_app" / "assets" / "suanhu.otf"
DEBIAN: Final = "/usr/share/fonts/opentype/noto/NotoSansCJK-Medium.ttc"
FACE: Final = "Noto Sans CJK SC"
PACKAGES: Final = ("mobile_app", "scorer", "table", "vision")
_LEAST: Final = "→←↑↓‹›✓×÷−±≥≤…·—–、。，：；！？（）「」『』【】《》　＋－＝／％〇●○■□▲△▼▽◆◇★☆①②③④⑤⑥⑦⑧⑨⑩"


def literals() -> Iterator[tuple[Path, str]]:
    """Give every text that the app may show: string literals, docstrings apart, and the rule books.

    Yields:
        The file and the text.
    """
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "training" in path.parts or "packaging" in path.parts:
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                    yield path, node.value
    for path in sorted((ROOT / "scorer" / "books").glob("*.toml")):
        yield path, path.read_text(encoding="utf-8")


def wanted() -> set[str]:
    """List the characters of the font.

    Returns:
        ASCII, Latin-1, GB 2312 for the names that players type, and every character of `literals` in both
        scripts.
    """
    characters = {chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x100))} | set(_LEAST)
    for high in range(0xB0, 0xF8):
        for low in range(0xA1, 0xFF):
            try:
                characters.add(bytes((high, low)).decode("gb2312"))
            except UnicodeDecodeError:
                continue
    for _, text in literals():
        characters |= set(text) | set(pick("zh-Hans", text, text))
    return {character for character in characters if character.isprintable()}


def make(source: str) -> None:
    """Write the subset.

    Args:
        source: a Noto Sans CJK collection.
    """
    from fontTools import subset
    from fontTools.ttLib import TTCollection

    collection = TTCollection(source)
    font = next(each for each in collection.fonts if each["name"].getDebugName(1).startswith(FACE))
    options = subset.Options(
        hinting=False, layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], notdef_outline=True
    )
    options.drop_tables += ["GSUB", "GPOS", "vhea", "vmtx", "VORG", "BASE", "DSIG"]
    cut = subset.Subsetter(options)
    cut.populate(unicodes=[ord(character) for character in wanted()])
    cut.subset(font)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(TARGET), options)


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else DEBIAN)
    sys.stdout.write(f"{TARGET.name}: {TARGET.stat().st_size} bytes\n")
