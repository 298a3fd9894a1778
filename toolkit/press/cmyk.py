"""PDFs for printing plates: PDF/X-1a:2003 in which each page is a CMYK picture with text above it.

What lies below the text, transparency included, is rasterized at 300 dpi and converted with an ICC profile.
Black, grey and white words stay text, in black ink alone: small letters of four inks blur if the plates are
not exactly aligned. Coloured words, and text that is not plain, are part of the picture; their text is kept
invisibly, so that it can be searched.
"""

from __future__ import annotations

import io
import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import pikepdf
import pypdfium2
from msgspec import Struct, field
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageCms, ImageMath

from toolkit.render.content_streams import MAX_DEPTH, Content, streams_of
from toolkit.render.page_raster import as_image, rasterize
from toolkit.render.print_run import THREADS
from toolkit.render.renderer import EngineError, Progress, no_progress
from toolkit.render.sizes import POINTS_PER_INCH

DPI = 300
_QUALITY = 92
_ATTEMPTS = 4
_INVISIBLE_MODE = 3
_COMPARISON_DPI = 72
_VISIBLE_DIFFERENCE = 40
"""The difference of a channel, of 255, that counts. Antialiased edges of letters differ less; covered text
differs more."""

_BLACK, _WHITE = 0.2, 0.95
"""Greys up to and from which text is printed solid and white, because a screen would fray small letters."""

_COLOURLESS = 0.12
_DARK = 0.05

_DATE = "D:20000101000000Z"
"""A fixed date, which the standard requires: the same cards give the same bytes."""

_LEVELS_OF_A_PERCENT = 2.55
"""How much of an ink is 1 %, in the levels of a pixel: 255 are 100 %."""

Operations = list[tuple[Any, str]]
"""Operators with their operands."""

_SET_STATE = ""
"""A pseudo-operator among those of the text: its operand is the ``_TextState`` of the text that follows."""


def profile() -> bytes:
    """Return the shipped ICC profile: SWOP 2006 on coated paper, with at most 240 % of ink."""
    return (files("toolkit.press") / "profiles" / "swop2006-coated3.icc").read_bytes()


def total_ink(picture: Image.Image) -> float:
    """Return the maximum of ink of a pixel of a CMYK picture, in %: 400 are all four inks."""
    total = ImageMath.lambda_eval(
        lambda of: of["c"] + of["m"] + of["y"] + of["k"], **dict(zip("cmyk", picture.split(), strict=True))
    )
    _, most = total.getextrema()
    return float(most) / _LEVELS_OF_A_PERCENT


def limit_ink(picture: Image.Image, most: float) -> Image.Image:
    """Return a CMYK picture with at most ``most`` % of ink a pixel; inks other than black are reduced."""
    if total_ink(picture) <= most:
        return picture
    cyan, magenta, yellow, black = picture.split()
    given_inks = {"cyan": cyan, "magenta": magenta, "yellow": yellow, "black": black}
    # the factor by which the coloured inks of each pixel are reduced
    share = ImageMath.lambda_eval(
        lambda of: of["min"](
            of["max"](most * _LEVELS_OF_A_PERCENT - of["float"](of["black"]), 0)
            / of["max"](of["cyan"] + of["magenta"] + of["yellow"], 1),
            1,
        ),
        **given_inks,
    )
    faded = [
        ImageMath.lambda_eval(lambda of: of["convert"](of["ink"] * of["share"], "L"), ink=ink, share=share)
        for ink in (cyan, magenta, yellow)
    ]
    return Image.merge("CMYK", (*faded, black))


