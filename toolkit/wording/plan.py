"""Planning of rules text: what it says in which order, the same in every language."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.clause_checks import needs_duration
from toolkit.vocabulary import FORMS, IGNORABLE_ACTIONS, Role
from toolkit.wording import plan_nodes as say
from toolkit.wording.mentions import Context, ItReference, Mentions, noun_of
from toolkit.wording.normalise import Block, blocks, integer, is_asked, negated
from toolkit.wording.text import is_marker, quantity_mark


def group_phrase(
    context: Context, group: tree.Group, counted: bool = False, names_operator: bool = False
) -> say.GroupPhrase:
    """Return a group; the OPERATOR that ``other`` excludes is mentioned if it would be ambiguous.

    ``counted`` says that the group is counted, so that "on the FIELD" is needed unless a place implies it,
    ``names_operator`` that RANGE must mention the OPERATOR whose RANGE it is.
    """
    mentions, self_noun = context.mentions, noun_of("self", context.scope)
    is_relative_to_self = any(ref.name == "self" for ref in _related_operators(group))
    other_is_clear = is_relative_to_self or not context.scope.facts.has_self
    other_is_clear = other_is_clear or mentions.seen_from_self(self_noun)
    team_of = context.say(group.team_of) if group.team_of else None
    places = _places(context, group, names_operator)
    having = tuple(
        _having(context, group_filter) for group_filter in group.withs if not _is_position(group_filter)
    )
    excepted = mentions.say_by_name(self_noun) if group.other and not other_is_clear else None
    return say.GroupPhrase(
        side=group.side,
        other=group.other and other_is_clear,
        team=group.team.text if group.team else None,
        having=having,
        on_field=counted and not places and not group.savezone,
        in_savezone=group.savezone,
        places=places,
        status=group.status,
        excepted=excepted,
        extreme=group.superlative,
        team_of=team_of,
    )


def _having(context: Context, having: tree.QuantityFilter | tree.BearingFilter) -> say.Having:
    """Return a filter with `with`; an OPERATOR that it compares with is mentioned."""
    if isinstance(having, tree.BearingFilter):
        bearings = (
            (bearing.what, bearing.name.text if bearing.name else None) for bearing in having.bearings
        )
        return say.HasBearing(tuple(bearings), having.negated)
    if having.than is not None:
        other_operator, other_quantity = context.say(having.than.ref), quantity_mark(having.than.quantity)
        return say.HasThan(quantity_mark(having.quantity), having.compare, other_quantity, other_operator)
    return say.HasQuantity(quantity_mark(having.quantity), having.compare, having.number)


_Place = say.Somewhere | say.Position


def _places(context: Context, group: tree.Group, names_operator: bool) -> tuple[_Place, ...]:
    """Return where a group is: in RANGE, adjacent, opposite, then FIELDPOSITIONs."""
    places: list[_Place] = []
    needs_noun = names_operator or bool(group.adjacent or group.opposite)
    if group.in_range is not None and group.in_range.of is not None:
        noun = noun_of(group.in_range.of.name, context.scope)
        if not needs_noun and context.mentions.in_range_of_bearer(noun):
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
        case tree.Binary("/", dividend, tree.Constant(divisor)):
            part = say.Part(divisor, context.rounding)
            if isinstance(dividend, tree.NumberOf):
                return say.Counted(
                    group_phrase(context, dividend.group, counted=True), per.maximum, part=part
                )
            return say.Counted(number_phrase(context, dividend), per.maximum, part=part)
        case number_counted:
            return say.Counted(number_phrase(context, number_counted), per.maximum)


def number_phrase(context: Context, number: tree.Number) -> say.NumberPhrase:
    """Return a number, its parts in the order of the text."""
    constant = integer(number)
    if constant is not None:
        return say.Integer(constant)
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
        case tree.Damage() | tree.Discarded() | tree.Round():
            return number
    raise ValueError(number)


def _counts(context: Context, number: tree.Number, names_operator: bool = False) -> say.Counts | None:
    """Return what a number counts, if it does: OPERATORs, or what a player has."""
    if isinstance(number, tree.NumberOf):
        return say.Count(group_phrase(context, number.group, counted=True, names_operator=names_operator))
    return _of_player(number)


def _of_player(number: tree.Number) -> say.Cards | say.Held | say.CapturedNumber | None:
    """Return what of a player a number counts, None for other numbers."""
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


def _related_operators(group: tree.Group) -> tuple[tree.Ref, ...]:
    """Return the OPERATORs to which a group's places are relative, or its quantities are compared."""
    compared_refs = [
        having.than.ref for having in group.having if isinstance(having, tree.QuantityFilter) and having.than
    ]
    place_refs = (
        group.in_range.of if group.in_range else None,
        group.adjacent,
        group.opposite,
        group.team_of,
    )
    return tuple(ref for ref in (*place_refs, *compared_refs) if ref is not None)


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
        case tree.Not(inner_condition):
            return condition_phrase(context, negated(inner_condition))
        case tree.Comparison():
            return _comparison(context, condition)
        case (
            tree.HasStatus(ref)
            | tree.Stands(ref)
            | tree.Bears(ref)
            | tree.HasReached(ref)
            | tree.HasTeamOf(ref)
            | tree.HasPerformed(ref)
        ):
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
    for ref, run in groupby(parts, key=_name_of_subject):
        if ref is None:
            phrases += [condition_phrase(context, condition) for condition in run]
        else:
            phrases.append(_facts(context, tree.Ref(ref), list(run), word))
    return tuple(phrases)


