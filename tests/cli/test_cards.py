"""``opforge cards``: pictures of cards, and what print services want."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageChops, ImageStat

from tests.render.pdf_text import placements, text_of
from tests.thoroughness import THOROUGH, some
from toolkit.apps.cli import run
from toolkit.diagnostics.help_pages import other_page
from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
from toolkit.press.services import SERVICES
from toolkit.project.faces import face_options_of, faces, roots_of
from toolkit.project.pipeline import open_project
from toolkit.render.face import back_of
from toolkit.render.page_raster import as_image
from toolkit.render.renderer import Raster
from toolkit.render.sizes import trim_size

SMALL = Path(__file__).parent.parent / "projects" / "small"

CHECKS = [
    "file",
    "standard",
    "boxes",
    "pairs",
    "colours",
    "ink",
    "text",
    "transparency",
    "fonts",
    "resolution",
]

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")


def files(folder: str) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*.*"))


def size_of(file: str) -> tuple[int, int]:
    with Image.open(file) as picture:
        return picture.size


def test_a_picture_of_every_card_and_every_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "small", "-o", "out", "--dpi", "60"]) == 0
    assert capsys.readouterr().out == "out: 4 cards and 3 backs, 149×208 pixels at 60 dpi.\n"
    assert files("out") == [
        "aimed-shot.png",
        "backs/deck.png",
        "backs/objective.png",
        "backs/operator.png",
        "high-ground.png",
        "radio-mast.png",
        "viper.png",
    ]
    with Image.open("out/viper.png") as picture:
        assert picture.size == (149, 208)
        assert len(picture.convert("RGB").getcolors(1 << 16) or ()) > 50


def test_the_usual_size_is_300_dpi_without_the_bleed() -> None:
    assert run(["cards", "small", "-o", "out", "--card", "viper"]) == 0
    assert run(["cards", "small", "-o", "bled", "--card", "viper", "--bleed"]) == 0
    assert size_of("out/viper.png") == (744, 1039)
    assert size_of("bled/viper.png") == (815, 1110)


def test_the_same_cards_give_the_same_bytes_in_another_language_others() -> None:
    for folder, language in (("one", "en"), ("two", "en"), ("three", "de")):
        command = ["cards", "small", "-o", folder, "--dpi", "60", "--card", "aimed-shot"]
        assert run([*command, "--lang", language]) == 0
    one, two, three = (
        {name: Path(folder, name).read_bytes() for name in files(folder)}
        for folder in ("one", "two", "three")
    )
    assert one == two
    assert one["aimed-shot.png"] != three["aimed-shot.png"]
    assert one["backs/deck.png"] == three["backs/deck.png"]


def test_json_names_every_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "small", "-o", "out", "--dpi", "60", "--kind", "attack", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["cards"] == [
        {
            "id": "aimed-shot",
            "kind": "attack",
            "name": "Aimed shot",
            "quantity": 2,
            "file": "aimed-shot.png",
            "width": 149,
            "height": 208,
            "back": "backs/deck.png",
        }
    ]
    assert data["backs"] == [{"file": "backs/deck.png", "width": 149, "height": 208}]
    assert (data["version"], data["language"], data["dpi"], data["bleed"]) == (1, "en", 60, False)


def test_ones_own_pictures_are_replaced_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["cards", "small", "-o", "out", "--card", "high-ground", "--card", "viper"]
    assert run([*command, "--dpi", "60"]) == 0
    Path("out/notes.txt").write_text("mine", encoding="utf-8")
    assert run([*command, "--dpi", "30"]) == 0
    assert Path("out/notes.txt").read_text(encoding="utf-8") == "mine"
    Image.new("RGB", (3, 3)).save("out/viper.png")
    theirs = Path("out/viper.png").read_bytes()
    before = Path("out/high-ground.png").read_bytes()
    assert run([*command, "--dpi", "60"]) == 2
    assert "viper.png exists and was not made by opforge; nothing was written." in capsys.readouterr().err
    assert Path("out/viper.png").read_bytes() == theirs
    assert Path("out/high-ground.png").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", ""], "-o needs the name of a folder."),
        (["-o", "small/cards.yaml"], "is a file; -o needs a folder"),
        (["-o", "out", "--dpi", "0"], "0 is not in the range 30<=x<=1200"),
        (["-o", "out", "--dpi", "5000"], "5000 is not in the range"),
        (["-o", "out", "--dpi", "fine"], "'fine' is not a valid whole number"),
        (["-o", "out", "--card", "vipr"], "Did you mean 'viper'?"),
        (["-o", "out", "--lang", "fr"], "There is no language 'fr' here"),
        (["-o", "out", "--kind", "item"], "There is nothing to print"),
        (["-o", "out", "--service", "gamecrafter"], "is not one of"),
        (["-o", "out", "--service", "game-crafter", "--dpi", "600"], "omit --dpi and --bleed"),
        (["-o", "out", "--service", "drivethrucards"], "out must end in .pdf"),
        (["-o", "out", "--service", "printplaygames"], "out must end in .pdf"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "small", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_card_with_a_mistake_is_reported_and_the_others_are_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = Path("small/cards.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("ap: 4", "ap: four"), encoding="utf-8")
    assert run(["cards", "small", "-o", "out", "--dpi", "60"]) == 1
    reported = capsys.readouterr()
    assert "ap: four" in reported.err
    assert "3 cards" in reported.out
    assert not Path("out/viper.png").exists()


PIXELS = {
    "game-crafter": {
        "poker": (825, 1125),
        "bridge": (750, 1125),
        "tarot": (900, 1500),
        "square": (900, 900),
        "44.45x63.5mm": (600, 825),
        "50.8x88.9mm": (675, 1125),
        "88.9x50.8mm": (675, 1125),
    },
    "makeplayingcards": {
        "poker": (816, 1110),
        "poker-us": (822, 1122),
        "bridge": (747, 1122),
        "tarot": (897, 1497),
    },
}
"""What services ask for, by the project's size of cards."""