def press_pdf(pdf: bytes, most_ink: float, progress: Progress = no_progress) -> bytes:
    """Return a PDF of one card a page as PDF/X-1a:2003 with at most ``most_ink`` % of ink.

    Equal pages are converted once. The boxes of the pages stay. Raises ``EngineError``.
    """
    try:
        with pikepdf.open(io.BytesIO(pdf)) as source, pikepdf.new() as pressed:
            pages = list(source.pages)
            keys = [_appearance_key(page) for page in pages]
            # unequal pages, each as the index of the first page that looks so
            numbers = sorted({key: number for number, key in reversed(list(enumerate(keys)))}.values())
            converted: dict[object, tuple[pikepdf.Object, pikepdf.Object]] = {}
            for number, converted_page in zip(
                numbers, _convert_pages(pdf, source, numbers, most_ink), strict=True
            ):
                converted[keys[number]] = _embed(pressed, converted_page)
                progress(len(converted), len(numbers))
            for page, key in zip(pages, keys, strict=True):
                content, resources = converted[key]
                _add_page(pressed, page, content, resources)
            _declare_pdfx(pressed, source)
            stream = io.BytesIO()
            # Object streams came with PDF 1.5, which PDF/X-1a does not allow.
            plain = pikepdf.ObjectStreamMode.disable
            pressed.save(stream, deterministic_id=True, object_stream_mode=plain, force_version="1.3")
            return stream.getvalue()
    except (pikepdf.PdfError, ImageCms.PyCMSError, RuntimeError) as error:  # PDFium raises the last
        raise EngineError(f"The colours cannot be converted: {error}") from error


class _Picture(Struct, frozen=True):
    """A CMYK picture: its size in pixels, and its content as JPEG or as plain pixels."""

    size: tuple[int, int]
    content: bytes
    is_jpeg: bool


class _ConvertedPage(Struct, frozen=True):
    """A converted page: its size in points, its picture, and the text above it with its fonts."""

    size: tuple[float, float]
    picture: _Picture
    text: bytes
    fonts: dict[str, pikepdf.Object]


def _appearance_key(page: pikepdf.Page) -> object:
    """Return a key that is equal for pages that look the same."""
    forms: Any = page.resources.get("/XObject", {})
    boxes = tuple(tuple(map(float, box)) for box in (page.mediabox, page.trimbox))
    content = tuple([stream.read_bytes() for stream in streams_of(page)])
    return content, boxes, tuple(sorted((name, form.objgen) for name, form in forms.items()))


def _convert_pages(
    pdf: bytes, source: pikepdf.Pdf, numbers: Sequence[int], most_ink: float
) -> Iterator[_ConvertedPage]:
    """Convert pages in order. PDFium is not thread-safe and stays in this thread; others convert colours."""
    splitter = _Splitter(source)
    split_pages = [splitter.page(source.pages[number]) for number in numbers]
    stream = io.BytesIO()
    with pikepdf.new() as drawn:  # two pages for each: without its text, and with it on top
        for split_page in split_pages:
            drawn.pages.extend((split_page.below, split_page.both))
        drawn.save(stream)
    original, layers = pypdfium2.PdfDocument(pdf), pypdfium2.PdfDocument(stream.getvalue())
    waiting: deque[tuple[_Split, Future[_Picture]]] = deque()
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            for position, (number, split_page) in enumerate(zip(numbers, split_pages, strict=True)):
                whole, below, text_on_top = original[number], layers[2 * position], layers[2 * position + 1]
                if _look_different(whole, text_on_top):  # some of the text was covered
                    split_page, below = _with_invisible_text(split_page), whole
                waiting.append((split_page, pool.submit(_convert, _rasterize(below, DPI), most_ink)))
                if len(waiting) > 2 * THREADS:  # so that few pictures are kept at once
                    yield _converted(*waiting.popleft())
            while waiting:
                yield _converted(*waiting.popleft())
    finally:
        original.close()
        layers.close()


def _with_invisible_text(split_page: _Split) -> _Split:
    """Return a page whose text is in its picture, and only for searching above it."""
    text = [
        ([_TextState(None)] if code == _SET_STATE else operands, code) for operands, code in split_page.text
    ]
    return replace(split_page, text=text)


def _converted(split_page: _Split, picture: Future[_Picture]) -> _ConvertedPage:
    """Return a page once its picture is converted."""
    _, _, width, height = map(float, split_page.below.mediabox)
    text = _text_operators(split_page.text, in_black=True)
    return _ConvertedPage((width, height), picture.result(), text, split_page.fonts)


