"""Reading CSV and XLSX files as rows of texts, each with its place. Nothing is calculated."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolkit.tables.formats import unescape_formula

MAX_BYTES = 20_000_000
MAX_UNPACKED = 30_000_000
"""Bytes of a file, and of what is packed in it, at most."""

MAX_MERGED = 100_000
"""Merged cells in a sheet, at most: openpyxl (3.1) visits each of them, even of a whole empty sheet."""

MAX_ROWS = 20_000
MAX_COLUMNS = 400


class Problem(Struct, frozen=True, order=True):
    """A problem at a place of a table, or with a card that it names; ``serious`` if it is an error."""

    place: str
    name: str
    message: str
    next_step: str
    serious: bool = True


class SheetRow(Struct, frozen=True):
    """A row: its place, its cells by header, and the places of its cells."""

    place: str
    cells: Mapping[str, str]
    places: Mapping[str, str]

    def place_of(self, header: str) -> str:
        """Return the place of a cell, or of the row if there is no such cell."""
        return self.places.get(header, self.place)


class Sheet(Struct, frozen=True):
    """The rows of a table. ``kind`` is the name of its worksheet; ``headers`` are as written, with places."""

    kind: str
    headers: Mapping[str, str]
    rows: Sequence[SheetRow]


class Book(Struct, frozen=True):
    """All tables of a file, and the problems with their cells."""

    sheets: tuple[Sheet, ...]
    problems: tuple[Problem, ...] = ()


def read_book(path: Path) -> Book | str:
    """Read the tables of a file, or return a sentence why it cannot be read."""
    ending = path.suffix.lower()
    try:
        if path.stat().st_size > MAX_BYTES:
            return f"{path} is larger than {MAX_BYTES // 1_000_000} MB."
        content = path.read_bytes()
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}."
    if ending in (".csv", ".tsv", ".txt"):
        return _read_csv(path.name, content)
    if ending == ".xlsx":
        return _read_xlsx(path.name, content)
    return f"{path} is not a table that can be read: its name must end in .csv or .xlsx."


def _read_csv(name: str, content: bytes) -> Book | str:
    decoded = _decode(name, content)
    if decoded is None:
        return f"{name} is not a text file: save it as CSV, in UTF-8."
    text, problems = decoded
    csv.field_size_limit(MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    lines: list[tuple[int, list[str]]] = []
    try:
        begins = 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((begins, [unescape_formula(cell) for cell in cells]))
            begins = reader.line_num + 1  # a cell with line ends makes a row of several lines
            if len(lines) > MAX_ROWS + 1 or len(cells) > MAX_COLUMNS:
                return _too_large(name)
    except csv.Error as error:
        return f"{name}:{reader.line_num} cannot be read as CSV: {error}."
    if not lines:
        return f"{name} has no rows."
    places = {line: [f"{name}:{line}"] * len(cells) for line, cells in lines}
    sheet = _make_sheet("", [(f"{name}:{line}", cells, places[line]) for line, cells in lines])
    return Book((sheet,), tuple(problems)) if isinstance(sheet, Sheet) else sheet


def _decode(name: str, content: bytes) -> tuple[str, list[Problem]] | None:
    """Return the text of a file, with a warning if its encoding is a guess; None if it is not text."""
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return _without_nul(content.decode(encoding)), []
    except ValueError:
        pass
    try:  # Excel's "CSV" is in the code page of the system; five bytes of this one are undefined
        text = _without_nul(content.decode("cp1252"))
    except ValueError:
        return None
    step = "Save it as CSV UTF-8 if letters such as ä or é come out wrong."
    message = f"{name} is not UTF-8; it was read as Windows-1252."
    return text, [Problem(f"{name}:1", "table-encoding", message, step, serious=False)]


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError
    return text


def _delimiter(text: str) -> str:
    """Return the delimiter: the candidate that is most frequent in the first line."""
    first = text.splitlines()[0] if text else ""
    return max(",;\t", key=lambda sign: (first.count(sign), sign == ","))


def _too_large(name: str) -> str:
    return f"{name} has more than {MAX_ROWS:,} rows or {MAX_COLUMNS} columns; split it."


Line = tuple[str, Sequence[str], Sequence[str]]
"""The place of a row, its cells, and their places."""


def _make_sheet(kind: str, lines: Sequence[Line]) -> Sheet | str:
    """Return the sheet whose headers are the first line, or a sentence about what is wrong with them."""
    place, first, places = lines[0]
    headers: dict[str, str] = {}
    names = [cell.strip() for cell in first]
    for header, row_place in zip(names, places, strict=False):
        if header and header in headers:
            return f"{row_place}: the column `{header}` is duplicated."
        if header:
            headers[header] = row_place
    if not headers:
        return f"{place}: the first row must have the names of the columns, such as id and kind."
    rows = []
    for row_place, cells, inside in lines[1:]:
        found = {header: cell for header, cell in zip(names, cells, strict=False) if header}
        header_places = {header: spot for header, spot in zip(names, inside, strict=False) if header}
        rows.append(SheetRow(row_place, found, header_places))
    return Sheet(kind, headers, tuple(rows))


def _read_xlsx(name: str, content: bytes) -> Book | str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(inside.file_size for inside in packed.infolist()) > MAX_UNPACKED:
                return f"{name} unpacks to more than {MAX_UNPACKED // 1_000_000} MB."
            if any(_merges_too_much(packed, part) for part in packed.namelist() if "sheet" in part.lower()):
                return f"{name} has a sheet with more than {MAX_MERGED:,} merged cells; split them."
    except (zipfile.BadZipFile, ValueError, SyntaxError, OSError, RuntimeError, NotImplementedError):
        return f"{name} is not a spreadsheet: save it again as .xlsx or .csv."
    from openpyxl import load_workbook

    try:
        formulas = load_workbook(io.BytesIO(content), keep_links=False)
        values = load_workbook(io.BytesIO(content), data_only=True, keep_links=False)
    except Exception as error:  # the library raises whatever a damaged part makes it raise
        return f"{name} is not a spreadsheet that can be read: {type(error).__name__}."
    sheets: list[Sheet] = []
    problems: list[Problem] = []
    for sheet, known in zip(formulas.worksheets, values.worksheets, strict=False):
        if sheet.max_row > MAX_ROWS + 1 or sheet.max_column > MAX_COLUMNS:
            return _too_large(f"{name}#{sheet.title}")
        label = f"{name}#{sheet.title}"
        problems += _merge_problems(label, sheet)
        lines = list(_worksheet_lines(label, sheet, known, problems))
        if lines:
            made = _make_sheet(sheet.title, lines)
            if isinstance(made, str):
                return made
            sheets.append(made)
    return Book(tuple(sheets), tuple(problems)) if sheets else f"{name} has no rows."


def _worksheet_lines(label: str, sheet: Any, values: Any, problems: list[Problem]) -> Iterator[Line]:
    """Yield the rows of a worksheet that are not empty, and add the problems of its cells.

    ``values`` is the same worksheet with the stored values of formulas, which openpyxl cannot read together.
    """
    for number, row in enumerate(sheet.iter_rows(), 1):
        texts, places = [], []
        for cell in row:
            place = f"{label}!{cell.coordinate}"
            formula = cell.value if cell.data_type == "f" else None
            found = _cell_text(formula, values[cell.coordinate].value, place)
            if isinstance(found, Problem):
                problems.append(found)
                found = ""
            texts.append(found)
            places.append(place)
        if any(texts):
            yield f"{label}!A{number}", texts, places


def _merges_too_much(packed: zipfile.ZipFile, part: str) -> bool:
    """Whether a sheet has too many merged cells to be read in reasonable time."""
    from defusedxml.ElementTree import iterparse
    from openpyxl.utils import range_boundaries

    cells = 0
    if not part.endswith(".xml"):
        return False
    with packed.open(part) as file:
        for _, element in iterparse(file, forbid_dtd=True):
            if element.tag.endswith("}mergeCell") or element.tag == "mergeCell":
                left, top, right, bottom = (side or 0 for side in range_boundaries(element.get("ref", "A1")))
                cells += (right - left + 1) * (bottom - top + 1)
            element.clear()
    return cells > MAX_MERGED


def _merge_problems(label: str, sheet: Any) -> Iterator[Problem]:
    for merged in sheet.merged_cells.ranges:
        yield Problem(
            f"{label}!{merged.coord}",
            "wrong-cell",
            "Merged cells have one value only.",
            "Split the cells and fill in each.",
        )


def _cell_text(formula: Any, value: Any, place: str) -> str | Problem:
    """Return a cell as text; for a formula the value that the spreadsheet program stored."""
    if formula is not None and value is None:
        step = "Open the file in a spreadsheet program and save it, or write the value itself."
        return Problem(place, "wrong-cell", f"The formula `{str(formula)[:60]}` has no stored value.", step)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (date, time)):
        step = "Format the cell as text and write it again."
        return Problem(place, "wrong-cell", f"This is a date, {value}, where a text is expected.", step)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
