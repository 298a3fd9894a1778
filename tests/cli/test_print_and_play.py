"""``opforge print-and-play``: everything for the table in one folder or ZIP file."""

from __future__ import annotations

import errno
import io
import json
import zipfile
from collections.abc import Iterable
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

import pikepdf
import pytest

from tests.cli.conftest import SMALL
from tests.thoroughness import THOROUGH, some
from toolkit.apps.cli import run
from toolkit.products.print_and_play import write_set as print_and_play

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")

CARDS = {"cards-long-edge", "cards-short-edge", "cards-fold"}
COUNTERS = {"counters-long-edge", "counters-short-edge", "counters-fold"}
PARTS = CARDS | COUNTERS | {"learn", "mat", "reference", "tuckbox"}
"""What the small project has: there are no SQUADs."""

NO_SPACE = OSError(errno.ENOSPC, "No space left on device")
ONE = ["--lang", "en", "--paper", "a4"]


def files(folder: str) -> dict[str, bytes]:
    """The content of all files below a folder."""
    found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def change(name: str, old: str, new: str) -> None:
    file = Path("small", name)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def data_of(capsys: pytest.CaptureFixture[str], output: str, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["print-and-play", "small", "-o", output, "--format", "json", *ONE, *arguments]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def parts(data: dict[str, Any]) -> set[str]:
    return {one["part"] for one in data["files"]}


EVERY_PART = print_and_play._PARTS
FEW = ("cards-short-edge", "cards-fold", "counters-fold", "reference")
QUICK = ("cards-short-edge", "counters-fold", "squads", "tuckbox")
"""What a set for each language and paper has in a quick run: neither mats nor references, which take long."""


def leave(monkeypatch: pytest.MonkeyPatch, left: Iterable[str]) -> set[str]:
    """Leave only these parts of a set, and return those that the small project has."""
    monkeypatch.setattr(print_and_play, "_PARTS", {part: EVERY_PART[part] for part in left})
    return {*left} & PARTS


@pytest.fixture
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of four parts, for tests to which it does not matter how many there are."""
    leave(monkeypatch, FEW)


def made(cache: str, output: Path, *options: str, left: Iterable[str] = EVERY_PART) -> list[str]:
    """Make a set of the small project and return the lines that are printed."""
    with pytest.MonkeyPatch.context() as surroundings, redirect_stdout(io.StringIO()) as printed:
        surroundings.setenv("OPFORGE_CACHE", cache)
        leave(surroundings, left)
        assert run(["print-and-play", str(SMALL), "-o", str(output), *options]) == 0
    return printed.getvalue().splitlines()


@pytest.fixture(scope="module")
def made_before(tmp_path_factory: pytest.TempPathFactory, cache: str) -> tuple[Path, list[str]]:
    """The folder of everything, and the lines that were printed."""
    folder = tmp_path_factory.mktemp("made") / "set"
    return folder, made(cache, folder, left=EVERY_PART if THOROUGH else QUICK)


@pytest.fixture(scope="module")
def packed_before(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Path:
    """The ZIP file of the English set on A4."""
    file = tmp_path_factory.mktemp("packed") / "set.zip"
    made(cache, file, *ONE)
    return file


def test_a_folder_with_everything_in_each_language_for_each_paper(
    made_before: tuple[Path, list[str]],
) -> None:
    folder, printed = made_before
    lone = [f"{paper}/cards-fold.pdf: 1 card costs a page." for paper in ("a4", "letter") if THOROUGH]
    assert printed[1:] == [
        "The project has no SQUADs: each card is printed as often as its `quantity` says.",
        *lone,
        "squads.pdf was left out: There is nothing to print: the project has no `squads:`.",
    ]
    found, there = files(str(folder)), PARTS if THOROUGH else PARTS & {*QUICK}
    names = {
        f"{lang}/{paper}/{part}.pdf" for lang in ("en", "de") for paper in ("a4", "letter") for part in there
    }
    assert set(found) == names | {"README.html"}
    pages = 0
    for name in names:
        with pikepdf.open(folder / name) as pdf:
            assert str(pdf.Root.Lang) == name[:2]
            sides = sorted(round(float(side)) for side in pdf.pages[0].mediabox[2:])
            if not name.endswith("mat.pdf"):
                assert sides == ([595, 842] if "/a4/" in name else [612, 792])
            pages += len(pdf.pages)
    assert printed[0] == f"{folder}: {len(names)} files with {pages} pages, and README.html."
    readme = found["README.html"].decode()
    assert all(readme.count(f"<b>{part}.pdf</b>") == 2 for part in there)
    assert readme.count("data:image/jpeg;base64,") == 2 * len(there)
    assert ">Print and play (en)</h2>" in readme
    assert ">Zum Ausdrucken (de)</h2>" in readme
    assert all(f'href="{name}"' in readme for name in names)
    assert "1 D6 for each player" in readme
    alone = ["--lang", "de", "--paper", "letter", "--sides", "both", "--flip", "short"]
    assert run(["sheet", "small", "-o", "alone.pdf", *alone]) == 0
    assert Path("alone.pdf").read_bytes() == found["de/letter/cards-short-edge.pdf"]


def test_a_second_run_gives_the_same_and_a_zip_file_too(
    made_before: tuple[Path, list[str]], packed_before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copyfile(packed_before, "set.zip")
    data = data_of(capsys, "set.zip")
    assert Path("set.zip").read_bytes() == packed_before.read_bytes()
    first = {name: content for name, content in files(str(made_before[0])).items() if name[:5] == "en/a4"}
    with zipfile.ZipFile("set.zip") as packed:
        found = {one.filename: packed.read(one) for one in packed.infolist()}
        assert {one.date_time for one in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    readme = found.pop("README.html").decode()
    assert readme.startswith("<!-- opforge print-and-play -->\n")
    assert 'href="en/a4/cards-fold.pdf">A4</a>' in readme
    # cards and counters on both sides, a box; the mat, and rules on both sides for each player
    assert "A4: 3 sheets of stiff paper and 9 of ordinary paper" in readme
    assert set(found) == {f"en/a4/{part}.pdf" for part in PARTS}
    assert {one["file"]: one["bytes"] for one in data["files"]} == {
        name: len(content) for name, content in found.items()
    }
    assert {name: found[name] for name in first} == first
    flips = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
    for flip, duplex in flips.items():
        for part in ("cards", "counters"):
            with pikepdf.open(io.BytesIO(found[f"en/a4/{part}-{flip}-edge.pdf"])) as pdf:
                assert str(pdf.Root.ViewerPreferences.Duplex) == duplex


def test_only_what_changed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    there = leave(monkeypatch, EVERY_PART if THOROUGH else ["cards-fold", "tuckbox", "reference"])
    copytree("small", "older")
    change("opforge.yaml", "version: 1.2.0", "version: 1.2.1")
    change("cards.yaml", "ap: 4", "ap: 5")
    data = data_of(capsys, "set", "--changed-since", "older")
    assert parts(data) == there & (CARDS | {"learn", "reference"})  # which name the version
    assert data["changed_since"] == "older"
    assert "changed since older" in Path("set/README.html").read_text(encoding="utf-8")
    assert set(files("set")) == {"README.html", *(one["file"] for one in data["files"])}
    change("opforge.yaml", "version: 1.2.1", "version: 1.2.0")
    change("cards.yaml", "ap: 5", "ap: 4")
    change("cards.yaml", "dp: 6", "dp: 9")  # more HITCOUNTERs, and dice that show more
    there = leave(monkeypatch, EVERY_PART if THOROUGH else ["cards-fold", "counters-fold", "mat"])
    changed = there & (CARDS | COUNTERS | {"learn", "reference"})
    assert parts(data_of(capsys, "set", "--changed-since", "older")) == changed


@pytest.mark.usefixtures("few_parts")
def test_nothing_changed(capsys: pytest.CaptureFixture[str]) -> None:
    copytree("small", "older")
    assert run(["print-and-play", "small", "-o", "set", *ONE, "--changed-since", "older"]) == 0
    assert capsys.readouterr().out.startswith("Nothing changed since older; nothing was written.\n")
    assert run(["print-and-play", "small", "-o", "set", *ONE, "--changed-since", "nowhere"]) == 2
    assert not Path("set").exists()


@pytest.mark.usefixtures("few_parts")
def test_files_of_an_earlier_run_are_removed(made_before: tuple[Path, list[str]]) -> None:
    command = ["print-and-play", "small", "-o", "set", "--paper", "a4"]
    copytree(made_before[0], "set")
    ours = Path("set/en/a4/counters-fold.pdf").read_bytes()
    Path("set/en/a4/of-mine.pdf").write_bytes(ours)  # not in the list
    Path("set/en/a4/cards-short-edge.pdf").write_bytes(b"%PDF-1.4 of mine")  # in the list, and no longer ours
    Path("outside").mkdir()
    Path("outside/reference.pdf").write_bytes(ours)
    Path("set/fr/a4").mkdir(parents=True)
    Path("set/fr/a4/reference.pdf").symlink_to(Path("outside/reference.pdf").resolve())
    readme = Path("set/README.html")
    listed = readme.read_text("utf-8").removesuffix(" -->\n")
    readme.write_text(f"{listed} fr/a4/reference.pdf ../outside/reference.pdf -->\n", encoding="utf-8")
    assert run([*command, "--lang", "de"]) == 0
    found = set(files("set"))
    assert {name for name in found if not name.startswith("de/")} == {
        *("README.html", "en/a4/of-mine.pdf", "en/a4/cards-short-edge.pdf", "fr/a4/reference.pdf")
    }
    assert Path("outside/reference.pdf").exists()
    Path("set/en/a4/of-mine.pdf").unlink()
    assert run([*command, "--lang", "en"]) == 2  # the PDF of somebody else would be replaced
    Path("set/en/a4/cards-short-edge.pdf").unlink()
    assert run([*command, "--lang", "en"]) == 0
    assert not Path("set/de").exists()


def test_files_of_somebody_else_stay(capsys: pytest.CaptureFixture[str]) -> None:
    Path("set").mkdir()
    Path("set/README.html").write_text("# Mine\n", encoding="utf-8")
    Path("mine.zip").write_bytes(b"no ZIP file")
    with zipfile.ZipFile("theirs.zip", "w") as packed:
        packed.writestr("letter.txt", "Dear all")
    Path("file").touch()
    before = {name: Path(name).read_bytes() for name in ("set/README.html", "mine.zip", "theirs.zip", "file")}
    for output, said in (
        ("set", "README.html exists and was not made by opforge; nothing was written."),
        ("mine.zip", "mine.zip exists and was not made by opforge"),
        ("theirs.zip", "theirs.zip exists and was not made by opforge"),
        ("none/set.zip", "There is no folder none"),
        ("file", "file is a file; -o needs a folder."),
    ):
        assert run(["print-and-play", "small", "-o", output, *ONE]) == 2
        assert said in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in before} == before
    assert not list(Path().glob(".print-and-play-*"))


@pytest.mark.parametrize(
    ("output", "fails"), some([*product(["set", "set.zip"], [NO_SPACE, KeyboardInterrupt()])], 0, 3)
)
@pytest.mark.usefixtures("few_parts")
def test_an_interrupted_run_leaves_the_old_files_whole(
    output: str,
    fails: BaseException,
    made_before: tuple[Path, list[str]],
    packed_before: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if output == "set":
        copytree(made_before[0], "set")
    else:
        copyfile(packed_before, output)
    before = files(".")
    capsys.readouterr()
    change("cards.yaml", "ap: 4", "ap: 5")
    before["small/cards.yaml"] = Path("small/cards.yaml").read_bytes()

    def write(path: Path, content: bytes) -> None:
        if path.name == "reference.pdf":
            raise fails
        path.write_bytes(content)

    monkeypatch.setattr("toolkit.project.output.write_atomically", write)
    status = run(["print-and-play", "small", "-o", output, *ONE])
    assert status == (130 if isinstance(fails, KeyboardInterrupt) else 2)
    assert files(".") == before
    if isinstance(fails, OSError):
        assert f"{output}/en/a4/reference.pdf cannot be written: No space left" in capsys.readouterr().err


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    for chosen, said in (
        (["--lang", "fr"], "There is no language 'fr' here"),
        (["--paper", "a44"], "Did you mean 'a4'?"),
        (["--theme", "clasic"], "Did you mean 'classic'?"),
    ):
        assert run(["print-and-play", "small", "-o", "set", *chosen]) == 2
        assert said in capsys.readouterr().err
    assert not Path("set").exists()


def test_what_does_not_fit_the_paper_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--lang", "de", "--paper", "90x100mm"]
    assert run(["print-and-play", "small", "-o", "set", *chosen]) == 1  # the reference is too long
    printed = capsys.readouterr().out
    assert "cards-fold.pdf was left out: A card of 63 × 88 mm does not fit" in printed
    assert "tuckbox.pdf was left out: No box for these cards fits" in printed
    assert {"de/90x100mm/cards-long-edge.pdf", "de/90x100mm/counters-long-edge.pdf"} <= set(files("set"))


@pytest.mark.usefixtures("few_parts")
def test_errors_of_cards_are_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    change("cards.yaml", "self gets +2 AP.\n      self gets -1 EP.", "self gts +2 AP.")
    assert run(["print-and-play", "small", "-o", "set", *ONE]) == 1
    printed = capsys.readouterr()
    assert printed.err.count("error[") == 1
    assert Path("set/en/a4/cards-fold.pdf").exists()
