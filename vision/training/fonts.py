"""Fonts from which decks are drawn: where they come from, who may see them, which glyphs they have.

Every font has a free licence and comes from a Debian or an npm package; none is kept in the
repository. The families are split into three disjoint sets, so that calibration and evaluation
use drawings that training never saw. Families of the decks in the measured photos are in no set.

Run ``python -m vision.training.fonts`` to fetch what is missing into the cache folder
(``$SUANHU_FONTS``, else ``~/.cache/suanhu/fonts``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from fontTools.ttLib import TTCollection, TTFont
from PIL import Image, ImageDraw, ImageFont

Split = Literal["train", "calibrate", "evaluate"]

EM = 128
"""Size in pixels at which glyphs are rendered."""

FORBIDDEN = ("wenkai", "cwtex", "babelstone", "ukai", "arphic-kai", "gkai00mp", "bkai00mp")
"""Parts of names of families that the measured photos use; no set may hold one."""


@dataclass(frozen=True, slots=True)
class Font:
    """One font file.

    Attributes:
        name: Short name, also the name of its style.
        package: ``apt:NAME`` or ``npm:NAME``.
        file: File name inside the package.
        family: Fonts of one family share a design and so a split.
        split: The set that may use it.
        index: Face inside a collection.
        cursive: Whether the glyphs are cursive, fit only for corner characters and free drawings.
        bad: Characters whose glyph is drawn like another character's.
    """

    name: str
    package: str
    file: str
    family: str
    split: Split
    index: int = 0
    cursive: bool = False
    bad: str = ""


def _npm(
    name: str, split: Split, family: str = "", script: str = "japanese", weight: int = 400, **more: object
) -> Font:
    return Font(
        name if weight == 400 else f"{name}-{weight}",
        f"npm:@fontsource/{name}",
        f"{name}-{script}-{weight}-normal.woff",
        family or name,
        split,
        **more,  # type: ignore[arg-type]
    )


_HANS = "chinese-simplified"
_HANT = "chinese-traditional"

FONTS: tuple[Font, ...] = (
    Font("uming", "apt:fonts-arphic-uming", "uming.ttc", "arphic-sung", "train"),
    Font("arphic-sung-gb", "apt:fonts-arphic-gbsn00lp", "gbsn00lp.ttf", "arphic-sung", "train"),
    Font("arphic-ming-big5", "apt:fonts-arphic-bsmi00lp", "bsmi00lp.ttf", "arphic-sung", "train"),
    Font("tw-kai", "apt:fonts-cns11643-kai", "TW-Kai-98_1.ttf", "tw-kai", "train"),
    Font("tw-sung", "apt:fonts-cns11643-sung", "TW-Sung-98_1.ttf", "tw-sung", "train"),
    Font("noto-sans", "apt:fonts-noto-cjk", "NotoSansCJK-Regular.ttc", "noto-sans", "train", 2),
    Font("noto-sans-bold", "apt:fonts-noto-cjk", "NotoSansCJK-Bold.ttc", "noto-sans", "train", 2),
    Font("noto-sans-black", "apt:fonts-noto-cjk-extra", "NotoSansCJK-Black.ttc", "noto-sans", "train", 3),
    Font("noto-serif", "apt:fonts-noto-cjk", "NotoSerifCJK-Regular.ttc", "noto-serif", "train", 2),
    Font("noto-serif-bold", "apt:fonts-noto-cjk", "NotoSerifCJK-Bold.ttc", "noto-serif", "train", 3),
    Font("noto-serif-black", "apt:fonts-noto-cjk-extra", "NotoSerifCJK-Black.ttc", "noto-serif", "train", 2),
    Font(
        "noto-serif-thin", "apt:fonts-noto-cjk-extra", "NotoSerifCJK-ExtraLight.ttc", "noto-serif", "train", 2
    ),
    Font("wqy-microhei", "apt:fonts-wqy-microhei", "wqy-microhei.ttc", "droid", "train"),
    Font("droid-fallback", "apt:fonts-droid-fallback", "DroidSansFallbackFull.ttf", "droid", "train"),
    Font("ipamj-mincho", "apt:fonts-ipamj-mincho", "ipamjm.ttf", "ipa", "train"),
    Font("aoyagi-kouzan", "apt:fonts-aoyagi-kouzan-t", "AoyagiKouzanT.ttf", "kouzan", "train"),
    Font("kouzan-gyosho", "apt:fonts-kouzan-mouhitsu", "kouzan-mouhitsu-gyosho.ttf", "kouzan", "train"),
    Font("kouzan-mouhitsu", "apt:fonts-kouzan-mouhitsu", "kouzan-mouhitsu.ttf", "kouzan", "train"),
    Font(
        "kouzan-sousho",
        "apt:fonts-kouzan-mouhitsu",
        "KouzanBrushFontSousyo.ttf",
        "kouzan",
        "train",
        cursive=True,
    ),
    Font("kiloji", "apt:fonts-kiloji", "kiloji_b.ttf", "kiloji", "train"),
    Font("motoya-maruberi", "apt:fonts-motoya-l-maruberi", "MTLmr3m.ttf", "motoya", "train"),
    Font("oradano", "apt:fonts-oradano-mincho-gsrr", "OradanoGSRR.ttf", "oradano", "train"),
    Font("rampart", "apt:fonts-rampart", "RampartOne-Regular.ttf", "rampart", "train"),
    Font("stick", "apt:fonts-stick", "Stick-Regular.ttf", "stick", "train"),
    Font("train", "apt:fonts-train", "TrainOne-Regular.ttf", "train", "train"),
    Font("baekmuk-batang", "apt:fonts-baekmuk", "batang.ttf", "baekmuk", "train"),
    Font("baekmuk-headline", "apt:fonts-baekmuk", "hline.ttf", "baekmuk", "train"),
    Font("un-yetgul", "apt:fonts-unfonts-extra", "UnYetgul.ttf", "un-yetgul", "train"),
    Font("bizud-mincho", "apt:fonts-morisawa-bizud-mincho", "BIZUDMincho-Regular.ttf", "bizud", "train"),
    _npm("zhi-mang-xing", "train", script=_HANS),
    _npm("liu-jian-mao-cao", "train", script=_HANS, cursive=True, bad="己"),
    _npm("long-cang", "train", script=_HANS, bad="己"),
    _npm("zcool-kuaile", "train", script=_HANS),
    _npm("zcool-qingke-huangyou", "train", script=_HANS),
    _npm("chocolate-classical-sans", "train", script=_HANT),
    _npm("yomogi", "train"),
    _npm("yuji-mai", "train", family="yuji"),
    _npm("yuji-boku", "train", family="yuji"),
    _npm("yuji-syuku", "train", family="yuji"),
    _npm("zen-maru-gothic", "train", weight=900),
    _npm("m-plus-rounded-1c", "train", weight=800),
    _npm("zen-old-mincho", "train", weight=900),
    _npm("shippori-mincho-b1", "train", family="shippori", weight=800),
    _npm("shippori-antique", "train", family="shippori"),
    _npm("kosugi-maru", "train", family="motoya"),
    _npm("zen-kaku-gothic-antique", "train", weight=900),
    _npm("mochiy-pop-one", "train"),
    Font("wqy-zenhei", "apt:fonts-wqy-zenhei", "wqy-zenhei.ttc", "wqy-zenhei", "calibrate"),
    Font("smiley-sans", "apt:fonts-smiley-sans", "SmileySans-Oblique.ttf", "smiley", "calibrate"),
    Font("dejima-mincho", "apt:fonts-dejima-mincho", "dejima-mincho-r227.ttf", "dejima", "calibrate"),
    Font("aoyagi-soseki", "apt:fonts-aoyagi-soseki", "aoyagi-soseki.ttf", "soseki", "calibrate", bad="己"),
    Font("rocknroll", "apt:fonts-rocknroll", "RocknRollOne-Regular.ttf", "rocknroll", "calibrate"),
    Font("seto", "apt:fonts-seto", "setofont.ttf", "seto", "calibrate"),
    _npm("new-tegomin", "calibrate"),
    _npm("zen-kurenaido", "calibrate"),
    _npm("kaisei-opti", "calibrate", weight=700),
    _npm("cactus-classical-serif", "calibrate", script=_HANT),
    _npm("line-seed-jp", "calibrate", weight=800),
    Font("klee", "apt:fonts-klee", "KleeOne-SemiBold.ttf", "klee", "evaluate"),
    Font("fandol-song", "apt:texlive-lang-chinese", "FandolSong-Bold.otf", "fandol", "evaluate"),
    Font("fandol-hei", "apt:texlive-lang-chinese", "FandolHei-Bold.otf", "fandol", "evaluate"),
    Font("fandol-kai", "apt:texlive-lang-chinese", "FandolKai-Regular.otf", "fandol", "evaluate"),
    Font("fandol-fang", "apt:texlive-lang-chinese", "FandolFang-Regular.otf", "fandol", "evaluate"),
    Font("hanazono", "apt:fonts-hanazono", "HanaMinA.ttf", "hanazono", "evaluate"),
    Font("reggae", "apt:fonts-reggae", "ReggaeOne-Regular.ttf", "reggae", "evaluate"),
    Font("un-gungseo", "apt:fonts-unfonts-core", "UnGungseo.ttf", "un-gungseo", "evaluate"),
    _npm("ma-shan-zheng", "evaluate", script=_HANS),
    _npm("zcool-xiaowei", "evaluate", script=_HANS, bad="己"),
    _npm("dela-gothic-one", "evaluate"),
    _npm("potta-one", "evaluate"),
    _npm("yusei-magic", "evaluate"),
    _npm("zen-antique", "evaluate"),
    _npm("kiwi-maru", "evaluate", weight=500),
)


def cache_folder() -> Path:
    """Returns the folder that holds the fetched fonts."""
    return Path(os.environ.get("SUANHU_FONTS") or Path.home() / ".cache" / "suanhu" / "fonts")


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for root in (Path("/usr/share/fonts"), Path("/usr/share/fonts-droid-fallback"), cache_folder()):
        for path in root.rglob("*"):
            if path.suffix.lower() in {".ttf", ".otf", ".ttc", ".woff"} and path.is_file():
                found[path.name] = path
    return found


def path_of(font: Font) -> Path | None:
    """Returns where the font's file lies, or None where it is not there."""
    return _files().get(font.file)


