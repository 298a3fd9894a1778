"""Links that a stranger has put into a project: nothing outside is read or written through them."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copytree

import pytest

from tests.render.pdf_text import opened, text_of
from tests.thoroughness import some
from toolkit.apps.cli import run

SMALL = Path(__file__).parent.parent / "projects" / "small"
SECRET = "p4ssw0rd"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current folder, and beside it a folder that is none of its business."""
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.chdir(copytree(SMALL, tmp_path / "small"))
    for name in ("icons", "themes/night/icons", "reference"):
        (tmp_path / "outside" / name).mkdir(parents=True)
    for name, text in {
        "opforge.yaml": f"project: {SECRET}\nlanguages: [{SECRET}]\n",
        "icons/ap.svg": f'<svg viewBox="0 0 9 9"><text>{SECRET}</text></svg>',
        "themes/night/icons/ap.svg": f'<svg viewBox="0 0 9 9"><text>{SECRET}</text></svg>',
        "themes/night/operator.html.jinja": SECRET,
        "operator.html.jinja": SECRET,
        "card.css": f"/* {SECRET} */ .card::before {{ content: '{SECRET}' }}",
        "art.svg": f'<svg xmlns="http://www.w3.org/2000/svg"><text>{SECRET}</text></svg>',
    }.items():
        (tmp_path / "outside" / name).write_text(text, encoding="utf-8")
    return tmp_path / "small"


@pytest.fixture
def outside(project: Path) -> Path:
    return project.parent / "outside"


