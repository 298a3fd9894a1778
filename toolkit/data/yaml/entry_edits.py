"""Edits of an entry in its file that change, insert or remove one value, and nothing else.

Comments, order and styles stay. A function returns None if no such edit is certain. Callers must read the
edited file again, and compare every value with what it was meant to be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Lookup
from collections.abc import Sequence

from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.nodes import Sequence as ListNode
from toolkit.source.edits import Edit, removal
from toolkit.source.yaml_scalars import escaped_for, format_block, format_scalar

_WIDTH = 100


def format_words(words: Sequence[str]) -> str:
    """Return words as a list in brackets."""
    return f"[{', '.join(format_scalar(word, in_flow=True) for word in words)}]"


def format_texts(texts: Lookup[str, str]) -> str:
    """Return a text by language in braces."""
    return "{" + ", ".join(f"{key}: {format_scalar(text, in_flow=True)}" for key, text in texts.items()) + "}"


def change_scalar(scalar: Scalar, text: str, *, number: bool, in_flow: bool) -> Edit | None:
    """Return the edit that gives a scalar another text, in the same style if that can hold it."""
    if scalar.style in ("|", ">"):
        header = scalar.file.text[scalar.start : scalar.end].partition("\n")[0]
        # a comment or an indentation indicator in the header would be lost
        if "#" in header or re.search(r"[0-9]", header):
            return None
        return Edit(scalar.start, scalar.end, format_block(text, _block_indent(scalar)))
    if "\n" in text and not in_flow:
        return Edit(scalar.start, scalar.end, format_block(text, _block_indent(scalar)))
    if scalar.style in ("'", '"') and "\n" not in text and text.isprintable() and not number:
        return Edit(
            scalar.start, scalar.end, f"{scalar.style}{escaped_for(text, scalar.style)}{scalar.style}"
        )
    return Edit(scalar.start, scalar.end, format_scalar(text, number=number, in_flow=in_flow))


def _block_indent(scalar: Scalar) -> int:
    """Return the indent for the lines of a block scalar: the present one, or two more than its key has."""
    source = scalar.file.text
    key_line = source[source.rfind("\n", 0, scalar.start) + 1 :]
    key_indent = len(key_line) - len(key_line.lstrip(" -"))
    _header, *block_lines = source[scalar.start : scalar.end].split("\n")
    if scalar.style not in ("|", ">"):
        block_lines = []
    indents = (len(line) - len(line.lstrip(" ")) for line in block_lines if line.strip())
    return min(indents, default=key_indent + 2)


def change_words(parent: Mapping, key: str, words: Sequence[str]) -> Edit | None:
    """Return the edit that gives a key other words; None if a comment is among the old ones."""
    node = parent.nodes[key]
    in_brackets = isinstance(node, ListNode) and node.in_brackets
    begin = node.start if in_brackets else parent.keys[key].end + 1
    old_text = node.file.text[begin : node.end]
    if "#" in old_text:
        return None
    return Edit(begin, node.end, format_words(words) if in_brackets else f" {format_words(words)}")


def remove_key(parent: Mapping, key: str) -> Edit | None:
    """Return the edit that removes a key with its value."""
    node, key_node = parent.nodes[key], parent.keys[key]
    removed = removal(key_node.span.at_offsets(key_node.start, node.end))
    return Edit(removed.start, removed.end, "") if removed is not None else None


def is_block_item(node: Node) -> bool:
    """Whether a node is an item of a block list: only its dash is before it in its line."""
    text = node.file.text
    return re.fullmatch(r" *- +", text[text.rfind("\n", 0, node.start) + 1 : node.start]) is not None


def remove_item(node: Node) -> Edit | None:
    """Return the edit that removes an item of a block list, from its dash to its last line."""
    if not is_block_item(node):
        return None
    text = node.file.text
    end = text.find("\n", _last_line_of(node))
    return Edit(text.rfind("\n", 0, node.start) + 1, len(text) if end < 0 else end + 1, "")


def insert_key(parent: Mapping, order: Sequence[str], key: str, value_text: str) -> Edit:
    """Return the edit that inserts a key with its value behind the keys that precede it in ``order``.

    Without such keys it comes behind the first one. ``value_text`` is the value as YAML; further lines have
    their indent already.
    """
    earlier_keys = [name for name in order[: order.index(key)] if name in parent.nodes]
    name = earlier_keys[-1] if earlier_keys else next(iter(parent.nodes))
    node, text = parent.nodes[name], parent.file.text
    if parent.in_braces:
        return Edit(node.end, node.end, f", {key}: {value_text}")
    line_end = text.find("\n", _last_line_of(node, parent.keys[name].end))
    line_end = len(text) if line_end < 0 else line_end
    return Edit(line_end, line_end, f"\n{column_of(parent) * ' '}{key}: {value_text}")


def _last_line_of(node: Node, least: int = 0) -> int:
    """Return an offset in the last line of a node, or ``least`` if that is later.

    Block scalars end behind the line end.
    """
    ends_behind_line = node.file.text[node.end - 1 : node.end] == "\n"
    return max(node.end - 1 if ends_behind_line else node.end, least)


def column_of(parent: Mapping) -> int:
    """Return the column of the keys of a block mapping, from 0."""
    first_key = next(iter(parent.keys.values()))
    return first_key.span.begin_position.column - 1


def format_entry(entry: Lookup[str, object], indent: int) -> str:
    """Return the lines of a new item of a list, with its dash at a column."""
    key_indent = indent + len("- ")
    lines = []
    for key, value in entry.items():
        if isinstance(value, str) and "\n" in value:
            lines.append(f"{key}: {format_block(value, key_indent + 2)}")
        elif isinstance(value, dict):
            lines.append(_format_texts_entry(key, value, indent))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            items = [format_entry(item, key_indent + 2) for item in value]
            lines.append("\n".join([f"{key}:", *items]))
        elif isinstance(value, list):
            lines.append(f"{key}: {format_words(value)}")
        else:
            lines.append(f"{key}: {value if isinstance(value, int) else format_scalar(str(value))}")
    body = f"\n{' ' * key_indent}".join(lines)
    return f"{' ' * indent}- {body}"


def _format_texts_entry(key: str, value: Lookup[str, str], indent: int) -> str:
    """Return a text by language on one line, or with a line for each language if that would be too long.

    ``indent`` is that of the item's dash; its keys are 2 columns behind it, their languages 4.
    """
    language_indent = indent + 4
    on_one_line = f"{key}: {format_texts(value)}"
    if len(on_one_line) + indent <= _WIDTH and not any("\n" in text for text in value.values()):
        return on_one_line
    lines = [f"{key}:"]
    for language, text in value.items():
        text_yaml = format_block(text, language_indent + 2) if "\n" in text else format_scalar(text)
        lines.append(f"{' ' * language_indent}{language}: {text_yaml}")
    return "\n".join(lines)


def insert_behind(node: Node, lines: str) -> Edit:
    """Return the edit that inserts lines behind the last line of an item of a block list."""
    text = node.file.text
    line_end = text.find("\n", _last_line_of(node))
    return (
        Edit(len(text), len(text), f"\n{lines}\n") if line_end < 0 else Edit(line_end, line_end, f"\n{lines}")
    )
