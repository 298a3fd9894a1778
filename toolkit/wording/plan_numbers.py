"""Groups and numbers, planned in the order of their printed words."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.wording import phrases as say
from toolkit.wording.canonical import integer
from toolkit.wording.mentions import Speech, noun_of


def group_phrase(
    speech: Speech, group: tree.Group, counted: bool = False, named: bool = False
) -> say.GroupPhrase:
    """A group; who is left out by ``other`` is said where it could be mistaken.

    ``counted``: it says who counts, so that "on the FIELD" has to be said where no place says it;
    ``named``: it says of whom it is in RANGE in any case.
    """
    mentions, self_noun = speech.mentions, noun_of("self", speech.scope)
    anchored = any(ref.name == "self" for ref in _anchors(group))
    plain_other = anchored or not speech.scope.facts.has_self or mentions.seen_from_self(self_noun)
    places = _places(speech, group, named)
    excepted = mentions.say_by_name(self_noun) if group.other and not plain_other else None
    return say.GroupPhrase(
        side=group.side,
        other=group.other and plain_other,
        team=group.team.text if group.team else None,
        trait=group.trait.text if group.trait else None,
        quantity=None if _position(group) else group.quantity,
        on_field=counted and not places,
        places=places,
        status=group.status,
        excepted=excepted,
    )


def _places(speech: Speech, group: tree.Group, named: bool) -> tuple[say.Somewhere | say.Position, ...]:
    places: list[say.Somewhere | say.Position] = []
    several = named or bool(group.adjacent or group.opposite)
    if group.in_range is not None and group.in_range.of is not None:
        noun = noun_of(group.in_range.of.name, speech.scope)
        if not several and speech.mentions.in_range_of_bearer(noun):
            places.append(say.Somewhere("in RANGE", say.Mention(noun, "bare")))
        else:
            places.append(say.Somewhere("in RANGE", speech.say(group.in_range.of)))
    if group.adjacent is not None:
        places.append(say.Somewhere("adjacent", speech.say(group.adjacent)))
    if group.opposite is not None:
        places.append(say.Somewhere("opposite", speech.say(group.opposite)))
    position = _position(group)
    return (*places, position) if position else tuple(places)


def _position(group: tree.Group) -> say.Position | None:
    asked = group.quantity
    if asked is None or asked.quantity.text != "FIELDPOSITION":
        return None
    return say.Position(asked.compare, (asked.number,))


def counted_phrase(speech: Speech, per: tree.Per) -> say.Counted:
    """What an amount is counted by; a count less a number is that of the others."""
    match per.what:
        case tree.Group() as group:
            return say.Counted(group_phrase(speech, group, counted=True), per.maximum)
        case tree.Binary("-", tree.NumberOf(group), tree.Constant(number)) if number:
            return say.Counted(group_phrase(speech, group, counted=True), per.maximum, number)
        case tree.Binary("-", tree.CardsInHand() as hand, tree.Constant(number)) if number:
            return say.Counted(number_phrase(speech, hand), per.maximum, number)
        case what:
            return say.Counted(number_phrase(speech, what), per.maximum)


def number_phrase(speech: Speech, number: tree.Number) -> say.NumberPhrase:
    """A number, its parts in the order in which they are said."""
    value = integer(number)
    if value is not None:
        return say.Integer(value)
    match number:
        case tree.Negative(inner):
            return say.Minus(number_phrase(speech, inner))
        case tree.Binary(operator, left, right):
            return say.Formula(operator, number_phrase(speech, left), number_phrase(speech, right))
        case tree.QuantityOf(quantity, ref):
            return say.Measure(quantity.text, speech.say(ref))
        case tree.NumberOf(group):
            return say.Count(group_phrase(speech, group, counted=True))
        case tree.CardsInHand(side):
            return say.Hand(side)
        case tree.Round():
            return say.RoundNumber()
        case tree.Constant(value):
            return say.Integer(value)


def _anchors(group: tree.Group) -> tuple[tree.Ref, ...]:
    """The OPERATORs from whom it is seen where the group stands."""
    seen = (group.in_range.of if group.in_range else None, group.adjacent, group.opposite)
    return tuple(ref for ref in seen if ref is not None)