@cache
def available(split: Split) -> tuple[Font, ...]:
    """Returns the fonts of a set whose files are there.

    Raises:
        RuntimeError: None is there.
    """
    fonts = tuple(font for font in FONTS if font.split == split and path_of(font) is not None)
    if not fonts:
        raise RuntimeError(f"no font of the set {split!r} is installed: run python -m vision.training.fonts")
    return fonts


@cache
def characters(font: Font) -> frozenset[str]:
    """Returns the Chinese characters of a font, without those that it draws like another."""
    path = path_of(font)
    if path is None:
        return frozenset()
    stored = cache_folder() / "coverage" / f"{font.name}-{path.stat().st_size}.npy"
    if stored.is_file():
        points = np.load(stored)
    else:
        if path.suffix.lower() == ".ttc":
            with TTCollection(path, lazy=True) as collection:
                cmap = collection.fonts[font.index].getBestCmap()
        else:
            with TTFont(path, lazy=True) as one:
                cmap = one.getBestCmap()
        points = np.array(sorted(p for p in cmap if 0x4E00 <= p <= 0x9FA5), np.uint32)
        stored.parent.mkdir(parents=True, exist_ok=True)
        np.save(stored, points)
    return frozenset(chr(p) for p in points) - frozenset(font.bad)


@cache
def _face(font: Font) -> ImageFont.FreeTypeFont:
    path = path_of(font)
    if path is None:
        raise RuntimeError(f"the font {font.name} is not installed")
    return ImageFont.truetype(str(path), EM, index=font.index)


