"""Rules text as HTML: icons beside the words they stand for, so that the text can still be searched.

Only what is printed has spaces that do not break (U+00A0), so that no line ends between a number and what it
counts. The text itself (`opforge text`, `text:`, fingerprints) has plain spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

from toolkit.wording.text import Paragraph, Run

IconSource = Callable[[str], Markup]

_NUMBER = re.compile(r"\(?([+−-]?)\d+[+×]?([.,;:)]*)")
_NOT_COUNTED = (
    "",
    *["and", "or", "it", "is", "until", "permanently", "und", "oder", "bis", "ist", "er", "erhält"],
)
"""What may stand behind a number and is not what it counts: the number belongs to the word before it."""

_SIGNS = ("+", "−", "×")
_AMOUNT = re.compile(r"(?:^|(?<=\s))([+\-−–×÷]?\d+\+?\s)$")
_CHANGE = re.compile(r"(?:^|(?<=\s))([+−]\d+\s)$")
"""An amount before a keyword, which is that of a MARKER or RANGE."""


def rules_markup(paragraph: Paragraph, icon: IconSource) -> Markup:
    """Return one paragraph: every run in a span of its kind, an amount never torn from the stat behind it."""
    parts: list[str] = []  # all of them are escaped
    paragraph = _bound(paragraph)
    for number, run in enumerate(paragraph):
        following = paragraph[number + 1].kind if number + 1 < len(paragraph) else ""
        if run.kind == "text" and following == "keyword" and (change := _CHANGE.search(run.text)):
            plain = escape(change[1].replace("\N{NO-BREAK SPACE}", " "))
            parts += [escape(run.text[: change.start()]), '<span class="amount">', plain]
        elif run.kind == "text" and following in ("stat", "die"):
            found = _AMOUNT.search(run.text)
            text, amount = (run.text[: found.start()], found[1]) if found else (run.text, "")
            # The span keeps an amount together; with an ordinary space it can be searched.
            plain = escape(amount.replace("\N{NO-BREAK SPACE}", " "))
            parts += [escape(text), '<span class="amount">', plain]
        elif run.kind in ("stat", "die"):
            drawn = icon(run.icon) if run.icon else ""
            parts.append(f'<span class="{run.kind}">{drawn}{escape(run.text)}</span>')
            if number and paragraph[number - 1].kind == "text":
                parts.append("</span>")
        elif run.kind in ("keyword", "reminder"):
            parts.append(f'<span class="{run.kind}">{escape(run.text)}</span>')
            before = paragraph[number - 1] if number else run
            if run.kind == "keyword" and before.kind == "text" and _CHANGE.search(before.text):
                parts.append("</span>")
        else:
            parts.append(escape(run.text))
    return Markup("".join(parts))


_END = 24
"""So many characters at most are kept together at the end of a flavour text: they fit on every card."""


def flavour_lines(flavour: str) -> Markup:
    """Return a flavour text as it is printed: no word stands alone on the last line.

    A line of the file is a line of its own on the card.
    """
    return Markup("\n").join(map(_flavour_line, flavour.strip().splitlines()))


def _flavour_line(line: str) -> Markup:
    words = list(filter(None, line.split(" ")))
    if len(words) < 3 or len(words[-2]) + len(words[-1]) >= _END:
        return escape(" ".join(words))
    before, last = escape(" ".join(words[:-2])), escape(" ".join(words[-2:]))
    # With U+00A0 some readers find no space.
    return before + Markup(' <span style="white-space:nowrap">') + last + Markup("</span>")


def _bound(paragraph: Paragraph) -> Paragraph:
    """The paragraph with each number bound to the word that it belongs to."""
    words = "".join(run.text for run in paragraph).split(" ")
    text = words[0]
    for before, word, behind in zip(words, words[1:], [*words[2:], ""], strict=False):
        text += ("\N{NO-BREAK SPACE}" if _belong_together(before, word, behind) else " ") + word
    bound, at = [], 0
    for run in paragraph:
        bound.append(Run(run.kind, text[at : at + len(run.text)], run.icon))
        at += len(run.text)
    return tuple(bound)


def _belong_together(before: str, word: str, behind: str) -> bool:
    """Whether one of two words is a number to which the other belongs: "+2 HITCOUNTER", "at 5", "MP × 2"."""
    if before in _SIGNS or word in _SIGNS:
        return True
    left, right = _NUMBER.fullmatch(before), _NUMBER.fullmatch(word)
    if left and not left[2]:
        return True
    if not right:
        return False
    return bool(right[2]) or behind in _NOT_COUNTED or (before.isupper() and not right[1])
