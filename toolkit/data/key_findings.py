"""Keys that are unknown and keys that are missing. A misspelt key beside a missing one is one mistake."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from toolkit.data.nodes import Mapping
from toolkit.data.quoting import shown
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.data.split_text import is_rest, rests_in, split_text
from toolkit.diagnostics import Diagnostic, Label, correction, suggestion
from toolkit.source import Span
from toolkit.vocabulary import KEYS
from toolkit.vocabulary.nearest import distance, is_certain, nearest

_LEAST_NEEDED = 4
"""Letters of a required key that is missing beside an unknown one with one letter wrong. Of `ap`, `ep`, `dp`
and `mp` none is certain."""
_VOWELS = ("A", "E", "I", "O", "U", "a", "e", "i", "o", "u")


def key_findings(
    node: Mapping, schema: Schema, place: str | None, card: str | None, *, inside: bool = False
) -> tuple[list[Diagnostic], bool]:
    """The findings about the keys of one mapping, and whether every required key is there.

    ``place`` is the section of an entry; for what is ``inside`` one it is the key, if any, with this mapping.
    """
    section = None if inside else place
    title = f"`{place}`" if inside and place == schema["title"] else with_article(schema["title"])
    known: dict[str, Schema] = schema["properties"]
    missing = [key for key in schema["required"] if key not in node.nodes]
    complete = not missing
    findings = []
    split = False
    rests = rests_in(node)
    unknown = [key for key in node.nodes if key not in known]
    for key in unknown:
        if split and is_rest(node, key, rests):
            continue
        comma = split_text(node, node.keys[key], card, rests)
        if comma is not None:
            findings += [] if split else [comma]
            split, complete = True, False
            continue
        free = [name for name in known if name not in node.nodes]
        other = other_name(key, [*missing, *free])
        meant = nearest(key, missing) if other is None else other
        required = meant in missing
        if meant is not None and required:
            missing.remove(meant)
        findings.append(_unknown(node, key, meant, schema, title, section, card, needed=required))
        if meant is None and len(unknown) == 1 and _called_otherwise(node, key, missing, schema, section):
            findings[-1] = _instead(findings[-1], missing.pop())
    if missing:
        findings.append(_missing(node, missing, schema, card))
    return findings, complete


def other_name(key: str, possible: Iterable[str]) -> str | None:
    """The key for which people write another word, such as ``count``; of several the first one possible."""
    word = key.casefold().replace("-", "_").replace(" ", "_")
    possible = list(possible)
    if any(is_certain(key, name, possible) for name in possible):
        return None  # it is only misspelt
    return next((name for name in possible if word in KEYS.get(name, "").split()), None)


def with_article(title: str) -> str:
    """A noun with ``a`` or ``an``."""
    return f"{'an' if title.startswith(_VOWELS) else 'a'} {title}"


def _unknown(
    node: Mapping,
    key: str,
    meant: str | None,
    schema: Schema,
    title: str,
    section: str | None,
    card: str | None,
    *,
    needed: bool,
) -> Diagnostic:
    """An unknown key in a ``title``; ``meant`` is the key for which it stands, ``needed`` if that must be."""
    span = node.keys[key].span
    message = f"{title[0].upper()}{title[1:]} has no key `{shown(key)}`."
    elsewhere = None if meant else _elsewhere(key, section)
    if elsewhere:
        return Diagnostic("unknown-key", message, span, elsewhere, card=card)
    known = schema["properties"]
    free = [name for name in known if name not in node.nodes]
    meant = meant or nearest(key, free)
    if meant:
        fix = suggestion(span, key, meant, free)
        if other_name(key, [meant]):
            fix = correction(span, meant, safe=False)
        elif fix is not None and needed and len(meant) >= _LEAST_NEEDED and distance(key, meant, 1) == 1:
            fix = replace(fix, safe=True)  # without that key the entry is refused in any case
        return Diagnostic("unknown-key", message, span, f"Did you mean `{meant}`?", card=card, fix=fix)
    taken = [name for name in known if name in node.nodes]
    there = other_name(key, taken) or nearest(key, taken)
    if there:
        step = f"`{there}` already exists; remove one of the two."
        label = Label(node.keys[there].span, "here")
        return Diagnostic("unknown-key", message, span, step, (label,), card)
    step = f"Remove it; possible keys: {', '.join(free)}." if free else "Remove it."
    return Diagnostic("unknown-key", message, span, step, card=card)


def _called_otherwise(
    node: Mapping, key: str, missing: list[str], schema: Schema, section: str | None
) -> bool:
    """Whether the unknown key is most likely the missing one under another name, such as `cost`.

    So it is if nothing else is missing (or unknown), and it is like no other key but has a fitting value.
    """
    known: dict[str, Schema] = schema["properties"]
    if len(missing) != 1:
        return False
    kinds = {"integer": int, "string": str, "array": list, "object": dict}
    wanted = kinds.get(str(known[missing[0]].get("type")))
    value = node.value[key]
    fits = wanted is not None and isinstance(value, wanted) and not isinstance(value, bool)
    fits &= value in known[missing[0]].get("enum", [value])
    return fits and not _elsewhere(key, section) and nearest(key, known) is None


def _instead(unknown: Diagnostic, missing: str) -> Diagnostic:
    step = f"Did you mean `{missing}`, which is missing here?"
    return replace(unknown, next_step=step, fix=correction(unknown.span, missing, safe=False))


def _elsewhere(key: str, section: str | None) -> str | None:
    """What to do about a key that belongs to something else."""
    if section == "project" and key in SECTIONS:
        return "Put entries into another YAML file of the project; this one holds its settings."
    if section != "cards" or key not in schema_for("cards")["properties"]:
        return None
    owner = (
        "OPERATORs" if key in schema_for("cards", KINDS[0])["properties"] else "other cards than OPERATORs"
    )
    step = "give the OPERATOR a SKILL with it" if key == "effect" else "remove it or change `kind`"
    return f"`{key}` is a key of {owner}: {step}."


def _missing(node: Mapping, keys: list[str], schema: Schema, card: str | None) -> Diagnostic:
    """All missing keys of one mapping, as one finding."""
    words = [f"`{key}`" for key in keys]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    step = f"Add `{keys[0]}: …`. {schema['properties'][keys[0]]['description']}"
    if len(keys) > 1:
        step = f"Add these keys: {', '.join(keys)}."
    message = f"This {schema['title']} has no {listed}."
    return Diagnostic("missing-key", message, entry_place(node), step, card=card)


def entry_place(node: Mapping) -> Span:
    """Where a finding about an entry as a whole points: at its id, else at its first key."""
    found = node.nodes.get("id")
    if found is not None and found.end > found.start:
        return found.span
    for key in node.keys.values():
        return key.span
    return node.span
