"""``opforge explain``."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def explain(name: str | None) -> int:
    """Explain a finding, a word of the effect language, a rule, or how something is done.

    NAME is a finding (unknown-stat), a page (cookbook, language), a word of the language or of the rules
    (gets, target, RANGE), or the number of a rule (M-7). Without a NAME all pages and findings are listed.
    """
    from toolkit import api

    if name is None:
        click.echo(api.list_of_help(), nl=False)
        return 0
    page = api.help_page(name)
    if page is None:
        near = api.nearest_help(name)
        hint = f" Did you mean {near!r}?" if near else " `opforge explain` lists everything."
        raise click.UsageError(f"There is no finding, page or word {name!r}.{hint}")
    click.echo(page, nl=False)
    return 0
