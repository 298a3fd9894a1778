"""Whether a formatted file means what it meant, and has all its comments still."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schema import schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.data.tree import Tree
from toolkit.dsl.parsing import parse_effect
from toolkit.project.formatting.ordering import entry_schema, is_effect, schema_below
from toolkit.project.formatting.sentences import comments_of

_COMMENT = re.compile(r"#[^\r\n]*")


def means_the_same(before: Tree, after: Tree) -> bool:
    """Whether two trees hold the same values, equal effects, and the same comments."""
    if after.findings or before.root is None or after.root is None:
        return False
    return _same(before.root, after.root, {}, 0) and Counter(comments(before)) == Counter(comments(after))


def _same(before: Node, after: Node, schema: Schema, depth: int, section: str = "") -> bool:
    if isinstance(before, Scalar) and isinstance(after, Scalar):
        if before.style != after.style:
            return False
        if is_effect(before, schema):
            trees = [parse_effect(one.text, one.style == "|")[0] for one in (before, after)]
            return before.text == after.text if trees[0] is None else trees[0] == trees[1]
        return before.value == after.value and before.text == after.text
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        if depth == 0 and "project" in before.keys:
            schema = schema_for("project")
        table = not schema.get("properties")
        if before.nodes.keys() != after.nodes.keys() or (table and [*before.nodes] != [*after.nodes]):
            return False
        return all(
            _same(
                node, after.nodes[key], schema_below(schema, key), depth + 1, key if depth == 0 else section
            )
            for key, node in before.nodes.items()
        )
    if isinstance(before, Sequence) and isinstance(after, Sequence):
        schemas = [
            entry_schema(section, value) if depth == 1 and not schema else schema_below(schema, None)
            for value in before.value
        ]
        return len(before.items) == len(after.items) and all(
            _same(one, other, inner, depth + 1, section)
            for one, other, inner in zip(before.items, after.items, schemas, strict=True)
        )
    return False


def comments(tree: Tree) -> Iterator[str]:
    """Every comment of a file: what begins with ``#`` outside of its values, and in ``|`` effects."""
    text = tree.file.text
    at = 0
    for scalar in sorted(_scalars(tree.root), key=lambda one: one.start) if tree.root else ():
        yield from _between(text, at, scalar.start)
        at = scalar.end
        if scalar.style in ("|", ">"):
            header = re.compile(r"[^\r\n]*").match(text, scalar.start)
            assert header is not None
            yield from _between(text, scalar.start, header.end())
            yield from comments_of(scalar)
    yield from _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> Iterator[str]:
    return (found[0].rstrip() for found in _COMMENT.finditer(text, start, end))


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.nodes.items():
            yield node.keys[key]
            yield from _scalars(value)
    else:
        for item in node.items:
            yield from _scalars(item)
