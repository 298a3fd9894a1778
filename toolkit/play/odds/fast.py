"""The fast way to exact odds: MODIFY is played once for each way through the windows, up to the dice.

The dice are multisets (``dice_stage``). What comes of AP and EP is played once for each class of result, and
only where an effect in play can change what is asked.

It gives the same fractions as the slow way, or ``CannotBeFast``; it never approximates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.engine.acting_effects import Attack
from toolkit.engine.attack import act, critical_from, dice_wanted, die_change
from toolkit.engine.compiled_rules import (
    AFTER_CRITICAL,
    DICE_VERBS,
    EffectTable,
    EventChoice,
    EventClauses,
    Rules,
)
from toolkit.engine.modifiers import Change, Holding, damage_of, put_together
from toolkit.engine.outcomes import Roll
from toolkit.engine.state import GameState, OperatorState, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.play.odds.dice_stage import Counted, DiceChange, DiceStage, Faces, Keeping, sums_of_dice
from toolkit.play.odds.exploring import Judge, Question, Solution, explore
from toolkit.play.odds.forced_attack import AtDice, DiceSnapshot, ForcedAttack
from toolkit.play.odds.measures import Goal, Outcome


class CannotBeFast(Exception):
    """An attack in which something happens that only the slow way plays."""


_KNOWN_DICE_VERBS = frozenset(
    (
        *(tree.RollsExtra, tree.MayReroll, tree.MakesDiceCritical, tree.MakesAttackCritical),
        *(tree.CannotMakeCritical, tree.SetsDice, tree.KeepsDice),
    )
)
_NEVER_AFTER_DICE = frozenset(
    (
        *("performed", "played", "attached", "turn-begins", "turn-ends", "round-begins", "round-ends"),
        *("begins", "captures", "enters"),
    )
)
"""Events that do not happen after the dice of an attack but by what is not harmless itself."""
_CHANGING_NUMBERS = (tree.Gets, tree.Multiplies, tree.Divides, tree.Fixes, tree.Limits)
_HARMLESS = (
    *(
        tree.Draws,
        tree.GainsBonus,
        tree.FulfilsPerformance,
        tree.GainsKeyword,
        tree.GainsTrait,
        tree.RollsDie,
    ),
    *(tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence, tree.MayReroll, tree.RollsExtra),
    *(tree.MakesDiceCritical, tree.MakesAttackCritical, tree.GainsRuleviolation, tree.Becomes, tree.Loses),
    *(tree.Performs, tree.CannotLoseHitcounter),
)
"""What an event after the dice may do without costing a card of a hand, and without changing whether the
target becomes HIT, as long as no effect without `when` changes DP. (One that is OUT by it was judged before;
an ACTION at once comes behind it, O-5; who cannot lose HITCOUNTER matters only where another effect takes
some.)"""

_MOVING = (
    *(tree.EntersField, tree.SwapsPlaces, tree.Retreats, tree.Advances, tree.TakesItem),
    tree.FetchesItems,
)
"""Verbs after which somebody may enter the FIELD, capture an OBJECTIVE, or get an ITEM."""

Harm = Literal["", "self", "neighbours", "any"]
"""Whose HITCOUNTER or DP a table can change after the dice: nobody's, the bearer's, those of OPERATORs next
to one, or anybody's; ``any`` is also what costs cards."""


class InPlay(Struct, frozen=True, eq=False):
    """What the effects in play can do once the dice of an attack are rolled; cards in hands are out of it.

    ``hears`` says that something hears of what happens then, ``harms`` what it can change, by the ``id`` of
    the table. ``dp_varies``: an effect without `when` changes DP; ``dp_is_settled``: only with who is face up
    where with which card. ``violates``: one gives RULEVIOLATION, ``removes``: an event makes somebody OUT or
    takes a card.
    ``reads_dice``: something reads AP or EP then.
    """

    rules: Rules
    hears: bool
    harms: dict[int, frozenset[Harm]]
    dp_varies: bool
    dp_is_settled: bool
    violates: bool
    removes: bool
    reads_dice: bool


class Analysis(Struct, eq=False):
    """What effects can do after the dice, found once for the same cards in play."""

    known: dict[tuple[int, frozenset[str], bool], InPlay] = field(default_factory=dict)

    def in_play(self, game: StateQueries) -> InPlay:
        """Return what the effects in play can do in a state."""
        state = game.state
        cards = [operator.card for operator in state.operators]
        cards += [operator.attached for operator in state.operators if operator.attached is not None]
        cards += [*state.blue.strategies, *state.red.strategies, *state.blue.item_deck, *state.red.item_deck]
        has_items = bool(state.blue.item_deck or state.red.item_deck)
        key = id(game.rules), frozenset(cards), has_items
        in_play = self.known.get(key)
        if in_play is None:
            in_play = self.known[key] = _in_play(game.rules, key[1], has_items)
        return in_play


