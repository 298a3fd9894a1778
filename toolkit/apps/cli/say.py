"""``opforge say``: from an idea in plain words to effects that say it, ready to paste."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

import click

from toolkit import api
from toolkit.apps.cli.options import existing_path, format_option, project_of, project_option
from toolkit.apps.cli.terminal import Progress, echo
from toolkit.data.project_files import find_project
from toolkit.diagnostics.escaping import json_text
from toolkit.dsl.nearest_sentences.thesaurus import verbs_about
from toolkit.editing.saying import KINDS, LANGUAGES, Phrasebook, SaidIdea, phrasebook_of
from toolkit.resources import cards_folder


@click.command()
@click.argument("idea")
@click.option("--kind", type=click.Choice(tuple(KINDS)), help="The kind of card. Default: any.")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), help="Print rules texts in this language only. Default: both."
)
@project_option
@format_option("text", "json")
def say(idea: str, kind: str | None, lang: str | None, path: str | None, form: str) -> int:
    """Say an idea in the effect language: the nearest sentences, with what each does and leaves out.

    IDEA is in plain words, English or German; `-` reads an idea a line from standard input. Names are those
    of the project, or without one those of the shipped set.

    \b
    opforge say "snipers hit harder when the target is wounded"
    """
    ideas = list(_lines()) if idea == "-" else [idea]
    kinds = (kind,) if kind else tuple(KINDS)
    return say_ideas(ideas, find_phrasebook(path), kinds, (lang,) if lang else LANGUAGES, form)


def say_ideas(
    ideas: Sequence[str],
    phrasebook: Phrasebook,
    kinds: Sequence[str] = tuple(KINDS),
    languages: Sequence[str] = LANGUAGES,
    form: str = "text",
) -> int:
    """Print what says each of some ideas; return the exit status: 1 if nothing says one of them."""
    progress = Progress("Saying ideas")
    said_ideas = []
    for number, idea in enumerate(ideas, 1):
        said = phrasebook.say(idea, kinds)
        if len(ideas) > 1:
            progress(number, len(ideas))
        elif said.problem is not None:
            raise click.UsageError(said.problem)
        said_ideas.append(said)
        if form == "text":
            echo(_as_text(said, languages, with_idea=len(ideas) > 1))
    if form == "json":
        echo(json_text({"version": 1, "ideas": [said.as_data() for said in said_ideas]}), nl=False)
    return 0 if all(said.candidates for said in said_ideas) else 1


def _lines() -> Iterator[str]:
    """Yield the lines of standard input; what is no UTF-8 in them is marked."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "replace").rstrip("\r\n")


def find_phrasebook(path: str | None) -> Phrasebook:
    """Return the names of the project at a path or around the current folder, or those of the shipped set."""
    given_path = existing_path(path)
    root = project_of(given_path) if given_path else find_project(None) or cards_folder()
    return phrasebook_of(api.open_project(root).cards)


def _as_text(said: SaidIdea, languages: Sequence[str], *, with_idea: bool) -> str:
    """Return what says an idea as text."""
    lines = [f"> {said.idea}"] if with_idea else []
    if said.problem is not None:
        return "\n".join([*lines, said.problem])
    if said.guesses:
        lines += [
            "Nothing is sure enough. Perhaps one of these is meant: its rules text says what it does.",
            "",
        ]
    for number, candidate in enumerate(said.candidates or said.guesses, 1):
        lines += [f"{number}. effect: {candidate.effect}", f"   on a card of the kind `{candidate.kind}`:"]
        for language in languages:
            lines.append(f"   {language}: " + candidate.text[language].replace("\n", "\n       "))
        if candidate.left_out:
            lines.append(f"   Nearest only, without {_listed(candidate.left_out)}.")
        if candidate.added:
            lines.append(f"   Added: {_listed(candidate.added)}.")
        lines.append("")
    if not said.candidates:
        if not said.guesses:
            lines += ["Nothing in the effect language is near to that.", *verbs_about(said.idea)]
        lines += [
            "A card may say it in its own words, which nothing checks or plays:",
            f"  text_only: {{{languages[0]}: {json.dumps(said.idea, ensure_ascii=False)}}}",
            "",
        ]
    if said.related:
        titles = " · ".join(f"“… {title}”" for title in said.related)
        lines += [f"In the cookbook (`opforge explain cookbook`): {titles}", ""]
    return "\n".join(lines)


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)
