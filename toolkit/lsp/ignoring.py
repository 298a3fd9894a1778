"""The comment that keeps a finding back, where it has to stand."""

from __future__ import annotations

from toolkit.data.nodes import Node, Scalar
from toolkit.data.suppression_comments import suppressions_in
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import NOT_SUPPRESSED
from toolkit.lsp.places import place_at
from toolkit.source import Edit, SourceFile
from toolkit.source.edits import apply

REASON = "say why"
"""Stands where the designer is to write the reason."""


def ignoring(finding: Diagnostic, root: Node | None) -> Edit | None:
    """The edit that puts a comment above the line of a finding, so that it is not told any more.

    It was tried: None where such a comment would not reach the finding, or none may.
    """
    file = finding.span.file
    if finding.name in NOT_SUPPRESSED or not file.text:
        return None
    line = file.position(_start(finding, root)).line
    start = file.line_starts()[line - 1]
    text = file.line(line)
    indent = text[: len(text) - len(text.lstrip(" "))]
    ending = "\r\n" if "\r\n" in file.text else "\n"
    edit = Edit(start, start, f"{indent}# opforge: ignore[{finding.name}] {REASON}{ending}")
    return edit if _holds(file, edit, finding) else None


def _start(finding: Diagnostic, root: Node | None) -> int:
    """Where the line begins that the comment is for: within a `|` text the line itself, else its scalar's."""
    place = place_at(root, finding.span.start)
    scalar = place.scalar if place is not None else None
    if isinstance(scalar, Scalar) and scalar.style != "|":
        return scalar.start
    return finding.span.start


def _holds(file: SourceFile, edit: Edit, finding: Diagnostic) -> bool:
    after = SourceFile(file.path, file.name, apply(file.text, [edit]))
    start = finding.span.start + len(edit.replacement)
    return any(
        any(name.text == finding.name for name in one.names) and one.covers.start <= start <= one.covers.end
        for one in suppressions_in(after)[0]
        if one.span.start == edit.start + len(edit.replacement) - len(edit.replacement.lstrip(" "))
    )
