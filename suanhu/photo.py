"""`suanhu photo`: reads a photo, corrects it, counts the hand and says who pays what."""

import argparse
import datetime as dt
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from suanhu.deck import tell_damaged
from suanhu.errors import CommandError
from suanhu.language import chosen, listed, say
from suanhu.options import Round, add_round_options, round_of
from suanhu.outputs import PICTURES, SLIPS, check_output
from suanhu.streams import picture_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer import Book
    from suanhu.parser import Subparsers
    from table.cards import Corrections, TableCard
    from table.round import Round as TableRound
    from table.words import LaidError
    from vision.deck import Deck
    from vision.read import Picture, Reader
    from vision.types import Reading


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say(
        "讀照片、改正、數胡，算誰付多少",
        "读照片、改正、数胡，算谁付多少",
        "read a photo, correct it, count the hand and say who pays what",
    )
    parser = subparsers.add_parser("photo", help=what, description=what)
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
    add_round_options(parser)
    parser.add_argument(
        "--laid",
        default="",
        metavar="GROUPS",
        help=say(
            "桌面上的牌，如 (三三花三)[可可可可]",
            "桌面上的牌，如 (三三花三)[可可可可]",
            "what lay on the table, (三三花三)[可可可可]",
        ),
    )
    parser.add_argument(
        "--guess",
        action="store_true",
        help=say(
            "按擺法認定桌面的牌和胡的牌",
            "按摆法认定桌面的牌和胡的牌",
            "take what lies apart as laid and what lies alone as the winning card",
        ),
    )
    parser.add_argument(
        "--set",
        dest="corrected",
        action="append",
        default=[],
        metavar="N=CARD",
        help=say("第 N 張其實是哪張牌", "第 N 张其实是哪张牌", "what card N really is"),
    )
    parser.add_argument(
        "--drop",
        dest="dropped",
        action="append",
        default=[],
        metavar="N",
        help=say("第 N 張不算", "第 N 张不算", "card N is none of the hand's"),
    )
    parser.add_argument(
        "--add",
        dest="added",
        action="append",
        default=[],
        metavar="CARD",
        help=say("照片裡沒有的牌", "照片里没有的牌", "a card that the photo does not show"),
    )
    parser.add_argument(
        "--clear",
        dest="cleared",
        action="append",
        default=[],
        metavar="N",
        help=say(
            "看不清的第 N 處不是這手的牌（每個 --add 也了結一處）",
            "看不清的第 N 处不是这手的牌（每个 --add 也了结一处）",
            "unread place N is none of the hand's; each --add answers one, too",
        ),
    )
    parser.add_argument(
        "--teach",
        action="store_true",
        help=say("用 --set 的改正教這副牌", "用 --set 的改正教这副牌", "teach the deck what --set corrects"),
    )
    parser.add_argument(
        "--insist",
        action="store_true",
        help=say(
            "看着是別的牌也照教",
            "看着是别的牌也照教",
            "teach what looks like another card, too",
        ),
    )
    parser.add_argument("--json", action="store_true", help=say("輸出 JSON", "输出 JSON", "print JSON"))
    parser.add_argument(
        "--overlay",
        metavar="OUT.png",
        help=say("把認出的牌畫在照片上", "把认出的牌画在照片上", "write the photo with the cards outlined"),
    )
    parser.add_argument(
        "--slip",
        metavar="OUT.png|OUT.pdf",
        help=say("寫一張單據", "写一张单据", "write a slip that anyone can check"),
    )


