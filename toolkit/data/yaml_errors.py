"""Syntax errors of YAML in a designer's words."""

from __future__ import annotations

import yaml

from toolkit.diagnostics import Diagnostic
from toolkit.source import SourceFile


def syntax_finding(file: SourceFile, error: yaml.YAMLError | None, offset: int = 0) -> Diagnostic:
    """The one finding that a syntax error becomes, at the exact place; ``offset`` if there is none."""
    mark = getattr(error, "problem_mark", None)
    start = min(mark.index if mark else offset, len(file.text))
    return Diagnostic(
        "yaml-syntax",
        "The file cannot be read from here on.",
        file.span(start, min(start + 1, len(file.text))),
    )
