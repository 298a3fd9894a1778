"""Whether a printed text is there in every language of the project."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.data.nodes import Mapping, Scalar
from toolkit.data.quoting import shown
from toolkit.data.schema import known_keys
from toolkit.diagnostics import Diagnostic, Fix, correction, suggestion
from toolkit.vocabulary import PRINTED
from toolkit.vocabulary.nearest import nearest

_NAMES = {
    "english": "en",
    "englisch": "en",
    "deutsch": "de",
    "german": "de",
    "spanish": "es",
    "dutch": "nl",
    "polish": "pl",
    "swedish": "sv",
    "chinese": "zh",
}
"""Names of languages, and their codes."""
_OTHER_CODES = {"eng": "en", "ger": "de", "deu": "de", "ita": "it", "fra": "fr", "fre": "fr"}
"""Codes of three letters for those of two."""


def language_findings(
    node: Mapping, languages: tuple[str, ...], key: str, card: str | None
) -> list[Diagnostic]:
    """Languages that are missing in a text by language, and such as the project does not have.

    A wrong language beside a missing one is one mistake if they look alike. One that can be printed is never
    a misspelt other one: then rather the project's list of languages is wrong.
    """
    findings = []
    missing = [language for language in languages if language not in node.nodes]
    for name, written in node.keys.items():
        if name in languages:
            continue
        meant = None if name in PRINTED else _spelt_out(name, missing) or nearest(name, missing)
        if not meant and is_no_language(name):
            findings.append(no_language(written, card))
            continue
        message = f"The project has no language `{shown(name)}`."
        step, fix = "Remove it, or add it to the languages of the project.", None
        if meant:
            missing.remove(meant)
            step, fix = f"Did you mean `{meant}`?", _fix(written, meant, languages)
        findings.append(Diagnostic("unknown-language", message, written.span, step, card=card, fix=fix))
    for language in missing:
        message = f"`{shown(key)}` has no text in `{language}`."
        step = f"Add `{language}: …`; every language of the project is printed."
        findings.append(Diagnostic("missing-language", message, node.span, step, card=card))
    return findings


def is_no_language(name: str) -> bool:
    """Whether a key can only have come among languages by its indentation: it is one of an entry."""
    return name not in PRINTED and name in known_keys()


def no_language(key: Scalar, card: str | None) -> Diagnostic:
    """The finding at a key of an entry that stands among the languages of a text."""
    message = f"`{key.text}` is not a language, but is listed among the languages of a text."
    step = f"Indent `{key.text}` like the key of that text, or remove it."
    return Diagnostic("unknown-language", message, key.span, step, card=card)


def misspelt_languages(listed: list[Scalar]) -> list[Diagnostic]:
    """Languages in the project's list that are misspelt for one that can be printed and is not listed.

    A code of two letters may be any language of the world, so only longer ones are checked.
    """
    findings = []
    free = [language for language in PRINTED if language not in [item.text for item in listed]]
    for item in listed:
        meant = _spelt_out(item.text, free) or nearest(item.text, free)
        if meant and len(item.text) > 2:
            message, step = f"There is no language `{shown(item.text)}`.", f"Did you mean `{meant}`?"
            fix = _fix(item, meant, free)
            findings.append(Diagnostic("unknown-language", message, item.span, step, fix=fix))
    return findings


def unprinted_languages(listed: list[Scalar]) -> list[Diagnostic]:
    """Languages in the project's list in which no rules text can be made, so no card is printed."""
    known, step = " and ".join(f"`{code}`" for code in PRINTED), "Remove it from `languages`."
    message = "Cards cannot be printed in `{}`, only in {}."
    return [
        Diagnostic("unprinted-language", message.format(shown(item.text), known), item.span, step)
        for item in listed
        if item.text not in PRINTED
    ]


def _fix(written: Scalar, meant: str, languages: Iterable[str]) -> Fix | None:
    """The fix of a language; the name of one is certain, too."""
    name = written.text.lower()
    if meant in (_NAMES.get(name), _OTHER_CODES.get(name)):
        return correction(written.span, meant)
    return suggestion(written.span, written.text, meant, languages)


def _spelt_out(name: str, missing: list[str]) -> str | None:
    """The missing language that a name such as ``english``, ``deutsch`` or ``en_GB`` means."""
    name = name.lower()
    code = _NAMES.get(name) or _OTHER_CODES.get(name) or (name[:2] if len(name) > 3 else "")
    return code if code in missing else None
