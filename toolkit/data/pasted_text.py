"""What pasted text brings along: characters that are not what they seem, and comments of other languages.

Some characters look like spaces and are none, where YAML needs spaces. Others are invisible: they turn a line
around (U+202E), or make two words differ that look the same. What languages that are written from right to
left need is left alone in their texts, and so are joiners within a word or an emoji, and soft hyphens.

Comments of other languages (`//`, `/* … */`, `-- `, `<!-- … -->`) and the fences of Markdown are read as if
they were not there, so that nothing else is reported because of them. Offsets stay as they are. Whatever
could be part of a text is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left

from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import SourceFile, Span

_NAMES = {
    "\u00a0": "no-break space",
    "\u2002": "en space",
    "\u2003": "em space",
    "\u2007": "figure space",
    "\u2009": "thin space",
    "\u200b": "zero-width space",
    "\u202f": "narrow no-break space",
    "\u3000": "ideographic space",
}
_SIGNS = "".join(_NAMES)

_JOINERS = "\u200b\u200c\u200d\u2060"
"""What joins or parts letters: within a word, or an emoji, it is meant."""

_OPENING = {"\u202a": "\u202c", "\u202b": "\u202c"} | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
_TAGS, _BLACK_FLAG = "\U000e0000", "\U0001f3f4"
"""Flags such as that of Scotland are a black one with letters that cannot be seen."""

_MARKS = "\u200e\u200f\u061c"
_TURNING = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INVISIBLE = "[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\U000e0000-\U000e0fff]"
"""Compiled where it is needed, like the patterns below: together they take 5 ms, and few files need them."""

_FOREIGN = r"(?m)^(?: *(?://|/\*|--[ \t]|<!--)|```|~~~)"


def may_hide_spaces(text: str) -> bool:
    """Whether such a character may be anywhere: a quick answer, which is no for nearly every file."""
    return not text.isascii() and (any(map(text.__contains__, _SIGNS)) or bool(re.search(_INVISIBLE, text)))


def may_be_foreign(text: str) -> bool:
    """Whether a line may begin with a comment or fence of another language."""
    return re.search(_FOREIGN, text) is not None


def invisible_at(text: str) -> int | None:
    """Where the first invisible character stands in a line that does not belong there, if there is one."""
    if text.isascii() or not re.search(_INVISIBLE, text):
        return None
    from_the_right = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)
    opened: list[tuple[str, int]] = []
    for found in re.finditer(_INVISIBLE, text):
        sign, at = found[0], found.start()
        if sign in _JOINERS:
            beside = text[at - 1 : at] + text[at + 1 : at + 2]
            fine = (
                len(beside) == 2 and not any(map(str.isspace, beside)) and not re.search(_INVISIBLE, beside)
            )
        elif sign in _OPENING:
            opened.append((_OPENING[sign], at))
            fine = from_the_right
        elif sign in _OPENING.values():
            fine = bool(opened) and opened.pop()[0] == sign
        elif sign >= _TAGS:
            fine = _BLACK_FLAG in text[:at]
        else:
            fine = sign in _MARKS and from_the_right
        if not fine:
            return at
    return opened[0][1] if opened else None


def invisible_finding(sign: str, span: Span) -> Diagnostic:
    """The finding about an invisible character."""
    does = "turns around how the line is shown" if sign in _TURNING else "cannot be seen"
    message = f"An invisible character (U+{ord(sign):04X}) is here, which {does}."
    return Diagnostic("control-character", message, span, "Delete the character and type the place again.")


def invisible_findings(file: SourceFile, text: str) -> list[Diagnostic]:
    """A finding for each line with an invisible character that does not belong there."""
    found = []
    begin = 0
    for line in text.splitlines(keepends=True):
        at = invisible_at(line)
        if at is not None:
            found.append(invisible_finding(line[at], file.span(begin + at, begin + at + 1)))
        begin += len(line)
    return found


def without_hidden_spaces(file: SourceFile) -> tuple[str, list[Diagnostic]]:
    """The text with spaces in place of such characters before a key or behind its colon, and findings.

    Offsets stay as they are. A line gives one finding, at the first such character. In texts they may stay.
    """
    begin = re.compile(rf"^(?:[ {_SIGNS}]|-[ {_SIGNS}])*(?:[A-Za-z_][\w-]*:[ {_SIGNS}]*)?", re.MULTILINE)
    ends_right = re.compile(rf"(?:-|:)[ {_SIGNS}]*$")
    signs = list(file.text)
    findings: list[Diagnostic] = []
    for line in begin.finditer(file.text):
        places = [place for place in range(line.start(), line.end()) if file.text[place] in _NAMES]
        if not places or not ends_right.search(line[0]):
            continue
        for place in places:
            signs[place] = " "
        sign = file.text[places[0]]
        message = f"A {_NAMES[sign]} (U+{ord(sign):04X}) looks like a space but is not one."
        step = "Replace it with a space or remove it; check the rest of the pasted text for more."
        span, fixed = file.span(places[0], places[0] + 1), "".join(signs[line.start() : line.end()])
        fix = Fix(file.span(line.start(), line.end()), fixed)
        findings.append(Diagnostic("wrong-indentation", message, span, step, fix=fix))
    return "".join(signs), findings


def without_consequences(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Without the last finding, a syntax error, if it lies in a line with a hidden space: that is why."""
    *before, error = findings
    line = error.span.begin_position.line
    if all(finding.span.begin_position.line != line for finding in before):
        return findings
    # a space in its place does not do
    return [
        replace(finding, fix=None) if finding.span.begin_position.line == line else finding
        for finding in before
    ]


