"""How the sheets of a project are made, or why the wish cannot be."""

from __future__ import annotations

from toolkit.project.fitting import look_of
from toolkit.project.layouts import Layouts, choose_layouts
from toolkit.project.sheets.request import Refusal, SheetWish
from toolkit.project.workspace import Workspace
from toolkit.render.layout import Arrangement, arrange
from toolkit.render.printers import BadPrinters, Printer, read_printers
from toolkit.render.sheet import MOST_PAGES, SheetSettings
from toolkit.vocabulary.nearest import nearest


def settings_of(workspace: Workspace, wish: SheetWish) -> SheetSettings | Refusal:
    """What the wish and the project ask for."""
    project = workspace.cards.project
    layouts = choose_layouts(workspace.cards, wish.layout)
    if isinstance(layouts, str):
        return Refusal(layouts, broken=False)
    printer = _printer(wish.printer, layouts) if wish.printer else Printer()
    if isinstance(printer, Refusal):
        return printer
    return SheetSettings(
        layout=layouts.layout,
        by_kind=layouts.by_kind,
        project=project.name,
        version=project.version,
        author=project.author or "",
        proof=wish.proof,
        stamp=wish.stamp,
        printer=printer,
        look=look_of(workspace, wish.low_ink),
        most_pages=None if wish.many_pages else MOST_PAGES,
    )


def _printer(name: str, layouts: Layouts) -> Printer | Refusal:
    """The printer, if it was measured with paper that lies as it does in every layout that has backs."""
    try:
        printers = read_printers()
    except BadPrinters as error:
        return Refusal(str(error), broken=True)
    printer = printers.get(name)
    if printer is None:
        near = nearest(name, printers)
        hint = f" Did you mean {near!r}?" if near else ""
        return Refusal(f"There is no printer {name!r}.{hint} {_how_to_measure(name)}", broken=False)
    for plan in (layouts.layout, *layouts.by_kind.values()):
        found = arrange(plan)
        turned_over = plan.sides != "fronts" and plan.fold == "none" and plan.flip != "none"
        if turned_over and isinstance(found, Arrangement) and printer.shift(found.landscape) is None:
            way = "landscape" if found.landscape else "portrait"
            step = _how_to_measure(name, " --landscape" if found.landscape else "")
            return Refusal(f"The printer {name!r} was not measured with {way} paper. {step}", broken=False)
    return printer


def _how_to_measure(name: str, way: str = "") -> str:
    return (
        f"`opforge align{way} -o align.pdf` prints the page to measure it with, "
        f"`opforge align{way} --set {name} RIGHT UP` saves the result."
    )
