"""Completion in comments that suppress findings: ``# opforge: ignore[…]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types
from msgspec import Struct

from toolkit.apps.lsp.completion_items import Item
from toolkit.data.yaml.suppression_comments import covered_by_comment
from toolkit.diagnostics.catalogue import CATALOGUE, NEVER_SUPPRESSED
from toolkit.diagnostics.help_pages import page_of_finding
from toolkit.project.live_project import LiveProject
from toolkit.source import SourceFile, Span

_MARK = r"#[ \t]*opforge:[ \t]*"
_WORDS = re.compile(rf"{_MARK}(?P<typed>[\w-]*)\Z")
_NAMES = re.compile(rf"{_MARK}ignore(?P<file>-file)?\[(?P<names>[^\]\r\n]*)\Z")
_REST_OF_NAME = re.compile(r"[\w-]*")
_NAMES_BEHIND = re.compile(r"[^\]\r\n]*(?=\])")

_MAX_LENGTH = 2000
"""Characters of a comment before the cursor, at most: a line may have a million, and many marks."""

_FORMS = {
    "ignore": "Suppress findings on this line, or on the next one if the comment is alone on its line.",
    "ignore-file": "Suppress findings in this file.",
}


class OpenComment(Struct, frozen=True):
    """A comment for opforge, up to the cursor: ``mark`` is where it begins.

    ``names`` are those before the cursor in its brackets; None if it has no brackets yet.
    """

    mark: int
    typed: str
    is_for_file: bool = False
    names: tuple[str, ...] | None = None


def open_comment(file: SourceFile, offset: int) -> OpenComment | None:
    """Return the comment that is being written at an offset; None if there is none."""
    line_start = max(file.line_starts()[file.position(offset).line - 1], offset - _MAX_LENGTH)
    text_before = file.text[line_start:offset]
    if (match := _NAMES.search(text_before)) is not None:
        *names, typed = (name.strip() for name in match["names"].split(","))
        return OpenComment(line_start + match.start(), typed, bool(match["file"]), tuple(names))
    if (match := _WORDS.search(text_before)) is not None:
        return OpenComment(line_start + match.start(), match["typed"])
    return None


def items(comment: OpenComment, project: LiveProject, file: SourceFile, offset: int) -> list[Item]:
    """Return what can follow in a comment: findings that it would suppress before all others."""
    covered_span = covered_by_comment(file, project.parsed(file), comment.mark)
    if covered_span is None:
        return []  # the mark is within a text
    text_after = file.text[offset:]
    if comment.names is None:
        return list(_forms(comment, text_after))
    match = _REST_OF_NAME.match(text_after)
    tail = match.group() if match else ""
    behind = _NAMES_BEHIND.match(text_after)
    _rest_of_name, *names_behind = behind.group().split(",") if behind else [""]
    left_out = {*comment.names, *(name.strip() for name in names_behind)}
    if comment.is_for_file:
        covered_span = file.span(0, len(file.text))
    present = [name for name in dict.fromkeys(_names_within(project, covered_span)) if name not in left_out]
    left_out.update(present)
    absent = [name for name in CATALOGUE if name not in left_out and name not in NEVER_SUPPRESSED]
    return [
        *(_item(name, comment.typed, tail, page_of_finding(name) or "") for name in present),
        *(_item(name, comment.typed, tail) for name in absent),
    ]


def _forms(comment: OpenComment, text_after: str) -> Iterator[Item]:
    """Yield the words with which a comment can begin, with brackets unless they follow."""
    has_brackets = text_after.startswith("[")
    for word, meaning in _FORMS.items():
        text, snippet = (word, "") if has_brackets else (f"{word}[", f"{word}[$1] $0")
        kind = types.CompletionItemKind.Keyword
        yield Item(word, text, comment.typed, "", kind, documentation=meaning, snippet=snippet)


def _names_within(project: LiveProject, covered_span: Span) -> Iterator[str]:
    """Yield the names of all findings in a part of a file, those that are suppressed too."""
    path = covered_span.file.path
    findings = project.cards.project.checks.applied(project.current.findings, project.root)
    for finding in findings:
        is_covered = covered_span.start <= finding.span.start <= covered_span.end
        if finding.span.file.path == path and is_covered and finding.name not in NEVER_SUPPRESSED:
            yield finding.name


def _item(name: str, typed: str, tail: str, documentation: str = "") -> Item:
    finding = CATALOGUE[name]
    kind = types.CompletionItemKind.EnumMember
    return Item(name, name, typed, tail, kind, f"{finding.severity}: {finding.title}", documentation)
