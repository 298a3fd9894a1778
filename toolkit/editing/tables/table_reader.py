"""Reading CSV and XLSX files as rows of texts, each with its place. Nothing is calculated.

openpyxl is imported only for a workbook: it takes 70 ms.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolkit.editing.tables.table_formats import unescape_formula
from toolkit.editing.tables.workbooks import SheetFacts, WorkbookProblem, read_facts

MAX_BYTES = 20_000_000
"""Bytes of a file, at most."""

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
    """The rows of a table. ``kind`` is the name of its worksheet; ``headers`` are as written, with places.

    ``repeated`` are the places of later columns with the same header, whose cells are not read.
    """

    kind: str
    headers: Mapping[str, str]
    rows: Sequence[SheetRow]
    repeated: Mapping[str, str] = {}


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
    return read_content(path.name, ending, content)


def read_content(name: str, ending: str, content: bytes) -> Book | str:
    """Read the tables of a file with that content, or return a sentence why they cannot be read."""
    if ending in (".csv", ".tsv", ".txt"):
        return _read_csv(name, content)
    if ending == ".xlsx":
        return _read_xlsx(name, content)
    other = {".xls": " an older Excel file", ".ods": " an OpenDocument file", ".numbers": " a Numbers file"}
    problem_text = f"is{other[ending]}" if ending in other else "is not a table that can be read"
    return f"{name} {problem_text}: its name must end in .csv or .xlsx."


def _read_csv(name: str, content: bytes) -> Book | str:
    """Read a CSV file, which may begin with Excel's line ``sep=;``; return a sentence if it is none."""
    decoded = _decode(name, content)
    if decoded is None:
        return f"{name} is not a text file: save it as CSV, in UTF-8."
    text, problems = decoded
    rows = _csv_rows(name, text)
    if isinstance(rows, str):
        return rows
    if not rows:
        return f"{name} has no rows."
    lines: list[Line] = []
    for line_number, cells in rows:
        location = f"{name}:{line_number}"
        errors = [cell.strip() for cell in cells if cell.strip() in _ERRORS]
        problems += [_error_cell(location, error) for error in errors]
        kept_cells = ["" if cell.strip() in _ERRORS else cell for cell in cells]
        lines.append((location, kept_cells, [location] * len(cells)))
    sheet = _make_sheet("", lines)
    return Book((sheet,), tuple(problems)) if isinstance(sheet, Sheet) else sheet


def _csv_rows(name: str, text: str) -> list[tuple[int, list[str]]] | str:
    """Return the rows that are not empty, each with the number of its first line, or why there are none."""
    csv.field_size_limit(MAX_BYTES)
    separator_line = _SEPARATOR_LINE.match(text)
    skipped_lines = 0
    if separator_line:
        skipped_lines, text = 1, text[separator_line.end() :]
    delimiter = separator_line["separator"] if separator_line else _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    try:
        first_line = 1 + skipped_lines
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((first_line, [unescape_formula(cell) for cell in cells]))
            # a cell with line ends makes a row of several lines
            first_line = reader.line_num + 1 + skipped_lines
            if len(rows) > MAX_ROWS + 1 or len(cells) > MAX_COLUMNS:
                return _too_large(name)
    except csv.Error as error:
        return f"{name}:{reader.line_num + skipped_lines} cannot be read as CSV: {error}."
    return rows


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
    """Return a text; raises ``ValueError``, as for a wrong encoding, if it has a NUL."""
    if "\0" in text:
        raise ValueError
    return text


_DELIMITERS = ";,\t|"
_SEPARATOR_LINE = re.compile(r"(?i)sep=(?P<separator>[^\r\n])\r?\n?")
"""The first line with which Excel names the delimiter."""

_SAMPLE = 20
"""Records by which the delimiter is judged."""


def _delimiter(text: str) -> str:
    """Return the delimiter: the candidate with which most records have as many cells as the header.

    Of those that fit equally well it is the one with most columns. Delimiters and line ends between quotes do
    not count, nor do those of texts, whose number differs from row to row.
    """

    def agreement(sign: str) -> tuple[float, int]:
        """Return the share of records with as many cells as the first, and how many cells that has."""
        try:
            records = list(islice(csv.reader(io.StringIO(text, newline=""), delimiter=sign), _SAMPLE))
        except csv.Error:
            return 0.0, 0
        widths = [len(record) for record in records if any(cell.strip() for cell in record)]
        width_of_header = next(iter(widths), 0)
        if width_of_header < 2:
            return 0.0, 0
        return widths.count(width_of_header) / len(widths), width_of_header

    best = max(_DELIMITERS, key=agreement)
    _share, width = agreement(best)
    return best if width else ","


