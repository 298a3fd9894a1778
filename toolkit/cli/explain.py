"""``opforge explain``."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def explain(name: str | None) -> int:
    """Explain a finding: what it is, why it matters, wrong and right.

    Without a NAME all findings are listed.
    """
    from toolkit import api

    if name is None:
        click.echo(api.list_of_findings(), nl=False)
        return 0
    page = api.finding_page(name)
    if page is None:
        near = api.nearest_finding(name)
        hint = f" Did you mean {near!r}?" if near else " `opforge explain` lists them all."
        raise click.UsageError(f"There is no finding {name!r}.{hint}")
    click.echo(page, nl=False)
    return 0
