"""Every finding has a page, and the examples of the pages are executed.

``examples.py`` says how examples are written. Each wrong one must give exactly the finding of its page,
once or more and no other; each right one none. The pages of findings about print are printed as well as
checked.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.help.examples import BASE, Example, examples_of, make_project, overlay_of, with_fewer_lines
from tests.thoroughness import THOROUGH
from toolkit.data.yaml import yaml_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.baseline import Baseline, apply_baseline, read_baseline, stale_finding
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.help_pages import head_of_finding, page_of_finding
from toolkit.diagnostics.suppressions import BlindSpots, filter_suppressed
from toolkit.editing.tables.importing import ImportRequest, plan_import
from toolkit.editing.tables.table_reader import Book, read_book
from toolkit.play.odds.fair_power import fair_power_findings
from toolkit.play.playable_game import text_only_warnings
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.project import own_checks
from toolkit.project.checks import check_all
from toolkit.project.faces import faces
from toolkit.project.own_checks import installed_checks, own_findings
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.render.face import Face
from toolkit.render.fetch import Roots

PACKAGE = Path(__file__).parents[2] / "toolkit"
PAGES = PACKAGE / "help" / "findings"
NAMES = sorted(page.stem for page in PAGES.glob("*.md"))
OF_PRINT = (
    *("missing-resource", "refused-resource", "template-error", "text-overflow", "unreadable-picture"),
    *("missing-glyph", "substitute-font", "low-resolution", "unused-template", "ignored-css"),
    *("small-text", "too-many-imports"),
)
"""Findings that the check cannot see: it does not print."""

ENVIRONMENT = Path(__file__).parents[1] / "projects" / "environment"
"""A folder of packages with checks of a team's own."""

TODAY = "2026-06-01"
MOST_LINES = 25
MOST_WIDTH = 115


def page(name: str) -> str:
    text = page_of_finding(name)
    assert text is not None
    return text


EXAMPLES = {name: list(examples_of(name, page(name))) for name in NAMES}


def checked(workspace: Workspace) -> list[Diagnostic]:
    """What `opforge check` tells of a project, with its `baseline.json` if there is one."""
    everything = check_all(workspace)
    plugins = everything.settings.plugins
    own = own_findings(workspace.cards, installed_checks(plugins)) if plugins else []
    findings = [*everything.findings, *fair_power_findings(workspace), *own]
    reported = filter_suppressed(findings, everything.suppressions, TODAY).reported
    file = workspace.root / "baseline.json"
    if not file.exists():
        return list(reported)
    baseline = read_baseline(file)
    assert isinstance(baseline, Baseline)
    found = apply_baseline(baseline, workspace.root, reported, BlindSpots(everything.findings), ())
    return [*found.reported, *map(stale_finding, found.gone)]


def imported(root: Path, update: bool) -> set[str]:
    """What `opforge import` tells of `table.csv`."""
    book = read_book(root / "table.csv")
    assert isinstance(book, Book), book
    plan = plan_import(open_project(root), book, ImportRequest(update=update))
    return {problem.name for problem in plan.problems}


CACHE = Cache()


def opened(example: Example, folder: Path) -> Workspace:
    """The project with an example in it, which is not written where the texts are all there is to it."""
    overlay = overlay_of(example)
    if overlay is None or any("plugins:" in text for text in overlay.values()):  # they read the files
        return open_project(make_project(folder, example))
    return open_project(BASE, overlay, CACHE)


def is_of_example(workspace: Workspace, face: Face) -> bool:
    """Whether a face is of a card of the example, or of the kind whose template examples change."""
    card = workspace.cards.cards.get(face.id)
    return face.kind == "attack" or (card is not None and card.file.path.name == "example.yaml")


def findings_of(
    workspace: Workspace, printed: bool, played: bool = False, whole: bool = True
) -> list[Diagnostic]:
    found = checked(workspace)
    found += text_only_warnings(workspace.cards, workspace.cards.cards) if played else []
    if printed:
        shown = [face for face in faces(workspace, "en") if whole or is_of_example(workspace, face)]
        result = render_sheet(shown, SheetSettings(), Roots(workspace.root))
        assert result.failure is None
        found += result.diagnostics
    return found


