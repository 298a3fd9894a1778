"""Only the cards that changed, and behind them the list that says what to do with the printed ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.project.changes.list_page import print_list
from toolkit.project.changes.model import Changes
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.pdf_pages import described, with_more_pages
from toolkit.render.renderer import EngineError, NoEngine, choose_renderer
from toolkit.render.sheet import Failure
from toolkit.render.sizes import Size


def chosen(changes: Changes, ids: Collection[str], kinds: Collection[str]) -> Changes:
    """What changed among chosen cards; without ids and kinds everything."""
    cards = tuple(
        card
        for card in changes.cards
        if (not ids or card.id in ids or card.older_id in ids) and (not kinds or card.kind in kinds)
    )
    return replace(changes, cards=cards)


def to_print(faces: Iterable[Face], changes: Changes) -> list[Face]:
    """The cards that have to be printed, each with the number of copies that are needed."""
    copies = changes.copies
    return [replace(face, quantity=copies[face.id]) for face in faces if face.id in copies]


def with_list(
    pdf: bytes, changes: Changes, roots: Roots, paper: Size, title: str
) -> bytes | Diagnostic | Failure:
    """The sheets with the list behind them; the list alone where there are no sheets."""
    engine = choose_renderer()
    if isinstance(engine, NoEngine):
        return Failure(engine.message, engine.next_step)
    try:
        made = print_list(changes, roots, paper, engine)
    except EngineError as error:
        return Failure(f"The PDF engine {engine.name} failed: {error}", "Check the templates you changed.")
    if isinstance(made, Diagnostic):
        return made
    return with_more_pages(pdf, made) if pdf else described(made, title, "")
