"""What templates may load, and what not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from toolkit.render.checks.print_findings import unusable_resource
from toolkit.render.fetch import EMPTY_RESOURCE, TEMPLATES_ADDRESS, Fetcher, Roots, join_address
from toolkit.render.output_limits import excess
from toolkit.render.sizes import Size
from toolkit.resources import cache_folder
from toolkit.source.derived_files import keep_derived


@pytest.fixture
def fetcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fetcher:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    project = tmp_path / "project"
    (project / "templates").mkdir(parents=True)
    return Fetcher(Roots(project))


def picture(width: int, height: int, mode: str = "RGB", kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    Image.new(mode, (width, height)).save(stream, kind)
    return stream.getvalue()


def test_shipped_files_are_had(fetcher: Fetcher) -> None:
    css = fetcher("opforge://templates/base.css")
    assert css.mime == "text/css"
    assert b"Barlow" in css.content
    assert fetcher("opforge://templates/fonts/BarlowCondensed-Bold.ttf").mime == "font/ttf"
    assert fetcher.problems == {}


def test_the_projects_own_file_comes_first(fetcher: Fetcher) -> None:
    (fetcher.roots.overrides / "card.css").write_text("p {}")
    assert fetcher("opforge://templates/card.css").content == b"p {}"


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "https://example.org/art.png",
        "http://templates/card.css",
        "opforge://outside/art.png",
        "opforge://project/../secret.txt",
        "opforge://project/%2e%2e/secret.txt",
        "opforge://templates/../../pyproject.toml",
        "opforge://templates/a%00b",
        "ftp://x",
        "nonsense",
        "",
    ],
)
def test_all_else_is_refused(fetcher: Fetcher, address: str) -> None:
    (fetcher.roots.project.parent / "secret.txt").write_text("secret")
    assert fetcher(address) == EMPTY_RESOURCE
    assert fetcher.problems == {address: "refused-resource"}


def test_a_link_out_of_the_project_is_refused(fetcher: Fetcher) -> None:
    secret = fetcher.roots.project.parent / "secret.svg"
    secret.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (fetcher.roots.project / "art.svg").symlink_to(secret)
    assert fetcher("opforge://project/art.svg") == EMPTY_RESOURCE
    assert set(fetcher.problems.values()) == {"refused-resource"}


def test_files_that_lie_elsewhere_are_not_among_those_of_a_folder(fetcher: Fetcher) -> None:
    roots, elsewhere = fetcher.roots, fetcher.roots.project.parent / "elsewhere"
    for folder in (roots.overrides / "mine", elsewhere):
        folder.mkdir()
        (folder / "card.css").write_text("p {}")
    (roots.overrides / "same.css").symlink_to("mine/card.css")
    (roots.overrides / "theirs.css").symlink_to(elsewhere / "card.css")
    (roots.overrides / "theirs").symlink_to(elsewhere)
    (roots.overrides / "gone.css").symlink_to("nowhere")
    names = [path.relative_to(roots.overrides).as_posix() for path in roots.files(roots.overrides)]
    assert names == ["mine/card.css", "same.css"]
    assert roots.files(roots.overrides / "theirs") == []


def test_a_missing_file_is_remembered(fetcher: Fetcher) -> None:
    assert fetcher("opforge://project/none.svg") == EMPTY_RESOURCE
    assert fetcher.problems == {"opforge://project/none.svg": "missing-resource"}


def test_addresses_of_pictures(fetcher: Fetcher) -> None:
    project = fetcher.roots.project
    box = Size(69, 94)
    assert fetcher.picture_address(Path("art/a b.svg"), box) == "opforge://project/art/a%20b.svg?mm=69.0x94.0"
    assert fetcher.picture_address(project / "art" / "ä.svg", box).startswith(
        "opforge://project/art/%C3%A4.svg"
    )
    assert fetcher.picture_address(project.parent / "a.svg", box).startswith("opforge://outside/")
    assert fetcher.picture_address(Path("../a.svg"), box).startswith("opforge://outside/")


def test_a_large_picture_becomes_a_jpeg_of_350_dpi(fetcher: Fetcher) -> None:
    (fetcher.roots.project / "art.png").write_bytes(picture(3000, 2000))
    found = fetcher("opforge://project/art.png?mm=60x40")
    assert found.mime == "image/jpeg"
    with Image.open(io.BytesIO(found.content)) as made:
        assert made.size == (round(60 / 25.4 * 350), round(40 / 25.4 * 350))


def test_a_small_picture_keeps_its_size(fetcher: Fetcher) -> None:
    (fetcher.roots.project / "art.png").write_bytes(picture(300, 200))
    with Image.open(io.BytesIO(fetcher("opforge://project/art.png?mm=60x40").content)) as made:
        assert made.size == (300, 200)


def test_transparency_is_kept(fetcher: Fetcher) -> None:
    (fetcher.roots.project / "logo.png").write_bytes(picture(300, 200, "RGBA"))
    assert fetcher("opforge://project/logo.png").mime == "image/png"


SORTS = [("CMYK", "JPEG"), ("P", "GIF"), ("1", "PNG"), ("L", "PNG"), ("RGB", "WEBP")]


@pytest.mark.parametrize(("mode", "kind"), SORTS)
def test_pictures_of_all_sorts_become_rgb(fetcher: Fetcher, mode: str, kind: str) -> None:
    (fetcher.roots.project / f"art.{kind.lower()}").write_bytes(picture(40, 30, mode, kind))
    found = fetcher(f"opforge://project/art.{kind.lower()}")
    with Image.open(io.BytesIO(found.content)) as made:
        assert made.mode == "RGB"
    assert fetcher.problems == {}


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", picture(40, 30)[:60], b"text"])
def test_a_picture_that_is_none_is_found(fetcher: Fetcher, content: bytes) -> None:
    (fetcher.roots.project / "art.png").write_bytes(content)
    assert fetcher("opforge://project/art.png") == EMPTY_RESOURCE
    assert set(fetcher.problems.values()) == {"unreadable-picture"}


def test_the_cache_is_used_and_may_be_deleted(fetcher: Fetcher) -> None:
    (fetcher.roots.project / "art.png").write_bytes(picture(300, 200))
    first = fetcher("opforge://project/art.png")
    folder = cache_folder() / "pictures"
    (kept,) = folder.iterdir()
    sound = kept.read_bytes()
    other = picture(9, 9, kind="JPEG")
    keep_derived(kept, other)
    assert Fetcher(fetcher.roots)("opforge://project/art.png").content == other
    for damaged in (b"", b"damaged", other, sound[:-1], sound[:40] + other):
        kept.write_bytes(damaged)
        assert Fetcher(fetcher.roots)("opforge://project/art.png") == first
        assert kept.read_bytes() == sound
    kept.unlink()
    folder.rmdir()
    assert Fetcher(fetcher.roots)("opforge://project/art.png") == first


@given(st.text(max_size=30), st.binary(max_size=40))
def test_nothing_makes_it_raise(text: str, content: bytes) -> None:
    from toolkit.data.art.drawings import read_drawing

    fetch = Fetcher(Roots(Path("/nowhere")))
    fetch(text)
    fetch("opforge://project/" + text)
    fetch("opforge://templates/" + text)
    read_drawing(content)


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("fonts/a.ttf", "opforge://templates/css/fonts/a.ttf"),
        ("../a.ttf", "opforge://templates/a.ttf"),
        ("opforge://project/a.ttf", "opforge://project/a.ttf"),
        ("https://example.org/a.ttf", "https://example.org/a.ttf"),
    ],
)
def test_joining(reference: str, joined: str) -> None:
    assert join_address("opforge://templates/css/card.css", reference) == joined


IMPORTS = {
    "itself, twice": {"card.css": '@import "card.css"; @import "card.css";'},
    "each other": {
        "card.css": "\n@import url(a.css);",
        "a.css": "@import 'card.css'; @import url('card.css')",
    },
    "a long chain": {
        "card.css": '/* a\nb */\n@import "c0.css";',
        **{f"c{number}.css": f'@import "c{number + 1}.css";' for number in range(30)},
    },
    "disguised": {"card.css": '@\\69mport/**/url( "card.css" ); @IMPORT"card.css"'},
    "large": {"card.css": ".a {}\n" + '@import "a.css";' * 9, "a.css": f"/*{'x' * 300_000}*/"},
}


@pytest.mark.parametrize("case", IMPORTS)
def test_style_sheets_that_import_without_end_are_not_loaded(case: str, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    for name, css in IMPORTS[case].items():
        (tmp_path / "templates" / name).write_text(css, encoding="utf-8")
    fetcher = Fetcher(Roots(tmp_path))
    address = TEMPLATES_ADDRESS + "card.css"
    assert fetcher(address) == EMPTY_RESOURCE
    assert fetcher.problems == {address: "too-many-imports"}
    finding = unusable_resource(address, "too-many-imports", (), fetcher.roots)
    assert finding.span.text.lower().startswith(("@import", "@\\69mport"))
    assert finding.span.begin_position.line == IMPORTS[case]["card.css"].lower().count("\n") + 1


def test_some_imports_are_fine(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.css").write_text(".a { color: red }", encoding="utf-8")
    css = '@import "a.css"; @import "base.css";' * 5
    (tmp_path / "templates" / "card.css").write_text(css, encoding="utf-8")
    fetcher = Fetcher(Roots(tmp_path))
    assert fetcher(TEMPLATES_ADDRESS + "card.css").content.decode() == css
    assert not fetcher.problems


def test_the_text_of_a_page_loads_few_style_sheets() -> None:
    link, sheet = '<link rel="stylesheet" href="a.css">', '@import "card.css";'
    assert excess(f"<style>{sheet * 10}</style>{link * 10}<p>{sheet * 30}</p>") is None
    for html in (f"<style>{sheet * 21}</style>", f"<style>{sheet * 20}</style>{link}"):
        found = excess(f"<p>{html}</p>")
        assert found is not None
        assert "it loads more than 20 style sheets" in found.message