def _name_of_subject(condition: tree.Condition) -> str | None:
    """Return the name of the OPERATOR whose status, place or card a condition is about, or None."""
    match condition:
        case (
            tree.HasStatus(ref)
            | tree.Stands(ref)
            | tree.Bears(ref)
            | tree.HasReached(ref)
            | tree.HasTeamOf(ref)
            | tree.HasPerformed(ref)
        ):
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
    """Return conditions of one OPERATOR; adjacent FIELDPOSITIONs become one list: "on 1 or 4"."""
    subject = context.say(ref)
    listed_compare = "=" if word == "or" else "!="  # "on 1 or 4", and "not on 1 or 4" for "neither"
    facts: list[say.Fact] = []
    for condition in parts:
        fact = _fact(context, subject, condition)
        match facts[-1:], fact:
            case [say.Stands(say.Position(compare_before, numbers_before))], say.Stands(
                say.Position(compare, numbers)
            ) if compare_before == compare == listed_compare:
                facts[-1] = say.Stands(say.Position(compare, numbers_before + numbers))
            case _:
                facts.append(fact)
    return say.JoinedConditions(subject, tuple(facts), word)


def _fact(context: Context, subject: say.Mention, condition: tree.Condition) -> say.Fact:
    """Return one condition about an OPERATOR that was mentioned as ``subject``; others are mentioned here."""
    match condition:
        case tree.HasStatus() | tree.Bears() | tree.HasReached() | tree.HasPerformed():
            return condition
        case tree.HasTeamOf(_, of, negated):
            return say.HasTeamOf(context.say(of), negated)  # "its" could be the target's
        case tree.Stands(_, relation, other_ref, negated):
            other_operator = context.say(other_ref, of_target=subject.form == "its")
            return say.Stands(say.Somewhere(relation, other_operator), negated)
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
    """Return a comparison: of places or MARKERs a fact, of counts a phrase of its own, else of two
    numbers."""
    operator_name = _name_of_subject(comparison)
    if operator_name is not None:
        return _facts(context, tree.Ref(operator_name), [comparison], "and")
    compare, constant = comparison.compare, integer(comparison.right)
    if constant is not None:
        if isinstance(comparison.left, tree.Round):
            return say.RoundIs(compare, constant)
        counts = _counts(context, comparison.left)
        if counts is not None:
            return _count_is(context, counts, compare, constant)
    if _compares_players(comparison):
        count_phrase = _counts(context, comparison.left, names_operator=True)
        assert count_phrase is not None, "_compares_players has found counts"
        context.mentions.introduce_somebody()  # in German "er" could be the opponent
        return say.CountsCompared(count_phrase, compare, None)
    left, right = (number_phrase(context, number) for number in (comparison.left, comparison.right))
    if isinstance(left, say.Count | say.Cards) and isinstance(right, say.Count | say.Cards):
        if any(isinstance(number, say.Cards) and number.side == "enemy" for number in (left, right)):
            context.mentions.introduce_somebody()
        return say.CountsCompared(left, compare, right)
    return say.Compares(left, compare, right)


