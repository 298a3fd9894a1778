"""Rules text as HTML: icons stand beside the words they illustrate, so that the text can be searched.

No line breaks between a number and what it counts: in print these words are joined by U+00A0. The text itself
(`opforge text`, `text:`, fingerprints) has plain spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

from toolkit.wording.text import Paragraph, Run

IconSource = Callable[[str], Markup]

_NUMBER = re.compile(r"\(?(?P<sign>[+−-]?)\d+[+×]?(?P<punctuation>[.,;:)]*)")
_NOT_A_UNIT = (
    "",
    *["and", "or", "it", "is", "until", "permanently", "und", "oder", "bis", "ist", "er", "erhält"],
)
"""Words after a number that it does not count: the number then belongs to the word before it."""

_SIGNS = ("+", "−", "×")
_AMOUNT_AT_END = re.compile(r"(?:^|(?<=\s))([+\-−–×÷]?\d+\+?\s)$")
_CHANGE_AT_END = re.compile(r"(?:^|(?<=\s))([+−]\d+\s)$")
"""A change before a keyword, which is that of a MARKER or of RANGE."""


_MAX_BESIDE_AMOUNT = 4
"""Characters of a noun that stays beside its amount and icon; a longer one may go to the next line."""


def rules_markup(paragraph: Paragraph, icon: IconSource) -> Markup:
    """Return a paragraph as HTML: each run in a span of its kind, an amount and its stat (or its
    icon, if the word is long) in one more span.

    That span is opened at the end of the text before the stat, and closed behind the stat, or its icon.
    """
    parts: list[str] = []  # all of them are escaped
    paragraph = _bind_words(paragraph)
    is_span_open = False
    amount = None
    following_kinds = [*(run.kind for run in paragraph[1:]), ""]
    for run, following_kind in zip(paragraph, following_kinds, strict=True):
        if run.kind == "text":
            amount = _amount_at_end(run.text, following_kind)
            end = amount.start() if amount else len(run.text)
            parts.append(escape(run.text[:end]))
            is_span_open = amount is not None or following_kind in ("stat", "die")
            if is_span_open:
                # The span itself does not break; with plain spaces its text can be searched.
                parts += ['<span class="amount">', escape(run.text[end:].replace("\N{NO-BREAK SPACE}", " "))]
            continue
        icon_before = icon(run.icon) if run.icon and run.kind in ("stat", "die") else Markup()
        if amount and icon_before and len(run.text) > _MAX_BESIDE_AMOUNT:
            parts += [icon_before, "</span>"]
            icon_before, is_span_open = Markup(), False
        parts.append(f'<span class="{run.kind}">{icon_before}{escape(run.text)}</span>')
        if is_span_open:
            parts.append("</span>")
            is_span_open = False
        amount = None
    return Markup("".join(parts))


def _amount_at_end(text: str, following_kind: str) -> re.Match[str] | None:
    """Return the amount at the end of a text, if it is one of what follows."""
    if following_kind == "keyword":
        return _CHANGE_AT_END.search(text)
    return _AMOUNT_AT_END.search(text) if following_kind in ("stat", "die") else None


_MAX_KEPT_TOGETHER = 24
"""Characters that are kept on one line at the end of a flavour text: so many fit on every card."""


def flavour_lines(flavour: str) -> Markup:
    """Return a flavour text with the line breaks of the file, and no single word on its last line."""
    return Markup("\n").join(map(_flavour_line, flavour.strip().splitlines()))


def _flavour_line(line: str) -> Markup:
    """Escape a line, whose last two words stay together if they are short: no single word in a line."""
    words = list(filter(None, line.split(" ")))
    if len(words) < 3:
        return escape(" ".join(words))
    *words_before, second_last, last = words
    if len(second_last) + len(last) >= _MAX_KEPT_TOGETHER:
        return escape(" ".join(words))
    last_two = escape(f"{second_last} {last}")
    # Not U+00A0, in which some PDF viewers find no space when they search.
    no_break, end = Markup(' <span style="white-space:nowrap">'), Markup("</span>")
    return escape(" ".join(words_before)) + no_break + last_two + end


_ONE_LINE = 30
"""Characters of a paragraph that fits on one line of every card."""
_STUB = 8
"""Characters of words that do not stand alone on the last line, such as "+2 AP."."""


def _bind_words(paragraph: Paragraph) -> Paragraph:
    """Return the paragraph with U+00A0 between each number and the word that it belongs to, and before a
    short end of it."""
    whole_text = "".join(run.text for run in paragraph)
    words = whole_text.split(" ")
    text, *words_behind_first = words
    is_long = len(whole_text) > _ONE_LINE and whole_text.endswith((".", ")"))
    next_words = [*words_behind_first[1:], ""]
    for word_before, word, next_word in zip(words, words_behind_first, next_words, strict=False):
        is_before_stub = is_long and len(whole_text) - len(text) - 1 <= _STUB
        is_bound = _belong_together(word_before, word, next_word) or is_before_stub
        text += ("\N{NO-BREAK SPACE}" if is_bound else " ") + word
    bound, offset = [], 0  # the runs have the same lengths as before
    for run in paragraph:
        bound.append(Run(run.kind, text[offset : offset + len(run.text)], run.icon))
        offset += len(run.text)
    return tuple(bound)


def _belong_together(word_before: str, word: str, next_word: str) -> bool:
    """Whether a number and the other of two words belong together: "+2 HITCOUNTER", "at 5", "MP × 2".

    A number belongs to the word behind it; to that before it if it counts no ``next_word``.
    """
    if word_before in _SIGNS or word in _SIGNS:
        return True
    number_before, number = _NUMBER.fullmatch(word_before), _NUMBER.fullmatch(word)
    if number_before and not number_before["punctuation"]:
        return True
    if not number:
        return False
    has_no_unit = bool(number["punctuation"]) or next_word in _NOT_A_UNIT
    return has_no_unit or (word_before.isupper() and not number["sign"])
