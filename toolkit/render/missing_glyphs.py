"""missing-glyph: characters on the printed cards that the shipped fonts cannot draw."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.glyphs import characters_of
from toolkit.render.places import read_source
from toolkit.source import SourceFile, Span
from toolkit.wording.text import plain

_FONTS = {".ttf", ".otf", ".ttc", ".woff", ".woff2"}
_FAMILY = re.compile(r"font(?:-family)?\s*:([^;}]*)", re.IGNORECASE)
_SHIPPED_FAMILY = "Barlow"

_UNSEEN = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
"""Categories that need no glyph: spaces and what steers the text. Engines know them without the font."""

_SOFT_HYPHEN = "\u00ad"

_ENOUGH = 5
"""So many characters of a text are named."""


def missing_glyphs(faces: Iterable[Face], roots: Roots) -> Iterator[Diagnostic]:
    """Each text once that has such characters; only soft hyphens for a project that has type of its own."""
    known = frozenset[int]() if _has_own_type(roots) else _shipped(roots)
    told = set()
    for face in faces:
        for region, text in _texts(face) if face.quantity else ():
            for finding in _in_text(face, region, text, known):
                place = (finding.span.file.path, finding.span.start, finding.message)
                if place not in told:
                    told.add(place)
                    yield finding


def _in_text(face: Face, region: str, text: str, known: frozenset[int]) -> Iterator[Diagnostic]:
    missing = list(dict.fromkeys(sign for sign in text if not _drawn(sign, known))) if known else []
    if missing:
        yield _finding(face, region, missing)
    if _SOFT_HYPHEN in text:
        yield Diagnostic(
            "missing-glyph",
            f"A soft hyphen (U+00AD) on {shown(face.name)} ({face.lang}) is never drawn: a word that "
            "breaks there has no hyphen.",
            _place(face, region, _SOFT_HYPHEN),
            "Remove it, or write an ordinary hyphen.",
            card=face.id,
        )


def _shipped(roots: Roots) -> frozenset[int]:
    """The characters that every shipped font draws."""
    fonts = [characters_of(font) for font in sorted((roots.templates / "fonts").glob("*.ttf"))]
    return frozenset.intersection(*fonts) if fonts else frozenset()


def _texts(face: Face) -> Iterator[tuple[str, str]]:
    """The texts of a card by the region where they stand, as they are drawn."""
    rules = "\n".join(f"{skill.name or ''} {plain(skill.paragraphs)}" for skill in face.skills)
    team = " ".join((face.team_name or "", *face.traits))
    for region, text in (("name", face.name), ("rules", rules), ("flavour", face.flavour), ("team", team)):
        yield region, unicodedata.normalize("NFC", text or "")


def _drawn(sign: str, known: frozenset[int]) -> bool:
    """Whether the sign is drawn; a selector of variants has no shape of its own."""
    code = ord(sign)
    return code in known or unicodedata.category(sign) in _UNSEEN or 0xFE00 <= code <= 0xFE0F


def _finding(face: Face, region: str, missing: list[str]) -> Diagnostic:
    named = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in missing[:_ENOUGH])
    more = f" and {len(missing) - _ENOUGH} more" if len(missing) > _ENOUGH else ""
    return Diagnostic(
        "missing-glyph",
        f"The shipped fonts cannot draw {named}{more} on {shown(face.name)} ({face.lang}).",
        _place(face, region, missing[0]),
        "Write it with other characters, or use a font that has them in your own style sheet.",
        card=face.id,
    )


def _place(face: Face, region: str, sign: str) -> Span:
    """The sign itself where it stands in the file as it is printed, else the whole text."""
    span = face.place(region)
    if span is None:
        return SourceFile(Path(face.id), face.id, "").span(0, 0)
    offset = span.text.find(sign)
    return span.file.span(span.start + offset, span.start + offset + 1) if offset >= 0 else span


def _has_own_type(roots: Roots) -> bool:
    """Whether the project has a font, or a template or style sheet that asks for another one."""
    files = roots.files(roots.overrides)
    if any(path.suffix.lower() in _FONTS for path in files):
        return True
    sheets = [read_source(path).text for path in files if path.suffix in (".css", ".jinja")]
    return any(_SHIPPED_FAMILY not in family for text in sheets for family in _FAMILY.findall(text))
