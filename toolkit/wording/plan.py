"""Planning of rules text: what it says in which order, the same in every language."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.clause_checks import needs_duration
from toolkit.vocabulary import FORMS, Role
from toolkit.wording import plan_nodes as say
from toolkit.wording.mentions import Context, Mentions, noun_of
from toolkit.wording.normalise import Block, blocks, integer, is_asked, negated
from toolkit.wording.text import is_marker, quantity_mark


def group_phrase(
    context: Context, group: tree.Group, counted: bool = False, named: bool = False
) -> say.GroupPhrase:
    """Return a group; the OPERATOR that ``other`` excludes is mentioned if it would be ambiguous.

    ``counted`` says that the group is counted, so that "on the FIELD" is needed unless a place implies it,
    ``named`` that RANGE must mention the OPERATOR whose RANGE it is.
    """
    mentions, self_noun = context.mentions, noun_of("self", context.scope)
    anchored = any(ref.name == "self" for ref in _anchors(group))
    plain_other = anchored or not context.scope.facts.has_self or mentions.seen_from_self(self_noun)
    places = _places(context, group, named)
    having = tuple(
        _having(context, group_filter) for group_filter in group.withs if not _is_position(group_filter)
    )
    excepted = mentions.say_by_name(self_noun) if group.other and not plain_other else None
    return say.GroupPhrase(
        side=group.side,
        other=group.other and plain_other,
        team=group.team.text if group.team else None,
        having=having,
        on_field=counted and not places and not group.savezone,
        in_savezone=group.savezone,
        places=places,
        status=group.status,
        excepted=excepted,
        extreme=group.superlative,
    )


def _having(context: Context, having: tree.QuantityFilter | tree.BearingFilter) -> say.Having:
    if isinstance(having, tree.BearingFilter):
        bearings = (
            (bearing.what, bearing.name.text if bearing.name else None) for bearing in having.bearings
        )
        return say.HasBearing(tuple(bearings), having.negated)
    if having.than is not None:
        of = context.say(having.than.ref)
        return say.HasThan(
            quantity_mark(having.quantity), having.compare, quantity_mark(having.than.quantity), of
        )
    return say.HasQuantity(quantity_mark(having.quantity), having.compare, having.number)


_Place = say.Somewhere | say.Position


def _places(context: Context, group: tree.Group, named: bool) -> tuple[_Place, ...]:
    places: list[_Place] = []
    several = named or bool(group.adjacent or group.opposite)
    if group.in_range is not None and group.in_range.of is not None:
        noun = noun_of(group.in_range.of.name, context.scope)
        if not several and context.mentions.in_range_of_bearer(noun):
            places.append(say.Somewhere("in RANGE", say.Mention(noun, "bare")))
        else:
            places.append(say.Somewhere("in RANGE", context.say(group.in_range.of)))
    if group.adjacent is not None:
        places.append(say.Somewhere("adjacent", context.say(group.adjacent)))
    if group.opposite is not None:
        places.append(say.Somewhere("opposite", context.say(group.opposite)))
    positions = [
        having for having in group.withs if isinstance(having, tree.QuantityFilter) and _is_position(having)
    ]
    return (*places, *(say.Position(having.compare, (having.number,)) for having in positions))


def _is_position(having: tree.QuantityFilter | tree.BearingFilter) -> bool:
    if isinstance(having, tree.BearingFilter):
        return False
    return having.quantity.text == "FIELDPOSITION" and having.than is None


def counted_phrase(context: Context, per: tree.Per) -> say.Counted:
    """Return what an amount is multiplied by; a count minus a number is "beyond the first …"."""
    match per.what:
        case tree.Group() as group:
            return say.Counted(group_phrase(context, group, counted=True), per.maximum)
        case tree.Binary("-", tree.NumberOf(group), tree.Constant(number)) if number:
            return say.Counted(group_phrase(context, group, counted=True), per.maximum, number)
        case tree.Binary("-", cards, tree.Constant(number)) if number and isinstance(
            of_player := _of_player(cards), say.Cards
        ):
            return say.Counted(of_player, per.maximum, number)
        case what:
            return say.Counted(number_phrase(context, what), per.maximum)


def number_phrase(context: Context, number: tree.Number) -> say.NumberPhrase:
    """Return a number, its parts in the order of the text."""
    value = integer(number)
    if value is not None:
        return say.Integer(value)
    counts = _counts(context, number)
    if counts is not None:
        return counts
    match number:
        case tree.Negative(inner):
            return say.Minus(number_phrase(context, inner))
        case tree.Binary(operator, left, right):
            return say.Formula(operator, number_phrase(context, left), number_phrase(context, right))
        case tree.QuantityOf(quantity, ref):
            return say.Measure(quantity_mark(quantity), context.say(ref))
        case tree.Damage() | tree.Round():
            return number
        case tree.Constant(value):
            return say.Integer(value)
    raise ValueError(number)


def _counts(context: Context, number: tree.Number, named: bool = False) -> say.Counts | None:
    """Return what a number counts, if it does: OPERATORs, or what a player has; ``named`` is as above."""
    if isinstance(number, tree.NumberOf):
        return say.Count(group_phrase(context, number.group, counted=True, named=named))
    return _of_player(number)


def _of_player(number: tree.Number) -> say.Cards | say.Held | say.CapturedNumber | None:
    match number:
        case tree.CardsInHand(side):
            return say.Cards(side)
        case tree.NumberOfCards():
            return say.Cards(number.side, number.zone, number.kind)
        case tree.MarkerOfPlayer():
            return say.Held(quantity_mark(number.quantity), _side(number.player))
        case tree.Captured():
            return say.CapturedNumber(_side(number.player))
    return None


def _side(player: tree.Player) -> tree.Side:
    return "own" if player.name == "owner" else "enemy"


def _anchors(group: tree.Group) -> tuple[tree.Ref, ...]:
    """Return the OPERATORs to which a group's places are relative, or its quantities are compared."""
    than = [
        having.than.ref for having in group.having if isinstance(having, tree.QuantityFilter) and having.than
    ]
    mentioned_refs = (group.in_range.of if group.in_range else None, group.adjacent, group.opposite, *than)
    return tuple(ref for ref in mentioned_refs if ref is not None)


