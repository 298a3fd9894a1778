"""All that a table needs in a folder or ZIP file: cards, mat, counters, rules, SQUADs, boxes, a README."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import make_report
from toolkit.pipeline import Workspace, open_project
from toolkit.project.changes.baseline_project import baseline_project
from toolkit.project.counters import CounterRequest, write_counters
from toolkit.project.exports.choice import choose
from toolkit.project.layouts import LayoutRequest
from toolkit.project.mat import MatRequest, write_mat
from toolkit.project.output import Outcome, Refusal, cannot_write, ready_folder, refused_folder, write_file
from toolkit.project.reference.output import ReferenceRequest, write_reference
from toolkit.project.sheets import SheetRequest, write_sheet
from toolkit.project.squads import SquadsRequest, write_squads
from toolkit.project.tuckbox import BoxRequest, write_tuckbox
from toolkit.render.impose import is_our_pdf, number_of_pages, without_metadata
from toolkit.render.layout import Flip
from toolkit.render.sheet import Progress
from toolkit.source.writing import refused_link
from toolkit.wording.languages import words_in

PAPERS = ("a4", "letter")
README = "README.md"
_MARK = "<!-- opforge print-and-play -->"
"""The first line of our README, and the comment of our ZIP file: nothing else is ever replaced."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of all files in a ZIP file: the earliest that it can hold."""


class SetRequest(Struct, frozen=True):
    """The folder or ZIP file, the languages (none: all of the project), the papers, and how it looks.

    ``changed_since`` is a git revision or the folder of an older copy: only what changed is written.
    """

    output: Path
    languages: Sequence[str] = ()
    papers: Sequence[str] = PAPERS
    theme: str | None = None
    low_ink: bool = False
    changed_since: str | None = None
    many_pages: bool = False


class _Place(Struct, frozen=True):
    """A file to write for a language on a paper."""

    file: Path
    language: str
    paper: str


class _Written(Struct, frozen=True):
    """A file that was written: its name in the folder, which part of the set it is, and its pages."""

    name: str
    part: str
    language: str
    paper: str
    pages: int
    size: int


Maker = Callable[[Workspace, _Place], "Outcome | Refusal"]


def write_set(workspace: Workspace, request: SetRequest, progress: Progress) -> Outcome | Refusal:
    """Write all files, each whole or not at all; the old ones stay until all new ones are there.

    A part that the project has not, or that does not fit the paper, is left out and named.
    """
    is_zip = request.output.suffix.lower() == ".zip"
    refused = _refused(workspace, request, is_zip)
    if refused:
        return refused
    where = request.output.parent if is_zip else _existing(request.output)
    with ExitStack() as stack:
        try:
            folder = Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix=".print-and-play-", dir=where))
            )
        except OSError as error:
            return cannot_write(where, error)
        baseline = None
        if request.changed_since is not None:
            older = stack.enter_context(baseline_project(workspace.root, request.changed_since))
            if isinstance(older, Refusal):
                return older
            baseline = open_project(older)
        made = _Making(workspace, request, folder, baseline, progress).make()
        if isinstance(made, Refusal):
            return Refusal(made.message.replace(str(folder), str(request.output)), made.cause)
        if not made.data["files"]:
            return made
        names = [README, *(str(one["file"]) for one in made.data["files"])]
        if is_zip:
            refusal = write_file(request.output, _zipped(folder, names))
        else:
            refusal = _moved(folder, names, request.output)
        return refusal or made


