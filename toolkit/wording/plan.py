"""From an effect to what is said in which order: the same plan for every language."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from toolkit.dsl import tree
from toolkit.vocabulary import Role
from toolkit.wording import phrases as say
from toolkit.wording.canonical import Block, blocks, integer
from toolkit.wording.mentions import Mentions, noun_of

_Word = Literal["and", "or"]
_OUTCOMES = ("hits", "misses", "critical")
_OF_SELF = ("attacking", "attacked", "self-becomes-hit", "reaches", "captures", "action-ends")
_OF_SOMEBODY = ("own-becomes-hit", "enemy-becomes-hit")
_THIS_CARD = ("played", "attached")
_FORBIDDING = (tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence)


def plan(effect: tree.Effect, role: Role) -> tuple[say.SentencePlan, ...]:
    """What the rules text of an effect says, one entry for each printed sentence."""
    mentions = Mentions()
    return tuple(_Sentence(block, mentions).plan() for block in blocks(effect, role))


def plan_condition(effect: tree.Effect, role: Role) -> say.ConditionPhrase | None:
    """The condition of an effect's first sentence, said of an OPERATOR that is already known as "it"."""
    block = blocks(effect, role)[0]
    if block.condition is None:
        return None
    mentions = Mentions()
    mentions.begin(block.scope)
    mentions.introduce(noun_of("self", block.scope), attacks=False)
    return _Sentence(block, mentions).condition(block.condition)


def _anchors(group: tree.Group) -> tuple[tree.Ref, ...]:
    """The OPERATORs from whom it is seen where the group stands."""
    seen = (group.in_range.of if group.in_range else None, group.adjacent, group.opposite)
    return tuple(ref for ref in seen if ref is not None)


