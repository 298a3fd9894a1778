"""``opforge preview``."""

from __future__ import annotations

import functools
import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from toolkit.apps.cli.options import WholeNumber, existing_path, language_option
from toolkit.apps.cli.terminal import echo, error_of
from toolkit.data.project_files import find_project, no_project
from toolkit.project.output import Refusal
from toolkit.source.paths import absolute

EDITORS = ("vscode", "zed", "idea", "subl")
"""The names in ``toolkit/apps/preview/snapshot.py``, repeated so that ``--help`` need not load the server."""


@click.command()
@click.argument("path", required=False)
@click.option("--port", type=WholeNumber(0, 65535), metavar="N", help="The port; 0 is any free one.")
@click.option("--no-open", is_flag=True, help="Only print the address; open no browser.")
@language_option
@click.option(
    "--since", metavar="REV|FOLDER", help="Mark what changed since a git revision or an older copy."
)
@click.option("--editor", type=click.Choice(EDITORS), help="Make places links that open this editor.")
@click.option("--read-only", is_flag=True, help="The page writes nothing.")
@click.option("--poll", is_flag=True, help="Look for changes regularly, where the system reports none.")
@click.pass_obj
def preview(
    servers: Mapping[str, Callable[..., Any]],
    /,
    path: str | None,
    port: int | None,
    no_open: bool,
    **options: Any,
) -> int:
    """Show the cards of a project in a local web page that follows each save.

    The page shows cards as they print, their rules text, findings and effects, and plays attacks. It is
    served to this machine only, at an address that contains a secret. Ctrl-C ends it.
    """

    def show_page(address: str, page: Path) -> None:
        echo(address)
        sys.stdout.flush()
        if not no_open:
            threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()

    if "preview" not in servers:
        raise click.UsageError("opforge was started in a way that cannot serve; run `opforge preview`.")
    log = functools.partial(echo, err=True)
    outcome = servers["preview"](_root(path), port, show_page, log, **options)
    if isinstance(outcome, Refusal):
        raise error_of(outcome)
    if not outcome:
        echo("This project is previewed already, at that address.", err=True)
        return 0
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(130)  # without waiting for threads that read or draw


def _root(path: str | None) -> Path:
    """Return the folder of the project, or an existing folder in which one may appear."""
    given_path = existing_path(path)
    project_folder = find_project(given_path)
    if project_folder is not None:
        return project_folder
    if given_path is not None and not (given_path.is_dir() and os.access(given_path, os.R_OK | os.X_OK)):
        raise click.UsageError(no_project(given_path))
    return absolute(given_path or ".")
