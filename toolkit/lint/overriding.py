"""Words of a card that other words of it override.

overridden-effect: words that never matter. Of two thresholds of CRITICAL the lower holds, of two
RULEVIOLATIONs the higher, of two Fixes the higher (N-6), of two limits the narrower (E-26); a permission or
`ignores` may be there already, an attack may be forbidden and yet waited for, and a change may come from a
card whose kind the OPERATOR ignores.

fixes-meet: two Fixes of one stat that can act on the same OPERATOR at once, of which neither always wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.effect_sources import card_sources
from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_condition, print_doing, print_number
from toolkit.dsl.tree import Problem, walk
from toolkit.lint.card_comparison import Design
from toolkit.lint.context import EffectContext, RunCache, Statement, changed_stat, statements_of
from toolkit.lint.proof.atomic_effects import AtomicEffect, atomic_effects
from toolkit.lint.proof.domains import Domains
from toolkit.lint.proof.dominance import covers
from toolkit.lint.proof.literals import QUESTIONS, literal_of
from toolkit.lint.proof.polynomials import Variables
from toolkit.lint.proof.satisfiability import can_be_same, can_hold
from toolkit.source import ScalarText
from toolkit.vocabulary import RANGES, STATS, Role

_PERMISSIONS = (*tree.FORBIDDING, tree.Ignores, tree.GainsKeyword, tree.GainsTrait)
_OVERRIDING = (
    *_PERMISSIONS,
    tree.MakesDiceCritical,
    tree.MakesAttackCritical,
    tree.GainsRuleviolation,
    tree.Fixes,
    tree.Limits,
)
_OWN_KIND = {Role.SKILL: "SKILLs", Role.ATTACK: "ATTACK cards", Role.DEFENCE: "DEFENCE cards"}
"""What an OPERATOR ignores that this very card does not change."""

MOST_EFFECTS = 200
"""A card with more atomic effects is not examined: each would be compared with each."""


def check(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Yield Fixes of one effect that can meet: at the second, with the first as related place.

    One that always overrides the other is a finding of its own (`overridden-effect`).
    """
    for first, second in combinations(_fixes(statements), 2):
        if not _can_meet(first, second):
            continue
        places = {first.doing.place, second.doing.place}
        effect = tree.Effect(tuple(statement.sentence for statement in statements))
        both_fixes = [
            atomic_effect
            for atomic_effect in atomic_effects(effect, first.statement.context.role)
            if atomic_effect.place in places
        ]
        if not any(_overrides(winner, loser) for winner, loser in permutations(both_fixes, 2)):
            related = ((first.doing.place, "the other Fix"),)
            span = second.doing.place
            yield Problem("fixes-meet", _meeting(first, second), span, _FIXES_STEP, None, related)


def check_designs(
    designs: Sequence[Design],
    cards: CardSet,
    effects: Mapping[tuple[str, str], tree.Effect],
    cache: RunCache,
) -> list[Diagnostic]:
    """Words that never matter, each once, and Fixes of different SKILLs of one OPERATOR that can meet."""
    overridden: list[Diagnostic] = []
    for design in designs:
        if len(design.effects) > 1:
            overridden += cache.get("overridden", (design,), partial(_overridden, design))
    reported = {finding.span for finding in overridden}
    meeting = [
        finding
        for card in cards.cards.values()
        for finding in _fixes_of_skills(card, effects)
        if reported.isdisjoint((finding.span, *(label.span for label in finding.labels)))
    ]
    return [*meeting, *overridden]


# fixes-meet

_FIXES_STEP = "Make their conditions exclude each other, or write `gets` for one of them."


class _Fix(Struct, frozen=True):
    """One ``fixes`` and where it stands."""

    statement: Statement
    act: tree.Act
    doing: tree.Fixes


