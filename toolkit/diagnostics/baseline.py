"""Baselines: the findings that a set had when a check was adopted. Only an update on request changes one.

It is a JSON file with one line for each finding: the project's folder relative to the baseline, the name of
the finding, the card, and a fingerprint that does not change when lines move.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics.catalogue import NEVER_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.locations import fingerprint
from toolkit.diagnostics.suppressions import BlindSpots
from toolkit.source import SourceFile, Span, read_file
from toolkit.source.reading import LARGEST_FILE
from toolkit.source.short_repr import PublicValue

MAX_ENTRIES = 10_000
"""Limit of the findings in one baseline: more than a set has whose cards anybody has looked at."""

Key = tuple[str, str, str]
"""Project, name and fingerprint of a finding."""


class BaselineEntry(PublicValue, Struct, frozen=True):
    """One finding in a baseline; ``span`` is its line in the baseline's file."""

    project: str
    name: str
    card: str | None
    fingerprint: str
    span: Span

    @property
    def key(self) -> Key:
        """Project, name and fingerprint."""
        return (self.project, self.name, self.fingerprint)


class Baseline(PublicValue, Struct, frozen=True):
    """The findings of a baseline; ``path`` is absolute."""

    path: Path
    entries: tuple[BaselineEntry, ...]

    def project(self, root: Path) -> str:
        """Return the name that a project has in it."""
        return project_name(self.path, root)


def project_name(baseline: Path, root: Path) -> str:
    """Return the path of a project relative to the folder of a baseline."""
    return os.path.relpath(root, baseline.parent).replace(os.sep, "/")


def read_baseline(path: Path) -> Baseline | str:
    """Read a baseline; return an error message if the file is not one."""
    file = read_file(path)
    if not isinstance(file, SourceFile):
        return file.message
    try:
        document = json.loads(file.text)
    except (ValueError, RecursionError):
        return f"{file.name} is not a baseline: it is not JSON."
    is_version_1 = isinstance(document, dict) and document.get("version") == 1
    if not is_version_1 or not isinstance(document.get("findings"), list):
        return f"{file.name} is not a baseline of this version of opforge."
    entries = []
    offset = 0
    for number, entry in enumerate(document["findings"], 1):
        if not _is_entry(entry):
            return (
                f"{file.name} is not a baseline: its finding {number} lacks a project, name or fingerprint."
            )
        # JSON has no positions: entries are in file order, so each is found behind the one before it
        offset = max(offset, file.text.find(json.dumps(entry["fingerprint"]), offset))
        span = _line_at(file, offset)
        offset += 1
        card = entry.get("card")
        entries.append(BaselineEntry(entry["project"], entry["name"], card, entry["fingerprint"], span))
    return Baseline(path, tuple(entries))


def _is_entry(value: object) -> bool:
    """Whether a value of a baseline's JSON has all that an entry needs; only the card may be missing."""
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(key), str) for key in ("project", "name", "fingerprint"))
        and isinstance(value.get("card"), (str, type(None)))
    )


def _line_at(file: SourceFile, offset: int) -> Span:
    """Return the line at an offset, without its indentation and the comma at its end."""
    line_number = file.position(offset).line
    line = file.line(line_number)
    start = file.line_starts()[line_number - 1] + len(line) - len(line.lstrip())
    return file.span(start, start + len(line.strip().rstrip(",")))


class BaselineResult(Struct, frozen=True):
    """Findings of a project compared with a baseline.

    ``reported`` are not in it, ``baselined`` are; ``gone`` are entries whose finding no longer occurs.
    """

    reported: Sequence[Diagnostic]
    baselined: Sequence[Diagnostic] = ()
    gone: Sequence[BaselineEntry] = ()


def apply_baseline(
    baseline: Baseline,
    root: Path,
    findings: Iterable[Diagnostic],
    blind_spots: BlindSpots,
    unchecked: Collection[str],
) -> BaselineResult:
    """Compare all findings of the project in ``root`` with a baseline.

    An entry does not count as gone if an error may hide its finding, or if this run did not look for it
    (``unchecked``).
    """
    project = baseline.project(root)
    unmatched = Counter(entry.key for entry in baseline.entries if entry.project == project)
    reported: list[Diagnostic] = []
    baselined: list[Diagnostic] = []
    for finding in findings:
        key = (project, finding.name, fingerprint(finding, root))
        if unmatched[key] > 0:
            unmatched[key] -= 1
            baselined.append(finding)
        else:
            reported.append(finding)
    gone_entries = []
    for entry in reversed(baseline.entries):  # among equal entries the last ones count as gone
        if unmatched[entry.key] > 0:
            unmatched[entry.key] -= 1
            if entry.name not in unchecked and not blind_spots.may_hide_in_card(entry.card, entry.name):
                gone_entries.append(entry)
    return BaselineResult(reported, baselined, gone_entries[::-1])


def stale_finding(entry: BaselineEntry) -> Diagnostic:
    """Return the finding about an entry whose finding no longer occurs."""
    of_card = f" of `{entry.card}`" if entry.card else ""
    return Diagnostic(
        "stale-baseline",
        f"The baseline has a `{entry.name}`{of_card} that no longer occurs.",
        entry.span,
        "Run the check with --update-baseline to remove it.",
    )


def may_be_baselined(finding: Diagnostic) -> bool:
    """Whether a finding may be in a baseline; those about suppressions and of playing may not."""
    return finding.name not in NEVER_SUPPRESSED


def updated_baseline_text(
    path: Path, entries: Iterable[BaselineEntry], findings: Iterable[tuple[Path, Diagnostic]]
) -> str | None:
    """Return the text of a baseline with these entries and new findings, each with its project's folder.

    None if it would hold more than can be read again.
    """
    rows = [(entry.project, entry.name, entry.card, entry.fingerprint) for entry in entries]
    for root, finding in findings:
        if len(rows) == MAX_ENTRIES:
            return None
        rows.append((project_name(path, root), finding.name, finding.card, fingerprint(finding, root)))
    text = _text(rows)
    return text if len(text.encode("utf-8", "replace")) <= LARGEST_FILE else None


def renewed_baseline_text(
    baseline: Baseline, root: Path, names: tuple[str, str], fingerprints: Mapping[str, str]
) -> str:
    """Return the text of a baseline after the id of a card in the project changed; ``names`` are (old, new).

    ``fingerprints`` maps old to new ones; an entry whose fingerprint is not in it stays as it is.
    """
    project = baseline.project(root)
    old_id, new_id = names
    rows = []
    for entry in baseline.entries:
        new_fingerprint = fingerprints.get(entry.fingerprint) if entry.project == project else None
        card = new_id if new_fingerprint and entry.card == old_id else entry.card
        rows.append((entry.project, entry.name, card, new_fingerprint or entry.fingerprint))
    return _text(rows)


def _text(rows: Iterable[tuple[str, str, str | None, str]]) -> str:
    """Return one line for each finding, sorted, so that version control shows which are gone."""
    entries = (dict(zip(("project", "name", "card", "fingerprint"), row, strict=True)) for row in rows)
    lines = sorted(json.dumps(entry, ensure_ascii=False) for entry in entries)
    if not lines:
        return '{"version": 1, "findings": []}\n'
    findings = ",\n".join(f"    {line}" for line in lines)
    return f'{{\n  "version": 1,\n  "findings": [\n{findings}\n  ]\n}}\n'
