"""Generated source becomes functions, once for each shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolkit.engine.fast.dice import Opening
from toolkit.engine.fast.facts import Reading
from toolkit.engine.fast.fusing import Fused, fuse
from toolkit.engine.fast.shapes import Shape
from toolkit.engine.fast.writing import Written, write_prepare, write_single
from toolkit.engine.rules import Rules

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may reroll which dice: whether the attacking player, and ATTACK or DEFENCE."""

    attacking: bool
    die: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """The function of a fused attack, and the readings that it is given, in order."""

    function: Function
    readings: tuple[Reading, ...]
    source: str


@dataclass(slots=True)
class MatchUp:
    """The generated code of one shape.

    ``prepare`` is made at once. ``single``, the whole attack with one die each as one function, is made when
    it is first asked for; it is None where other dice may be rolled. ``first`` and ``second`` name the
    rerolls of both rolls.
    """

    rules: Rules
    shape: Shape
    prepare: Compiled
    first: tuple[Permission, ...]
    second: tuple[Permission, ...]
    one_die_each: bool
    _single: Compiled | None = None

    @property
    def single(self) -> Compiled | None:
        """``attack(readings…, die, defence, double)``, which gives the result."""
        if self._single is None and self.one_die_each:
            fused = fuse(self.rules, self.shape, one_die_each=True)
            self._single = _compile(write_single(fused), fused)
        return self._single


def compile_shape(rules: Rules, shape: Shape) -> MatchUp:
    """The generated code of a shape."""
    fused = fuse(rules, shape)
    first = fused.first
    plain = first.attack_dice.constant == 1 and first.defence_dice.constant == 1 and fused.second is None
    may_reroll = any(reroll.count.constant != 0 for reroll in first.rerolls)
    return MatchUp(
        rules,
        shape,
        _compile(write_prepare(fused), fused),
        _permissions(first),
        () if fused.second is None else _permissions(fused.second),
        plain and not may_reroll,
    )


def _permissions(opening: Opening) -> tuple[Permission, ...]:
    return tuple(Permission(reroll.attacking, reroll.die) for reroll in opening.rerolls)


def _compile(written: Written, fused: Fused) -> Compiled:
    """Run the source: it defines one function, and has no names but its own."""
    space: dict[str, Any] = {"__builtins__": {}}
    exec(compile(written.source, "<fused attack>", "exec"), space)
    return Compiled(space[written.name], _readings(written.inputs, fused), written.source)


def _readings(inputs: Sequence[str], fused: Fused) -> tuple[Reading, ...]:
    return tuple(fused.readings.by_name[name] for name in inputs)
