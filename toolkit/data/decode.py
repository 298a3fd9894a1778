"""Decoding of entries that their schema accepts into the values of ``model``.

Two checks are made on the way, because here the meaning of each value is known: that a printed text exists in
every language of the project, and that no comment cuts off the end of an effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, TypeVar, cast

from msgspec import convert
from msgspec.structs import replace

from toolkit.data.checks.project_languages import language_findings
from toolkit.data.model import (
    Action,
    BrokenEntry,
    Card,
    Edges,
    Entry,
    Gap,
    Keyword,
    Layout,
    Marker,
    Mode,
    Objective,
    Options,
    Place,
    Ruleset,
    Scenario,
    Skill,
    Squad,
    Team,
    Text,
)
from toolkit.data.print_sizes import MARGIN
from toolkit.data.schemas.parts import RULES_KEYS
from toolkit.data.yaml.nodes import REFUSED, Mapping, Node, Scalar
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.diagnostics.phrases import shown
from toolkit.diagnostics.suppressions import MARK
from toolkit.source import ScalarText
from toolkit.source.yaml_scalars import quoted
from toolkit.vocabulary import ACTIONS, STATS

_OF_OPERATORS = frozenset({"team", "squadpoints", *map(str.lower, STATS), "traits", "keywords", "skills"})
MODE_LIMITS = {
    "squad_operators": ("squad", "operators"),
    "squad_squadpoints": ("squad", "squadpoints"),
    "squad_copies": ("squad", "copies"),
    "deck_minimum": ("deck", "minimum"),
    "deck_maximum": ("deck", "maximum"),
    "deck_copies": ("deck", "copies"),
    "item_deck_maximum": ("item_deck", "maximum"),
}
"""The limits of a mode by field, with the section and key at which they are written."""
_PRINTED_TEXTS = ("name", "flavour", "text", "text_only", "reminder")
_KIND_OF_SECTION = {"objectives": "objective", "keywords": "keyword"}
"""The sections besides ``cards`` whose entries have an effect."""

EntryT = TypeVar("EntryT", bound=Entry)


class Decoder:
    """Decodes the entries of one file and collects ``findings``. ``languages`` is None if they are unknown.

    ``torn`` says that a comment has cut off an effect of the last entry in the middle of a sentence.
    """

    def __init__(self, languages: tuple[str, ...] | None) -> None:
        self.languages = languages
        self.expected = frozenset(languages or ())
        self.findings: list[Diagnostic] = []
        self.card: str | None = None
        self.torn = False

    def entry(self, section: str, node: Mapping) -> Entry:
        """Decode an entry of a section. Keys that the schema does not know are ignored."""
        self.torn = False
        name = node.nodes["name" if section == "scenarios" else "id"]
        self.card = name.text if isinstance(name, Scalar) else None
        return _DECODERS[section](self, node)

    def texts_of(self, node: Mapping, card: str | None) -> list[Diagnostic]:
        """Return the findings about languages in an entry that cannot be decoded."""
        skills = [skill for skill in node.items("skills") if isinstance(skill, Mapping)]
        findings: list[Diagnostic] = []
        for mapping in (node, *skills):
            for key in _PRINTED_TEXTS:
                value = mapping.nodes.get(key)
                findings += cut_texts(value, card)
                is_complete = isinstance(value, Mapping) and value.nodes.keys() == self.expected
                if self.languages is None or not isinstance(value, Mapping) or is_complete:
                    continue
                # a language without a text is reported already: it may be part of a text split at a comma
                if value.nodes and all(isinstance(text, str) for text in value.value.values()):
                    complete = not _is_of_effect(mapping, key)
                    findings += language_findings(value, self.languages, key, card, complete=complete)
        return findings

    def effects_of(self, section: str, node: Mapping, card: str | None, kind: str | None) -> BrokenEntry:
        """Return the effects of an entry that cannot be decoded, as far as they are texts."""
        self.card = card
        kind = _KIND_OF_SECTION.get(section, kind)
        effects: list[tuple[str, ScalarText]] = []
        for card_part, value in _effect_nodes(section, node, kind):
            if not isinstance(value, Scalar) or value.style == REFUSED or not isinstance(value.value, str):
                continue
            effect = self.effect(value) if value.text.strip() else None
            if effect is not None:
                effects.append((card_part, effect))
        return BrokenEntry(card or "", node, kind, tuple(effects))

    def text(self, node: Mapping, key: str) -> Text | None:
        """Decode a printed text, and report missing or unknown languages."""
        value = node.nodes.get(key)
        self.findings += cut_texts(value, self.card)
        if isinstance(value, Scalar):
            return Text(value)
        if not isinstance(value, Mapping):
            return None
        if self.languages is not None and value.nodes.keys() != self.expected:
            name, complete = node.keys[key].text, not _is_of_effect(node, key)
            self.findings += language_findings(value, self.languages, name, self.card, complete=complete)
        return Text(value)

    def effect(self, node: Node | None) -> ScalarText | None:
        """Decode an effect, and report a comment behind it on its line."""
        if not isinstance(node, Scalar):
            return None
        if node.style == "" and (finding := swallowed_comment(node, self.card)):
            self.findings.append(finding)
            self.torn |= not node.text.endswith(".")
        return node.as_text()


def _is_of_effect(node: Mapping, key: str) -> bool:
    """Whether a text replaces a generated one, which is printed in the languages that it lacks."""
    return key == "text" or (key == "reminder" and "effect" in node.nodes)


def _effect_nodes(section: str, node: Mapping, kind: str | None) -> Iterator[tuple[str, Node | None]]:
    """Yield the nodes at which an entry of a section may have effects, by part; they may not be texts."""
    if section == "cards":
        for number, skill in enumerate(node.items("skills") if kind in ("operator", None) else (), 1):
            yield f"skill {number}", skill.nodes.get("effect") if isinstance(skill, Mapping) else None
        if kind != "operator":
            yield "effect", node.nodes.get("effect")
    elif section in _KIND_OF_SECTION:
        yield "effect", node.nodes.get("effect")
    elif section == "modes":
        yield "teamwork", node.nodes.get("teamwork")
        for number, effect in enumerate(node.items("performance"), 1):
            yield f"performance {number}", effect
    elif section == "rulesets":
        yield "suppression", node.nodes.get("suppression")
        actions = node.nodes.get("actions")
        for name, action in actions.nodes.items() if isinstance(actions, Mapping) else ():
            yield f"action {name}", action.nodes.get("effect") if isinstance(action, Mapping) else None


def _build(kind: type[EntryT], decoder: Decoder, node: Mapping, **more_values: Any) -> EntryT:
    """Return an entry of a class with the values of its keys, and defaults for omitted ones."""
    fields = kind.__struct_fields__
    values = {
        key: _READERS[key](decoder, node, key) for key in node.nodes if key in _READERS and key in fields
    }
    return kind(decoder.card or "", node, **values, **more_values)


def _card(decoder: Decoder, node: Mapping) -> Card:
    """Return a card without the keys of another kind: they are a finding, and it can be used without them."""
    left_out_keys = {*RULES_KEYS} if node.value["kind"] == "operator" else _OF_OPERATORS
    if left_out_keys.isdisjoint(node.nodes):
        return _build(Card, decoder, node, stats=_stats(node, node.nodes))
    kept_nodes = {key: value_node for key, value_node in node.nodes.items() if key not in left_out_keys}
    card = _build(Card, decoder, replace(node, nodes=kept_nodes), stats=_stats(node, kept_nodes))
    return replace(card, node=node)


def _stats(node: Mapping, kept_keys: Collection[str]) -> dict[str, int]:
    """Return the VALUEs of all stats; 0 for those that a card does not have."""
    values = {stat.name: node.value[stat.key] if stat.key in kept_keys else 0 for stat in STATS.values()}
    return cast("dict[str, int]", values)  # the schema has checked them


def _skills(decoder: Decoder, node: Mapping, key: str) -> tuple[Skill, ...]:
    skills = []
    for item in node.items(key):
        assert isinstance(item, Mapping), "the schema asks for mappings"
        effect = decoder.effect(item.nodes.get("effect"))
        name, text, text_only = (decoder.text(item, key) for key in ("name", "text", "text_only"))
        skills.append(Skill(item, name, effect, text, _scalar(decoder, item, "text_for"), text_only))
    return tuple(skills)


def _mode(decoder: Decoder, node: Mapping) -> Mode:
    """Return a mode with the limits and the victory of its sections as fields."""
    limits: dict[str, Any] = {}
    for name, (section, key) in MODE_LIMITS.items():
        section_node = node.mapping(section)
        if section_node is not None and key in section_node.value:
            limits[name] = section_node.value[key]
    victory = node.mapping("victory")
    if victory is not None:
        limits["victory_operators_out_or_hit"] = "operators_out_or_hit" in victory.value
        if victory.value:  # a mode that names only other conditions has no victory by OBJECTIVEs
            limits["victory_objectives_captured"] = victory.value.get("objectives_captured")
    return _build(Mode, decoder, node, **limits)


def _actions(decoder: Decoder, node: Mapping, key: str) -> dict[str, Action]:
    """Return the ACTIONs that a ruleset names, in the order of the vocabulary."""
    actions, action_nodes = {}, node.mapping(key)
    for name in [word.lower() for word in ACTIONS]:
        action = action_nodes.mapping(name) if action_nodes is not None else None
        if action is None:
            continue
        limit, effect = action.value["limit"], decoder.effect(action.nodes.get("effect"))
        text, text_for = decoder.text(action, "text"), _scalar(decoder, action, "text_for")
        number = limit if isinstance(limit, int) else None
        actions[name] = Action(name, action, number, effect, text, text_for)
    return actions


def _layout(decoder: Decoder, node: Mapping) -> Layout:
    places = [
        Place(item, float(item.value["x"]), float(item.value["y"]), item.value.get("turn", 0))  # type: ignore[arg-type]
        for item in node.items("slots")
        if isinstance(item, Mapping)
    ]
    return _build(Layout, decoder, node, places=tuple(places))


def _scalar(_: Decoder, node: Mapping, key: str) -> ScalarText | None:
    value = node.scalar(key)
    return value.as_text() if value is not None else None


def _art(decoder: Decoder, node: Mapping, key: str) -> ScalarText | None:
    """Return the path of the picture: the value itself, or ``file`` in a mapping with the crop."""
    record = node.mapping(key)
    return _scalar(decoder, node, key) if record is None else _scalar(decoder, record, "file")


def _lengths(node: Mapping, key: str, names: tuple[str, ...], default: float) -> list[float]:
    """Return a length for each name: from a mapping, or one number for all."""
    value = node.value[key]
    lengths = (
        [value.get(name, default) for name in names] if isinstance(value, dict) else [value] * len(names)
    )
    return [float(length) if isinstance(length, (int, float)) else default for length in lengths]


_READERS: dict[str, Callable[[Decoder, Any, str], Any]] = {
    **dict.fromkeys(_PRINTED_TEXTS, Decoder.text),
    **dict.fromkeys(
        ("effect", "teamwork", "suppression"), lambda decoder, node, key: decoder.effect(node.nodes[key])
    ),
    "performance": lambda decoder, node, key: tuple(filter(None, map(decoder.effect, node.items(key)))),
    **dict.fromkeys(("back", "logo", "text_for"), _scalar),
    "art": _art,
    **dict.fromkeys(
        ("traits", "keywords", "tags", "colours", "objectives", "operators", "tie_break"),
        lambda _, node, key: tuple(node.value[key]),
    ),
    **dict.fromkeys(
        (
            *("kind", "team", "bearer", "squadpoints", "quantity", "value", "maximum", "stays"),
            *("field_positions", "save_zone", "strategy_positions", "max_rounds"),
            *("starting_hand", "hand_limit", "deck", "item_deck", "columns", "rows"),
            *("card_size", "paper", "orientation", "marks", "marks_on", "sides", "flip", "fold"),
        ),
        lambda _, node, key: node.value[key],
    ),
    **dict.fromkeys(("bleed", "gutter", "corners", "safe"), lambda _, node, key: float(node.value[key])),
    "skills": _skills,
    "actions": _actions,
    "options": lambda _, node, key: convert(node.value[key], Options),
    "gap": lambda _, node, key: Gap(*_lengths(node, key, Gap._fields, 0.0)),
    "margins": lambda _, node, key: Edges(*_lengths(node, key, Edges._fields, MARGIN)),
}
"""The function that decodes the value of a key in any entry. The schema has checked the value's type."""

