"""Load a card project: every file, every entry, and their references.

What checks the patterns of `checks` is imported only for projects that have some.

Nothing here raises because of what files contain. A broken file or entry is left out, its id is recorded, and
everything else is loaded.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toolkit.data.checks.decks import pile_findings, quantity_findings, squad_findings
from toolkit.data.checks.references import check_references
from toolkit.data.file_entries import FileEntries, read_entries
from toolkit.data.model import CardSet, Project
from toolkit.data.project_file import read_project
from toolkit.data.project_files import Folder, FolderListing, can_be_source, find_project, read_folder
from toolkit.data.yaml.incremental_loader import reread
from toolkit.diagnostics import Diagnostic, Label
from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.locations import path_from
from toolkit.diagnostics.phrases import shown
from toolkit.source import ReadProblem, SourceFile, Span, read_file, shown_name
from toolkit.source.paths import PROJECT_FILE
from toolkit.source.reading import size_problem, text_problem

__all__ = ["Cache", "find_project", "load_project"]

Cache = dict[Path, FileEntries]
"""The entries of each file from the last load: a file with the same text is not parsed again."""


def load_project(
    root: Path,
    *,
    overlay: dict[Path, str] | None = None,
    cache: Cache | None = None,
    folder: Folder | None = None,
    incremental: bool = False,
) -> tuple[CardSet, list[Diagnostic]]:
    """Return all that is usable of the project in ``root``, and all findings, sorted by file and place.

    ``overlay`` maps absolute paths to texts that replace files on disk or add to them, such as those open in
    an editor. ``cache`` is filled, and makes the next load of a changed project fast. ``folder`` is the
    project folder if it was just read. ``incremental`` reuses the unchanged entries of an edited file: this
    is faster, but updates their spans, so that spans from an earlier load are no longer valid.
    """
    overlay, cache, folder = overlay or {}, {} if cache is None else cache, folder or read_folder(root)
    listing = folder.found
    listed_files = set(listing.yaml_files) if overlay else set()
    paths = listing.yaml_files + [
        path for path in overlay if path not in listed_files and can_be_source(path, root)
    ]
    findings = _folder_findings(root, listing)
    project, project_findings = _read_settings(root, overlay, folder)
    findings += project_findings
    card_set = CardSet(project, [project.file])
    card_set.pictures = frozenset(listing.names)
    ids: dict[str, Span] = {}
    languages = project.languages if project.languages_known else None
    for path in paths:
        if path == root / PROJECT_FILE:
            continue
        file = _read(path, overlay, folder)
        if isinstance(file, ReadProblem):
            findings.append(problem_finding(file))
            card_set.files.append(file.span.file)
            card_set.incomplete = True
            continue
        entries = cache.get(path)
        if entries is None or entries.file.text != file.text or entries.languages != languages:
            entries = reread(file, languages, entries) if incremental else read_entries(file, languages)
            cache[path] = entries
        card_set.files.append(entries.file)
        card_set.counts[path] = entries.cards
        findings += entries.findings
        findings += _merge(card_set, entries, ids)
    findings += _findings_between_entries(card_set, findings)
    has_only_warnings = all(severity_of(finding.name) == "warning" for finding in findings)
    if not any(card_set.counts.values()) and has_only_warnings:
        findings.append(_no_cards(project))
    file_numbers = {file.name: number for number, file in enumerate(card_set.files)}
    findings.sort(key=lambda finding: (file_numbers.get(finding.span.file.name, -1), finding.span.start))
    return card_set, findings


def _findings_between_entries(card_set: CardSet, earlier_findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return what is wrong between the entries of all files."""
    findings = [*check_references(card_set), *pile_findings(card_set)]
    doubtful = {finding.card for finding in (*earlier_findings, *findings) if finding.name == "unknown-key"}
    findings += squad_findings(card_set, doubtful)
    findings += quantity_findings(card_set, doubtful)
    findings += _unused_patterns(card_set)
    return findings


