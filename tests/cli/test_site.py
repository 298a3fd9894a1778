"""``opforge site``: a folder of web pages that works by double click, and touches only its own files."""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree
from urllib.parse import unquote

import pytest
from PIL import Image

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.products.website import write_site
from toolkit.products.website.folder import MANIFEST, SiteFolder
from toolkit.render.page_raster import to_pixels

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")

SMALL = Path(__file__).parent.parent / "projects" / "small"

HOSTILE = """\
cards:
  - id: index
    kind: operator
    name: "</title><script>alert(1)</script><img src=x onerror=alert(2)>"
    team: night-owls
    squadpoints: 3
    ap: 2
    ep: 3
    dp: 6
    mp: 2
    traits: ["a|b<onload=x>"]
    flavour: "<b>bold</b> & 'quoted'"
    skills:
      - name: "שלום <b>"
        effect: when attacking, self gets +1 AP.
  - id: cards
    kind: attack
    name: NAME
    effect: while attacking, self gets +2 AP.
scenarios:
  - name: "</summary><script>alert(3)</script>"
    field: {blue: [index], red: [viper]}
    do:
      - {action: attack, by: index, on: viper, dice: [2, 2]}
    expect:
      attack: {ap: 5}
""".replace("NAME", "x" * 200)


class Page(HTMLParser):
    """What a page refers to, its anchors, and the tags that could run something."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.scripts: list[dict[str, str | None]] = []
        self.handlers: list[str] = []
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [value or "" for key, value in attrs if key in ("href", "src", "srcset", "action")]
        self.handlers += [key for key, _ in attrs if key.startswith("on") or key == "style"]
        if given.get("id"):
            self.anchors.add(str(given["id"]))
        if tag == "script":
            self.scripts.append(given)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(given["content"])


RULINGS = """\
scenarios:
  - name: a suppressed sniper still doubles her VALUE
    field: {blue: [kestrel], red: [brock]}
    state: {kestrel: {hitcounter: 1}}
    hands: {blue: [aimed-shot]}
    do:
      - {action: attack, by: kestrel, on: brock, attack_card: aimed-shot, dice: [6, 2], critical: [double]}
    expect:
      attack: {ap: 5}
  - name: a duel
    field: {blue: [kestrel], red: [kestrel]}
    do:
      - {action: attack, by: blue.kestrel, on: red.kestrel, dice: [1, 6]}
    expect:
      attack: {ap: 9, damage: 0}
      red.kestrel: {hitcounter: 0}
