"""The functions of a fused attack, as Python source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolkit.engine.fast.dice import Opening
from toolkit.engine.fast.fusing import Fused, Result
from toolkit.engine.fast.nodes import Node
from toolkit.engine.fast.source import Block

INDENT = "    "
FIRST_DICE = ("a", "k", "d")
SECOND_DICE = ("a2", "k2", "d2")
ONE_DIE_EACH = ("die", "defence", "double")


@dataclass(frozen=True, slots=True)
class Written:
    """Source of one function, its name in it, and the inputs that it is given, in order."""

    source: str
    name: str
    inputs: tuple[str, ...]


def write_prepare(fused: Fused) -> Written:
    """``prepare``: it is given what is read from the state, and returns what is rolled, and functions of
    dice.

    It returns ``(shut, first, second, outcome)``: ``first`` is the facts of M-6 (`opening_facts`), ``second``
    a function of the sums of the first dice that gives those of the second, or None; ``outcome`` a function
    of the sums of all dice.
    """
    outcome, first = result_facts(fused.result), [fused.shut, *opening_facts(fused.first)]
    second = [] if fused.second is None else opening_facts(fused.second)
    early = list(dict.fromkeys(_early([*outcome, *second])))
    outer = Block([*first, *early], {}, INDENT)
    for node in early:
        outer.name(node)
    body = list(outer.lines)
    if second:
        body += _function("second", FIRST_DICE, second, outer)
    dice = FIRST_DICE + SECOND_DICE if second else FIRST_DICE
    body += _function("outcome", dice, outcome, outer)
    facts = ", ".join(outer.text(node) for node in first)
    body.append(f"{INDENT}return ({facts}), {'second' if second else None}, outcome")
    return _whole("prepare", fused, (*first, *second, *outcome), (), body)


def write_single(fused: Fused) -> Written:
    """``attack``: it is given what is read from the state and one die each, and returns the result."""
    outcome = result_facts(fused.result)
    block = Block(outcome, {}, INDENT)
    returned = ", ".join(block.text(node) for node in outcome)
    body = [*block.lines, f"{INDENT}return {returned}"]
    return _whole("attack", fused, outcome, ONE_DIE_EACH, body)


def result_facts(result: Result) -> list[Node]:
    """A result in the order in which functions return it."""
    return [result.ap, result.ep, result.damage, result.critical, result.hit, result.dp]


def opening_facts(opening: Opening) -> list[Node]:
    """What is rolled in the order in which functions return it."""
    rerolls = [reroll.count for reroll in opening.rerolls]
    return [opening.attack_dice, opening.defence_dice, opening.threshold, *rerolls]


def _early(wanted: Sequence[Node]) -> Iterator[Node]:
    """What does not depend on dice and is part of something that does, or is wanted itself."""
    waiting, seen = list(wanted), set(wanted)
    while waiting:
        node = waiting.pop()
        if not node.late:
            if node.kind not in ("constant", "input"):
                yield node
            continue
        for part in node.parts:
            if part not in seen:
                seen.add(part)
                waiting.append(part)


def _function(name: str, dice: Sequence[str], wanted: Sequence[Node], outer: Block) -> Iterator[str]:
    block = Block(wanted, dict(outer.names), INDENT * 2)
    yield f"{INDENT}def {name}({', '.join(dice)}):"
    yield from block.lines
    yield f"{INDENT * 2}return {', '.join(block.text(node) for node in wanted)}"


def _whole(
    name: str, fused: Fused, wanted: Sequence[Node], dice: Sequence[str], body: Sequence[str]
) -> Written:
    used = _inputs(wanted)
    inputs = tuple(name for name in fused.readings.by_name if name in used)
    head = f"def {name}({', '.join((*inputs, *dice))}):"
    return Written("\n".join([head, *body, ""]), name, inputs)


def _inputs(wanted: Sequence[Node]) -> set[str]:
    """The names of all inputs that are asked for."""
    waiting, seen = list(wanted), set(wanted)
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if node.kind == "input":
            names.add(node.name)
        for part in node.parts:
            if part not in seen:
                seen.add(part)
                waiting.append(part)
    return names
