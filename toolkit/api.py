"""The program: what each command does, as functions from a project to a value. Faces only show the values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.report import Report, make_report

if TYPE_CHECKING:
    from toolkit.data.model import Card
    from toolkit.pipeline import Workspace
    from toolkit.project.attack.request import AttackRequest, PlayedAttack, Refused
    from toolkit.project.checks import CheckRequest
    from toolkit.project.fixing import Fixed
    from toolkit.project.formatting import Formatted
    from toolkit.project.formatting import Refused as NotFormatted
    from toolkit.project.formatting.formatter import FormattedFiles
    from toolkit.project.output import Change
    from toolkit.project.play import Unplayable
    from toolkit.project.scaffold import Example
    from toolkit.project.scenarios.playing import TestRun
    from toolkit.source import SourceFile


# check


def check(request: CheckRequest) -> Report | str:
    """Check projects and report what a request asks for, or say why it cannot be fulfilled."""
    from toolkit.project.checks import check as check_projects

    return check_projects(request)


def fix(request: CheckRequest, unsafe: bool = False) -> Fixed | str:
    """Fix in memory what a check with this request would tell; ``save`` writes the changes."""
    from toolkit.project.fixing import fix_requested

    return fix_requested(request, unsafe=unsafe)


def difference(change: Change) -> str:
    """A change of a file as a unified difference."""
    from toolkit.project.output import difference as shown

    return shown(change)


def save(change: Change) -> str | None:
    """Write a change of a file whole, or not at all and say why in a sentence."""
    from toolkit.project.output import save as write

    return write(change)


def card_counts(workspace: Workspace) -> dict[Path, int]:
    """The number of cards (entries of `cards` and `objectives`) written in each file, broken ones too."""
    cards = workspace.cards
    return {file.path: cards.counts.get(file.path, 0) for file in cards.files}


def open_project(root: Path) -> Workspace:
    """Load a project with all its effects."""
    from toolkit.pipeline import open_project as load
    from toolkit.project.declared_words import check_words

    check_words()
    return load(root)


def report_of(workspace: Workspace, ids: Iterable[str]) -> Report:
    """The errors of a loaded project; with ids only those of these entries."""
    counts = card_counts(workspace)
    return make_report(workspace.errors_about(set(ids)), len(counts), sum(counts.values()))


# fmt


def format_below(targets: Sequence[tuple[Path, Path | None]]) -> FormattedFiles:
    """Format in memory what lies below paths: pairs of a project's folder and a path, or None for all."""
    from toolkit.project.formatting.formatter import format_below as format_files

    return format_files(targets)


def format_file(file: SourceFile) -> Formatted | NotFormatted:
    """One file in canonical form, or why it is skipped."""
    from toolkit.project.formatting import format_file as format_one

    return format_one(file)


# test


def test(targets: Sequence[tuple[Path, Path | None]], *, coverage: bool) -> TestRun:
    """Play the scenarios that lie below paths: pairs of a project's folder and a path, or None for all.

    With ``coverage`` the run says what they reach of their projects.
    """
    from toolkit.project.scenarios.runner import join_runs, run_scenarios

    below: dict[Path, list[Path]] = {}
    for project, path in targets:
        below.setdefault(project, []).append(path or project)
    return join_runs(
        run_scenarios(open_project(project), paths, coverage) for project, paths in below.items()
    )


# attack


def attack(workspace: Workspace, request: AttackRequest) -> PlayedAttack | Refused | Unplayable:
    """Play one attack and explain it, or say why it cannot be played."""
    from toolkit.project.attack.run import play_attack

    return play_attack(workspace, request)


def report_of_findings(workspace: Workspace, findings: Iterable[Diagnostic]) -> Report:
    """A report of some findings of a loaded project."""
    counts = card_counts(workspace)
    return make_report(list(findings), len(counts), sum(counts.values()))


# explain


