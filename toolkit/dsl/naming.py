"""Names in effects (TEAMs and traits), and the order of a group's filters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.printing import print_group
from toolkit.dsl.problems import Problem
from toolkit.vocabulary.nearest import is_certain, nearest

_FILTERS = {
    "team": "of TEAM",
    "in_range": "in RANGE",
    "adjacent": "adjacent to",
    "opposite": "opposite",
    "trait": "with trait",
    "quantity": "with",
    "status": "that are",
}
"""The filters of a group in the language's order, and how each is written."""


Nodes = Sequence[Any]
"""All nodes of a sentence, from the outside in."""


MOST_LISTED = 6
"""So many names are listed where none is near; thousands of findings may list them."""


class Names(Struct, frozen=True):
    """The ids and traits that effects may name, each in an order of its own (a set has none)."""

    teams: Collection[str]
    traits: Collection[str]


def name_problems(nodes: Nodes, names: Names) -> Iterator[Problem]:
    """TEAMs and traits that nobody in the project has."""
    for node in nodes:
        if isinstance(node, tree.Group):
            if node.team:
                yield from _known(node.team, names.teams, "unknown-team", "TEAM")
            if node.trait:
                yield from _known(node.trait, names.traits, "unknown-trait", "trait")
        elif isinstance(node, tree.Bears) and node.name:
            known = names.teams if node.what == "TEAM" else names.traits
            yield from _known(node.name, known, f"unknown-{node.what.lower()}", node.what)


def _known(name: tree.Word, known: Collection[str], finding: str, sort: str) -> Iterator[Problem]:
    if name.text in known:
        return
    meant = nearest(name.text, known)
    hint = f" Did you mean `{meant}`?" if meant else ""
    more = len(known) > MOST_LISTED
    says = (
        f"There is no TEAM `{name.text}` in this project."
        if sort == "TEAM"
        else (f"No OPERATOR of this project has the trait `{name.text}`.")
    )
    step = (
        f"Write one of {', '.join(f'`{one}`' for one in islice(known, MOST_LISTED))}{', …' * more}."
        if known
        else f"Define the {sort} first."
    )
    safe = is_certain(name.text, meant, known)
    yield Problem(finding, says + hint, name.place, step, meant, safe=safe)


def filter_problems(nodes: Nodes) -> Iterator[Problem]:
    """Filters of a group in a wrong order, or said twice."""
    groups = [node for node in nodes if isinstance(node, tree.Group) and len(node.order) > 1]
    if not groups:
        return
    order = list(_FILTERS)
    single = [node.group if isinstance(node, tree.One) else node.what for node in nodes if _is_single(node)]
    for node in groups:
        for before, name in zip(node.order, node.order[1:], strict=False):
            words = f"`{_FILTERS[name]}`"
            if node.order.count(name) > 1:
                yield Problem(
                    "doubled-filter", f"{words} is said twice.", node.place, "Take one of them away."
                )
                break
            if order.index(name) < order.index(before):
                message = f"{words} must come before `{_FILTERS[before]}`."
                ordered = print_group(node, "OPERATOR" if node in single else "OPERATORs")
                yield Problem("filter-order", message, node.place, f"Put {words} first.", ordered)
                break


def _is_single(node: Any) -> bool:
    """Whether a node speaks of one OPERATOR of a group: `one …` and `for each …`."""
    return isinstance(node, (tree.One, tree.Per))
