"""Writing a project as a website: a folder of pages that also work from the file system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import make_report
from toolkit.press.card_pictures import PictureSettings, Subject
from toolkit.press.sheet import Failure, PrintRunCache
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, select_cards, sub_progress
from toolkit.products.sheets.project_layouts import LayoutRequest, choose_layouts
from toolkit.products.sheets.write_sheets import SheetRequest, print_sheet, sheet_job
from toolkit.products.website.card_pages import font_licence, script, style_sheet
from toolkit.products.website.folder import SiteFolder, open_folder
from toolkit.products.website.rulings import play_all
from toolkit.products.website.site_contents import Download, Site, SitePictures, pages_of
from toolkit.products.website.site_pictures import (
    DPI,
    SUFFIX,
    PictureKeys,
    ScreenPicture,
    content_name,
    draw_for_screens,
    draw_logo,
    template_warnings,
)
from toolkit.project.faces import team_colours
from toolkit.project.output import Outcome, Refusal, cannot_write, failure_refusal
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Back, Face, back_of
from toolkit.render.pdf import page_count
from toolkit.render.renderer import Progress
from toolkit.source.addresses import invalid_folder_address
from toolkit.source.paths import named_alike

PAPERS = ("a4", "letter")
_SHEETS = {
    "site-fronts": LayoutRequest(sides="fronts"),
    "site-with-backs": LayoutRequest(sides="both", flip="long"),
}
"""The layouts of the sheets by the keys of their descriptions, without backs first (``PrintRunCache``)."""

_PICTURE = re.compile(r"[0-9a-f]{20}\.(webp|png)")
_COLOUR = "#37414b"
"""The background of the logo of a TEAM without colours."""


class SiteRequest(Struct, frozen=True):
    """The folder, the languages (empty: all of the project), whether to include the help, and the title.

    ``url_base`` is the address of the folder once it is published.
    """

    output: Path
    languages: Sequence[str] = ()
    docs: bool = False
    title: str | None = None
    url_base: str | None = None


def write_site(workspace: Workspace, request: SiteRequest, progress: Progress) -> Outcome | Refusal:
    """Write the pages, pictures and sheets; unchanged pictures and sheets are not rendered again.

    Pages are written last, when everything that they refer to exists.
    """
    invalid = invalid_folder_address(request.url_base)
    if invalid is not None:
        return Refusal(invalid)
    folder = open_folder(request.output)
    if isinstance(folder, Refusal):
        return folder
    jobs = []
    for language in request.languages or workspace.cards.project.languages:
        job = select_cards(workspace, PrintRequest(request.output, language))
        if not isinstance(job, PrintJob):
            return job
        jobs.append(job)
    try:
        return _SiteWriter(request, folder, jobs, progress).make()
    except _SiteRefused as error:
        return error.refusal
    except OSError as error:
        return cannot_write(Path(error.filename or request.output), error)


class _SiteRefused(Exception):
    """A ``Refusal`` on its way out of the writer."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class _PictureRun(Struct, frozen=True):
    """Pictures of one size: their job and their cache keys."""

    job: PrintJob
    settings: PictureSettings
    keys: dict[Subject, str]


