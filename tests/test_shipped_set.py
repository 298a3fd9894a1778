"""The shipped set keeps what it promises."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.pipeline import Workspace, open_project
from toolkit.resources import cards_folder
from toolkit.vocabulary import IGNORABLE, TRIGGERS


@pytest.fixture(scope="module")
def shipped() -> Workspace:
    return open_project(cards_folder())


def test_it_is_clean(shipped: Workspace) -> None:
    assert [f"{finding.name}: {finding.message}" for finding in shipped.findings] == []


def test_there_are_enough_cards(shipped: Workspace) -> None:
    kinds = Counter(card.kind for card in shipped.cards.cards.values())
    least = {"operator": 24, "attack": 10, "defence": 10, "effect": 8, "strategy": 8, "item": 6}
    assert all(kinds[kind] >= number for kind, number in least.items()), kinds
    assert len(shipped.cards.teams) == 4
    assert len(shipped.cards.objectives) >= 4
    assert len(shipped.cards.modes) >= 2
    members = Counter(card.team for card in shipped.cards.cards.values() if card.team)
    assert min(members.values()) >= 6


def test_each_card_has_a_picture_and_flavour(shipped: Workspace) -> None:
    for card in shipped.cards.cards.values():
        assert card.art is not None, card.id
        assert card.flavour is not None, card.id
    pictures = [card.art.value for card in shipped.cards.cards.values() if card.art]
    assert len(set(pictures)) == len(pictures)


def test_numbers_are_within_bounds(shipped: Workspace) -> None:
    for card in shipped.cards.cards.values():
        if card.kind == "operator":
            assert all(
                1 <= number <= 8
                for number in (
                    card.stats["AP"],
                    card.stats["EP"],
                    card.stats["DP"],
                    card.stats["MP"],
                    card.squadpoints,
                )
            )


def test_it_uses_every_verb_of_the_language(shipped: Workspace) -> None:
    nodes = [node for effect in shipped.effects.values() for node in walk(effect.tree)]
    used = {type(node) for node in nodes}
    assert set(tree.Doing.__args__) <= used
    assert {tree.Either, tree.One, tree.Every, tree.Player, tree.Per} <= used
    assert {node.what for node in nodes if isinstance(node, tree.Ignores)} == set(IGNORABLE)
    triggers = {node.name for node in nodes if isinstance(node, tree.When)}
    assert set(TRIGGERS) - triggers == set()


def test_the_cards_of_the_documented_scenario(shipped: Workspace) -> None:
    """LANGUAGE.md §5 counts on these numbers."""
    cards = shipped.cards.cards
    assert (cards["viper"].stats["AP"], cards["viper"].stats["MP"], cards["viper"].team) == (
        4,
        2,
        "night-owls",
    )
    assert (cards["hawk"].stats["MP"], cards["hawk"].team) == (2, "night-owls")
    assert cards["bishop"].stats["EP"] == 3
    assert "pawn" in cards
    texts = {part: effect.source.scalar.value for part, effect in shipped.effects.items()}
    assert "when attacking, self gets +2 AP." in texts["aimed-shot", "effect"]
    assert "when attacked, self gets +2 EP." in texts["hard-cover", "effect"]


def test_pictures_draw_and_do_nothing_else() -> None:
    for picture in sorted((cards_folder() / "art").glob("*.svg")):
        text = Path(picture).read_text(encoding="utf-8")
        for word in ("<script", "<foreignObject", "href", "<image", "<text", "url(http", "onload"):
            assert word not in text, f"{picture.name} has {word}"
