"""Writing decks for Tabletop Simulator: deck sheets as pictures, and a saved object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
from toolkit.press.sheet import Failure, over_limit
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, select_cards, sub_progress
from toolkit.products.tabletop_simulator.deck_pictures import (
    CARDS_ON_A_SHEET,
    NOTE,
    DeckPicture,
    DeckSheet,
    TableCard,
    TableDeck,
    TableSheet,
    deck_sheet_for,
    saved_object,
)
from toolkit.project.output import (
    Outcome,
    Refusal,
    cannot_write,
    failure_refusal,
    prepare_folder,
    refused_folder,
    unique_name,
)
from toolkit.project.pipeline import Workspace
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import Back, Face, Pile, back_of
from toolkit.render.page_raster import as_image, encode_png, is_our_png
from toolkit.render.renderer import Progress, Raster, Renderer
from toolkit.render.sizes import Size
from toolkit.source.addresses import invalid_folder_address
from toolkit.source.paths import absolute, below
from toolkit.source.writing import write_atomically
from toolkit.wording.text import plain

PILES: dict[Pile, str] = {
    "operator": "OPERATORs",
    "deck": "DECK",
    "item": "ITEMDECK",
    "objective": "OBJECTIVEs",
}
"""The names of the piles in the game; the nouns of the rules are the same in every language."""


class DeckPart(Struct, frozen=True):
    """The cards of one deck sheet; ``number`` counts all sheets, ``count`` those of its deck, both from 1."""

    back: Back
    name: str
    number: int
    count: int
    layout: DeckSheet
    settings: PictureSettings
    faces: Sequence[Face]

    @property
    def file(self) -> str:
        """The file name of the sheet."""
        return f"{self.name}-{self.count}.png"

    @property
    def back_file(self) -> str:
        """The file name of the back."""
        return f"back-{self.name}.png"


def deck_parts(job: PrintJob) -> Iterator[DeckPart]:
    """Yield the deck sheets pile by pile. Cards with another back or size are a deck of their own."""
    piles: dict[tuple[Back, Size, float], list[Face]] = {}
    for face in job.faces:
        plan = job.layouts.of(face.kind)
        piles.setdefault((back_of(face), plan.card, plan.bleed), []).append(face)
    number = 0
    taken_names: set[str] = set()
    for (card_back, size, bleed), faces in piles.items():
        name = unique_name(str(card_back), taken_names)
        for count, start in enumerate(range(0, len(faces), CARDS_ON_A_SHEET), 1):
            number += 1
            faces_on_sheet = faces[start : start + CARDS_ON_A_SHEET]
            layout = deck_sheet_for(len(faces_on_sheet), size)
            settings = PictureSettings(size, layout.dpi, bleed, face_options=job.face_options)
            yield DeckPart(card_back, name, number, count, layout, settings, faces_on_sheet)


def deck_title(deck_part: DeckPart, parts: Sequence[DeckPart]) -> str:
    """Return the name of a deck in the game, with the TEAM if its cards have a back of their own."""
    pile = deck_part.back.pile
    is_only_deck = len({other_part.name for other_part in parts if other_part.back.pile == pile}) == 1
    if is_only_deck:
        return PILES[pile]
    first_team, *other_teams = dict.fromkeys(face.team_name for face in deck_part.faces)
    team = None if other_teams else first_team
    return f"{PILES[pile]} {team or deck_part.name}"


_NOTE_WITHIN = 1024

MAX_OBJECTS = 10_000
"""The maximum of cards unless the user asks for more: each is an object of the game."""


class TtsRequest(PrintRequest, frozen=True):
    """The request for decks: ``url_base`` is the URL of the folder once it is online (None: it stays local).

    The game keeps what it has loaded from an address for good. So pictures that go online are named by their
    content: a changed card has a new address. ``many_objects`` lifts the limit of ``MAX_OBJECTS``.
    """

    url_base: str | None = None
    many_objects: bool = False

    def name_of(self, file: str, content: bytes) -> str:
        """Return the name under which a picture is written: online with a digest of its content."""
        if self.url_base is None:
            return file
        return f"{file.removesuffix('.png')}-{blake2b(content, digest_size=5).hexdigest()}.png"

    def address(self, name: str) -> str:
        """Return the URL at which the game finds a file of the folder."""
        if self.url_base is None:
            return absolute(self.output / name).as_uri()
        return f"{self.url_base.rstrip('/')}/{quote(name)}"


def write_tts(workspace: Workspace, request: TtsRequest, progress: Progress) -> Outcome | Refusal:
    """Write deck sheets, backs and the saved object; only files of opforge are replaced."""
    job = select_cards(workspace, request, _invalid_url_base(request.url_base))
    if not isinstance(job, PrintJob):
        return job
    copies = sum(face.quantity for face in job.faces)
    failure = over_limit(copies, copies, "objects", None if request.many_objects else MAX_OBJECTS)
    if failure is not None:
        return failure_refusal(failure)
    engine = choose_renderer()
    if isinstance(engine, NoEngine):
        return failure_refusal(Failure(engine.message, engine.next_step))
    parts = list(deck_parts(job))
    title = job.project.name or "Cards"
    save_file = f"{_file_name(title)}.json"
    files = [name for deck_part in parts for name in (deck_part.file, deck_part.back_file)]
    local_files = dict.fromkeys(files) if request.url_base is None else ()
    refused = prepare_folder(request.output, [save_file, *local_files], _is_ours)
    if refused:
        return refused
    try:
        written_sheets = _write_sheets(parts, job, request, engine, progress)
        if isinstance(written_sheets, Refusal):
            return written_sheets
        decks = tuple(_decks(parts, request, written_sheets.names, written_sheets.left_out))
        write_atomically(below(request.output, save_file), json_text(saved_object(title, decks)).encode())
    except OSError as error:
        return cannot_write(request.output, error)
    report = job.report(written_sheets.diagnostics)
    return _outcome(request.output, save_file, decks, report)


class _WrittenSheets(NamedTuple):
    """The names of the written pictures by file, the findings, and the cards that could not be drawn."""

    names: dict[str, str]
    diagnostics: list[Diagnostic]
    left_out: set[Face]


def _write_sheets(
    parts: Sequence[DeckPart], job: PrintJob, request: TtsRequest, engine: Renderer, progress: Progress
) -> _WrittenSheets | Refusal:
    """Draw and write all deck sheets and backs. Raises ``OSError``."""
    written_sheets = _WrittenSheets({}, [], set())
    drawn_count = 0
    for deck_part in parts:
        part_progress = sub_progress(progress, drawn_count, len(job.faces) + len(parts))
        drawn = _draw_sheet(deck_part, job, engine, part_progress)
        if isinstance(drawn, Failure):
            return failure_refusal(drawn)
        pictures, findings, failed_faces = drawn
        for file, content in pictures.items():
            name = request.name_of(file, content)
            refused = refused_folder(request.output, [name], _is_ours)
            if refused:
                return refused
            write_atomically(below(request.output, name), content)
            written_sheets.names[file] = name
        drawn_count += len(deck_part.faces) + 1
        written_sheets.diagnostics.extend(findings)
        written_sheets.left_out.update(failed_faces)
    return written_sheets


def _outcome(folder: Path, save_file: str, decks: Sequence[TableDeck], report: Report) -> Outcome:
    """Return what was written, as a sentence and data."""
    sizes = [sum(card.quantity for card in deck.cards) for deck in decks]
    deck_words = ", ".join(f"{deck.name} {size}" for deck, size in zip(decks, sizes, strict=True))
    sheets = counted(sum(len(deck.sheets) for deck in decks), "deck sheet")
    data = {
        "folder": str(folder),
        "file": save_file,
        "decks": [
            {
                "name": deck.name,
                "cards": size,
                "sheets": [sheet.face for sheet in deck.sheets],
                "back": deck.sheets[0].back,
            }
            for deck, size in zip(decks, sizes, strict=True)
        ],
    }
    return Outcome(f"{folder / save_file}: {deck_words}; {sheets}.", report, data)


def _invalid_url_base(url_base: str | None) -> str | None:
    """Return an error message if the game cannot load files from a URL; from this computer it can, too."""
    is_local = url_base is not None and re.fullmatch(r"file://\S+", url_base)
    return None if is_local else invalid_folder_address(url_base)


def _draw_sheet(
    deck_part: DeckPart, job: PrintJob, engine: Renderer, progress: Progress
) -> tuple[dict[str, bytes], tuple[Diagnostic, ...], set[Face]] | Failure:
    """Draw the cards of a sheet and its back, which is also at the last place.

    Return the pictures by file name, the findings and the cards that failed.
    """
    picture = DeckPicture(deck_part.layout)
    places: dict[Subject, int] = {face: slot_number for slot_number, face in enumerate(deck_part.faces)}
    places[deck_part.back] = deck_part.layout.last
    missing = set(deck_part.faces)
    pictures: dict[str, bytes] = {}

    def store(subject: Subject, raster: Raster) -> None:
        picture.put(places[subject], raster)
        if isinstance(subject, Face):
            missing.discard(subject)
        else:
            pictures[deck_part.back_file] = encode_png(as_image(raster), deck_part.layout.dpi)

    roots = job.roots
    diagnostics = draw_cards(
        deck_part.faces, [deck_part.back], deck_part.settings, roots, store, progress, engine
    )
    if isinstance(diagnostics, Failure):
        return diagnostics
    pictures[deck_part.file] = picture.png()
    return pictures, diagnostics, missing


def _decks(
    parts: Sequence[DeckPart], request: TtsRequest, names: Mapping[str, str], left_out: set[Face]
) -> Iterator[TableDeck]:
    """Yield the decks with the cards that were drawn; ``names`` are those of the pictures by file, and
    ``left_out`` are the other cards."""
    for name in dict.fromkeys(deck_part.name for deck_part in parts):
        parts_of_deck = [deck_part for deck_part in parts if deck_part.name == name]
        first_part, *_ = parts_of_deck
        back_address = request.address(names[first_part.back_file])
        sheets = [
            TableSheet(
                deck_part.number, deck_part.layout, request.address(names[deck_part.file]), back_address
            )
            for deck_part in parts_of_deck
        ]
        cards = [
            TableCard(face.id, face.name, _text(face), deck_part.number, slot_number, face.quantity)
            for deck_part in parts_of_deck
            for slot_number, face in enumerate(deck_part.faces)
            if face not in left_out
        ]
        if cards:
            yield TableDeck(deck_title(first_part, parts), sheets, cards)


def _text(face: Face) -> str:
    """Return the rules text, with the name before each SKILL."""
    return "\n".join(
        f"{skill.name}: {plain(skill.paragraphs)}" if skill.name else plain(skill.paragraphs)
        for skill in face.skills
    )


def _file_name(title: str) -> str:
    """Return a file name for the project: its name in lower case, with letters and digits only."""
    return re.sub(r"[^\w]+", "-", title.casefold()).strip("-") or "cards"


def _is_ours(path: Path) -> bool:
    """Whether a picture or a saved object was written by opforge."""
    if path.suffix == ".png":
        return is_our_png(path)
    with path.open("rb") as file:
        return NOTE.encode() in file.read(_NOTE_WITHIN)
