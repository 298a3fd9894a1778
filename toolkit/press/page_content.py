"""Analysis of the pages of any PDF: colours, ink, text, fonts, transparency, pictures.

Files are not trusted: what is decompressed and followed is bounded.
"""

from __future__ import annotations

import io
import math
import zlib
from base64 import a85decode
from typing import Any

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace
from PIL import Image, ImageChops

from toolkit.press.cmyk import total_ink
from toolkit.render.content_streams import MAX_DEPTH, Content
from toolkit.render.sizes import POINTS_PER_INCH

_MAX_STREAM, _MAX_READ = 8 << 20, 64 << 20
"""Bytes of decompressed drawing operators: of one stream, and of a file."""

_CACHED_BYTES, _MAX_CACHED = 1 << 16, 2_000
"""Parsed forms that are cached: up to how many bytes of content each, and how many."""

_MAX_DRAWN = 200_000
"""Forms and pictures that are drawn: nested forms can draw exponentially many."""

_MAX_PIXELS = 30_000_000

_OPERATORS = "q Q cm gs g G rg RG k K cs CS sc SC scn SCN Tf Tr Tj TJ ' \" Do sh"


class PageContent(Struct):
    """What a page contains: colour spaces, maximum of ink in %, lowest resolution in dpi, names of fonts.

    ``unread`` are messages about parts that could not be read.
    """

    colours: set[str] = field(default_factory=set)
    ink: float = 0.0
    dpi: float = math.inf
    coloured_text: bool = False
    text: bool = False
    embedded: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    transparent: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)


class _TextState(Struct, frozen=True):
    """The graphics state of text: its fill colour and rendering mode."""

    space: str = "DeviceGray"
    colour: tuple[float, ...] = (0.0,)
    mode: int = 0

    @property
    def is_black(self) -> bool:
        """Whether the fill colour needs no ink but black."""
        if self.space == "DeviceCMYK" and len(self.colour) == 4:
            *coloured_inks, _ = self.colour
            return not any(coloured_inks)
        return self.space == "DeviceGray"


_FILLS = {"g": "DeviceGray", "rg": "DeviceRGB", "k": "DeviceCMYK"}
_STROKES = {"G": "DeviceGray", "RG": "DeviceRGB", "K": "DeviceCMYK"}
_FOUR_INKS = ("DeviceCMYK", "ICCBased CMYK")
_INVISIBLE_MODES = (3, 7)
"""Rendering modes in which text is not drawn: it is there for a search, or it clips."""