_SIGN = r"(?://+|/\*+|--(?=[ \t])|<!--)"
COMMENT = rf"({_SIGN})[ \t]*([^\r\n]*?)[ \t]*(?:\*+/|-->)?[ \t]*"
_FENCE = r"(?:```|~~~)[\w-]*[ \t]*"
_LINE = r"(?m)^[^\r\n]*"
_QUOTED = r"""(?s)(?<=[:,\[{-])[ \t]+(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""
_BEGIN = r"""([ ]*)((?:-[ ]+)*)([\w.-]+[ \t]*:(?=\s|$)|["'][^"'\r\n]*["'][ \t]*:(?=\s|$))?"""
_BLOCK = r"(?:^|.*[\s])[|>][-+\d]{0,2}[ \t]*(?:#.*)?"
_BESIDE = r"[ \t]*(?:#.*)?"


def without_foreign_lines(file: SourceFile, text: str) -> tuple[str, list[Diagnostic]]:
    """The text with blanks in place of such lines, and what is reported. Fences are one finding."""
    findings, fences, blank = [], list[Span](), list[tuple[int, int]]()
    texts = [(one.start(), one.end()) for one in re.finditer(_QUOTED, text) if "\n" in one[0]]
    block = None  # lines that are indented deeper than this are those of a text behind `|` or `>`
    column = 0  # lines that are indented deeper than this may continue the value above,
    bare = False  # unless there is none
    lines = [(one.start(), one[0]) for one in re.finditer(_LINE, text)]
    following = _following([line for _, line in lines])
    for number, (start, line) in enumerate(lines):
        if re.fullmatch(_BESIDE, line):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and indent > block:
            continue
        block = None
        before = bisect_left(texts, (start, 0)) - 1
        is_text = before >= 0 and start < texts[before][1]
        comment = re.fullmatch(COMMENT, line[indent:])
        if re.fullmatch(_FENCE, line) and not is_text:
            fences.append(file.span(start, start + len(line)))
            blank.append((start, start + len(line)))
        elif comment and not is_text and (bare or indent <= column) and _ends(following[number], column):
            findings.append(foreign_comment(file, start + indent, comment))
            blank.append((start, start + len(line)))
        elif (begins := re.match(_BEGIN, line)) and (begins[2] or begins[3]):
            column = len(begins[1] + begins[2]) if begins[3] else len((begins[1] + begins[2]).rstrip()) - 1
            block = column if re.fullmatch(_BLOCK, line) else None
            bare = bool(begins[3]) and bool(re.fullmatch(_BESIDE, line[begins.end() :]))
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
        if not re.fullmatch(_BESIDE, line) and not re.fullmatch(COMMENT, line.strip(" ")):
            following = line
    return found[::-1]


def _ends(line: str | None, column: int) -> bool:
    """Whether a line does not continue a value whose key is in that column."""
    if line is None:
        return True
    begins = re.match(_BEGIN, line)
    return len(line) - len(line.lstrip(" ")) <= column or bool(begins and (begins[2] or begins[3]))


def foreign_comment(file: SourceFile, start: int, found: re.Match[str]) -> Diagnostic:
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
    kept = re.sub(rf"^{_FENCE}(?:\r\n|\r|\n|\Z)", "", place.text, flags=re.MULTILINE)
    message = "A Markdown fence is not part of YAML."
    return [Diagnostic("foreign-syntax", message, first, step, fix=Fix(place, kept))]
