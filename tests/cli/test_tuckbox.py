"""``opforge tuckbox``: a box for the cards of a project."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.render.pdf_text import opened, text_of
from tests.thoroughness import some
from toolkit import api
from toolkit.apps.cli import run
from toolkit.products.tuckbox.box_net import Tuckbox
from toolkit.render.page_raster import as_image, first_page
from toolkit.render.sizes import Size
from toolkit.resources import cards_folder

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project", "cards_read_once")


def words(file: str) -> str:
    """All words of a PDF without spaces."""
    pdf = opened(Path(file).read_bytes())
    return "".join("".join(text_of(page.obj) for page in pdf.pages).split())


def set_key(line: str) -> None:
    file = Path("small", "opforge.yaml")
    file.write_text(file.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["tuckbox", "small", "-o", "box.pdf", "--format", "json", *arguments]) == 0
    data: dict[str, object] = json.loads(capsys.readouterr().out)
    return data


def test_a_box_for_the_chosen_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 0
    printed = capsys.readouterr().out
    assert printed == "box.pdf: a box for 5 cards without sleeves, inside 64 × 2.5 × 89 mm, on A4 portrait.\n"
    with pikepdf.open("box.pdf") as pdf:
        assert len(pdf.pages) == 1
        assert str(pdf.docinfo["/Title"]) == "Small 1.2.0"
        assert [round(float(side)) for side in pdf.pages[0].mediabox] == [0, 0, 595, 842]
        assert "/Annots" not in pdf.pages[0]
    assert "Small5cards" in words("box.pdf")
    first = Path("box.pdf").read_bytes()
    assert run(["tuckbox", "small", "-o", "again.pdf"]) == 0
    assert Path("again.pdf").read_bytes() == first


def test_its_depth_is_data(capsys: pytest.CaptureFixture[str]) -> None:
    bare = data_of(capsys, "--for", "50")
    assert (bare["thickness"], bare["inside"]) == (0.3, {"width": 64.0, "depth": 16.0, "height": 89.0})
    sleeved = data_of(capsys, "--for", "50", "--sleeved")
    assert (sleeved["thickness"], sleeved["inside"]) == (0.6, {"width": 67.0, "depth": 31.0, "height": 92.0})
    set_key("tuckbox: {thickness: 0.5, sleeved: true}")
    assert data_of(capsys, "--for", "50")["inside"] == {"width": 67.0, "depth": 26.0, "height": 92.0}
    option = data_of(capsys, "--for", "50", "--bare", "--thickness", "0.4")
    assert option["inside"] == {"width": 64.0, "depth": 21.0, "height": 89.0}


def test_the_largest_of_the_cards_counts(capsys: pytest.CaptureFixture[str]) -> None:
    set_key("card_sizes: {operator: tarot}")
    inside = data_of(capsys)["inside"]
    assert isinstance(inside, dict)
    assert (inside["width"], inside["height"]) == (70.8, 121.6)


def test_cards_that_need_several_boxes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "200"]) == 2
    message = capsys.readouterr().err
    assert "does not fit on A4; one for 155 cards does" in message
    assert "Take --paper a3, or share them among 2 boxes (--boxes 2)." in message
    assert not Path("box.pdf").exists()
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "7750"]) == 2
    assert "(--boxes 50)" in capsys.readouterr().err
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "7751"]) == 2  # 51 boxes are not accepted
    assert capsys.readouterr().err.endswith("does. Choose a larger --paper or smaller cards.\n")
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "200", "--paper", "a3"]) == 0
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "201", "--boxes", "2", "--lang", "de"]) == 0
    with pikepdf.open("box.pdf") as pdf:
        assert len(pdf.pages) == 2
    assert "101KartenSchachtel1von2" in words("box.pdf")
    assert "100KartenSchachtel2von2" in words("box.pdf")


def test_a_box_for_each_squad(capsys: pytest.CaptureFixture[str]) -> None:
    cards = str(cards_folder())
    known = list(api.open_project(Path(cards)).cards.squads.values())[:2]
    chosen = [word for squad in known for word in ("--squad", squad.id)]
    assert run(["tuckbox", cards, "-o", "box.pdf", "--lang", "de", *chosen]) == 0
    assert capsys.readouterr().out.startswith("box.pdf: 2 boxes for ")
    printed = words("box.pdf")
    for squad in known:
        objectives = 4  # of the mode, one for each FIELDPOSITION
        held = len(squad.operators) + sum(squad.deck.values()) + sum(squad.item_deck.values()) + objectives
        name = "".join(squad.name.in_language("de").value.split())
        assert f"{name}{held}Karten" in printed
    assert run(["tuckbox", cards, "-o", "box.pdf", "--squad", "nobody"]) == 2
    assert run(["tuckbox", cards, "-o", "box.pdf", *chosen, "--boxes", "2"]) == 2
    assert "omit --for, --boxes, --card and --kind" in capsys.readouterr().err


def test_without_a_sound_card_there_is_no_box(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small", "cards.yaml").write_text("cards:\n- {id: viper, kind: operator}\n", encoding="utf-8")
    Path("small", "rules.yaml").unlink()
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 1
    assert capsys.readouterr().out == "Nothing was printed.\n"
    assert not Path("box.pdf").exists()


def test_a_card_that_no_paper_holds(capsys: pytest.CaptureFixture[str]) -> None:
    set_key("card_size: 300x400mm")
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 2
    assert "No box for these cards fits on A4. Choose a larger --paper" in capsys.readouterr().err


def test_the_proof_has_names_and_measures() -> None:
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "50", "--proof"]) == 0
    printed = words("box.pdf")
    assert "Front64.4×89.4mm" in printed
    assert "Lid64.4×16.4mm" in printed
    assert "Small" not in printed
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "50", "--proof", "--lang", "de"]) == 0
    assert "Deckel64.4×16.4mm" in words("box.pdf")


@pytest.mark.parametrize(
    ("paper", "more"),
    some(
        [*product(["a4", "letter"], [[], ["--theme", "tournament"], ["--low-ink"]])],
        *(0, 4, 5),
    ),
)
def test_themes_and_papers(paper: str, more: list[str]) -> None:
    given = ["tuckbox", str(cards_folder()), "-o", "box.pdf", "--for", "60", "--paper", paper]
    assert run([*given, *more]) == 0
    assert "NightExercise60cards" in words("box.pdf")


def test_a_template_of_the_projects_own() -> None:
    own = Path("small", "templates", "box")
    own.mkdir(parents=True)
    Path(own, "tuckbox.html.jinja").write_text("<p>{{ boxes[0].title }} by hand</p>", encoding="utf-8")
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 0
    assert words("box.pdf") == "Smallbyhand"


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    for given, said in (
        (["-o", "box.txt"], "box.txt must end in .pdf"),
        (["-o", "box.pdf", "--paper", "a44"], "Did you mean 'a4'"),
        (["-o", "box.pdf", "--card", "nobody"], "There is no card"),
        (["-o", "none/box.pdf"], "There is no folder none"),
        (["-o", "box.pdf", "--boxes", "0"], "0 is not in the range"),
    ):
        assert run(["tuckbox", "small", *given]) == 2, given
        assert said in capsys.readouterr().err


def test_a_mistake_in_the_settings_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    set_key("tuckbox: {thickness: thin, sleeves: true}")
    assert run(["check", "small"]) == 1
    printed = capsys.readouterr().out
    assert "thickness" in printed
    assert "`sleeved`" in printed or "'sleeved'" in printed


def test_who_can_play_how_long_and_from_which_age_on() -> None:
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 0
    assert "5cardsFor2playersSmall" in words("box.pdf")  # the game is for two; nothing else is known
    set_key("box: {players: 1, time: [45, 30], age: 8}")
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 0
    assert words("box.pdf").count("For1player·30–45minutes·8+") == 2
    assert run(["tuckbox", "small", "-o", "box.pdf", "--lang", "de"]) == 0
    assert words("box.pdf").count("Für1Spieler·30–45Minuten·ab8") == 2


def middle_of_the_front() -> tuple[int, ...]:
    """The colour in the middle of the art on the front."""
    assert run(["tuckbox", "small", "-o", "box.pdf", "--for", "40"]) == 0
    picture = as_image(first_page(Path("box.pdf").read_bytes(), 25.4))
    (left, top), box = (picture.width / 2, picture.height / 2), Tuckbox.around(Size(63, 88), 40, 0.3, False)
    front, extent = box.panels["front"], box.extent()
    x = left - extent.width / 2 + front.x + front.width / 2
    y = top - extent.height / 2 + front.y + 0.4 * front.height
    colour = picture.getpixel((round(x), round(y)))
    assert isinstance(colour, tuple)
    return colour


def test_the_art_of_the_box() -> None:
    """That of the dearest OPERATOR, a card's or a picture that the project names."""
    file, colours = Path("small", "opforge.yaml"), {"viper": "red", "shot": "lime", "box": "blue"}
    for name, colour in colours.items():
        Image.new("RGB", (300, 300), colour).save(Path("small", f"{name}.png"))
    cards, settings = Path("small", "cards.yaml"), file.read_text("utf-8")
    text = cards.read_text("utf-8")
    for name, card_id in (("viper", "viper"), ("shot", "aimed-shot")):
        text = text.replace(f"id: {card_id}\n", f"id: {card_id}\n    art: {name}.png\n")
    cards.write_text(text, "utf-8")
    for art, expected in (("", 0), ("box: {art: aimed-shot}", 1), ("box: {art: box.png}", 2)):
        file.write_text(f"{settings}{art}\n", "utf-8")
        colour = middle_of_the_front()
        assert colour.index(max(colour)) == expected, art
        assert max(colour) > 200


