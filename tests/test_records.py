"""Dataclasses of ours are those of Python: each test compares the two."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field, fields, is_dataclass, replace
from typing import Any

import pytest

from toolkit import records

Decorator = Callable[[Any], Any]


def _classes(decorator: Callable[..., Decorator], **options: bool) -> tuple[Any, Any]:
    class Card:
        """A class with each sort of field."""

        id: str
        cost: int = 3
        skills: list[str] = field(default_factory=list)
        place: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)

        @property
        def shown(self) -> str:
            return f"{self.id} ({self.cost})"

    class Pass:
        """One without fields."""

    return decorator(slots=True, **options)(Card), decorator(slots=True, **options)(Pass)


@pytest.fixture(params=[{}, {"frozen": True}, {"frozen": True, "eq": False}, {"eq": False}], ids=str)
def both(request: pytest.FixtureRequest) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return _classes(records.dataclass, **request.param), _classes(dataclasses.dataclass, **request.param)


Both = tuple[tuple[Any, Any], tuple[Any, Any]]


def _told(doing: Callable[[], object]) -> object:
    """What it gives, or the kind of mistake that it is."""
    try:
        return doing()
    except Exception as mistake:
        return type(mistake)


def test_objects_are_made_compared_and_shown_alike(both: Both) -> None:
    told = []
    for card, nothing in both:
        one, same, other = card("viper", 4), card(id="viper", cost=4), card("fox", place=(1, 2))
        told.append(
            [
                (one == same, one == other, one != same, card("fox") == other, nothing() == nothing()),
                (one == "viper", one == nothing(), hasattr(one, "__dict__")),
                (repr(one), repr(other), repr(nothing()), one.shown, other.skills, other.place),
                _told(lambda one=one, same=same: hash(one) == hash(same)),
                _told(lambda other=other, card=card: hash(replace(other, skills=())) == hash(card("fox"))),
                (card.__match_args__, [one.name for one in fields(card)], is_dataclass(one)),
            ]
        )
    assert told[0] == told[1]


def test_wrong_use_is_refused_alike(both: Both) -> None:
    told = []
    for card, nothing in both:
        one = card("viper")
        told.append(
            [
                _told(card),
                _told(lambda card=card: card("viper", price=1)),
                _told(lambda nothing=nothing: nothing(1)),
                _told(lambda one=one: setattr(one, "cost", 9)),
                one.cost,
                _told(lambda one=one: delattr(one, "cost")),
                hasattr(one, "cost"),
            ]
        )
        with pytest.raises((AttributeError, TypeError)):
            one.colour = "red"
    assert told[0] == told[1]


def test_each_object_has_a_list_of_its_own(both: Both) -> None:
    for card, _ in both:
        one, other = card("viper"), card("fox")
        one.skills.append("Overwatch")
        assert not other.skills


@records.dataclass(frozen=True, slots=True)
class Deck:
    """A class that a pickle can find by its name."""

    name: str
    cards: tuple[Deck, ...] = ()


def test_copies_and_pickles_are_equal() -> None:
    deck = Deck("all", (Deck("viper"), Deck("fox")))
    assert pickle.loads(pickle.dumps(deck)) == copy.deepcopy(deck) == copy.copy(deck) == deck
    assert replace(deck, name="none") == Deck("none", deck.cards)


def test_what_happens_after_the_fields_are_set_happens() -> None:
    @records.dataclass(slots=True)
    class Counted:
        cards: list[str]
        number: int = 0

        def __post_init__(self) -> None:
            self.number = len(self.cards)

    assert (Counted(["viper"]).number, Counted(["viper", "fox"]).number) == (1, 2)


def test_fields_are_inherited() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Entry:
        id: str
        tags: tuple[str, ...] = ()

    @records.dataclass(frozen=True, slots=True)
    class Card(Entry):
        cost: int = 0

    assert [one.name for one in fields(Card)] == ["id", "tags", "cost"]
    assert Card("viper", (), 4) == Card("viper", cost=4) != Card("viper")
    assert Card("viper") != Entry("viper")
    with pytest.raises(dataclasses.FrozenInstanceError):
        Card("viper").id = "fox"  # type: ignore[misc]  # that is the mistake
