"""comes-to-nothing: what an event makes too late for anything, or for somebody who cannot have it.

At the end of the TURN it lapses at once (M-11, K-3). After the comparison of an attack it is too late for
that attack (A-1), and RULEVIOLATION is asked for when it is over (K-2). Who is HIT or OUT takes nothing
that does not last `permanently` (H-2), and OUT OPERATORs never come back (T-4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.dsl import tree
from toolkit.dsl.checking import needs_duration
from toolkit.dsl.tree import Problem, walk
from toolkit.lint.context import Statement
from toolkit.lint.idle_stats import changed_stat
from toolkit.lint.nothing_added import is_nothing
from toolkit.lint.quoting import quoted
from toolkit.vocabulary import COUNTERS, TRIGGERS, Role

_AFTER_COMPARISON = ("hits", "misses", "critical")
_DICE = (tree.RollsExtra, tree.MayReroll, tree.MakesDiceCritical, tree.MakesAttackCritical)


def check(statements: Sequence[Statement]) -> Iterator[Problem]:
    """What comes to nothing, each at its words."""
    for statement in statements:
        if not statement.scope.event:
            continue
        yield from _counters_asked_for(statement, statements)
        for number, act in enumerate(statement.acts):
            raised = _makes_normal(act) or _is_raised(statement, number, statements)
            falls = _means_the_fallen(act.who, statement) and not raised
            for doing in act.doings:
                if is_nothing(doing):
                    continue
                found = _too_late(doing, act, statement) or _for_nobody(doing, act, falls)
                if found is not None:
                    message, step = found
                    yield Problem("comes-to-nothing", message, doing.place, step)


def _counters_asked_for(statement: Statement, statements: Sequence[Statement]) -> Iterator[Problem]:
    """A condition on counters of the bearer when he becomes HIT: they are gone by then."""
    condition = statement.sentence.condition
    if condition is None or not _is_own_fall(statement) or _is_raised(statement, 0, statements):
        return
    for node in walk(condition):
        if isinstance(node, tree.QuantityOf) and node.ref.name == "self" and node.quantity.text in COUNTERS:
            message = f"{node.quantity.text} of self is 0 by then: becoming HIT removes it (H-2)."
            step = "Use another condition, or remove this one."
            yield Problem("comes-to-nothing", message, node.place, step)


def _too_late(doing: tree.Doing, act: tree.Act, statement: Statement) -> tuple[str, str] | None:
    """What is over before anything can come of it; why, and what to do.

    A change of DP is never too late, nor is `ignores`, which can change DP: they can make HIT (H-1).
    """
    when = statement.sentence.when.name if statement.sentence.when else ""
    lasts = act.duration.name if act.duration else None
    stat = changed_stat(doing)
    if isinstance(doing, tree.Ignores) or (stat is not None and stat.text == "DP"):
        return None
    if when == "turn-ends" and isinstance(doing, tree.GainsBonus):
        why = "A BONUS lapses with the TURN (K-3), and no more ACTIONs are performed at its end."
        return why, "Write `when the TURN begins`, or remove these words."
    if when == "turn-ends" and lasts == "TURN" and needs_duration(doing):
        why = (
            "What lasts until end of TURN lapses at once here: this event comes directly before that (M-11)."
        )
        return why, "Write `until end of ROUND` or `when the TURN begins`, or remove these words."
    if lasts != "ATTACK":
        return None
    if isinstance(doing, tree.GainsRuleviolation):
        why = "RULEVIOLATION is rolled at the end of the ACTION (K-2), when the attack is over."
        return why, "Write `until end of TURN`."
    if when in _AFTER_COMPARISON and (stat is not None or isinstance(doing, _DICE)):
        words = f"when {TRIGGERS[when].words}"
        why = f"{quoted(words)} happens after AP and EP have been compared (A-1), too late for this attack."
        return why, "Write `until end of TURN`, or a `when` that holds during the attack."
    return None


def _for_nobody(doing: tree.Doing, act: tree.Act, falls: bool) -> tuple[str, str] | None:
    """What those who are HIT or OUT cannot have."""
    if isinstance(doing, tree.Becomes):
        if doing.status != "OUT" and _are(act.who, "OUT"):
            return "OUT OPERATORs never come back (T-4).", "Write `that are HIT`, or remove these words."
        return None
    lasts = act.duration.name if act.duration else None
    counts = isinstance(doing, tree.Gets) and doing.what.text in COUNTERS
    if not counts and (lasts is None or lasts == "permanently"):
        return None
    step = "Remove these words, or make the OPERATOR NORMAL first."
    if falls:
        return "The OPERATOR is HIT by then, and takes no counters and no temporary changes (H-2).", step
    if _are(act.who, "HIT") or _are(act.who, "OUT"):
        return "HIT and OUT OPERATORs take no counters and no temporary changes (H-2).", step
    return None


def _are(who: tree.Who, status: str) -> bool:
    """Whether they are chosen for this status."""
    if not isinstance(who, (tree.One, tree.Every)) or who.group.status is None:
        return False
    return who.group.status.status.text == status and not who.group.status.negated


def _means_the_fallen(who: tree.Who, statement: Statement) -> bool:
    return _is_own_fall(statement) and isinstance(who, tree.Ref) and who.name == "self"


def _is_own_fall(statement: Statement) -> bool:
    when = statement.sentence.when
    return when is not None and when.name == "self-becomes-hit" and statement.context.role is Role.SKILL


def _is_raised(statement: Statement, number: int, statements: Sequence[Statement]) -> bool:
    """Whether something before the act of that number may have made him NORMAL: in this SKILL, or another."""
    before = [
        *statement.acts[:number],
        *(act for one in statements if one is not statement for act in one.acts),
    ]
    if any(_makes_normal(act) for act in before):
        return True
    bearer = statement.context.bearer
    here = any(_makes_normal(act) for act in statement.acts)
    raising = [skill for skill in bearer.skills if "NORMAL" in skill.effect.value] if bearer else []
    return len(raising) > here


def _makes_normal(act: tree.Act) -> bool:
    return any(isinstance(doing, tree.Becomes) and doing.status == "NORMAL" for doing in act.doings)
