"""Verification of fixes: whether edits of a file did what they were meant to, and nothing else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from msgspec import Struct

from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.nodes import Sequence as Listing
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import Edit, SourceFile, Span
from toolkit.source.edits import apply


def only_edited(file: SourceFile, edits: Sequence[Edit]) -> bool:
    """Whether a file, read again after edits, has the same values wherever it was not edited.

    True for a file that cannot be read before, with which nothing can be compared.
    """
    tree_before = parse_tree(file)
    if tree_before.findings or tree_before.root is None:
        return True
    tree_after = parse_tree(SourceFile(file.path, file.name, apply(file.text, edits)))
    if tree_after.findings or tree_after.root is None:
        return False
    return _TreeComparison(edits).same(tree_before.root, tree_after.root)


class Ranges:
    """Ranges of offsets, which may overlap; each query takes logarithmic time."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        """The largest end of the ranges up to each."""
        for start, end in sorted(ranges):
            self._ends.append(max((end, *self._ends[-1:])))
            self._starts.append(start)

    def touch(self, start: int, end: int) -> bool:
        """Whether one of them shares a character with a range, or borders on it."""
        return self._farthest(end) >= start

    def contain(self, start: int, end: int) -> bool:
        """Whether a range is inside of one of them."""
        return self._farthest(start) >= end

    def overlap(self, start: int, end: int) -> bool:
        """Whether one of them shares a character with a range; an empty range counts as one character."""
        return self._farthest(max(end - 1, start)) > start

    def _farthest(self, offset: int) -> int:
        """Return the largest end of those that begin at an offset or before it; -1 if there is none."""
        index = bisect_right(self._starts, offset)
        return self._ends[index - 1] if index else -1


class _TreeComparison:
    """Compares two trees, before and after edits, without the nodes inside of an edit."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._before = Ranges((edit.start, edit.end) for edit in edits)
        self._after = Ranges((edit.start, edit.end) for edit in edits_after(edits))

    def same(self, node_before: Node, node_after: Node) -> bool:
        """Whether two nodes are equal outside of the edits: a value that an edit touches may be another."""
        if isinstance(node_before, Scalar) and isinstance(node_after, Scalar):
            equal = node_before.value == node_after.value and node_before.text == node_after.text
            return equal or self._before.touch(node_before.start, node_before.end)
        if type(node_before) is not type(node_after):
            return self._before.touch(node_before.start, node_before.end)
        old_nodes = _children_outside(node_before, self._before)
        new_nodes = _children_outside(node_after, self._after)
        return len(old_nodes) == len(new_nodes) and all(map(self.same, old_nodes, new_nodes))


def _children_outside(node: Node, edited: Ranges) -> list[Node]:
    """Return the keys, values or items of a node that are not inside of an edited range."""
    if isinstance(node, Mapping):
        children = [child for key, value in node.nodes.items() for child in (node.keys[key], value)]
    else:
        children = node.items if isinstance(node, Listing) else []
    return [child for child in children if not edited.contain(child.start, child.end)]


def edits_after(edits: Sequence[Edit]) -> list[Edit]:
    """Return where the replacements are after all edits are made."""
    shift = 0
    new_edits = []
    for edit in sorted(edits):
        start = edit.start + shift
        new_edits.append(Edit(start, start + len(edit.replacement), edit.replacement))
        shift += len(edit.replacement) - (edit.end - edit.start)
    return new_edits


class OriginalPlaces:
    """Maps ranges of a text to those before some edits."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._old = sorted(edits)
        new_edits = edits_after(edits)
        self._starts, self._ends = [edit.start for edit in new_edits], [edit.end for edit in new_edits]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the range before the edits; an edit that touches it belongs to it."""
        # an edit that contains the start (or the end) has no exact counterpart: its old range is taken whole
        index = bisect_left(self._ends, start)
        old_start = start - self._growth(index)
        if index < len(self._old) and self._starts[index] < start:
            old_start = self._old[index].start
        edit_count = bisect_right(self._starts, end)
        old_end = end - self._growth(edit_count)
        if edit_count and self._ends[edit_count - 1] >= end:
            old_end = self._old[edit_count - 1].end
        return old_start, old_end

    def _growth(self, count: int) -> int:
        """Return by how much the first edits, as many as ``count``, have made the text longer."""
        return self._ends[count - 1] - self._old[count - 1].end if count else 0


