"""Templates of strangers: what they reach, and how much they may do."""

from __future__ import annotations

import re
import types
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from shutil import copytree
from urllib.parse import quote

import pytest
from markupsafe import Markup

from tests.render import samples
from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.data.art.drawing_costs import Cost, StyleSheet
from toolkit.render.environment import TemplateProblem, fill, make_environment
from toolkit.render.face import RulesText, Stat
from toolkit.render.fetch import Roots
from toolkit.render.fit import CardFit
from toolkit.render.ornaments import gradient, shadow
from toolkit.render.output_limits import excess
from toolkit.render.pages import Geometry
from toolkit.render.sandbox import ATTRIBUTES, OverBudget, Sandbox
from toolkit.render.template_values import Record, template_value, values_of
from toolkit.wording.languages import Words

PROJECTS = Path(__file__).parent.parent / "projects"

ATTACKS = {
    "icon": "{{ icon.args[0].project.joinpath('written').write_text('x') }}",
    "icon_image": "{{ icon_image.args[0].project.joinpath('written').write_text('x') }}",
    "filter": "{{ ('x' | map('rules')).gi_frame.f_globals }}",
    "art": "{{ face.art.parent.joinpath('written').write_text('x') }}",
    "place": "{{ face.place('card').file.path.parent.joinpath('written').write_text('x') }}",
    "places": "{{ face.places['card'].file.path.parent.joinpath('written').write_text('x') }}",
    "anchor": "{{ face.places.card.anchor.file.path.write_text('x') }}",
    "attr": "{{ face | attr('places') }}",
    "map": "{{ [face] | map(attribute='places') | first }}",
    "groupby": "{{ [face] | groupby('__class__') | map('first') | first }}",
    "format": "{{ '{0.__class__}'.format(face) }}",
    "format_map": "{{ '{x.__class__}'.format_map({'x': face}) }}",
    "format filter": "{{ '%s' | format(mix.__wrapped__.__globals__) }}",
    "globals": "{{ icon.__globals__ }}",
    "closure": "{{ gradient.__closure__ }}",
    "macro": "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "caller": "{% macro m() %}{{ caller._func.__code__ }}{% endmacro %}{% call m() %}{% endcall %}",
    "loop": "{% for a in [1] %}{{ loop._iterator.__class__ }}{% endfor %}",
    "self": "{{ self._TemplateReference__context.environment }}",
    "super": "{{ self.words._context.environment }}",
    "block": "{{ self.words.__call__.__func__ }}",
    "cycler": "{{ cycler.__init__.__globals__ }}",
    "lipsum": "{{ lipsum.__globals__.os }}",
    "namespace": "{{ namespace().__class__ }}",
    "undefined": "{{ none._fail_with_undefined_error }}",
    "import": "{% import 'shapes.html.jinja' as s %}{{ s._body_stream.append }}",
    "imported macro": "{% from 'shapes.html.jinja' import at %}{{ at._environment.loader }}",
    "fit": "{{ fit.begin.__func__.__globals__ }}",
    "include": "{% include '../opforge.yaml' %}",
    "extends": "{% extends '/etc/passwd' %}",
    "list": "{{ face.skills.__class__.__mro__[1].__subclasses__() }}",
    "type": "{{ dict.mro() }}",
}
"""What a stranger's template tries, by what it begins with."""

COMMANDS = {
    "sheet": ["sheet", "now", "-o", "sheet.pdf", "--kind", "operator"],
    "cards": ["cards", "now", "-o", "pictures", "--kind", "operator", "--dpi", "30"],
    "tts": ["tts", "now", "-o", "table", "--kind", "operator"],
    "check": ["check", "now", "--fit"],
}


