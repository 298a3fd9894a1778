"""`opforge rename`: another name everywhere at once, or nowhere."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples, some
from toolkit.apps.cli import run
from toolkit.data.project_files import FolderReader
from toolkit.editing.renaming import Rename, plan_rename, write_rename
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.faces import faces
from toolkit.project.live_project import LiveProject
from toolkit.project.name_references import NameKind
from toolkit.project.output import Refusal
from toolkit.project.pipeline import Workspace, open_project
from toolkit.resources import cards_folder
from toolkit.wording.text import plain

TESTS = Path(__file__).parent.parent
PROJECTS = [TESTS / "projects" / "small", TESTS / "projects" / "trilingual", TESTS / "lsp" / "project"]

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copytree(PROJECTS[0], "cards")
    copytree(PROJECTS[1], "trilingual")


def change(name: str, old: str, new: str) -> None:
    file = Path(name)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def add(name: str, text: str) -> None:
    with Path(name).open("a", encoding="utf-8") as file:
        file.write(text)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def opened(root: Path) -> LiveProject:
    project = LiveProject(root, FolderReader(root))
    project.read()
    return project


def refused(capsys: Output, *words: str) -> str:
    """The message of a refused rename; no file is changed by it."""
    before = contents(Path())
    assert run(["rename", *words]) == 2
    assert contents(Path()) == before
    return capsys.readouterr().err.partition("Error: ")[2].strip()


SCENARIO = """\
scenarios:
  - name: aimed-shot helps   # with aimed-shot
    field: {blue: [viper], red: [blue-viper]}
    hands: {blue: [aimed-shot]}
    do:
      - {action: attack, by: blue.viper, on: blue-viper, attack_card: "aimed-shot", dice: [3, 3]}
    expect: {viper: {hitcounter: 0}}
