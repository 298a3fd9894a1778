"""The formatter: a file is parsed into a concrete tree, sorted, printed, and parsed again to verify it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from toolkit.data.loading import problem_finding
from toolkit.data.mistakes.yaml_errors import word_at
from toolkit.data.project_files import read_folder
from toolkit.data.schema import schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.dsl.parsing import parse_effect
from toolkit.editing.fixing.verification import OriginalPlaces
from toolkit.editing.formatting.concrete_tree import BREAK
from toolkit.editing.formatting.ordering import entry_schema, is_effect, put_in_order, schema_below
from toolkit.editing.formatting.unusual_forms import usual_forms
from toolkit.editing.formatting.yaml_printer import comments_of, print_concrete_tree
from toolkit.editing.formatting.yaml_reader import UnsupportedFormError, read_concrete_tree
from toolkit.project.output import Change
from toolkit.project.value_at import every_scalar
from toolkit.source import ReadProblem, SourceFile, Span
from toolkit.source.edits import apply
from toolkit.source.paths import is_below
from toolkit.source.reading import text_problem
from toolkit.source.short_repr import PublicValue


class Formatted(PublicValue, Struct, frozen=True):
    """The formatted text of a file, which may be the same as before."""

    text: str


class Refused(PublicValue, Struct, frozen=True):
    """A file that is not formatted: a sentence why, the place, and its findings if it has errors."""

    reason: str
    place: Span
    findings: tuple[Diagnostic, ...] = ()


def format_file(file: SourceFile) -> Formatted | Refused:
    """Format a card file or project file. Never raises for what the file holds.

    Values, effects and comments stay the same: the result is parsed again and compared. Line ends become
    those of the first line; the last line gets one.
    """
    tree = parse_tree(file)
    if tree.findings or text_problem(file):
        spans = (finding.span for finding in tree.findings)
        span = next(spans, file.span(0, 0))
        return Refused("It cannot be read; fix its errors first.", span, tuple(tree.findings))
    if tree.root is None:
        return Formatted(file.text)
    edits = usual_forms(tree)
    usual_tree = parse_tree(SourceFile(file.path, file.name, apply(file.text, edits))) if edits else tree
    try:
        concrete_tree = read_concrete_tree(usual_tree)
        assert isinstance(usual_tree.root, Mapping), "read_concrete_tree takes nothing else"
        put_in_order(concrete_tree, usual_tree.root)
        text = print_concrete_tree(concrete_tree)
    except UnsupportedFormError as error:
        span = file.span(*OriginalPlaces(edits).place(error.offset, error.offset))
        form = word_at(file, span.start).text
        return Refused(f"The formatter does not support `{shown(form)}` here.", span)
    except ValueError:
        return Refused("One of its texts cannot be located exactly.", file.span(0, 0))
    text = _with_line_ends(text, file.text)
    if means_the_same(tree, parse_tree(SourceFile(file.path, file.name, text))):
        return Formatted(text)
    return Refused("The result would not mean the same; this is a bug in opforge.", file.span(0, 0))


def _with_line_ends(text: str, text_before: str) -> str:
    """Return the text with the line end that the file has in its first line."""
    line_end = BREAK.search(text_before)
    return text.replace("\n", line_end[0]) if line_end and line_end[0] != "\n" else text


_COMMENT = re.compile(r"#[^\r\n]*")


def means_the_same(tree_before: Tree, tree_after: Tree) -> bool:
    """Whether two trees hold the same values, equal effects, and the same comments."""
    root_before, root_after = tree_before.root, tree_after.root
    if tree_after.findings or not isinstance(root_before, Mapping) or not isinstance(root_after, Mapping):
        return False
    if "project" in root_before.keys:
        is_same = _same(root_before, root_after, schema_for("project"))
    else:
        is_same = [*root_before.nodes] == [*root_after.nodes] and all(
            _same_entries(section, node, root_after.nodes[section])
            for section, node in root_before.nodes.items()
        )
    return is_same and Counter(comments(tree_before)) == Counter(comments(tree_after))


def _same_entries(section: str, node_before: Node, node_after: Node) -> bool:
    """Whether two sections have the same entries, in the same order."""
    if not (isinstance(node_before, Sequence) and isinstance(node_after, Sequence)):
        return _same(node_before, node_after, {})
    schemas = [entry_schema(section, value) for value in node_before.value]
    return len(node_before.items) == len(node_after.items) and all(
        map(_same, node_before.items, node_after.items, schemas)
    )


def _same(node_before: Node, node_after: Node, schema: Schema) -> bool:
    """Whether two values are the same but for the form of effects and the order of keys of the schema."""
    if isinstance(node_before, Scalar) and isinstance(node_after, Scalar):
        return _is_same_scalar(node_before, node_after, is_effect(node_before, schema))
    if isinstance(node_before, Mapping) and isinstance(node_after, Mapping):
        # keys that are names of the designer have no canonical order
        has_free_keys = not schema.get("properties")
        keys_before, keys_after = list(node_before.nodes), list(node_after.nodes)
        if set(keys_before) != set(keys_after) or (has_free_keys and keys_before != keys_after):
            return False
        return all(
            _same(node, node_after.nodes[key], schema_below(schema, key))
            for key, node in node_before.nodes.items()
        )
    if isinstance(node_before, Sequence) and isinstance(node_after, Sequence):
        item_schema = schema_below(schema, 0)
        return len(node_before.items) == len(node_after.items) and all(
            _same(item_before, item_after, item_schema)
            for item_before, item_after in zip(node_before.items, node_after.items, strict=True)
        )
    return False


def _is_same_scalar(scalar_before: Scalar, scalar_after: Scalar, holds_effect: bool) -> bool:
    """Whether two scalars hold the same value, or equal effects; a block is never the same as a line."""
    is_block_in_one = {scalar_before.style, scalar_after.style} & {"|", ">"}
    if scalar_before.style != scalar_after.style and is_block_in_one:
        return False
    has_same_text = scalar_before.text == scalar_after.text
    if not holds_effect:
        return has_same_text and scalar_before.value == scalar_after.value
    effect_before, _ = parse_effect(scalar_before.text, scalar_before.style == "|")
    effect_after, _ = parse_effect(scalar_after.text, scalar_after.style == "|")
    return has_same_text if effect_before is None else effect_before == effect_after


def comments(tree: Tree) -> Iterator[str]:
    """Yield every comment of a file: what begins with ``#`` outside of its values, and in ``|`` effects."""
    text = tree.file.text
    offset = 0
    for scalar in sorted(every_scalar(tree.root), key=lambda scalar: scalar.start):
        yield from _between(text, offset, scalar.start)
        offset = scalar.end
        if scalar.style in ("|", ">"):
            header = re.compile(r"[^\r\n]*").match(text, scalar.start)
            assert header is not None
            yield from _between(text, scalar.start, header.end())
            yield from comments_of(scalar)
    yield from _between(text, offset, len(text))


def _between(text: str, start: int, end: int) -> Iterator[str]:
    return (match[0].rstrip() for match in _COMMENT.finditer(text, start, end))


class FormattedFiles(PublicValue, Struct, frozen=True):
    """The result of formatting: the changes, the files that are skipped, and how many need no change."""

    changes: tuple[Change, ...]
    skipped: tuple[Refused, ...]
    unchanged: int


def format_below(targets: Iterable[tuple[Path, Path | None]]) -> FormattedFiles:
    """Format what lies below paths, in memory: pairs of a project's folder and a path, or None for all."""
    files: dict[Path, SourceFile | ReadProblem] = {}
    for project, target in targets:
        for path, file in read_folder(project).files.items():
            if is_below(path, target or project):
                files.setdefault(path, file)
    changes: list[Change] = []
    skipped: list[Refused] = []
    for file in files.values():
        if isinstance(file, ReadProblem):
            skipped.append(Refused("It cannot be read.", file.span, (problem_finding(file),)))
            continue
        result = format_file(file)
        if isinstance(result, Refused):
            skipped.append(result)
        elif result.text != file.text:
            changes.append(Change(file, result.text))
    return FormattedFiles(tuple(changes), tuple(skipped), len(files) - len(changes) - len(skipped))