def run(args: argparse.Namespace) -> int:
    """Read a photo and score it.

    Returns:
        The exit status: 0 it wins, 1 it does not (or there are no cards), 2 what was told of the table is not
        among the cards read, 3 a card has to be asked for.
    """
    from scorer.cards import parse_card
    from table.cards import Corrections
    from table.code import encode
    from table.round import Terms, parse_laid, play
    from table.slip_content import claimed_of_round
    from table.words import LaidError
    from vision.read import Reader

    the_round = round_of(args)
    # What was typed is looked at before the photo is, and before a missing rule is told.
    parse_laid(args.laid)
    if the_round.win is not None:
        parse_card(the_round.win)
    corrections = Corrections.parse(args.corrected, args.dropped, args.added, args.cleared)
    _check_lesson(args)
    book = the_round.book()
    if args.overlay:
        check_output(args.overlay, PICTURES, (args.photo, args.deck, args.rule))
    if args.slip:
        check_output(args.slip, SLIPS, (args.photo, args.deck, args.rule, args.overlay))
    decks = _decks(args.deck, book)
    picture = picture_of(args.photo)
    reader = Reader()
    reading = reader.read(picture, decks, kind=book.kind)
    corrections = _answer_doubts(corrections, reading)
    terms = Terms(
        by="discard" if the_round.by == "discard" else "self",
        players=the_round.players,
        stake=the_round.stake,
        winner=the_round.winner,
        discarder=the_round.discarder,
        dui=the_round.dui,
    )
    cards = corrections.apply(reading, book.kind)
    try:
        played = play(
            reading,
            book,
            corrections=corrections,
            laid=args.laid if cards else "",
            win=the_round.win if cards else None,
            terms=terms,
            take_guess=args.guess,
            lang=chosen(),
        )
    except LaidError as error:
        _show_cards(args, picture, reading, corrections, cards, error)
        raise
    if args.teach:
        _teach(args.deck, reading, corrections, reader, insist=args.insist)
    if args.overlay:
        _overlay(args.overlay, picture, played.shown(), played.cards, played.doubts)
    if args.slip and played.cards:
        _slip(args.slip, picture, played, the_round)
    code = encode(claimed_of_round(played, str(the_round.rule))) if played.cards else None
    if args.json:
        print(json.dumps({**played.to_json(), "code": code}, ensure_ascii=False))
    else:
        print(played.text())
        if code is not None:
            print(say("代碼：", "代码：", "Code: ") + code)
    return played.status


def _overlay(
    path: str, picture: "Picture", shown: "Reading", cards: "Sequence[TableCard]", doubts: "Sequence[int]"
) -> None:
    """Draw the cards with the numbers that `--set`, `--drop` and `--clear` name them by."""
    from suanhu.read import in_script
    from vision.draw import save_overlay

    places = [card.place for card in cards if card.place is not None]
    save_overlay(Path(path), picture, in_script(shown), places=places, doubts=doubts)


def _show_cards(
    args: argparse.Namespace,
    picture: "Picture",
    reading: "Reading",
    corrections: "Corrections",
    cards: "Sequence[TableCard]",
    error: "LaidError",
) -> None:
    """Show what was read where a card of the table is not among it, so that the players see which it is."""
    from suanhu.read import lines
    from table.cards import shown

    doubts = corrections.doubts(reading)
    corrected = shown(reading, cards, doubts)
    if args.overlay:
        _overlay(args.overlay, picture, corrected, cards, doubts)
    if args.json:
        read = {**corrected.to_json(), "cards": [card.to_json() for card in cards]}
        unread = [
            {**doubt.to_json(), "place": place} for place, doubt in zip(doubts, corrected.doubts, strict=True)
        ]
        told = {**read, "doubts": unread, "settled": False, "error": error.text(chosen())}
        print(json.dumps(told, ensure_ascii=False))
        return
    print(
        say(
            "未定：說的牌不全在讀到的牌裡，沒有數。讀到：",
            "未定：说的牌不全在读到的牌里，没有数。读到：",
            "Not settled, not counted: not all cards told are among those read, which are:",
        )
    )
    places = [card.place for card in cards if card.place is not None]
    for line in lines(corrected, places, doubts, with_options=True):
        print(line)
    added = listed(card.card for card in cards if card.place is None)
    if added:
        print(say(f"補上：{added}", f"补上：{added}", f"added: {added}"))


