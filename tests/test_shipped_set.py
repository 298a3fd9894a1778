"""The shipped set keeps what it promises."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from tests.engine import tables
from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.project.pipeline import Workspace
from toolkit.resources import cards_folder
from toolkit.vocabulary import DURATIONS, IGNORABLE_STEPS, TRIGGERS


@pytest.fixture
def shipped() -> Workspace:
    return tables.shipped()


def test_it_is_clean(shipped: Workspace) -> None:
    assert [f"{finding.name}: {finding.message}" for finding in shipped.findings] == []


def test_there_are_enough_cards(shipped: Workspace) -> None:
    kinds = Counter(card.kind for card in shipped.cards.cards.values())
    least = {"operator": 29, "attack": 14, "defence": 13, "effect": 20, "strategy": 17, "item": 9}
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


def test_it_uses_every_word_of_the_language(shipped: Workspace) -> None:
    nodes = [node for effect in shipped.effects.values() for node in walk(effect.tree)]
    every = {
        node
        for node in vars(tree).values()
        if isinstance(node, type) and issubclass(node, tree.Node) and node not in (tree.Node, tree.Numbered)
    }
    # `-1` of an amount is no Negative: only a condition would have one
    assert every - {type(node) for node in nodes} == {tree.Negative}
    assert {node.what for node in nodes if isinstance(node, tree.Ignores)} >= set(IGNORABLE_STEPS)
    assert set(TRIGGERS) - {node.name for node in nodes if isinstance(node, tree.When)} == set()
    assert set(DURATIONS) - {node.name for node in nodes if isinstance(node, tree.Duration)} == set()


def test_it_uses_every_construct_of_the_second_edition(shipped: Workspace) -> None:
    nodes = [node for effect in shipped.effects.values() for node in walk(effect.tree)]
    sentences = [node for node in nodes if isinstance(node, tree.Sentence)]
    assert {one.link(number) for one in sentences for number in range(1, len(one.clauses))} == {
        *get_args(tree.Link)
    }
    assert {one.limit for one in sentences} == {None, *get_args(tree.Limit)}
    whiles = [one for one in sentences if one.opening and one.opening.text == "while"]
    assert {one.when is None for one in whiles} == {False, True}
    assert any(node.may for node in nodes if isinstance(node, tree.Act))
    chosen = [node for node in nodes if isinstance(node, tree.One)]
    assert {1, 2} <= {one.count for one in chosen}
    assert any(one.up_to for one in chosen)
    assert any(one.random for one in chosen)
    refs = {node.name for node in nodes if isinstance(node, tree.Ref)}
    assert refs == {"self", "target", "attacker", "attacked", "it"}
    groups = [node for node in nodes if isinstance(node, tree.Group)]
    assert any(group.savezone for group in groups)
    assert any(group.superlative for group in groups)
    having = [part for group in groups for part in group.withs]
    assert any(isinstance(part, tree.BearingFilter) and part.negated for part in having)
    assert any(isinstance(part, tree.BearingFilter) and len(part.bearings) > 1 for part in having)
    assert any(isinstance(part, tree.QuantityFilter) and part.than for part in having)
    assert any(node.random for node in nodes if isinstance(node, tree.Discards))
    puts = [node for node in nodes if isinstance(node, tree.Puts)]
    assert {node.source.zone for node in puts} >= {"hand", "DECK", "DISCARDZONE"}
    assert any(node.source.top for node in puts)
    changed = {node.what.text for node in nodes if isinstance(node, tree.Gets)}
    assert {"RANGE", 'MARKER "intel"', 'MARKER "battery"'} <= changed


def test_words_of_its_own(shipped: Workspace) -> None:
    cards = shipped.cards
    assert {marker.bearer for marker in cards.markers.values()} == {"operator", "player"}
    assert any(card.keywords for card in cards.cards.values())
    assert any(card.text_only for card in cards.cards.values())
    for mode in cards.modes.values():
        assert any((name, "effect") in shipped.effects for name in mode.objectives), mode.id


def test_every_card_is_in_a_ready_squad(shipped: Workspace) -> None:
    squads = shipped.cards.squads.values()
    used = {name for squad in squads for name in (*squad.operators, *squad.deck, *squad.item_deck)}
    left = shipped.cards.cards.keys() - used
    assert left == set()


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
