"""What is found about the print of cards without printing them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.diagnostics import Diagnostic
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.missing_glyphs import missing_glyphs
from toolkit.render.renderer import Renderer
from toolkit.render.unprinted import unprinted_parts
from toolkit.render.unused import unused_templates


def print_warnings(faces: Sequence[Face], roots: Roots, renderer: Renderer) -> Iterator[Diagnostic]:
    """Templates and parts of them that nothing uses, CSS that is not printed, characters without a shape."""
    if roots.overrides.is_dir():
        from toolkit.render.css import ignored_css

        yield from unused_templates(roots)
        yield from unprinted_parts(roots)
        yield from ignored_css(roots)
    yield from missing_glyphs(faces, roots, renderer)
