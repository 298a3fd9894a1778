"""Each effect of a project parsed, checked and linted, and again only where something it depends on changed.

Most of what a check finds out about an effect depends on the effect alone. Some checks ask whether there is a
TEAM or a trait, or an OPERATOR who can belong to a GROUP; what they asked is noticed, and what they found is
forgotten when the answer is another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from operator import eq
from typing import TYPE_CHECKING, overload

from toolkit.data.model import Card, CardSet, Entry, Mode, Ruleset
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.checking import check_effect
from toolkit.dsl.naming import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.problems import Problem
from toolkit.dsl.tree import Effect, Group
from toolkit.dsl.walking import walk
from toolkit.effects.sources import EffectSource, sources_of
from toolkit.lint import EffectContext, check_hand_written, lint_effect
from toolkit.lint.empty_groups import nobody_of_the_project
from toolkit.records import dataclass
from toolkit.source import rewritten

if TYPE_CHECKING:
    from toolkit.effects.objects import EffectObject


@dataclass(frozen=True, slots=True)
class Compiled:
    """An effect that was parsed; ``sound`` says that it has no errors."""

    source: EffectSource
    tree: Effect
    sound: bool

    @property
    def objects(self) -> tuple[EffectObject, ...]:
        """What it is compiled to; nothing while it has errors."""
        from toolkit.effects.compiling import compile_effect

        source = self.source
        return compile_effect(self.tree, source.role, source.entry.id, source.part) if self.sound else ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One effect as it was read: None where it cannot be parsed, and its findings.

    ``asked`` is what it was found out with: whether there are some TEAMs and traits, and why some GROUPs
    have no member.
    """

    compiled: Compiled | None
    findings: tuple[Diagnostic, ...]
    asked: tuple[_Words, _Words, dict[Group, str | None]]


class _Words(Collection[str]):
    """Words that remember what was asked about them."""

    __slots__ = ("_answers", "_held", "_was_read")

    def __init__(self, held: frozenset[str]) -> None:
        self._held = held
        self._answers: dict[object, bool] = {}
        self._was_read = False

    def __contains__(self, word: object) -> bool:
        found = self._answers[word] = word in self._held
        return found

    def __iter__(self) -> Iterator[str]:
        self._was_read = True
        return iter(self._held)

    def __len__(self) -> int:
        self._was_read = True
        return len(self._held)

    def would_be(self, held: frozenset[str]) -> bool:
        """Whether other words would have given the same answers."""
        if self._was_read:
            return self._held == held
        return not self._answers or all((word in held) is found for word, found in self._answers.items())


class _Operators(Sequence[Card]):
    """The OPERATORs of a project; they notice when somebody looks at them."""

    def __init__(self, held: Sequence[Card]) -> None:
        self.held = held
        self.was_asked = False

    def __iter__(self) -> Iterator[Card]:
        self.was_asked = True
        return iter(self.held)

    def __len__(self) -> int:
        self.was_asked = True
        return len(self.held)

    @overload
    def __getitem__(self, index: int) -> Card: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Card]: ...
    def __getitem__(self, index: int | slice) -> Card | Sequence[Card]:
        self.was_asked = True
        return self.held[index]


@dataclass(slots=True, eq=False)
class Readings:
    """The effects of entries (as they were read from their files), in order, and what they were read with."""

    by_entry: dict[Entry, tuple[Reading, ...]] = field(default_factory=dict)
    surroundings: tuple[object, object, object] = (None, None, None)


class EffectReader:
    """Reads the effects of a card set; ``known`` is what was known before, ``readings`` what is known now."""

    def __init__(self, cards: CardSet, known: Readings) -> None:
        whole = not (cards.broken_ids or cards.incomplete)
        operators = tuple(card for card in cards.cards.values() if card.kind == "operator") if whole else ()
        self._teams = frozenset(cards.teams) | cards.broken_ids
        self._traits = frozenset(cards.traits() | cards.broken_traits)
        self._operators: Sequence[Card] = operators
        self._empty: dict[Group, str | None] = {}
        self.readings = Readings(surroundings=(self._teams, self._traits, operators))
        self._known = known.by_entry
        then, now = known.surroundings, self.readings.surroundings
        self._same_teams, self._same_traits, self._same_operators = map(eq, then, now)

    def read(self, entry: Card | Mode | Ruleset) -> tuple[Reading, ...]:
        """The effects of an entry, parsed and checked now or before."""
        found = self._known.get(entry)
        if found is None:
            found = tuple([self._read(source) for source in sources_of(entry)])
        elif not all(map(self._holds, found)):
            known = zip(found, sources_of(entry), strict=True)
            found = tuple([one if self._holds(one) else self._read(source) for one, source in known])
        self.readings.by_entry[entry] = found
        return found

    def _holds(self, reading: Reading) -> bool:
        teams, traits, groups = reading.asked
        return (
            (self._same_teams or teams.would_be(self._teams))
            and (self._same_traits or traits.would_be(self._traits))
            and (self._same_operators or all(self._why_empty(one) == why for one, why in groups.items()))
        )

    def _why_empty(self, group: Group) -> str | None:
        if group not in self._empty:
            self._empty[group] = nobody_of_the_project(group, self._operators)
        return self._empty[group]

    def _read(self, source: EffectSource) -> Reading:
        teams, traits, operators = _Words(self._teams), _Words(self._traits), _Operators(self._operators)
        names = Names(teams, traits)
        compiled, problems = _checked(source, names, EffectContext(source.role, source.bearer, operators))
        findings = [located(problem, source) for problem in problems]
        groups: dict[Group, str | None] = {}
        if compiled is not None:
            findings += check_hand_written(source, compiled.tree)
            if operators.was_asked:
                found = [node for node in walk(compiled.tree) if isinstance(node, Group)]
                groups = {group: self._why_empty(group) for group in found}
        return Reading(compiled, tuple(findings), (teams, traits, groups))


def _checked(
    source: EffectSource, names: Names, context: EffectContext
) -> tuple[Compiled | None, tuple[Problem, ...]]:
    """Parse and check one effect."""
    tree, problems = parse_effect(source.scalar.value, source.scalar.style == "|")
    if tree is None:
        return None, problems
    problems = check_effect(tree, source.role, names)
    sound = not any(severity_of(problem.name) == "error" for problem in problems)
    if sound:
        problems = (*problems, *lint_effect(tree, context))
        sound = not any(severity_of(problem.name) == "error" for problem in problems)
    return Compiled(source, tree, sound), problems


def located(problem: Problem, source: EffectSource) -> Diagnostic:
    """The problem as a finding in its file."""
    locate = source.scalar.locate
    span = locate(*problem.place)
    return Diagnostic(
        problem.name,
        problem.message,
        span,
        problem.next_step,
        tuple(Label(locate(*place), message) for place, message in problem.related),
        source.entry.id,
        _fix(problem, source) if problem.fix is not None else None,
    )


def _fix(problem: Problem, source: EffectSource) -> Fix | None:
    """The fix of a problem, written as the style of its scalar asks."""
    start, end = problem.place
    if source.scalar.style == "|" and "#" in source.scalar.value[start:end]:
        return None  # a comment that stands in between would get lost
    edit = rewritten(source.scalar, start, end, problem.fix or "")
    if edit is None:
        return None
    return Fix(source.scalar.span.beside(edit.start, edit.end), edit.replacement, problem.safe)
