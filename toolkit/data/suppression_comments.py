"""Where suppressions stand in a YAML file, and what they cover.

A comment belongs to the line it stands in; alone in a line, to the next line that is no comment. It covers
what begins in that line: a key with its value, an entry with all that is in it. Inside the ``|`` block of an
effect it covers the sentences that have a part in its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from toolkit.data.nodes import Mapping, Node, Scalar
from toolkit.data.tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.suppressions import MARK, Suppression, read_suppression
from toolkit.source import SourceFile, Span

_EFFECTS = ("effect", "teamwork", "suppression", "performance")
"""The keys whose values are effects, or lists of them."""


def suppressions_in(file: SourceFile, tree: Tree | None = None) -> tuple[list[Suppression], list[Diagnostic]]:
    """The suppressions of a file, and what is wrong with them. Never raises.

    What lies behind a place where the file cannot be read is not looked at. ``tree`` is that of the file, if
    it is at hand.
    """
    marks = [mark.start() for mark in re.finditer(MARK, file.text)]
    if not marks:
        return [], []
    tree = tree or parse_tree(file)
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
        self.root = root

    def covered_by(self, mark: int) -> Span | None:
        """What a comment covers; None if there is no comment at this place."""
        line = bisect_right(self.starts, mark) - 1
        scalar, is_effect = self._scalar(mark) or (None, False)
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

    def _scalar(self, mark: int) -> tuple[Scalar, bool] | None:
        """The scalar that is nearest before an offset or around it, and whether it is an effect."""
        if not isinstance(self.root, Mapping):
            return _scalar_before(self.root, mark) if self.root is not None else None
        # a section may be there twice, and then its list goes on behind another one
        parts = [(self.root.keys[key], node) for key, node in self.root.nodes.items()]
        found = [_scalar_before(node, mark) for part in parts for node in part]
        return max((one for one in found if one is not None), key=lambda one: one[0].start, default=None)

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


def _scalar_before(node: Node, mark: int, is_effect: bool = False) -> tuple[Scalar, bool] | None:
    """The last scalar below a node, keys too, that begins at an offset or before it."""
    parts: list[tuple[Node, bool]]
    if isinstance(node, Scalar):
        return (node, is_effect) if node.start <= mark else None
    if isinstance(node, Mapping):
        parts = [
            part
            for key, value in node.nodes.items()
            for part in ((node.keys[key], False), (value, key in _EFFECTS))
        ]
    else:
        parts = [(item, is_effect) for item in node.items]
    before = parts[: bisect_right(parts, mark, key=lambda part: part[0].start)]
    return next(
        (found for part in reversed(before) if (found := _scalar_before(part[0], mark, part[1]))), None
    )
