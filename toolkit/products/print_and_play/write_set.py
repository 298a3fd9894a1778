"""The print-and-play set as a folder or ZIP file: cards, mat, counters, rules, SQUADs, boxes, a README."""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from toolkit.data.squad_copies import PLAYERS, squads_of_first_game
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import make_report
from toolkit.press.sheet import PrintRunCache
from toolkit.products.changes.baseline_project import baseline_project
from toolkit.products.counters import CounterRequest, write_counters
from toolkit.products.learn.write_learn import write_learn
from toolkit.products.mat.write_mat import MatRequest, write_mat
from toolkit.products.print_and_play.read_me import MARKER, README, SetContents, SetFile, read_me_of
from toolkit.products.reference.write_reference import ReferenceRequest, write_reference
from toolkit.products.sheets.print_job import PrintRequest, unknown_squads
from toolkit.products.sheets.project_layouts import LayoutRequest
from toolkit.products.sheets.write_sheets import SheetRequest, lone_card_words, write_sheet
from toolkit.products.squads import write_squads
from toolkit.products.tuckbox.write_tuckbox import BoxRequest, write_tuckbox
from toolkit.project.faces import unknown_look, unknown_theme
from toolkit.project.output import (
    Outcome,
    Refusal,
    cannot_write,
    prepare_folder,
    refused_folder,
    remove_files,
    write_file,
)
from toolkit.project.pipeline import Workspace, open_project
from toolkit.render.pdf import is_our_pdf, page_count, without_metadata
from toolkit.render.renderer import Progress, no_progress
from toolkit.source.paths import below
from toolkit.source.writing import refused_link