@pytest.mark.parametrize(
    ("setting", "finding"),
    [
        ("players: two", "wrong-type"),
        ("players: 0", "out-of-range"),
        ("time: an hour", "wrong-type"),
        ("time: [30]", "wrong-type"),
        ("time: [30, 1000]", "out-of-range"),
        ("age: 100", "out-of-range"),
        ("age: 8+", "wrong-type"),
        ("art: vipper", "unknown-card"),
        ("art: skirmish", "wrong-kind"),
        ("art: high-ground", "missing-picture"),
        ("art: art/none.png", "missing-picture"),
        ("art: ../none.png", "art-outside-project"),
        ("art: cards.yaml", "not-a-picture"),
        ("art: [viper]", "wrong-type"),
        ("ages: 8", "unknown-key"),
    ],
)
def test_a_wrong_value_of_the_box_is_found(setting: str, finding: str) -> None:
    """At the project file; the box is printed without it."""
    set_key(f"box: {{{setting}}}")
    findings = api.open_project(Path("small")).findings
    (about_the_box,) = [found for found in findings if found.span.file.path.name == "opforge.yaml"]
    assert about_the_box.name == finding


def test_a_wrong_value_does_not_stop_the_box() -> None:
    set_key("box: {players: 0, time: [30], age: 8, art: vipper}")
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 1
    assert "For2players·8+" in words("box.pdf")


def test_a_name_too_long_for_the_box(capsys: pytest.CaptureFixture[str]) -> None:
    """It is told at its place, and all boxes are printed."""
    file = Path("small", "opforge.yaml")
    long_name = "Nachtübungsgeländeaufsichtsbehördenvorsteherstellvertreterprüfung" * 2
    file.write_text(file.read_text("utf-8").replace("project: Small", f"project: {long_name}"), "utf-8")
    assert run(["tuckbox", "small", "-o", "box.pdf"]) == 1
    printed = capsys.readouterr()
    assert "The name of the box is too long for it (en), even in the smallest type." in printed.err
    assert "opforge.yaml" in printed.err
    assert printed.out.startswith("box.pdf: a box for 5 cards")
    assert Path("box.pdf").exists()
