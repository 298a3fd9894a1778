"""Deck sheets and saved objects of Tabletop Simulator."""

from __future__ import annotations

import json

import pytest

from toolkit.products.tabletop_simulator.deck_pictures import (
    CARDS_ON_A_SHEET,
    MAX_PIXELS,
    TableCard,
    TableDeck,
    TableSheet,
    deck_sheet_for,
    saved_object,
)
from toolkit.render.sizes import CARD_SIZES


@pytest.mark.parametrize("size", CARD_SIZES)
def test_every_sheet_keeps_the_limits_and_its_last_place(size: str) -> None:
    card = CARD_SIZES[size]
    for cards in range(1, CARDS_ON_A_SHEET + 1):
        sheet = deck_sheet_for(cards, card)
        assert 2 <= sheet.columns <= 10
        assert 2 <= sheet.rows <= 7
        assert cards <= sheet.last
        assert max(sheet.size) <= MAX_PIXELS
        assert abs(sheet.width / sheet.height - card.width / card.height) < 0.01
        right, below = sheet.corner(sheet.last)
        assert (right + sheet.width, below + sheet.height) == sheet.size


def test_few_cards_are_large() -> None:
    assert deck_sheet_for(3, CARD_SIZES["poker"]).dpi == 300
    assert (deck_sheet_for(3, CARD_SIZES["poker"]).columns, deck_sheet_for(3, CARD_SIZES["poker"]).rows) == (
        2,
        2,
    )
    full = deck_sheet_for(69, CARD_SIZES["poker"])
    assert (full.columns, full.rows, full.dpi) == (10, 7, 165)


def deck(*quantities: int) -> TableDeck:
    layout = deck_sheet_for(max(len(quantities), 1), CARD_SIZES["poker"])
    sheet = TableSheet(3, layout, "file:///deck-1.png", "file:///back-deck.png")
    cards = [
        TableCard(f"card-{place}", f"Card {place}", "Draws 1 card.", 3, place, quantity)
        for place, quantity in enumerate(quantities)
    ]
    return TableDeck("DECK", [sheet], cards)


def test_a_deck_has_every_copy() -> None:
    found = saved_object("Night", [deck(2, 0, 1)])["ObjectStates"]
    assert len(found) == 1
    made = found[0]
    assert made["Name"] == "DeckCustom"
    assert made["DeckIDs"] == [300, 300, 302]
    assert [card["CardID"] for card in made["ContainedObjects"]] == made["DeckIDs"]
    assert [card["Nickname"] for card in made["ContainedObjects"]] == ["Card 0", "Card 0", "Card 2"]
    assert {card["Description"] for card in made["ContainedObjects"]} == {"Draws 1 card."}
    custom = made["CustomDeck"]["3"]
    assert custom["FaceURL"] == "file:///deck-1.png"
    assert custom["BackURL"] == "file:///back-deck.png"
    assert (custom["NumWidth"], custom["NumHeight"]) == (2, 2)
    assert custom["BackIsHidden"] is True
    for card in made["ContainedObjects"]:
        assert card["CustomDeck"] == {"3": custom}


def test_one_card_is_no_deck() -> None:
    (card,) = saved_object("Night", [deck(1)])["ObjectStates"]
    assert card["Name"] == "Card"
    assert card["CardID"] == 300
    assert "DeckIDs" not in card


def test_things_have_names_of_their_own_and_always_the_same() -> None:
    made = saved_object("Night", [deck(2, 2)])
    guids = [card["GUID"] for card in made["ObjectStates"][0]["ContainedObjects"]]
    assert len(set(guids)) == 4
    many = saved_object("Night", [deck(*[200] * 60)])["ObjectStates"][0]["ContainedObjects"]
    assert len({card["GUID"] for card in many}) == 12_000
    assert all(len(guid) == 6 for guid in guids)
    assert json.dumps(made) == json.dumps(saved_object("Night", [deck(2, 2)]))


def test_decks_stand_side_by_side() -> None:
    places = [one["Transform"]["posX"] for one in saved_object("Night", [deck(2), deck(3)])["ObjectStates"]]
    assert places[0] != places[1]
