"""Each effect of a project parsed, checked and linted, and again only where something it depends on changed.

Most of what a check finds out about an effect depends on the effect alone. Some checks ask whether there is a
TEAM or a trait, or an OPERATOR that can belong to a GROUP; these questions are recorded, and the findings are
used again only while the answers are the same.

What explains mistakes is imported only where a mistake is met: it takes 4 ms of a check.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

from toolkit.data.effect_sources import EffectBearer, EffectSource, sources_of
from toolkit.data.model import BrokenEntry, CardSet, Entry
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.effect_objects import compile_effect
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect, Group, Node, Place, Problem, walk
from toolkit.lint import EffectContext, check_hand_written, check_text
from toolkit.lint.context import Given
from toolkit.lint.groups import nobody_of_the_project
from toolkit.lint.unused import effect_words
from toolkit.source import rewritten
from toolkit.source.short_repr import PublicValue, short_repr

if TYPE_CHECKING:
    from toolkit.dsl.effect_objects import EffectObject


class ParsedEffect(PublicValue, Struct, frozen=True, dict=True):
    """An effect that was parsed; ``sound`` says that it has no errors."""

    source: EffectSource
    tree: Effect
    sound: bool

    def __repr__(self) -> str:
        return short_repr(self, [("entry", self.entry), ("part", self.part), ("text", self.text)])

    @property
    def entry(self) -> str:
        """The id of the card or other entry that it belongs to."""
        return self.source.entry.id

    @property
    def part(self) -> str:
        """Which part of the entry it is: ``effect``, ``skill 1``, ``teamwork`` …"""
        return self.source.part

    @property
    def text(self) -> str:
        """The effect as it is written."""
        return self.source.scalar.value

    def walk(self) -> Iterator[Node]:
        """Yield the tree and every node below it, such as ``nodes.Gets``."""
        return walk(self.tree)

    @cached_property  # of 540 cards it takes 40 ms, and after an edit all but one effect are the same
    def objects(self) -> tuple[EffectObject, ...]:
        """What it is compiled to; nothing while it has errors."""
        source = self.source
        return compile_effect(self.tree, source.role, source.entry.id, source.part) if self.sound else ()


class AnalysedEffect(Struct, frozen=True):
    """One effect: its tree (None where it cannot be parsed), and its findings.

    They depend on the ``relevant_names`` (``_relevant_names``), and on why some ``groups`` have no member.
    """

    text: str
    compiled: ParsedEffect | None
    findings: tuple[Diagnostic, ...]
    relevant_names: object
    groups: dict[Group, str | None]


class KnownNames(Struct, frozen=True):
    """The names of a project as effects may use them, and what effects may change."""

    names: Names
    given_traits: frozenset[str]
    given: Given


def known_names_of(cards: CardSet) -> KnownNames:
    """Return the names that the effects of a project may use, and what these effects may change.

    The names of broken cards count as known.
    """
    broken, words = cards.broken_ids, effect_words(cards)
    markers: dict[str, MarkerFacts | None] = dict.fromkeys(sorted(broken))
    for marker in cards.markers.values():
        markers[marker.id] = MarkerFacts(marker.bearer == "player", marker.maximum)
    traits = cards.traits() | words.given_traits
    certain = {*traits, *cards.teams, *cards.keywords, *cards.markers}
    names = Names(
        teams=_ordered({*cards.teams, *broken}),
        traits=_ordered(traits | cards.broken_traits),
        tested_traits=_ordered(words.tested_traits),
        keywords=_ordered({*cards.keywords, *broken}),
        markers=markers,
        doubtful=(broken | cards.broken_traits) - certain,
    )
    if broken or cards.incomplete:
        # an entry that cannot be read may change RANGE and give KEYWORDs
        return KnownNames(names, words.given_traits, Given(fixed_range=False))
    printed_keywords = frozenset([keyword for card in cards.cards.values() for keyword in card.keywords])
    given = Given(not words.change_range, words.given_keywords, printed_keywords, words.extra_dice)
    return KnownNames(names, words.given_traits, given)


def _ordered(words: Collection[str]) -> dict[str, None]:
    """A set of words with an order, in which messages list them."""
    return dict.fromkeys(sorted(words))


_QUOTED = re.compile(r'"([^"\n]*)"')
_CHANGED = ("RANGE", "FIELDPOSITION", "KEYWORD", "keep")
"""Words of effects about which something is concluded from what no effect changes or gives."""


def _relevant_names(known_names: KnownNames, text: str, is_fine: bool) -> object:
    """Return what the findings of an effect depend on among the names; they are the same while this is.

    Of a name in quotes only whether it is known counts. A finding may list or propose any name.
    """
    if not is_fine:
        return known_names
    names = known_names.names
    lists = (names.teams, names.traits, names.tested_traits, names.keywords)
    lists_with_name = [tuple(name in words for words in lists) for name in _QUOTED.findall(text)]
    return (
        lists_with_name,
        names.markers if "MARKER" in text else None,
        known_names.given_traits if "trait" in text else None,
        known_names.given if any(word in text for word in _CHANGED) else None,
    )


class AnalysedEffects(Struct, eq=False):
    """The analysed effects of entries, in file order, and the names and OPERATORs that they depend on."""

    by_entry: dict[Entry, tuple[AnalysedEffect, ...]] = field(default_factory=dict)
    surroundings: tuple[KnownNames | None, object] = (None, None)


class EffectAnalyser:
    """Analyses the effects of a card set; ``results`` grows, results of an earlier run are used again."""

    def __init__(self, cards: CardSet, earlier: AnalysedEffects) -> None:
        is_complete = not (cards.broken_ids or cards.incomplete)
        all_operators = [card for card in cards.cards.values() if card.kind == "operator"]
        # nothing is concluded from OPERATORs that are missing while some cannot be read
        self._operators = tuple(all_operators) if is_complete else ()
        self._names = known_names_of(cards)
        self._given = self._names.given_traits, self._names.given.keywords or frozenset()
        self._why_nobody_by_group: dict[Group, str | None] = {}
        self._earlier = earlier.by_entry
        operators = self._operators, *self._given
        names_before, operators_before = earlier.surroundings
        self._same_names, self._same_operators = names_before == self._names, operators_before == operators
        self.results = AnalysedEffects(surroundings=(self._names, operators))

    def analyse(self, entry: EffectBearer | BrokenEntry) -> tuple[AnalysedEffect, ...]:
        """Return the effects of an entry, parsed and checked now or earlier."""
        analysed = self._earlier.get(entry)
        if analysed is None:
            analysed = tuple([self._analyse(source) for source in sources_of(entry)])
        elif not all(map(self._is_valid, analysed)):
            analysed = tuple(
                [
                    effect if self._is_valid(effect) else self._analyse(source)
                    for effect, source in zip(analysed, sources_of(entry), strict=True)
                ]
            )
        self.results.by_entry[entry] = analysed
        return analysed

    def _is_valid(self, effect: AnalysedEffect) -> bool:
        """Whether an effect that was analysed before would be analysed alike with these names and
        OPERATORs."""
        if not self._same_names:
            relevant_names = _relevant_names(self._names, effect.text, not effect.findings)
            if effect.relevant_names != relevant_names:
                return False
        return self._same_operators or all(
            self._why_nobody(group) == why for group, why in effect.groups.items()
        )

    def _why_nobody(self, group: Group) -> str | None:
        """Return why no OPERATOR of the project can belong to a GROUP; None if one can. Found once."""
        if group not in self._why_nobody_by_group:
            why = nobody_of_the_project(group, self._operators, *self._given)
            self._why_nobody_by_group[group] = why
        return self._why_nobody_by_group[group]

    def _analyse(self, source: EffectSource) -> AnalysedEffect:
        """Parse and check an effect, and remember which GROUPs were asked for members."""
        known_names, text = self._names, source.scalar.value
        groups: dict[Group, str | None] = {}

        def why_nobody(group: Group) -> str | None:
            why = groups[group] = self._why_nobody(group)
            return why

        context = EffectContext(
            source.role,
            source.bearer,
            why_nobody=why_nobody,
            given_traits=known_names.given_traits,
            markers=known_names.names.markers,
            given=known_names.given,
        )
        compiled, problems = _checked(source, known_names.names, context)
        findings = [located(problem, source) for problem in problems]
        if compiled is not None:
            findings += check_hand_written(source, compiled.tree)
        return AnalysedEffect(
            text, compiled, tuple(findings), _relevant_names(known_names, text, not findings), groups
        )


def _checked(
    source: EffectSource, names: Names, context: EffectContext
) -> tuple[ParsedEffect | None, tuple[Problem, ...]]:
    """Parse and check one effect; return None for what cannot be parsed, and the problems."""
    text = source.scalar.value
    comments = source.scalar.style == "|"
    if isinstance(source.entry, BrokenEntry) and source.part == "effect" and not source.entry.kind:
        # without a kind of card the role is a guess, so only the syntax is checked
        tree = None
        _, problems = parse_effect(text, comments)
    else:
        tree, problems = check_text(text, comments, names, context)
    is_sound = tree is not None and not any(map(_is_error, problems))
    has_fixes = any(problem.fix is not None for problem in problems)
    if (problems and not is_sound) or has_fixes:  # a fix is kept only if it is proven
        from toolkit.project.effect_proposals import with_what_was_meant

        problems = with_what_was_meant(text, problems, comments, names, context)
    return ParsedEffect(source, tree, is_sound) if tree is not None else None, problems


def _is_error(problem: Problem) -> bool:
    return severity_of(problem.name) == "error"


def located(problem: Problem, source: EffectSource) -> Diagnostic:
    """Return the problem as a finding in its file."""
    locate = source.scalar.locate
    fix = _fix(problem.place, problem.fix, problem.safe, source) if problem.fix is not None else None
    alternatives = [
        _fix(rewording.place, rewording.text, False, source) for rewording in problem.alternatives
    ]
    return Diagnostic(
        problem.name,
        problem.message,
        locate(*problem.place),
        problem.next_step,
        tuple(Label(locate(*related_place), message) for related_place, message in problem.related),
        source.entry.id or None,
        fix,
        tuple(alternative for alternative in alternatives if alternative is not None),
    )


def _fix(place: Place, text: str, is_safe: bool, source: EffectSource) -> Fix | None:
    """Return a fix of a problem, written as the style of its scalar requires."""
    start, end = place
    if source.scalar.style == "|" and "#" in source.scalar.value[start:end]:
        return None  # a comment that stands in between would get lost
    edit = rewritten(source.scalar, start, end, text)
    if edit is None:
        return None
    return Fix(source.scalar.span.at_offsets(edit.start, edit.end), edit.replacement, is_safe)