def link(name: str, to: Path | str) -> None:
    """Let a name in the project be a link."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).unlink(missing_ok=True)
    Path(name).symlink_to(to)


@pytest.fixture
def one_card(project: Path) -> None:
    """Only the OPERATOR is in the project."""
    cards = project / "cards.yaml"
    text = cards.read_text(encoding="utf-8")
    cards.write_text(
        text[: text.index("  - id: aimed-shot")] + text[text.index("teams:") :], encoding="utf-8"
    )


def printed(*options: str) -> str:
    """Whatever is printed of the cards."""
    run(["sheet", ".", "-o", "out.pdf", *options])
    if not Path("out.pdf").exists():
        return ""
    return "".join(text_of(page.obj) for page in opened(Path("out.pdf").read_bytes()).pages)


@pytest.mark.parametrize(
    ("name", "to"),
    some(
        [
            ("templates", "."),
            ("templates/themes", "themes"),
            ("templates/themes/night", "themes/night"),
            ("templates/icons", "icons"),
            ("templates/icons/ap.svg", "icons/ap.svg"),
            ("templates/operator.html.jinja", "operator.html.jinja"),
            ("templates/card.css", "card.css"),
        ],
        *(0, 2, 4, 6),
    ),
)
@pytest.mark.usefixtures("one_card")
def test_no_template_outside_is_read(
    outside: Path, name: str, to: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plutoprint")
    with Path("opforge.yaml").open("a") as file:
        file.write("theme: night\n")
    Path("templates/themes/night").mkdir(parents=True) if name.count("/") == 1 and "icons" in name else None
    link(name, outside / to)
    run(["check", "--fit"])
    assert SECRET not in printed()
    assert SECRET not in printed("--theme", "classic")
    reported = capsys.readouterr()
    assert SECRET not in reported.out + reported.err
    assert f"{name} is a link that leads out of the project, so it is not read." in reported.out


@pytest.mark.parametrize("command", [["check"], ["check", "--format", "sarif"], ["text"], ["fmt", "--check"]])
def test_a_project_file_outside_is_not_read(
    outside: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    link("opforge.yaml", outside / "opforge.yaml")
    status = run([*command])
    reported = capsys.readouterr()
    assert SECRET not in reported.out + reported.err
    if command[0] == "check":
        assert status == 1
        assert (
            reported.out.count("opforge.yaml is a link that leads out of the project, so it is not read.")
            == 1
        )


@pytest.mark.parametrize("key", ["art", "back"])
def test_no_picture_outside_is_read(outside: Path, key: str) -> None:
    pytest.importorskip("plutoprint")
    text = Path("cards.yaml").read_text(encoding="utf-8")
    Path("cards.yaml").write_text(
        text.replace("    kind: attack\n", f"    kind: attack\n    {key}: a/art.svg\n")
    )
    link("a", outside)
    assert SECRET not in printed("--backs", "--kind", "attack")


@pytest.mark.parametrize(
    "name",
    some(["templates/icons/ap.svg", "templates/card.css", "a.svg", "templates/operator.html.jinja"], 2, 3),
)
@pytest.mark.usefixtures("one_card")
def test_devices_and_pipes_are_not_read(name: str) -> None:
    pytest.importorskip("plutoprint")
    text = Path("cards.yaml").read_text(encoding="utf-8")
    Path("cards.yaml").write_text(
        text.replace("    kind: operator\n", "    kind: operator\n    art: a.svg\n")
    )
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(name)
    assert run(["check", "--fit"]) in (0, 1)
    assert "Viper" in printed()
    Path(name).unlink()
    link(name, "/dev/zero")
    assert run(["check", "--fit"]) in (0, 1)
    assert "Viper" in printed()


def test_a_link_that_comes_later_is_found_although_the_check_is_remembered(
    outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check"]) == 0
    link("more.yaml", outside / "opforge.yaml")
    run(["check"])
    assert "link-outside-project" in capsys.readouterr().out


# outputs

OUTPUTS = {
    "sheet": ["sheet", ".", "-o", "{}.pdf"],
    "reference": ["reference", ".", "-o", "{}.pdf"],
    "mat": ["mat", ".", "-o", "{}.pdf"],
    "squads": ["squads", ".", "-o", "{}.pdf"],
    "align": ["align", "-o", "{}.pdf"],
    "sarif": ["check", "--output", "sarif:{}.sarif"],
    "baseline": ["check", "--baseline", "{}.json", "--update-baseline"],
    "play": ["play", "--blue", "greedy", "--red", "greedy", "--seed", "1", "--save", "{}.jsonl"],
}


@pytest.mark.parametrize("command", OUTPUTS.values(), ids=OUTPUTS)
@pytest.mark.parametrize("place", ["out", "{project}/out", "build/../out", "../small/out"])
def test_an_output_never_replaces_what_a_link_leads_to(
    project: Path, outside: Path, command: list[str], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("build").mkdir()
    words = [word.format(place.format(project=project)) for word in command]
    name = Path(command[-1].partition(":")[2] or command[-1]) if command[0] != "check" else None
    ending = {"sarif": ".sarif", "baseline": ".json"}.get(
        next(k for k, v in OUTPUTS.items() if v is command), ""
    )
    target = outside / f"victim{ending or (name.suffix if name else '')}"
    target.write_bytes(b"")
    link(f"out{target.suffix}", target)
    assert run(words) == 2
    assert "is a link" in capsys.readouterr().err
    assert target.read_bytes() == b""


@pytest.mark.parametrize("command", OUTPUTS.values(), ids=OUTPUTS)
def test_nor_through_a_folder_that_leads_out(
    outside: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    link("build", outside)
    before = sorted(outside.rglob("*"))
    assert run([word.format("build/out") for word in command]) == 2
    assert "through the link build, which leads out of" in capsys.readouterr().err
    assert sorted(outside.rglob("*")) == before


@pytest.mark.parametrize(
    ("command", "planted"),
    some(
        [
            ("cards", "build"),
            ("cards", "build/backs"),
            ("cards", "build/viper.png"),
            ("tts", "build"),
            ("tts", "build/small.json"),
            ("tts", "build/operator-1.png"),
        ],
        *(0, 1, 2, 4),
    ),
)
def test_pictures_stay_in_their_folder(outside: Path, command: str, planted: str) -> None:
    pytest.importorskip("plutoprint")
    chosen = ["--kind", "operator", *(["--dpi", "30"] if command == "cards" else [])]
    assert run([command, ".", "-o", "build", *chosen]) == 0
    if Path(planted).is_dir():
        Path(planted).rename(outside / "moved")
    else:
        Path(planted).rename(outside / Path(planted).name)
    before = {path: path.stat().st_mtime_ns for path in outside.rglob("*")}
    link(planted, outside / ("moved" if (outside / "moved").exists() else Path(planted).name))
    assert run([command, ".", "-o", "build", *chosen]) == 2
    assert {path: path.stat().st_mtime_ns for path in outside.rglob("*")} == before


def test_a_new_project_is_not_made_through_a_link(outside: Path) -> None:
    (outside / "empty").mkdir()
    link("new", outside / "empty")
    assert run(["init", "new"]) == 2
    assert not list((outside / "empty").iterdir())


def test_links_inside_and_links_of_the_user_are_followed(
    outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("real").mkdir()
    link("build", "real")
    assert run(["check", "--output", "sarif:build/a.sarif"]) == 0
    assert Path("real/a.sarif").is_file()
    (tmp_path / "mine").symlink_to(outside)
    assert run(["check", "--output", f"sarif:{tmp_path}/mine/a.sarif"]) == 0
    (tmp_path / "latest.sarif").symlink_to(outside / "a.sarif")
    (outside / "a.sarif").write_text("")
    assert run(["check", "--output", f"sarif:{tmp_path}/latest.sarif"]) == 0
    assert (tmp_path / "latest.sarif").is_symlink()
    assert (outside / "a.sarif").read_text() != ""
    monkeypatch.chdir(tmp_path)
    assert (
        run(["check", "small", "--output", "sarif:latest.sarif"]) == 2
    )  # whoever works here may have put it there


def test_a_checkout_around_the_project_counts(outside: Path, tmp_path: Path) -> None:
    (tmp_path / "small" / ".git").mkdir()
    (tmp_path / "small").rename(tmp_path / "checkout")
    copytree(SMALL, tmp_path / "checkout" / "cards")
    (tmp_path / "checkout" / "opforge.yaml").unlink()
    (tmp_path / "checkout" / "results.sarif").symlink_to(outside / "a.sarif")
    os.chdir(tmp_path)
    checkout = tmp_path / "checkout"
    assert run(["check", str(checkout / "cards"), "--output", f"sarif:{checkout}/results.sarif"]) == 2
    assert not (outside / "a.sarif").exists()
