"""Edits of an entry in its file: one value changed, added or taken away, and nothing else touched.

Comments, order and styles stay. None where no such edit is certain; whoever uses these edits reads the file
again and looks whether every value is what it was to be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Lookup
from collections.abc import Sequence

from toolkit.data.nodes import Mapping, Node, Scalar, resolve_plain
from toolkit.data.nodes import Sequence as ListNode
from toolkit.source.edits import Edit, in_style, quoted, removal

_NOT_PLAIN = re.compile(r": |:$| #|^[-?:] |^[,\[\]{}#&*!|>'\"%@`]|^\s|\s$|[\r\n\t]|^---|^\.\.\.|^$")
_FLOW_SIGN = re.compile(r"[,\[\]{}]")
_WIDTH = 100


def format_scalar(text: str, *, number: bool = False, in_flow: bool = False) -> str:
    """Return a text as a scalar on one line, in quotes where it must be."""
    if number:
        return text
    plain = not _NOT_PLAIN.search(text) and isinstance(resolve_plain(text), str)
    if plain and text.isprintable() and not (in_flow and _FLOW_SIGN.search(text)):
        return text
    return quoted(text).replace("\n", "\\n").replace("\t", "\\t").replace("\r", "")


def format_words(found: Sequence[str]) -> str:
    """Return words as a list in brackets."""
    return f"[{', '.join(format_scalar(word, in_flow=True) for word in found)}]"


def format_texts(found: Lookup[str, str]) -> str:
    """Return a text by language in braces."""
    return "{" + ", ".join(f"{key}: {format_scalar(text, in_flow=True)}" for key, text in found.items()) + "}"


def format_block(text: str, indent: int) -> str:
    """Return a text as a block scalar whose lines have that indent."""
    lines = "\n".join(" " * indent + line if line.strip() else "" for line in text.split("\n"))
    return f"|\n{lines}"


def change_scalar(scalar: Scalar, text: str, *, number: bool, in_flow: bool) -> Edit | None:
    """Return the edit after which a scalar has another text; its style stays where it can hold the text."""
    source = scalar.file.text
    if scalar.style in ("|", ">"):
        header, indent = source[scalar.start : source.index("\n", scalar.start)], _indent_of(scalar)
        if "#" in header or re.search(r"[0-9]", header):
            return None
        return Edit(scalar.start, scalar.end, format_block(text, indent))
    if "\n" in text and not in_flow:
        line = source.rfind("\n", 0, scalar.start) + 1
        indent = len(source[line:]) - len(source[line:].lstrip(" -")) + 2
        return Edit(scalar.start, scalar.end, format_block(text, indent))
    if scalar.style in ("'", '"') and "\n" not in text and text.isprintable() and not number:
        return Edit(scalar.start, scalar.end, f"{scalar.style}{in_style(text, scalar.style)}{scalar.style}")
    return Edit(scalar.start, scalar.end, format_scalar(text, number=number, in_flow=in_flow))


def _indent_of(scalar: Scalar) -> int:
    """Return the indent of the lines of a block scalar."""
    lines = scalar.file.text[scalar.start : scalar.end].split("\n")[1:]
    return min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=2)


def change_words(parent: Mapping, key: str, found: Sequence[str]) -> Edit | None:
    """Return the edit after which a key has these words; None where a comment stands among them."""
    node = parent.nodes[key]
    in_brackets = isinstance(node, ListNode) and node.in_brackets
    begin = node.start if in_brackets else parent.keys[key].end + 1
    old = node.file.text[begin : node.end]
    if "#" in old:
        return None
    return Edit(begin, node.end, format_words(found) if in_brackets else f" {format_words(found)}")


def remove_key(parent: Mapping, key: str) -> Edit | None:
    """Return the edit that takes a key away with its value."""
    node, name = parent.nodes[key], parent.keys[key]
    whole = removal(name.span.beside(name.start, node.end))
    return Edit(whole.start, whole.end, "") if whole is not None else None


def remove_item(node: Node) -> Edit | None:
    """Return the edit that takes an item of a block list away, from its dash to its last line."""
    text = node.file.text
    begin = text.rfind("\n", 0, node.start) + 1
    end = text.find("\n", _last_line_of(node))
    dash = text[begin : node.start]
    return Edit(begin, len(text) if end < 0 else end + 1, "") if re.fullmatch(r" *- +", dash) else None


def insert_key(parent: Mapping, order: Sequence[str], key: str, written: str) -> Edit:
    """Return the edit that writes a key and its value behind the keys that stand before it in ``order``.

    ``written`` is the value as it stands behind the colon; further lines have their indent already.
    """
    before = [name for name in order[: order.index(key)] if name in parent.nodes]
    name = before[-1] if before else next(iter(parent.nodes))
    node, text = parent.nodes[name], parent.file.text
    if parent.in_braces:
        return Edit(node.end, node.end, f", {key}: {written}")
    at = text.find("\n", _last_line_of(node, parent.keys[name].end))
    at = len(text) if at < 0 else at
    return Edit(at, at, f"\n{column_of(parent) * ' '}{key}: {written}")


def _last_line_of(node: Node, least: int = 0) -> int:
    """Return an offset in the last line of a node, which may end with the break of that line."""
    ends_with_break = node.file.text[node.end - 1 : node.end] == "\n"
    return max(node.end - ends_with_break, least)


def column_of(parent: Mapping) -> int:
    """Return the column of the keys of a mapping in a block, counted from 0."""
    first = next(iter(parent.keys.values()))
    return first.span.begin_position.column - 1


def format_entry(entry: Lookup[str, object], indent: int) -> str:
    """Return the lines of a new entry of a list, the dash first."""
    lines = []
    for key, value in entry.items():
        if isinstance(value, str) and "\n" in value:
            lines.append(f"{key}: {format_block(value, indent + 4)}")
        elif isinstance(value, dict):
            lines.append(_format_texts_entry(key, value, indent))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            items = [format_entry(item, indent + 4) for item in value]
            lines.append("\n".join([f"{key}:", *items]))
        elif isinstance(value, list):
            lines.append(f"{key}: {format_words(value)}")
        else:
            lines.append(f"{key}: {value if isinstance(value, int) else format_scalar(str(value))}")
    body = f"\n{' ' * (indent + 2)}".join(lines)
    return f"{' ' * indent}- {body}"


def _format_texts_entry(key: str, value: Lookup[str, str], indent: int) -> str:
    """Return a text by language on one line, or on a line each where that would be long."""
    one = f"{key}: {format_texts(value)}"
    if len(one) + indent <= _WIDTH and not any("\n" in text for text in value.values()):
        return one
    lines = [f"{key}:"]
    for language, text in value.items():
        written = format_block(text, indent + 6) if "\n" in text else format_scalar(text)
        lines.append(f"{' ' * (indent + 4)}{language}: {written}")
    return "\n".join(lines)


def insert_behind(node: Node, lines: str) -> Edit:
    """Return the edit that writes lines behind the last line of an item of a block list."""
    text = node.file.text
    at = text.find("\n", _last_line_of(node))
    return Edit(len(text), len(text), f"\n{lines}\n") if at < 0 else Edit(at, at, f"\n{lines}")
