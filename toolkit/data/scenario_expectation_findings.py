"""What is wrong with what a scenario expects: names, rules, and what can never come about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolkit.data.model import CardSet, Mode
from toolkit.data.quoting import shown
from toolkit.data.scenario_persons import person_findings
from toolkit.data.scenario_setup_findings import ATTACHABLE, kind_findings, same_operator
from toolkit.data.scenario_slips import expect_slips
from toolkit.data.scenarios import Given, Person, Script
from toolkit.diagnostics import Diagnostic, correction
from toolkit.source import Span
from toolkit.vocabulary.nearest import is_clear, nearest
from toolkit.vocabulary.rules import RULES


def expectation_findings(card_set: CardSet, script: Script, mode: Mode | None) -> Iterator[Diagnostic]:
    """Findings about ``expect``; ``mode`` None: it is not known."""
    yield from _refused(script)
    yield from _attack(script)
    seen: dict[tuple[str, str], Person] = {}
    slips = expect_slips(script.entry.node)
    for person, values in script.expected.operators:
        if person.written in slips:
            yield _slip(script, person, slips[person.written])
            continue
        found = person_findings(card_set, script, person)
        yield from found
        if len(script.sides_of(person)) == 1:
            whose = (script.sides_of(person)[0], person.card)
            if whose in seen:
                yield same_operator(script, person, seen[whose])
            seen.setdefault(whose, person)
        attached, position = values.get("attached"), values.get("position")
        if attached is not None and isinstance(attached.value, str):
            card = Given(attached.value, attached.span)
            yield from kind_findings(card_set, script, card, "an ATTACK, DEFENCE or ITEM card", ATTACHABLE)
        if position is not None and mode is not None and isinstance(position.value, int):
            yield from _position(script, mode, position.value, position.span)


def _slip(script: Script, person: Person, meant: str) -> Diagnostic:
    return Diagnostic(
        "unknown-key",
        f"`expect` has no key `{shown(person.written)}`, and there is no such OPERATOR in this scenario.",
        person.span,
        f"Did you mean `{meant}`?",
        card=script.name,
        fix=correction(person.span, meant),
    )


def _position(script: Script, mode: Mode, position: int, place: Span) -> Iterator[Diagnostic]:
    if position > mode.field_positions:
        yield Diagnostic(
            "impossible-expectation",
            f"Nobody can be at {position}: the mode `{mode.id}` has {mode.field_positions} FIELDPOSITIONs.",
            place,
            f"Write a number from 1 (leftmost) to {mode.field_positions}.",
            card=script.name,
        )


def _refused(script: Script) -> Iterator[Diagnostic]:
    refused = script.expected.refused
    if refused is None:
        return
    if refused.value not in RULES:
        meant = rule_meant(refused.value)
        yield Diagnostic(
            "unknown-rule",
            f"There is no rule `{shown(refused.value)}`.",
            refused.span,
            f"Did you mean `{meant}` ({RULES[meant]})?" if meant else "Write the id of a rule such as `A-2`.",
            card=script.name,
            fix=correction(refused.span, meant, safe=is_clear(refused.value, meant, RULES)),
        )
    if not script.steps:
        yield Diagnostic(
            "impossible-expectation",
            "Nothing can be refused, for `do` has no step.",
            refused.span,
            "Add the step that must be refused to `do`.",
            card=script.name,
        )


def rule_meant(written: str) -> str | None:
    """The rule id that was probably meant: `a2`, `A_2` and `A 2` are `A-2`."""
    parts = re.fullmatch(r"([A-Za-z])[-_ ]?(\d{1,2})([A-Za-z]?)", written.strip())
    if parts:
        found = f"{parts[1].upper()}-{parts[2]}{parts[3].lower()}"
        return found if found in RULES else None
    return nearest(written, RULES)


def _attack(script: Script) -> Iterator[Diagnostic]:
    """An attack is compared that never takes place."""
    place = script.expected.attack_span
    if place is None:
        return
    played = script.steps[:-1] if script.expected.refused is not None else script.steps
    if any(step.action == "attack" for step in played):
        return
    refused = any(step.action == "attack" for step in script.steps)
    message = (
        "The only attack is the step that must be refused, so it has no numbers."
        if refused
        else "No step is an attack, so there are no numbers of one."
    )
    step = "Remove `attack`." if refused else "Add a step `{action: attack, …}`, or remove `attack`."
    yield Diagnostic("impossible-expectation", message, place, step, card=script.name)
