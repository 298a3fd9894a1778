"""Style sheets load no more than is counted: the PDF engine is asked, in a process with a limit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.thoroughness import THOROUGH, share
from toolkit.data.art.drawing_costs import StyleSheet
from toolkit.data.art.drawings import read_drawing
from toolkit.data.art.style_imports import imports_in_use, imports_of
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.output_limits import excess, style_sheet_excess

RENDER = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))
import plutoprint
from pathlib import Path
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, Roots
from toolkit.render.plutoprint_engine import PlutoPrintRenderer
from toolkit.render.sizes import Size

for project, html in json.load(sys.stdin):
    asked = []
    fetcher = Fetcher(Roots(Path(project)))
    def fetch(address):
        asked.append(address.removeprefix(TEMPLATES_ADDRESS))
        return fetcher(address)
    PlutoPrintRenderer().render_pages(html, Size(63, 88), fetch)
    print(json.dumps([asked, sorted(set(fetcher.problems.values()))]))
"""

PAGE = '<link rel="stylesheet" href="sheet.css"><p>x'


def render(*pages: tuple[Path, str]) -> list[tuple[list[str], list[str]]]:
    """Return what the engine asks for to draw pages of projects, and the names of the problems with that."""
    ran = subprocess.run(
        [sys.executable, "-c", RENDER],
        input=json.dumps([(str(project), html) for project, html in pages]),
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return [tuple(json.loads(line)) for line in ran.stdout.splitlines()]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project" / "templates").mkdir(parents=True)
    return tmp_path / "project"


WRITTEN = {
    "plain": '@import "{}";',
    "url": "@import url({});",
    "escaped keyword": '@\\69 mp\\6Frt "{}";',
    "escaped url": "@import u\\72l({});",
    "escaped letters": '@\\import "{}";',
    "comments": '@import/* " *//**/"{}";',
    "within what looks like a comment": 'a{{content:"/*"}} @import "{}"; b{{content:"*/"}}',
    "after rules": 'p {{ color: red }} @import "{}";',
    "capitals": '@IMPORT URL( "{}" );',
    "media": '@import "{}" print;',
    "after a comment": '/* "it\'s" url( \\ */ @import "{}";',
    "after a quotation mark in a text": 'a{{content:"\\"/*"}} @import "{}"; b{{content:"*/"}}',
    "after an address": 'a{{src:url( /*.png )}} @import "{}"; b{{src:url(*/)}}',
    "after what is no address": "curl(/*)'*/) {{}} x{{content:'/*'}} @import \"{}\"; x{{content:'*/'}}",
    "after a text that ends with its line": (
        'x{{content:"\n}} y{{content:"/*"}} @import "{}"; z{{content:"*/"}}'
    ),
    "the same with apostrophes": "x{{content:'\n}} y{{content:'/*'}} @import \"{}\"; z{{content:'*/'}}",
    "after an escaped bracket": "x{{src:url(\\)'))}} y{{content:'/*'}} @import \"{}\"; z{{content:'*/'}}",
    "after a comment that begins with a slash": (
        '/*/ " */ y{{content:"/*"}} @import "{}"; z{{content:"*/"}}'
    ),
    "after an escaped NUL": 'a{{content:"\\0 /*"}} @import "{}"; b{{content:"*/"}}',
}
"""Ways to write an import that the engine obeys."""

NAMES = {
    "loop.css": "loop.css",
    "lo\\6Fp.css": "loop.css",
    "lo\\\nop.css": "loop.css",
    " loop.css ": "loop.css",
}


def test_each_import_that_the_engine_obeys_is_counted(project: Path) -> None:
    pages: list[tuple[Path, str]] = []
    for written in WRITTEN.values():
        for name, meant in NAMES.items() if '"' in written else [("loop.css", "loop.css")]:
            css = written.format(name)
            assert meant in [imported.reference for imported in imports_in_use(css)]
            for loop in ("", css * 2):
                templates = project / str(len(pages)) / "templates"
                templates.mkdir(parents=True)
                (templates / "sheet.css").write_text(css * 2, encoding="utf-8", newline="")
                (templates / "loop.css").write_text(loop, encoding="utf-8", newline="")
                pages.append((templates.parent, PAGE))
    found = render(*pages)
    assert len(found) == len(pages)
    for asked, problems in found[::2]:
        assert (asked, problems) == (["sheet.css", "loop.css"], [])
    for asked, problems in found[1::2]:
        assert (asked, problems) == (["sheet.css"], ["too-many-imports"])


def test_no_comment_or_string_hides_an_import() -> None:
    css = """/* @import "a.css */ @import 'b.css'; /* .css" */"""
    assert [imported.reference for imported in imports_of(css)] == [
        "a.css */ @import 'b.css'; /* .css",
        "b.css",
    ]


COMMENTED = {
    "plain": '/* @import "loop.txt"; */',
    "behind a rule": 'p { src: url(a.png), url( "b/c.png" ); content: "\\201C" }\n/*@import "loop.txt";*/',
    "over lines": "/*\n * @import url(loop.txt);\n **/",
    "behind a slash": '/* and/or @import "loop.txt"; */',
    "behind the encoding": '@charset "UTF-8"; /* @import "loop.txt"; */',
    "in front of an import": '/* @import "loop.txt"; */ @import "loop.css";',
    "within an import": '@import/* "loop.txt" */"loop.css";',
    "in a style element": '<style>/* @import "loop.txt"; */</style>',
}


def test_a_comment_counts_for_nothing(project: Path) -> None:
    """The engine loads nothing because of it, and nobody is told of it."""
    for file in ("loop.css", "loop.txt"):
        (project / "templates" / file).write_text("", encoding="utf-8")
    pages, expected = [], {}
    for number, (name, css) in enumerate(COMMENTED.items()):
        imported = ["loop.css"] if "loop.css" in css else []
        assert [one.reference for one in imports_in_use(css)] == imported, name
        if css.startswith("<"):
            assert excess(f"<p>x{css}") is None
            pages.append((project, f"<p>x{css}"))
            expected[name] = (imported, [])
        else:
            sheet = f"sheet{number}.css"
            (project / "templates" / sheet).write_text(css, encoding="utf-8")
            assert style_sheet_excess(css) is None, name
            pages.append((project, PAGE.replace("sheet.css", sheet)))
            expected[name] = ([sheet, *imported], [])
    assert dict(zip(COMMENTED, render(*pages), strict=True)) == expected


def test_an_import_behind_a_comment_is_at_its_place() -> None:
    assert imports_in_use('/* no */ @import "a.txt"; @im/**/port "b.css";') == [(9, "a.txt")]


DOUBTFUL = {
    "a comment without an end": '/* @import "loop.txt";',
    "behind a backslash": '.a\\:b { color: red } /* @import "loop.txt"; */',
    "behind a text without an end": 'a { content: " }\n/* @import "loop.txt"; */',
    "behind another encoding": '@charset "shift_jis"; /* @import "loop.txt"; */',
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_may_not_be_a_comment_counts(name: str) -> None:
    assert [imported.reference for imported in imports_in_use(DOUBTFUL[name])] == ["loop.txt"]
    assert style_sheet_excess(DOUBTFUL[name]) is not None


def test_what_may_be_markup_counts_within_comments_too() -> None:
    for opening in ("<!-- /* -->", "<g>/*</g>", "<![CDATA[&#47;*]]>", "&#47;*", "/*<"):
        assert excess(f'<svg><style>{opening} @import "a.txt"; /* */</style></svg>') is not None


PIECES = (
    *("/*", "*/", "/", "*", '"', "'", "\\", "\n", " ", "url(", "URL( ", "curl(", "\u00e9url(", "(", ")"),
    *("a{", "}", ";", ":", "x", "\\\n", "41", "<!--", "-->", "@", "u+", "#", "-", '"/*"', "'*/'", "url(/*)"),
)


def test_what_counts_for_nothing_is_not_loaded_by_the_engine(project: Path) -> None:
    """Style sheets of pieces put together by chance, in which the import seems to be within a comment."""
    chance = Random() if THOROUGH else Random(1)
    sheets: list[str] = []
    while len(sheets) < share(800):
        pieces = [chance.choice(PIECES) for _ in range(chance.randrange(2, 24))]
        pieces.insert(chance.randrange(len(pieces) + 1), '@import "loop.css";')
        if not imports_in_use("".join(pieces)):
            sheets.append("".join(pieces))
    pages: list[tuple[Path, str]] = []
    for number, css in enumerate(sheets):
        templates = project / str(number) / "templates"
        templates.mkdir(parents=True)
        (templates / "sheet.css").write_text(css, encoding="utf-8", newline="")
        (templates / "loop.css").write_text("", encoding="utf-8")
        pages.append((templates.parent, PAGE))
    loaded = [css for css, (asked, _) in zip(sheets, render(*pages), strict=True) if "loop.css" in asked]
    assert loaded == []


LOOP = '@import "{0}"; @import "{0}";'
OTHERS = {
    "loop.txt": LOOP.format("loop.txt"),
    "loop": LOOP.format("loop"),
    "loop.svg": f'<!-- {LOOP.format("loop.svg")} --><svg xmlns="http://www.w3.org/2000/svg"/>',
    "loop.png": "\x89PNG{} " + LOOP.format("loop.png"),
    "loop.ttf": "OTTO{} " + LOOP.format("loop.ttf"),
}


def test_the_engine_loads_only_css_files_as_style_sheets(project: Path) -> None:
    pages, expected = [], {}
    for number, (name, text) in enumerate(OTHERS.items()):
        (project / "templates" / name).write_text(text, encoding="latin-1")
        sheet = f"sheet{number}.css"
        (project / "templates" / sheet).write_text(f'\n@import "{name}";')
        pages.append((project, PAGE.replace("sheet.css", sheet)))
        expected[name] = ([sheet], ["template-error"])
    assert dict(zip(OTHERS, render(*pages), strict=True)) == expected


@pytest.mark.parametrize("name", OTHERS)
def test_only_css_files_are_style_sheets(name: str) -> None:
    found = style_sheet_excess(f'\n@import "{name}";')
    assert found is not None
    assert (found.at, found.message) == (1, f"it imports `{name}`, which is not a .css file")
    for html in (f'<link rel="stylesheet" href="{name}">', f'<style>@import "{name}"</style>'):
        found = excess(f"<p>x</p>{html}")
        assert found is not None
        assert f"`{name}`" in found.message
    assert excess(f'<link rel="icon" href="{name}"><p>x') is None


WRAPPERS = [
    *("noscript", "template", "select", "table", "object", "video", "canvas", "math><mtext"),
    *("svg", "svg><g", "svg><title", "svg><desc", "svg><foreignObject"),
]
STYLES = {
    "plain": '<style>@import "a.txt";</style>',
    "split by a comment": '<style>@im<!-- -->port "a.txt";</style>',
    "CDATA": '<style><![CDATA[@import "a.txt";]]></style>',
    "entities": "<style>&#64;import &quot;a.txt&quot;;</style>",
    "split by an element": '<style>@im<g></g>port "a.txt";</style>',
    "link": '<link rel=stylesheet href="a.txt">',
    "link of a data: sheet": '<link rel=stylesheet href="data:text/css,%40import %22opforge://templates/a.txt%22">',
    "data: font": '<style>@import "data:font/css,%40import %22opforge://templates/a.txt%22"</style>',
}


def test_whatever_the_engine_loads_from_a_page_is_judged(project: Path) -> None:
    pages: list[str] = []
    for wrapper in WRAPPERS:
        close = "".join(f"</{name}>" for name in reversed(wrapper.split("><")))
        pages += [f"<p>x</p><{wrapper}>{style}{close}" for style in STYLES.values()]
    found = render(*((project, html) for html in pages))
    loading = [html for html, (asked, _) in zip(pages, found, strict=True) if asked]
    assert len(loading) > len(WRAPPERS)
    assert [html for html in loading if excess(html) is None] == []


def test_a_drawing_that_imports_is_drawn_without_the_engine(project: Path) -> None:
    for css in (
        '@import "a.css";',
        '<![CDATA[@im]]><![CDATA[port "a.css";]]>',
        "&#64;import 'a.css';",
        '@im<!-- -->port "a.css";',
    ):
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
            f'<style>{css} rect {{ fill: red }}</style><rect width="20" height="20"/></svg>'
        )
        drawing = read_drawing(svg.encode())
        assert drawing is not None
        assert drawing.imports
        (project / "art.svg").write_text(svg)
        assert Fetcher(Roots(project))("opforge://project/art.svg").mime == "image/png"
        inside = f"<img src='data:image/svg+xml,{svg.replace('#', '%23')}'>"
        found = excess(inside.replace("'a.css'", "&quot;a.css&quot;"))
        assert found is not None
        assert "imports style sheets" in found.message


def test_a_document_loads_as_many_style_sheets_as_its_cards_and_not_more() -> None:
    link = '<link rel="stylesheet" href="mine.css">'
    assert excess(f"<p>x</p>{link}" * 100, pages=100) is None
    assert excess(f"<p>x</p>{link}" * 100, pages=1) is not None


def test_a_document_loads_style_sheets_of_a_few_megabytes() -> None:
    def linked(reference: str) -> StyleSheet:
        return StyleSheet("p {}" + " " * 399_996 + '@import "b.css";' * (reference == "a.css"), linked)

    style = '<style>@import "a.css";</style>'
    assert excess(style * 12, linked=linked) is None
    found = excess(style * 13, linked=linked)
    assert found is not None
    assert "style sheets of more than 10 MB" in found.message


def test_an_ordinary_page_and_its_drawings_import_nothing() -> None:
    assert excess('<link rel="stylesheet" href="opforge://templates/base.css?v=2"><p>mail@import.org') is None
    assert not imports_of("/* no @import here */ p::after { content: '@media' } @layer a {}")
    assert style_sheet_excess('@import url("https://fonts.example.org/css2?family=Barlow");') is None
