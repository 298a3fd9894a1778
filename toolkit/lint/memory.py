"""What was found out before about the very same things, so that an editor need not wait for it again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memory:
    """Results of pure functions, kept as long as each run asks for them again.

    Things are the same if they are the same objects: what a file holds is, as long as its text is.
    """

    def __init__(self) -> None:
        self._before: dict[Hashable, tuple[tuple[object, ...], Any]] = {}
        self._now: dict[Hashable, tuple[tuple[object, ...], Any]] = {}

    def copy(self) -> Memory:
        """The same knowledge for another course of things."""
        found = Memory()
        found._before, found._now = dict(self._before), dict(self._now)
        return found

    def begin(self) -> None:
        """A new run: what the last one did not ask for is forgotten."""
        self._before, self._now = self._now, {}

    def once(self, name: Hashable, things: tuple[object, ...], find: Callable[[], T]) -> T:
        """What ``find`` gives; it is only asked if the things are not those of the last run.

        ``name`` says what is found, with all that it depends on beside the things.
        """
        key = (name, *map(id, things))
        found = self._now.get(key) or self._before.get(key)
        kept = found if found is not None else (things, find())  # the things are held, so no id is used twice
        self._now[key] = kept
        result: T = kept[1]
        return result
