"""The layouts that ship, in the form in which designers write theirs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from toolkit.data.file_entries import read_entries
from toolkit.data.model import Layout
from toolkit.source import SourceFile

_FILE = Path(__file__).parent / "layouts.yaml"


@cache
def shipped_layouts() -> dict[str, Layout]:
    """All of them by id."""
    text = _FILE.read_text(encoding="utf-8")
    entries = read_entries(SourceFile(_FILE, _FILE.name, text), None).entries
    return {entry.id: entry for _, entry in entries if isinstance(entry, Layout)}
