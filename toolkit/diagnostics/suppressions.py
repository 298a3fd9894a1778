"""Comments that suppress findings: ``# opforge: ignore[name] until: 2027-01-31 reason``."""

from __future__ import annotations

import re

from msgspec import Struct

from toolkit.diagnostics.catalogue import CATALOGUE, NOT_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

# compiled where they are used: a project without suppressions starts sooner
MARK = r"(?i)#[ \t]*opforge[ \t]*(?::|ignore\b)"
"""What begins a comment that is meant for this program."""
_FORM = r"#[ \t]*opforge:[ \t]*ignore\[([^\]]*)\][ \t]*(.*)"
_UNTIL = r"until:[ \t]*([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ \t]+|$)"
_STEP = "Write `# opforge: ignore[name] why`, or `# opforge: ignore[name] until: 2027-01-31 why`."


class Suppression(Struct, frozen=True):
    """One comment. It suppresses findings that it names and that begin in ``covers``.

    ``names`` are the places of the names of findings; ``until`` is the last day on which it holds, as
    2027-01-31, or nothing.
    """

    span: Span
    names: tuple[Span, ...]
    covers: Span
    until: str = ""


def read_suppression(comment: Span, covers: Span) -> tuple[Suppression | None, list[Diagnostic]]:
    """Return the suppression that a comment with the mark is, and what is wrong with it."""
    form = re.fullmatch(_FORM, comment.text)
    if form is None:
        return None, [_broken(comment, "opforge does not understand this comment.")]
    start = comment.start + form.start(1)
    listed = re.finditer(r"[^,\s](?:[^,]*[^,\s])?", form[1])
    names = [comment.file.span(start + name.start(), start + name.end()) for name in listed]
    if not names:
        place = comment.file.span(start - 1, comment.start + form.end(1) + 1)
        return None, [_broken(place, "No finding is named between the brackets.")]
    until, rest = "", form[2]
    if re.match(r"until\b", rest):
        found = re.match(_UNTIL, rest)
        try:
            from datetime import date  # only where one is written

            date.fromisoformat(found[1] if found else "")
        except ValueError:
            place = comment.file.span(comment.start + form.start(2), comment.end)
            return None, [_broken(place, "There is no date after `until`.")]
        assert found is not None, "an empty text is no date"
        until, rest = found[1], rest[found.end() :]
    findings = [finding for name in names if (finding := _unknown(name))]
    if not rest.strip():
        message = "This suppression gives no reason."
        step = "Write the reason after it, for others who read the file."
        findings.append(Diagnostic("missing-reason", message, comment, step))
    return Suppression(comment, tuple(names), covers, until), findings


def _broken(span: Span, message: str) -> Diagnostic:
    return Diagnostic("broken-suppression", message, span, _STEP)


def _unknown(name: Span) -> Diagnostic | None:
    if name.text in NOT_SUPPRESSED:
        message = f"`{name.text}` is about suppressions and cannot be suppressed itself."
        return Diagnostic("unknown-finding", message, name, "Fix what it reports.")
    if name.text in CATALOGUE:
        return None
    near = nearest(name.text, CATALOGUE)
    hint = f" Did you mean `{near}`?" if near else ""
    shown = name.text if len(name.text) <= 40 else f"{name.text[:39]}…"
    step = "Write the name shown in brackets in the finding; `opforge explain` lists them all."
    return Diagnostic("unknown-finding", f"There is no finding `{shown}`.{hint}", name, step)
