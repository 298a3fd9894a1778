"""The recipes of the cookbook and the forty ideas: checked, played, and what they say is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.help.examples import Block, Example, make_project
from toolkit.api import rules_plain
from toolkit.help.pages import other_page
from toolkit.pipeline import Workspace, open_project
from toolkit.project.scenarios.runner import run_scenarios

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
        for page in ("cookbook", "forty-ideas")
        for intent, body in _RECIPE.findall(other_page(page) or "")
    ]


def opened(recipe: Recipe, folder: Path) -> Workspace:
    example = Example("cookbook", recipe.intent, 1, (Block(recipe.yaml, {}),))
    return open_project(make_project(folder, example))


def test_there_are_recipes_for_every_kind() -> None:
    together = "".join(recipe.yaml for recipe in recipes())
    assert len(recipes()) >= 70
    assert len(_RECIPE.findall(other_page("forty-ideas") or "")) >= 40
    for kind in ("operator", "attack", "defence", "effect", "strategy", "item"):
        assert f"kind: {kind}" in together


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.intent)
def test_a_recipe_has_no_finding_and_its_scenarios_pass(recipe: Recipe, tmp_path: Path) -> None:
    workspace = opened(recipe, tmp_path)
    assert workspace.findings == ()
    run = run_scenarios(workspace, [workspace.root])
    assert run.results, "a recipe has a scenario"
    assert [failure.sentence for result in run.results for failure in result.failures] == []


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.intent)
def test_a_recipe_says_what_is_printed(recipe: Recipe, tmp_path: Path) -> None:
    workspace = opened(recipe, tmp_path)
    new = [card.id for card in workspace.cards.cards.values() if card.file.path.name == "example.yaml"]
    reported = []
    for language in ("en", "de"):
        for card in new:
            lines = rules_plain(workspace, [card], language).splitlines()[1:]
            reported.append(" ".join(line.strip() for line in lines if not line.endswith(":")))
    assert recipe.printed == reported
