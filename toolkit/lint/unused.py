"""What nothing in the project uses, and names that mean nothing in it.

unused-team, unused-trait, unused-objective, unused-marker, unused-keyword and unused-art; untested-card,
a card that no scenario uses in a project whose scenarios use nearly all; unknown-trait, a printed name of a
trait that no OPERATOR has; and duplicate-scenario, two scenarios of one name in one file.

Nothing is reported where something was left out for an error of its own: that may be what uses it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, normpath

from msgspec import Struct

from toolkit.data.effect_sources import effect_sources
from toolkit.data.model import Card, CardSet, Entry, Scenario
from toolkit.data.yaml.nodes import Mapping
from toolkit.diagnostics import Diagnostic, Label, suggestion
from toolkit.vocabulary.nearest import nearest

MOST_PICTURES = 20
"""At most so many unused pictures are reported; a project with more is still being sorted."""

NEARLY_ALL = 0.75
"""If scenarios use this share of the cards, a card without a scenario was probably forgotten."""

_MOST_LABELS = 3

_PICTURE = re.compile(r"\.(svg|png|jpe?g|webp|gif)$", re.IGNORECASE)
_NAMED = re.compile(
    r'(?P<given>\bgains?\s+|\+\s*\d+\s+)?\b(?P<what>trait|KEYWORD|MARKER)\s+"(?P<name>[^"\n]*)"'
    r"|[+-]\s*\d+\s+(?P<range>RANGE)\b"
)
"""A trait, KEYWORD or marker in an effect, behind what gives it, if anything does; or a change of RANGE."""
_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"


def check(cards: CardSet, words: EffectWords) -> list[Diagnostic]:
    """Everything unused, kind by kind; ``words`` are those of the project's effects."""
    findings = list(_scenario_names(cards))
    if not (cards.broken_ids or cards.incomplete):
        findings += (*_entries(cards, words), *_traits(cards, words.tested_traits))
        for check_kind in (_pictures, _untested, _trait_names):
            findings += check_kind(cards)
    return findings


class EffectWords(Struct, frozen=True):
    """What effects ask for and give: traits, KEYWORDs and markers by name, whether one changes RANGE, and how
    many ATTACK D6 and DEFENCE D6 they roll more altogether."""

    tested_traits: frozenset[str]
    given_traits: frozenset[str]
    given_keywords: frozenset[str]
    given_markers: frozenset[str]
    change_range: bool
    extra_dice: tuple[tuple[str, int], ...]


def effect_words(cards: CardSet) -> EffectWords:
    """Return what the effects of a project ask for and give.

    They are searched as texts: those that cannot be parsed may ask for a trait, too.
    """
    texts = [source.scalar.value for source in effect_sources(cards)]
    words = frozenset[tuple[str, bool, str]]().union(*map(_words_of, set(texts)))
    extra_dice = _count_extra_dice(texts)  # of two effects with the same text, both roll them

    def names(sort: str, is_given: bool) -> frozenset[str]:
        return frozenset([name for word_sort, gives, name in words if (word_sort, gives) == (sort, is_given)])

    return EffectWords(
        tested_traits=names("trait", is_given=False),
        given_traits=names("trait", is_given=True),
        given_keywords=names("KEYWORD", is_given=True),
        given_markers=names("MARKER", is_given=True),
        change_range=any(sort == "RANGE" for sort, *_ in words),
        extra_dice=tuple(sorted(extra_dice.items())),
    )


_EXTRA_DICE = re.compile(r"\brolls?\s+\+\s*(?P<number>\d+)\s+(?P<kind>ATTACK|DEFENCE)\b")


def _count_extra_dice(texts: Iterable[str]) -> Counter[str]:
    """Return how many dice of each kind effects roll more altogether."""
    counts: Counter[str] = Counter()
    for text in texts:
        for match in _EXTRA_DICE.finditer(text):
            counts[match["kind"]] += int(match["number"])
    return counts


@lru_cache(maxsize=65536)
def _words_of(text: str) -> frozenset[tuple[str, bool, str]]:
    """Return what one effect names: what it is, whether the effect gives it, and its name."""
    return frozenset(
        (match["what"] or match["range"], match["given"] is not None, match["name"] or "")
        for match in _NAMED.finditer(text)
    )


def _entries(cards: CardSet, words: EffectWords) -> Iterator[Diagnostic]:
    """TEAMs, OBJECTIVEs, markers and KEYWORDs that nothing uses.

    Without game modes OBJECTIVEs may be used by one that is added later.
    """
    had_keywords = {keyword for card in cards.cards.values() for keyword in card.keywords}
    played_objectives = {objective for mode in cards.modes.values() for objective in mode.objectives}
    kinds: tuple[tuple[str, Iterable[Entry], Collection[str | None], str, str], ...] = (
        ("unused-team", cards.teams.values(), {card.team for card in cards.cards.values()},
         "No OPERATOR belongs to the TEAM `{}`.", "Give it an OPERATOR, or remove the TEAM."),
        ("unused-objective", cards.objectives.values() if cards.modes else (), played_objectives,
         "The OBJECTIVE `{}` is not used by any game mode.",
         "Add it to the `objectives` of a mode, or remove it."),
        ("unused-marker", cards.markers.values(), words.given_markers, "No effect gives the marker `{}`.",
         'Write an effect with `gets +1 MARKER "{}"`, or remove the marker.'),
        ("unused-keyword", cards.keywords.values(), words.given_keywords | had_keywords,
         "No OPERATOR has the KEYWORD `{}`, and no effect gives it.",
         "Add it to the `keywords` of an OPERATOR, or remove the KEYWORD."),
    )  # fmt: skip
    for name, entries, used, message, step in kinds:
        for entry in entries:
            if entry.id not in used:
                yield Diagnostic(
                    name, message.format(entry.id), entry.id_span, step.format(entry.id), card=entry.id
                )


