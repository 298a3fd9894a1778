"""The rules text of cards, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.data.model import Card, Objective
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.project.faces import rules_of
from toolkit.project.pipeline import Workspace
from toolkit.wording.text import plain


def rules_plain(workspace: Workspace, ids: Sequence[str], language: str, style: str | None = None) -> str:
    """Return the rules text of cards and OBJECTIVEs (of all without ids) in a language as text.

    ``style`` is ``full`` or ``short``, by default as printed.
    """
    blocks = []
    for card, rules in _rules(workspace, ids, language, style):
        lines = [one_line(card.name.in_language(language).value)]
        for skill, text in rules:
            if skill:
                lines.append(f"  {skill}:")
            lines += [f"  {line}" for line in text.split("\n")]
        blocks.append("\n".join(line for line in lines if line))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def rules_json(workspace: Workspace, ids: Sequence[str], language: str, style: str | None = None) -> str:
    """Return the rules text of cards and OBJECTIVEs (of all without ids) in a language as JSON.

    ``text_style`` is that of its texts, which is as printed unless a ``style`` is given.
    """
    text_style = style or workspace.cards.project.look.text_style
    cards = [
        {
            "id": card.id,
            "kind": getattr(card, "kind", "objective"),
            "name": card.name.in_language(language).value,
            "rules": [{"name": skill or None, "text": text} for skill, text in rules],
        }
        for card, rules in _rules(workspace, ids, language, style)
    ]
    return json_text({"version": 1, "language": language, "text_style": text_style, "cards": cards})


def _rules(
    workspace: Workspace, ids: Sequence[str], language: str, style: str | None
) -> Iterator[tuple[Card | Objective, list[tuple[str, str]]]]:
    """Yield each card, and each OBJECTIVE with rules, with the names and texts of its SKILLs or effect."""
    cards = workspace.cards
    entries: list[Card | Objective] = [*cards.cards.values(), *cards.objectives.values()]
    for card in entries:
        if not ids or card.id in ids:
            rules = [
                (card_rules.name, plain(card_rules.paragraphs))
                for card_rules in rules_of(workspace, card, language, style)
            ]
            if rules or card.id in cards.cards:
                yield card, rules
