"""`opforge new`: every kind of entry is valid as it stands, and nothing that exists is overwritten."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from tests.tables.test_tables import contents, run
from toolkit.diagnostics.catalogue import severity_of
from toolkit.editing.new_entry import EXAMPLES
from toolkit.editing.tables.columns import KINDS
from toolkit.project.pipeline import open_project
from toolkit.resources import starter_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("new") / "cards"


@pytest.fixture
def project(folder: Path, cards_read_once: None) -> Path:  # noqa: ARG001
    """The starter: small, with a mode, a SQUAD, scenarios and a card of most kinds.

    Always in the same folder, so that its files are read once.
    """
    rmtree(folder, ignore_errors=True)
    return copytree(starter_folder(), folder)


@pytest.mark.parametrize("kind", [*KINDS, "team", "mode", "squad", "scenario"])
def test_a_new_entry_is_valid_and_tested(project: Path, kind: str) -> None:
    before = contents(project)
    data = json.loads(
        run("new", kind, "--name", "Brand new", "--project", project, "--format", "json").output
    )
    workspace = open_project(project)
    assert [finding for finding in workspace.findings if severity_of(finding.name) == "error"] == []
    assert data["id"] == ("Brand new" if kind == "scenario" else "brand-new")
    assert data["id"] in {entry.id for entry in workspace.cards.entries()}
    for place in data["places"][:1]:
        assert place.rpartition(":")[2].isdigit()
    run("test", project)
    for name, content in before.items():
        kept = [
            line for line in content.splitlines() if line not in (project_file(project, name)).splitlines()
        ]
        assert kept == [], name
    if kind in EXAMPLES:
        names = [scenario.id for scenario in workspace.cards.scenarios]
        assert "brand-new as it plays today" in names
        assert (project / "art" / "brand-new.svg").is_file()


def project_file(project: Path, name: str) -> bytes:
    return next(path for path in project.rglob("*.yaml") if path.name == name).read_bytes()


@pytest.mark.parametrize("kind", list(EXAMPLES))
def test_every_example_is_a_valid_effect(project: Path, kind: str) -> None:
    for number, effect in enumerate(EXAMPLES[kind]):
        key = "--skill1.effect" if kind == "operator" else "--effect"
        run("new", kind, f"example-{number}", key, effect, "--project", project)
    run("check", project, "--level", "error")


def test_what_is_said_is_taken(project: Path) -> None:
    words = [
        "--name.en",
        "Raven",
        "--name.de",
        "Rabe",
        "--ap",
        "6",
        "--team",
        "badgers",
        "--traits",
        "scout, sniper",
    ]
    run("new", "operator", "raven", *words, "--project", project)
    card = open_project(project).cards.cards["raven"]
    assert (card.stats["AP"], card.team, card.traits) == (6, "badgers", ("scout", "sniper"))
    assert card.file.path.name == "cards.yaml"
    assert (card.name.in_language("en").value, card.name.in_language("de").value) == ("Raven", "Rabe")


def test_the_effect_of_an_operator_is_that_of_its_first_skill(project: Path) -> None:
    effect = "when attacked, self gets +1 EP."
    run("new", "operator", "raven", "--effect", effect, "--project", project)
    assert f"      - effect: {effect}\n    art: art/raven.svg" in (project / "cards.yaml").read_text()


@pytest.mark.parametrize("name", ["new.yaml", "project-word.yaml", "cards.yaml"])
@pytest.mark.parametrize("kind", ["attack", "objective"])
def test_a_file_that_is_named_gets_the_entry(project: Path, kind: str, name: str) -> None:
    """Also one that does not exist, or that has no entries of that section."""
    (project / "project-word.yaml").write_text("keywords:\n  - {id: swift, name: Swift}")
    run("new", kind, "newest", "--file", project / name, "--project", project)
    made = open_project(project)
    entry = made.cards.printed_entry("newest")
    assert entry is not None
    assert entry.file.path == project / name
    assert [
        one.message for one in made.findings if one.card == "newest" and one.name != "unused-objective"
    ] == []


@pytest.mark.parametrize("kind", ["team", "objective"])
def test_lists_in_brackets_are_left_alone(project: Path, kind: str) -> None:
    """No line can be inserted into them, so the entry is written to another file."""
    flow = (
        "teams: [{id: a, name: A}, {id: b, name: B}, {id: c, name: C}, {id: d, name: D}]\n"
        "objectives: [{id: e, name: E, value: 3}, {id: f, name: F, value: 3}, {id: g, name: G, value: 3}]\n"
    )
    (project / "flow.yaml").write_text(flow)
    run("new", kind, "newest", "--project", project)
    assert (project / "flow.yaml").read_text() == flow
    assert "newest" in {entry.id for entry in open_project(project).cards.entries()}


def test_new_teams_look_like_no_other(project: Path) -> None:
    for number in range(6):
        run("new", "team", f"team-{number}", "--project", project)
    assert [one.message for one in open_project(project).findings if one.name.endswith("-contrast")] == []
    assert [one.message for one in open_project(project).findings if one.name == "similar-colours"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["attack", "aimed-shot"], "taken: "),
        (["attack", "Aimed Shot"], "is not an id"),
        (["attack"], "--name"),
        (["operator", "new-one", "--app", "4"], "`app` is not a key of a new operator. Did you mean `ap`?"),
        (["attack", "new-one", "--colour", "red"], "`colour` is not a key of attack cards. Leave it out."),
        (["attack", "new-one", "--name.fr", "Neuf"], "Did you mean `name.en`?"),
        (["mode", "new-one", "--field-positions", "9"], "Write `field_positions` into the new entry."),
        (["team", "new-one", "--colours", "red"], "takes only an id and a name"),
        (["squad", "new-one", "--operators", "nobody"], "takes only an id and a name"),
        (["scenario", "new-one", "--turn", "red"], "takes only an id and a name"),
        (["attack", "new-one", "--ap", "4"], "not a key of attack"),
        (["objective", "new-one", "--ap", "4"], "Leave it out"),
        (["operator", "new-one", "--ap"], "needs a value"),
        (["operator", "new-one", "--ap", "four"], "whole number"),
        (["operator", "new-one", "--team", "nobody"], "the id `nobody`. Define it"),
        (["attack", "new-one", "--effect", "when atacking"], "Did you mean `attacking`? Expected"),
        (["attack", "new-one", "--file", "../other.yaml"], "not a card file"),
        (["spell", "new-one"], "spell"),
        (["project"], "folder"),
    ],
)
def test_wrong_use_says_what_to_do_and_writes_nothing(project: Path, words: list[str], said: str) -> None:
    before = contents(project)
    assert said in run("new", *words, "--project", project, expected=2).output
    assert contents(project) == before
    assert not (project / "art" / "new-one.svg").exists()


def test_nothing_is_written_outside_of_the_project(project: Path, tmp_path: Path) -> None:
    outside = project / ".." / "other.yaml"
    run("new", "item", "mine", "--file", outside, "--project", project, expected=2)
    (tmp_path / "outside").mkdir()
    (project / "art").rename(tmp_path / "kept")
    (project / "art").symlink_to(tmp_path / "outside")
    before = contents(project)
    assert "leads out" in run("new", "item", "mine", "--project", project, expected=2).output
    assert contents(project) == before
    assert not list((tmp_path / "outside").iterdir())
    assert not outside.exists()


def test_a_picture_that_is_there_is_kept(project: Path) -> None:
    (project / "art" / "mine.svg").write_bytes((project / "art" / "kestrel.svg").read_bytes())
    before = (project / "art" / "mine.svg").read_bytes()
    run("new", "attack", "mine", "--project", project)
    assert (project / "art" / "mine.svg").read_bytes() == before


def test_a_dry_run_writes_nothing(project: Path) -> None:
    before = contents(project)
    assert "+  - id: mine" in run("new", "item", "mine", "--project", project, "--dry-run").output
    assert contents(project) == before
    assert not (project / "art" / "mine.svg").exists()


def test_the_first_card_of_an_empty_project(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: Empty\nlanguages: [en]\n")
    assert "--team" in run("new", "operator", "first", "--project", tmp_path, expected=2).output
    run("new", "team", "reds", "--project", tmp_path)
    run("new", "operator", "first", "--project", tmp_path)
    run("new", "attack", "shot", "--project", tmp_path)
    assert set(open_project(tmp_path).cards.cards) == {"first", "shot"}


def test_the_first_operator_of_several_teams(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: Empty\nlanguages: [en]\n")
    run("new", "team", "reds", "--project", tmp_path)
    run("new", "team", "blues", "--project", tmp_path)
    run("new", "operator", "first", "--project", tmp_path)
    assert open_project(tmp_path).cards.cards["first"].team == "reds"


OF_A_TEAM = """\
cards:
  - {{id: {team}-1, kind: operator, name: One, team: {team}, squadpoints: 3, ap: 3, ep: 3, dp: 3, mp: 3}}
teams:
  - {{id: {team}, name: {team}}}
"""


def test_a_card_goes_to_the_others_of_its_team(project: Path) -> None:
    for team in ("apes", "gambit", "zebras"):
        (project / f"{team}.yaml").write_text(OF_A_TEAM.format(team=team), encoding="utf-8")
    run("new", "operator", "raven", "--team", "gambit", "--project", project)
    assert open_project(project).cards.cards["raven"].file.path.name == "gambit.yaml"


def test_a_new_project_is_that_of_init(tmp_path: Path) -> None:
    run("new", "project", tmp_path / "mine")
    assert (tmp_path / "mine" / "opforge.yaml").is_file()


@pytest.mark.parametrize("kind", ["scenario", "attack"])
def test_a_file_in_another_encoding_is_reported_and_left_as_it_is(project: Path, kind: str) -> None:
    file = project / "scenarios.yaml"
    file.write_bytes(b"# caf\xe9\n" + file.read_bytes())
    before = contents(project)
    shown = run("new", kind, "new-one", "--name", "New one", "--project", project, expected=2).output
    assert "scenarios.yaml:1: The byte 0xE9 here is not UTF-8" in shown
    assert contents(project) == before
