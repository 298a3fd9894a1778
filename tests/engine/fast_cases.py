"""Random cards, states and dice for the fast path, and the reference interpreter's answer to them."""

from __future__ import annotations

import ast
import keyword
import re
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import strategies as st

from tests.dsl_trees import TEAMS, TRAITS, sensible_sentences
from tests.engine.tables import rules, shipped
from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.walking import walk
from toolkit.effects.compiling import compile_effect, layer_of
from toolkit.effects.objects import EffectObject, Origin
from toolkit.engine.attack import begin_attack
from toolkit.engine.attacking import compare
from toolkit.engine.board import stat_and_amount
from toolkit.engine.decisions import Decision, RandomDice
from toolkit.engine.fast.attack import FastAttack, FastPath
from toolkit.engine.fast.facts import read
from toolkit.engine.modify import modify
from toolkit.engine.outcomes import AttackResult
from toolkit.engine.play import Play, Refused
from toolkit.engine.rules import NO_EFFECTS, CardRules, Rules, effect_table
from toolkit.engine.state import GameState, Key, Lasting, OperatorState, PlayerState, Side
from toolkit.engine.windows import Wishes
from toolkit.vocabulary import STATS, Role

ALL_OPTIONS = tuple(
    Options(stacking=stacking, rounding=rounding, floor=floor)
    for stacking in ("layered", "stepwise")
    for rounding in ("down", "up", "nearest")
    for floor in (0, 1)
)
Windows = tuple[str | None, str | None, str | None]
KINDS = {
    "skilled": Role.SKILL,
    "attack": Role.ATTACK,
    "defence": Role.DEFENCE,
    "item": Role.ITEM,
    "strategy": Role.STRATEGY,
}


SPICE = {
    Role.SKILL: (
        "when attacking, self fixes AP at 3.",
        "when attacked, self fixes EP at 2.",
        "self gets +2 AP and halves AP.",
        "when attacking, if FIELDPOSITION of self = 2, self gets +2 AP.",
        "when attacking, self gets +1 AP for each enemy OPERATOR adjacent to target that are HIT.",
        "when attacking, if the attack is CRITICAL, self makes ATTACK D6 CRITICAL on 3+ "
        "and rolls +2 ATTACK D6.",
        "when attacking, self may reroll 2 ATTACK D6.",
    ),
    Role.STRATEGY: (
        "all own OPERATORs fix AP at 5.",
        "all enemy OPERATORs double AP.",
        "when an own OPERATOR attacks, attacker fixes AP at 4.",
        "when an enemy OPERATOR attacks, attacker fixes AP at 2.",
    ),
    Role.ITEM: ("self halves EP.", "self fixes AP at 2."),
    Role.ATTACK: (
        "when attacking, if the attack is CRITICAL, self rolls +1 ATTACK D6.",
        "when attacking, self fixes AP at 6.",
    ),
    Role.DEFENCE: (
        "when attacked, attacker fixes AP at 1.",
        "when attacked, attacker ignores ATTACK cards.",
    ),
    Role.SUPPRESSION: ("when attacking, if HITCOUNTER of self >= 1, self fixes AP at 1.",),
    Role.TEAMWORK: ("when attacking, self fixes AP at 7.",),
}
"""What random sentences seldom say, and where the order, the controller or the place decides."""

HEAVY: tuple[tree.Doing, ...] = (
    tree.Fixes(tree.Word("AP"), 3),
    tree.Fixes(tree.Word("AP"), 6),
    tree.Fixes(tree.Word("EP"), 2),
    tree.Fixes(tree.Word("EP"), 5),
    tree.Multiplies(tree.Word("AP"), 2),
    tree.Divides(tree.Word("EP"), 2),
)
"""What seldom lasts."""

Sentences = dict[Role, list[tree.Sentence]]


