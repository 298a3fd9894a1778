"""Random cards with events, and squads of them, for GAMEs that are played both ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from tests.dsl_trees import TEAMS, TRAITS, sensible_sentences
from tests.engine.fast_cases import SPICE
from tests.engine.tables import rules, shipped
from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.dsl.parsing import parse_effect
from toolkit.effects.compiling import compile_effect
from toolkit.effects.objects import EffectObject
from toolkit.engine.rules import CardRules, Rules, effect_table
from toolkit.vocabulary import STATS, Role

KINDS = {
    "operator": Role.SKILL,
    "attack": Role.ATTACK,
    "defence": Role.DEFENCE,
    "item": Role.ITEM,
    "strategy": Role.STRATEGY,
    "effect": Role.EFFECT,
}
EVENTFUL = {
    Role.SKILL: (
        "when the attack hits, self gains BONUS (ANY).",
        "when self becomes HIT, all any OPERATORs in RANGE get +2 HITCOUNTER.",
        "when self REACHES the OBJECTIVE, one other own OPERATOR becomes NORMAL and gets +1 MP until end of "
        "ROUND.",
        "if HITCOUNTER of self >= 1, self gets +2 DP and cannot perform MOVE.",
        "if self is not EXHAUSTED, self cannot be attacked.",
        "all own OPERATORs with DP <= 4 gain BONUS (EVADE).",
        "when the ACTION of self ends, if self is SUPPRESSED, self fixes MP at 3 until end of TURN.",
        "when attacking, if AP of self > EP of target, self halves AP and rolls +1 ATTACK D6.",
    ),
    Role.STRATEGY: (
        "all any OPERATORs with HITCOUNTER > 1 ignore SKILLs.",
        "when an own OPERATOR attacks, attacker may reroll 1 ATTACK D6.",
        "all own OPERATORs fix DP at 5.",
        "all enemy OPERATORs fix DP at 3.",
    ),
    Role.ATTACK: (
        "when attached, target becomes OUT.",
        "when attacking, target gets -4 DP.",
        "when attached, either self becomes OUT or one enemy OPERATOR gets +3 HITCOUNTER.",
    ),
    Role.DEFENCE: ("when attached, self gets +1 EP until end of ATTACK.",),
    Role.ITEM: ("when self becomes HIT, owner fulfils PERFORMANCE.", "self gains RULEVIOLATION 3+."),
    Role.EFFECT: (
        "when played, one own OPERATOR gains RULEVIOLATION 4+ permanently.",
        "when played, all enemy OPERATORs cannot perform ATTACK and cannot be attacked until end of TURN.",
        "when played, all any OPERATORs may reroll 1 DEFENCE D6 until end of ROUND.",
        "when played, one any OPERATOR doubles EP while on the FIELD, then one enemy OPERATOR becomes OUT.",
    ),
}
"""What random sentences seldom say."""
_EACH = 5
OPTIONS = tuple(
    Options(rounding=rounding, floor=floor, swap_counters=counters, swap_mp=swap_mp)
    for rounding in ("down", "up", "nearest")
    for floor, counters, swap_mp in (
        (0, "with_operator", 4),
        (1, "with_position", 3),
        (2, "with_operator", 5),
    )
)

Sentences = dict[Role, list[tree.Sentence]]


@st.composite
def random_sentences(draw: st.DrawFn) -> Sentences:
    """Some sentences for each kind of card, for TEAMWORK, SUPPRESSION and PERFORMANCE."""
    return {
        role: draw(st.lists(sensible_sentences(role).filter(_can_be_swift), min_size=1, max_size=4))
        for role in (*KINDS.values(), Role.SUPPRESSION, Role.TEAMWORK, Role.PERFORMANCE)
    }


def _can_be_swift(sentence: tree.Sentence) -> bool:
    """Not what forbids some attacks (``swift.hindrances``)."""
    return sentence.when is None or not any(
        isinstance(doing, (tree.CannotBeAttacked, tree.CannotPerform))
        for clause in sentence.clauses
        if isinstance(clause, tree.Act)
        for doing in clause.doings
    )


@dataclass(frozen=True)
class RandomSet:
    """Rules with random cards, and two squads of them."""

    rules: Rules
    blue: Any
    red: Any


def random_set(sentences: Sentences, chance: Random) -> RandomSet:
    """Cards put together from the sentences and from those above; other rules now and then."""
    cards = {
        f"{kind}-{number}": _card(f"{kind}-{number}", kind, sentences, chance)
        for kind in KINDS
        for number in range(_EACH)
    }
    plain = rules(shipped(), chance.choice(("skirmish", "night-raid")))
    mode = replace(plain.mode, max_rounds=3, starting_hand=chance.randint(3, 7), hand_limit=6, save_zone=2)
    made = replace(
        plain,
        cards=cards,
        mode=mode,
        options=chance.choice(OPTIONS),
        attack_can_be_forbidden=True,
    )
    if chance.random() < 0.3:
        found = _compiled(sentences, Role.SUPPRESSION, chance)
        conditions = tuple({one.origin.sentence: one.condition for one in found}.values())
        made = replace(made, suppression=effect_table(found), suppressed=conditions)
    if chance.random() < 0.3:
        made = replace(made, teamwork=effect_table(_compiled(sentences, Role.TEAMWORK, chance)))
    if chance.random() < 0.3:
        made = replace(made, performance=effect_table(_compiled(sentences, Role.PERFORMANCE, chance)))
    return RandomSet(made, _squad(chance), _squad(chance))


def _squad(chance: Random) -> Any:
    kinds = ("attack", "defence", "strategy", "effect")
    deck = {f"{kind}-{number}": chance.randint(0, 3) for kind in kinds for number in range(_EACH)}
    return SimpleNamespace(
        operators=tuple(f"operator-{chance.randrange(_EACH)}" for _ in range(chance.randint(4, 6))),
        deck={name: copies for name, copies in deck.items() if copies},
        item_deck={f"item-{number}": 1 for number in range(_EACH)},
    )


def _card(name: str, kind: str, sentences: Sentences, chance: Random) -> CardRules:
    role = KINDS[kind]
    effects = compile_effect(_effect(sentences, role, chance), role, name, "effect")
    return CardRules(
        id=name,
        kind=kind,
        team=chance.choice((*TEAMS, None)) if kind == "operator" else None,
        traits=frozenset(chance.sample(TRAITS, chance.randrange(3))),
        values={stat: chance.randrange(1, 8) for stat in STATS},
        squadpoints=chance.randrange(8),
        effects=effect_table(effects),
    )


def _effect(sentences: Sentences, role: Role, chance: Random) -> tree.Effect:
    return tree.Effect(
        tuple(_sentence(sentences[role], role, chance) for _ in range(chance.choice((1, 1, 2))))
    )


def _sentence(pool: list[tree.Sentence], role: Role, chance: Random) -> tree.Sentence:
    spice = (*SPICE.get(role, ()), *EVENTFUL.get(role, ()))
    if not spice or chance.random() < 0.5:
        return chance.choice(pool)
    effect, problems = parse_effect(chance.choice(spice))
    assert effect is not None, problems
    return effect.sentences[0]


def _compiled(sentences: Sentences, role: Role, chance: Random) -> tuple[EffectObject, ...]:
    return compile_effect(_effect(sentences, role, chance), role, "rules", role.value)
