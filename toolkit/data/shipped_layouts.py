"""The layouts that ship, in the form in which designers write theirs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from toolkit.data.file_entries import read_entries
from toolkit.data.model import Layout
from toolkit.source import SourceFile

_FILE = Path(__file__).parent / "layouts.yaml"
_BEFORE_ENTRY = "  - {id: "


@cache
def shipped_layouts() -> dict[str, Layout]:
    """All of them by id."""
    return _read(_FILE.read_text(encoding="utf-8"))


@cache
def shipped_layout(name: str) -> Layout | None:
    """The one with that id. Each is a line of the file, and only that line is read, which is quick."""
    head, *entries = _FILE.read_text(encoding="utf-8").split(_BEFORE_ENTRY)
    line = next((entry for entry in entries if entry.startswith(f"{name},")), None)
    return None if line is None else _read(f"{head}{_BEFORE_ENTRY}{line}").get(name)


def _read(text: str) -> dict[str, Layout]:
    entries = read_entries(SourceFile(_FILE, _FILE.name, text), None).entries
    return {entry.id: entry for _, entry in entries if isinstance(entry, Layout)}
