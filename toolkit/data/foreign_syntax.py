"""Comments of other languages (`//`, `/* … */`, `-- `, `<!-- … -->`) and the fences of Markdown.

They are read as if they were not there, so that nothing else is reported because of them. Offsets stay as
they are. Whatever could be part of a text is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from msgspec.structs import replace

from toolkit.data.accept import compile_test
from toolkit.data.core_scalars import resolve_plain
from toolkit.data.nodes import Node, Scalar
from toolkit.data.schemas.parts import Schema
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import SourceFile, Span

_SIGN = r"(?://+|/\*+|--(?=[ \t])|<!--)"
_COMMENT = re.compile(rf"({_SIGN})[ \t]*([^\r\n]*?)[ \t]*(?:\*+/|-->)?[ \t]*")
_FENCE = re.compile(r"(?:```|~~~)[\w-]*[ \t]*")
_LINE = re.compile(r"^[^\r\n]*", re.MULTILINE)
_QUOTED = re.compile(r"""(?<=[:,\[{-])[ \t]+(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""", re.DOTALL)
_BEGIN = re.compile(r"""([ ]*)((?:-[ ]+)*)([\w.-]+[ \t]*:(?=\s|$)|["'][^"'\r\n]*["'][ \t]*:(?=\s|$))?""")
_BLOCK = re.compile(r"(?:^|.*[\s])[|>][-+\d]{0,2}[ \t]*(?:#.*)?")
_BESIDE = re.compile(r"[ \t]*(?:#.*)?")


def without_foreign_lines(file: SourceFile, text: str) -> tuple[str, list[Diagnostic]]:
    """The text with blanks in place of such lines, and what is reported. Fences are one finding."""
    findings, fences, blank = [], list[Span](), list[tuple[int, int]]()
    texts = [(one.start(), one.end()) for one in _QUOTED.finditer(text) if "\n" in one[0]]
    block = None  # lines that are indented deeper than this are those of a text behind `|` or `>`
    column = 0  # lines that are indented deeper than this may continue the value above,
    bare = False  # unless there is none
    lines = [(one.start(), one[0]) for one in _LINE.finditer(text)]
    following = _following([line for _, line in lines])
    for number, (start, line) in enumerate(lines):
        if _BESIDE.fullmatch(line):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and indent > block:
            continue
        block = None
        before = bisect_left(texts, (start, 0)) - 1
        is_text = before >= 0 and start < texts[before][1]
        comment = _COMMENT.fullmatch(line, indent)
        if _FENCE.fullmatch(line) and not is_text:
            fences.append(file.span(start, start + len(line)))
            blank.append((start, start + len(line)))
        elif comment and not is_text and (bare or indent <= column) and _ends(following[number], column):
            findings.append(_comment(file, start + indent, comment))
            blank.append((start, start + len(line)))
        elif (begins := _BEGIN.match(line)) and (begins[2] or begins[3]):
            column = len(begins[1] + begins[2]) if begins[3] else len((begins[1] + begins[2]).rstrip()) - 1
            block = column if _BLOCK.fullmatch(line) else None
            bare = bool(begins[3]) and bool(_BESIDE.fullmatch(line, begins.end()))
    parts, done = [], 0
    for begin, end in blank:
        parts += [text[done:begin], " " * (end - begin)]
        done = end
    return "".join((*parts, text[done:])), [*_fences(file, fences), *findings]


def _following(lines: list[str]) -> list[str | None]:
    """For each line the next one that is neither empty nor a comment of any kind."""
    found: list[str | None] = []
    following = None
    for line in reversed(lines):
        found.append(following)
        if not _BESIDE.fullmatch(line) and not _COMMENT.fullmatch(line.strip(" ")):
            following = line
    return found[::-1]


def _ends(line: str | None, column: int) -> bool:
    """Whether a line does not continue a value whose key is in that column."""
    if line is None:
        return True
    begins = _BEGIN.match(line)
    return len(line) - len(line.lstrip(" ")) <= column or bool(begins and (begins[2] or begins[3]))


def _comment(file: SourceFile, start: int, found: re.Match[str]) -> Diagnostic:
    """The finding about a comment that begins at ``start``."""
    written = f"# {found[2]}".rstrip()
    place = file.span(start, start + len(found[0].rstrip()))
    sign = file.span(start, start + len(found[1]))
    message = f"A comment begins with `#`, not with `{found[1]}`."
    return Diagnostic("foreign-syntax", message, sign, "Write `#` instead.", fix=Fix(place, written))


def _fences(file: SourceFile, fences: list[Span]) -> list[Diagnostic]:
    if not fences:
        return []
    first, last = fences[0], fences[-1]
    others = [str(span.begin_position.line) for span in fences[1:]]
    step = f"Remove this line and line {' and line '.join(others[:3])}." if others else "Remove this line."
    behind = re.compile(r"\r\n|\r|\n|").match(file.text, last.end)
    place = file.span(first.start, behind.end() if behind else last.end)
    kept = re.sub(rf"^{_FENCE.pattern}(?:\r\n|\r|\n|\Z)", "", place.text, flags=re.MULTILINE)
    message = "A Markdown fence is not part of YAML."
    return [Diagnostic("foreign-syntax", message, first, step, fix=Fix(place, kept))]


def comment_behind(schema: Schema, node: Node, card: str | None) -> Diagnostic | None:
    """The finding about a value that would fit, but for a comment of another language behind it."""
    if not isinstance(node, Scalar) or node.style or "\n" in node.text:
        return None
    found = re.fullmatch(rf"(\S+)[ \t]+({_COMMENT.pattern})", node.text)
    behind = re.compile(r"[ \t]*(?=[\r\n]|\Z)").match(node.file.text, node.end)
    if found is None or behind is None or not compile_test(schema)(resolve_plain(found[1])):
        return None
    comment = _COMMENT.fullmatch(node.text, found.start(2))
    if comment is None or node.span.text != node.text:
        return None
    finding = _comment(node.file, node.start + found.start(2), comment)
    return replace(finding, card=card)