def list_of_help() -> str:
    """All pages and all findings by name, with what each is about."""
    from toolkit.help.pages import other_pages

    pages = other_pages()
    width = max(map(len, (*CATALOGUE, *pages)))
    lines = [f"{name:<{width}}  {title}" for name, title in sorted(pages.items())]
    found = [
        f"{name:<{width}}  {found.severity:<7}  {found.title}" for name, found in sorted(CATALOGUE.items())
    ]
    return "\n".join(["Pages:", *lines, "", "Findings:", *found]) + "\n"


def help_page(name: str) -> str | None:
    """What is known by a name, as Markdown; None if it is nothing.

    The page of a finding, another page, the section of the reference about a word, or what pages say of it;
    and what to write in an effect instead of it.
    """
    from toolkit.help.pages import other_page, page_of_finding, sections
    from toolkit.help.search import hints_about, page_about, section_about

    if name in CATALOGUE:
        return page_of_finding(name)
    headings = {heading.casefold(): text for heading, text in sections().items()}
    about = headings.get(name.casefold()) or headings.get((section_about(name) or "").casefold())
    page = other_page(name) or about
    found = (page, hints_about(name), None if page else page_about(name))
    return "\n".join(one for one in found if one is not None) or None


def nearest_help(name: str) -> str | None:
    """The finding, page or section that was probably meant."""
    from toolkit.help.pages import other_pages, sections
    from toolkit.vocabulary.nearest import nearest

    return nearest(name, (*CATALOGUE, *other_pages(), *sections()))


# compile


def compiled_json(workspace: Workspace, ids: Sequence[str]) -> str:
    """The effect objects of entries (without ids of all) as JSON, by id and part."""
    from toolkit.effects.objects import as_data

    shown: dict[str, dict[str, object]] = {}
    for (entry, part), compiled in workspace.effects.items():
        if not ids or entry in ids:
            shown.setdefault(entry, {})[part] = [as_data(effect) for effect in compiled.objects]
    return json_text({"version": 1, "effects": shown})


def compiled_text(workspace: Workspace, ids: Sequence[str]) -> str:
    """The effect objects of entries (without ids of all), for people."""
    from toolkit.effects.objects import as_lines

    lines: list[str] = []
    for (entry, part), compiled in workspace.effects.items():
        if not ids or entry in ids:
            lines += [f"{entry} · {part}", *(f"  {line}" for line in as_lines(compiled.objects))]
    return "".join(f"{line}\n" for line in lines)


# schema and starter project


def editor_schema_json() -> str:
    """The JSON Schema of card files for editors."""
    from toolkit.data.schema import editor_schema

    return json_text(editor_schema())


def make_project(
    folder: Path, example: Example = "small", theme: str | None = None, *, with_templates: bool = False
) -> str | None:
    """Make a project in a folder that is new or empty; a sentence if that cannot be."""
    from toolkit.project.scaffold import make_project as make

    return make(folder, example, theme, with_templates=with_templates)


# rules text


def rules_plain(workspace: Workspace, ids: Sequence[str], language: str) -> str:
    """The rules text of cards (without ids of all) in a language, for people."""
    blocks = []
    for card, rules in _rules(workspace, ids, language):
        lines = [one_line(card.name.in_language(language).value)]
        for skill, text in rules:
            lines += [f"  {skill}:" if skill else "", *(f"  {line}" for line in text.split("\n"))]
        blocks.append("\n".join(line for line in lines if line))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def rules_json(workspace: Workspace, ids: Sequence[str], language: str) -> str:
    """The same as JSON."""
    cards = [
        {
            "id": card.id,
            "kind": card.kind,
            "name": card.name.in_language(language).value,
            "rules": [{"name": skill or None, "text": text} for skill, text in rules],
        }
        for card, rules in _rules(workspace, ids, language)
    ]
    return json_text({"version": 1, "language": language, "cards": cards})


def _rules(
    workspace: Workspace, ids: Sequence[str], language: str
) -> Iterator[tuple[Card, list[tuple[str, str]]]]:
    """For each card names and texts of its SKILLs or its effect."""
    from toolkit.project.faces import rules_of
    from toolkit.wording.text import plain

    for card in workspace.cards.cards.values():
        if not ids or card.id in ids:
            rules = [(one.name, plain(one.paragraphs)) for one in rules_of(workspace, card, language)]
            yield card, rules
