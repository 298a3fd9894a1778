"""Which schema holds for which entry, and the copy for editors.

The schema is chosen by the section and, for cards, by ``kind`` before anything is validated, so that no
finding ever speaks of alternatives that nobody meant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from toolkit.data.schemas import cards, layouts, play, scenarios
from toolkit.data.schemas.parts import Schema

KINDS = cards.KINDS
"""The kinds of card."""

SECTIONS: dict[str, Callable[[], Schema]] = {
    "cards": cards.any_card,
    "teams": cards.team,
    "objectives": cards.objective,
    "modes": play.mode,
    "rulesets": play.ruleset,
    "squads": play.squad,
    "scenarios": scenarios.scenario,
    "layouts": layouts.layout,
}
"""The top-level keys of a card file and the schemas of what is listed there."""

_DRAFT = "http://json-schema.org/draft-07/schema#"


@cache
def schema_for(section: str, kind: str | None = None) -> Schema:
    """The schema of an entry of a section; for cards by kind. ``project`` is the project file."""
    if section == "project":
        return play.project()
    if section == "cards" and kind in KINDS:
        return cards.card(kind)
    return SECTIONS[section]()


def editor_schema() -> dict[str, Any]:
    """A draft-07 schema for `opforge.yaml` and for card files; editors show its titles and descriptions."""
    lists = {section: _section(section) for section in SECTIONS}
    card_file = {
        "title": "card file",
        "description": "A card file: lists of entries by section.",
        "type": "object",
        "properties": lists,
        "additionalProperties": False,
        "minProperties": 1,
    }
    definitions = {
        "project-file": _plain(schema_for("project")),
        "card-file": card_file,
        **{f"card-{kind}": _card(kind) for kind in KINDS},
        **{section: _plain(schema_for(section)) for section in SECTIONS if section != "cards"},
    }
    return {
        "$schema": _DRAFT,
        "title": "opforge",
        "description": "The project file and the card files of opforge.",
        "if": {"type": "object", "required": ["project"]},
        "then": {"$ref": "#/definitions/project-file"},
        "else": {"$ref": "#/definitions/card-file"},
        "definitions": definitions,
    }


def _section(section: str) -> Schema:
    if section != "cards":
        entry: Schema = {"$ref": f"#/definitions/{section}"}
    else:
        entry = {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": _plain(schema_for("cards")["properties"]["kind"])},
            "allOf": [
                {
                    "if": {"required": ["kind"], "properties": {"kind": {"const": kind}}},
                    "then": {"$ref": f"#/definitions/card-{kind}"},
                }
                for kind in KINDS
            ],
        }
    described = f"Entries of `{section}`."
    return {"title": section, "description": described, "type": "array", "items": entry}


def _card(kind: str) -> Schema:
    """The schema of a kind of card, so that the editor proposes this kind only."""
    found: Schema = _plain(schema_for("cards", kind))
    found["properties"]["kind"] = {**found["properties"]["kind"], "enum": [kind]}
    return found


def _plain(schema: Any) -> Any:
    """A copy without the annotations that only opforge knows."""
    if isinstance(schema, dict):
        return {key: _plain(value) for key, value in schema.items() if not key.startswith("x-")}
    return [_plain(item) for item in schema] if isinstance(schema, list) else schema