@pytest.fixture
def project(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with a picture, as ``now`` in the current folder."""
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.chdir(tmp_path)
    copytree(PROJECTS / "small", "now")
    Path("now/viper.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    cards = Path("now/cards.yaml")
    cards.write_text(
        cards.read_text().replace("    team: night-owls\n", "    team: night-owls\n    art: viper.svg\n")
    )
    return tmp_path


def write(name: str, text: str, project: Path = Path("now")) -> None:
    path = project / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sandbox]:
    """A project with a template for each attack and each excess, and one environment for all."""
    folder = tmp_path_factory.mktemp("strange")
    for number, text in enumerate(ATTACKS.values()):
        write(f"attack-{number}.html.jinja", f"{{% block words %}}{{% endblock %}}\n\n{text}", folder)
    for number, text in enumerate(TOO_MUCH.values()):
        write(f"much-{number}.html.jinja", f"<p>\n</p>\n{text}\n<p>\n</p>", folder)
    write("long.html.jinja", loop(loop("")), folder)
    return folder, make_environment(Roots(folder))


def files(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_a_template_must_not_reach_is_a_problem_at_its_line(
    strange: tuple[Path, Sandbox], attack: str
) -> None:
    folder, sandbox = strange
    face = samples.operator(art=folder / "viper.svg")
    before = files(folder)
    template = f"attack-{list(ATTACKS).index(attack)}.html.jinja"
    problem = fill(sandbox, template, {"face": face, "fit": CardFit(0, {})})
    assert isinstance(problem, TemplateProblem), problem
    assert (problem.template, problem.line) == (template, 3)
    assert files(folder) == before


WRITING = ("icon", "icon_image", "art", "place", "places", "anchor")
PAIRS = [
    (attack, command)
    for number, attack in enumerate(WRITING)
    for which, command in enumerate(COMMANDS)
    if THOROUGH or which == number % len(COMMANDS)
]
"""Each attack with one command, each command with an attack at least; in a thorough run all of them."""


@pytest.mark.parametrize(("attack", "command"), PAIRS)
def test_no_command_lets_a_template_write(project: Path, attack: str, command: str) -> None:
    text = ATTACKS[attack]
    write(
        "operator.html.jinja",
        f"{{% extends 'shipped/operator.html.jinja' %}}{{% block words %}}{text}{{% endblock %}}",
    )
    assert run(COMMANDS[command]) == 1
    assert not list(project.rglob("written"))
    assert (project / "now" / "cards.yaml").read_text().startswith("cards:")


@pytest.mark.parametrize("name", ["pages", "cards"])
def test_the_reference_lets_no_template_write(project: Path, name: str) -> None:
    write(f"reference/{name}.html.jinja", ATTACKS["icon"])
    assert run(["reference", "now", "-o", "r.pdf", *(["--cards"] if name == "cards" else [])]) == 1
    assert not list(project.rglob("written"))


@pytest.mark.parametrize("attack", ["icon", "icon_image", "places"])
def test_a_comparison_of_two_versions_lets_no_template_write(project: Path, attack: str) -> None:
    copytree("now", "before")
    write("operator.html.jinja", ATTACKS[attack])
    run(["changes", "before", "now"])
    run(["sheet", "now", "-o", "s.pdf", "--changed-since", "before"])
    assert not list(project.rglob("written"))


# All that can be reached

FUNCTIONS = {
    *(
        "icon",
        "ink",
        "mix",
        "readable",
        "contrast",
        "gradient",
        "shadow",
        "icon_image",
        "of_kind",
        "_empty_picture",
        "<lambda>",
    ),
    "_range",
}
"""Functions that may be reached, closures and what wraps them included."""


def reached(thing: object, seen: set[int]) -> Iterator[tuple[str, object]]:
    """All values behind a value: attributes, items, defaults, closures, and what a function was made with."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield type(thing).__name__, thing
    for one in behind(thing):
        for path, value in reached(one, seen):
            yield f"{type(thing).__name__} → {path}", value


def behind(thing: object) -> Iterable[object]:
    if isinstance(thing, Mapping):
        return [*thing, *thing.values()]
    if isinstance(thing, Record):
        return list(values_of(thing).values())
    if isinstance(thing, types.FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        given = [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
        return [*cells, *given, *vars(thing).values()]
    if isinstance(thing, types.MethodType):
        return [thing.__self__, thing.__func__]
    if isinstance(thing, partial):
        return [thing.func, thing.args, thing.keywords]
    if isinstance(thing, (str, int, float, type(None))):
        return ()
    found = list(thing) if isinstance(thing, (tuple, list)) else []
    names = {name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())}
    names |= {*getattr(thing, "__dict__", ()), *ATTRIBUTES.get(type(thing), ())} - {"count", "index"}
    return [*found, *(getattr(thing, name) for name in names if hasattr(thing, name))]


PLAIN = (
    str,
    int,
    float,
    bool,
    type(None),
    tuple,
    list,
    dict,
    Markup,
    Record,
    Stat,
    RulesText,
    CardFit,
    Words,
    Geometry,
)
"""Words is a language and its texts, Geometry numbers; templates are given only functions that ask them."""


def contexts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str, Sandbox, Mapping[str, object]]]:
    """What every kind of template is filled with."""
    made: list[tuple[str, Sandbox, Mapping[str, object]]] = []

    def noted(sandbox: Sandbox, template: str, values: Mapping[str, object]) -> str | TemplateProblem:
        made.append((template, sandbox, values))
        return fill(sandbox, template, values)

    copytree("now", "before")
    squad = "squads:\n  - {id: alone, name: Alone, operators: [viper], deck: {aimed-shot: 1}}\n"
    (folder / "now" / "squads.yaml").write_text(squad, encoding="utf-8")
    for module in ("render.pages", "press.documents"):
        monkeypatch.setattr(f"toolkit.{module}.fill", noted)
    for command in (
        ["sheet", "now", "-o", "s.pdf", "--backs"],
        ["sheet", "now", "-o", "t.pdf", "--low-ink"],
        ["reference", "now", "-o", "r.pdf"],
        ["reference", "now", "-o", "r2.pdf", "--cards"],
        ["mat", "now", "-o", "m.pdf"],
        ["squads", "now", "-o", "q.pdf"],
    ):
        run(command)
    cards = folder / "now" / "cards.yaml"
    cards.write_text(cards.read_text().replace("+2 AP", "+1 AP"))
    run(["sheet", "now", "-o", "c.pdf", "--changed-since", "before"])
    return made


