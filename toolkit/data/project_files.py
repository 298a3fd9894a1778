"""Finding a card project, the files that belong to it, and reading them."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from unicodedata import normalize

from msgspec import Struct, field

from toolkit.source import ReadProblem, SourceFile, read_file, shown_name
from toolkit.source.paths import (
    PROJECT_FILE,
    Stamp,
    absolute,
    has_ending,
    inside,
    is_below,
    is_yaml,
    stamp_of,
)
from toolkit.source.reading import decode_source

TEMPLATES = "templates"
"""The folder in a project with its own templates."""

Target = tuple[Path, Path | None]
"""The folder of a project, and the path in it that is meant; None for the whole project."""

_MISNAMED = (".yaml.txt", ".yml.txt")
"""Endings of YAML files to which an editor has added its own, which Windows hides."""
_PROJECT_FILES = ("opforge.yaml", "opforge.yml", "opforge.yaml.txt", "opforge.yml.txt")
"""Names in lower case that were probably meant to be that of the project file."""
PICTURE_ENDINGS = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif")
FONT_ENDINGS = (".ttf", ".otf", ".woff", ".woff2")
_UNSETTLED = 100_000_000
"""Nanoseconds within which two writes may leave the same modification time: such a file is read again."""


class FolderListing(Struct):
    """The files below the root of a project: YAML files sorted by name, and all files by relative path.

    ``folders`` are the root and the folders below it. ``outside`` are links to folders, and among YAML files
    and templates, that lead out of the project, ``broken_links`` those that lead to nothing, ``unreadable``
    folders that cannot be opened, ``linked`` the real paths of files that belong to the project by a link
    only. ``misnamed`` are YAML files with another ending behind their own. Paths in ``names`` are composed
    (NFC); ``alike`` are those, as they are on disk, that look the same as another one. Hidden files and
    folders are not part of a project, nor are folders with a project file of their own.
    """

    yaml_files: list[Path] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    folders: list[str] = field(default_factory=list)
    outside: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)
    broken_links: list[Path] = field(default_factory=list)
    misnamed: list[Path] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)
    linked: dict[Path, Path] = field(default_factory=dict)


def is_picture(path: str) -> bool:
    """Whether a file is a picture, judging by its extension."""
    return has_ending(path, PICTURE_ENDINGS)


def find_project(path: Path | None = None) -> Path | None:
    """Return the root of the project of a path: the nearest folder at or above it with a project file.

    Without a path it is the nearest at or above the current folder, else ``./cards``. None if there is none.
    """
    start = absolute(path or ".")
    # a link that absolute() has not resolved leads out of its project, and is no folder of it
    for folder in start.parents if start.is_symlink() else (start, *start.parents):
        if _is_file(folder / PROJECT_FILE):
            return folder
    cards = start / "cards"
    return cards if path is None and _is_file(cards / PROJECT_FILE) else None


def no_project(path: Path | None) -> str:
    """Return the error message for a path, or the current folder, that is in no project."""
    try:
        os.scandir(path or ".").close()
    except PermissionError:
        return f"{path or 'This folder'} cannot be opened: permission denied."
    except OSError:
        pass  # a file
    where = f"at or above {path}" if path else "at or above this folder, nor in ./cards"
    other = _other_project_file(absolute(path or "."))
    if other is not None:
        return f"There is no {PROJECT_FILE} {where}, but {shown_name(other)}: rename it to {PROJECT_FILE}."
    return f"There is no {PROJECT_FILE} {where}. `opforge init DIR` creates one."


def _other_project_file(start: Path) -> Path | None:
    """Return the nearest file at or above a path with almost the name of a project file."""
    for folder in (start, *start.parents, start / "cards"):
        with suppress(OSError), os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name.lower() in _PROJECT_FILES)
            if names:
                return folder / names[0]
    return None


def target_of(path: Path | None, *, files_only: bool = False) -> Target | str:
    """Return the project that a path belongs to and the part of it that is meant, or an error message.

    A picture, a template and the project file stand for the whole project, and so does a folder that contains
    nothing else. With ``files_only`` a path stands for the YAML files at or below it.
    """
    root = find_project(path)
    if root is None:
        return no_project(path)
    target = root if path is None else absolute(path)
    if target == root:
        return root, None
    listing = find_files(root)
    sources = _sources_below(listing, target)
    is_project_file = sources == root / PROJECT_FILE
    if sources is not None and (files_only or not is_project_file):
        return root, sources
    if not files_only and (is_project_file or _has_pictures_below(listing, root, target)):
        return root, None
    file_kinds = "card file" if files_only else "card file, picture or template"
    if not target.is_dir():
        return f"{str(path)!r} is not a {file_kinds} of the project in {shown_name(root)!r}."
    return f"The project in {shown_name(root)!r} has no {file_kinds} in the folder {str(path)!r}."


def _sources_below(listing: FolderListing, path: Path) -> Path | None:
    """Return the path, as the project spells it, if there are YAML files at or below it, else None."""
    for source in (*listing.yaml_files, *listing.outside, *listing.unreadable):
        if is_below(source, path):
            return path
    linked = (file for file, real in listing.linked.items() if real == path)
    return next((file for file in linked if is_yaml(file)), None)


def _has_pictures_below(listing: FolderListing, root: Path, path: Path) -> bool:
    """Whether there are pictures, templates or linked files at or below a path."""
    files = ((name, root / name) for name in listing.names)
    return any(
        is_below(listing.linked.get(file, file), path)
        and (file in listing.linked or is_picture(name) or is_below(name, TEMPLATES))
        for name, file in files
    )


def find_files(root: Path) -> FolderListing:
    """List the files of a project folder. Links are followed inside of it only; no file is listed twice."""
    search = _Search(os.path.realpath(root))
    search.folder(str(root), "", search.real_root)
    while search.links:  # last, so that a file is listed under its own path rather than that of a link
        path, relative = search.links.pop(0)
        search.follow(path, relative)
    listing = search.found
    listing.yaml_files.sort(key=lambda path: (path.name != PROJECT_FILE or path.parent != root, path.parts))
    return listing


class Folder(Struct, frozen=True):
    """A snapshot of a project folder: the listing of its files, and the content of every YAML file."""

    found: FolderListing
    files: dict[Path, SourceFile | ReadProblem]


def read_folder(root: Path) -> Folder:
    """Read all YAML files of the project in ``root``."""
    listing = find_files(root)
    return Folder(listing, {path: read_file(path) for path in listing.yaml_files})


_Stamped = tuple[Stamp, SourceFile | ReadProblem]
"""A file as read, with its stamp."""


class FolderReader:
    """Reads a project folder repeatedly, and only those of its files that have changed on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files: dict[Path, _Stamped] = {}

    def read(self) -> Folder:
        """Return the current state of the folder."""
        listing = find_files(self.root)
        earlier_files, self._files = self._files, {}
        return Folder(
            listing, {path: self._read(path, earlier_files.get(path)) for path in listing.yaml_files}
        )

    def _read(self, path: Path, earlier: _Stamped | None) -> SourceFile | ReadProblem:
        """Return the file as it was read before, if its stamp is the same, else read it again.

        One that has just been written is not kept: the next change might have the same stamp.
        """
        try:
            status = path.stat()
        except OSError:
            return read_file(path)
        stamp = stamp_of(status)
        earlier_stamp, earlier_file = earlier or (None, None)
        if earlier_file is not None and earlier_stamp == stamp:
            self._files[path] = stamp, earlier_file
            return earlier_file
        file = read_file(path)
        if time.time_ns() - status.st_mtime_ns > _UNSETTLED:
            self._files[path] = stamp, file
        return file


