"""ignored-css: what it says is what the engine does, each cause once, at its exact place."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.diagnostics import Diagnostic
from toolkit.render.checks.css_check import ignored_in, read_rules, without_comments
from toolkit.render.checks.print_findings import unusable_resource
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.environment import fill, make_environment
from toolkit.render.fetch import EMPTY_RESOURCE, TEMPLATES_ADDRESS, Fetcher, Roots
from toolkit.render.ornaments import gradient, shadow
from toolkit.render.output_limits import excess
from toolkit.render.renderer import Fetch
from toolkit.render.sizes import Size
from toolkit.resources import templates_folder

HTML = '<div class="o"><div class="x">Wort eins zwei drei</div><div class="y">zwei</div><p>drei</p></div>'
DEEP = (
    "a{b:" + "(" * 5000,
    "@media print{" * 5000,
    "a{" * 5000,
    "a" + ":not(" * 5000 + ")" * 5000 + "{color:red}",
)


@pytest.mark.parametrize("css", DEEP, ids=range(len(DEEP)))
def test_no_style_sheet_is_too_deep_to_be_read(css: str) -> None:
    assert list(read_rules(css, 0, len(css)))


@pytest.mark.parametrize("css", DEEP, ids=range(len(DEEP)))
def test_a_style_sheet_that_is_too_deep_for_an_engine_does_not_reach_it(css: str, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "card.css").write_text(css, encoding="utf-8")
    fetcher = Fetcher(Roots(tmp_path))
    address = TEMPLATES_ADDRESS + "card.css"
    assert fetcher(address) is EMPTY_RESOURCE
    finding = unusable_resource(address, fetcher.problems[address], [], fetcher.roots)
    assert "brackets nest more than 1000 deep" in finding.message
    assert excess(f"<style>{css}</style>") is not None


BASE = "body{margin:0;font:14px sans-serif}.o{width:150px}.x{width:100px;background:#ddd;padding:4px}"

PRINTED = """
    width: calc(10px + 40px)
    width: min(60px, 50px)
    width: clamp(10px, 50px, 60px)
    width: 50%
    width: 30mm
    color: hsl(120 50% 50%)
    color: rgb(10 200 30 / 50%)
    color: #f008
    color: rebeccapurple
    display: none
    display: flex; height: 60px; align-items: flex-end
    overflow: hidden; height: 5px
    inset: 5px; position: absolute
    transform: rotate(10deg)
    opacity: .5
    border-radius: 8px
    border: 2px dashed red
    outline: 2px solid red
    letter-spacing: 2px
    text-transform: uppercase
    text-align: right
    white-space: nowrap
    font: italic bold 20px serif
    columns: 2
    margin-inline: 10px
    --mine: 30px; padding: var(--mine)
    color: red !important
    @media print { .x { color: red } }
    .x:first-child { color: red }
    .x:is(.x, .y) { color: red }
    .o:has(.y) { color: red }
    .x:not(.z) { color: red }
    .x::before { content: "b" }
    .x ~ p { color: red }
    [class^=x] { color: red }
"""

IGNORED = """
    width: calc(100% - 40px)
    width: min(100%, 50px)
    padding: clamp(1px, 10%, 9px)
    color: oklch(50% .2 30)
    color: color-mix(in srgb, red, blue)
    color: redd
    background: linear-gradient(red, blue)
    background-image: radial-gradient(red, blue)
    background: url(a.png), red
    box-shadow: 0 0 4px red
    text-shadow: 1px 1px 0 red
    filter: blur(2px)
    clip-path: circle(20px)
    mask-image: linear-gradient(red, blue)
    display: grid; grid-template-columns: 1fr 1fr
    display: inline-grid
    display: contents
    position: sticky
    aspect-ratio: 1
    rotate: 10deg
    translate: 5px
    border-image: url(a.png) 5
    text-decoration-thickness: 3px
    text-wrap: balance
    font-size: 2cqw
    font-size: 50
    width: 50 px
    place-items: center
    background-blend-mode: multiply
    all: unset
    colour: red
    padding: round(2px, 1px)
    -webkit-text-stroke: 1px red
    .x { &:first-child { color: red } }
    .o { .x { color: red } }
    @supports (display: flex) { .x { color: red } }
    @layer a { .x { color: red } }
    @container (min-width: 1px) { .x { color: red } }
    .x:bogus, .x { color: red }
"""

HARMLESS = """
    cursor: pointer
    transition: all 1s
    animation: a 1s
    user-select: none
    print-color-adjust: exact
    @media screen { .x { color: red } }
    .x:hover { color: red }
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def sheet(line: str) -> str:
    return line if "{" in line else f".x {{ {line} }}"


def drawn(css: str) -> bytes:
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    fetch: Fetch = lambda _address: EMPTY_RESOURCE  # noqa: E731 -- it has the form of a fetcher
    html = f"<style>{BASE}{css}</style>{HTML}"
    return next(engine.rasters(html, Size(50, 50), 0, 72, fetch)).bgra


def found_in(folder: Path, text: str, name: str = "mine.css") -> list[Diagnostic]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return list(ignored_in(path))


