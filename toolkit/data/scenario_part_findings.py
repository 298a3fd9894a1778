"""OPERATORs as a scenario names them: whether they take part, and whether it is clear who is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from toolkit.data.model import Card, CardSet, Mode
from toolkit.data.nodes import Mapping, Plain
from toolkit.data.quoting import says_nothing, shown
from toolkit.data.references import Reference, resolve
from toolkit.data.scenarios import SIDES, Given, Person, Script, Step, expect_slips
from toolkit.diagnostics import Diagnostic, Label, correction, suggestion
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest
from toolkit.vocabulary.rules import RULES


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


ATTACHABLE = ("attack", "defence", "item")
"""Kinds of card that can lie on an OPERATOR (C-1)."""

_HAND = ("an ATTACK, DEFENCE, EFFECT or STRATEGY card", ("attack", "defence", "effect", "strategy"))
_ITEM = ("an ITEM card", ("item",))
_STRATEGY = ("a STRATEGY card", ("strategy",))
_OPERATOR = ("an OPERATOR", ("operator",))


def setup_findings(card_set: CardSet, script: Script, mode: Mode | None) -> Iterator[Diagnostic]:
    """Findings about ``field``, ``save_zone``, cards and ``state``; ``mode`` None: it is not known."""
    for side in SIDES:
        fielded = [card for card in script.field[side] if card is not None]
        for group, what in (
            (fielded, _OPERATOR),
            (script.save_zone[side], _OPERATOR),
            (script.hands[side], _HAND),
            (script.decks[side], _HAND),
            (script.item_decks[side], _ITEM),
            (script.strategies[side], _STRATEGY),
        ):
            yield from _kinds(card_set, script, group, *what)
        yield from _twice(script, side)
        if mode is not None:
            yield from _too_many(script, mode, side)
    yield from _states(card_set, script)


def _kinds(
    card_set: CardSet, script: Script, cards: Iterable[Given[str]], what: str, kinds: tuple[str, ...]
) -> Iterator[Diagnostic]:
    for card in cards:
        yield from kind_findings(card_set, script, card, what, kinds)


def kind_findings(
    card_set: CardSet, script: Script, card: Given[str], what: str, kinds: tuple[str, ...]
) -> list[Diagnostic]:
    """The finding about a card that does not exist or is of another kind than ``what`` says."""
    found = card_set.cards.get(card.value)
    if found is not None and found.kind in kinds:
        return []
    return resolve(card_set, Reference(card.value, card.span, what, script.name), kinds)


def _twice(script: Script, side: str) -> Iterator[Diagnostic]:
    """An OPERATOR who stands at two places of a side."""
    first: dict[str, Span] = {}
    for whose, card in script.operators():
        if whose != side:
            continue
        if card.value in first:
            yield Diagnostic(
                "repeated-value",
                f"`{card.value}` is twice on the side of {side}; each OPERATOR appears once.",
                card.span,
                "Use another OPERATOR here, or write `~` for an empty FIELDPOSITION.",
                (Label(first[card.value], "first here"),),
                script.name,
            )
        first.setdefault(card.value, card.span)


def _too_many(script: Script, mode: Mode, side: str) -> Iterator[Diagnostic]:
    """More OPERATORs or STRATEGY cards than the mode has places for."""
    for key, found, places, noun in (
        ("field", len(script.field[side]), mode.field_positions, "FIELDPOSITION"),
        ("save_zone", len(script.save_zone[side]), mode.save_zone, "place"),
        ("strategies", len(script.strategies[side]), mode.strategy_positions, "strategy position"),
    ):
        if found > places:
            where = " in the SAVEZONE" if key == "save_zone" else ""
            number = f"{places} {noun}" if places == 1 else f"{places} {noun}s"
            yield Diagnostic(
                "too-many-items",
                f"The mode `{mode.id}` has {number}{where}, but here are {found}.",
                script.entry.span_of(key, side, places),
                "Remove the extra ones, or choose another `mode`.",
                card=script.name,
            )


def _states(card_set: CardSet, script: Script) -> Iterator[Diagnostic]:
    seen: dict[tuple[str, str], Person] = {}
    for person, values in script.state:
        found = person_findings(card_set, script, person)
        yield from found
        if len(script.sides_of(person)) == 1:
            whose = (script.sides_of(person)[0], person.card)
            if whose in seen:
                yield same_operator(script, person, seen[whose])
            seen.setdefault(whose, person)
        attached = values.get("attached")
        if attached is not None and isinstance(attached.value, str):
            card = Given(attached.value, attached.span)
            yield from kind_findings(card_set, script, card, "an ATTACK, DEFENCE or ITEM card", ATTACHABLE)
        yield from _down(script, person, values)
        yield from _falling(card_set, script, person, values)


def same_operator(script: Script, person: Person, first: Person) -> Diagnostic:
    """The finding about an OPERATOR who is named twice in two ways."""
    return Diagnostic(
        "duplicate-key",
        f"`{first.written}` and `{person.written}` are the same OPERATOR.",
        person.span,
        "Put everything about it under one of the two.",
        (Label(first.span, "first here"),),
        script.name,
    )


def _down(script: Script, person: Person, values: dict[str, Given[Plain]]) -> Iterator[Diagnostic]:
    """HIT and OUT OPERATORs have no counters and no card (H-2)."""
    status = values.get("status")
    if status is None or status.value not in ("HIT", "OUT"):
        return
    for key in ("hitcounter", "objectivecounter", "attached"):
        given = values.get(key)
        if given is None or given.value in (0, None):
            continue
        noun = "card attached" if key == "attached" else key.upper()
        yield Diagnostic(
            "impossible-state",
            f"`{person.written}` is {status.value}, and such an OPERATOR has no {noun} (H-2).",
            given.span,
            f"Remove `{key}`, or give it another `status`.",
            (Label(status.span, f"{status.value} here"),),
            script.name,
        )


def _falling(
    card_set: CardSet, script: Script, person: Person, values: dict[str, Given[Plain]]
) -> Iterator[Diagnostic]:
    """A HITCOUNTER that reaches DP makes HIT at once (H-1).

    Where an effect that takes part speaks of DP only playing can tell; then the scenario fails.
    """
    counter, card = values.get("hitcounter"), card_set.cards.get(person.card)
    if counter is None or card is None or not isinstance(counter.value, int) or "status" in values:
        return
    fielded = [one for side in script.sides_of(person) for one in script.field[side] if one is not None]
    given = values.get("dp")
    dp = card.dp + (given.value if given is not None and isinstance(given.value, int) else 0)
    if not counter.value or counter.value < dp or person.card not in [one.value for one in fielded]:
        return
    if any("DP" in text for text in _effects(card_set, script)):
        return
    yield Diagnostic(
        "impossible-state",
        f"`{person.written}` has DP {max(dp, 0)}; with a HITCOUNTER of {counter.value} it is HIT (H-1).",
        counter.span,
        "Write a smaller number, or `status: HIT` instead.",
        card=script.name,
    )


def _effects(card_set: CardSet, script: Script) -> Iterator[str]:
    """The effects of all cards that take part, as they are written."""
    for name in dict.fromkeys(script.ids()):
        card = card_set.cards.get(name)
        if card is not None:
            yield from (skill.effect.value for skill in card.skills)
            if card.effect is not None:
                yield card.effect.value


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
