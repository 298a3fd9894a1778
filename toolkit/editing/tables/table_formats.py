"""Tables as CSV, XLSX, JSON and Markdown. The same cards give the same bytes.

openpyxl is imported only for a workbook: it takes 70 ms.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from toolkit.diagnostics.escaping import json_text, markdown, one_line
from toolkit.editing.tables.columns import KINDS
from toolkit.editing.tables.rows import TEXT, Table, kind_of, table_of
from toolkit.project.pipeline import Workspace

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of cells that spreadsheet programs calculate: names of cards may come from strangers."""

_MAX_LIST_LENGTH = 255
"""Characters of a list of choices in a worksheet, at most (Excel's limit)."""

_MAX_COLUMN_WIDTH = 60.0
_EPOCH = (1980, 1, 1, 0, 0, 0)
_SAVED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def escape_formula(cell: str) -> str:
    """Return a cell for CSV, with `'` before what a program would calculate, and before `'` itself."""
    return f"'{cell}" if cell.startswith((*_FORMULA, "'")) else cell


def unescape_formula(cell: str) -> str:
    """Return a cell as it was before ``escape_formula``."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*_FORMULA, "'")) else cell


def to_csv(workspace: Workspace, kinds: Iterable[str]) -> bytes:
    """Return all rows as one table, in UTF-8 with a byte order mark: Excel would read it as Windows-1252."""
    table = table_of(workspace, tuple(kinds))
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow([escape_formula(row.cells.get(header, "")) for header in table.columns])
    return ("\ufeff" + written.getvalue()).encode()


def to_xlsx(workspace: Workspace, kinds: Iterable[str]) -> bytes:
    """Return a workbook with a sheet for each kind, the first row and the ids frozen."""
    from openpyxl import Workbook

    table = table_of(workspace, tuple(kinds))
    book = Workbook()
    (empty_sheet,) = book.sheetnames
    del book[empty_sheet]
    present_kinds = {row.kind for row in table.rows}
    # a workbook has at least one sheet
    for kind in [kind for kind in KINDS if kind in present_kinds] or ["cards"]:
        _fill_sheet(book.create_sheet(kind), table.of_kind(kind), workspace)
    book.properties.creator = "opforge"
    book.properties.created = book.properties.modified = datetime(*_EPOCH)
    written = io.BytesIO()
    book.save(written)
    return _with_fixed_times(written.getvalue())


def _fill_sheet(sheet: Worksheet, table: Table, workspace: Workspace) -> None:
    """Write a table column by column; whole numbers become numbers, all else stays text."""
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    top = Alignment(vertical="top", wrap_text=True)
    sheet.freeze_panes = "B2"
    for column, header in enumerate(table.columns, 1):
        cells = [header, *(row.cells.get(header, "") for row in table.rows)]
        for line, text in enumerate(cells, 1):
            if line > 1 and _is_whole_number(text):
                sheet.cell(line, column, int(text))
            elif text:
                cell = sheet.cell(line, column)
                cell.value = text
                cell.data_type = "s"  # openpyxl takes a text that begins with `=` for a formula
                cell.alignment = top
        sheet.cell(1, column).font = Font(bold=True, color="808080" if header.startswith("#") else "000000")
        longest = max(len(line) for text in cells for line in (text.split("\n") or [""]))
        sheet.column_dimensions[get_column_letter(column)].width = min(longest + 3.0, _MAX_COLUMN_WIDTH)
    if "team" in table.columns and table.rows:
        _add_dropdown(sheet, table.columns.index("team") + 1, len(table.rows), list(workspace.cards.teams))


def _is_whole_number(text: str) -> bool:
    """Whether a text is a number as a spreadsheet program writes it: ``7``, but not ``007``."""
    return text.isascii() and text.isdigit() and str(int(text)) == text


def _add_dropdown(sheet: Worksheet, column: int, rows: int, words: list[str]) -> None:
    """Make the cells of a column a choice from a list, unless that is too long."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    listed = f'"{",".join(words)}"'
    if words and len(listed) <= _MAX_LIST_LENGTH:
        rule = DataValidation(type="list", formula1=listed, allow_blank=True)
        letter = get_column_letter(column)
        rule.add(f"{letter}2:{letter}{rows + 1}")
        sheet.add_data_validation(rule)


def _with_fixed_times(content: bytes) -> bytes:
    """Return an archive with the same files in order, all with the same date."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive_before, zipfile.ZipFile(written, "w") as after:
        for name in sorted(archive_before.namelist()):
            inside = archive_before.read(name)
            if name == "docProps/core.xml":  # openpyxl 3.1 writes the time of saving, whatever was set
                inside = _SAVED.sub(rb"\g<1>1980-01-01T00:00:00Z", inside)
            after.writestr(zipfile.ZipInfo(name, _EPOCH), inside, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def to_json(workspace: Workspace, kinds: Iterable[str]) -> bytes:
    """Return the entries as they are written, with their generated texts."""
    table = table_of(workspace, tuple(kinds))
    rows = {row.id: row for row in table.rows}
    cards = []
    for entry in workspace.cards.printed_entries():
        if entry.id in rows:
            printed_texts = {
                header.removeprefix(TEXT): cell
                for header, cell in rows[entry.id].cells.items()
                if header.startswith(TEXT)
            }
            written = entry.node.value
            kind = {} if "kind" in written else {"kind": kind_of(entry)}  # which an OBJECTIVE does not say
            cards.append({**kind, **written, "printed": printed_texts})
    return json_text({"version": 1, "cards": cards}).encode()


def to_markdown(workspace: Workspace, kinds: Iterable[str]) -> bytes:
    """Return a table of names, numbers and printed texts for each kind, for a wiki or a pull request."""
    table, language = table_of(workspace, tuple(kinds)), workspace.cards.project.languages[0]
    parts = [f"# {markdown(one_line(workspace.cards.project.name))}"]
    printed_text = f"{TEXT}{language}"
    text_header = printed_text if printed_text in table.columns else "effect"
    for kind in KINDS:
        kind_table = table.of_kind(kind)
        numbers = ("squadpoints", "ap", "ep", "dp", "mp", "value")
        wanted_headers = (f"name.{language}", "team", *numbers, "traits", text_header, "quantity")
        columns = [
            header for header in wanted_headers if any(row.cells.get(header) for row in kind_table.rows)
        ]
        if kind_table.rows:
            # all is in one language: `#text.en` is the column `text`
            captions = [header.lstrip("#").removesuffix(f".{language}") for header in columns]
            lines = [f"## {kind.upper()}", "", _markdown_row(captions), "|---" * len(captions) + "|"]
            for row in kind_table.rows:
                lines.append(_markdown_row([row.cells.get(header, "") for header in columns]))
            parts.append("\n".join(lines))
    return ("\n\n".join(parts) + "\n").encode()


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(markdown(cell).replace("\n", "<br>") for cell in cells) + " |"


FORMATS: Mapping[str, Callable[[Workspace, Iterable[str]], bytes]] = {
    ".csv": to_csv,
    ".xlsx": to_xlsx,
    ".json": to_json,
    ".md": to_markdown,
}
"""The functions that write a table, by the ending of its file."""
