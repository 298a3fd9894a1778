"""Forms of YAML that hand-written card files seldom have, as edits to the usual form that means the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.nodes import Sequence as Listing
from toolkit.data.yaml.yaml_tree import Tree
from toolkit.source.edits import Edit
from toolkit.source.files import line_start
from toolkit.source.yaml_scalars import quoted

_EXPLICIT_KEY = re.compile(r"\?[ \t]+")
_DOCUMENT_END = re.compile(r"(?m)^\.\.\.[ \t]*(?=#|\r?$)")


def usual_forms(tree: Tree) -> list[Edit]:
    """Return the edits of a file without findings to forms that every parser of YAML reads.

    They remove ``...`` at its end and ``?`` before keys, and quote texts with ``?`` in brackets.
    """
    text = tree.file.text
    if tree.root is None:
        return []
    edits = [Edit(*end.span(), "") for end in _DOCUMENT_END.finditer(text, tree.root.end)]
    if _EXPLICIT_KEY.search(text):
        edits += _keys(tree.root)
    if "?" in text:
        edits += _quotes(tree.root, in_flow=False)
    return edits


def _quotes(node: Node, *, in_flow: bool) -> Iterator[Edit]:
    """Yield the edits that quote texts with ``?`` in brackets, where PyYAML's own parser does not read it."""
    if isinstance(node, Scalar):
        if in_flow and not node.style and "?" in node.text:
            yield Edit(node.start, node.end, quoted(node.file.text[node.start : node.end]))
    elif isinstance(node, Mapping):
        for name, value in node.nodes.items():
            yield from _quotes(node.keys[name], in_flow=in_flow or node.in_braces)
            yield from _quotes(value, in_flow=in_flow or node.in_braces)
    else:
        for item in node.items:
            yield from _quotes(item, in_flow=in_flow or node.in_brackets)


def _keys(node: Node) -> Iterator[Edit]:
    """Yield the edits for all keys in a node and below it."""
    if isinstance(node, Mapping):
        for name, key in node.keys.items():
            yield from _key(key, node.nodes[name])
            yield from _keys(node.nodes[name])
    elif isinstance(node, Listing):
        for item in node.items:
            yield from _keys(item)


def _key(key: Scalar, value: Node) -> Iterator[Edit]:
    """Yield the edits of one key: ``? name``, and ``: value`` on the next line, become ``name: value``."""
    text = key.file.text
    begin = text.rfind("?", line_start(text, key.start), key.start)
    if begin < 0 or not _EXPLICIT_KEY.fullmatch(text, begin, key.start) or key.style in ("|", ">"):
        return
    gap = re.compile(r"\s*(?P<colon>:?)").match(text, key.end)
    assert gap is not None
    next_char = text[gap.end() : gap.end() + 1]
    if not gap["colon"] and next_char == "#":
        return  # a comment between key and value has no place in the usual form
    yield Edit(begin, key.start, "")
    if not gap["colon"]:  # the key has no value
        in_flow = next_char in (",", "}")
        yield Edit(key.end, key.end, "" if in_flow else ":")
        return
    yield Edit(key.end, gap.start("colon"), "")
    line = line_start(text, value.start)
    is_block = not isinstance(value, Scalar) and text[value.start] not in "[{"
    if is_block and line_start(text, gap.end()) == line:  # `: - item`: a block begins on a line of its own
        start = _first_sign(text, gap.end(), value.start)
        yield Edit(gap.end(), start, "\n" + " " * (start - line))


def _first_sign(text: str, begin: int, end: int) -> int:
    """Return where the blanks from ``begin`` on end: at a dash before a value, or at the value (``end``)."""
    blanks = re.compile(r"[ \t]*").match(text, begin, end)
    return blanks.end() if blanks else end
