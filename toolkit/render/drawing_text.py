"""missing-glyph, substitute-font: words in drawings whose font or characters the project does not have.

They are drawn in the fonts of the project and the shipped ones only, so that every computer prints the same.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from toolkit.data.art.drawing_features import TEXT, Words
from toolkit.data.art.drawings import read_drawing_file
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.render.drawing_pictures import FAMILY
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.font_files import characters_of, families_of

_INVISIBLE = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
"""Unicode categories of characters without a shape."""

_MOST_NAMED = 5
"""The number of characters that a message lists."""


def findings_of_drawings(faces: Sequence[Face], roots: Roots) -> Iterator[Diagnostic]:
    """Yield the findings about words in the drawings of some cards, each drawing once."""
    pictures: dict[Path, tuple[Face, str]] = {}
    for face in faces:
        files = {"art": face.art, "team": face.team_logo, "card": face.set_symbol}
        for region, path in files.items() if face.quantity else ():
            if path is not None and path.suffix.lower() == ".svg":
                pictures.setdefault(path, (face, region))
    for path, (face, region) in pictures.items():
        try:
            drawing = read_drawing_file(roots.project / path)
        except OSError:
            continue  # which is reported elsewhere
        if drawing is None or not drawing.words:
            continue
        name = shown(os.path.relpath(roots.project / path, roots.project).replace(os.sep, "/"))
        for finding, message, step in _problems(drawing.words, roots.drawing_fonts):
            message = f"The drawing `{name}` has {message}"
            yield Diagnostic(finding, message, face.span(region), step, card=face.id)


def _problems(texts: Sequence[Words], fonts: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """Yield the names of findings, with what follows "The drawing has" and the next step."""
    step = f"{TEXT.step.rstrip('.')}, or put the font as .ttf or .otf into `templates`."
    for family, line in _unknown_families(texts, fonts).items():
        message = (
            f"words in the font `{shown(family)}` (line {line}), which the project does not have: "
            f"they are printed in {FAMILY}."
        )
        yield "substitute-font", message, step
    line_by_sign = _missing_signs(texts, fonts)
    if line_by_sign:
        named = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in list(line_by_sign)[:_MOST_NAMED])
        further_count = len(line_by_sign) - _MOST_NAMED
        and_more = f" and {further_count} more" if further_count > 0 else ""
        first_line, *_ = line_by_sign.values()
        message = f"{named}{and_more} (line {first_line}), which no font has: nothing is printed."
        yield "missing-glyph", message, TEXT.step


def _unknown_families(texts: Sequence[Words], fonts: Sequence[Path]) -> dict[str, int]:
    """Return the line where words first ask for a font that there is not, by the name of its family."""
    known_families = frozenset[str]().union(*map(families_of, fonts))
    line_by_family: dict[str, int] = {}
    for words in texts:
        if words.families and known_families.isdisjoint(map(str.lower, words.families)):
            preferred, *_ = words.families
            line_by_family.setdefault(preferred, words.line)
    return line_by_family


def _missing_signs(texts: Sequence[Words], fonts: Sequence[Path]) -> dict[str, int]:
    """Return the line of the first words with each visible character that no font has."""
    known_characters = frozenset[int]().union(*map(characters_of, fonts))
    line_by_sign: dict[str, int] = {}
    for words in texts:
        for sign in words.text:
            if ord(sign) not in known_characters and unicodedata.category(sign) not in _INVISIBLE:
                line_by_sign.setdefault(sign, words.line)
    return line_by_sign
