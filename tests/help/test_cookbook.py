"""The recipes of the cookbook and the eighty ideas: checked, played, and what they say is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import pytest

from tests.help.examples import BASE
from toolkit.api import rules_plain
from toolkit.diagnostics.help_pages import other_page
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import Cache, Workspace, open_project

_RECIPE = re.compile(r"^### (.+?)$(.*?)(?=^###? |\Z)", re.MULTILINE | re.DOTALL)
_YAML = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PRINTED = re.compile(r"^> (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    intent: str
    yaml: str
    printed: list[str]


def recipes() -> list[Recipe]:
    return [
        Recipe(intent, "".join(_YAML.findall(body)), _PRINTED.findall(body))
        for page in ("cookbook", "eighty-ideas")
        for intent, body in _RECIPE.findall(other_page(page) or "")
    ]


FILE = BASE / "example.yaml"
CACHE = Cache()


@cache
def opened(yaml: str) -> Workspace:
    """The project of the examples with a recipe in it."""
    return open_project(BASE, {FILE: yaml}, CACHE)


def test_there_are_recipes_for_every_kind() -> None:
    together = "".join(recipe.yaml for recipe in recipes())
    assert len(recipes()) >= 120
    assert len(_RECIPE.findall(other_page("eighty-ideas") or "")) >= 80
    for kind in ("operator", "attack", "defence", "effect", "strategy", "item"):
        assert f"kind: {kind}" in together


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.intent)
def test_a_recipe_has_no_finding_and_its_scenarios_pass(recipe: Recipe) -> None:
    workspace = opened(recipe.yaml)
    assert workspace.findings == ()
    run = run_scenarios(workspace, [FILE])
    assert run.results, "a recipe has a scenario"
    assert [failure.sentence for result in run.results for failure in result.failures] == []


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.intent)
def test_a_recipe_says_what_is_printed(recipe: Recipe) -> None:
    workspace = opened(recipe.yaml)
    new = [card.id for card in workspace.cards.cards.values() if card.file.path == FILE]
    reported = []
    for language in ("en", "de"):
        for card in new:
            lines = rules_plain(workspace, [card], language).splitlines()[1:]
            reported.append(" ".join(line.strip() for line in lines if not line.endswith(":")))
    assert recipe.printed == reported
