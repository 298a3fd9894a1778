"""The fast way to exact odds: MODIFY is played once for each way through the windows, up to the dice.

The dice are multisets (``dice_stage``). What comes of AP and EP is played once for each class of result, and
only where an effect in play can change what is asked.

It gives the same fractions as the slow way, or ``CannotBeFast``; it never approximates.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.engine.acting_effects import Attack
from toolkit.engine.attack import act, critical_from, dice_wanted, die_change
from toolkit.engine.compiled_rules import AFTER_CRITICAL, DICE_VERBS
from toolkit.engine.modifiers import Change, Holding, damage_of, put_together
from toolkit.engine.outcomes import Roll
from toolkit.engine.state import OperatorState, Side
from toolkit.play.odds.aftermath import LAST_CHANCE, Analysis, Touch, events_of
from toolkit.play.odds.dice_stage import (
    Counted,
    DiceChange,
    DiceStage,
    Faces,
    Keeping,
    sums_of_attack_dice,
    sums_of_defence_dice,
)
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

_LIMITS = ("at most", "at least")
_NOTHING: frozenset[Touch] = frozenset()
_OTHERS: frozenset[Touch] = frozenset(("others",))
_ABOUT_HITS = ("DP", "RANGE", "", None)
"""What lasts and may change whether somebody is HIT: a change of these, or a verb that is held."""


class _Number:
    """AP or EP of an attack: its VALUE and all that changes it, but for what dice add; ``dice`` is how."""

    def __init__(
        self, value: int, changes: list[Change], dice: Change, options: Options, first: Side
    ) -> None:
        self.value, self.changes, self.dice, self.options, self.first = value, changes, dice, options, first
        limited = any(change.layer in _LIMITS for change in changes)
        self.is_plain = options.stacking == "layered" and not limited
        self.before_dice = put_together(value, changes, options, first)

    def with_dice(self, added: int) -> int:
        """Return the number with what dice add, as it is read (N-5)."""
        if self.is_plain:  # what dice add is added and nothing else, as under `layered` without limits
            carried = self.before_dice + added
        else:
            changes = [*self.changes, replace(self.dice, amount=added)]
            carried = put_together(self.value, changes, self.options, self.first)
        return max(self.options.floor, carried)


class _Points(Struct):
    """The numbers of an attack with so many dice doubled: AP and EP by what dice add; what changes DAMAGE;
    DP, DP when the attack is over, and what can make the target HIT that DP keeps from it.
    """

    ap: _Number
    ep: _Number
    damage_changes: list[Change]
    dp: int
    dp_later: int
    hurting: frozenset[Touch]
    options: Options
    first: Side

    def alike(self) -> Hashable:
        """Return the same for numbers that give the same DAMAGE, and the same verdicts, with all dice."""
        ap, ep, options = self.ap, self.ep, self.options
        margins: Hashable
        if not (ap.is_plain and ep.is_plain):  # what dice add depends on all that changes them
            margins = ap.value, ep.value, (tuple(ap.changes), tuple(ep.changes)), options, self.first
        elif min(ap.before_dice, ep.before_dice) < options.floor:  # the floor may cut off some of it
            margins = ap.before_dice, ep.before_dice, options.floor
        else:
            margins = ap.before_dice - ep.before_dice
        damage_changes = (*self.damage_changes, options, self.first) if self.damage_changes else ()
        return margins, damage_changes, self.dp, self.dp_later, self.hurting

    def damage(self, margin: int) -> int:
        """Return what so many AP more than EP add to the HITCOUNTER (E-14)."""
        return damage_of(margin, self.damage_changes, self.options, self.first) if margin else 0


@lru_cache(maxsize=2_000)
def _certain(outcome: Outcome, order: tuple[int, int, int]) -> Counted:
    """An outcome that is certain."""
    measures = outcome.damage, int(outcome.becomes_hit), int(outcome.hits)
    first, second, third = order
    return Counted((measures[first], measures[second], measures[third]), {outcome: 1})


class FastWay:
    """Solves one attack. ``records`` says whether the policy is wanted, too."""

    def __init__(self, attack: ForcedAttack, goal: Goal, analysis: Analysis, *, records: bool) -> None:
        self.attack, self.analysis, self.records = attack, analysis, records
        self.judge = Judge(goal, attack.position.attacking, records=records)
        attack.counts_spent = records
        self.game = attack.game
        makes = self.game.makes
        if makes is None or not DICE_VERBS.isdisjoint(makes - _KNOWN_DICE_VERBS):
            raise CannotBeFast

    def solve(self) -> Solution:
        """Return what comes of the attack."""
        self.attack.forced.stops_at_dice = self.attack.forced.only_results = True
        try:
            return explore(self._play, self.judge)
        finally:
            self.attack.forced.stops_at_dice = self.attack.forced.only_results = False
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
        self.dice_changes: tuple[DiceChange, ...] = ()
        self.keeping: tuple[Keeping, ...] = ()
        if game.holds_any(attack, self.static):
            self.dice_changes = (*self._rerolls(attack), *self._settings(attack))
            self.keeping = tuple(self._keeping(attack))
        self.late = [pending for pending in attack.pending if pending.effect.judged == AFTER_CRITICAL]
        for pending in self.late:
            if any(action.aspect in DICE_VERBS for action in pending.effect.actions):
                raise CannotBeFast
        self.aftermath = way.analysis.of(game, attack)
        self.hitcounter = attack.attacked.hitcounter
        self.others_are_wounded = any(
            operator.hitcounter for operator in game.state.operators if operator is not attack.attacked
        )
        self.is_played = self._is_played()
        self.touches = _OTHERS if self._somebody_may_go() else _NOTHING
        self.points: list[_Points] = []
        if "dice" not in self.aftermath.about:
            most_doubled = self.attacks if self.threshold <= 6 else 0
            self.points = [*self._points(attack, most_doubled)]
        self.spent = way.attack.spent()
        self.counted_by_class: dict[tuple[int, ...], Counted] = {}
        self.becomes_hit: dict[tuple[bool, ...], bool | None] = {}
        self.snapshot: DiceSnapshot | None = None

    def _is_played(self) -> bool:
        """Whether the engine must play on from all dice: where DP depends on more than places, something
        lasts until the end of the attack, or a policy is wanted of what is asked then."""
        aftermath, state = self.aftermath, self.way.game.state
        if "dice" in aftermath.about or "DP of more" in aftermath.about:
            return True
        lastings = [lasting for operator in state.operators for lasting in operator.lasting]
        if any(lasting.duration == "ATTACK" and lasting.stat in _ABOUT_HITS for lasting in lastings):
            return True
        has_items = bool(state.blue.item_deck or state.red.item_deck)  # K-1 asks for whom
        return self.way.records and (aftermath.hears or has_items)

    def _somebody_may_go(self) -> bool:
        """Whether another OPERATOR may fall or become OUT without any effect that hears of something."""
        lastings = [lasting for operator in self.way.game.state.operators for lasting in operator.lasting]
        has_lasting_verbs = any(lasting.layer is None for lasting in lastings)  # no numbers
        return self.others_are_wounded or "RULEVIOLATION" in self.aftermath.about or has_lasting_verbs

    def _hurting(self, attack: Attack) -> frozenset[Touch]:
        """What can make the target HIT whose HITCOUNTER are below DP: HITCOUNTER, or less DP.

        What MODIFY changes of DP counts only as long as what made it is there.
        """
        about = self.aftermath.about
        if "DP of places" in about or any(change.stat == "DP" for change in attack.changes):
            return frozenset(("hurts", "places", "others"))
        return frozenset(("hurts", "places")) if "DP of bearer" in about else frozenset(("hurts",))

    def _becomes_hit(self, points: _Points, damage: int, hits: bool, is_critical: bool) -> bool | None:
        """Whether the target becomes HIT; None if only the engine can tell."""
        total = self.hitcounter + damage
        falls_now, falls_later = 0 < total >= points.dp, 0 < total >= points.dp_later
        situation = falls_now, falls_later, damage > 0, hits, is_critical
        if situation not in self.becomes_hit:
            self.becomes_hit[situation] = self._verdict(points.hurting, *situation)
        return self.becomes_hit[situation]

    def _verdict(
        self,
        hurting: frozenset[Touch],
        falls_now: bool,
        falls_later: bool,
        counts: bool,
        hits: bool,
        critical: bool,
    ) -> bool | None:
        """Whether the target becomes HIT (H-1), None if only the engine can tell.

        ``falls_now`` and ``falls_later``: its HITCOUNTER reach DP at once, and DP when the attack is over.
        """
        if self.is_played:
            return None
        after = self.aftermath.after
        if falls_now:
            return None if after(LAST_CHANCE).touches else True
        somebody_falls = falls_later or self.others_are_wounded
        touches = self.touches | after(events_of(hits, critical, counts, somebody_falls)).touches
        if falls_later:
            return None if touches else True
        return False if touches.isdisjoint(hurting) else None

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

    def _points(self, attack: Attack, most_doubled: int) -> Iterator[_Points]:
        """The numbers by how many dice are doubled; of an attack that is CRITICAL only AP is another, unless
        an effect asks for that."""
        points = self._points_with(attack, 0)
        yield points
        for doubled in range(1, most_doubled + 1):
            if AFTER_CRITICAL in attack.due:
                yield self._points_with(attack, doubled)
            else:
                ap = points.ap
                doublings = [die_change(attack, "ATTACK", 6, True)] * doubled
                ap = _Number(ap.value, [*ap.changes, *doublings], ap.dice, ap.options, ap.first)
                yield replace(points, ap=ap)

    def _points_with(self, attack: Attack, doubled: int) -> _Points:
        """The numbers with so many dice doubled; the attack is afterwards as it was before."""
        game, attacker, attacked = self.way.game, attack.attacker, attack.attacked
        change_count, holding_count = len(attack.changes), len(attack.holdings)
        attack.critical = doubled > 0
        attack.changes += [die_change(attack, "ATTACK", 6, True)] * doubled
        if AFTER_CRITICAL in attack.due:
            act(game, attack, AFTER_CRITICAL)
        static = game.static_effects()
        dp = dp_later = 0
        if not self.is_played:
            dp = dp_later = game.number(attacked, "DP", static)
            if attack.changes or attack.holdings:
                game.attack = None  # DP without what lasts as long as the attack
                dp_later = game.number(attacked, "DP")
                game.attack = attack
        ap, ep = (
            _Number(
                game.facts[operator.key].values[stat],
                [*game.counting(operator, stat, static)],
                die_change(attack, die, 0, False),
                game.options,
                game.first,
            )
            for operator, stat, die in ((attacker, "AP", "ATTACK"), (attacked, "EP", "DEFENCE"))
        )
        points = _Points(
            ap,
            ep,
            [*game.counting(attacked, "DAMAGE", static)] if game.awaits("DAMAGE") else [],
            dp,
            dp_later,
            self._hurting(attack),
            game.options,
            game.first,
        )
        del attack.changes[change_count:]
        del attack.holdings[holding_count:]
        for pending in self.late:
            pending.verdict = None
        attack.critical = False
        return points

    def solve(self) -> Solution:
        """Return what comes of all dice; of those that are alike it is found once."""
        if self.is_played or not self.points or self.way.records:
            return self._solution()
        known, dice_class = self.way.analysis.solutions, self._class()
        solution = known.get(dice_class)
        if solution is None:
            solution = self._solution()
            if self.snapshot is None:  # the engine, which reads the whole state, was not asked
                known[dice_class] = solution
        return solution

    def _class(self) -> Hashable:
        """What the solution depends on, as long as the engine need not play on."""
        return (
            (self.judge.order, self.judge.attacking),
            (self.attacks, self.defences, self.threshold, self.keeping),
            tuple(dice_change._replace(origin=None) for dice_change in self.dice_changes),
            tuple(points.alike() for points in self.points),
            (self.hitcounter, self.others_are_wounded, self.touches, self.aftermath.touched),
        )

    def _solution(self) -> Solution:
        if self.points and not (self.dice_changes or self.way.records):
            counted, number = self._sums(), 6 ** (self.attacks + self.defences)
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

    def _sums(self) -> Counted:
        """What comes of all dice if nobody changes them: each sum once, 5 times as fast."""
        times_by_class: dict[tuple[int, int], int] = {}
        defence_dice = sums_of_defence_dice(self.defences, self.keeping)
        ep_by_doubled = [
            [points.ep.with_dice(total) for total, _, _ in defence_dice] for points in self.points
        ]
        for ways, attack_times in sums_of_attack_dice(self.attacks, self.threshold, self.keeping):
            options = [
                (self.points[len(doubled)].ap.with_dice(total), len(doubled), added, doubled)
                for total, added, doubled in ways
            ]
            for number, (_, defences, defence_times) in enumerate(defence_dice):
                best_class, best = (0, 0), None
                for ap, count, added, doubled in options:
                    margin = ap - ep_by_doubled[count][number]
                    dice_class = count, margin if margin > 0 else 0
                    counted = self.counted_by_class.get(dice_class)
                    if counted is None:
                        counted = self._of_class(dice_class, added, doubled, defences)
                    if best is None or counted.value > best.value:
                        best_class, best = dice_class, counted
                times = attack_times * defence_times
                times_by_class[best_class] = times_by_class.get(best_class, 0) + times
        return self._counted_together(times_by_class)

    def _counted_together(self, times_by_class: Mapping[tuple[int, int], int]) -> Counted:
        """What comes of all classes together, each counted so many times."""
        first = second = third = 0
        outcomes: dict[Outcome, int] = {}
        for dice_class, times in times_by_class.items():
            value, counted_outcomes, _ = self.counted_by_class[dice_class]
            first += times * value[0]
            second += times * value[1]
            third += times * value[2]
            for outcome, count in counted_outcomes.items():
                outcomes[outcome] = outcomes.get(outcome, 0) + times * count
        return Counted((first, second, third), outcomes)

    def _leaf(self, added: Faces, doubled: Faces, defences: Faces) -> Counted:
        """What comes of ATTACK D6 that are added and doubled, and of DEFENCE D6."""
        count, added_points, defence_points = len(doubled), sum(added), sum(defences)
        dice_class: tuple[int, ...] = count, added_points, defence_points
        if self.points:
            points = self.points[count]
            margin = points.ap.with_dice(added_points) - points.ep.with_dice(defence_points)
            dice_class = count, max(0, margin)
        return self.counted_by_class.get(dice_class) or self._of_class(dice_class, added, doubled, defences)

    def _of_class(
        self, dice_class: tuple[int, ...], added: Faces, doubled: Faces, defences: Faces
    ) -> Counted:
        """What comes of all dice of a class: so many doubled, and AP so many more than EP (0: not more);
        where something reads AP or EP, the sums of the dice."""
        counted = self._known(*dice_class) if self.points else None
        counted = self.counted_by_class[dice_class] = counted or self._play_on(added, doubled, defences)
        return counted

    def _known(self, doubled: int, margin: int) -> Counted | None:
        """What comes of an attack that hits by so much (0: it misses); None if only the engine can tell."""
        points = self.points[doubled]
        damage = points.damage(margin)
        becomes_hit = self._becomes_hit(points, damage, margin > 0, doubled > 0)
        if becomes_hit is None:
            return None
        return _certain(Outcome(damage, margin > 0, becomes_hit, doubled > 0, self.spent), self.judge.order)

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