_ROUNDING_OF_WIDTH, _ROUNDING_OF_SCALED = 0.05, 0.01
"""Parts of a pixel."""


def _rasterize(page: Any, dpi: float) -> Image.Image:
    """Rasterize a page; its width is rounded up to whole pixels, its height to as many as go with that.

    So little beyond a whole pixel as a PDF may round its sides by gets no pixel of its own.
    """
    wide, high = page.get_width(), page.get_height()
    width = math.ceil(wide * dpi / POINTS_PER_INCH - _ROUNDING_OF_WIDTH)
    height = math.ceil(high * (width - _ROUNDING_OF_SCALED) / wide)
    return as_image(rasterize(page, (width, height)))


def _look_different(whole: Any, layers: Any) -> bool:
    """Whether a page looks different with its text on top: then some of it was covered and must stay so."""
    difference = ImageChops.difference(
        _rasterize(whole, _COMPARISON_DPI), _rasterize(layers, _COMPARISON_DPI)
    )
    # a histogram counts the pixels of each level
    return any(any(band.histogram()[_VISIBLE_DIFFERENCE:]) for band in difference.split())


@lru_cache(maxsize=1)
def _transform() -> ImageCms.ImageCmsTransform:
    """Return the conversion from the colours of a screen to the inks of the shipped profile."""
    return ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        ImageCms.ImageCmsProfile(io.BytesIO(profile())),
        "RGB",
        "CMYK",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def _convert(picture: Image.Image, most_ink: float) -> _Picture:
    """Convert a picture to a CMYK JPEG, or to plain pixels if that has too much ink after some attempts.

    JPEG is lossy: its artefacts at the edges of dark shapes have more ink than the pixels that were encoded.
    """
    inks = ImageCms.applyTransform(picture, _transform())
    assert inks is not None  # only a conversion in place returns nothing
    allowed = most_ink
    for _ in range(_ATTEMPTS):
        stream = io.BytesIO()
        limit_ink(inks, allowed).save(stream, "JPEG", quality=_QUALITY, subsampling=0)
        with Image.open(stream) as encoded:
            excess = total_ink(encoded) - most_ink
        if excess <= 0:
            return _Picture(inks.size, stream.getvalue(), is_jpeg=True)
        allowed -= excess + 1
    return _Picture(inks.size, limit_ink(inks, most_ink).tobytes(), is_jpeg=False)


class _TextState(Struct, frozen=True):
    """The graphics state of text: colour (None: neither RGB nor grey), rendering mode, whether it is opaque.

    ``blended``: it is in a form that is not opaque as a whole, whatever the state inside the form is.
    """

    fill: tuple[float, float, float] | None = (0.0, 0.0, 0.0)
    mode: int = 0
    opaque: bool = True
    blended: bool = False

    @property
    def ink(self) -> float | None:
        """The share of black ink for the text, 0 to 1; None if it stays in the picture.

        Text in a colour stays, unless that is too dark to be told from black.
        """
        if self.fill is None or self.mode or self.blended or not self.opaque:  # it is not plain
            return None
        is_coloured = max(self.fill) - min(self.fill) > _COLOURLESS
        if is_coloured and _luminance(self.fill) > _DARK:
            return None
        red, green, blue = self.fill
        grey = 0.299 * red + 0.587 * green + 0.114 * blue  # the weights of Rec. 601
        return 1.0 if grey < _BLACK else 0.0 if grey > _WHITE else round(1 - grey, 2)


