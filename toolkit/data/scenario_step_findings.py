"""What is wrong with the steps of a scenario: keys that do not fit the action, OPERATORs and cards."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.model import CardSet
from toolkit.data.scenario_persons import person_findings
from toolkit.data.scenario_setup_findings import kind_findings
from toolkit.data.scenarios import SIDES, Person, Script, Step
from toolkit.diagnostics import Diagnostic, suggestion
from toolkit.vocabulary.nearest import nearest

_ANSWERS = ("action", "dice", "performance", "choose", "either")
_WINDOWS = ("attack_card", "defence_card", "late_attack_card")
_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "attack": (("by", "on"), (*_WINDOWS, "critical", "reroll")),
    "move": (("by",), ("swap",)),
    "medic": (("by", "on"), ()),
    "evade": (("by",), ()),
    "reload": (("by",), ()),
    "play": (("by", "card"), ()),
    "end-turn": ((), ()),
}
"""By action the keys that it must have, and those that it may have beside the answers."""

_ALL_KEYS = frozenset(key for required, others in _KEYS.values() for key in (*required, *others))
_CARDS = {
    "card": ("an EFFECT or STRATEGY card", ("effect", "strategy")),
    "attack_card": ("an ATTACK card", ("attack",)),
    "defence_card": ("a DEFENCE card", ("defence",)),
    "late_attack_card": ("an ATTACK card", ("attack",)),
}
_WHAT_FOR = {
    "by": "the OPERATOR that does it",
    "on": "the OPERATOR it is done to",
    "card": "the card that is played",
}


def step_findings(card_set: CardSet, script: Script) -> Iterator[Diagnostic]:
    """Findings about every step of ``do``."""
    for step in script.steps:
        yield from _keys(script, step)
        yield from _persons(card_set, script, step)
        yield from _cards(card_set, script, step)


def _keys(script: Script, step: Step) -> Iterator[Diagnostic]:
    required, others = _KEYS[step.action]
    possible = (*required, *others)
    missing = [key for key in required if key not in step.keys]
    for key in sorted(_ALL_KEYS & step.keys.keys() - set(possible), key=lambda key: step.keys[key].start):
        span = step.keys[key]
        free = [name for name in possible if name not in step.keys]
        meant = nearest(key, free) or _other_word(key, free)
        if meant in missing:
            missing.remove(meant)
        yield Diagnostic(
            "unknown-key",
            f"`{key}` is not a key of the action `{step.action}`.",
            span,
            f"Did you mean `{meant}`?" if meant else _possible(step, possible),
            card=script.name,
            fix=suggestion(span, key, meant, free),
        )
    if not step.keys.keys() <= _ALL_KEYS | set(_ANSWERS):
        return  # an unknown key is most likely the one that seems to be missing
    for key in missing:
        what = "the player, `blue` or `red`" if (step.action, key) == ("play", "by") else _WHAT_FOR[key]
        yield Diagnostic(
            "missing-key",
            f"The action `{step.action}` has no `{key}`.",
            step.span,
            f"Add `{key}: …`: {what}.",
            card=script.name,
        )


def _other_word(key: str, free: list[str]) -> str | None:
    """`on` and `swap` name the other OPERATOR, each for other actions."""
    other = {"on": "swap", "swap": "on"}.get(key)
    return other if other in free else None


def _possible(step: Step, possible: tuple[str, ...]) -> str:
    free = [key for key in (*possible, *_ANSWERS) if key not in step.keys]
    return f"Remove it; possible keys: {', '.join(free)}." if free else "Remove it."


def _persons(card_set: CardSet, script: Script, step: Step) -> Iterator[Diagnostic]:
    to = step.performance.to if step.performance else None
    for person in (step.by, step.on, step.swap, to, *step.choose):
        if person is None:
            continue
        if step.action == "end-turn" and person in (step.by, step.on, step.swap):
            continue  # the key is told of
        if person is step.by and step.action == "play":
            yield from _player(script, person)
        elif person is step.by and person.written in SIDES and not script.sides_of(person):
            yield Diagnostic(
                "wrong-kind",
                f"`{person.written}` is a player, but `{step.action}` is done by an OPERATOR.",
                person.span,
                "Write the id of one of the player's OPERATORs.",
                card=script.name,
            )
        else:
            yield from person_findings(card_set, script, person)


def _player(script: Script, person: Person) -> Iterator[Diagnostic]:
    """Cards are played by a player."""
    if person.written in SIDES:
        return
    owners = script.sides_of(person)
    meant = nearest(person.written, SIDES) or (owners[0] if len(owners) == 1 else None)
    yield Diagnostic(
        "unknown-value",
        f"A card is played by a player, `blue` or `red`, not by `{person.written}`.",
        person.span,
        f"Did you mean `{meant}`?" if meant else "Write `blue` or `red`.",
        card=script.name,
        fix=suggestion(person.span, person.written, meant, SIDES),
    )


def _cards(card_set: CardSet, script: Script, step: Step) -> Iterator[Diagnostic]:
    for key, (what, kinds) in _CARDS.items():
        given = getattr(step, key)
        if given is not None and key in (*_KEYS[step.action][0], *_KEYS[step.action][1]):
            yield from kind_findings(card_set, script, given, what, kinds)
    if step.performance is not None and step.performance.item is not None:
        yield from kind_findings(card_set, script, step.performance.item, "an ITEM card", ("item",))
