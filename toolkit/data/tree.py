"""From a source file to its tree: a file in the usual form is read by ourselves, others by a YAML parser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct, field

from toolkit.data.nodes import Node
from toolkit.data.usual_lines import usual_root
from toolkit.diagnostics import Diagnostic
from toolkit.source import SourceFile

DEEPEST = 50
"""How deep lists and mappings may be nested; a card needs five levels."""
MOST_NODES = 250_000
"""How many values one file may hold."""


class EventParser(Protocol):
    """What is needed of a YAML parser."""

    def get_event(self) -> Any:
        """The next event, or None behind the last one."""


class Tree(Struct):
    """What was read of a file: its root (None if there is nothing), and findings.

    ``cut`` is the offset from which on the file could not be read, if there is one; what lies before it is in
    the tree as far as it was complete.
    """

    file: SourceFile
    root: Node | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    cut: int | None = None


def parse_tree(file: SourceFile, parser: Callable[[str], EventParser] | None = None) -> Tree:
    """Read the tree of a file. Never raises; what is wrong is in ``findings``.

    With a ``parser`` all of it is read by that one.
    """
    root = usual_root(file) if parser is None else None
    if root is not None:
        return Tree(file, root)
    from toolkit.data.tree_building import build_tree

    return build_tree(file, parser or default_parser())


def default_parser() -> Callable[[str], EventParser]:
    """libyaml's parser, or PyYAML's own where libyaml is missing."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        return plain_parser
    return CParser


def plain_parser(text: str) -> EventParser:
    """PyYAML's parser written in Python."""
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class PlainParser(Reader, Scanner, Parser):
        def __init__(self, stream: str) -> None:
            Reader.__init__(self, stream)
            Scanner.__init__(self)
            Parser.__init__(self)

    found: EventParser = PlainParser(text)
    return found