"""


def files(folder: str = "out") -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


def pages(folder: str = "out") -> Iterator[tuple[Path, Page]]:
    for path in sorted(Path(folder).rglob("*.html")):
        yield path, Page(path.read_text(encoding="utf-8"))


def broken_links(folder: str = "out") -> list[tuple[str, str]]:
    """Links that lead to no file of the folder, to no anchor of a page, or out of the folder."""
    known = {path.relative_to(folder).as_posix(): page for path, page in pages(folder)}
    there = {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}
    broken = []
    for name, page in known.items():
        for link in dict.fromkeys(page.links):
            target, _, anchor = link.partition("#")
            file = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(target)))
                if target
                else name
            )
            filters = anchor.partition("=")[0] in ("kind", "trait")
            missing = anchor and not filters and anchor not in known[file].anchors if file in known else False
            if ":" in target or target.startswith("/") or file not in there or missing:
                broken.append((name, link))
    return broken


def rename_viper(project: Path = Path("small")) -> None:
    cards = project / "cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("name: Viper", "name: Adder"), encoding="utf-8")


EVERY_SHEET = {"PAPERS": write_site.PAPERS, "_SHEETS": write_site._SHEETS}
ONE_SHEET = {
    "PAPERS": ("a4",),
    "_SHEETS": {"site-with-backs": write_site._SHEETS["site-with-backs"]},
    "DPI": 60,
}


@pytest.fixture(autouse=True, scope="module")
def _sheets() -> Iterator[None]:
    """In a quick run a site has one sheet to print for each language, and not four, and small pictures."""
    with pytest.MonkeyPatch.context() as offered:
        for name, value in (EVERY_SHEET if THOROUGH else ONE_SHEET).items():
            offered.setattr(write_site, name, value)
        yield


def made(project: Path, folder: Path, cache: str, *options: str) -> Path:
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("OPFORGE_CACHE", cache)
        assert run(["site", str(project), "-o", str(folder), *options]) == 0
    return folder


@pytest.fixture(scope="module")
def made_site(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Path:
    """The English site of the small project."""
    return made(SMALL, tmp_path_factory.mktemp("site") / "out", cache, "--lang", "en")


@pytest.fixture(scope="module")
def renamed_site(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Path:
    """The same with another name of a card."""
    folder = tmp_path_factory.mktemp("renamed")
    rename_viper(copytree(SMALL, folder / "small"))
    return made(folder / "small", folder / "out", cache, "--lang", "en")


@pytest.fixture(scope="module")
def ruled_site(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Path:
    """The site of a project in three languages with scenarios, one of which plays otherwise."""
    folder = tmp_path_factory.mktemp("ruled")
    project = copytree(SMALL.parent / "trilingual", folder / "trilingual")
    (project / "scenarios.yaml").write_text(RULINGS, encoding="utf-8")
    return made(project, folder / "out", cache)


@pytest.fixture
def english_site(tmp_path: Path, made_site: Path) -> None:
    """It as ``out``, beside the project."""
    copytree(made_site, tmp_path / "out")


def test_a_page_for_each_card_in_each_language(ruled_site: Path) -> None:
    out = str(ruled_site)
    written = files(out)
    ids = {Path(name).stem for name in written if re.match(r"en/cards/.*\.html", name)}
    assert len(ids) > 5
    for language in ("en", "de", "fr"):
        assert {name for name in written if name.startswith(f"{language}/cards/")} == {
            f"{language}/cards/{card}.html" for card in ids
        }
    assert broken_links(out) == []
    for name, content in written.items():
        if name.endswith((".html", ".css", ".js")):
            assert not re.search(rb"https?://|\bfetch\(|import\(|type=\"module\"", content), name
    for path, page in pages(out):
        assert "default-src 'none'" in page.policy, path
        assert page.scripts
        assert all(script.get("src") and "type" not in script for script in page.scripts)
        assert page.handlers == [], path


@pytest.mark.usefixtures("english_site")
def test_pictures_are_named_by_their_content_and_shown_in_two_sizes() -> None:
    page = Path("out/en/cards/viper.html").read_text(encoding="utf-8")
    found = re.search(
        r'src="../../(pictures/\w+\.\w+)" width="(\d+)" height="(\d+)" alt="Front: Viper"', page
    )
    assert found
    with Image.open(f"out/{found[1]}") as picture:
        assert picture.width == to_pixels(63, write_site.DPI)
        width = picture.width
        assert picture.width in (2 * int(found[2]), 2 * int(found[2]) - 1)
    wall = Path("out/index.html").read_text(encoding="utf-8")
    small = re.search(r'data-id="viper".*?src="(pictures/\w+\.\w+)"', wall, re.DOTALL)
    assert small
    with Image.open(f"out/{small[1]}") as picture:
        assert picture.width == -(-width // 2)


def test_rulings_show_the_trace_as_played(ruled_site: Path) -> None:
    page = (ruled_site / "en/cards/aimed-shot.html").read_text(encoding="utf-8")
    ruling = page[page.index("a suppressed sniper still doubles her VALUE") :]
    ruling = ruling[: ruling.index("</details>")]
    assert "AP 5 = VALUE 4 × 2 CRITICAL ÷ 2 SUPPRESSION + 1 Aimed shot" in ruling
    assert '<a href="brock.html"' in ruling
    assert "HITCOUNTER 1" in ruling


def test_a_scenario_that_plays_otherwise_says_so(ruled_site: Path) -> None:
    english = (ruled_site / "en/cards/kestrel.html").read_text(encoding="utf-8")
    assert "plays otherwise today" in english
    assert "attack.ap: expected 9, got 5" in english
    assert "Kestrel (blue) → Kestrel (red)" in english
    german = (ruled_site / "de/cards/kestrel.html").read_text(encoding="utf-8")
    assert "spielt sich heute anders" in german
    assert "Turmfalke (Blau) → Turmfalke (Rot)" in german


@pytest.mark.usefixtures("english_site")
def test_the_same_project_gives_the_same_bytes_and_nothing_is_drawn_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["site", "small", "-o", "again", "--lang", "en"]) == 0
    assert (
        capsys.readouterr().out
        == "again: 4 cards in 1 language, 7 pages; 7 pictures drawn. Open again/index.html.\n"
    )
    first = files()
    assert files("again") == first
    capsys.readouterr()
    times = {name: os.stat(f"out/{name}").st_mtime_ns for name in first}
    assert run(["site", "small", "-o", "out", "--lang", "en", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["drawn"], data["written"], data["removed"]) == (0, 0, 0)
    assert files() == first
    assert {name: os.stat(f"out/{name}").st_mtime_ns for name in first} == times


@pytest.mark.usefixtures("english_site")
def test_a_changed_card_is_drawn_alone_and_gives_what_a_new_run_gives(
    renamed_site: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rename_viper()
    capsys.readouterr()
    assert run(["site", "small", "-o", "out", "--lang", "en", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["drawn"] == len(data["languages"])
    assert data["removed"] == 2 * len(data["languages"])
    assert files() == files(str(renamed_site))


@pytest.mark.usefixtures("english_site")
def test_what_is_no_longer_needed_is_removed_and_nothing_else() -> None:
    Path("out/CNAME").write_text("cards.example", encoding="utf-8")
    Path("out/en/cards/notes.html").write_text("mine", encoding="utf-8")
    cards = Path("small/cards.yaml")
    text = cards.read_text("utf-8")
    cards.write_text(text.replace("id: high-ground", "id: hill"), encoding="utf-8")
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 0
    assert not Path("out/en/cards/high-ground.html").exists()
    assert Path("out/en/cards/hill.html").exists()
    assert Path("out/CNAME").read_text(encoding="utf-8") == "cards.example"
    assert Path("out/en/cards/notes.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("english_site")
def test_a_listed_file_that_is_not_ours_any_more_stays() -> None:
    """A list may come from a stranger: it names files, and only what looks like ours is removed."""
    for name in ("diary.html", "photo.png", "letter.pdf", "notes.txt"):
        Path("out", name).write_text("mine", encoding="utf-8")
    Path("secret.html").write_text("mine", encoding="utf-8")
    listed = json.loads(Path("out", MANIFEST).read_text("utf-8"))
    listed["files"] += ["diary.html", "photo.png", "letter.pdf", "notes.txt", "../secret.html"]
    listed["made"] = {key: ["../../secret.html", "x", 1, 1] for key in listed["made"]}
    Path("out", MANIFEST).write_text(json.dumps(listed), encoding="utf-8")
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 0
    for name in ("out/diary.html", "out/photo.png", "out/letter.pdf", "out/notes.txt", "secret.html"):
        assert Path(name).read_text(encoding="utf-8") == "mine"
    assert broken_links() == []


def test_a_folder_that_is_not_its_own_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    Path("out/letter.txt").write_text("mine", encoding="utf-8")
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 2
    assert "out is not empty" in capsys.readouterr().err
    assert files() == {"letter.txt": b"mine"}
    assert run(["site", "small", "-o", "out/letter.txt"]) == 2
    Path("out/letter.txt").rename(f"out/{MANIFEST}")
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 2
    assert files() == {MANIFEST: b"mine"}


@pytest.mark.usefixtures("english_site")
def test_a_file_that_stands_where_a_page_belongs_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("small/cards.yaml").read_text("utf-8")
    Path("small/cards.yaml").write_text(text.replace("id: high-ground", "id: hill"), encoding="utf-8")
    Path("out/en/cards/hill.html").write_text("mine", encoding="utf-8")
    before = files()
    capsys.readouterr()
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 2
    assert "hill.html exists and was not made by opforge" in capsys.readouterr().err
    assert files() == before


@pytest.mark.parametrize("name", ["index.html", "assets/site.css", "en/cards/viper.html"])
@pytest.mark.usefixtures("english_site")
def test_a_listed_page_that_somebody_else_wrote_is_not_replaced(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out", name).write_text("mine", encoding="utf-8")
    capsys.readouterr()
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 2
    assert f"{name} exists and was not made by opforge" in capsys.readouterr().err
    assert Path("out", name).read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("name", ["en", "en/cards/viper.html", "pictures", MANIFEST])
@pytest.mark.usefixtures("english_site")
def test_nothing_is_written_through_a_link(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    there = Path("out", name)
    there.rename("elsewhere")
    there.symlink_to(Path("elsewhere").resolve())
    before = {path: path.read_bytes() for path in Path("elsewhere").rglob("*.*")}
    rename_viper()
    capsys.readouterr()
    assert run(["site", "small", "-o", "out", "--lang", "en"]) != 0
    assert "link" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in Path("elsewhere").rglob("*.*")} == before


@pytest.mark.usefixtures("english_site")
def test_an_interrupted_run_leaves_the_old_pages_whole(
    renamed_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {name: content for name, content in files().items() if name != MANIFEST}
    rename_viper()
    write = SiteFolder.write

    def stop(self: SiteFolder, name: str, content: bytes) -> None:
        if name.endswith(".pdf"):
            raise KeyboardInterrupt
        write(self, name, content)

    with monkeypatch.context() as stopped:
        stopped.setattr(SiteFolder, "write", stop)
        assert run(["site", "small", "-o", "out", "--lang", "en"]) == 130
    assert {name: files()[name] for name in old} == old
    assert broken_links() == []
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 0
    assert files() == files(str(renamed_site))


def test_hostile_names_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small/more.yaml").write_text(HOSTILE, encoding="utf-8")
    run(["site", "small", "-o", "out", "--lang", "en", "--title", '"><script>alert(4)</script>'])
    capsys.readouterr()
    assert broken_links() == []
    shown = Path("out/en/cards/index.html").read_text(encoding="utf-8")
    assert "&lt;/title&gt;&lt;script&gt;alert(1)" in shown
    assert "&lt;/summary&gt;&lt;script&gt;alert(3)" in shown
    for path, page in pages():
        assert page.handlers == [], path
        assert all(script.get("src") for script in page.scripts), path
    data = Path("out/en/cards.js").read_text(encoding="utf-8")
    assert json.loads(data[data.index("{") : data.rindex("}") + 1])["cards"].count("x") >= 200


def test_the_help_is_part_of_it() -> None:
    assert run(["site", "small", "-o", "out", "--docs", "--lang", "de"]) == 0
    assert broken_links() == []
    assert "<table>" in Path("out/docs/language.html").read_text(encoding="utf-8")
    assert Path("out/docs/findings/unknown-stat.html").exists()
    listed = Page(Path("out/docs/index.html").read_text(encoding="utf-8")).links
    pages_of_help = [
        link for link in listed if link.endswith(".html") and "/" not in link and link != "index.html"
    ]
    assert pages_of_help[:3] == ["tutorial.html", "cookbook.html", "eighty-ideas.html"]
    assert "Hilfe" in Path("out/index.html").read_text(encoding="utf-8")
    assert run(["site", "small", "-o", "out", "--lang", "de"]) == 0
    assert not Path("out/docs").exists()


def test_a_broken_card_is_reported_and_the_others_are_shown_and_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in EVERY_SHEET.items():
        monkeypatch.setattr(write_site, name, value)
    cards = Path("small/cards.yaml")
    cards.write_text(
        cards.read_text("utf-8").replace("squadpoints: 4", "squadpoints: many", 1), encoding="utf-8"
    )
    assert run(["site", "small", "-o", "out", "--lang", "en"]) == 1
    assert "squadpoints" in capsys.readouterr().err
    assert not Path("out/en/cards/viper.html").exists()
    assert Path("out/en/cards/aimed-shot.html").exists()
    printed = {path.stem.partition("-en-")[2] for path in Path("out/print").iterdir()}
    assert printed == {f"{paper}-{sides}" for paper in ("a4", "letter") for sides in ("fronts", "both")}
    assert broken_links() == []


def test_what_does_not_fit_is_reported_by_each_run(capsys: pytest.CaptureFixture[str]) -> None:
    cards = Path("small/cards.yaml")
    long = " ".join(["flavour"] * 400)
    cards.write_text(
        cards.read_text("utf-8").replace("en: She counts to three.", f"en: {long}"), encoding="utf-8"
    )
    for _ in range(2):
        assert run(["site", "small", "-o", "out", "--lang", "en"]) == 1
        assert "text-overflow" in capsys.readouterr().err


def test_links_to_a_published_page_are_shown_with_the_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["site", "small", "-o", "out", "--lang", "en", "--url-base", "https://example.org/a b"]) == 2
    assert "is not a valid address" in capsys.readouterr().err
    for base in ("https://example.org/?cards", "https://example.org/#cards"):
        assert run(["site", "small", "-o", "out", "--url-base", base]) == 2
        assert f"{base!r} is not the address of a folder" in capsys.readouterr().err
    cards = Path("small/cards.yaml")
    cards.write_text(
        cards.read_text("utf-8").replace("name: Viper", 'name: "\\"><script>"'), encoding="utf-8"
    )
    assert (
        run(["site", "small", "-o", "out", "--lang", "en", "--url-base", "https://example.org/cards/"]) == 0
    )
    page = Path("out/en/cards/viper.html").read_text("utf-8")
    address = '<meta property="og:url" content="https://example.org/cards/en/cards/viper.html">'
    assert address in page
    assert '<meta property="og:title" content="&#34;&gt;&lt;script&gt;">' in page
    (picture,) = re.findall(r'"og:image" content="https://example\.org/cards/(pictures/\w+\.webp)"', page)
    assert Path("out", picture).exists()
    assert "og:" in Path("out/index.html").read_text("utf-8")


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["site", "small", "-o", "out", "--lang", "tlh"]) == 2
    assert "no language 'tlh'" in capsys.readouterr().err
    assert not Path("out").exists()
