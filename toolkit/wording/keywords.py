"""Which keywords an effect uses, so that a card explains each of them once."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.vocabulary import Role
from toolkit.wording.canonical import Block
from toolkit.wording.language import Keyword, Reminder
from toolkit.wording.plan import plan_condition

_BY_NODE: dict[type, Keyword] = {
    tree.GainsRuleviolation: "RULEVIOLATION",
    tree.GainsBonus: "BONUS",
    tree.FulfilsPerformance: "PERFORMANCE",
    tree.MakesDiceCritical: "CRITICAL",
    tree.MakesAttackCritical: "CRITICAL",
    tree.AttackIsCritical: "CRITICAL",
}


def keywords(block: Block) -> tuple[Keyword, ...]:
    """The keywords of one printed sentence, in the order of its words, each once."""
    parts = (block.when, block.condition, *block.clauses)
    found = [_keyword(node) for part in parts if part is not None for node in walk(part)]
    return tuple(dict.fromkeys(keyword for keyword in found if keyword))


def _keyword(node: object) -> Keyword | None:
    if isinstance(node, (tree.HasStatus, tree.StatusFilter)):
        return "SUPPRESSED" if node.status.text == "SUPPRESSED" else None
    if isinstance(node, tree.When):
        return "CRITICAL" if node.name == "critical" else None
    return _BY_NODE.get(type(node))


class KeywordRules(Struct, frozen=True):
    """What of the ruleset its keywords are explained from: the effect SUPPRESSION, and the stacking (N-3)."""

    suppression: tree.Effect | None = None
    stepwise: bool = False


def explain(keyword: Keyword, effects: Iterable[tree.Effect], rules: KeywordRules) -> Reminder:
    """What is to be explained about a keyword on a card with these effects."""
    nodes = [node for effect in effects for node in walk(effect)]
    match keyword:
        case "SUPPRESSED" if rules.suppression is not None:
            return Reminder(keyword, condition=plan_condition(rules.suppression, Role.SUPPRESSION))
        case "RULEVIOLATION":
            found = {node.threshold for node in nodes if isinstance(node, tree.GainsRuleviolation)}
            return Reminder(keyword, threshold=found.pop() if len(found) == 1 else None)
        case "BONUS":
            actions = {node.action for node in nodes if isinstance(node, tree.GainsBonus)}
            return Reminder(keyword, action=actions.pop() if len(actions) == 1 else None)
        case "CRITICAL":
            return Reminder(keyword, stepwise=rules.stepwise)
        case _:
            return Reminder(keyword)
