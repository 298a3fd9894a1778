"""missing-glyph, substitute-font: characters on cards that the shipped fonts do not have."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

import pikepdf
from markupsafe import Markup, escape
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.render.checks.print_findings import read_source
from toolkit.render.drawing_text import findings_of_drawings
from toolkit.render.face import Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.font_files import characters_of, has_colours
from toolkit.render.page_raster import as_image, rasterize_pages
from toolkit.render.pages import Pages
from toolkit.render.renderer import EngineError, Renderer
from toolkit.render.sizes import MM_PER_INCH, Size
from toolkit.source import Span
from toolkit.wording.text import plain

_FONTS = {".ttf", ".otf", ".ttc", ".woff", ".woff2"}
_FAMILY = re.compile(r"font(?:-family)?\s*:([^;}]*)", re.IGNORECASE)
_SHIPPED_FAMILY = "Barlow"

_INVISIBLE = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
"""Unicode categories that need no glyph: spaces and control characters, which engines handle themselves."""

_MAX_NAMED = 5
"""The number of characters that a message lists."""


class _Text(NamedTuple):
    """A text of a card: its region, the role of the font that prints it, and its characters."""

    face: Face
    region: str
    role: str
    text: str


def missing_glyphs(
    faces: Sequence[Face], roots: Roots, renderer: Renderer | None = None
) -> Iterator[Diagnostic]:
    """Yield a finding for each text with such characters; none if the project's templates have own fonts.

    ``renderer`` is used to find out what the fonts of the project file draw, and the system fonts that
    replace others; without it their maps of characters are believed, and no system font is known.
    """
    shipped = frozenset[int]() if _has_own_fonts(roots) else _shipped_characters(roots)
    if not shipped:  # other fonts than the shipped ones: nobody knows what they have
        return
    texts = [text for face in faces if face.quantity for text in _texts(face)]
    characters = sorted({_Character(text.role, sign) for text in texts for sign in _signs_of(text.text)})
    in_own_fonts, undrawn = _characters_of_own_fonts(characters, roots, renderer)
    unknown = {character for character in characters if _code(character.sign) not in shipped} - in_own_fonts
    substituted = sorted({sign for _, sign in unknown - undrawn})
    system_fonts = _substitutes(substituted, roots, renderer) if substituted and renderer else {}
    stand_ins: dict[_Character, str | None] = {
        character: system_fonts.get(character.sign) for character in unknown
    }
    stand_ins |= {character: _OWN_FONT if character in in_own_fonts else None for character in undrawn}
    findings_by_key: dict[tuple[Path, int, str], Diagnostic] = {}  # languages may have the same one
    for (face, region), signs_by_font in _signs_by_stand_in(texts, stand_ins).items():
        for font, signs in signs_by_font.items():
            finding = _finding(face, region, list(dict.fromkeys(signs)), font)
            findings_by_key.setdefault((finding.span.file.path, finding.span.start, finding.message), finding)
    yield from findings_by_key.values()
    yield from findings_of_drawings(faces, roots)


def _signs_by_stand_in(
    texts: Iterable[_Text], stand_ins: Mapping[_Character, str | None]
) -> dict[tuple[Face, str], dict[str | None, list[str]]]:
    """Return by face and region the characters that their font lacks, by the font that stands in for it.

    None is no font at all; for all of them see ``_finding``.
    """
    signs_by_font: dict[tuple[Face, str], dict[str | None, list[str]]] = {}
    for face, region, role, text in texts:
        for sign in _signs_of(text):
            character = _Character(role, sign)
            if character in stand_ins:
                fonts_of_region = signs_by_font.setdefault((face, region), {})
                fonts_of_region.setdefault(stand_ins[character], []).append(sign)
    return signs_by_font


class _Character(NamedTuple):
    """A character, perhaps with a selector behind it, and the role of the font that prints it."""

    role: str
    sign: str


def _characters_of_own_fonts(
    characters: Sequence[_Character], roots: Roots, renderer: Renderer | None
) -> tuple[Set[_Character], Set[_Character]]:
    """Return which characters the fonts of the project file have, and for which a box or nothing is printed.

    A map of characters may lack what is drawn, because it is packed, and have what the engine cannot draw,
    such as glyphs of some colour fonts. So what counts is whether a character looks like one that no font
    has, and different from what it would be without these fonts.
    """
    fonts = _own_font_by_role(roots)
    checked = [character for character in characters if character.role in fonts]
    in_fonts = {
        character for character in checked if _code(character.sign) in characters_of(fonts[character.role])
    }
    undrawn: set[_Character] = set()
    drawn = tuple(checked[:_MAX_CELLS])
    pictures = _pictures(drawn, roots, renderer) if drawn and renderer else {}
    if not pictures or renderer is None:
        return in_fonts, undrawn
    without_fonts = _pictures(drawn, replace(roots, fonts=()), renderer)
    doubtful: set[_Character] = set()
    for character in drawn:
        role, sign = character
        picture, box = pictures[character], pictures[_Character(role, _NO_CHARACTER)]
        if _is_blank(picture) or _is_alike(picture, box):
            undrawn.add(character)
        elif sign.endswith(_AS_TEXT) and has_colours(fonts[role]):
            doubtful.add(character)  # the engine takes it from a font without colours
        elif character in without_fonts and not _is_similar(picture, without_fonts[character]):
            in_fonts.add(character)
        elif character in in_fonts and sign > _LAST_WITHOUT_COLOUR and not has_colours(fonts[role]):
            doubtful.add(character)  # the engine takes an emoji rather from a colour font of the computer
    return in_fonts - _taken_from_system(doubtful, roots, renderer), undrawn


def _own_font_by_role(roots: Roots) -> dict[str, Path]:
    """Return the font of the project file that prints each role; no entry for a role with a shipped font."""
    own_fonts = dict(roots.fonts)
    fonts: dict[str, Path] = {}
    for role, names in _FONTS_OF.items():
        path = next((own_fonts[name] for name in names if name in own_fonts), None)
        if path is not None:
            fonts[role] = roots.project / path
    return fonts


def _taken_from_system(characters: Set[_Character], roots: Roots, renderer: Renderer) -> set[_Character]:
    """Return those of the characters that the engine takes from a system font: any font for one that is asked
    for as text, a colour font for others."""
    if not characters:
        return set()
    system_fonts = _substitutes(sorted({sign for _, sign in characters}), roots, renderer)
    taken_from_system: set[_Character] = set()
    for character in characters:
        is_as_text = character.sign.endswith(_AS_TEXT) and character.sign in system_fonts
        if is_as_text or system_fonts.get(character.sign) == _COLOUR_FONT:
            taken_from_system.add(character)
    return taken_from_system


_LAST_WITHOUT_COLOUR = "\u2000"
"""Emoji come after this character, but for digits and signs of trade marks, which are letters first."""


_FONTS_OF = {
    "names": ("names", "display"),
    "rules": ("rules", "text"),
    "labels": ("labels", "text_bold", "text"),
    "flavour": ("flavour", "rules", "text_italic", "text"),
}
"""By role the fonts of the project that print it: that of ``look``, else one of ``fonts``."""

_STYLES = {
    "names": "font-family:'own name',var(--display);font-weight:700",
    "rules": "font-family:'own rule',var(--text);font-weight:400",
    "labels": "font-family:'own labe',var(--text);font-weight:600",
    "flavour": "font-family:'own flav','own rule',var(--text);font-style:italic",
}
_NO_CHARACTER = "\U0010fffd"
"""A character for private use, the last of all, which hardly any font has."""

_CONTROL = "H"
_MAX_CELLS = 2000
"""Characters that are drawn to be looked at; of more the maps of the fonts are believed."""

_CELL_DOTS, _CELL_DPI, _COLUMNS = 50, 100, 40
_CELL = MM_PER_INCH * _CELL_DOTS / _CELL_DPI
"""The side of the place for a character, in mm."""


_Pictures = Mapping[_Character, Image.Image]

_KNOWN_PICTURES: dict[Hashable, _Pictures] = {}
"""By characters, fonts and engine: a preview asks for those of a card again and again."""

_MAX_KNOWN = 16


def _pictures(characters: tuple[_Character, ...], roots: Roots, renderer: Renderer) -> _Pictures:
    """Return a picture of each character, and of one that no font has; none if the templates show none."""
    key = characters, roots, roots.stamp(), renderer.name, renderer.version
    if key not in _KNOWN_PICTURES:
        if len(_KNOWN_PICTURES) >= _MAX_KNOWN:
            _KNOWN_PICTURES.clear()
        _KNOWN_PICTURES[key] = _drawn_pictures(characters, roots, renderer)
    return _KNOWN_PICTURES[key]


def _drawn_pictures(characters: tuple[_Character, ...], roots: Roots, renderer: Renderer) -> _Pictures:
    """Return how the engine draws each character, and in each role what it draws for one that it does not
    have; none if that cannot be told from a control character."""
    roles = dict.fromkeys(role for role, _ in characters)
    cells = [*characters]
    for role in roles:
        cells += [_Character(role, _NO_CHARACTER), _Character(role, _CONTROL)]
    size = Size(_CELL * _COLUMNS, _CELL * ceil(len(cells) / _COLUMNS))
    fetcher = Fetcher(roots)
    table = Markup(f'<div style="position:relative">{_table_of(cells)}</div>')
    html = Pages(size, fetcher, bleed=0.0).document([table])
    try:
        pages = rasterize_pages(renderer.render_pages(str(html), size, fetcher), _CELL_DPI)
        page = as_image(next(pages)).convert("L")
    except (EngineError, StopIteration):
        return {}
    pictures = {}
    for number, character in enumerate(cells):
        row, column = divmod(number, _COLUMNS)
        x, y = column * _CELL_DOTS, row * _CELL_DOTS
        pictures[character] = page.crop((x, y, x + _CELL_DOTS, y + _CELL_DOTS))
    for role in roles:
        control = pictures[_Character(role, _CONTROL)]
        if _is_blank(control) or _is_alike(control, pictures[_Character(role, _NO_CHARACTER)]):
            return {}
    return pictures


def _table_of(characters: Iterable[_Character]) -> str:
    """Return the HTML of a table with a cell for each character, in the font of its role."""
    cells = []
    for number, (role, sign) in enumerate(characters):
        row, column = divmod(number, _COLUMNS)
        cells.append(
            f'<div style="position:absolute;overflow:hidden;left:{column * _CELL:.2f}mm;'
            f"top:{row * _CELL:.2f}mm;width:{_CELL}mm;height:{_CELL}mm;font-size:7mm;"
            f'line-height:{_CELL}mm;text-align:center;color:#000;{_STYLES[role]}">{escape(sign)}</div>'
        )
    return "".join(cells)


_FAINT = 40
"""Differences of grey that only come from rounding."""


def _is_blank(picture: Image.Image) -> bool:
    darkest, lightest = picture.getextrema()
    return lightest - darkest < _FAINT  # type: ignore[operator]  # of grey, so they are numbers


def _is_alike(picture: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(picture, other).getextrema()[1] < _FAINT  # type: ignore[operator]


_ONLY_INK = [value if value > 2 * _FAINT else 0 for value in range(256)]
_MOST_SHIFT = 2
"""Dots by which the size of a character may differ if it begins between two dots."""


def _is_similar(picture: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures show the same character, perhaps elsewhere: lines differ in height."""
    box, other_box = (ImageChops.invert(image).point(_ONLY_INK).getbbox() for image in (picture, other))
    if box is None or other_box is None:
        return box == other_box
    letter, other_letter = picture.crop(box), other.crop(other_box)
    across, down = letter.width - other_letter.width, letter.height - other_letter.height
    if max(abs(across), abs(down)) > _MOST_SHIFT:
        return False
    difference = ImageChops.difference(letter, other_letter.resize(letter.size))
    (mean_difference,) = ImageStat.Stat(difference).mean  # grey has one band
    return mean_difference < _FAINT


