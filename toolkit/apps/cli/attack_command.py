"""``opforge attack``."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from toolkit import api
from toolkit.apps.cli.options import (
    WholeNumber,
    existing_paths,
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
)
from toolkit.apps.cli.terminal import echo, print_warnings, style
from toolkit.diagnostics.escaping import json_text
from toolkit.play.attack.attack_report import as_text, attack_data, refused_data, refused_text
from toolkit.play.attack.request import DEFAULT_SEED, AttackRequest, Refused
from toolkit.play.playable_game import Unplayable

if TYPE_CHECKING:
    from toolkit.play.attack.request import AttackRequest
    from toolkit.project.pipeline import Workspace


def _dice(
    _context: click.Context, _parameter: click.Parameter, dice_text: str | None
) -> tuple[int, ...] | None:
    """Parse ``6,3``: results from 1 to 6."""
    if dice_text is None:
        return None
    words = dice_text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= 6):
            raise click.BadParameter(f"a D6 shows 1 to 6, not {word!r}; list results like 6,3.")
    if not words:
        raise click.BadParameter("list the results in the order rolled, like 6,3.")
    return tuple(map(int, words))


def _critical(
    _context: click.Context, _parameter: click.Parameter, critical_texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Parse ``double`` and ``add``, repeated or with commas."""
    words = [word.strip() for text in critical_texts for word in text.split(",")]
    for word in words:
        if word not in ("double", "add"):
            raise click.BadParameter(f"{word!r} is neither 'double' nor 'add'.")
    return tuple(words)


@click.command()
@click.argument("attacker")
@click.argument("target")
@click.option(
    "--scenario",
    metavar="FILE#NAME",
    help="In the state in which this scenario begins. Part of NAME is enough.",
)
@click.option(
    "--after",
    metavar="N",
    type=WholeNumber(min=0),
    default=0,
    help="With --scenario: play its first N steps first.",
)
@click.option(
    "--dice",
    metavar="6,3",
    callback=_dice,
    help="Results in the order rolled: ATTACK D6, DEFENCE D6, rerolls, others.",
)
@click.option("--seed", type=int, help="Roll the dice with this seed.  [default: 1]")
@click.option("--attack-card", metavar="ID", help="The ATTACK card that is attached first.")
@click.option("--defence-card", metavar="ID", help="The DEFENCE card that answers it.")
@click.option("--late-attack-card", metavar="ID", help="The ATTACK card in the third window of step 5.")
@click.option(
    "--critical",
    metavar="double|add",
    multiple=True,
    callback=_critical,
    help="The choice for each critical die in turn; may be repeated. Without it the die is added.",
)
@click.option(
    "--reroll",
    metavar="N",
    type=WholeNumber(min=1),
    multiple=True,
    help="Reroll die number N, counted as rolled; may be repeated.",
)
@click.option(
    "--choose",
    metavar="ID",
    multiple=True,
    help="The OPERATOR that an effect is to choose, ~ for nobody else; may be repeated.",
)
@click.option(
    "--may",
    type=click.Choice(("yes", "no")),
    multiple=True,
    help="Whether what an effect allows is done; may be repeated. Without it, it is not.",
)
@click.option(
    "--either",
    type=click.Choice(("first", "second")),
    multiple=True,
    help="The choice of an effect that says either … or …; may be repeated.",
)
@click.option(
    "--performance",
    metavar="draw|ID",
    multiple=True,
    help="The reward of a PERFORMANCE: a card, or the ITEM for this OPERATOR; may be repeated.",
)
@click.option("--cards", metavar="ID", multiple=True, help="A card that an effect lets somebody choose.")
@click.option("--order", metavar="ID", multiple=True, help="The card that is put back next.")
@click.option(
    "--place",
    metavar="N",
    type=WholeNumber(min=1),
    multiple=True,
    help="The FIELDPOSITION at which an OPERATOR enters; may be repeated, as --cards and --order.",
)
@click.option("--random", metavar="ID", multiple=True, help="What chance draws next; may be repeated.")
@click.option("--mode", metavar="ID", help="The game mode. Default: the project's.")
@click.option("--lang", metavar="LANGUAGE", help="The language of card names, such as en.")
@project_option
@format_option("text", "json")
def attack(**options: Any) -> int:
    """Play one attack and show how its numbers come about.

    ATTACKER and TARGET are ids of OPERATORs. They stand alone, opposite each other; with --scenario where it
    puts them. Cards that are named need not be in a hand.
    """
    path, form, language = options.pop("path"), options.pop("form"), options.pop("lang")
    if options["dice"] is not None and options["seed"] is not None:
        raise click.UsageError("--dice and --seed exclude each other: dice are either given or rolled.")
    if options["scenario"] is not None and options["mode"] is not None:
        raise click.UsageError("--scenario and --mode exclude each other: the scenario sets the mode.")
    if options["after"] and options["scenario"] is None:
        raise click.UsageError("--after needs --scenario: it counts the steps of one.")
    if options["seed"] is None:
        options["seed"] = DEFAULT_SEED
    if options["scenario"] is not None:
        file, _, name = options["scenario"].partition("#")
        (path,) = existing_paths((file,))
        options["scenario"] = (path, name or None)
    workspace = open_workspace(path, lang=language)
    return _play_and_print(workspace, AttackRequest(**options, language=language), form)


def _play_and_print(workspace: Workspace, request: AttackRequest, form: str) -> int:
    """Play the attack, print its result, and return the exit status."""
    outcome = api.attack(workspace, request)
    if isinstance(outcome, Unplayable):
        return print_unplayable(workspace, outcome, form)
    if isinstance(outcome, Refused):
        text = json_text(refused_data(outcome)) if form == "json" else refused_text(outcome, style())
        echo(text, nl=False)
        return 1
    print_warnings(outcome.warnings)
    width = min(100, max(80, get_terminal_size((100, 24)).columns))
    text = json_text(attack_data(outcome)) if form == "json" else as_text(outcome, style(), width)
    echo(text, nl=False)
    return 1 if outcome.outcome.chain is not None else 0
