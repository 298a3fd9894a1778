"""The house of the project: imports run one way, without circles, and libraries stay in their rooms."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from toolkit.apps.cli.program import COMMANDS
from toolkit.data.loading import without_garbage_collection
from toolkit.resources import starter_folder

PACKAGE = Path(__file__).parent.parent / "toolkit"

ROOMS = (
    ("resources", "vocabulary"),
    ("source",),
    ("diagnostics",),
    ("data",),
    ("dsl",),
    ("engine",),
    ("wording",),
    ("lint",),
    ("render",),
    ("press",),
    ("project",),
    ("play",),
    ("editing",),
    ("products",),
    ("scripting",),
    ("api",),
    ("apps",),
    ("__main__",),
)
"""Each room imports only from rooms above it, and from itself."""

APPS = ("apps.cli", "apps.lsp", "apps.preview")
"""Three faces that never import each other."""

THIRD_PARTIES = {
    "yaml": {"data"},
    "jsonschema": {"data"},
    "lark": {"dsl"},
    "jinja2": {"render", "products"},
    "markupsafe": {"render", "press", "products"},
    "markdown_it": {"products"},
    "plutoprint": {"render"},
    "weasyprint": {"render"},
    "pikepdf": {"render", "press", "products"},
    "PIL": {"render", "press", "products"},
    "fontTools": {"render"},
    "pypdfium2": {"render", "press", "products"},
    "resvg_py": {"render"},
    "click": {"apps.cli"},
    "openpyxl": {"editing"},
    "defusedxml": {"editing"},
    "pygls": {"apps.lsp"},
    "lsprotocol": {"apps.lsp"},
    "starlette": {"apps.preview"},
    "uvicorn": {"apps.preview"},
    "watchfiles": {"project"},
    "distributed": {"play"},
}
"""Where a library may be imported."""

TOP_LEVEL = {"pyproject.toml", "README.md", "cards", "grammar", "toolkit", "templates", "tests"}
FOR_TOOLS = {
    *("LICENSE", "CONTRIBUTING.md", ".ci", ".github", ".gitignore", ".pre-commit-hooks.yaml", "action.yml")
}
"""What stands beside them because a tool looks for it there."""


def _modules() -> dict[str, Path]:
    names = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        names[".".join(parts).removesuffix(".__init__")] = path
    return names


MODULES = _modules()


def _statements(block: ast.AST) -> Iterator[ast.AST]:
    """The statements in a module or statement, and those in them; not expressions, which are most of it."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(block, field, ()):
            yield inner
            yield from _statements(inner)


def _imports(name: str, tree: ast.Module) -> Iterator[str]:
    """Every module that a module imports, wherever in it the import stands."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in MODULES else str(node.module)


def _room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def _app(name: str) -> str:
    return ".".join(name.split(".")[1:3])


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of each module; not when the tests are collected, as each process does."""
    with without_garbage_collection(for_good=True):  # to look through the trees would take half of the time
        return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


@cache
def modules() -> dict[str, tuple[set[str], str | None]]:
    """What each module imports, and its docstring."""
    return {name: (set(_imports(name, tree)), ast.get_docstring(tree)) for name, tree in trees().items()}


def imports_of_modules() -> dict[str, set[str]]:
    return {name: imports for name, (imports, _) in modules().items()}


FLOORS = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


def test_rooms_import_from_rooms_above_and_libraries_stay_in_theirs() -> None:
    wrong = []
    for name, imports in imports_of_modules().items():
        room = _room(name)
        for imported in imports:
            library, _, rest = imported.partition(".")
            if library == "toolkit" and rest and room:
                imported_room = _room(imported)
                if imported_room != room and FLOORS[imported_room] >= FLOORS[room]:
                    wrong.append(f"{name} imports {imported}")
                if {_app(name), _app(imported)} <= {*APPS} and _app(name) != _app(imported):
                    wrong.append(f"{name} imports {imported}, another face")
            elif library in THIRD_PARTIES and not {room, _app(name)} & THIRD_PARTIES[library]:
                wrong.append(f"{name} imports {library}")
    assert wrong == []


def test_no_two_modules_import_each_other() -> None:
    waiting = {name: imports & MODULES.keys() for name, imports in imports_of_modules().items()}
    while free := [name for name, imports in waiting.items() if not imports & waiting.keys()]:
        for name in free:
            del waiting[name]
    path = [*waiting][:1]
    while path and path[-1] not in path[:-1]:
        path.append(min(waiting[path[-1]] & waiting.keys()))
    assert not path, " imports ".join(path[path.index(path[-1]) :])


def test_every_module_is_reached_from_a_command() -> None:
    reached: set[str] = set()
    waiting = {"toolkit.__main__", *(f"toolkit.apps.cli.{command.module}" for command in COMMANDS.values())}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= ({name.rpartition(".")[0]} | modules()[name][0]) & MODULES.keys() - reached
    assert sorted(MODULES.keys() - reached) == []


GOOD_CARD = """
import sys
from toolkit.apps.cli import run
project, sheet = sys.argv[1:]
assert run(["check", project]) == run(["sheet", project, "-o", sheet]) == 0
print([name for name in sys.modules if ".mistakes" in name or ".nearest_" in name])
"""


