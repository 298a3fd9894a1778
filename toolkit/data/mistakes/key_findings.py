"""Findings about unknown and missing keys. A misspelt key beside a missing one is reported as one mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from msgspec.structs import replace

from toolkit.data.schema import SECTIONS, schema_for
from toolkit.data.schemas.parts import RULES_KEYS, Schema, missing_keys
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.diagnostics import Diagnostic, Fix, Label, correction, suggestion
from toolkit.diagnostics.phrases import alternatives, shown
from toolkit.source.yaml_scalars import quoted
from toolkit.vocabulary import KEYS, PRINTED
from toolkit.vocabulary.nearest import distance, is_certain, nearest

_EFFECT, _TEXT_ONLY = RULES_KEYS
_LEAST_NEEDED = 4
"""From this length on a required key is certainly meant by one with a single wrong letter: ``ap``, ``ep``,
``dp`` and ``mp`` are too short for that."""
_VOWELS = ("A", "E", "I", "O", "U", "a", "e", "i", "o", "u")


class KeyChecker:
    """Finds mistakes in the keys of one mapping.

    ``place`` is the section of an entry; for a mapping ``inside`` an entry it is its key, if it has one.
    ``complete`` says that all required keys are there, and that no text was split at a comma.
    """

    def __init__(
        self,
        node: Mapping,
        schema: Schema,
        title_or_section: str | None,
        card: str | None,
        *,
        inside: bool = False,
    ) -> None:
        self.node = node
        self.schema = schema
        self.card = card
        self.section = None if inside else title_or_section
        self.title = (
            f"`{title_or_section}`"
            if inside and title_or_section == schema["title"]
            else with_article(schema["title"])
        )
        self.known: dict[str, Schema] = schema["properties"]
        self.free = [name for name in self.known if name not in node.nodes]
        self.missing = missing_keys(schema, node.nodes)
        self.complete = not self.missing

    def findings(self) -> list[Diagnostic]:
        """Return a finding for each unknown key, and one for all missing keys. Call this once.

        A missing key that an unknown one was meant to be is not missing any more. Of a text that is split at
        its commas only the first rest is reported.
        """
        node = self.node
        findings: list[Diagnostic] = []
        has_split_text = False
        rests = rests_in(node)
        unknown = [key for key in node.nodes if key not in self.known]
        for key in unknown:
            if has_split_text and is_rest(node, key, rests):
                continue
            comma = split_text(node, node.keys[key], self.card, rests)
            if comma is not None:
                findings += [] if has_split_text else [comma]
                has_split_text, self.complete = True, False
            else:
                findings.append(self._unknown_or_missing(key, is_only_unknown=len(unknown) == 1))
        return [*findings, self._missing()] if self.missing else findings

    def _unknown_or_missing(self, key: str, *, is_only_unknown: bool) -> Diagnostic:
        """Return the finding about an unknown key, and strike off the missing one that it was meant to be."""
        missing = self.missing
        # `text_only` is as good as a missing `effect`
        rules_keys = RULES_KEYS if _EFFECT in missing and _TEXT_ONLY in self.known else ()
        meant = other_name(key, [*missing, *self.free]) or nearest(key, (*missing, *rules_keys))
        is_required = meant in missing
        if meant in rules_keys:
            missing.remove(_EFFECT)
        elif meant is not None and is_required:
            missing.remove(meant)
        finding = self._unknown(key, meant, needed=is_required)
        if meant is None and is_only_unknown and self._is_called_otherwise(key):
            meant = missing.pop()
            step = f"Did you mean `{meant}`, which is missing here?"
            fix = correction(finding.span, meant, safe=False)
            return replace(finding, next_step=step, fix=fix)
        return finding

    def _unknown(self, key: str, meant: str | None, *, needed: bool) -> Diagnostic:
        """Return the finding about an unknown key; ``meant`` is the likely key, ``needed`` if required."""
        node, span, free = self.node, self.node.keys[key].span, self.free
        fix, labels = None, tuple[Label, ...]()
        step_elsewhere = None if meant else self._step_for_key_of_another(key)
        meant = meant or (nearest(key, free) if step_elsewhere is None else None)
        written_keys = [name for name in self.known if name in node.nodes]
        if step_elsewhere:
            step = step_elsewhere
        elif meant:
            step, fix = f"Did you mean `{meant}`?", suggestion(span, key, meant, free)
            if other_name(key, [meant]):
                fix = correction(span, meant, safe=False)
            elif fix is not None and needed and len(meant) >= _LEAST_NEEDED and distance(key, meant, 1) == 1:
                fix = replace(fix, safe=True)  # the entry is unusable without the key: it cannot get worse
        elif duplicate_key := other_name(key, written_keys) or nearest(key, written_keys):
            step = f"`{duplicate_key}` already exists; remove one of the two."
            labels = (Label(node.keys[duplicate_key].span, "here"),)
        else:
            step = f"Remove it; possible keys: {', '.join(free)}." if free else "Remove it."
        message = f"{self.title[0].upper()}{self.title[1:]} has no key `{shown(key)}`."
        return Diagnostic("unknown-key", message, span, step, labels, self.card, fix)

    def _is_called_otherwise(self, key: str) -> bool:
        """Whether an unknown key is probably the only missing one under another name, such as `cost`.

        It is if its value fits and it resembles no other key. The caller asks only if no other is unknown.
        """
        if len(self.missing) != 1:
            return False
        [missing_key] = self.missing
        schema, value = self.known[missing_key], self.node.value[key]
        types = {"integer": int, "string": str, "array": list, "object": dict}
        required_type = types.get(str(schema.get("type")))
        has_type = required_type is not None and type(value) is required_type
        fits = has_type and value in schema.get("enum", [value])
        belongs_here = self._step_for_key_of_another(key) is None
        return fits and belongs_here and nearest(key, self.known) is None

    def _step_for_key_of_another(self, key: str) -> str | None:
        """Return the next step for a key that belongs to something else; None if it does not."""
        if self.section == "project" and key in SECTIONS:
            return "Put entries into another YAML file of the project; this one holds its settings."
        if self.section != "cards" or key not in schema_for("cards")["properties"]:
            return None
        of_operators = key in schema_for("cards", "operator")["properties"]
        owner = "OPERATORs" if of_operators else "other cards than OPERATORs"
        step = "give the OPERATOR a SKILL with it" if key in RULES_KEYS else "remove it or change `kind`"
        return f"`{key}` is a key of {owner}: {step}."

    def _missing(self) -> Diagnostic:
        """Return one finding about all missing keys."""
        keys = self.missing
        listed = alternatives([f"`{key}`" for key in keys])
        step = f"Add `{keys[0]}: …`. {self.known[keys[0]]['description']}"
        if keys == [_EFFECT] and _TEXT_ONLY in self.known:
            step += f" Rules that it cannot say are a `{_TEXT_ONLY}: …`."
        if len(keys) > 1:
            step = f"Add these keys: {', '.join(keys)}."
        message = f"This {self.schema['title']} has no {listed}."
        marked_node = self.node.nodes.get("id")
        if marked_node is None or marked_node.end == marked_node.start:
            marked_node = next(iter(self.node.keys.values()), self.node)
        return Diagnostic("missing-key", message, marked_node.span, step, card=self.card)


def other_name(key: str, possible: Iterable[str]) -> str | None:
    """Return the first possible key for which people also write ``key``, such as ``count``."""
    word = key.casefold().replace("-", "_").replace(" ", "_")
    possible = list(possible)
    if any(is_certain(key, name, possible) for name in possible):
        return None  # merely misspelt
    return next((name for name in possible if word in KEYS.get(name, "").split()), None)


def with_article(title: str) -> str:
    """Return a noun with ``a`` or ``an``."""
    return f"{'an' if title.startswith(_VOWELS) else 'a'} {title}"


_GLUED = re.compile(r"([a-z][\w-]*):\S.*")


def glued_keys(node: Node) -> Iterator[tuple[Mapping, Scalar]]:
    """Yield keys in braces without a space after their colon, as in ``{en:Viper}``, with their mapping."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from glued_keys(item)
    elif isinstance(node, Mapping):
        for name, value in node.nodes.items():
            if node.in_braces and _is_empty(node, name) and _is_glued(node, name):
                yield node, node.keys[name]
            else:
                yield from glued_keys(value)


