"""The sandbox of templates, and rules text as markup."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from tests.render import samples
from tests.render.samples import ap, operator, words
from tests.thoroughness import some
from tests.yaml_files import read_yaml
from toolkit.render import environment
from toolkit.render.checks.template_check import unusable_names, unused_templates
from toolkit.render.environment import TemplateProblem, fill, make_environment
from toolkit.render.face import KINDS
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit import CardFit, Measure
from toolkit.render.markup import rules_markup
from toolkit.render.ornaments import UnknownIcon, icon_source
from toolkit.render.pages import Pages
from toolkit.render.sandbox import Sandbox
from toolkit.render.sizes import CARD_SIZES
from toolkit.wording.text import Names, Run, runs


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    project = tmp_path / "project"
    (project / "templates" / "icons").mkdir(parents=True)
    return Roots(project)


def filled(roots: Roots, text: str) -> str | TemplateProblem:
    (roots.overrides / "mine.html.jinja").write_text(text)
    return fill(make_environment(roots), "mine.html.jinja", {"name": "<Viper>", "items": [1]})


def test_values_are_escaped(roots: Roots) -> None:
    assert filled(roots, "{{ name }}") == "&lt;Viper&gt;"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a\n{{ nme }}", 2, "there is no `nme`"),
        ("a\n\n{% for %}", 3, "Expected"),
        ("{{ name.__class__.__mro__ }}", 1, "unsafe"),
        ("\n{{ items.append(1) }}", 2, "unsafe"),
        ("{{ 1 / 0 }}", 1, "division by zero"),
        ("{{ icon('nne') }}", 1, "no icon"),
        ("{% include 'none.jinja' %}", 1, "none.jinja"),
        ("{% for n in range(1000000000) %}{% endfor %}", 1, "too big"),
        ("{% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}", 1, "it includes itself endlessly"),
        ('{% extends "mine.html.jinja" %}', 1, "a shipped template is called `shipped/"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(roots: Roots, text: str, line: int, word: str) -> None:
    problem = filled(roots, text)
    assert isinstance(problem, TemplateProblem)
    assert problem.template == "mine.html.jinja"
    assert problem.line == line
    assert word in problem.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ face.nam }}", "`face` has no `nam`. Did you mean `name`?"),
        ("{{ face.zzzzzz }}", "`face` has no `zzzzzz`"),
        ("{{ face.stats[0].valeu }}", "a stat of `face.stats` has no `valeu`. Did you mean `value`?"),
        ("{{ face.stats[9].value }}", "a list has no `9`"),
        ("{{ face.art.name }}", "an empty value has no `name`"),
        ("{{ face.name.uper() }}", "a text has no `uper`. Did you mean `upper`?"),
        ("{{ fit.beginn('name', 9) }}", "`fit` has no `beginn`. Did you mean `begin`?"),
        ("{{ fase.name }}", "there is no `fase`. Did you mean `face`?"),
        ("{% import 'shapes.html.jinja' as s %}{{ s.sing() }}", "Did you mean `sign`?"),
        ("{% for n in [1] %}{{ loop.frist }}{% endfor %}", "`loop` has no `frist`. Did you mean `first`?"),
    ],
)
def test_an_unknown_name_is_told_in_the_words_of_templates(roots: Roots, text: str, message: str) -> None:
    (roots.overrides / "mine.html.jinja").write_text(text)
    values = {"face": operator(), "fit": CardFit(0, {})}
    problem = fill(make_environment(roots), "mine.html.jinja", values)
    assert isinstance(problem, TemplateProblem)
    assert message in problem.message
    assert "object" not in problem.message


def test_what_is_unknown_can_be_tested_for(roots: Roots) -> None:
    assert filled(roots, "{{ 1 if nme is defined else 2 }}") == "2"


def test_a_template_outside_the_folder_is_not_had(roots: Roots) -> None:
    secret = roots.project.parent / "secret.jinja"
    secret.write_text("secret")
    (roots.overrides / "link.jinja").symlink_to(secret)
    for name in ("link.jinja", "../../secret.jinja", "/etc/passwd"):
        assert isinstance(filled(roots, "{% include '" + name + "' %}"), TemplateProblem)


@pytest.mark.parametrize("sign", "{}'\"\\ \n\0%$:;#&()\u2028")
def test_a_name_with_a_sign_that_could_be_code_never_reaches_jinja(roots: Roots, sign: str) -> None:
    name = f"seal{sign}x.jinja"
    if sign not in "\0":
        (roots.overrides / name).write_text("{% from 'card.html.jinja' import nothing %}")
    for statement in ("include {}", "extends {}", "import {} as x", "from {} import x", "include [{}]"):
        problem = filled(
            roots, "\n{% set name = " + json.dumps(name) + " %}{% " + statement.format("name") + " %}"
        )
        assert isinstance(problem, TemplateProblem)
        assert problem.line == 2
        assert "only letters, digits, `-`, `_`, `.` and `/`" in problem.message
    (roots.overrides / "mine.html.jinja").write_text("")
    unusable = [finding.span.file.path.name for finding in unusable_names(roots)]
    assert unusable == ([] if sign == "\0" else [name])
    assert not any(finding.span.file.path.name == name for finding in unused_templates(roots))


@pytest.mark.parametrize("name", ["gr\u00f6\u00dfe.jinja", "gro\u0308sse.jinja", "Seal_2-b/c.d.jinja"])
def test_letters_of_all_scripts_may_be_in_names(roots: Roots, name: str) -> None:
    (roots.overrides / name).parent.mkdir(exist_ok=True)
    (roots.overrides / name).write_text("x")
    assert filled(roots, f"{{% include {name!r} %}}") == "x"
    assert list(unusable_names(roots)) == []


def test_a_changed_template_is_read_anew_and_nothing_is_kept(roots: Roots) -> None:
    assert filled(roots, "one") == "one"
    assert filled(roots, "two") == "two"
    assert not (roots.project.parent / "cache").exists()


def test_the_projects_icon_comes_first(roots: Roots) -> None:
    (roots.overrides / "icons" / "ap.svg").write_text('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>')
    assert 'd="M0 0"' in icon_source(roots)("ap")
    assert "<svg" in icon_source(roots)("ep")


UNUSABLE = {
    "<svg><script/></svg>": "has scripts or links",
    '<svg onload="x"/>': "has scripts or links",
    '<svg><a href="x"/></svg>': "has scripts or links",
    "no drawing": "is not a well-formed SVG drawing",
    "<svg><g></svg>": "is not a well-formed SVG drawing",
    "<svg>" + "<g opacity='.5'/>" * 20_000 + "</svg>": "elements, counting",
}


@pytest.mark.parametrize("drawn", UNUSABLE)
def test_an_icon_must_be_a_mere_drawing(roots: Roots, drawn: str) -> None:
    (roots.overrides / "icons" / "mine.svg").write_text(drawn)
    with pytest.raises(UnknownIcon, match=f"'mine' .* cannot be used: it .*{UNUSABLE[drawn]}"):
        icon_source(roots)("mine")


@pytest.mark.parametrize("name", ["../ap", "AP", "", "a/b", "none"])
def test_an_icon_that_is_not_there(roots: Roots, name: str) -> None:
    with pytest.raises(UnknownIcon):
        icon_source(roots)(name)


def drawn(name: str) -> Markup:
    return Markup("[{}]").format(name)


def test_an_amount_stays_with_its_stat() -> None:
    made = rules_markup(words("self gets +2 ", ap(), " now."), drawn)
    assert made == 'self gets <span class="amount">+2 <span class="stat">[ap]AP</span></span> now.'


def test_a_long_word_may_leave_its_amount_and_icon() -> None:
    made = rules_markup((Run("text", "gets +2 "), Run("stat", "HITCOUNTER", "hitcounter")), drawn)
    assert made == 'gets <span class="amount">+2 [hitcounter]</span><span class="stat">HITCOUNTER</span>'


def test_no_paragraph_ends_with_a_stub() -> None:
    said = "All enemy OPERATORs get +2 HITCOUNTER and become OUT."
    assert rules_markup(words(said), drawn).endswith("and become\xa0OUT.")
    assert rules_markup(words("It is OUT."), drawn) == "It is OUT."
    said = "Enemy OPERATORs adjacent to it get −1 EP."
    assert rules_markup(words(said), drawn).endswith("it get\xa0−1\xa0EP.")


def test_an_amount_of_a_marker_is_printed_as_that_of_a_stat() -> None:
    made = rules_markup((Run("text", "it gets +1 "), Run("keyword", "Intel"), Run("text", ".")), drawn)
    assert made == 'it gets <span class="amount">+1 <span class="keyword">Intel</span></span>.'
    counted = rules_markup((Run("text", "on 4 "), Run("keyword", "HIT")), drawn)
    assert "amount" not in counted


def test_a_change_of_range_is_bold_and_a_place_in_it_is_not() -> None:
    assert [run.text for run in runs("gets +1 RANGE. It is in RANGE.", Names(), "en")] == [
        *("gets +1 ", "RANGE", ". It is in RANGE.")
    ]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("you draw 2 cards.", "you draw 2~cards."),
        ("du mindestens 1 OPERATOR hast, in ROUND 3 oder", "du mindestens 1~OPERATOR hast, in ROUND~3~oder"),
        ("it gets −2 AP and +1 EP", "it gets −2~AP and +1~EP"),
        ("its HITCOUNTER × 2 is at least 5, so", "its HITCOUNTER~×~2~is at least~5, so"),
        ("on less than 4 it is OUT (max. 3×).", "on less than~4~it is OUT (max.~3×)."),
        ("as CRITICAL on 5+. It rolls 1 ATTACK D6 now", "as CRITICAL on~5+. It rolls 1~ATTACK D6 now"),
    ],
)
def test_no_line_ends_beside_a_number(text: str, printed: str) -> None:
    assert rules_markup(words(text), drawn) == printed.replace("~", "\xa0")
    half = len(text) // 2
    in_runs = rules_markup((Run("text", text[:half]), Run("text", text[half:])), drawn)
    assert in_runs == printed.replace("~", "\xa0")


def test_no_number_of_a_golden_text_stands_alone() -> None:
    for file in sorted((Path(__file__).parent.parent / "wording" / "golden").glob("*.yaml")):
        cases = (case for case in read_yaml(file) if "effect" in case)
        for case in cases:
            for line in (case["en"] + "\n" + case["de"]).splitlines():
                made = str(rules_markup(words(line), drawn))
                for number in re.finditer(r"(?<![\w(])[+−]?\d+\+?(?![\d-])", made):  # "3-fachen" is a word
                    beside = made[number.start() - 1] + made[number.end() : number.end() + 1]
                    assert "\xa0" in beside, (number.group(), made)


def test_a_word_before_a_stat_is_no_amount() -> None:
    made = rules_markup(words("the ", ap(), "."), drawn)
    assert made == 'the <span class="amount"><span class="stat">[ap]AP</span></span>.'


def test_every_kind_of_run_has_its_markup() -> None:
    paragraph = (
        Run("stat", "EP", "ep"),
        Run("keyword", "HIT"),
        Run("text", " <&> 2+"),
        Run("die", "ATTACK D6", "attack-d6"),
        Run("reminder", "(so)"),
    )
    made = rules_markup(paragraph, drawn)
    assert made == (
        '<span class="stat">[ep]EP</span><span class="keyword">HIT</span> &lt;&amp;&gt; 2+'
        '<span class="amount"><span class="die">[attack-d6]ATTACK D6</span></span>'
        '<span class="reminder">(so)</span>'
    )
    assert made.count("<span") == made.count("</span>")


def measure(content: tuple[float, float]) -> Measure:
    return Measure(0, "rules", size=9, floor=6, box=(100, 50), content=content)


def test_rounding_is_no_excess() -> None:
    assert measure(content=(101, 51)).excess == 0
    assert measure(content=(100, 52)).excess == 2
    assert measure(content=(104, 50)).excess == 4


def test_the_next_size_follows_the_root_of_the_height_and_the_width() -> None:
    assert measure(content=(100, 60)).next_size() == pytest.approx(9 * (50 / 60) ** 0.5, abs=0.06)
    assert measure(content=(120, 50)).next_size() == pytest.approx(9 * 100 / 120, abs=0.06)
    assert measure(content=(100, 500)).next_size() == 6
    assert measure(content=(100, 51.5)).next_size() <= 8.9


def test_sizes_that_were_found_win_over_those_of_the_template() -> None:
    fit = CardFit(3, {"rules": 7.25}, 1.0)
    assert fit.size("rules", 9) == 7.25
    assert fit.size("name", 15) == 15
    assert CardFit(3, {}, 0.5).size("rules", 9) == 6
    assert "fit:b:3:name:15.0:6.0" in fit.begin("name", 15)


def test_rules_text_shrinks_in_steps_of_half_a_point() -> None:
    fit = CardFit(0, {}, 1.0)
    assert [fit.likely(9, length, 54, 28) for length in (0, 50, 300, 400, 800)] == [9, 9, 8.5, 7, 6]
    assert "fit:b:0:rules:8.5:9.0/8.5/8.0/7.5/7.0/6.5/6.0" in fit.begin("rules", 8.5)
    steps = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
    for size, height, below in ((9, 56, 8.5), (9, 70, 7.5), (8, 52, 7.5), (9, 500, 6), (6, 500, 6)):
        assert Measure(0, "rules", size, 6, (100, 50), (100, height), steps=steps).next_size() == below


@pytest.mark.parametrize(
    ("length", "size", "most"),
    [(0, 9, 28), (50, 9, 28), (160, 9, 28), (300, 8, 35), (400, 8, 35), (560, 7, 44), (1000, 7, 99)],
)
def test_the_depth_of_a_text_leaves_the_rest_to_the_picture(length: int, size: float, most: float) -> None:
    fit = CardFit(0, {}, 1.0)
    depth = fit.depth(length, 54, 9, 28, 1.25)
    assert depth <= most
    assert (depth > 44) == (length == 1000)
    assert fit.likely(9, length, 54, depth) == size
    assert fit.likely(9, length, 54, 0.6 * depth) < size or size == 6 or length < 100


@given(
    size=st.floats(4, 14),
    floor=st.floats(3, 12),
    scale=st.floats(0.4, 2),
    room=st.floats(1, 1.6),
    lengths=st.lists(st.integers(0, 2000), min_size=4),
)
def test_rules_text_has_whole_steps_between_the_floor_and_the_size_of_the_template(
    size: float, floor: float, scale: float, room: float, lengths: list[int]
) -> None:
    begun = [CardFit(0, {}, scale, floor, room) for _ in lengths]
    sizes = [
        round(fit.likely(size, length, 54, 28) * scale, 2) for fit, length in zip(begun, lengths, strict=True)
    ]
    assert all(2 * step == int(2 * step) or step == round(floor, 2) for step in sizes)
    assert min(sizes) >= round(floor, 2)
    ordered = sorted(zip(lengths, sizes, strict=True))
    assert [size for _, size in ordered] == sorted(sizes, reverse=True)


def test_what_ships_is_filled_alike_whether_it_is_counted_or_not(tmp_path: Path) -> None:
    (tmp_path / "own" / "templates").mkdir(parents=True)
    (tmp_path / "none").mkdir()
    faces = [samples.operator(), samples.objective()]
    faces += [
        samples.deck_card(kind, "Smoke") for kind in ("attack", "defence", "effect", "strategy", "item")
    ]
    for theme in ("classic", "tournament"):
        own, none = (
            [
                Pages(CARD_SIZES["poker"], Fetcher(Roots(tmp_path / name, theme=theme))).card(face, 1, {})
                for face in faces
            ]
            for name in ("own", "none")
        )
        assert own == none
        assert all(isinstance(page, Markup) for page in own)


def test_shipped_templates_are_compiled_once_and_a_changed_one_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setattr(environment._CompiledTemplates, "_FOLDER", kept)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept.mkdir()
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    roots = Roots(tmp_path / "project", shipped)

    def made(text: str) -> str | TemplateProblem:
        environment._CompiledTemplates._codes.clear()  # as in a new process
        (shipped / "x.html.jinja").write_text(text)
        return fill(make_environment(roots), "x.html.jinja", {"name": "<Viper>"})

    assert made("1 {{ name }}") == "1 &lt;Viper&gt;"
    (file,) = kept.iterdir()
    whole = file.read_bytes()
    monkeypatch.setattr(Sandbox, "compile", None)
    assert made("1 {{ name }}") == "1 &lt;Viper&gt;"
    monkeypatch.undo()
    monkeypatch.setattr(environment._CompiledTemplates, "_FOLDER", kept)
    assert made("2 {{ name }}") == "2 &lt;Viper&gt;"
    for damaged in (b"", whole[:20], b"x" * 99):
        file.write_bytes(damaged)
        assert made("3 {{ name }}") == "3 &lt;Viper&gt;"


def test_no_template_of_a_project_is_kept_compiled(roots: Roots, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = roots.project / "kept"
    kept.mkdir()
    monkeypatch.setattr(environment._CompiledTemplates, "_FOLDER", kept)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert filled(roots, "{{ name }}") == "&lt;Viper&gt;"
    assert not list(kept.iterdir())


def test_a_process_compiles_each_text_of_a_template_once(
    roots: Roots, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert filled(roots, "{{ name }} once") == "&lt;Viper&gt; once"
    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "compile", None)
        assert filled(roots, "{{ name }} once") == "&lt;Viper&gt; once"
    assert filled(roots, "{{ name }} twice") == "&lt;Viper&gt; twice"


def test_templates_that_are_filled_once_print_what_counted_ones_do(tmp_path: Path) -> None:
    """Cards that share a frame, and ones that share it but for a number, a TEAM or the length of a text."""
    faces = [
        operator(name, lang, stats=stats, team_colours=colours, art=None)
        for name in ("Viper", "Ox & Ant")
        for lang in ("en", "de")
        for stats in (operator().stats, operator().stats[:3])
        for colours in (("#1d2b3a", "#e8c547"), ("#7a1f3d", "#f4d35e"), None)
    ]
    faces += [
        samples.deck_card(kind, f"Card {n}", flavour="word " * 30 * n) for kind in KINDS[1:] for n in (1, 2)
    ]
    plain, counted = Roots(tmp_path / "plain"), Roots(tmp_path / "counted")
    counted.overrides.mkdir(parents=True)
    for size in some((CARD_SIZES["poker"], CARD_SIZES["mini"]), 1):
        once, always = (Pages(size, Fetcher(roots)) for roots in (plain, counted))
        for number, face in enumerate([*faces, *faces]):
            assert once.card(face, number, {}) == always.card(face, number, {}), face.name


def test_what_is_filled_once_depends_on_types_and_fields(tmp_path: Path) -> None:
    (tmp_path / "a.html.jinja").write_text("{% macro m(x) %}{{ x }}{% endmacro %}")
    (tmp_path / "b.html.jinja").write_text('{% import "a.html.jinja" as a %}{{ a.m(n) }} {{ a.m([n]) }}')
    (tmp_path / "c.html.jinja").write_text("{% block b %}{{ n }} {{ face.name }}{% endblock %}")
    environment = make_environment(Roots(tmp_path / "project", tmp_path))
    for n, name in ((1, "A"), (1.0, "A"), (True, "A"), ("1", "B"), ("<", "B"), (Markup("<"), "B")):
        values = {"n": n, "face": operator(name)}
        shown = Markup("{}").format(n)
        assert fill(environment, "c.html.jinja", values) == f"{shown} {name}"
        assert fill(environment, "b.html.jinja", values) == f"{shown} {Markup('{}').format([n])}"