def _luminance(colour: tuple[float, float, float]) -> float:
    """Return how much light an sRGB colour gives: 0 is black, 1 white (IEC 61966-2-1)."""
    red, green, blue = (
        ((channel + 0.055) / 1.055) ** 2.4 if channel > 0.04 else channel / 12.92 for channel in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class _Split(Struct, frozen=True):
    """A page without its text, the text with its fonts, and both together."""

    below: pikepdf.Page
    both: pikepdf.Page
    text: Operations
    fonts: dict[str, pikepdf.Object]


class _SplitContent(NamedTuple):
    """The operators below the text, the text, the resources of the content, and the text's fonts."""

    below: bytes
    text: Operations
    resources: pikepdf.Object
    fonts: dict[str, pikepdf.Object]


class _SplitForm(NamedTuple):
    """A form without its text, the text as operators of the content that draws the form, and its fonts."""

    below: pikepdf.Object
    text: Operations
    fonts: dict[str, pikepdf.Object]


_PATH = frozenset(("m", "l", "c", "v", "y", "h", "re"))
_PAINT_PATH = frozenset(("f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"))
_SHOW_TEXT = frozenset(("Tj", "TJ", "'", '"'))
_TEXT_PLACE = frozenset(("q", "Q", "cm", "BT", "ET", "Td", "TD", "Tm", "T*", "Tc", "Tw", "Tz", "TL", "Ts"))
_COMPONENTS = {"g": 1, "rg": 3}


class _Splitter(Struct):
    """Splits the pages of a PDF; a form that several pages use is read once."""

    pdf: pikepdf.Pdf
    _forms: dict[object, _SplitForm] = field(default_factory=dict)

    def page(self, page: pikepdf.Page) -> _Split:
        """Split a page."""
        content = Content.of(page, _TextState(), pikepdf.parse_content_stream)
        below, text, resources, fonts = self._split(content)
        return _Split(
            self._derived_page(page, below, resources),
            self._derived_page(
                page, b"q\n" + below + b"\nQ\n" + _text_operators(text, in_black=False), resources, fonts
            ),
            text,
            fonts,
        )

    def _derived_page(
        self,
        page: pikepdf.Page,
        content: bytes,
        resources: Any,
        fonts: dict[str, pikepdf.Object] | None = None,
    ) -> pikepdf.Page:
        """Return a new page with that content and with size and transparency of another page."""
        if fonts:
            resources = pikepdf.Dictionary(resources)
            resources["/Font"] = pikepdf.Dictionary({**resources.get("/Font", {}), **fonts})
        like = pikepdf.Dictionary(Type=pikepdf.Name("/Page"), MediaBox=page.mediabox, Resources=resources)
        like.Contents = self.pdf.make_stream(content)
        if "/Group" in page.obj:
            like.Group = page.obj.Group
        return pikepdf.Page(self.pdf.make_indirect(like))

    def _form(self, form: pikepdf.Object, content: Content[_TextState]) -> _SplitForm:
        """Split a form that is drawn in the state of its ``content``; in each state only once."""
        key = (form.objgen, content.state)
        if key not in self._forms:
            split_content = self._split(content)
            new_form = self.pdf.make_stream(split_content.below)
            for name in set(form.keys()) - {"/Length", "/Filter", "/DecodeParms"}:
                new_form[name] = form[name]
            new_form["/Resources"] = split_content.resources
            # Outside of its form, the text needs the matrix and the clipping that come with a form.
            transform: Operations = [(list(form["/Matrix"]), "cm")] if "/Matrix" in form else []
            text: Operations = [
                ([], "q"),
                *transform,
                *_clip_to(form["/BBox"]),
                *split_content.text,
                ([], "Q"),
            ]
            self._forms[key] = _SplitForm(new_form, text, split_content.fonts)
        return self._forms[key]

    def _split(self, content: Content[_TextState]) -> _SplitContent:
        """Split the operators of a page or form.

        Below stays everything, with text in black ink made invisible. To the text go the operators that show
        it, its fonts, and what says where it stands and how it is clipped.
        """
        below: Operations = []
        text: Operations = []
        fonts: dict[str, pikepdf.Object] = {}
        forms: dict[str, pikepdf.Object] = {}
        path: Operations = []
        clip: str | None = None
        for operator, operands in content:
            below.append((operands, operator))
            content.state = state = _state_after(operator, operands, content)
            if operator in _TEXT_PLACE:
                text.append((operands, operator))
            elif operator in _PATH:
                path.append((operands, operator))
            elif operator in ("W", "W*"):
                clip = operator
            elif operator in _PAINT_PATH:
                text += [*path, ([], clip), ([], "n")] if clip else []
                path, clip = [], None
            elif operator == "Tf":
                font_name, size = operands
                font = content.resource("/Font", font_name)
                object_number, _ = font.objgen
                unique_name = f"/T{object_number}"
                fonts[unique_name] = font
                text.append(([pikepdf.Name(unique_name), size], "Tf"))
            elif operator in _SHOW_TEXT:
                text += [([state], _SET_STATE), (operands, operator)]
                if state.ink is not None:
                    below[-1:] = [([_INVISIBLE_MODE], "Tr"), below[-1], ([state.mode], "Tr")]
            elif operator == "Do":
                name = str(operands[0])
                form = self._form_drawn(name, content)
                if form is not None:
                    # A new name for each use: the same form may be drawn in several states.
                    unique_name = f"{name}_{len(forms)}"
                    forms[unique_name] = form.below
                    below[-1] = ([pikepdf.Name(unique_name)], "Do")
                    text += form.text
                    fonts |= form.fonts
        resources = pikepdf.Dictionary(content.resources)
        if forms:
            resources["/XObject"] = pikepdf.Dictionary({**content.resources.get("/XObject", {}), **forms})
        return _SplitContent(_serialize(below), text, resources, fonts)

    def _form_drawn(self, name: str, content: Content[_TextState]) -> _SplitForm | None:
        """Split the form that a content draws by a name; None for a picture, or if forms lie too deep."""
        xobject = content.resource("/XObject", name)
        if xobject.get("/Subtype") != "/Form" or content.depth >= MAX_DEPTH:
            return None
        state = content.state
        state_within = replace(state, blended=state.blended or not state.opaque)
        return self._form(xobject, content.form(xobject, state_within))


def _state_after(operator: str, operands: Sequence[Any], content: Content[_TextState]) -> _TextState:
    """Return the state of text after an operator: the same as before unless it sets a part of the state."""
    state = content.state
    if operator in ("g", "rg", "k", "cs", "sc", "scn"):
        return replace(state, fill=_fill_colour(operator, operands))
    if operator == "gs":
        settings = content.resource("/ExtGState", operands[0])
        return replace(state, opaque=_is_opaque(settings, state.opaque))
    if operator == "Tr":
        return replace(state, mode=int(operands[0]))
    return state


def _clip_to(box: pikepdf.Object) -> Operations:
    """Return the operators that clip what follows to a rectangle."""
    left, bottom, right, top = (float(side) for side in box)
    return [([left, bottom, right - left, top - bottom], "re"), ([], "W"), ([], "n")]


def _fill_colour(operator: str, operands: Sequence[Any]) -> tuple[float, float, float] | None:
    """Return red, green and blue of a fill colour; None if it is not RGB or grey."""
    if len(operands) != _COMPONENTS.get(operator):
        return None
    channels = [float(operand) for operand in operands]
    red, green, blue = channels * 3 if operator == "g" else channels
    return red, green, blue


def _is_opaque(settings: pikepdf.Object, was_opaque: bool) -> bool:
    """Whether text is opaque in a graphics state, which may say nothing about it and leaves it as it was."""
    if not {"/ca", "/SMask", "/BM"} & set(settings.keys()):
        return was_opaque
    is_blended = str(settings.get("/BM", "/Normal")) not in ("/Normal", "/Compatible")
    is_masked = str(settings.get("/SMask", "/None")) != "/None"
    return float(settings.get("/ca", 1)) == 1 and not is_masked and not is_blended


def _text_operators(text: Operations, in_black: bool) -> bytes:
    """Return the operators of the text above a picture, in black ink or in its colours, else invisible.

    The colour of a text is only written where another one is in force.
    """
    operations: Operations = []
    in_force: Operations | None = None
    saved: list[Operations | None] = []
    for operands, operator in text:
        if operator == _SET_STATE:
            (state,) = operands
            colour = _colour_operations(state, in_black)
            if colour != in_force:
                operations += colour
                in_force = colour
            continue
        if operator == "q":
            saved.append(in_force)
        elif operator == "Q":
            in_force = saved.pop() if saved else None
        operations.append((operands, operator))
    return _serialize(operations)


def _colour_operations(state: _TextState, in_black: bool) -> Operations:
    """Return the operators that set the rendering mode and colour of text in a state."""
    if state.ink is None or state.fill is None:
        return [([_INVISIBLE_MODE], "Tr")]
    colour: tuple[Any, str] = ([0, 0, 0, state.ink], "k") if in_black else (list(state.fill), "rg")
    return [([0], "Tr"), colour]


def _serialize(operations: Operations) -> bytes:
    return pikepdf.unparse_content_stream(
        [(operands, pikepdf.Operator(operator)) for operands, operator in operations]
    )


def _embed(pressed: pikepdf.Pdf, converted_page: _ConvertedPage) -> tuple[pikepdf.Object, pikepdf.Object]:
    """Return the content and the resources of a converted page, which all pages like it share."""
    picture = pressed.make_stream(converted_page.picture.content)
    picture["/Type"], picture["/Subtype"] = pikepdf.Name("/XObject"), pikepdf.Name("/Image")
    picture["/Width"], picture["/Height"] = converted_page.picture.size
    picture["/ColorSpace"], picture["/BitsPerComponent"] = pikepdf.Name("/DeviceCMYK"), 8
    if converted_page.picture.is_jpeg:
        picture["/Filter"] = pikepdf.Name("/DCTDecode")
        picture["/Decode"] = pikepdf.Array([1, 0] * 4)  # Pillow writes CMYK JPEGs inverted, as Photoshop does
    width, height = converted_page.size
    content = f"q {width:.3f} 0 0 {height:.3f} 0 0 cm /P Do Q\n".encode() + converted_page.text
    fonts = {name: pressed.copy_foreign(font) for name, font in converted_page.fonts.items()}
    resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=picture), Font=pikepdf.Dictionary(fonts))
    return pressed.make_stream(content), pressed.make_indirect(resources)


