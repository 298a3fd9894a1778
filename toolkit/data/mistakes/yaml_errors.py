"""Syntax errors of YAML in a designer's words, each as one finding at the exact place.

The parser says what it expected; the likely mistake is inferred from the lines around that place. The
messages for it are in one table (``_HINTS``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.schema import known_keys
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.phrases import counted, shown
from toolkit.source import SourceFile, Span
from toolkit.source.yaml_scalars import quoted
from toolkit.vocabulary import PRINTED

_KEY = re.compile(r"[ \t]*(?:- +)*(?P<key>[^\s:#'\"\[{,-][^\s:#,\[\]{}]*)[ \t]*:(?=\s|$)")
_PLAIN_KEY = r"([A-Za-z_][\w-]*)[ \t]*:(?=[ \t\r\n]|$)"
_NOTHING = r"[ \t]*(?:#.*)?\r?\n"
"""The rest of a line without a value: blank, or only a comment."""

_WORD = re.compile(r"[^\s:,\[\]{}#]+|\S")
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?= |$|\r)", re.MULTILINE)
_COLON_IN_TEXT = re.compile(r"[ \t]*(?:- +)*[^\s:#][^:#]*: +(?=\S)")
_KEY_IN_TEXT = re.compile(r"(?<![^\s{])([^\s:{}\[\],\"']+):(?=\s|$)")
_SECOND_COLON = re.compile(r"[^\s:]:( +:)\Z")
_GLUED_COLON = re.compile(r"[ \t]*(?:- +)*[A-Za-z_][\w-]*(?P<sign>:)(?=[^\s:/])")
_OTHER_THAN_COLON = re.compile(r"(?P<key>[A-Za-z_][\w-]*)[ \t]*(?P<sign>[=;])(?=\s)")
_GLUED_DASH = re.compile(r"[ \t]*(?P<sign>-)(?=[A-Za-z_])")
_COMMENT = re.compile(r"[ \t](#.*)$")
_COMMENT_IN_BRACKETS = re.compile(r"(?<=[\s\[{,])(#.*)$")
_BRACKET_VALUE = re.compile(r"(?:^|[:,{\[-])[ \t]*([\[{](?:[^\[\]{}]*)[\]}])[ \t]*$")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_COLOURS = re.compile(rf"(?:{_COLOUR.pattern}[ ,]*)+\][ }}]*$")
_OPENERS = {"[": "]", "{": "}"}
_TEXT_IN_BRACKETS = re.compile(r"[\[{](?:[^\[\]{}:]|:(?!\s|$))*[\]}](?:[^\[\]{}:]|:(?!\s|$))*")
"""A text such as ``[X] shot``: one pair of brackets, and no keys or further brackets."""

_HINTS = {
    "unknown": (
        "yaml-syntax",
        "YAML cannot be read from here on.",
        "Compare this line and the one above with an entry that works.",
    ),
    "conflict": (
        "merge-conflict",
        "A merge conflict begins here.",
        "Keep one of the two versions and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`.",
    ),
    "tab": (
        "tab-in-indentation",
        "There is a tab here; YAML allows only spaces for indentation and around punctuation.",
        "Replace the tab with spaces: two for each level.",
    ),
    "quotes end early": (
        "broken-quotes",
        "The quotation marks end before this, so the rest of the line is not part of any text.",
        "Put the quotation marks around the whole text. "
        'A mark inside it is written twice in \'…\' and as \\" in "…".',
    ),
    "no closing quote": (
        "unclosed-text",
        "The text that begins with {0} here has no closing quotation mark.",
        "Add {0} at its end.",
    ),
    "escape": (
        "unknown-escape",
        '`{0}` has no meaning in a text between " and ".',
        "Write `\\\\` for a backslash, or put the text between ' and '.",
    ),
    "text behind bracket": (
        "yaml-syntax",
        "The text after the `{0}` does not belong to anything.",
        "Remove it, or begin a new line before it if it is a key. A text with `{0}` needs quotes.",
    ),
    "text begins with indicator": (
        "text-needs-quotes",
        "A text that begins with `{0}` needs quotes.",
        "Write {1}.",
    ),
    "closes nothing": (
        "unmatched-bracket",
        "This `{0}` closes nothing.",
        "Remove it, or put a text with brackets in quotes.",
    ),
    "comment in brackets": (
        "text-needs-quotes",
        "`#` begins a comment here, so the rest of the line is not read.",
        'Put a text that begins with `#`, such as a colour, in quotes: "#1d2b3a".',
    ),
    "bare colon": (
        "missing-space",
        "There is neither a space nor a value after this `:`.",
        "Write a space and the value, or remove the key.",
    ),
    "second colon in brackets": (
        "text-needs-quotes",
        "A second `:` between {0} and {1} cannot be read.",
        "Put a text with a `:` in quotes, or add the comma that is missing before the key.",
    ),
    "bare comma": (
        "yaml-syntax",
        "There is nothing before this comma.",
        "Remove the comma, or write what is missing.",
    ),
    "not closed": (
        "unmatched-bracket",
        "This `{0}` has no closing `{1}`.",
        "Add `{1}` where it ends; a text with brackets or braces needs quotes.",
    ),
    "colon in text": ("text-needs-quotes", "A text with `: ` in it needs quotes.", "Write {0}."),
    "two colons": ("yaml-syntax", "There are two `:` here.", "Remove one."),
    "key twice": (
        "text-needs-quotes",
        "`{0}` is here twice.",
        'Remove one of the two, or put the text in quotes: "{1}".',
    ),
    "key on the same line": (
        "text-needs-quotes",
        "`{0}` is on the same line as the key before it.",
        "Begin a new line before `{0}`; if it is text, put all of the text in quotes.",
    ),
    "language on the same line": (
        "text-needs-quotes",
        "`{0}` is on the same line as the key before it.",
        "Put a text by language in braces: `{{en: …, de: …}}`; if it is text, put all of it in quotes.",
    ),
    "block not deeper": (
        "wrong-indentation",
        "The text below a `|` or `>` must be indented deeper than its key.",
        "Put two more spaces before each of its lines.",
    ),
    "other than colon": ("missing-colon", "`{0}` is followed by `{1}` instead of `:`.", "Write `{0}: …`."),
    "no colon": (
        "missing-colon",
        "There is no `:` after `{0}`.",
        "Write `{0}: …`. If the line goes on with the text above, indent it deeper.",
    ),
    "no space": ("missing-space", "There is no space after this `{0}`.", "Add a space."),
    "stray indicator": (
        "missing-space",
        "There is no space after this `{0}`.",
        "Remove the `{1}`, or write a space and the value.",
    ),
    "list beside key": (
        "wrong-indentation",
        "The first `- ` of a list needs its own line.",
        "Begin a new line before it.",
    ),
    "comment ends text": (
        "swallowed-by-comment",
        "This comment ends the text, so the next line does not belong to anything.",
        "Move the comment to its own line above the key.",
    ),
    "no key": ("yaml-syntax", "There is no key before this colon.", "Write the key, or remove the line."),
    "deeper": (
        "wrong-indentation",
        "This line is indented deeper than the one above, so it is read as part of it.",
        "{0}",
    ),
    "other indentation": (
        "wrong-indentation",
        "This line has another indentation than the lines it belongs to.",
        "{0}",
    ),
    "missing dash": (
        "missing-dash",
        "Here a new entry begins with `{0}`, and its dash is missing.",
        "Write `- ` before it.",
    ),
    "end of file": (
        "yaml-syntax",
        "The file should have ended before this.",
        "Remove the closing bracket, `...` or text before it, or what follows.",
    ),
    "text after block indicator": (
        "yaml-syntax",
        "The line must end after `|` and `>`; the text begins on the next one.",
        "Move the text to the next line and indent it deeper than the key.",
    ),
    "value ends": (
        "yaml-syntax",
        "The value ends before this comma.",
        "Remove the comma and what follows, or put all of it between one pair of brackets.",
    ),
    "percent": ("yaml-syntax", "A line cannot begin with `%`.", "Remove the line."),
}
"""By mistake, the finding's name, message and next step; numbers in braces stand for words of the file."""


