"""Parts of suanhu that are installed only where they are asked for."""

import importlib.util
from collections.abc import Mapping

from suanhu.errors import CommandError
from suanhu.language import say

APP = {"kivy": "kivy==2.3.1"}
SERVER = {
    "alembic": "alembic>=1.14",
    "fastapi": "fastapi>=0.115",
    "psycopg": "psycopg[binary]>=3.2",
    "multipart": "python-multipart>=0.0.20",
    "segno": "segno>=1.6",
    "sqlalchemy": "sqlalchemy>=2.0",
    "uvicorn": "uvicorn>=0.34",
}
"""What the extras of these names bring: each top-level module, and what pip is asked for to get it."""


def need_extra(extra: Mapping[str, str]) -> None:
    """Check that what an extra brings is installed.

    What is missing is named by itself: this program comes as a checkout or a wheel, and no registry has it.

    Args:
        extra: `APP` or `SERVER`.

    Raises:
        CommandError: If a part of it is missing.
    """
    missing = [name for name in extra if importlib.util.find_spec(name) is None]
    if missing:
        install = "pip install " + " ".join(f'"{extra[name]}"' for name in missing)
        raise CommandError(
            say(
                f"還沒有安裝 {missing[0]}：{install}",
                f"还没有安装 {missing[0]}：{install}",
                f"{missing[0]} is not installed: {install}",
            )
        )


def need_part(package: str) -> None:
    """Check that a package of suanhu itself is here.

    Raises:
        CommandError: If this installation does not have it.
    """
    if importlib.util.find_spec(package) is None:
        raise CommandError(
            say(
                f"這個版本的 suanhu 還沒有 {package}",
                f"这个版本的 suanhu 还没有 {package}",
                f"this version of suanhu has no {package} yet",
            )
        )
