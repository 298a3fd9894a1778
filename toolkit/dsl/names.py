"""Checks of names in effects: TEAMs, traits, and the designer's own markers and KEYWORDs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct

from toolkit.diagnostics.phrases import declaration
from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.vocabulary import Role
from toolkit.vocabulary.nearest import is_certain, nearest

MAX_LISTED = 6
"""How many names are listed if none is near; thousands of findings may list them."""

NAMED_BY_ID = ("TEAM", "KEYWORD", "MARKER")
"""The words that come before an id in quotes."""


class MarkerFacts(NamedTuple):
    """What checks need of a marker: whether players have it, and how many one bearer can have (E-11)."""

    of_players: bool
    maximum: int


class Names(Struct, frozen=True):
    """The ids and traits that effects may use, in the order in which messages list them.

    ``traits`` are those that an OPERATOR of the project can have. ``tested_traits`` are those that
    effects test for: an effect may give them, too. A marker that could not be read has no facts.
    ``doubtful`` are words of entries that could not be read: they are among all of these, but not listed.
    """

    teams: Collection[str]
    traits: Collection[str]
    tested_traits: Collection[str] = ()
    keywords: Collection[str] = ()
    markers: Mapping[str, MarkerFacts | None] = {}
    doubtful: Collection[str] = ()


def name_problems(nodes: Iterable[Any], names: Names) -> Iterator[Problem]:
    """Yield problems of names that the project does not have, and of markers on the wrong bearer."""
    for node in nodes:
        check = _CHECKS.get(node.__class__)
        if check is not None:
            yield from check(node, names)


def keyword_problems(nodes: Iterable[Any], role: Role) -> Iterator[Problem]:
    """Yield the problems of KEYWORDs that give KEYWORDs (E-12)."""
    if role is not Role.KEYWORD:
        return
    for node in nodes:
        if isinstance(node, tree.GainsKeyword):
            start = node.keyword.place[0] - len('KEYWORD "')
            yield Problem(
                "keyword-in-keyword",
                "A KEYWORD gives no KEYWORD.",
                (start, start + len("KEYWORD")),
                f"Write here what `{node.keyword.text}` does, or give both KEYWORDs to the OPERATOR.",
            )


def _group(group: tree.Group, names: Names) -> Iterator[Problem]:
    if group.team:
        yield from _known(group.team, names.teams, "TEAM", names.doubtful)
    if group.trait:
        yield from _known(group.trait, names.traits, "trait", names.doubtful)


def _bearing(bearing: tree.Bears | tree.Bearing, names: Names) -> Iterator[Problem]:
    if bearing.name:
        kinds = {"TEAM": names.teams, "trait": names.traits, "KEYWORD": names.keywords}
        yield from _known(bearing.name, kinds[bearing.what], bearing.what, names.doubtful)


_SAYS = {
    "trait": "No OPERATOR of this project has the trait `{}`.",
    "marker": "There is no marker `{}` in this project.",
}
_SAYS_OF_OTHERS = "There is no {} `{}` in this project."


def _known(
    name: tree.Word,
    known_names: Collection[str],
    sort: str,
    doubtful: Collection[str],
    *,
    of_player: bool = False,
) -> Iterator[Problem]:
    """Check that a name exists; ``doubtful`` ones may exist, but are not proposed in a list."""
    word, span = (name.id, name.id_place) if isinstance(name, tree.Marker) else (name.text, name.place)
    if word in known_names:
        return
    meant = nearest(word, known_names)
    hint = f" Did you mean `{meant}`?" if meant else ""
    if sort != "TEAM":
        hint = f" {declaration(sort, word, of_player=of_player)}{hint}"
    certain_names = (f"`{known_name}`" for known_name in known_names if known_name not in doubtful)
    listed_names = list(islice(certain_names, MAX_LISTED + 1))
    message = _SAYS[sort].format(word) if sort in _SAYS else _SAYS_OF_OTHERS.format(sort, word)
    step = f"Define the {sort} first."
    if len(listed_names) == 1:
        step = f"Write {listed_names[0]}."
    elif listed_names:
        step = (
            f"Write one of {', '.join(listed_names[:MAX_LISTED])}{', …' * (len(listed_names) > MAX_LISTED)}."
        )
    is_safe = is_certain(word, meant, known_names)
    yield Problem(f"unknown-{sort.lower()}", message + hint, span, step, meant, safe=is_safe)


# Markers


def _marker(word: tree.Word | None, names: Names, *, of_player: bool) -> Iterator[Problem]:
    """Check that a marker exists and is one of players, or of OPERATORs."""
    if not isinstance(word, tree.Marker):
        return
    yield from _known(word, names.markers, "marker", names.doubtful, of_player=of_player)
    facts = names.markers.get(word.id)
    if facts is not None and facts.of_players != of_player:
        bearers, other_bearer = ("players", "operator") if facts.of_players else ("OPERATORs", "player")
        right_name = "a player (`owner`, `opponent`)" if facts.of_players else "an OPERATOR"
        message = f"The marker `{word.id}` lies on {bearers}."
        step = f"Name {right_name}, or write `bearer: {other_bearer}` in the entry of the marker."
        yield Problem("wrong-bearer", message, word.id_place, step)


def _act(act: tree.Act, names: Names) -> Iterator[Problem]:
    """Check the markers that an act changes, and that no more come at once than anybody has."""
    for doing in act.doings:
        if not isinstance(doing, tree.Gets) or not isinstance(doing.what, tree.Marker):
            continue
        yield from _marker(doing.what, names, of_player=isinstance(act.who, tree.Player))
        facts = names.markers.get(doing.what.id)
        if facts is not None and abs(doing.amount) > facts.maximum:
            message = f"Nobody has more than {facts.maximum} of the marker `{doing.what.id}`."
            step = f"Write {'-' if doing.amount < 0 else '+'}{facts.maximum} at most, or raise its `maximum`."
            yield Problem("beyond-maximum", message, doing.amount_place, step)


_CHECKS: dict[type, Callable[[Any, Names], Iterator[Problem]]] = {
    tree.Group: _group,
    tree.Bears: _bearing,
    tree.Bearing: _bearing,
    tree.GainsKeyword: lambda node, names: _known(node.keyword, names.keywords, "KEYWORD", names.doubtful),
    tree.GainsTrait: lambda node, names: _known(
        node.trait, (*names.traits, *names.tested_traits), "trait", names.doubtful
    ),
    tree.Act: _act,
    tree.MarkerOfPlayer: lambda node, names: _marker(node.quantity, names, of_player=True),
    tree.QuantityOf: lambda node, names: _marker(node.quantity, names, of_player=False),
    tree.QuantityFilter: lambda node, names: _marker(node.quantity, names, of_player=False),
    tree.Superlative: lambda node, names: _marker(node.quantity, names, of_player=False),
    tree.When: lambda node, names: _marker(node.what, names, of_player=False),
}
NODES_WITH_NAMES = frozenset(_CHECKS)
"""The types of node that can contain a name."""
