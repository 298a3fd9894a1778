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
        if stop >= end or css[stop] != "{":  # no block: an at-rule such as `@import …;`, or a mistake
            head = _piece(css, offset, stop)
            if head.text.startswith("@"):
                yield Rule(head)
            offset = stop + 1
            continue
        head, close = _piece(css, offset, stop), _closing(css, stop, end)
        if head.text.startswith(("@media", "@supports", "@layer", "@container")):
            nested_rules = read_rules(css, stop + 1, close, depth + 1) if depth < MAX_DEPTH else ()
            yield Rule(head, inner=tuple(nested_rules))
        else:
            yield _rule(css, head, stop + 1, close)
        offset = close + 1


def _rule(css: str, head: Piece, offset: int, end: int) -> Rule:
    """Return a rule with the declarations, and the heads of the rules, between two offsets."""
    declarations, nested_rules = [], []
    while offset < end:
        stop = _find(css, offset, end, "{;")
        if stop < end and css[stop] == "{":
            nested_rules.append(Rule(_piece(css, offset, stop)))
            offset = _closing(css, stop, end) + 1
            continue
        colon = css.find(":", offset, stop)
        if colon >= 0:
            declarations.append(Declaration(_piece(css, offset, colon), _piece(css, colon + 1, stop)))
        offset = stop + 1
    return Rule(head, tuple(declarations), tuple(nested_rules))


def _piece(css: str, offset: int, end: int) -> Piece:
    text = css[offset:end]
    return Piece(text.strip(), offset + len(text) - len(text.lstrip()))


