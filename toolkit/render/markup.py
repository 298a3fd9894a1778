"""Rules text as HTML: icons beside the words they stand for, so that the text can still be searched."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

from toolkit.wording.text import Paragraph, Run

IconSource = Callable[[str], Markup]

_AMOUNT = re.compile(r"(?:^|(?<=\s))([+\-−–×÷]?\d+\+?\s)$")
_CLASSES = {"keyword": "keyword", "reminder": "reminder"}


def rules_markup(paragraph: Paragraph, icon: IconSource) -> Markup:
    """One paragraph: every run in a span of its kind, an amount never torn from the stat behind it."""
    parts: list[Markup] = []
    for number, run in enumerate(paragraph):
        following = paragraph[number + 1] if number + 1 < len(paragraph) else None
        if run.kind == "text" and following is not None and following.kind in ("stat", "die"):
            text, amount = _split_amount(run.text)
            parts += [escape(text), Markup('<span class="amount">'), escape(amount)]
        elif run.kind in ("stat", "die"):
            parts.append(_with_icon(run, icon))
            if number and paragraph[number - 1].kind == "text":
                parts.append(Markup("</span>"))
        else:
            parts.append(_span(run))
    return Markup("").join(parts)


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
