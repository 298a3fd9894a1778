"""Checks of a team's own, as the page `own-checks` shows them, and some that go wrong."""

import os
import time
from collections.abc import Iterator
from typing import Any

from toolkit import OwnFinding, Project


def long_names(project: Project) -> Iterator[OwnFinding]:
    """A name fits into a line of the table of contents."""
    for card in project.cards:
        if len(card.name) > 30:
            yield OwnFinding(f"The name “{card.name}” is too long", card.id, "name", next_step="Shorten it.")


def loud_names(project: Project) -> Iterator[OwnFinding]:
    """A name does not shout."""
    for card in project.cards:
        if card.name.endswith("!"):
            yield OwnFinding("The name shouts.", card.id, "name", severity="warning")


def raises(_: Project) -> list[OwnFinding]:
    raise ValueError("no\nluck")


def hangs(_: Project) -> list[OwnFinding]:
    while True:
        time.sleep(1)


def hoards(_: Project) -> list[OwnFinding]:
    return [OwnFinding(str(len(bytearray(5 << 30))))]


def ends(_: Project) -> list[OwnFinding]:
    os._exit(3)


def prints(_: Project) -> list[OwnFinding]:
    print("{}")
    raise SystemExit(0)


def returns_numbers(_: Project) -> list[int]:
    return [5]


def of_wrong_types(_: Project) -> list[OwnFinding]:
    number: Any = 5
    return [OwnFinding("The set is small", card=number)]


def no_such_card(_: Project) -> list[OwnFinding]:
    return [OwnFinding("Something is wrong", "nobody"), OwnFinding("The set is small")]
