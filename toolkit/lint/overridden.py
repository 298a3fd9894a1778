"""overridden-effect: words of a card that never matter, for other words of it always override them.

Thresholds (of two CRITICALs the lower holds, of two RULEVIOLATIONs the higher), Fixes (the higher one, N-6),
permissions and `ignores` that are there already, an attack that is forbidden and yet waited for, and changes
by a card whose kind the OPERATOR ignores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations

from toolkit.data.model import Card
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing
from toolkit.lint.atoms import Atom, atoms_of
from toolkit.lint.context import EffectContext
from toolkit.lint.designs import Design
from toolkit.lint.idle_stats import changed_stat
from toolkit.lint.known import Known
from toolkit.lint.memory import Memory
from toolkit.lint.order import covers
from toolkit.lint.situations import smallest_situation
from toolkit.source import ScalarText
from toolkit.vocabulary import STATS, Role

_PERMISSIONS = (tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence, tree.Ignores)
_OVERRIDING = (
    *_PERMISSIONS,
    tree.MakesDiceCritical,
    tree.MakesAttackCritical,
    tree.GainsRuleviolation,
    tree.Fixes,
)
_OWN_KIND = {Role.SKILL: "SKILLs", Role.ATTACK: "ATTACK cards", Role.DEFENCE: "DEFENCE cards"}
"""What an OPERATOR ignores who is not changed by this card itself."""

MOST_ATOMS = 200
"""Beyond so many things that a card does nothing is said: each would be held against each."""

_STEP = "Remove these words, or make the two exclude each other."


def check(designs: Sequence[Design], memory: Memory) -> Iterator[Diagnostic]:
    """The words that never matter, each once, with those that override them as related place."""
    for design in designs:
        if len(design.atoms) > 1:
            yield from memory.once("overridden", (design,), partial(_of_card, design))


def _may_override(design: Design) -> bool:
    return any(isinstance(atom.done, _OVERRIDING) for atom in design.atoms)


def _of_card(design: Design) -> list[Diagnostic]:
    may = len(design.atoms) <= MOST_ATOMS and _may_override(design)
    return list(_overridden(design)) if may else []


def _overridden(design: Design) -> Iterator[Diagnostic]:
    dead: set[int] = set()
    for winner, loser in permutations(range(len(design.atoms)), 2):
        if winner in dead or loser in dead:
            continue
        if _overrides(design.atoms[winner], design.atoms[loser]):
            dead.add(loser)
            yield _finding(
                design.card,
                (design.atoms[winner], design.texts[winner]),
                (design.atoms[loser], design.texts[loser]),
            )


def is_settled(effect: tree.Effect, role: Role, places: set[tree.Place]) -> bool:
    """Whether of the words at two places of an effect one always overrides the other."""
    found = [atom for atom in atoms_of(effect, role) if atom.place in places]
    return any(_overrides(winner, loser) for winner, loser in permutations(found, 2))


def _overrides(winner: Atom, loser: Atom) -> bool:
    """Whether the first leaves nothing of the second, in every situation in which that one acts."""
    if winner.scope.event:
        return False
    if _forbids_attack(winner, loser) or _is_ignored(winner, loser):
        return True
    return not loser.scope.event and _beats(winner.done, loser.done) and covers(winner, loser)


def _beats(winner: object, loser: object) -> bool:
    match winner, loser:
        case tree.MakesDiceCritical(low), tree.MakesDiceCritical(high):
            return low <= high
        case tree.MakesAttackCritical(), tree.MakesDiceCritical() | tree.MakesAttackCritical():
            return True
        case tree.GainsRuleviolation(high), tree.GainsRuleviolation(low):
            return high >= low
        case tree.Fixes(stat, high), tree.Fixes(other, low):
            return stat.text == other.text and high >= low
    return isinstance(winner, _PERMISSIONS) and winner == loser


def _forbids_attack(winner: Atom, loser: Atom) -> bool:
    """Who cannot attack, or cannot be attacked, has nothing from what waits for that."""
    if not isinstance(winner.who, tree.Ref) or winner.who.name != "self" or winner.condition is not None:
        return False
    part = loser.scope.parts.get("self")
    if winner.when is not None or part is None:
        return False
    if isinstance(winner.done, tree.CannotPerform):
        return winner.done.action == "ATTACK" and part == "attacker"
    return isinstance(winner.done, tree.CannotBeAttacked) and part == "attacked"


def _is_ignored(winner: Atom, loser: Atom) -> bool:
    """The card's own change of an OPERATOR who ignores cards of this kind."""
    if not isinstance(winner.done, tree.Ignores) or winner.done.what != _OWN_KIND.get(winner.scope.role):
        return False
    if isinstance(loser.done, tuple) or loser.scope.event or not loser.scope.attack:
        return False
    stat = changed_stat(loser.done)
    return stat is not None and stat.text in STATS and covers(winner, loser)


def _finding(card: Card, winner: tuple[Atom, ScalarText], loser: tuple[Atom, ScalarText]) -> Diagnostic:
    (strong, by), (weak, in_text) = winner, loser
    assert not isinstance(strong.done, tuple), "what overrides is one DOES"
    words = print_doing(strong.done)
    situation = smallest_situation(
        weak.condition, Known(weak.scope, EffectContext(weak.scope.role, _bearer(card)))
    )
    example = f" The smallest situation: {situation}." if situation else ""
    said = f"`{print_doing(weak.done)}`" if not isinstance(weak.done, tuple) else "This"
    return Diagnostic(
        "overridden-effect",
        f"{said} never matters: {_why(strong, weak, words)}.{example}",
        in_text.locate(*weak.place),
        _STEP,
        (Label(by.locate(*strong.place), "this overrides it"),),
        card.id,
    )


def _bearer(card: Card) -> Card | None:
    return card if card.kind == "operator" else None


def _why(strong: Atom, weak: Atom, words: str) -> str:
    match strong.done, weak.done:
        case (tree.CannotPerform(), done) if done != strong.done:
            return "an OPERATOR that cannot perform ATTACK never attacks"
        case (tree.CannotBeAttacked(), done) if done != strong.done:
            return "an OPERATOR that cannot be attacked never is"
        case (tree.Ignores(what), done) if done != strong.done:
            return f"with `{words}` no {what.removesuffix('s')} changes its numbers, this one included"
        case tree.GainsRuleviolation(), _:
            return f"of two RULEVIOLATIONs the higher holds, and `{words}` always holds with it"
        case tree.Fixes(), _:
            return f"of two Fixes the higher wins (N-6), and `{words}` always acts with it"
        case (tree.MakesAttackCritical(), tree.MakesDiceCritical()):
            return f"`{words}` always acts with it, and then every ATTACK D6 is CRITICAL"
        case tree.MakesDiceCritical(), _:
            return f"of two thresholds the lower holds, and `{words}` always acts with it"
    if strong.done == weak.done:
        return "this card does the same in every case where this applies, and in more"
    return f"`{words}` always holds with it"