def _hint(
    mistake: str, span: Span, *words: str, fix: Fix | None = None, labels: tuple[Label, ...] = ()
) -> Diagnostic:
    name, message, step = _HINTS[mistake]
    return Diagnostic(name, message.format(*words), span, step.format(*words), labels, fix=fix)


class Line(Struct, frozen=True):
    """One line: its number from 1, its offset in the file, its text without the line end."""

    file: SourceFile
    number: int
    start: int
    text: str

    @property
    def indent(self) -> int:
        """The number of spaces and tabs at its beginning."""
        return len(self.text) - len(self.text.lstrip(" \t"))

    @property
    def body(self) -> str:
        """Its text without leading and trailing blanks."""
        return self.text.strip()

    @property
    def has_dash(self) -> bool:
        """Whether it begins a list item."""
        return self.body.startswith("- ") or self.body == "-"

    @property
    def key_column(self) -> int | None:
        """The column, from 0, of its first key, after dashes; None if it does not begin with a key."""
        match = _KEY.match(self.text)
        return match.start("key") if match else None

    def span(self, start: int, end: int) -> Span:
        """Return the span between two columns of the line, counted from 0."""
        return self.file.span(self.start + start, self.start + end)

    def above(self) -> Line | None:
        """Return the nearest line above that is neither blank nor a comment."""
        for number in range(self.number - 1, 0, -1):
            line = line_number(self.file, number)
            if line.body and not line.body.startswith("#"):
                return line
        return None


