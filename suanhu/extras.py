"""Parts of suanhu that are installed only where they are asked for."""

import importlib.util
from collections.abc import Sequence

from suanhu.errors import CommandError
from suanhu.language import say


def need_extra(extra: str, modules: Sequence[str]) -> None:
    """Check that what an extra brings is installed.

    Args:
        extra: The name of the extra.
        modules: Top-level modules that it brings.

    Raises:
        CommandError: If one of them is missing.
    """
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise CommandError(
            say(
                f'還沒有安裝 {missing[0]}：pip install "suanhu[{extra}]"',
                f'还没有安装 {missing[0]}：pip install "suanhu[{extra}]"',
                f'{missing[0]} is not installed: pip install "suanhu[{extra}]"',
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