_Word = Literal["and", "or"]


def conditions(context: Context, condition: tree.Condition | None) -> tuple[say.ConditionPhrase, ...]:
    """Return the parts of a condition that must all hold; trigger and parts are printed as one list."""
    if condition is None:
        return ()
    parts = condition.parts if isinstance(condition, tree.AllOf) else (condition,)
    return _parts(context, parts, "and")


def condition_phrase(context: Context, condition: tree.Condition) -> say.ConditionPhrase:
    """Return a condition, its parts in the order of the text."""
    match condition:
        case tree.AllOf(parts):
            return _together(context, parts, "and")
        case tree.AnyOf(parts):
            return _together(context, parts, "or")
        case tree.Not(part):
            return condition_phrase(context, negated(part))
        case tree.Comparison():
            return _comparison(context, condition)
        case tree.HasStatus(ref) | tree.Stands(ref) | tree.Bears(ref) | tree.HasReached(ref):
            return _facts(context, ref, [condition], "and")
        case tree.AttackIsCritical() | tree.TurnIs():
            return condition


def _together(context: Context, parts: tuple[tree.Condition, ...], word: _Word) -> say.ConditionPhrase:
    phrases = _parts(context, parts, word)
    return phrases[0] if len(phrases) == 1 else say.Together(word, phrases)


def _parts(
    context: Context, parts: tuple[tree.Condition, ...], word: _Word
) -> tuple[say.ConditionPhrase, ...]:
    """Return the parts in order; adjacent ones about the same OPERATOR are joined, and mention it once."""
    phrases: list[say.ConditionPhrase] = []
    for ref, run in groupby(parts, key=_about):
        if ref is None:
            phrases += [condition_phrase(context, condition) for condition in run]
        else:
            phrases.append(_facts(context, tree.Ref(ref), list(run), word))
    return tuple(phrases)


