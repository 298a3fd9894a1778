"""What can be said of the part of a file that cannot be read as YAML."""

from __future__ import annotations

import re
from collections.abc import Collection

_LINE = re.compile(r"\n(?:([A-Za-z_]+):|( *)-[ \t]+)")


def unread_entries(text: str, cut: int, sections: Collection[str]) -> int:
    """How many entries of some sections begin behind ``cut``, as far as indentation tells.

    An entry begins with a dash that stands no deeper than the first dash of its section.
    """
    section, depth, number = "", -1, 0
    for found in _LINE.finditer(f"\n{text}"):
        if found[1]:
            section, depth = found[1], -1
            continue
        indent = len(found[2])
        depth = indent if depth < 0 else depth
        if section in sections and indent <= depth and found.end() > cut:
            number += 1
    return number
