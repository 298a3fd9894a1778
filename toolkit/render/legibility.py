"""Detection of words that are too small or too faint to be read, and of pictures with a low resolution.

Sizes, colours and places are read from the page that the engine wrote, whatever template or style sheet led
to them; the background of words is read from a picture of the page. Type is small below 6 pt, or below the
project's minimum if that is lower; the contrast is that of WCAG 2.2, success criterion 1.4.3: 4.5 : 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pikepdf

from toolkit.data.art.picture_files import read_picture
from toolkit.render.colours import MIN_CONTRAST, contrast
from toolkit.render.content_streams import IDENTITY, MAX_DEPTH, Content, matrix_product
from toolkit.render.drawn_pictures import DrawnPicture
from toolkit.render.face import Face
from toolkit.render.fit import FLOOR
from toolkit.render.picture_placeholders import Original, placeholder_key
from toolkit.render.renderer import Raster
from toolkit.render.sizes import POINTS_PER_INCH, POINTS_PER_MM

BACKGROUND_DPI = 150
"""The resolution of the picture from which the background of words is read."""

_ROUNDING = 0.02
"""The tolerance of sizes in pt and of contrast ratios."""

_EVEN_SHARE = 0.3
"""Words lie on one colour if it has at least this share of the pixels around their first letter.