def test_templates_reach_only_texts_numbers_records_and_listed_functions(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = contexts(project, monkeypatch)
    kinds = {template for template, _, _ in made}
    assert kinds >= {
        *(f"{kind}.html.jinja" for kind in ("operator", "attack", "strategy", "objective", "back", "page")),
        *(f"reference/{name}.html.jinja" for name in ("pages", "cards", "changes")),
        *(f"{name}.html.jinja" for name in ("mat/mat", "mat/sheets", "squads/squads")),
    }
    for template, sandbox, values in made:
        given: dict[str, object] = dict(sandbox.globals)
        given |= {name: one if callable(one) else template_value(one) for name, one in values.items()}
        for name, start in given.items():
            for path, value in reached(start, set()):
                place = f"{template}: {name}: {path}"
                if callable(value):
                    assert getattr(value, "__name__", None) in FUNCTIONS | ATTRIBUTES[CardFit], place
                else:
                    assert isinstance(value, PLAIN), place


# How much it may do


def doubled(start: str, grown: str) -> str:
    """A value that grows 99 times."""
    loop = f"{{% for i in range(99) %}}{{% set ns.x = {grown} %}}{{% endfor %}}"
    return f"{{% set ns = namespace(x={start}) %}}{loop}"


def doubled_by(block: str) -> str:
    return f"{{% set ns = namespace(x='a') %}}{{% for i in range(99) %}}{block}{{% endfor %}}"


def loop(body: str, times: int = 9999) -> str:
    return f"{{% for i in range({times}) %}}{body}{{% endfor %}}"


def repeated(levels: int, times: int = 10, tag: str = "use") -> str:
    """A drawing of a few lines that asks for ``times ** levels`` dots."""
    groups = (
        f"<g id='l{level}'>" + f"<{tag} href='#l{level - 1}'/>" * times + "</g>" for level in range(1, levels)
    )
    uses = f"<{tag} href='#l{levels - 1}'/>" * times
    return f"<svg width='9' height='9'><circle id='l0' r='1'/>{''.join(groups)}{uses}</svg>"


NAMED = "<svg xmlns='http://www.w3.org/2000/svg'" + repeated(5).removeprefix("<svg")
EMBEDDED = "data:image/svg+xml," + quote(NAMED)
IN_BASE64 = "data:image/svg+xml;base64," + b64encode(NAMED.encode()).decode()

TOO_MUCH = {
    "drawing that repeats": repeated(5),
    "drawing that repeats in capitals": repeated(5, tag="USE"),
    "drawings that repeat each other": repeated(5).replace("</g>", "</g></svg><svg>"),
    "masks in masks": "<svg>"
    + "".join(f"<mask id=m{n}>{f'<path mask=url(#m{n - 1}) d=M0,0 />' * 9}</mask>" for n in range(1, 9))
    + "</svg>",
    "masks of a style": "<style>path {mask: u\\72l('#m')}</style><svg><mask id=m>"
    + "<rect/>" * 999
    + "</mask>"
    + "<path/>" * 999
    + "</svg>",
    "embedded drawing": f"<img src='{EMBEDDED}'>",
    "embedded drawing in base64": f"<img src={IN_BASE64}>",
    "embedded drawing behind signs with longer small letters": "İ" * 9999 + f"<img src='{EMBEDDED}'>",
    "embedded drawing with an entity": f"<img src='{EMBEDDED.replace('a:', '&#97;&colon;')}'>",
    "embedded drawing with a line break": f"<img src='{EMBEDDED.replace('data', 'da&#10;ta')}'>",
    "embedded drawing in a style": f"<p style='background: url({EMBEDDED})'>",
    "embedded drawing in styles": f'<style>p {{ background: url("{EMBEDDED}") }}</style>',
    "embedded drawing with escapes": r"<p style='background: u\72l("
    + EMBEDDED.replace("d", r"\64 ", 1)
    + ")'>",
    "embedded style sheet": "<link rel='stylesheet' href='data:text/css,p%7Bheight:99999999999mm%7D'>",
    "embedded imports": "<style>@import 'data:text/css,p%7Bheight:99999999999mm%7D';</style>",
    "range": "{% for a in range(99999) %}{% endfor %}",
    "ranges": loop(loop("")),
    "range of 10^30": "{{ range(10**18 * 10**10) }}",
    "loop with a condition": loop("{% for b in range(9999) if false %}{% endfor %}"),
    "loop over a list": "{% set l = range(9999) | list %}" + loop("{% for b in l %}{% endfor %}"),
    "recursive loop": "{% for a in [[]] recursive %}{{ loop([[], []]) }}{% endfor %}",
    "text times": "{{ 'a' * 10**10 }}",
    "times text": "{{ 10**10 * 'a' }}",
    "markup times": "{{ ('a' | e) * 10**10 }}",
    "list times": "{{ [1] * 10**9 }}",
    "tuple times": "{{ (1, 2) * 10**9 }}",
    "power": "{{ 10**10**10 }}",
    "negative power": "{{ (-7) ** 99999999 }}",
    "powers": doubled("7", "ns.x * ns.x"),
    "percent": "{{ '%1000000000d' % 1 }}",
    "percent with a star": "{{ '%*d' % (10**9, 1) }}",
    "precision": "{{ '%.999999999f' % 1 }}",
    "format": '{{ "{:>1000000000}".format(1) }}',
    "format in format": '{{ "{:{}}".format(1, 10**9) }}',
    "format filter": "{{ '%999999999s' | format('a') }}",
    "many formats": "{% set a = 'a' * 999999 %}{{ ('%s' * 9999) % ((a,) * 9999) }}",
    "center": "{{ 'a' | center(10**9) }}",
    "center method": "{{ 'a'.center(10**9) }}",
    "ljust": "{{ 'a'.ljust(10**9) }}",
    "zfill": "{{ '1'.zfill(10**9) }}",
    "indent": "{{ 'a\nb' | indent(10**9) }}",
    "indent by a text": "{{ ('\n' * 99999) | indent('a' * 99999) }}",
    "batch": "{{ [1] | batch(10**9, 0) | list }}",
    "slice": "{{ [1] | slice(10**9, 0) | list }}",
    "join": "{{ range(9999) | join('a' * 9999) }}",
    "join method": "{{ ('a' * 9999).join(range(9999) | map('string')) }}",
    "join method of a list": "{{ ('a' * 9999).join(['a'] * 9999) }}",
    "replace": "{{ ('a' * 99999) | replace('a', 'b' * 99999) }}",
    "replace method": "{{ ('a' * 99999).replace('', 'b' * 99999) }}",
    "wordwrap": "{{ ('a' * 99999) | wordwrap(1, true, 'b' * 99999) }}",
    "round": "{{ 1.5 | round(999999999, 'ceil') }}",
    "int": "{{ ('9' * 999999) | int }}",
    "striptags": "{{ ('<!---->' * 99999) | striptags }}",
    "sum": "{{ ([[1] * 99] * 9999) | sum(start=[]) }}",
    "doubled": doubled("'a'", "ns.x ~ ns.x"),
    "doubled by plus": doubled("'a'", "ns.x + ns.x"),
    "doubled by set": doubled_by("{% set y %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = y %}"),
    "doubled by a macro": "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}" + doubled("'a'", "m(ns.x)"),
    "doubled by a filter block": doubled_by(
        "{% set ns.x %}{% filter upper %}{{ ns.x }}{{ ns.x }}{% endfilter %}{% endset %}"
    ),
    "lists in lists": doubled("[1]", "[ns.x, ns.x]"),
    "tuples in tuples": doubled("(1,)", "(ns.x, ns.x)"),
    "dicts in dicts": doubled("{}", "{1: ns.x, 2: ns.x}"),
    "compared lists": doubled("[1]", "[ns.x, ns.x]") + "{{ ns.x == ns.x }}",
    "macro": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
    "call": "{% macro m() %}"
    + loop("{{ caller() }}")
    + "{% endmacro %}{% call m() %}"
    + loop("")
    + "{% endcall %}",
    "block": "{% for i in range(9999) %}{{ self.long() }}{% endfor %}"
    "{% block long %}{% for i in range(9999) %}{% endfor %}{% endblock %}",
    "searched": "{% set a = 'a' * 999999 %}" + loop("{% if a in a ~ 'b' %}{% endif %}"),
    "compared": "{% set a = 'a' * 999999 %}" + loop("{% if a + 'a' == a %}{% endif %}"),
    "printed": loop("{{ 'a' * 9999 }}"),
    "kept": "{% macro m() %}" + loop("{{ 'a' * 99999 }}") + "{% endmacro %}{{ m() }}",
    "imported": "{% import 'long.html.jinja' as long %}",
    "included": loop("{% include 'long.html.jinja' %}"),
    "ignored": "{% include ['none', 'long.html.jinja'] ignore missing %}",
    "elements in each other": loop(loop("<div>"), 9),
    "elements and ends": loop("<div>", 999) + loop("</div>", 999),
    "hidden ends": loop("<b title='</b>'>", 999),
    "ends in comments": loop("<b><!-- </b> -->", 999),
    "ends in styles": loop("<b><style></b></style>", 999),
    "wrong ends": loop("<div><span></div>", 999),
    "elements closed as in drawings": loop("<div/>", 999),
    "torn tags": loop("{{ '<' | safe }}div>", 999),
    "drawn": "<svg>" + loop("<g>", 999),
    "text in drawings": "<svg>" + loop("<div/>", 999) + "</svg>",
    "tables": loop("<table><tr><td>", 20),
    "elements": loop(loop("<i></i>", 200), 200),
    "columns": "<table><tr><td colspan=1000000000></table>",
    "height": "<div style='height: 10000000000mm'></div>",
    "quotes": "<div style='a' \">",
}
"""What would take all time or memory, or stop the engine."""


@pytest.mark.parametrize("kind", TOO_MUCH)
def test_what_is_too_much_is_stopped_at_its_line(strange: tuple[Path, Sandbox], kind: str) -> None:
    template, text = f"much-{list(TOO_MUCH).index(kind)}.html.jinja", TOO_MUCH[kind]
    problem = fill(strange[1], template, {})
    assert isinstance(problem, TemplateProblem), problem[:99]
    assert re.search(
        "too big|too much|more than|endlessly|only drawings|cannot be read|repeats|is no PNG", problem.message
    )
    assert problem.template == (
        "long.html.jinja" if kind in ("imported", "included", "ignored") else template
    )
    assert problem.line == (1 if problem.template == "long.html.jinja" else 3 + text.count("\n"))


def test_a_template_has_names_of_its_own(project: Path) -> None:
    counted = (
        "{% set ns = namespace(x=1, get=5) %}{% for i in range(3) %}{% set ns.x = ns.x + i %}{% endfor %}"
    )
    nested = doubled("1", "namespace(a=ns.x, b=ns.x)") + "{{ ns.x ~ '' }}"
    write("mine.html.jinja", counted + "{{ ns.x }} {{ ns.get }} " + nested)
    environment = make_environment(Roots(project / "now"))
    assert fill(environment, "mine.html.jinja", {}) == "4 5 &lt;Namespace&gt;"


def test_a_template_cannot_go_on_when_it_is_stopped(project: Path) -> None:
    sandbox = make_environment(Roots(project / "now"))
    sandbox.reset_budget()
    with pytest.raises(OverBudget):
        sandbox.spend(10**9)
    with pytest.raises(OverBudget):
        sandbox.spend(1)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("project")
def test_a_drawing_that_repeats_itself_is_found_at_its_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    block = f"{{% block words %}}\n\n{repeated(9)}{{% endblock %}}"
    write("operator.html.jinja", "{% extends 'shipped/operator.html.jinja' %}\n" + block)
    assert run(COMMANDS[command]) == 1
    out = "".join(capsys.readouterr())
    assert "template-error" in out
    assert "operator.html.jinja:4:" in out
    assert "2,469,135,800 elements, counting what it repeats" in out


@pytest.mark.parametrize(
    "use",
    [
        "<img src='opforge://project/big.svg?a=1'>",
        "<p style='background: url(opforge://project/big%2Esvg)'>",
        "<svg><image href='opforge://project/big.svg'/></svg>",
    ],
)
@pytest.mark.usefixtures("project")
def test_a_large_drawing_that_is_printed_many_times_is_found_at_its_line(
    use: str, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = "<path d='M0 0h1v1z'/>" * 2_000
    Path("now/big.svg").write_text(f"<svg xmlns='http://www.w3.org/2000/svg'>{inside}</svg>")
    write("operator.html.jinja", "<p></p>\n" + loop(use, 999))
    assert run(COMMANDS["check"]) == 1
    out = "".join(capsys.readouterr())
    assert "operator.html.jinja:2:" in out
    assert "elements, counting what it repeats" in out


MANY = "<div><p id=One class='other Many x🎉'></p></div>"


@pytest.mark.parametrize(
    "css",
    [
        ".Many { background: url(x.svg) }",
        "a, div > P:first-child { background: url(x.svg) }",
        "#one{}p#one.many::before { content: url( 'x.svg' ) }",
        "@media print { * { background: url(x.svg) } }",
        ":root p:not(.a .b.c) { background: url(x.svg) }",
        "p[class~='x .y.z'] { background: url(x.svg) }",
        ".x🎉 { background: url(x.svg) }",
        "svg|p { background: url(x.svg) }",
        r"p\2e x\:y { background: url(x.svg) }",
        ".many { /* } */ background: url(x.svg) }",
        "a { content: '/*' } .many { background: url(x.svg) } b { content: '*/' }",
        "a { background: url(/*) } .many { background: url(x.svg) } /* */",
        ".many { content: '}'; background: url(x.svg) }",
        ".many { content: 'a\n; /* } */ background: url(x.svg) }",
        ".many { a: '{ b:c {'; background: url(x.svg) }",
        ".many { background: url(x.svg); a: '{' }",
        ".many { background: url(x.svg); &:hover {} }",
        r".many { a: \7b ; background: url(x.svg) }",
        r"a { background: u\72l(/*) } .many { background: url(x.svg) }",
        "a{}&#47;&#42; b{} .many { background: url(x.svg) }",
        "@import 'x.css';",
        "LINK",
    ],
)
def test_a_drawing_of_a_style_sheet_counts_for_each_element_that_may_have_it(css: str) -> None:
    def linked(address: str) -> Cost | StyleSheet:
        return (
            StyleSheet(".many { background: url(x.svg) }", linked)
            if "css" in address
            else Cost(2000 * (address == "x.svg"))
        )

    sheet = "<link rel=stylesheet href=y.css>" if css == "LINK" else f"<style>{css}</style>"
    found = excess("<p></p>" + sheet + MANY * 60, linked=linked)
    assert found is not None
    assert found.at == len("<p></p>")
    assert re.match(r"a drawing of this style sheet has (?:12|24)\d,", found.message)
    assert excess(sheet + MANY * 20, linked=linked) is None
    assert excess(sheet + MANY * 60, 3, linked) is None


def test_a_drawing_of_a_style_sheet_counts_only_for_the_elements_that_it_names() -> None:
    css = "/* Many's */ .few /* p */ { background: url(x.svg) } a[b='c d']:not(.e) { background: url(x.svg) }"
    css += "@font-face { src: url(a.ttf) } p { color: red }"
    html = f"<style>{css}</style>{MANY * 200}<p class=few></p>"
    assert excess(html, linked=lambda address: Cost(0 if "ttf" in address else 90_000)) is None


@pytest.mark.parametrize(("sheet", "drawing"), [("card.css", "big.svg"), ("sub/x.css", "../big.svg")])
@pytest.mark.usefixtures("project")
def test_a_large_drawing_of_a_style_sheet_in_a_file_is_found(
    sheet: str, drawing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = "<path d='M0 0h1v1z'/>" * 5_000
    write("big.svg", f"<svg xmlns='http://www.w3.org/2000/svg'>{inside}</svg>")
    write("card.css", "@import 'sub/x.css';")
    write(sheet, f".many {{ background: url({drawing}) }}")
    write("operator.html.jinja", "<p></p>\n" + loop("<p class=many>", 99))
    assert run(COMMANDS["check"]) == 1
    out = "".join(capsys.readouterr())
    assert "a drawing of this style sheet has" in out
    assert 'href="card.css"' in out


@pytest.mark.usefixtures("project")
def test_the_art_of_a_card_may_be_large(capsys: pytest.CaptureFixture[str]) -> None:
    box = "viewBox='0 0 9 9'"
    inside = "<path d='M0 0h1v1z'/>" * 4_000
    Path("now/viper.svg").write_text(f"<svg xmlns='http://www.w3.org/2000/svg' {box}>{inside}</svg>")
    block = "{{ super() }}" + "<img src='{{ art }}'>" * 30
    write(
        "operator.html.jinja",
        f"{{% extends 'shipped/operator.html.jinja' %}}{{% block words %}}{block}{{% endblock %}}",
    )
    run(COMMANDS["sheet"])
    assert "template-error" not in "".join(capsys.readouterr())
    assert Path("sheet.pdf").stat().st_size > 0


@pytest.mark.usefixtures("project")
def test_a_style_sheet_with_an_embedded_drawing_that_repeats_itself_is_found_where_it_stands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("card.css", f"p {{}}\np {{ background: url({EMBEDDED}) }}")
    assert run(["check", "now", "--fit"]) == 1
    assert "card.css:2:21" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_a_style_sheet_with_a_huge_measure_is_found_where_it_stands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("card.css", "p {}\np { height: 10000000000mm }")
    assert run(["check", "now", "--fit"]) == 1
    assert "card.css:2:13" in capsys.readouterr().out


def test_a_template_that_did_too_much_is_not_tried_again(project: Path) -> None:
    write("mine.html.jinja", loop(loop("")))
    sandbox = make_environment(Roots(project / "now"))
    first = fill(sandbox, "mine.html.jinja", {})
    assert fill(sandbox, "mine.html.jinja", {"other": 1}) is first


@pytest.mark.parametrize(
    "html",
    [
        "<!doctype html><html><body><p>a<p>b<ul><li>1<li>2</ul><br><img src=x.png><hr/>",
        "<svg viewBox='0 0 1 1'>" + "<path d='M0 0'/>" * 999 + "</svg>",
        "<table>" + "<tr><td>1<td>2" * 999 + "</table>",
        "<style>a > b { color: red } /* <div> */</style>a < b, <3, 1<2 &lt;",
        "<!-- <div> -->" * 999,
        '<div style="a" class="b"id=c data-x = "1" hidden>x</div>' * 999,
        "<svg><foreignObject><div>a</div></foreignObject><desc><b>x</b></desc></svg>" * 99,
        repeated(4) + repeated(4),
        f"<img src={shadow(9, 9)}><p style='background: url({gradient('#ffffff', '#000000')})'>" * 99,
        """<style>p { background: url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>") }"""
        "@font-face { src: url(data:font/woff2;base64,d09GMg==) }</style>",
        "<a href='data:text/plain,x'>data: <b title='data:x'></a>",
    ],
)
def test_ordinary_html_is_not_too_much(html: str) -> None:
    assert excess(html) is None