class _SiteWriter:
    """Writes a website into its folder."""

    def __init__(
        self, request: SiteRequest, folder: SiteFolder, jobs: Sequence[PrintJob], progress: Progress
    ) -> None:
        """Prepare to write the cards of ``jobs``, one for each language."""
        self.request, self.folder, self.jobs, self.progress = request, folder, jobs, progress
        first_job, *_ = jobs
        self.workspace, self.roots = first_job.workspace, first_job.roots
        self.keys = PictureKeys(self.roots)
        self.made: dict[
            str, list[object]
        ] = {}  # for the manifest: by key the names and sizes of what is drawn
        self.files: set[str] = set()  # all of the website, by name
        self.findings: list[Diagnostic] = []
        self.print_caches = {job.language: PrintRunCache() for job in jobs}
        self.keys_with_findings: set[str] = set()
        self.drawn_count = 0

    def make(self) -> Outcome | Refusal:
        """Write everything. Raises ``OSError``.

        The manifest is written before each stage and behind the last one, so that whenever a run is
        interrupted the next one knows which files are ours.
        """
        teams = self.workspace.cards.teams.values()
        all_colours = {team.id: team_colours(self.workspace, team) for team in teams}
        colours = {team: pair for team, pair in all_colours.items() if pair is not None}
        fixed_files = {
            "assets/site.css": style_sheet(colours),
            "assets/site.js": script(),
            "assets/OFL.txt": font_licence(),
        }
        refused = self.folder.refused([*fixed_files, *self._page_names()])
        if refused:
            return refused
        self.folder.begin((), {})
        try:
            downloads = self._downloads()
            cards, backs = self._pictures()
            logos = self._logos()
        finally:
            for print_cache in self.print_caches.values():
                print_cache.close()
            # After an interrupted run, the next one finds the pictures that were drawn.
            self.folder.begin((), self.made)
        site = Site(
            self.workspace,
            self.request.title or self.workspace.cards.project.name or "Cards",
            self.jobs,
            SitePictures(cards, backs, logos),
            play_all(self.workspace),
            downloads,
            self.request.docs,
            self.request.url_base,
        )
        pages = dict(pages_of(site))
        refused = self.folder.refused(pages)
        if refused:
            return refused
        self.folder.begin([*fixed_files, *pages], self.made)
        for name, content in (*fixed_files.items(), *pages.items()):
            self.folder.write(name, content)
            self.files.add(name)
        # Cards with findings are drawn again by the next run, so that it reports these again.
        sound_entries = {key: entry for key, entry in self.made.items() if key not in self.keys_with_findings}
        self.folder.finish(self.files, sound_entries)
        return self._outcome(sum(name.endswith(".html") for name in pages))

    def _page_names(self) -> Iterator[str]:
        """Yield the names of the pages that are certain to be written."""
        yield "index.html"
        for job in self.jobs:
            yield f"{job.language}/cards.js"
            yield from (f"{job.language}/cards/{face.id}.html" for face in job.faces)

    def _pictures(self) -> tuple[dict[Face, ScreenPicture], dict[Back, ScreenPicture]]:
        """Draw the cards and backs that have no picture yet, and return all pictures."""
        runs = list(self._runs())
        keys = {key for run in runs for key in run.keys.values()}
        pictures_by_key: dict[str, ScreenPicture] = {}
        for key in keys:
            known_picture = self._known_picture(key)
            if known_picture is not None:
                pictures_by_key[key] = known_picture
        missing = keys - pictures_by_key.keys()
        total = self.drawn_count = len(missing)
        for run in runs:
            to_draw = {subject: key for subject, key in run.keys.items() if key in missing}
            already_drawn = total - len(missing)
            missing -= set(to_draw.values())  # the same picture may be one of a later run, too
            if to_draw:
                progress = sub_progress(self.progress, already_drawn, total)
                pictures_by_key |= self._draw(run, to_draw, progress)
        return self._by_subject(runs, pictures_by_key)

    def _by_subject(
        self, runs: Sequence[_PictureRun], pictures_by_key: Mapping[str, ScreenPicture]
    ) -> tuple[dict[Face, ScreenPicture], dict[Back, ScreenPicture]]:
        """Return the pictures of cards and of backs that could be drawn, and keep them for the next site."""
        cards: dict[Face, ScreenPicture] = {}
        backs: dict[Back, ScreenPicture] = {}
        for run in runs:
            for subject, key in run.keys.items():
                if key not in pictures_by_key:
                    continue  # it could not be drawn, which is a finding
                if isinstance(subject, Face):
                    cards[subject] = pictures_by_key[key]
                else:
                    backs[subject] = pictures_by_key[key]
                self._keep(key, pictures_by_key[key])
        return cards, backs

    def _runs(self) -> Iterator[_PictureRun]:
        """Yield the pictures to draw, by language and size of card."""
        for job in self.jobs:
            self.findings += [*job.findings, *template_warnings(job.faces, job.roots)]
            for (size, bleed), faces in job.by_size().items():
                subjects: list[Subject] = [*faces, *(back_of(face) for face in faces)]
                keys = {
                    subject: self.keys.key(subject, size, bleed, job.face_options) for subject in subjects
                }
                yield _PictureRun(job, PictureSettings(size, DPI, bleed, face_options=job.face_options), keys)

    def _known_picture(self, key: str) -> ScreenPicture | None:
        """Return the picture of an earlier run if both of its files exist."""
        match self.folder.manifest.made.get(key):
            case [str(large), str(small), int(width), int(height)]:
                are_present = all(
                    _PICTURE.fullmatch(name) and self.folder.has(f"pictures/{name}")
                    for name in (large, small)
                )
                return ScreenPicture(large, small, width, height) if are_present else None
        return None

    def _draw(
        self,
        run: _PictureRun,
        to_draw: Mapping[Subject, str],
        progress: Progress,
    ) -> dict[str, ScreenPicture]:
        """Draw and write pictures of a run, and return them by their keys."""
        lock = Lock()
        pictures_by_key: dict[str, ScreenPicture] = {}

        def use(subject: Subject, picture: ScreenPicture, large: bytes, small: bytes) -> None:
            for name, content in ((picture.large, large), (picture.small, small)):
                self.folder.write(f"pictures/{name}", content)
            with lock:
                pictures_by_key[to_draw[subject]] = picture
                self._keep(to_draw[subject], picture)

        faces = [subject for subject in to_draw if isinstance(subject, Face)]
        backs = [subject for subject in to_draw if isinstance(subject, Back)]
        all_faces = tuple(subject for subject in run.keys if isinstance(subject, Face))
        settings, print_cache = run.settings, self.print_caches[run.job.language]
        printed = print_cache.runs.get((settings.card_size, settings.bleed, run.job.face_options, all_faces))
        if printed is not None and not {*backs} <= printed.backs.keys():  # only fronts were printed
            printed = None
        outcome = draw_for_screens(faces, backs, settings, run.job.roots, use, progress, printed)
        if isinstance(outcome, Failure):
            raise _SiteRefused(failure_refusal(outcome))
        self.findings += outcome
        cards = {finding.card for finding in outcome}
        self.keys_with_findings |= {to_draw[face] for face in faces if face.id in cards}
        return pictures_by_key

    def _keep(self, key: str, picture: ScreenPicture) -> None:
        self.made[key] = [picture.large, picture.small, picture.width, picture.height]
        self.files |= {f"pictures/{picture.large}", f"pictures/{picture.small}"}

    def _logos(self) -> dict[str, str]:
        """Draw the TEAMs' logos and return the names of their pictures."""
        names = {}
        for team in self.workspace.cards.teams.values():
            logo = team.logo
            if logo is None or logo.value not in self.workspace.cards.pictures:
                continue
            colour, *_ = team_colours(self.workspace, team) or (_COLOUR,)
            path = named_alike(self.workspace.root / logo.value)
            key = self.keys.key("logo", path, colour)
            match self.folder.manifest.made.get(key):
                case [str(name), *_] if _PICTURE.fullmatch(name) and self.folder.has(f"pictures/{name}"):
                    pass
                case _:
                    content = draw_logo(path, colour, self.roots)
                    if content is None:
                        continue
                    name = f"{content_name(content)}{SUFFIX}"
                    self.folder.write(f"pictures/{name}", content)
                    self.drawn_count += 1
            self.made[key] = [name]
            self.files.add(f"pictures/{name}")
            names[team.id] = name
        return names

    def _downloads(self) -> dict[str, list[Download]]:
        """Write the sheets and return them by language: fronts, and fronts with backs, for each paper."""
        downloads_by_language: dict[str, list[Download]] = {}
        for job in self.jobs:
            # Written by kind of sheet, because the cache needs sheets without backs first; listed by paper.
            written = [self._download(job, paper, sheet_kind) for sheet_kind in _SHEETS for paper in PAPERS]
            downloads = [download for download in written if download is not None]
            if downloads:
                downloads.sort(key=lambda download: PAPERS.index(download.paper))
                downloads_by_language[job.language] = downloads
        return downloads_by_language

    def _download(self, job: PrintJob, paper: str, sheet_kind: str) -> Download | None:
        """Write a PDF unless it is up to date; return None if the cards do not fit this paper."""
        project, layout = job.project, replace(_SHEETS[sheet_kind], paper=paper)
        name = f"print/{_ascii_name(project.name)}-{job.language}-{paper}-{layout.sides}.pdf"
        printed = [(face, face.quantity) for face in job.faces]
        settings = (project.name, project.version, project.author, repr(job.layouts))
        key = self.keys.key("sheet", job.language, paper, sheet_kind, printed, settings)
        match self.folder.manifest.made.get(key):
            case [str(known_name), int(pages), int(size)] if known_name == name and self.folder.has(name):
                pass
            case _:
                pdf = self._printed_pdf(job, layout, name)
                if not pdf:
                    return None
                self.folder.begin([name], self.made)  # listed first, so that an interrupted run can go on
                self.folder.write(name, pdf)
                pages, size = page_count(pdf), len(pdf)
        self.made[key] = [name, pages, size]
        self.files.add(name)
        return Download(name, sheet_kind, paper, pages, size)

    def _printed_pdf(self, job: PrintJob, layout: LayoutRequest, name: str) -> bytes | None:
        """Return the PDF of all cards; nothing if they do not fit the paper or none can be printed."""
        refused = self.folder.refused([name])
        if refused:
            raise _SiteRefused(refused)
        layouts = choose_layouts(self.workspace.cards, layout)
        if isinstance(layouts, str):
            return None
        request = SheetRequest(self.request.output / name, many_pages=True)
        sheets = sheet_job(replace(job, layouts=layouts), request)
        if isinstance(sheets, Refusal):
            _raise_unless_unprintable(sheets)
            return None
        printed_sheet = print_sheet(sheets, self.progress, self.print_caches[job.language])
        if isinstance(printed_sheet, Refusal):
            _raise_unless_unprintable(printed_sheet)
            return None
        return printed_sheet.pdf

    def _outcome(self, pages: int) -> Outcome:
        """Return what was written, as a sentence and data."""
        cards = len({face.id for job in self.jobs for face in job.faces})
        languages = [job.language for job in self.jobs]
        folder = self.request.output
        sentence = (
            f"{folder}: {counted(cards, 'card')} in {counted(len(languages), 'language')}, "
            f"{counted(pages, 'page')}; {counted(self.drawn_count, 'picture')} drawn. "
            f"Open {folder / 'index.html'}."
        )
        findings = list(dict.fromkeys(self.findings))
        report = make_report(findings, len(self.workspace.cards.files), cards)
        data = {
            "folder": str(folder),
            "languages": languages,
            "cards": cards,
            "pages": pages,
            "files": len(self.files) + 1,
            "drawn": self.drawn_count,
            "written": self.folder.written,
            "removed": self.folder.removed,
        }
        return Outcome(sentence, report, data)


def _raise_unless_unprintable(refusal: Refusal) -> None:
    """Raise a refusal, unless the cards cannot be printed so: the site is then without that PDF."""
    if refusal.cause != "request":
        raise _SiteRefused(refusal)


def _ascii_name(name: str) -> str:
    """Return a file name for a project: lower-case ASCII letters, digits and hyphens."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:40].strip("-") or "cards"
