"""An attack as text for people, or as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from toolkit.diagnostics.locations import place
from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.engine.explaining.lines import (
    WIDTH,
    Page,
    Tell,
    explanation_lines,
    origin_data,
    steps_data,
    sum_data,
)
from toolkit.engine.state import Key
from toolkit.play.attack.request import PlayedAttack, Refused
from toolkit.vocabulary import STATS

_HEADINGS = ("", "side", "place", *STATS, "HITCOUNTER", "TEAM", "attached")


def as_text(attack: PlayedAttack, style: Style = unstyled, width: int = WIDTH) -> str:
    """Return the attack as text: the two OPERATORs, every step with its effects, and the numbers as sums."""
    page = Page(attack.explained.names, attack.origins, style, width)
    lines = [*_heading(attack, style, width), "", *explanation_lines(attack.explained, page)]
    for note in attack.notes:
        lines += wrap(f"{note}.", width, initial_indent="note: ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"


def refused_text(refused: Refused, style: Style = unstyled) -> str:
    """Return a refusal as text: the rule, and the effects that make it apply."""
    lines = [f"{style('refused', 'error')} by {refused.refusal.rule_id}: {refused.refusal.sentence}"]
    for origin in refused.because:
        span = refused.origins.place(origin)
        place_text = f"  {place(span)}" if span else ""
        lines += [f"  {refused.origins.heading(origin)}{style(place_text, 'place')}", f"    {origin.text}"]
    return "\n".join(lines) + "\n"


def _heading(attack: PlayedAttack, style: Style, width: int) -> Iterator[str]:
    """Yield the head of the text: setting, rules, dice, and the values of both when the attack begins."""
    attacker, attacked = (attack.explained.names[key] for key in attack.explained.both)
    yield style(f"{attacker} attacks {attacked}", "note")
    if attack.scenario is None:
        yield "  alone and opposite each other"
    else:
        phrases = {0: "as the scenario begins", 1: "after the first step of the scenario"}
        step_count = attack.request.after
        moment = phrases.get(step_count, f"after the first {step_count} steps of the scenario")
        yield from wrap(
            f"{moment}: {attack.scenario.name}", width, initial_indent="  ", subsequent_indent="    "
        )
        yield f"    {style(place(attack.scenario.entry.id_span), 'place')}"
    options = attack.rules.options
    rules = f"mode {attack.rules.mode.id}, ruleset {attack.rules.ruleset.id}"
    yield f"  {rules}: stacking {options.stacking}, rounding {options.rounding}, floor {options.floor}"
    yield f"  {_dice(attack)}"
    yield ""
    yield from _table([list(_HEADINGS), *(_row(attack, key) for key in attack.explained.both)])


def _dice(attack: PlayedAttack) -> str:
    """Return the dice in the order rolled, and the option that repeats them."""
    dice_list = ",".join(map(str, attack.rolled))
    if not dice_list:
        return "no dice were rolled"
    if attack.request.dice is not None:
        return f"dice {dice_list}"
    return f"dice {dice_list} of seed {attack.request.seed}, the same as --dice {dice_list}"


def _row(attack: PlayedAttack, key: Key) -> list[str]:
    """Return the row of an OPERATOR before the attack, with its VALUEs."""
    operator = attack.before.operators[key]
    card = attack.rules.cards[operator.card]
    position_text = "-" if operator.position is None else str(operator.position + 1)
    values = [str(card.values[stat]) for stat in STATS]
    name = attack.explained.names[key]
    return [
        name,
        operator.side,
        position_text,
        *values,
        str(operator.hitcounter),
        card.team or "-",
        operator.attached or "-",
    ]


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Yield aligned lines; the columns of numbers are aligned on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:>{width}}" if 2 <= number <= 7 else f"{cell:<{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield ("  " + "  ".join(cells)).rstrip()


def refused_data(refused: Refused) -> dict[str, Any]:
    """Return a refusal as plain data, version 1."""
    effects = [origin_data(origin, refused.origins) for origin in refused.because]
    data = {"rule": refused.refusal.rule_id, "sentence": refused.refusal.sentence, "because": effects}
    return {"version": 1, "refused": data}


def attack_data(attack: PlayedAttack, tell: Tell | None = None) -> dict[str, Any]:
    """Return the attack as plain data, version 1; with ``tell`` the trace in several languages."""
    explained, result, scenario = attack.explained, attack.outcome.attack, attack.scenario
    attacked = attack.after.operators[explained.both[1]]
    return {
        "version": 1,
        "refused": None,
        "attacker": _operator_data(attack, explained.both[0]),
        "attacked": _operator_data(attack, explained.both[1]),
        "scenario": scenario
        and {
            "name": scenario.name,
            "file": scenario.entry.file.name,
            "line": scenario.entry.id_span.begin_position.line,
        },
        "mode": attack.rules.mode.id,
        "ruleset": attack.rules.ruleset.id,
        "options": {name: getattr(attack.rules.options, name) for name in ("stacking", "rounding", "floor")},
        "seed": None if attack.request.dice else attack.request.seed,
        "dice": list(attack.rolled),
        "result": result
        and {
            **{key: getattr(result, key) for key in ("ap", "ep", "damage", "hits", "critical")},
            "hitcounter": attacked.hitcounter,
            "status": attacked.status,
        },
        "sums": {sum_.stat.lower(): sum_data(sum_) for sum_ in explained.sums},
        "steps": steps_data(explained, attack.origins, tell),
        "notes": list(attack.notes),
    }


def _operator_data(attack: PlayedAttack, key: Key) -> dict[str, Any]:
    """Return an OPERATOR as it was before the attack; its position counts from 1."""
    operator = attack.before.operators[key]
    values = attack.rules.cards[operator.card].values
    return {
        "id": operator.card,
        "side": operator.side,
        "position": None if operator.position is None else operator.position + 1,
        "values": {stat.lower(): value for stat, value in values.items()},
        "hitcounter": operator.hitcounter,
        "status": operator.status,
        "attached": operator.attached,
    }
