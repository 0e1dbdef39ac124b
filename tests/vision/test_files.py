from pathlib import Path

import pytest

from vision import files
from vision.errors import ModelError


def test_a_data_path_of_the_checkout_is_found() -> None:
    assert files.data_path("models/README.md").is_file()


def test_a_wheel_s_own_file_comes_before_one_beside_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_HERE", tmp_path / "vision")
    beside = tmp_path / "models" / "x.onnx"
    carried = tmp_path / "vision" / "_data" / "models" / "x.onnx"
    for path in (beside, carried):
        path.parent.mkdir(parents=True)
        path.touch()
    assert files.data_path("models/x.onnx") == carried
    carried.unlink()
    assert files.data_path("models/x.onnx") == beside


def test_a_file_that_does_not_ship_is_named() -> None:
    with pytest.raises(ModelError, match=r"models/none\.onnx"):
        files.data_path("models/none.onnx")


def test_the_chosen_home_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUANHU_HOME", str(tmp_path))
    assert files.home_folder() == tmp_path
    assert files.decks_folder() == tmp_path / "decks"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/suanhu"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/x/.local/share/suanhu"),
        ("linux", {"XDG_DATA_HOME": ""}, "/home/x/.local/share/suanhu"),
        ("darwin", {}, "/home/x/Library/Application Support/suanhu"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/suanhu"),
        ("win32", {"LOCALAPPDATA": "", "APPDATA": ""}, "/home/x/AppData/Local/suanhu"),
    ],
)
def test_without_a_chosen_home_the_system_s_folder_is_taken(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUANHU_HOME", "")
    monkeypatch.setenv("HOME", "/home/x")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(files.sys, "platform", platform)
    assert files.home_folder() == Path(expected)
