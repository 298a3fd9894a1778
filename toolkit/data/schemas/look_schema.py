"""The schema of ``look``: colours, fonts and forms of the cards, each value of its own type.

A value reaches a template or a style sheet only as one of these: a colour is six digits, a font the name of a
shipped one or a file of the project, everything else one of a few words.
"""

from __future__ import annotations

from toolkit.data.schemas import parts
from toolkit.data.schemas.layouts import FONT_PATTERN, KINDS
from toolkit.data.schemas.parts import Schema

LOOKS = ("dusk", "field-manual", "blueprint", "arcade")
"""The shipped looks, which ``toolkit/data/looks.yaml`` has."""

SHIPPED_FONTS = {
    "Barlow Condensed": "",
    "Barlow Semi Condensed": "",
    "Bangers": "Bangers.ttf",
    "Saira Stencil One": "SairaStencilOne.ttf",
    "Zilla Slab": "ZillaSlab-Bold.ttf",
}
"""The families of ``templates/fonts``, and the files in ``looks`` there of those that only looks use."""

ROLES = {
    "names": "Names of cards and SKILLs",
    "figures": "Numbers: stats, badges, VALUE",
    "labels": "The kind of card, TEAM, units",
    "rules": "Rules text",
    "flavour": "Flavour",
}
"""What fonts are for, finer than ``fonts`` of the project file."""

SURFACES = {"paper": "The ground of rules text", "back": "The backs of cards that have no picture"}
"""What has a colour beside the kinds of card."""

FULL_ART = "full-art"
LAYOUTS = ("standard", FULL_ART, "stats-left")
CORNERS = ("round", "cut", "square")
TEXTURES = ("none", "hatch", "dots", "grid", "weave")
ICONS = ("solid", "line")
"""The shipped sets of icons; a project can have its own below ``templates/icons``."""


TEXT_STYLES = ("full", "short")
"""How rules texts are printed; a short one leaves out what the kind of card says."""


def look() -> Schema:
    """The look of the cards: the name of a shipped one, or keys."""
    record = parts.record(
        "look",
        "The look of the cards: a shipped one, or values of your own; see `change-the-look`.",
        {
            "like": parts.choice("like", "The shipped look whose other values it has.", *LOOKS),
            "palette": _palette(),
            "fonts": _fonts(),
            "layout": parts.choice(
                "layout", "Where picture, stats and text stand. Default: standard.", *LAYOUTS
            ),
            "corner": parts.choice("corner", "The corners of boxes. Default: those of each kind.", *CORNERS),
            "texture": parts.choice("texture", "What is drawn faintly on grounds. Default: none.", *TEXTURES),
            "icons": {
                **parts.identifier(
                    "set of icons",
                    f"The set of icons: {' or '.join(ICONS)}, or a folder of your own in `templates/icons`.",
                ),
                "x-words": list(ICONS),
                "x-says": f"{', '.join(ICONS)}, or a folder in templates/icons such as `own-icons`",
            },
            "text_style": parts.choice(
                "text style",
                "Rules texts in full, or short: `+2 AP.` on an ATTACK card. Default: full.",
                *TEXT_STYLES,
            ),
        },
    )
    return {
        **record,
        "type": ["string", "object"],
        "pattern": f"^({'|'.join(LOOKS)}){parts.END}",
        "x-finding": "unknown-value",
        "x-words": list(LOOKS),
        "x-says": f'a shipped look ({", ".join(LOOKS)}), or keys: `{{palette: {{attack: "#8a1f1b"}}}}`',
    }


def _palette() -> Schema:
    """Colours by kind of card and by TEAM."""
    kinds = {kind: _colours(f"The ground of {kind.upper()} cards") for kind in KINDS}
    surfaces = {name: _colours(about) for name, about in SURFACES.items()}
    team = _colours("The ground of its cards, in place of its `colours`")
    reference = parts.reference("TEAM", "The id of a TEAM.", "team")
    teams = parts.table("teams", "Colours by TEAM.", team, reference)
    return parts.record(
        "palette",
        "A colour for each kind of card; all tones of the kind are derived from it.",
        {**kinds, **surfaces, "teams": teams},
    )


def _colours(description: str) -> Schema:
    """One colour, or two: the ground, and what is drawn and written on it."""
    colour = parts.colour()
    words = 'or a list of two, such as `["#1d2b3a", "#e8c547"]`, with that of lines and words'
    return {
        **colour,
        "description": f'{description}: a colour such as `"#1d2b3a"` in quotes, {words}.',
        "type": ["string", "array"],
        "items": colour,
        "minItems": 1,
        "maxItems": 2,
        "x-says": 'a colour such as `"#1d2b3a"`, or a list of two',
    }


def _fonts() -> Schema:
    """Fonts by role."""
    pattern, listed = f"^({'|'.join(SHIPPED_FONTS)}){parts.END}|{FONT_PATTERN}", ", ".join(SHIPPED_FONTS)
    says = f"a font file inside the project, such as fonts/Own.ttf, or a shipped font ({listed})"
    properties = {
        role: {
            **parts.text(
                "font",
                f"{purpose}: a file such as `fonts/Own.ttf`, or one of: {listed}.",
                pattern,
                "unusable-font",
                says,
            ),
            "x-words": list(SHIPPED_FONTS),
        }
        for role, purpose in ROLES.items()
    }
    return parts.record("fonts", "Fonts by what they are for.", properties)
