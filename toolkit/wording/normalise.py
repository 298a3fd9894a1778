"""Normalisation of effects before they are put into words: effects that mean the same get the same text.

These, and no others, are the differences between two effects that the rules text does not show (a property
test verifies it):

- in an attack in which the bearer has a certain part, ``attacker`` and ``attacked`` are ``self`` and
  ``target``; bare ``in RANGE`` is ``in RANGE of self``;
- ``other enemy OPERATORs`` are ``enemy OPERATORs``: ``other`` excludes ``self``, which is none of them ("all
  other enemy OPERATORs" would seem to exclude the target);
- an EFFECT card without ``when`` acts ``when played``;
- ``not`` is moved inwards to the single conditions (``not x is HIT`` is ``x is not HIT``, ``not (a or b)``
  is ``not a and not b``), and redundant nesting is flattened (``(a and b) and c``);
- of several conditions, compound ones ("either … or …", "both … and …") come last;
- a comparison with a plain number has the number on the right; a count is never negative, so ``> 0`` and
  ``!= 0`` are ``>= 1``, and ``< 1`` and ``<= 0`` are ``= 0``;
- ``for each number of GROUP`` is ``for each GROUP``;
- the partner of a swap is never its subject, with or without ``other``; a player's own STRATEGY in play is
  the same as one without a side; of the top 3 cards no more than 3 can be put somewhere;
- ``it`` is ``self``, ``attacker`` or ``attacked`` if it refers to that one, and an attack by or on self, or
  by an own OPERATOR, is ``the attack`` if that means the same (``_trigger``);
- ``the TURN is not own`` is ``the TURN is enemy``;
- in an event ``, and`` is ``, then`` next to "either … or …" and before the clause that ``, if so`` is about;
- adjacent sentences with the same ``when`` and ``if`` are one, and what the same WHO does in them, or on both
  sides of ``, and``, is one act (``blocks``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope, scope_of
from toolkit.vocabulary import ROLES, TRIGGERS, Role
from toolkit.vocabulary.comparisons import MIRRORED, OPPOSITE

_AT_LEAST_ONE = ((">", 0), ("!=", 0), (">=", 1))
_NONE = (("<", 1), ("<=", 0), ("=", 0))
_MAX_ACTS = 2
"""The limit of acts in a joined sentence; more would be hard to read."""


class Block(Struct, frozen=True):
    """What is printed as one sentence: clauses, and the link before each except the first."""

    when: tree.When | None
    condition: tree.Condition | None
    clauses: tuple[tree.Clause, ...]
    links: tuple[tree.Link, ...]
    scope: Scope
    limit: tree.Limit | None = None


def blocks(effect: tree.Effect, role: Role) -> tuple[Block, ...]:
    """Return the normalised sentences of an effect, joined if trigger and condition are the same."""
    joined: list[Block] = []
    for sentence in effect.sentences:
        block = _block(sentence, role)
        joined_block = _join(joined[-1], block) if joined else None
        if joined_block is None:
            joined.append(block)
        else:
            joined[-1] = joined_block
    return tuple(joined)


def _block(sentence: tree.Sentence, role: Role) -> Block:
    """Return a sentence in normal form; around a choice or a question an event's ``and`` means ``then``."""
    if sentence.when is None and role is Role.EFFECT:
        sentence = replace(sentence, when=tree.When("played"))  # when else could an EFFECT card act
    # whom `it` means is read from the trigger as it is written
    normaliser = _Normaliser(sentence, scope_of(sentence, role))
    if sentence.when is not None:
        sentence = replace(sentence, when=_trigger(sentence.when, role))
    scope = scope_of(sentence, role)
    when, condition = normaliser.normalised(sentence.when), normaliser.normalised(sentence.condition)
    clauses = tuple(normaliser.clause(clause) for clause in sentence.clauses)
    links = [sentence.link(index) for index in range(1, len(clauses))]
    for index, link in enumerate(links):
        is_beside_choice = any(isinstance(clause, tree.Either) for clause in clauses[index : index + 2])
        if link == "and" and scope.event and (is_beside_choice or is_asked(links, index + 1)):
            links[index] = "then"
    return _merged(Block(when, condition, clauses, tuple(links), scope, sentence.limit))


def is_asked(links: Sequence[tree.Link], index: int) -> bool:
    """Whether a link is about the clause before it; ``if not`` after ``if so`` is about the same as that."""
    link = links[index] if index < len(links) else "then"
    return link == "if so" or (link == "if not" and "if so" not in links[:index])


def _trigger(when: tree.When, role: Role) -> tree.When:
    """Return ``the attack hits`` for ``an attack by self hits``, on a card where both mean the same.

    On a STRATEGY card that is an attack by any own OPERATOR. All other triggers are returned as they are.
    """
    bearer_part, subject = ROLES[role].attack_part, when.subject
    for attack_part, opening in (("attacker", "attack-by-"), ("attacked", "attack-on-")):
        outcome = when.name.removeprefix(opening)
        if when.name.startswith(opening) and outcome in TRIGGERS:
            is_of_self = subject == tree.Ref("self") and bearer_part == attack_part
            is_of_own = subject == tree.Group("own") and role is Role.STRATEGY and attack_part == "attacker"
            return tree.When(outcome) if is_of_self or is_of_own else when
    return when


