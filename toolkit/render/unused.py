"""unused-template: a file in the project's templates that overrides nothing, often a misspelt name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from toolkit.diagnostics import Diagnostic
from toolkit.render.fetch import THEMES, Roots
from toolkit.render.places import line_span, read_source
from toolkit.vocabulary.nearest import nearest


def unused_templates(roots: Roots) -> Iterator[Diagnostic]:
    """Templates of the project that have no shipped name and that no other one of the project names."""
    own = _templates_in(roots, roots.overrides)
    shipped = {_within_theme(name) for name in _templates_in(roots, roots.templates)}
    texts = {name: read_source(path).text for name, path in own.items()}
    for name, path in own.items():
        mention = re.compile(rf"(?<![\w.-]){re.escape(_within_theme(name))}(?![\w-])")
        mentioned = any(mention.search(text) for other, text in texts.items() if other != name)
        if _within_theme(name) not in shipped and not mentioned:
            near = _meant(name, sorted(shipped))
            hint = f" Did you mean {near}?" if near else ""
            yield Diagnostic(
                "unused-template",
                f"The template {name} is not used: no shipped template has that name.{hint}",
                line_span(path, 1),
                f"Rename it to {near}." if near else "Include it in another template, or delete it.",
            )


def _templates_in(roots: Roots, folder: Path) -> dict[str, Path]:
    """Templates by the name that other templates call them."""
    files = (path for path in roots.files(folder) if path.suffix == ".jinja")
    return {path.relative_to(folder).as_posix(): path for path in files}


def _within_theme(name: str) -> str:
    """What a template of a theme is called by other templates of the theme."""
    parts = name.split("/", 2)
    return parts[2] if parts[0] == THEMES and len(parts) == 3 else name


def _meant(name: str, shipped: list[str]) -> str | None:
    """The shipped name that was probably meant: a slip in the word itself, or another ending or folder."""
    by_word = {template.partition(".")[0]: template for template in shipped}
    word = nearest(name.rpartition("/")[2].partition(".")[0], by_word)
    return by_word[word] if word else nearest(name, shipped)
