"""What is known of the cards of a match before anything is played, so that it is not asked each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolkit.dsl import tree
from toolkit.dsl.walking import walk
from toolkit.effects.objects import Action, Choice
from toolkit.engine.rules import Continuous, EffectTable
from toolkit.engine.swift import codes
from toolkit.engine.swift.aspects import HELD, aspect, duration
from toolkit.engine.swift.code import Asked, Known

_OPENING = frozenset((codes.MP, codes.CANNOT, codes.BONUS, codes.IGNORES, codes.NOT_ATTACKED))
_READ_ONCE = frozenset((codes.AP, codes.EP))
"""What is seldom read twice before somebody moves, so that it does not pay to keep it."""
_WEAKENING = frozenset((codes.DP, codes.IGNORES))
_GROUPS = (tree.Every, tree.One)


def know(tables: Sequence[EffectTable], of_actions: Sequence[EffectTable], cards: Sequence[int]) -> Known:
    """All of it; ``tables`` are the effects by card, ``of_actions`` those of the ruleset's ACTIONs, ``cards``
    the cards of the OPERATORs by key."""
    always = [effect for one in tables for effect in one.always]
    in_attack = [effect for one in tables for effect in one.in_attack]
    standing = {made for effect in always for made in _makes(effect)}
    asks = _asked(tables, cards, _asks_others)
    in_places = _asked(tables, cards, _asks_places)
    watched = frozenset(_watched(always))
    kept = frozenset(range(codes.ASPECTS)) - watched - _READ_ONCE
    asked = any(_asks_for_cards(effect) for effect in always)
    makes = [{made for effect in one.always for made in _makes(effect)} for one in tables]
    events = [effect for one in (*tables, *of_actions) for found in one.events.values() for effect in found]
    actions = [action for effect in events for action in _actions(effect.actions)]
    lasts = {aspect(one) for one in actions if one.layer is not None or type(one.does) in HELD}
    return Known(
        kept=[number in kept for number in range(codes.ASPECTS)],
        stands=[asked or bool(one) for one in makes],
        reaches=[asked or any(not _is_alone(effect) for effect in one.always) for one in tables],
        opens=[asked or not _OPENING.isdisjoint(one) for one in makes],
        weakens=[asked or not _WEAKENING.isdisjoint(one) for one in makes],
        restless=not watched.isdisjoint((codes.MP, codes.CANNOT, codes.BONUS)),
        watches_dp=codes.DP in watched,
        standing=tuple(sorted(standing & kept)),
        asks=tuple(one for one in asks if one[0] in kept),
        opens_by_others=tuple(one for one in asks if one[0] in _OPENING),
        asks_places=tuple(one for one in in_places if one[0] in kept),
        opens_by_place=tuple(one for one in in_places if one[0] in _OPENING),
        fixes=any(action.layer == "fix" for effect in always for _, action in effect.actions),
        bonus=codes.BONUS in standing,
        dice=not codes.DICE.isdisjoint(standing),
        forbids_defence=codes.NO_DEFENCE in standing
        or codes.NO_DEFENCE in lasts
        or any(tree.CannotHaveDefence in effect.makes for effect in in_attack),
        dp_by_place=asked or any(_changes_dp_by_place(effect) for effect in always),
        ignores=any(tree.Ignores in effect.makes for effect in in_attack),
        changes_dp=any("DP" in effect.makes for effect in in_attack),
        spreads=any(_spreads(effect) for effect in in_attack),
        adds=tuple(_added(actions, so_long) for so_long in codes.DURATION.values()),
    )


def _makes(effect: Continuous) -> Iterator[int]:
    """The aspects of an effect."""
    for _, action in effect.actions:
        yield aspect(action)


def _is_alone(effect: Continuous) -> bool:
    """Whether an effect concerns its bearer alone."""
    return all(isinstance(action.target, tree.Ref) for _, action in effect.actions)


def _asked(tables: Sequence[EffectTable], cards: Sequence[int], asks: Callable[[Continuous], bool]) -> Asked:
    """The aspects of effects that ask for something, and whom they concern."""
    found = set()
    for card, table in enumerate(tables):
        keys = [key for key, his in enumerate(cards) if his == card] or [codes.ATTACHED]
        for effect in table.always:
            if asks(effect):
                whom = keys if _is_alone(effect) else [codes.NOBODY]
                near = _is_alone(effect) and _asks_own_only(effect)
                found |= {(made, key, near) for made in _makes(effect) for key in whom}
    return tuple(sorted(found))


def _asks_own_only(effect: Continuous) -> bool:
    """Whether an effect asks for nobody of the other player."""
    return not any(
        isinstance(node, tree.Stands) or (isinstance(node, tree.Group) and node.side != "own")
        for node in _nodes(effect)
    )


def _asks_others(effect: Continuous) -> bool:
    """Whether an effect asks for a place or for others than its bearer, apart from those whom it concerns."""
    if _asks_places(effect):
        return True
    targets = {id(action.target.group) for _, action in effect.actions if isinstance(action.target, _GROUPS)}
    return any(isinstance(node, tree.Group) and id(node) not in targets for node in _nodes(effect))


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


def _asks_places(effect: Continuous) -> bool:
    """Whether an effect asks where somebody stands."""
    for node in _nodes(effect):
        if isinstance(node, tree.Group):
            if node.in_range or node.adjacent or node.opposite:
                return True
        elif isinstance(node, (tree.QuantityOf, tree.QuantityFilter)):
            if node.quantity.text == "FIELDPOSITION":
                return True
        elif isinstance(node, tree.Stands):
            return True
    return False


def _changes_dp_by_place(effect: Continuous) -> bool:
    """Whether DP may change because somebody else has moved or fallen."""
    simple = effect.settled and _is_alone(effect) and not _asks_others(effect)
    return not simple and not _WEAKENING.isdisjoint(_makes(effect))


def _spreads(effect: Continuous) -> bool:
    """Whether an effect changes more in an attack than the attacker's AP and the attacked OPERATOR's EP."""
    usual = {(codes.AP, "attacker"), (codes.EP, "attacked")}
    if effect.when == "attacking":
        usual |= {(codes.AP, "self"), (codes.EP, "target")}
    elif effect.when == "attacked":
        usual |= {(codes.AP, "target"), (codes.EP, "self")}
    return any(
        action.layer is not None
        and not (isinstance(action.target, tree.Ref) and (aspect(action), action.target.name) in usual)
        for _, action in effect.actions
    )


def _actions(actions: tuple[Action | Choice, ...]) -> Iterator[Action]:
    """All actions of an event, whatever is chosen."""
    for action in actions:
        if isinstance(action, Choice):
            yield from _actions((*action.first, *action.second))
        else:
            yield action


def _added(actions: Sequence[Action], so_long: int) -> tuple[int, ...]:
    """The stats to which something is added for so long."""
    added = [one for one in actions if codes.LAYER.get(one.layer or "") == codes.ADD]
    return tuple(sorted({aspect(one) for one in added if duration(one) == so_long}))