_DECODERS: dict[str, Callable[[Decoder, Mapping], Entry]] = {
    "cards": _card,
    "teams": partial(_build, Team),
    "objectives": partial(_build, Objective),
    "markers": partial(_build, Marker),
    "keywords": partial(_build, Keyword),
    "modes": _mode,
    "rulesets": partial(_build, Ruleset),
    "squads": partial(_build, Squad),
    "scenarios": lambda decoder, node: Scenario(decoder.card or "", node, decoder.card or ""),
    "layouts": _layout,
}


def swallowed_comment(effect: Scalar, card: str | None) -> Diagnostic | None:
    """Return a finding if a comment follows a plain effect on its line (LANGUAGE.md §2).

    The author may have meant it as part of the effect. A suppression is not reported.
    """
    comment = re.compile(r"[ \t]+(?P<comment>#[^\r\n]*)").match(effect.file.text, effect.end)
    if comment is None or re.match(MARK, comment["comment"]):
        return None
    start = comment.start("comment")
    return Diagnostic(
        "swallowed-by-comment",
        "` #` begins a comment here, so this is not read as part of the effect.",
        effect.file.span(start, start + len(comment["comment"].rstrip())),
        "Remove the `#` if it is part of the effect. "
        "Put a comment on its own line, or write the effect below a `|`.",
        card=card,
    )


