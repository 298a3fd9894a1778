"""Where suppressions stand in a YAML file, and what they cover.

A comment belongs to the line it stands in; alone in a line, to the next line that is no comment. It covers
what begins in that line: a key with its value, an entry with all that is in it. Inside the ``|`` block of an
effect it covers the sentences that have a part in its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from toolkit.data.nodes import Mapping, Node, Scalar
from toolkit.data.tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.suppressions import MARK, Suppression, read_suppression
from toolkit.source import SourceFile, Span

_EFFECTS = ("effect", "teamwork", "suppression", "performance")
"""The keys whose values are effects, or lists of them."""


def suppressions_in(file: SourceFile) -> tuple[list[Suppression], list[Diagnostic]]:
    """The suppressions of a file, and what is wrong with them. Never raises.

    What lies behind a place where the file cannot be read is not looked at.
    """
    marks = [mark.start() for mark in re.finditer(MARK, file.text)]
    if not marks:
        return [], []
    tree = parse_tree(file)
    places = _Places(file, tree.root)
    limit = len(file.text) if tree.cut is None else tree.cut
    suppressions, findings = [], []
    for mark in marks:
        covers = places.covered_by(mark) if mark < limit else None
        if covers is not None:
            comment = file.span(mark, mark + len(_line_from(file.text, mark).rstrip()))
            suppression, wrong = read_suppression(comment, covers)
            suppressions += [suppression] if suppression else []
            findings += wrong
    return suppressions, findings


def _line_from(text: str, offset: int) -> str:
    ends = [end for sign in "\r\n" if (end := text.find(sign, offset)) >= 0]
    return text[offset : min(ends, default=len(text))]


class _Places:
    """The lines and scalars of a file."""

    def __init__(self, file: SourceFile, root: Node | None) -> None:
        self.file = file
        self.starts = file.line_starts()
        self.scalars = sorted(_scalars(root), key=lambda found: found[0].start) if root is not None else []
        self.scalar_starts = [scalar.start for scalar, _ in self.scalars]

    def covered_by(self, mark: int) -> Span | None:
        """What a comment covers; None if there is no comment at this place."""
        line = bisect_right(self.starts, mark) - 1
        index = bisect_right(self.scalar_starts, mark) - 1
        scalar, is_effect = self.scalars[index] if index >= 0 else (None, False)
        begin = self.starts[line]
        inside = scalar is not None and mark < scalar.end
        if scalar is not None and inside and begin > scalar.start:
            is_comment = is_effect and scalar.style == "|" and self._begins(begin, mark)
            return self._sentences(scalar, line) if is_comment else None
        if scalar is not None and inside and scalar.style not in ("|", ">"):
            return None
        if not self._begins(begin if scalar is None or inside else max(begin, scalar.end), mark):
            return None
        alone = not self.file.text[begin:mark].strip()
        return self._below(self._next(line) if alone else line)

    def _begins(self, begin: int, mark: int) -> bool:
        """Whether no other comment begins before the mark."""
        text = self.file.text
        return not any(
            text[at] == "#" and (at == begin or text[at - 1] in " \t\r\n") for at in range(begin, mark)
        ) and (mark == 0 or text[mark - 1] in " \t\r\n")

    def _text(self, line: int) -> str:
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.file.text)
        return self.file.text[self.starts[line] : end].rstrip("\r\n")

    def _next(self, line: int) -> int:
        """The next line that is neither blank nor a comment; the line itself if there is none."""
        for number in range(line + 1, len(self.starts)):
            text = self._text(number).strip()
            if text and not text.startswith("#"):
                return number
        return line

    def _below(self, line: int) -> Span:
        """A line and the lines that belong to it: those indented deeper, or a list below its key."""
        first = self._text(line)
        indent = len(first) - len(first.lstrip(" "))
        last = line
        for number in range(line + 1, len(self.starts)):
            text = self._text(number)
            words = text.lstrip(" ")
            if not words or words.startswith("#"):
                continue
            deeper = len(text) - len(words) - indent
            if deeper < 0 or (deeper == 0 and not (_is_item(words) and not _is_item(first.lstrip(" ")))):
                break
            last = number
        return self._lines(line, last)

    def _sentences(self, block: Scalar, line: int) -> Span:
        """The lines of the sentences that have a part in a line; of a line without one, the next sentence."""
        first = bisect_right(self.starts, block.start)
        last = bisect_right(self.starts, max(block.start, block.end - 1)) - 1
        begin = line if self._words(line) else min(self._next(line), last)
        end = begin
        while begin > first and not self._words(begin - 1).endswith(".") and self._words(line):
            begin -= 1
        while end < last and not self._words(end).endswith("."):
            end += 1
        return self._lines(begin, end)

    def _words(self, line: int) -> str:
        """The words of an effect in a line, without its comment."""
        return self._text(line).partition("#")[0].strip()

    def _lines(self, first: int, last: int) -> Span:
        return self.file.span(self.starts[first], self.starts[last] + len(self._text(last)))


def _is_item(words: str) -> bool:
    return words == "-" or words.startswith("- ")


def _scalars(node: Node, is_effect: bool = False) -> Iterator[tuple[Scalar, bool]]:
    """All scalars below a node, keys too, and whether each is an effect."""
    if isinstance(node, Scalar):
        yield node, is_effect
    elif isinstance(node, Mapping):
        for key, value in node.nodes.items():
            yield node.keys[key], False
            yield from _scalars(value, key in _EFFECTS)
    else:
        for item in node.items:
            yield from _scalars(item, is_effect)
