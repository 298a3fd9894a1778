"""``opforge findings``: the catalogue of findings, and what is in force for the project here."""

from __future__ import annotations

from collections.abc import Iterator

import click

from toolkit.apps.cli.options import format_option
from toolkit.apps.cli.terminal import echo
from toolkit.data.loading import load_project
from toolkit.data.project_files import find_project
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.help_pages import address_of_finding
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.selection import CheckSettings
from toolkit.source.paths import PROJECT_FILE


@click.command()
@format_option("text", "json")
def findings(form: str) -> int:
    """List all findings: name, severity, group, whether it can be fixed, and title.

    `opforge explain NAME` explains one, `opforge explain checks` what is switched off here.
    """
    if form == "json":
        rows = [
            {
                "name": finding.name,
                "severity": finding.severity,
                "group": finding.group,
                "title": finding.title,
                "fixable": finding.fixable,
                "page": address_of_finding(finding.name),
            }
            for finding in CATALOGUE.values()
        ]
        echo(json_text({"version": 1, "findings": rows}), nl=False)
        return 0
    width = max(map(len, CATALOGUE))
    for finding in CATALOGUE.values():
        fixable = "fixable" if finding.fixable else ""
        columns = f"{finding.name:<{width}}  {finding.severity:<7}  {finding.group:<6}  {fixable:<7}"
        echo(f"{columns}  {finding.title}")
    return 0


def checks_in_force() -> str:
    """Return which findings are not as the catalogue has them in the nearest project, and who chose it."""
    root = find_project()
    if root is None:
        return "There is no project here: all findings are on, as `opforge findings` lists them.\n"
    cards, _findings = load_project(root)
    title = f"# What is checked in {one_line(cards.project.name or root.name)}"
    return "\n".join([title, "", *_differences(cards.project.checks)]) + "\n"


def _differences(settings: CheckSettings) -> Iterator[str]:
    """Yield a line for each finding that is off or of another severity, in the project or in some files."""
    patterns = dict.fromkeys(choice.pattern for choice in settings.choices)
    usual_names = set(CATALOGUE)
    for pattern in dict.fromkeys(("", *patterns)):  # first what counts in the whole project
        for name, finding in CATALOGUE.items():
            level, choice = settings.decided_below(name, pattern)
            if choice is None or choice.pattern != pattern:
                continue
            usual_names.discard(name)
            in_files = f" in `{one_line(pattern)}`" if pattern else ""
            instead = "" if level == "off" else f" instead of {finding.severity}"
            yield f"- `{name}`{in_files}: {level}{instead} ({choice.origin})"
    for name in settings.plugins:
        yield f"- plug-in `{one_line(name)}`: on, if it is installed ({PROJECT_FILE})"
    for choice in settings.excluded:
        yield f"- everything in `{one_line(choice.pattern)}`: off ({choice.origin})"
    yield f"- {counted(len(usual_names), 'other finding')}: on, as `opforge findings` lists them"
