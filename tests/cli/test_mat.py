"""``opforge mat``: the FIELD of a mode for the table, on one sheet or on several to be glued together."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageChops

from tests.render.pdf_text import opened, text_of
from tests.render.table_picture import GOLDEN, table_picture
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.render.sizes import POINTS_PER_MM
from toolkit.resources import cards_folder

SHIPPED = str(cards_folder())
LARGE = ["--paper", "600x600mm", "--full"]
PILES = ("DECK", "DISCARDZONE", "ITEMDECK", "ITEMDISCARDZONE", "SAVEZONE", "STRATEGY")

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project", "cards_read_once")


def words(file: str) -> list[str]:
    """The text of each page without blanks."""
    pages, forms = opened(Path(file).read_bytes()).pages, dict[tuple[int, int], str]()
    return ["".join(text_of(page.obj, forms).split()) for page in pages]


SAID = {
    "en": (
        "Radiomast",
        "Fueldump",
        "Bunker",
        "Fieldkitchen",
        "WhoeverhasCAPTURED2OBJECTIVEs.",
        "hand4,8atmost",
    ),
    "de": (
        "Funkmast",
        "Treibstofflager",
        "Bunker",
        "Feldküche",
        "Wer2OBJECTIVECAPTUREDhat.",
        "Hand4,höchstens8",
    ),
}


@pytest.mark.parametrize(
    ("language", "look"),
    some([*product(["en", "de"], [["--full-ink"], ["--theme", "tournament"], []])], 1, 3),
)
def test_everything_lies_there_twice(
    language: str, look: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mat", SHIPPED, "-o", "mat.pdf", "--lang", language, *LARGE, *look]) == 0
    assert "mat.pdf: a mat of 528 × 559 mm on 1 sheet of" in capsys.readouterr().out
    (page,) = words("mat.pdf")
    for said in SAID[language]:
        assert page.count(said) == 2, said
    for pile in PILES[2:4]:
        assert page.count(pile) == 2, pile
    for name, places in {
        "DECK": 4,
        "DISCARDZONE": 4,
        "SAVEZONE": 6,
        "STRATEGY": 6,
        "ATTACKDEFENCEITEM": 8,
    }.items():
        assert page.count(name) == places, name
    assert "ROUND123456789101112" in page
    # the rows face each other: read from here, 1 to 4 and below it, turned round, 4 to 1
    assert re.findall(r"(?<!\d)([1-4])[456]", page)[:8] == list("12344321")


def test_the_mode_decides_what_lies_there() -> None:
    assert run(["mat", SHIPPED, "-o", "mat.pdf", "--mode", "night-raid", *LARGE]) == 0
    (page,) = words("mat.pdf")
    assert page.count("Raisedhide") == 2
    assert "Bunker" not in page
    assert "WhoeverhasCAPTURED3OBJECTIVEs." in page
    file = Path("small/rules.yaml")
    text = file.read_text("utf-8").replace(
        "field_positions: 1", "field_positions: 2\n    item_deck: {maximum: 0}"
    )
    file.write_text(text, encoding="utf-8")
    assert run(["mat", "small", "-o", "mat.pdf", *LARGE]) == 0
    (page,) = words("mat.pdf")
    assert page.count("OPERATOR") == 4
    assert page.count("Radiomast") == 2
    assert "ITEMDECK" not in page


def test_sheets_to_glue(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mat", SHIPPED, "-o", "mat.pdf", "--lang", "de"]) == 0
    assert capsys.readouterr().out == "mat.pdf: a mat of 528 × 559 mm on 6 sheets (3 × 2) of A4 portrait.\n"
    pages = words("mat.pdf")
    assert [f"Blatt{number}von6" in page for number, page in enumerate(pages, 1)] == [True] * 6
    glued = {
        (number, other)
        for number, page in enumerate(pages, 1)
        for other in range(1, 7)
        if f"VonBlatt{other}denweißenRandabschneiden" in page
    }
    assert glued == {(1, 2), (1, 4), (2, 3), (2, 5), (3, 6), (4, 5), (5, 6)}
    with pikepdf.open("mat.pdf") as pdf:
        assert str(pdf.docinfo["/Title"]) == "Spielmatte: Scharmützel"
        assert str(pdf.Root["/Lang"]) == "de"
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        sizes = [float(side) for side in pdf.pages[0].obj.Resources.XObject["/C0"].BBox[2:]]
        assert sizes == pytest.approx([527.5 * POINTS_PER_MM, 559 * POINTS_PER_MM], abs=1)
        forms = {page.obj.Resources.XObject["/C0"].objgen for page in pdf.pages}
        assert len(forms) == 1  # the drawing is there once


@pytest.mark.parametrize(
    ("arguments", "said"),
    some(
        [
            (["--paper", "a3"], "a compact mat of 401 × 286 mm on 1 sheet of A3 landscape.\n"),
            (["--paper", "a3", "--full"], "a mat of 528 × 559 mm on 4 sheets (2 × 2) of A3 portrait.\n"),
            (["--paper", "letter"], "a mat of 528 × 559 mm on 6 sheets (2 × 3) of Letter landscape.\n"),
            (["--compact"], "a compact mat of 401 × 286 mm on 3 sheets (3 × 1) of A4 portrait.\n"),
            (["--one-sheet", "--paper", "a3"], "a compact mat of 401 × 286 mm on 1 sheet of A3 landscape.\n"),
            (["--one-sheet"], "on 1 sheet of A4 landscape, at 70%: cards are larger than their places.\n"),
        ],
        1,
        2,
        3,
        5,
    ),
)
def test_which_mat_on_which_paper(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mat", SHIPPED, "-o", "mat.pdf", *arguments]) == 0
    assert capsys.readouterr().out.endswith(said)


def test_the_compact_mat_says_what_lies_beside_it_and_below_an_operator() -> None:
    assert run(["mat", SHIPPED, "-o", "mat.pdf", "--mode", "night-raid", "--compact", "--paper", "a3"]) == 0
    (page,) = words("mat.pdf")
    for said in ("SAVEZONE·3", "STRATEGY·2", "ITEMDISCARDZONE", "hand5,7atmost"):
        assert page.count(said) == 2, said
    # What an OBJECTIVE does is printed beside its name: its OPERATOR lies on the card.
    assert len(re.findall(r"Raisedhide\w*OPERATOR\w*\+1RANGE", page)) == 2


def test_the_mat_with_cards_on_it(tmp_path: Path) -> None:
    """Whole OBJECTIVEs, and all stats beside attached cards; ``python -m tests.render.table_picture``."""
    picture = table_picture(cards_folder(), tmp_path)
    with Image.open(GOLDEN) as golden:
        tiles = [image.convert("L").resize((40, 40), Image.Resampling.BOX) for image in (picture, golden)]
    differences = ImageChops.difference(*tiles).tobytes()
    assert sum(differences) / len(differences) < 6
    assert max(differences) < 80


def test_the_project_says_how_much_ink(capsys: pytest.CaptureFixture[str]) -> None:
    """Low ink by default; `mat: {ink: full}` holds for each print, an option for one."""
    file, sizes = Path("small/opforge.yaml"), {}
    for setting in ("", "mat: {ink: full}\n"):
        file.write_text(file.read_text("utf-8") + setting, encoding="utf-8")
        for option in ("", "--low-ink" if setting else "--full-ink"):
            options = ["--compact", "--paper", "a3", *filter(None, [option])]
            assert run(["mat", "small", "-o", "mat.pdf", *options]) == 0
            sizes[setting, option] = Path("mat.pdf").stat().st_size
    low, full, key, overruled = sizes.values()
    assert low == overruled < full == key
    capsys.readouterr()
    file.write_text(file.read_text("utf-8").replace("{ink: full}", "{ink: ful, size: a4}"), encoding="utf-8")
    assert run(["check", "small"]) == 1
    printed = capsys.readouterr().out
    assert "`full`" in printed or "'full'" in printed
    assert "size" in printed


def test_small_cards_need_little_paper(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("small/opforge.yaml")
    file.write_text(f"{file.read_text('utf-8')}card_size: mini\n", encoding="utf-8")
    assert run(["mat", "small", "-o", "mat.pdf", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["mode"], data["sheets"], data["scale"]) == (1, "skirmish", 1, 1.0)


def test_the_same_mode_gives_the_same_bytes() -> None:
    for name in ("one.pdf", "two.pdf"):
        assert run(["mat", SHIPPED, "-o", name]) == 0
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


def test_low_ink_has_no_ground() -> None:
    sizes = []
    for more in (["--full-ink"], []):
        assert run(["mat", SHIPPED, "-o", "mat.pdf", "--paper", "a3", *more]) == 0
        sizes.append(Path("mat.pdf").stat().st_size)
    assert sizes[1] < sizes[0] / 3


def test_a_template_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    own = Path("small/templates/mat")
    own.mkdir(parents=True)
    (own / "mat.html.jinja").write_text("<p>{{ mode }} {{ rounds }} mine</p>", encoding="utf-8")
    assert run(["mat", "small", "-o", "mat.pdf", *LARGE]) == 0
    assert words("mat.pdf") == ["Skirmish12mine"]
    (own / "mat.html.jinja").write_text("{{ nothing }}", encoding="utf-8")
    Path("mat.pdf").unlink()
    assert run(["mat", "small", "-o", "mat.pdf", *LARGE]) == 1
    found = capsys.readouterr()
    assert "there is no `nothing`" in found.err
    assert found.out.endswith("Nothing was written.\n")
    assert not Path("mat.pdf").exists()


@pytest.mark.parametrize("own", [False, True], ids=["shipped", "own template"])
def test_a_name_that_is_too_long_is_found(own: bool, capsys: pytest.CaptureFixture[str]) -> None:
    name = "Radiomastwhosenamegoesonandonandfarbeyondtheplacethatitwasgivenbyanybodywhowritesthis"
    file = Path("small/rules.yaml")
    file.write_text(file.read_text("utf-8").replace("en: Radio mast", f'en: "{name}"'), encoding="utf-8")
    said = "The name of OBJECTIVE 1 is too long for its place on the mat (en)."
    if own:
        Path("small/templates/mat").mkdir(parents=True)
        text = '{{ fits[0].begin("mine", 12) }}{{ goal }}{{ fits[0].end() }}'
        page = f'<link rel="stylesheet" href="mat/mat.css"><div style="width:9mm; height:9mm">{text}</div>'
        Path("small/templates/mat/mat.html.jinja").write_text(page, encoding="utf-8")
        said = "The text 'mine' is too long for its place on the mat (en)."
    assert run(["mat", "small", "-o", "mat.pdf"]) == 1
    found = capsys.readouterr()
    assert said in found.err
    assert "rules.yaml" in found.err
    assert "mat.pdf: a " in found.out


def test_a_mode_with_errors_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("small/rules.yaml")
    file.write_text(file.read_text("utf-8").replace("field_positions: 1", "field_positions: many"), "utf-8")
    assert run(["mat", "small", "-o", "mat.pdf"]) == 1
    found = capsys.readouterr()
    assert "many" in found.err
    assert found.out == "Nothing was written.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "mat.txt"], "mat.txt must end in .pdf."),
        (["-o", "no/mat.pdf"], "There is no folder no."),
        (["-o", "mat.pdf", "--mode", "skirmich"], "There is no mode 'skirmich'. Did you mean 'skirmish'?"),
        (["-o", "mat.pdf", "--paper", "a44"], "Did you mean 'a4'?"),
        (["-o", "mat.pdf", "--lang", "fr"], "There is no language 'fr' here"),
        (["-o", "mat.pdf", "--theme", "clasic"], "Did you mean 'classic'?"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mat", "small", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_paper_that_holds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mat", "small", "-o", "mat.pdf", "--paper", "25x200mm"]) == 2
    assert "too small" in capsys.readouterr().err
