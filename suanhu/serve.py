"""`suanhu serve`: the service and its page."""

import argparse
import importlib
from typing import TYPE_CHECKING

from suanhu.errors import CommandError
from suanhu.extras import SERVER, need_extra, need_part
from suanhu.language import say
from suanhu.options import whole

if TYPE_CHECKING:
    from suanhu.parser import Subparsers

HIGHEST_PORT = 65535
MOST_WORKERS = 64


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    what = say("開服務和網頁", "开服务和网页", "the service and its page")
    parser = subparsers.add_parser("serve", help=what, description=what)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="H",
        help=say("在哪個位址上聽", "在哪个地址上听", "address to listen on"),
    )
    parser.add_argument(
        "--port", type=whole, default=8000, metavar="P", help=say("埠", "端口", "port to listen on")
    )

    parser.add_argument(
        "--workers",
        type=whole,
        default=1,
        metavar="N",
        help=say("幾個行程一起答", "几个进程一起答", "how many processes answer"),
    )


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted.

    Returns:
        The exit status of the service.

    Raises:
        CommandError: If the service is not installed, or a number is out of its range.
    """
    for option, value, least, most in (
        ("--port", args.port, 0, HIGHEST_PORT),
        ("--workers", args.workers, 1, MOST_WORKERS),
    ):
        if not least <= value <= most:
            raise CommandError(
                say(
                    f"{option}：{value} 不在 {least} 到 {most} 之間",
                    f"{option}：{value} 不在 {least} 到 {most} 之间",
                    f"{option}: {value} is not between {least} and {most}",
                )
            )
    need_part("server")
    need_extra(SERVER)
    return int(importlib.import_module("server.command").run(args))
