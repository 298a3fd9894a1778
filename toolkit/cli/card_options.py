"""Options that commands which draw cards share: which cards, in which language, and how they look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolkit.cli.shared import existing_paths, project_of

if TYPE_CHECKING:
    from toolkit.project.exports.choice import Choice

F = TypeVar("F", bound=Callable[..., Any])

KINDS = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")
"""What ``--kind`` takes; named here so that no command need load the model of cards."""


def which_cards(command: F) -> F:
    """``--lang``, ``--card`` (as ``ids``) and ``--kind`` (as ``kinds``)."""
    return _together(
        command,
        click.option("--lang", metavar="LANGUAGE", help="en or de. Default: the project's first language."),
        click.option("--card", "ids", metavar="ID", multiple=True, help="Only this card; may be repeated."),
        click.option(
            "--kind",
            "kinds",
            type=click.Choice(KINDS),
            multiple=True,
            help="Only this kind; may be repeated.",
        ),
    )


def how_they_look(command: F) -> F:
    """``--theme`` and ``--low-ink``."""
    return _together(
        command,
        click.option(
            "--theme",
            metavar="NAME",
            help="The theme: classic, tournament or your own. Default: the project's.",
        ),
        click.option("--low-ink", is_flag=True, help="Outlines and black text, no pictures."),
    )


def chosen_cards(options: dict[str, Any]) -> Choice:
    """The cards of ``path`` that these options choose; wrong use if one of them names what does not exist."""
    from toolkit import api
    from toolkit.project.exports.choice import Refusal, choose
    from toolkit.project.fitting import unknown_theme

    path, language, ids, theme = (options[name] for name in ("path", "lang", "ids", "theme"))
    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = (
        workspace.unknown_ids(ids)
        or workspace.unknown_language(language)
        or unknown_theme(workspace.root, theme)
    )
    if refused:
        raise click.UsageError(refused)
    choice = choose(workspace, language, ids, options["kinds"], theme, options["low_ink"])
    if isinstance(choice, Refusal):
        raise click.UsageError(choice.message)
    return choice


def _together(command: F, *options: Callable[[F], F]) -> F:
    """The command with all of these options, which its help lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command
