"""Limits on the output of templates, checked before rendering: some HTML crashes or stalls an engine.

PlutoPrint 0.23 crashes on 100,000 nested elements, doubles its time with each level of nested tables, lays
out a box of 10,000 km on millions of pages, and exhausts the memory for drawings that repeat themselves. Tags
are read by the rules of HTML; in doubt this reader counts too many elements, never too few.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import chain
from string import ascii_uppercase
from typing import NamedTuple

from toolkit.data.art.drawing_costs import Cost, Costs, Linked
from toolkit.data.art.drawings import embedded_cost
from toolkit.data.art.style_imports import Import, imports_in_use, imports_of

MAX_DEPTH = 200
"""Nested elements; the shipped templates need 12."""

MAX_TABLE_DEPTH = 8
"""Nested tables."""

MAX_BRACKET_DEPTH = 1000
"""Nested brackets in styles; PlutoPrint crashes between 10,000 and 30,000."""

MAX_ELEMENTS = 10_000
"""Elements of a card, or of a document apart from its cards."""

MAX_IMPORTS = 20
"""Style sheets that one loads with all that they import in turn, and that the text of a card names; the
shipped templates need one. PlutoPrint loads a sheet again wherever it is imported: two that import each other
twice took 5.3 GB."""

MAX_IMPORTED_BYTES = 2_000_000
"""The size of all these style sheets together."""

MAX_SHEETS_SIZE = 10_000_000
"""Characters of all style sheets that a document of several cards loads; 40 MB took 0.9 GB and 4 s."""

_S = r"[ \t\n\f\r]"
_TAG = re.compile(
    rf"""<(?:(?P<end>/?)(?P<name>[a-zA-Z][^ \t\n\f\r/>]*)
    (?:[ \t\n\f\r/]|[^ \t\n\f\r"'<>/=]+(?=[ \t\n\f\r/>=])
    (?:{_S}*={_S}*(?:"[^"]*"|'[^']*'|[^ \t\n\f\r"'<>=`][^ \t\n\f\r"'<>`]*(?=[ \t\n\f\r>])))?)*?(?P<closed>/?)>
    |!--(?:-?>|[\s\S]*?--!?>)|!(?!\[|--)[^>]*>|(?P<torn>(?=[a-zA-Z/!?])))""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(
    rf"""(?P<key>[^ \t\n\f\r"'<>/=]+)"""
    rf"""(?:{_S}*={_S}*(?:"(?P<quoted>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^ \t\n\f\r"'<>]+)))?"""
)
_REPEATING = re.compile(r"<(?:use|image|pattern|mask|filter|marker|clippath|textpath|tref)|dasharray")
"""In lower case: without any of these, no drawing costs more than its tags."""

_EMBEDDING = re.compile(r"data:|s(?<!\ws)rc\b|url\(|@import|<link|&(?:#(?!3[49];)|colon|tab|newline)|\\")
"""What loads a picture or a style sheet, in small letters, or may hide that: entities but for quotes, escapes
of CSS."""

_SMALL_LETTERS = {ord(letter): letter.lower() for letter in ascii_uppercase}

_CAMEL_CASE = {
    name.lower(): name
    for name in ("feImage", "foreignObject", "linearGradient", "radialGradient", "textPath")
} | {"xlink:href": "http://www.w3.org/1999/xlink href"}
"""SVG names whose case HTML parsers restore."""

_HUGE_LENGTH = re.compile(
    r"\d(?:(?<![\w.#]\d)\d{5,}(?:\.\d*)?|e\+?\d+)(?:mm|cm|in|pt|px|pc|r?em|q|ch|ex|v[hw]|%)(?![\w-])"
)
_HUGE_NUMBER = re.compile(
    r"span\s*=\s*[\"']?\d{4}|start\s*=\s*[\"']?-?\d{7}|value\s*=\s*[\"']?-?\d{7}"
    r"|column(?:s|-count)\s*:[^;]*\d{3}|repeat\(\s*\d{4}"
)
"""In lower case: lengths, and numbers of columns and the like. Each alternative begins with a sign of its
own, so that most of a text is passed over: 130 ms for 540 cards instead of 330."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_VOID_ELEMENTS = word_set("area base br col embed hr img input link meta param source track wbr")
_TEXT_ELEMENTS = word_set("script style textarea title xmp iframe noembed noframes plaintext")
_MARKUP_IN_TEXT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|<!\[CDATA\[|\]\]>|<[^>]*(?:>|\Z)")
"""What an engine leaves out of the text of a style sheet in a drawing, where it is read as XML."""

_STYLE_ELEMENT = re.compile(r"<(?P<name>link|style)(?=[ \t\n\f\r/>])", re.IGNORECASE)
_STYLE_END = re.compile(r"</style(?=[ \t\n\f\r/>])", re.IGNORECASE)

_HTML_INTEGRATION_POINTS = word_set("foreignobject desc title")
_IMPLIED_END = {
    "p": word_set(
        "address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr "
        "main nav ol p pre section ul"
    ),
    "li": word_set("li"),
    "dt": word_set("dt dd"),
    "dd": word_set("dt dd"),
    "td": word_set("td th tr tbody tfoot"),
    "th": word_set("td th tr tbody tfoot"),
    "tr": word_set("tr tbody tfoot"),
    "thead": word_set("tbody tfoot"),
    "tbody": word_set("tbody tfoot"),
}
"""Elements whose end tag may be omitted, and the elements that close them."""

_ENDS_SVG = word_set(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
"""HTML elements that close the ``<svg>`` in which they occur."""


class Excess(NamedTuple):
    """What would stop an engine, its offset in the output, and what to do about it."""

    at: int
    message: str
    step: str = "Write a smaller measure, or close the brackets."


def excess(html: str, pages: int = 0, linked: Linked = lambda _address: Cost()) -> Excess | None:
    """Return what would stop the engine in a document with that number of cards, or None."""
    first_excess = _measure_excess(html) or _style_sheets_excess(html, pages + 1, linked)
    if first_excess is None:
        reader = _TagReader(html, pages + 1, linked)
        first_excess = reader.read()
        if first_excess is None and reader.painted is not None:
            # Only now it is known that each element counts.
            first_excess = _TagReader(html, pages + 1, linked, reader.painted).read()
    return first_excess


def style_sheet_excess(css: str) -> Excess | None:
    """Return the length, number, bracket or embedded drawing of a style sheet that would stop the engine."""
    for imported in imports_in_use(css):
        if not imported.is_style_sheet:
            return Excess(imported.at, _not_css(imported.reference), "Import .css files only.")
    costs = Costs(embedded_cost, styled=True)
    costs.style_sheet(css)
    if costs.refused is None:
        return _measure_excess(css)
    return Excess(max(css.lower().find("data:"), 0), f"a picture in it {costs.refused}")


def _measure_excess(css: str) -> Excess | None:
    """Return what in CSS is too large or nested too deep for the engine, if anything."""
    css = css.lower()
    huge = _HUGE_LENGTH.search(css) or _HUGE_NUMBER.search(css)
    if huge:
        return Excess(huge.start(), f"`{huge[0]}` is too much to be printed")
    if sum(map(css.count, "([{")) <= MAX_BRACKET_DEPTH:  # counting is fast, and usually enough
        return None
    depth = 0
    for bracket in re.finditer(r"[(\[{]|[)\]}]", css):
        depth = depth + 1 if bracket[0] in "([{" else max(depth - 1, 0)
        if depth > MAX_BRACKET_DEPTH:
            return Excess(bracket.start(), f"brackets nest more than {MAX_BRACKET_DEPTH} deep")
    return None


def _not_css(reference: str) -> str:
    return f"it imports `{reference}`, which is not a .css file"


def _style_sheets_excess(html: str, cards: int, linked: Linked) -> Excess | None:
    """Return the ``<link>`` or ``<style>`` that loads one style sheet too many, or what is none.

    All of them count, wherever they stand: that the engine takes them for text depends on all tags before.
    """
    sheet_count = size = 0
    sizes: dict[str, int] = {}
    for element in _STYLE_ELEMENT.finditer(html):
        tag = _TAG.match(html, element.start())
        if tag is None or tag["torn"] is not None:
            continue  # the reader of tags reports it
        is_link = element["name"].lower() == "link"
        # the sheets that it loads, once for each way in which an engine may read it
        sheets_by_reading = _linked_sheets(tag) if is_link else _imported_sheets(html, tag)
        sheet_count += max(map(len, sheets_by_reading))  # an engine reads it in one of these ways
        if sheet_count > MAX_IMPORTS * cards:
            return Excess(tag.start(), f"it loads more than {MAX_IMPORTS} style sheets")
        for imported in chain.from_iterable(sheets_by_reading):  # none may be wrong or large in any
            if not imported.is_style_sheet:
                return Excess(tag.start(), _not_css(imported.reference))
            if imported.reference not in sizes:
                sizes[imported.reference] = _loaded_size(imported.reference, linked)
            size += sizes[imported.reference]
            if size > MAX_SHEETS_SIZE:
                millions = MAX_SHEETS_SIZE // 1_000_000
                return Excess(tag.start(), f"it loads style sheets of more than {millions} MB")
    return None


def _linked_sheets(tag: re.Match[str]) -> list[list[Import]]:
    """Return the style sheet that a ``<link>`` loads, as ``_imported_sheets`` does; one for other purposes
    loads none."""
    attributes = _attributes(tag)
    is_sheet = "stylesheet" in attributes.get("rel", "").lower()
    return [[Import(0, attributes.get("href", "").strip())] if is_sheet else []]


def _imported_sheets(html: str, tag: re.Match[str]) -> list[list[Import]]:
    """Return the style sheets that a ``<style>`` loads, once for each way in which an engine may read it."""
    end = _STYLE_END.search(html, tag.end())
    css = html[tag.end() : end.start() if end else None]
    # what may be markup to one engine may begin or end a comment to another
    is_plain = "<" not in css and "&" not in css
    return [imports_in_use(css)] if is_plain else [imports_of(reading) for reading in _readings(css)]


def _loaded_size(reference: str, linked: Linked) -> int:
    """Return the characters of a style sheet and of what it imports; 0 for what is not loaded as one.

    The sum stays small: a sheet that loads too much in turn is not loaded.
    """
    sheet = linked(reference)
    if isinstance(sheet, Cost):
        return 0
    imports = imports_in_use(sheet.text)
    return len(sheet.text) + sum(_loaded_size(imported.reference, sheet.linked) for imported in imports)


def _readings(css: str) -> tuple[str, ...]:
    """Return the style sheet in an element as HTML reads it, and as XML does, to which drawings belong."""
    return tuple(dict.fromkeys((css, unescape(_MARKUP_IN_TEXT.sub("", css)))))


class _TagReader:
    """Reads the tags of a document; ``_open`` are the names of the open elements.

    ``_in_drawing`` says of each open element whether its content is that of a drawing, ``_counted`` whether
    it was added to ``_costs``. That gets the elements of all drawings together, because an engine looks for
    ids in the whole document, and what embeds pictures. ``_drawing_starts`` are the offsets of the drawings
    by their ids. ``painted`` is the offset of a style sheet that gives pictures to elements; if that is known
    before, all elements are added.
    """

    def __init__(self, html: str, cards: int, linked: Linked, painted: int | None = None) -> None:
        """Prepare to read a document of so many cards; costs are counted only where something may cost."""
        self._html = html
        self._cards = cards
        self._open: list[str] = []
        self._in_drawing: list[bool] = [False]
        self._tables = 0
        lower = html.lower()
        if len(lower) != len(html):  # some signs have two small letters, and offsets count here
            lower = html.translate(_SMALL_LETTERS)
        self._repeating = _REPEATING.search(lower) is not None
        # The last first, so that each is taken from the end of the list when its tag is read.
        self._embedding = [match.start() for match in _EMBEDDING.finditer(lower)][::-1]
        has_styles = "<style" in lower or "<link" in lower
        may_cost = self._repeating or self._embedding
        self._costs = Costs(embedded_cost, has_styles, linked) if may_cost else None
        self.painted = painted
        self._counts_all = painted is not None
        self._counted: list[bool] = []
        self._drawing_starts: dict[str, int] = {}

    def read(self) -> Excess | None:
        """Return the first excess, or None."""
        html, position, element_count, most = self._html, 0, 0, MAX_ELEMENTS * self._cards
        while tag := _TAG.search(html, position):
            start = tag.start()
            if self._costs and self._repeating and self._in_drawing[-1]:
                self._costs.text(html[position:start])
            if tag["torn"] is not None:
                return Excess(start, f"this tag cannot be read: {html[start : start + 30]!r}")
            position = tag.end()
            name = (tag["name"] or "").lower()
            if not name:  # a comment or a declaration
                continue
            if tag["end"]:
                problem = self._end(name)
            else:
                element_count += 1
                problem, position = self._element(name, tag)
            if element_count > most:
                problem = f"it prints more than {most:,} elements"
            if problem:
                return Excess(start, problem)
        return self._excess_of_drawings(self._costs) if self._costs else None

    def _element(self, name: str, tag: re.Match[str]) -> tuple[str | None, int]:
        """Read a start tag; return what is wrong with it, and the offset behind it and text without tags.

        In a drawing such text is read for tags, as the engine does.
        """
        html, begin = self._html, tag.end()
        in_drawing = any(self._in_drawing)  # the engine reads what is in a <foreignObject> as XML, too
        problem = self._start(name, tag)
        end = begin
        is_text = name in _TEXT_ELEMENTS and not (name == "title" and in_drawing)
        if is_text and problem is None:
            close = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE).search(html, begin)
            end = close.start() if close else len(html)
        if name == "style" and self._costs:
            css = html[begin:end]
            for text in _readings(css) if in_drawing else (css,):
                self._costs.style_sheet(text)
            problem = self._refused()
        if self.painted is None and self._costs and self._costs.painting:
            self.painted = tag.start()
        return problem, begin if self._in_drawing[-1] else end

    def _excess_of_drawings(self, costs: Costs) -> Excess | None:
        """Return what in drawings would take too long, if anything, with its place."""
        if self._counts_all and self.painted is not None:  # what a style sheet gives to cards is theirs alone
            problem = costs.excess(max(self._cards - 1, 1))
            return Excess(self.painted, f"a drawing of this style sheet {problem}") if problem else None
        problem = costs.excess(self._cards)
        if problem is None:
            return None
        starts = self._drawing_starts
        return Excess(starts[costs.costliest(starts)] if starts else 0, f"a drawing in it {problem}")

    def _refused(self) -> str | None:
        refused = self._costs.refused if self._costs else None
        return f"a picture in it {refused}" if refused else None

    def _count(self, costs: Costs, name: str, tag: re.Match[str], is_drawing: bool) -> None:
        """Add an element to the costs; of one that begins a drawing note the place, by its id."""
        attributes = _attributes(tag)
        if is_drawing and not self._in_drawing[-1]:
            made_up_id = f" {tag.start()}"  # with a space, as no id has one
            self._drawing_starts[attributes.setdefault("id", made_up_id)] = tag.start()
        costs.start(_CAMEL_CASE.get(name, name), attributes)

    def _start(self, name: str, tag: re.Match[str]) -> str | None:
        """Open an element, unless it is empty; return what is wrong with it."""
        in_drawing, is_closed = self._in_drawing[-1], bool(tag["closed"])
        if in_drawing and name in _ENDS_SVG:
            return f"<{name}> is inside an <svg>, where only drawings are allowed"
        while not in_drawing and self._open and name in _IMPLIED_END.get(self._open[-1], ()):
            self._pop()
        problem = None
        may_repeat = self._repeating and (name == "svg" or in_drawing or "svg" in self._open)
        costs_as_drawing = may_repeat or self._embeds(tag)
        is_counted = self._costs is not None and (costs_as_drawing or self._counts_all)
        if self._costs and is_counted:
            self._count(self._costs, name, tag, costs_as_drawing)
            problem = self._refused()
        is_drawing = name in ("svg", "math")
        is_empty = (is_closed and (in_drawing or is_drawing)) or (not in_drawing and name in _VOID_ELEMENTS)
        if is_empty:
            if self._costs and is_counted:
                self._costs.end()
            return problem
        self._counted.append(is_counted)
        self._open.append(name)
        self._in_drawing.append(is_drawing or (in_drawing and name not in _HTML_INTEGRATION_POINTS))
        self._tables += name == "table"
        if self._tables > MAX_TABLE_DEPTH:
            return f"it has more than {MAX_TABLE_DEPTH} tables in each other"
        if len(self._open) > MAX_DEPTH:
            return f"it has more than {MAX_DEPTH} elements in each other; is one never closed?"
        return problem

    def _embeds(self, tag: re.Match[str]) -> bool:
        """Whether a tag embeds a picture. Tags must be asked about in their order."""
        while self._embedding and self._embedding[-1] < tag.start():
            self._embedding.pop()
        return bool(self._embedding) and self._embedding[-1] < tag.end()

    def _end(self, name: str) -> str | None:
        """Close an element with what may stay open in it; return what is wrong in a drawing, else None.

        An end tag without a start tag closes nothing.
        """
        if self._in_drawing[-1] and name != self._open[-1]:
            return f"</{name}> closes nothing in this <svg>"
        for count, open_name in enumerate(reversed(self._open), 1):
            if open_name == name:
                for _ in range(count):
                    self._pop()
                break
            if open_name not in _IMPLIED_END:
                break
        return None

    def _pop(self) -> None:
        """Close the innermost open element."""
        if self._open.pop() == "table":
            self._tables -= 1
        self._in_drawing.pop()
        was_counted = self._counted.pop()
        if was_counted and self._costs:
            self._costs.end()


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    """Return the attributes of a tag; of those with the same name the first counts."""
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(tag[0], tag.end("name") - tag.start()):
        key, value = match["key"].lower(), match["quoted"] or match["single"] or match["bare"] or ""
        attributes.setdefault(_CAMEL_CASE.get(key, key), unescape(value))
    return attributes