class PageReader(Struct):
    """Reads the pages of a PDF. Shared streams are decompressed once."""

    pdf: pikepdf.Pdf
    _drawn: int = 0
    _read: int = 0
    _parsed: dict[object, list[Any]] = field(default_factory=dict)
    _pictures: dict[object, float] = field(default_factory=dict)

    def page(self, page: pikepdf.Page) -> PageContent:
        """Read a page."""
        page_content = PageContent()
        try:
            if "/Group" in page.obj:
                _add_group(page.obj.Group, page_content)
            self._walk(Content.of(page, _TextState(), self._operators), page_content)
        except _TooLarge as error:
            page_content.unread.add(str(error))
        except Exception:  # pikepdf raises many kinds for broken objects
            page_content.unread.add("The content is broken and cannot be read.")
        return page_content

    def _operators(self, stream: pikepdf.Object) -> list[Any]:
        """Return the operators of a stream. Raises ``_TooLarge`` if too much was read."""
        parsed = self._parsed.get(stream.objgen)
        if parsed is None:
            content = unpacked(stream, _MAX_STREAM)
            self._read += len(content)
            if self._read > _MAX_READ:
                raise _TooLarge(f"More than {_MAX_READ >> 20} MB of content are not read.")
            parsed = pikepdf.parse_content_stream(self.pdf.make_stream(content), _OPERATORS)
            if len(content) < _CACHED_BYTES and len(self._parsed) < _MAX_CACHED:
                self._parsed[stream.objgen] = parsed
        return parsed

    def _walk(self, content: Content[_TextState], page_content: PageContent) -> None:
        """Add what the operators of a content stream draw: colours, fonts, states and pictures."""
        for operator, operands in content:
            state = content.state
            if operator in _FILLS or operator in _STROKES:
                space = _FILLS.get(operator) or _STROKES[operator]
                colour = tuple(map(float, operands))
                _add_colour(space, colour, page_content)
                if operator in _FILLS:
                    content.state = replace(state, space=space, colour=colour)
            elif operator in ("cs", "CS"):
                family, *base_spaces = _colour_spaces(operands[0], content.resources)
                page_content.colours.update((family, *base_spaces))
                if operator == "cs":
                    content.state = replace(state, space=family, colour=())
            elif operator in ("sc", "scn"):
                numbers = (operand for operand in operands if not isinstance(operand, pikepdf.Name))
                colour = tuple(map(float, numbers))
                _add_colour(state.space, colour, page_content)
                content.state = replace(state, colour=colour)
            elif operator == "gs":
                _add_state(content.resource("/ExtGState", operands[0]), page_content)
            elif operator == "Tf":
                _add_font(content.resource("/Font", operands[0]), page_content)
            elif operator == "Tr":
                content.state = replace(state, mode=int(operands[0]))
            elif operator == "sh":
                shading = content.resource("/Shading", operands[0])
                page_content.colours.update(_colour_spaces(shading["/ColorSpace"], content.resources))
            elif operator == "Do":
                self._draw_xobject(content.resource("/XObject", operands[0]), content, page_content)
            elif operator in ("Tj", "TJ", "'", '"') and state.mode not in _INVISIBLE_MODES:
                page_content.text = True
                page_content.coloured_text |= not state.is_black

    def _draw_xobject(self, xobject: Any, content: Content[_TextState], page_content: PageContent) -> None:
        """Add a form or picture where it is drawn."""
        self._drawn += 1
        if content.depth > MAX_DEPTH or self._drawn > _MAX_DRAWN:
            raise _TooLarge("There are too many drawings within drawings.")
        if xobject.get("/Subtype") == "/Form":
            if "/Group" in xobject:
                _add_group(xobject.Group, page_content)
            self._walk(content.form(xobject, content.state), page_content)
        elif xobject.get("/Subtype") == "/Image":
            a, b, c, d, *_ = content.matrix
            width, height = int(xobject.Width), int(xobject.Height)
            across, down = math.hypot(a, b) / POINTS_PER_INCH, math.hypot(c, d) / POINTS_PER_INCH
            if across and down:
                page_content.dpi = min(page_content.dpi, width / across, height / down)
            if "/SMask" in xobject:
                page_content.transparent.add("a picture with a soft mask")
            if "/ColorSpace" in xobject:
                family, *base_spaces = _colour_spaces(xobject.ColorSpace, content.resources)
                page_content.colours.update((family, *base_spaces))
                if family in _FOUR_INKS:
                    page_content.ink = max(page_content.ink, self._ink_of(xobject, width, height))

    def _ink_of(self, picture: Any, width: int, height: int) -> float:
        """Return the maximum of ink of a pixel of a CMYK picture, in %."""
        if picture.objgen not in self._pictures:
            if width * height > _MAX_PIXELS:
                raise _TooLarge(f"A picture of {width:,} × {height:,} dots is too large to be measured.")
            first_level, *_ = picture.get("/Decode", [0])
            inverted = float(first_level) == 1
            self._pictures[picture.objgen] = total_ink(_inks(picture, (width, height), inverted))
        return self._pictures[picture.objgen]


class _TooLarge(Exception):
    """A part of a file would take too much time or memory to read."""


def unpacked(stream: Any, most: int) -> bytes:
    """Return the content of a stream; raises ``_TooLarge`` for more than ``most`` bytes."""
    names = _filter_names(stream)
    content = bytes(stream.read_raw_bytes())
    for number, name in enumerate(names, 1):
        # parameters are left to pikepdf, below; without them a filter's content can only be measured
        is_last = number == len(names)
        if name == "/FlateDecode" and (is_last or "/DecodeParms" not in stream):
            content = zlib.decompressobj().decompress(content, most + 1)
        elif name == "/ASCII85Decode":
            content = a85decode(content.rstrip().removesuffix(b"~>"))
        elif names == ["/RunLengthDecode"]:
            content = bytes(stream.read_bytes())  # run lengths expand to at most 64 times the size
        else:
            raise _TooLarge(f"Content packed by {', '.join(names)} is not read.")
    if len(content) > most:
        raise _TooLarge(f"Content of more than {most >> 20} MB is not read.")
    return bytes(stream.read_bytes()) if "/DecodeParms" in stream else content