def test_pictures_for_a_service_have_its_size() -> None:
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for service, sizes in PIXELS.items():
        for name in sizes:
            size = trim_size(name)
            card = SERVICES[service].closest_card(size) if size else None
            assert card is not None, (service, name)
            upright = card.turned if SERVICES[service].is_turned(card) else card
            found.setdefault(service, {})[name] = SERVICES[service].pixels(upright)
    assert found == PIXELS


@pytest.mark.parametrize(
    ("service", "card_size"), [("game-crafter", "44.45x63.5mm"), ("makeplayingcards", "poker-us")]
)
def test_a_service_gets_pictures_of_its_size_with_its_bleed(
    service: str, card_size: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("small/opforge.yaml").open("a", encoding="utf-8") as settings:
        settings.write(f"card_size: {card_size}\n")
    assert run(["cards", "small", "-o", "out", "--service", service, "--kind", "attack"]) == 0
    pixels = PIXELS[service][card_size]
    assert size_of("out/aimed-shot.png") == size_of("out/backs/deck.png") == pixels
    capsys.readouterr()
    assert run(["preflight", "out", "--service", service]) == 0
    assert capsys.readouterr().out == (
        f"ok      file        2 pictures\nok      size        {pixels[0]}×{pixels[1]} (2)\n"
        f"ok      colours     RGB\nok      resolution  300 dpi\nout: ready for {SERVICES[service].title}.\n"
    )


def test_cards_that_lie_on_their_side_are_turned_upright() -> None:
    with Path("small/opforge.yaml").open("a", encoding="utf-8") as settings:
        settings.write("card_size: 88.9x50.8mm\n")
    assert run(["cards", "small", "-o", "plain", "--bleed", "--card", "viper"]) == 0
    assert run(["cards", "small", "-o", "out", "--service", "game-crafter", "--card", "viper"]) == 0
    with Image.open("plain/viper.png") as plain, Image.open("out/viper.png") as turned:
        wanted = plain.resize((60, 36)).convert("L")
        off = [
            ImageStat.Stat(ImageChops.difference(back.resize((60, 36)).convert("L"), wanted)).mean[0]
            for back in (turned.rotate(-90, expand=True), turned.rotate(90, expand=True))
        ]
        assert turned.size == PIXELS["game-crafter"]["88.9x50.8mm"]
    assert off[0] < 4 < 10 < off[1]


def test_a_service_that_has_no_such_card(capsys: pytest.CaptureFixture[str]) -> None:
    project = Path("small/opforge.yaml")
    project.write_text(project.read_text(encoding="utf-8") + "card_size: euro\n", encoding="utf-8")
    assert run(["cards", "small", "-o", "out", "--service", "game-crafter"]) == 2
    said = capsys.readouterr().err
    assert "The Game Crafter does not print cards of 59 × 92 mm." in said
    assert "44.45x63.5mm (mini)" in said


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Path:
    """A PDF for DriveThruCards, with an OPERATOR and two copies of an ATTACK card."""
    file = tmp_path_factory.mktemp("shop") / "shop.pdf"
    command = ["cards", str(SMALL), "-o", str(file), "--service", "drivethrucards"]
    with pytest.MonkeyPatch.context() as surroundings, redirect_stdout(StringIO()) as out:
        surroundings.setenv("OPFORGE_CACHE", cache)
        assert run([*command, "--kind", "attack", "--kind", "operator"]) == 0
    assert "3 cards on 6 pages for DriveThruCards" in out.getvalue()
    return file


def test_drivethrucards_gets_backs_before_fronts(shop: Path) -> None:
    with pikepdf.open(shop) as pdf:
        shown = []
        for page in pdf.pages:
            assert [float(side) for side in page.mediabox] == [0, 0, 198, 270]  # 2.75 × 3.75 in
            assert [float(side) for side in page.trimbox] == [9, 9, 189, 261]
            (form,) = page.obj.Resources.XObject.values()
            shown.append(form.objgen)
        assert ["Viper" in text_of(page.obj) for page in pdf.pages][:2] == [False, True]
    assert shown[0] != shown[2] == shown[4]  # viper's back, then twice that of aimed-shot
    assert shown[3] == shown[5] != shown[1]
    assert len(set(shown)) == 4


def test_drivethrucards_gets_what_it_asks_for(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["preflight", str(shop), "--service", "drivethrucards"]) == 0
    *checks, verdict = capsys.readouterr().out.splitlines()
    assert verdict == f"{shop}: ready for DriveThruCards."
    assert "PDF 1.3" in checks[0]
    assert "PDF/X-1a:2003, inks for CGATS TR 003" in checks[1]
    assert [line.split()[:2] for line in checks] == [["ok", name] for name in CHECKS]
    page = other_page("online-and-shops") or ""
    shown = page.partition("$ opforge preflight")[2].partition("```")[0].splitlines()
    assert [line.split()[1] for line in shown if line.startswith("ok")] == CHECKS
    assert all(f"| `{name}` |" in page for name in CHECKS)


@pytest.mark.parametrize(
    "look",
    [["--lang", "de"], ["--theme", "tournament"], ["--low-ink"]]
    if THOROUGH
    else [["--lang", "de", "--theme", "tournament", "--low-ink"]],
)
def test_drivethrucards_gets_what_it_asks_for_in_every_look(
    look: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cards", "small", "-o", "shop.pdf", "--service", "drivethrucards", *look]) == 0
    assert run(["preflight", "shop.pdf", "--service", "drivethrucards"]) == 0
    assert capsys.readouterr().out.endswith("shop.pdf: ready for DriveThruCards.\n")


def test_words_stay_text_in_black_ink(shop: Path) -> None:
    assert (
        run(["sheet", "small", "-o", "sheet.pdf", "--backs", "--kind", "attack", "--kind", "operator"]) == 0
    )
    with pikepdf.open("sheet.pdf") as rgb, pikepdf.open(shop) as inks:
        words = [Counter("".join(text_of(page.obj) for page in pdf.pages).split()) for pdf in (rgb, inks)]
        black = [page.obj.Contents.read_bytes() for page in inks.pages]
    assert words[0] == words[1]
    assert b"0 0 0 1 k" in black[1]
    assert b"rg" not in b"".join(black)


def test_print_and_play_gets_sheets_with_backs_behind_their_fronts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["cards", "small", "-o", "shop.pdf", "--service", "printplaygames"]) == 0
    assert "5 cards on 2 pages for Print & Play, each sheet before its backs." in capsys.readouterr().out
    with pikepdf.open("shop.pdf") as pdf:
        fronts, backs = (placements(page) for page in pdf.pages)
        assert [float(side) for side in pdf.pages[0].mediabox] == [0, 0, 864, 1296]  # 12 × 18 in
    assert len(fronts) == len(backs) == 5
    # a card lies on its left side, so the corner from which it is drawn is its lower right one
    assert [(round(x, 1), round(y, 1)) for _, x, y in fronts[:2]] == [(106.0, 367.3), (200.0, 367.3)]
    assert [round(x, 1) for _, x, _ in backs[:2]] == [round(304.8 - 106.0, 1), round(304.8 - 200.0, 1)]
    assert run(["preflight", "shop.pdf", "--service", "printplaygames"]) == 0


def test_another_look_and_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    looks = ([], ["--theme", "tournament"], ["--low-ink"], ["--theme", "tournament", "--low-ink"])
    drawn = set()
    for look in looks:
        assert run(["cards", "small", "-o", "out", "--dpi", "30", "--card", "viper", *look]) == 0
        drawn.add(Path("out/viper.png").read_bytes())
    assert len(drawn) == len(looks)
    service = "drivethrucards" if THOROUGH else "printplaygames"  # a fifth of the time
    shop = ["cards", "small", "-o", "shop.pdf", "--service", service, "--card", "viper"]
    assert run(shop) == 0
    classic = Path("shop.pdf").read_bytes()
    assert run([*shop, "--theme", "tournament"]) == 0
    assert Path("shop.pdf").read_bytes() != classic
    assert run(shop) == 0
    assert Path("shop.pdf").read_bytes() == classic
    assert run([*shop, "--theme", "turnament"]) == 2
    assert "Did you mean 'tournament'?" in capsys.readouterr().err


def test_pictures_need_a_folder_and_not_the_name_of_a_pdf(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "small", "-o", "cards.pdf"]) == 2
    assert "`opforge sheet`" in capsys.readouterr().err
    assert not Path("cards.pdf").exists()


@pytest.mark.parametrize("size", some(["tarot", "square", "business", "mini"], 2, 3))
def test_the_shipped_backs_reach_every_edge_of_cards_of_every_size(size: str) -> None:
    workspace = open_project(Path("small"))
    trim = trim_size(size)
    assert trim is not None
    drawn: dict[str, Image.Image] = {}
    backs = list(dict.fromkeys(back_of(face) for face in faces(workspace, "en")))
    settings = PictureSettings(
        trim, dpi=60, bleed_shown=True, face_options=face_options_of(workspace, low_ink=False)
    )

    def use(back: Subject, raster: Raster) -> None:
        drawn[str(back)] = as_image(raster).convert("L")

    assert draw_cards([], backs, settings, roots_of(workspace, None), use) == ()
    assert sorted(drawn) == ["deck", "objective", "operator"]
    for back, grey in drawn.items():
        across, down = ((1, side - 2) for side in grey.size)  # the last dot may be half a dot
        corners = [grey.getpixel((x, y)) for x in across for y in down]
        middles = [grey.getpixel((grey.width // 2, y)) for y in down]
        sides = [grey.getpixel((x, grey.height // 2)) for x in across]
        assert all(isinstance(one, int) and one < 100 for one in (*corners, *middles, *sides)), back
