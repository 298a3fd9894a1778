"""Schemas of cards by kind, TEAMs, OBJECTIVEs, markers and KEYWORDs."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from toolkit.data.schemas import parts
from toolkit.data.schemas.parts import Schema
from toolkit.diagnostics.phrases import alternatives
from toolkit.vocabulary import STATS


class Kind(NamedTuple):
    """A kind of card.

    ``effect`` describes when its effect acts, if it has one; ``in_deck`` cards are in a DECK, ``attachable``
    ones can be attached to an OPERATOR.
    """

    key: str
    effect: str | None = None
    in_deck: bool = False
    attachable: bool = False


_KINDS = (
    Kind("operator"),
    Kind("attack", "What the card does while it is attached to an attacking OPERATOR.", True, True),
    Kind("defence", "What the card does while it is attached to an attacked OPERATOR.", True, True),
    Kind("effect", "What happens once when the card is played.", True),
    Kind("strategy", "What the card does while it is on a strategy position.", True),
    Kind("item", "What the card does while it is attached to an OPERATOR.", attachable=True),
)
"""The kinds of card, in the order of LANGUAGE.md."""

KINDS = tuple(kind.key for kind in _KINDS)
DECK_KINDS = tuple(kind.key for kind in _KINDS if kind.in_deck)
MAX_MARKERS = 99
"""How many of a marker one OPERATOR or player can have, unless its entry says less (E-11)."""

ATTACHABLE_KINDS = tuple(kind.key for kind in _KINDS if kind.attachable)
"""The kinds that can be attached to an OPERATOR (C-1)."""

_WHEN = {kind.key: kind.effect for kind in _KINDS if kind.effect is not None}


def kinds_phrase(kinds: Collection[str]) -> str:
    """Return the phrase for one card of these kinds: ``an OPERATOR``, ``an ATTACK, DEFENCE or ITEM card``."""
    words = alternatives([kind.upper() for kind in kinds])
    return f"{'an' if words[0] in 'AEIO' else 'a'} {words}{'' if words.endswith('OPERATOR') else ' card'}"


def picture(title: str, picture_use: str) -> Schema:
    """The path of a picture; ``picture_use`` describes it."""
    return parts.words(title, f"{picture_use}: its path inside the project folder, such as `art/viper.svg`.")


MAX_ZOOM = 8
"""The greatest magnification of a picture."""


def art() -> Schema:
    """The picture of a card: its path, or a mapping that also says which part of it is visible."""
    path = picture("art", "The picture")
    about_focus = "A part of the width or height of the picture. From 0 to 1."
    about_zoom = f"How many times the picture is enlarged. From 1 to {MAX_ZOOM}."
    properties = parts.keyed(
        {**path, "title": "file"},
        parts.listing(
            "focus",
            "The point that stays visible when the picture is cropped: `[0, 0]` is its upper left corner, "
            "`[1, 1]` the lower right one.",
            parts.number("coordinate of the focus", about_focus, 0, 1),
            minItems=2,
            maxItems=2,
            **{"x-says": "two numbers from 0 to 1, such as `[0.5, 0.2]`"},
        ),
        parts.number("zoom", about_zoom, 1, MAX_ZOOM),
    )
    record = parts.record("art", path["description"], properties, ("file",))
    says = "a path such as `art/viper.svg`, or `{file: …, focus: [0.5, 0.2], zoom: 1.5}`"
    description = f"{path['description']} Or `{{file: …, focus: [x, y], zoom: …}}`."
    return {**record, **path, "description": description, "type": ["string", "object"], "x-says": says}


def tags() -> Schema:
    """Words for the designer's own use."""
    word = parts.words("tag", "A word of your own.")
    return parts.listing("tags", "Words of your own, for choosing cards.", word, uniqueItems=True)


def _identity(noun: str) -> dict[str, Schema]:
    return parts.keyed(
        parts.identifier("id", f"The id of the {noun}: kebab-case and unique in the project."),
        parts.printed("name", f"The name of the {noun} as printed."),
    )


def _printed_extras() -> dict[str, Schema]:
    return parts.keyed(
        art(),
        parts.printed("flavour", "Flavour: a new line is one on the card. It has no meaning in the rules."),
        parts.integer("quantity", "Copies printed.", 0, parts.MAX_COPIES),
        tags(),
        picture("back", "The card's own back"),
        parts.words("artist", "Who drew the picture, printed small."),
        parts.words("set", "The set or expansion that the card belongs to, printed small."),
        _printed_word("number", "The card's number in its set, such as `12` or `12/60`."),
        _printed_word("version", "The version of the card, such as `1.1`."),
    )


def _printed_word(title: str, description: str) -> Schema:
    """A short text that YAML may read as a number."""
    word = parts.words(title, f"{description} Printed small.")
    return {**word, "type": ["string", "number"], "x-says": "a number or a text"}


