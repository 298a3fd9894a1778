"""Contact sheets as a designer makes them: a picture for the wall, pages to print."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.cli.conftest import SMALL
from tests.render.pdf_text import text_of
from toolkit.apps.cli import run

pytestmark = pytest.mark.usefixtures("small_project")


def words_of(file: str) -> list[str]:
    with pikepdf.open(file) as pdf:
        return [text_of(page.obj) for page in pdf.pages]


def test_cards_stand_once_each_by_kind_and_team(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["contact", "small", "-o", "wall.pdf", "--lang", "de", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (words,) = words_of("wall.pdf")
    assert (said["pages"], said["cards"]) == (1, 4)
    headings = [words.index(one) for one in ("OPERATOR · Nachteulen1", "ATTACK1", "STRATEGY1", "OBJECTIVE1")]
    assert headings == sorted(headings)
    assert words.startswith("Small 1.2.0")
    with pikepdf.open("wall.pdf") as pdf:
        drawn = [str(operator) for _, operator in pikepdf.parse_content_stream(pdf.pages[0])]
        assert str(pdf.Root.Lang) == "de"
    assert drawn.count("Do") == 1 + 4


def test_a_picture_shows_the_same_and_is_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["contact", "small", "-o", "wall.png"]) == 0
    with Image.open("wall.png") as picture:
        width, height = picture.size
        assert picture.info["dpi"] == pytest.approx((200, 200), abs=0.1)
    assert capsys.readouterr().out == f"wall.png: 4 cards, {width} × {height} pixels.\n"
    before = Path("wall.png").read_bytes()
    assert run(["contact", "small", "-o", "wall.png"]) == 0
    assert Path("wall.png").read_bytes() == before
    assert run(["contact", "small", "-o", "wall.png", "--columns", "2"]) == 0
    with Image.open("wall.png") as picture:
        assert picture.width < width
        assert picture.height == height  # a line for each of the four groups


def test_columns_paper_and_looks_are_chosen() -> None:
    for number, options in enumerate(([], ["--paper", "a3"], ["--low-ink"], ["--theme", "tournament"])):
        assert run(["contact", "small", "-o", f"{number}.pdf", "--card", "viper", *options]) == 0
    files = [Path(f"{number}.pdf").read_bytes() for number in range(4)]
    assert len(set(files)) == 4
    with pikepdf.open("1.pdf") as pdf:
        assert [round(float(side) / 72 * 25.4) for side in pdf.pages[0].mediabox] == [0, 0, 297, 420]


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        (["-o", "wall.jpg"], "wall.jpg must end in .png or .pdf."),
        (["-o", "wall.png", "--paper", "a4"], "--paper is for a PDF"),
        (["-o", "wall.pdf", "--paper", "a9"], "There is no paper 'a9'."),
        (["-o", "wall.pdf", "--paper", "50x50mm", "--columns", "9"], "smaller than a tenth of their size"),
        (["-o", "wall.pdf", "--theme", "clasic"], "Did you mean 'classic'?"),
        (["-o", "wall.pdf", "--kind", "item"], "There is nothing to print"),
        (["-o", "nowhere/wall.png"], "There is no folder nowhere."),
        (["-o", "own.png"], "own.png exists and was not made by opforge; it was not changed."),
        (["-o", "own.pdf"], "own.pdf exists and is not a PDF; it was not changed."),
    ],
)
def test_what_cannot_be_is_refused(
    options: list[str], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("own.png", "own.pdf"):
        Path(name).write_bytes(b"mine")
    assert run(["contact", "small", *options]) == 2
    assert reported in capsys.readouterr().err
    assert Path("own.png").read_bytes() == b"mine"
    assert not Path(options[1]).exists() or options[1].startswith("own")


def test_a_card_whose_template_fails_is_left_out_and_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("small/templates").mkdir()
    Path("small/templates/operator.html.jinja").write_text("{{ nothing }}", encoding="utf-8")
    assert run(["contact", "small", "-o", "wall.pdf", "--format", "json"]) == 1
    said = capsys.readouterr()
    assert 0 < json.loads(said.out)["cards"] < 4
    assert "template-error" in said.err
    assert "Night Owls" not in words_of("wall.pdf")[0]


@pytest.fixture(scope="module")
def old_files(tmp_path_factory: pytest.TempPathFactory, cache: str) -> dict[str, bytes]:
    """A picture and a PDF that were made before."""
    folder = tmp_path_factory.mktemp("old")
    files = [folder / "wall.png", folder / "wall.pdf"]
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("OPFORGE_CACHE", cache)
        for file in files:
            assert run(["contact", str(SMALL), "-o", str(file), "--card", "high-ground"]) == 0
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize("fails", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("name", ["wall.png", "wall.pdf"])
def test_what_stops_the_writing_leaves_the_old_file_whole(
    name: str, fails: BaseException, old_files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(name).write_bytes(old_files[name])

    def failing(*_: object) -> None:
        raise fails

    monkeypatch.setattr(os, "replace", failing)
    status = run(["contact", "small", "-o", name, "--card", "viper"])
    assert status == (130 if isinstance(fails, KeyboardInterrupt) else 2)
    assert Path(name).read_bytes() == old_files[name]
    assert sorted(path.name for path in Path().iterdir() if name in path.name) == [name]
