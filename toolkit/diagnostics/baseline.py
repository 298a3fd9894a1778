"""A baseline: the findings that an old set had when a check was adopted. It only ever shrinks.

A JSON file with a line for each finding: the folder of its project as seen from the baseline, the name, the
card and a fingerprint, which stays when lines move.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolkit.diagnostics.catalogue import NOT_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.fingerprints import fingerprint
from toolkit.diagnostics.hiding import Hiding
from toolkit.source import SourceFile, Span, read_file

Key = tuple[str, str, str]
"""Project, name and fingerprint of a finding."""


class Known(Struct, frozen=True):
    """One finding of a baseline, and its line in it."""

    project: str
    name: str
    card: str | None
    fingerprint: str
    span: Span

    @property
    def key(self) -> Key:
        """What it is found by."""
        return (self.project, self.name, self.fingerprint)


class Baseline(Struct, frozen=True):
    """The findings of a baseline; ``path`` is absolute."""

    path: Path
    known: tuple[Known, ...]

    def project(self, root: Path) -> str:
        """What a project is called in it."""
        return project_name(self.path, root)


def project_name(baseline: Path, root: Path) -> str:
    """The folder of a project as seen from the folder of a baseline."""
    return os.path.relpath(root, baseline.parent).replace(os.sep, "/")


def read_baseline(path: Path) -> Baseline | str:
    """Read a baseline; a sentence if the file is none."""
    read = read_file(path)
    if not isinstance(read, SourceFile):
        return read.message
    try:
        data = json.loads(read.text)
    except (ValueError, RecursionError):
        return f"{read.name} is not a baseline: it is not JSON."
    if not isinstance(data, dict) or data.get("version") != 1 or not isinstance(data.get("findings"), list):
        return f"{read.name} is not a baseline of this version of opforge."
    known = []
    at = 0
    for number, entry in enumerate(data["findings"], 1):
        if not _is_entry(entry):
            return (
                f"{read.name} is not a baseline: its finding {number} lacks a project, name or fingerprint."
            )
        at = max(at, read.text.find(json.dumps(entry["fingerprint"]), at))
        line = read.line(read.position(at).line)
        start = read.line_starts()[read.position(at).line - 1] + len(line) - len(line.lstrip())
        span = read.span(start, start + len(line.strip().rstrip(",")))
        at += 1
        card = entry.get("card")
        known.append(Known(entry["project"], entry["name"], card, entry["fingerprint"], span))
    return Baseline(path, tuple(known))


def _is_entry(entry: Any) -> bool:
    keys = ("project", "name", "fingerprint")
    return (
        isinstance(entry, dict)
        and all(isinstance(entry.get(key), str) for key in keys)
        and isinstance(entry.get("card"), (str, type(None)))
    )


class Held(Struct, frozen=True):
    """Findings of a project held against a baseline.

    ``told`` are not in it, ``held`` are; ``gone`` are those of the baseline that are not there any more.
    """

    told: Sequence[Diagnostic]
    held: Sequence[Diagnostic] = ()
    gone: Sequence[Known] = ()


def hold(
    baseline: Baseline, root: Path, findings: Iterable[Diagnostic], hiding: Hiding, unseen: Collection[str]
) -> Held:
    """Hold all findings of the project in ``root`` against a baseline.

    Nothing is gone that an error may hide, or that this run did not look for (``unseen``).
    """
    project = baseline.project(root)
    left = Counter(known.key for known in baseline.known if known.project == project)
    told: list[Diagnostic] = []
    held: list[Diagnostic] = []
    for finding in findings:
        key = (project, finding.name, fingerprint(finding, root))
        there = left[key] > 0
        left[key] -= there
        (held if there else told).append(finding)
    gone = []
    for known in reversed(baseline.known):  # of equal ones the last are gone
        if left[known.key] > 0:
            left[known.key] -= 1
            if known.name not in unseen and not hiding.in_card(known.card, known.name):
                gone.append(known)
    return Held(told, held, gone[::-1])


def stale(known: Known) -> Diagnostic:
    """The finding that tells of what is gone."""
    of = f" of `{known.card}`" if known.card else ""
    return Diagnostic(
        "stale-baseline",
        f"The baseline has a `{known.name}`{of} that no longer occurs.",
        known.span,
        "Run the check with --update-baseline to remove it.",
    )


def may_be_held(finding: Diagnostic) -> bool:
    """Whether a baseline may hold a finding: none about suppressions."""
    return finding.name not in NOT_SUPPRESSED


def written(baseline: Path, findings: Iterable[tuple[Path, Diagnostic]]) -> str:
    """The text of a new baseline: findings with the folders of their projects."""
    return _text(
        {
            "project": project_name(baseline, root),
            "name": finding.name,
            "card": finding.card,
            "fingerprint": fingerprint(finding, root),
        }
        for root, finding in findings
    )


def shrunk(baseline: Baseline, gone: Iterable[Known]) -> str:
    """The text of a baseline without what is gone."""
    out = {known.span for known in gone}
    return _text(
        {
            "project": known.project,
            "name": known.name,
            "card": known.card,
            "fingerprint": known.fingerprint,
        }
        for known in baseline.known
        if known.span not in out
    )


def _text(entries: Iterable[dict[str, str | None]]) -> str:
    """One line for each finding, in order, so that a version control shows what has gone."""
    lines = sorted(json.dumps(entry, ensure_ascii=False) for entry in entries)
    if not lines:
        return '{"version": 1, "findings": []}\n'
    listed = ",\n".join(f"    {line}" for line in lines)
    return f'{{\n  "version": 1,\n  "findings": [\n{listed}\n  ]\n}}\n'