def line_number(file: SourceFile, number: int) -> Line:
    """Return a line by its number, from 1."""
    return Line(file, number, file.line_starts()[number - 1], file.line(number))


def line_at(file: SourceFile, offset: int) -> Line:
    """Return the line that an offset is in."""
    return line_number(file, file.position(offset).line)


def word_at(file: SourceFile, offset: int) -> Span:
    """Return the word that begins at an offset; a single character if none does."""
    match = _WORD.match(file.text, offset)
    return file.span(offset, match.end() if match else offset)


class FittingIndent(NamedTuple):
    """The indent that a line probably should have, and the number of the line above that has it."""

    column: int
    line_number: int


_LONGEST_ENTRY = 20


def fitting_indent(line: Line) -> FittingIndent | None:
    """Return the indent that a line probably should have.

    It is the nearest indent of the dashes above for a list item, and of the keys above for a key; None if
    the line begins with neither.
    """
    above = line.above() if line.has_dash or line.key_column is not None else None
    nearest_indent: FittingIndent | None = None
    while above is not None:
        column_of_dash = above.indent if above.has_dash else None
        column = column_of_dash if line.has_dash else above.key_column
        if column is not None:
            if nearest_indent is None or abs(column - line.indent) < abs(nearest_indent.column - line.indent):
                nearest_indent = FittingIndent(column, above.number)
            if above.indent == 0 or line.number - above.number > _LONGEST_ENTRY:
                break
        above = above.above() if above.indent > 0 else None
    return nearest_indent


class ParseFailure(Struct, frozen=True):
    """Where the parser stopped (``at``), why, and what it was parsing.

    ``began`` is where the construct began that it could not finish, ``last`` the beginning of the last value
    that was parsed, ``opener`` the innermost open bracket or brace.
    """

    file: SourceFile
    at: int
    problem: str
    context: str = ""
    began: int | None = None
    last: int = 0
    opener: int | None = None

    @property
    def char(self) -> str:
        """The character at which the parser stopped."""
        return self.file.text[self.at : self.at + 1]

    @property
    def stop(self) -> Span:
        """The span of that character."""
        return self.file.span(self.at, self.at + 1)


def syntax_finding(
    file: SourceFile, error: Exception, last: int = 0, opener: int | None = None
) -> Diagnostic:
    """Return the one finding about a syntax error, at ``last`` if the error has no place."""
    mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    end = len(file.text)
    failure = ParseFailure(
        file,
        at=min(mark.index if mark else last, end),
        problem=str(getattr(error, "problem", None) or ""),
        context=str(getattr(error, "context", None) or ""),
        began=min(context.index, end) if context else None,
        last=min(last, end),
        opener=opener,
    )
    conflict = _CONFLICT.search(file.text)
    if conflict and conflict[0].startswith("<"):
        return _hint("conflict", file.span(*conflict.span()))
    # from the most to the least specific explanation: the first that applies is reported
    explanations = (
        *(_tab, _quotes, _escape, _behind_brackets, _brackets, _colons),
        *(_key_without_colon, _indentation, _leading_indicator),
    )
    findings = (explanation(failure) for explanation in explanations)
    return next(filter(None, findings), None) or _hint("unknown", word_at(file, failure.at))