def _find(css: str, offset: int, end: int, stops: str) -> int:
    """Return the offset of the first of the characters outside of quotes and brackets, else the end."""
    open_brackets: list[str] = []
    while offset < end:
        sign = css[offset]
        if open_brackets and sign == open_brackets[-1]:
            open_brackets.pop()
        elif not open_brackets and sign in stops:
            return offset
        elif sign in "\"'":
            close = css.find(sign, offset + 1, end)
            offset = end if close < 0 else close
        elif sign in _OPENING:
            open_brackets.append(_OPENING[sign])
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
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(?P<css>.*?)</style", re.DOTALL | re.IGNORECASE)
_STYLE_ATTRIBUTE = re.compile(r"""\bstyle\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""", re.IGNORECASE)
_FUNCTION = re.compile(r"(?P<name>[a-z-]+)\(", re.IGNORECASE)
_ARITHMETIC = re.compile(r"\b(?P<name>calc|min|max|clamp)\(", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|url\([^)]*\)", re.IGNORECASE)
_UNIT = re.compile(r"(?<![\w#.-])[+-]?(?:\d+\.?\d*|\.\d+)(?P<unit>[a-z]+)", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w#.%-])[+-]?(?:\d+\.?\d*|\.\d+)(?![\w.%])")
_PSEUDO = re.compile(r"::?(?P<name>[a-z-]+)", re.IGNORECASE)
_LENGTHS = re.compile(
    r"(?:min-|max-)?(?:width|height)|left|right|top|bottom|inset|font-size|letter-spacing|gap"
    r"|(?:margin|padding)(?:-\w+)?|border-(?:\w+-)?(?:width|radius)"
)
_COLOURS = frozenset(("color", "background-color", "fill", "stroke"))
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_COLOUR_WORDS = frozenset(("transparent", "currentcolor", "none", "context-fill", "context-stroke"))


class _Ignored(Struct, frozen=True):
    """An ignored piece: the key of the cause, the subject of the message, and the next step.

    An example of a subject is "The property `grid`"; the message goes on with "is ignored in print".
    """

    piece: Piece
    cause: str
    subject: str
    next_step: str


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
    read_file = _ignored_in_template if path.suffix == ".jinja" else _ignored_in_css
    for ignored in read_file(source.text):
        by_cause.setdefault(ignored.cause, []).append(ignored)
    for first_ignored, *others in by_cause.values():
        pieces = [ignored.piece for ignored in (first_ignored, *others)]
        span, *other_spans = (source.span(piece.at, piece.at + len(piece.text)) for piece in pieces)
        yield Diagnostic(
            "ignored-css",
            f"{first_ignored.subject} is ignored in print.",
            span,
            first_ignored.next_step,
            tuple(Label(other_span, "here too") for other_span in other_spans[:_MAX_LABELS]),
        )


def _ignored_in_css(text: str, start: int = 0) -> Iterator[_Ignored]:
    css = without_comments(text)
    for rule in read_rules(css, start, len(css)):
        yield from _ignored_in_rule(rule)


def _ignored_in_template(text: str) -> Iterator[_Ignored]:
    """Yield what the engine ignores of the style elements and attributes of a template."""
    without_jinja = _JINJA.sub(_filler, text)
    for match in _STYLE_ELEMENT.finditer(without_jinja):
        yield from _ignored_in_css(without_jinja[: match.end("css")], match.start("css"))
    for match in _STYLE_ATTRIBUTE.finditer(without_jinja):
        begin, end = match.span("double" if match["double"] is not None else "single")
        for declaration in _rule(without_jinja, Piece("", 0), begin, end).declarations:
            yield from _ignored_in_declaration(declaration)


def _filler(jinja: re.Match[str]) -> str:
    """Return filler in place of an expression, blanks in place of a statement or comment: as long as it is,
    so that offsets are kept."""
    filler = _FILLER if jinja[0].startswith("{{") else " "
    return re.sub(r"[^\n]", filler, jinja[0])


def _ignored_in_rule(rule: Rule) -> Iterator[_Ignored]:
    """Yield what the engine ignores of a rule: selectors, nested rules and declarations."""
    head = rule.head
    if head.text.startswith("@"):
        match = re.match(r"@(?P<name>[\w-]+)", head.text)
        word = match["name"].lower() if match else ""
        if word not in known.AT_RULES:
            subject = f"The rule `@{word}`"
            yield _Ignored(Piece(f"@{word}", head.at), f"@{word}", subject, "Write its content without it.")
        elif word == "media":
            for nested_rule in rule.inner:
                yield from _ignored_in_rule(nested_rule)
        return
    for pseudo in _PSEUDO.finditer(head.text):
        if pseudo["name"].lower() not in known.PSEUDO:
            piece = Piece(pseudo[0], head.at + pseudo.start())
            subject = f"A rule with the unknown `{pseudo[0]}`"
            yield _Ignored(piece, pseudo[0], subject, "Select the elements in another way.")
    for nested_rule in rule.inner:
        step = "Write it after the other one, with its full selector."
        yield _Ignored(nested_rule.head, "nesting", "A rule inside a rule", step)
    for declaration in rule.declarations:
        yield from _ignored_in_declaration(declaration)


def _ignored_in_declaration(declaration: Declaration) -> Iterator[_Ignored]:
    """Yield the property if the engine does not know it, else the first part of its value that is ignored."""
    name = declaration.name.text.lower()
    is_variable = name.startswith("--")
    if _FILLER in name or is_variable or name.startswith(known.NO_EFFECT_PREFIXES):
        return
    if name in known.PROPERTIES:
        # One unknown part makes the engine ignore the whole declaration.
        yield from islice(_ignored_in_value(name, declaration.value), 1)
        return
    alternative = _alternative_to(name)
    if alternative is not None:
        cause, step = alternative
    else:
        meant = nearest(name, known.PROPERTIES)
        cause, step = name, f"Did you mean `{meant}`?" if meant else "Remove it, or do it in another way."
    yield _Ignored(declaration.name, cause, f"The property `{declaration.name.text}`", step)


def _alternative_to(name: str) -> tuple[str, str] | None:
    """Return the cause and next step for an unknown property, such as "grid" also for ``grid-area``."""
    if name in known.ALTERNATIVES:
        return known.ALTERNATIVES[name]
    for prefix, alternative in known.ALTERNATIVES.items():
        if name.startswith(prefix.rstrip("-") + "-"):
            return alternative
    return None


def _ignored_in_value(name: str, value: Piece) -> Iterator[_Ignored]:
    """Yield the parts of the value of a property (``name``) that the engine ignores."""
    text = _QUOTED.sub(lambda match: _FILLER * len(match[0]), value.text)
    for match in _FUNCTION.finditer(text):
        function = match["name"]
        if function.lower() in known.UNSUPPORTED_FUNCTIONS:
            cause, step = known.UNSUPPORTED_FUNCTIONS[function.lower()]
            piece = Piece(function, value.at + match.start())
            yield _Ignored(piece, cause, f"`{function}(…)`", step)
    for match in _ARITHMETIC.finditer(text):
        opening_bracket = match.end() - 1
        end = _closing(text, opening_bracket, len(text)) + 1
        if "%" in text[match.end() : end]:
            piece = Piece(value.text[match.start() : end], value.at + match.start())
            subject = f"A percentage inside `{match['name']}(…)`"
            yield _Ignored(piece, "percentage", subject, "Compute it in the template: `{{ w - 8 }}rem`.")
            break
    if name.startswith("background") and _find(text, 0, len(text), ",") < len(text):
        yield _Ignored(value, "backgrounds", "More than one background", "Give each its own element.")
    yield from _ignored_keyword(name, text, value)
    yield from _ignored_numbers(name, text, value)


def _ignored_keyword(name: str, text: str, value: Piece) -> Iterator[_Ignored]:
    """Yield a value that is a word which the property does not have; ``text`` is it without quoted parts."""
    word = re.sub(r"\s*!important\s*$", "", text).strip().lower()
    is_any = _FILLER in word or "var(" in word  # what it is only a template or another rule knows
    if not word or is_any or word in known.GLOBAL_KEYWORDS:
        return
    piece = Piece(value.text[: len(word)], value.at)
    subject = f"`{name}: {word}`"
    if name == "display" and "grid" in word:
        yield _Ignored(piece, "grid", subject, known.FLEX)
    elif (name, word) in (("text-overflow", "ellipsis"), ("hyphens", "auto")):
        yield _Ignored(piece, word, subject, "Let the text shrink: `fit.begin(…)` and `fit.end()`.")
    elif name in known.VALUES and word not in known.VALUES[name]:
        meant = nearest(word, known.VALUES[name])
        step = f"Did you mean `{meant}`?" if meant else f"Use one of {', '.join(sorted(known.VALUES[name]))}."
        yield _Ignored(piece, subject, subject, step)
    elif name in _COLOURS and not _is_colour(word):
        meant = nearest(word, ImageColor.colormap)
        step = f"Did you mean `{meant}`?" if meant else "Write a colour as #rrggbb."
        yield _Ignored(piece, subject, subject, step)


def _is_colour(word: str) -> bool:
    """Whether it is a colour by its name or as ``#rrggbb``, or made by a function."""
    is_named = word in _COLOUR_WORDS or word in ImageColor.colormap
    return is_named or "(" in word or _HEX.fullmatch(word) is not None


def _ignored_numbers(name: str, text: str, value: Piece) -> Iterator[_Ignored]:
    """Yield the numbers of a declaration with an unknown unit, or without one where it needs one."""
    for match in _UNIT.finditer(text):
        unit = match["unit"]
        if unit.lower() not in known.UNITS and name not in ("font-feature-settings", "src"):
            meant = nearest(unit.lower(), known.UNITS)
            step = f"Did you mean `{meant}`?" if meant else "Use rem: 1rem is 1 mm on a poker card."
            yield _Ignored(Piece(match[0], value.at + match.start()), unit, f"`{name}: {match[0]}`", step)
    if _LENGTHS.fullmatch(name) and "(" not in text:
        for match in _BARE.finditer(text):
            if float(match[0]) != 0:
                piece = Piece(match[0], value.at + match.start())
                yield _Ignored(piece, "unit", f"`{name}: {value.text}`", f"Write a unit: `{match[0]}rem`.")