def _is_glued(node: Mapping, name: str) -> bool:
    """Whether this key was meant as a key with its value; among languages only if it begins like one."""
    match = _GLUED.fullmatch(name)
    if match is None or node.keys[name].style or match[1] in node.keys:
        return False
    key_before_colon = match[1]
    other_keys = [key for key in node.keys if not _GLUED.fullmatch(key)]
    is_among_languages = bool(other_keys) and all(len(key) == len("en") for key in other_keys)
    return not is_among_languages or len(key_before_colon) == len("en")


def glued_finding(key: Scalar, card: str | None) -> Diagnostic:
    """Return the finding at the colon of a glued key."""
    colon = key.start + key.text.index(":")
    span = key.file.span(colon, colon + 1)
    message = f"There is no space after the `:` of `{key.text[: colon - key.start]}`."
    return Diagnostic("missing-space", message, span, "Add a space.", card=card, fix=Fix(span, ": "))


_LANGUAGE = re.compile(rf"({'|'.join(PRINTED)}) +\S")


class SplitText(NamedTuple):
    """A text that is split at its commas: the key whose value it is, and the key that is its last part."""

    key: str
    last_part: str


Rests = dict[str, SplitText]
"""For each key that may be part of a text split at commas: the key of that text, and the last such part."""


def rests_in(around: Mapping) -> Rests:
    """Return the keys of a mapping in braces that have no value and follow another key.

    In ``{flavour: one, two, name: X}`` the key ``two`` is the rest of the text of ``flavour``.
    """
    rests: Rests = {}
    group: list[str] = []  # a key and the keys without a value that follow it
    for key in (*around.keys, None) if around.in_braces else ():  # None ends the last group
        if group and key is not None and _is_empty(around, key):
            group.append(key)
            continue
        if group:
            first, *keys_without_value = group
            rests |= dict.fromkeys(keys_without_value, SplitText(first, group[-1]))
        group = [key] if key is not None else []
    return rests


