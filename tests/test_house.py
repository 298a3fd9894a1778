"""The house of the project: imports run one way, without circles, and libraries stay in their rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "toolkit"

ROOMS = (
    ("resources", "vocabulary"),
    ("source", "help"),
    ("diagnostics",),
    ("data",),
    ("dsl",),
    ("effects",),
    ("engine",),
    ("wording",),
    ("render",),
    ("lint",),
    ("pipeline",),
    ("project",),
    ("api",),
    ("cli", "lsp"),
    ("__main__",),
)
"""Each room imports only from rooms above it, and from itself."""

THIRD_PARTIES = {
    "yaml": {"data"},
    "jsonschema": {"data"},
    "lark": {"dsl"},
    "jinja2": {"render"},
    "markupsafe": {"render"},
    "plutoprint": {"render"},
    "weasyprint": {"render"},
    "pikepdf": {"render"},
    "PIL": {"render"},
    "click": {"cli"},
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
}
"""Where a library may be imported."""


def _modules() -> dict[str, Path]:
    names = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        names[".".join(parts).removesuffix(".__init__")] = path
    return names


MODULES = _modules()
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def _imports(name: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it the import stands."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in MODULES else str(node.module)


def _room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


IMPORTS = {name: set(_imports(name)) for name in MODULES}
FLOORS = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


def test_rooms_import_from_rooms_above_and_libraries_stay_in_theirs() -> None:
    wrong = []
    for name, imports in IMPORTS.items():
        room = _room(name)
        for imported in imports:
            library, _, rest = imported.partition(".")
            if library == "toolkit" and rest and room:
                there = _room(imported)
                if there != room and FLOORS[there] >= FLOORS[room]:
                    wrong.append(f"{name} imports {imported}")
            elif library in THIRD_PARTIES and room not in THIRD_PARTIES[library]:
                wrong.append(f"{name} imports {library}")
    assert wrong == []


def test_every_module_says_what_it_is() -> None:
    assert [name for name, tree in TREES.items() if not ast.get_docstring(tree)] == []
