"""The layouts of a project's sheets: requested ones, else those of the project file, else the best fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.file_entries import shipped_layout, shipped_layouts
from toolkit.data.model import CardSet, Gap, Layout
from toolkit.press.layout import Arrangement, LayoutPlan, LayoutProblem, arrange
from toolkit.press.layout_check import SHAPE_WORDS, card_size_of, paper_of, plan_of
from toolkit.render.face import KINDS, Face, template_of
from toolkit.render.fetch import Roots
from toolkit.render.sizes import MAX_SIDE, PAPERS, Size, card_name, paper_name, size_of
from toolkit.resources import templates_folder
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import did_you_mean


class LayoutRequest(PublicValue, Struct, frozen=True):
    """Layouts by name, or a paper, and overrides of their keys (None: as the layout says)."""

    names: Sequence[str] = ()
    paper: str | None = None
    sides: str | None = None
    flip: str | None = None
    marks: str | None = None
    marks_on: str | None = None
    fold: str | None = None

    @property
    def changes(self) -> dict[str, str]:
        """The overrides by key of a layout."""
        values = {key: getattr(self, key) for key in ("sides", "flip", "marks", "marks_on", "fold")}
        return {key: value for key, value in values.items() if value is not None}


class Layouts(Struct, frozen=True):
    """The default layout, and those of kinds of card that have a size of their own."""

    layout: LayoutPlan
    by_kind: dict[str, LayoutPlan] = field(default_factory=dict)

    def of(self, kind: str) -> LayoutPlan:
        """Return the layout of the cards of a kind."""
        return self.by_kind.get(kind, self.layout)


def choose_layouts(cards: CardSet, request: LayoutRequest) -> Layouts | str:
    """Return the layouts, or an error message.

    A layout is for the kinds with its card size. One with another size is for all kinds that have no size of
    their own, and changes theirs. A requested ``paper`` overrides the project's layouts.
    """
    project = cards.project
    sizes = {kind: card_size_of(size) for kind, size in project.card_sizes.items()}
    plans_by_size = _by_size(cards, request, frozenset(sizes.values()))
    if isinstance(plans_by_size, str):
        return plans_by_size
    default_size = card_size_of(project.card_size)
    default_plan = _with_bleed_gap(
        LayoutPlan(card=default_size, paper=paper_of(request.paper or project.paper))
    )
    main_plan = plans_by_size.get(None) or plans_by_size.get(default_size) or default_plan
    by_kind = {
        kind: plans_by_size.get(size) or _same_style(main_plan, size)
        for kind, size in sizes.items()
        if size != main_plan.card
    }
    plans = (main_plan, *by_kind.values())
    if (request.sides or request.flip) and any(plan.fold != "none" for plan in plans):
        return "A fold sheet has fronts and backs on one side: omit --sides, --backs and --flip."
    exact_plan = next((plan for plan in plans if plan.corners_at), None)
    if request.fold and exact_plan is not None:
        return f"The layout {exact_plan.name!r} has exact slots, which cannot be folded: omit --fold."
    changed_plans = {kind: replace(plan, **request.changes) for kind, plan in by_kind.items()}
    return Layouts(replace(main_plan, **request.changes), changed_plans)


def missing_template(faces: Iterable[Face], layouts: Layouts, roots: Roots) -> str | None:
    """Return an error message if a kind of card has no template for the shape of its layout."""
    for face in faces:
        shape = layouts.of(face.kind).shape
        if shape != "rect" and roots.find(template_of(face.kind, shape)) is None:
            return (
                f"{face.kind.upper()} cards cannot be printed {SHAPE_WORDS[shape]}: there is no template "
                f"{template_of(face.kind, shape)}. Choose other cards with --kind, or another size."
            )
    return None


def _by_size(
    cards: CardSet, request: LayoutRequest, sizes: frozenset[Size]
) -> dict[Size | None, LayoutPlan] | str:
    """Return the requested and the project's layouts by card size; the key None is for all other sizes."""
    if request.names and request.paper:
        return "--paper and --layout exclude each other: a layout defines its paper."
    plans_by_size: dict[Size | None, LayoutPlan] = {}
    for name in request.names:
        layout = find_layout(cards, name)
        if isinstance(layout, str):
            return layout
        plan = plan_of(layout, cards.project.card_size, cards.project.paper)
        size = plan.card if plan.card in sizes else None
        if size in plans_by_size:
            return f"The layouts {plans_by_size[size].name!r} and {name!r} are for the same cards."
        plans_by_size[size] = plan
    for plan in () if request.paper else _project_plans(cards):
        plans_by_size.setdefault(plan.card if plan.card in sizes else None, plan)
    return plans_by_size