def _fixes_of_skills(card: Card, effects: Mapping[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    """Fixes of different SKILLs of one OPERATOR that can meet."""
    skills = [source for source in card_sources(card) if "fix" in source.scalar.value]
    if len(skills) < 2:
        return
    context = EffectContext(Role.SKILL, card)
    fixes = [
        (skill, fix)
        for skill in skills
        if (effect := effects.get((card.id, skill.part))) is not None
        for fix in _fixes(statements_of(effect, context))
    ]
    for (skill, first), (other, second) in combinations(fixes, 2):
        if skill is not other and _can_meet(first, second):
            span = other.scalar.locate(*second.doing.place)
            label = Label(skill.scalar.locate(*first.doing.place), "the other Fix")
            yield Diagnostic("fixes-meet", _meeting(first, second), span, _FIXES_STEP, (label,), card.id)


def _meeting(first: _Fix, second: _Fix) -> str:
    stat = second.doing.stat.text
    return (
        f"`{print_doing(second.doing)}` can meet `{print_doing(first.doing)}`: {stat} can have only one of"
        " these numbers, and the other Fix does nothing."
    )


def _fixes(statements: Sequence[Statement]) -> list[_Fix]:
    """Return the Fixes that can meet others for certain OPERATORs."""
    return [
        _Fix(statement, act, doing)
        for statement in statements
        for act in statement.acts
        if _can_meet_others(act)
        for doing in act.doings
        if isinstance(doing, tree.Fixes)
    ]


def _can_meet_others(act: tree.Act) -> bool:
    """Whether numbers that it fixes can meet other Fixes, whatever is chosen in the GAME."""
    if isinstance(act.who, (tree.One, tree.Player)):
        return False  # who is meant is chosen in the GAME, and can be another one; players have no stats
    # what an event fixes only until the end of its attack mostly comes too late for that attack
    return act.duration is None or act.duration.name != "ATTACK"


def _can_meet(first: _Fix, second: _Fix) -> bool:
    """Whether two Fixes of one stat with different values may act on the same OPERATOR at once."""
    if first.doing.stat.text != second.doing.stat.text or first.doing.value == second.doing.value:
        return False
    sentence, statements = first.statement.sentence, (first.statement, second.statement)
    has_alternatives = "if not" in sentence.links or any(
        isinstance(clause, tree.Either) for clause in sentence.clauses
    )
    if first.statement is second.statement and has_alternatives:
        return False
    # a continuous sentence waits for attacks of one side; two that wait for different sides never meet
    attacking_sides = {
        statement.scope.sides.get("attacker") for statement in statements if statement.is_continuous_attack
    }
    if len(attacking_sides - {None}) > 1:
        return False
    # the scope in which more is known of the attack holds for both: they would act in the same one
    scope = max((statement.scope for statement in statements), key=lambda scope: len(scope.parts))
    all_conditions = tuple(
        statement.sentence.condition
        for statement in statements
        if statement.sentence.condition is not None and not statement.scope.event
    )
    return can_be_same(first.act.who, second.act.who, all_conditions, scope, first.statement.context)


# overridden-effect

_OVERRIDDEN_STEP = "Remove these words, or make the two exclude each other."


def _overridden(design: Design) -> list[Diagnostic]:
    """Return a finding for each effect of a card that another one of it overrides."""
    effects, texts = design.effects, design.texts
    can_override = any(isinstance(effect.done, _OVERRIDING) for effect in effects)
    if len(effects) > MOST_EFFECTS or not can_override:
        return []
    findings = []
    overridden: set[int] = set()
    for winner, loser in permutations(range(len(effects)), 2):
        if winner in overridden or loser in overridden:
            continue
        if _overrides(effects[winner], effects[loser]):
            overridden.add(loser)
            strong, weak = (effects[winner], texts[winner]), (effects[loser], texts[loser])
            findings.append(_overridden_finding(design.card, strong, weak))
    return findings


def _overrides(winner: AtomicEffect, loser: AtomicEffect) -> bool:
    """Whether the first leaves nothing of the second, in every situation in which that one acts."""
    if winner.scope.event:
        return False
    if _forbids_attack(winner, loser) or _is_ignored(winner, loser):
        return True
    return not loser.scope.event and _beats(winner.done, loser.done) and covers(winner, loser)


def _beats(winner: object, loser: object) -> bool:
    """Whether one action leaves nothing for another to do, if it holds wherever that does."""
    match winner, loser:
        case tree.MakesDiceCritical(low), tree.MakesDiceCritical(high):
            return low <= high
        case tree.MakesAttackCritical(), tree.MakesDiceCritical() | tree.MakesAttackCritical():
            return True
        case tree.CannotMakeCritical(), tree.MakesDiceCritical() | tree.MakesAttackCritical():
            return True
        case tree.CannotHave("cards"), tree.CannotHave() | tree.CannotHaveDefence():
            return True
        case tree.GainsRuleviolation(high), tree.GainsRuleviolation(low):
            return high >= low
        case tree.Fixes(stat, high), tree.Fixes(other, low):
            return stat.text == other.text and high >= low
        case tree.Limits(_, tree.Constant(bound), is_lower), tree.Limits(_, tree.Constant(other_bound)):
            is_same_kind = replace(winner, bound=loser.bound) == loser
            return is_same_kind and (bound >= other_bound if is_lower else bound <= other_bound)
    return isinstance(winner, _PERMISSIONS) and winner == loser


def _forbids_attack(winner: AtomicEffect, loser: AtomicEffect) -> bool:
    """An OPERATOR that cannot attack, or be attacked, gains nothing from what waits for that."""
    if winner.who != tree.Ref("self") or winner.condition is not None or winner.when is not None:
        return False
    attack_part = loser.scope.parts.get("self")
    if isinstance(winner.done, tree.CannotPerform):
        return winner.done.action == "ATTACK" and attack_part == "attacker"
    return isinstance(winner.done, tree.CannotBeAttacked) and attack_part == "attacked"


def _is_ignored(winner: AtomicEffect, loser: AtomicEffect) -> bool:
    """Whether this card changes an OPERATOR that ignores cards of this kind."""
    if not isinstance(winner.done, tree.Ignores) or winner.done.what != _OWN_KIND.get(winner.scope.role):
        return False
    if isinstance(loser.done, tuple) or loser.scope.event or not loser.scope.attack:
        return False
    stat = changed_stat(loser.done)
    return stat is not None and stat.text in STATS and covers(winner, loser)


def _overridden_finding(
    card: Card, winner: tuple[AtomicEffect, ScalarText], loser: tuple[AtomicEffect, ScalarText]
) -> Diagnostic:
    """Return the finding that one action never matters, with what overrides it and an example."""
    (strong, by), (weak, in_text) = winner, loser
    assert not isinstance(strong.done, tuple), "what overrides is one action"
    words = print_doing(strong.done)
    bearer = card if card.kind == "operator" else None
    situation = smallest_situation(
        weak.condition, Domains(weak.scope, EffectContext(weak.scope.role, bearer))
    )
    example = f" The smallest situation: {situation}." if situation else ""
    subject = f"`{print_doing(weak.done)}`" if not isinstance(weak.done, tuple) else "This"
    return Diagnostic(
        "overridden-effect",
        f"{subject} never matters: {_why(strong, weak, words)}.{example}",
        in_text.locate(*weak.place),
        _OVERRIDDEN_STEP,
        (Label(by.locate(*strong.place), "this overrides it"),),
        card.id,
    )


def _why(strong: AtomicEffect, weak: AtomicEffect, words: str) -> str:
    """Return the rule by which one effect overrides another; ``words`` are those of the stronger one."""
    winner: object = strong.done  # not one of 30 types: mypy would compare each with each, which takes 2 s
    loser: object = weak.done
    is_same = winner == loser
    match winner, loser:
        case (tree.CannotPerform(), _) if not is_same:
            return "an OPERATOR that cannot perform ATTACK never attacks"
        case (tree.CannotBeAttacked(), _) if not is_same:
            return "an OPERATOR that cannot be attacked never is"
        case (tree.Ignores(what), _) if not is_same:
            return f"with `{words}` no {what.removesuffix('s')} changes its numbers, this one included"
        case tree.GainsRuleviolation(), _:
            return f"of two RULEVIOLATIONs the higher holds, and `{words}` always holds with it"
        case tree.Fixes(), _:
            return f"of two Fixes the higher wins (N-6), and `{words}` always acts with it"
        case tree.Limits(), _ if not is_same:
            return f"of two limits the narrower holds (E-26), and `{words}` always acts with it"
        case (tree.MakesAttackCritical(), tree.MakesDiceCritical()):
            return f"`{words}` always acts with it, and then every ATTACK D6 is CRITICAL"
        case tree.MakesDiceCritical(), _:
            return f"of two thresholds the lower holds, and `{words}` always acts with it"
    if is_same:
        return "this card does the same in every case where this applies, and in more"
    return f"`{words}` always holds with it"


# the smallest situation in which a condition holds

_NUMBERS = (
    tree.QuantityOf,
    tree.MarkerOfPlayer,
    tree.NumberOf,
    tree.CardsInHand,
    tree.NumberOfCards,
    tree.Captured,
    tree.Round,
)


def smallest_situation(condition: tree.Condition | None, domains: Domains) -> str:
    """Return what must be so for a condition, each number as small as possible: "`HITCOUNTER of self` is 3".

    Empty where nothing need be so.
    """
    if condition is None:
        return ""
    nodes = list(dict.fromkeys(node for node in walk(condition) if isinstance(node, (*QUESTIONS, *_NUMBERS))))
    settled: list[tree.Condition] = [condition]
    leaves = [_needed_answer(node, settled, domains) for node in nodes if isinstance(node, QUESTIONS)]
    numbers = [_least_value(node, settled, domains) for node in nodes if isinstance(node, _NUMBERS)]
    return " and ".join(filter(None, [*leaves, *numbers]))


def _needed_answer(leaf: tree.Condition, settled: list[tree.Condition], domains: Domains) -> str:
    """Return in words the answer that a question must have by what is settled, and settle it.

    Nothing if it can have both, or if there is no other answer in any situation.
    """
    yes, no = leaf, tree.Not(leaf)
    for answer, opposite in ((yes, no), (no, yes)):
        if not _may_be(opposite, settled, domains):
            settled.append(answer)
            literal = literal_of(leaf, answer is no, Variables(domains))
            return "" if literal is True else f"`{print_condition(answer)}`"
    return ""


def _least_value(number: tree.Number, settled: list[tree.Condition], domains: Domains) -> str:
    """Return in words the least value that a number can have by what is settled, and settle it."""
    variables = Variables(domains)
    polynomial = variables.polynomial(number)
    low, high = variables.range_of(polynomial) if polynomial is not None else (0, 0)
    _, most_tried = RANGES["current"]
    for value in range(low, min(high, low + most_tried) + 1):
        equal = tree.Comparison(number, "=", tree.Constant(value))
        if _may_be(equal, settled, domains):
            settled.append(equal)
            return f"`{print_number(number)}` is {value}"
    return ""


def _may_be(condition: tree.Condition, settled: list[tree.Condition], domains: Domains) -> bool:
    return can_hold(tree.AllOf((*settled, condition)), Variables(domains))
