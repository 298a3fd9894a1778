"""Findings in the editor: diagnostics, quick fixes, suppression comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from lsprotocol import types

from toolkit.apps.lsp.editor_documents import Documents
from toolkit.apps.lsp.formatting import line_edits
from toolkit.data.yaml.nodes import Node
from toolkit.data.yaml.suppression_comments import suppressions_in
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.diagnostics.catalogue import NEVER_SUPPRESSED, reported_severity
from toolkit.diagnostics.help_pages import uri_of_finding
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import limited
from toolkit.diagnostics.reporters import left_out_of
from toolkit.editing.fixing import fix_project
from toolkit.project.checks import CheckRequest, reported_findings
from toolkit.project.live_project import LiveProject
from toolkit.project.value_at import place_at
from toolkit.source import Edit, SourceFile
from toolkit.source.edits import apply

REASON = "say why"
"""The placeholder in a suppression comment for the designer's reason."""

MAX_IGNORED = 5
"""Findings at one place for which a suppression comment is offered, at most."""

_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}


def published_diagnostics(findings: Sequence[Diagnostic], documents: Documents) -> list[types.Diagnostic]:
    """Return the diagnostics of one file: each finding once, and not more than a report lists."""
    unique = {
        (finding.name, finding.span.start, finding.span.end, finding.message): finding for finding in findings
    }
    listed, omitted_files = limited(list(unique.values()))
    return [_diagnostic(finding, documents) for finding in listed] + [
        types.Diagnostic(
            range=types.Range(types.Position(0, 0), types.Position(0, 0)),
            message=left_out_of(omitted),
            severity=types.DiagnosticSeverity.Information,
            source="opforge",
        )
        for omitted in omitted_files
    ]


def _diagnostic(finding: Diagnostic, documents: Documents) -> types.Diagnostic:
    """Return a finding as a diagnostic: its message with the next step, and the related places."""
    related = [
        types.DiagnosticRelatedInformation(documents.location(label.span), label.message)
        for label in finding.labels
    ]
    unused = finding.name.startswith("unused-")
    return types.Diagnostic(
        range=documents.range(finding.span),
        message=f"{finding.message}\n{finding.next_step}" if finding.next_step else finding.message,
        severity=_SEVERITIES[reported_severity(finding)],
        code=finding.name,
        code_description=types.CodeDescription(uri_of_finding(finding.name)),
        source="opforge",
        related_information=related or None,
        tags=[types.DiagnosticTag.Unnecessary] if unused else None,
    )


# quick fixes

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.opforge"
"""The kind of the action that makes all safe fixes of a file."""


class WantedKinds:
    """The kinds of actions that an editor asks for; each stands for those below it too.

    Without any, it asks for what can be done at a place: what concerns the whole file must be named.
    """

    def __init__(self, only: Sequence[types.CodeActionKind | str] | None) -> None:
        self._only = [str(getattr(kind, "value", kind)) for kind in only or ()]

    def includes(self, kind: str) -> bool:
        """Whether actions of a kind are asked for."""
        return not self._only or self.names(kind)

    def names(self, kind: str) -> bool:
        """Whether a kind, or one above it, is named: ``source`` for ``source.fixAll``, ``""`` for all."""
        return any(only == "" or f"{kind}.".startswith(f"{only}.") for only in self._only)


def code_actions(
    findings: Sequence[Diagnostic], root: Node | None, start: int, end: int, documents: Documents
) -> Iterator[types.CodeAction]:
    """Yield quick fixes for the findings of a file that touch a range, the safe ones as preferred.

    The last ones insert comments that suppress findings.
    """
    touched = [finding for finding in findings if finding.span.start <= end and start <= finding.span.end]
    for finding in touched:
        if finding.fix is not None:
            yield _quick_fix(finding, _title(finding.fix), finding.fix.edit, documents, finding.fix.safe)
        for fix in finding.alternatives:
            if finding.fix is None or fix.edit != finding.fix.edit:
                yield _quick_fix(finding, _title(fix), fix.edit, documents)
    for finding in touched[:MAX_IGNORED]:
        edit = suppression_edit(finding, root)
        if edit is not None:
            yield _quick_fix(finding, f"Ignore `{finding.name}` here", edit, documents)


def _quick_fix(
    finding: Diagnostic, title: str, edit: Edit, documents: Documents, is_preferred: bool = False
) -> types.CodeAction:
    """Return the action that makes an edit because of a finding."""
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(finding, documents)],
        is_preferred=is_preferred or None,
        edit=documents.workspace_edit({finding.span.file: [edit]}),
    )


def fix_all(project: LiveProject, file: SourceFile, documents: Documents) -> Iterator[types.CodeAction]:
    """Yield the action that makes all safe fixes of a file, as ``check --fix`` does, if there are any."""
    request = CheckRequest([(project.root, file.path)], date.today().isoformat())
    fixed = fix_project(
        project.root,
        lambda workspace: reported_findings(workspace, request),
        folder=project.folder(),
        cache=project.copy().cache,
    )
    for change in fixed.changes:
        if change.file.path == file.path:
            yield types.CodeAction(
                title=f"Fix {counted(len(fixed.fixed), 'finding')} in {file.path.name}",
                kind=FIX_ALL,
                edit=documents.workspace_edit({file: line_edits(file.text, change.after)}),
            )


def _title(fix: Fix) -> str:
    """Return the title of a fix: what it does, in a line."""
    replacement = fix.replacement.strip()
    old_text = fix.span.text
    if not replacement and not old_text.strip():
        space_count = len(fix.replacement)
        return f"Put {counted(space_count, 'space')} here" if space_count else "Remove the spaces here"
    if not replacement:
        return f"Remove `{_short(old_text)}`"
    if not old_text.strip():
        return f"Insert `{_short(replacement)}`"
    return f"Replace `{_short(old_text)}` with `{_short(replacement)}`"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def suppression_edit(finding: Diagnostic, root: Node | None) -> Edit | None:
    """Return the edit that inserts a comment above the line of a finding which suppresses it.

    None if the finding cannot be suppressed, or if the comment, which is tried, does not reach it.
    """
    file = finding.span.file
    if finding.name in NEVER_SUPPRESSED or not file.text:
        return None
    value_place = place_at(root, finding.span.start)
    # within a `|` text the comment belongs above the line itself, else above the line where the scalar begins
    anchor = finding.span.start
    if value_place is not None and value_place.scalar.style != "|":
        anchor = value_place.scalar.start
    line = file.position(anchor).line
    start = file.line_starts()[line - 1]
    line_text = file.line(line)
    indent = line_text[: len(line_text) - len(line_text.lstrip(" "))]
    ending = "\r\n" if "\r\n" in file.text else "\n"
    edit = Edit(start, start, f"{indent}# opforge: ignore[{finding.name}] {REASON}{ending}")
    return edit if _suppresses(edit, start + len(indent), finding) else None


def _suppresses(edit: Edit, comment_start: int, finding: Diagnostic) -> bool:
    """Whether the comment that an edit inserts at an offset suppresses a finding behind it."""
    file = finding.span.file
    edited_file = SourceFile(file.path, file.name, apply(file.text, [edit]))
    new_start = finding.span.start + len(edit.replacement)
    suppressions, *_ = suppressions_in(edited_file)
    for comment in suppressions:
        is_inserted = comment.span.start == comment_start
        reaches = comment.covers.start <= new_start <= comment.covers.end
        if is_inserted and reaches and any(name.text == finding.name for name in comment.names):
            return True
    return False
