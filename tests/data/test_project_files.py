"""Which files belong to a project."""

from __future__ import annotations

import os
from pathlib import Path
from unicodedata import normalize

import pytest

from tests.data.projects import CARDS, PLAY, told, write
from toolkit.data.loading import load_project
from toolkit.data.project_files import MAX_DEPTH, can_be_source, find_files, target_of
from toolkit.project.faces import faces
from toolkit.project.pipeline import open_project

BARE = "project: X\nlanguages: [en]\n"
CARD = "cards:\n  - {id: NAME, kind: item, name: N, effect: 'while attacked, self gets +2 EP.'}\n"


def names(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in find_files(root).yaml_files]


def test_all_yaml_files_below_the_root_belong_and_hidden_ones_do_not(tmp_path: Path) -> None:
    write(tmp_path, {"b.yml": "", "a/z.yaml": "", ".git/x.yaml": "", ".hidden.yaml": "", "a/notes.md": ""})
    assert names(tmp_path) == ["opforge.yaml", "a/z.yaml", "b.yml"]


def test_a_project_inside_a_project_is_one_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": "", "inner/opforge.yaml": "", "inner/b.yaml": ""})
    assert names(tmp_path) == ["opforge.yaml", "a.yaml"]


def test_links_are_followed_inside_the_project_only_and_no_folder_twice(tmp_path: Path) -> None:
    root = write(tmp_path / "set", dict.fromkeys(("a.yaml", ".store/b.yaml", "deep/c.yaml"), "cards: []"))
    (tmp_path / "outside.yaml").write_text("cards: [")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "d.yaml").write_text("cards: [")
    (root / "loop").symlink_to(root)
    (root / "deep" / "up").symlink_to(root / "deep")
    (root / "again.yaml").symlink_to(root / "a.yaml")
    (root / "stored.yaml").symlink_to(root / ".store" / "b.yaml")
    (root / "store").symlink_to(root / ".store")
    (root / "out.yaml").symlink_to(tmp_path / "outside.yaml")
    (root / "out").symlink_to(tmp_path / "folder")
    (root / "nowhere.yaml").symlink_to(root / "missing.yaml")
    found = find_files(root)
    assert names(root) == ["opforge.yaml", "a.yaml", "deep/c.yaml", "store/b.yaml"]
    assert [path.name for path in found.outside] == ["out", "out.yaml"]
    assert [path.name for path in found.broken_links] == ["nowhere.yaml"]
    assert [finding.name for finding in load_project(root)[1]][:1] == ["link-outside-project"]


def test_a_folder_that_cannot_be_opened_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"cards.yaml": CARDS, "play.yaml": PLAY, "locked/a.yaml": "x"})
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert [finding.name for finding in load_project(tmp_path)[1]] == ["unreadable-file"]


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, {"cards.yaml": CARDS, "play.yaml": PLAY})
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    assert [finding.name for finding in load_project(tmp_path)[1]] == ["unreadable-file"]


