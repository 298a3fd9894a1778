"""The formatter over the files of projects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from toolkit.data.loading import problem_finding
from toolkit.data.project_files import read_folder
from toolkit.project.file_changes import Change
from toolkit.project.formatting.formatter import Formatted, Refused, format_file
from toolkit.source import ReadProblem, SourceFile
from toolkit.source.paths import is_below


class FormattedFiles(Struct, frozen=True):
    """What formatting came to: the changes, the files that are skipped, and how many were right."""

    changes: tuple[Change, ...]
    left: tuple[Refused, ...]
    right: int


def format_below(targets: Iterable[tuple[Path, Path | None]]) -> FormattedFiles:
    """Format what lies below paths, in memory: pairs of a project's folder and a path, or None for all."""
    changes: list[Change] = []
    left: list[Refused] = []
    right = 0
    for read in _files(targets):
        result = _result(read)
        if isinstance(result, Refused):
            left.append(result)
        elif isinstance(read, SourceFile) and result.text != read.text:
            changes.append(Change(read, result.text))
        else:
            right += 1
    return FormattedFiles(tuple(changes), tuple(left), right)


def _result(read: SourceFile | ReadProblem) -> Formatted | Refused:
    if isinstance(read, SourceFile):
        return format_file(read)
    return Refused("It cannot be read.", read.span, (problem_finding(read),))


def _files(targets: Iterable[tuple[Path, Path | None]]) -> Iterator[SourceFile | ReadProblem]:
    """The YAML files below the paths, each once."""
    seen: set[Path] = set()
    for project, path in targets:
        below = path or project
        for file, read in read_folder(project).files.items():
            if file not in seen and is_below(file, below):
                seen.add(file)
                yield read
