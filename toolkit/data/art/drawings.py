"""SVG drawings, checked before they are rendered: well-formedness, references and cost."""

from __future__ import annotations

import codecs
import io
import math
import os
import re
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from xml.parsers import expat

from msgspec import Struct, field

from toolkit.data.art.drawing_costs import DEEPEST, LINKS, Cost, Costs, without_comments
from toolkit.data.art.drawing_features import WORDS, FeatureFinder, Use, Words
from toolkit.data.art.drawing_rewriting import NAMESPACE, XLINK_HREF, Choices
from toolkit.data.art.drawing_styles import attributes_of, is_singular
from toolkit.data.art.picture_files import picture_in
from toolkit.data.art.style_imports import imports_of
from toolkit.source.paths import Stamp, stamp_of

_MANY = 1000
"""With at most this number of tags a drawing cannot be too deep for the engine, however they are nested."""

_SUSPICIOUS = (
    *(b"<use", b":use", b"pattern", b"mask", b"filter", b"marker", b"clip", b"textpath", b"tref"),
    *(b"style", b"dasharray", b"data:", b"src", b"@import", b"&#"),
    *(b"script", b" on", b"\ton", b"\non"),
    *WORDS,
)
"""A drawing without any of these words, whose links all lead to itself, repeats nothing: what it refers to
can only be gradients. It is not read element by element: 74 drawings of 13 kB take 15 ms instead of 130."""

_HALF_ELLIPSE = re.compile(rb"""<(?:\w+:)?ellipse\b(?:(?![^<>]*\srx=)|(?![^<>]*\sry=))""")

_OUTLINE = re.compile(rb'"[^"<=(:&@]{24,}"')
"""A long value of an attribute without any character that a word of interest in a value comes with."""

_SCALED = re.compile(rb"(?:scale|matrix)\([^()]*\)")

MAX_BYTES = 8 * 1024 * 1024

_MAX_READ = 4096
"""The size of the cache."""

_LENGTH = re.compile(r"\s*(?P<value>\d+\.?\d*|\.\d+)\s*(?P<unit>px|pt|pc|mm|cm|in)?\s*")
_PIXELS = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_ADDRESS = re.compile(r"""(?:(?:@import\s+)?url\(|@import\b(?!\s*url\())\s*["']?([^"')\s;]+)""")


class _TooMany(ValueError):
    """A drawing has too many elements, even before those that it repeats are counted."""


class Drawing(Struct, frozen=True):
    """What is known about an SVG file; ``size`` is width and height in its own units, if it has them.

    A ``scripted`` one has scripts or event handlers, which are not run in print; ``links`` are other files
    that it refers to. ``excess`` says why it costs too much to render, as a phrase after "The drawing". An
    ``unnamed`` one has no namespace: an engine draws it within a page, but not as a file of its own.
    ``uses`` are features that not every engine draws, ``words`` those that it prints. Engines draw one with
    ``choices`` only after it is rewritten (``drawing_rewriting``); one that ``embeds`` has pictures inside.
    One that ``imports`` style sheets is left to resvg, which loads none.
    """

    size: tuple[float, float] | None
    scripted: bool = False
    links: tuple[str, ...] = ()
    excess: str | None = None
    cost: Cost = Cost()
    unnamed: bool = False
    uses: tuple[Use, ...] = ()
    words: tuple[Words, ...] = ()
    choices: bool = False
    embeds: bool = False
    imports: bool = False

    @property
    def by_resvg(self) -> bool:
        """Whether resvg draws more of it than the PDF engine, or the PDF engine must not draw it."""
        features = [use.feature for use in self.uses]
        drawn_by_resvg = sum(feature.resvg for feature in features)
        drawn_by_engine = sum(feature.engine for feature in features)
        return self.imports or drawn_by_resvg > drawn_by_engine

    @property
    def ignored(self) -> tuple[Use, ...]:
        """The features that are not printed."""
        by_resvg = self.by_resvg
        return tuple(use for use in self.uses if not (use.feature.resvg if by_resvg else use.feature.engine))


class _Refused(ValueError):
    """A drawing must not be passed to an engine."""


