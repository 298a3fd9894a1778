"""The help pages as HTML: Markdown by markdown-it, with links between pages and without external content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from msgspec import Struct

LinkTo = Callable[[str], "str | None"]
"""Returns the address of a link's target on the website; None if it is not there."""


class HelpPage(Struct, frozen=True):
    """A page as HTML: its title, anchors and texts of its second-level headings, and the body."""

    title: str
    headings: tuple[tuple[str, str], ...]
    html: Markup


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def help_page(markdown: str, link_to: LinkTo) -> HelpPage:
    """Return a Markdown page as HTML; HTML in it is escaped.

    Links to other websites become text with the address in parentheses.
    """
    tokens = _parser().parse(markdown)
    title, headings = "", []
    taken_anchors: set[str] = set()
    for token, next_token in pairwise(tokens):
        if token.type != "heading_open":
            continue
        heading_tokens = next_token.children or ()
        heading_text = "".join(
            child.content for child in heading_tokens if child.type in ("text", "code_inline")
        )
        anchor = _anchor(heading_text, taken_anchors)
        token.attrSet("id", anchor)
        if token.tag == "h1" and not title:
            title = heading_text
        elif token.tag == "h2":
            headings.append((anchor, heading_text))
    if title and tokens[0].tag == "h1":
        tokens = tokens[3:]  # without the title: its begin, its text and its end
    for token in tokens:
        if token.type == "inline":
            token.children = list(_with_links(token.children or (), link_to))
    html = _parser().renderer.render(tokens, _parser().options, {})
    html = html.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
    return HelpPage(title, tuple(headings), Markup(html))


def inline(markdown: str) -> Markup:
    """Return a line of Markdown, such as a title with code in it, as HTML."""
    return Markup(_parser().renderInline(markdown))


def _anchor(heading_text: str, taken_anchors: set[str]) -> str:
    """Return the anchor of a heading, by the rules of GitHub."""
    base = anchor = re.sub(r"[^\w\- ]", "", heading_text.lower()).replace(" ", "-")
    number = 0
    while anchor in taken_anchors:
        number += 1
        anchor = f"{base}-{number}"
    taken_anchors.add(anchor)
    return anchor


def _with_links(tokens: Sequence[Token], link_to: LinkTo) -> Iterator[Token]:
    """Yield the tokens of a line with links to pages of the website; other links become text."""
    outside_addresses: list[str | None] = []  # of the open links; None for one that stays a link
    for token in tokens:
        if token.type == "link_open":
            address = str(token.attrGet("href") or "")
            link = link_to(address)
            outside_addresses.append(None if link else address)
            if link:
                token.attrSet("href", link)
                yield token
        elif token.type == "link_close":
            outside_address = outside_addresses.pop()
            if not outside_address:
                yield token
            elif urlsplit(outside_address).scheme and token.markup != "autolink":
                yield Token("text", "", 0, content=f" ({outside_address})")
        elif token.type == "image":
            yield Token("text", "", 0, content=token.content)
        else:
            yield token
