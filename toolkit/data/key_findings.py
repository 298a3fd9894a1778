"""Keys that are unknown and keys that are missing. A misspelt key beside a missing one is one mistake."""

from __future__ import annotations

from toolkit.data.nodes import Mapping
from toolkit.data.quoting import shown
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.data.split_text import split_text
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

_VOWELS = ("A", "E", "I", "O", "U", "a", "e", "i", "o", "u")


def key_findings(
    node: Mapping, schema: Schema, section: str | None, card: str | None
) -> tuple[list[Diagnostic], bool]:
    """The findings about the keys of one mapping, and whether every required key is there.

    ``section`` is given for the entry itself, None for what lies inside it.
    """
    known: dict[str, Schema] = schema["properties"]
    missing = [key for key in schema["required"] if key not in node.nodes]
    complete = not missing
    findings = []
    split = False
    for key in [key for key in node.nodes if key not in known]:
        comma = split_text(node, node.keys[key], card)
        if comma is not None:
            findings += [] if split else [comma]
            split, complete = True, False
            continue
        meant = nearest(key, missing)
        if meant:
            missing.remove(meant)
        findings.append(_unknown(node, key, meant, schema, section, card))
    findings += [_missing(node, key, schema, card) for key in missing]
    return findings, complete


def with_article(title: str) -> str:
    """A noun with ``a`` or ``an``."""
    return f"{'an' if title.startswith(_VOWELS) else 'a'} {title}"


def _unknown(
    node: Mapping, key: str, meant: str | None, schema: Schema, section: str | None, card: str | None
) -> Diagnostic:
    """An unknown key; ``meant`` is a missing key that looks like it."""
    span = node.keys[key].span
    title = with_article(schema["title"])
    message = f"{title[0].upper()}{title[1:]} has no key `{shown(key)}`."
    elsewhere = None if meant else _elsewhere(key, section)
    if elsewhere:
        return Diagnostic("unknown-key", message, span, elsewhere, card=card)
    known = schema["properties"]
    meant = meant or nearest(key, [name for name in known if name not in node.nodes])
    if meant:
        return Diagnostic(
            "unknown-key", message, span, f"Did you mean `{meant}`?", card=card, fix=Fix(span, meant)
        )
    there = nearest(key, [name for name in known if name in node.nodes])
    if there:
        step = f"`{there}` is there already; remove one of the two."
        label = Label(node.keys[there].span, "here")
        return Diagnostic("unknown-key", message, span, step, (label,), card)
    free = [name for name in known if name not in node.nodes]
    step = f"Remove it; possible here: {', '.join(free)}." if free else "Remove it."
    return Diagnostic("unknown-key", message, span, step, card=card)


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


def _missing(node: Mapping, key: str, schema: Schema, card: str | None) -> Diagnostic:
    said = schema["properties"][key]["description"]
    return Diagnostic(
        "missing-key",
        f"This {schema['title']} has no `{key}`.",
        entry_place(node),
        f"Add `{key}: …`. {said}",
        card=card,
    )


def entry_place(node: Mapping) -> Span:
    """Where a finding about an entry as a whole points: at its id, else at its first key."""
    found = node.nodes.get("id")
    if found is not None and found.end > found.start:
        return found.span
    for key in node.keys.values():
        return key.span
    return node.span
