"""Commands that explain: ``explain`` a word or finding, ``text`` and ``compile`` cards, ``schema``.

What says ideas is imported only for an idea: it takes 0.03 s.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from toolkit import api
from toolkit.apps.cli.findings import checks_in_force
from toolkit.apps.cli.options import format_option, language_option, open_workspace, project_option
from toolkit.apps.cli.program import COMMANDS
from toolkit.apps.cli.streams import write_for_programs
from toolkit.apps.cli.terminal import colour, echo, print_text
from toolkit.data.schemas.look_schema import TEXT_STYLES

if TYPE_CHECKING:
    from toolkit.diagnostics.help_search import Match

_FENCE = "```"
_SENTENCE_WORDS = 4
"""From this number of words on a NAME is a sentence: no word of the language has as many."""
_WIDTH = 118
"""Columns of a match in the list."""

_QUESTION = re.compile(r"(how|what|where|why|can i|do i) .*|.*\?", re.IGNORECASE)
"""What asks for help, where a sentence says what a card does."""
_QUESTION_ABOUT_NAME = re.compile(
    r"""(?: (?:what|who|was|wer) [ ] (?:is|are|does|do|ist|sind|bedeutet|heißt|macht|tut) [ ] )?
        (?: (?:a|an|the|ein|eine|der|die|das) [ ] )?
        (?P<name> \S+? ) (?: [ ] (?:mean|do) )? [ ]? \?""",
    re.IGNORECASE | re.VERBOSE,
)
_LINK = re.compile(r"\[([^\]\n]+)\]\((?:[\w.-]+/)*([\w-]+)\.md(?:#[\w-]+)?\)")


@click.command(context_settings={"ignore_unknown_options": True})  # an option can be the NAME
@click.argument("name", metavar="[NAME]", nargs=-1)
def explain(name: tuple[str, ...]) -> int:
    """Explain a finding, a word of the effect language, a key, a rule, or how something is done.

    NAME is a finding (unknown-stat), a page (cookbook, language), a word of the language or of the rules
    (gets, target, RANGE), the number of a rule (M-7), a key of a file (quantity), or a heading of a page.
    `checks` also says which findings are off here. A sentence is said in the effect language, as
    `opforge say` does. All else is searched in the help: card size, --low-ink, "where is the font set?".
    Without a NAME all pages and findings are listed. In a file or a pipe it is Markdown.
    """
    if not name:
        echo(api.list_of_help(), nl=False)
        return 0
    subject = " ".join(name)
    page = api.help_page(subject) or api.help_page(_name_asked_for(subject))
    if page is None and len(subject.split()) >= _SENTENCE_WORDS and not _QUESTION.fullmatch(subject.strip()):
        from toolkit.apps.cli.say import find_phrasebook, say_ideas

        status = say_ideas([subject], find_phrasebook(None))
        matches = api.search_help(subject, _summaries()) if status else ()
        echo(_as_list(matches, "In the help:") if matches else "", nl=False)
        return 0 if matches else status
    if page is None:
        page = _about(subject)
    if subject.casefold() == "checks":
        page = f"{checks_in_force()}\n{page}"
    is_terminal = sys.stdout.isatty()
    echo(for_a_terminal(page, coloured=colour(is_terminal)) if is_terminal else page, nl=False)
    return 0


def _name_asked_for(question: str) -> str:
    """Return what is asked about in "RANGE?", "what does AP mean?" or "Was ist RANGE?"; else the words."""
    match = _QUESTION_ABOUT_NAME.fullmatch(question.strip())
    return match["name"] if match else question


def _about(words: str) -> str:
    """Return what is known about words that are no name, and the best matches of a search in the help."""
    page, matches = api.help_on_word(words), api.search_help(words, _summaries())
    matches = [match for match in matches if page is None or match.name != words]
    if page is None and not matches:
        nearest_name = api.nearest_help(words)
        hint = f" Did you mean {nearest_name!r}?" if nearest_name else " `opforge explain` lists everything."
        raise click.UsageError(f"There is nothing about {words!r} in the help.{hint}")
    match_list = _as_list(matches, f"In the help about `{words}`:") if matches else None
    return "\n".join(filter(None, (page, match_list)))


def _as_list(matches: Sequence[Match], title: str) -> str:
    """Return matches as a list, a line each: the command that shows it, and what it says first."""
    lines = [f"- `{match.shown_by}`: {match.text}" for match in matches]
    return "\n".join([title, "", *(_cut(line) for line in lines)]) + "\n"


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1].rstrip()}…"


def _summaries() -> dict[str, str]:
    return {name: command.summary for name, command in COMMANDS.items()}


def for_a_terminal(page: str, *, coloured: bool) -> str:
    """Return a page without Markdown syntax: titles bold if coloured, code indented, links as commands."""
    lines: list[str] = []
    in_code = False
    for line in page.splitlines():
        if line.startswith(_FENCE):
            in_code = not in_code
        elif in_code:
            lines.append(f"    {line}".rstrip())
        elif line.startswith("#") and coloured:
            lines.append(click.style(line.lstrip("# "), bold=True))
        else:
            lines.append(_LINK.sub(r"\1 (`opforge explain \2`)", line))
    return "\n".join(lines) + "\n"


@click.command()
@click.argument("ids", metavar="[ID]…", nargs=-1)
@language_option
@project_option
@click.option("--style", type=click.Choice(TEXT_STYLES), help="Full or short texts. Default: as printed.")
@format_option("text", "json")
def text(ids: tuple[str, ...], lang: str | None, path: str | None, style: str | None, form: str) -> int:
    """Print the rules text of cards, generated from their effects.

    Without an ID all cards are printed.
    """
    workspace = open_workspace(path, ids, lang)
    language = lang or workspace.cards.project.languages[0]
    format_text = api.rules_json if form == "json" else api.rules_plain
    is_short = style is None and workspace.cards.project.look.text_style == "short"
    if is_short and form == "text":
        echo("Short texts, as they are printed; in full with --style full.", err=True)
    return print_text(format_text(workspace, ids, language, style), api.report_of(workspace, ids))


@click.command("compile")
@click.argument("ids", metavar="[ID]…", nargs=-1)
@project_option
@format_option("text", "json")
def compile_command(ids: tuple[str, ...], path: str | None, form: str) -> int:
    """Show what effects are compiled to: hooks, layers, conditions, targets, durations.

    Without an ID all entries are shown.
    """
    workspace = open_workspace(path, ids)
    format_objects = api.compiled_json if form == "json" else api.compiled_text
    return print_text(format_objects(workspace, ids), api.report_of(workspace, ids))


@click.command()
@click.option(
    "--strict", is_flag=True, help="Without annotations for editors, which strict validators refuse."
)
def schema(strict: bool) -> int:
    """Print the JSON Schema of the project file and of card files, for editors and validators.

    `opforge explain editor` says how to use it.
    """
    write_for_programs()
    echo(api.editor_schema_json(annotated=not strict), nl=False)
    return 0
