"""``opforge schema``."""

from __future__ import annotations

import click

from toolkit.cli.shared import echo


@click.command()
def schema() -> int:
    """Print the JSON Schema of card files, for editors."""
    from toolkit import api

    echo(api.editor_schema_json(), nl=False)
    return 0
