"""Texts that a comma splits: inside ``{…}`` a comma begins a new key unless the text is in quotes."""

from __future__ import annotations

import re
from itertools import takewhile

from toolkit.data.nodes import Mapping, Scalar
from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.vocabulary import PRINTED

_LANGUAGE = re.compile(rf"({'|'.join(PRINTED)}) +\S")


Rests = dict[str, tuple[str, str]]
"""Of each key that may be the rest of a text: the key of that text, and the last key that is a rest of it."""


def rests_in(around: Mapping) -> Rests:
    """The keys of a mapping in braces that have no value and another key before them."""
    if not around.in_braces:
        return {}
    begins: dict[str, str] = {}
    last: dict[str, str] = {}
    begin: str | None = None
    for key in around.keys:
        if begin is not None and _is_empty(around, key):
            begins[key], last[begin] = begin, key
        else:
            begin = key
    return {key: (begin, last[begin]) for key, begin in begins.items()}


def is_rest(around: Mapping, key: str, rests: Rests) -> bool:
    """Whether a key is the rest of the plain text before it."""
    return key in rests and _plain_text(around, rests[key][0]) is not None


def split_text(
    around: Mapping, key: Scalar, card: str | None, rests: Rests | None = None
) -> Diagnostic | None:
    """The finding, if a key is the rest of the plain text before it: in braces and without a value.

    ``rests`` are those of the mapping, where many of its keys are asked for.
    """
    if not around.in_braces or not _is_empty(around, key.text):
        return None
    rests = rests_in(around) if rests is None else rests
    if key.text not in rests:
        return None
    slip = _language_without_colon(around, key, card)
    if slip is not None:
        return slip
    begin, end = rests[key.text]
    text = _plain_text(around, begin)
    if text is None:
        return None
    whole = around.file.span(text.start, around.keys[end].end)
    quoted = whole.text.replace("\\", "\\\\").replace('"', '\\"')
    return Diagnostic(
        "unquoted-comma",
        f"The comma before `{shown(key.text)}` splits the text of `{shown(begin)}`.",
        key.span,
        f'Inside {{…}} put a text with commas in quotes: {shown(begin)}: "…".',
        card=card,
        fix=None if "\n" in quoted or "\r" in quoted else Fix(whole, f'"{quoted}"'),
    )


def _plain_text(around: Mapping, key: str) -> Scalar | None:
    """The value of a key, if it is a text without quotes."""
    text = around.nodes[key]
    return text if isinstance(text, Scalar) and not text.style and text.start < text.end else None


def _language_without_colon(around: Mapping, key: Scalar, card: str | None) -> Diagnostic | None:
    """The slip `{en: Viper, de Otter}`: among languages the key is one more, and its colon is missing."""
    found = _LANGUAGE.match(key.text)
    if found is None or found[1] in around.keys:
        return None
    before = takewhile(lambda name: name != key.text, around.keys)
    if not all(len(name) == 2 for name in before):
        return None
    place = key.file.span(key.start, key.start + 2)
    if place.text != found[1]:
        return None
    message, step = f"There is no `:` after `{found[1]}`.", f"Write `{found[1]}: …`."
    fix = Fix(key.span, f"{found[1]}:{key.text[2:]}") if key.span.text == key.text else None
    return Diagnostic("missing-colon", message, place, step, card=card, fix=fix)


def _is_empty(around: Mapping, key: str) -> bool:
    node = around.nodes[key]
    return isinstance(node, Scalar) and node.value is None and node.start == node.end