def _other_excludes_it(sentence: tree.Sentence, scope: Scope) -> bool:
    """Whether ``other`` can exclude ``it``: on cards without self, if ``it`` has an antecedent (E-7)."""
    if scope.facts.has_self:
        return False
    return "it" in scope.sides or any(isinstance(node, tree.One) for node in tree.walk(sentence))


def _merged(block: Block) -> Block:
    """Return a block in which what the same WHO does on both sides of an ``and`` is one act."""
    clauses, links = [*block.clauses[:1]], list[tree.Link]()
    for index, (link, clause) in enumerate(zip(block.links, block.clauses[1:], strict=True)):
        stays_separate = link != "and" or is_asked(block.links, index + 1)
        merged_act = None if stays_separate else _one_act(clauses[-1], clause)
        if merged_act is not None:
            clauses[-1] = merged_act
        else:
            clauses.append(clause)
            links.append(link)
    return replace(block, clauses=tuple(clauses), links=tuple(links))


def _one_act(clause_before: tree.Clause, clause: tree.Clause) -> tree.Act | None:
    """Return two adjacent clauses as one act, or None unless subject and duration are the same."""
    if isinstance(clause_before, tree.Either) or isinstance(clause, tree.Either):
        return None
    if clause_before.may or clause.may or isinstance(clause_before.who, tree.One):
        return None
    if (clause_before.who, clause_before.duration) != (clause.who, clause.duration):
        return None
    return tree.Act(clause_before.who, clause_before.doings + clause.doings, clause_before.duration)


def _rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node without places, rebuilt from the leaves up with each node replaced by ``change``."""
    if isinstance(node, tuple):
        return tuple(_rebuild(child, change) for child in node)
    if not isinstance(node, tree.Node):
        return node
    kind: Any = type(node)
    fields = {name: getattr(node, name) for name in tree.compared_fields(kind)}
    for name, field in fields.items():
        if isinstance(field, (tuple, tree.Node)):  # most are words and numbers
            fields[name] = _rebuild(field, change)
    return change(kind(**fields))


class _Normaliser:
    """Normalises the parts of one sentence, which must be passed in reading order."""

    def __init__(self, sentence: tree.Sentence, scope: Scope) -> None:
        self._scope = scope
        self._it_name = self._trigger_operator_name(sentence.when)
        self._other_excludes_it = _other_excludes_it(sentence, scope)
        self._chosen = False  # whether `it` refers to a chosen OPERATOR, and no longer to the trigger's

    def normalised(self, node: Any) -> Any:
        """Return a trigger, a condition or an act in normal form."""
        return _rebuild(node, self._change)

    def clause(self, clause: tree.Clause) -> tree.Clause:
        """Return a clause in normal form; the second of two choices does not see whom the first chose."""
        if isinstance(clause, tree.Act):
            act: tree.Act = self.normalised(clause)
            return act
        chosen_before = self._chosen
        first = self.clause(clause.first)
        chosen_by_first, self._chosen = self._chosen, chosen_before
        second = self.clause(clause.second)
        self._chosen = self._chosen or chosen_by_first
        return tree.Either(first, second)

    def _change(self, node: Any) -> Any:
        """Return the normal form of a node whose parts are in normal form."""
        match node:
            case tree.Ref("it") if not self._chosen:
                return tree.Ref(self._it_name)
            case tree.Ref(name):
                return tree.Ref(self._preferred_name(name))
            case tree.One():
                self._chosen = True
                return node
            case tree.InRange(None):
                return tree.InRange(tree.Ref("self"))
            case tree.Group("enemy", True) if not self._other_excludes_it:
                return replace(node, other=False)
            case tree.Per(tree.NumberOf(group), maximum):
                return tree.Per(group, maximum)
            case tree.Not(condition):
                return negated(condition)
            case tree.AllOf(parts):
                return _together(parts, tree.AllOf)
            case tree.AnyOf(parts):
                return _together(parts, tree.AnyOf)
            case tree.Comparison():
                return _comparison(node)
            case tree.TurnIs():
                return _affirmed_turn(node)
            case tree.Act(subject, doings):
                has_self = self._scope.facts.has_self
                plain_doings = (_without_implied(doing, subject, has_self) for doing in doings)
                return replace(node, doings=tuple(plain_doings))
            case _:
                return node

    def _trigger_operator_name(self, when: tree.When | None) -> str:
        """Return the best name of the trigger's OPERATOR, to which ``it`` refers; ``it`` if there is none."""
        scope = self._scope
        if "it" in scope.parts:
            return self._preferred_name(scope.parts["it"])
        if when is None or scope.trigger is None:
            return "it"
        implies_self = when.subject is None and scope.trigger.needs_self and "it" in scope.sides
        return "self" if implies_self or when.subject == tree.Ref("self") else "it"

    def _preferred_name(self, name: str) -> str:
        """Return `self` or `target` for a name that means the same OPERATOR here, else the name."""
        parts = self._scope.parts
        for shared_name in ("self", "target"):
            if name in parts and parts.get(shared_name) == parts[name]:
                return shared_name
        return name


