"""OPERATORs as a scenario names them: whether they take part, and whether it is clear who is meant."""

from __future__ import annotations

from toolkit.data.model import Card, CardSet
from toolkit.data.nodes import Mapping
from toolkit.data.quoting import shown
from toolkit.data.references import Reference, resolve
from toolkit.data.scenarios import SIDES, Person, Script
from toolkit.diagnostics import Diagnostic, Label, suggestion
from toolkit.vocabulary.nearest import nearest


def person_findings(card_set: CardSet, script: Script, person: Person) -> list[Diagnostic]:
    """The finding about an OPERATOR who is not in the scenario, or whom both sides field.

    Where somebody on the FIELD is misspelt it may be he, and that is told already.
    """
    sides = script.sides_of(person)
    if len(sides) == 1:
        return []
    if sides:
        return [_ambiguous(script, person)]
    if person.card in card_set.cards and _misspelt_field(card_set, script):
        return []
    return _absent(card_set, script, person)


def _misspelt_field(card_set: CardSet, script: Script) -> bool:
    """Whether a place or a side of the scenario is misspelt."""
    for key in ("field", "save_zone"):
        sides = script.entry.node.nodes.get(key)
        if isinstance(sides, Mapping) and not set(SIDES) >= sides.nodes.keys():
            return True
    fielded = [card_set.cards.get(card.value) for _, card in script.operators()]
    return any(card is None or card.kind != "operator" for card in fielded)


def _ambiguous(script: Script, person: Person) -> Diagnostic:
    names = [f"{side}.{person.card}" for side in SIDES]
    labels = tuple(
        Label(card.span, f"this is `{side}.{card.value}`")
        for side, card in script.operators()
        if card.value == person.card
    )
    return Diagnostic(
        "ambiguous-operator",
        f"Both sides field `{person.card}`, so it is not clear which one is meant.",
        person.span,
        f"Write `{names[0]}` or `{names[1]}`.",
        labels,
        script.name,
    )


def _absent(card_set: CardSet, script: Script, person: Person) -> list[Diagnostic]:
    """He does not take part: misspelt, on the other side, or only not put there."""
    known = card_set.cards.get(person.card)
    others = [side for side, card in script.operators() if card.value == person.card]
    if person.side is not None and others:
        right = f"{others[0]}.{person.card}"
        message = f"`{person.card}` is on the side of {others[0]}, not of {person.side}."
        return [_finding(card_set, "not-in-scenario", message, script, person, right)]
    if known is not None and known.kind != "operator":
        reference = Reference(person.card, person.span, "an OPERATOR", script.name)
        return resolve(card_set, reference, ("operator",))
    meant = nearest(person.written, _candidates(script, person))
    if known is None and card_set.find(person.card) is None:
        return _unknown(card_set, script, person, meant)
    of_side = f" on the side of {person.side}" if person.side else ""
    message = f"The OPERATOR `{shown(person.card)}` is not in this scenario{of_side}."
    if not isinstance(known, Card):
        message = f"`{shown(person.written)}` is not an OPERATOR of this scenario."
    return [_finding(card_set, "not-in-scenario", message, script, person, meant)]


def _unknown(card_set: CardSet, script: Script, person: Person, meant: str | None) -> list[Diagnostic]:
    """An id that nothing in the project has."""
    if meant is None and (card_set.incomplete or person.card in card_set.broken_ids):
        message = f"The OPERATOR `{shown(person.card)}` is not in this scenario."
        return [_finding(card_set, "not-in-scenario", message, script, person, None)]
    message = f"There is no OPERATOR `{shown(person.written)}` in this scenario."
    return [_finding(card_set, "unknown-card", message, script, person, meant)]


def _candidates(script: Script, person: Person) -> list[str]:
    """The names of those who take part, written as this one is."""
    found = list(script.operators())
    if person.side is not None:
        return [f"{side}.{card.value}" for side, card in found]
    twice = [card.value for _, card in found]
    return [card.value for side, card in found if twice.count(card.value) == 1] + [
        f"{side}.{card.value}" for side, card in found if twice.count(card.value) > 1
    ]


def _finding(
    card_set: CardSet, name: str, message: str, script: Script, person: Person, meant: str | None
) -> Diagnostic:
    step = f"Did you mean `{meant}`?" if meant else _who_there_is(card_set, script)
    fix = suggestion(person.span, person.written, meant, _candidates(script, person))
    return Diagnostic(name, message, person.span, step, card=script.name, fix=fix)


def _who_there_is(card_set: CardSet, script: Script) -> str:
    """What to do, with those who are there; who is no OPERATOR is told of where he stands."""
    fielded = [card.value for _, card in script.operators()]
    known = [card_set.cards.get(name) for name in fielded]
    there = [f"`{card.id}`" for card in known if card is not None and card.kind == "operator"]
    if not fielded:
        return "Add OPERATORs to `field`."
    if not there:
        return "Add it to `field` or `save_zone`."
    return f"Add it to `field` or `save_zone`, or use one that is there: {', '.join(dict.fromkeys(there))}."
