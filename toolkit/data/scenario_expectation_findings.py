"""What is wrong with what a scenario expects: names, rules, and what can never come about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolkit.data.model import CardSet, Mode
from toolkit.data.nodes import Mapping
from toolkit.data.quoting import says_nothing, shown
from toolkit.data.scenario_persons import person_findings
from toolkit.data.scenario_setup_findings import ATTACHABLE, kind_findings, same_operator
from toolkit.data.scenario_slips import expect_slips
from toolkit.data.scenarios import Given, Person, Script
from toolkit.diagnostics import Diagnostic, correction, suggestion
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest
from toolkit.vocabulary.rules import RULES


def expectation_findings(card_set: CardSet, script: Script, mode: Mode | None) -> Iterator[Diagnostic]:
    """Findings about ``expect``; ``mode`` None: it is not known."""
    yield from _nothing(script)
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
            if says_nothing(card.value) and card_set.find(card.value) is None:
                yield _no_card(script, card)
            else:
                what = "an ATTACK, DEFENCE or ITEM card"
                yield from kind_findings(card_set, script, card, what, ATTACHABLE)
        if position is not None and mode is not None and isinstance(position.value, int):
            yield from _position(script, mode, position.value, position.span)


def _nothing(script: Script) -> Iterator[Diagnostic]:
    """Keys of ``expect`` without any value, and a scenario that neither does nor expects anything."""
    expect = script.entry.node.nodes["expect"]
    assert isinstance(expect, Mapping), "the schema requires keys"
    slips = expect_slips(script.entry.node)
    for key, part in expect.nodes.items():
        if isinstance(part, Mapping) and not part.nodes and key not in slips:
            message = f"Nothing is expected for `{shown(key)}`, so nothing is checked."
            step = "Write the expected value, or remove the key."
            yield Diagnostic("nothing-expected", message, expect.keys[key].span, step, card=script.name)
    if not script.steps and not expect.nodes:
        message = "This scenario does nothing and expects nothing, so it always passes."
        step = "Add steps to `do` and their expected results to `expect`."
        span = script.entry.node.keys["expect"].span
        yield Diagnostic("nothing-expected", message, span, step, card=script.name)


def _no_card(script: Script, word: Given[str]) -> Diagnostic:
    message = f"There is no card `{shown(word.value)}`; write `~` for no attached card."
    fix = correction(word.span, "~")
    return Diagnostic("unknown-card", message, word.span, "Did you mean `~`?", card=script.name, fix=fix)


def _slip(script: Script, person: Person, meant: str) -> Diagnostic:
    return Diagnostic(
        "unknown-key",
        f"`expect` has no key `{shown(person.written)}`, and there is no such OPERATOR in this scenario.",
        person.span,
        f"Did you mean `{meant}`?",
        card=script.name,
        fix=suggestion(person.span, person.written, meant, [meant]),
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
            fix=suggestion(refused.span, refused.value, meant, RULES),
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
