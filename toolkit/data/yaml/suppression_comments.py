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
from typing import NamedTuple

from toolkit.data.yaml.line_blocks import belongs_to
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


def covered_by_comment(file: SourceFile, tree: Tree, mark: int) -> Span | None:
    """Return what a comment covers that begins at an offset with ``MARK``; None if there is no comment."""
    is_readable = tree.cut is None or mark < tree.cut
    return _Places(file, tree.root).covered_by(mark) if is_readable else None


class _SentenceLines(NamedTuple):
    """For each line of an effect where its first sentence begins, and where its last one ends."""

    begins: dict[int, int]
    ends: dict[int, int]


class _Places:
    """The lines and scalars of a file. Results are cached by line, for a file with thousands of comments."""

    def __init__(self, file: SourceFile, root: Node | None) -> None:
        self.file = file
        self.starts = file.line_starts()
        self._is_effect = dict(_scalars(root)) if root is not None else {}
        self._scalars = sorted(self._is_effect, key=lambda scalar: scalar.start)
        self._scalar_starts = [scalar.start for scalar in self._scalars]
        self._first_comments: dict[int, int] = {}
        self._covers: dict[int, Span] = {}
        self._sentences: dict[int, _SentenceLines] = {}

    def comment(self, mark: int) -> Span:
        """Return the comment that begins at an offset, to the end of its line."""
        line = bisect_right(self.starts, mark) - 1
        return self.file.span(mark, self.starts[line] + len(self._text(line).rstrip()))

    def covered_by(self, mark: int) -> Span | None:
        """Return what a comment covers; None if the mark is not in a comment, but in a text."""
        line = bisect_right(self.starts, mark) - 1
        last_begun = bisect_right(self._scalar_starts, mark) - 1  # keys are scalars, too
        scalar = self._scalars[last_begun] if last_begun >= 0 else None
        begin = self.starts[line]
        is_inside = scalar is not None and mark < scalar.end
        if scalar is not None and is_inside and begin > scalar.start:
            # in a text of several lines, of which only effects have comments
            is_comment = self._is_effect[scalar] and scalar.style == "|" and self._begins(begin, mark)
            return self._of_sentence(scalar, line) if is_comment else None
        if scalar is not None and is_inside and scalar.style not in ("|", ">"):
            return None
        # in the first line of a block the mark is in its header, where a comment may be
        comment_begin = begin if scalar is None or is_inside else max(begin, scalar.end)
        if not self._begins(comment_begin, mark):
            return None
        is_alone = not self.file.text[begin:mark].strip()
        covered_line = self._next[line] if is_alone else line
        if covered_line not in self._covers:
            self._covers[covered_line] = self._below(covered_line)
        return self._covers[covered_line]

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
        """Return a line with those that belong to it, without comments at the end."""
        header = self._text(line)
        last = line
        while (next_line := self._next[last]) > last and belongs_to(self._text(next_line), header):
            last = next_line
        return self._lines(line, last)

    def _of_sentence(self, block: Scalar, line: int) -> Span:
        """Return the lines of the sentences on a line; if it has none, of the next sentence."""
        first = bisect_right(self.starts, block.start)
        last = bisect_right(self.starts, max(block.start, block.end - 1)) - 1
        if block.start not in self._sentences:
            self._sentences[block.start] = self._sentence_lines(first, last)
        sentences = self._sentences[block.start]
        if self._effect_text(line):
            return self._lines(sentences.begins[line], sentences.ends[line])
        begin = min(self._next[line], last)
        return self._lines(begin, sentences.ends[begin])

    def _sentence_lines(self, first: int, last: int) -> _SentenceLines:
        """Return where the sentences on the lines of a block begin and end."""
        ends_with_sentence = {line: self._effect_text(line).endswith(".") for line in range(first, last + 1)}
        begins, ends = {first: first}, {last: last}
        for line in range(first + 1, last + 1):
            begins[line] = line if ends_with_sentence[line - 1] else begins[line - 1]
        for line in range(last - 1, first - 1, -1):
            ends[line] = line if ends_with_sentence[line] else ends[line + 1]
        return _SentenceLines(begins, ends)

    def _effect_text(self, line: int) -> str:
        """Return the part of an effect on a line, without its comment."""
        return self._text(line).partition("#")[0].strip()

    def _lines(self, first: int, last: int) -> Span:
        return self.file.span(self.starts[first], self.starts[last] + len(self._text(last)))


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
