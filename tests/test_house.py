"""The house of the project: imports run one way, and third parties stay in their rooms."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "toolkit"

ROOMS = (
    ("records", "digests"),
    ("vocabulary", "resources"),
    ("source", "help"),
    ("diagnostics",),
    ("data",),
    ("dsl",),
    ("effects",),
    ("engine",),
    ("odds",),
    ("scenarios",),
    ("wording",),
    ("manual",),
    ("render",),
    ("lint",),
    ("effect_readings",),
    ("workspace", "remembering"),
    ("faces", "layouts", "file_changes"),
    ("fitting",),
    ("changes", "fitting"),
    ("sheets", "scenario_tests", "play", "attacks", "checks", "formatting", "starting"),
    ("fixing",),
    ("exports", "aligning", "reference"),
    ("api",),
    ("cli", "lsp", "preview"),
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

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(ROOMS) if room in rooms)


def imports_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.append(str(node.module))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_from_rooms_above(path: Path) -> None:
    room = room_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == "toolkit" and len(parts) > 1:
            there = parts[1]
            assert there == room or floor_of(there) < floor_of(room), f"{room} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_library_stays_in_its_room(path: Path) -> None:
    for name in imports_of(path):
        library = name.split(".")[0]
        if library in THIRD_PARTIES:
            assert room_of(path) in THIRD_PARTIES[library], f"{room_of(path)} imports {library}"


def test_every_module_says_what_it_is() -> None:
    for path in MODULES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path