def _can_change(in_play: InPlay, state: GameState, target: OperatorState) -> bool:
    """Whether what hears of what happens after the dice can change whether the target becomes HIT, or cost
    cards, as long as no effect without `when` changes DP."""
    harmless: tuple[Harm, ...] = ("", "neighbours") if len(state.operators) == 2 else ("",)
    cards = in_play.rules.cards
    of_others = {
        id(cards[card].effects)
        for operator in state.operators
        if operator is not target
        for card in (operator.card, operator.attached)
        if card is not None and card not in (target.card, target.attached)
    }
    return any(
        not harms.issubset((*harmless, "self") if table in of_others else harmless)
        for table, harms in in_play.harms.items()
    )


def _in_play(rules: Rules, cards: frozenset[str], has_items: bool) -> InPlay:
    tables = rules.tables(cards)
    harms = {id(table): _facts(table) for table in tables}
    waits_for = frozenset[str]().union(*(table.waits_for for table in tables))
    makes = frozenset[type]().union(*(table.makes for table in tables))
    somebody_moves = has_items or not makes.isdisjoint(_MOVING)
    return InPlay(
        rules,
        any(hears for hears, _ in harms.values()),
        {table: harm for table, (_, harm) in harms.items() if harm - {""}},
        not waits_for.isdisjoint(("always DP", "unsettled DP")),
        "unsettled DP" not in waits_for,
        tree.GainsRuleviolation in makes,
        not makes.isdisjoint((tree.Becomes, tree.Loses)),
        "dice" in waits_for or ("dice after moving" in waits_for and somebody_moves),
    )


def _facts(table: EffectTable) -> tuple[bool, frozenset[Harm]]:
    harms: set[Harm] = set()
    hears = False
    for name, effects in table.events.items():
        if name not in _NEVER_AFTER_DICE and effects:
            hears = True
            for effect in effects:
                harms.update(_harms(effect.clauses, name))
    return hears, frozenset(harms)


def _harms(clauses: EventClauses, event: str) -> Iterator[Harm]:
    for clause in clauses:
        if isinstance(clause, EventChoice):
            yield from _harms(clause.first, event)
            yield from _harms(clause.second, event)
            continue
        for action in clause.actions:
            yield _harm(action.does, clause.who, event)
        yield from _harms(clause.if_so, event)
        yield from _harms(clause.if_not, event)


def _harm(doing: tree.Doing, who: tree.Who, event: str) -> Harm:
    is_last_chance = event == "would become HIT" and isinstance(doing, tree.Becomes)
    if isinstance(doing, _CHANGING_NUMBERS):
        changed = doing.what if isinstance(doing, tree.Gets) else doing.stat
        if changed.text not in ("DP", "HITCOUNTER"):
            return ""
    elif not is_last_chance:
        return "" if isinstance(doing, _HARMLESS) else "any"
    if isinstance(who, tree.Ref) and who.name == "self":
        return "self"
    is_next_to_one = isinstance(who, (tree.One, tree.Every)) and who.group.adjacent is not None
    return "neighbours" if is_next_to_one else "any"


_LIMITS = ("at most", "at least")


class _Points(Struct):
    """The numbers of an attack with so many dice doubled: the VALUEs of AP and EP and all that changes them
    before what dice add; what changes DAMAGE; the lowest HITCOUNTER that makes HIT.

    ``are_plain``: what dice add is added to them and nothing else, as under `layered` without limits.
    """

    values: tuple[int, int]
    changes: tuple[list[Change], list[Change]]
    damage_changes: list[Change]
    dp: int
    options: Options
    first: Side
    dice: tuple[Change, Change]
    are_plain: bool = False
    before_dice: tuple[int, int] = (0, 0)
    with_dice: dict[tuple[int, int], int] = {}

    def __post_init__(self) -> None:
        changes = [*self.changes[0], *self.changes[1]]
        limited = any(change.layer in _LIMITS for change in changes)
        self.are_plain = self.options.stacking == "layered" and not limited
        self.before_dice = self._together(0, None), self._together(1, None)

    def _together(self, number: int, added: int | None) -> int:
        die = [] if added is None else [replace(self.dice[number], amount=added)]
        return put_together(self.values[number], [*self.changes[number], *die], self.options, self.first)

    def number(self, number: int, added: int) -> int:
        """Return AP (0) or EP (1) with what dice add, as it is read (N-5)."""
        if self.are_plain:
            return max(self.options.floor, self.before_dice[number] + added)
        result = self.with_dice.get((number, added))
        if result is None:
            result = max(self.options.floor, self._together(number, added))
            self.with_dice[number, added] = result
        return result

    def damage(self, ap: int, ep: int) -> int:
        """Return what AP against EP add to the HITCOUNTER (E-14)."""
        if ap <= ep:
            return 0
        return damage_of(ap - ep, self.damage_changes, self.options, self.first)