def trait() -> Schema:
    """A trait, which can be written between double quotes in an effect."""
    about = 'A word such as `sniper`, which effects can refer to: `with trait "sniper"`.'
    pattern, says = r'^[^\s"]([^"\r\n]*[^\s"])?' + parts.END, "a word without quotation marks, on one line"
    return {**parts.text("trait", about, pattern, "invalid-trait", says), "x-refers": ["trait"]}


def keywords(description: str) -> Schema:
    """KEYWORDs of the designer's own."""
    keyword = parts.reference("KEYWORD", "The id of a KEYWORD.", "keyword")
    return parts.listing("keywords", description, keyword, uniqueItems=True)


def skill() -> Schema:
    """A SKILL of an OPERATOR."""
    properties = {
        "name": parts.printed("name", "The name of the SKILL as printed."),
        "effect": parts.effect("effect", "What the SKILL does while its OPERATOR is face up on the FIELD."),
        **parts.text_only(),
        **parts.override(),
    }
    return parts.record("SKILL", "A SKILL of an OPERATOR.", properties, ("effect",))


def card(kind: str) -> Schema:
    """The schema of one kind of card."""
    noun = "OPERATOR" if kind == "operator" else f"{kind.upper()} card"
    properties = {
        "id": _identity(noun)["id"],
        "kind": {**parts.choice("kind", "The kind of card.", *KINDS), "x-finding": "unknown-kind"},
        "name": _identity(noun)["name"],
    }
    required: tuple[str, ...] = ("id", "kind", "name")
    if kind == "operator":
        properties |= _operator()
        required = (*required, "team", "squadpoints", *(stat.key for stat in STATS.values() if stat.required))
    else:
        properties |= {"effect": parts.effect("effect", _WHEN[kind]), **parts.text_only()}
        required = (*required, "effect")
    properties |= {**_printed_extras(), **parts.override()}
    return parts.record(noun, f"An entry of `cards`: {noun}.", properties, required)


def any_card() -> Schema:
    """The schema for a card of unknown kind: it may have the keys of all kinds, and few are required."""
    properties = card("operator")["properties"] | card("attack")["properties"]
    return parts.record("card", "An entry of `cards`.", properties, ("id", "kind", "name"))


def _operator() -> dict[str, Schema]:
    stats = {
        stat.key: parts.ranged(stat.name, f"{stat.title} printed on the card.", "VALUE")
        for stat in STATS.values()
    }
    return {
        "team": parts.reference("team", "The id of the OPERATOR's TEAM.", "team"),
        "squadpoints": parts.ranged("SQUADPOINTS", "What the OPERATOR costs in a squad.", "SQUADPOINTS"),
        **stats,
        "traits": parts.listing(
            "traits", 'Words that effects can refer to: `with trait "sniper"`.', trait(), uniqueItems=True
        ),
        "keywords": keywords(
            "Ids of KEYWORDs of your own: the OPERATOR has each of them as a further SKILL."
        ),
        "skills": parts.listing("skills", "None, one or more SKILLs.", skill()),
    }


def team() -> Schema:
    """The schema of a TEAM."""
    properties = {
        **_identity("TEAM"),
        "logo": picture("logo", "The TEAM's logo"),
        "colours": parts.listing(
            "colours", "The TEAM's colours, the main one first.", parts.colour(), minItems=1, maxItems=4
        ),
        "back": picture("back", "The back of its OPERATORs"),
    }
    return parts.record("TEAM", "An entry of `teams`.", properties, ("id", "name"))


def objective() -> Schema:
    """The schema of an OBJECTIVE."""
    properties = {
        **_identity("OBJECTIVE"),
        "value": parts.ranged(
            "value", "The OBJECTIVECOUNTER that reaches it; at 0 the first Move captures it.", "VALUE"
        ),
        "effect": parts.effect("effect", "What it does for the OPERATOR that stands there (E-18)."),
        **parts.text_only(),
        **_printed_extras(),
        **parts.override(),
    }
    return parts.record("OBJECTIVE", "An entry of `objectives`.", properties, ("id", "name", "value"))


def marker() -> Schema:
    """The schema of a marker."""
    properties = {
        **_identity("marker"),
        "bearer": parts.choice("bearer", "Who has it. Default: operator.", "operator", "player"),
        "maximum": parts.integer("maximum", "The most that one OPERATOR or player can have.", 1, MAX_MARKERS),
        "stays": parts.boolean(
            "stays", "Whether an OPERATOR keeps it when it becomes HIT or OUT or retreats."
        ),
        "reminder": parts.printed("reminder", "What the marker is for, where it comes first on a card."),
    }
    return parts.record("marker", "An entry of `markers`.", properties, ("id", "name"))


def keyword() -> Schema:
    """The schema of a KEYWORD."""
    properties = {
        **_identity("KEYWORD"),
        "effect": parts.effect("effect", "What it does: a SKILL of the OPERATOR that has it."),
        **parts.text_only(),
        "reminder": parts.printed("reminder", "Its explanation on cards, instead of the generated one."),
        "text_for": parts.override()["text_for"],
    }
    return parts.record("KEYWORD", "An entry of `keywords`.", properties, ("id", "name", "effect"))