def test_a_good_card_passes_no_room_of_mistakes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", GOOD_CARD, str(starter_folder()), str(tmp_path / "sheet.pdf")]
    surroundings = {**os.environ, "OPFORGE_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_the_top_level_of_the_package_is_rooms_and_a_few_modules() -> None:
    loose = {path.name for path in PACKAGE.glob("*.py")}
    assert loose <= {"__init__.py", "__main__.py", "api.py", "resources.py"}
    words = {word for name in MODULES for word in name.replace("_", ".").split(".")}
    assert not words & {"common", "helpers", "manager", "misc", "shared", "utils"}


def test_the_top_level_of_the_repository_is_fixed() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=PACKAGE.parent, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("not a checkout of git")
    top = {line.partition("/")[0] for line in tracked.stdout.splitlines()}
    assert top >= TOP_LEVEL
    assert top <= TOP_LEVEL | FOR_TOOLS


def test_modules_that_documents_and_templates_mention_exist() -> None:
    root = PACKAGE.parent
    texts = [*root.glob("*.md"), *(root / "templates").rglob("*.jinja"), *PACKAGE.rglob("*.md")]
    mentioned = [
        (text.relative_to(root), module)
        for text in texts
        for module in re.findall(r"\b(?:toolkit|tests)/[\w/]+\.py\b", text.read_text("utf-8"))
    ]
    assert len(mentioned) > 10
    assert [(text, module) for text, module in mentioned if not (root / module).exists()] == []


def test_the_map_has_the_rooms_in_their_order() -> None:
    page = (PACKAGE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("## The rooms")[2].partition("##")[0]
    cells = [re.findall(r"`(\w+)", row.split("|")[1]) for row in table.splitlines() if row.startswith("| `")]
    assert [sorted(cell) for cell in cells] == [sorted(rooms) for rooms in ROOMS if rooms != ("__main__",)]
    functions = re.findall(r"`([\w/]+\.py): (\w+)`", page)
    assert len(functions) >= 10
    for module, name in functions:
        assert re.search(rf"^(?:def|class) {name}\b", (PACKAGE / module).read_text("utf-8"), re.M), (
            module,
            name,
        )


def test_every_module_says_what_it_is() -> None:
    assert [name for name, (_, docstring) in modules().items() if not docstring] == []


def test_imports_stand_at_the_top_or_the_module_says_what_it_buys_that_they_do_not() -> None:
    functions = [
        (name, statement)
        for name, tree in trees().items()
        for statement in _statements(tree)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    importing = {
        name
        for name, function in functions
        if any(isinstance(inner, ast.Import | ast.ImportFrom) for inner in _statements(function))
    }
    assert [name for name in sorted(importing) if "imported" not in (modules()[name][1] or "")] == []


def test_the_notices_name_every_package_and_every_shipped_file_of_others() -> None:
    notices = (PACKAGE / "help" / "notices.md").read_text(encoding="utf-8")
    settings = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    listed = settings.partition("dependencies = [")[2].partition("\n]")[0]
    packages = re.findall(r'^ *"([a-z0-9]+)', listed, re.MULTILINE)
    assert len(packages) > 10
    assert [name for name in packages if not re.search(rf"^\| {name}\b", notices, re.MULTILINE)] == []
    assert (PACKAGE.parent / "templates" / "fonts" / "OFL.txt").is_file()
    shipped = [
        *(PACKAGE.parent / "templates" / "fonts").iterdir(),
        *(PACKAGE / "press" / "profiles").iterdir(),
        *(path for folder in PACKAGE.rglob("vendor") for path in folder.iterdir()),
    ]
    assert "lit-html.js" in {path.name for path in shipped}
    others = {path.name for path in shipped if path.suffixes != [".d", ".ts"]} - {"OFL.txt", "README.md"}
    assert [name for name in others if not (name.startswith("Barlow") or name in notices)] == []


_VAGUE = """
one found kept said made known asked taken mine others there at what who before part place now rest back given
wanted seen so each it this that these those which thing things item items stuff elem element obj tmp some
same both every few many here gone lost got done more less
"""
VAGUE = {*_VAGUE.split()}
"""Local names that say nothing of what they hold (`it` and `item` too, so that they are no way out)."""


class _LocalNames(ast.NodeVisitor):
    """Collects the names that each function has: parameters, what it assigns, in comprehensions too, and what
    its cases capture."""

    def __init__(self, module: str) -> None:
        self.functions: list[tuple[str, set[str]]] = []
        self._module = module
        self._open: list[set[str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._open.append(set())
        self.generic_visit(node)
        self.functions.append((f"{self._module}.{node.name}", self._open.pop()))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._add(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        self._add(node.arg)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self._add(node.name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._add(node.rest)
        self.generic_visit(node)

    def _add(self, name: str | None) -> None:
        if self._open and name is not None:
            self._open[-1].add(name)


FUNCTION = """
def function(a, /, b, *c, d, **e):
    f, *g = [h for h in a]
    with b as i:
        pass
    match sorted(d, key=lambda j: j):
        case [k, *l] | {"x": k, **l} | str(k) as l if (m := k):
            pass
"""


def test_every_name_of_a_function_is_counted() -> None:
    names = _LocalNames("module")
    names.visit(ast.parse(FUNCTION))
    assert names.functions == [("module.function", {*"abcdefghijklm"})]


def test_local_names_say_what_they_hold() -> None:
    number, vague = 0, []
    for module, tree in trees().items():
        names = _LocalNames(module)
        names.visit(tree)
        number += sum(len(assigned) for _, assigned in names.functions)
        vague += [
            f"{name}: {word}" for name, assigned in names.functions for word in sorted(assigned & VAGUE)
        ]
    assert number > 20_000
    assert len(vague) < number / 100, "\n".join(vague)
