"""What a template made, before the engine gets it: an engine crashes, or works for hours, on some HTML.

PlutoPrint 0.23 crashes on 100,000 elements in each other, needs twice as long for each table in a table, and
lays out a box of 10,000 km on so many pages. Tags are read as HTML says; where this reader is not sure, it
counts more elements than there are, never fewer.
"""

from __future__ import annotations

import re
from typing import NamedTuple

DEEPEST = 200
"""Elements in each other; the shipped templates need 12."""

TABLES = 8
"""Tables in each other."""

BRACKETS = 1000
"""Brackets in each other in styles; PlutoPrint crashes between 10,000 and 30,000."""

MOST = 10_000
"""Elements of a card, or of a document without its cards."""

_S = r"[ \t\n\f\r]"
_TAG = re.compile(
    rf"""<(?:(?P<end>/?)(?P<name>[a-zA-Z][^ \t\n\f\r/>]*)
    (?:[ \t\n\f\r/]|[^ \t\n\f\r"'<>/=]+(?=[ \t\n\f\r/>=])
    (?:{_S}*={_S}*(?:"[^"]*"|'[^']*'|[^ \t\n\f\r"'<>=`][^ \t\n\f\r"'<>`]*(?=[ \t\n\f\r>])))?)*?(?P<closed>/?)>
    |!--(?:-?>|[\s\S]*?--!?>)|!(?!\[|--)[^>]*>)""",
    re.VERBOSE,
)
_OPEN = re.compile(r"<(?=[a-zA-Z/!?])")
_HUGE = re.compile(
    r"(?:(?<![\w.#])\d{6,}(?:\.\d*)?|\de\+?\d+)(?:mm|cm|in|pt|px|pc|r?em|q|ch|ex|v[hw]|%)(?![\w-])"
)
_MANY = re.compile(
    r"span\s*=\s*[\"']?\d{4}|(?:start|value)\s*=\s*[\"']?-?\d{7}"
    r"|(?:columns|column-count)\s*:[^;]*\d{3}|repeat\(\s*\d{4}"
)
"""Lengths, and numbers of columns and the like, in small letters. One expression for both that ignores case
takes 160 ms for the shipped cards, these take 60."""


def _named(words: str) -> frozenset[str]:
    return frozenset(words.split())


_VOID = _named("area base br col embed hr img input link meta param source track wbr")
_TEXT = _named("script style textarea title xmp iframe noembed noframes noscript plaintext")
_IN_HTML = _named("foreignobject desc title")
_ENDED_BY = {
    "p": _named(
        "address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr "
        "main nav ol p pre section ul"
    ),
    "li": _named("li"),
    "dt": _named("dt dd"),
    "dd": _named("dt dd"),
    "td": _named("td th tr tbody tfoot"),
    "th": _named("td th tr tbody tfoot"),
    "tr": _named("tr tbody tfoot"),
    "thead": _named("tbody tfoot"),
    "tbody": _named("tbody tfoot"),
}
"""Elements that need no end tag, and what begins where they end."""

_NOT_DRAWN = _named(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
"""HTML that ends a drawing in which it stands."""


class Excess(NamedTuple):
    """What is too much for an engine, and after how many characters."""

    at: int
    message: str


def excess(html: str, pages: int = 0) -> Excess | None:
    """What in a document would stop the engine, if anything; ``pages`` cards are in it."""
    return excess_of_styles(html) or _Reader(html, MOST * (pages + 1)).read()


def excess_of_styles(css: str) -> Excess | None:
    """A length, a number or brackets in styles that would stop the engine."""
    css = css.lower()
    huge = _HUGE.search(css) or _MANY.search(css)
    if huge:
        return Excess(huge.start(), f"`{huge[0]}` is too much to be printed")
    deep = _too_deep(css)
    return Excess(deep, f"brackets nest more than {BRACKETS} deep") if deep is not None else None


def _too_deep(css: str) -> int | None:
    """Where brackets begin to nest too deep."""
    if sum(map(css.count, "([{")) <= BRACKETS:
        return None
    depth = 0
    for found in re.finditer(r"[(\[{]|[)\]}]", css):
        depth = depth + 1 if found[0] in "([{" else max(depth - 1, 0)
        if depth > BRACKETS:
            return found.start()
    return None


class _Reader:
    """Reads the tags of a document; ``_open`` are the open elements, ``_drawn`` which are drawings."""

    def __init__(self, html: str, most: int) -> None:
        self._html = html
        self._most = most
        self._open: list[str] = []
        self._drawn: list[bool] = [False]
        self._tables = 0

    def read(self) -> Excess | None:
        """The first excess."""
        html, position, count = self._html, 0, 0
        while found := _OPEN.search(html, position):
            start = found.start()
            tag = _TAG.match(html, start)
            if tag is None:
                return Excess(start, f"this tag cannot be read: {html[start : start + 30]!r}")
            position = tag.end()
            name = (tag["name"] or "").lower()
            if not name:
                continue
            if tag["end"]:
                problem = self._end(name)
            else:
                count += 1
                problem = self._start(name, bool(tag["closed"]))
                if name in _TEXT and not self._drawn[-1] and problem is None:
                    end = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE).search(html, position)
                    position = end.start() if end else len(html)
            if count > self._most:
                problem = f"it prints more than {self._most:,} elements"
            if problem:
                return Excess(start, problem)
        return None

    def _start(self, name: str, closed: bool) -> str | None:
        drawn = self._drawn[-1]
        if drawn and name in _NOT_DRAWN:
            return f"<{name}> is inside an <svg>, where only drawings are allowed"
        while not drawn and self._open and name in _ENDED_BY.get(self._open[-1], ()):
            self._pop()
        if (closed and (drawn or name in ("svg", "math"))) or (not drawn and name in _VOID):
            return None
        self._open.append(name)
        self._drawn.append(name in ("svg", "math") or (drawn and name not in _IN_HTML))
        self._tables += name == "table"
        if self._tables > TABLES:
            return f"it has more than {TABLES} tables in each other"
        if len(self._open) > DEEPEST:
            return f"it has more than {DEEPEST} elements in each other; is one never closed?"
        return None

    def _end(self, name: str) -> str | None:
        if self._drawn[-1] and name != self._open[-1]:
            return f"</{name}> closes nothing in this <svg>"
        depth = len(self._open)
        while depth and self._open[depth - 1] != name and self._open[depth - 1] in _ENDED_BY:
            depth -= 1
        if depth and self._open[depth - 1] == name:
            while len(self._open) >= depth:
                self._pop()
        return None

    def _pop(self) -> None:
        self._tables -= self._open.pop() == "table"
        self._drawn.pop()