def _substitutes(signs: Sequence[str], roots: Roots, renderer: Renderer) -> dict[str, str]:
    """Return the system font, by its name in a PDF, with which the engine draws each character.

    Characters that no font has are left out: for them the engine draws the empty box of the first font.
    """
    # One page for each character: the fonts of a page are then those of the character.
    pages = "".join(f'<p style="margin:0; page-break-after:always">{escape(sign)}</p>' for sign in signs)
    html = '<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="base.css"></head>'
    try:
        pdf = renderer.render_pages(f"{html}<body>{pages}</body></html>", Size(60, 60), Fetcher(roots))
    except EngineError:
        return {}
    fonts_by_sign = {}
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for sign, page in zip(signs, document.pages, strict=False):
            resources = page.obj.get("/Resources", {})
            if "/XObject" in resources:  # letters of colour fonts are pictures
                fonts_by_sign[sign] = _COLOUR_FONT
            for font in resources.get("/Font", {}).values():
                full_name = str(font.get("/BaseFont", "")).lstrip("/")
                _, _, name = full_name.rpartition("+")  # without the tag of a subset
                if not name.startswith(_SHIPPED_FAMILY):
                    fonts_by_sign[sign] = name
    return fonts_by_sign


def _shipped_characters(roots: Roots) -> frozenset[int]:
    """Return the characters that all shipped fonts have."""
    fonts = [characters_of(font) for font in sorted((roots.templates / "fonts").glob("*.ttf"))]
    return frozenset.intersection(*fonts) if fonts else frozenset()


