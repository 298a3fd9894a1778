"""What is wrong with the layouts of a project: too many cards, slots that overlap, keys that contradict."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.model import CardSet, Layout
from toolkit.data.quoting import shown
from toolkit.data.shipped_layouts import shipped_layout, shipped_layouts
from toolkit.diagnostics import Diagnostic, Label, suggestion
from toolkit.render.layout import Misfit, arrange
from toolkit.render.paper_names import card_name
from toolkit.render.plans import plan_of
from toolkit.render.sizes import Size
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

_OF_GRIDS = ("columns", "rows", "gap", "margins", "fold")
"""Keys that say something about a grid, and nothing beside exact slots."""

_OF_TWO_SIDES = ("sides", "flip")
"""Keys that mean nothing on a fold sheet."""


def layout_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """All findings about layouts, and about those that the project file names."""
    project = cards.project
    for layout in (*cards.layouts.values(), *(one for one in cards.doubled if isinstance(one, Layout))):
        conflicts = [*_conflicts(layout)]
        yield from conflicts
        if conflicts:
            continue
        found = arrange(plan_of(layout, project.card_size, project.paper))
        if isinstance(found, Misfit):
            span = _place(layout, found.path)
            yield Diagnostic(found.finding, found.message, span, found.next_step, card=layout.id)
    yield from _named(cards)


def _place(layout: Layout, path: tuple[str | int, ...]) -> Span:
    """The value that is wrong; the paper, and else the layout's id, where it is not written."""
    written = layout.node.nodes
    if path[0] in written:
        return layout.span_of(*path)
    return layout.span_of("paper") if path[0] == "card_size" and "paper" in written else layout.id_span


def _conflicts(layout: Layout) -> Iterator[Diagnostic]:
    written = layout.node.nodes
    if layout.places:
        for key in filter(written.__contains__, _OF_GRIDS):
            yield _conflict(
                layout, key, "beside `slots`, which already define the place of every card", "slots"
            )
    elif layout.fold not in (None, "none"):
        for key in filter(written.__contains__, _OF_TWO_SIDES):
            yield _conflict(layout, key, "on a fold sheet, which has fronts and backs on one side", "fold")


def _conflict(layout: Layout, key: str, where: str, other: str) -> Diagnostic:
    return Diagnostic(
        "layout-conflict",
        f"`{key}` has no meaning {where}.",
        layout.key_span(key),
        f"Remove `{key}`, or remove `{other}`.",
        card=layout.id,
    )


def _named(cards: CardSet) -> Iterator[Diagnostic]:
    """Layouts that the project file names: unknown ones, and two for one size of cards."""
    project = cards.project
    first: dict[Size, tuple[str, Span]] = {}
    for written in project.layouts:
        name = written.value
        layout = cards.layouts.get(name) or shipped_layout(name)
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
                "Name one layout for each card size.",
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
        fix=suggestion(span, name, meant, known),
    )
