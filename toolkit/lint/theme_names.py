"""unknown-theme, and unknown-trait in the project file: looks and printed names of what there is not."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.model import CardSet
from toolkit.data.nodes import Mapping
from toolkit.diagnostics import Diagnostic, suggestion
from toolkit.vocabulary.nearest import nearest

_SHIPPED = ("classic", "tournament")
"""Themes that need not be looked for."""


def check(cards: CardSet) -> list[Diagnostic]:
    """What the project file names and nobody knows."""
    return [*_theme(cards), *_traits(cards)]


def _theme(cards: CardSet) -> Iterator[Diagnostic]:
    project = cards.project
    if project.theme in _SHIPPED:
        return
    from toolkit.render.fetch import themes_of

    known = themes_of(project.root)
    if project.theme not in known:
        near = nearest(project.theme, known)
        yield Diagnostic(
            "unknown-theme",
            f"There is no theme `{project.theme}`; cards are printed in the classic one.",
            project.span_of("theme"),
            f"Did you mean `{near}`?"
            if near
            else f"There are {', '.join(known)}; your own are in templates/themes.",
            fix=suggestion(project.span_of("theme"), project.theme, near, known),
        )


def _traits(cards: CardSet) -> Iterator[Diagnostic]:
    """Printed names of traits that no OPERATOR has; nothing where one may have been left out."""
    node = cards.project.node
    names = node.nodes.get("traits") if node else None
    if not isinstance(names, Mapping) or cards.broken_ids or cards.incomplete:
        return
    known = cards.traits() | cards.broken_traits
    ordered = sorted(known)
    for trait in cards.project.traits:
        if trait not in known:
            near = nearest(trait, ordered)
            yield Diagnostic(
                "unknown-trait",
                f"No OPERATOR of this project has the trait `{trait}`.",
                names.keys[trait].span,
                f"Did you mean `{near}`?" if near else "Give it to an OPERATOR, or remove the line.",
                fix=suggestion(names.keys[trait].span, trait, near, known),
            )
