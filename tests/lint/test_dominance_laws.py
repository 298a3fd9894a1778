"""What is called at least as good is never worse in play: both cards are played in the same situations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from tests.lint.test_lint_project import OWLS, PROJECT, operator
from tests.thoroughness import examples
from toolkit.dsl.parsing import parse_effect
from toolkit.lint.proof.atomic_effects import atomic_effects
from toolkit.lint.proof.dominance import RatedEffect, at_least_as_good
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import open_project
from toolkit.vocabulary import Role

ROOT = Path(__file__).parent / "project"
"""No file of it is read: all texts are laid over it."""

MODE = """\
rulesets:
  - id: core
    suppression: when attacking, if DP of self - HITCOUNTER of self < DP VALUE of self, self halves AP.
    actions: {attack: {limit: unlimited}}
modes:
  - {id: duel, name: Duel, field_positions: 3}
"""
CONDITIONS = (
    "",
    "if HITCOUNTER of target >= {}, ",
    "if AP of self <= {}, ",
    "if EP of target > {}, ",
    "if target is opposite self, ",
    "if self is SUPPRESSED, ",
    "if number of own OPERATORs in RANGE >= 1, ",
    "if the TURN is own, ",
    "if self has REACHED the OBJECTIVE, ",
)
DONE = (
    "self gets {:+d} AP",
    "target gets {:+d} EP",
    "self gets {:+d} DP",
    "all enemy OPERATORs get {:+d} EP",
    "all enemy OPERATORs in RANGE get {:+d} EP",
    "attacker gets {:+d} AP",
    "self doubles AP",
    "target halves EP",
    "self fixes AP at 5",
    "self ignores SUPPRESSION",
    "target gets {:+d} DAMAGE",
    "target doubles DAMAGE",
    "target halves DAMAGE",
    "self limits AP to {:d}",
    "target limits EP to at least {:d}",
    "target limits EP to {:d}",
    "target limits DAMAGE to 2",
    "target limits DAMAGE to 4",
    "target limits DAMAGE to at least 3",
    "all own OPERATORs with AP >= 3 get {:+d} AP",
    "all enemy OPERATORs with AP >= 3 with no card get {:+d} DAMAGE",
    "all enemy OPERATORs with the highest EP get {:+d} DAMAGE",
)

Sentence = tuple[str, int, str, int]
"""A condition with its limit, and what is done with its amount."""


def text(sentences: list[Sentence]) -> str:
    """The effect of an ATTACK card."""
    return " ".join(
        f"when attacking, {condition.format(limit)}{done.format(amount)}."
        for condition, limit, done, amount in sentences
    )


amounts = st.integers(-3, 4).filter(bool)
sentences = st.tuples(st.sampled_from(CONDITIONS), st.integers(0, 5), st.sampled_from(DONE), amounts)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A card and another one made from it by small changes, so that they can often be compared."""
    worse = draw(st.lists(sentences, min_size=1, max_size=3))
    better = list(worse)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(better) - 1))
        condition, limit, done, amount = better[at]
        kind = draw(st.integers(0, 4))
        if kind == 0:
            better[at] = (condition, limit, done, draw(amounts))
        elif kind == 1:
            better[at] = (draw(st.sampled_from(("", condition))), limit, done, amount)
        elif kind == 2:
            better[at] = (condition, draw(st.integers(0, 5)), done, amount)
        elif kind == 3:
            better.append(draw(sentences))
        elif len(better) > 1:
            del better[at]
    return text(better), text(worse)


def rated(effect: str) -> list[RatedEffect]:
    """The atomic effects of an ATTACK card."""
    tree, problems = parse_effect(effect)
    assert tree is not None, problems
    return [RatedEffect(one) for one in atomic_effects(tree, Role.ATTACK)]


PLACES = ("[viper, hawk, ~], red: [bishop, ~, ~]", "[~, viper, ~], red: [bishop, ~, ~]")


@dataclass(frozen=True)
class Situation:
    """Where everybody stands, HITCOUNTERs, what AP and EP differ from their VALUEs, and dice."""

    places: str
    hits: tuple[int, int]
    ap: int
    ep: int
    dice: tuple[int, int]

    def scenario(self, name: str, card: str) -> str:
        """An attack of viper on bishop with a card; what it expects is always wrong, so that all is told."""
        (mine, other), dice = self.hits, list(self.dice)
        return (
            f"  - name: {name}\n"
            f"    field: {{blue: {self.places}}}\n"
            "    state:\n"
            f"      viper: {{hitcounter: {mine}, ap: {self.ap}}}\n"
            f"      bishop: {{hitcounter: {other}, ep: {self.ep}}}\n"
            f"    hands: {{blue: [{card}]}}\n"
            "    do:\n"
            f"      - {{action: attack, by: viper, on: bishop, attack_card: {card}, dice: {dice}}}\n"
            "    expect: {attack: {ap: -999, ep: -999, damage: 999}}\n"
        )


counters, dice, changes = st.integers(0, 4), st.integers(1, 6), st.integers(-3, 4)
situations = st.builds(
    Situation,
    st.sampled_from(PLACES),
    st.tuples(counters, counters),
    changes,
    changes,
    st.tuples(dice, dice),
)


def margins(effects: dict[str, str], found: list[Situation]) -> dict[str, tuple[int, int]]:
    """By card and situation how much AP are above EP, be it a hit or not, and the DAMAGE."""
    scenarios = [one.scenario(f"{card} {n}", card) for n, one in enumerate(found) for card in effects]
    cards = f"cards:\n{operator('viper')}{operator('hawk')}{operator('bishop', 'foxes')}"
    for name, effect in effects.items():
        cards += f"  - {{id: {name}, kind: attack, name: {name}, effect: {effect!r}}}\n"
    files = {
        "opforge.yaml": PROJECT + "mode: duel\nruleset: core\n",
        "cards.yaml": cards + OWLS + "  - {id: foxes, name: Foxes}\n" + MODE,
        "scenarios.yaml": "scenarios:\n" + "".join(scenarios),
    }
    workspace = open_project(ROOT, {ROOT / name: content for name, content in files.items()})
    margin = {}
    for result in run_scenarios(workspace, [ROOT]).results:
        got = {failure.what: failure.got for failure in result.failures}
        ap, ep, damage = (got[f"attack.{what}"] for what in ("ap", "ep", "damage"))
        assert isinstance(ap, int)
        assert isinstance(ep, int)
        assert isinstance(damage, int)
        margin[result.scenario.name] = ap - ep, damage
    return margin


@given(pairs(), st.lists(situations, min_size=4, max_size=4))
@examples(25, suppress_health_check=list(HealthCheck))
def test_the_better_card_never_does_less(pair: tuple[str, str], found: list[Situation]) -> None:
    better, worse = pair
    assume(better != worse)
    assume(at_least_as_good(rated(better), rated(worse)))
    margin = margins({"better": better, "worse": worse}, found)
    for number, _ in enumerate(found):
        pair_of_numbers = zip(margin[f"better {number}"], margin[f"worse {number}"], strict=True)
        assert all(more >= less for more, less in pair_of_numbers), (better, worse)