"""


def test_a_card_everywhere(capsys: Output) -> None:
    add("cards/scenarios.yaml", SCENARIO)
    add("cards/cards.yaml", "# see viper and viper-2, and art/viper.svg\n")
    before = Path("cards/scenarios.yaml").read_text(encoding="utf-8")
    assert run(["rename", "viper", "adder"]) == 0
    assert capsys.readouterr().out == (
        "4 places in 2 files\n"
        "Left as they are, with 'viper':\n"
        "  cards/cards.yaml:29:7: comment: # see viper and viper-2, and art/viper.svg\n"
        "  cards/cards.yaml:29:34: comment: # see viper and viper-2, and art/viper.svg\n"
    )
    after = Path("cards/scenarios.yaml").read_text(encoding="utf-8")
    assert after == before.replace("[viper]", "[adder]").replace("blue.viper", "blue.adder").replace(
        "{viper:", "{adder:"
    )
    assert "  - id: adder\n" in Path("cards/cards.yaml").read_text(encoding="utf-8")


def test_of_a_long_line_the_part_with_the_word_is_shown(capsys: Output) -> None:
    add("cards/cards.yaml", f"# {'x' * 200} viper {'y' * 200}\n")
    assert run(["rename", "viper", "adder"]) == 0
    shown = f"…{'x' * 39} viper {'y' * 34}…"
    assert capsys.readouterr().out.endswith(f"cards/cards.yaml:29:204: comment: {shown}\n")


def test_a_dry_run_prints_the_difference(capsys: Output) -> None:
    before = contents(Path())
    assert run(["rename", "night-owls", "owls", "cards", "--dry-run"]) == 0
    assert contents(Path()) == before
    out, err = capsys.readouterr()
    assert "-    team: night-owls\n+    team: owls\n" in out
    assert err == "2 places in 1 file would change\n"


def test_for_programs(capsys: Output) -> None:
    add("cards/rules.yaml", "# radio-mast\n")
    assert run(["rename", "radio-mast", "mast", "cards", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "old": "radio-mast",
        "new": "mast",
        "sort": "id",
        "written": True,
        "places": 2,
        "files": ["cards/rules.yaml"],
        "pictures": [],
        "left": [{"file": "cards/rules.yaml", "line": 15, "column": 3, "where": "comment"}],
    }
    assert run(["rename", "mast", "tower", "cards", "--format", "json", "--dry-run"]) == 0
    dry = json.loads(capsys.readouterr().out)
    assert (dry["written"], dry["diff"].count("\n+")) == (False, 3)


def test_a_trait_and_what_is_printed_of_it(capsys: Output) -> None:
    assert run(["rename", "sniper", "sharp shooter", "cards"]) == 0
    assert capsys.readouterr().out == (
        "2 places in 1 file\nThe trait is printed as it is written: cards now say 'sharp shooter'.\n"
    )
    assert "traits: [sharp shooter]" in Path("cards/cards.yaml").read_text(encoding="utf-8")


def test_a_hand_written_text_stays_right_for_its_effect() -> None:
    """Its `text_for` is made of the effect, which has the word."""
    assert run(["rename", "sniper", "marksman", "trilingual"]) == 0
    text = Path("trilingual/cards.yaml").read_text(encoding="utf-8")
    assert 'trait "marksman"' in text
    assert '"81048a5075"' not in text
    assert run(["check", "trilingual", "--only", "stale-text"]) == 0


def test_a_text_that_was_stale_before_stays_so(capsys: Output) -> None:
    change("trilingual/cards.yaml", "81048a5075", "0000000000")
    assert run(["rename", "sniper", "marksman", "trilingual"]) == 0
    assert '"0000000000"' in Path("trilingual/cards.yaml").read_text(encoding="utf-8")
    assert run(["check", "trilingual", "--only", "stale-text", "--strict"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("vipr", "adder"), "There is no id or trait 'vipr' in cards. Did you mean 'viper'?"),
        (("viper", "viper"), "NEW is the same as OLD."),
        (("viper", "aimed-shot"), "The id `aimed-shot` is already used in cards/cards.yaml:16."),
        (("viper", "Adder"), "`Adder` is not an id: use lower-case letters, digits and single hyphens."),
        (("viper", "12"), "`12` would be read as a number or as null; use a word."),
        (("sniper", "a:b"), "`a:b` cannot be a trait here: write letters, digits, spaces and hyphens."),
        (("sniper", "x", "--art"), "--art is for ids: a trait has no picture."),
        (("sniper", "x", "--id"), "There is no id 'sniper' in cards."),
        (("viper", "adder", "nowhere"), "There is no file or folder 'nowhere'."),
    ],
)
def test_what_is_refused(words: tuple[str, ...], why: str, capsys: Output) -> None:
    assert refused(capsys, *words).startswith(why)


def test_an_id_that_is_a_trait_too(capsys: Output) -> None:
    change("cards/cards.yaml", "id: viper", "id: sniper")
    assert refused(capsys, "sniper", "x") == "'sniper' is both an id and a trait; add --id or --trait."
    assert run(["rename", "sniper", "viper", "--id"]) == 0
    assert run(["rename", "sniper", "marksman", "--trait"]) == 0
    text = Path("cards/cards.yaml").read_text(encoding="utf-8")
    assert ("id: viper" in text, 'trait "marksman"' in text, "sniper" in text) == (True, True, False)


def test_a_name_that_something_already_hopes_for(capsys: Output) -> None:
    change("cards/rules.yaml", "objectives: [radio-mast]", "objectives: [radio-mast, tower]")
    assert refused(capsys, "radio-mast", "tower") == (
        "cards/rules.yaml:13 already names `tower`, though nothing has that id."
    )
    assert refused(capsys, "tower", "x").startswith("cards/rules.yaml:13 names 'tower', but nothing has")


def test_a_side_is_no_name_for_an_operator(capsys: Output) -> None:
    """`blue` would be read as the player, wherever a scenario could name the OPERATOR."""
    add("cards/squads.yaml", "squads:\n  - {id: two, name: Two, operators: [viper]}\n")
    assert "`blue` cannot be the id of an OPERATOR" in refused(capsys, "viper", "blue")


def test_a_file_that_cannot_be_read_to_its_end(capsys: Output) -> None:
    add("cards/more.yaml", "scenarios:\n  - name: [broken\n    field: {blue: [viper]}\n")
    assert refused(capsys, "viper", "adder") == "cards/more.yaml cannot be read completely; fix it first."
    Path("cards/more.yaml").write_bytes(b"cards: \xff\xfe")
    assert refused(capsys, "viper", "adder") == "cards/more.yaml cannot be read; fix it first."
    assert refused(capsys, "gone", "x") == "cards/more.yaml cannot be read; fix it first."  # it may define it


@pytest.mark.parametrize("writable", [True, False])
def test_nothing_is_written_if_one_file_cannot_be(
    writable: bool, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("cards/scenarios.yaml", SCENARIO)
    before = contents(Path())
    if not writable:
        Path("cards/scenarios.yaml").chmod(0o444)
        why = "cards/scenarios.yaml is read-only; it was not changed."
    else:
        replace = os.replace

        def once(source: str, target: Path) -> None:
            """Replace the first file, and fail at the second."""
            if target.name == "scenarios.yaml":
                raise OSError(28, "No space left on device", source)
            replace(source, target)

        monkeypatch.setattr(os, "replace", once)
        why = "cards/scenarios.yaml cannot be written: No space left on device."
    assert run(["rename", "viper", "adder", "cards"]) == 2
    assert why in capsys.readouterr().err
    assert contents(Path()) == before


# pictures

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3z"/></svg>'


def with_art(path: str = "art/viper.svg") -> None:
    change("cards/cards.yaml", "    name: Viper\n", f"    name: Viper\n    art: {path}\n")
    Path("cards/art").mkdir()
    Path("cards", path).write_text(DRAWING, encoding="utf-8")


def test_a_picture_goes_along_only_if_asked(capsys: Output) -> None:
    with_art()
    assert run(["rename", "viper", "adder", "cards"]) == 0
    assert "picture: art: art/viper.svg" in capsys.readouterr().out
    assert run(["rename", "adder", "viper", "cards"]) == 0
    capsys.readouterr()
    assert run(["rename", "viper", "adder", "cards", "--art"]) == 0
    assert capsys.readouterr().out == "2 places in 1 file\nart/viper.svg -> art/adder.svg\n"
    assert os.listdir("cards/art") == ["adder.svg"]
    assert "    art: art/adder.svg\n" in Path("cards/cards.yaml").read_text(encoding="utf-8")
    assert run(["check", "cards", "--only", "missing-picture"]) == 0


@pytest.mark.parametrize(
    "user",
    [
        ("cards/cards.yaml", "    quantity: 2", "    quantity: 2\n    art: {file: art/viper.svg, zoom: 2}"),
        ("cards/templates/attack.html.jinja", "", '<img src="art/viper.svg">'),
        ("cards/art/other.svg", "", DRAWING.replace("<path", '<image href="viper.svg"/><path')),
    ],
)
def test_a_picture_that_something_else_uses_stays(user: tuple[str, str, str], capsys: Output) -> None:
    with_art()
    name, old, new = user
    if old:
        change(name, old, new)
    else:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(new, encoding="utf-8")
    assert run(["rename", "viper", "adder", "cards", "--art"]) == 0
    assert "->" not in capsys.readouterr().out
    assert Path("cards/art/viper.svg").is_file()
    assert "art: art/viper.svg" in Path("cards/cards.yaml").read_text(encoding="utf-8")


def test_a_picture_never_replaces_another(capsys: Output) -> None:
    with_art()
    Path("cards/art/adder.svg").symlink_to("nowhere")
    assert refused(capsys, "viper", "adder", "cards", "--art").startswith("There is already a file adder.svg")


def test_a_picture_is_not_renamed_through_a_link(capsys: Output) -> None:
    with_art()
    Path("cards/.store").mkdir()
    Path("cards/art/viper.svg").rename("cards/.store/viper.svg")
    Path("cards/art/viper.svg").symlink_to("../.store/viper.svg")
    assert run(["rename", "viper", "adder", "cards", "--art"]) == 0
    assert "->" not in capsys.readouterr().out
    assert [os.listdir(f"cards/{folder}") for folder in ("art", ".store")] == [["viper.svg"], ["viper.svg"]]


def test_pictures_stay_if_the_files_cannot_be_written() -> None:
    with_art()
    plan = plan_rename(opened(Path("cards").absolute()), "id", "viper", "adder", with_pictures=True)
    assert isinstance(plan, Rename)
    add("cards/cards.yaml", "# meanwhile\n")
    assert write_rename(plan) == ["cards/cards.yaml has changed in the meantime; it was not changed."]
    assert os.listdir("cards/art") == ["viper.svg"]


# what hangs on names


def test_a_baseline_goes_along(capsys: Output) -> None:
    change("cards/cards.yaml", "    traits: [sniper]", "    traits: [sniper]\n    ap2: 3")
    baseline = ["--baseline", "baseline.json"]
    assert run(["check", "cards", *baseline, "--update-baseline"]) == 0
    assert run(["rename", "viper", "adder", "cards", *baseline]) == 0
    assert '"card": "adder"' in Path("baseline.json").read_text(encoding="utf-8")
    capsys.readouterr()
    assert run(["check", "cards", "--strict", *baseline]) == 0, capsys.readouterr().out


def printed(workspace: Workspace) -> Iterator[object]:
    """All that is on the cards, in every language; in a quick run in the last one."""
    for language in some(workspace.cards.project.languages, -1):
        for face in faces(workspace, language):
            skills = [(skill.name, plain(skill.paragraphs)) for skill in face.skills]
            yield face.name, face.team_name, face.traits, face.stats, skills, face.flavour, face.quantity


def test_the_shipped_set_plays_and_prints_the_same() -> None:
    """After an OPERATOR, a card, a TEAM, a trait, a marker, a KEYWORD, a mode and a ruleset got new names."""
    root = copytree(cards_folder(), Path("set").absolute())
    project = opened(root)
    messages, before = [one.message for one in project.current.findings], list(printed(project.current))
    for kind, old in some(SHIPPED, 0, 3):
        plan = plan_rename(project, kind, old, f"new-{old}")
        assert isinstance(plan, Rename), old
        assert write_rename(plan) == []
        project.read()
    after = open_project(root)
    assert [one.message for one in after.findings] == messages
    assert list(printed(after)) == before
    played = run_scenarios(after, [root])
    assert len(played.results) > 300
    assert [result.scenario.id for result in played.results if result.failures] == []


SHIPPED: tuple[tuple[NameKind, str], ...] = (
    ("id", "viper"),
    ("id", "aimed-shot"),
    ("id", "night-owls"),
    ("trait", "sniper"),
    ("id", "intel"),
    ("id", "dogged"),
    ("id", "skirmish"),
    ("id", "core"),
)

_NEW = st.from_regex(r"[a-z0-9]{1,4}(-[a-z0-9]{1,4})?", fullmatch=True)


@examples(60)
@given(st.data())
def test_there_and_back_is_the_same_bytes(data: st.DataObject) -> None:
    """And in between nothing is found that was not found before."""
    source = data.draw(st.sampled_from(PROJECTS))
    with TemporaryDirectory() as folder:
        root = copytree(source, Path(folder, "cards"))
        before = contents(root)
        project = opened(root)
        named = sorted({(one.kind, one.word) for one in project.occurrences() if one.defines})
        kind, old = data.draw(st.sampled_from(named))
        new = data.draw(_NEW)
        there = plan_rename(project, kind, old, new)
        if isinstance(there, Refusal):
            assert "is already used" in there.message or "would be read as a number" in there.message
            return
        assert write_rename(there) == []
        changed = opened(root)
        words = {(one.kind, one.word) for one in changed.occurrences()}
        assert (kind, new) in words
        assert new == old or (kind, old) not in words
        found = [
            [one.name for one in each.workspace.findings] for each in (project, changed) if each.workspace
        ]
        assert found[0] == found[1]
        back = plan_rename(changed, kind, new, old)
        assert isinstance(back, Rename)
        assert write_rename(back) == []
        assert contents(root) == before