def _unused_patterns(card_set: CardSet) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern of `checks` that no file matches."""
    project = card_set.project
    node = project.node.mapping("checks") if project.node is not None else None
    if node is None:
        return
    from toolkit.data.check_settings import unused_patterns

    names = {path_from(project.root, file.path) for file in card_set.files}
    yield from unused_patterns(node, names | card_set.pictures)


def _no_cards(project: Project) -> Diagnostic:
    message = (
        "The project has no card: no YAML file in its folder has an entry under `cards` or `objectives`."
    )
    step = "Add a file with `cards:`, or check that the card files are in this folder and end in .yaml."
    return Diagnostic("no-cards", message, project.span_of("project"), step)


def _merge(card_set: CardSet, read: FileEntries, ids: dict[str, Span]) -> list[Diagnostic]:
    """Add the entries of one file to the set, and report ids that are already used."""
    findings = []
    doubled = set()
    for entry_id, span in read.ids:
        first = ids.setdefault(entry_id, span)
        if first is not span:
            doubled.add(span)
            card_set.broken_ids.add(entry_id)
            message = f"The id `{shown(entry_id)}` is used twice; an id is unique in the whole project."
            step, labels = "Give one of the two another id.", (Label(first, "first defined here"),)
            findings.append(Diagnostic("duplicate-id", message, span, step, labels, card=entry_id))
    for section, entry in read.entries:
        if section == "scenarios":
            card_set.scenarios.append(entry)  # type: ignore[arg-type]  # a section decodes to its own kind
        elif doubled and entry.id_span in doubled:
            card_set.doubled.append(entry)
        else:
            getattr(card_set, section)[entry.id] = entry
    card_set.broken += read.broken
    card_set.incomplete |= read.nameless
    card_set.broken_ids |= read.broken_ids
    card_set.broken_traits |= read.broken_traits
    return findings


def _read(path: Path, overlay: dict[Path, str], folder: Folder) -> SourceFile | ReadProblem:
    """Return a file with the text that an editor has of it, if it has one."""
    text = overlay.get(path)
    if text is None:
        return folder.files.get(path) or read_file(path)
    name = shown_name(path)
    file = SourceFile(path, name, text.removeprefix("\ufeff"))
    return size_problem(text, path, name) or text_problem(file) or file


def _read_settings(root: Path, overlay: dict[Path, str], folder: Folder) -> tuple[Project, list[Diagnostic]]:
    """Read the project file; one that is a link out of the project is reported with such links."""
    path = root / PROJECT_FILE
    if path in folder.found.outside and path not in overlay and path not in folder.files:
        empty_file = SourceFile(path, shown_name(path), "")
        return Project(root, empty_file, languages_known=False, is_sound=False), []
    file = _read(path, overlay, folder)
    if isinstance(file, SourceFile):
        return read_project(root, file)
    finding = problem_finding(file)
    if path not in overlay and not path.exists():
        message = f"There is no {PROJECT_FILE} in this folder."
        step = f"Create {PROJECT_FILE} with a line such as `project: My cards`."
        finding = Diagnostic("missing-project-file", message, file.span, step)
    return Project(root, file.span.file, languages_known=False, is_sound=False), [finding]


def problem_finding(problem: ReadProblem) -> Diagnostic:
    """Return the finding about a file that could not be read."""
    return Diagnostic(problem.name, problem.message, problem.span, problem.next_step)


def _folder_findings(root: Path, listing: FolderListing) -> list[Diagnostic]:
    """Return a finding for each file and folder that cannot be read or used as it is named."""
    findings = []
    for path in listing.outside:
        span = _beginning_of(path)
        message = f"{span.file.name} is a link that leads out of the project, so it is not read."
        name = "unreadable-file" if path.name == PROJECT_FILE else "link-outside-project"
        findings.append(Diagnostic(name, message, span, "Copy what it leads to into the project."))
    for path in listing.broken_links:
        span = _beginning_of(path)
        message = f"{span.file.name} is a link that leads to nothing."
        findings.append(Diagnostic("unreadable-file", message, span, "Remove it, or make it anew."))
    for path in listing.misnamed:
        span = _beginning_of(path)
        message = f"{span.file.name} is not read: the end of its name is {path.suffix}."
        step = f"Rename it to {path.stem}. In Windows, let the Explorer show file name extensions."
        findings.append(Diagnostic("unread-file", message, span, step))
    for name in listing.alike:
        findings.append(_alike(root, name))
    for path in listing.unreadable:
        span = _beginning_of(path)
        message = f"The folder {span.file.name} cannot be opened."
        step = "Check its permissions; if it lies more than 60 folders deep, move it up."
        findings.append(Diagnostic("unreadable-file", message, span, step))
    return findings


def _beginning_of(path: Path) -> Span:
    """Return the beginning of a file or folder, which is not read, as the place of a finding."""
    return SourceFile(path, shown_name(path), "").span(0, 0)


def _alike(root: Path, name: str) -> Diagnostic:
    """Return the finding about a file whose name looks the same as that of another one."""
    span = _beginning_of(root / name)
    codes = ", ".join(dict.fromkeys(f"U+{ord(char):04X}" for char in name if not char.isascii()))
    message = f"Two files are called {span.file.name}: their names look the same, and only one is used."
    step = f"Remove or rename one of them; this one is written with {codes}."
    return Diagnostic("unread-file", message, span, step)


@contextmanager
def without_garbage_collection(*, for_good: bool = False) -> Iterator[None]:
    """Suspend the garbage collector: loading creates no garbage, and collections take as long as loading.

    ``for_good`` also exempts what was built from all later collections (``gc.freeze``), for programs that
    load once and end. Reference counting still frees it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if for_good:
                gc.freeze()
            gc.enable()