def is_rest(around: Mapping, key: str, rests: Rests) -> bool:
    """Whether a key is part of the plain text before it."""
    return key in rests and _plain_text(around, rests[key].key) is not None


def split_text(
    around: Mapping, key: Scalar, card: str | None, rests: Rests | None = None
) -> Diagnostic | None:
    """Return the finding about a key that is part of the plain text before it, split at a comma, or None.

    ``rests`` are those of the mapping, if they are already computed.
    """
    if not around.in_braces or not _is_empty(around, key.text):
        return None
    rests = rests_in(around) if rests is None else rests
    if key.text not in rests:
        return None
    language = _language_without_colon(around, key, card)
    if language is not None:
        return language
    key_of_text, last_part = rests[key.text]
    text = _plain_text(around, key_of_text)
    if text is None:
        return None
    whole = around.file.span(text.start, around.keys[last_part].end)
    return Diagnostic(
        "unquoted-comma",
        f"The comma before `{shown(key.text)}` splits the text of `{shown(key_of_text)}`.",
        key.span,
        f'Inside {{…}} put a text with commas in quotes: {shown(key_of_text)}: "…".',
        card=card,
        fix=None if "\n" in whole.text or "\r" in whole.text else Fix(whole, quoted(whole.text)),
    )


def _plain_text(around: Mapping, key: str) -> Scalar | None:
    """Return the value of a key if it is a text without quotes."""
    text = around.nodes[key]
    return text if isinstance(text, Scalar) and not text.style and text.start < text.end else None


def _language_without_colon(around: Mapping, key: Scalar, card: str | None) -> Diagnostic | None:
    """Return the finding about a language without a colon, as in ``{en: Viper, de Otter}``, or None."""
    match = _LANGUAGE.match(key.text)
    language = match[1] if match else None
    if language is None or language in around.keys:
        return None
    earlier_keys = takewhile(lambda name: name != key.text, around.keys)
    if not all(len(name) == len("en") for name in earlier_keys):
        return None  # not a text by language
    span = key.file.span(key.start, key.start + len(language))
    if span.text != language:  # written otherwise, as in quotes
        return None
    message, step = f"There is no `:` after `{language}`.", f"Write `{language}: …`."
    fixed = f"{language}:{key.text.removeprefix(language)}"
    fix = Fix(key.span, fixed) if key.span.text == key.text else None
    return Diagnostic("missing-colon", message, span, step, card=card, fix=fix)


def _is_empty(around: Mapping, key: str) -> bool:
    node = around.nodes[key]
    return isinstance(node, Scalar) and node.value is None and node.start == node.end