@lru_cache(maxsize=60_000)
def glyph(font: Font, character: str) -> np.ndarray | None:
    """Returns a character as the font draws it.

    Args:
        font: The font.
        character: One character.

    Returns:
        uint8[160, 160], 255 is ink, the em square of 128 pixels in the middle; None where the font
        lacks the character or draws nothing.
    """
    if character not in characters(font):
        return None
    size = EM + 32
    image = Image.new("L", (size, size), 0)
    ImageDraw.Draw(image).text((size / 2, size / 2), character, 255, font=_face(font), anchor="mm")
    mask = np.asarray(image)
    if int((mask > 127).sum()) < 120:
        return None
    return mask


def _fetch_apt(package: str, wanted: set[str], target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True)
        for deb in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(deb), folder], check=True, capture_output=True)
        for path in Path(folder).rglob("*"):
            if path.name in wanted and not path.is_symlink():
                shutil.copy(path, target / path.name)


def _fetch_npm(package: str, wanted: set[str], target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True)
        for archive in Path(folder).glob("*.tgz"):
            with tarfile.open(archive) as tar:
                for member in tar:
                    name = Path(member.name).name
                    data = tar.extractfile(member) if name in wanted else None
                    if data is not None:
                        (target / name).write_bytes(data.read())


def fetch() -> list[str]:
    """Fetches the fonts that are missing.

    Returns:
        The names of fonts that are still missing.
    """
    missing: dict[str, set[str]] = {}
    for font in FONTS:
        if path_of(font) is None:
            missing.setdefault(font.package, set()).add(font.file)
    target = cache_folder() / "files"
    target.mkdir(parents=True, exist_ok=True)
    for package, wanted in missing.items():
        origin, name = package.split(":", 1)
        try:
            (_fetch_apt if origin == "apt" else _fetch_npm)(name, wanted, target)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{package}: {error}", file=sys.stderr)
    _files.cache_clear()
    available.cache_clear()
    return [font.name for font in FONTS if path_of(font) is None]


def main() -> int:
    """Fetches the fonts and says what is there."""
    missing = fetch()
    for split in ("train", "calibrate", "evaluate"):
        names = [font.name for font in FONTS if font.split == split and font.name not in missing]
        print(f"{split}: {len(names)} fonts: {' '.join(names)}")
    if missing:
        print("missing: " + " ".join(missing), file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
