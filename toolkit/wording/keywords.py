"""Which keywords an effect uses, so that a card explains each of them once."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.vocabulary import FORMS, Role
from toolkit.wording.canonical import Block
from toolkit.wording.language import Keyword, Reminder
from toolkit.wording.plan import plan_condition

_BY_NODE: dict[type, str | None] = {
    **{getattr(tree, form.node): form.keyword for form in FORMS.values()},
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
    if keyword == "SUPPRESSED" and rules.suppression is not None:
        return Reminder(keyword, condition=plan_condition(rules.suppression, Role.SUPPRESSION))
    if keyword == "CRITICAL":
        return Reminder(keyword, stepwise=rules.stepwise)
    nodes = [node for effect in effects for node in walk(effect) if _keyword(node) == keyword]
    thresholds = {node.threshold for node in nodes if hasattr(node, "threshold")}
    actions = {node.action for node in nodes if hasattr(node, "action")}
    threshold = thresholds.pop() if len(thresholds) == 1 else None
    return Reminder(keyword, threshold, actions.pop() if len(actions) == 1 else None)