def _filter_names(stream: Any) -> list[str]:
    """Return the filters by which a stream is packed, the first to be undone first."""
    filters = stream.get("/Filter", pikepdf.Array())
    return [str(name) for name in (filters if isinstance(filters, pikepdf.Array) else [filters])]


def _inks(picture: Any, size: tuple[int, int], inverted: bool) -> Image.Image:
    """Return a CMYK picture with 255 for full ink."""
    if _filter_names(picture) == ["/DCTDecode"]:
        with Image.open(io.BytesIO(bytes(picture.read_raw_bytes()))) as opened:
            if opened.size != size or opened.mode != "CMYK":
                raise ValueError("a picture is not what it says")
            opened.load()
            inks = opened.copy()
        inverted = not inverted  # Pillow assumes that every CMYK JPEG is inverted
    elif int(picture.get("/BitsPerComponent", 8)) == 8:
        width, height = size
        length = 4 * width * height
        # a PNG predictor adds a byte to each row
        inks = Image.frombytes("CMYK", size, unpacked(picture, length + height + 1024)[:length])
    else:
        raise _TooLarge("A picture of 1, 2, 4 or 16 bits is not measured.")
    return ImageChops.invert(inks) if inverted else inks


def _add_colour(space: str, colour: tuple[float, ...], content: PageContent) -> None:
    content.colours.add(space)
    if space in _FOUR_INKS:
        content.ink = max(content.ink, 100 * sum(colour))


_DEEPEST_SPACE = 4
"""Colour spaces that are based on others, at most."""


def _colour_spaces(space: Any, resources: Any, depth: int = 0) -> list[str]:
    """Return the family of a colour space, for ICC profiles with its components, and those it is based on.

    A space is the name of a family or of a resource, or a family with parameters.
    """
    if depth > _DEEPEST_SPACE:
        raise _TooLarge("Colour spaces lie too deep within each other.")
    if isinstance(space, pikepdf.Name):
        name = str(space)
        if name in ("/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/Pattern"):
            return [name.removeprefix("/")]
        return _colour_spaces(resources["/ColorSpace"][name], resources, depth + 1)
    family_name, *parameters = space
    family = str(family_name).removeprefix("/")
    if family == "ICCBased":
        profile, *_ = parameters
        inks = {1: "grey", 3: "RGB", 4: "CMYK"}.get(int(profile.N), "")
        return [f"ICCBased {inks}"]
    base_index = {"Indexed": 0, "Separation": 1, "DeviceN": 1, "Pattern": 0}.get(family)
    if base_index is None or base_index >= len(parameters):  # based on no other: a pattern may have colours
        return [family]
    base_spaces = _colour_spaces(parameters[base_index], resources, depth + 1)
    return base_spaces if family == "Indexed" else [family, *base_spaces]


def _add_state(settings: Any, content: PageContent) -> None:
    """Add the transparency that a graphics state asks for."""
    if float(settings.get("/ca", 1)) < 1 or float(settings.get("/CA", 1)) < 1:
        content.transparent.add("opacity below 1")
    if str(settings.get("/SMask", "/None")) != "/None":
        content.transparent.add("a soft mask")
    mode = settings.get("/BM", pikepdf.Name("/Normal"))
    if isinstance(mode, pikepdf.Array):  # of modes, of which a viewer takes the first that it knows
        mode = mode[0]
    if str(mode) not in ("/Normal", "/Compatible"):
        content.transparent.add("a blend mode")


def _add_group(group: Any, content: PageContent) -> None:
    if group.get("/S") == "/Transparency":
        content.transparent.add("a transparency group")


def _add_font(font: Any, content: PageContent) -> None:
    """Add a font to those that are embedded or missing; a Type 3 font is drawn by the file itself."""
    name = str(font.get("/BaseFont", "/without a name")).removeprefix("/")
    if font.get("/Subtype") == "/Type3":
        content.embedded.add(name)
        return
    font_with_glyphs = font.DescendantFonts[0] if font.get("/Subtype") == "/Type0" else font
    descriptor = font_with_glyphs.get("/FontDescriptor", {})
    is_embedded = not {"/FontFile", "/FontFile2", "/FontFile3"}.isdisjoint(descriptor.keys())
    (content.embedded if is_embedded else content.missing).add(name)
