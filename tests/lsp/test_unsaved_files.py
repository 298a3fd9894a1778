"""Card files that exist only in the editor: as good as saved ones, and nothing is written."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.in_process import EVERYWHERE, Asked
from tests.lsp.marked import cut
from tests.lsp.test_incremental import edited
from tests.thoroughness import share, some
from toolkit.resources import cards_folder, starter_folder

URI = "untitled:Untitled-1"
CARD = "cards:\n  - id: a\n    kind: attack\n    name: A\n    effect: "
STRANGE = (
    f'{CARD}when attacking, if target has TEAM "wolves" and target has trait "hero", self gets +1 AP.\n'
    "    art: art/a.svg\n"
    "  - {id: b, kind: operator, name: {en: B, fr: B}, team: wolves, squadpoints: 1, ap: 1, ep: 1, dp: 1,"
    " mp: 1}\n"
    "squads:\n  - {id: s, name: S, operators: [b, c], deck: {x: 1}}\n"
)
EVERY_METHOD = (
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    types.TEXT_DOCUMENT_CODE_LENS,
    types.TEXT_DOCUMENT_FOLDING_RANGE,
    types.TEXT_DOCUMENT_DOCUMENT_LINK,
)


def everything(asked: Asked, uri: str) -> dict[str, Any]:
    """All that can be asked about a whole file."""
    options = types.FormattingOptions(2, True)
    answers = {method: asked.about_file(method, uri) for method in EVERY_METHOD}
    answers["hints"] = asked.about_file(types.TEXT_DOCUMENT_INLAY_HINT, uri, range=EVERYWHERE)
    answers["format"] = asked.about_file(types.TEXT_DOCUMENT_FORMATTING, uri, options=options)
    for only in (None, ["source.fixAll"]):
        context = types.CodeActionContext([], only=only)
        answers[f"actions {only}"] = asked.about_file(
            types.TEXT_DOCUMENT_CODE_ACTION, uri, range=EVERYWHERE, context=context
        )
    return answers


def at_mark(asked: Asked, method: str, text: str, **more: Any) -> Any:
    """The answer about the place of the mark in the unsaved file, whose text is replaced."""
    plain, offset = cut(text)
    asked.write(URI, plain)
    line, column = plain[:offset].count("\n"), offset - (plain.rfind("\n", 0, offset) + 1)
    return asked.about_file(method, URI, position=types.Position(line, column), **more)


# without a project


def test_mistakes_are_found_without_a_project() -> None:
    asked = Asked()
    uri = asked.open(URI, f"{CARD}when attacking, self get +2 APP.\n")
    assert asked.findings() == {uri: ["unknown-stat"]}
    asked.write(uri, "cards:\n  - id: [a\n")
    assert asked.findings() == {uri: ["unmatched-bracket"]}
    asked.write(uri, f"{CARD}when attacking, self gets +2 AP.\n")
    assert asked.findings() == {uri: []}
    asked.write(uri, f"{CARD}self gets +0 AP.\n")
    assert asked.findings() == {uri: ["adds-nothing"]}
    asked.server.state.mark_stale(asked.server.state.close(uri))
    assert asked.findings() == {uri: []}
    assert asked.findings() == {}


def test_nothing_is_made_up_about_what_other_files_may_have() -> None:
    asked = Asked()
    asked.open(URI, STRANGE)
    assert asked.findings() == {}
    assert all(answer is not None for answer in everything(asked, URI).values())


def test_nothing_is_wrong_with_any_shipped_file_alone() -> None:
    paths = [path for folder in (cards_folder(), starter_folder()) for path in folder.rglob("*.yaml")]
    for path in paths:
        asked = Asked()
        asked.open(URI, path.read_text(encoding="utf-8"))
        assert asked.findings() == {}, path


def test_what_an_unsaved_file_has_itself_is_known() -> None:
    asked = Asked()
    uri = asked.open(URI, STRANGE + "teams:\n  - {id: wolves, name: {en: Grey Wolves}}\n")
    hints = asked.about_file(types.TEXT_DOCUMENT_INLAY_HINT, uri, range=EVERYWHERE)
    assert {hint.label for hint in hints} == {"Grey Wolves"}
    team = STRANGE.replace("team: wolves", "team: wo¦lves") + "teams:\n  - {id: wolves, name: Grey Wolves}\n"
    (definition,) = at_mark(asked, types.TEXT_DOCUMENT_DEFINITION, team)
    assert definition.uri == uri
    offered = at_mark(asked, types.TEXT_DOCUMENT_COMPLETION, team.replace("wo¦lves", "¦"))
    assert [item.label for item in offered.items] == ["wolves"]


def test_hover_fixes_and_formatting_without_a_project() -> None:
    asked = Asked()
    uri = asked.open(URI, "")
    hovered = at_mark(asked, types.TEXT_DOCUMENT_HOVER, f"{CARD}when attacking, self ge¦ts +2 AP.\n")
    assert "MODIFY step 5" in hovered.contents.value
    asked.write(uri, f"{CARD}when atacking, self get   +2 AP.\n")
    answers = everything(asked, uri)
    titles = [action.title for action in answers["actions None"]]
    assert titles[0] == "Replace `atacking` with `attacking`"
    (fix,) = answers["actions ['source.fixAll']"]
    assert [*fix.edit.changes] == [uri]
    offered = at_mark(asked, types.TEXT_DOCUMENT_COMPLETION, f"{CARD}when attacking, self ¦\n")
    assert "gets" in [item.label for item in offered.items]
    offered = at_mark(asked, types.TEXT_DOCUMENT_COMPLETION, f"{CARD}self gets +0 AP. # opforge: ignore[¦\n")
    assert offered.items[0].label == "adds-nothing"


@pytest.mark.parametrize(
    ("uri", "has_name"),
    [
        *(("untitled:", False), ("untitled:///", False), ("file://", False)),
        *(("untitled:a b/c?d#e", True), ("untitled:%00", True), ("untitled:/etc/x.yaml", True)),
        *(("untitled:opforge.yaml", True), ("untitled:others.yaml", True)),
    ],
)
def test_any_name_of_an_unsaved_file(uri: str, has_name: bool) -> None:
    """Without one the editor could not tell of which file the findings are that are published."""
    asked = Asked()
    asked.open(uri, f"{CARD}self gets +0 AP.\n")
    assert asked.findings() == ({uri: ["adds-nothing"]} if has_name else {})
    assert [finding.name for finding in asked.server.state.findings_of(uri)] == ["adds-nothing"]
    assert all(answer is not None for answer in everything(asked, uri).values())


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        (URI, "services:\n  web: {}\n"),
        (URI, ""),
        ("git:/cards/a.yaml?HEAD", f"{CARD}self gets +0 AP.\n"),
        ("vscode-notebook-cell:/a.ipynb#W0", f"{CARD}self gets +0 AP.\n"),
    ],
)
def test_no_unsaved_card_file(uri: str, text: str) -> None:
    asked = Asked()
    asked.open(uri, text)
    assert asked.findings() == {}
    assert set(map(str, everything(asked, uri).values())) == {"None"}


# beside a project


def test_it_is_read_as_a_file_of_the_only_project(project: Path) -> None:
    asked = Asked(project)
    assert asked.findings() == {}
    uri = asked.open(URI, "")
    text = CARD.replace("id: a", "id: viper") + "when attacking, self gets +1 AP.\n"
    asked.write(uri, text)
    assert "duplicate-id" in asked.findings()[uri]
    assert {path.name for path in project.iterdir()} == {
        "cards.yaml",
        "opforge.yaml",
        "operators.yaml",
        "rules.yaml",
    }


def test_the_project_itself_does_not_change(project: Path) -> None:
    """An id that only an unsaved file has is unknown in the saved ones."""
    asked = Asked(project)
    cards = asked.open(project / "cards.yaml")
    text = (project / "cards.yaml").read_text(encoding="utf-8")
    asked.write(cards, text.replace("deck: {", "deck: {novelty: 1, "))
    asked.open(URI, CARD.replace("id: a", "id: novelty") + "when attacking, self gets +1 AP.\n")
    assert asked.findings()[cards] == ["unknown-card"]
    asked.write(cards, text)
    assert asked.findings()[cards] == []


def test_a_saved_change_counts_in_it(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(URI, f'{CARD}when attacking, if target has TEAM "foxes", self gets +1 AP.\n')
    rules = asked.open(project / "rules.yaml")
    before = asked.findings().get(uri, [])
    assert "unknown-team" not in before
    text = (project / "rules.yaml").read_text(encoding="utf-8")
    asked.write(rules, text.replace("id: foxes", "id: wolves"))
    assert "unknown-team" in asked.findings()[uri]
    asked.write(rules, text)
    assert asked.findings()[uri] == before


def test_ids_of_the_project_lead_from_an_unsaved_file_and_a_rename_reaches_it(project: Path) -> None:
    asked = Asked(project)
    asked.open(URI, "")
    text = "squads:\n  - {id: s, name: S, operators: [vi¦per], deck: {aimed-shot: 1}}\n"
    (definition,) = at_mark(asked, types.TEXT_DOCUMENT_DEFINITION, text)
    assert definition.uri == (project / "operators.yaml").as_uri()
    edit = at_mark(asked, types.TEXT_DOCUMENT_RENAME, text, new_name="adder")
    assert {URI, (project / "operators.yaml").as_uri(), (project / "cards.yaml").as_uri()} == set(
        edit.changes
    )


def test_the_project_that_the_editor_means(project: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(project, tmp_path / "other"))
    rules = other / "rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("id: foxes", "id: wolves"), encoding="utf-8")
    asked = Asked(project, other)
    text = f'{CARD}when attacking, if target has TEAM "wolves", self gets +1 AP.\n'
    there = asked.open(f"untitled:{other / 'new.yaml'}", text)
    here = asked.open(f"untitled:{project / 'new.yaml'}", text)
    nowhere = asked.open(URI, text)
    findings = asked.findings()
    assert "unknown-team" in findings[here]
    assert "unknown-team" not in findings.get(there, [])
    assert nowhere not in findings, "there are two projects"


def test_two_unsaved_files_know_each_other(project: Path) -> None:
    asked = Asked(project)
    asked.open(URI, "teams:\n  - {id: wolves, name: W}\n")
    text = f'{CARD}when attacking, if target has TEAM "wolves", self gets +1 AP.\n'
    other = asked.open("untitled:Untitled-2", text)
    assert "unknown-team" not in asked.findings().get(other, [])
    asked.server.state.mark_stale(asked.server.state.close(URI))
    assert "unknown-team" in asked.findings()[other]


def test_its_project_is_deleted(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(URI, f"{CARD}self gets +0 AP.\n")
    assert "adds-nothing" in asked.findings()[uri]
    shutil.rmtree(project)
    asked.server.state.mark_stale()
    asked.findings()
    assert asked.server.state.findings_of(uri)
    assert all(answer is not None for answer in everything(asked, uri).values())


@pytest.mark.parametrize("seed", some(range(2), 0))
def test_it_has_the_findings_that_it_has_when_it_is_saved(project: Path, seed: int) -> None:
    chance = random.Random(f"unsaved {seed}")
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(project.glob("*.yaml"))}
    for _ in range(share(60)):
        asked, saved = Asked(project), Asked(project)
        other = chance.choice([path for path in texts if path.name != "opforge.yaml"])
        text = "# new\n" + edited(texts[other], chance)
        there = project / "new.yaml"
        for one in (asked, saved):
            one.open(other, edited(texts[other], random.Random(seed)))
        unsaved_uri, saved_uri = asked.open(f"untitled:{there}", text), saved.open(there, text)
        found = {
            uri: list(map(repr, one.server.state.findings_of(uri)))
            for one, uri in ((asked, unsaved_uri), (saved, saved_uri))
        }
        assert found[unsaved_uri] == found[saved_uri]
