"""The templates of the website, which are opforge's own and escape their values."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from toolkit import __version__
from toolkit.diagnostics.escaping import json_text
from toolkit.products.page_templates import page_environment
from toolkit.render.markup import rules_markup
from toolkit.resources import templates_folder

PageFragment = Markup
"""A part of a page, with escaped values."""

_FOLDER = Path(__file__).resolve().parent
_GENERATOR = "opforge site"
_HEAD_BYTES = 600

POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; "
    "font-src data:; base-uri 'none'; form-action 'none'"
)
"""Pages load only files beside them. ``file:`` is for browsers that do not match files with ``'self'``."""

_FONTS = (
    ("Barlow Condensed", 600, "BarlowCondensed-SemiBold.ttf"),
    ("Barlow Semi Condensed", 400, "BarlowSemiCondensed-Regular.ttf"),
    ("Barlow Semi Condensed", 600, "BarlowSemiCondensed-SemiBold.ttf"),
)
"""They are embedded in the style sheet: some browsers refuse to load fonts for pages opened as files."""


@cache
def _environment() -> Environment:
    """Return the environment of the templates; on pages icons in rules texts are left out."""
    environment = page_environment(_FOLDER)
    environment.globals.update(policy=POLICY, generator=f"{_GENERATOR} {__version__}")
    environment.filters["rules"] = lambda paragraph: rules_markup(paragraph, lambda _name: Markup(""))
    return environment


def fill_page(template: str, values: Mapping[str, object]) -> bytes:
    """Return a page of the website."""
    return fill_fragment(template, values).encode()


def fill_fragment(template: str, values: Mapping[str, object]) -> PageFragment:
    """Return a fragment that several pages share."""
    return Markup(_environment().get_template(f"{template}.html.jinja").render(values))


def style_sheet(colours: Mapping[str, tuple[str, str]]) -> bytes:
    """Return the style sheet of all pages, with embedded fonts and the ``colours`` of TEAMs by id."""
    lines = [f"/* {_GENERATOR}; its fonts: OFL.txt */"]
    for family, weight, name in _FONTS:
        content = b64encode((templates_folder() / "fonts" / name).read_bytes()).decode()
        source = f"url(data:font/ttf;base64,{content})"
        lines.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-display:swap;src:{source}}}'
        )
    lines.append((_FOLDER / "site.css").read_text("utf-8"))
    lines += [
        f".team-{team} {{ --team: {first_colour}; --team-2: {second_colour} }}"
        for team, (first_colour, second_colour) in colours.items()
    ]
    return "\n".join(lines).encode()


def script() -> bytes:
    """Return the script of all pages."""
    return f"/* {_GENERATOR} */\n{(_FOLDER / 'site.js').read_text('utf-8')}".encode()


def font_licence() -> bytes:
    """Return the licence of the fonts in the style sheet."""
    return (templates_folder() / "fonts" / "OFL.txt").read_bytes()


def search_script(texts: Mapping[str, str]) -> bytes:
    """Return the script with the search texts of cards, by id."""
    return f"/* {_GENERATOR} */\nwindow.opforgeTexts = {json_text(texts).strip()};\n".encode()


def is_our_text(content: bytes) -> bool:
    """Whether a page, style sheet or script was made by ``opforge site``."""
    head = content[:_HEAD_BYTES]
    return (
        head.startswith(f"/* {_GENERATOR}".encode())
        or f'name="generator" content="{_GENERATOR} '.encode() in head
    )
