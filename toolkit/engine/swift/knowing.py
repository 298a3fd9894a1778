"""What is known of the cards of a match before anything is played, so that it is not asked each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.dsl import tree
from toolkit.dsl.walking import walk
from toolkit.effects.objects import Action, Choice
from toolkit.engine.rules import Continuous, EffectTable
from toolkit.engine.swift import codes
from toolkit.engine.swift.aspects import HELD, aspect
from toolkit.engine.swift.code import Known

_OPENING = frozenset((codes.MP, codes.CANNOT, codes.BONUS, codes.IGNORES, codes.NOT_ATTACKED))
_WEAKENING = frozenset((codes.DP, codes.IGNORES))
_DICE = frozenset((codes.ROLLS, codes.REROLLS, codes.DICE_CRITICAL, codes.ATTACK_CRITICAL))


def know(tables: Sequence[EffectTable], of_actions: Sequence[EffectTable]) -> Known:
    """All of it; ``tables`` are the effects by card, ``of_actions`` those of the ruleset's ACTIONs."""
    always = [effect for one in tables for effect in one.always]
    in_attack = [effect for one in tables for effect in one.in_attack]
    standing = {made for effect in always for made in _makes(effect)}
    watched = frozenset(_watched(always))
    asked = any(_asks_for_cards(effect) for effect in always)
    makes = [{made for effect in one.always for made in _makes(effect)} for one in tables]
    return Known(
        settled=[number not in watched for number in range(codes.ASPECTS)],
        stands=[asked or bool(one) for one in makes],
        reaches=[asked or any(not _is_alone(effect) for effect in one.always) for one in tables],
        opens=[asked or not _OPENING.isdisjoint(one) for one in makes],
        weakens=[asked or not _WEAKENING.isdisjoint(one) for one in makes],
        restless=not watched.isdisjoint((codes.MP, codes.CANNOT, codes.BONUS)),
        watches_dp=codes.DP in watched,
        far_reaching=any(_looks_over(effect) for effect in always),
        asks_places=any(_asks_places(effect) for effect in always),
        fixes=any(action.layer == "fix" for effect in always for _, action in effect.actions),
        bonus=codes.BONUS in standing,
        violates=codes.VIOLATION in standing,
        dice=not _DICE.isdisjoint(standing),
        forbids_defence=codes.NO_DEFENCE in standing
        or codes.NO_DEFENCE in _lasts([*tables, *of_actions])
        or any(tree.CannotHaveDefence in effect.makes for effect in in_attack),
        dp_by_place=asked or any(_changes_dp_by_place(effect) for effect in always),
        changes_dp=any("DP" in effect.makes for effect in in_attack),
    )


def _makes(effect: Continuous) -> Iterator[int]:
    """The aspects of an effect."""
    for _, action in effect.actions:
        yield aspect(action)


def _is_alone(effect: Continuous) -> bool:
    """Whether an effect concerns its bearer alone."""
    return all(isinstance(action.target, tree.Ref) for _, action in effect.actions)


def _watched(always: Sequence[Continuous]) -> Iterator[int]:
    """The aspects in which something standing depends on more than who stands where; with what is ignored
    all numbers."""
    for effect in always:
        for made in _makes(effect) if not effect.settled else ():
            yield made
            if made == codes.IGNORES:
                yield from codes.STAT.values()


def _nodes(effect: Continuous) -> Iterator[object]:
    """All parts of an effect."""
    if effect.condition is not None:
        yield from walk(effect.condition)
    for _, action in effect.actions:
        yield from walk(action.target)
        yield from walk(action.does)


def _asks_for_cards(effect: Continuous) -> bool:
    """Whether an effect asks which card lies on somebody."""
    return any(isinstance(node, tree.Bears) and node.name is None for node in _nodes(effect))


def _looks_over(effect: Continuous) -> bool:
    """Whether what ACTIONs are open may depend on the other player's OPERATORs."""
    groups = [node for node in _nodes(effect) if isinstance(node, tree.Group)]
    return not _OPENING.isdisjoint(_makes(effect)) and any(group.side != "own" for group in groups)


def _asks_places(effect: Continuous) -> bool:
    """Whether an effect asks where somebody stands."""
    for node in _nodes(effect):
        if isinstance(node, (tree.Group, tree.Stands)):
            return True
        if isinstance(node, tree.QuantityOf) and node.quantity.text == "FIELDPOSITION":
            return True
    return False


def _changes_dp_by_place(effect: Continuous) -> bool:
    """Whether DP may change because somebody else has moved or fallen."""
    simple = _is_alone(effect) and effect.settled and not _asks_places(effect)
    return not simple and not _WEAKENING.isdisjoint(_makes(effect))


def _lasts(tables: Sequence[EffectTable]) -> frozenset[int]:
    """The aspects that events make last."""
    events = [effect for one in tables for found in one.events.values() for effect in found]
    return frozenset(made for effect in events for made in _lasting(effect.actions))


def _lasting(actions: tuple[Action | Choice, ...]) -> Iterator[int]:
    for action in actions:
        if isinstance(action, Choice):
            yield from _lasting((*action.first, *action.second))
        elif action.layer is not None or type(action.does) in HELD:
            yield aspect(action)