def _add_page(
    pressed: pikepdf.Pdf, page: pikepdf.Page, content: pikepdf.Object, resources: pikepdf.Object
) -> None:
    """Add a page with that content and the boxes of another."""
    boxes = {
        name: [float(side) for side in page.obj[name]] for name in ("/MediaBox", "/TrimBox", "/BleedBox")
    }
    like = pikepdf.Dictionary({name: pikepdf.Array(box) for name, box in boxes.items()})
    like.Type, like.Contents, like.Resources = pikepdf.Name("/Page"), content, resources
    pressed.pages.append(pikepdf.Page(pressed.make_indirect(like)))


def _declare_pdfx(pressed: pikepdf.Pdf, source: pikepdf.Pdf) -> None:
    """Declare PDF/X-1a:2003 and its inks, and copy the metadata of the source."""
    for name in ("/Title", "/Author", "/Subject", "/Creator", "/Producer"):
        if name in source.docinfo:
            pressed.docinfo[name] = str(source.docinfo[name])
    for name in ("/Lang", "/Metadata"):  # the standard is based on PDF 1.4
        if name in source.Root:
            value = source.Root[name]
            pressed.Root[name] = (
                pressed.copy_foreign(value) if isinstance(value, pikepdf.Stream) else str(value)
            )
    pressed.docinfo["/CreationDate"] = pressed.docinfo["/ModDate"] = _DATE
    pressed.docinfo["/Trapped"] = pikepdf.Name("/False")
    pressed.docinfo["/GTS_PDFXVersion"] = "PDF/X-1a:2003"  # DriveThruCards takes no other
    inks = pressed.make_stream(profile())
    inks["/N"], inks["/Alternate"] = 4, pikepdf.Name("/DeviceCMYK")
    intent = pikepdf.Dictionary(
        Type=pikepdf.Name("/OutputIntent"),
        S=pikepdf.Name("/GTS_PDFX"),
        OutputConditionIdentifier="CGATS TR 003",
        OutputCondition="SWOP 2006, coated paper 3",
        RegistryName="http://www.color.org",
        Info="SWOP 2006, coated paper 3",
        DestOutputProfile=inks,
    )
    pressed.Root["/OutputIntents"] = pikepdf.Array([intent])
