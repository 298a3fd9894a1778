"""What is told of a grid that does not fit on its paper."""

from __future__ import annotations

from msgspec.structs import replace

from toolkit.render.layout import LayoutPlan, Misfit, most_in_grid, papers
from toolkit.render.paper_names import measures, paper_name
from toolkit.render.sizes import Size

_SMALLER = "Choose a larger paper or a smaller card size."


def too_many(plan: LayoutPlan, paper: Size, most: tuple[int, int]) -> Misfit:
    """More columns or rows than fit, or a card for which there is no room at all."""
    where = f"{paper_name(paper)}{_conditions(plan)}"
    if not most[0] * most[1]:
        roomy = replace(plan, margins=None)
        return Misfit(
            "layout-too-large",
            ("margins",) if all(most_in_grid(roomy, paper)) else ("card_size",),
            f"A card of {measures(plan.card)} does not fit on {where}.",
            "Make the margins smaller." if all(most_in_grid(roomy, paper)) else _SMALLER,
        )
    columns, rows = plan.columns or most[0], plan.rows or most[1]
    wide = columns > most[0]
    key, number = ("columns", most[0]) if wide else ("rows", most[1])
    fit = _grid(most[0], most[1])
    step = f"Write `{key}: {number}`"
    if len(papers(plan)) == 1 and plan.orientation is not None:
        step += ", or turn the paper with `orientation`"
    return Misfit(
        "layout-too-large",
        (key,),
        f"{fit} fit on {where}, not {columns * rows} ({columns} × {rows}).",
        f"{step}.",
    )


def odd_fold(plan: LayoutPlan, key: str) -> Misfit:
    """A fold sheet whose fronts and backs cannot be the same number."""
    return Misfit(
        "layout-conflict",
        (key,),
        f"On a fold sheet half of the {key} are backs, so their number must be even.",
        f"Write `{key}: {(getattr(plan, key) or 0) + 1}`, or remove the key.",
    )


def _grid(columns: int, rows: int) -> str:
    return f"{columns * rows} ({columns} × {rows})"


def _conditions(plan: LayoutPlan) -> str:
    """What else takes room: bleed around every card, a gap, margins, a fold."""
    words = []
    if plan.bleed and min(plan.gap) >= 2 * plan.bleed:
        words.append(f"{plan.bleed:g} mm bleed")
    elif max(plan.gap):
        words.append(f"a gap of {max(plan.gap):g} mm")
    if plan.margins is not None:
        words.append("these margins")
    if plan.fold != "none":
        words.append("a fold line")
    return f" with {' and '.join(words)}" if words else ""
