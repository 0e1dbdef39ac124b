"""`suanhu read`: the cards in a photo."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from suanhu.deck import tell_damaged
from suanhu.language import listed, say, spelled
from suanhu.outputs import PICTURES, check_output
from suanhu.streams import picture_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers
    from vision.types import Card, Reading


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("認出照片裡的牌", "认出照片里的牌", "the cards in a photo")
    parser = subparsers.add_parser("read", help=what, description=what)
    parser.add_argument(
        "photo",
        metavar="PHOTO",
        help=say("照片，或 -（標準輸入）", "照片，或 -（标准输入）", "the photo, or - for standard input"),
    )
    parser.add_argument(
        "--deck",
        default="auto",
        metavar="D",
        help=say(
            "牌的名字或檔案；auto 自己認",
            "牌的名字或文件；auto 自己认",
            "a deck's name or file; auto finds it",
        ),
    )
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))
    parser.add_argument(
        "--overlay",
        metavar="OUT.png",
        help=say("把認出的牌畫在照片上", "把认出的牌画在照片上", "write the photo with every card outlined"),
    )


def run(args: argparse.Namespace) -> int:
    """Read a photo.

    Returns:
        The exit status, 0; a picture without cards is no error.
    """
    from vision.read import Reader
    from vision.shelf import Shelf

    if args.overlay:
        check_output(args.overlay, PICTURES, (args.photo, args.deck))
    shelf = Shelf()
    decks = shelf.decks() if args.deck == "auto" else shelf.find(args.deck)
    tell_damaged(shelf)
    picture = picture_of(args.photo)
    reading = Reader().read(picture, decks)
    if args.overlay:
        from vision.draw import save_overlay

        save_overlay(Path(args.overlay), picture, in_script(reading))
    if args.json:
        print(json.dumps(reading.to_json(), ensure_ascii=False))
    else:
        for line in lines(reading):
            print(line)
    return 0


def in_script(reading: "Reading") -> "Reading":
    """Name the cards of a reading in the script of the chosen language, to be drawn for people."""
    return replace(reading, cards=tuple(replace(card, card=spelled(card.card)) for card in reading.cards))


def lines(
    reading: "Reading",
    places: Sequence[int] | None = None,
    doubts: Sequence[int] | None = None,
    *,
    with_options: bool = False,
) -> Iterator[str]:
    """Say which cards were read, group by group, which are unsure, and where one could not be read.

    Args:
        reading: What was read.
        places: The number of each card; None counts from 0.
        doubts: The number of each place that could not be read; None counts from 0.
        with_options: Whether the options of `photo` are named that answer such a place.
    """
    places = range(len(reading.cards)) if places is None else places
    doubts = range(len(reading.doubts)) if doubts is None else doubts
    numbered = list(zip(places, reading.cards, strict=True))
    count = len(reading.cards)
    if not count and not reading.doubts:
        yield say(
            "照片裡沒看到牌；有的話，拍近些，或把四周裁掉",
            "照片里没看到牌；有的话，拍近些，或把四周裁掉",
            "no card is seen in this picture; if there are some, come closer or crop the picture",
        )
        return
    if not count:
        yield say(
            "一張牌也沒讀出來；是沒見過的牌，就用 suanhu deck learn 學一下",
            "一张牌也没读出来；是没见过的牌，就用 suanhu deck learn 学一下",
            "no card could be read; if they are of a deck not seen before, learn it with suanhu deck learn",
        )
    elif reading.deck is None:
        yield say(
            "這副牌沒見過，用 suanhu deck learn 學一下；下面只是猜的",
            "这副牌没见过，用 suanhu deck learn 学一下；下面只是猜的",
            "no known deck looks like this, learn it with suanhu deck learn; what follows is a guess",
        )
    else:
        yield say(
            f"牌：{reading.deck}，{count} 張",
            f"牌：{reading.deck}，{count} 张",
            f"deck {reading.deck}, {count} cards",
        )
    for _, group in groupby(numbered, key=lambda each: each[1].group):
        yield "  " + "  ".join(
            f"{place} {spelled(card.card)}{'' if card.sure else '?'}" for place, card in group
        )
    for place, card in numbered:
        if not card.sure:
            yield _unsure(place, card)
    reasons = {
        "covered": say("被蓋住了", "被盖住了", "covered"),
        "unreadable": say("看不清", "看不清", "unreadable"),
        "cut off": say("不全在照片裡", "不全在照片里", "cut off"),
    }
    for number, doubt in zip(doubts, reading.doubts, strict=True):
        where = f"({doubt.mark[0]:.0f}, {doubt.mark[1]:.0f})"
        said = say(
            f"× {number}　{where} 有一張牌讀不出：{reasons[doubt.why]}",
            f"× {number}　{where} 有一张牌读不出：{reasons[doubt.why]}",
            f"× {number}  a card at {where} could not be read: {reasons[doubt.why]}",
        )
        how = say(
            f"（有牌就 --add 牌，沒牌就 --clear {number}）",
            f"（有牌就 --add 牌，没牌就 --clear {number}）",
            f" (a card: --add CARD; nothing lies there: --clear {number})",
        )
        yield said + (how if with_options else "")


def _unsure(place: int, card: "Card") -> str:
    others = listed(name for name, _ in card.others[:3]) or "?"
    name = spelled(card.card)
    return say(
        f"第 {place} 張 {name} 沒把握，也可能是 {others}",
        f"第 {place} 张 {name} 没把握，也可能是 {others}",
        f"card {place}, {name}, is not sure; it may be {others}",
    )
