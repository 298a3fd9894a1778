"""What is wrong with the layouts of a project: more cards than fit, slots that overlap, keys that contradict."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.model import CardSet, Layout
from toolkit.data.quoting import shown
from toolkit.data.shipped_layouts import shipped_layouts
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.render.layout import Misfit, arrange
from toolkit.render.paper_names import card_name
from toolkit.render.plans import plan_of
from toolkit.render.sizes import Size
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

_OF_GRIDS = ("columns", "rows", "gap", "margins", "fold")
"""Keys that say something about a grid, and nothing beside exact slots."""


def layout_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """All findings about layouts, and about those that the project file names."""
    project = cards.project
    for layout in (*cards.layouts.values(), *(one for one in cards.doubled if isinstance(one, Layout))):
        if layout.places and (conflicts := [key for key in _OF_GRIDS if key in layout.node.nodes]):
            yield from (_beside_slots(layout, key) for key in conflicts)
            continue
        found = arrange(plan_of(layout, project.card_size, project.paper))
        if isinstance(found, Misfit):
            span = _place(layout, found.path)
            yield Diagnostic(found.finding, found.message, span, found.next_step, card=layout.id)
    yield from _named(cards)


def _place(layout: Layout, path: tuple[str | int, ...]) -> Span:
    """The value that is wrong; the layout's id where it is not written."""
    return layout.span_of(*path) if path[0] in layout.node.nodes else layout.id_span


def _beside_slots(layout: Layout, key: str) -> Diagnostic:
    return Diagnostic(
        "layout-conflict",
        f"`{key}` means nothing beside `slots`, which say already where every card lies.",
        layout.key_span(key),
        f"Remove `{key}`, or remove `slots`.",
        card=layout.id,
    )


def _named(cards: CardSet) -> Iterator[Diagnostic]:
    """Layouts that the project file names: unknown ones, and two for one size of cards."""
    project = cards.project
    first: dict[Size, tuple[str, Span]] = {}
    for written in project.layouts:
        name = written.value
        layout = cards.layouts.get(name) or shipped_layouts().get(name)
        if layout is None:
            if name not in cards.broken_ids and not cards.incomplete:
                yield _unknown(name, written.span, [*cards.layouts, *shipped_layouts()])
            continue
        size = plan_of(layout, project.card_size, project.paper).card
        if size in first:
            other, span = first[size]
            yield Diagnostic(
                "layout-conflict",
                f"`{name}` and `{other}` are both for cards of the size {card_name(size)}.",
                written.span,
                "Name one layout for each size of cards.",
                (Label(span, "named first"),),
            )
        first.setdefault(size, (name, written.span))


def _unknown(name: str, span: Span, known: list[str]) -> Diagnostic:
    meant = nearest(name, known)
    return Diagnostic(
        "unknown-layout",
        f"There is no layout `{shown(name)}`.",
        span,
        f"Did you mean `{meant}`?" if meant else "`opforge layouts` lists them.",
        fix=Fix(span, meant) if meant else None,
    )
