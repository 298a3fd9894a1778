"""Long conditions: nothing is unbounded, and messages stay short."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.scope import scope_of
from toolkit.dsl.tree import Problem
from toolkit.lint import EffectContext, lint_effect
from toolkit.lint.proof.domains import Domains
from toolkit.lint.proof.polynomials import MOST_STEPS, Variables
from toolkit.lint.proof.satisfiability import MOST_CASES, can_hold, cases_of
from toolkit.vocabulary import Role


def lint(text: str) -> tuple[Problem, ...]:
    effect, problems = parse_effect(text)
    assert effect is not None, problems
    return lint_effect(effect, EffectContext(Role.SKILL))


def condition_of(text: str) -> tree.Condition:
    effect, problems = parse_effect(f"when attacking, if {text}, self gets +1 AP.")
    assert effect is not None, problems
    condition = effect.sentences[0].condition
    assert condition is not None
    return condition


def variables() -> Variables:
    sentence = tree.Sentence((), tree.When("attacking"))
    return Variables(Domains(scope_of(sentence, Role.SKILL), EffectContext(Role.SKILL)))


def test_a_condition_with_too_many_cases_is_left_alone() -> None:
    either = "(AP of self > 3 or EP of self > 3)"
    condition = condition_of(" and ".join([either] * 12))
    assert cases_of(condition, False, variables()) is None
    assert cases_of(condition, True, variables()) is not None
    assert MOST_CASES < 2**12
    assert lint(f"if {' and '.join([either] * 12)}, self gets +1 EP.") == ()


def test_a_product_of_many_sums_is_left_alone() -> None:
    sums = " * ".join(f"({stat} of self + {stat} VALUE of self)" for stat in ("AP", "EP", "DP", "MP") * 6)
    assert variables().polynomial(condition_of(f"{sums} < 0").left) is None  # type: ignore[union-attr]
    assert lint(f"if {sums} < 0, self gets +1 EP.") == ()


def test_a_proof_spends_no_more_than_it_may() -> None:
    names = [f"{stat} of {who}" for who in ("self", "target") for stat in ("AP", "EP", "DP", "MP")]
    chain = " and ".join(f"{a} < {b}" for a, b in zip(names * 5, names[1:] * 5, strict=False))
    spent = variables()
    can_hold(condition_of(chain), spent)
    assert spent.steps_left > -len(names) * 5
    assert MOST_STEPS - spent.steps_left > 0


def test_a_circle_of_comparisons_is_found() -> None:
    found = lint(
        "if AP of self < EP of self and EP of self < DP of self and DP of self < AP of self, self gets +1 EP."
    )
    assert [problem.name for problem in found] == ["condition-never-holds"]


def test_a_message_quotes_a_long_condition_in_part() -> None:
    sum_ = " + ".join(["AP of self"] * 40)
    (found,) = lint(f"if {sum_} < 0, self gets +1 EP.")
    assert "…" in found.message
    assert len(found.message) < 250
