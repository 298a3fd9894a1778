"""Commands about a whole project: ``init``, ``test``, ``changes``, and ``lsp`` for editors.

What `changes` needs is imported only by it: faces take 0.1 s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import click

from toolkit import api
from toolkit.apps.cli.options import (
    existing_paths,
    format_option,
    language_option,
    languages_option,
    open_workspace,
    reject,
    targets_of,
    whole_project_option,
)
from toolkit.apps.cli.report_output import (
    add_to_workflow,
    choose_outputs,
    report_options,
    repository_folder,
    write_file,
)
from toolkit.apps.cli.streams import write_for_programs
from toolkit.apps.cli.terminal import echo, error_of, print_text, print_warnings, style
from toolkit.diagnostics.formats import FormatOptions
from toolkit.diagnostics.phrases import counted
from toolkit.editing.scaffold import missing_templates
from toolkit.play.scenarios.reports import FORMATS, as_markdown
from toolkit.project.output import Refusal
from toolkit.source.addresses import invalid_address, invalid_folder_address
from toolkit.source.paths import PROJECT_FILE


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--example",
    type=click.Choice(["small", "full"]),
    default="small",
    show_default=True,
    help="A few cards to start with, or the whole set Night Exercise.",
)
@click.option(
    "--with-templates",
    is_flag=True,
    help="Copy the card templates, to change the look of the cards; also into a project that exists.",
)
@click.option(
    "--theme",
    type=click.Choice(["classic", "tournament"]),
    help="The theme of the cards; with --with-templates the one that is copied.",
)
@languages_option("A language of the cards, en or de; may be repeated, the default first. Default: both.")
def init(
    folder: str,
    example: Literal["small", "full"],
    with_templates: bool,
    theme: str | None,
    languages: tuple[str, ...],
) -> int:
    """Make a project in DIR, which must not exist or be empty.

    With --with-templates DIR may be a project: it gets the templates that it does not have, and no file of it
    is changed.
    """
    # `en,de` is how the project file lists them
    codes = tuple(dict.fromkeys(code.strip() for value in languages for code in value.split(",")))
    is_project = (Path(folder) / PROJECT_FILE).is_file()
    missing = missing_templates(Path(folder), theme) if is_project and with_templates else ()
    reject(api.make_project(Path(folder), example, theme, with_templates=with_templates, languages=codes))
    if is_project:
        copied = f"Copied {counted(len(missing), 'template')} to {folder}/templates"
        result = copied if missing else f"Nothing was copied: {folder}/templates has all templates"
        echo(f"{result}. What they are: `opforge explain change-the-look`.")
        return 0
    echo(
        f"Created a project in {folder}. Next:\n"
        f"  opforge preview {folder}\n  opforge check {folder}\n  opforge test {folder}\n"
        f"  opforge sheet {folder} -o sheet.pdf"
    )
    if with_templates:
        echo("The look of its cards is in templates/: `opforge explain change-the-look`.")
    return 0


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@report_options(FORMATS)
@click.option("--coverage", is_flag=True, help="Report which cards, sentences, verbs and rules were reached.")
@whole_project_option
def test(
    paths: tuple[str, ...], form: str | None, outputs: tuple[str, ...], coverage: bool, whole_project: bool
) -> int:
    """Play scenarios and compare the outcome with what they expect.

    Without a PATH those of the nearest project are played. Exit status 0: all passed.
    """
    chosen = choose_outputs(form, outputs, coverage, FORMATS)
    if coverage and chosen.printed not in ("text", "json"):
        raise click.UsageError("--coverage is reported as text or JSON; add --format text.")

    run = api.test(targets_of(existing_paths(paths), whole_project), coverage=coverage)
    print_warnings(run.warnings)
    base = repository_folder()
    for name, file in chosen.written:
        write_file(file, FORMATS[name](run, FormatOptions(base)))
    if chosen.printed != "text":
        write_for_programs()
    report = FORMATS[chosen.printed](run, FormatOptions(base, style=style()))
    echo(report, nl=False, commands=chosen.printed == "github")
    if chosen.printed == "github":
        add_to_workflow("GITHUB_STEP_SUMMARY", as_markdown(run))
        add_to_workflow("GITHUB_OUTPUT", f"passed={run.passed}\nfailed={run.failed}\n")
    return run.exit_status


@click.command()
@click.argument("since", metavar="REV|FOLDER")
@click.argument("path", required=False)
@language_option
@format_option("text", "json", "markdown")
@click.option("--pictures", metavar="DIR", type=Path, help="Also draw the changed cards, old and new.")
@click.option("--url-base", metavar="URL", help="With markdown: where the pictures are published.")
@click.option("--artifact", metavar="URL", help="With markdown: where the pictures can be downloaded.")
def changes(
    since: str,
    path: str | None,
    lang: str | None,
    form: str,
    pictures: Path | None,
    url_base: str | None,
    artifact: str | None,
) -> int:
    """List the cards that changed since a git revision, or since an older copy of the project.

    Changes of behaviour, of text and look, and of the number of copies are listed separately.
    `opforge sheet --changed-since` prints those whose face changed.
    """
    from toolkit.products.changes.change_markdown import as_markdown, draw_changes
    from toolkit.products.changes.change_report import as_json, as_text
    from toolkit.products.changes.comparison import changes_since

    if form != "markdown" and (url_base or artifact):
        raise click.UsageError("--url-base and --artifact belong to --format markdown.")
    reject(invalid_folder_address(url_base) or invalid_address(artifact))
    workspace = open_workspace(path, lang=lang)
    result = changes_since(workspace, since, lang or workspace.cards.project.languages[0])
    if isinstance(result, Refusal):
        raise error_of(result)
    drawn = draw_changes(workspace, result, pictures) if pictures is not None else 0
    if isinstance(drawn, Refusal):
        raise error_of(drawn)
    if form == "markdown":
        text = as_markdown(result, url_base, artifact)
    else:
        text = as_json(result) if form == "json" else as_text(result)
    return print_text(text, api.report_of(workspace, ()))


@click.command()
@click.option(
    "--stdio", is_flag=True, help="Accepted because some editors pass it; there is no other transport."
)
@click.pass_obj
def lsp(servers: Mapping[str, Callable[..., Any]], stdio: bool) -> int:
    """Run the language server for an editor, which starts it and communicates over standard input and output.

    Findings while typing, completion, rules text under the mouse, rename and more. `opforge explain editor`
    says how to set up VS Code, Neovim, Helix and Zed.
    """
    del stdio
    if "lsp" not in servers:
        raise click.UsageError("opforge was started in a way that cannot serve an editor; run `opforge lsp`.")
    return int(servers["lsp"]())
