"""Lay out what the phone carries: the modules that ``main.py`` reaches, the assets, models and decks.

``python -m mobile_app.packaging.stage [FOLDER]`` writes ``build/android``, where buildozer's ``source.dir``
points. A module that would import what the phone does not have stops it.
"""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "build" / "android"
PACKAGES: Final = ("mobile_app", "scorer", "table", "vision")
ON_THE_PHONE: Final = frozenset({"kivy", "numpy", "jnius", "android"})
"""What a module may import beside the standard library and the packages of the project."""

NEVER_RUN: Final = frozenset({("vision.session", "onnxruntime")})
"""Late imports of functions that the phone never calls: it opens its models by its own backend."""

DATA: Final = (
    ("models/finder.onnx", "vision/_data/models/finder.onnx"),
    ("models/namer.onnx", "vision/_data/models/namer.onnx"),
    ("models/refiner.onnx", "vision/_data/models/refiner.onnx"),
    ("models/verifier.onnx", "vision/_data/models/verifier.onnx"),
    ("models/manifest.json", "vision/_data/models/manifest.json"),
    ("models/calibration.json", "vision/_data/models/calibration.json"),
    ("datasets/decks/*.deck", "vision/_data/datasets/decks"),
    ("scorer/books/*.toml", "scorer/books"),
    ("table/ledger/migrations/*.sql", "table/ledger/migrations"),
    ("mobile_app/assets/*.otf", "mobile_app/assets"),
    ("mobile_app/assets/*.png", "mobile_app/assets"),
    ("mobile_app/assets/OFL.txt", "mobile_app/assets/OFL.txt"),
    ("LICENSE", "LICENSE"),
)
"""Files that are no modules: where they lie in a checkout, and where on the phone."""

OPTIONAL: Final = frozenset({"models/refiner.onnx", "models/verifier.onnx"})


class StageError(ValueError):
    """Something that must not go onto a phone, or that is missing for it."""


def imports(path: Path, module: str) -> Iterator[str]:
    """List what a module imports, late imports and those for types alone included.

    Args:
        path: of the module.
        module: its dotted name, for relative imports.

    Yields:
        Dotted names; for ``from a import b`` both ``a`` and ``a.b``.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                raise StageError(f"{module}: relative imports are not followed")
            yield base
            for alias in node.names:
                yield f"{base}.{alias.name}"


def module_path(module: str, root: Path) -> Path | None:
    """Find the file of a module of the project.

    Args:
        module: dotted name.
        root: where the packages lie.

    Returns:
        The file; None where the name is no module of the project.
    """
    base = root.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def reached(root: Path = ROOT) -> dict[str, Path]:
    """Follow the imports from ``main.py``.

    Args:
        root: where it and the packages lie.

    Returns:
        Dotted names of the project's modules to their files.

    Raises:
        StageError: a module imports what the phone does not have.
    """
    found: dict[str, Path] = {"main": root / "main.py"}
    waiting = ["main"]
    while waiting:
        module = waiting.pop()
        for name in imports(found[module], module):
            top = name.partition(".")[0]
            if top not in PACKAGES:
                if not allowed(module, top):
                    raise StageError(f"{module} imports {name}, which the phone does not have")
                continue
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                part = ".".join(parts[:length])
                path = module_path(part, root)
                if path is not None and part not in found:
                    found[part] = path
                    waiting.append(part)
    return found


def allowed(module: str, top: str) -> bool:
    """Tell whether a module may import a package that is not of the project.

    Args:
        module: that imports.
        top: name of the package.

    Returns:
        Whether the phone has it, or never comes to that import.
    """
    return top in sys.stdlib_module_names or top in ON_THE_PHONE or (module, top) in NEVER_RUN or not top


def stage(folder: Path = FOLDER, root: Path = ROOT) -> tuple[Path, ...]:
    """Write the folder anew.

    Args:
        folder: where to; what is there is removed.
        root: the checkout.

    Returns:
        The files written, relative to the folder.

    Raises:
        StageError: a module or a file is missing, or a module imports what the phone does not have.
    """
    modules = reached(root)
    copies = [(path, path.relative_to(root)) for path in modules.values()]
    for source, target in DATA:
        files = sorted(root.glob(source))
        if not files and source not in OPTIONAL:
            raise StageError(f"missing: {source}")
        copies += [(file, Path(target) / file.name if "*" in source else Path(target)) for file in files]
    if folder.exists():
        shutil.rmtree(folder)
    for file, where in copies:
        (folder / where).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / where)
    return tuple(sorted(where for _, where in copies))


def main() -> int:
    """Stage from the command line.

    Returns:
        The exit status.
    """
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    try:
        files = stage(folder)
    except StageError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    size = sum((folder / file).stat().st_size for file in files)
    sys.stdout.write(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