def _count_is(context: Context, counts: say.Counts, compare: str, number: int) -> say.CountIs:
    """Return a count compared with a number; it may mention somebody who makes "it" ambiguous."""
    # in English "it" could be the one OPERATOR, in German "er" the opponent
    is_one_operator = isinstance(counts, say.Count) and number == 1
    is_of_enemy = not isinstance(counts, say.Count) and counts.side == "enemy"
    if is_one_operator or is_of_enemy:
        context.mentions.introduce_somebody()
    return say.CountIs(counts, compare, number)


def _compares_players(comparison: tree.Comparison) -> bool:
    """Whether a number of one player is compared with the same number of the other."""
    left, right = comparison.left, comparison.right
    if isinstance(left, tree.NumberOf) and isinstance(right, tree.NumberOf):
        left_group, right_group = left.group, right.group
        is_same_group = replace(left_group, side="any") == replace(right_group, side="any")
        sides = {left_group.side, right_group.side}
        return is_same_group and not left_group.other and sides == {"own", "enemy"}
    left_counted, right_counted = _of_player(left), _of_player(right)
    if left_counted is None or right_counted is None or left_counted == right_counted:
        return False
    return right_counted in (replace(left_counted, side="own"), replace(left_counted, side="enemy"))


def clause_phrase(context: Context, clause: tree.Clause, has_branch: bool = False) -> say.ClausePhrase:
    """Return an act or a choice, with subject, doings and durations.

    ``has_branch`` says that a branch follows, which states the threshold of a roll in this clause.
    """
    mentions = context.mentions
    if isinstance(clause, tree.Either):
        return _choice_phrase(context, clause)
    first_doing, *further_doings = clause.doings
    subject = _subject(context, clause.who, isinstance(first_doing, tree.FORBIDDING))
    stretches = _stretches(context, clause)
    lets_choose_dice = clause.may and not context.scope.event  # the OPERATOR's player does, in each attack
    if has_branch and isinstance(first_doing, tree.RollsDie) and not further_doings:
        stretches = (say.Stretch((say.RollsDie(None),), None),)
    for_another = mentions.acts_for_another()
    mentions.end_act(forgets_it=isinstance(clause.who, (tree.Player, tree.Every)))
    return say.ActPhrase(subject, stretches, for_another, may="acts" if lets_choose_dice else _may(clause))


def _choice_phrase(context: Context, choice: tree.Either) -> say.ChoicePhrase:
    """Return both sides of a choice: in the second ``it`` means what it did before the first.

    After the choice it means whom the second side has chosen, if it has, else whom the first has.
    """
    mentions = context.mentions
    reference_before = mentions.it_reference
    first_phrase = clause_phrase(context, choice.first)
    reference_of_first = mentions.it_reference
    mentions.restore_it(reference_before)
    second_phrase = clause_phrase(context, choice.second)
    if mentions.it_reference == reference_before:
        mentions.restore_it(reference_of_first)
    return say.ChoicePhrase(first_phrase, second_phrase)


def _subject(context: Context, actor: tree.Who, is_forbidden: bool) -> say.Subject:
    """Return the subject of an act, which begins; of all to whom something ``is_forbidden`` without "all"
    and "each"."""
    mentions = context.mentions
    match actor:
        case tree.Ref(name):
            return mentions.act(noun_of(name, context.scope))
        case tree.Player(name):
            mentions.act_as_others(keeps_it=name == "owner")
            return tree.Player("players") if is_forbidden and name == "each player" else actor
        case tree.One():
            chosen_operators = chosen_phrase(context, actor)
            mentions.act_as_others(keeps_it=True)
            return chosen_operators
        case tree.Every(group):
            all_operators = say.GroupSubject("bare" if is_forbidden else "all", group_phrase(context, group))
            mentions.act_as_others(keeps_it=not mentions.it_reference.is_many)
            return all_operators


def chosen_phrase(context: Context, choice: tree.One) -> say.GroupSubject:
    """Return who is chosen; from now on ``it`` refers to them."""
    context.mentions.choose()
    group = group_phrase(context, choice.group)
    context.mentions.chosen(are_several=choice.count > 1)
    by_opponent = choice.chooser == "opponent"
    return say.GroupSubject("one", group, choice.count, choice.up_to, choice.random, by_opponent)