class AppliedFix(Struct, frozen=True):
    """A fix that was made: its finding, and where its replacement is in the new text."""

    finding: Diagnostic
    place: Edit


def applied_fixes(findings: Iterable[Diagnostic]) -> list[AppliedFix]:
    """Return the fixes of one file with their places in the new text."""
    edited = [(finding.fix.edit, finding) for finding in findings if finding.fix is not None]
    edited.sort(key=itemgetter(0))  # by the edits, as their places are
    places = edits_after([edit for edit, _ in edited])
    return [AppliedFix(finding, place) for (_, finding), place in zip(edited, places, strict=True)]


def failed_fixes(
    applied: Iterable[AppliedFix], findings_before: Iterable[Diagnostic], findings_after: Iterable[Diagnostic]
) -> list[AppliedFix]:
    """Return the fixes whose finding remains, or that caused another one without a safe fix of its own."""
    unmatched_counts = Counter(map(identity, findings_before))
    places = _FixPlaces(applied)
    failed_ids: set[int] = set()
    for finding in findings_after:
        unmatched_counts[identity(finding)] -= 1
        is_new = unmatched_counts[identity(finding)] < 0  # there are more of them than before
        for span in (finding.span, *(label.span for label in finding.labels)):
            for fix in places.touched_by(span):
                # a related place counts only inside of a replacement: the fix wrote, say, a duplicate id
                is_inside = fix.place.start <= span.start and span.end <= fix.place.end
                concerns_fix = span is finding.span or is_inside
                if concerns_fix and _is_to_blame(finding, is_new, fix.finding, fix.place):
                    failed_ids.add(id(fix))
    return [fix for fix in places.made if id(fix) in failed_ids]


class _FixPlaces:
    """Fixes that were made, by file and place; no two of them overlap."""

    def __init__(self, applied: Iterable[AppliedFix]) -> None:
        self.made = list(applied)
        self._by_file: dict[Path, list[AppliedFix]] = {}
        for fix in self.made:
            if fix.finding.fix is not None:
                self._by_file.setdefault(fix.finding.fix.span.file.path, []).append(fix)
        for fixes_in_file in self._by_file.values():
            fixes_in_file.sort(key=lambda fix_made: fix_made.place)
        self._ends = {
            path: [max(fix.place.end, fix.place.start + 1) for fix in fixes_in_file]
            for path, fixes_in_file in self._by_file.items()
        }

    def touched_by(self, span: Span) -> Iterator[AppliedFix]:
        """Yield the fixes whose places share a character with a span."""
        fixes_in_file = self._by_file.get(span.file.path, [])
        start_index = bisect_right(self._ends.get(span.file.path, []), span.start)
        for index in range(start_index, len(fixes_in_file)):
            if fixes_in_file[index].place.start >= max(span.end, span.start + 1):
                return
            yield fixes_in_file[index]


def identity(finding: Diagnostic) -> tuple[Path, str, str]:
    """Return what stays of a finding when fixes elsewhere in the file move it."""
    return (finding.span.file.path, finding.name, finding.message)


def _is_to_blame(finding: Diagnostic, is_new: bool, fixed_finding: Diagnostic, edit: Edit) -> bool:
    """Whether a finding where a fix was made shows that it failed."""
    if (finding.name, finding.message) == (fixed_finding.name, fixed_finding.message):
        return edit.replacement != ""  # removing one of three duplicates leaves the finding for the next
    return is_new and (finding.fix is None or not finding.fix.safe)
