"""missing-glyph, substitute-font: characters on cards that the shipped fonts do not have."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

import pikepdf
from markupsafe import escape

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.render.face import Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.findings import read_source
from toolkit.render.font_files import characters_of
from toolkit.render.renderer import EngineError, Renderer
from toolkit.render.sizes import Size
from toolkit.source import Span
from toolkit.wording.text import plain

_FONTS = {".ttf", ".otf", ".ttc", ".woff", ".woff2"}
_FAMILY = re.compile(r"font(?:-family)?\s*:([^;}]*)", re.IGNORECASE)
_SHIPPED_FAMILY = "Barlow"

_INVISIBLE = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
"""Unicode categories that need no glyph: spaces and control characters, which engines handle themselves."""

_MAX_NAMED = 5
"""The number of characters that a message lists."""


def missing_glyphs(
    faces: Sequence[Face], roots: Roots, renderer: Renderer | None = None
) -> Iterator[Diagnostic]:
    """Yield a finding for each text with such characters; none if the project has its own fonts.

    ``renderer`` is used to find out the system fonts that replace them; without it none is known.
    """
    known = frozenset[int]() if _has_own_fonts(roots) else _supported(roots)
    texts = [(face, *item) for face in faces if face.quantity for item in _texts(face)]
    signs = sorted({sign for _, _, text in texts for sign in text if known and not _is_drawn(sign, known)})
    instead = _substitutes(signs, roots, renderer) if signs and renderer else {}
    found: dict[tuple[Path, int, str], Diagnostic] = {}
    for face, region, text in texts:
        by_font: dict[str | None, list[str]] = {}
        for sign in dict.fromkeys(text):
            if sign in signs:
                by_font.setdefault(instead.get(sign), []).append(sign)
        for font, missing in by_font.items():
            finding = _finding(face, region, missing, font)
            found.setdefault((finding.span.file.path, finding.span.start, finding.message), finding)
    yield from found.values()


def _substitutes(signs: Sequence[str], roots: Roots, renderer: Renderer) -> dict[str, str]:
    """Return the system font, by its name in a PDF, with which the engine draws each character.

    Characters that no font has are left out: for them the engine draws the empty box of the first font.
    """
    # One page for each character: the fonts of a page are then those of the character.
    pages = "".join(f'<p style="margin:0; page-break-after:always">{escape(sign)}</p>' for sign in signs)
    html = '<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="base.css"></head>'
    try:
        made = renderer.render_pages(f"{html}<body>{pages}</body></html>", Size(60, 60), Fetcher(roots))
    except EngineError:
        return {}
    found = {}
    with pikepdf.open(io.BytesIO(made)) as document:
        for sign, page in zip(signs, document.pages, strict=False):
            for font in page.obj.get("/Resources", {}).get("/Font", {}).values():
                name = str(font.get("/BaseFont", "")).lstrip("/").split("+")[-1]
                if not name.startswith(_SHIPPED_FAMILY):
                    found[sign] = name
    return found


def _supported(roots: Roots) -> frozenset[int]:
    """Return the characters that all shipped fonts have, or all fonts of the project that replace them."""
    fonts = [characters_of(font) for font in sorted((roots.templates / "fonts").glob("*.ttf"))]
    shipped = frozenset.intersection(*fonts) if fonts else frozenset()
    own = dict(roots.fonts)
    if not {"display", "text"} <= own.keys():
        return shipped
    return shipped | frozenset.intersection(*(characters_of(roots.project / font) for font in own.values()))


def _texts(face: Face) -> Iterator[tuple[str, str]]:
    """Yield the texts of a card with their regions, as they are drawn."""
    rules = "\n".join(f"{skill.name or ''} {plain(skill.paragraphs)}" for skill in face.skills)
    team = " ".join((face.team_name or "", *face.traits))
    for region, text in (("name", face.name), ("rules", rules), ("flavour", face.flavour), ("team", team)):
        yield region, unicodedata.normalize("NFC", text or "")


def _is_drawn(sign: str, known: frozenset[int]) -> bool:
    """Whether a character can be drawn; variation selectors have no shape."""
    code = ord(sign)
    return code in known or unicodedata.category(sign) in _INVISIBLE or 0xFE00 <= code <= 0xFE0F


def _finding(face: Face, region: str, missing: list[str], font: str | None) -> Diagnostic:
    """Return the finding for characters that no font has, or that the system font ``font`` replaces."""
    named = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in missing[:_MAX_NAMED])
    more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
    where = f"{named}{more} on {shown(face.name)} ({face.lang})"
    if font is None:
        name, message = "missing-glyph", f"No font has {where}: a box is printed instead."
        step = "Write it with other characters, or use a font that has them in your own style sheet."
    else:
        name = "substitute-font"
        message = (
            f"The shipped fonts do not have {where}: the font {font} of this computer is used, "
            "and another computer may print another letter or none."
        )
        step = "Put a font that has them into the project's templates, and name it in a style sheet there."
    return Diagnostic(name, message, _place(face, region, missing[0]), step, card=face.id)


def _place(face: Face, region: str, sign: str) -> Span:
    """Return the span of the character if the file contains it as printed, else that of the whole text."""
    span = face.span(region)
    offset = span.text.find(sign)
    return span.file.span(span.start + offset, span.start + offset + 1) if offset >= 0 else span


def _has_own_fonts(roots: Roots) -> bool:
    """Whether the project's templates contain a font, or refer to another font family."""
    files = roots.files(roots.overrides)
    if any(path.suffix.lower() in _FONTS for path in files):
        return True
    sheets = [read_source(path).text for path in files if path.suffix in (".css", ".jinja")]
    return any(_SHIPPED_FAMILY not in family for text in sheets for family in _FAMILY.findall(text))