_OWN_DECISIONS = (
    *(tree.Becomes, tree.BecomesTarget, tree.SwapsPlaces, tree.TakesItem, tree.Advances, tree.Retreats),
    *(tree.EntersField, tree.Performs),
)


def _may(act: tree.Act) -> Literal["", "acts", "has"]:
    """Return whose choice an optional act is: its subject's (own OPERATORs, players), or the reader's."""
    if not act.may:
        return ""
    is_own = act.who == tree.Ref("self") or (isinstance(act.who, tree.One) and act.who.group.side == "own")
    acts_itself = is_own and all(isinstance(doing, _OWN_DECISIONS) for doing in act.doings)
    return "acts" if acts_itself or isinstance(act.who, tree.Player) else "has"


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
    actor: tree.Who,
) -> say.Stretch:
    """Return the doings in order; adjacent ones that ignore steps, forbid ACTIONs or limit a number become
    one list."""
    is_one_attack = duration == "ATTACK" or (duration is None and context.scope.attack)
    phrases: list[say.DoingPhrase] = []
    for doing in doings:
        phrase = _doing(context, doing, is_one_attack, actor)
        match phrases[-1:], phrase:
            case [say.IgnoresAll(steps_before)], say.IgnoresAll(steps):
                phrases[-1] = say.IgnoresAll(steps_before + steps)
            case [say.IgnoresActions(actions_before)], say.IgnoresActions(actions):
                phrases[-1] = say.IgnoresActions(actions_before + actions)
            case [say.CannotPerformAny(actions_before)], say.CannotPerformAny(actions):
                phrases[-1] = say.CannotPerformAny(actions_before + actions)
            case [say.Limited(limited_before, bounds_before)], say.Limited(quantity, bounds) if (
                limited_before == quantity
            ):
                phrases[-1] = say.Limited(quantity, bounds_before + bounds)
            case _:
                phrases.append(phrase)
    return say.Stretch(tuple(phrases), duration)


def _doing(context: Context, doing: tree.Doing, is_one_attack: bool, actor: tree.Who) -> say.DoingPhrase:
    """Return a verb as it is said; outside of one attack (``is_one_attack``) dice are those of each one."""
    player = actor.name if isinstance(actor, tree.Player) else None
    match doing:
        case tree.RollsDie(threshold):
            return say.RollsDie(threshold)
        case tree.Ignores(action) if action in IGNORABLE_ACTIONS:
            return say.IgnoresActions((action,))
        case tree.Ignores(step):
            return say.IgnoresAll((step,))
        case tree.CannotPerform(action):
            return say.CannotPerformAny((action,))
        case tree.CannotMakeCritical():
            return say.ThingCannot("attack")
        case tree.CannotLoseHitcounter():
            return say.ThingCannot("HITCOUNTER")
        case tree.MakesAttackCritical() if not context.scope.attack:
            return say.MakesItsAttacksCritical()
        case tree.RollsExtra() | tree.MayReroll() | tree.KeepsDice() | tree.SetsDice() if not is_one_attack:
            is_of_enemy = isinstance(doing, (tree.MayReroll, tree.SetsDice)) and doing.enemy
            return say.EachAttack(doing, attacking=(doing.die == "ATTACK") != is_of_enemy)
        case tree.Gets(amount, quantity, per):
            counted = _counted_for(context, per, player) if per is not None else None
            if quantity.text == "DAMAGE":
                return say.TakesDamage("add", amount, counted)
            return say.Change(amount, quantity_mark(quantity), counted)
        case tree.Multiplies(tree.Word("DAMAGE"), number):
            return say.TakesDamage("multiply", number)
        case tree.Divides(tree.Word("DAMAGE"), number):
            return say.TakesDamage("divide", number)
        case tree.Fixes(tree.Word("DAMAGE"), number):
            return say.TakesDamage("fix", number)
        case tree.Limits(stat, bound, at_least):
            return say.Limited(stat.text, ((number_phrase(context, bound), at_least),))
        case tree.SwapsPlaces(partner):
            return say.Swaps(_partner(context, partner, actor))
        case tree.TakesItem(tree.Ref() as giver):
            return say.TakesItem(context.say(giver))
        case tree.TakesItem(tree.One() as giver):
            is_other = giver.group.other
            return say.TakesItem(
                _partner(context, giver, actor) if is_other else chosen_phrase(context, giver)
            )
        case tree.Draws(_, per=tree.Per() as per) | tree.Discards(_, per=tree.Per() as per):
            return say.MovesCards(doing, _counted_for(context, per, player))
        case tree.LooksAt(source):
            return say.Looks(_zone(source, player))
        case tree.Puts(count, source, destination, kind, random, extent):
            return say.Puts(count or 0, kind, random, _zone(source, player), destination, extent)
        case tree.DiscardsStrategy(count, side, random, extent):
            side = side or ("enemy" if player == "opponent" else "own")
            is_own = doing.side is None or _is_own(side, player)
            return say.DiscardsInPlay(count or 0, random, side, is_own, extent)
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
    context: Context, partner: tree.Ref | tree.One, actor: tree.Who
) -> say.Mention | say.GroupSubject:
    """Return the partner of a swap, which is always another one: ``other`` only excludes self."""
    if isinstance(partner, tree.Ref):
        return context.say(partner)
    chosen_operators = chosen_phrase(context, replace(partner, group=replace(partner.group, other=False)))
    excludes_self = partner.group.other and context.scope.facts.has_self and actor != tree.Ref("self")
    excepted = context.mentions.say_by_name(noun_of("self", context.scope)) if excludes_self else None
    # "it" could be the subject of the swap
    context.mentions.restore_it(ItReference(is_last=False, is_many=False))
    return replace(chosen_operators, group=replace(chosen_operators.group, other=True, excepted=excepted))


