"""Each effect of a project parsed, checked and linted, and again only where something it depends on changed.

Most of what a check finds out about an effect depends on the effect alone. Some checks ask for the TEAMs, the
traits or the OPERATORs of the project; that they did is noticed, and only then is what they found forgotten
when these change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar, overload

from toolkit.data.model import Card, CardSet, Entry
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.checking import check_effect
from toolkit.dsl.naming import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.problems import Problem
from toolkit.dsl.tree import Effect
from toolkit.effects.sources import EffectSource
from toolkit.lint import EffectContext, check_hand_written, lint_effect
from toolkit.records import dataclass
from toolkit.source import rewritten

if TYPE_CHECKING:
    from toolkit.effects.objects import EffectObject

T = TypeVar("T")


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

    ``asked`` is what it was found out with, as far as it was asked for: TEAMs, traits and OPERATORs.
    """

    compiled: Compiled | None
    findings: tuple[Diagnostic, ...]
    asked: tuple[Collection[object] | None, ...]


Readings = dict[tuple[Entry, str], Reading]
"""What is known of effects, by their entry (as it was read from its file) and part."""


class _Asked(Sequence[T]):
    """Values that notice when somebody looks at them."""

    def __init__(self, held: Collection[T]) -> None:
        self.held = held
        self.was_asked = False

    def __contains__(self, value: object) -> bool:
        self.was_asked = True
        return value in self.held

    def __iter__(self) -> Iterator[T]:
        self.was_asked = True
        return iter(self.held)

    def __len__(self) -> int:
        self.was_asked = True
        return len(self.held)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        self.was_asked = True
        return tuple(self.held)[index]


class EffectReader:
    """Reads the effects of a card set; ``known`` is what was known before, ``readings`` what is known now."""

    def __init__(self, cards: CardSet, known: Readings) -> None:
        whole = not (cards.broken_ids or cards.incomplete)
        operators = tuple(card for card in cards.cards.values() if card.kind == "operator") if whole else ()
        self._surroundings: tuple[Collection[object], ...] = (
            frozenset(cards.teams) | cards.broken_ids,
            cards.traits() | cards.broken_traits,
            operators,
        )
        self._operators: Sequence[Card] = operators
        self._known = known
        self.readings: Readings = {}

    def read(self, source: EffectSource) -> Reading:
        """The effect, parsed and checked now or before."""
        key = (source.entry, source.part)
        found = self._known.get(key)
        if found is None or not self._holds(found):
            found = self._read(source)
        self.readings[key] = found
        return found

    def _holds(self, reading: Reading) -> bool:
        return all(
            then is None or then == now for then, now in zip(reading.asked, self._surroundings, strict=True)
        )

    def _read(self, source: EffectSource) -> Reading:
        teams, traits = (_Asked(names) for names in self._surroundings[:2])
        operators = _Asked(self._operators)
        names = Names(teams, traits)  # type: ignore[arg-type]  # both hold words
        compiled, problems = _checked(source, names, EffectContext(source.role, source.bearer, operators))
        findings = [located(problem, source) for problem in problems]
        if compiled is not None:
            findings += check_hand_written(source, compiled.tree)
        seen: tuple[_Asked[object], ...] = (teams, traits, operators)  # type: ignore[assignment]
        asked = tuple(one.held if one.was_asked else None for one in seen)
        return Reading(compiled, tuple(findings), asked)


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
