"""ap-when-attacked and ep-when-attacking: a change of a number that this attack does not compare (A-1)."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.lint.nothing_added import is_nothing
from toolkit.lint.sides import cast, part_of
from toolkit.vocabulary import TRIGGERS
from toolkit.vocabulary.triggers import Part

_OTHER_PART = {
    "attacking": "attacked",
    "attacked": "attacking",
    "own-attacks": "own-is-attacked",
    "own-is-attacked": "own-attacks",
    "enemy-attacks": "enemy-is-attacked",
    "enemy-is-attacked": "enemy-attacks",
}
"""The trigger under which the same OPERATOR plays the other part."""


def check(statement: Statement) -> Iterator[Problem]:
    """Changes of AP on the attacked side and of EP on the attacking side, at the stat."""
    if not statement.is_continuous_attack:
        return
    for act in statement.acts:
        part = part_of(act.who, statement)
        if part is None:
            continue
        idle = "AP" if part == "attacked" else "EP"
        for doing in act.doings:
            stat = changed_stat(doing)
            if stat is not None and stat.text == idle and not is_nothing(doing):
                yield _idle(stat, act.who, part, statement)


def changed_stat(doing: tree.Doing) -> tree.Word | None:
    """The word of the stat or counter that is changed."""
    if isinstance(doing, tree.Gets):
        return doing.what
    if isinstance(doing, (tree.Multiplies, tree.Divides, tree.Fixes)):
        return doing.stat
    return None


def _idle(stat: tree.Word, who: tree.Who, part: Part, statement: Statement) -> Problem:
    trigger = _OTHER_PART.get(statement.sentence.when.name, "") if statement.sentence.when else ""
    instead = f", or write `when {TRIGGERS[trigger].words}`." if trigger else "."
    if part == "attacked":
        message = f"{cast(who, part, statement)} here, and only the attacker's AP are compared."
        return Problem("ap-when-attacked", message, stat.place, f"Change EP{instead}")
    message = f"{cast(who, part, statement)} here, and only the attacked OPERATOR's EP are compared."
    return Problem("ep-when-attacking", message, stat.place, f"Change AP{instead}")