def cut_texts(text: Node | None, card: str | None) -> list[Diagnostic]:
    """Return a finding for each plain value of a printed text, by language or not, that a comment cuts off.

    A comment begins with `#` and a space; a word glued to the `#`, as in `Agent #7`, was to be printed.
    """
    values = text.nodes.values() if isinstance(text, Mapping) else (text,)
    findings = []
    for value in values:
        # nearly every text ends its line: one character decides, without a regular expression
        if not isinstance(value, Scalar) or value.style:
            continue
        if value.file.text[value.end : value.end + 1] not in (" ", "\t"):
            continue
        comment = re.compile(r"[ \t]+(?P<comment>#(?![\s#])[^\r\n]*)").match(value.file.text, value.end)
        if comment is None or not value.text or re.match(MARK, comment["comment"]):
            continue
        # up to a comment behind it that certainly is one
        cut_off, *_ = re.split(r"[ \t]+(?=#(?:\s|(?i:opforge)))", comment["comment"], maxsplit=1)
        cut_off = cut_off.rstrip()
        start = comment.start("comment")
        span = value.file.span(start, start + len(cut_off))
        whole = value.file.span(value.start, span.end)
        is_numbered = bool(re.match(r"#\d+(?!\w)", cut_off))
        fix = Fix(whole, quoted(whole.text), safe=is_numbered) if whole.text.isprintable() else None
        message = f"`{shown(cut_off)}` is a comment here and is not printed."
        step = "Put the whole text in quotes if it is a part of it; else write a space behind the `#`."
        findings.append(Diagnostic("cut-text", message, span, step, card=card, fix=fix))
    return findings
