"""endless-chain: an event whose effect certainly brings it about again.

One chain is certain by the rules: an OPERATOR becomes HIT, the effect makes him NORMAL again and gives him at
least as many HITCOUNTERs as he has DP, and so he is HIT again at once (H-1, H-2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.lint.idle_stats import changed_stat
from toolkit.vocabulary import RANGES, TRIGGERS, Role

_WHOSE = {"self-becomes-hit": "self", "own-becomes-hit": "own", "enemy-becomes-hit": "enemy"}
_RAISED_DP = r"(\+\s*[0-9]+|doubles?|multipl(y|ies)|fix(es)?)\s+DP\b"
"""DP that another SKILL of the bearer gives him; its tree is not at hand."""


def check(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Sentences that never end, at the words that make the OPERATOR HIT again."""
    for statement in statements:
        when = statement.sentence.when
        if when is None or not _whose(statement) or not _is_certain(statement, statements):
            continue
        again = _hit_again(statement, _dp_at_most(statement, statements))
        if again is not None:
            trigger = TRIGGERS[when.name].words
            yield Problem(
                "endless-chain",
                "This never ends: the OPERATOR is NORMAL again with at least as many HITCOUNTERs as DP, so"
                f" it is HIT at once, and `when {trigger}` happens again.",
                again.place,
                "Remove one of the steps, give fewer HITCOUNTERs, or add an `if` that ends it.",
                None,
                ((when.place, "this happens again"),),
            )


def _is_certain(statement: Statement, statements: Sequence[Statement]) -> bool:
    """No condition, no choice, nobody who leaves the FIELD, and an effect that still acts the next time."""
    role, whose = statement.context.role, _whose(statement)
    # a HIT OPERATOR's SKILL acts only at his own HIT (C-3); cards that he wears are removed (H-2)
    acts_again = role is Role.STRATEGY or (role is Role.SKILL and whose != "own")
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


def _whose(statement: Statement) -> str:
    """Who became HIT: ``self``, or one of the ``own`` or ``enemy`` OPERATORs; empty under other triggers."""
    when = statement.sentence.when
    return _WHOSE.get(when.name, "") if when else ""


def _dp_at_most(statement: Statement, statements: Sequence[Statement]) -> int:
    """The DP against which the HITCOUNTERs count: his VALUE, unless something here raises it."""
    raises = any(
        _raises_dp(doing) for statement in statements for act in statement.acts for doing in act.doings
    )
    bearer = statement.context.bearer
    if raises or (bearer and any(re.search(_RAISED_DP, skill.effect.value) for skill in bearer.skills)):
        return RANGES["current"][1]
    return bearer.number("DP") if bearer and _whose(statement) == "self" else RANGES["VALUE"][1]


def _raises_dp(doing: tree.Doing) -> bool:
    stat = changed_stat(doing)
    if stat is None or stat.text != "DP":
        return False
    return not isinstance(doing, tree.Divides) and not (isinstance(doing, tree.Gets) and doing.amount < 0)


class _Fallen(Struct):
    """The OPERATOR who became HIT: his status, at least so many HITCOUNTERs, at most so many DP."""

    dp: int
    status: str = "HIT"
    hitcounter: int = 0

    @property
    def is_hit_again(self) -> bool:
        """H-1: without a HITCOUNTER he is not HIT, however low his DP."""
        return self.status == "NORMAL" and self.hitcounter >= max(1, self.dp)


def _hit_again(statement: Statement, dp: int) -> tree.Doing | None:
    """Play the sentence on him; what makes him HIT again, or None."""
    fallen = _Fallen(dp)
    for act in statement.acts:
        meant = _means_him(act.who, fallen.status, statement)
        for doing in act.doings:
            if not meant:
                if _may_save(doing):
                    return None
                continue
            _play(doing, fallen)
            if fallen.is_hit_again:
                return doing
    return None


def _play(doing: tree.Doing, fallen: _Fallen) -> None:
    if isinstance(doing, tree.Becomes):
        fallen.status = doing.status
    elif isinstance(doing, tree.Gets) and fallen.status == "NORMAL":
        if doing.what.text == "HITCOUNTER" and (doing.per is None or doing.amount < 0):
            fallen.hitcounter = 0 if doing.per else max(0, fallen.hitcounter + doing.amount)
        elif doing.what.text == "DP" and doing.per is None:
            fallen.dp = max(0, fallen.dp + doing.amount)


def _may_save(doing: tree.Doing) -> bool:
    """Whether it could end the chain if he were meant after all."""
    return isinstance(doing, tree.Becomes) or (
        isinstance(doing, tree.Gets) and doing.what.text == "HITCOUNTER" and doing.amount < 0
    )


def _means_him(who: tree.Who, status: str, statement: Statement) -> bool:
    """Whether WHO certainly means the one who became HIT."""
    whose = _whose(statement)
    if isinstance(who, tree.Ref):
        return whose == "self" and who.name == "self"
    if not isinstance(who, tree.Every):
        return False
    group = who.group
    side = "own" if whose == "self" else whose
    if group.side not in ("any", side) or (group.other and side == "own"):
        return False
    if statement.context.role is Role.SKILL and whose != "self" and group.side == "any":
        return False  # the bearer falls too, and then his SKILL is silent
    if group.in_range or group.adjacent or group.opposite or group.quantity:
        return False
    return _has_name(group, statement.context.bearer if whose == "self" else None) and _has_status(
        group.status, status
    )


def _has_name(group: tree.Group, bearer: Card | None) -> bool:
    if group.team and not (bearer and bearer.team == group.team.text):
        return False
    return not group.trait or bool(bearer and group.trait.text in bearer.traits)


def _has_status(found: tree.StatusFilter | None, status: str) -> bool:
    if found is None:
        return status not in ("HIT", "OUT")
    return not found.negated and found.status.text == status
