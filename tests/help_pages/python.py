"""The page of Python: every public name with what it takes, has and does, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from textwrap import fill
from types import ModuleType
from typing import Any

from toolkit import api

_INTRODUCTION = """\
# Python: every name

What `import toolkit` offers; how it is used is on the page `scripts`. These names, with their parameters,
fields and properties, change only with a new minor version, and the changelog says so."""

_FIRST = (
    "open",
    "Project",
    "Card",
    "ProjectError",
    "ParsedEffect",
    "nodes",
    "PlayedAttack",
    "Odds",
    "Changes",
)
"""What a script meets first; the other names follow in order."""


def python_page() -> str:
    """The whole page as Markdown."""
    names = dict.fromkeys((*_FIRST, *sorted(api.__all__, key=str.lower)))
    sections = "\n\n".join(_section(name, getattr(api, name)) for name in names)
    return "\n".join([_INTRODUCTION, "", *map(_wrapped, sections.split("\n"))]) + "\n"


def _wrapped(line: str) -> str:
    indent = "  " if line.startswith("- ") else ""
    is_heading = line.startswith("#")
    return line if is_heading else fill(line, 118, subsequent_indent=indent, break_long_words=False)


def _section(name: str, public: Any) -> str:
    if isinstance(public, ModuleType):
        return "\n\n".join([f"## `{name}`", _first_sentence(public), "\n".join(_nodes(public))])
    if not isinstance(public, type):
        return f"## `{name}{_signature(public)}`\n\n{_text(public)}"
    members = [*_fields(public), *_members(public)]
    return "\n\n".join(filter(None, [f"## `{name}`", _text(public), "\n".join(members)]))


def _nodes(module: ModuleType) -> Iterator[str]:
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, module.Node) and kind is not module.Node:
            fields = [field for field in kind.__struct_fields__ if field not in module._NOT_COMPARED]
            shown = f"{name}({', '.join(fields)})" if fields else name
            yield f"- `{shown}`: {_first_sentence(kind)}"


def _fields(kind: type) -> Iterator[str]:
    names = getattr(kind, "__struct_fields__", ())
    annotations = {
        name: text for base in kind.__mro__ for name, text in vars(base).get("__annotations__", {}).items()
    }
    shown = [f"`{name}: {annotations[name]}`" for name in names if not name.startswith("_")]
    if shown:
        yield f"- fields: {', '.join(shown)}"


def _members(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        if name.startswith("_") or not getattr(member, "__doc__", None):
            continue
        function = getattr(member, "fget", None) or getattr(member, "func", None)
        if function is not None:
            yield f"- `{name}: {function.__annotations__['return']}`: {_text(member)}"
        elif inspect.isfunction(member):
            yield f"- `{name}{_signature(member)}`: {_text(member)}"


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    without_self = [parameter for name, parameter in signature.parameters.items() if name != "self"]
    shown = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature.replace(parameters=without_self)))
    return re.sub(r"<function (\w+) at 0x\w+>", r"\1", shown)


def _text(documented: Any) -> str:
    return " ".join((inspect.getdoc(documented) or "").split()).replace("``", "`")


def _first_sentence(documented: Any) -> str:
    return re.split(r"(?<=\.) (?=[A-Z])|\n\n", _text(documented))[0]
