"""Which files belong to a card project, and where a project is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROJECT_FILE = "opforge.yaml"
_ENDINGS = (".yaml", ".yml")


@dataclass(slots=True)
class Found:
    """What lies below the root of a project: YAML files in order of name, and every file by relative path.

    ``outside`` are links to YAML files that lead out of the project, ``unreadable`` folders that cannot be
    opened. Hidden files and folders do not belong to a project, and neither do folders with a project file of
    their own.
    """

    yaml_files: list[Path] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    outside: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)


def find_project(path: Path | None = None) -> Path | None:
    """The root of the project of a path: the nearest folder at or above it with a project file.

    Without a path: the nearest at or above the current folder, else ``./cards``. None if there is none.
    """
    start = Path(os.path.abspath(path or "."))
    for folder in (start, *start.parents):
        if _is_file(folder / PROJECT_FILE):
            return folder
    cards = start / "cards"
    return cards if path is None and _is_file(cards / PROJECT_FILE) else None


def find_files(root: Path) -> Found:
    """Look through a project folder. Links are followed inside the project only, and no folder twice."""
    found = Found()
    links: list[os.DirEntry[str]] = []
    seen = {os.path.realpath(root)}
    _scan(str(root), "", found, links)
    seen.update(os.path.realpath(root / name) for name in found.names if links)
    while links:
        link = links.pop(0)
        target = os.path.realpath(link.path)
        if target in seen:
            continue
        seen.add(target)
        inside = os.path.commonpath([target, os.path.realpath(root)]) == os.path.realpath(root)
        relative = os.path.relpath(link.path, root).replace(os.sep, "/")
        if not inside:
            found.outside += [Path(link.path)] if link.name.endswith(_ENDINGS) else []
        elif os.path.isdir(target):
            _scan(link.path, relative + "/", found, links)
        elif os.path.exists(target):
            _add(found, Path(link.path), relative)
    found.yaml_files.sort(key=lambda path: (path.name != PROJECT_FILE or path.parent != root, path.parts))
    return found


def _scan(folder: str, prefix: str, found: Found, links: list[os.DirEntry[str]]) -> None:
    """Take in one folder and those below it; links are put off."""
    for entry in _listed(folder, found):
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            links.append(entry)
        elif entry.is_dir():
            if not _is_file(Path(entry.path, PROJECT_FILE)):
                _scan(entry.path, f"{prefix}{entry.name}/", found, links)
        else:
            _add(found, Path(entry.path), prefix + entry.name)


def _listed(folder: str, found: Found) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from sorted(entries, key=lambda entry: entry.name)
    except OSError:
        found.unreadable.append(Path(folder))


def _add(found: Found, path: Path, relative: str) -> None:
    found.names.add(relative)
    if path.name.endswith(_ENDINGS):
        found.yaml_files.append(path)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
