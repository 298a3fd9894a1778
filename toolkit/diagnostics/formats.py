"""The formats of a report by name. What a format takes is loaded only when it is wanted."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import Style, as_concise, as_json, as_text, unstyled


class Manner(Struct, frozen=True):
    """How a report is written: ``base`` is the folder that paths for other programs are relative to.

    ``strict`` says that warnings count as errors; ``style`` dresses what a person reads.
    """

    base: Path
    strict: bool = False
    style: Style = unstyled


def formatted(report: Report, form: str, manner: Manner) -> str:
    """The report as text, concise, json, sarif, github, gitlab or junit."""
    if form == "text":
        return as_text(report, manner.style)
    if form == "concise":
        return as_concise(report, manner.style)
    if form == "json":
        return as_json(report)
    if form == "sarif":
        from toolkit.diagnostics.sarif import as_sarif

        return as_sarif(report, manner.base)
    if form == "github":
        from toolkit.diagnostics.github import as_github

        return as_github(report, manner.base)
    if form == "gitlab":
        from toolkit.diagnostics.gitlab import as_gitlab

        return as_gitlab(report, manner.base)
    if form == "junit":
        from toolkit.diagnostics.junit import as_junit

        return as_junit(report, manner.strict)
    raise ValueError(form)