def _tab(failure: ParseFailure) -> Diagnostic | None:
    """A tab; the fix writes two spaces for each level in the indentation, and one space elsewhere."""
    file, line = failure.file, line_at(failure.file, failure.at)
    tabs = re.compile(r"\t+").match(file.text, failure.at)
    if tabs is None:
        return None
    span = file.span(*tabs.span())
    if line.text[: failure.at - line.start].strip():
        return _hint("tab", span, fix=Fix(span, " "))
    expanded_indent = line.text[: line.indent].expandtabs(2)
    fitting = fitting_indent(replace(line, text=expanded_indent + line.body))
    spaces = " " * (fitting.column if fitting else len(expanded_indent))
    return _hint("tab", span, fix=Fix(line.span(0, line.indent), spaces, safe=False))


def _quotes(failure: ParseFailure) -> Diagnostic | None:
    """A quoted text that does not end, or ends too early.

    If it ends at a quote within it, the parser stops behind that, or in a later line at the next value.
    """
    file = failure.file
    began = failure.began if "quoted scalar" in failure.context else None
    if began is not None and ("end of stream" in failure.problem or "document" in failure.problem):
        return _unclosed(file, began)
    quote = file.text[failure.last : failure.last + 1]
    if quote not in ("'", '"') or failure.last >= failure.at:
        return None
    if "expected key" not in failure.problem and "expected <block" not in failure.problem:
        return None
    between = file.text[failure.last : failure.at]
    if "\n" in between.rstrip(" "):
        return _unclosed(file, failure.last) if failure.char.strip() and "\n" in between.strip() else None
    line = line_at(file, failure.at)
    return _hint("quotes end early", file.span(failure.at, line.start + len(line.text.rstrip())))


def _unclosed(file: SourceFile, began: int) -> Diagnostic:
    """Return the finding about a quoted text without its closing quote, on its first line."""
    line, quote = line_at(file, began), file.text[began]
    span = file.span(began, max(began + 1, line.start + len(line.text.rstrip())))
    return _hint("no closing quote", span, quote, fix=_at_end(_rest(file, began), quote))


def _at_end(span: Span, closing: str) -> Fix:
    """Return the fix that adds a closing quote or bracket at the end; it may be meant to be elsewhere."""
    gap = " " if span.text.endswith(":") else ""  # a colon needs a space after it
    return Fix(span.file.span(span.end, span.end), gap + closing, safe=False)


def _escape(failure: ParseFailure) -> Diagnostic | None:
    """Return the finding about an escape in double quotes that YAML does not have."""
    if "quoted scalar" not in failure.context:
        return None
    start = failure.file.text.rfind("\\", 0, failure.at + 1)
    longest_escape = len("\\U0001f600")
    if start < failure.at - longest_escape or start < 0:
        return None
    span = failure.file.span(start, min(start + 2, len(failure.file.text)))
    return _hint("escape", span, span.text, fix=Fix(failure.file.span(start, start + 1), "\\\\"))


def _behind_brackets(failure: ParseFailure) -> Diagnostic | None:
    """A text that begins with a bracket, so that what follows the closing one cannot be read."""
    file = failure.file
    line = line_at(file, failure.at)
    column = failure.at - line.start
    if not line.text[:column].rstrip(" ").endswith(("]", "}")) or failure.char in ("", ",", ":", "]", "}"):
        return None
    begin = _BRACKET_VALUE.search(line.text, 0, column)
    if begin is None:
        return None
    start = line.start + begin.start(1)
    text = _rest(file, start) if failure.opener is None else _up_to_bracket(file, start, failure.at)
    if not _TEXT_IN_BRACKETS.fullmatch(text.text):
        span = file.span(failure.at, max(text.end, failure.at + 1))
        return _hint("text behind bracket", span, _OPENERS[file.text[start]])
    fix = Fix(text, quoted(text.text))
    return _hint(
        "text begins with indicator", file.span(start, start + 1), file.text[start], fix.replacement, fix=fix
    )