def _about(condition: tree.Condition) -> str | None:
    """Return the name of the OPERATOR whose status, place or card a condition is about, or None."""
    match condition:
        case tree.HasStatus(ref) | tree.Stands(ref) | tree.Bears(ref) | tree.HasReached(ref):
            return ref.name
        case tree.Comparison(tree.QuantityOf(quantity, ref), _, right):
            is_marker = isinstance(quantity, tree.Marker)
            if integer(right) is not None:
                return ref.name if is_marker or quantity.text == "FIELDPOSITION" else None
            of_another = isinstance(right, tree.QuantityOf) and right.quantity == quantity
            return ref.name if is_marker and of_another else None
        case _:
            return None


def _facts(context: Context, ref: tree.Ref, parts: list[tree.Condition], word: _Word) -> say.JoinedConditions:
    subject = context.say(ref)
    facts: list[say.Fact] = []
    for condition in parts:
        fact = _fact(context, subject, condition)
        match facts[-1:], fact:
            case [say.Stands(say.Position(one, before))], say.Stands(say.Position(other, more)) if (
                one == other == {"and": "!=", "or": "="}[word]
            ):
                facts[-1] = say.Stands(say.Position(one, before + more))
            case _:
                facts.append(fact)
    return say.JoinedConditions(subject, tuple(facts), word)


def _fact(context: Context, subject: say.Mention, condition: tree.Condition) -> say.Fact:
    match condition:
        case tree.HasStatus() | tree.Bears() | tree.HasReached():
            return condition
        case tree.Stands(_, relation, to, no):
            other_operator = context.say(to, of_target=subject.form == "its")
            return say.Stands(say.Somewhere(relation, other_operator), no)
        case tree.Comparison(tree.QuantityOf(tree.Marker() as marker), compare, right):
            than = None
            if isinstance(right, tree.QuantityOf):
                than = context.say(right.ref, of_target=subject.form == "its")
            return say.HasMarkers(quantity_mark(marker), compare, integer(right) or 0, than)
        case tree.Comparison(_, compare, right):
            return say.Stands(say.Position(compare, (integer(right) or 0,)))
        case _:
            raise ValueError(condition)


def _comparison(context: Context, comparison: tree.Comparison) -> say.ConditionPhrase:
    about = _about(comparison)
    if about is not None:
        return _facts(context, tree.Ref(about), [comparison], "and")
    compare, value = comparison.compare, integer(comparison.right)
    if value is not None:
        if isinstance(comparison.left, tree.Round):
            return say.RoundIs(compare, value)
        counts = _counts(context, comparison.left)
        if counts is not None:
            # in English "it" could be the one OPERATOR, in German "er" the opponent
            if value == 1 if isinstance(counts, say.Count) else counts.side == "enemy":
                context.mentions.introduce_somebody()
            return say.CountIs(counts, compare, value)
    if _same_of_the_other(comparison):
        count_phrase = _counts(context, comparison.left, named=True)
        assert count_phrase is not None, "_same_of_the_other has found counts"
        context.mentions.introduce_somebody()  # in German "er" could be the opponent
        return say.CountsCompared(count_phrase, compare, None)
    left, right = (number_phrase(context, number) for number in (comparison.left, comparison.right))
    if isinstance(left, say.Count | say.Cards) and isinstance(right, say.Count | say.Cards):
        if any(isinstance(number, say.Cards) and number.side == "enemy" for number in (left, right)):
            context.mentions.introduce_somebody()
        return say.CountsCompared(left, compare, right)
    return say.Compares(left, compare, right)


def _same_of_the_other(comparison: tree.Comparison) -> bool:
    """Whether a number of one player is compared with the same number of the other."""
    left, right = comparison.left, comparison.right
    if isinstance(left, tree.NumberOf) and isinstance(right, tree.NumberOf):
        is_same_group = (
            replace(left.group, side="any") == replace(right.group, side="any") and not left.group.other
        )
        return is_same_group and {left.group.side, right.group.side} == {"own", "enemy"}
    left_thing, other = _of_player(left), _of_player(right)
    if left_thing is None or other is None or left_thing == other:
        return False
    return other in (replace(left_thing, side="own"), replace(left_thing, side="enemy"))