def _zone(source: tree.Source, player: str | None) -> say.Zone:
    is_own, is_by_each = _is_own(source.side, player), player not in ("owner", "opponent")
    return say.Zone(source.side, source.zone, is_own, source.top, is_by_each)


def _is_own(side: tree.Side, player: str | None) -> bool:
    """Whether a side is that of the acting player."""
    return (side, player) in (("own", "owner"), ("enemy", "opponent"))


_OUTCOMES = ("hits", "misses", "critical")
_OF_SELF = ("attacking", "attacked", "self-becomes-hit", "reaches", "captures", "action-ends")
_OF_SOMEBODY = ("own-becomes-hit", "enemy-becomes-hit")
_THIS_CARD = ("played", "attached")
_COUNTED = ("gets", "loses")

_ORDERED = (
    *(
        getattr(tree, form.node)
        for form in FORMS.values()
        if form.player and form.once and form.rule not in ("wins_game", "loses_game")
    ),
    *(say.MovesCards, say.Looks, say.Puts, say.DiscardsInPlay, say.RollsDie, say.Change),
)


KINDS_THAT_SAY_WHO = (Role.SKILL, Role.ATTACK, Role.DEFENCE, Role.ITEM)


def plan(
    effect: tree.Effect, role: Role, rounding: str = "down", short: bool = False
) -> tuple[say.SentencePlan, ...]:
    """Return the plan of an effect's rules text, one entry for each printed sentence.

    A ``short`` one leaves out what the kind of card says: that it is about the OPERATOR or the bearer and, on
    ATTACK and DEFENCE cards, that this OPERATOR attacks or is attacked. Without a trigger these cards act as
    long as they are attached; then they say who.
    """
    mentions = Mentions(kind_says_who=short and role in KINDS_THAT_SAY_WHO)
    return tuple(_sentence(block, Context(block.scope, mentions, rounding)) for block in blocks(effect, role))


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
    """Plan a sentence; its parts are planned in the order of the text, for each may mention OPERATORs."""
    context.mentions.begin(block.scope)
    trigger = _trigger(context, block.when)
    first_clause = block.clauses[0]
    acts_itself = isinstance(first_clause, tree.Act) and first_clause.who == tree.Ref("self")
    if block.when is None and acts_itself and not block.scope.facts.occasion:
        context.mentions.imply_self()
    required_conditions = conditions(context, block.condition)
    opening = _opening(block, trigger, required_conditions)
    clauses, joints = list[say.ClausePhrase](), list[say.Joint]()
    for clause_number, clause in enumerate(block.clauses):
        has_branch = is_asked(block.links, clause_number)
        if clause_number:
            joints.append(_joint(context, block, clause_number, has_branch))
        clauses.append(clause_phrase(context, clause, has_branch))
    ordered_clauses = _orders(clauses, joints, block.scope.role is Role.EFFECT and not opening)
    sentence = say.SentencePlan(
        trigger, opening, required_conditions, ordered_clauses, tuple(joints), block.limit
    )
    if _needs_no_occasion(context, sentence):
        sentence = replace(sentence, trigger=None, opening="if" if sentence.conditions else "")
    return _without_subject(context, sentence)


