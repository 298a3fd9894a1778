"""What the editor offers to do about a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from toolkit.diagnostics import Diagnostic
from toolkit.lsp.diagnosing import UriOf, shown
from toolkit.lsp.positions import Encoding, position_at
from toolkit.source import Edit, SourceFile


def text_edits(file: SourceFile, edits: Iterable[Edit], encoding: Encoding) -> list[types.TextEdit]:
    """Edits as the editor takes them."""
    return [
        types.TextEdit(
            types.Range(position_at(file, edit.start, encoding), position_at(file, edit.end, encoding)),
            edit.replacement,
        )
        for edit in edits
    ]


def fixes(
    findings: Sequence[Diagnostic], start: int, end: int, encoding: Encoding, uri_of: UriOf
) -> Iterator[types.CodeAction]:
    """The fixes of the findings of a file that touch a stretch; one that is safe is preferred."""
    for finding in findings:
        fix = finding.fix
        touched = finding.span.start <= end and start <= finding.span.end
        if fix is None or not touched:
            continue
        edits = text_edits(fix.span.file, [fix.edit], encoding)
        yield types.CodeAction(
            title=title_of(finding),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[shown(finding, encoding, uri_of)],
            is_preferred=fix.safe,
            edit=types.WorkspaceEdit(changes={uri_of(fix.span.file.path): edits}),
        )


def title_of(finding: Diagnostic) -> str:
    """What a fix does, in a line."""
    assert finding.fix is not None
    replacement = finding.fix.replacement.strip()
    written = finding.fix.span.text
    if not replacement:
        return f"Remove `{_short(written)}`"
    return (
        f"Replace `{_short(written)}` with `{_short(replacement)}`"
        if written.strip()
        else (f"Insert `{_short(replacement)}`")
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def by_file(findings: Iterable[Diagnostic]) -> dict[Path, list[Diagnostic]]:
    """Findings by the file that they are in."""
    found: dict[Path, list[Diagnostic]] = {}
    for finding in findings:
        found.setdefault(finding.span.file.path, []).append(finding)
    return found