_FORBIDDING = (tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence)


def clause_phrase(context: Context, clause: tree.Clause, branches: bool = False) -> say.ClausePhrase:
    """Return an act or a choice, with subject, doings and durations.

    ``branches`` says that a branch follows, which states the threshold of a roll in this clause.
    """
    mentions = context.mentions
    if isinstance(clause, tree.Either):
        it = mentions.it
        first = clause_phrase(context, clause.first)
        chosen = mentions.it
        mentions.restore_it(it)
        second = clause_phrase(context, clause.second)
        if mentions.it == it:
            mentions.restore_it(chosen)
        return say.ChoicePhrase(first, second)
    subject = _subject(context, clause.who, isinstance(clause.doings[0], _FORBIDDING))
    stretches = _stretches(context, clause)
    if branches and len(clause.doings) == 1 and isinstance(clause.doings[0], tree.RollsDie):
        stretches = (say.Stretch((say.RollsDie(None),), None),)
    for_another = mentions.acts_for_another()
    mentions.end_act(forgets_it=isinstance(clause.who, (tree.Player, tree.Every)))
    return say.ActPhrase(subject, stretches, for_another, may=_may(clause))


def _subject(context: Context, acting: tree.Who, forbidden: bool) -> say.Subject:
    mentions = context.mentions
    match acting:
        case tree.Ref(name):
            return mentions.act(noun_of(name, context.scope))
        case tree.Player(name):
            mentions.act_as_others(keeps_it=name == "owner")
            return acting
        case tree.One():
            chosen_operators = chosen_phrase(context, acting)
            mentions.act_as_others(keeps_it=True)
            return chosen_operators
        case tree.Every(group):
            every = say.GroupSubject("bare" if forbidden else "all", group_phrase(context, group))
            mentions.act_as_others(keeps_it=not mentions.it[1])
            return every


def chosen_phrase(context: Context, choice: tree.One) -> say.GroupSubject:
    """Return who is chosen; from now on ``it`` refers to them."""
    context.mentions.choose()
    group = group_phrase(context, choice.group)
    context.mentions.chosen(many=choice.count > 1)
    return say.GroupSubject("one", group, choice.count, choice.up_to, choice.random)


_OF_THEIR_OWN = (tree.Becomes, tree.SwapsPlaces, tree.Advances, tree.Retreats, tree.EntersField)


def _may(act: tree.Act) -> Literal["", "acts", "has"]:
    """Return whose choice an optional act is: its subject's (own OPERATORs, players), or the reader's."""
    if not act.may:
        return ""
    own = act.who == tree.Ref("self") or (isinstance(act.who, tree.One) and act.who.group.side == "own")
    acts = own and all(isinstance(doing, _OF_THEIR_OWN) for doing in act.doings)
    return "acts" if acts or isinstance(act.who, tree.Player) else "has"


def _stretches(context: Context, act: tree.Act) -> tuple[say.Stretch, ...]:
    """Return the doings, split if a duration does not apply to all of them: what acts once does not end."""
    duration = act.duration.name if act.duration else None
    if duration is None or not any(map(needs_duration, act.doings)):
        return (_stretch(context, act.doings, duration, act.who),)
    return tuple(
        _stretch(context, tuple(doings), duration if lasts else None, act.who)
        for lasts, doings in groupby(act.doings, needs_duration)
    )


def _stretch(
    context: Context,
    doings: tuple[tree.Doing, ...],
    duration: tree.DurationName | None,
    acting: tree.Who,
) -> say.Stretch:
    """Return the doings in order; adjacent ones that ignore steps or forbid ACTIONs become one list."""
    one_attack = duration == "ATTACK" or (duration is None and context.scope.attack)
    phrases: list[say.DoingPhrase] = []
    for doing in doings:
        phrase = _doing(context, doing, one_attack, acting)
        match phrases[-1:], phrase:
            case [say.IgnoresAll(before)], say.IgnoresAll(what):
                phrases[-1] = say.IgnoresAll(before + what)
            case [say.CannotPerformAny(before)], say.CannotPerformAny(actions):
                phrases[-1] = say.CannotPerformAny(before + actions)
            case _:
                phrases.append(phrase)
    return say.Stretch(tuple(phrases), duration)


