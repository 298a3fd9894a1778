"""Formatting of a file, or of the entries that a range touches, as edits of whole lines.

Whole lines, and not one new text: so the editor keeps cursor, folds and marks in the other lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from toolkit.data.yaml.nodes import Mapping, Sequence
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.editing.formatting import Refused, format_file, means_the_same
from toolkit.source import Edit, SourceFile
from toolkit.source.edits import apply


def formatting_edits(file: SourceFile) -> list[Edit] | str:
    """Return the edits that format a file, or a sentence why it is not formatted."""
    formatted = format_file(file)
    return formatted.reason if isinstance(formatted, Refused) else line_edits(file.text, formatted.text)


def range_formatting_edits(file: SourceFile, start: int, end: int) -> list[Edit] | str:
    """Return the edits that format the entries between two offsets, or a sentence why there are none.

    An entry is formatted as a whole: its keys are put in order, so a part of it cannot be formatted alone.
    """
    formatted = format_file(file)
    if isinstance(formatted, Refused):
        return formatted.reason
    tree, formatted_tree = parse_tree(file), parse_tree(SourceFile(file.path, file.name, formatted.text))
    blocks, formatted_blocks = list(_blocks(tree)), list(_blocks(formatted_tree))
    if len(blocks) != len(formatted_blocks):
        return "Its entries cannot be told apart; format the whole file."
    edits: list[Edit] = []
    for (begin, block_end), (new_begin, new_end) in zip(blocks, formatted_blocks, strict=True):
        # an empty range is in the block that it stands in, at the end of the file in the last one
        ends_behind_start = start < block_end or block_end == len(file.text)
        begins_before_end = begin < end or begin <= start
        if ends_behind_start and begins_before_end:
            edits += line_edits(file.text[begin:block_end], formatted.text[new_begin:new_end], begin)
    edited_text = apply(file.text, edits)
    if edits and not means_the_same(tree, parse_tree(SourceFile(file.path, file.name, edited_text))):
        return "These lines cannot be formatted alone; format the whole file."
    return edits


def _blocks(tree: Tree) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the blocks of whole lines of a file that are formatted alone, which cover it.

    Each entry begins one, and what stands before the first entry of a section is one too. The project file,
    which has no entries, is one block.
    """
    line_starts = tree.file.line_starts()
    begins = {0}
    if isinstance(tree.root, Mapping) and "project" not in tree.root.nodes:
        for section, node in tree.root.nodes.items():
            begins.add(_line_start(line_starts, tree.root.keys[section].start))
            entries = node.items if isinstance(node, Sequence) else ()
            for entry in entries:
                begins.add(_line_start(line_starts, entry.start))
    bounds = [*sorted(begins), len(tree.file.text)]
    return pairwise(bounds)


def _line_start(line_starts: list[int], offset: int) -> int:
    return line_starts[bisect_right(line_starts, offset) - 1]


_MAX_COMPARISONS = 2_000_000
"""Pairs of equal lines that are compared, at most: 10,000 blank lines are 100 million."""


def line_edits(old: str, new: str, offset: int = 0) -> list[Edit]:
    """Return the edits of whole lines that make one text of another; ``offset`` is where it begins.

    Where too many lines are the same, all that lies between the first and the last change is one edit.
    """
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [offset, *(offset + length for length in accumulate(map(len, old_lines)))]
    # only what differs is compared: the lines between those that are the same at the beginning and at the end
    first = _common_length(old_lines, new_lines)
    old_lines, new_lines = old_lines[first:], new_lines[first:]
    same_at_end = _common_length(old_lines[::-1], new_lines[::-1])
    old_lines = old_lines[: len(old_lines) - same_at_end]
    new_lines = new_lines[: len(new_lines) - same_at_end]
    if not (old_lines or new_lines):
        return []
    old_counts, new_counts = Counter(old_lines), Counter(new_lines)
    if sum(count * new_counts[line] for line, count in old_counts.items()) > _MAX_COMPARISONS:
        return [Edit(starts[first], starts[first + len(old_lines)], "".join(new_lines))]
    matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    return [
        Edit(starts[first + begin], starts[first + end], "".join(new_lines[new_begin:new_end]))
        for kind, begin, end, new_begin, new_end in matcher.get_opcodes()
        if kind != "equal"
    ]


def _common_length(lines: list[str], other_lines: list[str]) -> int:
    """Return how many lines at the beginning of two texts are the same."""
    count = 0
    for line, other_line in zip(lines, other_lines, strict=False):
        if line != other_line:
            break
        count += 1
    return count