def _brackets(failure: ParseFailure) -> Diagnostic | None:
    """Unmatched brackets and braces, and mistakes between them."""
    file, stop = failure.file, failure.stop
    if failure.opener is None:
        if failure.char and failure.char in "]}":
            return _hint("closes nothing", stop, failure.char, fix=Fix(stop, "", safe=False))
        return None
    line = line_at(file, failure.opener)
    char = file.text[failure.opener]
    same_line = failure.at <= line.start + len(line.text)
    comment = _COMMENT_IN_BRACKETS.search(line.text, failure.opener - line.start)
    if not same_line and comment and _OPENERS[char] in comment[1]:
        span = line.span(comment.start(1), comment.end(1))
        in_quotes = _COLOUR.sub(r'"\g<0>"', span.text)
        fix = Fix(span, in_quotes) if _COLOURS.match(span.text) else None
        return _hint("comment in brackets", span, fix=fix)
    if same_line and failure.char == ":":
        if file.text[failure.at + 1 : failure.at + 2] in ("}", "]", ","):
            return _hint("bare colon", stop)
        return _hint("second colon in brackets", stop, char, _OPENERS[char])
    if same_line and failure.char == ",":
        return _hint("bare comma", stop, fix=Fix(stop, "", safe=False))
    if same_line and failure.char not in ("]", "}", ""):
        return None
    stopped = file.span(failure.at, min(failure.at + 1, len(file.text)))
    rest_of_text = _rest(file, failure.opener)
    return _hint(
        "not closed",
        file.span(failure.opener, failure.opener + 1),
        char,
        _OPENERS[char],
        labels=(Label(stopped, "it is missing before this"),) if stopped.text.strip() else (),
        fix=None if set("]}") & set(rest_of_text.text) else _at_end(rest_of_text, _OPENERS[char]),
    )


def _colons(failure: ParseFailure) -> Diagnostic | None:
    """A colon where none is possible: in a text, or on a line that is read as part of the one above."""
    if "mapping values are not allowed" not in failure.problem:
        return None
    line = line_at(failure.file, failure.at)
    match = _COLON_IN_TEXT.match(line.text, 0, failure.at - line.start)
    if match:
        text = line.span(match.end(), len(_COMMENT.sub("", line.text).rstrip()))
        key = _key_in(text)
        if key is not None:
            return _joined(line.span(0, match.end()), text, key)
        fix = Fix(text, quoted(text.text))
        return _hint("colon in text", failure.stop, fix.replacement, fix=fix)
    second = _SECOND_COLON.search(line.text, 0, failure.at - line.start + 1)
    if second:
        span = line.span(second.start(1), second.end(1))
        return _hint("two colons", span, fix=Fix(span, ""))
    above = line.above()
    glued = _glued(line) or (_glued(above) if above else None)
    if glued:
        return glued
    if above and ":" not in above.body and line.indent >= above.indent:
        dashes = re.match(r"(?:- +)*", above.body)
        return _missing_colon(failure.file, above.start + above.indent + (dashes.end() if dashes else 0))
    return _missing_dash(line) or _wrong_indentation(line, "deeper")


def _key_in(text: Span) -> Span | None:
    """Return the first word with a colon in a text that is a key elsewhere; None if all of it is text."""
    file = text.file
    for match in _KEY_IN_TEXT.finditer(text.text):
        word = match[1]
        as_key = rf"(?m)(?:^[ \t]*(?:- +)*|[{{,][ \t]*){re.escape(word)}:(?=\s|$)"
        is_key_elsewhere = any(
            not text.start <= key_match.end() <= text.end for key_match in re.finditer(as_key, file.text)
        )
        if word in known_keys() or is_key_elsewhere:
            return file.span(text.start + match.start(), text.start + match.end())
    return None


def _joined(begin: Span, text: Span, key: Span) -> Diagnostic:
    """A key in the text of another one: the line break before it is missing, or the key is repeated."""
    *_, key_before = begin.text.split()
    if key.start == text.start and key_before == key.text:
        key_and_space = key.file.span(key.start, min(text.end, key.end + 1))
        return _hint("key twice", key, key.text, shown(text.text), fix=Fix(key_and_space, ""))
    is_language = key.text.removesuffix(":") in PRINTED
    return _hint("language on the same line" if is_language else "key on the same line", key, key.text)