class FastWay:
    """Solves one attack. ``records`` says whether the policy is wanted, too."""

    def __init__(self, attack: ForcedAttack, goal: Goal, analysis: Analysis, *, records: bool) -> None:
        self.attack, self.analysis, self.records = attack, analysis, records
        self.judge = Judge(goal, attack.position.attacking)
        self.game = attack.game
        makes = self.game.makes
        if makes is None or not DICE_VERBS.isdisjoint(makes - _KNOWN_DICE_VERBS):
            raise CannotBeFast

    def solve(self) -> Solution:
        """Return what comes of the attack."""
        self.attack.forced.stops_at_dice = True
        try:
            return explore(self._play, self.judge)
        finally:
            self.attack.forced.stops_at_dice = False
            self.attack.restore()

    def _play(self, answers: Sequence[int]) -> tuple[Solution, Sequence[Question]]:
        """Play MODIFY up to the dice, then count; without dice it is the whole ACTION."""
        forced = self.attack.forced
        forced.stops_at_dice = True
        try:
            outcome, questions = self.attack.play(answers)
        except AtDice:
            questions = forced.questions
            attack = self.game.attack
            assert attack is not None
            full_answers = [*answers, *[0] * (len(questions) - len(answers))]
            return _DicePosition(self, attack, full_answers).solve(), questions
        return self.judge.solution({outcome: Fraction(1)}), questions


