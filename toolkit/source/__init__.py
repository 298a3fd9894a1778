"""Source files and exact positions in them, from which carets, fixes and hovers are made."""

from toolkit.source.edits import Edit, rewritten
from toolkit.source.files import Anchor, Position, SourceFile, Span
from toolkit.source.reading import ReadProblem, read_file, shown_name
from toolkit.source.scalars import ScalarText, scalar_offsets

__all__ = [
    "Anchor",
    "Edit",
    "Position",
    "ReadProblem",
    "ScalarText",
    "SourceFile",
    "Span",
    "read_file",
    "rewritten",
    "scalar_offsets",
    "shown_name",
]
