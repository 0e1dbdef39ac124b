"""`suanhu read`: the cards in a photo."""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from suanhu.deck import tell_damaged
from suanhu.language import say
from suanhu.streams import picture_of

if TYPE_CHECKING:
    from suanhu.parser import Subparsers
    from vision.types import Card, Reading


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("認出照片裏的牌", "认出照片里的牌", "the cards in a photo")
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

    shelf = Shelf()
    decks = shelf.decks() if args.deck == "auto" else shelf.find(args.deck)
    tell_damaged(shelf)
    picture = picture_of(args.photo)
    reading = Reader().read(picture, decks)
    if args.overlay:
        from vision.draw import save_overlay

        save_overlay(Path(args.overlay), picture, reading)
    if args.json:
        print(json.dumps(reading.to_json(), ensure_ascii=False))
    else:
        for line in lines(reading):
            print(line)
    return 0


def lines(
    reading: "Reading", places: Sequence[int] | None = None, doubts: Sequence[int] | None = None
) -> Iterator[str]:
    """Say which cards were read, group by group, which are unsure, and where one could not be read.

    Args:
        reading: What was read.
        places: The number of each card; None counts from 0.
        doubts: The number of each place that could not be read; None counts from 0.
    """
    places = range(len(reading.cards)) if places is None else places
    doubts = range(len(reading.doubts)) if doubts is None else doubts
    numbered = list(zip(places, reading.cards, strict=True))
    count = len(reading.cards)
    if not count and not reading.doubts:
        yield say("照片裏沒有牌", "照片里没有牌", "there is no card in this picture")
        return
    if reading.deck is None:
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
        yield "  " + "  ".join(f"{place} {card.card}{'' if card.sure else '?'}" for place, card in group)
    for place, card in numbered:
        if not card.sure:
            yield _unsure(place, card)
    reasons = {
        "covered": say("被蓋住了", "被盖住了", "covered"),
        "unreadable": say("看不清", "看不清", "unreadable"),
        "cut off": say("不全在照片裏", "不全在照片里", "cut off"),
    }
    for number, doubt in zip(doubts, reading.doubts, strict=True):
        where = f"({doubt.mark[0]:.0f}, {doubt.mark[1]:.0f})"
        yield say(
            f"× {number}　{where} 有一張牌讀不出：{reasons[doubt.why]}",
            f"× {number}　{where} 有一张牌读不出：{reasons[doubt.why]}",
            f"× {number}  a card at {where} could not be read: {reasons[doubt.why]}",
        )


def _unsure(place: int, card: "Card") -> str:
    others = "、".join(name for name, _ in card.others[:3]) or "?"
    return say(
        f"第 {place} 張 {card.card} 沒把握，也可能是 {others}",
        f"第 {place} 张 {card.card} 没把握，也可能是 {others}",
        f"card {place}, {card.card}, is not sure; it may be {others}",
    )
