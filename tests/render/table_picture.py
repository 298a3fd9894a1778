"""A mat with cards on it as a picture, each card at the place that the mat has for it.

``python -m tests.render.table_picture`` makes the golden picture anew; look at it before you commit it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from toolkit.api import open_project
from toolkit.apps.cli import run
from toolkit.products.mat.mat_pages import Form, Place, TableCards, plan_mat
from toolkit.project.pipeline import Workspace
from toolkit.render.page_raster import as_image, first_page
from toolkit.render.sizes import CARD_SIZES
from toolkit.resources import cards_folder

GOLDEN = Path(__file__).parent / "golden" / "table.png"
PAPER_SIDE = 700
Table = Mapping[tuple[str, int], str]
"""The ids of cards by the kind and the number of their place."""


def table_picture(
    root: Path, folder: Path, form: Form = "full", dpi: int = 30, options: tuple[str, ...] = ()
) -> Image.Image:
    """Return the mat of the project's mode on which both players have the first SQUAD, all of poker cards.

    OPERATOR 1 is EXHAUSTED under an ATTACK card, OPERATOR 3 has a DEFENCE card, OPERATOR 4 an ITEM.
    """
    workspace = open_project(root)
    mode = workspace.cards.modes[workspace.cards.project.mode or ""]
    plan = plan_mat(form, mode, TableCards(*[CARD_SIZES["poker"]] * 5))
    table = _cards_on(workspace)
    chosen = [word for card_id in sorted(set(table.values())) for word in ("--card", card_id)]
    paper = ["--paper", f"{PAPER_SIDE}x{PAPER_SIDE}mm"]
    assert run(["mat", str(root), "-o", str(folder / "mat.pdf"), f"--{form}", *paper, *options]) == 0
    assert run(["cards", str(root), "-o", str(folder / "cards"), "--dpi", str(dpi), *chosen]) == 0
    pictures = {key: Image.open(folder / "cards" / f"{table[key]}.png").convert("RGB") for key in table}
    scale = dpi / 25.4
    left, top = (round((PAPER_SIDE - side) / 2 * scale) for side in plan.size)
    page = as_image(first_page((folder / "mat.pdf").read_bytes(), dpi))
    picture = page.crop((left, top, page.width - left, page.height - top))
    for places in (plan.places, plan.others):
        _lay(picture, places, pictures, scale)
        picture = picture.rotate(180)
    return picture


def _cards_on(workspace: Workspace) -> Table:
    """Return the cards of a player in the middle of a GAME."""
    cards = workspace.cards
    squad, mode = cards.squads[cards.project.first_game[0]], cards.modes[cards.project.mode or ""]
    kinds = ("attack", "defence", "strategy")
    deck = {kind: [name for name in squad.deck if cards.cards[name].kind == kind] for kind in kinds}
    rows = {
        "field": squad.operators[: mode.field_positions],
        "save": squad.operators[mode.field_positions :][:2],
        "objective": mode.objectives[: mode.field_positions],
        "strategy": deck["strategy"][:1],
    }
    table = {(kind, number): name for kind, row in rows.items() for number, name in enumerate(row, 1)}
    attached = {1: deck["attack"], 3: deck["defence"], 4: list(squad.item_deck)}
    return table | {("attached", number): names[0] for number, names in attached.items() if names}


def _lay(
    picture: Image.Image,
    places: tuple[Place, ...],
    pictures: Mapping[tuple[str, int], Image.Image],
    scale: float,
) -> None:
    """Lay the cards of the near half, what is attached to an OPERATOR last."""
    shown = {(place.kind, place.number): place for place in places}
    corners = {
        key: (round(place.x * scale), round(picture.height / 2 + place.y * scale))
        for key, place in shown.items()
    }
    for key in corners.keys() & pictures.keys():
        if key[0] in ("save", "strategy", "objective"):
            picture.paste(pictures[key], corners[key])
    for key in sorted(corners.keys() & pictures.keys()):
        kind, number = key
        attached_key = ("attached", number)
        if kind != "field":
            continue
        if attached_key in corners:
            side = round((shown[attached_key].x + shown[attached_key].width - shown[key].x) * scale)
            turn = 90 if number == 1 else 0
            square = picture.crop((*corners[key], corners[key][0] + side, corners[key][1] + side)).rotate(
                turn
            )
            square.paste(pictures[key], (0, 0))
            if attached_key in pictures:
                square.paste(pictures[attached_key], (side - pictures[attached_key].width, 0))
            picture.paste(square.rotate(-turn), corners[key])
        else:  # the compact mat: the attached card looks out from behind its OPERATOR
            if attached_key in pictures:
                picture.paste(pictures[attached_key], corners["objective", number])
            picture.paste(pictures[key], corners[key])


def write_golden() -> None:
    """Make the golden picture anew."""
    with tempfile.TemporaryDirectory() as folder:
        picture = table_picture(cards_folder(), Path(folder))
    GOLDEN.parent.mkdir(exist_ok=True)
    picture.resize((picture.width // 2, picture.height // 2)).quantize(64).save(GOLDEN, optimize=True)


if __name__ == "__main__":
    write_golden()
