"""Writes YAML scalars of every style, and notes for each character of the value where it was written.

This is the other direction of ``toolkit.source.scalars``: nothing here reads a scalar.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from hypothesis import strategies as st

BREAKS = ("\n", "\r\n", "\r")
SEPARATORS = "\x85\u2028\u2029"
LETTERS = "abzÄöß€😀x.,=<>()+-" + SEPARATORS
ESCAPES = {
    '\\"': '"', "\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\/": "/", "\\e": "\x1b", "\\_": "\xa0",
    "\\N": "\x85",    "\\L": "\u2028", "\\P": "\u2029", "\\x41": "A", "\\u00e4": "ä", "\\U0001F600": "😀",
    "\\ud83c\\udfb2": "🎲", "\\uD83D\\U0000DE00": "😀",
    "\\ ": " ", "\\0": "\0",
}  # fmt: skip


# Strategies are made once: Hypothesis checks each new one.
integers, sampled_from = cache(st.integers), cache(st.sampled_from)
_ESCAPED = tuple(sorted(ESCAPES.items()))
_ITSELF = tuple((sign, sign) for sign in LETTERS)
_SIGNS = {
    "": st.sampled_from([(sign, sign) for sign in "abzÄöß€😀x" + SEPARATORS]),
    "'": st.sampled_from([("''", "'")] * 4 + [*_ITSELF]),
    '"': st.sampled_from([*_ESCAPED, *_ITSELF * 2]),
}
"""By style, a sign as it is written, and what it means."""
_LINES = st.lists(st.sampled_from(["text", "text", "blank", "deeper"]), min_size=1, max_size=6)
_TEXT = st.text(LETTERS + " #:'\"\\", max_size=8)


@dataclass
class Page:
    """A file that is being written. ``value`` and ``offsets`` belong to the one scalar that is watched."""

    text: str = ""
    value: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    start: int = 0

    def put(self, written: str, meant: str | None = None) -> None:
        """Write something; ``meant`` is the character of the value that it stands for."""
        if meant is not None:
            self.value.append(meant)
            self.offsets.append(len(self.text))
        self.text += written


@st.composite
def flow_scalar(draw: st.DrawFn, page: Page, style: str, indent: int, tabs: bool) -> None:
    """A plain, single-quoted or double-quoted scalar, on one line or folded over several."""
    page.start = len(page.text)
    page.put(style)
    line_break = draw(sampled_from(BREAKS))
    for number in range(draw(integers(1, 5))):
        if number:
            _between(draw, page, style, indent, line_break, tabs)
        for _ in range(draw(integers(1, 6))):
            _sign(draw, page, style)
    page.put(style)


def _sign(draw: st.DrawFn, page: Page, style: str) -> None:
    page.put(*draw(_SIGNS[style]))


def _between(draw: st.DrawFn, page: Page, style: str, indent: int, line_break: str, tabs: bool) -> None:
    """What stands between two words: blanks, a folded line break, blank lines, or a break that is escaped."""
    sort = draw(sampled_from(("blanks", "fold", "lines", "escaped")))
    blank = sampled_from(" \t" if tabs else " ")
    if sort == "blanks":
        for _ in range(draw(integers(1, 3))):
            sign = draw(blank)
            page.put(sign, sign)
        return
    margin = " " * (indent + draw(integers(0, 3)))
    if sort == "escaped" and style == '"':
        page.put("\\" + line_break)
        for _ in range(draw(integers(0, 2))):
            page.put(" " * draw(integers(0, 3)))
            page.put(line_break, "\n")
        page.put(margin)
        return
    page.put(" " * draw(integers(0, 2)))
    blank_lines = draw(integers(1, 3)) if sort == "lines" else 0
    page.put(line_break, None if blank_lines else " ")
    for _ in range(blank_lines):
        page.put(" " * draw(integers(0, 3)))
        page.put(line_break, "\n")
    page.put(margin)


@st.composite
def block_scalar(draw: st.DrawFn, page: Page, style: str, parent: int, tabs: bool) -> None:
    """A literal or folded block below a key that is indented by ``parent``; it ends the page or a line."""
    page.start = len(page.text)
    line_break = draw(sampled_from(BREAKS))
    step = draw(integers(1, 6))
    indent = max(parent, 0) + step
    digit = draw(st.booleans())
    chomp = draw(sampled_from(("", "+", "-")))
    header = [str(step) if digit else "", chomp]
    page.put(style + "".join(reversed(header) if draw(st.booleans()) else header))
    page.put(draw(sampled_from(("", "  ", " # a comment", " #"))) + line_break)
    lines = draw(_LINES)
    texts = [number for number, sort in enumerate(lines) if sort != "blank"]
    if not digit and texts:
        lines[texts[0]] = "text"  # the first line with text sets the indent
    at_end = draw(st.booleans()) and lines[-1] != "blank"
    _block_lines(draw, page, lines, style == ">", chomp, indent, line_break, tabs, at_end)


def _block_lines(
    draw: st.DrawFn,
    page: Page,
    lines: list[str],
    folded: bool,
    chomp: str,
    indent: int,
    line_break: str,
    tabs: bool,
    at_end: bool,
) -> None:
    last_text = max((number for number, sort in enumerate(lines) if sort != "blank"), default=-1)
    for number, sort in enumerate(lines):
        if sort == "blank":
            page.put(" " * draw(integers(0, indent)))
            page.put(line_break, "\n" if number < last_text or chomp == "+" else None)
            continue
        page.put(" " * indent)
        if sort == "deeper":
            sign = draw(sampled_from(" \t" if tabs else " "))
            page.put(sign, sign)
        for sign in "y" + draw(_TEXT):
            page.put(sign, sign)
        if number == last_text:
            if not (at_end and number == len(lines) - 1):
                page.put(line_break, None if chomp == "-" else "\n")
            continue
        page.put(line_break, _folded_break(lines, number) if folded else "\n")


def _folded_break(lines: list[str], number: int) -> str | None:
    """What the break behind a line of text becomes in a folded block."""
    following = next(sort for sort in lines[number + 1 :] if sort != "blank")
    if lines[number] == "deeper" or following == "deeper":
        return "\n"
    return None if lines[number + 1] == "blank" else " "