class _Sentence:
    """One block in the making; every method plans one kind of node, in the order of the printed words."""

    def __init__(self, block: Block, mentions: Mentions) -> None:
        self._block = block
        self._scope = block.scope
        self._mentions = mentions

    def plan(self) -> say.SentencePlan:
        block = self._block
        self._mentions.begin(self._scope)
        trigger = self._trigger()
        conditions = self._conditions(block.condition)
        opening: Literal["when", "while", "if", ""] = ""
        if trigger is not None:
            opening = "when"
        elif conditions:
            opening = "if" if self._scope.event else "while"
        clauses = tuple(self._clause(clause) for clause in block.clauses)
        return say.SentencePlan(trigger, opening, conditions, clauses, block.link)

    # the trigger

    def _trigger(self) -> say.TriggerPhrase | None:
        when, mentions = self._block.when, self._mentions
        if when is None or (when.name == "played" and self._scope.role is Role.EFFECT):
            return None  # an EFFECT card acts when it is played, and never else
        if when.name in _OUTCOMES:
            return self._outcome(when.name)
        if when.name in _OF_SELF:
            who = mentions.introduce(noun_of("self", self._scope), attacks=when.name == "attacking")
            return say.TriggerPhrase(when.name, who)
        if when.name in _THIS_CARD:
            mentions.introduce_card()
        elif when.name in _OF_SOMEBODY:
            mentions.introduce_somebody()
        elif when.name.endswith("is-attacked"):
            mentions.introduce("attacked", attacks=False)
        elif when.name.endswith("attacks"):
            mentions.introduce("attacker", attacks=True)
        return say.TriggerPhrase(when.name)

    def _outcome(self, name: str) -> say.TriggerPhrase:
        part = self._scope.parts.get("self")
        if part is not None:
            attacks = part == "attacker"
            who = self._mentions.introduce(noun_of("self", self._scope), attacks, by_thing=True)
            return say.TriggerPhrase(name, who, "attacker" if attacks else "attacked")
        self._mentions.introduce("attacker", attacks=True, by_thing=True)
        return say.TriggerPhrase(name, None, "own" if self._scope.role is Role.STRATEGY else "any")

    # clauses

    def _clause(self, clause: tree.Clause) -> say.ClausePhrase:
        if isinstance(clause, tree.Either):
            return say.ChoicePhrase(self._clause(clause.first), self._clause(clause.second))
        subject = self._subject(clause.who, isinstance(clause.doings[0], _FORBIDDING))
        doings = self._doings(clause.doings)
        self._mentions.end_act()
        return say.ActPhrase(subject, doings, clause.duration.name if clause.duration else None)

    def _subject(self, who: tree.Who, forbidden: bool) -> say.Subject:
        match who:
            case tree.Ref(name):
                return self._mentions.act(noun_of(name, self._scope))
            case tree.Player(name):
                self._mentions.act_as_others(one=False)
                return say.PlayerSubject(name)
            case tree.One(group):
                self._mentions.choose()
                one = say.GroupSubject("one", self._group(group))
                self._mentions.act_as_others(one=True)
                return one
            case tree.Every(group):
                every = say.GroupSubject("bare" if forbidden else "all", self._group(group))
                self._mentions.act_as_others(one=False)
                return every

    def _doings(self, doings: tuple[tree.Doing, ...]) -> tuple[say.DoingPhrase, ...]:
        """The doings in order; what is ignored, and which ACTIONs are forbidden, is said in one list."""
        said: list[say.DoingPhrase] = []
        for doing in doings:
            phrase = self._doing(doing)
            match said[-1:], phrase:
                case [say.IgnoresAll(before)], say.IgnoresAll(what):
                    said[-1] = say.IgnoresAll(before + what)
                case [say.CannotPerformAny(before)], say.CannotPerformAny(actions):
                    said[-1] = say.CannotPerformAny(before + actions)
                case _:
                    said.append(phrase)
        return tuple(said)

    def _doing(self, doing: tree.Doing) -> say.DoingPhrase:
        if isinstance(doing, tree.Ignores):
            return say.IgnoresAll((doing.what,))
        if isinstance(doing, tree.CannotPerform):
            return say.CannotPerformAny((doing.action,))
        if isinstance(doing, tree.MakesAttackCritical) and not self._scope.attack:
            return say.MakesItsAttacksCritical()
        if not isinstance(doing, tree.Gets):
            return doing
        counted = None
        if doing.per is not None:
            what = doing.per.what
            phrase = self._group(what) if isinstance(what, tree.Group) else self._number(what)
            counted = say.Counted(phrase, doing.per.maximum)
        return say.Change(doing.amount, doing.what.text, counted)

    # groups

    def _group(self, group: tree.Group) -> say.GroupPhrase:
        """The words of a group; who is left out by ``other`` is said where it could be mistaken."""
        mentions, self_noun = self._mentions, noun_of("self", self._scope)
        anchored = any(ref.name == "self" for ref in _anchors(group))
        plain_other = anchored or not self._scope.facts.has_self or mentions.seen_from_self(self_noun)
        places = self._places(group)
        excepted = mentions.say_by_name(self_noun) if group.other and not plain_other else None
        return say.GroupPhrase(
            side=group.side,
            other=group.other and plain_other,
            team=group.team.text if group.team else None,
            trait=group.trait.text if group.trait else None,
            quantity=group.quantity,
            places=places,
            status=group.status,
            excepted=excepted,
        )

    def _places(self, group: tree.Group) -> tuple[say.Somewhere, ...]:
        places: list[say.Somewhere] = []
        several = bool(group.adjacent or group.opposite)
        if group.in_range is not None and group.in_range.of is not None:
            noun = noun_of(group.in_range.of.name, self._scope)
            if not several and self._mentions.seen_from_self(noun):
                places.append(say.Somewhere("in RANGE", say.Mention(noun, "bare")))
            else:
                places.append(say.Somewhere("in RANGE", self._say(group.in_range.of)))
        if group.adjacent is not None:
            places.append(say.Somewhere("adjacent", self._say(group.adjacent)))
        if group.opposite is not None:
            places.append(say.Somewhere("opposite", self._say(group.opposite)))
        return tuple(places)

    def _say(self, ref: tree.Ref) -> say.Mention:
        return self._mentions.say(noun_of(ref.name, self._scope))

    # numbers

    def _number(self, number: tree.Number) -> say.NumberPhrase:
        value = integer(number)
        if value is not None:
            return say.Integer(value)
        match number:
            case tree.Negative(inner):
                return say.Minus(self._number(inner))
            case tree.Binary(operator, left, right):
                return say.Formula(operator, self._number(left), self._number(right))
            case tree.QuantityOf(quantity, ref):
                return say.Measure(quantity.text, self._say(ref))
            case tree.NumberOf(group):
                return say.Count(self._group(group))
            case tree.CardsInHand(side):
                return say.Hand(side)
            case tree.Round():
                return say.RoundNumber()
            case tree.Constant(value):
                return say.Integer(value)

    # conditions

    def _conditions(self, condition: tree.Condition | None) -> tuple[say.ConditionPhrase, ...]:
        """What must hold, part by part: trigger and parts are said in one list."""
        if condition is None:
            return ()
        parts = condition.parts if isinstance(condition, tree.AllOf) else (condition,)
        return self._parts(parts, "and")

    def condition(self, condition: tree.Condition) -> say.ConditionPhrase:
        match condition:
            case tree.AllOf(parts):
                return self._together(parts, "and")
            case tree.AnyOf(parts):
                return self._together(parts, "or")
            case tree.Not(part):
                raise AssertionError(f"canonical conditions have no `not`: {part}")
            case tree.Comparison():
                return self._comparison(condition)
            case tree.HasStatus():
                return self._statuses([condition], "and")
            case tree.Stands(ref, relation, to, negated):
                who = self._say(ref)
                there = self._mentions.say(noun_of(to.name, self._scope), of_target=who.form == "its")
                return say.StandsThere(who, relation, there, negated)
            case tree.Bears(ref, what, name, negated):
                return say.HasThat(self._say(ref), what, name.text if name else None, negated)
            case tree.AttackIsCritical(negated):
                return say.CriticalAttack(negated)

    def _together(self, parts: tuple[tree.Condition, ...], word: _Word) -> say.ConditionPhrase:
        said = self._parts(parts, word)
        return said[0] if len(said) == 1 else say.Together(word, said)

    def _parts(self, parts: tuple[tree.Condition, ...], word: _Word) -> tuple[say.ConditionPhrase, ...]:
        """The parts in order; neighbouring statuses of one OPERATOR become one part."""
        said: list[say.ConditionPhrase] = []
        for ref, run in groupby(parts, key=lambda p: p.ref.name if isinstance(p, tree.HasStatus) else None):
            if ref is None:
                said += [self.condition(part) for part in run]
            else:
                said.append(self._statuses([part for part in run if isinstance(part, tree.HasStatus)], word))
        return tuple(said)

    def _statuses(self, parts: list[tree.HasStatus], word: _Word) -> say.StatusIs:
        states = tuple((part.status.text, part.negated) for part in parts)
        return say.StatusIs(self._say(parts[0].ref), states, word)

    def _comparison(self, comparison: tree.Comparison) -> say.ConditionPhrase:
        compare, value = comparison.compare, integer(comparison.right)
        if value is not None:
            match comparison.left:
                case tree.NumberOf(group):
                    return say.CountIs(self._group(group), compare, value)
                case tree.CardsInHand(side):
                    return say.HandIs(side, compare, value)
                case tree.Round():
                    return say.RoundIs(compare, value)
                case _:
                    pass
        left = self._number(comparison.left)
        return say.Compares(left, compare, self._number(comparison.right))
