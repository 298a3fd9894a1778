"""The schema of `house_rules` in the project file; what a rule says is read elsewhere."""

from __future__ import annotations

from toolkit.data.schemas import parts
from toolkit.data.schemas.cards import KINDS
from toolkit.data.schemas.parts import Schema

NUMBERS = (
    *("ap", "ep", "dp", "mp", "squadpoints", "value", "skills", "quantity"),
    *("name_length", "text_words"),
)
"""The numbers of a card that a rule can name, and that can have a limit (``max_text_words``)."""


def house_rules() -> Schema:
    """Rules of the project's own, in a short or a long form."""
    limits = {
        f"{side}_{number}": parts.integer(
            f"{side}_{number}", f"The {least_or_most} that `{number}` may be.", 0, 9999
        )
        for number in NUMBERS
        for side, least_or_most in (("max", "most"), ("min", "least"))
    }
    properties: dict[str, Schema] = {
        "name": parts.words("name", "A name for messages, such as fair-values."),
        "rule": parts.words("rule", "What must hold, such as ap + ep <= 12."),
        "kinds": parts.listing(
            "kinds",
            "The kinds of card it applies to. Default: all that have the numbers.",
            parts.choice("kind", "A kind of card.", *KINDS, "objective"),
            minItems=1,
            uniqueItems=True,
        ),
        "level": parts.choice("level", "The severity. Default: error.", "error", "warning"),
        "message": parts.printed("message", "The message when a card breaks the rule."),
        **limits,
    }
    rule: Schema = {
        **parts.record("house rule", "A rule such as `ap + ep <= 12`, or keys.", properties, ()),
        "type": ["string", "object"],
        "pattern": r"\S",
        "x-finding": "empty-text",
        "x-says": "a rule such as `ap + ep <= 12`, or such as `{max_text_words: 40}`",
    }
    return parts.listing("house_rules", "Your own rules that every card must follow.", rule)