def _texts(face: Face) -> Iterator[_Text]:
    """Yield the texts of a card as they are drawn."""
    skills = "\n".join(skill.name or "" for skill in face.skills)
    rules = "\n".join(plain(skill.paragraphs) for skill in face.skills)
    team = " ".join((face.team_name or "", *face.traits))
    for region, role, text in (
        ("name", "names", face.name),
        ("rules", "names", skills),
        ("rules", "rules", rules),
        ("flavour", "flavour", face.flavour),
        ("team", "labels", team),
    ):
        yield _Text(face, region, role, unicodedata.normalize("NFC", text or ""))


_AS_TEXT = "\ufe0e"
"""The variation selector that asks for an emoji in the colour of the text."""


def _signs_of(text: str) -> list[str]:
    """Return the characters of a text that have a shape, each once, with a selector for text behind them."""
    signs = re.findall(f".{_AS_TEXT}?", text, re.DOTALL)
    return [sign for sign in dict.fromkeys(signs) if not _is_invisible(sign[0])]


def _code(sign: str) -> int:
    return ord(sign[0])


@lru_cache(maxsize=4096)
def _is_invisible(sign: str) -> bool:
    """Whether a character has no shape of its own, such as spaces, joiners and variation selectors."""
    return unicodedata.category(sign) in _INVISIBLE or ord(sign) in _WITHOUT_SHAPE


