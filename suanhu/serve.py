"""`suanhu serve`: the service and its page."""

import argparse
import importlib
from typing import TYPE_CHECKING

from suanhu.errors import CommandError
from suanhu.extras import need_extra, need_part
from suanhu.language import say
from suanhu.options import whole

if TYPE_CHECKING:
    from suanhu.parser import Subparsers

HIGHEST_PORT = 65535


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


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted.

    Returns:
        The exit status of the service.

    Raises:
        CommandError: If the service is not installed, or the port is none.
    """
    if not 0 <= args.port <= HIGHEST_PORT:
        raise CommandError(
            say(
                f"--port：{args.port} 不在 0 到 {HIGHEST_PORT} 之間",
                f"--port：{args.port} 不在 0 到 {HIGHEST_PORT} 之间",
                f"--port: {args.port} is not between 0 and {HIGHEST_PORT}",
            )
        )
    need_part("server")
    need_extra("server", ("fastapi", "uvicorn", "multipart", "sqlalchemy", "alembic"))
    return int(importlib.import_module("server.command").run(args))
