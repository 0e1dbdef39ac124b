"""Errors of reading, each with one line for the player in three languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LANGS = ("zh-Hant", "zh-Hans", "en")

MOST_SHOWN = 300
"""Of what a message speaks of, so many characters are shown."""


class VisionError(ValueError):
    """Base of all errors of this package.

    ``str(error)`` is one English line; `text` and `hinted` give it in another language.
    """

    texts: ClassVar[dict[str, tuple[str, str, str]]] = {}
    """Code to the message in traditional and simplified Chinese and English."""

    hints: ClassVar[dict[str, tuple[str, str, str]]] = {}
    """Code to what only the command line adds: its switches, which are nowhere else."""

    path: Path | None = None
    """The file that is meant, for whoever sits at this machine; no message names it."""

    def __init__(self, code: str, **values: object) -> None:
        """Name what went wrong.

        Args:
            code: a key of `texts`.
            **values: what the message speaks of.
        """
        self.code = code
        self.values = values
        super().__init__(self.hinted("en"))

    def hinted(self, lang: str = "en") -> str:
        """Say what went wrong, and which switch of the command line helps.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line.
        """
        hint = self.hints.get(self.code)
        return self.text(lang) + (hint[_place(lang)] if hint else "")

    def text(self, lang: str = "en") -> str:
        """Say what went wrong.

        Args:
            lang: ``zh-Hant``, ``zh-Hans`` or ``en``.

        Returns:
            One line.
        """
        values = {key: _shown(value) for key, value in self.values.items()}
        line = fill(self.texts[self.code], values, lang)
        return " ".join(line.split())


def fill(texts: Sequence[str], values: Mapping[str, str], lang: str) -> str:
    """Put what a message speaks of in its places.

    Args:
        texts: the message in each of `LANGS`.
        values: what goes where; the cards of ``labels`` are divided by 、.
        lang: one of `LANGS`, else English; that divides cards by commas.

    Returns:
        The finished message.
    """
    place = _place(lang)
    if LANGS[place] == "en" and "labels" in values:
        values = {**values, "labels": values["labels"].replace("、", ", ")}
    return texts[place].format(**values)


def _place(lang: str) -> int:
    """Where a language stands in each message."""
    return LANGS.index(lang) if lang in LANGS else 2


def _shown(value: object) -> str:
    """Write a value, which may come out of a file that nobody trusts, as a piece of one line."""
    text = "".join(
        character if character.isprintable() else "?" for character in str(value)[: MOST_SHOWN + 1]
    )
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"


class ImageError(VisionError):
    """A file that cannot be read as a photo."""

    texts: ClassVar[dict[str, tuple[str, str, str]]] = {
        "missing": ("沒有這個檔案：{path}", "没有这个文件：{path}", "no such file: {path}"),
        "unreadable": (
            "讀不了這個檔案：{path}",
            "读不了这个文件：{path}",
            "this file cannot be opened: {path}",
        ),
        "empty": ("檔案是空的", "文件是空的", "the file is empty"),
        "not_a_picture": (
            "這不是照片（可用 JPEG、PNG、WebP 或 HEIC）",
            "这不是照片（可用 JPEG、PNG、WebP 或 HEIC）",
            "this is not a picture (JPEG, PNG, WebP or HEIC)",
        ),
        "damaged": ("照片損壞，解不開", "照片损坏，解不开", "the picture is damaged and cannot be decoded"),
        "truncated": (
            "照片不完整，後面缺了一截",
            "照片不完整，后面缺了一截",
            "the picture is incomplete: its end is missing",
        ),
        "too_many_bytes": (
            "檔案太大：{size} MB，最多 {limit} MB",
            "文件太大：{size} MB，最多 {limit} MB",
            "the file is too large: {size} MB, at most {limit} MB",
        ),
        "too_many_pixels": (
            "照片太大：{width}×{height}，最多 {limit} 百萬像素",
            "照片太大：{width}×{height}，最多 {limit} 百万像素",
            "the picture is too large: {width}×{height}, at most {limit} megapixels",
        ),
        "too_small": (
            "照片太小：{width}×{height}，短邊至少 {limit} 像素",
            "照片太小：{width}×{height}，短边至少 {limit} 像素",
            "the picture is too small: {width}×{height}, the short side needs {limit} pixels",
        ),
        "black": ("照片全黑", "照片全黑", "the picture is all black"),
        "heic": (
            "讀 HEIC 照片要先安裝 suanhu[heic]",
            "读 HEIC 照片要先安装 suanhu[heic]",
            "HEIC pictures need the extra suanhu[heic]",
        ),
    }


class ModelError(VisionError):
    """A model that is missing or is not the one that was shipped."""

    texts: ClassVar[dict[str, tuple[str, str, str]]] = {
        "missing": ("缺少檔案：{name}", "缺少文件：{name}", "a file of the program is missing: {name}"),
        "other": (
            "模型 {name} 與清單不符（SHA-256 不同）",
            "模型 {name} 与清单不符（SHA-256 不同）",
            "the model {name} is not the one in the manifest (its SHA-256 differs)",
        ),
        "broken": ("模型 {name} 打不開", "模型 {name} 打不开", "the model {name} cannot be loaded"),
        "runtime": (
            "沒有安裝 onnxruntime，不能讀照片",
            "没有安装 onnxruntime，不能读照片",
            "onnxruntime is not installed, photos cannot be read",
        ),
    }


_INSIST = ("（沒錯就加 --insist）", "（没错就加 --insist）", " (--insist learns it so)")


class DeckError(VisionError):
    """A deck that cannot be loaded, saved, found or learned."""

    hints: ClassVar[dict[str, tuple[str, str, str]]] = {
        "faces_missing": (
            "（只學一部分可加 --partial）",
            "（只学一部分可加 --partial）",
            " (with --partial a part can be learned)",
        ),
        "not_a_deck": ("（用 --cards）", "（用 --cards）", " (with --cards)"),
        "order_assumed": (
            "（用 --cards；次序沒錯就加 --insist）",
            "（用 --cards；次序没错就加 --insist）",
            " (with --cards, or, where it is right, --insist)",
        ),
        "other_deck": (
            "，或 suanhu deck import 時用 --name 改名",
            "，或 suanhu deck import 时用 --name 改名",
            ", or take it with suanhu deck import --name",
        ),
        **dict.fromkeys(
            ("exchanged", "namesake", "order", "order_strange", "two_decks", "unalike"),
            _INSIST,
        ),
    }

    texts: ClassVar[dict[str, tuple[str, str, str]]] = {
        "missing": (
            "沒有這副牌：{name}。已有：{known}",
            "没有这副牌：{name}。已有：{known}",
            "no such deck: {name}; known: {known}",
        ),
        "no_file": (
            "沒有這個牌檔，或讀不了：{path}",
            "没有这个牌文件，或读不了：{path}",
            "no such deck file, or it cannot be read: {path}",
        ),
        "damaged": (
            "牌檔損壞：{name}（{reason}）",
            "牌文件损坏：{name}（{reason}）",
            "the deck file {name} is damaged: {reason}",
        ),
        "version": (
            "牌檔 {name} 的版本是 {found}，這個程式只認 {known}",
            "牌文件 {name} 的版本是 {found}，这个程序只认 {known}",
            "the deck file {name} has format version {found}, this program knows {known}",
        ),
        "too_large": ("牌檔太大：{name}", "牌文件太大：{name}", "the deck file {name} is too large"),
        "read_only": (
            "「{name}」是自帶的牌，不能刪改",
            "「{name}」是自带的牌，不能删改",
            "the deck {name} ships with the program and is read-only",
        ),
        "name": (
            (
                "牌名不能用：{name}（字母、數字、漢字、-、_，中間可有空格、點和 +，最多 40 字，"
                "不能叫 auto 或 con、nul 等）"
            ),
            (
                "牌名不能用：{name}（字母、数字、汉字、-、_，中间可有空格、点和 +，最多 40 字，"
                "不能叫 auto 或 con、nul 等）"
            ),
            (
                "a deck cannot be called '{name}': letters, digits, - and _, inside also spaces, dots and +, "
                "at most 40, and not auto or a device of Windows such as con and nul"
            ),
        ),
        "suffix_name": (
            "牌名不帶 .deck：{name}",
            "牌名不带 .deck：{name}",
            "the name of a deck does not end in .deck: {name}",
        ),
        "other_deck": (
            "自己已有另一副叫「{name}」的牌，沒有學：把檔案改名",
            "自己已有另一副叫「{name}」的牌，没有学：把文件改名",
            "your own deck {name} is another one, nothing was taught: rename the file",
        ),
        "shipped_name": (
            "自帶的牌就叫「{name}」，會被蓋住：換個名字",
            "自带的牌就叫「{name}」，会被盖住：换个名字",
            "a deck called {name} ships and would be hidden: choose another name",
        ),
        "nothing_to_undo": (
            "「{name}」沒有可撤回的",
            "「{name}」没有可撤回的",
            "there is nothing to take back of {name}",
        ),
        "exists": (
            "已有一副叫「{name}」的牌",
            "已有一副叫「{name}」的牌",
            "there is a deck called {name} already",
        ),
        "label": ("不認識的牌：{label}", "不认识的牌：{label}", "unknown card: {label}"),
        "faces_mixed": (
            "{labels} 不會在同一副牌裡",
            "{labels} 不会在同一副牌里",
            "{labels} do not belong to one deck",
        ),
        "faces_missing": (
            "還缺這些牌面：{labels}",
            "还缺这些牌面：{labels}",
            "these faces are missing: {labels}",
        ),
        "no_photo": ("至少要一張照片", "至少要一张照片", "at least one photo is needed"),
        "many_photos": (
            "{photos} 張照片太多，最多 {most} 張",
            "{photos} 张照片太多，最多 {most} 张",
            "{photos} photos are too many, at most {most}",
        ),
        "photos_cards": (
            "{photos} 張照片，卻有 {cards} 組牌名",
            "{photos} 张照片，却有 {cards} 组牌名",
            "photos: {photos}, but lists of cards: {cards}",
        ),
        "too_few": (
            "第 {photo} 張照片只找到 {found} 張牌，牌名有 {named} 個：把牌分開擺，拍全",
            "第 {photo} 张照片只找到 {found} 张牌，牌名有 {named} 个：把牌分开摆，拍全",
            "photo {photo} shows {found} cards but {named} are named: lay them apart and photograph all",
        ),
        "too_many": (
            "第 {photo} 張照片找到 {found} 張牌，牌名只有 {named} 個：拿走多餘的牌",
            "第 {photo} 张照片找到 {found} 张牌，牌名只有 {named} 个：拿走多余的牌",
            "photo {photo} shows {found} cards but only {named} are named: take the others away",
        ),
        "namesake": (
            "第 {photo} 張照片第 {place} 張不像別的「{label}」，倒像「{other}」：請檢查次序",
            "第 {photo} 张照片第 {place} 张不像别的「{label}」，倒像「{other}」：请检查次序",
            "card {place} of photo {photo} looks unlike the other {label} and like {other}: check the order",
        ),
        "two_decks": (
            "第 {photo} 張照片有 {count} 張不像前面照片裡的同名牌：好像是兩副不同的牌，或次序不同",
            "第 {photo} 张照片有 {count} 张不像前面照片里的同名牌：好像是两副不同的牌，或次序不同",
            (
                "{count} cards of photo {photo} look unlike those of the same name before: "
                "the photos seem to show two different decks, or another order"
            ),
        ),
        "order_assumed": (
            "沒有寫牌名，就當次序是 {order}，可是 {labels} 不像：請照次序寫出牌面",
            "没有写牌名，就当次序是 {order}，可是 {labels} 不像：请照次序写出牌面",
            "without names the order {order} is assumed, but {labels} do not fit: name them in their order",
        ),
        "unclear": (
            "這些牌面看不清，和許多別的分不開：{labels}。請重拍，牌分開擺，光線均勻",
            "这些牌面看不清，和许多别的分不开：{labels}。请重拍，牌分开摆，光线均匀",
            "these faces are not clear and look like many others: {labels}; take the photo again",
        ),
        "unalike": (
            "{labels} 在各張照片裡樣子不同：好像是兩副不同的牌",
            "{labels} 在各张照片里样子不同：好像是两副不同的牌",
            "{labels}: looks otherwise in another photo; the photos seem to show two different decks",
        ),
        "order": (
            "次序好像不對：{labels} 不像各自的素牌",
            "次序好像不对：{labels} 不像各自的素牌",
            "the order seems wrong: {labels} look unlike their plain copies",
        ),
        "order_strange": (
            "第 {photo} 張照片的次序好像不對：{labels} 的樣子像別的牌",
            "第 {photo} 张照片的次序好像不对：{labels} 的样子像别的牌",
            "the order of photo {photo} seems wrong: {labels} look like other cards",
        ),
        "same_photo": (
            "第 {other} 張和第 {photo} 張是同一張照片，牌名卻不同",
            "第 {other} 张和第 {photo} 张是同一张照片，牌名却不同",
            "photos {other} and {photo} are the same but are named otherwise",
        ),
        "exchanged": (
            "第 {photo} 張照片裡「{one}」和「{other}」好像對調了：請檢查次序",
            "第 {photo} 张照片里「{one}」和「{other}」好像对调了：请检查次序",
            "{one} and {other} seem exchanged in photo {photo}: check the order",
        ),
        "not_a_deck": (
            "第 {photo} 張照片找到 {found} 張牌；各種牌面一張的話是 27、28 或 24 張。請說明牌名",
            "第 {photo} 张照片找到 {found} 张牌；各种牌面一张的话是 27、28 或 24 张。请说明牌名",
            "photo {photo} shows {found} cards; every face once is 27, 28 or 24: name them",
        ),
        "no_examples": (
            "「{name}」沒有牌面的樣本",
            "「{name}」没有牌面的样本",
            "the deck {name} has no examples",
        ),
    }


class Cancelled(Exception):  # noqa: N818
    """Reading was stopped by the one who asked for it."""
