"""Locations and identities of findings for other programs: paths, UTF-16 columns, fingerprints."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from toolkit.diagnostics.finding import Diagnostic
from toolkit.source import Position, SourceFile, Span


def path_from(base: Path, path: Path) -> str:
    """Return a path relative to ``base``, with forward slashes; one on another drive of Windows as it is."""
    try:
        relative = os.path.relpath(path, base)
    except ValueError:
        return path.as_posix()
    return relative.replace(os.sep, "/").encode("utf-8", "replace").decode()


def place(span: Span) -> str:
    """Return ``file:line:column``, as editors and terminals recognise it."""
    begin = span.begin_position
    return f"{span.file.name}:{begin.line}:{begin.column}"


def utf16_column(file: SourceFile, position: Position) -> int:
    """Return the column of a position, from 1, in UTF-16 code units: an emoji counts two."""
    text_before = file.line(position.line)[: position.column - 1]
    return len(text_before.encode("utf-16-le", "surrogatepass")) // 2 + 1


def utf8_column(file: SourceFile, position: Position) -> int:
    """Return the column of a position, from 1, in bytes of UTF-8: an emoji counts four."""
    return len(file.line(position.line)[: position.column - 1].encode("utf-8", "surrogatepass")) + 1


_SPACES = re.compile(r"\s+")


def fingerprint(finding: Diagnostic, base: Path) -> str:
    """Return sixteen hexadecimal digits computed from the name, the card and the underlined words.

    Line number and message are not part of it, so it stays the same when lines move. A finding outside of
    cards has its file (relative to ``base``) and the text of its line in place of the card. Equal mistakes in
    one card have equal fingerprints.
    """
    words = _SPACES.sub(" ", finding.span.text).strip()
    if finding.card is not None:
        context = ("card", finding.card)
    else:
        line = finding.span.file.line(finding.span.begin_position.line)
        context = (path_from(base, finding.span.file.path), _SPACES.sub(" ", line).strip())
    digest = blake2b(digest_size=8)
    for text in (finding.name, *context, words):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def unique_fingerprints(findings: Iterable[Diagnostic], base: Path) -> list[str]:
    """Return the fingerprints in order; equal ones are numbered: ``…-2`` is the second."""
    counts: Counter[str] = Counter()
    unique = []
    for finding in findings:
        digits = fingerprint(finding, base)
        counts[digits] += 1
        unique.append(digits if counts[digits] == 1 else f"{digits}-{counts[digits]}")
    return unique
