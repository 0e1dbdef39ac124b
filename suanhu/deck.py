"""`suanhu deck`: learns decks from photos of their faces, and keeps them."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from suanhu.errors import one_line
from suanhu.language import chosen, say
from suanhu.streams import picture_of

if TYPE_CHECKING:
    from pathlib import Path

    from suanhu.parser import Subparsers
    from vision.deck import Deck
    from vision.shelf import Shelf


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say(
        "學一副牌，列出、收發牌檔",
        "学一副牌，列出、收发牌文件",
        "learn a deck from photos, list and share decks",
    )
    parser = subparsers.add_parser("deck", help=what, description=what)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, what: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=what, description=what)

    name_help = say("牌的名字", "牌的名字", "the deck's name")
    learn = action(
        "learn", say("從牌面的照片學一副牌", "从牌面的照片学一副牌", "learn a deck from photos of its faces")
    )
    learn.add_argument("name", metavar="NAME", help=name_help)
    learn.add_argument("photos", nargs="+", metavar="PHOTO", help=say("照片", "照片", "the photos"))
    learn.add_argument(
        "--cards",
        action="append",
        metavar="CARDS",
        help=say(
            "照片裏的牌面，按閱讀次序；一組用於每張照片，或每張照片一組；不寫就是每種一張，從上大人起",
            "照片里的牌面，按阅读次序；一组用于每张照片，或每张照片一组；不写就是每种一张，从上大人起",
            "the faces in reading order, one list for all photos or one for each; "
            "without it every face lies there once, from 上 on",
        ),
    )
    learn.add_argument(
        "--partial",
        action="store_true",
        help=say("牌面不全也學", "牌面不全也学", "learn it although faces are missing"),
    )
    learn.add_argument(
        "--insist",
        action="store_true",
        help=say(
            "次序沒錯，看着像錯也照學",
            "次序没错，看着像错也照学",
            "the order is right, learn it although it seems wrong",
        ),
    )
    listing = action("list", say("列出會認的牌", "列出会认的牌", "list the known decks"))
    show = action("show", say("一副牌的詳情", "一副牌的详情", "what is known of a deck"))
    show.add_argument("name", metavar="NAME", help=name_help)
    for each in (listing, show):
        each.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))
    export = action("export", say("寫成檔案，可發給朋友", "写成文件，可发给朋友", "write a deck into a file"))
    export.add_argument("name", metavar="NAME", help=name_help)
    export.add_argument("file", metavar="FILE", help=say("寫到哪裏", "写到哪里", "where to"))
    take = action("import", say("收下一個牌檔", "收下一个牌文件", "take a deck from a file"))
    take.add_argument("file", metavar="FILE", help=say("牌檔", "牌文件", "the deck's file"))
    take.add_argument("--name", metavar="NAME", help=say("改叫什麼", "改叫什么", "what to call it here"))
    take.add_argument(
        "--force",
        action="store_true",
        help=say("換掉同名的牌", "换掉同名的牌", "replace your own deck of that name"),
    )
    undo = action(
        "undo",
        say(
            "撤回上一次改正，或重學前的那副牌",
            "撤回上一次改正，或重学前的那副牌",
            "take back the last correction, or the deck as it was before it was replaced",
        ),
    )
    undo.add_argument("name", metavar="NAME", help=name_help)
    delete = action("delete", say("刪掉自己的一副牌", "删掉自己的一副牌", "delete a deck of your own"))
    delete.add_argument("name", metavar="NAME", help=name_help)


def run(args: argparse.Namespace) -> int:
    """Do what is asked with decks.

    Returns:
        The exit status, 0.
    """
    actions = {
        "learn": _learn,
        "list": _list,
        "show": _show,
        "export": _export,
        "import": _import,
        "undo": _undo,
        "delete": _delete,
    }
    actions[args.action](args)
    return 0


def _learn(args: argparse.Namespace) -> None:
    from vision.deck import PRIVACY
    from vision.learn import learn_deck
    from vision.shelf import Shelf, check_new_name

    check_new_name(args.name)
    cards = args.cards[0] if args.cards and len(args.cards) == 1 else args.cards
    learned = learn_deck(
        args.name,
        [picture_of(photo) for photo in args.photos],
        cards,
        partial=args.partial,
        insist=args.insist,
    )
    shelf = Shelf()
    aside = shelf.set_aside(learned.deck)
    path = shelf.save(learned.deck)
    faces, examples = len(learned.deck.labels), len(learned.deck.examples)
    print(
        say(
            f"學會了「{args.name}」：{faces} 種牌面，{examples} 個樣本，存在 {path}",
            f"学会了「{args.name}」：{faces} 种牌面，{examples} 个样本，存在 {path}",
            f"learned {args.name}: {faces} faces, {examples} examples, kept in {path}",
        )
    )
    _tell_aside(aside)
    for warning in learned.warnings:
        print(warning.text(chosen()))
    print(PRIVACY[chosen()])


def _tell_aside(aside: "Path | None") -> None:
    if aside is not None:
        print(
            say(
                f"原來叫這個名字的那副牌留在 {aside}",
                f"原来叫这个名字的那副牌留在 {aside}",
                f"the deck that had this name is kept as {aside}",
            )
        )


def _list(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    shelf = Shelf()
    decks = shelf.decks()
    if args.json:
        print(json.dumps({"decks": [_about(deck) for deck in decks]}, ensure_ascii=False))
    else:
        for deck in decks:
            print(_line(deck))
        if not decks:
            print(say("還沒有牌", "还没有牌", "there is no deck yet"))
    tell_damaged(shelf)
    for deck in decks:
        _tell_hidden(deck)


def tell_damaged(shelf: "Shelf") -> None:
    """Warn of own decks that were left out because their files cannot be read.

    Args:
        shelf: That has loaded its decks.
    """
    for error in shelf.damaged:
        print(f"suanhu: {one_line(error)}", file=sys.stderr)


def _tell_hidden(deck: "Deck") -> None:
    """Warn of an own deck that hides one that ships; it was there before such names were refused."""
    from vision.shelf import hides_shipped

    if not deck.read_only and hides_shipped(deck.name, deck):
        print(
            say(
                f"suanhu: 自己的「{deck.name}」蓋住了自帶的同名牌；export 後 import --name 改名，再刪掉它",
                f"suanhu: 自己的「{deck.name}」盖住了自带的同名牌；export 后 import --name 改名，再删掉它",
                f"suanhu: your own deck {deck.name} hides the one of that name that ships; export it, "
                "import it with --name under another, then delete it",
            ),
            file=sys.stderr,
        )


def _show(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    deck = Shelf().find(args.name)
    _tell_hidden(deck)
    if args.json:
        print(json.dumps(_about(deck), ensure_ascii=False))
        return
    print(_line(deck))
    for label, count in _examples(deck).items():
        print(f"  {label} {count}")
    if deck.missing:
        missing = "、".join(deck.missing)
        print(say(f"還沒學：{missing}", f"还没学：{missing}", f"not learned: {missing}"))


def _export(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    Shelf().find(args.name).save(args.file)
    print(say(f"寫在 {args.file}", f"写在 {args.file}", f"written to {args.file}"))


def _import(args: argparse.Namespace) -> None:
    from vision.deck import PRIVACY, Deck
    from vision.errors import DeckError
    from vision.shelf import Shelf, check_new_name

    deck = Deck.load(args.file)
    if args.name:
        deck = deck.renamed(args.name)
    check_new_name(deck.name, deck)
    shelf = Shelf()
    path = shelf.path(deck.name)
    if path.exists() and not args.force and path.read_bytes() != deck.to_bytes():
        raise DeckError("exists", name=deck.name)
    aside = shelf.set_aside(deck)
    path = shelf.save(deck)
    print(
        say(
            f"收下了「{deck.name}」，存在 {path}",
            f"收下了「{deck.name}」，存在 {path}",
            f"took {deck.name}, kept in {path}",
        )
    )
    _tell_aside(aside)
    print(PRIVACY[chosen()])


def _undo(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    deck = Shelf().undo(args.name)
    print(say("撤回了，現在是：", "撤回了，现在是：", "taken back; it is now: ") + _line(deck))


def _delete(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    Shelf().delete(args.name)
    print(say(f"刪掉了「{args.name}」", f"删掉了「{args.name}」", f"deleted {args.name}"))


def _examples(deck: "Deck") -> dict[str, int]:
    counts = dict.fromkeys(deck.labels, 0)
    for example in deck.examples:
        counts[example.label] += 1
    return counts


def _about(deck: "Deck") -> dict[str, Any]:
    return {
        "name": deck.name,
        "kind": deck.kind,
        "read_only": deck.read_only,
        "faces": _examples(deck),
        "missing": list(deck.missing),
    }


def _line(deck: "Deck") -> str:
    whose = say("自帶", "自带", "ships") if deck.read_only else say("自己的", "自己的", "your own")
    return say(
        f"{deck.name}　{deck.kind} 張的牌　{len(deck.labels)} 種牌面　{whose}",
        f"{deck.name}　{deck.kind} 张的牌　{len(deck.labels)} 种牌面　{whose}",
        f"{deck.name}  {deck.kind} cards  {len(deck.labels)} faces  {whose}",
    )
