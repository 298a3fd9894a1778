"""The public Python interface of opforge: a project to script with, and the commands as functions.

    import toolkit

    project = toolkit.open("cards")
    attack = project.attack("viper", "bishop", seed=3)
    report = toolkit.check("cards")

``toolkit`` has all names of this module. ``open`` and the names in ``__all__`` with their parameters, and the
fields and properties of the values that they take and return, are stable: they change only with a new minor
version, and the changelog says so. All other modules may change in any version. Paths are absolute or
relative to the current folder. Only ``save``, ``make_project`` and ``write_sheet`` write files.

Rooms are imported only where a function needs them: a check of unchanged cards takes 0.08 s, or 0.14 s with
all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from toolkit.data.project_files import target_of
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.help_names import keys_named, section_about
from toolkit.diagnostics.help_pages import (
    other_page,
    other_pages,
    page_of_finding,
    section_headed,
    sections,
)
from toolkit.diagnostics.report import Report, make_report
from toolkit.vocabulary.nearest import nearest

if TYPE_CHECKING:
    from toolkit.diagnostics.help_search import Match
    from toolkit.diagnostics.own_finding import OwnFinding
    from toolkit.dsl import tree as nodes
    from toolkit.editing.fixing import Fixed
    from toolkit.editing.fixing import fix_requested as fix
    from toolkit.editing.formatting import format_below, format_file
    from toolkit.editing.scaffold import make_project
    from toolkit.play.attack.request import AttackRequest, PlayedAttack, Refused
    from toolkit.play.attack.run import play_attack as attack
    from toolkit.play.odds.request import Odds, OddsRequest, RefusedOdds
    from toolkit.play.odds.request import find_odds as odds
    from toolkit.play.playable_game import Unplayable
    from toolkit.play.scenarios.playing import TestRun
    from toolkit.play.simulation.simulating import Tally
    from toolkit.products.changes.change_model import CardChange, Changes
    from toolkit.products.rules_texts import rules_json, rules_plain
    from toolkit.products.sheets.project_layouts import LayoutRequest
    from toolkit.products.sheets.write_sheets import SheetRequest, write_sheet
    from toolkit.project.analyse_effects import ParsedEffect
    from toolkit.project.checks import CheckRequest
    from toolkit.project.output import Change, Outcome, Refusal, difference, save
    from toolkit.project.pipeline import Workspace
    from toolkit.scripting.problems import ProjectError
    from toolkit.scripting.project import Card, Project
    from toolkit.scripting.project import open as open

__all__ = [
    "AttackRequest",
    "Card",
    "CardChange",
    "Change",
    "Changes",
    "CheckRequest",
    "Diagnostic",
    "Fixed",
    "LayoutRequest",
    "Match",
    "Odds",
    "OddsRequest",
    "Outcome",
    "OwnFinding",
    "ParsedEffect",
    "PlayedAttack",
    "Project",
    "ProjectError",
    "Refusal",
    "Refused",
    "RefusedOdds",
    "Report",
    "SheetRequest",
    "Tally",
    "TestRun",
    "Unplayable",
    "Workspace",
    "attack",
    "check",
    "compiled_json",
    "compiled_text",
    "difference",
    "editor_schema_json",
    "fix",
    "format_below",
    "format_file",
    "help_on_word",
    "help_page",
    "list_of_help",
    "make_project",
    "nearest_help",
    "nodes",
    "odds",
    "open_project",
    "report_of",
    "report_of_findings",
    "rules_json",
    "rules_plain",
    "save",
    "search_help",
    "test",
    "write_sheet",
]

_IMPORTED = {
    "toolkit.diagnostics.help_search": "Match",
    "toolkit.dsl.tree": ":nodes",
    "toolkit.project.pipeline": "Workspace",
    "toolkit.project.analyse_effects": "ParsedEffect",
    "toolkit.play.attack.request": "AttackRequest PlayedAttack Refused",
    "toolkit.play.attack.run": "play_attack:attack",
    "toolkit.project.checks": "CheckRequest",
    "toolkit.diagnostics.own_finding": "OwnFinding",
    "toolkit.editing.fixing": "Fixed fix_requested:fix",
    "toolkit.editing.formatting": "format_below format_file",
    "toolkit.products.sheets.project_layouts": "LayoutRequest",
    "toolkit.project.output": "Change Outcome Refusal difference save",
    "toolkit.play.playable_game": "Unplayable",
    "toolkit.editing.scaffold": "make_project",
    "toolkit.play.scenarios.playing": "TestRun",
    "toolkit.play.odds.request": "Odds OddsRequest RefusedOdds find_odds:odds",
    "toolkit.play.simulation.simulating": "Tally",
    "toolkit.products.changes.change_model": "CardChange Changes",
    "toolkit.products.rules_texts": "rules_json rules_plain",
    "toolkit.products.sheets.write_sheets": "SheetRequest write_sheet",
    "toolkit.scripting.problems": "ProjectError",
    "toolkit.scripting.project": "Card Project open",
}
"""Names from other modules, as ``there:here`` if they differ; ``:here`` is the module itself.