def _doing(context: Context, doing: tree.Doing, one_attack: bool, acting: tree.Who) -> say.DoingPhrase:
    player = acting.name if isinstance(acting, tree.Player) else None
    match doing:
        case tree.RollsDie(threshold):
            return say.RollsDie(threshold)
        case tree.Ignores(what):
            return say.IgnoresAll((what,))
        case tree.CannotPerform(action):
            return say.CannotPerformAny((action,))
        case tree.MakesAttackCritical() if not context.scope.attack:
            return say.MakesItsAttacksCritical()
        case tree.RollsExtra() | tree.MayReroll() if not one_attack:
            of_enemy = isinstance(doing, tree.MayReroll) and doing.enemy
            return say.EachAttack(doing, attacking=(doing.die == "ATTACK") != of_enemy)
        case tree.Gets(amount, what, per):
            counted = _counted_for(context, per, player) if per is not None else None
            if what.text == "DAMAGE":
                return say.TakesDamage("add", amount, counted)
            return say.Change(amount, quantity_mark(what), counted)
        case tree.Multiplies(tree.Word("DAMAGE"), number):
            return say.TakesDamage("multiply", number)
        case tree.Divides(tree.Word("DAMAGE"), number):
            return say.TakesDamage("divide", number)
        case tree.Fixes(tree.Word("DAMAGE"), number):
            return say.TakesDamage("fix", number)
        case tree.SwapsPlaces(partner):
            return say.Swaps(_partner(context, partner, acting))
        case tree.Draws(_, per=tree.Per() as per) | tree.Discards(_, per=tree.Per() as per):
            return say.MovesCards(doing, _counted_for(context, per, player))
        case tree.LooksAt(source):
            return say.Looks(_zone(source, player))
        case tree.Puts(count, source, to, kind, random):
            return say.Puts(count, kind, random, _zone(source, player), to)
        case tree.DiscardsStrategy(count, side, random):
            side = side or ("enemy" if player == "opponent" else "own")
            own = doing.side is None or _is_own(side, player)
            return say.DiscardsInPlay(count, random, side, own)
        case _:
            return doing


def _counted_for(context: Context, per: tree.Per, player: str | None) -> say.Counted:
    """Return what an amount is multiplied by; the opponent's things are "their" if the opponent acts."""
    counted = counted_phrase(context, per)
    match counted.what:
        case say.Cards(side="enemy") | say.Held(side="enemy") | say.CapturedNumber(side="enemy"):
            return replace(counted, what=replace(counted.what, of_actor=player == "opponent"))
        case _:
            return counted


def _partner(
    context: Context, partner: tree.Ref | tree.One, acting: tree.Who
) -> say.Mention | say.GroupSubject:
    """Return the partner of a swap, which is always another one: ``other`` only excludes self."""
    if isinstance(partner, tree.Ref):
        return context.say(partner)
    chosen_operators = chosen_phrase(context, replace(partner, group=replace(partner.group, other=False)))
    left_out = partner.group.other and context.scope.facts.has_self and acting != tree.Ref("self")
    excepted = context.mentions.say_by_name(noun_of("self", context.scope)) if left_out else None
    context.mentions.restore_it((False, False))  # "it" could be the subject of the swap
    return replace(chosen_operators, group=replace(chosen_operators.group, other=True, excepted=excepted))


def _zone(source: tree.Source, player: str | None) -> say.Zone:
    own, by_each = _is_own(source.side, player), player not in ("owner", "opponent")
    return say.Zone(source.side, source.zone, own, source.top, by_each)


def _is_own(side: tree.Side, player: str | None) -> bool:
    """Whether a side is that of the acting player."""
    return (side, player) in (("own", "owner"), ("enemy", "opponent"))


