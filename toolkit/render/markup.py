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
    "and",
    "or",
    "it",
    "is",
    "until",
    "permanently",
    "und",
    "oder",
    "bis",
    "ist",
    "er",
    "erhält",
)
"""What may stand behind a number and is not what it counts: the number belongs to the word before it."""

_SIGNS = ("+", "−", "×")
_AMOUNT = re.compile(r"(?:^|(?<=\s))([+\-−–×÷]?\d+\+?\s)$")
_CLASSES = {"keyword": "keyword", "reminder": "reminder"}


def rules_markup(paragraph: Paragraph, icon: IconSource) -> Markup:
    """One paragraph: every run in a span of its kind, an amount never torn from the stat behind it."""
    parts: list[Markup] = []
    paragraph = _bound(paragraph)
    for number, run in enumerate(paragraph):
        following = paragraph[number + 1] if number + 1 < len(paragraph) else None
        if run.kind == "text" and following is not None and following.kind in ("stat", "die"):
            text, amount = _split_amount(run.text)
            parts += [
                escape(text),
                Markup('<span class="amount">'),
                escape(
                    amount.replace("\N{NO-BREAK SPACE}", " ")
                ),  # the span keeps it together, and it can be searched
            ]
        elif run.kind in ("stat", "die"):
            parts.append(_with_icon(run, icon))
            if number and paragraph[number - 1].kind == "text":
                parts.append(Markup("</span>"))
        else:
            parts.append(_span(run))
    return Markup("").join(parts)


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


def _split_amount(text: str) -> tuple[str, str]:
    """The text, and the number at its end with the space behind it, if there is one."""
    found = _AMOUNT.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def _with_icon(run: Run, icon: IconSource) -> Markup:
    drawn = icon(run.icon) if run.icon else Markup("")
    return Markup(f'<span class="{run.kind}">{drawn}{escape(run.text)}</span>')


def _span(run: Run) -> Markup:
    if run.kind not in _CLASSES:
        return escape(run.text)
    return Markup(f'<span class="{_CLASSES[run.kind]}">{escape(run.text)}</span>')
