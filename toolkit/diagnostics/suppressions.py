"""Comments that keep a finding back: ``# opforge: ignore[name] until: 2027-01-31 reason``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from toolkit.diagnostics.catalogue import CATALOGUE, NOT_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic
from toolkit.source import SourceFile, Span
from toolkit.vocabulary.nearest import nearest

# compiled where they are used: a project without suppressions starts sooner
MARK = r"(?i)#[ \t]*opforge[ \t]*(?::|ignore\b)"
"""What begins a comment that is meant for this program."""
_FORM = r"#[ \t]*opforge:[ \t]*ignore\[([^\]]*)\][ \t]*(.*)"
_UNTIL = r"until:[ \t]*([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ \t]+|$)"
_STEP = "Write `# opforge: ignore[name] why`, or `# opforge: ignore[name] until: 2027-01-31 why`."


class Suppression(Struct, frozen=True):
    """One comment. It keeps back findings that it names and that begin in ``covers``.

    ``names`` are the places of the names of findings; ``until`` is the last day on which it holds, as
    2027-01-31, or nothing.
    """

    span: Span
    names: tuple[Span, ...]
    covers: Span
    until: str = ""


def read_suppression(comment: Span, covers: Span) -> tuple[Suppression | None, list[Diagnostic]]:
    """What a comment says that begins with the mark, and what is wrong with that."""
    form = re.fullmatch(_FORM, comment.text)
    if form is None:
        return None, [_broken(comment, "opforge does not understand this comment.")]
    names = list(_names(comment.file, comment.start + form.start(1), form[1]))
    if not names:
        place = comment.file.span(comment.start + form.start(1) - 1, comment.start + form.end(1) + 1)
        return None, [_broken(place, "No finding is named between the brackets.")]
    until, rest = "", form[2]
    if re.match(r"until\b", rest):
        date = re.match(_UNTIL, rest)
        if date is None or not _is_date(date[1]):
            start = comment.start + form.start(2)
            return None, [_broken(comment.file.span(start, comment.end), "There is no date after `until`.")]
        until, rest = date[1], rest[date.end() :]
    findings = [finding for name in names if (finding := _unknown(name))]
    if not rest.strip():
        message = "This suppression gives no reason."
        step = "Write the reason after it, for others who read the file."
        findings.append(Diagnostic("missing-reason", message, comment, step))
    return Suppression(comment, tuple(names), covers, until), findings


def _names(file: SourceFile, start: int, listed: str) -> Iterator[Span]:
    for name in re.finditer(r"[^,\s](?:[^,]*[^,\s])?", listed):
        yield file.span(start + name.start(), start + name.end())


def _is_date(text: str) -> bool:
    from datetime import date  # only where one is written

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


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
    step = "Write the name shown in brackets in the finding; `opforge explain` lists them all."
    return Diagnostic("unknown-finding", f"There is no finding `{_shown(name.text)}`.{hint}", name, step)


def _shown(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
