"""Completion in the shell: ids of the project, layouts, looks, languages and findings.

Only a shell that completes imports this; click has the commands and options already.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from toolkit import api
from toolkit.data.file_entries import shipped_layouts
from toolkit.data.project_files import find_project
from toolkit.data.schemas.look_schema import LOOKS
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.help_pages import other_pages
from toolkit.project.pipeline import Workspace

Names = Callable[[Workspace], Iterable[str]]
"""The names that a parameter can have in a project."""


def _cards(*kinds: str) -> Names:
    """Return what lists the ids of a project's cards of some kinds; without kinds all, and OBJECTIVEs."""
    return lambda workspace: [
        card.id
        for card in workspace.cards.printed_entries()
        if not kinds or getattr(card, "kind", "objective") in kinds
    ]


_OF_PROJECT: dict[str, Names] = {
    **dict.fromkeys(("ids", "cards", "card", "choose", "order", "random"), _cards()),
    **dict.fromkeys(("attacker", "target"), _cards("operator")),
    **dict.fromkeys(("attack_card", "late_attack_card"), _cards("attack")),
    "defence_card": _cards("defence"),
    **dict.fromkeys(("blue_hand", "red_hand"), _cards("attack", "defence", "effect", "strategy")),
    **dict.fromkeys(("squads", "pair"), lambda workspace: workspace.cards.squads),
    **dict.fromkeys(("lang", "languages"), lambda workspace: workspace.cards.project.languages),
    "mode": lambda workspace: workspace.cards.modes,
    "old": lambda workspace: [entry.id for entry in workspace.cards.entries()],
    "layouts": lambda workspace: workspace.cards.layouts,
}
"""The names of a project by the name of the parameter that takes them."""

_OF_PROGRAM: dict[str, Callable[[], Iterable[str]]] = {
    **dict.fromkeys(("only", "select", "ignore"), lambda: CATALOGUE),
    "name": lambda: [*CATALOGUE, *other_pages()],
    "look": lambda: LOOKS,
    "layouts": shipped_layouts,
}
"""The names that the program has itself."""


class _Completed(StringParamType):
    """Text of which the last part, behind a comma, is completed."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin with what is typed."""
        head, comma, begun = incomplete.rpartition(",")
        names = _names_for(ctx, str(param.name))
        return [CompletionItem(f"{head}{comma}{name}") for name in names if name.startswith(begun)]


def _names_for(ctx: click.Context, parameter: str) -> Iterable[str]:
    """Return the names that a parameter can have in the program, and in the project that was typed."""
    list_names = _OF_PROGRAM.get(parameter, tuple)
    names = [*list_names()]
    # click has not parsed a path before an option whose value is being typed
    paths = [Path(word) for word in (ctx.params.get("path"), *ctx.args) if word and os.path.exists(word)]
    root = find_project(next(iter(paths), None))
    if parameter in _OF_PROJECT and root is not None:
        names += _OF_PROJECT[parameter](api.open_project(root))
    return names


_ONLY_ARGUMENTS = ("name", "target")
"""Names of arguments that some options have too: `align --set`, `new --name`, `tune --target`."""


def complete_names(command: click.Command) -> None:
    """Let the parameters of a command that take names be completed."""
    for parameter in command.params:
        is_option, name = isinstance(parameter, click.Option), parameter.name
        is_other = is_option and (name in _ONLY_ARGUMENTS or (command.name, name) == ("counters", "only"))
        if name in {*_OF_PROJECT, *_OF_PROGRAM} and not is_other:
            parameter.type = _Completed()