The pixels at the edges of letters are mixed.
"""

_parse = partial(pikepdf.parse_content_stream, operators="q Q cm Tm Td T* Tf Tj TJ rg g Do")

_BLACK = "#000000"

_FIELDS_WITH_WORDS = (
    *("squadpoints", "team_name", "traits", "stats", "skills"),
    *("flavour", "value", "badge", "imprint"),
)


class PrintedWords(NamedTuple):
    """Words as they are printed: size in pt, colour as ``#rrggbb``, and their beginning on the page.

    ``corner`` is the lower left corner of the first letter in pt, None if unknown; ``along`` the direction of
    the line, a vector with the length of the font size.
    """

    text: str
    size: float
    colour: str | None
    corner: tuple[float, float] | None
    along: tuple[float, float]


class FaintWords(NamedTuple):
    """Words with too little contrast to the colour behind them, which is ``ground``."""

    words: PrintedWords
    ground: str
    ratio: float


def design_of(face: Face) -> Hashable:
    """Return a key that is equal for cards on which a template prints the same labels."""
    return face.kind, len(face.stats), fields_of(face)


def fields_of(face: Face) -> frozenset[str]:
    """Return the names of the fields with printed words that are not empty."""
    return frozenset(name for name in _FIELDS_WITH_WORDS if getattr(face, name))


def field_of(face: Face, text: str) -> str:
    """Return the template expression that prints a text, such as ``stat.value``; empty if unknown."""
    texts = {
        "kind_label": face.kind_label,
        "stat.icon": [stat.icon for stat in face.stats],
        "team_name": face.team_name,
        "traits": face.traits,
        "face.name": face.name,
        "squadpoints": face.squadpoints,
        "badge": [face.badge.text, face.badge.unit, face.badge.enemy] if face.badge else None,
        "face.value": face.value,
        "stat.value": [stat.value for stat in face.stats],
    }
    printed_text = text.strip().casefold()
    for field, texts_of_field in texts.items():
        words = texts_of_field if isinstance(texts_of_field, (list, tuple)) else [texts_of_field]
        if printed_text in [str(word).casefold() for word in words if word is not None]:
            return field
    return ""


def small_words(page: pikepdf.Page, floor: float) -> Iterator[PrintedWords]:
    """Yield the words of a page in smaller type than ``floor`` (pt), each text once."""
    least = min(floor, FLOOR) - _ROUNDING
    words_by_text = {words.text: words for words in words_of(page, least) if words.text.strip()}
    yield from words_by_text.values()


def faint_words(page: pikepdf.Page, raster: Raster) -> Iterator[FaintWords]:
    """Yield the words with too little contrast to the colour behind them, each text once.

    ``raster`` shows the whole page. Words on a picture are skipped.
    """
    faint_by_text: dict[str, FaintWords] = {}
    _, _, _, height = map(float, page.mediabox)
    for words in words_of(page):
        ground = _background(words, raster, height) if words.text.strip() else None
        if ground is not None and words.colour is not None:
            ratio = contrast(words.colour, ground)
            if ratio < MIN_CONTRAST - _ROUNDING:
                faint_by_text.setdefault(words.text, FaintWords(words, ground, ratio))
    yield from faint_by_text.values()


def words_of(page: pikepdf.Page, below: float = math.inf) -> Iterator[PrintedWords]:
    """Yield all words of a page in smaller type than ``below`` (pt)."""
    yield from _words(Content.of(page, _BLACK, _parse), below)


def _words(content: Content[str], below: float) -> Iterator[PrintedWords]:
    """Yield the words of a page or a form; the state of its content is the colour of words."""
    if content.depth > MAX_DEPTH or not {"/Font", "/XObject"} & set(content.resources.keys()):
        return
    text, font, size = IDENTITY, "", 1.0
    has_position = False  # only the first words behind a `Tm` are where its matrix says
    for operator, operands in content:
        if operator == "Tm":
            text, has_position = matrix_product(operands, IDENTITY), True
        elif operator in ("Td", "T*"):
            has_position = False
        elif operator == "Tf":
            font, size = str(operands[0]), float(operands[1])
        elif operator in ("rg", "g"):
            channels = operands if operator == "rg" else [operands[0]] * 3
            content.state = "#" + "".join(f"{round(255 * float(channel)):02x}" for channel in channels)
        elif operator in ("Tj", "TJ"):
            a, b, c, d, x, y = matrix_product(text, content.matrix)
            high = size * math.hypot(c, d)
            if high < below:
                strings = operands if operator == "Tj" else operands[0]
                codes = b"".join(bytes(string) for string in strings if isinstance(string, pikepdf.String))
                letters = _decoded(codes, content.resource("/Font", font))
                corner = (x, y) if has_position else None
                yield PrintedWords(letters, high, content.state, corner, (a * size, b * size))
            has_position = False
        elif operator == "Do":
            xobject = content.resource("/XObject", operands[0])
            if xobject.get("/Subtype") == "/Form":
                yield from _words(content.form(xobject, _BLACK), below)


_RANGES = re.compile(rb"beginbf(?P<kind>range|char)(?P<content>.*?)endbf", re.DOTALL)
_CODES = re.compile(rb"<([0-9a-fA-F]+)>")


def _decoded(string: bytes, font: pikepdf.Object) -> str:
    """Return the letters of a string by the ``ToUnicode`` map of its font."""
    letters: dict[int, str] = {}
    for block in _RANGES.finditer(font.ToUnicode.read_bytes() if "/ToUnicode" in font else b""):
        codes = _CODES.findall(block["content"])
        if block["kind"] == b"range":  # rows of first code, last code and letters
            rows = zip(codes[::3], codes[1::3], codes[2::3], strict=False)
        else:  # rows of code and letters: a range of one
            rows = zip(codes[::2], codes[::2], codes[1::2], strict=False)
        for first_code, last_code, letters_of_first in rows:
            first, last = int(first_code, 16), int(last_code, 16)
            text = bytes.fromhex(letters_of_first.decode()).decode("utf-16-be", "replace")
            for code in range(first, last + 1):  # the last letter counts on with the code
                letters[code] = text[:-1] + chr(ord(text[-1]) + code - first) if text else ""
    width = 2 if font.get("/Subtype") == "/Type0" else 1  # bytes of a code
    numbers = (int.from_bytes(string[index : index + width], "big") for index in range(0, len(string), width))
    return "".join(letters.get(number, chr(number) if width == 1 else "") for number in numbers)


def _background(words: PrintedWords, raster: Raster, height: float) -> str | None:
    """Return the most common colour around the first letter except that of the words; None if it is mixed."""
    if words.corner is None or words.colour is None:
        return None
    scale = raster.height / height
    (x, y), (right, up) = words.corner, words.along
    # a box around the letter, in font sizes along the line and above it, which may run in any direction
    corners = [
        (x + right * along - up * above, y + up * along + right * above)
        for along in (-0.2, 0.6)
        for above in (-0.1, 0.8)
    ]
    xs, ys = zip(*corners, strict=True)
    left, end = round(min(xs) * scale), round(max(xs) * scale)
    top, bottom = round((height - max(ys)) * scale), round((height - min(ys)) * scale)
    colour_counts: Counter[bytes] = Counter()  # colours as blue, green and red
    for row in range(max(top, 0), min(bottom, raster.height)):
        row_begin = row * raster.width
        line = raster.bgra[4 * (row_begin + max(left, 0)) : 4 * (row_begin + max(end, 0))]  # 4 bytes a pixel
        colour_counts.update(line[index : index + 3] for index in range(0, len(line), 4))
    colour_of_words = bytes.fromhex(words.colour[1:])[::-1]
    dots = colour_counts.total() - colour_counts.pop(colour_of_words, 0)
    ground = max(colour_counts, key=lambda colour: colour_counts[colour], default=colour_of_words)
    return "#" + ground[::-1].hex() if colour_counts[ground] >= _EVEN_SHARE * dots else None


MIN_DPI = 200
"""Below this, the pixels of a picture are visible on a printed card."""

_DPI_ROUNDING = 0.5
"""The tolerance of resolutions, because sizes in a PDF are rounded."""


class CoarsePicture(NamedTuple):
    """A picture of a card with too few pixels: its size in pixels, its width in print in mm, and its dpi."""

    picture: Path
    region: str
    pixels: tuple[int, int]
    width: float
    dpi: float

    @property
    def wanted(self) -> tuple[int, int]:
        """The size in pixels that would be sufficient."""
        width, height = self.pixels
        factor = MIN_DPI / self.dpi
        return math.ceil(width * factor), math.ceil(height * factor)


def coarse_pictures(
    face: Face, drawn: Iterable[DrawnPicture], original_of: Callable[[Path], Original | None]
) -> Iterator[CoarsePicture]:
    """Yield the pictures of a card that are printed below ``MIN_DPI``, by what its page draws.

    ``original_of`` returns the picture of a path if the page has a grey placeholder with its key instead.
    """
    sizes_by_identity = _printed_sizes(drawn)
    if not sizes_by_identity:
        return  # so that no file is opened for a page without pictures
    for path, region in ((face.art, "art"), (face.team_logo, "team")):
        if not path:
            continue
        original = original_of(path)
        pixels = original.size if original else _pixels_of(path)
        if pixels is None:
            continue
        for (pixels_wide, pixels_high), identity in _identities(pixels, original).items():
            for width, height in sizes_by_identity.get(identity, ()):
                if not width or not height:
                    continue  # it is drawn as a line or a point: nothing of it can be seen
                dpi = min(pixels_wide / width, pixels_high / height) * POINTS_PER_INCH
                if dpi < MIN_DPI - _DPI_ROUNDING:
                    yield CoarsePicture(path, region, pixels, width / POINTS_PER_MM, dpi)


def _printed_sizes(drawn: Iterable[DrawnPicture]) -> dict[Hashable, list[tuple[float, float]]]:
    """Return the sizes in pt with which a page draws each picture, by the identity of the picture.

    That is the key of the picture for which a placeholder stands, else the size in pixels.
    """
    sizes_by_identity: dict[Hashable, list[tuple[float, float]]] = {}
    for image, width, height in drawn:
        identity = placeholder_key(image) or (int(image["/Width"]), int(image["/Height"]))
        sizes_by_identity.setdefault(identity, []).append((width, height))
    return sizes_by_identity


def _identities(pixels: tuple[int, int], original: Original | None) -> dict[tuple[int, int], Hashable]:
    """Return the identities that a picture can have on a page, by the pixels that it has there.

    A picture that was reduced for print has fewer pixels than its file and is not recognized without a
    placeholder; it has enough of them.
    """
    if original is not None:
        return {pixels: original.key}  # these pixels are those of the upright picture
    return {pixels: pixels, pixels[::-1]: pixels[::-1]}  # EXIF data may have turned it


def _pixels_of(path: Path) -> tuple[int, int] | None:
    """Return the size of a raster picture; None for a drawing, or if it cannot be read."""
    try:
        picture = read_picture(path) if path.suffix.lower() != ".svg" else None
    except OSError:
        return None
    return picture.size if picture else None