def test_pictures_are_looked_for_inside_the_project(tmp_path: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    write(tmp_path, {"play.yaml": PLAY, "art/viper.svg": drawing, ".secret/x.svg": drawing})
    (tmp_path / "out.svg").symlink_to("/etc/hostname")
    arts = [
        "art/viper.svg",
        "art/./viper.svg",
        "art/vipr.svg",
        "../x.svg",
        "/etc/passwd",
        "https://a.b/c.svg",
    ]
    item = "  - {{id: c-{}, kind: item, name: N, effect: x., art: '{}'}}\n"
    pictured = [item.format(number, art) for number, art in enumerate([*arts, "out.svg"])]
    (tmp_path / "cards.yaml").write_text(CARDS + "".join(pictured))
    findings = load_project(tmp_path)[1]
    assert told(findings) == [
        ("missing-picture", "'art/vipr.svg'"),
        ("art-outside-project", "'../x.svg'"),
        ("art-outside-project", "'/etc/passwd'"),
        ("art-outside-project", "'https://a.b/c.svg'"),
        ("art-outside-project", "'out.svg'"),
    ]
    assert findings[0].fix is not None
    assert findings[0].fix.replacement == "'art/viper.svg'"


def test_a_project_without_cards_is_told_unless_something_explains_it(tmp_path: Path) -> None:
    write(tmp_path, {"opforge.yaml": "project: P\n"})
    assert told(load_project(tmp_path)[1]) == [("no-cards", "P")]
    (tmp_path / "a.yaml").write_text("teams: [")
    assert "no-cards" not in [finding.name for finding in load_project(tmp_path)[1]]
    (tmp_path / "a.yaml").write_text("objectives:\n  - {id: mast, name: Mast, value: 4}\n")
    assert "no-cards" not in [finding.name for finding in load_project(tmp_path)[1]]


def test_folders_far_too_deep_are_reported_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: Deep\n", encoding="utf-8")
    deep = tmp_path.joinpath(*["d"] * (MAX_DEPTH + 5))
    deep.mkdir(parents=True)
    found = find_files(tmp_path)
    assert [path.name for path in found.yaml_files] == ["opforge.yaml"]
    assert found.unreadable == [tmp_path.joinpath(*["d"] * (MAX_DEPTH + 1))]


def test_upper_and_lower_case_in_endings_are_the_same(tmp_path: Path) -> None:
    for number, name in enumerate(("A.YAML", "b.Yml", "c.YML", "d.yaml")):
        write(tmp_path, {name: CARD.replace("NAME", f"card-{number}")})
    assert names(tmp_path) == ["opforge.yaml", "A.YAML", "b.Yml", "c.YML", "d.yaml"]
    assert sorted(load_project(tmp_path)[0].cards) == [f"card-{number}" for number in range(4)]
    for name in ("A.YAML", "b.Yml"):
        assert target_of(tmp_path / name) == (tmp_path, tmp_path / name)
        assert can_be_source(tmp_path / name, tmp_path)


def test_a_project_file_with_another_name_is_named(tmp_path: Path) -> None:
    for name in ("OPFORGE.YAML", "opforge.yml", "opforge.yaml.txt"):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_text("project: X\n")
        (folder / "a.yaml").write_text("cards: []\n")
        found = target_of(folder / "a.yaml")
        assert isinstance(found, str)
        assert name in found
        assert "rename it to opforge.yaml" in found


def test_what_is_not_read_is_told(tmp_path: Path) -> None:
    card = CARD.replace("NAME", "a")
    root = write(tmp_path / "set", {"opforge.yaml": BARE, "a.yaml": card, "b.yaml.txt": "cards: []"})
    (tmp_path / "elsewhere").mkdir()
    (root / "more").symlink_to(tmp_path / "elsewhere")
    (root / "c.yaml").symlink_to("missing.yaml")
    (root / "folder").symlink_to("missing")
    (root / "README.md").symlink_to("missing.md")
    findings = [(one.name, one.span.file.path.name) for one in load_project(root)[1]]
    assert sorted(findings) == [
        ("link-outside-project", "more"),
        ("unread-file", "b.yaml.txt"),
        ("unreadable-file", "c.yaml"),
        ("unreadable-file", "folder"),
    ]


def test_names_that_look_the_same_are_the_same(tmp_path: Path) -> None:
    one, two = (normalize(form, "grün") for form in ("NFC", "NFD"))
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    for written, on_disk in ((one, two), (two, one)):
        root = tmp_path / ("composed" if on_disk == one else "decomposed")
        cards = f"""\
cards:
  - {{id: a, kind: attack, name: A, art: art/{written}.svg,
     effect: 'while attacking, if self has trait "{written}", self gets +1 APP.'}}
  - {{id: v, kind: operator, name: V, team: t, traits: [{on_disk}],
     squadpoints: 1, ap: 1, ep: 1, dp: 9, mp: 1}}
teams: [{{id: t, name: T}}]
"""
        write(root, {"opforge.yaml": BARE, "a.yaml": cards, f"art/{on_disk}.svg": drawing})
        workspace = open_project(root)
        assert [one.name for one in workspace.findings] == ["unknown-stat"]
        assert workspace.findings[0].span.text == "APP"
        face = next(face for face in faces(workspace, "en") if face.id == "a")
        assert face.art is not None
        assert face.art.is_file()
        (root / "art" / f"{written}.svg").write_text(drawing)
        if len(os.listdir(root / "art")) == 2:  # macOS cannot have both
            assert "unread-file" in [one.name for one in load_project(root)[1]]


def test_the_wrong_case_of_a_picture_is_told_with_the_right_one(tmp_path: Path) -> None:
    card = CARD.replace("NAME", "a").replace("name: N", "name: N, art: art/Viper.PNG")
    write(tmp_path, {"a.yaml": card, "art/viper.png": "x"})
    found = next(one for one in load_project(tmp_path)[1] if one.name == "missing-picture")
    assert found.fix is not None
    assert (found.fix.replacement, "`art/viper.png`" in found.message) == ("art/viper.png", True)