_OUTCOMES = ("hits", "misses", "critical")
_OF_SELF = ("attacking", "attacked", "self-becomes-hit", "reaches", "captures", "action-ends")
_OF_SOMEBODY = ("own-becomes-hit", "enemy-becomes-hit")
_THIS_CARD = ("played", "attached")
_COUNTED = ("gets", "loses")

_ORDERED = (
    *(getattr(tree, form.node) for form in FORMS.values() if form.player),
    *(say.MovesCards, say.Looks, say.Puts, say.DiscardsInPlay, say.RollsDie, say.Change),
)


def plan(effect: tree.Effect, role: Role) -> tuple[say.SentencePlan, ...]:
    """Return the plan of an effect's rules text, one entry for each printed sentence."""
    mentions = Mentions()
    return tuple(_sentence(block, Context(block.scope, mentions)) for block in blocks(effect, role))


def plan_condition(effect: tree.Effect, role: Role) -> say.ConditionPhrase | None:
    """Return the condition of an effect's first sentence, with "it" for the OPERATOR that it is about."""
    block = blocks(effect, role)[0]
    if block.condition is None:
        return None
    context = Context(block.scope, Mentions())
    context.mentions.begin(block.scope)
    context.mentions.introduce(noun_of("self", block.scope), attacks=False)
    return condition_phrase(context, block.condition)


def _sentence(block: Block, context: Context) -> say.SentencePlan:
    context.mentions.begin(block.scope)
    trigger = _trigger(context, block.when)
    required = conditions(context, block.condition)
    opening = _opening(block, trigger, required)
    clauses, joints = list[say.ClausePhrase](), list[say.Joint]()
    for clause_number, clause in enumerate(block.clauses):
        branches = is_asked(block.links, clause_number)
        if clause_number:
            joints.append(_joint(context, block, clause_number, branches))
        clauses.append(clause_phrase(context, clause, branches))
    orders = _orders(clauses, joints, block.scope.role is Role.EFFECT and not opening)
    return say.SentencePlan(trigger, opening, required, orders, tuple(joints), block.limit)


def _opening(
    block: Block, trigger: say.TriggerPhrase | None, required: tuple[say.ConditionPhrase, ...]
) -> Literal["when", "before", "while", "if", "during", ""]:
    if trigger is not None:
        return "before" if trigger.name == "would-become-hit" and not required else "when"
    if not required:
        return ""
    if block.scope.event:
        return "if"
    return "during" if len(required) == 1 and isinstance(required[0], tree.TurnIs) else "while"


def _joint(context: Context, block: Block, clause_number: int, branches: bool) -> say.Joint:
    """Return what joins a clause to the one before; what a branch is about is a separate sentence."""
    link, clause_before = block.links[clause_number - 1], block.clauses[clause_number - 1]
    if link in ("if so", "if not"):
        context.mentions.begin_again()
        acting = clause_before.who if isinstance(clause_before, tree.Act) else None
        if isinstance(acting, tree.Player) and acting.name != "owner":
            context.mentions.introduce_somebody()  # in German "sein Ziel" could be the opponent's
        return _branch(link == "if so", clause_before, "if so" in block.links[: clause_number - 1])
    if link == "then" and (branches or isinstance(clause_before, tree.Either)):
        if branches:
            context.mentions.begin_again()
        return "afterwards"
    return "and" if link == "and" else "then"


def _branch(is_done: bool, clause_before: tree.Clause, second: bool) -> say.Branch:
    if second and not is_done:
        return say.Branch(is_done, otherwise=True)
    if isinstance(clause_before, tree.Either):
        return say.Branch(is_done)
    rolls = [doing for doing in clause_before.doings if isinstance(doing, tree.RollsDie)]
    if rolls and len(clause_before.doings) > 1:
        return say.Branch(is_done, "roll")
    if isinstance(clause_before.who, tree.Player):
        asked_who = clause_before.who.name
    else:
        many = isinstance(clause_before.who, tree.One) and clause_before.who.count > 1
        asked_who = {"acts": "they" if many else "it", "has": "reader"}.get(_may(clause_before), "outcome")
    return say.Branch(
        is_done, asked_who, threshold=rolls[0].threshold if rolls else None, may=clause_before.may
    )


