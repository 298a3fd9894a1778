"""What is wrong with an effect, with places in the effect's text."""

from __future__ import annotations

from msgspec import Struct

from toolkit.dsl.tree import Place


class Problem(Struct, frozen=True):
    """A finding before it knows its file: ``place`` is in the effect's text.

    ``fix`` is the text that would replace ``place``, where one edit mends it; ``safe`` says that nothing else
    can have been meant. ``related`` are other places with what is there.
    """

    name: str
    message: str
    place: Place
    next_step: str = ""
    fix: str | None = None
    related: tuple[tuple[Place, str], ...] = ()
    safe: bool = True
