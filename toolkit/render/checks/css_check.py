"""ignored-css: CSS in style sheets and templates that the PDF engine silently ignores.

The parser covers as much of the grammar as it takes to find every property, value and selector with its
offset; anything else is skipped. Not by tinycss2 (1.5), which takes ``{{ x }}`` in templates for blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct
from PIL import ImageColor

from toolkit.diagnostics import Diagnostic, Label
from toolkit.render.checks import css_tables as known
from toolkit.render.checks.print_findings import read_source
from toolkit.render.fetch import Roots
from toolkit.vocabulary.nearest import nearest

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_OPENING = {"(": ")", "[": "]", "{": "}"}

MAX_DEPTH = 20
"""Conditions (``@media``) that are nested deeper are skipped."""


class Piece(Struct, frozen=True):
    """A piece of a style sheet and its offset."""

    text: str
    at: int


class Declaration(Struct, frozen=True):
    """A property and its value."""

    name: Piece
    value: Piece


class Rule(Struct, frozen=True):
    """A selector or at-rule with its declarations and nested rules.

    Rules nested in an ordinary rule have only their head; those of a condition (``@media``) are complete.
    """

    head: Piece
    declarations: tuple[Declaration, ...] = ()
    inner: tuple[Rule, ...] = ()


def without_comments(css: str) -> str:
    """Return the text with blanks in place of comments, so that offsets stay the same."""
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), css)


def read_rules(css: str, offset: int, end: int, depth: int = 0) -> Iterator[Rule]:
    """Yield the rules in a part of a style sheet that has no comments."""
    while offset < end:
        stop = _find(css, offset, end, "{;}")
        if stop >= end or css[stop] != "{":
            head = _piece(css, offset, stop)
            if head.text.startswith("@"):
                yield Rule(head)
            offset = stop + 1
            continue
        head, close = _piece(css, offset, stop), _closing(css, stop, end)
        if head.text.startswith(("@media", "@supports", "@layer", "@container")):
            inner = read_rules(css, stop + 1, close, depth + 1) if depth < MAX_DEPTH else ()
            yield Rule(head, inner=tuple(inner))
        else:
            yield _rule(css, head, stop + 1, close)
        offset = close + 1


def _rule(css: str, head: Piece, offset: int, end: int) -> Rule:
    declarations, inner = [], []
    while offset < end:
        stop = _find(css, offset, end, "{;")
        if stop < end and css[stop] == "{":
            inner.append(Rule(_piece(css, offset, stop)))
            offset = _closing(css, stop, end) + 1
            continue
        colon = css.find(":", offset, stop)
        if colon >= 0:
            declarations.append(Declaration(_piece(css, offset, colon), _piece(css, colon + 1, stop)))
        offset = stop + 1
    return Rule(head, tuple(declarations), tuple(inner))


def _piece(css: str, offset: int, end: int) -> Piece:
    text = css[offset:end]
    return Piece(text.strip(), offset + len(text) - len(text.lstrip()))


def _find(css: str, offset: int, end: int, stops: str) -> int:
    """Return the offset of the first of the characters outside of quotes and brackets, else the end."""
    waiting: list[str] = []
    while offset < end:
        sign = css[offset]
        if waiting and sign == waiting[-1]:
            waiting.pop()
        elif not waiting and sign in stops:
            return offset
        elif sign in "\"'":
            close = css.find(sign, offset + 1, end)
            offset = end if close < 0 else close
        elif sign in _OPENING:
            waiting.append(_OPENING[sign])
        offset += 1
    return end


def _closing(css: str, offset: int, end: int) -> int:
    """Return the offset of the bracket that closes the one at an offset, else the end."""
    return _find(css, offset + 1, end, _OPENING[css[offset]])


_MAX_LABELS = 3
"""The number of other places of the same cause that are shown."""

_FILLER = "\x1a"
"""Stands for the output of a template expression, which may be anything."""

_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(.*?)</style", re.DOTALL | re.IGNORECASE)
_STYLE_ATTRIBUTE = re.compile(r"""\bstyle\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_FUNCTION = re.compile(r"([a-z-]+)\(", re.IGNORECASE)
_ARITHMETIC = re.compile(r"\b(calc|min|max|clamp)\(", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|url\([^)]*\)", re.IGNORECASE)
_UNIT = re.compile(r"(?<![\w#.-])[+-]?(?:\d+\.?\d*|\.\d+)([a-z]+)", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w#.%-])[+-]?(?:\d+\.?\d*|\.\d+)(?![\w.%])")
_PSEUDO = re.compile(r"::?([a-z-]+)", re.IGNORECASE)
_LENGTHS = re.compile(
    r"(?:min-|max-)?(?:width|height)|left|right|top|bottom|inset|font-size|letter-spacing|gap"
    r"|(?:margin|padding)(?:-\w+)?|border-(?:\w+-)?(?:width|radius)"
)
_COLOURS = frozenset(("color", "background-color", "fill", "stroke"))
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_COLOUR_WORDS = frozenset(("transparent", "currentcolor", "none", "context-fill", "context-stroke"))


class _Ignored(Struct, frozen=True):
    """An ignored piece: the key of the cause, the subject of the message, and the next step."""

    piece: Piece
    cause: str
    says: str
    step: str


def ignored_css(roots: Roots) -> Iterator[Diagnostic]:
    """Yield a finding per cause and file of the project's templates, with its other places as labels."""
    for path in roots.files(roots.overrides):
        if path.suffix in (".css", ".jinja"):
            yield from ignored_in(path)


def ignored_in(path: Path) -> Iterator[Diagnostic]:
    """Yield the findings of one file."""
    source = read_source(path)
    if "\ufffd" in source.text or "\0" in source.text:
        return  # not a text file, which is reported when it is used
    by_cause: dict[str, list[_Ignored]] = {}
    for ignored in _in_template(source.text) if path.suffix == ".jinja" else _in_css(source.text):
        by_cause.setdefault(ignored.cause, []).append(ignored)
    for first, *other_ignored in by_cause.values():
        places = [
            source.span(ignored_piece.piece.at, ignored_piece.piece.at + len(ignored_piece.piece.text))
            for ignored_piece in (first, *other_ignored)
        ]
        yield Diagnostic(
            "ignored-css",
            f"{first.says} is ignored in print.",
            places[0],
            first.step,
            tuple(Label(span, "here too") for span in places[1 : 1 + _MAX_LABELS]),
        )


def _in_css(text: str, start: int = 0) -> Iterator[_Ignored]:
    css = without_comments(text)
    for rule in read_rules(css, start, len(css)):
        yield from _in_rule(rule)


def _in_template(text: str) -> Iterator[_Ignored]:
    # Expressions become filler, statements and comments blanks of the same length, so that offsets are kept.
    masked = _JINJA.sub(
        lambda match: re.sub(r"[^\n]", _FILLER if match[0].startswith("{{") else " ", match[0]), text
    )
    for match in _STYLE_ELEMENT.finditer(masked):
        yield from _in_css(masked[: match.end(1)], match.start(1))
    for match in _STYLE_ATTRIBUTE.finditer(masked):
        group = 1 if match[1] is not None else 2
        for declaration in _rule(masked, Piece("", 0), *match.span(group)).declarations:
            yield from _in_declaration(declaration)


def _in_rule(rule: Rule) -> Iterator[_Ignored]:
    head = rule.head
    if head.text.startswith("@"):
        name = re.match(r"@([\w-]+)", head.text)
        word = name[1].lower() if name else ""
        if word not in known.AT_RULES:
            says = f"The rule `@{word}`"
            yield _Ignored(Piece(f"@{word}", head.at), f"@{word}", says, "Write its content without it.")
        elif word == "media":
            for inner in rule.inner:
                yield from _in_rule(inner)
        return
    for pseudo in _PSEUDO.finditer(head.text):
        if pseudo[1].lower() not in known.PSEUDO:
            piece = Piece(pseudo[0], head.at + pseudo.start())
            says = f"A rule with the unknown `{pseudo[0]}`"
            yield _Ignored(piece, pseudo[0], says, "Select the elements in another way.")
    for inner in rule.inner:
        says = "A rule inside a rule"
        yield _Ignored(inner.head, "nesting", says, "Write it after the other one, with its full selector.")
    for declaration in rule.declarations:
        yield from _in_declaration(declaration)


def _in_declaration(declaration: Declaration) -> Iterator[_Ignored]:
    name = declaration.name.text.lower()
    if _FILLER in name or name.startswith("--"):
        return
    if name.startswith(known.NO_EFFECT_PREFIXES):
        return
    if name in known.PROPERTIES:
        yield from islice(_in_value(name, declaration.value), 1)
        return
    name_piece = declaration.name
    instead = known.ALTERNATIVES.get(name) or next(
        (
            alternative
            for begin, alternative in known.ALTERNATIVES.items()
            if name.startswith(begin.rstrip("-") + "-")
        ),
        None,
    )
    says = f"The property `{name_piece.text}`"
    if instead is not None:
        yield _Ignored(name_piece, instead[0], says, instead[1])
    else:
        near = nearest(name, known.PROPERTIES)
        step = f"Did you mean `{near}`?" if near else "Remove it, or do it in another way."
        yield _Ignored(name_piece, name, says, step)


def _in_value(name: str, value: Piece) -> Iterator[_Ignored]:
    text = _QUOTED.sub(lambda match: _FILLER * len(match[0]), value.text)
    for match in _FUNCTION.finditer(text):
        instead = known.UNSUPPORTED_FUNCTIONS.get(match[1].lower())
        if instead is not None:
            piece = Piece(match[1], value.at + match.start())
            yield _Ignored(piece, instead[0], f"`{match[1]}(…)`", instead[1])
    for match in _ARITHMETIC.finditer(text):
        end = _closing(text, match.end() - 1, len(text)) + 1
        if "%" in text[match.end() : end]:
            piece = Piece(value.text[match.start() : end], value.at + match.start())
            says = f"A percentage inside `{match[1]}(…)`"
            yield _Ignored(piece, "percentage", says, "Compute it in the template: `{{ w - 8 }}rem`.")
            break
    if name.startswith("background") and _find(text, 0, len(text), ",") < len(text):
        yield _Ignored(value, "backgrounds", "More than one background", "Give each its own element.")
    yield from _in_keywords(name, text, value)
    yield from _in_numbers(name, text, value)


def _in_keywords(name: str, text: str, value: Piece) -> Iterator[_Ignored]:
    word = re.sub(r"\s*!important\s*$", "", text).strip().lower()
    if not word or _FILLER in word or "var(" in word or word in known.GLOBAL_KEYWORDS:
        return
    piece = Piece(value.text[: len(word)], value.at)
    says = f"`{name}: {word}`"
    if name == "display" and "grid" in word:
        yield _Ignored(piece, "grid", says, known.FLEX)
    elif (name, word) in (("text-overflow", "ellipsis"), ("hyphens", "auto")):
        yield _Ignored(piece, word, says, "Let the text shrink: `fit.begin(…)` and `fit.end()`.")
    elif name in known.VALUES and word not in known.VALUES[name]:
        near = nearest(word, known.VALUES[name])
        step = f"Did you mean `{near}`?" if near else f"Use one of {', '.join(sorted(known.VALUES[name]))}."
        yield _Ignored(piece, says, says, step)
    elif name in _COLOURS and word not in _COLOUR_WORDS and "(" not in word and not _HEX.fullmatch(word):
        if word in ImageColor.colormap:
            return
        near = nearest(word, ImageColor.colormap)
        yield _Ignored(piece, says, says, f"Did you mean `{near}`?" if near else "Write a colour as #rrggbb.")


def _in_numbers(name: str, text: str, value: Piece) -> Iterator[_Ignored]:
    for match in _UNIT.finditer(text):
        if match[1].lower() not in known.UNITS and name not in ("font-feature-settings", "src"):
            near = nearest(match[1].lower(), known.UNITS)
            step = f"Did you mean `{near}`?" if near else "Use rem: 1rem is 1 mm on a poker card."
            yield _Ignored(Piece(match[0], value.at + match.start()), match[1], f"`{name}: {match[0]}`", step)
    if _LENGTHS.fullmatch(name) and "(" not in text:
        for match in _BARE.finditer(text):
            if float(match[0]) != 0:
                piece = Piece(match[0], value.at + match.start())
                yield _Ignored(piece, "unit", f"`{name}: {value.text}`", f"Write a unit: `{match[0]}rem`.")