def _key_without_colon(failure: ParseFailure) -> Diagnostic | None:
    """A line that must be a key with a colon, but is not."""
    if "could not find expected ':'" not in failure.problem or failure.began is None:
        return None
    line = line_at(failure.file, failure.began)
    above = line.above()
    if above and re.search(r":[ \t]+[|>][+-]?\d?[+-]?[ \t]*(#.*)?$", above.text):
        return _hint("block not deeper", line.span(line.indent, len(line.text.rstrip())))
    return _glued(line) or _missing_colon(failure.file, failure.began)


def _missing_colon(file: SourceFile, offset: int) -> Diagnostic:
    """Return the finding about a key with another sign, or nothing, in place of its colon."""
    match = _OTHER_THAN_COLON.match(file.text, offset)
    if match:
        key, sign = match["key"], match["sign"]
        fix = Fix(file.span(match.end("key"), match.end("sign")), ":")
        return _hint("other than colon", file.span(*match.span("sign")), key, sign, fix=fix)
    word = word_at(file, offset)
    is_key = re.fullmatch(r"[A-Za-z_][\w-]*", word.text)
    fixed = Fix(word, f"{word.text}:") if is_key else None
    return _hint("no colon", word, word.text or "the key", fix=fixed)


def _glued(line: Line) -> Diagnostic | None:
    """A dash or colon without the space after it."""
    match = _GLUED_DASH.match(line.text) or _GLUED_COLON.match(line.text)
    if match is None:
        return None
    span, next_char = line.span(*match.span("sign")), line.text[match.end()]
    if next_char in ",]}":  # it cannot begin a value
        return _hint("stray indicator", span, match["sign"], next_char)
    return _hint("no space", span, match["sign"], fix=Fix(span, f"{match['sign']} "))


def _indentation(failure: ParseFailure) -> Diagnostic | None:
    """Lines with too much or too little indentation, or without a key."""
    line = line_at(failure.file, failure.at)
    if "sequence entries are not allowed" in failure.problem:
        return _hint("list beside key", failure.stop)
    if not re.search("expected key|expected '-'|expected <block", failure.problem):
        return None
    above = line.above()
    if glued := _glued(line):
        return glued
    between = line_number(failure.file, line.number - 1) if line.number > 1 else None
    if between and between.body.startswith("#"):
        above = between
    comment = _COMMENT.search(above.text) if above else None
    if above and comment and line.key_column is None and not line.has_dash:
        return _hint("comment ends text", above.span(comment.start(1), comment.end(1)))
    if failure.char == ":":
        return _hint("no key", failure.stop)
    if failure.at > line.start + line.indent:
        return None
    return _missing_dash(line) or _wrong_indentation(line, "other indentation")


def _wrong_indentation(line: Line, mistake: str) -> Diagnostic:
    """Return the finding about a line's indent, with that of the nearest line that it may belong to."""
    fitting = fitting_indent(line)
    step = "Indent it like the lines that it belongs to."
    fix = None
    if fitting and fitting.column != line.indent:
        column, number = fitting
        spaces = counted(column, "space") if column else "no space"
        step = f"Begin it with {spaces}, like line {number}."
        fix = Fix(line.span(0, line.indent), " " * column, safe=False)
    end = word_at(line.file, line.start + line.indent).end - line.start
    return _hint(mistake, line.span(line.indent, end), step, fix=fix)


def _missing_dash(line: Line) -> Diagnostic | None:
    """A list entry without its dash: the one on this line, or the first one above."""
    missing = next(_without_dash(line), None)
    if missing is None:
        return None
    key, span, labels = missing.key, missing.dash_place, missing.labels
    fix = Fix(span, "- ", safe=False)
    return _hint("missing dash", key, shown(key.text), fix=fix, labels=labels)


class _MissingDash(NamedTuple):
    """The first key of an entry without its dash, the dash's place, and a label at another entry."""

    key: Span
    dash_place: Span
    labels: tuple[Label, ...] = ()