def _traits(cards: CardSet, asked_traits: frozenset[str]) -> Iterator[Diagnostic]:
    """Once for each trait that no effect asks for, at the first OPERATOR that has it."""
    bearers: dict[str, list[tuple[Card, int]]] = {}
    for card in cards.cards.values():
        for index, trait in enumerate(card.traits):
            if trait not in asked_traits:
                bearers.setdefault(trait, []).append((card, index))
    asked_names = sorted(asked_traits)
    for trait, ((first, index), *other_bearers) in bearers.items():
        meant = nearest(trait, asked_names)
        step = f'Write an effect that uses `with trait "{trait}"`, or remove the trait.'
        step = f"Did you mean `{meant}`? Effects use that one." if meant else step
        yield Diagnostic(
            "unused-trait",
            f"No effect uses the trait `{trait}`.",
            first.span_of("traits", index),
            step,
            tuple(Label(card.span_of("traits", n), "here too") for card, n in other_bearers[:_MOST_LABELS]),
            first.id,
        )


def _trait_names(cards: CardSet) -> Iterator[Diagnostic]:
    """Printed names, in the project file, of traits that no OPERATOR has."""
    node = cards.project.node
    names = node.nodes.get("traits") if node else None
    if not isinstance(names, Mapping):
        return
    known_traits = cards.traits() | cards.broken_traits
    ordered = sorted(known_traits)
    for trait in cards.project.traits:
        if trait not in known_traits:
            near = nearest(trait, ordered)
            yield Diagnostic(
                "unknown-trait",
                f"No OPERATOR of this project has the trait `{trait}`.",
                names.keys[trait].span,
                f"Did you mean `{near}`?" if near else "Give it to an OPERATOR, or remove the line.",
                fix=suggestion(names.keys[trait].span, trait, near, known_traits),
            )


def _pictures(cards: CardSet) -> Iterator[Diagnostic]:
    """Picture files beside used ones that no entry names, reported at the project's name."""
    pictures = [card.art for card in cards.cards.values()]
    pictures += [objective.art for objective in cards.objectives.values()]
    pictures += [team.logo for team in cards.teams.values()]
    for entries in (cards.cards, cards.objectives, cards.teams):
        pictures += [entry.back for entry in entries.values()]
    pictures += [*cards.project.backs.values(), *cards.project.set_symbols.values()]
    pictures.append(cards.project.box.art)
    used = {normpath(picture.value.replace("\\", "/")) for picture in pictures if picture is not None}
    folders = {dirname(path) for path in used & cards.pictures}
    unused = [path for path in cards.pictures - used if dirname(path) in folders and _PICTURE.search(path)]
    for path in sorted(unused)[:MOST_PICTURES]:
        yield Diagnostic(
            "unused-art",
            f"The picture `{path}` is not used.",
            cards.project.span_of("project"),
            "Use it as the `art` or `logo` of an entry, or move it to another folder.",
        )


def _untested(cards: CardSet) -> Iterator[Diagnostic]:
    """Each forgotten card at its id. Whatever a file with scenarios names counts as used."""
    files = {scenario.file.path: scenario.file for scenario in cards.scenarios}
    if not files or any(card.file.path in files for card in cards.cards.values()):
        return  # cards beside scenarios: a name in the file says nothing
    named = frozenset[str]().union(*(_ids_in(file.text) for file in files.values()))
    untested = [card for card in cards.cards.values() if card.id not in named]
    if len(untested) > (1 - NEARLY_ALL) * len(cards.cards):
        return
    for card in untested:
        yield Diagnostic(
            "untested-card",
            f"No scenario uses `{card.id}`, although scenarios use nearly all other cards.",
            card.id_span,
            "Write a scenario that shows what it does; `opforge test --coverage` shows what else is missing.",
            card=card.id,
        )


@lru_cache(maxsize=256)
def _ids_in(text: str) -> frozenset[str]:
    """Return the words of a file that could be ids."""
    return frozenset(re.findall(_ID, text))


def _scenario_names(cards: CardSet) -> Iterator[Diagnostic]:
    """The second scenario of a name, at its name: ``FILE#NAME`` is how a scenario is called."""
    first: dict[tuple[Path, str], Scenario] = {}
    for scenario in cards.scenarios:
        first_scenario = first.setdefault((scenario.file.path, scenario.id), scenario)
        if first_scenario is not scenario:
            yield Diagnostic(
                "duplicate-scenario",
                f"The name `{scenario.id}` is used twice in this file.",
                scenario.id_span,
                "Name what this one shows and the other does not.",
                (Label(first_scenario.id_span, "first used here"),),
                scenario.id,
            )
