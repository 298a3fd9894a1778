"""The results of checks, kept in the user's cache folder so that a second run need not analyse all again.

The cache key is made of the text of every YAML file of the project, the names of its other files, the times
of its pictures, the current folder and the program itself. The cache may be deleted at any time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

import toolkit
from toolkit.data.project_files import Folder, is_picture, read_folder
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.selection import CheckSettings
from toolkit.diagnostics.suppressions import Suppression
from toolkit.resources import grammar_file
from toolkit.source import ReadProblem, SourceFile, Span
from toolkit.source.derived_files import DerivedFile
from toolkit.source.paths import file_stamp

if TYPE_CHECKING:
    from toolkit.diagnostics.suppressions import Suppression

PROGRAM = (os.path.dirname(toolkit.__file__), os.fspath(grammar_file().parent))
"""The folders of all sources that findings depend on: the program, its grammar and its data."""

_MAX_ENTRIES = 64
_SOURCES = (".py", ".lark", ".json", ".yaml")
_NO_SOURCES = ("__pycache__", "node_modules")


class Checked(Struct, frozen=True):
    """The unfiltered result of checking a project: all findings, and the suppressions in its comments.

    ``counts`` are the numbers of cards by file, ``text_only`` of cards with text-only rules. ``settings`` are
    what the project chose in `checks`.
    """

    findings: Sequence[Diagnostic]
    counts: dict[Path, int]
    suppressions: Sequence[Suppression] = ()
    text_only: dict[Path, int] = {}
    settings: CheckSettings = CheckSettings()


class ResultCache:
    """The cached result for one state of a project; ``folder`` has the files that were read just before."""

    def __init__(self, root: Path, folder: Folder | None = None) -> None:
        self.root = root
        self.folder = folder or read_folder(root)
        listing = self.folder.found
        self._files: dict[str, SourceFile] = {}
        names = sorted(listing.names)
        key_parts = [toolkit.__version__, program_stamp(), os.getcwd(), str(root), *names]
        key_parts += [str(file_stamp(os.path.join(root, name))) for name in filter(is_picture, names)]
        # what could not be read has no text for the key: it may change unnoticed
        self._is_readable = not listing.unreadable and not listing.outside
        for path, file in self.folder.files.items():
            if isinstance(file, ReadProblem):
                self._is_readable = False
                continue
            self._files[str(path)] = file
            key_parts.append(file.text)
        self._entry = DerivedFile("check", *key_parts)

    def load(self) -> Checked | None:
        """Return the result of an earlier check of this state; None if there is none."""
        content = self._entry.load() if self._is_readable else None
        if content is None:
            return None
        try:
            data = json.loads(content)
            counts = _numbers_by_path(data["cards"])
            text_only = _numbers_by_path(data["text_only"])
            findings = [self._finding(item) for item in data["findings"]]
            suppressions = [
                Suppression(self._span(span), tuple(map(self._span, names)), self._span(covers), until)
                for span, names, covers, until in data["suppressions"]
            ]
            settings = msgspec.convert(data["settings"], CheckSettings)
            return Checked(findings, counts, suppressions, text_only, settings)
        except (ValueError, KeyError, TypeError):
            return None

    def store(self, checked: Checked) -> None:
        """Write a result to the cache. It is not an error if that fails."""
        spans = [span for finding in checked.findings for span in _spans(finding)]
        if not self._is_readable or any(str(span.file.path) not in self._files for span in spans):
            return
        data = {
            "cards": {str(path): number for path, number in checked.counts.items()},
            "text_only": {str(path): number for path, number in checked.text_only.items()},
            "findings": _packed(checked.findings),
            "suppressions": _packed(checked.suppressions),
            "settings": msgspec.to_builtins(checked.settings),
        }
        self._entry.keep(json.dumps(data).encode(), _MAX_ENTRIES)

    def load_own(self, stamps: Sequence[str]) -> list[Diagnostic] | None:
        """Return what the project's own checks found in this state, as their stamps are; None if unknown."""
        content = self._own_entry(stamps).load() if self._is_readable else None
        return None if content is None else [self._finding(item) for item in json.loads(content)]

    def store_own(self, findings: Sequence[Diagnostic], stamps: Sequence[str]) -> None:
        """Keep what the project's own checks found."""
        if self._is_readable:
            self._own_entry(stamps).keep(json.dumps(_packed(findings)).encode(), _MAX_ENTRIES)

    def _own_entry(self, stamps: Sequence[str]) -> DerivedFile:
        return DerivedFile("own-checks", self._entry.key, *stamps)

    def _finding(self, data: list[Any]) -> Diagnostic:
        """Return a finding as it was packed."""
        name, message, span, next_step, labels, card, fix, alternatives, severity = data
        return Diagnostic(
            name,
            message,
            self._span(span),
            next_step,
            tuple(Label(self._span(packed_span), label_text) for packed_span, label_text in labels),
            card,
            self._fix(fix) if fix else None,
            tuple(map(self._fix, alternatives)),
            severity,
        )

    def _fix(self, data: list[Any]) -> Fix:
        span, replacement, safe = data
        return Fix(self._span(span), replacement, safe)

    def _span(self, packed_span: list[Any]) -> Span:
        path, start, end = packed_span
        return Span(self._files[path], start, end)


def _spans(finding: Diagnostic) -> list[Span]:
    """Return all places of a finding: its own, and those of its labels and fixes."""
    fixes = (*finding.alternatives, finding.fix) if finding.fix is not None else finding.alternatives
    return [finding.span, *(label.span for label in finding.labels), *(fix.span for fix in fixes)]


def _packed(value: Any) -> Any:
    """Return a value for JSON: structs as lists of their fields, spans as path, start and end."""
    if isinstance(value, Span):
        return str(value.file.path), value.start, value.end
    if isinstance(value, Struct):
        return [_packed(getattr(value, name)) for name in value.__struct_fields__]
    return [_packed(item) for item in value] if isinstance(value, (list, tuple)) else value


@cache
def program_stamp() -> str:
    """Return the stamp of the program that runs: what is edited meanwhile counts for the next process."""
    return stamp_of(PROGRAM)


def _numbers_by_path(numbers: dict[str, int]) -> dict[Path, int]:
    return {Path(path): number for path, number in numbers.items()}


def stamp_of(folders: Iterable[str]) -> str:
    """Return a text that changes whenever a source below the folders is changed, added or removed."""
    pending_folders, times = list(folders), [0]  # so that there is a latest one in any case
    while pending_folders:
        with os.scandir(pending_folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(_SOURCES):
                    times.append(entry.stat().st_mtime_ns)
                elif "." not in entry.name and entry.name not in _NO_SOURCES and entry.is_dir():
                    pending_folders.append(entry.path)
    return f"{max(times)} {len(times)}"
