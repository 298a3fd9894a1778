"""``opforge explain``."""

from __future__ import annotations

import re
import sys

import click

from toolkit.cli.shared import colour, echo

_FENCE = "```"
_LINK = re.compile(r"\[([^\]\n]+)\]\((?:[\w.-]+/)*([\w-]+)\.md(?:#[\w-]+)?\)")


@click.command()
@click.argument("name", required=False)
def explain(name: str | None) -> int:
    """Explain a finding, a word of the effect language, a key, a rule, or how something is done.

    NAME is a finding (unknown-stat), a page (cookbook, language), a word of the language or of the rules
    (gets, target, RANGE), the number of a rule (M-7), a key of a file (quantity), or an option or a subject
    (--low-ink, aura). Without a NAME all pages and findings are listed. In a file or a pipe it is Markdown.
    """
    from toolkit import api

    if name is None:
        echo(api.list_of_help(), nl=False)
        return 0
    page = api.help_page(name)
    if page is None:
        near = api.nearest_help(name)
        hint = f" Did you mean {near!r}?" if near else " `opforge explain` lists everything."
        raise click.UsageError(f"There is no finding, page or word {name!r}.{hint}")
    terminal = sys.stdout.isatty()
    echo(for_a_terminal(page, coloured=colour(terminal)) if terminal else page, nl=False)
    return 0


def for_a_terminal(page: str, *, coloured: bool) -> str:
    """A page without the signs of Markdown: titles bold (in colour), code indented, links as commands."""
    lines: list[str] = []
    code = False
    for line in page.splitlines():
        if line.startswith(_FENCE):
            code = not code
        elif code:
            lines.append(f"    {line}".rstrip())
        elif line.startswith("#") and coloured:
            lines.append(click.style(line.lstrip("# "), bold=True))
        else:
            lines.append(_LINK.sub(r"\1 (`opforge explain \2`)", line))
    return "\n".join(lines) + "\n"
