"""The look of cards: what ``look`` of the project file sets, and the shipped looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.source import SourceFile

V = TypeVar("V")

Table = tuple[tuple[str, V], ...]
"""A mapping that can be hashed: pairs of key and value in order."""

Colours = tuple[str, ...]
"""One colour (the ground) or two (lines and words on it, too), as ``#rrggbb`` or ``#rgb``."""


class Look(Struct, frozen=True):
    """What is set of the look of cards; the rest is as the theme has it.

    ``palette`` are colours by kind of card, ``paper`` and ``back``, ``teams`` those by TEAM. ``fonts`` are
    files of the project or names of shipped fonts, by role. ``text_style`` is ``short`` if rules texts leave
    out what the kind of card says.
    """

    palette: Table[Colours] = ()
    teams: Table[Colours] = ()
    fonts: Table[str] = ()
    layout: str = "standard"
    corner: str | None = None
    texture: str = "none"
    icons: str = "solid"
    text_style: str = "full"

    def __repr__(self) -> str:
        """Return all that is set, on one line: keys of caches are made of it, so nothing is left out."""
        written = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return f"Look({', '.join(f'{name}={value!r}' for name, value in written if value)})"

    def colours(self, surface: str) -> Colours | None:
        """Return the colours of a kind of card, of ``paper`` or of ``back``, if they are set."""
        return dict(self.palette).get(surface)

    def of_kind(self, kind: str) -> Look:
        """Return what the look sets for faces of a kind; the colours of TEAMs are those of a face."""
        palette = tuple((surface, colours) for surface, colours in self.palette if surface in (kind, "paper"))
        return replace(self, palette=palette, teams=())

    def team_colours(self, team: str) -> Colours | None:
        """Return the colours of a TEAM, if they are set."""
        return dict(self.teams).get(team)


PLAIN = Look()
"""A look that sets nothing."""


def read_look(node: Node | None, is_fine: Callable[[Node], bool]) -> Look:
    """Return the look of a setting: a shipped one by its name, or what it sets on top of one it is ``like``.

    Values that are not ``is_fine`` are as if they were not written.
    """
    if isinstance(node, Scalar):
        return shipped_looks().get(node.text, PLAIN) if is_fine(node) else PLAIN
    if not isinstance(node, Mapping):
        return PLAIN
    basis_name = node.scalar("like")
    basis = read_look(basis_name, is_fine) if basis_name is not None else PLAIN
    palette = node.mapping("palette")
    words = {
        key: written.text
        for key in ("layout", "corner", "texture", "icons", "text_style")
        if (written := node.scalar(key)) is not None and is_fine(written)
    }
    return Look(
        palette=_joined(basis.palette, _colours_in(palette, is_fine)),
        teams=_joined(basis.teams, _colours_in(palette.mapping("teams") if palette else None, is_fine)),
        fonts=_joined(basis.fonts, _words_in(node.mapping("fonts"), is_fine)),
        layout=words.get("layout", basis.layout),
        corner=words.get("corner", basis.corner),
        texture=words.get("texture", basis.texture),
        icons=words.get("icons", basis.icons),
        text_style=words.get("text_style", basis.text_style),
    )


def _joined(basis: Table[V], own: Iterator[tuple[str, V]]) -> Table[V]:
    """Return a table with the rows of another one on top."""
    return tuple((dict(basis) | dict(own)).items())


def _colours_in(node: Mapping | None, is_fine: Callable[[Node], bool]) -> Iterator[tuple[str, Colours]]:
    """Yield the colours of a mapping by key; ``teams`` of a palette is none."""
    for key, written in node.nodes.items() if node is not None else ():
        colours = written.items if isinstance(written, Sequence) else [written]
        if is_fine(written) and all(isinstance(colour, Scalar) for colour in colours):
            yield key, tuple(colour.text for colour in colours if isinstance(colour, Scalar))


def _words_in(node: Mapping | None, is_fine: Callable[[Node], bool]) -> Iterator[tuple[str, str]]:
    for key, written in node.nodes.items() if node is not None else ():
        if isinstance(written, Scalar) and is_fine(written):
            yield key, written.text


_FILE = Path(__file__).parent / "looks.yaml"


@cache
def shipped_looks() -> dict[str, Look]:
    """Return the looks that opforge ships, by name."""
    root = parse_tree(SourceFile(_FILE, _FILE.name, _FILE.read_text(encoding="utf-8"))).root
    assert isinstance(root, Mapping)
    return {name: read_look(written, lambda _: True) for name, written in root.nodes.items()}
