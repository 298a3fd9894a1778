"""Events whose effect never ends, or comes too late for anything.

endless-chain: an event whose effect certainly brings it about again. One chain is certain by the rules: an
OPERATOR becomes HIT, the effect makes it NORMAL again and gives it at least as many HITCOUNTERs as it has DP,
and so it is HIT again at once (H-1, H-2).

comes-to-nothing: what an event does too late, or to an OPERATOR that cannot have it. At the end of the TURN
it lapses at once (M-11, K-3). After the comparison of an attack it is too late for that attack (A-1), and
RULEVIOLATION is rolled when it is over (K-2). HIT and OUT OPERATORs take nothing that does not last
`permanently` (H-2), and OUT OPERATORs never come back (T-4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.clause_checks import needs_duration
from toolkit.dsl.tree import Problem, walk
from toolkit.effects.sources import card_sources
from toolkit.lint.context import Statement, changed_stat, quoted
from toolkit.lint.numbers import is_nothing
from toolkit.vocabulary import COUNTERS, RANGES, TRIGGERS, Role

_WHOSE = {"self-becomes-hit": "self", "own-becomes-hit": "own", "enemy-becomes-hit": "enemy"}
_RAISED_DP = r"(\+\s*[0-9]+|doubles?|multipl(y|ies)|fix(es)?)\s+DP\b"
"""DP that another SKILL of the bearer gives it; its tree is not at hand."""
_AFTER_COMPARISON = ("hits", "misses", "critical")
_DICE = (tree.RollsExtra, tree.MayReroll, tree.MakesDiceCritical, tree.MakesAttackCritical)


def check(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Endless sentences, and what comes to nothing, each at its words."""
    for statement in statements:
        if not statement.scope.event:
            continue
        yield from _endless_chain(statement, statements)
        yield from _removed_counters(statement, statements)
        for number, act in enumerate(statement.acts):
            raised = _makes_normal(act) or _may_be_normal(statement, number, statements)
            is_hit = _is_own_hit(statement) and act.who == tree.Ref("self") and not raised
            for doing in act.doings:
                if is_nothing(doing):
                    continue
                found = _too_late(doing, act, statement) or _not_possible(doing, act, is_hit)
                if found is not None:
                    message, step = found
                    yield Problem("comes-to-nothing", message, doing.place, step)


# endless-chain


def _endless_chain(statement: Statement, statements: Sequence[Statement]) -> Iterator[Problem]:
    when = statement.sentence.when
    if when is None or when.name not in _WHOSE or not _is_certain(statement, statements):
        return
    again = _hit_again(statement, _greatest_dp(statement, statements))
    if again is not None:
        yield Problem(
            "endless-chain",
            "This never ends: the OPERATOR is NORMAL again with at least as many HITCOUNTERs as DP, so"
            f" it is HIT at once, and `when {TRIGGERS[when.name].words}` happens again.",
            again.place,
            "Remove one of the steps, give fewer HITCOUNTERs, or add an `if` that ends it.",
            None,
            ((when.place, "this happens again"),),
        )


def _is_certain(statement: Statement, statements: Sequence[Statement]) -> bool:
    """No condition, no choice, no OPERATOR that leaves the FIELD, and an effect that still acts next time."""
    role = statement.context.role
    # the SKILL of a HIT OPERATOR acts only when it becomes HIT itself (C-3); its cards are removed (H-2)
    acts_again = role is Role.STRATEGY or (role is Role.SKILL and _WHOSE[statement.trigger] != "own")
    if not acts_again or statement.sentence.condition is not None:
        return False
    if any(isinstance(clause, tree.Either) for clause in statement.sentence.clauses):
        return False
    return not any(
        isinstance(doing, tree.Becomes) and doing.status == "OUT"
        for one in statements
        for act in one.acts
        for doing in act.doings
    )


def _says_any_skill(bearer: Card, pattern: str) -> int:
    """How many SKILLs of an OPERATOR may do what a pattern finds: nobody knows what text-only ones do."""
    sources = card_sources(bearer)
    return sum(bool(re.search(pattern, one.scalar.value)) for one in sources) + len(bearer.texts_only)


def _greatest_dp(statement: Statement, statements: Sequence[Statement]) -> int:
    """Return how many DP the HIT OPERATOR has at most: its VALUE, unless something here raises it."""
    raises = any(
        (stat := changed_stat(doing)) is not None
        and stat.text == "DP"
        and not isinstance(doing, tree.Divides)
        and not (isinstance(doing, tree.Gets) and doing.amount < 0)
        for one in statements
        for act in one.acts
        for doing in act.doings
    )
    bearer = statement.context.bearer
    if raises or (bearer and _says_any_skill(bearer, _RAISED_DP)):
        return RANGES["current"][1]
    return bearer.number("DP") if bearer and statement.trigger == "self-becomes-hit" else RANGES["VALUE"][1]


class _HitOperator(Struct):
    """The OPERATOR that became HIT: its status, at least so many HITCOUNTERs, at most so many DP."""

    dp: int
    status: str = "HIT"
    hitcounter: int = 0

    @property
    def is_hit_again(self) -> bool:
        """H-1: without a HITCOUNTER it is not HIT, however low its DP."""
        return self.status == "NORMAL" and self.hitcounter >= max(1, self.dp)