@st.composite
def random_sentences(draw: st.DrawFn) -> Sentences:
    """Some sentences for each kind of card, and for SUPPRESSION and TEAMWORK."""
    found: Sentences = {}
    for role in (*KINDS.values(), Role.SUPPRESSION, Role.TEAMWORK):
        most = 1 if role in (Role.SUPPRESSION, Role.TEAMWORK) else 6 if role is Role.SKILL else 3
        sentence = sensible_sentences(role, events=False)
        found[role] = draw(st.lists(sentence, min_size=1, max_size=most))
    return found


def random_rules(sentences: Sentences, chance: Random) -> Rules:
    """Rules with four cards of each kind that are put together from sentences, and any options; now and then
    a SUPPRESSION and TEAMWORK of their own."""
    cards = {}
    if chance.random() < 0.5:
        sentences = _without_groups(sentences)
    for kind, role in KINDS.items():
        for number in range(4):
            cards[f"{kind}-{number}"] = _card(
                f"{kind}-{number}", kind, _effect(sentences, role, chance), chance
            )
    cards["attack-3"] = replace(cards["attack-3"], effects=_WHEN_ATTACHED)
    made = replace(rules(shipped(), "skirmish"), cards=cards, options=chance.choice(ALL_OPTIONS))
    if chance.random() < 0.25:
        suppression = _compiled(sentences, Role.SUPPRESSION, chance)
        conditions = tuple({one.origin.sentence: one.condition for one in suppression}.values())
        made = replace(made, suppression=effect_table(suppression), suppressed=conditions)
    if chance.random() < 0.25:
        made = replace(made, teamwork=effect_table(_compiled(sentences, Role.TEAMWORK, chance)))
    return made


def _effect(sentences: Sentences, role: Role, chance: Random) -> tree.Effect:
    return tree.Effect(
        tuple(_sentence(sentences[role], role, chance) for _ in range(chance.choice((1, 1, 2, 3))))
    )


def _sentence(sentences: list[tree.Sentence], role: Role, chance: Random) -> tree.Sentence:
    if chance.random() < 0.75:
        return chance.choice(sentences)
    effect, problems = parse_effect(chance.choice(SPICE[role]))
    assert effect is not None, problems
    return effect.sentences[0]


def _without_groups(sentences: Sentences) -> Sentences:
    """Those that make only the two OPERATORs of an attack matter, as far as there are any."""
    found = {}
    for role, pool in sentences.items():
        found[role] = [
            one for one in pool if not any(isinstance(part, tree.Group) for part in walk(one))
        ] or pool
    return found


def _compiled(sentences: Sentences, role: Role, chance: Random) -> tuple[EffectObject, ...]:
    return compile_effect(_effect(sentences, role, chance), role, "rules", role.value)


def _card(name: str, kind: str, effect: tree.Effect, chance: Random) -> CardRules:
    operator = kind == "skilled"
    effects = effect_table(compile_effect(effect, KINDS[kind], name, "effect"))
    return CardRules(
        id=name,
        kind="operator" if operator else kind,
        team=chance.choice(TEAMS) if operator else None,
        traits=frozenset(chance.sample(TRAITS, chance.randrange(3))),
        values={stat: chance.randrange(8) for stat in STATS},
        squadpoints=chance.randrange(8),
        effects=NO_EFFECTS if operator and chance.random() < 0.2 else effects,
    )


_WHEN_ATTACHED = effect_table(
    compile_effect(
        tree.Effect(
            (tree.Sentence((tree.Act(tree.Player("owner"), (tree.Draws(1),)),), tree.When("attached")),)
        ),
        Role.ATTACK,
        "attack-3",
        "effect",
    )
)


