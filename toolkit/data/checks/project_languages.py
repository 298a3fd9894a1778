"""The languages of printed texts, compared with those of the project."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.data.schema import known_keys
from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.diagnostics import Diagnostic, Fix, correction, suggestion
from toolkit.diagnostics.phrases import shown
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
"""The codes of languages by name."""
_OTHER_CODES = {"eng": "en", "ger": "de", "deu": "de", "ita": "it", "fra": "fr", "fre": "fr"}
"""The two-letter codes of languages by three-letter code."""
_ISO_639_1 = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik
io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml
mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd
se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi
vo wa wo xh yi yo za zh zu
"""
"""All two-letter codes."""


def language_findings(
    node: Mapping, languages: tuple[str, ...], key: str, card: str | None, *, complete: bool = True
) -> list[Diagnostic]:
    """Return findings about missing and unknown languages in a text by language.

    Missing languages are reported only if the text must be ``complete``: otherwise the text of a missing
    language is generated, or ``missing-text`` is reported. An unknown language that resembles a missing one
    is one mistake. A language that can be printed is never taken for a misspelt other one: then the project's
    list of languages is more likely to be wrong.
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
    for language in missing if complete else ():
        message = f"`{shown(key)}` has no text in `{language}`."
        step = f"Add `{language}: …`; every language of the project is printed."
        findings.append(Diagnostic("missing-language", message, node.span, step, card=card))
    return findings


def is_no_language(name: str) -> bool:
    """Whether a key among languages is a key of an entry, and so only wrongly indented."""
    return name not in PRINTED and name in known_keys()


def no_language(key: Scalar, card: str | None) -> Diagnostic:
    """Return the finding about a key of an entry among the languages of a text."""
    message = f"`{key.text}` is not a language, but is listed among the languages of a text."
    step = f"Indent `{key.text}` like the key of that text, or remove it."
    return Diagnostic("unknown-language", message, key.span, step, card=card)


def misspelt_languages(listed: list[Scalar]) -> list[Diagnostic]:
    """Return findings about non-existent languages in the project's list, with the likely one.

    A longer word is compared with the languages of generated rules texts that are not listed yet.
    """
    findings = []
    free = [language for language in PRINTED if language not in [item.text for item in listed]]
    for item in listed:
        has_form_of_code = len(item.text) == len("en")
        meant = None
        if len(item.text) > len("en"):
            meant = _spelt_out(item.text, free) or nearest(item.text, free)
        if meant or (has_form_of_code and item.text not in _ISO_639_1.split()):
            message = f"There is no language `{shown(item.text)}`."
            step = f"Did you mean `{meant}`?" if meant else "Write a code of ISO 639-1, such as `fr`."
            fix = _fix(item, meant, free) if meant else None
            findings.append(Diagnostic("unknown-language", message, item.span, step, fix=fix))
    return findings


def _fix(written: Scalar, meant: str, languages: Iterable[str]) -> Fix | None:
    """Return the fix of a language; it is safe if the language's name or three-letter code is written."""
    name = written.text.lower()
    if meant in (_NAMES.get(name), _OTHER_CODES.get(name)):
        return correction(written.span, meant)
    return suggestion(written.span, written.text, meant, languages)


def _spelt_out(name: str, missing: list[str]) -> str | None:
    """Return the missing language meant by a name such as ``english``, ``deutsch`` or ``en_GB``."""
    name = name.lower()
    begin = name[: len("en")] if len(name) > len("eng") else ""
    code = _NAMES.get(name) or _OTHER_CODES.get(name) or begin
    return code if code in missing else None