def _orders(
    clauses: list[say.ClausePhrase], joints: list[say.Joint], opens: bool
) -> tuple[say.ClausePhrase, ...]:
    """Return the clauses with orders to the reader: their rolls, and what they draw, discard or fulfil at the
    beginning of the text of a card that is played (``opens``)."""
    ordered_clauses = []
    for clause, joint in zip(clauses, [*joints, None], strict=True):
        theirs = isinstance(clause, say.ActPhrase) and clause.subject == tree.Player("owner")
        if not isinstance(clause, say.ActPhrase) or not theirs or clause.may:
            opens = False
            ordered_clauses.append(clause)
            continue
        opens = opens and all(isinstance(doing, _ORDERED) for doing in clause.doings)
        rolls = clause.doings == (say.RollsDie(None),)
        ordered_clauses.append(replace(clause, order=opens or rolls))
        opens = opens and not isinstance(joint, say.Branch)
    return tuple(ordered_clauses)


def _trigger(context: Context, when: tree.When | None) -> say.TriggerPhrase | None:
    mentions = context.mentions
    if when is None or (when.name == "played" and context.scope.role is Role.EFFECT):
        return None  # an EFFECT card always acts when it is played
    if when.name in _OUTCOMES:
        return _outcome(context, when.name)
    object_name = quantity_mark(when.what) if when.what else ""
    if isinstance(when.subject, tree.Group):
        return _of_group(context, when.name, when.subject, object_name)
    by, on = when.name.startswith("attack-by-"), when.name.startswith("attack-on-")
    if by or on:
        attack_by: say.AttackBy = "attacker" if by else "attacked"
        subject = mentions.introduce(noun_of("self", context.scope), attacks=by, by_thing=True)
        return say.TriggerPhrase(when.name.rsplit("-", 1)[1], subject, attack_by)
    if when.name in _OF_SELF or when.subject is not None:
        attacks = when.name == "attacking" or (when.name == "performs" and "target" in context.scope.sides)
        counted = when.name in _COUNTED and not is_marker(object_name)
        subject = mentions.introduce(noun_of("self", context.scope), attacks, by_thing=counted)
        return say.TriggerPhrase(when.name, subject, what=object_name)
    if when.name in _THIS_CARD:
        mentions.introduce_card()
    elif when.name in _OF_SOMEBODY:
        mentions.introduce_it(attacks=False, by_thing=False)
    elif when.name.endswith("is-attacked"):
        mentions.introduce("attacked", attacks=False)
    elif when.name.endswith("attacks"):
        mentions.introduce("attacker", attacks=True)
    return say.TriggerPhrase(when.name)


def _of_group(context: Context, name: str, group: tree.Group, object_name: str) -> say.TriggerPhrase:
    """Return the trigger of an OPERATOR with filters, to which ``it`` refers."""
    mentions = context.mentions
    subject = group_phrase(context, group)
    if name.startswith(("attack-by-", "attack-on-")):
        by = name.startswith("attack-by-")
        mentions.introduce("attacker" if by else "attacked", attacks=by, by_thing=True)
        return say.TriggerPhrase(name.rsplit("-", 1)[1], subject, "attacker" if by else "attacked")
    if name in ("attacks", "is-attacked"):
        mentions.introduce("attacker" if name == "attacks" else "attacked", attacks=name == "attacks")
    else:
        counted = name in _COUNTED and not is_marker(object_name)
        mentions.introduce_it(attacks="target" in context.scope.sides, by_thing=counted)
    return say.TriggerPhrase(name, subject, what=object_name)


def _outcome(context: Context, name: str) -> say.TriggerPhrase:
    attack_part = context.scope.parts.get("self")
    if attack_part is not None:
        attacks = attack_part == "attacker"
        subject = context.mentions.introduce(noun_of("self", context.scope), attacks, by_thing=True)
        return say.TriggerPhrase(name, subject, "attacker" if attacks else "attacked")
    context.mentions.introduce("attacker", attacks=True, by_thing=True)
    return say.TriggerPhrase(name, None, "own" if context.scope.role is Role.STRATEGY else "any")