@pytest.mark.parametrize("printed", [False, True], ids=["checked", "printed"])
def test_the_project_around_the_examples_has_no_findings(printed: bool) -> None:
    assert findings_of(open_project(BASE), printed) == []


@pytest.mark.parametrize("name", NAMES)
def test_an_example_gives_the_finding_of_its_page_or_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = EXAMPLES[name]
    monkeypatch.setattr(own_checks, "environment_folders", lambda: [str(ENVIRONMENT)])
    if name == "too-many-values":  # to read so many takes a second: a tenth of the limit, and of the lines
        monkeypatch.setattr(yaml_tree, "MAX_NODES", yaml_tree.MAX_NODES // 10)
        examples = [with_fewer_lines(example, 10) for example in examples]
    for example in examples:
        folder, about = tmp_path / str(example), CATALOGUE[name].about
        expected = {name} if example.section == "Wrong" else set()
        if about == "table":
            assert imported(make_project(folder, example), name != "row-exists") == expected, str(example)
            continue
        found = findings_of(opened(example, folder), name in OF_PRINT, about == "play", THOROUGH)
        assert {finding.name for finding in found} == expected, (str(example), found)
        assert CATALOGUE[name].fixable or not any(finding.fix or finding.alternatives for finding in found)


def test_the_head_of_a_page_declares_the_finding() -> None:
    for name in CATALOGUE:
        head = head_of_finding(name)
        optional = [key for key in ("about", "group", "fixable") if key in head]
        assert list(head) == ["severity", "title", *optional], name
        assert head.get("fixable", "yes") == "yes", name
        group = head.get("group", "style")
        assert group in ("style", "print"), name
        assert group == "style" or head["severity"] == "warning", name
        assert head["severity"] in ("error", "warning"), name
        assert re.fullmatch(r"[A-Za-z`].*[^.]", head["title"]), name
        assert head.get("about", "") in ("", "project", "print", "play", "plugin", "suppression", "table"), (
            name
        )


def test_every_finding_of_the_package_has_a_page_and_every_page_a_finding() -> None:
    made, words = set(), set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        words |= {*re.findall(r'"(-?[a-z]+(?:-[a-z]+)*)"', text), *re.findall(r'\}(-[a-z-]+)"', text)}
        made |= {*re.findall(r'\b(?:Diagnostic|Problem)\(\s*"([^"]+)"', text)}
    assert len(made) > 50
    assert made - set(CATALOGUE) == set()
    endings = tuple(word for word in words if word.startswith("-") and len(word) > 5)  # f"{kind}-not-allowed"
    assert [name for name in CATALOGUE if name not in words and not name.endswith(endings)] == []


def test_a_page_says_what_it_is_and_shows_wrong_and_right() -> None:
    for name in NAMES:
        lines = page(name).splitlines()
        assert lines[0] == f"# {name}"
        assert re.fullmatch(r"[A-Z`].*\.", lines[1]), name
        headings = [line for line in lines if line.startswith("## ")]
        assert headings in (["## Wrong", "## Right"], ["## Wrong", "## Right", "## Also"]), name
        assert {example.section for example in EXAMPLES[name]} == {"Wrong", "Right"}, name


def test_a_page_is_short() -> None:
    for name in NAMES:
        words = re.sub(r"^```.*?^```$", "", page(name), flags=re.MULTILINE | re.DOTALL)
        assert len(words.splitlines()) <= MOST_LINES, name
        assert max(map(len, words.splitlines())) <= MOST_WIDTH, name


def test_a_page_names_only_findings_that_exist() -> None:
    for name in NAMES:
        named = re.findall(r"^`([a-z]+(?:-[a-z]+)+)`[ :]", page(name).partition("## Also")[2], re.MULTILINE)
        assert set(named) <= set(CATALOGUE) - {name}, name
