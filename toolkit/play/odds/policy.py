"""How both players decide in an attack: the decisions of a solution, with what every other option gives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct, field

from toolkit.dsl.effect_objects import Origin
from toolkit.engine.decisions import DieOption
from toolkit.engine.state import Side
from toolkit.play.odds.exploring import Case, Policy, Situation
from toolkit.play.odds.measures import Measures, preferred_order
from toolkit.source.short_repr import PublicValue

NO_OPTION = {
    "attack_card": "no card",
    "late_attack_card": "no card",
    "defence_card": "no card",
    "reroll": "no reroll",
    "set": "set none",
    "critical": "add",
}
"""What None means as an option, by kind of decision; of others it is ``nobody``."""


class DecidedCase(PublicValue, Struct):
    """A decision as it is taken in a situation, with the chance that it comes up."""

    situation: Situation
    taken: str
    options: dict[str, Measures]
    chance: Fraction = Fraction(0)


class DecisionPolicy(PublicValue, Struct):
    """All cases of one decision: its ``kind`` (``Decision``), whose it is, and the effect that asks."""

    kind: str
    whose: Side
    source: Origin | None
    cases: list[DecidedCase] = field(default_factory=list)

    @property
    def chance(self) -> Fraction:
        """How often it comes up in an attack, on average."""
        return sum((case.chance for case in self.cases), Fraction(0))

    def taken(self) -> dict[str, Fraction]:
        """Return how often each option is taken, the most frequent first."""
        chances: dict[str, Fraction] = {}
        for case in self.cases:
            chances[case.taken] = chances.get(case.taken, Fraction(0)) + case.chance
        return dict(sorted(chances.items(), key=lambda option: -option[1]))


def decisions_of(policy: Policy, names: dict[int, str]) -> list[DecisionPolicy]:
    """Return the decisions of a policy in the order in which they are asked; ``names`` are OPERATORs."""
    decisions: dict[object, DecisionPolicy] = {}
    cases: dict[object, DecidedCase] = {}
    for case, chance in _cases(policy, Fraction(1)):
        decision = case.decision
        key = decision.kind, decision.whose, decision.source
        decision_policy = decisions.get(key)
        if decision_policy is None:
            decision_policy = decisions[key] = DecisionPolicy(*key)
        options = _named_options(case, names)
        taken = option_name(decision.kind, case.taken, names)
        # the same case may come up on several ways through an attack; its chances are added
        case_key = key, case.situation, taken, tuple(options.items())
        if case_key not in cases:
            cases[case_key] = DecidedCase(case.situation, taken, options)
            decision_policy.cases.append(cases[case_key])
        cases[case_key].chance += chance
    for decision_policy in decisions.values():
        decision_policy.cases.sort(key=lambda case: (case.situation.dice, case.situation.compared or ()))
    return list(decisions.values())


def _named_options(case: Case, names: dict[int, str]) -> dict[str, Measures]:
    """Return what each option gives, by its name; of options with one name the preferred one (O-2)."""
    options: dict[str, Measures] = {}
    for index in preferred_order([option for option, _ in case.options]):
        option, measures = case.options[index]
        options.setdefault(option_name(case.decision.kind, option, names), measures)
    return options


def _cases(policy: Policy, chance: Fraction) -> Iterator[tuple[Case, Fraction]]:
    """Yield all cases with their chances, those that are asked first before the others."""
    if policy.case is not None:
        yield policy.case, chance
    for share, following in policy.following:
        yield from _cases(following, chance * share)


def option_name(kind: str, option: object, names: dict[int, str]) -> str:
    """Return an option in words."""
    if option is None:
        return NO_OPTION.get(kind, "nobody")
    if isinstance(option, DieOption):
        return f"{kind} a {option.result}"
    if isinstance(option, tuple):
        return f"double {' and '.join(map(str, option))}" if option else "add"
    if isinstance(option, int):
        return f"FIELDPOSITION {option + 1}" if kind == "place" else names.get(option, str(option))
    return str(option)