def _too_large(name: str) -> str:
    return f"{name} has more than {MAX_ROWS:,} rows or {MAX_COLUMNS} columns; split it."


Line = tuple[str, Sequence[str], Sequence[str]]
"""The place of a row, its cells, and their places."""


def _make_sheet(kind: str, lines: Sequence[Line]) -> Sheet | str:
    """Return the sheet whose headers are the first line, or a sentence about what is wrong with them."""
    (location, header_cells, header_places), *lines_of_cards = lines
    headers: dict[str, str] = {}
    repeated: dict[str, str] = {}
    names = [cell.strip() for cell in header_cells]
    for number, (header, place) in enumerate(zip(names, header_places, strict=False)):
        if header and header in headers:
            repeated.setdefault(header, place)
            names[number] = ""  # only the first of them is read
        elif header:
            headers[header] = place
    if not headers:
        return f"{location}: the first row must have the names of the columns, such as id and kind."
    rows = []
    for row_place, cells, places in lines_of_cards:
        cells_by_header = {header: cell for header, cell in zip(names, cells, strict=False) if header}
        places_by_header = {header: place for header, place in zip(names, places, strict=False) if header}
        rows.append(SheetRow(row_place, cells_by_header, places_by_header))
    return Sheet(kind, headers, tuple(rows), repeated)


def _read_xlsx(name: str, content: bytes) -> Book | str:
    """Read a workbook, each sheet twice: with its formulas and with their stored values."""
    facts = _facts_of_sheets(name, content)
    if isinstance(facts, str):
        return facts
    from openpyxl import load_workbook

    sheets: list[Sheet] = []
    problems: list[Problem] = []
    try:
        # read-only: cells are read row by row, and merges over whole columns are not filled in
        formulas = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
        values = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        for sheet, stored in zip(formulas.worksheets, values.worksheets, strict=False):
            sheet_facts = facts.get(sheet.title, SheetFacts())
            label = f"{name}#{sheet.title}"
            if sheet_facts.last_row > MAX_ROWS + 1 or sheet_facts.last_column > MAX_COLUMNS:
                return _too_large(label)
            problems += _facts_problems(label, sheet_facts)
            lines = list(_worksheet_lines(label, sheet, stored, sheet_facts, problems))
            if lines:
                made_sheet = _make_sheet(sheet.title, lines)
                if isinstance(made_sheet, str):
                    return made_sheet
                sheets.append(made_sheet)
    except Exception as error:  # the library raises whatever a damaged part makes it raise
        return f"{name} is not a spreadsheet that can be read: {type(error).__name__}."
    return Book(tuple(sheets), tuple(problems)) if sheets else f"{name} has no rows."