PAPERS = ("a4", "letter")
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of all files in a ZIP file, the earliest possible one: the same files give the same bytes."""


class SetRequest(Struct, frozen=True):
    """The folder or ZIP file, the languages (empty: all of the project), the papers, and options.

    The cards are those that any two of ``squads`` need (none named: the pair that the project recommends,
    else all SQUADs), or with ``whole_set`` all, as often as their ``quantity`` says. ``changed_since`` is a
    git revision or the folder of an older copy: only what changed is written.
    """

    output: Path
    languages: Sequence[str] = ()
    papers: Sequence[str] = PAPERS
    theme: str | None = None
    look: str | None = None
    low_ink: bool = False
    changed_since: str | None = None
    many_pages: bool = False
    squads: Sequence[str] = ()
    whole_set: bool = False


Writer = Callable[..., "Outcome | Refusal"]


class _Part(NamedTuple):
    """A part of a set: its writer, and the class and options of the request.

    Options of sheets are overrides of the layout.
    """

    write: Writer
    request_class: type[PrintRequest]
    options: dict[str, Any]


_PARTS = {
    "learn": _Part(write_learn, PrintRequest, {}),
    "cards-long-edge": _Part(write_sheet, SheetRequest, {"sides": "both", "flip": "long"}),
    "cards-short-edge": _Part(write_sheet, SheetRequest, {"sides": "both", "flip": "short"}),
    "cards-fold": _Part(write_sheet, SheetRequest, {"fold": "best"}),
    "mat": _Part(write_mat, MatRequest, {}),
    "counters-long-edge": _Part(write_counters, CounterRequest, {"flip": "long"}),
    "counters-short-edge": _Part(write_counters, CounterRequest, {"flip": "short"}),
    "counters-fold": _Part(write_counters, CounterRequest, {"fold": True}),
    "reference": _Part(write_reference, ReferenceRequest, {}),
    "squads": _Part(write_squads, PrintRequest, {}),
    "tuckbox": _Part(write_tuckbox, BoxRequest, {"boxes": None}),
}
"""The parts by the names of their files. The words ``pnp-PART`` are the instructions to print a part."""

_OLDER_README = "README.md"
"""The page of sets that earlier versions made."""

_FILE_NAME = re.compile(rf"[\w-]+/\w[\w.-]*/({'|'.join(_PARTS)})\.pdf")


def write_set(workspace: Workspace, request: SetRequest, progress: Progress) -> Outcome | Refusal:
    """Write all files, each whole or not at all; old files stay until all new ones are complete.

    A part that the project does not have, or that does not fit the paper, is left out and reported. Files of
    an earlier run that this one does not write are removed.
    """
    output, is_zip = request.output, request.output.suffix.lower() == ".zip"
    files = [
        SetFile(language, paper, part_name)
        for language in request.languages or workspace.cards.project.languages
        for paper in request.papers
        for part_name in _PARTS
    ]
    refused = _refused(workspace, request) or (
        None if is_zip else refused_folder(output, [README, *(file.name for file in files)], _is_ours)
    )
    if refused:
        return refused
    try:
        with ExitStack() as stack:
            work_parent = output.parent if is_zip else _existing_parent(output)
            _remove_abandoned(work_parent)
            prefix = f"{_WORK_FOLDER}{os.getpid()}-"  # so that a later run knows whether this one still runs
            temporary = tempfile.TemporaryDirectory(prefix=prefix, dir=work_parent)
            folder = Path(stack.enter_context(temporary))
            older_workspace = None
            if request.changed_since is not None:
                baseline_root = stack.enter_context(baseline_project(workspace.root, request.changed_since))
                if isinstance(baseline_root, Refusal):
                    return baseline_root
                older_workspace = open_project(baseline_root)
            writer = _SetWriter(workspace, request, folder, older_workspace)
            stack.callback(writer.cache.close)
            written_set = writer.make(files, progress)
            if isinstance(written_set, Refusal):  # its message may name the temporary folder
                return Refusal(written_set.message.replace(str(folder), str(output)), written_set.cause)
            file_names = [str(file_entry["file"]) for file_entry in written_set.data["files"]]
            if not file_names:
                return written_set
            if is_zip:
                return write_file(output, _zip(folder, [README, *file_names])) or written_set
            return _move_into_place(folder, file_names, output) or written_set
    except OSError as error:
        return cannot_write(output, error)


class _SetWriter:
    """Writes the files of a set into a temporary folder."""

    def __init__(
        self, workspace: Workspace, request: SetRequest, folder: Path, older: Workspace | None
    ) -> None:
        """Write into ``folder``; ``older`` is the version to compare with, None to write all."""
        self.workspace, self.request, self.folder, self.older = workspace, request, folder, older
        self.written: list[SetFile] = []
        self.left_out: list[tuple[str, str]] = []  # name and reason
        self.findings: dict[Diagnostic, None] = {}
        self.lone_cards: dict[tuple[str, str], int] = {}  # by paper and part
        self.cards = 0
        self.cache = PrintRunCache()

    def make(self, files: Sequence[SetFile], progress: Progress) -> Outcome | Refusal:
        """Write all files and the README; return a refusal if files cannot be written or opforge fails."""
        for number, file in enumerate(files):
            progress(number, len(files))
            path = below(self.folder, file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            outcome = self._write(self.workspace, file, path)
            if isinstance(outcome, Refusal):
                if outcome.cause != "request":
                    return outcome
                self.left_out.append((file.name, outcome.message))
                continue
            self.findings.update(dict.fromkeys(outcome.report.findings))
            lone_cards = outcome.data.get("lone_cards", 0)
            if lone_cards:
                self.lone_cards[file.paper, file.part] = lone_cards
            self.cards = max(self.cards, outcome.report.cards)
            if path.exists() and self._changed(file, path):
                content = path.read_bytes()
                pages = page_count(content)
                self.written.append(SetFile(file.language, file.paper, file.part, pages, len(content)))
        progress(len(files), len(files))
        if not self.written and self.left_out and self.older is None:
            (_, first_reason), *_ = self.left_out
            return Refusal(first_reason)
        read_me = read_me_of(self.workspace, self._contents(), self.folder)
        (self.folder / README).write_text(read_me, encoding="utf-8", newline="\n")
        return self._outcome()

    def _write(self, workspace: Workspace, file: SetFile, path: Path) -> Outcome | Refusal:
        """Write a file for a project: the current one, or the older one for comparison."""
        write, request_class, options_of_part = _PARTS[file.part]
        is_of_sheets = request_class is SheetRequest
        set_request = self.request
        layout = LayoutRequest(paper=file.paper)
        options: dict[str, Any] = {
            "theme": set_request.theme,
            "look": set_request.look,
            "low_ink": set_request.low_ink,
        }
        if not set_request.whole_set:
            options |= {"squads": set_request.squads, "for_two": True}
        if is_of_sheets:
            layout = LayoutRequest(paper=file.paper, **options_of_part)
            options |= {"changed_since": set_request.changed_since, "many_pages": set_request.many_pages}
        else:
            options |= options_of_part
        request = request_class(path, file.language, layout=layout, **options)
        if is_of_sheets:
            return write(workspace, request, no_progress, self.cache)  # each card is rendered once
        return write(workspace, request)

    def _changed(self, file: SetFile, path: Path) -> bool:
        """Whether a file differs from that of the older version, if there is one that had it.

        Sheets contain only changed cards anyway.
        """
        older_workspace = self.older
        if older_workspace is None or file.part.startswith("cards-"):
            return True
        if file.language not in older_workspace.cards.project.languages:
            return True
        older_path = path.with_name(f"older-{path.name}")
        outcome = self._write(older_workspace, file, older_path)
        if isinstance(outcome, Refusal) or not older_path.exists():
            return True
        return without_metadata(older_path.read_bytes()) != without_metadata(path.read_bytes())

    def _contents(self) -> SetContents:
        request, squads = self.request, self.squads
        selection = PrintRequest(request.output, squads=squads, for_two=bool(squads))
        return SetContents(tuple(self.written), squads, selection, request.changed_since)

    def _outcome(self) -> Outcome:
        """Return what was written and left out, as sentences and data."""
        request = self.request
        report = make_report(list(self.findings), len(self.workspace.cards.files), self.cards)
        since = f" that changed since {request.changed_since}" if request.changed_since is not None else ""
        if self.written:
            pages = sum(file.pages for file in self.written)
            files = counted(len(self.written), "file")
            lines = [f"{request.output}: {files}{since} with {counted(pages, 'page')}, and {README}."]
            lines += [self._players(), *self._lone_cards()]
        else:
            lines = [f"Nothing changed since {request.changed_since}; nothing was written."]
        # of files with the same reason the first is named, and it stands where the last one would
        reasons = {reason: Path(name).name for name, reason in reversed(self.left_out)}
        lines += [f"{name} was left out: {reason}" for reason, name in reversed(reasons.items())]
        data = {
            "output": str(request.output),
            "changed_since": request.changed_since,
            "squads": list(self.squads),
            "files": [
                {
                    "file": file.name,
                    "part": file.part,
                    "language": file.language,
                    "paper": file.paper,
                    "pages": file.pages,
                    "bytes": file.size,
                }
                for file in self.written
            ],
            "left_out": [{"file": name, "reason": reason} for name, reason in self.left_out],
        }
        return Outcome("\n".join(lines), report, data)

    @property
    def squads(self) -> tuple[str, ...]:
        """The ids of the SQUADs whose cards are printed; none if all cards are."""
        request = self.request
        return (
            () if request.whole_set else tuple(request.squads) or squads_of_first_game(self.workspace.cards)
        )

    def _players(self) -> str:
        """Return the sentence on the SQUADs that can be played with what is printed."""
        squads = self.squads
        if len(squads) == PLAYERS:
            return f"For a game of {' against '.join(squads)}; others: --squads A B."
        if squads:
            return f"For a game of any two of {counted(len(squads), 'SQUAD')}; fewer cards: --squads A B."
        start = "Each" if self.request.whole_set else "The project has no SQUADs: each"
        return f"{start} card is printed as often as its `quantity` says."

    def _lone_cards(self) -> Iterator[str]:
        for (paper, part_name), number in self.lone_cards.items():
            yield f"{paper}/{part_name}.pdf: {lone_card_words(number)}."


_WORK_FOLDER = ".print-and-play-"
_ABANDONED = 3600
"""Seconds after which a work folder is taken for abandoned where no process can be asked for."""


def _refused(workspace: Workspace, request: SetRequest) -> Refusal | None:
    """Return a refusal if the request names something that there is not, or a file that must stay."""
    output = request.output
    problems = [
        unknown_theme(workspace.root, request.theme),
        unknown_look(request.look),
        *map(workspace.unknown_language, request.languages),
        unknown_squads(workspace, request.squads),
    ]
    first_problem = (
        next(filter(None, problems), None)
        or refused_link(output)
        or (_refused_zip(output) if output.suffix.lower() == ".zip" else None)
    )
    return Refusal(first_problem) if first_problem else None


def _remove_abandoned(folder: Path) -> None:
    """Remove the work folders of runs that were killed, whose names have the numbers of their processes."""
    name_pattern = re.compile(re.escape(_WORK_FOLDER) + r"(?P<process>\d{1,9})-[a-z0-9_]{8}")
    for work_folder in folder.glob(f"{_WORK_FOLDER}*"):
        match = name_pattern.fullmatch(work_folder.name)
        if match is None or not work_folder.is_dir() or work_folder.is_symlink():
            continue
        if not _is_running(int(match["process"]), work_folder):
            shutil.rmtree(work_folder, ignore_errors=True)


def _is_running(process_id: int, work_folder: Path) -> bool:
    """Whether the process that made a work folder may still run."""
    if os.name == "nt":  # where a process cannot be asked without a signal that ends it
        return time.time() - work_folder.stat().st_mtime < _ABANDONED
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return process_id != os.getpid()


def _existing_parent(folder: Path) -> Path:
    """Return the nearest existing parent of a folder, from which files can be renamed into it."""
    ancestor = folder.absolute().parent
    while not ancestor.exists():
        ancestor = ancestor.parent
    return ancestor


def _refused_zip(file: Path) -> str | None:
    """Return an error message if a ZIP file must not be written there."""
    if not file.parent.is_dir():
        return f"There is no folder {file.parent}."
    if not os.path.lexists(file):
        return None
    try:
        with zipfile.ZipFile(file) as archive:
            is_ours = archive.comment == MARKER.encode()
    except (OSError, zipfile.BadZipFile):
        is_ours = False
    return None if is_ours else f"{file} exists and was not made by opforge; nothing was written."


def _zip(folder: Path, names: Iterable[str]) -> bytes:
    """Return the files as a ZIP file. They are stored, because PDFs are compressed already. Deterministic."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = MARKER.encode()
        for name in names:
            member = zipfile.ZipInfo(name, _EPOCH)
            member.external_attr = 0o644 << 16  # the permissions of a file, as Unix has them
            member.create_system = 3  # Unix, on every system
            archive.writestr(member, below(folder, name).read_bytes())
    return buffer.getvalue()


def _move_into_place(folder: Path, names: Sequence[str], output: Path) -> Refusal | None:
    """Move the files to the output folder, and remove those that only an earlier run wrote.

    The README with the list of files comes last, so that an interrupted run loses none. Raises ``OSError``.
    """
    refused = prepare_folder(output, [*names, README], _is_ours)
    if refused:
        return refused
    old_files = {
        _OLDER_README,
        *_files_of_read_me(output / README),
        *_files_of_read_me(output / _OLDER_README),
    }
    for name in names:
        os.replace(folder / name, below(output, name))
    remove_files(output, old_files - {*names}, _is_ours)
    os.replace(folder / README, output / README)
    return None


def _files_of_read_me(readme: Path) -> set[str]:
    """Return the files of an earlier run, as its page lists them."""
    last_lines = readme.read_text("utf-8", "replace").splitlines()[-1:] if readme.is_file() else []
    return {name for name in "".join(last_lines).split() if _FILE_NAME.fullmatch(name)}


def _is_ours(file: Path) -> bool:
    """Whether a file was written by an earlier run."""
    if file.name in (README, _OLDER_README):
        with file.open("rb") as stream:
            return stream.readline().strip() == MARKER.encode()
    return is_our_pdf(file.read_bytes())
