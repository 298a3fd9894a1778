"""The folder of a website, in which only opforge's own files are replaced or removed.

A manifest lists them. It is written before any other file, so that an interrupted run leaves no unknown
files, and again at the end. A listed file is only touched if it still looks like one that opforge made, and
never through a link.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct, field

from toolkit.diagnostics.escaping import json_text
from toolkit.products.website.card_pages import is_our_text
from toolkit.products.website.site_pictures import content_name
from toolkit.project.output import Refusal, cannot_write, link_in, remove_files
from toolkit.render.pdf import is_our_pdf
from toolkit.source.paths import below, read_regular
from toolkit.source.writing import leftovers, refused_link, write_atomically

MANIFEST = "opforge-site.json"
"""The name of the manifest. A folder that is not empty must have one."""

_MADE_BY = "opforge site"
_MAX_BYTES = 256 * 1024 * 1024
_MAX_MANIFEST_BYTES = 64 * 1024 * 1024
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*){0,3}")
_LICENCE = "assets/OFL.txt"


class Manifest(Struct, frozen=True):
    """The manifest: the files, and by cache key the names of pictures and sheets with their properties."""

    made_by: str = ""
    files: frozenset[str] = frozenset()
    made: dict[str, list[object]] = {}


class SiteFolder(Struct):
    """The folder of a website while it is written.

    ``manifest`` is that of the last run; ``written`` counts the files that are new or have changed.
    """

    root: Path
    manifest: Manifest
    listed: set[str] = field(default_factory=set)
    written: int = 0
    removed: int = 0

    def refused(self, names: Iterable[str]) -> Refusal | None:
        """Return a refusal if one of these files must not be written."""
        for name in names:
            link = link_in(self.root, name)
            if link is not None:
                return Refusal(f"{link} is a link, and nothing is written through a link.")
            site_path = below(self.root, name)
            if os.path.lexists(site_path) and not (name in self.manifest.files and self._is_ours(site_path)):
                return Refusal(f"{site_path} exists and was not made by opforge; nothing was written.")
        return None

    def begin(self, names: Iterable[str], made_before: dict[str, list[object]]) -> None:
        """Write a manifest of the old files, those written so far and those to come. Raises ``OSError``."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.listed |= {*self.manifest.files, *names, MANIFEST}
        self._write_manifest(self.listed, {**self.manifest.made, **made_before})

    def has(self, name: str) -> bool:
        """Whether the file is there, and is ours."""
        return (
            name in self.manifest.files and link_in(self.root, name) is None and (self.root / name).is_file()
        )

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole unless it has that content already. Raises ``OSError``."""
        file = below(self.root, name)
        if link_in(self.root, name) is not None:
            raise OSError(0, "it is a link, and nothing is written through a link", os.fspath(file))
        if not self._is(file, content):
            file.parent.mkdir(parents=True, exist_ok=True)
            self.listed.add(name)
            write_atomically(file, content)
            self.written += 1

    def finish(self, files: Iterable[str], made_files: dict[str, list[object]]) -> None:
        """Remove files that are no longer needed and write the final manifest. Raises ``OSError``."""
        kept_files = {*files, MANIFEST}
        for folder in {(self.root / name).parent for name in self.listed | kept_files}:
            for leftover, name in leftovers(folder).items():
                if (folder / name).relative_to(self.root).as_posix() in self.listed:
                    leftover.unlink()
        self.removed = remove_files(self.root, self.listed - kept_files, self._is_ours)
        self._write_manifest(kept_files, made_files)

    def _write_manifest(self, files: Iterable[str], made_files: dict[str, list[object]]) -> None:
        """Write which files are ours, and by their keys those that another run need not make again."""
        manifest = {
            "made_by": _MADE_BY,
            "version": 1,
            "files": sorted(files),
            "made": dict(sorted(made_files.items())),
        }
        self.write(MANIFEST, json_text(manifest).encode())

    def _is(self, file: Path, content: bytes) -> bool:
        """Whether a file has that content already."""
        try:
            return file.stat().st_size == len(content) and file.read_bytes() == content
        except OSError:
            return False

    def _is_ours(self, file: Path) -> bool:
        """Whether a listed file is still one that opforge made."""
        try:
            if not stat.S_ISREG(file.lstat().st_mode):
                return False
            content = read_regular(file, _MAX_BYTES)
        except OSError:
            return False
        match file.suffix:
            case ".html" | ".css" | ".js":
                return is_our_text(content)
            case ".webp" | ".png":
                return file.stem == content_name(content)
            case ".pdf":
                return is_our_pdf(content)
        return file == self.root / _LICENCE


def open_folder(folder: Path) -> SiteFolder | Refusal:
    """Return the folder if it does not exist, is empty, or has our manifest; else a refusal."""
    refused = refused_link(folder / MANIFEST)
    if refused:
        return Refusal(refused)
    try:
        if folder.exists() and not folder.is_dir():
            return Refusal(f"{folder} is a file; -o needs a folder.")
        if not folder.exists() or _is_empty(folder):
            return SiteFolder(folder, Manifest())
        manifest = _read_manifest(folder / MANIFEST)
    except OSError as error:
        return cannot_write(folder, error)
    if manifest is None:
        return Refusal(f"{folder} is not empty, and is not a folder that `opforge site` made: name another.")
    return SiteFolder(folder, manifest)


def _is_empty(folder: Path) -> bool:
    """Whether a folder holds nothing but the manifest that an interrupted run was writing."""
    unfinished = {leftover for leftover, name in leftovers(folder).items() if name == MANIFEST}
    return all(path in unfinished for path in folder.iterdir())


def _read_manifest(file: Path) -> Manifest | None:
    """Return the manifest without file names that we never use; None if it is not ours."""
    try:
        if file.is_symlink():
            return None
        manifest = msgspec.json.decode(read_regular(file, _MAX_MANIFEST_BYTES), type=Manifest)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None
    if manifest.made_by != _MADE_BY:
        return None
    return Manifest(manifest.made_by, frozenset(filter(_FILE_NAME.fullmatch, manifest.files)), manifest.made)
