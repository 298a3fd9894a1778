"""The formatter: a file is read, taken into pieces, put in order, printed, and read again."""

from __future__ import annotations

import re

from msgspec import Struct

from toolkit.data.nodes import Mapping
from toolkit.data.tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.project.formatting.cursor import UnfamiliarError
from toolkit.project.formatting.ordering import put_in_order
from toolkit.project.formatting.printing import print_pieces
from toolkit.project.formatting.proving import means_the_same
from toolkit.project.formatting.reading import read_pieces
from toolkit.source import SourceFile, Span
from toolkit.source.reading import text_problem

_BREAK = re.compile(r"\r\n|\r|\n")


class Formatted(Struct, frozen=True):
    """The text of a file as it ought to be; the same text if it is so already."""

    text: str


class Refused(Struct, frozen=True):
    """A file that is left as it is: why, in a sentence, and where; ``findings`` if it has mistakes."""

    reason: str
    place: Span
    findings: tuple[Diagnostic, ...] = ()


def format_file(file: SourceFile) -> Formatted | Refused:
    """A card file or project file in its canonical form. Never raises for what the file holds.

    Values, effects and comments are the same afterwards: the result was read again and compared. Line ends
    become those of the first line; the last line has one.
    """
    tree = parse_tree(file)
    if tree.findings or text_problem(file):
        first = tree.findings[0].span if tree.findings else file.span(0, 0)
        return Refused("It cannot be read; fix its errors first.", first, tuple(tree.findings))
    if tree.root is None:
        return Formatted(file.text)
    try:
        text = _printed(tree)
    except UnfamiliarError as unfamiliar:
        place = file.span(unfamiliar.offset, min(unfamiliar.offset + 1, len(file.text)))
        return Refused("It uses a form that the formatter does not support here.", place)
    except ValueError:
        return Refused("One of its texts cannot be located exactly.", file.span(0, 0))
    text = _with_line_ends(text, file.text)
    if means_the_same(tree, parse_tree(SourceFile(file.path, file.name, text))):
        return Formatted(text)
    return Refused("The result would not mean the same; this is a bug in opforge.", file.span(0, 0))


def _printed(tree: Tree) -> str:
    """The way of a file: its pieces, in order, printed."""
    pieces = read_pieces(tree)
    assert isinstance(tree.root, Mapping), "read_pieces takes nothing else"
    put_in_order(pieces, tree.root)
    return print_pieces(pieces)


def _with_line_ends(text: str, before: str) -> str:
    """The text with the line ends that the file has in its first line."""
    first = _BREAK.search(before)
    return text.replace("\n", first[0]) if first and first[0] != "\n" else text
