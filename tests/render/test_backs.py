"""Which back a card has: its own, its TEAM's, or the project's for its kind or pile."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.project.faces import faces
from toolkit.project.pipeline import open_project
from toolkit.render.face import Back, back_of
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import Pages
from toolkit.render.sizes import CARD_SIZES
from toolkit.resources import templates_folder

PROJECTS = Path(__file__).parent.parent / "projects"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 9"><rect width="6" height="9"/></svg>'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = copytree(PROJECTS / "small", tmp_path / "small")
    for name in ("own", "team", "deck"):
        (project / f"{name}.svg").write_text(PICTURE)
    return project


def backs(project: Path, settings: str = "", card: str = "", team: str = "") -> dict[str, Back]:
    """The backs by id of card, after words were added to the settings, to Viper and to her TEAM."""
    file = project / "cards.yaml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("    team: night-owls\n", f"    team: night-owls\n{card}", 1)
    text = text.replace("{id: night-owls,", f"{{id: night-owls, {team}", 1)
    file.write_text(text, encoding="utf-8")
    with (project / "opforge.yaml").open("a", encoding="utf-8") as opened:
        opened.write(settings)
    workspace = open_project(project)
    assert [finding for finding in workspace.findings if finding.name != "unused-art"] == []
    return {face.id: back_of(face) for face in faces(workspace, "en")}


def test_without_a_word_of_it_backs_are_the_shipped_ones(project: Path) -> None:
    found = backs(project)
    assert (found["viper"], found["aimed-shot"]) == (Back("operator"), Back("deck"))


def test_the_nearest_word_about_a_back_counts(project: Path) -> None:
    settings = "backs: {operator: deck.svg, deck: deck.svg}\n"
    found = backs(project, settings)
    assert {found[card].picture for card in ("viper", "aimed-shot", "high-ground")} == {project / "deck.svg"}
    found = backs(project, team="back: team.svg, ")
    assert found["viper"].picture == project / "team.svg"
    found = backs(project, card="    back: own.svg\n")
    assert found["viper"].picture == project / "own.svg"


def test_operators_may_have_the_back_of_their_team(project: Path) -> None:
    found = backs(project, "backs: {operator: team}\n")
    assert found["viper"] == Back("operator", colours=("#1d2b3a", "#e8c547"))
    assert str(found["viper"]) == "operator-1d2b3a"


def test_a_back_that_is_not_there_is_told_and_the_shipped_one_printed(project: Path) -> None:
    with (project / "opforge.yaml").open("a", encoding="utf-8") as opened:
        opened.write("backs: {deck: dekc.svg}\n")
    workspace = open_project(project)
    told = [(finding.name, finding.span.text) for finding in workspace.findings]
    assert ("missing-picture", "dekc.svg") in told
    assert {back_of(face) for face in faces(workspace, "en", kinds=["attack"])} == {Back("deck")}


@pytest.mark.parametrize(
    ("settings", "name", "word"),
    [
        ("backs: {attack: own.svg}\n", "mixed-backs", "own.svg"),
        ("card_sizes: {attack: mini}\n", "mixed-sizes", "mini"),
        ("backs: {attack: team}\n", "not-a-picture", "team"),
        ("backs: {dekc: own.svg}\n", "unknown-key", "dekc"),
        ("backs: own.svg\n", "wrong-type", "own.svg"),
        ("layout: poker-a4-bled\n", "unknown-layout", "poker-a4-bled"),
        ("layout: [poker-a4, poker-a4-bleed]\n", "layout-conflict", "poker-a4-bleed"),
    ],
)
def test_a_slip_in_the_settings_is_told_at_its_word(
    project: Path, settings: str, name: str, word: str
) -> None:
    with (project / "opforge.yaml").open("a", encoding="utf-8") as opened:
        opened.write(settings)
    found = [finding for finding in open_project(project).findings if finding.name != "unused-art"]
    assert (found[0].name, found[0].span.text) == (name, word)


@pytest.mark.parametrize(("card", "turned"), [("poker", False), ("square", False), ("business", True)])
def test_the_shipped_drawing_lies_on_its_side_on_cards_that_do(
    tmp_path: Path, card: str, turned: bool
) -> None:
    page = Pages(CARD_SIZES[card], Fetcher(Roots(tmp_path))).back(Back("deck"))
    assert ("rotate(90deg)" in str(page)) is turned
    assert "backs/deck.svg" in str(page)


@pytest.mark.parametrize("pile", ["operator", "deck", "item", "objective"])
def test_the_sign_of_a_pile_is_the_shipped_icon(pile: str) -> None:
    icon = (templates_folder() / "icons" / f"{'attack-d6' if pile == 'deck' else pile}.svg").read_text(
        "utf-8"
    )
    back = (templates_folder() / "themes" / "tournament" / "backs" / f"{pile}.svg").read_text("utf-8")
    outlines = re.findall(r' d="([^"]+)"', icon)
    assert outlines
    assert all(outline in back for outline in outlines)


def test_of_a_tie_of_backs_the_one_of_the_pile_is_usual(project: Path) -> None:
    with (project / "opforge.yaml").open("a", encoding="utf-8") as opened:
        opened.write("backs: {deck: deck.svg, attack: own.svg}\n")
    (finding,) = [found for found in open_project(project).findings if found.name == "mixed-backs"]
    assert finding.span.text == "own.svg"
    assert "most have `deck.svg`, and aimed-shot has `own.svg`" in finding.message
