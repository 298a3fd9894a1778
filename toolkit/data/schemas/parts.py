"""Functions from which the schemas are built; each returns the schema that its docstring describes.

A schema has standard keywords of JSON Schema and annotations. ``title`` is the name of the value in messages,
``description`` what an editor shows beside the key. ``x-finding`` is the name of the finding for a failed
``pattern`` or ``enum``, ``x-says`` completes "… must be" in messages, ``x-words`` are possible words to
propose, and ``x-refers`` are the kinds of entry that an id may mean, so that an editor can find and propose
them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from toolkit.vocabulary import RANGES

Schema = dict[str, Any]

END = r"$(?!\n)"
"""The end of a text in a pattern; in Python ``$`` alone also matches before a final line break."""
ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*" + END
LANGUAGE_PATTERN = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*" + END
MAX_COPIES = 999
RULES_KEYS = ("effect", "text_only")
"""The keys of which a card or SKILL must have at least one."""


def text(title: str, description: str, pattern: str, finding: str, says: str) -> Schema:
    """A text that matches ``pattern``; ``finding`` reports one that does not."""
    return {
        "title": title,
        "description": description,
        "type": "string",
        "pattern": pattern,
        "x-finding": finding,
        "x-says": says,
    }


def identifier(title: str, description: str) -> Schema:
    """An id, or a reference to one."""
    says = "lower-case letters, digits and single hyphens, such as `aimed-shot`"
    return text(title, description, ID_PATTERN, "invalid-id", says)


def reference(title: str, description: str, *kinds: str) -> Schema:
    """The id of another entry, of one of these kinds."""
    return {**identifier(title, description), "x-refers": list(kinds)}


def number(title: str, description: str, least: float, greatest: float, sort: str = "number") -> Schema:
    """A number in a range, which need not be whole; ``sort`` is its type in JSON Schema."""
    limits = {"minimum": least, "maximum": greatest}
    return {"title": title, "description": description, "type": sort, **limits}


def integer(title: str, description: str, least: int = 0, greatest: int = 99) -> Schema:
    """A whole number in a range."""
    return number(title, f"{description} From {least} to {greatest}.", least, greatest, "integer")


def boolean(title: str, description: str) -> Schema:
    """True or false."""
    return {"title": title, "description": description, "type": "boolean"}


def ranged(title: str, description: str, sort: str) -> Schema:
    """A whole number in a range that the vocabulary has by name, such as ``VALUE``."""
    least, greatest = RANGES[sort]
    return integer(title, description, least, greatest)


def words(title: str, description: str) -> Schema:
    """A text that is not printed, or that is the same in every language."""
    return text(title, description, r"\S", "empty-text", "a text")


def printed(title: str, description: str) -> Schema:
    """A printed text: one string for all languages, or one for each language."""
    return {
        "title": title,
        "description": f"{description} A text, or one by language: `{{en: …, de: …}}`.",
        "type": ["string", "object"],
        "pattern": r"\S",
        "minProperties": 1,
        "additionalProperties": words(title, "The text in this language."),
        "x-finding": "empty-text",
        "x-says": "a text, or one by language such as `{en: …, de: …}`",
    }


def effect(title: str, description: str) -> Schema:
    """Sentences of the effect language, which are checked later."""
    return text(title, description, r"\S", "empty-effect", "sentences of the effect language")


def colour() -> Schema:
    """A colour as in CSS, with ``#`` and six or three digits."""
    pattern, says = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})" + END, 'a colour such as `"#1d2b3a"`'
    return text("colour", 'A colour such as `"#1d2b3a"`, in quotes.', pattern, "invalid-colour", says)


def choice(title: str, description: str, *values: str) -> Schema:
    """One of a few words."""
    return {
        "title": title,
        "description": f"{description} One of: {', '.join(values)}.",
        "type": "string",
        "enum": list(values),
        "x-finding": "unknown-value",
    }


def listing(title: str, description: str, item: Schema, **limits: Any) -> Schema:
    """A list of items; ``limits`` are ``minItems``, ``maxItems``, ``uniqueItems``."""
    return {"title": title, "description": description, "type": "array", "items": item, **limits}


def record(
    title: str, description: str, properties: dict[str, Schema], required: tuple[str, ...] = ()
) -> Schema:
    """A mapping with these keys only. Instead of a required ``effect`` it may have ``text_only``."""
    either = "effect" in required and "text_only" in properties
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": [key for key in required if not (either and key == "effect")],
        **({"anyOf": [{"required": [key]} for key in RULES_KEYS]} if either else {}),
        "additionalProperties": False,
    }


def missing_keys(schema: Schema, present_keys: Collection[str]) -> list[str]:
    """Return the required keys that are not in ``present_keys``; of alternatives the first one."""
    missing = [key for key in schema.get("required", ()) if key not in present_keys]
    alternatives = [key for alternative in schema.get("anyOf", ()) for key in alternative["required"]]
    return missing if any(key in present_keys for key in alternatives) else missing + alternatives[:1]


def is_effect(schema: Schema) -> bool:
    """Whether the values of a schema are sentences of the effect language."""
    return bool(schema.get("x-finding") == "empty-effect")


def keyed(*schemas: Schema) -> dict[str, Schema]:
    """Return schemas by title, which is the key that they are for."""
    return {schema["title"]: schema for schema in schemas}


def table(title: str, description: str, value: Schema, key: Schema | None = None) -> Schema:
    """A mapping whose keys are the designer's own, such as ids."""
    names = key or identifier(f"id in {title}", "An id.")
    return {
        "title": title,
        "description": description,
        "type": "object",
        "propertyNames": names,
        "additionalProperties": value,
    }


def or_null(schema: Schema) -> Schema:
    """The same, or ``~``."""
    words = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **words, "type": [schema["type"], "null"]}


def text_only() -> dict[str, Schema]:
    """The key for rules that are printed but not played by any program (E-1)."""
    about = "Rules that effects cannot say: they are printed behind the others, and people play by them."
    return {"text_only": printed("text_only", about)}


def override() -> dict[str, Schema]:
    """The two keys by which an entry with an effect may replace its generated rules text."""
    return {
        "text": printed("text", "Hand-written rules text, instead of the generated one."),
        "text_for": {
            "title": "text_for",
            "description": "The fingerprint of the effect that `text` fits; `opforge check` shows it.",
            "type": ["string", "number"],
            "x-says": "the fingerprint that `opforge check` shows",
        },
    }