MAX_DEPTH = 60
"""Folders in each other; deeper ones are reported. Each level is a call, and a path has its limits, too."""


class _Search:
    """One walk through a project; ``seen`` are the real paths of what is already listed."""

    def __init__(self, real_root: str) -> None:
        self.found = FolderListing()
        self.real_root = real_root
        self.seen = {real_root}
        self.links: list[tuple[str, str]] = []

    def folder(self, folder: str, prefix: str, real: str) -> None:
        """List one folder and those below it; links are postponed until everything else is listed.

        ``real`` is the folder's real path, from which those of its files are made: ``realpath`` is slow.
        """
        self.found.folders.append(folder)
        if prefix.count("/") > MAX_DEPTH:
            self.found.unreadable.append(Path(folder))
            return
        for entry in self._listed(folder):
            if entry.name.startswith("."):
                continue
            relative = prefix + entry.name
            if entry.is_symlink():
                self.links.append((entry.path, relative))
            elif entry.is_dir():
                inner = _is_file(Path(entry.path, PROJECT_FILE))
                below = os.path.join(real, entry.name)
                if not inner and self._is_new(below):
                    self.folder(entry.path, relative + "/", below)
            elif self._is_new(below := os.path.join(real, entry.name)):
                self._file(entry.path, relative, below, entry.is_file())

    def follow(self, path: str, relative: str) -> None:
        """List the target of a link if it is inside the project and not listed yet.

        One that leads out of it or to nothing is noted if it may be a folder or file that the project reads;
        that of a picture is reported where a card names it.
        """
        real = inside(path, self.real_root)
        is_read = is_yaml(path) or is_below(relative, TEMPLATES)
        if real is None:
            if is_read or os.path.isdir(path):
                self.found.outside.append(Path(path))
        elif not real.exists():
            may_be_folder = "." not in os.path.basename(path)
            if is_read or may_be_folder:
                self.found.broken_links.append(Path(path))
        elif not self._is_new(str(real)):
            return
        elif real.is_dir():
            self.folder(path, relative + "/", str(real))
        else:
            self._file(path, relative, str(real), real.is_file())

    def _listed(self, folder: str) -> list[os.DirEntry[str]]:
        """Return what is in a folder, by name; a folder that cannot be read is noted."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError:
            self.found.unreadable.append(Path(folder))
            return []

    def _is_new(self, real: str) -> bool:
        """Whether a real path was not listed before; from now on it is."""
        is_new = real not in self.seen
        self.seen.add(real)
        return is_new

    def _file(self, path: str, relative: str, real: str, is_regular: bool) -> None:
        """List a file by what it is to the project: its name, a link, a misnamed or a YAML file."""
        if is_regular:  # a pipe or device is neither a picture nor a template; as YAML file it is reported
            self._name(relative)
        if real != os.path.join(self.real_root, relative):
            self.found.linked[Path(path)] = Path(real)
        if has_ending(path, _MISNAMED):
            self.found.misnamed.append(Path(path))
        elif is_yaml(path):
            self.found.yaml_files.append(self._project_file(path) or Path(path))

    def _name(self, relative: str) -> None:
        """Record the name of a file; one that looks the same as another is kept apart."""
        name = relative if relative.isascii() else normalize("NFC", relative)
        if name in self.found.names:
            self.found.alike.append(relative)
        self.found.names.add(name)

    def _project_file(self, path: str) -> Path | None:
        """Return the path of the project file for its name in other letters, where the system opens both."""
        folder, name = os.path.split(path)
        expected = Path(folder, PROJECT_FILE)
        if name == PROJECT_FILE or name.lower() != PROJECT_FILE or not expected.exists():
            return None
        return expected if expected.samefile(path) else None


def _is_file(path: Path) -> bool:
    """Whether there is a file; there is none in a locked folder or with a NUL in its name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def can_be_source(path: Path, root: Path) -> bool:
    """Whether a file, which need not exist, would be a YAML file of the project in ``root``."""
    if not is_yaml(path) or not path.is_relative_to(root):
        return False
    return not any(folder_name.startswith(".") for folder_name in path.relative_to(root).parts)


def overlay_file(folder: Folder, root: Path, path: Path, data: bytes) -> str | None:
    """Replace the content of a file of the project in ``root``, which need not exist, in ``folder``.

    ``path`` is absolute. Return an error message if a file there would not belong to the project, else None.
    """
    if not can_be_source(path, root):
        name = shown_name(path)
        return f"{name} is not a card file: its name must end in .yaml, and no part may begin with a dot."
    folder.files[path] = decode_source(data, path, shown_name(path))
    paths = folder.found.yaml_files
    if path not in paths:
        paths.append(path)
        paths.sort(key=lambda path: (path != root / PROJECT_FILE, path.parts))
        folder.found.names.add(path.relative_to(root).as_posix())
    return None