class _Reader(Struct):
    """The handlers of expat for one drawing, and what they have found."""

    costs: Costs
    parser: expat.XMLParserType
    top_element: str | None = None
    top_attributes: dict[str, str] = field(default_factory=dict)
    namespace: str = ""
    scripted: bool = False
    links: list[str] = field(default_factory=list)
    features: FeatureFinder = field(default_factory=FeatureFinder)
    choices: Choices = field(default_factory=Choices)
    has_styles_to_move: bool = False
    """Whether CSS declarations must become attributes."""
    embeds_pictures: bool = False
    imports_sheets: bool = False
    is_drawn_stack: list[bool] = field(default_factory=list)
    """Whether each open element is drawn, from the outermost one; its length is the depth of nesting."""
    style_depth: int = 0
    """How many ``style`` elements are open."""
    sheet: list[str] = field(default_factory=list)
    sheet_line: int = 0

    def listen(self, *, to_top_element_only: bool) -> None:
        """Let the parser call the handlers."""
        self.parser.StartDoctypeDeclHandler = self.doctype
        if to_top_element_only:
            self.parser.StartElementHandler = self.read_top_element_only
        else:
            self.parser.StartElementHandler = self.start
            self.parser.EndElementHandler = self.end
            self.parser.CharacterDataHandler = self.text

    def read_top_element_only(self, name: str, attributes: dict[str, str]) -> None:
        """Begin the outermost element, and take no other ones."""
        self.begin_top_element(name, attributes)
        self.parser.StartElementHandler = None

    def begin_top_element(self, name: str, attributes: dict[str, str]) -> None:
        """Begin the outermost element."""
        self.namespace, _, self.top_element = name.rpartition(" ")
        self.top_attributes = attributes

    def start(self, qualified_name: str, attributes: dict[str, str]) -> None:
        """Begin an element; expat names it "namespace name", or "name" without a namespace."""
        if self.top_element is None:
            self.begin_top_element(qualified_name, attributes)
        namespace, _, name = qualified_name.rpartition(" ")
        self._count(name, attributes)
        self.scripted |= name == "script" or any(key.startswith("on") for key in attributes)
        self.sheet_line = self.parser.CurrentLineNumber
        if name == "style":
            self.style_depth += 1
        self._note_references(name, attributes)
        is_drawn = self.choices.start(namespace or NAMESPACE, name, attributes)
        self.is_drawn_stack.append(is_drawn)
        if is_drawn:
            self._note_drawn_element(name, attributes)

    def _count(self, name: str, attributes: dict[str, str]) -> None:
        """Add the cost of an element; raises an exception if it is too deep or one too many."""
        if len(self.is_drawn_stack) >= DEEPEST:
            raise _Refused
        if not self.costs.start(name, attributes):
            raise _TooMany

    def _note_references(self, name: str, attributes: dict[str, str]) -> None:
        """Note the addresses in attributes, but for those of links that a reader would click."""
        for key, value in attributes.items():
            if key in LINKS and name != "a":
                self._link(value)
            elif "url(" in value:
                self._addresses(value)

    def _note_drawn_element(self, name: str, attributes: dict[str, str]) -> None:
        """Note what an element needs of an engine: features, moved styles, embedded pictures."""
        address = attributes.get("href", attributes.get(XLINK_HREF, "")).strip()
        self.features.start(name, attributes, address, self.sheet_line)
        if "style" in attributes and attributes_of(name, attributes["style"]):
            self.has_styles_to_move = True
        if name in ("image", "feImage") and not address.startswith("#"):
            self.embeds_pictures = True

    def end(self, name: str) -> None:
        """End an element."""
        self.costs.end()
        _namespace, _, element = name.rpartition(" ")
        if element == "style":
            self.style_depth -= 1
            sheet, self.sheet = "".join(self.sheet), []
            self._addresses(sheet)
            self.imports_sheets |= bool(imports_of(sheet))
            self.costs.style_sheet(sheet)
            if self.is_drawn_stack[-1]:
                self.features.style_sheet(without_comments(sheet), self.sheet_line)
        if self.choices.end():
            self.features.add_undrawn_choice(self.parser.CurrentLineNumber)
        if self.is_drawn_stack.pop():
            self.features.end()

    def text(self, text: str) -> None:
        """Take characters between elements."""
        if self.style_depth:
            self.sheet.append(text)
        else:
            self.costs.text(text)
            if self.is_drawn_stack and self.is_drawn_stack[-1]:
                self.features.text(text, self.parser.CurrentLineNumber)

    def doctype(self, _name: str, _system: str | None, _public: str | None, inside: int) -> None:
        """Refuse a document type with an internal subset: its entities could expand without bound."""
        if inside:
            raise _Refused

    def _addresses(self, text: str) -> None:
        for match in _ADDRESS.finditer(text):
            self._link(match[1])

    def _link(self, address: str) -> None:
        if address.strip() and not address.strip().startswith(("#", "data:")):
            self.links.append(address.strip())


