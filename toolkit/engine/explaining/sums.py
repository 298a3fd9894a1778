"""How a number of an attack came about: as a sum, and line by line with its layers (N-2); and what effects
are called for a reader of the trace.

``AP 7 = VALUE 4 × 2 CRITICAL ÷ 2 SUPPRESSION + 2 Aimed shot``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from toolkit.data.effect_sources import EffectSource
from toolkit.data.model import Card, CardSet, Options
from toolkit.dsl.effect_objects import Layer, Origin
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.modifiers import LAYER_ORDER, Change, by_step, put_together, rounded
from toolkit.engine.outcomes import EndlessChain, TraceEntry
from toolkit.engine.state import Side
from toolkit.source import Span
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import LIMITS

# What effects are called

_CONCERNING_ALL = ("suppression", "teamwork", "performance")


class Origins(PublicValue, Struct, frozen=True, eq=False):
    """The effects of a card set by where they come from; names are those printed in ``language``."""

    cards: CardSet
    language: str
    sources: dict[tuple[str, str], EffectSource]

    def title(self, origin: Origin) -> str:
        """The short name, as in a sum: ``Aimed shot``, ``Overwatch``, ``SUPPRESSION``, ``EVADE``."""
        if origin.role in _CONCERNING_ALL:
            return origin.role.upper()
        if origin.role.startswith("action "):
            return origin.role.removeprefix("action ").upper()
        named = self.cards.keywords.get(origin.entry) or self.cards.objectives.get(origin.entry)
        if named is not None:
            return named.name.in_language(self.language).value
        card = self.cards.cards.get(origin.entry)
        if card is None:
            return origin.entry
        if origin.role != "skill":
            return card.name.in_language(self.language).value
        skill_number = int(origin.part.removeprefix("skill "))  # counted from 1
        skill = card.skills[skill_number - 1]
        if skill.name is None:
            return f"SKILL of {card.id}"
        return skill.name.in_language(self.language).value

    def heading(self, origin: Origin) -> str:
        """The name with what bears it: ``Overwatch, SKILL of viper``, ``SUPPRESSION, ruleset core``."""
        title = self.title(origin)
        if origin.role in ("teamwork", "performance"):
            return f"{title}, mode {origin.entry}"
        if origin.role == "suppression" or origin.role.startswith("action "):
            return f"{title}, ruleset {origin.entry}"
        if origin.role in ("keyword", "objective"):
            return f"{title}, {origin.role.upper()} {origin.entry}"
        card = self.cards.cards.get(origin.entry)
        if card is None:
            return f"{origin.part} of the {origin.entry}"
        if origin.role == "skill":
            return title if title == f"SKILL of {card.id}" else f"{title}, SKILL of {card.id}"
        return f"{title}, {_kind(card)} {card.id}"

    def chain(self, chain: EndlessChain) -> str:
        """What goes on without end, with the places of the sentences."""
        return chain.described(self._entry_and_place)

    def _entry_and_place(self, origin: Origin) -> str:
        """``viper, cards.yaml:12:5``; only the entry for what stands in no card file."""
        span = self.place(origin)
        if span is None:
            return origin.entry
        begin = span.begin_position
        return f"{origin.entry}, {span.file.name}:{begin.line}:{begin.column}"

    def place(self, origin: Origin) -> Span | None:
        """The sentence in its file; None for what stands in no card file."""
        source = self.sources.get((origin.entry, origin.part))
        if source is None:
            return None
        scalar = source.scalar
        effect, _ = parse_effect(scalar.value, scalar.style == "|")
        if effect is None:
            return None
        return scalar.locate(*effect.sentences[origin.sentence - 1].place)


def _kind(card: Card) -> str:
    """``ATTACK card``, ``ITEM``: as the rules call a card of that kind."""
    return "ITEM" if card.kind == "item" else f"{card.kind.upper()} card"


# Sums

_SIGNS: dict[str, str] = {"multiply": "×", "divide": "÷", "add": "+", "subtract": "-"}


class Term(PublicValue, Struct, frozen=True):
    """One modification that counts, in the order in which it is put together (N-2)."""

    change: Change
    name: str


class Sum(PublicValue, Struct, frozen=True):
    """How a number came about. ``carried`` is what it is, ``number`` how it is read (N-5)."""

    stat: str
    number: int
    carried: int
    value: int
    terms: tuple[Term, ...]
    formula: str

    @property
    def text(self) -> str:
        """The whole sum in a line."""
        if self.carried == self.number:
            return f"{self.stat} {self.number} = {self.formula}"
        reading = f"{self.carried}, and no number is read below {self.number} (N-5)"
        return f"{self.stat} {self.number}: {self.formula} = {reading}"


def sum_of(
    stat: str, value: int, changes: Sequence[Change], options: Options, attacking: Side, origins: Origins
) -> Sum:
    """The sum of a VALUE and the changes that count (N-2 to N-6); a Fix that is overruled is no term, nor is
    a limit that is not reached (E-26)."""
    carried = put_together(value, changes, options, attacking)
    groups = [list(changes)] if options.stacking == "layered" else by_step(changes)
    formula, sum_so_far = f"VALUE {value}", value
    terms: list[Term] = []
    for group in groups:
        after = put_together(sum_so_far, group, options, attacking)
        unlimited = [change for change in group if change.layer not in LIMITS]
        counting = _counting(unlimited, options, attacking)
        if put_together(sum_so_far, unlimited, options, attacking) != after:
            limits = [change for change in group if change.layer in LIMITS]
            counting.append(next(change for change in limits if change.amount == after))
        counting_terms = [Term(change, _name(change, origins)) for change in counting]
        if counting_terms and terms and terms[-1].change.layer in LIMITS:
            formula = f"({formula})"
        formula = _extended(formula, counting_terms, sum_so_far, options.rounding)
        sum_so_far = after
        terms += counting_terms
    return Sum(stat, max(options.floor, carried), carried, value, tuple(terms), formula)


def _counting(group: Iterable[Change], options: Options, attacking: Side) -> list[Change]:
    """The changes that are combined at once in the order N-2, of several Fixes the one that wins (N-6)."""
    # what is added and what is subtracted stay in the order of the steps: the sum is the same
    ordered = sorted(group, key=lambda change: min(LAYER_ORDER[change.layer], LAYER_ORDER["add"]))
    fixes = [change for change in ordered if change.layer == "fix"]
    if len(fixes) < 2:
        return ordered
    winning = put_together(0, fixes, options, attacking)
    kept_fix = next(change for change in fixes if change.amount == winning)
    behind_fixes = ordered[len(fixes) :]  # Fix is the first layer
    return [kept_fix, *behind_fixes]


def _extended(formula: str, terms: Sequence[Term], value: int, rounding: str) -> str:
    """The formula so far with one more group of changes, which begin at ``value``: ``(VALUE 3 + 1 A) × 2 B``.

    A rounding is written where a quotient ends, before the next sum. Within a group products and quotients
    come before sums and limits (N-2), so no quotient is of anything but ``value`` and factors.
    """
    factor = divisor = 1
    for term in terms:
        change = term.change
        if change.layer == "fix":
            formula, value = f"{change.amount} fixed by {term.name}", change.amount
            continue
        if change.layer in ("multiply", "divide") and (" + " in formula or " - " in formula):
            formula = f"({formula})"
        if change.layer in ("add", "subtract", *LIMITS):
            formula += _rounding(value * factor, divisor, rounding)
            factor = divisor = 1
        elif change.layer == "multiply":
            factor *= change.amount
        else:
            divisor *= change.amount
        formula += f"{',' if change.layer in LIMITS else ''} {_signed(change)} {term.name}"
    return formula + _rounding(value * factor, divisor, rounding)


def _rounding(dividend: int, divisor: int, rounding: str) -> str:
    """A word on a fraction that division left (N-4)."""
    if dividend % divisor == 0:
        return ""
    way = rounding if rounding in ("down", "up") else "to the nearest"
    return f" (rounded {way} to {rounded(dividend, divisor, rounding)})"


def _signed(change: Change) -> str:
    """``× 2``, ``+ 3``, ``- 1``, ``at most 5``; an added amount below 0 is subtracted."""
    amount = change.amount
    if change.layer not in ("add", "subtract"):
        return f"{_SIGNS.get(change.layer, change.layer)} {amount}"
    # what is subtracted is stored as an amount below 0
    is_subtracted = amount < 0 or change.layer == "subtract"
    return f"- {-amount}" if is_subtracted else f"+ {amount}"


def _name(change: Change, origins: Origins) -> str:
    """Return what made a change: the title of its card, or the dice."""
    if change.rule == "M-7":
        return "CRITICAL"
    if change.origin is None:
        return "ATTACK D6" if change.stat == "AP" else "DEFENCE D6"
    return origins.title(change.origin)


# Line by line

_BEHIND: dict[str, tuple[Layer, ...]] = {"fix": ("multiply", "divide"), "multiply": ("divide",)}
"""The layers of N-2 beside Add and Subtract that are counted after a layer."""


def is_row(entry: TraceEntry) -> bool:
    """Whether an entry is a change of MODIFY: one modification of one number, in its layer."""
    return entry.kind == "change" and entry.layer is not None


def layer_words(rows: Iterable[TraceEntry], origins: Origins) -> dict[int, str]:
    """By ``id`` of each row, in the order of the trace: ``Add``, ``Multiply, put before ÷ (N-2)``, …

    Where a number is not the plain result of a row, the rows above say why: another Fix won (N-6), or this
    one is counted before something that stands above it (N-2, N-3).
    """
    rows_by_number: dict[tuple[int | None, str | None], list[TraceEntry]] = {}
    winning_fixes: dict[tuple[int | None, str | None], TraceEntry] = {}
    words: dict[int, str] = {}
    for row in rows:
        number = (row.who, row.stat)
        rows_above, fix = rows_by_number.setdefault(number, []), winning_fixes.get(number)
        if row.layer == "fix" and fix is not None and _overruled(row, fix):
            words[id(row)] = f"Fix, but {_the_fix_of(fix, origins)} wins (N-6)"
        else:
            words[id(row)] = _placed(row, rows_above)
            if row.layer == "fix":
                winning_fixes[number] = row
        rows_above.append(row)
    return words


def _overruled(row: TraceEntry, fix: TraceEntry) -> bool:
    """Whether a Fix left the number as it was because the Fix above it wins (N-6)."""
    return not _is_plain(row) and row.before == row.after and row.amount != fix.amount


def _the_fix_of(fix: TraceEntry, origins: Origins) -> str:
    """What a Fix is called in the row of another."""
    return "the other Fix" if fix.origin is None else f"the Fix of {origins.title(fix.origin)}"


def _placed(row: TraceEntry, above: Iterable[TraceEntry]) -> str:
    """The layer, and before what it is counted if the number shows that."""
    layer = "limit" if row.layer in LIMITS else str(row.layer)
    layers_above = {row_above.layer for row_above in above}
    if layers_above & {*LIMITS} and not _is_plain(row):
        return f"{layer.capitalize()}, counted before a limit (E-26)"
    if row.layer in ("add", "subtract") or _is_plain(row):
        return layer.capitalize()
    if layers_above & {"add", "subtract"}:
        return f"{layer.capitalize()}, counted before what is added (N-2, N-3)"
    behind = [_SIGNS[later] for later in _BEHIND.get(layer, ()) if later in layers_above]
    if behind:
        return f"{layer.capitalize()}, counted before {' and '.join(behind)} (N-2)"
    # the Fix that wins may come from an event, which has no row
    if layer == "fix" and row.before == row.after:
        return "Fix, but another Fix wins (N-6)"
    return f"{layer.capitalize()}, counted before what was there already (N-2)"


def _is_plain(row: TraceEntry) -> bool:
    """Whether the number is what the row alone makes of the number before."""
    number_before, after, amount = row.before, row.after, row.amount or 0
    assert isinstance(number_before, int)
    assert isinstance(after, int)
    if row.layer == "fix":
        return after == amount
    if row.layer == "multiply":
        return after == number_before * amount
    if row.layer == "divide":
        # the quotient, rounded whichever way (N-4)
        return amount != 0 and abs(after * amount - number_before) < amount
    if row.layer in LIMITS:
        limited = min(number_before, amount) if row.layer == "at most" else max(number_before, amount)
        return after == limited
    return after == number_before + amount
