"""Fonts that are in a PDF once, though its cards come from several documents.

An engine puts into each document only the glyphs that are used there, numbered as they come. A first page
with every character in every font makes these subsets the same in all documents of a run; the page itself
is not printed. Afterwards equal fonts are replaced by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from urllib.parse import unquote

import pikepdf
from markupsafe import Markup, escape

from toolkit.render.face import Face
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, join
from toolkit.render.sizes import Size
from toolkit.wording.text import plain

_FACE = re.compile(r"@font-face\s*\{([^}]*)\}")
_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)""")
_PROPERTY = re.compile(r"(font-family|font-weight|font-style)\s*:\s*([^;}]+)")
_MOST_SHEETS = 20

_USUAL = "".join(map(chr, range(0x21, 0x7F))) + "–—−×÷·•…„“”‘’°½"
"""What templates and rules text add to the words of the cards."""

_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl", "fj", "ft", "tt", "--", "---", "->", "<-", "fb", "fh", "fk")
"""Letters for which fonts often have one glyph together."""


def characters_of(faces: Iterable[Face]) -> str:
    """Every character that may be on these cards, each once."""
    characters = sorted(set(_USUAL).union(*map(_words, faces)) - set(" \n"))
    return " ".join([*characters, *_LIGATURES])


def warm_up(characters: str, fonts: Iterable[Mapping[str, str]], size: Size) -> Markup:
    """The page with every character in every font; empty without fonts."""
    text = escape(characters)
    lines = [Markup('<p style="{}">{}</p>').format(_style(font), text) for font in fonts]
    if not lines:
        return Markup("")
    look = (
        f"width:{size.width}mm; height:{size.height}mm; position:relative; overflow:hidden; "
        "font-size:0.5pt; page-break-after:always; text-transform:none"
    )
    return Markup('<section style="{}">{}</section>').format(look, Markup("").join(lines))


def _words(face: Face) -> set[str]:
    """All characters of a card, as capitals too."""
    texts = [face.name, face.kind_label, face.team_name or "", face.flavour or "", *face.traits]
    for skill in face.skills:
        texts += [skill.name or "", plain(skill.paragraphs)]
    whole = "".join(texts)
    return {*whole, *whole.upper(), *whole.lower()}


def font_faces(fetcher: Fetcher) -> Iterator[dict[str, str]]:
    """Family, weight and style of each font that the style sheets and what they import define."""
    addresses = [f"{TEMPLATES_ADDRESS}{name}.css" for name in ("base", "card")]
    for number, address in enumerate(addresses):
        css = fetcher(address).content.decode("utf-8", errors="replace")
        for found in _FACE.findall(css):
            yield {name: value.strip() for name, value in _PROPERTY.findall(found)}
        if number < _MOST_SHEETS:
            addresses += [join(address, unquote(name)) for name in _IMPORT.findall(css)]


def _style(font: Mapping[str, str]) -> str:
    return "; ".join(f"{name}:{value}" for name, value in font.items())


def share_fonts(pdf: pikepdf.Pdf) -> None:
    """Let forms whose fonts are equal use the same one."""
    first: dict[bytes, pikepdf.Object] = {}
    known: dict[tuple[int, int], bytes] = {}
    for thing in list(pdf.objects):
        if not (isinstance(thing, pikepdf.Stream) and "/Resources" in thing):
            continue
        fonts = thing["/Resources"].get("/Font")
        if fonts is None or isinstance(fonts, pikepdf.Stream):
            continue
        for name in list(fonts.keys()):
            font = fonts[name]
            if font.objgen not in known or font.objgen == (0, 0):
                known[font.objgen] = _digest(font)
            fonts[name] = first.setdefault(known[font.objgen], font)


def _digest(thing: pikepdf.Object) -> bytes:
    """What an object and all that it refers to says, in 32 bytes."""
    if isinstance(thing, pikepdf.Stream):
        inner = sha256(thing.read_raw_bytes())
        for key in sorted(thing.keys()):
            inner.update(key.encode() + _digest(thing[key]))
        return inner.digest()
    if isinstance(thing, pikepdf.Dictionary):
        return sha256(
            b"<<" + b"".join(key.encode() + _digest(thing[key]) for key in sorted(thing.keys()))
        ).digest()
    if isinstance(thing, pikepdf.Array):
        return sha256(b"[" + b"".join(map(_digest, thing))).digest()
    return sha256(repr(thing).encode()).digest()
