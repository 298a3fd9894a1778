"""Suppressions in a YAML file, and what they cover.

A comment belongs to its line, or if it is alone on its line to the next line that is not a comment. It covers
what begins on that line: a key with its value, or an entry with all that is in it. Inside the ``|`` block of
an effect it covers the sentences that are partly or wholly on its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.suppressions import MARK, Suppression, read_suppression
from toolkit.source import SourceFile, Span

_EFFECTS = ("effect", "teamwork", "suppression", "performance")
"""The keys whose values are effects, or lists of them."""


def suppressions_in(file: SourceFile, tree: Tree | None = None) -> tuple[list[Suppression], list[Diagnostic]]:
    """Return the suppressions in a file, and what is wrong with them. Never raises.

    What follows a place where the file cannot be parsed is ignored. ``tree`` is that of the file, if it is
    already parsed.
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
            suppression, wrong = read_suppression(places.comment(mark), covers)
            suppressions += [suppression] if suppression else []
            findings += wrong
    return suppressions, findings


class _Places:
    """The lines and scalars of a file. Results are cached by line, for a file with thousands of comments."""

    def __init__(self, file: SourceFile, root: Node | None) -> None:
        self.file = file
        self.starts = file.line_starts()
        self._scalars = (
            sorted(_scalars(root), key=lambda scalar_and_role: scalar_and_role[0].start)
            if root is not None
            else []
        )
        self._scalar_starts = [scalar.start for scalar, _ in self._scalars]
        self._first_comments: dict[int, int] = {}
        self._covers: dict[int, Span] = {}
        self._sentences: dict[int, tuple[list[int], list[int]]] = {}

    def comment(self, mark: int) -> Span:
        """Return the comment that begins at an offset, to the end of its line."""
        line = bisect_right(self.starts, mark) - 1
        return self.file.span(mark, self.starts[line] + len(self._text(line).rstrip()))

    def covered_by(self, mark: int) -> Span | None:
        """Return what a comment covers; None if the mark is not in a comment, but in a text."""
        line = bisect_right(self.starts, mark) - 1
        last = bisect_right(self._scalar_starts, mark) - 1  # keys are scalars, too
        scalar, is_effect = self._scalars[last] if last >= 0 else (None, False)
        begin = self.starts[line]
        inside = scalar is not None and mark < scalar.end
        if scalar is not None and inside and begin > scalar.start:
            is_comment = is_effect and scalar.style == "|" and self._begins(begin, mark)
            return self._of_sentence(scalar, line) if is_comment else None
        if scalar is not None and inside and scalar.style not in ("|", ">"):
            return None
        if not self._begins(begin if scalar is None or inside else max(begin, scalar.end), mark):
            return None
        alone = not self.file.text[begin:mark].strip()
        below = self._next[line] if alone else line
        if below not in self._covers:
            self._covers[below] = self._below(below)
        return self._covers[below]

    def _begins(self, begin: int, mark: int) -> bool:
        """Whether the comment at the mark is the first one after ``begin``, which is on the same line."""
        text = self.file.text
        if begin not in self._first_comments:
            number = bisect_right(self.starts, begin)
            end = self.starts[number] if number < len(self.starts) else len(text)
            match = re.compile(r"(?<=[ \t\r\n])#").search(text, begin, end)
            first = begin if text.startswith("#", begin) else match.start() if match else -1
            self._first_comments[begin] = first
        return self._first_comments[begin] == mark and (mark == 0 or text[mark - 1] in " \t\r\n")

    def _text(self, line: int) -> str:
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.file.text)
        return self.file.text[self.starts[line] : end].rstrip("\r\n")

    @cached_property
    def _next(self) -> list[int]:
        """For each line the next one that is neither blank nor a comment, or itself if there is none."""
        next_lines: list[int] = []
        below: int | None = None
        for line in range(len(self.starts) - 1, -1, -1):
            next_lines.append(line if below is None else below)
            text = self._text(line).strip()
            if text and not text.startswith("#"):
                below = line
        return next_lines[::-1]

    def _below(self, line: int) -> Span:
        """Return a line with those that belong to it: lines indented deeper, or the list under its key."""
        first = self._text(line)
        indent = len(first) - len(first.lstrip(" "))
        last = line
        while (number := self._next[last]) > last:
            text = self._text(number)
            words = text.lstrip(" ")
            deeper = len(text) - len(words) - indent
            if deeper < 0 or (deeper == 0 and not (_is_item(words) and not _is_item(first.lstrip(" ")))):
                break
            last = number
        return self._lines(line, last)

    def _of_sentence(self, block: Scalar, line: int) -> Span:
        """Return the lines of the sentences on a line; if it has none, of the next sentence."""
        first = bisect_right(self.starts, block.start)
        last = bisect_right(self.starts, max(block.start, block.end - 1)) - 1
        if block.start not in self._sentences:
            self._sentences[block.start] = self._ends_of_sentences(first, last)
        begins, ends = self._sentences[block.start]
        if self._words(line):
            return self._lines(begins[line - first], ends[line - first])
        begin = min(self._next[line], last)
        return self._lines(begin, ends[begin - first])

    def _ends_of_sentences(self, first: int, last: int) -> tuple[list[int], list[int]]:
        """Return for each line of a block where its first sentence begins, and where its last one ends."""
        words = [self._words(line) for line in range(first, last + 1)]
        begins, ends = [first], [last]
        for line in range(first + 1, last + 1):
            begins.append(line if words[line - 1 - first].endswith(".") else begins[-1])
        for line in range(last - 1, first - 1, -1):
            ends.append(line if words[line - first].endswith(".") else ends[-1])
        return begins, ends[::-1]

    def _words(self, line: int) -> str:
        """Return the words of an effect on a line, without its comment."""
        return self._text(line).partition("#")[0].strip()

    def _lines(self, first: int, last: int) -> Span:
        return self.file.span(self.starts[first], self.starts[last] + len(self._text(last)))


def _is_item(words: str) -> bool:
    return words == "-" or words.startswith("- ")


def _scalars(node: Node, is_effect: bool = False) -> Iterator[tuple[Scalar, bool]]:
    """Yield all scalars in a node, keys included, and whether they are effects."""
    if isinstance(node, Scalar):
        yield node, is_effect
    elif isinstance(node, Mapping):
        for key, value in node.nodes.items():
            yield node.keys[key], False
            yield from _scalars(value, key in _EFFECTS)
    else:
        for item in node.items:
            yield from _scalars(item, is_effect)
