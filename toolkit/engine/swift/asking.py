"""What players are asked, and events that will be reacted to."""

from __future__ import annotations

from toolkit.engine.swift.table import Table


def pick(t: Table, side: int, options: int) -> int:
    """A player's choice of so many options: as ``RandomPlayer`` chooses."""
    return int(t.chance[side]() * options)


def one(t: Table, side: int, found: list[int]) -> list[int]:
    """`one GROUP`: asked also when there is only one."""
    return [found[int(t.chance[side]() * len(found))]] if found else found


def push(
    t: Table,
    name: str,
    who: tuple[int, ...] = (),
    cards: tuple[int, ...] = (),
    side: int = 0,
    card: int = 0,
) -> None:
    """An event, after those that are waiting already."""
    t.queue.append((name, who, cards, side, card, t.depth))