def _without_subject(context: Context, sentence: say.SentencePlan) -> say.SentencePlan:
    """Return a sentence without the subject of its first act if the kind of card says who that is.

    A number of the OPERATOR that is fixed or limited ("its AP become 6") is a subject of its own. After an
    opening only what the OPERATOR gets is left alone: "when it attacks: +2 AP".
    """
    first_clause, *clauses = sentence.clauses
    if not isinstance(first_clause, say.ActPhrase) or not context.mentions.leaves_unsaid(
        first_clause.subject
    ):
        return sentence
    first_doing = first_clause.doings[0]
    gets = isinstance(first_doing, say.GAINS) and not first_clause.may
    can_begin = first_clause.may != "has" and not say.has_own_subject(first_doing)
    first_clause = replace(first_clause, unsaid=gets if sentence.opening else can_begin)
    return replace(sentence, clauses=(first_clause, *clauses))


def _needs_no_occasion(context: Context, sentence: say.SentencePlan) -> bool:
    """Whether a short text says the occasion of its kind by its form: nobody, or one of the attack, acts."""
    trigger, first_clause = sentence.trigger, sentence.clauses[0]
    is_occasion = trigger is not None and trigger.name == context.scope.facts.occasion
    if not is_occasion or not context.mentions.kind_says_who:
        return False
    is_of_attack = isinstance(first_clause, say.ActPhrase) and isinstance(first_clause.subject, say.Mention)
    return bool(sentence.conditions) or is_of_attack


def _opening(
    block: Block, trigger: say.TriggerPhrase | None, required_conditions: tuple[say.ConditionPhrase, ...]
) -> Literal["when", "before", "while", "if", "during", ""]:
    """Return the word that a sentence begins with."""
    if trigger is not None:
        return "before" if trigger.name == "would-become-hit" and not required_conditions else "when"
    if not required_conditions:
        return ""
    if block.scope.event:
        return "if"
    is_turn = len(required_conditions) == 1 and isinstance(required_conditions[0], tree.TurnIs)
    return "during" if is_turn else "while"


def _joint(context: Context, block: Block, clause_number: int, has_branch: bool) -> say.Joint:
    """Return what joins a clause to the one before; what a branch is about is a separate sentence."""
    link, clause_before = block.links[clause_number - 1], block.clauses[clause_number - 1]
    if link in ("if so", "if not"):
        context.mentions.begin_again()
        actor = clause_before.who if isinstance(clause_before, tree.Act) else None
        if isinstance(actor, tree.Player) and actor.name != "owner":
            context.mentions.introduce_somebody()  # in German "sein Ziel" could be the opponent's
        return _branch(link == "if so", clause_before, "if so" in block.links[: clause_number - 1])
    if link == "then" and (has_branch or isinstance(clause_before, tree.Either)):
        if has_branch:
            context.mentions.begin_again()
        return "afterwards"
    return "and" if link == "and" else "then"


def _branch(is_done: bool, clause_before: tree.Clause, follows_if_so: bool) -> say.Branch:
    """Return "if so" or "if not", with what it asks about: "If it does", "If the roll succeeds"."""
    if follows_if_so and not is_done:
        return say.Branch(is_done, otherwise=True)
    if isinstance(clause_before, tree.Either):
        return say.Branch(is_done)
    rolls = [doing for doing in clause_before.doings if isinstance(doing, tree.RollsDie)]
    if rolls and len(clause_before.doings) > 1:
        return say.Branch(is_done, "roll")
    if isinstance(clause_before.who, tree.Player):
        asked_about = clause_before.who.name
    else:
        are_several = isinstance(clause_before.who, tree.One) and clause_before.who.count > 1
        asked_by_choice = {"acts": "they" if are_several else "it", "has": "reader"}
        asked_about = asked_by_choice.get(_may(clause_before), "outcome")
    threshold = rolls[0].threshold if rolls else None
    return say.Branch(is_done, asked_about, threshold=threshold, may=clause_before.may)


