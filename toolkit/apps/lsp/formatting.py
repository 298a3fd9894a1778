"""Formatting of a file, or of the entries that a range touches, as edits of whole lines.

Whole lines, and not one new text: so the editor keeps cursor, folds and marks in the other lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

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
        ends_behind_start = start < block_end or block_end == len(file.text)
        if ends_behind_start and (begin < end or begin <= start):
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
            for entry in node.items if isinstance(node, Sequence) else ():
                begins.add(_line_start(line_starts, entry.start))
    bounds = [*sorted(begins), len(tree.file.text)]
    return pairwise(bounds)


def _line_start(line_starts: list[int], offset: int) -> int:
    return line_starts[bisect_right(line_starts, offset) - 1]


def line_edits(old: str, new: str, offset: int = 0) -> list[Edit]:
    """Return the edits of whole lines that make one text of another; ``offset`` is where it begins."""
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [offset]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    return [
        Edit(starts[begin], starts[end], "".join(new_lines[new_begin:new_end]))
        for kind, begin, end, new_begin, new_end in matcher.get_opcodes()
        if kind != "equal"
    ]
