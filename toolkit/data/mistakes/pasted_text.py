"""Remains of pasted text: deceptive or invisible characters, comments of other languages, Markdown fences.

Some characters look like spaces where YAML needs real ones. Others are invisible: they reverse a line
(U+202E), or make two words differ that look the same. What right-to-left scripts need is accepted in their
texts, and so are joiners within a word or an emoji, and soft hyphens.

Comments of other languages (`//`, `/* … */`, `-- `, `<!-- … -->`) and Markdown fences are replaced by blanks
of the same length before parsing, so that they cause no other findings and offsets stay the same. Whatever
could be part of a text is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left

from msgspec.structs import replace

from toolkit.data.yaml.suspicious_text import INVISIBLE, SPACES
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import SourceFile, Span

_SPACE_SIGNS = "".join(SPACES)

_JOINERS = "\u200b\u200c\u200d\u2060"
"""Characters that join or separate letters, legitimate within a word or an emoji."""

_OPENING = {"\u202a": "\u202c", "\u202b": "\u202c"} | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
"""Bidirectional controls that begin a range, by the one that ends it."""
_TAGS, _BLACK_FLAG = "\U000e0000", "\U0001f3f4"
"""Flags such as that of Scotland are a black flag followed by invisible tag letters."""

_MARKS = "\u200e\u200f\u061c"
_BIDIRECTIONAL = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def invisible_at(text: str) -> int | None:
    """Return the index of the first illegitimate invisible character in a line, if there is one.

    Joiners are legitimate between visible characters, tags in a flag, and what changes the direction of a
    text where a word is written from right to left, if it is closed in its line.
    """
    if text.isascii() or not re.search(INVISIBLE, text):
        return None
    is_right_to_left = any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)
    open_marks: list[tuple[str, int]] = []  # what closes each, and where it is
    for match in re.finditer(INVISIBLE, text):
        char, offset = match[0], match.start()
        if char in _JOINERS:
            beside = text[offset - 1 : offset] + text[offset + 1 : offset + 2]
            is_between = len(beside) == len("ab")
            is_legitimate = is_between and not re.search(rf"\s|{INVISIBLE}", beside)
        elif char in _OPENING:
            open_marks.append((_OPENING[char], offset))
            is_legitimate = is_right_to_left
        elif char in _OPENING.values():
            closing, _ = open_marks.pop() if open_marks else ("", 0)
            is_legitimate = closing == char
        elif char >= _TAGS:
            is_legitimate = _BLACK_FLAG in text[:offset]
        else:
            is_legitimate = char in _MARKS and is_right_to_left
        if not is_legitimate:
            return offset
    return next((offset for _closing, offset in open_marks), None)


def invisible_finding(char: str, span: Span) -> Diagnostic:
    """Return the finding about an invisible character."""
    does = "changes the order in which the line is shown" if char in _BIDIRECTIONAL else "cannot be seen"
    message = f"An invisible character (U+{ord(char):04X}) is here, which {does}."
    return Diagnostic("control-character", message, span, "Delete the character and type the place again.")


def invisible_findings(file: SourceFile, text: str) -> list[Diagnostic]:
    """Return a finding for each line with an illegitimate invisible character."""
    findings = []
    for line in re.finditer(r"[^\r\n]+", text):
        offset = invisible_at(line[0])
        if offset is not None:
            span = file.span(line.start() + offset, line.start() + offset + 1)
            findings.append(invisible_finding(line[0][offset], span))
    return findings


def without_hidden_spaces(file: SourceFile, text: str) -> tuple[str, list[Diagnostic]]:
    """Return the text with deceptive spaces before a key or after its colon replaced, and findings.

    ``text`` is that of the file, in which stand-ins may be. Offsets stay the same. A line has one
    finding, at the first such character. Within texts they are kept.
    """
    begin = re.compile(
        rf"^(?:[ {_SPACE_SIGNS}]|-[ {_SPACE_SIGNS}])*(?:[A-Za-z_][\w-]*:[ {_SPACE_SIGNS}]*)?", re.MULTILINE
    )
    ends_right = re.compile(rf"(?:-|:)[ {_SPACE_SIGNS}]*$")
    chars, fixed = list(text), list(file.text)
    findings: list[Diagnostic] = []
    for line in begin.finditer(text):
        offsets = [offset for offset in range(line.start(), line.end()) if text[offset] in SPACES]
        if not offsets or not ends_right.search(line[0]):
            continue
        for offset in offsets:
            chars[offset] = fixed[offset] = " "
        first_offset, *_ = offsets
        char = text[first_offset]
        message = f"A {SPACES[char]} (U+{ord(char):04X}) looks like a space but is not one."
        step = "Replace it with a space or remove it; check the rest of the pasted text for more."
        fix = Fix(file.span(line.start(), line.end()), "".join(fixed[line.start() : line.end()]))
        span = file.span(first_offset, first_offset + 1)
        findings.append(Diagnostic("wrong-indentation", message, span, step, fix=fix))
    return "".join(chars), findings


def without_consequences(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return the findings about deceptive spaces without the syntax error behind them, if one is in its line.

    Those in its line lose their fix: the error is that of the text with spaces in their place, so the fix
    would not make the line valid.
    """
    *space_findings, syntax_error = findings
    line = syntax_error.span.begin_position.line
    if all(finding.span.begin_position.line != line for finding in space_findings):
        return findings
    return [
        replace(finding, fix=None) if finding.span.begin_position.line == line else finding
        for finding in space_findings
    ]