They are imported when they are first used: ``check`` should not wait for the modules that draw cards (a warm
check takes 80 ms, importing Jinja 60)."""


def __getattr__(name: str) -> Any:
    """Import a name of the interface when it is first used."""
    for module, names in _IMPORTED.items():
        for pair in names.split():
            name_in_module, _, alias = pair.partition(":")
            if name == (alias or name_in_module):
                imported = import_module(module)
                value = globals()[name] = getattr(imported, name_in_module) if name_in_module else imported
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return sorted(("open", *__all__))


PathLike = Union[str, "os.PathLike[str]"]


def open_project(root: PathLike) -> Workspace:
    """Load the project in a folder with everything its cards do. Never raises for what the files hold."""
    from toolkit.project.pipeline import open_project as load

    return load(Path(root))


def check(request: CheckRequest | PathLike) -> Report | str:
    """Check the requested projects, or what is at a path; return a sentence if that is not possible."""
    from toolkit.project.checks import CheckRequest
    from toolkit.project.checks import check as check_projects

    if not isinstance(request, CheckRequest):
        target = target_of(Path(request))
        if isinstance(target, str):
            return target
        request = CheckRequest([target], time.strftime("%Y-%m-%d"))
    return check_projects(request, _further_findings)


def _further_findings(workspace: Workspace) -> Sequence[Diagnostic]:
    """The findings of checks that play attacks, if a house rule asks for them."""
    node = workspace.cards.project.node
    if node is None or "house_rules" not in node.nodes:
        return ()
    from toolkit.play.odds.fair_power import fair_power_findings

    return list(fair_power_findings(workspace))


def report_of(workspace: Workspace, ids: Iterable[str]) -> Report:
    """Return a report of the errors of a loaded project; with ids only those about these entries."""
    return report_of_findings(workspace, workspace.errors_about(set(ids)))


def report_of_findings(workspace: Workspace, findings: Iterable[Diagnostic]) -> Report:
    """Return a report of some findings of a loaded project."""
    counts = workspace.card_counts
    return make_report(list(findings), len(counts), sum(counts.values()))


def test(targets: Sequence[tuple[Path, Path | None]], *, coverage: bool) -> TestRun:
    """Play the scenarios below paths: pairs of a project's folder and a path, or None for all of it.

    With ``coverage`` the run has their coverage of the projects.
    """
    from toolkit.play.scenarios.runner import join_runs, run_scenarios

    below: dict[Path, list[Path]] = {}
    for project, path in targets:
        below.setdefault(project, []).append(path or project)
    return join_runs(
        run_scenarios(open_project(project), paths, coverage) for project, paths in below.items()
    )


def list_of_help() -> str:
    """Return a list of all help pages and findings by name, with their titles."""
    pages = other_pages()
    width = max(map(len, (*CATALOGUE, *pages)))
    lines = [f"{name:<{width}}  {title}" for name, title in sorted(pages.items())]
    finding_lines = [
        f"{name:<{width}}  {finding_lines.severity:<7}  {finding_lines.title}"
        for name, finding_lines in sorted(CATALOGUE.items())
    ]
    return "\n".join(["Pages:", *lines, "", "Findings:", *finding_lines]) + "\n"


def help_page(name: str) -> str | None:
    """Return the help of a name as Markdown; None if there is none.

    That is the page of a finding, another page, the section of the reference about a word, or any section by
    its heading. If a word of a section is written in other words too, these follow.
    """
    if name in CATALOGUE:
        return page_of_finding(name)
    headings = {heading.casefold(): text for heading, text in sections().items()}
    about = headings.get(name.casefold()) or headings.get((section_about(name) or "").casefold())
    page = other_page(name) or about or section_headed(name)
    return None if page is None else "\n".join(filter(None, (page, _instead(name, known=True))))


def help_on_word(word: str) -> str | None:
    """Return what is known about a word that is no name: keys of files, and what an effect says instead."""
    keys = keys_named(word)
    parts = ["\n\n".join([f"# {word}", *keys]) + "\n" if keys else None, _instead(word, known=False)]
    return "\n".join(filter(None, parts)) or None


def search_help(words: str, commands: Mapping[str, str] | None = None) -> list[Match]:
    """Return the best three matches of words in the help; sentences about ``commands`` are searched too."""
    from toolkit.diagnostics.help_search import HelpIndex

    return HelpIndex(commands).search(words)


def _instead(words: str, *, known: bool) -> str | None:
    """Return what to write in an effect instead of words; nothing for words of the language itself."""
    from toolkit.dsl.nearest_sentences.phrases import language_words, noted_at, said_instead_of

    split_words = words.casefold().split()
    is_of_language = known and language_words().issuperset(split_words)
    instead_of = {} if is_of_language else said_instead_of(words)
    lines = [f"- Instead of `{written}` write `{right}`." for written, right in instead_of.items()]
    note = noted_at(split_words, 0)
    lines += [f"- {note}"] if note else []
    return "\n".join([f"## `{words}` in an effect", "", *lines]) + "\n" if lines else None


def nearest_help(name: str) -> str | None:
    """Return the finding, page or section that was probably meant, if there is one."""
    return nearest(name, (*CATALOGUE, *other_pages(), *sections()))


def compiled_json(workspace: Workspace, ids: Sequence[str]) -> str:
    """Return the effect objects of entries (of all without ids) as JSON, by id and part."""
    from toolkit.dsl.effect_objects import as_data

    shown: dict[str, dict[str, object]] = {}
    for (entry, card_part), compiled in workspace.effects.items():
        if not ids or entry in ids:
            shown.setdefault(entry, {})[card_part] = [as_data(effect) for effect in compiled.objects]
    return json_text({"version": 1, "effects": shown})


def compiled_text(workspace: Workspace, ids: Sequence[str]) -> str:
    """Return the effect objects of entries (of all without ids) as text."""
    from toolkit.dsl.effect_objects import as_lines

    lines: list[str] = []
    for (entry, card_part), compiled in workspace.effects.items():
        if not ids or entry in ids:
            lines += [f"{entry} · {card_part}", *(f"  {line}" for line in as_lines(compiled.objects))]
    return "".join(f"{line}\n" for line in lines)


def editor_schema_json(*, annotated: bool = True) -> str:
    """Return the JSON Schema of all files of a project, with annotations for editors or without."""
    from toolkit.editing.editor_schema import editor_schema

    return json_text(editor_schema(annotated=annotated))