def random_state(rules: Rules, chance: Random, lasting: list[tree.Doing]) -> GameState:
    """A state with one to four OPERATORs in each row and anything that may lie on them."""
    operators: list[OperatorState] = []
    players: list[PlayerState] = []
    for side in ("blue", "red"):
        field: list[Key | None] = [None] * rules.field_positions
        for position in sorted(chance.sample(range(len(field)), chance.randint(1, len(field)))):
            field[position] = len(operators)
            operators.append(_operator(len(operators), side, position, chance, lasting))
        strategies = _some("strategy", chance, 2)
        hand = tuple(f"{kind}-{number}" for kind in ("attack", "defence") for number in range(4))
        players.append(PlayerState(tuple(field), hand=hand, strategies=strategies))
    return GameState(tuple(operators), *players, turn=chance.choice(("blue", "red")), serial=99)


def _some(kind: str, chance: Random, most: int) -> tuple[str, ...]:
    return tuple(f"{kind}-{chance.randrange(4)}" for _ in range(chance.randint(0, most)))


def _operator(
    key: Key, side: Side, position: int, chance: Random, lasting: list[tree.Doing]
) -> OperatorState:
    kind = chance.choice(("attack", "defence", "item"))
    held = [chance.choice((*lasting, *HEAVY)) for _ in range(chance.choice((0, 0, 0, 1, 2)))]
    return OperatorState(
        key,
        f"skilled-{chance.randrange(4)}",
        side,
        chance.choice(("NORMAL",) * 6 + ("HIT", "OUT")),
        position,
        attached=f"{kind}-{chance.randrange(4)}" if chance.random() < 0.3 else None,
        lasting=tuple(_lasting(number, does, chance) for number, does in enumerate(held, 1)),
    )


def _lasting(serial: int, does: tree.Doing, chance: Random) -> Lasting:
    controller: Side = chance.choice(("blue", "red"))
    origin = Origin("x", "effect", chance.choice(("effect", "action move")), 1, "")
    layer = layer_of(does)
    if layer is None:
        return Lasting(serial, origin, "T-2", controller, does, "TURN")
    if isinstance(does, tree.Gets):  # what is counted was counted when it was made
        does = replace(does, per=None)
    stat, amount = stat_and_amount(does, None)  # type: ignore[arg-type]
    return Lasting(serial, origin, "T-2", controller, does, "TURN", stat, layer, amount)


def shaken(state: GameState, chance: Random) -> GameState:
    """The same match-ups with other numbers: counters, who is EXHAUSTED, what lasts, hands and the ROUND."""
    for who in state.operators:
        more = who.lasting
        for stat in STATS:
            if chance.random() < 0.15:
                does = tree.Gets(chance.choice((-3, -1, 1, 2)), tree.Word(stat))
                more = (*more, _lasting(len(more) + 1, does, chance))
        state = state.with_operator(
            replace(
                who,
                status=chance.choice(("NORMAL", "EXHAUSTED")) if who.is_up else who.status,
                hitcounter=max(0, chance.randint(-3, 5)),
                objectivecounter=chance.randint(0, 4),
                lasting=more,
            )
        )
    for side in ("blue", "red"):
        player = state.player(side)
        state = state.with_player(
            side, replace(player, hand=player.hand + ("skilled-0",) * chance.randrange(4))
        )
    return replace(state, round=chance.randint(1, 9))


def random_windows(state: GameState, attacker: Key, attacked: Key, chance: Random) -> Windows:
    """Cards for the windows of M-5; mostly for open ones."""
    one, two = state.operators[attacker], state.operators[attacked]
    attack = defence = late = None
    if chance.random() < (0.4 if one.attached is None else 0.03):
        attack = f"attack-{_card_number(chance)}"
    if chance.random() < (0.5 if two.attached is None else 0.03):
        defence = f"defence-{_card_number(chance)}"
    open_late = one.attached is None and attack is None and (defence or two.attached)
    if chance.random() < (0.6 if open_late else 0.03):
        late = f"attack-{_card_number(chance)}"
    return attack, defence, late


def _card_number(chance: Random) -> int:
    return 3 if chance.random() < 0.03 else chance.randrange(3)