_OPENER = r"(?://+|/\*+|--(?=[ \t])|<!--)"
COMMENT = rf"(?P<opener>{_OPENER})[ \t]*(?P<text>[^\r\n]*?)[ \t]*(?:\*+/|-->)?[ \t]*"
"""A comment of another language: its opening characters, and its text."""
_FENCE = r"(?:```|~~~)[\w-]*[ \t]*"
_LINE = r"(?m)^[^\r\n]*"
_QUOTED = r"""(?s)(?<=[:,\[{-])[ \t]+(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""
_BEGIN = re.compile(
    r"""(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*)"""
    r"""(?P<key>[\w.-]+[ \t]*:(?=\s|$)|["'][^"'\r\n]*["'][ \t]*:(?=\s|$))?"""
)
_BLOCK = r"(?:^|.*[\s])[|>][-+\d]{0,2}[ \t]*(?:#.*)?"
_BESIDE = r"[ \t]*(?:#.*)?"


def without_foreign_lines(file: SourceFile, text: str) -> tuple[str, list[Diagnostic]]:
    """Return the text with foreign comments and fences blanked out, and findings; all fences are one.

    There is no tree yet, so whether a line may be part of a text is judged by indentation and quotes.
    """
    findings, fences, blanked_spans = [], list[Span](), list[Span]()
    quoted_texts = [match for match in re.finditer(_QUOTED, text) if "\n" in match[0]]
    starts_of_quoted = [match.start() for match in quoted_texts]
    block_indent = None  # lines indented deeper than this belong to the text of a `|` or `>`
    value_indent = 0  # lines indented deeper than this may continue the value above ...
    lacks_value = False  # ... unless the key above has no value
    lines = [(match.start(), match[0]) for match in re.finditer(_LINE, text)]
    following = _following([line for _, line in lines])
    for number, (start, line) in enumerate(lines):
        if re.fullmatch(_BESIDE, line):
            continue
        indent = _indent_of(line)
        if block_indent is not None and indent > block_indent:
            continue
        block_indent = None
        last_quoted = bisect_left(starts_of_quoted, start) - 1
        is_in_quotes = last_quoted >= 0 and start < quoted_texts[last_quoted].end()
        comment = re.fullmatch(COMMENT, line[indent:])
        is_in_value = indent > value_indent and not lacks_value
        span = file.span(start, start + len(line))
        if re.fullmatch(_FENCE, line) and not is_in_quotes:
            fences.append(span)
            blanked_spans.append(span)
        elif (
            comment and not is_in_quotes and not is_in_value and _ends_value(following[number], value_indent)
        ):
            findings.append(foreign_comment(file, start + indent, comment))
            blanked_spans.append(span)
        elif begin := _begin_of_item(line):
            before_key = begin["indent"] + begin["dashes"]
            value_indent = len(before_key) if begin["key"] else len(before_key.rstrip()) - 1
            block_indent = value_indent if re.fullmatch(_BLOCK, line) else None
            lacks_value = bool(begin["key"]) and bool(re.fullmatch(_BESIDE, line[begin.end() :]))
    return _blanked(text, blanked_spans), [*_fences(file, fences), *findings]


def _blanked(text: str, spans: list[Span]) -> str:
    """Return a text with spaces in place of some spans, in order."""
    parts, end_of_last = [], 0
    for span in spans:
        parts += [text[end_of_last : span.start], " " * (span.end - span.start)]
        end_of_last = span.end
    return "".join((*parts, text[end_of_last:]))


def _following(lines: list[str]) -> list[str | None]:
    """Return for each line the next one that is neither empty nor a comment of any kind."""
    following_lines: list[str | None] = []
    following = None
    for line in reversed(lines):
        following_lines.append(following)
        if not re.fullmatch(_BESIDE, line) and not re.fullmatch(COMMENT, line.strip(" ")):
            following = line
    return following_lines[::-1]


def _ends_value(line: str | None, column: int) -> bool:
    """Whether a line does not continue a value whose key is at this column; None is the end of the file."""
    return line is None or _indent_of(line) <= column or _begin_of_item(line) is not None


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _begin_of_item(line: str) -> re.Match[str] | None:
    """Return the indent, dashes and key of a line that begins an item or a key; None for other lines."""
    match = _BEGIN.match(line)
    return match if match and (match["dashes"] or match["key"]) else None


def foreign_comment(file: SourceFile, start: int, comment: re.Match[str]) -> Diagnostic:
    """Return the finding about a comment (``COMMENT``) that begins at ``start``."""
    written = f"# {comment['text']}".rstrip()
    span = file.span(start, start + len(comment[0].rstrip()))
    opener = file.span(start, start + len(comment["opener"]))
    message = f"A comment begins with `#`, not with `{comment['opener']}`."
    return Diagnostic("foreign-syntax", message, opener, "Write `#` instead.", fix=Fix(span, written))


def _fences(file: SourceFile, fences: list[Span]) -> list[Diagnostic]:
    """Return one finding about all fences of a file, none without fences."""
    if not fences:
        return []
    first, last = fences[0], fences[-1]
    lines = ["this line", *(f"line {span.begin_position.line}" for span in fences[1:4])]
    step = f"Remove {' and '.join(lines)}."
    behind = re.compile(r"\r\n|\r|\n|").match(file.text, last.end)
    fenced_span = file.span(first.start, behind.end() if behind else last.end)
    unfenced = re.sub(rf"^{_FENCE}(?:\r\n|\r|\n|\Z)", "", fenced_span.text, flags=re.MULTILINE)
    message = "A Markdown fence is not part of YAML."
    return [Diagnostic("foreign-syntax", message, first, step, fix=Fix(fenced_span, unfenced))]
