"""The page that goes with a print-and-play set: what to print on which paper, and what else is needed."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil
from pathlib import Path

from jinja2 import Template
from markupsafe import Markup
from msgspec import Struct

from toolkit.data.squad_copies import PLAYERS
from toolkit.diagnostics.escaping import one_line
from toolkit.products.page_templates import page_environment
from toolkit.products.reference.reference_contents import what_is_needed
from toolkit.products.sheets.print_job import PrintRequest, chosen_faces
from toolkit.project.pipeline import Workspace
from toolkit.render.page_raster import as_image, first_page
from toolkit.render.sizes import PAPERS
from toolkit.source.paths import below
from toolkit.wording.languages import Words, words_in
from toolkit.wording.text import plain

README = "README.html"
MARKER = "<!-- opforge print-and-play -->"
"""The first line of the page, and the comment of our ZIP file. Other files are never replaced."""

_FILE_LIST = "<!-- files: {} -->"
"""The last line of the page: the files, so that a later run can remove those that it does not write."""

_DPI = 18
_JPEG_QUALITY = 82

_STIFF = {"cards-long-edge": 0.5, "counters-long-edge": 0.5, "tuckbox": 1}
_ORDINARY = {"learn": 0.5, "mat": 1, "reference": 0.5 * PLAYERS, "squads": 1}
"""The sheets of stiff and of ordinary paper for each page, by part; cards and counters on both sides."""


class SetFile(Struct, frozen=True):
    """A file of the set, with its pages and bytes once it is written."""

    language: str
    paper: str
    part: str
    pages: int = 0
    size: int = 0

    @property
    def name(self) -> str:
        """The name in the folder."""
        return f"{self.language}/{self.paper}/{self.part}.pdf"


class SetContents(Struct, frozen=True):
    """What is in a set: its files, the SQUADs that can be played, and the selection of its cards."""

    files: tuple[SetFile, ...]
    squads: tuple[str, ...]
    selection: PrintRequest
    changed_since: str | None = None


class _Row(Struct, frozen=True):
    """A part of the set: a picture of its first page, how to print it, and its file for each paper."""

    part: str
    picture: str
    pages: str
    instruction: str
    links: tuple[tuple[str, str], ...]


class _Section(Struct, frozen=True):
    """The page in one language."""

    language: str
    title: str
    lead: tuple[str, ...]
    needed_title: str
    needed: tuple[str, ...]
    rows: tuple[_Row, ...]


@cache
def _template() -> Template:
    return page_environment(Path(__file__).resolve().parent).get_template("read_me.html.jinja")


def read_me_of(workspace: Workspace, contents: SetContents, folder: Path) -> str:
    """Return the page, with a section for each language of the set; ``folder`` has its files."""
    project = workspace.cards.project
    file_names = " ".join(file.name for file in contents.files)
    page = _template().render(
        marker=Markup(MARKER),
        title=one_line(f"{project.name} {project.version}".strip()),
        sections=[
            _section(workspace, contents, folder, language)
            for language in dict.fromkeys(file.language for file in contents.files)
        ],
        file_list=Markup(_FILE_LIST.format(file_names)),
    )
    return f"{page}\n"


def _section(workspace: Workspace, contents: SetContents, folder: Path, language: str) -> _Section:
    """Return the section of the page in a language, about the files in that language."""
    words = words_in(workspace.cards.project, language)
    files = [file for file in contents.files if file.language == language]
    return _Section(
        language=language,
        title=words.say("pnp-title"),
        lead=tuple(_lead(workspace, contents, words)),
        needed_title=words.say("setup-needed"),
        needed=tuple(_needed(workspace, contents, files, words)),
        rows=tuple(_rows(files, folder, words)),
    )


def _lead(workspace: Workspace, contents: SetContents, words: Words) -> Iterator[str]:
    """Yield who can play, and how all files are printed."""
    squads = [workspace.cards.squads[squad_id] for squad_id in contents.squads]
    names = [squad.name.in_language(words.language).value for squad in squads]
    if len(names) == PLAYERS:
        first, second = names
        yield words.say("pnp-pair", first=first, second=second)
    elif names:
        yield words.say("pnp-any-two", squads=", ".join(names))
    if contents.changed_since is not None:
        yield words.say("pnp-changed", since=contents.changed_since)
    yield words.say("pnp-size")


def _needed(
    workspace: Workspace, contents: SetContents, files: Sequence[SetFile], words: Words
) -> Iterator[str]:
    """Yield the dice, the sheets of each paper and the tools; nothing for a set of changes."""
    if contents.changed_since is not None:
        return
    faces = tuple(chosen_faces(workspace, words.language, contents.selection))
    dice = what_is_needed(workspace, faces, words.language)
    if dice is not None:
        yield plain((dice.words,))
    for paper in dict.fromkeys(file.paper for file in files):
        yield words.say(
            "pnp-paper",
            paper=_paper_name(paper),
            stiff=_sheets(files, paper, _STIFF),
            ordinary=_sheets(files, paper, _ORDINARY),
        )
    yield words.say("pnp-tools")


def _sheets(files: Sequence[SetFile], paper: str, sheets_by_part: dict[str, float]) -> int:
    """Return the sheets of paper that these parts take."""
    return sum(
        ceil(file.pages * sheets_by_part[file.part])
        for file in files
        if file.paper == paper and file.part in sheets_by_part
    )


def _rows(files: Sequence[SetFile], folder: Path, words: Words) -> Iterator[_Row]:
    """Yield a row for each part of the set, with its files."""
    for part_name in dict.fromkeys(file.part for file in files):
        files_of_part = [file for file in files if file.part == part_name]
        page_counts = dict.fromkeys(str(file.pages) for file in files_of_part)  # by paper, equal ones once
        first_file, *_ = files_of_part
        yield _Row(
            part=part_name,
            picture=_picture(below(folder, first_file.name).read_bytes()),
            pages=f"{words.say('pnp-pages')}: {' / '.join(page_counts)}",
            instruction=words.say(f"pnp-{part_name}"),
            links=tuple((_paper_name(file.paper), file.name) for file in files_of_part),
        )


def _paper_name(paper: str) -> str:
    """Return the name of a paper as people write it: A4, Letter."""
    return (paper.upper() if len(paper) == 2 else paper.capitalize()) if paper in PAPERS else paper


def _picture(pdf: bytes) -> str:
    """Return the first page as a small JPEG in Base64."""
    stream = io.BytesIO()
    as_image(first_page(pdf, _DPI)).save(stream, "JPEG", quality=_JPEG_QUALITY)
    return b64encode(stream.getvalue()).decode()
