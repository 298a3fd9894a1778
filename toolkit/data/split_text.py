"""Texts that a comma splits: inside ``{…}`` a comma begins a new key unless the text is in quotes."""

from __future__ import annotations

import re

from toolkit.data.nodes import Mapping, Scalar
from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.vocabulary import PRINTED

_LANGUAGE = re.compile(rf"({'|'.join(PRINTED)}) +\S")


def split_text(around: Mapping, key: Scalar, card: str | None) -> Diagnostic | None:
    """The finding, if a key is the rest of the plain text before it: in braces and without a value."""
    keys = list(around.keys)
    index = keys.index(key.text)
    if not around.in_braces or not _is_empty(around, key.text) or index == 0:
        return None
    slip = _language_without_colon(keys, key, card)
    if slip is not None:
        return slip
    begin = index - 1
    while begin > 0 and _is_empty(around, keys[begin]):
        begin -= 1
    text = around.nodes[keys[begin]]
    if not isinstance(text, Scalar) or text.style or text.start == text.end:
        return None
    end = index
    while end + 1 < len(keys) and _is_empty(around, keys[end + 1]):
        end += 1
    whole = around.file.span(text.start, around.keys[keys[end]].end)
    quoted = whole.text.replace("\\", "\\\\").replace('"', '\\"')
    return Diagnostic(
        "unquoted-comma",
        f"The comma before `{shown(key.text)}` splits the text of `{shown(keys[begin])}`.",
        key.span,
        f'Inside {{…}} put a text with commas in quotes: {shown(keys[begin])}: "…".',
        card=card,
        fix=None if "\n" in quoted or "\r" in quoted else Fix(whole, f'"{quoted}"'),
    )


def _language_without_colon(keys: list[str], key: Scalar, card: str | None) -> Diagnostic | None:
    """The slip `{en: Viper, de Otter}`: among languages the key is one more, and its colon is missing."""
    found = _LANGUAGE.match(key.text)
    if found is None or found[1] in keys or not all(len(name) == 2 for name in keys[: keys.index(key.text)]):
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
