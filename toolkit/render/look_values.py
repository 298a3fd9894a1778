"""What templates get of a look: its values, each checked before (``data/schemas/look_schema.py``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from toolkit.data.looks import Look
from toolkit.data.schemas.look_schema import ROLES, SHIPPED_FONTS, SURFACES
from toolkit.render.colours import ink
from toolkit.render.template_values import template_value
from toolkit.render.tones import PageTones, Tones, muted, page_tones, tones


class LookValues(Struct, frozen=True):
    """The values of a look that hold for all cards; None is what the theme has.

    ``families`` are families of fonts by role, of those that are set, ``faces`` shipped fonts that only looks
    use, by family. ``words`` and ``muted`` are colours on ``paper``. ``kinds`` are the tones of the kinds of
    card that the palette has, ``page`` the colours of white pages in the tones of ``back``.
    """

    layout: str
    corner: str | None
    texture: str | None
    paper: str | None
    words: str | None
    muted: str | None
    back: Tones | None
    page: PageTones | None
    kinds: Mapping[str, Tones]
    families: Mapping[str, str]
    faces: Mapping[str, str]


def look_values(look: Look, own_fonts: Mapping[str, object], low_ink: bool) -> LookValues:
    """Return the values of a look; ``own_fonts`` are the project's fonts by purpose and role.

    Where ink is saved there are no textures, and no colour of paper.
    """
    paper_colours, back_colours = None if low_ink else look.colours("paper"), look.colours("back")
    paper = words = None
    if paper_colours:
        paper, *_ = paper_colours
        words = _words_on(*paper_colours)
    back = tones(*back_colours) if back_colours else None
    families = _families(look, own_fonts)
    return LookValues(
        layout=look.layout,
        corner=look.corner,
        texture=look.texture if look.texture != "none" and not low_ink else None,
        paper=paper,
        words=words,
        muted=muted(paper) if paper else None,
        back=back,
        page=page_tones(back) if back else None,
        kinds={kind: tones(*colours) for kind, colours in look.palette if kind not in SURFACES},
        families=dict(families),
        faces={family: SHIPPED_FONTS[family] for _, family in families if SHIPPED_FONTS.get(family)},
    )


def _words_on(paper: str, words: str | None = None) -> str:
    return tones(paper, words).line if words else ink(paper)


def own_family(purpose: str) -> str:
    """Return the family of a font of the project; that of ``text`` has its bold and its italic."""
    return f"own {purpose[:4]}"


def _families(look: Look, own_fonts: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return pairs of role and family; a font that the project does not have is left out (a finding)."""
    families = []
    for role, font in look.fonts:
        if font in SHIPPED_FONTS:
            families.append((role, font))
        elif role in own_fonts and role in ROLES:
            families.append((role, own_family(role)))
    return families


def tones_for_templates(look: Look, kind: str) -> Callable[..., object]:
    """Return the function ``tones`` of the templates of a kind of card.

    From a theme's own colours it makes the tones that hold: those of the look's palette, if it sets them.
    """
    of_look = look.colours(kind)

    def of_kind(ground: str, line: str | None = None) -> object:
        return template_value(tones(*(of_look or (ground, line))))

    of_kind.__qualname__ = "tones"  # what Python says of wrong arguments names it as templates do
    return of_kind
