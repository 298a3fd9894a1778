"""The sums under an attack are true: for every attack of the shipped scenarios."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from math import ceil, floor

from tests.engine.tables import shipped
from toolkit.engine.explaining.explanation import Explanation, explain
from toolkit.engine.explaining.sums import Sum
from toolkit.engine.state_queries import StateQueries
from toolkit.play.scenarios.playing import play
from toolkit.play.scenarios.runner import rules_of


@cache
def explanations() -> list[tuple[str, Explanation]]:
    """Of the last attack of each scenario."""
    workspace = shipped()
    origins = workspace.origins()
    found = []
    for checked in workspace.scenarios:
        rules = rules_of(workspace, checked)
        played = play(checked.script, rules)
        attack, result = played.attack, played.result
        if attack is not None and result is not None:
            both = (result.attacker, result.attacked)
            resolver = StateQueries(rules, attack.before)
            told = explain(resolver, attack.after, attack.outcome, both, origins, thorough=True)
            found.append((checked.script.name, told))
    return found


_ROUNDED = re.compile(r" \(rounded (down|up|to the nearest) to (-?\d+)\)")
_WAYS = {"down": floor, "up": ceil, "to the nearest": lambda value: floor(value + Fraction(1, 2))}


def calculated(one: Sum) -> Fraction:
    """The formula, read as arithmetic; where it says that it was rounded, that is so."""
    formula = one.formula.replace("VALUE ", "")
    for name in sorted({term.name for term in one.terms}, key=len, reverse=True):
        formula = formula.replace(f" fixed by {name}", "").replace(f" {name}", "")
    while found := _ROUNDED.search(formula):
        before = formula[: found.start()]
        opened = before.count("(") - before.count(")")
        assert _WAYS[found.group(1)](arithmetic(before[opened:])) == int(found.group(2)), one.formula
        formula = "(" * opened + found.group(2) + formula[found.end() :]
    return arithmetic(formula)


def arithmetic(formula: str) -> Fraction:
    assert re.fullmatch(r"[\d +×÷()-]+", formula), formula
    written = re.sub(r"\d+", r"Fraction(\g<0>)", formula.replace("×", "*").replace("÷", "/"))
    return Fraction(eval(written))


def test_every_sum_makes_its_number() -> None:
    told = explanations()
    assert len(told) > 60
    for name, explained in told:
        assert explained.result is not None
        assert [one.number for one in explained.sums] == [explained.result.ap, explained.result.ep], name
        assert [calculated(one) for one in explained.sums] == [one.carried for one in explained.sums], name


def test_every_change_that_counts_stands_in_the_trace() -> None:
    for name, explained in explanations():
        rows = {
            (entry.stat, entry.layer, entry.amount, entry.origin)
            for section in explained.sections
            for block in section.blocks
            for entry in block.entries
            if entry.kind == "change"
        }
        for one in explained.sums:
            for term in one.terms:
                change = term.change
                assert (change.stat, change.layer, change.amount, change.origin) in rows, name


def test_no_effect_is_told_twice_in_one_section() -> None:
    for name, explained in explanations():
        for section in explained.sections:
            first = [block.origin for block in section.blocks if block.origin and not block.again]
            assert len(first) == len(set(first)), name
