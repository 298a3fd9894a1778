"""Shipped templates filled faster: what is equal on many cards is filled once.

A block or a macro whose values are texts, numbers and functions prints the same for the same values. So the
frames of a kind and TEAM are filled once, boxes and icons, too, and the templates need not know of it.
Templates of a project are counted instead (``sandbox``), and each of their steps is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

from toolkit.render.template_values import Record, values_of

_SIMPLE = frozenset((str, Markup, int, float, bool, type(None)))
"""Types of values that say by themselves what is printed of them."""

_MOST = 2_000
"""Outputs that are kept of one block or one macro."""

_DIFFERENT = frozenset(("fit", "uid", "art", "super", "self", "caller", "varargs", "kwargs"))
"""Names whose values differ on each card, or that print what other templates say."""

_PARTS: tuple[type[nodes.Node], ...] = (
    nodes.Block,
    nodes.Include,
    nodes.Import,
    nodes.FromImport,
    nodes.CallBlock,
)
"""What prints parts of other templates."""


class Generator(CodeGenerator):
    """Writes templates as code that is run as it stands, and behind it what its blocks depend on."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        """The code of a template."""
        super().visit_Template(node, frame)
        self.writeline("from toolkit.render.template_cache import partial, printed as escape", extra=1)
        uses = {block.name: found for block in node.find_all(nodes.Block) if (found := _uses(block))}
        self.writeline(f"uses = {uses!r}")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """A call, not through the context (0.6 µs more), which no function of these templates asks for."""
        if forward_caller:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.write("partial(")
        self.visit(node.node, frame)
        self.signature(node, frame)
        self.write(")()")


def printed(value: Any) -> str:
    """A value as it is printed, escaped: a tenth of the time of a card is spent on numbers and markup."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    return str(value) if kind is int or kind is float else escape(value)


def _uses(block: nodes.Block) -> tuple[list[str], list[str]] | None:
    """The names and the fields of ``face`` that a block uses; None where its output depends on more."""
    names = [one.name for one in block.find_all(nodes.Name)]
    fields = [one.attr for one in block.find_all(nodes.Getattr) if _is_face(one.node)]
    whole_face = names.count("face") > len(fields)
    if whole_face or not _DIFFERENT.isdisjoint(names) or any(block.find_all(_PARTS)):
        return None
    return sorted({*names} - {"face"}), sorted({*fields})


def _is_face(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "face"


def cached_block(
    block: Callable[[Context], Iterable[str]], names: Iterable[str], fields: Iterable[str]
) -> Callable[[Context], Iterable[str]]:
    """Return a block that is filled once for the same values of these names and fields of ``face``."""
    known: dict[Any, tuple[str]] = {}

    def filled(context: Context) -> Iterable[str]:
        values = [context.resolve_or_missing(name) for name in names]
        if fields:
            face = context.resolve_or_missing("face")
            if not isinstance(face, Record):
                return block(context)
            values += [values_of(face).get(name, missing) for name in fields]
        key = _key(values)
        if key is None:
            return block(context)
        if key not in known:
            _make_room(known)
            known[key] = ("".join(block(context)),)
        return known[key]

    return filled


def cache_macros(values: Iterable[Any]) -> None:
    """Let the macros among these values be filled once for the same arguments."""
    for macro in values:
        if isinstance(macro, Macro):
            macro._func = _cached_macro(macro._func)


def _cached_macro(body: Callable[..., str]) -> Callable[..., str]:
    known: dict[Any, str] = {}

    def filled(*arguments: Any) -> str:
        key = _key(arguments)
        if key is None:
            return body(*arguments)
        if key not in known:
            _make_room(known)
            known[key] = body(*arguments)
        return known[key]

    return filled


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= _MOST:
        known.clear()


def _key(values: Iterable[Any]) -> tuple[Any, ...] | None:
    """Return values as a key, or None. Their types belong to it: 1 and 1.0 are not printed alike."""
    values = tuple(values)
    kinds = tuple(map(type, values))
    if _SIMPLE.issuperset(kinds):
        return kinds, values
    found: list[Any] = []
    for value in values:
        part = _key(value) if isinstance(value, tuple) else value
        if (part is None and value is not None) or not (isinstance(value, tuple) or _is_simple(value)):
            return None
        found.append(part)
    return kinds, tuple(found)


def _is_simple(value: Any) -> bool:
    """Whether equal values are printed alike, or it is a function, a module or nothing at all."""
    kind = type(value)
    return kind in _SIMPLE or kind is TemplateModule or value is missing or callable(value)


__all__ = ["Generator", "cache_macros", "cached_block", "partial", "printed"]