class _Making:
    """The files on their way into a temporary folder."""

    def __init__(
        self,
        workspace: Workspace,
        request: SetRequest,
        folder: Path,
        baseline: Workspace | None,
        progress: Progress,
    ) -> None:
        self.workspace, self.request, self.folder = workspace, request, folder
        self.baseline, self.progress = baseline, progress
        self.written: list[_Written] = []
        self.left_out: list[tuple[str, str]] = []
        self.findings: list[Diagnostic] = []
        self.cards = 0

    def make(self) -> Outcome | Refusal:
        """Write all files and the README; a refusal if something broke."""
        todo = list(_files(self.workspace, self.request))
        for number, (name, part, maker, language, paper) in enumerate(todo):
            self.progress(number, len(todo))
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            outcome = maker(self.workspace, _Place(file, language, paper))
            if isinstance(outcome, Refusal):
                if outcome.cause != "request":
                    return outcome
                self.left_out.append((name, outcome.message))
                continue
            self.findings += outcome.report.findings
            self.cards = max(self.cards, outcome.report.cards)
            if file.exists() and self._changed(part, maker, _Place(file, language, paper)):
                content = file.read_bytes()
                pages = number_of_pages(content)
                self.written.append(_Written(name, part, language, paper, pages, len(content)))
        self.progress(len(todo), len(todo))
        if not self.written and self.left_out and self.baseline is None:
            return Refusal(self.left_out[0][1])
        text = _readme(self.workspace, self.request, self.written)
        (self.folder / README).write_text(text, encoding="utf-8", newline="\n")
        return self._outcome()

    def _changed(self, part: str, maker: Maker, place: _Place) -> bool:
        """Whether a file is not what the older version gives; sheets have nothing but what changed."""
        older = self.baseline
        if older is None or part.startswith("cards-"):
            return True
        if place.language not in older.cards.project.languages:
            return True
        before = place.file.with_name(f"older-{place.file.name}")
        outcome = maker(older, _Place(before, place.language, place.paper))
        if isinstance(outcome, Refusal) or not before.exists():
            return True
        return without_metadata(before.read_bytes()) != without_metadata(place.file.read_bytes())

    def _outcome(self) -> Outcome:
        request = self.request
        report = make_report(list(dict.fromkeys(self.findings)), len(self.workspace.cards.files), self.cards)
        since = f" that changed since {request.changed_since}" if request.changed_since is not None else ""
        if self.written:
            pages = sum(one.pages for one in self.written)
            counted = "1 file" if len(self.written) == 1 else f"{len(self.written)} files"
            lines = [f"{request.output}: {counted}{since} with {pages} pages, and {README}."]
        else:
            lines = [f"Nothing changed since {request.changed_since}; nothing was written."]
        reasons = {reason: Path(name).name for name, reason in reversed(self.left_out)}
        lines += [f"{name} was left out: {reason}" for reason, name in reversed(reasons.items())]
        data = {
            "output": str(request.output),
            "changed_since": request.changed_since,
            "files": [
                {
                    "file": one.name,
                    "part": one.part,
                    "language": one.language,
                    "paper": one.paper,
                    "pages": one.pages,
                    "bytes": one.size,
                }
                for one in self.written
            ],
            "left_out": [{"file": name, "reason": reason} for name, reason in self.left_out],
        }
        return Outcome("\n".join(lines), report, data)


def _files(workspace: Workspace, request: SetRequest) -> Iterator[tuple[str, str, Maker, str, str]]:
    """All files: the name in the folder, the part and what makes it, the language and the paper."""
    for language in request.languages or workspace.cards.project.languages:
        for paper in request.papers:
            for part, maker in _parts(request):
                yield f"{language}/{paper}/{part}.pdf", part, maker, language, paper


def _refused(workspace: Workspace, request: SetRequest, is_zip: bool) -> Refusal | None:
    """A refusal if files that are not ours would be replaced, before the work begins."""
    refused = refused_link(request.output) or (_no_zip(request.output) if is_zip else None)
    if refused or is_zip:
        return Refusal(refused) if refused else None
    names = [README, *(name for name, *_ in _files(workspace, request))]
    return refused_folder(request.output, names, _is_ours)


def _parts(request: SetRequest) -> Iterator[tuple[str, Maker]]:
    """All parts of a set: the names of their files, and what makes them."""
    theme, low_ink = request.theme, request.low_ink
    flips: tuple[Flip, Flip] = ("long", "short")

    def sheets(layout: Callable[[str], LayoutRequest]) -> Maker:
        def make(workspace: Workspace, place: _Place) -> Outcome | Refusal:
            wanted = SheetRequest(
                place.file,
                place.language,
                layout=layout(place.paper),
                theme=theme,
                low_ink=low_ink,
                changed_since=request.changed_since,
                many_pages=request.many_pages,
            )
            return write_sheet(workspace, wanted, lambda _done, _total: None)

        return make

    def counters(flip: Flip, fold: bool = False) -> Maker:
        return lambda workspace, place: write_counters(
            workspace,
            CounterRequest(
                place.file,
                place.language,
                paper=place.paper,
                flip=flip,
                fold=fold,
                theme=theme,
                low_ink=low_ink,
            ),
        )

    def tuckbox(workspace: Workspace, place: _Place) -> Outcome | Refusal:
        choice = choose(workspace, place.language, theme=theme, low_ink=low_ink)
        if isinstance(choice, str):
            return Refusal(choice)
        return write_tuckbox(choice, BoxRequest(place.file, boxes=None, paper=place.paper))

    for flip in flips:
        yield (
            f"cards-{flip}-edge",
            sheets(lambda paper, flip=flip: LayoutRequest(paper=paper, sides="both", flip=flip)),  # type: ignore[misc]
        )
    yield "cards-fold", sheets(lambda paper: LayoutRequest(paper=paper, fold="best"))
    yield (
        "mat",
        lambda workspace, place: write_mat(
            workspace,
            MatRequest(place.file, language=place.language, paper=place.paper, theme=theme, low_ink=low_ink),
        ),
    )
    for flip in flips:
        yield f"counters-{flip}-edge", counters(flip)
    yield "counters-fold", counters("long", fold=True)
    yield (
        "reference",
        lambda workspace, place: write_reference(
            workspace, ReferenceRequest(place.file, place.language, paper=place.paper)
        ),
    )
    yield (
        "squads",
        lambda workspace, place: write_squads(
            workspace,
            SquadsRequest(
                place.file, language=place.language, paper=place.paper, theme=theme, low_ink=low_ink
            ),
        ),
    )
    yield "tuckbox", tuckbox


