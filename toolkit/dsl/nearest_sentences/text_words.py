"""A text as the words, numbers and symbols that it is read by."""

from __future__ import annotations

import re

from toolkit.dsl.lalr import lex, tables

_GLUED = re.compile(r"(\d+)(\D.*)", re.DOTALL)
_TIMES = re.compile(r"\bx(\d+)\b", re.IGNORECASE)
_DICE = re.compile(r"(\d+)[dDwW]6?")
_MARKS = str.maketrans({
    **dict.fromkeys("−–—", "-"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("’‘", "'"), "×": " x ",
    "…": ".", "≥": " >= ", "≤": " <= ", "≠": " != ", "→": " : ", "&": " and ", "|": " or ",
    "/": " / ", "!": " ! ", ":": " : ", ";": " . ", "%": " % ", "[": " ( ", "]": " ) ",
})  # fmt: skip
_SIGNS = {"=>": ">=", "=<": "<=", "<>": "!=", "==": "=", "===": "=", "! =": "!=", "! (": " not ("}
_POSSESSIVE = re.compile(r"(?<=\w)'s\b", re.IGNORECASE)
_SHORT_IS = re.compile(
    r"\b(he|she|it|that|who|there|what|everyone|everybody|someone|somebody|nobody)'s\b", re.IGNORECASE
)
_SHORT_FORMS = (
    (_SHORT_IS, r"\1 is"),
    (re.compile(r"(?<=\w)'ve\b", re.IGNORECASE), " have"),
    (re.compile(r"(?<=\w)'re\b", re.IGNORECASE), " are"),
    (re.compile(r"(?<=\w)'ll\b", re.IGNORECASE), ""),
    (re.compile(r"(?<=\w)'d\b", re.IGNORECASE), " would"),
)
_POSSESSIVE_OF_MANY = re.compile(r"(?<=[a-z]s)'(?= \w)")
_IN_QUOTES = re.compile(r"(?<!\w)'([^'\n]+)'(?!\w)")
_HYPHENED = re.compile(r"\b(re|un|de|non|hit|anti|co|pre)-(?=[a-z])", re.IGNORECASE)


def words_of_text(text: str) -> list[str]:
    """Return the words, numbers and symbols of a text, with what is glued together taken apart."""
    text = _HYPHENED.sub(r"\1", text.translate(_MARKS))
    for short, long in _SHORT_FORMS:
        text = short.sub(long, text)
    text = _POSSESSIVE.sub(" 's", _POSSESSIVE_OF_MANY.sub(" 's", text))
    text = _TIMES.sub(r"x \1", _IN_QUOTES.sub(r'"\1"', text))
    for written, right in _SIGNS.items():
        text = text.replace(written, right)
    words: list[str] = []
    for token in lex(text, tables().words):
        words += _words_of_token(str(token)) if token.type == "WORD" else [str(token)]
    return words


def _words_of_token(word: str) -> list[str]:
    """Return `+2d6` as `+`, `2` and `D6`, and `2AP` as `2` and `AP`; other words as they are."""
    unsigned = word.lstrip("+-")
    signs = word.removesuffix(unsigned)
    dice, glued = _DICE.fullmatch(unsigned), _GLUED.fullmatch(unsigned)
    if dice:
        return [*signs, dice.group(1), "D6"]
    return [*signs, *glued.groups()] if glued else [word]