def find_layout(cards: CardSet, name: str) -> Layout | str:
    """Return the layout of that name, the project's own first, or an error message."""
    layout = cards.layouts.get(name) or shipped_layout(name)
    if layout is not None:
        return layout
    if name in cards.broken_ids:
        return f"The layout {name!r} has errors; `opforge check` reports them."
    hint = did_you_mean(name, [*cards.layouts, *shipped_layouts()])
    return f"There is no layout {name!r}.{hint} `opforge layouts` lists them."


def _project_plans(cards: CardSet) -> Iterable[LayoutPlan]:
    """Yield the layouts that the project file names; unknown ones are findings elsewhere."""
    project = cards.project
    for layout_name in project.layouts:
        layout = find_layout(cards, layout_name.value)
        if isinstance(layout, Layout):
            yield plan_of(layout, project.card_size, project.paper)


def _same_style(main_plan: LayoutPlan, size: Size) -> LayoutPlan:
    """Return the plan for cards of another size: as many as fit on the same paper, printed the same way."""
    unset_keys = {"orientation": None, "columns": None, "rows": None, "corners_at": ()}
    return _with_bleed_gap(replace(main_plan, card=size, name=card_name(size), **unset_keys))


def _with_bleed_gap(plan: LayoutPlan) -> LayoutPlan:
    """Return the plan with gaps for bleed if no straight cut separates its cards (round ones, hexagons)."""
    bleed_gap = 2 * plan.bleed if plan.shape != "rect" else 0.0
    return replace(plan, gap=Gap(max(plan.gap.across, bleed_gap), max(plan.gap.down, bleed_gap)))


class ListedLayout(Struct, frozen=True):
    """A layout in the list: whether it is the project's own, and its slots or why it has none.

    ``kinds`` are those with a template for its shape.
    """

    layout: Layout
    own: bool
    plan: LayoutPlan
    found: Arrangement | LayoutProblem
    kinds: tuple[str, ...]

    @property
    def cards(self) -> int:
        """The number of cards on a sheet."""
        return len(self.found.fronts) if isinstance(self.found, Arrangement) else 0


def list_layouts(cards: CardSet | None, every: bool) -> list[ListedLayout]:
    """Return the project's own layouts, then the shipped ones for its card sizes; with ``every`` all."""
    own_layouts = cards.layouts if cards else {}
    sizes = {cards.project.card_size, *cards.project.card_sizes.values()} if cards else set()
    wanted_sizes = {card_size_of(size) for size in sizes}
    listed = [_list_entry(layout, cards, is_own=True) for layout in own_layouts.values()]
    for name, layout in shipped_layouts().items():
        if name not in own_layouts and (every or card_size_of(layout.card_size or "") in wanted_sizes):
            listed.append(_list_entry(layout, cards, is_own=False))
    return listed


def _list_entry(layout: Layout, cards: CardSet | None, is_own: bool) -> ListedLayout:
    """Return a layout as it is listed: how many cards fit, and which kinds have a template for it."""
    card_size, paper = (cards.project.card_size, cards.project.paper) if cards else ("poker", "a4")
    plan = plan_of(layout, card_size, paper)
    kinds: tuple[str, ...] = KINDS
    if plan.shape != "rect":
        roots = Roots(cards.project.root, theme=cards.project.theme) if cards else Roots(templates_folder())
        kinds = tuple(kind for kind in KINDS if roots.find(template_of(kind, plan.shape)))
    return ListedLayout(layout, is_own, plan, arrange(plan), kinds)


def unknown_paper(name: str | None) -> str | None:
    """Return an error message if there is no such paper."""
    if name is None or size_of(name, PAPERS) is not None:
        return None
    hint = did_you_mean(name, PAPERS)
    known_papers = ", ".join(PAPERS)
    size_hint = f"or write a size: 210x297mm, each side below {MAX_SIDE:g} mm"
    return f"There is no paper {name!r}.{hint} Known: {known_papers}; {size_hint}."


def paper_data(paper: Size) -> dict[str, Any]:
    """Return a paper as JSON data, in mm."""
    return {"name": paper_name(paper), "width": paper.width, "height": paper.height}
