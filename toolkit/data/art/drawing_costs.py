"""The cost of rendering a drawing with everything that it repeats, computed without rendering it.

A kilobyte of SVG can expand to millions of elements: ``use`` in ``use``, a marker at each of many vertices, a
mask in a mask. Each element with an id begins a group, which records its own cost and how often it contains
which other groups. The sums are multiplied through, so the time depends on the length of the text only.
Where a style sheet or an ancestor decides how a shape is painted, the greatest possible cost is counted.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import truediv
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from msgspec import Struct, field
from msgspec.structs import astuple

from toolkit.data.art.drawing_styles import declarations
from toolkit.data.art.style_imports import imports_of

MAX_ELEMENTS = 100_000
"""Limit of elements: the engine needs about 2 kB for each, and seconds for all of them."""

MAX_VERTICES = 2_000_000
"""Limit of vertices, characters and dash lengths together."""

MAX_PIXELS = 25_000_000
"""Limit of pixels of embedded pictures, each counted as often as it is drawn."""

DEEPEST = 200
"""Limit of the nesting of elements, references included; the engine needs memory for each level."""

_MASK, _TRANSLUCENT, _PATTERN, _GRADIENT = 200.0, 5.0, 10.0, 0.05
"""The cost in plain elements of one with a mask, one with opacity, a pattern, a part of a gradient."""

_SHAPES = frozenset({"path", "line", "polyline", "polygon", "rect", "circle", "ellipse", "text", "tspan"})
_REPEATING = frozenset(
    {"use", "image", "feImage", "pattern", "linearGradient", "radialGradient", "textPath", "tref", "filter"}
)
_GRADIENTS = frozenset({"linearGradient", "radialGradient", "stop"})
LINKS = ("href", "http://www.w3.org/1999/xlink href", "src")
"""The attributes that refer to something to load or repeat, as expat names them."""
_INSIDE = re.compile(r"""url\(\s*["']?#([^"')\s]+)""")
_ADDRESS = re.compile(
    r"""(?:url\(|@import)\s*(?:"\s*(?P<quoted>[^"]*)|'\s*(?P<single>[^']*)|(?P<bare>[^"'()\s]*))""",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:(?P<code>[0-9a-fA-F]{1,6})\s?|(?P<char>.))", re.DOTALL)
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")
_TOKEN = re.compile(
    r"""("[^"\n\r\f]*"?|'[^'\n\r\f]*'?|url\(\s*[^"'\s)][^)]*)|/\*.*?(?:\*/|\Z)""", re.IGNORECASE | re.DOTALL
)
"""Strings and addresses of a style sheet, in which nothing is a comment; or a comment."""
_COMBINATORS = str.maketrans(">+~", "   ")
_ARGUMENTS = re.compile(r"""\([^()\s,"']*\)|\[[\w-]+(?:[~|^$*]?=(?:"[^"]*"|'[^']*'|[\w-]+))?\]""")
_SUBJECT = re.compile(r"[.#]?[\w-]+(?=[.#:]|$)")
_FONTS = (b"wOFF", b"wOF2", b"OTTO", b"true", b"\0\1\0\0")

_ENDLESS = 1e15
"""The cost of what contains itself, and the limit of sums: they stay finite, so that 0 times one is 0."""


class Cost(Struct, frozen=True):
    """The cost of rendering something."""

    elements: float = 0
    vertices: float = 0
    pixels: float = 0
    depth: int = 0

    def plus(self, other: Cost, times: float = 1, below: int = 0) -> Cost:
        """Return the sum of this and ``times`` another cost that is nested ``below`` levels deeper."""
        return Cost(
            min(self.elements + other.elements * times, _ENDLESS),
            min(self.vertices + other.vertices * times, _ENDLESS),
            min(self.pixels + other.pixels * times, _ENDLESS),
            max(self.depth, other.depth + below),
        )

    def or_more(self, other: Cost) -> Cost:
        """Return the maximum of both in each field."""
        return Cost(*map(max, astuple(self), astuple(other)))


_LIMITS = (MAX_ELEMENTS, MAX_VERTICES, MAX_PIXELS, DEEPEST)


class StyleSheet(NamedTuple):
    """The text of a style sheet that is linked or imported, and what measures what it asks for itself."""

    text: str
    linked: Linked


Linked = Callable[[str], Cost | StyleSheet]
"""Returns the cost of the drawing at an address, or the style sheet there."""


class _Group(Struct, eq=False):
    """An element with an id and what is inside of it, up to the next ids.

    ``own`` is its own cost; ``parts`` are the ids and groups that it contains, with how often and how deep.
    """

    own: Cost = Cost()
    parts: list[tuple[str | _Group, float, int]] = field(default_factory=list)
    shapes: int = 0
    vertices: float = 0

    def add(self, cost: Cost, times: float = 1, below: int = 0) -> None:
        """Add to its own cost."""
        self.own = self.own.plus(cost, times, below)


class Costs:
    """Sums up the cost of a drawing, fed element by element.

    ``embedded`` returns the cost of a picture, or why it is refused; ``linked`` the cost of the one at an
    address. ``styled`` says whether the drawing has a style sheet. ``painting`` is set once the style sheet
    has a picture that counts for each element that its rule selects.
    """

    def __init__(
        self,
        embedded: Callable[[bytes], Cost | str],
        styled: bool,
        linked: Linked = lambda _address: Cost(),
    ) -> None:
        self._measure = embedded
        self._linked = linked
        self._styled = styled
        self._root = _Group()
        self._open: list[tuple[_Group, int]] = [(self._root, 0)]
        self._groups = [self._root]
        self._ids: dict[str, list[_Group]] = {}
        self._paints: set[str] = set()
        self._markers: set[str] = set()
        self._dashes = 0
        self._elements = 0
        self.refused: str | None = None
        """Why an embedded picture cannot be drawn, as a phrase after "The drawing"."""
        self.painting = False
        self._sheets: set[str] = set()
        self._total: Cost | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> bool:
        """Begin an element; return whether the number of elements is still within the limit."""
        self._elements += 1
        group, depth = self._begin(attributes.get("id"))
        attributes = {key: without_escapes(value) for key, value in attributes.items()}
        styles: Mapping[str, str] = attributes
        if "style" in attributes:
            styles = {**attributes, "style": "", **declarations(attributes["style"])}
        for value in attributes.values():
            self._embed_all(group, value)
        if self._styled:
            group.parts += [(rule_id, 1, depth) for rule_id in _rule_ids(tag, attributes)]
        weight = _GRADIENT if tag in _GRADIENTS else _PATTERN if tag == "pattern" else 1.0
        coordinates = sum(len(_NUMBER.findall(styles[key])) for key in ("d", "points") if key in styles)
        vertices = coordinates / 2 or 2.0
        group.add(Cost(weight + _layers(styles), vertices, depth=depth))
        if tag in _SHAPES:
            group.shapes += 1
            group.vertices += vertices
        for key in LINKS:
            address = re.sub(r"[\t\n\r]", "", attributes.get(key, "").strip())
            if address.startswith("#") and tag in _REPEATING:
                group.parts.append((address.removeprefix("#"), 1, depth))
            elif address and tag != "a":
                self._embed(group, address)
        self._refer(group, styles, depth, vertices if tag in _SHAPES else None)
        return self._elements <= MAX_ELEMENTS

    def _begin(self, element_id: str | None) -> tuple[_Group, int]:
        """Begin an element, and return its group and its depth in it; with an id it is a group of its own."""
        group, depth = self._open[-1]
        if element_id is None:
            self._open.append((group, depth + 1))
        else:
            inner = _Group()
            group.parts.append((inner, 1, depth))
            self._groups.append(inner)
            self._ids.setdefault(element_id, []).append(inner)
            self._open.append((inner, 1))
        return self._open[-1]

    def end(self) -> None:
        """End an element."""
        self._open.pop()

    def text(self, text: str) -> None:
        """Add characters between elements."""
        group, _depth = self._open[-1]
        group.add(Cost(vertices=len(text.strip())))

    def style_sheet(self, text: str, linked: Linked | None = None) -> None:
        """Add rules: pictures and masks count for all elements that they select, the rest for all shapes.

        If it is not certain which elements these are, they are all.
        """
        escaped = "\\" in text  # an engine may divide such a sheet differently, after resolving its escapes
        for block in without_escapes(text if escaped else without_comments(text)).split("}"):
            selectors, brace, body = block.rpartition("{")
            styles = {**declarations(body), **declarations(without_comments(body))}
            rule, beside_rule = _Group(), _Group()
            self._embed_all(rule, body, linked)
            self._embed_all(beside_rule, selectors, linked)
            self.painting |= rule.own.elements + beside_rule.own.elements > 0
            rule.add(Cost(_layers(styles)))
            self._refer(rule, styles, 1, None)
            selected_names = _subjects(selectors) if brace and not escaped else {"*"}
            self._add_rule("*", beside_rule)
            for name in sorted(selected_names):
                self._add_rule(name, rule)

    def _add_rule(self, name: str, rule: _Group) -> None:
        """Add the cost of a rule to that of each element which a tag, class or id selects."""
        selected, *_ = self._ids.setdefault(f" {name}", [_Group()])
        selected.parts.append((rule, 1, 0))

    def total(self) -> Cost:
        """Return the total cost; ``_ENDLESS`` if something contains itself."""
        if self._total is None:
            sums = _Sums(self._ids)
            paint, marker = (
                reduce(Cost.or_more, map(sums.of_id, ids), Cost()) for ids in (self._paints, self._markers)
            )
            for group in self._groups:  # each shape is filled and stroked, and has three kinds of markers
                group.add(paint, 2 * group.shapes)
                group.add(marker, 3 * group.vertices)
                group.add(Cost(vertices=self._dashes * group.shapes))
            self._total = _Sums(self._ids).of(self._root)
        return self._total

    def costliest(self, ids: Iterable[str]) -> str:
        """Return the id whose element costs most, once the whole drawing has been added.

        What it costs is the sum of its shares in the limits.
        """
        self.total()  # adds to the shapes what they inherit
        sums = _Sums(self._ids)
        return max(ids, key=lambda element_id: sum(map(truediv, astuple(sums.of_id(element_id)), _LIMITS)))

    def excess(self, drawings: int = 1) -> str | None:
        """Return what is too much, as a phrase after "The drawing"; None if nothing is.

        The limits are multiplied by the number of ``drawings``.
        """
        if self.refused is not None:
            return self.refused
        if self._elements > MAX_ELEMENTS * drawings:
            return f"has more than {MAX_ELEMENTS * drawings:,} elements"
        cost = self.total()
        if cost.depth > DEEPEST:
            return f"has more than {DEEPEST} elements inside each other, counting what it repeats"
        units = ("elements", "vertices, letters and dashes", "pixels in pictures within it")
        for number, unit, most in zip(astuple(cost), units, _LIMITS, strict=False):
            if number > most * drawings:
                shown = f"{number:,.0f}" if number < 10**12 else f"more than {10**12:,}"
                at_most = f"at most {most * drawings:,} are drawn"
                return f"has {shown} {unit}, counting what it repeats; {at_most}"
        return None

    def _refer(self, group: _Group, styles: Mapping[str, str], depth: int, vertices: float | None) -> None:
        """Add what styles refer to, and the dashes of strokes.

        ``vertices`` are those of a shape, at each of which a marker is drawn. They are None for styles that
        shapes may inherit: paints, markers and dashes then count for all shapes (``total``).
        """
        for name, value in styles.items():
            if name == "stroke-dasharray":
                lengths = len(_NUMBER.findall(value))
                if vertices is None:
                    self._dashes = max(self._dashes, lengths)
                else:
                    group.add(Cost(vertices=lengths))
            if "url(" not in value:
                continue
            ids = {match[1] for match in _INSIDE.finditer(value)}
            is_marker = name.startswith("marker")
            if vertices is None and (is_marker or name in ("fill", "stroke")):
                (self._markers if is_marker else self._paints).update(ids)
            else:
                times = vertices if is_marker and vertices is not None else 1
                group.parts += [(id_, times, depth) for id_ in sorted(ids)]

    def _embed_all(self, group: _Group, text: str, linked: Linked | None = None) -> None:
        if "url(" in text.lower() or "@import" in text.lower():
            for match in _ADDRESS.finditer(text):
                self._embed(group, match["quoted"] or match["single"] or match["bare"] or "#", linked)

    def _embed(self, group: _Group, address: str, linked: Linked | None = None) -> None:
        """Add a picture in a ``data:`` address or in another file, or a style sheet there."""
        _group, depth = self._open[-1]
        if address[: len("data:")].lower() != "data:":
            linked_cost = Cost() if address.startswith("#") else (linked or self._linked)(address)
            if isinstance(linked_cost, Cost):
                group.add(linked_cost, below=depth)
            elif linked_cost.text not in self._sheets:
                self._sheets.add(linked_cost.text)
                self.style_sheet(*linked_cost)
            return
        head, content = _content_of(address)
        if "font" in head.lower() or content.startswith(_FONTS):
            if imports_of(content.decode("latin-1")):
                self.refused = self.refused or "embeds a font that is a style sheet"
            return
        picture_cost = self._measure(content)
        if isinstance(picture_cost, str):
            self.refused = self.refused or picture_cost
        else:
            group.add(picture_cost, below=depth)


def _rule_ids(tag: str, attributes: Mapping[str, str]) -> list[str]:
    """Return the ids of the groups with the rules of the style sheet that may select an element.

    They begin with a space, as no id in a file can.
    """
    names = {tag, "*", *(f".{name}" for name in attributes.get("class", "").split())}
    names |= {f"#{attributes['id']}"} if "id" in attributes else set()
    return [f" {name}" for name in sorted({name.lower() for name in names})]


def _content_of(address: str) -> tuple[str, bytes]:
    """Return what precedes the comma of a ``data:`` address, and its content; empty if it is damaged."""
    head, _, body = address.partition(",")
    try:
        content = unquote_to_bytes(body)
        if head.lower().rstrip().endswith(";base64"):
            content = base64.b64decode(content + b"===")  # engines need no padding; too much is ignored
    except (binascii.Error, ValueError):
        content = b""
    return head, content


class _Sums:
    """The total costs of groups with all that they contain, each computed once."""

    def __init__(self, ids: dict[str, list[_Group]]) -> None:
        self._ids = ids
        self._known: dict[_Group, Cost] = {}

    def of_id(self, element_id: str) -> Cost:
        """Return the cost of the element with an id; the greatest one if the id is repeated."""
        return reduce(Cost.or_more, map(self.of, self._ids.get(element_id, ())), Cost())

    def of(self, group: _Group) -> Cost:
        """Return the cost of a group; ``_ENDLESS`` elements if it contains itself.

        Depth first with its own stack: chains of references may be longer than Python's recursion limit.
        """
        waiting, begun = [group], set[_Group]()
        while waiting:
            top = waiting[-1]
            if top in self._known:
                waiting.pop()
            elif top not in begun:
                begun.add(top)
                inner_groups = (inner for group_part, _, _ in top.parts for inner in self._held(group_part))
                waiting += [
                    inner for inner in inner_groups if inner not in self._known and inner not in begun
                ]
            else:
                self._known[top] = self._sum(top)
                waiting.pop()
        return self._known[group]

    def _held(self, group_part: str | _Group) -> Sequence[_Group]:
        """Return the groups that an id or a group stands for."""
        return self._ids.get(group_part, ()) if isinstance(group_part, str) else (group_part,)

    def _sum(self, group: _Group) -> Cost:
        """Return the cost of a group with all that it refers to; of several with one id the greatest
        counts."""
        total = group.own
        for group_part, times, below in group.parts:
            costs = [self._known.get(held_group, Cost(_ENDLESS)) for held_group in self._held(group_part)]
            greatest = reduce(Cost.or_more, costs, Cost())
            total = total.plus(greatest, times, below if greatest.depth else 0)
        return total


def without_comments(css: str) -> str:
    """Return a style sheet with its comments replaced by spaces."""
    return _TOKEN.sub(lambda match: match[1] or " ", css)


def _subjects(outer: str) -> set[str]:
    """The tag, class or id of what each selector is about, in small letters; ``*`` if that is not plain."""
    outer = _ARGUMENTS.sub("", outer).lower()
    if set(outer) & set("()[]\"'|"):
        return {"*"}
    _rule_around, _, selectors = outer.rpartition("{")  # such as `@media print {`
    subjects = set()
    for selector in selectors.split(","):
        words = selector.translate(_COMBINATORS).split()
        subject = _SUBJECT.match(words[-1]) if words else None
        subjects.add(subject[0] if subject else "*")
    return subjects


def without_escapes(css: str) -> str:
    """Return a text with its CSS escapes resolved: an engine reads ``u\\72l(`` as ``url(``."""
    if "\\" not in css:
        return css

    def unescaped(match: re.Match[str]) -> str:
        # no character beyond the first plane is part of what is searched for
        return chr(min(int(match["code"], 16), 0xFFFF)) if match["code"] else match["char"]

    return _ESCAPE.sub(unescaped, css)


def _layers(styles: Mapping[str, str]) -> float:
    """Return the extra cost of what is composited on a layer of its own, in elements."""
    masked = sum("url(" in styles.get(name, "") for name in ("mask", "filter"))
    translucent = "mix-blend-mode" in styles or styles.get("opacity", "1").strip() != "1"
    return _MASK * masked + _TRANSLUCENT * translucent