def _without_dash(line: Line) -> Iterator[_MissingDash]:
    """Yield how a line may show that an entry of a list lacks its dash."""
    file, text = line.file, line.file.text[: line.start]
    key = re.match(rf"( *){_PLAIN_KEY}", line.text)
    if key is not None:  # the key is at the column of its list's dashes
        earlier_dashes = list(re.finditer(rf"(?m)^ {{{line.indent}}}- +({re.escape(key[2])}) *:", text))
        if earlier_dashes:
            label = Label(file.span(*earlier_dashes[-1].span(1)), "an entry of the same list")
            yield _MissingDash(line.span(*key.span(2)), line.span(key.start(2), key.start(2)), (label,))
    dash = re.match(rf"( *)- +{_PLAIN_KEY}", line.text)
    if dash is not None:  # the first entry of the list lacks the dash that the second one has
        column, word = dash.start(2), re.escape(dash[2])
        below_a_key = rf"(?m)^ *{_PLAIN_KEY}{_NOTHING}(?:{_NOTHING})* {{{column}}}({word}) *:"
        first_keys = list(re.finditer(below_a_key, text))
        if first_keys and column >= len("- "):
            start, end = first_keys[-1].span(2)
            label = Label(line.span(*dash.span(2)), "the next entry")
            yield _MissingDash(file.span(start, end), file.span(start - len("- "), start), (label,))
    above = line.above()
    key = re.match(rf"( *){_PLAIN_KEY}[ \t]*[^\s#]", above.text) if above else None
    if above is None or key is None or above.indent != line.indent - len("- "):
        return
    begins_list = rf"(?m)^( *){_PLAIN_KEY}{_NOTHING}(?:{_NOTHING})*\Z"
    if re.search(begins_list, file.text[: above.start]):
        # the first entry lacks its dash, and its other keys are where they would be with one
        yield _MissingDash(above.span(*key.span(2)), above.span(key.start(2), key.start(2)))


def _leading_indicator(failure: ParseFailure) -> Diagnostic | None:
    """Return the finding of a text that begins with an indicator of YAML, or stands where none may."""
    file = failure.file
    if "document start" in failure.problem:  # a line below `{a: 1}` or `...`
        return _hint("end of file", word_at(file, failure.at))
    if "block scalar" in failure.context:  # `text: | words`
        return _hint("text after block indicator", word_at(file, failure.at))
    start = _start_of(failure)
    char = file.text[start : start + 1]
    is_after_complete_value = file.text[:start].rstrip(" ").endswith(("]", "}", '"', "'"))
    if char == "," and failure.opener is None and is_after_complete_value:  # `traits: [rifle], tank`
        return _hint("value ends", file.span(start, start + 1))
    in_brackets = failure.opener is not None and char not in ",]}"
    rest_of_text = _up_to_bracket(file, start, start) if in_brackets else _rest(file, start)
    if char == "%" and line_at(file, start).start == start:  # `%name: 1`
        return _hint("percent", rest_of_text)
    if not char or char not in "@`%*&!?|>,]}":
        return None
    # `name: @home`
    fix = Fix(rest_of_text, quoted(rest_of_text.text))
    return _hint(
        "text begins with indicator",
        file.span(start, start + 1),
        char,
        fix.replacement,
        fix=None if failure.opener is not None else fix,
    )


def _up_to_bracket(file: SourceFile, start: int, read_to: int) -> Span:
    """Return a text between brackets that was read up to an offset: it ends before a comma or a bracket."""
    end = re.compile(r"[^,\[\]{}\r\n]*").match(file.text, read_to)
    text = file.text[start : end.end() if end else read_to]
    return file.span(start, start + len(text.rstrip()))


def _start_of(failure: ParseFailure) -> int:
    """Return where what could not be read begins: an alias, anchor or tag before the parser stopped."""
    if failure.began is not None and re.search("alias|anchor|tag", failure.context):
        return failure.began
    return failure.at


def _rest(file: SourceFile, start: int) -> Span:
    """Return the span from an offset to the end of its line, without a comment."""
    line = line_at(file, start)
    text = _COMMENT.sub("", line.text[start - line.start :]).rstrip()
    return file.span(start, start + max(1, len(text)))
