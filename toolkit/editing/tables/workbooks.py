"""What openpyxl does not tell of an XLSX file, or reads at any price: bounds, merges, what is hidden.

A workbook is a ZIP file of XML parts. It may come from a stranger, so what it unpacks to and what its sheets
use is bounded before openpyxl sees it: a merge over whole columns, or two cells at the ends of a sheet, take
openpyxl (3.1) minutes and gigabytes.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Collection
from typing import Any

from defusedxml.ElementTree import iterparse
from msgspec import Struct, field

MAX_UNPACKED = 30_000_000
"""Bytes of all parts together, at most."""

MAX_PARTS = 2_000
"""Parts of a workbook, at most."""

_MAX_MERGES = 100
"""Merged ranges of a sheet that are reported, at most."""

MAX_CELLS = 500_000
"""Cells of all sheets, empty ones with a format included, at most: each is an element to be read."""

_CELL = re.compile(r"(?P<column>[A-Z]{1,3})(?P<row>\d{1,7})")
_OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TEXT_TAGS = ("v", "t", "f", "is")


class SheetFacts(Struct):
    """What a sheet holds: the last row and column that are used, merges, and what is hidden (from 1)."""

    is_hidden: bool = False
    last_row: int = 0
    last_column: int = 0
    merges: list[str] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)


class WorkbookProblem(Exception):
    """Why a workbook is not read, as the end of a sentence that begins with its name."""


def read_facts(packed: zipfile.ZipFile) -> dict[str, SheetFacts]:
    """Return the facts of each sheet by its title.

    Sheets are found as spreadsheet programs find them, by the relations of the workbook: a part may have any
    name. Raises ``WorkbookProblem`` if there is too much of anything.
    """
    parts = packed.infolist()
    if len(parts) > MAX_PARTS or sum(archive_part.file_size for archive_part in parts) > MAX_UNPACKED:
        raise WorkbookProblem(f"unpacks to more than {MAX_UNPACKED // 1_000_000} MB or {MAX_PARTS:,} parts.")
    names = {archive_part.filename for archive_part in parts}
    main = next(iter(_related(names, packed, "", "/officeDocument").values()), "xl/workbook.xml")
    targets = _related(names, packed, main, "/worksheet")
    facts: dict[str, SheetFacts] = {}
    cell_count = 0
    for sheet in _elements(packed, main, "sheet"):
        target = targets.get(sheet.get(_OFFICE) or "")
        if target is None:
            continue
        sheet_facts = SheetFacts(is_hidden=(sheet.get("state") or "visible") != "visible")
        facts[sheet.get("name") or ""] = sheet_facts
        for element in _elements(packed, target, "row", "c", "mergeCell", "col"):
            _add_to_facts(sheet_facts, element)
            if _local(element) in ("c", "row"):  # a row costs as much to read as a cell
                cell_count += 1
            if cell_count > MAX_CELLS:
                raise WorkbookProblem(f"has more than {MAX_CELLS:,} cells; split it.")
    return facts


def _add_to_facts(facts: SheetFacts, element: Any) -> None:
    """Add what one element of a sheet says to its facts.

    It is a merged range (``mergeCell`` with its ``ref``), a row or column that may be hidden, or a cell
    (``c``), which says how far the sheet goes if it holds something.
    """
    tag = _local(element)
    if tag == "mergeCell":
        if len(facts.merges) < _MAX_MERGES:
            facts.merges.append(element.get("ref") or "")
    elif element.get("hidden") in ("1", "true"):
        if tag == "row" and (element.get("r") or "").isdigit():
            facts.hidden_rows.append(int(element.get("r")))
        elif tag == "col":
            facts.hidden_columns.append((int(element.get("min") or 1), int(element.get("max") or 1)))
    if tag == "c" and any(_local(child) in _TEXT_TAGS for child in element):
        cell_match = _CELL.fullmatch(element.get("r") or "")
        if cell_match:
            facts.last_row = max(facts.last_row, int(cell_match["row"]))
            facts.last_column = max(facts.last_column, column_number(cell_match["column"]))


def column_number(letters: str) -> int:
    """Return the number of a column from its letters, 1 for A."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _related(names: Collection[str], packed: zipfile.ZipFile, part_name: str, kind: str) -> dict[str, str]:
    """Return the parts to which a part is related in one way, by the ids of the relations."""
    folder, name = posixpath.split(part_name)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    if relations not in names:
        return {}
    targets_by_id = {}
    for relation in _elements(packed, relations, "Relationship"):
        target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target") or "")).lstrip("/")
        if (relation.get("Type") or "").endswith(kind) and target in names:
            targets_by_id[relation.get("Id") or ""] = target
    return targets_by_id


def _elements(packed: zipfile.ZipFile, part_name: str, *tags: str) -> Any:
    """Yield the elements of a part with one of these tags, each complete.

    Rows and what was yielded are then emptied, so that a large sheet takes little memory. A cell (``c``)
    goes with its row.
    """
    with packed.open(part_name) as file:
        for _event, element in iterparse(file, events=("end",), forbid_dtd=True):
            tag = _local(element)
            if tag in tags:
                yield element
            if (tag in tags and tag != "c") or tag in ("sheetData", "row"):
                element.clear()


def _local(element: Any) -> str:
    """Return the tag of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