_read_before: dict[bytes, Drawing | None] = {}
"""Drawings by a digest of their content: each is read when it is checked, fetched and rendered."""


def read_drawing(content: bytes) -> Drawing | None:
    """Return the drawing, or None if this is not well-formed XML with ``svg`` as its root and no entities."""
    if len(content) > MAX_BYTES:
        return None
    key = blake2b(content, digest_size=16).digest()
    if key not in _read_before:
        if len(_read_before) >= _MAX_READ:
            _read_before.clear()
        text = in_utf_8(content)
        _read_before[key] = None if text is None else _parsed(text)
    return _read_before[key]


_DECLARATION = re.compile(
    rb"""<\?xml\b[^>]*?\bencoding\s*=\s*(?P<quote>["'])(?P<encoding>[A-Za-z][\w.-]*)(?P=quote)"""
)
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UTF_16 |= {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}


def in_utf_8(content: bytes) -> bytes | None:
    """Return a drawing in UTF-8 without a byte order mark, with its lines as they are; None if that fails.

    Its encoding is that of the byte order mark or of the XML declaration.
    """
    if content.startswith(codecs.BOM_UTF8):
        return content[len(codecs.BOM_UTF8) :]
    declared = _DECLARATION.match(content)
    name = next((name for begin, name in _UTF_16.items() if content.startswith(begin)), None)
    encoding = name or (declared["encoding"].decode("ascii").lower() if declared else "utf-8")
    if encoding in ("utf-8", "us-ascii"):
        return content
    try:
        text = codecs.decode(content, encoding).removeprefix("\ufeff")
        if not isinstance(text, str):  # a codec such as `hex`, which is no encoding
            return None
        xml_encoding = r"""(?P<before><\?xml\b[^>]*?\bencoding\s*=\s*)(?P<quote>["'])[\w.-]+(?P=quote)"""
        return re.sub(xml_encoding, r"\g<before>\g<quote>UTF-8\g<quote>", text, count=1).encode()
    except (LookupError, ValueError, TypeError):
        return None


def _parsed(content: bytes) -> Drawing | None:
    """Return a drawing, read element by element if it needs that, else only its outermost element."""
    styled = re.search(rb"<(\w+:)?style", content) is not None
    parser = expat.ParserCreate(namespace_separator=" ")
    inner_drawings: list[Drawing] = []
    reader = _Reader(Costs(lambda picture: embedded_cost(picture, inner_drawings), styled), parser)
    reader.listen(to_top_element_only=not _is_suspicious(content))
    try:
        parser.Parse(content, True)
    except _TooMany:
        return Drawing(None, excess=reader.costs.excess())
    except (expat.ExpatError, ValueError, LookupError):
        return None
    if reader.top_element != "svg":
        return None
    uses = [*reader.features.uses(), *(use for inner in inner_drawings for use in inner.uses)]
    return Drawing(
        _size(reader.top_attributes),
        scripted=reader.scripted,
        links=tuple(dict.fromkeys(reader.links)),
        excess=reader.costs.excess(),
        cost=reader.costs.total(),
        unnamed=reader.namespace != NAMESPACE,
        uses=tuple(dict.fromkeys(uses)),
        words=(*reader.features.words(), *(words for inner in inner_drawings for words in inner.words)),
        choices=reader.choices.decided or reader.has_styles_to_move,
        embeds=reader.embeds_pictures,
        imports=reader.imports_sheets,
    )