_STEPS = {
    "cards-long-edge": "pnp-cards-long-edge",
    "cards-short-edge": "pnp-cards-short-edge",
    "cards-fold": "pnp-cards-fold",
    "mat": "pnp-mat",
    "counters-long-edge": "pnp-counters-long-edge",
    "counters-short-edge": "pnp-counters-short-edge",
    "counters-fold": "pnp-counters-fold",
    "reference": "pnp-reference",
    "squads": "pnp-squads",
    "tuckbox": "pnp-tuckbox",
}
"""The words that say how a part is printed, by the part."""


def _readme(workspace: Workspace, request: SetRequest, written: Sequence[_Written]) -> str:
    """What to print on which paper, in each language that was written."""
    project = workspace.cards.project
    lines = [_MARK, f"# {' '.join(f'{project.name} {project.version}'.split())}"]
    for language in dict.fromkeys(one.language for one in written):
        words = words_in(project, language)
        files = [one for one in written if one.language == language]
        papers = list(dict.fromkeys(one.paper for one in files))
        folders = ", ".join(f"`{language}/{paper}`" for paper in papers)
        lines += ["", f"## {words.say('pnp-title')} ({language})", ""]
        lines += [words.say("pnp-folders", folders=folders), words.say("pnp-size")]
        if request.changed_since is not None:
            lines += ["", words.say("pnp-changed", since=request.changed_since)]
        lines += ["", f"| {words.say('pnp-file')} | {words.say('pnp-pages')} | {words.say('pnp-how')} |"]
        lines += ["|---|---|---|"]
        for part in dict.fromkeys(one.part for one in files):
            pages = dict.fromkeys(f"{one.pages}" for one in files if one.part == part)
            step = words.say(_STEPS[part])
            lines.append(f"| `{part}.pdf` | {' / '.join(pages)} | {step} |")
    return "\n".join(lines) + "\n"


def _existing(folder: Path) -> Path:
    """The folder above, in which the folder is or will be: files can be renamed from there."""
    above = folder.absolute().parent
    while not above.exists():
        above = above.parent
    return above


def _no_zip(file: Path) -> str | None:
    """A sentence if a ZIP file must not or cannot be written there."""
    if not file.parent.is_dir():
        return f"There is no folder {file.parent}."
    if not os.path.lexists(file):
        return None
    try:
        with zipfile.ZipFile(file) as packed:
            ours = packed.comment == _MARK.encode()
    except (OSError, zipfile.BadZipFile):
        ours = False
    return None if ours else f"{file} exists and was not made by opforge; nothing was written."


def _zipped(folder: Path, names: Iterable[str]) -> bytes:
    """The files as a ZIP file: same files, same bytes. They are compressed already, but for the README."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.comment = _MARK.encode()
        for name in names:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr = 0o644 << 16
            info.create_system = 3  # not the one that it is made on
            file.writestr(info, (folder / name).read_bytes())
    return packed.getvalue()


def _moved(folder: Path, names: Sequence[str], output: Path) -> Refusal | None:
    """Move the files to where they belong, each in place of an older one of the same name."""
    refused = ready_folder(output, names, _is_ours)
    if refused:
        return refused
    try:
        for name in names:
            os.replace(folder / name, output / name)
    except OSError as error:
        return cannot_write(output, error)
    return None


def _is_ours(file: Path) -> bool:
    """Whether a file was written by an earlier run."""
    if file.name == README:
        with file.open("rb") as text:
            return text.readline().strip() == _MARK.encode()
    return is_our_pdf(file.read_bytes())