def _answer_doubts(corrections: "Corrections", reading: "Reading") -> "Corrections":
    """Take each added card for the answer to one place that could not be read."""
    open_doubts = corrections.doubts(reading)
    return replace(corrections, cleared=corrections.cleared | {*open_doubts[: len(corrections.added)]})


def _decks(wanted: str, book: "Book") -> "Deck | tuple[Deck, ...]":
    """Find the deck that was named, or all of which it may be: one of another kind is told, not read."""
    from table.round import check_kind
    from vision.shelf import Shelf

    if wanted == "auto":
        shelf = Shelf()
        decks = shelf.decks()
        tell_damaged(shelf)
        return decks
    deck = Shelf().find(wanted)
    check_kind(book, deck.name, deck.kind)
    return deck


def _check_lesson(args: argparse.Namespace) -> None:
    """Make sure that there is something to teach where that is asked.

    Raises:
        CommandError: There is not.
    """
    if args.insist and not args.teach:
        raise CommandError(
            say(
                "--insist 要和 --teach 一起用",
                "--insist 要和 --teach 一起用",
                "--insist goes with --teach only",
            )
        )
    if args.teach and not args.corrected:
        raise CommandError(
            say(
                "--teach 教的是 --set 的改正，卻沒有 --set",
                "--teach 教的是 --set 的改正，却没有 --set",
                "--teach teaches what --set corrects, but there is no --set",
            )
        )


def _teach(
    wanted: str, reading: "Reading", corrections: "Corrections", reader: "Reader", *, insist: bool
) -> None:
    """Keep what the corrections teach, in the player's own copy of the deck."""
    from table.teach import teach
    from vision.deck import PRIVACY
    from vision.shelf import Shelf, is_file

    def tell(hant: str, hans: str, english: str) -> None:
        print(f"suanhu: {say(hant, hans, english)}", file=sys.stderr)

    if reading.deck is None:
        tell(
            "不認得這副牌，沒有學；用 --deck 說是哪副",
            "不认得这副牌，没有学；用 --deck 说是哪副",
            "no known deck looks like this, nothing was taught; --deck says which it is",
        )
        return
    shelf = Shelf()
    # Loaded anew: while the photo was read, another command may have taught it something.
    given = shelf.find(reading.deck if wanted == "auto" else wanted)
    from_file = is_file(wanted)
    deck = shelf.to_teach(given) if from_file else given
    taught = teach(deck, reading, corrections, reader=reader, insist=insist)
    for refused in taught.refused:
        how = say("；沒看錯就加 --insist", "；没看错就加 --insist", "; --insist teaches it all the same")
        print(f"suanhu: {refused.text(chosen())}{how}", file=sys.stderr)
    for place in taught.known:
        tell(
            f"第 {place} 張沒有可學的：本來就認作這張",
            f"第 {place} 张没有可学的：本来就认作这张",
            f"card {place} teaches nothing: it was read so",
        )
    if taught.deck is not deck:
        if from_file and not shelf.path(deck.name).exists():
            shelf.save(deck)
        path = shelf.save_taught(taught.deck)
        if from_file:
            tell(
                f"學進了自己的「{deck.name}」（{path}），檔案沒有動；以後用 --deck {deck.name}",
                f"学进了自己的「{deck.name}」（{path}），文件没有动；以后用 --deck {deck.name}",
                f"taught to your own deck {deck.name} ({path}), not the file; --deck {deck.name} takes it",
            )
        print(PRIVACY[chosen()], file=sys.stderr)


def _slip(path: str, picture: "Picture", played: "TableRound", the_round: Round) -> None:
    from table.paint import measure, save
    from table.slip import lay_out
    from table.slip_content import content_of_round

    today = dt.datetime.now().astimezone().date()
    content = content_of_round(played, str(the_round.rule), today)
    save(lay_out(content, measure), path, picture.pixels)