@dataclass
class Asked:
    """A player who answers at random, or never rerolls, and remembers what he was asked."""

    chance: Random
    rerolls: bool
    decisions: list[Decision] = field(default_factory=list)

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        self.decisions.append(decision)
        if decision.kind == "reroll" and not self.rerolls:
            return 0
        return self.chance.randrange(len(decision.options))


def reference(
    rules: Rules, state: GameState, attacker: Key, attacked: Key, windows: Windows, player: Asked, seed: int
) -> tuple[AttackResult, int, bool] | None:
    """The attack as the reference plays it up to A-1 and H-1: the result, DP and HIT; None if refused."""
    play = Play(rules, state, {"blue": player, "red": player}, RandomDice(seed), False)
    going_on = begin_attack(state, rules, attacker, attacked)
    play.attack, play.in_modify = going_on, True
    try:
        complete = modify(play, going_on, Wishes(*windows))
    except Refused:
        return None
    assert complete
    compare(play, going_on)
    assert play.result is not None
    dp = play.board().number(attacked, "DP")
    counter = play.operator(attacked).hitcounter
    return play.result, dp, counter > 0 and counter >= dp


def check(
    path: FastPath, state: GameState, attacker: Key, attacked: Key, windows: Windows, chance: Random
) -> bool:
    """Whether the fast path took the attack; if so it came to the same as the reference."""
    rules = path.rules
    fast = path.attack(state, attacker, attacked, *windows)
    if any("attached" in rules.cards[card].effects.events for card in windows if card is not None):
        assert not isinstance(fast, FastAttack)
        return False
    player = Asked(chance, rerolls=chance.random() < 0.5)
    found = reference(rules, state, attacker, attacked, windows, player, chance.randrange(2**30))
    if found is None:
        assert not isinstance(fast, FastAttack)
        return False
    assert isinstance(fast, FastAttack), fast
    result, dp, hit = found
    attack = [roll.result for roll in result.rolls if roll.die == "ATTACK"]
    defence = [roll.result for roll in result.rolls if roll.die == "DEFENCE"]
    choices = [roll.doubled for roll in result.rolls if roll.critical]
    outcome = fast.resolve(attack, defence, choices)
    assert tuple(outcome) == (result.ap, result.ep, result.damage, result.critical, hit, dp)
    if not player.rerolls:
        side = state.operators[attacker].side
        asked = [
            (decision.whose == side, decision.options[1].die)  # type: ignore[attr-defined]
            for decision in player.decisions
            if decision.kind == "reroll"
        ]
        permitted = [(may.attacking, may.die) for may in fast.dice.rerolls]
        assert asked[: len(permitted)] == permitted
        assert len(asked) == len(permitted) or fast.second_roll
    single = path.match_up(state, attacker, attacked, windows)[0].single
    if single is not None:
        check_single(path, state, attacker, attacked, windows, (attack[0], defence[0], choices), outcome)
    return True


def check_single(
    path: FastPath,
    state: GameState,
    attacker: Key,
    attacked: Key,
    windows: Windows,
    dice: tuple[int, int, list[bool]],
    outcome: tuple[object, ...],
) -> None:
    """The whole attack as one function comes to the same."""
    match_up, keys = path.match_up(state, attacker, attacked, windows)
    assert match_up.single is not None
    die, defence, choices = dice
    readings = read(match_up.single.readings, state, keys, state.operators[attacker].side)
    assert match_up.single.function(*readings, die, defence, choices == [True]) == tuple(outcome)


_OWN_WORDS = re.compile(r"prepare|second|outcome|attack|[akd]2?|die|defence|double|[iv]\d+")


def only_own_words(source: str) -> bool:
    """Whether generated source has no names but its own, and no text at all."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Attribute, ast.Call, ast.Import, ast.ImportFrom, ast.JoinedStr)):
            return False
        if isinstance(node, ast.Constant) and not isinstance(node.value, (int, type(None))):
            return False
    names = re.findall(r"[^\W\d]\w*", source)
    return all(keyword.iskeyword(name) or _OWN_WORDS.fullmatch(name) for name in names)
