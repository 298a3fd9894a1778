"""How often each finding comes: what to look at first in an old set."""

from __future__ import annotations

from typing import Any

from toolkit.diagnostics.catalogue import CATALOGUE, severity_of
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import Style, as_data, summary, unstyled


def statistics_text(report: Report, style: Style = unstyled) -> str:
    """A line for each kind of finding, the most frequent first, and the summary."""
    rows = _counted(report)
    number = max((len(str(count)) for _, count in rows), default=0)
    width = max((len(f"{severity_of(name)}[{name}]") for name, _ in rows), default=0)
    lines = []
    for name, count in rows:
        severity = severity_of(name)
        label = f"{severity}[{name}]"
        gap = " " * (width - len(label))
        lines.append(f"{count:>{number}}  {style(label, severity)}{gap}  {CATALOGUE[name].title}")
    return "\n".join([*lines, summary(report)]) + "\n"


def statistics_json(report: Report) -> str:
    """The same for programs."""
    data: dict[str, Any] = {
        "version": 1,
        "statistics": [
            {"name": name, "severity": severity_of(name), "count": count} for name, count in _counted(report)
        ],
        "summary": as_data(report)["summary"],
    }
    return json_text(data)


def _counted(report: Report) -> list[tuple[str, int]]:
    return sorted(report.names.items(), key=lambda row: (-row[1], row[0]))
