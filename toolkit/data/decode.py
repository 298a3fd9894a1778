"""From the tree of an entry that its schema accepts to the value that it means.

Two things are checked here because here it is known what a value is: that a printed text is there in every
language of the project, and that no comment swallows the end of an effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from toolkit.data.languages import language_findings
from toolkit.data.model import (
    Action,
    BrokenEntry,
    Card,
    Edges,
    Entry,
    Gap,
    Layout,
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
from toolkit.data.nodes import REFUSED, Mapping, Node, Plain, Scalar, Sequence
from toolkit.data.print_sizes import MARGIN
from toolkit.data.schemas.play import TIE_BREAKS
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.suppressions import MARK
from toolkit.source import ScalarText
from toolkit.vocabulary import ACTIONS

_NO_ITEMS: tuple[Node, ...] = ()
_STATS = ("squadpoints", "ap", "ep", "dp", "mp")


class Decoder:
    """Decodes the entries of one file; ``findings`` grows. ``languages`` None: they are not known.

    ``torn`` tells that a comment has cut off an effect of the last entry in the middle of a sentence.
    """

    def __init__(self, languages: tuple[str, ...] | None) -> None:
        self.languages = languages
        self.expected = frozenset(languages or ())
        self.findings: list[Diagnostic] = []
        self.card: str | None = None
        self.torn = False

    def entry(self, section: str, node: Mapping) -> Entry:
        """The entry of a section. Keys that the schema does not know are passed over."""
        self.torn = False
        name = node.nodes["name" if section == "scenarios" else "id"]
        self.card = name.text if isinstance(name, Scalar) else None
        return _DECODERS[section](self, self.card or "", node)

    def texts_of(self, node: Mapping, card: str | None) -> list[Diagnostic]:
        """The findings about languages of an entry that cannot be decoded."""
        if self.languages is None:
            return []
        skills = node.nodes.get("skills")
        inner = skills.items if isinstance(skills, Sequence) else ()
        findings: list[Diagnostic] = []
        for part in (node, *(item for item in inner if isinstance(item, Mapping))):
            for key in ("name", "flavour", "text"):
                value = part.nodes.get(key)
                if not isinstance(value, Mapping) or value.nodes.keys() == self.expected:
                    continue
                # a language without a text is told of already: it may be the rest of a text with a comma
                if value.nodes and all(isinstance(text, str) for text in value.value.values()):
                    findings += language_findings(value, self.languages, key, card)
        return findings

    def effects_of(self, section: str, node: Mapping, card: str | None, kind: str | None) -> BrokenEntry:
        """The effects of an entry that cannot be decoded, as far as they are texts."""
        self.card = card
        found = [
            (part, scalar)
            for part, value in _effect_nodes(section, node, kind)
            if isinstance(value, Scalar)
            and value.style != REFUSED
            and isinstance(value.value, str)
            and value.text.strip()
            and (scalar := self.effect(value)) is not None
        ]
        return BrokenEntry(card or "", node, kind, tuple(found))

    def text(self, node: Mapping, key: str) -> Text | None:
        """A printed text."""
        value = node.nodes.get(key)
        if isinstance(value, Scalar):
            return Text(value)
        if not isinstance(value, Mapping):
            return None
        if self.languages is not None and value.nodes.keys() != self.expected:
            self.findings += language_findings(value, self.languages, node.keys[key].text, self.card)
        return Text(value)

    def name(self, node: Mapping) -> Text:
        """The name, which the schema requires."""
        found = self.text(node, "name")
        assert found is not None, "the schema requires a name"
        return found

    def effect(self, node: Node | None) -> ScalarText | None:
        """An effect, which no comment may follow on its line."""
        if not isinstance(node, Scalar):
            return None
        if node.style == "" and (finding := swallowed_comment(node, self.card)):
            self.findings.append(finding)
            self.torn |= not node.text.endswith(".")
        return node.as_text()


def _effect_nodes(section: str, node: Mapping, kind: str | None) -> Iterator[tuple[str, Node | None]]:
    """Where an entry of the section may have effects, by part; whether they are texts is not known."""
    if section == "cards":
        for number, skill in enumerate(_items(node, "skills") if kind in ("operator", None) else (), 1):
            yield f"skill {number}", skill.nodes.get("effect") if isinstance(skill, Mapping) else None
        if kind != "operator":
            yield "effect", node.nodes.get("effect")
    elif section == "modes":
        yield "teamwork", node.nodes.get("teamwork")
        for number, effect in enumerate(_items(node, "performance"), 1):
            yield f"performance {number}", effect
    elif section == "rulesets":
        yield "suppression", node.nodes.get("suppression")
        actions = node.nodes.get("actions")
        for name, action in actions.nodes.items() if isinstance(actions, Mapping) else ():
            yield f"action {name}", action.nodes.get("effect") if isinstance(action, Mapping) else None


def _scalar(node: Mapping, key: str) -> ScalarText | None:
    value = node.nodes.get(key)
    return value.as_text() if isinstance(value, Scalar) else None


def _items(node: Mapping, key: str) -> tuple[Node, ...] | list[Node]:
    value = node.nodes.get(key)
    return value.items if isinstance(value, Sequence) else _NO_ITEMS


def _words(node: Mapping, key: str) -> tuple[str, ...]:
    value = node.nodes.get(key)
    if not isinstance(value, Sequence):
        return ()
    return tuple([item.text for item in value.items if isinstance(item, Scalar)])


def _word(node: Mapping, key: str) -> str | None:
    value = node.nodes.get(key)
    return value.text if isinstance(value, Scalar) else None


def _number(values: dict[str, Plain], key: str, default: int) -> int:
    value = values.get(key)
    return value if isinstance(value, int) else default


def _part(node: Mapping, key: str) -> dict[str, Plain]:
    value = node.nodes.get(key)
    return value.value if isinstance(value, Mapping) else {}


def _counts(node: Mapping, key: str) -> dict[str, int]:
    return {name: count for name, count in _part(node, key).items() if isinstance(count, int)}


def _card(decoder: Decoder, entry_id: str, node: Mapping) -> Card:
    value = node.value
    kind = str(value["kind"])
    is_operator = kind == "operator"
    numbers = [_number(value, key, 0) for key in _STATS] if is_operator else [0, 0, 0, 0, 0]
    squadpoints, ap, ep, dp, mp = numbers
    return Card(
        id=entry_id,
        node=node,
        kind=kind,
        name=decoder.name(node),
        team=_word(node, "team") if is_operator else None,
        squadpoints=squadpoints,
        ap=ap,
        ep=ep,
        dp=dp,
        mp=mp,
        traits=_words(node, "traits") if is_operator else (),
        skills=_skills(decoder, node) if is_operator else (),
        effect=None if is_operator else decoder.effect(node.nodes.get("effect")),
        art=_scalar(node, "art"),
        flavour=decoder.text(node, "flavour"),
        quantity=_number(value, "quantity", 1),
        tags=_words(node, "tags"),
        text=decoder.text(node, "text"),
        text_for=_scalar(node, "text_for"),
        back=_scalar(node, "back"),
    )


def _skills(decoder: Decoder, node: Mapping) -> tuple[Skill, ...]:
    skills = []
    for item in _items(node, "skills"):
        assert isinstance(item, Mapping), "the schema asks for mappings"
        effect = decoder.effect(item.nodes["effect"])
        assert effect is not None, "the schema requires an effect"
        text, text_for = decoder.text(item, "text"), _scalar(item, "text_for")
        skills.append(Skill(item, decoder.text(item, "name"), effect, text, text_for))
    return tuple(skills)


def _team(decoder: Decoder, entry_id: str, node: Mapping) -> Team:
    logo, back = _scalar(node, "logo"), _scalar(node, "back")
    return Team(entry_id, node, decoder.name(node), logo, _words(node, "colours"), back)


def _objective(decoder: Decoder, entry_id: str, node: Mapping) -> Objective:
    return Objective(
        id=entry_id,
        node=node,
        name=decoder.name(node),
        value=_number(node.value, "value", 0),
        art=_scalar(node, "art"),
        flavour=decoder.text(node, "flavour"),
        quantity=_number(node.value, "quantity", 1),
        tags=_words(node, "tags"),
        back=_scalar(node, "back"),
    )


def _mode(decoder: Decoder, entry_id: str, node: Mapping) -> Mode:
    value = node.value
    squad, deck, victory = _part(node, "squad"), _part(node, "deck"), _part(node, "victory")
    performance = [decoder.effect(item) for item in _items(node, "performance")]
    captured = victory.get("objectives_captured")
    return Mode(
        id=entry_id,
        node=node,
        name=decoder.name(node),
        field_positions=_number(value, "field_positions", 4),
        save_zone=_number(value, "save_zone", 3),
        strategy_positions=_number(value, "strategy_positions", 3),
        objectives=_words(node, "objectives"),
        teamwork=decoder.effect(node.nodes.get("teamwork")),
        squad_operators=_number(squad, "operators", 7),
        squad_squadpoints=_number(squad, "squadpoints", 30),
        squad_copies=_number(squad, "copies", 1),
        deck_minimum=_number(deck, "minimum", 20),
        deck_maximum=_number(deck, "maximum", 40),
        deck_copies=_number(deck, "copies", 3),
        item_deck_maximum=_number(_part(node, "item_deck"), "maximum", 5),
        starting_hand=_number(value, "starting_hand", 4),
        hand_limit=_number(value, "hand_limit", 8),
        max_rounds=_number(value, "max_rounds", 12),
        performance=tuple([effect for effect in performance if effect is not None]),
        victory_objectives_captured=_captured(victory, captured),
        victory_operators_out_or_hit="operators_out_or_hit" in victory or "victory" not in value,
        tie_break=_words(node, "tie_break") if "tie_break" in value else TIE_BREAKS,
    )


def _captured(victory: dict[str, Plain], captured: Plain) -> int | None:
    """How many CAPTURED OBJECTIVEs win: 2 if the mode does not speak of victory, none if only of others."""
    if isinstance(captured, int):
        return captured
    return None if victory else 2


def _ruleset(decoder: Decoder, entry_id: str, node: Mapping) -> Ruleset:
    options = _part(node, "options")
    chosen = {key: value for key, value in options.items() if key in Options.__struct_fields__}
    actions = {}
    listed = node.nodes.get("actions")
    for name in [word.lower() for word in ACTIONS]:
        action = listed.nodes.get(name) if isinstance(listed, Mapping) else None
        if not isinstance(action, Mapping):
            continue
        limit = action.value["limit"]
        actions[name] = Action(
            name,
            action,
            limit if isinstance(limit, int) else None,
            decoder.effect(action.nodes.get("effect")),
            decoder.text(action, "text"),
            _scalar(action, "text_for"),
        )
    return Ruleset(
        id=entry_id,
        node=node,
        name=decoder.text(node, "name"),
        options=Options(**chosen),  # type: ignore[arg-type]  # the schema has checked them
        suppression=decoder.effect(node.nodes.get("suppression")),
        actions=actions,
    )


def _squad(decoder: Decoder, entry_id: str, node: Mapping) -> Squad:
    return Squad(
        id=entry_id,
        node=node,
        name=decoder.name(node),
        operators=_words(node, "operators"),
        deck=_counts(node, "deck"),
        item_deck=_counts(node, "item_deck"),
    )


def _layout(_: Decoder, entry_id: str, node: Mapping) -> Layout:
    words = ("card_size", "paper", "orientation", "marks", "marks_on", "sides", "flip", "fold")
    return Layout(
        id=entry_id,
        node=node,
        columns=_number(node.value, "columns", 0) or None,
        rows=_number(node.value, "rows", 0) or None,
        places=tuple(_place(item) for item in _items(node, "slots") if isinstance(item, Mapping)),
        gap=_gap(node.value.get("gap")),
        bleed=_length(node.value, "bleed"),
        margins=_margins(node.value.get("margins")),
        corners=_length(node.value, "corners"),
        safe=_length(node.value, "safe"),
        **{word: _word(node, word) for word in words},
    )


def _place(node: Mapping) -> Place:
    x, y = _length(node.value, "x") or 0.0, _length(node.value, "y") or 0.0
    return Place(node, x, y, _number(node.value, "turn", 0))


def _length(values: dict[str, Plain], key: str) -> float | None:
    value = values.get(key)
    return float(value) if isinstance(value, (int, float)) else None


def _gap(value: Plain) -> Gap | None:
    if isinstance(value, dict):
        return Gap(_length(value, "across") or 0.0, _length(value, "down") or 0.0)
    return Gap(float(value), float(value)) if isinstance(value, (int, float)) else None


def _margins(value: Plain) -> Edges | None:
    if isinstance(value, dict):
        lengths = [_length(value, edge) for edge in Edges._fields]
        return Edges(*[MARGIN if length is None else length for length in lengths])
    return Edges(*[float(value)] * 4) if isinstance(value, (int, float)) else None


_DECODERS: dict[str, Callable[[Decoder, str, Mapping], Entry]] = {
    "cards": _card,
    "teams": _team,
    "objectives": _objective,
    "modes": _mode,
    "rulesets": _ruleset,
    "squads": _squad,
    "scenarios": lambda _, name, node: Scenario(name, node, name),
    "layouts": _layout,
}


def swallowed_comment(effect: Scalar, card: str | None) -> Diagnostic | None:
    """A finding if a comment follows a plain effect on its line (LANGUAGE.md §2): it may be a part of it.

    A suppression is none.
    """
    text = effect.file.text
    start = effect.end
    while text[start : start + 1] in (" ", "\t"):
        start += 1
    if start == effect.end or text[start : start + 1] != "#" or re.match(MARK, text[start:]):
        return None
    end = start
    while end < len(text) and text[end] not in "\r\n":
        end += 1
    return Diagnostic(
        "swallowed-by-comment",
        "` #` begins a comment here, so this is not read as part of the effect.",
        effect.file.span(start, start + len(text[start:end].rstrip())),
        "Remove the `#` if it is part of the effect. "
        "Put a comment on its own line, or write the effect below a `|`.",
        card=card,
    )