def embedded_cost(content: bytes, inner_drawings: list[Drawing] | None = None) -> Cost | str:
    """Return the cost of a picture in a ``data:`` address, or why it is refused, after "The drawing".

    A picture may be a drawing itself, which is then added to ``inner_drawings``.
    """
    picture = picture_in(io.BytesIO(content), len(content))
    if picture is not None and not picture.whole:
        return "embeds a picture that is truncated"
    if picture is not None and picture.size is not None:
        width, height = picture.size
        if picture.too_large:
            return f"embeds a picture of {width} × {height} pixels"
        return Cost(elements=1, pixels=width * height)
    # not a picture of pixels, or one without a size: what is no drawing either is refused
    inner_drawing = read_drawing(content)
    if inner_drawing is None:
        return "embeds a picture that is no PNG, JPEG, GIF, WebP or SVG"
    if inner_drawing.imports:
        return "embeds a drawing that imports style sheets"
    if inner_drawings is not None:
        inner_drawings.append(inner_drawing)
    return inner_drawing.cost if inner_drawing.excess is None else inner_drawing.excess


def _is_suspicious(content: bytes) -> bool:
    """Whether a drawing must be read element by element."""
    lower = content.lower()
    link_count = lower.count(b"href") + lower.count(b"url(")
    inner_link_count = lower.count(b'href="#') + lower.count(b"href='#") + lower.count(b"url(#")
    if content.count(b"<") > _MANY or link_count != inner_link_count:
        return True
    # What is left after outlines, which are most of a drawing, and all that is repeated: a tenth.
    rest = b'"'.join(set(_OUTLINE.sub(b"", lower).split(b'"')))
    if any(word in rest for word in _SUSPICIOUS) or _HALF_ELLIPSE.search(lower):
        return True
    return any(is_singular(transform.decode("ascii", "replace")) for transform in _SCALED.findall(rest))


def _is_doubtful(content: bytes) -> bool:
    """Whether a drawing must be parsed because a search for a few words cannot show that it is ordinary."""
    begins_with_tag = content.lstrip(codecs.BOM_UTF8 + b" \t\r\n").startswith(b"<")
    is_whole = begins_with_tag and content.rstrip().endswith(b"</svg>")
    is_svg = b"<svg" in content and NAMESPACE.encode() in content
    is_unusual = b"<!DOCTYPE" in content or in_utf_8(content) is not content
    return not is_whole or not is_svg or is_unusual or _is_suspicious(content)


def read_drawing_file(path: Path | str) -> Drawing | None:
    """Return the drawing in a file. Raises ``OSError`` if it cannot be read.

    An ordinary drawing is not parsed, so its size is not known: that it is not well-formed is only found when
    it is printed.
    """
    return _read(str(path), stamp_of(os.stat(path)))


@lru_cache(maxsize=_MAX_READ)
def _read(path: str, stamp: Stamp) -> Drawing | None:
    """Return a drawing, read again only if its stamp is another; None if it is too large."""
    _modified, size, *_ = stamp
    if size > MAX_BYTES:
        return None
    content = Path(path).read_bytes()
    return read_drawing(content) if _is_doubtful(content) else Drawing(None)


def _size(attributes: dict[str, str]) -> tuple[float, float] | None:
    """Return width and height in pixels of CSS if both are given, else those of the view box."""
    sides = [attributes.get("width", ""), attributes.get("height", "")]
    view_box = attributes.get("viewBox", "").replace(",", " ").split()
    if not all(map(_LENGTH.fullmatch, sides)) and len(view_box) == 4:
        _left, _top, *sides = view_box
    lengths = [_LENGTH.fullmatch(side) for side in sides]
    width, height = (
        float(length["value"]) * _PIXELS[length["unit"] or "px"] if length else 0.0 for length in lengths
    )
    return (width, height) if 0 < width < math.inf and 0 < height < math.inf else None
