"""What the editor offers to do about a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from toolkit.data.nodes import Node
from toolkit.diagnostics import Diagnostic
from toolkit.lsp.diagnosing import UriOf, shown
from toolkit.lsp.ignoring import ignoring
from toolkit.lsp.positions import Encoding, position_at
from toolkit.source import Edit, SourceFile

MOST_IGNORED = 5
"""For so many findings at one place a comment is offered that keeps them back."""


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
    findings: Sequence[Diagnostic],
    root: Node | None,
    start: int,
    end: int,
    encoding: Encoding,
    uri_of: UriOf,
) -> Iterator[types.CodeAction]:
    """What can be done about the findings of a file that touch a stretch: fixes, the safe ones preferred,
    and last the comments that keep them back."""
    touched = [one for one in findings if one.span.start <= end and start <= one.span.end]
    for finding in touched:
        if finding.fix is not None:
            yield _action(finding, title_of(finding), finding.fix.edit, encoding, uri_of, finding.fix.safe)
    for finding in touched[:MOST_IGNORED]:
        edit = ignoring(finding, root)
        if edit is not None:
            yield _action(finding, f"Ignore `{finding.name}` here", edit, encoding, uri_of)


def _action(
    finding: Diagnostic, title: str, edit: Edit, encoding: Encoding, uri_of: UriOf, preferred: bool = False
) -> types.CodeAction:
    file = finding.span.file
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[shown(finding, encoding, uri_of)],
        is_preferred=preferred or None,
        edit=types.WorkspaceEdit(changes={uri_of(file.path): text_edits(file, [edit], encoding)}),
    )


def title_of(finding: Diagnostic) -> str:
    """What a fix does, in a line."""
    assert finding.fix is not None
    replacement = finding.fix.replacement.strip()
    written = finding.fix.span.text
    if not replacement and not written.strip():
        number = len(finding.fix.replacement)
        return f"Put {number} space{'' if number == 1 else 's'} here" if number else "Remove the spaces here"
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