_WITHOUT_SHAPE = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    )
)
"""Fillers and variation selectors, which Unicode counts as letters, signs or marks."""


_OWN_FONT, _COLOUR_FONT = "\0own", "\0colour"
"""Stand for the fonts of the project, and for a font of colours, among the names of system fonts."""


def _finding(face: Face, region: str, missing: list[str], font: str | None) -> Diagnostic:
    """Return the finding for characters that no font has, or that the system font ``font`` replaces."""
    named = ", ".join(f"{sign} (U+{_code(sign):04X})" for sign in missing[:_MAX_NAMED])
    further_names = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
    signs_on_card = f"{named}{further_names} on {shown(face.name)} ({face.lang})"
    if font == _OWN_FONT:
        name = "missing-glyph"
        message = f"The project's fonts have {signs_on_card} in a form that cannot be printed."
        step = "Use a font that has them as outlines, or as colours in the form CBDT or COLR version 0."
    elif font is None:
        name, message = "missing-glyph", f"No font has {signs_on_card}: a box is printed instead."
        step = "Write it with other characters, or use a font that has them in your own style sheet."
    else:
        name = "substitute-font"
        used = "a colour font" if font == _COLOUR_FONT else f"the font {font}"
        message = (
            f"The shipped fonts do not have {signs_on_card}: {used} of this computer is used, "
            "and another computer may print another letter or none."
        )
        step = "Put a font that has them into the project's templates, and name it in a style sheet there."
    first_sign, *_ = missing
    return Diagnostic(name, message, _place(face, region, first_sign), step, card=face.id)


def _place(face: Face, region: str, sign: str) -> Span:
    """Return the span of the character if the file contains it as printed, else that of the whole text."""
    span = face.span(region)
    offset = span.text.find(sign)
    return span.file.span(span.start + offset, span.start + offset + len(sign)) if offset >= 0 else span


def _has_own_fonts(roots: Roots) -> bool:
    """Whether the project's templates contain a font, or refer to another font family."""
    files = roots.files(roots.overrides)
    if any(path.suffix.lower() in _FONTS for path in files):
        return True
    sheets = [read_source(path).text for path in files if path.suffix in (".css", ".jinja")]
    return any(_SHIPPED_FAMILY not in family for text in sheets for family in _FAMILY.findall(text))