@pytest.fixture(scope="module")
def plain() -> bytes:
    return drawn("")


@pytest.mark.parametrize("line", lines(PRINTED))
def test_what_is_printed_is_no_finding(line: str, plain: bytes, tmp_path: Path) -> None:
    assert drawn(sheet(line)) != plain
    assert found_in(tmp_path, sheet(line)) == []


@pytest.mark.parametrize("line", lines(IGNORED))
def test_what_the_engine_ignores_is_found(line: str, plain: bytes, tmp_path: Path) -> None:
    assert drawn(sheet(line)) == plain
    (finding,) = found_in(tmp_path, sheet(line))
    assert finding.name == "ignored-css"
    assert finding.next_step.endswith((".", "?"))


@pytest.mark.parametrize("line", lines(HARMLESS))
def test_what_would_change_nothing_on_paper_is_not_worth_a_word(line: str, tmp_path: Path) -> None:
    assert found_in(tmp_path, sheet(line)) == []


def test_the_shipped_templates_ask_for_nothing_that_is_ignored() -> None:
    files = [path for path in templates_folder().rglob("*") if path.suffix in (".css", ".jinja")]
    assert len(files) > 20
    assert [finding for path in files for finding in ignored_in(path)] == []


def test_a_cause_is_told_once_with_the_other_places(tmp_path: Path) -> None:
    css = dedent("""
        /* box-shadow: none */
        .a { box-shadow: 0 0 1rem black; display: grid }
        .b { grid-gap: 1rem; box-shadow: none }
    """)
    shadows, grid = found_in(tmp_path, css)
    assert [shadows.span.text, shadows.span.begin_position.line] == ["box-shadow", 3]
    assert [label.span.begin_position.line for label in shadows.labels] == [4]
    assert [grid.span.text, *(label.span.text for label in grid.labels)] == ["grid", "grid-gap"]


def test_templates_are_looked_at_where_they_are_css(tmp_path: Path) -> None:
    template = dedent("""
        {% set style = "display: grid" %}{# style="display: grid" #}
        <style>.a { {{ anything }}; filter: blur({{ x }}px) }</style>
        <p style="left: {{ "calc(100% - 1px)" }}; width: {{ w }}rem; {{ shapes.at(1, 2) }}; {{ name }}: grid">
        <p style='width: calc({{ w }}rem - 10%)' title="display: grid">display: grid</p>
    """)
    filtered, reckoned = found_in(tmp_path, template, "mine.html.jinja")
    assert (filtered.span.text, filtered.span.begin_position.line) == ("filter", 3)
    assert (reckoned.span.text, reckoned.span.begin_position.line) == ("calc({{ w }}rem - 10%)", 5)


@pytest.mark.parametrize(
    ("css", "says"),
    [
        (".a { colr: red }", "Did you mean `color`?"),
        (".a { color: reed }", "Did you mean `red`?"),
        (".a { display: flexx }", "Did you mean `flex`?"),
        (".a { background: linear-gradient(red, blue) }", "`gradient(…)` draws one"),
        (".a { width: 12 }", "`12rem`"),
    ],
)
def test_the_next_step_is_one_that_works(tmp_path: Path, css: str, says: str) -> None:
    (finding,) = found_in(tmp_path, css)
    assert says in finding.next_step


@given(st.text(alphabet="a:;{}()[]\"'/*@%#.-0 \n", max_size=40))
def test_no_style_sheet_makes_it_raise(text: str) -> None:
    css = without_comments(text)
    assert len(css) == len(text)
    for rule in read_rules(css, 0, len(css)):
        for declaration in rule.declarations:
            assert text.startswith(declaration.value.text, declaration.value.at) or "/*" in text


def test_gradients_shadows_and_icons_are_drawn(tmp_path: Path) -> None:
    place = '<img src="{}" style="position:absolute;left:0;top:0;width:100px;height:100px">'
    pictures = {
        gradient("#ff0000", "#0000ff", angle=90),
        gradient("#ff0000", "#0000ff", radial=True),
        gradient("#000000", "#000000", opacity=(1, 0)),
        shadow(30, 20, blur=5),
    }
    shown = {drawn("</style>" + place.format(one) + "<style>") for one in pictures}
    assert len(shown) == 4
    assert drawn("") not in shown
    roots = Roots(tmp_path)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.jinja").write_text('<img src="{{ icon_image("ap", "#aa0000") }}">')
    filled = fill(make_environment(roots), "a.jinja", {})
    assert isinstance(filled, str)
    assert "%23aa0000" in filled
    assert drawn("</style>" + filled + "<style>") != drawn("")


def test_a_gradient_goes_the_way_of_its_angle() -> None:
    assert "x1='0' y1='0.5' x2='1' y2='0.5'" in _plain(gradient("#000", "#fff", angle=90))
    assert "x1='0.5' y1='0' x2='0.5' y2='1'" in _plain(gradient("#000", "#fff"))


def _plain(address: str) -> str:
    from urllib.parse import unquote

    return unquote(address)