def _orders(
    clauses: list[say.ClausePhrase], joints: list[say.Joint], is_opening: bool
) -> tuple[say.ClausePhrase, ...]:
    """Return the clauses with orders to the reader: their rolls, and what they draw, discard or fulfil at the
    beginning of the text of a card that is played (``is_opening``)."""
    ordered_clauses = []
    for clause, joint in zip(clauses, [*joints, None], strict=True):
        is_of_reader = isinstance(clause, say.ActPhrase) and clause.subject == tree.Player("owner")
        if not isinstance(clause, say.ActPhrase) or not is_of_reader or clause.may:
            is_opening = False
            ordered_clauses.append(clause)
            continue
        is_opening = is_opening and all(isinstance(doing, _ORDERED) for doing in clause.doings)
        is_roll_of_branch = clause.doings == (say.RollsDie(None),)
        ordered_clauses.append(replace(clause, order=is_opening or is_roll_of_branch))
        # what follows only "if so" or "if not" is told, not ordered
        is_opening = is_opening and not isinstance(joint, say.Branch)
    return tuple(ordered_clauses)


def _trigger(context: Context, when: tree.When | None) -> say.TriggerPhrase | None:
    """Return the trigger, and mention the OPERATOR that it is about."""
    mentions = context.mentions
    if when is None or (when.name == "played" and context.scope.role is Role.EFFECT):
        return None  # an EFFECT card always acts when it is played
    if when.name in _OUTCOMES:
        return _outcome(context, when.name)
    object_name = quantity_mark(when.what) if when.what else ""
    if isinstance(when.subject, tree.Group):
        return _of_group(context, when.name, when.subject, object_name)
    if when.name.startswith(("attack-by-", "attack-on-")):
        is_by_self, outcome = _attack_trigger(when.name)
        attack_by: say.AttackBy = "attacker" if is_by_self else "attacked"
        subject = mentions.introduce(noun_of("self", context.scope), attacks=is_by_self, by_thing=True)
        return say.TriggerPhrase(outcome, subject, attack_by)
    if when.name in _OF_SELF or when.subject is not None:
        attacks = when.name == "attacking" or (when.name == "performs" and "target" in context.scope.sides)
        is_of_counter = when.name in _COUNTED and not is_marker(object_name)
        subject = mentions.introduce(noun_of("self", context.scope), attacks, by_thing=is_of_counter)
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
        is_by_group, outcome = _attack_trigger(name)
        mentions.introduce("attacker" if is_by_group else "attacked", attacks=is_by_group, by_thing=True)
        return say.TriggerPhrase(outcome, subject, "attacker" if is_by_group else "attacked")
    if name in ("attacks", "is-attacked"):
        mentions.introduce("attacker" if name == "attacks" else "attacked", attacks=name == "attacks")
    else:
        is_of_counter = name in _COUNTED and not is_marker(object_name)
        mentions.introduce_it(attacks="target" in context.scope.sides, by_thing=is_of_counter)
    return say.TriggerPhrase(name, subject, what=object_name)


def _attack_trigger(name: str) -> tuple[bool, str]:
    """Return of the name of a trigger whether the attack is by its subject, and what it does.

    ``attack-on-hits`` is an attack on the subject that hits.
    """
    _attack, preposition, outcome = name.split("-")
    return preposition == "by", outcome


def _outcome(context: Context, name: str) -> say.TriggerPhrase:
    """Return a trigger such as "the attack hits", with whose attack it is where the card does not say it."""
    attack_part = context.scope.parts.get("self")
    if attack_part is not None:
        attacks = attack_part == "attacker"
        subject = context.mentions.introduce(noun_of("self", context.scope), attacks, by_thing=True)
        if context.mentions.kind_says_who and context.scope.facts.occasion:
            return say.TriggerPhrase(name)  # the attack for which the card is attached
        return say.TriggerPhrase(name, subject, "attacker" if attacks else "attacked")
    context.mentions.introduce("attacker", attacks=True, by_thing=True)
    return say.TriggerPhrase(name, None, "own" if context.scope.role is Role.STRATEGY else "any")
