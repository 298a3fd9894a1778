"""Findings about U+0085, U+2028 and U+2029, which look like line ends and are none to YAML 1.2.

They come with texts that were pasted from a layout program or a chat. Imported only for a file that has one.

What explains mistakes is imported only where a mistake is met.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from msgspec.structs import replace

from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.stand_ins import SEPARATORS
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import SourceFile

_LINE = rf"[^\r\n]*[{SEPARATORS}][^\r\n]*"
_AROUND_SIGNS = rf"(?m)^[ ]*(?:[{SEPARATORS}][ {SEPARATORS}]*-|[^\r\n]*[:-][ ]*[{SEPARATORS}])"
_BEGINS_A_LINE = rf"[ ]*(?:- |(?:- +)*[\"']?[\w-]+[\"']?:(?:[ \r\n{SEPARATORS}]|\Z))"
_BLANKS = f" \t{SEPARATORS}"


def separator_findings(
    file: SourceFile, root: Node | None, cut: int | None, *, are_line_ends: bool
) -> list[Diagnostic]:
    """Return a finding for each line with separators, whose fix replaces all of them in that line.

    ``cut`` is the offset from which the file could not be parsed. ``are_line_ends`` says that the file has no
    other line ends.
    """
    context = _Context(file, root, cut)
    findings = []
    for line in re.finditer(_LINE, file.text):
        offsets = [line.start() + separator.start() for separator in re.finditer(f"[{SEPARATORS}]", line[0])]
        first, end = offsets[0], offsets[-1] + 1
        fixed, is_certain, begin = "", True, first
        for offset in offsets:
            replacement = "\n" if are_line_ends else context.replacement(offset, line)
            fixed += file.text[begin:offset] + replacement
            begin = offset + 1
            # behind the cut nothing is known of the text, so a line end is only likely there
            is_certain &= are_line_ends or cut is None or offset < cut or replacement in ("", " ")
        from toolkit.data.mistakes.pasted_text import invisible_finding

        finding = invisible_finding(file.text[first], file.span(first, first + 1))
        step = "Replace it by a space, or by a line end if one was meant."
        fix = Fix(file.span(first, end), fixed, safe=is_certain)
        findings.append(replace(finding, next_step=step, fix=fix))
    return findings


def is_consequence(file: SourceFile, error: Diagnostic) -> bool:
    """Whether a separator may have caused a syntax error: on its line, or by moving columns before it."""
    line = file.line(error.span.begin_position.line)
    signs = re.search(_AROUND_SIGNS, file.text)
    return any(map(line.__contains__, SEPARATORS)) or bool(signs and signs.start() <= error.span.start)


class _Context:
    """The scalars of a file, which say what a separator was probably meant to be."""

    def __init__(self, file: SourceFile, root: Node | None, cut: int | None) -> None:
        self.text = file.text
        self.is_broken = cut is not None
        first_line_end = re.search(r"\r\n|\r|\n", file.text)
        self.line_end = first_line_end.group() if first_line_end else "\n"
        scalars = [] if root is None else _scalars(root)
        self.is_key = {scalar: is_key for scalar, is_key in scalars if cut is None or scalar.start < cut}
        self.scalars = sorted(self.is_key, key=lambda scalar: scalar.start)
        self.starts = [scalar.start for scalar in self.scalars]

    def replacement(self, offset: int, line: re.Match[str]) -> str:
        """Return what is written instead of the separator at an offset of a line.

        That is nothing at the ends of the line, in a key and beside a blank, else a space; a line end only
        where the file could not be parsed without it.
        """
        text = self.text
        if not text[line.start() : offset].strip(_BLANKS) or not text[offset + 1 : line.end()].strip(_BLANKS):
            return ""
        last_begun = bisect_right(self.starts, offset) - 1
        scalar = self.scalars[last_begun] if last_begun >= 0 else None
        is_inside = scalar is not None and offset < scalar.end
        if scalar is not None and is_inside and self.is_key[scalar]:
            return ""
        begin = line.start() if scalar is None else max(line.start(), scalar.end)
        is_text = is_inside or bool(re.search(r"(?:\A|[ \t])#|^[ -]*\Z", text[begin:offset]))
        if self.is_broken and not is_text and re.compile(_BEGINS_A_LINE).match(text, offset + 1):
            return self.line_end
        is_doubled = text[offset - 1] in _BLANKS or text[offset + 1] in " \t"
        return "" if is_doubled else " "


def _scalars(node: Node, is_key: bool = False) -> Iterator[tuple[Scalar, bool]]:
    """Yield all scalars in a node, and whether they are keys."""
    if isinstance(node, Scalar):
        yield node, is_key
    elif isinstance(node, Mapping):
        for key, value in node.nodes.items():
            yield node.keys[key], True
            yield from _scalars(value)
    else:
        for item in node.items:
            yield from _scalars(item)
