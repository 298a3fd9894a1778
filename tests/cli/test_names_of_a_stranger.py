"""Names in a project become names of files and folders, and never lead out of what `-o` names."""

from __future__ import annotations

import zipfile
from pathlib import Path, PureWindowsPath
from shutil import copytree
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import THOROUGH, examples, some
from toolkit.apps.cli import run
from toolkit.data.schemas import play_schema
from toolkit.products.print_and_play import write_set as print_and_play
from toolkit.resources import starter_folder
from toolkit.source.paths import below

OUTSIDE = Path("/tmp/opforge-outside")
HOSTILE = (
    "../../outside",
    "/tmp/opforge-outside",
    "..",
    "a/b",
    "a\\..\\..\\b",
    "C:b",
    "b\0",
    ".hidden",
    "b\n",
)

PIECES = st.sampled_from(["..", ".", "/", "\\", "C:", "\0", "a", "ü", " ", "-", "con", "~", "*", "\n"])


@examples(400)
@given(st.lists(PIECES).map("".join))
def test_a_name_stays_below_its_folder_or_is_refused(name: str) -> None:
    folder = Path("/project/out")
    try:
        path = below(folder, name)
    except OSError:
        assert name != "a"
        return
    parts = PureWindowsPath(name)
    assert not parts.is_absolute()
    assert not parts.drive
    assert ".." not in parts.parts
    assert path.relative_to(folder).as_posix() == name
    assert "\\" not in name


def keys_with_text() -> list[str]:
    """The keys of the project file that may hold a text or a list of texts."""
    found = []
    for key, schema in play_schema.project()["properties"].items():
        kinds = schema.get("type", "string")
        if {"string", "array"} & {*([kinds] if isinstance(kinds, str) else kinds)}:
            found.append(key)
    return found


def set_hostile(folder: Path, keys: list[str], name: str) -> None:
    """Write a name into keys of the project file, and into ids and languages of other entries."""
    file = folder / "opforge.yaml"
    settings: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    for key in keys:
        settings[key] = ["en", name] if key in ("languages", "layout") else name
    file.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    team = {"id": name, "name": name, "colour": "#336699"}
    squad = {"id": name, "name": {"en": name, name: name}, "operators": ["kestrel"]}
    hostile = {"teams": [team], "squads": [squad], "modes": [{"id": name, "name": name}]}
    (folder / "hostile.yaml").write_text(yaml.safe_dump(hostile, allow_unicode=True), encoding="utf-8")


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", some(HOSTILE, 4))
def test_nothing_is_written_outside_of_the_output(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "deep" / "below" / "project"
    copytree(starter_folder(), project)
    set_hostile(project, keys_with_text(), name)
    out = project / "out"
    out.mkdir()
    few = ("cards-fold", "tuckbox")
    if not THOROUGH:
        monkeypatch.setattr(print_and_play, "_PARTS", {part: print_and_play._PARTS[part] for part in few})
    monkeypatch.chdir(project)
    before = files_below(tmp_path)
    for command in (
        ["site", "-o", "out/site"],
        ["cards", "-o", "out/cards", "--dpi", "30"],
        ["tts", "-o", "out/tts"],
        ["squads", "-o", "out/squads.pdf"],
        ["export", "out/cards.csv"],
        ["print-and-play", "-o", "out/set.zip", "--paper", "a4"],
    ):
        assert run(command) in (0, 1, 2), command
    written = files_below(tmp_path) - before
    assert len(written) > 10
    assert [path for path in written if not path.is_relative_to(out)] == []
    assert not OUTSIDE.exists()
    with zipfile.ZipFile(out / "set.zip") as packed:
        for member in packed.namelist():
            assert below(out, member).is_relative_to(out), member