def _hit_again(statement: Statement, dp: int) -> tree.Doing | None:
    """Play the sentence on the OPERATOR; return what makes it HIT again, or None."""
    operator = _HitOperator(dp)
    for act in statement.acts:
        meant = _is_meant(act.who, operator.status, statement)
        for doing in act.doings:
            if meant:
                _play(doing, operator)
                if operator.is_hit_again:
                    return doing
            elif isinstance(doing, tree.Becomes) or (
                isinstance(doing, tree.Gets) and doing.what.text == "HITCOUNTER" and doing.amount < 0
            ):
                return None  # it is not certain that the OPERATOR is not meant, and then the chain ends
    return None


def _play(doing: tree.Doing, operator: _HitOperator) -> None:
    if isinstance(doing, tree.Becomes):
        operator.status = doing.status
    elif isinstance(doing, tree.Gets) and operator.status == "NORMAL":
        # a counted amount may be 0: it is left out where it would help the proof
        if doing.what.text == "HITCOUNTER" and (doing.per is None or doing.amount < 0):
            operator.hitcounter = 0 if doing.per else max(0, operator.hitcounter + doing.amount)
        elif doing.what.text == "DP" and doing.per is None:
            operator.dp = max(0, operator.dp + doing.amount)


def _is_meant(who: tree.Who, status: str, statement: Statement) -> bool:
    """Whether WHO certainly means the OPERATOR that became HIT."""
    whose = _WHOSE[statement.trigger]
    if isinstance(who, tree.Ref):
        return whose == "self" and who.name == "self"
    if not isinstance(who, tree.Every):
        return False
    group = who.group
    side = "own" if whose == "self" else whose
    if group.side not in ("any", side) or (group.other and side == "own"):
        return False
    if statement.context.role is Role.SKILL and whose != "self" and group.side == "any":
        return False  # the bearer becomes HIT too, and then its SKILL has no effect
    if group.in_range or group.adjacent or group.opposite or group.quantity:
        return False
    bearer = statement.context.bearer if whose == "self" else None
    if group.team and not (bearer and bearer.team == group.team.text):
        return False
    if group.trait and not (bearer and group.trait.text in bearer.traits):
        return False
    if group.status is None:
        return status not in ("HIT", "OUT")
    return not group.status.negated and group.status.status.text == status


# comes-to-nothing


def _removed_counters(statement: Statement, statements: Sequence[Statement]) -> Iterator[Problem]:
    """A condition on counters of the bearer when it becomes HIT: they are removed by then."""
    condition = statement.sentence.condition
    if condition is None or not _is_own_hit(statement) or _may_be_normal(statement, 0, statements):
        return
    for node in walk(condition):
        if isinstance(node, tree.QuantityOf) and node.ref.name == "self" and node.quantity.text in COUNTERS:
            message = f"{node.quantity.text} of self is 0 by then: becoming HIT removes it (H-2)."
            step = "Use another condition, or remove this one."
            yield Problem("comes-to-nothing", message, node.place, step)


def _too_late(doing: tree.Doing, act: tree.Act, statement: Statement) -> tuple[str, str] | None:
    """Return why something is over before anything can come of it, and what to do.

    A change of DP is never too late, nor is `ignores`, which can change DP: they can make HIT (H-1).
    """
    when, stat = statement.trigger, changed_stat(doing)
    lasts = act.duration.name if act.duration else None
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


def _not_possible(doing: tree.Doing, act: tree.Act, is_hit: bool) -> tuple[str, str] | None:
    """Return why HIT or OUT OPERATORs cannot have something, and what to do."""
    if isinstance(doing, tree.Becomes):
        if doing.status != "OUT" and _are(act.who, "OUT"):
            return "OUT OPERATORs never come back (T-4).", "Write `that are HIT`, or remove these words."
        return None
    lasts = act.duration.name if act.duration else None
    counts = isinstance(doing, tree.Gets) and doing.what.text in COUNTERS
    if not counts and (lasts is None or lasts == "permanently"):
        return None
    step = "Remove these words, or make the OPERATOR NORMAL first."
    if is_hit:
        return "The OPERATOR is HIT by then, and takes no counters and no temporary changes (H-2).", step
    if _are(act.who, "HIT") or _are(act.who, "OUT"):
        return "HIT and OUT OPERATORs take no counters and no temporary changes (H-2).", step
    return None


def _are(who: tree.Who, status: str) -> bool:
    """Whether a GROUP asks for this status."""
    if not isinstance(who, (tree.One, tree.Every)) or who.group.status is None:
        return False
    return who.group.status.status.text == status and not who.group.status.negated


def _is_own_hit(statement: Statement) -> bool:
    return statement.trigger == "self-becomes-hit" and statement.context.role is Role.SKILL


def _may_be_normal(statement: Statement, number: int, statements: Sequence[Statement]) -> bool:
    """Whether something before the act of that number, or another SKILL, may make the bearer NORMAL again."""
    before = [
        *statement.acts[:number],
        *(act for one in statements if one is not statement for act in one.acts),
    ]
    if any(_makes_normal(act) for act in before):
        return True
    bearer = statement.context.bearer
    here = any(_makes_normal(act) for act in statement.acts)
    return bearer is not None and _says_any_skill(bearer, "NORMAL") > here


def _makes_normal(act: tree.Act) -> bool:
    return any(isinstance(doing, tree.Becomes) and doing.status == "NORMAL" for doing in act.doings)