def _without_implied(doing: tree.Doing, subject: tree.Who, has_self: bool) -> tree.Doing:
    """Return a doing without what its subject implies anyway.

    That is `other` for a partner who is always another one, the side of cards that players discard of their
    own, and a number beyond that of the cards that there are.
    """
    match doing:
        case tree.SwapsPlaces(tree.One(group) as partner) if group.other:
            if not has_self or subject == tree.Ref("self") or group.side == "enemy":
                return tree.SwapsPlaces(replace(partner, group=replace(group, other=False)))
        case tree.DiscardsStrategy(side=side) if isinstance(subject, tree.Player):
            if (subject.name, side) in (("owner", "own"), ("opponent", "enemy")):
                return replace(doing, side=None)
        case tree.Puts(int(count), source) if source.top:
            return replace(doing, count=min(count, source.top))
    return doing


def _affirmed_turn(turn_is: tree.TurnIs) -> tree.TurnIs:
    if not turn_is.negated:
        return turn_is
    return tree.TurnIs("enemy" if turn_is.side == "own" else "own")


def negated(condition: tree.Condition) -> tree.Condition:
    """Return the negation of a condition, in normal form."""
    match condition:
        case tree.AllOf(parts):
            return _together(tuple(negated(inner_condition) for inner_condition in parts), tree.AnyOf)
        case tree.AnyOf(parts):
            return _together(tuple(negated(inner_condition) for inner_condition in parts), tree.AllOf)
        case tree.Not(inner_condition):
            return inner_condition
        case tree.Comparison(left, compare, right):
            return _comparison(tree.Comparison(left, OPPOSITE[compare], right))
        case tree.TurnIs():
            return _affirmed_turn(replace(condition, negated=not condition.negated))
        case _:
            return replace(condition, negated=not condition.negated)


def _together(parts: tuple[tree.Condition, ...], kind: type[tree.AllOf] | type[tree.AnyOf]) -> tree.Condition:
    """Join conditions, without one of a kind in another of it, and the plain ones first."""
    flat_parts: list[tree.Condition] = []
    for condition in parts:
        flat_parts.extend(condition.parts if isinstance(condition, kind) else (condition,))
    flat_parts.sort(key=lambda condition: isinstance(condition, (tree.AllOf, tree.AnyOf)))
    return kind(tuple(flat_parts)) if len(flat_parts) > 1 else flat_parts[0]


def integer(number: tree.Number) -> int | None:
    """Return the value of a literal, possibly negative; None for any other number."""
    match number:
        case tree.Constant(value):
            return value
        case tree.Negative(tree.Constant(value)) if value:
            return -value
        case _:
            return None


def _comparison(comparison: tree.Comparison) -> tree.Comparison:
    """Return a comparison with a constant on its right; "at least one" and "none" have one form each."""
    left, compare, right = comparison.left, comparison.compare, comparison.right
    if integer(left) is not None and integer(right) is None:
        left, compare, right = right, MIRRORED[compare], left
    constant = integer(right)
    if _is_count(left) and constant is not None:
        if (compare, constant) in _AT_LEAST_ONE:
            compare, right = ">=", tree.Constant(1)
        elif (compare, constant) in _NONE:
            compare, right = "=", tree.Constant(0)
    return tree.Comparison(left, compare, right)


def _is_count(number: tree.Number) -> bool:
    """Whether a number counts something, so that the text can say that there is none of it.

    A counter of an OPERATOR is a number instead.
    """
    if isinstance(number, tree.QuantityOf):
        return isinstance(number.quantity, tree.Marker)
    counts = (tree.NumberOf, tree.CardsInHand, tree.NumberOfCards, tree.Captured)
    return isinstance(number, (*counts, tree.MarkerOfPlayer))


def _join(earlier: Block, later: Block) -> Block | None:
    """Return two adjacent blocks as one, or None if this would change or hide their meaning."""
    if (earlier.when, earlier.condition) != (later.when, later.condition) or earlier.limit or later.limit:
        return None
    if any(link != "and" for link in earlier.links + later.links):
        return None
    if earlier.scope.event and earlier.condition is not None:
        return None  # the first sentence of an event may change the condition of the second
    if any(_must_stand_alone(clause) for clause in (*earlier.clauses, *later.clauses)):
        return None
    joined = replace(
        earlier,
        clauses=earlier.clauses + later.clauses,
        links=(*earlier.links, "and", *later.links),
    )
    merged = _merged(joined)
    return merged if len(merged.clauses) <= max(_MAX_ACTS, len(earlier.clauses)) else None


def _must_stand_alone(clause: tree.Clause) -> bool:
    """Whether joining would hide something: a choice, a decision, a roll, or what ``it`` refers to."""
    return isinstance(clause, tree.Either) or any(
        isinstance(node, (tree.RollsDie, tree.Discarded))
        or (isinstance(node, tree.Act) and node.may)
        or node == tree.Ref("it")
        for node in tree.walk(clause)
    )