def _facts_of_sheets(name: str, content: bytes) -> dict[str, SheetFacts] | str:
    """Return what openpyxl does not tell of the sheets of a workbook, or why it is not read."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return read_facts(packed)
    except WorkbookProblem as problem:
        return f"{name} {problem}"
    except (
        zipfile.BadZipFile,
        zlib.error,
        ValueError,
        SyntaxError,
        OSError,
        RuntimeError,
        NotImplementedError,
    ):  # what a damaged archive, or damaged XML in it, makes the standard library raise
        return f"{name} is not a spreadsheet: save it again as .xlsx or .csv."


def _worksheet_lines(
    label: str, sheet: Any, values: Any, facts: SheetFacts, problems: list[Problem]
) -> Iterator[Line]:
    """Yield the rows of a worksheet that are not empty, and add the problems of its cells.

    ``values`` is the same worksheet with the stored values of formulas, which openpyxl cannot read together.
    """
    for worksheet in (sheet, values):
        worksheet.reset_dimensions()  # what a file says of its size is not to be relied on
    last = facts.last_row
    rows = zip(sheet.iter_rows(max_row=last), values.iter_rows(max_row=last), strict=False) if last else ()
    for number, (row, stored_row) in enumerate(rows, 1):
        texts, places = [], []
        for column, (cell, stored) in enumerate(zip(row[: facts.last_column], stored_row, strict=False), 1):
            location = f"{label}!{_letters(column)}{number}"
            formula = cell.value if getattr(cell, "data_type", "") == "f" else None
            text = _cell_text(formula, stored, location)
            if isinstance(text, Problem):
                problems.append(text)
                text = "" if text.serious else _plain(stored.value)
            texts.append(text)
            places.append(location)
        if any(texts):
            yield f"{label}!A{number}", texts, places


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _facts_problems(label: str, facts: SheetFacts) -> Iterator[Problem]:
    """Yield the merges of a sheet, and that it or parts of it are hidden: these are read all the same."""
    for merged in facts.merges:
        step = "Split the cells and fill in each."
        yield Problem(f"{label}!{merged}", "wrong-cell", "Merged cells have one value only.", step)
    if facts.is_hidden:
        step = "Delete the sheet if its cards are retired, or show it."
        yield Problem(label, "wrong-cell", "This sheet is hidden; it was read.", step, serious=False)
    rows = [row for row in facts.hidden_rows if row <= facts.last_row]
    if rows:
        first_row, *_ = rows
        step = "Delete them if their cards are retired, or take the filter away."
        yield Problem(f"{label}!A{first_row}", "wrong-cell", _are_hidden("row", rows), step, serious=False)
    columns = [
        _letters(number)
        for first, last in facts.hidden_columns
        for number in range(first, min(last, facts.last_column) + 1)
    ]
    if columns:
        first_column, *_ = columns
        message = _are_hidden("column", columns)
        step = "Show them, or put a `#` before their names to leave them out."
        yield Problem(f"{label}!{first_column}1", "wrong-cell", message, step, serious=False)


def _are_hidden(noun: str, names: Sequence[object]) -> str:
    """Return the sentence that some rows or columns are hidden, but were read."""
    if len(names) == 1:
        return f"1 {noun} is hidden ({_some(names)}); it was read."
    return f"{len(names)} {noun}s are hidden ({_some(names)}); they were read."


def _some(items: Sequence[object]) -> str:
    """Return the first five of them as text."""
    return ", ".join(map(str, items[:5])) + (", …" if len(items) > 5 else "")


_ERRORS = frozenset(
    [
        "#REF!",
        "#N/A",
        "#NAME?",
        "#VALUE!",
        "#DIV/0!",
        "#NUM!",
        "#NULL!",
        "#SPILL!",
        "#CALC!",
        "#FIELD!",
        "#BLOCKED!",
        "#CONNECT!",
        "#UNKNOWN!",
        "#ERROR!",
        "#BEZUG!",
        "#NV",
        "#WERT!",
        "#ZAHL!",
        "#ÜBERLAUF!",
    ]
)
"""What a cell shows whose formula has no result, in English and German programs."""


def _error_cell(location: str, text: str) -> Problem:
    return Problem(
        location, "wrong-cell", f"A cell has the error `{text}`.", "Mend its formula, or write the value."
    )


_STORED_SIGN = re.compile(r"_x(?P<code>[0-9A-Fa-f]{4})_")


def _plain(value: Any) -> str:
    """Return a stored value as text; signs that XML cannot hold are written as ``_x000D_``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return _STORED_SIGN.sub(lambda sign: chr(int(sign["code"], 16)).replace("\r", ""), str(value))


def _cell_text(formula: Any, cell: Any, location: str) -> str | Problem:
    """Return a cell as it is shown; for a formula the value that the spreadsheet program stored."""
    value = cell.value
    if formula is not None and value is None:
        message = f"The formula `{str(formula)[:60]}` has no stored value."
        step = "Open the file in a spreadsheet program and save it, or write the value itself."
        return Problem(location, "wrong-cell", message, step)
    if value is None:
        return ""
    if isinstance(value, (date, time, timedelta)):
        step = "Format the cell as text and write it again."
        return Problem(location, "wrong-cell", f"This is a date, {value}, where a text is expected.", step)
    text = _plain(value)
    if text in _ERRORS:
        return _error_cell(location, text)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        shown_text = _shown_number(value, cell.number_format)
        if shown_text is None:
            message = f"This cell may show {text} in another form; it was read as {text}."
            step = "Format the cell as text and write what it shows."
            return Problem(location, "wrong-cell", message, step, serious=False)
        return shown_text
    return text


_FORMAT = re.compile(
    r'(?:"(?P<prefix>[^"]*)")?(?P<zeros>0*)(?:\.(?P<decimals>0+))?(?P<percent>%?)(?:"(?P<suffix>[^"]*)")?'
)
"""The formats of numbers that are written out here: leading zeros, decimals, percent, texts around them."""


def _shown_number(value: float, form: str | None) -> str | None:
    """Return a number as the cell shows it; None where its format is not understood."""
    if form in (None, "", "General", "Standard", "@", "#", "#,##0") or (form == "0" and value == int(value)):
        return _plain(value)
    match = _FORMAT.fullmatch(form or "")
    if match is None or not (match["zeros"] or match["decimals"]):
        return None
    prefix, zeros, decimals, percent, suffix = (part or "" for part in match.groups())
    number = round(abs(value) * (100 if percent else 1), len(decimals))
    whole, point, decimals_text = f"{number:.{len(decimals)}f}".partition(".")
    sign = "-" if value < 0 and number else ""
    return f"{sign}{prefix}{whole.zfill(len(zeros))}{point}{decimals_text}{percent}{suffix}"
