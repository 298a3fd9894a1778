"""What a check is given: where an effect stands, its sentences, and a cache of results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.names import MarkerFacts
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import walk
from toolkit.vocabulary import Role

T = TypeVar("T")

_MOST_QUOTED = 90
_QUOTED_AT_BEGIN = 60
_QUOTED_AT_END = 20
"""A message quotes no more characters: the underlined place shows them better."""


class Given(Struct, frozen=True):
    """What effects of the project may change.

    ``fixed_range`` says that no effect changes RANGE, so that everybody's is 1 (E-16). ``keywords`` are the
    KEYWORDs that effects give, ``had`` those that OPERATORs have besides, ``extra_dice`` how many
    ATTACK D6 and DEFENCE D6 effects roll more altogether; None where that is not known.
    """

    fixed_range: bool = True
    keywords: frozenset[str] | None = None
    had: frozenset[str] = frozenset()
    extra_dice: tuple[tuple[str, int], ...] | None = None


class EffectContext(Struct, frozen=True):
    """Where an effect stands.

    ``bearer`` is the OPERATOR card whose SKILL it is, else None. ``why_nobody`` says why no OPERATOR of the
    project belongs to a GROUP, or None; ``given_traits`` are those that effects give, ``markers`` are the
    markers by id, ``given`` is what else effects may change: RANGE and KEYWORDs. It is all that a check may
    learn about the other cards: an editor keeps the findings of an effect while these answers are the same.
    """

    role: Role
    bearer: Card | None = None
    why_nobody: Callable[[tree.Group], str | None] = lambda _: None
    given_traits: frozenset[str] = frozenset()
    markers: Mapping[str, MarkerFacts | None] = {}
    given: Given = Given()


class Statement(Struct, frozen=True):
    """A sentence as the checks read it.

    ``acts`` are its ``WHO DOES`` in the order of the text, those inside ``either`` too; ``groups`` are all
    GROUPs: in the condition, as WHO and as what is counted.
    """

    sentence: tree.Sentence
    scope: Scope
    context: EffectContext
    acts: tuple[tree.Act, ...]
    groups: tuple[tree.Group, ...]

    @property
    def is_continuous_attack(self) -> bool:
        """Whether the sentence holds while an attack goes on, and only then."""
        return self.scope.attack and not self.scope.event

    @property
    def doings(self) -> list[tree.Doing]:
        """All that is done, in the order of the text."""
        return [doing for act in self.acts for doing in act.doings]

    @property
    def trigger(self) -> str:
        """The name of the trigger; empty without one."""
        return self.sentence.when.name if self.sentence.when else ""


def statements_of(effect: tree.Effect, context: EffectContext) -> tuple[Statement, ...]:
    """Return the sentences of an effect as statements."""
    statements = []
    for sentence in effect.sentences:
        acts: list[tree.Act] = []
        groups: list[tree.Group] = []
        for node in walk(sentence):
            if isinstance(node, tree.Act):
                acts.append(node)
            elif isinstance(node, tree.Group):
                groups.append(node)
        scope = certain_scope(sentence, context.role)
        statements.append(Statement(sentence, scope, context, tuple(acts), tuple(groups)))
    return tuple(statements)


def certain_scope(sentence: tree.Sentence, role: Role) -> Scope:
    """Return the scope of a sentence with only the sides and parts that are certain all through it.

    One whose side may be either has none. Where a clause chooses somebody, `it` may mean that one (E-7).
    """
    scope = scope_of(sentence, role)
    sides = {name: side for name, side in scope.sides.items() if side != "any"}
    parts = scope.parts
    if "it" in scope.sides and any(
        isinstance(node, tree.One) for clause in sentence.clauses for node in walk(clause)
    ):
        sides.pop("it", None)
        parts = {name: attack_part for name, attack_part in parts.items() if name != "it"}
    return scope if sides == scope.sides else replace(scope, sides=sides, parts=parts)


def side_of(acting: tree.Who, scope: Scope) -> str | None:
    """Return the side of the OPERATORs that are meant, seen from the controller; None if it may be either."""
    if isinstance(acting, tree.Ref):
        return scope.sides.get(acting.name)
    if isinstance(acting, (tree.One, tree.Every)):
        return None if acting.group.side == "any" else acting.group.side
    return None


def changed_stat(doing: tree.Doing) -> tree.Word | None:
    """Return the word of the stat or counter that is changed."""
    if isinstance(doing, tree.Gets):
        return doing.what
    if isinstance(doing, (tree.Multiplies, tree.Divides, tree.Fixes, tree.Limits)):
        return doing.stat
    return None


def quoted(words: str) -> str:
    """Return words of an effect in backticks for a message, a long text without its middle."""
    if len(words) > _MOST_QUOTED:
        words = f"{words[:_QUOTED_AT_BEGIN].rstrip()} … {words[-_QUOTED_AT_END:].lstrip()}"
    return f"`{words}`"


class RunCache:
    """Results of pure functions, kept while each run asks for them again: an editor checks on every key.

    Arguments are compared by identity, which costs nothing: the entries and trees of a file are the same
    objects as long as its text is the same.
    """

    def __init__(self) -> None:
        self._last_run: dict[Hashable, tuple[tuple[object, ...], Any]] = {}
        self._this_run: dict[Hashable, tuple[tuple[object, ...], Any]] = {}

    def copy(self) -> RunCache:
        """Return a cache with the same results, for another sequence of runs."""
        cache = RunCache()
        cache._last_run, cache._this_run = dict(self._last_run), dict(self._this_run)
        return cache

    def begin(self) -> None:
        """Start a run: what the last one did not ask for is dropped."""
        self._last_run, self._this_run = self._this_run, {}

    def get(self, name: Hashable, arguments: tuple[object, ...], compute: Callable[[], T]) -> T:
        """Return what ``compute`` returns, from this or the last run if it was called for the same arguments.

        ``name`` says what is computed, with all that it depends on beside the arguments.
        """
        key = (name, *map(id, arguments))
        computed = self._this_run.get(key) or self._last_run.get(key)
        if computed is None:
            computed = (arguments, compute())  # holds the arguments, so that no id can be used twice
        self._this_run[key] = computed
        _, result = computed
        return result
