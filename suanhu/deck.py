"""`suanhu deck`: learns decks from photos of their faces, and keeps them."""

import argparse
import datetime as dt
import errno
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from suanhu.errors import CommandError, one_line
from suanhu.language import chosen, listed, say, spelled
from suanhu.streams import picture_of

if TYPE_CHECKING:
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
            "照片裡的牌面，按閱讀次序；一組用於每張照片，或每張照片一組；不寫就是每種一張，從上大人起",
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
    export.add_argument("file", metavar="FILE", help=say("寫到哪裡", "写到哪里", "where to"))
    export.add_argument(
        "--force",
        action="store_true",
        help=say("換掉那裡的另一副牌", "换掉那里的另一副牌", "replace the file of another deck"),
    )
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
            "撤回上一次改正，或重學、換掉、刪除",
            "撤回上一次改正，或重学、换掉、删除",
            "take back the last lesson, or else that the deck was learned anew, replaced or deleted",
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
    from vision.shelf import Shelf

    shelf = Shelf()
    shelf.check_new(args.name)
    cards = args.cards[0] if args.cards and len(args.cards) == 1 else args.cards
    learned = learn_deck(
        args.name,
        [picture_of(photo) for photo in args.photos],
        cards,
        partial=args.partial,
        insist=args.insist,
    )
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
        print(f"  {spelled(label)} {count}")
    _tell_missing(deck)


def _tell_missing(deck: "Deck") -> None:
    if deck.missing:
        missing = listed(deck.missing)
        print(say(f"還沒學：{missing}", f"还没学：{missing}", f"not learned: {missing}"))


def _export(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    shelf = Shelf()
    deck = shelf.find(args.name)
    if args.file == "-":
        raise CommandError(
            say(
                "牌寫成檔案，不寫到標準輸出：寫檔名",
                "牌写成文件，不写到标准输出：写文件名",
                "a deck is written to a file, not to standard output: name one",
            )
        )
    target = Path(args.file)
    replaced = _to_replace(target, shelf)
    if replaced not in (None, deck.name) and not args.force:
        raise CommandError(
            say(
                f"{target} 是另一副牌「{replaced}」，不覆蓋（要換掉就加 --force）",
                f"{target} 是另一副牌「{replaced}」，不覆盖（要换掉就加 --force）",
                f"{target} is the file of another deck, {replaced}: it is not overwritten (--force does)",
            )
        )
    try:
        deck.save(target)
    except FileNotFoundError as error:
        # Its folder is there, and takes no files.
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(target)) from error
    print(say(f"寫在 {target}", f"写在 {target}", f"written to {target}"))
    if replaced is not None:
        print(
            say(
                f"原來那裡的牌檔「{replaced}」換掉了",
                f"原来那里的牌文件「{replaced}」换掉了",
                f"it replaced the deck file of {replaced} that was there",
            )
        )


def _to_replace(target: Path, shelf: "Shelf") -> str | None:
    """Make sure that a deck may be written to a path.

    Returns:
        What the deck whose file will be replaced calls itself, whatever the file is called; None where there
        is none.

    Raises:
        CommandError: It would replace something that is no deck, or a deck of the player's own, or the folder
            is missing.
        OSError: It is a folder.
    """
    from vision.deck import Deck
    from vision.errors import DeckError

    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    folder = target.parent
    if not folder.is_dir():
        raise CommandError(
            say(f"沒有這個資料夾：{folder}", f"没有这个文件夹：{folder}", f"no such folder: {folder}")
        )
    if folder.resolve() == shelf.folder.resolve():
        raise CommandError(
            say(
                f"{folder} 裡是自己的牌，不能 export 到那裡；要改名用 import --name",
                f"{folder} 里是自己的牌，不能 export 到那里；要改名用 import --name",
                f"{folder} is where your own decks are kept: export elsewhere; import --name renames one",
            )
        )
    if not os.path.lexists(target):
        return None
    try:
        if target.is_file():
            return Deck.load(target, called_as_file=False).name
    except DeckError:
        pass
    raise CommandError(
        say(
            f"{target} 已經有了，不是牌檔，不覆蓋",
            f"{target} 已经有了，不是牌文件，不覆盖",
            f"{target} exists and is no deck file: it is not overwritten",
        )
    )


def _import(args: argparse.Namespace) -> None:
    from vision.deck import PRIVACY, Deck, is_name
    from vision.errors import DeckError
    from vision.shelf import Shelf

    shelf = Shelf()
    deck = Deck.load(args.file)
    called = Path(args.file).name.removesuffix(".deck")
    if args.name is not None:
        deck = deck.renamed(args.name)
    shelf.check_new(deck.name, deck)
    path = shelf.path(deck.name)
    same = path.exists() and path.read_bytes() == deck.to_bytes()
    if path.exists() and not args.force and not same:
        raise DeckError("exists", name=deck.name)
    aside = None if same else shelf.set_aside(deck)
    path = shelf.save(deck)
    print(
        say(
            f"收下了「{deck.name}」，存在 {path}",
            f"收下了「{deck.name}」，存在 {path}",
            f"took {deck.name}, kept in {path}",
        )
    )
    if args.name is None and not is_name(called):
        print(
            say(
                f"檔名不能作牌名，用了檔裡寫的「{deck.name}」（--name 可另起）",
                f"文件名不能作牌名，用了文件里写的「{deck.name}」（--name 可另起）",
                f"the file's name cannot be a deck's, so it has the one that is written in it, {deck.name} "
                "(--name gives another)",
            )
        )
    _tell_aside(aside)
    _tell_missing(deck)
    print(PRIVACY[chosen()])


def _undo(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    shelf = Shelf()
    undone = shelf.undo(args.name)
    kept = "" if undone.kept is None else str(undone.kept)
    if undone.what == "lesson":
        labels = listed(undone.labels) or "?"
        what = say(
            f"撤回了上一次改正（{labels}）",
            f"撤回了上一次改正（{labels}）",
            f"taken back: the last lesson ({labels})",
        )
    elif undone.kept is not None:
        when = _saved(undone.kept)
        what = say(
            f"撤回了 {when} 學的（或收下的）那副",
            f"撤回了 {when} 学的（或收下的）那副",
            f"taken back: the deck that was learned or taken on {when}",
        )
    else:
        what = say("撤回了刪除", "撤回了删除", "taken back: that it was deleted")
    print(what + (say(f"，留在 {kept}", f"，留在 {kept}", f", kept as {kept}") if kept else ""))
    now = "" if undone.deck.read_only else _saved(shelf.path(args.name))
    since = say(f"　{now} 存的", f"　{now} 存的", f"  saved on {now}") if now else ""
    print(say("現在是：", "现在是：", "it is now: ") + _line(undone.deck) + since)


def _saved(path: Path) -> str:
    """Say when a deck was saved, in the time of this machine."""
    return f"{dt.datetime.fromtimestamp(path.stat().st_mtime).astimezone():%Y-%m-%d %H:%M}"


def _delete(args: argparse.Namespace) -> None:
    from vision.shelf import Shelf

    kept = Shelf().delete(args.name, aside=True)
    print(
        say(
            f"刪掉了「{args.name}」，留在 {kept}；suanhu deck undo {args.name} 找回",
            f"删掉了「{args.name}」，留在 {kept}；suanhu deck undo {args.name} 找回",
            f"deleted {args.name}, kept as {kept}; suanhu deck undo {args.name} brings it back",
        )
    )


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
