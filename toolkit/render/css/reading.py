"""CSS as rules and declarations with their places; what is no CSS is passed over.

Only as much of the grammar is read as is needed to know every property, value and selector.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_OPENING = {"(": ")", "[": "]", "{": "}"}

DEEPEST = 20
"""Conditions (``@media``) that are nested deeper are passed over."""


class Piece(Struct, frozen=True):
    """Some words of a style sheet and where they begin."""

    text: str
    at: int


class Declaration(Struct, frozen=True):
    """A property and its value."""

    name: Piece
    value: Piece


class Rule(Struct, frozen=True):
    """What stands before a pair of braces, and what stands in it: declarations, and rules inside the rule.

    Of a rule inside a rule only the head is read, but of a condition such as ``@media`` all.
    """

    head: Piece
    declarations: tuple[Declaration, ...] = ()
    inner: tuple[Rule, ...] = field(default=())


def without_comments(css: str) -> str:
    """The same text with blanks in place of comments."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), css)


def read_rules(css: str, at: int, end: int, depth: int = 0) -> Iterator[Rule]:
    """The rules in a stretch of a style sheet that has no comments."""
    while at < end:
        stop = _find(css, at, end, "{;}")
        if stop >= end or css[stop] != "{":
            head = _piece(css, at, stop)
            if head.text.startswith("@"):
                yield Rule(head)
            at = stop + 1
            continue
        head, close = _piece(css, at, stop), _closing(css, stop, end)
        if head.text.startswith(("@media", "@supports", "@layer", "@container")):
            inner = read_rules(css, stop + 1, close, depth + 1) if depth < DEEPEST else ()
            yield Rule(head, inner=tuple(inner))
        else:
            yield _rule(css, head, stop + 1, close)
        at = close + 1


def _rule(css: str, head: Piece, at: int, end: int) -> Rule:
    declarations, inner = [], []
    while at < end:
        stop = _find(css, at, end, "{;")
        if stop < end and css[stop] == "{":
            inner.append(Rule(_piece(css, at, stop)))
            at = _closing(css, stop, end) + 1
            continue
        found = read_declaration(css, at, stop)
        if found is not None:
            declarations.append(found)
        at = stop + 1
    return Rule(head, tuple(declarations), tuple(inner))


def read_declarations(css: str, at: int, end: int) -> Iterator[Declaration]:
    """The declarations of a style attribute."""
    yield from _rule(css, Piece("", at), at, end).declarations


def read_declaration(css: str, at: int, end: int) -> Declaration | None:
    """A property with its value, or nothing where there is no colon."""
    colon = css.find(":", at, end)
    if colon < 0:
        return None
    return Declaration(_piece(css, at, colon), _piece(css, colon + 1, end))


def _piece(css: str, at: int, end: int) -> Piece:
    text = css[at:end]
    return Piece(text.strip(), at + len(text) - len(text.lstrip()))


def _find(css: str, at: int, end: int, stops: str) -> int:
    """Where one of the signs comes first outside of quotes and brackets; the end without one."""
    waiting: list[str] = []
    while at < end:
        sign = css[at]
        if waiting and sign == waiting[-1]:
            waiting.pop()
        elif not waiting and sign in stops:
            return at
        elif sign in "\"'":
            close = css.find(sign, at + 1, end)
            at = end if close < 0 else close
        elif sign in _OPENING:
            waiting.append(_OPENING[sign])
        at += 1
    return end


def _closing(css: str, at: int, end: int) -> int:
    """Where what is opened at a place is closed; the end if it is not."""
    return _find(css, at + 1, end, _OPENING[css[at]])
