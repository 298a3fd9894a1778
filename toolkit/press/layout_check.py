"""The project's layouts: from YAML entries to ``LayoutPlan``, and findings about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolkit.data.file_entries import shipped_layout, shipped_layouts
from toolkit.data.model import CardSet, Gap, Layout
from toolkit.diagnostics import Diagnostic, Label, suggestion
from toolkit.diagnostics.phrases import shown
from toolkit.press.layout import Corner, LayoutPlan, LayoutProblem, arrange
from toolkit.render.face import template_of
from toolkit.render.fetch import Roots
from toolkit.render.sizes import BLEED, CARD_SIZES, PAPERS, Size, card_name, size_of, trim_size
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

_COPIED_KEYS = (
    *("orientation", "columns", "rows", "margins", "marks", "marks_on"),
    *("sides", "flip", "fold", "gutter", "safe"),
)


def plan_of(layout: Layout, card_size: str, paper: str) -> LayoutPlan:
    """Return a layout's plan; ``card_size`` and ``paper`` are the defaults for keys that it does not have.

    A written bleed without a gap is printed around every card, and around round cards and hexagons always,
    because no straight cut separates them. A written gap is kept, and neighbours share it.
    """
    card = card_size_of(layout.card_size or card_size)
    bleed = BLEED if layout.bleed is None else layout.bleed
    default_gap = 0.0 if layout.bleed is None and card.shape == "rect" else 2 * bleed
    written: dict[str, Any] = {key: getattr(layout, key) for key in _COPIED_KEYS}
    return LayoutPlan(
        card=card,
        paper=paper_of(layout.paper or paper),
        corners_at=tuple(Corner(place.x, place.y, place.turn) for place in layout.places),
        gap=layout.gap or Gap(default_gap, default_gap),
        bleed=bleed,
        rounding=layout.corners or 0.0,
        name=layout.id,
        **{key: value for key, value in written.items() if value is not None},
    )


def card_size_of(name: str) -> Size:
    """Return a card size by name; poker if it is unknown, which is a finding elsewhere."""
    return trim_size(name) or CARD_SIZES["poker"]


def paper_of(name: str) -> Size:
    """Return a paper by name; A4 if it is unknown, which is a finding elsewhere."""
    return size_of(name, PAPERS) or PAPERS["a4"]


_GRID_KEYS = ("columns", "rows", "gap", "margins", "fold", "gutter")
"""Keys of a grid, which have no meaning beside exact slots."""

_DUPLEX_KEYS = ("sides", "flip")
"""Keys that have no meaning on a fold sheet."""


def layout_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """Yield the findings about layouts, and about those that the project file names."""
    project = cards.project
    doubled_layouts = (entry for entry in cards.doubled if isinstance(entry, Layout))
    for layout in (*cards.layouts.values(), *doubled_layouts):
        conflicts = [*_conflicts(layout)]
        yield from conflicts
        if conflicts:
            continue
        arrangement = arrange(plan_of(layout, project.card_size, project.paper))
        if isinstance(arrangement, LayoutProblem):
            span = _problem_span(layout, arrangement.path)
            yield Diagnostic(
                arrangement.finding, arrangement.message, span, arrangement.next_step, card=layout.id
            )
    yield from _named_layouts(cards)
    yield from _missing_templates(cards)


SHAPE_WORDS = {"round": "round", "hex": "as hexagons"}
"""How cards of a shape are printed, in words."""


def _missing_templates(cards: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about kinds of card whose size has a shape for which there is no template."""
    project = cards.project
    kinds = list(dict.fromkeys(card.kind for card in cards.cards.values()))
    if cards.objectives and "objective" not in kinds:
        kinds.append("objective")
    sizes = {kind: card_size_of(project.card_sizes.get(kind, project.card_size)) for kind in kinds}
    shapes = {kind: size.shape for kind, size in sizes.items() if size.shape != "rect"}
    if not shapes:
        return

    roots = Roots(project.root, theme=project.theme)
    for kind, shape in shapes.items():
        if roots.find(template_of(kind, shape)) is None:
            path = ("card_sizes", kind) if kind in project.card_sizes else ("card_size",)
            yield Diagnostic(
                "shape-without-template",
                f"{kind.upper()} cards cannot be printed {SHAPE_WORDS[shape]}.",
                project.span_of(*path),
                f"Choose another size, or write the template templates/{template_of(kind, shape)}.",
            )


def _problem_span(layout: Layout, path: tuple[str | int, ...]) -> Span:
    """Return the span of the wrong value, or that of the paper or the id if it is a default."""
    written = layout.node.nodes
    key, *_ = path
    if key in written:
        return layout.span_of(*path)
    return layout.span_of("paper") if key == "card_size" and "paper" in written else layout.id_span


def _conflicts(layout: Layout) -> Iterator[Diagnostic]:
    """Yield a finding for each key that has no meaning beside another one, such as `rows` beside `slots`."""
    written = layout.node.nodes
    if layout.places:
        keys: tuple[str, ...] = _GRID_KEYS
        other_key = "slots"
        reason = "beside `slots`, which already define the place of every card"
    elif layout.fold not in (None, "none"):
        keys, other_key = _DUPLEX_KEYS, "fold"
        reason = "on a fold sheet, which has fronts and backs on one side"
    else:
        return
    for key in filter(written.__contains__, keys):
        message, step = f"`{key}` has no meaning {reason}.", f"Remove `{key}`, or remove `{other_key}`."
        yield Diagnostic("layout-conflict", message, layout.key_span(key), step, card=layout.id)


def _named_layouts(cards: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about layouts that the project file names: unknown ones, two for one card size."""
    project = cards.project
    first_by_size: dict[Size, tuple[str, Span]] = {}
    for written in project.layouts:
        name = written.value
        layout = cards.layouts.get(name) or shipped_layout(name)
        if layout is None:
            # in a broken or unread file it may be declared after all
            if name not in cards.broken_ids and not cards.incomplete:
                yield _unknown_layout(name, written.span, [*cards.layouts, *shipped_layouts()])
            continue
        size = plan_of(layout, project.card_size, project.paper).card
        if size in first_by_size:
            other_name, span = first_by_size[size]
            yield Diagnostic(
                "layout-conflict",
                f"`{name}` and `{other_name}` are both for cards of the size {card_name(size)}.",
                written.span,
                "Name one layout for each card size.",
                (Label(span, "named first"),),
            )
        first_by_size.setdefault(size, (name, written.span))


def _unknown_layout(name: str, span: Span, known_layouts: list[str]) -> Diagnostic:
    """Return the finding about the name of a layout that there is not."""
    meant = nearest(name, known_layouts)
    return Diagnostic(
        "unknown-layout",
        f"There is no layout `{shown(name)}`.",
        span,
        f"Did you mean `{meant}`?" if meant else "`opforge layouts` lists them.",
        fix=suggestion(span, name, meant, known_layouts),
    )
