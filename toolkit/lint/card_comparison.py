"""Cards compared with each other.

same-effect: two cards that do exactly the same under different names. outclassed-card: a card that is in
nothing better than another one, and no cheaper; reported only where the two cards alone prove it
(``proof/dominance.py``). OPERATORs of different TEAMs or KEYWORDs, or with different traits that some effect
asks for, are not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice

from toolkit.data.effect_sources import card_parts, card_sources
from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_doing
from toolkit.lint.context import RunCache
from toolkit.lint.proof.atomic_effects import AtomicEffect, atomic_effects
from toolkit.lint.proof.dominance import RatedEffect, at_least_as_good, differences
from toolkit.source import ScalarText
from toolkit.vocabulary import STATS

MOST_COMPARED = 40
"""A card is compared with so many others, the strongest first; only huge sets have more similar cards."""

MOST_EFFECTS = 60
"""A card with more atomic effects is not compared: no card of a game has so many."""

_STEP = "Make it better in some way, or give the other one a drawback."
_STEP_OF_OPERATOR = "Make it cheaper or better in some way, or make the other one more expensive."


class Design:
    """A card with its atomic effects.

    ``texts`` has for each of them the text in which it stands; ``traits`` are those that effects ask for.
    """

    def __init__(
        self,
        card: Card,
        effects: tuple[AtomicEffect, ...],
        texts: tuple[ScalarText, ...],
        traits: frozenset[str],
    ) -> None:
        self.card = card
        self.effects = effects
        self.texts = texts
        self.traits = traits

    @cached_property
    def rated(self) -> tuple[RatedEffect, ...]:
        """The atomic effects with their benefits."""
        return tuple(RatedEffect(effect) for effect in self.effects)

    @cached_property
    def key(self) -> Hashable:
        """Equal for cards that do the same."""
        return frozenset(Counter(rated_effect.key for rated_effect in self.rated).items())

    @cached_property
    def rough_key(self) -> Hashable:
        """Equal for cards that do the same, and for some others: far cheaper than ``key``."""
        card = self.card
        printed = (card.team, card.squadpoints, *card.stats.values(), self.traits, frozenset(card.keywords))
        return (card.kind, printed, frozenset((effect.when, *_rough(effect.done)) for effect in self.effects))


def _rough(doing: tree.Doing | tuple[tree.Clause, ...]) -> tuple[Hashable, ...]:
    """Return what two actions must have in common to be compared at all."""
    if isinstance(doing, tuple):
        return ("clauses", len(doing))
    if isinstance(doing, tree.Gets):
        return ("Gets", doing.amount, doing.what.text)
    return (type(doing).__name__,)


def designs_of(
    cards: CardSet,
    effects: Mapping[tuple[str, str], tree.Effect],
    trait_names: frozenset[str],
    cache: RunCache,
) -> list[Design]:
    """Return the cards whose effects could all be read, in file order; ``trait_names`` are the traits that
    effects ask for.

    Cards with text-only rules (E-1) are left out: how good they are no program knows.
    """
    text_only = {keyword.id for keyword in cards.keywords.values() if keyword.text_only}
    designs = []
    for card in cards.cards.values():
        parts = card_parts(card)
        known_effects = [
            effect for card_part in parts if (effect := effects.get((card.id, card_part))) is not None
        ]
        if len(known_effects) == len(parts) and text_only.isdisjoint(card.keywords):
            # cards with other KEYWORDs are not compared: how good these are is not judged
            keywords = [f"KEYWORD {name}" for name in card.keywords]
            traits = trait_names.intersection(card.traits).union(keywords)
            compute = partial(_design, card, known_effects, traits)
            design = cache.get(("design", traits), (card, *known_effects), compute)
            if design is not None:
                designs.append(design)
    return designs


def _design(card: Card, effects: Sequence[tree.Effect], traits: frozenset[str]) -> Design | None:
    """Return a card as it is compared; None with rules that no program reads."""
    if card.texts_only:
        return None
    atomic: list[AtomicEffect] = []
    texts: list[ScalarText] = []
    for source, effect in zip(card_sources(card), effects, strict=True):
        atomic_effects_here = atomic_effects(effect, source.role)
        atomic += atomic_effects_here
        texts += [source.scalar] * len(atomic_effects_here)
    return Design(card, tuple(atomic), tuple(texts), traits)


def check(designs: Sequence[Design], cache: RunCache) -> list[Diagnostic]:
    """Cards that do the same as an earlier one, then outclassed cards among the others."""
    same_effects = list(_same_effects(designs))
    doubles = {finding.card for finding in same_effects}
    groups: dict[Hashable, list[Design]] = {}
    for design in designs:
        card = design.card
        if card.id not in doubles and len(design.effects) <= MOST_EFFECTS:
            comparable_by = (card.kind, card.team, design.traits, frozenset(card.keywords))
            groups.setdefault(comparable_by, []).append(design)
    outclassed: list[Diagnostic] = []
    for group in groups.values():
        if len(group) > 1:
            outclassed += cache.get("outclassed", tuple(group), partial(_outclassed, group, cache))
    return [*same_effects, *outclassed]


# same-effect


def _same_effects(designs: Sequence[Design]) -> Iterator[Diagnostic]:
    """Each card that does the same as an earlier one, at its id, with the earlier one as related place.

    OPERATORs are the same if TEAM, numbers and SKILLs are, and the traits that some effect asks for.
    """
    groups: dict[Hashable, list[Design]] = {}
    for design in designs:
        groups.setdefault(design.rough_key, []).append(design)
    for group in groups.values():
        if len(group) == 1:
            continue  # its key need not be computed, which costs much more than the rough one
        first_by_key: dict[Hashable, Design] = {}
        for design in group:
            first = first_by_key.setdefault(design.key, design)
            if first is not design:
                yield _same_effect(first.card, design.card)


def _same_effect(other: Card, card: Card) -> Diagnostic:
    """Return the finding that two cards do the same."""
    if card.kind == "operator":
        message = f"`{card.id}` and `{other.id}` are the same: TEAM, SQUADPOINTS, numbers and SKILLs."
        step = "Change one of them, or keep one."
    else:
        message = f"`{card.id}` and `{other.id}` do exactly the same."
        step = "Change one of them, or keep one and raise its `quantity`."
    label = Label(other.id_span, "this card does the same")
    return Diagnostic("same-effect", message, card.id_span, step, (label,), card.id)


# outclassed-card


def _outclassed(group: list[Design], cache: RunCache) -> list[Diagnostic]:
    """Return findings about the cards of a group in which all are compared with each other."""

    def is_better(candidate: Design, other: Design) -> bool:
        return cache.get("better", (candidate, other), partial(_is_better, candidate, other))

    outlines = [cache.get("outline", (design,), partial(Outline, design)) for design in group]
    findings = []
    for index, candidates in candidates_of(outlines):
        design = group[index]
        strongest = (group[other_index] for other_index in islice(candidates, MOST_COMPARED))
        better = next((candidate for candidate in strongest if is_better(candidate, design)), None)
        if better is not None:
            findings.append(_outclassed_finding(better, design))
    return findings


def _is_better(design: Design, other: Design) -> bool:
    """Whether a card is certainly at least as good as another, and not the same in everything.

    Of OPERATORs the printed numbers and prices were compared before (``Outline``).
    """
    card, other_card = design.card, other.card
    differing_stats: frozenset[str] = frozenset()
    if card.kind == "operator":
        differing_stats = frozenset(stat for stat in STATS if card.number(stat) != other_card.number(stat))
    if not at_least_as_good(design.rated, other.rated, differing_stats):
        return False
    is_cheaper = card.squadpoints < other_card.squadpoints
    return bool(differing_stats) or is_cheaper or not at_least_as_good(other.rated, design.rated)


class Outline:
    """What a card does, at its best and at its worst.

    ``good`` and ``bad`` are levels by shape (``Benefit``); the printed numbers and the price of an OPERATOR
    are good things. ``doubtful`` are the kinds of what may be good or bad. A card can outclass another only
    if it has all good things of that one, at least as strong, no bad thing that the other has not, and the
    same doubtful ones.
    """

    __slots__ = ("bad", "doubtful", "good", "strength")

    def __init__(self, design: Design) -> None:
        self.good: dict[Hashable, int] = {}
        self.bad: dict[Hashable, int] = {}
        self.strength = 0
        doubtful = []
        for rated_effect in design.rated:
            benefit = rated_effect.benefit
            if benefit is None:
                doubtful.append(type(rated_effect.effect.done).__name__)
                continue
            self.strength += benefit.level
            if benefit.good:
                self.good[benefit.shape] = max(benefit.level, self.good.get(benefit.shape, benefit.level))
            else:
                self.bad[benefit.shape] = min(benefit.level, self.bad.get(benefit.shape, benefit.level))
        self.doubtful = tuple(sorted(doubtful))
        if design.card.kind == "operator":
            self.good |= {stat: design.card.number(stat) for stat in STATS}
            self.good["SQUADPOINTS"] = -design.card.squadpoints
            self.strength = 0  # OPERATORs are compared in file order


def candidates_of(outlines: Sequence[Outline]) -> Iterator[tuple[int, Iterable[int]]]:
    """Yield each card that may be outclassed, with the cards that may outclass it, the strongest first.

    The cards at or above a level are a bit set, in which the strongest has the lowest bit; intersections are
    cheap.
    """
    strongest_first = sorted(range(len(outlines)), key=lambda index: -outlines[index].strength)
    good_sets = _reaching([outlines[index].good for index in strongest_first])
    bad_sets = _reaching([outlines[index].bad for index in strongest_first])
    sets_by_doubts: dict[tuple[str, ...], int] = {}
    for bit, index in enumerate(strongest_first):
        doubtful = outlines[index].doubtful
        sets_by_doubts[doubtful] = sets_by_doubts.get(doubtful, 0) | 1 << bit
    bit_by_index = {index: bit for bit, index in enumerate(strongest_first)}
    for index, outline in enumerate(outlines):
        if not outline.good:
            continue
        own_bit = 1 << bit_by_index[index]
        candidates = sets_by_doubts[outline.doubtful] & ~own_bit
        for shape, level in outline.good.items():
            candidates &= good_sets[shape][level]
        for shape, set_by_level in bad_sets.items():
            no_worse = set_by_level[outline.bad[shape]] if shape in outline.bad else 0
            all_with_shape = set_by_level[min(set_by_level)]
            candidates &= no_worse | ~all_with_shape
        if candidates:
            yield index, (strongest_first[bit] for bit in _members(candidates))


def _reaching(level_sets: Sequence[dict[Hashable, int]]) -> dict[Hashable, dict[int, int]]:
    """Return for every shape and each of its levels the bit set of those that are at that level or above."""
    sets_by_shape: dict[Hashable, dict[int, int]] = {}
    for bit, levels in enumerate(level_sets):
        for shape, level in levels.items():
            set_by_level = sets_by_shape.setdefault(shape, {})
            set_by_level[level] = set_by_level.get(level, 0) | 1 << bit
    for set_by_level in sets_by_shape.values():
        at_or_above = 0
        for level in sorted(set_by_level, reverse=True):
            at_or_above |= set_by_level[level]
            set_by_level[level] = at_or_above
    return sets_by_shape


def _members(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _outclassed_finding(better: Design, worse: Design) -> Diagnostic:
    advantage = _better_numbers(better.card, worse.card) or _advantage_in_words(better, worse)
    message = f"`{worse.card.id}` is never better than `{better.card.id}`, which {advantage}."
    label = Label(better.card.id_span, "at least as good in everything")
    step = _STEP_OF_OPERATOR if worse.card.kind == "operator" else _STEP
    return Diagnostic("outclassed-card", message, worse.card.id_span, step, (label,), worse.card.id)


def _better_numbers(better: Card, worse: Card) -> str:
    """Return the better numbers of an OPERATOR, if any: "has AP 4, not 3; SQUADPOINTS 3, not 4"."""
    if better.kind != "operator":
        return ""
    advantages = [
        f"{stat} {better.number(stat)}, not {worse.number(stat)}"
        for stat in STATS
        if better.number(stat) > worse.number(stat)
    ]
    if better.squadpoints < worse.squadpoints:
        advantages.append(f"SQUADPOINTS {better.squadpoints}, not {worse.squadpoints}")
    return f"has {'; '.join(advantages)}" if advantages else ""


def _advantage_in_words(better: Design, worse: Design) -> str:
    """Return words of one card only: a bad thing of the worse one, or a good thing of the better one."""
    only_better, only_worse = differences(better.rated, worse.rated)
    drawback = _doing_of_one(only_worse, only_better, is_good=False)
    if drawback is not None:
        return f"does not have `{print_doing(drawback)}`"
    advantage = _doing_of_one(only_better, only_worse, is_good=True)
    return "acts in more situations" if advantage is None else f"has `{print_doing(advantage)}`"


def _doing_of_one(
    own_effects: Sequence[RatedEffect], other_effects: Sequence[RatedEffect], is_good: bool
) -> tree.Doing | None:
    """Return the first good, or bad, thing among the effects of a card that the other card does not do."""
    other_doings = {rated_effect.effect.done for rated_effect in other_effects}
    for rated_effect in own_effects:
        doing, benefit = rated_effect.effect.done, rated_effect.benefit
        is_relevant = benefit is not None and benefit.good == is_good
        if is_relevant and doing not in other_doings and not isinstance(doing, tuple):
            return doing
    return None