class _DicePosition:
    """An attack at its dice, after so many answers.

    Whatever is asked of the engine is asked before something is played on, for then the state is another.
    """

    def __init__(self, way: FastWay, attack: Attack, answers: Sequence[int]) -> None:
        self.way, self.answers = way, answers
        game, self.judge = way.game, way.judge
        self.static = game.static_effects()
        self.attacks, self.defences = dice_wanted(game, attack, self.static)
        self.threshold = critical_from(game, attack, self.static)
        self.dice_changes = (*self._rerolls(attack), *self._settings(attack))
        self.keeping = tuple(self._keeping(attack))
        self.late = [pending for pending in attack.pending if pending.effect.judged == AFTER_CRITICAL]
        for pending in self.late:
            if any(action.aspect in DICE_VERBS for action in pending.effect.actions):
                raise CannotBeFast
        in_play = way.analysis.in_play(game)
        self.reads_dice = in_play.reads_dice
        self.is_quiet = not self.reads_dice and self._nothing_matters(in_play, attack.attacked)
        self.hitcounter = attack.attacked.hitcounter
        self.points: list[_Points] = []
        if not self.reads_dice:
            most_doubled = self.attacks if self.threshold <= 6 else 0
            self.points = [self._points_with(attack, doubled) for doubled in range(most_doubled + 1)]
        self.spent = way.attack.spent()
        self.counted_by_class: dict[tuple[int, ...], Counted] = {}
        self.snapshot: DiceSnapshot | None = None

    def _nothing_matters(self, in_play: InPlay, target: OperatorState) -> bool:
        """Whether what comes of AP and EP is known without playing on; for a policy also what is asked."""
        state, way = self.way.game.state, self.way
        lasting_verbs = [
            lasting for operator in state.operators for lasting in operator.lasting if lasting.layer is None
        ]
        lasts_for_attack = any(
            lasting.duration == "ATTACK" for operator in state.operators for lasting in operator.lasting
        )
        has_items = bool(state.blue.item_deck or state.red.item_deck)  # K-1 asks for whom
        if lasts_for_attack or (has_items and (in_play.hears or way.records)):
            return False
        others_stay = not (
            in_play.violates
            or lasting_verbs
            or any(operator.hitcounter for operator in state.operators if operator is not target)
        )
        if not in_play.hears:
            exhausts = way.attack.position.exhausts
            return not in_play.dp_varies or (others_stay and (in_play.dp_is_settled or not exhausts))
        if way.records or _can_change(in_play, state, target):
            return False
        nobody_is_hurt = not (in_play.harms or in_play.removes)
        return not in_play.dp_varies or (others_stay and in_play.dp_is_settled and nobody_is_hurt)

    def _held(self, attack: Attack, verb: type) -> Iterator[tuple[OperatorState, Holding]]:
        """What the two OPERATORs hold of a dice verb, in the order in which it acts."""
        for operator in (attack.attacker, attack.attacked):
            for held in self.way.game.held(operator, verb, self.static):
                yield operator, held

    def _rerolls(self, attack: Attack) -> Iterator[DiceChange]:
        """What may be rerolled (M-6)."""
        for operator, held in self._held(attack, tree.MayReroll):
            does = held.does
            if isinstance(does, tree.MayReroll) and _is_about(attack, operator, does):
                yield DiceChange(operator.side, does.die, does.count, held.origin, does.shown)

    def _settings(self, attack: Attack) -> Iterator[DiceChange]:
        """Which dice are set (E-24)."""
        for operator, held in self._held(attack, tree.SetsDice):
            does = held.does
            if isinstance(does, tree.SetsDice) and _is_about(attack, operator, does):
                yield DiceChange(
                    operator.side,
                    does.die,
                    does.count,
                    held.origin,
                    sets_to=does.result,
                    optional=does.optional,
                )

    def _keeping(self, attack: Attack) -> Iterator[Keeping]:
        """Which dice are kept (E-23), the attacking player's effects first (M-11)."""
        all_held = list(self._held(attack, tree.KeepsDice))
        all_held.sort(key=lambda operator_and_held: operator_and_held[1].controller != attack.side)
        for operator, held in all_held:
            does = held.does
            own = "ATTACK" if operator is attack.attacker else "DEFENCE"
            if isinstance(does, tree.KeepsDice) and does.die == own:
                yield Keeping(does.die, does.count, does.highest)

    def _points_with(self, attack: Attack, doubled: int) -> _Points:
        """The numbers with so many dice doubled; the attack is afterwards as it was before."""
        game, attacker, attacked = self.way.game, attack.attacker, attack.attacked
        change_count, holding_count = len(attack.changes), len(attack.holdings)
        attack.critical = doubled > 0
        attack.changes += [die_change(attack, "ATTACK", 6, True)] * doubled
        if AFTER_CRITICAL in attack.due:
            act(game, attack, AFTER_CRITICAL)
        static = game.static_effects()
        dp = 0
        if self.is_quiet:
            dp = game.number(attacked, "DP", static)
            if attack.changes or attack.holdings:
                game.attack = None
                dp = min(dp, game.number(attacked, "DP"))  # when the attack is over
                game.attack = attack
        points = _Points(
            (game.facts[attacker.key].values["AP"], game.facts[attacked.key].values["EP"]),
            ([*game.counting(attacker, "AP", static)], [*game.counting(attacked, "EP", static)]),
            [*game.counting(attacked, "DAMAGE", static)] if game.awaits("DAMAGE") else [],
            dp,
            game.options,
            game.first,
            (die_change(attack, "ATTACK", 0, False), die_change(attack, "DEFENCE", 0, False)),
        )
        del attack.changes[change_count:]
        del attack.holdings[holding_count:]
        for pending in self.late:
            pending.verdict = None
        attack.critical = False
        return points

    def solve(self) -> Solution:
        """Return what comes of all dice."""
        if self.is_quiet and not (self.dice_changes or self.keeping or self.way.records):
            counted, number = self._sums()
        else:
            attack = self.way.attack
            dice = self.attacks, self.defences, self.threshold
            left = attack.limit - attack.ways
            changes = self.dice_changes, self.keeping
            stage = DiceStage(self.judge, *dice, *changes, self._leaf, self.way.records, left)
            counted, number = stage.solve()
        first, second, third = (Fraction(measure, number) for measure in counted.value)
        distribution = {outcome: Fraction(count, number) for outcome, count in counted.outcomes.items()}
        return Solution(distribution, (first, second, third), counted.policy)

    def _sums(self) -> tuple[Counted, int]:
        """What comes of all dice if nobody rerolls and nothing hears of it: numbers only, 5 times as fast."""
        hitcounter, all_points, order = self.hitcounter, self.points, self.judge.order
        times_by_result: dict[tuple[int, bool, bool, bool], int] = {}
        for ways, defence_points, times in sums_of_dice(self.attacks, self.defences, self.threshold):
            best: tuple[int, int, int] | None = None
            for added, doubled in ways:
                points = all_points[doubled]
                ap, ep = points.number(0, added), points.number(1, defence_points)
                damage = points.damage(ap, ep)
                measures = damage, 0 < hitcounter + damage >= points.dp, ap > ep
                value = measures[order[0]], measures[order[1]], measures[order[2]]
                if best is None or value > best:
                    best, result = value, (*measures, doubled > 0)
            times_by_result[result] = times_by_result.get(result, 0) + times
        totals = [0, 0, 0]
        outcomes = {}
        for (damage, becomes_hit, hits, critical), times in times_by_result.items():
            outcomes[Outcome(damage, hits, becomes_hit, critical, self.spent)] = times
            totals[0] += times * damage
            totals[1] += times * becomes_hit
            totals[2] += times * hits
        first, second, third = order
        return Counted((totals[first], totals[second], totals[third]), outcomes), 6 ** (
            self.attacks + self.defences
        )

    def _leaf(self, added: Faces, doubled: Faces, defences: Faces) -> Counted:
        """What comes of ATTACK D6 that are added and doubled, and of DEFENCE D6."""
        added_points, count, defence_points = sum(added), len(doubled), sum(defences)
        if not self.points:
            return self._class((added_points, count, defence_points), added, doubled, defences)
        points = self.points[count]
        ap, ep = points.number(0, added_points), points.number(1, defence_points)
        damage = points.damage(ap, ep)
        if not self.is_quiet:
            return self._class((damage, ap > ep, count > 0), added, doubled, defences)
        key = damage, ap > ep, count
        counted = self.counted_by_class.get(key)
        if counted is None:
            total = self.hitcounter + damage
            outcome = Outcome(damage, ap > ep, 0 < total >= points.dp, count > 0, self.spent)
            measures = damage, int(outcome.becomes_hit), int(outcome.hits)
            first, second, third = self.judge.order
            value = measures[first], measures[second], measures[third]
            counted = self.counted_by_class[key] = Counted(value, {outcome: 1})
        return counted

    def _class(self, key: tuple[int, ...], added: Faces, doubled: Faces, defences: Faces) -> Counted:
        """What comes of dice of one class, played by the engine for the first of them."""
        counted = self.counted_by_class.get(key)
        if counted is None:
            counted = self.counted_by_class[key] = self._play_on(added, doubled, defences)
        return counted

    def _play_on(self, added: Faces, doubled: Faces, defences: Faces) -> Counted:
        """Play the whole ACTION with these dice, and look at all that can happen after them."""
        way = self.way
        if self.snapshot is None:
            self.snapshot = way.attack.at_dice()
        snapshot = self.snapshot
        rolls = self._rolls((*added, *doubled), defences)
        critical = [0] * sum(face >= self.threshold for face in added) + [1] * len(doubled)
        base = [*self.answers, *critical]
        way.attack.forced.stops_at_dice = False

        def play(answers: Sequence[int]) -> tuple[Solution, Sequence[Question]]:
            outcome, questions = way.attack.play_from(snapshot, rolls, [*base, *answers])
            return self.judge.solution({outcome: Fraction(1)}), questions[len(base) :]

        solution = explore(play, self.judge)
        if len(solution.distribution) == 1:  # no chance in it: whole numbers are 10 times as fast
            first, second, third = map(int, solution.value)
            return Counted((first, second, third), dict.fromkeys(solution.distribution, 1), solution.policy)
        return Counted(solution.value, solution.distribution, solution.policy)  # type: ignore[arg-type]  # chances

    def _rolls(self, attacks: Faces, defences: Faces) -> list[Roll]:
        """Dice that show so, and as many that are set aside as were rolled beside them (E-23)."""
        faces = [("ATTACK", face) for face in attacks] + [("DEFENCE", face) for face in defences]
        rolls = [Roll(number, die, face) for number, (die, face) in enumerate(faces, 1)]
        aside = ["ATTACK"] * (self.attacks - len(attacks)) + ["DEFENCE"] * (self.defences - len(defences))
        for die in aside:
            rolls.append(Roll(len(rolls) + 1, die, 1, settled=True, counted=True, is_aside=True))
        return rolls


def _is_about(attack: Attack, operator: OperatorState, does: tree.MayReroll | tree.SetsDice) -> bool:
    """Whether a verb is about dice of this attack: the OPERATOR's own, with `enemy` those of the other."""
    own = "ATTACK" if operator is attack.attacker else "DEFENCE"
    return (does.die == own) != does.enemy
