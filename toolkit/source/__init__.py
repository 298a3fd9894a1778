"""Source files and exact places in them: what carets, fixes and hover stand on."""

from toolkit.source.files import Position, SourceFile, Span

__all__ = ["Position", "SourceFile", "Span"]
